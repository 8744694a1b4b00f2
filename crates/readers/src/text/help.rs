//! Reads what the help files of Vim have beside plain text: rulers over their sections, and marks between stars that name what stands
//! there, beside the words of a heading or over what they tell of.

use super::code::CODE_LINES_MAX;
use super::headings::{self, heading, level_of_number};
use super::{DEFINED_DEPTH_MAX, Layout, Line, hanging, lists, running, shapes};
use crate::builder::tidy;
use skillkiln_document::blocks::{Block, BlockKind, Definition, Span};
use skillkiln_document::text::{Inline, plain};
use std::borrow::Cow;

/// What stands beside a line that is shown has no more words.
const SHOWN_WORDS_MAX: usize = 8;
/// A name that is set in is not longer, in words.
const NAME_WORDS_MAX: usize = 2;
/// Where what goes on behind code is indented, whose mark stands at the margin: as far as a tab.
const CODE_INDENT: usize = 4;
/// A heading is not longer, in characters.
const TITLE_CHARS_MAX: usize = 78;

/// Whether `text` is a help file: it begins with its own name between stars.
pub(crate) fn is_help(text: &str) -> bool {
    let mut words = text.split_whitespace();
    words
        .next()
        .and_then(mark)
        .is_some_and(|name| name.ends_with(".txt"))
}

/// Takes out the marks around code, and those behind what is shown to the letter, and notes which lines they mark.
pub(super) fn clear(lines: &mut [Line<'_>]) {
    let mut is_code = false;
    // How many columns the table has that is being read.
    let mut table = 0;
    let mut is_parted = false;
    let mut shown = Vec::new();
    for (at, line) in lines.iter_mut().enumerate() {
        if line.words.is_empty() {
            is_parted = true;
            continue;
        }
        let is_parted = std::mem::take(&mut is_parted);
        if is_code && line.indent == 0 {
            is_code = false;
            let behind = line.words.strip_prefix('<');
            let behind = behind.filter(|words| words.is_empty() || words.starts_with([' ', '\t']));
            if let Some(words) = behind {
                line.words = words.trim_start();
                line.range.start = line.range.end - line.words.len();
                line.lead = 0;
                line.indent = CODE_INDENT;
            }
        }
        let leads = line.words == ">" || line.words.ends_with(" >");
        let is_shown = line.words.ends_with(" ~");
        // A label among the names of columns ends as it does elsewhere.
        let columns =
            columns_of(line.words).max(1 + usize::from(is_shown && line.words.contains('\t')));
        // What stands alone at the margin is a heading.
        if leads || is_shown && (line.indent > 0 || columns > 1) {
            line.words = line.words.trim_end_matches(['>', '~']).trim_end();
            line.range.end = line.range.start + line.words.len();
        }
        if leads {
            (is_code, table) = (true, 0);
        } else if is_shown {
            line.is_marked = line.indent > 0 || columns > 1;
            table = columns;
            shown.push(at);
        } else if is_code {
            line.is_marked = true;
        } else {
            // An empty line ends a table of two columns.
            line.is_marked = table > 1 && (!is_parted || columns > 2);
            table = if line.is_marked { table } else { 0 };
        }
    }
    shown.into_iter().for_each(|at| mark_around(lines, at));
    join_marked(lines);
}
/// Marks what stands right above and below a line that is shown, set in as it is: a screen is not always marked as a whole.
fn mark_around(lines: &mut [Line<'_>], at: usize) {
    let is_beside = |line: &Line<'_>| {
        line.indent > 0
            && !line.words.is_empty()
            && !line.words.ends_with(['.', ':', ','])
            && line.words.split_whitespace().count() <= SHOWN_WORDS_MAX
    };
    let (above, below) = lines.split_at_mut(at);
    let Some((line, below)) = below.split_first_mut() else {
        return;
    };
    if line.indent == 0 {
        return;
    }
    let above = above.iter_mut().rev().take_while(|line| is_beside(line));
    let below = below.iter_mut().take_while(|line| is_beside(line));
    above.chain(below).for_each(|line| line.is_marked = true);
}

/// Marks the empty lines between those that are marked.
fn join_marked(lines: &mut [Line<'_>]) {
    // The first empty line below one that is marked.
    let mut gap = None;
    let mut is_below = false;
    for at in 0..lines.len() {
        let Some(line) = lines.get(at) else { return };
        if line.words.is_empty() {
            gap = gap.or(Some(at).filter(|_| is_below));
            continue;
        }
        is_below = line.is_marked;
        if let Some(gap) = gap.take().filter(|_| is_below) {
            let gap = lines.iter_mut().take(at).skip(gap);
            gap.for_each(|line| line.is_marked = true);
        }
    }
}

/// How many columns a line has.
fn columns_of(words: &str) -> usize {
    let rest = std::iter::successors(Some(words), |words| shapes::columns(words).map(|it| it.1));
    rest.count()
}

/// Reads what is told of a name that `lines` begin with, beside it and set in below it; gives how many lines it takes. A name that
/// the heading above says already is not said again.
pub(super) fn entry(
    text: &str,
    lines: &[Line<'_>],
    layout: &Layout,
    depth: usize,
    out: &mut Vec<Block>,
) -> Option<usize> {
    let first = lines
        .first()
        .filter(|_| layout.is_help && depth < DEFINED_DEPTH_MAX)?;
    let (term, told) = shapes::columns(first.words)?;
    let is_parted = first
        .words
        .get(term.len()..)?
        .trim_start_matches(' ')
        .starts_with('\t');
    let begins_marked = |words: &str| words.split_whitespace().next().and_then(mark).is_some();
    if lists::marker(term).is_some() || begins_marked(term) || begins_marked(told) {
        return None;
    }
    let is_named = out.last().is_some_and(|block| match &block.kind {
        BlockKind::Heading { text, .. } => {
            let names = plain(text);
            let mut words = term.split_whitespace();
            words.all(|word| names.split(", ").any(|name| name == word))
        }
        _ => false,
    });
    let length = told_length(lines.get(1..)?, first.indent);
    let next = lines.get(1).filter(|_| length > 0);
    let is_table = shapes::columns(told).is_some()
        || next.is_some_and(|line| !line.is_marked && columns_of(line.words) > 1);
    // Of lines that are set in, those below each other are read by their shape.
    let is_alone = first.indent == 0
        || term.split(' ').count() <= NAME_WORDS_MAX
            && lines
                .get(1)
                .is_none_or(|line| line.words.is_empty() || line.indent > first.indent);
    if is_table && !is_named || next.is_none() && !is_parted || !is_alone {
        return None;
    }
    let indent = next.map_or(0, |line| line.indent);
    let mut body = vec![Line {
        range: first.range.end - told.len()..first.range.end,
        lead: 0,
        indent,
        words: told,
        is_marked: false,
    }];
    body.extend(lines.get(1..1 + length)?.iter().cloned());
    // The kind and the default of an option stand beside it, and what it does below.
    let mut blocks = Vec::new();
    if is_table && let Some(kind) = body.first().filter(|_| body.len() > 1) {
        blocks.push(Block {
            kind: BlockKind::Paragraph(running(kind.words, layout)),
            span: Span::of(kind.range.clone()),
        });
        body.remove(0);
    }
    blocks.extend(hanging::body(text, &body, indent, layout, depth));
    let end = blocks.last()?.span.bytes.end;
    if is_named {
        out.extend(blocks);
    } else {
        out.push(Block {
            kind: BlockKind::Definitions(vec![Definition {
                terms: vec![tidy(vec![Inline::Text(term.to_owned())])],
                blocks,
            }]),
            span: Span::of(first.range.start..end),
        });
    }
    Some(1 + length)
}

/// How many lines from the start are set in by more than `indent`, up to the names of what comes next.
fn told_length(lines: &[Line<'_>], indent: usize) -> usize {
    let mut length = 0;
    for (at, line) in lines.iter().take(CODE_LINES_MAX).enumerate() {
        if line.words.is_empty() && at > 0 {
            continue;
        }
        if line.indent <= indent || line.words.is_empty() || is_mark(line.words) {
            break;
        }
        length = at + 1;
    }
    length
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
            matches!(pair, [line, next] if next.indent > line.indent && line.words.ends_with(':'))
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
    if let Some(name) = first.words.strip_suffix(" ~").filter(|_| first.indent == 0) {
        return Some((1, heading(4, name, first.range.clone())));
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

/// Whether a line has nothing but names between stars.
pub(super) fn is_mark(words: &str) -> bool {
    let (name, marks) = parted(words);
    name.is_empty() && !marks.is_empty()
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
    use crate::text::read;
    use skillkiln_document::markdown::write;

    #[test]
    fn rulers_and_marks_between_stars_head_what_a_help_file_says() {
        let source = "*kiln.txt*\tFor Kiln version 9.\n\n1. Heat of it\t|heat|\n2. Wood\t|wood|\n\n==============================================================================\n1. Heat of it\t\t\t\t*heat*\n\nIt is hot.\n\nHow to look\t\t\t*look* *see*\n\nWith one eye.\n\n\t\t\t\t*'hot'* *'h'*\n'hot' 'h'\tnumber\t(default 900)\n\t\tHow hot it is, and\n\t\tfor how long.\n\nkiln({heat})\t\t\t*kiln()*\n\t\tLights it.\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "\\*kiln.txt* For Kiln version 9.\n\n1. Heat of it |heat|\n2. Wood |wood|\n\n## 1. Heat of it\n\nIt is hot.\n\n### How to look\n\nWith one eye.\n\n#### 'hot', 'h'\n\nnumber (default 900)\n\nHow hot it is, and for how long.\n\n#### kiln({heat})\n\nLights it.\n"
        );
    }

    #[test]
    fn what_the_marks_of_a_help_file_enclose_is_shown_to_the_letter() {
        let source = "*kiln.txt*\tFor Kiln.\n\nLight it by day: >\n\t:kiln on\n\n\t:kiln heat 900\nIt burns.  Look: >\n\t:kiln look\n<\twith one eye.\n\nMore of it: ~\n\nHeat\tmatches ~\n900\t\"hot\"\n700\t\"warm\"\n\nIt says\n  the kiln is hot ~\n\txxx\tnow\nand is right.\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "\\*kiln.txt* For Kiln.\n\nLight it by day:\n\n```\n:kiln on\n\n:kiln heat 900\n```\n\nIt burns. Look:\n\n```\n:kiln look\n```\n\nwith one eye.\n\n#### More of it\n\n```\nHeat\tmatches\n900\t\"hot\"\n700\t\"warm\"\n```\n\nIt says\n\n```\nthe kiln is hot\n      xxx\tnow\n```\n\nand is right.\n"
        );
    }

    #[test]
    fn a_name_that_its_heading_says_is_not_said_again_and_others_are_terms() {
        let source = "*kiln.txt*\tFor Kiln.\n\n\t\t\t*KilnLit*\nKilnLit\t\tAfter lighting it using\n\t\t\tthe |:kiln| command.\n\n:kiln look\tLooks at it.\n:kiln off\n\n1. A kiln is hot.\n\n\t\t\t*clay*\n2. Clay is wet.\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "\\*kiln.txt* For Kiln.\n\n#### KilnLit\n\nAfter lighting it using the |:kiln| command.\n\n- **:kiln look**: Looks at it.\n\n:kiln off\n\n1. A kiln is hot.\n\n#### clay\n\n2. Clay is wet.\n"
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
