//! Owns what a skill is called: its title in words, and its name.

use crate::clean::frames::is_contents;
use crate::scaffold::VAGUE_NAMES;
use crate::section_role::is_generic;
use crate::tasks::bare_title;
use skillkiln_document::blocks::{BlockKind, Document};
use skillkiln_document::text::{is_device_name, plain, slug, squash};

/// Longest name (V015).
const NAME_CHARS_MAX: usize = 64;
/// Names that could be anything, beside those that the checks know (V019).
const VAGUE: &str = " readme changelog changes history news text index todo untitled input output reference options guide tutorial handbook \
    manual python javascript ruby rust java version page home welcome ";

/// Whether a word of a name could be that of anything.
fn is_vague(word: &str) -> bool {
    VAGUE_NAMES.contains(&word) || VAGUE.contains(&format!(" {word} ")) || is_device_name(word)
}

/// What a document is called: its one main heading, else what it calls itself, else its file.
#[must_use]
pub fn title(document: &Document, label: &str) -> String {
    let mut tops = document
        .blocks
        .iter()
        .enumerate()
        .filter_map(|(at, block)| match &block.kind {
            BlockKind::Heading { level: 1, text } => Some((at, squash(&plain(text)))),
            _ => None,
        });
    let first = tops.next();
    let is_only = tops.next().is_none();
    let main = first
        .filter(|(at, words)| {
            is_only && *at < 6 && words.chars().any(char::is_alphanumeric) && !is_contents(words)
        })
        .map(|(_, words)| words);
    let own = document
        .title
        .as_deref()
        .map(squash)
        // A number is that of a release, and the name of nothing.
        .filter(|title| title.chars().any(char::is_alphabetic) && !is_contents(title))
        .filter(|title| is_only || !names_release(title))
        .map(|title| without_site(&title, document.about.site.as_deref()));
    match (main, own) {
        (Some(main), _) if !is_generic(bare_title(&main)) => main,
        (Some(main), Some(own)) if is_generic(&own) => main,
        (_, Some(own)) => own,
        (Some(main), None) => main,
        (None, None) => of_file(label),
    }
}

/// Whether a title is that of one release among several: "Changes from 3.7c to 3.8".
fn names_release(title: &str) -> bool {
    title.split_whitespace().any(|word| {
        let (before, after) = word.split_once('.').unwrap_or((word, ""));
        before.ends_with(|c: char| c.is_ascii_digit())
            && after.starts_with(|c: char| c.is_ascii_digit())
    })
}

/// A title without the name of its site behind a mark.
fn without_site(title: &str, site: Option<&str>) -> String {
    for mark in [" | ", " · ", " — ", " – ", " - "] {
        if let Some((own, behind)) = title.rsplit_once(mark)
            && site.is_some_and(|site| squash(site).eq_ignore_ascii_case(behind.trim()))
        {
            return own.trim().to_owned();
        }
    }
    title.to_owned()
}

/// A title of a file's name.
fn of_file(label: &str) -> String {
    let file = label
        .trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or(label);
    let stem = file.split('?').next().unwrap_or(file);
    let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
    squash(&stem.replace(['_', '-'], " "))
}

/// A name of a title: qualified by `product` where it says nothing alone, and none that is taken.
#[must_use]
pub fn name(title: &str, product: &str, digest: &str, taken: &[String]) -> String {
    let own = unreserved(&slug(bare_title(title), NAME_CHARS_MAX));
    let of_product = unreserved(&slug(product, 30));
    let says_nothing = |name: &str| {
        name.len() < 3 || name.split('-').all(is_vague) || is_generic(&name.replace('-', " "))
    };
    let mut base = match says_nothing(&own) {
        true if !of_product.is_empty() && !own.contains(&of_product) => {
            format!("{of_product}-{own}")
        }
        _ => own,
    };
    base = base.trim_matches('-').to_owned();
    if says_nothing(&base) {
        let short: String = digest
            .chars()
            .filter(char::is_ascii_hexdigit)
            .take(8)
            .collect();
        base = match (base.is_empty(), short.is_empty()) {
            (true, true) => "skill-from-source".to_owned(),
            (true, false) => format!("skill-{short}"),
            (false, true) => format!("{base}-guide"),
            (false, false) => format!("{base}-{short}"),
        };
    }
    let base = slug(&base, NAME_CHARS_MAX);
    free(base, |name| taken.iter().any(|one| one == name))
}

/// A name that is not taken: itself, or with the first number behind it that makes it so.
pub(crate) fn free(base: String, is_taken: impl Fn(&str) -> bool) -> String {
    let mut own = base;
    let stem = slug(&own, NAME_CHARS_MAX - 4);
    let mut number = 2;
    while is_taken(&own) {
        own = format!("{stem}-{number}");
        number += 1;
    }
    own
}

/// A slug without the words that the upload refuses (V017).
pub(crate) fn unreserved(name: &str) -> String {
    let mut name = name.to_owned();
    while name.contains("anthropic") || name.contains("claude") {
        name = name.replace("anthropic", "").replace("claude", "");
    }
    slug(&name, NAME_CHARS_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_contents_and_one_release_of_several_give_no_title() {
        let titled = |text: &str, own: &str| {
            let mut document = skillkiln_document::testing::document(text);
            document.title = Some(own.into());
            title(&document, "docs/kiln-guide.md")
        };
        let contents = titled("# Table of Contents\n\nDoors.", "Table of Contents");
        assert_eq!(contents, "kiln guide");
        let releases = "# Changes from 3.7c to 3.8\n\nDoors.\n\n# Changes from 3.6 to 3.7c\n\nAsh.";
        assert_eq!(titled(releases, "Changes from 3.7c to 3.8"), "kiln guide");
        assert_eq!(titled("# Kiln 3.8\n\nDoors.", "Kiln 3.8"), "Kiln 3.8");
    }

    #[test]
    fn a_name_that_says_nothing_is_qualified_by_the_product() {
        assert_eq!(name("Options", "Kiln", "", &[]), "kiln-options");
        assert_eq!(name("Fire the kiln", "Kiln", "", &[]), "fire-the-kiln");
        assert_eq!(
            name("Fire the kiln", "", "", &["fire-the-kiln".into()]),
            "fire-the-kiln-2"
        );
        assert!(!name("窯", "", "1a2b3c4d5e", &[]).is_empty());
    }
}
