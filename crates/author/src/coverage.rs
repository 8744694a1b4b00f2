//! Owns which units nobody named although a reader may need them: rules, defaults, versions, exceptions, failures.

use crate::units::{Unit, UnitId, UnitKind, Units};
use skillkiln_skills::cues::Cues;
use std::collections::HashSet;

/// Units that are asked about at once.
const UNITS_MAX: usize = 36;
/// Longest unit that is one point.
const CHARS_MAX: usize = 900;

/// The units with a rule, a default, a version, an exception or a failure in them that none of `used` is, the most needed first.
#[must_use]
pub fn missed(
    units: &Units,
    used: impl Iterator<Item = UnitId>,
    read: impl Fn(&Unit) -> bool,
) -> Vec<u32> {
    let used: HashSet<u32> = used.map(|id| id.number).collect();
    let said: Vec<String> = used
        .iter()
        .filter_map(|number| units.get(*number))
        .map(|unit| unit.text.to_lowercase())
        .collect();
    // What stands in a unit that is used was said.
    let is_said = |unit: &Unit| {
        let text = unit.text.to_lowercase();
        said.iter().any(|said| said.contains(text.trim()))
    };
    let mut found: Vec<(usize, u32)> = units
        .all()
        .iter()
        .filter(|unit| !used.contains(&unit.number) && read(unit))
        .filter_map(|unit| Some((need(unit)?, unit)))
        .filter(|(_, unit)| !is_said(unit))
        .map(|(need, unit)| (need, unit.number))
        .collect();
    found.sort_by_key(|(need, number)| (std::cmp::Reverse(*need), *number));
    found.truncate(UNITS_MAX);
    let mut numbers: Vec<u32> = found.into_iter().map(|(_, number)| number).collect();
    numbers.sort_unstable();
    numbers
}

/// Whether a unit has a rule, a default, a version, an exception or a failure in it.
#[must_use]
pub fn is_needed(unit: &Unit) -> bool {
    need(unit).is_some()
}

/// How much a unit is needed; none where it is no point of its own.
fn need(unit: &Unit) -> Option<usize> {
    let is_said = matches!(unit.kind, UnitKind::Paragraph | UnitKind::Item(_));
    if !is_said || unit.text.chars().count() > CHARS_MAX {
        return None;
    }
    let cues = Cues::of(&unit.text);
    let is_set_apart = ["warning", "important", "caution", "danger"]
        .iter()
        .any(|label| unit.label.starts_with(label));
    let need = usize::from(cues.must) * 3
        + usize::from(cues.default) * 3
        + usize::from(cues.failure) * 2
        + usize::from(cues.should)
        + usize::from(has_version(&unit.text)) * 2
        + usize::from(is_set_apart) * 4;
    (need >= 3).then_some(need)
}

/// Whether a text names a version: `v1.2`, `3.12`, `since 4.0`.
fn has_version(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '.')
        .any(|word| {
            let word = word.trim_matches('.').trim_start_matches('v');
            let mut parts = word.split('.');
            let is_number =
                |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            word.contains('.') && parts.all(is_number)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::testing::document;

    #[test]
    fn rules_that_nobody_names_are_found_and_others_are_not() {
        let text = "# Kiln\n\nNever open the lid while it is hot.\n\nIt is red.\n\nSince v2.1 the default is 60.\n\nIt must be dry.";
        let units = Units::of("Kiln", &document(text).blocks);
        let missed = missed(&units, [UnitId::whole(5)].into_iter(), |_| true);
        assert_eq!(missed, [2, 4]);
        assert!(has_version("in v3.12.") && !has_version("a. b") && !has_version("12"));
    }
    #[test]
    fn what_another_unit_says_too_is_not_asked_about() {
        let text =
            "# Kiln\n\nThe lid must be shut.\n\nThe lid must be shut. Always.\n\nIt must be dry.";
        let units = Units::of("Kiln", &document(text).blocks);
        let missed = |used| missed(&units, [UnitId::whole(used)].into_iter(), |_| true);
        assert_eq!(missed(3), [4]);
        assert_eq!(missed(2), [3, 4]);
    }
}
