//! Owns what a parsed Markdown file is to the checks: headings, prose, code, links, tables and comments, each with its line.

use std::borrow::Cow;
use std::cell::OnceCell;
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
    pub(super) prose: Vec<Prose<'a>>,
    /// Its code blocks in order.
    pub(super) codes: Vec<Code<'a>>,
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

/// Text of a file: a piece of the file itself as long as it stands there in one piece, which most of it does; else a copy.
pub(super) type Text<'a> = Cow<'a, str>;

/// Adds a piece to `text`; it stands at `at` in `whole`, unless it is written there in another way.
pub(super) fn extend<'a>(text: &mut Text<'a>, whole: &'a str, at: usize, piece: &str) {
    if let Cow::Borrowed(before) = text
        && let end = at.saturating_add(piece.len())
        && whole.get(at..end) == Some(piece)
    {
        let start = at.saturating_sub(before.len());
        let is_next = |own: &str| before.is_empty() || std::ptr::eq(own, *before);
        if whole.get(start..at).is_some_and(is_next) {
            *text = Cow::Borrowed(whole.get(start..end).unwrap_or_default());
            return;
        }
    }
    text.to_mut().push_str(piece);
}

/// A piece of running text.
#[derive(Debug)]
pub(super) struct Prose<'a> {
    /// Where it stands.
    pub(super) place: Place,
    /// Its words, code included.
    pub(super) text: Text<'a>,
    /// Its first line.
    line: u32,
    /// What few have.
    marks: Option<Box<Marks>>,
    /// Whether its words may hold what several checks look for, once one of them has asked.
    is_suspect: OnceCell<bool>,
}

/// What stands in a piece of running text that is more than words on one line.
#[derive(Debug, Default)]
struct Marks {
    /// Where the code stands.
    code: Vec<Range<usize>>,
    /// Where links stand.
    links: Vec<Range<usize>>,
    /// The line of each part after the first: position, line.
    lines: Vec<(u32, u32)>,
}

impl<'a> Prose<'a> {
    /// A piece without words, which begins on a line.
    pub(super) fn new(place: Place, line: u32) -> Self {
        Self {
            place,
            text: Cow::Borrowed(""),
            line,
            marks: None,
            is_suspect: OnceCell::new(),
        }
    }

    /// Whether its words may hold what several checks look for: one judge, who is asked once for all of them.
    pub(super) fn is_suspect(&self, judge: impl FnOnce(&str) -> bool) -> bool {
        *self.is_suspect.get_or_init(|| judge(&self.words()))
    }

    /// Whether it holds a link.
    pub(super) fn has_links(&self) -> bool {
        self.marks
            .as_ref()
            .is_some_and(|marks| !marks.links.is_empty())
    }

    /// Where in its text the code stands.
    pub(super) fn code(&self) -> &[Range<usize>] {
        self.marks.as_ref().map_or(&[], |marks| &marks.code)
    }

    /// Its words with code blanked out, byte for byte as long.
    pub(super) fn words(&self) -> Cow<'_, str> {
        self.without(self.code(), &[])
    }

    /// Its words with code and links blanked out.
    pub(super) fn outside(&self) -> Cow<'_, str> {
        let links = self.marks.as_ref().map_or(&[][..], |marks| &marks.links);
        self.without(self.code(), links)
    }

    fn without(&self, code: &[Range<usize>], links: &[Range<usize>]) -> Cow<'_, str> {
        if code.is_empty() && links.is_empty() {
            return Cow::Borrowed(&self.text);
        }
        let mut words = self.text.as_bytes().to_vec();
        for range in code.iter().chain(links) {
            words.get_mut(range.clone()).unwrap_or_default().fill(b' ');
            // What a hyphen ties to code goes on with it: the words behind `kilnd`-door are no flag.
            if words.get(range.end) == Some(&b'-')
                && let Some(last) = range.end.checked_sub(1).and_then(|at| words.get_mut(at))
            {
                *last = b'_';
            }
        }
        Cow::Owned(String::from_utf8(words).unwrap_or_default())
    }

    /// Adds a piece that stands in `whole` at `at`, on a line.
    pub(super) fn append(
        &mut self,
        piece: &str,
        (whole, at, line): (&'a str, usize, u32),
        is_code: bool,
        is_link: bool,
    ) {
        let start = self.text.len();
        if line != self.line_at(start) {
            let start = u32::try_from(start).unwrap_or(u32::MAX);
            self.marks().lines.push((start, line));
        }
        extend(&mut self.text, whole, at, piece);
        let range = start..self.text.len();
        if is_code {
            self.marks().code.push(range);
        } else if is_link && !range.is_empty() {
            self.marks().links.push(range);
        }
    }

    fn marks(&mut self) -> &mut Marks {
        self.marks.get_or_insert_default()
    }

    /// Gives back the room that was kept for more.
    pub(super) fn settle(&mut self) {
        if let Cow::Owned(text) = &mut self.text {
            // A text that is only told to shrink keeps its place.
            *text = text.as_str().to_owned();
        }
    }

    /// The line on which the byte at `position` of its text stands.
    pub(super) fn line_at(&self, position: usize) -> u32 {
        let lines = self.marks.as_ref().map_or(&[][..], |marks| &marks.lines);
        let after = lines.partition_point(|(start, _)| *start as usize <= position);
        let last = after.checked_sub(1).and_then(|last| lines.get(last));
        last.map_or(self.line, |(_, line)| *line)
    }

    /// The sentence in which the byte at `position` of its text stands, without a label before it that ends in a colon.
    pub(super) fn sentence_at(&self, position: usize) -> &str {
        let (before, after) = self.text.split_at_checked(position).unwrap_or_default();
        let gap = |two: &[u8]| matches!(two, [b'.' | b'!' | b'?' | b':', b' ' | b'\n']);
        let start = before.as_bytes().windows(2).rposition(gap);
        let is_end = |two: &[u8]| gap(two) && !two.starts_with(b":");
        let end = after.as_bytes().windows(2).position(is_end);
        let start = start.map_or(0, |gap| gap + 2);
        let end = end.map_or(self.text.len(), |gap| position + gap + 1);
        self.text.get(start..end).unwrap_or(&self.text)
    }

    /// Whether the last of it is code.
    pub(super) fn ends_in_code(&self) -> bool {
        self.code()
            .last()
            .is_some_and(|code| code.end >= self.text.trim_end().len())
    }

    /// Its first line.
    pub(super) fn line(&self) -> u32 {
        self.line_at(0)
    }
}

/// A code block.
#[derive(Debug)]
pub(super) struct Code<'a> {
    /// The first word of the fence's label.
    pub(super) language: Option<String>,
    /// The code.
    pub(super) text: Text<'a>,
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
pub(super) fn broken_table(prose: &Prose<'_>) -> Option<(u32, String)> {
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
