//! Skips the definitions of a page's own macros, and remembers of each which of its arguments are words of the page.

use crate::markup::lines::Line;
use crate::markup::man::Reader;
use std::collections::HashMap;

/// More macros than this no page defines.
const MACROS_MAX: usize = 500;

/// The requests that say how a page is laid out: a number given to them is none of its words.
const LAYOUT: [&str; 18] = [
    "RS", "IP", "TP", "HP", "PD", "sp", "in", "ta", "ti", "nr", "ll", "ne", "po", "ps", "vs", "pl",
    "ce", "br",
];

/// The macros that a page defines.
#[derive(Debug, Default)]
pub(super) struct Defined(HashMap<String, Use>);

/// What a macro does with its arguments, a bit for each of the first nine.
#[derive(Debug, Default, Clone, Copy)]
struct Use {
    /// Whether it uses any at all.
    shows: bool,
    /// Those it gives to requests of layout.
    laid_out: u16,
    /// Those it uses elsewhere.
    said: u16,
}

impl Use {
    fn of(body: &[Line<'_>]) -> Self {
        let mut found = Self::default();
        for line in body {
            found.shows |= line.text.contains("\\$");
            match request_of(line.text) {
                Some(name) if LAYOUT.contains(&name) => found.laid_out |= arguments_in(line.text),
                Some("if" | "ie" | "el") => {}
                _ => found.said |= arguments_in(line.text),
            }
        }
        found
    }
}

impl Defined {
    /// Those arguments of the macro `name`, which the reader does not know, that are words of the page: all of them, except what
    /// the page's own macros leave out, and measures that they only lay it out with.
    pub(super) fn shown(&self, name: &str, arguments: Vec<String>) -> Vec<String> {
        let Some(used) = self.0.get(name) else {
            return arguments;
        };
        if !used.shows {
            return Vec::new();
        }
        (1u32..)
            .zip(arguments)
            .filter(|(number, word)| {
                let bit = 1u16.checked_shl(*number).unwrap_or(0);
                let is_layout = used.laid_out & bit != 0 && used.said & bit == 0;
                !(is_layout && is_measure(word))
            })
            .map(|(_, word)| word)
            .collect()
    }
}

/// The lines that may end a definition: for each mark how many lines before the end of the page it stands, the first one first.
#[derive(Debug, Default)]
pub(super) struct Ends<'a>(HashMap<&'a str, Vec<usize>>);

impl<'a> Ends<'a> {
    fn of(rest: &[Line<'a>]) -> Self {
        let mut ends: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, line) in rest.iter().enumerate() {
            let Some(control) = line.text.strip_prefix(['.', '\'']) else {
                continue;
            };
            let control = control.trim_start_matches([' ', '\t']);
            // `..`, with blanks between the two where the writer indents, whatever stands behind it.
            let mark = match control.get(..1) {
                Some(".") => ".",
                _ => until_blank(control),
            };
            if !mark.is_empty() {
                ends.entry(mark).or_default().push(rest.len() - at);
            }
        }
        Self(ends)
    }

    /// The place of the first `mark` in `rest`, the lines up to the end of the page.
    fn first(&self, mark: &str, rest: &[Line<'_>]) -> Option<usize> {
        let places = self.0.get(mark)?;
        let next = places.partition_point(|place| *place > rest.len());
        Some(rest.len() - places.get(next)?)
    }
}

impl<'a> Reader<'a> {
    /// `.de`, `.am` or `.ig`: gives how many of the lines after it belong to it, none when its end is missing.
    pub(super) fn definition(&mut self, request: &str, after: &str, rest: &[Line<'a>]) -> usize {
        let mut words = after.split_whitespace();
        let name = if request == "ig" { None } else { words.next() };
        let mark = words
            .next()
            .map(until_blank)
            .filter(|mark| !mark.is_empty())
            .unwrap_or(".");
        // Looked for once: a page may define thousands of macros and end none.
        let ends = self.ends.get_or_insert_with(|| Ends::of(rest));
        let Some(end) = ends.first(mark, rest) else {
            return 0;
        };
        if let Some(name) = name
            && self.defined.0.len() < MACROS_MAX
        {
            let body = Use::of(rest.get(..end).unwrap_or_default());
            let used = self.defined.0.entry(name.to_owned()).or_default();
            used.shows |= body.shows;
            used.laid_out |= body.laid_out;
            used.said |= body.said;
        }
        end + 1
    }
}

/// What stands before the first blank or escape.
fn until_blank(text: &str) -> &str {
    text.split([' ', '\t', '\\']).next().unwrap_or("")
}

/// The request that a line makes; behind a condition, the one that depends on it.
fn request_of(line: &str) -> Option<&str> {
    let control = line.strip_prefix(['.', '\''])?.trim_start();
    let name = until_blank(control);
    if !matches!(name, "if" | "ie" | "el") {
        return Some(name);
    }
    let inner = control
        .split_whitespace()
        .skip(1)
        .find_map(|word| word.trim_start_matches(['\\', '{']).strip_prefix('.'))
        .filter(|inner| inner.starts_with(|c: char| c.is_ascii_alphabetic()));
    Some(inner.map_or(name, until_blank))
}

/// The numbers of the arguments that a line of a definition uses, as bits: `\\$1`; all for `\\$*` and `\\$@`.
fn arguments_in(line: &str) -> u16 {
    line.split("\\$")
        .skip(1)
        .map(|after| match after.chars().next() {
            Some(c @ '1'..='9') => c.to_digit(10).map_or(0, |number| 1u16 << number),
            _ => u16::MAX,
        })
        .fold(0, |all, bits| all | bits)
}

/// A number with or without a unit: `3.5`, `+4n`.
fn is_measure(word: &str) -> bool {
    let number = word.trim_start_matches(['+', '-']);
    let number = number.trim_end_matches(['n', 'm', 'i', 'c', 'p', 'P', 'u', 'v', 's']);
    !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

#[cfg(test)]
mod tests {
    use crate::markup::man::read;
    use skillkiln_document::markdown::write;
    use std::fmt::Write as _;

    const HEAD: &str = ".TH X 1\n.SH NAME\nx \\- fire clay\n.SH D\n";

    #[test]
    fn thousands_of_definitions_without_an_end_swallow_nothing() {
        let mut source = HEAD.to_owned();
        for number in 0..20_000 {
            let _ = writeln!(
                source,
                ".de FOO\nfoo bar\n.de F{number} E{number}\nfire and clay"
            );
        }
        let written = write(&read(source).blocks);
        assert_eq!(written.matches("foo bar").count(), 20_000);
        assert_eq!(written.matches("fire and clay").count(), 20_000);
    }

    #[test]
    fn a_definition_ends_at_the_next_of_its_marks_and_not_at_an_earlier_one() {
        let source = format!(
            "{HEAD}One.\n.END\n.de A END\nnever\n..\n.END\nTwo.\n.de B\nnever\n. .\nThree.\n.ig END\nnever\n'END\nFour.\n"
        );
        assert_eq!(
            write(&read(source).blocks),
            "# x(1)\n\n## NAME\n\nx - fire clay\n\n## D\n\nOne. Two. Three. Four.\n"
        );
    }

    #[test]
    fn numbers_are_words_where_a_macro_says_them_and_measures_where_it_lays_out_with_them() {
        let source = format!(
            "{HEAD}.de Pr\n.B \\$1\n..\n.de Far\n.if n .sp \\$1\n.I \\$2\n..\n.de Gap\n.sp \\$1\n..\nIt costs\n.Pr 42\nor\n.Far 2 43\nor\n.Gap 3v\nless.\n"
        );
        assert_eq!(
            write(&read(source).blocks),
            "# x(1)\n\n## NAME\n\nx - fire clay\n\n## D\n\nIt costs 42 or 43 or less.\n"
        );
    }
}
