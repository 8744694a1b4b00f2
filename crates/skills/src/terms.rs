//! Owns the terms of a text: its words as they are compared and counted, without those that say nothing of a subject.

use crate::stop_words::is_stop_word;
use skillkiln_document::quick::QuickMap;
use skillkiln_document::text::{is_ideographic, lower_into};

/// The number of a term.
pub type Term = u32;

/// Gives terms their numbers.
#[derive(Debug, Default)]
pub struct Vocabulary {
    known: QuickMap<String, Term>,
    /// Each term as it was first written.
    written: Vec<String>,
}

impl Vocabulary {
    /// The terms of a text in their order, each as often as it stands there.
    pub fn terms(&mut self, text: &str) -> Vec<Term> {
        let mut out = Vec::new();
        each_stem(text, |word, stem| {
            let next = Term::try_from(self.written.len()).unwrap_or(Term::MAX);
            let term = match self.known.get(stem) {
                Some(term) => *term,
                None => {
                    self.known.insert(stem.to_owned(), next);
                    self.written.push(word.to_owned());
                    next
                }
            };
            out.push(term);
        });
        out
    }

    /// Those terms of a text that are known already.
    #[must_use]
    pub fn known_terms(&self, text: &str) -> Vec<Term> {
        let mut out = Vec::new();
        each_stem(text, |_, stem| out.extend(self.known.get(stem)));
        out
    }

    /// A term as it was first written.
    #[must_use]
    pub fn written(&self, term: Term) -> &str {
        let at = usize::try_from(term).unwrap_or(usize::MAX);
        self.written.get(at).map_or("", String::as_str)
    }

    /// How many terms there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.written.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.written.is_empty()
    }
}

/// Hands out each word of a text that says something, as it is written and as it is compared.
fn each_stem(text: &str, mut take: impl FnMut(&str, &str)) {
    let mut lower = String::new();
    for word in words(text) {
        lower_into(word, &mut lower);
        if !is_stop_word(&lower) && (word.len() > 1 || word.starts_with(is_ideographic)) {
            take(word, stem(&lower));
        }
    }
}

/// The words of a text: letters and digits with the marks that join names (`proxy-body-size`, `host_machine`, `jq.1`, `--files`); of
/// scripts without blanks each pair of signs.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let start = rest.find(|c: char| c.is_alphanumeric() || c == '-')?;
            rest = rest.get(start..)?;
            let first = rest.chars().next()?;
            if is_ideographic(first) {
                let mut ends = rest.char_indices().skip(1);
                let second = ends.next();
                let is_pair = second.is_some_and(|(_, c)| is_ideographic(c));
                let step = first.len_utf8();
                let end = match is_pair {
                    true => ends.next().map_or(rest.len(), |(at, _)| at),
                    false => step,
                };
                let word = rest.get(..end)?;
                rest = rest.get(step..)?;
                if !is_pair {
                    continue;
                }
                return Some(word);
            }
            let end = word_end(rest);
            let word = rest.get(..end)?;
            rest = rest.get(end.max(1)..)?;
            let trimmed = word.trim_end_matches(['-', '.', '_', '/', ':']);
            let is_flag = trimmed.starts_with('-');
            let trimmed = if is_flag && trimmed.trim_start_matches('-').is_empty() {
                ""
            } else {
                trimmed
            };
            if !trimmed.is_empty() {
                return Some(trimmed);
            }
        }
    })
}

fn word_end(text: &str) -> usize {
    let bytes_of_dashes = text.len() - text.trim_start_matches('-').len();
    let mut end = bytes_of_dashes;
    let mut after_joint = false;
    for (at, c) in text
        .char_indices()
        .skip_while(|(at, _)| *at < bytes_of_dashes)
    {
        if is_ideographic(c) {
            break;
        }
        if c.is_alphanumeric() || c == '_' {
            end = at + c.len_utf8();
            after_joint = false;
        } else if matches!(c, '-' | '.' | '\'' | '’') && !after_joint && end > bytes_of_dashes {
            after_joint = true;
        } else {
            break;
        }
    }
    end
}

/// A word without its most common endings, so that "starting" and "start" are one.
#[must_use]
pub fn stem(lower: &str) -> &str {
    if lower.len() <= 4 || !lower.is_ascii() || !lower.bytes().all(|b| b.is_ascii_alphabetic()) {
        return lower;
    }
    for ending in ["ing", "ed", "es", "s"] {
        if let Some(stem) = lower.strip_suffix(ending) {
            return stem;
        }
    }
    lower
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_with_their_marks() {
        let all: Vec<&str> =
            words("Set `proxy-body-size` with --max_size=4, see v1.2. 窯を焚 - end").collect();
        let expected = [
            "Set",
            "proxy-body-size",
            "with",
            "--max_size",
            "4",
            "see",
            "v1.2",
            "窯を",
            "を焚",
            "end",
        ];
        assert_eq!(all, expected);
    }

    #[test]
    fn terms_are_stems_without_stop_words() {
        let mut vocabulary = Vocabulary::default();
        let terms = vocabulary.terms("Starting the kilns, start a kiln");
        assert_eq!(terms, [0, 1, 0, 1]);
        assert_eq!(vocabulary.written(0), "Starting");
    }
}
