//! Tells boxes that a form is laid out in from the cells of a table: each holds rows of its own, so that it is read by itself.

use crate::pdf::line::{Line, Piece};

/// So many lines of a box have parts that stand apart, and so many of a hundred.
const ROWS_MIN: usize = 3;
const ROWS_OF_HUNDRED: usize = 60;

/// The lines of a frame, box by box, where most of its boxes hold rows. `boxes` holds the lines of each in reading order; a line is
/// in as many as rules part it into.
pub(crate) fn read_apart(boxes: Vec<Vec<Line>>, first_column: u16) -> Option<Vec<Line>> {
    let filled = boxes.iter().filter(|lines| !lines.is_empty()).count();
    let with_rows = boxes.iter().filter(|lines| holds_rows(lines)).count();
    if filled < 2 || with_rows * 2 <= filled {
        return None;
    }
    let apart = (first_column..).zip(boxes).flat_map(|(column, lines)| {
        let left = lines.iter().map(|line| line.left).fold(f32::MAX, f32::min);
        let right = lines.iter().map(|line| line.right).fold(f32::MIN, f32::max);
        lines.into_iter().map(move |line| Line {
            column,
            bounds: (left, right),
            ..line
        })
    });
    Some(apart.collect())
}

/// Whether most lines of a box have parts that stand apart, as the cells of a table do not.
fn holds_rows(lines: &[Line]) -> bool {
    // The bullet of an item stands apart too.
    let is_word = |piece: &Piece| piece.text.contains(char::is_alphanumeric);
    let has_parts = |line: &&Line| {
        let mut pieces = line.pieces.iter();
        pieces.next().is_some_and(is_word) && pieces.any(|piece| piece.is_apart)
    };
    let rows = lines.iter().filter(has_parts).count();
    rows >= ROWS_MIN && rows * 100 >= lines.len() * ROWS_OF_HUNDRED
}
