//! Reads the tables of plain text that are drawn with spaces: a header, and rows whose cells stand under it.

use crate::text::line::Line;
use skillkiln_document::blocks::{Block, BlockKind, Span};
use skillkiln_document::text::{Inline, squash};
use std::ops::Range;

/// Lines of a group that are looked at, and the characters of each: what is larger is not a table of plain text.
const LINES_MAX: usize = 400;
/// See [`LINES_MAX`].
const WIDTH_MAX: usize = 240;

/// The table that the whole of `group` is: its columns are parted by at least two spaces in every line, and its first line
/// names them. Prose that happens to have wide gaps has no such names over three lines, and stays prose.
pub(super) fn table(text: &str, group: &[Line<'_>]) -> Option<Block> {
    if group.len() < 3 || group.len() > LINES_MAX {
        return None;
    }
    let rulers: Vec<bool> = group.iter().map(|line| is_ruler(line.words)).collect();
    let has_ruler = rulers.get(1).copied().unwrap_or(false);
    let lines: Vec<Vec<char>> = group
        .iter()
        .map(|line| {
            let mut characters = Vec::with_capacity(line.indent + line.words.len());
            characters.resize(line.indent.min(WIDTH_MAX), ' ');
            characters.extend(line.words.chars().map(|c| if c == '\t' { ' ' } else { c }));
            characters
        })
        .collect();
    if lines.iter().any(|line| line.len() > WIDTH_MAX)
        || group.iter().any(|line| line.words.contains('\t'))
    {
        return None;
    }
    let columns = columns(&lines, &rulers);
    if columns.len() < 2 {
        return None;
    }
    let mut rows: Vec<Vec<String>> = Vec::new();
    for (line, is_ruler) in lines.iter().zip(&rulers) {
        if *is_ruler {
            continue;
        }
        let cells: Vec<String> = columns
            .iter()
            .map(|column| {
                let end = column.end.min(line.len());
                let cell = line.get(column.start.min(end)..end).unwrap_or_default();
                squash(&cell.iter().collect::<String>())
            })
            .collect();
        // A line without a first cell goes on with the row above.
        let goes_on = rows.len() > 1 && cells.first().is_some_and(String::is_empty);
        match rows.last_mut().filter(|_| goes_on) {
            Some(row) => {
                for (whole, more) in row.iter_mut().zip(cells) {
                    if !whole.is_empty() && !more.is_empty() {
                        whole.push(' ');
                    }
                    whole.push_str(&more);
                }
            }
            None => rows.push(cells),
        }
    }
    let (header, body) = rows.split_first()?;
    let is_named = header.iter().all(|cell| {
        cell.chars().next().is_some_and(char::is_alphabetic)
            && cell.split(' ').count() <= 5
            && !cell.ends_with(['.', ',', ';'])
    });
    let is_capital = header
        .iter()
        .all(|cell| cell.chars().next().is_some_and(char::is_uppercase));
    let full = body
        .iter()
        .filter(|row| row.iter().filter(|cell| !cell.is_empty()).count() >= 2)
        .count();
    let is_table = is_named
        && match has_ruler {
            true => !body.is_empty() && full * 2 >= body.len(),
            false => is_capital && body.len() >= 2 && full == body.len(),
        };
    if !is_table {
        return None;
    }
    let inline = |cell: &String| match cell.is_empty() {
        true => Vec::new(),
        false => vec![Inline::Text(cell.clone())],
    };
    let (first, last) = (group.first()?, group.last()?);
    debug_assert!(last.range.end <= text.len());
    Some(Block {
        kind: BlockKind::Table {
            header: header.iter().map(inline).collect(),
            rows: body
                .iter()
                .map(|row| row.iter().map(inline).collect())
                .collect(),
            caption: None,
        },
        span: Span::of(first.range.start..last.range.end),
    })
}

/// Whether a line only draws: runs of dashes or equals signs under the columns.
fn is_ruler(words: &str) -> bool {
    words.len() >= 3
        && words.chars().all(|c| matches!(c, '-' | '=' | '─' | ' '))
        && words.contains("--") | words.contains("==") | words.contains("──")
}

/// Where the columns lie: parted by two or more places that are blank in every line.
fn columns(lines: &[Vec<char>], rulers: &[bool]) -> Vec<Range<usize>> {
    let width = lines.iter().map(Vec::len).max().unwrap_or(0);
    let mut taken = vec![false; width];
    for (line, is_ruler) in lines.iter().zip(rulers) {
        // A ruler across the whole width parts nothing.
        if *is_ruler && !line.contains(&' ') {
            continue;
        }
        for (place, character) in taken.iter_mut().zip(line) {
            *place |= *character != ' ';
        }
    }
    let mut columns: Vec<Range<usize>> = Vec::new();
    for (at, _) in taken.iter().enumerate().filter(|(_, taken)| **taken) {
        match columns.last_mut() {
            Some(column) if at < column.end + 2 => column.end = at + 1,
            _ => columns.push(at..at + 1),
        }
    }
    columns
}
