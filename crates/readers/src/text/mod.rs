//! Reads plain text: paragraphs, and the lists, headings and code that its layout makes evident. Raw text that is written
//! as Markdown is recognised by its own evidence.
//!
//! Spans are byte ranges of the text itself, so whatever is uncertain can be looked up.

mod front_page;
mod headings;
mod line;
mod lists;
mod programs;

use crate::builder::tidy;
use crate::code_like;
use crate::markup::{Markup, markdown};
use crate::text::headings::{Rulers, is_atx_heading};
use crate::text::line::{Line, lines_of};
use skillkiln_document::blocks::{About, Block, BlockKind, Document, Span};
use skillkiln_document::text::Inline;

/// Reads raw text, as the mark-up that it is evidently written in.
#[must_use]
pub fn read(text: String) -> Document {
    if let Some(markup) = Markup::of_text(&text) {
        markup.read(text)
    } else if is_markdown(&text) {
        markdown::read(text)
    } else {
        read_plain(text)
    }
}

/// Whether `text` is evidently written as Markdown: marks that plain text rarely has, weighed against its length.
#[must_use]
pub fn is_markdown(text: &str) -> bool {
    let mut evidence = 0usize;
    let mut support = 0usize;
    let mut fences = 0usize;
    let mut lines = 0usize;
    let mut indented = 0usize;
    for line in text.lines().take(2_000) {
        let trimmed = line.trim_start();
        if trimmed.is_empty() {
            continue;
        }
        lines += 1;
        let indent = line.len() - trimmed.len();
        if indent < 4 && (trimmed.starts_with("```") || trimmed.starts_with("~~~")) {
            fences += 1;
            continue;
        }
        // Inside a fence everything is code.
        if fences % 2 == 1 {
            continue;
        }
        // A ruler under a heading is no bold text.
        if trimmed.chars().all(|c| c == '*') {
            continue;
        }
        indented += usize::from(indent >= 4 && !code_like::line(trimmed));
        // A heading may be indented, but nobody does it: that is a comment in code.
        if indent == 0 && is_atx_heading(trimmed) {
            evidence += 2;
        }
        if is_table_ruler(trimmed) {
            evidence += 3;
        }
        if trimmed.contains("](") || trimmed.contains("**") {
            evidence += 2;
        }
        if has_code_span(trimmed) {
            evidence += 1;
        }
        // Quotes and bullets are as common in plain text: they only support what else there is.
        if indent < 4
            && ["> ", "- ", "* "]
                .iter()
                .any(|mark| trimmed.starts_with(mark))
        {
            support += 1;
        }
    }
    // Prose that is indented all through would be code in Markdown: it is text laid out for reading.
    if indented * 2 > lines {
        return false;
    }
    fences >= 2 || evidence >= 3 || (evidence > 0 && (evidence + support) * 8 >= lines)
}

/// Reads text that has no mark-up.
#[must_use]
pub fn read_plain(text: String) -> Document {
    let mut lines = lines_of(&text);
    let width = programs::width_of(&lines);
    clear_page_breaks(&mut lines, width);
    let rulers = Rulers::of(&lines);
    let mut blocks = Vec::new();
    let mut rest = lines.as_slice();
    let front = front_page::of(&lines);
    if let Some(front) = &front {
        blocks.push(headings::heading(1, &front.title, front.range.clone()));
        rest = rest.get(front.lines..).unwrap_or_default();
    }
    while let Some(first) = rest.first() {
        if first.words.is_empty() {
            rest = rest.get(1..).unwrap_or_default();
            continue;
        }
        if front.is_some() {
            let skipped = front_page::skipped(rest);
            if skipped > 0 {
                rest = rest.get(skipped..).unwrap_or_default();
                continue;
            }
            if front_page::is_heading(rest) && headings::evident(first, false).is_none() {
                blocks.push(headings::heading(2, first.words, first.range.clone()));
                rest = rest.get(1..).unwrap_or_default();
                continue;
            }
        }
        let (group, after) = rest.split_at(group_length(rest));
        // Code may hold empty lines: the stretch goes on while what follows is indented as well.
        let code_lines = match code_length(rest) {
            0 if lists::marker(first.words).is_none() => programs::length(rest, width),
            length => length,
        };
        if code_lines > 0 {
            let (code, after) = rest.split_at(code_lines);
            blocks.extend(code_block(&text, code));
            rest = after;
            continue;
        }
        read_group(&text, group, &rulers, &mut blocks);
        rest = after;
    }
    let mut blocks = lists::merge(blocks);
    headings::settle(&mut blocks);
    let title = crate::markup::lines::first_title(&blocks);
    let about = front.map_or_else(About::default, |front| About {
        author: front.author,
        date: front.date,
        ..About::default()
    });
    Document::of(title, about, text, blocks)
}

/// Takes out what printers put around a page break: the line with the page's number before it and the running head after
/// it, as documents of the internet's standards have them. Both are told from words by their place beside a form feed.
fn clear_page_breaks(lines: &mut Vec<Line<'_>>, width: usize) {
    let is_foot = |words: &str| {
        words.rsplit_once("[Page ").is_some_and(|(_, number)| {
            number.strip_suffix(']').is_some_and(|number| {
                number
                    .bytes()
                    .all(|b| b.is_ascii_digit() || matches!(b, b'i' | b'v' | b'x'))
            })
        })
    };
    let is_head = |words: &str| {
        let parts = words.split("  ").filter(|part| !part.trim().is_empty());
        words.contains("  ") && parts.count() == 3
    };
    let mut kept: Vec<Line<'_>> = Vec::with_capacity(lines.len());
    let mut after_foot = false;
    let mut after_break = false;
    for mut line in lines.drain(..) {
        if is_foot(line.words) {
            (after_foot, after_break) = (true, true);
            line.words = "";
        } else if line.words.is_empty() {
        } else if std::mem::take(&mut after_foot) && is_head(line.words) {
            // The running head is the first line of the page: three parts, far apart.
            line.words = "";
        } else if std::mem::take(&mut after_break)
            && let Some(last) = kept.iter().rposition(|line| !line.words.is_empty())
            && kept
                .get(last)
                .is_some_and(|last| goes_on(last, &line, width))
        {
            kept.truncate(last + 1);
        }
        kept.push(line);
    }
    *lines = kept;
}

/// Whether a page ends inside the paragraph that the next one begins with.
fn goes_on(last: &Line<'_>, first: &Line<'_>, width: usize) -> bool {
    first.words.starts_with(char::is_lowercase)
        && !last.words.ends_with(['.', ':', ';', '?', '!'])
        && first.indent <= last.indent
        && programs::is_forced(last, first, width)
}

/// Lines that are looked at to tell code from prose: a text of one indented stretch must not be read again for each of its
/// paragraphs.
const CODE_LINES_MAX: usize = 1_000;

/// How many lines from the start are code: indented by four or more, or full of what only code has.
fn code_length(lines: &[Line<'_>]) -> usize {
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

fn code_block(text: &str, lines: &[Line<'_>]) -> Option<Block> {
    let (first, last) = (lines.first()?, lines.last()?);
    let line_start = text
        .get(..first.range.start)?
        .rfind('\n')
        .map_or(0, |at| at + 1);
    let raw = text.get(line_start..last.range.end)?.replace('\r', "");
    let indent = raw
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.len() - line.trim_start_matches([' ', '\t']).len())
        .min()
        .unwrap_or(0);
    let code: Vec<&str> = raw
        .lines()
        .map(|line| line.get(indent..).unwrap_or(""))
        .collect();
    Some(Block {
        kind: BlockKind::Code {
            language: None,
            text: code.join("\n"),
        },
        span: Span::of(first.range.start..last.range.end),
    })
}

/// How many lines from the start belong together: up to an empty one; of a list, up to where its indentation ends.
fn group_length(lines: &[Line<'_>]) -> usize {
    let is_empty = |line: &Line<'_>| line.words.is_empty();
    let mut length = lines.iter().position(is_empty).unwrap_or(lines.len());
    let Some(first) = lines
        .first()
        .filter(|line| lists::marker(line.words).is_some())
    else {
        return length;
    };
    // A numbered line that stands alone is a section's heading; what follows it is not its item.
    if length == 1 && headings::evident(first, false).is_some() {
        return length;
    }
    while let Some(rest) = lines.get(length..).filter(|rest| !rest.is_empty()) {
        let gap = rest.iter().take_while(|line| is_empty(line)).count();
        let Some(next) = rest.get(gap).filter(|next| lists::goes_on(first, next)) else {
            break;
        };
        // A number may begin a section: it stands alone and is not indented.
        if next.indent == 0 && headings::evident(next, false).is_some() {
            break;
        }
        let more = rest.iter().skip(gap).position(is_empty);
        length += gap + more.unwrap_or(rest.len() - gap);
    }
    length
}

/// Lines that belong together: a heading, list items, a paragraph, in this order of preference.
fn read_group(text: &str, group: &[Line<'_>], rulers: &Rulers, out: &mut Vec<Block>) {
    let mut rest = group;
    while let Some(line) = rest.first() {
        if line.words.is_empty() {
            rest = rest.get(1..).unwrap_or_default();
            continue;
        }
        if let Some(level) = rulers.underlined(rest) {
            out.push(headings::heading(level, line.words, line.range.clone()));
            rest = rest.get(2..).unwrap_or_default();
            continue;
        }
        if group.len() == 1
            && let Some(level) = headings::evident(line, out.is_empty())
        {
            out.push(headings::heading(level, line.words, line.range.clone()));
            return;
        }
        if lists::marker(line.words).is_some() {
            let used = lists::list(text, rest, 0, out);
            rest = rest.get(used.max(1)..).unwrap_or_default();
            continue;
        }
        let used = rest
            .iter()
            .enumerate()
            .skip(1)
            .find(|(at, line)| {
                line.words.is_empty()
                    || lists::marker(line.words).is_some()
                    || rulers
                        .underlined(rest.get(*at..).unwrap_or_default())
                        .is_some()
            })
            .map_or(rest.len(), |(at, _)| at);
        let (lines, after) = rest.split_at(used);
        let words: Vec<&str> = lines.iter().map(|line| line.words).collect();
        let end = lines.last().map_or(line.range.end, |line| line.range.end);
        out.push(Block {
            kind: BlockKind::Paragraph(tidy(vec![Inline::Text(words.join(" "))])),
            span: Span::of(line.range.start..end),
        });
        rest = after;
    }
}

fn is_table_ruler(line: &str) -> bool {
    line.contains('|')
        && line.contains("--")
        && line
            .chars()
            .all(|c| matches!(c, '|' | '-' | ':' | ' ' | '\t'))
}

fn has_code_span(line: &str) -> bool {
    line.split('`').count() >= 3
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::markdown::write;

    #[test]
    fn page_breaks_of_standards_are_no_text() {
        let page = "\nAuthor                Standards Track                [Page 1]\n\u{c}\nRFC 9999                 Kilns                 May 2026\n\n";
        let source = format!(
            "1.  Introduction\n\n   Words of the\n   first page.\n{page}   Words that are told until the line has no more room are followed\n{page}   by others.\n"
        );
        assert_eq!(
            write(&read(source).blocks),
            "## 1. Introduction\n\nWords of the first page.\n\nWords that are told until the line has no more room are followed by others.\n"
        );
    }

    #[test]
    fn the_front_page_of_a_standard_is_its_title_and_who_wrote_it() {
        let text = "Network Working Group                                         C. Crane\nRequest for Comments: 8123                                      Pond Ltd\nCategory: Informational                                   D. Egret, Ed.\n                                                              March 1999\n\n\n                     The Ripple\n                   Transport Format\n\nAbstract\n\n   Ripples carry words.\n\nStatus of this Memo\n\n   It specifies no standard.\n\nCopyright Notice\n\n   All rights are kept.\n\nTable of Contents\n\n   1.  Words . . . . . . . . . . 2\n\n1.  Words\n\n   A word MUST be short.\n\nAuthors' Addresses\n\n   At the pond.\n";
        let document = read_plain(text.to_owned());
        assert_eq!(
            write(&document.blocks),
            "# The Ripple Transport Format (RFC 8123)\n\n## Abstract\n\nRipples carry words.\n\n## 1. Words\n\nA word MUST be short.\n\n## Authors' Addresses\n\nAt the pond.\n"
        );
        assert_eq!(
            document.about.author.as_deref(),
            Some("C. Crane, D. Egret, Ed.")
        );
        assert_eq!(document.about.date.as_deref(), Some("March 1999"));
    }

    #[test]
    fn sections_stand_under_the_title_whatever_marks_them() {
        for source in [
            "Kilns\n*****\n\nOf heat.\n\n1. Fire\n*******\n\n1.1. Wood\n=========\n\nDry.\n\n1.1.1. Oak\n----------\n\nHard.\n",
            "Kilns\n\nOf heat.\n\n1. Fire\n\n1.1. Wood\n\n    Dry.\n\n1.1.1. Oak\n\n    Hard.\n",
        ] {
            let document = read(source.to_owned());
            assert_eq!(document.title.as_deref(), Some("Kilns"), "{source}");
            assert_eq!(
                write(&document.blocks),
                "# Kilns\n\nOf heat.\n\n## 1. Fire\n\n### 1.1. Wood\n\nDry.\n\n#### 1.1.1. Oak\n\nHard.\n",
                "{source}"
            );
        }
    }

    #[test]
    fn lists_in_lists_and_their_paragraphs_keep_their_depth() {
        let source = "Before.\n\n  * one\n    goes on\n\n    A second paragraph.\n\n      + inner\n\n          1. deep\n\n  * two\n\nAfter.\n";
        assert_eq!(
            write(&read_plain(source.to_owned()).blocks),
            "Before.\n\n- one goes on\n\n  A second paragraph.\n\n  - inner\n    1. deep\n\n- two\n\nAfter.\n"
        );
    }
}
