//! Reads the displays of manual pages that are code, to the letter.

use crate::domain::document::BlockKind;
use crate::domain::text::plain;
use crate::pipeline::extract::markup::lines::{self, Line};
use crate::pipeline::extract::markup::man::escapes::{Font, Writer, arguments};
use crate::pipeline::extract::markup::man::macros::words_of;
use crate::pipeline::extract::markup::man::{Reader, mdoc};

impl<'a> Reader<'a> {
    pub(super) fn macro_in_code(&mut self, name: &str, after: &str, line: Line<'a>) {
        match name {
            "fi" | "EE" | "Ve" | "Ed" => self.end_code(),
            // The end of what is indented ends code that nobody ended.
            "El" | "RE" | "UNINDENT" if self.code.as_ref().is_some_and(Vec::is_empty) => {
                self.end_code()
            }
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

/// How many lines from the start of an indented stretch are the commands of a console that fill it: the first begins with a
/// prompt and only words follow to the end. A typesetter would fill them like prose, but nobody can type that.
pub(super) fn console_length(lines: &[Line<'_>]) -> usize {
    // Before a number, the sign is that of a price.
    let is_prompted = |line: &Line<'_>| {
        line.text
            .strip_prefix("$ ")
            .is_some_and(|typed| !typed.trim_start().starts_with(|c: char| c.is_ascii_digit()))
    };
    if !lines.first().is_some_and(is_prompted) {
        return 0;
    }
    let Some(length) = lines
        .iter()
        .position(|line| line.text.starts_with(['.', '\'']))
    else {
        return 0;
    };
    let is_end = lines
        .get(length)
        .is_some_and(|line| matches!(line.text.trim(), ".RE" | ".UNINDENT"));
    // What stands behind an empty line and has no prompt may be words about the command.
    let stretch = lines.get(..length).unwrap_or_default();
    let is_all_typed = stretch.windows(2).all(
        |pair| !matches!(pair, [before, line] if before.is_blank() && !line.is_blank() && !line.text.starts_with("$ ")),
    );
    let speaks = stretch
        .split(is_prompted)
        .any(|answer| is_sentence(answer.iter().map(|line| line.text)));
    if is_end && is_all_typed && !speaks {
        length
    } else {
        0
    }
}

/// Whether what stands below a command is a sentence about it and not what it answers.
fn is_sentence<'t>(lines: impl Iterator<Item = &'t str>) -> bool {
    let (mut words, mut letters, mut others) = (0, 0, 0);
    let mut last = "";
    for line in lines {
        last = line.trim();
        words += last.split_whitespace().count();
        let read = last
            .chars()
            .filter(|c| c.is_alphabetic() || *c == ' ')
            .count();
        letters += read;
        others += last.chars().count() - read;
    }
    words >= 6 && last.ends_with(['.', '!', '?']) && others * 9 <= letters
}
