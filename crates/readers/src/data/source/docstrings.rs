//! Finds the strings that open Python's modules, classes and functions.

use super::comments::Comment;
use super::extent::Extents;
use super::symbols::{self, Symbol};
use crate::markup::lines::Line;

/// The strings that open a Python file, its classes and its functions.
pub(crate) fn docstrings(extents: &Extents<'_, '_>) -> Vec<Comment> {
    let lines = extents.lines;
    let mut out = Vec::new();
    let mut at = 0;
    let mut from = None;
    let mut opens_file = true;
    while let Some(line) = lines.get(at) {
        let words = line.words();
        if words.is_empty() || words.starts_with('#') {
            at += 1;
            continue;
        }
        if opens_file {
            opens_file = false;
            if let Some((end, words)) = string(lines, at) {
                out.push(Comment {
                    lines: at..end,
                    words,
                    symbol: None,
                    above: true,
                    from: at,
                    is_plain: false,
                });
                at = end;
                continue;
            }
        }
        if words.starts_with('@') {
            from.get_or_insert(at);
            at += 1;
            continue;
        }
        let Some(name) = symbols::of_line(line.text, "python") else {
            // A decorator's arguments may go on over lines.
            if !line.text.starts_with([' ', '\t', ')']) {
                from = None;
            }
            at += 1;
            continue;
        };
        let start = from.take().unwrap_or(at);
        let defined = at;
        let ends = lines
            .iter()
            .enumerate()
            .skip(at)
            .take(60)
            .find(|(_, line)| {
                line.text
                    .split(" #")
                    .next()
                    .unwrap_or("")
                    .trim_end()
                    .ends_with(':')
            })
            .map(|(number, _)| number + 1);
        let below = ends.and_then(|ends| {
            (ends..lines.len().min(ends + 3))
                .find(|next| lines.get(*next).is_some_and(|line| !line.is_blank()))
        });
        if let Some(below) = below
            && let Some((end, words)) = string(lines, below)
        {
            let symbol = Symbol {
                name,
                line: at,
                inner: line.indent() > 0,
            };
            out.push(Comment {
                lines: below..end,
                words,
                symbol: Some(symbol),
                above: false,
                from: start,
                is_plain: false,
            });
            at = end;
        } else {
            at += 1;
        }
        // What a function defines for itself is nothing that is called from outside.
        if !symbols::is_container(line.text)
            && let Some(end) = extents.end(defined)
        {
            at = end.max(at);
        }
    }
    out
}

/// A string in three quotes that begins on line `at`, or in one pair on one line.
fn string(lines: &[Line<'_>], at: usize) -> Option<(usize, Vec<(usize, String)>)> {
    let first = lines.get(at)?;
    let text = first.text.trim_start();
    let prefix = text
        .bytes()
        .take(2)
        .take_while(|b| b"rRuUbB".contains(b))
        .count();
    let text = text.get(prefix..)?;
    let quote = ["\"\"\"", "'''"]
        .into_iter()
        .find(|quote| text.starts_with(quote));
    let Some(quote) = quote else {
        let mark = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let inner = text.get(1..)?.trim_end().strip_suffix(mark)?;
        let is_whole = !inner.is_empty() && !inner.contains(mark);
        let start = first.start + first.text.len() - text.len() + 1;
        return is_whole.then(|| (at + 1, vec![(start, inner.to_owned())]));
    };
    let mut raw: Vec<(usize, &str)> = Vec::new();
    for (number, line) in lines.iter().enumerate().skip(at) {
        let skipped = if number == at {
            line.text.len() - text.len() + 3
        } else {
            0
        };
        let rest = line.text.get(skipped..).unwrap_or("");
        let (shown, ends) = match rest.find(quote) {
            Some(end) => (rest.get(..end).unwrap_or(""), true),
            None => (rest, false),
        };
        raw.push((line.start + skipped, shown));
        if ends {
            // What all lines but the first share is the indentation of the code around.
            let indent = raw
                .iter()
                .skip(1)
                .filter(|(_, line)| !line.trim().is_empty())
                .map(|(_, line)| line.len() - line.trim_start().len())
                .min()
                .unwrap_or(0);
            let words = raw
                .into_iter()
                .enumerate()
                .map(|(row, (start, line))| {
                    let cut = if row == 0 {
                        line.len() - line.trim_start().len()
                    } else {
                        indent.min(line.len() - line.trim_start().len())
                    };
                    (
                        start + cut,
                        line.get(cut..).unwrap_or("").trim_end().to_owned(),
                    )
                })
                .collect();
            return Some((number + 1, words));
        }
    }
    None
}
