//! Owns what this node knows of the queue that nodes share, the runs that are written down for whichever has a place first: whether some
//! wait there and how many, whose runs would wait for their account wherever they were begun, and when it is worth asking the database again.

use crate::domain::id::UserId;
use crate::store::presence::Others;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::Instant;

/// How long a count of those that wait is kept, and how many times as long as it took: to count thousands takes the database a while, and
/// orders may come by the thousand a second. However long a database that is busy takes, what left the queue is noticed in time.
const COUNT_KEPT: (Duration, Duration) = (Duration::from_millis(10), Duration::from_millis(250));
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
    counted: tokio::sync::Mutex<Counted>,
}

/// How many wait, as it was counted last.
#[derive(Debug, Default)]
struct Counted {
    waiting: u64,
    /// Orders of this node that it may not have in it.
    since: u64,
    /// When it was asked for.
    asked: Option<Instant>,
    /// Until when it holds.
    until: Option<Instant>,
    /// When it could not be counted.
    failed_at: Option<Instant>,
}

impl Counted {
    fn with_one_more(&self) -> u64 {
        self.waiting + self.since + 1
    }

    /// Whether this settles it for an order that came then.
    fn tells(&self, now: Instant, came: Instant, most: u64) -> bool {
        let is_new = |asked: Instant| asked >= came || now < asked + COUNT_KEPT.0;
        self.until.is_some_and(|until| now < until)
            && (self.with_one_more() <= most || self.asked.is_some_and(is_new))
    }
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

    /// Whether more than `most` would wait with one more, an order of this node of which so many are `under_way`, itself among them; none
    /// where nobody knows. `count` asks the database: orders that come together share its answer, or that there is none, and those that are
    /// let in between two answers are added. Nobody is refused by an old answer: others may have taken what waited.
    pub async fn is_full(
        &self,
        most: u64,
        under_way: impl FnOnce() -> usize,
        count: impl AsyncFnOnce() -> Option<u64>,
    ) -> Option<bool> {
        let came = Instant::now();
        let mut counted = self.0.counted.lock().await;
        if counted.failed_at >= Some(came) {
            return None;
        }
        let asked = Instant::now();
        if !counted.tells(asked, came, most) {
            // They may be written down by the time that is counted, or not.
            let since = under_way().max(1) as u64 - 1;
            let waiting = count().await;
            let now = Instant::now();
            let (least, longest) = COUNT_KEPT;
            let kept = ((now - asked) * COUNTING_SHARE).clamp(least, longest);
            *counted = Counted {
                waiting: waiting.unwrap_or(0),
                since,
                asked: waiting.map(|_| asked),
                until: waiting.map(|_| now + kept),
                failed_at: waiting.is_none().then_some(now),
            };
            waiting?;
        }
        let is_full = counted.with_one_more() > most;
        if !is_full {
            counted.since += 1;
        }
        Some(is_full)
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

    /// Asks whether more than ten would wait, of so many orders under way, where so many wait and it takes so long to count them.
    async fn is_full(queue: &Queue, under_way: usize, waiting: Option<u64>) -> Option<bool> {
        let count = async || {
            sleep(TAKES).await;
            waiting
        };
        queue.is_full(10, || under_way, count).await
    }

    const TAKES: Duration = Duration::from_millis(4);

    #[tokio::test(start_paused = true)]
    async fn orders_between_two_counts_are_added_and_counting_takes_a_twentieth_of_the_time() {
        let queue = Queue::default();
        assert_eq!(is_full(&queue, 2, Some(7)).await, Some(false), "nine");
        advance(TAKES * COUNTING_SHARE - Duration::from_millis(1)).await;
        assert_eq!(is_full(&queue, 1, Some(9)).await, Some(false), "ten");
        advance(Duration::from_millis(1)).await;
        assert_eq!(is_full(&queue, 1, Some(10)).await, Some(true));
        // Those that were refused do not wait.
        advance(COUNT_KEPT.0).await;
        assert_eq!(is_full(&queue, 1, Some(9)).await, Some(false));
    }

    #[tokio::test(start_paused = true)]
    async fn nobody_is_refused_by_a_count_from_before_others_took_what_waited() {
        let queue = Queue::default();
        for _ in 0..2 {
            assert_eq!(is_full(&queue, 1, Some(8)).await, Some(false));
        }
        advance(COUNT_KEPT.0).await;
        assert_eq!(is_full(&queue, 1, Some(2)).await, Some(false));
        // A flood is refused by one count each 10 ms.
        advance(COUNT_KEPT.0 + TAKES * COUNTING_SHARE).await;
        let begun = Instant::now();
        for _ in 0..9 {
            assert_eq!(is_full(&queue, 1, Some(10)).await, Some(true));
        }
        assert_eq!(begun.elapsed(), TAKES);
    }

    #[tokio::test(start_paused = true)]
    async fn orders_that_come_together_are_counted_once_each_and_share_one_answer() {
        let (queue, under_way) = (Queue::default(), Cell::new(1));
        let begun = Instant::now();
        let order = async || {
            under_way.set(under_way.get() + 1);
            let count = async || {
                sleep(TAKES).await;
                Some(7)
            };
            queue.is_full(10, || under_way.get(), count).await
        };
        // One is being charged already.
        let answers = futures_util::future::join3(order(), order(), order()).await;
        assert_eq!(answers, (Some(false), Some(false), Some(true)));
        assert_eq!(begun.elapsed(), TAKES);
    }

    #[tokio::test(start_paused = true)]
    async fn a_count_that_failed_is_nobodys_who_came_before_and_is_asked_for_by_the_next() {
        let queue = Queue::default();
        let begun = Instant::now();
        let three = (0..3).map(|_| is_full(&queue, 3, None));
        let answers = futures_util::future::join_all(three).await;
        assert_eq!(answers, [None, None, None]);
        assert_eq!(
            begun.elapsed(),
            TAKES,
            "they do not wait one after the other"
        );
        advance(Duration::from_millis(1)).await;
        assert_eq!(is_full(&queue, 1, Some(9)).await, Some(false));
    }

    #[tokio::test(start_paused = true)]
    async fn a_database_that_stalled_is_asked_again_soon() {
        let queue = Queue::default();
        let stalled = async || {
            sleep(Duration::from_secs(4)).await;
            Some(10)
        };
        assert_eq!(queue.is_full(10, || 1, stalled).await, Some(true));
        advance(COUNT_KEPT.1).await;
        assert_eq!(is_full(&queue, 1, Some(0)).await, Some(false));
    }
}
