//! Owns the search for the knee: the highest rate at which 99 of 100 generations still end in time. Rates are doubled until one does
//! not hold, then the gap is halved on the logarithmic scale until it is narrow.

use super::figures::Figures;
use serde::Serialize;

/// The gap between what holds and what does not that is narrow enough.
const NARROW: f64 = 1.05;
/// Rates that are tried at most.
const TRIES_MAX: usize = 24;
/// The share of the rate that must be reached, or work piles up.
const KEPT_UP: f64 = 0.95;

/// A search that is told of each rate whether it holds, and says which to try next.
#[derive(Debug, Clone)]
pub struct Search {
    first: f64,
    holds: Option<f64>,
    fails: Option<f64>,
    tries: usize,
}

impl Search {
    /// Begins with this rate.
    #[must_use]
    pub const fn from(first: f64) -> Self {
        Self {
            first,
            holds: None,
            fails: None,
            tries: 0,
        }
    }

    /// The rate to try next; none when the knee is found.
    #[must_use]
    pub fn next_rate(&self) -> Option<f64> {
        if self.tries >= TRIES_MAX {
            return None;
        }
        match (self.holds, self.fails) {
            (None, None) => Some(self.first),
            (Some(holds), None) => Some(holds * 2.0),
            (None, Some(fails)) => Some(fails / 2.0),
            (Some(holds), Some(fails)) => (fails / holds > NARROW).then(|| (holds * fails).sqrt()),
        }
    }

    /// Takes note whether a rate holds. On a noisy machine one may hold above another that did not: what did not hold counts.
    pub fn note(&mut self, rate: f64, held: bool) {
        self.tries += 1;
        if held && self.fails.is_none_or(|fails| rate < fails) {
            self.holds = Some(self.holds.map_or(rate, |holds| holds.max(rate)));
        } else if !held {
            self.fails = Some(self.fails.map_or(rate, |fails| fails.min(rate)));
        }
    }

    /// The highest rate that holds, as far as is known.
    #[must_use]
    pub const fn found(&self) -> Option<f64> {
        self.holds
    }
}

/// A rate that was tried.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Tried {
    /// Generations begun a second.
    pub rate: f64,
    /// Generations ended a second.
    pub reached: f64,
    /// Half of them took no longer.
    pub p50_ms: f64,
    /// 99 of 100.
    pub p99_ms: f64,
    /// Those that failed.
    pub failed: u64,
    /// Whether all that is well.
    pub held: bool,
}

impl Tried {
    /// Judges the figures of a rate.
    #[must_use]
    pub fn of(rate: f64, figures: &Figures, begun_for_s: f64, p99_ms_max: f64) -> Self {
        let whole = figures.whole();
        let p99_ms = whole.map_or(f64::INFINITY, |whole| whole.p99_ms);
        // Counted over the time in which they were begun and the last one ended: what piled up takes longer than that.
        let span_s = figures.seconds.max(begun_for_s);
        let reached = figures.generations as f64 / span_s.max(1e-9);
        let allowed_s = begun_for_s / KEPT_UP + p99_ms_max * 1e-3;
        Self {
            rate,
            reached,
            p50_ms: whole.map_or(0.0, |whole| whole.p50_ms),
            p99_ms: if p99_ms.is_finite() { p99_ms } else { 0.0 },
            failed: figures.failed,
            held: figures.failed == 0 && p99_ms <= p99_ms_max && figures.seconds <= allowed_s,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::bench::figures::Part;

    /// Searches where `knee` is the truth.
    fn search(first: f64, knee: f64) -> (Option<f64>, usize) {
        let mut search = Search::from(first);
        let mut tries = 0;
        while let Some(rate) = search.next_rate() {
            search.note(rate, rate <= knee);
            tries += 1;
        }
        (search.found(), tries)
    }

    #[test]
    fn the_knee_is_found_from_below_and_from_above() {
        for (first, knee) in [(10.0, 1_000.0), (5_000.0, 37.0), (100.0, 100.0), (1.0, 3.3)] {
            let (found, tries) = search(first, knee);
            let found = found.unwrap();
            assert!(
                found <= knee && found * NARROW >= knee,
                "{found} for {knee}"
            );
            assert!(tries <= TRIES_MAX, "{tries} tries for {knee}");
        }
    }

    #[test]
    fn a_search_ends_where_nothing_holds_and_where_everything_does() {
        assert_eq!(search(10.0, 0.0), (None, TRIES_MAX));
        let (found, tries) = search(1.0, f64::INFINITY);
        assert!(found.is_some());
        assert_eq!(tries, TRIES_MAX);
    }

    #[test]
    fn a_rate_that_did_not_hold_is_not_believed_above_it() {
        let mut search = Search::from(100.0);
        search.note(100.0, false);
        search.note(200.0, true);
        assert_eq!(search.found(), None);
        assert_eq!(search.next_rate(), Some(50.0));
    }

    #[test]
    fn a_rate_holds_when_nothing_fails_nothing_piles_up_and_all_end_in_time() {
        let figures = |seconds: f64, p99_ms: f64, failed| Figures {
            generations: 500,
            failed,
            seconds,
            stages: vec![Part {
                stage: "generation".into(),
                p99_ms,
                ..Part::default()
            }],
            ..Figures::default()
        };
        let held = |figures: &Figures| Tried::of(100.0, figures, 5.0, 20.0).held;
        assert!(held(&figures(5.0, 19.0, 0)));
        assert!(!held(&figures(5.0, 21.0, 0)));
        assert!(!held(&figures(5.0, 19.0, 1)));
        assert!(!held(&figures(8.0, 19.0, 0)));
        assert!(!held(&Figures::default()));
    }
}
