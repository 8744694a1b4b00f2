//! Owns bringing a database's schema up to date, and the refusal of one that is newer than this program, but for steps that only expand it:
//! while nodes are replaced one by one, an older one that starts again works on with what it knows.

use crate::store::model::StoreError;
use crate::store::{lite, pg, pg_connect};
use diesel::backend::Backend;
use diesel::connection::SimpleConnection;
use diesel::dsl::sql;
use diesel::migration::{Migration as _, MigrationSource, MigrationVersion};
use diesel::pg::Pg;
use diesel::sql_types::Bool;
use diesel::{Connection, RunQueryDsl as _, SqliteConnection};
use diesel_async::AsyncPgConnection;
use diesel_async::async_connection_wrapper::AsyncConnectionWrapper;
use diesel_migrations::{EmbeddedMigrations, MigrationHarness};
use std::collections::HashSet;
use std::error::Error;
use std::thread;
use std::time::Duration;
use tokio::runtime::Handle;

/// The number under which nodes queue for migrating one PostgreSQL database; any number would do, it must never change.
const MIGRATION_LOCK: i64 = 0x5b11_0c11;

/// How often who queues asks again.
const LOCK_ASKED_EVERY: Duration = Duration::from_millis(50);

/// How the versions end of what only expands a schema, so that a program that does not know such a step works on it unawares: what the
/// folder `00000000000092-expand_name` holds has the version `00000000000092expand`.
const EXPANDS: &str = "expand";

pub(crate) fn sqlite(path: &str, pragmas: &str) -> Result<(), StoreError> {
    let mut conn = SqliteConnection::establish(path)
        .map_err(|error| StoreError::Unavailable(format!("cannot open {path}: {error}")))?;
    conn.batch_execute(pragmas)?;
    // Under the write lock, so that two processes that start together do not both migrate.
    conn.immediate_transaction(|conn| up_to_date(conn, lite::MIGRATIONS))
}

pub(crate) fn postgres(url: &str) -> Result<(), StoreError> {
    Handle::current().block_on(pg_connect::refuse_shared_sessions(url))?;
    up_to_date(&mut alone(url)?, pg::MIGRATIONS)
}

/// Brings an empty database to the schema that another one had.
pub(crate) fn postgres_to(url: &str, versions: &[String]) -> Result<(), StoreError> {
    let mut conn = alone(url)?;
    let mut wanted = Vec::new();
    for migration in MigrationSource::<Pg>::migrations(&pg::MIGRATIONS).map_err(broken)? {
        if versions.contains(&migration.name().version().to_string()) {
            wanted.push(migration);
        }
    }
    if wanted.len() != versions.len() {
        return Err(StoreError::Broken(
            "the backup has a schema that this program does not know: it was made by a newer one"
                .to_owned(),
        ));
    }
    let applied = conn.applied_migrations().map_err(broken)?;
    for migration in wanted {
        if !applied.contains(&migration.name().version()) {
            conn.run_migration(&migration).map_err(broken)?;
        }
    }
    let applied = conn.applied_migrations().map_err(broken)?;
    match applied.len() == versions.len() {
        true => Ok(()),
        false => Err(StoreError::Conflict(
            "the database has a newer schema than the backup; name an empty one".to_owned(),
        )),
    }
}

/// A connection of somebody who migrates, and nobody else beside.
fn alone(url: &str) -> Result<AsyncConnectionWrapper<AsyncPgConnection>, StoreError> {
    let connecting = async {
        let (client, connection) = pg_connect::open(url).await?;
        let conn = AsyncPgConnection::try_from_client_and_connection(client, connection).await;
        conn.map_err(|error| StoreError::Unavailable(error.to_string()))
    };
    let conn = Handle::current().block_on(connecting)?;
    let mut conn = AsyncConnectionWrapper::from(conn);
    // The lock ends with the connection. A statement that waited for it would hold a snapshot, for which an index that is built
    // concurrently by whoever has the lock waits in turn.
    let lock = format!("pg_try_advisory_lock({MIGRATION_LOCK})");
    while !diesel::select(sql::<Bool>(&lock)).get_result::<bool>(&mut conn)? {
        thread::sleep(LOCK_ASKED_EVERY);
    }
    Ok(conn)
}

fn broken(error: Box<dyn Error + Send + Sync>) -> StoreError {
    StoreError::Broken(format!("cannot bring the schema up to date: {error}"))
}

fn up_to_date<DB: Backend>(
    conn: &mut impl MigrationHarness<DB>,
    migrations: EmbeddedMigrations,
) -> Result<(), StoreError>
where
    EmbeddedMigrations: MigrationSource<DB>,
{
    let known: HashSet<MigrationVersion<'static>> = migrations
        .migrations()
        .map_err(broken)?
        .iter()
        .map(|migration| migration.name().version().as_owned())
        .collect();
    let applied = conn.applied_migrations().map_err(broken)?;
    let is_refused = |version: &&MigrationVersion<'static>| {
        !known.contains(*version) && !version.to_string().ends_with(EXPANDS)
    };
    if let Some(newer) = applied.iter().find(is_refused) {
        return Err(StoreError::Broken(format!(
            "the database has schema {newer}, which this program does not know: it was made by a newer one"
        )));
    }
    conn.run_pending_migrations(migrations).map_err(broken)?;
    Ok(())
}
