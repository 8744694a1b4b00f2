//! Owns what a source is called: its whole title, the name in it, and whether that names one thing.

use super::fitting::without_brackets;
use super::words::{KINDS, NAMELESS, NO_NAMES, SOFTWARE, is_in};
use skillkiln_document::text::letters;

/// Two words that begin with so many bytes alike are forms of one.
const STEM_BYTES: usize = 5;

/// A name that its title explains behind a comma has so many words at most.
const EXPLAINED_WORDS: usize = 2;

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
        // What a name stands for is none of it: "KBN (Kiln Burner Notation) compiler".
        let spoken = without_brackets(&self.spoken().to_lowercase());
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

    /// Whether a word, in lower case, is one of the title that may be a name: it has a capital there and is no kind of text.
    pub(super) fn has_name(&self, word: &str) -> bool {
        let is_kind = is_in(KINDS, word) || is_in(SOFTWARE, word) || is_in(NO_NAMES, word);
        word.chars().count() > 3
            && !is_kind
            && self
                .full
                .split(' ')
                .any(|own| own.starts_with(char::is_uppercase) && own.to_lowercase() == word)
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
        // "The Engine API" is what the "Docker Engine API" calls itself.
        if let Some((_, later)) = self.head.split_once(' ')
            && let Some((_, kind)) = later.rsplit_once(' ')
            && is_in(SOFTWARE, &kind.to_lowercase())
        {
            out.push(later.to_lowercase());
        }
        out.extend(what_text_is_on(self.head).map(str::to_lowercase));
        // "Kiln, a store of pots" explains the name itself.
        if let Some((name, _)) = self.head.split_once(", ")
            && name.split(' ').count() <= EXPLAINED_WORDS
        {
            out.push(name.to_lowercase());
        }
        out
    }
}

/// What a manual is on, by its title: "MALT" of "User Manual for MALT V0.5.2", "Gorm" of "Guide to the Gorm Application" and
/// "jModelTest 2" of "jModelTest 2 Manual v0.1.10"; `None` where the title does not call it a text.
pub(super) fn what_text_is_on(title: &str) -> Option<&str> {
    let mut on = title.trim();
    let mut is_text = false;
    loop {
        let before = on;
        let (head, last) = on.rsplit_once(' ').unwrap_or(("", on));
        let lower = last.to_lowercase();
        let number = lower.strip_prefix('v').unwrap_or(&lower);
        let is_revision = lower.strip_prefix('r').is_some_and(|number| {
            number.len() > 1 && number.bytes().all(|byte| byte.is_ascii_digit())
        });
        let is_version = is_revision
            || number.contains('.')
                && number.starts_with(|c: char| c.is_ascii_digit())
                && number.chars().all(|c| c.is_ascii_digit() || c == '.');
        if is_in(TEXT_ENDS, &lower) || is_version || lower == "version" {
            is_text |= !is_version;
            on = head.trim_end_matches([' ', ',', ':', '-', '–', '—']);
            // "Kiln: a manual"
            let article = [" a", " an"]
                .iter()
                .find_map(|article| on.strip_suffix(article));
            on = article.map_or(on, |on| on.trim_end_matches([' ', ',', ':', '-', '–', '—']));
        }
        let (first, rest) = on.split_once(' ').unwrap_or((on, ""));
        if is_in(TEXT_STARTS, &first.to_lowercase()) {
            is_text |= !is_in("a an the", &first.to_lowercase());
            on = rest.trim_start();
        }
        if on == before {
            break;
        }
    }
    (is_text && on.len() > 1 && on != title).then_some(on)
}

/// What stands before the name of what a text is on, and behind it.
const TEXT_STARTS: &str = "a an complete da de del der di die do documentation for guía guia guide handbook handbuch introduction \
    manual manuale manuel of reference technical the to tutorial user user's users using zum zur";
const TEXT_ENDS: &str = "application documentation guide handbook handbuch manual program reference tutorial user user's users users'";

/// The part of a title behind its dash, when it says what stands before it.
pub(in crate::pipeline::synthesize) fn explanation(title: &str) -> Option<(&str, &str)> {
    let name = Name::of(title);
    let tail = name.tail?;
    (tail.split(' ').count() >= 2 && tail.chars().count() >= 12).then_some((name.head, tail))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manual_is_on_what_its_title_names_beside_the_kind_of_text() {
        for (title, on) in [
            ("User Manual for MALT V0.5.2", Some("MALT")),
            ("Documentation of andi", Some("andi")),
            ("Guide to the Gorm Application", Some("Gorm")),
            ("jModelTest 2 Manual v0.1.10", Some("jModelTest 2")),
            ("Manual do Geomview", Some("Geomview")),
            ("PSPP Users’ Guide", Some("PSPP")),
            ("KILNfire a manual", Some("KILNfire")),
            ("A Kiln", None),
            ("Kilns", None),
            ("The Kiln", None),
            ("Manual", None),
        ] {
            assert_eq!(what_text_is_on(title), on, "{title}");
        }
    }
}
