//! Finds the lines of a listing that are not all set in a typewriter's face: its names in bold, its comments in italics.

use crate::pipeline::extract::pdf::lines::{Line, Piece};

/// So much of a line is in a typewriter's face at least, where it has names in bold.
const FIXED_SHARE: f32 = 0.2;
/// The next line of a listing is no further away, in sizes of its letters: an empty line may stand between them.
const BESIDE_SIZES: f32 = 2.6;
/// The next line of a listing right below.
const BELOW_SIZES: f32 = 1.6;
/// How much further in it stands at most.
const INSET_SIZES: f32 = 8.0;

/// Sets what is bold or a comment in a line of a listing in the listing's face.
pub(crate) fn settle(lines: &mut [Line]) {
    let count = lines.len();
    for at in 0..count {
        let Some(line) = lines.get(at) else { return };
        if line.is_fixed() || !line.pieces.iter().any(|piece| piece.face.is_fixed) {
            continue;
        }
        let around = [at.checked_sub(1), Some(at + 1)];
        let around = around.into_iter().flatten().filter_map(|at| lines.get(at));
        let beside = |sizes: f32| {
            let listed = around.clone().filter(|other| is_listed(line, other, sizes));
            listed.count()
        };
        // What begins with a name may say something of the listing that ends above it.
        let needed = if encloses_names(line) { 1 } else { 2 };
        let is_of_listing = has_bold_names(line) && beside(BESIDE_SIZES) >= needed
            || has_comment(line) && beside(BELOW_SIZES) > 0;
        if let Some(line) = lines.get_mut(at).filter(|_| is_of_listing) {
            for piece in &mut line.pieces {
                piece.face.is_fixed = true;
            }
        }
    }
}

/// Whether `other` is a line of a listing that `line` is one of too.
fn is_listed(line: &Line, other: &Line, sizes: f32) -> bool {
    other.is_fixed()
        && other.page == line.page
        && other.column == line.column
        && (other.y - line.y).abs() < sizes * line.size
        && (other.size - line.size).abs() < 0.08 * line.size
        && (-0.5..INSET_SIZES).contains(&((line.left - other.left) / line.size.max(1.0)))
}

/// Whether all that a line has beside code are bold names.
fn has_bold_names(line: &Line) -> bool {
    let is_name = |piece: &Piece| {
        let words = piece.text.trim();
        piece.face.is_bold && !words.contains(char::is_whitespace) && !words.ends_with(':')
    };
    line.share(|piece| piece.face.is_fixed) >= FIXED_SHARE
        && line
            .pieces
            .iter()
            .all(|piece| piece.face.is_fixed || piece.text.trim().is_empty() || is_name(piece))
}

/// Whether a line begins and ends with code, and no room stands between that and what is none: `.include <kiln.mk>`.
fn encloses_names(line: &Line) -> bool {
    let ends = [line.pieces.first(), line.pieces.last()];
    let touches = |two: &[Piece]| match two {
        [one, other] if one.face.is_fixed != other.face.is_fixed => {
            !other.is_apart && !one.text.ends_with(' ') && !other.text.starts_with(' ')
        }
        _ => true,
    };
    ends.into_iter().flatten().all(|piece| piece.face.is_fixed)
        && line.pieces.windows(2).all(touches)
}

/// Whether a line ends with a comment in italics, behind the sign in the face of code that begins it.
fn has_comment(line: &Line) -> bool {
    let code = line.pieces.iter().take_while(|piece| piece.face.is_fixed);
    let count = code.clone().count();
    let sign = code.last().map_or("", |piece| piece.text.trim());
    let comment = line.pieces.get(count..).unwrap_or_default();
    let is_sign = ["#", "//", "%", ";;"]
        .iter()
        .any(|mark| sign.ends_with(mark));
    let is_slanted =
        |piece: &Piece| piece.face.is_italic || !piece.text.chars().any(char::is_alphanumeric);
    is_sign && comment.iter().all(is_slanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::extract::pdf::faces::Face;
    use crate::pipeline::extract::pdf::testing;

    fn face(is_fixed: bool, is_bold: bool) -> Face {
        Face {
            is_fixed,
            is_bold,
            is_italic: !is_fixed && !is_bold,
            ..Face::default()
        }
    }

    fn line(y: f32, words: &[(&str, Face)]) -> Line {
        let piece = |(words, face): &(&str, Face)| Piece {
            face: *face,
            ..testing::piece(words)
        };
        Line {
            y,
            ..testing::line(words.iter().map(piece).collect())
        }
    }

    fn settled(words: &[(&str, Face)]) -> bool {
        let code = face(true, false);
        let mut lines = [line(100.0, &[("PROG = kiln", code)]), line(88.0, words)];
        settle(&mut lines);
        lines.iter().all(Line::is_fixed)
    }

    #[test]
    fn bold_names_and_slanted_comments_are_of_the_listing() {
        let (code, bold, slanted) = (face(true, false), face(false, true), face(false, false));
        assert!(settled(&[
            (".include <", code),
            ("kiln.mk", bold),
            (">", code)
        ]));
        assert!(settled(&[("print heat # ", code), ("A, f, C", slanted)]));
        assert!(!settled(&[("fire", code), (" burns in the kiln", slanted)]));
        assert!(!settled(&[("fire", code), ("burns in the kiln", bold)]));
        assert!(!settled(&[("Output: ", bold), ("40", code)]));
        assert!(!settled(&[("Since ", bold), ("40", code)]));
    }
}
