//! Owns the runs of this node: who carries out which one, how many at once, and where each of them is.

use crate::actors::generation::{
    Abort, Again, BeginAgain, EVENTS_WAITING_MAX, Generation, HandOver, HandedOver, Join, Joined,
};
use crate::actors::ledger::{Ledgers, slots};
use crate::actors::progress::Progress;
use crate::actors::queue::Queue;
use crate::actors::slots::Slots;
use crate::actors::stage::Tools;
use crate::actors::supervisor::Supervisor;
use crate::actors::threads::Spread;
use crate::actors::ticket::{Place, Ticket};
use crate::domain::clock::Timestamp;
use crate::domain::generation::{Event, Hears, Stage};
use crate::domain::id::{RunId, UserId};
use crate::domain::observation::{ActorKind, Phase, RunningGeneration};
use crate::pipeline::turn::Places;
use futures_channel::mpsc;
use skillkiln_document::failure::Failure;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::sync::Semaphore;
use tokio::sync::futures::Notified;

/// The runs of this node.
#[derive(Debug, Clone)]
pub struct Runs {
    living: Supervisor<RunId, Generation>,
    tools: Arc<Tools>,
    ledgers: Ledgers,
    running_max: usize,
    places: Places,
    slots: Slots,
}

/// Messages a run's mailbox takes: its product and a few words to stop.
const MAILBOX: usize = 16;

impl Runs {
    /// None yet; they will live where their ids say, at most `running_max` at once, while at most `fetching_max` wait for pages, and of each account
    /// as many as `slots` has for it.
    #[must_use]
    pub fn new(
        spread: &Spread,
        tools: Arc<Tools>,
        ledgers: Ledgers,
        running_max: usize,
        fetching_max: usize,
        slots: Slots,
    ) -> Self {
        let running_max = running_max.max(1);
        Self {
            living: Supervisor::new(spread, MAILBOX),
            tools,
            ledgers,
            running_max,
            places: Places {
                working: Arc::new(Semaphore::new(running_max)),
                fetching: Arc::new(Semaphore::new(fetching_max.max(1))),
                away: Arc::default(),
            },
            slots,
        }
    }

    /// Carries out a run and lets one spectator watch through a queue that takes memory as events come, not before: ten thousand
    /// runs that wait have one each. A run that is carried out already is not begun again.
    ///
    /// Of a run that has its place the first stage is told here: its actor, whose turn may come after those of forty others, does
    /// nothing before it begins that stage.
    pub fn launch(&self, ticket: Ticket) -> mpsc::Receiver<Event> {
        let (mut spectator, events) = mpsc::channel(EVENTS_WAITING_MAX);
        let ledgers = self.ledgers.clone();
        let (tools, places) = (self.tools.clone(), self.places.clone());
        let (run_id, slots) = (ticket.run_id, self.slots.clone());
        if ticket.place.is_some() && ticket.hears == Hears::EachStage {
            let _ = spectator.try_send(Event::Entered(Stage::Extracting));
        }
        let shared = Arc::new(Progress::of(&ticket, self.tools.clock.now()));
        self.living.get(
            run_id,
            || shared,
            move |_| Generation::new(ticket, tools, ledgers, (places, slots), spectator),
        );
        events
    }

    /// Lets one more spectator hear a run, from what was told last; `None` when it is not carried out here.
    pub async fn join(&self, run_id: RunId) -> Option<mpsc::Receiver<Event>> {
        let Joined(events) = self.living.find(run_id)?.ask(Join).await.ok()?;
        Some(events)
    }

    /// Where a run is; `None` when it is not carried out here.
    #[must_use]
    pub fn phase(&self, run_id: RunId) -> Option<Phase> {
        Some(self.living.find(run_id)?.shared().phase())
    }

    /// Whether a run is carried out here.
    #[must_use]
    pub fn holds(&self, run_id: RunId) -> bool {
        self.living.find(run_id).is_some()
    }

    /// The runs that have not ended here.
    #[must_use]
    pub fn held(&self) -> Vec<RunId> {
        self.living.keys()
    }

    /// How many runs have not ended.
    #[must_use]
    pub fn count(&self) -> usize {
        self.living.count()
    }

    /// Waits until one ends, from now on.
    pub fn one_ends(&self) -> Notified<'_> {
        self.living.one_ends()
    }

    /// How many more would have a place of the node at once. A run that waits for its account wants none yet.
    #[must_use]
    pub fn free(&self) -> usize {
        let wanted = self.waiting().saturating_sub(self.queue().held_up());
        let free = self.places.working.available_permits();
        free.saturating_sub(wanted)
    }

    /// What waits for a place of whichever node has one first.
    #[must_use]
    pub fn queue(&self) -> &Queue {
        self.slots.queue()
    }

    /// How many of them wait for their turn.
    #[must_use]
    pub fn waiting(&self) -> usize {
        let free = self.places.working.available_permits();
        let running = self.running_max - free.min(self.running_max);
        // What waits for a page has begun: it stands in nobody's way.
        let away = self.places.away.load(Ordering::Relaxed);
        self.count().saturating_sub(running + away)
    }

    /// Whether a run that starts now would begin at once.
    #[must_use]
    pub fn has_room(&self, user_id: UserId) -> bool {
        self.places.working.available_permits() > 0
            && self.ledgers.of(user_id).shared().slots.available_permits() > 0
    }

    /// Takes a place for an order that can begin once it is charged; none when it has to wait. Taken before the charge, so that of
    /// orders which come together no more are written down as running than run.
    #[must_use]
    pub async fn take_place(&self, user_id: UserId, run_id: RunId) -> Option<Place> {
        let account = slots(&self.ledgers.of(user_id), user_id, self.slots.clone());
        Place::take(run_id, account, self.places.clone()).await
    }

    /// Ends every run, with the refunds.
    pub fn abort_all(&self, failure: &Failure) {
        for run_id in self.living.keys() {
            if let Some(generation) = self.living.find(run_id) {
                let _ = generation.tell(Abort(failure.clone()));
            }
        }
    }

    /// Lets go of every run for other nodes to begin; answers who listened to each, and what they were told.
    pub async fn hand_over(
        &self,
        hand_over: HandOver,
    ) -> Vec<(RunId, mpsc::Sender<Event>, Option<Stage>)> {
        let mut listened = Vec::new();
        for run_id in self.living.keys() {
            if let Some(generation) = self.living.find(run_id)
                && let Ok(HandedOver(spectators, told)) = generation.ask(hand_over).await
            {
                listened.extend(spectators.into_iter().map(|one| (run_id, one, told)));
            }
        }
        listened
    }

    /// Ends one run, with the refund, and answers whether that ended it; `None` when it is not carried out here.
    pub async fn abort(&self, run_id: RunId, failure: Failure) -> Option<bool> {
        let generation = self.living.find(run_id)?;
        generation.ask(Abort(failure)).await.ok()
    }

    /// Begins one run again, and answers what became of that; `None` when it is not carried out here.
    pub async fn begin_again(&self, run_id: RunId) -> Option<Again> {
        let generation = self.living.find(run_id)?;
        generation.ask(BeginAgain).await.ok()
    }

    /// The actor of one run, for tests that speak to it as its stages do.
    #[cfg(test)]
    pub(super) fn find(&self, run_id: RunId) -> Option<crate::actors::context::Handle<Generation>> {
        self.living.find(run_id)
    }

    /// The oldest `max` of them, each with where it is; `node` is this one.
    #[must_use]
    pub fn running(&self, max: usize, now: Timestamp, node: &str) -> Vec<RunningGeneration> {
        let look = |run_id: RunId, progress: &Arc<Progress>| (Arc::clone(progress), run_id);
        let oldest = self
            .living
            .survey(max, look, |(progress, _)| progress.ordered_at());
        let shown = oldest.iter();
        shown
            .map(|(progress, run_id)| progress.observe(*run_id, now, node))
            .collect()
    }

    /// What an operator sees of them: by their own ids, with which a run is cancelled or begun again.
    #[must_use]
    pub fn observe(&self) -> ActorKind {
        self.living.observe(RunId::to_string)
    }
}
