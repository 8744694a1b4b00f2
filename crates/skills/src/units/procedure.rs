//! Owns the units of steps: a numbered list with the sentence that announces it, all steps with their code.

use super::{Extractor, Form, Place, Unit, UnitKind};
use crate::cues::announces;
use crate::outline::block_text;
use crate::tasks::is_verb;
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::text::plain;

/// A procedure that costs more is left to the library, whole.
const TOKENS_MAX: usize = 1_100;

pub(super) const EXTRACTOR: Extractor = Extractor {
    id: "procedure",
    takes: "a numbered list of two steps or more, with the sentence that announces it",
    example: "To fire the kiln:\n\n1. Load it\n2. Light it",
    run,
};

fn run(place: &Place<'_>, units: &mut Vec<Unit>) -> usize {
    let is_steps = |block: Option<&Block>| matches!(block.map(|block| &block.kind), Some(BlockKind::List { start: Some(_), items }) if items.len() >= 2);
    let (lead, at) = match place.next(0).map(|block| &block.kind) {
        Some(BlockKind::Paragraph(text)) if announces(&plain(text)) && is_steps(place.next(1)) => {
            (place.next(0).cloned(), 1)
        }
        _ if is_steps(place.next(0)) => (None, 0),
        _ => return 0,
    };
    let Some(steps) = place.next(at) else {
        return 0;
    };
    if !are_steps(steps) {
        return 0;
    }
    let mut span = steps.span.clone();
    if let Some(lead) = &lead {
        span.bytes.start = span.bytes.start.min(lead.span.bytes.start);
    }
    let form = Form::Blocks(lead.into_iter().chain([steps.clone()]).collect());
    let unit = place.unit(UnitKind::Procedure, 0, form, span);
    if unit.tokens > TOKENS_MAX {
        // Steps are never cut; items that are no steps, since none has code, stand alone each.
        return match (unit.has_code, at) {
            (true, _) => at + 1,
            (false, at) => at,
        };
    }
    units.push(unit);
    at + 1
}

/// Whether the items of a list are steps: one has code or opens with a verb, or nobody can tell by the words of its language.
fn are_steps(list: &Block) -> bool {
    let BlockKind::List { items, .. } = &list.kind else {
        return false;
    };
    let opens = |item: &Vec<Block>| {
        let text = item.first().map(block_text).unwrap_or_default();
        let first = text
            .split(|c: char| !c.is_alphanumeric())
            .find(|word| !word.is_empty());
        !text.is_ascii() || first.is_some_and(|first| is_verb(&first.to_lowercase()))
    };
    let shows = |item: &Vec<Block>| {
        item.iter()
            .any(|block| matches!(block.kind, BlockKind::Code { .. }))
    };
    let steps = items
        .iter()
        .filter(|item| opens(item) || shows(item))
        .count();
    steps * 3 >= items.len()
}
