//! Owns SKILL.md: what it is, when to use it, the units that matter most, and the routing table, within a budget by what the source
//! holds.

use crate::choose::Chosen;
use crate::cues::{is_unfit, leans};
use crate::describe::Told;
use crate::duties::roles;
use crate::header;
use crate::kind::{Kind, Part, version_of};
use crate::lead_ins::LeadIns;
use crate::library::File;
use crate::operations::operations;
use crate::outline::Outline;
use crate::page::Page;
use crate::pointers::Pointers;
use crate::provenance::time;
use crate::recipe::{Placed, names_breaks};
use crate::routing::Row;
use crate::scaffold;
use crate::section_role::{SectionRole, is_generic, role_of};
use crate::skill::{Source, Trace};
use crate::tasks::bare_title;
use crate::terms::Vocabulary;
use crate::tokens::tokens;
use crate::units::{self, Form, Unit};
use skillkiln_document::blocks::{Block, BlockKind, Span};
use skillkiln_document::markdown;
use skillkiln_document::text::{Inline, capitalised, letters, plain};
use std::collections::HashSet;

/// An API of fewer requests needs no list of them.
const OPERATIONS_MIN: usize = 3;

/// The lowest heading of a card.
const LEVEL_MAX: u8 = 5;

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
    /// The same without what stands whole in the card.
    pub left: &'p Outline,
    /// Its units.
    pub units: &'p [Unit],
    /// Where each goes by the recipe of its kind.
    pub placed: &'p [Placed],
    /// The files of its library.
    pub files: &'p [File],
    /// The routing table.
    pub rows: &'p [Row],
    /// What it is and what it is for.
    pub told: &'p Told,
    /// The words of its language.
    pub lead_ins: &'static LeadIns,
    /// What the source leaves out.
    pub gaps: &'p [String],
}

/// Writes a card.
#[must_use]
pub fn write(parts: &Parts<'_>, chosen: &Chosen) -> (String, Vec<Trace>) {
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
        pointers: Pointers::new(
            parts.kind,
            parts.outline,
            parts.left,
            parts.units,
            parts.files,
            parts.lead_ins,
        ),
    };
    if let Some(what) = parts
        .told
        .what
        .as_ref()
        .filter(|what| !opens_with(parts, chosen, what))
    {
        let text = markdown::write(&[Block::paragraph(vec![Inline::Text(what.clone())])]);
        writer.page.add(&text, Some(&Span::default()));
    }
    let is_whole = |number: &&usize| {
        let section = parts.units.get(**number).map_or(0, |unit| unit.section);
        chosen.whole.binary_search(&section).is_ok()
    };
    let mut units: Vec<(&Unit, Part)> = chosen
        .units
        .iter()
        .filter_map(|number| {
            let placed = parts.placed.get(*number)?.part;
            // What was decided is told before the section that it stands in.
            let is_said = placed == Some(Part::Decisions) || !is_whole(&number);
            is_said.then_some((parts.units.get(*number)?, placed))
        })
        .filter(|(unit, _)| matches!(unit.form, Form::Blocks(_)) || !parts.told.says(&unit.text))
        .map(|(unit, part)| (unit, part_of(unit, part, parts.kind)))
        .collect();
    if parts.kind == Kind::Specification {
        let mut others: Vec<&Unit> = units.iter().map(|(unit, _)| *unit).collect();
        let roles = roles(&mut others);
        writer.roles(&roles);
        units = others.into_iter().map(|unit| (unit, Part::Main)).collect();
    }
    if parts.kind == Kind::Api {
        writer.operations();
    }
    for part in parts.kind.row().leads {
        let own: Vec<&Unit> = units
            .iter()
            .filter(|(_, one)| one == part)
            .map(|(unit, _)| *unit)
            .collect();
        match part {
            Part::Main => writer.sections(&own, &chosen.whole),
            Part::Rules => writer.bullets(scaffold::RULES, &own),
            Part::Times => writer.bullets(scaffold::BY_TIME, &own),
            Part::Advice => writer.bullets(scaffold::ADVICE, &own),
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

/// Whether the first thing that a card shows of its source begins with a sentence and goes on.
fn opens_with(parts: &Parts<'_>, chosen: &Chosen, what: &str) -> bool {
    let unit = chosen.units.first().and_then(|at| parts.units.get(*at));
    let whole = chosen
        .whole
        .first()
        .and_then(|at| parts.outline.sections.get(*at));
    let block = |at: usize| parts.blocks.get(at).map(crate::outline::block_text);
    let section = whole.and_then(|one| block(one.blocks.start));
    let is_before = unit.map_or(usize::MAX, |unit| unit.section)
        < chosen.whole.first().copied().unwrap_or(usize::MAX);
    let first = match is_before {
        true => unit.map(|unit| unit.text.clone()),
        false => section,
    };
    let (first, what) = (letters(&first.unwrap_or_default()), letters(what));
    parts.kind.row().leads.first() == Some(&Part::Main)
        && first.len() > what.len()
        && first.starts_with(&what)
}

/// Where a unit goes: where its recipe says, as far as it can stand in a list; what is timed stands by its time; all else by its section.
fn part_of(unit: &Unit, placed: Option<Part>, kind: Kind) -> Part {
    match placed {
        // What leans on the sentence before it stands behind that.
        Some(part)
            if said_of(unit).is_some() && !(kind == Kind::SourceCode && leans(&unit.text)) =>
        {
            part
        }
        _ if kind == Kind::Talk && unit.span.seconds().is_some() => Part::Times,
        _ => Part::Main,
    }
}

struct Writer<'w, 'p> {
    parts: &'w Parts<'p>,
    page: Page,
    headings: HashSet<String>,
    pointers: Pointers<'p>,
}

impl<'p> Writer<'_, 'p> {
    fn heading(&mut self, text: &str) {
        self.headings.insert(text.to_lowercase());
        self.page.add_heading(2, text, None);
    }

    /// Units section by section in the order of the source, each below its title, with a pointer to what its lists have beside.
    fn sections(&mut self, units: &[&Unit], whole: &[usize]) {
        let mut shown: HashSet<usize> = HashSet::new();
        let mut in_list = false;
        let groups = units.chunk_by(|one, other| one.section == other.section);
        let groups = groups.map(|group| (group.first().map_or(0, |unit| unit.section), group));
        let mut groups: Vec<(usize, &[&Unit])> = groups
            .chain(whole.iter().map(|section| (*section, &[][..])))
            .collect();
        groups.sort_by_key(|(section, _)| *section);
        let told: HashSet<usize> = groups.iter().map(|(section, _)| *section).collect();
        // What is looked up once stands behind what every task needs.
        let is_once = |(section, _): &(usize, &[&Unit])| {
            let top = self.chain(*section).pop();
            let top = top.and_then(|top| self.parts.outline.sections.get(top));
            top.is_some_and(|top| role_of(&top.title) == SectionRole::Once)
        };
        let (once, needed): (Vec<_>, Vec<_>) = groups.into_iter().partition(is_once);
        for (section, group) in needed.into_iter().chain(once) {
            let (titles, said): (Vec<&Unit>, Vec<&Unit>) =
                group.iter().partition(|unit| unit.is_title);
            if let (Some(title), []) = (titles.first(), &*said) {
                // A title that is a rule, and nothing else of its section.
                let above = self.parts.outline.sections.get(section);
                if let Some(above) = above.and_then(|one| one.parent) {
                    in_list &= !self.headings_of(above, &mut shown);
                }
                let bullet = crate::page::bullet(said_of(title).unwrap_or_default());
                match in_list {
                    true => self.page.add_line(&bullet, Some(&title.span)),
                    false => self.page.add(&bullet, Some(&title.span)),
                }
                in_list = true;
                continue;
            }
            in_list = false;
            if group.is_empty() && (self.is_all_told(section) || self.is_empty(section)) {
                continue;
            }
            self.headings_of(section, &mut shown);
            match group {
                [] => self.whole(section),
                _ => self.group(&said),
            }
            let left_out = self.pointers.left_out(section + 1, &told);
            match self.pointers.beside(&said) {
                Some(line) => self.page.add(&line, None),
                None => {
                    if let Some(line) = self.pointers.rest(&said) {
                        self.page.add(&line, None);
                    }
                }
            }
            if let Some(lines) = left_out {
                self.page.add(&lines, None);
            }
        }
    }

    /// All that stands in a section.
    fn whole(&mut self, section: usize) {
        for block in self.blocks_of(section) {
            if !self.is_told(block) {
                self.block(block);
            }
        }
    }

    fn blocks_of(&self, section: usize) -> &'p [Block] {
        let own = self.parts.outline.sections.get(section);
        let own = own.and_then(|own| self.parts.blocks.get(own.blocks.clone()));
        own.unwrap_or_default()
    }

    /// Whether the card has opened with a paragraph.
    fn is_told(&self, block: &Block) -> bool {
        matches!(&block.kind, BlockKind::Paragraph(words) if self.parts.told.says(&plain(words)))
    }

    /// Whether a section has nothing but what the card has opened with.
    fn is_all_told(&self, section: usize) -> bool {
        let own = self.blocks_of(section);
        !own.is_empty() && own.iter().all(|block| self.is_told(block))
    }

    /// Whether nothing stands below the heading of a section of a log: "Bugfixes" of a release that has none.
    fn is_empty(&self, section: usize) -> bool {
        let own = self.parts.outline.sections.get(section);
        self.parts.kind == Kind::ChangeLog
            && own.is_some_and(|one| one.blocks.is_empty() && one.end == section + 1)
    }

    /// The heading of a section below those of the ones around it, as far as they do not stand there; whether one was written.
    fn headings_of(&mut self, section: usize, shown: &mut HashSet<usize>) -> bool {
        let mut is_written = false;
        for (level, at) in (2..=LEVEL_MAX).zip(self.chain(section).into_iter().rev()) {
            is_written |= self.heading_of(level, at, shown);
        }
        is_written
    }

    /// A section and those around it that have headings, from the inside, without the one that the whole is called by.
    fn chain(&self, section: usize) -> Vec<usize> {
        let outline = self.parts.outline;
        let mut chain = Vec::new();
        let mut at = Some(section);
        while let Some((number, one)) = at.and_then(|at| Some((at, outline.sections.get(at)?))) {
            let is_title = bare_title(&one.title).eq_ignore_ascii_case(self.parts.title)
                || outline.is_root(number);
            if !one.title.is_empty() && !one.is_made && !is_title {
                chain.push(number);
            }
            at = one.parent;
        }
        chain
    }

    fn heading_of(&mut self, level: u8, section: usize, shown: &mut HashSet<usize>) -> bool {
        let outline = self.parts.outline;
        let Some(one) = outline
            .sections
            .get(section)
            .filter(|_| shown.insert(section))
        else {
            return false;
        };
        // The number of a version is no number of a chapter.
        let own = match self.parts.kind == Kind::ChangeLog && version_of(&one.title).is_some() {
            true => one.title.trim(),
            false => bare_title(&one.title),
        };
        let title = own.to_owned();
        self.headings.insert(title.to_lowercase());
        let span = one
            .heading
            .and_then(|at| self.parts.blocks.get(at))
            .map(|block| block.span.clone());
        self.page.add_heading(level, &title, span.as_ref());
        true
    }

    /// Items of one list.
    fn list(&mut self, items: &[(String, Option<Span>)]) {
        for (number, (item, span)) in items.iter().enumerate() {
            match number {
                0 => self.page.add(item, span.as_ref()),
                _ => self.page.add_line(item, span.as_ref()),
            }
        }
    }

    /// All requests of an API, a line each.
    fn operations(&mut self) {
        let all = operations(self.parts.outline);
        if all.len() < OPERATIONS_MIN {
            return;
        }
        self.heading(scaffold::OPERATIONS);
        let lines = all.into_iter().map(|(section, line)| {
            let own = self.parts.outline.sections.get(section);
            let block = own.and_then(|own| self.parts.blocks.get(own.heading?));
            (line, block.map(|block| block.span.clone()))
        });
        let lines: Vec<(String, Option<Span>)> = lines.collect();
        self.list(&lines);
    }

    /// The rules of each party of a specification.
    fn roles(&mut self, roles: &[(String, Vec<&Unit>)]) {
        if roles.is_empty() {
            return;
        }
        self.heading(scaffold::RULES);
        let lists = roles
            .iter()
            .map(|(role, own)| (role_list(role, own), Some(together(own))));
        self.list(&lists.collect::<Vec<_>>());
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
        let mut bullets: Vec<(String, Option<Span>)> = Vec::new();
        let is_timed = |unit: &Unit| unit.span.seconds().is_some();
        // Of a release of a log all that breaks stands together.
        let is_log = self.parts.kind == Kind::ChangeLog;
        let is_one = |one: &&Unit, other: &&Unit| {
            one.section == other.section || is_log && self.label(one) == self.label(other)
        };
        for group in units.chunk_by(|one, other| is_one(one, other) && !is_timed(other)) {
            let said = group.iter().filter_map(|unit| said_of(unit));
            let label = group.iter().find_map(|unit| self.label(unit));
            match (label, group) {
                (Some(label), [_, _, ..]) => {
                    let items = said.collect();
                    let strong = Inline::Strong(vec![Inline::Text(format!("{label}:"))]);
                    let list = Block {
                        kind: BlockKind::List { start: None, items },
                        span: together(group),
                    };
                    let blocks = vec![Block::paragraph(vec![strong]), list];
                    bullets.push((crate::page::bullet(blocks), Some(together(group))));
                }
                (label, _) => bullets.extend(said.zip(group).map(|(blocks, unit)| {
                    let blocks = labelled(blocks, label.as_deref());
                    (crate::page::bullet(blocks), Some(unit.span.clone()))
                })),
            }
        }
        self.list(&bullets);
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
            let version = versions.next()?;
            // "File locks on database" says the opposite without "Removed".
            return match names_breaks(&own.to_lowercase()) && version_of(own).is_none() {
                true => Some(format!("{version}, {own}")),
                false => Some(version.to_owned()),
            };
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
        self.heading(self.parts.lead_ins.routes);
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
    format!("- {words}{names} → [{}]({})\n", lead_ins.read, row.path)
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
