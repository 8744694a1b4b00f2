//! Owns what an author says of when a text is used, and when it is not: no one knows better what a skill made of it is for.

use crate::pipeline::synthesize::outline::block_text;
use crate::pipeline::synthesize::sentences::sentences;
use crate::pipeline::synthesize::wording::ages_or_fills;
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::text::squash;

/// It is said among so many blocks from the beginning.
const BLOCKS: usize = 24;
/// A longer case is none for a description.
const CASE_CHARS_MAX: usize = 200;
const CASE_CHARS_MIN: usize = 16;

/// When to use a text and when not, by its own words.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in crate::pipeline::synthesize) struct Meant {
    /// The case in which it is used: what stands behind "when", without a full stop.
    pub(in crate::pipeline::synthesize) when: Option<String>,
    /// The sentences that say what it is not for, in lower case.
    pub(in crate::pipeline::synthesize) not_for: String,
}

impl Meant {
    /// What these blocks say at their beginning.
    pub(in crate::pipeline::synthesize) fn of(blocks: &[Block]) -> Self {
        let mut out = Self::default();
        for block in blocks.iter().take(BLOCKS) {
            if !matches!(block.kind, BlockKind::Paragraph(_) | BlockKind::Quote(_)) {
                continue;
            }
            let text = squash(&block_text(block));
            for sentence in sentences(&text) {
                let sentence = text.get(sentence).unwrap_or_default();
                let lower = sentence.to_lowercase();
                if says_not(&lower) {
                    out.not_for.push_str(&lower);
                    out.not_for.push(' ');
                } else if out.when.is_none() {
                    out.when = case(sentence);
                }
            }
        }
        out
    }

    /// Whether a word or phrase of `text` is said once in it: of what it is not for.
    pub(in crate::pipeline::synthesize) fn excludes(&self, phrase: &str, text: &str) -> bool {
        let phrase = phrase.to_lowercase();
        self.not_for.contains(&phrase) && text.to_lowercase().matches(&phrase).nth(1).is_none()
    }
}

/// Whether a sentence, in lower case, says what a text is not for.
fn says_not(lower: &str) -> bool {
    [
        "do not use ",
        "don't use ",
        "don’t use ",
        "not for ",
        "this is not for ",
    ]
    .iter()
    .any(|opening| lower.starts_with(opening))
}

/// The case in which a text is used: "Use this runbook when the kiln is cold." is for when the kiln is cold.
fn case(sentence: &str) -> Option<String> {
    const TEXTS: [&str; 10] = [
        "",
        "checklist ",
        "document ",
        "guide ",
        "howto ",
        "page ",
        "playbook ",
        "procedure ",
        "runbook ",
        "skill ",
    ];
    let rest = ["Use this ", "Follow this "]
        .iter()
        .find_map(|opening| sentence.strip_prefix(opening))?;
    let case = TEXTS
        .iter()
        .filter_map(|text| rest.strip_prefix(text))
        .find_map(|rest| rest.strip_prefix("when ").or(rest.strip_prefix("if ")))?;
    let case = case.strip_suffix('.')?;
    let spoken = format!(" {} ", case.to_lowercase().replace(['\'', '’', ','], " "));
    let is_of_reader = [
        " i ", " me ", " my ", " our ", " us ", " we ", " you ", " your ",
    ]
    .iter()
    .any(|word| spoken.contains(word));
    let chars = case.chars().count();
    ((CASE_CHARS_MIN..=CASE_CHARS_MAX).contains(&chars)
        && !is_of_reader
        && !case.contains(['<', '>', '`', '{', '.'])
        && !ages_or_fills(case))
    .then(|| case.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::synthesize::testing::document;

    fn meant(source: &str) -> Meant {
        Meant::of(&document(source).blocks)
    }

    #[test]
    fn when_a_text_is_used_is_told_by_its_own_words() {
        for (said, case) in [
            (
                "Use this when the first burner is out or its fuel is below 5 %.",
                "the first burner is out or its fuel is below 5 %",
            ),
            (
                "Use this runbook if the kiln is cold in the morning.",
                "the kiln is cold in the morning",
            ),
        ] {
            let told = meant(&format!("# Kiln\n\nIt burns. {said} It takes an hour."));
            assert_eq!(told.when.as_deref(), Some(case));
        }
        for said in [
            "Use this when you are cold and tired.",
            "Use this kiln when the fire is low.",
            "Use this option when it is dark outside: see below.",
        ] {
            assert_eq!(meant(said).when, None, "{said}");
        }
    }

    #[test]
    fn what_a_text_is_not_for_is_none_of_its_subjects() {
        let told = meant("# Kiln\n\nDo not use it for planned switchovers.");
        assert!(
            told.excludes("Switchovers", "Not for switchovers.") && !told.excludes("burners", "")
        );
        assert!(
            !told.excludes("switchovers", "Switchovers: no switchovers."),
            "it is told of elsewhere"
        );
    }
}
