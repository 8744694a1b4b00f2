//! Reads the lists of reStructuredText: bullets, numbers, fields, options, terms and lines of verse.

use super::Reader;
use crate::markup::lines::{self, Line};
use skillkiln_document::blocks::{Block, BlockKind, Definition};
use skillkiln_document::text::{Inline, plain, squash};

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
            let blocks = self.blocks(&body, depth + 1);
            if !blocks.is_empty() {
                items.push(blocks);
            }
            used += length;
        }
        let start = match mark {
            Mark::Bullet(_) => None,
            Mark::Number(..) => Some(number),
        };
        let taken = lines.get(..used).unwrap_or_default();
        if !items.is_empty() {
            out.push(lines::block(BlockKind::List { start, items }, taken));
        }
        used
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
            // What Sphinx lists, it lists without this one.
            if name.starts_with("meta ") || opens && self.tell(name, &blocks) {
                continue;
            }
            let term = documented(name).unwrap_or_else(|| self.inline(name));
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

    /// Takes a field over into what the document says of itself.
    fn tell(&mut self, name: &str, blocks: &[Block]) -> bool {
        let words = || squash(&plain(&lines::flat(blocks)));
        let about = &mut self.about;
        match name.to_lowercase().as_str() {
            "author" | "authors" => about.author = Some(words()),
            "date" => about.date = Some(words()),
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
        width
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
    if rest.starts_with([':', ' ', '`']) {
        return None;
    }
    let end = rest.match_indices(':').map(|(at, _)| at).find(|at| {
        rest.get(at + 1..)
            .is_some_and(|after| after.is_empty() || after.starts_with([' ', '\t', '`']))
    })?;
    // What a backtick follows is a role.
    let is_role = rest.get(end + 1..)?.starts_with('`');
    let name = rest.get(..end)?;
    (!is_role && !name.is_empty() && name.len() < 200 && !name.ends_with(' '))
        .then_some((name, end + 2))
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
