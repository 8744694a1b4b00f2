//! Reads OpenDocument spreadsheets: repeated rows and cells are counted, not copied.

use crate::office::number_format::number;
use crate::office::sheet::Book;
use crate::xml_tree::Element;
use skillkiln_document::text::squash;

/// Rows that stand for equal ones above them are written out up to this many in a sheet, and counted beyond.
const REPEATED_ROWS_MAX: usize = 20_000;
/// Cells that one with words may stand for.
const REPEATED_CELLS_MAX: usize = 1_024;

/// Reads the sheets in `body`.
pub(crate) fn read(body: Element<'_>, book: &mut Book) {
    for table in body.all("table") {
        let name = table.attribute("table:name").unwrap_or("");
        let mut sheet = book.sheet(name, false);
        let mut row_at = 0usize;
        let mut repeated = 0usize;
        for row in table.inside("table-row") {
            let times = count(row, "number-rows-repeated");
            let cells = cells_of(row);
            if !cells.is_empty() {
                let shown = (times - 1).min(REPEATED_ROWS_MAX - repeated) + 1;
                repeated += shown - 1;
                for at in 0..shown {
                    for (column, says) in &cells {
                        sheet.cell(row_at.saturating_add(at), *column, says.clone());
                    }
                }
                sheet.leave_out(times - shown);
            }
            row_at = row_at.saturating_add(times);
        }
        book.add(sheet);
    }
}

fn cells_of(row: Element<'_>) -> Vec<(usize, String)> {
    let mut cells = Vec::new();
    let mut column = 0usize;
    for cell in row.elements() {
        let times = count(cell, "number-columns-repeated");
        if cell.name() == "table-cell" {
            let says = value(cell);
            if !says.is_empty() {
                for at in 0..times.min(REPEATED_CELLS_MAX) {
                    cells.push((column.saturating_add(at), says.clone()));
                }
            }
        }
        column = column.saturating_add(times);
    }
    cells
}

/// What a cell shows; a date by the calendar.
fn value(cell: Element<'_>) -> String {
    let shown = || {
        let lines: Vec<String> = cell.all("p").map(|line| squash(&line.text())).collect();
        lines.join(" ").trim().to_owned()
    };
    match cell.attribute("office:value-type") {
        Some("date") => cell
            .attribute("date-value")
            .map_or_else(shown, |date| date.trim_end_matches("T00:00:00").to_owned()),
        _ => match (shown(), cell.attribute("office:value")) {
            (shown, Some(value)) if shown.is_empty() => value.parse().map_or(shown, number),
            (shown, _) => shown,
        },
    }
}

fn count(element: Element<'_>, name: &str) -> usize {
    element
        .attribute(name)
        .and_then(|count| count.parse().ok())
        .unwrap_or(1)
        .max(1)
}
