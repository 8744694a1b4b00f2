//! Reads the lists of plain text, lists within lists, by their marks and their indentation.

use super::{Line, code_block, code_length};
use crate::builder::tidy;
use skillkiln_document::blocks::{Block, BlockKind, Span};
use skillkiln_document::text::Inline;

/// Deepest list in a list that is kept; what lies deeper joins the last.
const DEPTH_MAX: usize = 12;

/// The mark of a list item at the start of a line: its length and its number.
pub(super) fn marker(words: &str) -> Option<(usize, Option<u64>)> {
    let mut characters = words.chars();
    let first = characters.next()?;
    if matches!(first, '-' | '*' | '+' | '•' | '‣' | '◦' | '–') {
        let second = characters.next()?;
        return (second == ' ' && words.len() > 2).then_some((first.len_utf8() + 1, None));
    }
    let digits = words.bytes().take_while(u8::is_ascii_digit).count();
    let after = words.get(digits..)?;
    if (1..=3).contains(&digits) && (after.starts_with(". ") || after.starts_with(") ")) {
        return Some((digits + 2, words.get(..digits)?.parse().ok()));
    }
    None
}

/// Whether the list that begins at `first` goes on with `line`, behind an empty line.
pub(super) fn goes_on(first: &Line<'_>, line: &Line<'_>) -> bool {
    line.indent >= first.indent + 2 || (line.indent >= first.indent && is_alike(first, line))
}

/// Whether both are items of one list: with bullets, or with numbers.
fn is_alike(first: &Line<'_>, line: &Line<'_>) -> bool {
    match (marker(first.words), marker(line.words)) {
        (Some((_, one)), Some((_, other))) => one.is_some() == other.is_some(),
        _ => false,
    }
}

/// Reads the list that `lines` begin with; gives the number of lines it took.
pub(super) fn list(text: &str, lines: &[Line<'_>], depth: usize, out: &mut Vec<Block>) -> usize {
    let Some(first) = lines.first() else { return 0 };
    let start = marker(first.words).and_then(|(_, number)| number);
    let mut items: Vec<Vec<Block>> = Vec::new();
    let mut used = 0;
    let mut end = first.range.end;
    while let Some((at, line)) = next(lines, used) {
        let is_item = is_alike(first, line) && line.indent.abs_diff(first.indent) <= 1;
        if is_item {
            let length = marker(line.words).map_or(0, |(length, _)| length);
            let words = line.words.get(length..).unwrap_or("");
            let mut item = Vec::new();
            used = at + 1 + paragraph(lines.get(at..).unwrap_or_default(), words, &mut item);
            items.push(item);
        } else if line.indent > first.indent + 1 && used > 0 {
            let rest = lines.get(at..).unwrap_or_default();
            let mut inner = Vec::new();
            let code = if at > used { code_length(rest) } else { 0 };
            used = at
                + if marker(line.words).is_some() && depth < DEPTH_MAX {
                    list(text, rest, depth + 1, &mut inner)
                } else if code > 0 {
                    let (code, _) = rest.split_at(code.min(rest.len()));
                    inner.extend(code_block(text, code));
                    code.len()
                } else {
                    1 + paragraph(rest, line.words, &mut inner)
                };
            match items.last_mut() {
                Some(item) => item.extend(inner),
                None => items.push(inner),
            }
        } else {
            break;
        }
        if let Some(block) = items.last().and_then(|item| item.last()) {
            end = block.span.bytes.end;
        }
    }
    if used == 0 {
        return 0;
    }
    out.push(Block {
        kind: BlockKind::List { start, items },
        span: Span::of(first.range.start..end.max(first.range.start)),
    });
    used
}

/// The first line from `from` on that is not empty.
fn next<'l, 'a>(lines: &'l [Line<'a>], from: usize) -> Option<(usize, &'l Line<'a>)> {
    lines
        .iter()
        .enumerate()
        .skip(from)
        .find(|(_, line)| !line.words.is_empty())
}

/// Reads a paragraph whose first line says `words`; gives the number of further lines it took.
fn paragraph(lines: &[Line<'_>], words: &str, out: &mut Vec<Block>) -> usize {
    let Some(first) = lines.first() else { return 0 };
    let mut words = words.to_owned();
    let mut end = first.range.end;
    let mut more = 0;
    for line in lines.iter().skip(1) {
        if line.words.is_empty() || marker(line.words).is_some() {
            break;
        }
        words.push(' ');
        words.push_str(line.words);
        end = line.range.end;
        more += 1;
    }
    out.push(Block {
        kind: BlockKind::Paragraph(tidy(vec![Inline::Text(words)])),
        span: Span::of(first.range.start..end),
    });
    more
}

/// Lists with an empty line between their items are one list.
pub(super) fn merge(blocks: Vec<Block>) -> Vec<Block> {
    let mut out: Vec<Block> = Vec::with_capacity(blocks.len());
    for block in blocks {
        if let BlockKind::List { start, items } = &block.kind
            && let Some(Block {
                kind:
                    BlockKind::List {
                        start: first,
                        items: all,
                    },
                span,
            }) = out.last_mut()
        {
            let continues = match (&first, start) {
                (None, None) => true,
                (Some(first), Some(next)) => first.saturating_add(all.len() as u64) == *next,
                _ => false,
            };
            if continues {
                all.extend(items.iter().cloned());
                span.bytes.end = block.span.bytes.end;
                continue;
            }
        }
        out.push(block);
    }
    out
}
