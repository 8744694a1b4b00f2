//! Owns the table of contents of a long file: its headings, with the anchors that readers give them.

use super::loaders;
use super::page::{Page, paragraph};
use super::references::names::top_headings;
use crate::pipeline::scaffold::CONTENTS;
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::markdown;
use skillkiln_document::text::{Anchors, Inline, plain, squash};

/// Most headings that are listed.
const CONTENTS_ENTRIES_MAX: usize = 60;

/// A heading that is listed.
pub(super) struct Entry {
    /// How many headings it stands below.
    pub(super) depth: usize,
    /// Its words, as a link shows them.
    pub(super) label: String,
    /// Its anchor.
    pub(super) anchor: String,
}

/// The table of contents: the headings of a file with the anchors that readers give them.
pub(super) fn entries(title: &str, content: &[Block]) -> Vec<Entry> {
    let mut anchors = Anchors::default();
    anchors.next_of(title);
    anchors.next_of(CONTENTS);
    let mut page = Page::new(None);
    let mut entries = Vec::new();
    let single = top_headings(content).len() == 1;
    for (offset, block) in content.iter().enumerate() {
        let BlockKind::Heading { level, text } = &block.kind else {
            continue;
        };
        let words = squash(&plain(text));
        if offset == 0 && words == title && single {
            continue;
        }
        let out_level = page.below(1, *level);
        let anchor = anchors.next_of(&words);
        if !anchor.is_empty() {
            entries.push((
                out_level,
                Entry {
                    depth: usize::from(out_level.saturating_sub(2)),
                    label: label(words),
                    anchor,
                },
            ));
        }
    }
    for deepest in (2..=6).rev() {
        if entries.len() <= CONTENTS_ENTRIES_MAX {
            break;
        }
        entries.retain(|(level, _)| *level < deepest || deepest == 2);
    }
    entries
        .into_iter()
        .take(CONTENTS_ENTRIES_MAX)
        .map(|(_, entry)| entry)
        .collect()
}

/// The words of a heading as a link shows them: brackets would end it, other than those in code.
fn label(words: String) -> String {
    let words = loaders::set_apart(words.into());
    let has_brackets =
        |part: &Inline| matches!(part, Inline::Text(text) if text.contains(['[', ']']));
    let is_parted = words.len() > 1 && !words.iter().any(has_brackets);
    let words = match is_parted {
        true => words,
        false => vec![Inline::Text(plain(&words))],
    };
    let written = markdown::write(&[paragraph(words)]);
    let written = written.trim();
    if is_parted {
        return written.to_owned();
    }
    let escaped = written.replace('[', "\\[").replace(']', "\\]");
    escaped.replace("\\\\[", "\\[").replace("\\\\]", "\\]")
}
