//! Owns one run, from its charge to its end: starts the stages, tells the spectators, and settles it exactly once.
//!
//! A run ends in one transaction: skills saved and credits posted, or credits given back. The last event is sent after that
//! commit. Whatever breaks in between, the end is tried again until the database has taken it.

use crate::actors::context::{Ctx, Handle, Kind, Outlet, Undelivered};
use crate::actors::extractor::{Extractor, Read};
use crate::actors::ledger::{Ledger, Ledgers, Post, Refund, slots};
use crate::actors::progress::Progress;
use crate::actors::settlement::Outcome;
use crate::actors::slots::Slots;
use crate::actors::stage::{Line, Risen, Tools, broke};
use crate::actors::station::Station;
use crate::actors::synthesizer::Synthesizer;
use crate::actors::ticket::{Place, Ticket};
use crate::actors::validator::Validator;
use crate::cluster::relay::News;
use crate::domain::clock::Timestamp;
use crate::domain::credits::Credits;
use crate::domain::generation::{Event, Finished, Hears, Made, Stage};
use crate::domain::id::RunId;
use crate::domain::observation::Phase;
use crate::domain::skill::FinishedSkill;
use crate::domain::usage::{RunUsage, Usage};
use crate::pipeline::product::{Validated, Wish};
use crate::pipeline::turn::Places;
use crate::providers::model::Meter;
use crate::store::model::{Completion, Refused, Run, Settled, StoreError};
use crate::telemetry::measure::Moment;
use actix::prelude::*;
use futures_channel::mpsc;
use futures_util::StreamExt as _;
use skillkiln_document::failure::{Failure, Reason};
use skillkiln_skills::skill::Reference;
use std::collections::HashSet;
use std::iter::zip;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::Instant;
use tokio_stream::wrappers::UnboundedReceiverStream;
use tracing::Instrument as _;
use uuid::Uuid;

/// How often a source may take its worker down before its run is taken up no more, on any node.
pub(super) const FALLS_MAX: u32 = 2;
/// Events a run may have in store for a spectator that does not read: three stages, the end, and some air.
pub(crate) const EVENTS_WAITING_MAX: usize = 8;

const RETRY_FIRST: Duration = Duration::from_millis(50);
const RETRY_MAX: Duration = Duration::from_secs(5);

/// The owner of one run.
pub struct Generation {
    ticket: Ticket,
    tools: Arc<Tools>,
    ledgers: Ledgers,
    /// Held for its slots: while a run waits for one, the account has no other ledger.
    ledger: Handle<Ledger>,
    places: Places,
    slots: Slots,
    spectators: Vec<mpsc::Sender<Event>>,
    stop_stages: Option<watch::Sender<bool>>,
    /// What is to happen at the deadline.
    alarm: Option<SpawnHandle>,
    /// When the run has to have ended.
    deadline: Instant,
    /// Held while it runs.
    place: Option<Place>,
    /// The latest stage that was told; those before it are told no second time.
    told: Option<Stage>,
    /// How it ends, once that is decided.
    ending: Option<Ending>,
    /// Whether it was handed over to another node, so that it does not end here.
    is_elsewhere: bool,
    retries: u32,
    /// What a model took, once the stages were begun.
    meter: Option<Meter>,
    /// When it was taken up here.
    begun: Moment,
}

impl std::fmt::Debug for Generation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Generation")
            .field("run_id", &self.ticket.run_id)
            .finish_non_exhaustive()
    }
}

#[derive(Debug, Clone)]
enum Ending {
    Good {
        completion: Box<Completion>,
        /// In a box: a run that waits has the room for it all the while.
        finished: Box<Finished>,
    },
    Bad(Failure),
}

impl Kind for Generation {
    const NAME: &'static str = "generation";
    type Shared = Arc<Progress>;
}

impl Actor for Generation {
    type Context = Ctx<Self>;

    fn started(&mut self, ctx: &mut Ctx<Self>) {
        // An actor that broke starts once more, after `restarting` has decided how the run ends.
        if !self.is_open() {
            return;
        }
        self.ledgers.flow.in_flight.fetch_add(1, Relaxed);
        self.set_alarm(ctx);
        if let Some(place) = self.ticket.place.take() {
            // The first stage was told when the run was launched.
            self.told = Some(Stage::Extracting);
            self.place = Some(place);
            return self.begin(ctx);
        }
        let account = slots(&self.ledger, self.ticket.user_id, self.slots.clone());
        let place = Place::wait_for(self.ticket.run_id, account, self.places.clone());
        ctx.spawn(place.into_actor(self).map(|place, generation, ctx| {
            if place.is_some() && generation.is_open() {
                generation.note_running();
                generation.place = place;
                generation.begin(ctx);
            }
        }));
    }

    fn stopped(&mut self, _: &mut Ctx<Self>) {
        self.ledgers.flow.in_flight.fetch_sub(1, Relaxed);
    }
}

impl Supervised for Generation {
    /// A run whose actor broke is ended as it had been decided, or badly: its stages are gone.
    fn restarting(&mut self, ctx: &mut Ctx<Self>) {
        match self.ending {
            _ if self.is_elsewhere => ctx.stop(),
            Some(_) => self.settle(ctx),
            None => self.end(Ending::Bad(broke(ctx.shared.stage())), ctx),
        }
    }
}

impl Generation {
    /// A run that nobody has begun.
    pub(super) fn new(
        ticket: Ticket,
        tools: Arc<Tools>,
        ledgers: Ledgers,
        (places, slots): (Places, Slots),
        spectator: mpsc::Sender<Event>,
    ) -> Self {
        Self {
            ledger: ledgers.of(ticket.user_id),
            ticket,
            tools,
            ledgers,
            places,
            slots,
            spectators: vec![spectator],
            stop_stages: None,
            alarm: None,
            deadline: Instant::now(),
            place: None,
            told: None,
            ending: None,
            is_elsewhere: false,
            retries: 0,
            meter: None,
            begun: Moment::now(),
        }
    }

    /// Writes down that a run which waited runs now.
    fn note_running(&self) {
        let (store, run_id) = (self.tools.store.clone(), self.ticket.run_id);
        actix_rt::spawn(async move {
            if let Err(error) = store.mark_running(run_id).await {
                tracing::warn!(%error, "a run is shown as waiting although it runs");
            }
        });
    }

    /// Gives the run its whole time from now.
    fn set_alarm(&mut self, ctx: &mut Ctx<Self>) {
        if let Some(alarm) = self.alarm.take() {
            ctx.cancel_future(alarm);
        }
        self.deadline = Instant::now() + self.ticket.time_left;
        let alarm = ctx.run_later(self.ticket.time_left, |generation, ctx| {
            let message = match generation.place.is_none() {
                true => "the run waited for its turn until its deadline; order fewer at once, or try again later",
                false => {
                    "the run took longer than its deadline; try a smaller source, or a part of it"
                }
            };
            generation.end(Ending::Bad(Failure::new(Reason::Deadline, message)), ctx);
        });
        self.alarm = Some(alarm);
    }

    fn enter(&self, phase: Phase, ctx: &Ctx<Self>) {
        ctx.shared.enter(phase, self.tools.clock.now());
    }

    /// Starts the stages, the last one first, each handed only its successor.
    fn begin(&mut self, ctx: &mut Ctx<Self>) {
        let (line, risen, stop_stages) =
            Line::new(self.ticket.span.clone(), Arc::clone(&self.ledgers.flow));
        self.stop_stages = Some(stop_stages);
        let attempt = self.ticket.attempts;
        ctx.add_stream(UnboundedReceiverStream::new(risen).map(move |risen| (attempt, risen)));
        let arbiter = Arbiter::current();
        let order = &self.ticket.order;
        let wish = Wish {
            name: order.name.clone(),
            description: order.description.clone(),
            category: order.category.clone(),
            kind: order.kind,
            topics: order.topics.clone(),
        };
        let run = Attempt::new(attempt, ctx.handle());
        let meter = self.meter.get_or_insert_default().clone();
        let validator = Station::start(&arbiter, line.clone(), Validator, run);
        let synthesizer = Synthesizer::new(self.tools.clone(), wish, self.deadline, meter);
        let synthesizer = Station::start(&arbiter, line.clone(), synthesizer, validator);
        let turn = self.place.as_ref().map(|place| place.turn.clone());
        let extractor = Extractor {
            tools: self.tools.clone(),
            turn: turn.unwrap_or_default(),
        };
        let extractor = Station::start(&arbiter, line, extractor, synthesizer);
        let read = Read {
            source: order.source.clone(),
            topics: order.topics.clone(),
        };
        if extractor.tell(read).is_err() {
            self.end(Ending::Bad(broke(Stage::Extracting)), ctx);
        }
    }

    /// Ends a run whose stage failed. One whose source took its worker down is begun once more, since a machine may have been at fault;
    /// the fall is written down first, for whichever node takes the run up next.
    fn stage_failed(&mut self, failure: Failure, ctx: &mut Ctx<Self>) {
        let has_fallen = self
            .place
            .as_ref()
            .is_some_and(|place| place.turn.has_fallen());
        if !has_fallen || !self.is_open() {
            return self.end(Ending::Bad(failure), ctx);
        }
        let (store, run_id) = (self.tools.store.clone(), self.ticket.run_id);
        let noting = async move { store.note_fall(run_id).await };
        let attempt = self.ticket.attempts;
        ctx.spawn(noting.into_actor(self).map(move |falls, generation, ctx| {
            if !generation.is_open() || attempt != generation.ticket.attempts {
                return;
            }
            match falls {
                Ok(falls) if falls < FALLS_MAX => {
                    tracing::warn!(run.id = %run_id, "a source took its worker down; the run is begun once more");
                    generation.begin_anew(ctx);
                }
                _ => generation.end(Ending::Bad(failure), ctx),
            }
        }));
    }

    /// Lets go of the stages and begins again from the source.
    fn begin_anew(&mut self, ctx: &mut Ctx<Self>) {
        if let Some(stop) = self.stop_stages.take() {
            let _ = stop.send(true);
        }
        self.ledgers.flow.retried.fetch_add(1, Relaxed);
        self.ticket.attempts += 1;
        ctx.shared.begun(self.ticket.attempts);
        self.begin(ctx);
    }

    /// Whether it goes on here, and how it ends is not decided.
    fn is_open(&self) -> bool {
        self.ending.is_none() && !self.is_elsewhere
    }

    /// Lets go of its stages and its place.
    fn let_go(&mut self) {
        if let Some(stop) = self.stop_stages.take() {
            let _ = stop.send(true);
        }
        self.place = None;
    }

    /// Decides how the run ends, once, and settles it.
    fn end(&mut self, ending: Ending, ctx: &mut Ctx<Self>) {
        if !self.is_open() {
            return;
        }
        self.let_go();
        self.ending = Some(ending);
        self.enter(Phase::Settling, ctx);
        self.settle(ctx);
    }

    fn settle(&mut self, ctx: &mut Ctx<Self>) {
        let Some(ending) = self.ending.clone() else {
            return;
        };
        // One that was given up has a successor.
        if self.ledger.is_gone() {
            self.ledger = self.ledgers.of(self.ticket.user_id);
        }
        let (ledger, run_id) = (self.ledger.clone(), self.ticket.run_id);
        let (charged, at) = (self.ticket.charged, self.tools.clock.now());
        let span = self.ticket.span.in_scope(|| tracing::debug_span!("settle"));
        let (used, store) = (self.used(at), self.tools.store.clone());
        let settling = async move {
            // Before the end is told, so that whoever hears of it finds it counted.
            if let Some(used) = used
                && let Err(error) = store.note_usage(used).await
            {
                tracing::error!(run.id = %run_id, %error, "what a model took is not kept");
            }
            match ending {
                Ending::Good { completion, .. } => ledger.ask(Post(completion, charged)).await,
                Ending::Bad(failure) => {
                    ledger
                        .ask(Refund {
                            run_id,
                            failure,
                            at,
                        })
                        .await
                }
            }
        };
        ctx.spawn(
            settling.instrument(span).into_actor(self).map(
                |outcome, generation, ctx| match outcome {
                    Ok(outcome) => generation.settled(outcome, ctx),
                    Err(_) => generation.settle_later(ctx),
                },
            ),
        );
    }

    /// What a model took for it; none where none was asked.
    fn used(&self, at: Timestamp) -> Option<RunUsage> {
        let tokens = self.meter.as_ref()?.read();
        (tokens.all() > 0).then(|| RunUsage {
            run_id: self.ticket.run_id,
            attempt: self.ticket.attempts,
            user_id: self.ticket.user_id,
            at,
            usage: Usage {
                runs: 1,
                input: tokens.input,
                cached: tokens.cached,
                output: tokens.output,
                cost_millionths: self.tools.author.bill(tokens).cost_millionths,
            },
        })
    }

    fn settled(&mut self, outcome: Outcome, ctx: &mut Ctx<Self>) {
        match (outcome, self.ending.take()) {
            (Ok(settled), Some(Ending::Good { mut finished, .. })) => {
                finished.is_draft = settled == Settled::Drafted;
                self.announce(Event::Completed(*finished), ctx)
            }
            (Ok(_), Some(Ending::Bad(failure))) => self.announce(Event::Failed(failure), ctx),
            (Err(Refused::AlreadyEnded), ending) => self.look_up_the_end(ending, ctx),
            (Err(Refused::Unknown), Some(Ending::Good { .. })) => {
                let message =
                    "the skill was deleted while it was made again; nothing was charged for it";
                self.end(Ending::Bad(Failure::new(Reason::Aborted, message)), ctx);
            }
            (Err(Refused::Unknown), _) => {
                tracing::error!(run.id = %self.ticket.run_id, "a run is not in the store");
                self.announce(Event::Failed(broke(Stage::Extracting)), ctx);
            }
            (Err(Refused::Store(StoreError::Unavailable(cause))), ending) => {
                tracing::warn!(run.id = %self.ticket.run_id, cause, "the end of a run cannot be settled yet");
                self.ending = ending;
                self.settle_later(ctx);
            }
            (Err(Refused::Crowded), ending) => {
                self.ending = ending;
                self.settle_later(ctx);
            }
            (Err(refused), Some(Ending::Good { .. })) => {
                tracing::error!(run.id = %self.ticket.run_id, ?refused, "a finished run cannot be written down");
                self.end(Ending::Bad(broke(Stage::Validating)), ctx);
            }
            (Err(refused), ending) => {
                tracing::error!(run.id = %self.ticket.run_id, ?refused, "the end of a run cannot be settled yet");
                self.ending = ending;
                self.settle_later(ctx);
            }
            (Ok(_), None) => {}
        }
    }

    /// An earlier try was committed although its answer got lost, or another node ended the run: what stands is what is told.
    fn look_up_the_end(&mut self, ending: Option<Ending>, ctx: &mut Ctx<Self>) {
        let (store, run_id) = (self.tools.store.clone(), self.ticket.run_id);
        self.ending = ending;
        ctx.spawn(async move { store.run(run_id).await }.into_actor(self).map(
            |read, generation, ctx| {
                let event = match read {
                    Ok(run) => run
                        .and_then(Run::last_event)
                        .unwrap_or_else(|| Event::Failed(broke(Stage::Extracting))),
                    Err(_) => return generation.settle_later(ctx),
                };
                generation.ending = None;
                generation.announce(event, ctx);
            },
        ));
    }

    fn settle_later(&mut self, ctx: &mut Ctx<Self>) {
        let pause = (RETRY_FIRST * 2u32.saturating_pow(self.retries.min(10))).min(RETRY_MAX);
        self.retries += 1;
        ctx.run_later(pause, |generation, ctx| generation.settle(ctx));
    }

    fn announce(&mut self, event: Event, ctx: &mut Ctx<Self>) {
        self.ledgers.flow.duration.record(self.begun, Moment::now());
        self.ticket.span.in_scope(|| match &event {
            Event::Failed(failure) => {
                self.ticket.span.record("outcome", failure.reason.as_str());
                tracing::info!(run.id = %self.ticket.run_id, reason = failure.reason.as_str(), "a run failed; the credit is back");
            }
            _ => {
                self.ticket.span.record("outcome", "completed");
            }
        });
        self.tell(event);
        self.call_out(News::Ended);
        ctx.stop();
    }

    /// Tells other nodes.
    fn call_out(&self, news: News) {
        self.tools.relay.tell(self.ticket.run_id, news);
    }

    /// A spectator that is gone or does not keep up changes nothing.
    fn tell(&mut self, event: Event) {
        for spectator in &mut self.spectators {
            let _ = spectator.try_send(event.clone());
        }
    }
}

impl StreamHandler<(u32, Risen)> for Generation {
    /// What stages have to tell that were halted, so that the run begins again, is not heard.
    fn handle(&mut self, (attempt, risen): (u32, Risen), ctx: &mut Ctx<Self>) {
        match risen {
            _ if attempt != self.ticket.attempts => {}
            Risen::Entered(stage) => {
                self.enter(Phase::from(stage), ctx);
                self.call_out(News::Entered(stage));
                let is_news = self.told.is_none_or(|told| told < stage);
                if self.ticket.hears == Hears::EachStage && is_news {
                    self.told = Some(stage);
                    self.tell(Event::Entered(stage));
                }
            }
            Risen::Failed(failure) => self.stage_failed(failure, ctx),
        }
    }

    /// The stages end before their run does.
    fn finished(&mut self, _: &mut Ctx<Self>) {}
}

/// The way by which the stages of one attempt hand their product to their run.
pub(super) struct Attempt {
    number: u32,
    run: Handle<Generation>,
}

impl Attempt {
    /// The way of the stages that begin the run for the `number`th time.
    pub(super) const fn new(number: u32, run: Handle<Generation>) -> Self {
        Self { number, run }
    }
}

impl Outlet<Validated> for Attempt {
    fn hand(&self, validated: Validated) -> Result<(), Undelivered> {
        self.run.tell(Passed {
            attempt: self.number,
            validated,
        })
    }
}

/// What passed the stages, and in which attempt.
#[derive(Message)]
#[rtype(result = "()")]
struct Passed {
    attempt: u32,
    validated: Validated,
}

impl Handler<Passed> for Generation {
    type Result = ();

    /// The product of stages that were halted may lie in the mailbox behind the word to begin again; it is not heard either.
    fn handle(&mut self, Passed { attempt, validated }: Passed, ctx: &mut Ctx<Self>) {
        if attempt != self.ticket.attempts {
            return;
        }
        if validated.skills.len() != self.ticket.skills.len() {
            tracing::error!(run.id = %self.ticket.run_id, "the stages made another number of skills than was ordered");
            return self.end(Ending::Bad(broke(Stage::Validating)), ctx);
        }
        let finished = |completion: &Completion| Finished {
            skills: zip(&self.ticket.skills, &completion.skills)
                .enumerate()
                .map(|(place, (skill_id, skill))| Made {
                    skill_id: *skill_id,
                    skill: Arc::clone(skill),
                    place,
                })
                .collect(),
            index: completion.index.clone(),
            refunded: match completion.is_given_back {
                true => self.ticket.charged,
                false => Credits::ZERO,
            },
            is_draft: false,
        };
        let completion = completion(self.ticket.run_id, validated, self.tools.clock.now());
        let ending = Ending::Good {
            finished: Box::new(finished(&completion)),
            completion: Box::new(completion),
        };
        self.end(ending, ctx);
    }
}

/// What is written down of skills that passed the stages. File names are unique within a catalogue (decision 23).
fn completion(run_id: RunId, validated: Validated, at: Timestamp) -> Completion {
    let mut taken = HashSet::new();
    let is_given_back = validated.skills.iter().any(|checked| checked.is_given_back);
    let skills = validated
        .skills
        .into_iter()
        .map(|checked| {
            let stem = (1..)
                .map(|n| {
                    if n == 1 {
                        checked.skill.name.clone()
                    } else {
                        format!("{}-{n}", checked.skill.name)
                    }
                })
                .find(|stem| taken.insert(stem.clone()))
                .unwrap_or_else(|| checked.skill.name.clone());
            Arc::new(FinishedSkill {
                filename: format!("{stem}.md"),
                name: checked.skill.name,
                description: checked.skill.description,
                category: checked.category,
                content: checked.skill.content,
                references: checked.skill.references,
                word_count: u32::try_from(checked.skill.word_count).unwrap_or(u32::MAX),
                report: checked.report,
                origins: checked.origins,
            })
        })
        .collect();
    let index = validated.index.map(|index| Reference {
        filename: index.filename(),
        content: index.content,
    });
    Completion {
        run_id,
        skills,
        index,
        is_given_back,
        at,
    }
}

/// Lets one more spectator hear a run: what was told so far, and what follows.
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "Joined")]
pub struct Join;

/// What the spectator hears.
#[derive(Debug, MessageResponse)]
pub struct Joined(pub mpsc::Receiver<Event>);

impl Handler<Join> for Generation {
    type Result = Joined;

    fn handle(&mut self, _: Join, _: &mut Ctx<Self>) -> Joined {
        let (mut spectator, events) = mpsc::channel(EVENTS_WAITING_MAX);
        if let Some(told) = self.told {
            let _ = spectator.try_send(Event::Entered(told));
        }
        self.spectators.retain(|spectator| !spectator.is_closed());
        self.spectators.push(spectator);
        Joined(events)
    }
}

/// Ends a run before its time, with the refund. Answers whether it did: a run whose end is decided ends as decided.
#[derive(Debug, Clone, Message)]
#[rtype(result = "bool")]
pub struct Abort(pub Failure);

impl Handler<Abort> for Generation {
    type Result = bool;

    fn handle(&mut self, Abort(failure): Abort, ctx: &mut Ctx<Self>) -> bool {
        let is_open = self.is_open();
        self.end(Ending::Bad(failure), ctx);
        is_open
    }
}

/// Lets go of the stages and begins the run again from its source, with its whole time; nothing is charged again. Who listens
/// goes on listening.
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "Again")]
pub struct BeginAgain;

/// What became of the wish to begin a run again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, MessageResponse)]
pub enum Again {
    /// It begins.
    Begun,
    /// It waits for its turn, as before: there is nothing to begin again.
    Waiting,
    /// Its end is decided.
    Ended,
}

impl Handler<BeginAgain> for Generation {
    type Result = Again;

    fn handle(&mut self, _: BeginAgain, ctx: &mut Ctx<Self>) -> Again {
        if !self.is_open() {
            return Again::Ended;
        }
        if self.place.is_none() {
            return Again::Waiting;
        }
        self.told = None;
        self.set_alarm(ctx);
        self.begin_anew(ctx);
        Again::Begun
    }
}

/// Lets go of a run for another node to begin, unless its end is decided. Nothing is settled here: its charge stands, and goes with it.
#[derive(Debug, Clone, Copy, Message)]
#[rtype(result = "HandedOver")]
pub struct HandOver {
    /// The node that lets go.
    pub node: Uuid,
    /// Whether it lets go only where it has not begun.
    pub waiting_only: bool,
}

/// Who listened to a run that was handed over, and the last stage they were told; nobody when it was not.
#[derive(Debug, MessageResponse)]
pub struct HandedOver(pub Vec<mpsc::Sender<Event>>, pub Option<Stage>);

impl Handler<HandOver> for Generation {
    type Result = HandedOver;

    fn handle(
        &mut self,
        HandOver { node, waiting_only }: HandOver,
        ctx: &mut Ctx<Self>,
    ) -> HandedOver {
        if !self.is_open() || (waiting_only && self.place.is_some()) {
            return HandedOver(Vec::new(), None);
        }
        self.is_elsewhere = true;
        self.let_go();
        let (store, run_id) = (self.tools.store.clone(), self.ticket.run_id);
        let handing = async move { store.hand_over(node, run_id).await };
        ctx.spawn(handing.into_actor(self).map(move |handed, generation, ctx| {
            match handed {
                Ok(true) => {
                    tracing::info!(run.id = %run_id, "a run is handed over to another node");
                    generation.call_out(News::Ordered);
                }
                Ok(false) => tracing::warn!(run.id = %run_id, "a run was taken up by another node before it was handed over"),
                // It is not renewed any more.
                Err(error) => tracing::warn!(run.id = %run_id, %error, "a run is left to another node, which takes it up when its lease is over"),
            }
            ctx.stop();
        }));
        HandedOver(std::mem::take(&mut self.spectators), self.told)
    }
}
