//! Tells what only shows letters from headings: lines that stand below each other again and again, as a face is shown with.

use crate::pdf::heading::{Heading, words};
use crate::pdf::line::Line;
use std::collections::{HashMap, HashSet};

/// What stands so often in the same words, each time without text of its own, heads nothing.
const REPEATED_MIN: usize = 3;

/// Takes from the headings beside those that the outline has `named` the lines that only show letters.
pub(crate) fn remove(
    lines: &[Line],
    headings: &mut HashMap<usize, Heading>,
    named: &HashSet<usize>,
) {
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
        named.contains(at) || !is_repeated
    });
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
