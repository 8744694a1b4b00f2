//! Who accounts are to those who vouch for people: found, linked to an account, and taken away again.

use super::super::Conn;
use crate::domain::clock::Timestamp;
use crate::domain::id::UserId;
use crate::store::model::{Identity, KeptIdentity, Linked, Login, StoreError, Unlinked};
use crate::store::rows::storable;
use crate::store::schema::{identities, users};
use crate::store::types::{At, Id};
use diesel::prelude::*;
use diesel_async::RunQueryDsl;

/// The account of an identity.
pub(crate) async fn login_of_identity(
    conn: &mut Conn,
    issuer: String,
    subject: String,
) -> Result<Option<Login>, StoreError> {
    let row = identities::table
        .inner_join(users::table.on(users::id.eq(identities::user_id)))
        .filter(identities::issuer.eq(issuer))
        .filter(identities::subject.eq(subject))
        .select((users::id, users::password_hash, users::restricted))
        .get_result::<(Id, Option<String>, bool)>(conn)
        .await
        .optional()?;
    Ok(row.map(|(id, password_hash, restricted)| Login {
        user_id: UserId(id.0),
        password_hash,
        restricted,
    }))
}

/// Writes an identity down, inside a transaction of the caller's.
pub(super) async fn insert(
    conn: &mut Conn,
    user_id: UserId,
    new: &Identity,
    at: Timestamp,
) -> Result<(), StoreError> {
    diesel::insert_into(identities::table)
        .values((
            identities::issuer.eq(&new.issuer),
            identities::subject.eq(&new.subject),
            identities::user_id.eq(Id(user_id.0)),
            identities::created_at.eq(At(at)),
            identities::email.eq(storable(&new.email).into_owned()),
        ))
        .execute(conn)
        .await?;
    Ok(())
}

/// An account is one person to each issuer, and an identity is one account's.
pub(crate) async fn link_identity(
    conn: &mut Conn,
    user_id: UserId,
    new: Identity,
    at: Timestamp,
) -> Result<Linked, StoreError> {
    write_tx!(conn, async |conn| {
        // Held, so that two links of one account come one after the other.
        let account = locking!(users::table.find(Id(user_id.0)).select(users::id));
        if account.get_result::<Id>(conn).await.optional()?.is_none() {
            return Err(StoreError::Conflict("no such account".to_owned()));
        }
        let known = identities::table
            .filter(identities::issuer.eq(&new.issuer))
            .filter(
                identities::subject
                    .eq(&new.subject)
                    .or(identities::user_id.eq(Id(user_id.0))),
            )
            .select((identities::subject, identities::user_id))
            .load::<(String, Id)>(conn)
            .await?;
        if known.iter().any(|(_, owner)| *owner != Id(user_id.0)) {
            return Ok(Linked::SomebodyElses);
        }
        if known.iter().any(|(subject, _)| *subject != new.subject) {
            return Ok(Linked::AnotherBefore);
        }
        if known.is_empty() {
            insert(conn, user_id, &new, at).await?;
        }
        Ok::<_, StoreError>(Linked::Done)
    })
}

/// In the order in which they were linked.
pub(crate) async fn identities_of(
    conn: &mut Conn,
    user_id: UserId,
) -> Result<Vec<KeptIdentity>, StoreError> {
    let rows = identities::table
        .filter(identities::user_id.eq(Id(user_id.0)))
        .order((identities::created_at, identities::issuer))
        .select((
            identities::issuer,
            identities::subject,
            identities::email,
            identities::created_at,
        ))
        .load::<(String, String, String, At)>(conn)
        .await?;
    let read = |(issuer, subject, email, at): (String, String, String, At)| KeptIdentity {
        identity: Identity {
            issuer,
            subject,
            email,
        },
        linked_at: at.0,
    };
    Ok(rows.into_iter().map(read).collect())
}

/// Takes an identity away, unless it is the last way in to its account: there must be a password, or another identity at somebody who
/// is `vouching`.
pub(crate) async fn unlink_identity(
    conn: &mut Conn,
    user_id: UserId,
    issuer: String,
    subject: String,
    vouching: Vec<String>,
) -> Result<Unlinked, StoreError> {
    write_tx!(conn, async |conn| {
        // Held, so that two identities that are taken away at once do not each count on the other.
        let account = locking!(
            users::table
                .find(Id(user_id.0))
                .select(users::password_hash)
        );
        let Some(password) = account
            .get_result::<Option<String>>(conn)
            .await
            .optional()?
        else {
            return Ok(Unlinked::Missing);
        };
        let known = identities::table
            .filter(identities::user_id.eq(Id(user_id.0)))
            .select((identities::issuer, identities::subject))
            .load::<(String, String)>(conn)
            .await?;
        let (this, others): (Vec<_>, Vec<_>) = known
            .into_iter()
            .partition(|known| known.0 == issuer && known.1 == subject);
        if this.is_empty() {
            return Ok(Unlinked::Missing);
        }
        let lets_in = |issuer: &String| vouching.contains(issuer);
        let stays = password.is_some() || others.iter().any(|(other, _)| lets_in(other));
        if lets_in(&issuer) && !stays {
            return Ok(Unlinked::LastWayIn);
        }
        diesel::delete(identities::table.find((issuer, subject)))
            .execute(conn)
            .await?;
        Ok::<_, StoreError>(Unlinked::Done)
    })
}

/// Keeps the hash of an account's first password; false when it has one.
pub(crate) async fn set_first_password(
    conn: &mut Conn,
    user_id: UserId,
    hash: String,
) -> Result<bool, StoreError> {
    let set = diesel::update(users::table.find(Id(user_id.0)))
        .filter(users::password_hash.is_null())
        .set(users::password_hash.eq(Some(hash)))
        .execute(conn)
        .await?;
    Ok(set == 1)
}
