//! Reads the tables of plain text that are drawn with spaces: a header, and rows whose cells stand under it.

use super::{Line, shapes};
use skillkiln_document::blocks::{Block, BlockKind, Span};
use skillkiln_document::text::{Inline, squash};
use std::ops::Range;

/// Lines of a group that are looked at, and the characters of each: what is larger is not a table of plain text.
const LINES_MAX: usize = 400;
/// So many rows that empty lines part are a table, and set in so far.
const ROWS_MIN: usize = 3;
const SPACED_INDENT: usize = 5;
/// The rule below a heading is longer than it by no more.
const RULE_BESIDE_MAX: usize = 2;
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

/// The table that `lines` begin with, up to an empty one, where its first line has columns set apart and the rule below it is longer
/// than the words, as that of a table is and that of a heading is not; with how many lines it takes.
pub(super) fn ruled(text: &str, lines: &[Line<'_>]) -> Option<(usize, Block)> {
    let (head, rule) = (lines.first()?, lines.get(1)?);
    let is_wide = head.words.contains("  ")
        && is_ruler(rule.words)
        && rule.words.chars().count() > head.words.chars().count() + RULE_BESIDE_MAX;
    if !is_wide {
        return None;
    }
    let group = lines
        .iter()
        .take(LINES_MAX)
        .take_while(|line| !line.words.is_empty());
    let group = lines.get(..group.count())?;
    Some((group.len(), table(text, group)?))
}

/// How many lines from the start are the rows of a table that makeinfo writes without a head: set in as far as each other, an empty
/// line behind each, and their second cells in one column.
pub(super) fn spaced_length(lines: &[Line<'_>]) -> usize {
    let Some(first) = lines.first() else {
        return 0;
    };
    let place = |line: &Line<'_>| {
        let (term, rest) = shapes::columns(line.words)?;
        // A row has two cells, and neither of them is an option with what it means.
        let is_row = shapes::columns(rest).is_none() && !term.starts_with('-');
        let before = line.words.strip_suffix(rest)?;
        is_row.then(|| line.indent + before.chars().count())
    };
    let Some(column) = place(first).filter(|_| first.indent >= SPACED_INDENT) else {
        return 0;
    };
    let (mut rows, mut length) = (0, 0);
    for row in lines.chunks(2).take(LINES_MAX) {
        let is_row = row
            .first()
            .is_some_and(|line| line.indent == first.indent && place(line) == Some(column));
        if !is_row {
            break;
        }
        rows += 1;
        length += row.len();
        if row.get(1).is_none_or(|line| !line.words.is_empty()) {
            length -= row.len() - 1;
            break;
        }
    }
    if rows >= ROWS_MIN { length } else { 0 }
}

/// The table that such rows are: the first of them names the columns, as writers of Texinfo have it.
pub(super) fn spaced(lines: &[Line<'_>]) -> Option<(usize, Block)> {
    let length = spaced_length(lines);
    let rows = lines.get(..length)?;
    let (first, last) = (rows.first()?, rows.last()?);
    let mut cells = rows.iter().filter_map(|line| {
        let (term, rest) = shapes::columns(line.words)?;
        Some(vec![
            vec![Inline::Text(squash(term))],
            vec![Inline::Text(squash(rest))],
        ])
    });
    let kind = BlockKind::Table {
        header: cells.next()?,
        rows: cells.collect(),
        caption: None,
    };
    let span = Span::of(first.range.start..last.range.end.max(first.range.end));
    Some((length, Block { kind, span }))
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
