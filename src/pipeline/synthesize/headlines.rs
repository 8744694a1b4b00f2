//! Owns which headings and phrases of a text its description names: the outermost first, and of the others those whose words
//! the text comes back to most often for the room they take.

use super::describe::Subject;
use super::heading_words::{for_description, is_structural};
use super::outline::is_generic;
use super::series::{kinds_once, without_series};
use super::spellings::{Spellings, shouts};
use super::subjects::singular;
use super::words::{is_english_stop, words};
use skillkiln_document::orders;
use skillkiln_document::quick::QuickMap;
use skillkiln_document::text::straight;

/// With fewer headings of the two highest levels, deeper ones tell too.
const HEADINGS_MIN: usize = 4;
/// So many headings are looked at.
const HEADINGS_MAX: usize = 160;
/// What a heading is worth that has no word of its own: it is named where there is room.
const WORTH_MIN: f32 = 0.05;

/// What functions may be called, and reads like the steps of something in a list (V044).
const ORDINALS: [&str; 6] = ["finally", "first", "last", "next", "second", "then"];

/// The headings that tell what a text covers, outermost first.
pub(super) fn headings(subject: &Subject<'_>, title: &str) -> Vec<String> {
    let mut levels: Vec<u8> = subject
        .outline
        .sections
        .iter()
        .filter(|section| section.level > 0 && section.title != subject.title)
        .map(|section| section.level)
        .collect();
    levels.sort_unstable();
    levels.dedup();
    let common = subject.outline.common_titles();
    let mut spellings: Option<Spellings> = None;
    let mut out: Vec<String> = Vec::new();
    for (depth, level) in levels.into_iter().enumerate() {
        if (depth >= 2 && out.len() >= HEADINGS_MIN) || out.len() >= HEADINGS_MAX {
            break;
        }
        let mut own: Vec<String> = Vec::new();
        for section in &subject.outline.sections {
            if section.level != level
                || section.title == subject.title
                || section.is_aside
                || is_generic(&section.title)
                || is_structural(&section.title)
                || subject.outline.is_void(section)
            {
                continue;
            }
            let mut words = for_description(&section.title);
            if shouts(&section.title) {
                let of_text =
                    || Spellings::of(&subject.gist.sample, subject.gist.has_great_nouns());
                words = spellings.get_or_insert_with(of_text).quiet(&words);
            }
            // "1 Introduction" is one behind its number only.
            if is_generic(&words)
                || is_structural(&words)
                || words.starts_with("impl ")
                || is_personal(&words)
                || super::wording::is_unfinished(&words)
                || words.to_lowercase().starts_with("step ")
                || is_appeal(&section.title)
                || common.contains(section.title.as_str())
                || ORDINALS.contains(&words.to_lowercase().as_str())
                || words.chars().count() < 3
                || words.chars().count() > 70
                || !words.contains(is_letter)
                || words.eq_ignore_ascii_case(title)
                || is_of_kind(&words, title)
                || orders::is_order(&words)
            {
                continue;
            }
            own.push(words);
            if out.len() + own.len() >= HEADINGS_MAX * 2 {
                break;
            }
        }
        for heading in kinds_once(without_series(own)) {
            if !out.contains(&heading) {
                out.push(heading);
            }
        }
    }
    out.truncate(HEADINGS_MAX);
    out
}

/// Whether a heading is the title with the kind of what it names: `Class Kiln` of `Kiln`.
fn is_of_kind(heading: &str, title: &str) -> bool {
    const KINDS: [&str; 8] = [
        "class",
        "enum",
        "interface",
        "module",
        "namespace",
        "package",
        "record",
        "struct",
    ];
    let named = heading.split_once(' ');
    named.is_some_and(|(kind, name)| {
        KINDS.contains(&kind.to_lowercase().as_str()) && title.starts_with(name)
    })
}

/// Whether a heading speaks to its reader instead of naming what it is on: "Using kilns? Please get in touch!"
fn is_appeal(title: &str) -> bool {
    let lower = title.to_lowercase();
    ["? ", "! "].iter().any(|end| lower.contains(end))
        || [
            "interested in",
            "please ",
            "the following ",
            "want to ",
            "looking for ",
        ]
        .iter()
        .any(|opening| lower.starts_with(opening))
}

/// Whether a sign is a letter, and none that only marks another: `ˆ` is one by its kind.
fn is_letter(c: char) -> bool {
    c.is_alphabetic() && !matches!(c, '\u{2b0}'..='\u{2ff}')
}

/// Those of `candidates` that say most of a text within `room` characters, in their order. What is `said` already counts no more.
/// `times` tells how often the text says a word, which is in lower case and the singular.
pub(super) fn most_telling<'a>(
    candidates: &[&'a str],
    said: &str,
    times: impl Fn(&str) -> usize,
    room: usize,
    between: usize,
) -> Vec<&'a str> {
    // The terms of all candidates, numbered; what each is worth until it is said.
    let mut numbers: QuickMap<String, usize> = QuickMap::default();
    let mut worth: Vec<f32> = Vec::new();
    let mut number = |text: &str| -> Vec<usize> {
        let lower = text.to_lowercase();
        words(&lower)
            .filter(|word| tells(word))
            .map(|word| {
                let term = singular(word);
                *numbers.entry(term.to_owned()).or_insert_with(|| {
                    #[expect(clippy::cast_precision_loss, reason = "a weight, not a count")]
                    let said = times(term) as f32;
                    worth.push((1.0 + said).ln());
                    worth.len() - 1
                })
            })
            .collect()
    };
    let said = number(said);
    let mut open: Vec<(usize, Vec<usize>, usize)> = candidates
        .iter()
        .enumerate()
        .map(|(place, candidate)| {
            (
                place,
                number(candidate),
                candidate.chars().count() + between,
            )
        })
        .collect();
    let say = |terms: &[usize], worth: &mut Vec<f32>| {
        for term in terms {
            if let Some(worth) = worth.get_mut(*term) {
                *worth = 0.0;
            }
        }
    };
    say(&said, &mut worth);
    let mut left = room;
    let mut taken = Vec::new();
    loop {
        let value = |terms: &[usize], chars: usize| {
            let own: f32 = terms.iter().filter_map(|term| worth.get(*term)).sum();
            #[expect(clippy::cast_precision_loss, reason = "a weight, not a count")]
            let chars = chars as f32;
            own.max(WORTH_MIN) / chars
        };
        // A word alone that is said already says nothing.
        let is_said = |terms: &[usize]| matches!(terms, [term] if worth.get(*term) == Some(&0.0));
        let best = open
            .iter()
            .enumerate()
            .filter(|(_, (_, terms, chars))| *chars <= left && !is_said(terms))
            .map(|(at, (place, terms, chars))| (value(terms, *chars), *place, at))
            .max_by(|one, other| one.0.total_cmp(&other.0).then(other.1.cmp(&one.1)));
        let Some((_, place, at)) = best else { break };
        let (_, terms, chars) = open.swap_remove(at);
        say(&terms, &mut worth);
        left -= chars;
        taken.push(place);
    }
    taken.sort_unstable();
    taken
        .into_iter()
        .filter_map(|place| candidates.get(place).copied())
        .collect()
}

/// Whether a word, in lower case, can be what somebody looks for.
fn tells(word: &str) -> bool {
    (word.len() > 2 || !word.is_ascii()) && !is_english_stop(word)
}

/// Whether a phrase speaks of its writer or to its reader, as a description must not (V035).
pub(super) fn is_personal(phrase: &str) -> bool {
    let straight = straight(phrase);
    straight
        .split(|c: char| !c.is_alphanumeric() && c != '\'')
        .any(|word| {
            let lower = word.to_lowercase();
            let own = lower.split('\'').next().unwrap_or_default();
            // A small `i` is an article in Italian.
            word.starts_with('I') && own == "i"
                || lower == "let's"
                || matches!(
                    own,
                    "we" | "us" | "me" | "my" | "our" | "ours" | "you" | "your"
                )
        })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{document, extracted};
    use super::super::write;
    use super::*;
    use crate::pipeline::product::Wish;
    use std::sync::Arc;

    #[test]
    fn what_many_sections_are_called_is_no_topic() {
        let text = "# Kiln\n\nIt fires pots.\n\n".to_owned()
            + &["Doors", "Wood", "Ash"]
                .map(|name| format!("## {name}\n\nIt is hot.\n\n### Examples\n\nIt burns.\n\n"))
                .concat();
        let source = Arc::new(extracted(document(&text)));
        let made = write(source, &Wish::default()).unwrap();
        let description = &made.drafts[0].skill.description;
        assert!(description.contains("Doors") && !description.contains("Examples"));
    }

    #[test]
    fn a_heading_that_speaks_to_its_reader_is_no_topic() {
        for title in [
            "Using kilns? Please get in touch!",
            "Interested in firing",
            "The following pots are hot",
        ] {
            assert!(is_appeal(title), "{title}");
        }
        for title in ["Which doors open?", "Firing pots"] {
            assert!(!is_appeal(title), "{title}");
        }
    }

    #[test]
    fn who_writes_and_who_reads_is_known_in_every_form() {
        for phrase in [
            "though we've",
            "let's fire",
            "I'm late",
            "what you'll need",
            "our kiln",
        ] {
            assert!(is_personal(phrase), "{phrase}");
        }
        for phrase in ["weather", "what lets heat out", "a kiln's door"] {
            assert!(!is_personal(phrase), "{phrase}");
        }
    }

    #[test]
    fn where_room_is_short_what_the_text_comes_back_to_is_named() {
        let times = |word: &str| match word {
            "glaze" => 3,
            "cone" | "wood" => 1,
            _ => 0,
        };
        let candidates = [
            "Burning of wood and other things",
            "Glazes",
            "Cones",
            "Glazes again",
        ];
        assert_eq!(
            most_telling(&candidates, "", times, 16, 2),
            ["Glazes", "Cones"]
        );
        assert_eq!(
            most_telling(&candidates, "all on glazes", times, 8, 2),
            ["Cones"]
        );
        // "Glazes again" says no more than "Glazes".
        assert_eq!(
            most_telling(&candidates, "", times, 200, 2),
            candidates.get(..3).unwrap()
        );
        assert!(most_telling(&[], "", times, 10, 2).is_empty());
    }
}
