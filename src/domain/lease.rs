//! Owns leases: which run counts as left behind, and what becomes of it then.
//!
//! A lease is an instant of the day that the node at work on a run writes down and moves on while it lives. All nodes go by the database's
//! clock, which each knows from its last look. That clock may be set, and a node may wake up from a pause and know it no more. So a run is
//! left behind only where the judge's reading of that clock and the clock itself agree, and nobody judges while those who live may not have
//! renewed their leases yet.

use crate::domain::clock::{Clock, Timestamp};
use skillkiln_document::failure::Reason;
use std::time::Duration;

/// After so many lengths no lease ends: it was written before the clock was set back. Nodes may differ in their length by less.
const LENGTHS_MAX: u32 = 12;
/// Until when everybody who lives has looked at the clock.
const LOOKED_WITHIN: Duration = Duration::from_secs(1);

/// A lease on a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lease {
    /// Until when it holds.
    pub until: Timestamp,
    /// When its run was ordered.
    pub ordered_at: Timestamp,
}

impl Lease {
    /// Whether nobody has the run: it was written down for whoever has a place for it, or was handed over. Then its lease ran out when it
    /// was ordered, whatever the clock says since.
    #[must_use]
    pub fn is_given_up(self) -> bool {
        self.until == self.ordered_at
    }
}

/// What a node knows when it judges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Judge {
    /// What time it is, as far as the node knows.
    pub now: Timestamp,
    /// How long a lease holds.
    pub length: Duration,
    /// By how much the clock that leases go by may be off from `now`: by more, the node slept since, or that clock was set.
    pub apart_max: Duration,
    /// Whether a lease that ran out says that its holder is gone.
    pub is_sound: bool,
}

impl Judge {
    /// The first instant at which no lease ends that was written by the clock of `now`.
    #[must_use]
    pub fn beyond(&self, now: Timestamp) -> Timestamp {
        now.plus(self.length.saturating_mul(LENGTHS_MAX))
    }

    /// Whether a run may be taken up, when `there` is the time by the clock that leases go by.
    #[must_use]
    pub fn finds_left(&self, lease: Lease, there: Timestamp) -> bool {
        let is_over = |now| lease.until <= now || lease.until >= self.beyond(now);
        let apart = there.since(self.now).max(self.now.since(there));
        let knows = self.is_sound && apart <= self.apart_max;
        lease.is_given_up() || knows && is_over(self.now) && is_over(there)
    }
}

/// Whether a lease that ran out says that its holder is gone. Once the clock was set, leases could not be renewed, or this node was
/// away itself, those who live need the length of a lease to renew theirs.
#[derive(Debug, Clone, Copy)]
pub struct Judgement {
    length: Duration,
    set_forward_s: i64,
    /// By the steady clock, as is `sound_from`.
    judged_at: Timestamp,
    sound_from: Timestamp,
}

impl Judgement {
    /// Of a node that has just come: the clock may have been set a moment ago, so it waits until all have renewed theirs, a third of a
    /// length after they looked.
    #[must_use]
    pub fn new(clock: &Clock, length: Duration) -> Self {
        let now = clock.steady();
        Self {
            length,
            set_forward_s: clock.set_forward_s(),
            judged_at: now,
            sound_from: now.plus(length / 2).plus(LOOKED_WITHIN),
        }
    }

    /// Judges nothing for the length of a lease.
    pub fn suspend(&mut self, clock: &Clock) {
        let sound_from = clock.steady().plus(self.length).plus(2 * LOOKED_WITHIN);
        self.sound_from = self.sound_from.max(sound_from);
    }

    /// What is known now. To be asked again for each judgement, after the node's own leases were renewed.
    pub fn judge(&mut self, clock: &Clock) -> Judge {
        // This first: where the clock is set in between, it is known to have been.
        let now = clock.now();
        let steady = clock.steady();
        let set_forward_s = clock.set_forward_s();
        if set_forward_s != self.set_forward_s {
            let seconds = set_forward_s.saturating_sub(self.set_forward_s);
            tracing::warn!(
                seconds,
                "the clock was set; leases of other nodes are judged again after the length of one"
            );
            self.set_forward_s = set_forward_s;
            self.suspend(clock);
        }
        // Leases are renewed by a third. If all were away for the other two thirds, leases of those who live have run out. Of that time
        // a ninth of a length, by which is judged, may lie before what is seen of it here, and the way to the database takes some.
        if steady.since(self.judged_at) > self.length / 2 {
            tracing::warn!(
                "this node was away; leases of other nodes are judged again after the length of one"
            );
            self.suspend(clock);
        }
        self.judged_at = steady;
        Judge {
            now,
            length: self.length,
            apart_max: self.length,
            is_sound: steady >= self.sound_from,
        }
    }
}

/// How often and for how long a run is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tries {
    /// How often it is begun.
    pub attempts_max: u32,
    /// How often its source takes down the process that works on it.
    pub falls_max: u32,
    /// How long after its order it has to be over, whoever works on it (decision 54).
    pub deadline: Duration,
}

/// What becomes of a run that was left behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It is begun once more, with what is left of its time.
    Resumed(Duration),
    /// Its credits are given back.
    GivenBack(Reason),
}

impl Tries {
    /// What becomes of a run that was ordered so long ago, and was begun so often, this time included.
    #[must_use]
    pub fn fate(self, ordered_ago: Duration, attempts: u32, falls: u32) -> Fate {
        let time_left = self.deadline.saturating_sub(ordered_ago);
        if time_left.is_zero() {
            return Fate::GivenBack(Reason::Deadline);
        }
        match attempts <= self.attempts_max && falls < self.falls_max {
            true => Fate::Resumed(time_left),
            false => Fate::GivenBack(Reason::Internal),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LENGTH: Duration = Duration::from_secs(10);
    const HOUR: i64 = 3_600;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros((1_000_000 + seconds) * 1_000_000)
    }

    fn lease(seconds: i64) -> Lease {
        Lease {
            until: at(seconds),
            ordered_at: at(-20_000),
        }
    }

    fn judge(seconds: i64) -> Judge {
        Judge {
            now: at(seconds),
            length: LENGTH,
            apart_max: LENGTH,
            is_sound: true,
        }
    }

    #[test]
    fn a_lease_that_ran_out_is_left_behind_and_one_of_a_node_that_lives_is_not() {
        assert!(judge(0).finds_left(lease(0), at(0)));
        assert!(!judge(0).finds_left(lease(1), at(0)));
        assert!(!judge(0).finds_left(lease(10), at(0)));
        let suspended = Judge {
            is_sound: false,
            ..judge(0)
        };
        assert!(!suspended.finds_left(lease(0), at(0)));
        let given_up = Lease {
            until: at(50),
            ordered_at: at(50),
        };
        assert!(suspended.finds_left(given_up, at(0)), "it is nobody's");
    }

    #[test]
    fn what_a_dead_node_held_does_not_wait_for_the_hour_by_which_the_clock_was_set_back() {
        let of_the_dead = lease(HOUR + 5);
        assert!(judge(0).finds_left(of_the_dead, at(0)));
        let knows_nothing = judge(HOUR);
        assert!(!knows_nothing.finds_left(lease(HOUR - 5), at(0)));
        assert!(judge(0).finds_left(lease(HOUR - 5), at(0)));
    }

    #[test]
    fn a_judgement_from_before_a_sleep_takes_nothing_whatever_the_clock_said_meanwhile() {
        // Those who live could not renew theirs for a while, and this one judged long ago, by another time.
        for (knew, until) in [(0, HOUR), (HOUR, -20), (-50, -20)] {
            assert!(!judge(knew).finds_left(lease(until), at(until + 20)));
        }
    }

    #[test]
    fn a_node_that_does_not_know_yet_that_the_clock_was_set_takes_nothing_from_who_lives() {
        // Set back, set forward, and by which clock those who live have renewed theirs last.
        for set_by in [-HOUR, HOUR] {
            for renewed_at in [0, set_by] {
                let of_who_lives = lease(renewed_at + 8);
                let knows_nothing = judge(0);
                assert!(!knows_nothing.finds_left(of_who_lives, at(set_by)));
            }
        }
    }

    #[test]
    fn a_clock_that_was_set_takes_no_run_from_a_node_that_lives() {
        let clock = Clock::manual(at(0));
        let mut judgement = Judgement::new(&clock, LENGTH);
        let is_sound = |judgement: &mut Judgement, passed: u64| {
            clock.advance(Duration::from_secs(passed));
            judgement.judge(&clock).is_sound
        };
        assert!(!is_sound(&mut judgement, 0), "it has just come");
        assert!(!is_sound(&mut judgement, 5));
        assert!(is_sound(&mut judgement, 1));
        for seconds in [HOUR, -2 * HOUR] {
            clock.set_by(seconds);
            assert!(!is_sound(&mut judgement, 0));
            assert!(
                [5, 5, 1]
                    .iter()
                    .all(|passed| !is_sound(&mut judgement, *passed))
            );
            assert!(is_sound(&mut judgement, 1));
        }
        judgement.suspend(&clock);
        assert!(
            [5, 5, 1]
                .iter()
                .all(|passed| !is_sound(&mut judgement, *passed))
        );
        assert!(is_sound(&mut judgement, 1));
    }

    #[test]
    fn a_node_that_was_away_gives_the_others_the_length_of_a_lease() {
        let clock = Clock::manual(at(0));
        let mut judgement = Judgement::new(&clock, LENGTH);
        let mut is_sound = |passed: u64| {
            clock.advance(Duration::from_secs(passed));
            judgement.judge(&clock).is_sound
        };
        assert!(!is_sound(3));
        assert!(is_sound(3));
        assert!(is_sound(5), "it may be late");
        assert!(!is_sound(6), "all may have been away");
        assert!([5, 5, 1].iter().all(|passed| !is_sound(*passed)));
        assert!(is_sound(1));
    }

    #[test]
    fn a_run_is_begun_again_while_it_has_time_and_has_not_failed_too_often() {
        let tries = Tries {
            attempts_max: 3,
            falls_max: 2,
            deadline: Duration::from_secs(60),
        };
        let ago = Duration::from_secs;
        assert_eq!(
            tries.fate(ago(59), 3, 1),
            Fate::Resumed(Duration::from_secs(1))
        );
        assert_eq!(tries.fate(ago(60), 1, 0), Fate::GivenBack(Reason::Deadline));
        let broken = Fate::GivenBack(Reason::Internal);
        assert_eq!(tries.fate(ago(0), 4, 0), broken);
        assert_eq!(tries.fate(ago(0), 1, 2), broken);
    }
}
