//! Owns how the history of an account's credits reads: what moved them, and what became of each order.

use crate::domain::credits::{Moved, Movement};
use crate::domain::generation::{Generation, Status};
use crate::http::pages::moment::Moment;
use crate::http::pages::runs;

/// A line of it.
pub(super) struct Line {
    /// What became of the order, and where that is seen.
    pub(super) outcome: Option<Outcome>,
    pub(super) at: Moment,
    pub(super) what: String,
    pub(super) amount: String,
    pub(super) is_plus: bool,
    pub(super) balance: i64,
}

/// What became of an order.
pub(super) struct Outcome {
    pub(super) words: &'static str,
    pub(super) tone: &'static str,
    pub(super) href: String,
}

impl From<&Generation> for Outcome {
    fn from(row: &Generation) -> Self {
        let (words, tone) = match row.status {
            Status::Queued => ("waiting", ""),
            Status::Running => ("being made", "accent"),
            Status::Completed => ("made", "ok"),
            Status::Failed => ("failed", "bad"),
        };
        Self {
            words,
            tone,
            href: runs::page_of(row),
        }
    }
}

impl Line {
    /// A line, with what became of an order: a movement bears the name and the instant of its row in the history.
    pub(super) fn of(movement: Movement, history: &[Generation]) -> Self {
        let ordered = |row: &&Generation| match &movement.what {
            Moved::Ordered(name) => row.name == *name && row.created_at == movement.at,
            _ => false,
        };
        let outcome = history.iter().find(ordered).map(Outcome::from);
        let what = match movement.what {
            Moved::Given(reason) => match reason.as_str() {
                "signup" => "Welcome credits".to_owned(),
                "operator" => "Given by the operator".to_owned(),
                "pack" => "Bought a pack".to_owned(),
                "reclaim" => "Taken back: a payment was returned".to_owned(),
                "repay" => "Paid off what was owed".to_owned(),
                other => {
                    let mut words = other.replace('_', " ");
                    if let Some(first) = words.get_mut(..1) {
                        first.make_ascii_uppercase();
                    }
                    words
                }
            },
            Moved::Ordered(name) => format!("Skill “{name}”"),
            Moved::Returned(name) => format!("Credit returned: “{name}” could not be made"),
        };
        Self {
            outcome,
            at: Moment::at(movement.at),
            what,
            amount: if movement.amount > 0 {
                format!("+{}", movement.amount)
            } else {
                format!("−{}", movement.amount.unsigned_abs())
            },
            is_plus: movement.amount > 0,
            balance: movement.balance,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::clock::Timestamp;

    #[test]
    fn a_movement_says_what_happened_in_words() {
        let line = |what, amount| {
            let movement = Movement {
                at: Timestamp::from_micros(0),
                what,
                amount,
                balance: 2,
            };
            Line::of(movement, &[])
        };
        let ordered = line(Moved::Ordered("kiln".into()), -1);
        assert_eq!(
            (ordered.what.as_str(), ordered.amount.as_str()),
            ("Skill “kiln”", "−1")
        );
        let given = line(Moved::Given("chargeback_reversed".into()), 10);
        assert_eq!(
            (given.what.as_str(), given.amount.as_str()),
            ("Chargeback reversed", "+10")
        );
    }
}
