//! Knows the outline (bookmarks) of a PDF, which tells headings and their levels better than font sizes do.

use skillkiln_document::text::squash;
use std::collections::HashMap;
use unpdf::parser::backend::{PdfBackend, RawOutlineItem};

/// Entries of an outline that are looked at.
const ENTRIES_MAX: usize = 20_000;

/// A title of so many capitals and no small letter is set in capitals.
const CAPITALS_MIN: usize = 4;

/// The headings that the outline names, by their words.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    entries: HashMap<String, Vec<Entry>>,
    /// Their words as the outline spells them, where that is not in capitals.
    spelled: HashMap<String, String>,
    deepest: u8,
}

#[derive(Debug)]
struct Entry {
    number: usize,
    page: Option<u32>,
    level: u8,
}

impl Outline {
    /// The outline of a file.
    pub(crate) fn of(backend: &dyn PdfBackend) -> Self {
        let items = backend.outline().unwrap_or_default();
        let mut outline = Self::default();
        let mut waiting: Vec<(&RawOutlineItem, u8)> =
            items.iter().rev().map(|item| (item, 1)).collect();
        // An outline whose one entry is the document itself starts below it.
        let mut number = 0;
        while let Some((item, level)) = waiting.pop() {
            number += 1;
            if number > ENTRIES_MAX {
                break;
            }
            let key = key(&item.title);
            if !key.is_empty() {
                if !is_set_in_capitals(&item.title) {
                    let spelled = || squash(&item.title);
                    outline.spelled.entry(key.clone()).or_insert_with(spelled);
                }
                outline.entries.entry(key).or_default().push(Entry {
                    number,
                    page: item.page,
                    level,
                });
                outline.deepest = outline.deepest.max(level);
            }
            let below = level.saturating_add(1).min(6);
            waiting.extend(item.children.iter().rev().map(|child| (child, below)));
        }
        outline
    }

    /// An outline of one entry, on no page.
    #[cfg(test)]
    pub(crate) fn named(title: &str) -> Self {
        let entry = Entry {
            number: 1,
            page: None,
            level: 1,
        };
        Self {
            entries: HashMap::from([(key(title), vec![entry])]),
            spelled: HashMap::from([(key(title), title.to_owned())]),
            deepest: 1,
        }
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The deepest level it uses.
    pub(crate) const fn deepest(&self) -> u8 {
        self.deepest
    }

    /// Number and level of the entries that say `words` on `page` or on a page beside it.
    pub(crate) fn find(&self, words: &str, page: u32) -> impl Iterator<Item = (usize, u8)> {
        let found = (words.len() <= 400)
            .then(|| self.entries.get(&key(words)))
            .flatten();
        found
            .into_iter()
            .flatten()
            .filter(move |entry| entry.page.is_none_or(|at| at.abs_diff(page) <= 1))
            .map(|entry| (entry.number, entry.level))
    }

    /// Words that a page sets in capitals, with the small letters that the outline has: a style of headings is not their spelling.
    pub(crate) fn respelled(&self, words: &str) -> Option<String> {
        if !is_set_in_capitals(words) {
            return None;
        }
        let spelled = self.spelled.get(&key(words))?;
        let letters = |words: &str| words.chars().filter(|c| c.is_alphabetic()).count();
        // What stands before the title here, a number or "Chapter", may not stand there.
        let mut ahead = letters(words).checked_sub(letters(spelled))?;
        let mut known = spelled.chars().filter(|c| c.is_alphabetic());
        let respelled = words.chars().map(|c| {
            if !c.is_alphabetic() {
                return c;
            }
            if ahead > 0 {
                ahead -= 1;
                return c;
            }
            let known = known.next();
            let is_same = |known: &char| known.to_lowercase().eq(c.to_lowercase());
            known.filter(is_same).unwrap_or(c)
        });
        Some(respelled.collect())
    }
}

/// Whether words have capitals and no small letters.
fn is_set_in_capitals(words: &str) -> bool {
    let capitals = words.chars().filter(|c| c.is_uppercase()).count();
    capitals >= CAPITALS_MIN && !words.contains(char::is_lowercase)
}

/// Words without what outlines and pages write differently: section numbers, the word "chapter", case, punctuation.
pub(crate) fn key(words: &str) -> String {
    let words = squash(words).to_lowercase();
    let rest = ["chapter ", "appendix ", "part ", "section "]
        .iter()
        .find_map(|word| words.strip_prefix(word))
        .unwrap_or(&words);
    let rest = match rest.split_once(' ') {
        Some((number, rest)) if is_number(number) => rest,
        _ => rest,
    };
    let bare: String = rest.chars().filter(|c| c.is_alphanumeric()).collect();
    if bare.is_empty() {
        words.chars().filter(|c| c.is_alphanumeric()).collect()
    } else {
        bare
    }
}

/// Whether `word` numbers a section: `4`, `4.2.`, `A.1`, `iv`.
pub(crate) fn is_number(word: &str) -> bool {
    let word = word.trim_end_matches([':', '.', ')']);
    let mut parts = word.split('.');
    let is_digits = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
    parts.next().is_some_and(|first| {
        is_digits(first) && first.len() <= 3
            || first.chars().count() == 1 && first.chars().all(char::is_alphabetic)
            || first.len() <= 5 && first.chars().all(|c| matches!(c, 'i' | 'v' | 'x'))
    }) && parts.all(is_digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_case_do_not_tell_headings_apart() {
        assert_eq!(key("4.2. Firing the Kiln"), key("firing the kiln"));
        assert_eq!(key("Chapter 3: Glazes"), key("3 Glazes"));
        assert_eq!(key("Appendix B Cones"), key("B  Cones"));
        assert_ne!(key("Glazes"), key("Cones"));
        assert_eq!(key("42"), "42");
    }

    #[test]
    fn a_title_in_capitals_is_spelled_as_the_outline_spells_it() {
        let outline = Outline::named("Firing with kiln-DEB");
        for (words, told) in [
            ("FIRING WITH KILN-DEB", Some("Firing with kiln-DEB")),
            ("A FIRING WITH KILN-DEB", Some("A Firing with kiln-DEB")),
            ("2.1 FIRING WITH KILN-DEB", Some("2.1 Firing with kiln-DEB")),
            ("Firing With Kiln-DEB", None),
            ("GLAZING WITH KILN-DEB", None),
        ] {
            assert_eq!(outline.respelled(words).as_deref(), told, "{words}");
        }
    }
}
