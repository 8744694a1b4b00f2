//! Owns where a source without headings turns to something else: the places where its vocabulary changes (TextTiling).

use super::outline::{Part, write_block};
use super::phrases::key_phrases_in;
use super::speakers;
use super::words::{Lexicon, language};
use skillkiln_document::blocks::Block;
use skillkiln_document::quick::QuickSet;
use skillkiln_document::text::word_count;
use std::collections::HashMap;
use std::ops::Range;

/// Words compared on either side of a gap.
const WINDOW_WORDS: usize = 160;
/// No segment is shorter.
const SEGMENT_WORDS_MIN: usize = 260;

/// So many key phrases of each part are compared with those of the others.
const PHRASES_COMPARED: usize = 8;

struct Piece {
    terms: Vec<u32>,
    words: usize,
}

/// Cuts `blocks` where the vocabulary changes, into at most `parts_max` parts, each named by its key phrases.
pub(super) fn segments(blocks: &[Block], parts_max: usize) -> Vec<Part> {
    let counted = Counted::of(blocks);
    let borders = borders(&counted.pieces, parts_max);
    let ranges = between(&borders, blocks.len());
    let phrases = counted.phrases(blocks, &ranges);
    let names = names(&phrases);
    let parts = ranges.into_iter().zip(names);
    parts
        .map(|(range, name)| Part {
            name,
            is_lead: false,
            words: counted.words(range.clone()),
            blocks: range,
        })
        .collect()
}

/// A part of a talk: its blocks, and what it may be called, the most telling first.
pub(super) struct Stretch {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) names: Vec<String>,
}

/// Cuts what somebody says into parts of so many words, each where the vocabulary changes most and where it is `worth` most to part two
/// blocks.
pub(super) fn stretches(
    blocks: &[Block],
    words: Range<usize>,
    worth: impl Fn(&Block, &Block) -> f32,
) -> Vec<Stretch> {
    let counted = Counted::of(blocks);
    let depths = depths(&likeness(&counted.pieces));
    let quality = |at: usize| {
        let parted = blocks.get(at - 1).zip(blocks.get(at));
        let worth = parted.map_or(0.0, |(before, block)| worth(before, block));
        depths.get(at - 1).copied().unwrap_or_default() + worth
    };
    let mut borders = Vec::new();
    let (mut said, mut best) = (0, None::<(f32, usize)>);
    let mut left = counted.words(0..blocks.len());
    let (mut start, mut at) = (0, 0);
    while at < blocks.len() {
        // A part begins with `start`; the next one with a block before which enough was said.
        if at > start && said >= words.start && left >= words.start {
            let quality = quality(at);
            if best.is_none_or(|(most, _)| quality > most) {
                best = Some((quality, at));
            }
        }
        let own = counted.words(at..at + 1);
        if let Some((_, border)) = best.filter(|_| said + own > words.end) {
            borders.push(border);
            left += counted.words(border..at);
            (start, at, said, best) = (border, border, 0, None);
            continue;
        }
        said += own;
        left -= own;
        at += 1;
    }
    let ranges = between(&borders, blocks.len());
    let phrases = counted.phrases(blocks, &ranges);
    let parts = ranges.into_iter().zip(telling(&phrases));
    parts
        .map(|(range, names)| Stretch {
            start: range.start,
            end: range.end,
            names: names.into_iter().cloned().collect(),
        })
        .collect()
}

/// The text of some blocks, and the terms of each.
struct Counted {
    text: String,
    texts: Vec<Range<usize>>,
    pieces: Vec<Piece>,
}

impl Counted {
    fn of(blocks: &[Block]) -> Self {
        let mut text = String::new();
        let texts: Vec<Range<usize>> = blocks
            .iter()
            .map(|block| {
                let start = text.len();
                write_block(block, &mut text);
                start..text.len()
            })
            .collect();
        let mut lexicon = Lexicon::of(&text);
        let pieces = texts
            .iter()
            .map(|range| {
                let text = text.get(range.clone()).unwrap_or("");
                Piece {
                    terms: lexicon.terms(text),
                    words: word_count(text),
                }
            })
            .collect();
        Self {
            text,
            texts,
            pieces,
        }
    }

    fn words(&self, blocks: Range<usize>) -> usize {
        let pieces = self.pieces.get(blocks).unwrap_or_default();
        pieces.iter().map(|piece| piece.words).sum()
    }

    /// The phrases that each of these ranges of blocks comes back to.
    fn phrases(&self, blocks: &[Block], ranges: &[Range<usize>]) -> Vec<Vec<String>> {
        let at = |block: usize| {
            let range = self.texts.get(block);
            range.map_or(self.text.len(), |range| range.start)
        };
        let speakers = speakers::of(&[blocks], &self.text, false);
        let own = ranges
            .iter()
            .map(|range| self.text.get(at(range.start)..at(range.end)));
        own.map(|own| phrases(own.unwrap_or_default(), &speakers))
            .collect()
    }
}

/// The ranges between borders.
fn between(borders: &[usize], end: usize) -> Vec<Range<usize>> {
    let starts = std::iter::once(0).chain(borders.iter().copied());
    let ends = borders.iter().copied().chain([end]);
    starts.zip(ends).map(|(start, end)| start..end).collect()
}

/// The phrases that a segment comes back to, who speaks in it apart.
fn phrases(text: &str, speakers: &QuickSet<String>) -> Vec<String> {
    let is_speaker = |phrase: &str| {
        let mut words = phrase.split_whitespace();
        words.any(|word| speakers.contains(&word.to_lowercase()))
    };
    key_phrases_in(text, language(text), PHRASES_COMPARED, |phrase| {
        !is_speaker(phrase)
    })
}

/// What parts are called: the first key phrases of each that few others have, those of several words before others.
fn names(phrases: &[Vec<String>]) -> Vec<String> {
    let joined = |chosen: Vec<&String>| {
        let chosen: Vec<&str> = chosen.into_iter().take(2).map(String::as_str).collect();
        chosen.join(", ")
    };
    telling(phrases).into_iter().map(joined).collect()
}

/// The key phrases of each part that few others have, those of several words before others; all of them where there are none.
fn telling(phrases: &[Vec<String>]) -> Vec<Vec<&String>> {
    let mut times: HashMap<&str, usize> = HashMap::new();
    for phrase in phrases.iter().flatten() {
        *times.entry(phrase).or_default() += 1;
    }
    let many = phrases.len() / 3 + 1;
    let of_part = |own| {
        let own: &Vec<String> = own;
        let tells = |phrase: &&String| times.get(phrase.as_str()).is_none_or(|own| *own <= many);
        let is_run = |phrase: &&String| phrase.contains([' ', '-']);
        let (runs, single): (Vec<&String>, Vec<&String>) =
            own.iter().filter(tells).partition(is_run);
        let telling: Vec<&String> = runs.into_iter().chain(single).collect();
        match telling.is_empty() {
            true => own.iter().collect(),
            false => telling,
        }
    };
    phrases.iter().map(of_part).collect()
}

/// The blocks before which a new segment begins.
fn borders(pieces: &[Piece], parts_max: usize) -> Vec<usize> {
    let likeness = likeness(pieces);
    let depths = depths(&likeness);
    #[expect(clippy::cast_precision_loss, reason = "a statistic")]
    let count = depths.len().max(1) as f32;
    let mean = depths.iter().sum::<f32>() / count;
    let variance = depths.iter().map(|d| (d - mean) * (d - mean)).sum::<f32>() / count;
    let threshold = mean + variance.sqrt() * 0.5;
    let mut candidates: Vec<(f32, usize)> = depths
        .iter()
        .enumerate()
        .filter(|(_, depth)| **depth > threshold && **depth > 0.1)
        .map(|(gap, depth)| (*depth, gap + 1))
        .collect();
    candidates.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut before = Vec::with_capacity(pieces.len() + 1);
    let mut total = 0;
    for piece in pieces {
        before.push(total);
        total += piece.words;
    }
    before.push(total);
    let at = |piece: usize| before.get(piece).copied().unwrap_or(total);
    let mut chosen = std::collections::BTreeSet::new();
    for (_, piece) in candidates {
        if chosen.len() + 1 >= parts_max {
            break;
        }
        let left = chosen.range(..piece).next_back().copied().unwrap_or(0);
        let right = chosen
            .range(piece..)
            .next()
            .copied()
            .unwrap_or(pieces.len());
        if at(piece) - at(left) >= SEGMENT_WORDS_MIN && at(right) - at(piece) >= SEGMENT_WORDS_MIN {
            chosen.insert(piece);
        }
    }
    chosen.into_iter().collect()
}

/// The words counted in a window over neighbouring pieces.
#[derive(Default)]
struct Window {
    counts: HashMap<u32, f32>,
    words: usize,
}

impl Window {
    fn add(&mut self, piece: &Piece) {
        for term in &piece.terms {
            *self.counts.entry(*term).or_insert(0.0) += 1.0;
        }
        self.words += piece.words;
    }

    fn remove(&mut self, piece: &Piece) {
        for term in &piece.terms {
            if let Some(count) = self.counts.get_mut(term) {
                *count -= 1.0;
                if *count < 0.5 {
                    self.counts.remove(term);
                }
            }
        }
        self.words -= piece.words;
    }

    fn likeness(&self, other: &Self) -> f32 {
        // Summed as whole numbers, so that the order in which a map is walked changes nothing.
        let norm = |window: &Self| window.counts.values().map(|c| c * c).sum::<f32>().sqrt();
        let dot: f32 = self
            .counts
            .iter()
            .filter_map(|(term, count)| other.counts.get(term).map(|c| c * count))
            .sum();
        let norms = norm(self) * norm(other);
        if norms > 0.0 { dot / norms } else { 0.0 }
    }
}

/// How alike the text before and after each gap is.
fn likeness(pieces: &[Piece]) -> Vec<f32> {
    let mut out = Vec::with_capacity(pieces.len());
    let (mut left, mut right) = (Window::default(), Window::default());
    let (mut left_start, mut right_end) = (0, 0);
    for gap in 1..pieces.len() {
        // The piece just before the gap moves from the right window to the left one.
        if let Some(piece) = pieces.get(gap - 1) {
            if right_end >= gap {
                right.remove(piece);
            }
            left.add(piece);
        }
        while let Some(piece) = pieces
            .get(left_start)
            .filter(|piece| left_start + 1 < gap && left.words - piece.words >= WINDOW_WORDS)
        {
            left.remove(piece);
            left_start += 1;
        }
        right_end = right_end.max(gap);
        while let Some(piece) = pieces.get(right_end).filter(|_| right.words < WINDOW_WORDS) {
            right.add(piece);
            right_end += 1;
        }
        out.push(left.likeness(&right));
    }
    out
}

/// How deep each gap lies below the nearest heights on both sides.
fn depths(likeness: &[f32]) -> Vec<f32> {
    let climb = |values: &mut dyn Iterator<Item = f32>| {
        let mut highest = 0.0;
        let mut out = Vec::with_capacity(likeness.len());
        let mut previous = f32::NEG_INFINITY;
        for value in values {
            // The height is the top of the slope that leads down to this gap.
            if value >= previous {
                highest = value;
            }
            out.push(highest - value);
            previous = value;
        }
        out
    };
    let left = climb(&mut likeness.iter().copied());
    let mut right = climb(&mut likeness.iter().rev().copied());
    right.reverse();
    left.into_iter().zip(right).map(|(l, r)| l + r).collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    fn prose(words: &[&str], sentences: usize) -> String {
        (0..sentences)
            .map(|n| {
                let pick = |k: usize| words[(n * 7 + k * 3) % words.len()];
                format!(
                    "The {} of the {} makes every {} and {} with a {} better.\n\n",
                    pick(0),
                    pick(1),
                    pick(2),
                    pick(3),
                    pick(4)
                )
            })
            .collect()
    }

    #[test]
    fn a_text_is_cut_where_its_vocabulary_changes() {
        let bread = [
            "dough", "oven", "flour", "starter", "crust", "yeast", "crumb",
        ];
        let bikes = [
            "wheel", "spoke", "gear", "chain", "brake", "saddle", "frame",
        ];
        let text = prose(&bread, 40) + &prose(&bikes, 40);
        let document = testing::document(text.trim());
        let parts = segments(&document.blocks, 20);
        assert_eq!(parts.len(), 2, "{parts:?}");
        assert_eq!(parts[0].blocks, 0..40);
        assert_eq!(parts[1].blocks, 40..80);
    }

    #[test]
    fn a_part_is_called_by_what_other_parts_do_not_say_and_rather_by_runs_of_words() {
        let own = |phrases: &[&str]| phrases.iter().map(|phrase| (*phrase).to_owned()).collect();
        let phrases: Vec<Vec<String>> = vec![
            own(&["model", "fit", "training error"]),
            own(&["model", "fit", "door", "kiln door"]),
            own(&["model", "fit", "ash"]),
            own(&["model", "fit"]),
        ];
        assert_eq!(
            names(&phrases),
            ["training error", "kiln door, door", "ash", "model, fit"]
        );
    }

    #[test]
    fn a_text_about_one_thing_is_not_cut() {
        let bread = [
            "dough", "oven", "flour", "starter", "crust", "yeast", "crumb",
        ];
        let document = testing::document(prose(&bread, 80).trim());
        assert_eq!(segments(&document.blocks, 20).len(), 1);
    }
}
