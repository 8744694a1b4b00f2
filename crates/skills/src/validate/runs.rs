//! Owns what is counted of a source and of a skill: the runs of words, the cells of tables, the orders and the places taken out.
//!
//! Words are compared in runs of five, as the evaluation of whole folders does. Everything is a set of 64-bit digests:
//! linear in both texts.

use crate::scaffold::is_ours;
use crate::validate::digests::{Digests, Growing, digest};
use crate::validate::page::Page;
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::orders::is_order;
use skillkiln_document::secret::REDACTED;
use skillkiln_document::text::{self, plain};

/// Words in a run.
const RUN: usize = 5;

/// What a source says, as far as it is counted.
#[derive(Debug, Default)]
pub(super) struct Said {
    /// Its runs of words, each once.
    pub(super) runs: Digests,
    /// The cells of each of its tables.
    pub(super) tables: Vec<Vec<u64>>,
    /// How many of its passages give orders to whoever reads them for somebody else.
    pub(super) orders: usize,
    /// How often it says itself that something was taken out.
    pub(super) redactions: usize,
}

/// What a source says while it is being counted.
#[derive(Debug, Default)]
pub(super) struct Counting {
    runs: Growing,
    tables: Vec<Vec<u64>>,
    orders: usize,
    redactions: usize,
}

impl Counting {
    /// Counts a block without those inside it.
    pub(super) fn add(&mut self, block: &Block) {
        let mut take = |text: &str| {
            self.orders += usize::from(is_order(text));
            self.redactions += text.matches(REDACTED).count();
            add_runs(text, &mut |run| self.runs.insert(run));
        };
        self.tables.extend(count(block, &mut take));
    }

    /// What was counted.
    pub(super) fn finish(self) -> Said {
        Said {
            runs: self.runs.seal(),
            tables: self.tables,
            orders: self.orders,
            redactions: self.redactions,
        }
    }
}

/// Hands out the texts of one block without those inside it; of a table, the cells come back.
fn count(block: &Block, take: &mut impl FnMut(&str)) -> Option<Vec<u64>> {
    match &block.kind {
        BlockKind::Heading { text, .. } | BlockKind::Paragraph(text) => take(&plain(text)),
        BlockKind::Code { text, .. } => take(text),
        BlockKind::Table { header, rows, .. } => {
            let cells = header.iter().chain(rows.iter().flatten());
            let cells = cells.map(|cell| plain(cell)).filter_map(|cell| {
                take(&cell);
                words(&cell)
            });
            return Some(cells.collect());
        }
        BlockKind::Definitions(entries) => entries
            .iter()
            .flat_map(|entry| &entry.terms)
            .for_each(|term| take(&plain(term))),
        BlockKind::Figure { caption, .. } => take(&plain(caption)),
        BlockKind::Math(_)
        | BlockKind::List { .. }
        | BlockKind::Quote(_)
        | BlockKind::Admonition { .. } => {}
    }
    None
}

/// The runs of words of a body, as often as they stand there: two of the proofs count them.
#[derive(Debug)]
pub(super) struct Runs {
    /// Their digests.
    pub(super) all: Vec<u64>,
    /// So many of them, the first ones, are not of texts of ours.
    pub(super) own: usize,
}

impl Runs {
    /// Counts those of a body.
    pub(super) fn of(body: &Page<'_>) -> Self {
        let mut all = Vec::new();
        let (ours, others): (Vec<&str>, Vec<&str>) = texts(body).partition(|text| is_ours(text));
        for text in others {
            add_runs(text, &mut |run| all.push(run));
        }
        let own = all.len();
        for text in ours {
            add_runs(text, &mut |run| all.push(run));
        }
        Self { all, own }
    }
}

/// The running text and the code of a page.
pub(super) fn texts<'p>(page: &'p Page<'_>) -> impl Iterator<Item = &'p str> {
    let prose = page.prose.iter().map(|prose| prose.text.as_ref());
    prose.chain(page.codes.iter().map(|code| code.text.as_ref()))
}

/// Puts out the digests of every run of words; of a shorter text, that of all its words.
pub(super) fn add_runs(text: &str, out: &mut impl FnMut(u64)) {
    let mut run = [0_u64; RUN];
    let mut count = 0;
    for word in text::words(text).map(word_digest) {
        run.rotate_left(1);
        run[RUN - 1] = word;
        count += 1;
        if count >= RUN {
            out(digest(run));
        }
    }
    if (1..RUN).contains(&count) {
        out(digest(run.get(RUN - count..)));
    }
}

/// The digest of all words of a text; none of a text without words.
pub(super) fn words(text: &str) -> Option<u64> {
    text::words(text)
        .map(word_digest)
        .reduce(|before, word| digest((before, word)))
}

/// The digest of a word in lower case.
fn word_digest(word: &str) -> u64 {
    const SHORT: usize = 32;
    let mut lower = [0; SHORT];
    match lower.get_mut(..word.len()) {
        Some(lower) if word.is_ascii() => {
            lower.copy_from_slice(word.as_bytes());
            lower.make_ascii_lowercase();
            digest(lower)
        }
        _ => digest(word.to_lowercase().as_bytes()),
    }
}
