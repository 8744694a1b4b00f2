//! Lines of a text with their places in it, which readers of indented mark-up cut and take apart without losing the place.

use crate::builder::tidy;
use skillkiln_document::blocks::{Block, BlockKind, Definition, Span};
use skillkiln_document::text::{Inline, plain, squash};
use std::ops::Range;

/// Columns from one tab stop to the next.
const TAB: usize = 8;

/// A line, or the part of one that is left after its indentation was cut.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line<'a> {
    /// Where [`Line::text`] begins in the source.
    pub(crate) start: usize,
    /// The line without its end, blanks at its end included.
    pub(crate) text: &'a str,
}

impl<'a> Line<'a> {
    /// The words of the line, blanks at both ends cut.
    pub(crate) fn words(&self) -> &'a str {
        self.text.trim()
    }

    /// Whether there is nothing on it.
    pub(crate) fn is_blank(&self) -> bool {
        self.words().is_empty()
    }

    /// Columns of white space it begins with.
    pub(crate) fn indent(&self) -> usize {
        let mut columns = 0;
        for byte in self.text.bytes() {
            match byte {
                b' ' => columns += 1,
                b'\t' => columns += TAB - columns % TAB,
                _ => break,
            }
        }
        columns
    }

    /// The line without its first `columns` columns of white space, or without all it has.
    pub(crate) fn dedent(&self, columns: usize) -> Self {
        let (mut seen, mut cut) = (0, 0);
        for byte in self.text.bytes() {
            if seen >= columns {
                break;
            }
            match byte {
                b' ' => seen += 1,
                b'\t' => seen += TAB - seen % TAB,
                _ => break,
            }
            cut += 1;
        }
        self.after(cut)
    }

    /// The line from byte `cut` on.
    pub(crate) fn after(&self, cut: usize) -> Self {
        let cut = cut.min(self.text.len());
        Self {
            start: self.start + cut,
            text: self.text.get(cut..).unwrap_or(""),
        }
    }

    /// A part of the line by bytes, blanks at both ends cut.
    pub(crate) fn part(&self, range: Range<usize>) -> Self {
        let part = self.text.get(range.clone()).unwrap_or("");
        let lead = part.len() - part.trim_start().len();
        Self {
            start: self.start + range.start + lead,
            text: part.trim(),
        }
    }

    /// The bytes of its words in the source.
    pub(crate) fn range(&self) -> Range<usize> {
        let lead = self.text.len() - self.text.trim_start().len();
        let start = self.start + lead;
        start..start + self.words().len()
    }
}

/// The lines of `text`.
pub(crate) fn lines_of(text: &str) -> Vec<Line<'_>> {
    let mut start = 0;
    let mut lines = Vec::new();
    for raw in text.split_inclusive('\n') {
        let line = raw.strip_suffix('\n').unwrap_or(raw);
        let line = line.strip_suffix('\r').unwrap_or(line);
        lines.push(Line { start, text: line });
        start += raw.len();
    }
    lines
}

/// `lines` without the blank ones at both ends.
pub(crate) fn trimmed<'l, 'a>(lines: &'l [Line<'a>]) -> &'l [Line<'a>] {
    let first = lines.iter().position(|line| !line.is_blank());
    let last = lines.iter().rposition(|line| !line.is_blank());
    match (first, last) {
        (Some(first), Some(last)) => lines.get(first..=last).unwrap_or_default(),
        _ => &[],
    }
}

/// The white space all `lines` begin with.
pub(crate) fn common_indent(lines: &[Line<'_>]) -> usize {
    lines
        .iter()
        .filter(|line| !line.is_blank())
        .map(Line::indent)
        .min()
        .unwrap_or(0)
}

/// `lines` without their first `columns` columns.
pub(crate) fn dedent<'a>(lines: &[Line<'a>], columns: usize) -> Vec<Line<'a>> {
    lines.iter().map(|line| line.dedent(columns)).collect()
}

/// How many lines from the start are blank or indented by at least `columns`; blank ones at the end do not count.
pub(crate) fn indented_length(lines: &[Line<'_>], columns: usize) -> usize {
    let mut length = 0;
    for (at, line) in lines.iter().enumerate() {
        if line.is_blank() {
            continue;
        }
        if line.indent() < columns {
            break;
        }
        length = at + 1;
    }
    length
}

/// Where `lines` stand in the source.
pub(crate) fn span(lines: &[Line<'_>]) -> Span {
    let lines = trimmed(lines);
    match (lines.first(), lines.last()) {
        (Some(first), Some(last)) => Span::of(first.range().start..last.range().end),
        _ => Span::default(),
    }
}

/// The lines to the letter, without blank lines at the ends and without the indentation they share.
pub(crate) fn verbatim(lines: &[Line<'_>]) -> String {
    let lines = trimmed(lines);
    let indent = common_indent(lines);
    joined(&dedent(lines, indent))
}

/// The lines to the letter.
pub(crate) fn joined(lines: &[Line<'_>]) -> String {
    let lines: Vec<&str> = lines.iter().map(|line| line.text).collect();
    let mut text = lines.join("\n");
    text.truncate(text.trim_end().len());
    text
}

/// The lines as one stretch of words.
pub(crate) fn words(lines: &[Line<'_>]) -> String {
    let words: Vec<&str> = lines.iter().map(Line::words).collect();
    words.join("\n")
}

/// A block that stands in `lines`.
pub(crate) fn block(kind: BlockKind, lines: &[Line<'_>]) -> Block {
    Block {
        kind,
        span: span(lines),
    }
}

/// A paragraph of plain words.
pub(crate) fn paragraph(inlines: Vec<Inline>, lines: &[Line<'_>]) -> Block {
    block(BlockKind::Paragraph(tidy(inlines)), lines)
}

/// A code block of `lines`.
pub(crate) fn code(language: Option<String>, lines: &[Line<'_>]) -> Block {
    let text = verbatim(lines);
    block(BlockKind::Code { language, text }, lines)
}

/// A table whose rows are as long as the longest; `None` when there is nothing in it.
pub(crate) fn table(
    header: Vec<Vec<Inline>>,
    mut rows: Vec<Vec<Vec<Inline>>>,
    caption: Option<Vec<Inline>>,
    lines: &[Line<'_>],
) -> Option<Block> {
    let width = rows
        .iter()
        .map(Vec::len)
        .chain([header.len()])
        .max()
        .unwrap_or(0);
    let is_empty = header
        .iter()
        .chain(rows.iter().flatten())
        .all(Vec::is_empty);
    if width == 0 || is_empty {
        return None;
    }
    let mut header = header;
    header.resize(width, Vec::new());
    rows.iter_mut()
        .for_each(|row| row.resize(width, Vec::new()));
    let kind = BlockKind::Table {
        header,
        rows,
        caption,
    };
    Some(block(kind, lines))
}

/// Blocks as one stretch of running text, for a cell or a term: paragraphs on lines of their own, items with bullets.
pub(crate) fn flat(blocks: &[Block]) -> Vec<Inline> {
    let mut out = Vec::new();
    flatten(blocks, &mut out);
    tidy(out)
}

fn flatten(blocks: &[Block], out: &mut Vec<Inline>) {
    for block in blocks {
        if !out.is_empty() && !matches!(out.last(), Some(Inline::Text(text)) if text == "• ") {
            out.push(Inline::Break);
        }
        match &block.kind {
            BlockKind::Heading { text, .. } | BlockKind::Paragraph(text) => {
                out.extend(text.iter().cloned());
            }
            BlockKind::List { items, .. } => {
                for (number, item) in items.iter().enumerate() {
                    if number > 0 {
                        out.push(Inline::Break);
                    }
                    out.push(Inline::Text("• ".to_owned()));
                    flatten(item, out);
                }
            }
            BlockKind::Code { text, .. } => {
                for (number, line) in text.lines().enumerate() {
                    if number > 0 {
                        out.push(Inline::Break);
                    }
                    out.push(Inline::Code(line.to_owned()));
                }
            }
            BlockKind::Math(formula) => out.push(Inline::Math(formula.clone())),
            BlockKind::Quote(inner) => flatten(inner, out),
            BlockKind::Admonition { title, blocks, .. } => {
                if let Some(title) = title {
                    out.push(Inline::Text(format!("{title}: ")));
                }
                flatten(blocks, out);
            }
            BlockKind::Definitions(entries) => {
                for entry in entries {
                    define(entry, out);
                }
            }
            BlockKind::Table { header, rows, .. } => {
                for row in std::iter::once(header).chain(rows) {
                    for cell in row {
                        out.extend(cell.iter().cloned());
                        out.push(Inline::Text(" ".to_owned()));
                    }
                    out.push(Inline::Break);
                }
            }
            BlockKind::Figure {
                alternative,
                caption,
                ..
            } => {
                out.push(Inline::Text(format!("{alternative} ")));
                out.extend(caption.iter().cloned());
            }
        }
    }
}

fn define(entry: &Definition, out: &mut Vec<Inline>) {
    for term in &entry.terms {
        out.extend(term.iter().cloned());
        out.push(Inline::Text(": ".to_owned()));
    }
    flatten(&entry.blocks, out);
}

/// The first heading of level 1, when it stands before any other heading.
pub(crate) fn first_title(blocks: &[Block]) -> Option<String> {
    blocks
        .iter()
        .find_map(|block| match &block.kind {
            BlockKind::Heading { level, text } => Some((*level == 1).then(|| squash(&plain(text)))),
            _ => None,
        })
        .flatten()
        .filter(|title| !title.is_empty())
}

/// The language an info string names: its first word, without attributes.
pub(crate) fn language_of(info: &str) -> Option<String> {
    let word = info
        .trim()
        .trim_start_matches(['{', '.'])
        .split([' ', ',', '{', '}', '\t', ':'])
        .next()
        .unwrap_or("")
        .to_ascii_lowercase();
    Some(word).filter(|word| {
        !word.is_empty()
            && word.len() <= 40
            && !matches!(
                word.as_str(),
                "text" | "txt" | "plain" | "plaintext" | "none"
            )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_keeps_its_place_when_its_indentation_is_cut() {
        let text = "a\r\n  \tb c \n";
        let lines = lines_of(text);
        assert_eq!(lines.len(), 2);
        let cut = lines[1].dedent(8);
        assert_eq!(cut.words(), "b c");
        assert_eq!(&text[cut.range()], "b c");
    }

    #[test]
    fn code_keeps_the_indentation_it_does_not_share() {
        let lines = lines_of("\n    if x:\n        y\n\n    z\n");
        assert_eq!(verbatim(&lines), "if x:\n    y\n\nz");
    }
}
