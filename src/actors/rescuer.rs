//! Owns what a crash left behind: keeps this node's leases alive, and resumes or refunds runs whose lease ran out.

use crate::actors::context::{Ctx, Kind, Undelivered};
use crate::actors::figures::KindFigures;
use crate::actors::flow::FLOW;
use crate::actors::generation::FALLS_MAX;
use crate::actors::ledger::{Ledgers, Refund};
use crate::actors::planted::{Lost, Planted};
use crate::actors::runs::Runs;
use crate::actors::ticket::Ticket;
use crate::domain::clock::{Clock, Timestamp};
use crate::domain::generation::Hears;
use crate::store::connection::Store;
use crate::store::model::{Refused, StoreError, Unfinished};
use actix::prelude::*;
use skillkiln_document::failure::{Failure, Reason};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::time::Duration;
use tracing::field::Empty;
use uuid::Uuid;

static FIGURES: KindFigures = KindFigures::new("rescuer");

/// How often a node that carries out the runs of others looks for them.
const CLAIM_EVERY: Duration = Duration::from_millis(250);
/// Runs claimed at once.
const CLAIM_MAX: u32 = 64;

/// What a node claims of the runs that others ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claims {
    /// Nothing: it carries out none.
    Nothing,
    /// What was left behind.
    LeftBehind,
    /// As many as it has places for, as soon as they are ordered.
    AsOrdered,
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
    /// How long a run may take from its order, resumed or not.
    pub deadline: Duration,
    /// How often a run is begun before it is given up.
    pub attempts_max: u32,
    /// Whether leases can be judged by the system's clock.
    pub judgement: Judgement,
    /// What it claims.
    pub claims: Claims,
    /// Whether it claims nothing any more. Shared with those who are planted after it.
    pub rests: Arc<AtomicBool>,
}

/// Whether the clock can tell that a lease ran out. Leases are instants of the day, so that nodes compare them; once the clock
/// was set, or leases could not be renewed for a while, those who live need the length of a lease to renew theirs.
#[derive(Debug, Clone, Copy)]
pub struct Judgement {
    set_forward_s: i64,
    suspended_until: Option<Timestamp>,
}

impl Judgement {
    /// Sound from the start, as long as the clock stays as it is.
    #[must_use]
    pub fn new(clock: &Clock) -> Self {
        Self {
            set_forward_s: clock.set_forward_s(),
            suspended_until: None,
        }
    }

    fn suspend(&mut self, clock: &Clock, lease: Duration) {
        self.suspended_until = Some(clock.steady().plus(lease));
    }

    /// Whether leases are judged now.
    fn is_sound(&mut self, clock: &Clock, lease: Duration) -> bool {
        let set_forward_s = clock.set_forward_s();
        if set_forward_s != self.set_forward_s {
            let seconds = set_forward_s.saturating_sub(self.set_forward_s);
            tracing::warn!(
                seconds,
                "the clock was set; leases of other nodes are judged again after the length of one"
            );
            self.set_forward_s = set_forward_s;
            self.suspend(clock, lease);
        }
        self.suspended_until
            .is_none_or(|until| clock.steady() >= until)
    }
}

impl Kind for Rescuer {
    const FIGURES: &'static KindFigures = &FIGURES;
    type Shared = ();
}

impl Actor for Rescuer {
    type Context = Ctx<Self>;

    fn started(&mut self, ctx: &mut Ctx<Self>) {
        self.keep_watch(ctx);
    }
}

impl Supervised for Rescuer {
    fn restarting(&mut self, ctx: &mut Ctx<Self>) {
        self.keep_watch(ctx);
    }
}

/// Takes care of what was left behind; with `everything`, of all runs that another process held, whatever their lease says.
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
            let is_sound = rescuer.judgement.is_sound(&rescuer.clock, rescuer.lease);
            let watch = rescuer.clone();
            let round = async move {
                let until = watch.clock.now().plus(watch.lease);
                let held = watch.runs.held();
                if let Err(error) = watch.store.renew_leases(watch.node, held, until).await {
                    tracing::warn!(%error, "leases cannot be renewed");
                    return false;
                }
                if is_sound
                    && !watch.rests.load(SeqCst)
                    && let Err(error) = watch.sweep(false).await
                {
                    tracing::warn!(%error, "what was left behind cannot be looked up");
                }
                true
            };
            // Where one could not, the others could not either.
            let noted = round
                .into_actor(rescuer)
                .map(|renewed, rescuer, _| match renewed {
                    true => {}
                    false => rescuer.judgement.suspend(&rescuer.clock, rescuer.lease),
                });
            ctx.wait(noted);
        });
        if self.claims == Claims::AsOrdered {
            ctx.run_interval(CLAIM_EVERY, Self::claim);
        }
    }

    /// Claims what was ordered and has no place yet.
    fn claim(&mut self, ctx: &mut Ctx<Self>) {
        let is_sound = self.judgement.is_sound(&self.clock, self.lease);
        if !is_sound || self.rests.load(SeqCst) {
            return;
        }
        let claimer = self.clone();
        let claiming = async move {
            if let Err(error) = claimer.sweep(false).await {
                tracing::warn!(%error, "what was ordered cannot be looked up");
            }
        };
        ctx.wait(claiming.into_actor(self));
    }

    /// How many runs it may claim now. What was left behind is claimed also where there is no place for it: nobody else may be there.
    fn most(&self) -> u32 {
        match self.claims {
            Claims::Nothing => 0,
            Claims::LeftBehind => CLAIM_MAX,
            Claims::AsOrdered => {
                u32::try_from(self.runs.free()).map_or(CLAIM_MAX, |free| free.min(CLAIM_MAX))
            }
        }
    }

    async fn sweep(&self, everything: bool) -> Result<u32, StoreError> {
        let mut rescued = 0;
        let mut failed = None;
        loop {
            let (now, most) = (self.clock.now(), self.most());
            if most == 0 {
                return failed.map_or(Ok(rescued), Err);
            }
            let left_behind = self
                .store
                .claim_unfinished(self.node, everything, now, now.plus(self.lease), most)
                .await?;
            let claimed = left_behind.len();
            for run in left_behind {
                if !self.runs.holds(run.run_id) {
                    // One that cannot be refunded now is claimed again when its lease is over; the others are not left for it.
                    match self.rescue(run).await {
                        Ok(()) => rescued += 1,
                        Err(error) => failed = failed.or(Some(error)),
                    }
                }
            }
            if claimed < most as usize {
                return failed.map_or(Ok(rescued), Err);
            }
        }
    }

    /// Begins a run again, or gives its credits back when it has brought the service down too often or is too old.
    async fn rescue(&self, run: Unfinished) -> Result<(), StoreError> {
        // The deadline covers the whole run, whoever works on it (decision 54).
        let passed = self.clock.now().since(run.created_at);
        let time_left = self.deadline.saturating_sub(passed);
        let may_go_on = run.attempts <= self.attempts_max && run.falls < FALLS_MAX;
        if may_go_on && !time_left.is_zero() {
            if run.attempts > 1 {
                tracing::info!(run.id = %run.run_id, attempts = run.attempts, "a run that was left behind is resumed");
                FLOW.resumed.fetch_add(1, Relaxed);
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
            return Ok(());
        }
        let message = "the service stopped while this run was under way; nothing was charged, please try again";
        let reason = match time_left.is_zero() {
            true => Reason::Deadline,
            false => Reason::Internal,
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
pub struct Ordered;

impl Handler<Ordered> for Rescuer {
    type Result = ();

    fn handle(&mut self, _: Ordered, ctx: &mut Ctx<Self>) {
        if self.claims == Claims::AsOrdered {
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
        let rescuer = self.clone();
        Box::pin(async move { rescuer.sweep(everything).await })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_was_set_takes_no_run_from_a_node_that_lives() {
        let clock = Clock::manual(Timestamp::from_micros(1));
        let lease = Duration::from_secs(30);
        let mut judgement = Judgement::new(&clock);
        assert!(judgement.is_sound(&clock, lease));
        for seconds in [3_600, -7_200] {
            clock.set_by(seconds);
            assert!(!judgement.is_sound(&clock, lease));
            clock.advance(lease - Duration::from_secs(1));
            assert!(!judgement.is_sound(&clock, lease));
            clock.advance(Duration::from_secs(1));
            assert!(judgement.is_sound(&clock, lease));
        }
        judgement.suspend(&clock, lease);
        assert!(!judgement.is_sound(&clock, lease));
        clock.advance(lease);
        assert!(judgement.is_sound(&clock, lease));
    }
}
