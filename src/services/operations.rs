//! Owns what operators see of the service and may do to it: everything at one moment, a run cancelled, a run begun again.
//!
//! What only the database knows (the books, who works on which run) is looked up every few seconds and whenever somebody looks,
//! within bounds: proving the books takes at most a two-hundredth of the time. What other nodes tell of themselves is heard while somebody looks.

use crate::actors::Tree;
use crate::actors::generation::Again;
use crate::actors::ledger::Refund;
use crate::actors::rescuer::{Rest, Sweep};
use crate::cluster::digests::Digests;
use crate::cluster::relay::{News, Relay};
use crate::domain::clock::{Clock, Timestamp};
use crate::domain::credits::Books;
use crate::domain::digest::Digest;
use crate::domain::id::RunId;
use crate::domain::observation::{
    Generations, LedgerLine, Observation, Phase, RUNS_SHOWN, RunningGeneration,
};
use crate::domain::vitals::{Node, Standing, Wish};
use crate::pipeline::author::Author;
use crate::services::digests::Exchange;
use crate::services::engine::Engine;
use crate::services::limits::Limits;
use crate::store::connection::Store;
use crate::store::model::{Leased, Refused};
use crate::store::presence::{Name, Nodes, Says};
use crate::telemetry::{providers, traces, usage};
use skillkiln_document::failure::{Failure, Reason};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use uuid::Uuid;

/// How often is looked while nobody asks.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// How often other nodes are told how this one is doing.
const TOLD_EVERY: Duration = Duration::from_secs(2);
/// By when all nodes have seen what one of them says: each looks once a second.
const SEEN_WITHIN: Duration = Duration::from_millis(1_200);
/// How old a look may be when somebody asks.
const FRESH: Duration = Duration::from_secs(1);
/// A proof of the books takes at most one part in so many of the time, but comes this often whatever it takes.
const PROOF_SHARE: u32 = 200;
const PROOF_EVERY_MAX: Duration = Duration::from_secs(300);
/// Runs looked through for one that was left behind.
const LEFT_BEHIND_MAX: u32 = 10_000;

/// What operators see and may do. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Operations(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    tree: Arc<Tree>,
    store: Store,
    clock: Clock,
    author: Author,
    node: Uuid,
    /// What it says of itself.
    says: Says,
    /// Those that are at work beside it.
    nodes: Nodes,
    started_at: Timestamp,
    engine: Engine,
    relay: Relay,
    exchange: Exchange,
    limits: Limits,
    found: Mutex<Found>,
    looking: tokio::sync::Mutex<Looks>,
}

/// What was found in the database.
#[derive(Debug, Default)]
struct Found {
    books: Option<Books>,
    proved_at: Option<Timestamp>,
    proof: Duration,
    leased: Vec<Leased>,
    /// How many runs wait on all nodes, where they share what waits.
    waiting: u64,
}

/// When was looked.
#[derive(Debug, Default)]
struct Looks {
    leases: Option<Instant>,
    proof: Option<Instant>,
}

/// Why something was not done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Undone {
    /// There is no such run.
    Unknown,
    /// It has ended: its credit is earned or given back, and only a new order makes it again.
    Ended,
    /// It waits for its turn: there is nothing to begin again.
    Waiting,
    /// Another node works on it, and holds it for some seconds yet.
    Elsewhere,
    /// That node cannot be told from here.
    Unreached,
    /// The database does not answer.
    Unavailable,
}

impl Operations {
    /// The operators' view of a node that starts now.
    #[must_use]
    pub fn new(
        tree: Arc<Tree>,
        store: Store,
        clock: Clock,
        author: Author,
        (node, says, nodes): (Uuid, Says, Nodes),
        (engine, relay, digests): (Engine, Relay, Digests),
        limits: Limits,
    ) -> Self {
        let _ = usage::started_unix_s();
        Self(Arc::new(Inner {
            started_at: clock.now(),
            tree,
            store,
            clock,
            author,
            node,
            says,
            nodes,
            engine,
            relay,
            exchange: Exchange::new(short(node), digests),
            limits,
            found: Mutex::default(),
            looking: tokio::sync::Mutex::default(),
        }))
    }

    /// The beginning of this node's identity.
    #[must_use]
    pub fn node(&self) -> String {
        short(self.0.node)
    }

    /// Whether this node takes new work.
    #[must_use]
    pub fn standing(&self) -> Standing {
        self.0.says.name().standing
    }

    /// Whether other nodes carry out runs and take new ones.
    #[must_use]
    pub fn has_others(&self) -> bool {
        self.0.tree.runs.queue().has_others()
    }

    /// Takes no new work from now on: the node stops. Where others are at work, they have seen that when this returns, as this node has seen
    /// which of them stop as well.
    pub async fn leave(&self) {
        self.0.says.stand(Standing::Leaving);
        let _ = self.0.tree.rescuer.ask(Rest(true)).await;
        if self.has_others() {
            tokio::time::sleep(SEEN_WITHIN).await;
        }
    }

    /// Takes what waits for any node, since no other takes it: it ends with this node as what has not begun here does.
    pub async fn take_back(&self) {
        if self.0.store.is_remote() {
            let _ = self.0.tree.rescuer.ask(Sweep { everything: false }).await;
        }
    }

    /// Does what is wanted of this node; on which it is, is settled. One that stops does nothing else.
    async fn do_as_wished(&self, wish: Wish) {
        let inner = &*self.0;
        if self.standing() == Standing::Leaving {
            return;
        }
        tracing::info!(wish = wish.as_str(), "an operator decided about this node");
        let rests = wish != Wish::Uncordon;
        let cordoned_at = rests.then(|| inner.clock.now());
        inner.exchange.cordoned(cordoned_at);
        inner.says.stand(match rests {
            true => Standing::Cordoned,
            false => Standing::Working,
        });
        let _ = inner.tree.rescuer.ask(Rest(rests)).await;
        if wish == Wish::Drain && self.has_others() {
            inner.engine.hand_over(true).await;
        }
    }

    /// Lets a node, this or another, take no new work, or take it again. Another is told over the server that nodes share.
    ///
    /// # Errors
    /// [`Undone::Unknown`] where no such node is at work, [`Undone::Unreached`] where it cannot be told.
    pub async fn wish(&self, node: &str, wish: Wish) -> Result<(), Undone> {
        let inner = &*self.0;
        if node == self.node() {
            self.do_as_wished(wish).await;
            return Ok(());
        }
        if !inner.nodes.names().iter().any(|name| name.id == node) {
            return Err(Undone::Unknown);
        }
        if !inner.relay.is_joined() {
            return Err(Undone::Unreached);
        }
        inner.relay.wish(node, wish);
        Ok(())
    }

    /// Does what operators want of this node on the pages of others, for ever.
    pub async fn heed_wishes(self) {
        loop {
            let (node, wish) = self.0.relay.wished().await;
            if node == self.node() {
                self.do_as_wished(wish).await;
            }
        }
    }

    /// Tells other nodes how this one is doing, for ever.
    pub async fn tell_how_it_goes(self) {
        let mut last = (Instant::now(), usage::cpu_s());
        loop {
            tokio::time::sleep(TOLD_EVERY).await;
            let now = (Instant::now(), usage::cpu_s());
            let cores = (now.1 - last.1) / (now.0 - last.0).as_secs_f64();
            let held = self.0.tree.runs.count() as u64;
            self.0.says.doing(cores.max(0.0), held);
            self.0.exchange.tell(&self.0.tree.observe()).await;
            last = now;
        }
    }

    /// Looks every few seconds, for ever.
    pub async fn keep_watch(self) {
        let mut rounds = tokio::time::interval(LOOK_EVERY);
        rounds.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            rounds.tick().await;
            self.look_up().await;
        }
    }

    /// Looks for somebody who asks: into the database, and at what the other nodes told.
    pub async fn look(&self) {
        let inner = &*self.0;
        let others = inner.nodes.names().into_iter().map(|name| name.id);
        let own = self.node();
        let others = others.filter(|node| *node != own).collect();
        tokio::join!(self.look_up(), inner.exchange.listen(others));
    }

    /// Looks into the database, unless that was done a moment ago or is being done.
    async fn look_up(&self) {
        let inner = &*self.0;
        let Ok(mut looks) = inner.looking.try_lock() else {
            return;
        };
        let is_due = |last: Option<Instant>, every: Duration| {
            last.is_none_or(|last| last.elapsed() >= every)
        };
        if is_due(looks.leases, FRESH) {
            looks.leases = Some(Instant::now());
            match inner.store.unfinished(RUNS_SHOWN as u32).await {
                Ok(leased) => inner.found().leased = leased,
                Err(error) => tracing::warn!(%error, "the runs under way cannot be looked up"),
            }
            let waiting = match inner.tree.runs.queue().has_others() {
                true => inner.store.waiting_count().await,
                false => Ok(0),
            };
            // Why it failed has just been said.
            inner.found().waiting = waiting.unwrap_or(0);
        }
        let took = inner.found().proof;
        let pause = (took * PROOF_SHARE).clamp(FRESH, PROOF_EVERY_MAX);
        if is_due(looks.proof, pause) {
            inner.prove_books().await;
            looks.proof = Some(Instant::now());
        }
    }

    /// Everything there is to see now, but for what only the surfaces know.
    #[must_use]
    pub fn observe(&self) -> Observation {
        let inner = &*self.0;
        let now = inner.clock.now();
        let node = short(inner.node);
        let mut seen = inner.tree.observe();
        seen.at = now.iso();
        seen.limits.shared = inner.limits.observe();
        seen.running = inner.tree.runs.running(RUNS_SHOWN, now, &node);
        let found = inner.found();
        let elsewhere = found
            .leased
            .iter()
            .filter(|run| run.node != Some(inner.node) && !inner.tree.runs.holds(run.run_id));
        let elsewhere = elsewhere.map(|run| of_another(run, now));
        seen.running.extend(elsewhere);
        seen.running.sort_by(|a, b| b.age_s.total_cmp(&a.age_s));
        seen.running.truncate(RUNS_SHOWN);
        seen.nodes = inner.nodes(&found, inner.exchange.own_digest(&seen), now);
        seen.ledger = inner.ledger(&found, now, seen.credits.voided);
        let waiting = seen.generations.waiting.max(found.waiting);
        drop(found);
        seen.generations = Generations {
            waiting,
            waiting_max: inner.engine.waiting_max() as u64,
            ..seen.generations
        };
        seen.database = inner.store.observe();
        seen.providers = providers::observe();
        seen.model = inner.author.observe();
        for provider in &mut seen.providers {
            if provider.provider == "model" {
                provider.circuit = seen.model.as_ref().map(|model| model.circuit);
            }
        }
        seen.usage = usage::observe();
        seen.traces = traces::observe();
        seen
    }

    /// Ends a run before its time, whoever works on it: it fails, and its credit is given back in the same transaction.
    ///
    /// # Errors
    /// [`Undone`].
    pub async fn cancel(&self, run_id: RunId) -> Result<(), Undone> {
        let inner = &*self.0;
        let message = "an operator of the service cancelled this run; the credit is back";
        let failure = Failure::new(Reason::Aborted, message);
        let ended = inner.tree.runs.abort(run_id, failure.clone()).await;
        if ended == Some(false) {
            return Err(Undone::Ended);
        }
        if ended.is_none() {
            let run = inner
                .store
                .run(run_id)
                .await
                .map_err(|_| Undone::Unavailable)?;
            let user_id = run.ok_or(Undone::Unknown)?.user_id;
            let refund = Refund {
                run_id,
                failure,
                at: inner.clock.now(),
            };
            match inner.tree.ledgers.of(user_id).ask(refund).await {
                Ok(Ok(_)) => inner.relay.tell(run_id, News::Ended),
                Ok(Err(Refused::AlreadyEnded)) => return Err(Undone::Ended),
                Ok(Err(Refused::Unknown)) => return Err(Undone::Unknown),
                _ => return Err(Undone::Unavailable),
            }
        }
        tracing::info!(run.id = %run_id, "an operator cancelled a run");
        Ok(())
    }

    /// Begins a run again from its source; nothing is charged again. A run of this node lets go of its stages and has its whole time
    /// anew; one that was left behind is taken up by the rescuer, or refunded once it was begun too often or its time is over.
    ///
    /// # Errors
    /// [`Undone`].
    pub async fn retry(&self, run_id: RunId) -> Result<(), Undone> {
        let inner = &*self.0;
        let again = inner.tree.runs.begin_again(run_id).await;
        match again {
            Some(Again::Ended) => return Err(Undone::Ended),
            Some(Again::Waiting) => return Err(Undone::Waiting),
            Some(Again::Begun) | None => {}
        }
        if again.is_none() {
            let unavailable = |_| Undone::Unavailable;
            let store = &inner.store;
            let leased = store
                .unfinished(LEFT_BEHIND_MAX)
                .await
                .map_err(unavailable)?;
            let Some(run) = leased.iter().find(|run| run.run_id == run_id) else {
                let known = store.run(run_id).await.map_err(unavailable)?;
                return Err(known.map_or(Undone::Unknown, |_| Undone::Ended));
            };
            let holds = run
                .lease_until
                .is_some_and(|until| until > inner.clock.now());
            if holds && run.node != Some(inner.node) {
                return Err(Undone::Elsewhere);
            }
            store
                .release_lease(run_id)
                .await
                .map_err(|_| Undone::Unavailable)?;
            let _ = inner.tree.rescuer.tell(Sweep { everything: false });
        }
        tracing::info!(run.id = %run_id, "an operator began a run again");
        Ok(())
    }
}

impl Inner {
    fn found(&self) -> MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Proves the books and raises the alarm when they do not balance.
    async fn prove_books(&self) {
        let begun = Instant::now();
        match self.store.books().await {
            Ok(books) => {
                for fault in &books.faults {
                    tracing::error!(fault, "the books do not balance");
                }
                self.tree.ledgers.flow.books_proved(books.faults.len());
                let mut found = self.found();
                found.books = Some(books);
                found.proved_at = Some(self.clock.now());
                found.proof = begun.elapsed();
            }
            Err(error) => tracing::warn!(%error, "the books cannot be proved now"),
        }
    }

    fn ledger(&self, found: &Found, now: Timestamp, voided: u64) -> LedgerLine {
        let reserved = found.leased.iter().find(|run| run.charged.0 > 0);
        let oldest = reserved.map(|run| now.since(run.ordered_at).as_secs_f64());
        let Some(books) = &found.books else {
            return LedgerLine {
                oldest_reservation_s: oldest,
                voided,
                ..LedgerLine::default()
            };
        };
        let there = books.available + books.reserved + books.posted;
        LedgerLine {
            accounts: books.users,
            granted: books.granted,
            owed: books.owed,
            available: books.available,
            reserved: books.reserved,
            posted: books.posted,
            voided,
            imbalance: books.granted + books.owed - there,
            faults: books.faults.len() as u64,
            oldest_reservation_s: oldest,
            proved_at: found.proved_at,
            proof_s: found.proof.as_secs_f64(),
        }
    }

    /// This node, those that live beside it, and those that hold a lease.
    fn nodes(&self, found: &Found, own: Digest, now: Timestamp) -> Vec<Node> {
        let mut runs: BTreeMap<Uuid, u64> = BTreeMap::new();
        for run in &found.leased {
            let holds = run.lease_until.is_some_and(|until| until > now);
            if let Some(node) = run.node.filter(|node| holds && *node != self.node) {
                *runs.entry(node).or_default() += 1;
            }
        }
        let of_name = |name: Name, digest: Digest| {
            let cordoned_at = digest.cordoned_at;
            let cordoned_at = cordoned_at.filter(|_| name.standing == Standing::Cordoned);
            Node {
                id: name.id,
                version: Some(name.version),
                role: Some(name.role),
                uptime_s: Some(now.since(name.started_at).as_secs_f64()),
                started_at: Some(name.started_at.iso()),
                standing: Some(name.standing),
                cores: Some(f64::from(name.centicores) / 100.0),
                held: Some(name.held),
                cordoned_at: cordoned_at.map(Timestamp::iso),
                cordoned_for_s: cordoned_at.map(|at| now.since(at).as_secs_f64()),
                actors: digest.actors,
                hanging: digest.hanging,
                ..Node::default()
            }
        };
        let held = self.tree.runs.count() as u64;
        let this = Node {
            is_this: true,
            started_at: Some(self.started_at.iso()),
            held: Some(held),
            runs: held,
            ..of_name(self.says.name(), own)
        };
        let mut others: BTreeMap<String, Node> = BTreeMap::new();
        for name in self.nodes.names() {
            let digest = self.exchange.of(&name.id).unwrap_or_default();
            others.insert(name.id.clone(), of_name(name, digest));
        }
        for (node, runs) in runs {
            let id = short(node);
            let node = others.entry(id.clone()).or_default();
            (node.id, node.runs) = (id, runs);
        }
        others.remove(&this.id);
        std::iter::once(this).chain(others.into_values()).collect()
    }
}

/// Enough of a node's identity to tell it from others.
pub(super) fn short(node: Uuid) -> String {
    node.simple().to_string().chars().take(8).collect()
}

/// A run that this node does not carry out.
fn of_another(run: &Leased, now: Timestamp) -> RunningGeneration {
    let holds = run.lease_until.is_some_and(|until| until > now);
    let age_s = now.since(run.ordered_at).as_secs_f64();
    let left_s = run
        .lease_until
        .map_or(age_s, |until| now.since(until).as_secs_f64());
    RunningGeneration {
        id: run.run_id.to_string(),
        source: run.source.as_str(),
        phase: match run.lease_until {
            _ if holds => Phase::Elsewhere,
            // One that is left to whoever comes has a lease that was over when it was ordered.
            Some(until) if until <= run.ordered_at => Phase::Waiting,
            _ => Phase::LeftBehind,
        },
        age_s,
        in_phase_s: if holds { age_s } else { left_s },
        skills: u64::from(run.charged.0.max(1)),
        attempts: run.attempts,
        node: run.node.map(short).unwrap_or_default(),
    }
}
