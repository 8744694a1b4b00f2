//! Owns what is mended in every document once it is read, whatever it was read from: its headings, and links that say
//! nothing of where they lead.

use crate::builder::{each_block, tidy};
use crate::words::{WordList, phrases};
use crate::{includes, pictures};
use skillkiln_document::blocks::{Block, BlockKind, Definition, Document, Span};
use skillkiln_document::text::{Inline, Link, plain};

/// A longer address is no name of a file.
const FILE_CHARS: usize = 80;

/// What links say that is nothing without the place they lead to.
static MUTE: WordList =
    phrases!("here | this | this page | this file | this link | this document | link | there");

/// Names the files that a document takes in and does not hold, takes the colons from the ends of headings and names where mute links
/// lead.
pub fn finish(document: &mut Document) {
    each_block(&mut document.blocks, &mut includes::name);
    pictures::drop_mute(&mut document.blocks);
    each_block(&mut document.blocks, &mut |block| match &mut block.kind {
        BlockKind::Heading { text, .. } => without_colon(text),
        BlockKind::Paragraph(text) => name_targets(text),
        BlockKind::Table { rows, .. } => rows.iter_mut().flatten().for_each(name_targets),
        BlockKind::List { start: None, items } => {
            *items = std::mem::take(items).into_iter().flat_map(flat).collect();
        }
        _ => {}
    });
    if let Some(title) = &mut document.title {
        title.truncate(bare(title).len());
    }
}

/// The items that an item is which only holds a list or definitions: what lists has one mark.
fn flat(mut item: Vec<Block>) -> Vec<Vec<Block>> {
    match item.as_mut_slice() {
        [
            Block {
                kind: BlockKind::List { items, .. },
                ..
            },
        ] => std::mem::take(items),
        [
            Block {
                kind: BlockKind::Definitions(entries),
                span,
            },
        ] => std::mem::take(entries)
            .into_iter()
            .map(|entry| told(entry, span))
            .collect(),
        _ => vec![item],
    }
}

/// A definition as an item: its terms lead its first paragraph. Words that go on there in small letters are one sentence with them.
fn told(entry: Definition, span: &Span) -> Vec<Block> {
    let mut blocks = entry.blocks;
    let mut text = Vec::new();
    for term in entry.terms {
        if !text.is_empty() {
            text.push(Inline::Text(", ".to_owned()));
        }
        text.extend(term);
    }
    if let Some(Block {
        kind: BlockKind::Paragraph(words),
        ..
    }) = blocks.first_mut()
    {
        let goes_on = plain(words).starts_with(char::is_lowercase) && !plain(&text).ends_with(':');
        if !goes_on {
            let is_code = matches!(text.as_slice(), [Inline::Code(_)]);
            let ends = plain(&text).ends_with(':');
            text = if is_code {
                text
            } else {
                vec![Inline::Strong(text)]
            };
            text.extend((!ends).then(|| Inline::Text(":".to_owned())));
        }
        text.push(Inline::Text(" ".to_owned()));
        text.append(words);
        *words = tidy(text);
    } else {
        blocks.insert(
            0,
            Block {
                kind: BlockKind::Paragraph(text),
                span: span.clone(),
            },
        );
    }
    blocks
}

/// Names the files that links lead to which say nothing: such a link leads nowhere once its document stands elsewhere.
fn name_targets(text: &mut Vec<Inline>) {
    let is_mute = |inline: &Inline| matches!(inline, Inline::Link(link) if mute_to(link).is_some());
    for piece in text.iter_mut() {
        if let Inline::Emphasis(inner) | Inline::Strong(inner) = piece {
            name_targets(inner);
        }
    }
    if !text.iter().any(is_mute) {
        return;
    }
    for piece in std::mem::take(text) {
        match piece {
            Inline::Link(link) => match mute_to(&link).map(str::to_owned) {
                Some(file) => {
                    text.extend(link.text);
                    text.extend([
                        Inline::Text(" (".to_owned()),
                        Inline::Code(file),
                        Inline::Text(")".to_owned()),
                    ]);
                }
                None => text.push(Inline::Link(link)),
            },
            other => text.push(other),
        }
    }
}

/// The file to which a link leads that says nothing.
fn mute_to(link: &Link) -> Option<&str> {
    let said = plain(&link.text).trim().to_lowercase();
    file_of(&link.href).filter(|_| MUTE.contains(&said.as_str()))
}

/// The file that an address names beside the document itself.
fn file_of(href: &str) -> Option<&str> {
    let file = href.split(['#', '?']).next()?.trim_start_matches("./");
    let name = file.rsplit('/').next().unwrap_or(file);
    let is_file = name.contains('.') && name.contains(char::is_alphanumeric);
    let is_beside = !file.contains([':', '%', '`']) && !file.starts_with('/');
    (is_file && is_beside && file.len() <= FILE_CHARS).then_some(file)
}

/// Takes the colon from the end of a heading: what it leads to stands below it anyhow.
fn without_colon(text: &mut [Inline]) {
    if let Some(Inline::Text(words)) = text.last_mut() {
        words.truncate(bare(words).len());
    }
}

/// The words of a heading without the colon that they end with.
fn bare(words: &str) -> &str {
    let cut = words
        .trim_end()
        .strip_suffix([':', '：'])
        .map(str::trim_end);
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, ')' | '"' | '”');
    // `:warning:` is a picture.
    let is_picture = |cut: &&str| {
        cut.rsplit(' ')
            .next()
            .is_some_and(|word| word.starts_with(':'))
    };
    cut.filter(|cut| cut.ends_with(is_word) && !is_picture(cut))
        .unwrap_or(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markup::markdown;
    use skillkiln_document::markdown::write;

    fn finished(source: &str) -> String {
        let mut document = markdown::read(source.to_owned());
        finish(&mut document);
        write(&document.blocks)
    }

    #[test]
    fn a_heading_does_not_end_with_a_colon() {
        assert_eq!(
            finished(
                "# Kilns\n\n## Examples:\n\nOne.\n\n## std::\n\nTwo.\n\n## Doors :warning:\n\nThree.\n"
            ),
            "# Kilns\n\n## Examples\n\nOne.\n\n## std::\n\nTwo.\n\n## Doors :warning:\n\nThree.\n"
        );
    }

    #[test]
    fn an_item_that_only_lists_or_defines_has_one_mark() {
        let source = "- - one\n  - two\n- ash\n  : goes on\n- Doors:\n  : Wide.\n";
        assert_eq!(
            finished(source),
            "- one\n- two\n- ash goes on\n- **Doors:** Wide.\n"
        );
    }

    #[test]
    fn a_link_that_says_nothing_names_the_file_it_leads_to() {
        assert_eq!(
            finished(
                "See [here](docs/heat.md#red) or *[this](./ash.md)*, [the oven](oven.md), [here](#top) and [here](https://kiln.example/).\n"
            ),
            "See here (`docs/heat.md`) or *this (`ash.md`)*, [the oven](oven.md), [here](#top) and [here](https://kiln.example/).\n"
        );
    }
}
