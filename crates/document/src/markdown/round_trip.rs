//! Tests that hold the invariant of this folder: any blocks, written and rendered, keep their words and their code.

use crate::blocks::{Block, BlockKind, Span, walk};
use crate::markdown::rendered::dialect;
use crate::markdown::{rendered_text, write};
use crate::text::{Inline, plain};
use proptest::prelude::*;
use pulldown_cmark::{Event, Parser, Tag, TagEnd};

fn block(kind: BlockKind) -> Block {
    Block {
        kind,
        span: Span::default(),
    }
}

/// Pieces that tempt a careless writer.
fn words() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "word",
        " ",
        " ",
        "a",
        "1",
        "12. ",
        "- ",
        "+ ",
        "* ",
        "*",
        "**",
        "_",
        "__",
        "`",
        "``",
        "~",
        "~~",
        "$",
        "$$",
        "[",
        "]",
        "(",
        ")",
        "](x)",
        "[x] ",
        "[!NOTE]",
        "[^1]",
        ": ",
        ":",
        "!",
        "<",
        ">",
        "<b>",
        "<!--",
        "&",
        "&amp;",
        "&#35;",
        "#",
        "# ",
        "\\",
        "|",
        "---",
        "===",
        "|-|-|",
        "é",
        "漢",
        "\u{a0}x",
        "http://x.y/z",
        "{a}",
        "\"",
        "'",
        "=",
        "\n",
    ]);
    prop::collection::vec(piece, 1..8).prop_map(|pieces| pieces.concat())
}

fn inlines() -> impl Strategy<Value = Vec<Inline>> {
    let leaf = prop_oneof![
        4 => words().prop_map(Inline::Text),
        2 => words().prop_map(Inline::Code),
        1 => words().prop_map(Inline::Math),
        1 => Just(Inline::Break),
    ];
    let tree = leaf.prop_recursive(3, 12, 4, |inner| {
        let several = prop::collection::vec(inner, 1..4);
        prop_oneof![
            several.clone().prop_map(Inline::Emphasis),
            several.clone().prop_map(Inline::Strong),
            (several, words()).prop_map(|(text, href)| Inline::link(href, text)),
        ]
    });
    prop::collection::vec(tree, 1..5)
}

fn code() -> impl Strategy<Value = String> {
    let line = prop::sample::select(vec![
        "", "    ", "\tindent", "```", "~~~", "````x", "- a", "> q", "# h", "<b>", "end",
        "  | x |", "`",
    ]);
    prop::collection::vec(line, 0..6).prop_map(|lines| lines.join("\n"))
}

fn blocks() -> impl Strategy<Value = Vec<Block>> {
    let leaf = prop_oneof![
        4 => inlines().prop_map(|text| block(BlockKind::Paragraph(text))),
        1 => (1u8..7, inlines()).prop_map(|(level, text)| block(BlockKind::Heading { level, text })),
        2 => code().prop_map(|text| block(BlockKind::Code { language: Some("rust".into()), text })),
        1 => (prop::collection::vec(inlines(), 2), prop::collection::vec(prop::collection::vec(inlines(), 2), 0..3))
            .prop_map(|(header, rows)| block(BlockKind::Table { header, rows, caption: None })),
    ];
    let tree = leaf.prop_recursive(3, 16, 3, |inner| {
        let several = prop::collection::vec(inner, 1..4);
        prop_oneof![
            several
                .clone()
                .prop_map(|inner| block(BlockKind::Quote(inner))),
            (
                prop::option::of(0u64..12),
                prop::collection::vec(several, 1..3)
            )
                .prop_map(|(start, items)| block(BlockKind::List { start, items })),
        ]
    });
    prop::collection::vec(tree, 1..4)
}

/// What a reader would read in `blocks`, without white space.
fn letters_of(blocks: &[Block]) -> String {
    let mut out = String::new();
    walk(blocks, &mut |block| match &block.kind {
        BlockKind::Heading { text, .. } | BlockKind::Paragraph(text) => out.push_str(&plain(text)),
        BlockKind::Code { text, .. } => out.push_str(text),
        BlockKind::Table { header, rows, .. } => {
            for cell in header.iter().chain(rows.iter().flatten()) {
                out.push_str(&plain(cell));
            }
        }
        _ => {}
    });
    without_space(&out)
}

fn without_space(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

fn code_of(blocks: &[Block]) -> Vec<String> {
    let mut out = Vec::new();
    walk(blocks, &mut |block| {
        if let BlockKind::Code { text, .. } = &block.kind {
            out.push(text.clone());
        }
    });
    out
}

fn rendered_code(markdown: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut inside = false;
    for event in Parser::new_ext(markdown, dialect()) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => {
                inside = true;
                out.push(String::new());
            }
            Event::End(TagEnd::CodeBlock) => {
                inside = false;
                if let Some(text) = out.last_mut() {
                    text.pop();
                }
            }
            Event::Text(text) if inside => out.last_mut().unwrap().push_str(&text),
            _ => {}
        }
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn words_and_code_survive_writing_and_rendering(blocks in blocks()) {
        let markdown = write(&blocks);
        prop_assert_eq!(without_space(&rendered_text(&markdown)), letters_of(&blocks), "{}", markdown);
        prop_assert_eq!(rendered_code(&markdown), code_of(&blocks), "{}", markdown);
    }
}

#[test]
fn a_link_whose_code_looks_like_a_definition_stays_a_link() {
    let link = Inline::link("a".to_owned(), vec![Inline::Code("]:".to_owned())]);
    let blocks = [Block {
        kind: BlockKind::Paragraph(vec![link]),
        span: Span::default(),
    }];
    let markdown = write(&blocks);
    assert_eq!(without_space(&rendered_text(&markdown)), "]:", "{markdown}");
}

#[test]
fn stress_before_a_formula_that_is_written_as_words_leaves_no_star() {
    let link = Inline::link(
        "a".to_owned(),
        vec![
            Inline::Emphasis(vec![Inline::Text("_".to_owned())]),
            Inline::Math("\u{e9}]: word".to_owned()),
        ],
    );
    let blocks = [Block {
        kind: BlockKind::Paragraph(vec![link]),
        span: Span::default(),
    }];
    let markdown = write(&blocks);
    assert_eq!(
        without_space(&rendered_text(&markdown)),
        "_\u{e9}]:word",
        "{markdown}"
    );
}

#[test]
fn the_box_of_a_task_is_read_as_it_is_written() {
    for text in ["[x] Fire it", "[ ] Fire it", "[X] Fire it", "[x] *"] {
        let paragraph = BlockKind::Paragraph(vec![
            Inline::Emphasis(vec![Inline::Text(text.to_owned())]),
            Inline::Text(" word".to_owned()),
        ]);
        let block = |kind| Block {
            kind,
            span: Span::default(),
        };
        let items = vec![vec![block(paragraph)]];
        let blocks = [block(BlockKind::List { start: None, items })];
        let markdown = write(&blocks);
        let expected = format!("{text}word").replace(' ', "");
        assert_eq!(
            without_space(&rendered_text(&markdown)),
            expected,
            "{markdown}"
        );
    }
}
