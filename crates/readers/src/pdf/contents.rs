//! Takes printed tables of contents without dots out of a page: entries below their title, each with the number of its page.

use crate::pdf::folios::{is_page_number, value};
use crate::pdf::line::Line;
use crate::pdf::outline;

/// So many entries are a table of contents at least.
const ENTRIES_MIN: usize = 3;
/// An entry may be so many lines long.
const ENTRY_LINES_MAX: usize = 2;
/// The words of a figure or a table, in the list of them, may take so many lines before the one with the dots.
const WRAPPED_LINES_MAX: usize = 8;
/// They are set in below its number by so much at least.
const WRAPPED_IN: f32 = 3.0;
/// They are as large but for so many points, and stand no further apart, in sizes of their letters.
const WRAPPED_SIZE: f32 = 0.6;
const WRAPPED_STEP: f32 = 1.7;

/// How the list of what a book holds is called over it.
pub(crate) fn is_title(words: &str) -> bool {
    const TITLES: [&str; 16] = [
        "contents",
        "table of contents",
        "inhaltsverzeichnis",
        "table des matières",
        "índice",
        "índice general",
        "índex",
        "sommaire",
        "sumário",
        "inhoudsopgave",
        "spis treści",
        "daftar isi",
        "содержание",
        "оглавление",
        "目次",
        "目录",
    ];
    TITLES.contains(&words.to_lowercase().as_str())
}

/// Takes out the title and the entries below it, whose pages go up.
pub(crate) fn remove_headed(lines: &mut Vec<Line>) {
    let Some(head) = lines.iter().position(|line| is_title(line.text().trim())) else {
        return;
    };
    let (mut end, mut entries, mut loose, mut last) = (head + 1, 0, 0, 0);
    for (at, line) in lines.iter().enumerate().skip(head + 1) {
        match page_of(line) {
            Some(page) if page >= last => {
                (end, loose, last) = (at + 1, 0, page);
                entries += 1;
            }
            // What goes on in the next line has its page there.
            None if loose + 1 < ENTRY_LINES_MAX => loose += 1,
            _ => break,
        }
    }
    if entries >= ENTRIES_MIN {
        lines.drain(head..end);
    }
}

/// Marks the lines of entries that take several: from the number that each begins with to its dots, set in below the number. Lists of
/// figures hold whole captions.
pub(crate) fn mark_wrapped(lines: &[Line], leads: &[bool], gone: &mut [bool]) {
    for end in (0..lines.len()).filter(|at| leads.get(*at) == Some(&true)) {
        let above = lines
            .get(..end)
            .unwrap_or_default()
            .iter()
            .enumerate()
            .rev();
        let mut inner = lines.get(end);
        for (at, line) in above.take(WRAPPED_LINES_MAX) {
            let is_in = inner.is_some_and(|inner| inner.left > line.left + WRAPPED_IN);
            // What is larger, or further above, heads what stands below it.
            let is_right_below = inner.is_some_and(|inner| {
                (line.size - inner.size).abs() < WRAPPED_SIZE
                    && line.y - inner.y < WRAPPED_STEP * line.size
            });
            let text = line.text();
            let first = text.split_whitespace().next().unwrap_or("");
            if leads.get(at) == Some(&true) {
                break;
            }
            let is_number =
                first.contains(|c: char| c.is_ascii_digit()) && outline::is_number(first);
            if is_number && is_in && is_right_below {
                for gone in gone.get_mut(at..end).unwrap_or_default() {
                    *gone = true;
                }
                break;
            }
            let is_level = inner.is_some_and(|inner| (inner.left - line.left).abs() < WRAPPED_IN);
            if !is_level || !is_right_below {
                break;
            }
            inner = Some(line);
        }
    }
}

/// The page that a line leads to: a number apart from its words.
pub(crate) fn page_of(line: &Line) -> Option<u16> {
    let last = line.pieces.last().filter(|last| last.is_apart)?;
    let number = last.text.trim();
    let names = line.text().contains(char::is_alphabetic);
    if !names || !is_page_number(number) {
        return None;
    }
    value(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdf::line::Piece;
    use crate::pdf::testing;

    fn line(words: &[&str]) -> Line {
        let pieces = words
            .iter()
            .zip([false, true])
            .map(|(text, is_apart)| Piece {
                is_apart,
                ..testing::piece(text)
            });
        testing::line(pieces.collect())
    }

    #[test]
    fn entries_below_the_title_of_the_contents_go_with_it() {
        let entries = [&["1 Kilns", "3"][..], &["2 Fire", "5"], &["Index", "15"]];
        let left = |title: &str, entries: &[&[&str]]| {
            let title = [title];
            let words = [&["Kilns and fire"][..], &title]
                .into_iter()
                .chain(entries.iter().copied())
                .chain([&["It burns."][..], &["All day."]]);
            let mut lines: Vec<Line> = words.map(line).collect();
            remove_headed(&mut lines);
            lines.len()
        };
        assert_eq!(left("CONTENTS", &entries), 3);
        assert_eq!(left("Heat", &entries), 7);
        assert_eq!(left("Inhalt", &entries), 7);
        assert_eq!(left("Contents", &[&["Oak", "9"], &["Ash", "2"]]), 6);
    }
}
