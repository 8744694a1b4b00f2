//! Owns what the loader of a skill, or a renderer of its Markdown, reads as more than the words of a source: `@notes.md` is a file
//! to take in, and `[a-z](x)` a link.

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
    fn what_a_host_would_take_in_is_code() {
        let set = |text: &str| set_apart(text.to_owned().into());
        assert_eq!(set("See notes."), [Inline::Text("See notes.".into())]);
        assert_eq!(
            set("See (@notes.md)."),
            [
                Inline::Text("See (".into()),
                Inline::Code("@notes.md".into()),
                Inline::Text(").".into())
            ]
        );
        let mut mark = [Inline::Text("Do it!".into())];
        part_from_mark(&mut mark);
        assert_eq!(mark, [Inline::Text("Do it! ".into())]);
    }
}
