//! Owns how a document is divided: its sections as a tree, each with its own blocks and what they cost.

use crate::tokens::tokens;
use skillkiln_document::blocks::{Block, BlockKind, walk};
use skillkiln_document::markdown;
use skillkiln_document::text::{plain, squash};
use std::ops::Range;

/// A section: a heading with what stands below it.
#[derive(Debug, Clone)]
pub struct Section {
    /// Its title; empty for what stands before the first heading.
    pub title: String,
    /// 0 for what stands before the first heading, else that of its heading.
    pub level: u8,
    /// The section that it belongs to; `None` for those of the highest level.
    pub parent: Option<usize>,
    /// The block that is its heading.
    pub heading: Option<usize>,
    /// Its own blocks, without the heading and without subsections.
    pub blocks: Range<usize>,
    /// The section behind its last subsection.
    pub end: usize,
    /// Tokens of its heading and its own blocks.
    pub tokens: usize,
    /// Whether its heading is ours, where a long section was cut: it stands at a place without length.
    pub is_made: bool,
}

/// The sections of a document in its order. What is inside a section follows it up to its `end`.
#[derive(Debug, Clone, Default)]
pub struct Outline {
    /// All sections; the first has no title and holds what stands before the first heading.
    pub sections: Vec<Section>,
    /// Tokens of each block, as Markdown.
    pub costs: Vec<usize>,
}

impl Outline {
    /// A section and those around it, from the inside.
    pub fn around(&self, section: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(section), |at| self.sections.get(*at)?.parent)
    }

    /// Divides blocks by their headings.
    #[must_use]
    pub fn of(blocks: &[Block]) -> Self {
        let costs: Vec<usize> = blocks
            .iter()
            .map(|block| tokens(&markdown::write(std::slice::from_ref(block))))
            .collect();
        let mut sections = vec![Section {
            title: String::new(),
            level: 0,
            parent: None,
            heading: None,
            blocks: 0..0,
            end: 1,
            tokens: 0,
            is_made: false,
        }];
        let mut open: Vec<usize> = Vec::new();
        for (at, block) in blocks.iter().enumerate() {
            let cost = costs.get(at).copied().unwrap_or_default();
            let title = match &block.kind {
                BlockKind::Heading { level, text } => Some((*level, squash(&plain(text)))),
                _ => None,
            };
            if let Some((level, title)) = title.filter(|(_, title)| !title.is_empty()) {
                while open
                    .pop_if(|one| sections.get(*one).is_none_or(|one| one.level >= level))
                    .is_some()
                {}
                let own = sections.len();
                sections.push(Section {
                    title,
                    level,
                    parent: open.last().copied(),
                    heading: Some(at),
                    blocks: at + 1..at + 1,
                    end: own + 1,
                    tokens: cost,
                    is_made: block.span.bytes.is_empty(),
                });
                for above in &open {
                    if let Some(above) = sections.get_mut(*above) {
                        above.end = own + 1;
                    }
                }
                open.push(own);
            } else if let Some(last) = sections.last_mut() {
                last.blocks.end = at + 1;
                last.tokens += cost;
            }
        }
        Self { sections, costs }
    }

    /// Tokens of a section with all that is inside it.
    #[must_use]
    pub fn total(&self, section: usize) -> usize {
        let Some(end) = self.sections.get(section).map(|one| one.end) else {
            return 0;
        };
        let all = self.sections.get(section..end).unwrap_or_default();
        all.iter().map(|one| one.tokens).sum()
    }

    /// The same sections, of which some have nothing of their own: their headings are left where something stands inside them.
    #[must_use]
    pub fn without(&self, is_gone: impl Fn(usize) -> bool) -> Self {
        let mut left = self.clone();
        for (_, own) in left
            .sections
            .iter_mut()
            .enumerate()
            .filter(|(at, _)| is_gone(*at))
        {
            own.blocks = own.blocks.end..own.blocks.end;
            own.tokens = 0;
        }
        left
    }

    /// The blocks of a run of sections that are left, each with its heading.
    pub fn blocks_in<'b>(
        &'b self,
        sections: Range<usize>,
        blocks: &'b [Block],
    ) -> impl Iterator<Item = &'b Block> {
        let left = sections.filter(|at| self.total(*at) > 0);
        left.filter_map(|at| self.sections.get(at))
            .flat_map(move |one| {
                let heading = one.heading.and_then(|at| blocks.get(at));
                let own = blocks.get(one.blocks.clone()).unwrap_or_default();
                heading.into_iter().chain(own)
            })
    }

    /// Tokens of the whole document.
    #[must_use]
    pub fn tokens(&self) -> usize {
        self.costs.iter().sum()
    }

    /// Whether all else is inside a section, so that the whole is called by it.
    #[must_use]
    pub fn is_root(&self, section: usize) -> bool {
        let has_no_parent = |one: &Section| one.parent.is_none();
        let is_alone = self.children(None).nth(1).is_none();
        is_alone && self.sections.get(section).is_some_and(has_no_parent)
    }

    /// The blocks of a section with its heading and all that is inside it.
    #[must_use]
    pub fn range(&self, section: usize) -> Range<usize> {
        let Some(one) = self.sections.get(section) else {
            return 0..0;
        };
        let last = self.sections.get(one.end.saturating_sub(1));
        one.heading.unwrap_or(one.blocks.start)..last.map_or(one.blocks.end, |one| one.blocks.end)
    }

    /// The titles from the highest section down to this one.
    #[must_use]
    pub fn path(&self, section: usize) -> Vec<&str> {
        let mut path = Vec::new();
        let mut at = Some(section);
        while let Some(one) = at.and_then(|at| self.sections.get(at)) {
            if !one.title.is_empty() {
                path.push(one.title.as_str());
            }
            at = one.parent;
        }
        path.reverse();
        path
    }

    /// The sections right below one; of `None` the highest ones.
    pub fn children(&self, parent: Option<usize>) -> impl Iterator<Item = usize> {
        let (mut at, end) = match parent {
            Some(parent) => (
                parent + 1,
                self.sections.get(parent).map_or(0, |one| one.end),
            ),
            None => (1, self.sections.len()),
        };
        std::iter::from_fn(move || {
            let one = self.sections.get(at).filter(|_| at < end)?;
            let own = at;
            at = one.end.max(at + 1);
            Some(own)
        })
    }
}

/// The words of a block with all that is inside it, a line for each part.
#[must_use]
pub fn block_text(block: &Block) -> String {
    let mut out = String::new();
    let mut say = |text: &str| {
        if !text.is_empty() {
            out.push_str(text);
            out.push('\n');
        }
    };
    walk(
        std::slice::from_ref(block),
        &mut |block| match &block.kind {
            BlockKind::Heading { text, .. } | BlockKind::Paragraph(text) => say(&plain(text)),
            BlockKind::Code { text, .. } | BlockKind::Math(text) => say(text),
            BlockKind::Table {
                header,
                rows,
                caption,
            } => {
                if let Some(caption) = caption {
                    say(&plain(caption));
                }
                for row in std::iter::once(header).chain(rows) {
                    let cells: Vec<String> = row.iter().map(|cell| plain(cell)).collect();
                    say(&cells.join(" | "));
                }
            }
            BlockKind::Definitions(entries) => {
                for term in entries.iter().flat_map(|entry| &entry.terms) {
                    say(&plain(term));
                }
            }
            BlockKind::Admonition { title, .. } => say(title.as_deref().unwrap_or_default()),
            BlockKind::Figure { caption, .. } => say(&plain(caption)),
            BlockKind::List { .. } | BlockKind::Quote(_) => {}
        },
    );
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::testing::document;

    #[test]
    fn sections_know_their_place_and_their_size() {
        let document =
            document("Before.\n\n# Kiln\n\nFire.\n\n## Door\n\nOpen.\n\n## Ash\n\nCold.");
        let outline = Outline::of(&document.blocks);
        let titles: Vec<&str> = outline.sections.iter().map(|one| &*one.title).collect();
        assert_eq!(titles, ["", "Kiln", "Door", "Ash"]);
        assert_eq!(outline.range(1), 1..7);
        assert_eq!(outline.path(3), ["Kiln", "Ash"]);
        assert_eq!(outline.children(Some(1)).collect::<Vec<_>>(), [2, 3]);
        assert_eq!(outline.total(0) + outline.total(1), outline.tokens());
    }
}
