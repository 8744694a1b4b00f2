//! Owns what this node knows of the queue that nodes share, the runs that are written down for whichever has a place first: whether some
//! wait there and how many, whose runs would wait for their account wherever they were begun, and when it is worth asking the database again.

use crate::domain::id::UserId;
use crate::store::presence::Others;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::Instant;

/// How long a count of those that wait is kept, and how many times as long as it took: to count thousands takes the database a while, and
/// orders may come by the thousand a second.
const COUNT_KEPT: Duration = Duration::from_millis(10);
const COUNTING_SHARE: u32 = 20;

/// The queue as this node knows it. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Queue(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    others: Others,
    is_waiting: AtomicBool,
    held_up: Mutex<HashMap<UserId, usize>>,
    changed: Notify,
    counted: tokio::sync::Mutex<Option<Counted>>,
    /// Orders that wait to be told how many wait.
    asking: AtomicUsize,
}

/// How many wait, as it was counted last.
#[derive(Debug)]
struct Counted {
    waiting: u64,
    /// Orders of this node that it may not have in it.
    since: u64,
    until: Instant,
}

impl Queue {
    /// That of a node which has these beside it.
    #[must_use]
    pub fn of(others: Others) -> Self {
        Self(Arc::new(Inner {
            others,
            ..Inner::default()
        }))
    }

    /// Whether other nodes carry out runs and take new ones.
    #[must_use]
    pub fn has_others(&self) -> bool {
        self.0.others.are_at_work()
    }

    /// Whether runs wait in it that this node could not take: whoever comes now stands behind them.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.0.is_waiting.load(SeqCst)
    }

    /// Notes whether runs wait in it.
    pub fn note_waiting(&self, is_waiting: bool) {
        self.0.is_waiting.store(is_waiting, SeqCst);
    }

    /// How many wait with one more, an order of this node of which so many are `under_way`, itself and those that are asking among them.
    /// `count` asks the database; orders that come together share its answer, and those in between are added to it.
    ///
    /// # Errors
    /// Those of `count`.
    pub async fn with_one_more<E>(
        &self,
        under_way: impl FnOnce() -> usize,
        count: impl AsyncFnOnce() -> Result<u64, E>,
    ) -> Result<u64, E> {
        let asking = Asking::one(&self.0.asking);
        let mut counted = self.0.counted.lock().await;
        let asked = Instant::now();
        let counted = match &mut *counted {
            Some(counted) if asked < counted.until => {
                counted.since += 1;
                counted
            }
            stale => {
                // They may be written down by the time that is counted, or not; whoever still asks is added then.
                let still_asking = self.0.asking.load(SeqCst) - 1;
                let since = under_way().saturating_sub(still_asking) as u64;
                let waiting = count().await?;
                let took = asked.elapsed();
                stale.insert(Counted {
                    waiting,
                    since,
                    until: Instant::now() + COUNT_KEPT.max(took * COUNTING_SHARE),
                })
            }
        };
        drop(asking);
        Ok(counted.waiting + counted.since)
    }

    /// Waits until a place may have become free for what waits in it, though no run has ended.
    pub async fn changed(&self) {
        self.0.changed.notified().await;
    }

    /// Notes that a run of an account waits here for its account, as long as the answer lives. It keeps its place from nobody, and
    /// further runs of the account are left in the queue.
    #[must_use]
    pub(super) fn hold_up(&self, user_id: UserId) -> HeldUp {
        *self.held_up_here().entry(user_id).or_default() += 1;
        self.0.changed.notify_one();
        HeldUp(self.clone(), user_id)
    }

    /// How many runs wait here for their account.
    #[must_use]
    pub fn held_up(&self) -> usize {
        self.held_up_here().values().sum()
    }

    /// Whose they are.
    #[must_use]
    pub fn accounts_held_up(&self) -> Vec<UserId> {
        self.held_up_here().keys().copied().collect()
    }

    fn held_up_here(&self) -> MutexGuard<'_, HashMap<UserId, usize>> {
        let held_up = self.0.held_up.lock();
        held_up.unwrap_or_else(PoisonError::into_inner)
    }
}

/// Counts an order while it asks.
struct Asking<'a>(&'a AtomicUsize);

impl<'a> Asking<'a> {
    fn one(asking: &'a AtomicUsize) -> Self {
        asking.fetch_add(1, SeqCst);
        Self(asking)
    }
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, SeqCst);
    }
}

/// A run that waits for its account.
#[derive(Debug)]
pub(super) struct HeldUp(Queue, UserId);

impl Drop for HeldUp {
    fn drop(&mut self) {
        let Self(queue, user_id) = self;
        let mut held_up = queue.held_up_here();
        if let Some(count) = held_up.get_mut(user_id) {
            *count -= 1;
            if *count == 0 {
                held_up.remove(user_id);
            }
        }
        drop(held_up);
        // More of the account's may have been left there.
        queue.note_waiting(true);
        queue.0.changed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use tokio::time::{advance, sleep};

    #[test]
    fn an_account_is_held_up_while_one_of_its_runs_is_and_then_the_queue_is_asked_again() {
        let queue = Queue::default();
        let (one, other) = (UserId::new(), UserId::new());
        let [first, second, third] = [one, one, other].map(|user_id| queue.hold_up(user_id));
        drop((first, third));
        assert_eq!(queue.held_up(), 1);
        assert_eq!(queue.accounts_held_up(), [one]);
        queue.note_waiting(false);
        drop(second);
        assert!(queue.is_waiting());
        assert!(queue.accounts_held_up().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn orders_between_two_counts_are_added_and_counting_takes_a_twentieth_of_the_time() {
        let (queue, asked) = (Queue::default(), Cell::new(0));
        let with_one_more = async |waiting: u64, takes: Duration| {
            let counted = queue.with_one_more(
                || 4,
                async || {
                    asked.set(asked.get() + 1);
                    sleep(takes).await;
                    Ok::<_, ()>(waiting)
                },
            );
            counted.await.unwrap()
        };
        let quick = Duration::ZERO;
        assert_eq!(with_one_more(7, quick).await, 11);
        assert_eq!(with_one_more(0, quick).await, 12);
        assert_eq!(with_one_more(0, quick).await, 13);
        assert_eq!(asked.get(), 1);
        advance(COUNT_KEPT).await;
        // Two that come together share one answer, which took long and is kept so much longer.
        let slow = Duration::from_millis(4);
        let both = futures_util::future::join(with_one_more(50, slow), with_one_more(50, slow));
        assert_eq!(both.await, (54, 55), "the second is counted once");
        advance(slow * COUNTING_SHARE - Duration::from_millis(1)).await;
        assert_eq!(with_one_more(0, quick).await, 56);
        assert_eq!(asked.get(), 2);
        advance(Duration::from_millis(1)).await;
        assert_eq!(with_one_more(0, quick).await, 4);
    }

    #[tokio::test(start_paused = true)]
    async fn a_count_that_failed_is_asked_for_again() {
        let queue = Queue::default();
        let failed = queue.with_one_more(|| 1, async || Err("gone")).await;
        assert_eq!(failed, Err("gone"));
        let counted = queue.with_one_more(|| 1, async || Ok::<_, ()>(4)).await;
        assert_eq!(counted, Ok(5));
    }
}
