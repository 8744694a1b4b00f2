//! Reads the displays of manual pages that are code, to the letter.

use crate::markup::lines::{self, Line};
use crate::markup::man::escapes::{Font, Writer, arguments};
use crate::markup::man::macros::words_of;
use crate::markup::man::{Reader, mdoc};
use skillkiln_document::blocks::BlockKind;
use skillkiln_document::text::{Inline, plain};

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
        let indent = shared_blanks(&rendered);
        // A font alone stands on the first line.
        let rendered: Vec<&str> = rendered
            .iter()
            .map(|line| line.get(indent..).unwrap_or("").trim_end())
            .skip_while(|line| line.is_empty())
            .collect();
        if rendered.is_empty() {
            return;
        }
        // Who wrote it is set line by line as well.
        if rendered.iter().all(|line| names_somebody(line)) {
            let mut words = Vec::new();
            for line in rendered {
                if !words.is_empty() {
                    words.push(Inline::Break);
                }
                words.push(Inline::Text(line.to_owned()));
            }
            let block = lines::paragraph(words, body);
            return self.push(block);
        }
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

    /// The commands that a paragraph shows: each of its lines is bold from end to end and begins with the name of the page.
    pub(super) fn commands(&self, text: &[Inline]) -> Option<String> {
        let bold = |line: &[Inline]| match line {
            [Inline::Strong(inner)] => Some(plain(inner)),
            _ => None,
        };
        let lines = text.split(|piece| *piece == Inline::Break);
        let lines: Vec<String> = lines.map(bold).collect::<Option<_>>()?;
        let is_call = |line: &String| {
            let given = line.strip_prefix(self.name.as_str());
            given.is_some_and(|given| given.is_empty() || given.starts_with(' '))
        };
        let is_shown = lines.len() >= 2 && !self.name.is_empty() && lines.iter().all(is_call);
        is_shown.then(|| lines.join("\n"))
    }

    /// A line of code, its fonts dropped.
    pub(super) fn code_line(&self, text: &str) -> String {
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

/// Whether a line is somebody's name, and where they are reached in brackets: `Ada Lee (ada@kiln.example).`
fn names_somebody(line: &str) -> bool {
    let line = line.trim_end_matches(['.', ',']);
    let named = |open: char, close: char| {
        let (name, address) = line.strip_suffix(close)?.rsplit_once(open)?;
        Some(name.contains(' ') && address.contains('@') && !address.contains(' '))
    };
    line.starts_with(char::is_uppercase)
        && (named('(', ')').or_else(|| named('<', '>'))) == Some(true)
}

/// How many blanks, spaces and tabs alike, all lines with words begin with.
fn shared_blanks(lines: &[String]) -> usize {
    let mut filled = lines.iter().filter(|line| !line.trim().is_empty());
    let Some(first) = filled.next() else { return 0 };
    let length = first.len() - first.trim_start_matches([' ', '\t']).len();
    filled.fold(length, |length, line| {
        let alike = first.bytes().zip(line.bytes()).take(length);
        alike.take_while(|(one, other)| one == other).count()
    })
}

#[cfg(test)]
mod tests {
    use crate::markup::man::read;
    use skillkiln_document::markdown::write;

    fn written(body: &str) -> String {
        write(&read(format!(".TH kiln 1\n.SH EXAMPLES\n{body}")).blocks)
    }

    #[test]
    fn the_font_that_pandoc_defines_is_that_of_code_and_its_definition_says_nothing() {
        let page = ".ie \"\\f[CB]x\\f[]\"x\" \\{\\\n. ftr V B\n.\\}\n.el \\{\\\n. ftr V CR\n. ftr VI CI\n.\\}\n.TH KILN 1\n.SH NAME\n.PP\nkiln - fire clay\n.SH USE\n.PP\nSay \\f[V]kiln save\\f[R] so:\n.IP\n.nf\n\\f[C]\nkiln -v wood\n\\f[R]\n.fi\n";
        let text = write(&read(page.to_owned()).blocks);
        assert_eq!(
            text,
            "# kiln(1)\n\n## NAME\n\nkiln - fire clay\n\n## USE\n\nSay `kiln save` so:\n\n```\nkiln -v wood\n```\n"
        );
    }

    #[test]
    fn bold_lines_that_begin_with_the_name_of_the_page_are_code() {
        let text = written("Light it:\n.PP\n.B kiln --on oak\n.br\n.B kiln --heat 7\n.PP\nWait.\n");
        assert!(
            text.contains("\n```\nkiln --on oak\nkiln --heat 7\n```\n"),
            "{text}"
        );
        let text = written(".B kilns are hot\n.br\n.B and dry\n");
        assert!(!text.contains("```"), "{text}");
    }

    #[test]
    fn those_who_wrote_it_are_named_line_by_line_and_are_no_code() {
        let text = written(".nf\nAda Lee (ada@kiln.example).\nBo Berg <bo@kiln.example>\n.fi\n");
        assert!(
            text.contains("Ada Lee (ada@kiln.example).\\\nBo Berg \\<bo@kiln.example>\n"),
            "{text}"
        );
        let text = written(".nf\nkiln --to (ada@kiln.example)\n.fi\n");
        assert!(text.contains("```"), "{text}");
    }

    #[test]
    fn terms_that_are_numbers_with_a_point_are_items() {
        let text = written(".TP\n1.\nLight it.\n.TP\n2.\nWait.\n");
        assert!(text.contains("\n1. Light it.\n2. Wait.\n"), "{text}");
        let text = written(".TP\n0\nIt burns.\n.TP\n1\nIt is out.\n");
        assert!(text.contains("**0**: It burns."), "{text}");
    }

    #[test]
    fn a_mark_behind_the_words_of_a_link_is_none_of_them() {
        let text = written("See\n.UR https://kiln.example/\nThe Kiln,\n.UE\nand wait.\n");
        assert!(
            text.contains("See [The Kiln](https://kiln.example/), and wait."),
            "{text}"
        );
    }
}
