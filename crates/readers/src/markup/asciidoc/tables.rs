//! Reads the tables of AsciiDoc: cells with their own styles, spans and repetitions, and separated values.

use crate::builder::tidy;
use crate::data::separated;
use crate::markup::asciidoc::Reader;
use crate::markup::asciidoc::metadata::Metadata;
use crate::markup::lines::{self, Line};
use skillkiln_document::blocks::Block;
use skillkiln_document::text::Inline;

/// Columns of a table that are read.
const COLUMNS_MAX: usize = 100;

/// A cell with what stood before its bar.
#[derive(Debug, Default)]
struct Cell<'a> {
    lines: Vec<Line<'a>>,
    style: Option<char>,
    columns: usize,
    rows: usize,
    times: usize,
}

impl Reader {
    pub(super) fn table(
        &mut self,
        words: &str,
        body: &[Line<'_>],
        taken: &[Line<'_>],
        metadata: &Metadata,
        depth: usize,
        out: &mut Vec<Block>,
    ) {
        let format = metadata.named("format").unwrap_or(match words {
            ",===" => "csv",
            ":===" => "dsv",
            _ => "psv",
        });
        let caption = metadata.title.as_deref().map(|title| self.inline(title));
        let (styles, told) = metadata.named("cols").map(columns).unwrap_or_default();
        let first = body.iter().position(|line| !line.is_blank()).unwrap_or(0);
        let mut has_header = metadata.option("header");
        if format != "psv" {
            let separator = metadata
                .named("separator")
                .and_then(|mark| mark.chars().next());
            let separator = separator.unwrap_or(match format {
                "tsv" => '\t',
                "dsv" => ':',
                _ => ',',
            });
            let mut rows: Vec<Vec<Vec<Inline>>> = separated::rows(&lines::joined(body), separator)
                .map(|row| {
                    row.iter()
                        .take(COLUMNS_MAX)
                        .map(|cell| self.inline(cell.trim()))
                        .collect()
                })
                .collect();
            has_header |= body.get(first + 1).is_some_and(Line::is_blank) && first == 0;
            let header = if has_header && !rows.is_empty() {
                rows.remove(0)
            } else {
                Vec::new()
            };
            out.extend(lines::table(header, rows, caption, taken));
            return;
        }
        let separator = metadata
            .named("separator")
            .and_then(|mark| mark.chars().next())
            .unwrap_or(if words.starts_with('!') { '!' } else { '|' });
        let cells = cells_of(body, separator);
        let in_first_line = body.get(first).map_or(0, |line| {
            let start = line.start;
            cells
                .iter()
                .filter(|cell| {
                    cell.lines.first().is_some_and(|one| {
                        one.start >= start && one.start <= start + line.text.len()
                    })
                })
                .map(|cell| cell.columns.max(1) * cell.times.max(1))
                .sum()
        });
        let width = if told > 0 { told } else { in_first_line }.clamp(1, COLUMNS_MAX);
        // A first line with all cells and a blank line after it is the header.
        has_header |= in_first_line == width
            && first == 0
            && body.get(1).is_some_and(Line::is_blank)
            && !metadata.option("noheader");
        let mut rows: Vec<Vec<Vec<Inline>>> = Vec::new();
        let mut row: Vec<Vec<Inline>> = Vec::new();
        let mut covered = vec![0usize; width];
        for cell in cells {
            for _ in 0..cell.times.clamp(1, COLUMNS_MAX) {
                while row.len() < width && covered.get(row.len()).is_some_and(|rows| *rows > 0) {
                    if let Some(rows) = covered.get_mut(row.len()) {
                        *rows -= 1;
                    }
                    row.push(Vec::new());
                }
                let style = cell
                    .style
                    .or_else(|| styles.get(row.len()).copied().flatten());
                let style = if has_header && rows.is_empty() {
                    None
                } else {
                    style
                };
                let text = self.cell(&cell.lines, style, depth);
                for column in 0..cell.columns.clamp(1, width) {
                    if row.len() >= width {
                        break;
                    }
                    if let Some(rows) = covered.get_mut(row.len()) {
                        *rows = cell.rows.saturating_sub(1).min(10_000);
                    }
                    row.push(if column == 0 {
                        text.clone()
                    } else {
                        Vec::new()
                    });
                }
                while row.len() < width
                    && covered.get(row.len()).is_some_and(|rows| *rows > 0)
                    && row.len() + 1 == width
                {
                    if let Some(rows) = covered.get_mut(row.len()) {
                        *rows -= 1;
                    }
                    row.push(Vec::new());
                }
                if row.len() >= width {
                    rows.push(std::mem::take(&mut row));
                }
            }
        }
        if !row.is_empty() {
            rows.push(row);
        }
        let header = if has_header && !rows.is_empty() {
            rows.remove(0)
        } else {
            Vec::new()
        };
        out.extend(lines::table(header, rows, caption, taken));
    }

    fn cell(&mut self, cell: &[Line<'_>], style: Option<char>, depth: usize) -> Vec<Inline> {
        let cell = lines::trimmed(cell);
        match style {
            Some('a') => {
                let mut cell = cell.to_vec();
                if let Some(first) = cell.first_mut() {
                    *first = first.dedent(usize::MAX);
                }
                let blocks = self.blocks(&cell, depth.max(1) + 1);
                lines::flat(&blocks)
            }
            Some('m' | 'l') => {
                let text = lines::joined(cell);
                let text = text.trim().trim_matches('`');
                if text.is_empty() {
                    Vec::new()
                } else {
                    vec![Inline::Code(text.replace('\n', " "))]
                }
            }
            _ => {
                let mut text = Vec::new();
                for part in cell.split(Line::is_blank).filter(|part| !part.is_empty()) {
                    if !text.is_empty() {
                        text.push(Inline::Break);
                    }
                    text.extend(self.inline(&lines::words(part)));
                }
                match style {
                    Some('e') => vec![Inline::Emphasis(tidy(text))],
                    Some('s') => vec![Inline::Strong(tidy(text))],
                    _ => tidy(text),
                }
            }
        }
    }
}

/// The styles of the columns and how many there are: `1,2a`, `3*`, `2*m,1`.
fn columns(told: &str) -> (Vec<Option<char>>, usize) {
    let mut styles = Vec::new();
    let separator = if told.contains(';') { ';' } else { ',' };
    for part in told.split(separator) {
        let part = part.trim();
        let (times, rest) = match part.split_once('*') {
            Some((times, rest)) => (times.trim().parse().unwrap_or(1usize), rest),
            None => (1, part),
        };
        let style = rest.chars().next_back().filter(|c| c.is_ascii_lowercase());
        styles.extend(std::iter::repeat_n(style, times.clamp(1, COLUMNS_MAX)));
        if styles.len() > COLUMNS_MAX {
            break;
        }
    }
    styles.truncate(COLUMNS_MAX);
    let count = styles.len();
    (styles, count)
}

/// Cuts the lines of a table at its bars.
fn cells_of<'a>(body: &[Line<'a>], separator: char) -> Vec<Cell<'a>> {
    let mut cells: Vec<Cell<'a>> = Vec::new();
    for line in body {
        let mut start = 0;
        let mut from = 0;
        let text = line.text;
        while let Some(found) = text.get(from..).and_then(|rest| rest.find(separator)) {
            let at = from + found;
            from = at + separator.len_utf8();
            if text.get(..at).is_some_and(|before| before.ends_with('\\')) {
                continue;
            }
            let before = text.get(start..at).unwrap_or("");
            let cut = before.rfind([' ', '\t']).map_or(0, |blank| blank + 1);
            let spec = before.get(cut..).unwrap_or("");
            let (content, cell) = match specified(spec) {
                Some(cell) if cut > 0 || start == 0 || spec.is_empty() => {
                    (start..start + cut, cell)
                }
                _ => (
                    start..at,
                    Cell {
                        columns: 1,
                        rows: 1,
                        times: 1,
                        ..Cell::default()
                    },
                ),
            };
            if let Some(last) = cells.last_mut()
                && (start > 0 || !content.is_empty())
            {
                last.lines.push(part(line, content));
            }
            cells.push(cell);
            start = from;
        }
        if let Some(last) = cells.last_mut() {
            last.lines.push(part(line, start..text.len()));
        }
    }
    for cell in &mut cells {
        for line in &mut cell.lines {
            // An escaped bar is a bar; the place of the cell stays true, its words are read without the mark.
            if line.text.is_empty() {
                continue;
            }
            *line = Line {
                start: line.start,
                text: line.text.trim_end(),
            };
        }
    }
    cells
}

fn part<'a>(line: &Line<'a>, range: std::ops::Range<usize>) -> Line<'a> {
    Line {
        start: line.start + range.start,
        text: line.text.get(range).unwrap_or(""),
    }
}

/// `2.3+^.>s`: spans, repetition, alignment and style before a bar.
fn specified<'a>(spec: &str) -> Option<Cell<'a>> {
    let mut cell = Cell {
        columns: 1,
        rows: 1,
        times: 1,
        ..Cell::default()
    };
    let end = spec.find(['+', '*']);
    let mut rest = spec;
    if let Some(end) = end {
        let numbers = spec.get(..end)?;
        let (columns, rows) = numbers.split_once('.').unwrap_or((numbers, ""));
        let number = |text: &str| {
            if text.is_empty() {
                Some(1)
            } else {
                text.parse::<usize>().ok().map(|n| n.clamp(1, 10_000))
            }
        };
        if spec.as_bytes().get(end) == Some(&b'*') {
            cell.times = number(columns)?;
        } else {
            cell.columns = number(columns)?;
            cell.rows = number(rows)?;
        }
        rest = spec.get(end + 1..)?;
    }
    let rest = rest.trim_start_matches(['<', '^', '>', '.']);
    let mut letters = rest.chars();
    cell.style = letters.next();
    let known = cell.style.is_none_or(|c| "adehlmsv".contains(c));
    (known && letters.next().is_none()).then_some(cell)
}
