//! Takes printed tables of contents without dots out of a page: entries below their title, each with the number of its page.

use crate::pdf::folios::{is_page_number, value};
use crate::pdf::line::Line;
use crate::words::{WordList, phrases};

/// So many entries are a table of contents at least.
const ENTRIES_MIN: usize = 3;
/// An entry may be so many lines long.
const ENTRY_LINES_MAX: usize = 2;

/// How the list of what a book holds is called over it.
pub(crate) fn is_title(words: &str) -> bool {
    static TITLES: WordList = phrases!(
        "contents | table of contents | inhaltsverzeichnis | table des matières | índice | índice general | índex | sommaire | sumário | \
         inhoudsopgave | spis treści | daftar isi | содержание | оглавление | 目次 | 目录"
    );
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
