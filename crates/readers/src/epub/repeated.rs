//! Owns which chapters of a book were read before under another name: manuals include a page in others, and pack it once more for
//! itself.

use crate::epub::{depths, is_address};
use skillkiln_document::blocks::{Block, BlockKind, walk};
use skillkiln_document::text::{Inline, letters, plain, squash, word_count};
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// A chapter of fewer blocks, or of fewer words, is always read.
const BLOCKS_MIN: usize = 5;
const WORDS_MIN: usize = 60;
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
    /// Whether all of a chapter, its headings among it, stands in one that was read before; one of which it does not is noted.
    pub(super) fn again(&mut self, blocks: &[Block]) -> bool {
        let mut words = 0;
        let mut hashes: HashSet<u64> = HashSet::new();
        walk(blocks, &mut |block| {
            if let Some(text) = said(&block.kind) {
                let mut hasher = DefaultHasher::new();
                text.hash(&mut hasher);
                if hashes.insert(hasher.finish()) {
                    words += word_count(&text);
                }
            }
        });
        let mut shared: HashMap<usize, usize> = HashMap::new();
        let holders = hashes.iter().filter_map(|hash| self.holders.get(hash));
        for chapter in holders.flatten() {
            *shared.entry(*chapter).or_default() += 1;
        }
        let most = shared.into_values().max().unwrap_or(0);
        if hashes.len() >= BLOCKS_MIN && words >= WORDS_MIN && most == hashes.len() {
            return true;
        }
        for hash in hashes {
            let holders = self.holders.entry(hash).or_default();
            if holders.len() < HOLDERS_MAX {
                holders.push(self.chapters);
            }
        }
        self.chapters += 1;
        false
    }
}

/// What a block says for itself, without those inside it.
fn said(kind: &BlockKind) -> Option<String> {
    let joined = |texts: &mut dyn Iterator<Item = &Vec<Inline>>| {
        let texts: Vec<String> = texts.map(|text| plain(text)).collect();
        squash(&texts.join(" "))
    };
    let text = match kind {
        BlockKind::Heading { text, .. } => heading(&plain(text)),
        BlockKind::Paragraph(text) => squash(&plain(text)),
        // How far a line of code is indented may be all that it says.
        BlockKind::Code { text, .. } | BlockKind::Math(text) => text.clone(),
        BlockKind::Table {
            header,
            rows,
            caption,
        } => joined(&mut caption.iter().chain(header).chain(rows.iter().flatten())),
        BlockKind::Definitions(entries) => {
            joined(&mut entries.iter().flat_map(|entry| &entry.terms))
        }
        BlockKind::Admonition { class, title, .. } => {
            squash(&format!("{class} {}", title.as_deref().unwrap_or_default()))
        }
        BlockKind::Figure {
            source,
            alternative,
            caption,
        } => {
            let source = Some(source.as_str()).filter(|source| is_address(source));
            let source = source.unwrap_or_default();
            squash(&format!("{source} {alternative} {}", plain(caption)))
        }
        BlockKind::List { .. } | BlockKind::Quote(_) => return None,
    };
    (!text.is_empty()).then_some(text)
}

/// The letters of a heading without the number before it: what is included elsewhere has another number there.
fn heading(title: &str) -> String {
    let name = depths::names(title).pop();
    name.unwrap_or_else(|| letters(title))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::read_whole;

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

    #[test]
    fn a_chapter_with_a_line_or_a_heading_of_its_own_is_read() {
        let lines = "<p>The kiln is heated until the clay in it is hard and red.</p><p>Description</p><p>Type: string of letters</p>\
            <p>See the guide of kilns for what each of them means.</p><ul><li>It is opened on the day after, when all is cold.</li></ul>\
            <p>Nobody opens it before that day, or what is in it breaks and the potter has to form all of it once more from new clay.</p>";
        let page = |more: &str| read_whole(&format!("{more}{lines}")).blocks;
        let mut said = Said::default();
        assert!(!said.again(&page("<h1>1. Kilns</h1>")));
        assert!(!said.again(&page("<h1>2. Ovens</h1>")));
        assert!(!said.again(&page("<h1>1. Kilns</h1><pre>fire()</pre>")));
        assert!(said.again(&page("<h1>4.2 Kilns</h1>")));
    }
}
