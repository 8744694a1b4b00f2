//! Reads the environments of LaTeX: lists, listings, tables, figures and quotations.

use crate::builder::tidy;
use crate::markup::latex::groups::DEPTH_MAX;
use crate::markup::latex::groups::{group, optional};
use crate::markup::latex::inline::inline;
use crate::markup::latex::{Level, Open, Reader};
use crate::markup::lines::language_of;
use crate::words::{WordList, words};
use skillkiln_document::blocks::{Block, BlockKind, Definition, Span};
use skillkiln_document::text::Inline;

/// Environments whose arguments are for the typesetter.
static SHOWN: WordList = words!(
    "figure table wrapfigure enumerate itemize description minipage multicols frame columns column theorem thebibliography \
     adjustwidth spacing"
);

impl<'a> Reader<'a> {
    pub(super) fn item(&mut self, used: usize) {
        self.end_paragraph();
        let (label, length) = optional(self.rest().get(used..).unwrap_or(""));
        // Blocks since the last item belong to it.
        self.gather();
        let term = tidy(inline(label, 0));
        self.at += used + length;
        self.end = self.end.max(self.at);
        if let Some(level) = self.levels.last_mut() {
            match &mut level.open {
                Open::List { items, .. } => items.push(Vec::new()),
                Open::Definitions(entries) => entries.push(Definition {
                    terms: vec![term],
                    blocks: Vec::new(),
                }),
                _ => {}
            }
        }
    }

    /// Gives the blocks of the level to its last item.
    fn gather(&mut self) {
        if let Some(level) = self.levels.last_mut() {
            match &mut level.open {
                Open::List { items, .. } => {
                    if let Some(item) = items.last_mut() {
                        item.append(&mut level.blocks);
                    }
                }
                Open::Definitions(entries) => {
                    if let Some(entry) = entries.last_mut() {
                        entry.blocks.append(&mut level.blocks);
                    }
                }
                _ => {}
            }
        }
    }

    pub(super) fn begin(&mut self) {
        let rest = self.rest();
        let (name, length) = group(rest.get(6..).unwrap_or(""));
        let name = name.trim();
        let used = 6 + length;
        let base = name.trim_end_matches('*');
        match base {
            "verbatim" | "Verbatim" | "lstlisting" | "minted" | "alltt" | "listing"
            | "semiverbatim" | "Highlighting" | "BVerbatim" | "LVerbatim" | "comment"
            | "tikzpicture" | "filecontents" => {
                self.listing(name, used);
            }
            "equation" | "align" | "gather" | "multline" | "eqnarray" | "displaymath" | "math"
            | "flalign" | "alignat" => {
                self.end_paragraph();
                let inner = rest.get(used..).unwrap_or("");
                let close = format!("\\end{{{name}}}");
                let end = inner.find(&close).unwrap_or(inner.len());
                let formula = inner.get(..end).unwrap_or("").trim().to_owned();
                let formula = if base == "equation" || base == "displaymath" || base == "math" {
                    without_labels(&formula)
                } else {
                    format!(
                        "\\begin{{aligned}}\n{}\n\\end{{aligned}}",
                        without_labels(&formula)
                    )
                };
                self.display(formula, (used + end + close.len()).min(rest.len()));
            }
            "tabular" | "tabularx" | "longtable" | "tabulary" | "array" | "supertabular" => {
                self.table(name, used)
            }
            _ => {
                self.end_paragraph();
                let open = match base {
                    "itemize" | "compactitem" => Open::List {
                        ordered: false,
                        items: Vec::new(),
                    },
                    "enumerate" | "compactenum" => Open::List {
                        ordered: true,
                        items: Vec::new(),
                    },
                    "description" => Open::Definitions(Vec::new()),
                    "quote" | "quotation" | "verse" => Open::Quote,
                    "figure" | "wrapfigure" | "table" | "longtabu" => Open::Figure {
                        source: String::new(),
                        caption: Vec::new(),
                        is_table: base == "table",
                    },
                    "note" | "tip" | "warning" | "important" | "caution" => {
                        Open::Note(base.to_owned())
                    }
                    "theorem" | "lemma" | "definition" | "proof" | "example" | "remark"
                    | "corollary" | "proposition" => Open::Note(base.to_owned()),
                    _ => Open::Plain(base.to_owned()),
                };
                self.at += used;
                let takes = SHOWN.contains(&base);
                if takes {
                    self.skip_arguments();
                }
                if self.levels.len() < DEPTH_MAX {
                    let mut level = Level::new(open, self.at);
                    level.name = name.to_owned();
                    self.levels.push(level);
                }
            }
        }
    }

    /// Text to the letter up to the end of its environment.
    fn listing(&mut self, name: &str, used: usize) {
        self.end_paragraph();
        let rest = self.rest();
        let mut inner = rest.get(used..).unwrap_or("");
        let close = format!("\\end{{{name}}}");
        let end = inner.find(&close).unwrap_or(inner.len());
        inner = inner.get(..end).unwrap_or("");
        let total = (used + end + close.len()).min(rest.len());
        let (mut language, mut body) = (None, inner);
        if let Some(line) = inner.lines().next() {
            let (options, length) = optional(line);
            if length > 0 {
                body = inner.get(length..).unwrap_or("");
                language = options
                    .split(',')
                    .find_map(|option| option.trim().strip_prefix("language="))
                    .and_then(|language| {
                        language_of(
                            language
                                .trim_matches(['{', '}', ' '])
                                .rsplit(']')
                                .next()
                                .unwrap_or(language),
                        )
                    });
            }
            if name.starts_with("minted") {
                let (argument, length) = group(body);
                language = language_of(argument);
                body = body.get(length..).unwrap_or("");
            }
        }
        let text = body.trim_matches('\n').trim_end().to_owned();
        let text = text
            .strip_prefix('\r')
            .unwrap_or(&text)
            .replace("\r\n", "\n");
        let text = match name {
            "Highlighting" => without_highlights(&text),
            _ => text,
        };
        let start = self.at + used;
        let span = Span::of(start..(start + end).min(self.text.len()));
        self.at += total;
        if name != "comment" && !text.trim().is_empty() {
            let language = if name == "tikzpicture" {
                Some("latex".to_owned())
            } else {
                language
            };
            self.push(Block {
                kind: BlockKind::Code { language, text },
                span,
            });
        }
    }

    fn table(&mut self, name: &str, used: usize) {
        self.end_paragraph();
        let rest = self.rest();
        let inner = rest.get(used..).unwrap_or("");
        let close = format!("\\end{{{name}}}");
        let end = inner.find(&close).unwrap_or(inner.len());
        let mut body = inner.get(..end).unwrap_or("");
        let total = (used + end + close.len()).min(rest.len());
        let (_, length) = optional(body);
        body = body.get(length..).unwrap_or("");
        let groups = if name.starts_with("tabularx") || name.starts_with("tabulary") {
            2
        } else {
            1
        };
        for _ in 0..groups {
            let (_, length) = group(body);
            body = body.get(length..).unwrap_or("");
        }
        let mut rows: Vec<Vec<Vec<Inline>>> = rows_of(body)
            .into_iter()
            .map(|row| {
                row.iter()
                    .map(|cell| tidy(inline(cell, 0)))
                    .collect::<Vec<_>>()
            })
            .filter(|row| row.iter().any(|cell| !cell.is_empty()))
            .collect();
        let ruled = body.contains("\\hline") || body.contains("\\midrule");
        let width = rows.iter().map(Vec::len).max().unwrap_or(0);
        rows.iter_mut()
            .for_each(|row| row.resize(width, Vec::new()));
        let span = Span::of(self.at..self.at + total);
        self.at += total;
        if width == 0 {
            return;
        }
        let header = if ruled && rows.len() > 1 {
            rows.remove(0)
        } else {
            vec![Vec::new(); width]
        };
        self.push(Block {
            kind: BlockKind::Table {
                header,
                rows,
                caption: None,
            },
            span,
        });
    }

    pub(super) fn end_environment(&mut self, name: &str, used: usize) {
        self.end_paragraph();
        // The end of what is not open closes nothing.
        if let Some(at) = self
            .levels
            .iter()
            .rposition(|level| level.name == name.trim() && !level.name.is_empty())
        {
            while self.levels.len() > at.max(1) {
                self.close(self.at + used);
            }
        }
        self.at += used;
    }

    pub(super) fn close(&mut self, end: usize) {
        if self.levels.len() < 2 {
            return;
        }
        self.gather();
        let Some(level) = self.levels.pop() else {
            return;
        };
        let span = Span::of(level.start..end.min(self.text.len()).max(level.start));
        let mut blocks = level.blocks;
        let kind = match level.open {
            Open::Root => None,
            Open::Plain(name) if name == "abstract" && !blocks.is_empty() => {
                let kind = BlockKind::Admonition {
                    class: "abstract".to_owned(),
                    title: None,
                    blocks: std::mem::take(&mut blocks),
                };
                Some(kind)
            }
            Open::Plain(_) => None,
            Open::List { ordered, items } => {
                let items: Vec<_> = items.into_iter().filter(|item| !item.is_empty()).collect();
                (!items.is_empty()).then_some(BlockKind::List {
                    start: ordered.then_some(1),
                    items,
                })
            }
            Open::Definitions(entries) => {
                (!entries.is_empty()).then_some(BlockKind::Definitions(entries))
            }
            Open::Quote if blocks.is_empty() => None,
            Open::Quote => Some(BlockKind::Quote(std::mem::take(&mut blocks))),
            Open::Note(_) if blocks.is_empty() => None,
            Open::Note(class) => Some(BlockKind::Admonition {
                class,
                title: None,
                blocks: std::mem::take(&mut blocks),
            }),
            Open::Figure {
                source,
                caption,
                is_table,
            } => {
                let mut caption = caption;
                for block in &mut blocks {
                    if let BlockKind::Table { caption: own, .. } = &mut block.kind
                        && !caption.is_empty()
                    {
                        *own = Some(std::mem::take(&mut caption));
                    }
                }
                if !source.is_empty() && !is_table {
                    Some(BlockKind::Figure {
                        source,
                        alternative: String::new(),
                        caption,
                    })
                } else if caption.is_empty() {
                    None
                } else {
                    Some(BlockKind::Paragraph(caption))
                }
            }
        };
        for block in blocks {
            self.push(block);
        }
        if let Some(kind) = kind {
            self.push(Block { kind, span });
        }
    }
}

fn without_labels(formula: &str) -> String {
    let mut out = String::with_capacity(formula.len());
    let mut rest = formula;
    while let Some((before, after)) = rest.split_once("\\label{") {
        out.push_str(before);
        rest = after.split_once('}').map_or("", |(_, rest)| rest);
    }
    out.push_str(rest);
    out.trim().to_owned()
}

/// The cells of a table, cut at `&` and `\\`.
fn rows_of(body: &str) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let mut row = Vec::new();
    let mut cell = String::new();
    let mut characters = body.chars().peekable();
    let mut depth = 0usize;
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.peek().copied() {
                Some('\\') if depth == 0 => {
                    characters.next();
                    row.push(std::mem::take(&mut cell));
                    rows.push(std::mem::take(&mut row));
                }
                Some(next) => {
                    cell.push('\\');
                    if !next.is_ascii_alphabetic() {
                        cell.push(next);
                        characters.next();
                    }
                }
                None => {}
            },
            '%' => while characters.next_if(|c| *c != '\n').is_some() {},
            '&' if depth == 0 => row.push(std::mem::take(&mut cell)),
            '{' => {
                depth += 1;
                cell.push('{');
            }
            '}' => {
                depth = depth.saturating_sub(1);
                cell.push('}');
            }
            other => cell.push(other),
        }
    }
    row.push(cell);
    rows.push(row);
    rows
}

/// A listing as pandoc writes it, without the commands that colour its words, and with the signs that others stand for.
fn without_highlights(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['\\', '{', '}']) {
        let (before, behind) = rest.split_at(at);
        out.push_str(before);
        let Some(command) = behind.strip_prefix('\\') else {
            // A brace of a command; one of the code is written behind a backslash.
            rest = behind.get(1..).unwrap_or_default();
            continue;
        };
        let length = command.bytes().take_while(u8::is_ascii_alphabetic).count();
        let (name, after) = command.split_at(length);
        rest = after;
        match name {
            "" => {
                let sign = after.chars().next();
                out.extend(sign);
                rest = after
                    .get(sign.map_or(0, char::len_utf8)..)
                    .unwrap_or_default();
            }
            "textbackslash" => out.push('\\'),
            "textquotesingle" => out.push('\''),
            "textquotedbl" => out.push('"'),
            "textgreater" => out.push('>'),
            "textless" => out.push('<'),
            "textasciitilde" => out.push('~'),
            "textasciicircum" | "^" => out.push('^'),
            "textasciigrave" => out.push('`'),
            "textbar" => out.push('|'),
            "textdollar" => out.push('$'),
            "textunderscore" => out.push('_'),
            _ => {}
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use crate::markup::latex::read;

    #[test]
    fn a_listing_that_pandoc_coloured_is_code_to_the_letter() {
        let text = "\\documentclass{article}\n\\begin{document}\n\\hypertarget{reading-it}{%\n\\section{Reading it}\\label{reading-it}}\n\n\\begin{Shaded}\n\\begin{Highlighting}[]\n\\ImportTok{import}\\NormalTok{ kiln}\n\\NormalTok{heat }\\OperatorTok{=}\\NormalTok{ read(}\\StringTok{\\textquotesingle{}TOP\\_HEAT\\textquotesingle{}}\\NormalTok{, \\{\\})}\n\\ControlFlowTok{if}\\NormalTok{ heat }\\OperatorTok{\\textgreater{}} \\DecValTok{1300}\\NormalTok{:}\n\\end{Highlighting}\n\\end{Shaded}\n\\end{document}\n".to_owned();
        assert_eq!(
            skillkiln_document::markdown::write(&read(text).blocks),
            "# Reading it\n\n```\nimport kiln\nheat = read('TOP_HEAT', {})\nif heat > 1300:\n```\n"
        );
    }
}
