//! Owns the walk through a text that tells of each piece where it stands: what is a heading, a term or code says more of a text's
//! subjects than what stands in its sentences.

use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::text::Inline;

/// Where a piece of a text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place<'a> {
    /// In a heading.
    Heading,
    /// In what a list of definitions defines.
    Term,
    /// In code inside a line.
    Code,
    /// In code of its own, in this language.
    Listing(Option<&'a str>),
    /// Stressed in a sentence, or in the first column of a table.
    Stressed,
    /// In a sentence.
    Text,
}

/// Takes every piece of some blocks in its order.
pub(super) fn visit<'a>(blocks: &'a [Block], each: &mut dyn FnMut(Place<'a>, &'a str)) {
    for block in blocks {
        match &block.kind {
            BlockKind::Heading { text, .. } => pieces(text, Place::Heading, each),
            BlockKind::Paragraph(text) => pieces(text, Place::Text, each),
            BlockKind::List { items, .. } => items.iter().for_each(|item| visit(item, each)),
            BlockKind::Code { language, text } => each(Place::Listing(language.as_deref()), text),
            BlockKind::Table { header, rows, .. } => {
                header
                    .iter()
                    .for_each(|cell| pieces(cell, Place::Text, each));
                for row in rows {
                    for (column, cell) in row.iter().enumerate() {
                        let place = match column {
                            0 => Place::Stressed,
                            _ => Place::Text,
                        };
                        pieces(cell, place, each);
                    }
                }
            }
            BlockKind::Quote(inner) | BlockKind::Admonition { blocks: inner, .. } => {
                visit(inner, each);
            }
            BlockKind::Definitions(entries) => {
                for entry in entries {
                    entry
                        .terms
                        .iter()
                        .for_each(|term| pieces(term, Place::Term, each));
                    visit(&entry.blocks, each);
                }
            }
            BlockKind::Figure { caption, .. } => pieces(caption, Place::Text, each),
            BlockKind::Math(_) => {}
        }
    }
}

fn pieces<'a>(text: &'a [Inline], place: Place<'a>, each: &mut dyn FnMut(Place<'a>, &'a str)) {
    for piece in text {
        match piece {
            Inline::Text(words) => each(place, words),
            Inline::Code(code) => {
                each(Place::Code, code);
                if place != Place::Text {
                    each(place, code);
                }
            }
            // In a term, what is stressed a little stands for a value.
            Inline::Emphasis(inner) if place != Place::Heading => {
                pieces(inner, Place::Stressed, each);
            }
            Inline::Emphasis(inner) | Inline::Strong(inner) => {
                let stressed = match place {
                    Place::Text => Place::Stressed,
                    _ => place,
                };
                pieces(inner, stressed, each);
            }
            Inline::Link(link) => pieces(&link.text, place, each),
            Inline::Math(_) | Inline::Break => {}
        }
    }
}
