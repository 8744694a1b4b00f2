//! Puts captions together as sentences with times: at the speaker's full stops, or, where a machine listened and wrote none, at
//! the speaker's pauses.
//!
//! Words are never added, dropped or changed. Where pauses stand for full stops, the stop is written and the first letter of
//! the next sentence raised; nothing else.

use crate::providers::video::Segment;

/// A silence that ends a sentence which nobody punctuated.
const PAUSE_S: f64 = 0.9;
/// A shorter silence that ends a long one.
const SHORT_PAUSE_S: f64 = 0.45;
/// From so many words on, a short silence suffices.
const LONG_WORDS: usize = 24;
/// Fewer words than this are no sentence; a longer silence ends them all the same.
const FEW_WORDS: usize = 3;
/// A silence that ends anything.
const BREAK_S: f64 = 2.5;
/// A sentence without any silence ends for the purpose of its time, without a stop.
const WORDS_MAX: usize = 60;
/// Captions with a full stop in so many words are punctuated.
const WORDS_PER_STOP: usize = 45;
/// Abbreviations whose dot ends no sentence.
const ABBREVIATIONS: &[&str] = &[
    "mr.", "mrs.", "ms.", "dr.", "prof.", "st.", "vs.", "etc.", "e.g.", "i.e.", "no.", "fig.",
    "inc.", "approx.", "z.b.", "bzw.", "usw.", "ca.", "nr.", "sr.", "jr.",
];

/// A sentence and when it is said.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sentence {
    /// Its words.
    pub(crate) text: String,
    /// When it begins, in seconds.
    pub(crate) start_s: f64,
    /// When it ends, in seconds.
    pub(crate) end_s: f64,
    /// Whether it is whole; a piece of speech without an end is not.
    pub(crate) ended: bool,
}

/// The sentences of `segments`. None reaches across one of the moments `borders`, which rise.
pub(crate) fn read(segments: &[Segment], borders: &[f64]) -> Vec<Sentence> {
    let punctuated = is_punctuated(segments);
    let mut sentences = Vec::new();
    let mut open = Open::default();
    let mut borders = borders.iter().copied().peekable();
    for segment in segments {
        let middle = f64::midpoint(segment.start_s, segment.end_s);
        let mut crosses = false;
        while borders.next_if(|border| *border <= middle).is_some() {
            crosses = true;
        }
        let pause = segment.start_s - open.end_s;
        let pauses = if punctuated {
            pause >= BREAK_S * 2.0
        } else {
            pause >= BREAK_S
                || (pause >= PAUSE_S && open.words >= FEW_WORDS)
                || (pause >= SHORT_PAUSE_S && open.words >= LONG_WORDS)
        };
        if crosses || pauses {
            open.close(!punctuated, &mut sentences);
        }
        let letters = segment.text.chars().count().max(1);
        let mut seen = 0usize;
        for word in segment.text.split_whitespace() {
            let at = |letters_before: usize| {
                let part = fraction(letters_before, letters);
                segment.start_s + (segment.end_s - segment.start_s) * part
            };
            let length = word.chars().count();
            let (begins, ends) = (at(seen), at((seen + length).min(letters)));
            seen = (seen + length + 1).min(letters);
            open.push(word, begins, ends);
            if punctuated && ends_sentence(word) {
                open.close(false, &mut sentences);
            }
        }
        // The last word of a caption lasts as long as the caption.
        open.end_s = open.end_s.max(segment.end_s);
        if open.text.is_empty()
            && let Some(last) = sentences.last_mut()
        {
            last.end_s = last.end_s.max(segment.end_s);
        }
        if open.words >= WORDS_MAX {
            open.give_up(&mut sentences);
        }
    }
    open.close(!punctuated, &mut sentences);
    sentences
}

fn fraction(part: usize, whole: usize) -> f64 {
    let count = |n: usize| f64::from(u32::try_from(n).unwrap_or(u32::MAX));
    (count(part) / count(whole.max(1))).min(1.0)
}

/// Whether whoever wrote the captions wrote full stops.
fn is_punctuated(segments: &[Segment]) -> bool {
    let (mut words, mut stops) = (0, 0);
    for word in segments.iter().flat_map(|s| s.text.split_whitespace()) {
        words += 1;
        stops += usize::from(ends_sentence(word));
    }
    stops > 0 && words <= stops * WORDS_PER_STOP
}

/// Whether a word ends a sentence, quotes and brackets after its full stop apart.
fn ends_sentence(word: &str) -> bool {
    let bare = word.trim_end_matches(['"', '\'', ')', ']', '”', '’', '»', '」']);
    if bare.ends_with(['!', '?', '…', '。', '？', '！', '؟', '।']) {
        return true;
    }
    let Some(before) = bare.strip_suffix('.') else {
        return false;
    };
    let initial = before.chars().count() == 1 && before.chars().all(char::is_uppercase);
    !initial && !before.is_empty() && !ABBREVIATIONS.contains(&bare.to_lowercase().as_str())
}

#[derive(Debug, Default)]
struct Open {
    text: String,
    words: usize,
    start_s: f64,
    end_s: f64,
    /// The sentence goes on one that was given up, so it does not begin with a capital.
    goes_on: bool,
}

impl Open {
    fn push(&mut self, word: &str, begins: f64, ends: f64) {
        if self.text.is_empty() {
            self.start_s = begins;
        } else {
            self.text.push(' ');
        }
        self.text.push_str(word);
        self.words += 1;
        self.end_s = ends;
    }

    /// Ends the sentence; `unwritten` tells that nobody wrote its stop.
    fn close(&mut self, unwritten: bool, sentences: &mut Vec<Sentence>) {
        if self.text.is_empty() {
            return;
        }
        let mut text = std::mem::take(&mut self.text);
        if unwritten {
            if !self.goes_on {
                text = raised(text);
            }
            stop(&mut text);
        }
        self.goes_on = false;
        self.put(text, true, sentences);
    }

    /// Hands on what was said so far, although nothing tells that a sentence ends here.
    fn give_up(&mut self, sentences: &mut Vec<Sentence>) {
        let text = std::mem::take(&mut self.text);
        let text = if self.goes_on { text } else { raised(text) };
        self.goes_on = true;
        self.put(text, false, sentences);
    }

    fn put(&mut self, text: String, ended: bool, sentences: &mut Vec<Sentence>) {
        self.words = 0;
        sentences.push(Sentence {
            text,
            start_s: self.start_s,
            end_s: self.end_s.max(self.start_s),
            ended,
        });
    }
}

/// With a capital at its beginning, unless its first word is written in a way of its own (`iPhone`, `x86`).
fn raised(text: String) -> String {
    let first = text.split(' ').next().unwrap_or("");
    let plain = first
        .chars()
        .all(|c| c.is_lowercase() || matches!(c, '\'' | '’' | ',' | '-'));
    let mut letters = text.chars();
    match letters.next() {
        Some(letter) if plain && !first.is_empty() => {
            letter.to_uppercase().chain(letters).collect()
        }
        _ => text,
    }
}

/// A full stop at the end, in the way of the script, unless some mark is there.
fn stop(text: &mut String) {
    match text.chars().last() {
        Some(last) if ('\u{3040}'..='\u{9fff}').contains(&last) => text.push('。'),
        Some(last) if last.is_lowercase() || last.is_uppercase() || last.is_ascii_digit() => {
            text.push('.');
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn segment(start_s: f64, end_s: f64, text: &str) -> Segment {
        Segment {
            start_s,
            end_s,
            text: text.into(),
        }
    }

    fn texts(segments: &[Segment]) -> Vec<String> {
        let sentences = read(segments, &[]);
        sentences
            .into_iter()
            .map(|sentence| sentence.text)
            .collect()
    }

    #[test]
    fn pauses_stand_for_full_stops_where_a_machine_listened() {
        let heard = [
            segment(0.0, 2.0, "hello and welcome to this talk"),
            segment(2.1, 3.0, "about rust"),
            segment(4.2, 6.0, "it has ownership"),
            segment(7.5, 9.0, "iPhones are another matter"),
            segment(10.5, 11.0, "今日は"),
        ];
        assert_eq!(
            texts(&heard),
            [
                "Hello and welcome to this talk about rust.",
                "It has ownership.",
                "iPhones are another matter.",
                "今日は。",
            ]
        );
    }

    #[test]
    fn written_full_stops_are_believed_and_abbreviations_are_none() {
        let written = [
            segment(0.0, 2.0, "Dr. Smith uses e.g. Rust 1.95. And he"),
            segment(5.0, 6.0, "said \"why not?\" Then left."),
        ];
        assert_eq!(
            texts(&written),
            [
                "Dr. Smith uses e.g. Rust 1.95.",
                "And he said \"why not?\"",
                "Then left.",
            ]
        );
    }

    #[test]
    fn speech_without_any_pause_is_cut_without_a_stop() {
        let words: Vec<Segment> = (0..41u32)
            .map(|n| segment(f64::from(n), f64::from(n) + 1.0, "on and on"))
            .collect();
        let sentences = read(&words, &[]);
        assert!(sentences.len() > 1);
        let (last, before) = sentences.split_last().unwrap();
        assert!(before.iter().all(|s| !s.ended && !s.text.ends_with('.')));
        assert!(last.ended && last.text.starts_with("on"));
    }

    #[test]
    fn no_sentence_reaches_across_a_chapter() {
        let heard = [
            segment(0.0, 2.0, "one two three"),
            segment(2.0, 4.0, "four five"),
        ];
        let sentences = read(&heard, &[0.0, 2.0]);
        assert_eq!(sentences.len(), 2);
    }

    proptest! {
        #[test]
        fn words_are_never_added_dropped_or_changed(lines in prop::collection::vec(("[a-zA-Z0-9.,?ü今 ]{0,30}", 0u32..4_000), 0..30)) {
            let mut clock = 0.0;
            let mut segments = Vec::new();
            for (text, gap) in &lines {
                clock += f64::from(*gap) / 1_000.0;
                segments.push(segment(clock, clock + 1.0, text));
                clock += 1.0;
            }
            let words = |text: &str| -> Vec<String> {
                text.split_whitespace()
                    .map(|word| word.to_lowercase().trim_end_matches(['.', '。']).to_owned())
                    .collect()
            };
            let said: Vec<String> = segments.iter().flat_map(|s| words(&s.text)).collect();
            let sentences = read(&segments, &[]);
            let read: Vec<String> = sentences.iter().flat_map(|s| words(&s.text)).collect();
            prop_assert_eq!(said, read);
            prop_assert!(sentences.iter().all(|s| s.start_s <= s.end_s));
        }
    }
}
