//! Finds what the authors of source code wrote for its readers: comments above symbols, and docstrings inside them.

use super::Style;
use super::symbols::{self, Symbol};
use crate::markup::lines::Line;
use std::ops::Range;

/// Lines of attributes and decorators between a comment and its symbol.
const BETWEEN_MAX: usize = 20;

/// A comment or docstring.
#[derive(Debug)]
pub(crate) struct Comment {
    /// Its lines.
    pub(crate) lines: Range<usize>,
    /// Its words, line for line, with their places in the source.
    pub(crate) words: Vec<(usize, String)>,
    /// What it is about; nothing when it is about the file.
    pub(crate) symbol: Option<Symbol>,
    /// Whether it stands above its symbol.
    pub(crate) above: bool,
    /// The first line of its symbol, decorators included, when it stands inside.
    pub(crate) from: usize,
}

impl Comment {
    /// The first line that belongs to it or its symbol's signature.
    pub(crate) fn begin(&self) -> usize {
        if self.above {
            self.lines.start
        } else {
            self.from
        }
    }

    /// The line after its last.
    pub(crate) fn end(&self) -> usize {
        self.lines.end
    }
}

/// The comments that stand above symbols or speak of the file.
pub(crate) fn documented(lines: &[Line<'_>], style: Style, language: &str) -> Vec<Comment> {
    let mut out = Vec::new();
    let mut at = 0;
    let mut seen_code = false;
    while let Some(line) = lines.get(at) {
        let words = line.words();
        let found = match style {
            Style::Go => run(lines, at, &["//"]),
            _ if words.starts_with("/**") && !words.starts_with("/**/")
                || words.starts_with("/*!") =>
            {
                block(lines, at)
            }
            _ if words.starts_with("//!") => run(lines, at, &["//!"]),
            _ if words.starts_with("///") && !words.starts_with("////") => run(lines, at, &["///"]),
            _ => None,
        };
        let Some((end, words)) = found else {
            // What a comment for programmers says over several lines is no code.
            if words.starts_with("/*") && !words.contains("*/") {
                let inside = lines.iter().skip(at);
                at += inside.take_while(|line| !line.text.contains("*/")).count() + 1;
                continue;
            }
            seen_code |= !words.is_empty()
                && !words.starts_with("//")
                && !words.starts_with("/*")
                && !words.starts_with("#!");
            at += 1;
            continue;
        };
        let is_inner = line.words().starts_with("//!");
        let symbol = if is_inner {
            None
        } else {
            symbol_below(lines, end, language)
        };
        // A comment that no symbol follows speaks of the file, in Go right at the start only: the mark of a comment for readers is that of
        // any other.
        let is_apart = match style {
            Style::Go => {
                let next = lines.get(end);
                !seen_code && next.is_some_and(|line| line.text.starts_with("package "))
            }
            _ => line.indent() == 0 && words.iter().any(|(_, words)| says_something(words)),
        };
        let of_file = is_inner || symbol.is_none() && is_apart;
        if symbol.is_some() || of_file {
            out.push(Comment {
                lines: at..end,
                words: tagged(words, style),
                symbol,
                above: true,
                from: at,
            });
        }
        seen_code |= !of_file;
        at = end;
    }
    out
}

/// Whether a line holds words besides the marks of groups.
fn says_something(words: &str) -> bool {
    words
        .split_whitespace()
        .any(|word| !word.starts_with(['@', '\\']) && word.contains(char::is_alphanumeric))
}

/// The symbol that begins below a comment, behind attributes and decorators.
fn symbol_below(lines: &[Line<'_>], end: usize, language: &str) -> Option<Symbol> {
    for (number, line) in lines.iter().enumerate().skip(end).take(BETWEEN_MAX) {
        let words = line.words();
        if words.is_empty() {
            return None;
        }
        let is_between = words.starts_with("#[")
            || words.starts_with('@') && !words.contains(" class ")
            || words.starts_with("template") && words.ends_with('>')
            || words.starts_with('[') && words.ends_with(']');
        if !is_between {
            return symbols::of_line(line.text, language).map(|name| Symbol {
                name,
                line: number,
                inner: line.indent() > 0,
            });
        }
    }
    None
}

/// A run of lines that begin with a mark.
fn run(lines: &[Line<'_>], at: usize, marks: &[&str]) -> Option<(usize, Vec<(usize, String)>)> {
    let mut words = Vec::new();
    for line in lines.iter().skip(at) {
        let text = line.text.trim_start();
        let Some(rest) = marks.iter().find_map(|mark| text.strip_prefix(mark)) else {
            break;
        };
        // Directives of tools are no words.
        if rest.starts_with("go:") || rest.starts_with("nolint") || rest.starts_with('/') {
            break;
        }
        let cut = rest.strip_prefix(' ').unwrap_or(rest);
        words.push((
            line.start + line.text.len() - cut.len(),
            cut.trim_end().to_owned(),
        ));
    }
    (!words.is_empty()).then(|| (at + words.len(), words))
}

/// A comment between `/**` and `*/`. Lines without a star are as far in as the comment itself.
fn block(lines: &[Line<'_>], at: usize) -> Option<(usize, Vec<(usize, String)>)> {
    let mut words = Vec::new();
    let is_blank = |c: char| c == ' ' || c == '\t';
    let first = lines.get(at)?.text;
    let margin = first.get(..first.len() - first.trim_start_matches(is_blank).len())?;
    for (number, line) in lines.iter().enumerate().skip(at) {
        let mut rest = line.text.trim_start();
        if number == at {
            rest = rest.get(3..).unwrap_or("").trim_start_matches(['*', '<']);
            rest = rest.strip_prefix(' ').unwrap_or(rest);
        } else if let Some(after) = rest
            .strip_prefix('*')
            .filter(|after| !after.starts_with('/'))
        {
            rest = after.strip_prefix(' ').unwrap_or(after);
        } else if !rest.starts_with("*/") {
            rest = line
                .text
                .strip_prefix(margin)
                .unwrap_or(line.text)
                .trim_end();
        }
        let start = line.start + line.text.len() - rest.len();
        let (shown, ends) = match rest.find("*/") {
            Some(end) => (rest.get(..end).unwrap_or(""), true),
            None => (rest, false),
        };
        words.push((
            start,
            shown.trim_end().trim_end_matches('*').trim_end().to_owned(),
        ));
        if ends {
            return Some((number + 1, words));
        }
    }
    None
}

/// Tags of JSDoc, Javadoc and Doxygen as items of a list.
fn tagged(words: Vec<(usize, String)>, style: Style) -> Vec<(usize, String)> {
    if style == Style::Go {
        return words;
    }
    let mut out = Vec::with_capacity(words.len());
    let mut listed = false;
    for (start, line) in words {
        let text = line.trim_start();
        // The ends of a group.
        if matches!(text.trim_end(), "@{" | "@}" | "\\{" | "\\}") {
            continue;
        }
        let Some(rest) = text
            .strip_prefix(['@', '\\'])
            .filter(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()))
        else {
            // Lines below a tag go on it.
            let line = if listed && !line.trim().is_empty() {
                format!("  {text}")
            } else {
                line
            };
            out.push((start, line));
            continue;
        };
        let (tag, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let tag = tag.split('[').next().unwrap_or(tag);
        let after = after.trim();
        // A type in braces says less than the signature.
        let (kind, after) = match after
            .strip_prefix('{')
            .and_then(|inner| inner.split_once('}'))
        {
            Some((kind, rest)) => (Some(kind), rest.trim()),
            None => (None, after),
        };
        let (name, said) = after.split_once(char::is_whitespace).unwrap_or((after, ""));
        let said = said.trim().trim_start_matches("- ");
        let kind = kind.map(|kind| format!(" (`{kind}`)")).unwrap_or_default();
        let item = match tag {
            "param" | "tparam" | "arg" | "property" | "prop" | "template" => {
                format!("- `{name}`{kind}: {said}")
            }
            "throws" | "exception" | "retval" => format!("- Throws `{name}`: {said}"),
            "return" | "returns" | "result" => format!("- Returns{kind}: {after}"),
            "deprecated" => format!("- Deprecated: {after}"),
            "since" | "version" => format!("- Since: {after}"),
            "see" | "sa" => format!("- See: {after}"),
            "note" | "warning" | "remark" | "attention" => format!(
                "- {}: {after}",
                if tag == "note" { "Note" } else { "Warning" }
            ),
            // Pages and groups of Doxygen have a title, behind a name.
            "mainpage" | "page" | "subpage" | "section" | "subsection" | "defgroup" => {
                let title = if tag == "mainpage" { after } else { said };
                let level = if tag.starts_with("sub") { "###" } else { "##" };
                out.push((start, format!("{level} {title}")));
                listed = false;
                continue;
            }
            "brief" | "details" | "short" | "desc" | "description" | "summary" => {
                out.push((start, after.to_owned()));
                continue;
            }
            "code" | "endcode" | "verbatim" | "endverbatim" | "example" => {
                let line = if tag == "example" {
                    format!("Example: {after}")
                } else {
                    "```".to_owned()
                };
                out.push((start, line));
                listed = false;
                continue;
            }
            _ => format!("- {tag}{kind}: {after}"),
        };
        if !listed
            && out
                .last()
                .is_some_and(|(_, last): &(usize, String)| !last.is_empty())
        {
            out.push((start, String::new()));
        }
        listed = true;
        out.push((start, item));
    }
    out
}

/// The strings that open a Python file, its classes and its functions; classes without one, whose methods stand below them. What a function
/// defines for itself is its body.
pub(crate) fn docstrings(lines: &[Line<'_>]) -> Vec<Comment> {
    let mut out = Vec::new();
    // How far the symbols around a line are indented, and whether each is a class.
    let mut around: Vec<(usize, bool)> = Vec::new();
    let mut at = 0;
    let mut from = None;
    let mut opens_file = true;
    while let Some(line) = lines.get(at) {
        let words = line.words();
        if words.is_empty() || words.starts_with('#') {
            at += 1;
            continue;
        }
        if opens_file {
            opens_file = false;
            if let Some((end, words)) = string(lines, at) {
                out.push(Comment {
                    lines: at..end,
                    words,
                    symbol: None,
                    above: true,
                    from: at,
                });
                at = end;
                continue;
            }
        }
        if words.starts_with('@') {
            from.get_or_insert(at);
            at += 1;
            continue;
        }
        let Some(name) = symbols::of_line(line.text, "python") else {
            // A decorator's arguments may go on over lines.
            if !line.text.starts_with([' ', '\t', ')']) {
                from = None;
            }
            at += 1;
            continue;
        };
        let start = from.take().unwrap_or(at);
        let own = at;
        let is_class = words.starts_with("class ");
        around.retain(|(indent, _)| *indent < line.indent());
        let is_own = around.iter().any(|(_, is_class)| !is_class);
        around.push((line.indent(), is_class));
        if is_own {
            at += 1;
            continue;
        }
        let ends = lines
            .iter()
            .enumerate()
            .skip(at)
            .take(60)
            .find(|(_, line)| {
                line.text
                    .split(" #")
                    .next()
                    .unwrap_or("")
                    .trim_end()
                    .ends_with(':')
            })
            .map(|(number, _)| number + 1);
        let below = ends.and_then(|ends| {
            (ends..lines.len().min(ends + 3))
                .find(|next| lines.get(*next).is_some_and(|line| !line.is_blank()))
        });
        let told = below.and_then(|below| {
            let (end, words) = string(lines, below)?;
            Some((below..end, words))
        });
        let told = told.or_else(|| {
            ends.filter(|_| is_class)
                .map(|ends| (ends..ends, Vec::new()))
        });
        at += 1;
        if let Some((told, words)) = told {
            at = told.end;
            let symbol = Symbol {
                name,
                line: own,
                inner: line.indent() > 0,
            };
            out.push(Comment {
                lines: told,
                words,
                symbol: Some(symbol),
                above: false,
                from: start,
            });
        }
    }
    out
}

/// A string in three quotes that begins on line `at`, or in one pair on one line.
fn string(lines: &[Line<'_>], at: usize) -> Option<(usize, Vec<(usize, String)>)> {
    let first = lines.get(at)?;
    let text = first.text.trim_start();
    let prefix = text
        .bytes()
        .take(2)
        .take_while(|b| b"rRuUbB".contains(b))
        .count();
    let text = text.get(prefix..)?;
    let quote = ["\"\"\"", "'''"]
        .into_iter()
        .find(|quote| text.starts_with(quote));
    let Some(quote) = quote else {
        let mark = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let inner = text.get(1..)?.trim_end().strip_suffix(mark)?;
        let is_whole = !inner.is_empty() && !inner.contains(mark);
        let start = first.start + first.text.len() - text.len() + 1;
        return is_whole.then(|| (at + 1, vec![(start, inner.to_owned())]));
    };
    let mut raw: Vec<(usize, &str)> = Vec::new();
    for (number, line) in lines.iter().enumerate().skip(at) {
        let skipped = if number == at {
            line.text.len() - text.len() + 3
        } else {
            0
        };
        let rest = line.text.get(skipped..).unwrap_or("");
        let (shown, ends) = match rest.find(quote) {
            Some(end) => (rest.get(..end).unwrap_or(""), true),
            None => (rest, false),
        };
        raw.push((line.start + skipped, shown));
        if ends {
            // What all lines but the first share is the indentation of the code around.
            let indent = raw
                .iter()
                .skip(1)
                .filter(|(_, line)| !line.trim().is_empty())
                .map(|(_, line)| line.len() - line.trim_start().len())
                .min()
                .unwrap_or(0);
            let words = raw
                .into_iter()
                .enumerate()
                .map(|(row, (start, line))| {
                    let cut = if row == 0 {
                        line.len() - line.trim_start().len()
                    } else {
                        indent.min(line.len() - line.trim_start().len())
                    };
                    (
                        start + cut,
                        line.get(cut..).unwrap_or("").trim_end().to_owned(),
                    )
                })
                .collect();
            return Some((number + 1, words));
        }
    }
    None
}
