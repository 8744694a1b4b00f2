//! Reads terms at the left edge of plain text, each with what is told of it indented right below.

use super::{Layout, Line, joined, lists, stretch};
use crate::domain::document::{Block, BlockKind, Definition, Span};
use crate::domain::text::{Inline, squash};
use crate::pipeline::extract::builder::tidy;
use crate::pipeline::extract::code_like;

/// Terms below terms are read so deep.
const DEPTH_MAX: usize = 4;
/// So many terms, one below the other, are no accident.
const TERMS_MIN: usize = 2;
/// A term is not longer, in characters.
const TERM_CHARS_MAX: usize = 48;
/// A line of a paragraph is filled so far at least, in characters: the first word of the next one did not fit on it.
const FILLED_CHARS_MIN: usize = 60;
/// What is told of a term is indented so far.
const INDENTS: std::ops::RangeInclusive<usize> = 2..=8;

/// The terms that `lines` begin with, and how many lines they take with what is told of them.
pub(super) fn read(
    text: &str,
    lines: &[Line<'_>],
    layout: &Layout,
    depth: usize,
) -> Option<(usize, Block)> {
    let indent = lines.get(1)?.indent;
    if depth >= DEPTH_MAX || layout.is_help || layout.is_info || layout.is_mail {
        return None;
    }
    let mut lengths = Vec::new();
    let mut used = 0;
    while let Some(rest) = lines.get(used..) {
        let gap = rest.iter().take_while(|line| line.words.is_empty()).count();
        let rest = rest.get(gap..).unwrap_or_default();
        if !is_entry(rest, indent, layout) {
            break;
        }
        let mut length = 2;
        for (at, line) in rest.iter().enumerate().skip(2) {
            if line.words.is_empty() {
                continue;
            }
            if line.indent < INDENTS.start().to_owned() {
                break;
            }
            length = at + 1;
        }
        lengths.push((used + gap, length));
        used += gap + length;
    }
    let first = lines.first().filter(|_| lengths.len() >= TERMS_MIN)?;
    let inner = Layout {
        margin: layout.margin + indent,
        words: layout.words.clone(),
        ..*layout
    };
    let mut end = first.range.end;
    let mut entries = Vec::new();
    for (at, length) in lengths {
        let Some((term, body)) = lines
            .get(at..at + length)
            .and_then(<[Line<'_>]>::split_first)
        else {
            continue;
        };
        let body: Vec<Line<'_>> = body
            .iter()
            .map(|line| Line {
                indent: line.indent.saturating_sub(indent),
                ..line.clone()
            })
            .collect();
        let mut blocks = Vec::new();
        stretch(text, &body, &inner, depth + 1, &mut blocks);
        end = blocks
            .last()
            .map_or(term.range.end, |block| block.span.bytes.end);
        entries.push(Definition {
            terms: vec![tidy(vec![Inline::Text(squash(term.words))])],
            blocks: joined(blocks),
        });
    }
    let block = Block {
        kind: BlockKind::Definitions(entries),
        span: Span::of(first.range.start..end),
    };
    Some((used, block))
}

/// Whether `lines` begin with a term, and what is told of it right below, indented by so much.
fn is_entry(lines: &[Line<'_>], indent: usize, layout: &Layout) -> bool {
    let [term, told, ..] = lines else {
        return false;
    };
    // First what is quickly seen: this is asked of every paragraph.
    if term.indent > 0
        || told.indent != indent
        || !INDENTS.contains(&indent)
        || told.words.is_empty()
        || term.words.chars().count() > TERM_CHARS_MAX
    {
        return false;
    }
    let word = told.words.split(' ').next().unwrap_or("");
    let is_filled = term.words.len() + 1 + word.len() > FILLED_CHARS_MIN;
    let goes_on = told.words.starts_with(char::is_lowercase) && term.words.split(' ').count() > 4;
    !is_filled
        && !goes_on
        && is_term(term.words)
        && lists::marker(told.words).is_none()
        && !code_like::line(told.words)
        && !is_spread(told.words)
        && layout.rulers.of_manual(lines).is_none()
        && layout.rulers.evident(term, false).is_none()
}

/// Whether words stand apart as columns do: behind a sentence there may be more room as well.
fn is_spread(words: &str) -> bool {
    words.match_indices("  ").any(|(at, _)| {
        let before = words.get(..at).unwrap_or("");
        !before.ends_with(['.', ',', ':', ';', '!', '?', ')', '"'])
    })
}

/// Whether words may be a term, and no sentence, field, item or code.
fn is_term(words: &str) -> bool {
    let is_option = words.starts_with('-') && !words.starts_with("- ");
    words.contains(char::is_alphanumeric)
        && words.starts_with(|c: char| c.is_alphanumeric() || "-_'\"".contains(c))
        && !words.ends_with(['.', ',', ';', ':', '!', '?', '{', '(', '\\', '&', '|'])
        && !words.contains("  ")
        && !words.contains(": ")
        && (is_option || !words.contains(['=', ';']))
        && lists::marker(words).is_none()
}

#[cfg(test)]
mod tests {
    use crate::pipeline::extract::text::read_plain;
    use crate::pipeline::markdown::write;

    fn written(source: &str) -> String {
        write(&read_plain(source.to_owned()).blocks)
    }

    #[test]
    fn terms_over_what_is_indented_below_them_are_defined() {
        let source = "The following values are defined:\n\n0\n   The original version.\n1\n   The next one. It replaced version 0 when it was\n   fired in 2006.\n57005 (0xdead)\n   Reserved.\n\nThe flags are bits.\n\n0-3 (4 bytes)\n   Header\n\n4-5 (2 bytes)\n   Flags\n\nEnd.\n";
        assert_eq!(
            written(source),
            "The following values are defined:\n\n- **0**: The original version.\n- **1**: The next one. It replaced version 0 when it was fired in 2006.\n- **57005 (0xdead)**: Reserved.\n\nThe flags are bits.\n\n- **0-3 (4 bytes)**: Header\n- **4-5 (2 bytes)**: Flags\n\nEnd.\n"
        );
    }

    #[test]
    fn hanging_paragraphs_code_and_one_term_alone_define_nothing() {
        for source in [
            "Ada Love, The long book of kilns and of what is fired\n   in them, 1850.\nBen Fire, The other long book of kilns and of what is\n   not, 1851.\n",
            "kiln\n   It is hot.\n\nWords.\n",
            "Choices are\n   HOT   1  very\n   COLD  2  not\n\nOthers are\n   WET   1  very\n   DRY   2  not\n",
            "while hot:\n    fire()\nfor pot in pots:\n    take(pot)\n",
        ] {
            assert!(
                !written(source).contains("**"),
                "{source}: {}",
                written(source)
            );
        }
    }
}
