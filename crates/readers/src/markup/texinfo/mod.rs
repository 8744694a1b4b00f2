//! Reads Texinfo, in which GNU's manuals are written: commands behind an at sign, on lines of their own or before braces.
//!
//! Of what is meant for one kind of output alone, that for info is taken, since it is all words.

mod definitions;
mod inline;
mod names;
mod prepared;

use crate::markup::lines::{
    Line, block, joined, lines_of, paragraph, table, trimmed, verbatim, words,
};
use names::Names;
use skillkiln_document::blocks::{About, Block, BlockKind, Definition, Document};
use skillkiln_document::text::{Inline, plain, squash};

/// Deepest environment within another that is kept.
const DEPTH_MAX: usize = 16;

/// Reads a manual, or a part of one that another includes.
#[must_use]
pub fn read(text: String) -> Document {
    let raw = lines_of(&text);
    let prepared = prepared::of(&raw);
    let reader = Reader {
        names: &prepared.names,
        below: u8::from(prepared.title.is_some()),
    };
    let mut blocks = Vec::new();
    let title = prepared
        .title
        .map(|line| inline::read(line.words(), reader.names));
    if let (Some(title), Some(line)) = (&title, prepared.title) {
        let kind = BlockKind::Heading {
            level: 1,
            text: title.clone(),
        };
        blocks.push(block(kind, &[line]));
    }
    reader.blocks(&prepared.lines, 0, &mut blocks);
    // The highest chapter often says the title once more, or its name alone: "kiln" below "kiln - fires clay".
    let mut title = title.map(|title| squash(&plain(&title)));
    let first = blocks
        .iter()
        .enumerate()
        .skip(1)
        .find_map(|(at, block)| match &block.kind {
            BlockKind::Heading { text, .. } => Some((at, squash(&plain(text)))),
            _ => None,
        });
    if let (Some(whole), Some((at, first))) = (&title, first)
        && says_again(whole, &first)
    {
        blocks.remove(at);
        // What explains the name stands in the manual's first section too.
        if whole.len() > first.len() && blocks.iter().skip(at).any(|block| tells(block, whole)) {
            let name = whole.get(..first.len()).unwrap_or(whole).to_owned();
            if let Some(BlockKind::Heading { text, .. }) =
                blocks.first_mut().map(|first| &mut first.kind)
            {
                *text = vec![Inline::Text(name.clone())];
            }
            title = Some(name);
        }
    }
    let said = |line: Option<Line<'_>>| {
        line.map(|line| squash(&plain(&inline::read(line.words(), reader.names))))
    };
    let about = About {
        author: said(prepared.author),
        description: said(prepared.description),
        ..About::default()
    };
    drop(prepared);
    drop(raw);
    Document {
        title,
        about,
        text,
        blocks,
        ..Document::default()
    }
}

/// Whether a heading says no more than the title: "kiln" below "Kiln - fires clay".
fn says_again(title: &str, heading: &str) -> bool {
    let (begin, rest) = title.split_at_checked(heading.len()).unwrap_or((title, ""));
    let ends = rest.is_empty() || rest.starts_with(" - ") || rest.starts_with(':');
    begin.eq_ignore_ascii_case(heading) && ends
}

/// Whether a paragraph is the title as a whole: `kiln - fires clay`.
fn tells(block: &Block, title: &str) -> bool {
    matches!(&block.kind, BlockKind::Paragraph(text) if squash(&plain(text)) == title)
}

/// Whether a text without a telling name is evidently Texinfo.
pub(crate) fn is_texinfo(text: &str) -> bool {
    let mut length = text.len().min(4_000);
    while !text.is_char_boundary(length) {
        length -= 1;
    }
    let head = text.get(..length).unwrap_or(text);
    head.trim_start().starts_with("\\input texinfo")
        || head.contains("\n@setfilename ")
        || head.contains("@node ")
            && ["\n@chapter ", "\n@section ", "\n@settitle "]
                .iter()
                .any(|command| text.contains(command))
}

/// The command that a line begins with, and what stands behind its name.
fn command<'a>(line: &Line<'a>) -> Option<(&'a str, Line<'a>)> {
    let lead = line.text.len() - line.text.trim_start().len();
    let rest = line.text.get(lead..)?.strip_prefix('@')?;
    let length = rest
        .bytes()
        .take_while(|byte| byte.is_ascii_alphanumeric())
        .count();
    let name = rest.get(..length).filter(|name| !name.is_empty())?;
    Some((name, line.after(lead + 1 + length)))
}

/// How deep a command's heading stands below the title; `None` when it is none.
fn level(name: &str) -> Option<u8> {
    Some(match name {
        "part" | "chapter" | "unnumbered" | "appendix" | "chapheading" | "majorheading"
        | "centerchap" | "top" => 1,
        "section" | "unnumberedsec" | "appendixsec" | "appendixsection" | "heading" => 2,
        "subsection" | "unnumberedsubsec" | "appendixsubsec" | "subheading" => 3,
        "subsubsection" | "unnumberedsubsubsec" | "appendixsubsubsec" | "subsubheading" => 4,
        _ => return None,
    })
}

/// Commands on lines of their own that say nothing to readers.
fn is_silent(name: &str) -> bool {
    matches!(
        name,
        "node"
            | "cindex"
            | "findex"
            | "kindex"
            | "vindex"
            | "pindex"
            | "tindex"
            | "cpindex"
            | "fnindex"
            | "printindex"
            | "contents"
            | "shortcontents"
            | "summarycontents"
            | "setfilename"
            | "settitle"
            | "setchapternewpage"
            | "include"
            | "insertcopying"
            | "dircategory"
            | "documentencoding"
            | "documentlanguage"
            | "paragraphindent"
            | "firstparagraphindent"
            | "exampleindent"
            | "footnotestyle"
            | "finalout"
            | "smallbook"
            | "afourpaper"
            | "afourwide"
            | "afourlatex"
            | "pagesizes"
            | "headings"
            | "evenheading"
            | "oddheading"
            | "everyheading"
            | "everyfooting"
            | "evenfooting"
            | "oddfooting"
            | "syncodeindex"
            | "synindex"
            | "defindex"
            | "defcodeindex"
            | "codequoteundirected"
            | "codequotebacktick"
            | "sp"
            | "page"
            | "need"
            | "vskip"
            | "noindent"
            | "indent"
            | "refill"
            | "clear"
            | "set"
            | "lowersections"
            | "raisesections"
            | "kbdinputstyle"
            | "frenchspacing"
            | "allowcodebreaks"
            | "urefbreakstyle"
            | "xrefautomaticsectiontitle"
            | "clickstyle"
            | "deftypefnnewline"
            | "alias"
            | "definfoenclose"
            | "fonttextsize"
            | "novalidate"
            | "nodedescription"
            | "microtype"
            | "listoffloats"
            | "author"
            | "subtitle"
            | "title"
            | "shorttitlepage"
            | "errormsg"
    )
}

/// Environments that only set out what stands in them.
fn is_frame(name: &str) -> bool {
    matches!(
        name,
        "cartouche"
            | "group"
            | "raggedright"
            | "flushleft"
            | "flushright"
            | "float"
            | "ifinfo"
            | "ifplaintext"
            | "ifnottex"
            | "ifnothtml"
            | "ifnotxml"
            | "ifnotdocbook"
            | "ifnotlatex"
            | "copying"
            | "titlepage"
    )
}

/// Environments whose lines are kept as they are written.
fn is_shown(name: &str) -> bool {
    matches!(
        name,
        "example"
            | "smallexample"
            | "lisp"
            | "smalllisp"
            | "display"
            | "smalldisplay"
            | "format"
            | "smallformat"
            | "verbatim"
    )
}

/// An item of a list or table.
struct Item<'l, 'a> {
    /// Its command.
    name: &'l str,
    /// What stands behind the command.
    first: Line<'a>,
    /// The lines below it.
    rest: &'l [Line<'a>],
}

/// What stands before the first item, and each item's lines, by where they begin.
fn items<'l, 'a>(inside: &'l [Line<'a>]) -> (&'l [Line<'a>], Vec<Item<'l, 'a>>)
where
    'a: 'l,
{
    let ends = prepared::ends(inside);
    let mut begins: Vec<(usize, &'l str, Line<'a>)> = Vec::new();
    let mut at = 0;
    while let Some(line) = inside.get(at) {
        if let Some((name, behind)) = command(line) {
            if matches!(name, "item" | "itemx" | "headitem") {
                begins.push((at, name, behind));
            } else if let Some(end) = ends.get(&at) {
                at = *end;
            }
        }
        at += 1;
    }
    let first = begins.first().map_or(inside.len(), |(at, ..)| *at);
    let items = begins
        .iter()
        .enumerate()
        .map(|(number, (at, name, behind))| {
            let end = begins
                .get(number + 1)
                .map_or(inside.len(), |(next, ..)| *next);
            Item {
                name,
                first: *behind,
                rest: inside.get(at + 1..end).unwrap_or_default(),
            }
        })
        .collect();
    (inside.get(..first).unwrap_or_default(), items)
}

struct Reader<'v> {
    names: &'v Names,
    /// How far below what they are told to be headings stand.
    below: u8,
}

impl Reader<'_> {
    fn words(&self, line: Line<'_>) -> Vec<Inline> {
        inline::read(line.words(), self.names)
    }

    /// Reads `lines` into `out`.
    fn blocks(&self, lines: &[Line<'_>], depth: usize, out: &mut Vec<Block>) {
        let ends = prepared::ends(lines);
        let mut said: Vec<Line<'_>> = Vec::new();
        let mut at = 0;
        while let Some(line) = lines.get(at) {
            at += 1;
            if line.is_blank() {
                self.paragraph(&mut said, out);
                continue;
            }
            let Some((name, behind)) = command(line) else {
                said.push(*line);
                continue;
            };
            if let Some(level) = level(name) {
                self.paragraph(&mut said, out);
                self.heading(level, behind, *line, out);
                continue;
            }
            if let Some(end) = ends.get(&(at - 1)).copied() {
                let inside = lines.get(at..end).unwrap_or_default();
                if depth < DEPTH_MAX
                    && self.environment(name, behind, inside, depth, &mut said, out)
                {
                    at = end + 1;
                    continue;
                }
            }
            match name {
                // What ends nothing that is known, and items without a list.
                "end" | "tab" => {}
                "item" | "itemx" | "headitem" | "exdent" | "center" => {
                    self.paragraph(&mut said, out);
                    said.push(behind);
                }
                "noindent" | "indent" | "refill" if !behind.is_blank() => said.push(behind),
                _ if is_silent(name) => {
                    // A heading's index entry stands within the paragraph, and does not end it.
                    if !name.ends_with("index") || name == "printindex" {
                        self.paragraph(&mut said, out);
                    }
                }
                _ if is_frame(name) || is_shown(name) => self.paragraph(&mut said, out),
                _ => said.push(*line),
            }
        }
        self.paragraph(&mut said, out);
    }

    fn paragraph(&self, said: &mut Vec<Line<'_>>, out: &mut Vec<Block>) {
        let own = std::mem::take(said);
        let text = inline::read(&words(&own), self.names);
        if !text.is_empty() {
            out.push(paragraph(text, &own));
        }
    }

    fn heading(&self, level: u8, behind: Line<'_>, line: Line<'_>, out: &mut Vec<Block>) {
        let text = self.words(behind);
        if !text.is_empty() {
            let level = (level + self.below).clamp(1, 6);
            out.push(block(BlockKind::Heading { level, text }, &[line]));
        }
    }

    /// Reads an environment; whether it is one.
    fn environment(
        &self,
        name: &str,
        behind: Line<'_>,
        inside: &[Line<'_>],
        depth: usize,
        said: &mut Vec<Line<'_>>,
        out: &mut Vec<Block>,
    ) -> bool {
        match name {
            _ if is_shown(name) => {
                self.paragraph(said, out);
                out.extend(self.shown(name, behind, inside));
            }
            "itemize" | "enumerate" => {
                self.paragraph(said, out);
                out.extend(self.list(name, behind, inside, depth));
            }
            "table" | "ftable" | "vtable" => {
                self.paragraph(said, out);
                out.extend(self.terms(behind, inside, depth));
            }
            "multitable" => {
                self.paragraph(said, out);
                out.extend(self.multitable(inside));
            }
            "quotation" | "smallquotation" | "indentedblock" | "smallindentedblock" => {
                self.paragraph(said, out);
                out.extend(self.quotation(behind, inside, depth));
            }
            "menu" | "detailmenu" | "direntry" | "documentdescription" => self.paragraph(said, out),
            _ if is_frame(name) => {
                self.paragraph(said, out);
                self.blocks(inside, depth + 1, out);
            }
            _ if name.starts_with("def") => {
                self.paragraph(said, out);
                out.extend(self.definition(name, behind, inside, depth));
            }
            _ => return false,
        }
        true
    }

    /// An example to the letter; commands in it stand for signs and mark words, which are kept.
    fn shown(&self, name: &str, behind: Line<'_>, inside: &[Line<'_>]) -> Option<Block> {
        let inside = trimmed(inside);
        if inside.is_empty() {
            return None;
        }
        let text = match name {
            "verbatim" => joined(inside),
            // What an index of manuals lists.
            _ if inside
                .iter()
                .any(|line| line.text.starts_with("START-INFO-DIR-ENTRY")) =>
            {
                return None;
            }
            _ => {
                let told: Vec<Line<'_>> = inside
                    .iter()
                    .filter_map(|line| match command(line) {
                        Some((name, _)) if is_silent(name) || is_frame(name) => None,
                        Some(("end", behind)) if is_frame(behind.words()) => None,
                        Some(("exdent", behind)) => Some(behind),
                        _ => Some(*line),
                    })
                    .collect();
                inline::letters(&verbatim(&told), self.names)
            }
        };
        let language = match name {
            "lisp" | "smalllisp" => Some("lisp".to_owned()),
            // `@example c` names a language first.
            "example" | "smallexample" => behind
                .words()
                .split(',')
                .next()
                .map(str::trim)
                .filter(|word| !word.is_empty() && word.chars().all(char::is_alphanumeric))
                .map(str::to_lowercase),
            _ => None,
        };
        let text = text.trim_end().to_owned();
        (!text.trim().is_empty()).then(|| block(BlockKind::Code { language, text }, inside))
    }

    fn list(&self, name: &str, behind: Line<'_>, inside: &[Line<'_>], depth: usize) -> Vec<Block> {
        let (before, items) = items(inside);
        let mut out = Vec::new();
        self.blocks(before, depth + 1, &mut out);
        let items: Vec<Vec<Block>> = items
            .into_iter()
            .map(|item| {
                let mut own = vec![item.first];
                own.extend(item.rest);
                let mut blocks = Vec::new();
                self.blocks(&own, depth + 1, &mut blocks);
                blocks
            })
            .filter(|blocks| !blocks.is_empty())
            .collect();
        if items.is_empty() {
            return out;
        }
        let start = (name == "enumerate").then(|| behind.words().parse().unwrap_or(1));
        out.push(block(BlockKind::List { start, items }, inside));
        out
    }

    /// Terms with what they mean; `marked` is the command that all of them are marked with.
    fn terms(&self, marked: Line<'_>, inside: &[Line<'_>], depth: usize) -> Vec<Block> {
        let (before, items) = items(inside);
        let mut out = Vec::new();
        self.blocks(before, depth + 1, &mut out);
        let mark = marked
            .words()
            .trim_start_matches('@')
            .trim_end_matches("{}");
        let mut entries: Vec<Definition> = Vec::new();
        let is_option = |term: &[Inline]| plain(term).starts_with(['-', '–']);
        for item in items {
            let term = match mark {
                "asis" | "" | "bullet" | "minus" => self.words(item.first),
                mark => {
                    let words = item.first.words();
                    inline::read(&format!("@{mark}{{{words}}}"), self.names)
                }
            };
            let mut blocks = Vec::new();
            self.blocks(item.rest, depth + 1, &mut blocks);
            match entries.last_mut() {
                // Manuals that are made from others write an option's names as items of their own.
                Some(last)
                    if last.blocks.is_empty()
                        && (item.name == "itemx"
                            || is_option(&term)
                                && last.terms.iter().all(|term| is_option(term))) =>
                {
                    last.terms.push(term);
                    last.blocks = blocks;
                }
                _ => entries.push(Definition {
                    terms: vec![term],
                    blocks,
                }),
            }
        }
        entries.retain(|entry| {
            entry.terms.iter().any(|term| !term.is_empty()) || !entry.blocks.is_empty()
        });
        if !entries.is_empty() {
            out.push(block(BlockKind::Definitions(entries), inside));
        }
        out
    }

    fn multitable(&self, inside: &[Line<'_>]) -> Option<Block> {
        let (_, items) = items(inside);
        let mut header = Vec::new();
        let mut rows = Vec::new();
        for item in items {
            let told: Vec<Line<'_>> = std::iter::once(item.first)
                .chain(item.rest.iter().copied())
                .filter(|line| command(line).is_none_or(|(name, _)| !is_silent(name)))
                .collect();
            let told = words(&told);
            let cells: Vec<Vec<Inline>> = told
                .split("@tab")
                .map(|cell| inline::read(&squash(cell), self.names))
                .collect();
            match item.name {
                "headitem" if header.is_empty() => header = cells,
                _ => rows.push(cells),
            }
        }
        table(header, rows, None, inside)
    }

    fn quotation(&self, behind: Line<'_>, inside: &[Line<'_>], depth: usize) -> Option<Block> {
        let mut blocks = Vec::new();
        self.blocks(inside, depth + 1, &mut blocks);
        if blocks.is_empty() {
            return None;
        }
        let label = squash(&plain(&self.words(behind)));
        let class = label.trim_end_matches([':', '.']).to_lowercase();
        let kind = match class.as_str() {
            "" => BlockKind::Quote(blocks),
            "note" | "tip" | "warning" | "danger" | "important" | "caution" => {
                BlockKind::Admonition {
                    class,
                    title: None,
                    blocks,
                }
            }
            _ => BlockKind::Admonition {
                class: "note".to_owned(),
                title: Some(label),
                blocks,
            },
        };
        Some(block(kind, inside))
    }

    /// What is defined on the command's line and on those below it that name more, with what is said of it.
    fn definition(
        &self,
        name: &str,
        behind: Line<'_>,
        inside: &[Line<'_>],
        depth: usize,
    ) -> Option<Block> {
        let further = format!("{name}x");
        let is_blank = |line: &&Line<'_>| line.is_blank();
        let is_further = |line: &Line<'_>| command(line).is_some_and(|(name, _)| name == further);
        let mut more = 0;
        loop {
            let rest = inside.get(more..).unwrap_or_default();
            let blank = rest.iter().take_while(is_blank).count();
            match rest.get(blank).is_some_and(is_further) {
                true => more += blank + 1,
                false => break,
            }
        }
        let heads = std::iter::once(behind).chain(
            inside
                .iter()
                .take(more)
                .filter_map(|line| Some(command(line)?.1)),
        );
        let terms: Vec<Vec<Inline>> = heads
            .map(|head| definitions::term(name, head.words(), self.names))
            .filter(|term| !term.is_empty())
            .collect();
        let mut blocks = Vec::new();
        let rest = inside.get(more..).unwrap_or_default();
        self.blocks(rest, depth + 1, &mut blocks);
        if terms.is_empty() && blocks.is_empty() {
            return None;
        }
        let kind = BlockKind::Definitions(vec![Definition { terms, blocks }]);
        let mut own = vec![behind];
        own.extend(inside);
        Some(block(kind, &own))
    }
}

#[cfg(test)]
mod tests;
