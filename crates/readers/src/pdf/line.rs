//! A line of text on a page, in stretches of one face.

use crate::pdf::faces::Face;

/// A stretch of a line in one face.
#[derive(Debug, Clone)]
pub(crate) struct Piece {
    pub(crate) text: String,
    pub(crate) face: Face,
    /// Index into the page's links, counted from 1; 0 is none.
    pub(crate) link: u16,
    pub(crate) left: f32,
    pub(crate) right: f32,
    pub(crate) size: f32,
    /// Set above the line and smaller: the mark of a footnote, an exponent.
    pub(crate) is_raised: bool,
    /// Stands apart from what is before it in its line, as the cells of a table do.
    pub(crate) is_apart: bool,
}

/// A line of text.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) page: u32,
    /// The column it stands in, counted over the page.
    pub(crate) column: u16,
    pub(crate) left: f32,
    pub(crate) right: f32,
    pub(crate) y: f32,
    /// The size of most of its letters.
    pub(crate) size: f32,
    /// Left and right ends of its column.
    pub(crate) bounds: (f32, f32),
    pub(crate) pieces: Vec<Piece>,
    /// A long rule is drawn between it and the line above.
    pub(crate) is_below_rule: bool,
}

impl Line {
    /// Its words.
    pub(crate) fn text(&self) -> String {
        self.pieces
            .iter()
            .map(|piece| piece.text.as_str())
            .collect()
    }

    /// The share of its letters for which `is` holds.
    pub(crate) fn share(&self, is: impl Fn(&Piece) -> bool) -> f32 {
        let (mut those, mut all) = (0usize, 0usize);
        for piece in &self.pieces {
            let letters = piece.text.chars().filter(|c| !c.is_whitespace()).count();
            all += letters;
            if is(piece) {
                those += letters;
            }
        }
        those as f32 / all.max(1) as f32
    }

    /// Whether all of it is set in a typewriter's face.
    pub(crate) fn is_fixed(&self) -> bool {
        let is_sign = |piece: &Piece| !piece.text.chars().any(char::is_alphanumeric);
        self.pieces.iter().any(|piece| piece.face.is_fixed)
            && self.share(|piece| piece.face.is_fixed || is_sign(piece)) >= 0.9
    }

    /// Whether it holds only signs: an arrow, three dots.
    pub(crate) fn is_signs(&self) -> bool {
        !self.pieces.is_empty() && !self.text().chars().any(char::is_alphanumeric)
    }

    /// The width of a character of a typewriter's face.
    pub(crate) fn advance(&self) -> f32 {
        let (mut width, mut count) = (0.0, 0usize);
        for piece in self.pieces.iter().filter(|piece| piece.face.is_fixed) {
            width += piece.right - piece.left;
            count += piece.text.chars().count();
        }
        if count == 0 {
            self.size * 0.6
        } else {
            width / count as f32
        }
    }
}
