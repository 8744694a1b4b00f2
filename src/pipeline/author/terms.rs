//! Owns what a model may cost, and what its tokens do cost.

use crate::providers::model::Tokens;
use skillkiln_skills::report::Bill;

/// What a model may cost and what happens without it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Terms {
    /// Whether a run fails when its model is away; else, and where the run may use no more, the draft is delivered.
    pub fails: bool,
    /// Tokens of one run; 0 for any number.
    pub tokens_max: u64,
    /// What one run may cost, in the currency of the prices; 0 for anything.
    pub cost_max: f64,
    /// What tokens cost.
    pub prices: Prices,
}

impl Terms {
    /// Why a run that has used so much may ask nothing more.
    pub(super) fn spent(&self, used: Tokens) -> Option<&'static str> {
        if self.tokens_max > 0 && used.all() >= self.tokens_max {
            return Some("the tokens that a run may use are used up");
        }
        let is_dear = self.cost_max > 0.0 && self.prices.of(used) >= self.cost_max;
        is_dear.then_some("what a run may cost is used up")
    }
}

/// What a million tokens cost.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Prices {
    /// Those that are read.
    pub input: f64,
    /// Those that had been read before.
    pub cached: f64,
    /// Those that are written.
    pub output: f64,
}

impl Prices {
    /// What was used, and what it costs.
    pub(super) fn bill(self, tokens: Tokens) -> Bill {
        let millionths = (self.of(tokens) * 1e6).round().max(0.0);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a cast keeps to the bounds of the type"
        )]
        let cost_millionths = millionths as u64;
        Bill {
            tokens: tokens.all(),
            cost_millionths,
        }
    }

    /// What these tokens cost.
    #[must_use]
    pub fn of(&self, tokens: Tokens) -> f64 {
        #[expect(
            clippy::cast_precision_loss,
            reason = "a run has far fewer tokens than that"
        )]
        let price = |tokens: u64, price: f64| tokens as f64 * price / 1e6;
        price(tokens.input.saturating_sub(tokens.cached), self.input)
            + price(tokens.cached, self.cached)
            + price(tokens.output, self.output)
    }
}
