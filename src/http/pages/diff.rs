//! Owns how two texts are held against each other: the lines that went, those that came, and a few around them.

use similar::{ChangeTag, TextDiff};
use std::time::Duration;

/// Lines around a change.
const AROUND: usize = 3;
/// Lines that are shown; what comes after is counted.
const LINES_MAX: usize = 1_500;
/// Bytes of a line that are shown.
const LINE_BYTES_MAX: usize = 2_000;
/// How long the shortest way from one text to the other is looked for; after that a longer one does.
const PATIENCE: Duration = Duration::from_millis(300);

/// A line of a difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::http) struct DiffLine {
    /// `ins`, `del` or `span`.
    pub(in crate::http) element: &'static str,
    /// The sign and the line.
    pub(in crate::http) text: String,
}

/// A difference.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::http) struct Difference {
    /// Its lines in order.
    pub(in crate::http) lines: Vec<DiffLine>,
    /// How many lines came.
    pub(in crate::http) added: usize,
    /// How many lines went.
    pub(in crate::http) removed: usize,
    /// Whether there are more than are shown.
    pub(in crate::http) is_cut: bool,
}

/// Holds two texts against each other.
pub(in crate::http) fn between(old: &str, new: &str) -> Difference {
    let diff = TextDiff::configure().timeout(PATIENCE).diff_lines(old, new);
    let mut difference = Difference::default();
    for (position, group) in diff.grouped_ops(AROUND).iter().enumerate() {
        if position > 0 {
            difference.show("span", "⋯");
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let line = change.value().trim_end_matches(['\n', '\r']);
            let line = line
                .get(..line.floor_char_boundary(LINE_BYTES_MAX))
                .unwrap_or_default();
            match change.tag() {
                ChangeTag::Insert => {
                    difference.added += 1;
                    difference.show("ins", &format!("+ {line}"));
                }
                ChangeTag::Delete => {
                    difference.removed += 1;
                    difference.show("del", &format!("- {line}"));
                }
                ChangeTag::Equal => difference.show("span", &format!("  {line}")),
            }
        }
    }
    difference
}

impl Difference {
    fn show(&mut self, element: &'static str, text: &str) {
        if self.lines.len() < LINES_MAX {
            self.lines.push(DiffLine {
                element,
                text: text.to_owned(),
            });
        } else {
            self.is_cut = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_shows_what_went_what_came_and_a_few_lines_around() {
        let old: String = (1..=20).map(|n| format!("line {n}\n")).collect();
        let new = old.replace("line 10\n", "line ten\n");
        let difference = between(&old, &new);
        let shown: Vec<(&str, &str)> = difference
            .lines
            .iter()
            .map(|line| (line.element, line.text.as_str()))
            .collect();
        assert_eq!(
            shown,
            [
                ("span", "  line 7"),
                ("span", "  line 8"),
                ("span", "  line 9"),
                ("del", "- line 10"),
                ("ins", "+ line ten"),
                ("span", "  line 11"),
                ("span", "  line 12"),
                ("span", "  line 13"),
            ]
        );
        assert_eq!((difference.added, difference.removed), (1, 1));
        assert_eq!(between(&old, &old), Difference::default());
    }

    #[test]
    fn texts_that_have_nothing_in_common_are_shown_within_bounds() {
        let text = |seed: usize| -> String {
            (0..20_000)
                .map(|n| format!("{}\n", (n * 7_919 + seed) % 10_007))
                .collect()
        };
        let difference = between(&text(1), &text(5));
        assert!(difference.is_cut && difference.lines.len() == LINES_MAX);
        let long = between(&"a".repeat(1 << 20), &"b".repeat(1 << 20));
        assert!(
            long.lines
                .iter()
                .all(|line| line.text.len() < LINE_BYTES_MAX + 8)
        );
    }
}
