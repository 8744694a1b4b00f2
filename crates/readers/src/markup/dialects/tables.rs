//! Puts the rows of tables right that no reader of Markdown reads as they were meant: rulers of another width, bars within code.

use std::collections::HashSet;

/// More columns than this are no table.
pub(super) const COLUMNS_MAX: usize = 200;

/// Whether a line parts the header of a table from its rows.
pub(super) fn is_ruler(words: &str) -> bool {
    words.contains('|')
        && words.contains('-')
        && words
            .bytes()
            .all(|b| matches!(b, b'|' | b'-' | b':' | b' ' | b'\t'))
}

/// The cells of a row.
pub(super) fn cells(row: &str) -> usize {
    bars(row).len() + 1
}

/// The bars between the cells of a row.
fn bars(row: &str) -> Vec<usize> {
    let lead = row.len() - row.trim_start().trim_start_matches('|').len();
    let inner = row.trim_end();
    let inner = inner.strip_suffix('|').unwrap_or(inner);
    let mut escaped = false;
    let mut bars = Vec::new();
    for (at, byte) in inner.bytes().enumerate().skip(lead) {
        if byte == b'|' && !escaped {
            bars.push(at);
        }
        escaped = byte == b'\\' && !escaped;
    }
    bars
}

/// A row that has more cells than its table has columns, with as many as that: bars within code are the code's, where the row is
/// right then, and what stands behind the last column is part of it. `None` where nothing would be lost.
pub(super) fn narrowed(row: &str, columns: usize) -> Option<String> {
    let bars = bars(row);
    let behind = bars.get(columns.checked_sub(1)?)?;
    let is_empty = |c: char| c == '|' || c.is_whitespace();
    if row.get(*behind..)?.chars().all(is_empty) {
        return None;
    }
    let mut codes = codes(row).into_iter().peekable();
    let mut is_coded = |bar: &usize| {
        while codes.next_if(|(_, end)| end < bar).is_some() {}
        codes.peek().is_some_and(|(start, _)| start < bar)
    };
    let (coded, open): (Vec<usize>, Vec<usize>) = bars.iter().partition(|bar| is_coded(bar));
    let words: HashSet<usize> = match open.len() + 1 < columns {
        true => bars.into_iter().skip(columns - 1).collect(),
        false => coded
            .into_iter()
            .chain(open.into_iter().skip(columns - 1))
            .collect(),
    };
    let mut out = String::with_capacity(row.len() + words.len());
    for (at, sign) in row.char_indices() {
        if words.contains(&at) {
            out.push('\\');
        }
        out.push(sign);
    }
    Some(out)
}

/// Where code begins and ends in a row.
fn codes(row: &str) -> Vec<(usize, usize)> {
    let mut codes = Vec::new();
    let mut open: Option<(usize, usize)> = None;
    let mut at = 0;
    while let Some(found) = row.get(at..).and_then(|rest| rest.find('`')) {
        let start = at + found;
        let run = row.bytes().skip(start).take_while(|b| *b == b'`').count();
        at = start + run;
        match open {
            Some((begin, length)) if length == run => {
                codes.push((begin, start));
                open = None;
            }
            Some(_) => {}
            None => open = Some((start, run)),
        }
    }
    codes
}

#[cfg(test)]
mod tests {
    use super::narrowed;
    use crate::markup::markdown::read;
    use skillkiln_document::markdown::write;

    #[test]
    fn a_bar_in_code_parts_no_cells() {
        let source = "- Item\n\n  | a | b |\n  |---|---|\n  | **x** | Of `{ by: 'p' | 's', to }` or `q`. |\n  | y | z |\n\nWords.\n";
        let document = read(source.to_owned());
        let shown = write(&document.blocks);
        assert!(
            shown.contains("| **x** | Of `{ by: 'p' \\| 's', to }` or `q`. |"),
            "{shown}"
        );
        assert!(shown.contains("| y | z |"), "{shown}");
        let last = document.blocks.last().expect("words");
        assert_eq!(document.evidence(&last.span).trim(), "Words.");
    }

    #[test]
    fn what_follows_a_table_is_no_row_of_it() {
        let table = "| a | b |\n|---|---|\n| 1 | 2 |\n";
        for (below, shown) in [
            ("- use `x | y | z` now\n", "- use `x | y | z` now\n"),
            ("> or `x | y | z` now\n", "> or `x | y | z` now\n"),
            ("1. so `x | y | z` now\n", "1. so `x | y | z` now\n"),
            ("<pre>x | y | z</pre>\n", "x | y | z\n"),
        ] {
            let written = write(&read(format!("{table}{below}")).blocks);
            assert!(written.contains(shown), "{written}");
        }
    }

    #[test]
    fn what_stands_behind_the_last_column_is_kept_in_it() {
        assert_eq!(
            narrowed("| a | b | c |", 2).as_deref(),
            Some("| a | b \\| c |")
        );
        assert_eq!(
            narrowed("a | `b | c` | d", 2).as_deref(),
            Some("a | `b \\| c` \\| d")
        );
        // Without the code, the row would have too few.
        assert_eq!(narrowed("`a | b` | c", 2).as_deref(), Some("`a \\| b` | c"));
        assert_eq!(narrowed("`a | b | c`", 2).as_deref(), Some("`a | b \\| c`"));
        for right in ["| a | b |", "| a | b | |", "| a \\| b | c |"] {
            assert_eq!(narrowed(right, 2), None, "{right}");
        }
    }
}
