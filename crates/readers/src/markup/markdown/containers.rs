//! Opens and closes the blocks of Markdown that hold others.

use crate::markup::markdown::{Level, Open, Reader, callout};
use pulldown_cmark::BlockQuoteKind;
use skillkiln_document::blocks::{Block, BlockKind, Definition, NESTING_MAX};
use skillkiln_document::text::Inline;
use std::ops::Range;

impl Reader {
    pub(super) fn open(&mut self, open: Open, start: usize) {
        self.flush(start);
        let open = if self.levels.len() >= NESTING_MAX {
            Open::Flat
        } else {
            open
        };
        self.levels.push(Level {
            open,
            start,
            blocks: Vec::new(),
        });
    }

    pub(super) fn close(&mut self, range: Range<usize>) {
        self.flush(range.end);
        if self.levels.len() < 2 {
            return;
        }
        let Some(Level {
            open,
            start,
            blocks,
        }) = self.levels.pop()
        else {
            return;
        };
        let span = start..self.last_end.clamp(start, range.end.max(start));
        match open {
            Open::List {
                start: first,
                items,
            } => {
                let items: Vec<_> = items.into_iter().filter(|item| !item.is_empty()).collect();
                if !items.is_empty() {
                    self.push(
                        BlockKind::List {
                            start: first,
                            items,
                        },
                        span,
                    );
                }
            }
            Open::Item => match self.levels.last_mut().map(|level| &mut level.open) {
                Some(Open::List { items, .. }) => items.push(blocks),
                _ => self.extend(blocks),
            },
            Open::Quote(_) if blocks.is_empty() => {}
            Open::Quote(None) => {
                let mut blocks = blocks;
                match callout(&mut blocks) {
                    Some((_, None)) if blocks.is_empty() => {}
                    Some((class, title)) => self.push(
                        BlockKind::Admonition {
                            class,
                            title,
                            blocks,
                        },
                        span,
                    ),
                    None => self.push(BlockKind::Quote(blocks), span),
                }
            }
            Open::Quote(Some(kind)) => {
                let class = match kind {
                    BlockQuoteKind::Note => "note",
                    BlockQuoteKind::Tip => "tip",
                    BlockQuoteKind::Important => "important",
                    BlockQuoteKind::Warning => "warning",
                    BlockQuoteKind::Caution => "caution",
                };
                self.push(
                    BlockKind::Admonition {
                        class: class.to_owned(),
                        title: None,
                        blocks,
                    },
                    span,
                );
            }
            Open::Definitions(entries) => self.push(BlockKind::Definitions(entries), span),
            Open::Meaning => match self.levels.last_mut().map(|level| &mut level.open) {
                Some(Open::Definitions(entries)) => match entries.last_mut() {
                    Some(entry) => entry.blocks.extend(blocks),
                    None => self.extend(blocks),
                },
                _ => self.extend(blocks),
            },
            Open::Footnote(name) => {
                let term = vec![Inline::Text(format!("[{name}]"))];
                let entry = Definition {
                    terms: vec![term],
                    blocks,
                };
                self.push(BlockKind::Definitions(vec![entry]), span);
            }
            Open::Root | Open::Flat => self.extend(blocks),
        }
    }

    pub(super) fn extend(&mut self, blocks: Vec<Block>) {
        if let Some(level) = self.levels.last_mut() {
            level.blocks.extend(blocks);
        }
    }

    pub(super) fn finish(mut self) -> Vec<Block> {
        let end = self.last_end;
        while self.levels.len() > 1 {
            self.close(end..end);
        }
        self.flush(end);
        self.levels
            .pop()
            .map(|level| level.blocks)
            .unwrap_or_default()
    }
}
