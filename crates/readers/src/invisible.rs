//! Owns that nobody is handed what nobody sees: characters without a shape, such as the marks where a word may be parted at the end
//! of a line, go from words and from code alike, and so does what holds nothing else.

use crate::builder::{each_block, each_words, tidy};
use skillkiln_document::blocks::{Block, BlockKind, Document};
use skillkiln_document::text::Inline;
use skillkiln_document::unseen::{is_signal, is_unseen, without_unseen};
use std::borrow::Cow;

/// Takes from a document the characters that have no shape, from what it says of itself too.
pub fn clear_document(document: &mut Document) {
    clear(&mut document.blocks);
    let about = &mut document.about;
    let said = [
        &mut document.title,
        &mut about.author,
        &mut about.date,
        &mut about.site,
        &mut about.description,
    ];
    for text in said.into_iter().flatten() {
        clear_text(text);
    }
}

/// Takes from all blocks the characters that have no shape, and the paragraphs that are made of nothing else.
pub fn clear(blocks: &mut Vec<Block>) {
    blocks.retain(|block| match &block.kind {
        BlockKind::Paragraph(text) | BlockKind::Heading { text, .. } => !is_blank(text),
        _ => true,
    });
    each_words(blocks, &mut clear_words);
    each_block(blocks, &mut |block| match &mut block.kind {
        BlockKind::Code { text, .. }
        | BlockKind::Math(text)
        | BlockKind::Figure {
            alternative: text, ..
        }
        | BlockKind::Admonition {
            title: Some(text), ..
        } => {
            clear_text(text);
        }
        _ => {}
    });
}

/// Whether words hold something, and nothing of it has a shape.
fn is_blank(words: &[Inline]) -> bool {
    let is_bare = |word: &Inline| match word {
        Inline::Text(text) => text.chars().all(|c| is_unseen(c) || c.is_whitespace()),
        _ => false,
    };
    !words.is_empty() && words.iter().all(is_bare)
}

fn clear_words(words: &mut Vec<Inline>) {
    if clear_each(words) {
        // What stood between two blanks leaves one.
        *words = tidy(std::mem::take(words));
    }
}

/// Clears pieces of running text; whether there was something to clear.
fn clear_each(words: &mut [Inline]) -> bool {
    let mut is_cleared = false;
    for word in words {
        is_cleared |= match word {
            Inline::Text(text) | Inline::Code(text) | Inline::Math(text) => clear_text(text),
            Inline::Emphasis(inner) | Inline::Strong(inner) => clear_each(inner),
            Inline::Link(link) => clear_each(&mut link.text),
            Inline::Break => false,
        };
    }
    is_cleared
}

/// Clears a text; whether there was something to clear.
fn clear_text(text: &mut String) -> bool {
    let has_signals = text.contains(is_signal);
    if has_signals {
        text.retain(|c| !is_signal(c));
    }
    match without_unseen(text) {
        Cow::Owned(seen) => {
            *text = seen;
            true
        }
        Cow::Borrowed(_) => has_signals,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::read_plain;
    use skillkiln_document::markdown::write;

    #[test]
    fn marks_that_nobody_sees_stand_neither_in_words_nor_in_code_nor_alone() {
        let source = "The ki\u{ad}ln is \u{200b} hot.\n\n\u{ad}\n\nIt burns:\n\n    light(\u{ad});\n    burn(\u{feff}\"wo\u{1e}od\");\n";
        let mut blocks = read_plain(source.to_owned()).blocks;
        clear(&mut blocks);
        assert_eq!(
            write(&blocks),
            "The kiln is hot.\n\nIt burns:\n\n```\nlight();\nburn(\"wood\");\n```\n"
        );
    }

    #[test]
    fn a_joiner_stays_where_letters_need_it() {
        let mut blocks = read_plain("می‌خواهم\n".to_owned()).blocks;
        clear(&mut blocks);
        assert_eq!(write(&blocks), "می‌خواهم\n");
    }
}
