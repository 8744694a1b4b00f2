//! Owns the SKILL.md of a short source: all of it, to the letter.

use super::compose::same_words;
use super::heading_words::is_structural;
use super::loaders;
use super::outline::{block_text, is_generic, unnumbered};
use super::page::Page;
use super::project::is_titled;
use super::talks::told::is_untold;
use crate::domain::document::{Block, BlockKind};
use crate::domain::text::plain;
use crate::pipeline::product::Origin;
use std::borrow::Cow;

/// A source within these bounds is its own best skill.
const WHOLE_TOKENS_MAX: usize = 4_000;
const WHOLE_LINES_MAX: u32 = 420;
/// Of a longer text no body is tried.
const WHOLE_BYTES_MAX: usize = 16 * WHOLE_TOKENS_MAX;

/// The title is repeated within so many blocks of the first.
const REPEATED_WITHIN: usize = 3;

/// A short source as SKILL.md.
pub(super) struct Whole {
    /// SKILL.md.
    pub(super) page: Page,
    /// Whether all of the source stands in it, so that no reference is needed.
    pub(super) is_complete: bool,
}

impl Whole {
    /// Of a text of which something is left out beforehand.
    pub(super) fn in_part(self) -> Self {
        Self {
            is_complete: false,
            ..self
        }
    }
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
    let says_none = |at, block: &Block| is_untold(block) || says_nothing(blocks, at, title);
    let mut left_out = vec![false; blocks.len()];
    for (at, (block, is_left_out)) in blocks.iter().zip(&mut left_out).enumerate() {
        *is_left_out = !is_complete && changes(&block) || says_none(at, block);
    }
    // What leads to code goes with it.
    for at in 1..blocks.len() {
        let is_led_to = blocks.get(at).is_some_and(|block| changes(&block));
        let leads = blocks.get(at - 1).is_some_and(leads_on);
        if !is_complete
            && is_led_to
            && leads
            && let Some(is_left_out) = left_out.get_mut(at - 1)
        {
            *is_left_out = true;
        }
    }
    let kept: Cow<'_, [Block]> = match left_out.contains(&true) {
        false => blocks.into(),
        true => {
            let kept = blocks.iter().zip(left_out);
            let kept = kept.filter(|(_, is_left_out)| !is_left_out);
            kept.map(|(block, _)| block.clone()).collect()
        }
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
        && is_titled(title, &plain(text))
    {
        span = Some(own.clone());
        rest = tail;
    }
    page.add_heading(1, title, span.as_ref());
    page.add_section(1, rest);
    (page.tokens() - header_tokens <= WHOLE_TOKENS_MAX && page.lines() <= WHOLE_LINES_MAX)
        .then_some(Whole { page, is_complete })
}

/// Whether a paragraph announces what follows it.
fn leads_on(block: &Block) -> bool {
    matches!(&block.kind, BlockKind::Paragraph(text) if plain(text).trim_end().ends_with([':', '：']))
}

/// Whether a block is a heading that tells nothing: the title once more behind it, or one of those that every text has
/// ("Description", "Contents") with nothing below it.
fn says_nothing(blocks: &[Block], at: usize, title: &str) -> bool {
    let heading = |at: usize| match blocks.get(at).map(|block| &block.kind) {
        Some(BlockKind::Heading { level, text }) => Some((*level, plain(text))),
        _ => None,
    };
    let Some((level, words)) = heading(at) else {
        return false;
    };
    let is_empty = match heading(at + 1) {
        Some((next, _)) => next <= level,
        None => at + 1 == blocks.len(),
    };
    let bare = unnumbered(&words);
    (1..=REPEATED_WITHIN).contains(&at) && same_words(&words, title)
        || is_empty && at > 0 && (is_generic(&bare) || is_structural(&bare))
}

fn is_longer(blocks: &[Block], bytes_max: usize) -> bool {
    let mut bytes = 0;
    blocks.iter().any(|block| {
        bytes += block_text(block).len();
        bytes > bytes_max
    })
}

#[cfg(test)]
mod tests {
    use super::{says_nothing, whole};
    use crate::pipeline::synthesize::testing::{document, origin};

    #[test]
    fn a_heading_without_text_and_the_title_once_more_say_nothing() {
        let void = |source: &str| -> Vec<usize> {
            let blocks = document(source).blocks;
            let all = 0..blocks.len();
            all.filter(|at| says_nothing(&blocks, *at, "Kilns"))
                .collect()
        };
        assert_eq!(void("# Kilns\n\nmod kilns\n\n## Kilns\n\nThey burn."), [2]);
        assert_eq!(void("# Kilns\n\n## Description\n\n## 2. Overview"), [1, 2]);
        assert!(void("# Kilns\n\n## Description\n\nThey burn.\n\n## Close the door").is_empty());
    }

    #[test]
    fn what_leads_to_code_that_is_left_out_is_left_out_with_it() {
        let text = "# Kilns\n\nThey burn.\n\nFor example:\n\n```\nfire $1\n```\n\nIt is hot.\n\nSo is this:\n\n```\nfire\n```";
        let blocks = document(text).blocks;
        let written = whole("", "Kilns", &blocks, &origin()).unwrap();
        assert!(!written.is_complete);
        let (text, _) = written.page.finish();
        assert!(
            !text.contains("For example") && text.contains("So is this:"),
            "{text}"
        );
    }
}
