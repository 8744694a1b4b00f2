//! Owns the body of a SKILL.md that is shorter than its source: what an agent needs first, in the order in which it needs it.

use super::describe::Gist;
use super::heading_words::is_structural;
use super::joining::join;
use super::loaders;
use super::manuals::{ManualPart, part_of_manual};
use super::options::OPTIONS_CHARS;
use super::outline::{Outline, block_text, is_generic};
use super::page::{Page, bullet};
use super::pointers::{point_at, pointers};
use super::rank::{self, Limits, choose, is_block};
use super::references::Reference;
use super::roles::{self, Role};
use super::sentences::sentences;
use super::signature;
use super::units::{Unit, units};
use super::wording::{is_furniture, is_imprint, is_synopsis, is_unfit, names_home};
use super::words::Lexicon;
use crate::pipeline::product::Origin;
use crate::pipeline::scaffold::{
    EXAMPLES, KEY_POINTS, OPTIONS, OVERVIEW, PREREQUISITES, RULES, TERMS, TROUBLESHOOTING, VERIFY,
    WHEN_TO_USE, WORKFLOW,
};
use skillkiln_document::blocks::{Block, BlockKind, Span};
use skillkiln_document::text::{letters, plain, squash};
use std::collections::HashSet;

/// Where the body stops, short of the allowed 5,000 tokens and 500 lines.
pub(super) const BODY_TOKENS_MAX: usize = 4_300;
pub(super) const BODY_LINES_MAX: u32 = 440;
/// Among so many sections from the top, an opening is looked for.
const OPENINGS_MAX: usize = 3;
/// How much of the source's opening is taken over.
const OVERVIEW_CHARS: usize = 1_200;
/// A body that says less is filled up with the source's key points.
const BODY_CHARS_AIM: usize = 6_000;

pub(super) fn same_words(one: &str, other: &str) -> bool {
    letters(one) == letters(other)
}

/// SKILL.md with the essence of `blocks` and pointers to the references that hold all of it.
pub(super) fn distilled(
    header: &str,
    title: &str,
    blocks: &[Block],
    outline: &Outline,
    gist: &Gist,
    origin: &Origin,
    references: &[Reference],
) -> Page {
    let mut lexicon = Lexicon::new(gist.language);
    let mut units = units(blocks, outline, &mut lexicon);
    rank::score(&mut units, outline, &mut lexicon);
    let mut page = Page::new(None).telling_moments(origin);
    page.add(header, None);
    page.add_heading(1, title, blocks.first().map(|block| &block.span));
    let pointers = pointers(references);
    let mut writer = Writer {
        tokens_max: BODY_TOKENS_MAX.saturating_sub(super::page::tokens(&pointers))
            + super::page::tokens(header),
        lines_max: BODY_LINES_MAX
            .saturating_sub(u32::try_from(pointers.lines().count()).unwrap_or(u32::MAX)),
        page,
        units: &units,
        outline,
        title,
        used: Vec::new(),
        headings: HashSet::new(),
        beside: HashSet::new(),
        shown: HashSet::new(),
    };
    writer.body(blocks);
    let mut page = writer.page;
    point_at(&mut page, references);
    page
}

struct Writer<'a> {
    page: Page,
    units: &'a [Unit<'a>],
    outline: &'a Outline,
    title: &'a str,
    used: Vec<usize>,
    /// Headings that stand already; what stands again says whose part it is.
    headings: HashSet<String>,
    /// Those of them that stand in the section being written.
    beside: HashSet<String>,
    /// Those of them whose own section they stand over.
    shown: HashSet<String>,
    tokens_max: usize,
    lines_max: u32,
}

impl Writer<'_> {
    fn body(&mut self, blocks: &[Block]) {
        self.overview(blocks);
        self.when(self.share(10, 900));
        self.mixed(PREREQUISITES, Role::Prerequisite, 5, self.share(10, 1_400));
        self.workflow(self.share(40, 5_200));
        self.rules(self.share(40, 5_000));
        self.blocks(EXAMPLES, 7, self.share(60, 4_200), 1_500, |unit| {
            is_block(unit, Role::Example)
        });
        self.blocks(OPTIONS, 3, self.share(60, 5_000), OPTIONS_CHARS, |unit| {
            is_block(unit, Role::Options)
        });
        self.bullets(TERMS, Role::Definition, 5, self.share(40, 1_200));
        self.mixed(TROUBLESHOOTING, Role::Trouble, 6, self.share(60, 1_800));
        self.mixed(VERIFY, Role::Verify, 4, self.share(80, 1_200));
        self.key_points(blocks);
    }

    fn has_room(&self, chars: usize) -> bool {
        self.page.tokens() + chars / 4 + 20 <= self.tokens_max
            && self.page.lines() + 12 <= self.lines_max
    }

    /// A part, in percent, of the characters for which there is still room, and at most `most`.
    fn share(&self, percent: usize, most: usize) -> usize {
        (self.tokens_max.saturating_sub(self.page.tokens()) * 4 * percent / 100).min(most)
    }

    /// What it is about: how the source opens, paragraph by paragraph, as long as they can stand alone.
    fn overview(&mut self, blocks: &[Block]) {
        let outline = self.outline;
        let leads = outline.sections.iter().filter(|section| {
            section.words >= 8 && !section.is_aside && !roles::is_question(&section.title)
        });
        // A manual page opens with its name and the pattern of its call; what it is about comes after those.
        let mut is_open = false;
        for lead in leads.take(OPENINGS_MAX) {
            let opens = self.opening(blocks, lead.own.clone(), is_open);
            is_open |= opens;
            if opens && part_of_manual(&lead.title) != Some(ManualPart::Name) {
                return;
            }
        }
        if is_open {
            return;
        }
        let chosen = choose(
            self.units,
            &mut self.used,
            &Limits {
                count: 2,
                chars: 600,
                each: 420,
            },
            |unit| unit.is_sentence && matches!(unit.role, Role::Definition | Role::Plain),
        );
        self.paragraphs(OVERVIEW, &chosen);
    }

    /// Takes over how a section opens, below what opens the body already; whether anything could be.
    fn opening(&mut self, blocks: &[Block], lead: std::ops::Range<usize>, is_open: bool) -> bool {
        let mut chars = 0;
        let mut position = lead.start;
        let mut said: HashSet<String> = HashSet::new();
        while let Some(block) = blocks.get(position).filter(|_| position < lead.end) {
            let taken = match &block.kind {
                BlockKind::Paragraph(text) => {
                    let words = squash(&plain(text));
                    let introduced = words.ends_with([':', '：']);
                    let next = blocks.get(position + 1).filter(|_| position + 1 < lead.end);
                    match next {
                        Some(next) if introduced && opens_well(&words, OVERVIEW_CHARS) => {
                            (block_text(next).len() + words.len() <= OVERVIEW_CHARS
                                && is_clean(next))
                            .then_some(2)
                        }
                        _ => (!introduced
                            && is_clean(block)
                            && opens_well(&words, OVERVIEW_CHARS)
                            && says_more(&words, &mut said))
                        .then_some(1),
                    }
                }
                // Where steps, code and options begin, the opening ends.
                _ if chars > 0 => break,
                _ => None,
            };
            if let Some(taken) = taken {
                let run = blocks.get(position..position + taken).unwrap_or_default();
                let size: usize = run.iter().map(|block| block_text(block).len()).sum();
                if chars + size > OVERVIEW_CHARS {
                    break;
                }
                if chars == 0 && !is_open {
                    self.heading(OVERVIEW);
                }
                run.iter().for_each(|block| self.page.add_block(block));
                let range = position..position + taken;
                let units = self.units;
                self.used.extend(
                    units
                        .iter()
                        .enumerate()
                        .filter(|(_, unit)| range.contains(&unit.block))
                        .map(|(number, _)| number),
                );
                chars += size;
            }
            position += taken.unwrap_or(1);
        }
        chars > 0
    }

    /// Sentences as paragraphs; those of one paragraph stay together.
    fn paragraphs(&mut self, heading: &str, chosen: &[usize]) {
        if !chosen.is_empty() {
            self.heading(heading);
        }
        for block in self.together(chosen) {
            self.page.add_block(&block);
        }
    }

    /// The chosen sentences, those that follow each other in one paragraph joined.
    fn together(&self, chosen: &[usize]) -> Vec<Block> {
        let mut out: Vec<Block> = Vec::new();
        let mut last = None;
        for number in chosen {
            let Some(unit) = self.units.get(*number) else {
                continue;
            };
            let blocks = unit.blocks();
            let Some(block) = blocks.first() else {
                continue;
            };
            match out.last_mut() {
                Some(before) if last.is_some() && last == unit.sentence() => join(before, block),
                _ => out.push(block.clone()),
            }
            last = unit.sentence().map(|(block, number)| (block, number + 1));
        }
        out
    }

    /// When to use it: what the opening says of that, or a section of its own. Elsewhere such a sentence speaks of a detail.
    fn when(&mut self, chars: usize) {
        let outline = self.outline;
        let chosen = choose(
            self.units,
            &mut self.used,
            &Limits {
                count: 4,
                chars,
                each: 420,
            },
            |unit| {
                unit.is_sentence
                    && unit.role == Role::When
                    && (unit.section <= 1
                        || outline
                            .path(unit.section)
                            .last()
                            .is_some_and(|title| roles::of_title(title) == Some(Role::When)))
            },
        );
        self.list(WHEN_TO_USE, &chosen);
    }

    /// Sentences of a role, one bullet each; blocks of the role that are set apart in the source among them.
    fn bullets(&mut self, heading: &str, role: Role, count: usize, chars: usize) {
        if !self.has_room(chars / 3) {
            return;
        }
        let floor = self.floor(role);
        let chosen = choose(
            self.units,
            &mut self.used,
            &Limits {
                count,
                chars,
                each: 520,
            },
            |unit| unit.role == role && unit.score >= floor && (unit.is_sentence || unit.is_note()),
        );
        self.list(heading, &chosen);
    }

    /// A bullet for each sentence; those that follow each other in the source share one.
    fn list(&mut self, heading: &str, chosen: &[usize]) {
        if chosen.is_empty() {
            return;
        }
        self.heading(heading);
        self.points(chosen);
    }

    fn points(&mut self, chosen: &[usize]) {
        let mut is_first = true;
        for block in self.together(chosen) {
            let span = block.span.clone();
            let blocks = match block.kind {
                BlockKind::Admonition { blocks, .. } => blocks,
                _ => vec![block],
            };
            let markdown = bullet(blocks);
            if is_first {
                self.page.add(&markdown, Some(&span));
            } else {
                self.page.add_line(&markdown, Some(&span));
            }
            is_first = false;
        }
    }

    /// The sentences of a role that matter most, and its blocks.
    fn pick(&mut self, role: Role, count: usize, chars: usize) -> (Vec<usize>, Vec<usize>) {
        if !self.has_room(chars / 3) {
            return (Vec::new(), Vec::new());
        }
        let floor = self.floor(role);
        let sentences = choose(
            self.units,
            &mut self.used,
            &Limits {
                count,
                chars: chars / 2,
                each: 420,
            },
            |unit| unit.role == role && (unit.is_sentence || unit.is_note()) && unit.score >= floor,
        );
        let blocks = choose(
            self.units,
            &mut self.used,
            &Limits {
                count: 2,
                chars: chars.saturating_sub(chars / 3),
                each: chars / 2,
            },
            |unit| is_block(unit, role) && !unit.is_note(),
        );
        (sentences, blocks)
    }

    /// Sentences of a role as bullets and its blocks; a single sentence only where its section is all about that.
    fn mixed(&mut self, heading: &str, role: Role, count: usize, chars: usize) {
        let (sentences, blocks) = self.pick(role, count, chars);
        let is_sure = |number: &usize| {
            let section = self.units.get(*number).map(|unit| unit.section);
            let path = section.map(|section| self.outline.path(section));
            path.and_then(|path| path.last().and_then(|title| roles::of_title(title))) == Some(role)
        };
        if blocks.is_empty() && sentences.len() < 2 && !sentences.iter().any(is_sure) {
            self.used.retain(|number| !sentences.contains(number));
            return;
        }
        self.by_section(heading, &sentences, &blocks);
    }

    /// What must be kept in mind.
    fn rules(&mut self, chars: usize) {
        let (sentences, blocks) = self.pick(Role::Rule, 14, chars);
        self.by_section(RULES, &sentences, &blocks);
    }

    /// Sentences as bullets and blocks, each under the title of its section: "the caller must free it" says little of which of forty
    /// functions is meant, and "this may happen" nothing of what.
    fn by_section(&mut self, heading: &str, sentences: &[usize], blocks: &[usize]) {
        if sentences.is_empty() && blocks.is_empty() {
            return;
        }
        self.heading(heading);
        let mut all: Vec<usize> = sentences.iter().chain(blocks).copied().collect();
        all.sort_unstable();
        let section = |number: &usize| self.units.get(*number).map(|unit| unit.section);
        let groups: Vec<Vec<usize>> = all
            .chunk_by(|one, other| section(one) == section(other))
            .map(<[usize]>::to_vec)
            .collect();
        for group in groups {
            if let Some(section) = group.first().and_then(section) {
                self.subheading_below(section, heading);
            }
            let (points, rest): (Vec<usize>, Vec<usize>) =
                group.iter().partition(|number| sentences.contains(number));
            self.points(&points);
            rest.into_iter().for_each(|number| self.unit(number));
        }
    }

    /// The title of a section, where it says more than the heading above.
    fn subheading_below(&mut self, section: usize, heading: &str) {
        let path = self.outline.path(section);
        if path.last().is_some_and(|title| !same_words(title, heading)) {
            self.subheading(section);
        }
    }

    /// The steps: ordered lists where the source has them; else commands and steps from the sections that tell how to do it.
    fn workflow(&mut self, chars: usize) {
        let limits = Limits {
            count: 6,
            chars,
            each: 3_000,
        };
        let outline = self.outline;
        let comes_late = |unit: &Unit<'_>| {
            let path = outline.path(unit.section);
            path.iter().any(|title| roles::comes_late(title))
        };
        let mut chosen = choose(self.units, &mut self.used, &limits, |unit| {
            is_block(unit, Role::Procedure) && !comes_late(unit)
        });
        if chosen.is_empty() {
            let procedural = |unit: &Unit<'_>| {
                outline
                    .path(unit.section)
                    .iter()
                    .skip(1)
                    .any(|title| roles::of_title(title) == Some(Role::Procedure))
            };
            chosen = choose(
                self.units,
                &mut self.used,
                &Limits {
                    count: 10,
                    chars,
                    each: 1_400,
                },
                |unit| {
                    (is_block(unit, Role::Example)
                        || (unit.is_sentence && unit.role == Role::Procedure))
                        && procedural(unit)
                        && !comes_late(unit)
                },
            );
            if !chosen.iter().any(|number| {
                self.units
                    .get(*number)
                    .is_some_and(|unit| !unit.is_sentence)
            }) {
                chosen.clear();
            }
        }
        let chosen = self.with_neighbours(chosen, chars);
        self.grouped(WORKFLOW, &chosen);
    }

    /// The chosen blocks, and those that stand beside them in their sections where there is room: one half of an answer here and the
    /// other under another heading are none.
    fn with_neighbours(&mut self, mut chosen: Vec<usize>, chars: usize) -> Vec<usize> {
        let size = |numbers: &[usize]| -> usize {
            let units = numbers.iter().filter_map(|number| self.units.get(*number));
            units.map(|unit| unit.chars).sum()
        };
        let mut room = chars.saturating_sub(size(&chosen));
        let section = |number: usize| self.units.get(number).map(|unit| unit.section);
        let mut sections: Vec<usize> = chosen.iter().filter_map(|n| section(*n)).collect();
        sections.dedup();
        // What another list says already is not said once more (V093).
        let units = chosen.iter().filter_map(|number| self.units.get(*number));
        let mut said: HashSet<String> = units.flat_map(Unit::items).collect();
        for section in sections {
            let beside: Vec<usize> = self
                .units
                .iter()
                .enumerate()
                .filter(|(number, unit)| {
                    unit.section == section
                        && !unit.is_sentence
                        && matches!(unit.role, Role::Procedure | Role::Example | Role::Verify)
                        && !self.used.contains(number)
                        && !unit.items().any(|item| said.contains(&item))
                })
                .map(|(number, _)| number)
                .collect();
            if let Some(left) = room.checked_sub(size(&beside)) {
                room = left;
                let units = beside.iter().filter_map(|number| self.units.get(*number));
                said.extend(units.flat_map(Unit::items));
                self.used.extend(&beside);
                chosen.extend(beside);
            }
        }
        chosen.sort_unstable();
        chosen
    }

    fn blocks(
        &mut self,
        heading: &str,
        count: usize,
        chars: usize,
        each: usize,
        fits: impl Fn(&Unit<'_>) -> bool,
    ) {
        if !self.has_room(chars / 3) {
            return;
        }
        let chosen = choose(
            self.units,
            &mut self.used,
            &Limits { count, chars, each },
            fits,
        );
        self.grouped(heading, &chosen);
    }

    /// Pieces under the titles of the sections they come from.
    fn grouped(&mut self, heading: &str, chosen: &[usize]) {
        let mut section = usize::MAX;
        let mut is_first = true;
        for number in chosen {
            let Some(unit) = self.units.get(*number) else {
                continue;
            };
            if !self.has_room(unit.chars) {
                break;
            }
            if is_first {
                self.heading(heading);
                is_first = false;
            }
            if unit.section != section {
                section = unit.section;
                self.subheading(section);
            }
            self.unit(*number);
        }
    }

    fn unit(&mut self, number: usize) {
        if let Some(unit) = self.units.get(number) {
            for block in unit.blocks().iter() {
                self.page.add_block(block);
            }
        }
    }

    fn heading(&mut self, text: &str) {
        self.headings.insert(text.to_lowercase());
        self.shown.insert(text.to_lowercase());
        self.beside.clear();
        self.page.add_heading(2, text, None);
    }

    /// The title of a section as a heading of the third level, with its parent's when it says nothing alone.
    fn subheading(&mut self, section: usize) {
        let path = self.outline.path(section);
        let Some(title) = path.last() else { return };
        let own = signature::heading(title);
        let mut is_aboves = false;
        let words = match path.as_slice() {
            [.., parent, _] if !same_words(parent, self.title) => {
                let above = signature::heading(parent);
                let is_example = ["example", "examples"].contains(&own.to_lowercase().as_str());
                if is_example && !is_generic(parent) && !self.beside.contains(&above.to_lowercase())
                {
                    // What it is of tells; that it is an example stands in the heading above, or shows.
                    is_aboves = true;
                    above.into_owned()
                } else if is_generic(title)
                    || is_structural(title)
                    || self.headings.contains(&own.to_lowercase())
                {
                    format!("{}: {own}", above.trim_end_matches([':', ' ']))
                } else {
                    own.into_owned()
                }
            }
            _ => own.into_owned(),
        };
        let words = squash(&words);
        if same_words(&words, self.title) {
            return;
        }
        self.headings.insert(words.to_lowercase());
        self.beside.insert(words.to_lowercase());
        if !is_aboves {
            self.shown.insert(words.to_lowercase());
        }
        let span: Option<Span> = self
            .units
            .iter()
            .find(|unit| unit.section == section)
            .map(Unit::span);
        self.page.add_heading(3, &words, span.as_ref());
    }

    /// For sources that tell more than they instruct: the most telling sentences, under the parts they come from.
    fn key_points(&mut self, blocks: &[Block]) {
        let written = self.page.tokens() * 4;
        if written >= BODY_CHARS_AIM || blocks.is_empty() {
            return;
        }
        let parts = self.outline.parts();
        let named = parts.len() >= 2 && parts.len() <= 24;
        let budget = BODY_CHARS_AIM * 2 - written;
        let mut is_first = true;
        let ranges: Vec<std::ops::Range<usize>> = if named {
            parts.iter().map(|part| part.blocks.clone()).collect()
        } else {
            std::iter::once(0..blocks.len()).collect()
        };
        let chars = budget / ranges.len().max(1);
        for range in ranges {
            let is_shown = self
                .outline
                .section_at(range.start)
                .and_then(|section| self.outline.sections.get(section))
                .is_some_and(|section| {
                    section.is_aside || self.shown.contains(&section.title.to_lowercase())
                });
            if named && is_shown {
                continue;
            }
            let chosen = choose(
                self.units,
                &mut self.used,
                &Limits {
                    count: if named { 3 } else { 14 },
                    chars: chars.max(420),
                    each: 420,
                },
                |unit| {
                    unit.is_sentence
                        && range.contains(&unit.block)
                        && !matches!(unit.role, Role::Verify | Role::Prerequisite | Role::Trouble)
                },
            );
            if chosen.is_empty() || !self.has_room(chars) {
                continue;
            }
            if is_first {
                self.heading(KEY_POINTS);
            }
            if named && let Some(section) = self.outline.section_at(range.start) {
                self.subheading(section);
            }
            self.points(&chosen);
            is_first = false;
        }
    }

    /// The score below which a sentence of a role is not worth its place: that of the middle one.
    fn floor(&self, role: Role) -> f32 {
        let mut scores: Vec<f32> = self
            .units
            .iter()
            .filter(|unit| unit.role == role)
            .map(|unit| unit.score)
            .collect();
        if scores.len() < 6 {
            return 0.0;
        }
        scores.sort_by(f32::total_cmp);
        scores.get(scores.len() / 3).copied().unwrap_or(0.0)
    }
}

/// Whether a paragraph holds a sentence that was not said yet; all of them count as said then.
fn says_more(paragraph: &str, said: &mut HashSet<String>) -> bool {
    let before = said.len();
    let all = sentences(paragraph).into_iter();
    said.extend(all.filter_map(|range| Some(paragraph.get(range)?.trim().to_owned())));
    said.len() > before
}

/// Whether a paragraph can open a skill.
fn opens_well(text: &str, chars_max: usize) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    (30..=chars_max).contains(&text.len())
        && letters * 2 > text.chars().count()
        && !is_synopsis(text)
        && !is_unfit(text)
        && !is_furniture(&text.to_lowercase())
        && !is_imprint(&text.to_lowercase())
}

fn is_clean(block: &Block) -> bool {
    !is_unfit(&block_text(block))
        && !names_home(&block_text(block))
        && !loaders::take_arguments(std::slice::from_ref(block))
}
