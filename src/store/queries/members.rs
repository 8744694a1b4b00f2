//! What people do with their accounts themselves: joining, changing the password, recovering, reading their history.

use super::super::Conn;
use super::identities;
use super::sessions::end_sessions;
use super::users::insert;
use crate::domain::clock::Timestamp;
use crate::domain::credits::{Credits, Moved, Movement, balance};
use crate::domain::id::{SessionId, UserId};
use crate::domain::key::Digest;
use crate::domain::user::Email;
use crate::store::model::{Application, Joined, Login, NewMember, StoreError};
use crate::store::rows::unreadable;
use crate::store::schema::{
    applications, generations, invites, recovery_codes, transfers, users, welcomes,
};
use crate::store::types::{At, Id};
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::Bool;
use diesel_async::RunQueryDsl;

pub(crate) async fn join(conn: &mut Conn, new: NewMember) -> Result<Joined, StoreError> {
    write_tx!(conn, async |conn| {
        let mut user = new.user;
        let taken = users::table
            .filter(users::email.eq(user.email.as_str()))
            .select(users::id)
            .get_result::<Id>(conn)
            .await
            .optional()?;
        if taken.is_some() {
            return Ok(Joined::Taken);
        }
        let welcomed: i64 = welcomes::table
            .filter(welcomes::network.eq(&new.network))
            .filter(welcomes::created_at.gt(At(new.welcomes_since)))
            .filter(welcomes::credits.gt(0))
            .count()
            .get_result(conn)
            .await?;
        if welcomed >= i64::from(new.welcomes_max) {
            user.credits = Credits::ZERO;
        }
        let (id, at, worth) = (Id(user.id.0), At(user.at), user.credits);
        let user_id = user.id;
        // Links to make an account with this address are good no more.
        diesel::delete(applications::table.filter(applications::email.eq(user.email.as_str())))
            .execute(conn)
            .await?;
        insert(conn, user).await?;
        if let Some(identity) = &new.identity {
            identities::insert(conn, user_id, identity, at.0).await?;
        }
        diesel::insert_into(welcomes::table)
            .values((
                welcomes::user_id.eq(id),
                welcomes::network.eq(&new.network),
                welcomes::credits.eq(i64::from(worth.0)),
                welcomes::created_at.eq(at),
                welcomes::verified_at.eq(new.is_verified.then_some(at)),
            ))
            .execute(conn)
            .await?;
        if let Some(invite) = new.invite {
            let used = diesel::update(invites::table.find(invite.0.to_vec()))
                .filter(invites::used_by.is_null())
                .filter(invites::expires_at.gt(at))
                .set(invites::used_by.eq(Some(id)))
                .execute(conn)
                .await?;
            if used == 0 {
                // Rolls everything back.
                return Err(StoreError::Conflict(NOT_INVITED.to_owned()));
            }
        }
        Ok(Joined::Made(worth))
    })
    .or_else(|error| match error {
        StoreError::Conflict(why) if why == NOT_INVITED => Ok(Joined::NotInvited),
        other => Err(other),
    })
}

const NOT_INVITED: &str = "not invited";

pub(crate) async fn add_invite(
    conn: &mut Conn,
    digest: Digest,
    note: String,
    at: Timestamp,
    expires_at: Timestamp,
) -> Result<(), StoreError> {
    diesel::insert_into(invites::table)
        .values((
            invites::digest.eq(digest.0.to_vec()),
            invites::note.eq(note),
            invites::created_at.eq(At(at)),
            invites::expires_at.eq(At(expires_at)),
        ))
        .execute(conn)
        .await?;
    Ok(())
}

/// Whether an invitation can still be used.
pub(crate) async fn invite_is_good(
    conn: &mut Conn,
    digest: Digest,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let good: i64 = invites::table
        .find(digest.0.to_vec())
        .filter(invites::used_by.is_null())
        .filter(invites::expires_at.gt(At(now)))
        .count()
        .get_result(conn)
        .await?;
    Ok(good > 0)
}

pub(crate) async fn add_application(
    conn: &mut Conn,
    digest: Digest,
    new: Application,
    now: Timestamp,
    expires_at: Timestamp,
) -> Result<(), StoreError> {
    write_tx!(conn, async |conn| {
        diesel::delete(applications::table.filter(applications::expires_at.le(At(now))))
            .execute(conn)
            .await?;
        diesel::insert_into(applications::table)
            .values((
                applications::digest.eq(digest.0.to_vec()),
                applications::email.eq(new.email.as_str()),
                applications::invite.eq(new.invite.map(|invite| invite.0.to_vec())),
                applications::expires_at.eq(At(expires_at)),
            ))
            .execute(conn)
            .await?;
        Ok::<_, StoreError>(())
    })
}

pub(crate) async fn application(
    conn: &mut Conn,
    digest: Digest,
    now: Timestamp,
) -> Result<Option<Application>, StoreError> {
    let row = applications::table
        .find(digest.0.to_vec())
        .filter(applications::expires_at.gt(At(now)))
        .select((applications::email, applications::invite))
        .get_result::<(String, Option<Vec<u8>>)>(conn)
        .await
        .optional()?;
    let read = |(email, invite): (String, Option<Vec<u8>>)| {
        let invite = invite.map(<[u8; 32]>::try_from).transpose();
        Ok(Application {
            email: Email::parse(&email).ok_or_else(|| unreadable("an address", &email))?,
            invite: invite
                .map_err(|_| unreadable("an invitation", "of another length"))?
                .map(Digest),
        })
    };
    row.map(read).transpose()
}

pub(crate) async fn login(conn: &mut Conn, email: Email) -> Result<Option<Login>, StoreError> {
    let row = users::table
        .filter(users::email.eq(email.as_str()))
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

pub(crate) async fn change_password(
    conn: &mut Conn,
    user_id: UserId,
    hash: String,
    but: Option<SessionId>,
) -> Result<(), StoreError> {
    write_tx!(conn, async |conn| {
        let owner = Id(user_id.0);
        diesel::update(users::table.find(owner))
            .set(users::password_hash.eq(Some(hash)))
            .execute(conn)
            .await?;
        end_sessions(conn, user_id, but).await
    })
}

pub(crate) async fn replace_recovery_codes(
    conn: &mut Conn,
    user_id: UserId,
    digests: Vec<Digest>,
    at: Timestamp,
) -> Result<(), StoreError> {
    write_tx!(conn, async |conn| {
        insert_codes(conn, Id(user_id.0), &digests, at).await
    })
}

/// Puts new codes in the place of the old ones, inside a transaction of the caller's.
pub(super) async fn insert_codes(
    conn: &mut Conn,
    owner: Id,
    digests: &[Digest],
    at: Timestamp,
) -> Result<(), StoreError> {
    diesel::delete(recovery_codes::table.filter(recovery_codes::user_id.eq(owner)))
        .execute(conn)
        .await?;
    for digest in digests {
        diesel::insert_into(recovery_codes::table)
            .values((
                recovery_codes::digest.eq(digest.0.to_vec()),
                recovery_codes::user_id.eq(owner),
                recovery_codes::created_at.eq(At(at)),
            ))
            .execute(conn)
            .await?;
    }
    Ok(())
}

pub(crate) async fn recovery_codes_left(
    conn: &mut Conn,
    user_id: UserId,
) -> Result<u64, StoreError> {
    let left: i64 = recovery_codes::table
        .filter(recovery_codes::user_id.eq(Id(user_id.0)))
        .filter(recovery_codes::used_at.is_null())
        .count()
        .get_result(conn)
        .await?;
    Ok(left.unsigned_abs())
}

/// The account of an address, when a recovery code is good for it.
pub(crate) async fn recoverable(
    conn: &mut Conn,
    email: Email,
    code: Digest,
) -> Result<Option<Login>, StoreError> {
    let row = recovery_codes::table
        .inner_join(users::table.on(users::id.eq(recovery_codes::user_id)))
        .filter(recovery_codes::digest.eq(code.0.to_vec()))
        .filter(recovery_codes::used_at.is_null())
        .filter(users::email.eq(email.as_str()))
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

pub(crate) async fn recover(
    conn: &mut Conn,
    user_id: UserId,
    code: Digest,
    hash: String,
    at: Timestamp,
) -> Result<bool, StoreError> {
    write_tx!(conn, async |conn| {
        let owner = Id(user_id.0);
        let used = diesel::update(recovery_codes::table.find(code.0.to_vec()))
            .filter(recovery_codes::user_id.eq(owner))
            .filter(recovery_codes::used_at.is_null())
            .set(recovery_codes::used_at.eq(Some(At(at))))
            .execute(conn)
            .await?;
        if used == 0 {
            return Ok(false);
        }
        diesel::update(users::table.find(owner))
            .set(users::password_hash.eq(Some(hash)))
            .execute(conn)
            .await?;
        end_sessions(conn, user_id, None).await?;
        Ok::<_, StoreError>(true)
    })
}

pub(crate) async fn movements(
    conn: &mut Conn,
    user_id: UserId,
    limit: u32,
) -> Result<Vec<Movement>, StoreError> {
    let (owner, most) = (Id(user_id.0), i64::from(limit));
    let (available, given, ordered) = read_tx!(conn, async |conn| {
        let available: i64 = users::table
            .find(owner)
            .select(users::available)
            .get_result(conn)
            .await?;
        // To the letter as in the index, so that it is used.
        let given = transfers::table
            .filter(transfers::user_id.eq(owner))
            .filter(sql::<Bool>("kind NOT IN ('reserve', 'post', 'void')"))
            .order(transfers::at.desc())
            .limit(most)
            .select((
                transfers::at,
                transfers::kind,
                transfers::debit,
                transfers::credit,
                transfers::amount,
                transfers::reason,
            ))
            .load::<(At, String, String, String, i64, Option<String>)>(conn)
            .await?;
        let ordered = generations::table
            .filter(generations::user_id.eq(owner))
            .filter(generations::credits_charged.gt(0))
            .order(generations::created_at.desc())
            .limit(most)
            .select((
                generations::created_at,
                generations::completed_at,
                generations::name,
                generations::credits_charged,
                generations::credits_refunded,
            ))
            .load::<(At, Option<At>, String, i64, i64)>(conn)
            .await?;
        Ok::<_, StoreError>((available, given, ordered))
    })?;
    let line = |at: At, what, amount| Movement {
        at: at.0,
        what,
        amount,
        balance: 0,
    };
    let mut lines = Vec::new();
    for (at, kind, debit, credit, amount, reason) in given {
        // What was owed moves nothing that can be spent.
        let amount = match (debit.as_str(), credit.as_str()) {
            (_, "available") => amount,
            ("available", _) => -amount,
            _ => continue,
        };
        lines.push(line(at, Moved::Given(reason.unwrap_or(kind)), amount));
    }
    for (at, ended, name, charged, refunded) in ordered {
        if let (Some(ended), 1..) = (ended, refunded) {
            lines.push(line(ended, Moved::Returned(name.clone()), refunded));
        }
        lines.push(line(at, Moved::Ordered(name), -charged));
    }
    lines.sort_by_key(|line| std::cmp::Reverse(line.at));
    // Beyond the shorter of the two lists some lines may be missing, so the sum would be wrong there: both are as long as this.
    lines.truncate(limit as usize);
    balance(&mut lines, available);
    Ok(lines)
}
