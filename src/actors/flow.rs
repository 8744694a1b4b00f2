//! Owns what is counted about the runs and credits of a tree as they pass: accepted, ended, reserved, earned, given back.

use crate::actors::figures::{Stages, at_least_zero, read};
use crate::domain::clock::Timestamp;
use crate::domain::id::RunId;
use crate::domain::observation::{CreditFlow, FAILED_SHOWN, FailedBy, FailedRun, Generations};
use crate::telemetry::measure::Histogram;
use skillkiln_document::failure::Reason;
use std::collections::VecDeque;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicI64, AtomicU64};
use std::sync::{Mutex, PoisonError};

/// What became of runs and credits since the tree was planted.
#[derive(Debug, Default)]
pub struct Flow {
    /// What the runs pass.
    pub(crate) stages: Stages,
    pub(crate) accepted: AtomicU64,
    pub(crate) completed: AtomicU64,
    pub(crate) failed: AtomicU64,
    pub(crate) resumed: AtomicU64,
    pub(crate) retried: AtomicU64,
    /// Those that failed, in the order of [`Reason::ALL`].
    failed_by: [AtomicU64; Reason::ALL.len()],
    /// The latest of them, the latest last.
    last_failed: Mutex<VecDeque<(RunId, Reason, Timestamp)>>,
    pub(crate) duration: Histogram,
    pub(crate) in_flight: AtomicI64,
    pub(crate) reserved: AtomicU64,
    pub(crate) posted: AtomicU64,
    pub(crate) voided: AtomicU64,
    pub(crate) granted: AtomicU64,
    pub(crate) reclaimed: AtomicU64,
    pub(crate) imbalance: AtomicI64,
}

impl Flow {
    /// Counts a run that failed.
    pub(crate) fn failed(&self, run_id: RunId, reason: Reason, at: Timestamp) {
        self.failed.fetch_add(1, Relaxed);
        let mut last = self
            .last_failed
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if last.len() == FAILED_SHOWN {
            last.pop_front();
        }
        last.push_back((run_id, reason, at));
        drop(last);
        let place = Reason::ALL.iter().position(|known| *known == reason);
        if let Some(counter) = place.and_then(|place| self.failed_by.get(place)) {
            counter.fetch_add(1, Relaxed);
        }
    }

    /// What became of runs, without those that wait now.
    #[must_use]
    pub fn generations(&self) -> Generations {
        let by = Reason::ALL.iter().zip(&self.failed_by);
        Generations {
            accepted: read(&self.accepted),
            completed: read(&self.completed),
            failed: read(&self.failed),
            failed_by: by
                .map(|(reason, count)| FailedBy {
                    reason: reason.as_str(),
                    class: reason.class().as_str(),
                    count: read(count),
                })
                .collect(),
            last_failed: self.last_failed(),
            in_flight: at_least_zero(&self.in_flight),
            resumed: read(&self.resumed),
            retried: read(&self.retried),
            duration: self.duration.spread(),
            ..Generations::default()
        }
    }

    fn last_failed(&self) -> Vec<FailedRun> {
        let last = self
            .last_failed
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let runs = last.iter().rev().map(|(run_id, reason, at)| FailedRun {
            id: run_id.to_string(),
            reason: reason.as_str(),
            class: reason.class().as_str(),
            at: at.iso(),
        });
        runs.collect()
    }

    /// What became of credits.
    #[must_use]
    pub fn credits(&self) -> CreditFlow {
        CreditFlow {
            reserved: read(&self.reserved),
            posted: read(&self.posted),
            voided: read(&self.voided),
            granted: read(&self.granted),
            reclaimed: read(&self.reclaimed),
            imbalance: self.imbalance.load(Relaxed),
        }
    }

    /// Notes what a proof of the books found.
    pub fn books_proved(&self, faults: usize) {
        self.imbalance
            .store(i64::try_from(faults).unwrap_or(i64::MAX), Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::failure::Class;

    #[test]
    fn failures_are_counted_by_reason_and_class_and_the_last_are_named() {
        let flow = Flow::default();
        let at = Timestamp::from_micros(0);
        for _ in 0..FAILED_SHOWN {
            flow.failed(RunId::new(), Reason::Unreachable, at);
        }
        let last_id = RunId::new();
        flow.failed(last_id, Reason::Deadline, at);
        let seen = flow.generations();
        assert_eq!((seen.failed, seen.failed_of(Class::Ours)), (11, 1));
        assert_eq!(seen.failed_of(Class::Source), 10);
        assert_eq!(seen.last_failed.len(), FAILED_SHOWN);
        let last = &seen.last_failed[0];
        assert_eq!((last.reason, last.class), ("deadline", "ours"));
        assert_eq!(last.id, last_id.to_string());
    }
}
