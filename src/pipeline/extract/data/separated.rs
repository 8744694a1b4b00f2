//! Reads separated values: a table with the header and a sample of the rows, never a dump.

use crate::domain::document::{About, Block, BlockKind, Document, Span};
use crate::domain::text::{Inline, squash};

/// Rows of a table that are taken over; the rest is counted, not copied.
const ROWS_MAX: usize = 50;
/// Columns that are taken over.
const COLUMNS_MAX: usize = 50;

/// A file of separated values: its header, a sample of its rows, and how many there are.
pub(crate) fn read(text: String, separator: char) -> Document {
    let mut rows = Rows {
        text: &text,
        position: 0,
        separator,
    };
    let header = rows.next().unwrap_or_default();
    let width = header.len().min(COLUMNS_MAX);
    let mut sample = Vec::new();
    let mut sample_end = rows.position;
    let mut count = 0usize;
    while let Some(row) = rows.next() {
        count += 1;
        if sample.len() < ROWS_MAX {
            sample.push(cells(row, width));
            sample_end = rows.position;
        }
    }
    let mut blocks = Vec::new();
    if width > 0 {
        let shown = sample.len();
        blocks.push(Block {
            kind: BlockKind::Table {
                header: cells(header, width),
                rows: sample,
                caption: (count > shown)
                    .then(|| vec![Inline::Text(format!("The first {shown} of {count} rows"))]),
            },
            span: Span::of(0..sample_end),
        });
    }
    Document {
        title: None,
        about: About::default(),
        text,
        blocks,
        moments: Vec::new(),
    }
}

/// The separator of a file that only says it is separated: the one its first line holds most.
pub(crate) fn separator_of(text: &str) -> char {
    let first = text.lines().next().unwrap_or("");
    [',', ';', '\t', '|']
        .into_iter()
        .max_by_key(|separator| (first.matches(*separator).count(), *separator == ','))
        .unwrap_or(',')
}

fn cells(row: Vec<String>, width: usize) -> Vec<Vec<Inline>> {
    let mut cells: Vec<Vec<Inline>> = row
        .into_iter()
        .take(width)
        .map(|cell| match squash(&cell) {
            words if words.is_empty() => Vec::new(),
            words => vec![Inline::Text(words)],
        })
        .collect();
    cells.resize(width, Vec::new());
    cells
}

/// The rows of `text`, empty ones left out.
pub(crate) fn rows(text: &str, separator: char) -> impl Iterator<Item = Vec<String>> {
    Rows {
        text,
        position: 0,
        separator,
    }
}

/// Reads rows one after the other, quotes as RFC 4180 has them.
struct Rows<'a> {
    text: &'a str,
    position: usize,
    separator: char,
}

impl Iterator for Rows<'_> {
    type Item = Vec<String>;

    fn next(&mut self) -> Option<Vec<String>> {
        while self.position < self.text.len() {
            let row = self.row();
            // An empty line is no row.
            if row.iter().any(|cell| !cell.is_empty()) {
                return Some(row);
            }
        }
        None
    }
}

impl Rows<'_> {
    fn row(&mut self) -> Vec<String> {
        let rest = self.text.get(self.position..).unwrap_or("");
        let mut row = Vec::new();
        let mut cell = String::new();
        let mut quoted = false;
        let mut characters = rest.char_indices().peekable();
        let mut end = rest.len();
        while let Some((at, character)) = characters.next() {
            match character {
                '"' if quoted => {
                    if characters.next_if(|(_, next)| *next == '"').is_some() {
                        cell.push('"');
                    } else {
                        quoted = false;
                    }
                }
                // Blanks before a quote are no part of the cell.
                '"' if cell.bytes().all(|b| b == b' ') => {
                    cell.clear();
                    quoted = true;
                }
                '\n' if !quoted => {
                    end = at + 1;
                    break;
                }
                '\r' if !quoted => {}
                c if c == self.separator && !quoted => row.push(std::mem::take(&mut cell)),
                c => cell.push(c),
            }
        }
        self.position += end;
        row.push(cell);
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::text::plain;

    #[test]
    fn separated_values_become_a_table_with_a_sample() {
        let mut text = "name,\"says\"\r\na,\"x, \"\"y\"\"\"\r\n".to_owned();
        text.push_str(&"b,c\n".repeat(80));
        let document = read(text, ',');
        let BlockKind::Table {
            header,
            rows,
            caption,
        } = &document.blocks[0].kind
        else {
            panic!("no table");
        };
        assert_eq!(plain(&header[1]), "says");
        assert_eq!(plain(&rows[0][1]), "x, \"y\"");
        assert_eq!(rows.len(), ROWS_MAX);
        assert_eq!(plain(caption.as_ref().unwrap()), "The first 50 of 81 rows");
    }
}
