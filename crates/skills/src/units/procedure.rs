//! Owns the units of steps: a numbered list with the sentence that announces it, all steps with their code.

use super::{Extractor, Form, Place, Unit, UnitKind};
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::text::plain;

/// A procedure that costs more is left to the library, whole.
const TOKENS_MAX: usize = 700;

pub(super) const EXTRACTOR: Extractor = Extractor {
    id: "procedure",
    takes: "a numbered list of two steps or more, with the sentence that announces it",
    example: "To fire the kiln:\n\n1. Load it\n2. Light it",
    run,
};

fn run(place: &Place<'_>, units: &mut Vec<Unit>) -> usize {
    let is_steps = |block: Option<&Block>| matches!(block.map(|block| &block.kind), Some(BlockKind::List { start: Some(_), items }) if items.len() >= 2);
    let (lead, at) = match place.next(0).map(|block| &block.kind) {
        Some(BlockKind::Paragraph(text))
            if plain(text).trim_end().ends_with([':', '：']) && is_steps(place.next(1)) =>
        {
            (place.next(0).cloned(), 1)
        }
        _ if is_steps(place.next(0)) => (None, 0),
        _ => return 0,
    };
    let Some(steps) = place.next(at) else {
        return 0;
    };
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
