//! Owns the units of lists: a short list whole with the sentence that announces it, a long one item by item.

use super::{Extractor, Form, Place, Unit, UnitKind, kind_of};
use crate::cues::announces;
use crate::outline::block_text;
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::text::plain;

/// A list that is announced stands whole up to this.
const WHOLE_TOKENS_MAX: usize = 300;
/// An item that costs more is left to the library.
const ITEM_TOKENS_MAX: usize = 300;

pub(super) const EXTRACTOR: Extractor = Extractor {
    id: "item",
    takes: "a short list with the sentence that announces it, else the items of a list",
    example: "- Never open the door\n- Keep it dry",
    run,
};

fn run(place: &Place<'_>, units: &mut Vec<Unit>) -> usize {
    let Some(first) = place.next(0) else { return 0 };
    if let BlockKind::Paragraph(text) = &first.kind {
        let is_lead = announces(&plain(text));
        let list = place
            .next(1)
            .filter(|next| matches!(next.kind, BlockKind::List { .. }));
        let Some(list) = list.filter(|_| is_lead) else {
            return 0;
        };
        let mut span = first.span.clone();
        span.bytes.end = span.bytes.end.max(list.span.bytes.end);
        let form = Form::Blocks(vec![first.clone(), list.clone()]);
        let said = block_text(list);
        let mut unit = place.unit(kind_of(&said), 0, form, span);
        if unit.kind == UnitKind::Check {
            unit.kind = UnitKind::Statement;
        }
        if unit.tokens > WHOLE_TOKENS_MAX {
            return 0;
        }
        units.push(unit);
        return 2;
    }
    let BlockKind::List { items, .. } = &first.kind else {
        return 0;
    };
    for (part, item) in items.iter().enumerate() {
        let Some(start) = item.first() else { continue };
        let mut span = start.span.clone();
        span.bytes.end = span
            .bytes
            .end
            .max(item.last().map_or(0, |last| last.span.bytes.end));
        let said: String = item.iter().map(block_text).collect();
        if is_link_alone(item) {
            continue;
        }
        let unit = place.unit(kind_of(&said), part, Form::Item(item.clone()), span.clone());
        if unit.tokens <= ITEM_TOKENS_MAX {
            units.push(unit);
        } else {
            // The beginning of a long item, where it says something alone.
            let unit = place.unit(kind_of(&said), part, Form::Item(vec![start.clone()]), span);
            let opens = !announces(&unit.text);
            let is_told = opens && unit.tokens <= ITEM_TOKENS_MAX;
            if is_told {
                units.push(unit);
            }
            let rest = item.get(usize::from(is_told)..).unwrap_or_default();
            place.inside(part, rest, units);
        }
    }
    1
}

/// Whether an item is a link without a sentence around it, as those of a table of contents are.
fn is_link_alone(item: &[Block]) -> bool {
    use skillkiln_document::text::Inline;
    item.iter().all(|block| match &block.kind {
        BlockKind::Paragraph(text) => text.iter().all(|one| match one {
            Inline::Link(_) | Inline::Break => true,
            Inline::Text(text) => !text.chars().any(char::is_alphanumeric),
            Inline::Strong(inner) | Inline::Emphasis(inner) => {
                inner.iter().all(|one| matches!(one, Inline::Link(_)))
            }
            _ => false,
        }),
        BlockKind::List { items, .. } => items.iter().all(|item| is_link_alone(item)),
        _ => false,
    })
}
