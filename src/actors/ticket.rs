//! Owns what a run is begun with: its ticket, and the place that it takes of its account and of the node.

use crate::actors::figures::Gauge;
use crate::actors::slots::{Slot, Slots};
use crate::domain::clock::Timestamp;
use crate::domain::credits::Credits;
use crate::domain::generation::{Hears, Order};
use crate::domain::id::{RunId, SkillId, UserId};
use crate::domain::lent::Lent;
use crate::pipeline::turn::{Places, Turn};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tracing::Span;

/// A run that is charged and written down, to be carried out.
#[derive(Debug)]
pub struct Ticket {
    /// Its identity.
    pub run_id: RunId,
    /// Who paid.
    pub user_id: UserId,
    /// What to make.
    pub order: Order,
    /// The skills it makes, in the order of the topics.
    pub skills: Vec<SkillId>,
    /// What was charged.
    pub charged: Credits,
    /// The place that was taken for it before it was charged; without one it was written down as waiting.
    pub place: Option<Place>,
    /// How long it may take from when it is begun.
    pub time_left: Duration,
    /// When it was ordered.
    pub ordered_at: Timestamp,
    /// How often it was begun, this time included.
    pub attempts: u32,
    /// The part of a trace that it belongs to.
    pub span: Span,
    /// What its spectator wants to hear.
    pub hears: Hears,
}

/// A slot of the account and one of the node: whoever holds both runs. While a run waits for a page it holds that of its account alone.
#[derive(Debug)]
pub struct Place {
    _account: OwnedSemaphorePermit,
    /// Who counts those of the account.
    _ledger: Lent<Gauge>,
    /// That of the account on all nodes.
    _shared: Slot,
    /// The slot of the node.
    pub(super) turn: Turn,
}

/// An account's slots: how many of its runs go on at once here, and on all nodes.
#[derive(Debug, Clone)]
pub(super) struct Account {
    pub(super) user_id: UserId,
    pub(super) here: Arc<Semaphore>,
    /// How many there are here.
    pub(super) most: usize,
    pub(super) everywhere: Slots,
    pub(super) ledger: Lent<Gauge>,
}

impl Account {
    /// How many are taken here.
    fn taken(&self) -> usize {
        self.most.saturating_sub(self.here.available_permits())
    }

    /// Takes both of its slots where they are free now.
    async fn take(&self, run_id: RunId) -> Option<(OwnedSemaphorePermit, Slot)> {
        let here = Arc::clone(&self.here).try_acquire_owned().ok()?;
        let taken = self.taken();
        let shared = self.everywhere.take(self.user_id, run_id, taken).await?;
        Some((here, shared))
    }

    /// Waits for both.
    async fn wait(&self, run_id: RunId) -> Option<(OwnedSemaphorePermit, Slot)> {
        let here = Arc::clone(&self.here).acquire_owned().await.ok()?;
        let taken = || self.taken();
        let shared = self.everywhere.wait(self.user_id, run_id, taken).await;
        Some((here, shared))
    }
}

impl Place {
    /// Takes all of them where they are free now.
    pub(super) async fn take(run_id: RunId, account: Account, node: Places) -> Option<Self> {
        let here = Arc::clone(&account.here).try_acquire_owned().ok()?;
        let own = Arc::clone(&node.working).try_acquire_owned().ok()?;
        let (user_id, taken) = (account.user_id, account.taken());
        let shared = account.everywhere.take(user_id, run_id, taken).await?;
        Some(Self {
            _account: here,
            _ledger: account.ledger,
            _shared: shared,
            turn: Turn::at(node, own),
        })
    }

    /// Waits for all. The account's slots first: a run that waits for its own account must not hold a place of the node. `None` at
    /// the end of all runs.
    pub(super) async fn wait_for(run_id: RunId, account: Account, node: Places) -> Option<Self> {
        let (here, shared) = match account.take(run_id).await {
            Some(both) => both,
            None => {
                let _held_up = account.everywhere.queue().hold_up(account.user_id);
                account.wait(run_id).await?
            }
        };
        let own = Arc::clone(&node.working).acquire_owned().await.ok()?;
        Some(Self {
            _account: here,
            _ledger: account.ledger,
            _shared: shared,
            turn: Turn::at(node, own),
        })
    }
}
