//! Owns which hyphen at a line's end belongs to the word there, and which one only breaks it: told by the words that a document uses
//! inside its lines.

use std::collections::HashSet;

/// Words behind a hyphen that stands for what is left out: `two- and threefold`.
const CONJUNCTIONS: [&str; 8] = ["and", "but", "nor", "und", "oder", "bzw", "than", "versus"];
/// Such words that are the end of many another as well.
const SHORT_CONJUNCTIONS: [&str; 6] = ["or", "et", "ou", "y", "o", "e"];

/// Words that begin no word of several: behind one of them a line's end broke another word, as in `for-get`.
const BEGIN_NONE: [&str; 13] = [
    "and", "are", "but", "for", "had", "has", "her", "his", "our", "the", "was", "were", "with",
];

/// A document breaks words where so many of them also stand inside its lines, and so many times as many as are joined there.
const BREAKS_MIN: usize = 8;
const BREAKS_TIMES: usize = 4;

/// The half of a word before the hyphen at the end of a line, or that at the beginning of one, in lower case.
fn half(line: &str, is_end: bool) -> Option<String> {
    let is_whole = |word: &str| word.len() > 1 && word.chars().all(char::is_alphabetic);
    let word = match is_end {
        true => line
            .split_whitespace()
            .next_back()?
            .strip_suffix(is_hyphen)?,
        false => line.split_whitespace().next()?,
    };
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    is_whole(word).then(|| word.to_lowercase())
}

/// The words that a document uses inside its lines.
#[derive(Debug, Default)]
pub(crate) struct Words {
    words: HashSet<String>,
    /// Whether its lines end in hyphens that break words, again and again, and hardly in others.
    breaks: bool,
}

/// Whether words go on with the one that joins halves of words, where none can be broken: "and `B`-pots" behind "`A`-".
pub(crate) fn is_joining(words: &str) -> bool {
    let first = words.split_whitespace().next().unwrap_or("");
    CONJUNCTIONS.contains(&first) || SHORT_CONJUNCTIONS.contains(&first)
}

impl Words {
    /// The words of `lines`, without those that a line's end may have cut.
    pub(crate) fn of<T: AsRef<str>>(lines: impl Iterator<Item = T>) -> Self {
        let mut words = HashSet::new();
        // The halves of words at the ends of lines and where the next ones begin.
        let mut halves: Vec<(String, String)> = Vec::new();
        let mut broken = None;
        for line in lines {
            let mut rest = line.as_ref().split_whitespace().peekable();
            if let Some(start) = broken.take() {
                halves.extend(half(line.as_ref(), false).map(|end| (start, end)));
                // The second half of a word is none.
                rest.next();
            }
            broken = half(line.as_ref(), true);
            while let Some(word) = rest.next() {
                if rest.peek().is_none() && word.ends_with(is_hyphen) {
                    continue;
                }
                let shown = word;
                let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
                let word = bare.to_lowercase();
                let is_name = bare.contains(char::is_lowercase)
                    && bare.chars().skip(1).any(char::is_uppercase);
                if is_name && bare.len() <= 60 {
                    words.insert(bare.to_owned());
                }
                let is_option = || {
                    let opened = shown.split_once('-').map(|(before, _)| before);
                    opened.is_some_and(|it| !it.contains(char::is_alphanumeric))
                };
                if word.len() > 1 && word.len() <= 60 && is_option() {
                    words.insert(format!("-{word}"));
                }
                if word.contains('-') {
                    words.extend(word.split('-').filter(|w| w.len() > 2).map(str::to_owned));
                }
                if word.len() > 1 && word.len() <= 60 {
                    words.insert(word);
                }
            }
        }
        let has = |word: &String| words.contains(word);
        let breaks = halves
            .iter()
            .filter(|(start, end)| has(&format!("{start}{end}")));
        let breaks = breaks.count();
        let joins = halves
            .iter()
            .filter(|(start, end)| has(&format!("{start}-{end}")));
        let breaks = breaks >= BREAKS_MIN && breaks >= BREAKS_TIMES * joins.count();
        Self { words, breaks }
    }

    /// Whether the hyphen between `first` and `second`, at a line's end, belongs to the word.
    pub(crate) fn is_hyphenated(&self, first: &str, second: &str) -> bool {
        let (start, end) = (first.to_lowercase(), second.to_lowercase());
        if self.has(&format!("{start}-{end}")) {
            return true;
        }
        if start.contains('-') && !self.is_known(&start, &end) {
            return true;
        }
        if self.has(&format!("{start}{end}")) {
            return false;
        }
        // Of a word of several, its parts may stand elsewhere: `case-by-case`.
        if let Some((next, _)) = end.split_once('-') {
            return !self.has(&format!("{start}{next}")) && self.has(&start) && self.has(next);
        }
        start.len() > 2
            && end.len() > 2
            && self.has(&start)
            && self.has(&end)
            && !BEGIN_NONE.contains(&start.as_str())
    }

    /// Whether the hyphen between `first` and `second`, at a line's end, stands for what is left out: `two-` and `and threefold`.
    pub(crate) fn leaves_out(&self, first: &str, second: &str) -> bool {
        let end = second.split_whitespace().next().unwrap_or("");
        CONJUNCTIONS.contains(&end) && !self.has_joined(first, end)
    }

    /// Whether the document has the name with a capital inside, which the two are the halves of, in one piece: `OldKiln`.
    pub(crate) fn has_name(&self, first: &str, second: &str) -> bool {
        second.starts_with(char::is_uppercase) && self.has(&format!("{first}{second}"))
    }

    /// Whether the document has the option that `name` is called with a hyphen before it.
    pub(crate) fn has_option(&self, name: &str) -> bool {
        let name = name.trim_matches(|c: char| !c.is_alphanumeric());
        self.has(&format!("-{}", name.to_lowercase()))
    }

    /// Whether the document has the two words with a slash between them.
    pub(crate) fn has_pair(&self, first: &str, second: &str) -> bool {
        self.has(&format!("{first}/{second}")) || self.has(&format!("{second}/{first}"))
    }

    /// Whether the document has the word whose halves these are in one piece.
    pub(crate) fn has_joined(&self, first: &str, second: &str) -> bool {
        self.has(&format!(
            "{}{}",
            first.to_lowercase(),
            second.to_lowercase()
        ))
    }

    /// `text`, whose lines were put together with spaces, with the words whole again that their ends broke. Where the document
    /// has the word nowhere else, nothing is changed: a hyphen before a space may be meant.
    pub(crate) fn mended(&self, text: &str) -> Option<String> {
        let mut out = String::new();
        let mut from = 0;
        for (at, hyphen) in text.match_indices(is_hyphen) {
            let behind = at + hyphen.len();
            let (before, after) = text.split_at(at);
            let first = before.rsplit(char::is_whitespace).next().unwrap_or("");
            let first =
                first.trim_start_matches(['(', '[', '"', '\'', '`', '“', '‘', '*', '_', '$']);
            let Some(after) = after
                .get(hyphen.len()..)
                .and_then(|rest| rest.strip_prefix(' '))
            else {
                continue;
            };
            let length = after.find(|c: char| !c.is_alphanumeric() && c != '_');
            let second = after.get(..length.unwrap_or(after.len())).unwrap_or("");
            // The name of a setting is broken as words are: `multi_door_wrap- per`.
            let is_of_word = |c: char| c.is_alphabetic() || c == '_' || is_hyphen(c);
            let is_word = |word: &str| word.chars().all(is_of_word);
            let breaks = second.starts_with(char::is_lowercase)
                && first.starts_with(char::is_alphabetic)
                && first.ends_with(char::is_alphabetic)
                && is_word(first)
                && is_word(second);
            if !breaks {
                continue;
            }
            let (start, end) = (first.to_lowercase(), second.to_lowercase());
            // The sign that only breaks words is never a word's own.
            let is_left_out = CONJUNCTIONS.contains(&end.as_str());
            let only_breaks = (hyphen != "-" || self.breaks) && !is_left_out;
            if self.joins(&start, &end) {
                out.push_str(text.get(from..behind).unwrap_or(""));
            } else if only_breaks || self.is_known(&start, &end) {
                out.push_str(text.get(from..at).unwrap_or(""));
            } else {
                continue;
            }
            from = behind + 1;
        }
        (from > 0).then(|| out + text.get(from..).unwrap_or(""))
    }

    /// Whether the document has the two words with a hyphen between them; or each of them alone, and not as one word, where no
    /// conjunction shows that the hyphen stands for what is left out.
    fn joins(&self, start: &str, end: &str) -> bool {
        let are_words = start.len() > 2 && end.len() > 2 && self.has(start) && self.has(end);
        self.has(&format!("{start}-{end}"))
            || are_words && !self.is_known(start, end) && !CONJUNCTIONS.contains(&end)
    }

    /// Whether the word that `start` and `end` are the halves of stands inside a line; of several that hyphens join, the last.
    fn is_known(&self, start: &str, end: &str) -> bool {
        let last = start.rsplit('-').next().unwrap_or("");
        self.has(&format!("{last}{end}"))
    }

    fn has(&self, word: &str) -> bool {
        self.words.contains(word)
    }
}

/// Whether this is a hyphen, or the mark of where one may be.
pub(crate) fn is_hyphen(character: char) -> bool {
    matches!(character, '-' | '\u{2010}' | '\u{ad}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_that_breaks_words_at_its_lines_breaks_those_that_stand_nowhere_else_too() {
        let broken = [
            "open", "burn", "heat", "wood", "door", "coal", "fire", "cool",
        ];
        let line = |word: &str| format!("It is {word}ing and we {word}-\ning it.");
        let told: Vec<String> = broken.map(line).to_vec();
        let text = told.join("\n");
        let words = Words::of(text.lines());
        let whole = words.mended("It ex- plains two- and three- fold.");
        assert_eq!(whole.as_deref(), Some("It explains two- and threefold."));
        let few = told.first().unwrap();
        assert_eq!(Words::of(few.lines()).mended("It ex- plains."), None);
    }

    #[test]
    fn the_halves_of_a_broken_word_are_no_words_and_words_of_several_keep_their_hyphens() {
        let words = Words::of(["The admin of it, by case, an admin-", "istrator of it."].iter());
        assert!(!words.is_hyphenated("admin", "istrator"));
        assert!(words.is_hyphenated("case", "by-case"));
        assert!(!words.is_hyphenated("ad", "min-like"));
    }

    #[test]
    fn the_sign_that_breaks_words_goes_also_where_the_word_stands_nowhere_else() {
        let words = Words::of(["old kilns burn"].iter());
        assert_eq!(
            words.mended("It is ex\u{2010} plained, ex- plained, two\u{2010} and more."),
            Some("It is explained, ex- plained, two\u{2010} and more.".to_owned())
        );
    }

    #[test]
    fn a_word_that_a_line_broke_is_whole_where_the_document_has_it_elsewhere() {
        let words = Words::of(
            [
                "The environment of the man-db, correctly.",
                "It is re-sent, and the tracking of a bug.",
                "Set multi_door_wrapper below config_directory.",
            ]
            .iter(),
        );
        for (broken, whole) in [
            (
                "an environ- ment, cor- rectly",
                Some("an environment, correctly"),
            ),
            ("the man- db and re- sent", Some("the man-db and re-sent")),
            ("the bug- tracking system", Some("the bug-tracking system")),
            (
                "the multi_door_wrap- per of $con- fig_directory",
                Some("the multi_door_wrapper of $config_directory"),
            ),
            // A hyphen may be meant, and a word unknown.
            ("bug- and fault-finding", None),
            ("two- and threefold", None),
            ("com- pression", None),
            ("--cor- rectly /x/cor- rectly", None),
        ] {
            assert_eq!(words.mended(broken).as_deref(), whole, "{broken}");
        }
    }
}
