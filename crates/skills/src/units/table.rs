//! Owns the units of tables: row by row, so that a long one gives what matters of it.

use super::{Extractor, Form, Place, Row, Unit, UnitKind};
use skillkiln_document::blocks::BlockKind;

/// A row that costs more is left to the library.
const TOKENS_MAX: usize = 160;

pub(super) const EXTRACTOR: Extractor = Extractor {
    id: "table",
    takes: "the rows of a table",
    example: "| key | default |",
    run,
};

fn run(place: &Place<'_>, units: &mut Vec<Unit>) -> usize {
    let Some(block) = place.next(0) else { return 0 };
    let BlockKind::Table { header, rows, .. } = &block.kind else {
        return 0;
    };
    for (number, cells) in rows.iter().enumerate() {
        let row = Row {
            header: header.clone(),
            cells: cells.clone(),
        };
        let form = Form::Row(Box::new(row));
        let unit = place.unit(UnitKind::Setting, number, form, block.span.clone());
        if unit.tokens <= TOKENS_MAX && unit.text.chars().any(char::is_alphanumeric) {
            units.push(unit);
        }
    }
    1
}
