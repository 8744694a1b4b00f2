//! Owns how text is taken apart for the proofs: lines, tokens, flags, numbers, addresses, paths and content words.
//!
//! Invariant: a source and what was made from it are taken apart by the same functions, so that what was copied is found again.

use crate::scaffold::our_words;
use crate::validate::digests::digest;
use skillkiln_document::patterns;
use skillkiln_document::quick::QuickSet;
use skillkiln_document::text::{lower_into, squashed};
use std::borrow::Cow;
use std::sync::LazyLock;

/// The digests of the words that every text has, and of those that need no evidence: a word is asked for by the digest that it is
/// known by.
static SMALL_WORDS: LazyLock<QuickSet<u64>> = LazyLock::new(|| {
    [
        "also", "been", "being", "but", "by", "can", "could", "did", "does", "each", "had", "has",
        "have", "how", "into", "may", "more", "most", "not", "one", "only", "other", "our", "over",
        "same", "should", "some", "such", "than", "that", "their", "them", "then", "there", "they",
        "this", "those", "was", "were", "what", "which", "will", "would", "your",
    ]
    .into_iter()
    .chain(our_words())
    .map(digest)
    .collect()
});

patterns! {
    ADDRESS = r#"(?i)\b(?:[a-z][a-z0-9+.-]{0,30}://|mailto:)[^\s<>"'`)\]}|\\“”„«»、。，；：？！（）《》「」『』【】]+"#;
    PATH = r"[A-Za-z0-9_.~@%+$-]*(?:[/\\][A-Za-z0-9_.@%+$-]+)+[/\\]?";
}

/// The lines that say something, with white space folded.
pub(super) fn lines_of(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    text.lines().map(squashed).filter(|line| !line.is_empty())
}

/// What stands between white space, without the punctuation of a sentence around it.
pub(super) fn tokens_of(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace()
        .map(|token| {
            let token = token.trim_matches(is_punctuation);
            // A sentence may end after a bracket: `f(x).`
            token
                .strip_suffix('.')
                .map_or(token, |token| token.trim_end_matches(is_punctuation))
        })
        .filter(|token| !token.is_empty())
}

/// Whether this may stand around a word without being a part of it. The full stop is not among them: `..` is a folder.
fn is_punctuation(c: char) -> bool {
    matches!(
        c,
        '`' | '*'
            | '_'
            | '"'
            | '\''
            | '('
            | ')'
            | '['
            | ']'
            | ','
            | ';'
            | ':'
            | '!'
            | '?'
            | '“'
            | '”'
            | '‘'
            | '’'
    )
}

/// Names, numbers and flags, whatever stands between them.
pub(super) fn pieces_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-'))
        .map(|piece| piece.trim_end_matches('-'))
        .filter(|piece| !piece.is_empty())
}

/// `-x` and `--long-flags`.
pub(super) fn flags(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    // Few words begin with a hyphen, and a search for that one byte is many times faster than one for the ends of words.
    text.match_indices('-').filter_map(move |(start, _)| {
        let bytes = text.as_bytes();
        let before = start.checked_sub(1).and_then(|before| bytes.get(before));
        if before.is_some_and(|byte| is_part(*byte)) {
            return None;
        }
        let rest = bytes.get(start..)?;
        let length = rest.iter().take_while(|byte| is_part(**byte)).count();
        let word = text.get(start..start + length)?.trim_end_matches('-');
        let name = word.strip_prefix("--").or_else(|| word.strip_prefix('-'));
        name.is_some_and(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()))
            .then_some(word)
    })
}

/// Runs of digits, with points and commas between digits.
pub(super) fn numbers(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b',');
    runs_around(text, |byte| byte.is_ascii_digit(), is_part).map(|run| run.trim_matches(['.', ',']))
}

/// The longest runs of bytes for which `is_part` holds, with at least one that is a `core`. Both are of ASCII.
fn runs_around(
    text: &str,
    is_core: impl Fn(&u8) -> bool,
    is_part: impl Fn(&u8) -> bool,
) -> impl Iterator<Item = &str> {
    let bytes = text.as_bytes();
    let mut from = 0;
    std::iter::from_fn(move || {
        let found = from + bytes.get(from..)?.iter().position(&is_core)?;
        let before = bytes.get(from..found)?.iter().rev();
        let start = found - before.take_while(|byte| is_part(byte)).count();
        let after = bytes.get(found..)?.iter();
        from = found + after.take_while(|byte| is_part(byte)).count();
        text.get(start..from)
    })
}

/// Addresses with a scheme, percent-encoding undone, so that each has one spelling.
pub(super) fn addresses(text: &str) -> impl Iterator<Item = String> {
    // Most text has none, and a search for two literals is many times faster than one for the pattern.
    let text = if text.contains("://") || text.contains(':') && has_mail(text) {
        text
    } else {
        ""
    };
    ADDRESS.regex().find_iter(text).filter_map(|found| {
        let whole = decoded(found.as_str());
        let address = ADDRESS
            .regex()
            .find(&whole)
            .map_or("", |found| found.as_str());
        // A scheme with nothing behind it is the name of a protocol: "**ftp://**".
        let is_whole = |address: &&str| address.contains(':');
        let address = address.trim_end_matches(['.', ',', ';', ':', '!', '?', '*', '_', '/']);
        Some(address).filter(is_whole).map(str::to_owned)
    })
}

fn has_mail(text: &str) -> bool {
    text.as_bytes()
        .windows(7)
        .any(|window| window.eq_ignore_ascii_case(b"mailto:"))
}

/// An address without its fragment.
pub(super) fn without_fragment(address: &str) -> &str {
    let page = address.split('#').next().unwrap_or(address);
    page.trim_end_matches('/')
}

/// Undoes percent-encoding; what is not encoded properly stays as it is.
pub(super) fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let code = (*first == b'%')
            .then(|| tail.get(..2).and_then(|hex| std::str::from_utf8(hex).ok()))
            .flatten()
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        bytes.push(code.unwrap_or(*first));
        rest = match code {
            Some(_) => tail.get(2..).unwrap_or_default(),
            None => tail,
        };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// Paths with at least one separator; a formula, `$\chi_\nu$`, is none. The pattern is asked only of the runs of its characters
/// that hold one: it begins at each word, and few words are paths.
pub(super) fn paths(text: &str) -> impl Iterator<Item = &str> {
    let is_separator = |byte: &u8| matches!(byte, b'/' | b'\\');
    let is_part = move |byte: &u8| {
        let is_mark = matches!(byte, b'_' | b'.' | b'~' | b'@' | b'%' | b'+' | b'$' | b'-');
        byte.is_ascii_alphanumeric() || is_mark || is_separator(byte)
    };
    runs_around(text, is_separator, is_part)
        .flat_map(|run| PATH.regex().find_iter(run))
        .filter(|found| !found.as_str().starts_with("$\\"))
        // The rows of a matrix, `1\\2\\3\end{array}`, lead nowhere.
        .filter(|found| !found.as_str().ends_with("\\end"))
        // A formula `$V/R$` ends behind its last letter.
        .map(|found| found.as_str().trim_end_matches(['.', '/', '\\', '$']))
}

/// The digests of the words of a text that say what it is about, in lower case.
pub(super) fn content_words(text: &str) -> impl Iterator<Item = u64> {
    let mut lower = String::new();
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| match word.is_ascii() {
            true => word.len() > 2,
            false => !word.is_empty(),
        })
        .filter_map(move |word| {
            lower_into(word, &mut lower);
            let word = digest(lower.as_str());
            (!SMALL_WORDS.contains(&word)).then_some(word)
        })
}

#[cfg(test)]
mod tests {
    use super::{addresses, paths};

    #[test]
    fn the_mark_at_the_end_of_a_formula_is_no_part_of_a_path() {
        let text = "It is /R_1$ in $I=V/R_1$ and /home/$kiln/doors.";
        let found: Vec<&str> = paths(text).collect();
        assert!(found.iter().all(|path| !path.ends_with('$')), "{found:?}");
        assert!(found.contains(&"/home/$kiln/doors"), "{found:?}");
    }

    #[test]
    fn the_rows_of_a_matrix_are_no_path() {
        let text = r"$\left[\begin{array}{c}1\2\3\end{array}\right]$ in C:\kiln\doors";
        let found: Vec<&str> = paths(text).collect();
        assert!(!found.iter().any(|path| path.contains('1')), "{found:?}");
        assert!(found.iter().any(|path| path.contains("doors")), "{found:?}");
    }

    #[test]
    fn an_address_ends_at_the_marks_of_sentences_in_chinese_and_of_quotations() {
        for text in [
            "见“https://kiln.example/door”，然后",
            "见https://kiln.example/door。然后",
            "窑炉（https://kiln.example/door）很热",
        ] {
            let found: Vec<String> = addresses(text).collect();
            assert_eq!(found, ["https://kiln.example/door"], "{text}");
        }
    }

    #[test]
    fn a_scheme_with_nothing_behind_it_is_no_address() {
        for text in [
            "**URL=ftp://**: by FTP",
            "nfs://, or file:///",
            "It says mailto:.",
        ] {
            assert_eq!(addresses(text).count(), 0, "{text}");
        }
    }
}
