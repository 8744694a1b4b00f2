//! Owns what a run is begun with: its ticket, and the place that it takes of its account and of the node.

use crate::domain::clock::Timestamp;
use crate::domain::credits::Credits;
use crate::domain::generation::{Hears, Order};
use crate::domain::id::{RunId, SkillId, UserId};
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
    /// The slot of the node.
    pub(super) turn: Turn,
}

impl Place {
    /// Takes both where they are free now.
    pub(super) fn take(account: Arc<Semaphore>, node: Places) -> Option<Self> {
        let account = account.try_acquire_owned().ok()?;
        let own = Arc::clone(&node.working).try_acquire_owned().ok()?;
        Some(Self {
            _account: account,
            turn: Turn::at(node, own),
        })
    }

    /// Waits for both. The account's slot first: a run that waits for its own account must not hold a place of the node. `None` at
    /// the end of all runs.
    pub(super) async fn wait_for(account: Arc<Semaphore>, node: Places) -> Option<Self> {
        let account = account.acquire_owned().await.ok()?;
        let own = Arc::clone(&node.working).acquire_owned().await.ok()?;
        Some(Self {
            _account: account,
            turn: Turn::at(node, own),
        })
    }
}
