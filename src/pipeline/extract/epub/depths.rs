//! Owns how deep the headings of a chapter stand: as deep as the table of contents lists them.

use crate::domain::document::{Block, BlockKind};
use crate::domain::text::{letters, plain};
use crate::pipeline::extract::epub::contents::Listed;

/// Shorter titles are one only where they are the same.
const TITLE_LETTERS_MIN: usize = 4;
/// A number with its word before a title ("Chapter 12") has no more letters.
const NUMBER_LETTERS_MAX: usize = 16;
/// A number without digits ("IV", "B") has no more letters.
const LETTERED_MAX: usize = 4;

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

/// Gives the headings of a chapter the depth that the table of contents gives them; those it does not name keep their distance
/// from the one above. What it leads to is told by the anchor, and where it has none by the title.
pub(super) fn put(blocks: &mut [Block], listed: &[Listed]) {
    let mut rest = listed;
    let mut distance = 0i16;
    let mut before: Option<String> = None;
    for block in blocks {
        let landmark = block.span.landmark();
        let anchor = landmark.and_then(|landmark| landmark.fragment.clone());
        let BlockKind::Heading { level, text } = &mut block.kind else {
            continue;
        };
        let own = letters(&plain(text));
        // A heading without an anchor stands under the one before it.
        let is_own = anchor != before;
        let leads = |entry: &Listed| {
            is_own && !entry.fragment.is_empty() && anchor.as_ref() == Some(&entry.fragment)
        };
        let found = rest.iter().position(leads).or_else(|| {
            rest.iter()
                .position(|entry| is_same(&own, &letters(&entry.title)))
        });
        if let Some(at) = found
            && let Some(entry) = rest.get(at)
        {
            distance = i16::from(entry.depth) - i16::from(*level);
            rest = rest.get(at + 1..).unwrap_or_default();
        }
        *level = u8::try_from((i16::from(*level) + distance).clamp(1, 6)).unwrap_or(6);
        before = anchor;
    }
}

/// Whether two titles are one: alike but for a number or the word "chapter" before it.
fn is_same(own: &str, listed: &str) -> bool {
    let is_behind_number = |long: &str, short: &str| {
        let number = long
            .strip_suffix(short)
            .filter(|_| short.chars().count() >= TITLE_LETTERS_MIN);
        number.is_some_and(|number| {
            let letters = number.chars().count();
            let is_numbered =
                short.starts_with(char::is_numeric) || number.contains(char::is_numeric);
            letters <= LETTERED_MAX
                || is_numbered && letters <= NUMBER_LETTERS_MAX
                || PARTS.iter().any(|part| number.starts_with(part))
                    && letters <= NUMBER_LETTERS_MAX
        })
    };
    own == listed || is_behind_number(own, listed) || is_behind_number(listed, own)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::extract::html::read_whole;

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
            ("chapter12fire", "fire", true),
            ("fire", "ivfire", true),
            ("chapter1fire", "1fire", true),
            ("appendixafire", "afire", true),
            ("fireandash", "ash", false),
            ("coldfire", "fire", true),
            ("whatburnsinafire", "fire", false),
        ] {
            assert_eq!(is_same(own, listed), same, "{own} {listed}");
        }
    }
}
