//! Reads the displays of manual pages that are code, to the letter.

use crate::markup::lines::{self, Line};
use crate::markup::man::escapes::{Font, Writer, arguments};
use crate::markup::man::macros::words_of;
use crate::markup::man::{Reader, mdoc};
use skillkiln_document::blocks::BlockKind;
use skillkiln_document::text::plain;

impl<'a> Reader<'a> {
    pub(super) fn macro_in_code(&mut self, name: &str, after: &str, line: Line<'a>) {
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

    pub(super) fn end_code(&mut self) {
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
}
