//! Reads reStructuredText: sections by the order of their adornments, directives, lists, tables and literal blocks, with
//! byte ranges into the source itself.
//!
//! Each stretch of lines is looked at once on its level of nesting, and the levels are bounded, so the work is linear.

pub mod directives;
pub mod inline;
pub mod lists;
pub mod tables;

use crate::builder::tidy;
use crate::markup::lines::{self, Line};
use inline::Names;
use skillkiln_document::blocks::{About, Block, BlockKind, Document};
use skillkiln_document::text::{Inline, plain, squash};

/// Deepest nesting of indented bodies that is taken apart; what lies deeper is one paragraph.
const DEPTH_MAX: usize = 24;

/// Whether a docstring may be read as reStructuredText; one with fences is Markdown.
pub(crate) fn is_docstring(text: &str) -> bool {
    !text.contains("```")
}

/// The blocks of a text that stands inside another, such as a docstring: its titles are no sections.
pub(crate) fn read_inner(text: &str) -> Vec<Block> {
    let lines = lines::lines_of(text);
    let mut reader = Reader::default();
    reader.collect_names(&lines);
    reader.blocks(&lines, 1)
}

/// What a directive of reStructuredText shows that stands in another mark-up as `{name} argument` over its body.
pub(crate) fn read_directive(head: &str, body: &str) -> Vec<Block> {
    let (name, argument) = head
        .trim_start_matches('{')
        .split_once('}')
        .unwrap_or((head, ""));
    if name == "eval-rst" {
        return read_inner(body);
    }
    // Options may stand between dashes, as in YAML.
    let (options, body) = body
        .strip_prefix("---\n")
        .and_then(|rest| rest.split_once("\n---"))
        .unwrap_or(("", body));
    let options = options.lines().filter(|line| !line.starts_with(' '));
    let options = options.map(|line| format!("\n   :{line}"));
    let lines = options.chain(body.lines().map(|line| format!("\n   {line}")));
    read_inner(&format!(
        ".. {name}:: {}{}",
        argument.trim(),
        lines.collect::<String>()
    ))
}

/// Whether `text` is evidently reStructuredText: directives, roles and code after two colons, several of them.
pub(crate) fn is_rest(text: &str) -> bool {
    let mut evidence = 0;
    for line in text.lines().take(500) {
        let words = line.trim();
        let is_directive = words.strip_prefix(".. ").is_some_and(|rest| {
            rest.split_once("::").is_some_and(|(name, _)| {
                !name.is_empty()
                    && name
                        .chars()
                        .all(|c| c.is_alphanumeric() || matches!(c, '-' | ':' | '_'))
            }) || rest.starts_with('_') && rest.contains(':')
        });
        let has_role = words.contains(":`")
            && words.split(":`").next().is_some_and(|before| {
                before
                    .rsplit([' ', '('])
                    .next()
                    .is_some_and(|name| name.starts_with(':') && name.len() > 2)
            });
        let has_link = words.contains("`_") || words.contains(">`__");
        let opens_code = line.trim_end() == "::";
        evidence += 2 * usize::from(is_directive)
            + usize::from(has_role)
            + usize::from(has_link)
            + usize::from(opens_code);
    }
    evidence >= 3
}

/// Reads `text` as reStructuredText.
#[must_use]
pub fn read(text: String) -> Document {
    let lines = lines::lines_of(&text);
    let mut reader = Reader::default();
    reader.collect_names(&lines);
    let blocks = reader.blocks(&lines, 0);
    let about = std::mem::take(&mut reader.about);
    let title = reader.title.take().or_else(|| lines::first_title(&blocks));
    Document::of(title, about, text, blocks)
}

/// What is known while a document is read.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    names: Names,
    /// Adornments in the order of their first use: the mark, and whether a line of it stands above as well.
    adornments: Vec<(char, bool)>,
    /// The language of literal blocks, once `highlight` told it.
    language: Option<String>,
    about: About,
    title: Option<String>,
}

impl Reader {
    /// Collects what names stand for, wherever it is told.
    fn collect_names(&mut self, lines: &[Line<'_>]) {
        for (at, line) in lines.iter().enumerate() {
            let Some(rest) = line.words().strip_prefix(".. ") else {
                continue;
            };
            let rest = rest.trim_start();
            if let Some(name) = rest
                .strip_prefix("[#")
                .and_then(|rest| rest.split_once(']'))
                .map(|(name, _)| name)
            {
                if !name.is_empty() {
                    let number = self.names.notes.len() + 1;
                    self.names.notes.entry(format!("#{name}")).or_insert(number);
                }
            } else if let Some(target) = rest.strip_prefix('_') {
                let Some((name, address)) = split_target(target) else {
                    continue;
                };
                let mut address = address.trim().to_owned();
                if address.is_empty()
                    && let Some(next) = lines.get(at + 1).map(Line::words)
                    && next.starts_with("http")
                {
                    address = next.to_owned();
                }
                let name = inline::fold(name);
                if let Some(title) = title_below(lines.get(at + 1..).unwrap_or_default()) {
                    self.names.titles.insert(name.clone(), title);
                }
                self.names.targets.insert(name, address);
            } else if let Some(substitution) = rest.strip_prefix('|')
                && let Some((name, definition)) = substitution.split_once('|')
                && let Some((kind, words)) = definition.trim_start().split_once("::")
            {
                let words = match kind.trim() {
                    "replace" => {
                        let more = lines::indented_length(
                            lines.get(at + 1..).unwrap_or_default(),
                            line.indent() + 1,
                        );
                        let body = lines.get(at + 1..at + 1 + more).unwrap_or_default();
                        let stretch: Vec<&str> = std::iter::once(words)
                            .chain(body.iter().take(20).map(Line::words))
                            .collect();
                        inline::plain_of(&squash(&stretch.join(" ")), &Names::default())
                    }
                    "unicode" => unicode(words),
                    _ => String::new(),
                };
                self.names.substitutions.insert(inline::fold(name), words);
            }
        }
        // An indirect target leads where the other one leads.
        let known = self.names.targets.clone();
        for address in self.names.targets.values_mut() {
            if let Some(name) = address.strip_suffix('_') {
                *address = known
                    .get(&inline::fold(name.trim_matches('`')))
                    .cloned()
                    .unwrap_or_default();
            }
        }
    }

    fn inline(&self, text: &str) -> Vec<Inline> {
        tidy(inline::read(text, &self.names))
    }

    /// The blocks of `lines`, which stand at column zero.
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
        while let Some(line) = rest.first() {
            let used = if line.is_blank() {
                1
            } else {
                self.block(rest, depth, &mut out)
            };
            rest = rest.get(used.max(1)..).unwrap_or_default();
        }
        out
    }

    /// Reads what begins with the first of `lines`; gives how many it took.
    fn block(&mut self, lines: &[Line<'_>], depth: usize, out: &mut Vec<Block>) -> usize {
        let Some(line) = lines.first() else { return 1 };
        if line.indent() > 0 {
            return self.quote(lines, depth, out);
        }
        let words = line.words();
        if words == ".." || words.starts_with(".. ") {
            return self.explicit(lines, depth, out);
        }
        if words == "__" || words.starts_with("__ ") {
            return 1;
        }
        if let Some(used) = self.section(lines, depth, out) {
            return used;
        }
        if words.starts_with("+-")
            && let Some(used) = self.grid_table(lines, depth, None, out)
        {
            return used;
        }
        if words.starts_with("==")
            && let Some(used) = self.simple_table(lines, depth, None, out)
        {
            return used;
        }
        if is_adornment(words).is_some() && words.len() >= 4 {
            return 1;
        }
        if let Some(used) = self.list(lines, depth, out) {
            return used;
        }
        if words.starts_with(">>> ") {
            let length = group(lines);
            let body = lines.get(..length).unwrap_or_default();
            out.push(lines::code(Some("python".into()), body));
            return length;
        }
        self.paragraph(lines, depth, out)
    }

    /// A title with a line under it, or above and under it.
    fn section(&mut self, lines: &[Line<'_>], depth: usize, out: &mut Vec<Block>) -> Option<usize> {
        let (first, second) = (lines.first()?, lines.get(1)?);
        let (title, mark, above, used) = match is_adornment(first.words()) {
            Some(mark)
                if !second.is_blank()
                    && is_adornment(second.words()).is_none()
                    && lines
                        .get(2)
                        .is_some_and(|third| is_adornment(third.words()) == Some(mark)) =>
            {
                // A simple table of one column looks the same but for its columns.
                (second, mark, true, 3)
            }
            Some(_) => return None,
            None => {
                let mark = is_adornment(second.words())?;
                (first, mark, false, 2)
            }
        };
        let ruler = if above { first } else { second };
        let length = ruler.words().chars().count();
        let width = title.words().chars().count();
        // Titles are often a character or two longer than their line; docutils warns and goes on.
        if second.indent() > 0 && !above || (length < width && length < 4) || length * 2 < width {
            return None;
        }
        let text = self.inline(title.words());
        if text.is_empty() {
            return None;
        }
        let kind = if depth == 0 {
            let at = self
                .adornments
                .iter()
                .position(|known| *known == (mark, above));
            let level = at.unwrap_or_else(|| {
                self.adornments.push((mark, above));
                self.adornments.len() - 1
            }) + 1;
            let level = u8::try_from(level.min(6)).unwrap_or(6);
            if level == 1 && self.title.is_none() && at.is_none() {
                self.title = Some(squash(&plain(&text)));
            }
            BlockKind::Heading { level, text }
        } else {
            BlockKind::Paragraph(vec![Inline::Strong(text)])
        };
        let taken = lines.get(..used).unwrap_or_default();
        out.push(lines::block(kind, taken));
        Some(used)
    }

    /// Indented lines that belong to nothing above them are a quotation.
    fn quote(&mut self, lines: &[Line<'_>], depth: usize, out: &mut Vec<Block>) -> usize {
        let length = lines::indented_length(lines, 1);
        let body = lines.get(..length).unwrap_or_default();
        let inner = self.blocks(&lines::dedent(body, lines::common_indent(body)), depth + 1);
        if !inner.is_empty() {
            out.push(lines::block(BlockKind::Quote(inner), body));
        }
        length
    }

    /// A paragraph, a term with its meaning, or a paragraph with the literal block it announces.
    fn paragraph(&mut self, lines: &[Line<'_>], depth: usize, out: &mut Vec<Block>) -> usize {
        let length = lines
            .iter()
            .enumerate()
            .position(|(at, line)| line.is_blank() || at > 0 && line.indent() > 0)
            .unwrap_or(lines.len())
            .max(1);
        let taken = lines.get(..length).unwrap_or_default();
        let after = lines.get(length..).unwrap_or_default();
        let text = lines::words(taken);
        let announces = text.ends_with("::") && !text.ends_with("\\::");
        let is_term = length == 1 && after.first().is_some_and(|line| !line.is_blank());
        if is_term && !announces {
            return self.definitions(lines, depth, false, out);
        }
        if !announces {
            let text = self.inline(&text);
            if !text.is_empty() {
                out.push(lines::paragraph(text, taken));
            }
            return length;
        }
        let cut = text.trim_end_matches(':');
        let shown = if cut.ends_with(char::is_whitespace) || cut.is_empty() {
            cut.trim_end().to_owned()
        } else {
            format!("{cut}:")
        };
        let shown = self.inline(&shown);
        if !shown.is_empty() {
            out.push(lines::paragraph(shown, taken));
        }
        length + self.literal(after, out)
    }

    /// The literal block after `::`: what is indented, or lines that all begin with the same mark.
    fn literal(&mut self, lines: &[Line<'_>], out: &mut Vec<Block>) -> usize {
        let Some(blank) = lines.iter().position(|line| !line.is_blank()) else {
            return 0;
        };
        let rest = lines.get(blank..).unwrap_or_default();
        let length = lines::indented_length(rest, 1);
        if length > 0 {
            let body = rest.get(..length).unwrap_or_default();
            out.push(lines::code(self.language.clone(), body));
            return blank + length;
        }
        let mark = rest.first().and_then(|line| line.text.chars().next());
        let Some(mark) = mark.filter(|c| c.is_ascii_punctuation() && blank > 0) else {
            return 0;
        };
        let length = rest
            .iter()
            .take_while(|line| line.text.starts_with(mark))
            .count();
        let is_explicit = rest
            .first()
            .is_some_and(|line| line.text.starts_with(".. "));
        if is_explicit {
            return 0;
        }
        let body = rest.get(..length).unwrap_or_default();
        out.push(lines::code(self.language.clone(), body));
        blank + length
    }
}

/// The title of the section that begins below a target, and below its other targets.
fn title_below(lines: &[Line<'_>]) -> Option<String> {
    let is_target = |line: &&Line<'_>| !line.is_blank() && !line.text.starts_with(".. _");
    let mut lines = lines.iter().take(8).filter(is_target);
    let (first, second) = (lines.next()?.words(), lines.next()?.words());
    let title = match is_adornment(first) {
        Some(_) => second,
        None => is_adornment(second).map(|_| first)?,
    };
    Some(inline::plain_of(title, &Names::default()))
}

/// How many lines stand together before the next blank one.
fn group(lines: &[Line<'_>]) -> usize {
    lines.iter().position(Line::is_blank).unwrap_or(lines.len())
}

/// The mark of a line that is made of one mark alone, at least twice.
pub(crate) fn is_adornment(words: &str) -> Option<char> {
    let mark = words.chars().next().filter(char::is_ascii_punctuation)?;
    let is_made_of = words.len() >= 2 && words.chars().all(|c| c == mark);
    (is_made_of && words != "::" && words != "..").then_some(mark)
}

/// `name: address` of a target, the name in backticks when it holds a colon.
fn split_target(target: &str) -> Option<(&str, &str)> {
    if let Some(quoted) = target.strip_prefix('`') {
        let (name, rest) = quoted.split_once("`:")?;
        return Some((name, rest));
    }
    let (name, rest) = target
        .split_once(": ")
        .or_else(|| target.strip_suffix(':').map(|name| (name, "")))?;
    Some((name, rest))
}

/// `0xA9 text` as the characters it stands for.
fn unicode(words: &str) -> String {
    let mut out = String::new();
    for word in words.split_whitespace().take_while(|word| *word != "..") {
        let digits = word
            .strip_prefix("0x")
            .or_else(|| word.strip_prefix("U+"))
            .or_else(|| word.strip_prefix("\\u"));
        let character = digits
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
            .and_then(char::from_u32)
            .filter(|c| !c.is_control());
        match character {
            Some(character) => out.push(character),
            None => out.push_str(word),
        }
    }
    out
}

#[cfg(test)]
mod tests;
