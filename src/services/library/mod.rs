//! Owns what users keep: uploaded sources, skills, and the history of generations.
//!
//! `files` keeps what was uploaded and lets it go when nothing needs it, `changes` is what an owner does to a skill, `archive` is the
//! form in which a skill leaves the house, `trials` what it is tried with. Reading stands on this page.

pub mod archive;
pub mod changes;
pub mod discovery;
pub mod files;
pub mod trials;

use crate::domain::clock::{Clock, Timestamp};
use crate::domain::credits::Credits;
use crate::domain::generation::{Generation, Made, Status};
use crate::domain::id::{GenerationId, RunId, SkillId, UserId};
use crate::domain::skill::{
    Draft, FinishedSkill, SkillFilter, SkillLine, StoredSkill, Version, VersionLine,
};
use crate::domain::source::SourceType;
use crate::pipeline::pool::Pool;
use crate::services::accounts::Unavailable;
use crate::services::engine::Engine;
use crate::services::watches::Answered;
use crate::store::blobs::Blobs;
use crate::store::connection::Store;
use crate::store::model::{Origin, Saved};
use skillkiln_document::failure::Failure;
use skillkiln_skills::skill::Reference;
use std::fmt::Display;
use std::sync::Arc;

/// How a run stands.
#[derive(Debug, Clone)]
pub struct Standing {
    /// Its identity, which a catalogue shares.
    pub id: RunId,
    /// Whether it makes a catalogue.
    pub is_catalogue: bool,
    /// Where it is.
    pub status: Status,
    /// What it reads.
    pub label: String,
    /// Why it failed.
    pub failure: Option<Failure>,
    /// What was charged for it.
    pub charged: Credits,
    /// What was given back: all of it, or nothing.
    pub refunded: Credits,
    /// The kind of source.
    pub source_type: SourceType,
    /// When it was ordered.
    pub ordered_at: Timestamp,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// The skills it made that are still there, in order.
    pub skills: Vec<Made>,
    /// The catalogue's index, once completed.
    pub index: Option<Reference>,
}

/// Keeps sources, skills and history. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Library(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    store: Store,
    blobs: Blobs,
    pool: Pool,
    clock: Clock,
    engine: Engine,
    claims: files::Claims,
    entries: discovery::Entries,
}

fn cannot(doing: &'static str) -> impl Fn(&dyn Display) -> Unavailable {
    move |error| {
        tracing::error!(%error, "cannot {doing}");
        Unavailable
    }
}

impl Library {
    /// Over a store and its blobs; checks are made on the threads for heavy work, and against a source by `engine`.
    #[must_use]
    pub fn new(store: Store, blobs: Blobs, pool: Pool, clock: Clock, engine: Engine) -> Self {
        Self(Arc::new(Inner {
            store,
            blobs,
            pool,
            clock,
            engine,
            claims: files::Claims::default(),
            entries: discovery::Entries::default(),
        }))
    }

    /// The account's history, newest first, and how long it is in all.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn generations(
        &self,
        user_id: UserId,
        limit: u32,
        offset: u64,
    ) -> Result<(Vec<Generation>, u64), Unavailable> {
        let read = self.0.store.generations_of(user_id, limit, offset).await;
        read.map_err(|error| cannot("read a history")(&error))
    }

    /// What one of the account's generations made, however its skill was changed since; `None` when there is none, not yet, or no
    /// longer.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn product(
        &self,
        user_id: UserId,
        id: GenerationId,
    ) -> Result<Option<FinishedSkill>, Unavailable> {
        let read = self.0.store.product(user_id, id).await;
        read.map_err(|error| cannot("read what a generation made")(&error))
    }

    /// The account's skills, newest change first.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn skills(
        &self,
        user_id: UserId,
        filter: SkillFilter,
    ) -> Result<Vec<SkillLine>, Unavailable> {
        let read = self.0.store.skills_of(user_id, filter).await;
        read.map_err(|error| cannot("list skills")(&error))
    }

    /// One of the account's skills.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn skill(
        &self,
        user_id: UserId,
        id: SkillId,
    ) -> Result<Option<StoredSkill>, Unavailable> {
        let read = self.0.store.skill(user_id, id).await;
        read.map_err(|error| cannot("read a skill")(&error))
    }

    /// How many of the account's skills a filter lets through, whatever its limit.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn skill_count(
        &self,
        user_id: UserId,
        filter: SkillFilter,
    ) -> Result<u64, Unavailable> {
        let read = self.0.store.skill_count(user_id, filter).await;
        read.map_err(|error| cannot("count skills")(&error))
    }

    /// The account's categories by name, each with how many skills it has.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn categories(&self, user_id: UserId) -> Result<Vec<(String, u64)>, Unavailable> {
        let read = self.0.store.categories_of(user_id).await;
        read.map_err(|error| cannot("list categories")(&error))
    }

    /// A skill that its owner shows to everybody.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn public_skill(&self, id: SkillId) -> Result<Option<StoredSkill>, Unavailable> {
        let read = self.0.store.public_skill(id).await;
        read.map_err(|error| cannot("read a public skill")(&error))
    }

    /// How one of the account's runs stands.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn run(&self, user_id: UserId, id: RunId) -> Result<Option<Standing>, Unavailable> {
        let read = self.0.store.run(id).await;
        let run = read.map_err(|error| cannot("look up a run")(&error))?;
        Ok(run
            .filter(|run| run.user_id == user_id)
            .map(|run| Standing {
                id: run.id,
                is_catalogue: run.catalogue_id.is_some(),
                status: run.status,
                label: run.order.source.label(),
                failure: run.failure,
                charged: run.charged,
                refunded: run.refunded,
                source_type: run.order.source.kind(),
                ordered_at: run.ordered_at,
                ended_at: run.ended_at,
                skills: run.skills.into_iter().flatten().collect(),
                index: run.index,
            }))
    }

    /// How the run stands that one of the account's generations belongs to.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn run_of(
        &self,
        user_id: UserId,
        id: GenerationId,
    ) -> Result<Option<Standing>, Unavailable> {
        let read = self.0.store.run_of(user_id, id.0).await;
        match read.map_err(|error| cannot("look up the run of a generation")(&error))? {
            Some(run) => self.run(user_id, run).await,
            None => Ok(None),
        }
    }

    /// What one of the account's skills was made of, in words for its owner; none for a copy of somebody else's.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn made_of(
        &self,
        user_id: UserId,
        id: SkillId,
    ) -> Result<Option<String>, Unavailable> {
        let read = self.0.store.origin(user_id, id).await;
        let origin = read.map_err(|error| cannot("look up what a skill was made of")(&error))?;
        Ok(match origin {
            Origin::Order(order) => Some(order.source.label()),
            Origin::NotOurs | Origin::Missing => None,
        })
    }

    /// What one of the account's skills said before it was changed, newest first.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn versions(
        &self,
        user_id: UserId,
        id: SkillId,
    ) -> Result<Vec<VersionLine>, Unavailable> {
        let read = self.0.store.versions_of(user_id, id).await;
        read.map_err(|error| cannot("list versions")(&error))
    }

    /// The text that waits beside one of the account's skills, which was made again after its owner had changed it by hand.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn draft(&self, user_id: UserId, id: SkillId) -> Result<Option<Draft>, Unavailable> {
        let read = self.0.store.draft(user_id, id).await;
        read.map_err(|error| cannot("read a draft")(&error))
    }

    /// Accepts the draft of a run, so that it takes the place of the text, or keeps the text; nothing where another one waits by now.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn answer_draft(
        &self,
        user_id: UserId,
        id: SkillId,
        run_id: RunId,
        is_accepted: bool,
    ) -> Result<Answered, Unavailable> {
        let Inner { store, clock, .. } = &*self.0;
        let answered = store.answer_draft(user_id, id, run_id, is_accepted, clock.now());
        let answered = answered.await;
        let saved = answered.map_err(|error| cannot("answer a draft")(&error))?;
        Ok(match saved {
            Saved::At(_) => Answered::Done,
            Saved::Stale => Answered::Nothing,
            Saved::Missing => Answered::Missing,
        })
    }

    /// The text that was made before its owner changed it, where these are the versions before what it says now, newest first.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn before_edits(
        &self,
        user_id: UserId,
        id: SkillId,
        newest_first: &[VersionLine],
    ) -> Result<Option<String>, Unavailable> {
        let Some(made) = VersionLine::before_edits(newest_first) else {
            return Ok(None);
        };
        let made = self.version(user_id, id, made.made_at).await?;
        Ok(made.map(|made| made.content))
    }

    /// One of these with its text.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn version(
        &self,
        user_id: UserId,
        id: SkillId,
        made_at: Timestamp,
    ) -> Result<Option<Version>, Unavailable> {
        let read = self.0.store.version(user_id, id, made_at).await;
        read.map_err(|error| cannot("read a version")(&error))
    }
}
