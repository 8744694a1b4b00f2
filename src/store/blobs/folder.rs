//! Owns the home of blobs on a disk: a folder in which each file is named by the SHA-256 of what it holds.
//!
//! A file is either whole or not there: it is written beside its place, flushed to the disk and then renamed.

use crate::domain::key::{from_hex, to_hex};
use crate::store::model::StoreError;
use bytes::Bytes;
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use uuid::Uuid;

/// Where files that are being written lie, inside the folder.
const UNFINISHED: &str = "unfinished";
/// No file takes so long to write.
const UNFINISHED_KEPT: Duration = Duration::from_hours(1);

/// A folder of blobs. Clones share it.
#[derive(Debug, Clone)]
pub(super) struct Folder {
    folder: Arc<Path>,
}

impl Folder {
    /// Opens the folder; makes it when it is missing, and clears away what a crash left unfinished.
    pub(super) async fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let folder: Arc<Path> = path.as_ref().into();
        let this = Self { folder };
        let unfinished = this.folder.join(UNFINISHED);
        blocking(move || {
            fs::create_dir_all(&unfinished).map_err(|error| failed("make", &unfinished, &error))?;
            let left =
                fs::read_dir(&unfinished).map_err(|error| failed("read", &unfinished, &error))?;
            for file in left.flatten() {
                let age = file
                    .metadata()
                    .ok()
                    .and_then(|about| about.modified().ok()?.elapsed().ok());
                // Younger ones may be another process' work. It may also have ended in the meantime.
                if age.is_some_and(|age| age > UNFINISHED_KEPT) {
                    drop(fs::remove_file(file.path()));
                }
            }
            Ok(())
        })
        .await?;
        Ok(this)
    }

    /// Writes a file and takes it away again.
    pub(super) async fn probe(&self) -> Result<(), StoreError> {
        let name = format!("probe-{}", Uuid::new_v4().simple());
        let path = self.folder.join(UNFINISHED).join(name);
        blocking(move || {
            let written = fs::write(&path, b"probe");
            drop(fs::remove_file(&path));
            written.map_err(|error| failed("write", &path, &error))
        })
        .await
    }

    /// Keeps bytes under their digest. Keeping the same bytes again changes nothing.
    pub(super) async fn put(&self, digest: &str, bytes: Bytes) -> Result<(), StoreError> {
        let (this, place) = (self.clone(), self.place(digest)?);
        blocking(move || {
            if place.exists() {
                return Ok(());
            }
            let unfinished = this
                .folder
                .join(UNFINISHED)
                .join(Uuid::new_v4().simple().to_string());
            let written = write_whole(&unfinished, &place, &bytes);
            if written.is_err() {
                drop(fs::remove_file(&unfinished));
            }
            written
        })
        .await
    }

    /// The bytes of a digest, when they are here.
    pub(super) async fn get(&self, digest: &str) -> Result<Option<Bytes>, StoreError> {
        let Ok(place) = self.place(digest) else {
            return Ok(None);
        };
        blocking(move || match fs::read(&place) {
            Ok(bytes) => Ok(Some(Bytes::from(bytes))),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed("read", &place, &error)),
        })
        .await
    }

    /// Removes the bytes of a digest; false when they were not here.
    pub(super) async fn remove(&self, digest: &str) -> Result<bool, StoreError> {
        let Ok(place) = self.place(digest) else {
            return Ok(false);
        };
        blocking(move || match fs::remove_file(&place) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(failed("remove", &place, &error)),
        })
        .await
    }

    /// Where a digest lies: 256 folders by its first two characters. Only a digest names a place, never a path.
    fn place(&self, digest: &str) -> Result<PathBuf, StoreError> {
        match (from_hex(digest), digest.get(..2)) {
            (Some(bytes), Some(shelf)) if to_hex(&bytes) == digest => {
                Ok(self.folder.join(shelf).join(digest))
            }
            _ => Err(StoreError::Broken("not a digest".to_owned())),
        }
    }
}

fn write_whole(unfinished: &Path, place: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let shelf = place.parent().unwrap_or(place);
    fs::create_dir_all(shelf).map_err(|error| failed("make", shelf, &error))?;
    let write = || {
        let mut file = File::create_new(unfinished)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(unfinished, place)?;
        // The new name is safe only once the folder itself is on the disk.
        File::open(shelf)?.sync_all()
    };
    write().map_err(|error| failed("write", place, &error))
}

fn failed(what: &str, place: &Path, error: &std::io::Error) -> StoreError {
    StoreError::Files(format!("cannot {what} {}: {error}", place.display()))
}

/// Work on files, on a thread for such work.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|_| Err(StoreError::Files("work on a file panicked".to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::blobs::digest_of;

    #[tokio::test]
    async fn bytes_come_back_by_their_digest_and_keeping_them_twice_keeps_them_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let blobs = Folder::open(folder.path().join("a/b"))
            .await
            .expect("opened");
        let digest = digest_of(b"abc");
        assert_eq!(
            digest,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        for _ in 0..2 {
            assert_eq!(blobs.put(&digest, Bytes::from_static(b"abc")).await, Ok(()));
        }
        assert_eq!(
            blobs.get(&digest).await,
            Ok(Some(Bytes::from_static(b"abc")))
        );
        assert_eq!(blobs.remove(&digest).await, Ok(true));
        assert_eq!(blobs.remove(&digest).await, Ok(false));
        assert_eq!(blobs.get(&digest).await, Ok(None));
    }

    #[tokio::test]
    async fn only_a_digest_names_a_place() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("secret"), "s").expect("written");
        let blobs = Folder::open(folder.path().join("blobs"))
            .await
            .expect("opened");
        for name in [
            "../secret",
            "",
            "é",
            "/etc/passwd",
            &"A".repeat(64),
            &"../".repeat(22),
        ] {
            assert_eq!(blobs.get(name).await, Ok(None), "{name}");
            assert_eq!(blobs.remove(name).await, Ok(false), "{name}");
        }
    }

    #[tokio::test]
    async fn what_a_crash_left_unfinished_is_cleared_away() {
        let folder = tempfile::tempdir().expect("a folder");
        let left = folder.path().join(UNFINISHED).join("half");
        fs::create_dir_all(left.parent().expect("a folder")).expect("made");
        fs::write(&left, "ha").expect("written");
        Folder::open(folder.path()).await.expect("opened");
        assert!(left.exists(), "somebody may be writing it");
        let long_ago = std::time::SystemTime::now() - 2 * UNFINISHED_KEPT;
        let file = File::options().write(true).open(&left).expect("opened");
        file.set_modified(long_ago).expect("aged");
        Folder::open(folder.path()).await.expect("opened");
        assert!(!left.exists());
    }
}
