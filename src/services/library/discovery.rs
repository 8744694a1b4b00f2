//! Owns what installers are told of public skills: the entries of Agent Skills Discovery 0.2.0, each with the digest of its archive.
//!
//! A skill is read and packed for its entry once for as long as it stays as it is: entries are kept by the instant of the last change.

use crate::domain::clock::Timestamp;
use crate::domain::id::SkillId;
use crate::domain::key::to_hex;
use crate::domain::skill::StoredSkill;
use crate::services::accounts::Unavailable;
use crate::services::library::{Library, archive, cannot};
use lru::LruCache;
use sha2::{Digest, Sha256};
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

/// Entries that are kept: some 500 bytes each.
const KEPT_MAX: NonZeroUsize = NonZeroUsize::new(10_000).expect("above 0");

/// What an installer is told of a skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The skill.
    pub id: SkillId,
    /// The folder that it becomes.
    pub folder: String,
    /// What it is for.
    pub description: String,
    /// SHA-256 of its archive, in hexadecimal.
    pub digest: String,
}

/// The entries of skills as they last were.
#[derive(Debug)]
pub(super) struct Entries(Mutex<LruCache<(SkillId, Timestamp), Entry>>);

impl Default for Entries {
    fn default() -> Self {
        Self(Mutex::new(LruCache::new(KEPT_MAX)))
    }
}

impl Entries {
    fn kept(&self, key: (SkillId, Timestamp)) -> Option<Entry> {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.get(&key).cloned()
    }

    fn keep(&self, key: (SkillId, Timestamp), entry: Entry) {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.put(key, entry);
    }
}

impl Library {
    /// What an installer is told of a public skill that was read.
    #[must_use]
    pub fn entry(&self, stored: &StoredSkill) -> Entry {
        let key = (stored.id, stored.updated_at);
        if let Some(entry) = self.0.entries.kept(key) {
            return entry;
        }
        let archive = archive::flat_zip(&stored.skill).unwrap_or_default();
        let folder = archive::folder(&stored.skill);
        let description = match stored.skill.description.trim() {
            "" => folder.clone(),
            said => said.to_owned(),
        };
        let entry = Entry {
            id: stored.id,
            folder,
            description,
            digest: to_hex(&Sha256::digest(&archive)),
        };
        self.0.entries.keep(key, entry.clone());
        entry
    }

    /// At most `limit` of the public skills, the newest first, those after one of them.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn entries(
        &self,
        after: Option<SkillId>,
        limit: u32,
    ) -> Result<Vec<Entry>, Unavailable> {
        let store = &self.0.store;
        let listed = store.public_skills(after, limit).await;
        let listed = listed.map_err(|error| cannot("list public skills")(&error))?;
        let mut entries = Vec::with_capacity(listed.len());
        for line in listed {
            if let Some(entry) = self.0.entries.kept((line.id, line.updated_at)) {
                entries.push(entry);
                continue;
            }
            // One that is taken back in the meantime is left out.
            if let Some(stored) = self.public_skill(line.id).await? {
                let library = self.clone();
                let entry = tokio::task::spawn_blocking(move || library.entry(&stored)).await;
                entries.push(entry.map_err(|_| Unavailable)?);
            }
        }
        Ok(entries)
    }
}
