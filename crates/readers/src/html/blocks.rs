//! Writes the content of a page as blocks: headings with their anchors, nested lists, code, tables, definitions, notes,
//! figures and quotes.

use crate::builder::{Builder, put_below, tidy};
use crate::folds::only_opens;
use crate::html::finder::is_of_one;
use crate::html::inline::{self, Base};
use crate::html::{
    code, furniture, generated, levels, lined, notes, pictured, preformatted, symbols, table, tabs,
    terms,
};
use crate::text;
use dom_query::{NodeId, NodeRef};
use skillkiln_document::blocks::{Block, BlockKind, Definition};
use skillkiln_document::text::{Inline, plain, squash};
use std::collections::{HashMap, HashSet};

/// Elements nested deeper than this give their text only.
const DEPTH_MAX: usize = 160;
/// Elements that end the line they stand in.
const BLOCKS: &[&str] = &[
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "center",
    "dd",
    "details",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hgroup",
    "hr",
    "html",
    "li",
    "main",
    "menu",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "summary",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
    "ul",
];

/// Writes blocks into a document in the making.
#[derive(Debug)]
pub(crate) struct Writer {
    pub(crate) builder: Builder,
    pub(crate) base: Base,
    /// Whether headings come that have not come yet: what stands before them may be a menu.
    pub(crate) expects_heading: bool,
    /// Whether the page has said something.
    pub(crate) has_said: bool,
    /// What the page has where.
    landmarks: furniture::Landmarks,
    /// The preformatted texts that are most of the page, and prose.
    pub(crate) prose: HashSet<NodeId>,
    /// The level of the section in which blocks come.
    level: u8,
    /// Whether the lists of symbols in an element are sections: it is the same for all of them.
    references: HashMap<NodeId, bool>,
}

impl Writer {
    /// A writer of an empty document.
    pub(crate) fn new(base: Base) -> Self {
        Self {
            builder: Builder::default(),
            base,
            expects_heading: false,
            has_said: false,
            landmarks: furniture::Landmarks::default(),
            prose: HashSet::new(),
            level: 0,
            references: HashMap::new(),
        }
    }

    /// The blocks inside `content`, which is all that the document is made of.
    pub(crate) fn all(&mut self, content: &NodeRef<'_>) -> Vec<Block> {
        self.landmarks = furniture::Landmarks::of(content);
        let mut blocks = self.inside(content, 0);
        levels::put_right(&mut blocks);
        blocks
    }

    /// The blocks inside `node`.
    pub(crate) fn inside(&mut self, node: &NodeRef<'_>, depth: usize) -> Vec<Block> {
        let mut out = Vec::new();
        let mut run = Vec::new();
        self.flow(node, depth, None, &mut out, &mut run);
        self.flush(&mut run, &mut out);
        out
    }

    /// Goes through the children of `node`, all but `skipped`; `run` is the running text before the next block.
    pub(super) fn flow(
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
                let block = self.builder.leaf(BlockKind::Math(formula));
                out.push(block);
            } else if let Some(text) = code::broken(&child).or_else(|| lined::code(&child)) {
                self.flush(run, out);
                let language = None;
                out.push(self.builder.leaf(BlockKind::Code { language, text }));
            } else if BLOCKS.contains(&name.as_ref()) {
                self.flush(run, out);
                self.block(&child, &name, depth, skipped, out);
            } else if (name.as_ref() == "img" || name.as_ref() == "picture")
                && pictured::formula(&child).is_none()
            {
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

    pub(super) fn flush(&mut self, run: &mut Vec<Inline>, out: &mut Vec<Block>) {
        let text = tidy(std::mem::take(run));
        let leads_away = self.builder.is_outermost()
            && furniture::leads_away(&text, self.expects_heading, !self.has_said);
        let words = plain(&text);
        let is_said = |words: &str| {
            !generated::says_what_made_it(words) && !generated::leads_to_source(words)
        };
        let is_text = is_said(&words) && !words.trim().is_empty();
        if !leads_away && is_text {
            // Two or three words may be a button, or what the page is called.
            self.has_said |= words.split_whitespace().nth(3).is_some();
            let block = self.builder.leaf(BlockKind::Paragraph(text));
            out.push(block);
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
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" if !furniture::is_byline(node) => {
                self.heading(node, name, out);
            }
            "pre" => self.code(node, out),
            "ul" | "ol" | "menu" | "dir"
                if self.builder.is_outermost() && self.landmarks.leads_inside(node) =>
            {
                out.pop_if(|last| furniture::is_over_contents(last));
            }
            "ul" | "ol"
                if self.builder.is_outermost()
                    && out.last().is_some_and(furniture::is_over_contents)
                    && self.landmarks.tells_headings(node) =>
            {
                out.pop();
            }
            "ul" | "ol" | "menu" | "dir"
                if self.builder.is_outermost()
                    && self.landmarks.leads_about(node, self.expects_heading) => {}
            "table" if self.builder.is_outermost() && self.landmarks.is_foot(node) => {}
            "ul" if furniture::is_frame(node) => self.flow_of(node, depth, skipped, out),
            "ul" if terms::are_items(node) => self.definitions_in_items(node, depth, out),
            "ul" | "ol" | "menu" | "dir" => self.list(node, name == "ol", depth, out),
            "dl" if self.builder.is_outermost() && self.are_sections(node) => {
                self.symbols(node, depth, out);
            }
            "dl" if terms::are_alone(node) => self.list_of_terms(node, depth, out),
            "dl" => self.definitions(node, depth, out),
            "p" | "table" if terms::is_prototype(node) => {
                let call = Inline::Code(squash(&node.text()));
                out.push(self.builder.leaf(BlockKind::Paragraph(vec![call])));
            }
            "table" => table::table(self, node, depth, out),
            "blockquote" if code::is_quoted(node) => {
                let (language, text) = (None, squash(&node.text()));
                out.push(self.builder.leaf(BlockKind::Code { language, text }));
            }
            "blockquote" => self.around(node, depth, None, BlockKind::Quote, out),
            "figure" => self.figure(node, depth, out),
            "details" => self.details(node, depth, out),
            "hr" => {}
            "li" if is_stray(node) => self.stray_item(node, depth, out),
            // Javadoc's signatures; Doxygen's title, and SQLite's.
            "div"
                if ["member-signature", "type-signature"]
                    .iter()
                    .any(|class| node.has_class(class)) =>
            {
                self.code(node, out);
            }
            "div"
                if node.has_class("title") && parent_has_class(node, "headertitle")
                    || node.has_class("fancy_title") =>
            {
                self.heading(node, "h1", out);
            }
            // Doxygen writes code as one element a line.
            "div" if node.has_class("fragment") && first_is_line(node) => self.code(node, out),
            _ => self.flow_of(node, depth, skipped, out),
        }
    }

    /// Whether the symbols of the list `node` are sections; their parent is looked through once.
    fn are_sections(&mut self, node: &NodeRef<'_>) -> bool {
        if !symbols::is_of_symbols(node) {
            return false;
        }
        let Some(parent) = node.parent() else {
            return false;
        };
        let known = self.references.entry(parent.id);
        *known.or_insert_with(|| symbols::are_sections(&parent))
    }

    /// What is inside `node`, as if it stood there without it.
    pub(super) fn flow_of(
        &mut self,
        node: &NodeRef<'_>,
        depth: usize,
        skipped: Option<&NodeRef<'_>>,
        out: &mut Vec<Block>,
    ) {
        let mut run = Vec::new();
        self.flow(node, depth + 1, skipped, out, &mut run);
        self.flush(&mut run, out);
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
            blocks: told(blocks, &class),
            class,
            title,
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
        if self.builder.is_outermost() && furniture::leads_away(&text, false, false) {
            return;
        }
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
        self.expects_heading = false;
        self.has_said = true;
        let level = name.as_bytes().get(1).map_or(2, |digit| digit - b'0');
        self.level = level;
        let block = self.builder.leaf(BlockKind::Heading { level, text });
        out.push(block);
    }

    /// Preformatted text.
    pub(crate) fn code(&mut self, node: &NodeRef<'_>, out: &mut Vec<Block>) {
        let listings = code::listings(node);
        if !listings.is_empty() {
            listings.iter().for_each(|listing| self.code(listing, out));
            return;
        }
        let mut text = code::text(node);
        if text.trim().is_empty() {
            return;
        }
        if let Some((name, below)) = code::captioned(node, &text) {
            let caption = BlockKind::Paragraph(vec![Inline::Code(name.to_owned())]);
            let below = below.to_owned();
            out.push(self.builder.leaf(caption));
            text = below;
        }
        if self.prose.contains(&node.id) {
            let mut laid_out = text::read_plain(preformatted::laid_out(node, text));
            preformatted::quieten(&mut laid_out);
            out.extend(self.builder.append(laid_out));
            return;
        }
        let kind = BlockKind::Code {
            language: code::language_of(node, &text),
            text,
        };
        let block = self.builder.leaf(kind);
        out.push(block);
    }

    fn list(&mut self, node: &NodeRef<'_>, ordered: bool, depth: usize, out: &mut Vec<Block>) {
        // Some set text in with a list that has no items.
        let is_item = |child: NodeRef<'_>| {
            child.has_name("li") || child.has_name("ul") || child.has_name("ol")
        };
        if !node.children_it(false).any(is_item) {
            let inner = self.inside(node, depth + 1);
            out.extend(inner.into_iter().map(lines_as_items));
            return;
        }
        let mut start = self.builder.here();
        let entered = self.builder.enter();
        let mut items: Vec<Vec<Block>> = Vec::new();
        // A list whose numbers do not follow each other is read as several, each with its own.
        let mut lists: Vec<Block> = Vec::new();
        let counts_down = ordered && node.attr("reversed").is_some();
        let begins = number_in(node, "start");
        let mut first = begins.unwrap_or_else(|| match counts_down {
            true => node
                .children_it(false)
                .filter(|it| it.has_name("li"))
                .count() as u64,
            false => 1,
        });
        let mut next = first;
        for child in node.children_it(false) {
            if child.has_name("li") {
                let number = number_in(&child, "value").unwrap_or(next);
                let follows = number == first.saturating_add(items.len() as u64);
                if ordered && entered && !follows {
                    if !items.is_empty() {
                        let items = std::mem::take(&mut items);
                        let kind = BlockKind::List {
                            start: Some(first),
                            items,
                        };
                        lists.push(self.builder.around(start, kind));
                        start = self.builder.here();
                    }
                    first = number;
                }
                let item = match terms::in_item(&child) {
                    Some(list) => self.defined_item(&list, depth + 1),
                    None => self.inside(&child, depth + 1),
                };
                if !item.is_empty() {
                    items.push(item);
                    next = match counts_down {
                        true => number.saturating_sub(1),
                        false => number.saturating_add(1),
                    };
                }
            } else {
                // What stands directly in a list belongs to the item before it.
                let inner = self.stray(&child, depth);
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
        out.append(&mut lists);
        if items.is_empty() {
            return;
        }
        let kind = BlockKind::List {
            start: ordered.then_some(first),
            items,
        };
        out.push(self.builder.around(start, kind));
    }

    /// A numbered list of what is inside `cells`.
    pub(crate) fn items<'a>(
        &mut self,
        cells: impl Iterator<Item = NodeRef<'a>>,
        depth: usize,
        out: &mut Vec<Block>,
    ) {
        let start = self.builder.here();
        let entered = self.builder.enter();
        let mut items: Vec<Vec<Block>> = cells.map(|cell| self.inside(&cell, depth + 1)).collect();
        items.retain(|item| !item.is_empty());
        if !entered {
            out.extend(items.into_iter().flatten());
            return;
        }
        self.builder.leave();
        if !items.is_empty() {
            let kind = BlockKind::List {
                start: Some(1),
                items,
            };
            out.push(self.builder.around(start, kind));
        }
    }

    /// The symbols of a reference, each as a section below the one in which they stand.
    fn symbols(&mut self, node: &NodeRef<'_>, depth: usize, out: &mut Vec<Block>) {
        let above = self.level;
        let level = (above + 1).min(levels::LEVEL_MAX);
        let mut is_headed = false;
        for child in node.children_it(false).filter(NodeRef::is_element) {
            if !child.has_name("dt") {
                self.level = level;
                out.extend(self.inside(&child, depth + 1));
                is_headed = false;
                continue;
            }
            if let Some(id) = child.id_attr() {
                self.builder.at_fragment(&id);
            }
            let (heading, signature) = symbols::heading(&child);
            let text = vec![Inline::Code(heading)];
            let code = |text: String| BlockKind::Code {
                language: None,
                text,
            };
            // What is called in two ways is told once.
            let kinds = match is_headed {
                true => vec![code(squash(&child.text()))],
                false => std::iter::once(BlockKind::Heading { level, text })
                    .chain(signature.map(code))
                    .collect(),
            };
            out.extend(kinds.into_iter().map(|kind| self.builder.leaf(kind)));
            is_headed = true;
        }
        self.level = above;
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
        if matches!(entries.as_slice(), [only] if only.terms.is_empty()) {
            out.extend(entries.into_iter().flat_map(|entry| entry.blocks));
        } else if !entries.is_empty() {
            let block = self.builder.around(start, BlockKind::Definitions(entries));
            match symbols::goes_on(node) {
                true => put_below(out, block),
                false => out.push(block),
            }
        }
    }

    pub(super) fn entries(
        &mut self,
        node: &NodeRef<'_>,
        depth: usize,
        entries: &mut Vec<Definition>,
    ) {
        // The beginning of a sentence that was read as a term.
        let mut begun: Option<NodeRef<'_>> = None;
        for child in node.children_it(false) {
            if child.has_name("dt") && terms::is_wrapped(&child) {
                begun = Some(child);
            } else if child.has_name("dt") && terms::is_told(&child) {
                entries.push(Definition {
                    terms: Vec::new(),
                    blocks: self.inside(&child, depth + 1),
                });
            } else if let Some(term) = begun.take_if(|_| child.has_name("dd")) {
                entries.push(Definition {
                    terms: Vec::new(),
                    blocks: self.wrapped(&term, &child, depth),
                });
            } else if child.has_name("dt") {
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
            } else {
                let blocks = self.stray(&child, depth);
                match entries.last_mut() {
                    _ if blocks.is_empty() => {}
                    Some(entry) => entry.blocks.extend(blocks),
                    None => entries.push(Definition {
                        terms: Vec::new(),
                        blocks,
                    }),
                }
            }
        }
    }

    /// An item around which there is no list, behind the one before it.
    fn stray_item(&mut self, node: &NodeRef<'_>, depth: usize, out: &mut Vec<Block>) {
        let list = |item| BlockKind::List {
            start: None,
            items: vec![item],
        };
        let mut items = Vec::new();
        self.around(node, depth, None, list, &mut items);
        items.into_iter().for_each(|item| put_below(out, item));
    }

    /// What stands in a list and is no entry of it.
    fn stray(&mut self, node: &NodeRef<'_>, depth: usize) -> Vec<Block> {
        let (mut out, mut run) = (Vec::new(), Vec::new());
        let name = node.node_name().unwrap_or_default();
        if node.is_text() {
            inline::piece(node, &self.base, 0, &mut run);
        } else if !node.is_element() || is_hidden(node) {
            return out;
        } else if BLOCKS.contains(&name.as_ref()) && depth < DEPTH_MAX {
            self.block(node, &name, depth + 1, None, &mut out);
        } else {
            inline::piece(node, &self.base, 0, &mut run);
        }
        self.flush(&mut run, &mut out);
        out
    }

    /// A fold: its summary, then what it hides. A summary that holds a heading is content of its own.
    fn details(&mut self, node: &NodeRef<'_>, depth: usize, out: &mut Vec<Block>) {
        let summary = node
            .children_it(false)
            .find(|child| child.has_name("summary"));
        if summary
            .as_ref()
            .is_some_and(|summary| is_history(node, summary))
        {
            return;
        }
        if let Some(summary) = &summary {
            if holds_block(summary) {
                out.extend(self.inside(summary, depth + 1));
            } else {
                let mut words = Vec::new();
                inline::children(summary, &self.base, 0, &mut words);
                let words = tidy(words);
                let says = plain(&words);
                if !says.trim().is_empty() && !summary.has_class("hideme") && !only_opens(&says) {
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
        let mut alternative = squash(&picture.attr("alt").unwrap_or_default());
        let is_face = caption.is_empty() && pictured::is_face(picture, &alternative);
        if is_face || names_picture(&alternative) {
            alternative.clear();
        }
        if alternative.is_empty() && caption.is_empty() {
            return;
        }
        let kind = BlockKind::Figure {
            source,
            alternative,
            caption,
        };
        let block = self.builder.leaf(kind);
        out.push(block);
    }
}

/// What a note says, out of the quotation that is all of it and without the word in bold for its class: the older style of DocBook
/// writes both.
fn told(mut blocks: Vec<Block>, class: &str) -> Vec<Block> {
    if let [Block { kind, .. }] = blocks.as_mut_slice()
        && let BlockKind::Quote(quoted) = kind
    {
        blocks = std::mem::take(quoted);
    }
    if let Some(Block { kind, .. }) = blocks.first_mut()
        && let BlockKind::Paragraph(text) = kind
        && let [Inline::Strong(word), rest @ ..] = text.as_slice()
        && !rest.is_empty()
        && let word = plain(word)
        && let word = word.trim()
        && word
            .strip_suffix(':')
            .is_some_and(|word| word.eq_ignore_ascii_case(class))
    {
        *text = tidy(rest.to_vec());
    }
    blocks
}

/// A paragraph whose lines each begin with code, as a list of them; any other block as it is.
fn lines_as_items(block: Block) -> Block {
    let BlockKind::Paragraph(text) = &block.kind else {
        return block;
    };
    let lines = text.split(|piece| matches!(piece, Inline::Break));
    let lines: Vec<Vec<Inline>> = lines.map(|line| tidy(line.to_vec())).collect();
    let begins = |line: &Vec<Inline>| matches!(line.first(), Some(Inline::Code(_)));
    if lines.len() < 2 || !lines.iter().all(begins) {
        return block;
    }
    let item = |line: Vec<Inline>| Block {
        kind: BlockKind::Paragraph(line),
        span: block.span.clone(),
    };
    Block {
        kind: BlockKind::List {
            start: None,
            items: lines.into_iter().map(|line| vec![item(line)]).collect(),
        },
        span: block.span.clone(),
    }
}

/// Whether the words that stand for a picture are but the name of its file, which generators put there where the writer gave none.
pub(crate) fn names_picture(alternative: &str) -> bool {
    const ENDINGS: [&str; 9] = [
        "png", "jpg", "jpeg", "gif", "svg", "webp", "bmp", "ico", "tiff",
    ];
    let is_picture = |ending: &str| ENDINGS.contains(&ending.to_ascii_lowercase().as_str());
    let named = alternative.rsplit_once('.');
    !alternative.contains(char::is_whitespace)
        && named.is_some_and(|(name, ending)| !name.is_empty() && is_picture(ending))
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

/// Whether a fold is the history of what is told around it: it holds nothing but a table of its versions.
fn is_history(fold: &NodeRef<'_>, summary: &NodeRef<'_>) -> bool {
    let says = summary.text().trim().to_lowercase();
    let mut others = fold
        .children_it(false)
        .filter(|child| child.is_element() && child.id != summary.id);
    ["history", "changelog", "version history"].contains(&says.as_str())
        && others.next().is_some_and(|child| child.has_name("table"))
        && others.next().is_none()
}

/// Whether an item stands in no list.
fn is_stray(item: &NodeRef<'_>) -> bool {
    let lists = ["ul", "ol", "menu", "dir"];
    !item
        .parent()
        .is_some_and(|around| lists.iter().any(|list| around.has_name(list)))
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

/// The TeX of a formula that stands on a line of its own.
fn displayed_formula(node: &NodeRef<'_>) -> Option<String> {
    if node.has_name("img") {
        return pictured::formula(node).filter(|_| pictured::stands_alone(node));
    }
    let displayed = is_of_one(node, &["katex-display"])
        || (is_of_one(node, &["math", "arithmatex"]) && node.has_name("div"))
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

/// The number that an attribute gives.
fn number_in(node: &NodeRef<'_>, attribute: &str) -> Option<u64> {
    node.attr(attribute)?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use crate::html;
    use skillkiln_document::markdown::write;

    #[test]
    fn the_name_of_a_file_is_no_words_for_its_picture() {
        let page = |alternative: &str| {
            let page = format!(
                "<title>Kilns</title><main><h1>Kilns</h1><p>A kiln is heated slowly, and opened a day after it.</p><p><img alt='{alternative}' src='kiln.png'></p><p>Then it rests.</p></main>"
            );
            write(&html::read(&page, None).expect("it is read").blocks)
        };
        for (alternative, is_shown) in [
            ("_images/red-kiln.png", false),
            ("Kiln.SVG", false),
            ("a red kiln.png", true),
            (".png", true),
            ("Kiln No.4", true),
        ] {
            assert_eq!(
                page(alternative).contains(alternative),
                is_shown,
                "{alternative}"
            );
        }
    }
}
