//! Owns what this node tells the others of itself every few seconds, and what it heard of them while somebody looks.

use crate::cluster::digests::Digests;
use crate::domain::clock::Timestamp;
use crate::domain::digest::{Digest, HANGING_TOLD, Hanging};
use crate::domain::observation::Observation;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How old what was heard may be when somebody asks.
const FRESH: Duration = Duration::from_secs(1);

/// For how long what was heard says how the others are.
const SAYS: Duration = Duration::from_secs(4);

/// What is told and heard.
#[derive(Debug)]
pub(super) struct Exchange {
    node: String,
    digests: Digests,
    own: Mutex<Own>,
    heard: Mutex<Option<(Instant, HashMap<String, Digest>)>>,
    /// When it was listened last.
    listened: tokio::sync::Mutex<Option<Instant>>,
}

/// What a look at the actors alone does not say.
#[derive(Debug, Default)]
struct Own {
    cordoned_at: Option<Timestamp>,
    counted: Option<Counted>,
    per_s: BTreeMap<&'static str, f64>,
}

/// Messages that each kind of actor had handled at some moment.
type Counted = (Instant, BTreeMap<&'static str, u64>);

impl Exchange {
    pub(super) fn new(node: String, digests: Digests) -> Self {
        Self {
            node,
            digests,
            own: Mutex::default(),
            heard: Mutex::default(),
            listened: tokio::sync::Mutex::default(),
        }
    }

    /// Notes that this node takes no new work as of now, unless it was so before, or that it does.
    pub(super) fn cordoned(&self, at: Option<Timestamp>) {
        let mut own = self.own();
        own.cordoned_at = at.map(|at| own.cordoned_at.unwrap_or(at));
    }

    /// How this node is, by a look at it.
    pub(super) fn own_digest(&self, seen: &Observation) -> Digest {
        let own = self.own();
        let actors = seen.actors.iter().map(|actor| {
            let mut digest = actor.digest();
            digest.handled_per_s = own.per_s.get(actor.kind).copied();
            digest
        });
        let hanging = seen.hearts.iter().filter(|heart| heart.silent_s > 0.0);
        let hanging = hanging.take(HANGING_TOLD).map(|heart| Hanging {
            arbiter: heart.arbiter.clone(),
            silent_s: heart.silent_s,
        });
        Digest {
            actors: Some(actors.collect()),
            hanging: Some(hanging.collect()),
            cordoned_at: own.cordoned_at,
        }
    }

    /// Tells the others.
    pub(super) async fn tell(&self, seen: &Observation) {
        self.own().count(seen, Instant::now());
        let digest = self.own_digest(seen);
        self.digests.tell(&self.node, &digest).await;
    }

    /// Listens to the others, unless that was done a moment ago or is being done.
    pub(super) async fn listen(&self, others: Vec<String>) {
        let Ok(mut listened) = self.listened.try_lock() else {
            return;
        };
        if listened.is_some_and(|at| at.elapsed() < FRESH) {
            return;
        }
        let told = self.digests.of(&others).await;
        let now = Instant::now();
        *listened = Some(now);
        // One late answer says nothing of the others.
        if let Some(told) = told {
            *self.heard() = Some((now, told));
        }
    }

    /// What another node told lately.
    pub(super) fn of(&self, node: &str) -> Option<Digest> {
        let heard = self.heard();
        let (at, told) = heard.as_ref()?;
        // What was heard for somebody who looked long ago says nothing.
        told.get(node).filter(|_| at.elapsed() < SAYS).cloned()
    }

    fn own(&self) -> MutexGuard<'_, Own> {
        self.own.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn heard(&self) -> MutexGuard<'_, Option<(Instant, HashMap<String, Digest>)>> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Own {
    /// Takes the rates since the last time.
    fn count(&mut self, seen: &Observation, now: Instant) {
        let handled = seen.actors.iter().map(|actor| (actor.kind, actor.handled));
        let handled: BTreeMap<&'static str, u64> = handled.collect();
        if let Some((at, before)) = &self.counted {
            let span_s = now.duration_since(*at).as_secs_f64();
            let rate = |(kind, handled): (&&'static str, &u64)| {
                let before = before.get(kind).copied().unwrap_or(0);
                (*kind, handled.saturating_sub(before) as f64 / span_s)
            };
            if span_s > 0.0 {
                self.per_s = handled.iter().map(rate).collect();
            }
        }
        self.counted = Some((now, handled));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::observation::{ActorInstance, ActorKind, Heart};

    fn seen(handled: u64) -> Observation {
        let heart = |name: &str, silent_s| Heart {
            arbiter: name.to_owned(),
            silent_s,
        };
        Observation {
            actors: vec![ActorKind {
                kind: "ledger",
                alive: 2,
                waiting: 5,
                handled,
                instances: vec![ActorInstance {
                    key: "a1b2c3d4".to_owned(),
                    waiting: 4,
                    ..ActorInstance::default()
                }],
                last_panic: Some("words of somebody's source".to_owned()),
                ..ActorKind::default()
            }],
            hearts: vec![heart("books-1", 3.0), heart("books-2", 0.0)],
            ..Observation::default()
        }
    }

    #[test]
    fn a_node_tells_numbers_and_rates_and_what_hangs_and_nothing_of_anybody() {
        let exchange = Exchange::new("a".to_owned(), Digests::default());
        let begun = Instant::now();
        exchange.own().count(&seen(100), begun);
        let digest = exchange.own_digest(&seen(100));
        assert_eq!(digest.actors.unwrap()[0].handled_per_s, None, "not yet");
        let later = begun + Duration::from_secs(2);
        exchange.own().count(&seen(130), later);
        exchange.own().count(&seen(130), later);
        let digest = exchange.own_digest(&seen(131));
        let text = serde_json::to_string(&digest).unwrap();
        let actor = &digest.actors.unwrap()[0];
        assert_eq!(
            (actor.alive, actor.waiting, actor.waiting_max, actor.handled),
            (Some(2), Some(5), Some(4), Some(131))
        );
        assert_eq!(
            actor.handled_per_s,
            Some(15.0),
            "a look at once says nothing"
        );
        let hanging = digest.hanging.unwrap();
        assert_eq!((hanging.len(), &*hanging[0].arbiter), (1, "books-1"));
        for kept in ["a1b2c3d4", "source"] {
            assert!(!text.contains(kept), "{kept} in {text}");
        }
    }

    #[test]
    fn a_node_that_is_drained_after_it_was_cordoned_is_cordoned_since_then() {
        let exchange = Exchange::new("a".to_owned(), Digests::default());
        let at = |s: i64| Some(Timestamp::from_micros(s * 1_000_000));
        let cordoned_at = |wish| {
            exchange.cordoned(wish);
            exchange.own_digest(&Observation::default()).cordoned_at
        };
        assert_eq!(cordoned_at(at(10)), at(10));
        assert_eq!(cordoned_at(at(70)), at(10));
        assert_eq!(cordoned_at(None), None);
        assert_eq!(cordoned_at(at(90)), at(90));
    }
}
