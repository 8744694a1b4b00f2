//! Reads a conversation that was written down: each turn is a paragraph, with who speaks in bold and when, where it is told. What
//! else stands between the turns (code, lists, tables, headings) is read as in any text.

use super::{Layout, Line, code, paragraph_length, written};
use crate::builder::{each_span, tidy};
use crate::transcript;
use skillkiln_document::blocks::{Block, BlockKind, Landmark, Span};
use skillkiln_document::markdown::write;
use skillkiln_document::speaker::{is_name, named};
use skillkiln_document::text::Inline;
use std::collections::HashMap;
use std::sync::Arc;

/// Fewer turns than this are no conversation.
const TURNS_MIN: usize = 4;
/// Who speaks in a talk with a model.
const ROLES: [&str; 4] = ["Human", "User", "Assistant", "System"];
/// Turns are indented alike: what is indented further by this much is part of one.
const INDENT_MAX: usize = 4;
/// Turns without names whose times stand bare have so many words: the entries of a programme are shorter.
const WORDS_MIN: usize = 5;

/// The beginning of a turn: a line that names who speaks, or when, or both.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Turn<'a> {
    /// The number of its line.
    pub(super) at: usize,
    time: Option<Time<'a>>,
    speaker: Option<&'a str>,
    words: &'a str,
    /// The words with the name before them.
    whole: &'a str,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Time<'a> {
    written: &'a str,
    /// Since the beginning; none where it is told with its date.
    seconds: Option<f64>,
    /// Whether it can hardly be anything else: brackets are around it, or it has hours, minutes and seconds.
    is_evident: bool,
}

/// The turns of the conversation that `lines` are. Most lines belong to turns. Those with times are told from verses, logs and
/// programmes by names that come again, or by times that only a recording has; those without are told from fields with names by what
/// is said: speakers come again, and say sentences.
pub(super) fn of<'a>(lines: &[Line<'a>], is_markdown: bool) -> Option<Vec<Turn<'a>>> {
    let mut turns = beginnings(lines);
    let timed = turns.iter().filter(|turn| turn.time.is_some()).count();
    let is_timed = timed >= TURNS_MIN && timed * 2 >= turns.len();
    let counts = counts(&turns);
    let comes_again =
        |turn: &Turn<'_>| turn.speaker.is_some_and(|name| counts.get(name) > Some(&1));
    let is_told = if !is_timed && is_with_model(&turns) {
        turns.retain(|turn| turn.speaker.is_some_and(|name| ROLES.contains(&name)));
        return Some(turns);
    } else if is_timed {
        turns.retain(|turn| turn.time.is_some());
        let known = turns.iter().filter(|turn| comes_again(turn)).count();
        let are_named = known * 2 > turns.len();
        if !are_named {
            // A word before a colon is a name when it comes again.
            for turn in turns.iter_mut().filter(|turn| !comes_again(turn)) {
                (turn.speaker, turn.words) = (None, turn.whole);
            }
        }
        are_named || is_recording(&turns, is_markdown)
    } else {
        turns.retain(comes_again);
        speaks(&turns)
    };
    let first = turns.first()?.at;
    let said = lines
        .iter()
        .skip(first)
        .filter(|line| !line.words.is_empty() && line.indent < INDENT_MAX)
        .count();
    (is_told && turns.len() >= TURNS_MIN && turns.len() * 2 >= said).then_some(turns)
}

/// Whether turns are those of a talk with a model, by the names that all programs give to the two.
fn is_with_model(turns: &[Turn<'_>]) -> bool {
    let speaks = |names: &[&str]| {
        turns
            .iter()
            .any(|turn| turn.speaker.is_some_and(|name| names.contains(&name)))
    };
    speaks(&["Assistant"]) && speaks(&["Human", "User"])
}

/// The turns of a conversation in Markdown, by the number of their lines: how each begins when it is written as such, and the words
/// behind that.
pub(crate) fn in_markdown(text: &str) -> HashMap<usize, (String, &str)> {
    let lines = super::lines_of(text);
    let turns = of(&lines, true).unwrap_or_default();
    let label = |turn: &Turn<'_>| {
        let opening = vec![Block {
            kind: BlockKind::Paragraph(opening(turn)),
            span: Span::default(),
        }];
        format!("{} ", write(&opening).trim_end())
    };
    turns
        .iter()
        .map(|turn| (turn.at, (label(turn), turn.words)))
        .collect()
}

/// The lines that may begin a turn.
fn beginnings<'a>(lines: &[Line<'a>]) -> Vec<Turn<'a>> {
    let mut in_fence = false;
    let mut turns = Vec::new();
    let mut indents = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        in_fence ^= line.words.starts_with("```");
        if in_fence {
            continue;
        }
        if let Some(turn) = turn(at, line.words) {
            turns.push(turn);
            indents.push(line.indent);
        }
    }
    let least = indents.iter().min().copied().unwrap_or(0);
    let mut indents = indents.into_iter();
    turns.retain(|_| indents.next().is_some_and(|it| it < least + INDENT_MAX));
    turns
}

/// How often each speaker is named.
fn counts<'a>(turns: &[Turn<'a>]) -> HashMap<&'a str, usize> {
    let mut counts = HashMap::new();
    for name in turns.iter().filter_map(|turn| turn.speaker) {
        *counts.entry(name).or_default() += 1;
    }
    counts
}

/// Whether those who are named, each more than once, talk with each other: there are several, and they say sentences.
fn speaks(turns: &[Turn<'_>]) -> bool {
    let first = turns.first().and_then(|turn| turn.speaker);
    let sentences = turns
        .iter()
        .filter(|turn| {
            turn.words
                .ends_with(['.', '?', '!', '…', '"', '”', '。', '？', '！'])
        })
        .count();
    turns.iter().any(|turn| turn.speaker != first) && sentences * 5 >= turns.len() * 3
}

/// Whether times are those of a recording: none lies before the one above it, and each is evident, or the first is that of a
/// beginning and more is said than the entries of a programme say.
fn is_recording(turns: &[Turn<'_>], is_markdown: bool) -> bool {
    let times: Vec<Time<'_>> = turns.iter().filter_map(|turn| turn.time).collect();
    let words: usize = turns
        .iter()
        .map(|turn| turn.words.split_whitespace().count())
        .sum();
    let begins = times
        .first()
        .is_some_and(|time| time.seconds.is_some_and(|seconds| seconds < 60.0));
    // Markdown would join the lines of a programme to a paragraph.
    let says = is_markdown || words >= turns.len() * WORDS_MIN;
    times.is_sorted_by(|time, next| time.seconds <= next.seconds)
        && times.iter().all(|time| time.seconds.is_some())
        && (times.iter().all(|time| time.is_evident) || begins && says)
}

/// The blocks of a conversation.
pub(super) fn read(
    text: &str,
    lines: &[Line<'_>],
    turns: &[Turn<'_>],
    layout: &Layout,
) -> Vec<Block> {
    let mut out = Vec::with_capacity(turns.len());
    for (number, turn) in turns.iter().enumerate() {
        let next = turns.get(number + 1);
        let until = next.map_or(lines.len(), |next| next.at);
        let lines = lines.get(turn.at..until).unwrap_or_default();
        let landmark = landmark(turn, next);
        let used = paragraph(text, lines, turn, &landmark, layout, &mut out);
        let above = out.len();
        written(
            text,
            lines.get(used..).unwrap_or_default(),
            layout,
            &mut out,
        );
        each_span(out.get_mut(above..).unwrap_or_default(), &mut |span| {
            *span = Span::at(span.bytes.clone(), landmark.clone());
        });
    }
    out
}

/// A turn lasts until the next one begins.
fn landmark(turn: &Turn<'_>, next: Option<&Turn<'_>>) -> Option<Arc<Landmark>> {
    let start_s = turn.time?.seconds?;
    let end_s = next.and_then(|next| next.time?.seconds).unwrap_or(start_s);
    Some(Arc::new(Landmark {
        seconds: Some((start_s, end_s.max(start_s))),
        ..Landmark::default()
    }))
}

/// The first paragraph of a turn; gives how many lines it takes.
fn paragraph(
    text: &str,
    lines: &[Line<'_>],
    turn: &Turn<'_>,
    landmark: &Option<Arc<Landmark>>,
    layout: &Layout,
    out: &mut Vec<Block>,
) -> usize {
    let used = paragraph_length(text, lines, layout);
    let said = lines.get(..used).unwrap_or_default();
    let (Some(first), Some(last)) = (said.first(), said.last()) else {
        return used;
    };
    let mut words = opening(turn);
    words.push(Inline::Text(turn.words.to_owned()));
    for line in said.iter().skip(1) {
        words.push(Inline::Text(format!(" {}", line.words)));
    }
    out.push(Block {
        kind: BlockKind::Paragraph(tidy(words)),
        span: Span::at(first.range.start..last.range.end, landmark.clone()),
    });
    let below = lines.get(used..).unwrap_or_default();
    let typed = code::glued_length(below, last.words, last.indent, layout);
    out.extend(
        code::block(text, below.get(..typed).unwrap_or_default()).map(|code| Block {
            span: Span::at(code.span.bytes.clone(), landmark.clone()),
            ..code
        }),
    );
    used + typed
}

/// Who speaks, and when.
fn opening(turn: &Turn<'_>) -> Vec<Inline> {
    let time = turn.time.map(|time| format!("({})", time.written));
    let Some(speaker) = turn.speaker else {
        return time
            .map(|time| vec![Inline::Text(format!("{time} "))])
            .unwrap_or_default();
    };
    vec![
        Inline::Strong(vec![Inline::Text(speaker.to_owned())]),
        Inline::Text(time.map_or(": ".to_owned(), |time| format!(" {time}: "))),
    ]
}

/// `[00:01:22] Lena: words`, `Lena (1:22): words`, `Lena: words`, `[00:01] words`.
fn turn(at: usize, line: &str) -> Option<Turn<'_>> {
    if let Some((time, rest)) = dated(line).or_else(|| stamp(line)) {
        let whole = without_dash(rest.trim_start());
        let (speaker, words) = match named(whole) {
            Some((name, words)) if is_name(name) => (Some(name), words),
            _ => (None, whole),
        };
        return Some(Turn {
            at,
            time: Some(time),
            speaker,
            words,
            whole,
        });
    }
    let (name, words) = named(line)?;
    let timed = name
        .rsplit_once(' ')
        .and_then(|(who, when)| Some((who, stamp(when)?)));
    let (name, time) = match timed {
        Some((who, (time, ""))) => (who.trim_end(), Some(time)),
        _ => (name, None),
    };
    is_name(name).then_some(Turn {
        at,
        time,
        speaker: Some(name),
        words,
        whole: line,
    })
}

/// What stands behind the dash or the line that parts it from a time; before a number, a dash is its sign.
fn without_dash(words: &str) -> &str {
    ["- ", "– ", "— ", "| "]
        .iter()
        .find_map(|dash| words.strip_prefix(dash))
        .map(str::trim_start)
        .filter(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
        .unwrap_or(words)
}

/// A date and a time at the start of a line, as programs save what was sent: `12/05/2023, 10:01 - Ada: Hello`, or in brackets.
fn dated(line: &str) -> Option<(Time<'_>, &str)> {
    let (written, rest) = match line.strip_prefix('[') {
        Some(rest) => rest.split_once(']')?,
        None if line.starts_with(|c: char| c.is_ascii_digit()) => line.split_once(" - ")?,
        None => return None,
    };
    let (date, time) = written.split_once(", ")?;
    let is_number =
        |part: &str| (1..=4).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
    let is_date =
        date.split(['/', '.', '-']).count() == 3 && date.split(['/', '.', '-']).all(is_number);
    transcript::seconds(time.split_whitespace().next()?).filter(|_| is_date)?;
    let time = Time {
        written,
        seconds: None,
        is_evident: true,
    };
    Some((time, rest))
}

/// A time at the start of a line, and what stands behind it: in brackets, or with a blank behind it.
fn stamp(line: &str) -> Option<(Time<'_>, &str)> {
    let (time, rest) = if let Some(rest) = line.strip_prefix('[') {
        rest.split_once(']')?
    } else if let Some(rest) = line.strip_prefix('(') {
        rest.split_once(')')?
    } else {
        let end = line.find(char::is_whitespace)?;
        line.split_at_checked(end)?
    };
    let is_time = time.starts_with(|c: char| c.is_ascii_digit()) && time.len() <= 12;
    let seconds = is_time.then(|| transcript::seconds(time)).flatten()?;
    let time = Time {
        written: time,
        seconds: Some(seconds),
        is_evident: line.starts_with(['[', '(']) || time.matches(':').count() == 2,
    };
    Some((time, rest))
}

#[cfg(test)]
mod tests {
    use crate::markup::markdown;
    use crate::text::read;
    use skillkiln_document::markdown::write;

    #[test]
    fn each_turn_of_a_transcript_is_a_paragraph_with_its_speaker_and_its_time() {
        let source = "Kiln meeting - 14 May\nAttendees: Ada, Ben\n\n[00:00:04] Ada: Is it hot?\n[00:00:19] Ben: It is.\nVery hot.\n[00:01:07] Ada: Then # wait.\n[00:01:20] Ben: I wait.\n";
        let document = read(source.to_owned());
        assert_eq!(document.title.as_deref(), Some("Kiln meeting - 14 May"));
        assert_eq!(
            write(&document.blocks),
            "# Kiln meeting - 14 May\n\nAttendees: Ada, Ben\n\n**Ada** (00:00:04): Is it hot?\n\n**Ben** (00:00:19): It is. Very hot.\n\n**Ada** (00:01:07): Then # wait.\n\n**Ben** (00:01:20): I wait.\n"
        );
        let third = &document.blocks[4];
        assert_eq!(third.span.seconds(), Some((67.0, 80.0)));
        assert_eq!(
            document.evidence(&third.span),
            "[00:01:07] Ada: Then # wait."
        );
    }

    #[test]
    fn turns_without_times_are_told_by_speakers_who_come_again() {
        let source = "Ada: Is it hot?\nBen: It is.\n\nAda: Then wait.\nBen: I wait.\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "**Ada**: Is it hot?\n\n**Ben**: It is.\n\n**Ada**: Then wait.\n\n**Ben**: I wait.\n"
        );
    }

    #[test]
    fn a_time_may_stand_behind_the_name_and_a_turn_may_have_no_name() {
        for (line, shown) in [
            ("Ada Lee (0:04): Hot.", "**Ada Lee** (0:04): Hot."),
            ("[0:04] Hot.", "(0:04) Hot."),
            ("0:04 Ada: Hot.", "**Ada** (0:04): Hot."),
        ] {
            let source = format!("{line}\n").repeat(4);
            let markdown = write(&read(source).blocks);
            assert_eq!(markdown.matches(shown).count(), 4, "{markdown}");
        }
    }

    #[test]
    fn records_of_fields_are_no_conversation() {
        let source = "Name: oak\nHeat: 900\n\nName: ash\nHeat: 800\n\nName: fir\nHeat: 700\n";
        assert!(!write(&read(source.to_owned()).blocks).contains("\n\n**Heat**: "));
    }

    #[test]
    fn signs_of_numbers_and_words_before_colons_stay_in_a_log() {
        let source = "Heat on Monday\n\n[06:00] -12 degrees outside, fan at 3: slow.\n[07:00] - 4 degrees outside.\n[08:00] connection to the sensor failed: timeout after 30 s\n[09:00] ERROR kiln::heat: no gas\n";
        let markdown = write(&read(source.to_owned()).blocks);
        for line in [
            "(06:00) -12 degrees outside, fan at 3: slow.",
            "(07:00) - 4 degrees outside.",
            "(08:00) connection to the sensor failed: timeout after 30 s",
            "(09:00) ERROR kiln::heat: no gas",
        ] {
            assert!(markdown.contains(line), "{markdown}");
        }
    }

    #[test]
    fn verses_and_programmes_are_no_conversation() {
        for (source, line) in [
            (
                "The Book\n\n1:1 In the beginning there was fire.\n1:2 And it was hot.\n1:3 And he said: Let there be clay.\n2:1 And it was wet.\n",
                "- 1:3 And he said: Let there be clay.",
            ),
            (
                "Summer school\n\n09:00 Coffee\n09:30 Keynote: the kilns of the north\n10:30 Workshop A: the wheel\n13:00 Panel: who owns clay?\n\nVenue\n",
                "- 09:30 Keynote: the kilns of the north",
            ),
        ] {
            let document = read(source.to_owned());
            let markdown = write(&document.blocks);
            assert!(markdown.contains(line), "{markdown}");
            assert!(document.blocks.iter().all(|it| it.span.seconds().is_none()));
        }
    }

    #[test]
    fn what_stands_between_turns_keeps_its_form() {
        let source = "Ada: How do I light it?\nBen: Call it.\n\n    $ kiln --on\n    $ kiln --look\n\nAda: And with what?\nBen: With these:\n  - oak\n  - ash\n\nAda: What of the ash, and\nof the rest?\nBen: It goes out.\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "**Ada**: How do I light it?\n\n**Ben**: Call it.\n\n```\n$ kiln --on\n$ kiln --look\n```\n\n**Ada**: And with what?\n\n**Ben**: With these:\n\n- oak\n- ash\n\n**Ada**: What of the ash, and of the rest?\n\n**Ben**: It goes out.\n"
        );
    }

    #[test]
    fn what_is_typed_right_below_a_turn_is_code() {
        let source = "Ada: Did you set it?\nBen: Yes, in the file:\n    heat = 7\n    wood = oak\nAda: And then?\nBen: I ran it:\n  kiln --on\n  kiln --look\nAda: Fine.\nBen: Yes.\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "**Ada**: Did you set it?\n\n**Ben**: Yes, in the file:\n\n```\nheat = 7\nwood = oak\n```\n\n**Ada**: And then?\n\n**Ben**: I ran it:\n\n```\nkiln --on\nkiln --look\n```\n\n**Ada**: Fine.\n\n**Ben**: Yes.\n"
        );
    }

    #[test]
    fn a_conversation_in_markdown_keeps_its_headings_tables_and_links() {
        let source = "# Notes on talk\n\nAda: Is it hot?\nBen: It is, see:\n\n| Wood | Heat |\n|------|------|\n| oak  | 900  |\n\nAda: And the ash?\nBen: It goes out.\nAda: I see.\nBen: Good.\n\n## Links\n\n- [Plans](https://kiln.example/plans)\n";
        let markdown = write(&read(source.to_owned()).blocks);
        for kept in [
            "# Notes on talk\n\n**Ada**: Is it hot?\n\n**Ben**: It is, see:\n\n| Wood | Heat |",
            "**Ben**: Good.\n\n## Links\n\n- [Plans](https://kiln.example/plans)\n",
        ] {
            assert!(markdown.contains(kept), "{markdown}");
        }
    }

    #[test]
    fn what_was_sent_and_saved_with_its_dates_is_a_conversation() {
        let source = "12/05/2023, 10:01 - Ada: Hello Ben.\n12/05/2023, 10:02 - Ben: Fine.\nand hot\n12/05/2023, 10:03 - Ada: Good.\n12/05/2023, 10:06 - Ada: Bye.\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "**Ada** (12/05/2023, 10:01): Hello Ben.\n\n**Ben** (12/05/2023, 10:02): Fine. and hot\n\n**Ada** (12/05/2023, 10:03): Good.\n\n**Ada** (12/05/2023, 10:06): Bye.\n"
        );
    }

    #[test]
    fn a_talk_in_a_file_of_markdown_is_told_by_its_speakers() {
        let source = "# Talk\n\nHuman: How do I light *it*?\nAssistant: See [the plan].\n```sh\nkiln --on\n```\nHuman: Thanks.\n\n[the plan]: https://kiln.example\n";
        let document = markdown::read(source.to_owned());
        assert_eq!(
            write(&document.blocks),
            "# Talk\n\n**Human**: How do I light *it*?\n\n**Assistant**: See [the plan](https://kiln.example).\n\n```sh\nkiln --on\n```\n\n**Human**: Thanks.\n"
        );
        assert_eq!(
            document.evidence(&document.blocks[2].span),
            "Assistant: See [the plan]."
        );
    }
}
