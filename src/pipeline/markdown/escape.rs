//! Owns the escaping of words for Markdown: text that looks like mark-up is written so that it renders as it reads, and
//! nothing else is touched (`snake_case` and `3.14` stay as they are).

/// What surrounds the words that are escaped.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Surroundings {
    /// Inside the text of a link, where brackets must be escaped.
    pub(crate) link: bool,
    /// Inside a table's cell, where `|` must be escaped.
    pub(crate) cell: bool,
    /// The block holds a formula or several dollar signs, which could be read as one.
    pub(crate) dollars: bool,
    /// The block holds several tildes, so that two of them could be read as struck out.
    pub(crate) tildes: bool,
    /// The first character of what is written next, if it is words.
    pub(crate) next: Option<char>,
}

/// Appends `text` to `out`, escaped for the middle of a line. Line breaks become spaces.
pub(crate) fn write_text(text: &str, around: Surroundings, out: &mut String) {
    let mut characters = text.chars().peekable();
    let mut before: Option<char> = out.chars().next_back();
    // A run of `_` is judged once, by what stands before its first and after its last one.
    let mut inside_word = false;
    let mut rest = text;
    while let Some(character) = characters.next() {
        rest = characters_after(rest, character);
        let next = characters.peek().copied().or(around.next);
        let last = characters.peek().is_none();
        let escape = match character {
            '\\' => last || !next.is_some_and(char::is_alphanumeric),
            '`' | '*' => true,
            '_' => {
                if before != Some('_') {
                    let after = rest.trim_start_matches('_').chars().next().or(around.next);
                    inside_word = before.is_some_and(char::is_alphanumeric)
                        && after.is_some_and(char::is_alphanumeric);
                }
                !inside_word
            }
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
            ']' => {
                around.link
                    || last && next.is_some()
                    || next.is_some_and(|c| matches!(c, '(' | '[' | ':'))
            }
            '<' => {
                last || next
                    .is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'))
                    || looks_like_mail(rest)
            }
            '&' => looks_like_entity(rest),
            '~' => around.tildes,
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
fn looks_like_entity(rest: &str) -> bool {
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
        assert_eq!(escaped("a__"), "a\\_\\_");
        // A million of them once took hours.
        assert_eq!(escaped(&"_".repeat(1 << 20)).len(), 2 << 20);
    }

    #[test]
    fn what_looks_like_mark_up_is_escaped() {
        assert_eq!(escaped("# no heading"), "\\# no heading");
        assert_eq!(escaped("12. March"), "12\\. March");
        assert_eq!(escaped("- dash"), "\\- dash");
        assert_eq!(escaped("---"), "\\---");
        assert_eq!(escaped("<b> &amp; `x`"), "\\<b> \\&amp; \\`x\\`");
        assert_eq!(
            escaped("__init__ of *this*"),
            "\\_\\_init\\_\\_ of \\*this\\*"
        );
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
