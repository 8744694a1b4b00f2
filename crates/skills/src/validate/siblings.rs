//! Owns the check that is made on the skills of a catalogue together: that their descriptions tell them apart.

use crate::report::{Check, Severity};
use crate::scaffold::is_our_word;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The check that is made on the skills of a catalogue together.
pub const CATALOGUE_RULE: &str = "V046";
/// Share of terms that two descriptions may have in common, in percent.
const COMMON_PERCENT_MAX: usize = 80;

/// The skills of one catalogue, which has at most twenty.
#[derive(Debug, Default)]
pub struct Siblings(Vec<(String, BTreeSet<String>)>);

impl Siblings {
    /// By their names and descriptions.
    #[must_use]
    pub fn of<'s>(skills: impl IntoIterator<Item = (&'s str, &'s str)>) -> Self {
        let told = |(name, description): (&str, &str)| (name.to_owned(), terms(name, description));
        Self(skills.into_iter().map(told).collect())
    }

    /// V046: the description of one of them has terms that the others have not.
    #[must_use]
    pub fn check(&self, own: usize) -> Check {
        let check = |passed, message: Cow<'static, str>| Check {
            id: CATALOGUE_RULE.into(),
            severity: Severity::Info,
            passed,
            message,
            line: None,
        };
        let none = BTreeSet::new();
        let mine = self.0.get(own).map_or(&none, |(_, terms)| terms);
        let is_twin = |(other, (_, theirs)): &(usize, &(String, BTreeSet<String>))| {
            *other != own
                && mine.intersection(theirs).count() * 100
                    > mine.union(theirs).count() * COMMON_PERCENT_MAX
        };
        match self.0.iter().enumerate().find(is_twin) {
            None => check(
                true,
                "the description has terms that its siblings have not".into(),
            ),
            Some((_, (name, _))) => check(
                false,
                format!("the description reads like that of `{name}`; name what is special here")
                    .into(),
            ),
        }
    }
}

/// The words by which an agent tells a skill from its siblings.
fn terms(name: &str, description: &str) -> BTreeSet<String> {
    let text = format!("{name} {description}");
    let words = text.split(|c: char| !c.is_alphanumeric());
    words
        .filter(|word| word.chars().count() > 2 && !is_our_word(&word.to_lowercase()))
        .map(str::to_lowercase)
        .collect()
}
