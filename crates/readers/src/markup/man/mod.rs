//! Reads manual pages, man and mdoc alike, with byte ranges into the source itself.
//!
//! Only macros of pages are known; what typesetters would compute is left out. Definitions of macros are skipped, not
//! run, so that a page cannot make its reader work.

mod bullets;
mod code;
mod conditions;
mod definitions;
pub mod escapes;
mod indent;
mod lists;
mod macros;
pub mod mdoc;
mod prose;
pub mod tbl;
#[cfg(test)]
mod testing;
mod typed;

use crate::builder::put_below;
use crate::markup::lines::{self, Line};
use crate::markup::man::definitions::{Defined, Ends};
use crate::markup::man::escapes::{Font, Strings};
use skillkiln_document::blocks::{About, Block, BlockKind, Definition, Document, Span};
use skillkiln_document::text::{Inline, plain};

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
    let text = with_whole_requests(text);
    let lines = lines::lines_of(&text);
    let mut reader = Reader::default();
    reader.levels.push(Level::new(Open::Root, 0));
    reader.all(&lines);
    let (title, about, blocks) = reader.finish();
    Document {
        title,
        about,
        text,
        blocks,
        ..Document::default()
    }
}

/// The text with each request for a face on one line: a backslash at a line's end goes on with the next.
fn with_whole_requests(text: String) -> String {
    const GOES_ON: &str = "\\\n";
    if !text.contains(GOES_ON) {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut goes_on = false;
    for line in text.split_inclusive('\n') {
        goes_on |= line.starts_with(".B") || line.starts_with(".I") || line.starts_with(".R");
        match line.strip_suffix(GOES_ON).filter(|_| goes_on) {
            Some(words) if !words.ends_with(['\\', '{']) => out.push_str(words),
            _ => {
                out.push_str(line);
                goes_on = false;
            }
        }
    }
    out
}

/// What is open around the place that is being read.
#[derive(Debug)]
enum Open {
    Root,
    /// `.RS`, or the body of a display.
    Indented,
    /// `.RS` below a label: what these terms mean.
    Explained(Vec<Vec<Inline>>),
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
    /// The macros of the page's own.
    defined: Defined,
    /// Where definitions may end, from the first one on.
    ends: Option<Ends<'a>>,
    title: Option<String>,
    about: About,
    /// What the page is about, for `.Nm`.
    name: String,
    /// Whether it says how that is called: each `.Nm` is another way.
    in_synopsis: bool,
    text: Vec<Inline>,
    bytes: Option<(usize, usize)>,
    /// No blank before the next words.
    joins: bool,
    /// The next line is a term.
    term_next: bool,
    /// The next term shares its meaning with none, and neither did the last one.
    alone_next: bool,
    alone: bool,
    /// The last line of the paragraph was a row: words, a wide gap, words.
    after_row: bool,
    code: Option<Vec<Line<'a>>>,
    /// The font that a macro without arguments gives the next line.
    font_next: Option<Font>,
    last_end: usize,
    /// Up to here, what the source indents was found to be words.
    read_until: usize,
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
            if let Some(taken) = self.take_indented(line, rest) {
                return taken;
            }
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
        let Some(level) = self.levels.last_mut() else {
            return;
        };
        let beside = match &mut level.open {
            Open::Definitions(entries) => match entries.last_mut() {
                Some(entry) => &mut entry.blocks,
                None => &mut level.blocks,
            },
            Open::Items { items, .. } => {
                if items.is_empty() {
                    items.push(Vec::new());
                }
                match items.last_mut() {
                    Some(item) => item,
                    None => &mut level.blocks,
                }
            }
            Open::Rows(_) | Open::Root | Open::Indented | Open::Explained(_) => &mut level.blocks,
        };
        put_below(beside, block);
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
            Open::Explained(terms) => BlockKind::Definitions(vec![Definition {
                terms,
                blocks: level.blocks,
            }]),
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
        let mut blocks = self
            .levels
            .pop()
            .map(|level| level.blocks)
            .unwrap_or_default();
        bullets::list(&mut blocks);
        let title = self.title.map(|title| {
            prose::spelled(&title, &blocks)
                .inspect(|spelled| {
                    if let Some(BlockKind::Heading { text, .. }) =
                        blocks.first_mut().map(|block| &mut block.kind)
                        && plain(text) == title
                    {
                        *text = vec![Inline::Text(spelled.clone())];
                    }
                })
                .unwrap_or(title)
        });
        (title, self.about, blocks)
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
    fn a_face_without_words_is_that_of_the_next_line_and_of_no_other_section() {
        let page = |face: &str, next: &str| {
            written(&format!(
                ".TH KILN 1\n.SH HEAT\nIt is\n{face}\n{next}It burns.\n"
            ))
        };
        assert!(page(".B", "").contains("It is **It burns.**"));
        for (face, next) in [(".BR", ""), (".B", ".SH WOOD\n"), (".BR", ".SH WOOD\n")] {
            let text = page(face, next);
            assert!(!text.contains("**"), "{text}");
        }
    }

    #[test]
    fn a_page_is_called_as_it_spells_itself() {
        for (header, name, title) in [
            (
                "\"KILN_PLAN_LIST\" 1",
                "kiln plan list",
                "kiln plan list(1)",
            ),
            ("\"KILN PLAN\" \"7\"", "KILN_PLAN", "KILN_PLAN(7)"),
            ("KILN 1", "oven", "kiln(1)"),
            ("KILN_FIRE 3", "Kiln_heat, Kiln_fire", "Kiln_fire(3)"),
        ] {
            let document = read(format!(".TH {header}\n.SH NAME\n{name} \\- fire clay\n"));
            assert_eq!(document.title.as_deref(), Some(title));
            assert_eq!(
                crate::markup::markdown::first_title(&document.blocks).as_deref(),
                Some(title)
            );
        }
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
    fn definitions_end_where_their_writers_end_them_and_swallow_nothing_without_an_end() {
        let markdown = written(
            ".TH X 1\n.de URL\n\\fI\\\\$2\\fP <\\\\$1>\\\\$3\n..\n.als MTO URL\n.if \\n[.g] \\{\\\n.  mso www.tmac\n.  am URL\n.    ad l\n.  .\n.  LINKSTYLE blue R < >\n.\\}\n.de XX END\nnever\n.END\n.SH NAME\nSee\n.URL \"https://example.com\" \"the place\" \".\"\n.MTO me@example.com\n.am NEVER\nIt is kept.\n",
        );
        assert_eq!(
            markdown,
            "# x(1)\n\n## NAME\n\nSee [the place](https://example.com). [me@example.com](mailto:me@example.com) It is kept.\n"
        );
    }

    #[test]
    fn macros_of_the_pages_own_show_their_words_but_not_their_measures() {
        let markdown = written(
            ".TH X 1\n.de1 INDENT\n. RS \\\\$1\n..\n.de UNINDENT\n. RE\n..\n.de Say\n\\\\$1\n..\n.de Skip\n.sp 2\n..\n.SH NAME\nBefore.\n.INDENT 0.0\n.INDENT 3.5\nInside.\n.UNINDENT\n.UNINDENT\n.sp\n.Say word\n.Say 2.5\n.Skip never\n.Unknown 7\n",
        );
        assert_eq!(
            markdown,
            "# x(1)\n\n## NAME\n\nBefore.\n\nInside.\n\nword 2.5 7\n"
        );
    }

    #[test]
    fn an_indented_command_with_its_prompt_is_code() {
        let markdown = written(
            ".TH X 1\n.SH EXAMPLES\nRun:\n.RS 2m\n$ kiln ~/clay \\e\n    \\-\\-hot\n.RE\n\n.RS 2m\n$ 5 is a price.\n\nWords.\n.RE\n.RS\n$ 6 is another.\n.RE\n.RS\n$ kiln \\-\\-look\nThis shows how hot the kiln is, and\nhow long it has to burn.\n.RE\n.RS\n$ kiln \\-\\-look\n1200 degrees\n.RE\n",
        );
        assert_eq!(
            markdown,
            "# x(1)\n\n## EXAMPLES\n\nRun:\n\n```\n$ kiln ~/clay \\\n    --hot\n```\n\n$ 5 is a price.\n\nWords.\n\n$ 6 is another.\n\n$ kiln --look This shows how hot the kiln is, and how long it has to burn.\n\n```\n$ kiln --look\n1200 degrees\n```\n"
        );
    }

    #[test]
    fn words_of_a_link_without_an_address_are_kept() {
        let markdown = written(
            ".TH X 1\n.SH NAME\nSee\n.URL \"\" \"some words here\" ,\nor ask\n.MTO \"\" \"Anna\" .\n",
        );
        assert_eq!(
            markdown,
            "# x(1)\n\n## NAME\n\nSee some words here, or ask Anna.\n"
        );
    }

    #[test]
    fn each_way_to_call_a_program_is_a_line_of_its_own() {
        let page = ".Dd May 1, 2026\n.Dt KILN 1\n.Sh NAME\n.Nm kiln\n.Nd fire clay\n.Sh SYNOPSIS\n.Nm\n.Op Fl a\n.Nm\n.Fl p\n.Sh DESCRIPTION\nSee\n.Nm\nand others.\n.TP\n.B \\(bu\nHot.\n.TP\n.B \\(bu\nRed.\n";
        assert_eq!(
            write(&read(page.to_owned()).blocks),
            "# kiln(1)\n\n## NAME\n\n**kiln** – fire clay\n\n## SYNOPSIS\n\n**kiln** [**-a**]\\\n**kiln** **-p**\n\n## DESCRIPTION\n\nSee **kiln** and others.\n\n- Hot.\n- Red.\n"
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
    fn a_request_that_a_backslash_carries_on_is_one() {
        let text = ".TH X 2\n.SH SYNOPSIS\n.nf\n.BI \"long fire(SYS_kiln, int \" op \\\n\", uint32_t \" heat ,\n.BI \"          int *\" pot );\n.fi\n";
        let document = read(text.to_owned());
        let shown = write(&document.blocks);
        assert!(
            shown.contains("long fire(SYS_kiln, int op, uint32_t heat,\n          int *pot);"),
            "{shown}"
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

    #[test]
    fn a_sentence_below_the_macro_of_a_term_is_no_term() {
        let sentence = ".TH KILN 8\n.SH FLAGS\n.TP 2m\n\nKiln resource \\- The kiln that you want to fire. This\nis a pot. It is hot.\n";
        assert!(
            written(sentence).ends_with(
                "\nKiln resource - The kiln that you want to fire. This is a pot. It is hot.\n"
            ),
            "{}",
            written(sentence)
        );
        let term =
            ".TH KILN 8\n.SH FLAGS\n.TP\nThe kiln that you want to fire in the end\nIt is hot.\n";
        assert!(
            written(term).contains("- **The kiln that you want to fire in the end**: It is hot.")
        );
    }

    #[test]
    fn the_forms_of_a_command_in_a_synopsis_are_lines_and_no_terms() {
        let page = |head: &str| {
            written(&format!(
                ".TH KILN 8\n.SH {head}\n.TP\n.B kiln\n.RB [ \\-v ]\n.B fire\n.TP\n.B kiln\n.B cool\n.TP\n.B \\-v\nSay more.\n"
            ))
        };
        for head in ["SYNOPSIS", "SINOPSE"] {
            let text = page(head);
            assert!(
                text.ends_with(
                    "**kiln** [**-v**] **fire**\n\n**kiln** **cool**\n\n- **-v**: Say more.\n"
                ),
                "{text}"
            );
        }
        assert!(page("COMMANDS").contains("- **kiln**: "));
    }
}
