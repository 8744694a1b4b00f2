//! Reads a line of roff: its words, the escapes in them, and the fonts they change to.

use crate::words::{Pairs, pairs};
use skillkiln_document::text::Inline;
use skillkiln_document::work::step;
use std::collections::HashMap;

/// The special characters, by their names.
static SPECIAL: Pairs = pairs!(
    "aq '  cq ’  oq ‘  lq “  rq ”  dq \"  bu •  ci •  em —  en –  hy -  mi -  - -  rs \\  ti ~  ap ~  ha ^  a^ ^  ga `  aa ´  at @ \
     sh #  Do $  lB [  rB ]  lC {  rC }  la ⟨  ra ⟩  sl /  ba |  br |  co ©  rg ®  tm ™  de °  mu ×  +- ±  <= ≤  >= ≥  != ≠  -> → \
     <- ←  if ∞  mc µ  *m µ  12 ½  14 ¼  ss ß  :a ä  :o ö  :u ü  :A Ä  :O Ö  :U Ü  'e é  'a á  'o ó  'i í  'u ú  `e è  `a à  ^e ê \
     ~n ñ  ,c ç  oa å  /o ø  eu €  Eu €  Po £  sc §  Fo «  Fc »  eq =  pl +  no ¬  OK ✓  fm ′  *a α  *b β  *p π"
);

/// Strings that a page defines are cut here; what they hold is not expanded again.
const STRING_BYTES_MAX: usize = 200;

/// A font of running text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Font {
    /// Roman.
    #[default]
    Plain,
    /// Bold, for what is typed.
    Bold,
    /// Italic, for what is replaced.
    Italic,
    /// Fixed pitch.
    Fixed,
}

/// Strings by name: `.ds name words`.
#[derive(Debug, Default)]
pub(crate) struct Strings(HashMap<String, String>);

impl Strings {
    /// Takes a definition over.
    pub(crate) fn define(&mut self, name: &str, words: &str) {
        if self.0.len() < 500 {
            let words = words.trim_start_matches('"');
            let mut out = Writer::new(Font::Plain);
            out.write(
                words
                    .chars()
                    .take(STRING_BYTES_MAX)
                    .collect::<String>()
                    .as_str(),
                &Self::default(),
            );
            self.0.insert(name.to_owned(), out.plain());
        }
    }

    fn get(&self, name: &str) -> &str {
        match name {
            "lq" | "L\"" => "“",
            "rq" | "R\"" => "”",
            "R" => "®",
            "Tm" => "™",
            "C'" | "C`" => "",
            "C+" => "C++",
            _ => self.0.get(name).map_or("", String::as_str),
        }
    }
}

/// Puts words with fonts together.
#[derive(Debug)]
pub(crate) struct Writer {
    font: Font,
    before: Font,
    piece: String,
    out: Vec<Inline>,
    /// Whether `\c` said that the next line goes on without a blank.
    pub(crate) goes_on: bool,
}

impl Writer {
    /// A writer that begins in `font`.
    pub(crate) fn new(font: Font) -> Self {
        Self {
            font,
            before: Font::Plain,
            piece: String::new(),
            out: Vec::new(),
            goes_on: false,
        }
    }

    /// Changes the font, as a macro does.
    pub(crate) fn font(&mut self, font: Font) {
        if font != self.font {
            self.flush();
            self.before = self.font;
            self.font = font;
        }
    }

    /// Writes characters as they are.
    pub(crate) fn plainly(&mut self, text: &str) {
        self.piece.push_str(text);
    }

    /// Writes `text` with its escapes resolved.
    pub(crate) fn write(&mut self, text: &str, strings: &Strings) {
        step(1 + text.len() / 4);
        let mut rest = text;
        while let Some(at) = rest.find('\\') {
            self.piece.push_str(rest.get(..at).unwrap_or(""));
            rest = rest.get(at + 1..).unwrap_or("");
            let used = self.escape(rest, strings);
            rest = rest.get(used..).unwrap_or("");
        }
        self.piece.push_str(rest);
    }

    /// One escape, without its backslash; gives the bytes it took.
    fn escape(&mut self, rest: &str, strings: &Strings) -> usize {
        step(1);
        let Some(character) = rest.chars().next() else {
            return 0;
        };
        let width = character.len_utf8();
        match character {
            '-' | '.' | '\'' | '`' => self.piece.push(character),
            'e' | '\\' | 'E' => self.piece.push('\\'),
            ' ' | '~' | '0' => self.piece.push(' '),
            't' => self.piece.push('\t'),
            'c' => self.goes_on = true,
            '"' | '#' => return rest.len(),
            'f' => {
                let (name, used) = name_of(rest.get(1..).unwrap_or(""));
                let font = match name {
                    "B" | "3" | "BI" | "CB" => Font::Bold,
                    "I" | "2" | "CI" => Font::Italic,
                    "CW" | "C" | "CR" | "CO" | "4" => Font::Fixed,
                    "P" | "" => self.before,
                    _ => Font::Plain,
                };
                self.font(font);
                return 1 + used;
            }
            '(' | '[' | 'C' => {
                let (name, used) = match character {
                    'C' => quoted(rest.get(1..).unwrap_or("")),
                    _ => name_of(rest),
                };
                self.special(name);
                return used + usize::from(character == 'C');
            }
            '*' => {
                let (name, used) = name_of(rest.get(1..).unwrap_or(""));
                let words = strings.get(name).to_owned();
                self.piece.push_str(&words);
                return 1 + used;
            }
            'n' | 'm' | 'M' | 'F' | 'k' | 'g' | 'Y' | 'V' => {
                let sign = rest.get(1..).unwrap_or("");
                let signed = usize::from(character == 'n' && sign.starts_with(['+', '-']));
                let (_, used) = name_of(sign.get(signed..).unwrap_or(""));
                return 1 + signed + used;
            }
            's' => {
                let after = rest.get(1..).unwrap_or("");
                let sign = usize::from(after.starts_with(['+', '-']));
                let number = after.get(sign..).unwrap_or("");
                if number.starts_with('[') || number.starts_with('(') {
                    return 1 + sign + name_of(number).1;
                }
                if number.starts_with('\'') {
                    return 1 + sign + quoted(number).1;
                }
                let digits = number
                    .bytes()
                    .take(2)
                    .take_while(u8::is_ascii_digit)
                    .count();
                // Only sizes up to 39 have two digits.
                let digits = if number.starts_with(['0', '4', '5', '6', '7', '8', '9']) {
                    digits.min(1)
                } else {
                    digits
                };
                return 1 + sign + digits;
            }
            'h' | 'v' | 'w' | 'X' | 'l' | 'L' | 'D' | 'b' | 'S' | 'H' | 'x' | 'R' | 'A' | 'B'
            | 'Z' | 'o' => {
                let (inner, used) = quoted(rest.get(1..).unwrap_or(""));
                if character == 'o' {
                    self.piece.push_str(inner.get(..1).unwrap_or(""));
                }
                return 1 + used;
            }
            'N' => {
                let (inner, used) = quoted(rest.get(1..).unwrap_or(""));
                let found = inner
                    .parse()
                    .ok()
                    .and_then(char::from_u32)
                    .filter(|c| !c.is_control());
                self.piece.extend(found);
                return 1 + used;
            }
            // Breaks, thin spaces and what only typesetters see.
            '&' | '|' | '^' | '%' | ':' | '/' | ',' | ')' | '!' | '?' | '{' | '}' | 'a' | 'd'
            | 'u' | 'r' | 'p' | 'z' => {}
            other => self.piece.push(other),
        }
        width
    }

    fn special(&mut self, name: &str) {
        if let Some(code) = name.strip_prefix('u')
            && code.len() >= 4
            && let Some(found) = code
                .split('_')
                .next()
                .and_then(|code| u32::from_str_radix(code, 16).ok())
                .and_then(char::from_u32)
            && !found.is_control()
        {
            self.piece.push(found);
            return;
        }
        self.piece.push_str(match name {
            "nb" | "u00A0" => " ",
            _ => SPECIAL.get(name).copied().unwrap_or(""),
        });
    }

    fn flush(&mut self) {
        if self.piece.is_empty() {
            return;
        }
        let text = std::mem::take(&mut self.piece);
        self.out.push(match self.font {
            Font::Plain => Inline::Text(text),
            // Blanks are in no font.
            _ if text.trim().is_empty() => Inline::Text(text),
            Font::Bold => Inline::Strong(vec![Inline::Text(text)]),
            Font::Italic => Inline::Emphasis(vec![Inline::Text(text)]),
            Font::Fixed => Inline::Code(text),
        });
    }

    /// What was written.
    pub(crate) fn finish(mut self) -> Vec<Inline> {
        self.flush();
        self.out
    }

    /// What was written, without fonts.
    pub(crate) fn plain(self) -> String {
        skillkiln_document::text::plain(&self.finish())
    }
}

/// `x`, `(xx` or `[name]`, and the bytes it takes.
fn name_of(rest: &str) -> (&str, usize) {
    if let Some(inner) = rest.strip_prefix('[') {
        return match inner.find(']') {
            Some(end) => (inner.get(..end).unwrap_or(""), end + 2),
            None => ("", rest.len()),
        };
    }
    if let Some(inner) = rest.strip_prefix('(') {
        let end = inner
            .char_indices()
            .nth(2)
            .map_or(inner.len(), |(at, _)| at);
        return (inner.get(..end).unwrap_or(""), end + 1);
    }
    let end = rest.chars().next().map_or(0, char::len_utf8);
    (rest.get(..end).unwrap_or(""), end)
}

/// What stands between two of the same character, and the bytes it takes.
fn quoted(rest: &str) -> (&str, usize) {
    let Some(mark) = rest.chars().next() else {
        return ("", 0);
    };
    let inner = rest.get(mark.len_utf8()..).unwrap_or("");
    match inner.find(mark) {
        Some(end) => (inner.get(..end).unwrap_or(""), end + 2 * mark.len_utf8()),
        None => ("", rest.len()),
    }
}

/// The arguments of a macro: split at blanks, held together by quotes.
pub(crate) fn arguments(rest: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut characters = rest.trim_start().chars().peekable();
    while characters.peek().is_some() {
        let mut argument = String::new();
        let quoted = characters.next_if_eq(&'"').is_some();
        while let Some(character) = characters.next() {
            match character {
                '"' if quoted => {
                    if characters.next_if_eq(&'"').is_none() {
                        break;
                    }
                    argument.push('"');
                }
                '\\' => {
                    match characters.peek() {
                        // The rest is a comment.
                        Some('"') => {
                            characters.by_ref().for_each(drop);
                            if argument.is_empty() && !quoted {
                                return out;
                            }
                        }
                        Some(next) => {
                            let next = *next;
                            argument.push('\\');
                            argument.push(next);
                            characters.next();
                        }
                        None => argument.push('\\'),
                    }
                }
                ' ' | '\t' if !quoted => break,
                other => argument.push(other),
            }
        }
        while characters.next_if(|c| matches!(c, ' ' | '\t')).is_some() {}
        out.push(argument);
    }
    out
}
