//! Makes a list of the paragraphs of a manual page that its writer began with a star by hand, one below the other.

use crate::builder::put_below;
use skillkiln_document::blocks::{Block, BlockKind, Span};
use skillkiln_document::text::Inline;

/// What is typed before an item.
const MARK: &str = "* ";
/// One such paragraph alone may be a note.
const ITEMS_MIN: usize = 2;

/// Makes lists of such paragraphs among `blocks`, and of those in the lists that stand there.
pub(super) fn list(blocks: &mut Vec<Block>) {
    for block in blocks.iter_mut() {
        match &mut block.kind {
            BlockKind::Definitions(entries) => {
                entries.iter_mut().for_each(|entry| list(&mut entry.blocks));
            }
            BlockKind::List { items, .. } => items.iter_mut().for_each(list),
            _ => {}
        }
    }
    let listed: Vec<bool> = blocks
        .chunk_by(|one, next| is_item(one) == is_item(next))
        .flat_map(|run| {
            let is_list = run.len() >= ITEMS_MIN && run.iter().all(is_item);
            std::iter::repeat_n(is_list, run.len())
        })
        .collect();
    if !listed.contains(&true) {
        return;
    }
    for (block, is_listed) in std::mem::take(blocks).into_iter().zip(listed) {
        match is_listed {
            true => put_below(blocks, item(block)),
            false => blocks.push(block),
        }
    }
}

fn is_item(block: &Block) -> bool {
    match &block.kind {
        BlockKind::Paragraph(text) => match text.first() {
            Some(Inline::Text(words)) => words.starts_with(MARK),
            _ => false,
        },
        _ => false,
    }
}

/// The list that the one item is which a paragraph says.
fn item(mut block: Block) -> Block {
    let bytes = block.span.bytes.clone();
    if let BlockKind::Paragraph(text) = &mut block.kind
        && let Some(Inline::Text(words)) = text.first_mut()
    {
        words.drain(..MARK.len());
    }
    Block {
        kind: BlockKind::List {
            start: None,
            items: vec![vec![block]],
        },
        span: Span::of(bytes),
    }
}
