//! Checks skills against every public rule, and generated ones against their source.
//!
//! ```text
//! folder, zip, SKILL.md ──package──▶ Package ─┐
//!              Document ──evidence──▶ index ──┴─subject──▶ Subject ──table: one function a check──▶ Report
//! ```
//!
//! The checks are pure functions over a package that is parsed once; their time is linear in its length. Findings never
//! fail a generation (decision 34).

pub mod demands;
pub mod package;
pub mod profile;
pub mod siblings;
pub mod table;

mod body;
mod coverage;
mod description;
mod digests;
mod evidence;
mod fields;
mod files;
mod finding;
mod front_matter;
mod header;
mod host;
mod index;
mod links;
mod markdown;
mod name;
mod overlap;
mod page;
mod proof;
mod prose;
mod quotation;
mod references;
mod repetition;
mod required;
mod runs;
mod scripts;
mod security;
mod shapes;
mod subject;
mod tokens;
mod whole;
mod wording;

#[cfg(test)]
mod tests;

use crate::report::{Check, Report, Severity};
use crate::validate::evidence::Evidence;
use crate::validate::front_matter::{Field, FrontMatter, Value};
use crate::validate::index::Index;
use crate::validate::package::Package;
use crate::validate::profile::Profile;
use crate::validate::subject::Subject;
use crate::validate::table::rules;
use skillkiln_document::blocks::Document;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Most findings of one check that are listed; the last one says how many more there are.
const FINDINGS_MAX: usize = 20;

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

/// Checks a package without its source.
#[must_use]
pub fn check(package: &Package, profile: Profile) -> Report {
    examine(package, None, true, &[], profile)
}

fn examine(
    package: &Package,
    evidence: Option<&Evidence>,
    is_whole: bool,
    judged: &[Lines],
    profile: Profile,
) -> Report {
    let texts = subject::texts(package);
    let subject = Subject {
        profile,
        ..Subject::of(package, &texts, evidence, is_whole)
    };
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
                    .any(|(first, last)| (*first..=*last).contains(&line))
            };
            findings.retain(|finding| !finding.line.is_some_and(is_judged));
        }
        let severity = match profile {
            Profile::ClaudeCode if demand.id == host::RULE => Severity::Error,
            Profile::Open | Profile::ClaudeCode => demand.open,
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
pub struct Standing {
    errors: u32,
    warnings: u32,
    unsupported: usize,
    /// The checks that failed, and the lines of SKILL.md they are about.
    failed: BTreeSet<(Cow<'static, str>, Option<u32>)>,
}

impl Standing {
    /// Whether anything is worse than there.
    #[must_use]
    pub fn is_worse_than(&self, other: &Self) -> bool {
        self.errors > other.errors
            || self.warnings > other.warnings
            || self.unsupported > other.unsupported
    }

    /// The lines of SKILL.md that something was found on.
    #[must_use]
    pub fn lines(&self) -> BTreeSet<u32> {
        self.failed.iter().filter_map(|(_, line)| *line).collect()
    }

    /// The checks that failed.
    #[must_use]
    pub fn ids(&self) -> Vec<&str> {
        let mut ids: Vec<&str> = self.failed.iter().map(|(id, _)| id.as_ref()).collect();
        ids.dedup();
        ids
    }
}

/// First and last line of SKILL.md, counted from 1, of a statement that a judge has proved by a quotation from the source.
pub type Lines = (u32, u32);

/// Checks skills of one source, also that nothing in them is invented.
#[derive(Debug)]
pub struct Judge(Evidence);

impl Judge {
    /// For skills of this source, whose address or file name is `label`.
    #[must_use]
    pub fn of(document: &Document, label: &str) -> Self {
        Self(Index::of(document, label))
    }

    /// [`Self::of`] a source that nobody else needs any more: it goes while its index grows.
    #[must_use]
    pub fn consume(document: Document, label: &str) -> Self {
        Self(Index::consume(document, label))
    }

    /// Checks a skill; `is_whole` when it is of the whole source and not of a topic.
    #[must_use]
    pub fn report(
        &self,
        package: &Package,
        is_whole: bool,
        judged: &[Lines],
        profile: Profile,
    ) -> Report {
        examine(package, Some(&self.0), is_whole, judged, profile)
    }

    /// How a skill stands.
    #[must_use]
    pub fn standing(&self, package: &Package, is_whole: bool, judged: &[Lines]) -> Standing {
        let reports = [Profile::Open, Profile::Claude]
            .map(|profile| self.report(package, is_whole, judged, profile));
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
