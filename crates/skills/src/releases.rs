//! Owns what a card has of a log of changes: its newest releases, and what breaks in the others.

use crate::choose::{Choice, Chosen, choose};
use crate::kind::{Part, version_numbers, version_of};
use crate::outline::Outline;
use crate::recipe::Placed;
use crate::units::Unit;

/// Percent of its budget that the newest releases have.
const NEWEST_PERCENT: usize = 65;

/// How much less than what breaks the other changes of a release count that is too long to be shown whole.
const OTHERS_SHARE: f32 = 0.25;

/// How much less than in a release what breaks counts in the one before it.
const RECENT_SHARE: f32 = 0.85;

/// What a card has of a log of changes: the newest releases whole, or what matters of the newest one, and of the others what breaks.
#[must_use]
pub fn choose_releases(choice: &Choice<'_>, placed: &[Placed], budget: usize) -> Chosen {
    let whole = newest(choice.outline, budget * NEWEST_PERCENT / 100);
    let spent = whole
        .iter()
        .filter_map(|at| choice.outline.sections.get(*at));
    let spent: usize = spent.map(|one| one.tokens).sum();
    let releases = order(choice.outline);
    let long = releases.first().copied().filter(|_| whole.is_empty());
    // Whoever upgrades comes from one of the last releases more often than from one of the first.
    let recent = |unit: &Unit| {
        let mut around = choice.outline.around(unit.section);
        let own = around.find_map(|at| releases.iter().position(|one| *one == at));
        RECENT_SHARE.powi(
            own.and_then(|at| i32::try_from(at).ok())
                .unwrap_or(i32::MAX),
        )
    };
    let is_newest = |unit: &Unit| {
        long.is_some_and(|long| choice.outline.around(unit.section).any(|at| at == long))
    };
    let share = |unit: &Unit, placed: &Placed| match placed.part {
        _ if whole.binary_search(&unit.section).is_ok() => 0.0,
        Some(Part::Breaking) => recent(unit),
        _ if is_newest(unit) => OTHERS_SHARE,
        _ => 0.0,
    };
    let all = choice.units.iter().zip(choice.worth).zip(placed);
    let worth: Vec<f32> = all
        .map(|((unit, worth), placed)| worth * share(unit, placed))
        .collect();
    let left = Choice {
        worth: &worth,
        ..*choice
    };
    let mut chosen = choose(&left, budget.saturating_sub(spent));
    chosen.whole = whole;
    chosen
}

/// The releases of a log of changes, the newest first. One log begins with the newest, another ends with it.
fn order(outline: &Outline) -> Vec<usize> {
    let releases: Vec<usize> = (1..outline.sections.len())
        .filter(|at| {
            let own = |at: usize| {
                outline
                    .sections
                    .get(at)
                    .is_some_and(|one| names_release(&one.title))
            };
            own(*at) && !outline.around(*at).skip(1).any(own)
        })
        .collect();
    let numbers = |at: Option<&usize>| {
        let section = at.and_then(|at| outline.sections.get(*at));
        let version = section.and_then(|one| version_of(&one.title));
        version_numbers(version.unwrap_or_default())
    };
    let with_number = |at: &&usize| !numbers(Some(at)).is_empty();
    let first = numbers(releases.iter().find(with_number));
    let is_ascending = first < numbers(releases.iter().rfind(with_number));
    match is_ascending {
        true => releases.into_iter().rev().collect(),
        false => releases,
    }
}

/// The newest releases of a log of changes within a budget, each with all that is inside it.
fn newest(outline: &Outline, budget: usize) -> Vec<usize> {
    let mut left = budget;
    let mut out = Vec::new();
    for release in order(outline) {
        let Some(rest) = left.checked_sub(outline.total(release)) else {
            break;
        };
        left = rest;
        let end = outline.sections.get(release).map_or(release, |one| one.end);
        out.extend(release..end);
    }
    out.sort_unstable();
    out
}

/// Whether a title is that of a release, or of what is not released yet.
fn names_release(title: &str) -> bool {
    version_of(title).is_some() || title.to_lowercase().contains("unreleased")
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::testing::document;

    #[test]
    fn the_newest_releases_come_first_whichever_way_a_log_runs() {
        let release = |version: &str| {
            format!("## {version}\n\n### Fixed\n\n- The door shuts again, and the lamp is lit.\n\n")
        };
        let newest_of = |versions: [&str; 3]| {
            let text: String = versions.map(release).concat();
            let document = document(&format!("# Changes\n\n{text}"));
            let outline = Outline::of(&document.blocks);
            let one = outline.total(2);
            newest(&outline, one * 2 + one / 2)
        };
        assert_eq!(newest_of(["3.0", "2.10", "2.9"]), [2, 3, 4, 5]);
        assert_eq!(newest_of(["2.9", "2.10", "3.0"]), [4, 5, 6, 7]);
    }

    #[test]
    fn a_newest_release_that_is_too_long_shows_what_fits_of_it() {
        let change = "- The door of the kiln shuts again, and its lamp is lit at night.\n";
        let text = format!(
            "# Changes\n\n## 3.0\n\n{}\n## 2.9\n\n{change}",
            change.repeat(40)
        );
        let document = document(&text);
        let outline = Outline::of(&document.blocks);
        let units = crate::units::extract(&document.blocks, &outline);
        let worth = vec![1.0; units.len()];
        let choice = Choice {
            units: &units,
            worth: &worth,
            outline: &outline,
            blocks: &document.blocks,
            by_section: false,
            sections_only: false,
            section_max: 700,
        };
        let placed = vec![Placed::IN_PLACE; units.len()];
        let chosen = choose_releases(&choice, &placed, 200);
        let sections: Vec<usize> = chosen.units.iter().map(|at| units[*at].section).collect();
        assert!(
            chosen.whole.is_empty() && !sections.is_empty() && sections.iter().all(|at| *at == 2),
            "{sections:?}"
        );
    }
}
