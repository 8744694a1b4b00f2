//! Owns what the tests of this room build pages from: a glyph, a stretch of a line and a line, of which each test says what matters.

use crate::pdf::faces::Face;
use crate::pdf::glyph::Glyph;
use crate::pdf::line::{Line, Piece};

/// A character of ten points at the origin, in the first face.
pub(crate) fn glyph(character: char) -> Glyph {
    Glyph {
        character,
        left: 0.0,
        right: 0.0,
        y: 0.0,
        size: 10.0,
        face: 0,
        link: 0,
        turn: 0,
        hidden: false,
    }
}

/// Words of ten points at the left margin.
pub(crate) fn piece(words: &str) -> Piece {
    Piece {
        text: words.to_owned(),
        face: Face::default(),
        link: 0,
        left: 72.0,
        right: 120.0,
        size: 10.0,
        is_raised: false,
        is_apart: false,
    }
}

/// A line of ten points across the first page.
pub(crate) fn line(pieces: Vec<Piece>) -> Line {
    Line {
        page: 1,
        column: 0,
        left: 72.0,
        right: 300.0,
        y: 0.0,
        size: 10.0,
        bounds: (72.0, 520.0),
        pieces,
        is_below_rule: false,
    }
}
