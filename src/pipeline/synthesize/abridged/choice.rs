//! Owns which sections a body opens where they are too many for each to be shown: those by which a book tells what it is about.
//!
//! A book is known by its chapters: how it and each of them opens says more than sentences that are picked from all over it. So the
//! way to begin has a section here, then each chapter as long as there is room, those of the highest level first; then, chapter by
//! chapter, how things are done and what is shown in code.

use super::referred::Referred;
use super::weight::weight;
use crate::pipeline::synthesize::outline::{Outline, Section};
use crate::pipeline::synthesize::roles::{self, Role};
use skillkiln_document::blocks::{Block, BlockKind};
use std::cmp::{Ordering, Reverse};
use std::ops::Range;

/// What a section takes of a body that is worth opening, in tokens: some sentences, or some and code.
const TOLD_TOKENS: usize = 80;
const CODE_TOKENS: usize = 130;
/// A section of fewer words says nothing of its own.
const WORDS_MIN: usize = 8;
/// A chapter that opens with fewer words leaves it to its first section to say what it is about.
const OPENING_WORDS: usize = 40;
/// A book of fewer chapters has parts; of more than the most it is not divided further.
const CHAPTERS_MIN: usize = 10;
const CHAPTERS_MAX: usize = 32;
/// A chapter that is divided has so many sections at most; of more it is a list.
const SECTIONS_MAX: usize = 20;
/// Entries of a list, and no sections, are those of which most have fewer words.
const ENTRY_WORDS: usize = 100;
/// How to begin is told in the first so many of ten sections, and in so many of them.
const BEGINS_OF_TEN: usize = 5;
const BEGINNING_MAX: usize = 6;
/// No section further down says how to begin: a chapter's own sections at most.
const BEGINS_DEPTH: usize = 2;

/// A section that may be opened.
struct Candidate {
    number: usize,
    /// The section of its own example, which is opened with it.
    example: Option<usize>,
    level: u8,
    weight: usize,
    comes_late: bool,
    shows_code: bool,
    /// How many other sections name it.
    referred: usize,
}

impl Candidate {
    fn cost(&self) -> usize {
        match (self.shows_code, self.example) {
            (_, Some(_)) => TOLD_TOKENS + CODE_TOKENS,
            (true, None) => CODE_TOKENS,
            (false, None) => TOLD_TOKENS,
        }
    }

    /// How soon it is opened among those of its chapter.
    fn rank(&self) -> (bool, Reverse<usize>, u8, bool, Reverse<usize>, usize) {
        (
            self.comes_late,
            Reverse(self.weight),
            self.level,
            !self.shows_code,
            Reverse(self.referred),
            self.number,
        )
    }
}

/// What a chapter has to open, the last of it first, of how much, and how much of that had its turn.
struct Share {
    left: Vec<Candidate>,
    all: usize,
    taken: usize,
}

impl Share {
    fn of(left: Vec<Candidate>) -> Self {
        Self {
            all: left.len(),
            left,
            taken: 0,
        }
    }

    fn take(&mut self) -> Option<Candidate> {
        self.taken += 1;
        self.left.pop()
    }

    /// Whose turn comes first: a chapter has turns as the square root of its sections, so that one of forty has more than one of
    /// four, and leaves that some.
    fn before(&self, other: &Self) -> Ordering {
        let turns = |share: &Self| (share.taken + 1).pow(2);
        (turns(self) * other.all).cmp(&(turns(other) * self.all))
    }
}

/// The numbers of the sections to open, in source order, with about `room` tokens for all of them.
pub(super) fn chosen(
    blocks: &[Block],
    outline: &Outline,
    referred: &Referred,
    room: usize,
) -> Vec<usize> {
    let section = |number: usize| outline.sections.get(number);
    let mut left = room;
    let mut out: Vec<usize> = Vec::new();
    let mut open = |candidate: Candidate| match left.checked_sub(candidate.cost()) {
        Some(after) => {
            left = after;
            out.push(candidate.number);
            out.extend(candidate.example);
            true
        }
        None => false,
    };
    let mut chapters = candidates(blocks, outline, referred);
    let mut take = |is_meant: &dyn Fn(&Candidate) -> bool| {
        chapters.iter_mut().find_map(|chapter| {
            let at = chapter.iter().position(is_meant)?;
            Some(chapter.remove(at))
        })
    };
    let opening = take(&|candidate| candidate.number == 0);
    let begins = begins(outline);
    let beginning = begins.map(|number| take(&|candidate| candidate.number == number));
    for candidate in opening.into_iter().chain(beginning.flatten()) {
        open(candidate);
    }
    chapters.retain(|chapter| !chapter.is_empty());
    chapters.sort_by_key(|chapter| {
        let first = chapter.first();
        first.map(|first| (first.weight < 2 || first.comes_late, first.level))
    });
    for chapter in &mut chapters {
        let first = chapter.remove(0);
        let (number, level) = (first.number, first.level);
        let is_brief = section(number).is_some_and(|own| own.words < OPENING_WORDS);
        let inner = chapter.first().map(|next| next.number);
        let is_inner = inner.and_then(section).is_some_and(|own| own.level > level);
        if open(first) && is_brief && is_inner {
            open(chapter.remove(0));
        }
        chapter.sort_by_key(|candidate| Reverse(candidate.rank()));
    }
    let mut shares: Vec<Share> = chapters.into_iter().map(Share::of).collect();
    let mut refused = 0;
    while refused <= shares.len()
        && let Some(candidate) = shares
            .iter_mut()
            .filter(|share| !share.left.is_empty())
            .min_by(|one, other| one.before(other))
            .and_then(Share::take)
    {
        refused = match open(candidate) {
            true => 0,
            false => refused + 1,
        };
    }
    out.sort_unstable();
    out
}

/// The sections that say how to begin: one of the chapters of the first half, or of their own sections, with those below it.
pub(super) fn begins(outline: &Outline) -> Range<usize> {
    let early = outline.sections.len() * BEGINS_OF_TEN / 10 + 1;
    let below = |number: usize, section: &Section| {
        let after = outline.sections.get(number..).unwrap_or_default().iter();
        let inner = after.take_while(|inner| inner.own.start < section.end);
        number..number + inner.count().min(BEGINNING_MAX)
    };
    let sections = outline.sections.iter().enumerate().take(early).skip(1);
    sections
        .filter(|(number, section)| {
            !section.is_aside
                && outline.depth(*number) <= BEGINS_DEPTH
                && roles::comes_first(&section.title)
        })
        .map(|(number, section)| below(number, section))
        .find(|range| {
            let own = outline.sections.get(range.clone()).unwrap_or_default();
            own.iter().map(|section| section.words).sum::<usize>() > WORDS_MIN
        })
        .unwrap_or_default()
}

/// The sections that say something, by the chapter in which they stand.
fn candidates(blocks: &[Block], outline: &Outline, referred: &Referred) -> Vec<Vec<Candidate>> {
    let chapters = chapters(outline);
    let mut out: Vec<Vec<Candidate>> = Vec::new();
    for (number, section) in outline.sections.iter().enumerate() {
        if out.is_empty() || chapters.binary_search(&number).is_ok() {
            out.push(Vec::new());
        }
        let own = |section: &Section| blocks.get(section.own.clone()).unwrap_or_default();
        let above = section.parent.and_then(|above| outline.sections.get(above));
        let leans =
            is_example(section) && above.is_some_and(|above| says_something(above, own(above)));
        if leans || !says_something(section, own(section)) {
            continue;
        }
        let example = outline.sections.get(number + 1);
        let example = example.filter(|inner| inner.parent == Some(number) && is_example(inner));
        let weight = |number| weight(outline, referred, number);
        if let Some(chapter) = out.last_mut() {
            chapter.push(Candidate {
                number,
                example: example.map(|_| number + 1),
                level: section.level,
                weight: match example {
                    Some(_) => weight(number).max(weight(number + 1)),
                    None => weight(number),
                },
                referred: referred.times(number),
                comes_late: roles::comes_late(&section.title),
                shows_code: shows_code(own(section))
                    || example.is_some_and(|inner| shows_code(own(inner))),
            });
        }
    }
    out
}

/// Whether a section is the example of the one above it, of which it shows nothing alone.
pub(super) fn is_example(section: &Section) -> bool {
    section.parent.is_some() && roles::of_title(&section.title) == Some(Role::Example)
}

fn says_something(section: &Section, own: &[Block]) -> bool {
    let only_heading = section.level > 0 && own.len() < 2;
    !section.is_aside && section.words >= WORDS_MIN && !only_heading
}

/// The sections at which chapters begin, in order: the highest ones; where those are few, or one of them is most of the book, their
/// own sections. What is a list of entries is not divided.
fn chapters(outline: &Outline) -> Vec<usize> {
    let weights = outline.weights();
    let weight = |number: usize| weights.get(number).copied().unwrap_or_default();
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); outline.sections.len()];
    let mut out: Vec<usize> = Vec::new();
    for (number, section) in outline.sections.iter().enumerate() {
        match section.parent.and_then(|parent| children.get_mut(parent)) {
            Some(siblings) => siblings.push(number),
            None => out.push(number),
        }
    }
    let are_sections = |inner: &[usize]| {
        let has_inner = |number: &usize| children.get(*number).is_some_and(|own| !own.is_empty());
        let large = inner
            .iter()
            .filter(|number| weight(**number) >= ENTRY_WORDS || has_inner(number));
        !inner.is_empty() && large.count() * 2 >= inner.len()
    };
    let total = outline.words();
    let mut divided = vec![false; outline.sections.len()];
    loop {
        let heaviest = out
            .iter()
            .filter(|number| !divided.get(**number).copied().unwrap_or(true))
            .filter_map(|number| Some((*number, children.get(*number)?)))
            .filter(|(_, inner)| {
                out.len() == 1
                    || inner.len() <= SECTIONS_MAX
                        && are_sections(inner)
                        && out.len() + inner.len() <= CHAPTERS_MAX
            })
            .max_by_key(|(number, _)| (weight(*number), Reverse(*number)));
        let Some((number, inner)) = heaviest else {
            break;
        };
        let is_most = weight(number) * 6 > total;
        if out.len() >= CHAPTERS_MIN && !is_most {
            break;
        }
        if let Some(divided) = divided.get_mut(number) {
            *divided = true;
        }
        out.extend(inner);
    }
    out.sort_unstable();
    out
}

/// Whether there is code among blocks, or in their lists.
fn shows_code(blocks: &[Block]) -> bool {
    blocks.iter().any(|block| match &block.kind {
        BlockKind::Code { .. } => true,
        BlockKind::List { items, .. } => items.iter().any(|item| shows_code(item)),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_readers::markup::markdown;

    fn titles(source: &str, of: impl Fn(&[Block], &Outline) -> Vec<usize>) -> Vec<String> {
        let blocks = markdown::read(source.to_owned()).blocks;
        let outline = Outline::of(&blocks);
        of(&blocks, &outline)
            .into_iter()
            .map(|number| outline.sections.get(number).unwrap().title.clone())
            .collect()
    }

    fn opened_with(blocks: &[Block], outline: &Outline, room: usize) -> Vec<usize> {
        chosen(blocks, outline, &Referred::of(blocks, outline), room)
    }

    fn told(words: usize) -> String {
        "The kiln burns dry wood. ".repeat(words / 5)
    }

    #[test]
    fn a_part_that_is_most_of_a_book_is_divided_into_its_chapters_and_a_list_of_entries_is_not() {
        let chapter = |name: &str| format!("### {name}\n\n{}\n\n", told(200));
        let entry = |number: usize| format!("### entry {number}\n\nIt is one.\n\n");
        let manual: String = ["Glazing", "Firing", "Cooling"].map(chapter).concat();
        let entries: String = (0..90).map(entry).collect();
        let book = format!("# Kilns\n\n## Manual\n\n{manual}## Entries\n\n{entries}");
        assert_eq!(
            titles(&book, |_, outline| chapters(outline)),
            ["Kilns", "Manual", "Glazing", "Firing", "Cooling", "Entries"]
        );
    }

    #[test]
    fn every_chapter_is_opened_before_any_is_told_further() {
        let book: String = (1..=12)
            .map(|number| {
                format!(
                    "## Chapter {number}\n\n{}\n\n### More of {number}\n\n{}\n\n",
                    told(60),
                    told(300)
                )
            })
            .collect();
        let book = format!("# Kilns\n\n{}\n\n{book}", told(60));
        let opened = titles(&book, |blocks, outline| {
            opened_with(blocks, outline, 13 * TOLD_TOKENS)
        });
        assert_eq!(opened.len(), 13);
        assert!(
            !opened.iter().any(|title| title.starts_with("More")),
            "{opened:?}"
        );
        let further = titles(&book, |blocks, outline| {
            opened_with(blocks, outline, 15 * TOLD_TOKENS)
        });
        assert_eq!(
            further
                .iter()
                .filter(|title| title.starts_with("More"))
                .count(),
            2
        );
    }

    #[test]
    fn a_chapter_of_many_sections_has_more_of_them_opened_than_one_of_few() {
        let chapter = |name: &str, sections: usize| {
            let sections: String = (0..sections)
                .map(|number| format!("### {name} {number}\n\n{}\n\n", told(60)))
                .collect();
            format!("## {name}\n\n{}\n\n{sections}", told(60))
        };
        let few: String = (0..12)
            .map(|number| chapter(&format!("Few {number}"), 3))
            .collect();
        let book = format!("# Kilns\n\n{few}{}", chapter("Many", 48));
        let opened = titles(&book, |blocks, outline| {
            opened_with(blocks, outline, 40 * TOLD_TOKENS)
        });
        let of = |name: &str| {
            let own = opened.iter().filter(|title| title.starts_with(name));
            own.count()
        };
        assert!(of("Many") >= 6 && of("Few 3") >= 2, "{opened:?}");
    }

    #[test]
    fn an_example_is_opened_with_what_it_shows_and_never_alone() {
        let function = |number: usize| {
            format!(
                "## door_{number}()\n\nOpens the door of chamber {number} for whoever asks it to.\n\n### Examples\n\n```\ndoor_{number}()\n```\n\n\
                This opens the door of the chamber as it was asked to.\n\n"
            )
        };
        let book: String = (0..30).map(function).collect();
        let book = format!("# Kilns\n\n{}\n\n{book}", told(60));
        let opened = titles(&book, |blocks, outline| {
            opened_with(blocks, outline, 10 * TOLD_TOKENS)
        });
        let examples = opened.iter().filter(|title| *title == "Examples").count();
        assert!(
            examples > 1 && opened.len() == 1 + 2 * examples,
            "{opened:?}"
        );
    }

    #[test]
    fn how_to_begin_is_opened_first_and_how_to_undo_it_last() {
        let section = |title: &str| format!("## {title}\n\n{}\n\n", told(60));
        let sections = ["History", "Quick start", "Uninstalling", "Firing"];
        let book: String = sections.map(section).concat();
        let book = format!("# Kilns\n\n{}\n\n{book}", told(60));
        let opened =
            |room: usize| titles(&book, |blocks, outline| opened_with(blocks, outline, room));
        assert_eq!(opened(2 * TOLD_TOKENS), ["Kilns", "Quick start"]);
        assert_eq!(opened(3 * TOLD_TOKENS), ["Kilns", "Quick start", "Firing"]);
    }
}
