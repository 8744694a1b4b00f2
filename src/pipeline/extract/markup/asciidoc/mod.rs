//! Reads AsciiDoc: sections in both spellings, delimited blocks, lists with what is attached to them, and tables, with
//! byte ranges into the source itself.
//!
//! Delimited blocks are cut out and read one level deeper, and the levels are bounded, so the work is linear.

pub mod inline;
pub mod lists;
pub mod metadata;
pub mod tables;

use crate::domain::document::{About, Block, BlockKind, Document};
use crate::domain::text::{Inline, plain, squash};
use crate::pipeline::extract::builder::tidy;
use crate::pipeline::extract::markup::lines::{self, Line};
use crate::pipeline::extract::markup::markdown::{self, language_of};
use crate::pipeline::markdown::rendered::write_text_of_html;
use inline::Attributes;
use metadata::Metadata;

/// Deepest nesting of blocks that are taken apart; what lies deeper is one paragraph.
const DEPTH_MAX: usize = 20;

/// Whether `text` is evidently AsciiDoc: marks that no other text has, several of them.
pub(crate) fn is_asciidoc(text: &str) -> bool {
    let mut evidence = 0;
    for line in text.lines().take(500) {
        let line = line.trim_end();
        let is_source = line.starts_with("[source") && line.ends_with(']');
        let is_macro = ["include::", "image::", "ifdef::"]
            .iter()
            .any(|name| line.starts_with(name))
            && line.ends_with(']');
        let is_section = line.starts_with("== ") || line.starts_with("=== ");
        let is_attribute = [
            ":toc:",
            ":doctype:",
            ":icons:",
            ":sectnums:",
            ":source-highlighter:",
        ]
        .iter()
        .any(|name| line.starts_with(name));
        let is_block = matches!(
            line,
            "|===" | "[NOTE]" | "[TIP]" | "[WARNING]" | "[IMPORTANT]" | "[CAUTION]"
        );
        evidence += 2 * usize::from(is_source || is_macro || is_attribute || is_block);
        evidence += usize::from(is_section || line.contains("xref:") || line.contains("linkgit:"));
    }
    let is_markdown = text
        .lines()
        .take(500)
        .any(|line| line.starts_with("# ") || line.starts_with("```"));
    evidence >= if is_markdown { 6 } else { 3 }
}

/// Reads `text` as AsciiDoc.
#[must_use]
pub fn read(text: String) -> Document {
    let lines = lines::lines_of(&text);
    let mut reader = Reader::default();
    let (header, mut blocks) = reader.header(&lines);
    let rest = lines.get(header..).unwrap_or_default();
    blocks.extend(reader.blocks(rest, 0));
    let title = markdown::first_title(&blocks);
    Document {
        title,
        about: reader.about,
        text,
        blocks,
        ..Document::default()
    }
}

/// What is known while a document is read.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    attributes: Attributes,
    about: About,
    /// How many `ifdef` that hold are open.
    conditions: usize,
}

impl Reader {
    fn inline(&self, text: &str) -> Vec<Inline> {
        tidy(inline::read(text, &self.attributes))
    }

    /// The title with the lines about author and revision below it.
    fn header(&mut self, lines: &[Line<'_>]) -> (usize, Vec<Block>) {
        let mut at = 0;
        let mut out = Vec::new();
        while let Some(line) = lines.get(at) {
            let words = line.words();
            if words.is_empty() || words.starts_with("//") && !words.starts_with("////") {
                at += 1;
            } else if let Some(used) = self.entry(lines.get(at..).unwrap_or_default()) {
                at += used;
            } else {
                break;
            }
        }
        let rest = lines.get(at..).unwrap_or_default();
        let Some((1, title, used)) = section(rest) else {
            return (at, out);
        };
        // A title in the old spelling asks for the old marks.
        if used == 2 {
            self.attributes
                .insert("compat-mode".to_owned(), String::new());
        }
        let text = self.inline(title);
        out.push(lines::block(
            BlockKind::Heading { level: 1, text },
            rest.get(..used).unwrap_or_default(),
        ));
        at += used;
        let is_line = |line: Option<&Line<'_>>| {
            line.is_some_and(|line| {
                !line.is_blank() && !line.text.starts_with([':', '/', '[', '=', '.'])
            })
        };
        if is_line(lines.get(at)) {
            let words = lines.get(at).map_or("", Line::words);
            // An author line holds a name, mostly with an address.
            if words.contains('<') || words.split_whitespace().count() <= 4 && !words.ends_with('.')
            {
                let name = words.split('<').next().unwrap_or("").trim();
                self.about.author = Some(squash(name)).filter(|name| !name.is_empty());
                at += 1;
                if is_line(lines.get(at)) {
                    let words = lines.get(at).map_or("", Line::words);
                    let date = words
                        .rsplit(',')
                        .next()
                        .unwrap_or(words)
                        .split(':')
                        .next()
                        .unwrap_or("");
                    self.about.date = Some(squash(date))
                        .filter(|date| date.contains(|c: char| c.is_ascii_digit()));
                    at += 1;
                }
            }
        }
        (at, out)
    }

    /// `:name: value`; gives the lines it takes.
    fn entry(&mut self, lines: &[Line<'_>]) -> Option<usize> {
        let words = lines.first()?.words();
        let rest = words.strip_prefix(':')?;
        let (name, value) = rest.split_once(':')?;
        let is_name = !name.is_empty()
            && name.len() < 80
            && name
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '!'))
            && (value.is_empty() || value.starts_with(' '));
        if !is_name {
            return None;
        }
        let mut used = 1;
        let mut value = value.trim().to_owned();
        while let Some(head) = value.strip_suffix(" \\").map(str::to_owned) {
            value = head;
            let Some(next) = lines.get(used) else { break };
            value.push(' ');
            value.push_str(next.words());
            used += 1;
            if used > 50 {
                break;
            }
        }
        if name.contains('!') {
            self.attributes
                .remove(&name.replace('!', "").to_lowercase());
            return Some(used);
        }
        match name {
            "author" => self.about.author = Some(value.clone()),
            "revdate" => self.about.date = Some(value.clone()),
            "lang" => self.about.language = Some(value.clone()),
            "description" => self.about.description = Some(value.clone()),
            _ => {}
        }
        if self.attributes.len() < 2_000 && value.len() < 2_000 {
            // Other attributes in the value are filled in once, here.
            let value = if value.contains('{') {
                plain(&inline::read(&value, &self.attributes))
            } else {
                value
            };
            self.attributes
                .insert(name.to_lowercase(), value.chars().take(2_000).collect());
        }
        Some(used)
    }

    fn blocks(&mut self, lines: &[Line<'_>], depth: usize) -> Vec<Block> {
        let mut out = Vec::new();
        if depth > DEPTH_MAX {
            let text = self.inline(&lines::words(lines));
            if !text.is_empty() {
                out.push(lines::paragraph(text, lines));
            }
            return out;
        }
        let mut rest = lines;
        while !rest.is_empty() {
            let used = self.block(rest, depth, false, &mut out);
            rest = rest.get(used.max(1)..).unwrap_or_default();
        }
        out
    }

    /// Reads one block with the lines about it that stand above; gives how many lines it took.
    fn block(
        &mut self,
        lines: &[Line<'_>],
        depth: usize,
        in_list: bool,
        out: &mut Vec<Block>,
    ) -> usize {
        let mut metadata = Metadata::default();
        let mut at = 0;
        loop {
            let rest = lines.get(at..).unwrap_or_default();
            let Some(line) = rest.first() else { return at };
            let words = line.words();
            if words.is_empty() {
                at += 1;
                if metadata.is_empty() {
                    return at;
                }
            } else if let Some(used) = self.skipped(rest, out) {
                at += used;
            } else if metadata.take(line.text.trim_end()) {
                if line.text.starts_with('.') {
                    metadata.title_at = line.range();
                }
                at += 1;
            } else {
                return at + self.body(rest, metadata, depth, in_list, out);
            }
        }
    }

    /// Comments, attributes and conditions say nothing themselves.
    fn skipped(&mut self, lines: &[Line<'_>], out: &mut Vec<Block>) -> Option<usize> {
        let line = lines.first()?;
        let words = line.text.trim_end();
        if words.len() >= 4 && words.bytes().all(|b| b == b'/') {
            return Some(closed(lines, words).0);
        }
        if words.starts_with("//") {
            return Some(1);
        }
        if let Some(rest) = words
            .strip_prefix("ifdef::")
            .or_else(|| words.strip_prefix("ifndef::"))
        {
            let (names, text) = rest.split_once('[').unwrap_or((rest, ""));
            let is_set = |name: &str| {
                self.attributes.contains_key(name.trim())
                    || matches!(
                        name.trim(),
                        "backend-html5" | "basebackend-html" | "asciidoctor" | "doctype-article"
                    )
            };
            let any = names.split([',', '+']).any(is_set);
            let holds = any != words.starts_with("ifndef");
            let text = text.trim_end_matches(']');
            if !text.is_empty() {
                if holds && !text.starts_with(':') {
                    let text = self.inline(text);
                    out.push(lines::paragraph(text, &[*line]));
                }
                return Some(1);
            }
            if holds {
                self.conditions += 1;
                return Some(1);
            }
            return Some(conditional(lines));
        }
        if words.starts_with("ifeval::") || words.starts_with("endif::") {
            return Some(1);
        }
        if words.starts_with(':') {
            return self.entry(lines);
        }
        if matches!(
            words,
            "<<<" | "'''" | "---" | "***" | "* * *" | "- - -" | "+"
        ) || words.starts_with("toc::[")
        {
            return Some(1);
        }
        None
    }

    fn body(
        &mut self,
        lines: &[Line<'_>],
        metadata: Metadata,
        depth: usize,
        in_list: bool,
        out: &mut Vec<Block>,
    ) -> usize {
        let Some(line) = lines.first() else { return 1 };
        let words = line.text.trim_end();
        if let Some((target, rest)) = words
            .strip_prefix("include::")
            .and_then(|rest| rest.split_once('['))
            && rest.ends_with(']')
        {
            let text = vec![
                Inline::Text("Included here: ".to_owned()),
                Inline::Code(target.to_owned()),
            ];
            out.push(lines::paragraph(text, &[*line]));
            return 1;
        }
        if depth == 0
            && !in_list
            && let Some((level, title, used)) = section(lines)
        {
            let text = self.inline(title);
            let taken = lines.get(..used).unwrap_or_default();
            if !text.is_empty() {
                out.push(lines::block(BlockKind::Heading { level, text }, taken));
            }
            return used;
        }
        if let Some(delimiter) = delimiter(words) {
            let (used, inner) = closed(lines, words);
            let body = lines.get(1..inner).unwrap_or_default();
            let taken = lines.get(..used).unwrap_or_default();
            self.delimited(delimiter, words, body, taken, metadata, depth, out);
            return used;
        }
        if let Some((target, rest)) = words
            .strip_prefix("image::")
            .or_else(|| words.strip_prefix("video::"))
            .and_then(|rest| rest.split_once('['))
            && rest.ends_with(']')
        {
            let alternative = rest
                .trim_end_matches(']')
                .split(',')
                .next()
                .unwrap_or("")
                .trim()
                .trim_matches('"');
            let kind = BlockKind::Figure {
                source: plain(&self.inline(target)),
                alternative: if alternative.contains('=') {
                    String::new()
                } else {
                    alternative.to_owned()
                },
                caption: metadata
                    .title
                    .as_deref()
                    .map(|title| self.inline(title))
                    .unwrap_or_default(),
            };
            out.push(lines::block(kind, &[*line]));
            return 1;
        }
        if lists::marker(line).is_some() {
            self.titled(&metadata, line, out);
            return self.list(lines, &metadata, depth, out);
        }
        self.paragraph(lines, metadata, in_list, out)
    }

    /// The title above a block, as words of its own.
    fn titled(&self, metadata: &Metadata, line: &Line<'_>, out: &mut Vec<Block>) {
        if let Some(title) = &metadata.title {
            let text = self.inline(title);
            if !text.is_empty() {
                let mut block = lines::paragraph(vec![Inline::Strong(text)], &[*line]);
                block.span.bytes = metadata.title_at.clone();
                out.push(block);
            }
        }
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "a delimited block is all of these"
    )]
    fn delimited(
        &mut self,
        delimiter: Delimiter,
        words: &str,
        body: &[Line<'_>],
        taken: &[Line<'_>],
        metadata: Metadata,
        depth: usize,
        out: &mut Vec<Block>,
    ) {
        let style = metadata.style().to_lowercase();
        let first = taken.first().copied();
        let title = |reader: &Self, out: &mut Vec<Block>| {
            if let Some(line) = first {
                reader.titled(&metadata, &line, out);
            }
        };
        let is_code_style =
            matches!(style.as_str(), "source" | "listing" | "literal") || metadata.has_language();
        match delimiter {
            Delimiter::Comment => {}
            Delimiter::Listing | Delimiter::Literal | Delimiter::Fence => {
                title(self, out);
                self.code(&style, words, body, &metadata, out);
            }
            Delimiter::Open if is_code_style => {
                title(self, out);
                self.code(&style, words, body, &metadata, out);
            }
            Delimiter::Pass if matches!(style.as_str(), "stem" | "latexmath" | "asciimath") => {
                let formula = lines::joined(lines::trimmed(body));
                out.push(lines::block(BlockKind::Math(formula), body));
            }
            Delimiter::Pass => {
                let mut shown = String::new();
                write_text_of_html(&lines::joined(body), &mut shown);
                let shown = squash(&shown);
                if !shown.is_empty() {
                    out.push(lines::paragraph(vec![Inline::Text(shown)], body));
                }
            }
            Delimiter::Table => {
                self.table(words, body, taken, &metadata, depth, out);
            }
            Delimiter::Quote if style == "verse" => {
                title(self, out);
                let text = self.verse(body);
                out.push(lines::block(
                    BlockKind::Quote(vec![lines::paragraph(text, body)]),
                    taken,
                ));
            }
            _ if is_admonition(&style) => {
                let blocks = self.blocks(body, depth + 1);
                let kind = BlockKind::Admonition {
                    class: style,
                    title: metadata
                        .title
                        .as_deref()
                        .map(|title| plain(&self.inline(title))),
                    blocks,
                };
                out.push(lines::block(kind, taken));
            }
            Delimiter::Quote => {
                title(self, out);
                let mut blocks = self.blocks(body, depth + 1);
                blocks.extend(self.attribution(&metadata, taken));
                if !blocks.is_empty() {
                    out.push(lines::block(BlockKind::Quote(blocks), taken));
                }
            }
            Delimiter::Sidebar => {
                let blocks = self.blocks(body, depth + 1);
                let kind = BlockKind::Admonition {
                    class: "sidebar".to_owned(),
                    title: metadata
                        .title
                        .as_deref()
                        .map(|title| plain(&self.inline(title))),
                    blocks,
                };
                out.push(lines::block(kind, taken));
            }
            Delimiter::Example | Delimiter::Open => {
                title(self, out);
                out.extend(self.blocks(body, depth + 1));
            }
        }
    }

    fn code(
        &self,
        style: &str,
        words: &str,
        body: &[Line<'_>],
        metadata: &Metadata,
        out: &mut Vec<Block>,
    ) {
        let fenced = words.strip_prefix("```").and_then(language_of);
        let named = metadata
            .language()
            .and_then(|language| language_of(&language));
        let by_default = (style == "source")
            .then(|| self.attributes.get("source-language").cloned())
            .flatten();
        let language = match style {
            "mermaid" | "plantuml" | "graphviz" | "ditaa" => Some(style.to_owned()),
            _ => fenced.or(named).or(by_default),
        };
        // An include inside stands for what is in another file; to the letter it is what is here.
        let text = lines::joined(lines::trimmed(body));
        if style == "verse" {
            let text = self.verse(body);
            out.push(lines::block(
                BlockKind::Quote(vec![lines::paragraph(text, body)]),
                body,
            ));
        } else if matches!(style, "stem" | "latexmath" | "asciimath") {
            out.push(lines::block(BlockKind::Math(text), body));
        } else if !text.is_empty() {
            let text = self.filled(text, metadata);
            out.push(lines::block(BlockKind::Code { language, text }, body));
        }
    }

    /// Fills attributes in where the block asks for it.
    fn filled(&self, text: String, metadata: &Metadata) -> String {
        let asks = metadata
            .named("subs")
            .is_some_and(|subs| subs.contains("attributes") || subs.contains("normal"));
        if !asks || !text.contains('{') {
            return text;
        }
        let mut out = String::with_capacity(text.len());
        let mut rest = text.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            out.push_str(before);
            let name: String = after
                .chars()
                .take(64)
                .take_while(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
                .collect();
            match self.attributes.get(&name.to_lowercase()).filter(|_| {
                after
                    .get(name.len()..)
                    .is_some_and(|end| end.starts_with('}'))
            }) {
                Some(value) => {
                    out.push_str(value);
                    rest = after.get(name.len() + 1..).unwrap_or("");
                }
                None => {
                    out.push('{');
                    rest = after;
                }
            }
        }
        out.push_str(rest);
        out
    }

    fn verse(&self, body: &[Line<'_>]) -> Vec<Inline> {
        let mut text = Vec::new();
        for line in lines::trimmed(body) {
            if !text.is_empty() {
                text.push(Inline::Break);
            }
            text.extend(self.inline(line.words()));
        }
        text
    }

    fn attribution(&self, metadata: &Metadata, lines: &[Line<'_>]) -> Option<Block> {
        let parts: Vec<&str> = [1, 2]
            .iter()
            .filter_map(|at| metadata.position(*at))
            .filter(|part| !part.is_empty())
            .collect();
        if metadata.style() != "quote" || parts.is_empty() {
            return None;
        }
        let text = self.inline(&format!("— {}", parts.join(", ")));
        Some(lines::paragraph(text, lines))
    }

    fn paragraph(
        &mut self,
        lines: &[Line<'_>],
        metadata: Metadata,
        in_list: bool,
        out: &mut Vec<Block>,
    ) -> usize {
        let Some(first) = lines.first() else { return 1 };
        let length = paragraph_length(lines, in_list);
        let taken = lines.get(..length).unwrap_or_default();
        let style = metadata.style().to_lowercase();
        self.titled(&metadata, first, out);
        let is_code =
            matches!(style.as_str(), "source" | "listing" | "literal") || metadata.has_language();
        // Lines that begin with a blank are literal.
        if is_code
            || first.text.starts_with([' ', '\t'])
                && !matches!(style.as_str(), "normal" | "quote" | "verse")
        {
            let language = metadata
                .language()
                .and_then(|language| language_of(&language));
            out.push(lines::code(language, taken));
            return length;
        }
        let words = lines::words(taken);
        if style == "verse" {
            let text = self.verse(taken);
            out.push(lines::block(
                BlockKind::Quote(vec![lines::paragraph(text, taken)]),
                taken,
            ));
            return length;
        }
        let inline_kind = ["NOTE: ", "TIP: ", "IMPORTANT: ", "WARNING: ", "CAUTION: "]
            .into_iter()
            .find(|kind| words.starts_with(kind));
        let rest = inline_kind
            .and_then(|kind| words.strip_prefix(kind))
            .unwrap_or(&words);
        let text = self.inline(rest);
        if text.is_empty() {
            return length;
        }
        let inner = lines::paragraph(text, taken);
        let class = match inline_kind {
            Some(kind) => Some(kind.trim_end_matches([':', ' ']).to_lowercase()),
            None => Some(style.clone()).filter(|style| is_admonition(style)),
        };
        let block = match class {
            Some(class) => {
                let kind = BlockKind::Admonition {
                    class,
                    title: None,
                    blocks: vec![inner],
                };
                lines::block(kind, taken)
            }
            None if style == "quote" => {
                let mut blocks = vec![inner];
                blocks.extend(self.attribution(&metadata, taken));
                lines::block(BlockKind::Quote(blocks), taken)
            }
            None => inner,
        };
        out.push(block);
        length
    }
}

/// How many lines make a paragraph.
fn paragraph_length(lines: &[Line<'_>], in_list: bool) -> usize {
    lines
        .iter()
        .enumerate()
        .skip(1)
        .find(|(_, line)| {
            let words = line.text.trim_end();
            line.is_blank()
                || words == "+"
                || delimiter(words).is_some()
                || words.starts_with('[') && words.ends_with(']') && Metadata::default().take(words)
                || words.starts_with("//") && !words.starts_with("///")
                || ["ifdef::", "ifndef::", "endif::", "ifeval::"]
                    .iter()
                    .any(|name| words.starts_with(name))
                || in_list && lists::marker(line).is_some()
        })
        .map_or(lines.len(), |(at, _)| at)
}

fn is_admonition(style: &str) -> bool {
    matches!(style, "note" | "tip" | "important" | "warning" | "caution")
}

/// What a line of marks opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Delimiter {
    Comment,
    Listing,
    Literal,
    Fence,
    Example,
    Sidebar,
    Quote,
    Open,
    Pass,
    Table,
}

fn delimiter(words: &str) -> Option<Delimiter> {
    if words == "--" {
        return Some(Delimiter::Open);
    }
    if words.starts_with("```") && !words.get(3..).is_some_and(|rest| rest.contains('`')) {
        return Some(Delimiter::Fence);
    }
    if matches!(words, "|===" | ",===" | ":===" | "!===")
        || words.starts_with("|====") && words.bytes().skip(1).all(|b| b == b'=')
    {
        return Some(Delimiter::Table);
    }
    let mark = words.bytes().next()?;
    if words.len() < 4 || !words.bytes().all(|b| b == mark) {
        return None;
    }
    match mark {
        b'-' => Some(Delimiter::Listing),
        b'.' => Some(Delimiter::Literal),
        b'=' => Some(Delimiter::Example),
        b'*' => Some(Delimiter::Sidebar),
        b'_' => Some(Delimiter::Quote),
        b'+' => Some(Delimiter::Pass),
        b'/' => Some(Delimiter::Comment),
        _ => None,
    }
}

/// How many lines the block that opens with `words` takes, and where its content ends. One that nobody closes ends
/// with the text around it.
fn closed(lines: &[Line<'_>], words: &str) -> (usize, usize) {
    let closing = if words.starts_with("```") {
        "```"
    } else {
        words
    };
    match lines
        .iter()
        .skip(1)
        .position(|line| line.text.trim_end() == closing)
    {
        Some(at) => (at + 2, at + 1),
        None => (lines.len(), lines.len()),
    }
}

/// The lines from an `ifdef` that does not hold to its `endif`.
fn conditional(lines: &[Line<'_>]) -> usize {
    let mut depth = 0usize;
    for (at, line) in lines.iter().enumerate() {
        let words = line.text.trim_end();
        let opens = (words.starts_with("ifdef::") || words.starts_with("ifndef::"))
            && words.ends_with("[]")
            || words.starts_with("ifeval::");
        if opens {
            depth += 1;
        } else if words.starts_with("endif::") {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return at + 1;
            }
        }
    }
    lines.len()
}

/// A section title: its level, its words and the lines it takes.
fn section<'a>(lines: &[Line<'a>]) -> Option<(u8, &'a str, usize)> {
    let line = lines.first()?;
    let text = line.text.trim_end();
    let mark = text.bytes().next().filter(|b| matches!(b, b'=' | b'#'));
    if let Some(mark) = mark {
        let level = text.bytes().take_while(|b| *b == mark).count();
        let title = text.get(level..)?.strip_prefix(' ')?.trim();
        let title = title.trim_end_matches(['=', '#']).trim_end();
        return (level <= 6 && !title.is_empty()).then_some((
            u8::try_from(level).unwrap_or(6),
            title,
            1,
        ));
    }
    let ruler = lines.get(1)?.text.trim_end();
    let mark = ruler.chars().next()?;
    let level = match mark {
        '=' => 1,
        '-' => 2,
        '~' => 3,
        '^' => 4,
        '+' => 5,
        _ => return None,
    };
    let (length, width) = (ruler.len(), text.chars().count());
    let fits = length >= 2 && length.abs_diff(width) <= 2 && ruler.chars().all(|c| c == mark);
    let is_title = fits
        && !text.starts_with([' ', '\t', '.', '[', '|'])
        && text.chars().any(char::is_alphanumeric)
        && lists::marker(line).is_none();
    is_title.then_some((level, text.trim(), 2))
}

#[cfg(test)]
mod tests;
