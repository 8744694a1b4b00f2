//! Owns the formats in which each caption stands under its times: WebVTT, SubRip, YouTube's SubViewer, and the lines that Whisper
//! prints.
//!
//! One forward scan. What follows a caption up to the next one's times belongs to it, whatever empty lines part it: a line of one
//! blank is content in a machine's captions.

use super::tags::{self, clock};
use super::{Cue, Line};

/// A caption as it stands in the file.
#[derive(Debug, Default)]
struct Entry<'a> {
    start_s: f64,
    end_s: f64,
    /// The number above its times.
    number: Option<u64>,
    lines: Vec<&'a str>,
}

/// Reads the captions of a file in any of these formats. A machine's captions repeat the previous line above each new one: what
/// was just said is not said again.
pub(super) fn read(text: &str) -> Vec<Cue> {
    let is_vtt = text.starts_with("WEBVTT");
    let cues = entries(text, is_vtt)
        .into_iter()
        .map(|entry| {
            let lines = entry.lines.split(|line| line.is_empty());
            let is_content = |block: &&[&str]| {
                let first = block.first().copied().unwrap_or_default();
                !is_vtt || !is_remark(first)
            };
            let said = lines.filter(is_content).flatten();
            Cue {
                start_s: entry.start_s,
                end_s: entry.end_s,
                lines: said
                    .flat_map(|line| tags::lines(line, entry.start_s))
                    .collect(),
            }
        })
        .collect();
    unrolled(cues)
}

/// Whether a block of WebVTT is none of captions.
fn is_remark(first: &str) -> bool {
    ["NOTE", "STYLE", "REGION"].iter().any(|name| {
        first
            .strip_prefix(name)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
    })
}

fn entries(text: &str, is_vtt: bool) -> Vec<Entry<'_>> {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    let mut above: Vec<&str> = Vec::new();
    for line in text.lines() {
        let Some((start_s, end_s, words)) = times(line) else {
            match entries.last_mut() {
                Some(entry) => entry.lines.push(line),
                None => above = vec![line],
            }
            continue;
        };
        let number = match entries.last_mut() {
            Some(entry) => {
                let follows = entry.number.and_then(|number| number.checked_add(1));
                take_number(&mut entry.lines, follows, is_vtt)
            }
            None => take_number(&mut above, None, is_vtt),
        };
        entries.push(Entry {
            start_s,
            end_s: end_s.max(start_s),
            number,
            lines: Some(words)
                .filter(|words| !words.is_empty())
                .into_iter()
                .collect(),
        });
    }
    entries
}

/// Takes the line that names the next caption from those above its times: it stands alone, or counts on.
fn take_number(lines: &mut Vec<&str>, follows: Option<u64>, is_vtt: bool) -> Option<u64> {
    let last = lines.last().filter(|line| !line.trim().is_empty())?;
    let number = last.trim().parse().ok();
    let above = lines.len().checked_sub(2).and_then(|at| lines.get(at));
    let stands_alone = above.is_none_or(|above| above.trim().is_empty());
    let is_name = match number {
        Some(_) => number == follows || (stands_alone && (lines.len() > 1 || follows.is_none())),
        None => is_vtt && stands_alone && lines.len() > 1,
    };
    if is_name {
        lines.pop();
    }
    number
}

/// The times that a line is, and the words behind them: `00:01:02,500 --> 00:01:04.000 align:start`, `0:00:01.000,0:00:02.000`,
/// `[00:00.000 --> 00:05.000]  words`.
pub(super) fn times(line: &str) -> Option<(f64, f64, &str)> {
    let line = line.trim();
    if let Some((start, end)) = line.split_once("-->") {
        let end = end.trim_start();
        if let Some(start) = start.strip_prefix('[') {
            let (end, words) = end.split_once(']')?;
            return Some((clock(start.trim())?, clock(end.trim())?, words.trim()));
        }
        let end = end.split_whitespace().next()?;
        return Some((clock(start.trim())?, clock(end)?, ""));
    }
    let (start, end) = line.split_once(',')?;
    Some((clock(start)?, clock(end)?, ""))
}

/// Captions without the lines that roll over: those that a caption begins with and the one right before it ended with. They are
/// told from words that are said twice by the whole file: in one that rolls, most captions begin so and go on, or are shown
/// for a moment only.
fn unrolled(mut cues: Vec<Cue>) -> Vec<Cue> {
    /// A caption that is only there so that the next one can roll up lasts 10 ms.
    const MOMENT_S: f64 = 0.05;
    let texts: Vec<Vec<String>> = cues
        .iter()
        .map(|cue| cue.lines.iter().map(Line::text).collect())
        .collect();
    let mut pairs = 0;
    let mut evident = 0;
    let mut repeated = vec![0];
    for (two, texts) in cues.windows(2).zip(texts.windows(2)) {
        let ([cue, next], [above, below]) = (two, texts) else {
            continue;
        };
        let touch = next.start_s <= cue.end_s + MOMENT_S && next.start_s >= cue.start_s;
        let longest = above.len().min(below.len());
        let repeats = |n: &usize| above.get(above.len() - n..) == below.get(..*n);
        let lines = (1..=longest).rev().find(repeats).filter(|_| touch);
        let is_moment = |cue: &Cue| cue.end_s - cue.start_s <= MOMENT_S;
        let is_evident = |lines: &usize| *lines < below.len() || is_moment(cue) || is_moment(next);
        pairs += usize::from(touch && !above.is_empty() && !below.is_empty());
        evident += usize::from(lines.as_ref().is_some_and(is_evident));
        repeated.push(lines.unwrap_or(0));
    }
    if evident >= 2 && evident * 2 >= pairs {
        for (cue, lines) in cues.iter_mut().zip(repeated) {
            cue.lines.drain(..lines.min(cue.lines.len()));
        }
    }
    cues
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<String> {
        read(text)
            .iter()
            .map(|cue| {
                cue.lines
                    .iter()
                    .map(Line::text)
                    .collect::<Vec<_>>()
                    .join("|")
            })
            .collect()
    }

    #[test]
    fn what_a_machine_heard_is_said_once_although_its_lines_roll() {
        let vtt = "WEBVTT\nKind: captions\n\n00:00:00.000 --> 00:00:01.990 align:start\n \nso<00:00:00.300><c> today</c>\n\n00:00:01.990 --> 00:00:02.000 align:start\nso today\n \n\n00:00:02.000 --> 00:00:04.000 align:start\nso today\nwe<00:00:02.300><c> build</c>\n\n00:00:04.000 --> 00:00:04.010\nwe build\n \n";
        assert_eq!(said(vtt), ["so today", "", "we build", ""]);
        let srt = "1\n00:00:00,000 --> 00:00:02,000\nno\n\n2\n00:00:02,000 --> 00:00:04,000\nno\nno\n\n3\n00:00:04,000 --> 00:00:06,000\nno\nthat is it\n";
        assert_eq!(said(srt), ["no", "no", "that is it"]);
    }

    #[test]
    fn what_is_said_twice_stays_where_no_line_rolls() {
        let texts = [
            "the piano",
            "no",
            "we set x to 10",
            "0",
            "Yes.",
            "Yes.",
            "press A",
            "A",
        ];
        let srt: String = texts
            .iter()
            .enumerate()
            .map(|(at, text)| {
                format!(
                    "{}\n00:00:0{at},000 --> 00:00:0{},000\n{text}\n\n",
                    at + 1,
                    at + 1
                )
            })
            .collect();
        assert_eq!(said(&srt), texts);
    }

    #[test]
    fn a_line_of_one_blank_ends_no_caption_and_neither_does_an_empty_line() {
        let vtt = "WEBVTT\n\n00:01.000 --> 00:02.000\nFirst\n\n00:02.000 --> 00:04.000\n \nSecond line\n\nand its end\n\nNOTE\nby nobody\n\nSTYLE\n::cue { color: red }\n\nlast\n00:04.000 --> 00:06.000\nThird.\n";
        assert_eq!(said(vtt), ["First", "Second line|and its end", "Third."]);
    }

    #[test]
    fn numbers_of_captions_are_no_words_and_numbers_that_are_said_stay() {
        let srt = "1\n00:00:01,000 --> 00:00:02,000\nWe count\n2\n00:00:02,000 --> 00:00:03,000\n42\n\n3\n00:00:03,000 --> 00:00:04,000\n7\n4\n00:00:04,000 --> 00:00:05,000\nDone\n";
        assert_eq!(said(srt), ["We count", "42", "7", "Done"]);
    }

    #[test]
    fn other_spellings_of_times_are_read() {
        assert_eq!(
            said("0:00:00.000,0:00:02.500\nHot clay\n\n0:00:02.500,0:00:04.000\ncools.\n"),
            ["Hot clay", "cools."]
        );
        assert_eq!(
            said("[00:00.000 --> 00:05.000]  Hot clay\n[00:05.000 --> 01:00:06.000]  cools.\n"),
            ["Hot clay", "cools."]
        );
        assert_eq!(times("00:01:02,500"), None);
    }

    #[test]
    fn hostile_captions_are_read_in_one_pass() {
        let time = "00:00.000 --> 00:01.000\n";
        let _ = read(&format!("WEBVTT\n\n{time}{}", "<".repeat(200_000)));
        let _ = read(&format!("WEBVTT\n{}", time.repeat(10_000)));
        let _ = read(&format!("{time}{}", "x\n".repeat(100_000)));
    }
}
