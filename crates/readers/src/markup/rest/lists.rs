//! Reads the lists of reStructuredText: bullets, numbers, fields, options, terms and lines of verse.

use super::Reader;
use crate::markup::lines::{self, Line};
use skillkiln_document::blocks::{Block, BlockKind, Definition};
use skillkiln_document::text::{Inline, plain, squash};

/// Half a sentence that was set in by mistake has so many words at least.
const CUT_WORDS_MIN: usize = 8;
/// A line that is not broken for want of room has fewer characters.
const FULL_CHARS: usize = 60;

/// What marks the items of a list.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Mark {
    Bullet(char),
    /// The style of the number, what stands around it.
    Number(Style, char),
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Style {
    Digits,
    Letters,
    Automatic,
}

impl Mark {
    /// Whether an item with `other` goes on a list with this mark; an automatic number goes on any count.
    fn goes_on_with(self, other: Self) -> bool {
        match (self, other) {
            (
                Self::Number(Style::Digits | Style::Automatic, one),
                Self::Number(Style::Digits | Style::Automatic, two),
            ) => one == two,
            _ => self == other,
        }
    }
}

impl Reader {
    /// Reads the list that begins with the first line, when one does.
    pub(super) fn list(
        &mut self,
        lines: &[Line<'_>],
        depth: usize,
        out: &mut Vec<Block>,
    ) -> Option<usize> {
        let line = lines.first()?;
        if let Some((mark, _, number)) = marker(line.text) {
            if is_item(lines, mark) {
                return Some(self.items(lines, mark, number, depth, out));
            }
            return None;
        }
        if field(line.text).is_some() {
            return Some(self.fields(lines, depth, out));
        }
        if option(line.text).is_some() && is_described(lines) {
            return Some(self.options(lines, depth, out));
        }
        if line.text.starts_with("| ") || line.text.trim_end() == "|" {
            return Some(self.verse(lines, out));
        }
        None
    }

    fn items(
        &mut self,
        lines: &[Line<'_>],
        mark: Mark,
        number: u64,
        depth: usize,
        out: &mut Vec<Block>,
    ) -> usize {
        let mut items = Vec::new();
        let mut used = 0;
        while let Some(line) = lines.get(used) {
            if line.is_blank() {
                used += 1;
                continue;
            }
            let Some((_, width, _)) =
                marker(line.text).filter(|(found, _, _)| mark.goes_on_with(*found))
            else {
                break;
            };
            let (body, length) = body(lines.get(used..).unwrap_or_default(), width);
            let mut blocks = self.item(&body, depth + 1);
            if let Mark::Number(Style::Letters, _) = mark {
                let lettered = line.text.get(..width).unwrap_or_default().trim_end();
                put_mark(lettered, line, &mut blocks);
            }
            if !blocks.is_empty() {
                items.push(blocks);
            }
            used += length;
        }
        let start = match mark {
            Mark::Bullet(_) | Mark::Number(Style::Letters, _) => None,
            Mark::Number(..) => Some(number),
        };
        let taken = lines.get(..used).unwrap_or_default();
        if !items.is_empty() {
            out.push(lines::block(BlockKind::List { start, items }, taken));
        }
        used
    }

    /// What an item says; a list right below its words is a list in it, which needs no empty line between.
    fn item(&mut self, body: &[Line<'_>], depth: usize) -> Vec<Block> {
        let Some(at) = nested(body) else {
            return self.blocks(body, depth);
        };
        let (said, below) = body.split_at(at);
        let columns = below.first().map_or(0, Line::indent);
        let (inner, after) = below.split_at(lines::indented_length(below, columns));
        let mut blocks = self.blocks(said, depth);
        blocks.extend(self.blocks(&lines::dedent(inner, columns), depth));
        blocks.extend(self.blocks(after, depth));
        blocks
    }

    fn fields(&mut self, lines: &[Line<'_>], depth: usize, out: &mut Vec<Block>) -> usize {
        let mut entries = Vec::new();
        let mut used = 0;
        // The fields that open a document tell about it.
        let opens = depth == 0
            && !out
                .iter()
                .any(|block| !matches!(block.kind, BlockKind::Heading { .. }));
        while let Some(line) = lines.get(used) {
            if line.is_blank() {
                used += 1;
                continue;
            }
            let Some((name, width)) = field(line.text) else {
                break;
            };
            let rest = lines.get(used..).unwrap_or_default();
            let length = 1 + lines::indented_length(rest.get(1..).unwrap_or_default(), 1);
            let tail = rest.get(1..length).unwrap_or_default();
            let mut body = vec![line.after(width).dedent(usize::MAX)];
            body.extend(lines::dedent(tail, lines::common_indent(tail)));
            used += length;
            let blocks = self.blocks(&body, depth + 1);
            if opens && self.tell(name, &blocks) {
                continue;
            }
            let documented = documented(name);
            // What a template has left unfilled says nothing.
            if documented.is_some() && blocks.is_empty() {
                continue;
            }
            let term = documented.unwrap_or_else(|| self.inline(name));
            entries.push(Definition {
                terms: vec![term],
                blocks,
            });
        }
        let taken = lines.get(..used).unwrap_or_default();
        if !entries.is_empty() {
            out.push(lines::block(BlockKind::Definitions(entries), taken));
        }
        used
    }

    /// Takes a field over into what the document says of itself; whether it is told with that.
    fn tell(&mut self, name: &str, blocks: &[Block]) -> bool {
        let words = || squash(&plain(&lines::flat(blocks)));
        let about = &mut self.about;
        match name.to_lowercase().as_str() {
            // What stands among the others is text of the document as well.
            "author" | "authors" => {
                about.author = Some(words());
                return false;
            }
            "date" => {
                about.date = Some(words());
                return false;
            }
            "language" => about.language = Some(words()),
            "abstract" | "description" => about.description = Some(words()),
            // Settings of the programs that render it.
            "orphan" | "tocdepth" | "nocomments" | "nosearch" | "og:description" => {}
            _ => return false,
        }
        true
    }

    fn options(&mut self, lines: &[Line<'_>], depth: usize, out: &mut Vec<Block>) -> usize {
        let mut entries = Vec::new();
        let mut used = 0;
        while let Some(line) = lines.get(used) {
            if line.is_blank() {
                used += 1;
                continue;
            }
            let Some((name, width)) = option(line.text) else {
                break;
            };
            let rest = lines.get(used..).unwrap_or_default();
            if !is_described(rest) {
                break;
            }
            let length = 1 + lines::indented_length(rest.get(1..).unwrap_or_default(), 1);
            let tail = rest.get(1..length).unwrap_or_default();
            let mut body = vec![line.after(width).dedent(usize::MAX)];
            body.extend(lines::dedent(tail, lines::common_indent(tail)));
            used += length;
            entries.push(Definition {
                terms: vec![vec![Inline::Code(name.to_owned())]],
                blocks: self.blocks(&body, depth + 1),
            });
        }
        let taken = lines.get(..used).unwrap_or_default();
        out.push(lines::block(BlockKind::Definitions(entries), taken));
        used
    }

    /// Lines that begin with a bar keep their breaks.
    fn verse(&mut self, lines: &[Line<'_>], out: &mut Vec<Block>) -> usize {
        let length = super::group(lines);
        let taken = lines.get(..length).unwrap_or_default();
        let mut text = Vec::new();
        for line in taken {
            match line.text.strip_prefix('|') {
                Some(words) => {
                    if !text.is_empty() {
                        text.push(Inline::Break);
                    }
                    text.extend(self.inline(words.trim()));
                }
                None => {
                    text.push(Inline::Text(" ".to_owned()));
                    text.extend(self.inline(line.words()));
                }
            }
        }
        out.push(lines::paragraph(text, taken));
        length
    }

    /// Terms at the margin, each with its meaning indented below; in a glossary several terms share one.
    pub(super) fn definitions(
        &mut self,
        lines: &[Line<'_>],
        depth: usize,
        several: bool,
        out: &mut Vec<Block>,
    ) -> usize {
        let mut entries = Vec::new();
        let mut used = 0;
        while let Some(line) = lines.get(used) {
            if line.is_blank() {
                used += 1;
                continue;
            }
            let rest = lines.get(used..).unwrap_or_default();
            let terms = rest
                .iter()
                .take_while(|line| !line.is_blank() && line.indent() == 0)
                .count();
            let after = rest.get(terms..).unwrap_or_default();
            let has_meaning = after.first().is_some_and(|line| !line.is_blank());
            if terms == 0
                || !has_meaning
                || (terms > 1 && !several)
                || line.text.starts_with(".. ") && !several
            {
                break;
            }
            if !entries.is_empty() && !several && is_other(rest) {
                break;
            }
            let named = rest
                .iter()
                .take(terms)
                .filter(|line| !line.text.starts_with(".. "))
                .map(|line| self.inline(line.words()))
                .collect();
            let length = lines::indented_length(after, 1);
            let body = after.get(..length).unwrap_or_default();
            let blocks = self.blocks(&lines::dedent(body, lines::common_indent(body)), depth + 1);
            entries.push(Definition {
                terms: named,
                blocks,
            });
            used += terms + length;
        }
        if entries.is_empty() {
            // A glossary's comment or a stray line: a paragraph of its own.
            let taken = lines.get(..1).unwrap_or_default();
            let text = self.inline(&lines::words(taken));
            if !text.is_empty() {
                out.push(lines::paragraph(text, taken));
            }
            return 1;
        }
        let taken = lines.get(..used).unwrap_or_default();
        out.push(lines::block(BlockKind::Definitions(entries), taken));
        used
    }
}

/// Whether a line is a field of Python's documentation, which needs no empty line before it.
pub(super) fn documents(text: &str) -> bool {
    field(text).is_some_and(|(name, _)| documented(name).is_some())
}

/// What a field of Python's documentation is about: `param int x` is the parameter `x`.
fn documented(name: &str) -> Option<Vec<Inline>> {
    let (kind, what) = name.split_once(' ').unwrap_or((name, ""));
    let last = what.rsplit(' ').next().unwrap_or(what);
    let code = || Inline::Code(last.trim_start_matches('\\').to_owned());
    Some(match kind {
        "param" | "parameter" | "arg" | "argument" | "key" | "keyword" | "ivar" | "cvar"
        | "var"
            if !what.is_empty() =>
        {
            vec![code()]
        }
        "type" | "vartype" if !what.is_empty() => vec![Inline::Text("Type of ".to_owned()), code()],
        "raises" | "raise" | "except" | "exception" if !what.is_empty() => {
            vec![Inline::Text("Raises ".to_owned()), code()]
        }
        "return" | "returns" if what.is_empty() => vec![Inline::Text("Returns".to_owned())],
        "rtype" if what.is_empty() => vec![Inline::Text("Return type".to_owned())],
        _ => return None,
    })
}

/// Whether a line is no term but the beginning of a sentence that goes on in the next line, which its writer set in by mistake: it has
/// the end of another in it.
pub(super) fn is_cut(line: &Line<'_>, next: &Line<'_>) -> bool {
    let words = line.words();
    words.split(' ').count() >= CUT_WORDS_MIN
        && words.contains(". ")
        && next.words().starts_with(char::is_lowercase)
}

/// Whether what begins here is no term.
fn is_other(lines: &[Line<'_>]) -> bool {
    lines.first().is_some_and(|line| {
        marker(line.text).is_some()
            || field(line.text).is_some()
            || option(line.text).is_some()
            || line.text.starts_with(">>> ")
            || line.text.starts_with("| ")
            || line.text.trim_end().ends_with("::")
    })
}

/// Where the words of an item end and bullets begin below them that no empty line parts from them. One dash alone may stand between
/// words where a full line was broken.
fn nested(body: &[Line<'_>]) -> Option<usize> {
    let first = body.first()?;
    let paragraph = body.get(..super::group(body)).unwrap_or_default();
    let is_bullet = |line: &Line<'_>| {
        bullet(line).is_some_and(|behind| behind.chars().any(char::is_alphanumeric))
    };
    let at = paragraph.iter().position(is_bullet).filter(|at| *at > 0)?;
    let (said, below) = paragraph.split_at(at);
    let is_plain = |line: &Line<'_>| line.indent() == 0 && !line.words().ends_with("::");
    if !said.iter().all(is_plain) || first.text.starts_with(".. ") || marker(first.text).is_some() {
        return None;
    }
    let (above, line) = (said.last()?, below.first()?);
    let behind = bullet(line)?;
    let is_evident = below.iter().filter(|line| is_bullet(line)).count() > 1
        || behind.starts_with(|c: char| !c.is_lowercase() && !c.is_ascii_digit())
        || above.words().chars().count() < FULL_CHARS
        || above.words().ends_with(':');
    is_evident.then_some(at)
}

/// What stands behind the bullet that a line begins with.
fn bullet<'a>(line: &Line<'a>) -> Option<&'a str> {
    let words = line.words();
    ["- ", "* ", "+ "]
        .iter()
        .find_map(|mark| words.strip_prefix(mark))
        .map(str::trim_start)
}

/// Puts the letter of an item, which no number stands for, before its words.
fn put_mark(mark: &str, line: &Line<'_>, blocks: &mut Vec<Block>) {
    match blocks.first_mut().map(|block| &mut block.kind) {
        Some(BlockKind::Paragraph(text)) => text.insert(0, Inline::Text(format!("{mark} "))),
        _ => blocks.insert(
            0,
            lines::paragraph(
                vec![Inline::Text(mark.to_owned())],
                std::slice::from_ref(line),
            ),
        ),
    }
}

/// The lines of an item whose mark takes `width` bytes, without mark and indentation, and how many they are.
fn body<'a>(lines: &[Line<'a>], width: usize) -> (Vec<Line<'a>>, usize) {
    let Some(first) = lines.first() else {
        return (Vec::new(), 1);
    };
    let after = lines.get(1..).unwrap_or_default();
    // An empty first line leaves the indentation to the next.
    let alone = first
        .text
        .get(width..)
        .is_none_or(|rest| rest.trim().is_empty());
    let columns = if alone {
        let next = after.iter().find(|line| !line.is_blank());
        next.map_or(width, Line::indent).max(1)
    } else {
        // A bullet right below belongs to the item however far it is set in.
        let below = after.first().filter(|below| bullet(below).is_some());
        below.map_or(width, |below| width.min(below.indent().max(1)))
    };
    let length = lines::indented_length(after, columns);
    let mut body = vec![first.after(width)];
    body.extend(lines::dedent(
        after.get(..length).unwrap_or_default(),
        columns,
    ));
    (body, 1 + length)
}

/// The mark an item begins with, the bytes it takes with the blanks after it, and its number.
fn marker(text: &str) -> Option<(Mark, usize, u64)> {
    let first = text.chars().next()?;
    let finish = |mark, length: usize, number| {
        let rest = text.get(length..)?;
        let blanks = rest.len() - rest.trim_start_matches(' ').len();
        (rest.trim().is_empty() || blanks > 0).then_some((mark, length + blanks, number))
    };
    if matches!(first, '-' | '*' | '+' | '•' | '‣' | '⁃') {
        return finish(Mark::Bullet(first), first.len_utf8(), 1);
    }
    let (open, inner) = match text.strip_prefix('(') {
        Some(inner) => (1, inner),
        None => (0, text),
    };
    let length = inner
        .bytes()
        .take(9)
        .take_while(|b| b.is_ascii_alphanumeric() || *b == b'#')
        .count();
    let number = inner.get(..length).filter(|number| !number.is_empty())?;
    let close = inner
        .get(length..)?
        .chars()
        .next()
        .filter(|c| matches!(c, '.' | ')'))?;
    if open == 1 && close != ')' {
        return None;
    }
    let (style, value) = if number == "#" {
        (Style::Automatic, 1)
    } else if number.bytes().all(|b| b.is_ascii_digit()) {
        (Style::Digits, number.parse().ok()?)
    } else if let [letter] = number.as_bytes()
        && letter.is_ascii_alphabetic()
    {
        let value = u64::from(letter.to_ascii_lowercase().saturating_sub(b'a')) + 1;
        (Style::Letters, if *letter == b'i' { 1 } else { value })
    } else if number.bytes().all(|b| b"ivxIVX".contains(&b)) {
        (Style::Letters, 1)
    } else {
        return None;
    };
    let close = if open == 1 { '(' } else { close };
    finish(Mark::Number(style, close), open + length + 1, value)
}

/// Whether the first line is an item and no sentence: what follows is blank, indented, or the next item.
fn is_item(lines: &[Line<'_>], mark: Mark) -> bool {
    lines.get(1).is_none_or(|next| {
        next.is_blank()
            || next.indent() > 0
            || marker(next.text).is_some_and(|(found, _, _)| mark.goes_on_with(found))
            || matches!(mark, Mark::Bullet(_))
    })
}

/// The name of a field `:name: body` and the bytes before its body.
fn field(text: &str) -> Option<(&str, usize)> {
    let rest = text.strip_prefix(':')?;
    if rest.starts_with([':', ' ']) {
        return None;
    }
    // A reference may be the name; a role without one is none.
    let is_role = |name: &str| name.starts_with('`') && !name.ends_with("`_");
    let end = rest.match_indices(':').map(|(at, _)| at).find(|at| {
        rest.get(at + 1..)
            .is_some_and(|after| after.is_empty() || after.starts_with([' ', '\t']))
    })?;
    let name = rest.get(..end)?;
    if is_role(name) {
        return None;
    }
    // A paragraph may begin with a role, behind which a colon stands.
    let is_role = |(role, _): (&str, &str)| !role.contains(' ');
    if name.split_once(":`").is_some_and(is_role) {
        return None;
    }
    (!name.is_empty() && name.len() < 200 && !name.ends_with(' ')).then_some((name, end + 2))
}

/// The options a description begins with, `-a`, `--long=VALUE`, `/V`, and the bytes before the description.
fn option(text: &str) -> Option<(&str, usize)> {
    let is_option = text.starts_with("--")
        && text
            .as_bytes()
            .get(2)
            .is_some_and(u8::is_ascii_alphanumeric)
        || text.starts_with('-')
            && text
                .as_bytes()
                .get(1)
                .is_some_and(u8::is_ascii_alphanumeric)
        || text.starts_with('/') && text.as_bytes().get(1).is_some_and(u8::is_ascii_uppercase);
    if !is_option {
        return None;
    }
    let end = text.find("  ").unwrap_or(text.trim_end().len());
    let name = text.get(..end)?.trim_end();
    let words = name
        .split([' ', ','])
        .filter(|word| !word.is_empty())
        .count();
    (words <= 6 && name.len() <= 80).then_some((name, end))
}

/// Whether an option has its description: after two blanks, or indented on the next line.
fn is_described(lines: &[Line<'_>]) -> bool {
    let Some(line) = lines.first() else {
        return false;
    };
    line.text.trim_end().contains("  ")
        || lines
            .get(1)
            .is_some_and(|next| !next.is_blank() && next.indent() > 0)
}
