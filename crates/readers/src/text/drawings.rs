//! Reads what is drawn with the characters for boxes: tables as tables, anything else to the letter.

use super::{Line, code};
use crate::drawn;
use skillkiln_document::blocks::{Block, BlockKind, Span};
use skillkiln_document::text::Inline;

/// What `lines` begin with when it is drawn, and how many lines it takes.
pub(super) fn begins(text: &str, lines: &[Line<'_>]) -> Option<(usize, Block)> {
    let drawn = drawn::begins(lines.iter().map(|line| line.words))?;
    let own = lines.get(..drawn.length)?;
    let Some(rows) = drawn.table else {
        return Some((drawn.length, code::block(text, own)?));
    };
    let (first, last) = (own.first()?, own.last()?);
    let mut rows = rows.into_iter().map(|row| {
        let cells = row.into_iter();
        cells
            .map(|cell| match cell.is_empty() {
                true => Vec::new(),
                false => vec![Inline::Text(cell)],
            })
            .collect()
    });
    let block = Block {
        kind: BlockKind::Table {
            header: rows.next()?,
            rows: rows.collect(),
            caption: None,
        },
        span: Span::of(first.range.start..last.range.end),
    };
    Some((drawn.length, block))
}

/// Whether what is drawn begins with the second line or behind it, at `at`.
pub(super) fn begins_below(lines: &[Line<'_>], at: usize) -> bool {
    let is_drawn = |at: usize| {
        lines
            .get(at)
            .is_some_and(|line| drawn::is_drawn(line.words))
    };
    at > 0
        && is_drawn(at)
        && !is_drawn(at - 1)
        && lines
            .get(at..)
            .is_some_and(|lines| drawn::begins(lines.iter().map(|line| line.words)).is_some())
}

#[cfg(test)]
mod tests {
    use crate::text::read_plain;

    fn written(source: &str) -> String {
        skillkiln_document::markdown::write(&read_plain(source.to_owned()).blocks)
    }

    #[test]
    fn a_table_that_a_program_draws_is_a_table_and_what_is_around_it_words() {
        let source = "The woods are these:\n┌──────┬──────┐\n│ Wood │ Heat │\n├──────┼──────┤\n│ a*h* │ 900  │\n└──────┴──────┘\nThey burn.\n";
        assert_eq!(
            written(source),
            "The woods are these:\n\n| Wood | Heat |\n| --- | --- |\n| a\\*h* | 900 |\n\nThey burn.\n"
        );
    }

    #[test]
    fn a_tree_is_shown_to_the_letter() {
        let source = "It is laid out so:\n\nkiln\n├── door\n│   └── key\n└── wood\n\nIt burns.\n";
        assert_eq!(
            written(source),
            "It is laid out so:\n\n```\nkiln\n├── door\n│   └── key\n└── wood\n```\n\nIt burns.\n"
        );
    }
}
