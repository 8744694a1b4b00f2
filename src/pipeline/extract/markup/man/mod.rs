//! Reads manual pages, man and mdoc alike, with byte ranges into the source itself.
//!
//! Only macros of pages are known; what typesetters would compute is left out. Definitions of macros are skipped, not
//! run, so that a page cannot make its reader work.

pub mod escapes;
pub mod mdoc;
pub mod tbl;

use crate::domain::document::{About, Block, BlockKind, Definition, Document, Span};
use crate::domain::text::{Inline, plain, squash};
use crate::pipeline::extract::builder::tidy;
use crate::pipeline::extract::markup::lines::{self, Line};
use escapes::{Font, Strings, Writer, arguments};

/// Deepest nesting of indented stretches.
const DEPTH_MAX: usize = 24;

/// Whether `text` is evidently a manual page: its first macro says so.
pub(crate) fn is_man(text: &str) -> bool {
    let mut macros = 0;
    let mut titled = false;
    for line in text.lines().take(400) {
        titled |= line.starts_with(".TH ") || line.starts_with(".Dt ");
        macros += usize::from(
            [".SH ", ".Sh ", ".SS ", ".PP", ".Pp", ".TP", ".It ", ".Nm"]
                .iter()
                .any(|name| line.starts_with(name)),
        );
    }
    titled && macros > 0
}

/// Reads `text` as a manual page.
#[must_use]
pub fn read(text: String) -> Document {
    let lines = lines::lines_of(&text);
    let mut reader = Reader::default();
    reader.levels.push(Level::new(Open::Root, 0));
    reader.all(&lines);
    let (title, about, blocks) = reader.finish();
    Document {
        title,
        about,
        text,
        blocks,
        ..Document::default()
    }
}

/// What is open around the place that is being read.
#[derive(Debug)]
enum Open {
    Root,
    /// `.RS`, or the body of a display.
    Indented,
    Definitions(Vec<Definition>),
    Items {
        start: Option<u64>,
        items: Vec<Vec<Block>>,
    },
    /// `.Bl -column`.
    Rows(Vec<Vec<Vec<Inline>>>),
}

#[derive(Debug)]
struct Level {
    open: Open,
    start: usize,
    blocks: Vec<Block>,
    /// Whether an `.It` opened an entry that has not ended: for `.Bl` lists.
    is_list_of_mdoc: bool,
}

impl Level {
    fn new(open: Open, start: usize) -> Self {
        Self {
            open,
            start,
            blocks: Vec::new(),
            is_list_of_mdoc: false,
        }
    }
}

#[derive(Debug, Default)]
struct Reader<'a> {
    levels: Vec<Level>,
    strings: Strings,
    title: Option<String>,
    about: About,
    /// What the page is about, for `.Nm`.
    name: String,
    text: Vec<Inline>,
    bytes: Option<(usize, usize)>,
    /// No blank before the next words.
    joins: bool,
    /// The next line is a term.
    term_next: bool,
    code: Option<Vec<Line<'a>>>,
    /// The font that a macro without arguments gives the next line.
    font_next: Option<Font>,
    last_end: usize,
    /// What the last `.ie` decided.
    decided: Vec<bool>,
    /// A link that waits for its end.
    link: Option<(String, usize)>,
}

impl<'a> Reader<'a> {
    fn all(&mut self, lines: &[Line<'a>]) {
        let mut at = 0;
        while let Some(line) = lines.get(at) {
            at += 1;
            let rest = lines.get(at..).unwrap_or_default();
            at += self.line(*line, rest);
        }
    }

    /// Reads a line; gives how many of those after it were taken with it.
    fn line(&mut self, line: Line<'a>, rest: &[Line<'a>]) -> usize {
        let control = line.text.strip_prefix(['.', '\'']);
        let Some(control) = control else {
            self.words(line);
            return 0;
        };
        let control = control.trim_start_matches([' ', '\t']);
        if control.is_empty() || control.starts_with("\\\"") {
            return 0;
        }
        let length = control.find([' ', '\t', '\\']).unwrap_or(control.len());
        let (name, arguments_text) = control.split_at(length.min(control.len()));
        self.macro_line(name, arguments_text, line, rest)
    }

    fn macro_line(&mut self, name: &str, after: &str, line: Line<'a>, rest: &[Line<'a>]) -> usize {
        match name {
            "de" | "de1" | "am" | "ig" | "dei" => return until(rest, ".."),
            "if" | "ie" => return self.condition(name, after, line, rest),
            "el" => {
                let decided = self.decided.pop().unwrap_or(false);
                return self.branch(!decided, after, line, rest);
            }
            "ds" => {
                let (name, words) = after
                    .trim_start()
                    .split_once([' ', '\t'])
                    .unwrap_or((after.trim(), ""));
                self.strings.define(name, words);
            }
            "TH" => {
                let parts = arguments(after);
                let plain = |at: usize| {
                    parts
                        .get(at)
                        .map(|word| self.plain(word))
                        .filter(|word| !word.is_empty())
                };
                let (name, section) = (plain(0), plain(1));
                let (date, site) = (plain(2), plain(3).or_else(|| plain(4)));
                self.about.date = date;
                self.about.site = site;
                self.titled(name, section, line);
            }
            "Dd" => {
                let date = after.trim();
                let date = date.strip_prefix("$Mdocdate").unwrap_or(date);
                self.about.date = Some(date.trim_matches(['$', ':', ' ']).to_owned())
                    .filter(|date| !date.is_empty());
            }
            "Dt" => {
                let parts = arguments(after);
                let (name, section) = (parts.first().cloned(), parts.get(1).cloned());
                self.titled(name, section, line);
            }
            "SH" | "Sh" | "SS" | "Ss" => return self.heading(name, after, line, rest),
            "TS" => {
                self.end_paragraph();
                let length = until(rest, ".TE");
                let body = rest.get(..length.saturating_sub(1)).unwrap_or_default();
                if let Some(table) = tbl::read(body, &self.strings) {
                    self.push(table);
                }
                return length;
            }
            "EQ" => {
                let length = until(rest, ".EN");
                let body = rest.get(..length.saturating_sub(1)).unwrap_or_default();
                let formula = lines::joined(body);
                self.text(vec![Inline::Math(formula)], line);
                return length;
            }
            _ if self.code.is_some() => self.macro_in_code(name, after, line),
            "PP" | "P" | "LP" | "HP" | "Pp" | "Lp" => {
                self.end_paragraph();
                if !self.in_list_of_mdoc() {
                    self.end_entries();
                }
            }
            "sp" | "br" | "in" | "ti" | "ce" | "ne" | "pp" => {
                if name == "br" && !self.text.is_empty() {
                    self.text.push(Inline::Break);
                    self.joins = true;
                } else if matches!(name, "sp" | "ti" | "ce") {
                    self.end_paragraph();
                }
            }
            "TP" => {
                self.end_paragraph();
                self.term_next = true;
            }
            "TQ" => {
                self.end_paragraph();
                self.term_next = true;
            }
            "IP" => self.indented(after, line),
            "RS" => {
                self.end_paragraph();
                self.open(Open::Indented, line.start);
            }
            "RE" => {
                self.end_paragraph();
                self.close_indented();
            }
            "nf" | "EX" | "Vb" => {
                self.end_paragraph();
                self.code = Some(Vec::new());
            }
            "fi" | "EE" | "Ve" | "ft" | "ad" | "na" | "hy" | "nh" | "PD" | "DT" | "UC" | "AT"
            | "tr" | "nr" | "so" | "ll" | "ta" | "rm" | "fam" | "ss" | "lf" | "mso" | "cc"
            | "ec" | "eo" | "bp" | "pl" | "tm" | "rr" | "ev" => {
                if name == "so" {
                    let text = vec![
                        Inline::Text("The text is in ".into()),
                        Inline::Code(after.trim().to_owned()),
                    ];
                    self.text(text, line);
                }
            }
            "UR" | "MT" => {
                let address = arguments(after)
                    .first()
                    .map(|word| self.plain(word))
                    .unwrap_or_default();
                let address = if name == "MT" {
                    format!("mailto:{address}")
                } else {
                    address
                };
                self.link = Some((address, self.text.len()));
            }
            "UE" | "ME" => self.end_link(after, line),
            "SY" => {
                self.end_paragraph();
                self.fonts("B", after, line);
            }
            "OP" => {
                let parts = arguments(after);
                let mut writer = Writer::new(Font::Plain);
                writer.plainly("[");
                for (at, part) in parts.iter().enumerate() {
                    if at > 0 {
                        writer.plainly(" ");
                    }
                    writer.font(if at == 0 { Font::Bold } else { Font::Italic });
                    writer.write(part, &self.strings);
                    writer.font(Font::Plain);
                }
                writer.plainly("]");
                self.text(writer.finish(), line);
            }
            "YS" => self.end_paragraph(),
            "B" | "I" | "R" | "SM" | "SB" | "BR" | "RB" | "BI" | "IB" | "IR" | "RI" | "CW"
            | "C" => {
                self.fonts(name, after, line);
            }
            "Bl" => self.open_list(after, line),
            "It" => self.item(after, line),
            "El" => self.close_list(),
            "Bd" => {
                self.end_paragraph();
                if after.contains("-literal") || after.contains("-unfilled") {
                    self.code = Some(Vec::new());
                } else {
                    self.open(Open::Indented, line.start);
                }
            }
            "Ed" => {
                self.end_paragraph();
                self.close_indented();
            }
            "Dl" | "D1" => {
                self.end_paragraph();
                let words = words_of(after);
                let said = mdoc::read(&with_no(words), &self.name, &self.strings);
                let text = plain(&said.text);
                let kind = BlockKind::Code {
                    language: None,
                    text,
                };
                self.push(lines::block(kind, &[line]));
            }
            "Nd" => {
                let mut writer = Writer::new(Font::Plain);
                writer.plainly("– ");
                writer.write(after.trim(), &self.strings);
                self.text(writer.finish(), line);
            }
            "Rs" | "Re" | "Os" => {}
            _ if name.starts_with('%') => {
                let mut writer = Writer::new(Font::Plain);
                writer.write(after.trim(), &self.strings);
                writer.plainly(",");
                self.text(writer.finish(), line);
            }
            "Fo" => {
                let text = vec![Inline::Code(format!("{}(", after.trim()))];
                self.text(text, line);
            }
            "Fc" => {
                self.joins = true;
                self.text(vec![Inline::Text(")".into())], line);
            }
            "In" if line.words().contains("#include") => self.words(line),
            _ if mdoc::is_text(name) => self.mdoc(name, after, line),
            // What an unknown macro does is unknown; its words are kept.
            _ => {
                let words = arguments(after);
                let mut writer = Writer::new(Font::Plain);
                for (at, word) in words.iter().enumerate() {
                    if at > 0 {
                        writer.plainly(" ");
                    }
                    writer.write(word, &self.strings);
                }
                let is_setting = name.len() == 2 && name.bytes().all(|b| b.is_ascii_lowercase());
                if !is_setting {
                    self.text(writer.finish(), line);
                }
            }
        }
        0
    }

    fn plain(&self, word: &str) -> String {
        let mut writer = Writer::new(Font::Plain);
        writer.write(word, &self.strings);
        squash(&writer.plain())
    }

    fn titled(&mut self, name: Option<String>, section: Option<String>, line: Line<'a>) {
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

    fn heading(&mut self, name: &str, after: &str, line: Line<'a>, rest: &[Line<'a>]) -> usize {
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
    fn words(&mut self, line: Line<'a>) {
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
    fn text(&mut self, pieces: Vec<Inline>, line: Line<'a>) {
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
    fn fonts(&mut self, name: &str, after: &str, line: Line<'a>) {
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

    fn mdoc(&mut self, name: &str, after: &str, line: Line<'a>) {
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

    fn macro_in_code(&mut self, name: &str, after: &str, line: Line<'a>) {
        match name {
            "fi" | "EE" | "Ve" | "Ed" => self.end_code(),
            // The end of what is indented ends code that nobody ended.
            "El" | "RE" if self.code.as_ref().is_some_and(Vec::is_empty) => self.end_code(),
            "sp" | "PP" | "P" | "Pp" | "LP" => {
                let blank = line.after(usize::MAX);
                self.code.get_or_insert_default().push(blank);
            }
            "B" | "I" | "R" | "SM" | "SB" | "BR" | "RB" | "BI" | "IB" | "IR" | "RI" | "CW" => {
                self.code.get_or_insert_default().push(line);
            }
            "TP" | "IP" | "TQ" => {
                self.end_code();
                self.macro_line(name, after, line, &[]);
            }
            _ if mdoc::is_text(name) => self.code.get_or_insert_default().push(line),
            _ => {}
        }
    }

    fn end_code(&mut self) {
        let Some(body) = self.code.take() else { return };
        let body = lines::trimmed(&body);
        if body.is_empty() {
            return;
        }
        let rendered: Vec<String> = body.iter().map(|line| self.code_line(line.text)).collect();
        let indent = rendered
            .iter()
            .filter(|line| !line.trim().is_empty())
            .map(|line| line.len() - line.trim_start_matches(' ').len())
            .min()
            .unwrap_or(0);
        let rendered: Vec<&str> = rendered
            .iter()
            .map(|line| line.get(indent..).unwrap_or("").trim_end())
            .collect();
        let text = rendered.join("\n").trim_end().to_owned();
        let block = lines::block(
            BlockKind::Code {
                language: None,
                text,
            },
            body,
        );
        self.push(block);
    }

    /// A line of code, its fonts dropped.
    fn code_line(&self, text: &str) -> String {
        let mut writer = Writer::new(Font::Plain);
        match text
            .strip_prefix('.')
            .map(|control| control.split_once(' ').unwrap_or((control, "")))
        {
            Some((name, after))
                if name.len() == 2 && name.chars().nth(1).is_some_and(char::is_lowercase) =>
            {
                let mut words = vec![name.to_owned()];
                words.extend(words_of(after));
                return plain(&mdoc::read(&words, &self.name, &self.strings).text);
            }
            Some((name, after)) => {
                let blank = if name.len() == 1 || name == "SM" {
                    " "
                } else {
                    ""
                };
                for (at, word) in arguments(after).iter().enumerate() {
                    if at > 0 {
                        writer.plainly(blank);
                    }
                    writer.write(word, &self.strings);
                }
            }
            None => writer.write(text, &self.strings),
        }
        writer.plain()
    }

    fn end_paragraph(&mut self) {
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

    fn end_link(&mut self, after: &str, line: Line<'a>) {
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
        let mut pieces = vec![Inline::Link { href, text }];
        if let Some(mark) = arguments(after).first() {
            pieces.push(Inline::Text(self.plain(mark)));
        }
        self.text(pieces, line);
    }

    fn push(&mut self, block: Block) {
        self.last_end = self.last_end.max(block.span.bytes.end);
        if let Some(level) = self.levels.last_mut() {
            match &mut level.open {
                Open::Definitions(entries) => match entries.last_mut() {
                    Some(entry) => entry.blocks.push(block),
                    None => level.blocks.push(block),
                },
                Open::Items { items, .. } => match items.last_mut() {
                    Some(item) => item.push(block),
                    None => items.push(vec![block]),
                },
                Open::Rows(_) | Open::Root | Open::Indented => level.blocks.push(block),
            }
        }
    }

    fn open(&mut self, open: Open, start: usize) {
        if self.levels.len() < DEPTH_MAX {
            self.levels.push(Level::new(open, start));
        }
    }

    fn close(&mut self) {
        if self.levels.len() < 2 {
            return;
        }
        let Some(level) = self.levels.pop() else {
            return;
        };
        let span = Span::of(level.start..self.last_end.max(level.start));
        let kind = match level.open {
            Open::Root | Open::Indented => {
                level.blocks.into_iter().for_each(|block| self.push(block));
                return;
            }
            Open::Definitions(entries) if entries.is_empty() => return,
            Open::Definitions(entries) => BlockKind::Definitions(entries),
            Open::Items { start, items } => {
                let items: Vec<_> = items.into_iter().filter(|item| !item.is_empty()).collect();
                if items.is_empty() {
                    return;
                }
                BlockKind::List { start, items }
            }
            Open::Rows(mut rows) => {
                let width = rows.iter().map(Vec::len).max().unwrap_or(0);
                if width == 0 {
                    return;
                }
                rows.iter_mut()
                    .for_each(|row| row.resize(width, Vec::new()));
                BlockKind::Table {
                    header: vec![Vec::new(); width],
                    rows,
                    caption: None,
                }
            }
        };
        self.push(Block { kind, span });
    }

    /// Ends the lists of terms and items that stand in the innermost indented stretch.
    fn end_entries(&mut self) {
        while self.levels.last().is_some_and(|level| {
            matches!(level.open, Open::Definitions(_) | Open::Items { .. })
                && !level.is_list_of_mdoc
        }) {
            self.close();
        }
    }

    fn close_indented(&mut self) {
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
    fn term(&mut self, term: Vec<Inline>, start: usize) {
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
            match entries.last_mut() {
                Some(entry) if entry.blocks.is_empty() => entry.terms.push(term),
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
    fn indented(&mut self, after: &str, line: Line<'a>) {
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

    fn in_list_of_mdoc(&self) -> bool {
        self.levels
            .last()
            .is_some_and(|level| level.is_list_of_mdoc)
    }

    fn open_list(&mut self, after: &str, line: Line<'a>) {
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

    fn item(&mut self, after: &str, line: Line<'a>) {
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

    fn close_list(&mut self) {
        self.end_paragraph();
        while self.levels.len() > 1 {
            let is_list = self.in_list_of_mdoc();
            self.close();
            if is_list {
                break;
            }
        }
    }

    /// `.if`: only what a terminal would show is read.
    fn condition(&mut self, name: &str, after: &str, line: Line<'a>, rest: &[Line<'a>]) -> usize {
        let after = after.trim_start();
        let (negated, test) = match after.strip_prefix('!') {
            Some(test) => (true, test),
            None => (false, after),
        };
        let end = test.find([' ', '\t']).unwrap_or(test.len());
        let (condition, body) = test.split_at(end);
        let (condition, body) = match condition.find("\\{") {
            Some(at) => (
                condition.get(..at).unwrap_or(""),
                test.get(at..).unwrap_or(""),
            ),
            None => (condition, body),
        };
        let holds = (condition == "n"
            || condition.starts_with("\\n(.g")
            || condition.starts_with("\\n[.g"))
            != negated;
        if name == "ie" && self.decided.len() < DEPTH_MAX {
            self.decided.push(holds);
        }
        self.branch(holds, body, line, rest)
    }

    /// Reads or skips the branch that begins in `body`.
    fn branch(&mut self, holds: bool, body: &str, line: Line<'a>, rest: &[Line<'a>]) -> usize {
        let body = body.trim_start();
        let Some(inner) = body.strip_prefix("\\{") else {
            if holds && !body.is_empty() {
                let cut = line.text.len() - body.len();
                let part = line.after(cut);
                // A condition inside the branch of a condition on the same line is not followed.
                if !part.text.starts_with(".if")
                    && !part.text.starts_with(".ie")
                    && !part.text.starts_with(".el")
                {
                    return self.line(part, rest);
                }
            }
            return 0;
        };
        if holds {
            if let Some(part) = inner
                .strip_prefix('.')
                .filter(|part| part.starts_with("ds "))
            {
                self.macro_line("ds", part.get(2..).unwrap_or(""), line, &[]);
            }
            return 0;
        }
        let mut depth = 1 + inner.matches("\\{").count();
        depth = depth.saturating_sub(inner.matches("\\}").count());
        let mut taken = 0;
        for line in rest {
            if depth == 0 {
                break;
            }
            depth += line.text.matches("\\{").count();
            depth = depth.saturating_sub(line.text.matches("\\}").count());
            taken += 1;
        }
        taken
    }

    fn finish(mut self) -> (Option<String>, About, Vec<Block>) {
        self.end_paragraph();
        while self.levels.len() > 1 {
            self.close();
        }
        let blocks = self
            .levels
            .pop()
            .map(|level| level.blocks)
            .unwrap_or_default();
        (self.title, self.about, blocks)
    }
}

/// How many lines go by until after the one that begins with `end`; all when none does.
fn until(lines: &[Line<'_>], end: &str) -> usize {
    lines
        .iter()
        .position(|line| line.text.starts_with(end))
        .map_or(lines.len(), |at| at + 1)
}

/// The words of a line of mdoc.
fn words_of(text: &str) -> Vec<String> {
    arguments(text)
}

/// Words that begin with none of mdoc's macros read as plain ones.
fn with_no(mut words: Vec<String>) -> Vec<String> {
    words.insert(0, "No".to_owned());
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::markdown::write;

    fn written(text: &str) -> String {
        write(&read(text.to_owned()).blocks)
    }

    #[test]
    fn a_page_keeps_its_sections_terms_and_code() {
        let document = read(".\\\" comment\n.TH KILN 1 \"May 2026\" \"Tools\"\n.SH NAME\nkiln \\- fire clay\n.SH OPTIONS\n.TP\n.BR \\-a \", \" \\-\\-all\nShow \\fBall\\fP of it.\n.TP\n.B \\-x\nOnce.\n.IP\nMore.\n.PP\nAfter it:\n.nf\n  kiln \\-a\n    \\(aqx\\(aq\n.fi\n.IP \\(bu 2\none\n.IP \\(bu 2\ntwo\n".into());
        assert_eq!(document.title.as_deref(), Some("kiln(1)"));
        assert_eq!(document.about.date.as_deref(), Some("May 2026"));
        assert_eq!(
            write(&document.blocks),
            "# kiln(1)\n\n## NAME\n\nkiln - fire clay\n\n## OPTIONS\n\n- **-a, --all**: Show **all** of it.\n\n- **-x**: Once.\n\n  More.\n\nAfter it:\n\n```\nkiln -a\n  'x'\n```\n\n- one\n- two\n"
        );
    }

    #[test]
    fn a_page_of_mdoc_reads_the_same() {
        let markdown = written(
            ".Dd May 1, 2026\n.Dt KILN 1\n.Sh NAME\n.Nm kiln\n.Nd fire clay\n.Sh SYNOPSIS\n.Nm\n.Op Fl a\n.Op Fl o Ar file\n.Sh DESCRIPTION\nSee\n.Xr ls 1 ,\nor\n.Pa /etc .\n.Bl -tag -width x\n.It Fl a , Fl Fl all\nAll.\n.It Ev HOME\nHome.\n.El\n.Bd -literal\n$ kiln\n  -a\n.Ed\n",
        );
        assert_eq!(
            markdown,
            "# kiln(1)\n\n## NAME\n\n**kiln** – fire clay\n\n## SYNOPSIS\n\n**kiln** [**-a**] [**-o** *file*\\]\n\n## DESCRIPTION\n\nSee **ls**(1), or `/etc`.\n\n- **-a, --all**: All.\n- `HOME`: Home.\n\n```\n$ kiln\n  -a\n```\n"
        );
    }

    #[test]
    fn tables_and_conditions_are_read_as_a_terminal_shows_them() {
        let markdown = written(
            ".TH X 3\n.de V\nnever\n..\n.if t \\{\\\nnever\n.\\}\n.ie n shown\n.el never\n.TS\ntab(;);\nlb lb.\nKey;Value\n_\na;T{\nlong\n.B bold\nT}\nb;c\n.TE\n",
        );
        assert_eq!(
            markdown,
            "# x(3)\n\nshown\n\n| Key | Value |\n| --- | --- |\n| a | long **bold** |\n| b | c |\n"
        );
    }
}
