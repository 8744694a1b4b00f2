//! Owns the headings that a long text without any gets, so that a reader finds the way: each made of the words that follow it.

use super::describe::clip;
use super::outline::block_text;
use super::portions::{Measure, cut};
use super::wording::is_unfinished;
use crate::domain::document::{Block, BlockKind, Span};
use crate::domain::text::{Inline, plain, squash};
use crate::pipeline::markdown;

/// After so many lines, a heading is made.
const LINES_WITHOUT_HEADING: usize = 45;

/// A long text without headings of its own, with headings made of the words that follow them; `None` when it has its own.
pub(super) fn divided(title: &str, content: &[Block]) -> Option<Vec<Block>> {
    let is_title = |block: &Block| matches!(&block.kind, BlockKind::Heading { text, .. } if squash(&plain(text)) == title);
    let is_divided = content.iter().enumerate().any(|(offset, block)| {
        matches!(block.kind, BlockKind::Heading { .. }) && !(offset == 0 && is_title(block))
    });
    if is_divided {
        return None;
    }
    let level = match content.first().map(|block| &block.kind) {
        Some(BlockKind::Heading { level, .. }) => level.saturating_add(1).min(6),
        _ => 2,
    };
    let mut out: Vec<Block> = Vec::with_capacity(content.len() + content.len() / 16);
    let mut lines = 0;
    for block in content {
        let own = markdown::write(std::slice::from_ref(block)).lines().count() + 1;
        let parts = if own > LINES_WITHOUT_HEADING * 2 {
            cut(block, LINES_WITHOUT_HEADING, Measure::Lines)
        } else {
            vec![block.clone()]
        };
        let own = own / parts.len().max(1);
        let is_cut = parts.len() > 1;
        for part in parts {
            let is_due = match &part.kind {
                // Code tells little by its first line.
                BlockKind::Code { .. } | BlockKind::Math(_) | BlockKind::Figure { .. } => {
                    lines.max(own) >= LINES_WITHOUT_HEADING * 2
                }
                _ => lines >= LINES_WITHOUT_HEADING || is_cut,
            };
            if is_due
                && !out.last().is_some_and(announces)
                && let Some(opening) = opening(&part)
            {
                let span = Span::of(part.span.bytes.clone());
                let text = vec![Inline::Text(opening)];
                let kind = BlockKind::Heading { level, text };
                out.push(Block { kind, span });
                lines = 0;
            }
            lines += own;
            out.push(part);
        }
    }
    Some(out)
}

/// The first words of a block, as a heading over it.
fn opening(block: &Block) -> Option<String> {
    let text = block_text(block);
    let first = text
        .lines()
        .map(squash)
        .find(|line| line.contains(char::is_alphanumeric))?;
    let words: Vec<&str> = first.split(' ').take(8).collect();
    let opening = clip(&words.join(" "), 60);
    let tells = opening.contains(char::is_alphanumeric) && !is_unfinished(&opening);
    tells.then_some(opening)
}

/// Whether a block says that something follows.
fn announces(block: &Block) -> bool {
    matches!(&block.kind, BlockKind::Paragraph(text) if plain(text).trim_end().ends_with([':', '：']))
}
