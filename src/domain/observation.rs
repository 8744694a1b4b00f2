//! Owns what an operator sees of the service: what is alive, what waits, what was handled, what broke, where the credits are.
//!
//! Counts run from the start of the process; whoever wants rates subtracts two observations ([`Spread::since`](crate::domain::spread::Spread::since)).

use crate::domain::clock::Timestamp;
use crate::domain::digest::ActorDigest;
use crate::domain::generation::Stage;
use crate::domain::spread::Spread;
use crate::domain::vitals::{
    Circuit, DatabaseFigures, HttpSeen, Node, ProviderFigures, TraceFigures, Usage,
};
use serde::{Serialize, Serializer};
use skillkiln_document::failure::Class;

/// Everything there is to see at one moment.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Observation {
    /// When it was made, in ISO 8601.
    pub at: String,
    /// The nodes at work, this one first.
    pub nodes: Vec<Node>,
    /// What the process takes of its machine.
    pub usage: Usage,
    /// One entry a kind of actor, in the order of the supervision tree.
    pub actors: Vec<ActorKind>,
    /// One entry a thread of actors, and one a worker of HTTP.
    pub hearts: Vec<Heart>,
    /// One entry a stage of the pipeline, in order.
    pub stages: Vec<StageFigures>,
    /// Runs by outcome since the start.
    pub generations: Generations,
    /// The runs that have not ended, the oldest first, [`RUNS_SHOWN`] at most.
    pub running: Vec<RunningGeneration>,
    /// Credits by what became of them since the start.
    pub credits: CreditFlow,
    /// Where all credits are, as the last proof of the books found them.
    pub ledger: LedgerLine,
    /// The database.
    pub database: DatabaseFigures,
    /// Who is called outside.
    pub providers: Vec<ProviderFigures>,
    /// What is asked over HTTP.
    pub http: HttpSeen,
    /// What the limiters hold.
    pub limits: Limits,
    /// The traces that are exported, when that is set.
    pub traces: TraceFigures,
    /// The language model, when one is set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelFigures>,
}

/// Whether a thread of actors or a worker of HTTP goes on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Heart {
    /// Its name.
    pub arbiter: String,
    /// For how long it has done nothing; 0 while it does what it should.
    pub silent_s: f64,
}

/// How many runs an observation names.
pub const RUNS_SHOWN: usize = 100;

/// A run that has not ended.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunningGeneration {
    /// Its identity, as logs name it.
    pub id: String,
    /// `youtube`, `url`, `file` or `text`: never the source itself.
    pub source: &'static str,
    /// Where it is.
    pub phase: Phase,
    /// How long ago it was ordered.
    pub age_s: f64,
    /// How long it has been where it is.
    pub in_phase_s: f64,
    /// Skills it makes.
    pub skills: u64,
    /// How often it was begun.
    pub attempts: u32,
    /// The node that works on it, short.
    pub node: String,
}

/// Where a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// It waits for its turn.
    Waiting,
    /// Its source is read.
    Extracting,
    /// Its skills are written.
    Synthesizing,
    /// Its skills are checked.
    Validating,
    /// Its end is being written down.
    Settling,
    /// Another node works on it.
    Elsewhere,
    /// Nobody works on it: the lease of the node that did has run out.
    LeftBehind,
}

impl From<Stage> for Phase {
    fn from(stage: Stage) -> Self {
        match stage {
            Stage::Extracting => Self::Extracting,
            Stage::Synthesizing => Self::Synthesizing,
            Stage::Validating => Self::Validating,
        }
    }
}

impl Phase {
    /// The word that [`Phase`] has in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Extracting => "extracting",
            Self::Synthesizing => "synthesizing",
            Self::Validating => "validating",
            Self::Settling => "settling",
            Self::Elsewhere => "elsewhere",
            Self::LeftBehind => "left_behind",
        }
    }
}

/// Where all credits are. What was granted, and what accounts owe, is what can be spent, what is reserved and what was earned:
/// `granted + owed = available + reserved + posted`, and `imbalance` says by how much that fails.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct LedgerLine {
    /// Accounts.
    pub accounts: u64,
    /// Credits ever granted, less those that were reclaimed.
    pub granted: i64,
    /// What accounts owe.
    pub owed: i64,
    /// What can be spent: the sum of all balances.
    pub available: i64,
    /// What is set aside for runs.
    pub reserved: i64,
    /// What was earned by finished runs.
    pub posted: i64,
    /// What was given back since the start of the process.
    pub voided: u64,
    /// The two sides' difference; 0, or an alarm.
    pub imbalance: i64,
    /// Faults that the proof found; 0, or an alarm.
    pub faults: u64,
    /// How old the oldest reservation is, when there is one.
    pub oldest_reservation_s: Option<f64>,
    /// When the books were proved, in ISO 8601; none before the first proof.
    #[serde(serialize_with = "as_iso")]
    pub proved_at: Option<Timestamp>,
    /// How long the proof took.
    pub proof_s: f64,
}

fn as_iso<S: Serializer>(at: &Option<Timestamp>, serializer: S) -> Result<S::Ok, S::Error> {
    at.map(Timestamp::iso).serialize(serializer)
}

/// How the language model is doing, since the start.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
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
    /// Of those, tokens that it had read before.
    pub tokens_cached: u64,
    /// Tokens it wrote, as it counts them.
    pub tokens_out: u64,
    /// What all of them cost, by the prices that are set and in their currency.
    pub cost: f64,
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
    /// Restarts since the start, for whatever reason.
    pub restarts: u64,
    /// Restarts by reason.
    pub restarts_by: Restarts,
    /// Actors that panicked too often and were given up.
    pub given_up: u64,
    /// What the last panic said.
    pub last_panic: Option<String>,
    /// How long messages waited, in seconds.
    pub wait: Spread,
    /// How long handling took, in seconds.
    pub handling: Spread,
    /// Some of those alive, the busiest first.
    pub instances: Vec<ActorInstance>,
}

impl ActorKind {
    /// What other nodes are told of it, but for how much it handles a second.
    #[must_use]
    pub fn digest(&self) -> ActorDigest {
        let waiting = self.instances.iter().map(|one| one.waiting);
        ActorDigest {
            kind: self.kind.to_owned(),
            alive: Some(self.alive),
            waiting: Some(self.waiting),
            waiting_max: Some(waiting.max().unwrap_or(0)),
            mailbox_capacity: Some(self.mailbox_capacity),
            handled: Some(self.handled),
            handled_per_s: None,
            lost: Some(self.lost),
            panics: Some(self.panics),
            restarts: Some(self.restarts),
            given_up: Some(self.given_up),
        }
    }
}

/// Restarts by reason.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Restarts {
    /// The handler of a message panicked.
    pub panic: u64,
    /// It panicked again while it was rebuilt.
    pub rebuild: u64,
}

/// One living actor.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ActorInstance {
    /// What it is the actor of: a run by its id, and somebody's account or key by a label that is good while the process lives.
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
    /// Runs that ended while they were in it: cancelled, begun again, or past their deadline.
    pub halted: u64,
    /// Bytes that came out of it: the text that was read, the skills that were written, the skills that were checked.
    pub bytes: u64,
    /// Words that came out of it.
    pub words: u64,
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
    /// Those that failed, by reason: each there is, in one order.
    pub failed_by: Vec<FailedBy>,
    /// Those that failed last, the latest first, [`FAILED_SHOWN`] at most.
    pub last_failed: Vec<FailedRun>,
    /// Accepted, not ended.
    pub in_flight: u64,
    /// Accepted, waiting for their turn.
    pub waiting: u64,
    /// As many as may wait; more are refused.
    pub waiting_max: u64,
    /// Left behind by a crash and taken up again.
    pub resumed: u64,
    /// Begun again by an operator.
    pub retried: u64,
    /// How long they took from the order to the last event.
    pub duration: Spread,
}

impl Generations {
    /// How many failed of a class.
    #[must_use]
    pub fn failed_of(&self, class: Class) -> u64 {
        let of_class = self
            .failed_by
            .iter()
            .filter(|by| by.class == class.as_str());
        of_class.map(|by| by.count).sum()
    }
}

/// How many runs failed for one reason.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FailedBy {
    /// The reason.
    pub reason: &'static str,
    /// Whose it is to mend: `source`, `ours`, or `ended` when it is nobody's.
    pub class: &'static str,
    /// How many.
    pub count: u64,
}

/// A run that failed: what helps to find it in the log and in the history of whoever asks, and nothing of who that is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FailedRun {
    /// Its identity.
    pub id: String,
    /// Why.
    pub reason: &'static str,
    /// Whose that is to mend.
    pub class: &'static str,
    /// When, in ISO 8601.
    pub at: String,
}

/// How many failed runs an observation names.
pub const FAILED_SHOWN: usize = 10;

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
    /// The windows that nodes share, where they do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shared: Option<SharedWindows>,
}

/// The windows that nodes share.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct SharedWindows {
    /// Whether their server answers; else the node admits its share of each limit.
    pub answers: bool,
    /// Requests on which the server decided.
    pub decided: u64,
    /// Requests on which the node had to decide by itself.
    pub undecided: u64,
}
