//! Owns the bytes of uploaded files, named by the SHA-256 of what they hold, in one of three homes: a folder, the database, or a bucket of S3-compatible storage.
//!
//! Which bytes there may be, and which may go, the database knows (`queries/blobs.rs`): who puts bytes here has claimed them before.

mod bucket;
mod folder;

use crate::domain::key::to_hex;
use crate::store::blobs::bucket::Bucket;
use crate::store::blobs::folder::Folder;
use crate::store::connection::Store;
use crate::store::model::StoreError;
use bytes::Bytes;
use object_store::ObjectStore;
use sha2::{Digest, Sha256};
use std::path::Path;
use std::sync::Arc;

/// Blobs, wherever they are. Clones share the home.
#[derive(Debug, Clone)]
pub struct Blobs(Home);

#[derive(Debug, Clone)]
enum Home {
    Folder(Folder),
    Database(Store),
    Bucket(Bucket),
}

/// The name of bytes: their SHA-256 in 64 hexadecimal characters.
#[must_use]
pub fn digest_of(bytes: &[u8]) -> String {
    to_hex(&Sha256::digest(bytes))
}

impl Blobs {
    /// Opens a folder; makes it when it is missing, and clears away what a crash left unfinished.
    ///
    /// # Errors
    /// [`StoreError::Files`] when the folder cannot be made or written.
    pub async fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        Folder::open(path).await.map(Home::Folder).map(Self)
    }

    /// Keeps them in a database, where all nodes find them.
    #[must_use]
    pub fn in_database(store: Store) -> Self {
        Self(Home::Database(store))
    }

    /// Opens a bucket, below a prefix.
    ///
    /// # Errors
    /// [`StoreError::Files`] when it does not answer, or does not let us in.
    pub async fn in_bucket(bucket: Arc<dyn ObjectStore>, prefix: &str) -> Result<Self, StoreError> {
        Bucket::open(bucket, prefix)
            .await
            .map(Home::Bucket)
            .map(Self)
    }

    /// Keeps bytes under their [`digest_of`]. Keeping the same bytes again changes nothing.
    ///
    /// # Errors
    /// [`StoreError::Files`] when the home refuses.
    pub async fn put(&self, digest: &str, bytes: Bytes) -> Result<(), StoreError> {
        match &self.0 {
            Home::Folder(folder) => folder.put(digest, bytes).await,
            Home::Database(store) => store.put_blob(digest.to_owned(), bytes).await,
            Home::Bucket(bucket) => bucket.put(digest, bytes).await,
        }
    }

    /// The bytes of a digest, when they are here.
    ///
    /// # Errors
    /// [`StoreError::Files`] when the home refuses.
    pub async fn get(&self, digest: &str) -> Result<Option<Bytes>, StoreError> {
        match &self.0 {
            Home::Folder(folder) => folder.get(digest).await,
            Home::Database(store) => store.blob(digest.to_owned()).await,
            Home::Bucket(bucket) => bucket.get(digest).await,
        }
    }

    /// Whether the home takes part: a folder takes a file, a bucket tells what it holds.
    ///
    /// # Errors
    /// [`StoreError::Files`] when it does not.
    pub async fn probe(&self) -> Result<(), StoreError> {
        match &self.0 {
            Home::Folder(folder) => folder.probe().await,
            // Whoever looks after the database asks it.
            Home::Database(_) => Ok(()),
            Home::Bucket(bucket) => bucket.probe().await,
        }
    }

    /// Removes the bytes of a digest; false when they were not here, as far as the home tells.
    ///
    /// # Errors
    /// [`StoreError::Files`] when the home refuses.
    pub async fn remove(&self, digest: &str) -> Result<bool, StoreError> {
        match &self.0 {
            Home::Folder(folder) => folder.remove(digest).await,
            Home::Database(store) => store.remove_blob(digest.to_owned()).await,
            Home::Bucket(bucket) => bucket.remove(digest).await,
        }
    }
}
