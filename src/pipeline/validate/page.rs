//! Owns what a parsed Markdown file is to the checks: headings, prose, code, links, tables and comments, each with its line.

use std::collections::HashSet;
use std::ops::Range;

/// A Markdown file, parsed.
#[derive(Debug)]
pub(super) struct Page<'a> {
    /// Its path in the package.
    pub(super) path: &'a str,
    /// Its text, without front matter.
    pub(super) text: &'a str,
    /// Its headings in order.
    pub(super) headings: Vec<Heading>,
    /// Its running text in order: paragraphs, items, cells and headings.
    pub(super) prose: Vec<Prose>,
    /// Its code blocks in order.
    pub(super) codes: Vec<Code>,
    /// Its links and pictures in order.
    pub(super) links: Vec<Link>,
    /// Its ordered lists in order.
    pub(super) procedures: Vec<Procedure>,
    /// Its HTML comments in order.
    pub(super) comments: Vec<(String, u32)>,
    /// What is wrong with its tables.
    pub(super) table_faults: Vec<(u32, String)>,
    /// Lines that end in a colon although nothing follows.
    pub(super) cut_off: Vec<u32>,
    /// Names that a fragment may lead to.
    pub(super) anchors: HashSet<String>,
    /// Where each line of the whole file starts.
    pub(super) line_starts: Vec<u32>,
    /// Where `text` starts in the whole file.
    pub(super) start: usize,
}

/// A heading.
#[derive(Debug)]
pub(super) struct Heading {
    /// 1 is the highest.
    pub(super) level: u8,
    /// Its words.
    pub(super) text: String,
    /// Its line.
    pub(super) line: u32,
}

/// Where a piece of running text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In a heading.
    Heading,
    /// In a paragraph of its own.
    Paragraph,
    /// In an item of a list.
    Item,
    /// In a cell of a table.
    Cell,
}

/// A piece of running text.
#[derive(Debug)]
pub(super) struct Prose {
    /// Where it stands.
    pub(super) place: Place,
    /// Its words, code included.
    pub(super) text: String,
    /// The same with code blanked out, byte for byte as long, where there is code.
    pub(super) without_code: Option<String>,
    /// The same with code and links blanked out, where there are any.
    pub(super) without_links: Option<String>,
    /// Where in `text` the code stands.
    pub(super) code: Vec<Range<usize>>,
    /// The line of each part: position in `text`, line.
    pub(super) lines: Vec<(u32, u32)>,
}

impl Prose {
    /// Its words with code blanked out.
    pub(super) fn words(&self) -> &str {
        self.without_code.as_deref().unwrap_or(&self.text)
    }

    /// Its words with code and links blanked out.
    pub(super) fn outside(&self) -> &str {
        self.without_links.as_deref().unwrap_or(&self.text)
    }

    /// Adds a piece; what is not said in plain words is blanked out of these.
    pub(super) fn append(&mut self, piece: &str, is_code: bool, is_link: bool) {
        let add = |to: &mut Option<String>, text: &str, is_blank: bool| {
            if is_blank || to.is_some() {
                let to = to.get_or_insert_with(|| text.to_owned());
                if is_blank {
                    to.extend(std::iter::repeat_n(' ', piece.len()));
                } else {
                    to.push_str(piece);
                }
            }
        };
        add(&mut self.without_code, &self.text, is_code);
        add(&mut self.without_links, &self.text, is_code || is_link);
        self.text.push_str(piece);
    }

    /// The line on which the byte at `position` of its text stands.
    pub(super) fn line_at(&self, position: usize) -> u32 {
        let after = self
            .lines
            .partition_point(|(start, _)| *start as usize <= position);
        self.lines
            .get(after.saturating_sub(1))
            .map_or(1, |(_, line)| *line)
    }

    /// Its first line.
    pub(super) fn line(&self) -> u32 {
        self.line_at(0)
    }
}

/// A code block.
#[derive(Debug)]
pub(super) struct Code {
    /// The first word of the fence's label.
    pub(super) language: Option<String>,
    /// The code.
    pub(super) text: String,
    /// The line of its fence, or of its first line.
    pub(super) line: u32,
    /// Whether it has a fence, not only an indent.
    pub(super) is_fenced: bool,
    /// Whether its fence is closed.
    pub(super) is_closed: bool,
}

/// A link or a picture.
#[derive(Debug)]
pub(super) struct Link {
    /// Where it leads, as written.
    pub(super) target: String,
    /// What it says.
    pub(super) text: String,
    /// Its line.
    pub(super) line: u32,
    /// The index of the piece of running text that it stands in.
    pub(super) prose: usize,
}

/// An ordered list.
#[derive(Debug)]
pub(super) struct Procedure {
    /// Its first line.
    pub(super) line: u32,
    /// How many items it has.
    pub(super) items: usize,
    /// The first piece of running text of its last item.
    pub(super) last: usize,
}

impl Page<'_> {
    /// The line of the whole file on which the byte at `position` of the text stands.
    pub(super) fn line_at(&self, position: usize) -> u32 {
        let after = self
            .line_starts
            .partition_point(|start| *start as usize <= self.start + position);
        u32::try_from(after).unwrap_or(u32::MAX).max(1)
    }

    /// How many lines the text has.
    pub(super) fn line_count(&self) -> usize {
        self.text.trim_end().lines().count()
    }
}

/// How many cells a row of a table has.
pub(super) fn cells(line: &str) -> usize {
    let line = line.trim().trim_start_matches(['>', ' ']);
    let line = line.strip_prefix('|').unwrap_or(line);
    let mut bars = 0;
    let mut is_escaped = false;
    let mut ends_in_bar = false;
    for c in line.chars() {
        ends_in_bar = c == '|' && !is_escaped;
        bars += usize::from(ends_in_bar);
        is_escaped = c == '\\' && !is_escaped;
    }
    bars + usize::from(!ends_in_bar)
}

/// A paragraph that was meant as a table: a line of dashes and bars below a line with another number of cells.
pub(super) fn broken_table(prose: &Prose) -> Option<(u32, String)> {
    let mut offset = 0;
    let mut above: Option<&str> = None;
    for line in prose.text.split_inclusive('\n') {
        let is_rule = line.contains('|')
            && line.contains("--")
            && line
                .trim()
                .chars()
                .all(|c| matches!(c, '|' | '-' | ':' | ' '));
        if let Some(header) = above.filter(|header| is_rule && header.contains('|')) {
            let fault = format!(
                "the line of dashes has {} columns and the header {}; make them equal",
                cells(line),
                cells(header)
            );
            return Some((prose.line_at(offset), fault));
        }
        above = Some(line);
        offset += line.len();
    }
    None
}
