//! Reads PowerPoint presentations (.pptx): each slide under its title, with its lists, tables, code and notes, as its pages.

use crate::builder::Builder;
use crate::office::assemble::{self, Item, Piece, What};
use crate::office::docx::formula;
use crate::office::drawn;
use crate::office::grid::{Grid, cell_of};
use crate::office::opc::{self, Relationship, address};
use crate::office::runs::{self, Run, Words, is_monospaced};
use crate::package::{Package, damaged};
use crate::xml_tree::Element;
use skillkiln_document::blocks::Document;
use skillkiln_document::failure::Failure;
use skillkiln_document::text::{Inline, plain, squash};
use std::collections::HashMap;

/// Groups in groups that are followed.
const DEPTH_MAX: usize = 64;

/// Reads the presentation in `package`, whose main part is `main`.
///
/// # Errors
/// When a part is damaged or too large.
pub(crate) fn read(package: &mut Package<'_>, main: &str) -> Result<Document, Failure> {
    let presentation = package.xml(main)?.ok_or_else(damaged)?;
    let relationships = opc::relationships(package, main)?;
    let (title, about) = opc::properties(package)?;
    let slides: Vec<String> = presentation
        .root()
        .child("sldIdLst")
        .into_iter()
        .flat_map(|slides| slides.all("sldId"))
        .filter_map(|slide| relationships.get(slide.attribute("r:id")?))
        .map(|found| found.target.clone())
        .collect();
    let mut pieces: Vec<Piece> = Vec::new();
    let mut on_page = None;
    for (at, part) in slides.iter().enumerate() {
        let page = u32::try_from(at + 1).unwrap_or(u32::MAX);
        let Some(tree) = package.xml(part)? else {
            continue;
        };
        let relationships = opc::relationships(package, part)?;
        let kind = match opc::part_of_kind(package, &relationships, "slideLayout")? {
            Some(layout) => layout.root().attribute("type").unwrap_or("").to_owned(),
            None => String::new(),
        };
        let mut slide = Slide {
            relationships: &relationships,
            level: if matches!(kind.as_str(), "title" | "secHead") {
                1
            } else {
                2
            },
            title: Vec::new(),
            pieces: Vec::new(),
            drawn: drawn::parts(package, &relationships)?,
        };
        if let Some(shapes) = tree.root().at(&["cSld", "spTree"]) {
            slide.shapes(shapes, 0);
        }
        let Slide {
            title, pieces: own, ..
        } = slide;
        if at == 0 && kind == "title" {
            on_page = title.iter().find_map(|piece| match &piece.what {
                What::Heading(_, text) => Some(plain(text)),
                _ => None,
            });
        }
        let notes = notes(package, &relationships)?;
        let slide = title.into_iter().chain(own).chain(notes).map(|mut piece| {
            piece.page = Some(page);
            piece
        });
        pieces.extend(slide);
    }
    // Without sections above them, the slides' titles are the highest headings.
    let has_sections = pieces
        .iter()
        .any(|piece| matches!(piece.what, What::Heading(1, _)));
    if !has_sections {
        for piece in &mut pieces {
            if let What::Heading(level, _) = &mut piece.what {
                *level = 1;
            }
        }
    }
    let mut builder = Builder::default();
    let blocks = assemble::blocks(&mut builder, pieces);
    Ok(builder.finish(on_page.or(title), about, blocks))
}

/// What the speaker says to a slide.
fn notes(
    package: &mut Package<'_>,
    relationships: &HashMap<String, Relationship>,
) -> Result<Option<Piece>, Failure> {
    let Some(tree) = opc::part_of_kind(package, relationships, "notesSlide")? else {
        return Ok(None);
    };
    let none = HashMap::new();
    let mut notes = Slide {
        relationships: &none,
        level: 2,
        title: Vec::new(),
        pieces: Vec::new(),
        drawn: HashMap::new(),
    };
    for shape in tree.root().inside("sp") {
        if placeholder(shape).is_some_and(|(kind, _)| kind == "body")
            && let Some(text) = shape.child("txBody")
        {
            notes.paragraphs(text, false, 0);
        }
    }
    let has_words = notes.pieces.iter().any(|piece| match &piece.what {
        What::Paragraph(text) => !text.is_empty(),
        _ => true,
    });
    Ok(has_words.then(|| Piece::new(What::Notes(notes.pieces))))
}

/// A slide while it is read.
struct Slide<'r> {
    relationships: &'r HashMap<String, Relationship>,
    level: u8,
    title: Vec<Piece>,
    pieces: Vec<Piece>,
    drawn: HashMap<String, Vec<Piece>>,
}

impl Slide<'_> {
    /// Reads shapes in the order in which they are read aloud, which is how they are written.
    fn shapes(&mut self, group: Element<'_>, depth: usize) {
        if depth > DEPTH_MAX {
            return;
        }
        for shape in group.elements() {
            match shape.name() {
                "sp" => self.shape(shape),
                "grpSp" => self.shapes(shape, depth + 1),
                "graphicFrame" => self.frame(shape),
                "AlternateContent" => {
                    if let Some(choice) = shape.child("Choice").or_else(|| shape.child("Fallback"))
                    {
                        self.shapes(choice, depth + 1);
                    }
                }
                "pic" => {
                    let words = shape
                        .at(&["nvPicPr", "cNvPr"])
                        .and_then(|picture| picture.attribute("descr"))
                        .map(squash)
                        .filter(|words| words.contains(' ') || !words.contains(['.', '/', '\\']));
                    if let Some(words) = words {
                        self.pieces
                            .push(Piece::new(What::Figure(words, Vec::new())));
                    }
                }
                _ => {}
            }
        }
    }

    fn shape(&mut self, shape: Element<'_>) {
        let Some(text) = shape.child("txBody") else {
            return;
        };
        match placeholder(shape) {
            Some(("title" | "ctrTitle", _)) => {
                let words: Vec<Run> = text
                    .all("p")
                    .flat_map(|paragraph| {
                        let mut found = self.runs(paragraph);
                        found.push(Run::Break);
                        found
                    })
                    .collect();
                let words = runs::heading(&words);
                if !words.is_empty() {
                    self.title
                        .push(Piece::new(What::Heading(self.level, words)));
                }
            }
            // Furniture of every slide.
            Some(("dt" | "ftr" | "sldNum" | "hdr", _)) => {}
            Some(("subTitle", _)) => self.paragraphs(text, false, 0),
            Some((_, _)) => {
                // The body's paragraphs are items by its layout, unless there is but one.
                let count = text
                    .all("p")
                    .filter(|paragraph| !paragraph.text().trim().is_empty())
                    .count();
                self.paragraphs(text, count > 1, 0);
            }
            None => self.paragraphs(text, false, 0),
        }
    }

    fn frame(&mut self, frame: Element<'_>) {
        if let Some(table) = frame.inside("tbl").first() {
            self.table(*table);
        }
        self.pieces.extend(drawn::taken(frame, &mut self.drawn));
    }

    fn table(&mut self, table: Element<'_>) {
        let mut grid = Grid::default();
        for row in table.all("tr") {
            for cell in row.all("tc") {
                let is_covered = ["hMerge", "vMerge"]
                    .iter()
                    .any(|name| matches!(cell.attribute(name), Some("1" | "true")));
                let before = std::mem::take(&mut self.pieces);
                if let Some(text) = cell.child("txBody").filter(|_| !is_covered) {
                    self.paragraphs(text, false, 0);
                }
                let own = std::mem::replace(&mut self.pieces, before);
                grid.cell(cell_of(own), 1);
            }
            grid.end_row(false);
        }
        let first_is_head = table
            .child("tblPr")
            .and_then(|properties| properties.attribute("firstRow"))
            .is_some_and(|value| matches!(value, "1" | "true"));
        self.pieces
            .extend(grid.finish(first_is_head).map(Piece::new));
    }

    /// Reads paragraphs; `are_items` says what they are when they do not say it themselves.
    fn paragraphs(&mut self, text: Element<'_>, are_items: bool, least: usize) {
        let mut counts: Vec<u64> = Vec::new();
        let mut is_first = true;
        for paragraph in text.all("p") {
            let properties = paragraph.child("pPr");
            let level = properties
                .and_then(|properties| properties.attribute("lvl")?.parse::<usize>().ok())
                .unwrap_or(0)
                .clamp(least, 8);
            let found = self.runs(paragraph);
            if runs::code(&found).trim().is_empty() {
                continue;
            }
            let mark =
                |name: &str| properties.is_some_and(|properties| properties.child(name).is_some());
            let is_numbered = mark("buAutoNum");
            let is_bare = mark("buNone")
                || properties.is_some_and(|properties| {
                    properties.attribute("indent") == Some("0")
                        && properties.attribute("marL") == Some("0")
                });
            let is_item = is_numbered || mark("buChar") || mark("buBlip") || are_items && !is_bare;
            counts.truncate(level + usize::from(is_numbered));
            counts.resize(level + 1, 0);
            let number = is_numbered.then(|| {
                let start = properties
                    .and_then(|properties| properties.child("buAutoNum"))
                    .and_then(|mark| mark.attribute("startAt")?.parse::<u64>().ok())
                    .unwrap_or(1);
                let count = counts.get_mut(level).map_or(1, |count| {
                    *count += 1;
                    *count
                });
                start + count - 1
            });
            if runs::are_all_code(&found) && !(is_item && is_numbered) {
                let text = runs::code(&found);
                let joins = !text.contains('\n');
                self.pieces.push(Piece::new(What::Code { text, joins }));
                is_first = false;
                continue;
            }
            let formulas = match found.as_slice() {
                [Run::Other(Inline::Math(formula))] => Some(formula.clone()),
                _ => None,
            };
            let what = match formulas {
                Some(formula) => What::Math(formula),
                None => What::Paragraph(runs::running(&found)),
            };
            // Below the first paragraph, a deeper one without a mark is still an item.
            let item = (is_item || !is_first && level > 0 && !is_bare).then_some(Item {
                level,
                number,
                continues: false,
            });
            self.pieces.push(Piece {
                item,
                ..Piece::new(what)
            });
            is_first = false;
        }
    }

    fn runs(&self, paragraph: Element<'_>) -> Vec<Run> {
        let mut out = Vec::new();
        self.collect(paragraph, 0, &mut out);
        while matches!(out.last(), Some(Run::Break)) {
            out.pop();
        }
        out
    }

    fn collect(&self, element: Element<'_>, depth: usize, out: &mut Vec<Run>) {
        if depth > DEPTH_MAX {
            return;
        }
        for run in element.elements() {
            match run.name() {
                "r" | "fld" => {
                    let properties = run.child("rPr");
                    let is = |name: &str| {
                        properties
                            .and_then(|properties| properties.attribute(name))
                            .is_some_and(|value| matches!(value, "1" | "true"))
                    };
                    let strike = properties.and_then(|properties| properties.attribute("strike"));
                    // What is struck out holds no longer.
                    if strike.is_some_and(|strike| strike != "noStrike") {
                        continue;
                    }
                    let font = properties
                        .and_then(|properties| properties.child("latin"))
                        .and_then(|font| font.attribute("typeface"));
                    let words = Words {
                        text: run
                            .child("t")
                            .map(Element::text)
                            .unwrap_or_default()
                            .replace('\u{b}', "\n"),
                        bold: is("b"),
                        italic: is("i"),
                        mono: font.is_some_and(is_monospaced),
                        is_inline_code: false,
                    };
                    let href = properties
                        .and_then(|properties| properties.child("hlinkClick"))
                        .and_then(|link| self.relationships.get(link.attribute("r:id")?))
                        .filter(|found| found.is_external)
                        .and_then(|found| address(&found.target));
                    match href {
                        Some(href) => out.push(Run::Link(href, vec![Run::Words(words)])),
                        None => out.push(Run::Words(words)),
                    }
                }
                "br" => out.push(Run::Break),
                "oMath" => out.push(Run::Other(Inline::Math(formula::tex(run)))),
                "AlternateContent" => {
                    if let Some(choice) = run.child("Choice").or_else(|| run.child("Fallback")) {
                        self.collect(choice, depth + 1, out);
                    }
                }
                "pPr" | "endParaRPr" => {}
                _ => self.collect(run, depth + 1, out),
            }
        }
    }
}

/// The kind and number of the placeholder that a shape fills.
fn placeholder(shape: Element<'_>) -> Option<(&str, Option<&str>)> {
    let found = shape.at(&["nvSpPr", "nvPr", "ph"])?;
    Some((
        found.attribute("type").unwrap_or("body"),
        found.attribute("idx"),
    ))
}
