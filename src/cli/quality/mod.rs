//! `skillkiln bench --quality DIR`: makes a skill of each document of a folder and measures how much of the document it keeps,
//! how much of its body the document says, and what the checks find.
//!
//! Shares are of runs of words, as `runs.rs` counts them. Where there are questions on the documents, what the skill costs whoever asks them is
//! measured too.
//!
//! ```text
//! document ─▶ skill ─▶ runs of words kept, findings
//!         └─▶ Markdown, split at its headings ─┐
//! questions ─▶ wording ─▶ tasks: the skill ────┴─▶ body, first, cost, lost
//! ```

pub mod cards;
mod split;
mod tasks;
mod wording;

use super::Common;
use super::folder;
use super::operator::{block_on, quiet_log};
use super::output::{self, Stop};
use super::runs::{Text, count_verbatim, share};
use super::source::SourceArgs;
use crate::domain::clock::Clock;
use crate::domain::skill::Skill;
use crate::pipeline::extract::{self, Input, Reader};
use crate::pipeline::product::{Extracted, Wish};
use crate::pipeline::{synthesize, validate};
use crate::services;
use rustix::time::{ClockId, clock_gettime};
use serde::Serialize;
use skillkiln_document::blocks::BlockKind;
use skillkiln_document::failure::Failure;
use skillkiln_document::markdown;
use skillkiln_document::secret::redacted;
use skillkiln_skills::report::{Report, Severity};
use skillkiln_skills::validate::profile::Profile;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tasks::{Answer, Figures, Question};

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
    /// Characters of the description.
    description: usize,
    /// Tokens of SKILL.md's body.
    body_tokens: usize,
    /// Lines of the body that point at a file.
    pointers: usize,
    /// Those of them that say when to follow them.
    situated: usize,
    /// How the questions on this document were answered.
    answers: Vec<Answer>,
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
    description: f64,
    body_tokens: f64,
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
    /// Share of all pointers that say when to follow them.
    situated: f64,
    /// What the skills cost whoever asks, where there are questions; by kind (the first folder of a document's path) too.
    tasks: Option<Figures>,
    tasks_by_kind: BTreeMap<String, Figures>,
}

/// What is measured.
#[derive(Debug)]
pub struct Measured<'a> {
    /// The folder of documents.
    pub dir: &'a Path,
    /// Where the skills are kept.
    pub out: Option<&'a Path>,
    /// The questions; else those of `questions.jsonl` in the folder or beside it, where that is there.
    pub questions: Option<&'a Path>,
    /// Whether the figures are for a program.
    pub json: bool,
}

/// Runs the command.
///
/// # Errors
/// [`Stop::Failed`] when the folder or the questions cannot be read, or no skill could be made of anything in it.
pub fn run(measured: &Measured<'_>, common: &Common) -> Result<(), Stop> {
    let Measured { dir, out, json, .. } = *measured;
    let settings = common.settings()?;
    quiet_log()?;
    let mut paths = Vec::new();
    files_of(dir, 0, &mut paths)
        .map_err(|cause| Stop::Failed(format!("cannot read {}: {cause}", dir.display())))?;
    let beside = questions_beside(dir);
    let asked = match measured.questions.or(beside.as_deref()) {
        Some(path) => tasks::questions_of(path).map_err(Stop::Failed)?,
        None => BTreeMap::new(),
    };
    // The questions themselves are no document.
    paths.retain(|path| beside.as_ref() != Some(path));
    if paths.is_empty() {
        return Err(Stop::Failed(format!("{} holds no file", dir.display())));
    }
    let (documents, refused) = block_on(async {
        let reader = Reader {
            words_min: 0,
            ..services::reader(&settings, Clock::system()).map_err(Stop::Failed)?
        };
        let (mut all, mut refused): (Vec<Row>, _) = (Vec::new(), Vec::new());
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
            let questions = asked.get(&document).map_or(&[][..], Vec::as_slice);
            let made = match source.input(settings.uploads.file_bytes_max, 0) {
                Ok(input) => one(&reader, input, questions)
                    .await
                    .map_err(|failure| failure.message),
                Err(Stop::Failed(message) | Stop::Misused(message)) => Err(message),
                Err(stop) => return Err(stop),
            };
            match made {
                Ok(mut made) => {
                    if let Some(out) = out {
                        folder::write(out, &made.skill, &[], true).map_err(Stop::Failed)?;
                    }
                    made.row.document = document;
                    all.push(made.row);
                }
                Err(message) => refused.push(Refused { document, message }),
            }
        }
        Ok((all, refused))
    })?;
    let (median, worst) = summaries(&documents);
    let is_empty = documents.is_empty();
    let sum = |count: fn(&Row) -> usize| documents.iter().map(count).sum();
    let situated = share(sum(|row| row.situated), sum(|row| row.pointers));
    let answers = || documents.iter().flat_map(|row| &row.answers);
    let tasks = answers().next().map(|_| Figures::of(answers()));
    let mut kinds: BTreeMap<String, Vec<&Answer>> = BTreeMap::new();
    for row in documents.iter().filter(|row| !row.answers.is_empty()) {
        if let Some((kind, _)) = row.document.split_once('/') {
            kinds
                .entry(kind.to_owned())
                .or_default()
                .extend(&row.answers);
        }
    }
    let tasks_by_kind = kinds
        .into_iter()
        .map(|(kind, answers)| (kind, Figures::of(answers.into_iter())))
        .collect();
    let quality = Quality {
        documents,
        refused,
        median,
        worst,
        situated,
        tasks,
        tasks_by_kind,
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

/// The file of questions that lies in a folder of documents or beside it.
fn questions_beside(dir: &Path) -> Option<PathBuf> {
    let name = "questions.jsonl";
    let own = dir.join(name);
    let beside = || Some(dir.parent()?.join(name)).filter(|path| path.is_file());
    Some(own).filter(|path| path.is_file()).or_else(beside)
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

/// A skill, and what was measured of it.
struct Made {
    skill: Skill,
    row: Row,
}

/// One document through the pipeline, measured.
async fn one(reader: &Reader, input: Input, questions: &[Question]) -> Result<Made, Failure> {
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
    let claude = validate::check_skill(&checked.skill, &evidence, true, Profile::Claude);
    let mut row = measure(
        &evidence,
        &checked.skill,
        &[&checked.report, &claude],
        cpu.as_secs_f64() * 1e3,
    );
    if !questions.is_empty() {
        let markdown = markdown::write(&evidence.document.blocks);
        row.answers = tasks::ask(&checked.skill, &markdown, questions);
    }
    Ok(Made {
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
    let (pointers, situated) = tasks::pointers(&skill.content);
    Row {
        document: String::new(),
        skill: skill.name.clone(),
        words: skill.word_count,
        coverage: text.share_in(&whole),
        code_blocks: codes.len(),
        code: share(found, codes.len()),
        fidelity: body.stated().share_in(&said),
        description: skill.description.chars().count(),
        body_tokens: tasks::tokens(tasks::body(&skill.content)),
        pointers,
        situated,
        answers: Vec::new(),
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
    let (coverage, code, fidelity, description, body_tokens) = (
        (|row: &Row| row.coverage) as fn(&Row) -> f64,
        (|row: &Row| row.code) as fn(&Row) -> f64,
        (|row: &Row| row.fidelity) as fn(&Row) -> f64,
        (|row: &Row| row.description as f64) as fn(&Row) -> f64,
        (|row: &Row| row.body_tokens as f64) as fn(&Row) -> f64,
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
            description: median(description),
            body_tokens: median(body_tokens),
            errors: median(errors),
            warnings: median(warnings),
            words: median(words),
            cpu_ms: median(cpu_ms),
        },
        Summary {
            coverage: least(coverage),
            code: least(code),
            fidelity: least(fidelity),
            description: most(description),
            body_tokens: most(body_tokens),
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
            format!("{:.0}", figures.description),
            format!("{:.0}", figures.body_tokens),
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
                row.description.to_string(),
                row.body_tokens.to_string(),
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
        "document",
        "words",
        "coverage",
        "code",
        "fidelity",
        "described",
        "tokens",
        "errors",
        "warnings",
        "cpu ms",
        "findings",
    ];
    let mut page = output::table(&headings, &rows);
    page.push_str(&format!(
        "\npointers that say when to follow them: {:.2}",
        quality.situated
    ));
    for (kind, figures) in &quality.tasks_by_kind {
        page.push_str(&format!("\n{}, {}", output::tame(kind), figures.line()));
    }
    if let Some(figures) = &quality.tasks {
        page.push_str(&format!("\n{}", figures.line()));
    }
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
