//! Reads manual pages, man and mdoc alike, with byte ranges into the source itself.
//!
//! Only macros of pages are known; what typesetters would compute is left out. Definitions of macros are skipped, not
//! run, so that a page cannot make its reader work.

mod code;
mod conditions;
pub mod escapes;
mod lists;
mod macros;
pub mod mdoc;
mod prose;
pub mod tbl;

use crate::markup::lines::{self, Line};
use crate::markup::man::escapes::{Font, Strings};
use skillkiln_document::blocks::{About, Block, BlockKind, Definition, Document, Span};
use skillkiln_document::text::Inline;

/// Deepest nesting of indented stretches.
const DEPTH_MAX: usize = 24;

/// Whether `text` is evidently a manual page: its first macro says so.
pub(crate) fn is_man(text: &str) -> bool {
    let mut macros = 0;
    let mut titled = false;
    for line in text.lines().take(400) {
        titled |= line.starts_with(".TH ") || line.starts_with(".Dt ");
        macros += usize::from(
            [".SH ", ".Sh ", ".SS ", ".PP", ".Pp", ".TP", ".It ", ".Nm"]
                .iter()
                .any(|name| line.starts_with(name)),
        );
    }
    titled && macros > 0
}

/// Reads `text` as a manual page.
#[must_use]
pub fn read(text: String) -> Document {
    let lines = lines::lines_of(&text);
    let mut reader = Reader::default();
    reader.levels.push(Level::new(Open::Root, 0));
    reader.all(&lines);
    let (title, about, blocks) = reader.finish();
    Document::of(title, about, text, blocks)
}

/// What is open around the place that is being read.
#[derive(Debug)]
enum Open {
    Root,
    /// `.RS`, or the body of a display.
    Indented,
    Definitions(Vec<Definition>),
    Items {
        start: Option<u64>,
        items: Vec<Vec<Block>>,
    },
    /// `.Bl -column`.
    Rows(Vec<Vec<Vec<Inline>>>),
}

#[derive(Debug)]
struct Level {
    open: Open,
    start: usize,
    blocks: Vec<Block>,
    /// Whether an `.It` opened an entry that has not ended: for `.Bl` lists.
    is_list_of_mdoc: bool,
}

impl Level {
    fn new(open: Open, start: usize) -> Self {
        Self {
            open,
            start,
            blocks: Vec::new(),
            is_list_of_mdoc: false,
        }
    }
}

#[derive(Debug, Default)]
struct Reader<'a> {
    levels: Vec<Level>,
    strings: Strings,
    title: Option<String>,
    about: About,
    /// What the page is about, for `.Nm`.
    name: String,
    text: Vec<Inline>,
    bytes: Option<(usize, usize)>,
    /// No blank before the next words.
    joins: bool,
    /// The next line is a term.
    term_next: bool,
    code: Option<Vec<Line<'a>>>,
    /// The font that a macro without arguments gives the next line.
    font_next: Option<Font>,
    last_end: usize,
    /// What the last `.ie` decided.
    decided: Vec<bool>,
    /// A link that waits for its end.
    link: Option<(String, usize)>,
}

impl<'a> Reader<'a> {
    fn all(&mut self, lines: &[Line<'a>]) {
        let mut at = 0;
        while let Some(line) = lines.get(at) {
            at += 1;
            let rest = lines.get(at..).unwrap_or_default();
            at += self.line(*line, rest);
        }
    }

    /// Reads a line; gives how many of those after it were taken with it.
    fn line(&mut self, line: Line<'a>, rest: &[Line<'a>]) -> usize {
        let control = line.text.strip_prefix(['.', '\'']);
        let Some(control) = control else {
            self.words(line);
            return 0;
        };
        let control = control.trim_start_matches([' ', '\t']);
        if control.is_empty() || control.starts_with("\\\"") {
            return 0;
        }
        let length = control.find([' ', '\t', '\\']).unwrap_or(control.len());
        let (name, arguments_text) = control.split_at(length.min(control.len()));
        self.macro_line(name, arguments_text, line, rest)
    }

    fn push(&mut self, block: Block) {
        self.last_end = self.last_end.max(block.span.bytes.end);
        if let Some(level) = self.levels.last_mut() {
            match &mut level.open {
                Open::Definitions(entries) => match entries.last_mut() {
                    Some(entry) => entry.blocks.push(block),
                    None => level.blocks.push(block),
                },
                Open::Items { items, .. } => match items.last_mut() {
                    Some(item) => item.push(block),
                    None => items.push(vec![block]),
                },
                Open::Rows(_) | Open::Root | Open::Indented => level.blocks.push(block),
            }
        }
    }

    fn open(&mut self, open: Open, start: usize) {
        if self.levels.len() < DEPTH_MAX {
            self.levels.push(Level::new(open, start));
        }
    }

    fn close(&mut self) {
        if self.levels.len() < 2 {
            return;
        }
        let Some(level) = self.levels.pop() else {
            return;
        };
        let span = Span::of(level.start..self.last_end.max(level.start));
        let kind = match level.open {
            Open::Root | Open::Indented => {
                level.blocks.into_iter().for_each(|block| self.push(block));
                return;
            }
            Open::Definitions(entries) if entries.is_empty() => return,
            Open::Definitions(entries) => BlockKind::Definitions(entries),
            Open::Items { start, items } => {
                let items: Vec<_> = items.into_iter().filter(|item| !item.is_empty()).collect();
                if items.is_empty() {
                    return;
                }
                BlockKind::List { start, items }
            }
            Open::Rows(mut rows) => {
                let width = rows.iter().map(Vec::len).max().unwrap_or(0);
                if width == 0 {
                    return;
                }
                rows.iter_mut()
                    .for_each(|row| row.resize(width, Vec::new()));
                BlockKind::Table {
                    header: vec![Vec::new(); width],
                    rows,
                    caption: None,
                }
            }
        };
        self.push(Block { kind, span });
    }

    fn finish(mut self) -> (Option<String>, About, Vec<Block>) {
        self.end_paragraph();
        while self.levels.len() > 1 {
            self.close();
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

    fn written(text: &str) -> String {
        write(&read(text.to_owned()).blocks)
    }

    #[test]
    fn a_page_keeps_its_sections_terms_and_code() {
        let document = read(".\\\" comment\n.TH KILN 1 \"May 2026\" \"Tools\"\n.SH NAME\nkiln \\- fire clay\n.SH OPTIONS\n.TP\n.BR \\-a \", \" \\-\\-all\nShow \\fBall\\fP of it.\n.TP\n.B \\-x\nOnce.\n.IP\nMore.\n.PP\nAfter it:\n.nf\n  kiln \\-a\n    \\(aqx\\(aq\n.fi\n.IP \\(bu 2\none\n.IP \\(bu 2\ntwo\n".into());
        assert_eq!(document.title.as_deref(), Some("kiln(1)"));
        assert_eq!(document.about.date.as_deref(), Some("May 2026"));
        assert_eq!(
            write(&document.blocks),
            "# kiln(1)\n\n## NAME\n\nkiln - fire clay\n\n## OPTIONS\n\n- **-a, --all**: Show **all** of it.\n\n- **-x**: Once.\n\n  More.\n\nAfter it:\n\n```\nkiln -a\n  'x'\n```\n\n- one\n- two\n"
        );
    }

    #[test]
    fn entries_of_an_index_are_no_text() {
        let markdown = written(
            ".de IX\n..\n.if \\nF \\{\\\n.    de IX\n.    tm Index:\\\\$1\n..\n.\\}\n.IX Title \"KILN 1\"\n.TH KILN 1\n.SH DESCRIPTION\n.IX Header \"DESCRIPTION\"\nIt fires clay.\n.IP \"heat\" 4\n.IX Item \"heat\"\nHow hot.\n",
        );
        assert_eq!(
            markdown,
            "# kiln(1)\n\n## DESCRIPTION\n\nIt fires clay.\n\n- **heat**: How hot.\n"
        );
    }

    #[test]
    fn a_page_of_mdoc_reads_the_same() {
        let markdown = written(
            ".Dd May 1, 2026\n.Dt KILN 1\n.Sh NAME\n.Nm kiln\n.Nd fire clay\n.Sh SYNOPSIS\n.Nm\n.Op Fl a\n.Op Fl o Ar file\n.Sh DESCRIPTION\nSee\n.Xr ls 1 ,\nor\n.Pa /etc .\n.Bl -tag -width x\n.It Fl a , Fl Fl all\nAll.\n.It Ev HOME\nHome.\n.El\n.Bd -literal\n$ kiln\n  -a\n.Ed\n",
        );
        assert_eq!(
            markdown,
            "# kiln(1)\n\n## NAME\n\n**kiln** – fire clay\n\n## SYNOPSIS\n\n**kiln** [**-a**] [**-o** *file*]\n\n## DESCRIPTION\n\nSee **ls**(1), or `/etc`.\n\n- **-a, --all**: All.\n- `HOME`: Home.\n\n```\n$ kiln\n  -a\n```\n"
        );
    }

    #[test]
    fn tables_and_conditions_are_read_as_a_terminal_shows_them() {
        let markdown = written(
            ".TH X 3\n.de V\nnever\n..\n.if t \\{\\\nnever\n.\\}\n.ie n shown\n.el never\n.TS\ntab(;);\nlb lb.\nKey;Value\n_\na;T{\nlong\n.B bold\nT}\nb;c\n.TE\n",
        );
        assert_eq!(
            markdown,
            "# x(3)\n\nshown\n\n| Key | Value |\n| --- | --- |\n| a | long **bold** |\n| b | c |\n"
        );
    }
}
