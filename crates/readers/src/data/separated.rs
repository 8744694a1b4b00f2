//! Reads separated values: a table with the header and the rows, of very long ones the first.

use crate::data::sample::{COLUMNS_MAX, ROWS_MAX};
use skillkiln_document::blocks::{Block, BlockKind, Document, Span};
use skillkiln_document::text::{Inline, squash};

/// A file of separated values: its header, its rows or the first of them, and how many there are.
pub(crate) fn read(text: String, separator: char) -> Document {
    let (position, separator) = declared(&text).unwrap_or((0, separator));
    let mut rows = Rows {
        text: &text,
        position,
        separator,
    };
    let header = rows.next().unwrap_or_default();
    let mut sample = Vec::new();
    let mut sample_end = rows.position;
    let mut count = 0usize;
    let mut ragged = 0usize;
    let mut width = header.len().min(COLUMNS_MAX);
    while let Some(row) = rows.next() {
        count += 1;
        ragged += usize::from(row.len() != header.len());
        width = width.max(row.len().min(COLUMNS_MAX));
        if sample.len() < ROWS_MAX {
            sample.push(row);
            sample_end = rows.position;
        }
    }
    let mut blocks = Vec::new();
    if width > 0 {
        let shown = sample.len();
        let names = cells(header.clone(), width);
        let mut told = Vec::new();
        if count > shown {
            told.push(format!("The first {shown} of {count} rows"));
        }
        if header.len() > width {
            told.push(format!("the first {width} of {} columns", header.len()));
        }
        if ragged > 0 {
            let rows = if ragged == 1 { "row has" } else { "rows have" };
            told.push(format!(
                "{ragged} {rows} another number of cells than the header"
            ));
        }
        blocks.push(Block {
            kind: BlockKind::Table {
                header: names,
                rows: sample.into_iter().map(|row| cells(row, width)).collect(),
                caption: (!told.is_empty()).then(|| vec![Inline::Text(told.join("; "))]),
            },
            span: Span::of(0..sample_end),
        });
    }
    Document {
        text,
        blocks,
        ..Document::default()
    }
}

/// The separator that a first line `sep=;` declares, as spreadsheets write it for themselves, and where the rows begin behind it.
fn declared(text: &str) -> Option<(usize, char)> {
    let line = text.lines().next()?;
    let mark = line.trim_start_matches('\u{feff}').trim_matches('"');
    let mut signs = mark
        .strip_prefix("sep=")
        .or(mark.strip_prefix("SEP="))?
        .chars();
    let separator = signs.next()?;
    signs
        .next()
        .is_none()
        .then_some((line.len() + 1, separator))
}

/// The separator of a file that only says it is separated: the one that cuts its first rows most evenly.
pub(crate) fn separator_of(text: &str) -> char {
    let head = text
        .char_indices()
        .nth(20_000)
        .map_or(text, |(at, _)| text.get(..at).unwrap_or(text));
    [',', ';', '\t', '|']
        .into_iter()
        .max_by_key(|separator| {
            let widths: Vec<usize> = rows(head, *separator)
                .take(20)
                .map(|row| row.len())
                .collect();
            let first = widths.first().copied().unwrap_or(0);
            let even = widths
                .iter()
                .filter(|width| **width == first && first > 1)
                .count();
            (even, first, *separator == ',')
        })
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
    use skillkiln_document::text::plain;

    #[test]
    fn separated_values_become_a_table_with_a_sample() {
        let mut text = "name,\"says\"\r\na,\"x, \"\"y\"\"\"\r\n".to_owned();
        text.push_str(&"b,c\n".repeat(1_020));
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
        assert_eq!(
            plain(caption.as_ref().unwrap()),
            "The first 1000 of 1021 rows"
        );
    }

    #[test]
    fn a_long_table_tells_how_many_rows_it_has() {
        let mut text = "id;day;ok;note\n".to_owned();
        for n in 0..1_020 {
            text.push_str(&format!(
                "{n};2026-05-01;true;{}\n",
                if n == 3 { "a, b, c" } else { "" }
            ));
        }
        text.push_str("1;x\n");
        assert_eq!(separator_of(&text), ';');
        let markdown = skillkiln_document::markdown::write(&read(text, ';').blocks);
        let told = "The first 1000 of 1021 rows; 1 row has another number of cells than the header";
        assert!(markdown.contains(told), "{markdown}");
    }

    #[test]
    fn the_separator_that_a_spreadsheet_declares_is_taken_and_its_line_is_no_row() {
        let text = "sep=;\nZone;Heat;Note\nDoor;800,5;\"a;b\"\n".to_owned();
        let markdown = skillkiln_document::markdown::write(&read(text, ',').blocks);
        assert_eq!(
            markdown,
            "| Zone | Heat | Note |\n| --- | --- | --- |\n| Door | 800,5 | a;b |\n"
        );
    }
}
