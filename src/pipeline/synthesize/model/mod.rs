//! Writes skills with a language model that is believed nothing: what it says counts only where the source says it too.
//!
//! ```text
//! blocks ─material─▶ numbered parts ─question─▶ outline: which sections matter          (long sources: in chunks, then once more)
//!                         └─batches that fit─▶ question ─▶ claims ─verify─▶ statements  (what is refused goes back, twice at most)
//! statements ─body─▶ SKILL.md with the complete references ─contest─▶ it, or the extractive draft when the checks prefer that
//! ```
//!
//! The source reaches the model between lines that nobody can guess, as data. Nothing but proved statements and blocks of the
//! source itself come back, so that an order in the source can at worst make the model silent.

pub(super) mod body;
mod claims;
mod contest;
mod fitting;
mod material;
mod plan;
mod question;
mod suggest;
pub(super) mod verify;

#[cfg(test)]
mod tests;

use crate::pipeline::handle::JobHandle;
use crate::pipeline::pool::Pool;
use crate::pipeline::product::{Extracted, Synthesized, Volume, Wish};
use crate::pipeline::synthesize::{clean, source_title, topics, write};
use crate::providers::model::Model;
use futures_util::future::try_join_all;
use material::{Batch, Material};
use question::Refusal;
use skillkiln_document::failure::Failure;
use skillkiln_document::text::squash;
use std::sync::Arc;
use tokio::time::Instant;
use verify::{Statement, Verdict};

/// How often a batch is asked about: once, and twice with what was wrong.
const ROUNDS_MAX: usize = 3;
/// What our own words take of a question.
const TASK_TOKENS: usize = 1_200;

/// Writes the skills: the source alone, or a model over it. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Author {
    pool: Pool,
    model: Option<Model>,
}

/// What a model made of one skill's part of the source.
#[derive(Debug, Default)]
struct Work {
    statements: Vec<Statement>,
    refused: usize,
    unread: usize,
}

impl Author {
    /// With a model, or without one.
    #[must_use]
    pub fn new(pool: Pool, model: Option<Model>) -> Self {
        Self { pool, model }
    }

    /// The model, when there is one.
    #[must_use]
    pub fn model(&self) -> Option<&Model> {
        self.model.as_ref()
    }

    /// Writes skills from a source. A model is asked until `until` and no longer.
    ///
    /// # Errors
    /// As [`JobHandle::write`]; and when the model gives no answer that can be used.
    pub async fn write(
        &self,
        handle: &JobHandle,
        wish: Wish,
        until: Instant,
    ) -> Result<Volume, Failure> {
        let Some(model) = &self.model else {
            return handle.write(wish).await;
        };
        let evidence = handle.take_document().await?;
        let written = Box::pin(self.ask(model, evidence, wish, until)).await?;
        let volume = written.volume();
        handle.put_written(written).await;
        Ok(volume)
    }

    /// Has the model write of a document that is here.
    async fn ask(
        &self,
        model: &Model,
        evidence: Arc<Extracted>,
        wish: Wish,
        until: Instant,
    ) -> Result<Synthesized, Failure> {
        let wish = Arc::new(wish);
        let draft = {
            let (evidence, wish) = (Arc::clone(&evidence), Arc::clone(&wish));
            let prepare = move || {
                let draft = write(Arc::clone(&evidence), &wish)?;
                Ok::<_, Failure>((draft, materials(&evidence, &wish)?))
            };
            self.pool.go_on(prepare).await?
        };
        let (draft, materials) = draft?;
        let desk = Desk {
            pool: &self.pool,
            model,
            until,
        };
        let works = materials.into_iter().map(|material| desk.work(material));
        let works = try_join_all(works).await?;
        let choose = move || contest::choose(draft, &evidence, &wish, works);
        self.pool.go_on(choose).await?
    }
}

/// What each skill is to be made of.
fn materials(evidence: &Extracted, wish: &Wish) -> Result<Vec<Arc<Material>>, Failure> {
    let document = clean::prepare(&evidence.document);
    if wish.topics.is_empty() {
        let title = source_title(&document, &evidence.origin, wish);
        return Ok(vec![Arc::new(Material::of(&document.blocks, &title))]);
    }
    let of_topic = |topic| {
        let blocks = topics::part_of(&document, topic)?;
        Ok(Arc::new(Material::of(blocks, &squash(&topic.name))))
    };
    wish.topics.iter().map(of_topic).collect()
}

/// Where one run asks its questions.
struct Desk<'a> {
    pool: &'a Pool,
    model: &'a Model,
    until: Instant,
}

impl Desk<'_> {
    /// Tokens of a source that one question may hold. A quarter is left, because tokens are only estimated.
    fn room(&self) -> usize {
        let (context, answer) = (self.model.context_tokens(), self.model.answer_tokens_max());
        (context.saturating_sub(answer + TASK_TOKENS) * 3 / 4).max(512)
    }

    /// Plans, then asks about each batch.
    async fn work(&self, material: Arc<Material>) -> Result<Work, Failure> {
        let weights = plan::weights(self, &material).await?;
        let (batches, unread) = plan::batches(&material, &weights, self.room());
        let asked = batches.into_iter().map(|batch| {
            let material = Arc::clone(&material);
            self.statements(material, Arc::new(batch))
        });
        let mut work = Work {
            unread,
            ..Work::default()
        };
        for (statements, refused) in try_join_all(asked).await? {
            work.statements.extend(statements);
            work.refused += refused;
        }
        for statement in &mut work.statements {
            statement.weight = weights.of(statement.section);
        }
        Ok(work)
    }

    /// The proved statements of one batch, and how many were refused in the end. What is refused goes back with what is wrong.
    async fn statements(
        &self,
        material: Arc<Material>,
        batch: Arc<Batch>,
    ) -> Result<(Vec<Statement>, usize), Failure> {
        let length = self.model.answer_tokens_max();
        let mut accepted = Vec::new();
        let mut refused: Vec<Refusal> = Vec::new();
        let mut dropped = 0;
        for round in 0..ROUNDS_MAX {
            let question = match round {
                0 => question::statements(&material.title, &batch, length),
                _ => question::corrections(&material.title, &batch, &refused, length),
            };
            let answer = self.model.ask(&question, self.until, claims::read).await;
            let claims = match answer {
                Ok(claims) => claims,
                Err(failure) if round == 0 => return Err(failure),
                // What was proved before stands without the corrections.
                Err(_) => break,
            };
            let (material, batch) = (Arc::clone(&material), Arc::clone(&batch));
            let judge = move || verify::judge(&material, &batch, claims);
            let verdict: Verdict = self.pool.go_on(judge).await?;
            accepted.extend(verdict.accepted);
            dropped += verdict.dropped;
            refused = verdict.refused;
            if refused.is_empty() {
                break;
            }
        }
        Ok((accepted, refused.len() + dropped))
    }
}
