//! Owns the units of glossaries: an option, a function or a term with what is said of it first.

use super::{Extractor, Form, Place, Unit, UnitKind};
use crate::cues::announces;
use crate::sentences::cut_sentences;
use skillkiln_document::blocks::{Block, BlockKind, Definition};
use skillkiln_document::text::{Inline, plain};

/// A meaning that costs more is cut to its first sentences.
const TOKENS_WHOLE: usize = 150;
/// An entry that costs more even so is left to the library.
const TOKENS_MAX: usize = 200;

pub(super) const EXTRACTOR: Extractor = Extractor {
    id: "entry",
    takes: "the entries of a glossary, each with the beginning of its meaning",
    example: "`--slow`: Fires slowly.",
    run,
};

fn run(place: &Place<'_>, units: &mut Vec<Unit>) -> usize {
    let Some(block) = place.next(0) else { return 0 };
    let BlockKind::Definitions(entries) = &block.kind else {
        return 0;
    };
    for (part, entry) in entries.iter().enumerate() {
        let Some(first) = entry.blocks.first() else {
            continue;
        };
        let span = first.span.clone();
        let kind = kind_of_term(&entry.terms);
        let whole = place.unit(kind, part, Form::Entry(entry.clone()), span.clone());
        let unit = match whole.tokens <= TOKENS_WHOLE {
            true => whole,
            false => place.unit(kind, part, Form::Entry(beginning(entry)), span),
        };
        let rest = match entry.blocks.len() {
            0 | 1 => &[],
            _ => entry.blocks.get(1..).unwrap_or_default(),
        };
        let is_whole = unit.tokens <= TOKENS_WHOLE;
        if unit.tokens <= TOKENS_MAX {
            units.push(unit);
        }
        if !is_whole {
            place.inside(part, rest, units);
        }
    }
    1
}

/// An entry with the first sentences of its meaning alone.
fn beginning(entry: &Definition) -> Definition {
    let blocks = entry.blocks.first().map(|block| match &block.kind {
        BlockKind::Paragraph(text) => Block {
            kind: BlockKind::Paragraph(first_sentences(text)),
            span: block.span.clone(),
        },
        _ => block.clone(),
    });
    Definition {
        terms: entry.terms.clone(),
        blocks: blocks.into_iter().collect(),
    }
}

/// The first sentence, and the next ones as far as they are short.
fn first_sentences(text: &[Inline]) -> Vec<Inline> {
    let mut out: Vec<Inline> = Vec::new();
    let mut chars = 0;
    for sentence in cut_sentences(text) {
        let length = plain(&sentence).chars().count();
        if !out.is_empty() {
            if chars + length > 200 {
                break;
            }
            out.push(Inline::Text(" ".into()));
        }
        if !out.is_empty() && announces(&plain(&sentence)) {
            // What it announces is not shown.
            out.pop();
            break;
        }
        chars += length;
        out.extend(sentence);
    }
    out
}

fn kind_of_term(terms: &[Vec<Inline>]) -> UnitKind {
    let term = terms.first().map(|term| plain(term)).unwrap_or_default();
    if term.trim_start().starts_with('-') || term.contains('=') {
        UnitKind::Setting
    } else if term.contains('(') {
        UnitKind::Operation
    } else {
        UnitKind::Definition
    }
}
