//! Owns which units matter: by how often their words come back in the whole source, by where they stand, by what they are, by what
//! their words tell. Never by position, never in equal shares.
//!
//! The weights are those of a logistic model of whether a unit answers a question that somebody has with the source, found on half of
//! an evaluation set.

use crate::cues::{leans, points_elsewhere};
use crate::outline::Outline;
use crate::section_role::{SectionRole, role_of};
use crate::tasks::is_verb;
use crate::terms::{Term, Vocabulary};
use crate::units::{Form, Unit, UnitKind};
use skillkiln_document::quick::QuickSet;

/// What is known of a unit, by name.
pub const FEATURES: [&str; 42] = [
    "centrality",
    "title words",
    "first",
    "command",
    "rule",
    "pair",
    "default",
    "failure",
    "procedure",
    "operation",
    "definition",
    "setting",
    "check",
    "statement",
    "must",
    "should",
    "default cue",
    "failure cue",
    "condition",
    "code",
    "stressed",
    "core",
    "once",
    "aside",
    "log tokens",
    "leans",
    "points",
    "question",
    "number",
    "row",
    "item",
    "subject",
    "deep",
    "long section",
    "speaks to reader",
    "path share",
    "log units in section",
    "title share",
    "opens with a verb",
    "capital must",
    "length of words",
    "links",
];

/// The weight of each of [`FEATURES`].
const WEIGHTS: [f32; FEATURES.len()] = [
    1.42, 0.0, 0.9, 0.9, 0.57, -0.1, 0.68, -0.3, 1.2, -0.2, -0.2, 0.9, -0.5, -0.35, 0.54, 0.7, 0.0,
    -0.4, 0.27, 0.95, 0.0, 0.67, -2.2, -1.8, -0.48, -0.57, -0.15, -2.0, -0.3, -1.2, 1.06, 0.17,
    -0.32, -0.13, -0.12, -0.15, 0.0, 0.8, 0.59, 1.08, -0.94, -1.53,
];

/// The features of each unit.
#[must_use]
pub fn features(units: &[Unit], outline: &Outline, title: &str) -> Vec<[f32; FEATURES.len()]> {
    let mut vocabulary = Vocabulary::default();
    let subject: QuickSet<Term> = vocabulary.terms(title).into_iter().collect();
    let titles: Vec<QuickSet<Term>> = outline
        .sections
        .iter()
        .map(|one| vocabulary.terms(&one.title).into_iter().collect())
        .collect();
    let terms: Vec<Vec<Term>> = units
        .iter()
        .map(|unit| {
            let mut terms = vocabulary.terms(&unit.text);
            terms.sort_unstable();
            terms.dedup();
            terms
        })
        .collect();
    // In how many units a term stands.
    let mut spread = vec![0_u32; vocabulary.len()];
    for term in terms.iter().flatten() {
        if let Some(count) = usize::try_from(*term)
            .ok()
            .and_then(|at| spread.get_mut(at))
        {
            *count += 1;
        }
    }
    let roles: Vec<SectionRole> = (0..outline.sections.len())
        .map(|section| role_in(outline, section))
        .collect();
    let mut seen: QuickSet<usize> = QuickSet::default();
    let mut beside = vec![0_u32; outline.sections.len()];
    for unit in units {
        if let Some(count) = beside.get_mut(unit.section) {
            *count += 1;
        }
    }
    units
        .iter()
        .zip(&terms)
        .map(|(unit, terms)| {
            let told = Told {
                spread: &spread,
                titles: &titles,
                subject: &subject,
                role: roles
                    .get(unit.section)
                    .copied()
                    .unwrap_or(SectionRole::Plain),
                is_first: seen.insert(unit.section),
                beside: beside.get(unit.section).copied().unwrap_or(1),
            };
            told.features(unit, terms, outline)
        })
        .collect()
}

/// What is known of the place of a unit.
struct Told<'t> {
    spread: &'t [u32],
    titles: &'t [QuickSet<Term>],
    subject: &'t QuickSet<Term>,
    role: SectionRole,
    is_first: bool,
    /// Units in its section.
    beside: u32,
}

impl Told<'_> {
    fn features(&self, unit: &Unit, terms: &[Term], outline: &Outline) -> [f32; FEATURES.len()] {
        let times = |term: &Term| {
            let at = usize::try_from(*term).unwrap_or(usize::MAX);
            self.spread.get(at).copied().unwrap_or_default()
        };
        let weight: f32 = terms
            .iter()
            .map(times)
            .filter(|times| *times > 1)
            .map(|times| (1.0 + times as f32).ln())
            .sum();
        let centrality = weight / (8.0 + terms.len() as f32);
        let own = self.titles.get(unit.section);
        let shared = own.map_or(0, |own| {
            terms.iter().filter(|term| own.contains(term)).count()
        });
        let of_subject = terms
            .iter()
            .filter(|term| self.subject.contains(term))
            .count();
        let is = |kind: UnitKind| f32::from(u8::from(unit.kind == kind));
        let flag = |is: bool| f32::from(u8::from(is));
        let count = |cue: u8| f32::from(cue.min(2));
        let trimmed = unit.text.trim();
        let section = outline.sections.get(unit.section);
        let depth = section.map_or(0, |one| one.level);
        let lower = trimmed.to_lowercase();
        let speaks = lower.starts_with("i ") || lower.contains(" we ") || lower.contains(" i ");
        let share = section.map_or(0.0, |one| unit.tokens as f32 / (1 + one.tokens) as f32);
        [
            centrality,
            shared.min(3) as f32,
            flag(self.is_first),
            is(UnitKind::Command),
            is(UnitKind::Rule),
            is(UnitKind::Pair),
            is(UnitKind::Default),
            is(UnitKind::Failure),
            is(UnitKind::Procedure),
            is(UnitKind::Operation),
            is(UnitKind::Definition),
            is(UnitKind::Setting),
            is(UnitKind::Check),
            is(UnitKind::Statement),
            count(unit.cues.must),
            count(unit.cues.should),
            count(unit.cues.default),
            count(unit.cues.failure),
            count(unit.cues.condition),
            flag(unit.has_code),
            flag(unit.is_stressed),
            flag(self.role == SectionRole::Core),
            flag(self.role == SectionRole::Once),
            flag(self.role == SectionRole::Aside),
            (unit.tokens as f32 + 1.0).ln(),
            flag(leans(trimmed)),
            flag(
                matches!(unit.form, Form::Sentence(_) | Form::Item(_)) && points_elsewhere(trimmed),
            ),
            flag(trimmed.ends_with('?')),
            flag(trimmed.contains(|c: char| c.is_ascii_digit())),
            flag(matches!(unit.form, Form::Row(_))),
            flag(matches!(unit.form, Form::Item(_))),
            of_subject.min(2) as f32,
            f32::from(depth),
            section.map_or(0.0, |one| (one.tokens as f32 + 1.0).ln()),
            flag(speaks),
            share,
            (1.0 + self.beside as f32).ln(),
            own.map_or(0.0, |own| shared as f32 / (1 + own.len()) as f32),
            flag(opens_with_verb(trimmed)),
            flag(
                ["MUST", "SHALL", "must not", "never"]
                    .iter()
                    .any(|word| trimmed.contains(word)),
            ),
            trimmed.chars().count() as f32 / (1 + trimmed.split_whitespace().count()) as f32 / 10.0,
            flag(trimmed.contains("://")),
        ]
    }
}

/// Whether a text opens with a verb, as what is to be done does.
fn opens_with_verb(text: &str) -> bool {
    text.split_once(' ')
        .is_some_and(|(first, _)| is_verb(&first.to_lowercase()))
}

/// The role of a section: its own, else that of one above it.
#[must_use]
pub fn role_in(outline: &Outline, section: usize) -> SectionRole {
    let path = outline.path(section);
    // The document's own title is no section's.
    let roles = path.iter().rev().map(|title| role_of(title));
    roles
        .into_iter()
        .find(|role| *role != SectionRole::Plain)
        .unwrap_or(SectionRole::Plain)
}

/// How likely each unit is to answer what somebody asks, by its odds.
#[must_use]
pub fn worth(features: &[[f32; FEATURES.len()]]) -> Vec<f32> {
    features
        .iter()
        .map(|own| {
            let sum: f32 = own
                .iter()
                .zip(WEIGHTS)
                .map(|(value, weight)| value * weight)
                .sum();
            (sum - 3.0).exp()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::extract;
    use skillkiln_document::testing::document;

    #[test]
    fn a_command_that_everything_is_about_is_worth_more_than_a_credit() {
        let text = "# Kiln\n\n## Usage\n\nLight the kiln:\n\n```sh\nkiln light\n```\n\n## Doors\n\nThe kiln must be shut.\n\n## Credits\n\nAnna drew the flame.";
        let document = document(text);
        let outline = Outline::of(&document.blocks);
        let units = extract(&document.blocks, &outline);
        let worth = worth(&features(&units, &outline, "Kiln"));
        assert!(worth[0] > worth[2] && worth[1] > worth[2], "{worth:?}");
    }
}
