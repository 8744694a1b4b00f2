//! Reads the paragraphs, lists, tables and slides of an OpenDocument file into pieces.

mod listing;
mod slides;
mod tables;
#[cfg(test)]
mod tests;
mod words;

use crate::office::assemble::{Item, Piece, What};
use crate::office::direct::Look;
use crate::office::heads;
use crate::office::odf::body::listing::{Listing, leave_out};
use crate::office::odf::body::tables::cell;
use crate::office::odf::styles::Styles;
use crate::office::role::Role;
use crate::office::runs::{self, Run, Words};
use crate::office::stretches::{Stretch, stretches};
use crate::xml_tree::Element;
use skillkiln_document::text::{Inline, squash};

/// Containers in containers that are followed.
const DEPTH_MAX: usize = 64;

/// Reads a document's body.
pub(crate) struct Body<'d> {
    styles: &'d Styles,
    formulas: &'d [(String, String)],
    notes: Vec<Element<'d>>,
    /// How many of the notes were written, each at the end of the section that refers to it.
    noted: usize,
    /// How many tables, notes and slides are open around what is read.
    nested: usize,
    /// The lines under a heading "Contents", while they are read.
    contents: Option<Listing>,
    /// Those that were read and may be tables of contents.
    listings: Vec<Listing>,
    /// The label of the next paragraph.
    label: Option<String>,
    pieces: Vec<Piece>,
    page: Option<u32>,
    has_title: bool,
    /// The place in a list that the next paragraph has.
    item: Option<Item>,
}

impl<'d> Body<'d> {
    /// A reader of a body.
    pub(crate) fn new(styles: &'d Styles, formulas: &'d [(String, String)]) -> Self {
        Self {
            styles,
            formulas,
            notes: Vec::new(),
            noted: 0,
            nested: 0,
            contents: None,
            listings: Vec::new(),
            label: None,
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

    /// Everything that was read.
    pub(crate) fn finish(mut self) -> Vec<Piece> {
        self.item = None;
        self.leave_contents();
        self.write_notes(usize::MAX);
        leave_out(&mut self.pieces, &self.listings);
        self.pieces
    }

    /// Writes the notes that were referred to since the last time, up to the `due`-th, unless a table is open. A note may refer to
    /// another.
    fn write_notes(&mut self, due: usize) {
        if self.nested > 0 {
            return;
        }
        let item = self.item.take();
        while self.noted < due
            && let Some(note) = self.notes.get(self.noted).copied()
        {
            self.noted += 1;
            let number = self.noted;
            let own = self.apart(note, 0);
            let mut text = vec![Inline::Text(format!("[{number}] "))];
            text.extend(cell(own));
            self.push(What::Paragraph(text));
        }
        self.item = item;
    }

    /// Ends what follows a heading "Contents".
    fn leave_contents(&mut self) {
        self.listings.extend(self.contents.take());
    }

    /// Opens a section with its heading, behind the notes of the one before: as many as were referred to before the heading.
    fn open(&mut self, heading: What, due: usize) {
        self.leave_contents();
        self.write_notes(due);
        let is_contents =
            matches!(&heading, What::Heading(_, words) if heads::names_contents(words));
        if is_contents && self.nested == 0 {
            self.contents = Some(Listing::under(self.pieces.len()));
        }
        let item = self.item.take();
        self.push(heading);
        self.item = item;
    }

    /// Leaves out an index, which is drawn from the text, and the heading over it.
    fn leave_index(&mut self) {
        let is_over = |piece: &Piece| matches!(&piece.what, What::Heading(_, words) if heads::names_index(words));
        if self.pieces.last().is_some_and(is_over) {
            self.pieces.pop();
            self.contents = None;
        }
    }

    fn push(&mut self, what: What) {
        self.pieces.push(Piece {
            item: self.item,
            page: self.page,
            ..Piece::new(what)
        });
        // What follows in the same item goes on with it.
        if let Some(item) = &mut self.item {
            item.continues = true;
            item.number = None;
        }
    }

    /// The pieces in `element`, not among the others.
    fn apart(&mut self, element: Element<'d>, depth: usize) -> Vec<Piece> {
        if self.nested == 0 {
            self.leave_contents();
        }
        let before = std::mem::take(&mut self.pieces);
        let item = self.item.take();
        self.nested += 1;
        self.container(element, depth + 1);
        self.nested -= 1;
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
                "list" => self.list(child, List::default(), depth),
                "table" => self.table(child, depth),
                "frame" | "custom-shape" | "text-box" | "rect" | "ellipse" => {
                    self.frame(child, depth)
                }
                // What is drawn from the text.
                "table-of-content" | "illustration-index" | "table-index" | "object-index"
                | "alphabetical-index" => self.leave_index(),
                // What was deleted, and what only declares.
                "tracked-changes" | "sequence-decls" | "variable-decls" | "forms"
                | "annotation" | "title" | "desc" | "notes" => {}
                _ => self.container(child, depth + 1),
            }
        }
    }

    fn heading(&mut self, heading: Element<'d>) {
        let due = self.notes.len();
        let line = self.line(heading);
        let text = runs::heading(&line.runs);
        if text.is_empty() {
            return;
        }
        self.label = None;
        if heads::is_running(&text) {
            self.leave_contents();
            self.push(What::Paragraph(runs::running(&line.runs)));
        } else {
            let level = heading
                .attribute("outline-level")
                .and_then(|level| level.parse::<u8>().ok())
                .unwrap_or(1);
            let level = level.saturating_add(u8::from(self.has_title));
            self.open(What::Heading(level, text), due);
        }
        self.frames(line.frames, 0);
    }

    fn paragraph(&mut self, paragraph: Element<'d>, depth: usize) {
        let style = paragraph.attribute("style-name").unwrap_or("");
        let role = self.styles.role(style);
        let due = self.notes.len();
        let mut line = self.line(paragraph);
        let typed = runs::code(&line.runs);
        let is_blank =
            typed.trim().is_empty() && !line.runs.iter().any(|run| matches!(run, Run::Other(_)));
        self.follow_contents(&typed, is_blank);
        let place = self.pieces.len();
        if !is_blank && let Some(label) = self.label.take() {
            let text = format!("{label} ");
            line.runs.insert(
                0,
                Run::Words(Words {
                    text,
                    ..Words::default()
                }),
            );
        }
        match role {
            Role::Contents => return,
            _ if heads::is_filler(&typed) => {}
            Role::Title | Role::Heading(_) if !is_blank => {
                let words = runs::heading(&line.runs);
                let what = match role {
                    Role::Heading(level) => {
                        What::Heading(level.saturating_add(u8::from(self.has_title)), words)
                    }
                    _ => What::Title(words),
                };
                self.open(what, due);
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
            Role::Body if let Some(parts) = stretches(&line.runs) => self.parts(parts),
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
                let look = self.look(paragraph, &line.runs);
                if let Some(piece) = self.pieces.last_mut() {
                    piece.look = look;
                }
            }
        }
        if let Some(listing) = self
            .contents
            .as_mut()
            .filter(|_| heads::entry(&typed).is_some())
        {
            listing.is_written_at(place..self.pieces.len());
        }
        self.frames(line.frames, depth);
    }

    /// How a paragraph is set: by its style, or by the style of a span around all of it.
    fn look(&self, paragraph: Element<'d>, found: &[Run]) -> Look {
        let id = paragraph.attribute("style-name").unwrap_or("");
        let mut within = paragraph
            .elements()
            .filter(|child| child.name() != "soft-page-break");
        let span = match (within.next(), within.next()) {
            (Some(only), None) if only.name() == "span" && only.text() == paragraph.text() => {
                only.attribute("style-name")
            }
            _ => None,
        };
        let is_bold = self.styles.format(id).0 == Some(true);
        let all_bold = found.iter().all(|run| match run {
            Run::Words(words) => words.bold || words.text.trim().is_empty(),
            _ => false,
        });
        Look {
            size: span
                .and_then(|span| self.styles.size(span))
                .or_else(|| self.styles.size(id))
                .unwrap_or(self.styles.default_size()),
            bold: is_bold || all_bold,
            centred: self.styles.is_centred(id),
        }
    }

    /// Counts the lines of a table of contents; the first that is none ends it.
    fn follow_contents(&mut self, line: &str, is_blank: bool) {
        match &mut self.contents {
            Some(listing) if let Some((words, page)) = heads::entry(line) => {
                listing.add(words, page);
            }
            Some(_) if !is_blank => self.leave_contents(),
            _ => {}
        }
    }

    /// A paragraph of running text and of code.
    fn parts(&mut self, parts: Vec<Stretch>) {
        for part in parts {
            match part {
                Stretch::Words(found) => self.push(What::Paragraph(runs::running(&found))),
                Stretch::Code(text) => self.push(What::Code { text, joins: false }),
            }
        }
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

    fn list(&mut self, list: Element<'d>, outer: List<'d>, depth: usize) {
        if depth > DEPTH_MAX {
            self.container(list, depth);
            return;
        }
        let level = outer.level;
        let named = list.attribute("style-name").or(outer.named);
        let goes_on = outer.goes_on
            || list.attribute("continue-numbering") == Some("true")
            || list.attribute("continue-list").is_some();
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
            let number = start.map(|start| start + count);
            let label = named
                .or_else(styled)
                .and_then(|name| self.styles.label(name, level))
                .filter(|_| item.name() == "list-item" && !holds_only_lists && !goes_on);
            self.label = label.zip(number).map(|(label, number)| label.text(number));
            self.item = self.label.is_none().then_some(Item {
                level,
                number,
                continues: item.name() == "list-header",
            });
            for child in item.elements() {
                match child.name() {
                    "list" => {
                        let inner = List {
                            named,
                            level: level + 1,
                            goes_on,
                        };
                        self.list(child, inner, depth + 1);
                    }
                    "p" => self.paragraph(child, depth + 1),
                    "h" => self.heading(child),
                    "table" => self.table(child, depth + 1),
                    _ => self.container(child, depth + 1),
                }
            }
            count += u64::from(!holds_only_lists);
            self.label = None;
        }
        self.item = before;
    }
}

/// What a list takes from the one around it.
#[derive(Debug, Clone, Copy, Default)]
struct List<'d> {
    /// The name of its style.
    named: Option<&'d str>,
    /// How deep it stands, from 0.
    level: usize,
    /// Whether it goes on with the numbers of another, which are not known: its labels are none of its own.
    goes_on: bool,
}
