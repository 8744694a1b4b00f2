//! Knows the macros of manual pages: what each line that begins with a dot asks for.

use crate::markup::lines::{self, Line};
use crate::markup::man::conditions::until;
use crate::markup::man::escapes::{Font, Writer, arguments};
use crate::markup::man::{Open, Reader, mdoc, tbl};
use skillkiln_document::blocks::BlockKind;
use skillkiln_document::text::{Inline, plain};

impl<'a> Reader<'a> {
    pub(super) fn macro_line(
        &mut self,
        name: &str,
        after: &str,
        line: Line<'a>,
        rest: &[Line<'a>],
    ) -> usize {
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
            // `IX` is what pod2man writes for an index that no reader sees.
            | "ec" | "eo" | "bp" | "pl" | "tm" | "rr" | "ev" | "IX" => {
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
}

/// The words of a line of mdoc.
pub(super) fn words_of(text: &str) -> Vec<String> {
    arguments(text)
}

/// Words that begin with none of mdoc's macros read as plain ones.
pub(super) fn with_no(mut words: Vec<String>) -> Vec<String> {
    words.insert(0, "No".to_owned());
    words
}
