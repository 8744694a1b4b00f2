//! Owns how a talk is told from other texts with times: words behind the times of a recording (`[0:02] words`), or below them, as
//! they are pasted from the page of a video.
//!
//! A list of chapters, a programme and a log have times as well. Speech is told by its pace (a chapter's title lasts minutes) and
//! by lines that are pieces of sentences.

use super::{Cue, Line, cues};
use crate::spoken::Chapter;
use skillkiln_document::speaker::{is_name, named};
use std::collections::HashMap;

/// Fewer times make no talk.
const STAMPS_MIN: usize = 4;
/// A talk begins in its first minutes, unless links into a video tell its times.
const BEGINS_S: f64 = 180.0;
/// So many letters are said in a second, at the least: with pauses; and at the most.
const PACE_MIN: f64 = 4.0;
/// The same for signs of scripts that have few to a word.
const SIGN_PACE_MIN: f64 = 1.2;
/// See [`PACE_MIN`].
const PACE_MAX: f64 = 40.0;
/// So many lines may stand above captions that no file's name announces.
const HEAD_LINES_MAX: usize = 5;

/// A talk in a text, and what stands above it.
#[derive(Debug)]
pub(super) struct Talk<'a> {
    pub(super) head: &'a str,
    pub(super) cues: Vec<Cue>,
    pub(super) chapters: Vec<Chapter>,
}

/// The talk that most of `text` is. `None` when it is something else.
pub(super) fn read(text: &str) -> Option<Talk<'_>> {
    captions(text).or_else(|| stamped(text))
}

/// Captions of a format in which their times have lines of their own, without a file's name that tells it.
fn captions(text: &str) -> Option<Talk<'_>> {
    let first = text.lines().position(|line| cues::times(line).is_some())?;
    let in_fence = || {
        text.lines()
            .any(|line| line.trim_start().starts_with("```"))
    };
    if first > HEAD_LINES_MAX || in_fence() {
        return None;
    }
    let read = cues::read(text);
    let head_lines: Vec<&str> = text.lines().take(first).collect();
    let is_number = |line: &str| line.trim().bytes().all(|byte| byte.is_ascii_digit());
    let head = match head_lines.last().filter(|line| is_number(line)) {
        Some(_) => first - 1,
        None => first,
    };
    let is_talk = read.len() >= 2 && is_spoken(&read);
    is_talk.then_some(Talk {
        head: before_line(text, head),
        cues: read,
        chapters: Vec::new(),
    })
}

/// The text above the line of this number.
fn before_line(text: &str, number: usize) -> &str {
    let length = text.split_inclusive('\n').take(number).map(str::len).sum();
    text.get(..length).unwrap_or_default()
}

/// A time at the start of a line.
#[derive(Debug, Clone, Copy)]
struct Stamp<'a> {
    seconds: f64,
    /// What stands behind it.
    words: &'a str,
    /// Whether it is a link.
    is_link: bool,
}

/// What is said from one time on.
#[derive(Debug)]
struct Entry<'a> {
    stamp: Stamp<'a>,
    lines: Vec<&'a str>,
}

fn stamped(text: &str) -> Option<Talk<'_>> {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    let mut chapters = Vec::new();
    let mut headings: Vec<&str> = Vec::new();
    let mut above = 0;
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if let Some(stamp) = stamp(line) {
            let titles = headings.drain(..);
            chapters.extend(titles.map(|title| Chapter {
                start_s: stamp.seconds,
                title: title.trim_start_matches('#').trim().to_owned(),
            }));
            let words = Some(stamp.words).filter(|words| !words.is_empty());
            entries.push(Entry {
                stamp,
                lines: words.into_iter().collect(),
            });
        } else if let Some(entry) = entries.last_mut() {
            if line.starts_with("# ") || line.starts_with("## ") || line.starts_with("### ") {
                headings.push(line);
            } else if !line.is_empty() && !is_read_aloud(line) {
                entry.lines.push(line);
            }
        } else {
            above = number + 1;
        }
    }
    if entries.len() < STAMPS_MIN || !headings.is_empty() {
        return None;
    }
    if chapters.is_empty() {
        chapters = titles_below(&mut entries);
    }
    let first = entries.first()?.stamp;
    let begins = first.seconds <= BEGINS_S || entries.iter().all(|entry| entry.stamp.is_link);
    let rises = entries.is_sorted_by(|one, next| one.stamp.seconds <= next.stamp.seconds);
    if !begins || !rises || is_conversation(&entries) {
        return None;
    }
    let ends = entries.iter().skip(1).map(|entry| entry.stamp.seconds);
    let last_s = entries
        .last()
        .map_or(0.0, |entry| entry.stamp.seconds + 5.0);
    let ends: Vec<f64> = ends.chain([last_s]).collect();
    let cues: Vec<Cue> = entries
        .iter()
        .zip(ends)
        .map(|(entry, end_s)| Cue {
            start_s: entry.stamp.seconds,
            end_s,
            lines: entry
                .lines
                .iter()
                .map(|line| Line::plain((*line).to_owned()))
                .collect(),
        })
        .collect();
    (is_spoken(&cues) && are_pieces(&cues)).then_some(Talk {
        head: before_line(text, above),
        cues,
        chapters,
    })
}

/// A time at the start of a line: `0:02`, `[0:02] words`, `(0:02) words`, `**[0:02](https://…)** words`.
fn stamp(line: &str) -> Option<Stamp<'_>> {
    let line = line.trim_start_matches(['*', '_']).trim_start();
    let bracket = line.chars().next().filter(|c| matches!(c, '[' | '('));
    let inside = line.get(usize::from(bracket.is_some())..)?;
    let end = inside
        .find(|c: char| !c.is_ascii_digit() && !matches!(c, ':' | '.' | ','))
        .unwrap_or(inside.len());
    let (time, mut rest) = inside.split_at(end);
    let seconds = seconds(time)?;
    let mut is_link = false;
    if let Some(bracket) = bracket {
        rest = rest.strip_prefix(if bracket == '[' { ']' } else { ')' })?;
        if let Some((address, after)) = rest.strip_prefix('(').and_then(|it| it.split_once(')')) {
            is_link = address.starts_with("http");
            rest = after;
        }
    } else if rest.starts_with(|c: char| c.is_alphanumeric()) {
        return None;
    }
    let rest = rest.trim_start_matches(['*', '_']).trim_start();
    let words = ["- ", "– ", "— ", "| ", ": "]
        .iter()
        .find_map(|mark| rest.strip_prefix(mark))
        .unwrap_or(rest);
    Some(Stamp {
        seconds,
        words: words.trim(),
        is_link,
    })
}

/// `1:02:03`, `02:03` or `00:02.50` in seconds: minutes and seconds have two digits.
fn seconds(time: &str) -> Option<f64> {
    let (first, _) = time.split_once(':')?;
    let mut below = time.split(':').skip(1);
    let is_first = (1..=3).contains(&first.len());
    let is_below = |part: &str| {
        let (whole, _) = part.split_once(['.', ',']).unwrap_or((part, ""));
        whole.len() == 2 && whole < "60"
    };
    let is_time = is_first && time.matches(':').count() <= 2 && below.all(is_below);
    is_time.then(|| super::tags::clock(time)).flatten()
}

/// What the page of a video reads aloud in the place of a time: `1 minute, 3 seconds`.
fn is_read_aloud(line: &str) -> bool {
    line.split(", ").all(|part| {
        part.split_once(' ').is_some_and(|(number, unit)| {
            number.bytes().all(|byte| byte.is_ascii_digit())
                && matches!(
                    unit,
                    "second" | "seconds" | "minute" | "minutes" | "hour" | "hours"
                )
        })
    })
}

/// The titles of chapters among the words below times: where nearly all times have one line below them, a second one is the
/// title of what follows.
fn titles_below(entries: &mut [Entry<'_>]) -> Vec<Chapter> {
    const TITLE_WORDS_MAX: usize = 10;
    let single = entries
        .iter()
        .filter(|entry| entry.lines.len() == 1)
        .count();
    let stand_alone = entries.iter().all(|entry| entry.stamp.words.is_empty());
    if !stand_alone || single * 10 < entries.len() * 8 {
        return Vec::new();
    }
    let starts: Vec<f64> = entries.iter().skip(1).map(|it| it.stamp.seconds).collect();
    let mut chapters = Vec::new();
    for (entry, start_s) in entries.iter_mut().zip(starts) {
        let is_title = |line: &&str| {
            line.split_whitespace().count() <= TITLE_WORDS_MAX && !line.ends_with(['.', ',', '?'])
        };
        if entry.lines.len() == 2
            && let Some(title) = entry.lines.pop_if(|line| is_title(&&**line))
        {
            chapters.push(Chapter {
                start_s,
                title: title.to_owned(),
            });
        }
    }
    chapters
}

/// Whether most of what is said has a name before it, and who speaks changes: those are turns of a conversation.
fn is_conversation(entries: &[Entry<'_>]) -> bool {
    let speaker = |entry: &Entry<'_>| -> Option<String> {
        let (name, _) = named(entry.lines.first()?)?;
        is_name(name).then(|| name.to_owned())
    };
    let speakers: Vec<Option<String>> = entries.iter().map(speaker).collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for name in speakers.iter().flatten() {
        *counts.entry(name).or_default() += 1;
    }
    let again = |name: &Option<String>| {
        name.as_deref()
            .is_some_and(|name| counts.get(name) > Some(&1))
    };
    let named = speakers.iter().filter(|name| again(name)).count();
    let changes = speakers
        .windows(2)
        .filter(|two| two.first() != two.last())
        .count();
    named * 2 > entries.len() && changes * 2 > entries.len()
}

/// Whether what captions say takes about as long as they last.
fn is_spoken(cues: &[Cue]) -> bool {
    let mut paces: Vec<f64> = Vec::new();
    let (mut letters, mut signs) = (0, 0);
    for cue in cues {
        let count = |text: String| text.chars().filter(|c| c.is_alphanumeric()).count();
        let said: usize = cue.lines.iter().map(|line| count(line.text())).sum();
        let wide = |text: String| {
            text.chars()
                .filter(|c| skillkiln_document::text::is_ideographic(*c))
                .count()
        };
        signs += cue
            .lines
            .iter()
            .map(|line| wide(line.text()))
            .sum::<usize>();
        letters += said;
        let lasts = cue.end_s - cue.start_s;
        if lasts > 0.0 && said > 0 {
            paces.push(f64::from(u32::try_from(said).unwrap_or(u32::MAX)) / lasts);
        }
    }
    paces.sort_by(f64::total_cmp);
    let least = if signs * 2 > letters {
        SIGN_PACE_MIN
    } else {
        PACE_MIN
    };
    paces
        .get(paces.len() / 2)
        .is_some_and(|pace| (least..=PACE_MAX).contains(pace))
}

/// Whether most lines are pieces of sentences, or whole ones, made of words: entries of a log are neither.
fn are_pieces(cues: &[Cue]) -> bool {
    let texts: Vec<String> = cues
        .iter()
        .map(|cue| {
            cue.lines
                .iter()
                .map(Line::text)
                .collect::<Vec<_>>()
                .join(" ")
        })
        .filter(|text| !text.is_empty())
        .collect();
    let is_piece = |text: &&String| {
        let begins = text
            .trim_start_matches(|c: char| !c.is_alphanumeric())
            .chars()
            .next();
        let ends = text.chars().next_back();
        begins.is_some_and(|c| c.is_alphabetic() && !c.is_uppercase())
            || ends.is_some_and(|c| {
                matches!(c, '.' | '?' | '!' | ',' | '…' | '。' | '，' | '？' | '！')
            })
    };
    let pieces = texts.iter().filter(is_piece).count();
    let (mut words, mut plain) = (0, 0);
    for word in texts.iter().flat_map(|text| text.split_whitespace()) {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let is_plain = |c: char| c.is_alphabetic() || matches!(c, '\'' | '’' | '-' | '.' | ',');
        words += 1;
        plain += usize::from(!word.starts_with('<') && bare.chars().all(is_plain));
    }
    pieces * 2 >= texts.len() && plain * 20 >= words * 17
}

#[cfg(test)]
mod tests {
    use super::super::of_text;

    fn told(text: &str) -> Option<Vec<(f64, String)>> {
        let talk = of_text(text)?;
        let segments = talk.segments.into_iter();
        Some(segments.map(|it| (it.start_s, it.text)).collect())
    }

    #[test]
    fn words_behind_or_below_the_times_of_a_recording_are_captions() {
        let expected = Some(vec![
            (0.0, "so today we will heat the kiln".to_owned()),
            (2.0, "with wood that is dry and then".to_owned()),
            (5.0, "we wait. Also, look at".to_owned()),
            (7.0, "the clay that is in it.".to_owned()),
        ]);
        for (before, after) in [
            ("[", "] "),
            ("(", ") "),
            ("", " "),
            ("", "\n"),
            ("", " - "),
            ("**[", "](https://video.example/watch?v=1&t=2s)** "),
            ("**", "**\n\n"),
            ("", "\n3 seconds\n"),
        ] {
            let line = |time: &str, words: &str| format!("{before}{time}{after}{words}\n\n");
            let text = [
                line("0:00", "so today we will heat the kiln"),
                line("0:02", "with wood that is dry and then"),
                line("0:05", "we wait. Also, look at"),
                line("0:07", "the clay that is in it."),
            ]
            .concat();
            assert_eq!(told(&text), expected, "{text}");
            assert_eq!(told(&text.replace("\n\n", "\n")), expected, "{text}");
        }
    }

    #[test]
    fn other_texts_with_times_are_no_talk() {
        for text in [
            // Chapters of a video.
            "0:00 Intro\n1:30 Ownership: a start\n4:10 Borrowing and what it is\n9:20 The end\n",
            // Logs.
            "[06:00] -12 degrees outside, fan at 3: slow.\n[07:00] -4 degrees outside.\n[08:00] no gas: timeout\n[09:00] ERROR kiln::heat: no gas\n",
            "[00:00] Starting the server of kilns\n[00:02] Loading the configuration of it\n[00:04] Opening the ports that are set\n[00:06] Ready to serve many kilns\n",
            "[00:01] compiling kiln v0.1.2 (/tmp/kiln)\n[00:03] compiling heat v1.2.3 (registry+x)\n[00:05] linking target/debug/kiln.o 12%\n[00:07] done in 7.2s -> ok=1\n",
            "[12:01:22] <ada> so how hot is it now, and why\n[12:01:25] <ben> it is very hot in there, look\n[12:01:29] <ada> then we wait for it to cool\n[12:01:33] <ben> and what of the ash in it\n",
            // Verses, and a programme.
            "1:1 In the beginning there was fire.\n1:2 And it was hot.\n1:3 And he said: Let there be clay.\n2:1 And it was wet.\n",
            "09:00 Coffee\n09:30 Keynote: the kilns of the north\n10:30 Workshop A: the wheel\n13:00 Panel: who owns clay?\n",
            // A conversation.
            "[00:04] Ada: Is it hot?\n[00:05] Ben: It is.\n[00:06] Ada: Then wait.\n[00:07] Ben: I wait.\n",
            // Words on subtitles.
            "A caption looks so:\n\n```\n1\n00:00:01,000 --> 00:00:02,000\nHello there\n\n2\n00:00:02,000 --> 00:00:03,000\nWords\n```\n",
        ] {
            assert_eq!(told(text), None, "{text}");
        }
    }

    #[test]
    fn captions_are_told_in_a_text_that_nobody_called_so() {
        let text = "My talk\n\n1\n00:00:01,000 --> 00:00:03,000\nwe heat the kiln\n\n2\n00:00:03,000 --> 00:00:05,000\nand then we wait\n";
        let talk = of_text(text).unwrap();
        assert_eq!(talk.head.trim(), "My talk");
        assert_eq!(talk.segments.len(), 2);
        assert_eq!(talk.segments[1].text, "and then we wait");
    }

    #[test]
    fn a_title_between_the_lines_of_a_pasted_transcript_is_a_chapter() {
        let mut text = String::from("0:00\nwe heat the kiln and\n");
        for second in [2, 4, 6, 8, 12, 14, 16] {
            text.push_str(&format!("0:{second:02}\nthen wait for it to cool\n"));
            if second == 8 {
                text.push_str("The clay\n");
            }
        }
        let talk = of_text(&text).unwrap();
        assert_eq!(talk.chapters.len(), 1);
        assert_eq!(
            (talk.chapters[0].start_s, talk.chapters[0].title.as_str()),
            (12.0, "The clay")
        );
        assert!(talk.segments.iter().all(|it| !it.text.contains("clay")));
    }
}
