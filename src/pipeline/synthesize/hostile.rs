//! Owns what is taken out of a source before anything is made of it: hidden characters, and secrets left in the open.

use crate::pipeline::pattern::{Pattern, patterns};
use crate::pipeline::secret::{self, REDACTED, is_masked, is_random, opens_key};
use crate::pipeline::unseen::without_unseen;
use std::borrow::Cow;

/// The text without characters that nobody sees, control characters among them. Joiners stay where they do their work.
pub(super) fn visible(text: &str) -> String {
    let is_kept = |c: char| !c.is_control() || matches!(c, '\n' | '\t');
    match without_unseen(text) {
        Cow::Borrowed(seen) if seen.chars().all(is_kept) => seen.to_owned(),
        seen => seen.chars().filter(|c| is_kept(*c)).collect(),
    }
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
static MAY_HOLD_SECRET: Pattern = Pattern::any_of(&[&TOKEN, &GIVEN]);

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
