//! Knows what writers put above the title of a document and what is no part of it: its logo, badges, a note of the translator.

use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::text::{Inline, plain};

/// A note of the translator is not longer, in bytes of its source.
const NOTE_BYTES_MAX: usize = 300;

/// Lets the title stand first where only ornaments stand above it; a logo shows nothing to read, and goes.
pub(super) fn follow_title(text: &str, blocks: &mut Vec<Block>) {
    let is_heading = |block: &Block| matches!(block.kind, BlockKind::Heading { .. });
    let Some(at) = blocks.iter().position(is_heading) else {
        return;
    };
    let Some((title, above)) = blocks.get_mut(..=at).and_then(|head| head.split_last_mut()) else {
        return;
    };
    let is_title = matches!(title.kind, BlockKind::Heading { level: 1, .. });
    if !is_title || !above.iter().all(|block| is_ornament(text, block)) {
        return;
    }
    if let Some(head) = blocks.get_mut(..=at) {
        head.rotate_right(1);
    }
    let mut number = 0;
    blocks.retain(|block| {
        number += 1;
        number > at + 1 || !is_logo(text, block)
    });
}

fn is_ornament(text: &str, block: &Block) -> bool {
    let source = text.get(block.span.bytes.clone()).unwrap_or("");
    let is_translated = || {
        let lower = source.to_lowercase();
        source.len() <= NOTE_BYTES_MAX && (lower.contains("translat") || lower.contains('译'))
    };
    match &block.kind {
        BlockKind::Figure { .. } => true,
        BlockKind::Paragraph(_) => {
            let is_picture = |line: &str| {
                ["![", "[!["].iter().any(|mark| line.starts_with(mark))
                    || line.starts_with('<') && source.contains("<img")
            };
            source.lines().map(str::trim).all(is_picture) || is_translated()
        }
        BlockKind::List { .. } | BlockKind::Quote(_) => is_translated(),
        _ => false,
    }
}

fn is_logo(text: &str, block: &Block) -> bool {
    let names_it = |words: &str| words.to_lowercase().contains("logo");
    match &block.kind {
        BlockKind::Figure { alternative, .. } => names_it(alternative),
        BlockKind::Paragraph(words) => match words.as_slice() {
            [Inline::Link(link)] => {
                let source = text.get(block.span.bytes.clone()).unwrap_or("");
                source.starts_with("[![") && names_it(&plain(&link.text))
            }
            _ => false,
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::markup::markdown::read;
    use skillkiln_document::markdown::write;

    #[test]
    fn ornaments_above_the_title_do_not_keep_it_from_standing_first() {
        for above in [
            "![KILN logo](logo.png)",
            "[![KILN logo](logo.png)](https://kiln.org)",
            "![KILN logo](logo.png)\n\n[![Build](https://img.shields.io/b.svg)](https://b)",
        ] {
            let document = read(format!("{above}\n# Kilns\n\nThey are hot.\n\n## Use\n"));
            assert_eq!(document.title.as_deref(), Some("Kilns"));
            assert_eq!(
                write(&document.blocks),
                "# Kilns\n\nThey are hot.\n\n## Use\n"
            );
        }
        let document = read("> Translated from the German.\n\n# Kilns\n\nThey are hot.\n".into());
        assert_eq!(
            write(&document.blocks),
            "# Kilns\n\n> Translated from the German.\n\nThey are hot.\n"
        );
    }

    #[test]
    fn words_above_a_heading_stay_above_it() {
        let source = "Kilns are hot.\n\n# Use\n\nHeat them.\n";
        assert_eq!(write(&read(source.into()).blocks), source);
    }
}
