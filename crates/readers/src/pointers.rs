//! Refuses a pointer of Git LFS, which stands in a repository in place of a large file.

use skillkiln_document::failure::{Failure, Reason};

/// How such a pointer begins.
pub(crate) const LFS: &str = "version https://git-lfs.github.com/spec/";

/// The failure that says what to send, where `text` only points at it.
pub fn refusal(text: &str) -> Option<Failure> {
    text.trim_start().starts_with(LFS).then(|| {
        Failure::new(
            Reason::Unreadable,
            "this is only a pointer of Git LFS to the file; run `git lfs pull` where it comes from and send the file itself",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_of_git_lfs_is_named_as_one() {
        let text = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n";
        assert!(refusal(text).is_some_and(|failure| failure.message.contains("git lfs pull")));
        assert!(refusal("See README.md for version 1.").is_none());
    }
}
