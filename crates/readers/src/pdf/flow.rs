//! Owns what the end of a line and the beginning of the next one say of whether both are of one paragraph: a broken word, a sentence
//! without its stop, and where a document sets its first lines in.

use crate::hyphens::is_hyphen;
use crate::pdf::line::{Line, Piece};

/// How far first lines are set in, in sizes of their letters.
const SET_IN: std::ops::Range<f32> = 0.8..3.5;
/// A line that breaks off a sentence goes on in one that stands so many times as far below it as most do.
const APART: f32 = 1.8;
/// Longer words may have a line for themselves.
const WORD_MAX: usize = 12;

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
/// their letters.
pub(crate) fn goes_on(lines: &[Line], next: &Line, pitch: f32) -> bool {
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else {
        return false;
    };
    let text = last.text();
    let size = text_size(last).max(1.0);
    let is_elsewhere = last.page != next.page || last.column != next.column;
    // Cells of a row stand apart, and so do the words beside a term.
    let is_row = next.pieces.iter().skip(1).any(|piece| piece.is_apart);
    if (size - text_size(next)).abs() > 0.08 * size || next.is_fixed() || last.is_fixed() || is_row
    {
        return false;
    }
    // Lines beside one another are of two columns.
    let is_over = next.left < last.right && last.left < next.right;
    if last.page == next.page && !is_over {
        return false;
    }
    if is_word_broken(&text, &next.text()) {
        // The next column may be one of something else.
        let is_near = last.page < next.page || is_next(last, next, 1.8 * pitch);
        return is_near;
    }
    // Some documents have more room between the lines of some of their paragraphs than between most.
    let is_apart = !is_elsewhere && !is_next(last, next, 1.22 * pitch);
    if is_apart && !is_next(last, next, APART * pitch) {
        return false;
    }
    let begins_bold = next.pieces.first().is_some_and(|piece| piece.face.is_bold);
    let is_step = begins_bold && text.trim_end().ends_with(')');
    if is_step || is_formal(last) || is_formal(next) {
        return false;
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
    (-4.0..hangs).contains(&inset)
        && (!is_apart || is_alike)
        && is_back
        && !is_term
        && !is_name
        && !are_bracketed
        && has_words(&text)
        && !is_ended(&text)
        && !text.trim_end().ends_with(';')
        && is_full(last, next)
        && begins_small(next)
}

/// Whether `next` stands right below `line`, no further than so many sizes of its letters.
pub(crate) fn is_next(line: &Line, next: &Line, sizes: f32) -> bool {
    let step = line.y - next.y;
    line.page == next.page
        && line.column == next.column
        && step > 0.2 * line.size
        && step <= sizes * text_size(line)
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

/// Whether a line is as long as its column lets it be: the first word of the next one has no room behind it.
fn is_full(line: &Line, next: &Line) -> bool {
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
        assert!(goes_on(&above, &next, 1.2));
        let next = Line { page: 2, ..next };
        assert!(goes_on(&above, &next, 1.2));
        let name = line(72.0, 200.0, 88.0, "Rary wood.");
        assert!(!goes_on(&above, &name, 1.2));
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
            goes_on(&[first], &next, 1.2)
        };
        assert!(go_on(498.0, 18.0, "shut it with both hands."));
        assert!(!go_on(498.0, 30.0, "shut it with both hands."));
        assert!(!go_on(200.0, 18.0, "shut it with both hands."));
        assert!(!go_on(498.0, 18.0, "Shut it with both hands."));
    }

    #[test]
    fn lines_of_two_columns_are_of_two_paragraphs() {
        let above = [line(72.0, 290.0, 100.0, "The kiln removes tempo-")];
        let beside = line(310.0, 510.0, 94.0, "may be lit with oak");
        assert!(!goes_on(&above, &beside, 1.2));
        let address = line(72.0, 290.0, 88.0, "ada@kiln.example");
        let name = [line(72.0, 510.0, 100.0, "Ada of the Kiln")];
        assert!(!goes_on(&name, &address, 1.2));
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
        assert!(goes_on(&above, &next, 1.2));
        let term = [line(72.0, 200.0, 100.0, "kiln")];
        assert!(!goes_on(&term, &next, 1.2));
        let far = line(92.0, 250.0, 70.0, "then it will be lit.");
        assert!(!goes_on(&above, &far, 1.2));
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
        assert!(!goes_on(&figures, &next, 1.2));
        let mut name = line(72.0, 510.0, 100.0, "How to light the kiln");
        for piece in &mut name.pieces {
            piece.face.is_bold = true;
        }
        assert!(!goes_on(&[name], &next, 1.2));
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
        assert!(!goes_on(&name, &step, 1.2));
        let formula = [line(72.0, 510.0, 100.0, "R = + n (Cnn + Cpp)")];
        let below = line(72.0, 300.0, 88.0, "heat of the kiln");
        assert!(!goes_on(&formula, &below, 1.2));
        let mut name = testing::piece("wood ");
        name.face.is_italic = true;
        let mut steps = bold(line(72.0, 300.0, 88.0, "if "));
        steps
            .pieces
            .extend([name, testing::piece("is dry and hot")]);
        let above = [line(72.0, 510.0, 100.0, "All that the kiln does with oak")];
        assert!(!goes_on(&above, &steps, 1.2));
        assert!(goes_on(&above, &below, 1.2));
    }
}
