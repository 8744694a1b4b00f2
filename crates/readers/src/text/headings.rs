//! Finds the headings of plain text: underlined, numbered, in capitals, or called a chapter; and how deep each lies.

use crate::builder::under_title;
use crate::text::line::Line;
use skillkiln_document::blocks::{Block, BlockKind, Span};
use skillkiln_document::text::{Inline, plain, squash};
use std::ops::Range;

/// The marks that underline headings, from the outermost in, as writers and generators of text use them.
const MARKS: [char; 8] = ['#', '*', '=', '-', '~', '^', '"', '\''];

/// Which marks underline headings in this text: the same mark means another depth in another company.
#[derive(Debug, Default)]
pub(super) struct Rulers {
    /// Whether marks outside `=` are used, so that `=` is the second level.
    has_outer: bool,
}

impl Rulers {
    /// Looks through the lines for the marks that are used.
    pub(super) fn of(lines: &[Line<'_>]) -> Self {
        let has_outer = lines
            .windows(2)
            .any(|pair| mark_under(pair).is_some_and(|mark| matches!(mark, '#' | '*')));
        Self { has_outer }
    }

    /// The level of the heading that `lines` begin with when it is underlined: it takes two lines.
    pub(super) fn underlined(&self, lines: &[Line<'_>]) -> Option<u8> {
        let mark = mark_under(lines)?;
        let rank = match mark {
            '#' | '*' => 1,
            '=' => 1 + u8::from(self.has_outer),
            '-' => 2 + u8::from(self.has_outer),
            '~' => 3 + u8::from(self.has_outer),
            _ => 4 + u8::from(self.has_outer),
        };
        Some(rank)
    }
}

/// The mark of the ruler under the first line, when it is about as long as the line.
fn mark_under(lines: &[Line<'_>]) -> Option<char> {
    let (title, ruler) = (lines.first()?, lines.get(1)?);
    let mark = ruler.words.chars().next().filter(|c| MARKS.contains(c))?;
    let length = ruler.words.chars().count();
    let title_length = title.words.chars().count();
    let is_ruler = length >= 3 && ruler.words.chars().all(|c| c == mark);
    if !is_ruler
        || !title.words.contains(char::is_alphanumeric)
        || title_length > 100
        || length * 2 < title_length
    {
        return None;
    }
    // Stars and hashes also part stretches of text: under a heading they are as long as it.
    if matches!(mark, '#' | '*') && length.abs_diff(title_length) > 2.max(title_length / 5) {
        return None;
    }
    Some(mark)
}

/// A heading of these words.
pub(super) fn heading(level: u8, words: &str, range: Range<usize>) -> Block {
    let words = words.trim_start_matches('#').trim_end_matches(':');
    Block {
        kind: BlockKind::Heading {
            level,
            text: vec![Inline::Text(squash(words))],
        },
        span: Span::of(range),
    }
}

/// The level of a line that stands alone when it is numbered like a section, in capitals, or called a chapter.
pub(super) fn evident(line: &Line<'_>, first_of_all: bool) -> Option<u8> {
    let words = line.words;
    let length = words.chars().count();
    if !(3..=90).contains(&length) || words.ends_with(['.', ',', ';']) {
        return None;
    }
    if let Some(level) = numbered(line).or_else(|| called(words)) {
        return Some(level);
    }
    if words.ends_with(['?', '!']) {
        return None;
    }
    if is_atx_heading(words) {
        let level = words.bytes().take_while(|b| *b == b'#').count();
        return u8::try_from(level).ok();
    }
    let letters = words.chars().filter(|c| c.is_alphabetic()).count();
    let capitals = words.chars().filter(|c| c.is_uppercase()).count();
    if letters >= 4 && capitals == letters && length <= 60 {
        return Some(if first_of_all { 1 } else { 2 });
    }
    None
}

/// "3 Title", "3.2. Title" or "A.1. Title": one below the book's title for each part of the number.
fn numbered(line: &Line<'_>) -> Option<u8> {
    let words = line.words;
    let number = words.split_whitespace().next()?;
    let parts: Vec<&str> = number.trim_end_matches('.').split('.').collect();
    let is_number = parts.iter().enumerate().all(|(at, part)| {
        let is_letter = at == 0
            && parts.len() > 1
            && part.len() == 1
            && part.bytes().all(|b| b.is_ascii_uppercase());
        let is_digits =
            !part.is_empty() && part.len() <= 3 && part.bytes().all(|b| b.is_ascii_digit());
        is_letter || is_digits
    });
    let name = words.get(number.len()..)?.trim_start().chars().next()?;
    // A single number begins an item as well: it is a section's where it is not indented and what follows is a name.
    let is_named = match parts.len() {
        1 => name.is_uppercase() && line.indent <= 3 && !words.ends_with(['?', '!']),
        _ => name.is_alphanumeric() && (name.is_uppercase() || line.indent <= 3),
    };
    (is_number && is_named && words.split_whitespace().count() <= 16)
        .then(|| u8::try_from(parts.len().min(5)).unwrap_or(5) + 1)
}

/// "Chapter 2. Title", "Appendix A".
fn called(words: &str) -> Option<u8> {
    let (name, rest) = words.split_once(' ')?;
    let number = rest.split_whitespace().next()?.trim_end_matches(['.', ':']);
    let is_number = !number.is_empty()
        && (number.bytes().all(|b| b.is_ascii_digit())
            || number.bytes().all(|b| b"IVXLC".contains(&b))
            || (number.len() == 1 && number.bytes().all(|b| b.is_ascii_uppercase()))
            || NUMBERS.contains(&number.to_lowercase().as_str()));
    let is_name = ["chapter", "part", "appendix"].contains(&name.to_lowercase().as_str());
    (is_name && is_number).then_some(2)
}

/// Numbers of chapters in words.
const NUMBERS: [&str; 12] = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
];

/// Puts the first line above the headings when it is evidently the title, and the headings below it.
pub(super) fn settle(blocks: &mut [Block]) {
    let count = blocks
        .iter()
        .filter(|block| matches!(block.kind, BlockKind::Heading { .. }))
        .count();
    if let Some(first) = blocks.first_mut()
        && let BlockKind::Paragraph(text) = &first.kind
        && let [Inline::Text(words)] = text.as_slice()
        && count >= 3
        && words.chars().count() <= 80
        && words.split_whitespace().count() <= 12
        && words.chars().next().is_some_and(char::is_uppercase)
        && !words.ends_with(['.', ',', ';', ':', '?', '!'])
        // A line for itself: nothing was joined.
        && first.span.bytes.len() <= words.len() + 8
    {
        let text = text.clone();
        first.kind = BlockKind::Heading { level: 1, text };
    }
    // Sections that stand as high as the first may be its equals; those of a book are numbered, and its title is not.
    let is_numbered = |text: &[Inline]| {
        let words = plain(text);
        words.starts_with(|c: char| c.is_ascii_digit()) || called(&words).is_some()
    };
    let highest: Vec<bool> = blocks
        .iter()
        .filter_map(|block| match &block.kind {
            BlockKind::Heading { level: 1, text } => Some(is_numbered(text)),
            _ => None,
        })
        .collect();
    let numbered = highest.iter().filter(|is| **is).count();
    let starts_unnumbered = blocks.first().is_some_and(
        |block| matches!(&block.kind, BlockKind::Heading { level: 1, text } if !is_numbered(text)),
    );
    if starts_unnumbered && numbered * 2 > highest.len().saturating_sub(1) {
        under_title(None, blocks);
    }
}

/// Whether `line` is a heading in the way of Markdown.
pub(super) fn is_atx_heading(line: &str) -> bool {
    let level = line.bytes().take_while(|b| *b == b'#').count();
    (1..=6).contains(&level) && line.as_bytes().get(level) == Some(&b' ') && line.len() > level + 1
}
