//! Owns where the pepper lies: the secret under which keys are hashed. It is made once, for its owner's eyes alone.
//!
//! Invariant: the file appears whole or not at all, and never changes. When several processes make it at the same moment,
//! one wins and all read the winner's.

use crate::domain::key::{Digest, Pepper, to_hex};
use crate::store::connection::Store;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

const FILE_NAME: &str = "pepper";

/// Where the pepper is, or is to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// An operator named the file; it must exist.
    Named(PathBuf),
    /// Nobody named one: it is made when missing.
    Own(PathBuf),
}

impl Place {
    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::Named(path) | Self::Own(path) => path,
        }
    }

    /// The place by the settings: the named file, else beside the SQLite database, else in the data folder.
    #[must_use]
    pub fn of(named: &Path, database_url: &str, data: &Path) -> Self {
        if !named.as_os_str().is_empty() {
            return Self::Named(named.to_owned());
        }
        let folder = match sqlite_file(database_url) {
            Some(path) => path.parent().unwrap_or(Path::new("")),
            None => data,
        };
        Self::Own(folder.join(FILE_NAME))
    }
}

/// The file of a database, if it is one of SQLite that lies in a file.
#[must_use]
pub fn sqlite_file(database_url: &str) -> Option<&Path> {
    database_url
        .strip_prefix("sqlite://")
        .map(|rest| rest.split('?').next().unwrap_or(rest))
        .filter(|path| !path.is_empty() && *path != ":memory:")
        .map(Path::new)
}

/// Reads the pepper, and makes it first when it is ours to make.
///
/// # Errors
/// In words that name the file and what is wrong with it.
pub fn load(place: &Place) -> Result<Pepper, String> {
    let (path, may_make) = match place {
        Place::Named(path) => (path, false),
        Place::Own(path) => (path, true),
    };
    let shown = path.display();
    let text = match fs::read_to_string(path) {
        Err(cause) if may_make && cause.kind() == io::ErrorKind::NotFound => {
            make(path).map_err(|cause| format!("cannot make the pepper file {shown}: {cause}"))?
        }
        other => other.map_err(|cause| format!("cannot read the pepper file {shown}: {cause}"))?,
    };
    let open_to_others =
        fs::metadata(path).is_ok_and(|file| file.permissions().mode() & 0o077 != 0);
    if open_to_others {
        tracing::warn!(path = %shown, "the pepper file can be read by others than its owner; allow it to the owner alone");
    }
    Pepper::from_hex(&text)
        .ok_or_else(|| format!("the pepper file {shown} does not hold 64 hexadecimal characters"))
}

/// By what a database knows its pepper: a digest that tells nothing of it.
#[must_use]
pub fn mark(pepper: &Pepper) -> String {
    let Digest(digest) = pepper.digest("mark", "of this database");
    to_hex(&digest)
}

/// Makes sure that a database's keys and sessions were made under this pepper. A database that knows of none yet keeps this one.
///
/// # Errors
/// In words that name the file and what can be done.
pub async fn fit(store: &Store, pepper: &Pepper, place: &Place) -> Result<(), String> {
    let failed = |error| format!("cannot look whether the pepper fits the database: {error}");
    let ours = mark(pepper);
    store
        .keep_pepper_mark(ours.clone(), false)
        .await
        .map_err(failed)?;
    match store.pepper_mark().await.map_err(failed)? {
        Some(mark) if mark != ours => Err(format!(
            "the pepper in {} does not fit the database, whose keys and sessions were made under another one: put that file back, or give all of them up with `skillkiln migrate --new-pepper`",
            place.path().display()
        )),
        _ => Ok(()),
    }
}

/// Makes the file, or finds that somebody else just did; what it holds then.
fn make(path: &Path) -> io::Result<String> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)?;
    let mut entropy = [0; 32];
    getrandom::fill(&mut entropy).map_err(|cause| io::Error::other(cause.to_string()))?;
    // The draft's name is taken from the entropy of another draw, so that two processes never share one.
    let mut number = [0; 32];
    getrandom::fill(&mut number).map_err(|cause| io::Error::other(cause.to_string()))?;
    let draft = folder.join(format!(".{FILE_NAME}-{}", to_hex(&number)));
    let linked = write_draft(&draft, &to_hex(&entropy))
        // A link appears whole and never replaces: the first of several wins.
        .and_then(|()| match fs::hard_link(&draft, path) {
            Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            other => other,
        });
    let _ = fs::remove_file(&draft);
    linked?;
    fs::File::open(folder)?.sync_all()?;
    fs::read_to_string(path)
}

fn write_draft(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)?;
    writeln!(file, "{text}")?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::key::ApiKey;

    fn same(one: &Pepper, other: &Pepper) -> bool {
        let key = ApiKey::from_entropy("skillkiln", [3; 32]);
        key.hash(one) == key.hash(other)
    }

    #[test]
    fn the_pepper_is_made_once_for_its_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/er/pepper");
        let place = Place::Own(path.clone());
        let first = load(&place).unwrap();
        assert!(same(&first, &load(&place).unwrap()));
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o600
        );
        assert_eq!(fs::read_to_string(&path).unwrap().trim().len(), 64);
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn processes_that_start_together_agree_on_one_pepper() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::Own(folder.path().join("pepper"));
        let barrier = std::sync::Barrier::new(8);
        let peppers: Vec<Pepper> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8)
                .map(|_| {
                    scope.spawn(|| {
                        barrier.wait();
                        load(&place).unwrap()
                    })
                })
                .collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap())
                .collect()
        });
        assert!(peppers.iter().all(|pepper| same(pepper, &peppers[0])));
    }

    #[test]
    fn a_named_pepper_must_exist_and_be_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("named");
        assert!(load(&Place::Named(path.clone())).is_err());
        assert!(!path.exists());
        fs::write(&path, "short").unwrap();
        assert!(load(&Place::Named(path.clone())).is_err());
        fs::write(&path, "ab".repeat(32)).unwrap();
        assert!(load(&Place::Named(path)).is_ok());
    }

    #[test]
    fn an_unnamed_pepper_lies_beside_the_database_or_in_the_data_folder() {
        let of = |url| Place::of(Path::new(""), url, Path::new("data"));
        assert_eq!(
            of("sqlite:///srv/a/b.db"),
            Place::Own("/srv/a/pepper".into())
        );
        assert_eq!(of("sqlite://b.db?x=1"), Place::Own("pepper".into()));
        assert_eq!(of("postgres://u@h/d"), Place::Own("data/pepper".into()));
        assert_eq!(
            Place::of(Path::new("/etc/p"), "sqlite://b.db", Path::new("data")),
            Place::Named("/etc/p".into())
        );
    }
}
