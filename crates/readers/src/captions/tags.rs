//! Owns what is markup in the words of a caption: the tags of WebVTT, which SubRip borrows, and references to characters. Anything
//! else between angle brackets is speech: `git checkout <branch>`.

use super::{Line, plausible};
use skillkiln_document::speaker::Speaker;
use skillkiln_document::text::squash;
use std::borrow::Cow;

/// No tag is longer; a bracket further away closes something else.
const TAG_BYTES_MAX: usize = 200;

/// What a tag means for the words around it.
enum Tag<'a> {
    /// It changes how they look.
    Style,
    /// Who is called so says them.
    Voice(&'a str),
    /// They begin at this moment of the recording, in seconds.
    Moment(f64),
    /// How the word above it is read follows: it says the word again.
    Reading,
    /// The reading ends.
    ReadingEnd,
    /// A line ends.
    Break,
}

/// The words of a line of a cue that begins at `start_s`, without its markup: a line for each voice in it.
pub(super) fn lines(raw: &str, start_s: f64) -> Vec<Line> {
    let raw = &*without_foreign(raw);
    let mut lines = Vec::new();
    let mut voice = None;
    let mut words = Vec::new();
    let mut word = String::new();
    let mut offset = None;
    let mut is_reading = false;
    let mut rest = raw;
    while let Some(at) = rest.find(['<', '{']) {
        let (before, tail) = rest.split_at(at);
        if !is_reading {
            word.push_str(before);
        }
        let Some((tag, after)) = tag(tail) else {
            let bracket = tail.chars().next().into_iter();
            word.extend(bracket.filter(|_| !is_reading));
            rest = tail.get(1..).unwrap_or_default();
            continue;
        };
        rest = after;
        match tag {
            Tag::Moment(moment_s) => {
                words.push((offset, unescape(&std::mem::take(&mut word))));
                offset = Some((moment_s - start_s).max(0.0));
            }
            // With blanks around it, somebody tells of the element.
            Tag::Break if word.ends_with(' ') && rest.starts_with(' ') => {
                word.push_str(tail.get(..tail.len() - rest.len()).unwrap_or_default());
            }
            Tag::Break => word.push(' '),
            Tag::Reading => is_reading = ends_soon(rest),
            Tag::ReadingEnd => is_reading = false,
            Tag::Voice(name) => {
                words.push((offset, unescape(&std::mem::take(&mut word))));
                lines.push(Line {
                    voice: voice.take(),
                    words: std::mem::take(&mut words),
                });
                voice = Some(Speaker::Named(squash(&unescape(name))));
            }
            Tag::Style => {}
        }
    }
    if !is_reading {
        word.push_str(rest);
    }
    words.push((offset, unescape(&word)));
    lines.push(Line { voice, words });
    for line in &mut lines {
        line.words.retain(|(_, word)| !word.is_empty());
    }
    lines.retain(|line| line.voice.is_some() || !line.text().is_empty());
    lines
}

/// A line with the tags that a program escaped as words, and without the signs for breaks and blanks of Advanced `SubStation`.
fn without_foreign(raw: &str) -> Cow<'_, str> {
    let is_escaped = raw.contains("&lt;/")
        && ["i", "b", "u", "font"].iter().any(|name| {
            let start = raw.find(&format!("&lt;{name}"));
            start < raw.find(&format!("&lt;/{name}&gt;")) && start.is_some()
        });
    let mut line = Cow::Borrowed(raw);
    if is_escaped {
        line = unescape(raw).into();
    }
    // A backslash behind a drive is of a path.
    if (raw.contains("\\N") || raw.contains("\\h")) && !raw.contains(":\\") {
        line = line.replace("\\N", " ").replace("\\h", " ").into();
    }
    line
}

/// Whether a reading that begins here ends; else somebody tells of the element.
fn ends_soon(rest: &str) -> bool {
    let head = rest.as_bytes().get(..TAG_BYTES_MAX.min(rest.len()));
    head.is_some_and(|head| {
        head.windows(5).any(|tag| tag == b"</rt>") || head.windows(7).any(|tag| tag == b"</ruby>")
    })
}

/// The tag that `tail` begins with, and what follows it.
fn tag(tail: &str) -> Option<(Tag<'_>, &str)> {
    let head = tail.as_bytes().get(..TAG_BYTES_MAX.min(tail.len()))?;
    // What players of SubRip take from Advanced SubStation: `{\an8}`.
    if tail.starts_with('{') {
        let end = head.iter().position(|byte| *byte == b'}')?;
        let is_override = tail.starts_with("{\\");
        return is_override.then_some((Tag::Style, tail.get(end + 1..)?));
    }
    let end = head.iter().position(|byte| *byte == b'>')?;
    let (inside, after) = (tail.get(1..end)?, tail.get(end + 1..)?);
    if inside.starts_with(|c: char| c.is_ascii_digit()) {
        return Some((Tag::Moment(clock(inside)?), after));
    }
    let (is_end, inside) = match inside.strip_prefix('/') {
        Some(inside) => (true, inside),
        None => (false, inside),
    };
    let name_end = inside.find(['.', ' ', '\t']).unwrap_or(inside.len());
    let (name, about) = inside.split_at(name_end);
    let is_bare = about.is_empty();
    let has_class = is_bare || about.starts_with('.') && !about.contains(' ');
    let found = match name.to_ascii_lowercase().as_str() {
        "rt" if is_end && is_bare => Tag::ReadingEnd,
        "ruby" if is_end && is_bare => Tag::ReadingEnd,
        "rt" if has_class => Tag::Reading,
        "c" | "i" | "b" | "u" | "ruby" if has_class => Tag::Style,
        "v" if !is_end && !is_bare => {
            let name = about
                .split_once([' ', '\t'])
                .map_or("", |(_, name)| name.trim());
            match name {
                "" => Tag::Style,
                name => Tag::Voice(name),
            }
        }
        "v" | "lang" => Tag::Style,
        "font" if is_end || about.contains('=') => Tag::Style,
        "br" | "br/" if about.trim().trim_matches('/').is_empty() => Tag::Break,
        _ => return None,
    };
    Some((found, after))
}

/// `1:02:03.456`, `02:03.456` or `02:03,456` in seconds.
pub(super) fn clock(text: &str) -> Option<f64> {
    let mut seconds = 0.0;
    for part in text.split(':') {
        if !part.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let value: f64 = part.replace(',', ".").parse().ok()?;
        seconds = seconds * 60.0 + value;
    }
    (text.contains(':')).then(|| plausible(seconds)).flatten()
}

/// Resolves character references, also those that a program escaped once more: "&amp;quot;".
pub(super) fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        plain.push_str(before);
        if let Some((mut c, mut next)) = reference(after) {
            while c == '&'
                && let Some(inner) = reference(next)
            {
                (c, next) = inner;
            }
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

/// The character that the reference behind a `&` names, and what follows it.
fn reference(after: &str) -> Option<(char, &str)> {
    // The longest name we know is short; a far-away semicolon is not ours.
    let (end, _) = after.char_indices().take(10).find(|(_, c)| *c == ';')?;
    Some((character(after.get(..end)?)?, after.get(end + 1..)?))
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

    fn words(raw: &str) -> String {
        let lines = lines(raw, 0.0);
        lines.iter().map(Line::text).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn what_is_no_tag_of_captions_is_speech() {
        for speech in [
            "loop while i<n and then stop",
            "put it in a <script> element",
            "git checkout <branch> or a vector<int>",
            "x < 3 and y > 2, or 3 <b and c> 4",
            "the <br> tag and {braces}",
            "<3:x> <1> </1> <c",
        ] {
            assert_eq!(words(speech), speech);
        }
    }

    #[test]
    fn tags_of_captions_are_no_speech() {
        for (raw, shown) in [
            (
                "<c.yellow.bg_blue>so</c> <i>we</i> <B>build</B>",
                "so we build",
            ),
            (
                "<v.loud Ada Lee>Hot</v> <lang en-GB>clay</lang>",
                "Hot clay",
            ),
            ("<font color=\"#ff0\">yes</font><br/>no", "yes no"),
            ("{\\an8}<u>up</u>", "up"),
            ("<ruby>窯<rt>かま</rt></ruby>です", "窯です"),
            ("&lt;i&gt; &amp; co", "<i> & co"),
            ("&lt;i&gt;now&lt;/i&gt; &amp;amp; then", "now & then"),
            (
                "{\\an8}One\\Ntwo\\hthree in C:\\Nights",
                "One\\Ntwo\\hthree in C:\\Nights",
            ),
            ("One\\Ntwo\\hthree", "One two three"),
        ] {
            assert_eq!(words(raw), shown);
        }
    }

    #[test]
    fn a_word_has_the_time_before_it() {
        let lines = lines("so<00:00:01.500><c> we</c><00:00:02.000><c> go</c>", 1.0);
        let words: Vec<(Option<f64>, &str)> = lines[0]
            .words
            .iter()
            .map(|(offset, word)| (*offset, word.as_str()))
            .collect();
        assert_eq!(
            words,
            [(None, "so"), (Some(0.5), " we"), (Some(1.0), " go")]
        );
    }

    #[test]
    fn times_are_read_with_and_without_hours() {
        assert_eq!(clock("01:02:03.500"), Some(3_723.5));
        assert_eq!(clock("02:03,5"), Some(123.5));
        for wrong in ["", "3", "a:b", "-1:00", "nan:1", "inf:1", "1:+2"] {
            assert_eq!(clock(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn character_references_are_resolved_also_when_escaped_twice_and_unknown_ones_stay() {
        assert_eq!(
            unescape("a &lt; &#39;b&#x27; &unknown; & &; R&D;"),
            "a < 'b' &unknown; & &; R&D;"
        );
        assert_eq!(
            unescape("Tom &amp;amp; Jerry&amp;#39;s &amp;quot;kiln&amp;quot; &amp; &amp;unknown;"),
            "Tom & Jerry's \"kiln\" & &unknown;"
        );
        assert_eq!(unescape("&#xffffffff; &#55296;"), "&#xffffffff; &#55296;");
    }

    #[test]
    fn hostile_lines_are_read_in_one_pass() {
        for text in ["<", "&", "{", "<c", "{\\", "<1:1>", "<rt>", "<v A>"] {
            let _ = lines(&text.repeat(200_000), 0.0);
        }
    }
}
