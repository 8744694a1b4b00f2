//! Owns how spans of time are measured and counted: a clock that costs some nanoseconds, and buckets of plain atomics.

use crate::domain::spread::Spread;
use std::sync::OnceLock;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// Buckets of powers of two: up to 1 µs, 2 µs, … about 275 s, which is more than a run may take. One more holds the rest.
const FIRST_BUCKET_NS: u64 = 1_024;
const OCTAVES: usize = 28;
/// From here on (134 ms) each octave has two halves: what takes seconds is a run that somebody waits for, and a percentile of it that
/// may be twice the truth helps nobody. Below it halves would be lines on every scrape for what nobody reads that closely.
const HALVED_FROM: usize = 17;
const BUCKETS: usize = 1 + OCTAVES + (OCTAVES - HALVED_FROM);

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

    /// From an earlier moment to this one.
    #[must_use]
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_nanos(self.nanos_since(earlier))
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
    longest_ns: AtomicU64,
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
            longest_ns: AtomicU64::new(0),
        }
    }

    /// Counts the span from `begin` to `end`.
    pub fn record(&self, begin: Moment, end: Moment) {
        self.count(end.nanos_since(begin));
    }

    fn count(&self, nanos: u64) {
        if let Some(bucket) = self.buckets.get(rank_of(nanos).min(BUCKETS)) {
            bucket.fetch_add(1, Relaxed);
        }
        self.sum_ns.fetch_add(nanos, Relaxed);
        // Hardly ever the longest, so it is read before it is written.
        if nanos > self.longest_ns.load(Relaxed) {
            self.longest_ns.fetch_max(nanos, Relaxed);
        }
    }

    /// The figures now.
    #[must_use]
    pub fn spread(&self) -> Spread {
        let mut count = 0;
        let mut buckets = Vec::with_capacity(BUCKETS);
        for (rank, bucket) in self.buckets.iter().enumerate() {
            count += bucket.load(Relaxed);
            if rank < BUCKETS {
                buckets.push((bound_ns(rank) as f64 * 1e-9, count));
            }
        }
        Spread {
            count,
            sum_s: self.sum_ns.load(Relaxed) as f64 * 1e-9,
            longest_s: Some(self.longest_ns.load(Relaxed) as f64 * 1e-9),
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

/// The bucket of a span.
fn rank_of(nanos: u64) -> usize {
    let units = nanos / FIRST_BUCKET_NS;
    let Some(octave) = units.checked_ilog2() else {
        return 0;
    };
    let is_upper_half = octave > 0 && (units >> (octave - 1)) & 1 == 1;
    let octave = octave as usize;
    let halves = octave.saturating_sub(HALVED_FROM);
    octave + 1 + halves + usize::from(octave >= HALVED_FROM && is_upper_half)
}

/// What is below this is in the bucket, or in one before it.
const fn bound_ns(rank: usize) -> u64 {
    if rank <= HALVED_FROM {
        return FIRST_BUCKET_NS << rank;
    }
    let halves = rank - HALVED_FROM - 1;
    let half_octave = (FIRST_BUCKET_NS << (HALVED_FROM + halves / 2)) / 2;
    half_octave * (3 + halves as u64 % 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_span_is_in_the_first_bucket_whose_bound_it_does_not_reach() {
        for rank in 0..BUCKETS {
            assert_eq!(rank_of(bound_ns(rank) - 1), rank);
            assert_eq!(rank_of(bound_ns(rank)), rank + 1);
        }
        let bounds: Vec<f64> = (0..BUCKETS)
            .map(|rank| bound_ns(rank) as f64 * 1e-9)
            .collect();
        assert!(bounds.last() > Some(&180.0), "{bounds:?}");
        let slow = bounds.windows(2).filter(|pair| pair[0] > 0.13);
        assert!(
            slow.clone().all(|pair| pair[1] <= pair[0] * 1.5),
            "{bounds:?}"
        );
    }

    #[test]
    fn eight_spans_of_fifteen_seconds_are_told_as_such() {
        let histogram = Histogram::new();
        for _ in 0..8 {
            histogram.count(15_000_000_000);
        }
        let [p50, p99] = [0.5, 0.99].map(|q| histogram.spread().quantile(q).unwrap());
        assert!(p50 > 12.5 && p50 <= 15.0, "{p50}");
        assert!(p99 > 14.5 && p99 <= 15.0, "{p99}");
    }

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
