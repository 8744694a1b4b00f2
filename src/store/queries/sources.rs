//! Uploaded sources: keeping, finding and expiring them.

use super::super::Conn;
use super::blobs;
use crate::domain::clock::Timestamp;
use crate::domain::id::{SourceId, UserId};
use crate::domain::source::{SourceStatus, StoredSource};
use crate::store::model::StoreError;
use crate::store::rows::library::SourceRow;
use crate::store::schema::sources;
use crate::store::types::{At, Id};
use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use std::collections::{BTreeMap, HashSet};

/// Sources that expire in one transaction; the next sweep finds the others.
const EXPIRED_AT_ONCE: i64 = 1_000;

pub(crate) async fn add_sources(conn: &mut Conn, new: Vec<StoredSource>) -> Result<(), StoreError> {
    let rows: Vec<SourceRow> = new.iter().map(SourceRow::of).collect();
    write_tx!(conn, async |conn| {
        insert_many!(conn, sources::table, &rows);
        Ok::<_, StoreError>(())
    })
}

/// In the order asked for, each once; those that are unknown or somebody else's are missing. One after another: the statement for a
/// list of them would be another for each length, and prepared anew each time.
pub(crate) async fn sources(
    conn: &mut Conn,
    user_id: UserId,
    mut ids: Vec<SourceId>,
) -> Result<Vec<StoredSource>, StoreError> {
    let mut seen = HashSet::new();
    ids.retain(|id| seen.insert(*id));
    let mut found = Vec::with_capacity(ids.len());
    for id in ids {
        let row = sources::table
            .filter(sources::user_id.eq(Id(user_id.0)))
            .filter(sources::id.eq(Id(id.0)))
            .select(SourceRow::as_select())
            .get_result(conn)
            .await
            .optional()?;
        found.extend(row.map(SourceRow::read).transpose()?);
    }
    Ok(found)
}

/// Writes down where sources stand. What expired is gone, whatever a late run says of it.
pub(super) async fn show(
    conn: &mut Conn,
    standing: &BTreeMap<Id, SourceStatus>,
) -> Result<(), StoreError> {
    for status in SourceStatus::ALL {
        let ids: Vec<Id> = standing
            .iter()
            .filter(|(_, shown)| **shown == status)
            .map(|(id, _)| *id)
            .collect();
        if ids.is_empty() {
            continue;
        }
        diesel::update(sources::table)
            .filter(sources::id.eq_any(ids))
            .filter(sources::status.ne(SourceStatus::Expired.as_str()))
            .set(sources::status.eq(status.as_str()))
            .execute(conn)
            .await?;
    }
    Ok(())
}

pub(crate) async fn expire_sources(conn: &mut Conn, before: Timestamp) -> Result<u64, StoreError> {
    write_tx!(conn, async |conn| {
        let idle = locking_free!(
            sources::table
                .filter(sources::created_at.lt(At(before)))
                .filter(sources::status.eq_any([
                    SourceStatus::Uploaded.as_str(),
                    SourceStatus::Failed.as_str()
                ]))
                .order(sources::created_at)
                .limit(EXPIRED_AT_ONCE)
                .select(sources::id)
        );
        let idle = idle.load::<Id>(conn).await?;
        let in_use = blobs::sources_in_use(conn, &idle).await?;
        let (used, unused): (Vec<Id>, Vec<Id>) =
            idle.into_iter().partition(|id| in_use.contains(id));
        // What a skill was once made of is ready, however a later run ended; nor need it be looked at again here.
        for (ids, status) in [
            (used, SourceStatus::Ready),
            (unused.clone(), SourceStatus::Expired),
        ] {
            diesel::update(sources::table.filter(sources::id.eq_any(ids)))
                .set(sources::status.eq(status.as_str()))
                .execute(conn)
                .await?;
        }
        Ok::<_, StoreError>(u64::try_from(unused.len()).unwrap_or(u64::MAX))
    })
}
