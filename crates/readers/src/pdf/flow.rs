//! Owns what the end of a line and the beginning of the next one say of whether both are of one paragraph: a broken word, a sentence
//! without its stop, and where a document sets its first lines in.

use crate::hyphens::is_hyphen;
use crate::pdf::line::{Line, Piece};
use std::collections::HashMap;

/// So many paragraphs show that a document sets their first lines in.
const SET_IN_MIN: usize = 8;
/// So many lines, and one of so many, end where lines that are made equally long do.
const FULL_MIN: usize = 30;
const FULL_SHARE: usize = 12;
/// How far first lines are set in, in sizes of their letters.
const SET_IN: std::ops::Range<f32> = 0.8..3.5;
/// A line that breaks off a sentence goes on in one that stands so many times as far below it as most do.
const APART: f32 = 1.8;
/// Longer words may have a line for themselves.
const WORD_MAX: usize = 12;
/// How near places count as the same, in points.
const NEAR: f32 = 1.5;

/// Where a document's lines begin and end.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Margins {
    /// Where first lines of paragraphs begin, where they are set in.
    set_in: Option<f32>,
    /// Where full lines end, where all are made equally long.
    right: Option<f32>,
}

impl Margins {
    /// Those of `lines`.
    pub(crate) fn of(lines: &[Line]) -> Self {
        Self {
            set_in: set_in(lines),
            right: right(lines),
        }
    }
}

/// The place that most of so many places are, and how many those are.
fn usual(places: impl Iterator<Item = f32>) -> Option<(f32, usize)> {
    let mut counts: HashMap<i32, usize> = HashMap::new();
    for place in places {
        *counts.entry(place.round() as i32).or_default() += 1;
    }
    let most = counts
        .into_iter()
        .max_by_key(|(place, count)| (*count, -place));
    most.map(|(place, count)| (place as f32, count))
}

/// Where full lines end that are made equally long.
fn right(lines: &[Line]) -> Option<f32> {
    let prose = lines.iter().filter(|line| !line.is_fixed());
    let (place, count) = usual(prose.map(|line| line.right))?;
    (count >= FULL_MIN.max(lines.len() / FULL_SHARE)).then_some(place)
}

/// Where the first lines of paragraphs begin that are set in, where a document does so: right of the lines that go on with them.
fn set_in(lines: &[Line]) -> Option<f32> {
    let begins = lines.windows(3).filter_map(|three| {
        let [above, first, rest] = three else {
            return None;
        };
        let is_set_in = SET_IN.contains(&((first.left - rest.left) / first.size.max(1.0)))
            && (above.left - rest.left).abs() < NEAR
            && is_next(above, first, 1.6)
            && is_next(first, rest, 1.6)
            && !first.is_fixed()
            && is_ended(&above.text())
            && is_full(first, rest, None)
            && begins_small(rest);
        is_set_in.then_some(first.left)
    });
    let (place, count) = usual(begins)?;
    (count >= SET_IN_MIN).then_some(place)
}

/// The size of a line's words, beside the code in it, which may be set smaller than they are and take more of it.
pub(crate) fn text_size(line: &Line) -> f32 {
    let is_text = |piece: &&Piece| !piece.face.is_fixed && !piece.is_raised;
    let letters = |piece: &Piece| piece.text.chars().filter(|c| !c.is_whitespace()).count();
    let text = line.pieces.iter().filter(is_text);
    let most = text.max_by_key(|piece| letters(piece));
    let has_code = line.pieces.iter().any(|piece| piece.face.is_fixed);
    most.filter(|most| has_code && letters(most) > 0)
        .map_or(line.size, |most| most.size.max(line.size))
}

/// Whether the paragraph of `lines` goes on with `next`, where their words tell; `pitch` is the usual room between lines, in sizes of
/// their letters, and `margins` where lines begin and end.
pub(crate) fn goes_on(lines: &[Line], next: &Line, pitch: f32, margins: Margins) -> Option<bool> {
    let (first, last) = (lines.first()?, lines.last()?);
    let text = last.text();
    let size = text_size(last).max(1.0);
    let is_elsewhere = last.page != next.page || last.column != next.column;
    // Cells of a row stand apart, and so do the words beside a term.
    let is_row = next.pieces.iter().skip(1).any(|piece| piece.is_apart) || is_counted(last);
    if (size - text_size(next)).abs() > 0.08 * size || next.is_fixed() || last.is_fixed() || is_row
    {
        return None;
    }
    // Lines beside one another are of two columns.
    let is_over = next.left < last.right && last.left < next.right;
    if last.page == next.page && !is_over {
        return None;
    }
    if is_word_broken(&text, &next.text()) {
        // The next column may be one of something else.
        let is_near = last.page < next.page || is_next(last, next, 1.8 * pitch);
        return is_near.then_some(true);
    }
    // Some documents have more room between the lines of some of their paragraphs than between most.
    let is_apart = !is_elsewhere && !is_next(last, next, 1.22 * pitch);
    if is_apart && !is_next(last, next, APART * pitch) {
        return None;
    }
    let begins_bold = next.pieces.first().is_some_and(|piece| piece.face.is_bold);
    let is_step = begins_bold && text.trim_end().ends_with(')');
    if is_step || is_formal(last) || is_formal(next) {
        return None;
    }
    let begins = |line: &Line| {
        let set_in = margins.set_in;
        set_in.is_some_and(|place| (line.left - place).abs() < NEAR)
            && line.left - line.bounds.0 > SET_IN.start * size
    };
    if !is_elsewhere && !is_apart && is_ended(&text) && begins(next) && lines.iter().all(begins) {
        return Some(false);
    }
    let inset = (next.left - last.left) / size;
    let hangs = if lines.len() == 1 { 12.0 } else { 2.0 };
    // A term in a face of its own begins anew at the margin.
    let is_term = inset < 0.5
        && next.pieces.first().is_some_and(|piece| {
            let same = last.pieces.last().is_some_and(|it| it.face == piece.face);
            (piece.face.is_fixed || piece.face.is_bold) && !same
        });
    // What is all bold names what stands below it.
    let bold = |line: &Line| line.share(|piece| piece.face.is_bold) > 0.95;
    let is_name = bold(last) && !bold(next);
    let are_bracketed = text.trim_end().ends_with(')') && next.text().trim_start().starts_with('(');
    let is_back = (first.left - next.left) / size < SET_IN.end;
    // A formula is set in, and what code declares is told below it.
    let ends_in_code = last.pieces.last().is_some_and(|piece| piece.face.is_fixed);
    let is_alike = !begins_bold && !ends_in_code && (-4.0..0.5).contains(&inset);
    let goes_on = (-4.0..hangs).contains(&inset)
        && (!is_apart || is_alike)
        && is_back
        && !is_term
        && !is_name
        && !are_bracketed
        && has_words(&text)
        && !is_ended(&text)
        && !text.trim_end().ends_with(';')
        && is_full(last, next, margins.right)
        && begins_small(next);
    goes_on.then_some(true)
}

/// Whether `next` stands right below `line`, no further than so many sizes of its letters.
pub(crate) fn is_next(line: &Line, next: &Line, sizes: f32) -> bool {
    let step = line.y - next.y;
    line.page == next.page
        && line.column == next.column
        && step > 0.2 * line.size
        && step <= sizes * text_size(line)
}

/// Whether a line is a formula with its number at the margin.
fn is_counted(line: &Line) -> bool {
    let number = line.pieces.last().filter(|last| last.is_apart);
    number.is_some_and(|number| {
        let number = number.text.trim();
        number.starts_with('(') && number.ends_with(')') && number.chars().count() <= 8
    })
}

/// Whether a line is one of a formula or of an algorithm, which has lines of its own: most of it is signs and letters, or a keyword in
/// bold stands before a name in italics.
fn is_formal(line: &Line) -> bool {
    let is_keyword = |piece: &Piece| {
        let text = piece.text.trim();
        piece.face.is_bold && !text.is_empty() && text.chars().all(|c| c.is_lowercase() || c == ' ')
    };
    // A bracket may stand between the two.
    let names = |three: &[Piece]| three.iter().skip(1).any(|piece| piece.face.is_italic);
    let pieces = line.pieces.as_slice();
    let has_keyword = (0..pieces.len()).any(|at| {
        let three = pieces.get(at..pieces.len().min(at + 3)).unwrap_or_default();
        three.first().is_some_and(is_keyword) && names(three)
    });
    let text = line.text();
    let is_sign = |word: &&str| word.chars().filter(|c| c.is_alphabetic()).nth(1).is_none();
    let signs = text.split_whitespace().filter(is_sign).count();
    has_keyword || signs * 2 > text.split_whitespace().count()
}

/// Whether a line's end broke a word: a hyphen behind a letter, and small letters in the next line.
fn is_word_broken(text: &str, next: &str) -> bool {
    let text = text.trim_end();
    let stem = text.trim_end_matches(is_hyphen);
    let begins = next.trim_start().chars().take(2);
    stem.len() < text.len()
        && stem.ends_with(char::is_alphabetic)
        && begins.filter(|c| c.is_lowercase()).count() == 2
}

/// Whether a sentence ends with a line, in quotes or brackets or not.
fn is_ended(text: &str) -> bool {
    let closing = |c: char| matches!(c, ')' | ']' | '"' | '\'' | '”' | '’' | '»');
    let words = text.trim_end().trim_end_matches(closing);
    words.ends_with(['.', '!', '?', ':', '。', '！', '？'])
}

/// Whether a line holds words, not figures and the letters of a formula alone.
fn has_words(text: &str) -> bool {
    let is_word = |word: &&str| word.chars().filter(|c| c.is_alphabetic()).nth(1).is_some();
    text.split_whitespace().filter(is_word).nth(1).is_some()
}

/// Whether a line is as long as its column lets it be: it ends where all full ones do, or the first word of the next one has no room
/// behind it.
fn is_full(line: &Line, next: &Line, right: Option<f32>) -> bool {
    if right.is_some_and(|place| (line.right - place).abs() < NEAR) {
        return true;
    }
    let text = next.text();
    let letters = text.trim().chars().count().max(1) as f32;
    let first = text.split_whitespace().next().unwrap_or("").chars().count();
    let word = (next.right - next.left) / letters * (first.min(WORD_MAX) + 1) as f32;
    let room = line.bounds.1 - line.right;
    room < word.max(0.2 * (line.bounds.1 - line.bounds.0))
}

/// Whether a line begins with a word in small letters, and not with the letter of an item.
pub(crate) fn begins_small(line: &Line) -> bool {
    let text = line.text();
    let mut words = text.split_whitespace();
    let Some(word) = words.next() else {
        return false;
    };
    let begins: Vec<char> = word
        .trim_start_matches(['(', '“', '‘', '"'])
        .chars()
        .take(2)
        .collect();
    let is_item = word.chars().count() == 2 && word.ends_with([')', '.']);
    let is_address = word.contains('@') || word.contains("://");
    let is_word = match begins.as_slice() {
        [_] => words.next().is_some(),
        [_, second] => second.is_alphabetic() || matches!(second, '’' | '\'' | '-'),
        _ => false,
    };
    begins.first().is_some_and(|first| first.is_lowercase()) && is_word && !is_item && !is_address
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdf::testing;

    fn line(left: f32, right: f32, y: f32, words: &str) -> Line {
        Line {
            left,
            right,
            y,
            ..testing::line(vec![testing::piece(words)])
        }
    }

    #[test]
    fn a_broken_word_goes_on_wherever_the_next_line_begins() {
        let above = [line(72.0, 510.0, 100.0, "--dry  The kiln removes tempo-")];
        let next = line(140.0, 200.0, 88.0, "rary wood.");
        assert_eq!(goes_on(&above, &next, 1.2, Margins::default()), Some(true));
        let next = Line { page: 2, ..next };
        assert_eq!(goes_on(&above, &next, 1.2, Margins::default()), Some(true));
        let name = line(72.0, 200.0, 88.0, "Rary wood.");
        assert_eq!(goes_on(&above, &name, 1.2, Margins::default()), None);
    }

    #[test]
    fn a_full_line_without_a_stop_goes_on_a_little_further_down_and_a_short_one_does_not() {
        let go_on = |right: f32, step: f32, words: &str| {
            let first = line(
                72.0,
                right,
                700.0,
                "Choose the door in which the pots stand, and",
            );
            let next = line(72.0, 300.0, 700.0 - step, words);
            goes_on(&[first], &next, 1.2, Margins::default())
        };
        assert_eq!(go_on(498.0, 18.0, "shut it with both hands."), Some(true));
        assert_eq!(go_on(498.0, 30.0, "shut it with both hands."), None);
        assert_eq!(go_on(200.0, 18.0, "shut it with both hands."), None);
        assert_eq!(go_on(498.0, 18.0, "Shut it with both hands."), None);
    }

    #[test]
    fn lines_of_two_columns_are_of_two_paragraphs() {
        let above = [line(72.0, 290.0, 100.0, "The kiln removes tempo-")];
        let beside = line(310.0, 510.0, 94.0, "may be lit with oak");
        assert_eq!(goes_on(&above, &beside, 1.2, Margins::default()), None);
        let address = line(72.0, 290.0, 88.0, "ada@kiln.example");
        let name = [line(72.0, 510.0, 100.0, "Ada of the Kiln")];
        assert_eq!(goes_on(&name, &address, 1.2, Margins::default()), None);
    }

    #[test]
    fn a_full_line_without_a_stop_goes_on_in_a_hanging_one() {
        let above = [line(
            72.0,
            510.0,
            100.0,
            "kiln  If there is no fire in the kiln",
        )];
        let next = line(92.0, 250.0, 88.0, "then it will be lit.");
        assert_eq!(goes_on(&above, &next, 1.2, Margins::default()), Some(true));
        let term = [line(72.0, 200.0, 100.0, "kiln")];
        assert_eq!(goes_on(&term, &next, 1.2, Margins::default()), None);
        let far = line(92.0, 250.0, 70.0, "then it will be lit.");
        assert_eq!(goes_on(&above, &far, 1.2, Margins::default()), None);
    }

    #[test]
    fn a_line_is_as_large_as_its_words_whatever_size_its_code_has() {
        let mut code = testing::piece("fire(oak, ash, coal)");
        code.face.is_fixed = true;
        code.size = 8.0;
        let mixed = |pieces: Vec<Piece>| Line {
            size: 8.0,
            ..testing::line(pieces)
        };
        assert_eq!(
            text_size(&mixed(vec![testing::piece("light "), code.clone()])),
            10.0
        );
        assert_eq!(text_size(&mixed(vec![code])), 8.0);
    }

    #[test]
    fn figures_and_names_do_not_go_on_in_words() {
        let figures = [line(72.0, 510.0, 100.0, "0.1 0.2 0.3 0.4")];
        let next = line(72.0, 200.0, 88.0, "heat of the kiln");
        assert_eq!(goes_on(&figures, &next, 1.2, Margins::default()), None);
        let mut name = line(72.0, 510.0, 100.0, "How to light the kiln");
        for piece in &mut name.pieces {
            piece.face.is_bold = true;
        }
        assert_eq!(goes_on(&[name], &next, 1.2, Margins::default()), None);
    }

    #[test]
    fn the_lines_of_formulas_and_algorithms_stay_apart() {
        let bold = |mut line: Line| {
            line.pieces
                .iter_mut()
                .for_each(|piece| piece.face.is_bold = true);
            line
        };
        let name = [bold(line(
            72.0,
            510.0,
            100.0,
            "Firing (of all that is in a kiln)",
        ))];
        let step = bold(line(72.0, 300.0, 88.0, "for all the wood"));
        assert_eq!(goes_on(&name, &step, 1.2, Margins::default()), None);
        let formula = [line(72.0, 510.0, 100.0, "R = + n (Cnn + Cpp)")];
        let below = line(72.0, 300.0, 88.0, "heat of the kiln");
        assert_eq!(goes_on(&formula, &below, 1.2, Margins::default()), None);
        let mut name = testing::piece("wood ");
        name.face.is_italic = true;
        let mut steps = bold(line(72.0, 300.0, 88.0, "if "));
        steps
            .pieces
            .extend([name, testing::piece("is dry and hot")]);
        let above = [line(72.0, 510.0, 100.0, "All that the kiln does with oak")];
        assert_eq!(goes_on(&above, &steps, 1.2, Margins::default()), None);
        assert_eq!(goes_on(&above, &below, 1.2, Margins::default()), Some(true));
    }

    #[test]
    fn a_line_that_is_set_in_begins_a_paragraph_and_the_margin_goes_on_with_it() {
        let indented = Margins {
            set_in: Some(87.0),
            right: None,
        };
        let ended = [line(87.0, 505.0, 100.0, "“It is not hot,” said the kiln.")];
        let said = line(87.0, 510.0, 88.0, "Ada heard the kiln say in a low voice,");
        assert_eq!(goes_on(&ended, &said, 1.2, indented), Some(false));
        assert_eq!(goes_on(&ended, &said, 1.2, Margins::default()), None);
        let both = [ended[0].clone(), said];
        let rest = line(72.0, 300.0, 76.0, "to the wood in it, that it was.");
        assert_eq!(goes_on(&both, &rest, 1.2, indented), Some(true));
    }

    #[test]
    fn the_first_lines_of_a_document_are_set_in_where_many_are() {
        let three = |y: f32| {
            [
                line(72.0, 300.0, y, "It burns."),
                line(87.0, 515.0, y - 12.0, "The kiln is hot and all that"),
                line(72.0, 510.0, y - 24.0, "wood in it is none."),
            ]
        };
        let lines: Vec<Line> = (0..10)
            .flat_map(|at| three(700.0 - 40.0 * at as f32))
            .collect();
        assert_eq!(set_in(&lines), Some(87.0));
        assert_eq!(set_in(lines.get(..9).unwrap_or_default()), None);
    }

    #[test]
    fn a_line_that_ends_where_all_full_ones_do_is_full() {
        let above = [line(
            87.0,
            380.0,
            100.0,
            "The kiln can be lit from the side",
        )];
        let next = line(72.0, 350.0, 88.0, "where the wood is.");
        assert_eq!(goes_on(&above, &next, 1.2, Margins::default()), None);
        let margins = Margins {
            set_in: None,
            right: Some(380.0),
        };
        assert_eq!(goes_on(&above, &next, 1.2, margins), Some(true));
    }
}
