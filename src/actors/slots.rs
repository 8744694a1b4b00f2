//! Owns how many runs of an account go on at once, on all nodes together where they share their windows. A place is held under the run's
//! name for the length of a lease and held anew as leases are, so what a killed node held is free when its runs are taken up.

use crate::actors::queue::Queue;
use crate::cluster::windows::Windows;
use crate::domain::id::{RunId, UserId};
use crate::domain::quota::share;
use crate::store::presence::Nodes;
use crate::telemetry::lasting::lasting;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

/// How often a run that waits asks whether one on another node has ended.
const ASKED_EVERY: Duration = Duration::from_millis(250);

/// The places of accounts that nodes share; none where they share nothing. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Slots {
    shared: Option<Arc<Inner>>,
    queue: Queue,
}

#[derive(Debug)]
struct Inner {
    windows: Windows,
    nodes: Nodes,
    per_account: u32,
    lease: Duration,
    held: Mutex<HashMap<RunId, UserId>>,
}

/// One place, until it is dropped.
#[derive(Debug)]
pub struct Slot(Option<(Arc<Inner>, RunId, UserId)>);

impl Slots {
    /// None that are shared, beside the queue of what waits for one.
    #[must_use]
    pub fn own(queue: Queue) -> Self {
        Self {
            shared: None,
            queue,
        }
    }

    /// What waits for one.
    #[must_use]
    pub fn queue(&self) -> &Queue {
        &self.queue
    }

    /// So many for each account on all nodes that share these windows, each held for a lease.
    #[must_use]
    pub fn shared(
        queue: Queue,
        windows: Windows,
        nodes: Nodes,
        per_account: u32,
        lease: Duration,
    ) -> Self {
        let inner = Arc::new(Inner {
            windows,
            nodes,
            per_account,
            lease,
            held: Mutex::default(),
        });
        let renewed = Arc::downgrade(&inner);
        tokio::spawn(lasting("places of accounts", move || {
            keep(Weak::clone(&renewed), lease / 3)
        }));
        Self {
            shared: Some(inner),
            queue,
        }
    }

    /// Takes a place for a run that has one of its account on this node, where `here` are taken with it; `None` while there is none.
    pub async fn take(&self, user_id: UserId, run_id: RunId, here: usize) -> Option<Slot> {
        let Some(inner) = &self.shared else {
            return Some(Slot(None));
        };
        let decided = inner.hold(user_id, run_id, inner.per_account).await;
        let is_free = decided.unwrap_or_else(|| {
            // A node's share, while nobody knows what the others do.
            let share = share(inner.per_account, inner.nodes.count());
            here <= share as usize
        });
        is_free.then(|| {
            inner.held().insert(run_id, user_id);
            Slot(Some((Arc::clone(inner), run_id, user_id)))
        })
    }

    /// Waits for one.
    pub async fn wait(&self, user_id: UserId, run_id: RunId, here: impl Fn() -> usize) -> Slot {
        loop {
            if let Some(slot) = self.take(user_id, run_id, here()).await {
                return slot;
            }
            tokio::time::sleep(ASKED_EVERY).await;
        }
    }
}

/// Holds what is held anew, again and again.
async fn keep(held: Weak<Inner>, every: Duration) {
    loop {
        tokio::time::sleep(every).await;
        match held.upgrade() {
            Some(inner) => inner.renew().await,
            None => return,
        }
    }
}

impl Inner {
    async fn hold(&self, user_id: UserId, run_id: RunId, most: u32) -> Option<bool> {
        let who = run_id.to_string();
        self.windows
            .hold(&name(user_id), &who, most, self.lease)
            .await
    }

    /// Holds what is held here anew. It is held whoever else does: it was taken when there was room.
    async fn renew(&self) {
        let held: Vec<(RunId, UserId)> = {
            let held = self.held();
            held.iter().map(|(run, user)| (*run, *user)).collect()
        };
        for (run_id, user_id) in held {
            if self.hold(user_id, run_id, u32::MAX).await.is_none() {
                return;
            }
            if !self.held().contains_key(&run_id) {
                self.release(user_id, run_id).await;
            }
        }
    }

    async fn release(&self, user_id: UserId, run_id: RunId) {
        let who = run_id.to_string();
        self.windows.let_go(&name(user_id), &who).await;
    }

    fn held(&self) -> MutexGuard<'_, HashMap<RunId, UserId>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        if let Some((inner, run_id, user_id)) = self.0.take() {
            inner.held().remove(&run_id);
            // Outside of a runtime nobody is left to wait for it; its lease runs out.
            if let Ok(runtime) = tokio::runtime::Handle::try_current() {
                runtime.spawn(async move { inner.release(user_id, run_id).await });
            }
        }
    }
}

fn name(user_id: UserId) -> String {
    format!("running:{user_id}")
}
