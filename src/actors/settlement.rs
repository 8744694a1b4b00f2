//! Owns the node's open batch of credit movements: what arrives while a commit is in flight settles together in the next one.
//!
//! This is what makes the ledger fast: a commit costs the disk the same for one charge as for five hundred. While commits follow
//! each other a small batch waits a moment for company; the first after a pause never waits. Every reply is sent
//! after the commit. A batch in flight does not depend on this actor's life: it settles and replies even if the actor panics.

use crate::actors::context::{Ctx, Handle, Kind};
use crate::actors::figures::{Gauge, KindFigures};
use crate::actors::supervisor;
use crate::domain::observation::ActorKind;
use crate::store::connection::Store;
use crate::store::model::{Entry, Refused, Settled};
use actix::prelude::*;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// Most entries that wait for a commit, and as many messages of the mailbox: everybody's movements go through this one actor, and a
/// thousand requests may come at once. More are refused at once, so that memory stays bounded while the database is gone.
const OPEN_MAX: usize = 16_384;

/// How soon after a commit the next small one may follow, for each entry that the last one had: whoever is alone hardly waits, and
/// where many settle the next batch is about as large.
const GATHER: Duration = Duration::from_micros(500);
/// The longest that a batch waits for company. With 8 ms the writer works 7 % less where all cores are busy, but the second half
/// of fifty streams that are opened at once begins 6 ms later.
const GATHER_MOST: Duration = Duration::from_millis(3);
/// A batch of so many entries waits for nobody.
const GATHER_MAX: usize = 32;

static FIGURES: KindFigures = KindFigures::new("settlement");

/// What became of an entry.
pub type Outcome = Result<Settled, Refused>;

/// The owner of the open batch.
#[derive(Debug)]
pub struct Settlement {
    store: Store,
    open: Vec<Settle>,
    committing: bool,
    /// When the last commit was over.
    settled_at: Option<Instant>,
    /// How many entries it had.
    settled: u32,
    /// Whether the open batch waits for company.
    gathering: bool,
    /// Most entries of one transaction; beyond some hundreds the commit's cost is spread thin already, and the wait grows.
    batch_max: usize,
}

/// An entry to be settled; the outcome comes after the commit.
#[derive(Debug, Message)]
#[rtype(result = "()")]
pub struct Settle {
    /// What to settle.
    pub entry: Entry,
    /// Who wants to know.
    pub reply: oneshot::Sender<Outcome>,
}

impl Kind for Settlement {
    const FIGURES: &'static KindFigures = &FIGURES;
    type Shared = ();
}

impl Actor for Settlement {
    type Context = Ctx<Self>;
}

impl Supervised for Settlement {
    /// Entries that were open lose their place, and those who asked are told so by their dropped reply; nothing of them was written.
    fn restarting(&mut self, _: &mut Ctx<Self>) {
        self.open.clear();
        self.committing = false;
        self.gathering = false;
    }
}

impl Handler<Settle> for Settlement {
    type Result = ();

    fn handle(&mut self, settle: Settle, ctx: &mut Ctx<Self>) {
        if self.open.len() >= OPEN_MAX {
            let _ = settle.reply.send(Err(Refused::Crowded));
            return;
        }
        self.open.push(settle);
        if self.gathering && self.open.len() == GATHER_MAX {
            self.gathering = false;
            self.commit(ctx);
        } else if self.open.len() == 1 && !self.committing {
            // A spawned future runs when the mailbox is empty: a burst of messages becomes one batch.
            ctx.spawn(
                async {}
                    .into_actor(self)
                    .map(|(), settlement, ctx| settlement.gather(ctx)),
            );
        }
    }
}

impl Settlement {
    /// Starts the node's settlement on `arbiter`.
    #[must_use]
    pub fn start(arbiter: &ArbiterHandle, store: Store, batch_max: usize) -> Handle<Self> {
        let make = move |_: &mut Ctx<Self>| Self {
            store,
            open: Vec::new(),
            committing: false,
            settled_at: None,
            settled: 0,
            gathering: false,
            batch_max: batch_max.max(1),
        };
        supervisor::start(arbiter, OPEN_MAX, (), make, || {})
    }

    /// Commits what is open, at once or when it had time to gather.
    fn gather(&mut self, ctx: &mut Ctx<Self>) {
        let whole = GATHER.saturating_mul(self.settled).min(GATHER_MOST);
        let wait = self
            .settled_at
            .and_then(|settled_at| whole.checked_sub(settled_at.elapsed()))
            .filter(|_| self.open.len() < GATHER_MAX);
        let Some(wait) = wait else {
            self.commit(ctx);
            return;
        };
        if self.gathering || self.committing || self.open.is_empty() {
            return;
        }
        self.gathering = true;
        ctx.spawn(
            actix_rt::time::sleep(wait)
                .into_actor(self)
                .map(|(), settlement, ctx| {
                    if std::mem::take(&mut settlement.gathering) {
                        settlement.commit(ctx);
                    }
                }),
        );
    }

    fn commit(&mut self, ctx: &mut Ctx<Self>) {
        if self.committing || self.open.is_empty() {
            return;
        }
        self.committing = true;
        let size = self.open.len().min(self.batch_max);
        self.settled = u32::try_from(size).unwrap_or(u32::MAX);
        let (entries, replies): (Vec<_>, Vec<_>) = self
            .open
            .drain(..size)
            .map(|settle| (settle.entry, settle.reply))
            .unzip();
        let store = self.store.clone();
        let (done, committed) = oneshot::channel::<()>();
        actix_rt::spawn(async move {
            let outcomes = store.settle(entries).await;
            // The next batch first: whoever is answered has work to do on this thread, and the database would wait for it.
            drop(done);
            for (reply, outcome) in replies.into_iter().zip(outcomes) {
                let _ = reply.send(outcome);
            }
        });
        ctx.spawn(committed.into_actor(self).map(|_, settlement, ctx| {
            settlement.committing = false;
            settlement.settled_at = Some(Instant::now());
            settlement.gather(ctx);
        }));
    }
}

/// What an operator sees of the settlement.
#[must_use]
pub fn observe(handle: &Handle<Settlement>) -> ActorKind {
    let gauge: &Arc<Gauge> = &handle.gauge;
    ActorKind {
        instances: vec![supervisor::instance(&"node", gauge)],
        ..FIGURES.observe()
    }
}
