//! Owns the SKILL.md of a short source: all of it, to the letter.

use super::compose::same_words;
use super::loaders;
use super::outline::block_text;
use super::page::Page;
use crate::domain::document::{Block, BlockKind};
use crate::domain::text::plain;
use crate::pipeline::product::Origin;
use std::borrow::Cow;

/// A source within these bounds is its own best skill.
const WHOLE_TOKENS_MAX: usize = 4_000;
const WHOLE_LINES_MAX: u32 = 420;
/// Of a longer text no body is tried.
const WHOLE_BYTES_MAX: usize = 16 * WHOLE_TOKENS_MAX;

/// A short source as SKILL.md.
pub(super) struct Whole {
    /// SKILL.md.
    pub(super) page: Page,
    /// Whether all of the source stands in it, so that no reference is needed.
    pub(super) is_complete: bool,
}

/// SKILL.md with the whole of `blocks`, to the letter, when that fits. A sentence that ages or points at another stays: beside all
/// that it speaks of it is the source's own, and what follows it leans on it. Only code that arguments would change is left out.
pub(super) fn whole(header: &str, title: &str, blocks: &[Block], origin: &Origin) -> Option<Whole> {
    if is_longer(blocks, WHOLE_BYTES_MAX) {
        return None;
    }
    let changes = |block: &&Block| {
        matches!(block.kind, BlockKind::Code { .. })
            && loaders::take_arguments(std::slice::from_ref(*block))
    };
    let is_complete = !blocks.iter().any(|block| changes(&block));
    let kept: Cow<'_, [Block]> = if is_complete {
        blocks.into()
    } else {
        let kept = blocks.iter().filter(|block| !changes(block));
        kept.cloned().collect()
    };
    if loaders::take_arguments(&kept) {
        return None;
    }
    let mut page = Page::new(None).telling_moments(origin);
    page.add(header, None);
    let header_tokens = page.tokens();
    let mut rest: &[Block] = &kept;
    let mut span = rest.first().map(|block| block.span.clone());
    if let Some((
        Block {
            kind: BlockKind::Heading { text, .. } | BlockKind::Paragraph(text),
            span: own,
        },
        tail,
    )) = rest.split_first()
        && !tail.is_empty()
        && same_words(&plain(text), title)
    {
        span = Some(own.clone());
        rest = tail;
    }
    page.add_heading(1, title, span.as_ref());
    page.add_section(1, rest);
    (page.tokens() - header_tokens <= WHOLE_TOKENS_MAX && page.lines() <= WHOLE_LINES_MAX)
        .then_some(Whole { page, is_complete })
}

fn is_longer(blocks: &[Block], bytes_max: usize) -> bool {
    let mut bytes = 0;
    blocks.iter().any(|block| {
        bytes += block_text(block).len();
        bytes > bytes_max
    })
}
