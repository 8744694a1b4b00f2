//! Knows the marks of list items, and which list a block belongs to by how far it is set in.

use crate::builder::Builder;
use crate::pdf::line::Line;
use skillkiln_document::blocks::{Block, BlockKind};

/// Lists within lists.
const DEPTH_MAX: usize = 8;
/// How near places count as the same.
const NEAR: f32 = 3.0;
/// Numbers of one list stand no further apart than this, when they are set at their right edges or pages have other margins.
const NUMBERS_WITHIN: f32 = 20.0;

/// Marks of items.
const BULLETS: [char; 22] = [
    '▶', '▸', '►', '➤', '•', '◦', '▪', '‣', '∙', '●', '○', '■', '□', '◆', '➢', '✓', '\u{f0b7}',
    '·', '⋄', '–', '*', '-',
];

/// What a list item begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Marker {
    /// Its number, of ordered lists.
    pub(crate) number: Option<u64>,
    /// Bytes of the line that it takes.
    bytes: usize,
}

/// The mark that a line begins with.
pub(crate) fn marker(line: &Line) -> Option<Marker> {
    if line.is_fixed() && line.pieces.len() == 1 {
        return None;
    }
    let text: String = line.text().chars().take(12).collect();
    let trimmed = text.trim_start();
    let lead = text.len() - trimmed.len();
    let first = trimmed.chars().next()?;
    if BULLETS.contains(&first) || is_dingbat(first, line) {
        let rest = trimmed.get(first.len_utf8()..)?;
        // A dash or a star is a mark only with room behind it.
        let is_apart = rest.starts_with(' ') || rest.is_empty() && line.pieces.len() > 1;
        let is_bullet = !matches!(first, '–' | '*' | '-' | '·');
        return (is_apart || is_bullet && !rest.is_empty()).then_some(Marker {
            number: None,
            bytes: lead + first.len_utf8(),
        });
    }
    let inner = trimmed.strip_prefix('(').unwrap_or(trimmed);
    let digits = inner.chars().take_while(char::is_ascii_digit).count();
    if digits == 0 || digits > 3 {
        return None;
    }
    let rest = inner.get(digits..)?;
    let close = rest.chars().next().filter(|c| matches!(c, '.' | ')'))?;
    let after = rest.get(close.len_utf8()..)?;
    if !after.starts_with(' ') {
        return None;
    }
    Some(Marker {
        number: inner.get(..digits)?.parse().ok(),
        bytes: text.len() - after.len(),
    })
}

/// Whether a line begins with a sign of a font of signs, which has no character, apart from its words.
fn is_dingbat(first: char, line: &Line) -> bool {
    let [mark, words, ..] = line.pieces.as_slice() else {
        return false;
    };
    matches!(first, '\u{e000}'..='\u{f8ff}')
        && mark.text.trim().chars().count() == 1
        && mark.face != words.face
        && !words.face.is_italic
        && (mark.text.ends_with(' ') || words.is_apart || words.text.starts_with(' '))
        && words
            .text
            .trim_start()
            .chars()
            .take(2)
            .filter(|c| c.is_alphabetic())
            .count()
            == 2
}

/// Whether a line begins with a bullet in another face than the code behind it.
pub(crate) fn is_bulleted(line: &Line) -> bool {
    let first = line.pieces.first();
    first.is_some_and(|piece| {
        let mark = piece.text.trim_start().chars().next();
        !piece.face.is_fixed && mark.is_some_and(|mark| !matches!(mark, '–' | '*' | '-' | '·'))
    }) && marker(line).is_some_and(|marker| marker.number.is_none())
}

/// Takes the mark off a line.
pub(crate) fn take_marker(line: &mut Line) -> Option<Marker> {
    let marker = marker(line)?;
    let mut left = marker.bytes;
    while left > 0 {
        let Some(piece) = line.pieces.first_mut() else {
            break;
        };
        if piece.text.len() <= left {
            left -= piece.text.len();
            line.pieces.remove(0);
        } else {
            piece.text = piece.text.get(left..).unwrap_or("").trim_start().to_owned();
            left = 0;
        }
    }
    Some(marker)
}

/// Where the text of an item begins, right of its mark.
pub(crate) fn content_left(line: &Line) -> Option<f32> {
    let mut rest = line.clone();
    take_marker(&mut rest)?;
    let first = rest.pieces.first()?;
    let is_split = line.pieces.len() != rest.pieces.len();
    Some(if is_split {
        first.left
    } else {
        line.left + 1.5 * line.size
    })
}

#[derive(Debug)]
struct Open {
    left: f32,
    start: Option<u64>,
    here: usize,
    items: Vec<Vec<Block>>,
    /// Where the last list stood that ended within the item that is open.
    inner: Option<f32>,
}

/// The blocks so far, and the lists that are open.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    blocks: Vec<Block>,
    open: Vec<Open>,
}

impl Lists {
    /// Begins an item whose mark stands at `left`.
    pub(crate) fn item(&mut self, left: f32, marker: &Marker, builder: &mut Builder) {
        if let Some(counted) = self.counted(left, marker) {
            while self.open.len() > counted + 1 {
                self.close_one(builder);
            }
            if let Some(last) = self.open.last_mut() {
                last.items.push(Vec::new());
                last.inner = None;
            }
            return;
        }
        while let Some(last) = self.open.last() {
            let is_here =
                (last.left - left).abs() <= NEAR && last.start.is_some() == marker.number.is_some();
            if is_here || left > last.left + NEAR && self.open.len() < DEPTH_MAX {
                break;
            }
            self.close_one(builder);
        }
        let continues = self
            .open
            .last()
            .is_some_and(|last| (last.left - left).abs() <= NEAR);
        if !continues {
            self.open.push(Open {
                left,
                start: marker.number,
                here: builder.here(),
                items: Vec::new(),
                inner: None,
            });
        }
        if let Some(last) = self.open.last_mut() {
            last.items.push(Vec::new());
            last.inner = None;
        }
    }

    /// The open list that the number of an item goes on with, where none at its own place does.
    fn counted(&self, left: f32, marker: &Marker) -> Option<usize> {
        let number = marker.number.filter(|number| *number > 1)?;
        let expects = |open: &&Open| {
            let items = u64::try_from(open.items.len()).unwrap_or(u64::MAX);
            open.start.map(|start| start.saturating_add(items)) == Some(number)
        };
        let is_here = |open: &&Open| (open.left - left).abs() <= NEAR;
        if self.open.iter().filter(is_here).any(|open| expects(&open)) {
            return None;
        }
        // What stands where a list within the last item stood goes on with that.
        let is_inner = |open: &Open| open.inner.is_some_and(|it| (it - left).abs() <= NEAR);
        self.open.iter().rposition(|open| {
            expects(&open) && !is_inner(open) && (open.left - left).abs() <= NUMBERS_WITHIN
        })
    }

    /// Something else begins at `left`: lists it is not set into end.
    pub(crate) fn enter(&mut self, left: f32, builder: &mut Builder) {
        while self
            .open
            .last()
            .is_some_and(|last| left <= last.left + NEAR)
        {
            self.close_one(builder);
        }
    }

    /// Ends all lists.
    pub(crate) fn close(&mut self, builder: &mut Builder) {
        while !self.open.is_empty() {
            self.close_one(builder);
        }
    }

    /// A block, in the item that is open.
    pub(crate) fn push(&mut self, block: Block) {
        match self.open.last_mut() {
            Some(open) => match open.items.last_mut() {
                Some(item) => item.push(block),
                None => open.items.push(vec![block]),
            },
            None => self.blocks.push(block),
        }
    }

    /// All blocks.
    pub(crate) fn finish(mut self, builder: &mut Builder) -> Vec<Block> {
        self.close(builder);
        self.blocks
    }

    fn close_one(&mut self, builder: &mut Builder) {
        let Some(open) = self.open.pop() else { return };
        if let Some(around) = self.open.last_mut() {
            around.inner = Some(open.left);
        }
        let mut items = open.items;
        items.retain(|item| !item.is_empty());
        if items.is_empty() {
            return;
        }
        let page = items
            .first()
            .and_then(|item| item.first())
            .and_then(|block| block.span.page());
        let kind = BlockKind::List {
            start: open.start,
            items,
        };
        let mut block = builder.around(open.here, kind);
        block.span.landmark_mut().page = page;
        self.push(block);
    }
}

impl Lists {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdf::faces::Face;
    use crate::pdf::line::Piece;
    use crate::pdf::testing;

    fn number(pieces: Vec<Piece>) -> Option<Option<u64>> {
        marker(&testing::line(pieces)).map(|marker| marker.number)
    }

    #[test]
    fn a_sign_of_a_font_of_signs_begins_an_item() {
        let bold = Piece {
            face: Face {
                is_bold: true,
                ..Face::default()
            },
            ..testing::piece("\u{f0a7} ")
        };
        let words = testing::piece("The kiln burns.");
        assert_eq!(number(vec![bold, words]), Some(None));
        assert_eq!(number(vec![testing::piece("\u{e123}kiln")]), None);
    }
}
