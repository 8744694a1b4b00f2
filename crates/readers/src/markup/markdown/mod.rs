//! Reads Markdown: blocks with byte ranges into the source itself, front matter into what the document says of itself.
//!
//! The parser is linear and does not recurse; containers deeper than `NESTING_MAX` are never opened, so nothing that
//! walks the blocks later can run out of stack.

mod containers;
mod front_matter;
mod inlines;
mod references;

use crate::builder::{add_term, each_span, tidy};
use crate::example_marks;
use crate::markup::dialects;
use crate::markup::lines::{first_title, language_of};
use crate::markup::markdown::front_matter::read_front_matter;
use crate::markup::rest::{self, inline::Names};
use crate::pictures::is_mute;
use pulldown_cmark::{BlockQuoteKind, CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use skillkiln_document::blocks::{Block, BlockKind, Definition, Document, Span};
use skillkiln_document::markdown::rendered::{
    ABSTRACT, dialect, is_break, split_front_matter, write_text_of_html,
};
use skillkiln_document::text::{Inline, letters, plain, squash};
use skillkiln_document::work::step;
use std::ops::Range;

/// Deepest nesting of inline mark-up that is kept.
const INLINE_NESTING_MAX: usize = 16;
/// Bytes of the attributes of kramdown behind a piece.
const ATTRIBUTES_MAX: usize = 400;

/// Reads `text` as Markdown.
#[must_use]
pub fn read(text: String) -> Document {
    let (front_matter, body) = split_front_matter(&text);
    let (title, about) = front_matter.map(read_front_matter).unwrap_or_default();
    let offset = text.len() - body.len();
    let mut blocks = match dialects::rewritten(body, offset) {
        Some(derived) => {
            let mut blocks = blocks_of(&derived.text, 0);
            derived.put_back(&mut blocks);
            blocks
        }
        None => blocks_of(body, offset),
    };
    if let Some(front_matter) = front_matter.filter(|_| body.starts_with(ABSTRACT)) {
        references::read(front_matter, body, &mut blocks);
    }
    let title = title.or_else(|| first_title(&blocks));
    Document::of(title, about, text, blocks)
}

/// Where the attributes of kramdown end that begin a stretch of text behind what they belong to, as `{:width="720px"}`; else 0.
fn attributes_end(body: &str, range: &Range<usize>) -> usize {
    let rest = body.get(range.start..).unwrap_or_default();
    let inner = rest.strip_prefix("{:").and_then(|rest| {
        let end = rest.bytes().take(ATTRIBUTES_MAX).position(|b| b == b'}')?;
        rest.get(..end)
    });
    let before = body.get(..range.start).unwrap_or_default();
    match inner.filter(|inner| inner.contains("=\"") && before.ends_with([')', '`', '>', ']'])) {
        Some(inner) => range.start + inner.len() + "{:}".len(),
        None => 0,
    }
}

/// Whether what stands between two dollars is glued to what is around it, as in `"v$count" becomes "v$count-"`: no formula then,
/// but two variables, by the rule that `GitHub` has too.
fn is_glued(body: &str, range: &Range<usize>) -> bool {
    let before = body.get(..range.start).unwrap_or_default();
    let after = body.get(range.end..).unwrap_or_default();
    before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
        || after.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '{' | '(' | '['))
}

fn blocks_of(body: &str, offset: usize) -> Vec<Block> {
    let mut reader = Reader::new(offset);
    let options = dialect() | Options::ENABLE_DEFINITION_LIST | Options::ENABLE_HEADING_ATTRIBUTES;
    let mut heads = false;
    let mut cut_to = 0;
    for (event, mut range) in Parser::new_ext(body, options).into_offset_iter() {
        cut_to = attributes_end(body, &range).max(cut_to);
        let is_cut = range.start < cut_to && matches!(event, Event::Text(_) | Event::SoftBreak);
        if is_cut {
            range.start = cut_to.min(range.end);
        }
        let event = match event {
            Event::InlineMath(_) if is_glued(body, &range) => {
                Event::Text(body.get(range.clone()).unwrap_or_default().into())
            }
            _ if is_cut => Event::Text(body.get(range.clone()).unwrap_or_default().into()),
            event => event,
        };
        match event {
            Event::Start(Tag::Heading { .. }) => heads = true,
            Event::End(TagEnd::Heading(_)) => heads = false,
            _ => {}
        }
        // A link without words shows its address; in a heading it is a mark to lead to.
        let shown = match &event {
            Event::Start(Tag::Link { dest_url, .. })
                if !heads
                    && body
                        .get(range.start..)
                        .is_some_and(|it| it.starts_with("[](")) =>
            {
                Some(dest_url.trim_start_matches('#').to_owned())
            }
            _ => None,
        };
        reader.event(event, range.clone());
        if let Some(address) = shown {
            reader.inline(Inline::Text(address), range);
        }
    }
    reader.finish()
}

/// A quotation that begins with `[!class] Title` is an admonition, as several programs write it.
fn callout(blocks: &mut Vec<Block>) -> Option<(String, Option<String>)> {
    let Some(Block {
        kind: BlockKind::Paragraph(text),
        ..
    }) = blocks.first()
    else {
        return None;
    };
    let Some(Inline::Text(first)) = text.first() else {
        return None;
    };
    let (class, _) = first.strip_prefix("[!")?.split_once(']')?;
    let is_class = !class.is_empty()
        && class
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
    if !is_class {
        return None;
    }
    let class = class.to_lowercase();
    let class = class.strip_prefix("callout-").unwrap_or(&class).to_owned();
    let whole = plain(text);
    let title = whole.split_once(']').map_or("", |(_, title)| title);
    let title = squash(title.trim_start_matches(['+', '-']));
    blocks.remove(0);
    Some((class, Some(title).filter(|title| !title.is_empty())))
}

/// Whether a tag of HTML, which begins with `open`, strikes words out or ends that.
fn is_striking(tag: &str, open: &str) -> bool {
    let name = tag.strip_prefix(open).unwrap_or_default();
    let name = name.split(|c: char| !c.is_ascii_alphabetic()).next();
    name.is_some_and(|name| {
        ["del", "s", "strike"]
            .iter()
            .any(|it| name.eq_ignore_ascii_case(it))
    })
}

/// What is open around the place that is being read.
#[derive(Debug)]
enum Open {
    Root,
    List {
        start: Option<u64>,
        items: Vec<Vec<Block>>,
    },
    Item,
    Quote(Option<BlockQuoteKind>),
    Definitions(Vec<Definition>),
    Meaning,
    Footnote(String),
    /// A container too deep to be kept; its blocks go to the one outside.
    Flat,
}

#[derive(Debug)]
struct Level {
    open: Open,
    start: usize,
    blocks: Vec<Block>,
}

#[derive(Debug)]
enum InlineOpen {
    Root,
    Emphasis,
    Strong,
    Link(String),
    Image(String),
    Flat,
    /// What is struck out holds no longer.
    Struck,
}

#[derive(Debug, Default)]
struct TableParts {
    header: Vec<Vec<Inline>>,
    rows: Vec<Vec<Vec<Inline>>>,
    row: Vec<Vec<Inline>>,
}

#[derive(Debug)]
struct Reader {
    offset: usize,
    levels: Vec<Level>,
    inlines: Vec<(InlineOpen, Vec<Inline>)>,
    inline_start: Option<usize>,
    code: Option<(Option<String>, String)>,
    html: String,
    /// What the columns are called of a table in HTML whose cells hold blocks, and the one that comes next.
    columns: Vec<String>,
    column: usize,
    table: Option<TableParts>,
    /// The end of the content read last, so that a container ends with its content.
    last_end: usize,
    /// A picture that stands alone in its paragraph becomes a figure.
    pictures: Vec<(String, String)>,
}

impl Reader {
    fn new(offset: usize) -> Self {
        Self {
            offset,
            levels: vec![Level {
                open: Open::Root,
                start: 0,
                blocks: Vec::new(),
            }],
            inlines: Vec::new(),
            inline_start: None,
            code: None,
            html: String::new(),
            columns: Vec::new(),
            column: 0,
            table: None,
            last_end: 0,
            pictures: Vec::new(),
        }
    }

    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        step(1);
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(tag, range),
            Event::Text(text) => match &mut self.code {
                Some((_, code)) => code.push_str(&text),
                None => self.inline(Inline::Text(text.into_string()), range),
            },
            Event::Code(code) => {
                let code = match self.role() {
                    Some(role) => rest::inline::role(&role, &code, &Names::default()),
                    None => Inline::Code(code.into_string()),
                };
                self.inline(code, range);
            }
            Event::InlineMath(formula) => self.inline(Inline::Math(formula.into_string()), range),
            Event::DisplayMath(formula) => {
                let formula = formula.trim().to_owned();
                let alone = matches!(self.inlines.as_slice(), [(InlineOpen::Root, pieces)] if pieces.is_empty());
                if alone && self.table.is_none() {
                    self.push(BlockKind::Math(formula), range);
                } else {
                    self.inline(Inline::Math(formula), range);
                }
            }
            Event::Html(part) => self.html.push_str(&part),
            Event::InlineHtml(tag) => {
                if is_break(&tag) {
                    self.inline(Inline::Break, range);
                } else if is_striking(&tag, "<") {
                    self.nest(InlineOpen::Struck, range.start);
                } else if is_striking(&tag, "</") && self.is_struck() {
                    self.unnest();
                }
            }
            Event::SoftBreak => self.inline(Inline::Text(" ".to_owned()), range),
            Event::HardBreak => self.inline(Inline::Break, range),
            // A task's box is content: `[x]` tells that it is done.
            Event::TaskListMarker(done) => {
                let mark = if done { "[x] " } else { "[ ] " };
                self.inline(Inline::Text(mark.to_owned()), range);
            }
            Event::FootnoteReference(name) => {
                self.inline(Inline::Text(format!("[{name}]")), range);
            }
            Event::Rule => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Paragraph | Tag::Heading { .. } | Tag::DefinitionListTitle => {
                self.flush(range.start);
                self.open_inline();
            }
            Tag::BlockQuote(kind) => self.open(Open::Quote(kind), range.start),
            Tag::CodeBlock(kind) => {
                self.flush(range.start);
                if let CodeBlockKind::Fenced(info) = &kind
                    && let Some(mark) =
                        example_marks::before(info.split(['{', '}', ' ', '.', ',']).skip(1))
                {
                    self.push(mark, range.start..range.start);
                }
                let language = match kind {
                    CodeBlockKind::Fenced(info) if dialects::is_rest(&info) => {
                        Some(info.into_string())
                    }
                    CodeBlockKind::Fenced(info) => language_of(&info),
                    CodeBlockKind::Indented => None,
                };
                self.code = Some((language, String::new()));
            }
            Tag::HtmlBlock => {
                self.flush(range.start);
                self.html.clear();
            }
            Tag::List(start) => self.open(
                Open::List {
                    start,
                    items: Vec::new(),
                },
                range.start,
            ),
            Tag::Item => self.open(Open::Item, range.start),
            Tag::FootnoteDefinition(name) => {
                self.open(Open::Footnote(name.into_string()), range.start);
            }
            Tag::DefinitionList => self.open(Open::Definitions(Vec::new()), range.start),
            Tag::DefinitionListDefinition => self.open(Open::Meaning, range.start),
            Tag::Table(_) => {
                self.flush(range.start);
                self.table = Some(TableParts::default());
            }
            Tag::TableHead | Tag::TableRow => {}
            Tag::TableCell => self.open_inline(),
            Tag::Emphasis => self.nest(InlineOpen::Emphasis, range.start),
            Tag::Strong => self.nest(InlineOpen::Strong, range.start),
            Tag::Link { dest_url, .. } => {
                self.nest(InlineOpen::Link(dest_url.into_string()), range.start);
            }
            Tag::Image { dest_url, .. } => {
                self.nest(InlineOpen::Image(dest_url.into_string()), range.start);
            }
            Tag::Strikethrough => self.nest(InlineOpen::Struck, range.start),
            Tag::Superscript | Tag::Subscript => {
                self.nest(InlineOpen::Flat, range.start);
            }
            Tag::MetadataBlock(_) => {}
        }
    }

    fn end(&mut self, tag: TagEnd, range: Range<usize>) {
        match tag {
            TagEnd::Paragraph => self.end_paragraph(range),
            TagEnd::Heading(level) => {
                let text = self.close_inlines();
                if !text.is_empty() {
                    let level = level as u8;
                    self.push(BlockKind::Heading { level, text }, range);
                }
            }
            TagEnd::CodeBlock => {
                if let Some((language, mut text)) = self.code.take() {
                    if text.ends_with('\n') {
                        text.pop();
                    }
                    if let Some(directive) = language.as_deref().filter(|it| it.starts_with('{')) {
                        let span = self.span(range);
                        let mut blocks = rest::read_directive(directive, &text);
                        each_span(&mut blocks, &mut |inner| inner.clone_from(&span));
                        if let Some(level) = self.levels.last_mut() {
                            level.blocks.extend(blocks);
                        }
                        return;
                    }
                    let kind = if language.as_deref() == Some("math") {
                        BlockKind::Math(text)
                    } else {
                        BlockKind::Code { language, text }
                    };
                    self.push(kind, range);
                }
            }
            TagEnd::HtmlBlock => {
                let html = std::mem::take(&mut self.html);
                self.html_block(&html, range);
            }
            TagEnd::BlockQuote(_)
            | TagEnd::List(_)
            | TagEnd::Item
            | TagEnd::FootnoteDefinition
            | TagEnd::DefinitionList
            | TagEnd::DefinitionListDefinition => self.close(range),
            TagEnd::DefinitionListTitle => {
                let term = self.close_inlines();
                if let Some(Level {
                    open: Open::Definitions(entries),
                    ..
                }) = self.levels.last_mut()
                {
                    add_term(entries, term);
                } else if !term.is_empty() {
                    self.push(BlockKind::Paragraph(term), range);
                }
            }
            TagEnd::Table => self.end_table(range),
            TagEnd::TableHead => {
                if let Some(table) = &mut self.table {
                    table.header = std::mem::take(&mut table.row);
                }
            }
            TagEnd::TableRow => {
                if let Some(table) = &mut self.table {
                    let row = std::mem::take(&mut table.row);
                    table.rows.push(row);
                }
            }
            TagEnd::TableCell => {
                let cell = self.close_inlines();
                if let Some(table) = &mut self.table {
                    table.row.push(cell);
                }
            }
            TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::Link
            | TagEnd::Image => self.unnest(),
            TagEnd::MetadataBlock(_) => {}
        }
    }

    /// Ends a paragraph; one picture alone in it is a figure.
    fn end_paragraph(&mut self, range: Range<usize>) {
        let text = self.close_inlines();
        let pictures = std::mem::take(&mut self.pictures);
        let labels = pictures.iter().map(|(_, label)| label.as_str());
        let labels = labels.filter(|label| !is_mute(label));
        if !pictures.is_empty() && letters(&plain(&text)) == letters(&labels.collect::<String>()) {
            for (source, alternative) in pictures {
                let kind = BlockKind::Figure {
                    source,
                    alternative,
                    caption: Vec::new(),
                };
                self.push(kind, range.clone());
            }
        } else if !text.is_empty() {
            self.push(BlockKind::Paragraph(text), range);
        }
    }

    fn end_table(&mut self, range: Range<usize>) {
        let Some(table) = self.table.take() else {
            return;
        };
        let width = table.header.len();
        let rows = table
            .rows
            .into_iter()
            .map(|mut row| {
                row.resize(width, Vec::new());
                row
            })
            .collect();
        let kind = BlockKind::Table {
            header: table.header,
            rows,
            caption: None,
        };
        self.push(kind, range);
    }

    /// What an HTML block shows, a paragraph for each stretch of lines.
    fn html_block(&mut self, html: &str, range: Range<usize>) {
        let cell = html.trim_end().ends_with("<td>");
        let mut rest = html;
        if cell && let Some((columns, after)) = columns_of(html) {
            self.columns = columns;
            rest = after;
        }
        if html.contains("<tr") {
            self.column = 0;
        }
        if html.contains("</table") {
            self.columns.clear();
        }
        while let Some((before, listing, after)) = next_listing(rest) {
            self.html_text(before, range.clone());
            let mut text = String::new();
            write_text_of_html(listing, &mut text);
            let text = text.trim_matches('\n').to_owned();
            let language = listing_language(listing);
            if !text.trim().is_empty() {
                self.push(BlockKind::Code { language, text }, range.clone());
            }
            rest = after;
        }
        self.html_text(rest, range.clone());
        // What stands in a cell is told from what stands beside it by its column: "Bad:", "Good:".
        if cell {
            let label = self.columns.get(self.column).map(|one| format!("{one}:"));
            self.column += 1;
            if let Some(label) = label {
                let strong = Inline::Strong(vec![Inline::Text(label)]);
                self.push(BlockKind::Paragraph(vec![strong]), range);
            }
        }
    }

    fn html_text(&mut self, html: &str, range: Range<usize>) {
        let mut shown = String::new();
        write_text_of_html(html, &mut shown);
        for part in shown.split("\n\n") {
            let text = tidy(vec![Inline::Text(part.to_owned())]);
            // Import and export lines of MDX are code of the page, not its content.
            if !text.is_empty() {
                self.push(BlockKind::Paragraph(text), range.clone());
            }
        }
    }

    fn span(&self, range: Range<usize>) -> Span {
        Span::of(range.start + self.offset..range.end + self.offset)
    }

    fn push(&mut self, kind: BlockKind, range: Range<usize>) {
        self.last_end = self.last_end.max(range.end);
        let span = self.span(range);
        if let Some(level) = self.levels.last_mut() {
            level.blocks.push(Block { kind, span });
        }
    }
}

/// What the header cells of a table in HTML say, and what stands behind them.
fn columns_of(html: &str) -> Option<(Vec<String>, &str)> {
    let end = html.rfind("</th>")? + "</th>".len();
    let (head, after) = html.split_at_checked(end)?;
    let cells = head.split("<th>").skip(1).map(|cell| {
        let mut text = String::new();
        write_text_of_html(cell, &mut text);
        text.trim().to_owned()
    });
    Some((cells.collect(), after))
}

/// The first listing of HTML, with its tag, and what stands before and behind it.
fn next_listing(html: &str) -> Option<(&str, &str, &str)> {
    let (before, _) = html.split_once("<pre")?;
    let own = html.get(before.len()..)?;
    let end = own.find("</pre>")?;
    let is_tag = own.get(4..)?.starts_with(['>', ' ', '\n']);
    let after = own.get(end + "</pre>".len()..)?;
    is_tag.then_some((before, own.get(..end)?, after))
}

/// The language that the classes of a listing's tags name.
fn listing_language(listing: &str) -> Option<String> {
    const SHELLS: [&str; 4] = ["bash", "sh", "shell", "console"];
    let (_, classes) = listing.split_once("class=\"")?;
    let mut classes = classes.split('"').next()?.split_whitespace();
    classes.find_map(|class| match class.strip_prefix("language-") {
        Some(language) => language_of(language),
        None => SHELLS.contains(&class).then(|| class.to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::markdown::write;

    fn written(text: &str) -> String {
        let document = read(text.to_owned());
        skillkiln_document::blocks::walk(&document.blocks, &mut |block| {
            assert!(document.text.get(block.span.bytes.clone()).is_some());
        });
        write(&document.blocks)
    }

    #[test]
    fn what_a_text_strikes_out_holds_no_longer() {
        let text = "Fire to ~~900~~ 1200 degrees and <del>open</del> keep it shut.\n";
        assert_eq!(
            write(&read(text.to_owned()).blocks),
            "Fire to 1200 degrees and keep it shut.\n"
        );
    }

    #[test]
    fn blocks_of_gitbook_are_admonitions_and_labels() {
        let text = "{% hint style=\"warning\" %}\nMind *it*.\n{% endhint %}\n\n{% tabs %}\n{% tab title=\"Linux\" %}\n{% code title=\"a\" %}\n```sh\nfire\n```\n{% endcode %}\n{% endtab %}\n{% endtabs %}\n";
        assert_eq!(
            write(&read(text.to_owned()).blocks),
            "> **Warning:** Mind *it*.\n\n**Linux**\n\n```sh\nfire\n```\n"
        );
    }

    #[test]
    fn a_page_of_myst_reads_as_it_renders() {
        let text = "(doors)=\n# Doors\n\n```{contents}\n:depth: 2\n:local: true\n```\n\nCall {func}`~kiln.fire`, see {ref}`dry-wood` and {issue}`12`, not `${a}`.\n\n\
            ```{eval-rst}\n.. click:example::\n\n    fire()\n```\n\n:::{note}\n:class: wide\n\nMind *it*.\n:::\n\n```{versionadded} 2.1\nNew `it`.\n```\n\n\
            ::::{tab-set}\n:::{tab-item} Linux\nOne.\n:::\n::::\n\n:::{figure} a.png\n:alt: A door\n\nShut.\n:::\n\nOpen [](wood.md)![hot](b.png){:width=\"9px\"}.\n";
        assert_eq!(
            written(text),
            "# Doors\n\nCall `fire()`, see dry wood and #12, not `${a}`.\n\n```python\nfire()\n```\n\n> **Note:** Mind *it*.\n\n\
             *Added in version 2.1*.\n\nNew `it`.\n\n**Linux**\n\nOne.\n\n![A door](a.png)\n\nShut.\n\nOpen [wood.md](wood.md)hot.\n"
        );
    }

    #[test]
    fn a_listing_in_html_keeps_its_lines() {
        let text = "Add a user:\n<pre><code class=\"cmd bash\"><span>useradd \\\n    --gid kiln</span>\n<span>id kiln &amp;&amp; ls</span></code></pre>\n\nDone.\n";
        assert_eq!(
            written(text),
            "Add a user:\n\n```bash\nuseradd \\\n    --gid kiln\nid kiln && ls\n```\n\nDone.\n"
        );
    }

    #[test]
    fn the_cells_of_a_table_in_html_are_told_by_their_columns() {
        let text = "<table>\n<thead><tr><th>Bad</th><th>Good</th></tr></thead>\n<tbody>\n<tr><td>\n\n```go\nopen()\n```\n\n</td><td>\n\n\
            ```go\nshut()\n```\n\n</td></tr>\n<tr><td>\n\nIt is cold.\n\n</td><td>\n\nIt is hot.\n\n</td></tr>\n</tbody></table>\n\nDone.\n";
        assert_eq!(
            written(text),
            "**Bad:**\n\n```go\nopen()\n```\n\n**Good:**\n\n```go\nshut()\n```\n\n**Bad:**\n\nIt is cold.\n\n**Good:**\n\nIt is hot.\n\nDone.\n"
        );
    }

    #[test]
    fn the_parts_of_an_internet_draft_are_sections() {
        let text = "---\ntitle: Kilns over HTTP\ndate: {DATE}\n\nkeyword: kiln\nkeyword: clay\nauthor:\n -\n    ins: A. Potter\n    name: Anna Potter\n\n\
            --- abstract\n\nIt fires.\n\n--- note_Note_to_Readers\n\nAsk *us*.\n\n--- middle\n\n# Doors\n\n~~~\nfire\n~~~\n{: title=\"A door\"}\n\n--- back\n\n# Thanks\n\nTo all.\n";
        let document = read(text.to_owned());
        assert_eq!(document.title.as_deref(), Some("Kilns over HTTP"));
        assert_eq!(
            write(&document.blocks),
            "# Abstract\n\nIt fires.\n\n# Note to Readers\n\nAsk *us*.\n\n# Doors\n\n```\nfire\n```\n\n# Thanks\n\nTo all.\n"
        );
    }

    #[test]
    fn admonitions_of_every_dialect_are_admonitions() {
        for source in [
            ":::warning Hot\n\nMind *it*.\n\n:::\n\nAfter.\n",
            "::: warning Hot\nMind *it*.\n:::\nAfter.\n",
            ":::warning[Hot]\nMind *it*.\n:::\n\nAfter.\n",
            "!!! warning \"Hot\"\n    Mind *it*.\n\nAfter.\n",
            "> [!warning]- Hot\n> Mind *it*.\n\nAfter.\n",
            "```{warning} Hot\nMind *it*.\n```\n\nAfter.\n",
            "<Warning title=\"Hot\">\nMind *it*.\n</Warning>\n\nAfter.\n",
            "{{< warning \"Hot\" >}}\nMind *it*.\n{{< /warning >}}\nAfter.\n",
        ] {
            assert_eq!(
                written(source),
                "> **Warning: Hot**\n>\n> Mind *it*.\n\nAfter.\n",
                "{source}"
            );
        }
    }

    #[test]
    fn spans_stay_true_when_lines_were_rewritten() {
        let document = read("# T\n\n:::note\n\nMind it.\n\n:::\n\nAfter words.\n".into());
        let evidence: Vec<&str> = document
            .blocks
            .iter()
            .map(|block| document.evidence(&block.span).trim())
            .collect();
        assert_eq!(evidence.last(), Some(&"After words."));
        let BlockKind::Admonition { blocks, .. } = &document.blocks[1].kind else {
            panic!("no admonition")
        };
        assert_eq!(document.evidence(&blocks[0].span).trim(), "Mind it.");
    }

    #[test]
    fn components_imports_and_tabs_are_not_content_but_what_they_hold_is() {
        let source = "import Tabs from '@theme/Tabs';\n\n# T\n\n<Tabs>\n<TabItem value=\"a\" label=\"npm\">\n\n```bash\nnpm i\n```\n\n</TabItem>\n</Tabs>\n\n=== \"yarn\"\n\n    ```bash\n    yarn add\n    ```\n\nEnd.\n";
        assert_eq!(
            written(source),
            "# T\n\n**npm**\n\n```bash\nnpm i\n```\n\n**yarn**\n\n```bash\nyarn add\n```\n\nEnd.\n"
        );
    }

    #[test]
    fn a_component_that_shows_a_file_names_it() {
        assert_eq!(
            written(
                "Run it:\n\n<CodeSnippet file=\"a.ts\" />\n\n{{< readfile file=\"b.yaml\" >}}\n\nEnd.\n"
            ),
            "Run it:\n\nIncluded here: `a.ts`\n\nIncluded here: `b.yaml`\n\nEnd.\n"
        );
    }

    #[test]
    fn what_looks_like_a_dialect_inside_code_is_code() {
        let source = "```md\n:::note\nimport a from 'b'\n!!! tip\n:::\n```\n\n:::tip\nx\n:::\n";
        assert!(
            written(source).starts_with("```md\n:::note\nimport a from 'b'\n!!! tip\n:::\n```")
        );
    }
}
