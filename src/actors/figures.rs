//! Owns what is counted about actors and stages: plain atomics, read when somebody looks.
//!
//! A counter of the metrics crate costs 190 ns, one of these 1 ns; every message of every actor passes here, so the figures are
//! kept where they arise and written out as metrics only on a scrape.

use crate::domain::failure::Failure;
use crate::domain::generation::Stage;
use crate::domain::observation::{ActorKind, Spread, StageFigures};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicI64, AtomicU8, AtomicU64, AtomicUsize};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Buckets of powers of two: up to 1 µs, 2 µs, … about 34 s.
const BUCKETS: usize = 26;
const FIRST_BUCKET_NS: u64 = 1_024;

/// A moment on the processor's own counter, for measuring short spans cheaply.
#[derive(Debug, Clone, Copy)]
pub struct Moment(u64);

impl Moment {
    /// Now.
    #[must_use]
    pub fn now() -> Self {
        Self(counter().raw())
    }

    fn nanos_since(self, earlier: Self) -> u64 {
        counter().delta_as_nanos(earlier.0, self.0)
    }
}

fn counter() -> &'static quanta::Clock {
    static COUNTER: OnceLock<quanta::Clock> = OnceLock::new();
    COUNTER.get_or_init(quanta::Clock::new)
}

/// How a duration is spread.
#[derive(Debug)]
pub struct Histogram {
    buckets: [AtomicU64; BUCKETS],
    sum_ns: AtomicU64,
}

impl Histogram {
    const fn new() -> Self {
        Self {
            buckets: [const { AtomicU64::new(0) }; BUCKETS],
            sum_ns: AtomicU64::new(0),
        }
    }

    /// Counts the span from `begin` to `end`.
    pub fn record(&self, begin: Moment, end: Moment) {
        let nanos = end.nanos_since(begin);
        let rank = (nanos / FIRST_BUCKET_NS)
            .checked_ilog2()
            .map_or(0, |log| log as usize + 1);
        if let Some(bucket) = self.buckets.get(rank.min(BUCKETS - 1)) {
            bucket.fetch_add(1, Relaxed);
        }
        self.sum_ns.fetch_add(nanos, Relaxed);
    }

    /// The figures now.
    #[must_use]
    pub fn spread(&self) -> Spread {
        let mut count = 0;
        let mut buckets = Vec::with_capacity(BUCKETS);
        for (rank, bucket) in self.buckets.iter().enumerate() {
            count += bucket.load(Relaxed);
            buckets.push(((FIRST_BUCKET_NS << rank) as f64 * 1e-9, count));
        }
        Spread {
            count,
            sum_s: self.sum_ns.load(Relaxed) as f64 * 1e-9,
            buckets,
        }
    }
}

/// What is counted about all actors of one kind.
#[derive(Debug)]
pub struct KindFigures {
    /// The kind's name.
    pub name: &'static str,
    pub(crate) alive: AtomicI64,
    pub(crate) waiting: AtomicI64,
    pub(crate) capacity: AtomicUsize,
    pub(crate) handled: AtomicU64,
    pub(crate) lost: AtomicU64,
    pub(crate) panics: AtomicU64,
    pub(crate) restarts: AtomicU64,
    pub(crate) wait: Histogram,
    pub(crate) handling: Histogram,
    last_panic: Mutex<Option<String>>,
}

impl KindFigures {
    /// All zero.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self {
            name,
            alive: AtomicI64::new(0),
            waiting: AtomicI64::new(0),
            capacity: AtomicUsize::new(0),
            handled: AtomicU64::new(0),
            lost: AtomicU64::new(0),
            panics: AtomicU64::new(0),
            restarts: AtomicU64::new(0),
            wait: Histogram::new(),
            handling: Histogram::new(),
            last_panic: Mutex::new(None),
        }
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
        let at_least_zero = |value: &AtomicI64| u64::try_from(value.load(Relaxed)).unwrap_or(0);
        ActorKind {
            kind: self.name,
            alive: at_least_zero(&self.alive),
            waiting: at_least_zero(&self.waiting),
            mailbox_capacity: self.capacity.load(Relaxed) as u64,
            handled: self.handled.load(Relaxed),
            lost: self.lost.load(Relaxed),
            panics: self.panics.load(Relaxed),
            restarts: self.restarts.load(Relaxed),
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

/// What is counted about one actor.
#[derive(Debug)]
pub struct Gauge {
    pub(crate) capacity: usize,
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
    pub(crate) fn new(capacity: usize) -> Self {
        Self {
            capacity,
            waiting: AtomicI64::new(0),
            handled: AtomicU64::new(0),
            restarts: AtomicU64::new(0),
            state: AtomicU8::new(State::Starting as u8),
        }
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

/// What is counted about the stages of all runs.
#[derive(Debug)]
pub struct Stages([StageCounters; 3]);

#[derive(Debug)]
struct StageCounters {
    in_flight: AtomicI64,
    passed: AtomicU64,
    failed: AtomicU64,
    duration: Histogram,
}

/// The stages of this process.
pub static STAGES: Stages = Stages(
    [const {
        StageCounters {
            in_flight: AtomicI64::new(0),
            passed: AtomicU64::new(0),
            failed: AtomicU64::new(0),
            duration: Histogram::new(),
        }
    }; 3],
);

/// A run inside a stage; counted as failed when it is dropped without an outcome.
#[derive(Debug)]
pub struct InStage {
    counters: &'static StageCounters,
    begun: Moment,
    passed: bool,
}

impl Stages {
    /// Counts a run into a stage.
    #[must_use]
    pub fn enter(&'static self, stage: Stage) -> InStage {
        let counters = self.of(stage);
        counters.in_flight.fetch_add(1, Relaxed);
        InStage {
            counters,
            begun: Moment::now(),
            passed: false,
        }
    }

    fn of(&self, stage: Stage) -> &StageCounters {
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
                    in_flight: u64::try_from(counters.in_flight.load(Relaxed)).unwrap_or(0),
                    passed: counters.passed.load(Relaxed),
                    failed: counters.failed.load(Relaxed),
                    duration: counters.duration.spread(),
                }
            })
            .collect()
    }
}

impl InStage {
    /// Tells how the stage ended for this run.
    pub fn leave<T>(mut self, outcome: Result<T, Failure>) -> Result<T, Failure> {
        self.passed = outcome.is_ok();
        outcome
    }
}

impl Drop for InStage {
    fn drop(&mut self) {
        self.counters.in_flight.fetch_sub(1, Relaxed);
        let outcome = if self.passed {
            &self.counters.passed
        } else {
            &self.counters.failed
        };
        outcome.fetch_add(1, Relaxed);
        self.counters.duration.record(self.begun, Moment::now());
    }
}

/// What became of runs and credits since the start of the process.
#[derive(Debug)]
pub struct Flow {
    pub(crate) accepted: AtomicU64,
    pub(crate) completed: AtomicU64,
    pub(crate) failed: AtomicU64,
    pub(crate) resumed: AtomicU64,
    pub(crate) in_flight: AtomicI64,
    pub(crate) reserved: AtomicU64,
    pub(crate) posted: AtomicU64,
    pub(crate) voided: AtomicU64,
    pub(crate) granted: AtomicU64,
    pub(crate) reclaimed: AtomicU64,
    pub(crate) imbalance: AtomicI64,
}

impl Flow {
    /// Notes what a proof of the books found.
    pub fn books_proved(&self, faults: usize) {
        self.imbalance
            .store(i64::try_from(faults).unwrap_or(i64::MAX), Relaxed);
    }
}

/// The flow of this process.
pub static FLOW: Flow = Flow {
    accepted: AtomicU64::new(0),
    completed: AtomicU64::new(0),
    failed: AtomicU64::new(0),
    resumed: AtomicU64::new(0),
    in_flight: AtomicI64::new(0),
    reserved: AtomicU64::new(0),
    posted: AtomicU64::new(0),
    voided: AtomicU64::new(0),
    granted: AtomicU64::new(0),
    reclaimed: AtomicU64::new(0),
    imbalance: AtomicI64::new(0),
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_histogram_counts_every_span_in_a_bucket_that_holds_it() {
        let histogram = Histogram::new();
        let begin = Moment::now();
        for _ in 0..10 {
            histogram.record(begin, Moment::now());
        }
        let spread = histogram.spread();
        assert_eq!(spread.count, 10);
        assert!(spread.buckets.is_sorted_by(|a, b| a.0 < b.0 && a.1 <= b.1));
    }
}
