//! Owns the lives of actors: one for each key, started when first needed, begun again after a panic, retired when idle.
//!
//! actix drops an actor and its mailbox when a handler panics. The guardian here catches the panic around the whole context,
//! waits a little longer each time, lets the actor rebuild itself ([`Supervised::restarting`]) and keeps what waits in the mailbox.
//! An actor that panics more than [`RESTARTS_MAX`] times within [`RESTARTS_WITHIN`] is given up; the next message for its key
//! finds a new one.

use crate::actors::context::{Ctx, Handle, Kind};
use crate::actors::figures::{Gauge, KindFigures, State};
use crate::actors::threads::Spread;
use crate::domain::lent::Lendable;
use crate::domain::observation::{ActorInstance, ActorKind};
use crate::telemetry::lasting::words_of;
use actix::dev::{ContextFut, ContextParts, Mailbox, channel};
use actix::prelude::*;
use foldhash::fast::RandomState;
use std::any::Any;
use std::cmp::Reverse;
use std::collections::{HashMap, VecDeque};
use std::fmt::Display;
use std::future::Future;
use std::hash::{BuildHasher, Hash};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, OnceLock, PoisonError, RwLock, RwLockReadGuard};
use std::task::{Context as TaskContext, Poll};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::sync::futures::Notified;
use tokio::time::{Instant, Sleep};

/// Panics after which an actor is given up, when they come within [`RESTARTS_WITHIN`].
pub const RESTARTS_MAX: usize = 5;
/// The span in which panics are counted.
pub const RESTARTS_WITHIN: Duration = Duration::from_secs(10);
const BACKOFF_FIRST: Duration = Duration::from_millis(5);
const BACKOFF_MAX: Duration = Duration::from_secs(2);
/// actix's own bound is never the one that holds; [`KindFigures::capacity`] is.
const UNBOUNDED: usize = 1 << 24;
/// Places of [`KindFigures::restarts`].
const PANIC: usize = 0;
const REBUILD: usize = 1;
/// How many actors of a kind an observation names.
const INSTANCES_SHOWN: usize = 20;

/// How an actor ended for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// It stopped, or its thread did.
    Stopped,
    /// It panicked too often, or while it was made.
    GivenUp,
}

/// Starts one actor on `arbiter`, counted in `figures`, and guards it. `ended` is called once, when it has ended for good.
pub fn start<A: Kind>(
    arbiter: &ArbiterHandle,
    figures: &Arc<KindFigures>,
    shared: A::Shared,
    make: impl FnOnce(&mut Ctx<A>) -> A + Send + 'static,
    ended: impl FnOnce(End) + Send + 'static,
) -> Handle<A> {
    settle_in(arbiter, figures, shared, make, ended).lend()
}

/// An actor as its registry knows it, without a lease.
struct Resident<A: Kind> {
    addr: Addr<A>,
    gauge: Lendable<Gauge>,
    shared: A::Shared,
}

impl<A: Kind> Resident<A> {
    fn lend(&self) -> Handle<A> {
        Handle {
            addr: self.addr.clone(),
            gauge: self.gauge.lend(),
            shared: self.shared.clone(),
        }
    }

    fn is_gone(&self) -> bool {
        !self.addr.connected()
    }
}

fn settle_in<A: Kind>(
    arbiter: &ArbiterHandle,
    figures: &Arc<KindFigures>,
    shared: A::Shared,
    make: impl FnOnce(&mut Ctx<A>) -> A + Send + 'static,
    ended: impl FnOnce(End) + Send + 'static,
) -> Resident<A> {
    let (sender, receiver) = channel::channel(UNBOUNDED);
    let gauge = Lendable::new(Gauge::new(Arc::clone(figures)));
    figures.alive.fetch_add(1, Relaxed);
    let mut alive = Alive {
        gauge: gauge.clone(),
        end: End::Stopped,
        ended: Some(Box::new(ended)),
    };
    let resident = Resident {
        addr: Addr::new(sender),
        gauge: gauge.clone(),
        shared: shared.clone(),
    };
    arbiter.spawn_fn(move || {
        let mailbox = Mailbox::new(receiver);
        let mut ctx = Ctx {
            parts: ContextParts::new(mailbox.sender_producer()),
            gauge,
            shared,
            burst: 0,
        };
        let Ok(actor) = catch_unwind(AssertUnwindSafe(|| make(&mut ctx))) else {
            alive.gauge.kind.panicked("while it was made".to_owned());
            alive.give_up();
            return;
        };
        alive.gauge.enter(State::Running);
        actix_rt::spawn(Guardian {
            life: ContextFut::new(ctx, actor, mailbox),
            resting: None,
            reason: PANIC,
            panics: VecDeque::new(),
            alive,
        });
    });
    resident
}

/// Counts an actor among the living until it is dropped.
struct Alive {
    gauge: Lendable<Gauge>,
    /// How it ends when it is dropped now.
    end: End,
    ended: Option<Box<dyn FnOnce(End) + Send>>,
}

impl Alive {
    /// It ends because it broke.
    fn give_up(&mut self) {
        self.end = End::GivenUp;
    }
}

impl Drop for Alive {
    fn drop(&mut self) {
        self.gauge.kind.alive.fetch_sub(1, Relaxed);
        self.gauge.enter(State::Stopped);
        if let Some(ended) = self.ended.take() {
            ended(self.end);
        }
    }
}

/// Polls an actor's life and catches what it throws.
struct Guardian<A: Kind> {
    life: ContextFut<A, Ctx<A>>,
    resting: Option<Pin<Box<Sleep>>>,
    /// Why it rests, as restarts are counted: a handler panicked, or its own rebuilding did.
    reason: usize,
    panics: VecDeque<Instant>,
    alive: Alive,
}

impl<A: Kind> Guardian<A> {
    /// Counts a panic; `None` when the actor is to be given up, else how long it rests.
    fn after_panic(&mut self, payload: &(dyn Any + Send)) -> Option<Duration> {
        let words = words_of(payload);
        tracing::error!(actor = A::NAME, panic = %words, "an actor panicked");
        let kind = &self.alive.gauge.kind;
        kind.panicked(words);
        let now = Instant::now();
        self.panics
            .retain(|at| now.duration_since(*at) < RESTARTS_WITHIN);
        self.panics.push_back(now);
        let recent = self.panics.len();
        if recent > RESTARTS_MAX {
            kind.given_up.fetch_add(1, Relaxed);
            self.alive.give_up();
            tracing::error!(
                actor = A::NAME,
                "an actor panicked too often and is given up"
            );
            return None;
        }
        let doublings = u32::try_from(recent.saturating_sub(1)).unwrap_or(0);
        Some((BACKOFF_FIRST * 2u32.saturating_pow(doublings)).min(BACKOFF_MAX))
    }
}

impl<A: Kind> Future for Guardian<A> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut TaskContext<'_>) -> Poll<()> {
        let guardian = self.get_mut();
        loop {
            if let Some(rest) = guardian.resting.as_mut() {
                if rest.as_mut().poll(cx).is_pending() {
                    return Poll::Pending;
                }
                guardian.resting = None;
                match catch_unwind(AssertUnwindSafe(|| guardian.life.restart())) {
                    Ok(true) => {
                        let gauge = &guardian.alive.gauge;
                        if let Some(restarts) = gauge.kind.restarts.get(guardian.reason) {
                            restarts.fetch_add(1, Relaxed);
                        }
                        gauge.restarts.fetch_add(1, Relaxed);
                        gauge.enter(State::Running);
                    }
                    Ok(false) => return Poll::Ready(()),
                    Err(payload) => match guardian.after_panic(payload.as_ref()) {
                        Some(pause) => {
                            guardian.reason = REBUILD;
                            guardian.resting = Some(Box::pin(tokio::time::sleep(pause)));
                            continue;
                        }
                        None => return Poll::Ready(()),
                    },
                }
            }
            match catch_unwind(AssertUnwindSafe(|| Pin::new(&mut guardian.life).poll(cx))) {
                Ok(progress) => return progress,
                Err(payload) => match guardian.after_panic(payload.as_ref()) {
                    Some(pause) => {
                        guardian.alive.gauge.enter(State::Restarting);
                        guardian.reason = PANIC;
                        guardian.resting = Some(Box::pin(tokio::time::sleep(pause)));
                    }
                    None => return Poll::Ready(()),
                },
            }
        }
    }
}

/// Parts of the memory of the living, so that threads that ask for different ones do not wait for each other.
const SHARDS: usize = 16;

/// Keys are ids that we make ourselves, so a quick hasher does.
type Shard<K, A> = RwLock<HashMap<K, Resident<A>, RandomState>>;

/// A part under its lock.
type Reading<'a, K, A> = RwLockReadGuard<'a, HashMap<K, Resident<A>, RandomState>>;

/// Who lives.
struct Living<K, A: Kind> {
    shards: [Shard<K, A>; SHARDS],
    /// Tells whenever one has ended.
    ended: Notify,
    /// Says in which part a key is, and on which thread its actor lives.
    hasher: RandomState,
}

impl<K: Hash, A: Kind> Living<K, A> {
    fn shard(&self, key: &K) -> &Shard<K, A> {
        let [zeroth, ..] = &self.shards;
        let at = usize::try_from(self.hasher.hash_one(key) % SHARDS as u64).unwrap_or(0);
        self.shards.get(at).unwrap_or(zeroth)
    }
}

/// The living actors of one kind, by key. Clones share them.
pub struct Supervisor<K, A: Kind> {
    spread: Spread,
    figures: Arc<KindFigures>,
    living: Arc<Living<K, A>>,
}

impl<K, A: Kind> Clone for Supervisor<K, A> {
    fn clone(&self) -> Self {
        Self {
            spread: self.spread.clone(),
            figures: Arc::clone(&self.figures),
            living: Arc::clone(&self.living),
        }
    }
}

impl<K, A: Kind> std::fmt::Debug for Supervisor<K, A> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Supervisor")
            .field("kind", &A::NAME)
            .finish_non_exhaustive()
    }
}

impl<K: Copy + Eq + Hash + Display + Send + Sync + 'static, A: Kind> Supervisor<K, A> {
    /// No actor yet; each will live where its key says, with a mailbox of `capacity` messages.
    #[must_use]
    pub fn new(spread: &Spread, capacity: usize) -> Self {
        Self {
            spread: spread.clone(),
            figures: KindFigures::new(A::NAME, capacity),
            living: Arc::new(Living {
                shards: std::array::from_fn(|_| Shard::default()),
                ended: Notify::new(),
                hasher: RandomState::default(),
            }),
        }
    }

    /// One part after another, each under its lock.
    fn each(&self) -> impl Iterator<Item = Reading<'_, K, A>> {
        let shards = self.living.shards.iter();
        shards.map(|shard| shard.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The actor of `key`, if it lives.
    #[must_use]
    pub fn find(&self, key: K) -> Option<Handle<A>> {
        let shard = self.living.shard(&key);
        let living = shard.read().unwrap_or_else(PoisonError::into_inner);
        let resident = living.get(&key).filter(|resident| !resident.is_gone())?;
        Some(resident.lend())
    }

    /// What the actor of `key` shares, if it lives. Much cheaper than [`Supervisor::find`]: an address is costly to clone.
    #[must_use]
    pub fn peek<T>(&self, key: K, look: impl FnOnce(&A::Shared) -> T) -> Option<T> {
        let shard = self.living.shard(&key);
        let living = shard.read().unwrap_or_else(PoisonError::into_inner);
        let resident = living.get(&key).filter(|resident| !resident.is_gone())?;
        Some(look(&resident.shared))
    }

    /// The actor of `key`; starts it when it does not live.
    pub fn get<F>(&self, key: K, shared: impl FnOnce() -> A::Shared, make: F) -> Handle<A>
    where
        F: FnOnce(&mut Ctx<A>) -> A + Send + 'static,
    {
        let shard = self.living.shard(&key);
        let mut living = shard.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(resident) = living.get(&key).filter(|resident| !resident.is_gone()) {
            return resident.lend();
        }
        let registry = Arc::downgrade(&self.living);
        let own = Arc::new(OnceLock::<Lendable<Gauge>>::new());
        let told = Arc::clone(&own);
        let ended = move |_| {
            // Only this very actor's entry: a successor may have taken its place. An actor that ends before its entry
            // is made leaves a gone address behind, which the next `get` replaces.
            let (Some(registry), Some(own)) = (registry.upgrade(), told.get()) else {
                return;
            };
            let shard = registry.shard(&key);
            let mut living = shard.write().unwrap_or_else(PoisonError::into_inner);
            if living
                .get(&key)
                .is_some_and(|resident| resident.gauge.is(own))
            {
                living.remove(&key);
            }
            drop(living);
            registry.ended.notify_waiters();
        };
        // Other digits than those that say in which part it is, or each thread would have parts of its own.
        let arbiter = self.spread.of(self.living.hasher.hash_one(key) >> 32);
        let resident = settle_in(arbiter, &self.figures, shared(), make, ended);
        let _ = own.set(resident.gauge.clone());
        let handle = resident.lend();
        living.insert(key, resident);
        handle
    }

    /// Retires the actors on which nobody has a lease, that have nothing to do, and that `may_go`.
    pub fn retire(&self, may_go: impl Fn(&A::Shared) -> bool) {
        let stays = |resident: &Resident<A>| {
            if resident.is_gone() {
                return false;
            }
            let is_busy = resident.gauge.is_lent() || resident.gauge.waiting.load(Relaxed) > 0;
            is_busy || !may_go(&resident.shared)
        };
        for shard in &self.living.shards {
            let mut living = shard.write().unwrap_or_else(PoisonError::into_inner);
            living.retain(|_, resident| stays(resident));
        }
    }

    /// Waits until one ends, from now on.
    pub fn one_ends(&self) -> Notified<'_> {
        self.living.ended.notified()
    }

    /// How many live.
    #[must_use]
    pub fn count(&self) -> usize {
        self.each().map(|living| living.len()).sum()
    }

    /// The keys of those that live.
    #[must_use]
    pub fn keys(&self) -> Vec<K> {
        let mut keys = Vec::new();
        self.each()
            .for_each(|living| keys.extend(living.keys().copied()));
        keys
    }

    /// What an operator sees of them, each under the `label` of its key.
    #[must_use]
    pub fn observe(&self, label: impl Fn(&K) -> String) -> ActorKind {
        // Numbers alone are read under the lock, and only of the busiest a text is made: there may be a hundred thousand.
        let mut busiest: Vec<(Reverse<i64>, Reverse<u64>, K)> = {
            let of_one = |(key, resident): (&K, &Resident<A>)| {
                let gauge = &resident.gauge;
                let (waiting, handled) = (gauge.waiting.load(Relaxed), gauge.handled.load(Relaxed));
                (Reverse(waiting), Reverse(handled), *key)
            };
            let mut loads = Vec::new();
            self.each()
                .for_each(|living| loads.extend(living.iter().map(of_one)));
            loads
        };
        let by_load = |one: &(Reverse<i64>, Reverse<u64>, K)| (one.0, one.1);
        if busiest.len() > INSTANCES_SHOWN {
            busiest.select_nth_unstable_by_key(INSTANCES_SHOWN, by_load);
            busiest.truncate(INSTANCES_SHOWN);
        }
        let shown = busiest.iter().filter_map(|(_, _, key)| {
            let shard = self.living.shard(key);
            let living = shard.read().unwrap_or_else(PoisonError::into_inner);
            Some(instance(&label(key), &living.get(key)?.gauge))
        });
        let mut instances: Vec<ActorInstance> = shown.collect();
        instances
            .sort_by(|a, b| (b.waiting, b.handled, &a.key).cmp(&(a.waiting, a.handled, &b.key)));
        ActorKind {
            instances,
            ..self.figures.observe()
        }
    }

    /// What those that live share, by key: at most `max` of them, those that are least by `rank`.
    #[must_use]
    pub fn survey<T, R: Ord>(
        &self,
        max: usize,
        mut look: impl FnMut(K, &A::Shared) -> T,
        rank: impl Fn(&T) -> R,
    ) -> Vec<T> {
        let mut seen: Vec<T> = Vec::new();
        for living in self.each() {
            let alive = living.iter().filter(|(_, resident)| !resident.is_gone());
            seen.extend(alive.map(|(key, resident)| look(*key, &resident.shared)));
        }
        seen.sort_by_key(rank);
        seen.truncate(max);
        seen
    }
}

/// What an operator sees of one actor.
pub fn instance(key: &impl Display, gauge: &Gauge) -> ActorInstance {
    ActorInstance {
        key: key.to_string(),
        state: gauge.state(),
        waiting: u64::try_from(gauge.waiting.load(Relaxed)).unwrap_or(0),
        handled: gauge.handled.load(Relaxed),
        restarts: gauge.restarts.load(Relaxed),
    }
}
