//! Finds the signs of a line that belong to the code beside them, though they are set in a face of their own: a bracket of a formula's
//! face within a type.

use crate::pdf::line::{Line, Piece};
use std::borrow::Cow;

/// Signs that belong to the code which they stand in.
const WITHIN: &str = "<>={}\\≤≥≪≫-−*∗∼~^";

/// `line` with the signs that belong to code in its face.
pub(crate) fn coded(line: &Line) -> Cow<'_, Line> {
    let is_sign = |at: usize| is_of_code(&line.pieces, at);
    let signs: Vec<usize> = (0..line.pieces.len()).filter(|at| is_sign(*at)).collect();
    if signs.is_empty() {
        return Cow::Borrowed(line);
    }
    let mut coded = line.clone();
    for at in signs {
        let beside = touching(&line.pieces, at);
        let face = beside.into_iter().flatten().next().map(|piece| piece.face);
        if let (Some(piece), Some(face)) = (coded.pieces.get_mut(at), face) {
            piece.face = face;
        }
    }
    Cow::Owned(coded)
}

/// The code on the left and on the right of a stretch that it touches.
fn touching(pieces: &[Piece], at: usize) -> [Option<&Piece>; 2] {
    // A quote alone is none.
    let is_code = |piece: &Piece| piece.face.is_fixed && piece.text.contains(char::is_alphanumeric);
    let own = pieces.get(at).map_or("", |piece| piece.text.as_str());
    let before = at.checked_sub(1).and_then(|before| pieces.get(before));
    let before = before
        .filter(|before| is_code(before) && !before.text.ends_with(' ') && !own.starts_with(' '));
    let after = pieces
        .get(at + 1)
        .filter(|after| is_code(after) && !own.ends_with(' ') && !after.text.starts_with(' '));
    [before, after]
}

/// Whether a stretch holds only signs, and belongs to the code beside it.
fn is_of_code(pieces: &[Piece], at: usize) -> bool {
    let Some(piece) = pieces.get(at) else {
        return false;
    };
    let signs = piece.text.trim();
    if piece.face.is_fixed || piece.is_raised || signs.is_empty() || signs.chars().count() > 4 {
        return false;
    }
    match touching(pieces, at) {
        [Some(_), Some(_)] => signs.chars().all(|sign| WITHIN.contains(sign)),
        [Some(_), None] => closes(pieces.get(..at).unwrap_or_default(), signs),
        [None, Some(_)] => opens(pieces, at),
        _ => false,
    }
}

/// Whether a stretch opens an angle behind code that the stretch behind the next one closes: `fire <wood>`.
fn opens(pieces: &[Piece], at: usize) -> bool {
    let text = |at: usize| pieces.get(at).map_or("", |piece| piece.text.trim());
    let before = at.checked_sub(1).and_then(|before| pieces.get(before));
    text(at) == "<"
        && text(at + 2).starts_with('>')
        && before.is_some_and(|before| before.face.is_fixed)
}

/// Whether `signs` close what the code before them left open.
fn closes(before: &[Piece], signs: &str) -> bool {
    let (opening, closing) = match signs.chars().next() {
        Some('>') => ('<', '>'),
        Some('}') => ('{', '}'),
        _ => return false,
    };
    let is_sign = |piece: &Piece| piece.text.trim().chars().all(|sign| WITHIN.contains(sign));
    let code = before.iter().rev();
    let code = code.take_while(|piece| piece.face.is_fixed || is_sign(piece));
    let (mut open, mut closed) = (0usize, 0usize);
    for piece in code {
        open += piece.text.matches(opening).count();
        closed += piece.text.matches(closing).count();
    }
    signs.chars().all(|sign| sign == closing) && open >= closed + signs.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdf::faces::Face;
    use crate::pdf::testing;

    fn code(words: &str) -> Piece {
        Piece {
            face: Face {
                is_fixed: true,
                ..Face::default()
            },
            ..testing::piece(words)
        }
    }

    /// The stretches of a line that are code, each in brackets.
    fn marked(pieces: Vec<Piece>) -> String {
        let line = testing::line(pieces);
        let marked = coded(&line);
        let mark = |piece: &Piece| match piece.face.is_fixed {
            true => format!("[{}]", piece.text),
            false => piece.text.clone(),
        };
        marked.pieces.iter().map(mark).collect()
    }

    #[test]
    fn a_bracket_that_touches_code_is_code() {
        let sign = |words: &str| testing::piece(words);
        assert_eq!(
            marked(vec![
                code("kiln"),
                sign("<"),
                code("Oak"),
                sign("> "),
                code("const")
            ]),
            "[kiln][<][Oak][> ][const]"
        );
        assert_eq!(
            marked(vec![code("kiln"), sign("{"), code("oak"), sign("}")]),
            "[kiln][{][oak][}]"
        );
        assert_eq!(
            marked(vec![code("fire"), sign(" <"), code("wood"), sign(">")]),
            "[fire][ <][wood][>]"
        );
        assert_eq!(
            marked(vec![code("set"), sign("−"), code("fire")]),
            "[set][−][fire]"
        );
    }

    #[test]
    fn a_sign_between_words_is_of_the_text() {
        let sign = |words: &str| testing::piece(words);
        for pieces in [
            vec![code("-x"), sign(" | "), code("-y")],
            vec![code("kiln"), sign("- "), code("fire")],
            vec![code("kiln"), sign("-based")],
            vec![code("OAK"), sign("/"), code("ASH")],
            vec![sign("Ada <"), code("ada@kiln"), sign(">")],
            vec![sign("("), code("kiln"), sign(").")],
            vec![code("\\fire["), sign("{ "), sign("kiln }")],
            vec![code("\""), sign("="), code("\"")],
        ] {
            let plain: Vec<bool> = pieces.iter().map(|piece| piece.face.is_fixed).collect();
            let line = testing::line(pieces);
            let now: Vec<bool> = coded(&line)
                .pieces
                .iter()
                .map(|it| it.face.is_fixed)
                .collect();
            assert_eq!(now, plain);
        }
    }
}
