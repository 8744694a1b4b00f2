//! Owns what the tests of this room build pages from: a glyph, a stretch of a line and a line, of which each test says what matters.
//!
//! A page may be written down as it looks, a row a line: measures, then words, whose stretches stand between marks: "`" a fixed face, `*`
//! a bold one, `~` a slanted one, `^` one without a name; `¦` parts stretches of one face.

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

const MARKS: [char; 5] = ['`', '*', '~', '^', '¦'];

/// The rows of a page: two measures, and a line of words from the left margin on, each letter six points wide.
pub(crate) fn rows(text: &str) -> impl Iterator<Item = ([f32; 2], Line)> {
    let rows = text.lines().map(str::trim).filter(|row| !row.is_empty());
    rows.map(|row| {
        let mut fields = row.splitn(3, ' ');
        let measures = [(); 2].map(|()| fields.next().unwrap().parse().unwrap());
        let mut line = line(Vec::new());
        line.right = line.left;
        let mut face = Face::default();
        for stretch in fields.next().unwrap().split_inclusive(MARKS) {
            let words = stretch.trim_end_matches(MARKS);
            let left = line.right;
            line.right += 6.0 * words.chars().count() as f32;
            let right = line.right;
            let own = Piece {
                face,
                left,
                right,
                ..piece(words)
            };
            line.pieces.extend(Some(own).filter(|_| !words.is_empty()));
            match stretch.strip_prefix(words) {
                Some("`") => face.is_fixed ^= true,
                Some("*") => face.is_bold ^= true,
                Some("~") => face.is_italic ^= true,
                Some("^") => face.is_nameless ^= true,
                _ => {}
            }
        }
        (measures, line)
    })
}
