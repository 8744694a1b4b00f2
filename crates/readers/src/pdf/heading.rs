//! A heading among the lines of a document, and what lines say together.

use crate::pdf::line::Line;

/// A heading: how many lines it takes, with the label above it ("Chapter 4"), and its level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Heading {
    pub(crate) lines: usize,
    pub(crate) level: u8,
}

/// What lines say together.
pub(crate) fn words(lines: &[Line], at: usize, count: usize) -> String {
    let words: Vec<String> = lines.iter().skip(at).take(count).map(Line::text).collect();
    words.join(" ")
}
