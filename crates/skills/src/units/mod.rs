//! Takes a document apart into units: each whole or not at all, each of one kind, with its place.
//!
//! ```text
//! blocks of a section ──the first extractor of the table that takes them──▶ units
//! ```
//!
//! The extractors know nothing of each other; what comes first in [`EXTRACTORS`] takes a block first, and what nobody takes is left to
//! the library.

mod admonition;
mod command;
mod entry;
mod heading;
mod item;
mod pair;
mod procedure;
mod sentence;
pub(crate) mod signature;
mod table;

use crate::cues::{Cues, POINTER, is_unfit};
use crate::outline::{Outline, block_text};
use crate::tokens::tokens;
use skillkiln_document::blocks::{Block, BlockKind, Definition, Span};
use skillkiln_document::markdown;
use skillkiln_document::text::{Inline, is_ideographic, plain};
use std::ops::Range;

/// What a unit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UnitKind {
    /// Code with the sentence that announces it.
    Command,
    /// What must be, and what must not.
    Rule,
    /// A good and a bad example, with the source's marks.
    Pair,
    /// What holds unless somebody says otherwise.
    Default,
    /// What goes wrong, and the remedy.
    Failure,
    /// Steps, all of them with their code.
    Procedure,
    /// A function, a method, a request.
    Operation,
    /// What something is.
    Definition,
    /// An option or a setting, or a row of them.
    Setting,
    /// How to tell that it worked.
    Check,
    /// Anything else that is said.
    Statement,
}

/// How a unit is written.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// As blocks.
    Blocks(Vec<Block>),
    /// As an item of a list.
    Item(Vec<Block>),
    /// As one or more sentences of a paragraph.
    Sentence(Vec<Inline>),
    /// As an entry of a glossary.
    Entry(Definition),
    /// As a row of a table, with the header of that table.
    Row(Box<Row>),
}

/// A row of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The cells of the table's header.
    pub header: Vec<Vec<Inline>>,
    /// Its own cells.
    pub cells: Vec<Vec<Inline>>,
}

/// A piece of a document that stands whole or not at all.
#[derive(Debug, Clone, PartialEq)]
pub struct Unit {
    /// What it is.
    pub kind: UnitKind,
    /// The section it stands in.
    pub section: usize,
    /// The run of blocks it is of: units of one list or table have the same.
    pub block: usize,
    /// The how manieth of its block.
    pub part: usize,
    /// The block of the document that it is of, and the how manieth item of that.
    pub home: (usize, usize),
    /// Whether it is of the document's own blocks, not of those inside of a list.
    pub is_outer: bool,
    /// How it is written.
    pub form: Form,
    /// The words that it is found by.
    pub text: String,
    /// What it costs.
    pub tokens: usize,
    /// How many lines it takes.
    pub lines: usize,
    /// Where it stands in the source.
    pub span: Span,
    /// What its words tell.
    pub cues: Cues,
    /// Whether something in it is code.
    pub has_code: bool,
    /// Whether something in it is stressed.
    pub is_stressed: bool,
    /// Whether it is the title of its section.
    pub is_title: bool,
    /// Whether it is too large for a card, which then only points at it.
    pub is_large: bool,
}

/// Where an extractor looks.
#[derive(Debug, Clone, Copy)]
pub struct Place<'d> {
    /// All blocks.
    pub blocks: &'d [Block],
    /// The one that is looked at.
    pub at: usize,
    /// The first block behind its section's own.
    pub end: usize,
    /// The section.
    pub section: usize,
    /// Its title.
    pub title: &'d str,
    /// How many runs of blocks were taken before.
    pub run: usize,
    /// How deep inside of lists it is.
    pub depth: usize,
    /// The block of the document that it is inside of, and the how manieth item of that.
    pub inside: Option<(usize, usize)>,
}

impl<'d> Place<'d> {
    /// A place among the blocks of a document, up to their end.
    #[must_use]
    pub fn of(blocks: &'d [Block], section: usize, at: usize) -> Self {
        Self {
            blocks,
            at,
            end: blocks.len(),
            section,
            title: "",
            run: 0,
            depth: 0,
            inside: None,
        }
    }

    /// Asks the extractors at each block from here on.
    fn extract(mut self, units: &mut Vec<Unit>) {
        while self.at < self.end {
            let before = units.len();
            let taken = EXTRACTORS
                .iter()
                .map(|extractor| (extractor.run)(&self, units))
                .find(|taken| *taken > 0);
            self.at += taken.unwrap_or(1);
            self.run += 1 + units.len() - before;
        }
    }

    /// Takes units from blocks inside of an item of the block here.
    pub(super) fn inside(&self, item: usize, blocks: &[Block], units: &mut Vec<Unit>) {
        if self.depth < DEPTH_MAX {
            let inner = Place {
                blocks,
                at: 0,
                end: blocks.len(),
                section: self.section,
                title: self.title,
                run: self.run + units.len() + 1,
                depth: self.depth + 1,
                inside: self.inside.or(Some((self.at, item))),
            };
            inner.extract(units);
        }
    }

    /// The block at a distance from this one, within the section.
    #[must_use]
    pub fn next(&self, distance: usize) -> Option<&'d Block> {
        let at = self.at + distance;
        self.blocks.get(at).filter(|_| at < self.end)
    }

    /// A unit of this place.
    #[must_use]
    pub fn unit(&self, kind: UnitKind, part: usize, form: Form, span: Span) -> Unit {
        let lines_in = |markdown: &str| markdown.lines().count() + 1;
        let (text, cost, lines) = match &form {
            Form::Blocks(blocks) | Form::Item(blocks) => {
                let markdown = markdown::write(blocks);
                let text = blocks.iter().map(block_text).collect::<String>();
                (text, tokens(&markdown) + 2, lines_in(&markdown))
            }
            Form::Sentence(words) => {
                let text = plain(words);
                let cost = tokens(&text) + 3;
                (text, cost, 2)
            }
            Form::Entry(entry) => {
                let block = Block {
                    kind: BlockKind::Definitions(vec![entry.clone()]),
                    span: span.clone(),
                };
                let text = block_text(&block);
                let markdown = markdown::write(&[block]);
                (text, tokens(&markdown), lines_in(&markdown))
            }
            Form::Row(row) => {
                let cells = row.cells.iter().map(|cell| plain(cell));
                let text = cells.collect::<Vec<_>>().join(" | ");
                let cost = tokens(&text) + 4;
                (text, cost, 1)
            }
        };
        let item = match form {
            Form::Item(_) | Form::Entry(_) | Form::Row(_) => part,
            Form::Blocks(_) | Form::Sentence(_) => 0,
        };
        let mut has = (false, false);
        match &form {
            Form::Blocks(blocks) | Form::Item(blocks) => {
                blocks.iter().for_each(|one| marks(one, &mut has))
            }
            Form::Sentence(words) => inline_marks(words, &mut has),
            Form::Entry(entry) => {
                entry
                    .terms
                    .iter()
                    .for_each(|term| inline_marks(term, &mut has));
                entry.blocks.iter().for_each(|one| marks(one, &mut has));
            }
            Form::Row(_) => {}
        }
        Unit {
            kind,
            section: self.section,
            block: self.run,
            part,
            home: self.inside.unwrap_or((self.at, item)),
            is_outer: self.inside.is_none(),
            cues: Cues::of(&text),
            form,
            text,
            tokens: cost,
            lines,
            span,
            has_code: has.0,
            is_stressed: has.1,
            is_title: false,
            is_large: false,
        }
    }
}

fn marks(block: &Block, has: &mut (bool, bool)) {
    skillkiln_document::blocks::walk(
        std::slice::from_ref(block),
        &mut |block| match &block.kind {
            BlockKind::Code { .. } => has.0 = true,
            BlockKind::Paragraph(text) => inline_marks(text, has),
            _ => {}
        },
    );
}

fn inline_marks(words: &[Inline], has: &mut (bool, bool)) {
    for word in words {
        match word {
            Inline::Code(_) => has.0 = true,
            Inline::Strong(inner) => {
                has.1 = true;
                inline_marks(inner, has);
            }
            Inline::Emphasis(inner) => inline_marks(inner, has),
            Inline::Link(link) => inline_marks(&link.text, has),
            Inline::Text(_) | Inline::Math(_) | Inline::Break => {}
        }
    }
}

/// How deep inside of lists and glossaries units are looked for.
const DEPTH_MAX: usize = 8;

/// One way to take units from blocks.
pub struct Extractor {
    /// What it is called.
    pub id: &'static str,
    /// What it takes.
    pub takes: &'static str,
    /// What it makes units of, as a small document.
    pub example: &'static str,
    /// Adds the units that begin at a place, and says of how many blocks they are; 0 where it takes none.
    pub run: fn(&Place<'_>, &mut Vec<Unit>) -> usize,
}

/// All extractors, in the order in which they are asked.
pub static EXTRACTORS: [Extractor; 9] = [
    pair::EXTRACTOR,
    procedure::EXTRACTOR,
    signature::EXTRACTOR,
    command::EXTRACTOR,
    admonition::EXTRACTOR,
    table::EXTRACTOR,
    entry::EXTRACTOR,
    item::EXTRACTOR,
    sentence::EXTRACTOR,
];

/// Where the units of a section stand among those of its document.
#[must_use]
pub fn of_section(units: &[Unit], section: usize) -> Range<usize> {
    let from = units.partition_point(|unit| unit.section < section);
    from..units.partition_point(|unit| unit.section <= section)
}

/// The units of a document, in its order.
#[must_use]
pub fn extract(blocks: &[Block], outline: &Outline) -> Vec<Unit> {
    let mut units = Vec::new();
    let titles = heading::Titles::of(outline);
    for (number, section) in outline.sections.iter().enumerate() {
        units.extend(titles.unit(number, outline, blocks));
        let place = Place {
            end: section.blocks.end,
            title: &section.title,
            run: units.len(),
            ..Place::of(blocks, number, section.blocks.start)
        };
        place.extract(&mut units);
    }
    units.retain(|unit| says_something(unit) && !is_unfit(&unit.text) && !lost_context(unit));
    units
}

/// Whether a unit points at what stands elsewhere in the source, so that it says too little alone. Steps are never left out for that.
fn lost_context(unit: &Unit) -> bool {
    unit.kind != UnitKind::Procedure && POINTER.is_match(&unit.text)
}

/// Whether a unit is more than a name or two.
fn says_something(unit: &Unit) -> bool {
    let is_short = unit.text.split_whitespace().nth(2).is_none();
    match unit.form {
        Form::Item(_) | Form::Sentence(_) => !is_short || unit.text.chars().any(is_ideographic),
        _ => true,
    }
}

/// Whether a block is the mark of a good or a bad example: a line of a few words that opens with "Good", "Avoid" or their like.
#[must_use]
pub fn is_mark(block: &Block) -> bool {
    pair::is_mark(block)
}

/// What words tell of a sentence, an item or an entry.
#[must_use]
pub fn kind_of(text: &str) -> UnitKind {
    let cues = Cues::of(text);
    if cues.failure > 0 && cues.condition > 0 {
        UnitKind::Failure
    } else if cues.default > 0 {
        UnitKind::Default
    } else if cues.must > 0 || cues.should > 0 {
        UnitKind::Rule
    } else if cues.verify > 0 && cues.condition == 0 && text.trim_start().len() < 160 {
        UnitKind::Check
    } else {
        UnitKind::Statement
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::testing::document;

    #[test]
    fn each_extractor_takes_its_example() {
        for extractor in &EXTRACTORS {
            let document = document(extractor.example);
            let outline = Outline::of(&document.blocks);
            let taken = (0..document.blocks.len()).any(|at| {
                let place = Place::of(&document.blocks, outline.sections.len() - 1, at);
                let mut units = Vec::new();
                (extractor.run)(&place, &mut units) > 0 && !units.is_empty()
            });
            assert!(
                taken
                    || extractor.id == "table"
                    || extractor.id == "entry"
                    || extractor.id == "signature"
                    || extractor.id == "admonition",
                "{}",
                extractor.id
            );
        }
    }

    #[test]
    fn every_unit_knows_its_place() {
        let document = document(
            "# Kiln\n\nFire it:\n\n```sh\nfire --all\n```\n\nNever open the door. It is hot.\n\n1. Load it\n2. Light it",
        );
        let outline = Outline::of(&document.blocks);
        let units = extract(&document.blocks, &outline);
        let kinds: Vec<UnitKind> = units.iter().map(|unit| unit.kind).collect();
        assert_eq!(
            kinds,
            [UnitKind::Command, UnitKind::Rule, UnitKind::Procedure]
        );
        assert!(
            units
                .iter()
                .all(|unit| unit.section == 1 && unit.tokens > 0)
        );
    }
}
