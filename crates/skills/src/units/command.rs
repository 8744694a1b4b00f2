//! Owns the units of code: a block with the sentence that announces it.

use super::{Extractor, Form, Place, Unit, UnitKind};
use crate::sentences::cut_sentences;
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::text::plain;

/// Code that costs more is left to the library, and pointed at.
const TOKENS_MAX: usize = 420;
/// An announcement that is longer gives its last sentence alone.
const ANNOUNCEMENT_CHARS_MAX: usize = 220;

pub(super) const EXTRACTOR: Extractor = Extractor {
    id: "command",
    takes: "a block of code with the sentence that announces it",
    example: "Light the kiln:\n\n```sh\nkiln light --slow\n```",
    run,
};

fn run(place: &Place<'_>, units: &mut Vec<Unit>) -> usize {
    let Some(first) = place.next(0) else { return 0 };
    match &first.kind {
        BlockKind::Code { .. } => {
            push(place, 0, None, units);
            1
        }
        BlockKind::Paragraph(text) => {
            let Some(Block {
                kind: BlockKind::Code { text: code, .. },
                ..
            }) = place.next(1)
            else {
                return 0;
            };
            let said = plain(text);
            let announces = said.trim_end().ends_with([':', '：', ',']);
            let is_short = said.chars().count() <= ANNOUNCEMENT_CHARS_MAX;
            // The body of a function goes on from its first line, not from what is said of it.
            let is_body = code.starts_with([' ', '\t']);
            if !announces && (!is_short || is_body) {
                return 0;
            }
            let mut sentences = cut_sentences(text);
            let last = match is_short {
                true => None,
                false => sentences.pop(),
            };
            let lead = Block {
                kind: BlockKind::Paragraph(last.clone().unwrap_or_else(|| text.clone())),
                span: first.span.clone(),
            };
            if last.is_some() {
                super::sentence::sentences(place, &sentences, units);
            }
            push(place, 1, Some(lead), units);
            2
        }
        _ => 0,
    }
}

fn push(place: &Place<'_>, at: usize, lead: Option<Block>, units: &mut Vec<Unit>) {
    let Some(code) = place.next(at) else { return };
    let mut span = code.span.clone();
    if let Some(lead) = &lead {
        span.bytes.start = span.bytes.start.min(lead.span.bytes.start);
    }
    let form = Form::Blocks(lead.into_iter().chain([code.clone()]).collect());
    let unit = place.unit(UnitKind::Command, 1_000, form, span);
    units.push(Unit {
        is_large: unit.tokens > TOKENS_MAX,
        ..unit
    });
}
