//! Writes skills with a language model that is believed nothing, or by the source alone: what it is asked and how its answers are checked
//! is the crate's; who is asked, how long, for how much, and what is delivered is decided here.
//!
//! ```text
//! document ─┬─ draft: by the source alone ────────────────────────────────────────┐
//!           └─ rounds of questions ─desk─▶ model ─▶ answers ─▶ what has its proof ─┴─contest─▶ the better one
//! ```
//!
//! A model that is away, too slow or over its budget costs nothing: the draft is delivered, and the report says why.

mod contest;
mod desk;
mod measure;
mod suggest;
pub mod terms;

#[cfg(test)]
mod tests;

use crate::domain::observation::ModelFigures;
use crate::pipeline::author::desk::Desk;
use crate::pipeline::author::terms::Terms;
use crate::pipeline::handle::JobHandle;
use crate::pipeline::pool::Pool;
use crate::pipeline::product::{Extracted, Synthesized, Volume, Wish};
use crate::pipeline::synthesize::{self, prepared};
use crate::providers::model::{Meter, Model, Tokens};
use futures_util::future::join_all;
use skillkiln_document::failure::{Failure, Reason};
use skillkiln_skills::report::Bill;
use std::sync::Arc;
use tokio::time::Instant;

/// What a run will take of a model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// Tokens.
    pub tokens: Tokens,
    /// Their cost by the prices that are set.
    pub cost: f64,
    /// Whether a run may not use so much: it would end in the draft.
    pub is_too_much: bool,
}

/// Writes the skills: the source alone, or a model over it. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Author {
    pool: Pool,
    model: Option<Model>,
    terms: Terms,
}

impl Author {
    /// With a model, or without one.
    #[must_use]
    pub fn new(pool: Pool, model: Option<Model>, terms: Terms) -> Self {
        Self { pool, model, terms }
    }

    /// The model, when there is one.
    #[must_use]
    pub fn model(&self) -> Option<&Model> {
        self.model.as_ref()
    }

    /// What an operator sees of the model, and what it has cost; none where there is no model.
    #[must_use]
    pub fn observe(&self) -> Option<ModelFigures> {
        let mut seen = self.model.as_ref()?.observe();
        seen.cost = self.terms.prices.of(Tokens {
            input: seen.tokens_in,
            cached: seen.tokens_cached,
            output: seen.tokens_out,
        });
        Some(seen)
    }

    /// What tokens cost, by the prices that are set.
    #[must_use]
    pub fn bill(&self, tokens: Tokens) -> Bill {
        self.terms.prices.bill(tokens)
    }

    /// Writes skills from a source. A model is asked until `until` and no longer; `meter` counts what it takes, and `tell` hears what is
    /// going on.
    ///
    /// # Errors
    /// As [`JobHandle::write`]; and, where that was set, when the model gives no answer that can be used.
    pub async fn write(
        &self,
        handle: &JobHandle,
        wish: Wish,
        until: Instant,
        meter: &Meter,
        tell: &(dyn Fn(&str) + Sync),
    ) -> Result<Volume, Failure> {
        let Some(model) = &self.model else {
            return handle.write(wish).await;
        };
        let evidence = handle.take_document().await?;
        let written = Box::pin(self.ask(model, evidence, wish, until, meter, tell)).await?;
        let volume = written.volume();
        handle.put_written(written).await;
        Ok(volume)
    }

    /// What writing skills from a source will take of the model by each of some wishes, before it is asked; none where there is no model.
    /// The work on the source is done then.
    ///
    /// # Errors
    /// As [`JobHandle::write`].
    pub async fn estimate(
        &self,
        handle: &JobHandle,
        wishes: Vec<Wish>,
    ) -> Result<Vec<Estimate>, Failure> {
        let Some(model) = &self.model else {
            return Ok(Vec::new());
        };
        let evidence = handle.take_document().await?;
        let (limits, terms) = (desk::limits(model), self.terms);
        let of_wish = move |wish: &Wish| {
            let mut tokens = Tokens::default();
            for part in prepared(&evidence, wish)? {
                let one = desk::estimate(&part, limits);
                tokens.input += one.input as u64;
                tokens.output += one.output as u64;
            }
            Ok(Estimate {
                tokens,
                cost: terms.prices.of(tokens),
                is_too_much: terms.spent(tokens).is_some(),
            })
        };
        let count = move || wishes.iter().map(of_wish).collect();
        self.pool.go_on(count).await?
    }

    /// Has the model write of a document that is here.
    async fn ask(
        &self,
        model: &Model,
        evidence: Arc<Extracted>,
        wish: Wish,
        until: Instant,
        meter: &Meter,
        tell: &(dyn Fn(&str) + Sync),
    ) -> Result<Synthesized, Failure> {
        let prepare = {
            let evidence = Arc::clone(&evidence);
            move || {
                let draft = synthesize::write(Arc::clone(&evidence), &wish)?;
                let parts = prepared(&evidence, &wish)?;
                Ok::<_, Failure>((draft, parts, wish))
            }
        };
        let (mut draft, parts, wish) = self.pool.go_on(prepare).await??;
        let desk = Desk {
            pool: &self.pool,
            model,
            terms: self.terms,
            meter: meter.clone(),
            until,
            tell,
        };
        let parts: Vec<Arc<_>> = parts.into_iter().map(Arc::new).collect();
        let works = join_all(parts.iter().map(|part| desk.work(Arc::clone(part)))).await;
        let mut done = Vec::with_capacity(works.len());
        for work in works {
            let work = work?;
            if let (true, Err(why)) = (self.terms.fails, &work)
                && why.is_away
                && !why.is_spent
            {
                return Err(Failure::new(Reason::Model, why.words.clone()));
            }
            done.push(work);
        }
        let tokens = desk.meter.read();
        let bill = self.terms.prices.bill(tokens);
        let choose = move || {
            contest::choose(&mut draft, &parts, &wish, done, bill);
            draft
        };
        self.pool.go_on(choose).await
    }
}
