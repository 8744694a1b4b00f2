//! Owns the wording that a skill does without: what ages, what would fit any text, what is unfinished, what belongs to a page
//! and not to its content.

use aho_corasick::AhoCorasick;
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

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Finds any of some turns in one pass, in either case: every sentence of every source is looked at.
type Turns = LazyLock<AhoCorasick>;

fn any_of(turns: &[&str]) -> AhoCorasick {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(turns)
        .expect("a few dozen short constants fit any automaton")
}

static AGES_OR_FILLS: Turns = LazyLock::new(|| any_of(&AGEING_OR_EMPTY));
static POINTS: Turns = LazyLock::new(|| any_of(&POINTERS));

/// Whether a text holds wording that ages or would fit any skill (V057, V072).
pub(super) fn ages_or_fills(text: &str) -> bool {
    if AGES_OR_FILLS.is_match(text) || is_unfinished(text) {
        return true;
    }
    let lower = text.to_ascii_lowercase();
    ["before ", "after ", "until ", "since "]
        .iter()
        .any(|word| {
            lower.match_indices(word).any(|(at, found)| {
                lower
                    .get(at + found.len()..)
                    .is_some_and(|rest| MONTHS.iter().any(|month| rest.starts_with(month)))
            })
        })
}

/// Whether a text holds a mark of something still to be written (V070).
pub(super) fn is_unfinished(text: &str) -> bool {
    const MARKS: [&str; 4] = ["TODO", "FIXME", "TBD", "XXX"];
    let marked = MARKS.iter().any(|mark| {
        text.match_indices(mark).any(|(at, _)| {
            let before = text.get(..at).and_then(|s| s.chars().next_back());
            let after = text.get(at + mark.len()..).and_then(|s| s.chars().next());
            !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
                && !after.is_some_and(|c| c.is_alphanumeric() || c == '_')
        })
    });
    marked || {
        let lower = text.to_lowercase();
        lower.contains("lorem ipsum")
            || lower.match_indices('[').any(|(at, _)| {
                lower.get(at + 1..).is_some_and(|rest| {
                    let rest = rest.trim_start();
                    [
                        "add",
                        "insert",
                        "describe",
                        "your",
                        "fill",
                        "enter",
                        "replace",
                        "placeholder",
                        "provide",
                    ]
                    .iter()
                    .any(|word| {
                        rest.strip_prefix(word).is_some_and(|after| {
                            !after.starts_with(|c: char| c.is_alphanumeric() || c == '_')
                                && after.contains(']')
                        })
                    })
                })
            })
    }
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

/// Whether a text points at something that stands elsewhere in its source.
pub(super) fn points_elsewhere(text: &str) -> bool {
    POINTS.is_match(text) || points_up_or_down(&text.to_ascii_lowercase())
}

/// Whether a text, in lower case, says "above" or "below" of its own lines: "the example above shows", not "above 40 degrees" or
/// "below the lid".
pub(super) fn points_up_or_down(lower: &str) -> bool {
    [" above", " below"].iter().any(|word| {
        lower.match_indices(word).any(|(at, found)| {
            let rest = lower.get(at + found.len()..).unwrap_or_default();
            let ends = !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-');
            let next = rest
                .strip_prefix(' ')
                .and_then(|rest| rest.split_whitespace().next())
                .map(|word| word.trim_end_matches(['.', ',', ';', ':', ')']))
                .unwrap_or_default();
            let is_measure = next.starts_with(|c: char| c.is_ascii_digit() || c == '$' || c == '`')
                || MEASURED_BY.contains(&next);
            ends && !is_measure
        })
    })
}

/// What stands after "above" and "below" where they tell a place or a bound.
const MEASURED_BY: [&str; 24] = [
    "a", "all", "an", "any", "average", "each", "either", "freezing", "ground", "its", "normal",
    "one", "room", "sea", "such", "that", "the", "their", "them", "these", "this", "those", "your",
    "zero",
];

/// Whether a text must stay out of a body: it ages, would fit anything, is unfinished, or points elsewhere.
pub(super) fn is_unfit(text: &str) -> bool {
    ages_or_fills(text) || points_elsewhere(text)
}

/// Whether a text is the pattern of a call or a row of cells, not a sentence.
pub(super) fn is_synopsis(text: &str) -> bool {
    let bars = text.matches('|').count();
    bars >= 3
        || text.matches(" | ").count() >= 2
        || (bars > 0 && text.contains(['{', '[']))
        || text.matches("[-").count() >= 2
}

/// Whether a text breaks off before what it names: an address, an example, a table.
pub(super) fn breaks_off(text: &str) -> bool {
    let last = text.rsplit(char::is_whitespace).next().unwrap_or_default();
    const OPEN: [&str; 17] = [
        "a", "an", "and", "are", "as", "at", "by", "for", "from", "in", "is", "like", "of", "or",
        "the", "to", "with",
    ];
    OPEN.contains(&last)
}

/// Whether a text names a folder of one person's machine (V071).
pub(super) fn names_home(text: &str) -> bool {
    ["/home/", "/Users/", ":\\Users\\"]
        .iter()
        .any(|home| text.contains(home))
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
    fn a_bound_is_no_pointer_and_a_pointer_is_no_bound() {
        for bound in [
            "The burner must never run above 40 degrees.",
            "Store it below the lid.",
            "Keep it above freezing.",
        ] {
            assert!(!points_elsewhere(bound), "{bound}");
        }
        for pointer in [
            "The example above shows it.",
            "See below.",
            "Use the options below, one by one.",
        ] {
            assert!(points_elsewhere(pointer), "{pointer}");
        }
    }
}
