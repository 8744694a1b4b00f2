//! Reads what a page indents: the meaning of a term, an item, a command with its prompt, or words like any others.

use crate::builder::tidy;
use crate::markup::lines::Line;
use crate::markup::man::escapes::{Font, Writer};
use crate::markup::man::typed::console_length;
use crate::markup::man::{DEPTH_MAX, Open, Reader};
use skillkiln_document::text::{Inline, plain};

/// More running words than this are a paragraph, and no label.
const LABEL_WORDS_MAX: usize = 8;

/// A question that is answered below it may be longer.
const QUESTION_WORDS_MAX: usize = 30;

/// Words that lead to what follows: the line they end is no label.
const LEADING: [&str; 20] = [
    "or",
    "and",
    "is",
    "are",
    "be",
    "as",
    "by",
    "with",
    "of",
    "to",
    "the",
    "a",
    "like",
    "use",
    "say",
    "says",
    "prints",
    "example",
    "follows",
    "following",
];

impl<'a> Reader<'a> {
    /// `.RS`; gives how many of the lines after it were read with it.
    pub(super) fn indent(&mut self, name: &str, line: Line<'a>, rest: &[Line<'a>]) -> usize {
        // What rst2man indents is a quotation; its terms have a macro of their own.
        let terms = if name == "RS" && begins_with_words(rest) {
            self.label()
        } else {
            None
        };
        if let Some(terms) = terms {
            let start = self.bytes.take().map_or(line.start, |(start, _)| start);
            self.text.clear();
            self.joins = false;
            self.last_end = self.last_end.max(line.start);
            self.open(Open::Explained(terms), start);
            return 0;
        }
        self.end_paragraph();
        let mut taken = console_length(rest);
        if taken > 0 {
            self.code = Some(rest.get(..taken).unwrap_or_default().to_vec());
            self.end_code();
        } else {
            taken = self.take_parted(rest);
        }
        self.open(Open::Indented, line.start);
        taken
    }

    pub(super) fn close_indented(&mut self) {
        self.end_entries();
        if self
            .levels
            .last()
            .is_some_and(|level| matches!(level.open, Open::Indented | Open::Explained(_)))
        {
            self.close();
        }
    }

    /// The terms that the open paragraph names when what is indented below it says what they mean: DocBook and Asciidoctor write
    /// the lists of options in this way. Each term has a line.
    fn label(&self) -> Option<Vec<Vec<Inline>>> {
        // Below `.TP` the first words are the meaning of its term.
        let begins_entry = match &self.levels.last()?.open {
            Open::Definitions(entries) => entries.last().is_none_or(|it| it.blocks.is_empty()),
            Open::Items { items, .. } => items.last().is_none_or(Vec::is_empty),
            _ => false,
        };
        if begins_entry || self.code.is_some() || self.levels.len() >= DEPTH_MAX {
            return None;
        }
        let terms: Vec<_> = self
            .text
            .split(|piece| *piece == Inline::Break)
            .map(|term| tidy(term.to_vec()))
            .filter(|term| !term.is_empty())
            .collect();
        (!terms.is_empty() && terms.iter().all(|term| is_term(term))).then_some(terms)
    }

    /// The mark that DocBook and Asciidoctor draw before an item, in the margin of a stretch that they indent: a bullet or a number.
    pub(super) fn drawn_mark(&mut self, line: Line<'a>) -> bool {
        let Some(mark) = line
            .text
            .strip_prefix("\\h'-04'")
            .filter(|mark| mark.ends_with("\\c") && self.text.is_empty())
        else {
            return false;
        };
        let mut writer = Writer::new(Font::Plain);
        writer.write(mark, &self.strings);
        let mark = writer.plain();
        let number = mark.trim().strip_suffix('.').map(str::parse::<u64>);
        match number {
            Some(Ok(number)) => self.new_item(Some(number), line.start),
            None if mark.trim() == "•" => self.new_item(None, line.start),
            _ => return false,
        }
        true
    }
}

/// Whether what is indented begins with words, and not with a display or a list of its own.
fn begins_with_words(rest: &[Line<'_>]) -> bool {
    rest.iter()
        .filter(|line| !line.is_blank() && !line.text.starts_with(".\\\""))
        .map(|line| {
            line.text
                .strip_prefix(['.', '\''])
                .map(|control| control.split_whitespace().next().unwrap_or(""))
        })
        .find(|name| !matches!(name, Some("PP" | "P" | "LP" | "sp")))
        .is_some_and(|name| {
            matches!(
                name,
                None | Some(
                    "B" | "I" | "BR" | "RB" | "BI" | "IB" | "IR" | "RI" | "SM" | "SB" | "UR" | "if"
                )
            )
        })
}

/// Whether a line names something, as an option or a heading does, and does not say anything of its own.
fn is_term(term: &[Inline]) -> bool {
    let shown = plain(term);
    let shown = shown.trim();
    let is_sentence = shown.ends_with('.') && !shown.ends_with("..") && !shown.ends_with(" .");
    if is_sentence || shown.ends_with([':', ',', ';', '!', '(', '{']) {
        return false;
    }
    let last = shown.rsplit(char::is_whitespace).next().unwrap_or("");
    if LEADING.contains(&last.to_lowercase().as_str()) {
        return false;
    }
    let running = term.iter().map(running_words).sum::<usize>();
    let max = if shown.ends_with('?') {
        QUESTION_WORDS_MAX
    } else {
        LABEL_WORDS_MAX
    };
    running <= max
}

/// Words in small letters that no font marks as a name or a value.
fn running_words(piece: &Inline) -> usize {
    let Inline::Text(text) = piece else { return 0 };
    text.split_whitespace()
        .map(|word| word.trim_matches(['(', ')', ',', '.', '"', '“', '”']))
        .filter(|word| !word.is_empty() && word.chars().all(|c| c.is_lowercase() || c == '’'))
        .count()
}

#[cfg(test)]
mod tests {
    use crate::markup::man::testing::below;

    fn written(body: &str) -> String {
        below("OPTIONS", body)
    }

    #[test]
    fn labels_over_what_is_indented_are_the_terms_of_one_list() {
        let body = ".PP\n\\fB\\-q, \\-\\-quiet\\fR\n.RS 4\nSay nothing.\n.sp\nIt is kept.\n.RE\n.PP\n\\-m <heat>\n.br\n\\-\\-max=<heat>\n.RS 4\nHow hot:\n.PP\n\\fIred\\fR\n.RS 4\nA glow.\n.sp\n.if n \\{\\\n.RS 4\n.\\}\n.nf\nkiln  red\n.fi\n.if n \\{\\\n.RE\n.\\}\n.RE\n.RE\n.PP\nAfter it.\n";
        assert_eq!(
            written(body),
            "- **-q, --quiet**: Say nothing.\n\n  It is kept.\n\n- **-m \\<heat>**, **--max=\\<heat>**: How hot:\n\n  - **red**: A glow.\n\n    ```\n    kiln  red\n    ```\n\nAfter it.\n"
        );
    }

    #[test]
    fn words_of_a_paragraph_over_what_is_indented_are_no_term() {
        for said in [
            "It is hot.",
            "The commands:",
            "To fire it, or",
            "Who wants to know how hot the kiln of the other is asks",
        ] {
            let body = format!(".PP\n{said}\n.RS\nmore words\n.RE\n");
            assert_eq!(written(&body), format!("{said}\n\nmore words\n"));
        }
    }

    #[test]
    fn a_line_over_indented_code_or_terms_is_no_term() {
        for (inner, shown) in [
            (".nf\nkiln -a\n.fi", "```\nkiln -a\n```"),
            (".TP\nhot\nRed.", "- **hot**: Red."),
        ] {
            let body = format!(".TP\n.B heat\nOne level\n.RS\n{inner}\n.RE\n");
            let markdown = written(&body);
            assert!(
                markdown.starts_with("- **heat**: One level\n"),
                "{markdown}"
            );
            assert!(
                markdown.contains(shown.split('\n').next().unwrap_or("")),
                "{markdown}"
            );
        }
    }

    #[test]
    fn marks_that_are_drawn_beside_what_is_indented_make_items() {
        let item = |mark: &str, words: &str| {
            format!(
                ".sp\n.RS 4\n.ie n \\{{\\\n\\h'-04'{mark}\\c\n.\\}}\n.el \\{{\\\n.IP \\(bu 2.3\n.\\}}\n{words}\n.RE\n"
            )
        };
        let body = [
            item("\\(bu\\h'+03'", "wood"),
            item("\\(bu\\h'+03'", "coal"),
            ".sp\nThen:\n".to_owned(),
            item(" 1.\\h'+01'", "dry it"),
            item(" 2.\\h'+01'", "fire it"),
        ]
        .concat();
        assert_eq!(
            written(&body),
            "- wood\n- coal\n\nThen:\n\n1. dry it\n2. fire it\n"
        );
    }
}
