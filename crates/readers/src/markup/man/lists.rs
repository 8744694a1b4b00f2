//! Reads the lists of manual pages: terms, items and what is indented, in both families of macros.

use crate::builder::{add_term, tidy};
use crate::markup::lines::Line;
use crate::markup::man::escapes::{Font, Writer, arguments};
use crate::markup::man::macros::{with_no, words_of};
use crate::markup::man::{Level, Open, Reader, mdoc};
use skillkiln_document::blocks::{Block, BlockKind, Span};
use skillkiln_document::text::{Inline, plain, squash};

impl<'a> Reader<'a> {
    /// Ends the lists of terms and items that stand in the innermost indented stretch.
    pub(super) fn end_entries(&mut self) {
        while self.levels.last().is_some_and(|level| {
            matches!(level.open, Open::Definitions(_) | Open::Items { .. })
                && !level.is_list_of_mdoc
        }) {
            self.close();
        }
    }

    pub(super) fn close_indented(&mut self) {
        self.end_entries();
        if self
            .levels
            .last()
            .is_some_and(|level| matches!(level.open, Open::Indented))
        {
            self.close();
        }
    }

    /// A term; the entries beside it are one list.
    pub(super) fn term(&mut self, term: Vec<Inline>, start: usize) {
        // A bullet set as a term is an item.
        if let [Inline::Text(mark)] = term.as_slice()
            && mark.trim() == "•"
            && !self.in_list_of_mdoc()
        {
            self.new_item(None, start);
            return;
        }
        if !matches!(
            self.levels.last().map(|level| &level.open),
            Some(Open::Definitions(_))
        ) {
            self.end_entries();
            self.open(Open::Definitions(Vec::new()), start);
        }
        if let Some(Level {
            open: Open::Definitions(entries),
            ..
        }) = self.levels.last_mut()
        {
            add_term(entries, term);
        } else {
            let kind = BlockKind::Paragraph(vec![Inline::Strong(term)]);
            self.push(Block {
                kind,
                span: Span::of(start..start),
            });
        }
    }

    fn new_item(&mut self, number: Option<u64>, start: usize) {
        let goes_on = matches!(self.levels.last().map(|level| &level.open), Some(Open::Items { start, .. }) if start.is_some() == number.is_some());
        if !goes_on {
            self.end_entries();
            self.open(
                Open::Items {
                    start: number,
                    items: Vec::new(),
                },
                start,
            );
        }
        if let Some(Level {
            open: Open::Items { items, .. },
            ..
        }) = self.levels.last_mut()
        {
            items.push(Vec::new());
        }
    }

    /// `.IP tag`: an item, a term, or more of the one before.
    pub(super) fn indented(&mut self, after: &str, line: Line<'a>) {
        self.end_paragraph();
        self.term_next = false;
        let Some(tag) = arguments(after)
            .into_iter()
            .next()
            .filter(|tag| !tag.is_empty())
        else {
            return;
        };
        let mut writer = Writer::new(Font::Plain);
        writer.write(&tag, &self.strings);
        let term = tidy(writer.finish());
        let shown = squash(&plain(&term));
        let number = shown
            .trim_matches(['(', ')', '.', '[', ']'])
            .parse::<u64>()
            .ok();
        if matches!(shown.as_str(), "•" | "*" | "-" | "o" | "·" | "–" | "—") {
            self.new_item(None, line.start);
        } else if let Some(number) =
            number.filter(|number| *number < 1_000 && shown.ends_with(['.', ')']))
        {
            self.new_item(Some(number), line.start);
        } else if !shown.is_empty() {
            self.term(term, line.start);
            self.last_end = self.last_end.max(line.range().end);
        }
    }

    pub(super) fn in_list_of_mdoc(&self) -> bool {
        self.levels
            .last()
            .is_some_and(|level| level.is_list_of_mdoc)
    }

    pub(super) fn open_list(&mut self, after: &str, line: Line<'a>) {
        self.end_paragraph();
        let open = if after.contains("-enum") {
            Open::Items {
                start: Some(1),
                items: Vec::new(),
            }
        } else if after.contains("-column") {
            Open::Rows(Vec::new())
        } else if ["-bullet", "-dash", "-hyphen", "-item"]
            .iter()
            .any(|kind| after.contains(kind))
        {
            Open::Items {
                start: None,
                items: Vec::new(),
            }
        } else {
            Open::Definitions(Vec::new())
        };
        let before = self.levels.len();
        self.open(open, line.start);
        if self.levels.len() > before
            && let Some(level) = self.levels.last_mut()
        {
            level.is_list_of_mdoc = true;
        }
    }

    pub(super) fn item(&mut self, after: &str, line: Line<'a>) {
        self.end_paragraph();
        while self.levels.len() > 1 && !self.in_list_of_mdoc() {
            self.close();
        }
        let words = words_of(after);
        let text = |reader: &Self, words: Vec<String>| {
            tidy(mdoc::read(&with_no(words), &reader.name, &reader.strings).text)
        };
        self.last_end = self.last_end.max(line.range().end);
        match self.levels.last().map(|level| &level.open) {
            Some(Open::Rows(_)) => {
                let row = after
                    .split('\t')
                    .flat_map(|part| part.split(" Ta "))
                    .map(|cell| text(self, words_of(cell)))
                    .collect();
                if let Some(Level {
                    open: Open::Rows(rows),
                    ..
                }) = self.levels.last_mut()
                {
                    rows.push(row);
                }
            }
            Some(Open::Items { .. }) => {
                if let Some(Level {
                    open: Open::Items { items, .. },
                    ..
                }) = self.levels.last_mut()
                {
                    items.push(Vec::new());
                }
                let words = text(self, words);
                if !words.is_empty() {
                    self.text(words, line);
                }
            }
            Some(Open::Definitions(_)) => {
                let term = text(self, words);
                self.term(term, line.start);
            }
            _ => {
                let words = text(self, words);
                self.text(words, line);
            }
        }
    }

    pub(super) fn close_list(&mut self) {
        self.end_paragraph();
        while self.levels.len() > 1 {
            let is_list = self.in_list_of_mdoc();
            self.close();
            if is_list {
                break;
            }
        }
    }
}
