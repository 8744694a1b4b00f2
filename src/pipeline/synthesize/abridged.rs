//! Owns the SKILL.md of a source that is a few times too long: its own sections in their order, each from its beginning as far as
//! there is room, and where to read on.
//!
//! How a section begins is what it is about, and nothing in a beginning leans on what was left out: so a source keeps its own
//! order and words, where sentences that were picked one by one would lose both. What a section shows in code comes with its first
//! sentence, since that is what its reader looks for. Room is given to all sections alike (water filling), more to those that tell
//! how to do something, less to those on what is inside. Where a list is cut, what its other entries are called stands below it.

use super::compose::{BODY_LINES_MAX, BODY_TOKENS_MAX, same_words};
use super::loaders;
use super::outline::{Outline, Section, block_text};
use super::page::{Page, paragraph};
use super::pointers::{point_at, pointers};
use super::portions::written_tokens;
use super::references::Reference;
use super::roles::{self, Role};
use super::sentences::{cut_sentences, sentences};
use super::series::is_release;
use super::units::{OPTIONS_CHARS, announces_others, leans_back, shortened};
use super::wording::{is_unfinished, is_unfit, names_home};
use super::words::words;
use crate::domain::document::{Block, BlockKind};
use crate::domain::text::{Inline, letters, plain, squash};
use crate::pipeline::markdown;
use crate::pipeline::orders;
use crate::pipeline::scaffold::{FOR_MORE, FOR_THE_REST_OF, HEADINGS, READ, THE_REST};
use std::collections::HashSet;
use std::ops::Range;

/// A source that is so many times as long as a body would lose most of each section; the essence of it tells more.
const TIMES_MAX: usize = 24;
/// With fewer sections there is no structure to keep.
const SECTIONS_MIN: usize = 4;
/// So many of ten sections must be shown, at least by how they begin.
const SHOWN_OF_TEN: usize = 5;
/// A table, a list or a list of options that is longer may be cut between its entries.
const CUT_CHARS: usize = 1_200;
/// A longer paragraph may be cut between its sentences.
const PARAGRAPH_CHARS: usize = 400;
/// A longer paragraph in bold letters is no label.
const LABEL_CHARS: usize = 60;
/// What is shorter may well stand in two sections.
const TWICE_CHARS: usize = 60;
/// Lines of a body are rarer than its tokens: each costs at least so many of them.
const TOKENS_OF_LINE: usize = BODY_TOKENS_MAX / BODY_LINES_MAX as usize;
/// A log tells of so many versions at least.
const VERSIONS_MIN: usize = 3;
/// The greatest weight of a section.
const MOST: usize = 6;
/// A first example that takes more of the body is none that a section is opened with.
const EXAMPLE_TOKENS: usize = 30 * TOKENS_OF_LINE;
/// A table of so many rows, or a list of so many entries whose number is told, is shown as a whole or not at all.
const WHOLE_ENTRIES: usize = 12;
/// A longer name of an entry is no name.
const NAME_CHARS: usize = 40;
/// So many tokens name the entries that were left out; of more, the rest of them is named by the file.
const NAMES_TOKENS: usize = 160;
/// So many sections are named behind the file that holds the rest of them.
const TITLES_MAX: usize = 4;
/// A pointer at a file takes so many tokens.
const POINTER_TOKENS: usize = 24;
/// How much of the aim is given up when marks took more room than was thought.
const TRIES: usize = 4;

/// What stays together: a block with what announces it, or an entry of a long one.
struct Piece {
    /// Where its last block stands in the source.
    at: usize,
    blocks: Vec<Block>,
    cost: usize,
    /// What an entry of a list or a table is called.
    name: Option<Vec<Inline>>,
}

impl Piece {
    fn of(at: usize, blocks: Vec<Block>) -> Self {
        Self {
            at,
            cost: cost(&blocks),
            name: blocks.last().and_then(name),
            blocks,
        }
    }

    fn is_code(&self) -> bool {
        let mut blocks = self.blocks.iter();
        blocks.any(|block| matches!(block.kind, BlockKind::Code { .. }))
    }
}

/// How much of a section is shown: so many of its first pieces, and its first example, which may stand further down.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct Shown {
    first: usize,
    example: Range<usize>,
}

/// A section with its pieces, and how many of them are shown.
struct Part<'a> {
    section: &'a Section,
    heading: Option<&'a Block>,
    pieces: Vec<Piece>,
    /// What the pieces before each cost together, and all of them.
    costs: Vec<usize>,
    /// What it costs to name the entries that are missing where a list is cut before each piece.
    names: Vec<usize>,
    /// The first code, with what it leans on.
    example: Option<Range<usize>>,
    weight: usize,
    /// Whether it tells how to begin: a body without that is none.
    comes_first: bool,
    /// Whether something of it is left out that is no piece.
    is_broken_off: bool,
    shown: Shown,
}

impl<'a> Part<'a> {
    /// Of a section with these pieces; nothing of it is shown yet.
    fn of(
        section: &'a Section,
        heading: Option<&'a Block>,
        pieces: Vec<Piece>,
        is_broken_off: bool,
    ) -> Self {
        let mut sum = 0;
        let costs = pieces.iter().map(|piece| {
            sum += piece.cost;
            sum
        });
        Self {
            section,
            heading,
            costs: std::iter::once(0).chain(costs).collect(),
            names: names_costs(&pieces),
            example: example(&pieces),
            pieces,
            weight: 1,
            comes_first: false,
            is_broken_off,
            shown: Shown::default(),
        }
    }

    fn heading_cost(&self) -> usize {
        self.heading
            .map_or(0, |heading| written_tokens(heading).max(2 * TOKENS_OF_LINE))
    }

    fn is_shown(&self) -> bool {
        self.shown.first > 0
    }

    fn cost(&self) -> usize {
        match self.is_shown() {
            true => self.heading_cost() + self.cost_of(&self.shown),
            false => 0,
        }
    }

    fn cost_of(&self, shown: &Shown) -> usize {
        let until = |piece: usize| self.costs.get(piece).copied().unwrap_or_default();
        let apart = shown.example.start.max(shown.first)..shown.example.end;
        let example = match apart.is_empty() {
            true => 0,
            false => until(apart.end) - until(apart.start),
        };
        let names = self.names.get(shown.first).copied().unwrap_or_default();
        until(shown.first) + example + names
    }

    /// Shows as much from the beginning as costs at most `room`; with the example as soon as there is room for it.
    fn fill(&mut self, room: usize) {
        let examples = [self.example.clone(), Some(0..0)];
        let fitting = examples.into_iter().flatten().find_map(|example| {
            let firsts = 1..=self.pieces.len();
            firsts
                .rev()
                .map(|first| Shown {
                    first,
                    example: example.clone(),
                })
                .find(|shown| self.cost_of(shown) <= room)
        });
        self.shown = fitting.unwrap_or_default();
    }

    /// The numbers of the pieces that are shown behind those from the beginning.
    fn apart(&self) -> Range<usize> {
        self.shown.example.start.max(self.shown.first)..self.shown.example.end
    }

    fn is_cut(&self) -> bool {
        self.is_broken_off || self.shown.first < self.pieces.len()
    }

    /// What the entries are called that are missing where a list is cut before `piece`; nothing where one of them has no name.
    fn names_from(&self, piece: usize) -> Vec<&Vec<Inline>> {
        let cut = || -> Option<Vec<&Vec<Inline>>> {
            let before = self.pieces.get(piece.checked_sub(1)?)?;
            let rest = self.pieces.get(piece..)?;
            let rest = rest.iter().take_while(|next| next.at == before.at);
            rest.map(|next| next.name.as_ref()).collect()
        };
        cut().unwrap_or_default()
    }
}

/// What names an entry: its term, or how its item or row begins.
fn name(block: &Block) -> Option<Vec<Inline>> {
    let marked = |text: &[Inline]| {
        let first = text.first()?;
        matches!(first, Inline::Code(_) | Inline::Strong(_)).then(|| vec![first.clone()])
    };
    let name = match &block.kind {
        BlockKind::Definitions(entries) => entries.first()?.terms.first()?.clone(),
        BlockKind::List { items, .. } => match &items.first()?.first()?.kind {
            BlockKind::Paragraph(text) => marked(text)?,
            _ => return None,
        },
        BlockKind::Table { rows, .. } => rows.first()?.first()?.clone(),
        _ => return None,
    };
    let letters = plain(&name).trim().chars().count();
    (1..=NAME_CHARS).contains(&letters).then_some(name)
}

fn name_tokens(name: &[Inline]) -> usize {
    super::page::tokens(&plain(name)) + 1
}

/// SKILL.md with the sections of `blocks` shortened and pointers to the references that hold all of it; `None` where that would
/// keep too little.
pub(super) fn abridged(
    header: &str,
    title: &str,
    blocks: &[Block],
    outline: &Outline,
    references: &[Reference],
) -> Option<Page> {
    let pointers = super::page::tokens(&pointers(references)) + POINTER_TOKENS * references.len();
    let room = BODY_TOKENS_MAX.saturating_sub(pointers);
    let headed = outline.sections.iter().filter(|section| section.level > 0);
    let headed = headed.count();
    let is_log = tells_versions(outline);
    // What is too long is told from its words, before any of it is written.
    let is_too_long = outline.words() > TIMES_MAX * room
        || headed * SHOWN_OF_TEN / 10 * 4 * TOKENS_OF_LINE > room;
    if headed < SECTIONS_MIN || is_too_long && !is_log {
        return None;
    }
    let mut words = 0;
    let of_log = |section: &&Section| {
        words += section.words;
        words < 2 * room || !is_log
    };
    let sections: Vec<&Section> = outline.sections.iter().take_while(of_log).collect();
    let mut parts = parts(blocks, outline, &sections, title);
    for aim in (0..TRIES).map(|given_up| room * (10 - given_up) / 10) {
        match is_log {
            true => fill_in_order(&mut parts, aim),
            false => share_out(&mut parts, aim),
        }
        if !shows_most(&parts) && !is_log {
            return None;
        }
        let page = written(header, title, blocks, &parts, references);
        let tokens = page.tokens() - super::page::tokens(header);
        if tokens <= BODY_TOKENS_MAX && page.lines() <= BODY_LINES_MAX {
            return Some(page);
        }
    }
    None
}

/// Whether enough of the sections are shown.
fn shows_most(parts: &[Part<'_>]) -> bool {
    let wanted = || {
        parts
            .iter()
            .filter(|part| part.weight > 0 && !part.pieces.is_empty())
    };
    wanted().filter(|part| part.is_shown()).count() * 10 >= wanted().count() * SHOWN_OF_TEN
}

/// Whether most sections are those of releases: a log of changes, whose reader asks for the newest ones.
fn tells_versions(outline: &Outline) -> bool {
    let levels = || {
        let levels = outline.sections.iter().map(|section| section.level);
        levels.filter(|level| *level > 0)
    };
    let Some(level) = levels().filter(|level| *level > 1).min().or(levels().min()) else {
        return false;
    };
    let of_level = || {
        let sections = outline.sections.iter();
        sections.filter(|section| section.level == level)
    };
    let versions = of_level().filter(|section| is_release(&section.title));
    let versions = versions.count();
    versions >= VERSIONS_MIN && versions * 10 >= of_level().count() * 7
}

/// Shows one section after another to its end, until there is no room.
fn fill_in_order(parts: &mut [Part<'_>], room: usize) {
    let mut left = room;
    for part in parts {
        part.fill(left.saturating_sub(part.heading_cost()));
        left -= part.cost();
        if part.is_cut() {
            left = 0;
        }
    }
}

/// Gives every section the same room by its weight, as much as there is; what is left goes to whoever can use it, in order.
fn share_out(parts: &mut [Part<'_>], room: usize) {
    let cost_at = |parts: &mut [Part<'_>], level: usize| -> usize {
        for part in parts.iter_mut() {
            let least = match part.comes_first {
                true => room / 4,
                false => 0,
            };
            part.fill((level * part.weight).max(least));
        }
        parts.iter().map(Part::cost).sum()
    };
    let (mut fits, mut exceeds) = (0, room + 1);
    while exceeds - fits > 1 {
        let level = usize::midpoint(fits, exceeds);
        match cost_at(parts, level) <= room {
            true => fits = level,
            false => exceeds = level,
        }
    }
    let mut left = room.saturating_sub(cost_at(parts, fits));
    for weight in (1..=MOST).rev() {
        for part in parts.iter_mut().filter(|part| part.weight == weight) {
            let before = part.cost();
            let most = (left + before).saturating_sub(part.heading_cost());
            part.fill(most);
            left = (left + before).saturating_sub(part.cost());
        }
    }
}

/// How much room a section deserves: how the source opens and how things are done first, what only surrounds it not at all.
fn weight(section: &Section, number: usize) -> usize {
    if section.is_aside {
        return 0;
    }
    match roles::of_title(&section.title) {
        _ if number == 0 => MOST,
        Some(Role::Procedure | Role::Prerequisite) => MOST,
        Some(_) => 4,
        None if is_of_inside(&section.title) => 1,
        None if section.level > 2 => 2,
        None => 4,
    }
}

/// Whether a title announces what only those ask for who build the thing, or compare it.
fn is_of_inside(title: &str) -> bool {
    let lower = title.to_lowercase();
    words(&lower).any(|word| {
        matches!(
            word,
            "appendix"
                | "benchmark"
                | "benchmarks"
                | "comparison"
                | "history"
                | "internal"
                | "internals"
                | "performance"
                | "rationale"
        )
    })
}

/// The sections with what can be shown of them.
fn parts<'a>(
    blocks: &'a [Block],
    outline: &Outline,
    sections: &[&'a Section],
    title: &str,
) -> Vec<Part<'a>> {
    let tells_how = |section: &Section| {
        section.level > 1 && section.words > 8 && roles::comes_first(&section.title)
    };
    let first = sections.iter().position(|section| tells_how(section));
    // Under a title that is one of ours too, a check takes what stands there for chosen.
    let is_ours = |number: usize| {
        let mut path = outline.path(number).into_iter();
        path.any(|title| HEADINGS.contains(&title))
    };
    let mut shown = HashSet::new();
    let mut says_more = |piece: &Piece| {
        let words: String = piece.blocks.iter().map(block_text).collect();
        words.len() < TWICE_CHARS || shown.insert(letters(&words))
    };
    sections
        .iter()
        .enumerate()
        .map(|(number, section)| {
            let start = section.own.start + usize::from(section.level > 0);
            let heading = blocks.get(section.own.start).filter(|_| section.level > 0);
            let (mut pieces, is_broken_off) =
                pieces(blocks, start..section.own.end, is_ours(number));
            pieces.retain(&mut says_more);
            let heading = heading.filter(|_| !(number == 0 && same_words(&section.title, title)));
            Part {
                weight: weight(section, number),
                comes_first: !section.is_aside && Some(number) == first,
                ..Part::of(section, heading, pieces, is_broken_off)
            }
        })
        .collect()
}

/// For each piece what it costs to name it and those behind it of the same list, where that is cut before it.
fn names_costs(pieces: &[Piece]) -> Vec<usize> {
    let mut out = vec![0; pieces.len()];
    let mut behind: Option<(usize, Option<usize>)> = None;
    for (number, piece) in pieces.iter().enumerate().rev() {
        let rest = match behind {
            Some((at, rest)) if at == piece.at => rest,
            _ => Some(0),
        };
        let own = piece.name.as_ref().map(|name| name_tokens(name));
        let all = rest.zip(own).map(|(rest, own)| rest + own);
        let is_inside = number
            .checked_sub(1)
            .and_then(|before| pieces.get(before))
            .is_some_and(|before| before.at == piece.at);
        if is_inside
            && let Some(all) = all
            && let Some(cost) = out.get_mut(number)
        {
            *cost = all.min(NAMES_TOKENS) + POINTER_TOKENS;
        }
        behind = Some((piece.at, all));
    }
    out
}

/// Where a section's first code stands among its pieces, with the paragraph before it where it has nothing of its own that
/// announces it; nothing where that goes on with what was said before.
fn example(pieces: &[Piece]) -> Option<Range<usize>> {
    let code = pieces.iter().position(Piece::is_code)?;
    let found = pieces.get(code)?;
    if code < 2 || found.cost > EXAMPLE_TOKENS {
        return None;
    }
    let leads = |piece: &Piece| {
        let first = piece.blocks.first()?;
        let text = match &first.kind {
            BlockKind::Paragraph(text) => plain(text),
            _ => return None,
        };
        (!leans_back(&text)).then_some(())
    };
    let start = match found.blocks.len() {
        1 => code - 1,
        _ => code,
    };
    leads(pieces.get(start)?)?;
    Some(start..code + 1)
}

/// What stays together, in order, and whether more follows that is not shown. What only a whole section may quote stays in the
/// references: a note of its author on what is still to be written; somebody's own folder, code that arguments would change and
/// what would run unseen, together with all that follows them in the section, since it may lean on them.
fn pieces(blocks: &[Block], range: Range<usize>, is_ours: bool) -> (Vec<Piece>, bool) {
    let mut out: Vec<Piece> = Vec::new();
    let mut announced: Vec<Block> = Vec::new();
    for at in range {
        let Some(block) = blocks.get(at) else { break };
        if matches!(block.kind, BlockKind::Figure { .. }) {
            continue;
        }
        let next = blocks.get(at + 1).map(|block| &block.kind);
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
        for blocks in std::iter::once(first).chain(cut.map(|entry| vec![entry])) {
            if is_unfinished_in(&blocks) || is_ours && is_unfit_in(&blocks) {
                continue;
            }
            if !is_harmless(&blocks) {
                return (out, true);
            }
            out.push(Piece::of(at, blocks));
        }
    }
    // What announces something that does not come announces nothing.
    (out, false)
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
        || is_shown_next && speaks_of_next(words)
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
    super::page::tokens(&text).max((text.lines().count() + 1) * TOKENS_OF_LINE)
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
fn joined(pieces: &[Piece]) -> Vec<Block> {
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

fn join(whole: &mut Block, entry: &Block) {
    match (&mut whole.kind, &entry.kind) {
        (BlockKind::Paragraph(whole), BlockKind::Paragraph(more)) => {
            whole.push(Inline::Text(" ".into()));
            whole.extend(more.iter().cloned());
        }
        (BlockKind::Definitions(whole), BlockKind::Definitions(more)) => {
            whole.extend(more.iter().cloned());
        }
        (BlockKind::List { items, .. }, BlockKind::List { items: more, .. }) => {
            items.extend(more.iter().cloned());
        }
        (BlockKind::Table { rows, .. }, BlockKind::Table { rows: more, .. }) => {
            rows.extend(more.iter().cloned());
        }
        _ => {}
    }
}

fn written(
    header: &str,
    title: &str,
    blocks: &[Block],
    parts: &[Part<'_>],
    references: &[Reference],
) -> Page {
    let mut page = Page::new(None);
    page.add(header, None);
    page.add_heading(1, title, blocks.first().map(|block| &block.span));
    let mut files = references.iter().peekable();
    let mut rest = Rest::default();
    for (number, part) in parts.iter().enumerate() {
        while let Some(file) = files.next_if(|file| file.blocks.end <= part.section.own.start) {
            std::mem::take(&mut rest).add_to(&mut page, file);
        }
        let holds_shown = || {
            let inner = parts.get(number + 1..).unwrap_or_default().iter();
            inner
                .take_while(|inner| inner.section.own.start < part.section.end)
                .any(Part::is_shown)
        };
        let is_shown = part.is_shown() || holds_shown();
        rest.note(part, is_shown);
        if !is_shown {
            continue;
        }
        let (first, apart) = (part.shown.first, part.apart());
        let shown = |range: Range<usize>| joined(part.pieces.get(range).unwrap_or_default());
        let heading = part.heading.cloned();
        let section: Vec<Block> = heading.into_iter().chain(shown(0..first)).collect();
        page.add_section(1, &section);
        if let Some(file) = files.peek()
            && let names = part.names_from(first)
            && !names.is_empty()
        {
            page.add(&go_on(file, FOR_MORE, &names), None);
        }
        page.add_section(1, &shown(apart));
    }
    if let Some(file) = files.next() {
        rest.add_to(&mut page, file);
    }
    point_at(&mut page, references);
    page
}

/// What the body leaves out of a file: the titles of sections that are cut, and whether any was shown.
#[derive(Default)]
struct Rest<'a> {
    cut: Vec<&'a [Inline]>,
    is_cut: bool,
    is_shown: bool,
}

impl<'a> Rest<'a> {
    fn note(&mut self, part: &'a Part<'_>, is_shown: bool) {
        self.is_shown |= is_shown;
        if !part.is_cut() || part.weight == 0 {
            return;
        }
        self.is_cut = true;
        match part.heading.map(|heading| &heading.kind) {
            Some(BlockKind::Heading { text, .. }) if part.is_shown() => self.cut.push(text),
            _ => {}
        }
    }

    /// Adds where the sections above go on.
    fn add_to(self, page: &mut Page, file: &Reference) {
        if !(self.is_cut && self.is_shown) {
            return;
        }
        let is_named = |title: &&[Inline]| same_words(&plain(title), &file.title);
        let names: Vec<Vec<Inline>> = match self.cut.as_slice() {
            [] => Vec::new(),
            [title] if is_named(title) => Vec::new(),
            cut if cut.len() > TITLES_MAX => Vec::new(),
            cut => cut
                .iter()
                .map(|title| loaders::set_apart(squash(&plain(title)).into()))
                .collect(),
        };
        let names: Vec<&Vec<Inline>> = names.iter().collect();
        let lead = match names.is_empty() {
            true => THE_REST,
            false => FOR_THE_REST_OF,
        };
        page.add(&go_on(file, lead, &names), None);
    }
}

/// A pointer at a file: its title, what leads on, and what it leads to.
fn go_on(file: &Reference, lead: &str, names: &[&Vec<Inline>]) -> String {
    let link = Inline::link(
        file.file.filename.clone(),
        loaders::set_apart(file.title.clone().into()),
    );
    let mut line = vec![
        Inline::Text(format!("{READ} ")),
        link,
        Inline::Text(format!(" {lead}")),
    ];
    let mut tokens = 0;
    for (number, name) in names.iter().enumerate() {
        tokens += name_tokens(name);
        if tokens > NAMES_TOKENS {
            break;
        }
        line.push(Inline::Text(if number > 0 { ", " } else { " " }.into()));
        line.extend(name.iter().cloned());
    }
    line.push(Inline::Text(".".into()));
    markdown::write(&[paragraph(line)])
}

#[cfg(test)]
mod tests {
    use super::{Block, Part, pieces, tells_versions};
    use crate::domain::text::plain;
    use crate::pipeline::extract::markup::markdown;
    use crate::pipeline::synthesize::outline::{Outline, block_text};
    use crate::pipeline::synthesize::testing::document;

    fn texts(source: &str) -> Vec<String> {
        let blocks = document(source).blocks;
        let (pieces, _) = pieces(&blocks, 0..blocks.len(), false);
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

    fn long_items(count: usize) -> String {
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

    #[test]
    fn a_section_shows_its_first_example_with_its_first_sentence() {
        let told = "The wood is dry and burns for a long while in there. ".repeat(9);
        let source = format!(
            "A kiln fires pots.\n\n{told}\n\nOpen it by a command.\n\n```\nkilnctl open\n```\n\n{told}"
        );
        of_part(&source, |part| {
            let mut shown = |room: usize| {
                part.fill(room);
                (part.shown.first, part.apart(), part.cost() <= room)
            };
            assert_eq!(shown(1), (0, 0..0, true));
            assert_eq!(shown(30).0, 1);
            let (first, example, fits) = shown(150);
            assert!(
                fits && first < example.start && example.len() == 2,
                "{first} {example:?}"
            );
            assert!(shown(4_000).1.is_empty());
            assert!(!part.is_cut());
        });
    }

    #[test]
    fn what_the_other_entries_of_a_cut_list_are_called_is_known() {
        of_part(
            &format!("It has many doors:\n\n{}", long_items(9)),
            |part| {
                part.fill(300);
                let first = part.shown.first;
                assert!((1..8).contains(&first), "{first}");
                let names = part.names_from(first);
                assert_eq!(plain(names.first().unwrap()), format!("door {}", first + 1));
                assert_eq!(names.len(), 9 - first);
            },
        );
    }

    #[test]
    fn three_releases_make_a_log_and_three_numbered_sections_do_not() {
        let is_log = |source: &str| tells_versions(&Outline::of(&document(source).blocks));
        assert!(is_log(
            "# Changes\n\n## 1.2.0\n\nA.\n\n## 1.1.0\n\nB.\n\n## 1.0.0\n\nC.\n"
        ));
        assert!(is_log("# 1.2.0\n\nA.\n\n# 1.1.0\n\nB.\n\n# 1.0.0\n\nC.\n"));
        assert!(!is_log(
            "# Kilns\n\nA.\n\n# Glazes\n\nB.\n\n# Cones\n\nC.\n"
        ));
        assert!(!is_log(
            "# 1. Notes\n\nA.\n\n# 2. Changes\n\nB.\n\n# 3. Release\n\nC.\n"
        ));
    }

    /// What is told of the only section of a source.
    fn of_part<T>(source: &str, told: impl FnOnce(&mut Part<'_>) -> T) -> T {
        let blocks = markdown::read(format!("# Kilns\n\n{source}")).blocks;
        let outline = Outline::of(&blocks);
        let (pieces, is_broken_off) = pieces(&blocks, 1..blocks.len(), false);
        let section = outline.sections.first().unwrap();
        told(&mut Part::of(section, None, pieces, is_broken_off))
    }
}
