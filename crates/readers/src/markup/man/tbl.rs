//! Reads the tables of manual pages: the rows between `.TS` and `.TE`.

use super::escapes::{Font, Strings, Writer, arguments};
use crate::builder::tidy;
use crate::markup::lines::{self, Line};
use skillkiln_document::blocks::Block;
use skillkiln_document::text::Inline;

/// Columns of a table that are read.
const COLUMNS_MAX: usize = 100;

/// A table from the lines between `.TS` and `.TE`.
pub(super) fn read(body: &[Line<'_>], strings: &Strings) -> Option<Block> {
    let mut separator = '\t';
    let mut at = 0;
    if let Some(first) = body.first().map(Line::words)
        && let Some(options) = first.strip_suffix(';')
    {
        at = 1;
        if let Some((_, after)) = options.split_once("tab")
            && let Some(mark) = after
                .trim_start()
                .strip_prefix('(')
                .and_then(|rest| rest.chars().next())
        {
            separator = mark;
        }
    }
    // The format ends with a full stop; the header is what it sets in bold.
    let mut bold = false;
    let mut formats = 0;
    while let Some(line) = body.get(at) {
        let words = line.words();
        at += 1;
        if formats == 0 {
            bold = words.to_ascii_lowercase().contains('b');
        }
        formats += 1;
        if words.ends_with('.') {
            break;
        }
        if formats > 50 {
            return None;
        }
    }
    let mut rows: Vec<Vec<Vec<Inline>>> = Vec::new();
    let mut ruled_after_first = false;
    let mut rest = body.get(at..).unwrap_or_default().iter();
    while let Some(line) = rest.next() {
        let words = line.words();
        if words == ".TH" {
            ruled_after_first = true;
            continue;
        }
        if matches!(words, "_" | "=") {
            ruled_after_first |= rows.len() == 1;
            continue;
        }
        if words.starts_with(".\\\"")
            || words.is_empty()
            || words.starts_with('.') && !words.contains(separator)
        {
            continue;
        }
        let mut row = Vec::new();
        let mut cells: Vec<&str> = line.text.split(separator).collect();
        // A cell of several lines stands between `T{` and `T}`.
        while let Some(last) = cells.pop() {
            for cell in cells.drain(..) {
                row.push(cell_of(&[cell], strings));
            }
            if last.trim() != "T{" {
                row.push(cell_of(&[last], strings));
                break;
            }
            let mut stretch = Vec::new();
            for line in rest.by_ref() {
                if let Some(after) = line.text.strip_prefix("T}") {
                    cells = after.split(separator).skip(1).collect();
                    break;
                }
                stretch.push(line.text);
            }
            row.push(cell_of(&stretch, strings));
        }
        row.truncate(COLUMNS_MAX);
        rows.push(row);
    }
    let has_header = (bold || ruled_after_first) && rows.len() > 1;
    let header = if has_header {
        rows.remove(0)
    } else {
        Vec::new()
    };
    lines::table(header, rows, None, body)
}

fn cell_of(stretch: &[&str], strings: &Strings) -> Vec<Inline> {
    let mut writer = Writer::new(Font::Plain);
    for line in stretch {
        if let Some((name, rest)) = line
            .strip_prefix('.')
            .map(|rest| rest.split_once(' ').unwrap_or((rest, "")))
        {
            // A font a word by turns; a macro of one font keeps the blanks between its words.
            let turns: Vec<char> = name.chars().collect();
            for (at, word) in arguments(rest).iter().enumerate() {
                if at > 0 && turns.len() == 1 {
                    writer.plainly(" ");
                }
                let turn = at.checked_rem(turns.len()).and_then(|turn| turns.get(turn));
                writer.font(match turn {
                    Some('B') => Font::Bold,
                    Some('I') => Font::Italic,
                    _ => Font::Plain,
                });
                writer.write(word, strings);
            }
            writer.font(Font::Plain);
        } else {
            writer.write(line, strings);
        }
        writer.plainly(" ");
    }
    let text = tidy(writer.finish());
    match text.as_slice() {
        // Vertical spans and rules hold no words.
        [Inline::Text(text)] if matches!(text.as_str(), "^" | "\\^" | "_" | "=") => Vec::new(),
        _ => text,
    }
}
