//! Owns which units a card has within its budget.

use crate::cues::leans;
use crate::outline::Outline;
use crate::units::{Form, Unit};
use std::collections::{BTreeSet, HashSet};

/// A paragraph of more words is not said twice, whatever stands around it.
const SAID_WORDS_MIN: usize = 11;
/// What a unit costs beside its words.
const UNIT_COST: f32 = 12.0;
/// How much the worth of its section counts in that of a unit.
const SECTION_SHARE: f32 = 0.7;
/// Most lines of the units of a card: its body has at most 500 (V051).
const LINES_MAX: usize = 400;
/// Tokens into which nothing goes.
const ROOM_MIN: usize = 12;
/// Percent of the budget for sentences that others lean on.
const SUPPORT_PERCENT: usize = 6;
/// Sentences that one is taken with at most.
const SUPPORT_MAX: usize = 3;
/// Words at the beginning of a sentence among which a pronoun leans on what stood before.
const EARLY_WORDS: usize = 4;

/// Chooses units within a budget by worth for each token; one that is worth nothing is left to the library.
#[must_use]
pub fn choose(units: &[Unit], worth: &[f32], outline: &Outline, budget: usize) -> Vec<usize> {
    // A unit of a section that matters is worth more than a lone one: what stands together is understood together.
    let mut sums = vec![(0.0_f32, 0.0_f32); outline.sections.len()];
    for (unit, worth) in units.iter().zip(worth).filter(|(unit, _)| !unit.is_large) {
        if let Some((all, cost)) = sums.get_mut(unit.section) {
            *all += worth;
            *cost += unit.tokens as f32 + UNIT_COST;
        }
    }
    let rate = |number: &usize| {
        let (unit, worth) = (units.get(*number), worth.get(*number));
        let cost = unit.map_or(1, |unit| unit.tokens) as f32 + UNIT_COST;
        let own = worth.copied().unwrap_or_default() / cost;
        let around = unit.and_then(|unit| sums.get(unit.section));
        let (all, costs) = around.copied().unwrap_or((0.0, 1.0));
        own.powf(1.0 - SECTION_SHARE) * (all / costs.max(1.0)).powf(SECTION_SHARE)
    };
    let is_worth = |number: &usize| {
        worth.get(*number).is_some_and(|worth| *worth > 0.0)
            && units.get(*number).is_some_and(|unit| !unit.is_large)
    };
    let mut order: Vec<usize> = (0..units.len()).filter(is_worth).collect();
    order.sort_by(|one, other| rate(other).total_cmp(&rate(one)).then(one.cmp(other)));
    let own = budget - budget * SUPPORT_PERCENT / 100;
    let (mut spent, mut lines) = (0, 0);
    let mut said: HashSet<String> = HashSet::new();
    let mut titled: HashSet<usize> = HashSet::new();
    let mut chosen = Vec::new();
    for number in order {
        let Some(unit) = units.get(number) else {
            continue;
        };
        // The first unit of a section brings its title.
        let title = match titled.contains(&unit.section) {
            true => None,
            false => outline.sections.get(unit.section),
        };
        let cost = unit.tokens + title.map_or(0, |one| one.title.len().div_ceil(4) + 2);
        let high = lines_of(unit) + 2 * usize::from(title.is_some());
        if spent + cost <= own && lines + high <= LINES_MAX && is_new(unit, &mut said) {
            spent += cost;
            lines += high;
            titled.insert(unit.section);
            chosen.push(number);
        }
        if own - spent < ROOM_MIN {
            break;
        }
    }
    chosen.sort_unstable();
    supported(chosen, units, budget.saturating_sub(spent))
}

/// The chosen units that can be understood: what leans on the sentence before it is taken with that where there is room, else left, and
/// what announces something goes with it.
fn supported(chosen: Vec<usize>, units: &[Unit], mut room: usize) -> Vec<usize> {
    let mut kept: BTreeSet<usize> = chosen.iter().copied().collect();
    let unit = |number: usize| units.get(number);
    for &number in &chosen {
        let Some(own) = unit(number) else { continue };
        let mut before = Vec::new();
        let mut first = own;
        let mut at = number;
        while before.len() < SUPPORT_MAX && is_sentence(first) && leans_early(&first.text) {
            let above = at.checked_sub(1).filter(|at| !kept.contains(at));
            let Some(above) = above else { break };
            let Some(one) = unit(above).filter(|one| one.section == own.section) else {
                break;
            };
            before.push(above);
            (first, at) = (one, above);
        }
        let cost: usize = before
            .iter()
            .filter_map(|at| unit(*at))
            .map(|one| one.tokens)
            .sum();
        if before.is_empty() {
            continue;
        }
        if cost <= room {
            room -= cost;
            kept.extend(before);
        } else {
            room += own.tokens;
            kept.remove(&number);
        }
    }
    // From the last to the first, since an announcement may announce another.
    for number in chosen.into_iter().rev() {
        let announces = unit(number).is_some_and(|own| {
            matches!(own.form, Form::Sentence(_) | Form::Item(_)) && is_announcement(&own.text)
        });
        if announces && !kept.contains(&(number + 1)) {
            kept.remove(&number);
        }
    }
    kept.into_iter().collect()
}

/// How many lines a unit takes.
fn lines_of(unit: &Unit) -> usize {
    let lines = unit.text.lines().count().max(1);
    match &unit.form {
        Form::Blocks(blocks) => lines + 3 * blocks.len(),
        Form::Sentence(_) => 2,
        _ => lines,
    }
}

fn is_sentence(unit: &Unit) -> bool {
    matches!(unit.form, Form::Sentence(_))
}

fn is_announcement(text: &str) -> bool {
    text.trim_end().ends_with([':', '：'])
}

/// Whether a sentence leans on the one before it: by its first word, or by a pronoun near its beginning ("To enable this, ...").
fn leans_early(text: &str) -> bool {
    const PRONOUNS: [&str; 7] = ["this", "these", "those", "it", "they", "them", "its"];
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    let early = words
        .by_ref()
        .filter(|word| !word.is_empty())
        .take(EARLY_WORDS);
    leans(text)
        || early
            .map(str::to_lowercase)
            .any(|word| PRONOUNS.contains(&word.as_str()))
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

    /// The chosen ones of a text whose sentences are worth as much as these.
    fn told(text: &str, worth: &[f32], budget: usize) -> Vec<String> {
        let document = document(text);
        let outline = Outline::of(&document.blocks);
        let units = extract(&document.blocks, &outline);
        let chosen = choose(&units, worth, &outline, budget);
        chosen
            .iter()
            .map(|number| units[*number].text.trim().to_owned())
            .collect()
    }

    #[test]
    fn a_sentence_that_leans_on_another_is_told_with_it_or_not_at_all() {
        let text = "Kill the stuck process of the old kiln before anything else.\n\nAfter killing it, wait until the service starts again by itself.";
        assert_eq!(told(text, &[0.1, 1.0], 1_000).len(), 2);
        let small = told(text, &[0.0, 1.0], 25);
        assert!(small.is_empty(), "{small:?}");
    }

    #[test]
    fn what_announces_something_is_not_told_without_it() {
        let text =
            "Never open the door before these:\n\n- The fan stands still.\n- The lamp is out.";
        let document = document(text);
        let outline = Outline::of(&document.blocks);
        let units = extract(&document.blocks, &outline);
        let mut worth = vec![0.0; units.len()];
        worth[0] = 1.0;
        let chosen = choose(&units, &worth, &outline, 1_000);
        let is_alone = chosen == [0] && is_announcement(&units[0].text);
        assert!(!is_alone, "{units:?}");
    }
}
