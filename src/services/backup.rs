//! Owns how a whole service is kept elsewhere and put back: database, uploaded files and pepper, in one folder. The service may go on
//! while it is written; it is put back where there is none.
//!
//! The description of a backup is written last, so that a folder without one is none that was finished.

use crate::config::Settings;
use crate::config::outside::BlobHome;
use crate::domain::clock::Clock;
use crate::domain::credits::Books;
use crate::services::blobs;
use crate::services::pepper::{self, Place};
use crate::store::blobs::{Blobs, digest_of};
use crate::store::connection::Store;
use crate::store::dump::{self, Dump};
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The description.
const ABOUT: &str = "backup.json";
const BLOBS: &str = "blobs";
const PEPPER: &str = "pepper";

/// What a backup holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// The version of the program that wrote it.
    pub program: String,
    /// When it was written.
    pub made_at: String,
    /// The database.
    pub database: Dump,
    /// The uploaded files, by their SHA-256.
    pub blobs: Vec<String>,
    /// Files that the database names and that were not there any more: what was removed while the backup was written.
    pub missing_blobs: Vec<String>,
    /// Whether the pepper is in it.
    pub has_pepper: bool,
}

fn told(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}

fn place_of(settings: &Settings, url: &str) -> Place {
    Place::of(&settings.auth.pepper_file, url, &settings.storage.path)
}

fn url_of(settings: &Settings) -> Result<String, String> {
    settings.database_url().map_err(|error| error.to_string())
}

/// Where a blob lies in a backup.
fn blob_in(folder: &Path, digest: &str) -> PathBuf {
    let shelf = digest.get(..2).unwrap_or_default();
    folder.join(BLOBS).join(shelf).join(digest)
}

/// Writes everything into a folder that is made for it; the pepper only where it is wanted.
///
/// # Errors
/// In words; the folder holds no finished backup then.
pub async fn save(settings: &Settings, folder: &Path, with_pepper: bool) -> Result<About, String> {
    fs::create_dir_all(folder).map_err(|error| told(folder, &error))?;
    let mut inside = fs::read_dir(folder).map_err(|error| told(folder, &error))?;
    if inside.next().is_some() {
        return Err(format!("{} is not empty", folder.display()));
    }
    let url = url_of(settings)?;
    // First the database, so that each file it names was there when it was written down.
    let (database, digests) = dump::save(&url, folder)
        .await
        .map_err(|error| error.to_string())?;
    let home = blobs(settings, opened(&url)).await?;
    let (mut kept, mut missing) = (Vec::new(), Vec::new());
    for digest in digests {
        let bytes = home.get(&digest).await.map_err(|error| error.to_string())?;
        let Some(bytes) = bytes else {
            missing.push(digest);
            continue;
        };
        if digest_of(&bytes) != digest {
            return Err(format!("the uploaded file {digest} is damaged"));
        }
        let path = blob_in(folder, &digest);
        write(&path, &bytes).map_err(|error| told(&path, &error))?;
        kept.push(digest);
    }
    if with_pepper {
        let place = place_of(settings, &url);
        let text = fs::read(place.path()).map_err(|error| told(place.path(), &error))?;
        let path = folder.join(PEPPER);
        write(&path, &text).map_err(|error| told(&path, &error))?;
    }
    let about = About {
        program: env!("CARGO_PKG_VERSION").to_owned(),
        made_at: Clock::system().now().iso(),
        database,
        blobs: kept,
        missing_blobs: missing,
        has_pepper: with_pepper,
    };
    let path = folder.join(ABOUT);
    let text = serde_json::to_vec_pretty(&about).map_err(|error| error.to_string())?;
    write(&path, &text).map_err(|error| told(&path, &error))?;
    Ok(about)
}

/// Puts a backup where the settings say that a service lies, of which there is nothing yet, and proves the books.
///
/// # Errors
/// In words, before anything is written that is not wanted: a backup that is damaged, a database that holds something, another pepper.
pub async fn restore(settings: &Settings, folder: &Path) -> Result<(About, Books), String> {
    let path = folder.join(ABOUT);
    let text = fs::read(&path).map_err(|error| {
        let why = told(&path, &error);
        format!("{} is no finished backup: {why}", folder.display())
    })?;
    let about: About =
        serde_json::from_slice(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    let url = url_of(settings)?;
    dump::check_empty(&url)
        .await
        .map_err(|error| error.to_string())?;
    put_pepper(&about, folder, &place_of(settings, &url))?;
    let in_database = settings.blobs.home == BlobHome::Database;
    if !in_database {
        put_blobs(&about, folder, &blobs(settings, opened(&url)).await?).await?;
    }
    // The database comes last: with it there is a service again.
    dump::load(&url, folder, &about.database)
        .await
        .map_err(|error| error.to_string())?;
    if in_database {
        put_blobs(&about, folder, &blobs(settings, opened(&url)).await?).await?;
    }
    let store = opened(&url).await?;
    let place = place_of(settings, &url);
    pepper::fit(&store, &pepper::load(&place)?, &place).await?;
    let books = store.books().await.map_err(|error| error.to_string())?;
    Ok((about, books))
}

/// Opens the database.
async fn opened(url: &str) -> Result<Store, String> {
    Store::open(url).await.map_err(|error| error.to_string())
}

/// Puts the uploaded files where they belong.
async fn put_blobs(about: &About, folder: &Path, home: &Blobs) -> Result<(), String> {
    for digest in &about.blobs {
        let path = blob_in(folder, digest);
        let bytes = fs::read(&path).map_err(|error| told(&path, &error))?;
        if digest_of(&bytes) != *digest {
            return Err(format!("{} is damaged", path.display()));
        }
        let put = home.put(digest, Bytes::from(bytes)).await;
        put.map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Puts the pepper where it belongs, unless it is there.
fn put_pepper(about: &About, folder: &Path, place: &Place) -> Result<(), String> {
    let there = match fs::read_to_string(place.path()) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(told(place.path(), &error)),
    };
    let shown = place.path().display();
    match (about.has_pepper, there) {
        (false, Some(_)) => Ok(()),
        (false, None) => Err(format!(
            "the backup was made without the pepper, and none is at {shown}: put it there first"
        )),
        (true, there) => {
            let path = folder.join(PEPPER);
            let kept = fs::read_to_string(&path).map_err(|error| told(&path, &error))?;
            match there {
                None => {
                    write(place.path(), kept.as_bytes()).map_err(|error| told(place.path(), &error))
                }
                Some(there) if there.trim() == kept.trim() => Ok(()),
                Some(_) => Err(format!(
                    "{shown} holds another pepper than the backup; move it away first"
                )),
            }
        }
    }
}

/// Writes a file, and the folders it lies in, to the disk.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    use std::io::Write as _;
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = fs::File::create_new(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}
