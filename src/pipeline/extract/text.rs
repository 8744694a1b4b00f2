//! Reads plain text: paragraphs, and the lists, headings and code that its layout makes evident. Raw text that is written
//! as Markdown is recognised by its own evidence.
//!
//! Spans are byte ranges of the text itself, so whatever is uncertain can be looked up.

use crate::domain::document::{About, Block, BlockKind, Document, Span};
use crate::domain::text::{Inline, squash};
use crate::pipeline::extract::builder::tidy;
use crate::pipeline::extract::code_like;
use crate::pipeline::extract::markup::{Markup, markdown};
use std::ops::Range;

/// Reads raw text, as the mark-up that it is evidently written in.
#[must_use]
pub fn read(text: String) -> Document {
    if let Some(markup) = Markup::of_text(&text) {
        markup.read(text)
    } else if is_markdown(&text) {
        markdown::read(text)
    } else {
        read_plain(text)
    }
}

/// Whether `text` is evidently written as Markdown: marks that plain text rarely has, weighed against its length.
#[must_use]
pub fn is_markdown(text: &str) -> bool {
    let mut evidence = 0usize;
    let mut support = 0usize;
    let mut fences = 0usize;
    let mut lines = 0usize;
    for line in text.lines().take(2_000) {
        let trimmed = line.trim_start();
        if trimmed.is_empty() {
            continue;
        }
        lines += 1;
        let indent = line.len() - trimmed.len();
        if indent < 4 && (trimmed.starts_with("```") || trimmed.starts_with("~~~")) {
            fences += 1;
            continue;
        }
        // Inside a fence everything is code.
        if fences % 2 == 1 {
            continue;
        }
        if indent < 4 && is_atx_heading(trimmed) {
            evidence += 2;
        }
        if is_table_ruler(trimmed) {
            evidence += 3;
        }
        if trimmed.contains("](") || trimmed.contains("**") {
            evidence += 2;
        }
        if has_code_span(trimmed) {
            evidence += 1;
        }
        // Quotes and bullets are as common in plain text: they only support what else there is.
        if indent < 4
            && ["> ", "- ", "* "]
                .iter()
                .any(|mark| trimmed.starts_with(mark))
        {
            support += 1;
        }
    }
    fences >= 2 || evidence >= 3 || (evidence > 0 && (evidence + support) * 8 >= lines)
}

/// Reads text that has no mark-up.
#[must_use]
pub fn read_plain(text: String) -> Document {
    let mut lines = lines_of(&text);
    clear_page_breaks(&mut lines);
    let mut blocks = Vec::new();
    let mut rest = lines.as_slice();
    while let Some(first) = rest.first() {
        if first.words.is_empty() {
            rest = rest.get(1..).unwrap_or_default();
            continue;
        }
        let length = rest
            .iter()
            .position(|line| line.words.is_empty())
            .unwrap_or(rest.len());
        let (group, after) = rest.split_at(length);
        // Code may hold empty lines: the stretch goes on while what follows is indented as well.
        let code_lines = code_length(rest);
        if code_lines > 0 {
            let (code, after) = rest.split_at(code_lines);
            blocks.extend(code_block(&text, code));
            rest = after;
            continue;
        }
        read_group(group, blocks.is_empty(), &mut blocks);
        rest = after;
    }
    let blocks = merge_lists(blocks);
    let title = markdown::first_title(&blocks);
    Document {
        title,
        about: About::default(),
        text,
        blocks,
        moments: Vec::new(),
    }
}

#[derive(Debug, Clone)]
struct Line<'a> {
    range: Range<usize>,
    indent: usize,
    words: &'a str,
}

fn lines_of(text: &str) -> Vec<Line<'_>> {
    let mut position = 0;
    let mut lines = Vec::new();
    for raw in text.split_inclusive('\n') {
        let words = raw.trim();
        let lead = raw.len() - raw.trim_start().len();
        let indent = raw
            .chars()
            .take_while(|c| c.is_whitespace())
            .map(|c| if c == '\t' { 4 } else { 1 })
            .sum();
        let start = position + if words.is_empty() { 0 } else { lead };
        lines.push(Line {
            range: start..start + words.len(),
            indent,
            words,
        });
        position += raw.len();
    }
    lines
}

/// Takes out what printers put around a page break: the line with the page's number before it and the running head after
/// it, as documents of the internet's standards have them. Both are told from words by their place beside a form feed.
fn clear_page_breaks(lines: &mut [Line<'_>]) {
    let is_foot = |words: &str| {
        words.rsplit_once("[Page ").is_some_and(|(_, number)| {
            number.strip_suffix(']').is_some_and(|number| {
                number
                    .bytes()
                    .all(|b| b.is_ascii_digit() || matches!(b, b'i' | b'v' | b'x'))
            })
        })
    };
    let mut after_foot = false;
    let mut seen = 0;
    for line in lines {
        if line.words.is_empty() {
            continue;
        }
        if is_foot(line.words) {
            line.words = "";
            after_foot = true;
            seen = 0;
            continue;
        }
        // The running head is the first line of the page: three parts, far apart.
        if after_foot
            && seen == 0
            && line.words.contains("  ")
            && line
                .words
                .split("  ")
                .filter(|part| !part.trim().is_empty())
                .count()
                == 3
        {
            line.words = "";
        }
        after_foot = false;
        seen += 1;
    }
}

/// How many lines from the start are code: indented by four or more, or full of what only code has.
fn code_length(lines: &[Line<'_>]) -> usize {
    let mut length = 0;
    let mut count = 0;
    let mut code = 0;
    for (number, line) in lines.iter().enumerate() {
        if line.words.is_empty() {
            continue;
        }
        if line.indent < 4 {
            break;
        }
        length = number + 1;
        count += 1;
        code += usize::from(code_like::line(line.words));
    }
    // Indented prose (a quotation, a list's continuation) is not code.
    if count > 0 && code * 2 >= count {
        return length;
    }
    let group = lines
        .iter()
        .take_while(|line| !line.words.is_empty())
        .count();
    let code = lines
        .iter()
        .take(group)
        .filter(|line| code_like::line(line.words))
        .count();
    if group >= 2 && code * 10 >= group * 7 {
        group
    } else {
        0
    }
}

fn code_block(text: &str, lines: &[Line<'_>]) -> Option<Block> {
    let (first, last) = (lines.first()?, lines.last()?);
    let line_start = text
        .get(..first.range.start)?
        .rfind('\n')
        .map_or(0, |at| at + 1);
    let raw = text.get(line_start..last.range.end)?.replace('\r', "");
    let indent = raw
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.len() - line.trim_start_matches([' ', '\t']).len())
        .min()
        .unwrap_or(0);
    let code: Vec<&str> = raw
        .lines()
        .map(|line| line.get(indent..).unwrap_or(""))
        .collect();
    Some(Block {
        kind: BlockKind::Code {
            language: None,
            text: code.join("\n"),
        },
        span: Span::of(first.range.start..last.range.end),
    })
}

/// Lines without an empty one between: a heading, list items, a paragraph, in this order of preference.
fn read_group(group: &[Line<'_>], first_of_all: bool, out: &mut Vec<Block>) {
    let mut rest = group;
    while let Some(line) = rest.first() {
        if let Some((level, used)) = underlined(rest) {
            out.push(heading(level, line.words, line.range.clone()));
            rest = rest.get(used..).unwrap_or_default();
            continue;
        }
        if rest.len() == 1
            && group.len() == 1
            && let Some(level) = evident_heading(line.words, first_of_all)
        {
            out.push(heading(level, line.words, line.range.clone()));
            return;
        }
        if marker(line.words).is_some() {
            let used = list(rest, out);
            rest = rest.get(used.max(1)..).unwrap_or_default();
            continue;
        }
        let used = rest
            .iter()
            .enumerate()
            .skip(1)
            .find(|(at, line)| {
                marker(line.words).is_some()
                    || underlined(rest.get(*at..).unwrap_or_default()).is_some()
            })
            .map_or(rest.len(), |(at, _)| at);
        let (lines, after) = rest.split_at(used);
        let words: Vec<&str> = lines.iter().map(|line| line.words).collect();
        let end = lines.last().map_or(line.range.end, |line| line.range.end);
        out.push(Block {
            kind: BlockKind::Paragraph(tidy(vec![Inline::Text(words.join(" "))])),
            span: Span::of(line.range.start..end),
        });
        rest = after;
    }
}

fn heading(level: u8, words: &str, range: Range<usize>) -> Block {
    let words = words.trim_start_matches('#').trim_end_matches(':');
    Block {
        kind: BlockKind::Heading {
            level,
            text: vec![Inline::Text(squash(words))],
        },
        span: Span::of(range),
    }
}

/// A line underlined by `===`, `---`, `~~~` or `^^^` about as long as itself: its level and the lines it takes.
fn underlined(lines: &[Line<'_>]) -> Option<(u8, usize)> {
    let (title, ruler) = (lines.first()?, lines.get(1)?);
    let mark = ruler.words.chars().next()?;
    let length = ruler.words.chars().count();
    let title_length = title.words.chars().count();
    let is_ruler = ruler.words.chars().all(|c| c == mark) && length >= 3;
    if !is_ruler || title_length > 100 || length * 2 < title_length {
        return None;
    }
    match mark {
        '=' => Some((1, 2)),
        '-' => Some((2, 2)),
        '~' => Some((3, 2)),
        '^' | '\'' | '"' => Some((4, 2)),
        _ => None,
    }
}

/// A line that stands alone and is numbered like a section, in capitals, or called a chapter.
fn evident_heading(words: &str, first_of_all: bool) -> Option<u8> {
    let length = words.chars().count();
    if !(3..=90).contains(&length) || words.ends_with(['.', ',', ';', '?', '!']) {
        return None;
    }
    if is_atx_heading(words) {
        let level = words.bytes().take_while(|b| *b == b'#').count();
        return u8::try_from(level).ok();
    }
    let number = words.split_whitespace().next().unwrap_or("");
    let parts: Vec<&str> = number.trim_end_matches('.').split('.').collect();
    let numbered = parts.iter().all(|part| {
        !part.is_empty() && part.len() <= 3 && part.bytes().all(|b| b.is_ascii_digit())
    });
    let named = words.get(number.len()..).is_some_and(|rest| {
        rest.trim_start()
            .chars()
            .next()
            .is_some_and(char::is_uppercase)
    });
    if numbered && named && words.split_whitespace().count() <= 12 {
        return Some(u8::try_from(parts.len().min(5)).unwrap_or(5) + 1);
    }
    let lower = words.to_lowercase();
    if ["chapter ", "part ", "appendix "]
        .iter()
        .any(|word| lower.starts_with(word))
        && length <= 60
    {
        return Some(2);
    }
    let letters = words.chars().filter(|c| c.is_alphabetic()).count();
    let capitals = words.chars().filter(|c| c.is_uppercase()).count();
    if letters >= 4 && capitals == letters && length <= 60 {
        return Some(if first_of_all { 1 } else { 2 });
    }
    None
}

/// The mark of a list item at the start of a line: its length and its number.
fn marker(words: &str) -> Option<(usize, Option<u64>)> {
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

/// Reads a list with the lists inside it, by indentation; gives the number of lines it took.
fn list(lines: &[Line<'_>], out: &mut Vec<Block>) -> usize {
    let Some(first) = lines.first() else { return 0 };
    let ordered = marker(first.words).and_then(|(_, number)| number);
    let mut items: Vec<Vec<Block>> = Vec::new();
    let mut used = 0;
    let mut end = first.range.end;
    while let Some(line) = lines.get(used) {
        let Some((length, number)) = marker(line.words) else {
            break;
        };
        if line.indent < first.indent || number.is_some() != ordered.is_some() {
            break;
        }
        if line.indent > first.indent + 1 {
            // One level of nesting is evident from plain text; deeper levels join it.
            let mut inner = Vec::new();
            let taken = flat_items(
                lines.get(used..).unwrap_or_default(),
                first.indent,
                &mut inner,
            );
            if let Some(last) = inner.last() {
                end = last.span.bytes.end;
            }
            match items.last_mut() {
                Some(item) => item.extend(inner),
                None => items.push(inner),
            }
            used += taken.max(1);
            continue;
        }
        let mut words = line.words.get(length..).unwrap_or("").to_owned();
        end = line.range.end;
        let start = line.range.start;
        used += 1;
        while let Some(next) = lines.get(used) {
            if marker(next.words).is_some() {
                break;
            }
            words.push(' ');
            words.push_str(next.words);
            end = next.range.end;
            used += 1;
        }
        items.push(vec![Block {
            kind: BlockKind::Paragraph(tidy(vec![Inline::Text(words)])),
            span: Span::of(start..end),
        }]);
    }
    out.push(Block {
        kind: BlockKind::List {
            start: ordered,
            items,
        },
        span: Span::of(first.range.start..end),
    });
    used
}

/// The items below `indent`, as one list of their own.
fn flat_items(lines: &[Line<'_>], indent: usize, out: &mut Vec<Block>) -> usize {
    let mut items = Vec::new();
    let mut used = 0;
    let mut bytes: Option<Range<usize>> = None;
    let mut ordered = None;
    while let Some(line) = lines.get(used) {
        let Some((length, number)) = marker(line.words).filter(|_| line.indent > indent + 1) else {
            break;
        };
        if items.is_empty() {
            ordered = number;
        }
        let words = line.words.get(length..).unwrap_or("");
        bytes = Some(bytes.map_or(line.range.clone(), |all| all.start..line.range.end));
        items.push(vec![Block {
            kind: BlockKind::Paragraph(tidy(vec![Inline::Text(words.to_owned())])),
            span: Span::of(line.range.clone()),
        }]);
        used += 1;
    }
    if let Some(bytes) = bytes {
        out.push(Block {
            kind: BlockKind::List {
                start: ordered,
                items,
            },
            span: Span::of(bytes),
        });
    }
    used
}

/// Lists with an empty line between their items are one list.
fn merge_lists(blocks: Vec<Block>) -> Vec<Block> {
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

fn is_atx_heading(line: &str) -> bool {
    let level = line.bytes().take_while(|b| *b == b'#').count();
    (1..=6).contains(&level) && line.as_bytes().get(level) == Some(&b' ') && line.len() > level + 1
}

fn is_table_ruler(line: &str) -> bool {
    line.contains('|')
        && line.contains("--")
        && line
            .chars()
            .all(|c| matches!(c, '|' | '-' | ':' | ' ' | '\t'))
}

fn has_code_span(line: &str) -> bool {
    line.split('`').count() >= 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_breaks_of_standards_are_no_text() {
        let source = "1.  Introduction\n\n   Words of the\n   first page.\n\nAuthor                Standards Track                [Page 1]\n\u{c}\nRFC 9999                 Kilns                 May 2026\n\n   Words of the second.\n";
        assert_eq!(
            crate::pipeline::markdown::write(&read(source.to_owned()).blocks),
            "## 1. Introduction\n\nWords of the first page.\n\nWords of the second.\n"
        );
    }
}
