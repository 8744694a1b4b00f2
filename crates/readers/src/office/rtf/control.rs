//! Walks through Rich Text: its groups, its control words and the characters between them.

use crate::office::opc::address;
use crate::office::role::Role;
use crate::office::rtf::words::{charset, code_page};
use crate::office::rtf::{For, Paragraph, Rtf};
use crate::office::runs::Run;
use crate::words::{WordList, words};
use skillkiln_document::text::squash;

/// Groups in groups that are followed; deeper ones belong to the last that is not.
const DEPTH_MAX: usize = 200;

/// Destinations that hold no text of the document.
static SKIPPED: WordList = words!(
    "colortbl pict object header headerl headerr headerf footer footerl footerr footerf themedata colorschememapping latentstyles \
     datastore listtable listoverridetable rsidtbl generator xmlnstbl filetbl revtbl bkmkstart bkmkend annotation atnid atnauthor comment \
     template operator private nonshppict listpicture pgptbl mmathPr wgrffmtfilter falt panose pntxta pntxtb"
);

impl Rtf<'_> {
    pub(super) fn run(&mut self) {
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

    pub(super) fn close(&mut self) {
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
    pub(super) fn end_aside(&mut self, ended: For) {
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
    pub(super) fn end_field(&mut self) {
        let ended = self.fields.pop_if(|(depth, ..)| self.stack.len() < *depth);
        if let Some((_, Some(href), start)) = ended
            && start < self.runs.len()
        {
            let inner = self.runs.split_off(start);
            self.runs.push(Run::Link(href, inner));
        }
    }

    pub(super) fn control(&mut self) {
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
    pub(super) fn unknown_destination(&mut self) {
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

    pub(super) fn unicode(&mut self, number: i32) {
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

    pub(super) fn word(&mut self, word: &str, number: Option<i32>) {
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
            // What is struck out holds no longer.
            "deleted" | "strike" | "striked" => self.state.deleted = is_on,
            "plain" => {
                self.state.deleted = false;
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

    pub(super) fn aside_for(&mut self, purpose: For) {
        // A title inside a skipped group is the document's only in its information.
        if self.state.purpose == For::Text
            || matches!(purpose, For::Title | For::Author | For::Instruction)
        {
            self.state.purpose = purpose;
            self.aside.clear();
        }
    }
}
