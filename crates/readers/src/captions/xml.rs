//! Owns captions that are written as XML: the provider's, of two ages, and TTML.
//!
//! One forward scan; a broken end is the end of the captions.

use super::tags::{self, clock, unescape};
use super::{Cue, Line, plausible};

/// Reads srv3 (`<timedtext>`: `p` with `t` and `d` in milliseconds) and srv1 (`<transcript>`: `text` with `start` and `dur` in
/// seconds), and TTML. `None` when it is none of them.
pub(super) fn read(xml: &str) -> Option<Vec<Cue>> {
    if let Some(cues) = ttml(xml) {
        return Some(cues);
    }
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

/// Reads TTML: paragraphs with `begin`, and `end` or `dur`, whatever prefix its names have. `None` when it is something else.
fn ttml(xml: &str) -> Option<Vec<Cue>> {
    let mut rest = xml;
    // The root stands below the declaration and remarks.
    let root = std::iter::from_fn(|| {
        let (tag, after) = next_tag(rest)?;
        rest = after;
        Some(tag)
    })
    .find(|tag| !tag.starts_with(['?', '!']))?;
    if local_name(root) != "tt" {
        return None;
    }
    let rate = |name: &str, usual: f64| {
        let told = root.split_whitespace().find_map(|part| {
            let (key, value) = part.split_once('=')?;
            key.ends_with(name)
                .then(|| value.trim_matches(['"', '\'', '>', '/']).parse().ok())?
        });
        told.filter(|rate| *rate > 0.0).unwrap_or(usual)
    };
    let rates = (rate("frameRate", 30.0), rate("tickRate", 10_000_000.0));
    let mut cues = Vec::new();
    while let Some((tag, after)) = next_tag(rest) {
        rest = after;
        if local_name(tag) != "p" || tag.ends_with('/') {
            continue;
        }
        let close = format!("</{}>", tag_name(tag));
        let Some((content, after)) = rest.split_once(close.as_str()) else {
            break;
        };
        rest = after;
        let time = |name| moment(attribute(tag, name)?, rates);
        let Some(start_s) = time("begin") else {
            continue;
        };
        let end_s = time("end").or_else(|| Some(start_s + time("dur")?));
        cues.push(Cue {
            start_s,
            end_s: end_s.unwrap_or(start_s).max(start_s),
            lines: vec![Line::plain(unescape(&without_tags(content)))],
        });
    }
    Some(cues)
}

/// A time of TTML in seconds: `00:00:01.500`, `00:00:01:12` with frames, `1.5s`, `15000000t`.
fn moment(text: &str, (frames, ticks): (f64, f64)) -> Option<f64> {
    let text = text.trim();
    if text.matches(':').count() == 3 {
        let (time, frame) = text.rsplit_once(':')?;
        return plausible(clock(time)? + frame.parse::<f64>().ok()? / frames);
    }
    if text.contains(':') {
        return clock(text);
    }
    let (number, unit) = text.split_at_checked(text.find(|c: char| c.is_ascii_alphabetic())?)?;
    let unit_s = match unit {
        "h" => 3_600.0,
        "m" => 60.0,
        "s" => 1.0,
        "ms" => 0.001,
        "f" => 1.0 / frames,
        "t" => 1.0 / ticks,
        _ => return None,
    };
    plausible(number.parse::<f64>().ok()? * unit_s)
}

/// The name of a tag without its prefix.
fn local_name(tag: &str) -> &str {
    let name = tag_name(tag);
    name.split_once(':').map_or(name, |(_, name)| name)
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
        if local_name(tag).eq_ignore_ascii_case("br") {
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
    fn paragraphs_of_ttml_are_captions_whatever_their_prefix_and_their_clock() {
        for (root, begin, end) in [
            (
                "tt xmlns=\"http://www.w3.org/ns/ttml\"",
                "00:00:01.500",
                "00:00:03.000",
            ),
            ("tt ttp:frameRate=\"24\"", "00:00:01:12", "00:00:03:00"),
            ("tt", "1500ms", "3s"),
            ("tt ttp:tickRate=\"1000\"", "1500t", "3000t"),
        ] {
            for prefix in ["", "tt:"] {
                let text = format!(
                    "<?xml version=\"1.0\"?>\n<{prefix}{root}>\n<{prefix}body><{prefix}div><{prefix}p begin=\"{begin}\" end=\"{end}\"><{prefix}span>i &lt; n</{prefix}span><{prefix}br/>\n wet clay</{prefix}p></{prefix}div></{prefix}body></{prefix}tt>"
                );
                let read = super::super::of_file(&text).unwrap();
                let told: Vec<(f64, f64, &str)> = read
                    .iter()
                    .map(|it| (it.start_s, it.end_s, it.text.as_str()))
                    .collect();
                assert_eq!(told, [(1.5, 3.0, "i < n wet clay")], "{text}");
            }
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
            format!("<tt>{}", "<p begin=\"1s\">".repeat(size / 14)),
            format!("<timedtext><p {}>x</p>", "a=\"b\" ".repeat(size / 6)),
        ] {
            let _ = read(&text);
        }
    }
}
