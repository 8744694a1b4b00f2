//! Owns how a sentence is made to fit the place at a description's beginning, and whether it may stand there.

use super::words::{LEADING_ON, RESERVATIONS, TELLS, is_in};
use crate::pipeline::synthesize::headlines::is_personal;
use crate::pipeline::synthesize::wording::ages_or_fills;
use skillkiln_document::orders;
use skillkiln_document::text::squash;

/// The opening must leave room for the use within the first 250 characters (V038).
pub(in crate::pipeline::synthesize) const OPENING_CHARS_MAX: usize = 200;
/// What a cut sentence still has to say.
const CUT_CHARS_MIN: usize = 40;

/// A sentence that is too long, without what it says in brackets or in a clause behind its main one.
pub(super) fn shortened(sentence: &str, room: usize) -> String {
    if sentence.chars().count() <= room {
        return sentence.to_owned();
    }
    let bare = without_brackets(sentence);
    // What is left out may not turn what is said round.
    let kept = bare.split(' ').count();
    if reservations(sentence) > reservations(&bare) {
        return sentence.to_owned();
    }
    if bare.chars().count() <= room && kept > 3 {
        return bare;
    }
    let end = [
        ", created by ",
        ", developed by ",
        ", maintained by ",
        ", written by ",
        "; ",
        " – ",
        " — ",
        " -- ",
        ", which ",
        ", where ",
        ", including ",
        ", such as ",
        ", so that ",
        ", with ",
        ", and ",
        ": ",
    ]
    .iter()
    .find_map(|border| {
        bare.match_indices(border)
            .map(|(at, _)| at)
            .filter(|at| {
                let chars = bare.get(..*at).map_or(0, |head| head.chars().count());
                let head = bare.get(..*at).unwrap_or_default();
                // By whom it was made is none of what is listed.
                let cuts_a_list =
                    border.starts_with(", ") && !border.ends_with(" by ") && head.contains(", ");
                (CUT_CHARS_MIN..room).contains(&chars)
                    && !cuts_a_list
                    && reservations(head) == reservations(&bare)
            })
            .last()
    });
    match end.and_then(|end| bare.get(..end)) {
        Some(head) => format!("{head}."),
        None => bare,
    }
}

/// What a sentence says of its subject before it turns to its reader: "Kiln is a library that fires pots of clay" of "… of clay so that
/// you can eat". None where it speaks to the reader first, or where what is left out narrows or takes back what is said: only what
/// something is for, or what is told of it besides, can go.
pub(super) fn before_reader(sentence: &str) -> Option<String> {
    const BORDERS: [&str; 9] = [
        ", ",
        " so that ",
        " to give ",
        " to help ",
        " to let ",
        " to make ",
        " to save ",
        " to show ",
        " to tell ",
    ];
    const OF_READER: [&str; 5] = [" from ", " in ", " into ", " of ", " on "];
    let reader = [
        " you ",
        " you'",
        " you’",
        " your ",
        " yourself",
        " we ",
        " our ",
    ]
    .iter()
    .filter_map(|word| sentence.find(word))
    .min()?;
    let before = sentence.get(..reader + 1)?;
    // Of what is the reader's, only whose it is goes: "is a library for firing the pots of your guests".
    let is_defining = [" is a ", " is an ", " is the "]
        .iter()
        .any(|verb| before.contains(verb));
    let of_reader = OF_READER
        .iter()
        .filter(|_| {
            is_defining
                && sentence
                    .get(reader..)
                    .is_some_and(|rest| rest.starts_with(" your "))
        })
        .filter_map(|border| Some((before.strip_suffix(border)?.len(), border)));
    let (at, border) = BORDERS
        .iter()
        .filter_map(|border| before.rfind(border).map(|at| (at, border)))
        .chain(of_reader)
        .max_by_key(|(at, _)| *at)?;
    let head = before.get(..at)?.trim_end_matches(',');
    let last = head.rsplit(' ').next().unwrap_or_default();
    let cuts_a_list = *border == ", " && head.contains(", ");
    let is_whole = head.chars().count() >= CUT_CHARS_MIN
        && !cuts_a_list
        && head.matches('(').count() == head.matches(')').count()
        && !is_in(LEADING_ON, &last.to_lowercase())
        && !sentence.to_lowercase().contains(" only ")
        && reservations(head) == reservations(sentence)
        // What holds under a condition is not said without it.
        && ![" if ", " when "].iter().any(|word| sentence.contains(word));
    is_whole.then(|| format!("{head}."))
}

/// How many words of a text deny or except something.
fn reservations(text: &str) -> usize {
    text.to_lowercase()
        .split(|c: char| !c.is_alphabetic() && c != '\'' && c != '’')
        .filter(|word| is_in(RESERVATIONS, word) || word.ends_with("n't") || word.ends_with("n’t"))
        .count()
}

pub(super) fn without_brackets(text: &str) -> String {
    let mut depth = 0_usize;
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' if depth > 0 => depth -= 1,
            _ if depth == 0 => out.push(c),
            _ => {}
        }
    }
    squash(&out).replace(" .", ".").replace(" ,", ",")
}

/// A sentence without what leads to a note at the foot of its page or to a list of literature: "Kiln ¹ is much like Oven [8, 12]."
pub(super) fn without_notes(sentence: &str) -> String {
    let is_raised = |word: &str| {
        word.chars()
            .all(|c| matches!(c, '¹' | '²' | '³' | '⁰' | '⁴'..='⁹'))
    };
    let mut out = String::with_capacity(sentence.len());
    let mut is_listing = false;
    for word in sentence.split(' ') {
        let (bare, stop) = match word.strip_suffix(['.', ',', ';', ':']) {
            Some(bare) if bare.ends_with(']') => (bare, word.get(bare.len()..).unwrap_or_default()),
            _ => (word, ""),
        };
        let opens = bare.strip_prefix('[');
        let inner = opens
            .filter(|_| !out.is_empty())
            .or(is_listing.then_some(bare));
        let is_number = inner.is_some_and(|inner| {
            let inner = inner.trim_end_matches([']', ',']);
            !inner.is_empty()
                && inner
                    .chars()
                    .all(|c| c.is_ascii_digit() || matches!(c, ',' | '-' | '–'))
        });
        // "As is told in [8]" has lost what it says without.
        let before = out.rsplit(' ').next().unwrap_or_default();
        let is_number = is_number && (is_listing || !is_in(LEADING_ON, before) && before != "see");
        is_listing = is_number && !bare.ends_with(']');
        if is_number {
            out.push_str(stop);
        } else if out.is_empty() || !is_raised(word) {
            if !out.is_empty() {
                out.push(' ');
            }
            out.push_str(word);
        }
    }
    out
}

/// A line with a full stop at its end.
pub(super) fn ended(sentence: &str) -> String {
    let trimmed = sentence.trim_end_matches([':', ',', ';', ' ']);
    if trimmed.ends_with(['.', '!', '?', '。', '…']) {
        trimmed.to_owned()
    } else {
        format!("{trimmed}.")
    }
}

/// Whether a sentence says that something is told, and of what only that it is new: "Describes the new mechanism."
fn is_void(sentence: &str) -> bool {
    let Some((verb, rest)) = sentence.split_once(' ') else {
        return false;
    };
    let names_one =
        rest.contains(char::is_uppercase) || rest.contains(|c: char| c.is_ascii_digit());
    is_in(TELLS, &verb.to_lowercase()) && rest.starts_with("the new ") && !names_one
}

/// Whether words point at what stands above or below them, as those that only say where a thing is do not: "above a limit".
fn points_around(lower: &str) -> bool {
    let words: Vec<&str> = lower.split_whitespace().collect();
    words.iter().enumerate().any(|(at, word)| {
        let next = words.get(at + 1).copied().unwrap_or_default();
        let is_of_place = matches!(next, "a" | "an" | "the" | "its" | "zero")
            || next.starts_with(|c: char| c.is_ascii_digit());
        matches!(*word, "above" | "below") && !is_of_place
    })
}

/// Whether words, in lower case, end with one that leads to a noun, which is missing: "The kiln provides a", of what a list goes on with.
fn breaks_off(lower: &str) -> bool {
    const LEADS: [&str; 10] = [
        "a", "an", "and", "of", "or", "than", "the", "their", "to", "its",
    ];
    lower
        .split_whitespace()
        .next_back()
        .is_some_and(|last| LEADS.contains(&last))
}

/// Whether a sentence may open a description: it stands without what is around it, and says something that lasts.
pub(super) fn opens_well(sentence: &str) -> bool {
    let least = if sentence.is_ascii() { 24 } else { 14 };
    sentence.chars().count() >= least && stands_alone(sentence)
}

/// The same of a sentence of any length: what a page says below its own name is seldom long.
pub(super) fn stands_alone(sentence: &str) -> bool {
    let lower = format!(
        " {} ",
        sentence
            .to_lowercase()
            .replace([',', '.', ';', ':', '(', ')', '\u{2019}', '\''], " ")
    );
    sentence.chars().count() <= OPENING_CHARS_MAX
        && sentence.ends_with(['.', '!', '。'])
        && !sentence.ends_with("..")
        // So ends what leads to the number of a page.
        && !sentence.ends_with(" .")
        && !breaks_off(&lower)
        // So begins what is told beside something else.
        && ![" in addition ", " other "]
            .iter()
            .any(|lead| lower.starts_with(lead))
        && !sentence.contains(['<', '>', '`', '{', '\n'])
        // Signs of formulas and of listings.
        && !sentence.contains(|c| matches!(c, '\u{2190}'..='\u{27bf}'))
        && !["://", "->"]
            .iter()
            .any(|mark| sentence.contains(mark))
        // To a check for the first person, the option -I is one; a small `i` is an article in Italian.
        && !sentence
            .replace("I/O", "IO")
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| word == "I")
        && ![
            " we ",
            " you ",
            " your ",
            " our ",
            " my ",
            " us ",
            " let s ",
            " me ",
            " currently ",
            " step 1 ",
            " step 2 ",
            " step 3 ",
            " step 4 ",
            " step one ",
            " step two ",
            " step three ",
            " todo ",
            " previous ",
            " following ",
            " cookies ",
            " subscribe ",
            " sign ",
            " keep a changelog ",
            " semantic versioning ",
            " reverse chronological ",
            " copyright ",
            " current version of ",
            " stable version of ",
            " latest version of ",
            " development version ",
            " development docs ",
            " permission is granted ",
            " licensed under ",
            " distributed under ",
            " released under ",
            " general public license ",
            " this task ",
            " warranty ",
            " this chapter ",
            " this section ",
            " this page ",
            " last updated ",
            " gratefully ",
            " deceased ",
            " marked with ",
            " must be ",
            " then ",
            " step 1 ",
            " ich ",
            " wir ",
            " sie ",
            " nous ",
            " vous ",
            " je ",
        ]
        .iter()
        .any(|word| lower.contains(word))
        && !points_around(&lower)
        && ![
            " this ",
            " these ",
            " it ",
            " they ",
            " that ",
            " but ",
            " and ",
            " so ",
            " however ",
            " here ",
            " as a consequence ",
            " as a result ",
            " consequently ",
            " hence ",
            " therefore ",
            " thus ",
        ]
        .iter()
        .any(|word| lower.starts_with(word))
        && ![" these ", " those ", " such "]
            .iter()
            .any(|word| lower.replace(" such as ", " ").contains(word))
        // As a check reads it, the macros `-me` are somebody.
        && !is_personal(&sentence.replace("I/O", "IO"))
        && !is_void(sentence)
        && !ages_or_fills(sentence)
        && !orders::is_order(sentence)
}

#[cfg(test)]
mod tests {
    use super::{opens_well, without_notes};

    #[test]
    fn what_leads_to_notes_and_literature_is_left_out_of_a_sentence() {
        for (sentence, told) in [
            (
                "Kiln ¹ is much like Oven [8, 12] except that it fires.",
                "Kiln is much like Oven except that it fires.",
            ),
            ("Kiln is like Oven [8].", "Kiln is like Oven."),
            ("Kiln is told of in [8, 9].", "Kiln is told of in [8, 9]."),
            (
                "Kiln takes 3 m² and a [door] of 8 [m].",
                "Kiln takes 3 m² and a [door] of 8 [m].",
            ),
        ] {
            assert_eq!(without_notes(sentence), told);
        }
    }

    #[test]
    fn a_sentence_that_points_at_what_is_around_it_opens_nothing() {
        for (sentence, opens) in [
            (
                "niceload: slow down a program when the load is above a certain limit.",
                true,
            ),
            ("Keeps the kiln below 900 degrees for a whole night.", true),
            ("Fires the kiln as the figure above tells in detail.", false),
            ("Fires the kiln with the options below.", false),
            ("Firing the kiln by night and by day .", false),
            ("The above example fires the kiln for a night.", false),
            ("The Clay Project provides kilns and a.", false),
        ] {
            assert_eq!(opens_well(sentence), opens, "{sentence}");
        }
    }
}
