//! Owns what `bench --author` measures beside claims: of each document the card that the source alone makes and, where there is a model,
//! the model's, by the facts that stand in SKILL.md, by the measure of tasks, and by what they took.

use super::tasks::{self, Figures, Question};
use super::wording::Quote;
use super::{files_of, questions_beside};
use crate::cli::output::{self, Stop};
use crate::cli::source::SourceArgs;
use crate::config::Settings;
use crate::pipeline::author::Author;
use crate::pipeline::extract::{self, Reader};
use crate::pipeline::handle::JobHandle;
use crate::pipeline::product::{Checked, Extracted, Wish};
use crate::pipeline::synthesize;
use crate::pipeline::validate;
use crate::providers::model::Meter;
use serde::Serialize;
use skillkiln_document::failure::Failure;
use skillkiln_document::markdown;
use std::path::Path;
use tokio::time::Instant;

/// The cards of one document.
#[derive(Debug, Serialize)]
pub struct Cards {
    document: String,
    /// What is asked of it: each answer is a fact.
    facts: usize,
    /// The source's alone first.
    cards: Vec<Card>,
}

/// One card, measured.
#[derive(Debug, Serialize)]
struct Card {
    /// Whose text it is: the model's, unless that was put aside.
    author: &'static str,
    /// What the report says of that.
    about: Option<String>,
    /// Facts that stand in SKILL.md.
    kept: usize,
    tasks: Option<Figures>,
    body_tokens: usize,
    lines: usize,
    errors: u32,
    warnings: u32,
    /// What the model took.
    tokens: u64,
    /// By the prices that are set.
    cost: f64,
}

impl Cards {
    /// For people.
    #[must_use]
    pub fn page(&self) -> String {
        let mut out = format!("{}\n", output::tame(&self.document));
        for card in &self.cards {
            out.push_str(&format!(
                "  {}: {} of {} facts in SKILL.md, {} tokens in {} lines, {} errors, {} warnings, {} tokens of the model, {:.4} by the prices set\n",
                card.author, card.kept, self.facts, card.body_tokens, card.lines, card.errors, card.warnings, card.tokens, card.cost
            ));
            if let Some(tasks) = &card.tasks {
                out.push_str(&format!("    {}\n", tasks.line()));
            }
            if let Some(about) = &card.about {
                out.push_str(&format!("    {}\n", output::tame(about)));
            }
        }
        out
    }
}

/// The cards of the documents of a folder: of everything in it but JSON and its lines.
///
/// # Errors
/// [`Stop::Failed`] when the folder, a document or the questions cannot be read.
pub async fn of(
    dir: &Path,
    questions: Option<&Path>,
    settings: &Settings,
    reader: &Reader,
    author: &Author,
) -> Result<Vec<Cards>, Stop> {
    let mut paths = Vec::new();
    files_of(dir, 0, &mut paths)
        .map_err(|cause| Stop::Failed(format!("cannot read {}: {cause}", dir.display())))?;
    paths.retain(|path| {
        let ending = path.extension().unwrap_or_default();
        ending != "json" && ending != "jsonl"
    });
    let beside = questions_beside(dir);
    let asked = match questions.or(beside.as_deref()) {
        Some(path) if !paths.is_empty() => tasks::questions_of(path).map_err(Stop::Failed)?,
        _ => Default::default(),
    };
    let mut all = Vec::new();
    for path in paths {
        let document = path.strip_prefix(dir).unwrap_or(&path);
        let document = document.display().to_string();
        let source = SourceArgs {
            source: path.display().to_string(),
            source_type: None,
            max_pages: 1,
        };
        let input = source.input(settings.uploads.file_bytes_max, 0)?;
        let said = |failure: Failure| Stop::Failed(format!("{document}: {}", failure.message));
        let extracted = extract::extract(reader, input).await.map_err(said)?;
        let questions = asked.get(&document).map_or(&[][..], Vec::as_slice);
        let mut cards = vec![by_the_source(reader, extracted.clone(), questions).await];
        if author.model().is_some() {
            let until = Instant::now() + settings.run_deadline();
            cards.push(by_the_model(reader, author, extracted, questions, until).await);
        }
        all.push(Cards {
            facts: questions.len(),
            cards: cards.into_iter().collect::<Result<_, _>>().map_err(said)?,
            document,
        });
    }
    Ok(all)
}

async fn by_the_source(
    reader: &Reader,
    extracted: Extracted,
    questions: &[Question],
) -> Result<Card, Failure> {
    let source = markdown::write(&extracted.document.blocks);
    let synthesized = synthesize::synthesize(&reader.pool, extracted, Wish::default()).await?;
    let made = validate::validate(&reader.pool, synthesized).await?;
    let made = made.skills.first().ok_or_else(none)?;
    Ok(measured(made, &source, questions))
}

async fn by_the_model(
    reader: &Reader,
    author: &Author,
    extracted: Extracted,
    questions: &[Question],
    until: Instant,
) -> Result<Card, Failure> {
    let source = markdown::write(&extracted.document.blocks);
    let handle = JobHandle::of(reader.pool.clone(), extracted);
    let meter = Meter::default();
    let written = author.write(&handle, Wish::default(), until, &meter, &|_| {});
    written.await?;
    let made = handle.check().await?;
    let made = made.skills.first().ok_or_else(none)?;
    let tokens = meter.read();
    Ok(Card {
        tokens: tokens.all(),
        cost: author.cost_of(tokens),
        ..measured(made, &source, questions)
    })
}

fn none() -> Failure {
    Failure::new(
        skillkiln_document::failure::Reason::Unreadable,
        "the pipeline made no skill of this source",
    )
}

fn measured(made: &Checked, source: &str, questions: &[Question]) -> Card {
    let body = tasks::body(&made.skill.content);
    let kept = questions
        .iter()
        .filter(|question| Quote::of(&question.answer_quote).is_in(body));
    let answers = tasks::ask(&made.skill, source, questions);
    Card {
        author: made.report.author(),
        about: made
            .report
            .authorship()
            .map(|check| check.message.to_string()),
        kept: kept.count(),
        tasks: (!answers.is_empty()).then(|| Figures::of(answers.iter())),
        body_tokens: tasks::tokens(body),
        lines: made.skill.content.lines().count(),
        errors: made.report.errors,
        warnings: made.report.warnings,
        tokens: 0,
        cost: 0.0,
    }
}
