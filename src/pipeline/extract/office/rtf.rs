//! Reads Rich Text (.rtf): paragraphs, headings by their styles or outline level, lists, tables and letters of every code page.

use crate::domain::document::{About, BlockKind, Document};
use crate::domain::failure::Failure;
use crate::domain::text::{Inline, plain, squash};
use crate::pipeline::extract::builder::Builder;
use crate::pipeline::extract::office::assemble::{self, Item, Piece, What};
use crate::pipeline::extract::office::grid::{Grid, cell_text};
use crate::pipeline::extract::office::opc::address;
use crate::pipeline::extract::office::role::{Role, role_of_name};
use crate::pipeline::extract::office::runs::{self, Run, Words, is_monospaced};
use encoding_rs::{Encoding, WINDOWS_1252};
use std::collections::{HashMap, HashSet};

/// Groups in groups that are followed; deeper ones belong to the last that is not.
const DEPTH_MAX: usize = 200;

/// Destinations that hold no text of the document.
const SKIPPED: &[&str] = &[
    "colortbl",
    "pict",
    "object",
    "header",
    "headerl",
    "headerr",
    "headerf",
    "footer",
    "footerl",
    "footerr",
    "footerf",
    "themedata",
    "colorschememapping",
    "latentstyles",
    "datastore",
    "listtable",
    "listoverridetable",
    "rsidtbl",
    "generator",
    "xmlnstbl",
    "filetbl",
    "revtbl",
    "bkmkstart",
    "bkmkend",
    "annotation",
    "atnid",
    "atnauthor",
    "comment",
    "template",
    "operator",
    "private",
    "nonshppict",
    "listpicture",
    "pgptbl",
    "mmathPr",
    "wgrffmtfilter",
    "falt",
    "panose",
    "pntxta",
    "pntxtb",
];

/// What a group's text is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum For {
    Text,
    Nothing,
    Fonts,
    Styles,
    Title,
    Author,
    Instruction,
    /// The mark of an item, as older programs see it.
    Mark,
}

/// What holds inside a group.
#[derive(Debug, Clone)]
struct State {
    purpose: For,
    bold: bool,
    italic: bool,
    hidden: bool,
    deleted: bool,
    font: i32,
    /// Characters that follow a Unicode one for programs that do not know it.
    skip: usize,
    encoding: &'static Encoding,
}

/// What holds for a paragraph.
#[derive(Debug, Clone, Default)]
struct Paragraph {
    style: i32,
    outline: Option<u8>,
    in_table: bool,
    level: usize,
    /// How far it stands in, in twentieths of a point.
    indent: i32,
    mark: Option<String>,
    listed: bool,
}

struct Rtf<'a> {
    bytes: &'a [u8],
    at: usize,
    state: State,
    stack: Vec<State>,
    deeper: usize,
    to_skip: usize,
    half: Option<u16>,
    raw: Vec<u8>,
    fonts: HashSet<i32>,
    font_encodings: HashMap<i32, &'static Encoding>,
    styles: HashMap<i32, Role>,
    style_at: i32,
    /// Words gathered for what is not text: a font's or style's name, a title, a field's instruction.
    aside: String,
    title: Option<String>,
    author: Option<String>,
    runs: Vec<Run>,
    paragraph: Paragraph,
    cell: Vec<(What, bool)>,
    grid: Option<Grid>,
    grid_has_head: bool,
    pieces: Vec<Piece>,
    /// Fields that are open: the depth of their group, their address, and where their result began.
    fields: Vec<(usize, Option<String>, usize)>,
}

/// Reads the Rich Text `bytes`.
///
/// # Errors
/// When there is no text in it.
pub(crate) fn read(bytes: &[u8]) -> Result<Document, Failure> {
    let mut rtf = Rtf {
        bytes,
        at: 0,
        state: State {
            purpose: For::Text,
            bold: false,
            italic: false,
            hidden: false,
            deleted: false,
            font: -1,
            skip: 1,
            encoding: WINDOWS_1252,
        },
        stack: Vec::new(),
        deeper: 0,
        to_skip: 0,
        half: None,
        raw: Vec::new(),
        fonts: HashSet::new(),
        font_encodings: HashMap::new(),
        styles: HashMap::new(),
        style_at: 0,
        aside: String::new(),
        title: None,
        author: None,
        runs: Vec::new(),
        paragraph: Paragraph::default(),
        cell: Vec::new(),
        grid: None,
        grid_has_head: false,
        pieces: Vec::new(),
        fields: Vec::new(),
    };
    rtf.run();
    rtf.end_paragraph();
    rtf.end_table();
    let about = About {
        author: rtf.author.take(),
        ..About::default()
    };
    let title = rtf.title.take();
    let mut builder = Builder::default();
    let blocks = assemble::blocks(&mut builder, rtf.pieces);
    let on_page = blocks.first().and_then(|block| match &block.kind {
        BlockKind::Heading { level: 1, text } => Some(plain(text)),
        _ => None,
    });
    Ok(builder.finish(on_page.or(title), about, blocks))
}

impl Rtf<'_> {
    fn run(&mut self) {
        while let Some(byte) = self.bytes.get(self.at).copied() {
            self.at += 1;
            match byte {
                b'{' => {
                    self.flush();
                    self.to_skip = 0;
                    if self.stack.len() < DEPTH_MAX {
                        self.stack.push(self.state.clone());
                    } else {
                        self.deeper += 1;
                    }
                }
                b'}' => self.close(),
                b'\\' => self.control(),
                b'\r' | b'\n' => {}
                byte if self.to_skip > 0 => {
                    let _ = byte;
                    self.to_skip -= 1;
                }
                byte => self.raw.push(byte),
            }
        }
        self.flush();
    }

    fn close(&mut self) {
        self.flush();
        self.to_skip = 0;
        if self.deeper > 0 {
            self.deeper -= 1;
            return;
        }
        let ended = self.state.purpose;
        if let Some(before) = self.stack.pop() {
            self.state = before;
        }
        if self.state.purpose != ended {
            self.end_aside(ended);
        } else if matches!(ended, For::Fonts | For::Styles) {
            // A group in a table of names: the name ends with it, if its semicolon has not ended it.
            self.name(ended);
        }
        self.end_field();
    }

    /// What was gathered aside is complete.
    fn end_aside(&mut self, ended: For) {
        let aside = std::mem::take(&mut self.aside);
        match ended {
            For::Title => self.title = Some(squash(&aside)).filter(|title| !title.is_empty()),
            For::Author => self.author = Some(squash(&aside)).filter(|author| !author.is_empty()),
            For::Instruction => {
                let href = aside
                    .trim()
                    .strip_prefix("HYPERLINK")
                    .and_then(|rest| rest.trim().trim_matches('"').split('"').next())
                    .and_then(address);
                if let Some(field) = self.fields.last_mut() {
                    field.1 = href;
                }
            }
            For::Mark => self.paragraph.mark = Some(squash(&aside)),
            _ => {}
        }
    }

    /// A field whose group has ended is a link around its result, when it has an address.
    fn end_field(&mut self) {
        let ended = self.fields.pop_if(|(depth, ..)| self.stack.len() < *depth);
        if let Some((_, Some(href), start)) = ended
            && start < self.runs.len()
        {
            let inner = self.runs.split_off(start);
            self.runs.push(Run::Link(href, inner));
        }
    }

    fn control(&mut self) {
        let Some(byte) = self.bytes.get(self.at).copied() else {
            return;
        };
        if byte == b'\'' {
            let code = self
                .bytes
                .get(self.at + 1..self.at + 3)
                .and_then(|code| std::str::from_utf8(code).ok())
                .and_then(|code| u8::from_str_radix(code, 16).ok());
            self.at += 3;
            if self.to_skip > 0 {
                self.to_skip -= 1;
            } else if let Some(code) = code {
                self.raw.push(code);
            }
            return;
        }
        if !byte.is_ascii_alphabetic() {
            self.at += 1;
            match byte {
                b'~' => self.words("\u{a0}"),
                b'_' => self.words("-"),
                b'*' => self.unknown_destination(),
                b'\r' | b'\n' => self.end_paragraph(),
                b'{' | b'}' | b'\\' if self.to_skip > 0 => self.to_skip -= 1,
                b'{' | b'}' | b'\\' => self.raw.push(byte),
                _ => {}
            }
            return;
        }
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_alphabetic) && self.at - start < 32 {
            self.at += 1;
        }
        let word = self.bytes.get(start..self.at).unwrap_or_default().to_vec();
        let number_at = self.at;
        if self.bytes.get(self.at) == Some(&b'-') {
            self.at += 1;
        }
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_digit) && self.at - number_at < 11 {
            self.at += 1;
        }
        let number = self
            .bytes
            .get(number_at..self.at)
            .and_then(|number| std::str::from_utf8(number).ok())
            .and_then(|number| number.parse::<i32>().ok());
        if self.bytes.get(self.at) == Some(&b' ') {
            self.at += 1;
        }
        let word = String::from_utf8(word).unwrap_or_default();
        if word == "bin" {
            // Bytes that are no text follow.
            self.at = self
                .at
                .saturating_add(usize::try_from(number.unwrap_or(0)).unwrap_or(0));
            return;
        }
        if word == "u" {
            self.unicode(number.unwrap_or(0));
            return;
        }
        if self.to_skip > 0 {
            self.to_skip -= 1;
            return;
        }
        self.flush();
        self.word(&word, number);
    }

    /// `\*` begins a destination that programs may skip when they do not know it.
    fn unknown_destination(&mut self) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let known = [
            "\\fldinst",
            "\\pntext",
            "\\listtext",
            "\\shptxt",
            "\\shpinst",
        ];
        if !known.iter().any(|name| rest.starts_with(name.as_bytes())) {
            self.state.purpose = For::Nothing;
        }
    }

    fn unicode(&mut self, number: i32) {
        self.flush();
        // Negative numbers are the upper half of sixteen bits.
        let unit = (number & 0xffff) as u16;
        self.to_skip = self.state.skip;
        let pair = match (self.half.take(), unit) {
            (Some(high), low @ 0xdc00..=0xdfff) => vec![high, low],
            (_, high @ 0xd800..=0xdbff) => {
                self.half = Some(high);
                return;
            }
            (_, unit) => vec![unit],
        };
        let text = String::from_utf16_lossy(&pair);
        self.words(&text);
    }

    fn word(&mut self, word: &str, number: Option<i32>) {
        let is_on = number != Some(0);
        match word {
            "fonttbl" => self.state.purpose = For::Fonts,
            "stylesheet" => self.state.purpose = For::Styles,
            "info" => self.state.purpose = For::Nothing,
            "title" => self.aside_for(For::Title),
            "author" => self.aside_for(For::Author),
            "fldinst" => self.aside_for(For::Instruction),
            "listtext" | "pntext" => self.aside_for(For::Mark),
            "field" => {
                let start = self.runs.len();
                self.fields.push((self.stack.len(), None, start));
            }
            "footnote" if self.state.purpose == For::Text => {
                // The note stands where its mark is, in brackets of its own.
                self.words(" [");
            }
            _ if SKIPPED.contains(&word) => self.state.purpose = For::Nothing,
            _ if self.state.purpose == For::Nothing => {}
            "ansicpg" => {
                if let Some(encoding) = code_page(number) {
                    self.state.encoding = encoding;
                }
            }
            "fcharset" if self.state.purpose == For::Fonts => {
                if let Some(encoding) = charset(number) {
                    self.font_encodings.insert(self.state.font, encoding);
                }
            }
            "fmodern" if self.state.purpose == For::Fonts => {
                self.fonts.insert(self.state.font);
            }
            "f" => self.state.font = number.unwrap_or(0),
            "s" if self.state.purpose == For::Styles => self.style_at = number.unwrap_or(0),
            "s" => self.paragraph.style = number.unwrap_or(0),
            "outlinelevel" if self.state.purpose == For::Styles => {
                if let Some(level @ 0..=8) = number {
                    self.styles
                        .insert(self.style_at, Role::Heading(level as u8 + 1));
                }
            }
            "outlinelevel" => {
                self.paragraph.outline = number.and_then(|level| u8::try_from(level).ok())
            }
            "uc" => self.state.skip = usize::try_from(number.unwrap_or(1)).unwrap_or(1).min(8),
            "b" => self.state.bold = is_on,
            "i" => self.state.italic = is_on,
            "v" => self.state.hidden = is_on,
            "deleted" => self.state.deleted = is_on,
            "plain" => {
                self.state.bold = false;
                self.state.italic = false;
                self.state.hidden = false;
            }
            "pard" => {
                let mark = self.paragraph.mark.take();
                self.paragraph = Paragraph {
                    mark,
                    ..Paragraph::default()
                };
            }
            "intbl" => self.paragraph.in_table = true,
            "li" => self.paragraph.indent = number.unwrap_or(0),
            "ilvl" => {
                self.paragraph.level = usize::try_from(number.unwrap_or(0)).unwrap_or(0).min(8)
            }
            "ls" => self.paragraph.listed = number.is_some_and(|list| list > 0),
            "par" | "sect" | "page" => self.end_paragraph(),
            "line" => self.push(Run::Break),
            "tab" => self.words("\t"),
            "cell" => self.end_cell(),
            "row" => self.end_row(),
            "trhdr" => self.grid_has_head = true,
            "emdash" => self.words("—"),
            "endash" => self.words("–"),
            "lquote" => self.words("‘"),
            "rquote" => self.words("’"),
            "ldblquote" => self.words("“"),
            "rdblquote" => self.words("”"),
            "bullet" => self.words("•"),
            _ => {}
        }
    }

    fn aside_for(&mut self, purpose: For) {
        // A title inside a skipped group is the document's only in its information.
        if self.state.purpose == For::Text
            || matches!(purpose, For::Title | For::Author | For::Instruction)
        {
            self.state.purpose = purpose;
            self.aside.clear();
        }
    }

    /// Bytes that wait, as text of their font's code page.
    fn flush(&mut self) {
        if self.raw.is_empty() {
            return;
        }
        let raw = std::mem::take(&mut self.raw);
        let encoding = self
            .font_encodings
            .get(&self.state.font)
            .copied()
            .unwrap_or(self.state.encoding);
        let text = encoding.decode_without_bom_handling(&raw).0.into_owned();
        self.words(&text);
    }

    fn words(&mut self, text: &str) {
        match self.state.purpose {
            For::Nothing => {}
            For::Text => {
                if self.state.hidden || self.state.deleted {
                    return;
                }
                let run = Run::Words(Words {
                    text: text.to_owned(),
                    bold: self.state.bold,
                    italic: self.state.italic,
                    mono: self.fonts.contains(&self.state.font),
                    is_inline_code: false,
                });
                self.runs.push(run);
            }
            For::Fonts | For::Styles => {
                for piece in text.split_inclusive(';') {
                    self.aside.push_str(piece.trim_end_matches(';'));
                    if piece.ends_with(';') {
                        self.name(self.state.purpose);
                    }
                }
            }
            _ => self.aside.push_str(text),
        }
    }

    /// A name in a table of fonts or styles is complete.
    fn name(&mut self, purpose: For) {
        let name = std::mem::take(&mut self.aside);
        if name.trim().is_empty() {
            return;
        }
        if purpose == For::Fonts {
            if is_monospaced(&name) {
                self.fonts.insert(self.state.font);
            }
            return;
        }
        let role = role_of_name(&name.trim().to_lowercase());
        if role != Role::Body {
            self.styles.insert(self.style_at, role);
        }
        self.style_at = 0;
    }

    fn push(&mut self, run: Run) {
        if self.state.purpose == For::Text && !self.state.hidden && !self.state.deleted {
            self.runs.push(run);
        }
    }

    fn end_paragraph(&mut self) {
        if self.state.purpose != For::Text && !self.stack.is_empty() {
            return;
        }
        self.flush();
        let mut found = std::mem::take(&mut self.runs);
        for field in &mut self.fields {
            field.2 = 0;
        }
        let mark = self.paragraph.mark.take();
        if !self.paragraph.in_table {
            self.end_table();
        }
        let role = self
            .styles
            .get(&self.paragraph.style)
            .copied()
            .unwrap_or(Role::Body);
        if role == Role::Contents {
            return;
        }
        let is_blank = runs::code(&found).trim().is_empty();
        let heading = match (role, self.paragraph.outline) {
            (Role::Title, _) => Some(1),
            (Role::Heading(level), _) => Some(level),
            (_, Some(level @ 0..=8)) => Some(level + 1),
            _ => None,
        };
        // Some writers set the mark as words before a tab.
        let mark = mark.or_else(|| written_mark(&mut found));
        let number = mark.as_deref().and_then(|mark| {
            mark.trim_matches(|c: char| !c.is_ascii_alphanumeric())
                .parse::<u64>()
                .ok()
        });
        let is_item = mark.is_some() || self.paragraph.listed || matches!(role, Role::Item(..));
        let what = match heading {
            Some(level) if !is_blank => What::Heading(level, runs::heading(&found)),
            _ if (role == Role::Code || runs::are_all_code(&found)) && !is_item => {
                let text = runs::code(&found);
                let joins = !text.contains('\n');
                What::Code { text, joins }
            }
            _ if is_blank => return,
            _ if role == Role::Quote => What::Quote(runs::running(&found)),
            _ => What::Paragraph(runs::running(&found)),
        };
        if self.paragraph.in_table {
            self.cell.push((what, is_item));
            return;
        }
        let item = (is_item && heading.is_none()).then_some(Item {
            level: match (self.paragraph.level, self.paragraph.listed) {
                (0, false) => usize::try_from(self.paragraph.indent / 360 - 1)
                    .unwrap_or(0)
                    .min(8),
                (level, _) => level,
            },
            number,
            continues: false,
        });
        self.pieces.push(Piece {
            item,
            ..Piece::new(what)
        });
    }

    fn end_cell(&mut self) {
        self.paragraph.in_table = true;
        self.end_paragraph();
        let cell: Vec<Inline> = cell_text(std::mem::take(&mut self.cell));
        self.grid.get_or_insert_with(Grid::default).cell(cell, 1);
    }

    fn end_row(&mut self) {
        let is_head = std::mem::take(&mut self.grid_has_head);
        if let Some(grid) = &mut self.grid {
            grid.end_row(is_head);
        }
    }

    fn end_table(&mut self) {
        if let Some(grid) = self.grid.take() {
            self.pieces.extend(grid.finish(true).map(Piece::new));
        }
    }
}

/// A bullet or a number with its tab at the start of a paragraph, taken off.
fn written_mark(found: &mut Vec<Run>) -> Option<String> {
    let lead = runs::code(found);
    let (mark, _) = lead.split_once('\t')?;
    let mark = mark.trim();
    let digits = mark.trim_end_matches(['.', ')']);
    let is_mark = matches!(mark, "•" | "-" | "–" | "◦" | "▪" | "·")
        || digits.len() < mark.len()
            && !digits.is_empty()
            && digits.len() < 4
            && digits.bytes().all(|b| b.is_ascii_digit());
    if !is_mark {
        return None;
    }
    // Runs go until the tab is gone.
    let mark = mark.to_owned();
    while !found.is_empty() {
        let first = found.remove(0);
        let Run::Words(words) = first else {
            continue;
        };
        if let Some((_, after)) = words.text.split_once('\t') {
            let text = after.to_owned();
            found.insert(0, Run::Words(Words { text, ..words }));
            break;
        }
    }
    Some(mark)
}

fn code_page(number: Option<i32>) -> Option<&'static Encoding> {
    let label = match number? {
        932 => "shift_jis".to_owned(),
        936 => "gbk".to_owned(),
        949 => "euc-kr".to_owned(),
        950 => "big5".to_owned(),
        874 => "windows-874".to_owned(),
        65001 => "utf-8".to_owned(),
        10000 => "macintosh".to_owned(),
        page => format!("windows-{page}"),
    };
    Encoding::for_label(label.as_bytes())
}

fn charset(number: Option<i32>) -> Option<&'static Encoding> {
    code_page(Some(match number? {
        128 => 932,
        129 => 949,
        134 => 936,
        136 => 950,
        161 => 1253,
        162 => 1254,
        163 => 1258,
        177 => 1255,
        178 => 1256,
        186 => 1257,
        204 => 1251,
        222 => 874,
        238 => 1250,
        _ => return None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::markdown::write;

    #[test]
    fn rich_text_is_read_with_its_structure() {
        let source = br#"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}{\f1\fmodern Courier New;}{\f2\fcharset204 Arial Cyr;}}
{\stylesheet{\s1 heading 1;}{\s0 Normal;}}{\info{\title A title}{\author Ann}}
{\*\unknown skipped}\pard\s1 Gr\'f6\'dfe\par\pard Plain \b bold\b0  and \u8212\'97 dash {\f2\'cf}.\par
\pard{\listtext 1.\tab}\ls1 first\par{\listtext 2.\tab}\ls1 second\par
\pard\f1 let a = 1;\par   let b = \{\};\par
\pard\f0{\field{\*\fldinst HYPERLINK "https://example.org/"}{\fldrslt here}}\par
\trowd\intbl K\cell V\cell\row\trowd\intbl a\cell b\cell\row\pard End.\par}"#;
        let document = read(source).unwrap();
        assert_eq!(document.about.author.as_deref(), Some("Ann"));
        assert_eq!(
            write(&document.blocks),
            "# Größe\n\nPlain **bold** and — dash П.\n\n1. first\n2. second\n\n```\nlet a = 1;\n  let b = {};\n```\n\n[here](https://example.org/)\n\n| K | V |\n| --- | --- |\n| a | b |\n\nEnd.\n"
        );
    }

    #[test]
    fn hostile_rich_text_ends() {
        for source in [
            "{\\rtf1".to_owned() + &"{".repeat(100_000),
            "{\\rtf1 ".to_owned() + &"}".repeat(100_000),
            "{\\rtf1\\bin99999999999 x".to_owned(),
            "{\\rtf1\\u-1\\uc99999\\u55357\\'".to_owned(),
            "{\\rtf1".to_owned() + &"\\cell\\row".repeat(50_000),
            "{\\rtf1{\\field".to_owned()
                + &"{\\field{\\*\\fldinst HYPERLINK \"http://a\"}".repeat(5_000),
        ] {
            let _ = read(source.as_bytes());
        }
    }
}
