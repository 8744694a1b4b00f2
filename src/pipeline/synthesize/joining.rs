//! Owns how what was cut out of one block becomes one again.

use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::text::Inline;

/// How a listing of Haskell's declarations begins what it says of one of them.
pub(super) const REMARK: &str = "-- |";

/// Adds to a block what was cut out of the same: sentences to a paragraph, entries to a list, rows to a table, lines to code.
pub(super) fn join(whole: &mut Block, entry: &Block) {
    match (&mut whole.kind, &entry.kind) {
        (BlockKind::Paragraph(whole), BlockKind::Paragraph(more)) => {
            whole.push(Inline::Text(" ".into()));
            whole.extend(more.iter().cloned());
        }
        (BlockKind::Definitions(whole), BlockKind::Definitions(more)) => {
            whole.extend(more.iter().cloned());
        }
        (BlockKind::List { items, .. }, BlockKind::List { items: more, .. }) => {
            items.extend(more.iter().cloned());
        }
        (BlockKind::Table { rows, .. }, BlockKind::Table { rows: more, .. }) => {
            rows.extend(more.iter().cloned());
        }
        (BlockKind::Code { text, .. }, BlockKind::Code { text: more, .. }) => {
            text.push('\n');
            if more.starts_with(REMARK) {
                text.push('\n');
            }
            text.push_str(more);
        }
        _ => {}
    }
}
