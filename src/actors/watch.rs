//! Owns whether anybody else writes to the database: as long as nobody does, what this node read and has not moved itself
//! still holds, and need not be read again.
//!
//! One look every `LOOK_EVERY` for all accounts together, and only while somebody asks; of PostgreSQL, which answers all its nodes, only
//! while there are more questions than looks. A look that is late makes nothing wrong: what was read is then read again.

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
    /// Questions that no look answered.
    unanswered: AtomicU64,
    mark: AtomicU64,
}

/// Whether looks are worth their price: fewer of them than questions.
#[derive(Debug, Default)]
struct Worth {
    is_worth: bool,
    rounds: u64,
    /// Of these rounds: questions while there are no looks, rounds without a question while there are.
    count: u64,
}

impl Worth {
    /// Rounds that are judged together.
    const JUDGED: u64 = 16;

    /// One round more, with so many questions that no look answered, in which somebody asked at all or nobody did.
    fn after(&mut self, unanswered: u64, was_asked: bool) -> bool {
        self.rounds += 1;
        self.count += match self.is_worth {
            true => u64::from(!was_asked),
            false => unanswered,
        };
        if self.rounds == Self::JUDGED {
            self.is_worth = match self.is_worth {
                true => self.count <= Self::JUDGED / 4,
                false => self.count >= Self::JUDGED * 2,
            };
            (self.rounds, self.count) = (0, 0);
        }
        self.is_worth
    }
}

impl Watch {
    /// Begins to look, on `arbiter`, until the last clone is gone.
    #[must_use]
    pub fn start(arbiter: &ArbiterHandle, store: Store) -> Self {
        let inner = Arc::new(Inner {
            begun: Moment::now(),
            looked: AtomicU64::new(0),
            asked: AtomicU64::new(0),
            unanswered: AtomicU64::new(0),
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
        if now.saturating_sub(inner.asked.load(Relaxed)) > micros(LOOK_EVERY / 2) {
            inner.asked.store(now, Relaxed);
        }
        let looked = inner.looked.load(Acquire);
        if looked != 0 && now.saturating_sub(looked) < micros(RELIED_ON) {
            return Some(inner.mark.load(Acquire));
        }
        inner.unanswered.fetch_add(1, Relaxed);
        None
    }
}

/// Looks again and again, while somebody asks.
async fn keep(watched: Weak<Inner>, store: Store) {
    let (mut worth, mut asked_before) = (Worth::default(), 0);
    loop {
        actix_rt::time::sleep(LOOK_EVERY).await;
        let Some(inner) = watched.upgrade() else {
            return;
        };
        let now = inner.now();
        let asked = inner.asked.load(Relaxed);
        let unanswered = inner.unanswered.swap(0, Relaxed);
        let was_asked = std::mem::replace(&mut asked_before, asked) != asked;
        let is_worth = !store.is_remote() || worth.after(unanswered, was_asked);
        if !is_worth || asked == 0 || now.saturating_sub(asked) > micros(IDLE_AFTER) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_are_made_while_questions_are_more_than_they_are() {
        let mut worth = Worth::default();
        let mut rounds = |count: u64, unanswered: u64, asked_every: u64| {
            (0..count).fold(false, |_, round| {
                let was_asked = round % asked_every == 0;
                worth.after(if was_asked { unanswered } else { 0 }, was_asked)
            })
        };
        // 20 questions a second are answered one by one, 300 by looks, down to 50 and not below.
        assert!(!rounds(160, 1, 3));
        assert!(rounds(16, 6, 1));
        assert!(rounds(160, 0, 1));
        assert!(!rounds(32, 0, 2));
        assert!(!rounds(160, 1, 1));
    }
}
