//! Owns the one parse of a Markdown file that all checks share: headings, prose, code, links, tables and comments, each with its line.

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use std::collections::{HashMap, HashSet};
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
    line_starts: Vec<usize>,
    /// Where `text` starts in the whole file.
    start: usize,
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
    /// The same with code blanked out, byte for byte as long.
    pub(super) words: String,
    /// The same with code and links blanked out.
    pub(super) outside: String,
    /// Where in `text` the code stands.
    pub(super) code: Vec<Range<usize>>,
    /// The line of each part: position in `text`, line.
    lines: Vec<(usize, u32)>,
}

impl Prose {
    /// The line on which the byte at `position` of its text stands.
    pub(super) fn line_at(&self, position: usize) -> u32 {
        let after = self.lines.partition_point(|(start, _)| *start <= position);
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

impl<'a> Page<'a> {
    /// Parses the part of `whole` that starts at byte `start`.
    pub(super) fn parse(path: &'a str, whole: &'a str, start: usize) -> Self {
        let text = whole.get(start..).unwrap_or_default();
        let line_starts = std::iter::once(0)
            .chain(whole.match_indices('\n').map(|(at, _)| at + 1))
            .collect();
        let page = Self {
            path,
            text,
            headings: Vec::new(),
            prose: Vec::new(),
            codes: Vec::new(),
            links: Vec::new(),
            procedures: Vec::new(),
            comments: Vec::new(),
            table_faults: Vec::new(),
            cut_off: Vec::new(),
            anchors: HashSet::new(),
            line_starts,
            start,
        };
        let options =
            Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
        let mut walk = Walk::new(page);
        for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
            walk.take(event, range);
        }
        walk.finish()
    }

    /// The line of the whole file on which the byte at `position` of the text stands.
    pub(super) fn line_at(&self, position: usize) -> u32 {
        let after = self
            .line_starts
            .partition_point(|start| *start <= self.start + position);
        u32::try_from(after).unwrap_or(u32::MAX).max(1)
    }

    /// How many lines the text has.
    pub(super) fn line_count(&self) -> usize {
        self.text.trim_end().lines().count()
    }
}

/// The state of the parse.
struct Walk<'a> {
    page: Page<'a>,
    current: Option<Prose>,
    heading: Option<u8>,
    is_cell: bool,
    lists: Vec<Option<usize>>,
    code: Option<Code>,
    links: Vec<usize>,
    html: Option<(String, usize)>,
    /// The line of a lead-in that ends in a colon, until something follows it.
    lead_in: Option<u32>,
}

impl<'a> Walk<'a> {
    fn new(page: Page<'a>) -> Self {
        Self {
            page,
            current: None,
            heading: None,
            is_cell: false,
            lists: Vec::new(),
            code: None,
            links: Vec::new(),
            html: None,
            lead_in: None,
        }
    }

    fn take(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.open(tag, range),
            Event::End(tag) => self.close(tag),
            Event::Text(text) => match &mut self.code {
                Some(code) => code.text.push_str(&text),
                None => self.append(&text, range.start, false),
            },
            Event::Code(text) => self.append(&text, range.start, true),
            Event::SoftBreak | Event::HardBreak => self.append("\n", range.start, false),
            Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.append(&text, range.start, true)
            }
            Event::Html(text) => match &mut self.html {
                Some((html, _)) => html.push_str(&text),
                None => self.read_html(&text, range.start),
            },
            Event::InlineHtml(text) => self.read_html(&text, range.start),
            Event::Rule => self.flush(),
            Event::FootnoteReference(_) | Event::TaskListMarker(_) => {}
        }
    }

    fn append(&mut self, text: &str, offset: usize, is_code: bool) {
        let line = self.page.line_at(offset);
        let place = match (self.heading, self.is_cell, self.lists.is_empty()) {
            (Some(_), _, _) => Place::Heading,
            (_, true, _) => Place::Cell,
            (_, _, false) => Place::Item,
            _ => Place::Paragraph,
        };
        let prose = self.current.get_or_insert_with(|| Prose {
            place,
            text: String::new(),
            words: String::new(),
            outside: String::new(),
            code: Vec::new(),
            lines: Vec::new(),
        });
        let start = prose.text.len();
        prose.lines.push((start, line));
        prose.text.push_str(text);
        if is_code || !self.links.is_empty() {
            prose.outside.extend(std::iter::repeat_n(' ', text.len()));
        } else {
            prose.outside.push_str(text);
        }
        if is_code {
            prose.words.extend(std::iter::repeat_n(' ', text.len()));
            prose.code.push(start..prose.text.len());
        } else {
            prose.words.push_str(text);
        }
        // Pictures nest without bound; what they say is wanted of the innermost alone.
        for link in self.links.iter().rev().take(2) {
            if let Some(link) = self.page.links.get_mut(*link) {
                link.text.push_str(text);
            }
        }
    }

    /// Ends the current piece of running text.
    fn flush(&mut self) {
        let Some(prose) = self.current.take() else {
            return;
        };
        if prose.text.trim().is_empty()
            && self
                .page
                .links
                .last()
                .is_none_or(|link| link.prose != self.page.prose.len())
        {
            return;
        }
        self.lead_in = (prose.place != Place::Heading
            && prose.place != Place::Cell
            && prose.text.trim_end().ends_with(':'))
        .then(|| prose.line_at(prose.text.len()));
        self.page.prose.push(prose);
    }

    /// Notes that something follows, so that a lead-in has led somewhere.
    fn follows(&mut self) {
        self.flush();
        self.lead_in = None;
    }

    fn ends_section(&mut self) {
        self.flush();
        self.page.cut_off.extend(self.lead_in.take());
    }

    fn open(&mut self, tag: Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Heading { level, .. } => {
                self.ends_section();
                self.heading = Some(level_of(level));
                self.page.headings.push(Heading {
                    level: level_of(level),
                    text: String::new(),
                    line: self.page.line_at(range.start),
                });
            }
            Tag::CodeBlock(kind) => {
                self.follows();
                let source = self.page.text.get(range.clone()).unwrap_or_default();
                let line = self.page.line_at(range.start);
                self.code = Some(match kind {
                    CodeBlockKind::Indented => Code {
                        language: None,
                        text: String::new(),
                        line,
                        is_fenced: false,
                        is_closed: true,
                    },
                    CodeBlockKind::Fenced(label) => Code {
                        language: label
                            .split([' ', ',', '{'])
                            .next()
                            .filter(|word| !word.is_empty())
                            .map(str::to_owned),
                        text: String::new(),
                        line,
                        is_fenced: true,
                        is_closed: is_closed(source),
                    },
                });
            }
            Tag::List(first) => {
                self.follows();
                self.lists.push(first.map(|_| self.page.procedures.len()));
                if first.is_some() {
                    let line = self.page.line_at(range.start);
                    self.page.procedures.push(Procedure {
                        line,
                        items: 0,
                        last: self.page.prose.len(),
                    });
                }
            }
            Tag::Item => {
                self.follows();
                if let Some(Some(list)) = self.lists.last()
                    && let Some(procedure) = self.page.procedures.get_mut(*list)
                {
                    procedure.items += 1;
                    procedure.last = self.page.prose.len();
                }
            }
            Tag::Table(alignments) => {
                self.follows();
                self.measure(range, alignments.len());
            }
            Tag::TableCell => {
                self.flush();
                self.is_cell = true;
            }
            Tag::HtmlBlock => {
                self.flush();
                self.html = Some((String::new(), range.start));
            }
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                self.append("", range.start, false);
                self.links.push(self.page.links.len());
                self.page.links.push(Link {
                    target: dest_url.into_string(),
                    text: String::new(),
                    line: self.page.line_at(range.start),
                    prose: self.page.prose.len(),
                });
            }
            Tag::Emphasis
            | Tag::Strong
            | Tag::Strikethrough
            | Tag::Superscript
            | Tag::Subscript => {}
            Tag::Paragraph => {
                self.follows();
            }
            _ => self.flush(),
        }
    }

    fn close(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => {
                let text = self
                    .current
                    .as_ref()
                    .map(|prose| prose.text.trim().to_owned())
                    .unwrap_or_default();
                self.flush();
                self.heading = None;
                if let Some(heading) = self.page.headings.last_mut() {
                    heading.text = text;
                }
            }
            TagEnd::CodeBlock => self.page.codes.extend(self.code.take()),
            TagEnd::List(_) => {
                self.flush();
                self.lists.pop();
            }
            TagEnd::TableCell => {
                self.flush();
                self.is_cell = false;
            }
            TagEnd::HtmlBlock => {
                if let Some((html, offset)) = self.html.take() {
                    self.read_html(&html, offset);
                }
            }
            TagEnd::Link | TagEnd::Image => {
                self.links.pop();
            }
            TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough
            | TagEnd::Superscript
            | TagEnd::Subscript => {}
            _ => self.flush(),
        }
    }

    /// Takes comments and anchors out of HTML.
    fn read_html(&mut self, html: &str, offset: usize) {
        let mut rest = 0;
        while let Some(open) = html
            .get(rest..)
            .and_then(|tail| tail.find("<!--"))
            .map(|at| rest + at + 4)
        {
            let tail = html.get(open..).unwrap_or_default();
            let end = tail.find("-->").unwrap_or(tail.len());
            let line = self.page.line_at(offset.saturating_add(open));
            self.page
                .comments
                .push((tail.get(..end).unwrap_or_default().trim().to_owned(), line));
            rest = open + end;
        }
        for mark in ["id=\"", "name=\"", "id='", "name='"] {
            for (at, _) in html.match_indices(mark) {
                let tail = html.get(at + mark.len()..).unwrap_or_default();
                let name: String = tail
                    .chars()
                    .take(200)
                    .take_while(|c| !matches!(c, '"' | '\'' | '>'))
                    .collect();
                self.page.anchors.insert(name);
            }
        }
    }

    /// Compares the cells of each row of a table with those of its header.
    fn measure(&mut self, range: Range<usize>, columns: usize) {
        let source = self.page.text.get(range.clone()).unwrap_or_default();
        let mut offset = range.start;
        for (number, line) in source.split_inclusive('\n').enumerate() {
            let cells = cells(line);
            if number > 1 && !line.trim().is_empty() && cells != columns {
                let fault =
                    format!("this row has {cells} cells and the header {columns}; give it as many");
                self.page
                    .table_faults
                    .push((self.page.line_at(offset), fault));
            }
            offset += line.len();
        }
    }

    fn finish(mut self) -> Page<'a> {
        self.ends_section();
        let mut page = self.page;
        for prose in &page.prose {
            if prose.place == Place::Paragraph {
                page.table_faults.extend(broken_table(prose));
            }
        }
        page.table_faults.sort_by_key(|(line, _)| *line);
        let mut seen: HashMap<String, usize> = HashMap::new();
        for heading in &page.headings {
            let anchor = anchor(&heading.text);
            let count = seen.entry(anchor.clone()).or_insert(0);
            page.anchors.insert(if *count == 0 {
                anchor
            } else {
                format!("{anchor}-{count}")
            });
            *count += 1;
        }
        page
    }
}

fn level_of(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

/// Whether a fenced block's source ends in its closing fence.
fn is_closed(source: &str) -> bool {
    let fence = source
        .chars()
        .next()
        .filter(|c| matches!(c, '`' | '~'))
        .unwrap_or('`');
    let length = source.chars().take_while(|c| *c == fence).count();
    let mut lines = source.trim_end().lines();
    let (Some(_), Some(last)) = (lines.next(), lines.next_back()) else {
        return false;
    };
    let last = last.trim_start_matches(['>', ' ', '\t']).trim_end();
    last.len() >= length && last.chars().all(|c| c == fence)
}

/// How many cells a row of a table has.
fn cells(line: &str) -> usize {
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
fn broken_table(prose: &Prose) -> Option<(u32, String)> {
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

/// The fragment that leads to a heading, as the usual renderers make it.
pub(super) fn anchor(heading: &str) -> String {
    let mut anchor = String::with_capacity(heading.len());
    for c in heading.trim().chars() {
        match c {
            ' ' => anchor.push('-'),
            '-' | '_' => anchor.push(c),
            c if c.is_alphanumeric() => anchor.extend(c.to_lowercase()),
            _ => {}
        }
    }
    anchor
}
