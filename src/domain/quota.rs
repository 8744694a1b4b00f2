//! Owns the exact sliding window: at most N requests in every half-open interval of a minute, to the microsecond (decision 44).
//!
//! A log of the admissions within the last minute answers exactly what counters and leaky buckets only approximate: a request is
//! admitted while there are fewer than N. Refusals are not logged, so being refused costs nothing.

use crate::domain::clock::Timestamp;
use crate::domain::id::KeyId;
use crate::domain::lent::Lent;
use std::collections::VecDeque;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The length of every window.
pub const WINDOW: Duration = Duration::from_secs(60);

/// A node's part of a limit, of so many nodes; at least one.
#[must_use]
pub const fn share(limit: u32, nodes: u32) -> u32 {
    let part = limit / if nodes == 0 { 1 } else { nodes };
    if part == 0 { 1 } else { part }
}

/// The log of one window of one key: the admissions that still count, oldest first, at most `limit`.
#[derive(Debug, Clone)]
pub struct Window {
    counted: VecDeque<i64>,
    limit: u32,
}

/// What a window said of one request, and what the limit headers show (decision 45).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    /// Whether the request was admitted.
    pub admitted: bool,
    /// Most requests a window.
    pub limit: u32,
    /// How many more would be admitted now.
    pub remaining: u32,
    /// The Unix second at which the oldest counted request has left the window.
    pub reset_unix_s: i64,
    /// Whole seconds, at least 1, after which a request is admitted.
    pub retry_after_s: u32,
}

const SECOND: i64 = 1_000_000;

impl Verdict {
    /// What is said at `now` of a window in which so many count, the oldest since `oldest`.
    #[must_use]
    pub fn of(limit: u32, inside: u32, oldest: Option<Timestamp>, now: Timestamp) -> Self {
        let micros = now.micros();
        let leaves = oldest
            .unwrap_or(now)
            .micros()
            .saturating_add(window_micros());
        Self {
            admitted: inside < limit,
            limit,
            remaining: limit.saturating_sub(inside),
            reset_unix_s: ceil_seconds(leaves),
            retry_after_s: u32::try_from(ceil_seconds(leaves.saturating_sub(micros)))
                .unwrap_or(1)
                .max(1),
        }
    }
}

impl Window {
    /// An empty window that admits `limit` requests a minute; a limit of zero counts as one.
    #[must_use]
    pub fn new(limit: u32) -> Self {
        Self {
            counted: VecDeque::new(),
            limit: limit.max(1),
        }
    }

    /// Admits so many a minute from now on.
    pub fn set_limit(&mut self, limit: u32) {
        self.limit = limit.max(1);
    }

    /// Admits and counts a request at `now`, or refuses it. Each admission enters once and leaves once, so the cost is constant.
    pub fn admit(&mut self, now: Timestamp) -> Verdict {
        self.admit_up_to(self.limit, now)
    }

    /// The same under a limit of this moment: a node's share of the window's own.
    pub fn admit_up_to(&mut self, limit: u32, now: Timestamp) -> Verdict {
        self.forget_until(now);
        let admitted = self.counted.len() < limit as usize;
        if admitted {
            self.counted.push_back(now.micros());
        }
        Verdict {
            admitted,
            ..self.verdict(limit, now)
        }
    }

    /// Counts what was admitted elsewhere for this node.
    pub fn note(&mut self, at: Timestamp) {
        self.forget_until(at);
        self.counted.push_back(at.micros());
    }

    /// Moves everything that is counted: the clock by which it was counted was set.
    pub fn shift(&mut self, micros: i64) {
        for at in &mut self.counted {
            *at = at.saturating_add(micros);
        }
    }

    /// Takes back what was admitted at an instant, once: it turned out not to count.
    pub fn take_back(&mut self, at: Timestamp) {
        if let Some(place) = self.counted.iter().rposition(|entry| *entry == at.micros()) {
            self.counted.remove(place);
        }
    }

    /// What the headers say at `now` without counting anything.
    pub fn look(&mut self, now: Timestamp) -> Verdict {
        self.forget_until(now);
        self.verdict(self.limit, now)
    }

    /// Whether nothing is counted any more, so that the window can be forgotten.
    #[must_use]
    pub fn is_idle(&self, now: Timestamp) -> bool {
        // The newest admission leaves last.
        self.counted
            .back()
            .is_none_or(|newest| *newest <= horizon(now))
    }

    fn forget_until(&mut self, now: Timestamp) {
        let horizon = horizon(now);
        while self
            .counted
            .pop_front_if(|oldest| *oldest <= horizon)
            .is_some()
        {}
    }

    fn verdict(&self, limit: u32, now: Timestamp) -> Verdict {
        let inside = u32::try_from(self.counted.len()).unwrap_or(u32::MAX);
        let oldest = self.counted.front().copied().map(Timestamp::from_micros);
        Verdict::of(limit, inside, oldest, now)
    }

    /// The admissions that still count at `now`, oldest first.
    #[must_use]
    pub fn counted(&self, now: Timestamp) -> Vec<Timestamp> {
        let horizon = horizon(now);
        self.counted
            .iter()
            .copied()
            .filter(|entry| *entry > horizon)
            .map(Timestamp::from_micros)
            .collect()
    }
}

/// The two surfaces, which have separate windows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Surface {
    /// `/api/v1`.
    Rest,
    /// `/api`.
    Application,
}

/// The two classes of request, which have separate windows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// Requests that generate: few a minute.
    Generate,
    /// Everything else.
    Other,
}

/// How many requests of each class are admitted a minute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rates {
    /// Of [`Class::Generate`].
    pub generate_per_minute: u32,
    /// Of [`Class::Other`].
    pub other_per_minute: u32,
}

/// The four windows of one key. The limiter owns it; a request is admitted on it without waiting for anybody. Where nodes share their
/// windows, it holds what this node admitted, for as long as it has to decide by itself.
#[derive(Debug)]
pub struct Cell {
    owner: KeyId,
    /// Most requests a minute, of [`Class::Generate`] and of [`Class::Other`].
    limits: [AtomicU32; 2],
    windows: [Mutex<Window>; 4],
}

impl Cell {
    /// Empty windows of a key.
    #[must_use]
    pub fn new(owner: KeyId, rates: Rates) -> Self {
        let window = |limit| Mutex::new(Window::new(limit));
        Self {
            owner,
            limits: [rates.generate_per_minute, rates.other_per_minute].map(AtomicU32::new),
            windows: [
                window(rates.generate_per_minute),
                window(rates.other_per_minute),
                window(rates.generate_per_minute),
                window(rates.other_per_minute),
            ],
        }
    }

    /// Admits and counts a request, or refuses it.
    #[must_use]
    pub fn admit(&self, surface: Surface, class: Class, now: Timestamp) -> Verdict {
        self.window(surface, class).admit(now)
    }

    /// What a window says at `now` without counting anything.
    #[must_use]
    pub fn look(&self, surface: Surface, class: Class, now: Timestamp) -> Verdict {
        self.window(surface, class).look(now)
    }

    /// Admits and counts a request within a node's share of the limit, or refuses it.
    #[must_use]
    pub fn admit_up_to(
        &self,
        limit: u32,
        surface: Surface,
        class: Class,
        now: Timestamp,
    ) -> Verdict {
        self.window(surface, class).admit_up_to(limit, now)
    }

    /// Counts what was admitted elsewhere for this node.
    pub fn note(&self, surface: Surface, class: Class, at: Timestamp) {
        self.window(surface, class).note(at);
    }

    /// Moves everything that is counted: the clock by which it was counted was set.
    pub fn shift(&self, micros: i64) {
        for window in &self.windows {
            let mut window = window.lock().unwrap_or_else(PoisonError::into_inner);
            window.shift(micros);
        }
    }

    /// Most requests a minute of a class.
    #[must_use]
    pub fn limit(&self, class: Class) -> u32 {
        let [generate, other] = &self.limits;
        match class {
            Class::Generate => generate.load(Relaxed),
            Class::Other => other.load(Relaxed),
        }
    }

    /// Admits at other rates from now on; what is counted counts.
    pub fn set_rates(&self, rates: Rates) {
        let [generate, other] = &self.limits;
        generate.store(rates.generate_per_minute, Relaxed);
        other.store(rates.other_per_minute, Relaxed);
        for (surface, class) in all() {
            self.window(surface, class).set_limit(self.limit(class));
        }
    }

    /// By what nodes that share a window call it.
    #[must_use]
    pub fn name(&self, surface: Surface, class: Class) -> String {
        let surface = match surface {
            Surface::Rest => "rest",
            Surface::Application => "application",
        };
        let class = match class {
            Class::Generate => "generate",
            Class::Other => "other",
        };
        format!("{}:{surface}:{class}", self.owner)
    }

    /// What still counts at `now`, under the name of each window that counts anything.
    #[must_use]
    pub fn counted(&self, now: Timestamp) -> Vec<(String, Vec<Timestamp>)> {
        all()
            .map(|(surface, class)| {
                let counted = self.window(surface, class).counted(now);
                (self.name(surface, class), counted)
            })
            .filter(|(_, counted)| !counted.is_empty())
            .collect()
    }

    /// Takes up what counted in an earlier process, under the name by which it was handed out.
    pub fn restore(&self, name: &str, counted: &[Timestamp]) {
        let own = all().find(|(surface, class)| self.name(*surface, *class) == name);
        if let Some((surface, class)) = own {
            let mut window = self.window(surface, class);
            counted.iter().for_each(|at| window.note(*at));
        }
    }

    fn window(&self, surface: Surface, class: Class) -> MutexGuard<'_, Window> {
        let [
            rest_generate,
            rest_other,
            application_generate,
            application_other,
        ] = &self.windows;
        let window = match (surface, class) {
            (Surface::Rest, Class::Generate) => rest_generate,
            (Surface::Rest, Class::Other) => rest_other,
            (Surface::Application, Class::Generate) => application_generate,
            (Surface::Application, Class::Other) => application_other,
        };
        window.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether nothing is counted any more, so that the cell can be forgotten.
    #[must_use]
    pub fn is_idle(&self, now: Timestamp) -> bool {
        self.windows.iter().all(|window| {
            window
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .is_idle(now)
        })
    }
}

/// Every window of a key.
fn all() -> impl Iterator<Item = (Surface, Class)> {
    [Surface::Rest, Surface::Application]
        .into_iter()
        .flat_map(|surface| [Class::Generate, Class::Other].map(|class| (surface, class)))
}

/// One request that a window counted.
#[derive(Debug)]
pub struct Admission {
    /// Whose window.
    pub cell: Lent<Cell>,
    /// Which surface's.
    pub surface: Surface,
    /// Which class's.
    pub class: Class,
    /// When it was admitted.
    pub at: Timestamp,
}

impl Admission {
    /// Takes the request back, which was told to come again for another reason and counts no more (decision 45); what the window says
    /// at `now` without it.
    #[must_use]
    pub fn take_back(self, now: Timestamp) -> Verdict {
        let mut window = self.cell.window(self.surface, self.class);
        window.take_back(self.at);
        window.look(now)
    }
}

/// What was admitted then or earlier counts no more at `now`.
fn horizon(now: Timestamp) -> i64 {
    now.micros().saturating_sub(window_micros())
}

fn window_micros() -> i64 {
    WINDOW.as_micros() as i64
}

fn ceil_seconds(micros: i64) -> i64 {
    micros.div_euclid(SECOND) + i64::from(micros.rem_euclid(SECOND) != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(micros: i64) -> Timestamp {
        Timestamp::from_micros(micros)
    }

    #[test]
    fn ten_are_admitted_and_the_eleventh_is_told_when_to_come_back() {
        let mut window = Window::new(10);
        for n in 0..10 {
            let verdict = window.admit(at(n * SECOND));
            assert!(verdict.admitted);
            assert_eq!(verdict.remaining, 9 - n as u32);
            assert_eq!(verdict.reset_unix_s, 60);
        }
        let refused = window.admit(at(10 * SECOND + 1));
        assert!(!refused.admitted);
        assert_eq!(
            (
                refused.remaining,
                refused.retry_after_s,
                refused.reset_unix_s
            ),
            (0, 50, 60)
        );
        assert!(!window.admit(at(60 * SECOND - 1)).admitted);
        assert!(
            window.admit(at(60 * SECOND)).admitted,
            "the interval is half open"
        );
    }

    proptest! {
        /// The defining property, against a reference that keeps every admission for ever.
        #[test]
        fn no_half_open_minute_ever_holds_more_than_the_limit(limit in 1u32..8, steps in prop::collection::vec(0i64..20 * SECOND, 1..200)) {
            let mut window = Window::new(limit);
            let mut admitted: Vec<i64> = vec![];
            let mut now = 0;
            for step in steps {
                now += step;
                let expected = admitted.iter().filter(|a| **a > now - 60 * SECOND).count() < limit as usize;
                let verdict = window.admit(at(now));
                prop_assert_eq!(verdict.admitted, expected);
                if verdict.admitted {
                    admitted.push(now);
                } else {
                    let retry = now + i64::from(verdict.retry_after_s) * SECOND;
                    prop_assert!(window.clone().admit(at(retry)).admitted, "a retry then succeeds");
                }
                prop_assert_eq!(window.counted(at(now)).len(), (limit - verdict.remaining) as usize);
            }
            for start in &admitted {
                let inside = admitted.iter().filter(|a| *a >= start && **a < start + 60 * SECOND).count();
                prop_assert!(inside <= limit as usize);
            }
        }
    }
}
