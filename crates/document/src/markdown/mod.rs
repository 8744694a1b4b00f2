//! Markdown as the skills speak it: the writer from blocks, the escaping of running text, and the text a rendered page shows.
//!
//! ```text
//! blocks ──write──▶ Markdown ──rendered_text──▶ what a reader sees, whose words are counted
//! ```
//!
//! Invariant: what [`write()`] puts out renders with the same words and the same code as the blocks hold.

pub mod blocks;
pub mod escape;
pub mod inline;
pub mod rendered;
#[cfg(test)]
mod round_trip;

use crate::blocks::Block;

/// `blocks` as Markdown, ending with a line break unless there is nothing to write.
#[must_use]
pub fn write(blocks: &[Block]) -> String {
    blocks::write(blocks)
}

/// The text that `markdown` shows when it is rendered, without its front matter.
#[must_use]
pub fn rendered_text(markdown: &str) -> String {
    rendered::rendered_text(markdown)
}

/// The number of words of [`rendered_text`] (decision 16).
#[must_use]
pub fn word_count(markdown: &str) -> usize {
    rendered::word_count(markdown)
}
