//! Tells those who wrote a text, and when, on its first page: names, addresses and days below its title, which head no section.

use crate::domain::clock::MONTHS;
use crate::pipeline::extract::pdf::headings::{Heading, words};
use crate::pipeline::extract::pdf::lines::Line;
use std::collections::{HashMap, HashSet};

/// Below the title stand those who wrote it, with so little text that it is no section's.
const CHARACTERS_MAX: usize = 160;
const WORDS_MAX: usize = 6;
/// A title that stands below a name has so many words at least, is so many times their size away, and is not much smaller.
const TITLE_WORDS_MIN: usize = 3;
const TITLE_STEP: f32 = 3.0;
const TITLE_TIMES: f32 = 0.75;
/// What a text is, and nobody is called.
const TEXTS: [&str; 14] = [
    "book",
    "documentation",
    "guide",
    "handbook",
    "introduction",
    "library",
    "manual",
    "notes",
    "overview",
    "reference",
    "report",
    "specification",
    "tutorial",
    "user",
];

/// Months of other languages than English, as covers name them.
const OTHER_MONTHS: [&str; 20] = [
    "januar",
    "februar",
    "märz",
    "mai",
    "juni",
    "juli",
    "oktober",
    "dezember",
    "janvier",
    "février",
    "mars",
    "avril",
    "juin",
    "juillet",
    "août",
    "décembre",
    "enero",
    "mayo",
    "diciembre",
    "marzo",
];

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
    if let [(name, _), (title, count), ..] = order.as_slice()
        && !named.contains(name)
        && signs_above(lines, *name, (*title, *count))
    {
        let level = headings.remove(name).map_or(1, |name| name.level);
        if let Some(title) = headings.get_mut(title) {
            title.level = level;
        }
        order.remove(0);
    }
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
        if !named.contains(at) && is_day(&text) {
            headings.remove(at);
            continue;
        }
        if named.contains(at) || !is_byline(&text) {
            is_among = false;
            continue;
        }
        // The second line of a title looks like a name as well, unless an address or a day stands with it.
        let next = order.iter().skip(place + 1).take(2);
        let mut next = next.map(|(at, count)| words(lines, *at, *count));
        let tells = |text: &str| text.contains('@') || is_day(text);
        let is_signed = own.iter().any(|text| tells(text)) || next.any(|text| tells(&text));
        if is_among || is_signed || text.contains('@') {
            headings.remove(at);
        }
    }
}

/// Whether the first heading is the name of who wrote the text, and the next one its title: nothing is said between the two, which stand
/// further apart than a title and what goes on with it.
fn signs_above(lines: &[Line], name: usize, title: (usize, usize)) -> bool {
    let (at, count) = title;
    let (Some(above), Some(below)) = (lines.get(name), lines.get(at)) else {
        return false;
    };
    let (name_told, told) = (above.text(), words(lines, at, count));
    let names_text = name_told.split_whitespace().any(|word| {
        let word = word.trim_end_matches("’s").to_lowercase();
        TEXTS.contains(&word.as_str())
    });
    let page = lines.first().map(|line| line.page);
    at == name + 1
        && Some(above.page) == page
        && above.page == below.page
        && below.size >= TITLE_TIMES * above.size
        && above.y - below.y > TITLE_STEP * below.size.max(above.size)
        && told.split_whitespace().count() >= TITLE_WORDS_MIN
        && !told.starts_with(|c: char| c.is_ascii_digit())
        && !is_byline(&told)
        && is_byline(&name_told)
        && !names_text
}

/// Whether a line is no more than a day, a month or a year: `12 May 2001`, `July 2022`, `1997/12/18`.
fn is_day(text: &str) -> bool {
    let text = text.trim();
    if text.contains('/') && text.bytes().all(|b| b.is_ascii_digit() || b == b'/') {
        return true;
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_year = |word: &&str| word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit());
    let is_month = |word: &&str| {
        let lower = word.trim_end_matches([',', '.']).to_lowercase();
        let is_long = lower.chars().count() >= 3;
        let mut months = MONTHS.iter().chain(&OTHER_MONTHS);
        // A shorter word of three letters or more may stand for one.
        is_long && months.any(|month| month.starts_with(&lower))
    };
    let is_number = |word: &&str| {
        let bare = word.trim_matches([',', '.']);
        let ordinal = ["st", "nd", "rd", "th"].iter();
        let bare = ordinal.fold(bare, |bare, end| bare.strip_suffix(end).unwrap_or(bare));
        !bare.is_empty() && bare.len() <= 2 && bare.bytes().all(|b| b.is_ascii_digit())
    };
    let Some((last, before)) = words.split_last() else {
        return false;
    };
    is_year(last)
        && (1..=2).contains(&before.len())
        && before.iter().filter(|word| is_month(word)).count() == 1
        && before.iter().all(|word| is_month(word) || is_number(word))
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
                && !names_thing(bare)
                && (bare.chars().skip(1).any(char::is_lowercase) || bare.chars().count() == 1)
    };
    let ends_in_year = || {
        let is_year = |word: &&str| word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit());
        words.last().is_some_and(is_year) && words.len() <= 3
    };
    text.contains('@')
        || is_day(text)
        || ends_in_year()
        || (2..=WORDS_MAX).contains(&words.len())
            && words.iter().all(is_name)
            && !text.contains(':')
            && !text.starts_with(|c: char| c.is_ascii_digit())
}

/// Whether a word is the name of a program or a file rather than of a person: `LaTeX`, `X11R6`, `Kiln.sty`.
fn names_thing(word: &str) -> bool {
    let ending = word.rsplit_once('.').map_or("", |(_, ending)| ending);
    word.contains("TeX")
        || word.contains(|c: char| c.is_ascii_digit())
        || ending.starts_with(char::is_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::extract::pdf::testing;

    #[test]
    fn who_wrote_a_text_and_when_is_told_from_its_sections() {
        for text in [
            "Ada Lee",
            "D. P. Berg and Ada Lee",
            "ada@kiln.example",
            "12 May 2001",
            "1997/12/18",
        ] {
            assert!(is_byline(text), "{text}");
        }
        for text in [
            "1 Introduction",
            "Firing the kiln",
            "KILNS",
            "Introduction",
            "Kilns LaTeX",
            "The Kiln.sty File",
            "Firing X11Kiln",
        ] {
            assert!(!is_byline(text), "{text}");
        }
    }

    #[test]
    fn a_day_above_a_text_of_its_own_heads_a_section() {
        let left = |told: &str| {
            let words = ["Kilns", "May 2024", told];
            let lines = words.map(|words| testing::line(vec![testing::piece(words)]));
            let heading = || Heading { lines: 1, level: 1 };
            let mut headings = HashMap::from([(0, heading()), (1, heading())]);
            remove(&lines, &mut headings, &HashSet::new());
            headings.len()
        };
        assert_eq!(left("We have built a kiln that burns all night."), 2);
        assert_eq!(left("Ada Lee"), 1);
    }

    #[test]
    fn a_name_far_above_a_title_is_of_who_wrote_it() {
        let left = |name: &str, title: &str, y: f32| {
            let mut lines = [name, title].map(|words| testing::line(vec![testing::piece(words)]));
            lines[1].y = y;
            let heading = || Heading { lines: 1, level: 1 };
            let mut headings = HashMap::from([(0, heading()), (1, heading())]);
            remove(&lines, &mut headings, &HashSet::new());
            let mut left: Vec<usize> = headings.into_keys().collect();
            left.sort_unstable();
            left
        };
        assert_eq!(left("Ada Lee", "How kilns are fired", -80.0), [1]);
        assert_eq!(left("Ada Lee", "How kilns are fired", -20.0), [0, 1]);
        assert_eq!(left("Ada Lee", "Firing", -80.0), [0, 1]);
        assert_eq!(left("Kiln Guide", "How kilns are fired", -80.0), [0, 1]);
    }

    #[test]
    fn a_day_is_told_from_a_title_with_a_year() {
        for text in [
            "July 2022",
            "11th March 1999",
            "February 22, 2012",
            "12 May 2001",
            "1997/12/18",
        ] {
            assert!(is_day(text), "{text}");
        }
        for text in [
            "Kilns 2022",
            "Market 2022",
            "2022",
            "Old Kilns",
            "3 Kilns 2022",
        ] {
            assert!(!is_day(text), "{text}");
        }
    }
}
