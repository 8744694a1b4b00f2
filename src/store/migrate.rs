//! Owns bringing a database's schema up to date, and the refusal of one that is newer than this program.

use crate::store::model::StoreError;
use crate::store::{lite, pg};
use diesel::backend::Backend;
use diesel::connection::SimpleConnection;
use diesel::migration::{MigrationSource, MigrationVersion};
use diesel::{Connection, SqliteConnection};
use diesel_async::AsyncPgConnection;
use diesel_async::async_connection_wrapper::AsyncConnectionWrapper;
use diesel_migrations::{EmbeddedMigrations, MigrationHarness};
use std::collections::HashSet;

/// The number under which nodes queue for migrating one PostgreSQL database; any number would do, it must never change.
const MIGRATION_LOCK: i64 = 0x5b11_0c11;

pub(crate) fn sqlite(path: &str, pragmas: &str) -> Result<(), StoreError> {
    let mut conn = SqliteConnection::establish(path)
        .map_err(|error| StoreError::Unavailable(format!("cannot open {path}: {error}")))?;
    conn.batch_execute(pragmas)?;
    // Under the write lock, so that two processes that start together do not both migrate.
    conn.immediate_transaction(|conn| up_to_date(conn, lite::MIGRATIONS))
}

pub(crate) fn postgres(url: &str) -> Result<(), StoreError> {
    let mut conn = AsyncConnectionWrapper::<AsyncPgConnection>::establish(url)
        .map_err(|error| StoreError::Unavailable(error.to_string()))?;
    // The lock ends with the connection.
    conn.batch_execute(&format!("SELECT pg_advisory_lock({MIGRATION_LOCK})"))?;
    up_to_date(&mut conn, pg::MIGRATIONS)
}

fn up_to_date<DB: Backend>(
    conn: &mut impl MigrationHarness<DB>,
    migrations: EmbeddedMigrations,
) -> Result<(), StoreError>
where
    EmbeddedMigrations: MigrationSource<DB>,
{
    let broken = |error: Box<dyn std::error::Error + Send + Sync>| {
        StoreError::Broken(format!("cannot bring the schema up to date: {error}"))
    };
    let known: HashSet<MigrationVersion<'static>> = migrations
        .migrations()
        .map_err(broken)?
        .iter()
        .map(|migration| migration.name().version().as_owned())
        .collect();
    let applied = conn.applied_migrations().map_err(broken)?;
    if let Some(newer) = applied.iter().find(|version| !known.contains(version)) {
        return Err(StoreError::Broken(format!(
            "the database has schema {newer}, which this program does not know: it was made by a newer one"
        )));
    }
    conn.run_pending_migrations(migrations).map_err(broken)?;
    Ok(())
}
