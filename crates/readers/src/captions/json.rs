//! Owns captions that are written as JSON: the provider's json3, and the lists of words with times that programs write which listen
//! (Whisper) or fetch captions.

use super::tags::clock;
use super::{Cue, Line, SEGMENTS_MAX, plausible};
use crate::words::{WordList, words};
use serde_json::Value;
use skillkiln_document::speaker::Speaker;
use skillkiln_document::text::squash;

/// Under which name a document holds its list.
static LISTS: WordList =
    words!("segments transcription transcript captions cues subtitles utterances results");
/// Under which names an entry tells its words.
const WORDS: [&str; 5] = ["text", "body", "content", "utf8", "caption"];
/// When it begins.
static STARTS: WordList = words!("start startTime start_time startMs from begin offset");
/// When it ends.
const ENDS: [&str; 5] = ["end", "endTime", "end_time", "endMs", "to"];
/// How long it lasts.
const LENGTHS: [&str; 3] = ["duration", "dur", "length"];
/// So many letters are said in a second.
const PACE: std::ops::Range<f64> = 1.2..60.0;

/// Whether JSON with this beginning may be captions.
pub(super) fn may_be(head: &str) -> bool {
    let names = |name: &&str| head.contains(&format!("\"{name}\""));
    names(&"tStartMs") || STARTS.iter().any(&names) && WORDS.iter().any(&names)
}

/// Reads captions from JSON. `None` when it holds none.
pub(super) fn read(document: &Value) -> Option<Vec<Cue>> {
    json3(document).or_else(|| spans(document))
}

/// Entries with words and times, most of a list. Nobody tells whether they count seconds or milliseconds: the pace of speech
/// does.
fn spans(document: &Value) -> Option<Vec<Cue>> {
    let list = document.as_array().or_else(|| {
        let mut lists = LISTS
            .iter()
            .filter_map(|name| document.get(name)?.as_array());
        lists.next()
    })?;
    let mut cues: Vec<Cue> = list.iter().take(SEGMENTS_MAX).filter_map(span).collect();
    let rises = cues.is_sorted_by(|one, next| one.start_s <= next.start_s);
    if cues.is_empty() || cues.len() * 10 < list.len() * 9 || !rises {
        return None;
    }
    let said: usize = cues
        .iter()
        .flat_map(|cue| &cue.lines)
        .map(|line| line.text().chars().filter(|c| c.is_alphanumeric()).count())
        .sum();
    let lasts: f64 = cues.iter().map(|cue| cue.end_s - cue.start_s).sum();
    let pace = f64::from(u32::try_from(said).ok()?) / lasts;
    let unit = [1.0, 1_000.0]
        .into_iter()
        .find(|unit| PACE.contains(&(pace * unit)))?;
    for cue in &mut cues {
        cue.start_s = plausible(cue.start_s / unit)?;
        cue.end_s = plausible(cue.end_s / unit)?;
    }
    Some(cues)
}

fn span(entry: &Value) -> Option<Cue> {
    let words = WORDS.iter().find_map(|name| entry.get(name)?.as_str())?;
    let times = entry.get("offsets").or_else(|| entry.get("timestamps"));
    let times = times.unwrap_or(entry);
    let time = |names: &[&str]| names.iter().find_map(|name| time(times.get(name)?));
    let start_s = time(&STARTS)?;
    let end_s = time(&ENDS).or_else(|| Some(start_s + time(&LENGTHS)?))?;
    let mut lines: Vec<Line> = words
        .lines()
        .map(|line| Line::plain(line.to_owned()))
        .collect();
    if let Some(first) = lines.first_mut() {
        first.voice = entry.get("speaker").and_then(speaker);
    }
    Some(Cue {
        start_s,
        end_s: end_s.max(start_s),
        lines,
    })
}

/// A name, or the number of a voice.
fn speaker(value: &Value) -> Option<Speaker> {
    let name = match value {
        Value::String(name) => squash(name),
        Value::Number(number) => format!("Speaker {number}"),
        _ => return None,
    };
    Some(Speaker::Named(name)).filter(|_| !value.as_str().is_some_and(str::is_empty))
}

/// A time as a number, as text that is one, or as a clock shows it.
fn time(value: &Value) -> Option<f64> {
    let time = match value {
        Value::String(text) => clock(text).or_else(|| text.trim().parse().ok())?,
        other => other.as_f64()?,
    };
    (0.0..1e12).contains(&time).then_some(time)
}

/// Events, each with its words; those that only move a line up are appended to another.
fn json3(document: &Value) -> Option<Vec<Cue>> {
    let events = document.get("events")?.as_array()?;
    let cues = events
        .iter()
        .take(SEGMENTS_MAX)
        .filter(|event| event.get("aAppend").is_none())
        .filter_map(|event| {
            let start_s = milliseconds(event.get("tStartMs")?)?;
            let length_s = event
                .get("dDurationMs")
                .and_then(milliseconds)
                .unwrap_or(0.0);
            let words = event.get("segs")?.as_array()?.iter().filter_map(|seg| {
                let word = seg.get("utf8").and_then(Value::as_str)?;
                let offset_s = seg.get("tOffsetMs").and_then(milliseconds);
                Some((offset_s, without_tags(word)))
            });
            Some(Cue {
                start_s,
                end_s: start_s + length_s,
                lines: vec![Line {
                    voice: None,
                    words: words.collect(),
                }],
            })
        });
    Some(cues.collect())
}

/// Words without the tags of HTML that some editors of captions write into them; any other bracket is said.
fn without_tags(word: &str) -> String {
    const TAG_BYTES: usize = 80;
    const TAGS: [&str; 7] = ["b", "c", "font", "i", "s", "u", "span"];
    let mut out = String::with_capacity(word.len());
    let mut rest = word;
    while let Some((before, behind)) = rest.split_once('<') {
        out.push_str(before);
        let end = behind.bytes().take(TAG_BYTES).position(|byte| byte == b'>');
        let tag = end.and_then(|end| Some((behind.get(..end)?, behind.get(end + 1..)?)));
        let tag = tag.filter(|(tag, _)| {
            let name = tag.trim_start_matches('/');
            let name = name.split([' ', '.']).next().unwrap_or_default();
            TAGS.iter().any(|it| name.eq_ignore_ascii_case(it))
        });
        match tag {
            Some((_, next)) => rest = next,
            None => {
                out.push('<');
                rest = behind;
            }
        }
    }
    out.push_str(rest);
    out
}

/// Milliseconds, as a number or as text.
fn milliseconds(value: &Value) -> Option<f64> {
    let ms = match value {
        Value::String(text) => text.trim().parse().ok()?,
        other => other.as_f64()?,
    };
    plausible(ms / 1_000.0)
}

#[cfg(test)]
mod tests {
    use super::super::of_file;
    use skillkiln_document::speaker::Speaker;

    #[test]
    fn the_tags_that_an_editor_of_captions_left_are_not_said() {
        for (word, said) in [
            ("Stir <i>slowly</i>", "Stir slowly"),
            ("<font color=\"#ffff00\">Let it dry.</font>", "Let it dry."),
            ("if a < b and b > c", "if a < b and b > c"),
            ("Vec<T>", "Vec<T>"),
        ] {
            assert_eq!(super::without_tags(word), said);
        }
    }

    #[test]
    fn lists_of_words_with_times_are_captions_whoever_wrote_them() {
        for text in [
            r#"{"text":"all of it","segments":[{"id":0,"start":0.5,"end":3.0,"text":" Hot clay is wet"},{"id":1,"start":3.0,"end":5.0,"text":" until it cools."}]}"#,
            r#"{"version":"1.0.0","segments":[{"startTime":0.5,"endTime":3,"body":"Hot clay is wet"},{"startTime":3,"endTime":5,"body":"until it cools."}]}"#,
            r#"[{"text":"Hot clay is wet","start":"0.5","duration":"2.5"},{"text":"until it cools.","start":3,"duration":2}]"#,
            r#"[{"text":"Hot clay is wet","offset":500,"duration":2500},{"text":"until it cools.","offset":3000,"duration":2000}]"#,
            r#"{"transcription":[{"timestamps":{"from":"00:00:00,500","to":"00:00:03,000"},"offsets":{"from":500,"to":3000},"text":" Hot clay is wet"},{"timestamps":{"from":"00:00:03,000","to":"00:00:05,000"},"offsets":{"from":3000,"to":5000},"text":" until it cools."}]}"#,
        ] {
            let read = of_file(text).unwrap_or_default();
            let told: Vec<(f64, f64, &str)> = read
                .iter()
                .map(|it| (it.start_s, it.end_s, it.text.as_str()))
                .collect();
            assert_eq!(
                told,
                [(0.5, 3.0, "Hot clay is wet"), (3.0, 5.0, "until it cools.")],
                "{text}"
            );
        }
    }

    #[test]
    fn an_entry_may_tell_who_speaks() {
        let text = r#"[{"text":"Hot clay is wet","start":0,"end":2,"speaker":"Ada"},{"text":"until it cools.","start":2,"end":4,"speaker":1}]"#;
        let speakers: Vec<_> = of_file(text)
            .unwrap()
            .into_iter()
            .map(|it| it.speaker)
            .collect();
        let named = |name: &str| Some(Speaker::Named(name.to_owned()));
        assert_eq!(speakers, [named("Ada"), named("Speaker 1")]);
    }

    #[test]
    fn other_lists_with_texts_and_numbers_are_no_captions() {
        for text in [
            // Names found in a text, by their letters; events of a calendar; a table.
            r#"[{"text":"Paris","start":10,"end":15},{"text":"Ada Lee","start":40,"end":47}]"#,
            r#"[{"text":"Fair","start":"2024-01-01","end":"2024-01-02"}]"#,
            r#"[{"text":"one","start":9,"end":10},{"text":"two","start":3,"end":4}]"#,
            r#"[{"text":"one","at":9}]"#,
        ] {
            assert_eq!(of_file(text), None, "{text}");
        }
    }
}
