//! Makes a table of rows whose cells may be merged: every row as wide as the widest, the header told from the rows. What is too
//! large is cut, and the table's caption tells where.

use crate::limits::TABLE_CELLS_MAX;
use crate::office::assemble::{Piece, What};
use skillkiln_document::text::{Inline, plain};

/// Columns that one merged cell may cover.
pub(crate) const COLUMNS_MAX: usize = 64;

/// Rows in the making.
#[derive(Debug, Default)]
pub(crate) struct Grid {
    rows: Vec<Vec<Vec<Inline>>>,
    row: Vec<Vec<Inline>>,
    cells: usize,
    width: usize,
    head_rows: usize,
    /// Rows that hold words, those past the limit included.
    count: usize,
}

impl Grid {
    /// A cell that covers `columns` columns.
    pub(crate) fn cell(&mut self, text: Vec<Inline>, columns: usize) {
        self.row.push(text);
        // A row of a thousand columns is no table that somebody laid out; there an empty cell more or less says nothing.
        if self.row.len() < 1_000 {
            let width = self.row.len() + columns.clamp(1, COLUMNS_MAX) - 1;
            self.row.resize(width, Vec::new());
        }
    }

    /// Ends a row; `is_head` says that it names the columns.
    pub(crate) fn end_row(&mut self, is_head: bool) {
        let row = std::mem::take(&mut self.row);
        if row.iter().all(|cell| plain(cell).trim().is_empty()) {
            return;
        }
        self.count += 1;
        self.cells += row.len();
        let width = self.width.max(row.len());
        let is_large = self.cells > TABLE_CELLS_MAX
            || (self.rows.len() + 1).saturating_mul(width) > TABLE_CELLS_MAX;
        // What follows the first row that is too much is left out too: a table with holes would lie.
        if is_large && self.count > 1 || self.rows.len() + 1 < self.count {
            return;
        }
        self.width = width;
        if is_head && self.rows.len() == self.head_rows {
            self.head_rows += 1;
        }
        self.rows.push(row);
    }

    /// Whether the first row is stressed throughout, and no other is.
    fn has_bold_head(&self) -> bool {
        let is_bold = |row: &Vec<Vec<Inline>>| {
            row.iter()
                .all(|cell| cell.is_empty() || matches!(cell.as_slice(), [Inline::Strong(_)]))
        };
        let mut rows = self.rows.iter();
        rows.next().is_some_and(is_bold) && rows.len() > 0 && !rows.any(is_bold)
    }

    /// The table; `None` when it holds no word. `first_is_head` says that a first row which nothing marks names the columns.
    pub(crate) fn finish(self, first_is_head: bool) -> Option<What> {
        let has_head = first_is_head && self.rows.len() > 1 || self.has_bold_head();
        let head_rows = match self.head_rows {
            0 => usize::from(has_head),
            n if n == self.rows.len() => 1,
            n => n,
        };
        if self.rows.is_empty() {
            return None;
        }
        let (width, kept) = (self.width, self.rows.len());
        let mut rows = self.rows.into_iter().map(|mut row| {
            row.resize(width, Vec::new());
            row
        });
        let header = rows
            .by_ref()
            .take(head_rows)
            .reduce(merged)
            .unwrap_or_else(|| vec![Vec::new(); width]);
        // The header is stressed by what it is.
        let header = header.into_iter().map(unstressed).collect();
        Some(What::Table {
            header,
            rows: rows.collect(),
            caption: (kept < self.count).then(|| {
                let says = format!(
                    "The first {} of {} rows",
                    kept - head_rows,
                    self.count - head_rows
                );
                vec![Inline::Text(says)]
            }),
        })
    }
}

fn unstressed(cell: Vec<Inline>) -> Vec<Inline> {
    match cell.as_slice() {
        [Inline::Strong(inner)] => inner.clone(),
        _ => cell,
    }
}

fn merged(above: Vec<Vec<Inline>>, below: Vec<Vec<Inline>>) -> Vec<Vec<Inline>> {
    above
        .into_iter()
        .zip(below)
        .map(|(mut above, below)| {
            if !above.is_empty() && !below.is_empty() {
                above.push(Inline::Text(" ".to_owned()));
            }
            above.extend(below);
            above
        })
        .collect()
}

/// Pieces as the text of a cell.
pub(crate) fn cell_of(pieces: Vec<Piece>) -> Vec<Inline> {
    cell_text(pieces.into_iter().map(|piece| {
        let is_item = piece.item.is_some_and(|item| !item.continues);
        (piece.what, is_item)
    }))
}

/// What stands in a cell, as running text: a line for each paragraph, item and line of code.
pub(crate) fn cell_text(whats: impl IntoIterator<Item = (What, bool)>) -> Vec<Inline> {
    let mut out: Vec<Inline> = Vec::new();
    for (what, is_item) in whats {
        if !out.is_empty() {
            out.push(Inline::Break);
        }
        if is_item {
            out.push(Inline::Text("• ".to_owned()));
        }
        match what {
            What::Title(text)
            | What::Heading(_, text)
            | What::Paragraph(text)
            | What::Quote(text)
            | What::Caption(text)
            | What::Term(text)
            | What::Meaning(text)
            | What::Figure(_, text) => out.extend(text),
            What::Code { text, .. } => {
                for (at, line) in text.lines().enumerate() {
                    if at > 0 {
                        out.push(Inline::Break);
                    }
                    out.push(Inline::Code(line.to_owned()));
                }
            }
            What::Math(text) => out.push(Inline::Math(text)),
            What::Table { header, rows, .. } => {
                for (at, row) in std::iter::once(header).chain(rows).enumerate() {
                    if at > 0 {
                        out.push(Inline::Break);
                    }
                    for (column, cell) in row.into_iter().enumerate() {
                        if column > 0 {
                            out.push(Inline::Text(" ".to_owned()));
                        }
                        out.extend(cell);
                    }
                }
            }
            What::Notes(_) => {}
        }
    }
    while out.last() == Some(&Inline::Break) {
        out.pop();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word() -> Vec<Inline> {
        vec![Inline::Text("kiln".to_owned())]
    }

    #[test]
    fn a_table_too_large_is_cut_and_says_so() {
        // Long, wide in one row only, wide by merged cells, and long before it is wide.
        for (rows, wide_row, columns) in [
            (TABLE_CELLS_MAX + 5, 1, 1),
            (1_000, 900, 1),
            (20_000, 1, COLUMNS_MAX),
            (5_000, 1, 1),
        ] {
            let mut grid = Grid::default();
            for row in 0..rows {
                let is_last = row + 1 == rows;
                let cells = if is_last { wide_row } else { 1 };
                for _ in 0..cells {
                    grid.cell(word(), columns);
                }
                grid.end_row(false);
            }
            let Some(What::Table {
                rows: kept,
                header,
                caption,
            }) = grid.finish(false)
            else {
                panic!("a table");
            };
            assert!(kept.len() * header.len() <= TABLE_CELLS_MAX);
            let told = caption.map(|caption| plain(&caption));
            let expected =
                (kept.len() < rows).then(|| format!("The first {} of {rows} rows", kept.len()));
            assert_eq!(told, expected);
        }
    }
}
