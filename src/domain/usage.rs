//! Owns what a language model took for the runs of an account, and how that is added up.

use crate::domain::clock::Timestamp;
use crate::domain::id::{RunId, UserId};
use std::ops::Add;

/// What a language model took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// For how many runs.
    pub runs: u64,
    /// Tokens that it read, those that it had read before included.
    pub input: u64,
    /// Of those, read before.
    pub cached: u64,
    /// Tokens that it wrote.
    pub output: u64,
    /// Their cost by the prices that were set then, in millionths of their currency.
    pub cost_millionths: u64,
}

impl Usage {
    /// Tokens, read and written.
    #[must_use]
    pub const fn tokens(self) -> u64 {
        self.input + self.output
    }

    /// The cost in the currency of the prices.
    #[must_use]
    pub const fn cost(self) -> f64 {
        #[expect(
            clippy::cast_precision_loss,
            reason = "exact up to nine billion of the currency"
        )]
        let millionths = self.cost_millionths as f64;
        millionths / 1e6
    }
}

impl Add for Usage {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            runs: self.runs + other.runs,
            input: self.input + other.input,
            cached: self.cached + other.cached,
            output: self.output + other.output,
            cost_millionths: self.cost_millionths + other.cost_millionths,
        }
    }
}

impl std::iter::Sum for Usage {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), Add::add)
    }
}

/// What it took in a month.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MonthOfUse {
    /// Such as `2026-11`, by UTC.
    pub month: String,
    /// What.
    pub usage: Usage,
}

/// What it took for one run, from when that was begun to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunUsage {
    /// The run.
    pub run_id: RunId,
    /// The how manieth beginning of it.
    pub attempt: u32,
    /// Whose it is.
    pub user_id: UserId,
    /// When it ended.
    pub at: Timestamp,
    /// What.
    pub usage: Usage,
}
