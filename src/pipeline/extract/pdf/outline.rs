//! Finds the level of a heading by the outline (bookmarks) of a PDF, which knows better than font sizes.

use crate::domain::text::squash;
use std::collections::HashMap;
use unpdf::Document as Pdf;
use unpdf::model::OutlineItem;

/// Entries of an outline that are looked at.
const ENTRIES_MAX: usize = 20_000;

/// The headings that the outline names, by their words.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    entries: HashMap<String, Vec<(Option<u32>, u8)>>,
    deepest: u8,
}

impl Outline {
    /// The outline of `pdf`.
    pub(crate) fn of(pdf: &Pdf) -> Self {
        let mut outline = Self::default();
        let mut waiting: Vec<(&OutlineItem, u8)> = pdf
            .outline
            .iter()
            .flat_map(|outline| outline.items.iter().map(|item| (item, 1)))
            .collect();
        let mut seen = 0;
        while let Some((item, level)) = waiting.pop() {
            seen += 1;
            if seen > ENTRIES_MAX {
                break;
            }
            let key = key(&item.title);
            if !key.is_empty() {
                outline
                    .entries
                    .entry(key)
                    .or_default()
                    .push((item.page, level));
                outline.deepest = outline.deepest.max(level);
            }
            let below = level.saturating_add(1).min(6);
            waiting.extend(item.children.iter().map(|child| (child, below)));
        }
        outline
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The deepest level it uses.
    pub(crate) const fn deepest(&self) -> u8 {
        self.deepest
    }

    /// The level of the heading `words` on `page`, when the outline has it there or on a page beside it.
    pub(crate) fn level(&self, words: &str, page: u32) -> Option<u8> {
        if words.len() > 300 {
            return None;
        }
        let found = self.entries.get(&key(words))?;
        found
            .iter()
            .find(|(at, _)| at.is_none_or(|at| at.abs_diff(page) <= 1))
            .map(|(_, level)| *level)
    }
}

/// Words without what outlines and pages write differently: section numbers, the word "chapter", case, punctuation.
fn key(words: &str) -> String {
    let words = squash(words).to_lowercase();
    let words =
        words.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ' ' | ')'));
    let words = ["chapter ", "appendix ", "part ", "section "]
        .iter()
        .find_map(|word| {
            let rest = words.strip_prefix(word)?;
            let (number, rest) = rest.split_once(' ')?;
            (number.chars().count() <= 5).then_some(rest)
        })
        .unwrap_or(words);
    words.chars().filter(|c| c.is_alphanumeric()).collect()
}
