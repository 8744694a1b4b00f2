//! Owns what stands within the entries of lists: the fields of an object that a function takes, the members of a class.
//!
//! An entry whose own list is most of a section is shown from its beginning like any list, and no body has room for all of it.

use super::names::names;
use crate::pipeline::synthesize::joining::join;
use crate::pipeline::synthesize::outline::{block_text, blocks_text};
use skillkiln_document::blocks::{Block, BlockKind, Definition};
use skillkiln_document::text::{Inline, plain};

/// An item that is longer is cut within the list that it holds, where that has so many items.
const ITEM_CHARS: usize = 1_200;
const INNER_MIN: usize = 3;
/// That list has so many tenths of its words at least.
const INNER_OF_TEN: usize = 6;

/// An item that is mostly a list, as items with one entry of that list each; what stands behind the list comes with its last entry.
pub(super) fn parted(item: &[Block]) -> Option<Vec<Vec<Block>>> {
    let chars = blocks_text(item).len();
    let (head, rest) = item.split_first()?;
    let (list, behind) = rest.split_first()?;
    let BlockKind::List { start: None, items } = &list.kind else {
        return None;
    };
    let is_mostly = block_text(list).len() * 10 >= chars * INNER_OF_TEN;
    let is_label = matches!(head.kind, BlockKind::Paragraph(_));
    if chars <= ITEM_CHARS || items.len() < INNER_MIN || !is_mostly || !is_label {
        return None;
    }
    let with = |inner: &Vec<Block>| Block {
        kind: BlockKind::List {
            start: None,
            items: vec![inner.clone()],
        },
        span: list.span.clone(),
    };
    let mut out: Vec<Vec<Block>> = items
        .iter()
        .map(|inner| vec![head.clone(), with(inner)])
        .collect();
    out.last_mut()?.extend_from_slice(behind);
    Some(out)
}

/// Adds to a list what was cut out of its last item.
pub(super) fn rejoin(whole: &mut Block, entry: &Block) {
    if let (BlockKind::List { items, .. }, BlockKind::List { items: more, .. }) =
        (&mut whole.kind, &entry.kind)
        && let (Some(item), Some([_, list, behind @ ..])) =
            (items.last_mut(), more.first().map(Vec::as_slice))
        && let Some(inner) = item.last_mut()
    {
        join(inner, list);
        item.extend_from_slice(behind);
    }
}

/// What the entry of an item that was cut out of its list is called.
pub(super) fn inner_names(block: &Block) -> Vec<Vec<Inline>> {
    match &block.kind {
        BlockKind::List { items, .. } => items
            .first()
            .and_then(|item| item.get(1))
            .map(names)
            .unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// What the members are called, in code, that an entry tells of and `shown` does not.
pub(super) fn members(entry: &Definition, shown: &Definition) -> Vec<Vec<Inline>> {
    let of = |entry: &Definition| -> Vec<Vec<Inline>> {
        let inner = entry.blocks.iter().filter_map(|block| match &block.kind {
            BlockKind::Definitions(inner) => Some(inner),
            _ => None,
        });
        let terms = inner.flatten().filter_map(|entry| entry.terms.first());
        let short = terms.filter_map(|term| match term.as_slice() {
            [Inline::Code(name)] => {
                let name = name.split('(').next()?;
                let name = name.split_whitespace().next_back()?;
                Some(vec![Inline::Code(name.to_owned())])
            }
            _ => None,
        });
        short.collect()
    };
    let seen: Vec<String> = of(shown).iter().map(|name| plain(name)).collect();
    let mut all = of(entry);
    all.retain(|name| !seen.contains(&plain(name)));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_readers::markup::markdown;

    #[test]
    fn an_item_that_is_mostly_a_list_is_cut_within_that_and_becomes_one_again() {
        let told = "is how wide the door of the kiln opens when it is hot. ".repeat(8);
        let fields: String = (0..5)
            .map(|number| format!("  - `field{number}` {told}\n"))
            .collect();
        let source = format!("- `options` {{Object}}\n{fields}");
        let block = markdown::read(source).blocks.remove(0);
        let BlockKind::List { items, .. } = &block.kind else {
            panic!("{block:?}")
        };
        let parts = parted(&items[0]).unwrap();
        assert_eq!(parts.len(), 5);
        let mut parts = parts.into_iter().map(|item| Block {
            kind: BlockKind::List {
                start: None,
                items: vec![item],
            },
            span: block.span.clone(),
        });
        let mut whole = parts.next().unwrap();
        for part in parts {
            assert!(plain(&inner_names(&part)[0]).starts_with("field"));
            rejoin(&mut whole, &part);
        }
        assert_eq!(block_text(&whole), block_text(&block));
        assert!(parted(&[items[0][0].clone()]).is_none());
    }
}
