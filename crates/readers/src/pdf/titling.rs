//! Prepares the lines of a heading: the marks of notes go, and a large number that stands beside it comes first.

use crate::pdf::line::{Line, Piece};

/// The number of a chapter beside its title is so many times as large.
const NUMBER_TIMES: f32 = 1.5;
/// A number above a shorter word is an exponent.
const MARKED_LETTERS_MIN: usize = 3;

/// The lines of a heading among `all` lines as they are read.
pub(crate) fn prepared(lines: &[Line], all: &[Line]) -> Vec<Line> {
    let mut lines = lines.to_vec();
    lines.iter_mut().for_each(|line| drop_marks(line, all));
    if let Some(last) = lines.last_mut() {
        drop_dash(last);
    }
    put_number_first(&mut lines);
    lines
}

/// Takes the marks of notes off the end of a line.
fn drop_marks(line: &mut Line, all: &[Line]) {
    while let Some((last, before)) = line.pieces.split_last() {
        let said: String = before.iter().map(|piece| piece.text.as_str()).collect();
        if !is_mark(last, line.size, &said) || !is_noted(last.text.trim(), line, all) {
            break;
        }
        line.pieces.pop();
    }
}

/// Whether a note further down the page of `line` begins with `mark`.
fn is_noted(mark: &str, line: &Line, all: &[Line]) -> bool {
    all.iter().any(|note| {
        let text = note.text();
        let rest = text.trim_start().strip_prefix(mark);
        let is_other = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit() || c == '.');
        note.page == line.page && note.y < line.y && rest.is_some_and(|rest| !is_other(rest))
    })
}

/// Whether a piece is the mark of a note behind what a line says before it.
fn is_mark(piece: &Piece, size: f32, said: &str) -> bool {
    let mark = piece.text.trim();
    // A stop may stand between the words and the mark; what a parenthesis ends with may be raised to a power.
    let said = said.trim_end().trim_end_matches([':', '.', '!', '?']);
    let is_sign = !mark.is_empty() && mark.chars().all(|c| matches!(c, '∗' | '†' | '‡'));
    let is_number = (1..=2).contains(&mark.len()) && mark.bytes().all(|b| b.is_ascii_digit());
    let is_small = piece.is_raised || piece.size < 0.85 * size;
    let letters = said.chars().rev().take_while(|c| c.is_alphabetic()).count();
    (is_sign || is_number) && is_small && letters >= MARKED_LETTERS_MIN
}

/// Takes a dash off the end of a heading: it leads to nothing in it.
fn drop_dash(line: &mut Line) {
    if let Some(last) = line.pieces.last_mut() {
        let bare = last.text.trim_end().trim_end_matches(['—', '–']);
        if bare.ends_with(char::is_alphanumeric) {
            last.text.truncate(bare.len());
        }
    }
}

/// Puts a large number that stands beside lines before them.
fn put_number_first(lines: &mut [Line]) {
    let found = lines.iter().enumerate().find_map(|(row, line)| {
        let at = line
            .pieces
            .iter()
            .position(|piece| is_large(piece, line.size))?;
        ((row, at) != (0, 0)).then_some((row, at))
    });
    let Some((row, at)) = found else { return };
    let Some(line) = lines.get_mut(row).filter(|line| line.pieces.len() > 1) else {
        return;
    };
    let mut number = line.pieces.remove(at);
    number.text = format!("{} ", number.text.trim());
    number.is_apart = false;
    if let Some(first) = lines.first_mut() {
        first.pieces.insert(0, number);
    }
}

/// Whether a piece is a number in figures, much larger than the words of its line.
fn is_large(piece: &Piece, size: f32) -> bool {
    let number = piece.text.trim();
    (1..=3).contains(&number.len())
        && number.bytes().all(|b| b.is_ascii_digit())
        && piece.size >= NUMBER_TIMES * size
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdf::testing;

    fn line(pieces: &[(&str, f32, bool)]) -> Line {
        let pieces = pieces.iter().map(|(text, size, is_raised)| Piece {
            size: *size,
            is_raised: *is_raised,
            ..testing::piece(text)
        });
        testing::line(pieces.collect())
    }

    fn read(lines: &[Line]) -> String {
        let texts: Vec<String> = prepared(lines, &[]).iter().map(Line::text).collect();
        texts.join(" ")
    }

    #[test]
    fn the_mark_of_a_note_is_none_of_a_heading() {
        let marked = |words: &str, mark: &str, note: &str| {
            let mut note = line(&[(note, 8.0, false)]);
            note.y = -600.0;
            let head = line(&[(words, 10.0, false), (mark, 7.0, true)]);
            let read = prepared(&[head], &[note]);
            read.iter().map(Line::text).collect::<String>()
        };
        assert_eq!(marked("Kilns:", "1", "1 Old ones."), "Kilns:");
        assert_eq!(marked("About kilns", "†", "†Old ones."), "About kilns");
        assert_eq!(marked("Heat in cm", "2", "2 Old ones."), "Heat in cm2");
        assert_eq!(
            marked("Expanding (old + new)", "2", "2 Old ones."),
            "Expanding (old + new)2"
        );
        assert_eq!(marked("About kilns", "2", "20 old ones."), "About kilns2");
        assert_eq!(
            read(&[line(&[("Search with A∗", 10.0, false)])]),
            "Search with A∗"
        );
    }

    #[test]
    fn a_dash_at_its_end_leads_to_nothing() {
        assert_eq!(read(&[line(&[("Kilns—", 10.0, false)])]), "Kilns");
        assert_eq!(
            read(&[line(&[("Kilns — hot", 10.0, false)])]),
            "Kilns — hot"
        );
    }

    #[test]
    fn the_large_number_of_a_chapter_stands_before_its_title() {
        let lines = [
            line(&[("The Old", 10.0, false)]),
            line(&[("1 ", 30.0, false), ("Kilns", 10.0, false)]),
        ];
        assert_eq!(read(&lines), "1 The Old Kilns");
    }
}
