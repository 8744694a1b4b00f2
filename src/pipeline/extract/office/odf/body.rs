//! Reads the paragraphs, lists, tables and slides of an OpenDocument file into pieces.

use crate::domain::text::{Inline, squash};
use crate::pipeline::extract::office::assemble::{Item, Piece, What};
use crate::pipeline::extract::office::grid::{Grid, cell_text};
use crate::pipeline::extract::office::odf::styles::Styles;
use crate::pipeline::extract::office::opc::address;
use crate::pipeline::extract::office::role::Role;
use crate::pipeline::extract::office::runs::{self, Run, Words};
use crate::pipeline::extract::xml_tree::{Content, Element};

/// Containers in containers that are followed.
const DEPTH_MAX: usize = 64;
/// Spaces that one element may stand for.
const SPACES_MAX: usize = 400;
/// Rows and cells that one element may stand for in a text.
const REPEATED_MAX: usize = 64;

/// Reads a document's body.
pub(crate) struct Body<'d> {
    styles: &'d Styles,
    formulas: &'d [(String, String)],
    notes: Vec<Element<'d>>,
    pieces: Vec<Piece>,
    page: Option<u32>,
    has_title: bool,
    /// The place in a list that the next paragraph has.
    item: Option<Item>,
}

/// Running text while it is read.
#[derive(Default)]
struct Line<'d> {
    runs: Vec<Run>,
    frames: Vec<Element<'d>>,
    /// Whether white space would follow white space.
    after_space: bool,
}

impl<'d> Body<'d> {
    /// A reader of a body.
    pub(crate) fn new(styles: &'d Styles, formulas: &'d [(String, String)]) -> Self {
        Self {
            styles,
            formulas,
            notes: Vec::new(),
            pieces: Vec::new(),
            page: None,
            has_title: false,
            item: None,
        }
    }

    /// Looks through the whole text for what decides about single paragraphs.
    pub(crate) fn learn(&mut self, text: Element<'d>) {
        self.has_title = text.inside("p").into_iter().any(|paragraph| {
            paragraph
                .attribute("style-name")
                .is_some_and(|id| self.styles.role(id) == Role::Title)
                && !paragraph.text().trim().is_empty()
        });
    }

    /// Everything that was read, with the notes that were referred to at the end.
    pub(crate) fn finish(mut self) -> Vec<Piece> {
        self.item = None;
        let mut at = 0;
        while let Some(note) = self.notes.get(at).copied() {
            at += 1;
            let own = self.apart(note, 0);
            let mut text = vec![Inline::Text(format!("[{at}] "))];
            text.extend(cell(own));
            self.push(What::Paragraph(text));
        }
        self.pieces
    }

    fn push(&mut self, what: What) {
        self.pieces.push(Piece {
            what,
            item: self.item,
            page: self.page,
        });
        // What follows in the same item goes on with it.
        if let Some(item) = &mut self.item {
            item.continues = true;
            item.number = None;
        }
    }

    /// The pieces in `element`, not among the others.
    fn apart(&mut self, element: Element<'d>, depth: usize) -> Vec<Piece> {
        let before = std::mem::take(&mut self.pieces);
        let item = self.item.take();
        self.container(element, depth + 1);
        self.item = item;
        std::mem::replace(&mut self.pieces, before)
    }

    /// Reads what stands in `element`.
    pub(crate) fn container(&mut self, element: Element<'d>, depth: usize) {
        if depth > DEPTH_MAX {
            let words = squash(&element.text());
            self.push(What::Paragraph(vec![Inline::Text(words)]));
            return;
        }
        for child in element.elements() {
            match child.name() {
                "h" => self.heading(child),
                "p" => self.paragraph(child, depth),
                "list" => self.list(child, None, 0, depth),
                "table" => self.table(child, depth),
                "frame" | "custom-shape" | "text-box" | "rect" | "ellipse" => {
                    self.frame(child, depth)
                }
                // What was deleted, what is drawn from the headings, and what only declares.
                "tracked-changes" | "table-of-content" | "illustration-index" | "table-index"
                | "object-index" | "alphabetical-index" | "sequence-decls" | "variable-decls"
                | "forms" | "annotation" | "title" | "desc" | "notes" => {}
                _ => self.container(child, depth + 1),
            }
        }
    }

    fn heading(&mut self, heading: Element<'d>) {
        let line = self.line(heading);
        let text = runs::heading(&line.runs);
        if text.is_empty() {
            return;
        }
        let level = heading
            .attribute("outline-level")
            .and_then(|level| level.parse::<u8>().ok())
            .unwrap_or(1);
        let item = self.item.take();
        self.push(What::Heading(
            level.saturating_add(u8::from(self.has_title)),
            text,
        ));
        self.item = item;
        self.frames(line.frames, 0);
    }

    fn paragraph(&mut self, paragraph: Element<'d>, depth: usize) {
        let style = paragraph.attribute("style-name").unwrap_or("");
        let role = self.styles.role(style);
        let line = self.line(paragraph);
        let is_blank = runs::code(&line.runs).trim().is_empty()
            && !line.runs.iter().any(|run| matches!(run, Run::Other(_)));
        match role {
            Role::Contents => return,
            Role::Title | Role::Heading(_) if !is_blank => {
                let words = runs::heading(&line.runs);
                let what = match role {
                    Role::Heading(level) => {
                        What::Heading(level.saturating_add(u8::from(self.has_title)), words)
                    }
                    _ => What::Title(words),
                };
                let item = self.item.take();
                self.push(what);
                self.item = item;
            }
            _ if role == Role::Code
                || runs::are_all_code(&line.runs)
                    && self.item.is_none_or(|item| item.continues) =>
            {
                let text = runs::code(&line.runs);
                let joins = role == Role::Code || !text.contains('\n');
                self.push(What::Code { text, joins });
            }
            _ if is_blank => {}
            _ => {
                let what = match line.runs.as_slice() {
                    [Run::Other(Inline::Math(formula))] => What::Math(formula.clone()),
                    found => {
                        let text = runs::running(found);
                        match role {
                            Role::Quote => What::Quote(text),
                            Role::Caption => What::Caption(text),
                            Role::Term => What::Term(text),
                            Role::Meaning => What::Meaning(text),
                            _ => What::Paragraph(text),
                        }
                    }
                };
                self.push(what);
            }
        }
        self.frames(line.frames, depth);
    }

    fn frames(&mut self, frames: Vec<Element<'d>>, depth: usize) {
        for frame in frames {
            self.frame(frame, depth + 1);
        }
    }

    /// A text box is read; a picture is its words.
    fn frame(&mut self, frame: Element<'d>, depth: usize) {
        if depth > DEPTH_MAX {
            return;
        }
        if let Some(table) = frame.child("table") {
            self.table(table, depth);
            return;
        }
        let has_text = ["text-box", "p", "list"]
            .iter()
            .any(|name| frame.child(name).is_some());
        if has_text {
            self.container(frame, depth + 1);
            return;
        }
        let words = ["desc", "title"]
            .iter()
            .find_map(|name| Some(squash(&frame.child(name)?.text())))
            .unwrap_or_default();
        if frame.child("image").is_some() {
            self.push(What::Figure(words, Vec::new()));
        }
    }

    fn list(&mut self, list: Element<'d>, outer: Option<&'d str>, level: usize, depth: usize) {
        if depth > DEPTH_MAX {
            self.container(list, depth);
            return;
        }
        let named = list.attribute("style-name").or(outer);
        let before = self.item;
        let mut count: u64 = 0;
        for item in list.elements() {
            if !matches!(item.name(), "list-item" | "list-header") {
                continue;
            }
            let styled = || {
                let paragraph = item.child("p")?.attribute("style-name")?;
                self.styles.list_of(paragraph)
            };
            let start = named
                .or_else(styled)
                .and_then(|name| self.styles.start(name, level));
            let told = item
                .attribute("start-value")
                .and_then(|start| start.parse::<u64>().ok());
            let holds_only_lists = item.elements().all(|child| child.name() == "list");
            if let Some(told) = told {
                count = told.saturating_sub(start.unwrap_or(1));
            }
            self.item = Some(Item {
                level,
                number: start.map(|start| start + count),
                continues: item.name() == "list-header",
            });
            for child in item.elements() {
                match child.name() {
                    "list" => self.list(child, named, level + 1, depth + 1),
                    "p" => self.paragraph(child, depth + 1),
                    "h" => self.heading(child),
                    "table" => self.table(child, depth + 1),
                    _ => self.container(child, depth + 1),
                }
            }
            count += u64::from(!holds_only_lists);
        }
        self.item = before;
    }

    fn table(&mut self, table: Element<'d>, depth: usize) {
        let mut grid = Grid::default();
        let mut framed = Vec::new();
        let (mut rows, mut columns_max) = (0usize, 0usize);
        for (row, is_head) in rows_of(table) {
            let mut across = 0;
            for found in row.elements() {
                match found.name() {
                    "covered-table-cell" => {
                        grid.cell(Vec::new(), repeated(found, "number-columns-repeated"))
                    }
                    "table-cell" => {
                        let pieces = self.apart(found, depth);
                        if rows == 0 || columns_max <= 1 {
                            framed.extend(pieces.iter().cloned());
                        }
                        grid.cell(cell(pieces), repeated(found, "number-columns-repeated"));
                    }
                    _ => continue,
                }
                across += 1;
            }
            rows += 1;
            columns_max = columns_max.max(across);
            grid.end_row(is_head);
        }
        let holds_blocks = framed
            .iter()
            .any(|piece| matches!(piece.what, What::Code { .. } | What::Heading(..)));
        if rows <= 1 && columns_max <= 1 || (rows <= 1 || columns_max <= 1) && holds_blocks {
            for piece in framed {
                self.push(piece.what);
            }
            return;
        }
        let first_is_head = table
            .attribute("use-first-row-styles")
            .is_some_and(|value| value == "true");
        if let Some(what) = grid.finish(first_is_head) {
            self.push(what);
        }
    }

    /// Reads a presentation: a page for each slide.
    pub(crate) fn slides(&mut self, slides: Element<'d>) {
        for (at, slide) in slides.all("page").enumerate() {
            self.page = u32::try_from(at + 1).ok();
            let mut rest = Vec::new();
            for shape in slide.elements() {
                if shape.attribute("presentation:class") == Some("title")
                    && shape.attribute("class") == Some("title")
                {
                    let own = self.apart(shape, 0);
                    let words = cell(own)
                        .into_iter()
                        .map(|piece| match piece {
                            Inline::Break => Inline::Text(" ".to_owned()),
                            other => other,
                        })
                        .collect::<Vec<Inline>>();
                    if !words.is_empty() {
                        self.push(What::Heading(1, words));
                    }
                } else {
                    rest.push(shape);
                }
            }
            for shape in rest {
                self.shape(shape, 0);
            }
            if let Some(notes) = slide.child("notes") {
                let own = self.apart(notes, 0);
                if !own.is_empty() {
                    self.push(What::Notes(own));
                }
            }
        }
    }

    fn shape(&mut self, shape: Element<'d>, depth: usize) {
        match shape.name() {
            "g" if depth <= DEPTH_MAX => shape
                .elements()
                .for_each(|inner| self.shape(inner, depth + 1)),
            "notes" => {}
            "frame" => self.frame(shape, depth),
            _ => self.container(shape, depth + 1),
        }
    }

    fn line(&mut self, element: Element<'d>) -> Line<'d> {
        let mut line = Line {
            after_space: true,
            ..Line::default()
        };
        let style = element.attribute("style-name").unwrap_or("");
        let format = Words {
            mono: self.styles.is_mono(style),
            ..Words::default()
        };
        self.collect(element, &format, &mut line, 0);
        line
    }

    fn collect(&mut self, element: Element<'d>, format: &Words, line: &mut Line<'d>, depth: usize) {
        if depth > DEPTH_MAX {
            return;
        }
        let words = |text: String| {
            Run::Words(Words {
                text,
                ..format.clone()
            })
        };
        for content in element.content() {
            let child = match content {
                Content::Text(text) => {
                    let mut folded = String::with_capacity(text.len());
                    for character in text.chars() {
                        if !matches!(character, ' ' | '\n' | '\t' | '\r') {
                            folded.push(character);
                            line.after_space = false;
                        } else if !line.after_space {
                            folded.push(' ');
                            line.after_space = true;
                        }
                    }
                    if !folded.is_empty() {
                        line.runs.push(words(folded));
                    }
                    continue;
                }
                Content::Element(child) => child,
            };
            match child.name() {
                "s" => {
                    let count = child
                        .attribute("text:c")
                        .and_then(|count| count.parse().ok())
                        .unwrap_or(1);
                    line.runs.push(words(" ".repeat(count.min(SPACES_MAX))));
                    line.after_space = false;
                }
                "tab" => {
                    line.runs.push(words("\t".to_owned()));
                    line.after_space = false;
                }
                "line-break" => {
                    line.runs.push(Run::Break);
                    line.after_space = true;
                }
                "span" => {
                    if let Some(format) = self.span(child, format) {
                        self.collect(child, &format, line, depth + 1);
                    }
                }
                "a" => {
                    let outer = std::mem::take(&mut line.runs);
                    self.collect(child, format, line, depth + 1);
                    let inner = std::mem::replace(&mut line.runs, outer);
                    match child.attribute("xlink:href").and_then(address) {
                        Some(href) => line.runs.push(Run::Link(href, inner)),
                        None => line.runs.extend(inner),
                    }
                }
                "note" => {
                    if let Some(body) = child.child("note-body") {
                        self.notes.push(body);
                        let mark = format!("[{}]", self.notes.len());
                        line.runs.push(Run::Other(Inline::Text(mark)));
                        line.after_space = false;
                    }
                }
                "frame" => match self.formula(child) {
                    Some(formula) => line.runs.push(Run::Other(Inline::Math(formula))),
                    None => line.frames.push(child),
                },
                "custom-shape" | "text-box" | "rect" | "ellipse" => line.frames.push(child),
                "ruby" => {
                    if let Some(base) = child.child("ruby-base") {
                        self.collect(base, format, line, depth + 1);
                    }
                }
                "annotation" | "annotation-end" | "ruby-text" | "tracked-changes" | "title"
                | "desc" | "soft-page-break" => {}
                _ => self.collect(child, format, line, depth + 1),
            }
        }
    }

    /// The format inside a span; `None` when it is hidden.
    fn span(&self, span: Element<'_>, outer: &Words) -> Option<Words> {
        let id = span.attribute("style-name").unwrap_or("");
        let (bold, italic, hidden) = self.styles.format(id);
        let is_code = self.styles.is_inline_code(id);
        (!hidden).then(|| Words {
            text: String::new(),
            bold: bold.unwrap_or(outer.bold),
            italic: italic.unwrap_or(outer.italic),
            mono: outer.mono || is_code || self.styles.is_mono(id),
            is_inline_code: outer.is_inline_code || is_code && !outer.mono,
        })
    }

    fn formula(&self, frame: Element<'_>) -> Option<String> {
        let name = frame.child("object")?.attribute("xlink:href")?;
        self.formulas
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, formula)| formula.clone())
    }
}

/// Pieces as the text of a cell.
fn cell(pieces: Vec<Piece>) -> Vec<Inline> {
    cell_text(pieces.into_iter().map(|piece| {
        let is_item = piece.item.is_some_and(|item| !item.continues);
        (piece.what, is_item)
    }))
}

/// The rows of a table and whether they name the columns.
fn rows_of(table: Element<'_>) -> Vec<(Element<'_>, bool)> {
    let mut rows = Vec::new();
    for child in table.elements() {
        match child.name() {
            "table-row" => rows.push((child, false)),
            "table-header-rows" => rows.extend(child.all("table-row").map(|row| (row, true))),
            "table-rows" => rows.extend(child.all("table-row").map(|row| (row, false))),
            "table-row-group" => rows.extend(
                child
                    .inside("table-row")
                    .into_iter()
                    .map(|row| (row, false)),
            ),
            _ => {}
        }
    }
    rows
}

fn repeated(element: Element<'_>, name: &str) -> usize {
    element
        .attribute(name)
        .and_then(|count| count.parse().ok())
        .unwrap_or(1)
        .clamp(1, REPEATED_MAX)
}
