//! Owns the wording that a skill does without: what ages, what would fit any text, what is unfinished, what belongs to a page
//! and not to its content.

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

/// Whether a text holds wording that ages or would fit any skill (V057, V072).
pub(super) fn ages_or_fills(text: &str) -> bool {
    let lower = text.to_lowercase();
    AGEING_OR_EMPTY.iter().any(|turn| lower.contains(turn))
        || is_unfinished(text)
        || ["before ", "after ", "until ", "since "]
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
