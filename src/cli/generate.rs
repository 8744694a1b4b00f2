//! `skillkiln generate SOURCE`: runs the pipeline once, here, without a server, and writes the skill's folder.

use super::Common;
use super::folder;
use super::operator::{block_on, quiet_log};
use super::output::{self, Stop, failed};
use super::progress::Progress;
use super::source::SourceArgs;
use super::validate::page;
use super::workbench::Workbench;
use crate::config::Settings;
use crate::domain::generation::Stage;
use crate::domain::source_kind::SourceKind;
use crate::pipeline::extract::Input;
use crate::pipeline::handle::JobHandle;
use crate::pipeline::product::{Checked, Extracted, Wish};
use crate::pipeline::trial::Listed;
use clap::Args;
use serde::Serialize;
use skillkiln_skills::report::Report;
use skillkiln_skills::skill::Reference;
use std::path::PathBuf;
use std::str::FromStr as _;
use std::sync::Arc;

/// What to make, and where to put it.
#[derive(Debug, Args)]
pub struct Generate {
    /// The source.
    #[command(flatten)]
    pub source: SourceArgs,
    /// The skill's name; derived from the source unless given
    #[arg(long, value_parser = name)]
    pub name: Option<String>,
    /// What the source is, when it should not be recognised: readme, how-to, runbook, rules, api, specification, reference, change-log, talk,
    /// minutes, source-code, article or book
    #[arg(long, value_name = "KIND", value_parser = SourceKind::from_str)]
    pub kind: Option<SourceKind>,
    /// The folder under which the skill's own folder is made
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub out: PathBuf,
    /// Write evals/evals.json and evals/trigger-eval.json too: tasks whose answers stand in the source, and requests that should and should
    /// not bring the skill up
    #[arg(long)]
    pub evals: bool,
    /// Replace the skill's folder although somebody changed it by hand
    #[arg(long)]
    pub force: bool,
    /// Tell how many tokens the model that is set would take and what they cost, and make nothing
    #[arg(long)]
    pub estimate: bool,
    /// What the model may cost at most, in the currency of the prices that are set; what goes beyond ends in the skill without it
    #[arg(long, value_name = "COST", value_parser = cost)]
    pub max_cost: Option<f64>,
    /// Print where the skill is and what the checks found as JSON
    #[arg(long)]
    pub json: bool,
}

/// As decision 19 allows it on the wire.
fn name(text: &str) -> Result<String, String> {
    const CHARS_MAX: usize = 200;
    match text.trim() {
        "" => Err("a name has at least one character".into()),
        name if name.chars().count() > CHARS_MAX => {
            Err(format!("a name has at most {CHARS_MAX} characters"))
        }
        name => Ok(name.to_owned()),
    }
}

/// As it is set in `model.cost_max`, where 0 is any cost.
fn cost(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(cost) if cost.is_finite() && cost > 0.0 => Ok(cost),
        _ => Err("a cost is a number above 0".into()),
    }
}

/// What a model would take, as it is printed.
#[derive(Debug, Serialize)]
struct Estimated {
    input_tokens: u64,
    output_tokens: u64,
    cost: f64,
}

/// A skill that was written, as it is printed.
#[derive(Debug, Serialize)]
struct Written {
    path: PathBuf,
    filename: &'static str,
    word_count: usize,
    reference_files: Vec<Reference>,
    validation: Report,
}

/// Runs the command.
///
/// # Errors
/// [`Stop::Failed`] when the source cannot be read, or the folder not be written. What the checks find is no failure.
pub fn run(command: &Generate, common: &Common) -> Result<(), Stop> {
    let mut settings = common.settings()?;
    settings.model.cost_max = command.max_cost.unwrap_or(settings.model.cost_max);
    quiet_log()?;
    let wish = Wish {
        name: command.name.clone(),
        kind: command.kind,
        ..Wish::default()
    };
    if command.estimate {
        let estimate = block_on(estimate(&settings, &command.source, wish))?;
        return match command.json {
            true => output::say_json(&estimate),
            false => output::say(&format!(
                "about {} tokens read and {} written by the model; cost by the prices set: {:.4}",
                estimate.input_tokens, estimate.output_tokens, estimate.cost
            )),
        };
    }
    let (made, progress) = block_on(async {
        let bench = Workbench::new(&settings)?;
        let input = bench.input(&command.source)?;
        let progress = Progress::start();
        Ok((
            make(&bench, command, input, wish, &progress).await,
            progress,
        ))
    })?;
    progress.end();
    let (made, evals) = made?;
    let path =
        folder::write(&command.out, &made.skill, &evals, command.force).map_err(Stop::Failed)?;
    if command.json {
        return output::say_json(&Written {
            path,
            filename: folder::SKILL_FILE,
            word_count: made.skill.word_count,
            reference_files: made.skill.references,
            validation: made.report,
        });
    }
    output::note(&page(&made.report));
    // Where the draft was delivered, the page has said why.
    if let Some(author) = made.report.authorship().filter(|check| check.passed) {
        output::note(&author.message);
    }
    output::note(&format!(
        "{} words and {} reference files in",
        made.skill.word_count,
        made.skill.references.len()
    ));
    output::say(&path.display().to_string())
}

/// Reads the source and asks nobody.
async fn estimate(settings: &Settings, source: &SourceArgs, wish: Wish) -> Result<Estimated, Stop> {
    let bench = Workbench::new(settings)?;
    let handle = bench.read(source, bench.input(source)?).await?;
    let estimates = bench.author.estimate(&handle, vec![wish]).await;
    let estimates = estimates.map_err(failed)?;
    let estimate = estimates.first();
    Ok(Estimated {
        input_tokens: estimate.map_or(0, |one| one.tokens.input),
        output_tokens: estimate.map_or(0, |one| one.tokens.output),
        cost: estimate.map_or(0.0, |one| one.cost),
    })
}

/// The three stages, one after the other, and what the skill is tried with when that is wanted.
async fn make(
    bench: &Workbench,
    command: &Generate,
    input: Input,
    wish: Wish,
    progress: &Progress,
) -> Result<(Checked, Vec<(&'static str, String)>), Stop> {
    progress.entered(Stage::Extracting);
    let mut handle = bench.read(&command.source, input).await?;
    let mut kept = None;
    if command.evals {
        let pool = &bench.reader.pool;
        let extracted = handle.take_document().await.map_err(failed)?;
        kept = Some(JobHandle::of(pool.clone(), Extracted::clone(&extracted)));
        handle = JobHandle::of(pool.clone(), Arc::unwrap_or_clone(extracted));
    }
    let tell = |words: &str| progress.told(&format!("  {words}"));
    let entered = |stage| progress.entered(stage);
    let validated = bench.write(handle, wish, &entered, &tell).await?;
    let skill = validated.skills.into_iter().next();
    let none = || Stop::Failed("the pipeline made no skill of this source".into());
    let made = skill.ok_or_else(none)?;
    let mut evals = Vec::new();
    if let Some(source) = kept {
        let own = Listed {
            name: made.skill.name.clone(),
            description: made.skill.description.clone(),
        };
        let tried = source.trial(Wish::default(), own, Vec::new()).await;
        evals.extend(tried.map_err(failed)?.files());
    }
    Ok((made, evals))
}
