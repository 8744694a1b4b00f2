//! Owns what is particular to SQLite: how its queries are compiled, begun and written row by row.
//!
//! `Inline` makes every future ready at once: a query function never waits, so it is driven to its end on the thread that
//! owns the connection. One hop a function, not a statement; nothing that could be cancelled half way.

use crate::store::model::StoreError;
use crate::store::rows::{Account, ChargedRow, Ending, TransferRow};
use crate::store::schema::{generations, transfers, users};
use crate::store::types::Id;
use diesel::connection::AnsiTransactionManager;
use diesel::prelude::*;
use diesel_async::sync_connection_wrapper::{SpawnBlocking, SyncConnectionWrapper};
use diesel_async::{AsyncConnection, RunQueryDsl, TransactionManager};
use diesel_migrations::{EmbeddedMigrations, embed_migrations};
use futures_util::future::BoxFuture;

pub(crate) const MIGRATIONS: EmbeddedMigrations = embed_migrations!("migrations/sqlite");

/// A connection whose futures are always ready.
pub(crate) type Conn = SyncConnectionWrapper<SqliteConnection, Inline>;

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

pub(crate) async fn lock_accounts(conn: &mut Conn, ids: &[Id]) -> Result<Vec<Account>, StoreError> {
    let mut accounts = Vec::with_capacity(ids.len());
    for id in ids {
        let account = users::table
            .find(id)
            .select(Account::as_select())
            .first(conn)
            .await
            .optional()?;
        accounts.extend(account);
    }
    Ok(accounts)
}

/// Which of these runs there are.
pub(crate) async fn runs_known(conn: &mut Conn, ids: &[Id]) -> Result<Vec<Id>, StoreError> {
    let mut known = Vec::new();
    for id in ids {
        let run = generations::table
            .filter(generations::run_id.eq(id))
            .filter(generations::ordinal.eq(0))
            .select(generations::run_id)
            .first::<Id>(conn)
            .await
            .optional()?;
        known.extend(run);
    }
    Ok(known)
}

pub(crate) async fn write_accounts(
    conn: &mut Conn,
    accounts: &[&Account],
) -> Result<(), StoreError> {
    for account in accounts {
        diesel::update(users::table.find(account.id))
            .set((
                users::available.eq(account.available),
                users::reserved.eq(account.reserved),
                users::packs_purchased.eq(account.packs_purchased),
                users::total_generations.eq(account.total_generations),
            ))
            .execute(conn)
            .await?;
    }
    Ok(())
}

pub(crate) async fn write_charged(
    conn: &mut Conn,
    rows: &[ChargedRow<'_>],
) -> Result<(), StoreError> {
    insert_many!(conn, generations::table, rows);
    Ok(())
}

pub(crate) async fn write_transfers(
    conn: &mut Conn,
    rows: &[TransferRow],
) -> Result<(), StoreError> {
    insert_many!(conn, transfers::table, rows);
    Ok(())
}

pub(crate) async fn write_endings(conn: &mut Conn, rows: &[Ending<'_>]) -> Result<(), StoreError> {
    for row in rows {
        diesel::update(generations::table.find(row.id))
            .set(row)
            .execute(conn)
            .await?;
    }
    Ok(())
}
