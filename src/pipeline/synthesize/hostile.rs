//! Owns what is taken out of a source before anything is made of it: hidden characters, and secrets left in the open.

use crate::pipeline::pattern::{Pattern, any_of, patterns};
use crate::pipeline::secret::{self, REDACTED, is_masked, is_random, opens_key};
use std::sync::LazyLock;

/// The text without characters that nobody sees: zero-width, bidirectional, tag and control characters. Joiners stay where
/// they do their work, in emoji and between letters of scripts that need them.
pub(super) fn visible(text: &str) -> String {
    if text.is_ascii() && !text.bytes().any(|b| b < b' ' && b != b'\n' && b != b'\t') {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    let mut previous = ' ';
    while let Some(character) = rest.next() {
        if is_visible(character) || joins(character, previous, rest.peek().copied().unwrap_or(' '))
        {
            out.push(character);
            previous = character;
        }
    }
    out
}

fn joins(character: char, previous: char, next: char) -> bool {
    let is_emoji =
        |c: char| matches!(c, '\u{2190}'..='\u{2BFF}' | '\u{1F000}'..='\u{1FAFF}' | '\u{FE0F}');
    let needs_joiners = |c: char| matches!(c, '\u{600}'..='\u{8FF}' | '\u{900}'..='\u{DFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{18AF}');
    match character {
        '\u{200D}' => (is_emoji(previous) && is_emoji(next)) || needs_joiners(previous),
        '\u{200C}' => needs_joiners(previous),
        _ => false,
    }
}

fn is_visible(character: char) -> bool {
    !matches!(character,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}'
        | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2028}' | '\u{2029}' | '\u{2060}'..='\u{206F}'
        | '\u{3164}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
        && (!character.is_control() || matches!(character, '\n' | '\t'))
}

patterns! {
    /// Keys and tokens whose form gives them away (V080).
    TOKEN = secret::TOKEN;
    /// A secret by the name of what it is given to, or as the password of an address (V080).
    GIVEN = r#"(?ix)
        \b(?:[a-z0-9]+[_-])*(?:api[_-]?key|secret(?:[_-]?key)?|access[_-]?key|private[_-]?key
            |auth[_-]?token|access[_-]?token|token|password|passwd|pwd)\b["']?\s*(?:[:=]|=>
            |:=)\s*["']([^"'\s]{16,})["']
        | \b[a-z][a-z0-9+.-]*://[^\s/:@]+:([^\s/@]{8,})@[a-z0-9]"#;
    /// Words that make a secret an example.
    EXAMPLE = secret::EXAMPLE;
}

/// Most texts have no secret, and are read once to know it.
static MAY_HOLD_SECRET: Pattern = LazyLock::new(|| any_of(&[&TOKEN, &GIVEN]));

/// The text with secrets taken out.
pub(super) fn redacted(text: &str) -> String {
    if !MAY_HOLD_SECRET.is_match(text) {
        return text.to_owned();
    }
    let mut cuts: Vec<std::ops::Range<usize>> = TOKEN
        .find_iter(text)
        .filter(|token| !is_masked(token.as_str()))
        .filter(|token| {
            !token.as_str().starts_with("-----BEGIN")
                || opens_key(text.get(token.end()..).unwrap_or_default())
        })
        .map(|token| {
            // A private key reaches to its end, and without one to the end of the text.
            let end = if token.as_str().starts_with("-----BEGIN") {
                text.len()
            } else {
                token.end()
            };
            token.start()..end
        })
        .collect();
    for found in GIVEN.captures_iter(text) {
        let value = found.get(1).or_else(|| found.get(2));
        cuts.extend(
            value
                .filter(|value| is_random(value.as_str()) && !EXAMPLE.is_match(value.as_str()))
                .map(|value| value.range()),
        );
    }
    if cuts.is_empty() {
        return text.to_owned();
    }
    cuts.sort_by_key(|cut| cut.start);
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for cut in cuts {
        if cut.start >= copied {
            out.push_str(text.get(copied..cut.start).unwrap_or(""));
            out.push_str(REDACTED);
            copied = cut.end;
        }
    }
    out.push_str(text.get(copied..).unwrap_or(""));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_and_secrets_do_not_pass() {
        assert_eq!(visible("a\u{200B}b\u{202E}c\u{E0041}\td\n"), "abc\td\n");
        assert_eq!(
            redacted("key=AKIAIOSFODNN7EXAMPLE, done"),
            "key=[redacted], done"
        );
        assert_eq!(
            redacted("task-sk-short and sk-learn"),
            "task-sk-short and sk-learn"
        );
        assert_eq!(
            redacted("password = \"hJ7kQ2xZ9pLm4vRt\"\npostgres://u:s3cr7Tq9zW@db"),
            "password = \"[redacted]\"\npostgres://u:[redacted]@db"
        );
        assert_eq!(
            redacted("api_key: 'your-api-key-goes-here'"),
            "api_key: 'your-api-key-goes-here'"
        );
        assert_eq!(
            redacted(
                "key:\n-----BEGIN RSA PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nabc"
            ),
            "key:\n[redacted]"
        );
        let first_line = "-----BEGIN PRIVATE KEY-----\n";
        assert_eq!(redacted(first_line), first_line);
    }
}
