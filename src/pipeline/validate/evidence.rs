//! Owns the index of a source that the proofs look things up in: its lines of code, its tokens, flags, numbers, addresses, paths and sentences.
//!
//! Everything is kept as 64-bit digests in sets, so that building it is linear in the source and each look-up takes
//! constant time, however often hostile text repeats itself.

use crate::domain::document::{Block, BlockKind};
use crate::domain::text::{Inline, plain, squash};
use crate::pipeline::product::Extracted;
use crate::pipeline::secret::REDACTED;
use crate::pipeline::validate::coverage::Said;
use crate::pipeline::validate::tokens::{
    addresses, content_words, flags, lines_of, numbers, paths, pieces_of, tokens_of,
    without_fragment,
};
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Content words in a window that a sentence may stand on, and how far apart windows start.
const WINDOW: usize = 48;
const STRIDE: usize = 24;
/// Most windows that are looked at for one word: a word that is everywhere proves nothing.
const POSTINGS_MAX: usize = 64;
/// Numbers that sources write as words.
const NUMBER_WORDS: [&str; 13] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve",
];
/// The index of one source.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    lines: HashSet<u64>,
    tokens: HashSet<u64>,
    token_pairs: HashSet<u64>,
    pieces: HashSet<u64>,
    piece_pairs: HashSet<u64>,
    flags: HashSet<u64>,
    numbers: HashSet<u64>,
    addresses: HashSet<u64>,
    paths: HashSet<u64>,
    word_pairs: HashSet<u64>,
    windows: Vec<HashSet<u64>>,
    postings: HashMap<u64, Vec<u32>>,
    /// The lines of each code block of the source, and how it starts.
    pub(super) codes: Vec<(Vec<u64>, String)>,
    has_code: HashSet<u64>,
    /// What the source says, to be counted.
    pub(super) said: Said,
}

/// The digest of anything.
pub(super) fn digest(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

impl Evidence {
    /// Indexes a source.
    pub(super) fn of(source: &Extracted) -> Self {
        let mut evidence = Self::default();
        let document = &source.document;
        evidence.add(&document.text);
        for text in [
            document.title.as_deref(),
            document.about.author.as_deref(),
            document.about.date.as_deref(),
            document.about.address.as_deref(),
            document.about.site.as_deref(),
            document.about.description.as_deref(),
            Some(source.origin.label.as_str()),
        ] {
            evidence.add(text.unwrap_or_default());
        }
        document.walk(&mut |block| evidence.add_block(block));
        evidence.said = Said::of(document);
        evidence
    }

    /// Indexes one block without those inside it.
    pub(super) fn add_block(&mut self, block: &Block) {
        match &block.kind {
            BlockKind::Heading { text, .. } => self.add_inlines(text),
            BlockKind::Paragraph(text) => self.add_inlines(text),
            BlockKind::Code { text, .. } => {
                self.add(text);
                let lines: Vec<u64> = lines_of(text).map(|line| digest(&line)).collect();
                if !lines.is_empty() && self.has_code.insert(digest(&lines)) {
                    self.codes
                        .push((lines, text.trim().chars().take(60).collect()));
                }
            }
            BlockKind::Math(text) => self.add(text),
            BlockKind::Table {
                header,
                rows,
                caption,
            } => {
                header
                    .iter()
                    .chain(rows.iter().flatten())
                    .chain(caption)
                    .for_each(|cell| self.add_inlines(cell));
            }
            BlockKind::Figure {
                source,
                alternative,
                caption,
            } => {
                self.add(source);
                self.add(alternative);
                self.add_inlines(caption);
            }
            BlockKind::Definitions(entries) => {
                entries
                    .iter()
                    .flat_map(|entry| &entry.terms)
                    .for_each(|term| self.add_inlines(term));
            }
            BlockKind::Admonition { title, .. } => self.add(title.as_deref().unwrap_or_default()),
            BlockKind::List { .. } | BlockKind::Quote(_) => {}
        }
    }

    fn add_inlines(&mut self, inlines: &[Inline]) {
        self.add(&plain(inlines));
        let mut stack: Vec<&Inline> = inlines.iter().collect();
        while let Some(inline) = stack.pop() {
            match inline {
                Inline::Code(code) => {
                    self.lines.insert(digest(squash(code)));
                }
                Inline::Link { href, text } => {
                    self.add(href);
                    stack.extend(text);
                }
                Inline::Emphasis(inner) | Inline::Strong(inner) => stack.extend(inner),
                // After code, as in "`N`-element", a word begins with the dash that a flag begins with.
                Inline::Text(text) => self.flags.extend(flags(text).map(digest)),
                Inline::Math(_) | Inline::Break => {}
            }
        }
    }

    /// Indexes one text.
    pub(super) fn add(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.lines.extend(lines_of(text).map(digest));
        chain(tokens_of(text), &mut self.tokens, &mut self.token_pairs);
        chain(pieces_of(text), &mut self.pieces, &mut self.piece_pairs);
        self.flags.extend(flags(text).map(digest));
        for address in addresses(text) {
            self.addresses.insert(digest(without_fragment(&address)));
            self.addresses.insert(digest(address.as_str()));
        }
        self.paths.extend(paths(text).map(digest));
        for number in numbers(text) {
            self.numbers.extend(number.split(',').map(digest));
            self.numbers.insert(digest(number.replace(',', "")));
        }
        let words: Vec<u64> = content_words(text)
            .map(|word| digest(word.as_str()))
            .collect();
        self.word_pairs
            .extend(words.iter().zip(words.iter().skip(1)).map(digest));
        let mut start = 0;
        while let Some(window) = words
            .get(start..words.len().min(start + WINDOW))
            .filter(|window| !window.is_empty())
        {
            let number = u32::try_from(self.windows.len()).unwrap_or(u32::MAX);
            let window: HashSet<u64> = window.iter().copied().collect();
            for word in &window {
                let postings = self.postings.entry(*word).or_default();
                if postings.len() < POSTINGS_MAX {
                    postings.push(number);
                }
            }
            self.windows.push(window);
            start += STRIDE;
        }
        for word in text
            .split(|c: char| !c.is_ascii_alphabetic())
            .filter(|word| (3..=6).contains(&word.len()))
        {
            if let Some(number) = NUMBER_WORDS
                .iter()
                .position(|name| name.eq_ignore_ascii_case(word))
            {
                self.numbers.insert(digest(number.to_string().as_str()));
            }
        }
    }

    /// Whether the source has this flag.
    pub(super) fn has_flag(&self, flag: &str) -> bool {
        self.flags.contains(&digest(flag))
    }

    /// Whether the source has this number.
    pub(super) fn has_number(&self, number: &str) -> bool {
        self.numbers.contains(&digest(number))
            || self
                .numbers
                .contains(&digest(number.replace(',', "").as_str()))
    }

    /// Whether the source has this address, or one that differs only in its fragment.
    pub(super) fn has_address(&self, address: &str) -> bool {
        let page = without_fragment(address);
        self.addresses.contains(&digest(address)) || self.addresses.contains(&digest(page))
    }

    /// Whether the source has this word, as it is or in lower case.
    pub(super) fn has_word(&self, word: &str) -> bool {
        let has = |word: &str| {
            self.tokens.contains(&digest(word))
                || pieces_of(word).all(|piece| self.pieces.contains(&digest(piece)))
        };
        has(word) || has(&word.to_lowercase())
    }

    /// Whether the source has this path.
    pub(super) fn has_path(&self, path: &str) -> bool {
        self.paths.contains(&digest(path)) || self.tokens.contains(&digest(path))
    }

    /// Whether the source has this line of code or this command: as a line, or token by token in the same order.
    pub(super) fn has_code(&self, line: &str) -> bool {
        let line = squash(line);
        if line.contains(REDACTED) {
            return line.split(REDACTED).all(|part| {
                let parts: Vec<&str> = pieces_of(part).collect();
                parts
                    .iter()
                    .all(|part| self.pieces.contains(&digest(*part)))
                    && parts
                        .iter()
                        .zip(parts.iter().skip(1))
                        .all(|(one, next)| self.piece_pairs.contains(&digest((*one, *next))))
            });
        }
        if self.lines.contains(&digest(line.as_str())) || !line.contains(char::is_alphanumeric) {
            return true;
        }
        let is_chained = |parts: Vec<&str>, all: &HashSet<u64>, pairs: &HashSet<u64>| {
            parts.iter().all(|part| all.contains(&digest(*part)))
                && parts
                    .iter()
                    .zip(parts.iter().skip(1))
                    .all(|(one, next)| pairs.contains(&digest((*one, *next))))
        };
        is_chained(tokens_of(&line).collect(), &self.tokens, &self.token_pairs)
            || (!line.contains(' ')
                && is_chained(pieces_of(&line).collect(), &self.pieces, &self.piece_pairs))
    }

    /// The share of a sentence's content words that one place of the source supports; `None` when it has too few to tell.
    pub(super) fn support(&self, sentence: &str) -> Option<f64> {
        let words: Vec<u64> = content_words(sentence)
            .take(400)
            .map(|word| digest(word.as_str()))
            .collect();
        if words.len() < 4 {
            return None;
        }
        let pairs = words
            .iter()
            .zip(words.iter().skip(1))
            .filter(|pair| self.word_pairs.contains(&digest(pair)))
            .count();
        let by_order = share(pairs, words.len() - 1);
        let distinct: HashSet<u64> = words.iter().copied().collect();
        let mut rarest: Vec<&Vec<u32>> = distinct
            .iter()
            .filter_map(|word| self.postings.get(word))
            .collect();
        rarest.sort_by_key(|postings| postings.len());
        let by_place = rarest
            .iter()
            .take(3)
            .flat_map(|postings| postings.iter())
            .filter_map(|window| self.windows.get(usize::try_from(*window).ok()?))
            .map(|window| distinct.iter().filter(|word| window.contains(word)).count())
            .max()
            .unwrap_or(0);
        Some(by_order.max(share(by_place, distinct.len())))
    }
}

fn share(part: usize, whole: usize) -> f64 {
    let number = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    number(part) / number(whole.max(1))
}

/// Puts the digests of all parts into `all`, and of all neighbours into `pairs`.
fn chain<'t>(
    parts: impl Iterator<Item = &'t str>,
    all: &mut HashSet<u64>,
    pairs: &mut HashSet<u64>,
) {
    let mut previous: Option<&str> = None;
    for part in parts {
        all.insert(digest(part));
        if let Some(previous) = previous {
            pairs.insert(digest((previous, part)));
        }
        previous = Some(part);
    }
}
