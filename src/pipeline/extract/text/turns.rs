//! Reads a conversation that was written down: each turn is a paragraph, with who speaks in bold and when, where it is told.

use super::Line;
use crate::domain::document::{Block, BlockKind, Landmark, Span};
use crate::domain::text::Inline;
use crate::pipeline::extract::builder::tidy;
use crate::pipeline::extract::transcript;
use std::collections::HashMap;
use std::sync::Arc;

/// Fewer turns than this are no conversation.
const TURNS_MIN: usize = 4;
/// A name of a speaker is not longer, in words and in characters.
const NAME_WORDS_MAX: usize = 4;
/// See [`NAME_WORDS_MAX`].
const NAME_CHARS_MAX: usize = 40;

/// The beginning of a turn: a line that names who speaks, or when, or both.
#[derive(Debug, Clone, PartialEq)]
struct Turn<'a> {
    /// When, as written and in seconds.
    time: Option<(&'a str, f64)>,
    speaker: Option<&'a str>,
    words: &'a str,
}

/// The conversation that `lines` are: the blocks of its turns, and how many lines stand before the first. Most lines belong to
/// turns, and those without times are told from fields with names by what is said: speakers come again, and say sentences.
pub(super) fn read(lines: &[Line<'_>]) -> Option<(usize, Vec<Block>)> {
    let mut turns: Vec<(usize, Turn<'_>)> = lines
        .iter()
        .enumerate()
        .filter_map(|(at, line)| Some((at, turn(line.words)?)))
        .collect();
    let timed = turns.iter().filter(|(_, turn)| turn.time.is_some()).count();
    let is_timed = timed >= TURNS_MIN && timed * 2 >= turns.len();
    if is_timed {
        turns.retain(|(_, turn)| turn.time.is_some());
    } else {
        keep_speakers(&mut turns);
    }
    let (before, _) = *turns.first()?;
    let said = lines
        .iter()
        .skip(before)
        .filter(|line| !line.words.is_empty());
    let is_conversation =
        turns.len() >= TURNS_MIN && turns.len() * 2 >= said.count() && (is_timed || speaks(&turns));
    is_conversation.then(|| (before, blocks(lines, &turns)))
}

/// Whether those who are named talk with each other: more than one, each more than once, in sentences.
fn speaks(turns: &[(usize, Turn<'_>)]) -> bool {
    let first = turns.first().and_then(|(_, turn)| turn.speaker);
    let sentences = turns
        .iter()
        .filter(|(_, turn)| {
            turn.words
                .ends_with(['.', '?', '!', '…', '"', '”', '。', '？', '！'])
        })
        .count();
    turns.iter().any(|(_, turn)| turn.speaker != first) && sentences * 5 >= turns.len() * 3
}

/// Leaves out the lines of those who are named only once: they are fields, such as a date.
fn keep_speakers(turns: &mut Vec<(usize, Turn<'_>)>) {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for (_, turn) in turns.iter() {
        *counts.entry(turn.speaker.unwrap_or("")).or_default() += 1;
    }
    turns.retain(|(_, turn)| counts.get(turn.speaker.unwrap_or("")) > Some(&1));
}

fn blocks(lines: &[Line<'_>], turns: &[(usize, Turn<'_>)]) -> Vec<Block> {
    let mut out = Vec::with_capacity(turns.len());
    for (number, (at, turn)) in turns.iter().enumerate() {
        let next = turns.get(number + 1);
        let until = next.map_or(lines.len(), |(at, _)| *at);
        let landmark = landmark(turn, next.map(|(_, next)| next));
        add(
            lines.get(*at..until).unwrap_or_default(),
            turn,
            landmark,
            &mut out,
        );
    }
    out
}

/// A turn lasts until the next one begins.
fn landmark(turn: &Turn<'_>, next: Option<&Turn<'_>>) -> Option<Arc<Landmark>> {
    let (_, start_s) = turn.time?;
    let end_s = next
        .and_then(|next| next.time)
        .map_or(start_s, |(_, end_s)| end_s);
    Some(Arc::new(Landmark {
        seconds: Some((start_s, end_s.max(start_s))),
        ..Landmark::default()
    }))
}

/// The paragraphs of a turn, which an empty line parts.
fn add(lines: &[Line<'_>], turn: &Turn<'_>, landmark: Option<Arc<Landmark>>, out: &mut Vec<Block>) {
    for (number, lines) in lines.split(|line| line.words.is_empty()).enumerate() {
        let (Some(first), Some(last)) = (lines.first(), lines.last()) else {
            continue;
        };
        let mut text = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            let is_opening = number == 0 && at == 0;
            if is_opening {
                text = opening(turn);
            }
            let words = if is_opening { turn.words } else { line.words };
            text.push(Inline::Text(format!("{words} ")));
        }
        out.push(Block {
            kind: BlockKind::Paragraph(tidy(text)),
            span: Span::at(first.range.start..last.range.end, landmark.clone()),
        });
    }
}

/// Who speaks, and when.
fn opening(turn: &Turn<'_>) -> Vec<Inline> {
    let mut text = Vec::new();
    let time = turn.time.map(|(time, _)| time);
    match (turn.speaker, time) {
        (Some(speaker), time) => {
            text.push(Inline::Strong(vec![Inline::Text(speaker.to_owned())]));
            text.push(Inline::Text(match time {
                Some(time) => format!(" ({time}): "),
                None => ": ".to_owned(),
            }));
        }
        (None, Some(time)) => text.push(Inline::Text(format!("({time}) "))),
        (None, None) => {}
    }
    text
}

/// `[00:01:22] Lena: words`, `Lena (1:22): words`, `Lena: words`, `[00:01] words`.
fn turn(line: &str) -> Option<Turn<'_>> {
    if let Some((time, rest)) = stamp(line) {
        let rest = rest.trim_start_matches([' ', '-', '–', '|']);
        let (speaker, words) = match named(rest) {
            Some((name, words)) => (Some(name), words),
            None => (None, rest),
        };
        return Some(Turn {
            time: Some(time),
            speaker,
            words,
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
        time,
        speaker: Some(name),
        words,
    })
}

/// A time at the start of a line, as written and in seconds, and what stands behind it: in brackets, or with a blank behind it.
fn stamp(line: &str) -> Option<((&str, f64), &str)> {
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
    Some(((time, seconds), rest))
}

/// What stands before the first colon when it may be a name, and what stands behind it.
fn named(line: &str) -> Option<(&str, &str)> {
    let at = line
        .match_indices([':', '：'])
        .map(|(at, _)| at)
        .find(|at| {
            // The colon of a time between brackets is none of a name's end.
            line.get(..*at).is_some_and(|name| {
                name.matches(['(', '[']).count() == name.matches([')', ']']).count()
            })
        })?;
    let (name, rest) = line.split_at_checked(at)?;
    let is_wide = rest.starts_with('：');
    let words = rest.trim_start_matches([':', '：']);
    let parts = is_wide || words.is_empty() || words.starts_with(' ');
    let name = name.trim();
    (parts && !name.is_empty() && name.chars().count() <= NAME_CHARS_MAX)
        .then_some((name, words.trim()))
}

/// Whether this may be the name of a person: a few words that begin as names do.
fn is_name(name: &str) -> bool {
    let mut words = name.split_whitespace();
    name.split_whitespace().count() <= NAME_WORDS_MAX
        && words.next().is_some_and(|first| {
            first
                .chars()
                .next()
                .is_some_and(|c| c.is_alphabetic() && !c.is_lowercase())
        })
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, ' ' | '.' | '\'' | '’' | '-' | '・'))
}

#[cfg(test)]
mod tests {
    use crate::pipeline::extract::text::read;
    use crate::pipeline::markdown::write;

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
}
