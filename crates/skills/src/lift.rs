//! Owns how what is wrapped comes out of its wrapping: headings inside of lists and glossaries divide a document as those outside do, so
//! their items stand in the text by themselves (pages of class documentation are lists of lists of sections).

use skillkiln_document::blocks::{Block, BlockKind, NESTING_MAX};
use skillkiln_document::text::Inline;

/// The blocks with every item that has headings in it unwrapped; `None` where there is none.
#[must_use]
pub fn lifted(blocks: &[Block]) -> Option<Vec<Block>> {
    if !blocks.iter().any(|block| has_heading(block, 0)) {
        return None;
    }
    let mut out = Vec::with_capacity(blocks.len() + 16);
    for block in blocks {
        lift(block, 0, &mut out);
    }
    Some(out)
}

/// Whether a heading stands inside of a block.
fn has_heading(block: &Block, depth: usize) -> bool {
    let any = |blocks: &[Block]| {
        blocks.iter().any(|one| {
            matches!(one.kind, BlockKind::Heading { .. })
                || depth < NESTING_MAX && has_heading(one, depth + 1)
        })
    };
    match &block.kind {
        BlockKind::List { items, .. } => items.iter().any(|item| any(item)),
        BlockKind::Definitions(entries) => entries.iter().any(|entry| any(&entry.blocks)),
        BlockKind::Quote(inner) => any(inner),
        _ => false,
    }
}

fn lift(block: &Block, depth: usize, out: &mut Vec<Block>) {
    if depth > NESTING_MAX || !has_heading(block, depth) {
        out.push(block.clone());
        return;
    }
    let each = |blocks: &[Block], out: &mut Vec<Block>| {
        for inner in blocks {
            lift(inner, depth + 1, out);
        }
    };
    match &block.kind {
        BlockKind::List { items, .. } => items.iter().for_each(|item| each(item, out)),
        BlockKind::Quote(inner) => each(inner, out),
        BlockKind::Definitions(entries) => {
            for entry in entries {
                for term in &entry.terms {
                    out.push(Block {
                        kind: BlockKind::Paragraph(vec![Inline::Strong(term.clone())]),
                        span: block.span.clone(),
                    });
                }
                each(&entry.blocks, out);
            }
        }
        _ => out.push(block.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::testing::{block, words};

    #[test]
    fn headings_in_items_divide_the_document() {
        let heading = |text: &str| {
            let kind = BlockKind::Heading {
                level: 3,
                text: words(text),
            };
            block(kind, 0..4)
        };
        let said = |text: &str| block(BlockKind::Paragraph(words(text)), 5..9);
        let list = |items| block(BlockKind::List { start: None, items }, 0..9);
        let inner = list(vec![vec![said("one")], vec![said("two")]]);
        let outer = list(vec![vec![
            heading("fire"),
            said("It fires."),
            inner.clone(),
        ]]);
        let blocks = lifted(&[outer]).unwrap();
        assert_eq!(blocks, [heading("fire"), said("It fires."), inner.clone()]);
        assert_eq!(lifted(&[inner]), None);
    }
}
