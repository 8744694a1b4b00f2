//! Reads what the help files of Vim have beside plain text: rulers over their sections, and marks between stars that name what stands
//! there, beside the words of a heading or over what they tell of.

use super::code::{self, CODE_LINES_MAX};
use super::headings::{self, heading, level_of_number};
use super::{Layout, Line};
use crate::domain::document::Block;
use std::borrow::Cow;

/// A heading is not longer, in characters.
const TITLE_CHARS_MAX: usize = 78;

/// Whether `text` is a help file: it begins with its own name between stars.
pub(in crate::pipeline::extract) fn is_help(text: &str) -> bool {
    let mut words = text.split_whitespace();
    words
        .next()
        .and_then(mark)
        .is_some_and(|name| name.ends_with(".txt"))
}

/// Takes out what marks the first and the last line of code.
pub(super) fn clear(lines: &mut [Line<'_>]) {
    for line in lines {
        if let Some(words) = line.words.strip_suffix(" >") {
            line.words = words.trim_end();
        } else if line.indent == 0
            && let Some(words) = line.words.strip_prefix('<')
            && words.starts_with([' ', '\t'])
        {
            line.range.start = line.range.end - words.trim_start().len();
            line.words = words.trim_start();
        }
    }
}

/// How many of the lines belong together: up to words that lead to what is indented below them, or back to where those began.
pub(super) fn group_length(lines: &[Line<'_>], above: Option<usize>) -> usize {
    if let Some(indent) = above {
        let deeper = lines
            .iter()
            .take(CODE_LINES_MAX)
            .take_while(|line| line.words.is_empty() || line.indent > indent);
        let length = deeper.count();
        if length > 0 {
            return length;
        }
    }
    lines
        .windows(2)
        .take_while(|pair| pair.first().is_some_and(|line| !line.words.is_empty()))
        .position(|pair| {
            matches!(pair, [line, next] if next.indent > line.indent && code::announces(line.words))
        })
        .map_or(lines.len(), |at| at + 1)
}

/// The heading that `lines` begin with, and how many lines it takes.
pub(super) fn title(lines: &[Line<'_>], layout: &Layout) -> Option<(usize, Block)> {
    let first = lines.first().filter(|_| layout.is_help)?;
    if first.words.starts_with("==") && headings::is_parting(first.words) {
        let gap = lines.iter().skip(1).take_while(|it| it.words.is_empty());
        let at = 1 + gap.count();
        let line = lines.get(at)?;
        let (name, _) = parted(line.words);
        let is_title = !name.is_empty() && !name.ends_with('.') && line.indent == 0;
        return (is_title && name.chars().count() <= TITLE_CHARS_MAX)
            .then(|| (at + 1, heading(2, &numbered(name), line.range.clone())));
    }
    let (name, marks) = parted(first.words);
    if marks.is_empty() {
        return None;
    }
    if name.is_empty() {
        return Some((1, heading(4, &marks.join(", "), first.range.clone())));
    }
    let is_title = first.indent == 0 && name.chars().count() <= TITLE_CHARS_MAX;
    let level = level_of_number(first).unwrap_or_else(|| {
        let is_name = name.starts_with(char::is_uppercase) && !name.contains(['(', '\t']);
        if is_name { 3 } else { 4 }
    });
    is_title.then(|| (1, heading(level, name, first.range.clone())))
}

/// The words of a line, and the names between stars behind them.
fn parted(words: &str) -> (&str, Vec<&str>) {
    let mut name = words;
    let mut marks = Vec::new();
    while let Some(found) = name.split_whitespace().next_back().and_then(mark) {
        marks.push(found);
        name = name
            .get(..name.len() - found.len() - 2)
            .unwrap_or("")
            .trim_end();
    }
    marks.reverse();
    (name, marks)
}

/// The name of a section without the stars around the number before it: `*41.1* Introduction`.
fn numbered(name: &str) -> Cow<'_, str> {
    let parts = name.split_once(char::is_whitespace);
    let number = parts.and_then(|(first, rest)| Some((mark(first)?, rest)));
    match number.filter(|(number, _)| number.starts_with(|c: char| c.is_ascii_digit())) {
        Some((number, rest)) => format!("{number} {}", rest.trim_start()).into(),
        None => name.into(),
    }
}

/// The name that stands between the stars of a word.
fn mark(word: &str) -> Option<&str> {
    let name = word.strip_prefix('*')?.strip_suffix('*')?;
    (!name.is_empty() && !name.contains('*')).then_some(name)
}

#[cfg(test)]
mod tests {
    use crate::pipeline::extract::text::read;
    use crate::pipeline::markdown::write;

    #[test]
    fn rulers_and_marks_between_stars_head_what_a_help_file_says() {
        let source = "*kiln.txt*\tFor Kiln version 9.\n\n1. Heat of it\t|heat|\n2. Wood\t|wood|\n\n==============================================================================\n1. Heat of it\t\t\t\t*heat*\n\nIt is hot.\n\nHow to look\t\t\t*look* *see*\n\nWith one eye.\n\n\t\t\t\t*'hot'* *'h'*\n'hot' 'h'\tnumber\t(default 900)\n\t\tHow hot it is, and\n\t\tfor how long.\n\nkiln({heat})\t\t\t*kiln()*\n\t\tLights it.\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "\\*kiln.txt* For Kiln version 9.\n\n1. Heat of it |heat|\n2. Wood |wood|\n\n## 1. Heat of it\n\nIt is hot.\n\n### How to look\n\nWith one eye.\n\n#### 'hot', 'h'\n\n'hot' 'h' number (default 900) How hot it is, and for how long.\n\n#### kiln({heat})\n\nLights it.\n"
        );
    }

    #[test]
    fn a_number_between_stars_numbers_its_section_and_a_sentence_heads_none() {
        let ruler = "=".repeat(78);
        let source = format!(
            "*kiln.txt*\tFor Kiln.\n\n{ruler}\n*4.1*\tHeat\t\t*heat* *hot*\n\nIt is hot.\n\n{ruler}\n\nMore is in another file.\n"
        );
        assert_eq!(
            write(&read(source).blocks),
            "\\*kiln.txt* For Kiln.\n\n## 4.1 Heat\n\nIt is hot.\n\nMore is in another file.\n"
        );
    }

    #[test]
    fn words_between_stars_are_no_marks_elsewhere() {
        let text = write(&read("It is hot.\n\nSay it *loud*\n\nIt burns.\n".to_owned()).blocks);
        assert!(!text.contains('#'), "{text}");
    }
}
