//! Tells of a paragraph that is set as a heading, or stands among headings, what it is in fact: running text, a line of a table of
//! contents, or furniture.

use skillkiln_document::text::{Inline, plain, squash};

/// A heading of more words is a paragraph.
const WORDS_MAX: usize = 20;
/// And one of more words than these, when it holds several sentences: shorter ones name several things.
const SENTENCES_WORDS_MIN: usize = 10;
/// What writers call a table of contents.
const CONTENTS: &[&str] = &[
    "contents",
    "table of contents",
    "inhalt",
    "inhaltsverzeichnis",
    "table des matières",
    "sommaire",
    "índice",
    "indice",
    "sommario",
    "inhoud",
    "inhoudsopgave",
    "innehåll",
    "содержание",
    "оглавление",
    "目次",
    "目录",
    "目錄",
];
/// And what they call other indexes, which are drawn from the text as well.
const INDEXES: &[&str] = &[
    "index",
    "alphabetical index",
    "illustration index",
    "list of figures",
    "list of illustrations",
    "list of tables",
    "table of figures",
    "stichwortverzeichnis",
    "abbildungsverzeichnis",
    "tabellenverzeichnis",
];
/// What stands on a page so that it is not empty.
const FILLERS: &[&str] = &[
    "this page is intentionally left blank",
    "this page intentionally left blank",
    "this page has been intentionally left blank",
    "page intentionally left blank",
];

/// And such a line is not longer.
const FILLER_BYTES_MAX: usize = 80;

/// Whether words that are set as a heading are running text: more than one sentence of some length, or more words than a heading has.
pub(crate) fn is_running(words: &[Inline]) -> bool {
    let text = plain(words);
    let count = text.split_whitespace().count();
    count > WORDS_MAX || count > SENTENCES_WORDS_MIN && holds_sentences(text.trim())
}

/// Whether a text ends as a sentence does, and another sentence ends within it.
fn holds_sentences(text: &str) -> bool {
    let ends_within = |(at, _): (usize, &str)| {
        let word = text.get(..at).and_then(|before| before.rsplit(' ').next());
        let next = text.get(at + 2..).and_then(|after| after.chars().next());
        word.is_some_and(|word| word.chars().filter(|c| c.is_lowercase()).count() > 2)
            && next.is_some_and(char::is_uppercase)
    };
    text.ends_with('.') && text.match_indices(". ").any(ends_within)
}

/// Whether a heading is that of a table of contents.
pub(crate) fn names_contents(words: &[Inline]) -> bool {
    CONTENTS.contains(&bare(&plain(words)).as_str())
}

/// Whether a heading is that of a table of contents or another index.
pub(crate) fn names_index(words: &[Inline]) -> bool {
    names_contents(words) || INDEXES.contains(&bare(&plain(words)).as_str())
}

/// The words and the page of a line of a table of contents, which ends in a tab and a number; pages in Roman numbers come before the
/// first.
pub(crate) fn entry(line: &str) -> Option<(&str, u32)> {
    let is_roman = |page: &str| {
        page.chars()
            .all(|c| matches!(c, 'i' | 'v' | 'x' | 'l' | 'c'))
    };
    let (words, page) = line.trim_end().rsplit_once('\t')?;
    let page = page.trim();
    if page.is_empty() || page.len() > 6 || !words.contains(char::is_alphanumeric) {
        return None;
    }
    let number = match page.bytes().all(|b| b.is_ascii_digit()) {
        true => page.parse().ok()?,
        false if is_roman(page) => 0,
        false => return None,
    };
    Some((words.trim(), number))
}

/// The words of a heading by which a table of contents names it: without a number before them, in small letters.
pub(crate) fn named(heading: &str) -> String {
    let words = heading.trim_start_matches(|c: char| !c.is_alphabetic());
    squash(words).to_lowercase()
}

/// Whether a line only says that its page is empty.
pub(crate) fn is_filler(line: &str) -> bool {
    line.len() <= FILLER_BYTES_MAX && FILLERS.contains(&bare(line).as_str())
}

fn bare(text: &str) -> String {
    text.trim_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<Inline> {
        vec![Inline::Text(text.to_owned())]
    }

    #[test]
    fn a_heading_of_more_than_a_sentence_is_running_text() {
        assert!(is_running(&words(
            "Segregate the values of each variable. For each variable, follow the list."
        )));
        assert!(is_running(&words(&"word ".repeat(21))));
        for heading in [
            "Governing law. Jurisdiction.",
            "1.2. The Kiln",
            "How it fires.",
            "Ash, e.g. Oak and St. Johns Wort",
        ] {
            assert!(!is_running(&words(heading)), "{heading}");
        }
    }

    #[test]
    fn lines_of_contents_end_in_a_tab_and_a_page() {
        for (line, read) in [
            ("Firing\t12", Some(("Firing", 12))),
            ("    Preface\t xii", Some(("Preface", 0))),
            ("Cone 6\t1222 °C", None),
            ("\t12", None),
            ("Firing 12", None),
        ] {
            assert_eq!(entry(line), read, "{line}");
        }
        assert_eq!(named("1.2\tThe  Kiln"), "the kiln");
        assert!(names_contents(&words("Contents:")));
        assert!(names_index(&words("Index")));
        assert!(is_filler("[This page is intentionally left blank.]"));
    }
}
