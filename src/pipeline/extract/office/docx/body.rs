//! Reads the paragraphs of a Word document into pieces: their runs, fields, notes and pictures.

use crate::domain::text::{Inline, squash};
use crate::pipeline::extract::office::assemble::{Item, Piece, What};
use crate::pipeline::extract::office::docx::formula;
use crate::pipeline::extract::office::docx::numbering::{Mark, Numbering};
use crate::pipeline::extract::office::docx::styles::{self, Styles};
use crate::pipeline::extract::office::docx::table;
use crate::pipeline::extract::office::opc::{Relationship, address};
use crate::pipeline::extract::office::role::Role;
use crate::pipeline::extract::office::runs::{self, Run, Words};
use crate::pipeline::extract::xml_tree::{Content, Element};
use std::collections::{HashMap, HashSet};

/// Containers in containers that are followed.
const DEPTH_MAX: usize = 64;
/// The longest paragraph that an outline level alone makes a heading.
const HEADING_CHARS_MAX: usize = 200;

/// Reads a document's body.
pub(crate) struct Body<'d> {
    styles: &'d Styles,
    numbering: Numbering,
    relationships: &'d HashMap<String, Relationship>,
    notes: HashMap<(&'static str, String), Element<'d>>,
    /// The notes that were referred to, in order.
    referred: Vec<Element<'d>>,
    pub(super) pieces: Vec<Piece>,
    /// Styles whose paragraphs hold whole blocks of code, by their line breaks.
    whole_blocks: HashSet<String>,
    has_title: bool,
    /// Words of a paragraph whose end was deleted: they go on in the next.
    carried: Vec<Run>,
    fields: Vec<Field>,
}

/// A field that has begun.
struct Field {
    instruction: String,
    /// Where its result began in the runs of the paragraph; `None` before it has.
    result_at: Option<usize>,
}

/// What a paragraph holds besides words.
#[derive(Default)]
struct Extras<'d> {
    boxes: Vec<Element<'d>>,
    pictures: Vec<String>,
    formulas: Vec<String>,
}

impl<'d> Body<'d> {
    /// A reader of a body.
    pub(crate) fn new(
        styles: &'d Styles,
        numbering: Numbering,
        relationships: &'d HashMap<String, Relationship>,
        notes: HashMap<(&'static str, String), Element<'d>>,
    ) -> Self {
        Self {
            styles,
            numbering,
            relationships,
            notes,
            referred: Vec::new(),
            pieces: Vec::new(),
            whole_blocks: HashSet::new(),
            has_title: false,
            carried: Vec::new(),
            fields: Vec::new(),
        }
    }

    /// Looks through the whole body for what decides about single paragraphs.
    pub(crate) fn learn(&mut self, body: Element<'d>) {
        for paragraph in body.inside("p") {
            let Some(id) = style_of(paragraph) else {
                continue;
            };
            match self.styles.role(id) {
                Role::Title => self.has_title |= !paragraph.text().trim().is_empty(),
                Role::Code
                    if !self.whole_blocks.contains(id) && !paragraph.inside("br").is_empty() =>
                {
                    self.whole_blocks.insert(id.to_owned());
                }
                _ => {}
            }
        }
    }

    /// Everything that was read, with the notes that were referred to at the end.
    pub(crate) fn finish(mut self) -> Vec<Piece> {
        let mut at = 0;
        // A note may refer to another.
        while let Some(note) = self.referred.get(at).copied() {
            at += 1;
            let before = std::mem::take(&mut self.pieces);
            self.container(note, 0);
            let own = std::mem::replace(&mut self.pieces, before);
            let mut text = vec![Inline::Text(format!("[{at}] "))];
            text.extend(table::cell(own));
            self.pieces.push(Piece::new(What::Paragraph(text)));
        }
        self.pieces
    }

    /// Reads what stands in `element`: paragraphs, tables, and what is wrapped around them.
    pub(crate) fn container(&mut self, element: Element<'d>, depth: usize) {
        if depth > DEPTH_MAX {
            let words = squash(&element.text());
            self.pieces
                .push(Piece::new(What::Paragraph(vec![Inline::Text(words)])));
            return;
        }
        for child in element.elements() {
            match child.name() {
                "p" => self.paragraph(child, depth),
                "tbl" => table::read(self, child, depth),
                "del" | "moveFrom" | "sectPr" | "tblPr" | "trPr" | "tcPr" => {}
                "sdt" if is_contents(child) => {}
                "AlternateContent" => {
                    if let Some(choice) = chosen(child) {
                        self.container(choice, depth + 1);
                    }
                }
                "oMathPara" => {
                    let formula = formula::tex(child);
                    self.pieces.push(Piece::new(What::Math(formula)));
                }
                _ => self.container(child, depth + 1),
            }
        }
    }

    fn paragraph(&mut self, paragraph: Element<'d>, depth: usize) {
        let properties = paragraph.child("pPr");
        let style = style_of(paragraph);
        let role = style.map_or(Role::Body, |id| self.styles.role(id));
        if role == Role::Contents {
            return;
        }
        let is_mono = style.is_some_and(|id| self.styles.is_mono(id));
        for field in &mut self.fields {
            field.result_at = field.result_at.map(|_| 0);
        }
        let mut found = std::mem::take(&mut self.carried);
        let mut extras = Extras::default();
        self.collect(paragraph, is_mono, &mut found, &mut extras, 0);
        let mark = properties.and_then(|properties| properties.child("rPr"));
        if mark.is_some_and(|mark| mark.child("del").is_some()) {
            self.carried = found;
            return;
        }
        let item = self.item(properties, style, role);
        self.piece(properties, style, role, item, &found, &extras, mark);
        for formula in &extras.formulas {
            self.push(What::Math(formula.clone()), item.map(continued));
        }
        for picture in extras.pictures {
            self.push(What::Figure(picture, Vec::new()), item.map(continued));
        }
        for text_box in extras.boxes {
            self.container(text_box, depth + 1);
        }
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "one paragraph's facts, gathered by its only caller"
    )]
    fn piece(
        &mut self,
        properties: Option<Element<'d>>,
        style: Option<&str>,
        role: Role,
        item: Option<Item>,
        found: &[Run],
        extras: &Extras<'d>,
        mark: Option<Element<'d>>,
    ) {
        let all_code = runs::are_all_code(found);
        let is_blank = runs::code(found).trim().is_empty();
        let outline = properties
            .and_then(styles::outline_of)
            .filter(|level| *level <= 8);
        let heading = match role {
            Role::Heading(level) => Some(level),
            Role::Body | Role::Item(..) => outline
                .map(|level| level + 1)
                .filter(|_| runs::code(found).chars().count() <= HEADING_CHARS_MAX),
            _ => None,
        };
        if role == Role::Title || heading.is_some() {
            if !is_blank {
                let words = runs::heading(found);
                let what = match heading {
                    // The title stands above every section.
                    Some(level) => {
                        What::Heading(level.saturating_add(u8::from(self.has_title)), words)
                    }
                    None => What::Title(words),
                };
                self.push(what, None);
            }
            return;
        }
        let marked_mono = mark.and_then(styles::mono_of) == Some(true);
        let is_code = role == Role::Code
            || (all_code && item.is_none_or(|item| item.continues))
            || (is_blank && marked_mono && self.ends_in_code());
        if is_code && extras.formulas.is_empty() {
            let whole = style.is_some_and(|id| self.whole_blocks.contains(id));
            let text = runs::code(found);
            let joins = !whole && (role == Role::Code || !text.contains('\n'));
            self.push(What::Code { text, joins }, item);
            return;
        }
        let text = runs::running(found);
        if text.is_empty() && extras.formulas.is_empty() {
            // An item whose words are elsewhere still counts; an empty paragraph ends nothing.
            return;
        }
        let what = match role {
            Role::Quote => What::Quote(text),
            Role::Caption => What::Caption(text),
            Role::Term => What::Term(text),
            Role::Meaning => What::Meaning(text),
            _ => What::Paragraph(text),
        };
        self.push(what, item);
    }

    fn ends_in_code(&self) -> bool {
        self.pieces
            .last()
            .is_some_and(|piece| matches!(piece.what, What::Code { joins: true, .. }))
    }

    fn push(&mut self, what: What, item: Option<Item>) {
        self.pieces.push(Piece {
            what,
            item,
            page: None,
        });
    }

    /// The paragraph's place in a list.
    fn item(
        &mut self,
        properties: Option<Element<'d>>,
        style: Option<&str>,
        role: Role,
    ) -> Option<Item> {
        if matches!(role, Role::Heading(_) | Role::Title | Role::Caption) {
            return None;
        }
        let own = properties.and_then(styles::numbering_of);
        let styled = style.and_then(|id| self.styles.numbering(id));
        let list = own
            .and_then(|(list, _)| list)
            .or_else(|| styled.and_then(|(list, _)| list));
        let told = own
            .and_then(|(_, level)| level)
            .or_else(|| styled.and_then(|(_, level)| level));
        if list == Some(0) {
            return None;
        }
        let (level, ordered) = match role {
            Role::Item(level, ordered) => (told.unwrap_or(0).max(level), ordered),
            Role::Continued(level) => {
                return Some(Item {
                    level: told.unwrap_or(level),
                    number: None,
                    continues: true,
                });
            }
            _ => (told.unwrap_or(0), false),
        };
        let mark = match list {
            Some(list) => self.numbering.next(list, told.unwrap_or(0)),
            None if matches!(role, Role::Item(..)) => match ordered {
                true => Mark::Number(1),
                false => Mark::Bullet,
            },
            None => return None,
        };
        Some(Item {
            level,
            number: match mark {
                Mark::Number(number) => Some(number),
                Mark::Bullet | Mark::Nothing => None,
            },
            continues: mark == Mark::Nothing,
        })
    }

    /// Gathers the runs in `element`.
    fn collect(
        &mut self,
        element: Element<'d>,
        is_mono: bool,
        out: &mut Vec<Run>,
        extras: &mut Extras<'d>,
        depth: usize,
    ) {
        if depth > DEPTH_MAX {
            return;
        }
        for child in element.elements() {
            match child.name() {
                "r" => self.run(child, is_mono, out, extras, depth),
                "pPr" | "del" | "moveFrom" | "rPr" | "sdtPr" | "sdtEndPr" | "proofErr" => {}
                "hyperlink" => {
                    let mut inner = Vec::new();
                    self.collect(child, is_mono, &mut inner, extras, depth + 1);
                    let href = child
                        .attribute("r:id")
                        .and_then(|id| self.relationships.get(id))
                        .filter(|found| found.is_external)
                        .and_then(|found| address(&found.target));
                    link(href, inner, out);
                }
                "fldSimple" => {
                    let mut inner = Vec::new();
                    self.collect(child, is_mono, &mut inner, extras, depth + 1);
                    let href = child.attribute("instr").and_then(field_address);
                    link(href, inner, out);
                }
                "oMath" => out.push(Run::Other(Inline::Math(formula::tex(child)))),
                "oMathPara" => extras.formulas.push(formula::tex(child)),
                "AlternateContent" => {
                    if let Some(choice) = chosen(child) {
                        self.collect(choice, is_mono, out, extras, depth + 1);
                    }
                }
                _ => self.collect(child, is_mono, out, extras, depth + 1),
            }
        }
    }

    fn run(
        &mut self,
        run: Element<'d>,
        is_mono: bool,
        out: &mut Vec<Run>,
        extras: &mut Extras<'d>,
        depth: usize,
    ) {
        let format = self.format(run.child("rPr"), is_mono);
        let Some(format) = format else {
            return;
        };
        self.run_content(run, &format, out, extras, depth);
    }

    fn run_content(
        &mut self,
        run: Element<'d>,
        format: &Words,
        out: &mut Vec<Run>,
        extras: &mut Extras<'d>,
        depth: usize,
    ) {
        if depth > DEPTH_MAX {
            return;
        }
        let is_instruction = self
            .fields
            .last()
            .is_some_and(|field| field.result_at.is_none());
        let words = |text: &str, out: &mut Vec<Run>| {
            out.push(Run::Words(Words {
                text: text.to_owned(),
                ..format.clone()
            }));
        };
        for child in run.elements() {
            match child.name() {
                "fldChar" => self.field(child, out),
                "instrText" => {
                    if let Some(field) = self.fields.last_mut() {
                        field.instruction.push_str(&child.text());
                    }
                }
                _ if is_instruction => {}
                "t" => {
                    let text = child.text();
                    let keeps = child.attribute("space") == Some("preserve");
                    words(if keeps { &text } else { text.trim() }, out);
                }
                "tab" | "ptab" => words("\t", out),
                "br" if child
                    .attribute("type")
                    .is_none_or(|kind| kind == "textWrapping") =>
                {
                    out.push(Run::Break);
                }
                "cr" => out.push(Run::Break),
                "noBreakHyphen" => words("-", out),
                "sym" => {
                    if let Some(character) = symbol(child) {
                        words(&character.to_string(), out);
                    }
                }
                "footnoteReference" => self.note("footnote", child, out),
                "endnoteReference" => self.note("endnote", child, out),
                "ruby" => {
                    if let Some(base) = child.child("rubyBase") {
                        self.collect(base, format.mono, out, extras, depth + 1);
                    }
                }
                "drawing" | "pict" | "object" => drawing(child, extras),
                "AlternateContent" => {
                    if let Some(choice) = chosen(child) {
                        self.run_content(choice, format, out, extras, depth + 1);
                    }
                }
                _ => {}
            }
        }
    }

    /// The format of a run; `None` when it is hidden.
    fn format(&self, properties: Option<Element<'d>>, is_mono: bool) -> Option<Words> {
        let mut words = Words {
            mono: is_mono,
            ..Words::default()
        };
        let Some(properties) = properties else {
            return Some(words);
        };
        let style = properties
            .child("rStyle")
            .and_then(|style| style.attribute("val"));
        let mut hidden = false;
        if let Some(id) = style {
            (words.bold, words.italic, hidden) = self.styles.format(id);
            if self.styles.is_inline_code(id) {
                words.mono = true;
                words.is_inline_code = !is_mono;
            }
        }
        if let Some(mono) = styles::mono_of(properties) {
            words.mono = mono || words.is_inline_code;
        }
        words.bold = styles::switch(properties, "b").unwrap_or(words.bold);
        words.italic = styles::switch(properties, "i").unwrap_or(words.italic);
        hidden = styles::switch(properties, "vanish").unwrap_or(hidden);
        (!hidden).then_some(words)
    }

    fn field(&mut self, mark: Element<'d>, out: &mut Vec<Run>) {
        match mark.attribute("fldCharType") {
            Some("begin") if self.fields.len() < DEPTH_MAX => self.fields.push(Field {
                instruction: String::new(),
                result_at: None,
            }),
            Some("separate") => {
                if let Some(field) = self.fields.last_mut() {
                    field.result_at = Some(out.len());
                }
            }
            Some("end") => {
                let Some(field) = self.fields.pop() else {
                    return;
                };
                let at = field.result_at.unwrap_or(out.len()).min(out.len());
                if let Some(href) = field_address(&field.instruction) {
                    let inner = out.split_off(at);
                    link(Some(href), inner, out);
                }
            }
            _ => {}
        }
    }

    fn note(&mut self, kind: &'static str, reference: Element<'d>, out: &mut Vec<Run>) {
        let note = reference
            .attribute("id")
            .and_then(|id| self.notes.remove(&(kind, id.to_owned())));
        if let Some(note) = note {
            self.referred.push(note);
            let number = self.referred.len();
            out.push(Run::Other(Inline::Text(format!("[{number}]"))));
        }
    }
}

fn continued(item: Item) -> Item {
    Item {
        continues: true,
        ..item
    }
}

fn style_of(paragraph: Element<'_>) -> Option<&str> {
    paragraph.at(&["pPr", "pStyle"])?.attribute("val")
}

fn link(href: Option<String>, inner: Vec<Run>, out: &mut Vec<Run>) {
    match href {
        Some(href) => out.push(Run::Link(href, inner)),
        None => out.extend(inner),
    }
}

/// The address in a field's instruction, when it is a link.
fn field_address(instruction: &str) -> Option<String> {
    let rest = instruction.trim().strip_prefix("HYPERLINK")?.trim_start();
    let target = match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => rest.split_whitespace().next(),
    }?;
    address(target)
}

/// The branch of an alternative that is read: the one for today's programs, which holds the text boxes as text.
fn chosen(alternative: Element<'_>) -> Option<Element<'_>> {
    alternative
        .child("Choice")
        .or_else(|| alternative.child("Fallback"))
}

/// Whether a frame holds a table of contents.
fn is_contents(frame: Element<'_>) -> bool {
    frame
        .at(&["sdtPr", "docPartObj", "docPartGallery"])
        .and_then(|gallery| gallery.attribute("val"))
        .is_some_and(|gallery| gallery == "Table of Contents")
}

/// A symbol of a font of symbols, where it has a letter of its own.
fn symbol(element: Element<'_>) -> Option<char> {
    let code = u32::from_str_radix(element.attribute("char")?, 16).ok()?;
    match code {
        0xf0b7 | 0xf0a7 => Some('•'),
        0xf0e0 | 0xf0e8 => Some('→'),
        0xf0fc => Some('✓'),
        0xe000..=0xf8ff => char::from_u32(code & 0xff).filter(char::is_ascii_graphic),
        code => char::from_u32(code),
    }
}

/// The text boxes in a drawing, and the words that stand in for its pictures.
fn drawing<'d>(element: Element<'d>, extras: &mut Extras<'d>) {
    let boxes: Vec<Element<'d>> = text_boxes(element);
    if boxes.is_empty() {
        let words = element
            .inside("docPr")
            .into_iter()
            .chain(element.inside("shape"))
            .find_map(|picture| {
                let words = squash(picture.attribute("descr").or(picture.attribute("alt"))?);
                // Programs put the picture's file there.
                let is_file = !words.contains(' ') && words.contains(['/', '\\', '.']);
                (!words.is_empty() && !is_file).then_some(words)
            });
        // Without words it still may have a caption.
        extras.pictures.push(words.unwrap_or_default());
    }
    extras.boxes.extend(boxes);
}

/// The outermost text boxes in `element`: what stands in one is read with it.
fn text_boxes(element: Element<'_>) -> Vec<Element<'_>> {
    let mut found = Vec::new();
    let mut waiting = vec![element];
    while let Some(element) = waiting.pop() {
        let at = waiting.len();
        for content in element.content() {
            match content {
                Content::Element(inner) if inner.name() == "txbxContent" => found.push(inner),
                Content::Element(inner) if inner.name() == "AlternateContent" => {
                    waiting.extend(chosen(inner));
                }
                Content::Element(inner) => waiting.push(inner),
                Content::Text(_) => {}
            }
        }
        if let Some(added) = waiting.get_mut(at..) {
            added.reverse();
        }
    }
    found
}
