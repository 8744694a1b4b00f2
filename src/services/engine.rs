//! Owns what is being made: accepts orders, charges them, and shows their events.

use crate::domain::credits::Credits;
use crate::domain::failure::Failure;
use crate::domain::generation::{Event, Order};
use crate::domain::id::{KeyId, RunId, SkillId, SourceId, UserId};
use crate::domain::skill::{ReferenceFile, StoredSkill};
use crate::domain::source::Source;
use crate::domain::topic::{Topic, Topics};
use uuid::Uuid;

/// An order with everything that decides about it.
#[derive(Debug, Clone)]
pub struct Request {
    /// Who pays.
    pub user_id: UserId,
    /// With which key.
    pub key_id: Option<KeyId>,
    /// What to make.
    pub order: Order,
    /// The client's `Idempotency-Key`, with the route it was sent to and a digest of the parsed fields.
    pub idempotency: Option<Repeatable>,
    /// The uploaded sources it is made of, whose status follows the run.
    pub source_ids: Vec<SourceId>,
    /// The skill it replaces, for a regeneration.
    pub replaces: Option<SkillId>,
}

/// A request that may be sent again and must be done once (decision 48).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeatable {
    /// Such as `POST /api/v1/generate`.
    pub route: &'static str,
    /// The client's key.
    pub key: String,
    /// A digest of the parsed fields.
    pub digest: String,
}

/// Why an order was not accepted. Nothing was charged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rejected {
    /// The balance is too low.
    InsufficientCredits,
    /// The queue is full.
    Busy {
        /// When to try again.
        retry_after_s: u32,
    },
    /// The idempotency key was used with other fields.
    KeyReused,
    /// The first request with this idempotency key is still running.
    StillRunning,
    /// The skill to be replaced is being regenerated already.
    AlreadyRegenerating,
    /// The skill to be replaced is gone.
    NotFound,
    /// The service is stopping.
    Stopping,
    /// The database does not answer.
    Unavailable,
}

/// A run that was accepted and charged.
#[derive(Debug)]
pub struct Run {
    /// Its identity.
    pub id: RunId,
    /// Shared by the skills of a catalogue.
    pub catalogue_id: Option<Uuid>,
    /// What can be spent after the charge.
    pub available: Credits,
    /// Whether an earlier request with the same idempotency key is being answered again.
    pub repeated: bool,
    /// What happens; ends after `Completed` or `Failed`. For a repeated run it holds just that last event.
    pub events: tokio::sync::mpsc::Receiver<Event>,
}

/// A run that succeeded, as an answer shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The skills, each with the topic it was made for.
    pub skills: Vec<(Option<Topic>, StoredSkill)>,
    /// The catalogue's master index.
    pub index: Option<ReferenceFile>,
}

/// Makes skills. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Engine {}

impl Engine {
    /// Accepts an order: charges it and starts its run. The run goes on whoever listens.
    ///
    /// # Errors
    /// [`Rejected`]; nothing is charged then.
    #[expect(clippy::unused_async, reason = "the actors arrive in the next commits")]
    pub async fn generate(&self, _request: Request) -> Result<Run, Rejected> {
        Err(Rejected::Unavailable)
    }

    /// What a run that ended in `Completed` made.
    ///
    /// # Errors
    /// A [`Failure`] when it cannot be read now, or a skill was deleted meanwhile.
    #[expect(clippy::unused_async, reason = "the actors arrive in the next commits")]
    pub async fn outcome(&self, _run: RunId) -> Result<Outcome, Failure> {
        Err(Failure::new(
            crate::domain::failure::Reason::Internal,
            "not there yet",
        ))
    }

    /// Looks for topics in a source; free.
    ///
    /// # Errors
    /// A [`Failure`] when the source cannot be read.
    #[expect(clippy::unused_async, reason = "the actors arrive in the next commits")]
    pub async fn detect_topics(&self, _source: Source) -> Result<Topics, Failure> {
        Err(Failure::new(
            crate::domain::failure::Reason::Internal,
            "not there yet",
        ))
    }

    /// Refuses an address that can be told to be bad without asking anybody: its syntax, a blocked literal address.
    ///
    /// # Errors
    /// A message for the user.
    pub fn refuse_address(&self, _address: &str) -> Result<(), String> {
        Ok(())
    }

    /// Whether orders are accepted: false before the runs left behind are taken care of, and while stopping.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        false
    }
}
