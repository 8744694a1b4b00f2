//! The lines that begin and end a delimited block.

use crate::markup::lines::Line;

/// What a line of marks opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Delimiter {
    Comment,
    Listing,
    Literal,
    Fence,
    Example,
    Sidebar,
    Quote,
    Open,
    Pass,
    Table,
}

pub(super) fn delimiter(words: &str) -> Option<Delimiter> {
    if words == "--" {
        return Some(Delimiter::Open);
    }
    if words.starts_with("```") && !words.get(3..).is_some_and(|rest| rest.contains('`')) {
        return Some(Delimiter::Fence);
    }
    if matches!(words, "|===" | ",===" | ":===" | "!===")
        || words.starts_with("|====") && words.bytes().skip(1).all(|b| b == b'=')
    {
        return Some(Delimiter::Table);
    }
    let mark = words.bytes().next()?;
    if words.len() < 4 || !words.bytes().all(|b| b == mark) {
        return None;
    }
    match mark {
        b'-' => Some(Delimiter::Listing),
        b'.' => Some(Delimiter::Literal),
        b'=' => Some(Delimiter::Example),
        b'*' => Some(Delimiter::Sidebar),
        b'_' => Some(Delimiter::Quote),
        b'+' => Some(Delimiter::Pass),
        b'/' => Some(Delimiter::Comment),
        _ => None,
    }
}

/// How many lines the block that opens with `words` takes, and where its content ends. One that nobody closes ends
/// with the text around it.
pub(super) fn closed(lines: &[Line<'_>], words: &str) -> (usize, usize) {
    let closing = if words.starts_with("```") {
        "```"
    } else {
        words
    };
    match lines
        .iter()
        .skip(1)
        .position(|line| line.text.trim_end() == closing)
    {
        Some(at) => (at + 2, at + 1),
        None => (lines.len(), lines.len()),
    }
}
