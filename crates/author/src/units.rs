//! Owns the numbered units of a source: everything that a line of a skill can cite, with the words and the code that stand in it.
//!
//! A heading, a paragraph, an item, a definition, a block of code and a table have a number each; a line of code and a row of a table
//! have the number of their block and their own, `54.22`.

use crate::code_lines::{CodeLine, LineKind, lines_of};
use skillkiln_document::blocks::{Block, BlockKind, NESTING_MAX, Span};
use skillkiln_document::orders;
use skillkiln_document::text::{Inline, plain, squash};
use skillkiln_document::unseen::without_unseen;
use std::fmt;

/// Lines of code or rows of a table that are one unit.
const LINES_MAX: usize = 60;

/// The number of a unit, or of a line in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitId {
    /// Of the unit, counted from 1.
    pub number: u32,
    /// Of the line of code or the row, counted from 1; none for the whole unit.
    pub line: Option<u32>,
}

impl UnitId {
    /// A whole unit.
    #[must_use]
    pub const fn whole(number: u32) -> Self {
        Self { number, line: None }
    }
}

impl fmt::Display for UnitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}.{line}", self.number),
            None => write!(f, "{}", self.number),
        }
    }
}

/// What a unit is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnitKind {
    /// A heading of this level.
    Heading(u8),
    /// Running text.
    Paragraph,
    /// An item of a list; whether the list is numbered.
    Item(bool),
    /// Code in this language.
    Code(String),
    /// A table.
    Table,
    /// A formula.
    Math,
    /// What is written under a figure.
    Figure,
}

/// A piece of the source that can be cited.
#[derive(Debug, Clone)]
pub struct Unit {
    /// Its number.
    pub number: u32,
    /// What it is.
    pub kind: UnitKind,
    /// Its words as they are shown, with backticks around code; of a table its header.
    pub text: String,
    /// What announces it beyond its words: `warning`, `quote`, the term that is defined.
    pub label: String,
    /// Its lines of code or the rows of its table.
    pub lines: Vec<CodeLine>,
    /// The numbers of the headings it stands under, from the highest.
    pub under: Vec<u32>,
    /// Its section, counted over the whole source.
    pub section: usize,
    /// Where it stands.
    pub span: Span,
    /// Of a table, the table.
    pub table: Option<Box<BlockKind>>,
}

impl Unit {
    /// Whether it is code.
    #[must_use]
    pub fn is_code(&self) -> bool {
        matches!(self.kind, UnitKind::Code(_))
    }

    /// Its words with all its lines, as they are searched.
    #[must_use]
    pub fn whole_text(&self) -> String {
        let mut out = self.text.clone();
        if !self.label.is_empty() {
            out = format!("{}: {out}", self.label);
        }
        for line in &self.lines {
            out.push('\n');
            out.push_str(&line.raw);
        }
        out
    }
}

/// A section of the source: a heading with what stands below it before the next.
#[derive(Debug, Clone)]
pub struct Section {
    /// Its headings from the highest, joined.
    pub path: String,
    /// The first and the last unit.
    pub units: (u32, u32),
}

/// All units of a source.
#[derive(Debug, Clone, Default)]
pub struct Units {
    /// What the source is called.
    pub title: String,
    all: Vec<Unit>,
    sections: Vec<Section>,
}

impl Units {
    /// Numbers the units of some blocks.
    #[must_use]
    pub fn of(title: &str, blocks: &[Block]) -> Self {
        let mut numbering = Numbering::default();
        numbering.blocks(blocks, "", 0);
        numbering.leave_out_orders();
        let mut sections: Vec<Section> = Vec::new();
        let path = |under: &[u32], all: &[Unit]| {
            let titles = under
                .iter()
                .filter_map(|number| all.get(*number as usize - 1))
                .map(|unit| unit.text.as_str());
            titles.collect::<Vec<_>>().join(" > ")
        };
        for unit in &numbering.all {
            match sections.last_mut() {
                Some(last) if sections_are(unit, numbering.first_of(unit.section)) => {
                    last.units.1 = unit.number;
                }
                _ => sections.push(Section {
                    path: match unit.kind {
                        UnitKind::Heading(_) => {
                            let mut under = unit.under.clone();
                            under.push(unit.number);
                            path(&under, &numbering.all)
                        }
                        _ => path(&unit.under, &numbering.all),
                    },
                    units: (unit.number, unit.number),
                }),
            }
        }
        Self {
            title: squash(&orders::without_planted(&without_unseen(title))),
            all: numbering.all,
            sections,
        }
    }

    /// All of them, in their order.
    #[must_use]
    pub fn all(&self) -> &[Unit] {
        &self.all
    }

    /// The sections, in their order.
    #[must_use]
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// The unit of a number.
    #[must_use]
    pub fn get(&self, number: u32) -> Option<&Unit> {
        self.all.get(usize::try_from(number.checked_sub(1)?).ok()?)
    }

    /// Whether there is such a unit, and such a line in it.
    #[must_use]
    pub fn has(&self, id: UnitId) -> bool {
        let Some(unit) = self.get(id.number) else {
            return false;
        };
        id.line.is_none_or(|line| {
            line.checked_sub(1)
                .and_then(|line| unit.lines.get(line as usize))
                .is_some()
        })
    }

    /// The words of a unit, or of one line in it, as they are searched.
    #[must_use]
    pub fn text_of(&self, id: UnitId) -> String {
        let Some(unit) = self.get(id.number) else {
            return String::new();
        };
        let line = id
            .line
            .and_then(|line| unit.lines.get(line.checked_sub(1)? as usize));
        match line {
            Some(line) => line.raw.clone(),
            None => unit.whole_text(),
        }
    }

    /// Of a section, its units.
    #[must_use]
    pub fn of_section(&self, section: usize) -> &[Unit] {
        let range = self.sections.get(section).map(|one| one.units);
        range
            .and_then(|(first, last)| self.all.get(first as usize - 1..last as usize))
            .unwrap_or_default()
    }
}

fn sections_are(unit: &Unit, first: Option<u32>) -> bool {
    first.is_some_and(|first| first < unit.number)
}

/// The units while they are numbered.
#[derive(Default)]
struct Numbering {
    all: Vec<Unit>,
    /// The headings that are open, with their levels.
    open: Vec<(u8, u32)>,
    section: usize,
    firsts: Vec<u32>,
}

impl Numbering {
    fn first_of(&self, section: usize) -> Option<u32> {
        self.firsts.get(section).copied()
    }

    fn add(
        &mut self,
        kind: UnitKind,
        text: String,
        label: &str,
        lines: Vec<CodeLine>,
        span: &Span,
    ) {
        let number = u32::try_from(self.all.len() + 1).unwrap_or(u32::MAX);
        if let UnitKind::Heading(level) = kind {
            while self.open.pop_if(|(open, _)| *open >= level).is_some() {}
            if !self.firsts.is_empty() {
                self.section += 1;
            }
        }
        if self.firsts.len() <= self.section {
            self.firsts.push(number);
        }
        let under = self.open.iter().map(|(_, number)| *number).collect();
        if let UnitKind::Heading(level) = kind {
            self.open.push((level, number));
        }
        self.all.push(Unit {
            number,
            kind,
            text,
            label: label.to_owned(),
            lines,
            under,
            section: self.section,
            span: span.clone(),
            table: None,
        });
    }

    /// Empties units that give an order only together with those beside them.
    fn leave_out_orders(&mut self) {
        let texts: Vec<String> = self.all.iter().map(Unit::whole_text).collect();
        let mut guilty = Vec::new();
        for (at, window) in texts.windows(2).enumerate() {
            if orders::is_planted(&window.join(" ")) || orders::is_planted(&window.join("\n\n")) {
                guilty.extend([at, at + 1]);
            }
        }
        for at in guilty {
            if let Some(unit) = self.all.get_mut(at) {
                unit.text.clear();
                unit.label.clear();
                unit.lines.clear();
                unit.table = None;
            }
        }
    }

    fn blocks(&mut self, blocks: &[Block], label: &str, depth: usize) {
        if depth > NESTING_MAX {
            return;
        }
        for block in blocks {
            self.block(block, label, depth);
        }
    }

    fn block(&mut self, block: &Block, label: &str, depth: usize) {
        let none = Vec::new;
        match &block.kind {
            BlockKind::Heading { level, text } => {
                let words = squash(&clean(&plain(text)));
                if !words.is_empty() {
                    self.add(UnitKind::Heading(*level), words, "", none(), &block.span);
                }
            }
            BlockKind::Paragraph(text) => {
                let words = shown(text);
                if !words.is_empty() {
                    self.add(UnitKind::Paragraph, words, label, none(), &block.span);
                }
            }
            BlockKind::List { start, items } => {
                for item in items {
                    self.item(item, start.is_some(), label, depth);
                }
            }
            BlockKind::Code { language, text } => {
                let language = language.clone().unwrap_or_default();
                // What is planted in code is left out with its remark, or the code with it.
                let text = without_unseen(text);
                let text = orders::without_orders(&text);
                let lines = match orders::is_planted(&text) {
                    true => Vec::new(),
                    false => lines_of(&language, &text),
                };
                for lines in parts(lines) {
                    let kind = UnitKind::Code(language.clone());
                    self.add(kind, String::new(), label, lines, &block.span);
                }
            }
            BlockKind::Table {
                header,
                rows,
                caption,
            } => {
                // Where nothing stands in the head, the first row is it.
                let is_empty = |cell: &Vec<Inline>| plain(cell).trim().is_empty();
                let (header, rows) = match rows.split_first() {
                    Some((first, rest)) if header.iter().all(is_empty) => (first, rest),
                    _ => (header, rows.as_slice()),
                };
                let row = |cells: &Vec<Vec<Inline>>| {
                    let cells: Vec<String> = cells.iter().map(|cell| shown(cell)).collect();
                    cells.join(" | ")
                };
                let caption_words = caption.as_deref().map(shown).unwrap_or_default();
                let head = match caption_words.is_empty() {
                    true => row(header),
                    false => format!("{caption_words}\n{}", row(header)),
                };
                let is_fit = |cells: &&Vec<Vec<Inline>>| {
                    let words: Vec<String> = cells.iter().map(|cell| plain(cell)).collect();
                    !orders::is_planted(&without_unseen(&words.join(" ")))
                };
                let rows: Vec<&Vec<Vec<Inline>>> = rows.iter().filter(is_fit).collect();
                let titles = caption.iter().chain(header).map(|cell| plain(cell));
                let titles: Vec<String> = titles.collect();
                if orders::is_planted(&without_unseen(&titles.join(" "))) {
                    return;
                }
                // A table without rows is one part as well.
                let count = rows.len().div_ceil(LINES_MAX).max(1);
                for part in (0..count).map(|at| rows.iter().skip(at * LINES_MAX).take(LINES_MAX)) {
                    let line = |cells: &&Vec<Vec<Inline>>| {
                        let text = row(cells);
                        CodeLine {
                            kind: LineKind::Row,
                            raw: text.clone(),
                            text,
                        }
                    };
                    let lines = part.clone().map(line).collect();
                    self.add(UnitKind::Table, head.clone(), label, lines, &block.span);
                    if let Some(unit) = self.all.last_mut() {
                        unit.table = Some(Box::new(BlockKind::Table {
                            header: header.clone(),
                            rows: part.map(|cells| (*cells).clone()).collect(),
                            caption: caption.clone(),
                        }));
                    }
                }
            }
            BlockKind::Quote(inner) => self.blocks(inner, or(label, "quote"), depth + 1),
            BlockKind::Admonition {
                class,
                title,
                blocks,
            } => {
                let named = title.as_deref().map(squash).unwrap_or_default();
                let label = match named.is_empty() {
                    true => class.clone(),
                    false => format!("{class}, {named}"),
                };
                self.blocks(blocks, &label, depth + 1);
            }
            BlockKind::Definitions(entries) => {
                for entry in entries {
                    let terms: Vec<String> = entry.terms.iter().map(|term| shown(term)).collect();
                    let term = terms.join(", ");
                    match entry.blocks.is_empty() {
                        true => self.add(UnitKind::Item(false), term, label, none(), &block.span),
                        false => self.blocks(&entry.blocks, &term, depth + 1),
                    }
                }
            }
            BlockKind::Math(text) => {
                self.add(UnitKind::Math, text.clone(), label, none(), &block.span);
            }
            BlockKind::Figure { caption, .. } => {
                let words = shown(caption);
                if !words.is_empty() {
                    self.add(UnitKind::Figure, words, "figure", none(), &block.span);
                }
            }
        }
    }

    fn item(&mut self, blocks: &[Block], is_ordered: bool, label: &str, depth: usize) {
        let mut rest = blocks;
        if let Some((first, more)) = blocks.split_first()
            && let BlockKind::Paragraph(text) = &first.kind
        {
            let words = shown(text);
            if !words.is_empty() {
                self.add(
                    UnitKind::Item(is_ordered),
                    words,
                    label,
                    Vec::new(),
                    &first.span,
                );
            }
            rest = more;
        }
        self.blocks(rest, label, depth + 1);
    }
}

/// Long code in parts that can be named and read alone, cut above a line that begins something: behind an empty line, or at the margin.
fn parts(mut lines: Vec<CodeLine>) -> Vec<Vec<CodeLine>> {
    let mut out = Vec::new();
    while lines.len() > LINES_MAX {
        let is_empty = |at: usize| lines.get(at).is_some_and(|line| line.raw.trim().is_empty());
        let is_at_margin = |at: usize| {
            let start = lines.get(at).and_then(|line| line.raw.chars().next());
            start.is_some_and(|c| c.is_alphanumeric() || matches!(c, '#' | '/' | '[' | '"'))
        };
        let places = || (LINES_MAX / 3..=LINES_MAX).rev();
        let place = places()
            .find(|at| is_empty(at - 1) && is_at_margin(*at))
            .or_else(|| places().find(|at| is_empty(at - 1)))
            .or_else(|| places().find(|at| is_at_margin(*at)))
            .unwrap_or(LINES_MAX);
        let rest = lines.split_off(place);
        out.push(std::mem::replace(&mut lines, rest));
    }
    out.push(lines);
    out.retain(|lines| !lines.is_empty());
    out
}

fn or<'s>(label: &'s str, other: &'s str) -> &'s str {
    match label.is_empty() {
        true => other,
        false => label,
    }
}

/// Running text as a model reads it: code between backticks, links that lead out with their address.
fn shown(inlines: &[Inline]) -> String {
    let mut out = String::new();
    show(inlines, &mut out, 0);
    squash(&clean(&out))
}

/// Words without what nobody sees and without what was planted for machines.
fn clean(text: &str) -> String {
    orders::without_planted(&without_unseen(text)).into_owned()
}

fn show(inlines: &[Inline], out: &mut String, depth: usize) {
    if depth > NESTING_MAX {
        return;
    }
    for inline in inlines {
        match inline {
            Inline::Text(text) => out.push_str(text),
            Inline::Code(code) => {
                out.push('`');
                out.push_str(code);
                out.push('`');
            }
            Inline::Emphasis(inner) | Inline::Strong(inner) => show(inner, out, depth + 1),
            Inline::Link(link) => {
                show(&link.text, out, depth + 1);
                let is_said = plain(&link.text).trim() == link.href;
                if link.href.starts_with("http") && !is_said {
                    out.push_str(&format!(" ({})", link.href));
                }
            }
            Inline::Math(text) => out.push_str(text),
            Inline::Break => out.push(' '),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::testing::document;

    #[test]
    fn everything_that_can_be_cited_has_a_number() {
        let source = document(
            "# Kiln\n\nHeat `it`.\n\n- open\n- close\n\n```sh\n$ kiln stop\nstopped\n```\n\n## Door\n\n> Shut it.",
        );
        let units = Units::of("Kiln", &source.blocks);
        let told: Vec<(u32, &str)> = units
            .all()
            .iter()
            .map(|unit| (unit.number, unit.text.as_str()))
            .collect();
        assert_eq!(
            told,
            [
                (1, "Kiln"),
                (2, "Heat `it`."),
                (3, "open"),
                (4, "close"),
                (5, ""),
                (6, "Door"),
                (7, "Shut it.")
            ]
        );
        let id = |number, line| UnitId { number, line };
        assert!(units.has(id(5, Some(2))) && !units.has(id(5, Some(3))));
        assert!(!units.has(id(0, None)) && !units.has(id(8, None)) && !units.has(id(2, Some(0))));
        assert_eq!(units.text_of(id(5, Some(1))), "$ kiln stop");
        let paths: Vec<&str> = units.sections().iter().map(|one| &*one.path).collect();
        assert_eq!(paths, ["Kiln", "Kiln > Door"]);
        assert_eq!(units.of_section(1).len(), 2);
        assert_eq!(units.get(7).unwrap().label, "quote");
    }

    #[test]
    fn long_code_and_long_tables_are_several_units() {
        let keys: String = (0..50)
            .map(|n| format!("key{n}:\n  value: {n}\n\n"))
            .collect();
        let cells = |text: &str| vec![vec![Inline::Text(text.to_owned())]];
        let kinds = [
            BlockKind::Code {
                language: Some("yaml".to_owned()),
                text: keys,
            },
            BlockKind::Table {
                header: cells("n"),
                rows: (0..130).map(|n| cells(&n.to_string())).collect(),
                caption: None,
            },
        ];
        let span = Span::default;
        let blocks = kinds.map(|kind| Block { kind, span: span() });
        let units = Units::of("Keys", &blocks);
        let (code, tables): (Vec<&Unit>, Vec<&Unit>) =
            units.all().iter().partition(|unit| unit.is_code());
        assert!(code.len() > 2);
        for part in &code {
            assert!(part.lines.len() <= LINES_MAX && part.lines[0].raw.starts_with("key"));
        }
        let lines = |of: &[&Unit]| -> usize { of.iter().map(|unit| unit.lines.len()).sum() };
        assert_eq!((lines(&code), tables.len(), lines(&tables)), (149, 3, 130));
        assert!(tables.iter().all(|table| table.text == "n"));
    }

    #[test]
    fn a_table_whose_head_is_empty_has_its_first_row_for_one() {
        let cell = |text: &str| vec![Inline::Text(text.to_owned())];
        let kind = BlockKind::Table {
            header: vec![cell(""), cell(" ")],
            rows: vec![vec![cell("C"), cell("Lua")], vec![cell("*p"), cell("p[0]")]],
            caption: None,
        };
        let span = Span::default();
        let units = Units::of("Idioms", &[Block { kind, span }]);
        let unit = units.get(1).unwrap();
        assert_eq!(
            (
                unit.text.as_str(),
                unit.lines.len(),
                unit.lines[0].raw.as_str()
            ),
            ("C | Lua", 1, "*p | p[0]")
        );
        assert!(
            matches!(unit.table.as_deref(), Some(BlockKind::Table { header, .. }) if header[1] == cell("Lua"))
        );
    }

    #[test]
    fn a_source_without_anything_has_no_unit() {
        let units = Units::of("", &[]);
        assert!(units.all().is_empty() && units.sections().is_empty());
        assert!(units.of_section(3).is_empty());
    }
}
