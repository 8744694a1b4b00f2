//! Owns which units a card has within its budget.

use crate::clean::frames::is_contents;
use crate::cues::{announces, is_unfinished, leans};
use crate::outline::Outline;
use crate::section_role::{SectionRole, role_of};
use crate::units::{Form, Unit, of_section};
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::markdown;
use std::collections::{BTreeSet, HashSet};

/// A paragraph of more words is not said twice, whatever stands around it.
const SAID_WORDS_MIN: usize = 11;
/// What a unit costs beside its words.
const UNIT_COST: f32 = 12.0;
/// How much the worth of its section counts in that of a unit.
const SECTION_SHARE: f32 = 0.7;
/// Most lines of the units of a card: its body has at most 500 (V051).
const LINES_MAX: usize = 440;
/// A paragraph of more tokens does not go before what its section has.
const OPENING_TOKENS_MAX: usize = 80;
/// Tokens into which nothing goes.
const ROOM_MIN: usize = 12;
/// Percent of the budget for sentences that others lean on.
const SUPPORT_PERCENT: usize = 6;
/// Sentences that one is taken with at most.
const SUPPORT_MAX: usize = 3;
/// Words at the beginning of a sentence among which a pronoun leans on what stood before.
const EARLY_WORDS: usize = 4;

/// What a card shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chosen {
    /// Sections that are shown whole, in order.
    pub whole: Vec<usize>,
    /// Units of others, in order.
    pub units: Vec<usize>,
}

/// What can be chosen of.
pub struct Choice<'c> {
    /// All units, or the pieces that they stand together in.
    pub units: &'c [Unit],
    /// The worth of each.
    pub worth: &'c [f32],
    /// The sections.
    pub outline: &'c Outline,
    /// The blocks that the sections are of.
    pub blocks: &'c [Block],
    /// Whether a section that is not long is shown whole or not at all.
    pub by_section: bool,
    /// Whether sections alone are shown, each whole, and no units of others.
    pub sections_only: bool,
    /// A section of more tokens is shown by its units.
    pub section_max: usize,
}

/// A section or a unit, and what it is worth for each token.
#[derive(Clone, Copy)]
struct Candidate {
    rate: f32,
    number: usize,
    is_section: bool,
}

/// Chooses within a budget by worth for each token; what is worth nothing is left to the library.
#[must_use]
pub fn choose(choice: &Choice<'_>, budget: usize) -> Chosen {
    let &Choice { units, outline, .. } = choice;
    let own = budget - budget * SUPPORT_PERCENT / 100;
    let (mut spent, mut lines) = (0, 0);
    let mut said: HashSet<String> = HashSet::new();
    let mut titled: HashSet<usize> = HashSet::new();
    let mut chosen = Chosen::default();
    let mut openings = Openings::default();
    for one in candidates(choice) {
        if own - spent < ROOM_MIN {
            break;
        }
        if one.is_section {
            let above = openings.of(choice, outline.around(one.number).skip(1));
            let own_cost = outline.sections.get(one.number).map_or(0, |one| one.tokens);
            let cost = own_cost + cost_of(units, &above);
            if spent + cost > own {
                continue;
            }
            let high = choice.lines_of(one.number);
            if lines + high <= LINES_MAX {
                spent += cost;
                lines += high;
                chosen.whole.push(one.number);
                openings.shown.insert(one.number);
                openings.take(choice, &above);
                chosen.units.extend(above);
            }
            continue;
        }
        let Some(unit) = units.get(one.number) else {
            continue;
        };
        // The first unit of a section brings its title.
        let title = match titled.contains(&unit.section) {
            true => None,
            false => outline.sections.get(unit.section),
        };
        let mut above = openings.of(choice, outline.around(unit.section));
        above.retain(|at| *at != one.number);
        let title_cost = title.map_or(0, |one| one.title.len().div_ceil(4) + 2);
        let cost = unit.tokens + title_cost + cost_of(units, &above);
        let high = unit.lines + 2 * usize::from(title.is_some());
        if spent + cost <= own && lines + high <= LINES_MAX && is_new(unit, &mut said) {
            spent += cost;
            lines += high;
            titled.insert(unit.section);
            openings.take(choice, &above);
            chosen.units.extend(above);
            chosen.units.push(one.number);
        }
    }
    chosen.whole.sort_unstable();
    chosen.units.sort_unstable();
    chosen.units.dedup();
    chosen.units = announced(chosen.units, units);
    chosen.units = supported(chosen.units, units, budget.saturating_sub(spent));
    chosen
}

/// The list or the table that a unit is of.
fn place_of(unit: &Unit) -> (usize, usize) {
    (unit.section, unit.block)
}

/// The chosen units, with what announces the lists and tables that some are of.
fn announced(chosen: Vec<usize>, units: &[Unit]) -> Vec<usize> {
    let mut all: BTreeSet<usize> = chosen.iter().copied().collect();
    let mut seen = None;
    for number in chosen {
        let Some(unit) = units.get(number).filter(|one| is_part(one)) else {
            continue;
        };
        // Once for all of a list, which may be long.
        if seen.replace(place_of(unit)) == Some(place_of(unit)) {
            continue;
        }
        let before = units.get(..number).unwrap_or_default();
        let own = before.iter().rev();
        let own = own
            .take_while(|one| place_of(one) == place_of(unit))
            .count();
        let lead = (number - own).checked_sub(1);
        let leads = |one: &&Unit| one.section == unit.section && announces(&one.text);
        if let Some(lead) = lead.filter(|at| units.get(*at).as_ref().is_some_and(leads)) {
            all.insert(lead);
        }
    }
    all.into_iter().collect()
}

/// Whether a unit is one of a list or a table, which says little without the others.
fn is_part(unit: &Unit) -> bool {
    matches!(unit.form, Form::Item(_) | Form::Entry(_) | Form::Row(_))
}

/// What sections open with: it stands before anything else of them, and before what is inside them.
#[derive(Default)]
struct Openings {
    /// Sections whose opening is shown.
    shown: HashSet<usize>,
}

impl Openings {
    /// The paragraphs that open some sections, as far as they are short and not shown yet.
    fn of(&self, choice: &Choice<'_>, sections: impl Iterator<Item = usize>) -> Vec<usize> {
        let opening = |at: usize| {
            let first = of_section(choice.units, at).next()?;
            let unit = choice.units.get(first)?;
            let is_said = match &unit.form {
                Form::Sentence(_) => true,
                // The form of a call stands before what is said of it.
                Form::Blocks(blocks) => matches!(
                    blocks.as_slice(),
                    [Block {
                        kind: BlockKind::Code { .. },
                        ..
                    }]
                ),
                _ => false,
            };
            let is_said = is_said && !unit.is_title && !unit.is_large;
            (is_said && unit.tokens <= OPENING_TOKENS_MAX).then_some(first)
        };
        let new = sections.filter(|at| choice.by_section && !self.shown.contains(at));
        new.filter_map(opening).collect()
    }

    /// Takes note of what is shown.
    fn take(&mut self, choice: &Choice<'_>, openings: &[usize]) {
        let units = openings.iter().filter_map(|at| choice.units.get(*at));
        self.shown.extend(units.map(|unit| unit.section));
    }
}

/// Tokens of some units.
fn cost_of(units: &[Unit], numbers: &[usize]) -> usize {
    let own = numbers.iter().filter_map(|at| units.get(*at));
    own.map(|unit| unit.tokens).sum()
}

/// Sections that are shown whole and units of the others, best first.
fn candidates(choice: &Choice<'_>) -> Vec<Candidate> {
    let sections = &choice.outline.sections;
    let mut sums = vec![(0.0_f32, 0.0_f32); sections.len()];
    for (unit, worth) in choice.units.iter().zip(choice.worth) {
        if let Some((all, cost)) = sums.get_mut(unit.section) {
            *all += worth;
            *cost += unit.tokens as f32 + UNIT_COST;
        }
    }
    let around = |section: usize| {
        let (all, cost) = sums.get(section).copied().unwrap_or_default();
        all / cost.max(1.0)
    };
    let is_whole = |section: usize| {
        let own = sections.get(section);
        choice.by_section
            && own.is_some_and(|one| one.tokens <= choice.section_max)
            && is_finished(choice.units, section)
    };
    let mut out: Vec<Candidate> = (0..sections.len())
        .filter(|section| is_whole(*section) && !is_nobodys_task(choice.outline, *section))
        .map(|number| Candidate {
            rate: around(number),
            number,
            is_section: true,
        })
        .collect();
    for (number, (unit, worth)) in choice.units.iter().zip(choice.worth).enumerate() {
        let is_aside = choice.by_section && is_nobodys_task(choice.outline, unit.section);
        if !choice.sections_only
            && !unit.is_large
            && !is_aside
            && !is_unfinished(&unit.text)
            && !is_whole(unit.section)
        {
            // What stands together is understood together.
            let own = worth / (unit.tokens as f32 + UNIT_COST);
            let rate = own.powf(1.0 - SECTION_SHARE) * around(unit.section).powf(SECTION_SHARE);
            out.push(Candidate {
                rate,
                number,
                is_section: false,
            });
        }
    }
    out.retain(|one| one.rate > 0.0);
    out.sort_by(|one, other| {
        let rates = other.rate.total_cmp(&one.rate);
        rates.then(one.number.cmp(&other.number))
    });
    out
}

/// Whether whoever wrote a section has written it to its end.
pub(crate) fn is_finished(units: &[Unit], section: usize) -> bool {
    let own = units.get(of_section(units, section)).unwrap_or_default();
    !own.iter().any(|unit| is_unfinished(&unit.text))
}

/// Whether a section is the source's own table of contents, or of its history, its licence and the like, or inside of one that is.
pub(crate) fn is_nobodys_task(outline: &Outline, section: usize) -> bool {
    // What the whole is called by is a task.
    let around = outline.around(section).filter(|at| !outline.is_root(*at));
    let mut around = around.filter_map(|at| outline.sections.get(at));
    around.any(|one| is_contents(&one.title) || role_of(&one.title) == SectionRole::Aside)
}

impl Choice<'_> {
    /// How many lines a section takes.
    fn lines_of(&self, section: usize) -> usize {
        let own = self.outline.sections.get(section);
        let blocks = own.and_then(|own| self.blocks.get(own.blocks.clone()));
        2 + markdown::write(blocks.unwrap_or_default()).lines().count()
    }
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
        let is_lead = unit(number).is_some_and(|own| {
            matches!(own.form, Form::Sentence(_) | Form::Item(_)) && announces(&own.text)
        });
        // What is announced may be none of those that a card shows, as a quotation.
        let announced = unit(number + 1)
            .filter(|one| unit(number).is_some_and(|own| one.home.0 <= own.home.0 + 1));
        let next = kept.range(number + 1..).next().and_then(|next| unit(*next));
        if is_lead && (announced.is_none() || next.map(place_of) != announced.map(place_of)) {
            kept.remove(&number);
        }
    }
    kept.into_iter().collect()
}

fn is_sentence(unit: &Unit) -> bool {
    matches!(unit.form, Form::Sentence(_))
}

/// Whether a sentence leans on the one before it: by its first word, or by a pronoun near its beginning ("To enable this, ...").
fn leans_early(text: &str) -> bool {
    const PRONOUNS: [&str; 7] = ["this", "these", "those", "it", "they", "them", "its"];
    const CASES: [&str; 6] = [
        "For instance",
        "For example",
        "In this case",
        "In that case",
        "In this example",
        "Afterwards",
    ];
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    let early = words
        .by_ref()
        .filter(|word| !word.is_empty())
        .take(EARLY_WORDS);
    leans(text)
        || CASES.iter().any(|case| text.starts_with(case))
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

    /// What is chosen of a text whose units are worth as much as these; of all of them the same where there are none.
    fn chosen(text: &str, worth: &[f32], budget: usize, by_section: bool) -> (Chosen, Vec<Unit>) {
        let document = document(text);
        let outline = Outline::of(&document.blocks);
        let units = extract(&document.blocks, &outline);
        let mut all = vec![if worth.is_empty() { 1.0 } else { 0.0 }; units.len()];
        for (own, worth) in all.iter_mut().zip(worth) {
            *own = *worth;
        }
        let choice = Choice {
            units: &units,
            worth: &all,
            outline: &outline,
            blocks: &document.blocks,
            by_section,
            sections_only: false,
            section_max: 700,
        };
        (choose(&choice, budget), units)
    }

    #[test]
    fn nothing_is_chosen_that_was_said_with_other_marks() {
        let text = "A kiln that is fired with wood must be shut at night, always.\n\nNobody may open the door of it.\n\n\
            A kiln that is fired with wood must be shut at night, always";
        let (all, units) = chosen(text, &[], 1_000, false);
        // The shorter one says the same for less.
        assert_eq!(all.units, [1, 2]);
        let (small, _) = chosen(text, &[], units[1].tokens + 2, false);
        assert_eq!(small.units.len(), 1);
    }

    #[test]
    fn a_section_that_is_not_long_is_shown_whole_or_not_at_all() {
        let text = "# Kiln\n\n## Light\n\nLight it with a long match, as always.\n\nThen shut the door of the kiln.\n\n\
            ## Paint\n\nNobody needs this paint for anything.\n\nIt is blue and rather old by now.";
        let (all, units) = chosen(text, &[1.0, 0.1, 0.2, 0.1], 1_000, true);
        assert_eq!((all.whole, all.units.len()), (vec![2, 3], 0));
        let cost = units[0].tokens + units[1].tokens;
        let (small, _) = chosen(text, &[1.0, 0.1, 0.2, 0.1], cost + 14, true);
        assert_eq!((small.whole, small.units.len()), (vec![2], 0));
    }

    #[test]
    fn a_table_of_contents_of_the_source_is_not_shown() {
        let text = "# Kiln\n\n## Table of contents\n\n- Light it with a long match\n\n## Light\n\nLight it with a long match, as always.";
        let (all, _) = chosen(text, &[1.0, 1.0], 1_000, true);
        assert_eq!(all.whole, [3]);
    }

    #[test]
    fn what_a_section_opens_with_stands_before_what_is_inside_it() {
        let text = "# Kiln\n\n## KilnTooHot\n\nThe kiln is hotter than its clay can bear.\n\n### Checks\n\n- Look at the gauge of the kiln.";
        let (all, units) = chosen(text, &[0.0, 1.0], 1_000, true);
        assert_eq!((all.whole, all.units), (vec![3], vec![0]));
        assert!(units[0].text.starts_with("The kiln is hotter"));
    }

    /// The chosen ones of a text whose sentences are worth as much as these.
    fn told(text: &str, worth: &[f32], budget: usize) -> Vec<String> {
        let (chosen, units) = chosen(text, worth, budget, false);
        let texts = chosen.units.iter().map(|number| units[*number].text.trim());
        texts.map(str::to_owned).collect()
    }

    #[test]
    fn a_sentence_that_leans_on_another_is_told_with_it_or_not_at_all() {
        let text = "Kill the stuck process of the old kiln before anything else.\n\nAfter killing it, wait until the service starts again by itself.";
        assert_eq!(told(text, &[0.1, 1.0], 1_000).len(), 2);
        let small = told(text, &[0.0, 1.0], 25);
        assert!(small.is_empty(), "{small:?}");
    }

    #[test]
    fn the_form_of_a_call_stands_before_its_example() {
        let text = "# Kiln\n\n## heat\n\n```text\nheat <degrees>\n```\n\n### Examples\n\nHeat it to a thousand degrees.";
        let (all, units) = chosen(text, &[0.0, 1.0], 1_000, true);
        assert_eq!((all.whole, all.units), (vec![3], vec![0]));
        assert!(units[0].text.starts_with("heat <degrees>"));
    }

    #[test]
    fn what_is_announced_and_not_shown_is_not_announced() {
        let text = "# Kiln\n\nSay this in a prominent place:\n\n> Shut it.\n\nNobody opens the door of the kiln at night.";
        let said = told(text, &[1.0, 1.0, 1.0], 1_000);
        assert_eq!(said, ["Nobody opens the door of the kiln at night."]);
        let alone = told(
            "# Kiln\n\nWrong assumptions on pots include the following.",
            &[1.0],
            1_000,
        );
        assert!(alone.is_empty(), "{alone:?}");
    }

    #[test]
    fn a_case_and_what_comes_afterwards_lean_on_what_stood_before() {
        assert!(
            leans_early("Afterwards the kiln is cold.") && leans_early("For instance, shut it.")
        );
        assert!(!leans_early("The kiln is cold afterwards."));
    }

    #[test]
    fn what_announces_something_is_not_told_without_it() {
        let text =
            "Never open the door before these:\n\n- The fan stands still.\n- The lamp is out.";
        let (chosen, units) = chosen(text, &[1.0], 1_000, false);
        let is_alone = chosen.units == [0] && announces(&units[0].text);
        assert!(!is_alone, "{units:?}");
    }
}
