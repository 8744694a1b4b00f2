//! Reads a line of roff: its words, the escapes in them, and the fonts they change to.

use skillkiln_document::text::Inline;
use std::collections::HashMap;
use unicode_normalization::UnicodeNormalization;

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
            // What is doubled waits for the place where the words are used.
            let words = words.trim_start_matches('"').replace("\\\\", "\\");
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
    /// Fonts that were begun without a name and have not ended.
    unnamed: usize,
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
            unnamed: 0,
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
            // A backslash names no font: what stands behind it is an escape of its own, and one more font ends than began.
            'f' if rest.starts_with("f\\") => {
                self.unnamed += 1;
                return 1;
            }
            'f' if self.unnamed > 0 && ends_twice(rest) => {
                self.unnamed -= 1;
                return 2;
            }
            'f' => {
                let (name, used) = name_of(rest.get(1..).unwrap_or(""));
                let font = match name {
                    "B" | "3" | "BI" | "CB" => Font::Bold,
                    "I" | "2" | "CI" => Font::Italic,
                    "CW" | "C" | "CR" | "CO" | "4" => Font::Fixed,
                    // The font in which pandoc writes what stands to the letter.
                    "V" | "VI" | "VB" | "VBI" => Font::Fixed,
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
                match strings.get(name) {
                    // Where terminals are written to, marks that go over the letter before are defined as nothing.
                    "" => self.accentuate(name),
                    words => self.piece.push_str(words),
                }
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
                    let mut struck = inner.chars();
                    self.piece.extend(struck.next());
                    let over = struck.as_str();
                    self.accentuate(over.strip_prefix("\\(").unwrap_or(over));
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
                .map(|code| u32::from_str_radix(code, 16).ok().and_then(char::from_u32))
                .map(|found| found.filter(|found| !found.is_control()))
                .collect::<Option<Vec<char>>>()
        {
            self.piece.extend(found.into_iter().nfc());
            return;
        }
        self.piece.push_str(match name {
            "aq" => "'",
            "cq" => "’",
            "oq" => "‘",
            "lq" => "“",
            "rq" => "”",
            "dq" => "\"",
            "bu" | "ci" => "•",
            "em" => "—",
            "en" => "–",
            "hy" | "mi" | "-" => "-",
            "rs" => "\\",
            "ti" | "ap" => "~",
            "ha" | "a^" => "^",
            "ga" => "`",
            "aa" => "´",
            "at" => "@",
            "sh" => "#",
            "Do" => "$",
            "lB" => "[",
            "rB" => "]",
            "lC" => "{",
            "rC" => "}",
            "la" => "⟨",
            "ra" => "⟩",
            "sl" => "/",
            "ba" | "br" => "|",
            "co" => "©",
            "rg" => "®",
            "tm" => "™",
            "de" => "°",
            "mu" => "×",
            "+-" => "±",
            "<=" => "≤",
            ">=" => "≥",
            "!=" => "≠",
            "->" => "→",
            "<-" => "←",
            "if" => "∞",
            "mc" | "*m" => "µ",
            "12" => "½",
            "14" => "¼",
            "ss" => "ß",
            "oa" => "å",
            "oA" => "Å",
            "/o" => "ø",
            "/O" => "Ø",
            "/l" => "ł",
            "/L" => "Ł",
            "ae" => "æ",
            "AE" => "Æ",
            "oe" => "œ",
            "OE" => "Œ",
            "ij" => "ĳ",
            "IJ" => "Ĳ",
            "-D" => "Ð",
            "Sd" => "ð",
            "TP" => "Þ",
            "Tp" => "þ",
            ".i" => "ı",
            "fi" => "fi",
            "fl" => "fl",
            "ff" => "ff",
            "Fi" => "ffi",
            "Fl" => "ffl",
            "eu" | "Eu" => "€",
            "Po" => "£",
            "ct" => "¢",
            "Ye" => "¥",
            "dg" => "†",
            "dd" => "‡",
            "ps" => "¶",
            "bq" => "‚",
            "Bq" => "„",
            "fo" => "‹",
            "fc" => "›",
            "r!" => "¡",
            "r?" => "¿",
            "34" => "¾",
            "S1" => "¹",
            "S2" => "²",
            "S3" => "³",
            "Of" => "ª",
            "Om" => "º",
            "di" => "÷",
            "ul" | "ru" => "_",
            "bv" | "or" => "|",
            "bb" => "¦",
            "sq" => "□",
            "==" => "≡",
            "~=" | "~~" => "≈",
            "ua" => "↑",
            "da" => "↓",
            "<>" => "↔",
            "lA" => "⇐",
            "rA" => "⇒",
            "sd" => "″",
            "sc" => "§",
            "Fo" => "«",
            "Fc" => "»",
            "eq" => "=",
            "pl" => "+",
            "no" => "¬",
            "OK" => "✓",
            "fm" => "′",
            "*a" => "α",
            "*b" => "β",
            "*p" => "π",
            "nb" | "u00A0" => " ",
            other => return self.composed(other),
        });
    }

    /// A letter with the mark that its name says: `'e`, or `e aa`. A name that nobody knows is written where it stands for a letter
    /// of the word before it.
    fn composed(&mut self, name: &str) {
        let (letter, mark) = match name.split_once(' ') {
            Some(parts) => parts,
            None => match name.char_indices().nth(1) {
                Some((at, _)) => (name.get(at..).unwrap_or(""), name.get(..at).unwrap_or("")),
                None => ("", ""),
            },
        };
        if letter.chars().count() == 1 && combining(mark).is_some() {
            self.piece.push_str(letter);
            self.accentuate(mark);
        } else if self.piece.ends_with(char::is_alphabetic) {
            self.piece
                .extend(name.chars().filter(|c| c.is_alphanumeric()));
        }
    }

    /// Puts the mark of this name over the last letter, where there is such a letter.
    fn accentuate(&mut self, mark: &str) {
        let Some(mark) = combining(mark) else { return };
        let with_mark = |letter| unicode_normalization::char::compose(letter, mark);
        if let Some(letter) = self.piece.chars().next_back().and_then(with_mark) {
            self.piece.pop();
            self.piece.push(letter);
        }
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

/// Whether a font ends here and right behind, as far as anybody sees.
fn ends_twice(rest: &str) -> bool {
    rest.strip_prefix("fP")
        .is_some_and(|after| after.trim_start_matches("\\/").starts_with("\\fP"))
}

/// The character that puts a mark over the letter before, by the name that roff has for it.
fn combining(mark: &str) -> Option<char> {
    Some(match mark {
        "'" | "aa" => '\u{301}',
        "`" | "ga" => '\u{300}',
        "^" | "a^" => '\u{302}',
        "~" | "a~" => '\u{303}',
        ":" | "ad" => '\u{308}',
        "," | "ac" => '\u{327}',
        "v" | "ah" => '\u{30c}',
        "ao" => '\u{30a}',
        "a-" => '\u{304}',
        "a." => '\u{307}',
        "ab" => '\u{306}',
        "a\"" => '\u{30b}',
        "ho" => '\u{328}',
        _ => return None,
    })
}

/// `x`, `(xx` or `[name]`, and the bytes it takes.
fn name_of(rest: &str) -> (&str, usize) {
    if let Some(inner) = rest.strip_prefix('[') {
        // A name may be that of a number: `[\n[.fam]]`.
        let named = inner.strip_prefix("\\n[").and_then(|name| name.find("]]"));
        let end = named.map(|end| end + "\\n[]".len()).or(inner.find(']'));
        return match end {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_with_accents_are_composed_and_no_letter_vanishes() {
        for (source, shown) in [
            ("contr\\(^ole d\\[\'e]p\\(^ot", "contrôle dépôt"),
            (
                "cha\\(^ine \\(`A \\(vS \\(:y \\(,C \\(oA",
                "chaîne À Š ÿ Ç Å",
            ),
            ("caf\\[e aa] \\[u0065_0301] \\o\'e^\'", "café é ê"),
            ("e\\*\'te\\*\' \\*\'x", "été x"),
            ("o\\(fice \\(Po3 \\(ct \\[dg]", "ofice £3 ¢ †"),
            ("ki\\(zzln", "kizzln"),
            ("a \\(zz b", "a  b"),
        ] {
            let mut writer = Writer::new(Font::Plain);
            writer.write(source, &Strings::default());
            assert_eq!(writer.plain(), shown, "{source}");
        }
    }

    #[test]
    fn a_backslash_is_the_name_of_no_font() {
        let mut writer = Writer::new(Font::Plain);
        writer.write("\\f\\fIkiln\\fP\\/\\fP hot", &Strings::default());
        assert_eq!(
            writer.finish(),
            [
                Inline::Emphasis(vec![Inline::Text("kiln".to_owned())]),
                Inline::Text(" hot".to_owned())
            ]
        );
    }

    #[test]
    fn a_string_that_changes_the_family_of_fonts_shows_nothing() {
        let mut strings = Strings::default();
        strings.define("T<", "\\\\FC");
        strings.define("T>", "\\\\F[\\n[.fam]]");
        let mut writer = Writer::new(Font::Plain);
        writer.write("\\*(T<kiln\\*(T> is hot", &strings);
        assert_eq!(writer.plain(), "kiln is hot");
    }
}
