//! Reads LaTeX: sections, lists, tables and listings, commands taken back to their words, with byte ranges into the
//! source itself.
//!
//! Commands are not run: what a document defines for itself is shown by its arguments.

mod commands;
mod environments;
mod groups;
mod inline;

use crate::builder::tidy;
use crate::markup::latex::groups::group;
use crate::markup::latex::inline::inline;
use skillkiln_document::blocks::{About, Block, BlockKind, Definition, Document, Span};
use skillkiln_document::text::{Inline, plain, squash};

/// Reads `text` as LaTeX.
#[must_use]
pub fn read(text: String) -> Document {
    let mut reader = Reader {
        text: &text,
        at: 0,
        levels: vec![Level::new(Open::Root, 0)],
        words: Vec::new(),
        piece: String::new(),
        start: None,
        end: 0,
        about: About::default(),
        title: None,
        has_parts: text.contains("\\chapter{"),
    };
    if let Some(begin) = text.find("\\begin{document}") {
        reader.preamble(begin);
        reader.at = begin + "\\begin{document}".len();
    }
    reader.all();
    let (title, about, blocks) = reader.finish();
    let title = title.or_else(|| crate::markup::lines::first_title(&blocks));
    Document::of(title, about, text, blocks)
}

#[derive(Debug)]
enum Open {
    Root,
    /// An environment that only holds its content.
    Plain(String),
    List {
        ordered: bool,
        items: Vec<Vec<Block>>,
    },
    Definitions(Vec<Definition>),
    Quote,
    Note(String),
    Figure {
        source: String,
        caption: Vec<Inline>,
        is_table: bool,
    },
}

#[derive(Debug)]
struct Level {
    open: Open,
    start: usize,
    blocks: Vec<Block>,
    name: String,
}

impl Level {
    fn new(open: Open, start: usize) -> Self {
        Self {
            open,
            start,
            blocks: Vec::new(),
            name: String::new(),
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    levels: Vec<Level>,
    /// The paragraph that is open: finished pieces, then the words since.
    words: Vec<Inline>,
    piece: String,
    start: Option<usize>,
    end: usize,
    about: About,
    title: Option<String>,
    has_parts: bool,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// What a document says of itself before it begins.
    fn preamble(&mut self, end: usize) {
        for (command, length) in [("\\title", 6), ("\\author", 7), ("\\date", 5)] {
            let Some(at) = self
                .text
                .get(..end)
                .and_then(|head| head.find(&format!("{command}{{")))
            else {
                continue;
            };
            let (argument, _) = group(self.text.get(at + length..).unwrap_or(""));
            let words = squash(&plain(&inline(argument, 0)).replace('\n', " "));
            let words = Some(words).filter(|words| !words.is_empty());
            match command {
                "\\title" => {
                    self.title.clone_from(&words);
                    if let Some(words) = words {
                        let text = vec![Inline::Text(words)];
                        let span = Span::of(at..at + length + argument.len() + 2);
                        self.push(Block {
                            kind: BlockKind::Heading { level: 1, text },
                            span,
                        });
                    }
                }
                "\\author" => self.about.author = words,
                _ => self.about.date = words,
            }
        }
    }

    fn all(&mut self) {
        while let Some(character) = self.rest().chars().next() {
            match character {
                '\\' => self.command(),
                '%' => self.comment(),
                '$' => self.formula(),
                '\n' => self.line_end(),
                '{' | '}' => self.at += 1,
                '~' => self.word(" ", 1),
                '&' => self.word(" ", 1),
                '`' if self.rest().starts_with("``") => self.word("“", 2),
                '\'' if self.rest().starts_with("''") => self.word("”", 2),
                '-' if self.rest().starts_with("---") => self.word("—", 3),
                '-' if self.rest().starts_with("--") => self.word("–", 2),
                _ => {
                    // A stretch without anything special at once.
                    let rest = self.rest();
                    let width = character.len_utf8();
                    let length = rest
                        .get(width..)
                        .and_then(|after| {
                            after.find(['\\', '%', '$', '\n', '{', '}', '~', '&', '`', '\'', '-'])
                        })
                        .map_or(rest.len(), |length| width + length);
                    let stretch = rest.get(..length).unwrap_or("");
                    self.word(stretch, length);
                }
            }
        }
    }

    fn word(&mut self, words: &str, used: usize) {
        if !words.trim().is_empty() {
            self.start.get_or_insert(self.at);
            self.end = self.at + used;
        }
        self.piece.push_str(words);
        self.at += used;
    }

    fn inline(&mut self, pieces: Vec<Inline>, used: usize) {
        self.start.get_or_insert(self.at);
        self.end = self.at + used;
        if !self.piece.is_empty() {
            self.words
                .push(Inline::Text(std::mem::take(&mut self.piece)));
        }
        self.words.extend(pieces);
        self.at += used;
    }

    fn comment(&mut self) {
        let rest = self.rest();
        // The end of the line and the blanks of the next go with it.
        let length = rest.find('\n').map_or(rest.len(), |at| at + 1);
        self.at += length;
        // An empty line after a comment still ends the paragraph.
        let blanks = self.rest().len() - self.rest().trim_start_matches([' ', '\t']).len();
        if !self
            .rest()
            .get(blanks..)
            .is_some_and(|rest| rest.starts_with('\n'))
        {
            self.at += blanks;
        } else if !self
            .text
            .get(..self.at - length)
            .is_some_and(|before| before.ends_with('\n'))
        {
            self.end_paragraph();
        }
    }

    fn line_end(&mut self) {
        let rest = self.rest().get(1..).unwrap_or("");
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t', '\r']).len();
        if rest
            .get(blanks..)
            .is_some_and(|rest| rest.starts_with('\n'))
        {
            self.end_paragraph();
        }
        self.piece.push(' ');
        self.at += 1 + blanks;
    }

    fn push(&mut self, block: Block) {
        if let Some(level) = self.levels.last_mut() {
            level.blocks.push(block);
        }
    }

    fn end_paragraph(&mut self) {
        if !self.piece.is_empty() {
            self.words
                .push(Inline::Text(std::mem::take(&mut self.piece)));
        }
        let text = tidy(std::mem::take(&mut self.words));
        if let Some(start) = self.start.take()
            && !text.is_empty()
        {
            let end = self.end.clamp(start, self.text.len());
            self.push(Block {
                kind: BlockKind::Paragraph(text),
                span: Span::of(start..end),
            });
        }
    }

    fn finish(mut self) -> (Option<String>, About, Vec<Block>) {
        self.end_paragraph();
        while self.levels.len() > 1 {
            self.close(self.text.len());
        }
        let level = self.levels.pop();
        let blocks = level.map_or_else(Vec::new, |level| level.blocks);
        (self.title, self.about, blocks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::markdown::write;

    #[test]
    fn a_paper_reads_as_prose() {
        let source = "\\documentclass{article}\n\\title{On Kilns}\\author{A. B\\\"uhl}\n\\begin{document}\n\\maketitle\n% gone\n\\section{Heat}\\label{s}\nThe \\emph{first} fire --- see \\cite{k}, 5\\,\\% of $x_1$.%\n\n\\begin{itemize}\n\\item one \\texttt{a\\_b}\n\\item two\\sout{ three}\n\\begin{enumerate}\\item in\\end{enumerate}\n\\end{itemize}\n\\begin{lstlisting}[language=Python]\ndef f():\n    return 1 % kept\n\\end{lstlisting}\n\\subsection{Table}\n\\begin{tabular}{ll}\n\\hline\nKey & Value \\\\ \\hline\na & \\textbf{b} \\\\\n\\end{tabular}\n\\[ E = mc^2 \\]\n\\end{document}\n";
        let document = read(source.to_owned());
        assert_eq!(document.title.as_deref(), Some("On Kilns"));
        assert_eq!(document.about.author.as_deref(), Some("A. Bühl"));
        assert_eq!(
            write(&document.blocks),
            "# On Kilns\n\n## Heat\n\nThe *first* fire — see [k], 5 % of $x_1$.\n\n- one `a_b`\n- two\n  1. in\n\n```python\ndef f():\n    return 1 % kept\n```\n\n### Table\n\n| Key | Value |\n| --- | --- |\n| a | **b** |\n\n```math\nE = mc^2\n```\n"
        );
        assert!(
            document
                .evidence(&document.blocks[2].span)
                .starts_with("The \\emph{first}")
        );
    }
}
