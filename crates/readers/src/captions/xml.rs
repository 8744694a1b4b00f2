//! Owns captions that are written as XML: the provider's, of two ages.
//!
//! One forward scan; a broken end is the end of the captions.

use super::tags::{self, unescape};
use super::{Cue, Line, plausible};

/// Reads srv3 (`<timedtext>`: `p` with `t` and `d` in milliseconds) and srv1 (`<transcript>`: `text` with `start` and `dur` in
/// seconds). `None` when it is none of them.
pub(super) fn read(xml: &str) -> Option<Vec<Cue>> {
    let old = match (xml.find("<timedtext"), xml.find("<transcript")) {
        (Some(_), _) => false,
        (None, Some(_)) => true,
        (None, None) => return None,
    };
    let (name, start, length, unit) = if old {
        ("text", "start", "dur", 1.0)
    } else {
        ("p", "t", "d", 1_000.0)
    };
    let close = format!("</{name}>");
    let mut cues = Vec::new();
    let mut rest = xml;
    while let Some((tag, after)) = next_tag(rest) {
        rest = after;
        if tag_name(tag) != name || tag.ends_with('/') {
            continue;
        }
        let Some(end) = rest.find(&close) else { break };
        let (content, after) = rest.split_at(end);
        rest = after;
        let time = |key| Some(attribute(tag, key)?.parse::<f64>().ok()? / unit);
        let Some(start_s) = time(start).and_then(plausible) else {
            continue;
        };
        if attribute(tag, "a").is_some_and(|append| append != "0") {
            continue;
        }
        let mut lines = Vec::new();
        if !old && content.contains("<s ") {
            lines.push(Line {
                voice: None,
                words: words(content),
            });
        } else {
            let text = unescape(&without_tags(content));
            // The older ones are escaped twice, so what is markup in captions comes to light only now.
            lines.extend(text.split('\n').flat_map(|line| match old {
                true => tags::lines(line, start_s),
                false => vec![Line::plain(line.to_owned())],
            }));
        }
        cues.push(Cue {
            start_s,
            end_s: start_s + time(length).and_then(plausible).unwrap_or(0.0),
            lines,
        });
    }
    Some(cues)
}

/// The words of an srv3 caption, each an `s` element with its offset in milliseconds.
fn words(content: &str) -> Vec<(Option<f64>, String)> {
    let mut words = Vec::new();
    let mut rest = content;
    while let Some((tag, after)) = next_tag(rest) {
        rest = after;
        if tag_name(tag) != "s" {
            continue;
        }
        let (inside, after) = rest.split_once("</s>").unwrap_or((rest, ""));
        rest = after;
        let offset = attribute(tag, "t").and_then(|ms| ms.parse::<f64>().ok());
        let offset = offset.and_then(|ms| plausible(ms / 1_000.0));
        words.push((offset, unescape(&without_tags(inside))));
    }
    words
}

/// The inside of the next tag, and what follows it.
fn next_tag(text: &str) -> Option<(&str, &str)> {
    let (_, after) = text.split_once('<')?;
    after.split_once('>')
}

fn tag_name(tag: &str) -> &str {
    tag.split(|c: char| c.is_whitespace() || c == '/')
        .next()
        .unwrap_or_default()
}

/// The value of an attribute of a tag whose inside is given.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = tag;
    while let Some((before, after)) = rest.split_once('=') {
        let key = before.split_whitespace().next_back().unwrap_or_default();
        let after = after.trim_start();
        let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (value, next) = after.get(1..)?.split_once(quote)?;
        if key == name {
            return Some(value);
        }
        rest = next;
    }
    None
}

/// The text outside of tags. A line break becomes a blank; an opening bracket that never closes is text.
fn without_tags(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        plain.push_str(before);
        let Some((tag, next)) = after.split_once('>') else {
            plain.push('<');
            plain.push_str(after);
            return plain;
        };
        if tag_name(tag).eq_ignore_ascii_case("br") {
            plain.push(' ');
        }
        rest = next;
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_found_in_any_order_and_quoting() {
        let tag = "p d='20' t=\"10\" wp=\"t=99\"";
        assert_eq!(attribute(tag, "t"), Some("10"));
        assert_eq!(attribute(tag, "d"), Some("20"));
        assert_eq!(attribute(tag, "x"), None);
        assert_eq!(attribute("p t=10", "t"), None);
    }

    #[test]
    fn hostile_text_is_read_in_one_pass() {
        let size = 200_000;
        for text in [
            "<".repeat(size),
            "&".repeat(size),
            format!("<timedtext>{}", "<p t=\"1\">".repeat(size / 10)),
            format!("<timedtext><p t=\"1\">{}</p>", "<".repeat(size)),
            format!("<timedtext><p {}>x</p>", "a=\"b\" ".repeat(size / 6)),
        ] {
            let _ = read(&text);
        }
    }
}
