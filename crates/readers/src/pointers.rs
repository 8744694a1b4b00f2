//! Refuses a text that does nothing but name the file to read instead of it: `See README.md`.

use skillkiln_document::failure::{Failure, Reason};

/// A text with more words says something of its own.
const WORDS_MAX: usize = 6;
/// How such a text begins, in small letters.
const BEGINNINGS: [&str; 6] = [
    "see ",
    "please see ",
    "read ",
    "please read ",
    "refer to ",
    "please refer to ",
];

/// How a pointer of Git LFS begins, which stands in a repository in place of a large file.
const LFS: &str = "version https://git-lfs.github.com/spec/";

/// The failure that names the file, where `text` only points at it.
pub fn refusal(text: &str) -> Option<Failure> {
    if text.trim_start().starts_with(LFS) {
        return Some(Failure::new(
            Reason::Unreadable,
            "this is only a pointer of Git LFS to the file; run `git lfs pull` where it comes from and send the file itself",
        ));
    }
    let words: Vec<&str> = text.split_whitespace().take(WORDS_MAX + 1).collect();
    let said = words.join(" ");
    let lower = said.to_lowercase();
    let points = BEGINNINGS.iter().any(|begins| lower.starts_with(begins));
    let is_mark = |c: char| "`'\"<>()[],;:!*_".contains(c);
    let bare = |word: &&str| {
        let word = word.trim_end_matches('.').trim_matches(is_mark);
        word.trim_end_matches('.').to_owned()
    };
    let file = words.iter().map(bare).find(|word| is_file(word))?;
    (points && words.len() <= WORDS_MAX).then(|| {
        Failure::new(
            Reason::Unreadable,
            format!("this text only says to read {file}; send that instead"),
        )
    })
}

/// Whether a word is the name of a file: with an extension, or in capitals as that of a README is.
fn is_file(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or(word);
    let has_extension = name
        .rsplit_once('.')
        .is_some_and(|(stem, end)| !stem.is_empty() && (1..=5).contains(&end.len()));
    let is_capital = name.len() > 3 && name.bytes().all(|b| b.is_ascii_uppercase() || b == b'_');
    !word.contains("://") && (has_extension || is_capital)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_of_git_lfs_is_named_as_one() {
        let text = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n";
        assert!(refusal(text).is_some_and(|failure| failure.message.contains("git lfs pull")));
    }

    #[test]
    fn a_text_that_only_names_another_file_is_refused_and_names_it() {
        for (text, file) in [
            ("See README.md\n", "README.md"),
            ("Please see the file `docs/INSTALL`.\n", "docs/INSTALL"),
            ("Read INSTALL.txt first.\n", "INSTALL.txt"),
        ] {
            let message = refusal(text).expect("it points").message;
            assert!(message.contains(&format!("read {file};")), "{message}");
        }
        for text in [
            "See the kiln burn.\n",
            "Light it with fire.sh\n",
            "See README.md for how to light the kiln and to cool it.\n",
            "See https://kiln.example/a.html\n",
            "",
        ] {
            assert!(refusal(text).is_none(), "{text}");
        }
    }
}
