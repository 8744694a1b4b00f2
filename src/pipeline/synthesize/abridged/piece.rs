//! Owns what a section is cut into: what stands together or not at all, in order, and what the entries of its lists are called.

use super::super::compose::BODY_TOKENS_MAX;
use super::TOKENS_OF_LINE;
use crate::domain::document::{Block, BlockKind};
use crate::domain::text::{Inline, plain};
use crate::pipeline::markdown;
use crate::pipeline::orders;
use crate::pipeline::synthesize::joining::join;
use crate::pipeline::synthesize::loaders;
use crate::pipeline::synthesize::outline::block_text;
use crate::pipeline::synthesize::page;
use crate::pipeline::synthesize::sentences::{cut_sentences, sentences};
use crate::pipeline::synthesize::units::{OPTIONS_CHARS, announces_others, shortened};
use crate::pipeline::synthesize::wording::{is_imprint, is_unfinished, is_unfit, names_home};
use crate::pipeline::synthesize::words::words;
use std::ops::Range;

/// A table, a list or a list of options that is longer may be cut between its entries.
const CUT_CHARS: usize = 1_200;
/// A longer paragraph may be cut between its sentences.
const PARAGRAPH_CHARS: usize = 200;
/// A longer paragraph in bold letters is no label.
const LABEL_CHARS: usize = 60;
/// A table of so many rows, or a list of so many entries whose number is told, is shown as a whole or not at all.
const WHOLE_ENTRIES: usize = 12;
/// A longer name of an entry is no name.
const NAME_CHARS: usize = 40;
/// So many blocks stand together at most.
const TOGETHER_MAX: usize = 5;
/// Code is a list of options of which so many lines are, and so many of ten.
const NAMED_LINES_MIN: usize = 6;
const OPTIONS_OF_TEN: usize = 7;

/// What stays together: a block with what announces it, or an entry of a long one.
pub(super) struct Piece {
    /// Where its last block stands in the source.
    pub(super) at: usize,
    pub(super) blocks: Vec<Block>,
    pub(super) cost: usize,
    /// What the entries of a list or a table are called.
    pub(super) names: Vec<Vec<Inline>>,
}

impl Piece {
    /// What only says what entries are called for which there is no room in any body.
    fn of_names(at: usize, names: Vec<Vec<Inline>>) -> Self {
        Self {
            at,
            blocks: Vec::new(),
            cost: BODY_TOKENS_MAX,
            names,
        }
    }

    fn of(at: usize, blocks: Vec<Block>) -> Self {
        Self {
            at,
            cost: cost(&blocks),
            names: blocks.last().map(names).unwrap_or_default(),
            blocks,
        }
    }

    /// Of a block that may be quoted apart from what it stands with.
    pub(super) fn harmless(at: usize, block: Block) -> Option<Self> {
        let blocks = vec![block];
        (is_harmless(&blocks) && !is_unfinished_in(&blocks)).then(|| Self::of(at, blocks))
    }

    /// How many entries of a list or a table it holds.
    pub(super) fn entries(&self) -> usize {
        match self.blocks.last().map(|block| &block.kind) {
            Some(BlockKind::Definitions(entries)) => entries.len(),
            Some(BlockKind::List { items, .. }) => items.len(),
            Some(BlockKind::Table { rows, .. }) => rows.len(),
            Some(BlockKind::Code { text, .. }) => {
                options_in(text, 1).map_or(0, |lines| lines.len())
            }
            Some(_) => 0,
            None => self.names.len(),
        }
    }

    /// Whether it holds entries of the list of which the piece before it holds others.
    pub(super) fn goes_on_with(&self, before: &Self) -> bool {
        let is_next = before.at == self.at || before.at + 1 == self.at && self.blocks.len() < 2;
        is_next && self.entries() > 0 && before.entries() > 0
    }

    pub(super) fn is_code(&self) -> bool {
        let mut blocks = self.blocks.iter();
        let is_list = self.entries() > 0;
        blocks.any(|block| matches!(block.kind, BlockKind::Code { .. })) && !is_list
    }
}

/// What names the entries of a block: their terms, or how their items or rows begin.
fn names(block: &Block) -> Vec<Vec<Inline>> {
    let marked = |text: &[Inline]| {
        let first = text.first()?;
        matches!(first, Inline::Code(_) | Inline::Strong(_)).then(|| vec![first.clone()])
    };
    let bare = |name: Vec<Inline>| match name.as_slice() {
        [Inline::Strong(words)] if plain(words).starts_with(char::is_alphabetic) => {
            let words = plain(words);
            vec![Inline::Text(
                words.trim_end_matches([':', '.', ' ']).to_owned(),
            )]
        }
        _ => name,
    };
    let short = |name: &Vec<Inline>| {
        let name = plain(name);
        let letters = name.trim().chars().count();
        // A number alone names nothing.
        (1..=NAME_CHARS).contains(&letters) && !name.trim().bytes().all(|b| b.is_ascii_digit())
    };
    let whole = |name: &Vec<Inline>| Some(name.clone()).filter(short).or_else(|| marked(name));
    let names: Vec<Option<Vec<Inline>>> = match &block.kind {
        BlockKind::Definitions(entries) => {
            let terms = entries.iter().map(|entry| entry.terms.first());
            terms.map(|term| whole(term?)).collect()
        }
        BlockKind::List { items, .. } => {
            let firsts = items
                .iter()
                .map(|item| item.first().map(|block| &block.kind));
            firsts
                .map(|first| match first {
                    Some(BlockKind::Paragraph(text)) => marked(text),
                    _ => None,
                })
                .collect()
        }
        BlockKind::Table { rows, .. } => {
            let cells = rows.iter().map(|row| row.first());
            cells.map(|cell| whole(cell?)).collect()
        }
        BlockKind::Code { text, .. } => {
            let lines = options_in(text, 1).unwrap_or_default();
            let names = lines.into_iter().map(|line| line.trim().split("  ").next());
            names
                .map(|name| Some(vec![Inline::Code(name?.trim().to_owned())]))
                .collect()
        }
        _ => Vec::new(),
    };
    let names = names.into_iter().flatten().map(bare);
    names.filter(short).collect()
}

/// The entries of a list of so many options at least that stands as code, each with the lines that go on with it; `None` of other
/// code.
fn options_in(code: &str, least: usize) -> Option<Vec<&str>> {
    let begins = |line: &str| {
        let option = line.trim_start().strip_prefix('-');
        option.is_some_and(|name| name.starts_with(|c: char| c == '-' || c.is_alphanumeric()))
    };
    let mut lines = code.lines().filter(|line| !line.trim().is_empty());
    let (all, options) = lines.by_ref().fold((0, 0), |(all, options), line| {
        (all + 1, options + usize::from(begins(line)))
    });
    if options < least || options * 10 < all * OPTIONS_OF_TEN {
        return None;
    }
    let mut starts: Vec<usize> = Vec::new();
    let mut at = 0;
    for line in code.split_inclusive('\n') {
        if starts.is_empty() || begins(line) {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([code.len()]);
    let entries = starts.iter().zip(ends);
    entries
        .map(|(start, end)| code.get(*start..end).map(str::trim_end))
        .collect()
}

/// What stays together, in order, and whether more follows that is not shown. What only a whole section may quote stays in the
/// references: a note of its author on what is still to be written; somebody's own folder, code that arguments would change and
/// what would run unseen, together with all that follows them in the section, since it may lean on them;
/// and what comes when twice the `room` is taken: what is named behind what is shown is known until then.
pub(super) fn pieces(
    all: &[Block],
    range: Range<usize>,
    is_ours: bool,
    room: usize,
) -> (Vec<Piece>, bool) {
    let mut out: Vec<Piece> = Vec::new();
    let mut cost = 0;
    let mut announced: Vec<Block> = Vec::new();
    for at in range.clone() {
        let Some(block) = all.get(at) else { break };
        if matches!(block.kind, BlockKind::Figure { .. }) {
            continue;
        }
        let next = all.get(at + 1).map(|block| &block.kind);
        let before = announced.last().map(|block| &block.kind);
        let mut cut = match (&block.kind, before) {
            (_, Some(BlockKind::Paragraph(text))) if is_counted(&plain(text), block) => {
                vec![block.clone()]
            }
            _ => entries(block),
        };
        let announcing = match &block.kind {
            BlockKind::Paragraph(text) if announces(text, next) => cut.pop(),
            _ => None,
        };
        if cut.is_empty() {
            match announcing {
                Some(sentence) => announced.push(sentence),
                None => announced.clear(),
            }
            continue;
        }
        let mut cut = cut.into_iter();
        let mut first = std::mem::take(&mut announced);
        first.extend(cut.next());
        announced.extend(announcing);
        let mut entries = std::iter::once(first).chain(cut.map(|entry| vec![entry]));
        while let Some(blocks) = entries.next() {
            if is_unfinished_in(&blocks)
                || is_imprint_in(&blocks)
                || is_ours && is_unfit_in(&blocks)
            {
                continue;
            }
            if !is_harmless(&blocks) || cost / 2 > room {
                let left = std::iter::once(blocks).chain(entries);
                let left = left.filter_map(|mut entry| entry.pop());
                if !is_ours {
                    out.extend(names_beyond(all, at, left, range.end));
                }
                return (out, true);
            }
            if at + 1 < range.end && blocks.len() < TOGETHER_MAX && goes_on(block, next) {
                announced = blocks;
                continue;
            }
            let piece = Piece::of(at, blocks);
            cost += piece.cost;
            out.push(piece);
        }
    }
    // What announces something that does not come announces nothing.
    (out, false)
}

/// What the entries are called for which there is no room: those of a list that goes on at `at`, or else of the next one.
fn names_beyond(
    all: &[Block],
    at: usize,
    left: impl Iterator<Item = Block>,
    end: usize,
) -> Vec<Piece> {
    let may_be_named = |name: &Vec<Inline>| {
        let name = plain(name);
        !names_home(&name) && !is_unfinished(&name)
    };
    let named = |at: usize, mut names: Vec<Vec<Inline>>| {
        names.retain(may_be_named);
        (!names.is_empty()).then(|| Piece::of_names(at, names))
    };
    let own = named(at, left.flat_map(|entry| names(&entry)).collect());
    let mut out: Vec<Piece> = own.into_iter().collect();
    for at in at + 1..end {
        let names = all.get(at).map(names).unwrap_or_default();
        match named(at, names) {
            Some(piece) => out.push(piece),
            None if out.is_empty() => {}
            None => break,
        }
    }
    out
}

/// Whether the sentence that shows code goes on behind it.
fn goes_on(block: &Block, next: Option<&BlockKind>) -> bool {
    let Some(BlockKind::Paragraph(text)) = next else {
        return false;
    };
    let first = plain(text).trim_start().chars().next();
    matches!(block.kind, BlockKind::Code { .. }) && first.is_some_and(char::is_lowercase)
}

/// Whether a paragraph is about the block after it: it ends in a colon, is a label in bold letters, or a word such as "or" between
/// two blocks; or its last sentence speaks of what follows, and code, a list or a table does.
fn announces(text: &[Inline], next: Option<&BlockKind>) -> bool {
    let words = plain(text);
    let words = words.trim();
    let is_shown_next = matches!(
        next,
        Some(
            BlockKind::Code { .. }
                | BlockKind::List { .. }
                | BlockKind::Table { .. }
                | BlockKind::Definitions(_)
        )
    );
    words.ends_with([':', '：'])
        || matches!(text, [Inline::Strong(_)]) && words.len() <= LABEL_CHARS
        || ["or", "and", "then", "oder", "und", "ou", "et"]
            .contains(&words.trim_end_matches([',', '.']).to_lowercase().as_str())
        || is_shown_next && (speaks_of_next(words) || !ends_sentence(words))
}

fn ends_sentence(text: &str) -> bool {
    let bare = text.trim_end_matches(['"', '\'', ')', '”', '’', '»', ']']);
    bare.ends_with(['.', '!', '?', '…', '。', '！', '？', ';'])
}

/// Whether the last sentence of a paragraph speaks of what stands below it.
fn speaks_of_next(text: &str) -> bool {
    let last = sentences(text).pop().and_then(|range| text.get(range));
    let lower = last.unwrap_or(text).to_lowercase();
    let mut words = words(&lower);
    words.any(|word| matches!(word, "following" | "below" | "follows"))
        || ["here is ", "here are ", "here's ", "for example,"]
            .iter()
            .any(|opening| lower.trim_start().starts_with(opening))
}

/// Whether a list is shown as a whole or not at all: what is to be ticked off, and what was counted before ("three ways").
fn is_counted(announcement: &str, block: &Block) -> bool {
    let entries = match &block.kind {
        BlockKind::List { items, .. } => items.len(),
        BlockKind::Definitions(entries) => entries.len(),
        BlockKind::Table { rows, .. } => rows.len(),
        _ => return false,
    };
    let lower = announcement.to_lowercase();
    let tells = |word: &str| {
        let number = NUMBERS.iter().position(|all| all.contains(&word));
        number.map(|number| number + 2).or(word.parse().ok()) == Some(entries)
    };
    entries <= WHOLE_ENTRIES && words(&lower).any(tells)
}

/// Two to twelve, in the languages whose lists are met most.
const NUMBERS: [&[&str]; 11] = [
    &["two", "zwei", "deux", "dos", "due"],
    &["three", "drei", "trois", "tres", "tre"],
    &["four", "vier", "quatre", "cuatro", "quattro"],
    &["five", "fünf", "cinq", "cinco", "cinque"],
    &["six", "sechs", "seis", "sei"],
    &["seven", "sieben", "sept", "siete", "sette"],
    &["eight", "acht", "huit", "ocho", "otto"],
    &["nine", "neun", "neuf", "nueve", "nove"],
    &["ten", "zehn", "dix", "diez", "dieci"],
    &["eleven", "elf", "onze", "once", "undici"],
    &["twelve", "zwölf", "douze", "doce", "dodici"],
];

fn is_unfinished_in(blocks: &[Block]) -> bool {
    let text: String = blocks.iter().map(block_text).collect();
    is_unfinished(&text)
}

fn is_imprint_in(blocks: &[Block]) -> bool {
    match blocks {
        [first, ..] if matches!(first.kind, BlockKind::Paragraph(_)) => {
            is_imprint(&block_text(first).trim().to_lowercase())
        }
        _ => false,
    }
}

fn is_harmless(blocks: &[Block]) -> bool {
    let text: String = blocks.iter().map(block_text).collect();
    !names_home(&text) && !loaders::take_arguments(blocks) && !orders::runs_unseen(&text)
}

fn is_unfit_in(blocks: &[Block]) -> bool {
    blocks.iter().any(|block| is_unfit(&block_text(block)))
}

/// What a piece takes of a body: its tokens, or its lines where those are many.
fn cost(blocks: &[Block]) -> usize {
    let text = markdown::write(blocks);
    page::tokens(&text).max((text.lines().count() + 1) * TOKENS_OF_LINE)
}

/// A block, or the entries of a long one, each as a block of the same kind. Of a list of options that is too long for any body,
/// what each is about.
fn entries(block: &Block) -> Vec<Block> {
    let chars = block_text(block).len();
    let alone = |kind: BlockKind| Block {
        kind,
        span: block.span.clone(),
    };
    match &block.kind {
        BlockKind::Paragraph(text) if chars > PARAGRAPH_CHARS => cut_sentences(text)
            .into_iter()
            .map(|sentence| alone(BlockKind::Paragraph(sentence)))
            .collect(),
        _ if chars <= CUT_CHARS => vec![block.clone()],
        BlockKind::Table { rows, .. } if rows.len() <= WHOLE_ENTRIES => vec![block.clone()],
        BlockKind::List { items, .. } if items.iter().any(|item| is_box(item)) => {
            vec![block.clone()]
        }
        BlockKind::Definitions(entries) => entries
            .iter()
            .map(|entry| match chars > OPTIONS_CHARS {
                true => shortened(entry),
                false => entry.clone(),
            })
            .filter(|entry| !announces_others(entry))
            .map(|entry| alone(BlockKind::Definitions(vec![entry])))
            .collect(),
        BlockKind::List { start: None, items } => items
            .iter()
            .map(|item| {
                alone(BlockKind::List {
                    start: None,
                    items: vec![item.clone()],
                })
            })
            .collect(),
        BlockKind::Code { language, text } => match options_in(text, NAMED_LINES_MIN) {
            Some(lines) => lines
                .into_iter()
                .map(|line| {
                    alone(BlockKind::Code {
                        language: language.clone(),
                        text: line.to_owned(),
                    })
                })
                .collect(),
            None => vec![block.clone()],
        },
        BlockKind::Table {
            header,
            rows,
            caption,
        } => rows
            .iter()
            .map(|row| {
                alone(BlockKind::Table {
                    header: header.clone(),
                    rows: vec![row.clone()],
                    caption: caption.clone(),
                })
            })
            .collect(),
        _ => vec![block.clone()],
    }
}

/// Whether an item is one to tick off.
fn is_box(item: &[Block]) -> bool {
    let Some(BlockKind::Paragraph(text)) = item.first().map(|block| &block.kind) else {
        return false;
    };
    let words = plain(text);
    ["[ ]", "[x]", "[X]"]
        .iter()
        .any(|mark| words.trim_start().starts_with(mark))
}

/// The blocks of some pieces, the entries of one block joined again.
pub(super) fn joined(pieces: &[Piece]) -> Vec<Block> {
    let mut out: Vec<Block> = Vec::new();
    let mut last = None;
    for piece in pieces {
        let mut blocks = piece.blocks.iter();
        if last == Some(piece.at)
            && let Some(block) = blocks.next()
            && let Some(whole) = out.last_mut()
        {
            join(whole, block);
        }
        out.extend(blocks.cloned());
        last = Some(piece.at);
    }
    out
}

#[cfg(test)]
pub(super) mod tests {
    use super::{Block, pieces};
    use crate::pipeline::synthesize::outline::block_text;
    use crate::pipeline::synthesize::testing::document;

    fn texts(source: &str) -> Vec<String> {
        let blocks = document(source).blocks;
        let (pieces, _) = pieces(&blocks, 0..blocks.len(), false, usize::MAX);
        let shown = |blocks: &[Block]| {
            let texts = blocks
                .iter()
                .map(|block| block_text(block).trim_end().to_owned());
            texts.collect::<Vec<_>>().join("|")
        };
        pieces.iter().map(|piece| shown(&piece.blocks)).collect()
    }

    #[test]
    fn what_announces_a_block_stands_with_it_and_alone_not_at_all() {
        let long = "The kiln has a door for each of its chambers. ".repeat(10);
        let pieces = texts(&format!(
            "{long}Each door is opened so:\n\n```\nkilnctl open\n```\n\nOr\n\n```\nkilnctl lift\n```\n\nThe doors are these:"
        ));
        let last = pieces.iter().rev().take(3).rev();
        assert_eq!(
            last.map(String::as_str).collect::<Vec<_>>(),
            [
                "The kiln has a door for each of its chambers.",
                "Each door is opened so:|kilnctl open",
                "Or|kilnctl lift"
            ]
        );
    }

    #[test]
    fn a_sentence_that_goes_on_behind_its_code_stands_with_that() {
        let pieces = texts(
            "Instead of\n\n```\nkilnctl burn\n```\n\nyou should use\n\n```\nkilnctl heat\n```\n\nA kiln burns wood.",
        );
        assert_eq!(
            pieces,
            [
                "Instead of|kilnctl burn|you should use|kilnctl heat",
                "A kiln burns wood."
            ]
        );
    }

    #[test]
    fn a_note_on_what_is_unfinished_stays_in_the_references() {
        let pieces = texts("The kiln burns wood.\n\nTODO: say which wood.\n\nIt never burns coal.");
        assert_eq!(pieces, ["The kiln burns wood.", "It never burns coal."]);
    }

    #[test]
    fn what_follows_a_command_that_is_left_out_may_lean_on_it_and_is_left_out_too() {
        let pieces = texts(
            "The kiln burns wood.\n\nSave it as /home/potter/kilns here.\n\nThis writes the file mentioned above.",
        );
        assert_eq!(pieces, ["The kiln burns wood."]);
    }

    #[test]
    fn a_sentence_that_goes_on_in_the_list_below_it_stands_with_that() {
        let pieces = texts("It burns wood. Among other things it has\n\n- a door,\n- a roof.");
        assert_eq!(pieces.len(), 1, "{pieces:?}");
    }

    #[test]
    fn whose_text_it_is_stays_in_the_references_and_how_it_works_by_default_does_not() {
        let pieces = texts(
            "Version 5.9 (2022-11-10)\n\nCopyright 2022 Kim Potter\n\nBy default the door is open.",
        );
        assert_eq!(pieces, ["By default the door is open."]);
    }

    #[test]
    fn a_paragraph_that_speaks_of_what_follows_stands_with_it() {
        let pieces = texts(
            "The following is a whole kiln.\n\n```\nkilnctl open\n```\n\nA kiln burns wood.\n\n```\nkilnctl burn\n```\n",
        );
        assert_eq!(
            pieces,
            [
                "The following is a whole kiln.|kilnctl open",
                "A kiln burns wood.",
                "kilnctl burn"
            ]
        );
    }

    /// A list of doors, too long to stand together.
    pub(in super::super) fn long_items(count: usize) -> String {
        let item = |number: usize| {
            format!(
                "- **door {number}** opens {}.\n",
                "a chamber of the kiln ".repeat(12)
            )
        };
        (1..=count).map(item).collect()
    }

    #[test]
    fn a_list_is_not_cut_whose_entries_were_counted_or_are_ticked_off() {
        let list = long_items(5);
        assert_eq!(texts(&format!("It has many doors:\n\n{list}")).len(), 5);
        assert_eq!(texts(&format!("It has five doors:\n\n{list}")).len(), 1);
        let boxes = list.replace("- **", "- [ ] **");
        assert_eq!(texts(&format!("Before the fire:\n\n{boxes}")).len(), 1);
    }
}
