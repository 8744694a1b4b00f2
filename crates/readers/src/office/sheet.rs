//! Makes sections of spreadsheets: a heading for each sheet, a table for each block of rows with its header, and of a long
//! table a sample with the count of its rows.

use crate::builder::Builder;
use crate::data::sample::{COLUMNS_MAX, ROWS_MAX};
use crate::office::assemble::{self, Piece, What};
use chrono::{Duration, NaiveDate, NaiveDateTime};
use skillkiln_document::blocks::{About, Document};
use skillkiln_document::text::Inline;

/// A sheet while its cells are read, in the order of rows.
#[derive(Debug)]
pub(crate) struct Sheet {
    name: String,
    is_hidden: bool,
    regions: Vec<Region>,
    row: Vec<(usize, String)>,
    row_at: usize,
}

/// Rows without an empty one between them.
#[derive(Debug, Default)]
struct Region {
    /// Cells by their columns.
    rows: Vec<Vec<(usize, String)>>,
    /// How many rows there are in all.
    count: usize,
    last: usize,
}

/// What a column's values are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    Date,
    Text,
}

impl Sheet {
    /// A sheet of this name.
    pub(crate) fn new(name: &str, is_hidden: bool) -> Self {
        Self {
            name: name.to_owned(),
            is_hidden,
            regions: Vec::new(),
            row: Vec::new(),
            row_at: 0,
        }
    }

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

    fn end_row(&mut self) {
        let mut row = std::mem::take(&mut self.row);
        if row.is_empty() {
            return;
        }
        row.sort_by_key(|(column, _)| *column);
        let goes_on = self
            .regions
            .last()
            .is_some_and(|region| region.last + 1 == self.row_at);
        if !goes_on {
            self.regions.push(Region::default());
        }
        if let Some(region) = self.regions.last_mut() {
            region.add(self.row_at, row);
        }
    }

    fn pieces(mut self, with_name: bool, out: &mut Vec<Piece>) {
        self.end_row();
        if self.regions.is_empty() {
            return;
        }
        if with_name {
            let name = match self.is_hidden {
                true => format!("{} (hidden)", self.name),
                false => self.name,
            };
            out.push(Piece::new(What::Heading(1, vec![Inline::Text(name)])));
        }
        for region in self.regions {
            region.pieces(out);
        }
    }
}

impl Region {
    fn add(&mut self, at: usize, row: Vec<(usize, String)>) {
        self.last = at;
        self.count += 1;
        // Titles and a header may stand above the rows.
        if self.rows.len() < ROWS_MAX + 10 {
            self.rows.push(row);
        }
    }

    /// A table; or paragraphs, when it is one column of words.
    fn pieces(self, out: &mut Vec<Piece>) {
        let first = self
            .rows
            .iter()
            .flatten()
            .map(|(column, _)| *column)
            .min()
            .unwrap_or(0);
        let last = self
            .rows
            .iter()
            .flatten()
            .map(|(column, _)| *column)
            .max()
            .unwrap_or(0);
        let words = |says: &str| vec![Inline::Text(says.to_owned())];
        if first == last && self.count <= 3 {
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
            && first != last
            && count > 1
        {
            out.push(Piece::new(What::Paragraph(words(says))));
            rows.next();
            count -= 1;
        }
        let width = (last - first + 1).min(COLUMNS_MAX);
        let spread = |row: Vec<(usize, String)>| {
            let mut cells = vec![Vec::new(); width];
            for (column, says) in row {
                if let Some(cell) = cells.get_mut(column - first) {
                    *cell = vec![Inline::Text(says)];
                }
            }
            cells
        };
        // Names of columns are words, at least in most of them.
        let is_header = rows.peek().is_some_and(|row| {
            let named = row
                .iter()
                .filter(|(_, says)| kind_of(says) == Kind::Text)
                .count();
            count > 1 && named * 2 > row.len() && row.len() * 2 > width.min(row.len() + 2)
        });
        let header = match is_header {
            true => {
                count -= 1;
                rows.next().map(spread).unwrap_or_default()
            }
            false => vec![Vec::new(); width],
        };
        let rows: Vec<Vec<Vec<Inline>>> = rows.take(ROWS_MAX).map(spread).collect();
        let mut says = Vec::new();
        if count > rows.len() {
            says.push(format!("The first {} of {count} rows", rows.len()));
        }
        if last - first + 1 > width {
            says.push(format!("the first {width} of {} columns", last - first + 1));
        }
        out.push(Piece::new(What::Table {
            header,
            rows,
            caption: (!says.is_empty()).then(|| vec![Inline::Text(says.join("; "))]),
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

    /// Adds a sheet.
    pub(crate) fn add(&mut self, sheet: Sheet) {
        self.sheets.push(sheet);
    }

    /// The document: what is hidden comes last.
    pub(crate) fn finish(self) -> Document {
        let mut pieces = Vec::new();
        let (hidden, shown): (Vec<Sheet>, Vec<Sheet>) =
            self.sheets.into_iter().partition(|sheet| sheet.is_hidden);
        let sheets = shown.into_iter().chain(hidden);
        for sheet in sheets {
            sheet.pieces(true, &mut pieces);
        }
        let mut builder = Builder::default();
        let blocks = assemble::blocks(&mut builder, pieces);
        builder.finish(self.title, self.about, blocks)
    }
}

fn kind_of(says: &str) -> Kind {
    let digits = says.trim_end_matches('%');
    if digits.parse::<f64>().is_ok() {
        return Kind::Number;
    }
    let bytes = says.as_bytes();
    let is_date = bytes.len() >= 10
        && bytes.get(4) == Some(&b'-')
        && bytes.get(7) == Some(&b'-')
        && bytes.iter().take(4).all(u8::is_ascii_digit);
    if is_date { Kind::Date } else { Kind::Text }
}

/// A number as it reads: without the noise of its last binary digits.
pub(crate) fn number(value: f64) -> String {
    if !value.is_finite() {
        return String::new();
    }
    let rounded = format!("{value:.14e}").parse::<f64>().unwrap_or(value);
    if rounded.abs() >= 1e15 || rounded != 0.0 && rounded.abs() < 1e-5 {
        return format!("{rounded:e}");
    }
    format!("{rounded}")
}

/// A number as its format shows it: as a date, a time, a share, else plainly.
pub(crate) fn with_format(value: f64, format: &str, from_1904: bool) -> String {
    let code = bare(format);
    if code.contains('%') {
        let places = code
            .split('.')
            .nth(1)
            .map_or(0, |places| places.chars().filter(|c| *c == '0').count());
        return format!("{:.*}%", places.min(10), value * 100.0);
    }
    let has_date = code.contains(['y', 'd']) || code.contains("mmm");
    let has_time = code.contains(['h', 's']);
    if !has_date && !has_time {
        return number(value);
    }
    date(value, has_date, has_time, from_1904).unwrap_or_else(|| number(value))
}

/// A format code without quoted words, colours and the sections for other signs.
fn bare(format: &str) -> String {
    let mut out = String::new();
    let mut characters = format.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => {
                characters.by_ref().find(|c| *c == '"');
            }
            '[' => {
                let inner: String = characters.by_ref().take_while(|c| *c != ']').collect();
                // `[h]` counts hours; `[Red]` and `[$-409]` say nothing here.
                if inner.len() <= 2 {
                    out.push_str(&inner.to_lowercase());
                }
            }
            '\\' | '_' | '*' => {
                characters.next();
            }
            ';' => break,
            other => out.extend(other.to_lowercase()),
        }
    }
    if out == "general" { String::new() } else { out }
}

/// The moment that a serial number of days stands for.
fn date(value: f64, has_date: bool, has_time: bool, from_1904: bool) -> Option<String> {
    if !(0.0..3_000_000.0).contains(&value) {
        return None;
    }
    // The first program counted a 29 February 1900 that never was.
    let start = match from_1904 {
        true => NaiveDate::from_ymd_opt(1904, 1, 1)?,
        false if value < 60.0 => NaiveDate::from_ymd_opt(1899, 12, 31)?,
        false => NaiveDate::from_ymd_opt(1899, 12, 30)?,
    };
    let seconds = (value * 86_400.0).round();
    if !has_date {
        let seconds = seconds as i64;
        return Some(format!(
            "{:02}:{:02}:{:02}",
            seconds / 3600,
            seconds / 60 % 60,
            seconds % 60
        ));
    }
    let moment: NaiveDateTime = start
        .and_hms_opt(0, 0, 0)?
        .checked_add_signed(Duration::try_seconds(seconds as i64)?)?;
    let shape = match has_time {
        true => "%Y-%m-%d %H:%M:%S",
        false => "%Y-%m-%d",
    };
    Some(moment.format(shape).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::text::plain;

    #[test]
    fn numbers_are_shown_as_their_format_says() {
        for (value, format, shown) in [
            (45_000.0, "yyyy\\-mm\\-dd", "2023-03-15"),
            (45_000.5, "dd/mm/yyyy hh:mm", "2023-03-15 12:00:00"),
            (0.25, "h:mm", "06:00:00"),
            (0.125, "0.0%", "12.5%"),
            (1234.5, "#,##0.00 \"days\"", "1234.5"),
            (0.1 + 0.2, "General", "0.3"),
            (1.0, "[Red]0", "1"),
            (1.0, "yyyy", "1900-01-01"),
            (1e20, "0", "1e20"),
        ] {
            assert_eq!(with_format(value, format, false), shown, "{format}");
        }
        assert_eq!(with_format(0.0, "d.m.yy", true), "1904-01-01");
    }

    #[test]
    fn a_long_table_is_a_sample_with_its_count() {
        let mut sheet = Sheet::new("Data", false);
        sheet.cell(0, 2, "A title".into());
        for (at, name) in ["Day", "Price", "Note"].iter().enumerate() {
            sheet.cell(1, at, (*name).into());
        }
        for row in 2..1502 {
            sheet.cell(row, 0, "2024-01-01".into());
            sheet.cell(row, 1, "1.5".into());
            sheet.cell(row, 2, "x".into());
        }
        let mut pieces = Vec::new();
        sheet.pieces(true, &mut pieces);
        let What::Table {
            rows,
            caption,
            header,
        } = &pieces[2].what
        else {
            panic!("no table: {pieces:?}");
        };
        assert_eq!((header.len(), rows.len()), (3, ROWS_MAX));
        assert_eq!(
            caption.as_ref().map(|caption| plain(caption)).as_deref(),
            Some("The first 1000 of 1500 rows")
        );
    }
}
