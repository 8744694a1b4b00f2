//! Owns the caption formats that are written as marked-up text: the provider's XML of two ages, and WebVTT.
//!
//! One forward scan each; a broken end is the end of the captions.

use crate::providers::video::Segment;
use crate::providers::video::captions::{at_pauses, plausible};

/// Reads srv3 (`<timedtext>`: `p` with `t` and `d` in milliseconds) and srv1 (`<transcript>`: `text` with `start` and `dur` in
/// seconds). `None` when it is neither.
pub(super) fn timed_text(xml: &str) -> Option<Vec<Segment>> {
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
        let mut text = unescape(&without_tags(content));
        if old {
            text = unescape(&without_tags(&text));
        }
        let end_s = start_s + time(length).and_then(plausible).unwrap_or(0.0);
        if !old && content.contains("<s ") {
            cues.extend(at_pauses(start_s, end_s, words(content)));
            continue;
        }
        cues.push(Segment {
            start_s,
            end_s,
            text,
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

/// Reads WebVTT, and SubRip's commas in times with it. A machine's captions repeat the previous line above each new one: a line
/// that was just said is not said again.
pub(super) fn vtt(text: &str) -> Vec<Segment> {
    let mut cues = Vec::new();
    let mut previous = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some((start, end)) = line.split_once("-->") else {
            continue;
        };
        let end = end.split_whitespace().next().unwrap_or_default();
        let (Some(start_s), Some(end_s)) = (clock(start.trim()), clock(end)) else {
            continue;
        };
        let mut said: Vec<String> = Vec::new();
        // A line of one blank is content of a machine's cue; only an empty line ends it.
        for line in lines.by_ref().take_while(|line| !line.is_empty()) {
            let plain = unescape(&without_tags(line));
            let plain = plain.trim();
            if !plain.is_empty() && plain != previous {
                previous = plain.to_owned();
                said.push(previous.clone());
            }
        }
        cues.push(Segment {
            start_s,
            end_s,
            text: said.join(" "),
        });
    }
    cues
}

/// `1:02:03.456` or `02:03.456` in seconds.
fn clock(text: &str) -> Option<f64> {
    let mut seconds = 0.0;
    for part in text.split(':') {
        let value: f64 = part.replace(',', ".").parse().ok()?;
        seconds = seconds * 60.0 + value;
    }
    (text.contains(':')).then(|| plausible(seconds)).flatten()
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

/// Resolves character references once.
fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        plain.push_str(before);
        // The longest name we know is short; a far-away semicolon is not ours.
        let reference = after
            .char_indices()
            .take(10)
            .find(|(_, c)| *c == ';')
            .and_then(|(end, _)| Some((character(after.get(..end)?)?, after.get(end + 1..)?)));
        if let Some((c, next)) = reference {
            plain.push(c);
            rest = next;
        } else {
            plain.push('&');
            rest = after;
        }
    }
    plain.push_str(rest);
    plain
}

fn character(name: &str) -> Option<char> {
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => ' ',
        "lrm" | "rlm" => '\u{200e}',
        number => {
            let number = number.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)?
        }
    })
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
    fn character_references_are_resolved_once_and_unknown_ones_stay() {
        assert_eq!(
            unescape("a &amp;lt; &#39;b&#x27; &unknown; & &;"),
            "a &lt; 'b' &unknown; & &;"
        );
        assert_eq!(unescape("&#xffffffff; &#55296;"), "&#xffffffff; &#55296;");
    }

    #[test]
    fn times_are_read_with_and_without_hours() {
        assert_eq!(clock("01:02:03.500"), Some(3_723.5));
        assert_eq!(clock("02:03,5"), Some(123.5));
        for wrong in ["", "3", "a:b", "-1:00", "nan:1", "inf:1"] {
            assert_eq!(clock(wrong), None, "{wrong}");
        }
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
            let _ = timed_text(&text);
            let _ = vtt(&format!("WEBVTT\n\n00:00.000 --> 00:01.000\n{text}"));
            let _ = vtt(&format!(
                "WEBVTT\n{}",
                "00:00.000 --> 00:01.000\n".repeat(size / 24)
            ));
        }
    }
}
