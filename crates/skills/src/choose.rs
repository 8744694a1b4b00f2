//! Owns which units a card has within its budget.

use crate::outline::Outline;
use crate::units::Unit;
use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashSet};

/// A paragraph of more words is not said twice, whatever stands around it.
const SAID_WORDS_MIN: usize = 11;
/// What a unit costs beside its words.
const UNIT_COST: f32 = 12.0;
/// How much less the next unit of a section is worth for each that is chosen.
const REPEAT: f32 = 0.3;

/// Chooses units within a budget; one that is worth nothing is left to the library. By worth for each token, less for each that its section has already.
#[must_use]
pub fn choose(units: &[Unit], worth: &[f32], outline: &Outline, budget: usize) -> Vec<usize> {
    let rate = |number: usize| {
        let (unit, worth) = (units.get(number), worth.get(number));
        let cost = unit.map_or(1, |unit| unit.tokens) as f32;
        worth.copied().unwrap_or_default() / (cost + UNIT_COST)
    };
    // Those of one section, best first; the next one of each section competes with those of the others.
    let is_worth = |number: &usize| worth.get(*number).is_some_and(|worth| *worth > 0.0);
    let mut order: Vec<usize> = (0..units.len()).filter(is_worth).collect();
    order.sort_by(|one, other| {
        let section = |number: &usize| units.get(*number).map_or(0, |unit| unit.section);
        let sections = section(one).cmp(&section(other));
        let rates = rate(*other).total_cmp(&rate(*one));
        sections.then(rates).then(one.cmp(other))
    });
    let section_of = |number: usize| units.get(number).map_or(0, |unit| unit.section);
    let mut next: BinaryHeap<Next> = BinaryHeap::new();
    let mut lists: Vec<std::slice::Iter<'_, usize>> = Vec::new();
    for list in order.chunk_by(|one, other| section_of(*one) == section_of(*other)) {
        let mut list = list.iter();
        if let Some(number) = list.next() {
            next.push(Next {
                rate: rate(*number),
                number: *number,
                list: lists.len(),
                taken: 0,
            });
        }
        lists.push(list);
    }
    let mut spent = 0;
    let mut said: HashSet<String> = HashSet::new();
    let mut chosen = Vec::new();
    while let Some(Next {
        number,
        list,
        mut taken,
        ..
    }) = next.pop()
    {
        if let Some(unit) = units.get(number) {
            // The first unit of a section brings its title.
            let title = outline
                .sections
                .get(unit.section)
                .filter(|_| taken == 0)
                .map_or(0, |one| one.title.len().div_ceil(4) + 2);
            let cost = unit.tokens + title;
            if spent + cost <= budget && is_new(unit, &mut said) {
                spent += cost;
                taken += 1;
                chosen.push(number);
            }
        }
        if budget - spent < 12 {
            break;
        }
        if let Some(number) = lists.get_mut(list).and_then(Iterator::next) {
            let rate = rate(*number) / (1.0 + REPEAT * taken as f32);
            next.push(Next {
                rate,
                number: *number,
                list,
                taken,
            });
        }
    }
    chosen.sort_unstable();
    chosen
}

/// Whether a unit says nothing that was said, whatever marks stand in it: neither all of it nor a long paragraph of it.
fn is_new(unit: &Unit, said: &mut HashSet<String>) -> bool {
    let is_long = |line: &&str| line.split(' ').nth(SAID_WORDS_MIN).is_some();
    let lines = unit.text.lines().map(str::trim).filter(is_long);
    let parts: Vec<String> = lines.chain([unit.text.trim()]).map(bare).collect();
    if parts.iter().any(|part| said.contains(part)) {
        return false;
    }
    said.extend(parts);
    true
}

/// The letters, the digits and the blanks between them of what is said in words; code is compared to the letter.
fn bare(text: &str) -> String {
    let is_said = text.contains(' ') && !text.contains(['{', '=', '$', '|', '<', '\n']);
    if !is_said {
        return text.to_owned();
    }
    let mark = |c: char| if c.is_alphanumeric() { c } else { ' ' };
    let words: String = text.chars().map(mark).collect();
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The best unit of a section that is not chosen yet.
struct Next {
    rate: f32,
    number: usize,
    list: usize,
    /// How many of its section are chosen.
    taken: usize,
}

impl Ord for Next {
    fn cmp(&self, other: &Self) -> Ordering {
        let rates = self.rate.total_cmp(&other.rate);
        rates.then(other.number.cmp(&self.number))
    }
}

impl PartialOrd for Next {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Next {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Next {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::extract;
    use skillkiln_document::testing::document;

    #[test]
    fn nothing_is_chosen_that_was_said_with_other_marks() {
        let text = "A kiln that is fired with wood must be shut at night, always.\n\nNobody may open the door of it.\n\n\
            A kiln that is fired with wood must be shut at night, always";
        let document = document(text);
        let outline = Outline::of(&document.blocks);
        let units = extract(&document.blocks, &outline);
        let chosen = choose(&units, &[1.0; 3], &outline, 1_000);
        // The shorter one says the same for less.
        assert_eq!(chosen, [1, 2]);
        let small = choose(&units, &[1.0; 3], &outline, units[1].tokens + 2);
        assert_eq!(small.len(), 1);
    }
}
