//! Owns who speaks in captions that tell it: in a tag (`<v Ada>`), by marks at a change (`>> `, `- `), or by names before what is
//! said (`Ada: `, `[Ada] `) that come again.

use super::{Cue, Line, names_noise};
use skillkiln_document::speaker::{Speaker, is_name, named};
use std::collections::HashMap;

/// So many captions with names tell that names stand before colons.
const NAMED_MIN: usize = 4;
/// In a file with so many marks of a change, one may stand between words without a stop.
const MARKS_MIN: usize = 2;

/// Takes the marks and names out of the words and puts them into the lines' voices, each line with words of one speaker.
pub(super) fn tell(cues: &mut [Cue]) {
    let begin_with = |mark: &str| {
        let lines = cues.iter().flat_map(|cue| &cue.lines);
        lines.filter(|line| begins(line, mark)).count() >= MARKS_MIN
    };
    let (are_marked, are_dashed) = (begin_with(">>"), begin_with("-"));
    for cue in cues.iter_mut() {
        let lines = std::mem::take(&mut cue.lines);
        for line in lines {
            cut_at_marks(line, are_marked, &mut cue.lines);
        }
        for line in &mut cue.lines {
            take_mark(line, are_dashed);
        }
    }
    let names = names(cues);
    for line in cues.iter_mut().flat_map(|cue| &mut cue.lines) {
        let text = line.text();
        if let Some((name, rest)) = label(&text)
            && names.contains(&name.to_owned())
            && line.words.len() == 1
        {
            line.voice = Some(Speaker::Named(name.to_owned()));
            line.words = vec![(None, rest.to_owned())];
        }
    }
}

fn begins(line: &Line, mark: &str) -> bool {
    line.words
        .first()
        .is_some_and(|(_, word)| word.trim_start().starts_with(mark))
}

/// The line in pieces that begin where somebody else does: at a `>>` behind a full stop, or behind any word where the file marks
/// changes so. `cin >> x` is speech.
fn cut_at_marks(line: Line, are_marked: bool, out: &mut Vec<Line>) {
    let mut open = Line {
        voice: line.voice,
        words: Vec::with_capacity(line.words.len()),
    };
    let mut is_empty = true;
    for (offset, word) in line.words {
        let mut rest = word.as_str();
        while let Some((before, after)) = rest.split_once(">>") {
            let ends = before.trim_end().chars().next_back();
            let is_behind_stop =
                ends.is_some_and(|c| matches!(c, '.' | '?' | '!' | '…' | '"' | '”'));
            let said = !(is_empty && before.trim().is_empty());
            let is_apart = after.starts_with(' ') && (before.is_empty() || before.ends_with(' '));
            if !(said && is_apart && (is_behind_stop || are_marked)) {
                break;
            }
            open.words.push((offset, before.to_owned()));
            out.push(std::mem::take(&mut open));
            open.voice = Some(Speaker::Another);
            is_empty = true;
            rest = after;
        }
        is_empty &= rest.trim().is_empty();
        open.words.push((offset, rest.to_owned()));
    }
    out.push(open);
}

/// Takes a mark from the beginning of a line, and the name behind it. A dash without a blank is one where several lines begin so.
fn take_mark(line: &mut Line, are_dashed: bool) {
    let Some((_, word)) = line
        .words
        .iter_mut()
        .find(|(_, word)| !word.trim().is_empty())
    else {
        return;
    };
    let words = word.trim_start();
    let (mark, rest) = words.split_at(words.len() - words.trim_start_matches(['>', '-']).len());
    let is_mark = match mark {
        ">>" | ">>>" => true,
        // Before a number, a dash is its sign.
        "-" if rest.starts_with(' ') => {
            !rest.trim_start().starts_with(|c: char| c.is_ascii_digit())
        }
        "-" => are_dashed && begins_as_name(rest),
        _ => false,
    };
    if !is_mark {
        return;
    }
    let rest = rest.trim_start();
    // A dash may begin what is said of something: only a name in capitals or in brackets is one there.
    let is_told =
        |name: &str| mark != "-" || rest.starts_with('[') || !name.contains(char::is_lowercase);
    let found = label(rest).filter(|(name, _)| is_told(name));
    let voice = line.voice.take().filter(|voice| *voice != Speaker::Another);
    let (name, rest) = match found {
        Some((name, rest)) => (Some(Speaker::Named(name.to_owned())), rest),
        None => (None, rest),
    };
    let rest = rest.to_owned();
    line.voice = voice.or(name).or(Some(Speaker::Another));
    *word = rest;
}

fn begins_as_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_uppercase() || c == '[')
}

/// The name before what is said, and that: `Ada: words`, `[Ada] words`.
fn label(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = match text.strip_prefix('[') {
        Some(inside) => inside.split_once("] ")?,
        None => named(text)?,
    };
    (is_name(name) && !names_noise(name)).then_some((name, rest.trim_start()))
}

/// The names that stand before what is said: those that come again, several, or one that most captions begin with.
fn names(cues: &[Cue]) -> Vec<String> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for cue in cues {
        let mut may_begin = true;
        for line in &cue.lines {
            let text = line.text();
            if (may_begin || line.voice.is_some())
                && let Some((name, _)) = label(&text)
            {
                *counts.entry(name.to_owned()).or_default() += 1;
            }
            may_begin = text.ends_with(['.', '?', '!', '…']);
        }
    }
    counts.retain(|_, times| *times > 1);
    let all: usize = counts.values().sum();
    let is_told = counts.len() > 1 && all >= NAMED_MIN || all * 2 > cues.len();
    if is_told {
        counts.into_keys().collect()
    } else {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::super::of_file;
    use skillkiln_document::speaker::Speaker;

    fn told(texts: &[&str]) -> Vec<(Option<String>, String)> {
        let srt: String = texts
            .iter()
            .enumerate()
            .map(|(at, text)| {
                let number = at + 1;
                format!(
                    "{number}\n00:00:{:02},000 --> 00:00:{:02},000\n{text}\n\n",
                    at * 2,
                    at * 2 + 2
                )
            })
            .collect();
        let read = of_file(&srt).unwrap();
        let name = |speaker: Option<Speaker>| match speaker? {
            Speaker::Named(name) => Some(name),
            Speaker::Another => Some("?".to_owned()),
        };
        read.into_iter()
            .map(|it| (name(it.speaker), it.text))
            .collect()
    }

    fn of(name: &str, text: &str) -> (Option<String>, String) {
        (
            Some(name).filter(|it| !it.is_empty()).map(str::to_owned),
            text.to_owned(),
        )
    }

    #[test]
    fn who_speaks_is_told_by_tags_marks_and_names_that_come_again() {
        assert_eq!(
            told(&[
                "<v Ada Lee>Is it hot?</v>",
                "<v Ben>It is. <v Ada Lee>Good."
            ]),
            [
                of("Ada Lee", "Is it hot?"),
                of("Ben", "It is."),
                of("Ada Lee", "Good.")
            ]
        );
        assert_eq!(
            told(&[
                "&gt;&gt; Is it hot?\nVery? >> It is.",
                ">> ADA: Good.",
                "- [Narrator] It cools.",
                "- Yes.\n-No."
            ]),
            [
                of("?", "Is it hot? Very?"),
                of("?", "It is."),
                of("ADA", "Good."),
                of("Narrator", "It cools."),
                of("?", "Yes."),
                of("?", "No."),
            ]
        );
        assert_eq!(
            told(&[
                "Ada: Is it hot?",
                "It is not.\nBen: It is.",
                "[Ada] Good.",
                "Ben: Yes: very."
            ]),
            [
                of("Ada", "Is it hot?"),
                of("", "It is not."),
                of("Ben", "It is."),
                of("Ada", "Good."),
                of("Ben", "Yes: very."),
            ]
        );
    }

    #[test]
    fn marks_and_colons_in_what_is_said_stay() {
        let texts = [
            "we write cin >> x and",
            "- 4 degrees, and -5",
            "Remember: it is hot",
            "Step 1: heat it",
            "Step 2: wait",
            "a[i] and x - y",
        ];
        for (told, text) in told(&texts).into_iter().zip(texts) {
            assert_eq!(told, of("", text));
        }
    }
}
