//! Owns the measure of the judge: known claims are put to it as those of a skill are, and what it says is weighed in the same way.

use crate::pipeline::author::Author;
use crate::pipeline::author::desk::{Desk, fence};
use crate::providers::model::{Meter, Tokens};
use futures_util::future::join_all;
use skillkiln_author::evaluation::Case;
use skillkiln_document::failure::Failure;
use tokio::time::Instant;

/// Claims of one question, as when a skill is written.
const CLAIMS_A_QUESTION: usize = 20;

impl Author {
    /// Has the claims of a case checked, and judged where there is a model; what that used. A question that is lost leaves its claims
    /// without a proof.
    ///
    /// # Errors
    /// When the system gives no random numbers.
    pub async fn judge(&self, case: &mut Case, until: Instant) -> Result<Tokens, Failure> {
        case.check();
        let meter = Meter::default();
        let Some(model) = &self.model else {
            return Ok(meter.read());
        };
        let desk = Desk {
            pool: &self.pool,
            model,
            terms: self.terms,
            meter: meter.clone(),
            until,
            tell: &|_| {},
        };
        let questions = case.questions(&fence()?, CLAIMS_A_QUESTION);
        let asked = questions.iter().map(|(question, _)| desk.ask(question));
        let answers = join_all(asked).await;
        for ((_, batch), answer) in questions.iter().zip(answers) {
            case.answer(batch, &answer.unwrap_or_default());
        }
        case.close();
        Ok(meter.read())
    }

    /// What these tokens cost by the prices that are set.
    #[must_use]
    pub fn cost_of(&self, tokens: Tokens) -> f64 {
        self.terms.prices.of(tokens)
    }
}
