//! Owns the node's open batch of credit movements: what arrives while a commit is in flight settles together in the next one.
//!
//! This is what makes the ledger fast: a commit costs the disk the same for one charge as for five hundred. While commits follow
//! each other a small batch waits a moment for company; the first after a pause never waits. The database takes what is open when it
//! is free, so that a large batch, which is announced while the one before it is committed, follows it without a pause. Every reply
//! is sent after the commit. What was taken does not depend on this actor's life: it settles and replies even if the actor panics.

use crate::actors::context::{Ctx, Kind};
use crate::actors::planted::{Lost, Planted};
use crate::store::connection::Store;
use crate::store::model::{Entry, Refused, Settled};
use actix::prelude::*;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
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

/// A batch larger than this takes no more than half of what it and the batch before have together: the database commits the one half
/// while the answers to the other go out and the next movements come in, and never waits for them.
const HALVED_FROM: usize = 64;

/// What became of an entry.
pub type Outcome = Result<Settled, Refused>;

/// The owner of the open batch.
#[derive(Debug)]
pub struct Settlement {
    store: Store,
    open: Arc<Mutex<Open>>,
    /// Counts the turns that were announced to the database.
    turns: u64,
    /// How many of them are not over.
    under_way: usize,
    /// When the last one was over.
    settled_at: Option<Instant>,
    /// How many entries it had.
    settled: u32,
    /// Whether the open batch waits for company.
    gathering: bool,
    /// Most entries of one transaction; beyond some hundreds the commit's cost is spread thin already, and the wait grows.
    batch_max: usize,
}

/// What waits for a commit.
#[derive(Debug, Default)]
struct Open {
    entries: VecDeque<Settle>,
    /// The turn that takes them. One that was given up takes nothing, however late it comes.
    turn: Option<u64>,
    /// How many were taken the last time.
    taken: usize,
}

impl Open {
    /// What a turn settles, for which it is over then.
    fn take(&mut self, turn: u64, most: usize) -> (Vec<Entry>, Vec<oneshot::Sender<Outcome>>) {
        if self.turn != Some(turn) {
            return (Vec::new(), Vec::new());
        }
        self.turn = None;
        let half = (self.entries.len() + self.taken).div_ceil(2);
        let size = self.entries.len().min(half.max(HALVED_FROM)).min(most);
        self.taken = size;
        let taken = self.entries.drain(..size);
        taken.map(|settle| (settle.entry, settle.reply)).unzip()
    }

    /// Those who wait for a turn that will not come.
    fn withdraw(&mut self, turn: u64) -> Vec<oneshot::Sender<Outcome>> {
        if self.turn != Some(turn) {
            return Vec::new();
        }
        self.turn = None;
        self.entries.drain(..).map(|settle| settle.reply).collect()
    }
}

fn lock<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
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
    const NAME: &'static str = "settlement";
    type Shared = ();
}

impl Actor for Settlement {
    type Context = Ctx<Self>;
}

impl Supervised for Settlement {
    /// Entries that were open lose their place, and those who asked are told so by their dropped reply; nothing of them was written.
    fn restarting(&mut self, _: &mut Ctx<Self>) {
        *lock(&self.open) = Open::default();
        self.under_way = 0;
        self.gathering = false;
    }
}

impl Handler<Settle> for Settlement {
    type Result = ();

    fn handle(&mut self, settle: Settle, ctx: &mut Ctx<Self>) {
        let mut open = lock(&self.open);
        if open.entries.len() >= OPEN_MAX {
            let _ = settle.reply.send(Err(Refused::Crowded));
            return;
        }
        open.entries.push_back(settle);
        let (waiting, is_announced) = (open.entries.len(), open.turn.is_some());
        drop(open);
        if is_announced {
            return;
        }
        let is_large = waiting >= GATHER_MAX;
        if is_large && (self.gathering || self.under_way > 0 && self.store.writes_in_turn()) {
            self.announce(ctx);
        } else if waiting == 1 && self.under_way == 0 {
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
    /// Plants the node's settlement on `arbiter`.
    #[must_use]
    pub fn plant(
        arbiter: &ArbiterHandle,
        store: Store,
        batch_max: usize,
        lost: &Lost,
    ) -> Planted<Self> {
        let make = move || Self {
            store: store.clone(),
            open: Arc::default(),
            turns: 0,
            under_way: 0,
            settled_at: None,
            settled: 0,
            gathering: false,
            batch_max: batch_max.max(1),
        };
        Planted::new(arbiter, OPEN_MAX, lost, make)
    }

    /// Announces what is open, at once or when it had time to gather.
    fn gather(&mut self, ctx: &mut Ctx<Self>) {
        let waiting = {
            let open = lock(&self.open);
            if open.turn.is_some() {
                return;
            }
            open.entries.len()
        };
        if self.gathering || self.under_way > 0 || waiting == 0 {
            return;
        }
        let whole = GATHER.saturating_mul(self.settled).min(GATHER_MOST);
        let wait = self
            .settled_at
            .and_then(|settled_at| whole.checked_sub(settled_at.elapsed()))
            .filter(|_| waiting < GATHER_MAX);
        let Some(wait) = wait else {
            self.announce(ctx);
            return;
        };
        self.gathering = true;
        ctx.spawn(
            actix_rt::time::sleep(wait)
                .into_actor(self)
                .map(|(), settlement, ctx| {
                    if settlement.gathering {
                        settlement.announce(ctx);
                    }
                }),
        );
    }

    /// Tells the database that a batch is open; it takes what there is by the time that it is free.
    fn announce(&mut self, ctx: &mut Ctx<Self>) {
        self.gathering = false;
        self.turns += 1;
        self.under_way += 1;
        let (turn, most) = (self.turns, self.batch_max);
        lock(&self.open).turn = Some(turn);
        let replies = Arc::<Mutex<Vec<_>>>::default();
        let take = {
            let (open, replies) = (Arc::clone(&self.open), Arc::clone(&replies));
            move || {
                let (entries, waiting) = lock(&open).take(turn, most);
                *lock(&replies) = waiting;
                entries
            }
        };
        let (store, open) = (self.store.clone(), Arc::clone(&self.open));
        let (done, over) = oneshot::channel();
        actix_rt::spawn(async move {
            let outcome = store.settle_batch(Box::new(take)).await;
            let mut replies = std::mem::take(&mut *lock(&replies));
            if outcome.is_err() {
                // Where the database did not even take them, those who wait are told now: nothing of theirs was written.
                replies.extend(lock(&open).withdraw(turn));
            }
            let _ = done.send(u32::try_from(replies.len()).unwrap_or(u32::MAX));
            match outcome {
                Ok(outcomes) => {
                    for (reply, outcome) in replies.into_iter().zip(outcomes) {
                        let _ = reply.send(outcome);
                    }
                }
                Err(error) => {
                    for reply in replies {
                        let _ = reply.send(Err(Refused::Store(error.clone())));
                    }
                }
            }
        });
        ctx.spawn(over.into_actor(self).map(|settled, settlement, ctx| {
            settlement.under_way = settlement.under_way.saturating_sub(1);
            settlement.settled = settled.unwrap_or_default();
            settlement.settled_at = Some(Instant::now());
            settlement.gather(ctx);
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::clock::Timestamp;
    use crate::domain::credits::{Credits, GrantReason};
    use crate::domain::id::{GrantId, UserId};

    fn waiting(count: usize, taken: usize) -> (Open, Vec<oneshot::Receiver<Outcome>>) {
        let mut open = Open {
            turn: Some(7),
            taken,
            ..Open::default()
        };
        let answers = (0..count).map(|_| {
            let (reply, answer) = oneshot::channel();
            let entry = Entry::Grant {
                id: GrantId::new(),
                user_id: UserId::new(),
                amount: Credits(1),
                reason: GrantReason::Operator,
                at: Timestamp::from_micros(0),
            };
            open.entries.push_back(Settle { entry, reply });
            answer
        });
        let answers = answers.collect();
        (open, answers)
    }

    fn size(waiting_now: usize, taken_before: usize, most: usize) -> usize {
        let (mut open, _answers) = waiting(waiting_now, taken_before);
        let (entries, replies) = open.take(7, most);
        assert_eq!(entries.len(), replies.len());
        assert_eq!(entries.len() + open.entries.len(), waiting_now);
        entries.len()
    }

    #[test]
    fn a_turn_takes_what_is_open_and_of_many_the_half() {
        assert_eq!(size(1, 0, 512), 1);
        assert_eq!(size(64, 0, 512), 64, "some are one batch");
        assert_eq!(size(256, 0, 512), 128, "many are two that take turns");
        assert_eq!(size(128, 128, 512), 128, "and stay so");
        assert_eq!(size(200, 56, 512), 128, "and come back to it");
        assert_eq!(size(3_000, 0, 512), 512, "a transaction has its bound");
        assert_eq!(size(20, 0, 8), 8);
        assert_eq!(size(0, 9, 8), 0);
    }

    #[test]
    fn a_turn_that_is_not_the_open_ones_takes_nothing() {
        let (mut open, _answers) = waiting(3, 0);
        assert!(open.take(6, 512).0.is_empty());
        assert!(open.withdraw(6).is_empty());
        assert_eq!(open.withdraw(7).len(), 3, "it was not taken by a late one");
        assert!(open.take(7, 512).0.is_empty(), "it was given up");
    }

    #[test]
    fn what_is_taken_is_taken_once_in_the_order_of_arrival() {
        let (mut open, _answers) = waiting(5, 0);
        let ids = |entries: &[Entry]| -> Vec<GrantId> {
            let id = |entry: &Entry| match entry {
                Entry::Grant { id, .. } => *id,
                _ => unreachable!("they are all grants"),
            };
            entries.iter().map(id).collect()
        };
        let came: Vec<Entry> = open.entries.iter().map(|one| one.entry.clone()).collect();
        let (first, _) = open.take(7, 3);
        assert!(open.take(7, 3).0.is_empty(), "its turn is over");
        open.turn = Some(8);
        let (second, _) = open.take(8, 3);
        assert_eq!([ids(&first), ids(&second)].concat(), ids(&came));
    }
}
