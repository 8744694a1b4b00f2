//! Owns the SKILL.md of a source that is a few times too long: its own sections in their order, each from its beginning as far as
//! there is room, and where to read on.
//!
//! How a section begins is what it is about, and nothing in a beginning leans on what was left out: so a source keeps its own
//! order and words, where sentences that were picked one by one would lose both. What a section shows in code comes with its first
//! sentence, since that is what its reader looks for. Room is given to all sections alike (water filling), more to those that tell
//! how to do something, less to those on what is inside. Where a list is cut, what its other entries are called stands below it.

mod part;
mod piece;
mod written;

use self::part::{POINTER_TOKENS, Part};
use self::piece::{Piece, pieces};
use self::written::written;
use super::compose::{BODY_LINES_MAX, BODY_TOKENS_MAX, same_words};
use super::outline::{Outline, Section, block_text};
use super::page::Page;
use super::pointers::pointers;
use super::references::Reference;
use super::roles::{self, Role};
use super::series::is_release;
use super::words::words;
use crate::domain::document::Block;
use crate::domain::text::letters;
use crate::pipeline::scaffold::HEADINGS;
use std::collections::HashSet;

/// A source that is so many times as long as a body would lose most of each section; the essence of it tells more.
const TIMES_MAX: usize = 24;
/// So much of ten is set aside for examples, and for how to begin.
const SET_ASIDE_OF_TEN: usize = 7;
/// With fewer sections there is no structure to keep.
const SECTIONS_MIN: usize = 4;
/// So many of ten sections must be shown, at least by how they begin.
const SHOWN_OF_TEN: usize = 5;
/// What is shorter may well stand in two sections.
const TWICE_CHARS: usize = 60;
/// Lines of a body are rarer than its tokens: each costs at least so many of them.
const TOKENS_OF_LINE: usize = BODY_TOKENS_MAX / BODY_LINES_MAX as usize;
/// A log tells of so many versions at least.
const VERSIONS_MIN: usize = 3;
/// The greatest weight of a section.
const MOST: usize = 6;
/// How much of the aim is given up when marks took more room than was thought.
const TRIES: usize = 4;

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
    set_aside(parts, room);
    let cost_at = |parts: &mut [Part<'_>], level: usize| -> usize {
        for part in parts.iter_mut() {
            part.fill((level * part.weight).max(part.least));
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

/// Sets room aside: for how to begin, and for how other sections begin together with their first example, those first that tell
/// how things are done.
fn set_aside(parts: &mut [Part<'_>], room: usize) {
    let mut left = room * SET_ASIDE_OF_TEN / 10;
    for weight in (2..=MOST).rev() {
        for part in parts.iter_mut().filter(|part| part.weight == weight) {
            let least = match part.comes_first {
                true => room / 4,
                false => part.opening(),
            };
            if least > 0
                && let Some(after) = left.checked_sub(least + part.heading_cost())
            {
                part.least = least;
                left = after;
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

#[cfg(test)]
mod tests {
    use super::tells_versions;
    use crate::pipeline::synthesize::outline::Outline;
    use crate::pipeline::synthesize::testing::document;

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
}
