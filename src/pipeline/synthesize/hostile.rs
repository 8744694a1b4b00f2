//! Owns what of a source is seen: hidden characters are taken out before anything is made of it.

use skillkiln_document::unseen::{is_signal, without_unseen};
use std::borrow::Cow;

/// The text without characters that nobody sees, control characters among them. Joiners stay where they do their work.
pub(super) fn visible(text: &str) -> String {
    let is_kept = |c: char| !is_signal(c);
    match without_unseen(text) {
        Cow::Borrowed(seen) if seen.chars().all(is_kept) => seen.to_owned(),
        seen => seen.chars().filter(|c| is_kept(*c)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_do_not_pass() {
        assert_eq!(visible("a\u{200B}b\u{202E}c\u{E0041}\td\n"), "abc\td\n");
    }
}
