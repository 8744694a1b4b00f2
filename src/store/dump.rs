//! Owns how a whole database is written to a folder while others use it, and read back into an empty one: each row as it was, of one
//! state. SQLite is copied as a file by `VACUUM INTO`; of PostgreSQL each table is copied in one transaction, by `COPY`.

use crate::domain::key::to_hex;
use crate::store::connection::{Address, address, blocking, make_folder};
use crate::store::model::StoreError;
use crate::store::{migrate, pg_connect};
use bytes::Bytes;
use diesel::connection::SimpleConnection as _;
use diesel::prelude::*;
use diesel::sql_types::Text;
use futures_util::{SinkExt as _, StreamExt as _};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use tokio_postgres::Client;

/// The file that a SQLite database is copied to.
const SQLITE_FILE: &str = "database.db";
/// Bytes of a file that are sent at once.
const PIECE: usize = 256 << 10;

/// What a database was when it was written down.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dump {
    /// `sqlite` or `postgresql`.
    pub database: String,
    /// The versions of its schema, oldest first.
    pub migrations: Vec<String>,
    /// Its files, in the order in which they are read back.
    pub files: Vec<DumpFile>,
}

/// A file of a dump.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DumpFile {
    /// Its path in the folder.
    pub path: String,
    /// Its SHA-256.
    pub sha256: String,
    /// The table and the columns it holds, and how many rows, where it is one table's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<Table>,
}

/// A table of PostgreSQL.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// Its name, as it is written in a statement.
    pub name: String,
    /// Its columns in the same way.
    pub columns: Vec<String>,
    /// Its rows.
    pub rows: u64,
}

/// Writes the database at `url` into a folder, and says what was written and which blobs it names.
///
/// # Errors
/// [`StoreError`] when there is no such database, it does not answer, or the folder cannot be written.
pub async fn save(url: &str, folder: &Path) -> Result<(Dump, Vec<String>), StoreError> {
    match address(url)? {
        Address::Sqlite(path) => {
            let (path, folder) = (PathBuf::from(path), folder.to_owned());
            blocking(move || save_sqlite(&path, &folder)).await
        }
        Address::Postgres(url) => save_postgres(url, folder).await,
    }
}

/// Whether there is nothing yet at `url` that a dump would take the place of.
///
/// # Errors
/// [`StoreError::Conflict`] when there is; else as [`save`].
pub async fn check_empty(url: &str) -> Result<(), StoreError> {
    let taken = |what: String| Err(StoreError::Conflict(what));
    match address(url)? {
        Address::Sqlite(path) if Path::new(path).exists() => {
            taken(format!("{path} is there already; move it away first"))
        }
        Address::Sqlite(_) => Ok(()),
        Address::Postgres(url) => {
            let client = pg_connect::session(url).await?;
            let is_there = "SELECT to_regclass('users') IS NOT NULL";
            let has_users: bool = client
                .query_one(is_there, &[])
                .await
                .map_err(failed)?
                .get(0);
            let anybody = "SELECT EXISTS (SELECT 1 FROM users)";
            if has_users && client.query_one(anybody, &[]).await.map_err(failed)?.get(0) {
                return taken("the database holds accounts already; name an empty one".to_owned());
            }
            Ok(())
        }
    }
}

/// Reads a folder back into the empty database at `url`, and brings its schema up to date.
///
/// # Errors
/// [`StoreError`]; nothing is there then, or only an empty schema.
pub async fn load(url: &str, folder: &Path, dump: &Dump) -> Result<(), StoreError> {
    for file in &dump.files {
        let found =
            digest_of(&folder.join(&file.path)).map_err(|error| told(&file.path, &error))?;
        if found != file.sha256 {
            return Err(StoreError::Broken(format!(
                "{} is not as it was written",
                file.path
            )));
        }
    }
    check_empty(url).await?;
    match (address(url)?, dump.database.as_str()) {
        (Address::Sqlite(path), SQLITE) => {
            let (path, from) = (path.to_owned(), folder.join(SQLITE_FILE));
            blocking(move || load_sqlite(&from, &path)).await?;
        }
        (Address::Postgres(url), POSTGRESQL) => {
            let (at, versions) = (url.to_owned(), dump.migrations.clone());
            blocking(move || migrate::postgres_to(&at, &versions)).await?;
            load_postgres(url, folder, dump).await?;
        }
        (_, other) => {
            return Err(StoreError::Broken(format!(
                "the backup is of a {other} database, and the settings name another kind"
            )));
        }
    }
    crate::store::connection::Store::migrate(url).await
}

const SQLITE: &str = "sqlite";
const POSTGRESQL: &str = "postgresql";

fn told(path: impl std::fmt::Display, error: &io::Error) -> StoreError {
    StoreError::Unavailable(format!("{path}: {error}"))
}

fn failed(error: tokio_postgres::Error) -> StoreError {
    StoreError::Unavailable(pg_connect::in_words(&error))
}

fn digest_of(path: &Path) -> io::Result<String> {
    let mut hasher = Sha256::new();
    let mut file = File::open(path)?;
    let mut piece = vec![0; PIECE];
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(to_hex(&hasher.finalize())),
            read => hasher.update(piece.get(..read).unwrap_or_default()),
        }
    }
}

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

fn save_sqlite(path: &Path, folder: &Path) -> Result<(Dump, Vec<String>), StoreError> {
    if !path.exists() {
        return Err(StoreError::Unavailable(format!(
            "there is no database at {}",
            path.display()
        )));
    }
    let open = |path: &Path| {
        let opened = SqliteConnection::establish(&path.to_string_lossy());
        opened.map_err(|error| StoreError::Unavailable(format!("{}: {error}", path.display())))
    };
    let to = folder.join(SQLITE_FILE);
    let mut live = open(path)?;
    live.batch_execute("PRAGMA busy_timeout = 10000")?;
    diesel::sql_query("VACUUM INTO ?")
        .bind::<Text, _>(to.to_string_lossy().into_owned())
        .execute(&mut live)?;
    drop(live);
    let mut copy = open(&to)?;
    let mut lines = |query: &str| -> Result<Vec<String>, StoreError> {
        let read = diesel::sql_query(query).load::<Line>(&mut copy)?;
        Ok(read.into_iter().map(|line| line.line).collect())
    };
    let sound = lines("SELECT integrity_check AS line FROM pragma_integrity_check")?;
    if sound != ["ok"] {
        return Err(StoreError::Broken(format!(
            "the copy of the database is damaged: {}",
            sound.join("; ")
        )));
    }
    let migrations =
        lines("SELECT version AS line FROM __diesel_schema_migrations ORDER BY version")?;
    let blobs =
        lines("SELECT digest AS line FROM blobs WHERE removing_at IS NULL ORDER BY digest")?;
    drop(copy);
    let written = File::open(&to).and_then(|file| file.sync_all());
    written.map_err(|error| told(to.display(), &error))?;
    let file = DumpFile {
        path: SQLITE_FILE.to_owned(),
        sha256: digest_of(&to).map_err(|error| told(to.display(), &error))?,
        table: None,
    };
    let dump = Dump {
        database: SQLITE.to_owned(),
        migrations,
        files: vec![file],
    };
    Ok((dump, blobs))
}

/// Puts the file where the database belongs, whole or not at all.
fn load_sqlite(from: &Path, path: &str) -> Result<(), StoreError> {
    make_folder(path)?;
    let draft = format!("{path}.restoring");
    let placed = fs::copy(from, &draft)
        .and_then(|_| File::open(&draft)?.sync_all())
        .and_then(|()| fs::rename(&draft, path));
    placed.map_err(|error| {
        let _ = fs::remove_file(&draft);
        told(path, &error)
    })
}

async fn save_postgres(url: &str, folder: &Path) -> Result<(Dump, Vec<String>), StoreError> {
    let client = pg_connect::session(url).await?;
    // Everything below sees this one state, whatever is written meanwhile.
    client
        .batch_execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        .await
        .map_err(failed)?;
    let strings = async |query: &str| -> Result<Vec<String>, StoreError> {
        let rows = client.query(query, &[]).await.map_err(failed)?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    };
    let migrations =
        strings("SELECT version::text FROM __diesel_schema_migrations ORDER BY version").await?;
    let blobs =
        strings("SELECT digest FROM blobs WHERE removing_at IS NULL ORDER BY digest").await?;
    let mut files = Vec::new();
    for name in in_order(&client).await? {
        let columns = client
            .query(
                "SELECT quote_ident(attname) FROM pg_attribute WHERE attrelid = $1::text::regclass \
                 AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum",
                &[&name],
            )
            .await
            .map_err(failed)?;
        let columns: Vec<String> = columns.iter().map(|row| row.get(0)).collect();
        let path = format!("{}.copy", name.trim_matches('"'));
        let (sha256, rows) = save_table(&client, &name, &columns, &folder.join(&path)).await?;
        files.push(DumpFile {
            path,
            sha256,
            table: Some(Table {
                name,
                columns,
                rows,
            }),
        });
    }
    let dump = Dump {
        database: POSTGRESQL.to_owned(),
        migrations,
        files,
    };
    Ok((dump, blobs))
}

/// The tables of the schema, each after those that it refers to; the schema's own history is left out, and uploaded files, which are kept
/// beside the tables wherever they lie.
async fn in_order(client: &Client) -> Result<Vec<String>, StoreError> {
    let tables = client
        .query(
            "SELECT quote_ident(c.relname), ARRAY(SELECT quote_ident(f.relname) FROM pg_constraint k JOIN pg_class f ON f.oid = k.confrelid \
             WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.confrelid <> c.oid) \
             FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace \
             AND c.relname NOT IN ('__diesel_schema_migrations', 'blob_bytes') ORDER BY c.relname",
            &[],
        )
        .await
        .map_err(failed)?;
    let mut left: Vec<(String, Vec<String>)> =
        tables.iter().map(|row| (row.get(0), row.get(1))).collect();
    let mut ordered = Vec::with_capacity(left.len());
    let mut placed = HashSet::new();
    while !left.is_empty() {
        let (free, bound): (Vec<_>, Vec<_>) = left
            .into_iter()
            .partition(|(_, needs)| needs.iter().all(|need| placed.contains(need)));
        if free.is_empty() {
            let words = "the tables of the database refer to each other in a circle";
            return Err(StoreError::Broken(words.to_owned()));
        }
        for (name, _) in free {
            placed.insert(name.clone());
            ordered.push(name);
        }
        left = bound;
    }
    Ok(ordered)
}

async fn save_table(
    client: &Client,
    name: &str,
    columns: &[String],
    path: &Path,
) -> Result<(String, u64), StoreError> {
    let statement = format!("COPY {name} ({}) TO STDOUT", columns.join(", "));
    let rows = client.copy_out(&statement).await.map_err(failed)?;
    let mut rows = std::pin::pin!(rows);
    let cannot = |error| told(path.display(), &error);
    let mut file = io::BufWriter::new(File::create_new(path).map_err(cannot)?);
    let (mut hasher, mut count) = (Sha256::new(), 0);
    while let Some(piece) = rows.next().await {
        let piece = piece.map_err(failed)?;
        // A row is a line: a line break in a value is written as an escape.
        count += piece.iter().filter(|byte| **byte == b'\n').count() as u64;
        hasher.update(&piece);
        file.write_all(&piece).map_err(cannot)?;
    }
    let file = file
        .into_inner()
        .map_err(|error| cannot(error.into_error()))?;
    file.sync_all().map_err(cannot)?;
    Ok((to_hex(&hasher.finalize()), count))
}

async fn load_postgres(url: &str, folder: &Path, dump: &Dump) -> Result<(), StoreError> {
    let mut client = pg_connect::session(url).await?;
    let transaction = client.transaction().await.map_err(failed)?;
    for (path, table) in dump
        .files
        .iter()
        .filter_map(|file| Some((&file.path, file.table.as_ref()?)))
    {
        let (name, columns) = (&table.name, table.columns.join(", "));
        let statement = format!("COPY {name} ({columns}) FROM STDIN");
        let sink = transaction.copy_in::<_, Bytes>(&statement).await;
        let mut sink = std::pin::pin!(sink.map_err(failed)?);
        let mut file = File::open(folder.join(path)).map_err(|error| told(path, &error))?;
        loop {
            let mut piece = vec![0; PIECE];
            let read = file.read(&mut piece).map_err(|error| told(path, &error))?;
            if read == 0 {
                break;
            }
            piece.truncate(read);
            sink.send(Bytes::from(piece)).await.map_err(failed)?;
        }
        let rows = sink.finish().await.map_err(failed)?;
        if rows != table.rows {
            return Err(StoreError::Broken(format!(
                "of {} rows of {name} {rows} were read",
                table.rows
            )));
        }
    }
    transaction.commit().await.map_err(failed)
}
