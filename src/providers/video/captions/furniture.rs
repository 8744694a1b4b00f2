//! Owns what stands in captions and nobody says: who made them and where they come from, what an editor left in the place of words,
//! and the marks of what is sung.

use super::{Cue, Line};

/// A credit has no more words.
const CREDIT_WORDS_MAX: usize = 12;
/// In a file with so many sung lines, a mark at either end of one is that of a song.
const SUNG_MIN: usize = 2;
/// Marks around lines that are sung; a mark of a question stands for a note that was lost.
const SUNG: [char; 4] = ['?', '*', '#', '♪'];
/// How the line begins that tells who made the captions, in lower case.
const CREDITS: [&str; 59] = [
    "sync by",
    "sync and correct",
    "sync & correct",
    "sync, correct",
    "synced by",
    "synced and correct",
    "synced & correct",
    "synchronized by",
    "synchro par",
    "synchro :",
    "resync",
    "corrected by",
    "corrections by",
    "corrigé par",
    "corrección:",
    "corregido por",
    "sincronizado por",
    "subtitle by",
    "subtitles by",
    "subtitled by",
    "subtitles downloaded",
    "subtitles from",
    "subtitling by",
    "downloaded from",
    "captioned by",
    "captions by",
    "captioning by",
    "captioning made possible",
    "captioning sponsored",
    "translated by",
    "transcript by",
    "ripped by",
    "encoded by",
    "subtitulos por",
    "subtítulos por",
    "subtitulos de",
    "subtítulos de",
    "subtitulado por",
    "subtitulada por",
    "fuente del subt",
    "traducido por",
    "traducción de",
    "traduccion de",
    "difunde la palabra",
    "sous-titres par",
    "sous-titres :",
    "sous-titrage",
    "traduction par",
    "traduction :",
    "untertitel von",
    "untertitel:",
    "untertitelung",
    "übersetzt von",
    "legendas por",
    "legendado por",
    "sottotitoli a cura",
    "napisy:",
    "original air date on",
    "première diffusion le",
];
/// What an editor of captions leaves where there are no words.
const PLACEHOLDERS: [&str; 5] = [
    "EMPTY",
    "BLANK",
    "CREDITS",
    "END CREDITS",
    "OPENING CREDITS",
];
/// Words behind which somebody says an address.
const POINTING: &str =
    " a and at auf bei check de en from go in is my on or our see sur to under via visit von ";

/// Takes what nobody says out of captions; what else stands beside it stays.
pub(super) fn clear(cues: &mut [Cue]) {
    for word in words_of(cues) {
        // A blank that does not break, in another encoding.
        if word.contains("÷÷") {
            *word = word.replace("÷÷", " ");
        }
    }
    let is_shouted = !words_of(cues).any(|word| word.contains(char::is_lowercase));
    let sung = cues.iter().filter(|cue| is_sung(cue)).count();
    let mut points = false;
    for cue in cues.iter_mut() {
        let texts: Vec<String> = cue.lines.iter().map(Line::text).collect();
        let is_credited = texts.iter().any(|text| is_credit(text));
        for (line, text) in std::mem::take(&mut cue.lines).into_iter().zip(&texts) {
            let bare = bare(text);
            let is_placeholder = PLACEHOLDERS.contains(&bare)
                && texts.len() == 1
                && (!is_shouted || bare.len() < text.trim().len());
            let is_address = is_address(bare) && !(points && bare.len() == text.trim().len());
            let is_source = is_credited && (is_address || has_address(text) || is_framed(text));
            let is_furniture = is_credit(text)
                || is_placeholder
                || is_source
                || is_address && (is_web(bare) || is_framed(text));
            if !is_furniture && !is_scratch(text) {
                cue.lines.push(line);
            }
            points = points_on(text);
        }
        if sung >= SUNG_MIN || is_sung(cue) {
            unsung(cue);
        }
    }
}

fn words_of(cues: &mut [Cue]) -> impl Iterator<Item = &mut String> {
    let lines = cues.iter_mut().flat_map(|cue| &mut cue.lines);
    lines.flat_map(|line| line.words.iter_mut().map(|(_, word)| word))
}

/// What a line says without the marks that frame it.
fn bare(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || is_frame(c) || matches!(c, '[' | ']' | '|'))
}

fn is_frame(c: char) -> bool {
    matches!(
        c,
        '=' | '-' | '–' | '—' | '~' | '*' | '_' | '♪' | '#' | '\\'
    )
}

/// Whether marks stand before and behind a line, as around a credit.
fn is_framed(text: &str) -> bool {
    let text = text.trim();
    // Stars and notes stand around what is sung.
    let frame = ['=', '-', '–', '—', '~'];
    let (begins, ends) = (text.starts_with(frame), text.ends_with(frame));
    begins && ends && bare(text).len() < text.len()
}

/// Whether a line tells who made the captions.
fn is_credit(text: &str) -> bool {
    let words = bare(text);
    let lower = words.to_lowercase();
    let begins = CREDITS.iter().any(|credit| lower.starts_with(credit));
    let is_short = words.split_whitespace().count() <= CREDIT_WORDS_MAX;
    // What is said ends; a credit does not.
    let ends = words.ends_with(['.', '?', '!', ',', '…']);
    let is_double = ["==", "-=", "=-"]
        .iter()
        .any(|it| text.trim().starts_with(it));
    let is_marked = is_double && text.trim().ends_with(['=', '-']) && !words.is_empty();
    is_short && !ends && (begins || is_marked)
}

/// Whether these words are an address and nothing else, or the name of somebody on a platform.
fn is_address(words: &str) -> bool {
    let is_one = words.split_whitespace().count() == 1;
    let is_handle = words.strip_prefix('@').is_some_and(|name| {
        name.len() > 1
            && name
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'))
    });
    is_one && (is_handle || is_web(words) || is_domain(words))
}

fn is_web(words: &str) -> bool {
    let lower = words.to_lowercase();
    let begins = ["www.", "http://", "https://", "@"];
    begins.iter().any(|it| lower.starts_with(it))
}

/// Whether a word is the name of a host: `Addic7ed.com`.
fn is_domain(word: &str) -> bool {
    let name = word.split('/').next().unwrap_or(word);
    name.rsplit_once('.').is_some_and(|(host, top)| {
        host.chars().count() > 2
            && (2..=4).contains(&top.len())
            && top.bytes().all(|b| b.is_ascii_alphabetic())
            && host
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.'))
    })
}

/// Whether an address stands among these words.
fn has_address(text: &str) -> bool {
    text.split_whitespace()
        .any(|word| is_web(word) && is_address(word))
}

/// Whether a line leads to an address in the next one.
fn points_on(text: &str) -> bool {
    let last = text.split_whitespace().next_back().unwrap_or_default();
    let lower = last.to_lowercase();
    lower.ends_with(':') || POINTING.contains(&format!(" {lower} "))
}

/// Whether a line is a mark of an editor, without a word.
fn is_scratch(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(|c| c.is_whitespace() || is_frame(c))
        && text.contains(['_', '*', '#', '~', '\\'])
        || matches!(text, "?" | "? ?")
}

/// The mark that the lines of a caption are sung between.
fn song_mark(cue: &Cue) -> Option<char> {
    let (first, last) = (cue.lines.first()?.text(), cue.lines.last()?.text());
    let mark = first.chars().next().filter(|mark| SUNG.contains(mark))?;
    let inside = first.get(mark.len_utf8()..)?;
    let before = last.strip_suffix(mark)?;
    // Glued to its word, a mark of a question may be one.
    let is_apart = mark != '?' || inside.starts_with(' ') && before.ends_with(' ');
    (is_apart && inside.contains(char::is_alphabetic)).then_some(mark)
}

fn is_sung(cue: &Cue) -> bool {
    song_mark(cue).is_some()
}

/// Takes the marks of a song from the lines of a caption. Some scripts set a blank before the mark of a question: a last mark goes only
/// where a first one stood.
fn unsung(cue: &mut Cue) {
    let mut is_open = false;
    for line in &mut cue.lines {
        if let Some((_, word)) = line.words.first_mut() {
            let words = word.trim_start();
            let rest = words.trim_start_matches(|c: char| SUNG.contains(&c) || c == ' ');
            let is_apart = words.starts_with(['♪', '*']) || words.chars().nth(1) == Some(' ');
            if words.starts_with(SUNG) && is_apart {
                *word = rest.to_owned();
                is_open = true;
            }
        }
        if let Some((_, word)) = line.words.last_mut().filter(|_| is_open) {
            let words = word.trim_end();
            let rest = words.trim_end_matches(SUNG);
            if !words.ends_with('?') || rest.ends_with(' ') {
                *word = rest.trim_end().to_owned();
            }
        }
    }
    let says = |line: &Line| line.voice.is_some() || !line.text().is_empty();
    cue.lines.retain(says);
}

#[cfg(test)]
mod tests {
    use super::super::of_file;

    fn said(texts: &[&str]) -> Vec<String> {
        let cue = |(at, text): (usize, &&str)| {
            let (start, end) = (at * 2, at * 2 + 2);
            format!("{at}\n00:00:{start:02},000 --> 00:00:{end:02},000\n{text}\n\n")
        };
        let srt: String = texts.iter().enumerate().map(cue).collect();
        let read = of_file(&srt).unwrap();
        read.into_iter().map(|it| it.text).collect()
    }

    #[test]
    fn who_made_captions_is_not_said_wherever_it_stands() {
        assert_eq!(
            said(&[
                "Downloaded From www.Kilns.org",
                "The kiln is hot.",
                "* Heat of the Kiln *\nOriginal Air Date on October 17, 2013",
                "== sync, corrected by <font color=#0f0>ada</font> ==\n@ada_lee",
                "-= Synchro par ada =-\n-= www.kilns.com =-",
                "It glows.\nwww.subs.net",
                "El calor\nwww.SUBS.es\n-DIFUNDE LA PALABRA-",
                "Subtítulos por <b>Ada</b> - @ada\nEncontranos en la web https://kilns.io",
                "sync & correction by ada\n~ Kilns.com ~",
                "- Synced and corrected by ada9 -\n- www.kilns.com -",
            ]),
            [
                "The kiln is hot.",
                "Heat of the Kiln",
                "It glows.",
                "El calor"
            ]
        );
    }

    #[test]
    fn an_address_that_is_said_stays() {
        let texts = [
            "go to",
            "www.kilns.org",
            "and buy it at Kilns.com",
            "Translated by Ada, it was better.",
            "They sync by hand.",
        ];
        assert_eq!(said(&texts), texts);
    }

    #[test]
    fn what_an_editor_left_in_the_place_of_words_is_not_said() {
        assert_eq!(
            said(&[
                "_ _ EMPTY _ _",
                "It is hot.",
                "\\_",
                "_\nIt glows.",
                "CREDITS",
                "It is EMPTY"
            ]),
            ["It is hot.", "It glows.", "It is EMPTY"]
        );
        assert_eq!(said(&["IT IS", "EMPTY", "NOW"]), ["IT IS", "EMPTY", "NOW"]);
    }

    #[test]
    fn a_blank_of_another_encoding_is_one() {
        assert_eq!(said(&["÷÷WHERE'S÷÷IT?", "8 ÷ 2"]), ["WHERE'S IT?", "8 ÷ 2"]);
    }

    #[test]
    fn what_is_sung_has_no_marks() {
        assert_eq!(
            said(&[
                "? The kiln was hot ?",
                "? and it\nglowed ?",
                "* The door *",
                "# It cools #",
                "? ? The Kiln 2x06 ?",
                "What? Is it?",
                "?Qué es?",
            ]),
            [
                "The kiln was hot",
                "and it glowed",
                "The door",
                "It cools",
                "The Kiln 2x06",
                "What? Is it?",
                "?Qué es?",
            ]
        );
    }
}
