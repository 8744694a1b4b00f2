//! Reads the tables of an OpenDocument text.

use crate::office::assemble::What;
use crate::office::grid::{Grid, cell_of};
use crate::office::odf::body::Body;
use crate::office::odf::rows::rows_of;
use crate::xml_tree::Element;

/// Rows and cells that one element may stand for in a text.
const REPEATED_MAX: usize = 64;

impl<'d> Body<'d> {
    pub(super) fn table(&mut self, table: Element<'d>, depth: usize) {
        let mut grid = Grid::default();
        let mut framed = Vec::new();
        let (mut rows, mut columns_max) = (0usize, 0usize);
        for (row, is_head) in rows_of(table) {
            let mut across = 0;
            for found in row.elements() {
                match found.name() {
                    "covered-table-cell" => {
                        grid.cell(Vec::new(), repeated(found, "number-columns-repeated"))
                    }
                    "table-cell" => {
                        let pieces = self.apart(found, depth);
                        if rows == 0 || columns_max <= 1 {
                            framed.extend(pieces.iter().cloned());
                        }
                        grid.cell(cell_of(pieces), repeated(found, "number-columns-repeated"));
                    }
                    _ => continue,
                }
                across += 1;
            }
            rows += 1;
            columns_max = columns_max.max(across);
            grid.end_row(is_head);
        }
        let holds_blocks = framed
            .iter()
            .any(|piece| matches!(piece.what, What::Code { .. } | What::Heading(..)));
        if rows <= 1 && columns_max <= 1 || (rows <= 1 || columns_max <= 1) && holds_blocks {
            for piece in framed {
                self.push(piece.what);
            }
            return;
        }
        let first_is_head = table
            .attribute("use-first-row-styles")
            .is_some_and(|value| value == "true");
        if let Some(what) = grid.finish(first_is_head) {
            self.push(what);
        }
    }
}

fn repeated(element: Element<'_>, name: &str) -> usize {
    element
        .attribute(name)
        .and_then(|count| count.parse().ok())
        .unwrap_or(1)
        .clamp(1, REPEATED_MAX)
}
