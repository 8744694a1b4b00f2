//! Owns how durations are spread: counts by upper bound, what lies between two looks, and the share that took no longer.

use serde::{Deserialize, Serialize};

/// How a duration is spread.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Spread {
    /// How many were measured.
    pub count: u64,
    /// Their sum in seconds.
    pub sum_s: f64,
    /// The longest that was ever measured; none where nobody noted it.
    pub longest_s: Option<f64>,
    /// Cumulative counts: at most so many seconds, so many. What took longer than the last bound is in `count` alone.
    pub buckets: Vec<(f64, u64)>,
}

impl Spread {
    /// What was measured after `earlier`, an older state of the same figures. The longest may have been before that.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        let before = |at: usize| earlier.buckets.get(at).map_or(0, |(_, count)| *count);
        let later = self.buckets.iter().enumerate();
        Self {
            count: self.count.saturating_sub(earlier.count),
            sum_s: (self.sum_s - earlier.sum_s).max(0.0),
            longest_s: self.longest_s,
            buckets: later
                .map(|(at, (bound, count))| (*bound, count.saturating_sub(before(at))))
                .collect(),
        }
    }

    /// The duration that a share `q` of them did not exceed, in seconds; none when nothing was measured. Within a bucket they
    /// are taken to be spread evenly, and nothing lasts longer than the longest that was measured; where that is not known,
    /// everything beyond the last bucket counts as its bound.
    #[must_use]
    pub fn quantile(&self, q: f64) -> Option<f64> {
        let rank = q * self.count as f64;
        let last = self.buckets.last().map(|(bound, _)| *bound);
        let longest = self.longest_s.or(last)?;
        let mut below = (0.0_f64, 0);
        let beyond = [(longest, self.count)];
        for (bound, count) in self.buckets.iter().chain(&beyond) {
            if *count as f64 >= rank && *count > below.1 {
                let share = (rank - below.1 as f64) / (count - below.1) as f64;
                let (from, to) = (below.0.min(longest), bound.min(longest));
                return Some(from + (to - from) * share.clamp(0.0, 1.0));
            }
            below = (*bound, *count);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(counts: [u64; 3], count: u64) -> Spread {
        let bounds = [1.0, 2.0, 4.0];
        Spread {
            count,
            sum_s: 0.0,
            longest_s: None,
            buckets: bounds.into_iter().zip(counts).collect(),
        }
    }

    #[test]
    fn a_quantile_lies_in_the_bucket_that_holds_it() {
        let all = spread([10, 30, 40], 40);
        assert_eq!(all.quantile(0.5), Some(1.5));
        assert_eq!(all.quantile(0.25), Some(1.0));
        assert_eq!(all.quantile(1.0), Some(4.0));
        assert_eq!(spread([0, 0, 4], 4).quantile(0.5), Some(3.0));
        assert_eq!(
            spread([0, 0, 0], 2).quantile(0.5),
            Some(4.0),
            "beyond all bounds"
        );
        assert_eq!(Spread::default().quantile(0.5), None);
    }

    #[test]
    fn no_quantile_is_above_the_longest_that_was_measured() {
        let longest = |counts, longest_s| Spread {
            longest_s: Some(longest_s),
            ..spread(counts, 10)
        };
        assert_eq!(longest([0, 0, 10], 3.0).quantile(0.5), Some(2.5));
        assert_eq!(longest([0, 0, 10], 3.0).quantile(1.0), Some(3.0));
        let beyond = longest([0, 0, 0], 6.0).quantile(0.5);
        assert_eq!(beyond, Some(5.0), "beyond all bounds, but known");
    }

    #[test]
    fn what_came_after_an_earlier_look_is_told_from_what_was_there() {
        let (earlier, later) = (spread([10, 10, 10], 10), spread([10, 12, 13], 14));
        assert_eq!(later.since(&earlier), spread([0, 2, 3], 4));
        assert_eq!(later.since(&Spread::default()), later);
    }
}
