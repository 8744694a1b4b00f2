//! Owns how the index of a source is built that the proofs look things up in.
//!
//! Invariant: linear in the source, and in memory a small multiple of it, whatever it holds.

use crate::validate::digests::{Growing, digest, digest_of_words};
use crate::validate::evidence::{Evidence, PASSAGE_WORDS, half};
use crate::validate::runs::Counting;
use crate::validate::shapes::Shapes;
use crate::validate::tokens::{
    addresses, content_words, flags, lines_of, numbers, paths, pieces_of, tokens_of,
    without_fragment,
};
use skillkiln_document::blocks::{Block, BlockKind, Document, walk};
use skillkiln_document::orders::without_orders;
use skillkiln_document::quick::QuickSet;
use skillkiln_document::secret::redacted;
use skillkiln_document::text::{Inline, plain, squash};
use skillkiln_document::unseen::without_unseen;
use std::borrow::{Borrow, Cow};

/// Numbers that sources write as words.
const NUMBER_WORDS: [&str; 13] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve",
];

/// With what they begin.
const INITIALS: [u8; 14] = *b"zotfsenZOTFSEN";

/// An index that is still taking text.
#[derive(Debug, Default)]
pub(super) struct Index<'t> {
    /// What has been indexed to the letter, and needs no second look where a block repeats it.
    read: &'t str,
    lines: Growing,
    tokens: Growing,
    token_pairs: Growing,
    pieces: Growing,
    piece_pairs: Growing,
    flags: Growing,
    numbers: Growing,
    addresses: Growing,
    paths: Growing,
    word_pairs: Growing,
    last_word: Option<u64>,
    places: Growing,
    has_code: QuickSet<u64>,
    /// What needs no sorting.
    evidence: Evidence,
}

impl<'t> Index<'t> {
    /// Indexes a source, whose address or file name is `label`.
    pub(super) fn of(document: &Document, label: &str) -> Evidence {
        Index::begin(document, label).finish(&document.blocks)
    }

    /// Indexes a source that nobody else needs any more, letting its blocks go one by one: the index grows as large as they are.
    pub(super) fn consume(mut document: Document, label: &str) -> Evidence {
        let blocks = std::mem::take(&mut document.blocks);
        Index::begin(&document, label).finish(blocks)
    }

    fn begin(document: &'t Document, label: &str) -> Self {
        let mut index = Self::default();
        // What the source says stands in its blocks; its text as it was read may have more to the letter.
        index.add(&document.text);
        index.read = &document.text;
        for text in [
            document.title.as_deref(),
            document.about.author.as_deref(),
            document.about.date.as_deref(),
            document.about.address.as_deref(),
            document.about.site.as_deref(),
            document.about.description.as_deref(),
            Some(label),
        ] {
            index.say(text.unwrap_or_default());
        }
        index
    }

    fn finish<B: Borrow<Block>>(mut self, blocks: impl IntoIterator<Item = B>) -> Evidence {
        let mut said = Counting::default();
        let mut shapes = Shapes::default();
        for block in blocks {
            shapes.add(block.borrow());
            walk(std::slice::from_ref(block.borrow()), &mut |block| {
                self.add_block(block);
                said.add(block);
            });
        }
        Evidence {
            said: said.finish(),
            shapes,
            ..self.seal()
        }
    }

    /// The index as it will be looked up in.
    pub(super) fn seal(self) -> Evidence {
        let mut words = self.evidence.words;
        words.shrink_to_fit();
        let mut paragraphs = self.evidence.paragraphs;
        paragraphs.sort_unstable();
        Evidence {
            lines: self.lines.seal(),
            tokens: self.tokens.seal(),
            token_pairs: self.token_pairs.seal(),
            pieces: self.pieces.seal(),
            piece_pairs: self.piece_pairs.seal(),
            flags: self.flags.seal(),
            numbers: self.numbers.seal(),
            addresses: self.addresses.seal(),
            paths: self.paths.seal(),
            word_pairs: self.word_pairs.seal(),
            places: self.places.seal(),
            words,
            paragraphs,
            ..self.evidence
        }
    }

    /// Indexes one block without those inside it.
    pub(super) fn add_block(&mut self, block: &Block) {
        let read = self.read.get(block.span.bytes.clone()).unwrap_or_default();
        match &block.kind {
            BlockKind::Heading { text, .. } => self.add_inlines(text, read),
            BlockKind::Paragraph(text) => {
                let words = plain(text);
                self.evidence.paragraphs.push(digest_of_words(&words));
                self.add_worded(text, &words, read);
            }
            BlockKind::Code { text, .. } => {
                self.say_read(text, read);
                // A secret stays out, and the block is kept that stands without it.
                let open = redacted(text);
                let seen = without_unseen(&open);
                // What gives orders to a model is left out on purpose.
                let seen = without_orders(&seen);
                let lines: Vec<u64> = lines_of(&seen).map(|line| digest(&line)).collect();
                if !lines.is_empty() && self.has_code.insert(digest(&lines)) {
                    let start = text.trim().chars().take(60).collect();
                    self.evidence.codes.push((lines, start));
                }
            }
            BlockKind::Math(text) => self.say(text),
            BlockKind::Table {
                header,
                rows,
                caption,
            } => {
                header
                    .iter()
                    .chain(rows.iter().flatten())
                    .chain(caption)
                    .for_each(|cell| self.add_inlines(cell, ""));
            }
            BlockKind::Figure {
                source,
                alternative,
                caption,
            } => {
                self.add(source);
                self.say(alternative);
                self.add_inlines(caption, "");
            }
            BlockKind::Definitions(entries) => {
                // A term stands on one line with what is said of it.
                for entry in entries {
                    if let Some(BlockKind::Paragraph(text)) = entry.blocks.first().map(|b| &b.kind)
                    {
                        let terms: Vec<String> =
                            entry.terms.iter().map(|term| plain(term)).collect();
                        let text = plain(text);
                        let line = terms.concat() + &text;
                        self.evidence.paragraphs.push(digest_of_words(&line));
                        // So does its first sentence.
                        let led = terms.iter().flat_map(|term| pieces_of(term));
                        let led = led.chain(pieces_of(&text).next());
                        chain(led, &mut self.pieces, &mut self.piece_pairs);
                    }
                }
                entries
                    .iter()
                    .flat_map(|entry| &entry.terms)
                    .for_each(|term| self.add_inlines(term, ""));
            }
            BlockKind::Admonition {
                class,
                title,
                blocks,
            } => {
                self.say(title.as_deref().unwrap_or_default());
                // One without a title is written with its class before its first words.
                if let (None, Some(BlockKind::Paragraph(text))) =
                    (title, blocks.first().map(|block| &block.kind))
                {
                    let mut label = class.clone();
                    if let Some(first) = label.get_mut(..1) {
                        first.make_ascii_uppercase();
                    }
                    label.push_str(&plain(text));
                    self.evidence.paragraphs.push(digest_of_words(&label));
                }
            }
            BlockKind::List { .. } | BlockKind::Quote(_) => {}
        }
    }

    fn add_inlines(&mut self, inlines: &[Inline], read: &str) {
        self.add_worded(inlines, &plain(inlines), read);
    }

    /// The same, of which the plain words are known.
    fn add_worded(&mut self, inlines: &[Inline], words: &str, read: &str) {
        match inlines
            .iter()
            .any(|inline| matches!(inline, Inline::Math(_)))
        {
            true => self.say_read(&plain(&with_dollars(inlines)), read),
            false => self.say_read(words, read),
        }
        // Code in several pieces is written as one.
        for run in
            inlines.chunk_by(|one, next| matches!((one, next), (Inline::Code(_), Inline::Code(_))))
        {
            if let [Inline::Code(_), _, ..] = run {
                self.lines.insert(digest(squash(&plain(run))));
            }
        }
        let mut stack: Vec<&Inline> = inlines.iter().collect();
        while let Some(inline) = stack.pop() {
            match inline {
                Inline::Code(code) => {
                    self.lines.insert(digest(squash(code)));
                }
                Inline::Link(link) => {
                    self.add(&link.href);
                    stack.extend(&link.text);
                }
                Inline::Emphasis(inner) | Inline::Strong(inner) => stack.extend(inner),
                // After code, as in "`N`-element" and "`C`/Fortran", words begin as flags and paths do.
                Inline::Text(text) => self.add_names(text),
                // What cannot stand between dollars is written as code: `0 < x`.
                Inline::Math(formula) => {
                    self.lines.insert(digest(squash(formula)));
                }
                Inline::Break => {}
            }
        }
    }

    /// Indexes what the source says: what it holds to the letter, and its sentences.
    pub(super) fn say(&mut self, text: &str) {
        self.say_read(text, "");
    }

    /// The same of a text that was made of `read`, which has been indexed to the letter: where they agree, only the
    /// sentences are new.
    fn say_read(&mut self, text: &str, read: &str) {
        let is_read = text.len() * 2 >= read.len() && stands_in(text.trim(), read);
        if !is_read {
            self.add(text);
        }
        for word in content_words(text) {
            if let Some(last) = self.last_word.replace(word) {
                self.word_pairs.insert(digest((&last, &word)));
            }
            let passage = self.evidence.words.len() / PASSAGE_WORDS;
            self.evidence.words.push(half(word));
            if let Ok(passage) = u32::try_from(passage) {
                let place = (u64::from(half(word)) << 32) | u64::from(passage);
                self.places.insert(place);
            }
        }
    }

    /// Indexes the flags and the paths of a text.
    fn add_names(&mut self, text: &str) {
        self.flags.extend(flags(text).map(digest));
        self.paths.extend(paths(text).map(digest));
    }

    /// Indexes what a text holds to the letter, and what is seen of it: a skill holds no character that nobody sees.
    fn add(&mut self, text: &str) {
        if let Cow::Owned(seen) = without_unseen(text) {
            self.add_letters(&seen);
        }
        self.add_letters(text);
    }

    fn add_letters(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.lines.extend(lines_of(text).map(digest));
        chain(tokens_of(text), &mut self.tokens, &mut self.token_pairs);
        chain(pieces_of(text), &mut self.pieces, &mut self.piece_pairs);
        self.add_names(text);
        // A description holds no angle brackets (V033): `--regex-<LANG>` is `--regex-LANG` there.
        if text.contains('<') {
            self.add_names(&text.replace(['<', '>'], ""));
        }
        for address in addresses(text) {
            self.addresses.insert(digest(without_fragment(&address)));
            self.addresses.insert(digest(address.as_str()));
        }
        for number in numbers(text) {
            self.numbers.extend(number.split(',').map(digest));
            self.numbers.insert(digest(number.replace(',', "")));
        }
        for word in text
            .as_bytes()
            .split(|byte| !byte.is_ascii_alphabetic())
            .filter(|word| (3..=6).contains(&word.len()))
            .filter(|word| word.first().is_some_and(|first| INITIALS.contains(first)))
        {
            if let Some(number) = NUMBER_WORDS
                .iter()
                .position(|name| name.as_bytes().eq_ignore_ascii_case(word))
            {
                self.numbers.insert(digest(number.to_string().as_str()));
            }
        }
    }
}

/// Words with the marks around their formulas that part a formula from the words beside it, where nothing else does.
fn with_dollars(inlines: &[Inline]) -> Vec<Inline> {
    let marked = |inline: &Inline| match inline {
        Inline::Math(formula) => Inline::Text(format!("${formula}$")),
        other => other.clone(),
    };
    inlines.iter().map(marked).collect()
}

/// Whether `read` holds `text` by itself, so that both are taken apart alike: in `\f5/etc/kiln\fR` the path has no end.
fn stands_in(text: &str, read: &str) -> bool {
    first_in(read, text).is_some_and(|at| {
        let (before, rest) = read.split_at_checked(at).unwrap_or_default();
        let after = rest.get(text.len()..).unwrap_or_default();
        (before.is_empty() || before.ends_with(char::is_whitespace))
            && (after.is_empty() || after.starts_with(char::is_whitespace))
    })
}

/// Where `read` first holds `text`. Mostly it begins with it or has little more, and preparing a search for a whole paragraph takes
/// longer than looking at the few places there are.
fn first_in(read: &str, text: &str) -> Option<usize> {
    const PLACES_MAX: usize = 32;
    let places = read.len().checked_sub(text.len())?;
    if places > PLACES_MAX {
        return match read.starts_with(text) {
            true => Some(0),
            false => read.find(text),
        };
    }
    let mut starts = read.as_bytes().windows(text.len().max(1)).take(places + 1);
    match text.is_empty() {
        true => Some(0),
        false => starts.position(|window| window == text.as_bytes()),
    }
}

/// Puts the digests of all parts into `all`, and of all neighbours into `pairs`.
fn chain<'t>(parts: impl Iterator<Item = &'t str>, all: &mut Growing, pairs: &mut Growing) {
    let mut previous: Option<u64> = None;
    for part in parts.map(digest) {
        all.insert(part);
        if let Some(previous) = previous.replace(part) {
            pairs.insert(digest((previous, part)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::first_in;

    #[test]
    fn what_a_text_was_made_of_is_found_where_any_search_finds_it() {
        let long = "kiln ".repeat(40);
        for read in [
            "",
            "a",
            "aab",
            "  kiln\n",
            "the kiln, the kiln",
            &long,
            "öfen",
        ] {
            for text in [
                "",
                "a",
                "ab",
                "kiln",
                "kiln, the",
                "kiln kiln",
                "ln k",
                "en",
                &long,
            ] {
                assert_eq!(
                    first_in(read, text),
                    read.find(text),
                    "{text:?} in {read:?}"
                );
            }
        }
    }
}
