//! The third stage: checks skills against every public rule, and generated ones against their source.
//!
//! ```text
//! folder, zip, SKILL.md ──package──▶ Package ─┐
//!             Extracted ──evidence──▶ index ──┴─subject──▶ Subject ──table: one function a check──▶ Report
//! ```
//!
//! The checks are pure functions over a package that is parsed once; their time is linear in its length. Findings never
//! fail a generation (decision 34).

pub mod package;
pub mod table;

mod body;
mod coverage;
mod description;
mod digests;
mod evidence;
mod fields;
mod files;
mod front_matter;
mod header;
mod host;
mod index;
mod links;
mod markdown;
mod name;
mod page;
mod proof;
mod quotation;
mod references;
mod repetition;
mod scripts;
mod security;
mod subject;
mod tokens;
mod wording;

#[cfg(test)]
mod tests;

use crate::domain::skill::{AUTHOR_RULE, Check, Report, Severity, Skill};
use crate::pipeline::origins;
use crate::pipeline::pool::{Limits, Pool};
use crate::pipeline::product::{Authorship, Checked, Extracted, Proof, Synthesized, Validated};
use crate::pipeline::validate::evidence::Evidence;
use crate::pipeline::validate::front_matter::{Field, FrontMatter, Value};
use crate::pipeline::validate::index::Index;
use crate::pipeline::validate::package::Package;
use crate::pipeline::validate::subject::Subject;
use crate::pipeline::validate::table::rules;
use skillkiln_document::failure::Failure;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Most findings of one check that are listed; the last one says how many more there are.
const FINDINGS_MAX: usize = 20;
/// The check that is made on the skills of a catalogue together.
pub const CATALOGUE_RULE: &str = "V046";
/// Share of terms that two descriptions may have in common, in percent.
const COMMON_PERCENT_MAX: usize = 80;

/// Whose loader a skill is meant for (decision 59).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Profile {
    /// Any loader of the open specification.
    #[default]
    Open,
    /// An upload, where some warnings become errors.
    Claude,
}

/// What the header of a SKILL.md says of itself, as far as it can be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Header {
    /// Its `name`, when that is text.
    pub name: Option<String>,
    /// Its `description`, when that is text of a length that loaders accept.
    pub description: Option<String>,
    /// Its `metadata`, as far as its values are text.
    pub metadata: Vec<(String, String)>,
}

/// Reads the header of a SKILL.md.
#[must_use]
pub fn header_of(content: &str) -> Header {
    const DESCRIPTION_CHARS_MAX: usize = 1_024;
    const METADATA_MAX: usize = 20;
    let front = FrontMatter::read(content);
    let text = |key: &str| {
        let value = front.field(key)?.value.as_text()?.trim();
        (!value.is_empty()).then(|| value.to_owned())
    };
    Header {
        name: text("name"),
        description: text("description")
            .filter(|description| description.chars().count() <= DESCRIPTION_CHARS_MAX),
        metadata: front.field("metadata").map_or_else(Vec::new, |field| {
            let Value::Mapping(fields) = &field.value else {
                return Vec::new();
            };
            let pair = |field: &Field| Some((field.key.clone(), field.value.as_text()?.to_owned()));
            fields.iter().filter_map(pair).take(METADATA_MAX).collect()
        }),
    }
}

/// How many tokens a model reads a text as, by estimate.
#[must_use]
pub fn tokens_in(text: &str) -> usize {
    body::tokens(text)
}

/// Checks a package; with the source it was made from, also that nothing in it is invented.
#[must_use]
pub fn check(package: &Package, source: Option<&Extracted>, profile: Profile) -> Report {
    examine(package, source.map(Index::of).as_ref(), true, &[], profile)
}

/// Checks a skill of ours.
#[must_use]
pub fn check_skill(skill: &Skill, source: Option<&Extracted>, profile: Profile) -> Report {
    check(&Package::of(skill), source, profile)
}

fn examine(
    package: &Package,
    evidence: Option<&Evidence>,
    is_whole: bool,
    judged: &[Proof],
    profile: Profile,
) -> Report {
    let texts = subject::texts(package);
    let subject = Subject::of(package, &texts, evidence, is_whole);
    let mut checks = Vec::new();
    for (demand, run) in rules() {
        let Some(mut findings) = run(&subject) else {
            continue;
        };
        // What a judge has proved by a quotation may stand in other words than the source's.
        if matches!(demand.id, "V090" | "V091") {
            let is_judged = |line: u32| {
                judged
                    .iter()
                    .any(|proof| (proof.lines.0..=proof.lines.1).contains(&line))
            };
            findings.retain(|finding| !finding.line.is_some_and(is_judged));
        }
        let severity = match profile {
            Profile::Open => demand.open,
            Profile::Claude => demand.claude,
        };
        let check = |passed, message, line| Check {
            id: demand.id.into(),
            severity,
            passed,
            message,
            line,
        };
        if findings.is_empty() {
            // A proof that holds says how much it has proved.
            let proved = match demand.id {
                "V090" => coverage::found_to_the_letter(&subject),
                "V091" => coverage::supported(&subject),
                "V092" => coverage::covered(&subject),
                _ => None,
            };
            let message = proved.map_or(Cow::Borrowed(demand.words), Cow::Owned);
            checks.push(check(true, message, None));
        }
        let rest = findings.len().saturating_sub(FINDINGS_MAX);
        for (number, mut finding) in (1..).zip(findings.into_iter().take(FINDINGS_MAX)) {
            if number == FINDINGS_MAX && rest > 0 {
                finding
                    .message
                    .push_str(&format!(" (and {rest} more like this)"));
            }
            checks.push(check(false, finding.message.into(), finding.line));
        }
    }
    Report::of(checks)
}

/// How a skill stands with the checks of both profiles together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::pipeline) struct Standing {
    errors: u32,
    warnings: u32,
    unsupported: usize,
    /// The checks that failed, and the lines of SKILL.md they are about.
    failed: BTreeSet<(Cow<'static, str>, Option<u32>)>,
}

impl Standing {
    /// Whether anything is worse than there.
    pub(in crate::pipeline) fn is_worse_than(&self, other: &Self) -> bool {
        self.errors > other.errors
            || self.warnings > other.warnings
            || self.unsupported > other.unsupported
    }

    /// The lines of SKILL.md that something was found on.
    pub(in crate::pipeline) fn lines(&self) -> BTreeSet<u32> {
        self.failed.iter().filter_map(|(_, line)| *line).collect()
    }

    /// The checks that failed.
    pub(in crate::pipeline) fn ids(&self) -> Vec<&str> {
        let mut ids: Vec<&str> = self.failed.iter().map(|(id, _)| id.as_ref()).collect();
        ids.dedup();
        ids
    }
}

/// Compares drafts of skills of one source.
pub(in crate::pipeline) struct Judge(Evidence);

impl Judge {
    /// For skills of this source.
    pub(in crate::pipeline) fn of(source: &Extracted) -> Self {
        Self(Index::of(source))
    }

    /// How a skill stands.
    pub(in crate::pipeline) fn standing(
        &self,
        skill: &Skill,
        is_whole: bool,
        judged: &[Proof],
    ) -> Standing {
        let package = Package::of(skill);
        let reports = [Profile::Open, Profile::Claude]
            .map(|profile| examine(&package, Some(&self.0), is_whole, judged, profile));
        let failed = reports.iter().flat_map(|report| &report.checks);
        let failed = failed.filter(|check| !check.passed && check.severity != Severity::Info);
        let failed: Vec<&Check> = failed.collect();
        let unproved = |check: &&&Check| matches!(&*check.id, "V090" | "V091");
        Standing {
            errors: reports.iter().map(|report| report.errors).sum(),
            warnings: reports.iter().map(|report| report.warnings).sum(),
            unsupported: failed.iter().filter(unproved).count(),
            failed: failed
                .iter()
                .map(|check| (check.id.clone(), check.line))
                .collect(),
        }
    }
}

/// Checks what was synthesized: each draft on its own, and the drafts of a catalogue against each other.
///
/// # Errors
/// When the pool is full or stops; never for what the checks find.
pub async fn validate(pool: &Pool, synthesized: Synthesized) -> Result<Validated, Failure> {
    let limits = Limits::of_source(synthesized.evidence.document.text.len());
    pool.run_within(limits, true, move || examine_all(synthesized))
        .await
}

/// Checks what was synthesized, here and now.
pub(in crate::pipeline) fn examine_all(synthesized: Synthesized) -> Validated {
    let Synthesized {
        evidence: source,
        mut drafts,
        index,
    } = synthesized;
    let origins: Vec<_> = drafts
        .iter_mut()
        .map(|draft| {
            let origins = origins::of(draft, &source);
            draft.traces = Vec::new();
            origins
        })
        .collect();
    let evidence = Index::consume(source);
    // A skill of the whole source has no siblings.
    let siblings = drafts.iter().filter(|draft| draft.topic.is_some());
    let terms: Vec<BTreeSet<String>> = match siblings.count() {
        0 => Vec::new(),
        _ => drafts.iter().map(|draft| terms(&draft.skill)).collect(),
    };
    let names: Vec<String> = drafts
        .iter()
        .map(|draft| draft.skill.name.clone())
        .collect();
    let skills = drafts
        .into_iter()
        .zip(origins)
        .enumerate()
        .map(|(own, (mut draft, origins))| {
            let is_whole = draft.topic.is_none();
            let package = Package::borrow(&mut draft.skill);
            let mut report = examine(
                &package,
                Some(&evidence),
                is_whole,
                &draft.proofs,
                Profile::Open,
            );
            package.give_back(&mut draft.skill);
            if !is_whole {
                let at = report
                    .checks
                    .partition_point(|check| *check.id < *CATALOGUE_RULE);
                report
                    .checks
                    .insert(at, sets_itself_apart(own, &terms, &names));
            }
            let is_given_back = draft.authorship.as_ref().is_some_and(|one| one.is_away);
            if let Some(authorship) = draft.authorship {
                report.checks.extend(told(authorship, draft.proofs));
            }
            Checked {
                origins,
                topic: draft.topic,
                category: draft.category,
                skill: draft.skill,
                report,
                is_given_back,
            }
        })
        .collect();
    Validated { skills, index }
}

/// Who wrote a skill, the proof of each statement of a model, and what of its text was thrown away.
fn told(authorship: Authorship, proofs: Vec<Proof>) -> Vec<Check> {
    let check = |passed, message: String, line| Check {
        id: AUTHOR_RULE.into(),
        severity: Severity::Info,
        passed,
        message: message.into(),
        line,
    };
    let mut out = vec![check(authorship.is_model, authorship.words, None)];
    out.extend(
        proofs
            .into_iter()
            .map(|proof| check(true, proof.words, Some(proof.lines.0))),
    );
    out.extend(
        authorship
            .thrown
            .into_iter()
            .map(|words| check(false, words, None)),
    );
    out
}

/// The words by which an agent tells a skill from its siblings.
fn terms(skill: &Skill) -> BTreeSet<String> {
    format!("{} {}", skill.name, skill.description)
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| {
            word.chars().count() > 2
                && !skillkiln_skills::scaffold::is_our_word(&word.to_lowercase())
        })
        .map(str::to_lowercase)
        .collect()
}

/// V046: the skills of one catalogue have terms that tell them apart. A catalogue has at most twenty.
fn sets_itself_apart(own: usize, terms: &[BTreeSet<String>], names: &[String]) -> Check {
    let check = |passed, message: Cow<'static, str>| Check {
        id: CATALOGUE_RULE.into(),
        severity: Severity::Info,
        passed,
        message,
        line: None,
    };
    let empty = BTreeSet::new();
    let mine = terms.get(own).unwrap_or(&empty);
    let twin = terms
        .iter()
        .zip(names)
        .enumerate()
        .find(|(other, (theirs, _))| {
            *other != own
                && mine.intersection(theirs).count() * 100
                    > mine.union(theirs).count() * COMMON_PERCENT_MAX
        });
    match twin {
        None => check(
            true,
            "the description has terms that its siblings have not".into(),
        ),
        Some((_, (_, name))) => check(
            false,
            format!("the description reads like that of `{name}`; name what is special here")
                .into(),
        ),
    }
}
