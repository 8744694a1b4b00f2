//! Owns what is counted about calls to the database: how long they wait for a connection, how long each query takes.

use crate::domain::vitals::QueryFigures;
use crate::telemetry::measure::{Histogram, Moment};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicI64, AtomicU64};

/// The calls of one store.
#[derive(Debug, Default)]
pub struct Calls {
    waiting: AtomicI64,
    busy: AtomicI64,
    errors: AtomicU64,
    /// How long calls waited for a connection.
    pub wait: Histogram,
    /// How long they took then.
    pub query: Histogram,
}

/// One call, from the moment it is wanted. What it counts is taken back when it is dropped, wherever that happens.
#[derive(Debug)]
pub struct Call {
    calls: Arc<Calls>,
    at: Moment,
    is_busy: bool,
}

impl Calls {
    /// A call that waits for a connection.
    #[must_use]
    pub fn enqueue(self: &Arc<Self>) -> Call {
        self.waiting.fetch_add(1, Relaxed);
        Call {
            calls: Arc::clone(self),
            at: Moment::now(),
            is_busy: false,
        }
    }

    /// A call failed because the database did not answer, or broke.
    pub fn failed(&self) {
        self.errors.fetch_add(1, Relaxed);
    }

    /// How many wait, work, and failed.
    #[must_use]
    pub fn counts(&self) -> (u64, u64, u64) {
        let now = |gauge: &AtomicI64| u64::try_from(gauge.load(Relaxed)).unwrap_or(0);
        (
            now(&self.waiting),
            now(&self.busy),
            self.errors.load(Relaxed),
        )
    }
}

impl Call {
    /// It has its connection.
    pub fn begin(&mut self) {
        let now = Moment::now();
        self.calls.wait.record(self.at, now);
        self.calls.waiting.fetch_sub(1, Relaxed);
        self.calls.busy.fetch_add(1, Relaxed);
        (self.at, self.is_busy) = (now, true);
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        if self.is_busy {
            self.calls.query.record(self.at, Moment::now());
            self.calls.busy.fetch_sub(1, Relaxed);
        } else {
            self.calls.waiting.fetch_sub(1, Relaxed);
        }
    }
}

/// What is counted about one query, whichever store asks it: how often, and how long from the call to its answer.
#[derive(Debug)]
pub struct Query {
    name: &'static str,
    count: AtomicU64,
    sum_ns: AtomicU64,
}

impl Query {
    /// Never asked.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self {
            name,
            count: AtomicU64::new(0),
            sum_ns: AtomicU64::new(0),
        }
    }

    /// Counts one that began at `begun` and is answered now.
    pub fn answered(&self, begun: Moment) {
        let nanos = Moment::now().seconds_since(begun) * 1e9;
        self.count.fetch_add(1, Relaxed);
        self.sum_ns.fetch_add(nanos as u64, Relaxed);
    }

    /// The figures now.
    #[must_use]
    pub fn observe(&self) -> QueryFigures {
        QueryFigures {
            name: self.name,
            count: self.count.load(Relaxed),
            sum_s: self.sum_ns.load(Relaxed) as f64 * 1e-9,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_waits_then_works_and_leaves_no_trace_in_the_gauges() {
        let calls = Arc::new(Calls::default());
        let mut call = calls.enqueue();
        assert_eq!(calls.counts(), (1, 0, 0));
        call.begin();
        assert_eq!(calls.counts(), (0, 1, 0));
        drop(call);
        drop(calls.enqueue());
        calls.failed();
        assert_eq!(calls.counts(), (0, 0, 1));
        assert_eq!((calls.wait.total().0, calls.query.total().0), (1, 1));
    }
}
