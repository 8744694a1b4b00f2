//! Reads the lists of manual pages: terms, items and what is indented, in both families of macros.

use crate::builder::tidy;
use crate::markup::lines::Line;
use crate::markup::man::escapes::{Font, Writer, arguments};
use crate::markup::man::macros::{with_no, words_of};
use crate::markup::man::{Level, Open, Reader, mdoc};
use skillkiln_document::blocks::{Block, BlockKind, Definition, Span};
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

    /// A term; the entries beside it are one list.
    pub(super) fn term(&mut self, term: Vec<Inline>, start: usize) {
        let is_alone = std::mem::take(&mut self.alone_next);
        let was_alone = std::mem::replace(&mut self.alone, is_alone);
        // A bullet set as a term is an item.
        let shown = squash(&plain(&term));
        if shown == "•" && !self.in_list_of_mdoc() {
            self.new_item(None, start);
            return;
        }
        // So is a number that ends as those of items do; a number alone is what a program returns.
        if let Some(number) = item_number(&shown).filter(|_| !self.in_list_of_mdoc()) {
            self.new_item(Some(number), start);
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
            match entries.last_mut() {
                Some(entry) if entry.blocks.is_empty() && !is_alone && !was_alone => {
                    entry.terms.push(term);
                }
                _ => entries.push(Definition {
                    terms: vec![term],
                    blocks: Vec::new(),
                }),
            }
        } else {
            let kind = BlockKind::Paragraph(vec![Inline::Strong(term)]);
            self.push(Block {
                kind,
                span: Span::of(start..start),
            });
        }
    }

    /// Whether what stands behind a `.HP` is an option of which nothing is said: help2man sets those in this way, among the others,
    /// that a program lists without a meaning.
    pub(super) fn is_bare_option(&self, behind: &[Line<'a>]) -> bool {
        let is_option = behind.first().is_some_and(|line| {
            let words = self.plain(line.text);
            !line.text.starts_with('.') && words.starts_with('-') && !words.ends_with('.')
        });
        let is_among = matches!(
            self.levels.last().map(|level| &level.open),
            Some(Open::Definitions(_))
        );
        let next = behind.get(1).map_or("", |line| line.text);
        let ends = |name: &&str| next.starts_with(*name);
        is_option
            && (next.starts_with(".TP")
                || is_among && [".HP", ".SH", ".SS", ".PP"].iter().any(ends))
    }

    pub(super) fn new_item(&mut self, number: Option<u64>, start: usize) {
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
        if matches!(shown.as_str(), "•" | "*" | "-" | "o" | "·" | "–" | "—") {
            self.new_item(None, line.start);
        } else if let Some(number) = item_number(&shown) {
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

/// The number of an item: `3.`, `3)` or `(3)`.
fn item_number(tag: &str) -> Option<u64> {
    let number = tag.trim_matches(['(', ')', '.', '[', ']']).parse::<u64>();
    let number = number.ok().filter(|number| *number < 1_000)?;
    tag.ends_with(['.', ')']).then_some(number)
}

#[cfg(test)]
mod tests {
    use crate::markup::man::testing::below;

    fn written(body: &str) -> String {
        below("OPTIONS", body)
    }

    #[test]
    fn an_option_of_which_nothing_is_said_is_an_entry_of_its_own() {
        assert_eq!(
            written(
                ".TP\n\\fB\\-a\\fR\nAll.\n.HP\n\\fB\\-\\-debug\\fR\n.TP\n\\fB\\-d\\fR\nDry it.\n.HP\nkiln and\nits words.\n"
            ),
            "- **-a**: All.\n- **--debug**\n- **-d**: Dry it.\n\nkiln and its words.\n"
        );
        assert_eq!(
            written(
                ".TP\nMany of these are old.\n.TP\n.B oak\nHard wood.\n.TP\n.B ash\n.TP\n.B elm\nSoft wood.\n"
            ),
            "Many of these are old.\n\n- **oak**: Hard wood.\n- **ash**, **elm**: Soft wood.\n"
        );
    }

    #[test]
    fn an_option_that_hangs_over_what_it_means_is_a_term() {
        assert_eq!(
            written(
                ".HP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\n.IP\nShows help.\n.HP\n.B \\-v\n.IP\nShows more.\n.PP\nThat is all.\n"
            ),
            "- **-h, --help**: Shows help.\n- **-v**: Shows more.\n\nThat is all.\n"
        );
    }

    #[test]
    fn items_that_are_typed_with_a_star_are_a_list_and_a_note_is_none() {
        assert_eq!(
            written(
                "It is for:\n\n* heat: it is\nhot\n\n* wood: it burns\n\nThat is all.\n\n* The kiln is red.\n"
            ),
            "It is for:\n\n- heat: it is hot\n- wood: it burns\n\nThat is all.\n\n\\* The kiln is red.\n"
        );
    }

    #[test]
    fn rows_of_two_cells_that_follow_one_another_are_lines() {
        assert_eq!(
            written(
                ".PP\nkiln \\fB\\-h\\fR          show help\nkiln \\fB\\-v\\fR          say more\n.PP\nIt is   hot.\nIt is cold.\n"
            ),
            "kiln **-h** show help\\\nkiln **-v** say more\n\nIt is hot. It is cold.\n"
        );
    }
}
