//! Owns what an operator sees of the actors: what is alive, what waits, what was handled, what broke.

use serde::Serialize;

/// Everything there is to see at one moment.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Observation {
    /// One entry a kind of actor, in the order of the supervision tree.
    pub actors: Vec<ActorKind>,
    /// One entry a stage of the pipeline, in order.
    pub stages: Vec<StageFigures>,
    /// Runs by outcome since the start.
    pub generations: Generations,
    /// Credits by what became of them since the start.
    pub credits: CreditFlow,
    /// What the limiters hold.
    pub limits: Limits,
    /// The language model, when one is set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelFigures>,
}

/// How the language model is doing, since the start.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ModelFigures {
    /// Whether it is asked at all.
    pub circuit: Circuit,
    /// Requests sent.
    pub asked: u64,
    /// Questions that were answered from what was kept.
    pub kept: u64,
    /// Requests sent again because the one before failed.
    pub retried: u64,
    /// Questions given up.
    pub given_up: u64,
    /// Tokens it read, as it counts them.
    pub tokens_in: u64,
    /// Tokens it wrote, as it counts them.
    pub tokens_out: u64,
}

/// How a circuit breaker stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Circuit {
    /// Calls go through.
    #[default]
    Closed,
    /// None goes through until the other side had time to recover.
    Open,
    /// The next one decides.
    HalfOpen,
}

/// One kind of actor.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ActorKind {
    /// Its name, such as `ledger`.
    pub kind: &'static str,
    /// Actors alive.
    pub alive: u64,
    /// Messages waiting in all their mailboxes.
    pub waiting: u64,
    /// Most messages one mailbox takes.
    pub mailbox_capacity: u64,
    /// Messages handled since the start.
    pub handled: u64,
    /// Messages dropped unhandled since the start (0, or a bug).
    pub lost: u64,
    /// Panics since the start.
    pub panics: u64,
    /// Restarts since the start.
    pub restarts: u64,
    /// What the last panic said.
    pub last_panic: Option<String>,
    /// How long messages waited, in seconds.
    pub wait: Spread,
    /// How long handling took, in seconds.
    pub handling: Spread,
    /// Some of those alive, the busiest first.
    pub instances: Vec<ActorInstance>,
}

/// One living actor.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ActorInstance {
    /// What it is the actor of: an id, never a name or an address.
    pub key: String,
    /// `starting`, `running`, `restarting` or `stopping`.
    pub state: &'static str,
    /// Messages waiting.
    pub waiting: u64,
    /// Messages handled.
    pub handled: u64,
    /// Restarts.
    pub restarts: u64,
}

/// How a duration is spread.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Spread {
    /// How many were measured.
    pub count: u64,
    /// Their sum in seconds.
    pub sum_s: f64,
    /// Cumulative counts: at most so many seconds, so many.
    pub buckets: Vec<(f64, u64)>,
}

/// One stage of the pipeline.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct StageFigures {
    /// `extracting`, `synthesizing` or `validating`.
    pub stage: &'static str,
    /// Runs in it now.
    pub in_flight: u64,
    /// Runs that left it well.
    pub passed: u64,
    /// Runs that failed in it.
    pub failed: u64,
    /// How long it took.
    pub duration: Spread,
}

/// Runs by outcome.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Generations {
    /// Accepted and charged.
    pub accepted: u64,
    /// Completed.
    pub completed: u64,
    /// Failed, the credits given back.
    pub failed: u64,
    /// Accepted, not ended.
    pub in_flight: u64,
    /// Left behind by a crash and taken up again.
    pub resumed: u64,
}

/// Credits by what became of them.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct CreditFlow {
    /// Reserved for runs.
    pub reserved: u64,
    /// Posted: earned.
    pub posted: u64,
    /// Voided: given back.
    pub voided: u64,
    /// Granted.
    pub granted: u64,
    /// Taken back because the money of a purchase went back, debts included.
    pub reclaimed: u64,
    /// Faults that the last proof of the books found; 0, or an alarm.
    pub imbalance: i64,
}

/// What the limiters hold.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Limits {
    /// Keys that have a window now.
    pub keys: u64,
}
