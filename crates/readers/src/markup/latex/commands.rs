//! Reads the commands of LaTeX that stand in the text: sections, captions, formulas, what is included and what only sets.

use crate::builder::tidy;
use crate::markup::latex::groups::{argument_after, end_of_formula, group, optional, verb};
use crate::markup::latex::inline::{inline, piece_of};
use crate::markup::latex::{Open, Reader};
use skillkiln_document::blocks::{Block, BlockKind, Span};
use skillkiln_document::missing;
use skillkiln_document::text::{Inline, squash};

/// How far a formula may reach.
const FORMULA_BYTES_MAX: usize = 20_000;

impl<'a> Reader<'a> {
    pub(super) fn formula(&mut self) {
        let rest = self.rest();
        let (mark, inner) = match rest.strip_prefix("$$") {
            Some(inner) => ("$$", inner),
            None => ("$", rest.get(1..).unwrap_or("")),
        };
        // Only so far is looked at all: a text of nothing but marks would be searched to its end for each of them.
        let inner = inner
            .get(..inner.floor_char_boundary(FORMULA_BYTES_MAX))
            .unwrap_or("");
        let paragraph = inner.split("\n\n").next().unwrap_or("");
        let Some(end) = end_of_formula(paragraph, mark) else {
            return self.word("$", 1);
        };
        let formula = squash(inner.get(..end).unwrap_or(""));
        let used = end + 2 * mark.len();
        if mark == "$$" {
            self.end_paragraph();
            self.display(formula, used);
        } else {
            self.inline(vec![Inline::Math(formula)], used);
        }
    }

    pub(super) fn display(&mut self, formula: String, used: usize) {
        let span = Span::of(self.at..self.at + used);
        self.at += used;
        if !formula.trim().is_empty() {
            self.push(Block {
                kind: BlockKind::Math(formula.trim().to_owned()),
                span,
            });
        }
    }

    pub(super) fn command(&mut self) {
        let rest = self.rest();
        let name_length = rest
            .bytes()
            .skip(1)
            .take_while(u8::is_ascii_alphabetic)
            .count();
        let name = rest.get(1..=name_length).unwrap_or("");
        if name.is_empty() {
            return self.symbol();
        }
        let star = usize::from(
            rest.get(1 + name_length..)
                .is_some_and(|after| after.starts_with('*')),
        );
        let used = 1 + name_length + star;
        match name {
            "begin" => self.begin(),
            "end" => {
                let (name, length) = group(rest.get(4..).unwrap_or(""));
                self.end_environment(name, 4 + length);
            }
            "part" | "chapter" | "section" | "subsection" | "subsubsection" | "paragraph"
            | "subparagraph" => {
                self.section(name, used);
            }
            "item" => self.item(used),
            "par" | "newpage" | "clearpage" | "bigskip" | "medskip" | "smallskip" | "maketitle"
            | "tableofcontents" | "noindent" | "hline" => {
                if name != "noindent" {
                    self.end_paragraph();
                }
                self.at += used;
            }
            "caption" => {
                let (argument, length) = argument_after(rest.get(used..).unwrap_or(""));
                let text = tidy(inline(argument, 0));
                let mut around = self.levels.iter_mut().rev();
                let figure = around.find_map(|level| match &mut level.open {
                    Open::Figure { caption, .. } => Some(caption),
                    _ => None,
                });
                match figure {
                    Some(caption) => {
                        *caption = text;
                        self.at += used + length;
                    }
                    None => self.inline(text, used + length),
                }
            }
            "includegraphics" => {
                let (argument, length) = argument_after(rest.get(used..).unwrap_or(""));
                let name = argument.to_owned();
                let mut around = self.levels.iter_mut().rev();
                let figure = around.find_map(|level| match &mut level.open {
                    Open::Figure { source, .. } => Some(source),
                    _ => None,
                });
                if let Some(source) = figure {
                    source.clone_from(&name);
                    self.at += used + length;
                } else {
                    self.end_paragraph();
                    let span = Span::of(self.at..self.at + used + length);
                    self.at += used + length;
                    let kind = BlockKind::Figure {
                        source: name,
                        alternative: String::new(),
                        caption: Vec::new(),
                    };
                    self.push(Block { kind, span });
                }
            }
            "input" | "include" | "lstinputlisting" | "verbatiminput" | "inputminted" => {
                let after = rest.get(used..).unwrap_or("");
                let (first, length) = argument_after(after);
                let (second, more) = if name == "inputminted" {
                    argument_after(after.get(length..).unwrap_or(""))
                } else {
                    (first, 0)
                };
                self.end_paragraph();
                self.inline(missing::paragraph([second]), used + length + more);
                self.end_paragraph();
            }
            "verb" | "lstinline" => {
                let after = rest.get(used..).unwrap_or("");
                let (code, length) = verb(after);
                self.inline(vec![Inline::Code(code.to_owned())], used + length);
            }
            // The name of a place, and what stands there.
            "hypertarget" => {
                let (_, length) = group(rest.get(used..).unwrap_or(""));
                self.at += used + length;
            }
            "documentclass"
            | "usepackage"
            | "label"
            | "DefineVerbatimEnvironment"
            | "index"
            | "bibliographystyle"
            | "bibliography"
            | "pagestyle"
            | "thispagestyle"
            | "setcounter"
            | "vspace"
            | "hspace"
            | "newcommand"
            | "renewcommand"
            | "providecommand"
            | "def"
            | "input@path"
            | "addtocounter"
            | "setlength"
            | "addtolength"
            | "phantomsection"
            | "addcontentsline"
            | "hypersetup"
            | "lstset"
            | "newenvironment"
            | "DeclareMathOperator"
            | "graphicspath"
            | "geometry"
            | "definecolor"
            | "pagenumbering"
            | "markboth"
            | "author"
            | "date"
            | "title"
            | "glsresetall" => {
                self.at += used;
                self.skip_arguments();
            }
            _ => {
                let (pieces, length) = piece_of(rest, 0);
                self.inline(pieces, length);
            }
        }
    }

    fn symbol(&mut self) {
        let rest = self.rest();
        let next = rest.chars().nth(1);
        match next {
            Some('[') | Some('(') => {
                let display = next == Some('[');
                let inner = rest.get(2..).unwrap_or("");
                let limit = inner.floor_char_boundary(20_000);
                let close = if display { "\\]" } else { "\\)" };
                match inner.get(..limit).and_then(|inner| inner.find(close)) {
                    Some(end) => {
                        let formula = squash(inner.get(..end).unwrap_or(""));
                        if display {
                            self.end_paragraph();
                            self.display(formula, end + 4);
                        } else {
                            self.inline(vec![Inline::Math(formula)], end + 4);
                        }
                    }
                    None => self.at += 2,
                }
            }
            Some('\\') => {
                let after = rest.get(2..).unwrap_or("");
                let (_, length) = optional(after.trim_start_matches('*'));
                let star = usize::from(after.starts_with('*'));
                let used = 2 + star + if length < 20 { length } else { 0 };
                if self.start.is_some() {
                    self.inline(vec![Inline::Break], used);
                } else {
                    self.at += used;
                }
            }
            _ => {
                let (pieces, length) = piece_of(rest, 0);
                self.inline(pieces, length);
            }
        }
    }

    /// Skips the arguments of a command that says nothing.
    pub(super) fn skip_arguments(&mut self) {
        for _ in 0..6 {
            let rest = self.rest();
            let used = if rest.starts_with('[') {
                optional(rest).1
            } else if rest.starts_with('{') {
                group(rest).1
            } else if rest.starts_with('\\')
                && self
                    .text
                    .get(..self.at)
                    .is_some_and(|before| before.ends_with("def"))
            {
                1 + rest
                    .bytes()
                    .skip(1)
                    .take_while(u8::is_ascii_alphabetic)
                    .count()
            } else {
                0
            };
            if used == 0 {
                break;
            }
            self.at += used;
        }
    }

    fn section(&mut self, name: &str, used: usize) {
        self.end_paragraph();
        while self.levels.len() > 1 {
            self.close(self.at);
        }
        let (argument, length) = argument_after(self.rest().get(used..).unwrap_or(""));
        let shift = u8::from(self.has_parts) + u8::from(self.title.is_some());
        let level = match name {
            "part" | "chapter" => 1 + u8::from(self.title.is_some()),
            "section" => 1 + shift,
            "subsection" => 2 + shift,
            "subsubsection" => 3 + shift,
            "paragraph" => 4 + shift,
            _ => 5 + shift,
        }
        .min(6);
        let text = tidy(inline(argument, 0));
        let span = Span::of(self.at..(self.at + used + length).min(self.text.len()));
        self.at += used + length;
        if !text.is_empty() {
            self.push(Block {
                kind: BlockKind::Heading { level, text },
                span,
            });
        }
    }
}
