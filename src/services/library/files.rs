//! Owns uploaded files: kept once however often they are sent, and let go when nothing needs them any more (decision 30).
//!
//! Bytes are claimed before they are written. A claim holds for as long as an unused source is kept, so what is claimed now can be
//! ordered, charged and read in peace; whatever a skill was made of is never let go.

use crate::domain::clock::Timestamp;
use crate::domain::id::{SourceId, UserId};
use crate::domain::source::{SourceStatus, StoredFile, StoredSource};
use crate::services::accounts::Unavailable;
use crate::services::library::{Library, cannot};
use crate::store::blobs::digest_of;
use skillkiln_readers::extension;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How long an uploaded source is kept that no skill uses, and how long a claim holds (decision 30).
const KEPT_FOR: Duration = Duration::from_hours(24);
/// A claim that was made so lately is not made again.
const CLAIM_FRESH: Duration = Duration::from_hours(1);
/// Claims that are remembered.
const CLAIMS_MAX: usize = 4_096;
/// A removal that takes longer was broken off.
const REMOVAL_MAX: Duration = Duration::from_mins(10);
/// How often somebody who wants to keep what is being removed asks again, and how long.
const CLAIM_RETRY: Duration = Duration::from_millis(50);
const CLAIM_RETRIES: u32 = 200;

/// A file that was sent.
#[derive(Debug, Clone)]
pub struct Upload {
    /// Its cleaned base name.
    pub filename: String,
    /// Its bytes.
    pub bytes: bytes::Bytes,
}

/// What was claimed here lately, so that the same file sent again costs no transaction.
#[derive(Debug, Default)]
pub(super) struct Claims(Mutex<HashMap<String, Timestamp>>);

impl Claims {
    fn is_fresh(&self, digest: &str, now: Timestamp) -> bool {
        let claims = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        claims
            .get(digest)
            .is_some_and(|at| now.since(*at) < CLAIM_FRESH)
    }

    fn note(&self, digests: &[String], now: Timestamp) {
        let mut claims = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if claims.len() >= CLAIMS_MAX {
            claims.clear();
        }
        claims.extend(digests.iter().map(|digest| (digest.clone(), now)));
    }
}

impl Library {
    /// Keeps one file for a run that is about to be ordered.
    ///
    /// # Errors
    /// [`Unavailable`], also when the disk is full.
    pub async fn keep(&self, upload: Upload) -> Result<StoredFile, Unavailable> {
        let size_bytes = upload.bytes.len() as u64;
        let bytes = upload.bytes.clone();
        let digest = tokio::task::spawn_blocking(move || digest_of(&bytes)).await;
        let digest = digest.map_err(|error| cannot("name a file by its digest")(&error))?;
        self.claim(vec![digest.clone()]).await?;
        let kept = self.0.blobs.put(&digest, upload.bytes).await;
        kept.map_err(|error| cannot("keep a file")(&error))?;
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

    /// The account's sources with these ids, in their order, their files claimed; `None` when one is not the account's or has
    /// expired.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn sources(
        &self,
        user_id: UserId,
        ids: &[SourceId],
    ) -> Result<Option<Vec<StoredSource>>, Unavailable> {
        let look_up = async || {
            let found = self.0.store.sources(user_id, ids.to_vec()).await;
            found.map_err(|error| cannot("look sources up")(&error))
        };
        // Claimed first and believed afterwards: what had not expired then stays.
        let digests = look_up().await?.into_iter().map(|source| source.digest);
        self.claim(digests.collect()).await?;
        let found = look_up().await?;
        let in_order = ids.iter().map(|id| {
            found
                .iter()
                .find(|source| source.id == *id && source.status != SourceStatus::Expired)
                .cloned()
        });
        Ok(in_order.collect())
    }

    /// Makes sure that the bytes of some digests, as far as they are here, stay for another day; waits for those that are being
    /// removed just now, so that they can be written anew.
    ///
    /// # Errors
    /// [`Unavailable`], also when the removal does not come to its end.
    pub async fn claim(&self, mut digests: Vec<String>) -> Result<(), Unavailable> {
        let now = self.0.clock.now();
        digests.retain(|digest| !self.0.claims.is_fresh(digest, now));
        for _ in 0..CLAIM_RETRIES {
            if digests.is_empty() {
                return Ok(());
            }
            let removing = self.0.store.claim_blobs(digests.clone(), now).await;
            let removing = removing.map_err(|error| cannot("claim the room for a file")(&error))?;
            digests.retain(|digest| !removing.contains(digest));
            self.0.claims.note(&digests, now);
            digests = removing;
            if !digests.is_empty() {
                tokio::time::sleep(CLAIM_RETRY).await;
            }
        }
        Err(cannot("claim the room for a file")(
            &"it is being removed without an end",
        ))
    }

    /// Lets go of what nothing needs any more: sources that no skill uses, which expire after a day, and with the last one that has
    /// them the bytes. Answers how many sources expired and how many files were removed. On several nodes at once it is safe.
    ///
    /// # Errors
    /// [`Unavailable`]; what was not done is done by the next sweep.
    pub async fn sweep(&self) -> Result<(u64, u64), Unavailable> {
        let now = self.0.clock.now();
        let before = now.minus(KEPT_FOR);
        let store = &self.0.store;
        let expired = store.expire_sources(before).await;
        let expired = expired.map_err(|error| cannot("expire unused sources")(&error))?;
        let mut removed = 0;
        loop {
            let begun = store
                .begin_removal(before, now.minus(REMOVAL_MAX), now)
                .await;
            let (digests, more) = begun.map_err(|error| cannot("look for unused files")(&error))?;
            for digest in &digests {
                let gone = self.0.blobs.remove(digest).await;
                removed +=
                    u64::from(gone.map_err(|error| cannot("remove an unused file")(&error))?);
            }
            if !digests.is_empty() {
                let ended = store.end_removal(digests).await;
                ended.map_err(|error| cannot("forget unused files")(&error))?;
            }
            if !more {
                return Ok((expired, removed));
            }
        }
    }
}
