//! Owns SKILL.md: what it is, when to use it, the units that matter most, and the routing table, within a budget by what the source
//! holds.

use crate::cues::is_unfit;
use crate::describe::Told;
use crate::duties::roles;
use crate::header;
use crate::kind::{Kind, Part, version_of};
use crate::lead_ins::LeadIns;
use crate::outline::{Outline, Section};
use crate::page::Page;
use crate::provenance::time;
use crate::recipe::Placed;
use crate::routing::Row;
use crate::salience::role_in;
use crate::scaffold;
use crate::section_role::{SectionRole, is_generic};
use crate::skill::{Source, Trace};
use crate::tasks::bare_title;
use crate::terms::Vocabulary;
use crate::tokens::tokens;
use crate::units::{self, Form, Unit, UnitKind};
use skillkiln_document::blocks::{Block, BlockKind, Span};
use skillkiln_document::markdown;
use skillkiln_document::text::{Inline, capitalised, plain};
use std::collections::HashSet;

/// What a card is made of.
pub struct Parts<'p> {
    /// Its name.
    pub name: &'p str,
    /// Its description.
    pub description: &'p str,
    /// Its category.
    pub category: &'p str,
    /// Its title.
    pub title: &'p str,
    /// What its source is.
    pub kind: Kind,
    /// Where it comes from.
    pub source: &'p Source,
    /// Its blocks.
    pub blocks: &'p [Block],
    /// Its sections.
    pub outline: &'p Outline,
    /// Its units.
    pub units: &'p [Unit],
    /// The worth of each.
    pub worth: &'p [f32],
    /// Where each goes by the recipe of its kind.
    pub placed: &'p [Placed],
    /// The routing table.
    pub rows: &'p [Row],
    /// What it is and what it is for.
    pub told: &'p Told,
    /// The words of its language.
    pub lead_ins: &'static LeadIns,
    /// Tokens for units.
    pub budget: usize,
    /// What the source leaves out.
    pub gaps: &'p [String],
}

/// Writes a card.
#[must_use]
pub fn write(parts: &Parts<'_>, chosen: &[usize]) -> (String, Vec<Trace>) {
    let mut page = Page::new(None);
    page.add(
        &header::write(parts.name, parts.description, parts.category, parts.source),
        None,
    );
    page.add_heading(
        1,
        parts.title,
        parts.blocks.first().map(|block| &block.span),
    );
    let mut writer = Writer {
        parts,
        page,
        headings: HashSet::from([parts.title.to_lowercase()]),
    };
    if let Some(what) = &parts.told.what {
        let text = markdown::write(&[Block::paragraph(vec![Inline::Text(what.clone())])]);
        writer.page.add(&text, Some(&Span::default()));
    }
    // What it opens with is not said again.
    let told = parts.told.what.as_deref().unwrap_or_default();
    let units: Vec<(&Unit, Option<Part>)> = chosen
        .iter()
        .filter_map(|number| Some((parts.units.get(*number)?, parts.placed.get(*number)?.part)))
        .filter(|(unit, _)| {
            matches!(unit.form, Form::Blocks(_)) || !told.contains(unit.text.trim())
        })
        .collect();
    let units = without_shown_titles(units);
    let bucket = buckets(&units);
    for part in parts.kind.row().leads {
        let own: Vec<&Unit> = units
            .iter()
            .zip(&bucket)
            .filter(|(_, one)| *one == part)
            .map(|((unit, _), _)| *unit)
            .collect();
        match part {
            Part::Main => writer.main(&own),
            Part::Rules => writer.bullets(scaffold::RULES, &own),
            Part::Points => {
                let is_timed = own.iter().any(|unit| unit.span.seconds().is_some());
                let heading = match parts.kind == Kind::Talk && is_timed {
                    true => scaffold::BY_TIME,
                    false => scaffold::KEY_POINTS,
                };
                writer.bullets(heading, &own);
            }
            Part::Advice => writer.bullets(scaffold::ADVICE, &own),
            Part::Checks => writer.bullets(scaffold::VERIFY, &own),
            Part::Breaking => writer.bullets(scaffold::BREAKING, &own),
            Part::Decisions => writer.bullets(scaffold::DECISIONS, &own),
            Part::Failures => writer.bullets(scaffold::FAILURES, &own),
        }
    }
    writer.page.add_gaps(parts.gaps);
    writer.routes();
    let (content, mut traces) = writer.page.finish();
    traces.retain(|trace| !trace.span.bytes.is_empty());
    (content, traces)
}

/// Without the rules that are titles of sections which are shown: they stand above these.
fn without_shown_titles(units: Vec<(&Unit, Option<Part>)>) -> Vec<(&Unit, Option<Part>)> {
    let shown: HashSet<usize> = units
        .iter()
        .filter(|(unit, _)| shows(unit))
        .map(|(unit, _)| unit.section)
        .collect();
    let stays =
        |(unit, _): &(&Unit, Option<Part>)| !(unit.is_title && shown.contains(&unit.section));
    units.into_iter().filter(stays).collect()
}

/// Whether a unit is more than words in a row.
fn shows(unit: &Unit) -> bool {
    matches!(unit.form, Form::Blocks(_) | Form::Entry(_) | Form::Row(_))
}

/// Where each unit goes: where its recipe says, as far as it can stand in a list; else what is shown leads, with what is said in the same
/// section, and single rules and points are lists.
fn buckets(units: &[(&Unit, Option<Part>)]) -> Vec<Part> {
    let mut showing: HashSet<usize> = HashSet::new();
    for (unit, _) in units.iter().filter(|(unit, _)| shows(unit)) {
        showing.insert(unit.section);
    }
    units
        .iter()
        .map(|(unit, part)| match (unit.kind, part) {
            (_, Some(part)) if said_of(unit).is_some() => *part,
            _ if showing.contains(&unit.section) => Part::Main,
            (UnitKind::Rule | UnitKind::Failure | UnitKind::Default, _) => Part::Rules,
            (UnitKind::Check, _) => Part::Checks,
            _ => Part::Points,
        })
        .collect()
}

struct Writer<'w, 'p> {
    parts: &'w Parts<'p>,
    page: Page,
    headings: HashSet<String>,
}

impl Writer<'_, '_> {
    fn heading(&mut self, text: &str) {
        self.headings.insert(text.to_lowercase());
        self.page.add_heading(2, text, None);
    }

    /// Units section by section, each under its title.
    fn main(&mut self, units: &[&Unit]) {
        if units.is_empty() {
            return;
        }
        let has_code = units.iter().any(|unit| unit.kind == UnitKind::Command);
        let entries = units
            .iter()
            .filter(|unit| matches!(unit.form, Form::Entry(_) | Form::Row(_)))
            .count();
        self.heading(match (entries * 2 > units.len(), has_code) {
            (true, _) => scaffold::OPTIONS,
            (false, true) => scaffold::COMMANDS,
            (false, false) => scaffold::EXAMPLES,
        });
        // What is looked up once stands behind what every task needs.
        let groups = units.chunk_by(|one, other| one.section == other.section);
        let is_once = |group: &&[&Unit]| {
            let section = group.first().map_or(0, |unit| unit.section);
            role_in(self.parts.outline, section) == SectionRole::Once
        };
        let (once, needed): (Vec<&[&Unit]>, Vec<&[&Unit]>) = groups.partition(is_once);
        for group in needed.into_iter().chain(once) {
            if let Some(first) = group.first() {
                self.subheading(first.section);
            }
            self.group(group);
        }
    }

    fn subheading(&mut self, section: usize) {
        let is_made = |one: &Section| one.is_made;
        if self
            .parts
            .outline
            .sections
            .get(section)
            .is_some_and(is_made)
        {
            return;
        }
        let path = self.parts.outline.path(section);
        let Some(own) = path.last().map(|title| bare_title(title)) else {
            return;
        };
        let above = path.iter().rev().nth(1).map(|title| bare_title(title));
        let is_told = is_generic(own) || self.headings.contains(&own.to_lowercase());
        let title =
            match above.filter(|above| is_told && !above.eq_ignore_ascii_case(self.parts.title)) {
                Some(above) => format!("{above}: {own}"),
                None => own.to_owned(),
            };
        if title.eq_ignore_ascii_case(self.parts.title)
            || !self.headings.insert(title.to_lowercase())
        {
            return;
        }
        let heading = self
            .parts
            .outline
            .sections
            .get(section)
            .and_then(|one| one.heading);
        let span = heading
            .and_then(|at| self.parts.blocks.get(at))
            .map(|block| block.span.clone());
        self.page.add_heading(3, &title, span.as_ref());
    }

    /// Units of one section in its order; items, entries and rows that follow each other are one list or table.
    fn group(&mut self, units: &[&Unit]) {
        let runs = units.chunk_by(|one, other| {
            one.block == other.block
                && std::mem::discriminant(&one.form) == std::mem::discriminant(&other.form)
        });
        for run in runs {
            let Some(first) = run.first() else { continue };
            match &first.form {
                Form::Row(_) => self.table(run),
                Form::Item(_) => self.items(run),
                Form::Entry(_) => {
                    let entries = run.iter().filter_map(|unit| match &unit.form {
                        Form::Entry(entry) => Some(entry.clone()),
                        _ => None,
                    });
                    let kind = BlockKind::Definitions(entries.collect());
                    self.block(&Block {
                        kind,
                        span: together(run),
                    });
                }
                Form::Sentence(_) => {
                    let mut words: Vec<Inline> = Vec::new();
                    for unit in run {
                        if let Form::Sentence(own) = &unit.form {
                            if !words.is_empty() {
                                words.push(Inline::Text(" ".into()));
                            }
                            words.extend(own.iter().cloned());
                        }
                    }
                    self.block(&Block {
                        kind: BlockKind::Paragraph(words),
                        span: together(run),
                    });
                }
                Form::Blocks(_) => {
                    for unit in run {
                        if let Form::Blocks(blocks) = &unit.form {
                            blocks.iter().for_each(|block| self.block(block));
                        }
                    }
                }
            }
        }
    }

    fn block(&mut self, block: &Block) {
        let markdown = markdown::write(std::slice::from_ref(block));
        self.page.add(&markdown, Some(&block.span));
    }

    fn table(&mut self, run: &[&Unit]) {
        let rows: Vec<&units::Row> = run
            .iter()
            .filter_map(|unit| match &unit.form {
                Form::Row(row) => Some(&**row),
                _ => None,
            })
            .collect();
        let Some(first) = rows.first() else { return };
        let kind = BlockKind::Table {
            header: first.header.clone(),
            rows: rows.iter().map(|row| row.cells.clone()).collect(),
            caption: None,
        };
        self.block(&Block {
            kind,
            span: together(run),
        });
    }

    fn items(&mut self, run: &[&Unit]) {
        let items = run.iter().filter_map(|unit| match &unit.form {
            Form::Item(item) => Some(item.clone()),
            _ => None,
        });
        let kind = BlockKind::List {
            start: None,
            items: items.collect(),
        };
        self.block(&Block {
            kind,
            span: together(run),
        });
    }

    /// Units as a list, each with the title of its section where its words do not tell of what it speaks.
    fn bullets(&mut self, heading: &str, units: &[&Unit]) {
        if units.is_empty() {
            return;
        }
        self.heading(heading);
        let mut is_first = true;
        let mut others: Vec<&Unit> = units.to_vec();
        if self.parts.kind == Kind::Specification {
            for (role, own) in roles(&mut others) {
                self.page
                    .add(&role_list(&role, &own), Some(&together(&own)));
                is_first = false;
            }
        }
        let is_timed = |unit: &Unit| unit.span.seconds().is_some();
        for group in others.chunk_by(|one, other| one.section == other.section && !is_timed(other))
        {
            let said = group.iter().filter_map(|unit| said_of(unit));
            let label = group.iter().find_map(|unit| self.label(unit));
            let bullets: Vec<(String, Span)> = match (label, group) {
                (Some(label), [_, _, ..]) => {
                    let items = said.collect();
                    let strong = Inline::Strong(vec![Inline::Text(format!("{label}:"))]);
                    let list = Block {
                        kind: BlockKind::List { start: None, items },
                        span: together(group),
                    };
                    let blocks = vec![Block::paragraph(vec![strong]), list];
                    vec![(crate::page::bullet(blocks), together(group))]
                }
                (label, _) => said
                    .zip(group)
                    .map(|(blocks, unit)| {
                        let blocks = labelled(blocks, label.as_deref());
                        (crate::page::bullet(blocks), unit.span.clone())
                    })
                    .collect(),
            };
            for (markdown, span) in bullets {
                match is_first {
                    true => self.page.add(&markdown, Some(&span)),
                    false => self.page.add_line(&markdown, Some(&span)),
                }
                is_first = false;
            }
        }
    }

    /// The title of a unit's section, where the unit itself does not tell of what it speaks.
    fn label(&self, unit: &Unit) -> Option<String> {
        let section = self.parts.outline.sections.get(unit.section)?;
        let own = bare_title(&section.title);
        if let Some((start, _)) = unit.span.seconds() {
            return Some(time(start));
        }
        if self.parts.kind == Kind::ChangeLog {
            let above = self.parts.outline.sections.get(..=unit.section)?;
            let mut versions = above.iter().rev().filter_map(|one| version_of(&one.title));
            return versions.next().map(str::to_owned);
        }
        let title = match is_generic(own) {
            true => section
                .parent
                .and_then(|parent| self.parts.outline.sections.get(parent))
                .map(|one| bare_title(&one.title))?,
            false => own,
        };
        if title.is_empty()
            || section.is_made
            || is_unfit(title)
            || title.eq_ignore_ascii_case(self.parts.title)
            || title.chars().count() > 60
        {
            return None;
        }
        let mut vocabulary = Vocabulary::default();
        let said = vocabulary.terms(&unit.text);
        let named = vocabulary.terms(title);
        let held = named.iter().filter(|term| said.contains(term)).count();
        (held * 2 < named.len().max(1)).then(|| title.trim_end_matches([':', '.', '?']).to_owned())
    }

    fn routes(&mut self) {
        if self.parts.rows.is_empty() {
            return;
        }
        self.heading(scaffold::ROUTES);
        let list: String = self
            .parts
            .rows
            .iter()
            .map(|row| row_line(row, self.parts.lead_ins))
            .collect();
        self.page.add(&list, None);
    }
}

/// What a unit says, as the blocks of an item.
fn said_of(unit: &Unit) -> Option<Vec<Block>> {
    match &unit.form {
        Form::Sentence(words) => Some(vec![Block {
            kind: BlockKind::Paragraph(words.clone()),
            span: unit.span.clone(),
        }]),
        Form::Item(item) => Some(item.clone()),
        _ => None,
    }
}

/// The rules of one role below its name.
fn role_list(role: &str, units: &[&Unit]) -> String {
    let name = Inline::Strong(vec![Inline::Text(format!("{}:", capitalised(role)))]);
    let items = units.iter().filter_map(|unit| said_of(unit)).collect();
    let list = Block {
        kind: BlockKind::List { start: None, items },
        span: together(units),
    };
    crate::page::bullet(vec![Block::paragraph(vec![name]), list])
}

/// Blocks behind a label.
fn labelled(mut blocks: Vec<Block>, label: Option<&str>) -> Vec<Block> {
    let first = blocks.first_mut().map(|block| &mut block.kind);
    if let (Some(label), Some(BlockKind::Paragraph(words))) = (label, first) {
        let strong = Inline::Strong(vec![Inline::Text(format!("{label}:"))]);
        words.splice(0..0, [strong, Inline::Text(" ".into())]);
    }
    blocks
}

/// A row of the routing table.
#[must_use]
pub fn row_line(row: &Row, lead_ins: &LeadIns) -> String {
    let opening = match lead_ins.language {
        "en" => "To ",
        _ => lead_ins.to_read,
    };
    let names = match row.names.is_empty() {
        true => String::new(),
        false => format!(": {}", row.names.join(", ")),
    };
    let words = markdown::inline::inline(
        &[Inline::Text(format!("{opening}{}", row.tasks))],
        markdown::inline::Place::Line,
    );
    format!("- {words}{names} → [read]({})\n", row.path)
}

/// The place of some units together.
fn together(units: &[&Unit]) -> Span {
    let mut span = units
        .first()
        .map(|unit| unit.span.clone())
        .unwrap_or_default();
    for unit in units {
        span.bytes.start = span.bytes.start.min(unit.span.bytes.start);
        span.bytes.end = span.bytes.end.max(unit.span.bytes.end);
    }
    span
}

/// Tokens that the table takes.
#[must_use]
pub fn routes_tokens(rows: &[Row], lead_ins: &LeadIns) -> usize {
    rows.iter()
        .map(|row| tokens(&row_line(row, lead_ins)))
        .sum()
}

/// Whether a text is said by words, not by marks alone.
#[must_use]
pub fn has_words(blocks: &[Block]) -> bool {
    blocks.iter().any(|block| {
        !matches!(block.kind, BlockKind::Heading { .. })
            && crate::outline::block_text(block)
                .chars()
                .any(char::is_alphanumeric)
    })
}

/// The words of a heading.
#[must_use]
pub fn heading_text(block: &Block) -> Option<String> {
    match &block.kind {
        BlockKind::Heading { text, .. } => Some(plain(text)),
        _ => None,
    }
}
