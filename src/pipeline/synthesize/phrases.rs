//! Owns the key phrases of a text: the short runs of telling words that it keeps coming back to.

use super::words::{Lexicon, is_english_stop, is_ideograph, language, words};
use crate::pipeline::quick::QuickMap;
use whatlang::Lang;

/// How many words are looked at; the phrases of a longer text are settled by then.
const WORDS_MAX: usize = 12_000;
const PHRASE_WORDS_MAX: usize = 3;

/// The terms of a phrase, in order.
type Key = [Option<u32>; PHRASE_WORDS_MAX];

struct Counted<'a> {
    count: u32,
    surface: &'a str,
    position: usize,
}

/// The key phrases of `text`, the most telling first, as the text writes them.
pub(super) fn key_phrases(text: &str, limit: usize) -> Vec<String> {
    key_phrases_in(text, language(text), limit)
}

/// The same of a text whose language is known. Fewer phrases are the first of more.
pub(super) fn key_phrases_in(text: &str, language: Option<Lang>, limit: usize) -> Vec<String> {
    let mut lexicon = Lexicon::new(language);
    let mut counts: QuickMap<Key, Counted<'_>> = QuickMap::default();
    let mut terms: QuickMap<&str, Option<u32>> = QuickMap::default();
    let mut run: Vec<(&str, u32)> = Vec::new();
    let mut seen = 0;
    'lines: for line in text.split([
        '\n', '.', ',', ';', ':', '!', '?', '(', ')', '。', '、', '|',
    ]) {
        run.clear();
        for word in words(line) {
            seen += 1;
            if seen > WORDS_MAX {
                break 'lines;
            }
            let term = terms
                .entry(word)
                .or_insert_with(|| single(&mut lexicon, word));
            match *term {
                Some(term) => run.push((word, term)),
                None => run.clear(),
            }
            for length in 1..=PHRASE_WORDS_MAX.min(run.len()) {
                let Some(tail) = run.get(run.len() - length..) else {
                    continue;
                };
                let Some(surface) = slice_over(line, tail) else {
                    continue;
                };
                let mut key: Key = [None; PHRASE_WORDS_MAX];
                for (place, (_, term)) in key.iter_mut().zip(tail) {
                    *place = Some(*term);
                }
                let entry = counts.entry(key).or_insert(Counted {
                    count: 0,
                    surface,
                    position: seen,
                });
                entry.count += 1;
                // Lower case is how a phrase reads inside a sentence; a name never appears so.
                if surface.chars().next().is_some_and(char::is_lowercase)
                    && entry.surface.chars().next().is_some_and(char::is_uppercase)
                    && surface.to_lowercase() == entry.surface.to_lowercase()
                {
                    entry.surface = surface;
                }
            }
        }
    }
    rank(counts, limit)
}

fn single(lexicon: &mut Lexicon, word: &str) -> Option<u32> {
    let lower = word.to_lowercase();
    let usable = word.chars().count() >= 2
        && word.chars().any(char::is_alphabetic)
        && word.len() <= 40
        && !is_english_stop(&lower)
        && !word.chars().all(is_ideograph);
    usable
        .then(|| lexicon.terms(word).first().copied())
        .flatten()
}

/// The part of `line` that a run of its words covers, when only spaces and hyphens stand between them.
fn slice_over<'a>(line: &'a str, run: &[(&'a str, u32)]) -> Option<&'a str> {
    let (first, _) = run.first()?;
    let (last, _) = run.last()?;
    let offset = |word: &str| (word.as_ptr() as usize).checked_sub(line.as_ptr() as usize);
    let slice = line.get(offset(first)?..offset(last)? + last.len())?;
    let plain = slice
        .chars()
        .all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '\''));
    (plain && slice.len() <= 48 && !slice.contains("  ")).then_some(slice)
}

/// Whether a word alone names a thing: participles and adverbs need company ("specified", "copied", "simply").
fn names_something(word: &str) -> bool {
    let lower = word.to_lowercase();
    !(lower.len() > 4
        && lower.is_ascii()
        && ["ed", "ing", "ly"].iter().any(|end| lower.ends_with(end)))
}

fn rank(counts: QuickMap<Key, Counted<'_>>, limit: usize) -> Vec<String> {
    let mut ranked: Vec<(f32, usize, Vec<u32>, &str)> = counts
        .into_iter()
        .filter(|(_, counted)| counted.count >= 2)
        .map(|(key, counted)| (key.into_iter().flatten().collect::<Vec<u32>>(), counted))
        .filter(|(key, counted)| key.len() > 1 || names_something(counted.surface))
        .map(|(key, counted)| {
            #[expect(clippy::cast_precision_loss, reason = "a weight, not a count")]
            let score = counted.count as f32 * (0.4 + 0.6 * key.len() as f32);
            (score, counted.position, key, counted.surface)
        })
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
    let mut taken: Vec<Vec<u32>> = Vec::new();
    let mut out = Vec::new();
    for (_, _, key, surface) in ranked {
        if out.len() >= limit {
            break;
        }
        // A phrase that shares a word with a better one says little new.
        if taken
            .iter()
            .any(|other| key.iter().filter(|term| other.contains(term)).count() * 2 >= key.len())
        {
            continue;
        }
        taken.push(key);
        out.push(surface.to_owned());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_known_by_the_words_it_comes_back_to() {
        let text = "The connection pool hands out connections. A connection pool is bounded. \
            When the connection pool is empty, callers wait. Callers wait in order.";
        let phrases = key_phrases(text, 3);
        assert_eq!(phrases[0], "connection pool");
        assert!(phrases.contains(&"callers wait".to_owned()), "{phrases:?}");
    }

    #[test]
    fn a_text_without_words_has_no_phrases() {
        assert!(key_phrases("", 5).is_empty());
        assert!(key_phrases("--- 12 34 --- 🙂", 5).is_empty());
    }
}
