//! Owns the escaping of words for Markdown: text that looks like mark-up is written so that it renders as it reads, and
//! nothing else is touched (`snake_case` and `3.14` stay as they are).

use crate::work::{BYTES_A_STEP, step};

/// What surrounds the words that are escaped.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Surroundings {
    /// Inside the text of a link, where brackets must be escaped.
    pub(crate) link: bool,
    /// Inside a table's cell, where `|` must be escaped.
    pub(crate) cell: bool,
    /// Inside stressed words, which any star could end.
    pub(crate) stressed: bool,
    /// The block holds one run of stars and no other mark of stress, so that nothing could end what the run began.
    pub(crate) lone_star: bool,
    /// The block holds one run of backticks and no code, so that nothing could end what the run began.
    pub(crate) lone_tick: bool,
    /// The block holds a formula or dollar signs that could be read as one.
    pub(crate) dollars: bool,
    /// The block holds tildes that could be read as what is struck out.
    pub(crate) tildes: bool,
    /// The first character of what is written next.
    pub(crate) next: Option<char>,
    /// What is written next may be a round bracket, whatever mark could stand before it.
    pub(crate) paren: bool,
}

/// Appends `text` to `out`, escaped for the middle of a line. Line breaks become spaces.
///
/// Of marks that work in pairs only those are escaped that could open one: what is never opened is never closed.
pub(crate) fn write_text(text: &str, around: Surroundings, out: &mut String) {
    step(1 + text.len() / BYTES_A_STEP);
    let mut before: Option<char> = out.chars().next_back();
    // A block that begins with a bracket could be the definition of a link.
    let start = out.trim_start();
    let may_define = match start.is_empty() {
        true => text.trim_start().starts_with('['),
        false => start.starts_with(['[', '\\']),
    };
    // A run of one mark is judged once, by what stands before its first and after its last one.
    let mut run_of = None;
    let mut opens = false;
    let mut rest = text;
    loop {
        // Words are most of a text, and none of their letters needs a look of its own.
        let length = rest.bytes().position(is_sign).unwrap_or(rest.len());
        if let Some((words, after)) = rest.split_at_checked(length).filter(|_| length > 0) {
            out.push_str(words);
            (before, run_of, rest) = (words.chars().next_back(), None, after);
        }
        let Some(character) = rest.chars().next() else {
            break;
        };
        rest = characters_after(rest, character);
        let next = rest.chars().next().or(around.next);
        let last = rest.is_empty();
        let is_mark = matches!(character, '*' | '_' | '~' | '`');
        if is_mark && run_of != Some(character) {
            let run = Run {
                mark: character,
                before,
                rest: rest.trim_start_matches(character),
                length: 1 + rest.len() - rest.trim_start_matches(character).len(),
            };
            opens = run.opens(around);
        }
        run_of = is_mark.then_some(character);
        let escape = match character {
            '\\' => rest.trim_start().is_empty() || next.is_some_and(|c| c.is_ascii_punctuation()),
            '*' | '_' | '~' | '`' => opens,
            // At the start of a line a bracket could be a task's box, an alert's name or a footnote's. A box before words was one.
            '[' => {
                let opens_task = || {
                    let after = [" ] ", "x] "]
                        .iter()
                        .find_map(|mark| rest.strip_prefix(mark));
                    let goes_on = |words: &str| !words.trim().is_empty() || around.next.is_some();
                    before.is_none() && after.is_some_and(goes_on)
                };
                around.link
                    || !opens_task()
                        && before.is_none_or(|c| c.is_whitespace() || c.is_control())
                        && ["!", " ]", "x]", "X]", "^"]
                            .iter()
                            .any(|mark| rest.starts_with(mark))
            }
            // Nothing that is written defines an address by a name, so brackets alone make no link.
            ']' => {
                around.link
                    || last && around.paren
                    || rest.starts_with('(')
                    || may_define && next == Some(':')
            }
            '<' => {
                last || next
                    .is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'))
                    || looks_like_mail(rest)
            }
            '&' => looks_like_entity(rest),
            '$' => around.dollars,
            '|' => around.cell,
            _ => false,
        };
        if escape {
            out.push('\\');
        }
        match character {
            '\n' | '\r' | '\t' => {
                if before != Some(' ') {
                    out.push(' ');
                }
                before = Some(' ');
            }
            '\0' => out.push('\u{fffd}'),
            _ => {
                out.push(character);
                before = Some(character);
            }
        }
    }
}

/// Whether a byte could be a mark, or is not written as it is.
fn is_sign(byte: u8) -> bool {
    matches!(
        byte,
        b'\\'
            | b'*'
            | b'_'
            | b'~'
            | b'`'
            | b'['
            | b']'
            | b'<'
            | b'&'
            | b'$'
            | b'|'
            | b'\n'
            | b'\r'
            | b'\t'
            | 0
    )
}

/// A run of one mark in words.
struct Run<'t> {
    mark: char,
    before: Option<char>,
    /// The words behind it.
    rest: &'t str,
    length: usize,
}

impl Run<'_> {
    /// Whether the run could open what a later one closes.
    fn opens(&self, around: Surroundings) -> bool {
        let after = self.rest.chars().next();
        // What follows may be the end of a line, before which white space is not written.
        let is_before_end = around.next.is_some() && self.rest.trim_start().is_empty();
        let is_before_space =
            !is_before_end && after.or(around.next).is_none_or(char::is_whitespace);
        let is_behind_word = self.before.is_some_and(char::is_alphanumeric);
        match self.mark {
            '`' => !around.lone_tick || self.length > 2,
            // At the start of a line it could be the mark of an item.
            '*' if self.before.is_none_or(char::is_control) => true,
            '*' if around.stressed => true,
            '*' => {
                let is_before_mark = after.is_some_and(|c| c.is_ascii_punctuation());
                !(around.lone_star || is_before_space || is_before_mark && is_behind_word)
            }
            '_' => !is_before_space && !is_behind_word,
            _ => around.tildes && !is_before_space && (self.length > 1 || !is_behind_word),
        }
    }
}

/// `text` after its first character, which is `first`.
fn characters_after(text: &str, first: char) -> &str {
    text.get(first.len_utf8()..).unwrap_or("")
}

/// Whether an angle bracket followed by `rest` would be read as the link of a mail address, as `<1@kiln.example>` is.
fn looks_like_mail(rest: &str) -> bool {
    let name = rest
        .bytes()
        .take_while(|byte| byte.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(byte));
    let length = name.count();
    length > 0 && rest.as_bytes().get(length) == Some(&b'@')
}

/// Whether an ampersand followed by `rest` would be read as a character reference.
pub(crate) fn looks_like_entity(rest: &str) -> bool {
    let name = rest.strip_prefix('#').unwrap_or(rest);
    let length = name
        .bytes()
        .take(40)
        .take_while(u8::is_ascii_alphanumeric)
        .count();
    length > 0 && name.as_bytes().get(length) == Some(&b';')
}

/// Appends to `out` the line `line`, which is already escaped for the middle of a line, so that it does not start a heading,
/// a list, a quote, a rule or a table by accident.
pub(crate) fn write_line_start(line: &str, out: &mut String) {
    let line = line.trim_start_matches([' ', '\t']);
    let trimmed = line.trim_end();
    let first = line.chars().next();
    let second = line.chars().nth(1);
    let opens_item = second.is_none_or(char::is_whitespace);
    let ruler = trimmed
        .chars()
        .all(|c| matches!(c, '-' | '=' | ':' | '|' | ' ' | '+'));
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let escape_first = match first {
        Some('#') => line
            .trim_start_matches('#')
            .chars()
            .next()
            .is_none_or(char::is_whitespace),
        Some('>') => true,
        Some('-' | '+' | ':') => opens_item || ruler,
        Some('*') => opens_item,
        Some('=' | '|') => ruler,
        Some('~') => line.starts_with("~~~"),
        Some('_') => trimmed.chars().all(|c| matches!(c, '_' | ' ')),
        _ => false,
    };
    if escape_first {
        out.push('\\');
        out.push_str(line);
    } else if (1..=9).contains(&digits)
        && line
            .as_bytes()
            .get(digits)
            .is_some_and(|b| matches!(b, b'.' | b')'))
        && line
            .as_bytes()
            .get(digits + 1)
            .is_none_or(u8::is_ascii_whitespace)
    {
        let (number, rest) = line.split_at(digits);
        out.push_str(number);
        out.push('\\');
        out.push_str(rest);
    } else {
        out.push_str(line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escaped(text: &str) -> String {
        let mut middle = String::new();
        write_text(text, Surroundings::default(), &mut middle);
        let mut out = String::new();
        write_line_start(&middle, &mut out);
        out
    }

    #[test]
    fn ordinary_words_are_left_alone() {
        for text in [
            "snake_case and 3.14 (see 2.) - a + b",
            "array[0] is 1 < 2 & 3 > 2",
            "Fish & chips; C# and F#!",
            "~/bin costs $5",
        ] {
            assert_eq!(escaped(text), text);
        }
    }

    #[test]
    fn a_run_of_underscores_is_judged_once_by_what_stands_around_it() {
        assert_eq!(escaped("a___b"), "a___b");
        assert_eq!(escaped("a __b"), "a \\_\\_b");
        assert_eq!(escaped("a__"), "a__");
        // A million of them once took hours.
        assert_eq!(escaped(&("_".repeat(1 << 20) + "a")).len(), (2 << 20) + 1);
    }

    #[test]
    fn what_can_open_nothing_is_left_alone() {
        for text in [
            r#"{"id":"exp_...","at":["a","b"]}"#,
            "http[s]://host.xz[:port]/path",
            "--sort-by=[FIELD,...]",
            "[-q] [[--] <path>...][<path>]",
            "char* name; 2 * 3",
            r"C:\Kilns \ 900",
        ] {
            let text = text.replace('<', "[");
            assert_eq!(escaped(&text), text);
        }
        assert_eq!(escaped("[kiln]: hot"), "[kiln\\]: hot");
        assert_eq!(escaped("___"), "\\___");
        assert_eq!(escaped("* * *"), "\\* * *");
    }

    #[test]
    fn what_looks_like_mark_up_is_escaped() {
        assert_eq!(escaped("# no heading"), "\\# no heading");
        assert_eq!(escaped("12. March"), "12\\. March");
        assert_eq!(escaped("- dash"), "\\- dash");
        assert_eq!(escaped("---"), "\\---");
        assert_eq!(escaped("<b> &amp; `x`"), "\\<b> \\&amp; \\`x\\`");
        assert_eq!(escaped("__init__ of *this*"), "\\_\\_init__ of \\*this*");
        assert_eq!(escaped("[a](b)"), "[a\\](b)");
    }

    #[test]
    fn the_box_of_a_task_and_a_bracket_that_ends_a_heading_stay_as_they_are() {
        for text in ["[ ] Fire it", "[x] Fire it", "//kiln[1] and (//kiln)[1]"] {
            assert_eq!(escaped(text), text);
        }
        assert_eq!(escaped("[ ]"), "\\[ ]");
        assert_eq!(escaped("[!NOTE] Fire it"), "\\[!NOTE] Fire it");
    }
}
