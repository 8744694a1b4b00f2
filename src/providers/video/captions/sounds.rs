//! Owns what is heard in captions beside words, and how it is told: sounds and directions between brackets.

/// Sounds that stand in captions where nobody speaks.
const SOUNDS: [&str; 6] = [
    "[music]",
    "[applause]",
    "[laughter]",
    "[cheering]",
    "[silence]",
    "(music)",
];

/// What is heard in a remark between brackets that says so among words: `[DOOR SLAMS]`.
const NOISES: &str = " applause applauding beep beeping beeps bell buzzing buzzes cheering cheers chuckles chuckling clang clanging \
    clapping claps clears coughs coughing crying exhales footsteps gags gasp gasps giggle giggles giggling grunt grunts inhales \
    laugh laughing laughs laughter music noise playing ringing rings sigh sighs silence slams sniffs sobs whispering whistling \
    aplauso aplausos carcajadas carraspea música ríe ríen riendo risa risas risita risitas suspira suspiro suspiros \
    applaudissements musique rire rires rit soupir soupire applaus beifall gelächter lachen lacht musik seufzt \
    aplausos risos palmas applausi musica risate ";
/// Sounds of a hall, which nobody says between round brackets.
const OF_A_HALL: &str = " applause cheering cheers chuckles laughing laughs laughter music aplausos risas applaudissements rires beifall \
    applaus gelächter applausi risate risos ";
/// Words that begin what a writer added to what is said, and no sound: `we saw [the kiln]`.
const ADDED: &str = " a an and are as at he her his i in inaudible is it its my of on or our she that the their they this to unclear was we were which who \
    with you your el la los las un una le les des der die das ein eine ";

/// No remark among words is longer, in bytes.
const BYTES_MAX: usize = 60;

/// The line with a blank in the place of each sound; one pass, since a line may be as long as a file.
pub(super) fn without(line: &str) -> String {
    let mut quiet = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(['[', '(']) {
        let (before, tail) = rest.split_at(at);
        // Blanks never pile up, since what stands behind them is looked at for each bracket.
        quiet.push_str(match quiet.ends_with(' ') {
            true => before.trim_start(),
            false => before,
        });
        let sound = match quiet.ends_with(char::is_alphanumeric) {
            true => named_sound(tail),
            false => named_sound(tail).or_else(|| remark(&quiet, tail)),
        };
        let skipped = match sound {
            Some(length) => {
                if !quiet.ends_with(' ') {
                    quiet.push(' ');
                }
                length
            }
            None => {
                quiet.extend(tail.chars().next());
                1
            }
        };
        rest = tail.get(skipped..).unwrap_or_default();
    }
    quiet.push_str(rest);
    quiet
}

/// The bytes of a sound that is always written so.
fn named_sound(tail: &str) -> Option<usize> {
    SOUNDS.iter().map(|sound| sound.len()).find(|length| {
        tail.get(..*length)
            .is_some_and(|head| SOUNDS.contains(&head.to_ascii_lowercase().as_str()))
    })
}

/// The bytes of a remark on what is heard, with `before` it: a few words between brackets of which one is a noise, that have blanks
/// at the brackets, or that begin in lower case where a sentence ends or a line does. Round brackets hold words that are said as
/// well: there they are in capitals, or sounds of a hall alone.
fn remark(before: &str, tail: &str) -> Option<usize> {
    let is_square = tail.starts_with('[');
    let close = if is_square { b']' } else { b')' };
    let head = tail.as_bytes().get(..BYTES_MAX.min(tail.len()))?;
    let end = head.iter().position(|byte| *byte == close)?;
    let inside = tail.get(1..end)?;
    let after = tail.get(end + 1..)?;
    let is_shouted = !inside.contains(char::is_lowercase);
    let is_remark = if is_square {
        names_noise(inside) || is_spaced(inside) || is_direction(before, inside, after)
    } else {
        is_shouted && names_noise(inside) || is_of_hall(inside)
    };
    is_remark.then_some(end + 1)
}

/// Whether one of these words is a noise.
pub(super) fn names_noise(words: &str) -> bool {
    words.split(' ').any(|word| is_among(word, NOISES))
}

fn is_among(word: &str, list: &str) -> bool {
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
    !bare.is_empty() && list.contains(&format!(" {} ", bare.to_lowercase()))
}

/// Whether blanks stand at both brackets, around words: `[ Clang ]`.
fn is_spaced(inside: &str) -> bool {
    inside.starts_with(' ') && inside.ends_with(' ') && is_of_words(inside.trim())
}

/// Whether what brackets hold is how something is said or what is heard meanwhile: it begins in lower case, and what is said goes not
/// on across it.
fn is_direction(before: &str, inside: &str, after: &str) -> bool {
    let before = before.trim_end();
    let is_at_border = before.is_empty()
        || before.ends_with(['.', '?', '!', '…', '-', '"', '”'])
        || after.trim().is_empty();
    let first = inside.split(' ').next().unwrap_or_default();
    is_at_border
        && inside.starts_with(char::is_lowercase)
        && first.chars().nth(2).is_some()
        && is_of_words(inside)
        && !is_among(first, ADDED)
}

fn is_of_words(text: &str) -> bool {
    let is_of_word = |c: char| c.is_alphabetic() || matches!(c, ' ' | ',' | '-' | '\'' | '’' | '.');
    text.contains(char::is_alphabetic) && text.chars().all(is_of_word)
}

/// Whether all of these words are sounds of a hall: `Applause.`, `laughter and applause`.
fn is_of_hall(inside: &str) -> bool {
    inside
        .split(' ')
        .filter(|word| !matches!(*word, "and" | "y" | "et" | "und" | "e"))
        .all(|word| is_among(word, OF_A_HALL))
}

/// Whether a line is nothing but how something is said or done, between round brackets: `(quietly):`, `(all cheering)`.
pub(super) fn is_aside(line: &str) -> bool {
    let inside = line
        .trim_end_matches(':')
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'));
    inside.is_some_and(|inside| {
        let count = inside.split(' ').count();
        let is_of_manner = |word: &str| ["ly", "ing"].iter().any(|end| word.ends_with(end));
        inside.chars().all(|c| c.is_lowercase() || c == ' ')
            && (names_noise(inside) || count <= 2 && inside.split(' ').any(is_of_manner))
            && inside.len() < BYTES_MAX
    })
}

#[cfg(test)]
mod tests {
    use super::{is_aside, without};

    fn said(line: &str) -> String {
        without(line)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn what_is_heard_is_not_said_inside_a_caption_either() {
        for (line, words) in [
            ("Sí. [risita] Son aquí.", "Sí. Son aquí."),
            ("[ Clang ] OH!", "OH!"),
            ("It is hot. [Laughter] Very.", "It is hot. Very."),
            ("Thank you. (Applause.) Now", "Thank you. Now"),
            ("Thank you. (Laughter and applause.)", "Thank you."),
            ("[riendo] ¿Qué?", "¿Qué?"),
            ("It glows. [breathing hard]", "It glows."),
        ] {
            assert_eq!(said(line), words, "{line}");
        }
    }

    #[test]
    fn what_is_said_between_brackets_stays() {
        for line in [
            "a[0] and a list [a, b]",
            "we saw [the kiln] glow",
            "the heat (which is great) rises",
            "an index [i] of it",
            "we play (the bell) here",
        ] {
            assert_eq!(said(line), line);
        }
    }

    #[test]
    fn a_line_of_how_something_is_said_is_none_of_it() {
        for line in ["(quietly):", "(all cheering)", "(gags)"] {
            assert!(is_aside(line), "{line}");
        }
        for line in ["(SQL)", "(which is great)", "quietly"] {
            assert!(!is_aside(line), "{line}");
        }
    }

    #[test]
    fn a_line_of_sounds_alone_is_read_in_one_pass() {
        assert_eq!(said(&"[abc] ".repeat(200_000)), "");
    }
}
