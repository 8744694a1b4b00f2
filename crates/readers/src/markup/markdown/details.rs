//! Puts what a fold of HTML hides under its words: as a heading, where what is folded has headings or stands in a row of folds, or
//! else in bold.

use crate::builder::each_block;
use crate::html::levels::LEVEL_MAX;
use crate::markup::markdown::{Level, Open, Reader};
use skillkiln_document::blocks::{Block, BlockKind, NESTING_MAX};
use skillkiln_document::text::Inline;

/// The class of the admonition that a fold is kept as until all around it is read; nothing that is written is called so. Its first
/// block is its words.
const FOLD: &str = "\0fold";

impl Reader {
    pub(super) fn begin_fold(&mut self, start: usize) {
        self.flush(start);
        // Deeper, what it hides belongs to the one around it.
        if self.levels.len() > NESTING_MAX {
            return;
        }
        self.levels.push(Level {
            open: Open::Fold(None),
            start,
            blocks: Vec::new(),
        });
    }

    /// Gives the innermost fold its words; gives them back where there is none without.
    pub(super) fn name_fold(&mut self, words: Block) -> Option<Block> {
        match self.levels.last_mut().map(|level| &mut level.open) {
            Some(Open::Fold(name @ None)) => {
                *name = Some(words);
                None
            }
            _ => Some(words),
        }
    }

    /// The words of a fold may be Markdown: the one block that stands in it as yet.
    pub(super) fn name_fold_by_block(&mut self) {
        if let Some(Level {
            open: Open::Fold(name @ None),
            blocks,
            ..
        }) = self.levels.last_mut()
            && let [
                Block {
                    kind: BlockKind::Heading { .. } | BlockKind::Paragraph(_),
                    ..
                },
            ] = blocks.as_slice()
        {
            *name = blocks.pop();
        }
    }

    /// Ends the fold that is innermost; within another block that was opened since, there is nothing to end.
    pub(super) fn end_fold(&mut self, end: usize) {
        if !self.in_fold() {
            return;
        }
        self.flush(end);
        let is_deep = self.levels.len() > NESTING_MAX;
        let Some(Level {
            open: Open::Fold(name),
            start,
            mut blocks,
        }) = self.levels.pop()
        else {
            return;
        };
        match name {
            Some(words) if !is_deep => {
                blocks.insert(0, words);
                self.has_folds = true;
                let kind = BlockKind::Admonition {
                    class: FOLD.to_owned(),
                    title: None,
                    blocks,
                };
                let end = self.last_end.clamp(start, end.max(start));
                self.push(kind, start..end);
            }
            name => {
                self.extend(name.map(in_bold).into_iter().collect());
                self.extend(blocks);
            }
        }
    }

    /// Gives up the folds that nothing ends in the block that ends now: how far they reach is not known.
    pub(super) fn give_up_folds(&mut self) {
        while self.in_fold() {
            if let Some(Level {
                open: Open::Fold(name),
                blocks,
                ..
            }) = self.levels.pop()
            {
                self.extend(name.map(in_bold).into_iter().collect());
                self.extend(blocks);
            }
        }
    }

    fn in_fold(&self) -> bool {
        let open = self.levels.last().map(|level| &level.open);
        matches!(open, Some(Open::Fold(_)))
    }
}

/// `blocks` with every fold in its place.
pub(super) fn unfolded(blocks: Vec<Block>) -> Vec<Block> {
    let mut out = Vec::with_capacity(blocks.len());
    lay(blocks, 0, true, &mut out);
    out
}

/// Lays out `blocks`, which stand in a section of level `section`; `heads` tells whether headings may stand there.
fn lay(blocks: Vec<Block>, mut section: u8, heads: bool, out: &mut Vec<Block>) {
    let heading = match heads {
        true => which_head(&blocks),
        false => vec![false; blocks.len()],
    };
    for (mut block, is_heading) in blocks.into_iter().zip(heading) {
        match &mut block.kind {
            BlockKind::Admonition { class, blocks, .. } if class == FOLD => {
                let mut inner = std::mem::take(blocks);
                let words = inner.remove(0);
                if is_heading {
                    let level = head(words, section, out);
                    sink(&mut inner, level);
                    lay(inner, level, heads, out);
                } else {
                    out.push(in_bold(words));
                    lay(inner, section, heads, out);
                }
                continue;
            }
            BlockKind::Heading { level, .. } => section = *level,
            BlockKind::List { items, .. } => items.iter_mut().for_each(lay_inside),
            BlockKind::Quote(inner) | BlockKind::Admonition { blocks: inner, .. } => {
                lay_inside(inner);
            }
            BlockKind::Definitions(entries) => {
                let inner = entries.iter_mut().map(|entry| &mut entry.blocks);
                inner.for_each(lay_inside);
            }
            _ => {}
        }
        out.push(block);
    }
}

fn lay_inside(blocks: &mut Vec<Block>) {
    let inner = std::mem::take(blocks);
    lay(inner, 0, false, blocks);
}

/// Writes the words of a fold as a heading in a section of level `section`, and tells its own.
fn head(words: Block, section: u8, out: &mut Vec<Block>) -> u8 {
    let below = (section.max(1) + 1).min(LEVEL_MAX);
    let span = words.span;
    let (level, text) = match words.kind {
        BlockKind::Heading { level, text } => (level, text),
        BlockKind::Paragraph(text) => (below, bare(text)),
        _ => return section,
    };
    let kind = BlockKind::Heading { level, text };
    out.push(Block { kind, span });
    level
}

/// Moves the headings in a fold below its own.
fn sink(inner: &mut [Block], level: u8) {
    let highest = inner.iter().filter_map(|block| match block.kind {
        BlockKind::Heading { level, .. } => Some(level),
        _ => None,
    });
    let by = highest
        .min()
        .map_or(0, |high| (level + 1).saturating_sub(high));
    if by > 0 {
        each_block(inner, &mut |block| {
            if let BlockKind::Heading { level, .. } = &mut block.kind {
                *level = (*level + by).min(LEVEL_MAX);
            }
        });
    }
}

/// Which of `blocks` are folds whose words are headings.
fn which_head(blocks: &[Block]) -> Vec<bool> {
    let mut heads: Vec<bool> = blocks
        .iter()
        .map(|block| folded(block).is_some_and(holds_headings))
        .collect();
    let mut start = 0;
    while start < blocks.len() {
        let row = blocks.get(start..).unwrap_or_default();
        let length = row
            .iter()
            .take_while(|block| folded(block).is_some())
            .count();
        let next = row.get(length);
        // What follows a heading belongs to it: where more is said behind the row, only its end would be lost.
        let is_last = next.is_none_or(|next| matches!(next.kind, BlockKind::Heading { .. }));
        let has_content = || {
            row.iter()
                .take(length)
                .all(|block| folded(block).is_some_and(|inner| inner.len() > 1))
        };
        if length > 1 && is_last && has_content() {
            heads
                .iter_mut()
                .skip(start)
                .take(length)
                .for_each(|head| *head = true);
        }
        start += length + 1;
    }
    heads
}

/// The words of a fold and what it hides.
fn folded(block: &Block) -> Option<&[Block]> {
    match &block.kind {
        BlockKind::Admonition { class, blocks, .. } if class == FOLD => Some(blocks),
        _ => None,
    }
}

/// Whether the words of a fold are a heading, or headings are in it.
fn holds_headings(blocks: &[Block]) -> bool {
    let is_heading = |block: &Block| matches!(block.kind, BlockKind::Heading { .. });
    blocks.len() > 1
        && (blocks.iter().any(is_heading)
            || which_head(blocks.get(1..).unwrap_or_default()).contains(&true))
}

/// Words over what they hide, where they are no heading.
fn in_bold(words: Block) -> Block {
    let text = match words.kind {
        BlockKind::Heading { text, .. } | BlockKind::Paragraph(text) => text,
        kind => return Block { kind, ..words },
    };
    let kind = BlockKind::Paragraph(vec![Inline::Strong(bare(text))]);
    Block { kind, ..words }
}

/// Words without marks of their own around pieces of them that the place gives all of them.
fn bare(text: Vec<Inline>) -> Vec<Inline> {
    text.into_iter()
        .flat_map(|piece| match piece {
            Inline::Strong(inner) => inner,
            piece => vec![piece],
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::markup::markdown::read;
    use skillkiln_document::markdown::write;

    fn written(source: &str) -> String {
        write(&read(source.to_owned()).blocks)
    }

    #[test]
    fn words_over_a_fold_with_headings_are_the_heading_of_them() {
        let method = |name: &str| {
            format!(
                "<details><summary><code>kiln.<a href=\"/k.ts\">{name}</a>() -> Heat</code></summary>\n<dl>\n<dd>\n\n#### Description\n\n<dl>\n<dd>\n\nIt can {name}.\n</dd>\n</dl>\n\n</dd>\n</dl>\n</details>\n\n"
            )
        };
        let shown = |name: &str| {
            format!("### `kiln.{name}() -> Heat`\n\n#### Description\n\nIt can {name}.\n")
        };
        assert_eq!(
            written(&format!(
                "# R\n\n## Kiln\n{}{}",
                method("fire"),
                method("cool")
            )),
            format!("# R\n\n## Kiln\n\n{}\n{}", shown("fire"), shown("cool"))
        );
    }

    #[test]
    fn headings_in_a_fold_go_below_its_own_and_folds_in_it_deeper() {
        assert_eq!(
            written(
                "## Kiln\n\n<details>\n<summary>Fire</summary>\n\n## How\n\nSo.\n\n<details open><summary>In <b>Java</b></summary>\n\n# Code\n\nx\n\n</details>\n\n</details>\n\n## Doors\n"
            ),
            "## Kiln\n\n### Fire\n\n#### How\n\nSo.\n\n##### In Java\n\n###### Code\n\nx\n\n## Doors\n"
        );
    }

    #[test]
    fn folds_in_a_row_are_sections_and_one_alone_is_a_paragraph() {
        let fold = |name: &str| {
            format!("<details>\n<summary>\n{name}\n</summary>\n\nHow to {name}.\n\n</details>\n\n")
        };
        assert_eq!(
            written(&format!(
                "# K\n\n{}{}## End\n\nWords.\n\n{}",
                fold("Fire"),
                fold("Cool"),
                fold("More `b`")
            )),
            "# K\n\n## Fire\n\nHow to Fire.\n\n## Cool\n\nHow to Cool.\n\n## End\n\nWords.\n\n**More `b`**\n\nHow to More `b`.\n"
        );
        // Where words follow the row, they are not the last one's.
        assert_eq!(
            written(&format!("# K\n\n{}{}Words.\n", fold("Fire"), fold("Cool"))),
            "# K\n\n**Fire**\n\nHow to Fire.\n\n**Cool**\n\nHow to Cool.\n\nWords.\n"
        );
    }

    #[test]
    fn words_over_a_fold_may_be_markdown() {
        assert_eq!(
            written(
                "# K\n\n<details>\n<summary>\n\n### The `fire`\n\n</summary>\n\nBurns.\n\n</details>\n"
            ),
            "# K\n\n### The `fire`\n\nBurns.\n"
        );
    }

    #[test]
    fn folds_in_items_and_folds_that_nothing_ends_hide_nothing() {
        assert_eq!(
            written(
                "- Item\n\n  <details><summary>A</summary>\n\n  ## B\n\n  c\n\n  </details>\n\n<details><summary>D</summary>\n\n## E\n\n- f\n\n  </details>\n\n## G\n"
            ),
            "- Item\n\n  **A**\n\n  ## B\n\n  c\n\n**D**\n\n## E\n\n- f\n\n## G\n"
        );
        let many = "<details><summary>A</summary>\n\n".repeat(300);
        let shown = written(&format!("{many}End.\n\n{}", "</details>\n\n".repeat(300)));
        assert!(shown.contains("End.") && shown.matches('A').count() == 300);
    }

    #[test]
    fn many_folds_that_nothing_ends_are_read_at_once() {
        let many = "<details><summary>A</summary>\n\n".repeat(20_000);
        let shown = written(&format!("{many}End.\n"));
        assert!(shown.ends_with("End.\n") && shown.matches('A').count() == 20_000);
    }
}
