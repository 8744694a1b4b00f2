//! Owns SKILL.md as it is made of what a model wrote: the lines that stand, without marks, code taken over from the source to the letter,
//! and for each line its proof.

use crate::check::Source;
use crate::code_lines::LineKind;
use crate::draft::{Claim, Form, Line, Page, State};
use crate::inline::inlines;
use crate::marks::{Reference, Taken, ranges};
use crate::units::{Unit, UnitKind};
use skillkiln_document::blocks::{Block, BlockKind, Document, Span};
use skillkiln_document::host_syntax;
use skillkiln_document::markdown::{self, inline::Place};
use skillkiln_document::orders;
use skillkiln_document::text::Inline;
use skillkiln_skills::lead_ins::is_routes;
use skillkiln_skills::page;
use skillkiln_skills::skill::{self, Trace};
use skillkiln_skills::write::{Sizes, write_part};

/// Languages in which what is typed is shown.
const SHELLS: [&str; 6] = ["", "console", "shell-session", "terminal", "shell", "text"];

/// Lines of a header and a title.
const HEAD_LINES: usize = 16;

/// What stands around the text: the header's values, the library and the table that leads to it.
#[derive(Debug, Clone)]
pub struct Frame {
    /// The skill by its source alone: its name, title, library and traces are used.
    pub card: skill::Skill,
    /// Where the document came from.
    pub source: skill::Source,
    routes: String,
}

impl Frame {
    /// Of the same blocks and wishes as the skill that is written without a model.
    ///
    /// # Errors
    /// As those of writing without a model.
    pub fn of(
        document: &Document,
        blocks: &[Block],
        source: &skill::Source,
        wish: &skill::Wish,
    ) -> Result<Self, skill::Refusal> {
        let sizes = Sizes {
            whole_max: 0,
            held_percent: 0,
            ..Sizes::default()
        };
        let card = write_part(document, blocks, source, wish, &sizes)?;
        let headings = card.content.match_indices("\n## ").filter(|(at, mark)| {
            let line = card.content.get(at + mark.len()..).unwrap_or_default();
            is_routes(line.lines().next().unwrap_or_default())
        });
        let routes = headings
            .last()
            .and_then(|(at, _)| card.content.get(at + 1..))
            .unwrap_or_default()
            .to_owned();
        Ok(Self {
            card,
            source: source.clone(),
            routes,
        })
    }

    /// The lines that it takes: header, title, and the table that leads to the library.
    #[must_use]
    pub fn lines(&self) -> usize {
        HEAD_LINES + self.routes.lines().count()
    }
}

/// The proof of some lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// First and last line of SKILL.md, counted from 1.
    pub lines: (u32, u32),
    /// What is said.
    pub text: String,
    /// The units that it names.
    pub units: String,
    /// The headings above the unit that says it.
    pub under: String,
    /// Whether it follows and is not said.
    pub is_inferred: bool,
    /// The words of the source that the judge found.
    pub quote: String,
}

/// A SKILL.md with its evidence.
#[derive(Debug, Clone, PartialEq)]
pub struct Compiled {
    /// The whole text.
    pub content: String,
    /// Which lines stand on which part of the source, those of the library included.
    pub traces: Vec<Trace>,
    /// The proof of each claim.
    pub proofs: Vec<Proof>,
    /// The line of the draft that each line of the text is of.
    pub origin: Vec<((u32, u32), usize)>,
}

/// Writes a page under its header.
#[must_use]
pub fn write(draft: &Page, source: &Source, frame: &Frame, title: &str, header: &str) -> Compiled {
    let mut writer = Writer {
        page: page::Page::new(None),
        source,
        marks: Vec::new(),
        widths: Vec::new(),
        count: 0,
        cells: 0,
        is_list: false,
        list: None,
    };
    writer.page.add(header, None);
    writer.page.add_heading(1, title, None);
    let mut numbers = Numbers::default();
    let mut next = 0;
    while let Some(line) = draft.lines.get(next) {
        let at = next;
        let behind = draft.lines.get(at + 1..).unwrap_or_default();
        let more = writer.more(line, behind);
        next += 1 + more.len();
        numbers.enter(&line.form);
        writer.line(at, line, draft, &numbers, behind.first(), &more);
    }
    if !frame.routes.is_empty() {
        writer.page.add(&frame.routes, None);
    }
    let Writer { page, marks, .. } = writer;
    let (content, mut traces) = page.finish();
    let mut proofs = Vec::new();
    let mut origin = Vec::new();
    for ((at, claims), trace) in marks.iter().zip(&traces) {
        origin.push((trace.lines, *at));
        for claim in claims.iter().filter_map(|claim| draft.claims.get(*claim)) {
            proofs.extend(proof(claim, source, trace.lines));
        }
    }
    traces.retain(|trace| !trace.span.bytes.is_empty());
    traces.extend(
        frame
            .card
            .traces
            .iter()
            .filter(|trace| trace.reference.is_some())
            .cloned(),
    );
    Compiled {
        content: host_syntax::escape(&content),
        traces,
        proofs,
        origin,
    }
}

fn proof(claim: &Claim, source: &Source, lines: (u32, u32)) -> Option<Proof> {
    let (is_inferred, unit, quote) = match &claim.state {
        State::Said { unit, quote } => (false, unit, quote),
        State::Inferred { unit, quote } => (true, unit, quote),
        _ => return None,
    };
    let section = source.units.get(*unit).map(|unit| unit.section);
    let section = section.and_then(|section| source.units.sections().get(section));
    Some(Proof {
        lines,
        text: claim.text.clone(),
        units: ranges(&claim.cite.ids),
        under: section
            .map(|section| section.path.clone())
            .unwrap_or_default(),
        is_inferred,
        quote: quote.clone(),
    })
}

/// The numbers of the steps of the lists that are open.
#[derive(Debug, Default)]
pub struct Numbers(Vec<usize>);

impl Numbers {
    /// Goes on to the next line.
    pub fn enter(&mut self, form: &Form) {
        match form {
            Form::Item { is_ordered, depth } => {
                self.0.truncate(depth + 1);
                self.0.resize(depth + 1, 0);
                if let Some(count) = self.0.last_mut() {
                    *count = if *is_ordered { *count + 1 } else { 0 };
                }
            }
            Form::Take(_, Some(_)) => {}
            _ => self.0.clear(),
        }
    }

    /// The mark of an item, with the blank behind it.
    #[must_use]
    pub fn mark(&self, is_ordered: bool) -> String {
        match is_ordered {
            true => format!("{}. ", self.0.last().copied().unwrap_or(1)),
            false => "- ".to_owned(),
        }
    }
}

struct Writer<'w> {
    page: page::Page,
    source: &'w Source,
    /// For each trace of the page, the line of the draft and its claims.
    marks: Vec<(usize, Vec<usize>)>,
    /// How wide the marks of the open items are.
    widths: Vec<usize>,
    count: usize,
    /// Cells of the table that is open.
    cells: usize,
    /// Whether the last line is of a list or a table.
    is_list: bool,
    /// Whether the list that is open is numbered.
    list: Option<bool>,
}

impl Writer<'_> {
    /// Of the lines behind one that takes something over, what stands with it in one block: further lines of the same code, and commands
    /// behind a command.
    fn more(&self, line: &Line, behind: &[Line]) -> Vec<Reference> {
        let Form::Take(first, depth) = &line.form else {
            return Vec::new();
        };
        let is_code = |reference: &Reference| {
            let unit = self.source.units.get(reference.number);
            unit.is_some_and(Unit::is_code)
        };
        let goes_on = |line: &Line| match &line.form {
            Form::Take(next, own) => {
                let is_alike = next.taken == first.taken
                    && (next.number == first.number || next.taken == Taken::Command);
                (is_alike && own == depth && is_code(next)).then(|| next.clone())
            }
            _ => None,
        };
        match is_code(first) {
            true => behind.iter().map_while(goes_on).collect(),
            false => Vec::new(),
        }
    }

    fn line(
        &mut self,
        at: usize,
        line: &Line,
        draft: &Page,
        numbers: &Numbers,
        next: Option<&Line>,
        more: &[Reference],
    ) {
        if !matches!(line.form, Form::Item { .. } | Form::Take(_, Some(_))) {
            self.list = None;
        }
        let standing: Vec<usize> = line
            .claims
            .iter()
            .copied()
            .filter(|claim| {
                draft
                    .claims
                    .get(*claim)
                    .is_some_and(|claim| claim.state.stands())
            })
            .collect();
        let texts: Vec<&str> = standing
            .iter()
            .filter_map(|claim| draft.claims.get(*claim))
            .map(|claim| claim.text.as_str())
            .collect();
        let mut text = texts.join(" ");
        if !is_introduced(&line.form, next)
            && let Some(words) = text.strip_suffix(':')
        {
            text = format!("{words}.");
        }
        let span = standing
            .iter()
            .filter_map(|claim| draft.claims.get(*claim))
            .find_map(|claim| self.span(claim))
            .unwrap_or_default();
        match &line.form {
            Form::Heading(level) => {
                self.page.add_heading_of(*level, inlines(&line.words), None);
                self.is_list = false;
            }
            Form::Paragraph if !text.is_empty() => {
                let words = markdown::inline::inline(&inlines(&text), Place::Paragraph);
                self.add(&words, &span, at, standing, false);
                self.is_list = false;
            }
            Form::Item { is_ordered, depth } if !text.is_empty() => {
                let mark = numbers.mark(*is_ordered);
                let words = markdown::inline::inline(&inlines(&text), Place::Line);
                self.widths.truncate(*depth);
                let indent: usize = self.widths.iter().sum();
                self.widths.push(mark.len());
                let words = format!("{}{mark}{words}", " ".repeat(indent));
                // A list of another kind stands apart, as does one below a table.
                let goes_on = match depth {
                    0 => self.list.replace(*is_ordered) == Some(*is_ordered),
                    _ => true,
                };
                self.add(&words, &span, at, standing, self.is_list && goes_on);
                self.is_list = true;
            }
            Form::Head => {
                let cells = cells(&line.words);
                self.cells = cells.len();
                let rule = "|---".repeat(self.cells);
                let head = row(&cells, self.cells);
                self.add(
                    &format!("{head}\n{rule}|"),
                    &Span::default(),
                    at,
                    Vec::new(),
                    false,
                );
                self.is_list = true;
            }
            Form::Row if !text.is_empty() => {
                let words = row(&cells(&text), self.cells);
                self.add(&words, &span, at, standing, true);
            }
            Form::Take(reference, depth) => self.take(at, reference, more, *depth),
            Form::Paragraph | Form::Item { .. } | Form::Row => {}
        }
    }

    fn add(&mut self, text: &str, span: &Span, at: usize, claims: Vec<usize>, is_below: bool) {
        match is_below {
            true => self.page.add_line(text, Some(span)),
            false => self.page.add(text, Some(span)),
        }
        self.marks.push((at, claims));
        self.count += 1;
    }

    /// Where the source says a claim.
    fn span(&self, claim: &Claim) -> Option<Span> {
        let unit = match &claim.state {
            State::Said { unit, .. } | State::Inferred { unit, .. } => *unit,
            _ => claim.cite.ids.first()?.number,
        };
        self.source.units.get(unit).map(|unit| unit.span.clone())
    }

    fn take(&mut self, at: usize, reference: &Reference, more: &[Reference], depth: Option<usize>) {
        let Some(unit) = self.source.units.get(reference.number) else {
            return;
        };
        let texts = std::iter::once(reference).chain(more);
        let texts = texts
            .filter_map(|reference| taken(self.source.units.get(reference.number)?, reference));
        let Some(text) = texts.reduce(|text, next| one_block(&text, &next)) else {
            return;
        };
        let depth = depth.filter(|_| self.is_list);
        let indent: usize = match depth {
            Some(depth) => self.widths.iter().take(depth + 1).sum(),
            None => 0,
        };
        let pad = " ".repeat(indent);
        let text: Vec<String> = text
            .trim_end()
            .lines()
            .map(|line| {
                if line.is_empty() {
                    String::new()
                } else {
                    format!("{pad}{line}")
                }
            })
            .collect();
        self.add(
            &text.join("\n"),
            &unit.span.clone(),
            at,
            Vec::new(),
            depth.is_some(),
        );
        self.is_list = depth.is_some();
    }
}

/// Whether something stands below a line that its colon may point to.
fn is_introduced(form: &Form, next: Option<&Line>) -> bool {
    match (form, next.map(|line| &line.form)) {
        (Form::Item { depth, .. }, Some(Form::Item { depth: below, .. })) => below > depth,
        (_, Some(Form::Heading(_)) | None) => false,
        (Form::Item { .. }, Some(Form::Paragraph)) => false,
        _ => true,
    }
}

/// Two blocks of code as one, where they are of one language; else one behind the other.
fn one_block(text: &str, next: &str) -> String {
    let fence = |text: &str| text.lines().next().map(str::to_owned);
    let last = text.trim_end().rsplit_once('\n');
    match (last, next.split_once('\n')) {
        (Some((head, close)), Some((open, rest)))
            if fence(text).as_deref() == Some(open) && open.starts_with(close) =>
        {
            format!("{head}\n{rest}")
        }
        _ => format!("{}\n\n{next}", text.trim_end()),
    }
}

/// What is taken over, as Markdown; none where nothing of it may stand in a SKILL.md.
#[must_use]
pub fn taken(unit: &Unit, reference: &Reference) -> Option<String> {
    let inside = |number: usize| {
        reference
            .lines
            .is_none_or(|(first, last)| (first as usize..=last as usize).contains(&(number + 1)))
    };
    if let Some(table) = &unit.table {
        let BlockKind::Table { header, rows, .. } = &**table else {
            return None;
        };
        let rows = rows
            .iter()
            .enumerate()
            .filter(|(number, _)| inside(*number));
        let kind = BlockKind::Table {
            header: header.clone(),
            rows: rows.map(|(_, row)| row.clone()).collect(),
            caption: None,
        };
        let table = Block {
            kind,
            span: unit.span.clone(),
        };
        return Some(markdown::write(&[table]));
    }
    let UnitKind::Code(language) = &unit.kind else {
        return None;
    };
    let own = unit
        .lines
        .iter()
        .enumerate()
        .filter(|(number, _)| inside(*number));
    let is_typed = reference.taken == Taken::Command;
    let has_typed = unit.lines.iter().any(|line| line.kind == LineKind::Command);
    let lines: Vec<&str> = own
        .filter(|(_, line)| !(is_typed && has_typed && line.kind != LineKind::Command))
        .map(|(_, line)| line.text.as_str())
        .collect();
    let code = lines.join("\n");
    let code = orders::without_orders(code.trim_end());
    if code.trim().is_empty() || orders::runs_unseen(&code) || host_syntax::changes_code(&code) {
        return None;
    }
    let language = match (is_typed || has_typed) && SHELLS.contains(&language.as_str()) {
        true => "sh",
        false if language.is_empty() => "text",
        false => language.as_str(),
    };
    Some(markdown::blocks::code(Some(language), &code))
}

/// The cells of a row, whose marks stand outside of code.
#[must_use]
pub fn cells(text: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut is_code = false;
    let mut is_escaped = false;
    for c in text.trim().trim_matches('|').chars() {
        is_code ^= c == '`';
        if c == '|' && !is_code && !is_escaped {
            out.push(String::new());
        } else if let Some(last) = out.last_mut() {
            if c == '|' && is_escaped {
                last.pop();
            }
            last.push(c);
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    out.into_iter().map(|cell| cell.trim().to_owned()).collect()
}

fn row(cells: &[String], count: usize) -> String {
    let mut out = String::from("|");
    for at in 0..count.max(1) {
        let words: Vec<Inline> = cells.get(at).map(|cell| inlines(cell)).unwrap_or_default();
        out.push_str(&format!(
            " {} |",
            markdown::inline::inline(&words, Place::Cell)
        ));
    }
    out
}
