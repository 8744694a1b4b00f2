//! Owns what the checks of a skill found.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// How much a failed check matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The skill breaks a rule that loaders enforce.
    Error,
    /// The skill loads, but is worse than it should be.
    Warning,
    /// Worth knowing.
    Info,
}

/// The outcome of one check (decision 34).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// `V000` to `V099`.
    pub id: Cow<'static, str>,
    /// How much it matters when it fails.
    pub severity: Severity,
    /// Whether it passed.
    pub passed: bool,
    /// What was found, and what to do about it; what holds, when it passed.
    pub message: Cow<'static, str>,
    /// The line of SKILL.md it is about, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

/// What the checks found. Findings never fail a generation.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Report {
    /// Failed checks of severity error.
    pub errors: u32,
    /// Failed checks of severity warning.
    pub warnings: u32,
    /// Every check that was made, in the order of their ids; a failed one once for each finding.
    pub checks: Vec<Check>,
    /// What the model took that was asked to write.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bill: Option<Bill>,
}

/// What a model took to write a skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Bill {
    /// Tokens, read and written.
    pub tokens: u64,
    /// Their cost by the prices that are set, in millionths of their currency.
    pub cost_millionths: u64,
}

impl Bill {
    /// The cost in the currency of the prices.
    #[must_use]
    pub fn cost(self) -> f64 {
        #[expect(
            clippy::cast_precision_loss,
            reason = "exact up to nine billion of the currency"
        )]
        let millionths = self.cost_millionths as f64;
        millionths / 1e6
    }

    /// One of `count` equal parts.
    #[must_use]
    pub const fn share(self, count: u64) -> Self {
        let count = if count == 0 { 1 } else { count };
        Self {
            tokens: self.tokens / count,
            cost_millionths: self.cost_millionths / count,
        }
    }
}

/// The check that says who wrote a skill, when a model was asked; the first of them is about the whole.
pub const AUTHOR_RULE: &str = "V099";

/// The check whose findings are sentences that nothing in the source supports.
pub const SUPPORT_RULE: &str = "V091";

impl Report {
    /// What is said of who wrote the skill; none where no model was asked.
    #[must_use]
    pub fn authorship(&self) -> Option<&Check> {
        self.checks.iter().find(|check| check.id == AUTHOR_RULE)
    }

    /// Who wrote the skill: `model`, else `extractive` (decision 65).
    #[must_use]
    pub fn author(&self) -> &'static str {
        match self.authorship().is_some_and(|check| check.passed) {
            true => "model",
            false => "extractive",
        }
    }

    /// Says who wrote the skill before somebody changed it, as another report does: what a model wrote is still its text with a change.
    pub fn keep_author_of(&mut self, before: &Self) {
        const CHANGED: &str = "; it was changed by hand since";
        let Some(author) = before.authorship() else {
            return;
        };
        let mut author = author.clone();
        if !author.message.ends_with(CHANGED) {
            author.message = format!("{}{CHANGED}", author.message).into();
        }
        let at = self
            .checks
            .partition_point(|check| *check.id < *AUTHOR_RULE);
        self.checks.insert(at, author);
        self.bill = before.bill;
    }

    /// The report without what a check found.
    #[must_use]
    pub fn without_failures_of(self, id: &str) -> Self {
        let bill = self.bill;
        let checks = self.checks.into_iter();
        let kept = checks
            .filter(|check| check.passed || check.id != id)
            .collect();
        Self {
            bill,
            ..Self::of(kept)
        }
    }

    /// A report whose counts are those of its checks.
    #[must_use]
    pub fn of(checks: Vec<Check>) -> Self {
        let failed = |severity| {
            let count = checks
                .iter()
                .filter(|check| !check.passed && check.severity == severity)
                .count();
            u32::try_from(count).unwrap_or(u32::MAX)
        };
        Self {
            errors: failed(Severity::Error),
            warnings: failed(Severity::Warning),
            checks,
            bill: None,
        }
    }
}
