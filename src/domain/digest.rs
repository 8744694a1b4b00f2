//! Owns what a node tells the others of itself beside its name: its actors in numbers, its threads that hang, and since when it takes no new
//! work.
//!
//! Nodes of the version before and of the one after read it too, beside each other during a deploy: what one of them does not know is left
//! out, and what it does not tell is unknown.

use crate::domain::clock::Timestamp;
use serde::{Deserialize, Serialize};

/// What a node tells. It names kinds and threads and nobody's keys or words.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Digest {
    /// Its actors, one entry a kind, in the order of their tree.
    pub actors: Option<Vec<ActorDigest>>,
    /// Its threads of actors and workers of HTTP that hang.
    pub hanging: Option<Vec<Hanging>>,
    /// When it was cordoned; none while it takes new work.
    pub cordoned_at: Option<Timestamp>,
}

/// One kind of actor of a node. What it does not tell is none.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ActorDigest {
    /// Its name, such as `ledger`.
    pub kind: String,
    /// Actors alive.
    pub alive: Option<u64>,
    /// Messages waiting in all their mailboxes.
    pub waiting: Option<u64>,
    /// Messages waiting in the fullest of them.
    pub waiting_max: Option<u64>,
    /// Most messages one mailbox takes.
    pub mailbox_capacity: Option<u64>,
    /// Messages handled since the node's start.
    pub handled: Option<u64>,
    /// Messages handled a second, over the last two seconds or so.
    pub handled_per_s: Option<f64>,
    /// Messages dropped unhandled (0, or a bug).
    pub lost: Option<u64>,
    /// Panics.
    pub panics: Option<u64>,
    /// Restarts, for whatever reason.
    pub restarts: Option<u64>,
    /// Actors that panicked too often and were given up.
    pub given_up: Option<u64>,
}

/// A thread that hangs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Hanging {
    /// Its name.
    pub arbiter: String,
    /// For how long it has done nothing.
    pub silent_s: f64,
}

/// How many threads that hang a node names.
pub const HANGING_TOLD: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_of_another_version_is_read_as_far_as_it_is_known() {
        let later = r#"{"actors":[{"kind":"ledger","alive":3,"mood":"calm"},{"kind":"oracle"}],"moon":{"phase":"new"}}"#;
        let digest: Digest = serde_json::from_str(later).unwrap();
        let kind = |kind: &str, alive| ActorDigest {
            kind: kind.to_owned(),
            alive,
            ..ActorDigest::default()
        };
        let expected = Digest {
            actors: Some(vec![kind("ledger", Some(3)), kind("oracle", None)]),
            ..Digest::default()
        };
        assert_eq!(digest, expected);
        let nothing: Digest = serde_json::from_str("{}").unwrap();
        assert_eq!(nothing.actors, None, "unknown, which is not none alive");
    }
}
