//! Owns what users keep: uploaded sources, skills, and the history of generations.

use crate::domain::generation::Generation;
use crate::domain::id::{GenerationId, SkillId, SourceId, UserId};
use crate::domain::skill::{SkillFilter, SkillLine, StoredSkill};
use crate::domain::source::{StoredFile, StoredSource};
use crate::services::accounts::Unavailable;

/// A file that was sent.
#[derive(Debug, Clone)]
pub struct Upload {
    /// Its cleaned base name.
    pub filename: String,
    /// Its bytes.
    pub bytes: bytes::Bytes,
}

/// Keeps sources, skills and history. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Library {}

#[expect(clippy::unused_async, reason = "the store arrives in the next commits")]
impl Library {
    /// Keeps one file for a run that is about to be ordered.
    ///
    /// # Errors
    /// [`Unavailable`], also when the disk is full.
    pub async fn keep(&self, _upload: Upload) -> Result<StoredFile, Unavailable> {
        Err(Unavailable)
    }

    /// Keeps uploaded files as sources of the account, all or none.
    ///
    /// # Errors
    /// [`Unavailable`], also when the disk is full.
    pub async fn upload(
        &self,
        _user_id: UserId,
        _uploads: Vec<Upload>,
    ) -> Result<Vec<StoredSource>, Unavailable> {
        Err(Unavailable)
    }

    /// The account's sources with these ids, in their order; `None` when one is not the account's or has expired.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn sources(
        &self,
        _user_id: UserId,
        _ids: &[SourceId],
    ) -> Result<Option<Vec<StoredSource>>, Unavailable> {
        Err(Unavailable)
    }

    /// The account's history, newest first, and how long it is in all.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn generations(
        &self,
        _user_id: UserId,
        _limit: u32,
        _offset: u64,
    ) -> Result<(Vec<Generation>, u64), Unavailable> {
        Err(Unavailable)
    }

    /// The skill that one of the account's generations made; `None` when there is none, not yet, or no longer.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn skill_of_generation(
        &self,
        _user_id: UserId,
        _id: GenerationId,
    ) -> Result<Option<StoredSkill>, Unavailable> {
        Err(Unavailable)
    }

    /// The account's skills, newest change first.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn skills(
        &self,
        _user_id: UserId,
        _filter: SkillFilter,
    ) -> Result<Vec<SkillLine>, Unavailable> {
        Err(Unavailable)
    }

    /// One of the account's skills.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn skill(
        &self,
        _user_id: UserId,
        _id: SkillId,
    ) -> Result<Option<StoredSkill>, Unavailable> {
        Err(Unavailable)
    }
}
