//! Owns the asking: the questions of a round go out together, within the time and the budget of the run.

use crate::domain::key::to_hex;
use crate::pipeline::author::terms::Terms;
use crate::pipeline::pool::Pool;
use crate::pipeline::synthesize::Prepared;
use crate::providers::model::{Meter, Model, Question};
use futures_util::future::join_all;
use skillkiln_author::author::estimate::Estimate;
use skillkiln_author::author::{Author, Limits, Lost, Work};
use skillkiln_author::check::Source;
use skillkiln_author::prompt::{self, Step};
use skillkiln_document::failure::Failure;
use std::sync::Arc;
use tokio::time::Instant;

/// Tokens of a body, beside the table that leads to the library.
const BODY_TOKENS_MAX: usize = 3_000;
/// Rounds of one skill; a machine that never ends would be a fault of ours.
const ROUNDS_MAX: usize = 64;

/// What a model can take.
pub(super) fn limits(model: &Model) -> Limits {
    Limits {
        context_tokens: model.context_tokens(),
        answer_tokens_max: model.answer_tokens_max(),
        body_tokens_max: BODY_TOKENS_MAX,
    }
}

/// What one skill will take of a model of these limits.
pub(super) fn estimate(part: &Prepared, limits: Limits) -> Estimate {
    Author::new(&part.title, &part.document.blocks, String::new(), limits).estimate()
}

/// Why a model's text is not delivered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Without {
    /// Whether the model gave no answer, so that nothing is owed for it.
    pub(super) is_away: bool,
    /// Whether that is because the run may use no more, which is no fault of the model.
    pub(super) is_spent: bool,
    /// In words.
    pub(super) words: String,
}

/// Where one run asks its questions.
pub(super) struct Desk<'a> {
    pub(super) pool: &'a Pool,
    pub(super) model: &'a Model,
    pub(super) terms: Terms,
    pub(super) meter: Meter,
    pub(super) until: Instant,
    /// Hears what is going on.
    pub(super) tell: &'a (dyn Fn(&str) + Sync),
}

impl Desk<'_> {
    /// Has one skill written.
    pub(super) async fn work(
        &self,
        part: Arc<Prepared>,
    ) -> Result<Result<(Work, Source), Without>, Failure> {
        let limits = limits(self.model);
        let fence = fence()?;
        let begin = move || Author::new(&part.title, &part.document.blocks, fence, limits);
        let mut author = self.pool.go_on(begin).await?;
        let mut is_away = false;
        let mut is_spent = false;
        for _ in 0..ROUNDS_MAX {
            let next = move || {
                let round = author.next_round();
                (author, round)
            };
            let (mut same, round) = self.pool.go_on(next).await?;
            let Some(round) = round else {
                author = same;
                break;
            };
            if let Some(why) = self.terms.spent(self.meter.read()) {
                same.stop(why);
                is_away = true;
                is_spent = true;
                author = same;
                break;
            }
            (self.tell)(&round.words);
            let asked = round.questions.iter().map(|question| self.ask(question));
            let answers: Vec<Result<String, Lost>> = join_all(asked).await;
            is_away = answers.iter().all(Result::is_err);
            let take = move || {
                same.answer(&answers);
                same
            };
            author = self.pool.go_on(take).await?;
        }
        let finish = move || author.finish();
        let finished = self.pool.go_on(finish).await?;
        Ok(finished.map_err(|words| Without {
            is_away,
            is_spent,
            words,
        }))
    }

    /// Asks one question.
    pub(super) async fn ask(&self, question: &prompt::Question) -> Result<String, Lost> {
        let put = Question {
            system: question.system.clone(),
            source: question.source.clone(),
            task: question.task.clone(),
            form: question.step.as_str(),
            schema: question.schema.clone(),
            is_judging: question.step == Step::Judge,
            sameness: question.sameness.clone(),
        };
        let read = |answer: &str| question.accepts(answer).then(|| answer.to_owned());
        let asked = self.model.ask(&put, self.until, &self.meter, read).await;
        asked.map_err(|lost| Lost {
            why: lost.failure.message,
            is_too_long: lost.is_too_long,
        })
    }
}

/// A line that nobody can guess, so that no source can end what is fenced by it.
pub(super) fn fence() -> Result<String, Failure> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|_| {
        Failure::new(
            skillkiln_document::failure::Reason::Internal,
            "the system gives no random numbers; the fault is ours",
        )
    })?;
    Ok(format!("=== {} ===", to_hex(&bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stranger_cannot_know_the_line_that_ends_his_words() {
        let (one, other) = (fence().unwrap(), fence().unwrap());
        assert!(one != other && one.len() > 32);
    }
}
