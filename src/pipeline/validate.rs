//! The third stage: checks what was written, each skill on its own and against its source, and the skills of a catalogue against each
//! other. The checks are [`skillkiln_skills::validate`]; findings never fail a generation (decision 34).

use crate::domain::skill::Skill;
use crate::pipeline::pool::{Limits, Pool};
use crate::pipeline::product::{
    Authorship, Checked, Draft, Extracted, Proof, Synthesized, Validated,
};
use crate::pipeline::synthesize::source_of;
use skillkiln_document::failure::Failure;
use skillkiln_skills::origins;
use skillkiln_skills::report::{AUTHOR_RULE, Check, Report, Severity};
use skillkiln_skills::validate::Judge;
use skillkiln_skills::validate::package::Package;
use skillkiln_skills::validate::profile::Profile;
use skillkiln_skills::validate::siblings::{CATALOGUE_RULE, Siblings};
use std::sync::Arc;

/// Checks a skill of ours, with the source it was made from, all of which it is to hold when it `is_whole`.
#[must_use]
pub fn check_skill(skill: &Skill, source: &Extracted, is_whole: bool, profile: Profile) -> Report {
    let judge = Judge::of(&source.document, &source.origin.label);
    judge.report(&skill.package(), is_whole, &[], profile)
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
        evidence,
        mut drafts,
        index,
    } = synthesized;
    let source = source_of(&evidence.origin);
    let origins: Vec<_> = drafts
        .iter_mut()
        .map(|draft| {
            let traces = std::mem::take(&mut draft.traces);
            let Skill {
                content,
                references,
                ..
            } = &draft.skill;
            origins::of(content, references, &traces, &evidence.document, &source)
        })
        .collect();
    let judge = match Arc::try_unwrap(evidence) {
        Ok(evidence) => Judge::consume(evidence.document, &source.label),
        Err(shared) => Judge::of(&shared.document, &source.label),
    };
    // A skill of the whole source has no siblings.
    let is_of_topics = drafts.iter().any(|draft| draft.topic.is_some());
    let told = |draft: &Draft| (draft.skill.name.clone(), draft.skill.description.clone());
    let told: Vec<(String, String)> = match is_of_topics {
        true => drafts.iter().map(told).collect(),
        false => Vec::new(),
    };
    let siblings = Siblings::of(told.iter().map(|(name, said)| (&**name, &**said)));
    let checked = |(own, (mut draft, origins)): (usize, (Draft, Vec<_>))| {
        let is_whole = draft.topic.is_none();
        let judged: Vec<(u32, u32)> = draft.proofs.iter().map(|proof| proof.lines).collect();
        let content = std::mem::take(&mut draft.skill.content);
        let references = std::mem::take(&mut draft.skill.references);
        let package = Package::of(&draft.skill.name, content, references);
        let mut report = judge.report(&package, is_whole, &judged, Profile::Open);
        (draft.skill.content, draft.skill.references) = package.into_skill();
        if !is_whole {
            let checks = &mut report.checks;
            let at = checks.partition_point(|check| *check.id < *CATALOGUE_RULE);
            checks.insert(at, siblings.check(own));
        }
        let is_given_back = draft.authorship.as_ref().is_some_and(|one| one.is_away);
        if let Some(authorship) = draft.authorship {
            report.bill = authorship.bill;
            let checks = &mut report.checks;
            let at = checks.partition_point(|check| *check.id < *AUTHOR_RULE);
            checks.splice(at..at, authors(authorship, draft.proofs));
        }
        Checked {
            origins,
            topic: draft.topic,
            category: draft.category,
            skill: draft.skill,
            report,
            is_given_back,
        }
    };
    let skills = drafts.into_iter().zip(origins).enumerate().map(checked);
    Validated {
        skills: skills.collect(),
        index,
    }
}

/// Who wrote a skill, the proof of each statement of a model, and what of its text was thrown away.
fn authors(authorship: Authorship, proofs: Vec<Proof>) -> Vec<Check> {
    let check = |passed, message: String, line| Check {
        id: AUTHOR_RULE.into(),
        severity: Severity::Info,
        passed,
        message: message.into(),
        line,
    };
    let mut out = vec![check(authorship.is_model, authorship.words, None)];
    let proofs = proofs.into_iter();
    out.extend(proofs.map(|proof| check(true, proof.words, Some(proof.lines.0))));
    let thrown = authorship.thrown.into_iter();
    out.extend(thrown.map(|words| check(false, words, None)));
    out
}
