//! Which blobs there may be, who may write them, and which may go.
//!
//! Invariant: bytes lie in the blob store only while their row is here. Who wants to keep bytes claims the row first, and cannot
//! while somebody removes them; who removes bytes marks the row first, and cannot while it was claimed lately. So an
//! upload and a removal of the same bytes never overlap, on any number of nodes.

use super::super::Conn;
use crate::domain::clock::Timestamp;
use crate::domain::source::SourceStatus;
use crate::store::model::StoreError;
use crate::store::schema::{blob_bytes, blobs, generations, run_files, skills, sources};
use crate::store::types::{At, Id};
use bytes::Bytes;
use diesel::dsl::exists;
use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use std::collections::HashSet;

/// Blobs that are looked at in one transaction.
const LOOKED_AT_ONCE: i64 = 500;

/// Claims digests, so that their bytes may be written or read and stay for as long as a claim holds; answers those that are being
/// removed just now, of which none is claimed.
pub(crate) async fn claim_blobs(
    conn: &mut Conn,
    digests: Vec<String>,
    at: Timestamp,
) -> Result<Vec<String>, StoreError> {
    write_tx!(conn, async |conn| {
        let known = locking!(
            blobs::table
                .filter(blobs::digest.eq_any(&digests))
                .order(blobs::digest)
                .select((blobs::digest, blobs::removing_at))
        );
        let known = known.load::<(String, Option<At>)>(conn).await?;
        let removing: Vec<String> = known
            .into_iter()
            .filter(|(_, removing_at)| removing_at.is_some())
            .map(|(digest, _)| digest)
            .collect();
        let mut claimed: Vec<&String> = digests
            .iter()
            .filter(|digest| !removing.contains(digest))
            .collect();
        claimed.sort_unstable();
        claimed.dedup();
        for digest in claimed {
            diesel::insert_into(blobs::table)
                .values((blobs::digest.eq(digest), blobs::claimed_at.eq(At(at))))
                .on_conflict(blobs::digest)
                .do_update()
                .set(blobs::claimed_at.eq(At(at)))
                .execute(conn)
                .await?;
        }
        Ok::<_, StoreError>(removing)
    })
}

/// Looks at blobs that nobody has claimed since `before`: those that something needs are claimed for it, all others are marked as
/// being removed and named; those too whose remover has not been heard of since `stale`. Sources that no skill uses any more
/// expire with it. Answers whether there may be more.
pub(crate) async fn begin_removal(
    conn: &mut Conn,
    before: Timestamp,
    stale: Timestamp,
    at: Timestamp,
) -> Result<(Vec<String>, bool), StoreError> {
    write_tx!(conn, async |conn| {
        let left = blobs::removing_at.lt(At(stale)).assume_not_null();
        let old = locking_free!(
            blobs::table
                .filter(blobs::claimed_at.lt(At(before)))
                .filter(blobs::removing_at.is_null().or(left))
                .order(blobs::claimed_at)
                .limit(LOOKED_AT_ONCE)
                .select(blobs::digest)
        );
        let old = old.load::<String>(conn).await?;
        let more = old.len() >= usize::try_from(LOOKED_AT_ONCE).unwrap_or(usize::MAX);
        let in_use = in_use_by_digest(conn, &old).await?;
        let unused = sources::table
            .filter(sources::digest.eq_any(&old))
            .filter(sources::created_at.lt(At(before)))
            .filter(sources::status.ne(SourceStatus::Expired.as_str()))
            .select(sources::id)
            .load::<Id>(conn)
            .await?
            .into_iter()
            .filter(|id| !in_use.iter().any(|(_, source)| *source == Some(*id)))
            .collect::<Vec<_>>();
        diesel::update(sources::table.filter(sources::id.eq_any(&unused)))
            .set(sources::status.eq(SourceStatus::Expired.as_str()))
            .execute(conn)
            .await?;
        let mut needed: HashSet<String> = sources::table
            .filter(sources::digest.eq_any(&old))
            .filter(sources::status.ne(SourceStatus::Expired.as_str()))
            .select(sources::digest)
            .load::<String>(conn)
            .await?
            .into_iter()
            .collect();
        needed.extend(in_use.into_iter().map(|(digest, _)| digest));
        let (needed, free): (Vec<String>, Vec<String>) =
            old.into_iter().partition(|digest| needed.contains(digest));
        diesel::update(blobs::table.filter(blobs::digest.eq_any(&needed)))
            .filter(blobs::removing_at.is_null())
            .set(blobs::claimed_at.eq(At(at)))
            .execute(conn)
            .await?;
        diesel::update(blobs::table.filter(blobs::digest.eq_any(&free)))
            .set(blobs::removing_at.eq(Some(At(at))))
            .execute(conn)
            .await?;
        Ok::<_, StoreError>((free, more))
    })
}

/// The files with these digests that a run reads which has not ended, or which a skill was made by; and the sources they were.
async fn in_use_by_digest(
    conn: &mut Conn,
    digests: &[String],
) -> Result<Vec<(String, Option<Id>)>, StoreError> {
    Ok(run_files::table
        .filter(run_files::digest.eq_any(digests))
        .filter(
            exists(
                generations::table
                    .filter(generations::run_id.eq(run_files::run_id))
                    .filter(generations::ordinal.eq(0))
                    .filter(generations::completed_at.is_null()),
            )
            .or(exists(
                skills::table.filter(skills::origin_run.eq(run_files::run_id.nullable())),
            )),
        )
        .select((run_files::digest, run_files::source_id))
        .load(conn)
        .await?)
}

/// Which of these sources are in use in the same way.
pub(super) async fn sources_in_use(conn: &mut Conn, ids: &[Id]) -> Result<Vec<Id>, StoreError> {
    let ids: Vec<Option<Id>> = ids.iter().copied().map(Some).collect();
    let used = run_files::table
        .filter(run_files::source_id.eq_any(ids))
        .filter(
            exists(
                generations::table
                    .filter(generations::run_id.eq(run_files::run_id))
                    .filter(generations::ordinal.eq(0))
                    .filter(generations::completed_at.is_null()),
            )
            .or(exists(
                skills::table.filter(skills::origin_run.eq(run_files::run_id.nullable())),
            )),
        )
        .select(run_files::source_id)
        .load::<Option<Id>>(conn)
        .await?;
    Ok(used.into_iter().flatten().collect())
}

/// Forgets blobs whose bytes are gone.
pub(crate) async fn end_removal(conn: &mut Conn, digests: Vec<String>) -> Result<(), StoreError> {
    diesel::delete(blobs::table.filter(blobs::digest.eq_any(&digests)))
        .filter(blobs::removing_at.is_not_null())
        .execute(conn)
        .await?;
    Ok(())
}

/// Keeps bytes under their digest, unless they are here.
pub(crate) async fn put_blob(
    conn: &mut Conn,
    digest: String,
    bytes: Bytes,
) -> Result<(), StoreError> {
    diesel::insert_into(blob_bytes::table)
        .values((
            blob_bytes::digest.eq(digest),
            blob_bytes::bytes.eq(&bytes[..]),
        ))
        .on_conflict_do_nothing()
        .execute(conn)
        .await?;
    Ok(())
}

/// The bytes of a digest, when they are here.
pub(crate) async fn blob(conn: &mut Conn, digest: String) -> Result<Option<Bytes>, StoreError> {
    let kept = blob_bytes::table
        .filter(blob_bytes::digest.eq(digest))
        .select(blob_bytes::bytes);
    let kept = kept.get_result::<Vec<u8>>(conn).await.optional()?;
    Ok(kept.map(Bytes::from))
}

/// Removes the bytes of a digest; false when they were not here.
pub(crate) async fn remove_blob(conn: &mut Conn, digest: String) -> Result<bool, StoreError> {
    let kept = blob_bytes::table.filter(blob_bytes::digest.eq(digest));
    Ok(diesel::delete(kept).execute(conn).await? > 0)
}
