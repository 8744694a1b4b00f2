//! API keys: adding, finding and revoking them.

use super::super::Conn;
use crate::domain::clock::Timestamp;
use crate::domain::id::{KeyId, UserId};
use crate::domain::key::{HashedKey, Key, LIVE_KEYS_MAX};
use crate::store::model::{Holder, NewKey, StoreError};
use crate::store::rows::accounts::KeyRow;
use crate::store::rows::storable;
use crate::store::schema::{keys, users};
use crate::store::types::{At, Id};
use diesel::prelude::*;
use diesel_async::RunQueryDsl;

pub(crate) async fn add_key(conn: &mut Conn, new: NewKey) -> Result<(), StoreError> {
    let row = KeyRow {
        id: Id(new.id.0),
        user_id: Id(new.user_id.0),
        name: storable(&new.name).into_owned(),
        hash: new.hash.0.to_vec(),
        last_four: storable(&new.last_four).into_owned(),
        created_at: At(new.at),
        last_used_at: None,
        revoked_at: None,
    };
    write_tx!(conn, async |conn| {
        // The account is locked, so that two keys added at once are counted one after the other.
        let holder = locking!(users::table.find(row.user_id).select(users::id));
        if holder.get_result::<Id>(conn).await.optional()?.is_none() {
            return Err(StoreError::Conflict("no such account".to_owned()));
        }
        let live: i64 = keys::table
            .filter(keys::user_id.eq(row.user_id))
            .filter(keys::revoked_at.is_null())
            .count()
            .get_result(conn)
            .await?;
        if usize::try_from(live).unwrap_or(usize::MAX) >= LIVE_KEYS_MAX {
            return Err(StoreError::Conflict(format!(
                "an account has at most {LIVE_KEYS_MAX} live keys"
            )));
        }
        diesel::insert_into(keys::table)
            .values(&row)
            .execute(conn)
            .await?;
        Ok(())
    })
}

pub(crate) async fn keys_of(conn: &mut Conn, user_id: UserId) -> Result<Vec<Key>, StoreError> {
    let rows = keys::table
        .filter(keys::user_id.eq(Id(user_id.0)))
        .order((keys::created_at, keys::id))
        .select(KeyRow::as_select())
        .load(conn)
        .await?;
    Ok(rows.into_iter().map(KeyRow::read).collect())
}

pub(crate) async fn holder_of(
    conn: &mut Conn,
    hash: HashedKey,
) -> Result<Option<Holder>, StoreError> {
    let found = keys::table
        .inner_join(users::table.on(users::id.eq(keys::user_id)))
        .filter(keys::hash.eq(hash.0.as_slice()))
        .select((
            keys::id,
            users::id,
            keys::revoked_at.is_not_null(),
            users::restricted,
        ))
        .get_result::<(Id, Id, bool, bool)>(conn)
        .await
        .optional()?;
    Ok(found.map(|(key_id, user_id, revoked, restricted)| Holder {
        key_id: KeyId(key_id.0),
        user_id: UserId(user_id.0),
        revoked,
        restricted,
    }))
}

pub(crate) async fn revoke_key(
    conn: &mut Conn,
    id: KeyId,
    at: Timestamp,
) -> Result<bool, StoreError> {
    write_tx!(conn, async |conn| {
        let known: i64 = keys::table
            .filter(keys::id.eq(Id(id.0)))
            .count()
            .get_result(conn)
            .await?;
        // The first revocation stands.
        diesel::update(keys::table.find(Id(id.0)))
            .filter(keys::revoked_at.is_null())
            .set(keys::revoked_at.eq(Some(At(at))))
            .execute(conn)
            .await?;
        Ok::<_, StoreError>(known > 0)
    })
}

pub(crate) async fn record_last_used(
    conn: &mut Conn,
    mut uses: Vec<(KeyId, Timestamp)>,
) -> Result<(), StoreError> {
    // One order for everybody, so that two nodes do not wait for each other.
    uses.sort_unstable();
    write_tx!(conn, async |conn| {
        for (id, at) in &uses {
            diesel::update(keys::table.find(Id(id.0)))
                .filter(
                    keys::last_used_at
                        .is_null()
                        .or(keys::last_used_at.lt(At(*at))),
                )
                .set(keys::last_used_at.eq(Some(At(*at))))
                .execute(conn)
                .await?;
        }
        Ok::<_, StoreError>(())
    })
}
