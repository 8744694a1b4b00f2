//! Owns what a run is: what was ordered, which stages it passes, and what a spectator hears of it.

use crate::domain::clock::Timestamp;
use crate::domain::credits::Credits;
use crate::domain::id::GenerationId;
use crate::domain::id::SkillId;
use crate::domain::skill::FinishedSkill;
use crate::domain::source::Source;
use crate::domain::source::SourceType;
use crate::domain::source_kind::SourceKind;
use crate::domain::topic::Topic;
use serde::{Deserialize, Serialize};
use skillkiln_document::failure::Failure;
use skillkiln_document::failure::Reason;
use skillkiln_skills::skill::Reference;
use std::sync::Arc;
use uuid::Uuid;

/// What somebody wants made. A single skill is an order without topics; a catalogue names at least one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Order {
    /// What to read.
    pub source: Source,
    /// The wanted name; derived from the source when `None`.
    pub name: Option<String>,
    /// The wanted description; derived when `None`.
    pub description: Option<String>,
    /// The wanted category; derived when `None`.
    pub category: Option<String>,
    /// What the source is; recognised when `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<SourceKind>,
    /// The selected topics of a catalogue, in order; empty for a single skill.
    pub topics: Vec<Topic>,
}

impl Order {
    /// How many skills it makes, and so how many credits it costs.
    #[must_use]
    pub fn skill_count(&self) -> u32 {
        u32::try_from(self.topics.len().max(1)).unwrap_or(u32::MAX)
    }

    /// The order for one of its skills alone, as a regeneration repeats it.
    #[must_use]
    pub fn alone(mut self, ordinal: usize) -> Self {
        self.topics = self.topics.into_iter().skip(ordinal).take(1).collect();
        self
    }
}

/// The stages of a run, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// The source is fetched and read into a document.
    Extracting,
    /// Skills are written from the document.
    Synthesizing,
    /// The skills are checked against the rules and the source.
    Validating,
}

impl Stage {
    /// All stages in order.
    pub const ALL: [Self; 3] = [Self::Extracting, Self::Synthesizing, Self::Validating];

    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Extracting => "extracting",
            Self::Synthesizing => "synthesizing",
            Self::Validating => "validating",
        }
    }

    /// What a person is told when the stage begins.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            Self::Extracting => "Reading the source",
            Self::Synthesizing => "Writing the skill",
            Self::Validating => "Checking the skill against its source",
        }
    }
}

/// Where a row of the generation history stands (decision 26).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// Charged, waiting for a slot.
    Queued,
    /// In a stage.
    Running,
    /// The skill is in the library.
    Completed,
    /// It failed and the credit is back.
    Failed,
}

impl Status {
    /// The word on the wire and in the store.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Completed => "completed",
            Self::Failed => "failed",
        }
    }

    /// Reads [`Status::as_str`] back.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Queued, Self::Running, Self::Completed, Self::Failed]
            .into_iter()
            .find(|status| status.as_str() == word)
    }
}

/// What a spectator of a run hears. The last one is `Completed` or `Failed`, sent after its transaction is committed.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A stage began; once for each stage, in order.
    Entered(Stage),
    /// The run succeeded.
    Completed(Finished),
    /// The run failed and the credits are back.
    Failed(Failure),
}

/// What a spectator wants to hear of a run: each word wakes the thread that it waits on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hears {
    /// Each stage that begins, and the end.
    EachStage,
    /// The end alone.
    TheEnd,
}

/// What a run that succeeded made.
#[derive(Debug, Clone, PartialEq)]
pub struct Finished {
    /// The skills, in the order of the topics.
    pub skills: Vec<Made>,
    /// The catalogue's master index.
    pub index: Option<Reference>,
    /// What was given back of its charge, since the model that was to write was away.
    pub refunded: Credits,
    /// Whether it waits beside a skill that its owner had changed by hand.
    pub is_draft: bool,
}

/// One skill that a run made.
#[derive(Debug, Clone, PartialEq)]
pub struct Made {
    /// Its identity in the library.
    pub skill_id: SkillId,
    /// What it is.
    pub skill: Arc<FinishedSkill>,
    /// Which of what was ordered it is, from 0.
    pub place: usize,
}

/// A row of the generation history (decisions 26 and 55).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generation {
    /// Its identity.
    pub id: GenerationId,
    /// The skill it made or makes.
    pub skill_id: SkillId,
    /// Shared by the rows of a catalogue.
    pub catalogue_id: Option<Uuid>,
    /// Where it stands.
    pub status: Status,
    /// The skill's name.
    pub name: String,
    /// The kind of source.
    pub source_type: SourceType,
    /// What a person is shown of the source.
    pub source: String,
    /// The skill's file name, once completed.
    pub filename: Option<String>,
    /// The skill's words; 0 until completed.
    pub word_count: u32,
    /// What was charged.
    pub credits_charged: Credits,
    /// What was given back.
    pub credits_refunded: Credits,
    /// Why it failed.
    pub failure: Option<Reason>,
    /// When it was ordered.
    pub created_at: Timestamp,
    /// When it ended.
    pub completed_at: Option<Timestamp>,
}
