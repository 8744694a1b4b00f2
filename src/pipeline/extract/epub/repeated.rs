//! Owns which chapters of a book were read before under another name: manuals include a page in others, and pack it once more for
//! itself.

use crate::domain::document::{Block, BlockKind, walk};
use crate::domain::text::{Inline, letters, plain, squash, word_count};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A chapter of fewer blocks, or of fewer words, is always read.
const BLOCKS_MIN: usize = 5;
const WORDS_MIN: usize = 40;
/// Of so many chapters it is known that they hold the same block.
const HOLDERS_MAX: usize = 8;

/// What the chapters read so far said.
#[derive(Debug, Default)]
pub(super) struct Said {
    /// The chapters in which a block stands, by its hash.
    holders: HashMap<u64, Vec<usize>>,
    /// How many chapters there are.
    chapters: usize,
}

impl Said {
    /// Whether nine tenths of a chapter stand to the letter in one that was read before; one of which they do not is noted.
    pub(super) fn again(&mut self, blocks: &[Block]) -> bool {
        let mut words = 0;
        let mut hashes: Vec<u64> = Vec::new();
        walk(blocks, &mut |block| {
            if let Some(text) = said(&block.kind) {
                words += word_count(&text);
                let mut hasher = DefaultHasher::new();
                text.hash(&mut hasher);
                hashes.push(hasher.finish());
            }
        });
        let mut shared: HashMap<usize, usize> = HashMap::new();
        let holders = hashes.iter().filter_map(|hash| self.holders.get(hash));
        for chapter in holders.flatten() {
            *shared.entry(*chapter).or_default() += 1;
        }
        let most = shared.into_values().max().unwrap_or(0);
        if hashes.len() >= BLOCKS_MIN && words >= WORDS_MIN && most * 10 >= hashes.len() * 9 {
            return true;
        }
        for hash in hashes {
            let holders = self.holders.entry(hash).or_default();
            if holders.len() < HOLDERS_MAX && holders.last() != Some(&self.chapters) {
                holders.push(self.chapters);
            }
        }
        self.chapters += 1;
        false
    }
}

/// What a block says for itself, without those inside it; headings may be other ones.
fn said(kind: &BlockKind) -> Option<String> {
    let joined = |texts: &mut dyn Iterator<Item = &Vec<Inline>>| {
        let texts: Vec<String> = texts.map(|text| plain(text)).collect();
        texts.join(" ")
    };
    let text = match kind {
        BlockKind::Paragraph(text) => plain(text),
        BlockKind::Code { text, .. } => text.clone(),
        BlockKind::Table { header, rows, .. } => {
            joined(&mut header.iter().chain(rows.iter().flatten()))
        }
        BlockKind::Definitions(entries) => {
            joined(&mut entries.iter().flat_map(|entry| &entry.terms))
        }
        _ => return None,
    };
    let text = squash(&text);
    (!letters(&text).is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::extract::html::read_whole;

    fn page(from: usize, to: usize) -> Vec<Block> {
        let line = |at: usize| {
            format!("<p>Kiln number {at} is heated until the clay in it is hard and red.</p>")
        };
        read_whole(&(from..to).map(line).collect::<String>()).blocks
    }

    #[test]
    fn a_chapter_that_stands_in_another_one_is_not_read_again() {
        let mut said = Said::default();
        assert!(!said.again(&page(0, 30)));
        assert!(said.again(&page(10, 20)));
        assert!(!said.again(&page(25, 45)));
        assert!(!said.again(&page(0, 3)), "of few blocks nobody can tell");
    }

    #[test]
    fn what_stands_in_several_chapters_is_read() {
        let mut said = Said::default();
        for at in 0..4 {
            assert!(!said.again(&page(at * 5, at * 5 + 5)));
        }
        assert!(!said.again(&page(0, 20)));
    }
}
