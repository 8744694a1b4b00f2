//! Owns what is particular to PostgreSQL: how its queries are compiled, begun, locked and written many rows at a time.

use crate::store::model::StoreError;
use crate::store::rows::{Account, ChargedRow, Ending, TransferRow};
use crate::store::schema::{generations, transfers, users};
use crate::store::types::{Id, SqlId, SqlTime};
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Nullable, Text};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use diesel_migrations::{EmbeddedMigrations, embed_migrations};

#[path = "queries/mod.rs"]
pub(crate) mod queries;

pub(crate) const MIGRATIONS: EmbeddedMigrations = embed_migrations!("migrations/postgres");

/// A connection of the pool.
pub(crate) type Conn = AsyncPgConnection;

/// Rows a statement: a statement binds at most 65,535 values, and no row binds more than 32.
const ROWS_MAX: usize = 1_000;

/// A transaction that writes. Whoever settles locks the accounts first, in the order of their identities.
macro_rules! write_tx {
    ($conn:expr, $body:expr) => {
        diesel_async::AsyncConnection::transaction($conn, $body).await
    };
}
pub(crate) use write_tx;

/// A transaction that reads one state of the database.
macro_rules! read_tx {
    ($conn:expr, $body:expr) => {
        $conn
            .build_transaction()
            .repeatable_read()
            .read_only()
            .run($body)
            .await
    };
}
pub(crate) use read_tx;

/// Locks the rows that a query finds.
macro_rules! locking {
    ($query:expr) => {
        $query.for_update()
    };
}
pub(crate) use locking;

/// Locks those rows that nobody else holds.
macro_rules! locking_free {
    ($query:expr) => {
        $query.for_update().skip_locked()
    };
}
pub(crate) use locking_free;

/// Inserts many rows, as many a statement as it can bind.
macro_rules! insert_many {
    ($conn:expr, $table:expr, $rows:expr) => {
        for some in $rows.chunks(1_000) {
            diesel::insert_into($table)
                .values(some)
                .execute($conn)
                .await?;
        }
    };
}
pub(crate) use insert_many;

pub(crate) async fn lock_accounts(conn: &mut Conn, ids: &[Id]) -> Result<Vec<Account>, StoreError> {
    Ok(users::table
        .filter(users::id.eq_any(ids))
        .order(users::id)
        .select(Account::as_select())
        .for_update()
        .load(conn)
        .await?)
}

/// Which of these runs there are.
pub(crate) async fn runs_known(conn: &mut Conn, ids: &[Id]) -> Result<Vec<Id>, StoreError> {
    Ok(generations::table
        .filter(generations::run_id.eq_any(ids))
        .filter(generations::ordinal.eq(0))
        .select(generations::run_id)
        .load(conn)
        .await?)
}

pub(crate) async fn write_accounts(
    conn: &mut Conn,
    accounts: &[&Account],
) -> Result<(), StoreError> {
    if accounts.is_empty() {
        return Ok(());
    }
    let of = |field: fn(&Account) -> i64| {
        accounts
            .iter()
            .map(|account| field(account))
            .collect::<Vec<_>>()
    };
    diesel::sql_query(
        "UPDATE users SET available = v.a, reserved = v.r, packs_purchased = v.p, total_generations = v.t \
         FROM unnest($1, $2, $3, $4, $5) AS v (id, a, r, p, t) WHERE users.id = v.id",
    )
    .bind::<Array<SqlId>, _>(accounts.iter().map(|account| account.id).collect::<Vec<_>>())
    .bind::<Array<BigInt>, _>(of(|account| account.available))
    .bind::<Array<BigInt>, _>(of(|account| account.reserved))
    .bind::<Array<BigInt>, _>(of(|account| account.packs_purchased))
    .bind::<Array<BigInt>, _>(of(|account| account.total_generations))
    .execute(conn)
    .await?;
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
    for some in rows.chunks(ROWS_MAX) {
        diesel::sql_query(
            "UPDATE generations SET status = v.status, name = v.name, filename = v.filename, word_count = v.words, \
             credits_refunded = v.refunded, failure_reason = v.reason, failure_message = v.message, \
             completed_at = v.at, index_filename = v.index_filename, index_content = v.index_content \
             FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) \
             AS v (id, status, name, filename, words, refunded, reason, message, at, index_filename, index_content) \
             WHERE generations.id = v.id",
        )
        .bind::<Array<SqlId>, _>(some.iter().map(|row| row.id).collect::<Vec<_>>())
        .bind::<Array<Text>, _>(some.iter().map(|row| row.status).collect::<Vec<_>>())
        .bind::<Array<Text>, _>(some.iter().map(|row| row.name.as_ref()).collect::<Vec<_>>())
        .bind::<Array<Nullable<Text>>, _>(some.iter().map(|row| row.filename.as_deref()).collect::<Vec<_>>())
        .bind::<Array<BigInt>, _>(some.iter().map(|row| row.word_count).collect::<Vec<_>>())
        .bind::<Array<BigInt>, _>(some.iter().map(|row| row.credits_refunded).collect::<Vec<_>>())
        .bind::<Array<Nullable<Text>>, _>(some.iter().map(|row| row.failure_reason).collect::<Vec<_>>())
        .bind::<Array<Nullable<Text>>, _>(some.iter().map(|row| row.failure_message.as_deref()).collect::<Vec<_>>())
        .bind::<Array<SqlTime>, _>(some.iter().map(|row| row.completed_at).collect::<Vec<_>>())
        .bind::<Array<Nullable<Text>>, _>(some.iter().map(|row| row.index_filename.as_deref()).collect::<Vec<_>>())
        .bind::<Array<Nullable<Text>>, _>(some.iter().map(|row| row.index_content.as_deref()).collect::<Vec<_>>())
        .execute(conn)
        .await?;
    }
    Ok(())
}
