//! Owns the way from a document to a skill.

use crate::card::{self, Parts};
use crate::choose::{Choice, Chosen, choose, is_nobodys_task};
use crate::chunk::chunked;
use crate::describe;
use crate::gaps;
use crate::header;
use crate::kind::{Hints, Kind, Part, classify, is_spoken};
use crate::lead_ins::{for_language, language_of};
use crate::library;
use crate::lift::lifted;
use crate::names::Names;
use crate::naming;
use crate::operations::{front, operations};
use crate::outline::{Outline, block_text};
use crate::page::Page;
use crate::pieces::pieces;
use crate::product::qualified;
use crate::recipe::{self, Placed};
use crate::releases::choose_releases;
use crate::routing;
use crate::salience;
use crate::sessions::{self, has_cut};
use crate::skill::{Refusal, Skill, Source, Trace, Wish};
use crate::subject::Subject;
use crate::tokens::{tokens, tokens_by_length};
use crate::units;
use skillkiln_document::blocks::{Block, BlockKind, Document};
use skillkiln_document::host_syntax;
use skillkiln_document::markdown;
use skillkiln_document::text::plain;

/// A source below this stands whole: it is no longer than a card.
const WHOLE_TOKENS: usize = 4_400;
/// The same of minutes and talks.
const SPOKEN_WHOLE_TOKENS: usize = 2_000;
/// What stands whole takes at most so much of a body, by the careful estimate (V052), and so many lines (V051).
const WHOLE_TOKENS_MAX: usize = 4_600;
const WHOLE_LINES_MAX: usize = 460;
/// With its front matter and all that points at other files a card is no larger (V052).
const CARD_TOKENS_MAX: usize = 5_000;
/// A card has no more lines (V051); by so many tokens for each line above that less is chosen.
const CARD_LINES_MAX: usize = 500;
const LINE_TOKENS: usize = 8;
/// A section of more tokens is shown by its units, and a request with its fields.
const SECTION_TOKENS_MAX: usize = 700;
const REQUEST_TOKENS_MAX: usize = 1_300;
/// How much larger than they should be files may grow, in percent.
const FILE_PERCENT_MAX: usize = 320;
/// Names among which a description finds those that are no titles.
const NAMES_MAX: usize = 12;
/// Tokens that the units of a card have, however long its table is.
const UNITS_TOKENS_MIN: usize = 120;

/// How large a card and the files beside it are, by what their source holds.
#[derive(Debug, Clone, Copy)]
pub struct Sizes {
    /// A source below so many tokens stands whole.
    pub whole_max: usize,
    /// Of how many percent of its source a card is, where that is within the next two.
    pub card_percent: usize,
    /// Tokens of a small source's card.
    pub card_min: usize,
    /// Most tokens of a card.
    pub card_max: usize,
    /// Most tokens of the routing table.
    pub routes_max: usize,
    /// Most files.
    pub files_max: usize,
    /// Of how many percent of its budget a card may be longer to hold a file whole, which is then none; 0 keeps all files.
    pub held_percent: usize,
}

impl Default for Sizes {
    fn default() -> Self {
        Self {
            whole_max: WHOLE_TOKENS,
            card_percent: 75,
            card_min: 1_500,
            card_max: 4_400,
            routes_max: 520,
            files_max: 16,
            held_percent: 20,
        }
    }
}

/// Writes a skill.
///
/// # Errors
/// A [`Refusal`] where there is nothing to make a skill of.
pub fn write(document: &Document, source: &Source, wish: &Wish) -> Result<Skill, Refusal> {
    write_part(document, &document.blocks, source, wish, &Sizes::default())
}

/// Writes a skill from some blocks of a document.
///
/// # Errors
/// As [`write()`].
pub fn write_part(
    document: &Document,
    blocks: &[Block],
    source: &Source,
    wish: &Wish,
    sizes: &Sizes,
) -> Result<Skill, Refusal> {
    if !card::has_words(blocks) {
        return Err(Refusal(
            "there is nothing in this source to make a skill of; send one with text or code".into(),
        ));
    }
    let whole = markdown::write(blocks);
    let flat = lifted(blocks);
    let blocks = flat.as_deref().unwrap_or(blocks);
    let cut = chunked(blocks);
    let blocks = cut.as_deref().unwrap_or(blocks);
    // The library has all of a session, the card what is typed.
    let typed = sessions::typed(blocks);
    let of_library = typed.as_ref().map(|_| Outline::of(blocks));
    let library_blocks = blocks;
    let (blocks, cut): (&[Block], &[usize]) = match &typed {
        Some((blocks, cut)) => (blocks, cut),
        None => (blocks, &[]),
    };
    let outline = Outline::of(blocks);
    let library_outline = of_library.as_ref().unwrap_or(&outline);
    let gaps = gaps::told(&gaps::names(blocks));
    let title = wish
        .title
        .clone()
        .unwrap_or_else(|| naming::title(document, &source.label));
    let units = units::extract(blocks, &outline);
    let hints = Hints {
        title: &title,
        label: &source.label,
        is_timed: blocks.iter().any(|block| block.span.seconds().is_some()),
        is_spoken: is_spoken(blocks),
    };
    let kind = wish
        .kind
        .unwrap_or_else(|| classify(&hints, &outline, &units));
    let sample: String = blocks.iter().take(400).map(block_text).collect();
    let lead_ins = for_language(language_of(&sample));
    // A file of a program is called by what most of it is about, where its own name says nothing.
    let is_nameless = kind == Kind::SourceCode && naming::says_nothing(&title.to_lowercase());
    let title = match is_nameless && wish.title.is_none() {
        true => naming::main_type(&outline, &units).unwrap_or(title),
        false => title,
    };
    let names = Names::of(document, blocks, &title, &source.label);
    // Who is named most in what is said is a guest.
    let product = names
        .product()
        .filter(|_| !matches!(kind, Kind::Talk | Kind::Minutes));
    let is_common = |word: &str| names.is_common(word);
    let features = salience::features(&units, &outline, &title);
    let placed = recipe::placed(kind, &units, &outline);
    // Of what was said, what was decided comes first.
    let whole_max = match kind {
        Kind::Minutes | Kind::Talk => sizes.whole_max.min(SPOKEN_WHOLE_TOKENS),
        _ => sizes.whole_max,
    };
    let is_short = tokens_by_length(&whole) < whole_max
        && tokens(&whole) < WHOLE_TOKENS_MAX
        && whole.lines().count() < WHOLE_LINES_MAX;
    let decides = placed.iter().any(|one| one.part == Some(Part::Decisions));
    if kind == Kind::Minutes && wish.kind.is_none() && !is_short && !decides {
        return Err(Refusal(
            "there is no skill in these minutes: they name no decision, no task and no open point"
                .into(),
        ));
    }
    let mut worth = salience::worth(&features);
    for (worth, placed) in worth.iter_mut().zip(&placed) {
        *worth *= placed.factor;
    }
    let weights = section_weights(&units, &worth, &outline);
    let used: Vec<&str> = names.most_used().take(NAMES_MAX).collect();
    let subject = Subject {
        title: &title,
        product,
        is_sure: names.sure_product().is_some(),
        kind,
        summary: document
            .about
            .description
            .as_deref()
            .filter(|_| !wish.is_part),
        is_own_summary: has_front_matter(&source.label),
        blocks,
        outline: &outline,
        units: &units,
        names: &used,
        weights: &weights,
        lead_ins,
    };
    let told = describe::told(&subject, &is_common);
    let description = wish
        .description
        .clone()
        .unwrap_or_else(|| describe::description(&subject, &told));
    let name = wish.name.clone().unwrap_or_else(|| {
        let called = naming::product_title(&title, product);
        let called = qualified(&called, names.sure_product());
        naming::name(
            &called,
            product.unwrap_or_default(),
            &source.digest,
            &wish.taken,
        )
    });
    let category = wish
        .category
        .clone()
        .unwrap_or_else(|| "general".to_owned());
    let finished = |content: String, references, traces| Skill {
        name: name.clone(),
        title: title.clone(),
        description: description.clone(),
        category: category.clone(),
        kind,
        content: host_syntax::escape(&content),
        references,
        traces,
        gaps: gaps.clone(),
    };
    if is_short {
        let header = header::write(&name, &description, &category, source);
        let (content, traces) = write_whole(&header, &title, library_blocks, source, &gaps);
        return Ok(finished(content, Vec::new(), traces));
    }
    // The files of what a card leaves out, and the table that points at them.
    let planned = |left: &Outline| {
        let mut percent = 100;
        let mut files = library::plan(left, &title, kind, percent);
        while files.len() > sizes.files_max && percent < FILE_PERCENT_MAX {
            percent += 20;
            files = library::plan(left, &title, kind, percent);
        }
        let library = routing::Library {
            files: &files,
            blocks: library_blocks,
            outline: left,
            kind,
            lead_ins,
        };
        let rows = routing::rows(&library, sizes.routes_max, &is_common);
        (files, rows)
    };
    let (all_files, mut rows) = planned(library_outline);
    let room = (tokens(&whole) * sizes.card_percent / 100).clamp(sizes.card_min, sizes.card_max);
    let listed: usize = match kind {
        Kind::Api => operations(&outline)
            .iter()
            .map(|(_, line)| tokens(line))
            .sum(),
        _ => 0,
    };
    let mut budget = room
        .saturating_sub(card::routes_tokens(&rows, lead_ins) + listed)
        .max(UNITS_TOKENS_MIN);
    // Where the titles are the rules, they are shown, and few of what explains them.
    let by_section = matches!(kind.row().leads, [Part::Main])
        && units.iter().filter(|unit| unit.is_title).count() * 3 < outline.sections.len();
    let (shown, placed, worth) = match by_section {
        true => {
            let (pieces, worth) = pieces(blocks, &outline, &units, &worth);
            let placed = vec![Placed::IN_PLACE; pieces.len()];
            (pieces, placed, worth)
        }
        false => (units, placed, worth),
    };
    let choice = Choice {
        units: &shown,
        worth: &worth,
        outline: &outline,
        blocks,
        by_section,
        sections_only: false,
        section_max: match kind {
            Kind::Api => REQUEST_TOKENS_MAX.min(budget / 3),
            _ => SECTION_TOKENS_MAX,
        },
    };
    // Where what somebody has a task with is as short as what stands whole, all of that does.
    let is_task = |section: &usize| !is_nobodys_task(&outline, *section);
    let tasks: Vec<usize> = (0..outline.sections.len()).filter(is_task).collect();
    let cost = |section: &usize| outline.sections.get(*section).map_or(0, |one| one.tokens);
    let is_in_place = by_section || kind == Kind::Minutes;
    let mut is_all = is_in_place && tasks.iter().map(cost).sum::<usize>() < sizes.whole_max;
    // What points at the rest takes room too, in some scripts and for some lists much: then less is chosen.
    let is_decision = |at: &usize| {
        let own = placed.get(*at);
        own.is_some_and(|one| one.part == Some(Part::Decisions))
    };
    let decisions: Vec<usize> = (0..placed.len()).filter(is_decision).collect();
    let decided = decisions
        .iter()
        .filter_map(|at| shown.get(*at))
        .map(|one| one.tokens)
        .sum();
    let (mut gone, mut left) = (Vec::new(), library_outline.clone());
    let mut files = all_files.clone();
    let (content, mut traces) = loop {
        let mut chosen = match kind {
            Kind::ChangeLog => choose_releases(&choice, &placed, budget),
            // What was decided stands before the rest, and again where it was said: a debate is told whole or not at all.
            Kind::Minutes => Chosen {
                whole: match is_all {
                    true => tasks.clone(),
                    false => {
                        let points = Choice {
                            by_section: true,
                            sections_only: true,
                            section_max: budget,
                            ..choice
                        };
                        choose(&points, budget.saturating_sub(decided)).whole
                    }
                },
                units: decisions.clone(),
            },
            _ if is_all => Chosen {
                whole: tasks.clone(),
                units: Vec::new(),
            },
            _ => choose(&choice, budget),
        };
        if kind == Kind::Api {
            chosen.whole.extend(front(&outline));
        }
        // What stands in the card for the most part stands there whole, and what stands there whole in no file.
        let has_whole =
            choice.by_section || is_all || matches!(kind, Kind::ChangeLog | Kind::SourceCode);
        let is_once = has_whole && sizes.held_percent > 0;
        if is_once {
            let most = budget * sizes.held_percent / 100;
            let held = library::held(&all_files, &shown, &chosen, &outline, most);
            chosen.whole.extend(held);
        }
        chosen.whole.sort_unstable();
        chosen.whole.dedup();
        let is_shown = |section: usize| {
            let own = outline.sections.get(section).map(|one| &one.blocks);
            let is_cut = own.is_some_and(|blocks| has_cut(cut, blocks));
            let is_whole = chosen.whole.binary_search(&section).is_ok();
            is_once && !is_cut && is_whole
        };
        let now: Vec<usize> = (0..outline.sections.len())
            .filter(|at| is_shown(*at))
            .collect();
        if now != gone {
            left = library_outline.without(|section| now.binary_search(&section).is_ok());
            (files, rows) = planned(&left);
            gone = now;
        }
        let parts = Parts {
            name: &name,
            description: &description,
            category: &category,
            title: &title,
            kind,
            source,
            blocks,
            outline: &outline,
            left: &left,
            units: &shown,
            placed: &placed,
            files: &files,
            rows: &rows,
            told: &told,
            lead_ins,
            gaps: &gaps,
        };
        let (content, traces) = card::write(&parts, &chosen);
        let lines = content.lines().count().saturating_sub(CARD_LINES_MAX);
        let excess = tokens(&content).saturating_sub(CARD_TOKENS_MAX);
        let excess = excess.max(lines * LINE_TOKENS);
        if excess == 0 || budget <= UNITS_TOKENS_MIN {
            break (content, traces);
        }
        if std::mem::take(&mut is_all) {
            continue;
        }
        budget = budget.saturating_sub(excess).max(UNITS_TOKENS_MIN);
    };
    let mut references = Vec::with_capacity(files.len());
    for (index, file) in files.iter().enumerate() {
        let (reference, own) = library::write(file, index, library_blocks, &left, source);
        references.push(reference);
        traces.extend(own);
    }
    Ok(finished(content, references, traces))
}

/// A short source whole, in its order.
fn write_whole(
    header: &str,
    title: &str,
    blocks: &[Block],
    source: &Source,
    gaps: &[String],
) -> (String, Vec<Trace>) {
    let mut page = Page::new(None).telling_moments(source);
    page.add(header, None);
    let is_title = |block: &Block| matches!(&block.kind, BlockKind::Heading { level: 1, text } if plain(text).trim() == title);
    let (first, rest) = match blocks.split_first() {
        Some((first, rest)) if is_title(first) => (Some(first), rest),
        _ => (None, blocks),
    };
    match first.map(|block| (&block.kind, &block.span)) {
        Some((BlockKind::Heading { text, .. }, span)) => {
            page.add_heading_of(1, text.clone(), Some(span))
        }
        _ => page.add_heading(1, title, blocks.first().map(|block| &block.span)),
    }
    page.add_section(1, rest);
    page.add_gaps(gaps);
    page.finish()
}

/// How much each section matters: the worth of what is in it.
fn section_weights(units: &[units::Unit], worth: &[f32], outline: &Outline) -> Vec<f32> {
    let mut own = vec![0.0_f32; outline.sections.len()];
    for (unit, worth) in units.iter().zip(worth) {
        if let Some(weight) = own.get_mut(unit.section) {
            *weight += worth;
        }
    }
    let mut all = own.clone();
    for (number, section) in outline.sections.iter().enumerate() {
        let inside: f32 = own
            .get(number..section.end)
            .unwrap_or_default()
            .iter()
            .sum();
        if let Some(weight) = all.get_mut(number) {
            *weight = inside;
        }
    }
    all
}

/// Whether a file is of a format whose front matter tells of the file alone.
fn has_front_matter(label: &str) -> bool {
    const ENDINGS: [&str; 6] = [".md", ".mdx", ".markdown", ".rst", ".adoc", ".org"];
    !label.contains("://") && ENDINGS.iter().any(|ending| label.ends_with(ending))
}
