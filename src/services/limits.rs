//! Owns how requests and tries are counted: on this node alone where it is the only one, else on windows and logs that all nodes share, and
//! on the node's share of each limit while their server is away.

use crate::actors::limiter::Limiters;
use crate::cluster::windows::Windows;
use crate::domain::attempts::{Attempts, Counted, Kind, whole_seconds};
use crate::domain::clock::{Clock, Timestamp};
use crate::domain::observation::SharedWindows;
use crate::domain::quota::{Admission, Cell, Class, Surface, Verdict, WINDOW, share};
use crate::services::attempts::{KEYS, KEYS_PER_MINUTE, KINDS, subscriber};
use crate::store::presence::Nodes;
use crate::telemetry::lasting::lasting;
use std::net::IpAddr;
use std::sync::Arc;
use tokio::sync::Notify;

/// Counts requests and tries. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Limits {
    clock: Clock,
    shared: Option<Windows>,
    nodes: Nodes,
    limiters: Limiters,
    /// What was tried on this node. Where nodes share their logs, it is held for as long as the node has to decide by itself.
    attempts: Arc<Attempts>,
}

/// A try that was let through, for who has to take it back.
#[derive(Debug, Clone)]
pub struct Attempt {
    kind: Kind,
    who: String,
    at: Timestamp,
}

impl Limits {
    /// On windows that are shared; on none but this node's where there are none. When it returns, their server was tried once.
    pub async fn start(
        shared: Option<Windows>,
        limiters: &Limiters,
        nodes: Nodes,
        clock: Clock,
    ) -> Self {
        let limits = Self {
            clock,
            shared,
            nodes,
            limiters: limiters.clone(),
            attempts: Arc::new(Attempts::new(&KINDS)),
        };
        if let Some(shared) = limits.shared.clone() {
            let counting = limits.clone();
            let tried = Arc::new(Notify::new());
            let first = Arc::clone(&tried);
            tokio::spawn(lasting("shared windows", move || {
                let counting = counting.clone();
                let counted = move |set_by| {
                    counting.shift(set_by);
                    counting.counted()
                };
                shared.clone().keep(counted, Arc::clone(&tried))
            }));
            first.notified().await;
        }
        limits
    }

    /// Everything that counts on this node now.
    #[must_use]
    pub fn counted(&self) -> Vec<Counted> {
        let now = self.now();
        let mut all = self.attempts.counted(now);
        for cell in self.limiters.cells() {
            let windows = cell.counted(now).into_iter();
            all.extend(windows.map(|(name, at)| Counted {
                name,
                kept: WINDOW,
                at,
            }));
        }
        all
    }

    /// Takes up what counted in an earlier process, by the clock of the windows.
    pub fn restore(&self, name: &str, at: &[Timestamp]) {
        self.attempts.restore(name, at);
        self.limiters.restore(name, at);
    }

    /// Moves everything that counts by so many microseconds: the clock of the windows was set.
    fn shift(&self, micros: i64) {
        if micros != 0 {
            let cells = self.limiters.cells();
            cells.iter().for_each(|cell| cell.shift(micros));
            self.attempts.shift(micros);
        }
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
        let (cell, at) = (admission.cell.clone(), admission.at);
        let (surface, class) = (admission.surface, admission.class);
        let here = admission.take_back(self.now());
        let Some(shared) = self.shared.clone() else {
            return here;
        };
        tokio::spawn(async move {
            let name = cell.name(surface, class);
            shared.take_back(&name, at).await;
        });
        said.map_or(here, |said| Verdict {
            remaining: said.remaining.saturating_add(1),
            ..said
        })
    }

    /// Counts a failed authentication by key, by the address it came from; not admitted means that the address has had too many.
    pub async fn count_failure(&self, address: IpAddr) -> Verdict {
        let who = subscriber(address).to_string();
        if let Some(shared) = &self.shared {
            let name = name(KEYS, &who);
            if let Some((verdict, at)) = shared.admit(&name, KEYS_PER_MINUTE).await {
                if verdict.admitted {
                    self.attempts.note(KEYS, &who, at);
                }
                return verdict;
            }
        }
        let (kind, now) = (self.own(KEYS), self.now());
        let admitted = self.attempts.count(kind, &who, now).is_ok();
        let limit = self.share_of(KEYS_PER_MINUTE);
        Verdict {
            admitted,
            ..self.attempts.look(kind, &who, limit, now)
        }
    }

    /// What the window of an address says; counts nothing.
    #[must_use]
    pub fn failures(&self, address: IpAddr) -> Verdict {
        let who = subscriber(address).to_string();
        let now = self.now();
        self.attempts.look(KEYS, &who, KEYS_PER_MINUTE, now)
    }

    /// Counts a try, on all nodes where they share their logs, or says how many seconds to wait. It is counted before it is known how it
    /// turns out, so that many at once are no way past the rule.
    ///
    /// # Errors
    /// Seconds after which another try is let through.
    pub async fn attempt(&self, kind: Kind, who: String) -> Result<Attempt, u32> {
        if let Some(shared) = &self.shared {
            let decided = shared.attempt(&name(kind, &who), kind.rule).await;
            if let Some((wait, at)) = decided {
                if !wait.is_zero() {
                    return Err(whole_seconds(wait));
                }
                self.attempts.note(kind, &who, at);
                return Ok(Attempt { kind, who, at });
            }
        }
        let at = self.now();
        self.attempts.count(self.own(kind), &who, at)?;
        Ok(Attempt { kind, who, at })
    }

    /// Takes back one try that turned out well; the others stay.
    pub async fn withdraw(&self, Attempt { kind, who, at }: &Attempt) {
        self.attempts.take_back(*kind, who, *at);
        if let Some(shared) = &self.shared {
            shared.take_back(&name(*kind, who), *at).await;
        }
    }

    /// Forgets all tries of somebody who then was right.
    pub async fn forgive(&self, Attempt { kind, who, .. }: &Attempt) {
        self.attempts.forgive(*kind, who);
        if let Some(shared) = &self.shared {
            shared.forget(&name(*kind, who)).await;
        }
    }

    /// What this node lets through of a kind by itself.
    fn own(&self, kind: Kind) -> Kind {
        match &self.shared {
            Some(_) => Kind {
                rule: kind.rule.share(self.nodes.count()),
                ..kind
            },
            None => kind,
        }
    }

    /// What this node may admit by itself.
    fn share_of(&self, limit: u32) -> u32 {
        match &self.shared {
            Some(_) => share(limit, self.nodes.count()),
            None => limit,
        }
    }

    /// What an operator sees of the shared windows; `None` where there are none.
    #[must_use]
    pub fn observe(&self) -> Option<SharedWindows> {
        self.shared.as_ref().map(Windows::observe)
    }
}

/// By what nodes that share a log call it.
fn name(kind: Kind, who: &str) -> String {
    format!("{}:{who}", kind.name)
}
