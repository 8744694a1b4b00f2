//! Owns what is marked within the words of plain text: code between backticks, and addresses between angle brackets. Quotes that begin
//! with a backtick, as old texts have them, mark nothing.

use skillkiln_document::text::Inline;

/// Code within a sentence is not longer, in characters.
const CODE_CHARS_MAX: usize = 80;
/// Nor is an address, in bytes.
const ADDRESS_BYTES_MAX: usize = 500;

/// Running words, with what is marked in them.
pub(super) fn marked(words: &str) -> Vec<Inline> {
    let mut out = Vec::new();
    let (mut from, mut at) = (0, 0);
    while let Some(rest) = words.get(at..)
        && let Some(found) = rest.find(['`', '<'])
    {
        let start = at + found;
        at = start + 1;
        let (before, behind) = words.split_at(start);
        let Some((inline, length)) = code(before, behind).or_else(|| address(behind)) else {
            continue;
        };
        out.extend(text(words.get(from..start)));
        out.push(inline);
        (from, at) = (start + length, start + length);
    }
    out.extend(text(words.get(from..)));
    out
}

fn text(words: Option<&str>) -> Option<Inline> {
    let words = words.filter(|words| !words.is_empty())?;
    Some(Inline::Text(words.to_owned()))
}

/// The code that `behind` begins with, between two backticks that touch no word on the outside, and with how many bytes.
fn code(before: &str, behind: &str) -> Option<(Inline, usize)> {
    let inner = behind.strip_prefix('`')?;
    let mut near = inner.char_indices().take(CODE_CHARS_MAX);
    let (end, _) = near.find(|(_, c)| *c == '`')?;
    let (code, after) = inner.split_at(end);
    let after = after.get(1..)?;
    let touches = |c: char| c.is_alphanumeric() || c == '`';
    let is_inside = before.ends_with(touches) || after.starts_with(touches);
    let is_bare = code.is_empty() || code.trim() != code || code.contains('\'');
    (!is_inside && !is_bare).then(|| (Inline::Code(code.to_owned()), end + 2))
}

/// The address that `behind` begins with, between angle brackets, and with how many bytes.
fn address(behind: &str) -> Option<(Inline, usize)> {
    let inner = behind.strip_prefix('<')?;
    if !(inner.starts_with("http://") || inner.starts_with("https://")) {
        return None;
    }
    let bytes = inner.as_bytes();
    let near = bytes.get(..ADDRESS_BYTES_MAX).unwrap_or(bytes);
    let end = near
        .iter()
        .position(|byte| *byte == b'>' || *byte == b'<' || byte.is_ascii_whitespace())?;
    let (address, after) = inner.split_at_checked(end)?;
    let link = || Inline::link(address.to_owned(), vec![Inline::Text(address.to_owned())]);
    after.starts_with('>').then(|| (link(), end + 2))
}

#[cfg(test)]
mod tests {
    use crate::text::read_plain;
    use skillkiln_document::markdown::write;

    #[test]
    fn code_between_backticks_and_addresses_between_brackets_are_what_they_are() {
        for (said, written) in [
            (
                "It takes `-c` and (`--heat 7`).",
                "It takes `-c` and (`--heat 7`).",
            ),
            (
                "See <https://kiln.example/a_b>, of <ada@kiln.example>.",
                "See <https://kiln.example/a_b>, of \\<ada@kiln.example>.",
            ),
            ("Some say `hot' or `cold'.", "Some say 'hot' or 'cold'."),
            (
                "They are ``hot'' and ``dry''.",
                "They are \"hot\" and \"dry\".",
            ),
            (
                "Less is <https://kiln, then.",
                "Less is \\<https://kiln, then.",
            ),
        ] {
            let text = write(&read_plain(format!("{said}\n")).blocks);
            assert_eq!(text, format!("{written}\n"));
        }
    }

    #[test]
    fn many_marks_that_close_nothing_are_read_in_one_pass() {
        let words = "`a <https://b ".repeat(50_000);
        assert!(super::marked(&words).len() == 1);
    }
}
