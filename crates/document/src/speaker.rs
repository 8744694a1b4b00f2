//! Owns how a text tells who speaks: the names that stand before what is said.

use serde::{Deserialize, Serialize};

/// A name of a speaker is not longer, in words and in characters.
const NAME_WORDS_MAX: usize = 4;
/// See [`NAME_WORDS_MAX`].
const NAME_CHARS_MAX: usize = 40;
/// What stands before a colon and warns or explains, and does not speak.
const LABELS: [&str; 8] = [
    "Note",
    "Warning",
    "Caution",
    "Tip",
    "Hint",
    "Important",
    "Danger",
    "Attention",
];

/// Who begins to speak.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Speaker {
    /// Who is called so.
    Named(String),
    /// Somebody else than before.
    Another,
}

/// What stands before the first colon when it may be a name, and what stands behind it.
#[must_use]
pub fn named(line: &str) -> Option<(&str, &str)> {
    let mut depth = 0usize;
    let mut end = None;
    // A name with the blanks and the time behind it is not longer than this.
    for (at, character) in line.char_indices().take(NAME_CHARS_MAX * 2) {
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            // The colon of a time between brackets is none of a name's end.
            ':' | '：' if depth == 0 => {
                end = Some(at);
                break;
            }
            _ => {}
        }
    }
    let (name, rest) = line.split_at_checked(end?)?;
    let is_wide = rest.starts_with('：');
    let words = rest.trim_start_matches([':', '：']);
    let parts = is_wide || words.is_empty() || words.starts_with(' ');
    let name = name.trim();
    (parts && !name.is_empty() && name.chars().count() <= NAME_CHARS_MAX)
        .then_some((name, words.trim()))
}

/// Whether this may be the name of a person: a few words that begin as names do. Programs that tell voices apart count them
/// (`SPEAKER_01`).
#[must_use]
pub fn is_name(name: &str) -> bool {
    let mut words = name.split_whitespace();
    !LABELS.contains(&name)
        && name.split_whitespace().count() <= NAME_WORDS_MAX
        && words.next().is_some_and(|first| {
            first
                .chars()
                .next()
                .is_some_and(|c| c.is_alphabetic() && !c.is_lowercase())
        })
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, ' ' | '.' | '\'' | '’' | '-' | '・' | '_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn voices_that_a_program_counted_have_names() {
        for name in ["SPEAKER_01", "Speaker 2", "Ada Lee", "O’Neil", "山田"] {
            assert!(is_name(name), "{name}");
        }
        for other in [
            "Note",
            "heat",
            "42",
            "a very long name of somebody",
            "x = y",
        ] {
            assert!(!is_name(other), "{other}");
        }
    }

    #[test]
    fn a_line_full_of_colons_is_looked_at_once() {
        assert!(named(&"(: ".repeat(500_000)).is_none());
    }
}
