//! Owns how a request is counted: on its key's cell alone where this is the only node, else on windows that all nodes share, and on the
//! node's share of each limit while their server is away.

use crate::actors::limiter::Limiters;
use crate::cluster::windows::{Counted, Windows};
use crate::domain::clock::{Clock, Timestamp};
use crate::domain::observation::SharedWindows;
use crate::domain::quota::{Admission, Cell, Class, Surface, Verdict};
use crate::store::presence::Nodes;
use std::sync::Arc;
use tokio::sync::oneshot;

/// Counts requests. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Limits {
    clock: Clock,
    shared: Option<Windows>,
    nodes: Nodes,
}

impl Limits {
    /// On the windows of the server at `url`; on none but this node's where that is empty. When it returns, that server was tried once.
    ///
    /// # Errors
    /// In words for an operator, when that is no address of a server.
    pub async fn start(
        url: &str,
        limiters: &Limiters,
        nodes: Nodes,
        clock: Clock,
    ) -> Result<Self, String> {
        let shared = match url {
            "" => None,
            url => Some(
                Windows::new(url, clock.clone())
                    .map_err(|error| format!("setting cluster.url: {error}"))?,
            ),
        };
        let limits = Self {
            clock,
            shared,
            nodes,
        };
        if let Some(shared) = limits.shared.clone() {
            let (limiters, asked) = (limiters.clone(), shared.clone());
            let (tried, first) = oneshot::channel();
            let counted = move |set_by| counted(&limiters, &asked, set_by);
            tokio::spawn(shared.keep(counted, tried));
            let _ = first.await;
        }
        Ok(limits)
    }

    /// Whether nodes share their windows, so that a request may have to wait for its verdict.
    #[must_use]
    pub const fn are_shared(&self) -> bool {
        self.shared.is_some()
    }

    /// The time by the clock of the windows.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        match &self.shared {
            Some(shared) => shared.now(),
            None => self.clock.steady(),
        }
    }

    /// Whole seconds between the clock of the windows and the time of day, for those who are told when a window resets.
    #[must_use]
    pub fn set_forward_s(&self) -> i64 {
        match &self.shared {
            Some(_) => 0,
            None => self.clock.set_forward_s(),
        }
    }

    /// Admits and counts a request, or refuses it, and when. It waits for nobody unless [`Limits::are_shared`].
    pub async fn admit(&self, cell: &Cell, surface: Surface, class: Class) -> (Verdict, Timestamp) {
        let limit = cell.limit(class);
        if let Some(shared) = &self.shared {
            let decided = shared.admit(&cell.name(surface, class), limit).await;
            if let Some((verdict, at)) = decided {
                if verdict.admitted {
                    cell.note(surface, class, at);
                }
                return (verdict, at);
            }
        }
        let now = self.now();
        let verdict = cell.admit_up_to(self.share_of(limit), surface, class, now);
        (verdict, now)
    }

    /// What a window says without counting anything.
    pub async fn look(&self, cell: &Cell, surface: Surface, class: Class) -> Verdict {
        if let Some(shared) = &self.shared {
            let name = cell.name(surface, class);
            if let Some(verdict) = shared.look(&name, cell.limit(class)).await {
                return verdict;
            }
        }
        cell.look(surface, class, self.now())
    }

    /// Takes back a request that was admitted and told to come again for another reason; what its window says now, by what it `said` then.
    pub fn take_back(&self, admission: Admission, said: Option<Verdict>) -> Verdict {
        let (cell, at) = (Arc::clone(&admission.cell), admission.at);
        let (surface, class) = (admission.surface, admission.class);
        let here = admission.take_back(self.now());
        let Some(shared) = self.shared.clone() else {
            return here;
        };
        tokio::spawn(async move {
            let name = cell.name(surface, class);
            shared.take_back(&name, cell.limit(class), at).await;
        });
        said.map_or(here, |said| Verdict {
            remaining: said.remaining.saturating_add(1),
            ..said
        })
    }

    /// Counts something that no key has a window for on the shared one of that name; `None` when the node decides by itself, within
    /// [`Limits::share_of`] its limit.
    pub async fn count(&self, name: &str, limit: u32) -> Option<(Verdict, Timestamp)> {
        match &self.shared {
            Some(shared) => shared.admit(name, limit).await,
            None => None,
        }
    }

    /// What this node may admit by itself.
    #[must_use]
    pub fn share_of(&self, limit: u32) -> u32 {
        match &self.shared {
            Some(_) => (limit / self.nodes.count()).max(1),
            None => limit,
        }
    }

    /// What an operator sees of the shared windows; `None` where there are none.
    #[must_use]
    pub fn observe(&self) -> Option<SharedWindows> {
        self.shared.as_ref().map(Windows::observe)
    }
}

/// What all keys' windows count, after they were moved with a clock that was set.
fn counted(limiters: &Limiters, shared: &Windows, set_by: i64) -> Counted {
    let cells = limiters.cells();
    if set_by != 0 {
        cells.iter().for_each(|cell| cell.shift(set_by));
    }
    let now = shared.now();
    cells.iter().flat_map(|cell| cell.counted(now)).collect()
}
