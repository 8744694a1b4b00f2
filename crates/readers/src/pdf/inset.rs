//! Finds the lines of a listing that are not all set in a typewriter's face: its names in bold, its comments in italics.

use crate::code_like::is_prompted;
use crate::pdf::line::{Line, Piece};
use std::ops::Range;

/// So much of a line is in a typewriter's face at least, where it has names in bold.
const FIXED_SHARE: f32 = 0.2;
/// The next line of a listing is no further away, in sizes of its letters: an empty line may stand between them.
const BESIDE_SIZES: f32 = 2.6;
/// The next line of a listing right below.
const BELOW_SIZES: f32 = 1.6;
/// How much further in it stands at most.
const INSET_SIZES: f32 = 8.0;
/// So many lines in bold may follow one another within a listing.
const BOLD_LINES_MAX: usize = 6;
/// The lines of a listing stand equally far apart, but for so much of it.
const UNEVEN: f32 = 0.12;
/// What the faces of a line are is looked at so often: each time, lines beside those that were found may be.
const ROUNDS: usize = 2;

/// Sets what is bold or a comment in a line of a listing in the listing's face.
pub(crate) fn settle(lines: &mut [Line]) {
    let typed = Typed::of(lines);
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
            typed.set(line);
        }
    }
    for _ in 0..ROUNDS {
        settle_marked(lines, typed);
    }
}

/// Which straight quotes stand in the listings: where there are some, those of their bold words are curly by their face alone.
#[derive(Debug, Clone, Copy)]
struct Typed {
    is_single: bool,
    is_double: bool,
}

impl Typed {
    fn of(lines: &[Line]) -> Self {
        let has = |quote: char| {
            let mut pieces = lines.iter().flat_map(|line| &line.pieces);
            pieces.any(|piece| piece.face.is_fixed && piece.text.contains(quote))
        };
        Self {
            is_single: has('\''),
            is_double: has('"'),
        }
    }

    /// Sets a line in the face of a listing.
    fn set(self, line: &mut Line) {
        for piece in &mut line.pieces {
            if piece.face.is_bold && !piece.face.is_fixed {
                let typed = |shown: char| match shown {
                    '“' | '”' if self.is_double => '"',
                    '‘' | '’' if self.is_single => '\'',
                    other => other,
                };
                piece.text = piece.text.chars().map(typed).collect();
            }
            piece.face.is_fixed = true;
        }
    }
}

/// Sets lines of code and bold words in the listing's face where they stand among its lines.
fn settle_marked(lines: &mut [Line], typed: Typed) {
    let mut at = 0;
    while at < lines.len() {
        let count = marked_from(lines, at);
        if count == 0 {
            at += 1;
            continue;
        }
        let run = at..at + count;
        if is_between(lines, &run) {
            lines
                .get_mut(run.clone())
                .unwrap_or_default()
                .iter_mut()
                .for_each(|line| typed.set(line));
        } else {
            for at in run.clone() {
                if is_at_edge(lines, at) {
                    lines
                        .get_mut(at)
                        .into_iter()
                        .for_each(|line| typed.set(line));
                }
            }
        }
        at = run.end;
    }
}

/// How many lines from `at` on follow one another in code and bold words, up to the end of their listing.
fn marked_from(lines: &[Line], at: usize) -> usize {
    let rest = lines.get(at..).unwrap_or_default();
    let those = rest.iter().take_while(|line| is_marked(line)).count();
    let steps = rest.windows(2).take(those.saturating_sub(1));
    let near = steps.take_while(
        |pair| matches!(pair, [above, below] if follows(above, below) && !is_end(above)),
    );
    those.min(near.count() + 1)
}

/// Whether a line holds nothing but code and bold words, and is not all code.
fn is_marked(line: &Line) -> bool {
    let has_code = line.pieces.iter().any(|piece| piece.face.is_fixed);
    let is_set = |piece: &Piece| {
        let says = piece.text.contains(char::is_alphanumeric);
        // A label before code says what that is.
        let is_label = has_code && piece.text.trim_end().ends_with(':');
        piece.face.is_fixed || piece.face.is_bold && !is_label || !says
    };
    !line.is_fixed() && line.pieces.iter().all(is_set)
}

/// Whether `below` is the next line of a listing, right below `above`.
fn follows(above: &Line, below: &Line) -> bool {
    above.page == below.page
        && above.column == below.column
        && (above.size - below.size).abs() < 0.08 * above.size
        && (0.5 * above.size..BELOW_SIZES * above.size).contains(&(above.y - below.y))
}

/// Whether lines stand between two lines of a listing, at its margin and as far apart as its lines are.
fn is_between(lines: &[Line], run: &Range<usize>) -> bool {
    // What ends as listings do needs no line of code below it.
    let last = run.end.saturating_sub(1);
    let to = match lines.get(last) {
        Some(line) if is_end(line) => last,
        _ => run.end,
    };
    let above = run.start.checked_sub(1);
    let around = above.and_then(|above| lines.get(above..=to));
    let Some([above, within @ .., below]) = around else {
        return false;
    };
    let is_enclosed = above.is_fixed() && (below.is_fixed() || is_end(below));
    if !is_enclosed || within.len() > BOLD_LINES_MAX {
        return false;
    }
    let margin = above.left.min(below.left);
    let is_inside =
        |line: &Line| (-0.5..INSET_SIZES).contains(&((line.left - margin) / line.size.max(1.0)));
    let steps = around
        .unwrap_or_default()
        .windows(2)
        .map(|pair| match pair {
            [above, below] if follows(above, below) => above.y - below.y,
            _ => f32::INFINITY,
        });
    let (least, most) = steps.fold((f32::MAX, 0.0f32), |(least, most), step| {
        (least.min(step), most.max(step))
    });
    within.iter().all(is_inside) && most <= least * (1.0 + UNEVEN)
}

/// Whether a line is the brace or the prompt that a listing ends with.
fn is_end(line: &Line) -> bool {
    matches!(line.text().trim(), "}" | "$" | "};")
}

/// Whether a line is the first or the last of a listing: a command, which a prompt begins or a mark breaks, or the brace or the prompt
/// that a listing ends with.
fn is_at_edge(lines: &[Line], at: usize) -> bool {
    let Some(line) = lines.get(at) else {
        return false;
    };
    let text = line.text();
    let text = text.trim();
    let has_code = line.pieces.iter().any(|piece| piece.face.is_fixed);
    if is_prompted(text) && has_code {
        return true;
    }
    let above = at.checked_sub(1).and_then(|above| lines.get(above));
    let is_below = above.is_some_and(|above| above.is_fixed() && follows(above, line));
    let is_above = lines
        .get(at + 1)
        .is_some_and(|below| below.is_fixed() && follows(line, below));
    let is_command = is_prompted(text) || text.ends_with(" \\");
    is_end(line) && is_below || is_command && (is_below || is_above)
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
    use crate::pdf::faces::Face;
    use crate::pdf::testing;

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

    fn texts(lines: &[Line]) -> Vec<String> {
        let code = lines.iter().filter(|line| line.is_fixed());
        code.map(Line::text).collect()
    }

    #[test]
    fn what_is_bold_between_the_lines_of_a_listing_is_of_it() {
        let (code, bold) = (face(true, false), face(false, true));
        let listing = |step: f32| {
            let mut lines = [
                line(100.0, &[("if kiln[\"hot\"]:", code)]),
                line(
                    100.0 - step,
                    &[("print ”hot” ", bold), ("# so it is", code)],
                ),
                line(100.0 - 2.0 * step, &[("stop at 40", bold)]),
                line(88.0 - 2.0 * step, &[("fire(kiln)", code)]),
            ];
            settle(&mut lines);
            texts(&lines)
        };
        let all = [
            "if kiln[\"hot\"]:",
            "print \"hot\" # so it is",
            "stop at 40",
            "fire(kiln)",
        ];
        assert_eq!(listing(12.0), all);
        assert_eq!(listing(15.0), ["if kiln[\"hot\"]:", "fire(kiln)"]);
    }

    #[test]
    fn a_command_and_the_end_of_a_listing_need_one_line_of_code_beside_them() {
        let (code, bold, plain) = (face(true, false), face(false, true), face(false, false));
        let mut lines = [
            line(124.0, &[("All is bold:", bold)]),
            line(112.0, &[("$ ", plain), ("fire -x", bold), ("=2 \\", code)]),
            line(100.0, &[("  -y oak", code)]),
            line(88.0, &[("fire 40", bold)]),
            line(76.0, &[("$", bold)]),
            line(64.0, &[("Kilns", bold)]),
        ];
        settle(&mut lines);
        assert_eq!(
            texts(&lines),
            ["$ fire -x=2 \\", "  -y oak", "fire 40", "$"]
        );
    }
}
