//! Makes what a skill is tried with: tasks whose answers stand in its source, requests that should and that should not bring it up, and the
//! place at which its description comes up for them among others.
//!
//! ```text
//! Document ─needs─▶ what its readers need ─┬─ tasks ─▶ evals/evals.json
//!                   descriptions of others ┴─ trigger ─▶ evals/trigger-eval.json ─ranking─▶ hits, misses, false alarms
//! ```
//!
//! Everything is deterministic. The files have the members that the community's tools for evaluating skills read.

mod bm25;
pub mod needs;
pub mod ranking;
pub mod tasks;
pub mod trigger;

/// A skill as a host lists it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Described<'d> {
    /// Its name.
    pub name: &'d str,
    /// Its description.
    pub description: &'d str,
}

/// Descriptions of common skills, against which one is ranked whose owner has few others.
///
/// ```
/// let common = skillkiln_skills::evals::common();
/// assert!(common.len() > 200);
/// assert!(common.iter().all(|one| !one.description.is_empty()));
/// ```
#[must_use]
pub fn common() -> Vec<Described<'static>> {
    let lines = include_str!("common.tsv").lines();
    let described = lines.filter_map(|line| line.split_once('\t'));
    described
        .map(|(name, description)| Described { name, description })
        .collect()
}
