//! Owns one user's credits: every charge, posting, refund, grant and purchase goes through here, one after the other.
//!
//! Invariant: the database is the truth. What stands here is a reading of it, dropped after every movement and shown while it is
//! at most [`READING_FRESH`] old or the [`Watch`] says that nobody else wrote since, so that a balance can be shown without
//! asking the database each time.

use crate::actors::context::{Ctx, Handle, Kind, Undelivered};
use crate::actors::flow::Flow;
use crate::actors::label::opaque;
use crate::actors::planted::Planted;
use crate::actors::settlement::{Outcome, Settle, Settlement};
use crate::actors::slots::Slots;
use crate::actors::supervisor::Supervisor;
use crate::actors::threads::Spread;
use crate::actors::ticket;
use crate::actors::watch::Watch;
use crate::domain::clock::Timestamp;
use crate::domain::credits::{Credits, GrantReason};
use crate::domain::id::{GrantId, PaymentId, RunId, UserId};
use crate::domain::observation::ActorKind;
use crate::domain::user::Standing;
use crate::store::connection::Store;
use crate::store::model::{Completion, Entry, NewRun, News, Refused, Settled, StoreError};
use actix::prelude::*;
use skillkiln_document::failure::Failure;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Semaphore, oneshot};

/// How long a reading of the balance may be shown. Another process (the command line, another node) may have moved credits
/// since; nobody can tell a balance that is 25 ms old from one that travelled 25 ms longer.
pub const READING_FRESH: Duration = Duration::from_millis(25);

/// The owner of one user's credits.
#[derive(Debug)]
pub struct Ledger {
    user_id: UserId,
    store: Store,
    settlement: Planted<Settlement>,
    watch: Watch,
    flow: Arc<Flow>,
    /// Those who wait for the reading that is under way.
    asking: Vec<oneshot::Sender<Result<Option<Standing>, StoreError>>>,
}

/// What a ledger shares: the last reading, and the slots for the account's runs.
#[derive(Debug)]
pub struct Account {
    reading: Mutex<Reading>,
    running_max: usize,
    /// One permit for each generation that the account may run at once (decision 47).
    pub slots: Arc<Semaphore>,
}

/// A reading: what was read, when, and under which mark of the watch.
#[derive(Debug, Clone, Copy)]
struct Kept {
    standing: Standing,
    at: Instant,
    mark: Option<u64>,
}

#[derive(Debug, Default)]
struct Reading {
    standing: Option<Kept>,
    /// Counts movements, so that a reading begun before one is not kept after it.
    movements: u64,
}

impl Account {
    fn new(running_max: usize) -> Self {
        let running_max = running_max.max(1);
        Self {
            reading: Mutex::default(),
            running_max,
            slots: Arc::new(Semaphore::new(running_max)),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Reading> {
        self.reading.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The standing, when what was read still holds: under the present `mark`, or because it was read a moment ago.
    #[must_use]
    pub fn fresh(&self, mark: Option<u64>) -> Option<Standing> {
        let kept = self.lock().standing?;
        let holds = (mark.is_some() && kept.mark == mark) || kept.at.elapsed() < READING_FRESH;
        holds.then_some(kept.standing)
    }

    fn moved(&self) {
        let mut reading = self.lock();
        reading.standing = None;
        reading.movements += 1;
    }
}

impl Kind for Ledger {
    const NAME: &'static str = "ledger";
    type Shared = Arc<Account>;
}

impl Actor for Ledger {
    type Context = Ctx<Self>;
}

impl Supervised for Ledger {
    fn restarting(&mut self, ctx: &mut Ctx<Self>) {
        self.asking.clear();
        ctx.shared.moved();
    }
}

/// Reserves the price of a run and writes it down, or says why not.
#[derive(Debug, Message)]
#[rtype(result = "Outcome")]
pub struct Charge(pub Box<NewRun>);

/// Ends a run well: saves its skills and posts its reservation, or gives it back where nothing is owed for them.
#[derive(Debug, Message)]
#[rtype(result = "Outcome")]
pub struct Post(pub Box<Completion>, pub Credits);

/// Ends a run badly: gives its reservation back. Undoes exactly the charge it names.
#[derive(Debug, Clone, Message)]
#[rtype(result = "Outcome")]
pub struct Refund {
    /// The run whose charge is undone.
    pub run_id: RunId,
    /// Why.
    pub failure: Failure,
    /// When.
    pub at: Timestamp,
}

/// Gives credits.
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "Outcome")]
pub struct Grant {
    /// The unique key: granting twice under one key grants once.
    pub id: GrantId,
    /// How many.
    pub amount: Credits,
    /// Why.
    pub reason: GrantReason,
    /// When.
    pub at: Timestamp,
}

/// Hears what a payment provider told of one of the account's purchases; each event counts once.
#[derive(Debug, Message)]
#[rtype(result = "Outcome")]
pub struct Hear {
    /// Which purchase.
    pub payment_id: PaymentId,
    /// What was told.
    pub news: Box<News>,
}

/// Asks where the account stands.
#[derive(Debug, Message)]
#[rtype(result = "Result<Option<Standing>, StoreError>")]
pub struct Ask;

impl Ledger {
    /// Hands an entry to the settlement now, in the order of arrival, and answers when it is committed.
    fn settle(
        &mut self,
        entry: Entry,
        count: impl Fn(&Flow, &Settled) + 'static,
    ) -> ResponseActFuture<Self, Outcome> {
        let (reply, outcome) = oneshot::channel();
        let handed = self.settlement.tell(Settle { entry, reply });
        let answer = async move {
            match handed {
                Ok(()) => outcome
                    .await
                    .unwrap_or_else(|_| Err(unsettled("the settlement was interrupted"))),
                Err(Undelivered::Full) => Err(Refused::Crowded),
                Err(Undelivered::Gone) => Err(unsettled("the settlement has ended")),
            }
        };
        Box::pin(answer.into_actor(self).map(move |outcome, ledger, ctx| {
            ctx.shared.moved();
            if let Ok(settled) = &outcome {
                count(&ledger.flow, settled);
            }
            outcome
        }))
    }
}

fn unsettled(cause: &str) -> Refused {
    Refused::Store(StoreError::Unavailable(cause.to_owned()))
}

impl Handler<Charge> for Ledger {
    type Result = ResponseActFuture<Self, Outcome>;

    fn handle(&mut self, Charge(run): Charge, _: &mut Ctx<Self>) -> Self::Result {
        self.settle(Entry::Charge(run), |flow, settled| {
            if let Settled::Charged { charged, .. } = settled {
                flow.accepted.fetch_add(1, Relaxed);
                flow.reserved.fetch_add(u64::from(charged.0), Relaxed);
            }
        })
    }
}

impl Handler<Post> for Ledger {
    type Result = ResponseActFuture<Self, Outcome>;

    fn handle(&mut self, Post(completion, charged): Post, _: &mut Ctx<Self>) -> Self::Result {
        let is_given_back = completion.is_given_back;
        self.settle(Entry::Complete(completion), move |flow, _| {
            let moved = match is_given_back {
                true => &flow.voided,
                false => &flow.posted,
            };
            flow.completed.fetch_add(1, Relaxed);
            moved.fetch_add(u64::from(charged.0), Relaxed);
        })
    }
}

impl Handler<Refund> for Ledger {
    type Result = ResponseActFuture<Self, Outcome>;

    fn handle(&mut self, refund: Refund, _: &mut Ctx<Self>) -> Self::Result {
        let Refund {
            run_id,
            failure,
            at,
        } = refund;
        let reason = failure.reason;
        self.settle(
            Entry::Fail {
                run_id,
                failure,
                at,
            },
            move |flow, settled| {
                if let Settled::Failed { refunded, .. } = settled {
                    flow.failed(run_id, reason, at);
                    flow.voided.fetch_add(u64::from(refunded.0), Relaxed);
                }
            },
        )
    }
}

impl Handler<Grant> for Ledger {
    type Result = ResponseActFuture<Self, Outcome>;

    fn handle(&mut self, grant: Grant, _: &mut Ctx<Self>) -> Self::Result {
        let Grant {
            id,
            amount,
            reason,
            at,
        } = grant;
        let user_id = self.user_id;
        self.settle(
            Entry::Grant {
                id,
                user_id,
                amount,
                reason,
                at,
            },
            move |flow, _| {
                flow.granted.fetch_add(u64::from(amount.0), Relaxed);
            },
        )
    }
}

impl Handler<Hear> for Ledger {
    type Result = ResponseActFuture<Self, Outcome>;

    fn handle(&mut self, Hear { payment_id, news }: Hear, _: &mut Ctx<Self>) -> Self::Result {
        let user_id = self.user_id;
        self.settle(
            Entry::Hear {
                user_id,
                payment_id,
                news,
            },
            |flow, settled| {
                if let Settled::Heard { given, taken, .. } = settled {
                    flow.granted.fetch_add(u64::from(given.0), Relaxed);
                    flow.reclaimed.fetch_add(u64::from(taken.0), Relaxed);
                }
            },
        )
    }
}

impl Handler<Ask> for Ledger {
    type Result = ResponseActFuture<Self, Result<Option<Standing>, StoreError>>;

    fn handle(&mut self, _: Ask, ctx: &mut Ctx<Self>) -> Self::Result {
        let mark = self.watch.mark();
        if let Some(standing) = ctx.shared.fresh(mark) {
            return Box::pin(async move { Ok(Some(standing)) }.into_actor(self));
        }
        let (reply, answer) = oneshot::channel();
        self.asking.push(reply);
        if self.asking.len() == 1 {
            let movements = ctx.shared.lock().movements;
            let (store, user_id) = (self.store.clone(), self.user_id);
            ctx.spawn(
                async move { store.standing(user_id).await }
                    .into_actor(self)
                    .map(move |read, ledger, ctx| {
                        if let Ok(Some(standing)) = read {
                            let mut reading = ctx.shared.lock();
                            if reading.movements == movements {
                                // The mark from before the reading: what was written meanwhile makes it another one.
                                reading.standing = Some(Kept {
                                    standing,
                                    at: Instant::now(),
                                    mark,
                                });
                            }
                        }
                        for waiting in ledger.asking.drain(..) {
                            let _ = waiting.send(read.clone());
                        }
                    }),
            );
        }
        let answer = async move {
            answer.await.unwrap_or_else(|_| {
                Err(StoreError::Unavailable(
                    "the ledger was interrupted".to_owned(),
                ))
            })
        };
        Box::pin(answer.into_actor(self))
    }
}

/// The slots of an account's runs, here and on all nodes; its ledger stays while they are taken.
pub(super) fn slots(
    ledger: &Handle<Ledger>,
    user_id: UserId,
    everywhere: Slots,
) -> ticket::Account {
    let account = ledger.shared();
    ticket::Account {
        user_id,
        here: Arc::clone(&account.slots),
        most: account.running_max,
        everywhere,
        ledger: ledger.lease(),
    }
}

/// The ledgers of all users.
#[derive(Debug, Clone)]
pub struct Ledgers {
    living: Supervisor<UserId, Ledger>,
    store: Store,
    settlement: Planted<Settlement>,
    watch: Watch,
    running_max: usize,
    /// What passes here, and the runs that it is for.
    pub(crate) flow: Arc<Flow>,
}

impl Ledgers {
    /// None yet; they will live where their users say, and let each account run `running_max` generations at once.
    #[must_use]
    pub fn new(
        spread: &Spread,
        capacity: usize,
        store: Store,
        settlement: Planted<Settlement>,
        running_max: usize,
    ) -> Self {
        Self {
            living: Supervisor::new(spread, capacity),
            watch: Watch::start(spread.first(), store.clone()),
            store,
            settlement,
            running_max,
            flow: Arc::default(),
        }
    }

    /// The ledger of a user.
    #[must_use]
    pub fn of(&self, user_id: UserId) -> Handle<Ledger> {
        self.living
            .get(user_id, || Arc::new(Account::new(self.running_max)), {
                let (store, settlement) = (self.store.clone(), self.settlement.clone());
                let (watch, flow) = (self.watch.clone(), Arc::clone(&self.flow));
                move |_| Ledger {
                    user_id,
                    store,
                    settlement,
                    watch,
                    flow,
                    asking: Vec::new(),
                }
            })
    }

    /// Where a user stands, when what was read of that still holds.
    #[must_use]
    pub fn fresh(&self, user_id: UserId) -> Option<Standing> {
        let mark = self.watch.mark();
        self.living
            .peek(user_id, |account| account.fresh(mark))
            .flatten()
    }

    /// Lets go of those that nobody needs now.
    pub fn retire_idle(&self) {
        self.living.retire(|_| true);
    }

    /// What an operator sees of them.
    #[must_use]
    pub fn observe(&self) -> ActorKind {
        self.living.observe(opaque)
    }
}
