//! Accounts: making, finding and changing them.

use super::super::{Conn, MARK};
use crate::domain::credits::Transfer;
use crate::domain::id::{GrantId, UserId};
use crate::domain::user::{Email, Plan, User};
use crate::store::model::{NewUser, StoreError};
use crate::store::rows::accounts::UserRow;
use crate::store::rows::transfers::TransferRow;
use crate::store::schema::{transfers, users};
use crate::store::types::{At, Id};
use diesel::prelude::*;
use diesel::sql_types::Text;
use diesel_async::RunQueryDsl;

/// What changes when somebody else writes.
#[derive(QueryableByName)]
struct Mark {
    #[diesel(sql_type = Text)]
    data_version: String,
}

pub(crate) async fn mark(conn: &mut Conn) -> Result<String, StoreError> {
    let mark: Mark = diesel::sql_query(MARK).get_result(conn).await?;
    Ok(mark.data_version)
}

pub(crate) async fn create_user(conn: &mut Conn, new: NewUser) -> Result<(), StoreError> {
    write_tx!(conn, async |conn| insert(conn, new).await)
}

/// Writes an account and its first credits, inside a transaction of the caller's.
pub(super) async fn insert(conn: &mut Conn, new: NewUser) -> Result<(), StoreError> {
    let amount = i64::from(new.credits.0);
    let row = UserRow {
        id: Id(new.id.0),
        email: new.email.as_str().to_owned(),
        plan: new.plan.as_str().to_owned(),
        restricted: false,
        password_hash: new.password_hash,
        available: amount,
        reserved: 0,
        packs_purchased: 0,
        total_generations: 0,
        created_at: At(new.at),
    };
    diesel::insert_into(users::table)
        .values(&row)
        .execute(conn)
        .await?;
    if amount > 0 {
        // The account's own identity is the key of its welcome: it comes once.
        let welcome = Transfer::Grant(GrantId(new.id.0), new.reason);
        diesel::insert_into(transfers::table)
            .values(TransferRow::of(welcome, new.id, amount, At(new.at)))
            .execute(conn)
            .await?;
    }
    Ok(())
}

pub(crate) async fn user_by_email(
    conn: &mut Conn,
    email: Email,
) -> Result<Option<User>, StoreError> {
    let row = users::table
        .filter(users::email.eq(email.as_str()))
        .select(UserRow::as_select())
        .get_result(conn)
        .await
        .optional()?;
    row.map(UserRow::read).transpose()
}

pub(crate) async fn user(conn: &mut Conn, id: UserId) -> Result<Option<User>, StoreError> {
    let row = users::table
        .find(Id(id.0))
        .select(UserRow::as_select())
        .get_result(conn)
        .await
        .optional()?;
    row.map(UserRow::read).transpose()
}

pub(crate) async fn users(conn: &mut Conn) -> Result<Vec<User>, StoreError> {
    let rows = users::table
        .order((users::created_at, users::id))
        .select(UserRow::as_select())
        .load(conn)
        .await?;
    rows.into_iter().map(UserRow::read).collect()
}

/// An account that is not there cannot be changed.
fn known(changed: usize) -> Result<(), StoreError> {
    if changed == 0 {
        return Err(StoreError::Conflict("no such account".to_owned()));
    }
    Ok(())
}

pub(crate) async fn set_restricted(
    conn: &mut Conn,
    id: UserId,
    restricted: bool,
) -> Result<(), StoreError> {
    let changed = diesel::update(users::table.find(Id(id.0)))
        .set(users::restricted.eq(restricted))
        .execute(conn)
        .await?;
    known(changed)
}

pub(crate) async fn set_password_hash(
    conn: &mut Conn,
    id: UserId,
    hash: String,
) -> Result<(), StoreError> {
    let changed = diesel::update(users::table.find(Id(id.0)))
        .set(users::password_hash.eq(Some(hash)))
        .execute(conn)
        .await?;
    known(changed)
}

pub(crate) async fn password_hash(
    conn: &mut Conn,
    id: UserId,
) -> Result<Option<String>, StoreError> {
    let hash = users::table
        .find(Id(id.0))
        .select(users::password_hash)
        .get_result::<Option<String>>(conn)
        .await
        .optional()?;
    Ok(hash.flatten())
}

pub(crate) async fn set_plan(conn: &mut Conn, id: UserId, plan: Plan) -> Result<(), StoreError> {
    let changed = diesel::update(users::table.find(Id(id.0)))
        .set((
            users::plan.eq(plan.as_str()),
            users::plan_given.eq(Some(plan.as_str())),
        ))
        .execute(conn)
        .await?;
    known(changed)
}
