//! Owns the topics of a source: which parts of it are worth a skill of their own, and which part a selected topic means.

use super::changes::Log;
use super::clean::prepare;
use super::describe::{clip, one_line, sample};
use super::heading_words::for_description;
use super::lead_ins::{self, LeadIns};
use super::outline::{Outline, Part, block_text, is_generic, is_peripheral};
use super::segments::segments;
use super::sentences::sentences;
use super::series::{tells_versions, without_series};
use super::words::Lexicon;
use crate::domain::topic::{TOPICS_MAX, Topic, Topics};
use serde_json::Map;
use skillkiln_document::blocks::{Block, BlockKind, Document};
use skillkiln_document::failure::{Failure, Reason};
use skillkiln_document::text::{slug, squash};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// A shorter source is never split.
const SOURCE_WORDS_MIN: usize = 900;
/// A topic with fewer words is not worth a skill; it is joined to its neighbour.
const TOPIC_WORDS_MIN: usize = 220;
/// Topics whose vocabularies are more alike than this are one subject.
const LIKENESS_MAX: f32 = 0.62;
/// How many of a topic's most frequent terms are compared.
const TERMS_COMPARED: usize = 60;
const SLUG_CHARS_MAX: usize = 60;
/// So many of its headings say what a topic covers.
const HEADINGS_NAMED: usize = 5;

/// Looks for topics (decision 22). A source that is not to be split is one topic.
#[must_use]
pub fn detect(document: &Document) -> Topics {
    let document = prepare(document);
    let outline = Outline::of(&document.blocks);
    let title = super::title::title(
        document.title.as_deref(),
        document.about.site.as_deref(),
        &document.blocks,
        "text",
    );
    let word_count = outline.words();
    let own = lead_ins::for_text(&sample(&[&document.blocks]));
    let parts = split(&document.blocks, &outline, &title);
    let mut slugs = HashSet::new();
    let topics: Vec<Topic> = parts
        .iter()
        .map(|part| {
            let blocks = document.blocks.get(part.blocks.clone()).unwrap_or_default();
            let name = called(part);
            Topic {
                name: clip(name, 120),
                slug: unique_slug(name, &mut slugs),
                description: describe(blocks, name, own, &outline),
                estimated_word_count: u64::try_from(part.words).unwrap_or(u64::MAX),
                extra: Map::new(),
            }
        })
        .collect();
    Topics {
        should_catalogue: topics.len() >= 2,
        word_count,
        topics,
    }
}

/// What a topic is called, the same wherever it is asked for: what stands before the first heading has no name of its own.
fn called(part: &Part) -> &str {
    match part.name.as_str() {
        "" => "Source",
        name => name,
    }
}

/// The blocks of `document` that a selected topic means: those of the detected topic with its slug; else of the section or
/// topic that is called so; else of the one whose words it shares.
///
/// # Errors
/// [`Reason::Missing`] when the source has nothing on the topic.
pub fn part_of<'a>(document: &'a Document, topic: &Topic) -> Result<&'a [Block], Failure> {
    let outline = Outline::of(&document.blocks);
    let title = super::title::title(
        document.title.as_deref(),
        document.about.site.as_deref(),
        &document.blocks,
        "text",
    );
    let parts = split(&document.blocks, &outline, &title);
    let mut slugs = HashSet::new();
    let detected: Vec<(String, &Part)> = parts
        .iter()
        .map(|part| (unique_slug(called(part), &mut slugs), part))
        .collect();
    find(&outline, &detected, &document.blocks, topic)
        .and_then(|range| document.blocks.get(range))
        .filter(|blocks| !blocks.is_empty())
        .ok_or_else(|| {
            Failure::new(
                Reason::Missing,
                format!(
                    "the source has nothing on the topic {:?}; select topics that detect-topics returned for this source",
                    clip(&squash(&topic.name), 80)
                ),
            )
        })
}

fn find(
    outline: &Outline,
    detected: &[(String, &Part)],
    blocks: &[Block],
    topic: &Topic,
) -> Option<Range<usize>> {
    if let Some((_, part)) = detected.iter().find(|(slug, _)| *slug == topic.slug) {
        return Some(part.blocks.clone());
    }
    let same = |name: &str| {
        let name = slug(name, SLUG_CHARS_MAX);
        !name.is_empty() && (name == topic.slug || name == slug(&topic.name, SLUG_CHARS_MAX))
    };
    if let Some((_, part)) = detected.iter().find(|(_, part)| same(&part.name)) {
        return Some(part.blocks.clone());
    }
    if let Some(section) = outline.sections.iter().find(|section| same(&section.title)) {
        return Some(section.own.start..section.end);
    }
    by_words(outline, detected, blocks, topic)
}

/// The part that shares most of the words by which a topic is called: in a heading, or else often in the text.
fn by_words(
    outline: &Outline,
    detected: &[(String, &Part)],
    blocks: &[Block],
    topic: &Topic,
) -> Option<Range<usize>> {
    let texts: Vec<String> = detected
        .iter()
        .map(|(_, part)| text_of(blocks.get(part.blocks.clone()).unwrap_or_default()))
        .collect();
    let mut lexicon = Lexicon::of(texts.first().map_or("", String::as_str));
    let mut wanted = lexicon.terms(&topic.name);
    wanted.sort_unstable();
    wanted.dedup();
    if wanted.is_empty() {
        return None;
    }
    let shared = |terms: &[u32]| wanted.iter().filter(|term| terms.contains(term)).count();
    let mut best: Option<(usize, usize, Range<usize>)> = None;
    for section in outline.sections.iter().filter(|section| section.level > 0) {
        let terms = lexicon.terms(&section.title);
        let hits = shared(&terms);
        // More than half of the topic's words must be there, and the shortest such heading is the nearest.
        if hits * 2 > wanted.len()
            && best.as_ref().is_none_or(|(most, length, _)| {
                hits > *most || (hits == *most && terms.len() < *length)
            })
        {
            best = Some((hits, terms.len(), section.own.start..section.end));
        }
    }
    if let Some((_, _, range)) = best {
        return Some(range);
    }
    let mut densest: Option<(usize, Range<usize>)> = None;
    for ((_, part), text) in detected.iter().zip(&texts) {
        let mut counts: HashMap<u32, usize> = HashMap::new();
        for term in lexicon.terms(text) {
            *counts.entry(term).or_insert(0) += 1;
        }
        let present = wanted
            .iter()
            .filter(|term| counts.contains_key(term))
            .count();
        let total: usize = wanted.iter().filter_map(|term| counts.get(term)).sum();
        if present * 2 > wanted.len()
            && total >= 2
            && densest.as_ref().is_none_or(|(most, _)| total > *most)
        {
            densest = Some((total, part.blocks.clone()));
        }
    }
    densest.map(|(_, range)| range)
}

/// The parts worth a skill each, in source order; one part when the source is not to be split.
fn split(blocks: &[Block], outline: &Outline, title: &str) -> Vec<Part> {
    let words = outline.words();
    let whole = || {
        vec![Part {
            name: title.to_owned(),
            is_lead: false,
            blocks: 0..blocks.len(),
            words,
        }]
    };
    // What changed, release by release, is one subject, and read from its newest entry on.
    if words < SOURCE_WORDS_MIN || tells_versions(outline) {
        return whole();
    }
    let has_headings = outline.sections.iter().filter(|s| s.level > 0).count() >= 2;
    let parts = if has_headings {
        joined(outline.parts())
    } else {
        segments(blocks, TOPICS_MAX)
    };
    let worth = parts
        .iter()
        .filter(|part| part.words >= TOPIC_WORDS_MIN)
        .count();
    if worth < 2 || worth < parts.len() || alike(blocks, &parts) {
        return whole();
    }
    parts
}

/// Joins what is too small to its neighbour, and neighbours until there are few enough.
fn joined(parts: Vec<Part>) -> Vec<Part> {
    let mut out: Vec<Part> = Vec::with_capacity(parts.len());
    let mut waiting: Option<Part> = None;
    for part in parts {
        let part = match waiting.take() {
            Some(before) => Part {
                blocks: before.blocks.start..part.blocks.end,
                words: before.words + part.words,
                ..part
            },
            None => part,
        };
        let is_frame = is_generic(&part.name) || is_peripheral(&part.name);
        if (part.is_lead || is_frame && out.is_empty()) && part.words < TOPIC_WORDS_MIN * 2 {
            waiting = Some(part);
            continue;
        }
        match out.last_mut() {
            Some(last) if part.words < TOPIC_WORDS_MIN || is_frame => {
                last.blocks.end = part.blocks.end;
                last.words += part.words;
            }
            Some(last) if last.words < TOPIC_WORDS_MIN => {
                *last = Part {
                    blocks: last.blocks.start..part.blocks.end,
                    words: last.words + part.words,
                    ..part
                };
            }
            _ => out.push(part),
        }
    }
    if let Some(rest) = waiting {
        match out.last_mut() {
            Some(last) => {
                last.blocks.end = rest.blocks.end;
                last.words += rest.words;
            }
            None => out.push(rest),
        }
    }
    join_down_to(out, TOPICS_MAX)
}

/// Joins neighbours, the smallest pairs first, until at most `most` parts are left; the larger of two gives the name.
fn join_down_to(mut parts: Vec<Part>, most: usize) -> Vec<Part> {
    // Halving by passes keeps the work linear however many headings a source has.
    while parts.len() > most {
        let mut pairs: Vec<(usize, usize)> = parts
            .windows(2)
            .enumerate()
            .map(|(number, pair)| (pair.iter().map(|part| part.words).sum(), number))
            .collect();
        pairs.sort_unstable();
        let mut to_join = parts.len() - most;
        let mut joined_after = vec![false; parts.len()];
        let mut taken = vec![false; parts.len() + 1];
        for (_, number) in pairs {
            if to_join == 0 {
                break;
            }
            let free = taken
                .get(number..number + 2)
                .is_some_and(|pair| pair.iter().all(|t| !t));
            if free {
                for flag in taken.iter_mut().skip(number).take(2) {
                    *flag = true;
                }
                if let Some(flag) = joined_after.get_mut(number) {
                    *flag = true;
                }
                to_join -= 1;
            }
        }
        let mut out: Vec<Part> = Vec::with_capacity(parts.len());
        let mut join = false;
        for (part, joins_next) in parts.into_iter().zip(joined_after) {
            match out.last_mut() {
                Some(last) if join => {
                    if part.words > last.words {
                        last.name.clone_from(&part.name);
                    }
                    last.blocks.end = part.blocks.end;
                    last.words += part.words;
                }
                _ => out.push(part),
            }
            join = joins_next;
        }
        parts = out;
    }
    parts
}

/// Whether parts speak of one subject: their most frequent terms are mostly the same.
fn alike(blocks: &[Block], parts: &[Part]) -> bool {
    let texts: Vec<String> = parts
        .iter()
        .map(|part| text_of(blocks.get(part.blocks.clone()).unwrap_or_default()))
        .collect();
    let mut lexicon = Lexicon::of(texts.first().map_or("", String::as_str));
    let profiles: Vec<HashMap<u32, f32>> = texts
        .iter()
        .map(|text| {
            let mut counts: HashMap<u32, u32> = HashMap::new();
            for term in lexicon.terms(text) {
                *counts.entry(term).or_insert(0) += 1;
            }
            let mut counts: Vec<(u32, u32)> = counts.into_iter().collect();
            counts.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
            counts
                .into_iter()
                .take(TERMS_COMPARED)
                .map(|(term, count)| {
                    #[expect(clippy::cast_precision_loss, reason = "a weight, not a count")]
                    let weight = 1.0 + (count as f32).ln();
                    (term, weight)
                })
                .collect()
        })
        .collect();
    let mut total = 0.0;
    let mut pairs = 0.0;
    for (number, one) in profiles.iter().enumerate() {
        for other in profiles.iter().skip(number + 1) {
            total += cosine(one, other);
            pairs += 1.0;
        }
    }
    pairs > 0.0 && total / pairs > LIKENESS_MAX
}

fn cosine(one: &HashMap<u32, f32>, other: &HashMap<u32, f32>) -> f32 {
    let norm = |weights: &HashMap<u32, f32>| {
        let mut squares: Vec<f32> = weights.values().map(|w| w * w).collect();
        squares.sort_by(f32::total_cmp);
        squares.iter().sum::<f32>().sqrt()
    };
    let mut products: Vec<f32> = one
        .iter()
        .filter_map(|(term, weight)| other.get(term).map(|w| w * weight))
        .collect();
    // Sorted, so that the order in which a map is walked never changes the sum.
    products.sort_by(f32::total_cmp);
    let norms = norm(one) * norm(other);
    if norms > 0.0 {
        products.iter().sum::<f32>() / norms
    } else {
        0.0
    }
}

fn text_of(blocks: &[Block]) -> String {
    let mut text = String::new();
    for block in blocks {
        super::outline::write_block(block, &mut text);
    }
    text
}

fn unique_slug(name: &str, taken: &mut HashSet<String>) -> String {
    let base = match slug(name, SLUG_CHARS_MAX) {
        empty if empty.is_empty() => "topic".to_owned(),
        base => base,
    };
    let mut candidate = base.clone();
    let mut number = 2;
    while !taken.insert(candidate.clone()) {
        candidate = format!("{base}-{number}");
        number += 1;
    }
    candidate
}

/// What a topic is about: its first telling sentence, and what else its headings name.
fn describe(blocks: &[Block], name: &str, own: &LeadIns, outline: &Outline) -> String {
    let log = Log::of(&for_description(name), blocks, outline).filter(|_| own.is_english());
    let first = blocks
        .iter()
        .filter(|block| matches!(block.kind, BlockKind::Paragraph(_)))
        .take(3)
        .find_map(|block| {
            let text = squash(&block_text(block));
            sentences(&text)
                .into_iter()
                .take(1)
                .filter_map(|range| text.get(range))
                .find(|sentence| {
                    (30..=240).contains(&sentence.chars().count()) && !sentence.ends_with(':')
                })
                .map(str::to_owned)
        });
    // What opens a log is said of its newest entry.
    let first = first.filter(|_| log.is_none());
    let headings: Vec<String> = blocks
        .iter()
        .filter_map(|block| match &block.kind {
            BlockKind::Heading { text, .. } => {
                Some(for_description(&skillkiln_document::text::plain(text)))
            }
            _ => None,
        })
        .filter(|heading| !heading.is_empty() && *heading != for_description(name))
        .collect();
    let mut headings = match log {
        Some(_) => without_series(headings),
        None => headings,
    };
    headings.truncate(HEADINGS_NAMED);
    if let Some(log) = log {
        headings.insert(0, log.subject());
    }
    let mut out = first.unwrap_or_default();
    if !headings.is_empty() {
        out = format!("{out} {}", own.covers(&headings.join(own.comma())));
    }
    if out.trim().is_empty() {
        out = own.covers(&for_description(name));
    }
    one_line(&clip(&squash(&out), 400))
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    fn section(title: &str, nouns: &[&str]) -> String {
        let body: String = (0..40)
            .map(|n| {
                let pick = |k: usize| nouns[(n * 5 + k * 3) % nouns.len()];
                format!(
                    "The {} needs a {} before each {}. ",
                    pick(0),
                    pick(1),
                    pick(2)
                )
            })
            .collect();
        format!("## {title}\n\n{}\n\n", body.trim())
    }

    fn two_subjects() -> String {
        format!(
            "# Handbook\n\nA short lead.\n\n{}{}",
            section(
                "Baking bread",
                &[
                    "dough", "oven", "flour", "starter", "crust", "yeast", "crumb"
                ]
            ) + &section(
                "More bread",
                &["sponge", "loaf", "tin", "knife", "butter", "bench", "towel"]
            ),
            section(
                "Mending bicycles",
                &[
                    "wheel", "spoke", "gear", "chain", "brake", "saddle", "frame"
                ]
            ) + &section(
                "Riding bicycles",
                &["road", "helmet", "lamp", "bell", "lane", "hill", "puddle"]
            )
        )
    }

    #[test]
    fn a_log_of_releases_is_never_split() {
        let release = |number: u8, word: &str| {
            let item = format!("- The {word} of the kiln was mended, and its {word}s with it.\n");
            format!(
                "## Version 2.{number}.0 (2 May 2012)\n\n{}\n",
                item.repeat(40)
            )
        };
        let source: String = ["door", "wood", "glaze", "oven", "roof"]
            .into_iter()
            .zip(1..)
            .map(|(word, number)| release(number, word))
            .collect();
        let document = skillkiln_readers::markup::markdown::read(source.clone());
        assert!(!detect(&document).should_catalogue);
        let named = source
            .replace("Version 2.", "Kilns, part ")
            .replace(".0 (2 May 2012)", "");
        let document = skillkiln_readers::markup::markdown::read(named);
        assert!(detect(&document).should_catalogue);
    }

    #[test]
    fn a_source_of_several_subjects_is_split_and_each_part_found_again() {
        let document = testing::document(&two_subjects());
        let topics = detect(&document);
        assert!(topics.should_catalogue);
        let names: Vec<&str> = topics.topics.iter().map(|t| t.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "Baking bread",
                "More bread",
                "Mending bicycles",
                "Riding bicycles"
            ]
        );
        let blocks = part_of(&document, &topics.topics[2]).unwrap();
        assert!(block_text(&blocks[1]).contains("spoke"));
        assert!(
            !blocks
                .iter()
                .any(|block| block_text(block).contains("flour"))
        );
    }

    #[test]
    fn a_short_source_is_one_topic() {
        let topics = detect(&testing::document("# One\n\nText.\n\n# Two\n\nMore text."));
        assert!(!topics.should_catalogue);
        assert_eq!(topics.topics.len(), 1);
    }

    #[test]
    fn a_single_minded_source_is_one_topic() {
        let nouns = [
            "dough", "oven", "flour", "starter", "crust", "yeast", "crumb",
        ];
        let text: String = ["One", "Two", "Three", "Four"]
            .iter()
            .map(|title| section(title, &nouns))
            .collect();
        let topics = detect(&testing::document(&format!("# Bread\n\n{text}")));
        assert!(!topics.should_catalogue, "{topics:?}");
        assert_eq!(topics.topics[0].name, "Bread");
    }

    #[test]
    fn each_topic_that_was_detected_is_made_of_its_own_part() {
        let lead = section(
            "",
            &["anchor", "mast", "rudder", "sail", "hull", "keel", "deck"],
        );
        let lead = lead.replace("## \n\n", "").replace("##", "");
        let bread = [
            "dough", "oven", "flour", "starter", "crust", "yeast", "crumb",
        ];
        let gardens = ["spade", "seed", "soil", "worm", "rake", "hose", "weed"];
        for heading in ["Topic", "Source", "Baking"] {
            let text = format!(
                "{lead}\n\n{lead}\n\n{}{}",
                section(heading, &bread),
                section("Gardens", &gardens)
            );
            let document = testing::document(&text);
            let topics = detect(&document).topics;
            let told: Vec<String> = topics
                .iter()
                .map(|topic| text_of(part_of(&document, topic).unwrap()))
                .collect();
            assert_eq!(told.len(), 3, "{topics:?}");
            for (told, word) in told.iter().zip(["anchor", "dough", "spade"]) {
                assert!(told.contains(word), "{heading}: {word}");
            }
        }
    }

    #[test]
    fn a_topic_is_found_by_name_or_words_and_never_made_up() {
        let document = testing::document(&two_subjects());
        let topic = |name: &str| Topic {
            name: name.into(),
            slug: "another".into(),
            description: String::new(),
            estimated_word_count: 0,
            extra: Map::new(),
        };
        let text = |name: &str| text_of(part_of(&document, &topic(name)).unwrap());
        assert!(text("Mending bicycles").contains("spoke"));
        assert!(text("mend a bicycle").contains("spoke"));
        assert!(text("flour and yeast").contains("crumb"));
        let failure = part_of(&document, &topic("quantum chromodynamics")).unwrap_err();
        assert_eq!(failure.reason, Reason::Missing);
    }

    #[test]
    fn headings_that_repeat_have_slugs_of_their_own() {
        let text = two_subjects().replace("More bread", "Baking bread");
        let topics = detect(&testing::document(&text));
        let slugs: Vec<&str> = topics.topics.iter().map(|t| t.slug.as_str()).collect();
        assert_eq!(slugs[..2], ["baking-bread", "baking-bread-2"]);
    }

    #[test]
    fn thousands_of_headings_become_at_most_twenty_topics() {
        let text: String = (0..3000)
            .map(|n| format!("## Part {n}\n\nword{n} other{n} third{n} fourth{n} fifth{n}.\n\n"))
            .collect();
        let topics = detect(&testing::document(&text));
        assert!((1..=TOPICS_MAX).contains(&topics.topics.len()));
    }
}
