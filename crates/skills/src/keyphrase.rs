//! Owns what a text without titles speaks of: pairs of words that stand together more often than each of them alone, and the names that its
//! code uses most.

use crate::stop_words::is_stop_word;
use crate::terms::stem;
use skillkiln_document::blocks::{Block, BlockKind, walk};
use skillkiln_document::quick::{QuickMap, QuickSet};
use skillkiln_document::text::{is_ideographic, plain};
use std::cmp::Reverse;

/// Paragraphs that a pair, and lines that a name stands in at least.
const TIMES_MIN: u32 = 2;
/// Shortest word of a pair, and shortest name, in letters.
const WORD_MIN: usize = 4;
const WIDE_MIN: usize = 2;
const NAME_MIN: usize = 6;
/// Words of talk, which stand beside any other.
const CHATTY: &str = " kind sort thing things stuff going gonna really actually basically like just lots look feel know think mean want need \
    make made said says talk talking people something anything everything different great good time times today years week weeks \
    little pretty right well yeah okay maybe probably getting doing using come came take part whole first second last next many much \
    more most same other another able start started trying exactly super long number example ";

/// The pairs of words that tell most of what a text is about, best first: "screen reader"; of code its names.
#[must_use]
pub fn keyphrases(blocks: &[Block], most: usize) -> Vec<String> {
    let mut search = Search::default();
    walk(blocks, &mut |block| match &block.kind {
        BlockKind::Paragraph(text) => search.read(&plain(text)),
        BlockKind::Code { text, .. } => text.lines().for_each(|line| search.read_code(line)),
        _ => {}
    });
    search.best(most)
}

#[derive(Default)]
struct Search {
    words: QuickMap<String, u32>,
    pairs: QuickMap<(String, String), Pair>,
    names: QuickMap<String, u32>,
}

/// A pair as it is first written in small letters, and in how many paragraphs it stands.
#[derive(Default)]
struct Pair {
    times: u32,
    written: Option<String>,
}

impl Search {
    fn read(&mut self, text: &str) {
        let mut seen: QuickSet<String> = QuickSet::default();
        let mut together: QuickSet<(String, String)> = QuickSet::default();
        let is_mark = |c: char| !(c.is_alphanumeric() || c.is_whitespace() || "'’-".contains(c));
        for clause in text.split(is_mark) {
            let mut before: Option<(&str, String)> = None;
            for word in clause.split_whitespace() {
                let lower = word.to_lowercase();
                let key = stem(&lower).to_owned();
                let least = if word.starts_with(is_ideographic) {
                    WIDE_MIN
                } else {
                    WORD_MIN
                };
                let is_said = word.chars().count() >= least
                    && word.chars().all(|c| c.is_alphabetic() || c == '-')
                    && !is_stop_word(&lower)
                    && !CHATTY.contains(&format!(" {lower} "));
                if is_said && seen.insert(key.clone()) {
                    *self.words.entry(key.clone()).or_default() += 1;
                }
                if let (true, Some((first, other))) = (is_said, &before)
                    && together.insert((other.clone(), key.clone()))
                {
                    let pair = self.pairs.entry((other.clone(), key.clone())).or_default();
                    pair.times += 1;
                    // Two words with capitals are somebody's name.
                    if pair.written.is_none() && !word.starts_with(char::is_uppercase) {
                        pair.written = Some(format!("{} {lower}", first.to_lowercase()));
                    }
                }
                before = is_said.then_some((word, key));
            }
        }
    }

    fn read_code(&mut self, line: &str) {
        let names = line.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        for name in names.filter(|name| name.len() >= NAME_MIN) {
            let is_joined = name.trim_matches('_').contains('_')
                || name.starts_with(char::is_uppercase)
                    && name.chars().skip(1).any(char::is_uppercase)
                    && name.chars().any(char::is_lowercase);
            if is_joined {
                *self.names.entry(name.to_owned()).or_default() += 1;
            }
        }
    }

    fn best(self, most: usize) -> Vec<String> {
        let times = |word: &String| f64::from(self.words.get(word).copied().unwrap_or(1));
        let mut rated: Vec<(f64, String)> = self
            .pairs
            .iter()
            .filter(|(_, pair)| pair.times >= TIMES_MIN)
            .filter_map(|((one, other), pair)| {
                let together = f64::from(pair.times);
                let rate = together * together / (times(one) + times(other));
                Some((rate, pair.written.clone()?))
            })
            .collect();
        rated.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        let mut out: Vec<String> = Vec::new();
        for (_, phrase) in rated {
            if out.len() >= most {
                break;
            }
            let shares = |known: &String| phrase.split(' ').any(|word| known.contains(word));
            if !out.iter().any(shares) {
                out.push(phrase);
            }
        }
        let mut names: Vec<(u32, String)> = self
            .names
            .into_iter()
            .filter(|(_, times)| *times >= TIMES_MIN)
            .map(|(name, times)| (times, name))
            .collect();
        names.sort_by(|one, other| (Reverse(one.0), &one.1).cmp(&(Reverse(other.0), &other.1)));
        out.extend(names.into_iter().map(|(_, name)| name));
        out.truncate(most);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::testing::document;

    #[test]
    fn a_transcript_without_headings_speaks_of_what_stands_together() {
        let text = "Anna Potter fired the salt kiln today.\n\nA salt kiln cracks, says Anna Potter.\n\n\
                    Nobody opens salt kilns. Anna Potter waits.\n\nWe were going home.";
        let document = document(text);
        assert_eq!(keyphrases(&document.blocks, 3), ["salt kiln"]);
    }

    #[test]
    fn a_file_of_settings_is_told_by_its_names() {
        let line = "kiln_heat_max: 3\nopen: kiln_heat_max\nWHEN kiln_heat_max\n";
        let document = document(&format!("```yaml\n{line}```"));
        assert_eq!(keyphrases(&document.blocks, 3), ["kiln_heat_max"]);
    }
}
