//! Skips the definitions of a page's own macros, and remembers of each whether its arguments are words of the page.

use crate::pipeline::extract::markup::lines::Line;
use crate::pipeline::extract::markup::man::Reader;
use std::collections::HashMap;

/// More macros than this no page defines.
const MACROS_MAX: usize = 500;

/// The macros that a page defines: whether each shows its arguments.
#[derive(Debug, Default)]
pub(super) struct Defined(HashMap<String, bool>);

impl Defined {
    /// Whether the arguments of the macro `name`, which the reader does not know, are to be kept: those of the page's own
    /// macros are not when its definition leaves them out, nor when they are measures.
    pub(super) fn shows(&self, name: &str, arguments: &[String]) -> bool {
        match self.0.get(name) {
            Some(shows) => *shows && !arguments.iter().all(|word| is_measure(word)),
            None => true,
        }
    }
}

impl<'a> Reader<'a> {
    /// `.de`, `.am` or `.ig`: gives how many of the lines after it belong to it, none when its end is missing.
    pub(super) fn definition(&mut self, request: &str, after: &str, rest: &[Line<'a>]) -> usize {
        let mut words = after.split_whitespace();
        let name = if request == "ig" { None } else { words.next() };
        let mark = words.next().filter(|mark| !mark.starts_with('\\'));
        let Some(end) = rest
            .iter()
            .position(|line| is_end(line.text, mark.unwrap_or(".")))
        else {
            return 0;
        };
        let body = rest.get(..end).unwrap_or_default();
        if let Some(name) = name
            && self.defined.0.len() < MACROS_MAX
        {
            let shows = body.iter().any(|line| line.text.contains("\\$"));
            *self.defined.0.entry(name.to_owned()).or_default() |= shows;
        }
        end + 1
    }
}

/// Whether `line` is the macro `mark`, by default the dot: `..`, with blanks between the two where the writer indents.
fn is_end(line: &str, mark: &str) -> bool {
    let Some(after) = line
        .strip_prefix(['.', '\''])
        .and_then(|control| control.trim_start_matches([' ', '\t']).strip_prefix(mark))
    else {
        return false;
    };
    after.is_empty() || after.starts_with([' ', '\t', '\\']) || mark == "."
}

/// A number with or without a unit: `3.5`, `+4n`.
fn is_measure(word: &str) -> bool {
    let number = word.trim_start_matches(['+', '-']);
    let number = number.trim_end_matches(['n', 'm', 'i', 'c', 'p', 'P', 'u', 'v', 's']);
    !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}
