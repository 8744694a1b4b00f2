//! Owns the headings of texts that mark none: names that stand alone between empty lines, each over what it heads.

use skillkiln_document::blocks::{Block, BlockKind, Document};
use skillkiln_document::text::{Inline, plain, word_count};
use std::collections::HashSet;

/// So many names that stand alone are headings.
const NAMES_MIN: usize = 3;
/// A name has no more words, and no more characters.
const NAME_WORDS_MAX: usize = 6;
/// See [`NAME_WORDS_MAX`].
const NAME_CHARS_MAX: usize = 60;
/// A paragraph that is headed has so many words at least.
const PARAGRAPH_WORDS_MIN: usize = 8;
/// All that is headed has so many times the words of the names above it.
const WORDS_TIMES: usize = 6;

/// What letters end with.
const CLOSINGS: [&str; 14] = [
    "best",
    "best regards",
    "best wishes",
    "cheers",
    "kind regards",
    "many thanks",
    "regards",
    "sincerely",
    "sincerely yours",
    "thanks",
    "warm regards",
    "yours faithfully",
    "yours sincerely",
    "yours truly",
];

/// Makes headings of the names in a document that has none: only where each line that may be one is, the first of them at the top, no
/// two are called the same, as who speaks is, and something is listed or shown below one. A line alone above the first is the title.
pub(super) fn set_headings(mut document: Document) -> Document {
    let blocks = &mut document.blocks;
    let is_marked = |block: &Block| matches!(block.kind, BlockKind::Heading { .. });
    if !document.moments.is_empty() || blocks.iter().any(is_marked) {
        return document;
    }
    let Some(names) = names(blocks) else {
        return document;
    };
    let title = names.first().filter(|first| **first == 1).map(|_| 0);
    for (at, level) in title
        .map(|at| (at, 1))
        .into_iter()
        .chain(names.into_iter().map(|at| (at, 2)))
    {
        if let Some(block) = blocks.get_mut(at)
            && let BlockKind::Paragraph(text) = &mut block.kind
        {
            let text = std::mem::take(text);
            block.kind = BlockKind::Heading { level, text };
        }
    }
    if let Some(BlockKind::Heading { level: 1, text }) = blocks.first().map(|block| &block.kind)
        && document.title.is_none()
    {
        document.title = Some(plain(text));
    }
    document
}

/// The places of the names that head what is below them.
fn names(blocks: &[Block]) -> Option<Vec<usize>> {
    let (mut names, mut called) = (Vec::new(), HashSet::new());
    let (mut named, mut said, mut lists) = (0, 0, false);
    for (at, block) in blocks.iter().enumerate() {
        let Some(words) = line_alone(block) else {
            said += words_of(block);
            continue;
        };
        let leads = at == 0 && blocks.get(1).and_then(line_alone).is_some_and(is_name);
        if leads {
            continue;
        }
        if !is_name(words) {
            said += word_count(words);
            continue;
        }
        let below = blocks.get(at + 1).filter(|below| is_headed(below))?;
        let name = words.to_lowercase();
        if is_told(below) || CLOSINGS.contains(&name.as_str()) || !called.insert(name) {
            return None;
        }
        lists |= !matches!(below.kind, BlockKind::Paragraph(_));
        named += word_count(words);
        names.push(at);
    }
    let is_at_top = names.first().is_some_and(|first| *first < 2)
        && (names.first() == Some(&0) || blocks.first().and_then(line_alone).is_some());
    (is_at_top && lists && names.len() >= NAMES_MIN && said >= named * WORDS_TIMES).then_some(names)
}

/// Whether a paragraph is what somebody says, as below a greeting or a name.
fn is_told(block: &Block) -> bool {
    let BlockKind::Paragraph(text) = &block.kind else {
        return false;
    };
    let words = plain(text);
    words.starts_with(['"', '\'', '“', '‘', '„', '«']) || words.starts_with("I ")
}

/// The words of a paragraph that is one short line without marks and without an end.
fn line_alone(block: &Block) -> Option<&str> {
    let BlockKind::Paragraph(text) = &block.kind else {
        return None;
    };
    let [Inline::Text(words)] = text.as_slice() else {
        return None;
    };
    let is_line = block.span.bytes.len() <= words.len() + 2;
    let is_short = word_count(words) <= NAME_WORDS_MAX && words.chars().count() <= NAME_CHARS_MAX;
    let is_open = words.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ')' | '?'));
    (is_line && is_short && is_open).then_some(words)
}

/// Whether a short line may be a name: it begins with a capital, and has no signs in it that part words.
fn is_name(words: &str) -> bool {
    words.starts_with(char::is_uppercase)
        && words.contains(char::is_lowercase)
        && !words.contains([
            ':', ';', ',', '=', '/', '\\', '@', '|', '$', '{', '<', '"', '—', '–',
        ])
        && !words.contains(". ")
        && !words.contains(|c: char| c.is_ascii_digit())
}

/// Whether a block may stand below a heading: something that is listed or shown, or a paragraph of more than a few words.
fn is_headed(block: &Block) -> bool {
    match &block.kind {
        BlockKind::Paragraph(text) => {
            let has_more = || text.iter().any(|piece| !matches!(piece, Inline::Text(_)));
            word_count(&plain(text)) >= PARAGRAPH_WORDS_MIN
                || line_alone(block).is_none() && has_more()
        }
        BlockKind::Heading { .. } => false,
        _ => true,
    }
}

/// How many words a block has.
fn words_of(block: &Block) -> usize {
    word_count(&skillkiln_document::markdown::write(std::slice::from_ref(
        block,
    )))
}

#[cfg(test)]
mod tests {
    use super::set_headings;
    use crate::markup::markdown;
    use skillkiln_document::markdown::write;

    fn written(source: &str) -> String {
        write(&set_headings(markdown::read(source.to_owned())).blocks)
    }

    const SECTIONS: &str = "Overview\n\n- It burns every day of the year, and at night as well.\n- It is hot enough for all the clay of the yard.\n\nCommand scheduling\n\nThe commands are run in the order in which they come, and never at once.\n\nThread Identity\n\n`light()`\n\n- It is lit by the first thread that asks for heat.\n";

    #[test]
    fn names_that_stand_alone_head_what_is_below_them_where_nothing_is_marked() {
        let text = written(&format!("useKiln\n\n{SECTIONS}"));
        assert!(
            text.starts_with("# useKiln\n\n## Overview\n\n- It burns"),
            "{text}"
        );
        assert!(
            text.contains("\n## Command scheduling\n\nThe")
                && text.contains("\n## Thread Identity\n\n`light()`\n"),
            "{text}"
        );
        assert!(written(SECTIONS).starts_with("## Overview\n"));
    }

    #[test]
    fn where_one_line_alone_heads_nothing_none_does() {
        for source in [
            format!("{SECTIONS}\nBest regards\n"),
            format!(
                "{SECTIONS}\nKiln\n\nWood\n\nIt burns every day of the year, and at night as well.\n"
            ),
            format!(
                "{SECTIONS}\nOverview\n\nIt burns every day of the year, and at night as well.\n"
            ),
            format!(
                "{SECTIONS}\nBest regards\n\nIt burns every day of the year, and at night as well.\n"
            ),
            format!(
                "{SECTIONS}\nGood morning\n\n\"It burns every day of the year,\" he said, and at night.\n"
            ),
            format!("It burns.\n\n{SECTIONS}"),
            format!("{SECTIONS}\n## Wood\n\nIt burns.\n"),
        ] {
            assert!(!written(&source).contains("# Overview"), "{source}");
        }
    }

    #[test]
    fn names_over_nothing_but_paragraphs_may_be_those_of_persons() {
        let said = "It burns every day of the year, and at night as well, and is hot.";
        let source =
            format!("Alice Smith\n\n{said}\n\nBob Jones\n\n{said}\n\nCarol White\n\n{said}\n");
        assert!(!written(&source).contains('#'), "{}", written(&source));
    }
}
