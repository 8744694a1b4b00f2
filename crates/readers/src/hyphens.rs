//! Owns which hyphen at a line's end belongs to the word there, and which one only breaks it: told by the words that a document uses
//! inside its lines.

use std::collections::HashSet;

/// Words behind a hyphen that stands for what is left out: `two- and threefold`.
const CONJUNCTIONS: [&str; 8] = ["and", "but", "nor", "und", "oder", "bzw", "than", "versus"];

/// Words that begin no word of several: behind one of them a line's end broke another word, as in `for-get`.
const BEGIN_NONE: [&str; 13] = [
    "and", "are", "but", "for", "had", "has", "her", "his", "our", "the", "was", "were", "with",
];

/// Whether a line ends with the first half of a word that its end breaks.
fn is_broken(line: &str) -> bool {
    let last = line.split_whitespace().next_back();
    let half = last.and_then(|word| word.strip_suffix(is_hyphen));
    half.is_some_and(|half| {
        let half = half.trim_matches(|c: char| !c.is_alphanumeric());
        half.len() > 1 && half.chars().all(char::is_alphabetic)
    })
}

/// The words that a document uses inside its lines.
#[derive(Debug, Default)]
pub(crate) struct Words {
    words: HashSet<String>,
}

impl Words {
    /// The words of `lines`, without those that a line's end may have cut.
    pub(crate) fn of<T: AsRef<str>>(lines: impl Iterator<Item = T>) -> Self {
        let mut words = HashSet::new();
        let mut broken = false;
        for line in lines {
            let mut rest = line.as_ref().split_whitespace().peekable();
            if std::mem::replace(&mut broken, is_broken(line.as_ref())) {
                // The second half of a word is none.
                rest.next();
            }
            while let Some(word) = rest.next() {
                if rest.peek().is_none() && word.ends_with(is_hyphen) {
                    continue;
                }
                let shown = word;
                let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
                let word = bare.to_lowercase().replace(['\u{2010}', '\u{2011}'], "-");
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
        Self { words }
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

    /// Whether the document has the word whose halves these are in one piece.
    pub(crate) fn has_joined(&self, first: &str, second: &str) -> bool {
        self.has(&format!(
            "{}{}",
            first.to_lowercase(),
            second.to_lowercase()
        ))
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
    matches!(character, '-' | '\u{2010}' | '\u{2011}' | '\u{ad}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_halves_of_a_broken_word_are_no_words_and_words_of_several_keep_their_hyphens() {
        let words = Words::of(["The admin of it, by case, an admin-", "istrator of it."].iter());
        assert!(!words.is_hyphenated("admin", "istrator"));
        assert!(words.is_hyphenated("case", "by-case"));
        assert!(!words.is_hyphenated("ad", "min-like"));
    }
}
