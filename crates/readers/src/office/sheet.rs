//! Makes sections of spreadsheets: a heading for each sheet, and a table for each block of rows with its header.

use crate::builder::Builder;
use crate::limits::TABLE_CELLS_MAX;
use crate::office::assemble::{self, Piece, What};
use skillkiln_document::blocks::{About, Document};
use skillkiln_document::text::Inline;
use std::collections::BTreeSet;

/// A sheet while its cells are read, in the order of rows.
#[derive(Debug)]
pub(crate) struct Sheet {
    name: String,
    is_hidden: bool,
    regions: Vec<Region>,
    row: Vec<(usize, String)>,
    row_at: usize,
    /// Cells that may still be kept in the workbook.
    room: usize,
}

/// Rows of each block that are told of a workbook beyond all bounds.
const OPENING_ROWS: usize = 10;

/// Rows without an empty one between them.
#[derive(Debug, Default)]
struct Region {
    /// Cells by their columns.
    rows: Vec<Vec<(usize, String)>>,
    /// How many rows there are in all.
    count: usize,
    last: usize,
}

impl Sheet {
    /// A cell, rows and columns from 0. Rows must come in order.
    pub(crate) fn cell(&mut self, row: usize, column: usize, says: String) {
        if row != self.row_at {
            self.end_row();
            self.row_at = row;
        }
        if !says.trim().is_empty() {
            self.row.push((column, says));
        }
    }

    /// Counts rows below the last one that are not given.
    pub(crate) fn leave_out(&mut self, rows: usize) {
        self.end_row();
        if let Some(region) = self.regions.last_mut() {
            region.count = region.count.saturating_add(rows);
            region.last = region.last.saturating_add(rows);
        }
    }

    fn end_row(&mut self) {
        let mut row = std::mem::take(&mut self.row);
        if row.is_empty() {
            return;
        }
        row.sort_by_key(|(column, _)| *column);
        let goes_on = self
            .regions
            .last()
            .is_some_and(|region| region.last.checked_add(1) == Some(self.row_at));
        if !goes_on {
            self.regions.push(Region::default());
        }
        if let Some(region) = self.regions.last_mut() {
            region.add(self.row_at, row, &mut self.room);
        }
    }

    fn pieces(self, out: &mut Vec<Piece>) {
        if self.regions.is_empty() {
            return;
        }
        let name = match self.is_hidden {
            true => format!("{} (hidden)", self.name),
            false => self.name,
        };
        out.push(Piece::new(What::Heading(1, vec![Inline::Text(name)])));
        for region in self.regions {
            region.pieces(out);
        }
    }
}

impl Region {
    fn add(&mut self, at: usize, row: Vec<(usize, String)>, room: &mut usize) {
        self.last = at;
        self.count += 1;
        // What follows the first row that is too much is left out too. Titles and a header are always told.
        if self.rows.len() + 1 == self.count
            && (*room >= row.len() || self.rows.len() < OPENING_ROWS)
        {
            *room = room.saturating_sub(row.len());
            self.rows.push(row);
        }
    }

    /// A table; or paragraphs, when it is one column of words. A column without any cell says nothing.
    fn pieces(self, out: &mut Vec<Piece>) {
        let columns = self.rows.iter().flatten().map(|(column, _)| *column);
        let columns: Vec<usize> = columns.collect::<BTreeSet<usize>>().into_iter().collect();
        let width = columns.len();
        let words = |says: &str| vec![Inline::Text(says.to_owned())];
        if width == 1 && self.count <= 3 {
            for (_, says) in self.rows.iter().flatten() {
                out.push(Piece::new(What::Paragraph(words(says))));
            }
            return;
        }
        // A line across the top is a title, not a header.
        let mut rows = self.rows.into_iter().peekable();
        let mut count = self.count;
        while let Some(row) = rows.peek()
            && let [(_, says)] = row.as_slice()
            && width > 1
            && count > 1
        {
            out.push(Piece::new(What::Paragraph(words(says))));
            rows.next();
            count -= 1;
        }
        let spread = |row: Vec<(usize, String)>| {
            let mut cells = vec![Vec::new(); width];
            for (column, says) in row {
                let at = columns.binary_search(&column).ok();
                if let Some(cell) = at.and_then(|at| cells.get_mut(at)) {
                    *cell = vec![Inline::Text(says)];
                }
            }
            cells
        };
        // Names of columns are words, at least in most of them.
        let is_header = rows.peek().is_some_and(|row| {
            let named = row.iter().filter(|(_, says)| is_name(says)).count();
            count > 1 && named * 2 > row.len() && row.len() * 2 > width.min(row.len() + 2)
        });
        let header = match is_header {
            true => {
                count -= 1;
                rows.next().map(spread).unwrap_or_default()
            }
            false => vec![Vec::new(); width],
        };
        let kept = TABLE_CELLS_MAX / width.max(1);
        let rows: Vec<Vec<Vec<Inline>>> = rows.take(kept).map(spread).collect();
        let told = format!("The first {} of {count} rows", rows.len());
        let caption = (count > rows.len()).then(|| vec![Inline::Text(told)]);
        out.push(Piece::new(What::Table {
            header,
            rows,
            caption,
        }));
    }
}

/// A workbook in the making.
#[derive(Debug)]
pub(crate) struct Book {
    title: Option<String>,
    about: About,
    sheets: Vec<Sheet>,
}

impl Book {
    /// A workbook that says this of itself.
    pub(crate) fn new(title: Option<String>, about: About) -> Self {
        Self {
            title,
            about,
            sheets: Vec::new(),
        }
    }

    /// A sheet of this name, to be filled and added.
    pub(crate) fn sheet(&self, name: &str, is_hidden: bool) -> Sheet {
        Sheet {
            name: name.to_owned(),
            is_hidden,
            regions: Vec::new(),
            row: Vec::new(),
            row_at: 0,
            room: self.sheets.last().map_or(TABLE_CELLS_MAX, |last| last.room),
        }
    }

    /// Adds a sheet.
    pub(crate) fn add(&mut self, mut sheet: Sheet) {
        sheet.end_row();
        self.sheets.push(sheet);
    }

    /// The document: what is hidden comes last.
    pub(crate) fn finish(self) -> Document {
        let mut pieces = Vec::new();
        let (hidden, shown): (Vec<Sheet>, Vec<Sheet>) =
            self.sheets.into_iter().partition(|sheet| sheet.is_hidden);
        let sheets = shown.into_iter().chain(hidden);
        for sheet in sheets {
            sheet.pieces(&mut pieces);
        }
        let mut builder = Builder::default();
        let blocks = assemble::blocks(&mut builder, pieces);
        builder.finish(self.title, self.about, blocks)
    }
}

/// Whether a cell holds words, not a number or a date with its signs and unit.
fn is_name(says: &str) -> bool {
    let begins = says.trim_start_matches(|c: char| !c.is_alphanumeric());
    let count = |is: fn(char) -> bool| says.chars().filter(|c| is(*c)).count();
    !begins.starts_with(|c: char| c.is_ascii_digit())
        || count(|c| c.is_ascii_digit()) <= count(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::blocks::BlockKind;
    use skillkiln_document::text::plain;

    #[test]
    fn a_long_sheet_is_kept_whole_and_one_beyond_all_bounds_says_how_many_rows_it_has() {
        let mut book = Book::new(None, About::default());
        for (name, count) in [("Data", 1_500), ("Log", TABLE_CELLS_MAX / 2), ("Late", 40)] {
            let mut sheet = book.sheet(name, false);
            for (at, name) in ["Day", "Price"].iter().enumerate() {
                sheet.cell(0, at * 9, (*name).into());
            }
            for row in 1..=count {
                sheet.cell(row, 0, "2024-01-01".into());
                sheet.cell(row, 9, "1,000.50 €".into());
            }
            book.add(sheet);
        }
        let mut captions = Vec::new();
        for block in book.finish().blocks {
            if let BlockKind::Table {
                rows,
                caption,
                header,
            } = block.kind
            {
                assert_eq!((header.len(), plain(&header[0]).as_str()), (2, "Day"));
                captions.push((rows.len(), caption.map(|caption| plain(&caption))));
            }
        }
        assert_eq!(
            captions,
            [
                (1_500, None),
                (98_498, Some("The first 98498 of 100000 rows".to_owned())),
                (9, Some("The first 9 of 40 rows".to_owned())),
            ]
        );
    }
}
