//! Reads the paragraphs, lists, tables and slides of an OpenDocument file into pieces.

mod tables;
mod words;

use crate::office::assemble::{Item, Piece, What};
use crate::office::grid::cell_of;
use crate::office::odf::objects::Object;
use crate::office::odf::outline::Outline;
use crate::office::odf::styles::Styles;
use crate::office::role::Role;
use crate::office::runs::{self, Run};
use crate::xml_tree::Element;
use skillkiln_document::text::{Inline, plain, squash};
use std::collections::HashMap;

/// Containers in containers that are followed.
const DEPTH_MAX: usize = 64;

/// Reads a document's body.
pub(crate) struct Body<'d> {
    styles: &'d Styles,
    objects: &'d HashMap<String, Object>,
    outline: Outline,
    notes: Vec<Element<'d>>,
    pieces: Vec<Piece>,
    page: Option<u32>,
    has_title: bool,
    /// The place in a list that the next paragraph has.
    item: Option<Item>,
}

impl<'d> Body<'d> {
    /// A reader of a body.
    pub(crate) fn new(
        styles: &'d Styles,
        objects: &'d HashMap<String, Object>,
        outline: Outline,
    ) -> Self {
        Self {
            styles,
            objects,
            outline,
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
            text.extend(cell_of(own));
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
        let mut text = runs::heading(&line.runs);
        if text.is_empty() {
            return;
        }
        let level = heading
            .attribute("outline-level")
            .and_then(|level| level.parse::<u8>().ok())
            .unwrap_or(1);
        let is_numbered = heading.attribute("is-list-header") != Some("true");
        let label = is_numbered
            .then(|| self.outline.label(usize::from(level)))
            .flatten();
        if let Some(label) = label.filter(|label| !plain(&text).starts_with(label.as_str())) {
            text.insert(0, Inline::Text(format!("{label} ")));
        }
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
        if let Some(Object::Chart(table)) = self.object(frame) {
            self.push(table.clone());
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
                    let words = cell_of(own)
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
}
