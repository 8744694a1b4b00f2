//! Owns what a section is cut into: what stands together or not at all, in order, and what the entries of its lists are called.

use super::super::compose::BODY_TOKENS_MAX;
use super::TOKENS_OF_LINE;
use super::announcing::{
    announces, awaits_result, behind_steps, goes_on, is_call, is_counted, is_label, is_refused,
    is_structure, is_within, must, promises, speaks_of_next, supposes,
};
use super::inner::{inner_names, members, parted, rejoin};
use super::names::{NAMED_LINES_MIN, names, options_in};
use crate::domain::document::{Block, BlockKind, Definition, walk};
use crate::domain::text::{Inline, plain, write_plain};
use crate::pipeline::markdown;
use crate::pipeline::synthesize::joining::join;
use crate::pipeline::synthesize::options::{
    OPTIONS_CHARS, WHOLE_CHARS, announces_others, longer, shortened, warns,
};
use crate::pipeline::synthesize::outline::{block_text, blocks_text};
use crate::pipeline::synthesize::page;
use crate::pipeline::synthesize::sentences::cut_sentences;
use crate::pipeline::synthesize::talks::told::is_untold;
use crate::pipeline::synthesize::units::{self, leans_back, points_back, takes_back};
use crate::pipeline::synthesize::wording::{is_imprint, is_unfinished, is_unfit, names_home};
use std::ops::Range;

/// A table, a list or a list of options that is longer may be cut between its entries.
const CUT_CHARS: usize = 1_200;
/// A longer paragraph may be cut between its sentences.
const PARAGRAPH_CHARS: usize = 200;
/// A table of so many rows is shown as a whole or not at all.
const WHOLE_ENTRIES: usize = 12;
/// What is stressed is a sentence where it has so many words.
const STRESSED_WORDS_MIN: usize = 4;
/// So many blocks stand together at most, and so many between what not to do and what to do instead.
const TOGETHER_MAX: usize = 5;
const INSTEAD_MAX: usize = 6;
/// And so many from what is given to what comes of it.
const CHAIN_MAX: usize = 8;

/// What stays together: a block with what announces it, or an entry of a long one.
pub(super) struct Piece {
    /// Where its last block stands in the source.
    pub(super) at: usize,
    pub(super) blocks: Vec<Block>,
    pub(super) cost: usize,
    /// What the entries of a list or a table are called.
    pub(super) names: Vec<Vec<Inline>>,
    /// What the members of its entries are called that are left out.
    members: Vec<Vec<Inline>>,
    /// Of which item of its list it is a part.
    within: Option<usize>,
    /// How many more are called as entries before them are.
    pub(super) repeated: usize,
    /// Its last block where there is room for more of it, and what that costs beyond this one.
    pub(super) longer: Option<(Block, usize)>,
    pub(super) is_lengthened: bool,
    /// Whether its last block says more in the source than is shown with all the room there is.
    loses: bool,
}

impl Piece {
    /// What only says what entries are called for which there is no room in any body.
    fn of_names(at: usize, names: Vec<Vec<Inline>>) -> Self {
        Self {
            at,
            blocks: Vec::new(),
            cost: BODY_TOKENS_MAX,
            names,
            members: Vec::new(),
            within: None,
            repeated: 0,
            longer: None,
            is_lengthened: false,
            loses: false,
        }
    }

    fn of(at: usize, blocks: Vec<Block>) -> Self {
        Self {
            at,
            cost: cost(&blocks),
            names: blocks.last().map(names).unwrap_or_default(),
            members: Vec::new(),
            within: None,
            repeated: 0,
            blocks,
            longer: None,
            is_lengthened: false,
            loses: false,
        }
    }

    /// With its last block as it is where there is room for more of it; where that may be quoted.
    pub(super) fn or_longer(mut self, block: Option<Block>) -> Self {
        self.longer = block.map(|block| vec![block]).and_then(|longer| {
            let last = self.blocks.last().map(std::slice::from_ref)?;
            let more = cost(&longer).saturating_sub(cost(last));
            let may_stand = is_harmless(&longer) && !is_unfinished_in(&longer);
            longer
                .into_iter()
                .next()
                .filter(|_| may_stand)
                .map(|block| (block, more))
        });
        self
    }

    /// What is shown of it.
    fn shown(&self) -> impl Iterator<Item = &Block> {
        let longer = self.longer.as_ref().filter(|_| self.is_lengthened);
        let kept = self.blocks.len() - usize::from(longer.is_some());
        let kept = self.blocks.iter().take(kept);
        kept.chain(longer.map(|(block, _)| block))
    }

    /// Whether more is said of it than is shown.
    pub(super) fn is_shortened(&self) -> bool {
        self.loses || self.longer.is_some() && !self.is_lengthened
    }

    /// What the members are called that its entries have and that are not shown.
    pub(super) fn unshown_members(&self) -> &[Vec<Inline>] {
        match self.is_lengthened {
            true => &[],
            false => &self.members,
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

    /// Whether it warns, with what announces that: its author has set it apart.
    pub(super) fn is_warning(&self) -> bool {
        match self.blocks.last().map(|block| &block.kind) {
            Some(BlockKind::Admonition { class, blocks, .. }) => {
                let warns = matches!(class.as_str(), "warning" | "caution" | "danger");
                warns && !leans_back(&blocks_text(blocks))
            }
            _ => false,
        }
    }

    /// Whether it is what a log tells of a commit beside its message.
    pub(super) fn is_commit(&self) -> bool {
        let first = self.blocks.first();
        first.is_some_and(|block| block_text(block).trim_start().starts_with("commit "))
    }

    /// Whether it says what must be, or what may be lost, and leans on nothing said before: with what is allowed, where that is a list.
    pub(super) fn requires(&self) -> bool {
        let text = match self.blocks.as_slice() {
            [only] => only,
            [first, list] if matches!(list.kind, BlockKind::List { .. }) => first,
            _ => return false,
        };
        let BlockKind::Paragraph(text) = &text.kind else {
            return false;
        };
        let is_stressed = stresses(text);
        let text = plain(text);
        let begins = text.starts_with(|c: char| c.is_uppercase() || !c.is_alphabetic());
        let matters = must(&text) || warns(&text) || is_stressed;
        begins && matters && !leans_back(&text) && !points_back(&text) && !is_unfit(&text)
    }

    pub(super) fn is_code(&self) -> bool {
        let mut blocks = self.blocks.iter();
        let is_list = self.entries() > 0;
        blocks.any(|block| matches!(block.kind, BlockKind::Code { .. })) && !is_list
    }
}

/// Whether the author of a paragraph stressed a whole sentence of it.
fn stresses(text: &[Inline]) -> bool {
    text.iter().any(|inline| {
        let (Inline::Strong(words) | Inline::Emphasis(words)) = inline else {
            return false;
        };
        let words = plain(words);
        let is_sentence = words.starts_with(char::is_uppercase) && words.ends_with(['.', '!']);
        is_sentence && words.split(' ').count() >= STRESSED_WORDS_MIN
    })
}

/// What stays together, in order, and whether more follows that is not shown. What only a whole section may quote stays in the
/// references: a note of its author on what is still to be written; somebody's own folder, code that arguments would change and
/// what would run unseen, together with all that follows them in the section, since it may lean on them, unless they are one of
/// several in a list; and what comes when twice the `room` is taken: what is named behind what is shown is known until then.
pub(super) fn pieces(
    all: &[Block],
    range: Range<usize>,
    is_ours: bool,
    room: usize,
) -> (Vec<Piece>, bool) {
    let mut out: Vec<Piece> = Vec::new();
    let mut cost = 0;
    let mut is_broken = false;
    let mut announced: Vec<Block> = Vec::new();
    // Whether what is announced shows what not to do: it waits for what to do instead.
    let mut is_against = false;
    // Where the last step stands of those that are counted one by one.
    let mut last_step = range.start;
    for at in range.clone() {
        let Some(block) = all.get(at) else { break };
        if matches!(block.kind, BlockKind::Figure { .. }) || is_untold(block) {
            continue;
        }
        let rest = all.get(at..range.end).unwrap_or_default();
        last_step = last_step.max(at + behind_steps(rest));
        if at < last_step {
            announced.push(block.clone());
            continue;
        }
        let next = all.get(at + 1).filter(|_| at + 1 < range.end);
        let next = next.map(|block| &block.kind);
        if let BlockKind::Code { text, .. } = &block.kind {
            is_against = is_refused(text, next);
        }
        if is_against && announced.len() < INSTEAD_MAX {
            announced.push(block.clone());
            continue;
        }
        let before = announced.last().map(|block| &block.kind);
        let mut cut = match (&block.kind, before) {
            (_, Some(BlockKind::Paragraph(text))) if is_counted(&plain(text), block) => {
                vec![Entry::from(block.clone())]
            }
            _ => entries(block),
        };
        let speaks = |entry: &Entry| speaks_of_next(&block_text(&entry.block));
        let announcing = match &block.kind {
            BlockKind::Paragraph(_) if is_structure(next) && cut.iter().any(speaks) => {
                let first = cut.iter().position(speaks).unwrap_or_default();
                together(cut.split_off(first))
            }
            BlockKind::Paragraph(text)
                if announces(text, next)
                    || cut.len() > 1 && matches!(next, Some(BlockKind::List { .. })) =>
            {
                cut.pop()
            }
            // What follows at the end of a section are others, which may not be shown.
            BlockKind::Paragraph(_) if next.is_none() && cut.last().is_some_and(speaks) => {
                cut.pop()
            }
            BlockKind::Paragraph(text)
                if promises(&plain(text)) && matches!(next, Some(BlockKind::Paragraph(_))) =>
            {
                cut.pop()
            }
            BlockKind::List { items, .. } if is_label(items) && is_within(next) => cut.pop(),
            BlockKind::Paragraph(text)
                if is_call(text) && matches!(next, Some(BlockKind::Paragraph(_))) =>
            {
                cut.pop()
            }
            _ => None,
        };
        let announcing = announcing.map(|entry| entry.block);
        if cut.is_empty() {
            match announcing {
                Some(sentence) => announced.push(sentence),
                None => announced.clear(),
            }
            continue;
        }
        let is_one_of_many = cut.len() > 1 && !matches!(block.kind, BlockKind::Paragraph(_));
        let mut lead = std::mem::take(&mut announced);
        announced.extend(announcing);
        let mut entries = cut.into_iter();
        while let Some(entry) = entries.next() {
            let mut blocks = std::mem::take(&mut lead);
            blocks.push(entry.block);
            if is_unfinished_in(&blocks)
                || is_imprint_in(&blocks)
                || is_ours && is_unfit_in(&blocks)
            {
                continue;
            }
            let is_harmless = is_harmless(&blocks);
            if !is_harmless && is_one_of_many && cost / 2 <= room {
                is_broken = true;
                blocks.pop();
                lead = blocks;
                continue;
            }
            if !is_harmless || cost / 2 > room {
                let left = blocks.pop().into_iter();
                let left = left.chain(entries.map(|entry| entry.block));
                if !is_ours {
                    out.extend(names_beyond(all, at, left, range.end));
                }
                return (out, true);
            }
            let most = match supposes(&blocks) {
                true => CHAIN_MAX,
                false => TOGETHER_MAX,
            };
            if next.is_some()
                && entries.len() == 0
                && blocks.len() < most
                && (goes_on(block, next) || awaits_result(&blocks, next))
            {
                announced = blocks;
                continue;
            }
            let longer = entry
                .longer
                .filter(|block| !is_ours || !is_unfit(&block_text(block)));
            let mut piece = Piece {
                loses: entry.loses,
                members: entry.members,
                within: entry.within,
                ..Piece::of(at, blocks).or_longer(longer)
            };
            if piece.within.is_some() {
                piece.names = piece.blocks.last().map(inner_names).unwrap_or_default();
            }
            // What the list stands in is said once.
            if piece.within.is_some()
                && let Some(before) = out.last()
                && (before.at, before.within) == (at, piece.within)
            {
                piece.cost = piece.cost.saturating_sub(2 * TOKENS_OF_LINE);
            }
            cost += piece.cost;
            out.push(piece);
        }
    }
    // What announces something that does not come announces nothing.
    (out, is_broken || is_against)
}

/// Sentences of one paragraph as one.
fn together(sentences: Vec<Entry>) -> Option<Entry> {
    sentences.into_iter().reduce(|mut whole, sentence| {
        if let (BlockKind::Paragraph(text), BlockKind::Paragraph(more)) =
            (&mut whole.block.kind, sentence.block.kind)
        {
            text.push(Inline::Text(" ".into()));
            text.extend(more);
        }
        whole
    })
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

/// Whether what blocks say is still to be written, and not what somebody calls so as code: `TODO` may be a value.
fn is_unfinished_in(blocks: &[Block]) -> bool {
    is_unfinished(&blocks_text(blocks)) && is_unfinished(&said(blocks))
}

/// The text of blocks without the names of code in its sentences.
fn said(blocks: &[Block]) -> String {
    fn say(inlines: &[Inline], out: &mut String) {
        for inline in inlines {
            match inline {
                Inline::Code(_) => out.push('…'),
                Inline::Emphasis(inner) | Inline::Strong(inner) => say(inner, out),
                Inline::Link(link) => say(&link.text, out),
                other => write_plain(std::slice::from_ref(other), out),
            }
        }
        out.push('\n');
    }
    let mut out = String::new();
    walk(blocks, &mut |block| match &block.kind {
        BlockKind::Heading { text, .. } | BlockKind::Paragraph(text) => say(text, &mut out),
        BlockKind::Table { header, rows, .. } => {
            let cells = header.iter().chain(rows.iter().flatten());
            cells.for_each(|cell| say(cell, &mut out));
        }
        BlockKind::Definitions(entries) => {
            let terms = entries.iter().flat_map(|entry| &entry.terms);
            terms.for_each(|term| say(term, &mut out));
        }
        BlockKind::List { .. } | BlockKind::Quote(_) => {}
        BlockKind::Admonition { title, .. } => out.extend(title.iter().map(String::as_str)),
        BlockKind::Code { .. } | BlockKind::Math(_) | BlockKind::Figure { .. } => {
            out.push_str(&block_text(block));
        }
    });
    out
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
    units::is_harmless(blocks, &blocks_text(blocks))
}

fn is_unfit_in(blocks: &[Block]) -> bool {
    blocks.iter().any(|block| is_unfit(&block_text(block)))
}

/// What a piece takes of a body: its tokens, or its lines where those are many.
fn cost(blocks: &[Block]) -> usize {
    let text = markdown::write(blocks);
    page::tokens(&text).max((text.lines().count() + 1) * TOKENS_OF_LINE)
}

/// What a block is cut into, and the same at full length where it is shortened.
struct Entry {
    block: Block,
    longer: Option<Block>,
    /// Whether its source says more than either.
    loses: bool,
    /// What the members are called that it says no word of.
    members: Vec<Vec<Inline>>,
    /// Of which item of the list it is a part.
    within: Option<usize>,
}

impl From<Block> for Entry {
    fn from(block: Block) -> Self {
        Self {
            block,
            longer: None,
            loses: false,
            members: Vec::new(),
            within: None,
        }
    }
}

/// A block, or the entries of a long one, each as a block of the same kind. Of a list of options that is too long for any body,
/// what each is about.
fn entries(block: &Block) -> Vec<Entry> {
    let chars = block_text(block).len();
    let may_be_cut = chars > CUT_CHARS || !is_harmless(std::slice::from_ref(block));
    let of_kind = |kind: BlockKind| Block {
        kind,
        span: block.span.clone(),
    };
    let alone = |kind: BlockKind| Entry::from(of_kind(kind));
    let whole = || vec![Entry::from(block.clone())];
    match &block.kind {
        BlockKind::Paragraph(text) if chars > PARAGRAPH_CHARS => with_warnings(cut_sentences(text))
            .into_iter()
            .map(|sentence| alone(BlockKind::Paragraph(sentence)))
            .collect(),
        _ if !may_be_cut => whole(),
        BlockKind::Table { rows, .. } if rows.len() <= WHOLE_ENTRIES => whole(),
        BlockKind::List { items, .. } if items.iter().any(|item| is_box(item)) => whole(),
        BlockKind::Definitions(entries) if chars > OPTIONS_CHARS => entries
            .iter()
            .map(|entry| (entry, shortened(entry)))
            .filter(|(_, short)| !announces_others(short))
            .map(|(entry, short)| {
                let longer = longer(entry, &short);
                // A name alone tells nothing of it.
                let is_brief =
                    |longer: &Definition| blocks_text(&longer.blocks).len() <= WHOLE_CHARS;
                let (short, longer) = match longer {
                    Some(longer) if short.blocks.is_empty() && is_brief(&longer) => (longer, None),
                    longer => (short, longer),
                };
                let most = longer.as_ref().unwrap_or(&short);
                Entry {
                    loses: blocks_text(&most.blocks).len() < blocks_text(&entry.blocks).len(),
                    members: members(entry, &short),
                    within: None,
                    longer: longer.map(|entry| of_kind(BlockKind::Definitions(vec![entry]))),
                    block: of_kind(BlockKind::Definitions(vec![short])),
                }
            })
            .collect(),
        BlockKind::Definitions(entries) => entries
            .iter()
            .filter(|entry| !announces_others(entry))
            .map(|entry| alone(BlockKind::Definitions(vec![entry.clone()])))
            .collect(),
        BlockKind::List { start: None, items } => items
            .iter()
            .enumerate()
            .flat_map(|(number, item)| {
                let parts = parted(item);
                let within = parts.is_some().then_some(number);
                let parts = parts.unwrap_or_else(|| vec![item.clone()]);
                parts.into_iter().map(move |item| (within, item))
            })
            .map(|(within, item)| Entry {
                within,
                ..alone(BlockKind::List {
                    start: None,
                    items: vec![item],
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
            None => whole(),
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
        _ => whole(),
    }
}

/// Sentences, each together with those that take it back.
pub(super) fn with_turns(sentences: Vec<Vec<Inline>>) -> Vec<Vec<Inline>> {
    folded(sentences, |sentence| {
        takes_back(plain(sentence).trim_start())
    })
}

/// The same, and with those that say of it what matters: "This deletes all pots."
fn with_warnings(sentences: Vec<Vec<Inline>>) -> Vec<Vec<Inline>> {
    folded(with_turns(sentences), |sentence| {
        let text = plain(sentence);
        let text = text.trim_start();
        let matters = || must(text) || warns(text) || stresses(sentence);
        (leans_back(text) || points_back(text)) && matters()
    })
}

/// Sentences, each together with those behind it that belong to it.
fn folded(sentences: Vec<Vec<Inline>>, belongs: impl Fn(&[Inline]) -> bool) -> Vec<Vec<Inline>> {
    let mut out: Vec<Vec<Inline>> = Vec::with_capacity(sentences.len());
    for sentence in sentences {
        match out.last_mut() {
            Some(before) if belongs(&sentence) => {
                before.push(Inline::Text(" ".into()));
                before.extend(sentence);
            }
            _ => out.push(sentence),
        }
    }
    out
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
pub(super) fn joined<'a>(pieces: impl IntoIterator<Item = &'a Piece>) -> Vec<Block> {
    let mut out: Vec<Block> = Vec::new();
    let mut last = None;
    for piece in pieces {
        let mut blocks = piece.shown();
        if last.is_some_and(|(at, _)| at == piece.at)
            && let Some(block) = blocks.next()
            && let Some(whole) = out.last_mut()
        {
            match piece.within {
                Some(_) if last == Some((piece.at, piece.within)) => rejoin(whole, block),
                _ => join(whole, block),
            }
        }
        out.extend(blocks.cloned());
        last = Some((piece.at, piece.within));
    }
    out
}

#[cfg(test)]
pub(super) mod tests {
    use super::{Block, pieces};
    use crate::domain::text::plain;
    use crate::pipeline::extract::markup::markdown;
    use crate::pipeline::synthesize::outline::{block_text, blocks_text};
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
    fn a_mark_of_something_unfinished_that_is_a_value_drops_no_entry() {
        let pieces = texts("It is marked as `TODO` then.\n\nTODO: say how it burns.\n\nIt is hot.");
        let markdown = |source: &str| {
            let blocks = markdown::read(source.to_owned()).blocks;
            super::pieces(&blocks, 0..blocks.len(), false, usize::MAX)
                .0
                .len()
        };
        assert_eq!(pieces.len(), 1);
        assert_eq!(
            markdown("It is marked as `TODO` then.\n\nTODO: say how it burns.\n\nIt is hot."),
            2
        );
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
    fn an_option_that_only_an_ageing_sentence_tells_is_quoted_and_no_bare_name() {
        let told = "Opens the door of the kiln wide. ".repeat(6);
        let options: String = (0..30)
            .map(|number| format!("--door-{number}\n:   {told}\n\n"))
            .collect();
        let source = format!(
            "{options}--fields\n:   Prints all fields that are currently used in the log.\n"
        );
        let blocks = markdown::read(source).blocks;
        let (pieces, _) = pieces(&blocks, 0..blocks.len(), false, usize::MAX);
        let last = pieces
            .last()
            .map(|piece| blocks_text(&piece.blocks))
            .unwrap();
        assert!(last.contains("currently used"), "{last}");
    }

    #[test]
    fn a_sentence_stands_with_the_one_that_takes_it_back() {
        let told =
            "The kiln burns dry wood and coal, and a little straw when it is cold. ".repeat(3);
        let pieces = texts(&format!(
            "{told}It has a second door. However, that never opens. It is red.\n\nIt has a bell.\n\nBut that is broken."
        ));
        assert!(
            pieces.contains(&"It has a second door. However, that never opens.".to_owned()),
            "{pieces:?}"
        );
        assert_eq!(pieces.last().unwrap(), "It has a bell.|But that is broken.");
    }

    #[test]
    fn a_sentence_stands_with_the_one_that_says_of_it_what_matters() {
        let told =
            "The kiln burns dry wood and coal, and a little straw when it is cold. ".repeat(3);
        for warning in [
            "This deletes all pots, so be careful.",
            "**This breaks the door each time.**",
        ] {
            let source = format!("{told}Pull the handle twice. {warning} It is red.");
            let blocks = markdown::read(source).blocks;
            let (pieces, _) = pieces(&blocks, 0..blocks.len(), false, usize::MAX);
            let whole = format!("Pull the handle twice. {}", warning.replace('*', ""));
            let told = |piece: &super::Piece| blocks_text(&piece.blocks).trim() == whole;
            assert!(pieces.iter().any(told), "{warning}");
        }
    }

    #[test]
    fn what_may_be_lost_or_is_stressed_as_a_sentence_matters() {
        let requires = |text: &str| {
            let blocks = markdown::read(text.to_owned()).blocks;
            super::Piece::of(0, blocks).requires()
        };
        assert!(requires("Old wood may corrupt the door."));
        assert!(requires("Doors open. *A door never opens twice.*"));
        assert!(!requires("Doors open *wide*. They are red."));
        assert!(
            !requires("This may corrupt the door."),
            "it leans on what was said"
        );
    }

    #[test]
    fn steps_that_are_counted_stand_together() {
        let step = |number: usize| {
            let told = "Open the door of the kiln and look at the fire. ".repeat(3);
            format!("**Step {number}.** {told}\n\nIt is hot in there.\n\n")
        };
        let of = |numbers: &[usize]| {
            let steps: String = numbers.iter().map(|number| step(*number)).collect();
            let source = format!("A kiln burns.\n\n{steps}All is well.");
            let blocks = markdown::read(source).blocks;
            let (pieces, _) = pieces(&blocks, 0..blocks.len(), false, usize::MAX);
            pieces.iter().map(|piece| piece.blocks.len()).max()
        };
        assert_eq!(of(&[1, 2, 3, 4]), Some(7));
        assert_eq!(of(&[2, 4, 7]), Some(1));
    }

    #[test]
    fn what_is_given_stands_with_what_comes_of_it() {
        let pieces = texts(
            "It cools. Given this door:\n\n```\ndoor = 1\n```\n\nand this wood:\n\n```\nwood = 2\n```\n\nThe fire will be:\n\n```\n3\n```\n\nwhich is hot.\n\nAll is well.",
        );
        assert_eq!(pieces.len(), 2, "{pieces:?}");
        assert!(pieces[0].ends_with("3|which is hot."), "{pieces:?}");
        let consequence = texts(
            "Suppose the door is open:\n\n```\ndoor = 1\n```\n\nThe fire goes out.\n\nAll is well.",
        );
        assert!(
            consequence[0].ends_with("The fire goes out."),
            "{consequence:?}"
        );
        let example = texts(
            "For example, assuming this door:\n\n```\ndoor = 1\n```\n\nThe fire goes out.\n\nAll is well.",
        );
        assert!(example[0].ends_with("The fire goes out."), "{example:?}");
    }

    #[test]
    fn what_promises_something_stands_with_it_and_a_half_with_its_other_half() {
        let told =
            "The kiln burns dry wood and coal, and a little straw when it is cold. ".repeat(3);
        let pieces = texts(&format!(
            "{told}Some rules follow.\n\nNever open it.\n\nThe fire goes\n\nout when it rains.\n\nIt is red."
        ));
        let last: Vec<&str> = pieces
            .iter()
            .rev()
            .take(3)
            .rev()
            .map(String::as_str)
            .collect();
        assert_eq!(
            last,
            [
                "Some rules follow.|Never open it.",
                "The fire goes|out when it rains.",
                "It is red."
            ]
        );
    }

    #[test]
    fn what_announces_only_other_sections_announces_nothing() {
        assert_eq!(
            texts("A kiln is an emitter with the following events."),
            Vec::<String>::new()
        );
        let told =
            "The kiln burns dry wood and coal, and a little straw when it is cold. ".repeat(3);
        let pieces = texts(&format!("{told}It knows the events listed below."));
        assert_eq!(pieces.len(), 3, "{pieces:?}");
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
    fn what_is_shown_as_wrong_stands_with_what_is_right_or_not_at_all() {
        let wrong = "A kiln is lit so:\n\n```sh\n# WRONG: the door is open\nkilnctl light\n```";
        let right = "Close the door first.\n\n```sh\nkilnctl light --shut\n```";
        assert_eq!(texts(wrong), [""; 0]);
        let pieces = texts(&format!("{wrong}\n\n{right}"));
        assert_eq!(pieces.len(), 1);
        assert!(pieces[0].ends_with("Close the door first.|kilnctl light --shut"));
        assert_eq!(
            texts(&wrong.replace("WRONG: the door is open", "NEVER DO THIS")),
            [""; 0]
        );
        let told = "```sh\nkilnctl light\n```\n\nThis naive way is wrong: the door is open.";
        let pieces = texts(&format!("{told}\n\n{right}"));
        assert!(pieces[0].starts_with("kilnctl light|This naive way") && pieces.len() == 1);
    }

    #[test]
    fn what_is_against_a_thing_stands_with_what_is_for_it() {
        let pieces = texts(
            "Wood has advantages:\n\n- It is cheap.\n\nBut there are disadvantages:\n\n- It smokes.\n\nBricks are red.",
        );
        assert_eq!(
            pieces,
            [
                "Wood has advantages:|It is cheap.|But there are disadvantages:|It smokes.",
                "Bricks are red."
            ]
        );
    }

    #[test]
    fn of_a_list_only_the_item_that_names_a_home_is_left_out() {
        let source = "It is called so:\n\n- kilnctl /home/potter/kiln\n- kilnctl /srv/kiln\n- kilnctl .\n\nIt burns.";
        let blocks = document(source).blocks;
        let (pieces, is_broken) = pieces(&blocks, 0..blocks.len(), false, usize::MAX);
        let text: String = pieces
            .iter()
            .map(|piece| blocks_text(&piece.blocks))
            .collect();
        assert!(text.contains("It is called so:") && text.contains("/srv/kiln"));
        assert!(
            text.contains("It burns.") && !text.contains("potter"),
            "{text}"
        );
        assert!(is_broken);
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

    #[test]
    fn a_sentence_that_announces_stands_with_what_it_announces_though_others_follow_it() {
        let told =
            "A kiln is looked after by whoever built it, and by nobody else at all. ".repeat(3);
        let pieces = texts(&format!(
            "{told}It reads its orders from the files in the following list. Each may hold any order.\n\n- kiln.ini\n- fire.ini\n"
        ));
        assert_eq!(
            pieces.last().unwrap(),
            "It reads its orders from the files in the following list. Each may hold any order.|kiln.ini\nfire.ini"
        );
    }

    #[test]
    fn an_item_that_is_only_called_something_stands_with_what_is_quoted_below_it() {
        let told =
            "It is heated by wood, that is dry and burns for a long while in there. ".repeat(20);
        let source = format!("- Many pots\n\n> {told}\n\nIt burns.");
        let blocks = markdown::read(source).blocks;
        let (pieces, _) = pieces(&blocks, 0..blocks.len(), false, usize::MAX);
        let own: Vec<usize> = pieces.iter().map(|piece| piece.blocks.len()).collect();
        assert_eq!(own, [2, 1]);
    }

    #[test]
    fn a_short_list_that_is_announced_is_shown_as_a_whole() {
        let item = |number: usize| {
            format!(
                "- It opens {} {number}.\n",
                "a chamber of the kiln ".repeat(18)
            )
        };
        let list: String = (1..=3).map(item).collect();
        assert_eq!(
            texts(&format!("Note the following doors:\n\n{list}")).len(),
            1
        );
        let many: String = (1..=9).map(item).collect();
        assert_eq!(
            texts(&format!("Note the following doors:\n\n{many}")).len(),
            9
        );
    }

    #[test]
    fn a_question_is_a_name_though_it_is_long() {
        let asked = "How do I keep the door of the kiln shut while it burns?";
        let told = "It is heated by wood. ".repeat(80);
        let source = format!("- **{asked}** {told}\n- **Why?** {told}\n");
        let blocks = markdown::read(source).blocks;
        let (pieces, _) = pieces(&blocks, 0..blocks.len(), false, usize::MAX);
        let names: Vec<String> = pieces
            .iter()
            .flat_map(|piece| &piece.names)
            .map(|name| plain(name))
            .collect();
        assert_eq!(names, [asked, "Why?"]);
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
    fn a_way_through_menus_is_no_trail_of_pages() {
        let step = "Step 4. In the window, select Kiln > the door > Open.";
        assert_eq!(texts(step), [step]);
        assert_eq!(texts("Home > Kilns > Doors\n\nIt burns."), ["It burns."]);
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
