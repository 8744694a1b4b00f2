//! The second factors of accounts: offered, confirmed, used a step at a time, and taken away.

use super::super::Conn;
use super::members::insert_codes;
use crate::domain::clock::Timestamp;
use crate::domain::id::UserId;
use crate::domain::key::Digest;
use crate::store::model::{SecondFactor, StoreError};
use crate::store::schema::{recovery_codes, second_factors};
use crate::store::types::{At, Id};
use diesel::prelude::*;
use diesel_async::RunQueryDsl;

pub(crate) async fn second_factor(
    conn: &mut Conn,
    user_id: UserId,
) -> Result<Option<SecondFactor>, StoreError> {
    let row = second_factors::table
        .find(Id(user_id.0))
        .select((
            second_factors::sealed,
            second_factors::confirmed_at,
            second_factors::last_step,
        ))
        .get_result::<(Vec<u8>, Option<At>, i64)>(conn)
        .await
        .optional()?;
    Ok(row.map(|(sealed, confirmed_at, last_step)| SecondFactor {
        sealed,
        confirmed_at: confirmed_at.map(|at| at.0),
        last_step,
    }))
}

/// Takes the place of one that was not confirmed; false when there is a confirmed one.
pub(crate) async fn offer_second_factor(
    conn: &mut Conn,
    user_id: UserId,
    sealed: Vec<u8>,
    at: Timestamp,
) -> Result<bool, StoreError> {
    write_tx!(conn, async |conn| {
        diesel::delete(second_factors::table.find(Id(user_id.0)))
            .filter(second_factors::confirmed_at.is_null())
            .execute(conn)
            .await?;
        let offered = diesel::insert_into(second_factors::table)
            .values((
                second_factors::user_id.eq(Id(user_id.0)),
                second_factors::sealed.eq(&sealed),
                second_factors::created_at.eq(At(at)),
                second_factors::last_step.eq(0),
            ))
            .on_conflict_do_nothing()
            .execute(conn)
            .await?;
        Ok::<_, StoreError>(offered > 0)
    })
}

/// With the code of a step, and with new recovery codes; false when none waits to be confirmed.
pub(crate) async fn confirm_second_factor(
    conn: &mut Conn,
    user_id: UserId,
    step: i64,
    codes: Vec<Digest>,
    at: Timestamp,
) -> Result<bool, StoreError> {
    write_tx!(conn, async |conn| {
        let confirmed = diesel::update(second_factors::table.find(Id(user_id.0)))
            .filter(second_factors::confirmed_at.is_null())
            .set((
                second_factors::confirmed_at.eq(Some(At(at))),
                second_factors::last_step.eq(step),
            ))
            .execute(conn)
            .await?;
        if confirmed > 0 {
            insert_codes(conn, Id(user_id.0), &codes, at).await?;
        }
        Ok::<_, StoreError>(confirmed > 0)
    })
}

/// A step is used once, and none after a later one.
pub(crate) async fn use_step(
    conn: &mut Conn,
    user_id: UserId,
    step: i64,
) -> Result<bool, StoreError> {
    let used = diesel::update(second_factors::table.find(Id(user_id.0)))
        .filter(second_factors::confirmed_at.is_not_null())
        .filter(second_factors::last_step.lt(step))
        .set(second_factors::last_step.eq(step))
        .execute(conn)
        .await?;
    Ok(used > 0)
}

pub(crate) async fn use_recovery_code(
    conn: &mut Conn,
    user_id: UserId,
    code: Digest,
    at: Timestamp,
) -> Result<bool, StoreError> {
    let used = diesel::update(recovery_codes::table.find(code.0.to_vec()))
        .filter(recovery_codes::user_id.eq(Id(user_id.0)))
        .filter(recovery_codes::used_at.is_null())
        .set(recovery_codes::used_at.eq(Some(At(at))))
        .execute(conn)
        .await?;
    Ok(used > 0)
}

pub(crate) async fn drop_second_factor(
    conn: &mut Conn,
    user_id: UserId,
) -> Result<bool, StoreError> {
    let dropped = diesel::delete(second_factors::table.find(Id(user_id.0)))
        .filter(second_factors::confirmed_at.is_not_null())
        .execute(conn)
        .await?;
    Ok(dropped > 0)
}
