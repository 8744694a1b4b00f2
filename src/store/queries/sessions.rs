//! Browsers that are signed in: beginning, finding and ending their sessions.

use super::super::Conn;
use crate::domain::clock::Timestamp;
use crate::domain::id::{SessionId, UserId};
use crate::domain::key::Digest;
use crate::domain::user::Email;
use crate::store::model::{NewSession, Session, StoreError};
use crate::store::rows::{storable, unreadable};
use crate::store::schema::{sessions, users};
use crate::store::types::{At, Id};
use diesel::prelude::*;
use diesel_async::RunQueryDsl;

/// Most sessions of an account; the one that was not used for longest makes room.
const SESSIONS_MAX: i64 = 50;

/// A session with its account: identity, owner, address, restricted, browser, network, begun, seen, end.
type Found = (Id, Id, String, bool, String, String, At, At, At);

fn read(row: Found) -> Result<Session, StoreError> {
    let (id, user_id, email, restricted, agent, network, created_at, seen_at, expires_at) = row;
    Ok(Session {
        id: SessionId(id.0),
        user_id: UserId(user_id.0),
        email: Email::parse(&email).ok_or_else(|| unreadable("an address", &email))?,
        restricted,
        agent,
        network,
        created_at: created_at.0,
        seen_at: seen_at.0,
        expires_at: expires_at.0,
    })
}

/// The columns of [`Found`].
macro_rules! found {
    () => {
        (
            sessions::id,
            users::id,
            users::email,
            users::restricted,
            sessions::agent,
            sessions::network,
            sessions::created_at,
            sessions::seen_at,
            sessions::expires_at,
        )
    };
}

pub(crate) async fn begin_session(conn: &mut Conn, new: NewSession) -> Result<(), StoreError> {
    let owner = Id(new.user_id.0);
    write_tx!(conn, async |conn| {
        let living: i64 = sessions::table
            .filter(sessions::user_id.eq(owner))
            .count()
            .get_result(conn)
            .await?;
        if living >= SESSIONS_MAX {
            let oldest: Vec<Id> = sessions::table
                .filter(sessions::user_id.eq(owner))
                .order(sessions::seen_at)
                .limit(living - SESSIONS_MAX + 1)
                .select(sessions::id)
                .load(conn)
                .await?;
            diesel::delete(sessions::table.filter(sessions::id.eq_any(oldest)))
                .execute(conn)
                .await?;
        }
        diesel::insert_into(sessions::table)
            .values((
                sessions::id.eq(Id(new.id.0)),
                sessions::user_id.eq(owner),
                sessions::digest.eq(new.digest.0.to_vec()),
                sessions::agent.eq(storable(&new.agent).into_owned()),
                sessions::network.eq(&new.network),
                sessions::created_at.eq(At(new.at)),
                sessions::seen_at.eq(At(new.at)),
                sessions::expires_at.eq(At(new.expires_at)),
            ))
            .execute(conn)
            .await?;
        Ok::<_, StoreError>(())
    })
}

pub(crate) async fn session(
    conn: &mut Conn,
    digest: Digest,
    now: Timestamp,
) -> Result<Option<Session>, StoreError> {
    let row = sessions::table
        .inner_join(users::table.on(users::id.eq(sessions::user_id)))
        .filter(sessions::digest.eq(digest.0.as_slice()))
        .filter(sessions::expires_at.gt(At(now)))
        .select(found!())
        .get_result::<Found>(conn)
        .await
        .optional()?;
    row.map(read).transpose()
}

pub(crate) async fn sessions_of(
    conn: &mut Conn,
    user_id: UserId,
    now: Timestamp,
) -> Result<Vec<Session>, StoreError> {
    let rows = sessions::table
        .inner_join(users::table.on(users::id.eq(sessions::user_id)))
        .filter(sessions::user_id.eq(Id(user_id.0)))
        .filter(sessions::expires_at.gt(At(now)))
        .order(sessions::seen_at.desc())
        .select(found!())
        .load::<Found>(conn)
        .await?;
    rows.into_iter().map(read).collect()
}

pub(crate) async fn touch_session(
    conn: &mut Conn,
    id: SessionId,
    seen_at: Timestamp,
    expires_at: Timestamp,
) -> Result<(), StoreError> {
    diesel::update(sessions::table.find(Id(id.0)))
        .set((
            sessions::seen_at.eq(At(seen_at)),
            sessions::expires_at.eq(At(expires_at)),
        ))
        .execute(conn)
        .await?;
    Ok(())
}

pub(crate) async fn end_session(
    conn: &mut Conn,
    user_id: UserId,
    id: SessionId,
) -> Result<bool, StoreError> {
    let ended = diesel::delete(sessions::table.find(Id(id.0)))
        .filter(sessions::user_id.eq(Id(user_id.0)))
        .execute(conn)
        .await?;
    Ok(ended > 0)
}

pub(crate) async fn end_sessions(
    conn: &mut Conn,
    user_id: UserId,
    but: Option<SessionId>,
) -> Result<(), StoreError> {
    let but = Id(but.map_or(uuid::Uuid::nil(), |id| id.0));
    diesel::delete(
        sessions::table
            .filter(sessions::user_id.eq(Id(user_id.0)))
            .filter(sessions::id.ne(but)),
    )
    .execute(conn)
    .await?;
    Ok(())
}

pub(crate) async fn expire_sessions(conn: &mut Conn, now: Timestamp) -> Result<u64, StoreError> {
    let ended = diesel::delete(sessions::table.filter(sessions::expires_at.le(At(now))))
        .execute(conn)
        .await?;
    Ok(ended as u64)
}
