//! The rows of an OpenDocument table.

use crate::xml_tree::Element;

/// The rows of a table and whether they name the columns.
pub(crate) fn rows_of(table: Element<'_>) -> Vec<(Element<'_>, bool)> {
    let mut rows = Vec::new();
    for child in table.elements() {
        match child.name() {
            "table-row" => rows.push((child, false)),
            "table-header-rows" => rows.extend(child.all("table-row").map(|row| (row, true))),
            "table-rows" => rows.extend(child.all("table-row").map(|row| (row, false))),
            "table-row-group" => rows.extend(
                child
                    .inside("table-row")
                    .into_iter()
                    .map(|row| (row, false)),
            ),
            _ => {}
        }
    }
    rows
}
