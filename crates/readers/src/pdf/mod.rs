//! Reads PDF: what a page shows, put together again as the text it was before it was printed.
//!
//! ```text
//! file ──▶ content: glyphs, rules ──▶ lines: words, columns ──▶ furniture, tables taken out
//!                                       headings (outline) · code · lists · prose ──▶ assemble ──▶ blocks
//! ```
//!
//! Runs only in a child process (the isolation of the service): what a stranger's PDF breaks is the child.

pub mod about;
pub mod accents;
pub mod aligned;
pub mod assemble;
#[cfg(test)]
mod assemble_tests;
pub mod bidi;
pub mod boxes;
pub mod bylines;
pub mod code;
pub mod content;
pub mod contents;
pub mod faces;
pub mod flow;
pub mod folios;
pub mod forms;
pub mod furniture;
pub mod glyph;
pub mod gutter;
pub mod heading;
pub mod headings;
pub mod labels;
pub mod line;
pub mod lines;
pub mod lists;
pub mod mend;
pub mod outline;
pub mod prose;
pub mod rows;
pub mod samples;
pub mod slides;
pub mod statements;
pub mod tables;
#[cfg(test)]
mod testing;

use crate::builder::{Builder, under_title};
use crate::limits::Reading;
use crate::pdf::about::Catalogue;
use crate::pdf::assemble::Parts;
use crate::pdf::faces::Faces;
use crate::pdf::forms::Forms;
use crate::pdf::glyph::Rule;
use crate::pdf::line::Line;
use crate::pdf::outline::Outline;
use crate::pdf::prose::Vocabulary;
use crate::pdf::tables::Table;
use skillkiln_document::blocks::{Block, BlockKind, Document};
use skillkiln_document::failure::{Failure, Reason};
use skillkiln_document::text::{Inline, word_count};
use std::collections::HashMap;
use std::sync::Arc;
use unpdf::parser::backend::{PageId, PdfBackend, RawBackend};
use unpdf::parser::raw::RawDocument;

/// The longest file that is looked into a second time.
const SECOND_LOOK_BYTES_MAX: usize = 16 << 20;

/// Reads the PDF `bytes`.
///
/// # Errors
/// A locked, scanned, damaged or empty file, each with what to do about it.
pub(crate) fn read(bytes: &[u8], limits: &Reading) -> Result<Document, Failure> {
    let bytes = from_header(bytes);
    let loaded = RawBackend::load_bytes(bytes);
    if let Err(error @ (unpdf::Error::Encrypted | unpdf::Error::InvalidPassword)) = &loaded {
        return Err(failure(error));
    }
    let whole = loaded
        .as_ref()
        .ok()
        .filter(|backend| !backend.pages().is_empty());
    let mended = if whole.is_none() {
        mend::mended(bytes)
    } else {
        None
    };
    let bytes = mended.as_ref().map_or(bytes, |(bytes, _)| bytes);
    let backend = match &mended {
        Some(_) => RawBackend::load_bytes(bytes),
        None => loaded,
    };
    let backend = backend.map_err(|error| failure(&error))?;
    // What the library's own reading leaves out is looked up in the file itself.
    let (catalogue, forms) = aside_from_pages(bytes);
    let pages = backend.pages();
    if pages.is_empty() {
        return Err(damaged());
    }
    let read = Pages::read(&backend, &pages, &forms, limits.pdf_pages_max);
    let mut notes = read.notes(pages.len());
    if let Some((_, found)) = &mended {
        notes.insert(
            0,
            format!(
                "This file is damaged or cut off; {found} of its pages were found, and others may be missing. Download or export it again to have them all."
            ),
        );
    }
    let is_scanned = read.scanned.len() * 2 >= read.count;
    let mut builder = Builder::default();
    let parts = read.parts(Outline::of(&backend));
    let mut blocks = assemble::blocks(&parts, &mut builder);
    if word_count(builder.text()) == 0 {
        return Err(Failure::new(
            Reason::Unreadable,
            if is_scanned {
                "this PDF holds pictures of pages, not text; run text recognition (OCR) over it and send the result"
            } else {
                "there is no text in this PDF, or it was cut short; if words can be seen when it is opened, save it anew from there, else send one that holds words"
            },
        ));
    }
    for note in notes {
        blocks.push(aside(&note, &mut builder));
    }
    let metadata = backend.metadata();
    let title = about::title(&metadata);
    if title.is_some() {
        under_title(title.as_deref(), &mut blocks);
    }
    let title = title.or_else(|| crate::markup::lines::first_title(&blocks));
    Ok(builder.finish(title, about::of(&metadata, &catalogue), blocks))
}

/// What the catalogue says, and what was filled into a form; of a file that is very large, neither.
fn aside_from_pages(bytes: &[u8]) -> (Catalogue, Forms) {
    if bytes.len() > SECOND_LOOK_BYTES_MAX {
        return Default::default();
    }
    RawDocument::load(bytes).map_or_else(
        |_| Default::default(),
        |document| (Catalogue::of(&document), Forms::of(&document)),
    )
}

/// The file from its header on: what a server or a mail program put before it shifts every place it names.
fn from_header(bytes: &[u8]) -> &[u8] {
    let head = bytes.get(..bytes.len().min(1_024)).unwrap_or(bytes);
    let start = head.windows(5).position(|window| window == b"%PDF-");
    bytes.get(start.unwrap_or(0)..).unwrap_or(bytes)
}

/// What the reader itself has to say of the file.
fn aside(note: &str, builder: &mut Builder) -> Block {
    let start = builder.here();
    let text = builder.leaf(BlockKind::Paragraph(vec![Inline::Text(note.to_owned())]));
    builder.around(
        start,
        BlockKind::Admonition {
            class: "note".to_owned(),
            title: None,
            blocks: vec![text],
        },
    )
}

fn failure(error: &unpdf::Error) -> Failure {
    match error {
        unpdf::Error::Encrypted | unpdf::Error::InvalidPassword => Failure::new(
            Reason::Unreadable,
            "this PDF is locked with a password; save a copy without one and send that",
        ),
        _ => damaged(),
    }
}

fn damaged() -> Failure {
    Failure::new(
        Reason::Unreadable,
        "this PDF is damaged or cut off; download or export it again and send the new file",
    )
}

/// What was read of all pages.
#[derive(Debug, Default)]
struct Pages {
    lines: Vec<Vec<Line>>,
    rules: Vec<Vec<Rule>>,
    links: Vec<Vec<Arc<str>>>,
    /// Pages that are pictures without text.
    scanned: Vec<u32>,
    /// Pages of which a part could not be read.
    partial: Vec<u32>,
    count: usize,
}

impl Pages {
    fn read(
        backend: &RawBackend,
        pages: &std::collections::BTreeMap<u32, PageId>,
        forms: &Forms,
        pages_max: u32,
    ) -> Self {
        let mut read = Self::default();
        let mut faces = Faces::default();
        let wanted = usize::try_from(pages_max).unwrap_or(usize::MAX);
        for (number, page) in pages.iter().take(wanted) {
            let mut shown = content::read(backend, *page, &mut faces);
            forms.write(*page, &mut shown);
            let lines = lines::of(&shown, &faces, *number);
            let letters: usize = shown
                .glyphs
                .iter()
                .filter(|glyph| glyph.character.is_alphanumeric())
                .count();
            if letters < 20 && shown.pictured > 0.5 {
                read.scanned.push(*number);
            }
            if shown.is_partial || shown.undecoded > 20 + letters {
                read.partial.push(*number);
            }
            read.lines.push(lines);
            read.rules.push(shown.rules);
            read.links.push(shown.links);
            read.count += 1;
        }
        read
    }

    /// What was left out, in words for the reader of the document.
    fn notes(&self, all: usize) -> Vec<String> {
        let mut notes = Vec::new();
        if all > self.count {
            notes.push(format!(
                "Only the first {} of {all} pages were read; send the rest as a file of its own.",
                self.count
            ));
        }
        if !self.scanned.is_empty() {
            notes.push(format!(
                "{} without text and could not be read; run text recognition (OCR) over the file to have them too.",
                named(&self.scanned, "a picture", "pictures")
            ));
        }
        if !self.partial.is_empty() {
            notes.push(format!(
                "{}; a part of the text is missing.",
                named(&self.partial, "damaged", "damaged")
            ));
        }
        notes
    }

    fn parts(mut self, outline: Outline) -> Parts {
        // What stands at the top of a slide is its title, or a name in a drawing.
        let are_slides = slides::are_wide(&self.lines);
        // A number in the gutter at the edge of a page looks like that of the page.
        gutter::strip(&mut self.lines);
        furniture::remove_running(&mut self.lines);
        furniture::remove_index(&mut self.lines);
        let mut tables: HashMap<usize, Vec<Table>> = HashMap::new();
        let mut before = 0;
        let mut are_contents = false;
        for (page, rules) in self.lines.iter_mut().zip(&self.rules) {
            are_contents = furniture::remove_contents(page, are_contents);
            contents::remove_headed(page);
            let mut found = tables::take(page, rules);
            aligned::take(page, &mut found);
            for (at, table) in found {
                tables.entry(before + at).or_default().push(table);
            }
            before += page.len();
        }
        align(&mut self.lines);
        let mut lines: Vec<Line> = self.lines.into_iter().flatten().collect();
        // Which quotes are meant is told by code in a face of its own.
        let vocabulary = Vocabulary::of(&lines);
        let body = headings::body_size(&lines);
        statements::settle(&mut lines, body);
        let mut headings = headings::find(&lines, &outline);
        if are_slides && outline.is_empty() {
            slides::keep_titles(&lines, &mut headings);
        }
        Parts {
            headings,
            outline,
            vocabulary,
            body,
            are_slides,
            links: self.links,
            lines,
            tables,
        }
    }
}

/// Pages by their numbers and what they are: "Page 3 is a picture", "Pages 1 to 4 and 7 are pictures".
fn named(pages: &[u32], one: &str, many: &str) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for page in pages {
        match ranges.last_mut() {
            Some((_, end)) if *end + 1 == *page => *end = *page,
            _ => ranges.push((*page, *page)),
        }
    }
    let shown = 8;
    let mut words: Vec<String> = Vec::new();
    for (start, end) in ranges.iter().take(shown) {
        match end - start {
            0 => words.push(start.to_string()),
            1 => words.extend([start.to_string(), end.to_string()]),
            _ => words.push(format!("{start} to {end}")),
        }
    }
    if ranges.len() > shown {
        words.push(format!("others ({} in all)", pages.len()));
    }
    let last = words.pop().unwrap_or_default();
    let list = if words.is_empty() {
        last
    } else {
        format!("{} and {last}", words.join(", "))
    };
    match pages.len() {
        1 => format!("Page {list} is {one}"),
        _ => format!("Pages {list} are {many}"),
    }
}

/// Moves left and right pages over one another, where their margins differ.
fn align(pages: &mut [Vec<Line>]) {
    let mut usual: [HashMap<i32, usize>; 2] = [HashMap::new(), HashMap::new()];
    for line in pages.iter().flatten() {
        if let Some(side) = usual.get_mut((line.page % 2) as usize) {
            *side.entry(line.left.round() as i32).or_default() += 1;
        }
    }
    let most = |side: &HashMap<i32, usize>| {
        let most = side.iter().max_by_key(|(left, count)| (**count, -**left));
        most.map(|(left, _)| *left)
    };
    let [Some(even), Some(odd)] = usual.each_ref().map(most) else {
        return;
    };
    let shift = odd - even;
    if shift == 0 || shift.abs() > 80 || !fits(&usual, shift) {
        return;
    }
    let shift = shift as f32;
    for line in pages.iter_mut().flatten().filter(|line| line.page % 2 == 0) {
        line.left += shift;
        line.right += shift;
        line.bounds = (line.bounds.0 + shift, line.bounds.1 + shift);
        for piece in &mut line.pieces {
            piece.left += shift;
            piece.right += shift;
        }
    }
}

/// Whether more lines of both sides begin at one place when those of the first are moved: where one side has more of what is set in,
/// the most usual places alone differ although the margins do not.
fn fits([even, odd]: &[HashMap<i32, usize>; 2], shift: i32) -> bool {
    let beside = |shift: i32| -> usize {
        let both = even.iter().filter_map(|(left, count)| {
            let other = odd.get(&left.saturating_add(shift))?;
            Some(*count.min(other))
        });
        both.sum()
    };
    beside(shift) > beside(0)
}

#[cfg(test)]
mod tests {
    #[test]
    fn pages_are_named_in_ranges() {
        let named = |pages: &[u32]| super::named(pages, "a map", "maps");
        assert_eq!(named(&[3]), "Page 3 is a map");
        assert_eq!(named(&[2, 3]), "Pages 2 and 3 are maps");
        assert_eq!(named(&[1, 2, 3, 7]), "Pages 1 to 3 and 7 are maps");
        let odd: Vec<u32> = (0..20).map(|number| number * 2 + 1).collect();
        assert!(
            named(&odd).ends_with("15 and others (20 in all) are maps"),
            "{}",
            named(&odd)
        );
    }

    #[test]
    fn pages_with_the_same_margins_are_not_moved_where_one_side_is_set_in_more() {
        let side = |places: &[(i32, usize)]| places.iter().copied().collect();
        let same = [side(&[(72, 30), (90, 20)]), side(&[(72, 20), (90, 30)])];
        assert!(!super::fits(&same, 18));
        let other = [side(&[(72, 30), (90, 20)]), side(&[(100, 30), (118, 20)])];
        assert!(super::fits(&other, 28));
    }
}
