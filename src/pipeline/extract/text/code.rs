//! Owns which lines of plain text are code, to be kept to the letter, and which are words to be read.

use super::{Layout, Line, lists};
use crate::domain::document::{Block, BlockKind, Span};
use crate::pipeline::extract::code_like;

/// Lines that are looked at to tell code from prose: a text of one indented stretch must not be read again for each of its
/// paragraphs.
const CODE_LINES_MAX: usize = 1_000;

/// How many lines from the start are code: indented by four or more, or full of what only code has. `indent` is that of the text
/// they belong to.
pub(super) fn length(lines: &[Line<'_>], indent: usize, layout: &Layout) -> usize {
    let example = if layout.is_info {
        example_length(lines, indent, layout)
    } else {
        0
    };
    if example > 0 {
        return example;
    }
    let mut length = 0;
    let mut count = 0;
    let mut code = 0;
    for (number, line) in lines.iter().take(CODE_LINES_MAX).enumerate() {
        if line.words.is_empty() {
            continue;
        }
        if line.indent < 4 {
            break;
        }
        length = number + 1;
        count += 1;
        code += usize::from(code_like::line(line.words));
    }
    // Indented prose (a quotation, a list's continuation) is not code.
    if count > 0 && code * 2 >= count {
        return length;
    }
    let group = lines
        .iter()
        .take(CODE_LINES_MAX)
        .take_while(|line| !line.words.is_empty())
        .count();
    let code = lines
        .iter()
        .take(group)
        .filter(|line| code_like::line(line.words))
        .count();
    if group >= 2 && code * 10 >= group * 7 {
        group
    } else {
        0
    }
}

/// How much further than the text around it GNU's info indents an example.
const EXAMPLE_INDENT: usize = 5;
/// GNU's info fills words up to this column at least.
const FILLED_COLUMNS: usize = 70;

/// How many lines from the start are an example in a file of info: it is indented, and its lines are not filled, so that their ends
/// mean something.
fn example_length(lines: &[Line<'_>], indent: usize, layout: &Layout) -> usize {
    let mut length = 0;
    let mut from = 0;
    while let Some(rest) = lines.get(from..).filter(|rest| !rest.is_empty()) {
        let group = rest
            .iter()
            .take_while(|line| !line.words.is_empty() && line.indent >= indent + EXAMPLE_INDENT)
            .count();
        let (stretch, behind) = rest.split_at(group);
        let runs_on = behind.first().is_some_and(|line| !line.words.is_empty());
        if runs_on || !is_unfilled(stretch, layout.margin) {
            break;
        }
        length = from + group;
        let gap = behind
            .iter()
            .take_while(|line| line.words.is_empty())
            .count();
        from = length + gap;
    }
    length
}

/// Whether a line ends before it had to: the next word would have stood on it. A line alone is, when it is no sentence.
fn is_unfilled(lines: &[Line<'_>], margin: usize) -> bool {
    let Some(first) = lines.first() else {
        return false;
    };
    if lists::marker(first.words).is_some() || first.words.starts_with('*') {
        return false;
    }
    if lines.len() == 1 {
        let is_sentence =
            first.words.ends_with(['.', '!', '?', ':']) && first.words.split(' ').count() >= 6;
        return !is_sentence;
    }
    lines.windows(2).any(|pair| {
        let [line, next] = pair else { return false };
        let word = next.words.split_whitespace().next().unwrap_or("");
        let width = |words: &str| words.chars().count();
        margin + line.indent + width(line.words) + 2 + width(word) <= FILLED_COLUMNS
    })
}

/// The code that `lines` are, to the letter, without what a printer or a program put between them.
pub(super) fn block(text: &str, lines: &[Line<'_>]) -> Option<Block> {
    let (first, last) = (lines.first()?, lines.last()?);
    let mut code: Vec<&str> = Vec::with_capacity(lines.len());
    let mut in_break = false;
    for line in lines {
        if !line.words.is_empty() {
            in_break = false;
            code.push(whole(text, line)?);
        } else if !line.range.is_empty() {
            // What was taken out had empty lines around it.
            in_break = true;
            let kept = code.iter().rposition(|line| !line.is_empty());
            code.truncate(kept.map_or(0, |at| at + 1));
        } else if !in_break {
            code.push("");
        }
    }
    let indent = code
        .iter()
        .filter(|line| !line.is_empty())
        .map(|line| line.len() - line.trim_start_matches([' ', '\t']).len())
        .min()
        .unwrap_or(0);
    let code: Vec<&str> = code
        .iter()
        .map(|line| line.get(indent..).unwrap_or(""))
        .collect();
    Some(Block {
        kind: BlockKind::Code {
            language: None,
            text: code.join("\n").trim_end().to_owned(),
        },
        span: Span::of(first.range.start..last.range.end),
    })
}

/// A line with the blanks around it.
fn whole<'t>(text: &'t str, line: &Line<'_>) -> Option<&'t str> {
    let rest = text.get(line.range.start - line.lead..)?;
    let line = rest.split('\n').next()?;
    Some(line.trim_end_matches('\r'))
}

#[cfg(test)]
mod tests {
    use crate::pipeline::extract::text::read;
    use crate::pipeline::markdown::write;

    #[test]
    fn code_that_goes_on_over_a_page_break_is_without_it() {
        let source = "1.  Introduction\n\n   It is sent in this form:\n\n       struct kiln {\n           int heat;\n\nAuthor                Standards Track                [Page 1]\n\u{c}\nRFC 9999                 Kilns                 May 2026\n\n           int wood;\n       };\n\n   Then come the words.\n";
        let markdown = write(&read(source.to_owned()).blocks);
        assert!(
            markdown.contains("```\nstruct kiln {\n    int heat;\n    int wood;\n};\n```\n"),
            "{markdown}"
        );
    }
}
