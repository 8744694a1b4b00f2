//! Owns what is counted about requests to others: answered, failed, sent again, how long they took.

use crate::domain::vitals::ProviderFigures;
use crate::telemetry::measure::{Histogram, Moment};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// Web pages and what else is fetched for a source.
pub static WEB: Calls = Calls::new("web");
/// The video provider.
pub static VIDEO: Calls = Calls::new("video");
/// The language model.
pub static MODEL: Calls = Calls::new("model");
/// Who takes the money.
pub static PAYMENT: Calls = Calls::new("payment");
/// The mail server.
pub static MAIL: Calls = Calls::new("mail");

/// The bucket of uploaded files.
pub static FILES: Calls = Calls::new("files");

/// What is counted about one of them.
#[derive(Debug)]
pub struct Calls {
    name: &'static str,
    answered: AtomicU64,
    failed: AtomicU64,
    retried: AtomicU64,
    duration: Histogram,
}

/// A request under way. Dropped without a word it counts as failed: who waited for it gave up.
#[derive(Debug)]
pub struct Call {
    calls: &'static Calls,
    begun: Moment,
    is_answered: bool,
}

impl Calls {
    const fn new(name: &'static str) -> Self {
        Self {
            name,
            answered: AtomicU64::new(0),
            failed: AtomicU64::new(0),
            retried: AtomicU64::new(0),
            duration: Histogram::new(),
        }
    }

    /// A request begins.
    #[must_use]
    pub fn begin(&'static self) -> Call {
        Call {
            calls: self,
            begun: Moment::now(),
            is_answered: false,
        }
    }

    /// A request is sent again.
    pub fn again(&self) {
        self.retried.fetch_add(1, Relaxed);
    }

    fn observe(&self) -> ProviderFigures {
        ProviderFigures {
            provider: self.name,
            answered: self.answered.load(Relaxed),
            failed: self.failed.load(Relaxed),
            retried: self.retried.load(Relaxed),
            circuit: None,
            duration: self.duration.spread(),
        }
    }
}

impl Call {
    /// It was answered, or with an error of theirs.
    pub fn ended(mut self, is_answered: bool) {
        self.is_answered = is_answered;
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        let counter = if self.is_answered {
            &self.calls.answered
        } else {
            &self.calls.failed
        };
        counter.fetch_add(1, Relaxed);
        self.calls.duration.record(self.begun, Moment::now());
    }
}

/// The figures of all of them.
#[must_use]
pub fn observe() -> Vec<ProviderFigures> {
    [&WEB, &VIDEO, &MODEL, &PAYMENT, &MAIL, &FILES]
        .map(Calls::observe)
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_that_is_given_up_counts_as_failed() {
        static CALLS: Calls = Calls::new("test");
        CALLS.begin().ended(true);
        CALLS.begin().ended(false);
        drop(CALLS.begin());
        CALLS.again();
        let figures = CALLS.observe();
        assert_eq!(
            (figures.answered, figures.failed, figures.retried),
            (1, 2, 1)
        );
        assert_eq!(figures.duration.count, 3);
    }
}
