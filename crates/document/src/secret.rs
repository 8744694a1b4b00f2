//! Owns what a secret looks like, for the stage that leaves secrets out and for the checks that look for those left in: both
//! must see the same.

use crate::pattern::AnyOf;
use crate::patterns;

/// What takes the place of a secret in a skill.
pub const REDACTED: &str = "[redacted]";
/// Keys and tokens whose form gives them away.
pub const TOKEN_FORM: &str = r#"(?x)
        \b(?: A(?:KIA|SIA)[A-Z0-9]{16} | gh[pousr]_[A-Za-z0-9]{30,} | github_pat_[A-Za-z0-9_]{22,}
            | glpat-[A-Za-z0-9_-]{20,} | sk-(?:ant-|proj-|or-|svcacct-)?[A-Za-z0-9_-]{20,} | (?:sk|rk
            |pk)_(?:live|test)_[A-Za-z0-9]{16,} | whsec_[A-Za-z0-9]{16,}
            | xox[abeoprs]-[A-Za-z0-9-]{10,} | AIza[0-9A-Za-z_-]{35} | npm_[A-Za-z0-9]{36}
            | pypi-[A-Za-z0-9_-]{40,} | hf_[A-Za-z0-9]{30,}
            | SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}
            | eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,} | dop_v1_[a-f0-9]{64}
            | shp(?:at|ss|ca|pa)_[a-fA-F0-9]{32} )
        | -----BEGIN\ (?:[A-Z0-9]+\ )*PRIVATE\ KEY(?:\ BLOCK)?-----"#;
/// Words that make a secret an example.
pub const EXAMPLE_WORDS: &str = r#"(?ix)
        your|example|placeholder|change|replace|dummy|sample|secret|password|xxx|\*\*\*|\.\.\.|<|\$|\{
        |%\(|insert|todo|redacted|my[-_]|test|foo|1234567"#;

patterns! {
    /// Keys and tokens whose form gives them away (V080).
    TOKEN = TOKEN_FORM;
    /// A secret by the name of what it is given to, or as the password of an address (V080).
    GIVEN = r#"(?ix)
        \b(?:[a-z0-9]+[_-])*(?:api[_-]?key|secret(?:[_-]?key)?|access[_-]?key|private[_-]?key
            |auth[_-]?token|access[_-]?token|token|password|passwd|pwd)\b["']?\s*(?:[:=]|=>
            |:=)\s*["']([^"'\s]{16,})["']
        | \b[a-z][a-z0-9+.-]*://[^\s/:@]+:([^\s/@]{8,})@[a-z0-9]"#;
    /// Words that make a secret an example.
    EXAMPLE = EXAMPLE_WORDS;
}

/// Most texts have no secret, and are read once to know it.
static MAY_HOLD_SECRET: AnyOf = AnyOf::new(&[&TOKEN, &GIVEN]);

/// Whether a text may hold a secret, for all who look for one: where it may not, nothing else need be compiled or asked.
#[must_use]
pub fn may_be_in(text: &str) -> bool {
    MAY_HOLD_SECRET.is_match(text)
}

/// The text with secrets taken out.
#[must_use]
pub fn redacted(text: &str) -> String {
    if !may_be_in(text) {
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

/// Whether a token is only the shape of one: `sk-xxxxxxxx`, `ghp_your_token_here`.
#[must_use]
pub fn is_masked(token: &str) -> bool {
    let lower = token.to_ascii_lowercase();
    [
        "xxxx",
        "****",
        "....",
        "0000000000",
        "your",
        "-here",
        "_here",
        "<",
    ]
    .iter()
    .any(|mask| lower.contains(mask))
        || (["sk-", "pypi-"].iter().any(|kind| lower.starts_with(kind)) && is_slug(token))
}

/// Whether words that hyphens part make up a token, as an address has them: `sk-ed25519-key-enrollment-for-builds`.
fn is_slug(token: &str) -> bool {
    const WORD_CHARS_MAX: usize = 16;
    let is_word = |word: &str| word.len() < WORD_CHARS_MAX;
    let is_written_out = !token.bytes().any(|byte| byte.is_ascii_digit());
    token.matches('-').count() > 2
        && (is_written_out || token == token.to_ascii_lowercase() && token.split('-').all(is_word))
}

/// Whether a key stands in what follows its first line. A text on keys shows that line alone; nothing is given away by it.
#[must_use]
pub fn opens_key(after: &str) -> bool {
    const KEY_CHARS_MIN: usize = 24;
    let before_key = |c: char| !c.is_ascii_alphanumeric();
    let mut key = after.trim_start_matches(before_key);
    // A listing numbers its lines: `  2 | MIIE...`.
    let unnumbered = key.trim_start_matches(|c: char| c.is_ascii_digit());
    if unnumbered.len() < key.len() && unnumbered.starts_with(before_key) {
        key = unnumbered.trim_start_matches(before_key);
    }
    let is_key = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=' | '\\');
    key.chars().take(KEY_CHARS_MIN).filter(is_key).count() == KEY_CHARS_MIN
        || ["Proc-Type", "DEK-Info", "Version:", "Comment:"]
            .iter()
            .any(|field| key.starts_with(field))
}

/// Whether a value looks drawn by lot: letters and digits mixed, many different ones.
#[must_use]
pub fn is_random(value: &str) -> bool {
    let distinct = value
        .chars()
        .collect::<std::collections::BTreeSet<_>>()
        .len();
    let has = |test: fn(&char) -> bool| value.chars().any(|c| test(&c));
    distinct >= 10
        && has(char::is_ascii_digit)
        && has(char::is_ascii_alphabetic)
        && !value.contains("://")
        && !value.contains('(')
        && !is_path(value)
}

/// Whether a value leads somewhere: `pwd = "/path/to/debhello-0.2"` names the folder one works in. Each of its parts is made of
/// words and of short numbers behind them; what is drawn by lot mixes letters and digits.
fn is_path(value: &str) -> bool {
    let is_rooted = ["/", "./", "../", "~/"]
        .iter()
        .any(|root| value.starts_with(root));
    let is_word = |word: &str| {
        let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
        let digits = word.len() - letters.len();
        let is_cased = letters.chars().skip(1).all(|c| c.is_ascii_lowercase())
            && letters.starts_with(|c: char| c.is_ascii_alphabetic())
            || letters.chars().all(|c| c.is_ascii_uppercase());
        is_cased && letters.len() <= 16 && digits <= if letters.is_empty() { 4 } else { 2 }
    };
    is_rooted
        && value.matches('/').count() >= 2
        && value
            .trim_start_matches(['~', '.'])
            .split(['/', '.', '_', '-'])
            .all(is_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_do_not_pass() {
        assert_eq!(
            redacted("key=AKIAIOSFODNN7EXAMPLE, done"),
            "key=[redacted], done"
        );
        assert_eq!(
            redacted("task-sk-short and sk-learn"),
            "task-sk-short and sk-learn"
        );
        let anchor = "#q-how-do-i-use-pypi-instead-of-a-local-path-for-one-dependency";
        assert_eq!(redacted(anchor), anchor);
        assert_eq!(
            redacted("#fido-sk-ed25519-key-enrollment-for-builds"),
            "#fido-sk-ed25519-key-enrollment-for-builds"
        );
        assert_eq!(
            redacted("sk-ant-api03-4kd8s7xk2hq9w0zu3nm5v1cq"),
            "[redacted]"
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

    #[test]
    fn a_path_is_not_drawn_by_lot_and_slashes_alone_make_no_path() {
        assert!(!is_random("/path/to/debhello-0.2"));
        assert!(!is_random("~/kilns/stage4/pots"));
        for secret in [
            "/aB3xk9Lm/Qr7TzW2pVn5",
            "hJ7kQ2xZ9pLm4vRt/a",
            "/s3cr7tq9zwmvb4k",
        ] {
            assert!(is_random(secret), "{secret}");
        }
    }

    #[test]
    fn the_first_line_of_a_key_is_no_key() {
        for after in [
            "",
            "\n```\n\nSuch keys can be encrypted.",
            "` and `",
            "\n...\n-----END PRIVATE KEY-----",
        ] {
            assert!(!opens_key(after), "{after}");
        }
        for after in [
            "\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n",
            "\\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC",
            "\n> # MIIEvQIBADANBgkqhkiG9w0BAQEFAASC",
            "\n  2 | MIIEvQIBADANBgkqhkiG9w0BAQEFAASC",
            "\n2: MIIEvQIBADANBgkqhkiG9w0BAQEFAASC",
            "\nProc-Type: 4,ENCRYPTED\n",
        ] {
            assert!(opens_key(after), "{after}");
        }
    }
}
