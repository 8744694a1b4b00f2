//! Owns what of a block stands beside a model's statement: the source's own words, without those that age or point elsewhere, for
//! the block is torn from its surroundings there.

use crate::pipeline::synthesize::sentences::cut_sentences;
use crate::pipeline::synthesize::wording::is_unfit;
use skillkiln_document::blocks::{Block, BlockKind, Definition};
use skillkiln_document::text::{Inline, plain};

/// The block as a body may hold it; none when nothing is left.
pub(super) fn fitting(block: &Block) -> Option<Block> {
    keep(std::slice::from_ref(block)).pop()
}

fn keep(blocks: &[Block]) -> Vec<Block> {
    blocks
        .iter()
        .filter_map(|block| {
            let kind = match &block.kind {
                BlockKind::Paragraph(text) => BlockKind::Paragraph(sentences(text)?),
                BlockKind::Heading { level, text } => {
                    if is_unfit(&plain(text)) {
                        return None;
                    }
                    BlockKind::Heading {
                        level: *level,
                        text: text.clone(),
                    }
                }
                BlockKind::List { start, items } => BlockKind::List {
                    start: *start,
                    items: items
                        .iter()
                        .map(|item| keep(item))
                        .filter(|item| !item.is_empty())
                        .collect(),
                },
                BlockKind::Table {
                    header,
                    rows,
                    caption,
                } => BlockKind::Table {
                    header: header.clone(),
                    rows: rows
                        .iter()
                        .filter(|row| !row.iter().any(|cell| is_unfit(&plain(cell))))
                        .cloned()
                        .collect(),
                    caption: caption.clone(),
                },
                BlockKind::Quote(inner) => BlockKind::Quote(keep(inner)),
                BlockKind::Admonition {
                    class,
                    title,
                    blocks,
                } => BlockKind::Admonition {
                    class: class.clone(),
                    title: title.clone(),
                    blocks: keep(blocks),
                },
                BlockKind::Definitions(entries) => BlockKind::Definitions(
                    entries
                        .iter()
                        .map(|entry| Definition {
                            terms: entry.terms.clone(),
                            blocks: keep(&entry.blocks),
                        })
                        .collect(),
                ),
                BlockKind::Code { .. } | BlockKind::Math(_) | BlockKind::Figure { .. } => {
                    block.kind.clone()
                }
            };
            let is_empty = match &kind {
                BlockKind::List { items, .. } => items.is_empty(),
                BlockKind::Quote(inner) | BlockKind::Admonition { blocks: inner, .. } => {
                    inner.is_empty()
                }
                _ => false,
            };
            (!is_empty).then(|| Block {
                kind,
                span: block.span.clone(),
            })
        })
        .collect()
}

fn sentences(text: &[Inline]) -> Option<Vec<Inline>> {
    if !is_unfit(&plain(text)) {
        return Some(text.to_vec());
    }
    let mut out: Vec<Inline> = Vec::new();
    for sentence in cut_sentences(text) {
        if !is_unfit(&plain(&sentence)) {
            if !out.is_empty() {
                out.push(Inline::Text(" ".into()));
            }
            out.extend(sentence);
        }
    }
    (!out.is_empty()).then_some(out)
}
