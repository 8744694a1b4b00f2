//! The supervision tree on one page.
//!
//! ```text
//! Tree
//! ├── "books" arbiters, one a core
//! │     ├── Settlement            one a node: the open batch of credit movements
//! │     ├── Ledger    × user      order and standing of one user's credits
//! │     └── Limiter   × key       one key's windows
//! └── "runs" arbiters, one a core
//!       ├── Generation × run      one run, from its charge to its end
//!       │     Extractor → Synthesizer → Validator → Generation
//!       └── Rescuer               what a crash left behind
//! ```
//!
//! An actor lives on the arbiter that its key says ([`threads`]), those of which there is one on the first.
//! Every actor is started through [`supervisor`], lives in a [`context::Ctx`] that counts and bounds its mailbox, and may die. Those of
//! which a node has one are [`planted`] anew when they were given up, and the process ends when that does not last, or when a thread
//! hangs ([`pulse`]): what matters is in the store before anybody is answered. Messages live beside the actor that receives them.

pub mod context;
pub mod extractor;
pub mod figures;
pub mod flow;
pub mod generation;
mod label;
pub mod ledger;
pub mod limiter;
pub mod planted;
pub mod progress;
pub mod pulse;
pub mod queue;
pub mod rescuer;
pub mod runs;
pub mod settlement;
pub mod slots;
pub mod stage;
pub mod station;
pub mod supervisor;
pub mod synthesizer;
pub mod threads;
pub mod ticket;
pub mod validator;
pub mod watch;

use crate::actors::generation::FALLS_MAX;
use crate::actors::ledger::Ledgers;
use crate::actors::limiter::Limiters;
use crate::actors::planted::{Lost, Planted};
use crate::actors::pulse::{Patience, Pulse};
use crate::actors::rescuer::{Claims, Rescuer};
use crate::actors::runs::Runs;
use crate::actors::settlement::Settlement;
use crate::actors::slots::Slots;
use crate::actors::stage::Tools;
use crate::actors::threads::{Spread, Threads};
use crate::domain::clock::Timestamp;
use crate::domain::generation::Stage;
use crate::domain::lease::{Judgement, Tries};
use crate::domain::observation::{Generations, Limits, Observation};
use crate::domain::quota::Rates;
use crate::telemetry::lasting;
use actix::Arbiter;
use futures_util::future::join_all;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tokio::time::timeout;
use uuid::Uuid;

/// How long the threads may take to end: work that blocks is not broken off.
const ENDED_WITHIN: Duration = Duration::from_secs(2);

/// The bounds of the tree.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Messages a mailbox takes.
    pub mailbox_capacity: usize,
    /// Credit movements of one transaction.
    pub batch_max: usize,
    /// Requests a minute.
    pub rates: Rates,
    /// Generations that one account runs at once.
    pub running_per_account: usize,
    /// Generations that this node runs at once, without those that wait for a page.
    pub running_per_node: usize,
    /// Requests to other servers that wait at once.
    pub fetching_per_node: usize,
    /// How long a lease on a run holds.
    pub lease: Duration,
    /// How long a run may take.
    pub deadline: Duration,
    /// How often a run is begun before it is given up.
    pub attempts_max: u32,
    /// What is claimed of what others ordered.
    pub claims: Claims,
}

/// All actors of a node.
#[derive(Debug)]
pub struct Tree {
    /// The users' ledgers.
    pub ledgers: Ledgers,
    /// The keys' limiters.
    pub limiters: Limiters,
    /// The node's runs.
    pub runs: Runs,
    /// What takes care of what was left behind.
    pub rescuer: Planted<Rescuer>,
    /// What of it the node has lost for good.
    pub lost: Lost,
    /// Whether its threads go on.
    pub pulse: Pulse,
    settlement: Planted<Settlement>,
    threads: [Threads; 2],
}

impl Tree {
    /// Plants the tree: its threads, the node's own actors; all others start when they are first needed.
    #[must_use]
    pub fn plant(tools: &Arc<Tools>, bounds: Bounds, node: Uuid, slots: Slots) -> Self {
        let (books, work) = (Threads::start("books"), Threads::start("runs"));
        let (store, clock) = (tools.store.clone(), tools.clock.clone());
        let lost = Lost::default();
        let settlement = Settlement::plant(
            books.spread().first(),
            store.clone(),
            bounds.batch_max,
            &lost,
        );
        let ledgers = Ledgers::new(
            books.spread(),
            bounds.mailbox_capacity,
            store.clone(),
            settlement.clone(),
            bounds.running_per_account,
        );
        let limiters = Limiters::new(books.spread(), bounds.mailbox_capacity, bounds.rates);
        let runs = Runs::new(
            work.spread(),
            tools.clone(),
            ledgers.clone(),
            bounds.running_per_node,
            bounds.fetching_per_node,
            slots,
        );
        let rescuer = Rescuer {
            judgement: Judgement::new(&clock, bounds.lease),
            store,
            runs: runs.clone(),
            ledgers: ledgers.clone(),
            clock,
            node,
            lease: bounds.lease,
            tries: Tries {
                attempts_max: bounds.attempts_max,
                falls_max: FALLS_MAX,
                deadline: bounds.deadline,
            },
            rests: Arc::new(AtomicBool::new(bounds.claims == Claims::Nothing)),
            claims: bounds.claims,
        }
        .plant(work.spread().first(), &lost);
        // What the node does beside its actors, from its rounds to its end, happens on the thread that plants them.
        let main = Spread::from(Arbiter::current());
        let beating = [
            (books.name, books.spread()),
            (work.name, work.spread()),
            ("main", &main),
        ];
        let pulse = Pulse::start(&beating, Patience::default(), &lost);
        Self {
            ledgers,
            limiters,
            runs,
            rescuer,
            lost,
            settlement,
            pulse,
            threads: [books, work],
        }
    }

    /// Lets go of the actors that nobody needs now, `now` by the clock of the windows.
    pub fn retire_idle(&self, now: Timestamp) {
        self.ledgers.retire_idle();
        self.limiters.retire_idle(now);
    }

    /// Ends the threads and waits for them, though not for one that hangs; what was not settled is left to the next start.
    pub async fn fell(&self) {
        let ended = self.threads.each_ref().map(Threads::end);
        let all = timeout(ENDED_WITHIN, join_all(ended));
        if self.lost.name().is_none() && all.await.is_err() {
            tracing::warn!("a thread of actors does not end; the process ends without it");
        }
        self.pulse.end();
    }

    /// What an operator sees.
    #[must_use]
    pub fn observe(&self) -> Observation {
        let limiters = self.limiters.observe();
        let keys = limiters.alive;
        let flow = &self.ledgers.flow;
        let of_stage = |stage| flow.stages.actors(stage).observe();
        Observation {
            actors: vec![
                self.settlement.observe(),
                self.ledgers.observe(),
                limiters,
                self.runs.observe(),
                of_stage(Stage::Extracting),
                of_stage(Stage::Synthesizing),
                of_stage(Stage::Validating),
                self.rescuer.observe(),
                lasting::observe(),
            ],
            hearts: self.pulse.observe(),
            stages: flow.stages.observe(),
            generations: Generations {
                waiting: self.runs.waiting() as u64,
                ..flow.generations()
            },
            credits: flow.credits(),
            limits: Limits { keys, shared: None },
            ..Observation::default()
        }
    }
}

#[cfg(test)]
mod fault_tests;
#[cfg(test)]
mod run_tests;
#[cfg(test)]
mod supervisor_tests;
