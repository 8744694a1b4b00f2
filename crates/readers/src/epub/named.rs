//! Owns how chapters that have no heading are called, and a book whose title says only what kind of book it is.

use crate::epub::UNSET;
use crate::epub::contents::Listed;
use skillkiln_document::blocks::{BlockKind, Document, walk};
use skillkiln_document::text::{letters, plain, squash, word_count, words};
use std::collections::HashSet;

/// A chapter of fewer words is a cover, a title page or an end, and belongs where it stands.
const WORDS_MIN: usize = 40;
/// A longer heading is no title.
const TITLE_WORDS_MAX: usize = 10;
/// How Sphinx calls a page that has no title.
const UNTITLED: &str = "<no title>";
/// What else programs call a page that nobody gave a title, as letters.
const UNNAMED: [&str; 4] = ["notitle", "untitleddocument", "untitledpage", "untitled1"];
/// How the names of the files end from which programs make pages.
const ENDINGS: [&str; 18] = [
    ".doc", ".docx", ".odt", ".rtf", ".txt", ".htm", ".html", ".xhtml", ".pdf", ".indd", ".qxd",
    ".qxp", ".wpd", ".pages", ".tex", ".fm", ".ppt", ".pptx",
];
/// What joins the kind of a book to what it is about.
const JOINTS: [&str; 12] = [
    "of", "for", "to", "di", "de", "für", "pour", "per", "para", "zu", "zum", "von",
];
/// What stands before the kind of a book and names nothing.
const NAMELESS: [&str; 24] = [
    "a", "about", "an", "how", "in", "of", "on", "our", "that", "the", "this", "to", "using",
    "your", "das", "der", "die", "diese", "dieser", "dieses", "über", "ce", "cette", "questa",
];
/// Titles that say of what kind a book is, and nothing of what, as letters.
const KINDS: [&str; 30] = [
    "quickstartguide",
    "quickstart",
    "quickguide",
    "gettingstarted",
    "usersguide",
    "userguide",
    "usersmanual",
    "usermanual",
    "referencemanual",
    "reference",
    "manual",
    "handbook",
    "guide",
    "tutorial",
    "documentation",
    "kurzanleitung",
    "schnellstart",
    "benutzerhandbuch",
    "handbuch",
    "anleitung",
    "guidededémarragerapide",
    "guidedelutilisateur",
    "manuel",
    "guidarapida",
    "manuale",
    "guíarápida",
    "guiarápido",
    "snabbstartguide",
    "hızlıbaşlangıçkılavuzu",
    "manualdeusuario",
];

/// What the chapters read so far are called in their heads.
#[derive(Debug, Default)]
pub(super) struct Names {
    told: HashSet<String>,
}

impl Names {
    /// What a chapter is called that has no heading and is not listed: as its head calls it, where that is neither the book's name nor
    /// that of a chapter before, of which it may be a piece; where the head says that it has no name, as its file is called.
    pub(super) fn of(
        &mut self,
        chapter: &Document,
        path: &str,
        book: Option<&str>,
    ) -> Option<Listed> {
        let title = squash(chapter.title.as_deref().unwrap_or_default());
        let is_new = self.told.insert(letters(&title));
        let mut has_heading = false;
        walk(&chapter.blocks, &mut |block| {
            has_heading |= matches!(block.kind, BlockKind::Heading { .. });
        });
        if has_heading || word_count(&chapter.text) < WORDS_MIN {
            return None;
        }
        let file = path.rsplit('/').next().unwrap_or_default();
        let file = file.split('.').next().unwrap_or_default();
        let name = if title == UNTITLED {
            squash(&file.replace(['_', '-'], " "))
        } else {
            let own = letters(&title);
            let is_other = own != letters(book.unwrap_or_default()) && own != letters(file);
            let is_told = !own.is_empty() && !is_unset(&title);
            Some(title).filter(|_| is_new && is_other && is_told)?
        };
        Some(Listed {
            title: name,
            depth: 1,
            fragment: String::new(),
        })
    }
}

/// Whether a title was written by a program that was told none, or is the name of the file that it read.
fn is_unset(title: &str) -> bool {
    let lower = title.to_lowercase();
    UNSET.iter().any(|unset| unset.eq_ignore_ascii_case(title))
        || UNNAMED.contains(&letters(title).as_str())
        || lower.starts_with("microsoft word - ")
        || ENDINGS.iter().any(|ending| lower.ends_with(ending))
}

/// The first heading of a book, where it says in more words what the title says of the kind of the book alone.
pub(super) fn in_full(book: &Document) -> Option<String> {
    let title = book.title.as_deref()?;
    let heading = book.blocks.iter().find_map(|block| match &block.kind {
        BlockKind::Heading { text, .. } => Some(squash(&plain(text))),
        _ => None,
    })?;
    let is_kind = KINDS.contains(&letters(title).as_str());
    let is_title = heading.split_whitespace().count() <= TITLE_WORDS_MAX;
    (is_kind && is_title && says_of_what(&heading, title)).then_some(heading)
}

/// Whether a heading says the kind of a book, and of what it is one: by a name before it, or by what it is joined to behind it.
fn says_of_what(heading: &str, kind: &str) -> bool {
    let kind: Vec<String> = words(kind).map(letters).collect();
    let said: Vec<&str> = words(heading).collect();
    let own: Vec<String> = said.iter().map(|word| letters(word)).collect();
    let Some(at) = own
        .windows(kind.len().max(1))
        .position(|run| run == kind.as_slice())
    else {
        return false;
    };
    let before = own.get(..at).unwrap_or_default();
    let behind = own.get(at + kind.len()..).unwrap_or_default();
    let is_named = said
        .iter()
        .take(at)
        .any(|word| word.contains(|c: char| c.is_uppercase() || c.is_numeric()))
        && !before.iter().any(|word| NAMELESS.contains(&word.as_str()));
    match behind {
        [joint, _, ..] if JOINTS.contains(&joint.as_str()) => before.is_empty() || is_named,
        // The version may stand at the end.
        _ => is_named && behind.iter().all(|word| word.contains(char::is_numeric)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::read_whole;

    fn called(names: &mut Names, title: &str, body: &str) -> Option<String> {
        let words = "<p>The kiln is heated until the clay is hard and red.</p>".repeat(5);
        let title = title.replace('<', "&lt;");
        let page = read_whole(&format!(
            "<head><title>{title}</title></head><body>{body}{words}</body>"
        ));
        let listed = names.of(&page, "text/old_news.xhtml", Some("On Kilns"));
        listed.map(|listed| listed.title)
    }

    #[test]
    fn a_chapter_without_a_heading_is_called_as_its_head_calls_it() {
        let mut names = Names::default();
        let mut is = |title: &str, body: &str| called(&mut names, title, body);
        assert_eq!(is("Heat", "").as_deref(), Some("Heat"));
        assert_eq!(is("Heat", ""), None, "a piece of the one before");
        assert_eq!(is("On Kilns", ""), None);
        assert_eq!(is("Wood", "<h2>Of oak</h2>"), None);
        assert_eq!(is("<no title>", "").as_deref(), Some("old news"));
        for unset in [
            "Unknown",
            "No title",
            "Microsoft Word - draft7.doc",
            "draft 7.odt",
            "Untitled Document",
        ] {
            assert_eq!(is(unset, ""), None, "{unset}");
        }
    }

    #[test]
    fn a_book_that_is_called_after_its_kind_has_its_heading_for_a_title() {
        let book = |title: &str, heading: &str| {
            let read = read_whole(&format!("<h1>{heading}</h1><p>It burns.</p>"));
            in_full(&Document {
                title: Some(title.to_owned()),
                ..read
            })
        };
        assert_eq!(
            book("Guida rapida", "Guida rapida di kilns").as_deref(),
            Some("Guida rapida di kilns")
        );
        assert_eq!(book("Guida rapida", "Guida Rapida"), None);
        assert_eq!(book("Kilns", "Kilns and wood"), None);
        for (kind, heading, is_title) in [
            ("Kurzanleitung", "Calibre Kurzanleitung", true),
            ("Quick Start Guide", "Calibre Quick Start Guide", true),
            ("User Guide", "Kiln User Guide 2.1", true),
            ("Manual", "Manual installation", false),
            ("Manual", "About This Manual", false),
            ("Guide", "Guidelines", false),
            ("Guide", "Guidelines for Kilns", false),
        ] {
            let told = book(kind, heading);
            assert_eq!(told.as_deref() == Some(heading), is_title, "{heading}");
        }
    }
}
