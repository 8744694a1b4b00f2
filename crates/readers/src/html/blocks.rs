//! Writes the content of a page as blocks: headings with their anchors, nested lists, code, tables, definitions, notes,
//! figures and quotes.

use crate::builder::tidy;
use crate::example_marks;
use crate::html::inline;
use crate::html::writer::Writer;
use crate::html::{code, notes, table, tabs};
use crate::words::{WordList, words};
use dom_query::NodeRef;
use skillkiln_document::blocks::{Block, BlockKind, Definition};
use skillkiln_document::text::{Inline, plain, squash};

/// Elements nested deeper than this give their text only.
const DEPTH_MAX: usize = 160;
/// Elements that end the line they stand in.
static BLOCKS: WordList = words!(
    "address article aside blockquote body center dd details dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 \
     header hgroup hr html li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul"
);

impl Writer {
    /// The blocks inside `node`.
    pub(crate) fn inside(&mut self, node: &NodeRef<'_>, depth: usize) -> Vec<Block> {
        let mut out = Vec::new();
        let mut run = Vec::new();
        self.flow(node, depth, None, &mut out, &mut run);
        self.flush(&mut run, &mut out);
        out
    }

    /// Goes through the children of `node`, all but `skipped`; `run` is the running text before the next block.
    fn flow(
        &mut self,
        node: &NodeRef<'_>,
        depth: usize,
        skipped: Option<&NodeRef<'_>>,
        out: &mut Vec<Block>,
        run: &mut Vec<Inline>,
    ) {
        if depth > DEPTH_MAX {
            run.push(Inline::Text(node.text().to_string()));
            return;
        }
        for child in node.children_it(false) {
            if skipped.is_some_and(|skipped| skipped.id == child.id) {
                continue;
            }
            if child.is_text() || !child.is_element() {
                inline::piece(&child, &self.base, 0, run);
                continue;
            }
            if is_hidden(&child) || tabs::is_bar(&child) {
                continue;
            }
            if let Some(label) = tabs::label(&child) {
                self.flush(run, out);
                let words = vec![Inline::Strong(vec![Inline::Text(label)])];
                out.push(self.builder.leaf(BlockKind::Paragraph(words)));
            }
            let name = child.node_name().unwrap_or_default();
            if let Some(formula) = displayed_formula(&child) {
                self.flush(run, out);
                out.push(self.builder.leaf(BlockKind::Math(formula)));
            } else if BLOCKS.contains(&name.as_ref()) {
                self.flush(run, out);
                self.block(&child, &name, depth, skipped, out);
            } else if name.as_ref() == "img" || name.as_ref() == "picture" {
                self.picture(&child, run, out);
            } else if holds_block(&child) {
                self.flush(run, out);
                self.flow(&child, depth + 1, skipped, out, run);
                self.flush(run, out);
            } else {
                inline::piece(&child, &self.base, 0, run);
            }
        }
    }

    fn flush(&mut self, run: &mut Vec<Inline>, out: &mut Vec<Block>) {
        for part in parted(std::mem::take(run)) {
            let text = tidy(part);
            if !plain(&text).trim().is_empty() {
                out.push(self.builder.leaf(BlockKind::Paragraph(text)));
            }
        }
    }

    fn block(
        &mut self,
        node: &NodeRef<'_>,
        name: &str,
        depth: usize,
        skipped: Option<&NodeRef<'_>>,
        out: &mut Vec<Block>,
    ) {
        if let Some(note) = notes::note(node) {
            self.note(node, note, depth, out);
            return;
        }
        match name {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.heading(node, name, out),
            "pre" => self.code(node, out),
            "ul" | "ol" | "menu" | "dir" => self.list(node, name == "ol", depth, out),
            "dl" => self.definitions(node, depth, out),
            "table" => table::table(self, node, depth, out),
            "blockquote" => self.around(node, depth, None, BlockKind::Quote, out),
            "figure" => self.figure(node, depth, out),
            "details" => self.details(node, depth, out),
            "hr" => {}
            // Javadoc's signatures, Doxygen's title.
            "div"
                if ["member-signature", "type-signature"]
                    .iter()
                    .any(|class| node.has_class(class)) =>
            {
                self.code(node, out);
            }
            "div" if node.has_class("title") && parent_has_class(node, "headertitle") => {
                self.heading(node, "h1", out);
            }
            // Doxygen writes code as one element a line.
            "div" if node.has_class("fragment") && first_is_line(node) => self.code(node, out),
            _ => {
                let mut run = Vec::new();
                self.flow(node, depth + 1, skipped, out, &mut run);
                self.flush(&mut run, out);
            }
        }
    }

    /// A container block around what is inside `node`.
    fn around(
        &mut self,
        node: &NodeRef<'_>,
        depth: usize,
        skipped: Option<&NodeRef<'_>>,
        make: impl FnOnce(Vec<Block>) -> BlockKind,
        out: &mut Vec<Block>,
    ) {
        let start = self.builder.here();
        let entered = self.builder.enter();
        let mut inner = Vec::new();
        let mut run = Vec::new();
        self.flow(node, depth + 1, skipped, &mut inner, &mut run);
        self.flush(&mut run, &mut inner);
        if !entered {
            out.extend(inner);
            return;
        }
        self.builder.leave();
        if !inner.is_empty() {
            out.push(self.builder.around(start, make(inner)));
        }
    }

    fn note(
        &mut self,
        node: &NodeRef<'_>,
        note: notes::Note<'_>,
        depth: usize,
        out: &mut Vec<Block>,
    ) {
        let (class, title) = (note.class, note.title);
        // AsciiDoctor and DocBook put the text beside an icon, in a table.
        let beside = node.descendants_it().take(30).find(|inner| {
            inner.has_name("td")
                && (inner.has_class("content")
                    || inner.attr("align").is_some_and(|at| &*at == "left")
                        && inner.attr("colspan").is_none()
                        && inner.attr("rowspan").is_none())
        });
        let make = |blocks| BlockKind::Admonition {
            class,
            title,
            blocks,
        };
        let content = beside.as_ref().unwrap_or(node);
        self.around(content, depth, note.title_node.as_ref(), make, out);
    }

    /// A heading.
    pub(crate) fn heading(&mut self, node: &NodeRef<'_>, name: &str, out: &mut Vec<Block>) {
        let mut text = Vec::new();
        inline::children(node, &self.base, 0, &mut text);
        let text: Vec<Inline> = tidy(text)
            .into_iter()
            .map(|piece| match piece {
                Inline::Break => Inline::Text(" ".to_owned()),
                other => other,
            })
            .collect();
        let text = tidy(text);
        // A heading that is one link to itself is its words.
        let text = match text.as_slice() {
            [Inline::Link(link)] => link.text.clone(),
            _ => text,
        };
        if plain(&text).trim().is_empty() {
            return;
        }
        if let Some(anchor) = anchor(node) {
            self.builder.at_fragment(&anchor);
        }
        let level = name.as_bytes().get(1).map_or(2, |digit| digit - b'0');
        out.push(self.builder.leaf(BlockKind::Heading { level, text }));
    }

    /// Preformatted text.
    pub(crate) fn code(&mut self, node: &NodeRef<'_>, out: &mut Vec<Block>) {
        let text = code::text(node);
        if text.trim().is_empty() {
            return;
        }
        if let Some(mark) = example_mark(node) {
            out.push(self.builder.leaf(mark));
        }
        let kind = BlockKind::Code {
            language: code::language(node),
            text,
        };
        out.push(self.builder.leaf(kind));
    }

    fn list(&mut self, node: &NodeRef<'_>, ordered: bool, depth: usize, out: &mut Vec<Block>) {
        let start = self.builder.here();
        let entered = self.builder.enter();
        let mut items: Vec<Vec<Block>> = Vec::new();
        for child in node.children_it(false) {
            if child.has_name("li") {
                let item = self.inside(&child, depth + 1);
                if !item.is_empty() {
                    items.push(item);
                }
            } else if child.is_element() && !is_hidden(&child) {
                // A list directly in a list belongs to the item before it.
                let mut inner = Vec::new();
                let mut run = Vec::new();
                let name = child.node_name().unwrap_or_default();
                if BLOCKS.contains(&name.as_ref()) && depth < DEPTH_MAX {
                    self.block(&child, &name, depth + 1, None, &mut inner);
                } else {
                    inline::piece(&child, &self.base, 0, &mut run);
                    self.flush(&mut run, &mut inner);
                }
                match items.last_mut() {
                    Some(item) => item.extend(inner),
                    None if inner.is_empty() => {}
                    None => items.push(inner),
                }
            }
        }
        if !entered {
            out.extend(items.into_iter().flatten());
            return;
        }
        self.builder.leave();
        if items.is_empty() {
            return;
        }
        let first = node
            .attr("start")
            .and_then(|start| start.trim().parse().ok());
        let kind = BlockKind::List {
            start: ordered.then(|| first.unwrap_or(1)),
            items,
        };
        out.push(self.builder.around(start, kind));
    }

    fn definitions(&mut self, node: &NodeRef<'_>, depth: usize, out: &mut Vec<Block>) {
        let start = self.builder.here();
        let entered = self.builder.enter();
        let mut entries: Vec<Definition> = Vec::new();
        self.entries(node, depth, &mut entries);
        if !entered {
            out.extend(entries.into_iter().flat_map(|entry| entry.blocks));
            return;
        }
        self.builder.leave();
        entries.retain(|entry| !entry.terms.is_empty() || !entry.blocks.is_empty());
        if !entries.is_empty() {
            out.push(self.builder.around(start, BlockKind::Definitions(entries)));
        }
    }

    fn entries(&mut self, node: &NodeRef<'_>, depth: usize, entries: &mut Vec<Definition>) {
        for child in node.children_it(false) {
            if child.has_name("dt") {
                if let Some(id) = child.id_attr() {
                    self.builder.at_fragment(&id);
                }
                let mut term = Vec::new();
                // A signature is code, whatever its parts are marked as.
                if child.has_class("sig") {
                    term.push(Inline::Code(squash(&child.text())));
                } else {
                    inline::children(&child, &self.base, 0, &mut term);
                }
                let term = tidy(term);
                if plain(&term).trim().is_empty() {
                    continue;
                }
                self.builder.line(&term);
                match entries.last_mut() {
                    Some(entry) if entry.blocks.is_empty() => entry.terms.push(term),
                    _ => entries.push(Definition {
                        terms: vec![term],
                        blocks: Vec::new(),
                    }),
                }
            } else if child.has_name("dd") {
                let blocks = self.inside(&child, depth + 1);
                match entries.last_mut() {
                    Some(entry) => entry.blocks.extend(blocks),
                    None => entries.push(Definition {
                        terms: Vec::new(),
                        blocks,
                    }),
                }
            } else if child.has_name("div") && depth < DEPTH_MAX {
                self.entries(&child, depth + 1, entries);
            }
        }
    }

    /// A fold: its summary, then what it hides. A summary that holds a heading is content of its own.
    fn details(&mut self, node: &NodeRef<'_>, depth: usize, out: &mut Vec<Block>) {
        let summary = node
            .children_it(false)
            .find(|child| child.has_name("summary"));
        if let Some(summary) = &summary {
            if holds_block(summary) {
                out.extend(self.inside(summary, depth + 1));
            } else {
                let mut words = Vec::new();
                inline::children(summary, &self.base, 0, &mut words);
                let words = tidy(words);
                let says = plain(&words);
                if !says.trim().is_empty() && !summary.has_class("hideme") {
                    let block = self
                        .builder
                        .leaf(BlockKind::Paragraph(vec![Inline::Strong(words)]));
                    out.push(block);
                }
            }
        }
        let mut run = Vec::new();
        self.flow(node, depth + 1, summary.as_ref(), out, &mut run);
        self.flush(&mut run, out);
    }

    /// A figure is a picture with its caption; around code or a table it is only a frame.
    fn figure(&mut self, node: &NodeRef<'_>, depth: usize, out: &mut Vec<Block>) {
        let caption_node = node
            .descendants_it()
            .take(60)
            .find(|inner| inner.has_name("figcaption"));
        let framed = node
            .descendants_it()
            .take(60)
            .any(|inner| inner.has_name("pre") || inner.has_name("table"));
        let picture = node
            .descendants_it()
            .take(60)
            .find(|inner| inner.has_name("img"));
        match (framed, picture) {
            (false, Some(picture)) => {
                let mut caption = Vec::new();
                if let Some(node) = &caption_node {
                    inline::children(node, &self.base, 0, &mut caption);
                }
                self.push_figure(&picture, tidy(caption), out);
            }
            _ => {
                let mut run = Vec::new();
                self.flow(node, depth + 1, None, out, &mut run);
                self.flush(&mut run, out);
            }
        }
    }

    /// A picture outside a figure: content only when it has words and stands alone.
    fn picture(&mut self, node: &NodeRef<'_>, run: &mut Vec<Inline>, out: &mut Vec<Block>) {
        let alone = node.parent().is_some_and(|parent| {
            let text = parent.text();
            text.trim().is_empty()
                && (parent.has_name("p") || parent.has_name("div") || parent.has_name("a"))
        });
        if alone {
            self.flush(run, out);
            let picture = if node.has_name("img") {
                Some(*node)
            } else {
                node.descendants_it().find(|inner| inner.has_name("img"))
            };
            if let Some(picture) = picture {
                self.push_figure(&picture, Vec::new(), out);
            }
        }
    }

    fn push_figure(&mut self, picture: &NodeRef<'_>, caption: Vec<Inline>, out: &mut Vec<Block>) {
        let source = picture
            .attr("src")
            .filter(|source| !source.starts_with("data:"))
            .or_else(|| picture.attr("data-src"))
            .and_then(|source| self.base.resolve(&source))
            .unwrap_or_default();
        let alternative = squash(&picture.attr("alt").unwrap_or_default());
        if alternative.is_empty() && caption.is_empty() {
            return;
        }
        let kind = BlockKind::Figure {
            source,
            alternative,
            caption,
        };
        out.push(self.builder.leaf(kind));
    }
}

/// Running text, parted where two line breaks or more leave an empty line.
fn parted(run: Vec<Inline>) -> Vec<Vec<Inline>> {
    let mut parts: Vec<Vec<Inline>> = vec![Vec::new()];
    let mut breaks = 0;
    for inline in run {
        match &inline {
            Inline::Break => breaks += 1,
            Inline::Text(text) if text.trim().is_empty() => {}
            _ => {
                if breaks > 1 {
                    parts.push(Vec::new());
                }
                breaks = 0;
            }
        }
        if let Some(part) = parts.last_mut() {
            part.push(inline);
        }
    }
    parts
}

/// The anchor that leads to a heading: its own, one inside it, or that of the section it opens.
fn anchor(node: &NodeRef<'_>) -> Option<String> {
    let id_of = |node: &NodeRef<'_>| {
        node.id_attr()
            .or_else(|| node.has_name("a").then(|| node.attr("name")).flatten())
            .map(|id| id.to_string())
            .filter(|id| !id.is_empty())
    };
    id_of(node)
        .or_else(|| {
            node.descendants_it()
                .take(8)
                .find_map(|inner| id_of(&inner))
        })
        .or_else(|| {
            let mut parent = node.parent()?;
            for _ in 0..2 {
                let opens_section = parent.has_name("section")
                    || ["section", "sect1", "titlepage"]
                        .iter()
                        .any(|class| parent.has_class(class));
                if opens_section && let Some(id) = id_of(&parent) {
                    return Some(id);
                }
                parent = parent.parent()?;
            }
            None
        })
}

pub(crate) fn holds_block(node: &NodeRef<'_>) -> bool {
    node.descendants_it().take(200).any(|inner| {
        inner
            .node_name()
            .is_some_and(|name| BLOCKS.contains(&name.as_ref()))
    })
}

fn parent_has_class(node: &NodeRef<'_>, class: &str) -> bool {
    node.parent().is_some_and(|parent| parent.has_class(class))
}

fn first_is_line(node: &NodeRef<'_>) -> bool {
    node.element_children()
        .first()
        .is_some_and(|child| child.has_class("line"))
}

fn is_hidden(node: &NodeRef<'_>) -> bool {
    node.attr("style").is_some_and(|style| {
        let style = style.to_ascii_lowercase().replace(' ', "");
        style.contains("display:none") || style.contains("visibility:hidden")
    }) && !node.has_class("math")
        && !node.has_class("mwe-math-mathml-inline")
        && !tabs::is_panel(node)
}

/// The mark of a good or bad example on a listing, on the code in it or on one of three elements around it.
fn example_mark(node: &NodeRef<'_>) -> Option<BlockKind> {
    let is_page = |node: &NodeRef<'_>| {
        ["body", "article", "main", "section"]
            .iter()
            .any(|name| node.has_name(name))
    };
    let inner = node
        .descendants_it()
        .take(3)
        .find(|inner| inner.has_name("code"));
    let around = std::iter::successors(Some(*node), |node| node.parent()).take(4);
    let around = around.take_while(|node| !is_page(node));
    let classes: Vec<String> = inner
        .into_iter()
        .chain(around)
        .filter_map(|node| node.class().map(|classes| classes.to_string()))
        .collect();
    let words = classes
        .iter()
        .flat_map(|classes| classes.split_whitespace());
    example_marks::before(words)
}

/// The TeX of a formula that stands on a line of its own.
fn displayed_formula(node: &NodeRef<'_>) -> Option<String> {
    let displayed = node.has_class("katex-display")
        || (node.has_class("math") && node.has_name("div"))
        || (node.has_class("arithmatex") && node.has_name("div"))
        || (node.has_name("math")
            && node
                .attr("display")
                .is_some_and(|display| &*display == "block"))
        || (node.has_name("script")
            && node
                .attr("type")
                .is_some_and(|kind| kind.contains("mode=display")));
    displayed.then(|| inline::formula(node)).flatten()
}
