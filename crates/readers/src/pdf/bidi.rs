//! Turns words of scripts that run from right to left around: a page has them in the order in which they stand, a text in that in which
//! they are read; and gives their letters for the forms that a font draws of them.

use crate::pdf::line::Piece;
use crate::words::{Pairs, pairs, sign_of};
use unicode_normalization::UnicodeNormalization;

/// A character of a line, and the stretch that it is of.
type Sign = (char, usize);

/// Whether a character is a letter that runs from right to left.
pub(crate) fn is_leftward(character: char) -> bool {
    let is_digit = matches!(character, '\u{660}'..='\u{669}' | '\u{6f0}'..='\u{6f9}');
    !is_digit
        && matches!(u32::from(character), 0x590..=0x8FF | 0xFB1D..=0xFDFF | 0xFE70..=0xFEFC | 0x10800..=0x10FFF | 0x1E800..=0x1EFFF)
}

/// Whether a character is a letter or a digit that runs from left to right.
fn is_rightward(character: char) -> bool {
    character.is_alphanumeric() && !is_leftward(character)
}

/// The stretches of a line in the order in which they are read, each cell for itself.
pub(crate) fn read(pieces: Vec<Piece>) -> Vec<Piece> {
    if !pieces.iter().any(|piece| piece.text.contains(is_leftward)) {
        return pieces;
    }
    let cells = pieces.chunk_by(|_, next| !next.is_apart);
    cells.flat_map(read_cell).collect()
}

fn read_cell(pieces: &[Piece]) -> Vec<Piece> {
    let mut signs: Vec<Sign> = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        signs.extend(piece.text.chars().map(|character| (character, at)));
    }
    // The room behind a cell stays there.
    let room = signs
        .iter()
        .rev()
        .take_while(|(sign, _)| *sign == ' ')
        .count();
    signs.truncate(signs.len() - room);
    let count = |is: fn(char) -> bool| signs.iter().filter(|(sign, _)| is(*sign)).count();
    let (leftward, rightward) = (count(is_leftward), count(is_rightward));
    match leftward >= rightward {
        true => turn(&mut signs),
        false => turn_words(&mut signs),
    }
    let mut out: Vec<Piece> = Vec::new();
    for stretch in signs.chunk_by(|(_, one), (_, other)| one == other) {
        let piece = stretch.first().and_then(|(_, at)| pieces.get(*at));
        out.extend(piece.map(|piece| Piece {
            text: stretch.iter().map(|(sign, _)| letters(*sign)).collect(),
            is_apart: false,
            ..piece.clone()
        }));
    }
    if let (Some(first), Some(cell)) = (out.first_mut(), pieces.first()) {
        first.is_apart = cell.is_apart;
    }
    if let Some(last) = out.last_mut() {
        last.text.extend(std::iter::repeat_n(' ', room));
    }
    out
}

/// Turns the words around that run leftward within a line that runs rightward.
fn turn_words(signs: &mut [Sign]) {
    let is_letter = |sign: char| sign.is_alphabetic() && !is_leftward(sign);
    let mut at = 0;
    while let Some((sign, _)) = signs.get(at) {
        if !is_leftward(*sign) {
            at += 1;
            continue;
        }
        let end = last(signs, at, is_leftward, is_letter);
        if let Some(run) = signs.get_mut(at..=end) {
            turn(run);
        }
        at = end + 1;
    }
}

/// Turns a line around, but for what runs rightward in it.
fn turn(signs: &mut [Sign]) {
    signs.reverse();
    let mut at = 0;
    while let Some((sign, _)) = signs.get(at).copied() {
        if is_of_run(sign) {
            let end = turn_run(signs, at);
            at = end + 1;
            continue;
        }
        if let Some((shown, _)) = signs.get_mut(at) {
            *shown = sign_of(&MIRRORED, sign);
        }
        at += 1;
    }
}

/// Whether a sign begins or ends a run that runs rightward: a letter, a digit, or what stands for a number.
fn is_of_run(sign: char) -> bool {
    is_rightward(sign) || sign == '∞'
}

/// Turns the run back that begins with `from` in a line that was turned, with the sign of its number and with the brackets that stand
/// around it, which a formula opens and closes as it likes: `]−1, +∞[`. Gives the last place of it.
fn turn_run(signs: &mut [Sign], from: usize) -> usize {
    let is = |signs: &[Sign], at: usize, these: &str| {
        signs.get(at).is_some_and(|(sign, _)| these.contains(*sign))
    };
    let mut end = last(signs, from, is_of_run, is_leftward);
    if is(signs, end + 1, "+−±") {
        end += 1;
    }
    let mut begin = from;
    let before = from.checked_sub(1);
    if let Some(before) = before.filter(|before| is(signs, *before, "()[]"))
        && is(signs, end + 1, "()[]")
    {
        begin = before;
        end += 1;
        // It was mirrored before the run was seen.
        if let Some((sign, _)) = signs.get_mut(before) {
            *sign = sign_of(&MIRRORED, *sign);
        }
    }
    if let Some(run) = signs.get_mut(begin..=end) {
        run.reverse();
    }
    end
}

/// The last sign from `from` on for which `is` holds, before the first for which `ends` does.
fn last(
    signs: &[Sign],
    from: usize,
    is: impl Fn(char) -> bool,
    ends: impl Fn(char) -> bool,
) -> usize {
    let mut last = from;
    for (at, (sign, _)) in signs.iter().enumerate().skip(from) {
        if ends(*sign) {
            break;
        }
        if is(*sign) {
            last = at;
        }
    }
    last
}

/// Brackets open towards what they hold, whichever way that runs.
static MIRRORED: Pairs = pairs!("( )  ) (  [ ]  ] [  { }  } {  < >  > <  « »  » «");

/// The letters that a form of them stands for.
fn letters(sign: char) -> String {
    let is_form = matches!(u32::from(sign), 0xFB1D..=0xFDFF | 0xFE70..=0xFEFC);
    let letters: String = std::iter::once(sign).nfkc().collect();
    // A mark over nothing would bring a space with it.
    match is_form && !letters.starts_with(' ') {
        true => letters,
        false => sign.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdf::testing;

    fn text(words: &[&str]) -> String {
        let pieces = words.iter().map(|words| testing::piece(words)).collect();
        let read = read(pieces);
        read.iter().map(|piece| piece.text.as_str()).collect()
    }

    #[test]
    fn words_that_run_leftward_are_read_from_the_right() {
        assert_eq!(text(&["\u{fbfd}\u{fb58}\u{fe8e}\u{fb7c}"]), "چاپی");
        assert_eq!(text(&["ג", "ב א"]), "א בג");
        assert_eq!(text(&["ב א "]), "א ב ");
        assert_eq!(text(&["ד (ג) 12 ב"]), "ב 12 (ג) ד");
    }

    #[test]
    fn a_formula_keeps_the_order_of_its_signs_and_brackets() {
        assert_eq!(text(&["ב ]1, +∞[ א"]), "א ]1, +∞[ ב");
        assert_eq!(text(&["ב ]−1, 3] א"]), "א ]−1, 3] ב");
        assert_eq!(text(&["ב א (1"]), "1) א ב");
        assert_eq!(text(&["(ב א 7)"]), "(7 א ב)");
    }

    #[test]
    fn what_runs_rightward_stays_as_it_is() {
        assert_eq!(text(&["the kiln"]), "the kiln");
        assert_eq!(text(&["the word בא is hot"]), "the word אב is hot");
    }
}
