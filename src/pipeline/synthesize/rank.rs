//! Owns how much a piece of the source matters: by how central its words are, what it is good for and where it stands; and the
//! choice of pieces that matter without saying the same twice (MMR).

use super::outline::Outline;
use super::roles::{self, Role};
use super::units::Unit;
use super::words::Lexicon;
use std::collections::{HashMap, HashSet};

/// A choice is made among at most so many of the best.
const CANDIDATES_MAX: usize = 160;
/// The first code of a source opens it when it stands in one of so many sections.
const OPENING_SECTIONS: usize = 4;
/// How much being new counts against being important.
const NOVELTY: f32 = 0.45;

/// Scores every piece. Centrality is likeness to the centre of its section and of the whole, which approximates LexRank in
/// one pass; the rest are bonuses for position, role, and words shared with the headings above.
pub(super) fn score(units: &mut [Unit<'_>], outline: &Outline, lexicon: &mut Lexicon) {
    let titles: Vec<Vec<u32>> = (0..outline.sections.len())
        .map(|number| {
            let mut terms = lexicon.terms(&outline.path(number).join(" "));
            terms.sort_unstable();
            terms.dedup();
            terms
        })
        .collect();
    let whole = centre(units.iter(), lexicon);
    let mut start = 0;
    while let Some(section) = units.get(start).map(|unit| unit.section) {
        let count = units
            .get(start..)
            .unwrap_or_default()
            .iter()
            .take_while(|unit| unit.section == section)
            .count();
        let Some(group) = units.get_mut(start..start + count) else {
            break;
        };
        let local = centre(group.iter(), lexicon);
        let title = titles.get(section).map_or(&[][..], Vec::as_slice);
        for unit in group {
            let central = 0.6 * likeness(&unit.terms, &local, lexicon)
                + 0.4 * likeness(&unit.terms, &whole, lexicon);
            let shared = unit
                .terms
                .iter()
                .filter(|term| title.binary_search(term).is_ok())
                .count();
            let titled = if title.is_empty() {
                0.0
            } else {
                ratio(shared, title.len())
            };
            let position = 1.0 / (1.0 + ratio(unit.place, 2));
            unit.score = central + 0.25 * titled + 0.2 * position + 0.4 * unit.sureness;
        }
        start += count;
    }
    prefer_beginnings(units, outline);
}

/// The code by which a source begins, and that under the titles that tell how to begin, is what its reader needs first.
fn prefer_beginnings(units: &mut [Unit<'_>], outline: &Outline) {
    for unit in units
        .iter_mut()
        .filter(|unit| !unit.is_sentence && unit.role == Role::Procedure)
    {
        let first = outline
            .path(unit.section)
            .last()
            .is_some_and(|title| roles::comes_first(title));
        unit.score += if first { 0.5 } else { 0.0 };
    }
    let mut is_first = true;
    for unit in units
        .iter_mut()
        .filter(|unit| !unit.is_sentence && unit.role == Role::Example)
    {
        let begins = outline
            .path(unit.section)
            .last()
            .is_some_and(|title| roles::of_title(title) == Some(Role::Procedure));
        if is_first && unit.section <= OPENING_SECTIONS {
            unit.score += 0.5;
        } else if begins {
            unit.score += 0.2;
        }
        is_first = false;
    }
}

/// The summed weights of the terms of a group.
fn centre<'a>(units: impl Iterator<Item = &'a Unit<'a>>, lexicon: &Lexicon) -> HashMap<u32, f32> {
    let mut counts: HashMap<u32, u32> = HashMap::new();
    for unit in units {
        for term in &unit.terms {
            *counts.entry(*term).or_insert(0) += 1;
        }
    }
    let highest = counts
        .iter()
        .map(|(term, count)| weight(*count, *term, lexicon))
        .fold(0.0_f32, f32::max)
        .max(f32::MIN_POSITIVE);
    counts
        .into_iter()
        .map(|(term, count)| (term, weight(count, term, lexicon) / highest))
        .collect()
}

fn weight(count: u32, term: u32, lexicon: &Lexicon) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "a weight, not a count")]
    let count = count as f32;
    (1.0 + count).ln() * lexicon.rarity(term)
}

fn likeness(terms: &[u32], centre: &HashMap<u32, f32>, lexicon: &Lexicon) -> f32 {
    let (mut sum, mut norm) = (0.0, 0.0);
    for term in terms {
        let rarity = lexicon.rarity(*term);
        sum += centre.get(term).copied().unwrap_or(0.0) * rarity;
        norm += rarity * rarity;
    }
    if norm > 0.0 {
        // Divided by the length to the power of one half, as a cosine is: neither long nor short pieces win by length.
        (sum / norm.sqrt() / 3.0).min(1.0)
    } else {
        0.0
    }
}

#[expect(clippy::cast_precision_loss, reason = "a weight, not a count")]
fn ratio(part: usize, whole: usize) -> f32 {
    part as f32 / whole.max(1) as f32
}

/// How much of a piece another one says already: the share of its terms that the other has too. Between two sentences the
/// shorter one counts; a list or a code block says more than a sentence that it holds.
pub(super) fn overlap(piece: &Unit<'_>, said: &Unit<'_>) -> f32 {
    let (one, other) = (&piece.terms, &said.terms);
    let (mut a, mut b, mut shared) = (one.iter().peekable(), other.iter().peekable(), 0);
    while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
        match x.cmp(y) {
            std::cmp::Ordering::Less => {
                a.next();
            }
            std::cmp::Ordering::Greater => {
                b.next();
            }
            std::cmp::Ordering::Equal => {
                shared += 1;
                a.next();
                b.next();
            }
        }
    }
    let whole = if piece.is_sentence {
        one.len().min(other.len())
    } else {
        one.len()
    };
    ratio(shared, whole)
}

/// What may be chosen.
pub(super) struct Limits {
    /// Most pieces.
    pub(super) count: usize,
    /// Most characters together.
    pub(super) chars: usize,
    /// Longest single piece.
    pub(super) each: usize,
}

/// The indices of the pieces that matter most among those that `fits` accepts, in source order, none like another or like
/// one already in `used`; they are added to `used`.
pub(super) fn choose(
    units: &[Unit<'_>],
    used: &mut Vec<usize>,
    limits: &Limits,
    fits: impl Fn(&Unit<'_>) -> bool,
) -> Vec<usize> {
    let mut candidates: Vec<usize> = units
        .iter()
        .enumerate()
        .filter(|(number, unit)| fits(unit) && unit.chars <= limits.each && !used.contains(number))
        .map(|(number, _)| number)
        .collect();
    let score = |number: &usize| units.get(*number).map_or(0.0, |unit| unit.score);
    candidates.sort_by(|a, b| score(b).total_cmp(&score(a)).then(a.cmp(b)));
    candidates.truncate(CANDIDATES_MAX);
    let mut nearest: Vec<f32> = candidates
        .iter()
        .map(|number| {
            let Some(piece) = units.get(*number) else {
                return 0.0;
            };
            used.iter()
                .filter_map(|used| units.get(*used))
                .map(|said| overlap(piece, said))
                .fold(0.0, f32::max)
        })
        .collect();
    let mut chosen: Vec<usize> = Vec::new();
    let mut chars = 0;
    while chosen.len() < limits.count {
        let best = candidates
            .iter()
            .zip(&nearest)
            .enumerate()
            .filter(|(_, (number, near))| {
                !chosen.contains(number)
                    && **near < 0.75
                    && units
                        .get(**number)
                        .is_some_and(|unit| chars + unit.chars <= limits.chars)
            })
            .map(|(position, (number, near))| {
                (
                    (1.0 - NOVELTY) * score(number) - NOVELTY * near,
                    position,
                    *number,
                )
            })
            .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        let Some((_, _, number)) = best else { break };
        let Some(unit) = units.get(number) else { break };
        chars += unit.chars;
        chosen.push(number);
        let said: HashSet<String> = unit.items().collect();
        for (candidate, near) in candidates.iter().zip(nearest.iter_mut()) {
            if let Some(other) = units.get(*candidate) {
                // Of two lists that share a step the second would say that once more (V093).
                *near = match !said.is_empty() && other.items().any(|item| said.contains(&item)) {
                    true => 1.0,
                    false => near.max(overlap(other, unit)),
                };
            }
        }
    }
    chosen.sort_unstable();
    used.extend(&chosen);
    chosen
}

/// Whether a piece is a block of the source with this role.
pub(super) fn is_block(unit: &Unit<'_>, role: Role) -> bool {
    !unit.is_sentence && unit.role == role
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::units::units;
    use super::*;

    #[test]
    fn of_two_procedures_that_share_a_step_one_is_chosen() {
        let shared =
            "Open the door of the kiln and look at each of the shelves that stand behind it.";
        let other =
            "Take the ladder from its place and lean it against the eastern side of the house.";
        let chosen = |second: &str| {
            let text = format!(
                "# Kiln\n\n## Look at the walls\n\n1. {shared}\n2. Measure each brick and write its length into the book.\n3. Close \
                 the book.\n\n## Look at the roof\n\n1. {second}\n2. Count all tiles that have come loose.\n3. Fasten the loose tiles with \
                 two nails.\n"
            );
            let blocks = document(&text).blocks;
            let outline = Outline::of(&blocks);
            let mut lexicon = Lexicon::new(None);
            let mut units = units(&blocks, &outline, &mut lexicon);
            score(&mut units, &outline, &mut lexicon);
            let limits = Limits {
                count: 6,
                chars: 10_000,
                each: 3_000,
            };
            let is_list = |unit: &Unit<'_>| unit.items().next().is_some();
            choose(&units, &mut Vec::new(), &limits, is_list).len()
        };
        assert_eq!((chosen(other), chosen(shared)), (2, 1));
    }
}
