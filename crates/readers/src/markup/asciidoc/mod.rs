//! Reads AsciiDoc: sections in both spellings, delimited blocks, lists with what is attached to them, and tables, with
//! byte ranges into the source itself.
//!
//! Delimited blocks are cut out and read one level deeper, and the levels are bounded, so the work is linear.

mod delimited;
mod delimiter;
mod header;
pub mod inline;
pub mod lists;
pub mod metadata;
mod paragraphs;
pub mod tables;

use crate::builder::tidy;
use crate::markup::asciidoc::delimiter::{closed, delimiter};
use crate::markup::asciidoc::inline::Attributes;
use crate::markup::asciidoc::metadata::Metadata;
use crate::markup::lines::{self, Line};
use skillkiln_document::blocks::{About, Block, BlockKind, Document};
use skillkiln_document::missing;
use skillkiln_document::text::{Inline, plain};
use std::collections::HashSet;

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
    let title = lines::first_title(&blocks);
    Document::of(title, reader.about, text, blocks)
}

/// What is known while a document is read.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    attributes: Attributes,
    about: About,
    /// Where the conditions stand that nothing closes.
    unclosed: HashSet<usize>,
}

impl Reader {
    fn inline(&self, text: &str) -> Vec<Inline> {
        tidy(inline::read(text, &self.attributes))
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
                return Some(1);
            }
            return Some(self.left_out(lines));
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

    /// The lines from a condition that does not hold to its `endif`; without one it leaves nothing out.
    fn left_out(&mut self, lines: &[Line<'_>]) -> usize {
        let mut open: Vec<usize> = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            let words = line.text.trim_end();
            let opens = (words.starts_with("ifdef::") || words.starts_with("ifndef::"))
                && words.ends_with("[]")
                || words.starts_with("ifeval::");
            if at == 0 && self.unclosed.contains(&line.range().start) {
                return 1;
            } else if at == 0 || opens {
                open.push(line.range().start);
            } else if words.starts_with("endif::") {
                open.pop();
                if open.is_empty() {
                    return at + 1;
                }
            }
        }
        // Remembered, so that the end is not looked for again from each of them.
        self.unclosed.extend(open);
        1
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
            out.push(lines::paragraph(missing::paragraph([target]), &[*line]));
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
