//! A line of plain text: where it stands, how far it is set in, and its words.

use std::ops::Range;

#[derive(Debug, Clone)]
pub(super) struct Line<'a> {
    pub(super) range: Range<usize>,
    pub(super) indent: usize,
    pub(super) words: &'a str,
}

pub(super) fn lines_of(text: &str) -> Vec<Line<'_>> {
    let mut position = 0;
    let mut lines = Vec::new();
    for raw in text.split_inclusive('\n') {
        let words = raw.trim();
        let lead = raw.len() - raw.trim_start().len();
        let indent = raw
            .chars()
            .take_while(|c| c.is_whitespace())
            .map(|c| if c == '\t' { 4 } else { 1 })
            .sum();
        let start = position + if words.is_empty() { 0 } else { lead };
        lines.push(Line {
            range: start..start + words.len(),
            indent,
            words,
        });
        position += raw.len();
    }
    lines
}
