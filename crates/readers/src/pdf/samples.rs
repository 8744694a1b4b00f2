//! Tells what only shows letters from headings: lines in another script than the text, as a face is shown with, and lines that stand
//! below each other again and again.

use crate::pdf::heading::{Heading, words};
use crate::pdf::line::Line;
use std::collections::{HashMap, HashSet};

/// A text is written in a script that more than one of so many of its letters are of.
const WRITTEN_SHARE: usize = 4;
/// A line is in a script that so many in ten of its letters are of.
const LINE_TENTHS: usize = 8;
/// What stands so often in the same words, each time without text of its own, heads nothing.
const REPEATED_MIN: usize = 3;

/// A script, as far as headings need it; those that are written together are one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Script {
    Latin,
    Greek,
    Cyrillic,
    Hebrew,
    Arabic,
    Indic,
    EastAsian,
    /// Any other, by the first of its 256 letters.
    Other(u32),
}

impl Script {
    /// The script of a letter; `None` of what belongs to none.
    fn of(letter: char) -> Option<Self> {
        let code = u32::from(letter);
        if !letter.is_alphabetic() {
            return None;
        }
        Some(match code {
            0..=0x02FF | 0x1E00..=0x1EFF | 0x2C60..=0x2C7F | 0xA720..=0xA7FF | 0xAB30..=0xAB6F => {
                Self::Latin
            }
            // Letters of phonetics, and those of formulas.
            0x1D00..=0x1DBF | 0x2100..=0x214F | 0x1D400..=0x1D7FF | 0xFB00..=0xFB06 => return None,
            0x0370..=0x03FF | 0x1F00..=0x1FFF => Self::Greek,
            0x0400..=0x052F | 0x1C80..=0x1C8F | 0x2DE0..=0x2DFF | 0xA640..=0xA69F => Self::Cyrillic,
            0x0590..=0x05FF | 0xFB1D..=0xFB4F => Self::Hebrew,
            0x0600..=0x06FF
            | 0x0750..=0x077F
            | 0x08A0..=0x08FF
            | 0xFB50..=0xFDFF
            | 0xFE70..=0xFEFF => Self::Arabic,
            0x0900..=0x0DFF => Self::Indic,
            0x1100..=0x11FF
            | 0x2E80..=0xA4CF
            | 0xA960..=0xA97F
            | 0xAC00..=0xD7FF
            | 0xF900..=0xFAFF
            | 0xFF00..=0xFFEF
            | 0x20000..=0x3FFFF => Self::EastAsian,
            // What a file gives no meaning to tells nothing.
            0xE000..=0xF8FF => return None,
            _ => Self::Other(code >> 8),
        })
    }
}

/// Takes from the headings beside those that the outline has `named` the lines that only show letters.
pub(crate) fn remove(
    lines: &[Line],
    headings: &mut HashMap<usize, Heading>,
    named: &HashSet<usize>,
) {
    let foreign = Foreign::of(lines);
    let mut order: Vec<(usize, Heading)> = headings.iter().map(|(at, it)| (*at, *it)).collect();
    order.sort_unstable_by_key(|(at, _)| *at);
    // How often words head something, and how often they have text of their own.
    let mut times: HashMap<String, (usize, usize)> = HashMap::new();
    for (place, (at, heading)) in order.iter().enumerate() {
        let below = at + heading.lines;
        let is_last = below >= lines.len();
        let is_empty = is_last || order.get(place + 1).is_some_and(|(next, _)| *next == below);
        let counts = times.entry(words(lines, *at, heading.lines)).or_default();
        counts.0 += 1;
        counts.1 += usize::from(!is_empty);
    }
    headings.retain(|at, heading| {
        let text = words(lines, *at, heading.lines);
        let is_repeated = matches!(times.get(&text), Some((all, 0)) if *all >= REPEATED_MIN);
        named.contains(at) || !is_repeated && !foreign.holds(&text)
    });
}

/// The scripts that a text shows and is not written in.
struct Foreign(HashSet<Script>);

impl Foreign {
    /// Those of `lines`. Latin letters are in names everywhere.
    fn of(lines: &[Line]) -> Self {
        let mut letters: HashMap<Script, usize> = HashMap::new();
        for line in lines {
            for script in line.text().chars().filter_map(Script::of) {
                *letters.entry(script).or_default() += 1;
            }
        }
        let all: usize = letters.values().sum();
        letters.retain(|script, count| *script != Script::Latin && *count * WRITTEN_SHARE < all);
        Self(letters.into_keys().collect())
    }

    /// Whether most letters of a line are of one of them.
    fn holds(&self, text: &str) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let (mut those, mut all) = (0, 0);
        for script in text.chars().filter_map(Script::of) {
            all += 1;
            those += usize::from(self.0.contains(&script));
        }
        those > 0 && those * 10 >= all * LINE_TENTHS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdf::testing;

    /// The headings that are left of lines, of which those with a star are headings.
    fn left(lines: &[&str]) -> Vec<String> {
        let heads = lines.iter().enumerate();
        let heads = heads.filter(|(_, words)| words.starts_with('*'));
        let mut headings: HashMap<usize, Heading> = heads
            .map(|(at, _)| (at, Heading { lines: 1, level: 1 }))
            .collect();
        let line =
            |words: &&str| testing::line(vec![testing::piece(words.trim_start_matches('*'))]);
        let lines: Vec<Line> = lines.iter().map(line).collect();
        remove(&lines, &mut headings, &HashSet::new());
        let mut left: Vec<usize> = headings.into_keys().collect();
        left.sort_unstable();
        left.into_iter().map(|at| words(&lines, at, 1)).collect()
    }

    #[test]
    fn a_line_in_another_script_than_the_text_heads_nothing() {
        let told = "The kiln is hot and nobody stands beside it in the night.";
        assert_eq!(
            left(&["*печь", "*Kilns", told, "*α – Fire", told]),
            ["Kilns", "α – Fire"]
        );
        let russian = "Печь горячая, и никто не стоит рядом с ней всю ночь.";
        assert_eq!(
            left(&["*Печь", russian, "*Linux", russian]),
            ["Печь", "Linux"]
        );
        // Of a text in two languages, each has its headings.
        assert_eq!(left(&["*Печь", russian, "*Kilns", told]), ["Печь", "Kilns"]);
    }

    #[test]
    fn what_stands_there_again_and_again_without_text_heads_nothing() {
        let told = "It is hot.";
        assert_eq!(
            left(&["*Kilns", "*Bb", "*Bb", "*Bb", "*Fire", told]),
            ["Kilns", "Fire"]
        );
        let notes = [
            "*Oak", "*Notes", told, "*Ash", "*Notes", told, "*Elm", "*Notes", told,
        ];
        assert_eq!(left(&notes).len(), 6);
    }
}
