//! `skillkiln bench --quality DIR`: makes a skill of each document of a folder and measures how much of the document it keeps,
//! how much of its body the document says, and what the checks find.
//!
//! Shares are of runs of words, as `runs.rs` counts them. Last, each skill is looked for among all of them, by questions
//! made from its document.

use super::Common;
use super::findable::{Questions, Ranking};
use super::folder;
use super::operator::{block_on, quiet_log};
use super::output::{self, Stop};
use super::runs::{Text, count_verbatim, share};
use super::source::SourceArgs;
use crate::domain::clock::Clock;
use crate::domain::skill::{Report, Severity, Skill};
use crate::pipeline::extract::{self, Input, Reader};
use crate::pipeline::product::{Extracted, Wish};
use crate::pipeline::secret::redacted;
use crate::pipeline::validate::Profile;
use crate::pipeline::{synthesize, validate};
use crate::services;
use rustix::time::{ClockId, clock_gettime};
use serde::Serialize;
use skillkiln_document::blocks::BlockKind;
use skillkiln_document::failure::Failure;
use skillkiln_document::markdown;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Deepest folder that is looked into.
const DEPTH_MAX: usize = 16;

/// What was measured of one document.
#[derive(Debug, Clone, Serialize)]
struct Row {
    document: String,
    skill: String,
    words: usize,
    /// Share of the source's runs of words that stand in the skill.
    coverage: f64,
    code_blocks: usize,
    /// Share of the source's code blocks that stand in the skill to the letter, but for the secrets that are left out of both.
    code: f64,
    /// Share of the runs of words of SKILL.md's body that stand in the source.
    fidelity: f64,
    /// Share of the questions made from the document, each naming what it is asked of, for which the skill's description ranks before all
    /// others of the folder.
    found: f64,
    /// The same of questions that do not name it.
    found_unnamed: f64,
    errors: u32,
    warnings: u32,
    /// How often each check failed, of both profiles the one where it failed more often.
    findings: BTreeMap<String, usize>,
    cpu_ms: f64,
}

/// A document of which no skill could be made.
#[derive(Debug, Clone, Serialize)]
struct Refused {
    document: String,
    message: String,
}

/// The middle and the worst of all rows.
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct Summary {
    coverage: f64,
    code: f64,
    fidelity: f64,
    found: f64,
    found_unnamed: f64,
    errors: f64,
    warnings: f64,
    words: f64,
    cpu_ms: f64,
}

#[derive(Debug, Serialize)]
struct Quality {
    documents: Vec<Row>,
    refused: Vec<Refused>,
    median: Summary,
    worst: Summary,
}

/// Runs the command.
///
/// # Errors
/// [`Stop::Failed`] when the folder cannot be read, or no skill could be made of anything in it.
pub fn run(dir: &Path, out: Option<&Path>, json: bool, common: &Common) -> Result<(), Stop> {
    let settings = common.settings()?;
    quiet_log()?;
    let mut paths = Vec::new();
    files_of(dir, 0, &mut paths)
        .map_err(|cause| Stop::Failed(format!("cannot read {}: {cause}", dir.display())))?;
    if paths.is_empty() {
        return Err(Stop::Failed(format!("{} holds no file", dir.display())));
    }
    let (made, refused) = block_on(async {
        let reader = Reader {
            words_min: 0,
            ..services::reader(&settings, Clock::system()).map_err(Stop::Failed)?
        };
        let (mut all, mut refused): (Vec<Made>, _) = (Vec::new(), Vec::new());
        for path in paths {
            let document = path
                .strip_prefix(dir)
                .unwrap_or(&path)
                .display()
                .to_string();
            let source = SourceArgs {
                source: path.display().to_string(),
                source_type: None,
                max_pages: 1,
            };
            let file = path.file_stem().unwrap_or_default().to_string_lossy();
            let made = match source.input(settings.uploads.file_bytes_max, 0) {
                Ok(input) => one(&reader, input, &file)
                    .await
                    .map_err(|failure| failure.message),
                Err(Stop::Failed(message) | Stop::Misused(message)) => Err(message),
                Err(stop) => return Err(stop),
            };
            match made {
                Ok(mut made) => {
                    if let Some(out) = out {
                        folder::write(out, &made.skill, true).map_err(Stop::Failed)?;
                    }
                    made.row.document = document;
                    made.skill.content.clear();
                    made.skill.references.clear();
                    all.push(made);
                }
                Err(message) => refused.push(Refused { document, message }),
            }
        }
        Ok((all, refused))
    })?;
    let ranking = Ranking::of(made.iter().map(|made| &made.skill));
    let documents: Vec<Row> = made
        .into_iter()
        .enumerate()
        .map(|(number, mut made)| {
            (made.row.found, made.row.found_unnamed) = ranking.found(number, &made.questions);
            made.row
        })
        .collect();
    let (median, worst) = summaries(&documents);
    let is_empty = documents.is_empty();
    let quality = Quality {
        documents,
        refused,
        median,
        worst,
    };
    if json {
        output::say_json(&quality)?;
    } else {
        output::say(&page(&quality))?;
    }
    if is_empty {
        return Err(Stop::Failed(
            "no skill could be made of any document there".into(),
        ));
    }
    Ok(())
}

/// The files below a folder in the order of their names. Links and hidden files are left out.
fn files_of(dir: &Path, depth: usize, out: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut entries = std::fs::read_dir(dir)?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let kind = entry.file_type()?;
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        if kind.is_dir() && depth < DEPTH_MAX {
            files_of(&entry.path(), depth + 1, out)?;
        } else if kind.is_file() {
            out.push(entry.path());
        }
    }
    Ok(())
}

/// A skill, what was measured of it, and the questions that should lead to it.
struct Made {
    skill: Skill,
    row: Row,
    questions: Questions,
}

/// One document through the pipeline, measured.
async fn one(reader: &Reader, input: Input, file: &str) -> Result<Made, Failure> {
    let began = processor_time();
    let extracted = extract::extract(reader, input).await?;
    let synthesized = synthesize::synthesize(&reader.pool, extracted, Wish::default()).await?;
    let evidence = synthesized.evidence.clone();
    let validated = validate::validate(&reader.pool, synthesized).await?;
    let cpu = processor_time().saturating_sub(began);
    let checked = validated.skills.into_iter().next().ok_or_else(|| {
        Failure::new(
            skillkiln_document::failure::Reason::Unreadable,
            "the pipeline made no skill of this source",
        )
    })?;
    let claude = validate::check_skill(&checked.skill, Some(&evidence), Profile::Claude);
    let row = measure(
        &evidence,
        &checked.skill,
        &[&checked.report, &claude],
        cpu.as_secs_f64() * 1e3,
    );
    Ok(Made {
        questions: Questions::of(&evidence.document, file),
        skill: checked.skill,
        row,
    })
}

/// The processor time that this process has used; what a child reads does not count.
fn processor_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default()
}

fn measure(source: &Extracted, skill: &Skill, reports: &[&Report], cpu_ms: f64) -> Row {
    let text = Text::of(&markdown::write(&source.document.blocks));
    // A page's title names the site beside the page: what is repeated of it has support, and nothing has to be kept of it.
    let mut said = text.clone();
    if let Some(title) = &source.document.title {
        said.add(title);
    }
    let body = Text::of(&skill.content);
    let mut whole = body.clone();
    for reference in &skill.references {
        whole.add(&reference.content);
    }
    let mut codes = Vec::new();
    source.document.walk(&mut |block| {
        if let BlockKind::Code { text, .. } = &block.kind
            && !text.trim().is_empty()
        {
            // A secret stays out of a skill, and what stands in its place is no invention.
            let open = redacted(text);
            if open != *text {
                let mut block = block.clone();
                block.kind = BlockKind::Code {
                    language: None,
                    text: open.clone(),
                };
                said.add(&markdown::write(&[block]));
            }
            codes.push(open.trim_end().to_owned());
        }
    });
    let found = count_verbatim(&codes, &whole.codes);
    let mut findings = BTreeMap::new();
    for report in reports {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for check in &report.checks {
            if !check.passed && check.severity != Severity::Info {
                *counts.entry(check.id.as_ref()).or_default() += 1;
            }
        }
        for (id, count) in counts {
            let most = findings.entry(id.to_owned()).or_default();
            *most = count.max(*most);
        }
    }
    let most = |count: fn(&Report) -> u32| {
        reports
            .iter()
            .map(|report| count(report))
            .max()
            .unwrap_or(0)
    };
    Row {
        document: String::new(),
        skill: skill.name.clone(),
        words: skill.word_count,
        coverage: text.share_in(&whole),
        code_blocks: codes.len(),
        code: share(found, codes.len()),
        fidelity: body.stated().share_in(&said),
        found: 0.0,
        found_unnamed: 0.0,
        errors: most(|report| report.errors),
        warnings: most(|report| report.warnings),
        findings,
        cpu_ms,
    }
}

/// The middle and the worst of each column.
fn summaries(rows: &[Row]) -> (Summary, Summary) {
    let column = |value: fn(&Row) -> f64| {
        let mut column: Vec<f64> = rows.iter().map(value).collect();
        column.sort_by(f64::total_cmp);
        column
    };
    let median = |value| middle(&column(value));
    let least = |value| column(value).first().copied().unwrap_or_default();
    let most = |value| column(value).last().copied().unwrap_or_default();
    let (coverage, code, fidelity, found, found_unnamed) = (
        (|row: &Row| row.coverage) as fn(&Row) -> f64,
        (|row: &Row| row.code) as fn(&Row) -> f64,
        (|row: &Row| row.fidelity) as fn(&Row) -> f64,
        (|row: &Row| row.found) as fn(&Row) -> f64,
        (|row: &Row| row.found_unnamed) as fn(&Row) -> f64,
    );
    let (errors, warnings, words, cpu_ms) = (
        (|row: &Row| f64::from(row.errors)) as fn(&Row) -> f64,
        (|row: &Row| f64::from(row.warnings)) as fn(&Row) -> f64,
        (|row: &Row| row.words as f64) as fn(&Row) -> f64,
        (|row: &Row| row.cpu_ms) as fn(&Row) -> f64,
    );
    (
        Summary {
            coverage: median(coverage),
            code: median(code),
            fidelity: median(fidelity),
            found: median(found),
            found_unnamed: median(found_unnamed),
            errors: median(errors),
            warnings: median(warnings),
            words: median(words),
            cpu_ms: median(cpu_ms),
        },
        Summary {
            coverage: least(coverage),
            code: least(code),
            fidelity: least(fidelity),
            found: least(found),
            found_unnamed: least(found_unnamed),
            errors: most(errors),
            warnings: most(warnings),
            words: most(words),
            cpu_ms: most(cpu_ms),
        },
    )
}

/// The middle of sorted figures, or that between the two in the middle; zero when there are none.
fn middle(sorted: &[f64]) -> f64 {
    let at = |position: usize| sorted.get(position).copied().unwrap_or_default();
    let half = sorted.len() / 2;
    if sorted.len() % 2 == 1 {
        at(half)
    } else {
        f64::midpoint(at(half.saturating_sub(1)), at(half))
    }
}

fn page(quality: &Quality) -> String {
    let summary = |name: &str, figures: &Summary| {
        vec![
            name.to_owned(),
            format!("{:.0}", figures.words),
            format!("{:.3}", figures.coverage),
            format!("{:.3}", figures.code),
            format!("{:.3}", figures.fidelity),
            format!("{:.2}", figures.found),
            format!("{:.2}", figures.found_unnamed),
            format!("{:.1}", figures.errors),
            format!("{:.1}", figures.warnings),
            format!("{:.0}", figures.cpu_ms),
        ]
    };
    let mut rows: Vec<Vec<String>> = quality
        .documents
        .iter()
        .map(|row| {
            let findings: Vec<String> = row
                .findings
                .iter()
                .map(|(id, count)| format!("{id}×{count}"))
                .collect();
            vec![
                output::tame(&row.document),
                row.words.to_string(),
                format!("{:.3}", row.coverage),
                format!("{:.3}", row.code),
                format!("{:.3}", row.fidelity),
                format!("{:.2}", row.found),
                format!("{:.2}", row.found_unnamed),
                row.errors.to_string(),
                row.warnings.to_string(),
                format!("{:.0}", row.cpu_ms),
                findings.join(" "),
            ]
        })
        .collect();
    rows.push(summary("median", &quality.median));
    rows.push(summary("worst", &quality.worst));
    let headings = [
        "document", "words", "coverage", "code", "fidelity", "found", "unnamed", "errors",
        "warnings", "cpu ms", "findings",
    ];
    let mut page = output::table(&headings, &rows);
    for refused in &quality.refused {
        page.push_str(&format!(
            "\nno skill of {}: {}",
            output::tame(&refused.document),
            output::tame(&refused.message)
        ));
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_an_even_number_lies_between_two() {
        assert_eq!(middle(&[1.0, 2.0, 5.0]), 2.0);
        assert_eq!(middle(&[1.0, 2.0]), 1.5);
        assert_eq!(middle(&[]), 0.0);
    }
}
