//! Reads Excel workbooks (.xlsx): each sheet as a section with its tables.
//!
//! Cells are read one after the other and only where something stands, so that a sheet merged to its last cell costs nothing.

use crate::office::number_format::{NumberFormat, number};
use crate::office::opc;
use crate::office::sheet::{Book, Sheet};
use crate::package::{Package, damaged};
use crate::xml_tree::{Element, Tree, predefined};
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use skillkiln_document::blocks::Document;
use skillkiln_document::failure::Failure;
use skillkiln_document::text::squash;
use std::collections::HashMap;

/// Reads the workbook in `package`, whose main part is `main`.
///
/// # Errors
/// When a part is damaged or too large.
pub(crate) fn read(package: &mut Package<'_>, main: &str) -> Result<Document, Failure> {
    let workbook = package.xml(main)?.ok_or_else(damaged)?;
    let relationships = opc::relationships(package, main)?;
    let shared = opc::part_of_kind(package, &relationships, "sharedStrings")?;
    let styles = opc::part_of_kind(package, &relationships, "styles")?;
    let (title, about) = opc::properties(package)?;
    let root = workbook.root();
    let context = Context {
        words: shared.as_ref().map(shared_words).unwrap_or_default(),
        formats: styles.as_ref().map(formats).unwrap_or_default(),
        from_1904: root
            .child("workbookPr")
            .and_then(|properties| properties.attribute("date1904"))
            .is_some_and(|value| matches!(value, "1" | "true")),
    };
    let mut book = Book::new(title, about);
    for sheet in root
        .at(&["sheets"])
        .into_iter()
        .flat_map(|sheets| sheets.all("sheet"))
    {
        let name = sheet.attribute("name").unwrap_or("");
        let target = sheet
            .attribute("r:id")
            .and_then(|id| relationships.get(id))
            .filter(|found| found.kind == "worksheet");
        let Some(target) = target else {
            continue;
        };
        let Some(bytes) = package.part(&target.target)? else {
            continue;
        };
        let is_hidden = sheet
            .attribute("state")
            .is_some_and(|state| state != "visible");
        let mut read = book.sheet(name, is_hidden);
        context.rows(&bytes, &mut read).ok_or_else(damaged)?;
        book.add(read);
    }
    Ok(book.finish())
}

/// What the cells of every sheet refer to.
struct Context {
    words: Vec<String>,
    formats: Vec<NumberFormat>,
    from_1904: bool,
}

/// A cell while it is read.
#[derive(Default)]
struct Cell {
    column: usize,
    kind: String,
    style: usize,
    value: String,
    formula: String,
}

impl Context {
    /// Reads the cells of a sheet in their order; `None` when it is no XML.
    fn rows(&self, bytes: &[u8], sheet: &mut Sheet) -> Option<()> {
        let text = crate::decode::decode(bytes, None);
        let mut reader = Reader::from_str(&text);
        reader.config_mut().check_end_names = false;
        reader.config_mut().allow_dangling_amp = true;
        reader.config_mut().allow_unmatched_ends = true;
        let mut cell = Cell::default();
        let mut next_row = 0;
        let mut next_column = 0;
        // Which part of a cell the text stands in.
        let mut inside = Inside::Nothing;
        loop {
            match reader.read_event().ok()? {
                Event::Start(start) => match start.local_name().into_inner() {
                    "row" => {
                        let row = value(&start, "r").and_then(|row| row.parse::<usize>().ok());
                        next_row = row.map_or(next_row, |row| row.saturating_sub(1));
                        next_column = 0;
                    }
                    "c" => {
                        cell = Cell {
                            column: value(&start, "r")
                                .and_then(|at| column_of(&at))
                                .unwrap_or(next_column),
                            kind: value(&start, "t").unwrap_or_default(),
                            style: value(&start, "s")
                                .and_then(|style| style.parse().ok())
                                .unwrap_or(0),
                            ..Cell::default()
                        };
                    }
                    "v" | "t" => inside = Inside::Value,
                    "f" => inside = Inside::Formula,
                    "rPh" => inside = Inside::Reading,
                    _ => {}
                },
                Event::End(end) => match end.local_name().into_inner() {
                    "c" => {
                        let says = self.says(&cell);
                        sheet.cell(next_row, cell.column, says);
                        next_column = cell.column + 1;
                        cell = Cell::default();
                    }
                    "row" => next_row += 1,
                    "v" | "t" | "f" if inside != Inside::Reading => inside = Inside::Nothing,
                    "rPh" => inside = Inside::Nothing,
                    "sheetData" => return Some(()),
                    _ => {}
                },
                Event::Text(text) => cell.add(inside, &text.xml10_content()),
                Event::CData(text) => cell.add(inside, &text),
                Event::GeneralRef(name) => match name.resolve_char_ref().ok().flatten() {
                    Some(character) => cell.add(inside, character.encode_utf8(&mut [0; 4])),
                    None => cell.add(inside, predefined(&name)),
                },
                Event::Eof => return Some(()),
                _ => {}
            }
        }
    }

    /// What a cell shows.
    fn says(&self, cell: &Cell) -> String {
        let value = cell.value.trim();
        match cell.kind.as_str() {
            "s" => value
                .parse::<usize>()
                .ok()
                .and_then(|at| self.words.get(at))
                .cloned()
                .unwrap_or_default(),
            "inlineStr" | "str" => squash(&cell.value),
            "b" => match value {
                "1" => "TRUE".to_owned(),
                "0" => "FALSE".to_owned(),
                other => other.to_owned(),
            },
            "d" => value.trim_end_matches("T00:00:00").to_owned(),
            "e" => value.to_owned(),
            // A formula that nobody has worked out yet says itself; of a link, its title.
            _ if value.is_empty() && !cell.formula.is_empty() => title_of_link(&cell.formula)
                .map_or_else(|| format!("={}", squash(&cell.formula)), squash),
            _ => match (value.parse::<f64>(), self.formats.get(cell.style)) {
                (Ok(found), Some(format)) => format.shown(found, self.from_1904),
                (Ok(found), None) => number(found),
                (Err(_), _) => squash(value),
            },
        }
    }
}

/// The words of `HYPERLINK("address","title")`, whose address serves where there are none.
fn title_of_link(formula: &str) -> Option<&str> {
    let inner = formula.trim().strip_prefix("HYPERLINK(\"")?;
    let words = inner.strip_suffix("\")")?;
    let (address, title) = words.split_once("\",\"").unwrap_or((words, words));
    (!address.contains('"') && !title.contains('"')).then_some(title)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inside {
    Nothing,
    Value,
    Formula,
    Reading,
}

impl Cell {
    fn add(&mut self, inside: Inside, text: &str) {
        match inside {
            Inside::Value => self.value.push_str(text),
            Inside::Formula => self.formula.push_str(text),
            Inside::Nothing | Inside::Reading => {}
        }
    }
}

fn value(start: &BytesStart<'_>, name: &str) -> Option<String> {
    let attribute = start
        .attributes()
        .with_checks(false)
        .flatten()
        .find(|attribute| attribute.key.0 == name)?;
    let value = attribute.normalized_value(XmlVersion::Implicit1_0).ok()?;
    Some(value.into_owned())
}

/// The column, from 0, of a cell's name such as `AB12`.
pub(crate) fn column_of(name: &str) -> Option<usize> {
    let mut column = 0usize;
    for letter in name.bytes().take_while(u8::is_ascii_alphabetic).take(4) {
        column = column * 26 + usize::from(letter.to_ascii_uppercase() - b'A') + 1;
    }
    column.checked_sub(1).filter(|column| *column < 16_384)
}

/// The words that cells share, without the readings that stand over Japanese ones.
fn shared_words(tree: &Tree) -> Vec<String> {
    fn write(element: Element<'_>, out: &mut String) {
        for child in element.elements() {
            match child.name() {
                "t" => out.push_str(&child.text()),
                "r" => write(child, out),
                _ => {}
            }
        }
    }
    tree.root()
        .all("si")
        .map(|entry| {
            let mut words = String::new();
            write(entry, &mut words);
            squash(&words)
        })
        .collect()
}

/// The number formats of the cell styles, in the order cells refer to them.
fn formats(tree: &Tree) -> Vec<NumberFormat> {
    let root = tree.root();
    let own: HashMap<&str, &str> = root
        .at(&["numFmts"])
        .into_iter()
        .flat_map(|formats| formats.all("numFmt"))
        .filter_map(|format| {
            Some((
                format.attribute("numFmtId")?,
                format.attribute("formatCode")?,
            ))
        })
        .collect();
    root.at(&["cellXfs"])
        .into_iter()
        .flat_map(|styles| styles.all("xf"))
        .map(|style| {
            let id = style.attribute("numFmtId").unwrap_or("0");
            NumberFormat::of(own.get(id).copied().unwrap_or_else(|| built_in(id)))
        })
        .collect()
}

/// The formats that every program knows by number.
fn built_in(id: &str) -> &'static str {
    match id.parse::<u32>().unwrap_or(0) {
        1 => "0",
        2 => "0.00",
        3 | 41 | 42 => "#,##0",
        4 | 43 | 44 => "#,##0.00",
        // Which currency it is, depends on the machine.
        5 | 6 | 37 | 38 => "#,##0;(#,##0)",
        7 | 8 | 39 | 40 => "#,##0.00;(#,##0.00)",
        9 => "0%",
        10 => "0.00%",
        14..=17 | 27..=31 | 36 | 50..=58 => "yyyy-mm-dd",
        18..=21 | 32..=35 | 45..=47 => "hh:mm:ss",
        22 => "yyyy-mm-dd hh:mm",
        _ => "General",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_that_is_a_formula_shows_its_title() {
        for (formula, title) in [
            ("HYPERLINK(\"https://a.b\",\"Oil\")", Some("Oil")),
            ("HYPERLINK(\"https://a.b\")", Some("https://a.b")),
            ("HYPERLINK(\"a\"&A1,\"b\")", None),
            ("SUM(A1)", None),
        ] {
            assert_eq!(title_of_link(formula), title);
        }
    }

    #[test]
    fn columns_are_told_by_their_letters() {
        assert_eq!(column_of("A1"), Some(0));
        assert_eq!(column_of("AB12"), Some(27));
        assert_eq!(column_of("XFD1048576"), Some(16_383));
        assert_eq!(column_of("ZZZZ1"), None);
        assert_eq!(column_of("12"), None);
    }
}
