//! Owns the units of what a source sets apart: warnings, notes, tips.

use super::{Extractor, Form, Place, Unit, UnitKind};
use skillkiln_document::blocks::BlockKind;

/// A note that costs more is left to the library.
const TOKENS_MAX: usize = 220;

pub(super) const EXTRACTOR: Extractor = Extractor {
    id: "admonition",
    takes: "a warning, a note or a tip",
    example: "> Never open a hot kiln.",
    run,
};

fn run(place: &Place<'_>, units: &mut Vec<Unit>) -> usize {
    let Some(block) = place.next(0) else { return 0 };
    let BlockKind::Admonition { class, .. } = &block.kind else {
        return 0;
    };
    let kind = match class.as_str() {
        "tip" | "hint" | "info" | "example" | "quote" | "abstract" | "see" => UnitKind::Statement,
        _ => UnitKind::Rule,
    };
    let unit = place.unit(
        kind,
        0,
        Form::Blocks(vec![block.clone()]),
        block.span.clone(),
    );
    if unit.tokens <= TOKENS_MAX {
        units.push(unit);
    }
    1
}
