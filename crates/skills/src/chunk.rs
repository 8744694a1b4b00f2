//! Owns how a section that is too long for one file is cut where it has no headings: long lists between their entries, prose between
//! paragraphs, each piece under a heading of what it speaks of.

use crate::cues;
use crate::outline::{Outline, block_text};
use crate::terms::{Term, Vocabulary};
use crate::tokens::tokens;
use skillkiln_document::blocks::{Block, BlockKind, Definition, Span};
use skillkiln_document::markdown;
use skillkiln_document::quick::QuickMap;
use skillkiln_document::text::{Inline, capitalised, plain, squash};

/// A list, a table or a glossary is cut from so many tokens on.
const BLOCK_TOKENS_MAX: usize = 1_200;
/// A section's own text is cut from so many tokens on.
const SECTION_TOKENS_MAX: usize = 2_600;
/// Tokens that a piece has at least, but for the last one.
const PIECE_TOKENS: usize = 1_300;
/// Words that a piece of prose is called by.
const NAME_TERMS: usize = 3;
/// Words of its beginning that a piece is called by where no others tell it from its neighbours.
const OPENING_WORDS: usize = 6;

/// The blocks with headings where sections are cut; `None` where none has to be.
#[must_use]
pub fn chunked(blocks: &[Block]) -> Option<Vec<Block>> {
    let outline = Outline::of(blocks);
    let is_long = |own: usize| own > SECTION_TOKENS_MAX;
    if !outline.sections.iter().any(|one| is_long(one.tokens)) {
        return None;
    }
    let mut names = Names::default();
    let mut out: Vec<Block> = Vec::with_capacity(blocks.len() + 16);
    for section in &outline.sections {
        out.extend(section.heading.and_then(|at| blocks.get(at)).cloned());
        let own = blocks.get(section.blocks.clone()).unwrap_or_default();
        if !is_long(section.tokens) {
            out.extend_from_slice(own);
            continue;
        }
        let level = (section.level + 1).clamp(2, 6);
        let pieces = pieces(own);
        let counts: Vec<QuickMap<Term, u32>> =
            pieces.iter().map(|piece| names.count(piece)).collect();
        let mut spread: QuickMap<Term, u32> = QuickMap::default();
        for term in counts.iter().flat_map(QuickMap::keys) {
            *spread.entry(*term).or_default() += 1;
        }
        for (number, (piece, count)) in pieces.into_iter().zip(&counts).enumerate() {
            if number > 0 {
                let told = names.title(&section.title, &piece, count, &spread);
                // A piece that no word tells from its neighbours is called by how it begins.
                let title = told.unwrap_or_else(|| opening(&piece));
                out.push(Block {
                    kind: BlockKind::Heading {
                        level,
                        text: vec![Inline::Text(title)],
                    },
                    span: beginning(&piece),
                });
            }
            out.extend(piece);
        }
    }
    Some(out)
}

/// The place where a piece begins, without length: a heading of ours is no part of the source.
fn beginning(piece: &[Block]) -> Span {
    let mut span = piece
        .first()
        .map_or_else(Span::default, |one| one.span.clone());
    span.bytes.end = span.bytes.start;
    span
}

/// Blocks in runs of about [`PIECE_TOKENS`]; what announces something stays with it.
fn pieces(blocks: &[Block]) -> Vec<Vec<Block>> {
    let mut out: Vec<Vec<Block>> = vec![Vec::new()];
    let (mut spent, mut announces) = (0, false);
    for block in blocks.iter().flat_map(entries) {
        let is_follower = matches!(
            block.kind,
            BlockKind::Code { .. } | BlockKind::Math(_) | BlockKind::Figure { .. }
        );
        let is_full = spent * 4 >= PIECE_TOKENS * 3;
        if is_full && (!announces && !is_follower || spent >= 2 * PIECE_TOKENS) {
            out.push(Vec::new());
            spent = 0;
        }
        announces =
            matches!(&block.kind, BlockKind::Paragraph(text) if cues::announces(&plain(text)));
        spent += tokens(&markdown::write(std::slice::from_ref(&block)));
        if let Some(last) = out.last_mut() {
            last.push(block);
        }
    }
    out
}

/// A long list, table or glossary as several of them; any other block as it is.
fn entries(block: &Block) -> Vec<Block> {
    let cost = tokens(&block_text(block));
    if cost <= BLOCK_TOKENS_MAX {
        return vec![block.clone()];
    }
    let made = |kind: BlockKind, span: Option<&Span>| Block {
        kind,
        span: span.unwrap_or(&block.span).clone(),
    };
    match &block.kind {
        BlockKind::List { start, items } => {
            let mut out = Vec::new();
            let mut taken: u64 = 0;
            for items in runs(items, |item| item_tokens(item)) {
                let start = start.map(|start| start + taken);
                taken += items.len() as u64;
                match items {
                    [item] if item_tokens(item) > BLOCK_TOKENS_MAX => {
                        out.extend(cut_item(item, start, &block.span));
                    }
                    _ => {
                        let span = span_of(items.iter().flatten());
                        let items = items.to_vec();
                        out.push(made(BlockKind::List { start, items }, span.as_ref()));
                    }
                }
            }
            out
        }
        BlockKind::Paragraph(text) => cut_words(text)
            .into_iter()
            .map(|text| made(BlockKind::Paragraph(text), None))
            .collect(),
        BlockKind::Definitions(entries) => {
            let size = |entry: &Definition| {
                entry
                    .blocks
                    .iter()
                    .map(|one| tokens(&block_text(one)))
                    .sum::<usize>()
                    + 8
            };
            runs(entries, size)
                .into_iter()
                .map(|entries| {
                    let span = span_of(entries.iter().flat_map(|entry| &entry.blocks));
                    made(BlockKind::Definitions(entries.to_vec()), span.as_ref())
                })
                .collect()
        }
        BlockKind::Table {
            header,
            rows,
            caption,
        } => {
            let size =
                |row: &Vec<Vec<Inline>>| row.iter().map(|cell| tokens(&plain(cell)) + 1).sum();
            let mut caption = caption.clone();
            runs(rows, size)
                .into_iter()
                .map(|rows| {
                    let kind = BlockKind::Table {
                        header: header.clone(),
                        rows: rows.to_vec(),
                        caption: caption.take(),
                    };
                    made(kind, None)
                })
                .collect()
        }
        BlockKind::Code { language, text } => cut_code(text)
            .into_iter()
            .map(|text| {
                let language = language.clone();
                let text = text.trim_matches('\n').to_owned();
                made(BlockKind::Code { language, text }, None)
            })
            .collect(),
        _ => vec![block.clone()],
    }
}

fn item_tokens(item: &[Block]) -> usize {
    item.iter().map(|one| tokens(&block_text(one))).sum()
}

/// A long item: as much as a piece may be stays one, and what follows, lists in it for the most part, stands by itself.
fn cut_item(item: &[Block], start: Option<u64>, span: &Span) -> Vec<Block> {
    let mut inner = item.iter().flat_map(entries);
    let (mut kept, mut spent) = (Vec::new(), 0);
    for block in inner.by_ref() {
        spent += tokens(&block_text(&block));
        kept.push(block);
        if spent >= PIECE_TOKENS {
            break;
        }
    }
    let own = Block {
        span: span_of(kept.iter()).unwrap_or_else(|| span.clone()),
        kind: BlockKind::List {
            start,
            items: vec![kept],
        },
    };
    std::iter::once(own).chain(inner).collect()
}

/// A paragraph without end in pieces: behind the last sentence of a piece, else behind a word.
fn cut_words(text: &[Inline]) -> Vec<Vec<Inline>> {
    let mut out: Vec<Vec<Inline>> = vec![Vec::new()];
    let mut spent = 0;
    let mut take = |inline: Inline, cost: usize| {
        if spent >= PIECE_TOKENS {
            out.push(Vec::new());
            spent = 0;
        }
        spent += cost;
        if let Some(last) = out.last_mut() {
            last.push(inline);
        }
    };
    for inline in text {
        let Inline::Text(words) = inline else {
            take(inline.clone(), tokens(&plain(std::slice::from_ref(inline))));
            continue;
        };
        let mut rest = words.as_str();
        while let Some(near) = rest.char_indices().nth(4 * PIECE_TOKENS).map(|(at, _)| at) {
            let head = rest.get(..near).unwrap_or(rest);
            let sentence = head.rfind(". ").map(|at| at + 1);
            let word = head.rfind(' ').filter(|at| *at > 0);
            let at = sentence.or(word).unwrap_or(near);
            let (head, tail) = rest.split_at(at);
            take(Inline::Text(head.trim_end().to_owned()), PIECE_TOKENS);
            rest = tail.trim_start();
        }
        if !rest.is_empty() {
            take(Inline::Text(rest.to_owned()), tokens(rest));
        }
    }
    out
}

/// Long code in pieces that begin at lines without an indent, where there are such.
fn cut_code(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let (mut start, mut at) = (0, 0);
    for line in text.split_inclusive('\n') {
        let spent = (at - start) / 4;
        let is_top =
            line.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '@' | '#' | '/'));
        if spent >= 3 * PIECE_TOKENS || (spent >= PIECE_TOKENS && is_top) {
            out.extend(text.get(start..at));
            start = at;
        }
        at += line.len();
    }
    out.extend(text.get(start..).filter(|rest| !rest.trim().is_empty()));
    out
}

/// The place of some blocks together; `None` where they are at none.
fn span_of<'b>(mut blocks: impl Iterator<Item = &'b Block>) -> Option<Span> {
    let mut span = blocks.next()?.span.clone();
    for block in blocks {
        span.bytes.start = span.bytes.start.min(block.span.bytes.start);
        span.bytes.end = span.bytes.end.max(block.span.bytes.end);
    }
    Some(span)
}

fn runs<T>(all: &[T], size: impl Fn(&T) -> usize) -> Vec<&[T]> {
    let mut out = Vec::new();
    let (mut start, mut spent) = (0, 0);
    for (at, one) in all.iter().enumerate() {
        if spent >= PIECE_TOKENS {
            out.extend(all.get(start..at));
            (start, spent) = (at, 0);
        }
        spent += size(one);
    }
    out.extend(all.get(start..));
    out
}

/// What pieces are called by.
#[derive(Debug, Default)]
struct Names {
    vocabulary: Vocabulary,
}

impl Names {
    fn count(&mut self, piece: &[Block]) -> QuickMap<Term, u32> {
        let mut count = QuickMap::default();
        for block in piece {
            for term in self.vocabulary.terms(&block_text(block)) {
                *count.entry(term).or_default() += 1;
            }
        }
        count
    }

    /// A heading for a piece: the section's title, and its first and last entry or the words that it speaks of more than its neighbours.
    fn title(
        &self,
        section: &str,
        piece: &[Block],
        count: &QuickMap<Term, u32>,
        spread: &QuickMap<Term, u32>,
    ) -> Option<String> {
        let told = match (first_entry(piece), last_entry(piece)) {
            (Some(first), Some(last)) if first != last => format!("{first} to {last}"),
            (Some(first), _) => first,
            _ => {
                let mut ranked: Vec<(f64, Term)> = count
                    .iter()
                    .filter(|(term, times)| **times > 1 && is_word(self.vocabulary.written(**term)))
                    .map(|(term, times)| {
                        let places = spread.get(term).copied().unwrap_or(1);
                        (f64::from(*times) / f64::from(places), *term)
                    })
                    .collect();
                ranked.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
                let words = ranked.iter().take(NAME_TERMS);
                let words: Vec<&str> = words
                    .map(|(_, term)| self.vocabulary.written(*term))
                    .collect();
                words.join(", ")
            }
        };
        let title = match (section.is_empty(), told.is_empty()) {
            (_, true) => return None,
            (true, false) => capitalised(&told),
            (false, false) => format!("{}: {told}", section.trim_end_matches([':', ' '])),
        };
        Some(squash(&title))
    }
}

/// The first words of a piece.
fn opening(piece: &[Block]) -> String {
    let text = piece.first().map(block_text).unwrap_or_default();
    let words: Vec<&str> = text.split_whitespace().take(OPENING_WORDS).collect();
    words.join(" ")
}

fn is_word(word: &str) -> bool {
    word.chars().count() > 2 && word.chars().all(|c| c.is_alphabetic() || c == '-')
}

fn first_entry(piece: &[Block]) -> Option<String> {
    piece.iter().find_map(|block| match &block.kind {
        BlockKind::Definitions(entries) => entries.first().and_then(entry_name),
        _ => None,
    })
}

fn last_entry(piece: &[Block]) -> Option<String> {
    piece.iter().rev().find_map(|block| match &block.kind {
        BlockKind::Definitions(entries) => entries.last().and_then(entry_name),
        _ => None,
    })
}

/// What an entry is called: its first term up to what may follow it.
fn entry_name(entry: &Definition) -> Option<String> {
    let term = squash(&plain(entry.terms.first()?));
    let name = term.split([' ', '[', '(', '=', ',']).next()?;
    (name.chars().any(char::is_alphanumeric) && name.len() <= 40).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::testing::{block, document, words};

    #[test]
    fn a_long_glossary_is_cut_between_its_entries_and_each_piece_is_called_by_them() {
        let mut document = document("# Keys\n\nThese keys are bound.");
        let entry = |number: usize| Definition {
            terms: vec![words(&format!("key-{number} [-x]"))],
            blocks: vec![block(
                BlockKind::Paragraph(words(&"Opens the door of the kiln. ".repeat(10))),
                0..10,
            )],
        };
        let entries = (0..60).map(entry).collect();
        document
            .blocks
            .push(block(BlockKind::Definitions(entries), 0..10));
        let chunked = chunked(&document.blocks).unwrap();
        let outline = Outline::of(&chunked);
        assert!(outline.sections.len() > 3);
        let title = &outline.sections[2].title;
        assert!(
            title.starts_with("Keys: key-") && title.contains(" to key-"),
            "{title}"
        );
        assert!(
            outline
                .sections
                .iter()
                .all(|one| one.tokens <= SECTION_TOKENS_MAX)
        );
    }

    #[test]
    fn a_paragraph_without_end_and_a_list_in_one_item_are_cut_too() {
        let paragraph = |text: &str| block(BlockKind::Paragraph(words(text)), 0..10);
        let mut endless = document("# Kiln");
        endless
            .blocks
            .push(paragraph(&"It fires clay. ".repeat(4_000)));
        let entry =
            |number: usize| vec![paragraph(&format!("Commit{number} of the door {number}"))];
        let list = |items| block(BlockKind::List { start: None, items }, 0..10);
        let mut nested = document("# Kiln");
        let inner = list((0..900).map(entry).collect());
        nested
            .blocks
            .push(list(vec![vec![paragraph("All"), inner]]));
        for document in [&endless, &nested] {
            let chunked = chunked(&document.blocks).unwrap();
            let outline = Outline::of(&chunked);
            assert!(outline.sections.len() > 3);
            let longest = outline.sections.iter().map(|one| one.tokens).max();
            assert!(longest <= Some(2 * SECTION_TOKENS_MAX), "{longest:?}");
            let words = |blocks: &[Block]| {
                let text: Vec<String> = blocks
                    .iter()
                    .filter(|one| !matches!(one.kind, BlockKind::Heading { .. }))
                    .map(block_text)
                    .collect();
                text.join(" ").split_whitespace().count()
            };
            assert_eq!(words(&chunked), words(&document.blocks));
        }
    }

    #[test]
    fn what_is_short_stays_as_it_is() {
        assert!(chunked(&document("# Kiln\n\nIt fires clay.").blocks).is_none());
    }
}
