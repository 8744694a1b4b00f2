//! Owns what is counted about runs and credits as they pass: accepted, ended, reserved, earned, given back.

use crate::actors::figures::{at_least_zero, read};
use crate::domain::failure::Reason;
use crate::domain::observation::{CreditFlow, Generations};
use crate::telemetry::measure::Histogram;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicI64, AtomicU64};

/// What became of runs and credits since the start of the process.
#[derive(Debug)]
pub struct Flow {
    pub(crate) accepted: AtomicU64,
    pub(crate) completed: AtomicU64,
    pub(crate) failed: AtomicU64,
    pub(crate) resumed: AtomicU64,
    pub(crate) retried: AtomicU64,
    /// Those that failed, in the order of [`Reason::ALL`].
    failed_by: [AtomicU64; Reason::ALL.len()],
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
    pub(crate) fn failed(&self, reason: Reason) {
        self.failed.fetch_add(1, Relaxed);
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
                .map(|(reason, count)| (reason.as_str(), read(count)))
                .collect(),
            in_flight: at_least_zero(&self.in_flight),
            resumed: read(&self.resumed),
            retried: read(&self.retried),
            duration: self.duration.spread(),
            ..Generations::default()
        }
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

/// The flow of this process.
pub static FLOW: Flow = Flow {
    accepted: AtomicU64::new(0),
    completed: AtomicU64::new(0),
    failed: AtomicU64::new(0),
    resumed: AtomicU64::new(0),
    retried: AtomicU64::new(0),
    failed_by: [const { AtomicU64::new(0) }; Reason::ALL.len()],
    duration: Histogram::new(),
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
    fn failures_are_counted_by_their_reason() {
        let before = FLOW.generations();
        FLOW.failed(Reason::Deadline);
        let after = FLOW.generations();
        let of = |seen: &Generations| {
            let found = seen
                .failed_by
                .iter()
                .find(|(reason, _)| *reason == "deadline");
            found.map_or(0, |(_, count)| *count)
        };
        assert!(of(&after) > of(&before) && after.failed > before.failed);
    }
}
