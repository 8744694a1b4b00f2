//! Reads LaTeX: sections, lists, tables and listings, commands taken back to their words, with byte ranges into the
//! source itself.
//!
//! Commands are not run: what a document defines for itself is shown by its arguments.

use crate::domain::document::{About, Block, BlockKind, Definition, Document, Span};
use crate::domain::text::{Inline, plain, squash};
use crate::pipeline::extract::builder::tidy;
use crate::pipeline::extract::markup::markdown::language_of;

/// Deepest nesting of environments that is kept, and of groups inside a line.
const DEPTH_MAX: usize = 24;

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
    Document {
        title: title.or_else(|| super::markdown::first_title(&blocks)),
        about,
        text,
        blocks,
        ..Document::default()
    }
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

    fn formula(&mut self) {
        let rest = self.rest();
        let (mark, inner) = match rest.strip_prefix("$$") {
            Some(inner) => ("$$", inner),
            None => ("$", rest.get(1..).unwrap_or("")),
        };
        let limit = inner.find("\n\n").unwrap_or(inner.len()).min(20_000);
        let limit = (0..=limit)
            .rev()
            .find(|at| inner.is_char_boundary(*at))
            .unwrap_or(0);
        let Some(end) = end_of_formula(inner.get(..limit).unwrap_or(""), mark) else {
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

    fn display(&mut self, formula: String, used: usize) {
        let span = Span::of(self.at..self.at + used);
        self.at += used;
        if !formula.trim().is_empty() {
            self.push(Block {
                kind: BlockKind::Math(formula.trim().to_owned()),
                span,
            });
        }
    }

    fn command(&mut self) {
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
                let figure = self
                    .levels
                    .iter_mut()
                    .rev()
                    .find_map(|level| match &mut level.open {
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
                let figure = self
                    .levels
                    .iter_mut()
                    .rev()
                    .find_map(|level| match &mut level.open {
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
                let text = vec![
                    Inline::Text("Included here: ".to_owned()),
                    Inline::Code(second.to_owned()),
                ];
                self.end_paragraph();
                self.inline(text, used + length + more);
                self.end_paragraph();
            }
            "verb" | "lstinline" => {
                let after = rest.get(used..).unwrap_or("");
                let (code, length) = verb(after);
                self.inline(vec![Inline::Code(code.to_owned())], used + length);
            }
            "documentclass"
            | "usepackage"
            | "label"
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
                let limit = (0..=inner.len().min(20_000))
                    .rev()
                    .find(|at| inner.is_char_boundary(*at))
                    .unwrap_or(0);
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
    fn skip_arguments(&mut self) {
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

    fn item(&mut self, used: usize) {
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

    fn begin(&mut self) {
        let rest = self.rest();
        let (name, length) = group(rest.get(6..).unwrap_or(""));
        let name = name.trim();
        let used = 6 + length;
        let base = name.trim_end_matches('*');
        match base {
            "verbatim" | "Verbatim" | "lstlisting" | "minted" | "alltt" | "listing"
            | "semiverbatim" | "BVerbatim" | "LVerbatim" | "comment" | "tikzpicture"
            | "filecontents" => {
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
                let takes = matches!(
                    base,
                    "figure"
                        | "table"
                        | "wrapfigure"
                        | "enumerate"
                        | "itemize"
                        | "description"
                        | "minipage"
                        | "multicols"
                        | "frame"
                        | "columns"
                        | "column"
                        | "theorem"
                        | "thebibliography"
                        | "adjustwidth"
                        | "spacing"
                );
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

    fn end_environment(&mut self, name: &str, used: usize) {
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

    fn close(&mut self, end: usize) {
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
        let blocks = self
            .levels
            .pop()
            .map(|level| level.blocks)
            .unwrap_or_default();
        (self.title, self.about, blocks)
    }
}

/// The content of the group that `text` begins with, and the bytes it takes; nothing when it begins with none.
fn group(text: &str) -> (&str, usize) {
    let trimmed = text.trim_start_matches([' ', '\t']);
    let lead = text.len() - trimmed.len();
    match enclosed(trimmed, b'{', b'}') {
        Some(end) => (trimmed.get(1..end).unwrap_or(""), lead + end + 1),
        None => ("", 0),
    }
}

/// The content of the brackets that `text` begins with, and the bytes they take.
fn optional(text: &str) -> (&str, usize) {
    match enclosed(text, b'[', b']') {
        Some(end) => (text.get(1..end).unwrap_or(""), end + 1),
        None => ("", 0),
    }
}

/// The argument in braces, behind one in brackets.
fn argument_after(text: &str) -> (&str, usize) {
    let (_, skipped) = optional(text);
    let (argument, length) = group(text.get(skipped..).unwrap_or(""));
    (argument, skipped + length)
}

/// How far a group may reach: a paragraph that never closes must not be searched to the end for each of its braces.
const GROUP_BYTES_MAX: usize = 20_000;

fn enclosed(text: &str, open: u8, close: u8) -> Option<usize> {
    if text.as_bytes().first() != Some(&open) {
        return None;
    }
    let mut depth = 0usize;
    let mut escaped = false;
    for (at, byte) in text.bytes().take(GROUP_BYTES_MAX).enumerate() {
        if escaped {
            escaped = false;
        } else if byte == b'\\' {
            escaped = true;
        } else if byte == open {
            depth += 1;
        } else if byte == close {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

fn end_of_formula(text: &str, mark: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(found) = text.get(from..).and_then(|rest| rest.find(mark)) {
        let at = from + found;
        if !text.get(..at).is_some_and(|before| before.ends_with('\\')) {
            return Some(at);
        }
        from = at + mark.len();
    }
    None
}

/// `|code|` behind `\verb`, or a group.
fn verb(after: &str) -> (&str, usize) {
    let (_, skipped) = optional(after);
    let rest = after.get(skipped..).unwrap_or("");
    if rest.starts_with('{') {
        let (code, length) = group(rest);
        return (code, skipped + length);
    }
    let Some(mark) = rest.chars().next() else {
        return ("", skipped);
    };
    let inner = rest.get(mark.len_utf8()..).unwrap_or("");
    let line = inner.lines().next().unwrap_or("");
    match line.find(mark) {
        Some(end) => (
            line.get(..end).unwrap_or(""),
            skipped + end + 2 * mark.len_utf8(),
        ),
        None => ("", skipped),
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

/// Running text.
fn inline(text: &str, depth: usize) -> Vec<Inline> {
    let mut out = Vec::new();
    let mut words = String::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let length = rest
            .find(['\\', '$', '%', '{', '}', '~', '`', '\'', '-'])
            .unwrap_or(rest.len());
        words.push_str(rest.get(..length).unwrap_or(""));
        at += length;
        let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) else {
            break;
        };
        let used = match rest.as_bytes().first() {
            Some(b'\\') => {
                let (pieces, used) = piece_of(rest, depth);
                if !words.is_empty() {
                    out.push(Inline::Text(std::mem::take(&mut words)));
                }
                out.extend(pieces);
                used
            }
            Some(b'$') => match end_of_formula(rest.get(1..).unwrap_or(""), "$") {
                Some(end) => {
                    if !words.is_empty() {
                        out.push(Inline::Text(std::mem::take(&mut words)));
                    }
                    out.push(Inline::Math(squash(rest.get(1..=end).unwrap_or(""))));
                    end + 2
                }
                None => {
                    words.push('$');
                    1
                }
            },
            Some(b'%') => rest.find('\n').map_or(rest.len(), |end| end + 1),
            Some(b'~') => {
                words.push(' ');
                1
            }
            Some(b'{' | b'}') => 1,
            _ => {
                let (shown, used) = [("``", "“"), ("''", "”"), ("---", "—"), ("--", "–")]
                    .into_iter()
                    .find(|(mark, _)| rest.starts_with(mark))
                    .map_or_else(
                        || (rest.get(..1).unwrap_or(""), 1),
                        |(mark, shown)| (shown, mark.len()),
                    );
                words.push_str(shown);
                used
            }
        };
        at += used.max(1);
    }
    if !words.is_empty() {
        out.push(Inline::Text(words));
    }
    out
}

/// A command inside running text: what it shows, and the bytes it takes.
fn piece_of(rest: &str, depth: usize) -> (Vec<Inline>, usize) {
    let text = |shown: &str| vec![Inline::Text(shown.to_owned())];
    let length = rest
        .bytes()
        .skip(1)
        .take_while(u8::is_ascii_alphabetic)
        .count();
    if length == 0 {
        let Some(next) = rest.chars().nth(1) else {
            return (Vec::new(), 1);
        };
        let used = 1 + next.len_utf8();
        return match next {
            '%' | '$' | '&' | '#' | '_' | '{' | '}' => (text(&next.to_string()), used),
            '\\' => (vec![Inline::Break], used),
            ' ' | '\n' | ',' | ';' | ':' => (text(" "), used),
            '"' | '\'' | '`' | '^' | '~' | '=' | '.' => accent(rest, next),
            _ => (Vec::new(), used),
        };
    }
    let name = rest.get(1..=length).unwrap_or("");
    let star = usize::from(
        rest.get(1 + length..)
            .is_some_and(|after| after.starts_with('*')),
    );
    let mut used = 1 + length + star;
    let after = rest.get(used..).unwrap_or("");
    let known = match name {
        "LaTeX" => "LaTeX",
        "TeX" => "TeX",
        "ldots" | "dots" => "…",
        "textbackslash" => "\\",
        "textasciitilde" => "~",
        "textasciicircum" => "^",
        "textbar" => "|",
        "textless" => "<",
        "textgreater" => ">",
        "copyright" => "©",
        "S" => "§",
        "P" => "¶",
        "ss" => "ß",
        "ae" => "æ",
        "AE" => "Æ",
        "o" => "ø",
        "O" => "Ø",
        "aa" => "å",
        "l" => "ł",
        "euro" => "€",
        "pounds" => "£",
        "quad" | "qquad" | "space" | "hfill" => " ",
        "textquotedbl" => "\"",
        _ => "",
    };
    if !known.is_empty() {
        if after.starts_with("{}") {
            used += 2;
        } else if after.starts_with(' ') && known != " " {
            used += 1;
        }
        return (text(known), used);
    }
    if depth >= DEPTH_MAX / 2 {
        return (Vec::new(), used);
    }
    let (argument, taken) = argument_after(after);
    let inner = || inline(argument, depth + 1);
    let pieces = match name {
        "textbf" | "strong" | "bfseries" if taken > 0 => vec![Inline::Strong(inner())],
        "emph" | "textit" | "textsl" | "em" if taken > 0 => vec![Inline::Emphasis(inner())],
        "texttt" | "code" | "path" | "file" | "command" | "lstinline" | "mintinline" | "ttt"
        | "cmd" | "env" | "pkg" | "textsf"
            if taken > 0 && name != "mintinline" =>
        {
            vec![Inline::Code(squash(&plain(&inner())))]
        }
        "mintinline" => {
            let (code, more) = verb(after.get(taken..).unwrap_or(""));
            used += more;
            vec![Inline::Code(code.to_owned())]
        }
        "verb" => {
            let (code, length) = verb(after);
            return (vec![Inline::Code(code.to_owned())], used + length);
        }
        "href" => {
            let (shown, more) = group(after.get(taken..).unwrap_or(""));
            let shown = inline(shown, depth + 1);
            used += more;
            vec![Inline::Link {
                href: argument
                    .replace("\\%", "%")
                    .replace("\\#", "#")
                    .replace("\\_", "_"),
                text: shown,
            }]
        }
        "url" | "nolinkurl" => vec![Inline::Link {
            href: argument.to_owned(),
            text: text(argument),
        }],
        "footnote" => {
            let mut pieces = text(" (");
            pieces.extend(inner());
            pieces.extend(text(")"));
            pieces
        }
        "cite" | "citep" | "citet" | "nocite" => text(&format!("[{argument}]")),
        "ref" | "autoref" | "cref" | "Cref" | "eqref" | "pageref" | "nameref" | "vref" => {
            text(argument)
        }
        "label" | "index" | "vspace" | "hspace" | "color" | "cline" | "cmidrule" | "input"
        | "fontsize" | "setlength" | "gls@" => Vec::new(),
        "multicolumn" | "multirow" => {
            let (_, second) = group(after.get(taken..).unwrap_or(""));
            let (shown, third) = group(after.get(taken + second..).unwrap_or(""));
            used += second + third;
            inline(shown, depth + 1)
        }
        "textcolor" | "colorbox" | "parbox" | "raisebox" => {
            let (shown, more) = group(after.get(taken..).unwrap_or(""));
            used += more;
            inline(shown, depth + 1)
        }
        // What a document defines for itself is shown by its arguments.
        _ => inner(),
    };
    used += taken;
    if taken == 0 && after.starts_with(' ') {
        used += 1;
    }
    (pieces, used)
}

/// `\"a` and `\'{e}`.
fn accent(rest: &str, mark: char) -> (Vec<Inline>, usize) {
    use unicode_normalization::UnicodeNormalization;
    let after = rest.get(2..).unwrap_or("");
    let (letter, used) = match after.strip_prefix('{') {
        Some(inner) => match inner.chars().next() {
            Some('\\') => (inner.chars().nth(1), 5),
            Some('}') | None => (None, 4),
            Some(letter) => (Some(letter), 4 + letter.len_utf8()),
        },
        None => match after.chars().next() {
            Some(letter) => (Some(letter), 2 + letter.len_utf8()),
            None => (None, 2),
        },
    };
    let combining = match mark {
        '"' => '\u{308}',
        '\'' => '\u{301}',
        '`' => '\u{300}',
        '^' => '\u{302}',
        '~' => '\u{303}',
        '=' => '\u{304}',
        _ => '\u{307}',
    };
    let shown: String = letter
        .filter(|c| c.is_alphabetic())
        .map(|c| [c, combining].into_iter().nfc().collect())
        .unwrap_or_default();
    let used = used.min(rest.len());
    let used = (0..=used)
        .rev()
        .find(|at| rest.is_char_boundary(*at))
        .unwrap_or(1)
        .max(1);
    (vec![Inline::Text(shown)], used)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::markdown::write;

    #[test]
    fn a_paper_reads_as_prose() {
        let source = "\\documentclass{article}\n\\title{On Kilns}\\author{A. B\\\"uhl}\n\\begin{document}\n\\maketitle\n% gone\n\\section{Heat}\\label{s}\nThe \\emph{first} fire --- see \\cite{k}, 5\\,\\% of $x_1$.%\n\n\\begin{itemize}\n\\item one \\texttt{a\\_b}\n\\item two\n\\begin{enumerate}\\item in\\end{enumerate}\n\\end{itemize}\n\\begin{lstlisting}[language=Python]\ndef f():\n    return 1 % kept\n\\end{lstlisting}\n\\subsection{Table}\n\\begin{tabular}{ll}\n\\hline\nKey & Value \\\\ \\hline\na & \\textbf{b} \\\\\n\\end{tabular}\n\\[ E = mc^2 \\]\n\\end{document}\n";
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
