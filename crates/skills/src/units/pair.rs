//! Owns the units of good and bad examples, which are never told apart from their marks.

use super::{Extractor, Form, Place, Unit, UnitKind};
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::text::plain;

/// A pair that costs more is left to the library.
const TOKENS_MAX: usize = 500;

/// Words of which one opens the line above an example that is good or bad.
const MARKS: [&str; 34] = [
    "good",
    "bad",
    "do",
    "don't",
    "don’t",
    "avoid",
    "prefer",
    "preferred",
    "wrong",
    "right",
    "correct",
    "incorrect",
    "yes",
    "no",
    "✓",
    "✗",
    "✘",
    "✔",
    "❌",
    "✅",
    "👍",
    "👎",
    "discouraged",
    "recommended",
    "mauvais",
    "bon",
    "schlecht",
    "gut",
    "mal",
    "bien",
    "плохо",
    "хорошо",
    "正例",
    "反例",
];

pub(super) const EXTRACTOR: Extractor = Extractor {
    id: "pair",
    takes: "good and bad examples below their marks, all that follow each other",
    example: "Bad:\n\n```js\nfire()\n```\n\nGood:\n\n```js\nkiln.fire()\n```",
    run,
};

fn run(place: &Place<'_>, units: &mut Vec<Unit>) -> usize {
    let mut taken = 0;
    let mut blocks: Vec<Block> = Vec::new();
    while let (Some(mark), Some(code)) = (place.next(taken), place.next(taken + 1)) {
        let is_marked = is_mark(mark) && matches!(code.kind, BlockKind::Code { .. });
        if !is_marked {
            break;
        }
        blocks.extend([mark.clone(), code.clone()]);
        taken += 2;
    }
    let (Some(first), Some(last)) = (blocks.first(), blocks.last()) else {
        return 0;
    };
    let mut span = first.span.clone();
    span.bytes.end = span.bytes.end.max(last.span.bytes.end);
    let unit = place.unit(UnitKind::Pair, 0, Form::Blocks(blocks), span);
    if unit.tokens <= TOKENS_MAX {
        units.push(unit);
    }
    taken
}

/// Whether a block is a mark: a line of a few words that opens with one.
pub(super) fn is_mark(block: &Block) -> bool {
    let BlockKind::Paragraph(text) = &block.kind else {
        return false;
    };
    let text = plain(text).trim().to_lowercase();
    let first = text
        .split(|c: char| c.is_whitespace() || matches!(c, ':' | '：' | ',' | '.' | '!'))
        .next()
        .unwrap_or_default();
    let opens = MARKS.contains(&first)
        || MARKS
            .iter()
            .any(|mark| !mark.is_ascii() && text.starts_with(mark));
    opens && text.split_whitespace().count() <= 6
}
