//! Reads the running text of manual pages: titles, headings, paragraphs, fonts and links.

use crate::builder::tidy;
use crate::gnu_quotes;
use crate::markup::lines::{self, Line};
use crate::markup::man::escapes::{Font, Writer, arguments};
use crate::markup::man::macros::{with_no, words_of};
use crate::markup::man::{Reader, mdoc};
use skillkiln_document::blocks::{Block, BlockKind, Span};
use skillkiln_document::text::{Inline, letters, plain, squash};

/// How the pages of several languages head what tells the forms of a command.
const SYNOPSES: [&str; 6] = [
    "SYNOPSIS",
    "SINOPSE",
    "SINOPSIS",
    "SINTASSI",
    "SKŁADNIA",
    "ÜBERSICHT",
];

/// A line of so many words, without a stressed one among them, is too long for a term.
const SENTENCE_WORDS: usize = 8;

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
        self.font_next = None;
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
        self.in_synopsis = level == 2 && SYNOPSES.contains(&words.to_uppercase().as_str());
        if !words.is_empty() {
            let text = vec![Inline::Text(words)];
            self.push(lines::block(BlockKind::Heading { level, text }, &[line]));
        }
        taken
    }

    /// Whether the line behind a `.TP` begins another form of the command in a synopsis, and no term: it begins with its name.
    pub(super) fn is_form(&self, behind: &[Line<'a>]) -> bool {
        // A sentence below it says what that form does.
        let is_told = behind
            .get(1)
            .is_some_and(|line| !line.text.starts_with(['.', '[', '-', '\\']));
        let next = behind.first().filter(|_| !is_told);
        let Some(next) = next.filter(|_| self.in_synopsis && !self.name.is_empty()) else {
            return false;
        };
        let words = match next.text.strip_prefix('.') {
            Some(control) => control.split_once(' ').map_or("", |(_, words)| words),
            None => next.text,
        };
        let words = self.plain(words);
        let first = words.split_whitespace().next();
        first.is_some_and(|first| first.trim_matches('"').eq_ignore_ascii_case(&self.name))
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
        if self.drawn_mark(line) {
            return;
        }
        // Rows that follow one another are not run together: help2man writes those of a program's usage so.
        let was_row = std::mem::replace(&mut self.after_row, is_row(line.words()));
        let is_kept = line.text.starts_with([' ', '\t']) || was_row && self.after_row;
        if is_kept && !self.text.is_empty() && !self.term_next {
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
            self.term(gnu_quotes::in_pieces(tidy(pieces)), range.start);
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
            // Two faces in turn are those of what is given, never of the next line.
            if is_one {
                self.font_next = Some(first);
            }
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
        if name == "Nm" && self.in_synopsis && !self.text.is_empty() {
            self.text.push(Inline::Break);
            self.joins = true;
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
        self.after_row = false;
        self.link = None;
        let text = gnu_quotes::in_pieces(tidy(std::mem::take(&mut self.text)));
        if let Some((start, end)) = self.bytes.take()
            && !text.is_empty()
        {
            let kind = match self.commands(&text) {
                Some(text) => BlockKind::Code {
                    language: None,
                    text,
                },
                None => BlockKind::Paragraph(text),
            };
            self.push(Block {
                kind,
                span: Span::of(start..end),
            });
        }
    }

    /// `.URL address words mark`, as groff has it and Asciidoctor writes it.
    pub(super) fn whole_link(&mut self, name: &str, after: &str, line: Line<'a>) {
        let mut parts = arguments(after)
            .into_iter()
            .map(|part| self.plain(&part))
            .collect::<Vec<_>>()
            .into_iter();
        let address = parts.next().unwrap_or_default();
        let shown = parts.next().filter(|shown| !shown.is_empty());
        if address.is_empty() {
            // Words without an address are words.
            let mut pieces: Vec<_> = shown.map(Inline::Text).into_iter().collect();
            pieces.extend(parts.next().map(Inline::Text));
            if !pieces.is_empty() {
                self.text(pieces, line);
            }
            return;
        }
        let text = vec![Inline::Text(shown.unwrap_or_else(|| address.clone()))];
        let href = if name == "MTO" && !address.starts_with("mailto:") {
            format!("mailto:{address}")
        } else {
            address
        };
        let mut pieces = vec![Inline::link(href, text)];
        pieces.extend(parts.next().map(Inline::Text));
        self.text(pieces, line);
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
        // What ends the clause stands behind the link, though some write it before its end.
        let mut end = String::new();
        if let Some(Inline::Text(words)) = text.last_mut() {
            let kept = words.trim_end().trim_end_matches([',', ';', ':']).len();
            if kept > 0 {
                end = words.split_off(kept);
            }
        }
        let mut pieces = vec![Inline::link(href, text)];
        let end = Some(end.trim_end()).filter(|end| !end.is_empty());
        pieces.extend(end.map(|end| Inline::Text(end.to_owned())));
        if let Some(mark) = arguments(after).first() {
            pieces.push(Inline::Text(self.plain(mark)));
        }
        self.text(pieces, line);
    }
}

/// Whether a line is a row of two cells: words, a gap that no sentence has, words.
fn is_row(line: &str) -> bool {
    let mut cells = line
        .trim()
        .split("   ")
        .filter(|cell| !cell.trim().is_empty());
    cells.next().is_some() && cells.next().is_some() && cells.next().is_none()
}

/// Whether what stands behind a `.TP` is the beginning of a sentence that goes on in the next line, or one that nothing is said
/// of, and no term.
pub(super) fn is_sentence(behind: &[Line<'_>]) -> bool {
    let mut lines = behind.iter().skip_while(|line| line.is_blank());
    let (Some(first), Some(second)) = (lines.next(), lines.next()) else {
        return false;
    };
    let is_whole = first.text.starts_with(char::is_uppercase)
        && first.text.trim_end().ends_with('.')
        && !first.text.contains("\\f")
        && first.text.split_whitespace().count() > 3;
    if is_whole && second.text.starts_with(".TP") {
        return true;
    }
    !first.text.starts_with(['.', '\''])
        && !first.text.contains("\\f")
        && first.text.split_whitespace().count() >= SENTENCE_WORDS
        && !first.text.trim_end().ends_with(['.', ':', '!', '?', ';'])
        && second.text.starts_with(|c: char| c.is_ascii_lowercase())
}

/// A page's title with its name as the page itself spells it below NAME: the header shouts, and writes gaps as underlines.
pub(super) fn spelled(title: &str, blocks: &[Block]) -> Option<String> {
    let (name, section) = title.split_at_checked(title.find('(')?)?;
    let mut blocks = blocks.iter().skip_while(|block| {
        !matches!(&block.kind, BlockKind::Heading { text, .. } if plain(text).eq_ignore_ascii_case("name"))
    });
    let BlockKind::Paragraph(text) = &blocks.nth(1)?.kind else {
        return None;
    };
    let line = squash(&plain(text));
    let called = [" - ", " – ", " — ", " -- "]
        .iter()
        .find_map(|dash| line.split_once(dash))
        .map(|(called, _)| called.trim())?;
    // A page of several functions is called as one of them.
    let called = std::iter::once(called)
        .chain(called.split(',').map(str::trim))
        .find(|called| letters(called) == letters(name))?;
    (called != name).then(|| format!("{called}{section}"))
}
