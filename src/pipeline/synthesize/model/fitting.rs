//! Owns the shape of a short source as the body of SKILL.md: without wording that ages, and with headings of its own for
//! steps, rules and commands when the source has none.

use super::sentences::cut_sentences;
use super::wording::is_unfit;
use crate::domain::document::{Block, BlockKind, Definition};
use crate::domain::text::{Inline, plain};

/// The blocks as a body may hold them, and whether nothing had to be left out.
pub(super) fn for_body(blocks: &[Block]) -> (Vec<Block>, bool) {
    let mut complete = true;
    let kept = keep(blocks, &mut complete);
    (kept, complete)
}

fn keep(blocks: &[Block], complete: &mut bool) -> Vec<Block> {
    blocks
        .iter()
        .filter_map(|block| {
            let kind = match &block.kind {
                BlockKind::Paragraph(text) => BlockKind::Paragraph(sentences(text, complete)?),
                BlockKind::Heading { level, text } => {
                    if is_unfit(&plain(text)) {
                        *complete = false;
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
                        .map(|item| keep(item, complete))
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
                        .filter(|row| {
                            let ages = row.iter().any(|cell| is_unfit(&plain(cell)));
                            *complete &= !ages;
                            !ages
                        })
                        .cloned()
                        .collect(),
                    caption: caption.clone(),
                },
                BlockKind::Quote(inner) => BlockKind::Quote(keep(inner, complete)),
                BlockKind::Admonition {
                    class,
                    title,
                    blocks,
                } => BlockKind::Admonition {
                    class: class.clone(),
                    title: title.clone(),
                    blocks: keep(blocks, complete),
                },
                BlockKind::Definitions(entries) => BlockKind::Definitions(
                    entries
                        .iter()
                        .map(|entry| Definition {
                            terms: entry.terms.clone(),
                            blocks: keep(&entry.blocks, complete),
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

fn sentences(text: &[Inline], complete: &mut bool) -> Option<Vec<Inline>> {
    if !is_unfit(&plain(text)) {
        return Some(text.to_vec());
    }
    *complete = false;
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
