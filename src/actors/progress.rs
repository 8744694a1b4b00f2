//! Owns where one run is, as an operator sees it: the run writes it down, whoever looks reads it without a message.

use crate::actors::ticket::Ticket;
use crate::domain::clock::Timestamp;
use crate::domain::generation::Stage;
use crate::domain::id::RunId;
use crate::domain::observation::{Phase, RunningGeneration};
use crate::domain::source::SourceType;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicI64, AtomicU8, AtomicU32};

/// The phases that a run of this node passes, in order.
const PHASES: [Phase; 5] = [
    Phase::Waiting,
    Phase::Extracting,
    Phase::Synthesizing,
    Phase::Validating,
    Phase::Settling,
];

/// Where a run is.
#[derive(Debug)]
pub struct Progress {
    source: SourceType,
    skills: u64,
    ordered_at: Timestamp,
    attempts: AtomicU32,
    /// A place in [`PHASES`].
    phase: AtomicU8,
    /// When it came there, in microseconds.
    since: AtomicI64,
}

impl Progress {
    /// A run that waits for its turn.
    pub(super) fn of(ticket: &Ticket, now: Timestamp) -> Self {
        Self {
            source: ticket.order.source.kind(),
            skills: u64::from(ticket.order.skill_count()),
            ordered_at: ticket.ordered_at,
            attempts: AtomicU32::new(ticket.attempts),
            phase: AtomicU8::new(0),
            since: AtomicI64::new(now.micros()),
        }
    }

    /// It enters a phase.
    pub(super) fn enter(&self, phase: Phase, now: Timestamp) {
        let place = PHASES.iter().position(|known| *known == phase).unwrap_or(0);
        self.since.store(now.micros(), Relaxed);
        self.phase.store(u8::try_from(place).unwrap_or(0), Relaxed);
    }

    /// It was begun so often.
    pub(super) fn begun(&self, attempts: u32) {
        self.attempts.store(attempts, Relaxed);
    }

    /// When it was ordered.
    pub(super) fn ordered_at(&self) -> Timestamp {
        self.ordered_at
    }

    /// Where it is.
    pub(super) fn phase(&self) -> Phase {
        let place = usize::from(self.phase.load(Relaxed));
        PHASES.get(place).copied().unwrap_or(Phase::Waiting)
    }

    /// The stage that it is in, or that comes next.
    pub(super) fn stage(&self) -> Stage {
        match self.phase() {
            Phase::Synthesizing => Stage::Synthesizing,
            Phase::Validating | Phase::Settling => Stage::Validating,
            _ => Stage::Extracting,
        }
    }

    /// What an operator sees of it.
    pub(super) fn observe(&self, id: RunId, now: Timestamp, node: &str) -> RunningGeneration {
        let since = Timestamp::from_micros(self.since.load(Relaxed));
        RunningGeneration {
            id: id.to_string(),
            source: self.source.as_str(),
            phase: self.phase(),
            age_s: now.since(self.ordered_at).as_secs_f64(),
            in_phase_s: now.since(since).as_secs_f64(),
            skills: self.skills,
            attempts: self.attempts.load(Relaxed),
            node: node.to_owned(),
        }
    }
}
