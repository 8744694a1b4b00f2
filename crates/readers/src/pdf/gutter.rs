//! Takes the numbers of lines out of the gutter of listings, so that what they stand beside is read as the code that it is.
//!
//! They are set smaller and in another face: a short line would be no line of a typewriter any more, and two columns of them a table.

use crate::pdf::line::Line;
use std::collections::HashSet;

/// So many lines are numbered one by one at least; fewer where others are that are set alike, and these begin with the first line.
const LINES_MIN: usize = 3;
/// The first of them, where it shows no code, stands so near above the second.
const NEAR: usize = 3;
/// Between two of them stand no more others.
const BETWEEN_MAX: usize = 80;
/// A number in the gutter is set smaller than the code by this.
const SMALLER_THAN: f32 = 0.9;

/// A line that begins with a number.
struct Numbered {
    at: usize,
    number: u32,
    /// What stands beside the number is set in a typewriter's face.
    shows_code: bool,
    /// The size of the number, in tenths of a point.
    size: i32,
}

/// Strips the numbers from the listings on `pages`, and drops the lines that are empty but for them.
pub(crate) fn strip(pages: &mut [Vec<Line>]) {
    let mut run: Vec<Numbered> = Vec::new();
    let mut stripped: Vec<usize> = Vec::new();
    let mut sizes: HashSet<i32> = HashSet::new();
    // Listings of a line or two, with the size of their numbers.
    let mut short: Vec<(usize, i32)> = Vec::new();
    let mut end = |run: &mut Vec<Numbered>| {
        // What is empty or in another face at the end of a listing may be anything.
        while run.last().is_some_and(|last| !last.shows_code) {
            run.pop();
        }
        // So may what it begins with, unless it stands right above.
        if let [first, second, ..] = run.as_slice()
            && !first.shows_code
            && second.at - first.at > NEAR
        {
            run.remove(0);
        }
        if run.iter().filter(|line| line.shows_code).count() >= LINES_MIN {
            stripped.extend(run.iter().map(|line| line.at));
            sizes.extend(run.iter().map(|line| line.size));
        } else if run.first().is_some_and(|first| first.number == 1) {
            short.extend(run.iter().map(|line| (line.at, line.size)));
        }
        run.clear();
    };
    for (at, line) in pages.iter().flatten().enumerate() {
        let Some(next) = numbered(at, line) else {
            continue;
        };
        let follows = run.last().is_some_and(|before| {
            next.number == before.number + 1 && at - before.at <= BETWEEN_MAX
        });
        // A number between others breaks no listing off; whether it begins one, the next will show.
        let is_open = run.iter().any(|line| line.shows_code);
        if !follows {
            if is_open && !next.shows_code {
                continue;
            }
            end(&mut run);
        }
        run.push(next);
    }
    end(&mut run);
    let is_alike = |(at, size): (usize, i32)| sizes.contains(&size).then_some(at);
    stripped.extend(short.into_iter().filter_map(is_alike));
    stripped.sort_unstable();
    let mut stripped = stripped.into_iter().peekable();
    let mut at = 0;
    let mut keep = |line: &mut Line| {
        let is_stripped = stripped.next_if_eq(&at).is_some();
        at += 1;
        if !is_stripped {
            return true;
        }
        line.pieces.remove(0);
        for piece in &mut line.pieces {
            piece.face.is_fixed = true;
        }
        if let Some(first) = line.pieces.first_mut() {
            first.is_apart = false;
            first.text = first.text.trim_start().to_owned();
            line.left = first.left;
        }
        !line.pieces.is_empty()
    };
    for lines in pages {
        lines.retain_mut(&mut keep);
    }
}

/// The number that a line begins with, apart from the rest of it by its face and size.
fn numbered(at: usize, line: &Line) -> Option<Numbered> {
    let (first, rest) = line.pieces.split_first()?;
    let digits = first.text.trim();
    let is_number = (1..=5).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    if !is_number || first.face.is_fixed {
        return None;
    }
    let next = rest.first();
    let shows_code = next.is_some_and(|next| next.face.is_fixed);
    let is_smaller = next.is_none_or(|next| first.size < SMALLER_THAN * next.size);
    (shows_code || is_smaller).then_some(Numbered {
        at,
        number: digits.parse().ok()?,
        shows_code,
        size: (first.size * 10.0).round() as i32,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdf::faces::Face;
    use crate::pdf::line::Piece;
    use crate::pdf::testing;

    fn line(pieces: &[(&str, bool, f32)]) -> Line {
        let pieces = pieces.iter().map(|(text, is_fixed, size)| Piece {
            face: Face {
                is_fixed: *is_fixed,
                ..Face::default()
            },
            size: *size,
            ..testing::piece(text)
        });
        testing::line(pieces.collect())
    }

    #[test]
    fn the_numbers_of_the_lines_of_a_listing_are_none_of_it() {
        let code = |number: &str, words: &str| line(&[(number, false, 6.0), (words, true, 10.0)]);
        let said = |words: &str| line(&[(words, false, 10.0)]);
        let lines = vec![
            said("It opens the door."),
            line(&[("8", false, 6.0), ("start of it", false, 10.0)]),
            code("9", "\\open{door}"),
            code("10", "}%"),
            said("Then it is shut."),
            line(&[("11", false, 6.0), ("end of it", false, 10.0)]),
            line(&[("12", false, 6.0)]),
            code("13", "\\shut{door}"),
            code("7", "of them are dry"),
        ];
        let mut pages = [lines];
        strip(&mut pages);
        let [lines] = &pages;
        let texts: Vec<String> = lines.iter().map(Line::text).collect();
        assert_eq!(
            texts,
            [
                "It opens the door.",
                "start of it",
                "\\open{door}",
                "}%",
                "Then it is shut.",
                "end of it",
                "\\shut{door}",
                "7of them are dry"
            ]
        );
        assert!(lines[1].is_fixed() && lines[5].is_fixed() && !lines[4].is_fixed());
    }

    #[test]
    fn a_listing_of_a_line_or_two_has_no_numbers_where_others_have_none() {
        let code = |number: &str, words: &str| line(&[(number, false, 6.0), (words, true, 10.0)]);
        let long = ["1", "2", "3"].map(|number| code(number, "heat();"));
        let said = || line(&[("It is hot.", false, 10.0)]);
        let left = |with: &[Line]| {
            let short = [said(), code("1", "light();"), code("2", "cool();"), said()];
            let mut pages = [short.iter().chain(with).cloned().collect::<Vec<Line>>()];
            strip(&mut pages);
            let [lines] = pages;
            lines
                .iter()
                .skip(1)
                .take(2)
                .map(Line::text)
                .collect::<Vec<String>>()
        };
        assert_eq!(left(&long), ["light();", "cool();"]);
        assert_eq!(left(&[]), ["1light();", "2cool();"]);
    }
}
