//! Finds the comments of source code that were written for those who use it: above what is declared, and about the file.

use super::extent::Extents;
use super::symbols::{self, Symbol};
use super::syntax::{Syntax, Written};
use super::{legal, tags};
use crate::code_like;
use crate::markup::lines::{Line, common_indent};
use std::ops::Range;

/// Lines of attributes and decorators between a comment and its symbol.
const BETWEEN_MAX: usize = 20;
/// Lines of a body from which on what is bound to a name is a function, and not a value.
pub(crate) const BODY_LINES_MIN: usize = 3;
/// Words of a plain comment that is a sentence.
const WORDS_MIN: usize = 3;

/// What is shown under a heading of its own: a comment or docstring with its symbol, or a symbol alone.
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
    /// Whether it is written as plain text.
    pub(crate) is_plain: bool,
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

/// A comment as it stands.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) lines: Range<usize>,
    /// Its words, line for line, without the marks.
    pub(crate) words: Vec<(usize, String)>,
    /// Whether its marks are those of documentation.
    pub(crate) is_marked: bool,
    /// Whether it speaks of what it stands in.
    is_inner: bool,
}

/// The comments that stand above symbols or speak of what they stand in, from line `from` on.
pub(crate) fn documented(extents: &Extents<'_, '_>, from: usize) -> Vec<Comment> {
    let lines = extents.lines;
    let mut out = Vec::new();
    let mut at = from;
    let closing = Closing::of(lines, extents.syntax);
    while let Some(line) = lines.get(at) {
        let Some(run) = run_at(lines, at, extents.syntax, extents.language, &closing) else {
            // Within a body nothing is said to those who call it.
            let end = symbols::of_line(line.text, extents.language)
                .filter(|_| !symbols::is_container(line.text) && !line.words().starts_with('#'))
                .and_then(|_| extents.end(at));
            at = end.unwrap_or(at + 1).max(at + 1);
            continue;
        };
        let end = run.lines.end;
        let symbol = match run.is_inner {
            true => None,
            false => symbol_below(lines, end, extents.language)
                .filter(|symbol| run.is_marked || is_written_above(&run, symbol, extents)),
        };
        if run.is_inner || symbol.is_some() {
            out.push(run.into_comment(symbol, extents));
        }
        at = end;
    }
    out
}

impl Run {
    /// The comment that it is, about `symbol`.
    pub(crate) fn into_comment(self, symbol: Option<Symbol>, extents: &Extents<'_, '_>) -> Comment {
        let is_plain = !self.is_marked && extents.language != "go";
        Comment {
            from: self.lines.start,
            lines: self.lines,
            words: match is_plain || extents.language == "go" {
                true => self.words,
                false => tags::told(self.words, extents.language),
            },
            symbol,
            above: true,
            is_plain,
        }
    }
}

/// Whether a plain comment says something of the symbol below it.
fn is_written_above(run: &Run, symbol: &Symbol, extents: &Extents<'_, '_>) -> bool {
    let Some(line) = extents.lines.get(symbol.line) else {
        return false;
    };
    if extents.language == "go" {
        return true;
    }
    // In these a call reads as a declaration does.
    let is_sure = extents.syntax.written == Written::Above || symbols::is_told_by_word(line.text);
    if symbol.inner && !is_sure || line.words().starts_with('#') {
        return false;
    }
    let is_value = symbols::is_value(line.text);
    if is_value
        && extents
            .end(symbol.line)
            .is_none_or(|end| end < symbol.line + BODY_LINES_MIN)
    {
        return false;
    }
    is_prose(&run.words) && !legal::is_legal(&run.words)
}

/// Whether the words of a comment are sentences, and not code that was taken out or a drawn line.
pub(crate) fn is_prose(words: &[(usize, String)]) -> bool {
    let told = || {
        words
            .iter()
            .map(|(_, line)| line.trim())
            .filter(|line| !line.is_empty())
    };
    let count: usize = told()
        .map(|line| {
            line.split_whitespace()
                .filter(|word| word.chars().any(char::is_alphabetic))
                .count()
        })
        .sum();
    let unspaced = told().any(|line| line.chars().filter(|c| !c.is_ascii()).count() > 8);
    let code = told().filter(|line| code_like::line(line)).count();
    let begins = told().next().is_some_and(|line| {
        line.starts_with(|c: char| c.is_alphanumeric() || "`\"'<[*-@".contains(c))
    });
    (count >= WORDS_MIN || unspaced) && begins && code * 2 < told().count().max(1)
}

/// The symbol that begins below a comment, behind attributes and decorators.
fn symbol_below(lines: &[Line<'_>], end: usize, language: &str) -> Option<Symbol> {
    for (number, line) in lines.iter().enumerate().skip(end).take(BETWEEN_MAX) {
        let words = line.words();
        if words.is_empty() {
            return None;
        }
        let is_between = words.starts_with("#[")
            || words.starts_with('@')
                && !words.contains(" class ")
                && !words.starts_with("@interface")
            || words.starts_with("template") && words.ends_with('>')
            || words.starts_with('[') && words.ends_with(']');
        if is_between {
            continue;
        }
        if let Some(name) = symbols::of_line(line.text, language) {
            return Some(Symbol {
                name,
                line: number,
                inner: line.indent() > 0,
            });
        }
        // What a function gives back may stand on a line of its own above its name.
        let is_type = symbols::is_type(words, language);
        let below = lines.get(number + 1).filter(|_| is_type)?;
        let name = below
            .text
            .split_once('(')
            .map(|(name, _)| name.trim_end())
            .filter(|name| !name.is_empty() && !name.contains([' ', '=', ';']))?;
        return Some(Symbol {
            name: name.trim_start_matches('*').to_owned(),
            line: number,
            inner: line.indent() > 0,
        });
    }
    None
}

/// The last line that ends a comment with two marks: behind it none is looked for again for each beginning.
pub(crate) struct Closing(Option<usize>);

impl Closing {
    pub(crate) fn of(lines: &[Line<'_>], syntax: Syntax) -> Self {
        let last = syntax
            .around
            .and_then(|(_, end)| lines.iter().rposition(|line| line.text.contains(end)));
        Self(last)
    }
}

/// The comment that begins on line `at`.
pub(crate) fn run_at(
    lines: &[Line<'_>],
    at: usize,
    syntax: Syntax,
    language: &str,
    closing: &Closing,
) -> Option<Run> {
    let words = lines.get(at)?.words();
    if let Some(run) = quoted(lines, at, language) {
        return Some(run);
    }
    if let Some((begin, end)) = syntax.around
        && words.starts_with(begin)
    {
        closing.0.filter(|last| *last >= at)?;
        let rest = words.get(begin.len()..).unwrap_or("");
        let mark = rest.chars().next().unwrap_or(' ');
        let is_marked = match begin {
            "/*" => {
                mark == '!' || mark == '*' && !rest.starts_with("*/") && !rest.starts_with("**")
            }
            "(*" => mark == '*' && !rest.starts_with("**"),
            "{-" => mark == '|',
            _ => false,
        };
        let words = block(lines, at, begin, end, is_marked)?;
        return Some(Run {
            lines: at..at + words.len(),
            words,
            is_marked,
            is_inner: false,
        });
    }
    let marks = syntax.line;
    let doc = match language {
        _ if !marks.contains(&"//") => "",
        _ if words.starts_with("//!") => "//!",
        _ if words.starts_with("///") && !words.starts_with("////") => "///",
        _ => "",
    };
    let words = match doc {
        "" => run(lines, at, marks)?,
        doc => run(lines, at, &[doc])?,
    };
    let first = lines.get(at)?.words();
    Some(Run {
        lines: at..at + words.len(),
        words,
        is_marked: !doc.is_empty() || first.starts_with("#'") || first.starts_with("-- |"),
        is_inner: doc == "//!",
    })
}

/// A run of lines that begin with a mark.
fn run(lines: &[Line<'_>], at: usize, marks: &[&str]) -> Option<Vec<(usize, String)>> {
    let mut words = Vec::new();
    for (number, line) in lines.iter().enumerate().skip(at) {
        let text = line.text.trim_start();
        let Some((mark, rest)) = marks
            .iter()
            .find_map(|mark| Some((*mark, text.strip_prefix(mark)?)))
        else {
            break;
        };
        let is_program = mark == "#" && number == 0 && rest.starts_with('!');
        // Directives of tools are no words, nor is what other marks begin.
        let is_other = mark.starts_with("//")
            && (rest.starts_with("go:")
                || rest.starts_with("nolint")
                || rest.starts_with('/') && !rest.trim_matches('/').is_empty()
                || mark == "//" && rest.trim_end() == "/"
                || mark == "//" && rest.starts_with('!'));
        if is_program || is_other {
            break;
        }
        let cut = rest.strip_prefix(' ').unwrap_or(rest);
        words.push((
            line.start + line.text.len() - cut.len(),
            match marks {
                [mark] if mark.len() > 2 => cut.trim_end().to_owned(),
                _ => undrawn(cut).to_owned(),
            },
        ));
    }
    (!words.is_empty()).then_some(words)
}

/// A line of a comment without what is drawn around it.
fn undrawn(line: &str) -> &str {
    let line = line.trim_end();
    if line.trim_start().starts_with("```") {
        return line;
    }
    if !line.chars().any(char::is_alphanumeric) && line.trim().chars().count() != 1 {
        return "";
    }
    // The right side of a box.
    let mark = line
        .chars()
        .next_back()
        .filter(|c| matches!(c, '#' | '*' | ';'));
    match mark.and_then(|mark| line.trim_end_matches(mark).strip_suffix(' ')) {
        Some(inner) => inner.trim_end(),
        None => line,
    }
}

/// The words of a comment between `begin`, with which line `at` begins, and `end`.
fn block(
    lines: &[Line<'_>],
    at: usize,
    begin: &str,
    end: &str,
    is_marked: bool,
) -> Option<Vec<(usize, String)>> {
    let first = lines.get(at)?;
    let first = first.after(first.text.len() - first.text.trim_start().len() + begin.len());
    let below = lines.get(at + 1..)?;
    let length = match first.text.contains(end) {
        true => 0,
        false => 1 + below.iter().position(|line| line.text.contains(end))?,
    };
    let below = below.get(..length)?;
    let starred = below
        .iter()
        .filter(|line| line.text.trim_start().starts_with('*'))
        .count();
    let told = below.iter().filter(|line| !line.is_blank()).count();
    // Where most lines begin with a star it is drawn, and no mark of an item.
    let has_stars = begin == "/*" && starred * 2 > told;
    let indent = common_indent(below);
    let marks = match first.text.starts_with(end) {
        true => 0,
        false => first.text.len() - first.text.trim_start_matches(['*', '<', '!', '|']).len(),
    };
    let first = first.after(marks);
    let first = first.after(usize::from(first.text.starts_with(' ')));
    let mut words = Vec::with_capacity(length + 1);
    for line in std::iter::once(first).chain(below.iter().map(|line| {
        let lead = line.text.len() - line.text.trim_start().len();
        let is_starred =
            line.text.trim_start().starts_with('*') && !line.text.trim_start().starts_with(end);
        if !has_stars {
            return line.dedent(indent);
        }
        let line = if is_starred {
            line.after(lead + 1)
        } else {
            *line
        };
        line.after(usize::from(is_starred && line.text.starts_with(' ')))
    })) {
        let text = line.text.split(end).next().unwrap_or("");
        // What is documentation is marked up: there a line of marks may be a fence.
        let text = match is_marked {
            true => text.trim_end().trim_end_matches('*').trim_end(),
            false => undrawn(text),
        };
        words.push((line.start, text.to_owned()));
    }
    Some(words)
}

/// The strings that document what stands below them in Julia, and behind a name in Elixir.
fn quoted(lines: &[Line<'_>], at: usize, language: &str) -> Option<Run> {
    const QUOTE: &str = "\"\"\"";
    let words = lines.get(at)?.words();
    let is_inner = words.starts_with("@moduledoc");
    let opening = match language {
        "julia" => QUOTE,
        "elixir" if is_inner => "@moduledoc \"\"\"",
        "elixir" => "@doc \"\"\"",
        _ => return None,
    };
    if words.strip_prefix(opening) != Some("") {
        return None;
    }
    let inside = lines.get(at + 1..)?;
    let length = inside.iter().position(|line| line.words() == QUOTE)?;
    let inside = inside.get(..length)?;
    let indent = common_indent(inside);
    let mut said = vec![(lines.get(at)?.start, String::new())];
    said.extend(inside.iter().map(|line| {
        let line = line.dedent(indent);
        (line.start, line.text.trim_end().to_owned())
    }));
    said.push((inside.last()?.start, String::new()));
    Some(Run {
        lines: at..at + length + 2,
        words: said,
        is_marked: true,
        is_inner,
    })
}
