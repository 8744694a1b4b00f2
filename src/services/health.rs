//! Owns what keeps a node from its work although its process lives: a database or a store of files that does not answer, a disk that is
//! full, a pepper that is not the database's. Each is told by its name, in `/readyz` and in the log.
//!
//! Whoever asks often is answered from the last look, so that nobody's questions become work for the database or the bucket.

use crate::actors::planted::Lost;
use crate::domain::key::Pepper;
use crate::services::pepper;
use crate::store::blobs::Blobs;
use crate::store::connection::Store;
use futures_util::future;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

/// What does not answer within this is silent.
const SILENT_AFTER: Duration = Duration::from_secs(3);
/// How long a look at the database is good for.
const DATABASE_KEPT: Duration = Duration::from_millis(500);
/// How long a look at disks and files is good for: a bucket charges for each.
const FILES_KEPT: Duration = Duration::from_secs(10);

/// What ails a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ailment {
    /// The database is silent, or fails.
    Database,
    /// The keys of the database were made under another pepper.
    Pepper,
    /// There is too little room where SQLite's database lies.
    DatabaseDisk,
    /// There is too little room in the data folder.
    DataDisk,
    /// The home of uploaded files is silent, or fails.
    Files,
    /// An actor of the node is lost; the process ends.
    Lost(&'static str),
}

impl fmt::Display for Ailment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Lost(name) => return write!(f, "an actor is gone: {name}"),
            Self::Database => "the database does not answer",
            Self::Pepper => "the pepper does not fit the database",
            Self::DatabaseDisk => "the disk of the database is full",
            Self::DataDisk => "the disk of the data folder is full",
            Self::Files => "the store of uploaded files does not answer",
        })
    }
}

/// A folder whose disk must have room, and what it means when it has none.
#[derive(Debug, Clone)]
pub struct Watched {
    /// The folder.
    pub folder: PathBuf,
    /// What ails the node when its disk is full.
    pub ailment: Ailment,
}

/// Looks for what ails the node. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Health(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    store: Store,
    blobs: Blobs,
    pepper_mark: String,
    watched: Vec<Watched>,
    free_bytes_min: u64,
    lost: Lost,
    last: Mutex<Last>,
}

#[derive(Debug, Default)]
struct Last {
    database: Option<(Instant, Option<Ailment>)>,
    files: Option<(Instant, Option<Ailment>)>,
    told: Option<Ailment>,
}

impl Health {
    /// Has not looked yet. A disk with fewer than `free_bytes_min` bytes is full.
    #[must_use]
    pub fn new(
        store: Store,
        blobs: Blobs,
        pepper: &Pepper,
        watched: Vec<Watched>,
        free_bytes_min: u64,
        lost: Lost,
    ) -> Self {
        Self(Arc::new(Inner {
            store,
            blobs,
            pepper_mark: pepper::mark(pepper),
            watched,
            free_bytes_min,
            lost,
            last: Mutex::default(),
        }))
    }

    /// What ails the node now; `None` when nothing does. Of several the one that explains the others.
    pub async fn ailment(&self) -> Option<Ailment> {
        let inner = &*self.0;
        if let Some(name) = inner.lost.name() {
            return Some(Ailment::Lost(name));
        }
        let mut last = inner.last.lock().await;
        let kept = |look: Option<(Instant, Option<Ailment>)>, good_for: Duration| {
            look.filter(|(at, _)| at.elapsed() < good_for)
        };
        // Seen from when the answer came: a database that is silent is not asked by one after another of those who wait.
        let (database, files) = future::join(
            async {
                match kept(last.database, DATABASE_KEPT) {
                    Some(look) => look,
                    None => {
                        let found = inner.database().await;
                        (Instant::now(), found)
                    }
                }
            },
            async {
                match kept(last.files, FILES_KEPT) {
                    Some(look) => look,
                    None => {
                        let found = inner.files().await;
                        (Instant::now(), found)
                    }
                }
            },
        )
        .await;
        (last.database, last.files) = (Some(database), Some(files));
        let found = database.1.or(files.1);
        if found != last.told {
            match found {
                Some(ailment) => tracing::error!(%ailment, "the node cannot do its work"),
                None => tracing::info!("the node can do its work again"),
            }
            last.told = found;
        }
        found
    }
}

impl Inner {
    async fn database(&self) -> Option<Ailment> {
        match timeout(SILENT_AFTER, self.store.pepper_mark()).await {
            Ok(Ok(Some(mark))) if mark != self.pepper_mark => Some(Ailment::Pepper),
            Ok(Ok(_)) => None,
            Ok(Err(_)) | Err(_) => Some(Ailment::Database),
        }
    }

    async fn files(&self) -> Option<Ailment> {
        let (watched, least) = (self.watched.clone(), self.free_bytes_min);
        let full = tokio::task::spawn_blocking(move || {
            let full = watched
                .into_iter()
                .find(|watched| !has_room(&watched.folder, least))?;
            tracing::error!(folder = %full.folder.display(), free_bytes_min = least, "too little room is left on a disk");
            Some(full.ailment)
        });
        // A disk that hangs is that of the files too, which are asked next.
        if let Ok(Ok(Some(ailment))) = timeout(SILENT_AFTER, full).await {
            return Some(ailment);
        }
        match timeout(SILENT_AFTER, self.blobs.probe()).await {
            Ok(Ok(())) => None,
            Ok(Err(error)) => {
                tracing::error!(%error, "the store of uploaded files fails");
                Some(Ailment::Files)
            }
            Err(_) => {
                tracing::error!(
                    seconds = SILENT_AFTER.as_secs(),
                    "the store of uploaded files is silent"
                );
                Some(Ailment::Files)
            }
        }
    }
}

/// Whether the disk of a folder has so many bytes for us. A folder that is not there needs none.
fn has_room(folder: &std::path::Path, least: u64) -> bool {
    match rustix::fs::statvfs(folder) {
        Ok(disk) => disk.f_bavail.saturating_mul(disk.f_frsize) >= least,
        Err(error) => io::Error::from(error).kind() == io::ErrorKind::NotFound,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn health(folder: &std::path::Path, free_bytes_min: u64) -> (Health, Store) {
        let url = format!("sqlite://{}", folder.join("kiln.db").display());
        let store = Store::open(&url).await.expect("a database");
        let blobs = Blobs::open(folder.join("blobs")).await.expect("a folder");
        let pepper = Pepper::new([7; 32]);
        let watched = vec![Watched {
            folder: folder.to_owned(),
            ailment: Ailment::DatabaseDisk,
        }];
        let health = Health::new(
            store.clone(),
            blobs,
            &pepper,
            watched,
            free_bytes_min,
            Lost::default(),
        );
        (health, store)
    }

    #[tokio::test]
    async fn a_sound_node_ails_of_nothing_and_a_full_disk_is_called_by_its_name() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(health(folder.path(), 1).await.0.ailment().await, None);
        let full = health(folder.path(), u64::MAX).await.0.ailment().await;
        assert_eq!(full, Some(Ailment::DatabaseDisk));
    }

    #[tokio::test]
    async fn the_pepper_of_another_database_is_called_by_its_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let (health, store) = health(folder.path(), 1).await;
        let other = pepper::mark(&Pepper::new([8; 32]));
        store.keep_pepper_mark(other, true).await.expect("kept");
        assert_eq!(health.ailment().await, Some(Ailment::Pepper));
    }

    #[tokio::test]
    async fn a_store_of_files_that_fails_is_called_by_its_name_until_it_answers_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let (health, _) = health(folder.path(), 1).await;
        let (home, aside) = (folder.path().join("blobs"), folder.path().join("aside"));
        std::fs::rename(&home, &aside).expect("moved");
        assert_eq!(health.ailment().await, Some(Ailment::Files));
        std::fs::rename(&aside, &home).expect("moved back");
        // Who asks again at once is answered from the last look.
        assert_eq!(health.ailment().await, Some(Ailment::Files));
        tokio::time::pause();
        tokio::time::advance(FILES_KEPT).await;
        tokio::time::resume();
        assert_eq!(health.ailment().await, None);
    }

    #[tokio::test]
    async fn an_actor_that_is_lost_is_called_by_its_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let (health, _) = health(folder.path(), 1).await;
        health.0.lost.tell("settlement");
        assert_eq!(health.ailment().await, Some(Ailment::Lost("settlement")));
    }
}
