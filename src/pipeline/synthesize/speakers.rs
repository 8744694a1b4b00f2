//! Owns who speaks in a text that is a conversation and who made the entries of a log: names that are no subjects of it.

use super::series::{is_entry, maker};
use super::words::words;
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::quick::{QuickMap, QuickSet};
use skillkiln_document::text::{Inline, plain, squash};

/// So many turns make a conversation, by this many speakers of whom each speaks again.
const TURNS_MIN: usize = 4;
const SPEAKERS_MIN: usize = 2;
/// A name has few words.
const NAME_WORDS_MAX: usize = 3;

/// So many entries of a log end in who made them, and one of so many lines in brackets.
const CREDITS_MIN: usize = 6;
const CREDITED_OF: usize = 5;

/// The words of the names, in lower case, of those who speak in `runs` of blocks, of which `text` is the text, or, where it `is_log`,
/// who made their entries and are thanked in them; none where it is neither conversation nor log.
pub(super) fn of(runs: &[&[Block]], text: &str, is_log: bool) -> QuickSet<String> {
    let mut speakers = of_text(text);
    if is_log {
        speakers.extend(thanked(text).flat_map(words_of));
        speakers.extend(credited(text).flat_map(words_of));
    }
    let mut has_entries = false;
    // Nobody has to guess what stands in bold before what is said in a recording.
    for block in runs.iter().copied().flatten() {
        if let BlockKind::Paragraph(words) = &block.kind
            && let [Inline::Strong(name), Inline::Text(rest), ..] = words.as_slice()
            && block.span.seconds().is_some()
            && rest.starts_with(": ")
        {
            speakers.extend(words_of(&plain(name)));
        }
        match &block.kind {
            BlockKind::Heading { text, .. } => {
                let heading = squash(&plain(text));
                if is_entry(&heading) {
                    has_entries = true;
                    speakers.extend(maker(&heading).into_iter().flat_map(words_of));
                }
            }
            BlockKind::Paragraph(words) if has_entries => speakers.extend(of_fields(words)),
            _ => {}
        }
    }
    speakers
}

/// The words of the fields of an entry that tell of it and of people: `commit`, `Author`, and the name behind that.
fn of_fields(words: &[Inline]) -> impl Iterator<Item = String> {
    let lines = words.iter().filter_map(|inline| match inline {
        Inline::Text(line) => Some(line.as_str()),
        _ => None,
    });
    let told = |line: &str| {
        let (name, value) = line.split_once(": ").or_else(|| line.split_once(' '))?;
        let is_field = line.starts_with("commit ")
            || value.contains('@') && name.split(' ').count() == 1
            || name.ends_with("Date");
        is_field.then(|| format!("{name} {value}"))
    };
    lines
        .filter_map(told)
        .flat_map(|told| words_of(&told).collect::<Vec<_>>())
}

/// The names in a log of those who are thanked or told as makers: two or three words with capitals behind `by`, `from` or `thanks`,
/// alone in brackets, or before an address.
fn thanked(text: &str) -> impl Iterator<Item = &str> {
    let is_name = |word: &str| {
        let bare = word.trim_end_matches(['.', ',', ';', ':', ')']);
        bare.chars().count() > 1
            && bare.starts_with(char::is_uppercase)
            && bare.chars().skip(1).any(char::is_lowercase)
            && bare
                .chars()
                .all(|c| c.is_alphabetic() || matches!(c, '-' | '\'' | '’' | '.'))
    };
    let ends = |word: &str| word.ends_with([',', ';', ':', ')', '.']);
    let cues = ["by", "from", "thank", "thanks", "thanks to"];
    let lines = text.lines().flat_map(move |line| {
        let words: Vec<&str> = line.split(' ').filter(|word| !word.is_empty()).collect();
        let mut found = Vec::new();
        let mut at = 0;
        while at < words.len() {
            let run = words.get(at..).unwrap_or_default();
            let open = run.first().is_some_and(|word| word.starts_with('('));
            // An initial may stand between names.
            let is_initial = |word: &str| {
                word.trim_end_matches('.').chars().count() == 1
                    && word.starts_with(char::is_uppercase)
            };
            let goes_on = |(number, word): &(usize, &&str)| {
                is_name(word.trim_start_matches('(')) || *number > 0 && is_initial(word)
            };
            let length = run.iter().enumerate().take_while(goes_on).count();
            let length = run
                .iter()
                .take(length)
                .position(|word| ends(word))
                .map_or(length, |end| end + 1);
            let (name, rest) = run.split_at(length);
            let two = words.get(at.saturating_sub(2)..at).unwrap_or_default();
            let before = two.join(" ").to_lowercase();
            let is_behind = cues
                .iter()
                .any(|cue| before == *cue || before.ends_with(&format!(" {cue}")));
            let is_closed = open && name.last().is_some_and(|word| word.contains(')'));
            let is_mailed = rest
                .first()
                .is_some_and(|word| word.starts_with('<') && word.contains('@'));
            if (2..=NAME_WORDS_MAX).contains(&length) && (is_behind || is_closed || is_mailed) {
                found.extend(name.iter().copied());
            }
            at += length.max(1);
        }
        found
    });
    lines.map(|word| word.trim_matches(|c: char| !c.is_alphabetic()))
}

/// The names in a log of those who are told at the ends of entries: in brackets or behind a dash, where many entries end so, and
/// anywhere by what they are called on a platform (`@ada`).
fn credited(text: &str) -> impl Iterator<Item = &str> {
    let entries = text.lines().filter(|line| line.contains(' ')).count();
    let often = |found: Vec<_>, least: usize| match found.len() >= least.max(CREDITS_MIN) {
        true => found,
        false => Vec::new(),
    };
    // Much else stands in brackets.
    let in_brackets = text.lines().filter_map(bracketed).collect();
    let in_brackets = often(in_brackets, entries / CREDITED_OF);
    let behind_dashes = often(text.lines().filter_map(dashed).collect(), 0);
    let by_sign = text.split_whitespace().filter_map(|word| {
        let name = word.trim_start_matches(['(', '[']).strip_prefix('@')?;
        let end = name.find(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_'));
        let (name, rest) = name.split_at(end.unwrap_or(name.len()));
        // `@kiln/doors` is a package.
        (!name.is_empty() && !rest.starts_with('/')).then_some(name)
    });
    in_brackets.into_iter().chain(behind_dashes).chain(by_sign)
}

/// The name in the brackets at the end of a line.
fn bracketed(line: &str) -> Option<&str> {
    let inner = line.trim_end().strip_suffix(')')?.rsplit_once('(')?.1;
    is_person(inner).then_some(inner)
}

/// The names behind the dash at the end of a line: `Ada Lee, Bo Berg`.
fn dashed(line: &str) -> Option<&str> {
    let names = line.trim_end().rsplit_once(" - ")?.1;
    let is_name = |name: &str| is_person(name) && name.starts_with(char::is_uppercase);
    (names.split(", ").all(is_name) && names.contains(' ')).then_some(names)
}

/// Whether some words may be what somebody is called.
fn is_person(name: &str) -> bool {
    let name = name.trim();
    name.split(' ').count() <= NAME_WORDS_MAX
        && name.starts_with(char::is_alphabetic)
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || " .-_'’".contains(c))
}

/// The words of a name as they are counted, and as they are written.
fn words_of(name: &str) -> impl Iterator<Item = String> {
    let written = name.split_whitespace();
    words(name).chain(written).map(str::to_lowercase)
}

/// The names that lines of a text begin with, where it is a conversation.
fn of_text(text: &str) -> QuickSet<String> {
    let mut turns: QuickMap<&str, usize> = QuickMap::default();
    let mut lines = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        lines += 1;
        // Turns may follow each other in one line, each behind its time: `[00:19] Anna: Yes.`
        for piece in line.split("] ").filter_map(name) {
            *turns.entry(piece).or_default() += 1;
        }
    }
    turns.retain(|_, times| *times > 1);
    let all: usize = turns.values().sum();
    if turns.len() < SPEAKERS_MIN || all < TURNS_MIN || all * 2 < lines {
        return QuickSet::default();
    }
    turns.keys().flat_map(|name| words_of(name)).collect()
}

/// The name that a turn begins with: `Anna:`, `Anna Berg (01:22):`.
fn name(turn: &str) -> Option<&str> {
    let (head, _) = turn.split_once([':', '('])?;
    let name = head.trim();
    let is_name = |word: &str| {
        word.starts_with(char::is_uppercase)
            && word
                .chars()
                .all(|c| c.is_alphanumeric() || "-.'’_".contains(c))
            || word.bytes().all(|byte| byte.is_ascii_digit()) && name.contains(' ')
    };
    let is_timed = || {
        turn.split_once("):")
            .is_some_and(|(time, _)| time.len() < name.len() + 16)
    };
    let is_turn = turn
        .get(head.len()..)
        .is_some_and(|rest| rest.starts_with(": "))
        || is_timed();
    (is_turn && name.split(' ').count() <= NAME_WORDS_MAX && name.split(' ').all(is_name))
        .then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_speaks_in_a_conversation_is_told_from_what_it_is_on() {
        for text in [
            "[00:04] Anna: The kiln is hot. [00:09] Tom: Yes. [00:12] Anna: Open it.\n[00:20] Tom: Not yet: it glows.",
            "Anna (00:04): The kiln is hot.\nTom (00:09): Yes.\nAnna (00:12): Open it.\nTom (00:20): Not yet.",
        ] {
            let mut speakers: Vec<String> = of(&[], text, false).into_iter().collect();
            speakers.sort();
            assert_eq!(speakers, ["anna", "tom"], "{text}");
        }
    }

    #[test]
    fn voices_that_a_program_counted_speak_as_well() {
        for (one, other) in [("SPEAKER_00", "SPEAKER_01"), ("Speaker 1", "Speaker 2")] {
            let text =
                format!("{one}: It is hot.\n{other}: Yes.\n{one}: Open it.\n{other}: Not yet.");
            let speakers = of(&[], &text, false);
            assert!(
                speakers.contains(&one.split(' ').next().unwrap_or("").to_lowercase()),
                "{text}"
            );
        }
    }

    #[test]
    fn who_speaks_in_a_recording_is_told_however_long_it_takes() {
        let words = vec![
            Inline::Strong(vec![Inline::Text("Ada Lee".to_owned())]),
            Inline::Text(": It is hot.".to_owned()),
        ];
        let landmark = skillkiln_document::blocks::Landmark {
            seconds: Some((0.0, 1.0)),
            ..Default::default()
        };
        let block = Block {
            kind: BlockKind::Paragraph(words),
            span: skillkiln_document::blocks::Span::at(0..20, Some(landmark.into())),
        };
        assert!(of(&[&[block]], "Ada Lee: It is hot.", false).contains("lee"));
    }

    #[test]
    fn who_is_thanked_in_a_log_is_no_subject_of_it() {
        let text = "Close the door. Thanks to Ada Lee for the wood.\nBurn coal (Kim M Potter).\nMend the roof, by Tom de Wolf.\n\
                    Clean ash from Old Kilns Of Clay\nBo Berg <bo@kiln.example>\nPort to Mac OS";
        let mut thanked: Vec<String> = of(&[], text, true).into_iter().collect();
        thanked.sort();
        assert_eq!(thanked, ["ada", "berg", "bo", "kim", "lee", "m", "potter"]);
    }

    #[test]
    fn who_made_the_entries_of_a_log_stands_at_their_ends_or_behind_a_sign() {
        let names = ["ada", "Bo Berg", "kim", "tom-w", "ada", "kim"];
        let brackets: String = names
            .map(|name| format!("Mend the door ({name})\n"))
            .concat();
        let credited: Vec<&str> = credited(&brackets).collect();
        assert_eq!(credited, names);
        let dashes = "Mend the door - Ada Lee, Bo Berg\n".repeat(6);
        assert_eq!(super::credited(&dashes).next(), Some("Ada Lee, Bo Berg"));
        let few = "Mend the door (slow)\nIt burns\nOpen (wide)\n";
        assert_eq!(super::credited(few).count(), 0);
        let signs = "Mend it by @ada-lee in #7, use @kiln/doors";
        assert_eq!(super::credited(signs).collect::<Vec<_>>(), ["ada-lee"]);
    }

    #[test]
    fn labels_among_sentences_are_no_speakers() {
        let text = "Note: The kiln is hot.\nIt glows.\nIt cools.\nTip: Wait.\nNote: It is old.\nTip: Buy one.\nIt fires.\nClay dries.\nIt cracks.";
        assert!(of(&[], text, false).is_empty());
    }
}
