//! Owns what the loader of a skill, or a renderer of its Markdown, reads as more than the words of a source: `@notes.md` is a file
//! to take in, `[a-z](x)` a link, and `$1` in code an argument of whoever calls the skill.

use skillkiln_document::host_syntax;
use skillkiln_document::text::Inline;
use std::borrow::Cow;

/// Running text with such words as code, which loaders and renderers leave alone.
pub(super) fn set_apart(text: Cow<'_, str>) -> Vec<Inline> {
    if !text.contains('@') && !text.contains("](") {
        return vec![Inline::Text(text.into_owned())];
    }
    let mut out = Vec::new();
    let mut plain = String::new();
    // Where words are not parted by spaces, they are by the marks of their sentences.
    let ends = |c: char| c.is_whitespace() || is_wide_mark(c);
    for token in text.split_inclusive(ends) {
        let (before, word, after) = bare(token);
        if !(imports(word) || word.contains("](")) || word.contains('`') {
            plain.push_str(token);
            continue;
        }
        plain.push_str(before);
        if !plain.is_empty() {
            out.push(Inline::Text(std::mem::take(&mut plain)));
        }
        out.push(Inline::Code(word.to_owned()));
        plain.push_str(after);
    }
    if !plain.is_empty() {
        out.push(Inline::Text(plain));
    }
    out
}

/// Whether this is a mark of a sentence that is as wide as a letter: Chinese and Japanese have no spaces beside it.
fn is_wide_mark(c: char) -> bool {
    matches!(c, '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}' | '！' | '（' | '）' | '，' | '：' | '；' | '？')
}

/// Inline code behind an exclamation mark is a command that some loaders run before they show a skill; a space parts the two.
pub(super) fn part_from_mark(out: &mut [Inline]) {
    if let Some(Inline::Text(text)) = out.last_mut()
        && text.ends_with('!')
    {
        text.push(' ');
    }
}

/// A word without the marks of the sentence around it.
fn bare(token: &str) -> (&str, &str, &str) {
    let opened = token.trim_start_matches(|c: char| {
        matches!(c, '(' | '"' | '\'' | '“' | '‘' | '*') || is_wide_mark(c)
    });
    let before = token.get(..token.len() - opened.len()).unwrap_or_default();
    let word = opened.trim_end_matches(|c: char| {
        c.is_whitespace()
            || is_wide_mark(c)
            || matches!(
                c,
                '.' | ',' | ';' | ':' | '!' | '?' | '"' | '\'' | '”' | '’' | '*'
            )
    });
    // What swallowed its mark is a mark itself: `@*`, `@:`.
    let word = match opened
        .get(word.len()..)
        .and_then(|rest| rest.chars().next())
    {
        Some('*' | ':') if word.ends_with('@') => opened.get(..=word.len()).unwrap_or(word),
        _ => word,
    };
    let word = match word.strip_suffix(')') {
        Some(inside) if !inside.contains('(') => inside.trim_end_matches(['.', ',', ';', ':']),
        _ => word,
    };
    let after = opened.get(word.len()..).unwrap_or_default();
    (before, word, after)
}

/// Whether a word holds an `@` with a path or a file's name behind it, which a host would take in.
fn imports(word: &str) -> bool {
    host_syntax::imports_in_word(word).next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_loader_would_take_in_is_code_and_a_name_at_a_place_is_not() {
        let code = |text: &str| -> Vec<String> {
            set_apart(Cow::Borrowed(text))
                .into_iter()
                .filter_map(|inline| match inline {
                    Inline::Code(code) => Some(code),
                    _ => None,
                })
                .collect()
        };
        for (text, expected) in [
            ("Mail to @example.com, please.", &["@example.com"][..]),
            (
                "Versions (@KILN_4.0) and heat@@KILN_5.1.",
                &["@KILN_4.0", "heat@@KILN_5.1"],
            ),
            ("Write @<name> there.", &["@<name>"]),
            ("The arguments are in @_ there.", &["@_"]),
            (
                "Open kiln.pdf#src:kiln.tex:@:0 there.",
                &["kiln.pdf#src:kiln.tex:@:0"],
            ),
            ("It swears !@$#!@ there.", &["!@$#!@"]),
            ("Set \"@kiln:mono\" there.", &["@kiln:mono"]),
            ("@/: Break a line; @~: none; @*: all.", &["@/", "@~", "@*"]),
            ("Explain @\\, which Texinfo reads.", &["@\\"]),
            ("It says ~d~@*~d once more.", &["~d~@*~d"]),
            ("It matches [a-z]([a-z0-9]) alone.", &["[a-z]([a-z0-9])"]),
            (
                "窯は「@/etc/kiln.conf」に、@notes.md です。",
                &["@/etc/kiln.conf", "@notes.md"],
            ),
            ("Ask kiln@example.com or @anna or @media.", &[]),
        ] {
            assert_eq!(code(text), expected, "{text}");
            assert_eq!(
                skillkiln_document::text::plain(&set_apart(Cow::Borrowed(text))),
                text
            );
        }
    }

    #[test]
    fn a_word_of_a_hundred_thousand_signs_is_a_word() {
        let signs = "@".repeat(100_000);
        assert_eq!(
            set_apart(Cow::Borrowed(&signs)),
            [Inline::Text(signs.clone())]
        );
    }
}
