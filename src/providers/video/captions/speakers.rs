//! Owns who speaks in captions that tell it: in a tag (`<v Ada>`), by marks at a change (`>> `, `- `), or by names before what is
//! said (`Ada: `, `[Ada] `) that come again.

use super::sounds::names_noise;
use super::{Cue, Line};
use crate::domain::speaker::{Speaker, is_name, named};
use std::collections::HashMap;

/// So many captions with names tell that names stand before colons.
const NAMED_MIN: usize = 4;
/// In a file with so many marks of a change, one may stand between words without a stop.
const MARKS_MIN: usize = 2;
/// What marks a change of the speaker at the beginning of a line.
const DASHES: [char; 4] = ['-', '–', '—', '‐'];
/// Who speaks without a name, as writers of captions call them.
const PERSONS: &str = " all announcer both boy child children crowd everybody everyone girl girls boys man men narrator operator radio \
    reporter speaker tv voice woman women hombre hombres mujer mujeres chico chica chicos chicas niño niña niños niñas voz todos todas \
    ambos ambas narrador narradora locutor homme femme garçon fille voix tous mann frau junge mädchen stimme alle beide homem mulher \
    menino menina uomo donna ragazzo ragazza voce tutti ";
/// What such a writer puts before them.
const AGES: &str = " 1 2 3 another deep female first joven male old older other second vieja viejo young younger petit petite alter alte \
    junger junge otro otra ";

/// How a file marks that somebody else speaks.
#[derive(Debug, Clone, Copy)]
struct Marks {
    /// By `>>`.
    are_arrows: bool,
    /// By dashes at the beginning of lines.
    are_dashes: bool,
    /// By dashes without a blank behind them.
    are_glued: bool,
}

impl Marks {
    fn of(cues: &[Cue]) -> Self {
        let lines = || cues.iter().flat_map(|cue| &cue.lines);
        let is_glued = |line: &&Line| {
            let text = line.text();
            let rest = text.strip_prefix(DASHES).unwrap_or_default();
            rest.starts_with(|c: char| c.is_alphabetic() || begins_as_turn(c))
        };
        let arrows = lines().filter(|line| begins(line, &['>'], ">>")).count();
        let dashes = lines().filter(|line| begins(line, &DASHES, "")).count();
        Self {
            are_arrows: arrows >= MARKS_MIN,
            are_dashes: dashes >= MARKS_MIN,
            are_glued: lines().filter(is_glued).count() >= MARKS_MIN,
        }
    }
}

/// Takes the marks and names out of the words and puts them into the lines' voices, each line with words of one speaker.
pub(super) fn tell(cues: &mut [Cue]) {
    let marks = Marks::of(cues);
    for cue in cues.iter_mut() {
        let mut pieces = Vec::new();
        for line in std::mem::take(&mut cue.lines) {
            cut_at_arrows(line, marks.are_arrows, &mut pieces);
        }
        for line in pieces {
            if marks.are_dashes {
                cut_at_dashes(line, marks.are_glued, &mut cue.lines);
            } else {
                cue.lines.push(line);
            }
        }
        for line in &mut cue.lines {
            take_mark(line, marks);
        }
    }
    let names = Names::of(cues);
    let mut are_described = false;
    for cue in cues.iter_mut() {
        let count = cue.lines.len();
        for (at, line) in cue.lines.iter_mut().enumerate() {
            let text = line.text();
            if line.words.len() == 1
                && let Some((name, rest)) = label(&text)
                && names.hold(name, &text, at + 1 < count)
            {
                are_described |= is_among(name, PERSONS);
                line.voice = Some(Speaker::Named(name.to_owned()));
                line.words = vec![(None, rest.to_owned())];
            }
        }
    }
    // Who writes "Both" tells who speaks where it cannot be seen, and nowhere else.
    if marks.are_dashes || names.are_bracketed || are_described {
        end_labels(cues);
    }
}

/// Where names stand at changes alone, a name holds for its sentence: who says the next one in a caption of its own is not told.
fn end_labels(cues: &mut [Cue]) {
    let (mut is_labelled, mut has_ended) = (false, false);
    for cue in cues {
        for (at, line) in cue.lines.iter_mut().enumerate() {
            if at == 0 && is_labelled && has_ended && line.voice.is_none() {
                line.voice = Some(Speaker::Another);
            }
            match line.voice {
                Some(Speaker::Named(_)) => is_labelled = true,
                Some(Speaker::Another) => is_labelled = false,
                None => {}
            }
            let text = line.text();
            let text = text.trim_end_matches(['♪', ' ']);
            has_ended = text.ends_with(['.', '?', '!', '"', '”', '»']) && !text.ends_with("...");
        }
    }
}

/// Whether a line begins with one of `marks` that is `whole`, or, where that is empty, with a single one.
fn begins(line: &Line, marks: &[char], whole: &str) -> bool {
    let text = line.text();
    match whole {
        "" => text
            .strip_prefix(marks)
            .is_some_and(|rest| !rest.starts_with(marks)),
        whole => text.starts_with(whole),
    }
}

/// The line in pieces that begin where somebody else does: at a `>>` behind a full stop, or behind any word where the file marks
/// changes so. `cin >> x` is speech.
fn cut_at_arrows(line: Line, are_marked: bool, out: &mut Vec<Line>) {
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

/// The line in pieces that begin with a dash behind what ends a sentence: `Yes. - 800 of them.`
fn cut_at_dashes(line: Line, are_glued: bool, out: &mut Vec<Line>) {
    let [(offset, text)] = line.words.as_slice() else {
        out.push(line);
        return;
    };
    let mut starts = vec![0];
    for (at, dash) in text.match_indices(DASHES) {
        let (before, after) = text.split_at_checked(at).unwrap_or_default();
        let after = after.strip_prefix(dash).unwrap_or_default();
        let said = before.trim_end();
        let ends = said.ends_with(['.', '?', '!', '…', '"', '”', '»']) && before.ends_with(' ');
        let next = after.trim_start().chars().next();
        let is_turn = next.is_some_and(begins_as_turn)
            && (after.starts_with(' ') || are_glued && !next.is_some_and(|c| c.is_ascii_digit()));
        if ends && is_turn {
            starts.push(at);
        }
    }
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([text.len()]).collect();
    let mut voice = line.voice;
    for (start, end) in starts.into_iter().zip(ends) {
        let piece = text.get(start..end).unwrap_or_default();
        out.push(Line {
            voice: voice.take(),
            words: vec![(*offset, piece.to_owned())],
        });
    }
}

/// Takes a mark from the beginning of a line, and the name behind it. A dash without a blank is one where several lines begin so.
fn take_mark(line: &mut Line, marks: Marks) {
    let Some((_, word)) = line
        .words
        .iter_mut()
        .find(|(_, word)| !word.trim().is_empty())
    else {
        return;
    };
    let words = word.trim_start();
    let is_of_mark = |c: char| c == '>' || DASHES.contains(&c);
    let (mark, rest) = words.split_at(words.len() - words.trim_start_matches(is_of_mark).len());
    let is_dash = mark.chars().count() == 1 && mark.starts_with(DASHES);
    let is_mark = match mark {
        ">>" | ">>>" => true,
        // Before a number, a lone dash is its sign.
        _ if is_dash && rest.starts_with(' ') => {
            marks.are_dashes || !rest.trim_start().starts_with(|c: char| c.is_ascii_digit())
        }
        _ if is_dash && marks.are_glued => !rest.is_empty(),
        _ if is_dash && marks.are_dashes => {
            rest.starts_with(|c: char| begins_as_turn(c) && !c.is_ascii_digit())
        }
        _ => false,
    };
    if !is_mark {
        return;
    }
    let rest = rest.trim_start();
    // A dash may begin what is said of something: only a name in capitals or in brackets is one there.
    let is_told =
        |name: &str| !is_dash || rest.starts_with('[') || !name.contains(char::is_lowercase);
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

/// Whether what somebody says may begin so behind a dash.
fn begins_as_turn(c: char) -> bool {
    c.is_uppercase() || c.is_ascii_digit() || matches!(c, '[' | '¿' | '¡' | '"' | '“' | '«' | '…')
}

/// The name before what is said, and that: `Ada: words`, `[Ada] words`.
fn label(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = match text.strip_prefix('[') {
        // With a blank behind its bracket it is a sound.
        Some(inside) if inside.starts_with(' ') => return None,
        Some(inside) => inside
            .split_once("] ")
            .or_else(|| Some((inside.strip_suffix(']')?, "")))?,
        None => named(text)?,
    };
    let is_label = is_name(name) || text.starts_with('[') && is_person(name);
    (is_label && !names_noise(name)).then_some((name, rest.trim_start()))
}

/// Whether a remark between brackets tells who speaks without a name of his alone: `[hombre]`, `[joven Ada]`.
fn is_person(words: &str) -> bool {
    let names = |word: &str| word.starts_with(char::is_uppercase) || is_among(word, PERSONS);
    words.split(' ').any(names)
        && words
            .split(' ')
            .all(|word| names(word) || is_among(word, AGES))
}

fn is_among(word: &str, list: &str) -> bool {
    list.contains(&format!(" {} ", word.to_lowercase()))
}

/// Whether each word of a name is written as one of a name is: `Ada Lee`, `Alfonso XIII`.
fn is_written_as_name(name: &str) -> bool {
    const JOINING: &str = " de del la van von en in auf ";
    let mut joins = false;
    name.split(' ').all(|word| {
        let is_own = word.starts_with(char::is_uppercase) || joins;
        joins = JOINING.contains(&format!(" {word} "));
        is_own || joins
    })
}

/// The names that stand before what is said.
#[derive(Debug, Default)]
struct Names {
    /// Those that come again, where they are several, or one that most captions begin with.
    known: Vec<String>,
    /// Whether they stand between brackets: then one that comes once is told too.
    are_bracketed: bool,
    /// Whether all that is said stands in capitals.
    is_shouted: bool,
}

impl Names {
    fn of(cues: &[Cue]) -> Self {
        let mut counts: HashMap<String, usize> = HashMap::new();
        let mut bracketed = 0;
        let (mut high, mut low) = (0, 0);
        for cue in cues {
            let mut may_begin = true;
            for line in &cue.lines {
                let text = line.text();
                let mut said = text.as_str();
                if (may_begin || line.voice.is_some())
                    && let Some((name, rest)) = label(&text)
                {
                    *counts.entry(name.to_owned()).or_default() += 1;
                    bracketed += usize::from(text.starts_with('[') && !rest.is_empty());
                    said = rest;
                }
                high += said.chars().filter(|c| c.is_uppercase()).count();
                low += said.chars().filter(|c| c.is_lowercase()).count();
                may_begin = text.ends_with(['.', '?', '!', '…']);
            }
        }
        counts.retain(|_, times| *times > 1);
        let all: usize = counts.values().sum();
        let is_told = counts.len() > 1 && all >= NAMED_MIN || all * 2 > cues.len();
        Self {
            known: is_told
                .then(|| counts.into_keys().collect())
                .unwrap_or_default(),
            are_bracketed: bracketed >= MARKS_MIN,
            is_shouted: low * 4 < high,
        }
    }

    /// Whether the label of a line is that of a speaker; behind one that stands alone, another line of its caption follows.
    fn hold(&self, name: &str, text: &str, has_next: bool) -> bool {
        let is_known = self.known.iter().any(|known| known == name);
        if !text.starts_with('[') {
            // Among names, one that is written as nothing of what is said is told too.
            let is_apart = name.contains(char::is_lowercase) == self.is_shouted;
            let is_long = name.chars().nth(1).is_some();
            return is_known || !self.known.is_empty() && is_apart && is_long;
        }
        if text.ends_with(']') {
            return has_next && (is_known || self.are_bracketed && is_person(name));
        }
        is_known || self.are_bracketed && (is_written_as_name(name) || is_person(name))
    }
}

#[cfg(test)]
mod tests {
    use super::super::of_file;
    use crate::domain::speaker::Speaker;

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

    #[test]
    fn a_dash_begins_a_turn_whatever_stands_behind_it_where_dashes_do() {
        assert_eq!(
            told(&[
                "- Two.\n- 15.",
                "-¿Sí?\n-no.",
                "Yes. - 800 pots. - ¿Qué?",
                "– Ja."
            ]),
            [
                of("?", "Two."),
                of("?", "15."),
                of("?", "¿Sí?"),
                of("?", "no."),
                of("", "Yes."),
                of("?", "800 pots."),
                of("?", "¿Qué?"),
                of("?", "Ja."),
            ]
        );
        assert_eq!(
            told(&["It is 5. - 4 is 1."]),
            [of("", "It is 5. - 4 is 1.")]
        );
    }

    #[test]
    fn each_name_between_brackets_begins_a_turn_although_it_comes_once() {
        assert_eq!(
            told(&[
                "[Alba] Hot?",
                "[joven Alba]\nIt is.",
                "[hombre] Go!",
                "[Alfonso XIII en inglés] Thanks.",
                "[Door creaks] Who is it?",
            ]),
            [
                of("Alba", "Hot?"),
                of("joven Alba", "It is."),
                of("hombre", "Go!"),
                of("Alfonso XIII en inglés", "Thanks."),
                of("?", "[Door creaks] Who is it?"),
            ]
        );
    }

    #[test]
    fn a_name_holds_for_its_sentence_where_dashes_tell_the_other_turns() {
        assert_eq!(
            told(&["[Ada] It is", "hot.", "Very.", "- Yes.\n- No.", "[Ben] Go."]),
            [
                of("Ada", "It is"),
                of("", "hot."),
                of("?", "Very."),
                of("?", "Yes."),
                of("?", "No."),
                of("Ben", "Go."),
            ]
        );
        assert_eq!(
            told(&[
                "Ada: It is hot.",
                "Very.",
                "Ben: Yes.",
                "Ada: Good.",
                "Ben: No."
            ])[1],
            of("", "Very.")
        );
    }

    #[test]
    fn a_name_in_lower_case_stands_out_among_capitals() {
        assert_eq!(
            told(&[
                "Ada: HOT?",
                "Ben: YES.",
                "Ada: GOOD.",
                "Ben: GO.",
                "Both:\nOH, NO.",
                "NOTE: IT IS"
            ])[4..],
            [of("Both", "OH, NO."), of("?", "NOTE: IT IS")]
        );
    }

    #[test]
    fn a_sound_between_blanks_is_nobody_and_who_is_described_holds_for_a_sentence() {
        assert_eq!(
            told(&[
                "Ada: HOT?",
                "[ Clang ] YES.",
                "Both: GOOD.",
                "GO.",
                "Ada: NO.",
                "Both: GO."
            ]),
            [
                of("Ada", "HOT?"),
                of("?", "YES."),
                of("Both", "GOOD."),
                of("?", "GO."),
                of("Ada", "NO."),
                of("Both", "GO."),
            ]
        );
    }
}
