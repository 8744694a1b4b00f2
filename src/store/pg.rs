//! Owns what is particular to PostgreSQL: how its queries are compiled, begun, locked and written many rows at a time.

use crate::store::facts::Request;
use crate::store::model::StoreError;
use crate::store::rows::accounts::Account;
use crate::store::rows::library::SkillRow;
use crate::store::rows::runs::{ChargedRow, Ending, LedgerRow};
use crate::store::rows::transfers::TransferRow;
use crate::store::schema::{generations, skills, users};
use crate::store::types::{At, Id, SqlId, SqlTime};
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Integer, Nullable, SmallInt, Text};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use diesel_migrations::{EmbeddedMigrations, embed_migrations};

pub(crate) const MIGRATIONS: EmbeddedMigrations = embed_migrations!("migrations/postgres");

/// A connection of the pool.
pub(crate) type Conn = AsyncPgConnection;

/// What queries are written for.
pub(crate) type Backend = diesel::pg::Pg;

/// Bytes of orders a statement; a message may have a gigabyte.
const ORDERS_BYTES_MAX: usize = 64 << 20;

/// A transaction that writes. Whoever settles locks the accounts first, in the order of their identities.
macro_rules! write_tx {
    ($conn:expr, $body:expr) => {
        diesel_async::AsyncConnection::transaction($conn, $body).await
    };
}

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

/// Locks the rows that a query finds.
macro_rules! locking {
    ($query:expr) => {
        $query.for_update()
    };
}

/// Locks those rows that nobody else holds.
macro_rules! locking_free {
    ($query:expr) => {
        $query.for_update().skip_locked()
    };
}

/// Inserts many rows. A statement binds at most 65,535 values, and a skill may have some megabytes.
macro_rules! insert_many {
    ($conn:expr, $table:expr, $rows:expr) => {
        for some in $rows.chunks(64) {
            diesel::insert_into($table)
                .values(some)
                .execute($conn)
                .await?;
        }
    };
}

/// What [`crate::store::connection::Store::mark`] asks: the snapshot names every transaction that has not ended.
pub(crate) const MARK: &str = "SELECT pg_current_snapshot()::text AS data_version";

/// The time by the database's own clock, which leases go by.
pub(crate) const CLOCK: &str = "clock_timestamp()";

/// The month of the column `at`, by UTC.
pub(crate) const MONTH: &str = "to_char(at AT TIME ZONE 'UTC', 'YYYY-MM')";

// After the macros, which it uses: they are seen only by what follows them.
#[expect(
    clippy::duplicate_mod,
    reason = "the queries are written once and compiled for each database"
)]
#[path = "queries/mod.rs"]
pub(crate) mod queries;

/// A column of an array bind.
fn each<'r, R, T>(rows: &'r [R], field: impl Fn(&'r R) -> T) -> Vec<T> {
    rows.iter().map(field).collect()
}

pub(crate) async fn lock_accounts(
    conn: &mut Conn,
    ids: Vec<Id>,
) -> Result<Vec<Account>, StoreError> {
    Ok(users::table
        .filter(users::id.eq_any(ids))
        .order(users::id)
        .select(Account::as_select())
        .for_update()
        .load(conn)
        .await?)
}

/// Which of these runs there are.
pub(crate) async fn runs_known(conn: &mut Conn, ids: Vec<Id>) -> Result<Vec<Id>, StoreError> {
    Ok(generations::table
        .filter(generations::run_id.eq_any(ids))
        .filter(generations::ordinal.eq(0))
        .select(generations::run_id)
        .load(conn)
        .await?)
}

/// The rows of these runs, in order.
pub(crate) async fn runs_ending(conn: &mut Conn, ids: &[Id]) -> Result<Vec<LedgerRow>, StoreError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    Ok(generations::table
        .filter(generations::run_id.eq_any(ids))
        .order((generations::run_id, generations::ordinal))
        .select(LedgerRow::as_select())
        .load(conn)
        .await?)
}

/// The same rows as nobody else can change them: read once more, now that they are locked.
pub(crate) async fn under_lock(
    conn: &mut Conn,
    ids: &[Id],
    rows: Vec<LedgerRow>,
) -> Result<Vec<LedgerRow>, StoreError> {
    if rows.is_empty() {
        return Ok(rows);
    }
    Ok(generations::table
        .filter(generations::run_id.eq_any(ids))
        .order((generations::run_id, generations::ordinal))
        .select(LedgerRow::as_select())
        .for_update()
        .load(conn)
        .await?)
}

/// A request with an idempotency key, and the row that holds it.
#[derive(QueryableByName)]
#[diesel(table_name = generations)]
struct Requested {
    id: Id,
    user_id: Id,
    created_at: At,
    #[diesel(sql_type = Text)]
    route: String,
    #[diesel(sql_type = Text)]
    idempotency_key: String,
}

/// Which of these requests were made before.
pub(crate) async fn requests_known(
    conn: &mut Conn,
    requests: Vec<Request>,
) -> Result<Vec<(Request, Id, At)>, StoreError> {
    if requests.is_empty() {
        return Ok(Vec::new());
    }
    let known: Vec<Requested> = diesel::sql_query(
        "SELECT g.id, g.user_id, g.created_at, g.route, g.idempotency_key \
         FROM unnest($1, $2, $3) AS v (user_id, route, idempotency_key) JOIN generations AS g \
         ON g.user_id = v.user_id AND g.route = v.route AND g.idempotency_key = v.idempotency_key",
    )
    .bind::<Array<SqlId>, _>(each(&requests, |request| request.0))
    .bind::<Array<Text>, _>(each(&requests, |request| request.1.as_str()))
    .bind::<Array<Text>, _>(each(&requests, |request| request.2.as_str()))
    .load(conn)
    .await?;
    let known = known.into_iter().map(|row| {
        let request = (row.user_id, row.route, row.idempotency_key);
        (request, row.id, row.created_at)
    });
    Ok(known.collect())
}

pub(crate) async fn write_accounts(
    conn: &mut Conn,
    accounts: Vec<Account>,
) -> Result<(), StoreError> {
    if accounts.is_empty() {
        return Ok(());
    }
    diesel::sql_query(
        "UPDATE users SET available = v.a, reserved = v.r, packs_purchased = v.p, total_generations = v.t, \
         owed = v.o, plan = v.plan, plan_given = v.given \
         FROM unnest($1, $2, $3, $4, $5, $6, $7, $8) AS v (id, a, r, p, t, o, plan, given) WHERE users.id = v.id",
    )
    .bind::<Array<SqlId>, _>(each(&accounts, |account| account.id))
    .bind::<Array<BigInt>, _>(each(&accounts, |account| account.available))
    .bind::<Array<BigInt>, _>(each(&accounts, |account| account.reserved))
    .bind::<Array<BigInt>, _>(each(&accounts, |account| account.packs_purchased))
    .bind::<Array<BigInt>, _>(each(&accounts, |account| account.total_generations))
    .bind::<Array<BigInt>, _>(each(&accounts, |account| account.owed))
    .bind::<Array<Text>, _>(each(&accounts, |account| account.plan.as_str()))
    .bind::<Array<Nullable<Text>>, _>(each(&accounts, |account| account.plan_given.as_deref()))
    .execute(conn)
    .await?;
    Ok(())
}

pub(crate) async fn write_charged(
    conn: &mut Conn,
    rows: Vec<ChargedRow>,
) -> Result<(), StoreError> {
    let mut bytes = 0;
    let portions = rows.chunk_by(|_, next| {
        bytes += next.ordered.as_ref().map_or(0, String::len);
        let fits = bytes <= ORDERS_BYTES_MAX;
        bytes *= usize::from(fits);
        fits
    });
    for some in portions {
        // Arrays cost one bind a column, where rows of values would cost one a cell, each to be parsed.
        diesel::sql_query(
        "INSERT INTO generations (id, run_id, ordinal, user_id, skill_id, catalogue_id, status, name, source_type, source, \
         word_count, credits_charged, credits_refunded, created_at, ordered, key_id, node, lease_until, attempts, replaces, \
         route, idempotency_key, digest, balance_after) \
         SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, \
         $21, $22, $23, $24)",
    )
    .bind::<Array<SqlId>, _>(each(some, |row| row.id))
    .bind::<Array<SqlId>, _>(each(some, |row| row.run_id))
    .bind::<Array<Integer>, _>(each(some, |row| row.ordinal))
    .bind::<Array<SqlId>, _>(each(some, |row| row.user_id))
    .bind::<Array<SqlId>, _>(each(some, |row| row.skill_id))
    .bind::<Array<Nullable<SqlId>>, _>(each(some, |row| row.catalogue_id))
    .bind::<Array<Text>, _>(each(some, |row| row.status))
    .bind::<Array<Text>, _>(each(some, |row| row.name.as_str()))
    .bind::<Array<Text>, _>(each(some, |row| row.source_type))
    .bind::<Array<Text>, _>(each(some, |row| row.source.as_str()))
    .bind::<Array<BigInt>, _>(each(some, |row| row.word_count))
    .bind::<Array<BigInt>, _>(each(some, |row| row.credits_charged))
    .bind::<Array<BigInt>, _>(each(some, |row| row.credits_refunded))
    .bind::<Array<SqlTime>, _>(each(some, |row| row.created_at))
    .bind::<Array<Nullable<Text>>, _>(each(some, |row| row.ordered.as_deref()))
    .bind::<Array<Nullable<SqlId>>, _>(each(some, |row| row.key_id))
    .bind::<Array<Nullable<SqlId>>, _>(each(some, |row| row.node))
    .bind::<Array<Nullable<SqlTime>>, _>(each(some, |row| row.lease_until))
    .bind::<Array<Integer>, _>(each(some, |row| row.attempts))
    .bind::<Array<Nullable<SqlId>>, _>(each(some, |row| row.replaces))
    .bind::<Array<Nullable<Text>>, _>(each(some, |row| row.route.as_deref()))
    .bind::<Array<Nullable<Text>>, _>(each(some, |row| row.idempotency_key.as_deref()))
    .bind::<Array<Nullable<Text>>, _>(each(some, |row| row.digest.as_deref()))
    .bind::<Array<Nullable<BigInt>>, _>(each(some, |row| row.balance_after))
    .execute(conn)
    .await?;
    }
    Ok(())
}

pub(crate) async fn write_transfers(
    conn: &mut Conn,
    rows: Vec<TransferRow>,
) -> Result<(), StoreError> {
    if rows.is_empty() {
        return Ok(());
    }
    diesel::sql_query(
        "INSERT INTO transfers (key, phase, opening, kind, user_id, debit, credit, amount, reason, at, payment_id) \
         SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    )
    .bind::<Array<SqlId>, _>(each(&rows, |row| row.key))
    .bind::<Array<SmallInt>, _>(each(&rows, |row| row.phase))
    .bind::<Array<Nullable<SmallInt>>, _>(each(&rows, |row| row.opening))
    .bind::<Array<Text>, _>(each(&rows, |row| row.kind))
    .bind::<Array<SqlId>, _>(each(&rows, |row| row.user_id))
    .bind::<Array<Text>, _>(each(&rows, |row| row.debit))
    .bind::<Array<Text>, _>(each(&rows, |row| row.credit))
    .bind::<Array<BigInt>, _>(each(&rows, |row| row.amount))
    .bind::<Array<Nullable<Text>>, _>(each(&rows, |row| row.reason))
    .bind::<Array<SqlTime>, _>(each(&rows, |row| row.at))
    .bind::<Array<Nullable<SqlId>>, _>(each(&rows, |row| row.payment_id))
    .execute(conn)
    .await?;
    Ok(())
}

pub(crate) async fn write_skills(conn: &mut Conn, rows: Vec<SkillRow>) -> Result<(), StoreError> {
    insert_many!(conn, skills::table, &rows);
    Ok(())
}

pub(crate) async fn write_endings(conn: &mut Conn, rows: Vec<Ending>) -> Result<(), StoreError> {
    if rows.is_empty() {
        return Ok(());
    }
    diesel::sql_query(
            "UPDATE generations SET status = v.status, name = v.name, filename = v.filename, word_count = v.words, \
             credits_refunded = v.refunded, failure_reason = v.reason, failure_message = v.message, \
             completed_at = v.at, index_filename = v.index_filename, index_content = v.index_content \
             FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) \
             AS v (id, status, name, filename, words, refunded, reason, message, at, index_filename, index_content) \
             WHERE generations.id = v.id",
        )
        .bind::<Array<SqlId>, _>(each(&rows, |row| row.id))
        .bind::<Array<Text>, _>(each(&rows, |row| row.status))
        .bind::<Array<Text>, _>(each(&rows, |row| row.name.as_str()))
        .bind::<Array<Nullable<Text>>, _>(each(&rows, |row| row.filename.as_deref()))
        .bind::<Array<BigInt>, _>(each(&rows, |row| row.word_count))
        .bind::<Array<BigInt>, _>(each(&rows, |row| row.credits_refunded))
        .bind::<Array<Nullable<Text>>, _>(each(&rows, |row| row.failure_reason))
        .bind::<Array<Nullable<Text>>, _>(each(&rows, |row| row.failure_message.as_deref()))
        .bind::<Array<SqlTime>, _>(each(&rows, |row| row.completed_at))
        .bind::<Array<Nullable<Text>>, _>(each(&rows, |row| row.index_filename.as_deref()))
        .bind::<Array<Nullable<Text>>, _>(each(&rows, |row| row.index_content.as_deref()))
        .execute(conn)
        .await?;
    Ok(())
}
