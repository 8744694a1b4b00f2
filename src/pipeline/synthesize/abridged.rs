//! Owns the SKILL.md of a source that is a few times too long: its own sections in their order, each from its beginning as far as
//! there is room, and where to read on.
//!
//! How a section begins is what it is about, and nothing in a beginning leans on what was left out: so a source keeps its own
//! order and words, where sentences that were picked one by one would lose both. Room is given to all sections alike (water
//! filling), more to those that tell how to do something.

use super::compose::{BODY_LINES_MAX, BODY_TOKENS_MAX, same_words};
use super::loaders;
use super::outline::{Outline, Section, block_text};
use super::page::{Page, paragraph};
use super::pointers::{point_at, pointers};
use super::portions::written_tokens;
use super::references::Reference;
use super::roles::{self, Role};
use super::sentences::cut_sentences;
use super::series::is_release;
use super::units::{OPTIONS_CHARS, announces_others, shortened};
use super::wording::{is_unfinished, is_unfit, names_home};
use crate::domain::document::{Block, BlockKind};
use crate::domain::text::{Inline, letters, plain};
use crate::pipeline::markdown;
use crate::pipeline::orders;
use crate::pipeline::scaffold::{HEADINGS, READ, THE_REST};
use std::collections::HashSet;

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
/// The greatest weight of a section.
const MOST: usize = 3;
/// How much of the aim is given up when marks took more room than was thought.
const TRIES: usize = 4;

/// What stays together: a block with what announces it, or an entry of a long one.
struct Piece {
    /// Where its last block stands in the source.
    at: usize,
    blocks: Vec<Block>,
    cost: usize,
}

/// A section with its pieces, and how many of them are shown.
struct Part<'a> {
    section: &'a Section,
    heading: Option<&'a Block>,
    pieces: Vec<Piece>,
    weight: usize,
    /// Whether it tells how to begin: a body without that is none.
    comes_first: bool,
    shown: usize,
}

impl Part<'_> {
    fn heading_cost(&self) -> usize {
        self.heading
            .map_or(0, |heading| written_tokens(heading).max(2 * TOKENS_OF_LINE))
    }

    fn cost(&self) -> usize {
        let shown = self.pieces.iter().take(self.shown);
        match self.shown {
            0 => 0,
            _ => self.heading_cost() + shown.map(|piece| piece.cost).sum::<usize>(),
        }
    }

    /// Shows as much from the beginning as costs at most `room`.
    fn fill(&mut self, room: usize) {
        let mut cost = 0;
        let fits = |piece: &&Piece| {
            cost += piece.cost;
            cost <= room
        };
        self.shown = self.pieces.iter().take_while(fits).count();
    }

    fn is_cut(&self) -> bool {
        self.shown < self.pieces.len()
    }
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
    let room = BODY_TOKENS_MAX.saturating_sub(super::page::tokens(&pointers(references)));
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
    wanted().filter(|part| part.shown > 0).count() * 10 >= wanted().count() * SHOWN_OF_TEN
}

/// Whether most sections are those of releases: a log of changes, whose reader asks for the newest ones.
fn tells_versions(outline: &Outline) -> bool {
    let below_title = outline.sections.iter().filter(|section| section.level > 1);
    let level = below_title.map(|section| section.level).min().unwrap_or(0);
    let of_level = || {
        outline
            .sections
            .iter()
            .filter(|section| section.level == level)
    };
    let versions = of_level().filter(|section| is_release(&section.title));
    versions.count() * 10 >= of_level().count() * 7
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
            while let Some(next) = part.pieces.get(part.shown) {
                let heading = match part.shown {
                    0 => part.heading_cost(),
                    _ => 0,
                };
                let Some(after) = left.checked_sub(next.cost + heading) else {
                    break;
                };
                left = after;
                part.shown += 1;
            }
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
        Some(_) => 2,
        None => 2 - usize::from(section.level > 2),
    }
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
            Part {
                section,
                heading: heading.filter(|_| !(number == 0 && same_words(&section.title, title))),
                pieces: pieces(blocks, start..section.own.end, is_ours(number))
                    .into_iter()
                    .filter(&mut says_more)
                    .collect(),
                weight: weight(section, number),
                comes_first: !section.is_aside && Some(number) == first,
                shown: 0,
            }
        })
        .collect()
}

/// What stays together, in order. What only a whole section may quote stays in the references: a note of its author on what is still
/// to be written, somebody's own folder, code that arguments would change, and what would run unseen.
fn pieces(blocks: &[Block], range: std::ops::Range<usize>, is_ours: bool) -> Vec<Piece> {
    let mut out = Vec::new();
    let mut announced: Vec<Block> = Vec::new();
    for at in range {
        let Some(block) = blocks.get(at) else { break };
        if matches!(block.kind, BlockKind::Figure { .. }) {
            continue;
        }
        if matches!(&block.kind, BlockKind::Paragraph(text) if announces(text)) {
            announced.push(block.clone());
            continue;
        }
        let mut cut = entries(block).into_iter();
        let mut first = std::mem::take(&mut announced);
        first.extend(cut.next());
        let rest = cut.map(|entry| vec![entry]);
        out.extend(
            std::iter::once(first)
                .chain(rest)
                .filter(|blocks| is_harmless(blocks) && !(is_ours && is_unfit_in(blocks)))
                .map(|blocks| Piece {
                    at,
                    cost: cost(&blocks),
                    blocks,
                }),
        );
    }
    // What announces something that does not come announces nothing.
    out
}

/// Whether a paragraph is about the block after it alone: it ends in a colon, is a label in bold letters, or a word such as "or"
/// between two blocks.
fn announces(text: &[Inline]) -> bool {
    let words = plain(text);
    let words = words.trim();
    words.ends_with([':', '：'])
        || matches!(text, [Inline::Strong(_)]) && words.len() <= LABEL_CHARS
        || ["or", "and", "then", "oder", "und", "ou", "et"]
            .contains(&words.trim_end_matches([',', '.']).to_lowercase().as_str())
}

fn is_harmless(blocks: &[Block]) -> bool {
    let text: String = blocks.iter().map(block_text).collect();
    !is_unfinished(&text)
        && !names_home(&text)
        && !loaders::take_arguments(blocks)
        && !orders::runs_unseen(&text)
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

/// The blocks of some pieces, the entries of one block joined again.
fn joined<'a>(pieces: impl Iterator<Item = &'a Piece>) -> Vec<Block> {
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
    let mut is_cut = false;
    let mut is_shown = false;
    for (number, part) in parts.iter().enumerate() {
        while let Some(file) = files.next_if(|file| file.blocks.end <= part.section.own.start) {
            if is_cut && is_shown {
                page.add(&read_on(file), None);
            }
            (is_cut, is_shown) = (false, false);
        }
        let holds_shown = || {
            let inner = parts.get(number + 1..).unwrap_or_default().iter();
            inner
                .take_while(|inner| inner.section.own.start < part.section.end)
                .any(|inner| inner.shown > 0)
        };
        is_cut |= part.is_cut() && part.weight > 0;
        if part.shown == 0 && !holds_shown() {
            continue;
        }
        is_shown = true;
        let heading = part.heading.cloned();
        let shown = joined(part.pieces.iter().take(part.shown));
        let section: Vec<Block> = heading.into_iter().chain(shown).collect();
        page.add_section(1, &section);
    }
    if let Some(file) = files.next().filter(|_| is_cut && is_shown) {
        page.add(&read_on(file), None);
    }
    point_at(&mut page, references);
    page
}

/// Where the sections above go on.
fn read_on(file: &Reference) -> String {
    let link = Inline::link(
        file.file.filename.clone(),
        loaders::set_apart(file.title.clone().into()),
    );
    markdown::write(&[paragraph(vec![
        Inline::Text(format!("{READ} ")),
        link,
        Inline::Text(format!(" {THE_REST}.")),
    ])])
}

#[cfg(test)]
mod tests {
    use super::{Block, pieces};
    use crate::pipeline::synthesize::outline::block_text;
    use crate::pipeline::synthesize::testing::document;

    fn texts(source: &str) -> Vec<String> {
        let blocks = document(source).blocks;
        let pieces = pieces(&blocks, 0..blocks.len(), false);
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
        assert_eq!(
            pieces,
            [
                format!("{long}Each door is opened so:|kilnctl open"),
                "Or|kilnctl lift".to_owned()
            ]
        );
    }

    #[test]
    fn a_note_on_what_is_unfinished_and_somebodys_folder_stay_in_the_references() {
        let pieces = texts(
            "The kiln burns wood.\n\nTODO: say which wood.\n\nIt lies under /home/potter/kilns here.\n\nIt never burns coal.",
        );
        assert_eq!(pieces, ["The kiln burns wood.", "It never burns coal."]);
    }
}
