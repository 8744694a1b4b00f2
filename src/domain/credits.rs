//! Owns what credits are: whole numbers that never go below zero, and the transfers that move them between accounts.
//!
//! Double entry: a transfer takes from one account exactly what it gives to another, so the sum over all accounts is
//! always zero. A charge is reserved first and ends exactly once, posted or voided.

use crate::domain::id::{GrantId, PaymentId, RunId};
use std::fmt;

/// A number of credits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Credits(pub u32);

impl Credits {
    /// None at all.
    pub const ZERO: Self = Self(0);

    /// What is left after taking `other`; `None` when there is not enough.
    #[must_use]
    pub fn less(self, other: Self) -> Option<Self> {
        self.0.checked_sub(other.0).map(Self)
    }
}

impl fmt::Display for Credits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Why credits came to an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GrantReason {
    /// A new account's welcome.
    Signup,
    /// Given by an operator.
    Operator,
    /// Bought: one pack.
    Pack,
    /// Given again: the money of a pack had gone back and came again, as after a dispute that was won.
    Restored,
}

impl GrantReason {
    /// The word kept in the store.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Signup => "signup",
            Self::Operator => "operator",
            Self::Pack => "pack",
            Self::Restored => "restored",
        }
    }
}

/// The kinds of transfer, and between which accounts each moves credits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transfer {
    /// From the house's issue to a user's available balance.
    Grant(GrantId, GrantReason),
    /// From a user's available balance to what is reserved for the run.
    Reserve(RunId),
    /// From the reservation to the house's earnings: the run succeeded.
    Post(RunId),
    /// From the reservation back to the user's available balance: the run failed.
    Void(RunId),
    /// From a user's available balance back to the house's issue: the money of a purchase went back.
    Reclaim(GrantId, PaymentId),
    /// From what a user owes back to the house's issue: such credits had been spent already.
    Owe(GrantId, PaymentId),
    /// From the available balance to what the user owes, out of what the transfer with this key brought.
    Repay(uuid::Uuid),
}

/// One line of what a person reads about their credits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Movement {
    /// When.
    pub at: crate::domain::clock::Timestamp,
    /// What happened.
    pub what: Moved,
    /// What it gave, or took when negative.
    pub amount: i64,
    /// What could be spent after it.
    pub balance: i64,
}

/// What moved credits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Moved {
    /// They were given or taken, for this reason.
    Given(String),
    /// A skill of this name was ordered.
    Ordered(String),
    /// The skill of this name failed, and they came back.
    Returned(String),
}

/// Writes what could be spent after each movement. `movements` are the newest ones, newest first; `available` is what can be
/// spent now.
pub fn balance(movements: &mut [Movement], available: i64) {
    let mut after = available;
    for movement in movements {
        movement.balance = after;
        after -= movement.amount;
    }
}

/// What the books say (see `ledger verify`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Books {
    /// Accounts looked at.
    pub users: u64,
    /// Transfers looked at.
    pub transfers: u64,
    /// Credits ever granted, less those that were reclaimed.
    pub granted: i64,
    /// Credits that can be spent.
    pub available: i64,
    /// Credits set aside for runs in flight.
    pub reserved: i64,
    /// Credits earned by finished runs.
    pub posted: i64,
    /// Credits that accounts owe.
    pub owed: i64,
    /// Each thing that is wrong, in words; empty when the books balance.
    pub faults: Vec<String>,
}
