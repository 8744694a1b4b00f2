//! Resolves references to labels: where a label stands at a section, its heading is said; the number that would be printed is not in
//! the source.

use crate::builder::{each_block, tidy};
use crate::markup::latex::groups::{argument_after, group};
use crate::markup::latex::inline::inline;
use crate::markup::latex::shorthands::Place;
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::text::{Inline, plain, squash};
use std::collections::HashMap;

/// What the address of a reference begins with while the document is read; no document has such an address.
const REFERENCE: &str = "\u{1}ref:";
const NAME: &str = "\u{1}name:";
/// What begins what has a heading, with or without a star behind it.
const SECTIONS: [&str; 7] = [
    "\\part",
    "\\chapter",
    "\\section",
    "\\subsection",
    "\\subsubsection",
    "\\paragraph",
    "\\subparagraph",
];

/// A reference to `label`, which is `shown` as long as nobody knows what it names; `is_name` where the heading alone is asked for.
pub(super) fn to(label: &str, shown: &str, is_name: bool) -> Inline {
    let kind = if is_name { NAME } else { REFERENCE };
    Inline::link(
        format!("{kind}{}", label.trim()),
        vec![Inline::Text(shown.to_owned())],
    )
}

/// Puts what they name in the place of all references.
pub(super) fn resolve(text: &str, blocks: &mut [Block]) {
    let named = labels(text);
    each_words(blocks, &mut |words| put(words, &named));
}

/// Calls `change` for the words of all blocks.
pub(super) fn each_words(blocks: &mut [Block], change: &mut dyn FnMut(&mut Vec<Inline>)) {
    each_block(blocks, &mut |block| match &mut block.kind {
        BlockKind::Paragraph(text) | BlockKind::Heading { text, .. } => change(text),
        BlockKind::Figure { caption, .. } => change(caption),
        BlockKind::Definitions(entries) => entries
            .iter_mut()
            .flat_map(|entry| &mut entry.terms)
            .for_each(&mut *change),
        BlockKind::Table {
            header,
            rows,
            caption,
        } => {
            let cells = rows.iter_mut().flatten();
            header
                .iter_mut()
                .chain(cells)
                .chain(caption)
                .for_each(&mut *change);
        }
        _ => {}
    });
}

fn put(text: &mut Vec<Inline>, named: &HashMap<&str, String>) {
    let mut is_changed = false;
    for piece in text.iter_mut() {
        match piece {
            Inline::Emphasis(inner) | Inline::Strong(inner) => put(inner, named),
            Inline::Link(link) => {
                let is_name = link.href.starts_with(NAME);
                let label = link
                    .href
                    .strip_prefix(NAME)
                    .or(link.href.strip_prefix(REFERENCE));
                let Some(label) = label else { continue };
                let said = match named.get(label) {
                    Some(heading) if is_name => heading.clone(),
                    Some(heading) => format!("“{heading}”"),
                    None => plain(&link.text),
                };
                *piece = Inline::Text(said);
                is_changed = true;
            }
            _ => {}
        }
    }
    if is_changed {
        *text = tidy(std::mem::take(text));
    }
}

/// The headings of the labels that stand in them or right behind them.
fn labels(text: &str) -> HashMap<&str, String> {
    let mut named = HashMap::new();
    let mut rest = text;
    while let Some(at) = rest.find("\\label{") {
        let (before, behind) = rest.split_at(at);
        let (label, length) = group(behind.get("\\label".len()..).unwrap_or(""));
        if let Some(heading) = heading_before(before) {
            named.insert(label.trim(), heading);
        }
        // The text before the label is not looked at for the next one, unless that stands right behind it.
        let is_near = |next: &str| next.trim_start().starts_with("\\label{");
        let used = at + "\\label".len() + length.max(1);
        let Some(next) = rest.get(used..) else { break };
        if is_near(next)
            && let Some(heading) = named.get(label.trim()).cloned()
        {
            let (label, _) = group(next.trim_start().get("\\label".len()..).unwrap_or(""));
            named.insert(label.trim(), heading);
        }
        rest = next;
    }
    named
}

/// How far before a label its section may begin.
const SECTION_BYTES_MAX: usize = 600;

/// The heading that `before` ends with, or that is open at its end.
fn heading_before(before: &str) -> Option<String> {
    let near =
        before.get(before.ceil_char_boundary(before.len().saturating_sub(SECTION_BYTES_MAX))..)?;
    let begins = SECTIONS.iter().filter_map(|name| {
        let at = near.rfind(name)?;
        let after = near.get(at + name.len()..)?;
        after.starts_with(['{', '*', '[']).then_some((at, after))
    });
    let (_, after) = begins.max_by_key(|(at, _)| *at)?;
    let after = after.trim_start_matches('*');
    let (argument, length) = argument_after(after);
    let words = match length {
        // The label stands within the heading.
        0 => after.strip_prefix('{')?,
        _ if after.get(length..)?.trim().is_empty() => argument,
        _ => return None,
    };
    let heading = squash(&plain(&inline(words, Place::default())));
    (!heading.is_empty()).then_some(heading)
}

#[cfg(test)]
mod tests {
    use crate::markup::latex::read;
    use skillkiln_document::markdown::write;

    #[test]
    fn a_reference_to_a_section_says_its_heading_and_one_to_anything_else_what_it_names() {
        let source = "\\section{Heat of \\emph{wood}}\\label{sec:heat}\n\\label{s:two}\n\\subsection*{Ash\\label{ash}}\nSee \\emph{Section~\\ref{sec:heat}}, \\ref{s:two}, \\nameref{ash} and \\ref{fig:oak}.\n\nWords.\\label{later} So \\ref{later}.\n\\begin{itemize}\\item In \\ref{ash}.\\end{itemize}\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "# Heat of *wood*\n\n## Ash\n\nSee *Section “Heat of wood”*, “Heat of wood”, Ash and oak.\n\nWords. So later.\n\n- In “Ash”.\n"
        );
    }

    #[test]
    fn many_labels_are_looked_at_once_each() {
        let source = "\\section{Heat} It is hot. \\label{a}".repeat(3_000);
        assert!(write(&read(source).blocks).len() > 3_000);
    }
}
