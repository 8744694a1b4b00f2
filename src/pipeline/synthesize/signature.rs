//! Owns the short names of what a heading gives with its whole signature: `shift_right` for
//! `pub fn shift_right<const N: usize>(&mut self, inserted: [T; N]) -> [T; N]`.
//!
//! Documentation made from code has such headings by the hundred; as the name of a file or in a description they tell nothing.

use std::borrow::Cow;

/// What may stand before the word that says what is declared.
const MODIFIERS: [&str; 14] = [
    "pub",
    "pub(crate)",
    "const",
    "async",
    "unsafe",
    "extern",
    "default",
    "static",
    "public",
    "private",
    "protected",
    "final",
    "abstract",
    "export",
];
/// The word that says what is declared.
const KINDS: [&str; 14] = [
    "fn",
    "struct",
    "enum",
    "trait",
    "type",
    "union",
    "mod",
    "macro",
    "def",
    "class",
    "function",
    "func",
    "interface",
    "method",
];
/// How a declaration in C begins.
const C_TYPES: [&str; 16] = [
    "int", "void", "char", "bool", "double", "float", "long", "short", "unsigned", "signed",
    "struct", "size_t", "ssize_t", "const", "static", "FILE",
];
/// A call as short as this is its own name.
const CALL_CHARS_MAX: usize = 24;
/// The short name of a heading's words; the words themselves when they are no signature.
pub(super) fn short(words: &str) -> Cow<'_, str> {
    let words = words.trim();
    let short = implementation(words)
        .or_else(|| declared(words).map(str::to_owned))
        .or_else(|| called(words).map(str::to_owned))
        .filter(|short| short.chars().any(char::is_alphanumeric));
    short.map_or(Cow::Borrowed(words), Cow::Owned)
}

/// `impl TryFrom for String` of `impl<T> TryFrom<Vec<u8>> for String where T: ..`.
fn implementation(words: &str) -> Option<String> {
    let rest = words.strip_prefix("unsafe ").unwrap_or(words);
    let rest = rest
        .strip_prefix("impl")
        .filter(|rest| rest.starts_with(['<', ' ']))?;
    let mut depth = 0_usize;
    let mut last = ' ';
    let mut out = String::from("impl ");
    for c in rest.chars() {
        match c {
            '<' => depth += 1,
            '>' if last != '-' => depth = depth.saturating_sub(1),
            _ if depth == 0 => out.push(c),
            _ => {}
        }
        last = c;
    }
    let out = skillkiln_document::text::squash(&out);
    let end = out.find(" where ").unwrap_or(out.len());
    Some(out.get(..end)?.to_owned())
}

/// The name after `fn`, `class` and their like, when it is followed by what belongs to a declaration.
fn declared(words: &str) -> Option<&str> {
    let mut rest = words;
    loop {
        let (word, after) = rest.split_once(' ')?;
        if KINDS.contains(&word) {
            let name = identifier(after);
            let tail = after.get(name.len()..)?;
            let is_alone = tail.is_empty() && rest.len() == words.len() && words.is_ascii();
            return (!name.is_empty()
                && (tail.starts_with(['(', '<', ':', '{', '='])
                    || tail.starts_with(" where ")
                    || (is_alone && word == "fn")))
                .then_some(name);
        }
        if !MODIFIERS.contains(&word) && !word.starts_with('"') {
            return None;
        }
        rest = after;
    }
}

/// The name of a long call, or of a function of C.
fn called(words: &str) -> Option<&str> {
    let open = words.find('(')?;
    let (before, inside) = words.split_at_checked(open)?;
    if words.len() <= CALL_CHARS_MAX
        || !inside.trim_end_matches([';', ' ', '\u{b6}']).contains(')')
        || !inside.contains([',', '=', '*', '&', ':'])
    {
        return None;
    }
    let start = before.rfind(|c: char| !is_name(c)).map_or(0, |at| {
        at + before
            .get(at..)
            .and_then(|rest| rest.chars().next())
            .map_or(1, char::len_utf8)
    });
    let (types, name) = before.split_at_checked(start)?;
    let first = types.split_whitespace().next();
    (name.chars().any(char::is_alphabetic)
        && first.is_none_or(|first| C_TYPES.contains(&first) || first.ends_with("_t")))
    .then_some(name)
}

fn identifier(text: &str) -> &str {
    let end = text.find(|c: char| !is_name(c)).unwrap_or(text.len());
    text.get(..end)
        .unwrap_or_default()
        .trim_end_matches([':', '.'])
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '!')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_called_by_its_name() {
        for (words, name) in [
            (
                "pub fn shift_right<const N: usize>(&mut self, inserted: [T; N]) -> [T; N]",
                "shift_right",
            ),
            (
                "pub const unsafe fn set_len(&mut self, new_len: usize)",
                "set_len",
            ),
            (
                "impl<T> TryFrom<Vec<u8>> for String",
                "impl TryFrom for String",
            ),
            (
                "impl<T, A> AsMut<[T]> for Vec<T, A> where A: Allocator",
                "impl AsMut for Vec",
            ),
            ("impl<F> Fn for F where F: FnMut() -> u8", "impl Fn for F"),
            ("async def fetch(url, *, retries=3)", "fetch"),
            ("class requests.Session(adapters=None)", "requests.Session"),
            (
                "requests.request(method, url, **kwargs)",
                "requests.request",
            ),
            (
                "int snprintf(char *str, size_t size, const char *format, ...);",
                "snprintf",
            ),
        ] {
            assert_eq!(short(words), name, "{words}");
        }
    }

    #[test]
    fn other_headings_stay_as_they_are() {
        for words in [
            "Return Value (Exit Code), and what it means",
            "Using connect(), close() and their options",
            "cargo-build(1)",
            "Type conversions",
            "class members",
            "The struct layout: fields and padding",
            "Implementations",
            "impl",
            "print(value)",
            "",
        ] {
            assert_eq!(short(words), words);
        }
    }
}
