//! Owns the routing table: a row a file, with the task that it is for and the names by which somebody would look for it.

use crate::lead_ins::LeadIns;
use crate::library::{File, block_range};
use crate::outline::{Outline, block_text};
use crate::section_role::is_generic;
use crate::tasks::{bare_title, in_sentence, task};
use crate::terms::{Term, Vocabulary};
use crate::units::{Unit, UnitKind};
use skillkiln_document::blocks::{Block, BlockKind, walk};
use skillkiln_document::quick::{QuickMap, QuickSet};
use skillkiln_document::text::{Inline, plain, squash};

/// How much it counts that a word is of one file alone.
const SHARE_POWER: f32 = 1.6;

/// What is told of a file in the table.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// For which tasks it is opened.
    pub tasks: String,
    /// What it holds that somebody would ask for, best first.
    pub names: Vec<String>,
    /// What the link says.
    pub title: String,
    /// Where it leads.
    pub path: String,
}

/// How long rows are.
#[derive(Debug, Clone, Copy)]
pub struct Length {
    /// Titles of sections that are told as tasks.
    pub tasks: usize,
    /// Characters that the tasks take at most.
    pub task_chars: usize,
    /// Names beside them.
    pub names: usize,
}

/// The rows of the files of a document.
#[must_use]
#[expect(clippy::too_many_arguments, reason = "what decides about a row")]
pub fn rows(
    files: &[File],
    blocks: &[Block],
    outline: &Outline,
    units: &[Unit],
    worth: &[f32],
    lead_ins: &LeadIns,
    length: &Length,
    is_common: &dyn Fn(&str) -> bool,
) -> Vec<Row> {
    let mut vocabulary = Vocabulary::default();
    let counts: Vec<Counts> = files
        .iter()
        .map(|file| Counts::of(file, blocks, outline, (units, worth), &mut vocabulary))
        .collect();
    let mut spread: QuickMap<Term, f32> = QuickMap::default();
    for (term, weight) in counts.iter().flat_map(|one| &one.times) {
        *spread.entry(*term).or_default() += weight;
    }
    let mut kinds: Vec<QuickMap<UnitKind, usize>> =
        vec![QuickMap::default(); outline.sections.len()];
    for unit in units {
        if let Some(kinds) = kinds.get_mut(unit.section) {
            *kinds.entry(unit.kind).or_default() += unit.tokens;
        }
    }
    files
        .iter()
        .zip(&counts)
        .map(|(file, count)| {
            let verb = verb_for(file, &kinds);
            let tasks = tasks_of(file, outline, verb, lead_ins, length, is_common);
            let used: QuickSet<Term> = vocabulary
                .terms(&format!("{tasks} {}", file.title))
                .into_iter()
                .collect();
            let names = count.names(&vocabulary, &spread, &used, length.names);
            Row {
                tasks,
                names,
                title: file.title.clone(),
                path: file.path(),
            }
        })
        .collect()
}

/// What is done with what a section names, by what it mostly holds.
fn verb_for(file: &File, kinds: &[QuickMap<UnitKind, usize>]) -> &'static str {
    let mut all: QuickMap<UnitKind, usize> = QuickMap::default();
    for (kind, cost) in kinds
        .get(file.sections.clone())
        .into_iter()
        .flatten()
        .flatten()
    {
        *all.entry(*kind).or_default() += cost;
    }
    let of = |kinds: &[UnitKind]| {
        kinds
            .iter()
            .map(|kind| all.get(kind).copied().unwrap_or_default())
            .sum::<usize>()
    };
    let candidates = [
        (of(&[UnitKind::Setting]) * 3, "set"),
        (of(&[UnitKind::Operation]) * 3, "call"),
        (of(&[UnitKind::Failure]) * 3, "handle"),
        (
            of(&[UnitKind::Command, UnitKind::Procedure, UnitKind::Pair]),
            "work with",
        ),
        (of(&[UnitKind::Rule, UnitKind::Default]) * 2, "apply"),
        (of(&[UnitKind::Definition, UnitKind::Statement]), "look up"),
    ];
    let best = candidates
        .iter()
        .map(|(cost, _)| *cost)
        .max()
        .unwrap_or_default();
    candidates
        .iter()
        .find(|(cost, _)| *cost == best)
        .map_or("look up", |(_, verb)| verb)
}

/// The titles within a file as tasks: "start a cross build, machine entries, cross compile with several binaries".
fn tasks_of(
    file: &File,
    outline: &Outline,
    verb: &str,
    lead_ins: &LeadIns,
    length: &Length,
    is_common: &dyn Fn(&str) -> bool,
) -> String {
    let sections = outline
        .sections
        .get(file.sections.clone())
        .unwrap_or_default();
    let first = file.sections.start;
    let mut titles: Vec<&str> = Vec::new();
    let leads = file
        .tops
        .iter()
        .filter_map(|top| outline.sections.get(*top));
    for section in leads.chain(
        sections
            .iter()
            .enumerate()
            .filter(|(at, _)| !file.tops.contains(&(at + first)))
            .map(|(_, one)| one),
    ) {
        let title = bare_title(&section.title);
        if !title.is_empty() && !titles.contains(&title) {
            titles.push(title);
        }
    }
    if titles.is_empty() {
        titles.push(&file.title);
    }
    let mut out = String::new();
    for (number, title) in titles.iter().take(length.tasks).enumerate() {
        let is_first = number == 0;
        let told = match (lead_ins.language, is_first) {
            ("en", true) if is_generic(title) => task(&file.title, verb, is_common).infinitive(),
            ("en", true) => task(title, verb, is_common).infinitive(),
            ("en", false) => in_sentence(title, is_common),
            _ => (*title).to_owned(),
        };
        let told = squash(&told);
        if !is_first && out.chars().count() + told.chars().count() > length.task_chars {
            continue;
        }
        if !is_first {
            out.push_str(lead_ins.comma);
        }
        out.push_str(&told);
    }
    out
}

/// How much each term of a file weighs, and the names among them.
struct Counts {
    times: QuickMap<Term, f32>,
    /// Terms that stand in code within a line, in bold, or are terms of a glossary.
    named: QuickSet<Term>,
}

impl Counts {
    /// A term weighs as much as the units that it stands in are worth: what somebody asks has the words of the answer.
    fn of(
        file: &File,
        blocks: &[Block],
        outline: &Outline,
        (units, worth): (&[Unit], &[f32]),
        vocabulary: &mut Vocabulary,
    ) -> Self {
        let range = block_range(&file.sections, outline);
        let own = blocks.get(range).unwrap_or_default();
        let mut times: QuickMap<Term, f32> = QuickMap::default();
        let mut named = QuickSet::default();
        let first = units.partition_point(|unit| unit.section < file.sections.start);
        let last = units.partition_point(|unit| unit.section < file.sections.end);
        let inside = units.get(first..last).unwrap_or_default();
        for (unit, worth) in inside
            .iter()
            .zip(worth.get(first..last).unwrap_or_default())
        {
            let mut terms = vocabulary.terms(&unit.text);
            terms.sort_unstable();
            terms.dedup();
            for term in terms {
                *times.entry(term).or_default() += worth.sqrt();
            }
        }
        for block in own {
            for term in vocabulary.terms(&block_text(block)) {
                *times.entry(term).or_default() += 0.02;
            }
        }
        walk(own, &mut |block| match &block.kind {
            BlockKind::Paragraph(text) => names_in(text, vocabulary, &mut named),
            BlockKind::Definitions(entries) => {
                for term in entries.iter().flat_map(|entry| &entry.terms) {
                    let first = plain(term);
                    named.extend(vocabulary.terms(&first).first());
                }
            }
            _ => {}
        });
        Self { times, named }
    }

    /// The words that tell this file from the others, as they are written.
    fn names(
        &self,
        vocabulary: &Vocabulary,
        spread: &QuickMap<Term, f32>,
        used: &QuickSet<Term>,
        most: usize,
    ) -> Vec<String> {
        let mut ranked: Vec<(f64, Term)> = self
            .times
            .iter()
            .filter(|(term, _)| !used.contains(term) && is_name(vocabulary.written(**term)))
            .map(|(term, weight)| {
                let share = weight
                    / spread
                        .get(term)
                        .copied()
                        .unwrap_or(1.0)
                        .max(f32::MIN_POSITIVE);
                (f64::from(weight * share.powf(SHARE_POWER)), *term)
            })
            .collect();
        ranked.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        ranked
            .into_iter()
            .take(most)
            .map(|(_, term)| {
                let word = vocabulary.written(term);
                match self.named.contains(&term) {
                    true => format!("`{word}`"),
                    false => word.to_owned(),
                }
            })
            .collect()
    }
}

fn is_name(word: &str) -> bool {
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    letters >= 2 && word.chars().count() <= 32
}

fn names_in(text: &[Inline], vocabulary: &mut Vocabulary, named: &mut QuickSet<Term>) {
    for inline in text {
        match inline {
            Inline::Code(code) => {
                let terms = vocabulary.terms(code);
                if terms.len() <= 3 {
                    named.extend(terms.first());
                }
            }
            Inline::Strong(inner) | Inline::Emphasis(inner) => names_in(inner, vocabulary, named),
            Inline::Link(link) => names_in(&link.text, vocabulary, named),
            Inline::Text(_) | Inline::Math(_) | Inline::Break => {}
        }
    }
}
