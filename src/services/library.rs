//! Owns what users keep: uploaded sources, skills, and the history of generations.

use crate::domain::clock::Clock;
use crate::domain::generation::Generation;
use crate::domain::id::{GenerationId, SkillId, SourceId, UserId};
use crate::domain::skill::{SkillFilter, SkillLine, StoredSkill};
use crate::domain::source::{SourceStatus, StoredFile, StoredSource};
use crate::pipeline::extract::extension;
use crate::services::accounts::Unavailable;
use crate::store::blobs::Blobs;
use crate::store::connection::Store;
use std::fmt::Display;
use std::sync::Arc;

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
pub struct Library(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    store: Store,
    blobs: Blobs,
    clock: Clock,
}

fn cannot(doing: &'static str) -> impl Fn(&dyn Display) -> Unavailable {
    move |error| {
        tracing::error!(%error, "cannot {doing}");
        Unavailable
    }
}

impl Library {
    /// Over a store and its blobs.
    #[must_use]
    pub fn new(store: Store, blobs: Blobs, clock: Clock) -> Self {
        Self(Arc::new(Inner {
            store,
            blobs,
            clock,
        }))
    }

    /// Keeps one file for a run that is about to be ordered.
    ///
    /// # Errors
    /// [`Unavailable`], also when the disk is full.
    pub async fn keep(&self, upload: Upload) -> Result<StoredFile, Unavailable> {
        let size_bytes = upload.bytes.len() as u64;
        let digest = self
            .0
            .blobs
            .put(upload.bytes)
            .await
            .map_err(|error| cannot("keep a file")(&error))?;
        Ok(StoredFile {
            filename: upload.filename,
            digest,
            size_bytes,
            source_id: None,
        })
    }

    /// Keeps uploaded files as sources of the account, all or none.
    ///
    /// # Errors
    /// [`Unavailable`], also when the disk is full.
    pub async fn upload(
        &self,
        user_id: UserId,
        uploads: Vec<Upload>,
    ) -> Result<Vec<StoredSource>, Unavailable> {
        let mut sources = Vec::with_capacity(uploads.len());
        for upload in uploads {
            let (filename, bytes) = (upload.filename.clone(), upload.bytes.clone());
            let look = move || extension::confirmed(&filename, &bytes);
            let extension = tokio::task::spawn_blocking(look)
                .await
                .map_err(|error| cannot("tell the type of a file")(&error))?;
            let file = self.keep(upload).await?;
            sources.push(StoredSource {
                id: SourceId::new(),
                user_id,
                filename: file.filename,
                extension,
                size_bytes: file.size_bytes,
                digest: file.digest,
                status: SourceStatus::Uploaded,
                created_at: self.0.clock.now(),
            });
        }
        let kept = self.0.store.add_sources(sources.clone()).await;
        kept.map_err(|error| cannot("write sources down")(&error))?;
        Ok(sources)
    }

    /// The account's sources with these ids, in their order; `None` when one is not the account's or has expired.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn sources(
        &self,
        user_id: UserId,
        ids: &[SourceId],
    ) -> Result<Option<Vec<StoredSource>>, Unavailable> {
        let found = self.0.store.sources(user_id, ids.to_vec()).await;
        let found = found.map_err(|error| cannot("look sources up")(&error))?;
        let in_order = ids.iter().map(|id| {
            found
                .iter()
                .find(|source| source.id == *id && source.status != SourceStatus::Expired)
                .cloned()
        });
        Ok(in_order.collect())
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

    /// The skill that one of the account's generations made; `None` when there is none, not yet, or no longer.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn skill_of_generation(
        &self,
        user_id: UserId,
        id: GenerationId,
    ) -> Result<Option<StoredSkill>, Unavailable> {
        let read = self.0.store.skill_of_generation(user_id, id).await;
        read.map_err(|error| cannot("read a skill")(&error))
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
}
