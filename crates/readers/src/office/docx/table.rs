//! Reads tables of Word documents: merged cells, header rows, and tables that are only a frame around something else.

use crate::office::assemble::{Piece, What};
use crate::office::docx::body::Body;
use crate::office::docx::styles::switch;
use crate::office::grid::{Grid, cell_of};
use crate::xml_tree::Element;

impl<'d> Body<'d> {
    /// Reads `table` into pieces.
    pub(super) fn table(&mut self, table: Element<'d>, depth: usize) {
        let mut grid = Grid::default();
        // What stands in the cells, for a table that turns out to be a frame.
        let mut framed: Vec<Piece> = Vec::new();
        let (mut rows, mut columns_max) = (0usize, 0usize);
        for row in wrapped(table, "tr") {
            let properties = row.child("trPr");
            if properties.is_some_and(|properties| properties.child("del").is_some()) {
                continue;
            }
            let number = |name: &str| {
                properties
                    .and_then(|properties| properties.val(&[name])?.parse::<usize>().ok())
                    .unwrap_or(0)
            };
            let before = number("gridBefore");
            if before > 0 {
                grid.cell(Vec::new(), before);
            }
            let mut across = 0;
            for cell in wrapped(row, "tc") {
                let properties = cell.child("tcPr");
                let columns = properties
                    .and_then(|cell| cell.val(&["gridSpan"])?.parse::<usize>().ok())
                    .unwrap_or(1);
                // A cell that goes on from above repeats nothing.
                let is_covered = ["vMerge", "hMerge"].iter().any(|name| {
                    properties
                        .and_then(|properties| properties.child(name))
                        .is_some_and(|merge| merge.attribute("val") != Some("restart"))
                });
                let pieces = match is_covered {
                    true => Vec::new(),
                    false => self.inside(cell, depth),
                };
                if rows == 0 || columns_max <= 1 {
                    framed.extend(pieces.iter().cloned());
                }
                grid.cell(cell_of(pieces), columns);
                across += 1;
            }
            rows += 1;
            columns_max = columns_max.max(across);
            let is_head =
                properties.is_some_and(|properties| switch(properties, "tblHeader") == Some(true));
            grid.end_row(is_head);
        }
        // One row or one column around code or headings is a frame, and so is a single cell.
        let holds_blocks = || {
            framed
                .iter()
                .any(|piece| matches!(piece.what, What::Code { .. } | What::Heading(..)))
        };
        if rows <= 1 && columns_max <= 1 || (rows <= 1 || columns_max <= 1) && holds_blocks() {
            self.pieces.extend(framed);
            return;
        }
        let look = table.at(&["tblPr", "tblLook"]);
        let first_is_head = look.is_some_and(|look| {
            let by_name = look
                .attribute("firstRow")
                .map(|value| matches!(value, "1" | "true" | "on"));
            let by_bits = || {
                let bits = look.attribute("val")?;
                Some(u32::from_str_radix(bits, 16).ok()? & 0x20 != 0)
            };
            by_name.or_else(by_bits).unwrap_or(false)
        });
        self.pieces
            .extend(grid.finish(first_is_head).map(Piece::new));
    }

    /// The pieces in a cell.
    fn inside(&mut self, cell: Element<'d>, depth: usize) -> Vec<Piece> {
        let before = std::mem::take(&mut self.pieces);
        self.container(cell, depth + 1);
        std::mem::replace(&mut self.pieces, before)
    }
}

/// The elements of this name in `element`, also where something is wrapped around them.
fn wrapped<'d>(element: Element<'d>, name: &'static str) -> Vec<Element<'d>> {
    let mut found = Vec::new();
    let mut waiting = vec![(element, 0)];
    while let Some((element, depth)) = waiting.pop() {
        let at = waiting.len();
        for child in element.elements() {
            if child.name() == name
                || matches!(child.name(), "sdt" | "sdtContent" | "customXml" | "ins") && depth < 8
            {
                waiting.push((child, depth + 1));
            }
        }
        if let Some(added) = waiting.get_mut(at..) {
            added.reverse();
        }
        if element.name() == name && depth > 0 {
            waiting.truncate(at);
            found.push(element);
        }
    }
    found
}
