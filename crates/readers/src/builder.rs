//! Owns how a document is put together for formats that are not text themselves (HTML, PDF, transcripts): blocks are
//! appended, and the text they stand in grows with them, in reading order.
//!
//! Invariant: the bytes of each span hold exactly the plain text of its block.

use skillkiln_document::blocks::{
    About, Block, BlockKind, Definition, Document, Landmark, NESTING_MAX, Span,
};
use skillkiln_document::text::{Inline, Link, letters, plain, write_plain};
use skillkiln_document::work::{BYTES_A_STEP, made, step};
use std::sync::Arc;

/// A document in the making.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    text: String,
    landmark: Option<Arc<Landmark>>,
    depth: usize,
}

impl Builder {
    /// The text so far.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    fn landmark_mut(&mut self) -> &mut Landmark {
        Arc::make_mut(self.landmark.get_or_insert_default())
    }

    /// From here on, blocks stand under this anchor.
    pub(crate) fn at_fragment(&mut self, fragment: &str) {
        self.landmark_mut().fragment =
            Some(fragment.to_owned()).filter(|fragment| !fragment.is_empty());
    }

    /// From here on, blocks stand on this page.
    pub(crate) fn at_page(&mut self, page: u32) {
        self.landmark_mut().page = Some(page);
    }

    /// From here on, blocks stand in this stretch of time.
    pub(crate) fn at_seconds(&mut self, start: f64, end: f64) {
        self.landmark_mut().seconds = Some((start, end));
    }

    /// Where the next block will start.
    pub(crate) fn here(&self) -> usize {
        self.text.len()
    }

    /// The span from `start` to what was written last, with the place that holds now.
    pub(crate) fn span_from(&self, start: usize) -> Span {
        let end = self.text.trim_end_matches('\n').len().max(start);
        let bytes = start..end.min(self.text.len());
        Span::at(bytes, self.landmark.clone())
    }

    /// Opens a container, unless it would nest too deep; then its blocks belong to the one outside.
    pub(crate) fn enter(&mut self) -> bool {
        let may = self.depth < NESTING_MAX;
        if may {
            self.depth += 1;
        }
        may
    }

    /// Closes the container that [`Builder::enter`] opened.
    pub(crate) fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// Writes running text and ends its line.
    pub(crate) fn line(&mut self, inlines: &[Inline]) {
        write_plain(inlines, &mut self.text);
        self.text.push('\n');
    }

    /// Writes a line of words.
    pub(crate) fn words(&mut self, words: &str) {
        self.text.push_str(words);
        self.text.push('\n');
    }

    /// A block without inner blocks: its text is written and its span is its bytes.
    pub(crate) fn leaf(&mut self, kind: BlockKind) -> Block {
        let start = self.here();
        match &kind {
            BlockKind::Heading { text, .. } | BlockKind::Paragraph(text) => self.line(text),
            BlockKind::Code { text, .. } | BlockKind::Math(text) => self.words(text),
            BlockKind::Table {
                header,
                rows,
                caption,
            } => {
                if let Some(caption) = caption {
                    self.line(caption);
                }
                self.row(header);
                rows.iter().for_each(|row| self.row(row));
            }
            BlockKind::Figure {
                alternative,
                caption,
                ..
            } => {
                if !alternative.is_empty() {
                    self.words(alternative);
                }
                if !caption.is_empty() {
                    self.line(caption);
                }
            }
            BlockKind::List { .. }
            | BlockKind::Quote(_)
            | BlockKind::Admonition { .. }
            | BlockKind::Definitions(_) => {}
        }
        let span = self.span_from(start);
        step(1 + span.bytes.len() / BYTES_A_STEP);
        made(size_of::<Block>() + span.bytes.len());
        Block { kind, span }
    }

    /// A block around inner blocks that were written since `start`.
    pub(crate) fn around(&self, start: usize, kind: BlockKind) -> Block {
        Block {
            kind,
            span: self.span_from(start),
        }
    }

    /// Appends the text of another document and gives its blocks, whose spans now point into this one.
    pub(crate) fn append(&mut self, document: Document) -> Vec<Block> {
        let offset = self.here();
        self.text.push_str(&document.text);
        if !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        let mut blocks = document.blocks;
        shift(&mut blocks, offset);
        blocks
    }

    /// The finished document.
    pub(crate) fn finish(
        self,
        title: Option<String>,
        about: About,
        blocks: Vec<Block>,
    ) -> Document {
        Document::of(title, about, self.text, blocks)
    }

    fn row(&mut self, cells: &[Vec<Inline>]) {
        for (column, cell) in cells.iter().enumerate() {
            if column > 0 {
                self.text.push('\t');
            }
            write_plain(cell, &mut self.text);
        }
        self.text.push('\n');
    }
}

/// Moves every span of `blocks` by `offset` bytes: for putting documents after one another.
pub(crate) fn shift(blocks: &mut [Block], offset: usize) {
    each_span(blocks, &mut |span| {
        span.bytes.start += offset;
        span.bytes.end += offset;
    });
}

/// Calls `change` for the span of every block, inner ones included.
pub fn each_span(blocks: &mut [Block], change: &mut dyn FnMut(&mut Span)) {
    each_block(blocks, &mut |block| change(&mut block.span));
}

/// Calls `change` for every block, outer ones before those inside.
pub(crate) fn each_block(blocks: &mut [Block], change: &mut dyn FnMut(&mut Block)) {
    step(blocks.len());
    for block in blocks {
        change(block);
        match &mut block.kind {
            BlockKind::List { items, .. } => {
                items.iter_mut().for_each(|item| each_block(item, change));
            }
            BlockKind::Quote(inner) | BlockKind::Admonition { blocks: inner, .. } => {
                each_block(inner, change);
            }
            BlockKind::Definitions(entries) => entries
                .iter_mut()
                .for_each(|entry| each_block(&mut entry.blocks, change)),
            BlockKind::Heading { .. }
            | BlockKind::Paragraph(_)
            | BlockKind::Code { .. }
            | BlockKind::Table { .. }
            | BlockKind::Math(_)
            | BlockKind::Figure { .. } => {}
        }
    }
}

/// Calls `change` for all running text: what is said, headed, listed in tables, defined and captioned.
pub(crate) fn each_words(blocks: &mut [Block], change: &mut dyn FnMut(&mut Vec<Inline>)) {
    each_block(blocks, &mut |block| match &mut block.kind {
        BlockKind::Heading { text, .. } | BlockKind::Paragraph(text) => change(text),
        BlockKind::Table {
            header,
            rows,
            caption,
        } => {
            let cells = header.iter_mut().chain(rows.iter_mut().flatten());
            cells.chain(caption).for_each(&mut *change);
        }
        BlockKind::Definitions(entries) => {
            let terms = entries.iter_mut().flat_map(|entry| &mut entry.terms);
            terms.for_each(&mut *change);
        }
        BlockKind::Figure { caption, .. } => change(caption),
        _ => {}
    });
}

/// Puts a block below those it follows. A list that goes on where another ended is the same list: an empty line may part its
/// items, and pages that tools write open a new one for each entry.
pub(crate) fn put_below(blocks: &mut Vec<Block>, block: Block) {
    let end = block.span.bytes.end;
    let Some(last) = blocks.last_mut() else {
        blocks.push(block);
        return;
    };
    match (&mut last.kind, block.kind) {
        (BlockKind::Definitions(entries), BlockKind::Definitions(more)) => entries.extend(more),
        (
            BlockKind::List { start, items },
            BlockKind::List {
                start: next,
                items: more,
            },
        ) if next == start.map(|first| first.saturating_add(items.len() as u64)) => {
            items.extend(more);
        }
        (_, kind) => {
            let span = block.span;
            blocks.push(Block { kind, span });
            return;
        }
    }
    last.span.bytes.end = end;
}

/// Adds a term: one more of the last entry, where nothing is said of that yet.
pub(crate) fn add_term(entries: &mut Vec<Definition>, term: Vec<Inline>) {
    match entries.last_mut() {
        Some(entry) if entry.blocks.is_empty() => entry.terms.push(term),
        _ => entries.push(Definition {
            terms: vec![term],
            blocks: Vec::new(),
        }),
    }
}

/// Joins neighbouring words, folds white space into single spaces and trims the ends: running text as it reads.
pub(crate) fn tidy(inlines: Vec<Inline>) -> Vec<Inline> {
    let mut out = Vec::with_capacity(inlines.len());
    let mut space = true;
    fold(inlines, &mut space, &mut out);
    trim_end(&mut out);
    unbracket(&mut out);
    out
}

/// Takes out the angle brackets around an address that is a link: they say that it is one.
fn unbracket(inlines: &mut Vec<Inline>) {
    let mut is_changed = false;
    for at in 1..inlines.len() {
        let Some(
            [
                Inline::Text(before),
                Inline::Link(link),
                Inline::Text(behind),
            ],
        ) = inlines.get_mut(at - 1..at + 2)
        else {
            continue;
        };
        let words = plain(&link.text);
        let is_address = link.href == words && words.contains("://")
            || link.href.strip_prefix("mailto:") == Some(words.as_str());
        if is_address && before.ends_with('<') && behind.starts_with('>') {
            before.pop();
            behind.remove(0);
            is_changed = true;
        }
    }
    if is_changed {
        inlines.retain(|inline| !matches!(inline, Inline::Text(text) if text.is_empty()));
    }
}

fn fold(inlines: Vec<Inline>, space: &mut bool, out: &mut Vec<Inline>) {
    for inline in inlines {
        step(1);
        match inline {
            Inline::Text(text) => {
                step(text.len() / BYTES_A_STEP);
                let mut folded = String::with_capacity(text.len());
                let mut rest = text.as_str();
                loop {
                    // Most of a text is words of ASCII, which stay as they are.
                    let visible = rest.bytes().take_while(u8::is_ascii_graphic).count();
                    let (word, behind) = rest.split_at(visible);
                    folded.push_str(word);
                    *space &= word.is_empty();
                    let mut behind = behind.chars();
                    let Some(character) = behind.next() else {
                        break;
                    };
                    rest = behind.as_str();
                    if character.is_whitespace() || character.is_control() {
                        if !*space {
                            folded.push(' ');
                        }
                        *space = true;
                    } else {
                        folded.push(character);
                        *space = false;
                    }
                }
                if folded.is_empty() {
                    continue;
                }
                match out.last_mut() {
                    Some(Inline::Text(last)) => last.push_str(&folded),
                    _ => out.push(Inline::Text(folded)),
                }
            }
            Inline::Emphasis(inner) => nested(inner, space, out, Inline::Emphasis),
            Inline::Strong(inner) => nested(inner, space, out, Inline::Strong),
            Inline::Link(link) => {
                let Link { href, text } = *link;
                let mut words = Vec::with_capacity(text.len());
                fold(text, space, &mut words);
                // What parts it from the words behind it is no part of a link.
                let is_parted =
                    matches!(words.last(), Some(Inline::Text(last)) if last.ends_with(' '));
                trim_end(&mut words);
                match out.last_mut() {
                    // What leads to the same place right behind a link is one with it, in whatever pieces it was set.
                    Some(Inline::Link(last)) if last.href == href => join(&mut last.text, words),
                    _ if words.is_empty() => {}
                    _ => out.push(Inline::link(href, words)),
                }
                if is_parted {
                    out.push(Inline::Text(" ".to_owned()));
                }
            }
            Inline::Break => {
                trim_end(out);
                if !out.is_empty() {
                    out.push(Inline::Break);
                }
                *space = true;
            }
            Inline::Code(_) | Inline::Math(_) => {
                *space = false;
                out.push(inline);
            }
        }
    }
}

/// Puts words behind others, as one where both are plain.
fn join(words: &mut Vec<Inline>, more: Vec<Inline>) {
    for inline in more {
        match (words.last_mut(), inline) {
            (Some(Inline::Text(last)), Inline::Text(next)) => last.push_str(&next),
            (_, inline) => words.push(inline),
        }
    }
}

fn nested(
    inner: Vec<Inline>,
    space: &mut bool,
    out: &mut Vec<Inline>,
    make: impl FnOnce(Vec<Inline>) -> Inline,
) {
    let mut folded = Vec::with_capacity(inner.len());
    fold(inner, space, &mut folded);
    if !folded.is_empty() {
        out.push(make(folded));
    }
}

/// Cuts white space, breaks and what is left empty from the end.
fn trim_end(out: &mut Vec<Inline>) {
    while let Some(last) = out.last_mut() {
        let empty = match last {
            Inline::Text(text) => {
                text.truncate(text.trim_end().len());
                text.is_empty()
            }
            Inline::Emphasis(inner) | Inline::Strong(inner) => {
                trim_end(inner);
                inner.is_empty()
            }
            Inline::Link(link) => {
                trim_end(&mut link.text);
                link.text.is_empty()
            }
            Inline::Break => true,
            Inline::Code(_) | Inline::Math(_) => false,
        };
        if !empty {
            break;
        }
        out.pop();
    }
}

/// Puts the headings of a book below its title: where the first heading is the title (`title`, when that is known) and the
/// chapters stand as high, they and all below them go down by one, so that a book has the same outline in every format.
pub(crate) fn under_title(title: Option<&str>, blocks: &mut [Block]) {
    let mut headings = blocks.iter_mut().filter_map(|block| match &mut block.kind {
        BlockKind::Heading { level, text } => Some((level, text)),
        _ => None,
    });
    let is_title = headings.next().is_some_and(|(level, text)| {
        *level == 1 && title.is_none_or(|title| letters(title) == letters(&plain(text)))
    });
    let mut rest: Vec<&mut u8> = headings.map(|(level, _)| level).collect();
    if is_title && rest.iter().any(|level| **level == 1) {
        for level in &mut rest {
            **level = level.saturating_add(1).min(6);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_is_a_link_needs_no_brackets() {
        let text = |words: &str| Inline::Text(words.to_owned());
        let link = |href: &str, words: &str| Inline::link(href.to_owned(), vec![text(words)]);
        let kiln = link("https://kiln.example", "https://kiln.example");
        let shown = tidy(vec![
            text("See <"),
            kiln.clone(),
            text("> and <"),
            link("mailto:a@b.c", "a@b.c"),
            text(">"),
        ]);
        assert_eq!(plain(&shown), "See https://kiln.example and a@b.c");
        let shown = tidy(vec![text("Heat <"), link("heat", "T"), text("> is one.")]);
        assert_eq!(plain(&shown), "Heat <T> is one.");
        let shown = tidy(vec![text("("), kiln, text(") is one.")]);
        assert_eq!(plain(&shown), "(https://kiln.example) is one.");
    }

    #[test]
    fn a_span_holds_the_text_of_its_block() {
        let mut builder = Builder::default();
        let first = builder.leaf(BlockKind::Paragraph(vec![Inline::Text("one".into())]));
        let start = builder.here();
        let inner = builder.leaf(BlockKind::Code {
            language: None,
            text: "a\nb".into(),
        });
        let quote = builder.around(start, BlockKind::Quote(vec![inner]));
        let document = builder.finish(None, About::default(), vec![first, quote]);
        let evidence: Vec<&str> = document
            .blocks
            .iter()
            .map(|block| document.evidence(&block.span))
            .collect();
        assert_eq!(evidence, ["one", "a\nb"]);
    }

    #[test]
    fn the_space_behind_the_words_of_a_link_stands_behind_the_link() {
        let link = |words: &str| Inline::link("u".into(), vec![Inline::Text(words.into())]);
        assert_eq!(
            tidy(vec![link("a "), Inline::Text(" – b ".into()), link("c ")]),
            [link("a"), Inline::Text(" – b ".into()), link("c")]
        );
    }

    #[test]
    fn a_link_that_is_set_in_pieces_is_one() {
        let link =
            |href: &str, words: &str| Inline::link(href.into(), vec![Inline::Text(words.into())]);
        assert_eq!(
            tidy(vec![
                link("u", "kiln"),
                link("u", "."),
                link("u", "example"),
                link("v", "/"),
                Inline::Text(" and ".into()),
                link("u", "it"),
            ]),
            [
                link("u", "kiln.example"),
                link("v", "/"),
                Inline::Text(" and ".into()),
                link("u", "it"),
            ]
        );
    }

    #[test]
    fn white_space_folds_across_pieces() {
        let tidied = tidy(vec![
            Inline::Text(" a\n ".into()),
            Inline::Strong(vec![Inline::Text("  b ".into())]),
            Inline::Text(" c ".into()),
            Inline::Break,
        ]);
        assert_eq!(
            tidied,
            [
                Inline::Text("a ".into()),
                Inline::Strong(vec![Inline::Text("b ".into())]),
                Inline::Text("c".into())
            ]
        );
    }
}
