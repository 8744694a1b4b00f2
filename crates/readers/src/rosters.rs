//! Owns runs of headings with nothing below them: where pages of a reference hold a title and no text, what is left of them is a list.

use crate::releases::release;
use skillkiln_document::blocks::{Block, BlockKind, Span};

/// So many headings of one level in a row are a list.
const HEADINGS_MIN: usize = 3;

/// Makes lists of headings that follow one another without any text, below a heading that is higher: its section lists them. The highest
/// headings stay, since an outline consists of such.
pub(super) fn list(blocks: &mut Vec<Block>) {
    let level_at = |blocks: &[Block], at: usize| match blocks.get(at).map(|block| &block.kind) {
        Some(BlockKind::Heading { level, .. }) => Some(*level),
        _ => None,
    };
    let levels = blocks.iter().filter_map(|block| match &block.kind {
        BlockKind::Heading { level, .. } => Some(*level),
        _ => None,
    });
    let Some(highest) = levels.min() else {
        return;
    };
    let is_void = |blocks: &[Block], at: usize, level: u8| {
        level_at(blocks, at) == Some(level)
            && match blocks.get(at + 1) {
                Some(_) => level_at(blocks, at + 1).is_some_and(|next| next <= level),
                None => true,
            }
    };
    let mut runs: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    while at < blocks.len() {
        let Some(level) = level_at(blocks, at).filter(|level| *level > highest) else {
            at += 1;
            continue;
        };
        let start = at;
        while is_void(blocks, at, level) {
            at += 1;
        }
        let run = blocks.get(start..at).unwrap_or_default();
        // A release of which nothing is told is one still.
        if run.len() >= HEADINGS_MIN && !run.iter().any(|block| release(block).is_some()) {
            runs.push((start, at));
        }
        at = at.max(start + 1);
    }
    if runs.is_empty() {
        return;
    }
    let mut out = Vec::with_capacity(blocks.len());
    let mut runs = runs.into_iter().peekable();
    let mut items: Vec<Vec<Block>> = Vec::new();
    for (at, block) in blocks.drain(..).enumerate() {
        let Some((_, end)) = runs.peek().copied().filter(|(start, _)| *start <= at) else {
            out.push(block);
            continue;
        };
        if let BlockKind::Heading { text, .. } = block.kind {
            items.push(vec![Block {
                kind: BlockKind::Paragraph(text),
                span: block.span,
            }]);
        }
        if at + 1 == end {
            runs.next();
            out.push(roster(std::mem::take(&mut items)));
        }
    }
    *blocks = out;
}

/// A list of what the headings said.
fn roster(items: Vec<Vec<Block>>) -> Block {
    let first = items.first().and_then(|item| item.first());
    let last = items.last().and_then(|item| item.last());
    let span = match (first, last) {
        (Some(first), Some(last)) => Span::at(
            first.span.bytes.start..last.span.bytes.end,
            first.span.landmark().cloned(),
        ),
        _ => Span::default(),
    };
    Block {
        kind: BlockKind::List { start: None, items },
        span,
    }
}

#[cfg(test)]
mod tests {
    use super::list;
    use crate::markup::markdown;
    use skillkiln_document::markdown::write;

    fn listed(source: &str) -> String {
        let mut blocks = markdown::read(source.to_owned()).blocks;
        list(&mut blocks);
        write(&blocks)
    }

    #[test]
    fn headings_in_a_row_without_text_below_them_are_a_list() {
        assert_eq!(
            listed(
                "# Checks\n\n## All\n\n### B1: ash\n\n### B2: `bisque`\n\n### B3: clay\n\n## More\n\nThey burn."
            ),
            "# Checks\n\n## All\n\n- B1: ash\n- B2: `bisque`\n- B3: clay\n\n## More\n\nThey burn.\n"
        );
    }

    #[test]
    fn the_last_of_them_that_has_text_stays_a_heading() {
        assert_eq!(
            listed("# K\n\n## A\n\n## B\n\n## C\n\n## D\n\nThey burn.\n"),
            "# K\n\n- A\n- B\n- C\n\n## D\n\nThey burn.\n"
        );
    }

    #[test]
    fn an_outline_and_a_pair_of_headings_stay_as_they_are() {
        for source in [
            "# A\n\n# B\n\n# C\n\n# D\n",
            "# K\n\n## A\n\n## B\n\nThey burn.\n",
            "# K\n\n## A\n\n### B\n\n#### C\n\nThey burn.\n",
            "# K\n\n## 1.2.0\n\n## 1.1.0\n\n## 1.0.0\n\n## 0.9.0\n",
        ] {
            assert_eq!(listed(source), source);
        }
    }
}
