//! Owns what this node knows of the queue that nodes share, the runs that are written down for whichever has a place first: whether some
//! wait there, whose runs would wait for their account wherever they were begun, and when it is worth asking the database again.

use crate::domain::id::UserId;
use crate::store::presence::Others;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// The queue as this node knows it. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Queue(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    others: Others,
    is_waiting: AtomicBool,
    held_up: Mutex<HashMap<UserId, usize>>,
    changed: Notify,
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
}
