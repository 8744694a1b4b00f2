//! Owns a node of the simulation: its clock, its judgement, and what it has of the work.

use crate::actors::rescuer::Claims;
use crate::domain::clock::{Clock, Timestamp};
use crate::domain::id::{RunId, UserId};
use crate::domain::lease::Judgement;
use crate::domain::quota::Window;
use crate::simulation::world::LENGTH;
use std::collections::{BTreeSet, HashMap};
use std::time::Duration;
use uuid::Uuid;

const NEVER: i64 = i64::MAX;

/// A node, until it dies; its successor has another identity.
#[derive(Debug)]
pub(crate) struct Node {
    /// Counts those who had this place.
    pub(crate) life: u64,
    pub(crate) id: Uuid,
    pub(crate) claims: Claims,
    pub(crate) judgement: Judgement,
    pub(crate) held: BTreeSet<RunId>,
    pub(crate) windows: HashMap<UserId, Window>,
    pub(crate) is_up: bool,
    /// Until when it does nothing.
    pub(crate) away_until: i64,
    /// Until when nothing reaches the database.
    pub(crate) cut_until: i64,
    /// Since when nothing has been the matter with it; of one that was frozen [`NEVER`], until it has looked at the clock.
    pub(crate) sound_since: i64,
    pub(crate) clock: Clock,
    /// Up to when its clock was advanced.
    ticked: i64,
}

impl Node {
    /// One that starts now, where the database says so.
    pub(crate) fn start(life: u64, id: Uuid, claims: Claims, now: i64, there: Timestamp) -> Self {
        let clock = Clock::manual(there);
        Self {
            life,
            id,
            claims,
            judgement: Judgement::new(&clock, LENGTH),
            held: BTreeSet::new(),
            windows: HashMap::new(),
            is_up: true,
            away_until: now,
            cut_until: now,
            sound_since: now,
            clock,
            ticked: now,
        }
    }

    /// Its clock goes on.
    pub(crate) fn tick(&mut self, now: i64) {
        let passed = u64::try_from(now - self.ticked).unwrap_or(0);
        self.clock.advance(Duration::from_micros(passed));
        self.ticked = self.ticked.max(now);
    }

    /// It does nothing for a while; one that is frozen does not notice that time passes.
    pub(crate) fn pause(&mut self, now: i64, until: i64, is_frozen: bool) {
        self.tick(now);
        self.away_until = self.away_until.max(until);
        self.sound_since = self.sound_since.max(until);
        if is_frozen {
            self.sound_since = NEVER;
            self.ticked = until;
        }
    }

    /// It looks at the database's clock, which was set by whole seconds.
    pub(crate) fn look(&mut self, there: Timestamp) {
        if self.sound_since == NEVER {
            self.sound_since = self.ticked;
        }
        let off = there.micros() - self.clock.now().micros();
        self.clock.set_by((off + 500_000).div_euclid(1_000_000));
    }

    pub(crate) fn is_cut(&self, now: i64) -> bool {
        now < self.cut_until
    }
}
