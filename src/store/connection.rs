//! Owns the way to the database: which one an address names, how it is opened and brought up to date, and who runs a query.

use crate::store::lite_threads::{BUSY_MS, Threads};
use crate::store::migrate;
use crate::store::model::StoreError;
use crate::store::pg_pool::Postgres;
use std::path::Path;

/// How hard SQLite makes sure that a commit lies on the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SqliteSynchronous {
    /// Every commit is on the disk before it is answered. Costs nothing where charges are settled together.
    #[default]
    Full,
    /// A power cut may undo the last commits; a crash of the process does not.
    Normal,
}

/// What can be chosen about the way to the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// SQLite only.
    pub sqlite_synchronous: SqliteSynchronous,
    /// Connections to PostgreSQL at most.
    pub pool_size: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            sqlite_synchronous: SqliteSynchronous::Full,
            pool_size: 16,
        }
    }
}

/// The store. Clones share their connections. Its methods stand in `calls.rs`.
#[derive(Clone)]
pub struct Store(pub(crate) Database);

#[derive(Clone)]
pub(crate) enum Database {
    Sqlite(Threads),
    Postgres(Postgres),
}

/// What an address names.
pub(crate) enum Address<'a> {
    Sqlite(&'a str),
    Postgres(&'a str),
}

impl Store {
    /// Opens the database at `sqlite://path`, `postgres://…` or `postgresql://…` and brings its schema up to date. The file
    /// and its folder are made when they are missing.
    ///
    /// # Errors
    /// [`StoreError::Broken`] when the address is none of these, or the schema is newer than this program;
    /// [`StoreError::Unavailable`] when the database does not answer.
    pub async fn open(url: &str) -> Result<Self, StoreError> {
        Self::open_with(url, Options::default()).await
    }

    /// [`Store::open`], with choices.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub async fn open_with(url: &str, options: Options) -> Result<Self, StoreError> {
        Self::migrate(url).await?;
        match address(url)? {
            Address::Postgres(url) => Ok(Self(Database::Postgres(Postgres::new(
                url,
                options.pool_size,
            )?))),
            Address::Sqlite(path) => {
                let path = path.to_owned();
                blocking(move || {
                    let threads = Threads::start(&path, &pragmas(options.sqlite_synchronous))?;
                    Ok(Self(Database::Sqlite(threads)))
                })
                .await
            }
        }
    }

    /// Closes all connections and blocks until their threads have ended: of SQLite once what was asked so far is done, of PostgreSQL within a
    /// second, and what is under way there is undone or done, as with any connection that breaks. Whatever is asked later is
    /// [`StoreError::Unavailable`].
    pub fn end(&self) {
        match &self.0 {
            Database::Sqlite(threads) => threads.end(),
            Database::Postgres(postgres) => postgres.end(),
        }
    }

    /// Whether each question goes to another process: PostgreSQL.
    #[must_use]
    pub fn is_remote(&self) -> bool {
        matches!(self.0, Database::Postgres(_))
    }

    /// Brings the schema up to date and does nothing else.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub async fn migrate(url: &str) -> Result<(), StoreError> {
        match address(url)? {
            Address::Postgres(url) => {
                let url = url.to_owned();
                blocking(move || migrate::postgres(&url)).await
            }
            Address::Sqlite(path) => {
                let path = path.to_owned();
                blocking(move || {
                    make_folder(&path)?;
                    migrate::sqlite(&path, &pragmas(SqliteSynchronous::Full))
                })
                .await
            }
        }
    }
}

#[cfg(test)]
impl Store {
    /// Changes rows of SQLite behind everybody's back.
    pub(crate) async fn tamper(&self, sql: String) {
        use diesel_async::SimpleAsyncConnection as _;
        let Database::Sqlite(threads) = &self.0 else {
            panic!("rows are changed on SQLite only");
        };
        let changed = threads.write(move |conn| {
            Box::pin(async move { Ok::<_, StoreError>(conn.batch_execute(&sql).await?) })
        });
        changed.await.unwrap();
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self.0 {
            Database::Sqlite(_) => "Store(SQLite)",
            Database::Postgres(_) => "Store(PostgreSQL)",
        })
    }
}

/// Reads an address.
pub(crate) fn address(url: &str) -> Result<Address<'_>, StoreError> {
    if url.starts_with("postgres://") || url.starts_with("postgresql://") {
        return Ok(Address::Postgres(url));
    }
    match url.strip_prefix("sqlite://") {
        // A database in memory would be another one on each of our connections.
        Some(path) if !path.is_empty() && !path.contains(":memory:") && !path.contains('?') => {
            Ok(Address::Sqlite(path))
        }
        _ => Err(StoreError::Broken(
            "the address of a database is sqlite://path or postgres://user@host/name".to_owned(),
        )),
    }
}

/// Makes the folder that a database of SQLite lies in.
pub(crate) fn make_folder(path: &str) -> Result<(), StoreError> {
    let Some(folder) = Path::new(path)
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    else {
        return Ok(());
    };
    std::fs::create_dir_all(folder).map_err(|error| {
        StoreError::Unavailable(format!("cannot make {}: {error}", folder.display()))
    })
}

fn pragmas(synchronous: SqliteSynchronous) -> String {
    let synchronous = match synchronous {
        SqliteSynchronous::Full => "FULL",
        SqliteSynchronous::Normal => "NORMAL",
    };
    // The command line writes to the same file while the server runs: that is waited for. With recursive triggers a replaced
    // transfer counts as a deleted one, which is refused. The log is seen to in `lite_threads`; by themselves the connections carry it
    // over only should that fail. A log that overshot its 64 MiB is not cut each time: what was cut has to be allocated anew in
    // commits. What the writer looks up stays in its cache.
    format!(
        "PRAGMA busy_timeout = {BUSY_MS}; PRAGMA journal_mode = WAL; PRAGMA synchronous = {synchronous}; \
         PRAGMA foreign_keys = ON; PRAGMA recursive_triggers = ON; PRAGMA wal_autocheckpoint = 128000; \
         PRAGMA journal_size_limit = 134217728; PRAGMA cache_size = -8192;"
    )
}

/// Work that blocks, on a thread for such work, whatever runtime the caller has.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| {
        Err(StoreError::Broken(
            "opening the database panicked".to_owned(),
        ))
    })
}
