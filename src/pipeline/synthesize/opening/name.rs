//! Owns what a source is called: its whole title, the name in it, and whether that names one thing.

use super::words::{KINDS, NAMELESS, NO_NAMES, is_in};
use crate::domain::text::letters;

/// Two words that begin with so many bytes alike are forms of one.
const STEM_BYTES: usize = 5;

/// What a source is called: the whole of its title, and the name in it.
pub(super) struct Name<'a> {
    /// The whole title.
    pub(super) full: &'a str,
    /// What stands before a dash; else the whole.
    head: &'a str,
    /// What stands behind the dash.
    tail: Option<&'a str>,
}

impl<'a> Name<'a> {
    pub(super) fn of(title: &'a str) -> Self {
        let title = title.trim_matches(|c: char| c == ' ' || c == '-' || c == '–' || c == '—');
        let cut = [" — ", " – ", " -- ", " - "]
            .iter()
            .find_map(|dash| title.split_once(dash))
            // A dash in brackets explains what stands in them.
            .filter(|(head, _)| head.matches('(').count() == head.matches(')').count());
        match cut {
            Some((head, tail)) if head.chars().count() <= 48 => Self {
                full: title,
                head: head.trim(),
                tail: Some(tail.trim()),
            },
            _ => Self {
                full: title,
                head: title,
                tail: None,
            },
        }
    }

    /// How the subject is called where its name begins a sentence: without a tail that explains it.
    pub(super) fn spoken(&self) -> &'a str {
        match self.tail {
            Some(tail) if tail.contains(' ') => self.head,
            // `email.encoders: Encoders` says one thing twice.
            Some(tail) if self.head.to_lowercase().contains(&tail.to_lowercase()) => self.head,
            _ => self.full,
        }
    }

    /// Whether it is the name of one thing, so that a sentence may be said of it: neither the title of a text on it, nor a task, nor
    /// several things.
    pub(super) fn is_noun(&self) -> bool {
        let spoken = self.spoken().to_lowercase();
        let words: Vec<&str> = spoken.split(' ').collect();
        let is_plural = |word: &&str| {
            word.len() > 3
                && word.chars().all(char::is_alphabetic)
                && word.ends_with('s')
                && !word.ends_with("ss")
                && !word.ends_with("us")
        };
        let first = words.first().copied().unwrap_or_default();
        spoken != NAMELESS
            && words.len() <= 5
            && spoken.chars().count() <= 56
            && !first.ends_with("ing")
            && !words.last().is_some_and(is_plural)
            && !words.iter().any(|word| is_in(NO_NAMES, word))
            && !matches!(words.get(1), Some(&"a" | &"an" | &"the"))
    }

    /// Whether a line, in lower case, says no more than the title does.
    pub(super) fn is_said_by(&self, lower: &str) -> bool {
        letters(self.full).contains(&letters(lower))
    }

    /// Whether one of the words of a sentence, in lower case, is one of the title, or begins as it does.
    pub(super) fn shares_word(&self, words: &[&str]) -> bool {
        let full = self.full.to_lowercase();
        let own = full.split(|c: char| !c.is_alphanumeric());
        own.filter(|own| own.len() > 3).any(|own| {
            let stem = own.get(..own.len().min(STEM_BYTES)).unwrap_or(own);
            words.iter().any(|word| word.starts_with(stem))
        })
    }

    /// Whether a sentence, in lower case, names what the title does.
    pub(super) fn is_within(&self, lower: &str) -> bool {
        let spoken = self.spoken().to_lowercase();
        !spoken.is_empty() && lower.contains(&spoken)
    }

    /// All that it may be called by, in lower case.
    pub(super) fn all(&self) -> Vec<String> {
        let mut out = vec![self.full.to_lowercase(), self.head.to_lowercase()];
        out.extend(self.tail.map(str::to_lowercase));
        // `mod_autoindex` of `Apache Module mod_autoindex`, and `suEXEC` of `suEXEC Support`.
        let words = || self.head.split(' ');
        let is_name = |word: &&str| {
            word.contains(['_', '.'])
                || word.chars().skip(1).any(char::is_uppercase) && word.len() > 2
        };
        out.extend(words().filter(is_name).map(str::to_lowercase));
        if let Some((name, kind)) = self.head.rsplit_once(' ')
            && is_in(KINDS, &kind.to_lowercase())
        {
            out.push(name.to_lowercase());
        }
        out
    }
}

/// The part of a title behind its dash, when it says what stands before it.
pub(in crate::pipeline::synthesize) fn explanation(title: &str) -> Option<(&str, &str)> {
    let name = Name::of(title);
    let tail = name.tail?;
    (tail.split(' ').count() >= 2 && tail.chars().count() >= 12).then_some((name.head, tail))
}
