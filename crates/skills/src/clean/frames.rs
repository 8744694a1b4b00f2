//! Owns which blocks of a source only lead about it, or hold the place of something: they belong to its page, and to no skill.

use super::is_web_address;
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::text::{Inline, Link, letters, plain};

/// Whether a block is the heading of a table of contents.
pub(super) fn is_over_contents(block: &Block) -> bool {
    matches!(&block.kind, BlockKind::Heading { text, .. } if is_contents(&plain(text)))
}

/// Whether a heading stands over a table of contents.
pub(crate) fn is_contents(title: &str) -> bool {
    matches!(
        title.trim().to_lowercase().as_str(),
        "contents"
            | "table of contents"
            | "toc"
            | "on this page"
            | "in this article"
            | "navigation"
    )
}

/// Whether a block does nothing but lead to places in the source itself: a list of links, or a row of them.
pub(super) fn is_navigation(block: &Block) -> bool {
    match &block.kind {
        BlockKind::List { items, .. } => {
            entries(items) >= 2 && items.iter().all(|item| is_listed(item, &leads_inside))
        }
        BlockKind::Paragraph(text) => is_row_of_links(text) || leads_away(text),
        _ => false,
    }
}

/// Whether a list below the heading of a table of contents names sections alone, though by the address that its pages have elsewhere.
pub(super) fn lists_sections(block: &Block) -> bool {
    let leads_to_section = |link: &Link| {
        let fragment = link.href.split_once('#').map(|(_, fragment)| fragment);
        fragment.is_some_and(|fragment| letters(fragment) == letters(&plain(&link.text)))
    };
    is_navigation(block)
        || matches!(&block.kind, BlockKind::List { items, .. }
            if items.iter().all(|item| is_listed(item, &leads_to_section)))
}

/// How many entries a list has with those of the lists inside.
fn entries(items: &[Vec<Block>]) -> usize {
    let inside = |block: &Block| match &block.kind {
        BlockKind::List { items, .. } => entries(items),
        _ => 0,
    };
    items.len() + items.iter().flatten().map(inside).sum::<usize>()
}

fn is_listed(item: &[Block], leads: &dyn Fn(&Link) -> bool) -> bool {
    !item.is_empty()
        && item.iter().all(|block| match &block.kind {
            BlockKind::Paragraph(text) => match text.as_slice() {
                [Inline::Link(link)] => leads(link),
                _ => false,
            },
            BlockKind::List { items, .. } => items.iter().all(|item| is_listed(item, leads)),
            _ => false,
        })
}

fn leads_inside(link: &Link) -> bool {
    link.href.starts_with('#')
}

/// Whether links into the source itself stand in a row with marks between them: `[Install](#install) | [Use](#use)`.
fn is_row_of_links(text: &[Inline]) -> bool {
    let mut links = 0;
    let mut marks = 0;
    text.iter().all(|inline| match inline {
        Inline::Link(link) => {
            links += 1;
            leads_inside(link)
        }
        Inline::Text(between) => {
            marks += usize::from(between.contains(['|', '•', '·', '∙', '●', '►']));
            !between.contains(char::is_alphanumeric)
        }
        Inline::Break => true,
        _ => false,
    }) && links >= 2
        && marks + 1 >= links
}

/// Whether a paragraph is nothing but the way back to where the page begins, or to where its source is changed.
fn leads_away(text: &[Inline]) -> bool {
    const WAYS: [&str; 13] = [
        "edit on github",
        "edit this page",
        "edit this page on github",
        "improve this page",
        "suggest edits",
        "report an issue",
        "back to top",
        "back to the top",
        "go to top",
        "return to top",
        "back to contents",
        "back to table of contents",
        "back to toc",
    ];
    let words = plain(text).to_lowercase();
    let words = words.trim_matches(|c: char| !c.is_alphanumeric());
    let links = |inline: &Inline| matches!(inline, Inline::Link(link) if leads_inside(link));
    WAYS.contains(&words) || matches!(words, "top" | "to top") && text.iter().any(links)
}

/// Whether a paragraph is the link past a page's menu that readers of the screen are offered, and nothing else.
pub(super) fn is_skip_link(block: &Block) -> bool {
    let BlockKind::Paragraph(text) = &block.kind else {
        return false;
    };
    let words = plain(text).trim().to_lowercase();
    words
        .strip_prefix("skip to ")
        .or_else(|| words.strip_prefix("jump to "))
        .is_some_and(|rest| matches!(rest, "content" | "main content" | "the content"))
}

/// Whether a paragraph is the place where a template would put something: `{{ header }}`.
pub(super) fn is_placeholder(block: &Block) -> bool {
    let BlockKind::Paragraph(text) = &block.kind else {
        return false;
    };
    let [Inline::Text(words)] = text.as_slice() else {
        return false;
    };
    let inner = words.trim().strip_prefix("{{");
    let inner = inner.and_then(|inner| inner.strip_suffix("}}"));
    inner.is_some_and(|name| {
        name.trim()
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-'))
    })
}

/// Whether a paragraph is labels alone, each with its colon: they named badges, which went.
pub(super) fn is_mere_labels(block: &Block) -> bool {
    let BlockKind::Paragraph(text) = &block.kind else {
        return false;
    };
    let words = plain(text);
    let mut labels = words.split_whitespace();
    labels.clone().nth(1).is_some() && labels.all(|label| label.len() > 1 && label.ends_with(':'))
}

/// Whether a note says "See also" and names other pages of its site alone, to which nothing leads from a skill.
pub(super) fn points_nowhere(block: &Block) -> bool {
    let BlockKind::Admonition { class, blocks, .. } = &block.kind else {
        return false;
    };
    let leads_nowhere = |inline: &Inline| match inline {
        Inline::Link(link) => !is_web_address(&link.href),
        Inline::Text(words) => !words.contains(char::is_alphanumeric),
        _ => false,
    };
    class == "seealso"
        && blocks.iter().all(|block| {
            matches!(&block.kind, BlockKind::Paragraph(text) if text.iter().all(leads_nowhere))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clean::prepare;
    use skillkiln_document::testing::{block, document, words};

    fn link(words_of: &str, href: &str) -> Vec<Inline> {
        vec![Inline::link(href.into(), words(words_of))]
    }

    fn list(items: Vec<Vec<Inline>>) -> Block {
        let items = items
            .into_iter()
            .map(|item| vec![block(BlockKind::Paragraph(item), 0..1)]);
        block(
            BlockKind::List {
                start: None,
                items: items.collect(),
            },
            0..1,
        )
    }

    #[test]
    fn what_only_leads_about_the_page_is_no_content() {
        let row = [link("Doors", "#doors"), words(" | "), link("Wood", "#wood")].concat();
        for (frame, stays) in [
            (
                list(vec![link("Kiln", "#kiln"), link("Doors", "#doors")]),
                false,
            ),
            (list(vec![link("Wood", "https://kiln.example/wood")]), true),
            (block(BlockKind::Paragraph(row), 0..1), false),
            (
                block(BlockKind::Paragraph(words("Back to top")), 0..1),
                false,
            ),
            (
                block(BlockKind::Paragraph(words("Skip to content")), 0..1),
                false,
            ),
            (
                block(BlockKind::Paragraph(words("{{ header }}")), 0..1),
                false,
            ),
            (
                block(BlockKind::Paragraph(words("It fires {{ pots }}.")), 0..1),
                true,
            ),
        ] {
            let mut document = document("# Kiln\n\nIt burns.");
            document.blocks.push(frame.clone());
            let left = prepare(&document).blocks.len();
            assert_eq!(left, 2 + usize::from(stays), "{frame:?}");
        }
    }

    #[test]
    fn labels_of_badges_and_a_pointer_to_another_page_before_all_words_are_no_content() {
        let note = |href: &str| {
            let inner = vec![block(BlockKind::Paragraph(link("Kilns", href)), 0..1)];
            block(
                BlockKind::Admonition {
                    class: "seealso".into(),
                    title: None,
                    blocks: inner,
                },
                0..1,
            )
        };
        let mut document = document("v3: v2: v1:\n\n# Kiln\n\nIt burns: slowly.");
        document.blocks.insert(0, note("kilns.html"));
        assert_eq!(prepare(&document).blocks.len(), 2);
        document.blocks[0] = note("https://kiln.example/kilns.html");
        // Behind words, labels alone are content as well.
        assert_eq!(prepare(&document).blocks.len(), 4);
    }
}
