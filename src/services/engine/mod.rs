//! Owns what is being made: accepts orders, charges them, and shows their events; `free` is what costs nothing.

pub mod free;

use crate::actors::context::Undelivered;
use crate::actors::generation::{EVENTS_WAITING_MAX, HandOver};
use crate::actors::ledger::{Charge, Ledgers, Refund};
use crate::actors::planted::Lost;
use crate::actors::runs::Runs;
use crate::actors::stage::Tools;
use crate::actors::ticket::Ticket;
use crate::cluster::relay::News;
use crate::domain::clock::Timestamp;
use crate::domain::credits::Credits;
use crate::domain::generation::{Event, Hears, Order, Stage, Status};
use crate::domain::id::{GenerationId, KeyId, RunId, SkillId, UserId};
use crate::domain::observation::Phase;
use crate::providers::public_address;
use crate::services::looks::Looks;
use crate::store::model::{self, Idempotency, NewGeneration, NewRun, Refused, Settled};
use futures_channel::mpsc;
use skillkiln_document::failure::{Failure, Reason};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::time::Duration;
use tokio::sync::{Notify, oneshot, watch};
use tracing::field::Empty;
use tracing::{Instrument as _, Span};
use uuid::Uuid;

/// How long a request can be repeated under its idempotency key (decision 48).
const REPEATABLE_FOR: Duration = Duration::from_secs(24 * 3600);
/// How often is looked whether other nodes have come, for what waits here.
const OTHERS_LOOKED_FOR_EVERY: Duration = Duration::from_secs(1);
/// What a client is told to wait when the queue is full.
const BUSY_RETRY_S: u32 = 5;

/// An order with everything that decides about it.
#[derive(Debug, Clone)]
pub struct Request {
    /// Who pays.
    pub user_id: UserId,
    /// With which key.
    pub key_id: Option<KeyId>,
    /// What to make.
    pub order: Order,
    /// The client's `Idempotency-Key`, with the route it was sent to and a digest of the parsed fields.
    pub idempotency: Option<Repeatable>,
    /// The skill it replaces, for a regeneration.
    pub replaces: Option<SkillId>,
    /// What whoever orders it wants to hear.
    pub hears: Hears,
}

/// A request that may be sent again and must be done once (decision 48).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeatable {
    /// Such as `POST /api/v1/generate`.
    pub route: &'static str,
    /// The client's key.
    pub key: String,
    /// A digest of the parsed fields.
    pub digest: String,
}

/// Why an order was not accepted. Nothing was charged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rejected {
    /// The balance is too low.
    InsufficientCredits,
    /// The queue is full.
    Busy {
        /// When to try again.
        retry_after_s: u32,
    },
    /// The idempotency key was used with other fields.
    KeyReused,
    /// What the first request with this idempotency key made was deleted since.
    Deleted,
    /// The skill to be replaced is being regenerated already.
    AlreadyRegenerating,
    /// The skill to be replaced is gone.
    NotFound,
    /// The service is stopping.
    Stopping,
    /// The database does not answer.
    Unavailable,
}

/// A run that was accepted and charged.
#[derive(Debug)]
pub struct Run {
    /// Its identity.
    pub id: RunId,
    /// Shared by the skills of a catalogue.
    pub catalogue_id: Option<Uuid>,
    /// What can be spent after the charge.
    pub available: Credits,
    /// Whether an earlier request with the same idempotency key is being answered again.
    pub repeated: bool,
    /// What happens; ends after `Completed` or `Failed`. Whoever joins a run hears first how far it is; of one that has ended, the end.
    pub events: mpsc::Receiver<Event>,
}

/// A run that was ordered earlier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Earlier {
    /// Its identity.
    pub id: RunId,
    /// Whether it failed, so that what was charged for it is back.
    pub has_failed: bool,
}

/// The bounds of the engine.
#[derive(Debug, Clone, Copy)]
pub struct EngineBounds {
    /// Accepted runs that wait for their turn, beyond which no more are accepted.
    pub waiting_max: usize,
    /// How long a run may take.
    pub deadline: Duration,
    /// How long a lease on a run holds.
    pub lease: Duration,
    /// Whether addresses of private networks may be read.
    pub allow_private_addresses: bool,
    /// Whether runs are carried out here, and not left to other nodes.
    pub carries_out: bool,
}

/// Makes skills. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Engine(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    tools: Arc<Tools>,
    ledgers: Ledgers,
    runs: Runs,
    node: Uuid,
    bounds: EngineBounds,
    /// Orders between their acceptance and their launch.
    charging: AtomicUsize,
    /// Tells whenever one of them is launched or refused.
    charged: Notify,
    looks: Looks,
    ready: AtomicBool,
    stopping: watch::Sender<bool>,
    /// What of the node is lost for good.
    lost: Lost,
}

impl Engine {
    /// Not ready yet: see [`Engine::open`].
    #[must_use]
    pub(super) fn new(
        tools: Arc<Tools>,
        ledgers: Ledgers,
        runs: Runs,
        node: Uuid,
        bounds: EngineBounds,
        looks: Looks,
        lost: Lost,
    ) -> Self {
        Self(Arc::new(Inner {
            tools,
            ledgers,
            runs,
            node,
            bounds,
            charging: AtomicUsize::new(0),
            charged: Notify::new(),
            looks,
            ready: AtomicBool::new(false),
            stopping: watch::Sender::new(false),
            lost,
        }))
    }

    /// Begins to accept orders; called once what was left behind is taken care of.
    pub fn open(&self) {
        self.0.ready.store(true, SeqCst);
    }

    /// Accepts no more orders; those accepted go on.
    pub fn close(&self) {
        self.0.stopping.send_replace(true);
    }

    /// How many runs have not ended.
    #[must_use]
    pub fn unfinished(&self) -> usize {
        self.0.runs.count() + self.0.charging.load(SeqCst)
    }

    /// Waits until all runs have ended.
    pub async fn runs_end(&self) {
        let inner = &*self.0;
        loop {
            // Asked for before the look, so that what ends behind it is heard.
            let (charged, ended) = (inner.charged.notified(), inner.runs.one_ends());
            if self.unfinished() == 0 {
                return;
            }
            tokio::select! {
                () = charged => {}
                () = ended => {}
            }
        }
    }

    /// How many accepted runs may wait for their turn.
    #[must_use]
    pub fn waiting_max(&self) -> usize {
        self.0.bounds.waiting_max
    }

    /// Ends all runs with their refunds; each spectator hears of it once the refund is committed.
    pub fn abort_all(&self) {
        let message = "the service is stopping; nothing was charged, please try again in a minute";
        self.0
            .runs
            .abort_all(&Failure::new(Reason::Aborted, message));
    }

    /// Hands the runs over to other nodes, `waiting_only` those that have not begun. Who listened hears of their end, as long as this node
    /// is there to ask for it.
    pub async fn hand_over(&self, waiting_only: bool) {
        let node = self.0.node;
        let hand_over = HandOver { node, waiting_only };
        for (run_id, spectator, told) in self.0.runs.hand_over(hand_over).await {
            tokio::spawn(await_the_end(self.0.tools.clone(), run_id, spectator, told));
        }
    }

    /// Hands what waits here over to all nodes whenever others come, or can be called out to again, for ever.
    pub async fn share_with_who_comes(self) {
        let mut shared = self.0.shares();
        loop {
            tokio::time::sleep(OTHERS_LOOKED_FOR_EVERY).await;
            let shares = self.0.shares();
            if shares && !shared && self.is_ready() {
                self.hand_over(true).await;
            }
            shared = shares;
        }
    }

    /// Whether orders are accepted: false before the runs left behind are taken care of, and while stopping.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.0.ready.load(SeqCst) && !*self.0.stopping.borrow()
    }

    /// Accepts an order: charges it and starts its run. The run goes on whoever listens, and a caller that leaves between the charge
    /// and the start changes nothing either. Everything that is logged and traced of the run names `request_id`.
    ///
    /// # Errors
    /// [`Rejected`]; nothing is charged then.
    pub async fn generate(&self, request: Request, request_id: &str) -> Result<Run, Rejected> {
        self.generate_as(RunId::new(), request, request_id).await
    }

    /// [`Engine::generate`] of a run whose identity was written down before.
    ///
    /// # Errors
    /// As [`Engine::generate`].
    pub async fn generate_as(
        &self,
        id: RunId,
        request: Request,
        request_id: &str,
    ) -> Result<Run, Rejected> {
        let (reply, answer) = oneshot::channel();
        let inner = Arc::clone(&self.0);
        let source = request.order.source.kind().as_str();
        let span = tracing::info_span!(
            "generation",
            request.id = request_id,
            source,
            run.id = Empty,
            outcome = Empty
        );
        let accepting = async move {
            let _ = reply.send(inner.accept(id, request).await);
        };
        tokio::spawn(accepting.instrument(span));
        answer.await.unwrap_or(Err(Rejected::Unavailable))
    }

    /// The run that a request ordered when it was sent before; none when it is new.
    ///
    /// # Errors
    /// [`Rejected::KeyReused`] or [`Rejected::Unavailable`].
    pub async fn ordered_before(
        &self,
        user_id: UserId,
        repeatable: &Repeatable,
    ) -> Result<Option<Earlier>, Rejected> {
        let found = self.0.requested_before(user_id, repeatable).await?;
        Ok(found.map(|run| Earlier {
            id: run.id,
            has_failed: run.status == Status::Failed,
        }))
    }

    /// The stage that a run of this node is in; none while it waits for its turn.
    #[must_use]
    pub fn stage_of(&self, run_id: RunId) -> Option<Stage> {
        match self.0.runs.phase(run_id)? {
            Phase::Extracting => Some(Stage::Extracting),
            Phase::Synthesizing => Some(Stage::Synthesizing),
            Phase::Validating | Phase::Settling => Some(Stage::Validating),
            Phase::Waiting | Phase::Elsewhere | Phase::LeftBehind => None,
        }
    }

    /// Refuses an address that can be told to be bad without asking anybody: its syntax, a blocked literal address.
    ///
    /// # Errors
    /// A message for the user.
    pub fn refuse_address(&self, address: &str) -> Result<(), String> {
        public_address::refuse_literal(address, self.0.bounds.allow_private_addresses)
    }
}

impl Inner {
    async fn accept(&self, id: RunId, request: Request) -> Result<Run, Rejected> {
        if *self.stopping.borrow() {
            return Err(Rejected::Stopping);
        }
        if !self.ready.load(SeqCst) {
            return Err(Rejected::Unavailable);
        }
        if let Some(run) = self
            .answered_before(request.user_id, request.idempotency.as_ref())
            .await?
        {
            return Ok(run);
        }
        let _charging = Charging::one(self);
        if self.is_full_for(request.user_id).await? {
            return Err(Rejected::Busy {
                retry_after_s: BUSY_RETRY_S,
            });
        }
        let (hears, idempotency) = (request.hears, request.idempotency.clone());
        let place = match self.queues_all() {
            true => None,
            false => self.runs.take_place(request.user_id, id).await,
        };
        let is_for_all = place.is_none() && self.shares();
        let new = self.write_up(id, request, place.is_none(), is_for_all);
        let span = Span::current();
        span.record("run.id", tracing::field::display(new.id));
        let (run_id, user_id) = (new.id, new.user_id);
        let (order, catalogue_id, ordered_at) = (new.order.clone(), new.catalogue_id, new.at);
        let skills = new.generations.iter().map(|row| row.skill_id).collect();
        let ledger = self.ledgers.of(user_id);
        let charging = ledger.ask(Charge(Box::new(new)));
        let charging = charging.instrument(tracing::debug_span!("charge"));
        let (charged, available) = match charging.await {
            Ok(Ok(Settled::Charged { charged, available })) => (charged, available),
            Ok(Err(Refused::InsufficientCredits { .. })) => {
                return Err(Rejected::InsufficientCredits);
            }
            Ok(Err(Refused::Duplicate)) => {
                // The other, which came at the same time, is written down by now; it may have asked for something else.
                let first = self.answered_before(user_id, idempotency.as_ref()).await?;
                return first.ok_or(Rejected::Unavailable);
            }
            Ok(Err(Refused::Busy)) => return Err(Rejected::AlreadyRegenerating),
            Ok(Err(Refused::Unknown)) => return Err(Rejected::NotFound),
            Ok(Err(Refused::Crowded)) | Err(Undelivered::Full) => {
                return Err(Rejected::Busy {
                    retry_after_s: BUSY_RETRY_S,
                });
            }
            // Whether the charge was committed is not known: should it have been, it is undone as soon as that can be done.
            outcome @ (Ok(_) | Err(Undelivered::Gone)) => {
                tracing::error!(run.id = %run_id, ?outcome, "a charge was not confirmed");
                let (ledgers, clock) = (self.ledgers.clone(), self.tools.clock.clone());
                let undo = move || undo(ledgers.clone(), user_id, run_id, clock.now());
                let stopping = self.stopping.subscribe();
                tokio::spawn(disown(undo, self.lost.clone(), stopping));
                return Err(Rejected::Unavailable);
            }
        };
        let events = match is_for_all {
            false => self.runs.launch(Ticket {
                run_id,
                user_id,
                order,
                skills,
                charged,
                place,
                time_left: self.bounds.deadline,
                ordered_at,
                attempts: 1,
                span,
                hears,
            }),
            true => {
                self.tools.relay.tell(run_id, News::Ordered);
                self.follow(run_id).await
            }
        };
        Ok(Run {
            id: run_id,
            catalogue_id,
            available,
            repeated: false,
            events,
        })
    }

    /// Whether an order that has no place here is left to whichever node has one first. Where these cannot call out to each other, it waits
    /// here: its stream would be late.
    fn shares(&self) -> bool {
        let has_others = || self.runs.queue().has_others() && self.tools.relay.is_joined();
        !self.bounds.carries_out || has_others()
    }

    /// Whether each order is left to all nodes, since others wait for them already.
    fn queues_all(&self) -> bool {
        !self.bounds.carries_out || self.runs.queue().is_waiting() && self.shares()
    }

    /// Whether an order, which counts as one that is being charged, would wait behind as many as may wait.
    async fn is_full_for(&self, user_id: UserId) -> Result<bool, Rejected> {
        let (charging, waiting_max) = (self.charging.load(SeqCst), self.bounds.waiting_max);
        if self.queues_all() || !self.runs.has_room(user_id) && self.shares() {
            // Those that wait for any node are counted where all find them.
            let under_way = || self.charging.load(SeqCst);
            let count = async || self.tools.store.waiting_count().await.ok();
            let queue = self.runs.queue();
            let is_full = queue.is_full(waiting_max as u64, under_way, count).await;
            return is_full.ok_or(Rejected::Unavailable);
        }
        let would_wait = self.runs.waiting() + charging > waiting_max;
        Ok(would_wait && (charging > waiting_max || !self.runs.has_room(user_id)))
    }

    /// What is written down with the charge. The first generation of a skill has the skill's own UUID (decision 15), and a catalogue has
    /// its run's, so that its rows lead to the run's page.
    fn write_up(&self, id: RunId, request: Request, queued: bool, is_for_all: bool) -> NewRun {
        let now = self.tools.clock.now();
        let Request {
            user_id,
            key_id,
            order,
            idempotency,
            replaces,
            hears: _,
        } = request;
        let label = order.source.label();
        let row = |skill_id: SkillId, generation: Uuid, name: &str| NewGeneration {
            id: GenerationId(generation),
            skill_id,
            name: name.to_owned(),
            source_type: order.source.kind(),
            source: label.clone(),
        };
        let single_name = order.name.as_deref().unwrap_or(&label);
        let generations = match (replaces, order.topics.is_empty()) {
            (Some(skill_id), _) => vec![row(skill_id, id.0, single_name)],
            (None, true) => vec![row(SkillId(id.0), id.0, single_name)],
            (None, false) => order
                .topics
                .iter()
                .map(|topic| {
                    let skill_id = SkillId::new();
                    row(skill_id, skill_id.0, &topic.name)
                })
                .collect(),
        };
        NewRun {
            id,
            user_id,
            key_id,
            price: Credits(1),
            idempotency: idempotency.map(|repeatable| Idempotency {
                route: repeatable.route.to_owned(),
                key: repeatable.key,
                digest: repeatable.digest,
            }),
            catalogue_id: (replaces.is_none() && !order.topics.is_empty()).then_some(id.0),
            generations,
            order,
            replaces,
            queued,
            node: self.node,
            lease_until: match is_for_all {
                // Over from the start, so that any node claims it.
                true => now,
                false => now.plus(self.bounds.lease),
            },
            at: now,
        }
    }

    /// The run of a request that was sent before under the same idempotency key.
    async fn requested_before(
        &self,
        user_id: UserId,
        repeatable: &Repeatable,
    ) -> Result<Option<model::Run>, Rejected> {
        let not_before = self.tools.clock.now().minus(REPEATABLE_FOR);
        let store = &self.tools.store;
        let found = store
            .run_by_idempotency(user_id, repeatable.route, &repeatable.key, not_before)
            .await
            .map_err(|_| Rejected::Unavailable)?;
        match found {
            Some(run) if run.digest.as_deref() != Some(repeatable.digest.as_str()) => {
                Err(Rejected::KeyReused)
            }
            found => Ok(found),
        }
    }

    /// What is still to be heard of a run that has not ended, wherever it is carried out.
    async fn follow(&self, run_id: RunId) -> mpsc::Receiver<Event> {
        if let Some(events) = self.runs.join(run_id).await {
            return events;
        }
        let (spectator, events) = mpsc::channel(EVENTS_WAITING_MAX);
        tokio::spawn(await_the_end(self.tools.clone(), run_id, spectator, None));
        events
    }

    /// The answer to a request that was sent before: how its run ended, or what is still to be heard of it.
    async fn answered_before(
        &self,
        user_id: UserId,
        repeatable: Option<&Repeatable>,
    ) -> Result<Option<Run>, Rejected> {
        let Some(repeatable) = repeatable else {
            return Ok(None);
        };
        let found = self.requested_before(user_id, repeatable).await?;
        let Some(run) = found else { return Ok(None) };
        let (id, catalogue_id, available) = (run.id, run.catalogue_id, run.balance_after);
        if !run.skills.is_empty() && run.skills.iter().all(Option::is_none) {
            return Err(Rejected::Deleted);
        }
        let events = match run.last_event() {
            Some(last) => {
                let (mut spectator, events) = mpsc::channel(0);
                let _ = spectator.try_send(last);
                events
            }
            None => self.follow(id).await,
        };
        Ok(Some(Run {
            id,
            catalogue_id,
            available,
            repeated: true,
            events,
        }))
    }
}

/// Follows a run that another node carries out, or nobody yet, and tells its end. What that node calls out is told at once; whatever of it
/// is lost, the store knows when a run has begun and when it has ended, and is asked ever less often. Each stage is told once.
async fn await_the_end(
    tools: Arc<Tools>,
    run_id: RunId,
    mut spectator: mpsc::Sender<Event>,
    told: Option<Stage>,
) {
    const FIRST: Duration = Duration::from_millis(100);
    const LONG: Duration = Duration::from_secs(2);
    // Thousands may wait for their turn, and of each it is told when that comes.
    const LONGEST: Duration = Duration::from_secs(8);
    let mut followed = tools.relay.follow(run_id);
    let mut pause = match tools.relay.is_joined() {
        true => LONG,
        false => FIRST,
    };
    let mut untold = Stage::ALL.as_slice();
    let mut tell_up_to = move |spectator: &mut mpsc::Sender<Event>, stage, is_news| {
        while let [first, rest @ ..] = untold
            && stage >= Some(*first)
        {
            untold = rest;
            if is_news {
                let _ = spectator.try_send(Event::Entered(*first));
            }
        }
    };
    tell_up_to(&mut spectator, told, false);
    while !spectator.is_closed() {
        match tools.store.run(run_id).await {
            Ok(None) => return,
            Ok(Some(run)) => {
                let begun = match run.status {
                    Status::Queued | Status::Failed => None,
                    Status::Running => Some(Stage::Extracting),
                    Status::Completed => Some(Stage::Validating),
                };
                tell_up_to(&mut spectator, begun, true);
                if let Some(last) = run.last_event() {
                    let _ = spectator.try_send(last);
                    return;
                }
            }
            Err(error) => tracing::debug!(%error, "the end of a run cannot be asked for yet"),
        }
        let mut again = pin!(tokio::time::sleep(pause));
        loop {
            tokio::select! {
                () = &mut again => break,
                (stage, has_reason) = followed.next() => {
                    tell_up_to(&mut spectator, stage, true);
                    if has_reason {
                        break;
                    }
                }
            }
        }
        let longest = match tools.relay.is_joined() {
            true => LONGEST,
            false => LONG,
        };
        pause = (pause * 5 / 4).min(longest);
    }
}

/// Undoes a charge of which nobody knows whether it was committed: tries it less and less often until it is done. A node that stops tries
/// it once more and one that is lost does not: the next start, or another node, takes up what was charged.
async fn disown<F: Future<Output = bool>>(
    undo: impl Fn() -> F,
    lost: Lost,
    mut stopping: watch::Receiver<bool>,
) {
    const PAUSES: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(60));
    let trying = async {
        let (mut pause, longest) = PAUSES;
        while !undo().await {
            if *stopping.borrow() {
                return;
            }
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                _ = stopping.wait_for(|stops| *stops) => {}
            }
            pause = (pause * 2).min(longest);
        }
    };
    tokio::select! {
        () = lost.wait() => {}
        () = trying => {}
    }
}

/// Gives back what was charged for a run that nobody was told of; false where the ledger that lives now cannot say that this is done.
async fn undo(ledgers: Ledgers, user_id: UserId, run_id: RunId, at: Timestamp) -> bool {
    let failure = Failure::new(
        Reason::Internal,
        "the run could not be started; nothing was charged",
    );
    let refund = Refund {
        run_id,
        failure,
        at,
    };
    matches!(
        ledgers.of(user_id).ask(refund).await,
        Ok(Ok(_) | Err(Refused::Unknown | Refused::AlreadyEnded))
    )
}

/// Counts an order while it is being charged.
struct Charging<'a>(&'a Inner);

impl<'a> Charging<'a> {
    fn one(inner: &'a Inner) -> Self {
        inner.charging.fetch_add(1, SeqCst);
        Self(inner)
    }
}

impl Drop for Charging<'_> {
    fn drop(&mut self) {
        self.0.charging.fetch_sub(1, SeqCst);
        self.0.charged.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::{Instant, advance};

    /// A charge that is undone at the given try, with how often it was tried.
    struct Charged {
        tries: Arc<AtomicUsize>,
        lost: Lost,
        stopping: watch::Sender<bool>,
        disowning: tokio::task::JoinHandle<()>,
    }

    fn charged(undone_at: usize) -> Charged {
        let (tries, lost) = (Arc::new(AtomicUsize::new(0)), Lost::default());
        let stopping = watch::Sender::new(false);
        let counted = Arc::clone(&tries);
        let undo = move || {
            let is_undone = counted.fetch_add(1, SeqCst) + 1 >= undone_at;
            std::future::ready(is_undone)
        };
        let disowning = tokio::spawn(disown(undo, lost.clone(), stopping.subscribe()));
        Charged {
            tries,
            lost,
            stopping,
            disowning,
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_charge_is_disowned_ever_less_often_until_a_ledger_says_that_it_is_undone() {
        let begun = Instant::now();
        let charged = charged(9);
        charged.disowning.await.unwrap();
        assert_eq!(charged.tries.load(SeqCst), 9);
        let pauses = 1 + 2 + 4 + 8 + 16 + 32 + 60 + 60;
        assert_eq!(begun.elapsed().as_secs(), pauses);
    }

    #[tokio::test(start_paused = true)]
    async fn a_node_that_stops_tries_it_once_more_and_one_that_is_lost_does_not() {
        let stops = charged(usize::MAX);
        advance(Duration::from_millis(500)).await;
        stops.stopping.send_replace(true);
        stops.disowning.await.unwrap();
        assert_eq!(stops.tries.load(SeqCst), 2);

        let is_lost = charged(usize::MAX);
        advance(Duration::from_millis(500)).await;
        is_lost.lost.tell("ledger");
        is_lost.disowning.await.unwrap();
        assert_eq!(is_lost.tries.load(SeqCst), 1);
    }
}
