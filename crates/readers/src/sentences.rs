//! Puts captions together as sentences with times: at the speaker's full stops, or, where a machine listened and wrote none, at
//! the speaker's pauses.
//!
//! Words are never added, dropped or changed. Where pauses stand for full stops, the stop is written and the first letter of
//! the next sentence raised; nothing else.

use crate::captions::{ends_bare, is_parted};
use crate::spoken::Segment;
use skillkiln_document::speaker::Speaker;
use skillkiln_document::text::{is_unspaced, straight};

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
/// It ends at the best place among its last words.
const LAST_WORDS: usize = 25;
/// Captions with a full stop in so many words are punctuated.
const WORDS_PER_STOP: usize = 45;
/// Whether they are is judged by so many words before and behind each: a recording may be of several talks.
const WINDOW_WORDS: usize = 100;
/// A caption that stays on the screen longer than its words take, as others do, is no silence of the speaker.
const SLOWEST: f64 = 3.0;
/// Abbreviations whose dot ends no sentence.
const ABBREVIATIONS: &[&str] = &[
    "mr.", "mrs.", "ms.", "dr.", "prof.", "st.", "vs.", "etc.", "e.g.", "i.e.", "no.", "fig.",
    "inc.", "approx.", "z.b.", "bzw.", "usw.", "ca.", "nr.", "sr.", "jr.",
];
/// Words that no sentence ends with: the speaker thought about what follows.
const LEADING: &str = " a an the of to in on at by for from with into onto than as if and or but because so that which who whose \
    when while where my your our their its his her this these those is are was were be been am will would can could should must \
    shall may might do does don't doesn't didn't can't cannot couldn't won't wouldn't shouldn't isn't aren't wasn't weren't has have \
    had haven't hasn't hadn't no not very i'm we're you're they're it's that's there's i've we've you've they've i'll we'll you'll \
    let's gonna between about over under through during without within per via like each every some any \
    der die das den dem des ein eine einen einem einer eines und oder aber weil dass wenn als ob mit von zu zum zur im am in an auf \
    aus bei für nach über unter vor durch ohne um ist sind war waren hat haben wird werden kann ich wir du mein dein sein unser nicht \
    sehr el la los las un una unos unas y o pero porque que si de del al con por para sin sobre en entre es son fue está están ha han \
    mi tu su muy no le les des du une et ou mais parce qui dans sur avec sans pour par au aux est sont était il elle je nous vous ce \
    cette ces mon ton son notre votre ";
/// Words that a speaker begins something new with.
const OPENERS: &str = " so and but now then okay ok alright next first second finally also because well therefore however anyway \
    also nun jetzt dann aber und also entonces ahora pero luego y donc alors maintenant mais puis et ";

/// A sentence and when it is said.
#[derive(Debug, Clone, PartialEq)]
pub struct Sentence {
    /// Its words.
    pub text: String,
    /// When it begins, in seconds.
    pub start_s: f64,
    /// When it ends, in seconds.
    pub end_s: f64,
    /// Whether it is whole; a piece of speech without an end is not.
    pub ended: bool,
    /// How long nobody spoke before it.
    pub silence_s: f64,
    /// Who begins to speak with it; none where the same goes on.
    pub speaker: Option<Speaker>,
}

impl Sentence {
    /// Whether it begins as something new does: `Now`, `So`, `Okay`.
    pub fn opens(&self) -> bool {
        is_opener(self.text.split_whitespace().next().unwrap_or_default())
    }
}

/// Whether a speaker begins something new with a word.
pub fn is_opener(word: &str) -> bool {
    is_among(word, OPENERS)
}

/// The sentences of `segments`. None reaches across one of the moments `borders`, which rise, nor from one speaker to another.
pub fn read(segments: &[Segment], borders: &[f64]) -> Vec<Sentence> {
    let mut punctuated = punctuated(segments).into_iter();
    let spoken = spoken(segments);
    let are_bare = ends_bare(segments.iter().map(|it| it.text.as_str()));
    let mut sentences = Vec::new();
    let mut open = Open::default();
    let mut borders = borders.iter().copied().peekable();
    let mut speaking: Option<&str> = None;
    let mut is_written = false;
    for (segment, spoken_s) in segments.iter().zip(spoken) {
        let middle = f64::midpoint(segment.start_s, segment.end_s);
        let mut crosses = false;
        while borders.next_if(|border| *border <= middle).is_some() {
            crosses = true;
        }
        // What lies between captions is heard; what lies in one, behind its words, is reckoned, and may lie among them.
        let gap = segment.start_s - open.shown_s;
        let pause = segment.start_s - open.spoken_s;
        let changes = match &segment.speaker {
            Some(Speaker::Named(name)) => speaking.replace(name) != Some(name),
            Some(Speaker::Another) => {
                speaking = None;
                true
            }
            None => false,
        };
        let may_end = !open.words.last().is_some_and(|word| is_leading(&word.text));
        let opens = segment.text.split_whitespace().next();
        let opens = opens.is_some_and(is_opener);
        let pauses = pause >= BREAK_S * 2.0
            || !is_written
                && (gap >= BREAK_S
                    || (gap >= PAUSE_S && open.weight >= FEW_WORDS)
                    || (pause >= PAUSE_S && open.weight >= FEW_WORDS && opens)
                    || (gap >= SHORT_PAUSE_S && open.weight >= LONG_WORDS));
        if crosses || changes || (pauses && may_end) {
            open.close(!is_written, &mut sentences);
        } else if pause >= BREAK_S * 2.0 {
            open.give_up(&mut sentences);
        }
        if changes {
            open.speaker.clone_from(&segment.speaker);
        }
        let letters = segment.text.chars().count().max(1);
        let mut seen = 0usize;
        let mut silence_s = pause.max(0.0);
        let mut is_first = true;
        let (slipped, rest) = slipped(&segment.text);
        let slipped = Some(slipped).filter(|stop| !stop.is_empty());
        for word in slipped.into_iter().chain(rest.split_whitespace()) {
            let at = |letters_before: usize| {
                let part = fraction(letters_before, letters);
                segment.start_s + (segment.end_s - segment.start_s) * part
            };
            let length = word.chars().count();
            let (begins, ends) = (at(seen), at((seen + length).min(letters)));
            seen = (seen + length + 1).min(letters);
            is_written = punctuated.next().unwrap_or(is_written);
            let ends_what_was_said = open.words.is_empty() && !word.contains(char::is_alphanumeric);
            if ends_what_was_said
                && let Some(last) = sentences.last_mut()
                && !is_parted(&last.text, word)
            {
                if !last.text.ends_with(word) {
                    last.text.push_str(word);
                }
                continue;
            }
            open.push(Word {
                text: word.to_owned(),
                begins,
                ends,
                silence_s: std::mem::take(&mut silence_s),
                is_apart: is_first && are_bare && gap > 0.0,
                is_first: std::mem::take(&mut is_first),
            });
            if ends_sentence(word) {
                open.close(!is_written, &mut sentences);
            }
        }
        open.spoken_s = spoken_s;
        open.shown_s = segment.end_s;
        // The last word of a caption lasts as long as the caption.
        if let Some(last) = open.words.last_mut() {
            last.ends = last.ends.max(segment.end_s);
        } else if let Some(last) = sentences.last_mut() {
            last.end_s = last.end_s.max(segment.end_s);
        }
        while open.weight >= WORDS_MAX {
            open.cut(&mut sentences);
        }
    }
    open.close(!is_written, &mut sentences);
    sentences
}

/// The full stop that slipped from the caption before into this one, and the rest of it.
fn slipped(text: &str) -> (&str, &str) {
    let rest = text.trim_start_matches(['。', '！', '？', '」', '』']);
    text.split_at_checked(text.len() - rest.len())
        .unwrap_or(("", text))
}

fn fraction(part: usize, whole: usize) -> f64 {
    (count(part) / count(whole.max(1))).min(1.0)
}

fn count(n: usize) -> f64 {
    f64::from(u32::try_from(n).unwrap_or(u32::MAX))
}

/// Until when somebody speaks in each segment: captions stay on the screen, often up to the next one. What they last longer than
/// their words take is silence, measured by how long others of the recording last.
fn spoken(segments: &[Segment]) -> Vec<f64> {
    let takes: Vec<f64> = segments.iter().map(|it| takes(&it.text)).collect();
    let mut rates: Vec<f64> = segments
        .iter()
        .zip(&takes)
        .map(|(segment, takes)| (segment.end_s - segment.start_s) / takes)
        .collect();
    rates.sort_by(f64::total_cmp);
    let usual = rates.get(rates.len() / 2).copied().unwrap_or(1.0);
    let slow = usual.clamp(1.0, SLOWEST);
    segments
        .iter()
        .zip(takes)
        .map(|(segment, takes)| segment.end_s.min(segment.start_s + takes * slow))
        .collect()
}

/// How long words take at an unhurried pace, in seconds.
fn takes(text: &str) -> f64 {
    let words = text.split_whitespace().map(|word| {
        let signs = word.chars().filter(|c| is_unspaced(*c)).count();
        let letters = word.chars().count() - signs;
        let word_s = if letters > 0 { 0.25 } else { 0.0 };
        word_s + 0.06 * count(letters.min(20)) + 0.25 * count(signs)
    });
    words.sum::<f64>().max(0.25)
}

/// Whether whoever wrote the captions wrote full stops where each word stands.
fn punctuated(segments: &[Segment]) -> Vec<bool> {
    let mut stops = vec![0usize];
    for word in segments.iter().flat_map(|s| s.text.split_whitespace()) {
        let before = stops.last().copied().unwrap_or(0);
        stops.push(before + usize::from(ends_sentence(word)));
    }
    let words = stops.len() - 1;
    let upto = |at: usize| stops.get(at.min(words)).copied().unwrap_or(0);
    (0..words)
        .map(|at| {
            let start = at.saturating_sub(WINDOW_WORDS);
            let end = (at + WINDOW_WORDS).min(words);
            let stops = upto(end) - upto(start);
            stops > 0 && end - start <= stops * WORDS_PER_STOP
        })
        .collect()
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

/// Whether something has to follow a word.
fn is_leading(word: &str) -> bool {
    is_among(word, LEADING) || word.ends_with(',')
}

/// Whether a word, in any case and whatever marks are around it, is one of a list between blanks.
fn is_among(word: &str, list: &str) -> bool {
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
    let lower = straight(bare).to_lowercase();
    !lower.is_empty() && list.contains(&format!(" {lower} "))
}

/// A word and when it is said.
#[derive(Debug)]
struct Word {
    text: String,
    begins: f64,
    ends: f64,
    /// How long nobody spoke before it.
    silence_s: f64,
    /// Whether its caption begins with it.
    is_first: bool,
    /// Whether the end of the caption before it is all that parts them.
    is_apart: bool,
}

impl Word {
    /// How many words it is: scripts without blanks have about two signs to a word.
    fn weight(&self) -> usize {
        let signs = self.text.chars().filter(|c| is_unspaced(*c)).count();
        (signs / 2).max(1)
    }
}

#[derive(Debug, Default)]
struct Open {
    words: Vec<Word>,
    weight: usize,
    /// Until when somebody spoke.
    spoken_s: f64,
    /// Until when the last caption was shown.
    shown_s: f64,
    speaker: Option<Speaker>,
    /// The sentence goes on one that was given up, so it does not begin with a capital.
    goes_on: bool,
}

impl Open {
    fn push(&mut self, word: Word) {
        self.weight += word.weight();
        self.words.push(word);
    }

    /// Ends the sentence; `unwritten` tells that nobody wrote its stop.
    fn close(&mut self, unwritten: bool, sentences: &mut Vec<Sentence>) {
        let words = std::mem::take(&mut self.words);
        self.put(words, true, unwritten, sentences);
        self.goes_on = false;
    }

    /// Hands on what was said so far, although nothing tells that a sentence ends here.
    fn give_up(&mut self, sentences: &mut Vec<Sentence>) {
        let words = std::mem::take(&mut self.words);
        let is_any = !words.is_empty();
        self.put(words, false, true, sentences);
        self.goes_on |= is_any;
    }

    /// Hands on what was said up to the best place among the last words: the longest silence, else before a word that opens
    /// something, else between captions, and behind no word that leads on.
    fn cut(&mut self, sentences: &mut Vec<Sentence>) {
        let first = self.words.len().saturating_sub(LAST_WORDS).max(1);
        let quality = |at: usize| -> f64 {
            let (Some(before), Some(word)) = (self.words.get(at - 1), self.words.get(at)) else {
                return f64::MIN;
            };
            let opens = if is_opener(&word.text) { 0.4 } else { 0.0 };
            let leads = if is_leading(&before.text) && !before.text.ends_with(',') {
                -2.0
            } else {
                0.0
            };
            let ends = if before.text.ends_with(',') { 0.3 } else { 0.0 };
            let begins = if word.is_first { 0.1 } else { 0.0 };
            // Of two places alike, the later one.
            word.silence_s + opens + leads + ends + begins + 0.001 * fraction(at, self.words.len())
        };
        let best = (first..self.words.len())
            .max_by(|one, other| quality(*one).total_cmp(&quality(*other)));
        let rest = self.words.split_off(best.unwrap_or(self.words.len()));
        self.give_up(sentences);
        self.weight = rest.iter().map(Word::weight).sum();
        self.words = rest;
    }

    fn put(
        &mut self,
        words: Vec<Word>,
        ended: bool,
        unwritten: bool,
        sentences: &mut Vec<Sentence>,
    ) {
        self.weight = 0;
        let (Some(first), Some(last)) = (words.first(), words.last()) else {
            return;
        };
        let mut text = String::new();
        for word in &words {
            if !text.is_empty() && (!word.is_first || word.is_apart || is_parted(&text, &word.text))
            {
                text.push(' ');
            }
            text.push_str(&word.text);
        }
        if unwritten && !self.goes_on {
            text = raised(text);
        }
        if unwritten && ended {
            stop(&mut text);
        }
        sentences.push(Sentence {
            start_s: first.begins,
            end_s: last.ends.max(first.begins),
            silence_s: first.silence_s,
            text,
            ended,
            speaker: self.speaker.take(),
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
    use crate::spoken::segment;
    use proptest::prelude::*;

    fn texts(segments: &[Segment]) -> Vec<String> {
        let sentences = read(segments, &[]);
        sentences
            .into_iter()
            .map(|sentence| sentence.text)
            .collect()
    }

    /// Captions, a line each: when they begin and end, and their words.
    fn said(captions: &str) -> Vec<Segment> {
        let captions = captions.lines().map(|line| {
            let fields: Vec<&str> = line.trim().splitn(3, ' ').collect();
            segment(
                fields[0].parse().unwrap(),
                fields[1].parse().unwrap(),
                fields[2],
            )
        });
        captions.collect()
    }

    #[test]
    fn sentences_end_at_pauses_and_written_stops() {
        for (captions, sentences) in [
            // Where a machine listened, pauses stand for full stops.
            (
                "0 2 hello and welcome to this talk
                 2.1 3 about rust
                 4.2 6 it has ownership
                 7.5 9 iPhones are another matter
                 10.5 11 今日は",
                "Hello and welcome to this talk about rust.|It has ownership.|iPhones are another matter.|今日は。",
            ),
            // Those that are written are believed, and abbreviations are none.
            (
                "0 2 Dr. Smith uses e.g. Rust 1.95. And he
                 5 6 said \"why not?\" Then left.",
                "Dr. Smith uses e.g. Rust 1.95.|And he said \"why not?\"|Then left.",
            ),
            // No sentence ends with a word that leads on.
            (
                "0 2 the curve is the same in
                 3.5 5 every book that I have read
                 6.5 8 we do not
                 11.5 12 know it",
                "The curve is the same in every book that I have read.|We do not know it.",
            ),
            // A full stop that slipped into the next caption ends what is before it.
            (
                "0 2 窯は熱い\n10 12 。そして冷える。",
                "窯は熱い。|そして冷える。",
            ),
            // Captions of a script without blanks meet without one.
            (
                "0 2 窯の使い\n2 4 方は 簡単です\n4 5 。\n5 6 終わり。",
                "窯の使い方は 簡単です。|終わり。",
            ),
        ] {
            assert_eq!(texts(&said(captions)).join("|"), sentences);
        }
        // No sentence reaches across a chapter.
        let heard = said("0 2 one two three\n2 4 four five");
        assert_eq!(read(&heard, &[0.0, 2.0]).len(), 2);
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
        assert!(last.ended && last.text.starts_with("and on"));
    }

    #[test]
    fn a_long_piece_ends_before_a_word_that_opens_something() {
        let filler = |n: u32| segment(f64::from(n), f64::from(n) + 1.0, "kilns glow");
        let mut words: Vec<Segment> = (0..21).map(filler).collect();
        words.push(segment(21.0, 22.0, "hot now we look"));
        words.extend((22..40).map(filler));
        let sentences = read(&words, &[]);
        assert!(sentences[0].text.ends_with(" hot"), "{}", sentences[0].text);
        assert!(sentences[1].text.starts_with("now we look"));
    }

    #[test]
    fn captions_that_stay_on_the_screen_hold_the_silence_behind_their_words() {
        let mut shown: Vec<Segment> = (0..9u32)
            .map(|n| {
                segment(
                    f64::from(n) * 2.0,
                    f64::from(n) * 2.0 + 2.0,
                    "these are the words",
                )
            })
            .collect();
        shown.push(segment(18.0, 24.0, "and they are wrong."));
        shown.push(segment(24.0, 26.0, "In every book of it."));
        let sentences = read(&shown, &[]);
        let last = sentences.last().unwrap();
        assert_eq!(last.text, "In every book of it.");
        assert!(last.silence_s > 2.0, "{}", last.silence_s);
        assert!(sentences.iter().rev().skip(1).all(|it| it.silence_s < 1.0));
    }

    #[test]
    fn written_stops_end_sentences_where_there_are_few_and_pauses_only_there() {
        let few = |n: u32| {
            segment(
                f64::from(n) * 3.0,
                f64::from(n) * 3.0 + 1.4,
                "we heat the kiln",
            )
        };
        let many = |n: u32| {
            segment(
                f64::from(n) * 3.0,
                f64::from(n) * 3.0 + 1.4,
                "It glows. And then",
            )
        };
        let mut heard: Vec<Segment> = (0..80).map(few).collect();
        heard.push(segment(240.0, 241.4, "it is hot. Then it"));
        heard.push(segment(243.0, 244.0, "cools"));
        heard.extend((82..160).map(few));
        heard.extend((160..240).map(many));
        let texts = texts(&heard);
        assert!(texts.contains(&"It is hot.".to_owned()));
        assert_eq!(texts[0], "We heat the kiln.");
        assert!(texts.contains(&"And then It glows.".to_owned()));
    }

    #[test]
    fn silence_that_is_only_reckoned_ends_a_sentence_before_an_opening_word() {
        let shown = |next: &str| {
            let at = |n: u32| f64::from(n) * 2.0;
            let mut shown: Vec<Segment> = (0..9u32)
                .map(|n| segment(at(n), at(n) + 2.0, "these are the words"))
                .collect();
            shown.push(segment(18.0, 22.0, "on my windows"));
            shown.push(segment(22.0, 24.0, next));
            texts(&shown).len()
        };
        assert_eq!(shown("machine I have it"), 1);
        assert_eq!(shown("now I have it"), 2);
    }

    #[test]
    fn captions_of_a_script_without_blanks_stay_apart_where_nobody_writes_full_stops() {
        let shown: Vec<Segment> = (0..9u32)
            .map(|n| segment(f64::from(n), f64::from(n) + 0.9, "窯は熱い"))
            .collect();
        assert!(texts(&shown)[0].starts_with("窯は熱い 窯は熱い"));
    }

    #[test]
    fn no_sentence_goes_from_one_speaker_to_another() {
        let said = |start_s: f64, text: &str, speaker: Option<Speaker>| Segment {
            speaker,
            ..segment(start_s, start_s + 2.0, text)
        };
        let ada = || Some(Speaker::Named("Ada".into()));
        let sentences = read(
            &[
                said(0.0, "is it very hot", ada()),
                said(2.0, "in there", ada()),
                said(4.0, "it is", Some(Speaker::Another)),
                said(6.0, "then wait", ada()),
            ],
            &[],
        );
        let told: Vec<(&str, Option<Speaker>)> = sentences
            .iter()
            .map(|it| (it.text.as_str(), it.speaker.clone()))
            .collect();
        assert_eq!(
            told,
            [
                ("Is it very hot in there.", ada()),
                ("It is.", Some(Speaker::Another)),
                ("Then wait.", ada()),
            ]
        );
    }

    proptest! {
        #[test]
        fn words_are_never_added_dropped_or_changed(lines in prop::collection::vec(("[a-zA-Z0-9.,?ü ]{0,30}", 0u32..4_000), 0..30)) {
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
