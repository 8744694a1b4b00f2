//! Owns the SKILL.md of a source that is longer than one may be: its own sections in their order, each from its beginning as far as
//! there is room, and where to read on.
//!
//! How a section begins is what it is about, and nothing in a beginning leans on what was left out: so a source keeps its own
//! order and words, where sentences that were picked one by one would lose both. What a section shows in code comes with its first
//! sentence, since that is what its reader looks for. Room is given to all sections alike (water filling), more to those that tell
//! how to do something, less to those on what is inside. Where a list is cut, what its other entries are called stands below it.
//!
//! Of a book, whose sections are too many for a sentence each to say much, the chapters are opened, and behind each stands what else
//! its files hold.

mod announcing;
mod choice;
mod cutting;
mod entries;
mod gathering;
mod inner;
mod names;
mod opening;
mod part;
mod piece;
mod referred;
mod weight;
mod written;

use self::gathering::pieces;
use self::part::{POINTER_TOKENS, Part, Shown};
use self::piece::Piece;
use self::referred::Referred;
use self::weight::{OPENING_WORDS, SOUGHT_WEIGHT, opens, weight};
use self::written::{Opened, Pointers, written};
use super::compose::{BODY_LINES_MAX, BODY_TOKENS_MAX};
use super::outline::{Outline, Section, block_text};
use super::page::Page;
use super::pointers::pointers;
use super::project::is_titled;
use super::references::Reference;
use super::roles;
use super::series::tells_versions;
use crate::pipeline::product::Origin;
use crate::pipeline::scaffold::HEADINGS;
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::text::{Inline, letters, plain};
use std::collections::{HashMap, HashSet};

/// A source that is so many times as long as a body would lose most of each section; the essence of it tells more.
const TIMES_MAX: usize = 24;
/// So much of ten is set aside for examples, and for how to begin.
const SET_ASIDE_OF_TEN: usize = 7;
/// How to begin gets one part of so many.
const BEGINNING_OF: usize = 4;
/// And what opens the source one of so many.
const OPENING_OF: usize = 5;
/// With fewer sections there is no structure to keep.
const SECTIONS_MIN: usize = 4;
/// With so many listings between its paragraphs, a text without sections is told in its order.
const LISTINGS_MIN: usize = 5;
/// So many of ten sections must be shown, at least by how they begin.
const SHOWN_OF_TEN: usize = 5;
/// With more sections it is a book, of which one sentence each would tell too little: its chapters are shown instead.
const SECTIONS_MAX: usize = 70;
/// How much of ten goes to the beginnings of sections that are chosen; the rest is shared out among them.
const CHOSEN_OF_TEN: usize = 8;
/// How much of ten goes to the titles of sections that a book's files hold, and how much to one file's.
const TITLES_OF_TEN: usize = 2;
const TITLES_TOKENS_MAX: usize = 90;
/// What a line that points at a file takes beside them.
const LINE_TOKENS: usize = 30;
/// What is shorter may well stand in two sections.
const TWICE_CHARS: usize = 60;
/// What is said in more sections tells of none of them.
const SAID_IN_MAX: usize = 3;
/// What is called so in so many sections tells of none.
const NAMED_IN_MAX: usize = 3;
/// Lines of a body are rarer than its tokens: each costs at least so many of them.
const TOKENS_OF_LINE: usize = BODY_TOKENS_MAX / BODY_LINES_MAX as usize;
/// That something should be used no more stands among so many blocks below its heading.
const RETIRED_BLOCKS: usize = 2;
/// The weight of one that tells so many options at least: they are what its reader looks up.
const OPTIONS_WEIGHT: usize = 12;
const OPTIONS_MIN: usize = 8;
/// The weight of an entry of a reference, of which a line is shown, and of one that is spoken of most.
const ENTRY_WEIGHT: usize = 3;
const SOUGHT_ENTRY_WEIGHT: usize = 4;
/// A section that takes no more than so many tenths of its share is shown to its end.
const ENDS_OF_TEN: usize = 13;
/// What is aimed at, in tenths of the room, one after another.
const AIMS_OF_TEN: [usize; 7] = [13, 12, 11, 10, 9, 8, 7];

/// SKILL.md with the sections of `blocks` shortened and pointers to the references that hold all of it; `None` where that would
/// keep too little.
pub(super) fn abridged(
    header: &str,
    title: &str,
    blocks: &[Block],
    outline: &Outline,
    origin: &Origin,
    references: &[Reference],
) -> Option<Page> {
    let headed = outline.sections.iter().filter(|section| section.level > 0);
    let headed = headed.count();
    if headed < SECTIONS_MIN && tells_in_sentences(blocks) && !walks_through(blocks) {
        return None;
    }
    let opened = Opened {
        header,
        title,
        span: blocks.first().map(|block| &block.span),
        outline,
        origin,
    };
    let table = super::page::tokens(&pointers(references));
    if tells_versions(outline) {
        // One section of a log is cut at most, and says where it goes on.
        let room = BODY_TOKENS_MAX.saturating_sub(table + POINTER_TOKENS);
        let newest = newest(outline, 2 * room);
        // A release is told, and not looked up by its name.
        let none = HashMap::new();
        let is_new = |number| number < newest;
        let mut parts = parts(
            blocks,
            outline,
            title,
            none,
            &Referred::default(),
            &is_new,
            room,
        );
        return fitting(header, room, |aim| {
            fill_in_order(&mut parts, aim);
            let way = Pointers::Table;
            let page = || written(&opened, &parts, references, way);
            parts.iter().any(Part::is_shown).then(page)
        });
    }
    let lines = POINTER_TOKENS * references.len();
    let room = BODY_TOKENS_MAX.saturating_sub(table + lines);
    let shared_out = |parts: &mut [Part<'_>], room: usize, way: Pointers| {
        let page = fitting(header, room, |aim| {
            share_out(parts, aim);
            let page = || written(&opened, parts, references, way);
            shows_most(parts).then(page)
        })?;
        let left = BODY_TOKENS_MAX.saturating_sub(page.tokens());
        let lengthened = lengthen(parts, left).then(|| written(&opened, parts, references, way));
        Some(lengthened.filter(|page| fits(page, header)).unwrap_or(page))
    };
    let entries = || entries::entries(blocks, outline);
    let referred = Referred::of(blocks, outline);
    // What is a book is told from its words and sections, before any of it is written.
    let is_book = headed > SECTIONS_MAX || outline.words() > TIMES_MAX * room;
    let all = match is_book {
        true => None,
        false => {
            let mut parts = parts(
                blocks,
                outline,
                title,
                entries(),
                &referred,
                &|_| true,
                room,
            );
            shared_out(&mut parts, room, Pointers::Table)
        }
    };
    all.or_else(|| {
        let (titles, all_titles) = titles(outline, references);
        let files = references.len() * LINE_TOKENS + all_titles;
        let room = BODY_TOKENS_MAX
            .saturating_sub(files)
            .max(BODY_TOKENS_MAX / 4);
        let chosen = choice::chosen(blocks, outline, &referred, room * CHOSEN_OF_TEN / 10);
        let is_chosen = |number: usize| chosen.binary_search(&number).is_ok();
        let mut parts = parts(
            blocks,
            outline,
            title,
            entries(),
            &referred,
            &is_chosen,
            room,
        );
        shared_out(&mut parts, room, Pointers::Lines(titles))
    })
}

/// Whether most words stand in running text, of which sentences can be picked, and not in lists and tables, whose entries are looked
/// up.
fn tells_in_sentences(blocks: &[Block]) -> bool {
    let (mut told, mut all) = (0, 0);
    for block in blocks {
        let words = block_text(block).len();
        all += words;
        told += match block.kind {
            BlockKind::Paragraph(_) | BlockKind::Quote(_) => words,
            _ => 0,
        };
    }
    told * 2 >= all
}

/// Whether a text walks through code, listing by listing: sentences picked from it would be about listings that stand elsewhere.
fn walks_through(blocks: &[Block]) -> bool {
    let is_code = |block: &&Block| matches!(block.kind, BlockKind::Code { .. });
    let listings = blocks.windows(2).filter(|pair| match pair {
        [before, after] => is_code(&after) && !is_code(&before),
        _ => false,
    });
    listings.count() >= LISTINGS_MIN
}

/// How many tokens of the titles in it each file may be pointed at with, and how many that makes for all of them.
fn titles(outline: &Outline, references: &[Reference]) -> (usize, usize) {
    let needed = |file: &Reference| {
        let within =
            |section: &&Section| !section.is_aside && file.blocks.contains(&section.own.start);
        let first = outline
            .sections
            .partition_point(|own| own.own.start < file.blocks.start);
        let inner = outline.sections.get(first..).unwrap_or_default().iter();
        let inner = || {
            inner
                .clone()
                .take_while(|own| own.own.start < file.blocks.end)
                .filter(within)
        };
        let highest = inner().map(|own| own.level).min();
        inner()
            .filter(|own| Some(own.level) == highest)
            .map(|own| super::page::tokens(&own.title) + 1)
            .sum::<usize>()
    };
    let needed: Vec<usize> = references.iter().map(needed).collect();
    let at = |each: usize| needed.iter().map(|own| own.min(&each)).sum::<usize>();
    let room = BODY_TOKENS_MAX * TITLES_OF_TEN / 10;
    let each = (1..=TITLES_TOKENS_MAX).rev().find(|each| at(*each) <= room);
    each.map_or((0, 0), |each| (each, at(each)))
}

/// The page that `of` makes with as much room as fits into a body: sometimes more than was thought, since not everybody takes all
/// that it gets, or less, where marks took some.
fn fitting(header: &str, room: usize, mut of: impl FnMut(usize) -> Option<Page>) -> Option<Page> {
    AIMS_OF_TEN
        .into_iter()
        .map(|tenths| room * tenths / 10)
        .map_while(&mut of)
        .find(|page| fits(page, header))
}

/// Whether a body is as short as it must be.
fn fits(page: &Page, header: &str) -> bool {
    let tokens = page.tokens() - super::page::tokens(header);
    tokens <= BODY_TOKENS_MAX && page.lines() <= BODY_LINES_MAX
}

/// How many sections from the first hold so many words, beside those that only record what was done.
fn newest(outline: &Outline, words_max: usize) -> usize {
    let mut words = 0;
    let newest = outline.sections.iter().take_while(|section| {
        words += match is_record(&section.title) {
            true => 0,
            false => section.words,
        };
        words < words_max
    });
    newest.count()
}

/// Whether a section of a release only records what was done, or by whom: what is notable about that is told beside it.
fn is_record(title: &str) -> bool {
    let lower = title.trim().trim_end_matches(':').to_lowercase();
    matches!(
        lower.as_str(),
        "all commits"
            | "closed issues"
            | "commits"
            | "contributors"
            | "credits"
            | "full changelog"
            | "merged prs"
            | "merged pull requests"
            | "new contributors"
            | "pull requests"
            | "thanks"
            | "thank you"
    )
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

/// Shows one section after another to its end, until there is no room; those that only record what was done where all others are shown.
fn fill_in_order(parts: &mut [Part<'_>], room: usize) {
    let mut left = room;
    let mut is_shown = false;
    let tells = parts
        .iter()
        .any(|part| !is_record(&part.section.title) && part.section.words > 0);
    for part in parts.iter_mut() {
        if tells && is_record(&part.section.title) {
            part.shown = Shown::default();
            continue;
        }
        part.fill(left.saturating_sub(part.heading_cost()));
        // An entry that tells only whose it is tells nothing.
        if part.shown.first == 1
            && part.pieces.len() > 1
            && part.pieces.first().is_some_and(Piece::is_commit)
        {
            part.shown = Shown::default();
        }
        left -= part.cost();
        // Behind what is cut nothing is shown; but where the newest version is too long to begin with, an older one tells more than
        // none.
        is_shown |= part.is_shown();
        if part.is_cut() && is_shown {
            left = 0;
        }
    }
    for part in parts
        .iter_mut()
        .filter(|part| tells && is_record(&part.section.title))
    {
        part.fill(left.saturating_sub(part.heading_cost()));
        if part.is_cut() {
            part.shown = Shown::default();
            break;
        }
        left -= part.cost();
    }
}

/// Gives every section the same room by its weight, as much as there is; what is left goes to
/// those that are not shown yet, and then to whoever can use it, in order.
fn share_out(parts: &mut [Part<'_>], room: usize) {
    set_aside(parts, room);
    let cost_at = |parts: &mut [Part<'_>], level: usize| -> usize {
        for part in parts.iter_mut() {
            let share = (level * part.weight).max(part.least);
            let whole = part.costs.last().copied().unwrap_or_default();
            // What is nearly told is told to its end.
            let ends = part.weight > 0 && whole <= share * ENDS_OF_TEN / 10;
            part.fill(if ends { whole.max(share) } else { share });
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
    let mut left = room.saturating_sub(cost_at(parts, fits) - drop_leaning(parts));
    let mut widen = |part: &mut Part<'_>, most: usize| {
        let before = part.cost();
        part.fill(most.min((left + before).saturating_sub(part.heading_cost())));
        left = (left + before).saturating_sub(part.cost());
    };
    let by_weight = || (1..=OPTIONS_WEIGHT).rev();
    for weight in by_weight() {
        let parts = parts.iter_mut().filter(|part| part.weight == weight);
        for part in parts.filter(|part| !part.is_shown()) {
            widen(part, part.beginning());
        }
    }
    for weight in by_weight() {
        for part in parts.iter_mut().filter(|part| part.weight == weight) {
            widen(part, usize::MAX);
        }
    }
    drop_leaning(parts);
}

/// Hides the examples of what is not told, and says what that saves: code of which nobody says what it is for shows nothing.
fn drop_leaning(parts: &mut [Part<'_>]) -> usize {
    let mut saved = 0;
    for number in 0..parts.len() {
        let part = parts.get(number);
        let told = part.and_then(|part| part.leans_on);
        let told = told.and_then(|told| parts.get(told));
        if told.is_some_and(|told| told.shown.first == 0 && !told.pieces.is_empty())
            && let Some(part) = parts.get_mut(number)
        {
            saved += part.cost();
            part.shown = Shown::default();
        }
    }
    saved
}

/// Says more of each entry that was shortened, as far as there is room; whether any is said more of.
fn lengthen(parts: &mut [Part<'_>], room: usize) -> bool {
    let mut left = room;
    for weight in (1..=OPTIONS_WEIGHT).rev() {
        for part in parts.iter_mut().filter(|part| part.weight == weight) {
            left -= part.lengthen(left);
        }
    }
    left < room
}

/// Sets room aside: for how to begin, and for how other sections begin together with their first example, those first that tell
/// how things are done.
fn set_aside(parts: &mut [Part<'_>], room: usize) {
    for part in parts.iter_mut() {
        part.least = 0;
    }
    let mut left = room * SET_ASIDE_OF_TEN / 10;
    // What opens the source says what it is and what speaks for and against it.
    if let Some(part) = parts.iter_mut().find(|part| part.opens) {
        let whole = part.costs.last().copied().unwrap_or_default();
        part.least = whole.min((room / OPENING_OF).saturating_sub(part.heading_cost()));
        left = left.saturating_sub(part.least + part.heading_cost());
    }
    // How to begin is told from its beginning, as far as its share goes.
    let mut beginning = left.min(room / BEGINNING_OF);
    for part in parts
        .iter_mut()
        .filter(|part| part.comes_first && part.least == 0)
    {
        let whole = part.costs.last().copied().unwrap_or_default();
        part.least = whole.min(beginning.saturating_sub(part.heading_cost()));
        let taken = (part.least + part.heading_cost()).min(beginning);
        beginning -= taken;
        left -= taken;
    }
    for weight in (2..=OPTIONS_WEIGHT).rev() {
        for number in 0..parts.len() {
            let Some(part) = parts.get(number) else { break };
            if part.weight != weight || part.least > 0 {
                continue;
            }
            let least = part.opening();
            let told = part
                .leans_on
                .and_then(|told| Some((told, parts.get(told)?)));
            let told = told.filter(|(_, told)| told.least == 0);
            let beginning = told
                .as_ref()
                .map_or(0, |(_, told)| told.beginning() + told.heading_cost());
            if least > 0
                && let Some(after) = left.checked_sub(least + part.heading_cost() + beginning)
            {
                left = after;
                if let Some((told, beginning)) =
                    told.map(|(number, told)| (number, told.beginning()))
                    && let Some(told) = parts.get_mut(told)
                {
                    told.least = beginning;
                }
                if let Some(part) = parts.get_mut(number) {
                    part.least = least;
                }
            }
        }
    }
}

/// Where the headings stand that have nothing of their own, by the section right behind them that tells of all of them: the ways in
/// which one function is called.
fn alike(sections: &[Section]) -> HashMap<usize, Vec<usize>> {
    let mut out: HashMap<usize, Vec<usize>> = HashMap::new();
    for (number, pair) in sections.windows(2).enumerate() {
        let [section, next] = pair else { continue };
        let is_bare = section.own.len() == 1 && section.end == section.own.end;
        let are_calls = section.title.contains('(') && next.title.contains('(');
        if is_bare && are_calls && section.level == next.level && section.level > 0 {
            let mut headings = out.remove(&number).unwrap_or_default();
            headings.push(section.own.start);
            out.insert(number + 1, headings);
        }
    }
    out
}

/// The sections, by their numbers, of what should be used no more, and those below them: they begin by saying so.
fn retired(blocks: &[Block], sections: &[Section]) -> HashSet<usize> {
    let says_so = |block: &Block| {
        let text = block_text(block).trim_start().to_lowercase();
        matches!(
            block.kind,
            BlockKind::Paragraph(_) | BlockKind::Quote(_) | BlockKind::Admonition { .. }
        ) && ["deprecated", "obsolete", "stability: 0"]
            .iter()
            .any(|opening| text.starts_with(opening))
    };
    let mut out = HashSet::new();
    for (number, section) in sections.iter().enumerate().filter(|(_, own)| own.level > 0) {
        let own = blocks.get(section.own.clone()).unwrap_or_default();
        let is_below = section.parent.is_some_and(|above| out.contains(&above));
        if is_below || own.iter().skip(1).take(RETIRED_BLOCKS).any(says_so) {
            out.insert(number);
        }
    }
    out
}

/// Whether most of what the lists of a section name are options, and many.
fn tells_options(pieces: &[Piece]) -> bool {
    let names = || pieces.iter().flat_map(|piece| &piece.names);
    let options = names().filter(|name| plain(name).starts_with('-')).count();
    options >= OPTIONS_MIN && options * 2 > names().count()
}

/// The sections with what can be shown of them: of `entries` the line that tells each, of those that are not chosen nothing, and of
/// no other more than fits into `room`.
fn parts<'a>(
    blocks: &'a [Block],
    outline: &'a Outline,
    title: &str,
    mut entries: HashMap<usize, Piece>,
    referred: &Referred,
    is_chosen: &dyn Fn(usize) -> bool,
    room: usize,
) -> Vec<Part<'a>> {
    let sections = &outline.sections;
    let begins = choice::begins(outline);
    let is_log = tells_versions(outline);
    // Under a title that is one of ours too, a check takes what stands there for chosen.
    let is_ours = |number: usize| {
        let mut path = outline.path(number).into_iter();
        path.any(|title| HEADINGS.contains(&title))
    };
    let titles = opening::titles(outline);
    let is_entry: HashSet<usize> = entries.keys().copied().collect();
    let mut described: HashSet<String> = HashSet::new();
    // By what is said: in which section last, and in how many.
    let mut shown: HashMap<String, (usize, usize)> = HashMap::new();
    // What holds for two sections stands in both: dropped from one of them, that would seem not to hold there. Only what is said all
    // over is no news of a section.
    let mut says_more = |piece: &Piece, number: usize| {
        let words: String = piece.blocks.iter().map(block_text).collect();
        if words.len() < TWICE_CHARS {
            return true;
        }
        let (last, sections) = shown.entry(letters(&words)).or_insert((usize::MAX, 0));
        let is_here = std::mem::replace(last, number) == number;
        *sections += usize::from(!is_here);
        !is_here && (*sections <= SAID_IN_MAX || piece.entries() > 0)
    };
    let mut cut: Vec<(Vec<Piece>, bool)> = sections
        .iter()
        .enumerate()
        .map(|(number, section)| {
            let start = section.own.start + usize::from(section.level > 0);
            let above = section.parent.filter(|above| is_entry.contains(above));
            if let Some(line) = entries.remove(&number) {
                // What two entries are described by alike is said once (V093).
                let text: String = line.blocks.iter().map(block_text).collect();
                let told = text
                    .split_once(": ")
                    .map_or(text.as_str(), |(_, told)| told);
                let is_new = described.insert(letters(told));
                return (if is_new { vec![line] } else { Vec::new() }, true);
            }
            let (mut pieces, is_broken_off) = match is_chosen(number) && above.is_none() {
                true => pieces(blocks, start..section.own.end, is_ours(number), room),
                false => (Vec::new(), start < section.own.end),
            };
            // A release is told in its order, as far as there is room.
            if is_log {
                pieces = pieces.into_iter().map(Piece::in_full).collect();
            }
            opening::keep_telling(&mut pieces, &titles, number == 0 || opens(outline, number));
            // What is warned of is said wherever it holds, with all that is said of it.
            let mut warned = None;
            // Of the sentences of a paragraph none is taken out: the next one may go on with it.
            let is_paragraph = |at: usize| {
                let block = blocks.get(at).map(|block| &block.kind);
                matches!(block, Some(BlockKind::Paragraph(_)))
            };
            let mut told = None;
            pieces.retain(|piece| {
                warned = warned.max(piece.is_warning().then_some(piece.at));
                let is_told = says_more(piece, number)
                    || warned == Some(piece.at)
                    || told == Some(piece.at) && is_paragraph(piece.at);
                told = told.max(is_told.then_some(piece.at));
                is_told
            });
            (pieces, is_broken_off)
        })
        .collect();
    keep_telling_names(cut.iter_mut().map(|(pieces, _)| pieces));
    let retired = retired(blocks, sections);
    let mut alike = alike(sections);
    let parts = sections.iter().enumerate().zip(cut);
    parts
        .map(|((number, section), (pieces, is_broken_off))| {
            let heading = blocks.get(section.own.start).filter(|_| section.level > 0);
            // A line above the title of a page begins the text, and not its first section.
            let is_first = number == 0 || opens(outline, number);
            let heading = heading.filter(|_| !(is_first && is_titled(title, &section.title)));
            Part {
                weight: match is_entry.contains(&number) {
                    true if referred.is_sought(number) => SOUGHT_ENTRY_WEIGHT,
                    true => ENTRY_WEIGHT,
                    false => match weight(outline, referred, number) {
                        most if retired.contains(&number) => most.min(1),
                        SOUGHT_WEIGHT => SOUGHT_WEIGHT,
                        2.. if tells_options(&pieces) => OPTIONS_WEIGHT,
                        weight => weight,
                    },
                },
                is_entry: is_entry.contains(&number),
                alike: alike
                    .remove(&number)
                    .into_iter()
                    .flatten()
                    .filter_map(|above| blocks.get(above))
                    .collect(),
                leans_on: section.parent.filter(|_| choice::is_example(section)),
                opens: section.words >= OPENING_WORDS && opens(outline, number),
                comes_first: !section.is_aside
                    && begins.contains(&number)
                    && !roles::comes_late(&section.title),
                ..Part::of(section, heading, pieces, is_broken_off)
            }
        })
        .collect()
}

/// Of what entries are called keeps what tells of its section: what those of several sections are called ("Syntax:", "Default:")
/// says nothing of one.
fn keep_telling_names<'p>(sections: impl Iterator<Item = &'p mut Vec<Piece>>) {
    let mut sections: Vec<&mut Vec<Piece>> = sections.collect();
    let mut times: HashMap<String, usize> = HashMap::new();
    for section in &sections {
        let names = section.iter().flat_map(|piece| &piece.names);
        let own: HashSet<String> = names.map(|name| plain(name)).collect();
        for name in own {
            *times.entry(name).or_default() += 1;
        }
    }
    for section in &mut sections {
        let mut named = HashSet::new();
        for piece in section.iter_mut() {
            let is_told = |name: &Vec<Inline>| {
                let times = times.get(&plain(name));
                times.is_none_or(|times| *times < NAMED_IN_MAX)
            };
            piece.names.retain(is_told);
            let all = piece.names.len();
            piece.names.retain(|name| named.insert(plain(name)));
            piece.repeated = all - piece.names.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Block, Part, Referred, drop_leaning, parts, retired};
    use crate::pipeline::synthesize::outline::Outline;
    use crate::pipeline::synthesize::testing::document;
    use std::collections::HashMap;

    /// The sections of an untitled source, all of them chosen.
    fn whole<'a>(blocks: &'a [Block], outline: &'a Outline, room: usize) -> Vec<Part<'a>> {
        let none = Referred::default();
        parts(blocks, outline, "", HashMap::new(), &none, &|_| true, room)
    }

    #[test]
    fn ways_to_call_one_function_stand_together_over_what_it_does() {
        let source = "# Kiln\n\nIt fires pots.\n\n## fire(Wood)\n\n## fire(Wood, Heat)\n\n## burn(Wood)\n\nIt fires.\n\n## Doors\n\n## ash()\n\nIt is ash.\n";
        let blocks = skillkiln_readers::markup::markdown::read(source.to_owned()).blocks;
        let outline = Outline::of(&blocks);
        let alike = super::alike(&outline.sections);
        let [(told, above)] = alike.iter().collect::<Vec<_>>()[..] else {
            panic!("{alike:?}")
        };
        assert_eq!(
            (outline.sections[*told].title.as_str(), above.len()),
            ("burn(Wood)", 2)
        );
    }

    #[test]
    fn what_a_release_brought_is_told_at_its_length() {
        let release = |number: usize| {
            let brought: String = (0..9)
                .map(|change| {
                    let told = format!("It lets door {change} of {number} close when it is cold. ")
                        .repeat(4);
                    format!("- Mend door {change} of {number}\n\n  {told}\n\n")
                })
                .collect();
            format!("## 1.{number}.0\n\n{brought}")
        };
        let source: String = (0..5).rev().map(release).collect();
        let source = format!("# Kiln changes\n\n{source}");
        let blocks = skillkiln_readers::markup::markdown::read(source).blocks;
        let outline = Outline::of(&blocks);
        let parts = whole(&blocks, &outline, 9_000);
        let mut pieces = parts.iter().flat_map(|part| &part.pieces);
        assert!(pieces.clone().count() > 40 && pieces.all(|piece| piece.longer.is_none()));
    }

    #[test]
    fn what_holds_for_two_sections_stands_in_both_and_what_all_say_in_few() {
        let rule = "No other door may be opened while this one is, whatever it is made of.";
        let same = "Kilns of this kind are sold by the maker, and by those who buy from him.";
        let way = |number: usize| {
            let own = if number < 2 { rule } else { "" };
            format!("## Way {number}\n\nIt takes door {number}.\n\n{own}\n\n{same}\n\n{same}\n\n")
        };
        let source: String = (0..6).map(way).collect();
        let blocks = document(&format!("# Kiln\n\nIt burns.\n\n{source}")).blocks;
        let outline = Outline::of(&blocks);
        let parts = whole(&blocks, &outline, 9_000);
        let texts = parts.iter().flat_map(|part| &part.pieces);
        let texts: Vec<String> = texts
            .map(|piece| crate::pipeline::synthesize::outline::blocks_text(&piece.blocks))
            .collect();
        let times = |said: &str| texts.iter().filter(|text| text.trim() == said).count();
        assert_eq!((times(rule), times(same)), (2, super::SAID_IN_MAX));
    }

    #[test]
    fn a_paragraph_keeps_a_sentence_that_its_section_has_said_before() {
        let ratio =
            "Note that the kiln keeps the height of each pot as it was when it is fired again.";
        let size = |side: &str| {
            let told = "Its size may be given in inches as well as in centimetres, as its maker likes best. ";
            format!(
                "The size of its {side} is told here. {ratio} So, a pot may be too small for its {side}. {told}\n\n"
            )
        };
        let source = format!(
            "# Kiln\n\nIt burns.\n\n## Sizes\n\n{}{}",
            size("door"),
            size("lid")
        );
        let blocks = document(&source).blocks;
        let outline = Outline::of(&blocks);
        let parts = whole(&blocks, &outline, 9_000);
        let texts = parts.iter().flat_map(|part| &part.pieces);
        let all: String = texts
            .map(|piece| crate::pipeline::synthesize::outline::blocks_text(&piece.blocks))
            .collect();
        assert_eq!(all.matches(ratio).count(), 2, "{all}");
    }

    #[test]
    fn what_a_log_only_records_is_shown_where_all_that_it_tells_is() {
        let release = |number: usize| {
            let commits: String = (0..30)
                .map(|commit| format!("- `{commit:07x}` mend door {number}\n"))
                .collect();
            format!(
                "## 1.{number}.0\n\n### Notable changes\n\n- The door number {number} closes.\n\n### Commits\n\n{commits}\n"
            )
        };
        let source: String = (0..5).rev().map(release).collect();
        let source = format!("# Kiln changes\n\n{source}");
        let blocks = skillkiln_readers::markup::markdown::read(source).blocks;
        let outline = Outline::of(&blocks);
        let told = |room: usize| {
            let mut parts = whole(&blocks, &outline, room);
            super::fill_in_order(&mut parts, room);
            let shown = |title: &str| {
                let of = parts.iter().filter(|part| part.section.title == title);
                of.filter(|part| part.is_shown()).count()
            };
            (shown("Notable changes"), shown("Commits"))
        };
        assert_eq!(told(400), (5, 0));
        assert_eq!(told(9_000), (5, 5));
    }

    #[test]
    fn what_should_be_used_no_more_says_so_where_it_begins() {
        let source = "# Kiln\n\nIt fires pots.\n\n## open()\n\n> Stability: 0 - Deprecated: use `fire()`.\n\nIt opens.\n\n### Events\n\nIt cries.\n\n## fire()\n\nIt fires.\n\nIt burns.\n\nDeprecated ways are gone.\n";
        let blocks = skillkiln_readers::markup::markdown::read(source.to_owned()).blocks;
        let outline = Outline::of(&blocks);
        let retired = retired(&blocks, &outline.sections);
        let mut titles: Vec<&str> = retired
            .iter()
            .filter_map(|number| outline.sections.get(*number))
            .map(|section| section.title.as_str())
            .collect();
        titles.sort_unstable();
        assert_eq!(titles, ["Events", "open()"]);
    }

    #[test]
    fn an_example_is_hidden_where_nothing_is_told_of_what_it_shows() {
        let source = "# Kilns\n\nIt burns.\n\n## Doors\n\nA door opens.\n\n### Examples\n\n```\nkilnctl open\n```\n\n## Wood\n\nIt is dry.\n";
        let blocks = document(source).blocks;
        let outline = Outline::of(&blocks);
        let mut parts = parts(
            &blocks,
            &outline,
            "Kilns",
            HashMap::new(),
            &Referred::default(),
            &|_| true,
            4_000,
        );
        assert_eq!(parts[2].leans_on, Some(1));
        parts[2].fill(1_000);
        assert!(drop_leaning(&mut parts) > 0 && !parts[2].is_shown());
        parts[1].fill(1_000);
        parts[2].fill(1_000);
        assert_eq!(drop_leaning(&mut parts), 0);
        assert!(parts[2].is_shown());
    }
}
