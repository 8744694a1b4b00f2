//! Owns what is counted about looks at the sources of watched skills.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// How a look ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The source is as it was.
    Unchanged,
    /// It says something else.
    Changed,
    /// It could not be read.
    Failed,
}

/// The looks of this process.
pub static LOOKS: Looks = Looks([const { AtomicU64::new(0) }; 3]);

/// How many looks ended in which way.
#[derive(Debug)]
pub struct Looks([AtomicU64; 3]);

impl Looks {
    /// Counts one.
    pub fn count(&self, outcome: Outcome) {
        let [unchanged, changed, failed] = &self.0;
        match outcome {
            Outcome::Unchanged => unchanged,
            Outcome::Changed => changed,
            Outcome::Failed => failed,
        }
        .fetch_add(1, Relaxed);
    }

    /// The counts by outcome.
    #[must_use]
    pub fn counts(&self) -> [(&'static str, u64); 3] {
        let [unchanged, changed, failed] = &self.0;
        [
            ("unchanged", unchanged.load(Relaxed)),
            ("changed", changed.load(Relaxed)),
            ("failed", failed.load(Relaxed)),
        ]
    }
}
