//! Makes blocks of lines: headings, listings, lists, paragraphs, tables, in reading order, with their pages.

use crate::builder::Builder;
use crate::line_ends::goes_on_over;
use crate::pdf::code;
use crate::pdf::flow;
use crate::pdf::heading::Heading;
use crate::pdf::labels;
use crate::pdf::line::{Line, Piece};
use crate::pdf::lists::{self, Lists};
use crate::pdf::outline::{self, Outline};
use crate::pdf::prose::{self, Vocabulary};
use crate::pdf::tables::Table;
use skillkiln_document::blocks::{Block, BlockKind, Definition};
use skillkiln_document::text::{Inline, plain, squash};
use std::collections::HashMap;
use std::sync::Arc;

/// Words that stand alone above what they class.
const ASIDES: [&str; 6] = ["note", "tip", "warning", "caution", "important", "danger"];
/// Footnotes wait over so many pages for the end of their section.
const NOTE_PAGES_MAX: u32 = 4;
/// The points of a slide stand further apart than so many times the size of their letters.
const POINT_STEP: f32 = 1.5;
/// A line of code that is too long reaches beyond the margin by so much of the column.
const OVERHANG: f32 = 0.12;
/// Lines that the definition of one function may take.
const SIGNATURE_LINES_MAX: usize = 12;

/// What the blocks are made of.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) lines: Vec<Line>,
    /// Tables by the number of the line they stand before.
    pub(crate) tables: HashMap<usize, Vec<Table>>,
    /// Headings by the number of their first line.
    pub(crate) headings: HashMap<usize, Heading>,
    /// How the outline spells them.
    pub(crate) outline: Outline,
    pub(crate) vocabulary: Vocabulary,
    /// The addresses of each page's links.
    pub(crate) links: Vec<Vec<Arc<str>>>,
    /// The size of most letters.
    pub(crate) body: f32,
    /// Whether the pages are slides.
    pub(crate) are_slides: bool,
}

/// The blocks of `parts`, written to `builder`.
pub(crate) fn blocks(parts: &Parts, builder: &mut Builder) -> Vec<Block> {
    let mut assembler = Assembler {
        pitch: pitch(&parts.lines),
        code_pitch: code::usual_pitch(&parts.lines),
        parts,
        builder,
        lists: Lists::default(),
        notes: Vec::new(),
        aside: None,
    };
    assembler.run();
    closed(assembler.lists.finish(assembler.builder))
}

/// Blocks in which a listing that only closes what the one right above it opens is the end of that.
fn closed(blocks: Vec<Block>) -> Vec<Block> {
    let closes = |text: &str| {
        text.lines()
            .all(|line| matches!(line.trim(), "}" | "}%" | "};" | ")" | ");"))
    };
    let is_open = |text: &str| text.matches(['{', '(']).count() > text.matches(['}', ')']).count();
    let mut out: Vec<Block> = Vec::with_capacity(blocks.len());
    for block in blocks {
        if let BlockKind::Code { text: end, .. } = &block.kind
            && let Some(Block {
                kind: BlockKind::Code { text, .. },
                span,
            }) = out.last_mut()
            && closes(end)
            && is_open(text)
        {
            text.push('\n');
            text.push_str(end);
            span.bytes.end = block.span.bytes.end;
            continue;
        }
        out.push(block);
    }
    out
}

struct Assembler<'a> {
    parts: &'a Parts,
    builder: &'a mut Builder,
    lists: Lists,
    /// The usual room between lines, in sizes of their letters.
    pitch: f32,
    /// The same in listings.
    code_pitch: f32,
    /// Footnotes that wait for the end of their section: a sentence goes on over them, and so does a list.
    notes: Vec<Vec<Line>>,
    /// "Note" or "Warning" stood alone: what follows is one.
    aside: Option<String>,
}

impl Assembler<'_> {
    fn run(&mut self) {
        let lines = &self.parts.lines;
        let mut at = 0;
        while at <= lines.len() {
            for table in self.parts.tables.get(&at).into_iter().flatten() {
                self.table(table);
            }
            let Some(line) = lines.get(at) else { break };
            if let Some(heading) = self.parts.headings.get(&at) {
                let end = (at + heading.lines).min(lines.len());
                self.heading(lines.get(at..end).unwrap_or_default(), heading.level);
                at = end;
            } else if self.is_note(line) {
                at = self.note(at);
            } else if let Some(class) = definition_class(line) {
                at = self.signature(at, class);
            } else if line.is_fixed() && !self.is_item(at) {
                at = self.fixed(at);
            } else {
                at = self.paragraph(at);
            }
        }
        self.flush_notes();
    }

    /// Whether something other than text begins at a line.
    fn is_border(&self, at: usize) -> bool {
        self.parts.headings.contains_key(&at) || self.parts.tables.contains_key(&at)
    }

    /// Whether a line is an item that is all code. What a program prints may have bullets too: then more of it stands below.
    fn is_item(&self, at: usize) -> bool {
        let Some(line) = self
            .parts
            .lines
            .get(at)
            .filter(|line| lists::is_bulleted(line))
        else {
            return false;
        };
        let is_more = |next: &Line| {
            next.is_fixed() && !lists::is_bulleted(next) && is_one_listing(line, next)
        };
        !self.parts.lines.get(at + 1).is_some_and(is_more)
    }

    fn heading(&mut self, lines: &[Line], level: u8) {
        let Some(first) = lines.first() else { return };
        self.builder.at_page(first.page);
        let mut text = self.heading_text(lines);
        let word = plain(&text);
        if let Some(respelled) = self.parts.outline.respelled(&word) {
            text = vec![Inline::Text(respelled)];
        }
        if ASIDES.contains(&class_of(&word).as_str()) {
            // Nothing that could be its text followed the aside before.
            self.flush_aside();
            self.aside = Some(word);
            return;
        }
        self.flush_notes();
        self.builder.at_page(first.page);
        self.lists.close(self.builder);
        let kind = BlockKind::Heading { level, text };
        self.lists.push(self.builder.leaf(kind));
    }

    /// The words of a heading, behind its label when it has no number of its own.
    fn heading_text(&self, lines: &[Line]) -> Vec<Inline> {
        let words = &self.parts.vocabulary;
        for count in 1..lines.len().min(3) {
            let (above, below) = lines.split_at(count);
            let above: Vec<String> = above.iter().map(Line::text).collect();
            let above = above.join(" ");
            if labels::is_spelled_number(&above) {
                return prose::heading(below, words);
            }
            let Some(label) = labels::label(&above) else {
                continue;
            };
            let text = plain(&prose::heading(below, words));
            let first = text.split_whitespace().next().unwrap_or("");
            // "A" may be the number of an appendix, and a word.
            let is_counted = first.contains(|c: char| c.is_ascii_digit()) || label.ends_with(first);
            let text = if is_counted && outline::is_number(first) {
                text
            } else {
                format!("{label}: {text}")
            };
            return vec![Inline::Text(text)];
        }
        prose::heading(lines, words)
    }

    /// A line of a manual that defines a function or a variable, with its class in brackets at the right end; as code, since
    /// that is what it is, whatever faces it is set in.
    fn signature(&mut self, at: usize, class: String) -> usize {
        let lines = &self.parts.lines;
        let Some(first) = lines.get(at) else {
            return at + 1;
        };
        let mut own = first.clone();
        own.pieces.pop();
        let mut taken = vec![own];
        let mut end = at + 1;
        while let (Some(last), Some(next)) = (taken.last(), lines.get(end)) {
            let is_more = next.page == last.page
                && next.column == last.column
                && next.left > first.left + 3.4 * first.size
                && last.y - next.y < 1.4 * last.size
                && !self.is_border(end)
                && definition_class(next).is_none();
            if !is_more || taken.len() >= SIGNATURE_LINES_MAX {
                break;
            }
            taken.push(next.clone());
            end += 1;
        }
        let words: Vec<String> = taken
            .iter()
            .map(|line| squash(&code::letters(line, self.parts.vocabulary.quotes)))
            .collect();
        self.flush_aside();
        self.builder.at_page(first.page);
        self.lists.enter(first.left, self.builder);
        let text = vec![
            Inline::Text(format!("{class}: ")),
            Inline::Code(words.join(" ")),
        ];
        self.lists
            .push(self.builder.leaf(BlockKind::Paragraph(text)));
        end
    }

    /// A footnote: small, at the foot of its page, beginning with its mark.
    fn is_note(&self, line: &Line) -> bool {
        line.size < 0.92 * self.parts.body
            && line.pieces.first().is_some_and(|piece| {
                let mark = piece.text.trim();
                // Some faces have figures of their own that stand high.
                mark.starts_with(['¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'])
                    || (piece.is_raised || piece.size < 0.85 * line.size)
                        && !mark.is_empty()
                        && mark.chars().count() <= 3
                        && mark
                            .chars()
                            .all(|c| c.is_ascii_digit() || matches!(c, '*' | '†' | '‡' | '§'))
            })
    }

    /// Reads a footnote aside, up to the next one or the end of its page.
    fn note(&mut self, at: usize) -> usize {
        let lines = &self.parts.lines;
        let mut end = at + 1;
        while let (Some(last), Some(next)) = (lines.get(end - 1), lines.get(end)) {
            let is_same = next.page == last.page
                && next.column == last.column
                && next.size < 0.92 * self.parts.body
                && last.y - next.y < 1.8 * last.size
                && !self.is_note(next)
                && !self.is_border(end);
            if !is_same {
                break;
            }
            end += 1;
        }
        self.notes
            .push(lines.get(at..end).unwrap_or_default().to_vec());
        end
    }

    /// Nothing that could be its text followed the word.
    fn flush_aside(&mut self) {
        if let Some(word) = self.aside.take() {
            let text = BlockKind::Paragraph(vec![Inline::Text(word)]);
            self.lists.push(self.builder.leaf(text));
        }
    }

    fn flush_notes(&mut self) {
        self.flush_aside();
        for lines in std::mem::take(&mut self.notes) {
            let text = prose::inlines(&lines, &self.parts.vocabulary, &self.parts.links);
            if let Some(first) = lines.first().filter(|_| !text.is_empty()) {
                self.builder.at_page(first.page);
                self.lists.close(self.builder);
                self.lists
                    .push(self.builder.leaf(BlockKind::Paragraph(text)));
            }
        }
    }

    /// Lines in a typewriter's face from `at` on: a listing, or part of a paragraph.
    fn fixed(&mut self, at: usize) -> usize {
        let lines = &self.parts.lines;
        let mut end = at + 1;
        let mut last = end;
        while let Some(next) = lines.get(end) {
            if self.is_border(end) || self.is_item(end) {
                break;
            }
            if self.is_note(next) {
                // A listing goes on over the notes at the foot of its page.
                end += 1;
                continue;
            }
            let Some(before) = lines.get(last - 1) else {
                break;
            };
            // A line of signs alone belongs to the listing that goes on below it.
            let is_code = next.is_fixed()
                || next.is_signs()
                    && next.page == before.page
                    && lines
                        .get(end + 1)
                        .is_some_and(|after| after.is_fixed() && is_one_listing(next, after));
            let run = lines.get(at..last).unwrap_or_default();
            if !is_code
                || !is_one_listing(before, next)
                || code::ends_with_page(run, next)
                || code::parts(run, next, lines.get(end + 1), self.code_pitch)
            {
                break;
            }
            end += 1;
            last = end;
        }
        let run: Vec<Line> = lines
            .get(at..last)
            .unwrap_or_default()
            .iter()
            .filter(|line| !self.is_note(line))
            .cloned()
            .collect();
        let before = at.checked_sub(1).and_then(|before| lines.get(before));
        let after = lines.get(last).filter(|_| !self.is_border(last));
        if !code::is_listing(&run, before, after) {
            return self.paragraph(at);
        }
        let Some(first) = run.first() else {
            return last;
        };
        self.flush_aside();
        self.builder.at_page(first.page);
        let left = run.iter().map(|line| line.left).fold(f32::MAX, f32::min);
        self.lists.enter(left, self.builder);
        let text = code::text(&run, self.parts.vocabulary.quotes);
        let block = self.builder.leaf(BlockKind::Code {
            language: None,
            text: text.trim_matches('\n').to_owned(),
        });
        self.lists.push(block);
        let aside: Vec<Line> = lines.get(at..last).unwrap_or_default().to_vec();
        let aside = aside.into_iter().filter(|line| self.is_note(line));
        let aside: Vec<Vec<Line>> = aside.map(|line| vec![line]).collect();
        self.notes.extend(aside);
        last
    }

    fn paragraph(&mut self, at: usize) -> usize {
        let lines = &self.parts.lines;
        let mut taken: Vec<Line> = lines.get(at).cloned().into_iter().collect();
        let mut end = at + 1;
        let mut held: Vec<Vec<Line>> = Vec::new();
        while let Some(next) = lines.get(end) {
            if self.is_border(end) {
                break;
            }
            if self.is_note(next) {
                let count = self.notes.len();
                end = self.note(end);
                held.extend(self.notes.drain(count..));
                continue;
            }
            if !self.goes_on(&taken, next, lines.get(end + 1)) {
                break;
            }
            taken.push(next.clone());
            end += 1;
        }
        let page = taken.first().map_or(0, |line| line.page);
        self.write_paragraph(taken);
        self.notes.extend(held);
        let first = self.notes.first().and_then(|note| note.first());
        if first.is_some_and(|note| note.page + NOTE_PAGES_MAX < page) {
            self.flush_notes();
        }
        end
    }

    fn write_paragraph(&mut self, mut lines: Vec<Line>) {
        let Some(first) = lines.first_mut() else {
            return;
        };
        self.builder.at_page(first.page);
        let left = first.left;
        match lists::take_marker(first) {
            Some(marker) => self.lists.item(left, &marker, self.builder),
            // The first line of a paragraph behind a list may be set in as its items are; the others stand at its margin.
            None => {
                let left = lines.iter().map(|line| line.left).fold(left, f32::min);
                self.lists.enter(left, self.builder);
            }
        }
        let text = prose::inlines(&lines, &self.parts.vocabulary, &self.parts.links);
        if !text.is_empty() {
            let start = self.builder.here();
            let mut block = self.builder.leaf(BlockKind::Paragraph(text));
            if let Some(word) = self.aside.take() {
                let kind = BlockKind::Admonition {
                    class: class_of(&word),
                    title: None,
                    blocks: vec![block],
                };
                block = self.builder.around(start, kind);
            }
            self.lists.push(block);
        }
    }

    /// Whether the paragraph of `lines` goes on with `next`.
    fn goes_on(&self, lines: &[Line], next: &Line, after: Option<&Line>) -> bool {
        let (Some(first), Some(last)) = (lines.first(), lines.last()) else {
            return false;
        };
        let text = last.text();
        let text = text.trim_end();
        let is_beside = lists::marker(first).is_some() && next.left <= first.left + 2.0;
        let begins =
            lists::marker(next).is_some() && (is_beside || !goes_on_over(text, &next.text()));
        let (size, next_size) = (flow::text_size(last), flow::text_size(next));
        if begins || (size - next_size).abs() > 0.08 * size.max(next_size) {
            return false;
        }
        // Each parameter begins anew, and what is returned, though the line above it is full.
        let is_level = (next.left - first.left).abs() < 2.0;
        let face = |piece: Option<&Piece>| piece.map(|piece| piece.face);
        let is_label = is_labelled(next) && face(last.pieces.last()) != face(next.pieces.first());
        if is_label && is_level && (is_labelled(first) || text.ends_with(['.', ':'])) {
            return false;
        }
        // Each term stands in a line of its own.
        if is_explained(next) && is_explained(first) && (next.left - first.left).abs() < 2.0 {
            return false;
        }
        if flow::goes_on(lines, next, self.pitch) {
            return true;
        }
        let is_ended = text.ends_with(['.', '!', '?', ':', ';'])
            || text.ends_with(".”")
            || text.ends_with(".)");
        let width = (last.bounds.1 - last.bounds.0).max(1.0);
        let slack = last.bounds.1 - last.right;
        let is_full = slack < 0.2 * width;
        let inset = next.left
            - if lines.len() > 1 {
                last.left
            } else {
                first.left
            };
        if last.page != next.page || last.column != next.column {
            return is_full && !is_ended && !next.is_fixed() && inset.abs() < 2.0 * size
                || text.ends_with('-') && is_full;
        }
        let step = last.y - next.y;
        if step <= 0.2 * size || step > 1.22 * self.pitch * size {
            return false;
        }
        if is_ended && slack > 0.12 * width || slack > 0.45 * width {
            return false;
        }
        // The points of a slide stand further apart than lines, and their marks may be drawn.
        let is_point = || next.text().trim_start().starts_with(char::is_uppercase);
        if self.parts.are_slides && step > POINT_STEP * size && is_point() {
            return false;
        }
        // A term is set apart by its face alone, where the sentence above it ends with its line.
        let is_bold = |line: &Line| line.share(|piece| piece.face.is_bold) > 0.95;
        let is_short = next.bounds.1 - next.right > 0.5 * width;
        if is_ended && is_short && is_bold(next) && !is_bold(last) {
            return false;
        }
        if lines.len() == 1 {
            let hanging = lists::content_left(first);
            if let Some(hanging) = hanging {
                // The words behind a number may go on at the margin, as those of any paragraph that is set in.
                let is_numbered = || lists::marker(first).is_some_and(|it| it.number.is_some());
                let flows_back =
                    is_full && !is_ended && (-4.0 * size..-0.5 * size).contains(&inset);
                return (next.left - hanging).abs() < 1.2 * size
                    || inset.abs() < 2.0
                    || flows_back && is_numbered();
            }
            // First lines are set in by some, and hang out by others.
            if inset < -0.5 * size {
                return inset > -4.0 * size && is_full;
            }
            if inset > 0.7 * size {
                let is_told = is_explained(first) && !is_ended && !next.is_fixed();
                if is_told && next.text().trim_start().starts_with(char::is_lowercase) {
                    return true;
                }
                // A term stands before what is set in below it; a hanging paragraph goes on there, and so do the words beside a term.
                let is_beside = first
                    .pieces
                    .iter()
                    .skip(1)
                    .any(|piece| (piece.left - next.left).abs() < 0.15 * size);
                return is_full
                    && (is_beside
                        || !next.is_fixed()
                            && after.is_none_or(|after| (after.left - next.left).abs() < 2.0));
            }
        } else if inset > 0.7 * size || inset < -0.7 * size {
            return false;
        }
        // A line of code alone right below prose is a listing only when it stands apart.
        !(next.is_fixed() && is_ended && inset > 0.5 * size)
    }

    fn definitions(&mut self, table: &Table) {
        self.builder.at_page(table.page);
        let (words, links) = (&self.parts.vocabulary, &self.parts.links);
        self.lists.enter(table.left, self.builder);
        let start = self.builder.here();
        let entered = self.builder.enter();
        let mut entries: Vec<Definition> = Vec::new();
        for row in &table.rows {
            let mut cells = row.iter().map(Vec::as_slice);
            let term = prose::inlines(cells.next().unwrap_or_default(), words, links);
            let mut blocks = Vec::new();
            if !term.is_empty() {
                self.builder.line(&term);
            }
            for paragraph in cells.flat_map(paragraphs) {
                let text = prose::inlines(paragraph, words, links);
                if !text.is_empty() {
                    blocks.push(self.builder.leaf(BlockKind::Paragraph(text)));
                }
            }
            match entries.last_mut() {
                Some(last) if term.is_empty() => last.blocks.extend(blocks),
                _ => entries.push(Definition {
                    terms: vec![term],
                    blocks,
                }),
            }
        }
        if entered {
            self.builder.leave();
        }
        self.lists
            .push(self.builder.around(start, BlockKind::Definitions(entries)));
    }

    fn table(&mut self, table: &Table) {
        self.flush_aside();
        if table.is_definitions {
            self.definitions(table);
            return;
        }
        let mut rows: Vec<Vec<Vec<Inline>>> = table
            .rows
            .iter()
            .map(|row| {
                row.iter()
                    .map(|cell| prose::inlines(cell, &self.parts.vocabulary, &self.parts.links))
                    .collect()
            })
            .collect();
        rows.retain(|row: &Vec<Vec<Inline>>| row.iter().any(|cell| !cell.is_empty()));
        let Some(width) = rows.first().map(Vec::len) else {
            return;
        };
        self.builder.at_page(table.page);
        self.lists.enter(table.left, self.builder);
        let header = if rows.len() > 1 {
            rows.remove(0)
        } else {
            vec![Vec::new(); width]
        };
        let block = self.builder.leaf(BlockKind::Table {
            header,
            rows,
            caption: None,
        });
        self.lists.push(block);
    }
}

/// The class of an aside that begins with these words: "Note:" is a note.
fn class_of(words: &str) -> String {
    words.trim_end_matches([':', ' ']).to_lowercase()
}

/// The lines of a cell, parted where there is more room between them.
fn paragraphs(lines: &[Line]) -> impl Iterator<Item = &[Line]> {
    let steps = lines.windows(2).filter_map(|pair| match pair {
        [above, below] => Some(above.y - below.y),
        _ => None,
    });
    let pitch = steps.fold(f32::MAX, f32::min);
    lines.chunk_by(move |above, below| above.y - below.y < 1.3 * pitch)
}

/// Whether a line begins with a term in a face of its own and what it means behind a colon.
fn is_explained(line: &Line) -> bool {
    let [term, told, ..] = line.pieces.as_slice() else {
        return false;
    };
    let is_set = |piece: &Piece| piece.face.is_fixed || piece.face.is_bold;
    is_set(term)
        && !is_set(told)
        && term.text.contains(char::is_alphabetic)
        && told.text.trim_start().starts_with(": ")
}

/// Whether a line begins with a name in slanted letters or a bold word, and a colon behind it: `*wood*: what it burns`.
fn is_labelled(line: &Line) -> bool {
    let [name, told, ..] = line.pieces.as_slice() else {
        return false;
    };
    let is_set = |piece: &Piece| piece.face.is_italic || piece.face.is_bold;
    let words = name.text.trim();
    let is_ended = words.ends_with(':') || told.text.trim_start().starts_with(':');
    is_set(name)
        && !is_set(told)
        && !words.contains(char::is_whitespace)
        && words.starts_with(char::is_alphabetic)
        && is_ended
}

/// The class of what a line defines: "Function" of `abs (z)          [Function]`.
fn definition_class(line: &Line) -> Option<String> {
    let last = line.pieces.last().filter(|last| last.is_apart)?;
    let class = last.text.trim().strip_prefix('[')?.strip_suffix(']')?;
    let is_class = class.starts_with(|c: char| c.is_uppercase())
        && class.chars().count() <= 40
        && class
            .chars()
            .all(|c| c.is_alphabetic() || matches!(c, ' ' | '-'))
        && line.pieces.len() > 1
        && line.bounds.1 - line.right
            < (2.0 * line.size).max(OVERHANG * (line.bounds.1 - line.bounds.0));
    is_class.then(|| class.to_owned())
}

/// Whether two typewriter lines that follow one another belong to one listing.
fn is_one_listing(before: &Line, next: &Line) -> bool {
    if before.page != next.page || before.column != next.column {
        return next.page <= before.page + 1;
    }
    let step = before.y - next.y;
    step > 0.0
        && step < 4.2 * before.size.max(next.size)
        && (before.size - next.size).abs() < 0.15 * before.size
}

/// The usual room between lines, in sizes of their letters.
fn pitch(lines: &[Line]) -> f32 {
    let mut steps: HashMap<i32, usize> = HashMap::new();
    for (above, below) in lines.iter().zip(lines.iter().skip(1)) {
        let step = (above.y - below.y) / above.size.max(1.0);
        if above.page == below.page
            && above.column == below.column
            && (above.size - below.size).abs() < 0.3
            && !above.is_fixed()
            && (0.9..2.2).contains(&step)
        {
            *steps.entry((step * 20.0).round() as i32).or_default() += 1;
        }
    }
    steps
        .into_iter()
        .max_by_key(|(step, count)| (*count, -step))
        .map_or(1.2, |(step, _)| step as f32 / 20.0)
}
