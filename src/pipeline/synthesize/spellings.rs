//! Knows how a text writes its words inside sentences, so that a heading that shouts can be told quietly.

use super::words::words;
use skillkiln_document::quick::QuickMap;

/// A heading with fewer letters may be an acronym.
const LETTERS_MIN: usize = 6;
/// A word that stands so much more seldom without a capital than with one is a name, or a noun of German.
const CAPITALS: u32 = 3;

/// A word that stands so often, and in capitals alone, is an acronym: headings that shout are fewer.
const ACRONYM: u32 = 4;

/// How often each word of a text stands in small letters, with a capital, and in capitals, by its small letters.
pub(super) struct Spellings {
    times: QuickMap<String, [u32; 3]>,
    /// Whether nouns have capitals in its language.
    has_great_nouns: bool,
}

impl Spellings {
    /// Of a text.
    pub(super) fn of(text: &str, has_great_nouns: bool) -> Self {
        let mut times: QuickMap<String, [u32; 3]> = QuickMap::default();
        for word in words(text) {
            let of_word = times.entry(word.to_lowercase()).or_default();
            if let Some(times) = of_word.get_mut(spelling(word)) {
                *times += 1;
            }
        }
        Self {
            times,
            has_great_nouns,
        }
    }

    /// `told`, which is what a heading that shouts says, with each word as the text writes it inside sentences, if it does: "add
    /// all pots" of "ADD ALL POTS".
    pub(super) fn quiet(&self, told: &str) -> String {
        let is_part = |c: char| c.is_alphanumeric();
        let mut out = String::with_capacity(told.len());
        for piece in told.split_inclusive(|c: char| !is_part(c)) {
            let (word, end) = piece.split_at(piece.trim_end_matches(|c| !is_part(c)).len());
            let lower = word.to_lowercase();
            match self.times.get(&lower) {
                Some([small, great, capitals]) if *small > 0 && small * CAPITALS >= *great => {
                    // A heading of the word in capitals is no sentence that has it so.
                    let is_acronym = *capitals > small * CAPITALS;
                    out.push_str(if is_acronym { word } else { &lower });
                }
                Some([_, great, _]) if self.has_great_nouns && *great > 0 => {
                    out.push_str(&super::describe::capitalised(&lower));
                }
                Some([0, 0, capitals]) if *capitals >= ACRONYM => {
                    out.push_str(&word.to_uppercase());
                }
                _ => out.push_str(word),
            }
            out.push_str(end);
        }
        out
    }
}

/// Whether a heading is in capitals throughout.
pub(super) fn shouts(heading: &str) -> bool {
    let letters = || heading.chars().filter(|c| c.is_alphabetic());
    letters().count() >= LETTERS_MIN && !letters().any(char::is_lowercase)
}

/// How a word is written: 0 small, 1 with a capital, 2 in capitals. A single letter in capitals is one with a capital.
fn spelling(word: &str) -> usize {
    let mut letters = word.chars().filter(|c| c.is_alphabetic());
    match letters.next().is_some_and(char::is_uppercase) {
        false => 0,
        true if letters.next().is_some_and(char::is_uppercase) => 2,
        true => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_that_shouts_is_told_as_sentences_have_its_words() {
        let text = "Add a pot and run it. ADD A POT TO THE API. The API is open. All pots add up, and they run all day.";
        let spellings = Spellings::of(text, false);
        assert_eq!(
            spellings.quiet("ADD ALL pots to the API"),
            "add all pots to the API"
        );
        let acronym = Spellings::of("DNSSEC signs. With DNSSEC, DNSSEC is DNSSEC.", false);
        assert_eq!(acronym.quiet("keys of dnssec"), "keys of DNSSEC");
        assert!(shouts("ADD ALL POTS") && !shouts("ADD all pots") && !shouts("API 2"));
    }

    #[test]
    fn a_noun_of_german_has_its_capital() {
        let text =
            "Das Format steht mit dem Stil in der Datei. Die Datei ist im Format mit Optionen.";
        let spellings = Spellings::of(text, true);
        assert_eq!(
            spellings.quiet("format MIT optionen"),
            "Format mit Optionen"
        );
    }
}
