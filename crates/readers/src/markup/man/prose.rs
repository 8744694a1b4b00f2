//! Reads the running text of manual pages: titles, headings, paragraphs, fonts and links.

use crate::builder::tidy;
use crate::markup::lines::{self, Line};
use crate::markup::man::escapes::{Font, Writer, arguments};
use crate::markup::man::macros::{with_no, words_of};
use crate::markup::man::{Reader, mdoc};
use skillkiln_document::blocks::{Block, BlockKind, Span};
use skillkiln_document::text::{Inline, plain, squash};

impl<'a> Reader<'a> {
    pub(super) fn plain(&self, word: &str) -> String {
        let mut writer = Writer::new(Font::Plain);
        writer.write(word, &self.strings);
        squash(&writer.plain())
    }

    pub(super) fn titled(&mut self, name: Option<String>, section: Option<String>, line: Line<'a>) {
        let Some(name) = name.filter(|name| !name.is_empty()) else {
            return;
        };
        // Old pages shout their names.
        let name = if name.chars().any(char::is_lowercase) {
            name
        } else {
            name.to_lowercase()
        };
        let title = match section {
            Some(section) => format!("{name}({section})"),
            None => name.clone(),
        };
        self.name = name;
        if self.title.is_none() {
            let text = vec![Inline::Text(title.clone())];
            self.push(lines::block(BlockKind::Heading { level: 1, text }, &[line]));
            self.title = Some(title);
        }
    }

    pub(super) fn heading(
        &mut self,
        name: &str,
        after: &str,
        line: Line<'a>,
        rest: &[Line<'a>],
    ) -> usize {
        self.end_paragraph();
        self.end_code();
        while self.levels.len() > 1 {
            self.close();
        }
        let mut taken = 0;
        let mut words = arguments(after).join(" ");
        if words.trim().is_empty()
            && let Some(next) = rest.first()
        {
            words = match next.text.strip_prefix('.') {
                Some(control) => control
                    .split_once(' ')
                    .map_or("", |(_, words)| words)
                    .to_owned(),
                None => next.words().to_owned(),
            };
            taken = 1;
        }
        let words = if name == "Sh" || name == "Ss" {
            let said = mdoc::read(&with_no(words_of(&words)), &self.name, &self.strings);
            squash(&plain(&said.text))
        } else {
            self.plain(&words)
        };
        let level = if name.starts_with("SH") || name == "Sh" {
            2
        } else {
            3
        };
        if !words.is_empty() {
            let text = vec![Inline::Text(words)];
            self.push(lines::block(BlockKind::Heading { level, text }, &[line]));
        }
        taken
    }

    /// A line of words.
    pub(super) fn words(&mut self, line: Line<'a>) {
        if let Some(code) = &mut self.code {
            code.push(line);
            return;
        }
        if line.is_blank() {
            self.end_paragraph();
            return;
        }
        if line.text.starts_with([' ', '\t']) && !self.text.is_empty() && !self.term_next {
            self.text.push(Inline::Break);
        }
        let mut writer = Writer::new(self.font_next.take().unwrap_or_default());
        writer.write(line.words(), &self.strings);
        let joins = writer.goes_on;
        self.text(writer.finish(), line);
        self.joins = joins;
    }

    /// Words of the paragraph that is open, or the term that is awaited.
    pub(super) fn text(&mut self, pieces: Vec<Inline>, line: Line<'a>) {
        if self.code.is_some() {
            return;
        }
        let range = line.range();
        if self.term_next {
            self.term_next = false;
            self.term(tidy(pieces), range.start);
            self.last_end = self.last_end.max(range.end);
            return;
        }
        if !self.text.is_empty() && !self.joins {
            self.text.push(Inline::Text(" ".to_owned()));
        }
        self.joins = false;
        self.text.extend(pieces);
        let start = self.bytes.map_or(range.start, |(start, _)| start);
        self.bytes = Some((start, range.end));
    }

    /// `.BR word (1)`: arguments without blanks between, in fonts by turns.
    pub(super) fn fonts(&mut self, name: &str, after: &str, line: Line<'a>) {
        let font = |mark: Option<char>| match mark {
            Some('B') => Font::Bold,
            Some('I') => Font::Italic,
            Some('C') => Font::Fixed,
            _ => Font::Plain,
        };
        let words = arguments(after);
        let is_one = name.len() == 1 || name.starts_with("S") || name == "CW";
        let first = if name == "SB" {
            Font::Bold
        } else {
            font(name.chars().next())
        };
        if words.is_empty() {
            self.font_next = Some(first);
            return;
        }
        let mut writer = Writer::new(Font::Plain);
        for (at, word) in words.iter().enumerate() {
            if is_one && at > 0 {
                writer.plainly(" ");
            }
            let turn = if is_one {
                first
            } else {
                font(name.chars().nth(at % 2))
            };
            writer.font(turn);
            writer.write(word, &self.strings);
        }
        let joins = writer.goes_on;
        self.text(writer.finish(), line);
        self.joins = joins;
    }

    pub(super) fn mdoc(&mut self, name: &str, after: &str, line: Line<'a>) {
        let mut words = vec![name.to_owned()];
        words.extend(words_of(after));
        // The first name is the page's.
        if name == "Nm"
            && self.name.is_empty()
            && let Some(first) = words.get(1)
        {
            self.name.clone_from(first);
        }
        let said = mdoc::read(&words, &self.name, &self.strings);
        self.joins |= said.joins;
        let joined = said.joined;
        if !said.text.is_empty() {
            self.text(said.text, line);
        }
        self.joins = joined;
    }

    pub(super) fn end_paragraph(&mut self) {
        self.end_code();
        self.joins = false;
        self.link = None;
        let text = tidy(std::mem::take(&mut self.text));
        if let Some((start, end)) = self.bytes.take()
            && !text.is_empty()
        {
            self.push(Block {
                kind: BlockKind::Paragraph(text),
                span: Span::of(start..end),
            });
        }
    }

    pub(super) fn end_link(&mut self, after: &str, line: Line<'a>) {
        let Some((href, at)) = self.link.take() else {
            return;
        };
        let mut text = self.text.split_off(at.min(self.text.len()));
        if text.is_empty() {
            let shown = href.strip_prefix("mailto:").unwrap_or(&href).to_owned();
            text.push(Inline::Text(shown));
        }
        let is_led = text.first() == Some(&Inline::Text(" ".to_owned()));
        if is_led {
            self.text.push(Inline::Text(" ".to_owned()));
            text.remove(0);
            self.joins = true;
        }
        let mut pieces = vec![Inline::link(href, text)];
        if let Some(mark) = arguments(after).first() {
            pieces.push(Inline::Text(self.plain(mark)));
        }
        self.text(pieces, line);
    }
}
