//! Owns what a crash left behind: keeps this node's leases alive, and resumes or refunds runs whose lease ran out.

use crate::actors::context::{Ctx, Kind, Undelivered};
use crate::actors::ledger::{Ledgers, Refund};
use crate::actors::planted::{Lost, Planted};
use crate::actors::runs::Runs;
use crate::actors::ticket::Ticket;
use crate::domain::clock::Clock;
use crate::domain::generation::Hears;
use crate::domain::lease::{Fate, Judge, Judgement, Tries};
use crate::store::connection::Store;
use crate::store::model::{Claimable, Refused, StoreError, Unfinished};
use actix::prelude::*;
use skillkiln_document::failure::{Failure, Reason};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::time::Duration;
use tracing::field::Empty;
use uuid::Uuid;

/// How often a node that carries out the runs of others looks for them.
const ORDERED_EVERY: Duration = Duration::from_millis(250);
/// How often it is looked whether another node has died.
const LEFT_BEHIND_EVERY: Duration = Duration::from_secs(1);
/// Runs claimed at once.
const CLAIM_MAX: u32 = 64;

/// What a node claims of the runs that nobody has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claims {
    /// Nothing: it carries out none.
    Nothing,
    /// Beside others as many as it has places for; alone all, since nobody else will come.
    Shared,
    /// As many as it has places for: it only carries out what others ordered.
    AsOrdered,
}

impl Claims {
    /// How many runs may be claimed now, by a node that has so many free places, and others beside it or not.
    #[must_use]
    pub fn most(self, free: usize, has_others: bool) -> u32 {
        match self {
            Self::Nothing => 0,
            Self::Shared if !has_others => CLAIM_MAX,
            Self::Shared | Self::AsOrdered => {
                u32::try_from(free).map_or(CLAIM_MAX, |free| free.min(CLAIM_MAX))
            }
        }
    }

    /// How often a node that may have others beside it claims, besides whenever it has renewed its own leases: a ninth of a lease at most,
    /// so that [`Judgement`] sees how long nobody could.
    #[must_use]
    pub fn every(self, lease: Duration) -> Option<Duration> {
        let every = match self {
            Self::Nothing => return None,
            Self::Shared => LEFT_BEHIND_EVERY,
            Self::AsOrdered => ORDERED_EVERY,
        };
        Some(every.min(lease / 9))
    }
}

/// The owner of what was left behind.
#[derive(Debug, Clone)]
pub struct Rescuer {
    /// Runs and leases.
    pub store: Store,
    /// What is carried out here.
    pub runs: Runs,
    /// Who gives back.
    pub ledgers: Ledgers,
    /// What time it is.
    pub clock: Clock,
    /// This node.
    pub node: Uuid,
    /// How long a lease holds.
    pub lease: Duration,
    /// How often and for how long a run is tried.
    pub tries: Tries,
    /// Whether leases can be judged.
    pub judgement: Judgement,
    /// What it claims.
    pub claims: Claims,
    /// Whether it claims nothing any more. Shared with those who are planted after it.
    pub rests: Arc<AtomicBool>,
}

impl Kind for Rescuer {
    const NAME: &'static str = "rescuer";
    type Shared = ();
}

impl Actor for Rescuer {
    type Context = Ctx<Self>;

    fn started(&mut self, ctx: &mut Ctx<Self>) {
        self.keep_watch(ctx);
    }
}

/// One that broke starts once more: `started` keeps watch again.
impl Supervised for Rescuer {}

/// Takes care of what nobody holds; with `everything`, of all runs that another process held, whatever their lease says.
/// Answers how many runs were resumed or refunded.
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "Result<u32, StoreError>")]
pub struct Sweep {
    /// True on the only node's start, when whoever held the leases is dead.
    pub everything: bool,
}

impl Rescuer {
    /// Plants the node's rescuer on `arbiter`.
    #[must_use]
    pub fn plant(self, arbiter: &ArbiterHandle, lost: &Lost) -> Planted<Self> {
        Planted::new(arbiter, 16, lost, move || self.clone())
    }

    fn keep_watch(&self, ctx: &mut Ctx<Self>) {
        ctx.run_interval(self.lease / 3, |rescuer, ctx| {
            let watch = rescuer.clone();
            let renewing = async move {
                let until = watch.clock.now().plus(watch.lease);
                let held = watch.runs.held();
                watch.store.renew_leases(watch.node, held, until).await
            };
            let round = renewing.into_actor(rescuer).then(|renewed, rescuer, _| {
                // After the renewal: where that took long, it may have taken others longer.
                let judge = rescuer.judgement.judge(&rescuer.clock);
                if let Err(error) = &renewed {
                    tracing::warn!(%error, "leases cannot be renewed");
                    // Where one could not, the others could not either.
                    rescuer.judgement.suspend(&rescuer.clock);
                }
                let watch = rescuer.clone();
                let sweeping = async move {
                    match renewed.is_ok() && !watch.rests.load(SeqCst) {
                        true => watch.sweep_all(judge).await,
                        false => Ok(0),
                    }
                };
                sweeping.into_actor(rescuer)
            });
            ctx.wait(round.map(|swept, rescuer, _| rescuer.note(&swept)));
        });
        let every = self.claims.every(self.lease);
        if let Some(every) = every.filter(|_| self.store.is_remote()) {
            ctx.run_interval(every, Self::claim);
        }
    }

    /// Claims what has no place yet.
    fn claim(&mut self, ctx: &mut Ctx<Self>) {
        let judge = self.judgement.judge(&self.clock);
        if self.rests.load(SeqCst) {
            return;
        }
        let claimer = self.clone();
        let claiming = async move { claimer.sweep(false, judge).await };
        let claiming = claiming.into_actor(self);
        ctx.wait(claiming.map(|claimed, rescuer, _| rescuer.note(&claimed)));
    }

    fn note(&mut self, swept: &Result<u32, StoreError>) {
        if let Err(error) = swept {
            tracing::warn!(%error, "what was left behind cannot be looked up");
            if matches!(error, StoreError::Unavailable(_)) {
                self.judgement.suspend(&self.clock);
            }
        }
    }

    /// What there is a place for, and what no node begins any more, since its time is over.
    async fn sweep_all(&self, judge: Judge) -> Result<u32, StoreError> {
        let taken_up = self.sweep(false, judge).await?;
        if !self.leaves_some() {
            return Ok(taken_up);
        }
        let late = Claimable::OrderedBefore(self.clock.now().minus(self.tries.deadline));
        let (ended, _) = self.claim_some(late, judge, CLAIM_MAX).await?;
        Ok(taken_up + ended)
    }

    /// Whether it claims no more than it has places for.
    fn leaves_some(&self) -> bool {
        self.claims == Claims::AsOrdered
            || self.claims == Claims::Shared && self.runs.queue().has_others()
    }

    async fn sweep(&self, everything: bool, judge: Judge) -> Result<u32, StoreError> {
        let mut rescued = 0;
        let queue = self.runs.queue();
        loop {
            let has_others = queue.has_others() && !everything;
            let most = self.claims.most(self.runs.free(), has_others);
            if most == 0 {
                return Ok(rescued);
            }
            let wanted = match everything {
                true => Claimable::Everything,
                false if self.leaves_some() => Claimable::ExceptAccounts(queue.accounts_held_up()),
                false => Claimable::ExceptAccounts(Vec::new()),
            };
            // Before it is asked, so that what is ordered meanwhile is not forgotten.
            queue.note_waiting(false);
            let (taken_up, claimed) = self.claim_some(wanted, judge, most).await?;
            rescued += taken_up;
            if claimed < most {
                return Ok(rescued);
            }
            queue.note_waiting(true);
        }
    }

    /// Claims so many at most and takes them up; answers how many were taken up, and how many claimed.
    async fn claim_some(
        &self,
        wanted: Claimable,
        judge: Judge,
        most: u32,
    ) -> Result<(u32, u32), StoreError> {
        let until = self.clock.now().plus(self.lease);
        let found = self
            .store
            .claim_unfinished(self.node, wanted, judge, until, most)
            .await?;
        let (mut taken_up, mut claimed, mut failed) = (0, 0, None);
        for run in found {
            claimed += 1;
            if !self.runs.holds(run.run_id) {
                // One that cannot be refunded now is claimed again when its lease is over; the others are not left for it.
                match self.rescue(run).await {
                    Ok(()) => taken_up += 1,
                    Err(error) => failed = failed.or(Some(error)),
                }
            }
        }
        failed.map_or(Ok((taken_up, claimed)), Err)
    }

    /// Begins a run again.
    fn resume(&self, run: Unfinished, time_left: Duration) {
        if run.attempts > 1 {
            tracing::info!(run.id = %run.run_id, attempts = run.attempts, "a run that was left behind is resumed");
            self.ledgers.flow.resumed.fetch_add(1, Relaxed);
        }
        let source = run.order.source.kind().as_str();
        let span = tracing::info_span!("generation", run.id = %run.run_id, source, attempts = run.attempts, outcome = Empty);
        drop(self.runs.launch(Ticket {
            run_id: run.run_id,
            user_id: run.user_id,
            order: run.order,
            skills: run.skills,
            charged: run.charged,
            place: None,
            time_left,
            ordered_at: run.created_at,
            attempts: run.attempts,
            span,
            // Nobody listens.
            hears: Hears::TheEnd,
        }));
    }

    /// Begins a run again, or gives its credits back when it has brought the service down too often or is too old.
    async fn rescue(&self, run: Unfinished) -> Result<(), StoreError> {
        let ordered_ago = self.clock.now().since(run.created_at);
        let fate = self.tries.fate(ordered_ago, run.attempts, run.falls);
        let reason = match fate {
            Fate::Resumed(time_left) => {
                self.resume(run, time_left);
                return Ok(());
            }
            Fate::GivenBack(reason) => reason,
        };
        let message = match reason {
            Reason::Deadline => {
                "the run was not done by its deadline; nothing was charged, please try again later"
            }
            _ => {
                "the service stopped while this run was under way; nothing was charged, please try again"
            }
        };
        let failure = Failure::new(reason, message);
        let refund = Refund {
            run_id: run.run_id,
            failure,
            at: self.clock.now(),
        };
        match self.ledgers.of(run.user_id).ask(refund).await {
            Ok(Ok(_) | Err(Refused::AlreadyEnded | Refused::Unknown)) => Ok(()),
            Ok(Err(refused)) => Err(refused.into()),
            Err(Undelivered::Full) => Err(Refused::Crowded.into()),
            Err(Undelivered::Gone) => Err(StoreError::Unavailable(
                "the ledger does not answer".to_owned(),
            )),
        }
    }
}

/// Says that some run waits for whoever has a place for it.
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "()")]
pub struct Ordered {
    /// Whether it has been ordered just now; else it may have a place now where it had none.
    pub is_new: bool,
}

impl Handler<Ordered> for Rescuer {
    type Result = ();

    fn handle(&mut self, Ordered { is_new }: Ordered, ctx: &mut Ctx<Self>) {
        if self.leaves_some() || is_new && self.claims == Claims::Shared {
            self.claim(ctx);
        }
    }
}

/// Claims nothing from now on, or again what it claims: the node stops, or an operator wants it. Leases are still renewed. When it
/// answers, no claim is under way.
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "()")]
pub struct Rest(pub bool);

impl Handler<Rest> for Rescuer {
    type Result = ();

    fn handle(&mut self, Rest(rests): Rest, _: &mut Ctx<Self>) {
        let never_claims = self.claims == Claims::Nothing;
        self.rests.store(rests || never_claims, SeqCst);
    }
}

impl Handler<Sweep> for Rescuer {
    type Result = ResponseFuture<Result<u32, StoreError>>;

    fn handle(&mut self, Sweep { everything }: Sweep, _: &mut Ctx<Self>) -> Self::Result {
        let judge = self.judgement.judge(&self.clock);
        let rescuer = self.clone();
        // What waits in the queue is nothing to a worker that rests, and falls to the last of those who ordered it.
        let rests = self.claims == Claims::AsOrdered && self.rests.load(SeqCst);
        Box::pin(async move {
            match (rests, everything) {
                (true, _) => Ok(0),
                (false, true) => rescuer.sweep(true, judge).await,
                (false, false) => rescuer.sweep_all(judge).await,
            }
        })
    }
}
