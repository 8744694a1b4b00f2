//! `skillkiln check-source DIR`: whether the source of a skill has changed since the skill was made, by the digest in its header, and what
//! of the skill the source does not say any more.

use super::Common;
use super::operator::{block_on, quiet_log};
use super::output::{self, Stop, failed};
use super::source::SourceArgs;
use super::validate::line;
use super::workbench::Workbench;
use crate::domain::skill::Skill;
use crate::pipeline::handle::JobHandle;
use clap::Args;
use serde::Serialize;
use skillkiln_document::markdown::word_count;
use skillkiln_skills::report::{Check, Report};
use skillkiln_skills::validate::profile::Profile;
use skillkiln_skills::validate::{self, Header, package};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Which skill, and where its source is now.
#[derive(Debug, Args)]
pub struct CheckSource {
    /// The skill's folder
    pub dir: PathBuf,
    /// The source, where it is not found as the skill names it: an address, the path of a file or a folder, or - for standard input
    pub source: Option<String>,
    /// The number of pages that the skill was made of, for a site
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub max_pages: u32,
    /// Print what was found as JSON
    #[arg(long)]
    pub json: bool,
}

/// What was found, as it is printed.
#[derive(Debug, Serialize)]
struct Compared {
    source: String,
    changed: bool,
    /// When the skill was made.
    generated: Option<String>,
    digest_then: String,
    digest_now: String,
    /// What of the skill its source does not bear out any more.
    findings: Vec<Check>,
}

/// Runs the command.
///
/// # Errors
/// [`Stop::Changed`] when the source has changed, [`Stop::Failed`] when it or the skill cannot be read, [`Stop::Misused`] when it has to
/// be named.
pub fn run(command: &CheckSource, common: &Common) -> Result<(), Stop> {
    let settings = common.settings()?;
    quiet_log()?;
    let package = package::read(&command.dir).map_err(Stop::failed)?;
    let plain = validate::check(&package, Profile::Open);
    let (content, references) = package.into_skill();
    let header = validate::header_of(&content);
    let told = |name: &str| told(&header, name);
    let digest_then = told("source_digest").and_then(|text| text.strip_prefix("sha256:"));
    let digest_then = digest_then.map(str::to_owned).ok_or_else(|| {
        let folder = command.dir.display();
        Stop::Failed(format!(
            "{folder} does not say what it was made of: its header has no source_digest"
        ))
    })?;
    let generated = told("generated").map(str::to_owned);
    let source = SourceArgs {
        source: place(command, told("source"))?,
        source_type: None,
        max_pages: command.max_pages,
    };
    let skill = Skill {
        name: header.name.clone().unwrap_or_default(),
        description: header.description.clone().unwrap_or_default(),
        word_count: word_count(&content),
        content,
        references,
    };
    let (digest_now, proof) = block_on(async {
        let bench = Workbench::new(&settings)?;
        let handle = bench.read(&source, bench.input(&source)?).await?;
        let extracted = handle.take_document().await.map_err(failed)?;
        let digest = extracted.origin.digest.clone();
        if digest == digest_then {
            return Ok((digest, Report::default()));
        }
        let handle = JobHandle::of(bench.reader.pool.clone(), Arc::unwrap_or_clone(extracted));
        let proof = handle.prove(skill, true).await.map_err(failed)?;
        Ok((digest, proof))
    })?;
    let is_new = |check: &Check| !check.passed && !plain.checks.contains(check);
    let found = Compared {
        source: source.source,
        changed: digest_now != digest_then,
        generated,
        digest_then,
        digest_now,
        findings: proof.checks.into_iter().filter(is_new).collect(),
    };
    match command.json {
        true => output::say_json(&found)?,
        false => output::say(&found.in_words())?,
    }
    match found.changed {
        true => Err(Stop::Changed),
        false => Ok(()),
    }
}

impl Compared {
    /// For people: whether it changed, and what that means for the skill.
    fn in_words(&self) -> String {
        let source = output::tame(&self.source);
        let since = self.generated.as_deref().map(output::tame);
        let since = since.map_or_else(String::new, |day| format!(" since {day}"));
        if !self.changed {
            return format!("{source} is as it was{since}");
        }
        let mut lines: Vec<String> = self.findings.iter().map(line).collect();
        lines.push(match self.findings.len() {
            0 => format!("{source} has changed{since}; it still bears out the whole skill"),
            count => format!("{source} has changed{since}; findings against the skill: {count}"),
        });
        lines.join("\n")
    }
}

fn told<'h>(header: &'h Header, name: &str) -> Option<&'h str> {
    let mut pairs = header.metadata.iter();
    let value = pairs.find(|(key, _)| key == name);
    value.map(|(_, value)| value.as_str())
}

/// Where the source is: where it is said to be, or as the skill names it.
fn place(command: &CheckSource, named: Option<&str>) -> Result<String, Stop> {
    if let Some(source) = &command.source {
        return Ok(source.clone());
    }
    let named = named.unwrap_or_default();
    let is_address = named.starts_with("http://") || named.starts_with("https://");
    if is_address || Path::new(named).exists() {
        return Ok(named.to_owned());
    }
    Err(Stop::Misused(format!(
        "the skill was made of {named:?}, which is not here; name its source: skillkiln check-source {} SOURCE",
        command.dir.display()
    )))
}
