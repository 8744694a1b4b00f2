//! Reads the paragraphs of a Word document into pieces: their runs, fields, notes and pictures.

mod drawings;
mod words;

use crate::office::assemble::{Item, Piece, What};
use crate::office::docx::body::drawings::{Extras, chosen, is_contents};
use crate::office::docx::formula;
use crate::office::docx::numbering::{Mark, Numbering};
use crate::office::docx::styles::{self, Styles};
use crate::office::grid::cell_of;
use crate::office::opc::Relationship;
use crate::office::role::Role;
use crate::office::runs::{self, Run};
use crate::xml_tree::Element;
use skillkiln_document::text::{Inline, plain, squash};
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
    /// Charts and diagrams that no drawing has shown yet.
    drawn: HashMap<String, Vec<Piece>>,
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

impl<'d> Body<'d> {
    /// A reader of a body.
    pub(crate) fn new(
        styles: &'d Styles,
        numbering: Numbering,
        relationships: &'d HashMap<String, Relationship>,
        drawn: HashMap<String, Vec<Piece>>,
        notes: HashMap<(&'static str, String), Element<'d>>,
    ) -> Self {
        Self {
            styles,
            numbering,
            relationships,
            drawn,
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
            text.extend(cell_of(own));
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
                "tbl" => self.table(child, depth),
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
        self.pieces.extend(extras.drawn);
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
                let mut words = runs::heading(found);
                if heading.is_some() {
                    self.number(properties, style, &mut words);
                }
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

    /// Puts the number that a heading is shown with before its words.
    fn number(
        &mut self,
        properties: Option<Element<'d>>,
        style: Option<&str>,
        words: &mut Vec<Inline>,
    ) {
        let (list, level) = self.place(properties, style);
        let label = list
            .filter(|list| *list != 0)
            .and_then(|list| self.numbering.label(list, level.unwrap_or(0)));
        if let Some(label) = label.filter(|label| !plain(words).starts_with(label.as_str())) {
            words.insert(0, Inline::Text(format!("{label} ")));
        }
    }

    /// The list and the level that a paragraph is put into, by itself or by its style.
    fn place(
        &self,
        properties: Option<Element<'d>>,
        style: Option<&str>,
    ) -> (Option<u32>, Option<usize>) {
        let own = properties.and_then(styles::numbering_of);
        let styled = style.and_then(|id| self.styles.numbering(id));
        let (list, level) = own.unwrap_or_default();
        let (styled_list, styled_level) = styled.unwrap_or_default();
        (list.or(styled_list), level.or(styled_level))
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
        let (list, told) = self.place(properties, style);
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
