//! Owns what a source names and does not hold: files that belong into it and figures without words; and how a skill says so.

use crate::scaffold::GAP;
use skillkiln_document::blocks::{Block, BlockKind, walk};
use skillkiln_document::missing;
use skillkiln_document::quick::QuickSet;

/// Most of them that are told.
pub const GAPS_MAX: usize = 12;
/// Longer names are those of contents, not of files.
const NAME_BYTES_MAX: usize = 120;

/// What a block itself names and does not hold; not what the blocks inside it do.
#[must_use]
pub fn of_block(block: &Block) -> Vec<String> {
    let mut names = match &block.kind {
        BlockKind::Paragraph(_) => missing::of(std::slice::from_ref(block))
            .into_iter()
            .map(|missing| missing.name)
            .collect(),
        BlockKind::Figure {
            source,
            alternative,
            caption,
        } if alternative.is_empty() && caption.is_empty() => vec![source.clone()],
        _ => Vec::new(),
    };
    names.retain(|name| !name.is_empty() && name.len() <= NAME_BYTES_MAX && !name.contains('`'));
    names
}

/// The first names of what blocks name and do not hold, each once, in their order.
#[must_use]
pub fn names(blocks: &[Block]) -> Vec<String> {
    let (mut out, mut seen) = (Vec::new(), QuickSet::default());
    walk(blocks, &mut |block| {
        for name in of_block(block) {
            if out.len() < GAPS_MAX && seen.insert(name.clone()) {
                out.push(name);
            }
        }
    });
    out
}

/// A line for each name, as a card says it.
#[must_use]
pub fn told(names: &[String]) -> Vec<String> {
    names
        .iter()
        .map(|name| format!("`{name}` {GAP}."))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::blocks::Span;
    use skillkiln_document::testing::document;

    #[test]
    fn includes_and_figures_without_words_are_told_once() {
        let figure = |source: &str, said: &str| Block {
            kind: BlockKind::Figure {
                source: source.into(),
                alternative: said.into(),
                caption: Vec::new(),
            },
            span: Span::default(),
        };
        let lamp = document("Included here: `lamp.yml`").blocks;
        let mut blocks = lamp.clone();
        blocks.extend([figure("door.png", ""), figure("b.png", "The door")]);
        blocks.extend(lamp);
        let names = names(&blocks);
        assert_eq!(names, ["lamp.yml", "door.png"]);
        assert_eq!(told(&names)[0], format!("`lamp.yml` {GAP}."));
    }
}
