//! Owns what the tests of this room build documents from: a small Markdown of headings, lists, code and paragraphs.

use crate::domain::clock::Timestamp;
use crate::domain::source::SourceType;
use crate::pipeline::product::{Extracted, Origin};
use skillkiln_document::blocks::{Block, BlockKind, Document, Span};
use skillkiln_document::text::Inline;

/// A block at a place in the text.
pub(in crate::pipeline) fn block(kind: BlockKind, bytes: std::ops::Range<usize>) -> Block {
    Block {
        kind,
        span: Span::of(bytes),
    }
}

/// Words without marks.
pub(in crate::pipeline) fn words(text: &str) -> Vec<Inline> {
    vec![Inline::Text(text.to_owned())]
}

/// A document from pieces separated by blank lines: `# heading`, `- item`, `1. item`, ```` ``` ```` code, else a paragraph.
pub(in crate::pipeline) fn document(text: &str) -> Document {
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
                level: u8::try_from(level.min(6)).unwrap(),
                text: words(trimmed.trim_start_matches('#').trim()),
            }
        } else if let Some(code) = trimmed.strip_prefix("```") {
            let (language, code) = code.split_once('\n').unwrap_or(("", ""));
            BlockKind::Code {
                language: (!language.is_empty()).then(|| language.to_owned()),
                text: code.trim_end_matches('`').trim_end().to_owned(),
            }
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

/// A read source.
pub(in crate::pipeline) fn extracted(document: Document) -> Extracted {
    Extracted {
        document,
        origin: origin(),
    }
}

/// Where the sources of tests come from.
pub(in crate::pipeline) fn origin() -> Origin {
    Origin {
        kind: SourceType::Text,
        label: "text".into(),
        digest: "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f809".into(),
        read_at: Timestamp::from_micros(1_795_000_000_000_000),
    }
}
