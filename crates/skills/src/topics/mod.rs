//! Owns which parts of a source are worth a skill each: its highest sections, or the stretches between which its vocabulary changes, as
//! long as they really differ.
//!
//! ```text
//! blocks ─cut at headings─▶ parts ─small ones joined─▶ ─unlike enough?─▶ parts, grouped down to the most there may be
//!        └cut where the words change (TextTiling)┘
//! ```
//!
//! How much two parts are alike is the cosine of their TF-IDF vectors, by how often each term stands in a part and not whether it does: so it
//! does not grow with their length.

mod likeness;
mod stretches;

use crate::cues::announces;
use crate::kind::is_version;
use crate::naming;
use crate::outline::{Outline, block_text};
use crate::section_role::{SectionRole, is_generic, role_of};
use crate::sentences::sentences;
use crate::tasks::bare_title;
use crate::terms::{Term, Vocabulary};
use likeness::{Vector, cosine, counts, mean_likeness, sum, unit, vectors};
use skillkiln_document::blocks::{Block, BlockKind, Document};
use skillkiln_document::text::{plain, slug, squash, word_count};
use std::collections::HashSet;
use std::ops::Range;
use stretches::stretches;

/// Most topics of a source (decision 22).
pub const TOPICS_MAX: usize = 20;
/// A shorter source is never split.
const SOURCE_WORDS_MIN: usize = 900;
/// A part with fewer words is not worth a skill; it is joined to its neighbour.
const PART_WORDS_MIN: usize = 220;
/// Parts that are more alike than this, on average, are one subject, however long the source is.
const LIKENESS_MAX: f64 = 0.35;
/// The same for a source without words, and for how many words it grows by one: a page whose parts differ a little is one skill, and of a
/// book nobody wants all.
const LIKENESS_MIN: f64 = 0.05;
const WORDS_A_LIKENESS: f64 = 40_000.0;
/// A section with so much of everything is cut further.
const NEARLY_ALL_PERCENT: usize = 80;
/// Longest name of a topic.
const NAME_CHARS_MAX: usize = 120;
/// Longest slug of a topic.
const SLUG_CHARS_MAX: usize = 60;
/// Longest description of a topic.
const ABOUT_CHARS_MAX: usize = 400;
/// So many headings say what a topic covers.
const HEADINGS_NAMED: usize = 5;
/// So many titles name a group, beside the number of the others.
const TITLES_NAMED: usize = 3;

/// A part of a source that is worth a skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Topic {
    /// What it is called, in words that hold for all of it.
    pub name: String,
    /// Its name as that of a file; unique among its siblings.
    pub slug: String,
    /// What it is about.
    pub about: String,
    /// Its words.
    pub words: usize,
    /// Its blocks.
    pub blocks: Range<usize>,
}

/// A part before it is a topic.
#[derive(Debug, Clone)]
struct Part {
    /// The titles of what it was joined from, but for what is too small to count.
    titles: Vec<String>,
    blocks: Range<usize>,
    words: usize,
}

/// The topics of a source, in its order: one that is the whole where it is not to be split.
#[must_use]
pub fn topics(document: &Document, label: &str) -> Vec<Topic> {
    let blocks = &document.blocks;
    let words: Vec<usize> = blocks
        .iter()
        .map(|block| word_count(&block_text(block)))
        .collect();
    let title = naming::title(document, label);
    let parts = split(blocks, &words, &title);
    let mut slugs = HashSet::new();
    parts
        .into_iter()
        .map(|part| {
            let name = clipped(&name_of(&part.titles), NAME_CHARS_MAX);
            let own = blocks.get(part.blocks.clone()).unwrap_or_default();
            Topic {
                slug: unique_slug(&name, &mut slugs),
                about: about(own, &name),
                name,
                words: part.words,
                blocks: part.blocks,
            }
        })
        .collect()
}

/// The blocks that somebody means by a topic: those of the one of `all` [`topics`] with this slug, else of the topic or section that is called
/// so, else of the section whose title, or the topic whose text, shares most of its words. `None` where the source has nothing on it.
#[must_use]
pub fn find(document: &Document, all: &[Topic], name: &str, slug_of: &str) -> Option<Range<usize>> {
    if let Some(topic) = all.iter().find(|topic| topic.slug == slug_of) {
        return Some(topic.blocks.clone());
    }
    let wanted = slug(name, SLUG_CHARS_MAX);
    let is_so = |title: &str| {
        let own = slug(title, SLUG_CHARS_MAX);
        !own.is_empty() && (own == slug_of || own == wanted)
    };
    if let Some(topic) = all.iter().find(|topic| is_so(&topic.name)) {
        return Some(topic.blocks.clone());
    }
    let outline = Outline::of(&document.blocks);
    let called = outline.sections.iter().position(|one| is_so(&one.title));
    if let Some(section) = called {
        return Some(outline.range(section)).filter(|range| !range.is_empty());
    }
    by_words(document, &outline, all, name)
}

/// The section whose title, or else the topic whose text, has more than half of the words of a name.
fn by_words(
    document: &Document,
    outline: &Outline,
    all: &[Topic],
    name: &str,
) -> Option<Range<usize>> {
    let mut vocabulary = Vocabulary::default();
    let wanted: HashSet<Term> = vocabulary.terms(name).into_iter().collect();
    let mut best: Option<(usize, usize, usize)> = None;
    for (number, section) in outline.sections.iter().enumerate() {
        let own: HashSet<Term> = vocabulary.terms(&section.title).into_iter().collect();
        let hits = wanted.intersection(&own).count();
        // Of titles that have as many of them the shortest is the nearest.
        if hits * 2 > wanted.len()
            && best
                .is_none_or(|(most, length, _)| hits > most || (hits == most && own.len() < length))
        {
            best = Some((hits, own.len(), number));
        }
    }
    if let Some((_, _, section)) = best {
        return Some(outline.range(section));
    }
    let mut densest: Option<(usize, Range<usize>)> = None;
    for topic in all {
        let own = document
            .blocks
            .get(topic.blocks.clone())
            .unwrap_or_default();
        let counts = counts(own, &mut vocabulary);
        let present = wanted
            .iter()
            .filter(|term| counts.contains_key(term))
            .count();
        let total: u32 = wanted.iter().filter_map(|term| counts.get(term)).sum();
        let total = usize::try_from(total).unwrap_or(usize::MAX);
        let is_said = present * 2 > wanted.len() && total >= 2;
        if is_said && densest.as_ref().is_none_or(|(most, _)| total > *most) {
            densest = Some((total, topic.blocks.clone()));
        }
    }
    densest.map(|(_, range)| range)
}

/// The parts worth a skill each; one part where the source is not to be split.
fn split(blocks: &[Block], words: &[usize], title: &str) -> Vec<Part> {
    let all: usize = words.iter().sum();
    let whole = || {
        vec![Part {
            titles: vec![title.to_owned()],
            blocks: 0..blocks.len(),
            words: all,
        }]
    };
    let outline = Outline::of(blocks);
    if all < SOURCE_WORDS_MIN || is_log(&outline) {
        return whole();
    }
    let sections = outline.sections.iter().filter(|one| one.level > 0).count();
    let parts = match sections {
        0 | 1 => stretches(blocks, words),
        _ => joined(cut(blocks, words, &outline, title)),
    };
    let is_worth = |part: &Part| part.words >= PART_WORDS_MIN;
    if parts.len() < 2 || !parts.iter().all(is_worth) {
        return whole();
    }
    let vectors = vectors(blocks, parts.iter().map(|part| part.blocks.clone()));
    let length = f64::from(u32::try_from(all).unwrap_or(u32::MAX));
    let most = (LIKENESS_MIN + length / WORDS_A_LIKENESS).min(LIKENESS_MAX);
    if mean_likeness(&vectors) > most {
        return whole();
    }
    grouped(parts, vectors)
}

/// Whether a source tells release by release what changed: that is one subject, read from its newest entry on.
fn is_log(outline: &Outline) -> bool {
    let titles = outline.sections.iter().filter(|one| one.level > 0);
    let versions = titles.clone().filter(|one| is_version(&one.title)).count();
    versions >= 3 && versions * 3 > titles.count()
}

/// The sections of the highest level of which there are several; below one that is nearly everything, its subsections.
fn cut(blocks: &[Block], words: &[usize], outline: &Outline, title: &str) -> Vec<Part> {
    let words_of = |range: &Range<usize>| -> usize {
        words.get(range.clone()).unwrap_or_default().iter().sum()
    };
    let all: usize = words.iter().sum();
    let mut tops: Vec<(usize, bool)> = outline.children(None).map(|one| (one, false)).collect();
    // Each round opens one section, of which there are as many as the outline is deep.
    while let Some(at) = tops.iter().position(|(section, is_open)| {
        let is_nearly_all = words_of(&outline.range(*section)) * 100 >= all * NEARLY_ALL_PERCENT;
        let inner = outline.children(Some(*section)).take(2).count();
        !is_open && (tops.len() == 1 && inner >= 1 || is_nearly_all && inner >= 2)
    }) {
        let Some((section, is_open)) = tops.get_mut(at) else {
            break;
        };
        *is_open = true;
        let inner: Vec<(usize, bool)> = outline
            .children(Some(*section))
            .map(|one| (one, false))
            .collect();
        tops.splice(at + 1..at + 1, inner);
    }
    let mut starts: Vec<(usize, String)> = Vec::new();
    for (section, is_open) in tops {
        let own = outline.sections.get(section);
        // What stands before the first subsection is called by nothing of its own.
        let called = match is_open {
            true => String::new(),
            false => own.map_or_else(String::new, |one| bare_title(&one.title).to_owned()),
        };
        starts.push((outline.range(section).start, called));
    }
    if starts.first().is_none_or(|(start, _)| *start > 0) {
        starts.insert(0, (0, String::new()));
    }
    let ends: Vec<usize> = starts.iter().skip(1).map(|(start, _)| *start).collect();
    let ends = ends.into_iter().chain([blocks.len()]);
    let parts = starts.into_iter().zip(ends).map(|((start, called), end)| {
        let called = match called.is_empty() {
            true => title.to_owned(),
            false => called,
        };
        Part {
            titles: vec![called],
            words: words_of(&(start..end)),
            blocks: start..end,
        }
    });
    parts.filter(|part| !part.blocks.is_empty()).collect()
}

/// Whether a title can be that of a skill of its own.
fn is_subject(title: &str) -> bool {
    title.chars().any(char::is_alphabetic)
        && !is_generic(title)
        && matches!(role_of(title), SectionRole::Plain | SectionRole::Core)
}

/// Joins to its neighbour what is too small, or called by what says nothing alone.
fn joined(parts: Vec<Part>) -> Vec<Part> {
    let mut out: Vec<Part> = Vec::with_capacity(parts.len());
    for part in parts {
        let counts = |part: &Part| {
            part.words >= PART_WORDS_MIN && part.titles.iter().any(|title| is_subject(title))
        };
        match out.last_mut() {
            Some(last) if !counts(&part) || !counts(last) => {
                // What counts gives the name; where neither does, what comes first and is called by something.
                let is_named = last.titles.iter().any(|title| is_subject(title));
                if !counts(last) && (counts(&part) || !is_named) {
                    last.titles = part.titles;
                }
                last.blocks.end = part.blocks.end;
                last.words += part.words;
            }
            _ => out.push(part),
        }
    }
    // The last may still be too small.
    if out.len() > 1
        && out.last().is_some_and(|last| {
            last.words < PART_WORDS_MIN || !last.titles.iter().any(|title| is_subject(title))
        })
        && let (Some(last), Some(before)) = (out.pop(), out.last_mut())
    {
        before.blocks.end = last.blocks.end;
        before.words += last.words;
    }
    out
}

/// Joins the neighbours that are most alike until there are few enough; small ones first. Each round halves what is too much, so that
/// thousands of parts take a few rounds.
fn grouped(mut parts: Vec<Part>, mut vectors: Vec<Vector>) -> Vec<Part> {
    while parts.len() > TOPICS_MAX {
        let mut pairs: Vec<(f64, usize)> = Vec::with_capacity(parts.len());
        for (at, (pair, vectors)) in parts.windows(2).zip(vectors.windows(2)).enumerate() {
            if let ([one, other], [own, next]) = (pair, vectors) {
                let words = u32::try_from(one.words + other.words).unwrap_or(u32::MAX);
                pairs.push((cosine(own, next) / f64::from(words).sqrt().max(1.0), at));
            }
        }
        pairs.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        let mut too_many = parts.len() - TOPICS_MAX;
        let mut is_taken = vec![false; parts.len() + 1];
        let mut joins = vec![false; parts.len()];
        for (_, at) in pairs {
            let is_free = is_taken
                .get(at..at + 2)
                .is_some_and(|pair| pair.iter().all(|taken| !taken));
            if too_many > 0 && is_free {
                is_taken
                    .iter_mut()
                    .skip(at)
                    .take(2)
                    .for_each(|one| *one = true);
                if let Some(joins) = joins.get_mut(at) {
                    *joins = true;
                }
                too_many -= 1;
            }
        }
        let (mut next, mut of_next): (Vec<Part>, Vec<Vector>) = (Vec::new(), Vec::new());
        let mut joins_last = false;
        for ((part, vector), joins) in parts.into_iter().zip(vectors).zip(joins) {
            match (next.last_mut(), of_next.last_mut()) {
                (Some(last), Some(own)) if joins_last => {
                    last.titles.extend(part.titles);
                    last.blocks.end = part.blocks.end;
                    last.words += part.words;
                    *own = unit(sum([std::mem::take(own), vector]));
                }
                _ => {
                    next.push(part);
                    of_next.push(vector);
                }
            }
            joins_last = joins;
        }
        (parts, vectors) = (next, of_next);
    }
    parts
}

/// A name that holds for all titles: what they share in front, said once, and what tells them apart.
fn name_of(titles: &[String]) -> String {
    let [first, rest @ ..] = titles else {
        return "Source".to_owned();
    };
    if rest.is_empty() {
        return match first.chars().any(char::is_alphanumeric) {
            true => squash(first),
            false => "Source".to_owned(),
        };
    }
    let split: Vec<Vec<&str>> = titles
        .iter()
        .map(|title| title.split_whitespace().collect())
        .collect();
    let shortest = split.iter().map(Vec::len).min().unwrap_or_default();
    let shared = (0..shortest.saturating_sub(1))
        .take_while(|at| {
            let word = split.first().and_then(|words| words.get(*at));
            split.iter().all(|words| words.get(*at) == word)
        })
        .count();
    let front = split
        .first()
        .and_then(|words| words.get(..shared))
        .unwrap_or_default()
        .join(" ");
    let own: Vec<String> = split
        .iter()
        .map(|words| words.get(shared..).unwrap_or_default().join(" "))
        .collect();
    let list = match own.as_slice() {
        [one, other] => format!("{one} and {other}"),
        [all @ .., last] if own.len() <= TITLES_NAMED => format!("{} and {last}", all.join(", ")),
        all => {
            let named = all.get(..TITLES_NAMED).unwrap_or_default().join(", ");
            format!("{named} and {} more", all.len() - TITLES_NAMED)
        }
    };
    squash(&format!("{front} {list}"))
}

/// What a topic is about: its first telling sentence, and what else its headings name.
fn about(blocks: &[Block], name: &str) -> String {
    let texts = blocks.iter().filter_map(|block| match &block.kind {
        BlockKind::Paragraph(text) => Some(squash(&plain(text))),
        _ => None,
    });
    let first = texts.take(3).find_map(|text| {
        let sentence = text.get(sentences(&text).into_iter().next()?)?;
        let is_telling = (30..=240).contains(&sentence.chars().count()) && !announces(sentence);
        is_telling.then(|| sentence.to_owned())
    });
    let headings = blocks.iter().filter_map(|block| match &block.kind {
        BlockKind::Heading { text, .. } => Some(bare_title(&squash(&plain(text))).to_owned()),
        _ => None,
    });
    let headings: Vec<String> = headings
        .filter(|heading| !heading.is_empty() && heading != name)
        .take(HEADINGS_NAMED)
        .collect();
    let listed = match headings.is_empty() {
        true => String::new(),
        false => format!("{}.", headings.join(", ").trim_end_matches('.')),
    };
    let told = match first {
        Some(first) => format!("{first} {listed}"),
        None if listed.is_empty() => format!("{name}."),
        None => listed,
    };
    clipped(&squash(&told), ABOUT_CHARS_MAX)
}

/// A text of at most so many characters, cut between words.
fn clipped(text: &str, chars_max: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(chars_max) else {
        return text.to_owned();
    };
    let cut = text.get(..end).unwrap_or_default();
    let cut = cut.rsplit_once(' ').map_or(cut, |(head, _)| head);
    cut.trim_end_matches([',', ';', ':', ' ']).to_owned()
}

fn unique_slug(name: &str, taken: &mut HashSet<String>) -> String {
    let base = match slug(name, SLUG_CHARS_MAX) {
        empty if empty.is_empty() => "topic".to_owned(),
        base => base,
    };
    let own = naming::free(base, |name| taken.contains(name));
    taken.insert(own.clone());
    own
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::testing::document;

    const BREAD: [&str; 7] = [
        "dough", "oven", "flour", "starter", "crust", "yeast", "crumb",
    ];
    const BIKES: [&str; 7] = [
        "wheel", "spoke", "gear", "chain", "brake", "saddle", "frame",
    ];
    const BOATS: [&str; 7] = ["anchor", "mast", "rudder", "sail", "hull", "keel", "deck"];

    /// Sentences of a kiln in the words of a subject.
    fn said(nouns: &[&str], count: usize) -> String {
        let sentence = |n: usize| {
            let pick = |k: usize| nouns[(n * 5 + k * 3) % nouns.len()];
            let (one, other, last) = (pick(0), pick(1), pick(2));
            format!("In this handbook the {one} needs a {other} before each {last}.")
        };
        (0..count).map(sentence).collect::<Vec<_>>().join(" ")
    }

    fn handbook(parts: &[(&str, &[&str])], count: usize) -> String {
        let part =
            |(title, nouns): &(&str, &[&str])| format!("## {title}\n\n{}", said(nouns, count));
        let parts: Vec<String> = parts.iter().map(part).collect();
        format!("# Handbook\n\nA short lead.\n\n{}", parts.join("\n\n"))
    }

    fn names(text: &str) -> Vec<String> {
        let topics = topics(&document(text), "handbook.md");
        topics.into_iter().map(|topic| topic.name).collect()
    }

    const THREE: [(&str, &[&str]); 3] = [
        ("Baking bread", &BREAD),
        ("Mending bicycles", &BIKES),
        ("Sailing boats", &BOATS),
    ];

    #[test]
    fn parts_that_differ_are_topics_however_long_they_are() {
        let expected = ["Baking bread", "Mending bicycles", "Sailing boats"];
        for count in [40, 160, 640] {
            assert_eq!(names(&handbook(&THREE, count)), expected, "{count}");
        }
    }

    #[test]
    fn a_short_source_and_one_of_a_single_subject_are_one_topic() {
        assert_eq!(names(&handbook(&THREE, 4)), ["Handbook"]);
        let same = [("One", &BREAD[..]), ("Two", &BREAD), ("Three", &BREAD)];
        for count in [40, 640] {
            assert_eq!(names(&handbook(&same, count)), ["Handbook"]);
        }
    }

    #[test]
    fn what_says_nothing_alone_belongs_to_its_neighbour() {
        let parts = [
            ("Baking bread", &BREAD[..]),
            ("Reference", &BREAD),
            ("Sailing boats", &BOATS),
            ("Quick start", &BOATS),
        ];
        assert_eq!(
            names(&handbook(&parts, 40)),
            ["Baking bread", "Sailing boats"]
        );
    }

    #[test]
    fn a_log_of_releases_is_one_topic() {
        let parts = [
            ("Version 2.3.0", &BREAD[..]),
            ("Version 2.2.0", &BIKES),
            ("Version 2.1.0", &BOATS),
        ];
        assert_eq!(names(&handbook(&parts, 40)), ["Handbook"]);
    }

    #[test]
    fn a_text_without_headings_is_cut_where_its_words_change() {
        let paragraphs = |nouns: &[&str]| vec![said(nouns, 8); 5].join("\n\n");
        let text = [&BREAD[..], &BIKES, &BOATS].map(paragraphs).join("\n\n");
        let all = topics(&document(&text), "text");
        assert_eq!(all.len(), 3, "{all:?}");
        assert_eq!(
            all.iter().map(|one| one.blocks.clone()).collect::<Vec<_>>(),
            [0..5, 5..10, 10..15]
        );
        let is_own = |topic: &Topic, nouns: &[&str]| {
            nouns
                .iter()
                .any(|noun| topic.name.to_lowercase().contains(noun))
        };
        assert!(
            is_own(&all[0], &BREAD) && is_own(&all[1], &BIKES),
            "{all:?}"
        );
    }

    #[test]
    fn a_topic_is_found_by_slug_name_or_words_and_never_made_up() {
        let document = document(&handbook(&THREE, 40));
        let all = topics(&document, "handbook.md");
        let found = |name: &str, slug: &str| {
            find(&document, &all, name, slug)
                .map(|range| block_text(&document.blocks[range.end - 1]).contains("spoke"))
        };
        for (name, slug) in [
            ("x", "mending-bicycles"),
            ("Mending bicycles", "x"),
            ("mend the bicycles", "x"),
            ("spoke and saddle", "x"),
        ] {
            assert_eq!(found(name, slug), Some(true), "{name}");
        }
        assert_eq!(found("quantum chromodynamics", "x"), None);
    }

    #[test]
    fn many_pages_are_grouped_under_names_that_hold_for_all_of_them() {
        let pages: Vec<String> = (0..60)
            .map(|page| {
                let nouns: Vec<String> = (0..7).map(|n| format!("noun{page}x{n}")).collect();
                let nouns: Vec<&str> = nouns.iter().map(String::as_str).collect();
                format!("# Using Kite with Cloud{page}\n\n{}", said(&nouns, 30))
            })
            .collect();
        let all = topics(&document(&pages.join("\n\n")), "docs.zip");
        assert_eq!(all.len(), TOPICS_MAX);
        assert!(all[0].name.starts_with("Using Kite with Cloud0"));
        let slugs: HashSet<&String> = all.iter().map(|topic| &topic.slug).collect();
        assert_eq!(slugs.len(), all.len());
        let listed = [
            "Using Kite with Azure",
            "Using Kite with Docker",
            "Using Kite with Nix",
        ];
        assert_eq!(
            name_of(&listed.map(str::to_owned)),
            "Using Kite with Azure, Docker and Nix"
        );
    }

    #[test]
    fn thousands_of_headings_become_at_most_twenty_topics() {
        let text: Vec<String> = (0..3000)
            .map(|n| format!("## Part {n}\n\nword{n} other{n} third{n} fourth{n} fifth{n}."))
            .collect();
        assert!((1..=TOPICS_MAX).contains(&names(&text.join("\n\n")).len()));
    }
}
