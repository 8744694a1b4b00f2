//! Owns how spans of time are measured and counted: a clock that costs some nanoseconds, and buckets of plain atomics.

use crate::domain::observation::Spread;
use std::sync::OnceLock;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// Buckets of powers of two: up to 1 µs, 2 µs, … about 275 s, which is more than a run may take. One more holds the rest.
const BUCKETS: usize = 29;
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

    /// Seconds from an earlier moment to this one.
    #[must_use]
    pub fn seconds_since(self, earlier: Self) -> f64 {
        self.nanos_since(earlier) as f64 * 1e-9
    }
}

fn counter() -> &'static quanta::Clock {
    static COUNTER: OnceLock<quanta::Clock> = OnceLock::new();
    COUNTER.get_or_init(quanta::Clock::new)
}

/// How a duration is spread.
#[derive(Debug)]
pub struct Histogram {
    buckets: [AtomicU64; BUCKETS + 1],
    sum_ns: AtomicU64,
}

impl Default for Histogram {
    fn default() -> Self {
        Self::new()
    }
}

impl Histogram {
    /// Nothing measured.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            buckets: [const { AtomicU64::new(0) }; BUCKETS + 1],
            sum_ns: AtomicU64::new(0),
        }
    }

    /// Counts the span from `begin` to `end`.
    pub fn record(&self, begin: Moment, end: Moment) {
        self.count(end.nanos_since(begin));
    }

    fn count(&self, nanos: u64) {
        let rank = (nanos / FIRST_BUCKET_NS)
            .checked_ilog2()
            .map_or(0, |log| log as usize + 1);
        if let Some(bucket) = self.buckets.get(rank.min(BUCKETS)) {
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
            if rank < BUCKETS {
                buckets.push(((FIRST_BUCKET_NS << rank) as f64 * 1e-9, count));
            }
        }
        Spread {
            count,
            sum_s: self.sum_ns.load(Relaxed) as f64 * 1e-9,
            buckets,
        }
    }

    /// How many were measured and their sum in seconds, where the rest is not asked for.
    #[must_use]
    pub fn total(&self) -> (u64, f64) {
        let count = self.buckets.iter().map(|bucket| bucket.load(Relaxed)).sum();
        (count, self.sum_ns.load(Relaxed) as f64 * 1e-9)
    }
}

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
        assert_eq!((spread.count, histogram.total().0), (10, 10));
        assert!(spread.buckets.is_sorted_by(|a, b| a.0 < b.0 && a.1 <= b.1));
    }

    #[test]
    fn what_is_longer_than_every_bound_is_in_the_count_alone() {
        let histogram = Histogram::new();
        histogram.count(3_600 * 1_000_000_000);
        histogram.count(1_500);
        let spread = histogram.spread();
        assert_eq!(spread.count, 2);
        assert_eq!(spread.buckets.last().map(|(_, count)| *count), Some(1));
        assert_eq!(spread.buckets[0].1, 0, "1.5 µs is more than 1 µs");
        assert_eq!(spread.buckets[1].1, 1);
    }
}
