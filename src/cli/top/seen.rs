//! Owns what `/ops/observe` says, as far as it is shown. What a service of another version does not say is nothing, and what it says
//! beyond that is left out.

use crate::domain::digest::{ActorDigest, Hanging};
use crate::domain::spread::Spread;
use serde::Deserialize;

/// Everything at one moment.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Seen {
    /// When, by the service's clock.
    pub at: String,
    /// The nodes at work.
    pub nodes: Vec<Node>,
    /// What the process takes.
    pub usage: Usage,
    /// The kinds of actors, in the order of their tree.
    pub actors: Vec<Kind>,
    /// The stages, in order.
    pub stages: Vec<Stage>,
    /// Runs by outcome.
    pub generations: Generations,
    /// Runs that have not ended, the oldest first.
    pub running: Vec<Running>,
    /// Credits by what became of them since the start.
    pub credits: Credits,
    /// Where all credits are; none of a service that does not say.
    pub ledger: Option<Ledger>,
    /// What is asked over HTTP.
    pub http: Http,
    /// What the limiters hold.
    pub limits: Limits,
    /// The language model, when one is set.
    pub model: Option<Model>,
}

/// One node.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Node {
    /// The beginning of its identity.
    pub id: String,
    /// The version it runs, where that is known.
    pub version: Option<String>,
    /// What it does of the work, where that is known.
    pub role: Option<String>,
    /// How long it has run, where that is known.
    pub uptime_s: Option<f64>,
    /// Whether it takes new work, where that is known.
    pub standing: Option<String>,
    /// How many cores it keeps busy, where that is known.
    pub cores: Option<f64>,
    /// Runs that are held there, where that is known.
    pub held: Option<u64>,
    /// Runs whose lease it has.
    pub runs: u64,
    /// For how long it has been cordoned, where it is and that is known.
    pub cordoned_for_s: Option<f64>,
    /// Its actors, where it told of them.
    pub actors: Option<Vec<ActorDigest>>,
    /// Its threads that hang, where it told of them.
    pub hanging: Option<Vec<Hanging>>,
}

/// What the process takes.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Memory.
    pub resident_bytes: u64,
    /// Processor time.
    pub cpu_s: f64,
}

/// One kind of actor.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Kind {
    /// Its name.
    pub kind: String,
    /// Actors alive.
    pub alive: u64,
    /// Messages waiting.
    pub waiting: u64,
    /// Messages handled.
    pub handled: u64,
    /// Messages lost.
    pub lost: u64,
    /// Panics.
    pub panics: u64,
    /// Restarts.
    pub restarts: u64,
    /// What the last panic said.
    pub last_panic: Option<String>,
    /// How long messages waited.
    pub wait: Spread,
    /// How long handling took.
    pub handling: Spread,
    /// Some of those alive.
    pub instances: Vec<Instance>,
}

/// One living actor.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Instance {
    /// What it is the actor of.
    pub key: String,
    /// What it does.
    pub state: String,
    /// Messages waiting.
    pub waiting: u64,
    /// Messages handled.
    pub handled: u64,
    /// Restarts.
    pub restarts: u64,
}

/// One stage.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Stage {
    /// Its name.
    pub stage: String,
    /// Runs in it now.
    pub in_flight: u64,
    /// Runs that left it well.
    pub passed: u64,
    /// Runs that failed in it.
    pub failed: u64,
    /// Words that came out of it.
    pub words: u64,
    /// How long it took.
    pub duration: Spread,
}

/// Runs by outcome.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Generations {
    /// Accepted and charged.
    pub accepted: u64,
    /// Completed.
    pub completed: u64,
    /// Failed.
    pub failed: u64,
    /// Why.
    pub failed_by: Vec<FailedBy>,
    /// Not ended.
    pub in_flight: u64,
    /// Waiting for their turn.
    pub waiting: u64,
    /// Taken up again.
    pub resumed: u64,
}

/// How many runs failed for one reason.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct FailedBy {
    /// The reason.
    pub reason: String,
    /// Whose it is to mend.
    pub class: String,
    /// How many.
    pub count: u64,
}

/// A run that has not ended.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Running {
    /// Its identity.
    pub id: String,
    /// The kind of its source.
    pub source: String,
    /// Where it is.
    pub phase: String,
    /// How long ago it was ordered.
    pub age_s: f64,
    /// How long it has been where it is.
    pub in_phase_s: f64,
}

/// Credits by what became of them.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Credits {
    /// Set aside for runs.
    pub reserved: u64,
    /// Earned.
    pub posted: u64,
    /// Given back.
    pub voided: u64,
    /// Granted.
    pub granted: u64,
    /// Faults of the books.
    pub imbalance: i64,
}

/// Where all credits are.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Ledger {
    /// Ever granted.
    pub granted: i64,
    /// Owed.
    pub owed: i64,
    /// What can be spent.
    pub available: i64,
    /// What is set aside.
    pub reserved: i64,
    /// What was earned.
    pub posted: i64,
    /// The two sides' difference.
    pub imbalance: i64,
    /// What the proof found.
    pub faults: u64,
    /// When that was.
    pub proved_at: Option<String>,
}

/// What is asked over HTTP.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Http {
    /// Requests answered.
    pub requests: u64,
    /// Those with a fault of ours.
    pub faults: u64,
    /// Those refused for asking too often.
    pub refused: u64,
    /// Streams that are open.
    pub streams: u64,
    /// How long they took.
    pub duration: Spread,
}

/// What the limiters hold.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Limits {
    /// Keys that have a window.
    pub keys: u64,
}

/// How the language model is doing.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Model {
    /// How its circuit breaker stands.
    pub circuit: String,
    /// Requests sent.
    pub asked: u64,
    /// Questions given up.
    pub given_up: u64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::observation::Observation;

    #[test]
    fn what_a_service_of_this_version_says_is_understood() {
        let said = serde_json::to_string(&Observation {
            actors: vec![Default::default()],
            stages: vec![Default::default()],
            model: Some(Default::default()),
            ..Observation::default()
        })
        .unwrap();
        let seen: Seen = serde_json::from_str(&said).unwrap();
        assert_eq!((seen.actors.len(), seen.stages.len()), (1, 1));
        assert_eq!(
            seen.model.map(|model| model.circuit),
            Some("closed".to_owned())
        );
    }

    #[test]
    fn what_a_service_does_not_say_is_nothing() {
        assert_eq!(serde_json::from_str::<Seen>("{}").unwrap(), Seen::default());
    }
}
