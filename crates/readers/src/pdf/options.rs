//! Finds the options of a command in a manual: their names on short lines, and what they do set in below them or beside the last.

use crate::pdf::flow;
use crate::pdf::line::{Line, Piece};

/// The names of an option take no more of their column, and no more lines; they and what it does stand no further apart, in sizes of
/// their letters, and that is set in so far.
const OPTION_SHARE: f32 = 0.6;
const OPTIONS_MAX: usize = 8;
const OPTION_STEP: f32 = 2.6;
const MEANING_IN: std::ops::Range<f32> = 0.8..6.0;
/// A word of so many letters behind the name of an option tells of it.
const OPTION_WORD: usize = 4;
/// What an option does stands under its own beginning, or under that of others, but for so many points.
const TOLD_NEAR: f32 = 1.0;
/// The next line of what is told stands no further below, in sizes of the letters.
const LINE_STEP: f32 = 1.5;
/// So many lines below are looked at for others that stand there.
const TOLD_LINES: usize = 8;
/// What stands beside a name is set in so far, in sizes of the letters, when the column is made for longer ones.
const BESIDE_IN: std::ops::Range<f32> = 0.8..24.0;

/// An option that was found.
#[derive(Debug)]
pub(crate) struct Found {
    /// A line for each of its names.
    pub(crate) names: Vec<Line>,
    /// What stands beside the last name.
    pub(crate) beside: Option<Line>,
    /// The line that it goes on with.
    pub(crate) end: usize,
    /// Where what it does begins.
    pub(crate) told_at: f32,
}

/// The option whose names begin at line `at`; `told_at` says where those of the one before it stood, and where what it does.
pub(crate) fn at(
    lines: &[Line],
    at: usize,
    is_border: impl Fn(usize) -> bool,
    told_at: Option<(f32, f32)>,
) -> Option<Found> {
    let first = lines.get(at)?;
    let size = first.size.max(1.0);
    let width = first.bounds.1 - first.bounds.0;
    let is_level = |line: &Line| (line.left - first.left).abs() < 1.0;
    let names = |line: &Line| {
        is_level(line) && (line.right - line.left) < OPTION_SHARE * width && names_option(line)
    };
    let follows = |end: usize, line: &Line| {
        let last = end.checked_sub(1).and_then(|last| lines.get(last));
        end == at
            || !is_border(end)
                && end < at + OPTIONS_MAX
                && last.is_some_and(|last| flow::is_next(last, line, OPTION_STEP))
    };
    let mut end = at;
    while lines
        .get(end)
        .is_some_and(|line| names(line) && follows(end, line))
    {
        end += 1;
    }
    let own = lines.get(at..end).unwrap_or_default();
    let next = lines.get(end).filter(|_| end == at || !is_border(end))?;
    if is_level(next) && follows(end, next) {
        let (name, beside) = parted(lines, end, &is_border, told_at)?;
        return Some(Found {
            names: own.iter().cloned().chain([name]).collect(),
            told_at: beside.left,
            beside: Some(beside),
            end: end + 1,
        });
    }
    let last = own.last()?;
    let is_meaning = MEANING_IN.contains(&((next.left - first.left) / size))
        && !next.is_fixed()
        && (flow::is_next(last, next, OPTION_STEP) || next.page == last.page + 1);
    is_meaning.then(|| Found {
        names: own.to_vec(),
        beside: None,
        end,
        told_at: next.left,
    })
}

/// The name of an option at the beginning of line `at`, and what stands beside it: in the face of the text, where that of the next line
/// begins or of another option.
fn parted(
    lines: &[Line],
    at: usize,
    is_border: impl Fn(usize) -> bool,
    told_at: Option<(f32, f32)>,
) -> Option<(Line, Line)> {
    let line = lines.get(at)?;
    let is_told = |piece: &Piece| {
        let inset = (piece.left - line.left) / line.size.max(1.0);
        let is_near = |left: f32| (left - piece.left).abs() < TOLD_NEAR;
        let is_as_before =
            told_at.is_some_and(|(name, told)| (name - line.left).abs() < 2.0 && is_near(told));
        let below = lines.iter().enumerate().skip(at + 1).take(TOLD_LINES);
        let mut below = below
            .take_while(|(at, below)| {
                !is_border(*at)
                    && below.page == line.page
                    && below.column == line.column
                    && below.left > line.left - TOLD_NEAR
            })
            .filter(|(_, below)| !below.is_fixed());
        let mut is_below = || {
            below.any(|(_, below)| {
                is_near(below.left)
                    || names_option_first(below)
                        && below.pieces.iter().any(|piece| is_near(piece.left))
            })
        };
        BESIDE_IN.contains(&inset)
            && !piece.face.is_fixed
            && piece.text.contains(char::is_alphabetic)
            && (is_as_before || is_below())
    };
    let cut = line.pieces.iter().skip(1).position(is_told)? + 1;
    let (before, behind) = line.pieces.split_at_checked(cut)?;
    let told = behind.first()?;
    let last = before.last()?;
    // A sentence that begins with an option goes on at the margin, and what an item is called may end anywhere.
    let next = lines.get(at + 1).filter(|next| {
        !is_border(at + 1) && flow::is_next(line, next, LINE_STEP) && !names_option_first(next)
    });
    if next.is_some_and(|next| (next.left - told.left).abs() > TOLD_NEAR) {
        return None;
    }
    let is_apart = told.left - last.right > 0.2 * line.size || last.text.ends_with(' ');
    if !is_apart {
        return None;
    }
    let name = Line {
        right: last.right,
        pieces: before.to_vec(),
        ..line.clone()
    };
    let beside = Line {
        left: told.left,
        pieces: behind.to_vec(),
        ..line.clone()
    };
    names_option(&name).then_some((name, beside))
}

/// Whether the first piece of a line is the name of an option.
fn names_option_first(line: &Line) -> bool {
    let first = line.pieces.first().cloned();
    first.is_some_and(|first| {
        names_option(&Line {
            pieces: vec![first],
            ..line.clone()
        })
    })
}

/// Whether a line begins with the name of an option in a face of its own, one or two hyphens and a letter or a figure, and tells nothing
/// behind it.
fn names_option(line: &Line) -> bool {
    let text = line.text();
    let text = text.trim();
    let is_set = |piece: &Piece| piece.face.is_fixed || piece.face.is_bold;
    // What is said is in the text's face; a few letters only join names: `-1 (or --fast)`.
    let is_word =
        |run: &str| run.chars().count() >= OPTION_WORD || run.contains(|c| c >= '\u{2e80}');
    let says = |piece: &Piece| {
        let mut runs = piece.text.split(|c: char| !c.is_alphabetic());
        !is_set(piece) && !piece.face.is_italic && runs.any(is_word)
    };
    let name = text.strip_prefix("--").or_else(|| text.strip_prefix('-'));
    name.is_some_and(|name| name.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '?'))
        && line.pieces.first().is_some_and(is_set)
        && !line.pieces.iter().any(says)
        && !text.ends_with(['.', ':', ';'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdf::faces::Face;
    use crate::pdf::testing;

    /// A line of a name in a typewriter's face at the margin, and what stands at a place beside it or below.
    fn line(y: f32, name: &str, told: Option<(f32, &str)>) -> Line {
        let name = Piece {
            face: Face {
                is_fixed: true,
                ..Face::default()
            },
            right: 72.0 + 6.0 * name.len() as f32,
            ..testing::piece(name)
        };
        let told = told.map(|(left, words)| Piece {
            left,
            right: left + 5.0 * words.len() as f32,
            is_apart: true,
            ..testing::piece(words)
        });
        let pieces: Vec<Piece> = [name]
            .into_iter()
            .filter(|name| !name.text.is_empty())
            .chain(told)
            .collect();
        Line {
            y,
            left: pieces[0].left,
            right: pieces[pieces.len() - 1].right,
            ..testing::line(pieces)
        }
    }

    fn found(lines: &[Line], told_at: Option<(f32, f32)>) -> Option<(Vec<String>, Option<String>)> {
        let found = at(lines, 0, |_| false, told_at)?;
        let names = found.names.iter().map(Line::text).collect();
        Some((names, found.beside.map(|line| line.text())))
    }

    #[test]
    fn what_an_option_does_may_stand_beside_its_name() {
        let lines = [
            line(700.0, "-f", Some((108.0, "Burns what is in the kiln and"))),
            line(688.0, "", Some((108.0, "all that is beside it."))),
        ];
        let told = || {
            Some((
                vec!["-f".to_owned()],
                Some("Burns what is in the kiln and".to_owned()),
            ))
        };
        assert_eq!(found(&lines, None), told());
        // One line alone tells nothing, but for the option before it.
        assert_eq!(found(&lines[..1], None), None);
        assert_eq!(found(&lines[..1], Some((72.0, 108.0))), told());
    }

    #[test]
    fn names_of_one_option_stand_above_one_another() {
        let lines = [
            line(700.0, "-f", None),
            line(688.0, "--fire", Some((120.0, "Burns what is in"))),
            line(676.0, "", Some((120.0, "the kiln."))),
        ];
        let (names, beside) = found(&lines, None).unwrap();
        assert_eq!(names, ["-f", "--fire"]);
        assert_eq!(beside.as_deref(), Some("Burns what is in"));
    }

    #[test]
    fn an_option_that_a_sentence_begins_with_is_none_of_a_list() {
        let lines = [
            line(
                700.0,
                "-f",
                Some((87.0, "burns what is in the kiln, and it is")),
            ),
            line(688.0, "", Some((72.0, "set by all who fire it."))),
        ];
        assert_eq!(found(&lines, None), None);
        assert_eq!(found(&lines, Some((72.0, 87.0))), None);
    }
}
