//! Finds where what is declared in source code ends.

use super::syntax::{Ends, Syntax};
use crate::markup::lines::Line;
use std::cell::RefCell;
use std::collections::HashMap;

/// Longest string within which a line may end: behind it the quote was none.
const STRING_LINES_MAX: usize = 200;

/// Lines that are looked at for the ends of all that a file declares, for each line of it.
const LOOKS_MAX: usize = 20;

/// A file's lines, and where what they declare ends.
pub(crate) struct Extents<'l, 'a> {
    pub(crate) lines: &'l [Line<'a>],
    pub(crate) syntax: Syntax,
    pub(crate) language: &'l str,
    known: RefCell<Known>,
}

/// What was found, and how many lines may still be looked at.
struct Known {
    ends: HashMap<usize, Option<usize>>,
    left: usize,
}

impl<'l, 'a> Extents<'l, 'a> {
    pub(crate) fn of(lines: &'l [Line<'a>], syntax: Syntax, language: &'l str) -> Self {
        Self {
            lines,
            syntax,
            language,
            known: RefCell::new(Known {
                ends: HashMap::new(),
                left: lines.len() * LOOKS_MAX,
            }),
        }
    }

    /// The line behind the last of what is declared on line `at`; `None` where nothing tells.
    pub(crate) fn end(&self, at: usize) -> Option<usize> {
        let mut known = self.known.borrow_mut();
        if let Some(end) = known.ends.get(&at) {
            return *end;
        }
        let lines = self.lines.get(..self.lines.len().min(at + known.left))?;
        let end = self.find(lines, at);
        // What has no end was looked for in all lines.
        let looked = end.unwrap_or(lines.len()).saturating_sub(at);
        known.left = known.left.saturating_sub(looked);
        known.ends.insert(at, end);
        end
    }

    fn find(&self, lines: &[Line<'_>], at: usize) -> Option<usize> {
        let end = match self.syntax.ends {
            Ends::Brace => {
                braced(lines, at, self.syntax, self.language).or_else(|| laid_out(lines, at))
            }
            Ends::Indent => Some(indented(lines, at)),
            Ends::Word => worded(lines, at),
            Ends::Bracket => bracketed(lines, at),
            Ends::Open => None,
        }?;
        Some(with_closers(lines, end))
    }
}

/// What closes the thing around stands with the last thing in it.
fn with_closers(lines: &[Line<'_>], end: usize) -> usize {
    let mut kept = end;
    for (at, line) in lines.iter().enumerate().skip(end) {
        let words = line.words();
        if words.is_empty() {
            continue;
        }
        let is_closer = matches!(
            words.trim_end_matches([';', ',', ')']),
            "}" | "end" | "]" | ""
        ) || words.starts_with('}')
            && words
                .trim_start_matches(['}', ' ', ';'])
                .starts_with(['/', '#']);
        if !is_closer {
            break;
        }
        kept = at + 1;
    }
    kept
}

/// What reads source code letter by letter and knows what is a string or a comment.
struct Scanner {
    depth: usize,
    has_opened: bool,
    /// What ends the string it is in, and how many lines that has.
    quote: Option<(&'static str, usize)>,
    is_in_comment: bool,
}

/// What begins strings that hold quotes, and what ends each.
const LONG_QUOTES: [(&str, &str); 4] = [
    ("r##\"", "\"##"),
    ("r#\"", "\"#"),
    ("\"\"\"", "\"\"\""),
    ("'''", "'''"),
];

/// The line behind the brace that closes the first one opened on line `at` or below, or behind the semicolon before any.
fn braced(lines: &[Line<'_>], at: usize, syntax: Syntax, language: &str) -> Option<usize> {
    let first = lines.get(at)?;
    // In these a line that nothing goes on from ends what it says.
    let ends_with_line = matches!(
        language,
        "go" | "javascript"
            | "jsx"
            | "typescript"
            | "tsx"
            | "kotlin"
            | "swift"
            | "scala"
            | "groovy"
            | "bash"
            | "fish"
            | "r"
            | "powershell"
            | "tcl"
            | "awk"
    );
    let mut scanner = Scanner {
        depth: 0,
        has_opened: false,
        quote: None,
        is_in_comment: false,
    };
    for (number, line) in lines.iter().enumerate().skip(at) {
        if scanner.line(line.text, syntax, language)? {
            // What closes a body stands as deep as what it is of; else a bracket was none (in a pattern, say).
            let fits = number == at || line.indent() <= first.indent();
            return fits.then_some(number + 1);
        }
        let below = lines.get(number + 1);
        let goes_on = line
            .words()
            .ends_with(['=', ',', '(', '+', '|', '&', ':', '<', '\\'])
            || below.is_some_and(|below| {
                below.indent() > first.indent()
                    || below
                        .words()
                        .starts_with(['{', ')', '.', '?', ':', '+', '|', '&', '='])
            });
        if ends_with_line && scanner.depth == 0 && scanner.quote.is_none() && !goes_on {
            return Some(number + 1);
        }
    }
    None
}

/// The line behind the closing brace that stands as deep as line `at`, where that or the next opens one: of a shell's `case`, say, the
/// brackets do not fit.
fn laid_out(lines: &[Line<'_>], at: usize) -> Option<usize> {
    let first = lines.get(at)?;
    let opens = lines
        .iter()
        .skip(at)
        .take(2)
        .any(|line| line.words().ends_with('{'));
    let below = lines.iter().enumerate().skip(at + 1).filter(|(_, line)| {
        !line.is_blank() && line.indent() <= first.indent() && line.words() != "{"
    });
    let (number, line) = opens.then_some(below)?.next()?;
    (line.indent() == first.indent() && line.words().starts_with('}')).then_some(number + 1)
}

impl Scanner {
    /// Reads a line; whether what began is closed with it, and `None` where the brackets do not fit.
    fn line(&mut self, text: &str, syntax: Syntax, language: &str) -> Option<bool> {
        if let Some((_, lines)) = &mut self.quote {
            *lines += 1;
            if *lines > STRING_LINES_MAX {
                return None;
            }
        }
        let mut rest = text;
        let mut before = ' ';
        let mut is_closed = false;
        while let Some(c) = rest.chars().next() {
            let after = rest.get(c.len_utf8()..).unwrap_or("");
            if self.is_in_comment {
                let end = syntax.around.and_then(|(_, end)| rest.strip_prefix(end));
                self.is_in_comment = end.is_none();
                rest = end.unwrap_or(after);
                continue;
            }
            if let Some((quote, _)) = self.quote {
                let behind = rest.strip_prefix(quote);
                rest = match behind {
                    Some(behind) => {
                        self.quote = None;
                        behind
                    }
                    // A raw string of Rust has no escapes.
                    None if c == '\\' && !quote.ends_with('#') => {
                        let escaped = after.chars().next().map_or(0, char::len_utf8);
                        after.get(escaped..).unwrap_or("")
                    }
                    None => after,
                };
                continue;
            }
            let long = LONG_QUOTES.iter().find(|(begin, _)| {
                rest.starts_with(begin)
                    && (begin.starts_with('r') == (language == "rust"))
                    && !before.is_alphanumeric()
            });
            if let Some((begin, end)) = long {
                self.quote = Some((end, 1));
                rest = rest.get(begin.len()..).unwrap_or("");
                continue;
            }
            if let Some(inside) = syntax
                .around
                .and_then(|(begin, _)| rest.strip_prefix(begin))
            {
                self.is_in_comment = true;
                rest = inside;
                continue;
            }
            // `$#` and `${x#y}` are no comments of a shell.
            let is_comment = syntax.line.iter().any(|mark| rest.starts_with(mark))
                && (c != '#' || before.is_whitespace() || before == ';');
            if is_comment {
                break;
            }
            match c {
                '"' => self.quote = Some(("\"", 1)),
                '`' if matches!(language, "javascript" | "jsx" | "typescript" | "tsx" | "go") => {
                    self.quote = Some(("`", 1));
                }
                '\'' if is_quote(after, before, language) => self.quote = Some(("'", 1)),
                '{' => {
                    self.depth += 1;
                    self.has_opened = true;
                }
                '(' | '[' => self.depth += 1,
                '}' | ')' | ']' => {
                    self.depth = self.depth.checked_sub(1)?;
                    is_closed = c == '}' && self.depth == 0 && self.has_opened;
                }
                ';' if self.depth == 0 && !self.has_opened => is_closed = true,
                _ => {}
            }
            before = c;
            rest = after;
        }
        // A string in one quote, and in two of most languages, ends with its line.
        if self.quote.is_some_and(|(quote, _)| {
            quote == "'" && !matches!(language, "perl" | "bash" | "php" | "r")
        }) {
            self.quote = None;
        }
        Some(is_closed && self.depth == 0)
    }
}

/// Whether a single quote begins a string or a letter: in Rust it may begin a lifetime, and in C++ stand within a number.
fn is_quote(after: &str, before: char, language: &str) -> bool {
    if before.is_alphanumeric() {
        return false;
    }
    let closes_soon = after.starts_with('\\') || after.chars().nth(1) == Some('\'');
    closes_soon || !matches!(language, "rust")
}

/// The line before which the indentation falls back to that of line `at`.
fn indented(lines: &[Line<'_>], at: usize) -> usize {
    let Some(first) = lines.get(at) else {
        return at;
    };
    let mut end = at + 1;
    let mut depth = 0_usize;
    for (number, line) in lines.iter().enumerate().skip(at) {
        let words = line.words();
        if words.is_empty() {
            continue;
        }
        if number > at
            && depth == 0
            && line.indent() <= first.indent()
            && !words.starts_with([')', ']', '}'])
        {
            break;
        }
        // The arguments of a declaration may stand at the margin.
        if number < at + 60 {
            let opened = words.matches(['(', '[']).count();
            let closed = words.matches([')', ']']).count();
            depth = (depth + opened).saturating_sub(closed);
        } else {
            depth = 0;
        }
        end = number + 1;
    }
    end
}

/// The line behind an `end` that is as deep as line `at`.
fn worded(lines: &[Line<'_>], at: usize) -> Option<usize> {
    let first = lines.get(at)?;
    // What ends on its own line.
    let words = first.words();
    let is_whole = words.ends_with(" end")
        || words.contains(" = ") && !words.starts_with("function") && !words.starts_with("local f");
    if is_whole {
        return Some(at + 1);
    }
    for (number, line) in lines.iter().enumerate().skip(at + 1) {
        let words = line.words();
        if words.is_empty() || line.indent() > first.indent() {
            continue;
        }
        let is_end = words
            .strip_prefix("end")
            .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'));
        if is_end {
            return Some(number + 1);
        }
        if line.indent() < first.indent() {
            return None;
        }
        // Clauses such as `rescue` stand as deep as the beginning.
        let is_clause = [
            "else", "elsif", "elseif", "rescue", "ensure", "catch", "when", "after",
        ]
        .iter()
        .any(|clause| words.starts_with(clause))
            || words.starts_with([')', '#']);
        if !is_clause {
            return None;
        }
    }
    None
}

/// The line behind the bracket that closes the first one of line `at`: what begins at the margin of a Lisp is a form of its own.
fn bracketed(lines: &[Line<'_>], at: usize) -> Option<usize> {
    let below = lines.get(at + 1..)?;
    let next = below
        .iter()
        .position(|line| line.text.starts_with('(') || line.text.starts_with(";;"));
    let mut end = next.map_or(lines.len(), |next| at + 1 + next);
    while end > at + 1 && lines.get(end - 1).is_some_and(Line::is_blank) {
        end -= 1;
    }
    Some(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::source::syntax;
    use crate::markup::lines::lines_of;

    fn ends(text: &str, language: &str) -> Option<usize> {
        let syntax = syntax::of(language).unwrap();
        Extents::of(&lines_of(text), syntax, language).end(0)
    }

    #[test]
    fn a_body_ends_with_the_brace_that_closes_it() {
        for (text, language, at) in [
            (
                "fn a<'a>(x: &'a str) -> char {\n    '}'\n}\nfn b() {}\n",
                "rust",
                3,
            ),
            ("pub const A: u8 = 1;\nfn b() {}\n", "rust", 1),
            ("struct A(u8);\n\nimpl A {\n}\n", "rust", 1),
            (
                "int a(void)\n{\n  puts(\"}\"); /* } */\n}\nint b;\n",
                "c",
                4,
            ),
            ("int a(void);\nint b(void);\n", "c", 1),
            ("const a = (n) => n\nconst b = 1\n", "javascript", 1),
            ("const a = () => {\n  return `}`\n}\nb()\n", "javascript", 3),
            ("func (k *Kiln) A() {\n}\n\nfunc B() {\n}\n", "go", 2),
            ("type A = B\n\ntype C = D\n", "go", 1),
            ("sub a {\n  my $n = $#{$x};\n}\nsub b { }\n", "perl", 3),
            ("a() {\n  echo ${1#*}}\n}\nb\n", "bash", 3),
            (
                "a() {\n  case x in\n    x) echo ;;\n  esac\n}\nb\n",
                "bash",
                5,
            ),
            ("fn a() {\n    r#\"{\"a\"\"#;\n}\nfn b() {}\n", "rust", 3),
        ] {
            assert_eq!(ends(text, language), Some(at), "{text}");
        }
    }

    #[test]
    fn what_closes_the_thing_around_goes_with_the_last_thing_in_it() {
        assert_eq!(
            ends("    fn a() {\n    }\n}\n\nfn b() {}\n", "rust"),
            Some(3)
        );
    }

    #[test]
    fn brackets_that_do_not_fit_tell_nothing() {
        assert_eq!(ends("int a(void) {\n  if (x) {\n", "c"), None);
        assert_eq!(ends("a)\n", "c"), None);
    }

    #[test]
    fn a_body_ends_where_the_indentation_falls_back() {
        assert_eq!(
            ends("def a(\n    n,\n):\n    return n\n\nx = 1\n", "python"),
            Some(4)
        );
        assert_eq!(ends("def a():\n    return 1\n", "python"), Some(2));
    }

    #[test]
    fn a_body_ends_with_the_word_that_stands_as_deep() {
        for (text, language, at) in [
            ("def a\n  if x\n    1\n  end\nend\nb\n", "ruby", 5),
            ("def a\n  1\nrescue E\n  2\nend\nb\n", "ruby", 5),
            ("function M.a()\n  return 1\nend\nx = 1\n", "lua", 3),
            ("def a, do: 1\n", "elixir", 0),
        ] {
            let at = (at > 0).then_some(at);
            assert_eq!(ends(text, language), at, "{text}");
        }
    }

    #[test]
    fn a_form_of_a_lisp_ends_before_the_next() {
        assert_eq!(ends("(defun a ()\n  1)\n\n(b)\n", "elisp"), Some(2));
    }
}
