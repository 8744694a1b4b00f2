//! Owns what a source shows in a form that a skill has to keep: steps with their commands, examples under their marks, and what is named
//! and not there. Linear in the source: each block is looked at once.

use crate::gaps::{GAPS_MAX, of_block};
use crate::outline::block_text;
use crate::units::is_mark;
use crate::validate::digests::{digest, digest_of_words};
use crate::validate::tokens::lines_of;
use skillkiln_document::blocks::{Block, BlockKind, NESTING_MAX};
use skillkiln_document::quick::QuickMap;
use skillkiln_document::secret::redacted;

/// Of words that open so many steps nobody can tell which commands they need.
const ALIKE_MAX: usize = 16;

/// What a source shows.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    /// By the words of a step, the first lines of its code, for each step of these words.
    pub(super) steps: QuickMap<u64, Vec<Vec<u64>>>,
    /// By the words of the first step, how many steps there are at least.
    pub(super) lengths: QuickMap<u64, usize>,
    /// By the lines of some code, the mark above it; `None` where it stands under several.
    pub(super) marks: QuickMap<u64, Option<u64>>,
    /// What it names and does not hold.
    pub(super) missing: Vec<String>,
    /// The mark that the block before was.
    mark: Option<u64>,
}

impl Shapes {
    /// Looks at a block that stands behind the one before.
    pub(super) fn add(&mut self, block: &Block) {
        self.visit(block, 0);
    }

    /// Whether steps of these words need no command that is not among `shown`.
    pub(super) fn is_whole(&self, step: u64, shown: impl Fn(u64) -> bool) -> bool {
        self.steps.get(&step).is_none_or(|alike| {
            alike.len() >= ALIKE_MAX
                || alike
                    .iter()
                    .any(|code| code.iter().all(|line| shown(*line)))
        })
    }

    fn visit(&mut self, block: &Block, depth: usize) {
        let above = self.mark.take();
        for name in of_block(block) {
            if self.missing.len() < GAPS_MAX && !self.missing.contains(&name) {
                self.missing.push(name);
            }
        }
        if depth > NESTING_MAX {
            return;
        }
        match &block.kind {
            BlockKind::Paragraph(_) if is_mark(block) => {
                self.mark = Some(digest_of_words(&block_text(block)));
            }
            BlockKind::Code { text, .. } => {
                let code = code_digest(&redacted(text));
                let mark = self.marks.entry(code).or_insert(above);
                if *mark != above {
                    *mark = None;
                }
            }
            BlockKind::List { start, items } => {
                if start.is_some() {
                    self.add_steps(items);
                }
                items.iter().for_each(|item| self.visit_all(item, depth));
            }
            BlockKind::Quote(inner) | BlockKind::Admonition { blocks: inner, .. } => {
                self.visit_all(inner, depth);
            }
            BlockKind::Definitions(entries) => {
                entries
                    .iter()
                    .for_each(|entry| self.visit_all(&entry.blocks, depth));
            }
            _ => {}
        }
    }

    fn visit_all(&mut self, blocks: &[Block], depth: usize) {
        self.mark = None;
        blocks.iter().for_each(|block| self.visit(block, depth + 1));
        self.mark = None;
    }

    fn add_steps(&mut self, items: &[Vec<Block>]) {
        for (number, item) in items.iter().enumerate() {
            let Some((first, rest)) = item.split_first() else {
                continue;
            };
            let BlockKind::Paragraph(_) = &first.kind else {
                continue;
            };
            let step = digest_of_words(&block_text(first));
            let codes = rest.iter().filter_map(|block| match &block.kind {
                BlockKind::Code { text, .. } => {
                    lines_of(&redacted(text)).next().map(|line| digest(&line))
                }
                _ => None,
            });
            let alike = self.steps.entry(step).or_default();
            if alike.len() < ALIKE_MAX {
                alike.push(codes.collect());
            }
            if number == 0 {
                let least = self.lengths.entry(step).or_insert(items.len());
                *least = items.len().min(*least);
            }
        }
    }
}

/// The digest of some code by its lines.
pub(super) fn code_digest(code: &str) -> u64 {
    let lines: Vec<u64> = lines_of(code).map(|line| digest(&line)).collect();
    digest(&lines)
}
