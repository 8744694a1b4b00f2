//! Owns the wording that a skill does without: what ages, what would fit any text, what is unfinished, what belongs to a page
//! and not to its content.

use aho_corasick::{AhoCorasick, AhoCorasickKind, Match};
use skillkiln_document::gap::is_optional;
use skillkiln_document::text::MONTHS;
use std::sync::LazyLock;

/// Turns that will be wrong one day, or say nothing.
const AGEING_OR_EMPTY: [&str; 58] = [
    "currently",
    "nowadays",
    "recently",
    "at the moment",
    "at present",
    "as of ",
    "this year",
    "last year",
    "next year",
    "this month",
    "last month",
    "next month",
    "in the near future",
    " soon",
    "the latest version",
    "the latest release",
    "the newest version",
    "the newest release",
    "the upcoming version",
    "the upcoming release",
    "the current version",
    "the current release",
    "in today's",
    "in today’s",
    "it is important to",
    "it's important to",
    "it’s important to",
    "it is worth",
    "it's worth",
    "it’s worth",
    "it is crucial to",
    "it is essential to",
    "it should be noted",
    "needless to say",
    "as we all know",
    "at the end of the day",
    "best practices",
    "clean code",
    "good code",
    "errors gracefully",
    "errors appropriately",
    "ensure quality",
    "ensure high quality",
    "use common sense",
    "feel free to",
    "dive in",
    "delve into",
    "unlock the",
    "next level",
    "this skill helps",
    "this skill will help",
    "this skill allows",
    "seamless",
    "game-chang",
    "game chang",
    "cutting-edge",
    "cutting edge",
    "in conclusion",
];

/// Finds any of some turns in one pass, in either case: every sentence of every source is looked at.
type Turns = LazyLock<AhoCorasick>;

fn any_of(turns: &[impl AsRef<[u8]>]) -> AhoCorasick {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        // Of more than a hundred words a slower kind would be made, to save memory.
        .kind(Some(AhoCorasickKind::DFA))
        .build(turns)
        .expect("a few dozen short constants fit any automaton")
}

/// What ages or says nothing, with the months that something happens before or after.
fn ageing_or_empty() -> Vec<String> {
    let dated = ["before", "after", "until", "since"]
        .iter()
        .flat_map(|word| MONTHS.iter().map(move |month| format!("{word} {month}")));
    let turns = AGEING_OR_EMPTY.iter().map(|turn| (*turn).to_owned());
    turns.chain(dated).collect()
}

/// What ages or fills, behind what points at something that stands elsewhere. One automaton tells both: it takes half a millisecond
/// to make.
static POINTS_AGES_OR_FILLS: Turns = LazyLock::new(|| {
    let pointers = POINTERS.iter().map(|turn| (*turn).to_owned());
    any_of(&pointers.chain(ageing_or_empty()).collect::<Vec<_>>())
});
static LOREM_IPSUM: Turns = LazyLock::new(|| any_of(&["lorem ipsum"]));
/// What marks something still to be written, in capitals.
static MARKS: Turns = LazyLock::new(|| {
    AhoCorasick::new(["TODO", "FIXME", "TBD", "XXX"]).expect("four words fit any automaton")
});

/// Whether a text holds wording that ages or would fit any skill (V057, V072).
pub(super) fn ages_or_fills(text: &str) -> bool {
    let is_no_pointer = |found: Match| found.pattern().as_usize() >= POINTERS.len();
    POINTS_AGES_OR_FILLS.is_match(text)
        && POINTS_AGES_OR_FILLS
            .find_overlapping_iter(text)
            .any(is_no_pointer)
        || is_unfinished(text)
}

/// Whether a text holds a mark of something still to be written (V070).
pub(super) fn is_unfinished(text: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let is_marked = MARKS.find_iter(text).any(|mark| {
        let before = text.get(..mark.start()).and_then(|s| s.chars().next_back());
        let after = text.get(mark.end()..).and_then(|s| s.chars().next());
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    });
    is_marked || LOREM_IPSUM.is_match(text) || text.contains('[') && leaves_a_gap(text)
}

/// Whether a text has a place in brackets for what somebody is to write.
fn leaves_a_gap(text: &str) -> bool {
    const ORDERS: [&str; 9] = [
        "add",
        "insert",
        "describe",
        "your",
        "fill",
        "enter",
        "replace",
        "placeholder",
        "provide",
    ];
    text.match_indices('[').any(|(at, _)| {
        let inside = text.get(at + 1..).and_then(|rest| rest.split_once(']'));
        inside.is_some_and(|(inside, _)| {
            let inside = inside.trim_start();
            let end = inside
                .find(|c: char| !c.is_alphanumeric() && c != '_')
                .unwrap_or(inside.len());
            let first = inside.get(..end).unwrap_or_default().to_lowercase();
            ORDERS.contains(&first.as_str()) && !is_optional(inside)
        })
    })
}

/// Turns that point at something that stands elsewhere in a source (V094).
const POINTERS: [&str; 48] = [
    "see fig",
    "(fig. ",
    "(figs. ",
    "in figs",
    "as shown",
    "as mentioned",
    "as described",
    "as discussed",
    "as noted",
    "as explained",
    "as we have",
    "in figure",
    "in fig.",
    "see figure",
    "in table",
    "see table",
    "in chapter",
    "see chapter",
    "in section",
    "in listing",
    "see listing",
    "in the figure",
    "in the table",
    "in the screenshot",
    "in the diagram",
    "in the image",
    "in the picture",
    "the preceding",
    "the previous",
    "the foregoing",
    "aforementioned",
    "the last section",
    "the next section",
    "the next chapter",
    "the last chapter",
    "in the next",
    "in the last",
    "in this chapter",
    "in this article",
    "in this blog",
    "in this post",
    "in this video",
    "in this lesson",
    "in this tutorial",
    "later in this",
    "from the next",
    "as illustrated",
    "as outlined",
];

/// Whether a paragraph, in lower case, says whose a text is and who may copy it, or on which path of a site it stands, and nothing of
/// its subject.
pub(super) fn is_imprint(lower: &str) -> bool {
    // Such texts are translated with the licences that they speak of.
    const TRANSLATED: [&str; 22] = [
        "alle rechte vorbehalten",
        "certains droits réservés",
        "der free software foundation",
        "la free software foundation",
        "dalla free software foundation",
        "pela free software foundation",
        "ohne irgendeine garantie",
        "ohne jede gewähr",
        "ohne jegliche gewähr",
        "sans aucune garantie",
        "sem nenhuma garantia",
        "sem qualquer garantia",
        "sense cap garantia",
        "senza alcuna garanzia",
        "sin garantía alguna",
        "sin ninguna garantía",
        "todos los derechos reservados",
        "todos os direitos reservados",
        "tous droits réservés",
        "tutti i diritti riservati",
        "без каких-либо гарантий",
        "все права защищены",
    ];
    const TURNS: [&str; 29] = [
        "published by the free software foundation",
        "free software foundation, inc",
        "see the gnu general public license",
        "copy of the gnu general public license",
        "copy of the license is included",
        "in no event shall the ",
        "shall be included in all copies",
        "you may not use this file except",
        "you may obtain a copy of the license",
        "licensed under the apache license",
        "permission is granted",
        "permission is hereby granted",
        "permission notice",
        "copyright (c)",
        "copyright ©",
        "copyright 1",
        "copyright 2",
        "all rights reserved",
        "is provided \"as is\"",
        "is provided “as is”",
        "is provided ”as is”",
        "placed in the public domain",
        "without any warranty",
        "without warranty of any kind",
        "implied warrant",
        "is free software; you can redistribute",
        "under the terms of the gnu",
        "isbn",
        "documentation license",
    ];
    const OPENINGS: [&str; 6] = [
        "copyright",
        "©",
        "for version ",
        "this manual is for ",
        "edition ",
        "last updated",
    ];
    const TRANSLATIONS: [&str; 9] = [
        "traducción: ",
        "traducido por ",
        "traduction : ",
        "traduit par ",
        "traduzione: ",
        "translated by ",
        "translation: ",
        "übersetzt von ",
        "übersetzung: ",
    ];
    const EDITIONS: [&str; 5] = ["edition ", "release ", "revision ", "updated ", "version "];
    let is_edition = || {
        lower.len() < 60
            && lower.contains(|c: char| c.is_ascii_digit())
            && !lower.ends_with('.')
            && EDITIONS.iter().any(|opening| lower.starts_with(opening))
    };
    // "Sotto licenza Creative Commons ...", and who translated it.
    let is_licence = || {
        lower.len() < 240
            && lower.contains("creative commons")
            && ["licen", "lizen", "лиценз", "许可", "ライセンス"]
                .iter()
                .any(|licence| lower.contains(licence))
    };
    let is_translation = || {
        lower.len() < 160
            && TRANSLATIONS
                .iter()
                .any(|opening| lower.starts_with(opening))
    };
    let names_author = || lower.starts_with("by ") && lower.len() < 160 && !lower.ends_with('.');
    TURNS
        .iter()
        .chain(&TRANSLATED)
        .any(|turn| lower.contains(turn))
        || is_edition()
        || is_licence()
        || is_translation()
        || names_author()
        || lower.starts_with("part of the ") && lower.split_whitespace().count() <= 8
        || OPENINGS.iter().any(|opening| lower.starts_with(opening)) && lower.len() < 160
        || lower.matches(" > ").count() >= 2 && !lower.ends_with(['.', '!', ':'])
}

/// Whether a title, in lower case, is that of a page's frame and says nothing of what stands below it (V095).
pub(super) fn is_furniture_title(lower: &str) -> bool {
    matches!(lower.trim(), "related articles" | "related posts")
}

/// Whether a short text, in lower case, belongs to the page around the content (V095).
pub(super) fn is_furniture(lower: &str) -> bool {
    lower.len() < 200
        && [
            "cookie",
            "subscribe",
            "newsletter",
            "all rights reserved",
            "©",
            "skip to content",
            "skip to main",
            "edit this page",
            "was this page helpful",
            "was this helpful",
            "sign up",
            "sign in",
            "log in to",
            "share this",
            "follow us",
            "table of contents",
            "previous page",
            "next page",
            "back to top",
            "privacy policy",
            "terms of service",
            "read more",
            "click here",
            "leave a comment",
            "last updated",
            "like and subscribe",
        ]
        .iter()
        .any(|turn| lower.contains(turn))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_of_something_unfinished_stands_by_itself() {
        for unfinished in [
            "TODO: write this",
            "Lorem Ipsum dolor",
            "See [insert name].",
            "(FIXME)",
        ] {
            assert!(is_unfinished(unfinished), "{unfinished}");
        }
        for finished in [
            "MÉTODO",
            "AXXXB",
            "See [the name](x).",
            "[inserted]",
            "kiln [insert NUM] fire [add POT_NAME]",
        ] {
            assert!(!is_unfinished(finished), "{finished}");
        }
    }

    #[test]
    fn whose_a_text_is_and_where_it_stands_is_told_from_what_it_says() {
        for imprint in [
            "permission is granted to make and distribute verbatim copies of this manual.",
            "copyright (c) 2026 anna",
            "sotto licenza creative commons attribution-sharealike 4.0 international license.",
            "traduzione: gruppo di fornai",
            "apache > http server > documentation > version 2.4",
        ] {
            assert!(is_imprint(imprint), "{imprint}");
        }
        for said in [
            "whoever owns the kiln permits its use.",
            "a kiln whose heat is > 900 degrees fires clay.",
        ] {
            assert!(!is_imprint(said), "{said}");
        }
    }
}
