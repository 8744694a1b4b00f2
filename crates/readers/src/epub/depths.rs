//! Owns how deep the headings of a chapter stand: as deep as the table of contents lists them.

use crate::epub::contents::Listed;
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::text::{letters, plain};
use std::collections::{HashMap, HashSet};

/// What sets a number off from the title behind it.
const ENDS: [char; 7] = ['.', ':', ')', ']', '-', '–', '—'];
/// A number in Chinese or Japanese ("第十二章") has no more letters.
const IDEOGRAPHIC_MAX: usize = 6;

/// What parts of a book are called before their number or letter.
const PARTS: [&str; 20] = [
    "chapter",
    "appendix",
    "part",
    "section",
    "kapitel",
    "anhang",
    "teil",
    "chapitre",
    "annexe",
    "partie",
    "capítulo",
    "apéndice",
    "parte",
    "capitolo",
    "appendice",
    "hoofdstuk",
    "bijlage",
    "глава",
    "приложение",
    "rozdział",
];

/// The entries of the table of contents, by what is looked for; all in ascending order.
struct Entries<'a> {
    by_anchor: HashMap<&'a str, Vec<usize>>,
    by_title: HashMap<String, Vec<usize>>,
    /// By their titles without a number.
    by_name: HashMap<String, Vec<usize>>,
}

impl<'a> Entries<'a> {
    /// Those of `listed`; an entry that leads to the anchor of a heading is found by that alone.
    fn of(listed: &'a [Listed], anchors: &HashSet<String>) -> Self {
        let mut entries = Self {
            by_anchor: HashMap::new(),
            by_title: HashMap::new(),
            by_name: HashMap::new(),
        };
        for (at, entry) in listed.iter().enumerate() {
            let anchor = entry.fragment.as_str();
            if !anchor.is_empty() {
                entries.by_anchor.entry(anchor).or_default().push(at);
            }
            if anchors.contains(anchor) {
                continue;
            }
            let title = letters(&entry.title);
            entries.by_title.entry(title).or_default().push(at);
            for name in names(&entry.title) {
                entries.by_name.entry(name).or_default().push(at);
            }
        }
        entries
    }

    /// The first entry from `from` on that leads to an anchor.
    fn at_anchor(&self, anchor: &str, from: usize) -> Option<usize> {
        next(self.by_anchor.get(anchor), from)
    }

    /// The first entry from `from` on whose title is that of a heading, but for a number before one of them.
    fn called(&self, title: &str, from: usize) -> Option<usize> {
        let own = letters(title);
        if own.is_empty() {
            return None;
        }
        let same = next(self.by_title.get(&own), from);
        let numbered = next(self.by_name.get(&own), from);
        let names = names(title).into_iter();
        let named = names.filter_map(|name| next(self.by_title.get(&name), from));
        named.chain(same).chain(numbered).min()
    }
}

/// The first of ascending places from `from` on.
fn next(places: Option<&Vec<usize>>, from: usize) -> Option<usize> {
    let places = places?;
    let first = places.partition_point(|at| *at < from);
    places.get(first).copied()
}

/// Gives the headings of a chapter the depth that the table of contents gives them; those it does not name keep their distance
/// from the one above. What it leads to is told by the anchor, and where it has none by the title.
pub(super) fn put(blocks: &mut [Block], listed: &[Listed]) {
    let entries = Entries::of(listed, &anchors(blocks));
    let mut from = 0;
    let mut distance = 0i16;
    let mut before: Option<String> = None;
    for block in blocks {
        let anchor = anchor(block);
        let BlockKind::Heading { level, text } = &mut block.kind else {
            continue;
        };
        // A heading without an anchor stands under the one before it.
        let own = anchor.as_deref().filter(|_| anchor != before);
        let found = own
            .and_then(|own| entries.at_anchor(own, from))
            .or_else(|| entries.called(&plain(text), from));
        if let Some(at) = found
            && let Some(entry) = listed.get(at)
        {
            distance = i16::from(entry.depth) - i16::from(*level);
            from = at + 1;
        }
        *level = u8::try_from((i16::from(*level) + distance).clamp(1, 6)).unwrap_or(6);
        before = anchor;
    }
}

/// The anchor under which a block stands.
fn anchor(block: &Block) -> Option<String> {
    let landmark = block.span.landmark();
    landmark.and_then(|landmark| landmark.fragment.clone())
}

/// The anchors that headings have for themselves.
fn anchors(blocks: &[Block]) -> HashSet<String> {
    let mut before: Option<String> = None;
    let mut anchors = HashSet::new();
    for block in blocks {
        if matches!(block.kind, BlockKind::Heading { .. }) {
            let anchor = anchor(block);
            if anchor != before {
                anchors.extend(anchor.clone());
            }
            before = anchor;
        }
    }
    anchors
}

/// How a title is called without the word for a part that it begins with, and without its number, as letters.
pub(super) fn names(title: &str) -> Vec<String> {
    let title = title.trim();
    let (first, behind) = parted(title);
    let is_digit = |c: char| c.is_ascii_digit() || c == '.';
    let unnumbered = title.trim_start_matches(is_digit);
    let digits = title.strip_suffix(unnumbered).unwrap_or_default();
    let names = if PARTS.contains(&letters(first).as_str()) {
        let (number, rest) = parted(behind);
        if is_number(number, true) || number.ends_with(ENDS) || rest.starts_with(ENDS) {
            vec![behind, rest]
        } else if first.ends_with(ENDS) || behind.starts_with(ENDS) {
            vec![behind]
        } else {
            Vec::new()
        }
    } else if digits.len() > 1 && digits.ends_with('.') {
        // The gap behind a number may be missing.
        vec![unnumbered]
    } else if is_number(first, behind.starts_with(ENDS)) {
        vec![behind]
    } else {
        Vec::new()
    };
    let names = names.into_iter().map(letters);
    names.filter(|name| !name.is_empty()).collect()
}

/// The first word, and what stands behind it.
fn parted(text: &str) -> (&str, &str) {
    text.split_once(char::is_whitespace)
        .map_or((text, ""), |(first, behind)| (first, behind.trim_start()))
}

/// Whether a word is a number: digits with dots, a Roman numeral, or a letter that is set off from what is behind it.
fn is_number(word: &str, is_set_off: bool) -> bool {
    let is_set_off = is_set_off || word.ends_with(ENDS);
    let number = word
        .trim_start_matches(['(', '[', '§'])
        .trim_end_matches(ENDS);
    let is_digits = |piece: &str| !piece.is_empty() && piece.chars().all(char::is_numeric);
    let is_roman = |piece: &str| piece.len() > 1 && piece.chars().all(|c| "IVXL".contains(c));
    let is_letter = |piece: &str| {
        let mut letters = piece.chars();
        letters.next().is_some_and(char::is_alphabetic) && letters.next().is_none()
    };
    let is_of_pieces = number.split(['.', '-']).all(|piece| {
        is_digits(piece)
            || is_letter(piece)
            || is_roman(piece)
            || is_set_off && is_roman(&piece.to_uppercase())
    });
    let is_told = is_set_off || is_roman(number) || number.contains(char::is_numeric);
    let is_ideographic = word.starts_with('第') && word.chars().count() <= IDEOGRAPHIC_MAX;
    is_of_pieces && is_told || is_ideographic
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::read_whole;

    fn levels(page: &str, listed: &[(&str, u8, &str)]) -> Vec<u8> {
        let listed: Vec<Listed> = listed
            .iter()
            .map(|(title, depth, fragment)| Listed {
                title: (*title).to_owned(),
                depth: *depth,
                fragment: (*fragment).to_owned(),
            })
            .collect();
        let mut blocks = read_whole(page).blocks;
        put(&mut blocks, &listed);
        let level = |block: &Block| match &block.kind {
            BlockKind::Heading { level, .. } => Some(*level),
            _ => None,
        };
        blocks.iter().filter_map(level).collect()
    }

    #[test]
    fn a_heading_stands_as_deep_as_what_leads_to_it_is_listed() {
        let page = "<h1>2. Kilns</h1><p>Hot.</p><h2 id=k.Kiln>class k.Kiln(heat)</h2><p>Hot.</p><h3>fire(wood, ash_heap)</h3><p>Hot.</p>\
            <h3>cool()</h3><p>Cold.</p><h2 id=ash-heap>Ash heap</h2><p>Grey.</p>";
        let listed = [
            ("Kilns", 1, ""),
            ("Kiln", 3, "k.Kiln"),
            ("Ash heap", 2, "ash-heap"),
        ];
        assert_eq!(levels(page, &listed), [1, 3, 4, 4, 2]);
    }

    #[test]
    fn a_number_before_a_title_makes_no_other_of_it() {
        for (own, listed, same) in [
            ("Chapter 12. Fire", "Fire", true),
            ("Chapter One: Fire", "Fire", true),
            ("Fire", "IV Fire", true),
            ("Fire", "b) Fire", true),
            ("2.1.Fire", "Fire", true),
            ("Chapter 1 Fire", "1 Fire", true),
            ("Appendix A. Fire", "A. Fire", true),
            ("第1章 はじめに", "はじめに", true),
            ("Fire and ash", "Ash", false),
            ("Coldfire", "Fire", false),
            ("Cold fire", "Fire", false),
            ("A fire", "Fire", false),
            ("Disconnect", "Connect", false),
            ("1. Fire", "2. Fire", false),
            ("Section headings", "Headings", false),
        ] {
            let page = format!("<h2>{own}</h2><p>Hot.</p>");
            let level = levels(&page, &[(listed, 5, "")]);
            assert_eq!(level == [5], same, "{own} {listed}");
        }
    }

    #[test]
    fn an_entry_that_leads_to_a_heading_is_not_taken_by_another_of_that_title() {
        let page = "<h2 id=a>Heat</h2><p>Hot.</p><h2 id=b>Notes</h2><p>Hot.</p><h2 id=c>Notes</h2><p>Cold.</p>";
        let listed = [("Heat", 1, "a"), ("Notes", 3, "c")];
        assert_eq!(levels(page, &listed), [1, 1, 3]);
    }
}
