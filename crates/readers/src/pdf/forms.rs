//! Reads what somebody filled into a PDF: the values of its form's fields and text that is typed over a page, as letters where they
//! are shown. The page itself does not hold them.

use crate::pdf::content::{Shown, turned};
use crate::pdf::glyph::Glyph;
use skillkiln_document::text::squash;
use std::collections::HashMap;
use unpdf::parser::raw::tokenizer::dict_get;
use unpdf::parser::raw::{PdfDict, PdfObject, RawDocument};

/// Fields of a file that are read.
const FIELDS_MAX: usize = 20_000;
/// The longest value that is read, in characters.
const VALUE_CHARS_MAX: usize = 20_000;
/// Fields within fields.
const DEPTH_MAX: usize = 16;
/// Letters of a value are so wide at most, in their sizes.
const LETTER_WIDE: f32 = 0.5;
/// Room between a label and its value, in the size of their letters.
const ROOM: f32 = 0.3;
/// The largest letters of a value on a page without any others, in points.
const LARGEST: f32 = 12.0;

/// Bits of a field's and an annotation's flags.
const PASSWORD: i64 = 1 << 13;
const PUSH_BUTTON: i64 = 1 << 16;
const HIDDEN: i64 = (1 << 1) | (1 << 5);

/// What was filled in at one place.
#[derive(Debug)]
struct Filled {
    /// Lower left and upper right corner.
    corners: [(f32, f32); 2],
    text: String,
}

/// What was filled into the pages of a file, by their ids.
#[derive(Debug, Default)]
pub(crate) struct Forms(HashMap<(u32, u16), Vec<Filled>>);

impl Forms {
    /// What was filled into `document`.
    pub(crate) fn of(document: &RawDocument) -> Self {
        let mut pages: HashMap<(u32, u16), Vec<Filled>> = HashMap::new();
        let mut count = 0;
        for page in document.pages().into_values() {
            let annotations = document
                .get_dict(page)
                .ok()
                .and_then(|page| document.resolve(dict_get(page, b"Annots")?).as_array());
            for annotation in annotations.unwrap_or_default() {
                let found = document.resolve(annotation).as_dict();
                let Some(found) = found.and_then(|annotation| filled(document, annotation)) else {
                    continue;
                };
                pages.entry(page).or_default().push(found);
                count += 1;
                if count >= FIELDS_MAX {
                    return Self(pages);
                }
            }
        }
        Self(pages)
    }

    /// Writes what was filled into `page` among the letters that it shows.
    pub(crate) fn write(&self, page: (u32, u16), shown: &mut Shown) {
        let Some(fields) = self.0.get(&page) else {
            return;
        };
        let turned = |turn: u8| {
            shown
                .glyphs
                .iter()
                .filter(|glyph| glyph.turn == turn)
                .count()
        };
        // The way up is the one that most of the page is written in.
        let turn = (0..4).rev().max_by_key(|turn| turned(*turn)).unwrap_or(0);
        let labels = shown.glyphs.clone();
        let mut sizes: Vec<f32> = labels.iter().map(|glyph| glyph.size).collect();
        sizes.sort_by(f32::total_cmp);
        let usual = sizes.get(sizes.len() / 2).copied().unwrap_or(LARGEST);
        for filled in fields {
            filled.write(turn, usual, &labels, &mut shown.glyphs);
        }
    }
}

impl Filled {
    fn write(&self, turn: u8, usual: f32, labels: &[Glyph], out: &mut Vec<Glyph>) {
        let [(x0, y0), (x1, y1)] = self.corners.map(|corner| turned(corner, turn));
        let (left, right) = (x0.min(x1), x0.max(x1));
        let (bottom, top) = (y0.min(y1), y0.max(y1));
        // A box of several lines has its label beside the first of them.
        let first = bottom.max(top - 2.0 * usual) - 2.0;
        let beside = labels.iter().filter(|glyph| {
            let is_on_line = (first..top).contains(&glyph.y) && glyph.turn == turn;
            is_on_line && !glyph.hidden && !glyph.character.is_whitespace()
        });
        let distance = |glyph: &Glyph| (left - glyph.right).max(glyph.left - right).max(0.0);
        let label = beside.min_by(|a, b| distance(a).total_cmp(&distance(b)));
        let size = label.map_or(usual, |label| label.size);
        let mut y = label.map_or((bottom + 0.3 * size).max(top - 1.2 * size), |label| label.y);
        // A value belongs to the label that announces it, however far its field stands.
        let announced = label.filter(|label| label.character == ':' && label.right <= left + size);
        let left = announced.map_or(left, |label| label.right + ROOM * size);
        for line in self.text.lines() {
            let letters = line.chars().count().max(1) as f32;
            let wide = ((right - left) / letters).clamp(0.05, LETTER_WIDE * size);
            for (at, character) in line.chars().enumerate() {
                let start = left + at as f32 * wide;
                out.push(Glyph {
                    character,
                    left: start,
                    right: start + wide,
                    y,
                    size,
                    face: 0,
                    link: 0,
                    turn,
                    hidden: false,
                });
            }
            y -= 1.2 * size;
        }
    }
}

/// What an annotation shows as filled in; nothing where it is hidden, empty or of another kind.
fn filled(document: &RawDocument, annotation: &PdfDict) -> Option<Filled> {
    let own = |name: &[u8]| dict_get(annotation, name).map(|found| document.resolve(found));
    let flags = own(b"F").and_then(PdfObject::as_i64).unwrap_or(0);
    if flags & HIDDEN != 0 {
        return None;
    }
    let text = match own(b"Subtype")?.as_name()? {
        b"Widget" => value(document, annotation)?,
        b"FreeText" => words(own(b"Contents")?)?,
        _ => return None,
    };
    let lines = text.split(['\r', '\n']).map(squash);
    let lines: Vec<String> = lines.filter(|line| !line.is_empty()).collect();
    let numbers = own(b"Rect")?.as_array()?.iter();
    let numbers: Vec<f32> = numbers
        .filter_map(|number| document.resolve(number).as_f32())
        .collect();
    let [x0, y0, x1, y1] = numbers.as_slice() else {
        return None;
    };
    (!lines.is_empty()).then(|| Filled {
        corners: [(*x0, *y0), (*x1, *y1)],
        text: lines.join("\n"),
    })
}

/// The value of a field: what was typed or chosen, or whether its box is checked.
fn value(document: &RawDocument, widget: &PdfDict) -> Option<String> {
    let kind = inherited(document, widget, b"FT")?.as_name()?;
    let flags = inherited(document, widget, b"Ff")
        .and_then(PdfObject::as_i64)
        .unwrap_or(0);
    let value = || inherited(document, widget, b"V");
    match kind {
        b"Tx" if flags & PASSWORD == 0 => words(value()?),
        b"Ch" => {
            let value = value()?;
            let chosen = value
                .as_array()
                .unwrap_or(std::slice::from_ref(value))
                .iter();
            let chosen = chosen.filter_map(|one| {
                let one = words(document.resolve(one))?;
                Some(option(document, widget, &one).unwrap_or(one))
            });
            Some(chosen.collect::<Vec<String>>().join(", "))
        }
        b"Btn" if flags & PUSH_BUTTON == 0 => {
            let state = dict_get(widget, b"AS")
                .map(|state| document.resolve(state))
                .or_else(value);
            let is_off = state
                .and_then(PdfObject::as_name)
                .is_none_or(|state| state == b"Off");
            Some(if is_off { "☐" } else { "☑" }.to_owned())
        }
        _ => None,
    }
}

/// What the list of a field shows for the value that it is stored as.
fn option(document: &RawDocument, widget: &PdfDict, stored: &str) -> Option<String> {
    inherited(document, widget, b"Opt")?
        .as_array()?
        .iter()
        .find_map(|option| match document.resolve(option).as_array()? {
            [value, shown] if words(document.resolve(value))? == stored => {
                words(document.resolve(shown))
            }
            _ => None,
        })
}

/// An entry of a field, its own or that of the field which it belongs to.
fn inherited<'d>(
    document: &'d RawDocument,
    field: &'d PdfDict,
    name: &[u8],
) -> Option<&'d PdfObject> {
    let mut field = field;
    for _ in 0..DEPTH_MAX {
        if let Some(found) = dict_get(field, name) {
            return Some(document.resolve(found));
        }
        field = document.resolve(dict_get(field, b"Parent")?).as_dict()?;
    }
    None
}

/// A text, by its mark of Unicode or in the file's own character set, whose letters are those of Windows but for a few signs.
fn words(value: &PdfObject) -> Option<String> {
    let bytes = value.as_str_bytes()?;
    let text = match bytes {
        [0xfe, 0xff, rest @ ..] => encoding_rs::UTF_16BE.decode_without_bom_handling(rest).0,
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest),
        _ => {
            encoding_rs::WINDOWS_1252
                .decode_without_bom_handling(bytes)
                .0
        }
    };
    Some(text.chars().take(VALUE_CHARS_MAX).collect())
}
