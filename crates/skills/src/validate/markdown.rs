//! Owns the one parse of a Markdown file that all checks share.

use crate::validate::page::{
    Code, Heading, Link, Page, Place, Procedure, Prose, broken_table, cells, extend,
};
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use skillkiln_document::markdown::rendered::{is_break, task_box};
use skillkiln_document::text::Anchors;
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

impl<'a> Page<'a> {
    /// Parses the part of `whole` that starts at byte `start`.
    pub(super) fn parse(path: &'a str, whole: &'a str, start: usize) -> Self {
        let text = whole.get(start..).unwrap_or_default();
        let line_starts = std::iter::once(0)
            .chain(whole.match_indices('\n').map(|(at, _)| at + 1))
            .map(|at| u32::try_from(at).unwrap_or(u32::MAX))
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
}

/// The state of the parse.
struct Walk<'a> {
    page: Page<'a>,
    current: Option<Prose<'a>>,
    heading: Option<u8>,
    is_cell: bool,
    lists: Vec<Option<usize>>,
    code: Option<Code<'a>>,
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
                Some(code) => extend(&mut code.text, self.page.text, range.start, &text),
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
            Event::InlineHtml(text) if is_break(&text) => self.append("\n", range.start, false),
            Event::InlineHtml(text) => self.read_html(&text, range.start),
            Event::Rule => self.flush(),
            Event::TaskListMarker(done) => self.append(task_box(done), range.start, false),
            Event::FootnoteReference(_) => {}
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
        let prose = self.current.get_or_insert_with(|| Prose::new(place, line));
        let place = (self.page.text, offset, line);
        prose.append(text, place, is_code, !self.links.is_empty());
        // Pictures nest without bound; what they say is wanted of the innermost alone.
        for link in self.links.iter().rev().take(2) {
            if let Some(link) = self.page.links.get_mut(*link) {
                link.text.push_str(text);
            }
        }
    }

    /// Ends the current piece of running text.
    fn flush(&mut self) {
        let Some(mut prose) = self.current.take() else {
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
            && prose.text.trim_end().ends_with(':')
            && !prose.ends_in_code())
        .then(|| prose.line_at(prose.text.len()));
        prose.settle();
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
                let above = self.page.headings.last().map_or(0, |above| above.level);
                // What stands above the headings of its own section announces them.
                match level_of(level) > above {
                    true => self.follows(),
                    false => self.ends_section(),
                }
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
                        text: Cow::Borrowed(""),
                        line,
                        is_fenced: false,
                        is_closed: true,
                    },
                    CodeBlockKind::Fenced(label) => Code {
                        language: label
                            .trim_matches(['{', '}', '.'])
                            .split([' ', ',', '{', '}'])
                            .next()
                            .filter(|word| !word.is_empty())
                            .map(str::to_owned),
                        text: Cow::Borrowed(""),
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
        let mut prose = Vec::with_capacity(page.prose.len());
        prose.append(&mut page.prose);
        page.prose = prose;
        for prose in &page.prose {
            if prose.place == Place::Paragraph {
                page.table_faults.extend(broken_table(prose));
            }
        }
        page.table_faults.sort_by_key(|(line, _)| *line);
        let mut anchors = Anchors::default();
        let headings = page.headings.iter();
        page.anchors
            .extend(headings.map(|heading| anchors.next_of(&heading.text)));
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
