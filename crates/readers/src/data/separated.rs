//! Reads separated values: a table with the header and the rows.

use crate::office::assemble::What;
use crate::office::grid::Grid;
use skillkiln_document::blocks::{About, Block, BlockKind, Document, Span};
use skillkiln_document::text::{Inline, plain, squash};

/// A file of separated values: its header and its rows.
pub(crate) fn read(text: String, separator: char) -> Document {
    let (position, separator) = declared(&text).unwrap_or((0, separator));
    let mut rows = Rows {
        text: &text,
        position,
        separator,
    };
    let mut grid = Grid::default();
    let mut width = None;
    let mut ragged = 0usize;
    for row in &mut rows {
        let is_header = width.is_none();
        ragged += usize::from(row.len() != *width.get_or_insert(row.len()));
        for cell in row {
            grid.cell(words(&cell), 1);
        }
        grid.end_row(is_header);
    }
    let mut blocks = Vec::new();
    if let Some(What::Table {
        header,
        rows,
        caption,
    }) = grid.finish(false)
    {
        let told = (ragged > 0).then(|| {
            let rows = if ragged == 1 { "row has" } else { "rows have" };
            format!("{ragged} {rows} another number of cells than the header")
        });
        let told: Vec<String> = caption
            .map(|cut| plain(&cut))
            .into_iter()
            .chain(told)
            .collect();
        blocks.push(Block {
            kind: BlockKind::Table {
                header,
                rows,
                caption: (!told.is_empty()).then(|| vec![Inline::Text(told.join("; "))]),
            },
            span: Span::of(0..text.len()),
        });
    }
    Document::of(None, About::default(), text, blocks)
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

fn words(cell: &str) -> Vec<Inline> {
    match squash(cell) {
        words if words.is_empty() => Vec::new(),
        words => vec![Inline::Text(words)],
    }
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
    use crate::limits::TABLE_CELLS_MAX;

    #[test]
    fn a_table_of_codes_is_kept_whole_for_whoever_looks_one_up() {
        let mut text = "code;day;ok;\"it says\"\r\n".to_owned();
        for n in 0..20_000 {
            let note = if n == 3 { "\"a, \"\"b\"\"\"" } else { "" };
            text.push_str(&format!("{n:05};2026-05-01;true;{note}\n"));
        }
        text.push_str("1;x\n");
        assert_eq!(separator_of(&text), ';');
        let document = read(text, ';');
        let BlockKind::Table {
            header,
            rows,
            caption,
        } = &document.blocks[0].kind
        else {
            panic!("no table");
        };
        assert_eq!(plain(&header[3]), "it says");
        assert_eq!(plain(&rows[3][3]), "a, \"b\"");
        assert_eq!(
            (rows.len(), plain(&rows[19_999][0]).as_str()),
            (20_001, "19999")
        );
        assert_eq!(
            plain(caption.as_ref().unwrap()),
            "1 row has another number of cells than the header"
        );
    }

    #[test]
    fn a_table_beyond_all_bounds_says_how_many_rows_it_has() {
        let text = format!("a,b\n{}", "1,2\n".repeat(TABLE_CELLS_MAX));
        let told = format!(
            "The first {} of {TABLE_CELLS_MAX} rows",
            TABLE_CELLS_MAX / 2 - 1
        );
        let document = read(text, ',');
        let BlockKind::Table { caption, .. } = &document.blocks[0].kind else {
            panic!("no table");
        };
        assert_eq!(plain(caption.as_ref().unwrap()), told);
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
