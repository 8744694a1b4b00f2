//! Owns what is particular to SQLite: how its queries are compiled, begun and written row by row.
//!
//! `Inline` makes every future ready at once: a query function never waits, so it is driven to its end on the thread that
//! owns the connection. One hop a function, not a statement; nothing that could be cancelled half way.

use crate::store::facts::Request;
use crate::store::lite_statements::Written;
use crate::store::model::StoreError;
use crate::store::rows::accounts::Account;
use crate::store::rows::library::SkillRow;
use crate::store::rows::runs::{ChargedRow, Ending, LedgerRow};
use crate::store::rows::transfers::TransferRow;
use crate::store::schema::{generations, users};
use crate::store::types::{At, Id};
use diesel::connection::AnsiTransactionManager;
use diesel::prelude::*;
use diesel::query_dsl::methods::ExecuteDsl;
use diesel_async::sync_connection_wrapper::{SpawnBlocking, SyncConnectionWrapper};
use diesel_async::{AsyncConnection, TransactionManager};
use diesel_migrations::{EmbeddedMigrations, embed_migrations};
use futures_util::future::BoxFuture;
// Nothing calls it: it is named so that SQLite is compiled into the program instead of looked for on the machine.
use libsqlite3_sys as _;

pub(crate) const MIGRATIONS: EmbeddedMigrations = embed_migrations!("migrations/sqlite");

/// A connection whose futures are always ready.
pub(crate) type Conn = SyncConnectionWrapper<SqliteConnection, Inline>;

/// What queries are written for.
pub(crate) type Backend = diesel::sqlite::Sqlite;

/// Runs what should be spawned right here.
pub(crate) struct Inline;

impl SpawnBlocking for Inline {
    fn spawn_blocking<'a, R>(
        &mut self,
        task: impl FnOnce() -> R + Send + 'static,
    ) -> BoxFuture<'a, Result<R, Box<dyn std::error::Error + Send + Sync + 'static>>>
    where
        R: Send + 'static,
    {
        Box::pin(std::future::ready(Ok(task())))
    }

    fn get_runtime() -> Self {
        Self
    }
}

/// A transaction that writes: it takes the write lock first, so that it never fails on the way from reading to writing.
macro_rules! write_tx {
    ($conn:expr, $body:expr) => {
        crate::store::lite::transaction($conn, "BEGIN IMMEDIATE", $body).await
    };
}

/// A transaction that reads one state of the database.
macro_rules! read_tx {
    ($conn:expr, $body:expr) => {
        crate::store::lite::transaction($conn, "BEGIN DEFERRED", $body).await
    };
}

/// Locks the rows that a query finds. SQLite has one writer at a time: they are locked already.
macro_rules! locking {
    ($query:expr) => {
        $query
    };
}

/// Locks those rows that nobody else holds.
macro_rules! locking_free {
    ($query:expr) => {
        $query
    };
}

/// Inserts many rows: a cached statement a row beats one long statement.
macro_rules! insert_many {
    ($conn:expr, $table:expr, $rows:expr) => {
        for row in $rows {
            diesel::insert_into($table)
                .values(row)
                .execute($conn)
                .await?;
        }
    };
}

/// What [`crate::store::connection::Store::mark`] asks. The writer's own connection does not count its own commits.
pub(crate) const MARK: &str =
    "SELECT CAST(data_version AS TEXT) AS data_version FROM pragma_data_version";

/// The time by the database's own clock, which leases go by. SQLite has none but ours.
pub(crate) const CLOCK: &str = "NULL";

/// The month of the column `at`, by UTC.
pub(crate) const MONTH: &str = "strftime('%Y-%m', at / 1000000, 'unixepoch')";

// After the macros, which it uses: they are seen only by what follows them.
#[expect(
    clippy::duplicate_mod,
    reason = "the queries are written once and compiled for each database"
)]
#[path = "queries/mod.rs"]
pub(crate) mod queries;

pub(crate) async fn transaction<T>(
    conn: &mut Conn,
    begin: &'static str,
    body: impl AsyncFnOnce(&mut Conn) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    type Manager = <Conn as AsyncConnection>::TransactionManager;
    conn.spawn_blocking(move |sqlite| AnsiTransactionManager::begin_transaction_sql(sqlite, begin))
        .await?;
    match body(conn).await {
        Ok(value) => {
            Manager::commit_transaction(conn).await?;
            Ok(value)
        }
        Err(error) => {
            Manager::rollback_transaction(conn).await?;
            Err(error)
        }
    }
}

// Where a batch has many rows, the connection is used as it is: a statement that it has prepared before is found by its
// type, without being written out again.

pub(crate) async fn lock_accounts(
    conn: &mut Conn,
    ids: Vec<Id>,
) -> Result<Vec<Account>, StoreError> {
    let read = conn.spawn_blocking(move |sqlite| {
        let mut accounts = Vec::with_capacity(ids.len());
        for id in ids {
            let account = users::table.find(id).select(Account::as_select());
            accounts.extend(RunQueryDsl::get_result(account, sqlite).optional()?);
        }
        Ok(accounts)
    });
    Ok(read.await?)
}

/// Which of these runs there are.
pub(crate) async fn runs_known(conn: &mut Conn, ids: Vec<Id>) -> Result<Vec<Id>, StoreError> {
    let read = conn.spawn_blocking(move |sqlite| {
        let mut known = Vec::new();
        for id in ids {
            let run = generations::table
                .filter(generations::run_id.eq(id))
                .select(generations::run_id);
            known.extend(RunQueryDsl::get_result::<Id>(run, sqlite).optional()?);
        }
        Ok(known)
    });
    Ok(read.await?)
}

/// The rows of these runs, in order.
pub(crate) async fn runs_ending(conn: &mut Conn, ids: &[Id]) -> Result<Vec<LedgerRow>, StoreError> {
    let ids = ids.to_vec();
    let read = conn.spawn_blocking(move |sqlite| {
        let mut rows = Vec::with_capacity(ids.len());
        for id in ids {
            let of_run = generations::table
                .filter(generations::run_id.eq(id))
                .order(generations::ordinal)
                .select(LedgerRow::as_select());
            rows.append(&mut RunQueryDsl::load(of_run, sqlite)?);
        }
        Ok(rows)
    });
    Ok(read.await?)
}

/// The same rows as nobody else can change them: here nobody can since the transaction began.
pub(crate) async fn under_lock(
    _: &mut Conn,
    _: &[Id],
    rows: Vec<LedgerRow>,
) -> Result<Vec<LedgerRow>, StoreError> {
    Ok(rows)
}

/// Which of these requests were made before.
pub(crate) async fn requests_known(
    conn: &mut Conn,
    requests: Vec<Request>,
) -> Result<Vec<(Request, Id, At)>, StoreError> {
    let read = conn.spawn_blocking(move |sqlite| {
        let mut known = Vec::new();
        for request in requests {
            let holder = generations::table
                .filter(generations::user_id.eq(request.0))
                .filter(generations::route.eq(&request.1))
                .filter(generations::idempotency_key.eq(&request.2))
                .select((generations::id, generations::created_at));
            if let Some((row, at)) =
                RunQueryDsl::get_result::<(Id, At)>(holder, sqlite).optional()?
            {
                known.push((request, row, at));
            }
        }
        Ok(known)
    });
    Ok(read.await?)
}

/// Writes what accounts hold.
pub(crate) async fn write_accounts(
    conn: &mut Conn,
    accounts: Vec<Account>,
) -> Result<(), StoreError> {
    write_each(conn, accounts).await
}

pub(crate) async fn write_charged(
    conn: &mut Conn,
    rows: Vec<ChargedRow>,
) -> Result<(), StoreError> {
    write_each(conn, rows).await
}

pub(crate) async fn write_transfers(
    conn: &mut Conn,
    rows: Vec<TransferRow>,
) -> Result<(), StoreError> {
    write_each(conn, rows).await
}

pub(crate) async fn write_skills(conn: &mut Conn, rows: Vec<SkillRow>) -> Result<(), StoreError> {
    write_each(conn, rows).await
}

pub(crate) async fn write_endings(conn: &mut Conn, rows: Vec<Ending>) -> Result<(), StoreError> {
    write_each(conn, rows).await
}

/// Carries out the statement of these rows for one after another.
async fn write_each<T: Send + 'static>(conn: &mut Conn, rows: Vec<T>) -> Result<(), StoreError>
where
    for<'r> Written<'r, T>: ExecuteDsl<SqliteConnection>,
{
    let written = conn.spawn_blocking(move |sqlite| {
        for row in &rows {
            ExecuteDsl::execute(Written(row), sqlite)?;
        }
        Ok(())
    });
    Ok(written.await?)
}
