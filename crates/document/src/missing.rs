//! Names the files that belong into a document at a place and were not given with it: includes that a reader could not follow.
//!
//! A reader puts [`paragraph`] where the file would stand, whatever mark its format has for that; [`of`] lists them.

use crate::blocks::{Block, BlockKind, walk};
use crate::quick::QuickMap;
use crate::text::Inline;

/// What stands before the names of such files.
pub const LEAD: &str = "Included here: ";

/// A file that is not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// Its name, as the document writes it.
    pub name: String,
    /// At how many places it belongs.
    pub times: usize,
}

/// The words of the paragraph that stands for these files.
#[must_use]
pub fn paragraph<'n>(names: impl IntoIterator<Item = &'n str>) -> Vec<Inline> {
    let mut words = vec![Inline::Text(LEAD.to_owned())];
    for name in names {
        if words.len() > 1 {
            words.push(Inline::Text(", ".to_owned()));
        }
        words.push(Inline::Code(name.to_owned()));
    }
    words
}

/// The files that belong into `blocks` and are not there, in the order in which they are first missed.
#[must_use]
pub fn of(blocks: &[Block]) -> Vec<Missing> {
    let mut missing: Vec<Missing> = Vec::new();
    let mut known: QuickMap<&str, usize> = QuickMap::default();
    walk(blocks, &mut |block| {
        for name in named(block) {
            let at = *known.entry(name).or_insert(missing.len());
            match missing.get_mut(at) {
                Some(known) => known.times += 1,
                None => missing.push(Missing {
                    name: name.to_owned(),
                    times: 1,
                }),
            }
        }
    });
    missing
}

/// The files that a block stands for.
fn named(block: &Block) -> Vec<&str> {
    let BlockKind::Paragraph(text) = &block.kind else {
        return Vec::new();
    };
    let [Inline::Text(lead), names @ ..] = text.as_slice() else {
        return Vec::new();
    };
    let names = names.iter().filter_map(|inline| match inline {
        Inline::Code(name) if lead == LEAD => Some(name.as_str()),
        _ => None,
    });
    names.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::Span;

    #[test]
    fn files_that_are_not_there_are_listed_once_with_their_places() {
        let block = |text: Vec<Inline>| Block {
            kind: BlockKind::Paragraph(text),
            span: Span::default(),
        };
        let blocks = [
            block(paragraph(["lamp.yml"])),
            block(vec![Inline::Text("Light it.".to_owned())]),
            block(paragraph(["oil.txt", "lamp.yml"])),
        ];
        let told: Vec<(String, usize)> = of(&blocks)
            .into_iter()
            .map(|missing| (missing.name, missing.times))
            .collect();
        assert_eq!(
            told,
            [("lamp.yml".to_owned(), 2), ("oil.txt".to_owned(), 1)]
        );
    }
}
