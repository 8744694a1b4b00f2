//! Reads the tables of reStructuredText: drawn as a grid, drawn with lines of `=`, as lists, and as separated values.

use super::Reader;
use crate::data::separated;
use crate::markup::lines::{self, Line};
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::text::Inline;
use std::ops::Range;

/// Columns of a table that are read.
const COLUMNS_MAX: usize = 100;

type Cell<'a> = Vec<Line<'a>>;

impl Reader {
    fn cell(&mut self, cell: &[Line<'_>], depth: usize) -> Vec<Inline> {
        let cell = lines::trimmed(cell);
        match cell {
            [] => Vec::new(),
            [line] => self.inline(line.words()),
            several => {
                let indent = lines::common_indent(several);
                let blocks = self.blocks(&lines::dedent(several, indent), depth.max(1) + 1);
                lines::flat(&blocks)
            }
        }
    }

    fn rows(&mut self, rows: Vec<Vec<Cell<'_>>>, depth: usize) -> Vec<Vec<Vec<Inline>>> {
        rows.into_iter()
            .map(|row| row.iter().map(|cell| self.cell(cell, depth)).collect())
            .filter(|row: &Vec<Vec<Inline>>| row.iter().any(|cell| !cell.is_empty()))
            .collect()
    }

    /// `+---+---+` with bars between. A cell that spans columns stands in the first; one that spans rows in the upper.
    pub(super) fn grid_table(
        &mut self,
        lines: &[Line<'_>],
        depth: usize,
        caption: Option<Vec<Inline>>,
        out: &mut Vec<Block>,
    ) -> Option<usize> {
        let length = lines
            .iter()
            .take_while(|line| line.text.starts_with(['+', '|']))
            .count();
        let taken = lines.get(..length)?;
        let rulers = taken.iter().filter(|line| is_ruler(line.words())).count();
        if length < 3 || rulers < 2 {
            return None;
        }
        let mut borders: Vec<usize> = taken
            .iter()
            .filter(|line| is_ruler(line.words()))
            .flat_map(|line| columns_of(line.text, '+'))
            .collect();
        borders.sort_unstable();
        borders.dedup();
        if borders.len() < 2 || borders.len() > COLUMNS_MAX {
            return None;
        }
        let width = borders.len() - 1;
        let mut rows: Vec<Vec<Cell<'_>>> = Vec::new();
        let mut open: Vec<usize> = vec![0; width];
        let mut header_rows = 0;
        for line in taken {
            let places = Places::new(line.text);
            let is_border = line.text.starts_with('+')
                || line.text.contains("+-") && line.text.contains("-+")
                || line.text.contains("+=");
            if is_border {
                if line.text.contains("+=") || line.text.starts_with("+=") {
                    header_rows = rows.len();
                }
                let next = rows.len();
                let mut opened = false;
                for (column, open) in open.iter_mut().enumerate() {
                    let range =
                        places.range(border(&borders, column) + 1, border(&borders, column + 1));
                    let segment = line.text.get(range).unwrap_or("");
                    let is_drawn = !segment.is_empty()
                        && segment.chars().all(|c| matches!(c, '-' | '=' | '+'));
                    if is_drawn {
                        *open = next;
                        opened = true;
                    } else if let Some(cell) =
                        rows.get_mut(*open).and_then(|row| row.get_mut(column))
                    {
                        cell.push(
                            line.part(
                                places.range(
                                    border(&borders, column) + 1,
                                    border(&borders, column + 1),
                                ),
                            ),
                        );
                    }
                }
                if opened {
                    rows.push(vec![Vec::new(); width]);
                }
                continue;
            }
            let mut first = 0;
            for column in 0..width {
                let end = border(&borders, column + 1);
                let at = places.range(end, end + 1);
                let closed = line
                    .text
                    .get(at)
                    .is_none_or(|mark| matches!(mark, "|" | "+" | ""));
                if closed || column + 1 == width {
                    let range = places.range(border(&borders, first) + 1, end);
                    let row = open.get(first).copied().unwrap_or(0);
                    if let Some(cell) = rows.get_mut(row).and_then(|row| row.get_mut(first)) {
                        cell.push(cut_blank(line, range));
                    }
                    first = column + 1;
                }
            }
        }
        let body = rows.split_off(header_rows.min(rows.len()));
        let header = self.header(rows, depth);
        let rows = self.rows(body, depth);
        out.extend(lines::table(header, rows, caption, taken));
        Some(length)
    }

    /// Several rows of headings become one.
    fn header(&mut self, rows: Vec<Vec<Cell<'_>>>, depth: usize) -> Vec<Vec<Inline>> {
        let mut header: Vec<Vec<Inline>> = Vec::new();
        for row in self.rows(rows, depth) {
            if header.is_empty() {
                header = row;
                continue;
            }
            for (above, cell) in header.iter_mut().zip(row) {
                if !above.is_empty() && !cell.is_empty() {
                    above.push(Inline::Text(" ".to_owned()));
                }
                above.extend(cell);
            }
        }
        header
    }

    /// Columns under lines of `=`; a row with an empty first column continues the one above.
    pub(super) fn simple_table(
        &mut self,
        lines: &[Line<'_>],
        depth: usize,
        caption: Option<Vec<Inline>>,
        out: &mut Vec<Block>,
    ) -> Option<usize> {
        let first = lines.first()?;
        let is_border = |line: &Line<'_>| {
            let words = line.words();
            words.starts_with('=') && words.chars().all(|c| matches!(c, '=' | ' '))
        };
        if !is_border(first) {
            return None;
        }
        let columns = runs(first.text);
        if columns.len() < 2 && depth < 2 || columns.len() > COLUMNS_MAX || columns.is_empty() {
            return None;
        }
        // It ends with a border that nothing, or nothing but a blank line, comes after; or with the third border.
        let mut borders = Vec::new();
        let mut length = 0;
        for (at, line) in lines.iter().enumerate() {
            if at > 0 && is_border(line) {
                borders.push(at);
                let ends = lines.get(at + 1).is_none_or(Line::is_blank);
                if ends || borders.len() == 2 {
                    length = at + 1;
                    break;
                }
            } else if line.text.starts_with(' ')
                && line.indent() < columns.first().map_or(0, |c| c.start)
            {
                break;
            }
        }
        if length == 0 {
            return None;
        }
        let taken = lines.get(..length)?;
        let header_end = (borders.len() == 2)
            .then(|| borders.first().copied())
            .flatten();
        let mut rows: Vec<Vec<Cell<'_>>> = Vec::new();
        let mut header = Vec::new();
        let mut blank = false;
        for (at, line) in taken.iter().enumerate().skip(1) {
            if Some(at) == header_end {
                header = std::mem::take(&mut rows);
                continue;
            }
            let words = line.words();
            if words.is_empty() {
                blank = true;
                continue;
            }
            let is_ruled = words.chars().all(|c| matches!(c, '-' | ' '))
                && words.len() > 1
                && words.contains("--");
            if is_border(line) || is_ruled {
                continue;
            }
            let places = Places::new(line.text);
            let cells: Vec<Line<'_>> = columns
                .iter()
                .enumerate()
                .map(|(column, place)| {
                    let end = columns
                        .get(column + 1)
                        .map_or(usize::MAX, |next| next.start);
                    // Words that run over the border belong to the column they begin in.
                    cut_blank(line, places.range(place.start, end))
                })
                .collect();
            let continues = cells.first().is_some_and(Line::is_blank) && !rows.is_empty();
            match rows.last_mut().filter(|_| continues) {
                Some(row) => {
                    for (cell, line) in row.iter_mut().zip(cells) {
                        if blank {
                            cell.push(Line {
                                start: line.start,
                                text: "",
                            });
                        }
                        cell.push(line);
                    }
                }
                None => rows.push(cells.into_iter().map(|cell| vec![cell]).collect()),
            }
            blank = false;
        }
        let header = self.header(header, depth);
        let rows = self.rows(rows, depth);
        out.extend(lines::table(header, rows, caption, taken));
        Some(length)
    }

    /// A list of lists, each of which is a row.
    pub(super) fn list_table(
        &mut self,
        content: &[Line<'_>],
        header_rows: usize,
        caption: Option<Vec<Inline>>,
        depth: usize,
        out: &mut Vec<Block>,
    ) {
        let blocks = self.blocks(content, depth + 1);
        let mut rows: Vec<Vec<Vec<Inline>>> = Vec::new();
        let mut others = Vec::new();
        for block in blocks {
            let BlockKind::List { items, .. } = block.kind else {
                others.push(block);
                continue;
            };
            for item in items {
                let mut row = Vec::new();
                for inner in &item {
                    match &inner.kind {
                        BlockKind::List { items, .. } => {
                            row.extend(items.iter().map(|cell| lines::flat(cell)));
                        }
                        _ => row.push(lines::flat(std::slice::from_ref(inner))),
                    }
                }
                rows.push(row);
            }
        }
        out.extend(others);
        self.with_header(rows, header_rows, caption, content, out);
    }

    /// Separated values inside a directive.
    pub(super) fn csv_table(
        &mut self,
        content: &[Line<'_>],
        named: Option<&str>,
        header_rows: usize,
        caption: Option<Vec<Inline>>,
        separator: char,
        out: &mut Vec<Block>,
    ) {
        let cells = |reader: &Self, text: &str| -> Vec<Vec<Vec<Inline>>> {
            separated::rows(text, separator)
                .map(|row| {
                    row.iter()
                        .take(COLUMNS_MAX)
                        .map(|cell| reader.inline(cell.trim()))
                        .collect()
                })
                .collect()
        };
        let mut rows = cells(self, &lines::joined(content));
        match named
            .map(|named| cells(self, named))
            .and_then(|mut named| named.pop())
        {
            Some(header) => out.extend(lines::table(header, rows, caption, content)),
            None => self.with_header(
                std::mem::take(&mut rows),
                header_rows,
                caption,
                content,
                out,
            ),
        }
    }

    fn with_header(
        &mut self,
        mut rows: Vec<Vec<Vec<Inline>>>,
        header_rows: usize,
        caption: Option<Vec<Inline>>,
        lines: &[Line<'_>],
        out: &mut Vec<Block>,
    ) {
        let body = rows.split_off(header_rows.min(rows.len()));
        let header = rows.into_iter().next().unwrap_or_default();
        out.extend(lines::table(header, body, caption, lines));
    }
}

fn border(borders: &[usize], at: usize) -> usize {
    borders.get(at).copied().unwrap_or(0)
}

fn is_ruler(words: &str) -> bool {
    words.starts_with('+')
        && words.ends_with('+')
        && words.chars().all(|c| matches!(c, '+' | '-' | '='))
}

/// The part of a line, with the indentation it has inside its column.
fn cut_blank<'a>(line: &Line<'a>, range: Range<usize>) -> Line<'a> {
    let text = line.text.get(range.clone()).unwrap_or("");
    Line {
        start: line.start + range.start.min(line.text.len()),
        text: text.trim_end(),
    }
}

/// The columns in which `mark` stands.
fn columns_of(text: &str, mark: char) -> Vec<usize> {
    text.chars()
        .enumerate()
        .filter(|(_, c)| *c == mark)
        .map(|(at, _)| at)
        .collect()
}

/// Stretches of `=`, in columns.
fn runs(text: &str) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (at, mark) in text.chars().enumerate() {
        if mark != '=' {
            continue;
        }
        match runs.last_mut() {
            Some(run) if run.end == at => run.end = at + 1,
            _ => runs.push(at..at + 1),
        }
    }
    runs
}

/// Where the columns of a line lie in its bytes; wide characters take two columns.
struct Places {
    /// The first byte of each column.
    bytes: Vec<usize>,
    length: usize,
}

impl Places {
    fn new(text: &str) -> Self {
        let mut bytes = Vec::with_capacity(text.len());
        for (at, character) in text.char_indices() {
            bytes.push(at);
            if is_wide(character) {
                bytes.push(at);
            }
        }
        Self {
            bytes,
            length: text.len(),
        }
    }

    fn byte(&self, column: usize) -> usize {
        self.bytes.get(column).copied().unwrap_or(self.length)
    }

    fn range(&self, start: usize, end: usize) -> Range<usize> {
        let start = self.byte(start);
        start..self.byte(end).max(start)
    }
}

/// Whether a character takes two columns in a fixed pitch.
fn is_wide(character: char) -> bool {
    matches!(u32::from(character), 0x1100..=0x115f | 0x2e80..=0x303e | 0x3041..=0x33ff | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xfe30..=0xfe4f | 0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x20000..=0x3fffd)
}
