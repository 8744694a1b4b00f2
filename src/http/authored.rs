//! Owns what is told of who wrote a skill: its author, and what the model took where one wrote (decision 65).

use serde::Serialize;
use skillkiln_skills::report::Report;

/// Who wrote a skill.
#[derive(Serialize)]
pub(super) struct Authored {
    author: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens: Option<u64>,
    /// In the currency of the prices that are set.
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<f64>,
}

impl Authored {
    /// As its report says.
    pub(super) fn of(report: &Report) -> Self {
        Self {
            author: report.author(),
            tokens: report.bill.map(|bill| bill.tokens),
            cost: report.bill.map(|bill| bill.cost()),
        }
    }
}
