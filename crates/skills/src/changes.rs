//! Owns what changed between two states of a text, rule by rule: each sentence, line of code or row of a table that was added, changed or
//! removed, with the place where it stands.
//!
//! What only moved has not changed. Two rules are one that changed when they stand in the same place and share half of their words.

use crate::origins::{Place, Sections, headings_of, place};
use crate::sentences::sentences;
use crate::skill::{Reference, Source};
use serde::{Deserialize, Serialize};
use skillkiln_document::blocks::{Block, BlockKind, Document};
use skillkiln_document::text::{plain, squash, words};
use std::collections::{HashMap, HashSet};

/// Characters of a rule that are kept; its fingerprint is of all.
const TEXT_CHARS_MAX: usize = 400;
/// Characters of all rules of a text that are kept; of what comes after, the fingerprints alone.
const TEXTS_CHARS_MAX: usize = 512 << 10;
/// Rules of a text that are kept one by one; what comes after is one more.
const RULES_MAX: usize = 20_000;
/// What that one says.
const REST: &str = "…";
/// Changes that are told; the others are counted.
const TOLD_MAX: usize = 100;
/// New rules that it is looked for what they were before, and rules of one place that are looked at for each.
const COMPARED_MAX: usize = 2_000;
const CANDIDATES_MAX: usize = 16;

/// A rule of a text: a sentence, a line of code, a row of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// Its fingerprint, the same wherever and whenever it is made.
    pub mark: u64,
    /// What it says, shortened.
    pub text: String,
    /// Where it stands.
    pub place: Place,
}

/// What became of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// It was not there before.
    Added,
    /// It says something else than before.
    Changed,
    /// It is gone.
    Removed,
}

impl Kind {
    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Changed => "changed",
            Self::Removed => "removed",
        }
    }
}

/// A rule that changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// How.
    pub kind: Kind,
    /// What it says; of one that is gone, what it said.
    pub text: String,
    /// What it said before, of one that changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
    /// Where it stands, or stood.
    pub place: Place,
}

/// All that changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changes {
    /// The first of them.
    pub told: Vec<Change>,
    /// How many there are.
    pub total: usize,
}

/// Gathers the rules of a text within bounds.
#[derive(Default)]
struct Gathered {
    rules: Vec<Rule>,
    chars: usize,
    rest: Option<Rule>,
}

impl Gathered {
    fn say(&mut self, text: &str, place: &Place) {
        let text = squash(text);
        if text.is_empty() {
            return;
        }
        if self.rules.len() >= RULES_MAX {
            let rest = self.rest.get_or_insert_with(|| Rule {
                mark: 0,
                text: REST.to_owned(),
                place: place.clone(),
            });
            rest.mark = rest.mark.rotate_left(1) ^ fingerprint(&text);
            return;
        }
        let kept = match self.chars < TEXTS_CHARS_MAX {
            true => text.chars().take(TEXT_CHARS_MAX).collect(),
            false => String::new(),
        };
        self.chars += kept.len();
        self.rules.push(Rule {
            mark: fingerprint(&text),
            text: kept,
            place: place.clone(),
        });
    }

    fn finish(mut self) -> Vec<Rule> {
        self.rules.extend(self.rest);
        self.rules
    }

    /// Running text, sentence by sentence.
    fn say_sentences(&mut self, text: &str, place: &Place) {
        for range in sentences(text) {
            self.say(text.get(range).unwrap_or_default(), place);
        }
    }
}

/// FNV-1a: short, and the same in every build.
fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |mark, byte| {
        (mark ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The rules of a document, in its order.
#[must_use]
pub fn of_document(document: &Document, source: &Source) -> Vec<Rule> {
    let sections = Sections::of(document);
    let mut gathered = Gathered::default();
    document.walk(&mut |block: &Block| {
        let here = place(&block.span, &sections, source);
        match &block.kind {
            BlockKind::Heading { text, .. } => gathered.say(&plain(text), &here),
            BlockKind::Paragraph(text) => gathered.say_sentences(&plain(text), &here),
            BlockKind::Code { text, .. } | BlockKind::Math(text) => {
                text.lines().for_each(|line| gathered.say(line, &here));
            }
            BlockKind::Table {
                header,
                rows,
                caption,
            } => {
                if let Some(caption) = caption {
                    gathered.say(&plain(caption), &here);
                }
                for row in std::iter::once(header).chain(rows) {
                    let cells: Vec<String> = row.iter().map(|cell| plain(cell)).collect();
                    gathered.say(&cells.join(" | "), &here);
                }
            }
            BlockKind::Definitions(entries) => {
                for term in entries.iter().flat_map(|entry| &entry.terms) {
                    gathered.say(&plain(term), &here);
                }
            }
            BlockKind::Admonition { title, .. } => {
                gathered.say(title.as_deref().unwrap_or_default(), &here);
            }
            BlockKind::Figure { caption, .. } => gathered.say(&plain(caption), &here),
            BlockKind::List { .. } | BlockKind::Quote(_) => {}
        }
    });
    gathered.finish()
}

/// The rules of a skill, line by line, file by file; what its header says is none of them.
#[must_use]
pub fn of_skill(content: &str, references: &[Reference]) -> Vec<Rule> {
    let mut gathered = Gathered::default();
    let files = references.iter();
    let files = files.map(|file| (file.filename.as_str(), file.content.as_str()));
    for (file, content) in std::iter::once(("SKILL.md", content)).chain(files) {
        let headings = headings_of(content);
        let mut in_header = content.starts_with("---\n");
        for (number, line) in (1u32..).zip(content.lines()) {
            if in_header {
                in_header = number == 1 || line != "---";
                continue;
            }
            let above = headings.partition_point(|heading| heading.line <= number);
            let above = above.checked_sub(1).and_then(|at| headings.get(at));
            let words = match above.map(|heading| heading.words.as_str()) {
                None | Some("") => file.to_owned(),
                Some(heading) => format!("{file}, {heading}"),
            };
            let place = Place {
                words,
                address: None,
            };
            gathered.say(line, &place);
        }
    }
    gathered.finish()
}

/// What changed from one state to another: what came and what is another now in the new order, then what is gone in the old.
#[must_use]
pub fn between(old: &[Rule], new: &[Rule]) -> Changes {
    let marks = |rules: &[Rule]| rules.iter().map(|rule| rule.mark).collect::<HashSet<u64>>();
    let (before, after) = (marks(old), marks(new));
    let mut seen = HashSet::new();
    let came = new
        .iter()
        .filter(|rule| !before.contains(&rule.mark) && seen.insert(rule.mark));
    let came: Vec<&Rule> = came.collect();
    let mut gone: Vec<Option<&Rule>> = Vec::new();
    let mut by_place: HashMap<&str, Vec<usize>> = HashMap::new();
    for rule in old.iter().filter(|rule| !after.contains(&rule.mark)) {
        if seen.insert(rule.mark) {
            by_place
                .entry(&rule.place.words)
                .or_default()
                .push(gone.len());
            gone.push(Some(rule));
        }
    }
    let mut changes = Changes::default();
    for (position, rule) in came.into_iter().enumerate() {
        let candidates = by_place.get_mut(rule.place.words.as_str());
        let candidates = candidates.filter(|_| position < COMPARED_MAX);
        let was = candidates.and_then(|candidates| {
            let looked_at = candidates.iter().take(CANDIDATES_MAX).enumerate();
            let alike = looked_at.filter_map(|(at, place)| {
                let other = gone.get(*place).copied().flatten()?;
                Some((shared(&other.text, &rule.text)?, at, *place))
            });
            let (_, at, place) = alike.max_by_key(|(shared, at, _)| (*shared, usize::MAX - at))?;
            candidates.remove(at);
            gone.get_mut(place).and_then(Option::take)
        });
        changes.note(
            match was {
                Some(_) => Kind::Changed,
                None => Kind::Added,
            },
            rule,
            was,
        );
    }
    for rule in gone.into_iter().flatten() {
        changes.note(Kind::Removed, rule, None);
    }
    changes
}

impl Changes {
    fn note(&mut self, kind: Kind, rule: &Rule, was: Option<&Rule>) {
        self.total += 1;
        if self.told.len() < TOLD_MAX {
            self.told.push(Change {
                kind,
                text: rule.text.clone(),
                was: was.map(|was| was.text.clone()),
                place: rule.place.clone(),
            });
        }
    }

    /// Changes that were found in another way.
    #[must_use]
    pub fn of(all: Vec<Change>) -> Self {
        Self {
            total: all.len(),
            told: all.into_iter().take(TOLD_MAX).collect(),
        }
    }
}

/// How many in a thousand of their words two texts share, when that is at least half.
fn shared(one: &str, other: &str) -> Option<usize> {
    let of = |text: &str| {
        words(text)
            .map(str::to_lowercase)
            .collect::<HashSet<String>>()
    };
    let (one, other) = (of(one), of(other));
    let both = one.intersection(&other).count();
    let share = both * 2_000 / (one.len() + other.len()).max(1);
    (share >= 500).then_some(share)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skill(lines: &str) -> Vec<Rule> {
        of_skill(&format!("---\nname: kiln\n---\n# Kiln\n\n{lines}"), &[])
    }

    fn told(old: &str, new: &str) -> Vec<(Kind, String, Option<String>)> {
        let changes = between(&skill(old), &skill(new));
        assert_eq!(changes.total, changes.told.len());
        let told = changes.told.into_iter();
        told.map(|change| (change.kind, change.text, change.was))
            .collect()
    }

    #[test]
    fn rules_that_came_changed_and_went_are_told_and_what_moved_is_not() {
        let old =
            "- Fire it slowly to cone 6.\n- Keep the lid closed.\n\n## Clay\n\nWedge it well.\n";
        let new = "- Keep the lid closed.\n- Fire it slowly to cone 9.\n- Wear glasses at the spy hole.\n\n## Clay\n";
        assert_eq!(
            told(old, new),
            [
                (
                    Kind::Changed,
                    "- Fire it slowly to cone 9.".into(),
                    Some("- Fire it slowly to cone 6.".into())
                ),
                (Kind::Added, "- Wear glasses at the spy hole.".into(), None),
                (Kind::Removed, "Wedge it well.".into(), None),
            ]
        );
        assert_eq!(told(old, old), []);
    }

    #[test]
    fn the_header_of_a_skill_is_no_rule_of_it() {
        let of = |day: &str| of_skill(&format!("---\ngenerated: {day}\n---\n# Kiln\n"), &[]);
        assert_eq!(of("2026-11-20"), of("2026-11-21"));
    }

    #[test]
    fn a_rule_has_its_place_in_the_source() {
        use skillkiln_document::blocks::Span;
        use skillkiln_document::text::Inline;
        let text = "FiringFire it. Wait.";
        let block = |kind, bytes| Block {
            kind,
            span: Span::of(bytes),
        };
        let words = |words: &str| vec![Inline::Text(words.to_owned())];
        let document = Document {
            text: text.into(),
            blocks: vec![
                block(
                    BlockKind::Heading {
                        level: 1,
                        text: words("Firing"),
                    },
                    0..6,
                ),
                block(BlockKind::Paragraph(words("Fire it. Wait.")), 6..20),
            ],
            ..Document::default()
        };
        let source = Source {
            label: "https://kiln.example/a".into(),
            ..Source::default()
        };
        let rules = of_document(&document, &source);
        let shown: Vec<(&str, &str)> = rules
            .iter()
            .map(|rule| (rule.text.as_str(), rule.place.words.as_str()))
            .collect();
        assert_eq!(
            shown,
            [
                ("Firing", "Firing"),
                ("Fire it.", "Firing"),
                ("Wait.", "Firing")
            ]
        );
        assert_eq!(
            rules[1].place.address.as_deref(),
            Some("https://kiln.example/a")
        );
    }

    #[test]
    fn a_long_text_is_compared_within_bounds() {
        let text = |seed: usize| -> String {
            (0..60_000)
                .map(|n| format!("rule {} of {seed}\n\n", n * 7_919 % 60_013))
                .collect()
        };
        let changes = between(&skill(&text(1)), &skill(&text(2)));
        assert_eq!(changes.told.len(), TOLD_MAX);
        assert!(changes.total >= RULES_MAX);
        let long = text(1);
        let other = long.replace("rule 7 of 1\n", "rule seven\n");
        let (old, new) = (skill(&long), skill(&other));
        assert_eq!(old.len(), RULES_MAX + 1);
        assert!(between(&old, &new).total > 0, "wherever it is");
        let last = format!("{long}One more.\n");
        let told = between(&old, &skill(&last)).told;
        assert_eq!(told.first().map(|change| change.text.as_str()), Some(REST));
    }
}
