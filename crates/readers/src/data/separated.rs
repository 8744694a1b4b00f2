//! Reads separated values: a table with the header and a sample of the rows, never a dump.

use crate::data::sample::{COLUMNS_MAX, ROWS_MAX};
use skillkiln_document::blocks::{Block, BlockKind, Document, Span};
use skillkiln_document::text::{Inline, squash};

/// A file of separated values: its header, a sample of its rows, how many there are and of which types.
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
    let mut columns: Vec<Column> = header
        .iter()
        .take(COLUMNS_MAX)
        .map(|_| Column::default())
        .collect();
    while let Some(row) = rows.next() {
        count += 1;
        ragged += usize::from(row.len() != header.len());
        for (column, cell) in row.iter().enumerate().take(COLUMNS_MAX) {
            if column >= columns.len() {
                columns.push(Column::default());
            }
            if let Some(column) = columns.get_mut(column) {
                column.see(cell.trim());
            }
        }
        if sample.len() < ROWS_MAX {
            sample.push(row);
            sample_end = rows.position;
        }
    }
    let width = columns.len();
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
        if count > shown {
            blocks.push(Block {
                kind: BlockKind::Table {
                    header: ["Column", "Type", "Values"]
                        .iter()
                        .map(|name| vec![Inline::Text((*name).to_owned())])
                        .collect(),
                    rows: names
                        .iter()
                        .zip(&columns)
                        .map(|(name, column)| {
                            vec![
                                name.clone(),
                                vec![Inline::Text(column.kind().to_owned())],
                                column.values(count),
                            ]
                        })
                        .collect(),
                    caption: Some(vec![Inline::Text(format!("The columns of {count} rows"))]),
                },
                span: Span::of(0..text.len()),
            });
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

/// What the cells of a column have in common.
#[derive(Debug, Default)]
struct Column {
    filled: usize,
    integers: usize,
    numbers: usize,
    dates: usize,
    booleans: usize,
    least: Option<f64>,
    most: Option<f64>,
}

impl Column {
    fn see(&mut self, cell: &str) {
        if cell.is_empty() {
            return;
        }
        self.filled += 1;
        if cell.len() > 40 {
            return;
        }
        if let Ok(number) = cell.parse::<f64>()
            && number.is_finite()
        {
            self.numbers += 1;
            self.integers += usize::from(
                cell.bytes()
                    .all(|b| b.is_ascii_digit() || matches!(b, b'-' | b'+')),
            );
            self.least = Some(self.least.map_or(number, |least| least.min(number)));
            self.most = Some(self.most.map_or(number, |most| most.max(number)));
        } else if matches!(
            cell.to_ascii_lowercase().as_str(),
            "true" | "false" | "yes" | "no"
        ) {
            self.booleans += 1;
        } else {
            let digits = cell.bytes().filter(u8::is_ascii_digit).count();
            let marks = cell
                .bytes()
                .filter(|b| matches!(b, b'-' | b'/' | b'.' | b':'))
                .count();
            let rest = cell.len() - digits - marks;
            self.dates += usize::from(digits >= 6 && marks >= 2 && rest <= 2);
        }
    }

    fn kind(&self) -> &'static str {
        match self.filled {
            0 => "empty",
            filled if self.integers == filled => "integer",
            filled if self.numbers == filled => "number",
            filled if self.booleans == filled => "boolean",
            filled if self.dates == filled => "date",
            _ => "text",
        }
    }

    /// The range of numbers, and how many cells are empty.
    fn values(&self, count: usize) -> Vec<Inline> {
        let mut words = String::new();
        if let (true, Some(least), Some(most)) =
            (self.numbers == self.filled, self.least, self.most)
        {
            words = format!("{least} to {most}");
        }
        if self.filled < count {
            let separator = if words.is_empty() { "" } else { "; " };
            words.push_str(&format!("{separator}{} empty", count - self.filled));
        }
        if words.is_empty() {
            Vec::new()
        } else {
            vec![Inline::Text(words)]
        }
    }
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
        } = &document.blocks[1].kind
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
    fn a_long_table_tells_the_types_of_its_columns() {
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
        for expected in [
            "| id | integer | 0 to 1019 |",
            "| day | text |",
            "| ok | boolean | 1 empty |",
            "| note | text | 1020 empty |",
            "The first 1000 of 1021 rows; 1 row has another number of cells than the header",
        ] {
            assert!(markdown.contains(expected), "{expected} in\n{markdown}");
        }
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
