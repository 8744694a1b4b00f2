//! Links that were sent by mail: kept, looked at, and used up together with what they are good for.

use super::super::Conn;
use super::sessions::end_sessions;
use crate::domain::clock::Timestamp;
use crate::domain::credits::Credits;
use crate::domain::id::UserId;
use crate::domain::key::Digest;
use crate::store::model::{Purpose, StoreError, Welcome};
use crate::store::rows::credits;
use crate::store::schema::{tickets, users, welcomes};
use crate::store::types::{At, Id};
use diesel::prelude::*;
use diesel_async::RunQueryDsl;

pub(crate) async fn add_ticket(
    conn: &mut Conn,
    digest: Digest,
    user_id: UserId,
    purpose: Purpose,
    now: Timestamp,
    expires_at: Timestamp,
) -> Result<(), StoreError> {
    write_tx!(conn, async |conn| {
        // The newest link is the good one.
        diesel::delete(
            tickets::table
                .filter(tickets::user_id.eq(Id(user_id.0)))
                .filter(tickets::purpose.eq(purpose.as_str())),
        )
        .execute(conn)
        .await?;
        diesel::delete(tickets::table.filter(tickets::expires_at.le(At(now))))
            .execute(conn)
            .await?;
        diesel::insert_into(tickets::table)
            .values((
                tickets::digest.eq(digest.0.to_vec()),
                tickets::user_id.eq(Id(user_id.0)),
                tickets::purpose.eq(purpose.as_str()),
                tickets::expires_at.eq(At(expires_at)),
            ))
            .execute(conn)
            .await?;
        Ok::<_, StoreError>(())
    })
}

pub(crate) async fn ticket(
    conn: &mut Conn,
    digest: Digest,
    purpose: Purpose,
    now: Timestamp,
) -> Result<Option<UserId>, StoreError> {
    let owner = tickets::table
        .find(digest.0.to_vec())
        .filter(tickets::purpose.eq(purpose.as_str()))
        .filter(tickets::expires_at.gt(At(now)))
        .select(tickets::user_id)
        .get_result::<Id>(conn)
        .await
        .optional()?;
    Ok(owner.map(|id| UserId(id.0)))
}

pub(crate) async fn welcome(conn: &mut Conn, user_id: UserId) -> Result<Welcome, StoreError> {
    let row = welcomes::table
        .find(Id(user_id.0))
        .select((welcomes::credits, welcomes::verified_at))
        .get_result::<(i64, Option<At>)>(conn)
        .await
        .optional()?;
    Ok(row.map_or(Welcome::NONE, |(worth, verified_at)| Welcome {
        credits: credits(worth),
        verified_at: verified_at.map(|at| at.0),
    }))
}

/// Notes that an address is its owner's, inside a transaction of the caller's.
async fn note_verified(conn: &mut Conn, owner: Id, now: Timestamp) -> Result<(), StoreError> {
    let known = diesel::update(welcomes::table.find(owner))
        .filter(welcomes::verified_at.is_null())
        .set(welcomes::verified_at.eq(Some(At(now))))
        .execute(conn)
        .await?;
    if known > 0 {
        return Ok(());
    }
    let there: i64 = welcomes::table
        .filter(welcomes::user_id.eq(owner))
        .count()
        .get_result(conn)
        .await?;
    if there == 0 {
        // An account that the operator made.
        diesel::insert_into(welcomes::table)
            .values((
                welcomes::user_id.eq(owner),
                welcomes::network.eq(""),
                welcomes::credits.eq(i64::from(Credits::ZERO.0)),
                welcomes::created_at.eq(At(now)),
                welcomes::verified_at.eq(Some(At(now))),
            ))
            .execute(conn)
            .await?;
    }
    Ok(())
}

pub(crate) async fn verify(
    conn: &mut Conn,
    digest: Digest,
    user_id: UserId,
    now: Timestamp,
) -> Result<(), StoreError> {
    write_tx!(conn, async |conn| {
        diesel::delete(tickets::table.find(digest.0.to_vec()))
            .execute(conn)
            .await?;
        note_verified(conn, Id(user_id.0), now).await
    })
}

pub(crate) async fn reset_password(
    conn: &mut Conn,
    digest: Digest,
    hash: String,
    now: Timestamp,
) -> Result<Option<UserId>, StoreError> {
    write_tx!(conn, async |conn| {
        let Some(user_id) = ticket(conn, digest, Purpose::Reset, now).await? else {
            return Ok(None);
        };
        let used = diesel::delete(tickets::table.find(digest.0.to_vec()))
            .execute(conn)
            .await?;
        if used == 0 {
            return Ok(None);
        }
        diesel::update(users::table.find(Id(user_id.0)))
            .set(users::password_hash.eq(Some(hash)))
            .execute(conn)
            .await?;
        end_sessions(conn, user_id, None).await?;
        Ok::<_, StoreError>(Some(user_id))
    })
}
