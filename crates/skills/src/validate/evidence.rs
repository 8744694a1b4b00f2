//! Owns what the proofs look things up in: the lines of code of a source, its tokens, flags, numbers, addresses, paths and
//! sentences. How it is built stands in [`super::index`].
//!
//! Everything is kept as 64-bit digests in sorted lists, so that a look-up takes some twenty steps however long the source
//! is, and the whole index a few bytes a word.

use crate::validate::digests::{Digests, digest, digest_of_words};
use crate::validate::runs::Said;
use crate::validate::shapes::Shapes;
use crate::validate::tokens::{content_words, pieces_of, tokens_of, without_fragment};
use skillkiln_document::secret::REDACTED;
use skillkiln_document::text::{self, squash};

/// Content words in a passage. A sentence may stand on two passages that follow each other.
pub(super) const PASSAGE_WORDS: usize = 24;
/// Most passages that are looked at for one word: a word that is everywhere proves nothing.
const PASSAGES_MAX: usize = 64;
/// Share of a sentence's words that one place of the source must hold (V091).
const SUPPORT_MIN: f64 = 0.6;

/// The index of one source.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    pub(super) lines: Digests,
    pub(super) tokens: Digests,
    pub(super) token_pairs: Digests,
    pub(super) pieces: Digests,
    pub(super) piece_pairs: Digests,
    pub(super) flags: Digests,
    pub(super) numbers: Digests,
    pub(super) addresses: Digests,
    pub(super) paths: Digests,
    /// Neighbours among the content words.
    pub(super) word_pairs: Digests,
    /// Half the digest of each content word in order.
    pub(super) words: Vec<u32>,
    /// Which word stands in which passage: the word above the number of the passage.
    pub(super) places: Digests,
    /// The digest of each paragraph's words, sorted.
    pub(super) paragraphs: Vec<u64>,
    /// The lines of each code block of the source, and how it starts.
    pub(super) codes: Vec<(Vec<u64>, String)>,
    /// What the source says, to be counted.
    pub(super) said: Said,
    /// What it shows in a form that a skill has to keep.
    pub(super) shapes: Shapes,
}

impl Evidence {
    /// Whether the source has this flag.
    pub(super) fn has_flag(&self, flag: &str) -> bool {
        self.flags.contains(digest(flag))
    }

    /// Whether the source has this number.
    pub(super) fn has_number(&self, number: &str) -> bool {
        self.numbers.contains(digest(number))
            || self
                .numbers
                .contains(digest(number.replace(',', "").as_str()))
    }

    /// Whether the source has this address, or one that differs only in its fragment.
    pub(super) fn has_address(&self, address: &str) -> bool {
        let page = without_fragment(address);
        self.addresses.contains(digest(address)) || self.addresses.contains(digest(page))
    }

    /// Whether the source has this path.
    pub(super) fn has_path(&self, path: &str) -> bool {
        self.paths.contains(digest(path)) || self.tokens.contains(digest(path))
    }

    /// Whether the source has this line of code or this command: as a line, or token by token in the same order.
    pub(super) fn has_code(&self, line: &str) -> bool {
        let line = squash(line);
        if line.contains(REDACTED) {
            return line
                .split(REDACTED)
                .all(|part| is_chained(pieces_of(part), &self.pieces, &self.piece_pairs));
        }
        if self.lines.contains(digest(line.as_str())) || !line.contains(char::is_alphanumeric) {
            return true;
        }
        is_chained(tokens_of(&line), &self.tokens, &self.token_pairs)
            || (!line.contains(' ')
                && is_chained(pieces_of(&line), &self.pieces, &self.piece_pairs))
    }

    /// Whether the source says these words, each after the one before it, whatever marks stand between them, or has a paragraph
    /// of just these, as what is said of a term is one with it.
    pub(super) fn says(&self, words: &str) -> bool {
        is_chained(pieces_of(words), &self.pieces, &self.piece_pairs) || self.times(words) > 0
    }

    /// How often paragraphs of the source say exactly this.
    pub(super) fn times(&self, paragraph: &str) -> usize {
        let own = digest_of_words(paragraph);
        let start = self.paragraphs.partition_point(|one| *one < own);
        let rest = self.paragraphs.get(start..).unwrap_or_default();
        rest.iter().take_while(|one| **one == own).count()
    }

    /// Whether the source, where it says this, says it over and over: behind its last piece stands its first. Of such a paragraph,
    /// cut into shorter ones, each says the same. A paragraph of a single word says nothing else.
    pub(super) fn goes_round(&self, words: &str) -> bool {
        let around = pieces_of(words).chain(pieces_of(words).next());
        let mut each = text::words(words);
        let one = each.next().unwrap_or_default();
        is_chained(around, &self.pieces, &self.piece_pairs) || each.all(|word| word == one)
    }

    /// Whether one place of the source supports a sentence: holds most of its content words, or has most of them one after
    /// the other. One with too few words to tell counts as supported.
    pub(super) fn supports(&self, sentence: &str) -> bool {
        let words: Vec<u64> = content_words(sentence).take(400).collect();
        if words.len() < 4 {
            return true;
        }
        let pairs = words
            .iter()
            .zip(words.iter().skip(1))
            .filter(|pair| self.word_pairs.contains(digest(pair)))
            .count();
        share(pairs, words.len() - 1) >= SUPPORT_MIN || self.has_passage(&words)
    }

    fn has_passage(&self, words: &[u64]) -> bool {
        let mut distinct: Vec<u32> = words.iter().map(|word| half(*word)).collect();
        distinct.sort_unstable();
        distinct.dedup();
        let mut rarest: Vec<Vec<u32>> = distinct
            .iter()
            .map(|word| self.passages_of(*word))
            .filter(|passages| !passages.is_empty())
            .collect();
        rarest.sort_by_key(Vec::len);
        let mut passages: Vec<u32> = rarest.into_iter().take(3).flatten().collect();
        passages.extend(passages.clone().iter().filter_map(|one| one.checked_sub(1)));
        passages.sort_unstable();
        passages.dedup();
        passages.into_iter().any(|passage| {
            let start = passage as usize * PASSAGE_WORDS;
            let end = self.words.len().min(start + 2 * PASSAGE_WORDS);
            let mut held = vec![false; distinct.len()];
            for word in self.words.get(start..end).unwrap_or_default() {
                if let Some(held) = distinct
                    .binary_search(word)
                    .ok()
                    .and_then(|at| held.get_mut(at))
                {
                    *held = true;
                }
            }
            share(held.iter().filter(|held| **held).count(), distinct.len()) >= SUPPORT_MIN
        })
    }

    /// The first passages that a word stands in.
    fn passages_of(&self, word: u32) -> Vec<u32> {
        self.places
            .from(u64::from(word) << 32)
            .take_while(|place| half(*place) == word)
            .take(PASSAGES_MAX)
            .map(|place| (place & u64::from(u32::MAX)) as u32)
            .collect()
    }
}

/// Whether all parts are there, each after the one before it.
fn is_chained<'t>(parts: impl Iterator<Item = &'t str>, all: &Digests, pairs: &Digests) -> bool {
    let mut previous: Option<u64> = None;
    for part in parts.map(digest) {
        let is_joined = |previous| pairs.contains(digest((previous, part)));
        if !all.contains(part) || previous.replace(part).is_some_and(|one| !is_joined(one)) {
            return false;
        }
    }
    true
}

/// The upper half of a digest.
pub(super) fn half(digest: u64) -> u32 {
    (digest >> 32) as u32
}

fn share(part: usize, whole: usize) -> f64 {
    let number = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    number(part) / number(whole.max(1))
}
