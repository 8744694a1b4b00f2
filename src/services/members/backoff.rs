//! Owns how long somebody waits who was wrong: not at all at first, then twice as long after each further time, up to a bound.
//!
//! It is a brake and not a wall: however often somebody was wrong, the next try is let through after at most [`Pace::wait_max`], and
//! whoever is right begins anew.

use crate::domain::clock::Timestamp;
use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Most names that are remembered one by one.
const NAMES_MAX: usize = 16_384;
/// Places that the names beyond share; which one is whose nobody outside can know.
const SHARED: usize = 1_024;
/// After this without a try a name is forgotten.
const FORGET_AFTER: Duration = Duration::from_secs(3_600);
/// The first wait.
const WAIT_MIN: Duration = Duration::from_secs(1);

/// How fast somebody may try.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    /// Times that one may be wrong without waiting.
    pub(super) free: u32,
    /// The longest wait.
    pub(super) wait_max: Duration,
}

impl Pace {
    /// The wait after so many wrong tries.
    fn wait(self, wrong: u32) -> Duration {
        let Some(doublings) = wrong.checked_sub(self.free) else {
            return Duration::ZERO;
        };
        let wait = WAIT_MIN.saturating_mul(1_u32.checked_shl(doublings).unwrap_or(u32::MAX));
        wait.min(self.wait_max)
    }
}

/// What is remembered of a name.
#[derive(Debug, Clone, Copy)]
struct Step {
    wrong: u32,
    last: Timestamp,
    /// The next try is let through from then on.
    next: Timestamp,
}

impl Default for Step {
    fn default() -> Self {
        let never = Timestamp::from_micros(0);
        Self {
            wrong: 0,
            last: never,
            next: never,
        }
    }
}

impl Step {
    fn count(&mut self, pace: Pace, now: Timestamp) -> Result<(), u32> {
        if now.since(self.last) >= FORGET_AFTER {
            self.wrong = 0;
        } else if now < self.next {
            let wait = self.next.since(now);
            let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
            return Err(u32::try_from(seconds).unwrap_or(u32::MAX));
        }
        self.wrong = self.wrong.saturating_add(1);
        self.last = now;
        self.next = now.plus(pace.wait(self.wrong));
        Ok(())
    }

    fn take_back(&mut self, pace: Pace) {
        self.wrong = self.wrong.saturating_sub(1);
        self.next = self.last.plus(pace.wait(self.wrong));
    }
}

/// The waits of those who were wrong lately.
///
/// Invariant: at most `NAMES_MAX` names and `SHARED` places are remembered, whoever tries. A flood of names takes places away from the
/// names that were wrong the least, and from nobody's own.
#[derive(Debug)]
pub(super) struct Backoff<K> {
    steps: Mutex<Steps<K>>,
    secret: RandomState,
}

#[derive(Debug)]
struct Steps<K> {
    by_name: HashMap<K, Step>,
    shared: Vec<Step>,
    swept_at: Timestamp,
}

impl<K> Default for Backoff<K> {
    fn default() -> Self {
        Self {
            steps: Mutex::new(Steps {
                by_name: HashMap::new(),
                shared: Vec::new(),
                swept_at: Timestamp::from_micros(0),
            }),
            secret: RandomState::new(),
        }
    }
}

impl<K: Eq + Hash> Backoff<K> {
    /// Counts a try as a wrong one, or says how many seconds to wait. It is counted before it is known how it turns out, so that many
    /// at once are no way past the wait; one that turns out well is given back by [`Backoff::take_back`] or [`Backoff::forgive`].
    pub(super) fn count(&self, name: K, pace: Pace, now: Timestamp) -> Result<(), u32> {
        let place = self.place(&name);
        let mut steps = self.steps.lock().unwrap_or_else(PoisonError::into_inner);
        let steps = &mut *steps;
        if steps.by_name.len() >= NAMES_MAX && !steps.by_name.contains_key(&name) {
            if now.since(steps.swept_at).as_secs() >= 1 {
                steps.swept_at = now;
                let is_slowed = |step: &Step| now.since(step.last) < FORGET_AFTER;
                steps.by_name.retain(|_, step| is_slowed(step));
                if steps.by_name.len() >= NAMES_MAX {
                    steps.by_name.retain(|_, step| step.wrong > pace.free);
                }
            }
            if steps.by_name.len() >= NAMES_MAX {
                steps.shared.resize_with(SHARED, Step::default);
                return steps
                    .shared
                    .get_mut(place)
                    .map_or(Ok(()), |step| step.count(pace, now));
            }
        }
        steps.by_name.entry(name).or_default().count(pace, now)
    }

    /// Takes back one try that turned out well; the others stay.
    pub(super) fn take_back(&self, name: &K, pace: Pace) {
        let place = self.place(name);
        let mut steps = self.steps.lock().unwrap_or_else(PoisonError::into_inner);
        let steps = &mut *steps;
        let step = match steps.by_name.get_mut(name) {
            Some(step) => Some(step),
            None => steps.shared.get_mut(place),
        };
        if let Some(step) = step {
            step.take_back(pace);
        }
    }

    /// Forgets all wrong tries of somebody who then was right.
    pub(super) fn forgive(&self, name: &K) {
        let mut steps = self.steps.lock().unwrap_or_else(PoisonError::into_inner);
        steps.by_name.remove(name);
    }

    fn place(&self, name: &K) -> usize {
        usize::try_from(self.secret.hash_one(name) % SHARED as u64).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACE: Pace = Pace {
        free: 3,
        wait_max: Duration::from_secs(60),
    };

    fn at(seconds: u64) -> Timestamp {
        Timestamp::from_micros(1_000_000_000_000_000).plus(Duration::from_secs(seconds))
    }

    #[test]
    fn each_further_wrong_try_waits_twice_as_long_and_never_longer_than_the_bound() {
        let waits = Backoff::default();
        for _ in 0..3 {
            assert_eq!(waits.count("a", PACE, at(0)), Ok(()));
        }
        let mut now = 0;
        for wait in [1, 2, 4, 8, 16, 32, 60, 60, 60] {
            assert_eq!(waits.count("a", PACE, at(now)), Err(wait));
            now += u64::from(wait);
            assert_eq!(waits.count("a", PACE, at(now)), Ok(()));
        }
        assert_eq!(waits.count("b", PACE, at(now)), Ok(()), "somebody else");
    }

    #[test]
    fn whoever_was_right_or_was_away_for_an_hour_begins_anew() {
        let waits = Backoff::default();
        let exhaust = |now| while waits.count("a", PACE, now).is_ok() {};
        exhaust(at(0));
        waits.forgive(&"a");
        assert_eq!(waits.count("a", PACE, at(0)), Ok(()));
        exhaust(at(0));
        assert_eq!(waits.count("a", PACE, at(3_600)), Ok(()));
        assert_eq!(waits.count("a", PACE, at(3_600)), Ok(()));
    }

    #[test]
    fn one_try_that_turned_out_well_is_taken_back_and_the_wrong_ones_stay() {
        let waits = Backoff::default();
        assert_eq!(waits.count("a", PACE, at(0)), Ok(()));
        assert_eq!(waits.count("a", PACE, at(0)), Ok(()));
        for _ in 0..30 {
            assert_eq!(waits.count("a", PACE, at(1)), Ok(()));
            waits.take_back(&"a", PACE);
        }
        assert_eq!(waits.count("a", PACE, at(1)), Ok(()));
        assert_eq!(
            waits.count("a", PACE, at(1)),
            Err(1),
            "three that were wrong"
        );
    }

    #[test]
    fn a_flood_of_names_neither_fills_the_memory_nor_stops_a_newcomer() {
        let waits = Backoff::default();
        for name in 0..2 * NAMES_MAX {
            for _ in 0..5 {
                // Each is wrong more often than is free, so that none of them makes room.
                let _ = waits.count(name, PACE, at(10));
                waits.steps.lock().expect("sound").swept_at = at(10);
                if let Some(step) = waits.steps.lock().expect("sound").by_name.get_mut(&name) {
                    step.next = at(0);
                }
            }
        }
        let steps = waits.steps.lock().expect("sound");
        assert_eq!(
            (steps.by_name.len(), steps.shared.len()),
            (NAMES_MAX, SHARED)
        );
        drop(steps);
        // Even in a shared place the wait has its bound.
        assert_eq!(waits.count(usize::MAX, PACE, at(71)), Ok(()));
        // Those that were away for an hour make room.
        assert_eq!(waits.count(usize::MAX - 1, PACE, at(4_000)), Ok(()));
        assert_eq!(waits.steps.lock().expect("sound").by_name.len(), 1);
    }
}
