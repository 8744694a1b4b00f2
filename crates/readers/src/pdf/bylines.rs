//! Tells those who wrote a text, and when, on its first page: names, addresses and days below its title, which head no section.

use crate::pdf::heading::{Heading, words};
use crate::pdf::line::Line;
use std::collections::{HashMap, HashSet};

/// Below the title stand those who wrote it, with so little text that it is no section's.
const CHARACTERS_MAX: usize = 160;
const WORDS_MAX: usize = 6;

/// Takes those who wrote a text, and when, from the headings of its first page, beside those that the outline has `named`: they stand
/// below its title, with no text of their own.
pub(crate) fn remove(
    lines: &[Line],
    headings: &mut HashMap<usize, Heading>,
    named: &HashSet<usize>,
) {
    let mut order: Vec<(usize, usize)> = headings
        .iter()
        .map(|(at, heading)| (*at, heading.lines))
        .collect();
    order.sort_unstable();
    let page = lines.first().map(|line| line.page);
    // Whether nothing but names stood below the title so far.
    let mut is_among = true;
    for (place, (at, count)) in order.iter().enumerate().skip(1) {
        if lines.get(*at).is_none_or(|line| Some(line.page) != page) {
            break;
        }
        let text = words(lines, *at, *count);
        let end = order.get(place + 1).map_or(lines.len(), |(next, _)| *next);
        let own = lines.get(at + count..end).unwrap_or_default().iter();
        let own: Vec<String> = own
            .take_while(|line| Some(line.page) == page)
            .map(Line::text)
            .collect();
        let chars: usize = own.iter().map(|text| text.chars().count()).sum();
        let says = |text: &String| text.split_whitespace().count() > WORDS_MAX;
        if chars > CHARACTERS_MAX || own.iter().any(says) {
            break;
        }
        if named.contains(at) || !is_byline(&text) {
            is_among = false;
        } else if is_among || text.contains('@') {
            headings.remove(at);
        }
    }
}

/// Whether a line tells who wrote something, from where, or when: `Ada Lee and Bo Berg`, `by Ada Lee`, `ada@kiln.example`, `12 May 2001`.
fn is_byline(text: &str) -> bool {
    let text = text.trim();
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_name = |word: &&str| {
        let bare = word.trim_matches(|c: char| !c.is_alphabetic());
        let joins = matches!(bare, "and" | "by" | "de" | "di" | "la" | "van" | "von" | "");
        joins
            || bare.starts_with(char::is_uppercase)
                && (bare.chars().skip(1).any(char::is_lowercase) || bare.chars().count() == 1)
    };
    let ends_in_year = || {
        let is_year = |word: &&str| word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit());
        words.last().is_some_and(is_year) && words.len() <= 3
    };
    text.contains('@')
        || ends_in_year()
        || (2..=WORDS_MAX).contains(&words.len())
            && words.iter().all(is_name)
            && !text.contains(':')
            && !text.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_wrote_a_text_and_when_is_told_from_its_sections() {
        for text in [
            "Ada Lee",
            "D. P. Berg and Ada Lee",
            "ada@kiln.example",
            "12 May 2001",
        ] {
            assert!(is_byline(text), "{text}");
        }
        for text in ["1 Introduction", "Firing the kiln", "KILNS", "Introduction"] {
            assert!(!is_byline(text), "{text}");
        }
    }
}
