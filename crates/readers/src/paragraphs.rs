//! Decides where the paragraphs of a talk end: where somebody else speaks, where nobody does for a while, and in a long stretch at
//! the best place that it has.

use crate::sentences::Sentence;
use std::ops::Range;

/// A silence that ends a paragraph once its sentence has ended and it holds a few.
const PAUSE_S: f64 = 2.0;
/// Fewer characters than this are no paragraph that such a silence ends.
const CHARS_MIN: usize = 200;
/// A silence that ends a paragraph with its sentence, however short it is.
const LONG_PAUSE_S: f64 = 4.0;
/// A silence that ends a paragraph wherever it is.
const BREAK_S: f64 = 6.0;
/// About how many characters a paragraph holds.
const CHARS: usize = 500;
/// A paragraph that is not ended by a silence holds so many at the least.
const CHARS_BEST_MIN: usize = 300;
/// And so many at the most, unless a sentence is longer.
const CHARS_MAX: usize = 800;
/// Where no sentence ends for so long, a paragraph ends inside one.
const CHARS_LONG: usize = 1_600;

/// The paragraphs of sentences that belong to one chapter, as ranges of them.
pub(crate) fn of(sentences: &[Sentence]) -> Vec<Range<usize>> {
    let mut paragraphs = Vec::new();
    let mut start = 0;
    let mut chars = 0;
    for (at, (sentence, next)) in sentences.iter().zip(sentences.iter().skip(1)).enumerate() {
        chars += length(sentence);
        let silence_s = next.silence_s;
        let pauses = silence_s >= LONG_PAUSE_S || (silence_s >= PAUSE_S && chars >= CHARS_MIN);
        if next.speaker.is_some() || silence_s >= BREAK_S || (sentence.ended && pauses) {
            split(sentences, start..at + 1, &mut paragraphs);
            start = at + 1;
            chars = 0;
        }
    }
    split(sentences, start..sentences.len(), &mut paragraphs);
    paragraphs
}

/// Splits a stretch without long silences so that no part is too long.
fn split(sentences: &[Sentence], stretch: Range<usize>, out: &mut Vec<Range<usize>>) {
    let mut start = stretch.start;
    loop {
        let lengths = sentences
            .get(start..stretch.end)
            .unwrap_or_default()
            .iter()
            .map(length);
        if lengths.sum::<usize>() <= CHARS_MAX {
            break;
        }
        let mut chars = 0;
        let mut best: Option<(bool, f64, usize)> = None;
        for at in start + 1..stretch.end {
            chars += sentences.get(at - 1).map_or(0, length);
            let most = match best {
                Some((true, ..)) => CHARS_MAX,
                _ => CHARS_LONG,
            };
            if best.is_some() && chars > most {
                break;
            }
            let ended = sentences.get(at - 1).is_some_and(|before| before.ended);
            // Too long is a paragraph only that might have ended with a sentence.
            if chars < CHARS_BEST_MIN || chars > CHARS_MAX && best.is_some() && !ended {
                continue;
            }
            let quality = quality(sentences, at, chars);
            if best.is_none_or(|(so_far, most, _)| (ended, quality) > (so_far, most)) {
                best = Some((ended, quality, at));
            }
        }
        let Some((_, _, end)) = best else { break };
        out.push(start..end);
        start = end;
    }
    if start < stretch.end {
        out.push(start..stretch.end);
    }
}

/// How good it is to begin a paragraph with the sentence `at`, with so many characters before it.
fn quality(sentences: &[Sentence], at: usize, chars: usize) -> f64 {
    let (Some(before), Some(sentence)) = (sentences.get(at - 1), sentences.get(at)) else {
        return f64::MIN;
    };
    let count = |n: usize| f64::from(u32::try_from(n).unwrap_or(u32::MAX));
    let ended = if before.ended { 2.0 } else { 0.0 };
    let opens = if sentence.opens() { 0.5 } else { 0.0 };
    ended + opens + sentence.silence_s.min(2.0) - count(chars.abs_diff(CHARS)) / count(CHARS)
}

fn length(sentence: &Sentence) -> usize {
    sentence.text.chars().count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentence(text: &str, silence_s: f64) -> Sentence {
        Sentence {
            text: text.to_owned(),
            start_s: 0.0,
            end_s: 0.0,
            ended: true,
            silence_s,
            speaker: None,
        }
    }

    #[test]
    fn a_long_stretch_is_split_at_its_silence_or_where_something_new_begins() {
        let words =
            "The kiln is heated slowly, with wood that was dried for a year, until it glows.";
        let mut said: Vec<Sentence> = (0..13).map(|_| sentence(words, 0.0)).collect();
        assert_eq!(of(&said), [0..6, 6..13]);
        said[8].silence_s = 1.5;
        assert_eq!(of(&said), [0..8, 8..13]);
        said[8].silence_s = 0.0;
        said[5].text = format!("Now {words}");
        assert_eq!(of(&said), [0..5, 5..13]);
    }

    #[test]
    fn no_paragraph_ends_inside_a_sentence_while_another_place_will_do() {
        let words =
            "the kiln is heated slowly, with wood that was dried for a year, until it glows and";
        let mut said: Vec<Sentence> = (0..12).map(|_| sentence(words, 0.0)).collect();
        for (at, piece) in said.iter_mut().enumerate() {
            piece.ended = at == 3;
        }
        assert_eq!(of(&said).first(), Some(&(0..4)));
    }

    #[test]
    fn a_paragraph_is_rather_long_than_ended_inside_a_sentence() {
        let words =
            "the kiln is heated slowly, with wood that was dried for a year, until it glows and";
        let mut said: Vec<Sentence> = (0..20).map(|_| sentence(words, 0.0)).collect();
        for (at, piece) in said.iter_mut().enumerate() {
            piece.ended = at == 12 || at == 19;
        }
        assert_eq!(of(&said), [0..13, 13..20]);
    }

    #[test]
    fn a_silence_ends_a_paragraph_and_a_short_one_only_a_long_paragraph() {
        let said = |silence_s: f64| [sentence("Hot.", 0.0), sentence("Wet.", silence_s)];
        assert_eq!(of(&said(2.5)).as_slice(), std::slice::from_ref(&(0..2)));
        assert_eq!(of(&said(4.5)), [0..1, 1..2]);
        let long = [sentence(&"hot ".repeat(60), 0.0), sentence("Wet.", 2.5)];
        assert_eq!(of(&long), [0..1, 1..2]);
    }

    #[test]
    fn who_speaks_has_a_paragraph() {
        let mut said = [sentence("Hot?", 0.0), sentence("Yes.", 0.0)];
        said[1].speaker = Some(skillkiln_document::speaker::Speaker::Another);
        assert_eq!(of(&said), [0..1, 1..2]);
        assert!(of(&[]).is_empty());
    }
}
