//! Owns what a reader sees of a Markdown file: its text without mark-up and front matter, whose words are counted.

use crate::text;
use crate::work::{BYTES_A_STEP, step};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// The dialect that is read and written everywhere: CommonMark with GitHub's tables, task lists, footnotes, strikethrough
/// and alerts, and formulas between dollar signs.
#[must_use]
pub fn dialect() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_GFM
        | Options::ENABLE_MATH
}

/// Where the front matter of an Internet-Draft ends: its abstract stands behind it (kramdown-rfc).
pub const ABSTRACT: &str = "--- abstract";

/// Splits `markdown` into its front matter (the lines between `---` and `---`, without them) and the rest.
#[must_use]
pub fn split_front_matter(markdown: &str) -> (Option<&str>, &str) {
    let text = markdown.strip_prefix('\u{feff}').unwrap_or(markdown);
    let Some(rest) = text.strip_prefix("---").and_then(|rest| {
        rest.trim_start_matches([' ', '\t', '\r'])
            .strip_prefix('\n')
    }) else {
        return (None, text);
    };
    let mut position = 0;
    for line in rest.split_inclusive('\n') {
        if matches!(line.trim_end(), "---" | "...") {
            return (
                rest.get(..position),
                rest.get(position + line.len()..).unwrap_or(""),
            );
        }
        if line.trim_end() == ABSTRACT {
            return rest
                .split_at_checked(position)
                .map_or((None, text), |(front, rest)| (Some(front), rest));
        }
        position += line.len();
    }
    (None, text)
}

/// The box of a task as Markdown writes it, which readers see before its words.
pub fn task_box(is_done: bool) -> &'static str {
    match is_done {
        true => "[x] ",
        false => "[ ] ",
    }
}

/// The text that `markdown` shows when it is rendered, without its front matter: one line a block, tabs between cells.
#[must_use]
pub fn rendered_text(markdown: &str) -> String {
    let (_, body) = split_front_matter(markdown);
    let mut out = String::with_capacity(body.len());
    let mut html = String::new();
    step(body.len() / BYTES_A_STEP);
    for event in Parser::new_ext(body, dialect()) {
        step(1);
        match event {
            Event::Text(words)
            | Event::Code(words)
            | Event::InlineMath(words)
            | Event::DisplayMath(words) => out.push_str(&words),
            Event::Html(part) => html.push_str(&part),
            Event::InlineHtml(tag) => {
                if is_break(&tag) {
                    out.push('\n');
                }
            }
            Event::SoftBreak | Event::HardBreak | Event::Rule => out.push('\n'),
            Event::TaskListMarker(done) => out.push_str(task_box(done)),
            Event::FootnoteReference(_) => {}
            Event::Start(Tag::HtmlBlock) => html.clear(),
            Event::End(TagEnd::HtmlBlock) => {
                write_text_of_html(&html, &mut out);
                end_line(&mut out);
            }
            Event::End(TagEnd::TableCell) => out.push('\t'),
            Event::End(
                TagEnd::Paragraph
                | TagEnd::Heading(_)
                | TagEnd::CodeBlock
                | TagEnd::Item
                | TagEnd::TableHead
                | TagEnd::TableRow
                | TagEnd::BlockQuote(_)
                | TagEnd::FootnoteDefinition,
            ) => end_line(&mut out),
            Event::Start(_) | Event::End(_) => {}
        }
    }
    out
}

/// The number of words of the rendered text without front matter (decision 16).
#[must_use]
pub fn word_count(markdown: &str) -> usize {
    text::word_count(&rendered_text(markdown))
}

fn end_line(out: &mut String) {
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
}

/// Whether an inline tag is a line break.
pub fn is_break(tag: &str) -> bool {
    tag.get(..3)
        .is_some_and(|name| name.eq_ignore_ascii_case("<br"))
        && !tag.as_bytes().get(3).is_some_and(u8::is_ascii_alphanumeric)
}

/// Appends what an HTML fragment shows: its text without tags, comments, scripts and styles. One pass, no tree.
pub fn write_text_of_html(html: &str, out: &mut String) {
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        write_decoded(rest.get(..start).unwrap_or(""), out);
        let tag = rest.get(start..).unwrap_or("");
        let end = if tag.starts_with("<!--") {
            tag.find("-->").map(|end| end + 3)
        } else if let Some(close) = skipped_element(tag) {
            Some(close)
        } else if tag
            .as_bytes()
            .get(1)
            .is_some_and(|b| b.is_ascii_alphabetic() || matches!(b, b'/' | b'!' | b'?'))
        {
            if is_break(tag) {
                out.push('\n');
            }
            tag.find('>').map(|end| end + 1)
        } else {
            out.push('<');
            Some(1)
        };
        rest = end.and_then(|end| tag.get(end..)).unwrap_or("");
    }
    write_decoded(rest, out);
}

/// The length of a `script` or `style` element at the start of `tag`.
fn skipped_element(tag: &str) -> Option<usize> {
    ["script", "style"].iter().find_map(|name| {
        let opened = tag.get(1..=name.len())?;
        if !opened.eq_ignore_ascii_case(name)
            || tag
                .as_bytes()
                .get(name.len() + 1)
                .is_some_and(u8::is_ascii_alphanumeric)
        {
            return None;
        }
        let close = find_closing(tag, name).unwrap_or(tag.len());
        let end = tag
            .get(close..)
            .and_then(|rest| rest.find('>'))
            .map_or(tag.len(), |end| close + end + 1);
        Some(end)
    })
}

/// Where `</name` starts in `html`, in any case of letters.
fn find_closing(html: &str, name: &str) -> Option<usize> {
    html.match_indices("</").map(|(at, _)| at).find(|at| {
        html.get(at + 2..at + 2 + name.len())
            .is_some_and(|found| found.eq_ignore_ascii_case(name))
    })
}

/// Appends `text` with the character references that are common in running text resolved.
fn write_decoded(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(start) = rest.find('&') {
        out.push_str(rest.get(..start).unwrap_or(""));
        let entity = rest.get(start..).unwrap_or("");
        let end = entity
            .char_indices()
            .take(12)
            .find(|(_, c)| *c == ';')
            .map(|(end, _)| end);
        let decoded = end
            .and_then(|end| entity.get(1..end))
            .and_then(decode_entity);
        match (decoded, end) {
            (Some(character), Some(end)) => {
                out.push(character);
                rest = entity.get(end + 1..).unwrap_or("");
            }
            _ => {
                out.push('&');
                rest = entity.get(1..).unwrap_or("");
            }
        }
    }
    out.push_str(rest);
}

fn decode_entity(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16).ok()?,
            None => number.parse().ok()?,
        };
        return char::from_u32(code).filter(|c| !c.is_control());
    }
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => ' ',
        "ndash" => '–',
        "mdash" => '—',
        "hellip" => '…',
        "copy" => '©',
        "larr" => '←',
        "rarr" => '→',
        "rsquo" => '’',
        "lsquo" => '‘',
        "rdquo" => '”',
        "ldquo" => '“',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_and_mark_up_are_not_words() {
        let markdown = "---\nname: x\n---\n\n# One *two*\n\n- three [four](https://five.example)\n\n| a | b |\n|---|---|\n| c | d |\n";
        assert_eq!(word_count(markdown), 8);
        assert_eq!(
            rendered_text(markdown),
            "One two\nthree four\na\tb\t\nc\td\t\n"
        );
    }

    #[test]
    fn html_counts_by_what_it_shows() {
        let markdown =
            "<div>\n<!-- hidden words -->\n<style>p { x }</style>\nfive &amp; <b>six</b>\n</div>\n";
        assert_eq!(word_count(markdown), 2);
    }

    #[test]
    fn a_rule_at_the_start_is_no_front_matter() {
        assert_eq!(split_front_matter("---\n\nwords\n").0, None);
        assert_eq!(split_front_matter("--- a\n---\n").0, None);
        assert_eq!(
            split_front_matter("---\na: 1\n---\nb"),
            (Some("a: 1\n"), "b")
        );
    }
}
