//! Owns what the tests build documents from: a small Markdown of headings, lists, code and paragraphs.

use crate::blocks::{Block, BlockKind, Document, Span};
use crate::text::Inline;

/// A block at a place in the text.
pub fn block(kind: BlockKind, bytes: std::ops::Range<usize>) -> Block {
    Block {
        kind,
        span: Span::of(bytes),
    }
}

/// Words, with code between backticks.
pub fn words(text: &str) -> Vec<Inline> {
    text.split('`')
        .enumerate()
        .filter(|(_, piece)| !piece.is_empty())
        .map(|(number, piece)| match number % 2 {
            0 => Inline::Text(piece.to_owned()),
            _ => Inline::Code(piece.to_owned()),
        })
        .collect()
}

/// A document from pieces separated by blank lines: `# heading`, `- item`, `1. item`, ```` ``` ```` code, `> quote`, else a paragraph.
pub fn document(text: &str) -> Document {
    let mut blocks = Vec::new();
    let mut at = 0;
    for piece in text.split("\n\n") {
        let range = at..at + piece.len();
        at += piece.len() + 2;
        let trimmed = piece.trim();
        if trimmed.is_empty() {
            continue;
        }
        let kind = if trimmed.starts_with('#') {
            let level = trimmed.bytes().take_while(|b| *b == b'#').count();
            BlockKind::Heading {
                level: u8::try_from(level.min(6)).unwrap_or(6),
                text: words(trimmed.trim_start_matches('#').trim()),
            }
        } else if let Some(code) = trimmed.strip_prefix("```") {
            let (language, code) = code.split_once('\n').unwrap_or(("", ""));
            BlockKind::Code {
                language: (!language.is_empty()).then(|| language.to_owned()),
                text: code.trim_end_matches('`').trim_end().to_owned(),
            }
        } else if let Some(said) = trimmed.strip_prefix("> ") {
            BlockKind::Quote(vec![block(
                BlockKind::Paragraph(words(said)),
                range.clone(),
            )])
        } else if trimmed.starts_with("- ") || trimmed.starts_with("1. ") {
            let items = trimmed
                .lines()
                .map(|line| {
                    let text = line.split_once(' ').unwrap_or(("", line)).1;
                    vec![block(BlockKind::Paragraph(words(text)), range.clone())]
                })
                .collect();
            BlockKind::List {
                start: trimmed.starts_with('1').then_some(1),
                items,
            }
        } else {
            BlockKind::Paragraph(words(trimmed))
        };
        blocks.push(block(kind, range));
    }
    Document {
        text: text.to_owned(),
        blocks,
        ..Document::default()
    }
}
