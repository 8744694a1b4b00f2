//! Owns what is counted about the actors and stages of a tree: plain atomics, read when somebody looks.
//!
//! Every message of every actor passes here, so the figures are kept where they arise and written out as metrics only on a
//! scrape: [`crate::telemetry`] says what that saves.

use crate::domain::generation::Stage;
use crate::domain::observation::{ActorKind, Restarts, StageFigures};
use crate::pipeline::product::Volume;
use crate::telemetry::measure::{Histogram, Moment};
use skillkiln_document::failure::Failure;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicI64, AtomicU8, AtomicU64};
use std::sync::{Arc, Mutex, PoisonError};

/// What is counted about all actors of one kind in a tree.
#[derive(Debug)]
pub struct KindFigures {
    /// The kind's name.
    pub name: &'static str,
    /// Messages a mailbox takes.
    pub(crate) capacity: usize,
    pub(crate) alive: AtomicI64,
    pub(crate) waiting: AtomicI64,
    pub(crate) handled: AtomicU64,
    pub(crate) lost: AtomicU64,
    pub(crate) panics: AtomicU64,
    /// By reason: a panic of a handler, a panic while it was rebuilt.
    pub(crate) restarts: [AtomicU64; 2],
    pub(crate) given_up: AtomicU64,
    pub(crate) wait: Histogram,
    pub(crate) handling: Histogram,
    last_panic: Mutex<Option<String>>,
}

impl KindFigures {
    /// All zero.
    #[must_use]
    pub fn new(name: &'static str, capacity: usize) -> Arc<Self> {
        Arc::new(Self {
            name,
            capacity,
            alive: AtomicI64::default(),
            waiting: AtomicI64::default(),
            handled: AtomicU64::default(),
            lost: AtomicU64::default(),
            panics: AtomicU64::default(),
            restarts: Default::default(),
            given_up: AtomicU64::default(),
            wait: Histogram::new(),
            handling: Histogram::new(),
            last_panic: Mutex::default(),
        })
    }

    pub(crate) fn panicked(&self, message: String) {
        self.panics.fetch_add(1, Relaxed);
        *self
            .last_panic
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Some(message);
    }

    /// The figures now, without the instances.
    #[must_use]
    pub fn observe(&self) -> ActorKind {
        let [panic, rebuild] = [0, 1].map(|at| self.restarts.get(at).map_or(0, read));
        ActorKind {
            kind: self.name,
            alive: at_least_zero(&self.alive),
            waiting: at_least_zero(&self.waiting),
            mailbox_capacity: self.capacity as u64,
            handled: self.handled.load(Relaxed),
            lost: self.lost.load(Relaxed),
            panics: self.panics.load(Relaxed),
            restarts: panic + rebuild,
            restarts_by: Restarts { panic, rebuild },
            given_up: self.given_up.load(Relaxed),
            last_panic: self
                .last_panic
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .clone(),
            wait: self.wait.spread(),
            handling: self.handling.spread(),
            instances: Vec::new(),
        }
    }
}

pub(super) fn read(counter: &AtomicU64) -> u64 {
    counter.load(Relaxed)
}

pub(super) fn at_least_zero(gauge: &AtomicI64) -> u64 {
    u64::try_from(gauge.load(Relaxed)).unwrap_or(0)
}

/// What is counted about one actor.
#[derive(Debug)]
pub struct Gauge {
    /// Where it is counted with all others of its kind.
    pub(crate) kind: Arc<KindFigures>,
    pub(crate) waiting: AtomicI64,
    pub(crate) handled: AtomicU64,
    pub(crate) restarts: AtomicU64,
    state: AtomicU8,
}

/// What an actor is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It was asked for and has not handled anything yet.
    Starting = 0,
    /// It handles messages.
    Running = 1,
    /// It panicked and waits to begin again.
    Restarting = 2,
    /// It has ended.
    Stopped = 3,
}

impl Gauge {
    pub(crate) fn new(kind: Arc<KindFigures>) -> Self {
        Self {
            kind,
            waiting: AtomicI64::new(0),
            handled: AtomicU64::new(0),
            restarts: AtomicU64::new(0),
            state: AtomicU8::new(State::Starting as u8),
        }
    }

    /// Counts a message that takes a place in the mailbox; false when there is none.
    pub(crate) fn take_place(&self) -> bool {
        let before = self.waiting.fetch_add(1, Relaxed);
        self.kind.waiting.fetch_add(1, Relaxed);
        let has_place = usize::try_from(before).is_ok_and(|waiting| waiting < self.kind.capacity);
        if !has_place {
            self.leave_place();
        }
        has_place
    }

    /// Counts a message that does not wait any more.
    pub(crate) fn leave_place(&self) {
        self.waiting.fetch_sub(1, Relaxed);
        self.kind.waiting.fetch_sub(1, Relaxed);
    }

    pub(crate) fn enter(&self, state: State) {
        self.state.store(state as u8, Relaxed);
    }

    /// The state's name.
    #[must_use]
    pub fn state(&self) -> &'static str {
        match self.state.load(Relaxed) {
            0 => "starting",
            1 => "running",
            2 => "restarting",
            _ => "stopping",
        }
    }
}

/// What waits still when nobody holds the actor any more was not handled, and never will be.
impl Drop for Gauge {
    fn drop(&mut self) {
        let left = *self.waiting.get_mut();
        self.kind.waiting.fetch_sub(left, Relaxed);
        let lost = u64::try_from(left).unwrap_or(0);
        self.kind.lost.fetch_add(lost, Relaxed);
    }
}

/// What is counted about the stages of all runs of a tree.
#[derive(Debug)]
pub struct Stages([Arc<StageCounters>; 3]);

#[derive(Debug)]
struct StageCounters {
    /// Of the actors that do the stage's work.
    actors: Arc<KindFigures>,
    in_flight: AtomicI64,
    passed: AtomicU64,
    failed: AtomicU64,
    halted: AtomicU64,
    bytes: AtomicU64,
    words: AtomicU64,
    duration: Histogram,
}

/// The name of the actors that do a stage's work.
#[must_use]
pub const fn stage_actor(stage: Stage) -> &'static str {
    match stage {
        Stage::Extracting => "extractor",
        Stage::Synthesizing => "synthesizer",
        Stage::Validating => "validator",
    }
}

/// Such an actor hears one message: what it begins with.
const STAGE_MAILBOX: usize = 1;

impl Default for Stages {
    fn default() -> Self {
        Self(Stage::ALL.map(|stage| {
            Arc::new(StageCounters {
                actors: KindFigures::new(stage_actor(stage), STAGE_MAILBOX),
                in_flight: AtomicI64::default(),
                passed: AtomicU64::default(),
                failed: AtomicU64::default(),
                halted: AtomicU64::default(),
                bytes: AtomicU64::default(),
                words: AtomicU64::default(),
                duration: Histogram::new(),
            })
        }))
    }
}

/// A run inside a stage; counted as halted when it is dropped without an outcome.
#[derive(Debug)]
pub struct InStage {
    counters: Arc<StageCounters>,
    begun: Moment,
    outcome: fn(&StageCounters) -> &AtomicU64,
}

impl Stages {
    /// Counts a run into a stage.
    #[must_use]
    pub fn enter(&self, stage: Stage) -> InStage {
        let counters = Arc::clone(self.of(stage));
        counters.in_flight.fetch_add(1, Relaxed);
        InStage {
            counters,
            begun: Moment::now(),
            outcome: |counters| &counters.halted,
        }
    }

    /// Where the actors that do a stage's work are counted.
    #[must_use]
    pub fn actors(&self, stage: Stage) -> &Arc<KindFigures> {
        &self.of(stage).actors
    }

    /// Counts what came out of a stage.
    pub fn yielded(&self, stage: Stage, yielded: Volume) {
        let counters = self.of(stage);
        counters.bytes.fetch_add(yielded.bytes, Relaxed);
        counters.words.fetch_add(yielded.words, Relaxed);
    }

    fn of(&self, stage: Stage) -> &Arc<StageCounters> {
        let [extracting, synthesizing, validating] = &self.0;
        match stage {
            Stage::Extracting => extracting,
            Stage::Synthesizing => synthesizing,
            Stage::Validating => validating,
        }
    }

    /// The figures now.
    #[must_use]
    pub fn observe(&self) -> Vec<StageFigures> {
        Stage::ALL
            .into_iter()
            .map(|stage| {
                let counters = self.of(stage);
                StageFigures {
                    stage: stage.as_str(),
                    in_flight: at_least_zero(&counters.in_flight),
                    passed: read(&counters.passed),
                    failed: read(&counters.failed),
                    halted: read(&counters.halted),
                    bytes: read(&counters.bytes),
                    words: read(&counters.words),
                    duration: counters.duration.spread(),
                }
            })
            .collect()
    }
}

impl InStage {
    /// Tells how the stage ended for this run.
    pub fn leave<T>(mut self, outcome: Result<T, Failure>) -> Result<T, Failure> {
        self.outcome = match outcome {
            Ok(_) => |counters| &counters.passed,
            Err(_) => |counters| &counters.failed,
        };
        outcome
    }
}

impl Drop for InStage {
    fn drop(&mut self) {
        self.counters.in_flight.fetch_sub(1, Relaxed);
        (self.outcome)(&self.counters).fetch_add(1, Relaxed);
        self.counters.duration.record(self.begun, Moment::now());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::failure::Reason;

    #[test]
    fn words_are_what_stands_between_white_space() {
        let words = |text: &str| Volume::of(text).words;
        assert_eq!(
            ["", " \n", "a", " fire  the\nkiln\t"].map(words),
            [0, 0, 1, 3]
        );
        for times in [127, 128, 255, 10_000] {
            assert_eq!(words(&"a ".repeat(times)), times as u64);
            assert_eq!(words(&" kiln".repeat(times)), times as u64);
        }
        assert_eq!(
            [Volume::of("é a"), Volume::of("b")]
                .into_iter()
                .sum::<Volume>(),
            Volume { bytes: 5, words: 3 }
        );
    }

    #[test]
    fn a_run_that_leaves_a_stage_without_an_outcome_was_halted() {
        let own = Stages::default();
        let fail = || Err::<(), _>(Failure::new(Reason::Internal, "x"));
        drop(own.enter(Stage::Extracting));
        let _ = own.enter(Stage::Extracting).leave(Ok(()));
        let _ = own.enter(Stage::Extracting).leave(fail());
        let _still_in = own.enter(Stage::Validating);
        let all = own.observe();
        let seen = |at: usize| {
            (
                all[at].in_flight,
                all[at].passed,
                all[at].failed,
                all[at].halted,
            )
        };
        assert_eq!([seen(0), seen(2)], [(0, 1, 1, 1), (1, 0, 0, 0)]);
    }
}
