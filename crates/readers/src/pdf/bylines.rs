//! Tells those who wrote a text, and when, on its first page: names, addresses and days below its title, which head no section.

use crate::pdf::heading::{Heading, words};
use crate::pdf::line::Line;
use skillkiln_document::text::MONTHS;
use std::collections::{HashMap, HashSet};

/// Below the title stand those who wrote it, with so little text that it is no section's.
const CHARACTERS_MAX: usize = 160;
const WORDS_MAX: usize = 6;
/// A title that stands below a name has so many words at least, is so many times their size away, and is not much smaller.
const TITLE_WORDS_MIN: usize = 3;
const TITLE_STEP: f32 = 3.0;
const TITLE_TIMES: f32 = 0.75;
/// The name of who wrote a text, alone below its title, has so many words.
const NAME_WORDS: std::ops::RangeInclusive<usize> = 2..=3;
/// A line is centred whose ends are as far from those of its column, in sizes of its letters.
const CENTRED_WITHIN: f32 = 1.5;
/// Where somebody works.
const PLACES: [&str; 13] = [
    "center",
    "centre",
    "centrum",
    "college",
    "department",
    "faculty",
    "institut",
    "institute",
    "laboratory",
    "school",
    "universität",
    "université",
    "university",
];
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
    // Whether nothing but names stood below the title so far, and where those work who are called so.
    let mut is_among = true;
    let mut is_placed = false;
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
        let has_text = chars > CHARACTERS_MAX || own.iter().any(says);
        // What is told of a text may stand below the name of who wrote it, and where that is.
        let signs =
            is_among && (is_signature(lines, *at, *count) || is_placed && is_address(&text));
        if signs && !named.contains(at) {
            is_placed |= is_place(&text);
            headings.remove(at);
            if has_text {
                break;
            }
            continue;
        }
        if has_text {
            break;
        }
        if !named.contains(at) && is_day(&text) {
            headings.remove(at);
            continue;
        }
        let names_place = is_among && is_place(&text);
        is_placed |= names_place;
        if named.contains(at) || !names_place && !is_byline(&text) {
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

/// Whether a line tells where somebody works: `Center for Fire, University of Hamburg`.
fn is_place(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphabetic());
    let is_counted = text.trim().starts_with(|c: char| c.is_ascii_digit());
    !is_counted && words.any(|word| PLACES.contains(&word.to_lowercase().as_str()))
}

/// Whether a line may go on with where somebody works: names and numbers, `20146 Hamburg Germany`.
fn is_address(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let is_part = |word: &str| {
        let first = word.chars().next();
        first.is_some_and(|c| c.is_uppercase() || c.is_ascii_digit())
    };
    words.clone().count() > 1 && words.all(is_part)
}

/// Whether a heading is the name of who wrote the text, with those of others or where that is: two or three words in the middle of it,
/// none of which the text has in small letters.
fn is_signature(lines: &[Line], at: usize, count: usize) -> bool {
    let own = lines.get(at..at + count).unwrap_or_default();
    let Some((name, others)) = own.split_first() else {
        return false;
    };
    let tells = |line: &Line| {
        let text = line.text();
        is_byline(&text) || is_place(&text) || is_address(&text)
    };
    let text = name.text();
    let words: Vec<&str> = text.split_whitespace().collect();
    let (left, right) = (name.left - name.bounds.0, name.bounds.1 - name.right);
    let is_centred = left > 2.0 * name.size && (left - right).abs() < CENTRED_WITHIN * name.size;
    is_centred
        && NAME_WORDS.contains(&words.len())
        && is_byline(&text)
        && others.iter().all(tells)
        && !words.iter().any(|word| has_small(lines, word))
}

/// Whether a text has a word in small letters. Addresses are written so whatever they are made of.
fn has_small(lines: &[Line], word: &str) -> bool {
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphabetic()).to_owned();
    let small = bare(word).to_lowercase();
    let is_address = |word: &str| word.contains(['@', '/']) || word.contains("www.");
    let is_word = |other: &str| !is_address(other) && bare(other) == small;
    lines
        .iter()
        .any(|line| line.text().split_whitespace().any(is_word))
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
    use crate::pdf::testing;

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
    fn a_name_in_the_middle_below_the_title_heads_no_text() {
        let left = |name: &str, told: &str| {
            let told = format!("{told} We have built a kiln that burns all night and is hot.");
            let texts = ["Kilns", name, &told, &told, &told];
            let mut lines = texts.map(|words| testing::line(vec![testing::piece(words)]));
            (lines[1].left, lines[1].right) = (260.0, 332.0);
            let heading = || Heading { lines: 1, level: 1 };
            let mut headings = HashMap::from([(0, heading()), (1, heading())]);
            remove(&lines, &mut headings, &HashSet::new());
            headings.len()
        };
        assert_eq!(left("Ada Lee", "It burns."), 1);
        assert_eq!(left("Old Wood", "It burns wood."), 2);
        assert_eq!(left("Firing", "It burns."), 2);
    }

    #[test]
    fn where_somebody_works_is_told_from_sections() {
        for text in ["Center for Fire, University of Hamburg", "School of Kilns"] {
            assert!(is_place(text), "{text}");
        }
        assert!(!is_place("2 The School") && !is_place("Firing the kiln"));
        assert!(is_address("20146 Hamburg Germany") && !is_address("20146 kilns"));
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
