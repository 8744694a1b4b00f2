//! Owns whether anybody else writes to the database: as long as nobody does, what this node read and has not moved itself
//! still holds, and need not be read again.
//!
//! One look every `LOOK_EVERY` for all accounts together, and only while somebody asks. A look that is late makes nothing
//! wrong: what was read is then read again.

use crate::store::connection::Store;
use crate::telemetry::lasting::lasting;
use crate::telemetry::measure::Moment;
use actix::prelude::*;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::{Arc, Weak};
use std::time::Duration;

/// How often is looked.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// How long a look is relied on: nobody can tell a balance that is 50 ms old from one that travelled 50 ms longer.
const RELIED_ON: Duration = Duration::from_millis(50);
/// How long it is looked on after the last question.
const IDLE_AFTER: Duration = Duration::from_secs(1);

/// The last look. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Watch(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    begun: Moment,
    /// Microseconds after `begun`; 0 for never.
    looked: AtomicU64,
    asked: AtomicU64,
    mark: AtomicU64,
}

impl Watch {
    /// Begins to look, on `arbiter`, until the last clone is gone.
    #[must_use]
    pub fn start(arbiter: &ArbiterHandle, store: Store) -> Self {
        let inner = Arc::new(Inner {
            begun: Moment::now(),
            looked: AtomicU64::new(0),
            asked: AtomicU64::new(0),
            mark: AtomicU64::new(0),
        });
        let watched = Arc::downgrade(&inner);
        arbiter.spawn(lasting("balances", move || {
            keep(Weak::clone(&watched), store.clone())
        }));
        Self(inner)
    }

    /// The mark of what the database holds, when that was looked at a moment ago. What was read under the same mark still holds,
    /// but for what this node moved itself.
    #[must_use]
    pub fn mark(&self) -> Option<u64> {
        let inner = &self.0;
        let now = inner.now();
        // Every request asks: what is written each time would travel from core to core.
        if now.saturating_sub(inner.asked.load(Relaxed)) > micros(LOOK_EVERY) {
            inner.asked.store(now, Relaxed);
        }
        let looked = inner.looked.load(Acquire);
        (looked != 0 && now.saturating_sub(looked) < micros(RELIED_ON))
            .then(|| inner.mark.load(Acquire))
    }
}

/// Looks again and again, while somebody asks.
async fn keep(watched: Weak<Inner>, store: Store) {
    loop {
        actix_rt::time::sleep(LOOK_EVERY).await;
        let Some(inner) = watched.upgrade() else {
            return;
        };
        let now = inner.now();
        let asked = inner.asked.load(Relaxed);
        if asked == 0 || now.saturating_sub(asked) > micros(IDLE_AFTER) {
            continue;
        }
        match store.mark().await {
            Ok(mark) => {
                let mut hasher = DefaultHasher::new();
                mark.hash(&mut hasher);
                // The mark first: whoever sees the new time sees the new mark too.
                inner.mark.store(hasher.finish(), Release);
                inner.looked.store(now, Release);
            }
            Err(_) => inner.looked.store(0, Release),
        }
    }
}

impl Inner {
    fn now(&self) -> u64 {
        micros(Moment::now().since(self.begun)).max(1)
    }
}

fn micros(span: Duration) -> u64 {
    u64::try_from(span.as_micros()).unwrap_or(u64::MAX)
}
