//! Texts that wait beside the skill that they were made for, because its owner had changed it by hand.

use super::super::Conn;
use super::{products as made_by, skills as skills_of};
use crate::domain::clock::Timestamp;
use crate::domain::id::{RunId, SkillId, UserId};
use crate::domain::skill::Draft;
use crate::store::model::{Saved, StoreError};
use crate::store::rows::library::{DraftRow, ProductRow, SkillRow};
use crate::store::schema::{drafts, products, skills};
use crate::store::types::{At, Id};
use diesel::prelude::*;
use diesel_async::RunQueryDsl;

/// Keeps texts that wait, each in the place of an earlier one.
pub(super) async fn keep(conn: &mut Conn, rows: &[DraftRow]) -> Result<(), StoreError> {
    for row in rows {
        made_by::answer_drafts(conn, row.skill_id).await?;
        diesel::insert_into(drafts::table)
            .values(row)
            .execute(conn)
            .await?;
    }
    Ok(())
}

/// Whether what a run made waited, or waits, beside its skill.
pub(super) async fn is_of(conn: &mut Conn, run_id: Id) -> Result<bool, StoreError> {
    let found = drafts::table.find(run_id).select(drafts::run_id);
    let found = found.get_result::<Id>(conn).await.optional()?;
    Ok(found.is_some())
}

async fn waiting(conn: &mut Conn, id: SkillId) -> Result<Option<(Id, At)>, StoreError> {
    let found = drafts::table
        .filter(drafts::skill_id.eq(Id(id.0)))
        .filter(drafts::waits.eq(true))
        .select((drafts::run_id, drafts::made_at));
    Ok(found.get_result::<(Id, At)>(conn).await.optional()?)
}

/// The one generation of a run that makes a skill again has the run's own identity.
pub(super) async fn made(
    conn: &mut Conn,
    run_id: Id,
    id: SkillId,
) -> Result<Option<ProductRow>, StoreError> {
    let found = products::table
        .find(run_id)
        .filter(products::skill_id.eq(Id(id.0)))
        .select(ProductRow::as_select());
    Ok(found.get_result(conn).await.optional()?)
}

/// What waits beside one of an account's skills.
pub(crate) async fn draft(
    conn: &mut Conn,
    user_id: UserId,
    id: SkillId,
) -> Result<Option<Draft>, StoreError> {
    read_tx!(conn, async |conn| {
        let own = skills::table
            .find(Id(id.0))
            .filter(skills::user_id.eq(Id(user_id.0)))
            .select(skills::id);
        if own.get_result::<Id>(conn).await.optional()?.is_none() {
            return Ok(None);
        }
        let Some((run_id, made_at)) = waiting(conn, id).await? else {
            return Ok(None);
        };
        let Some(row) = made(conn, run_id, id).await? else {
            return Ok(None);
        };
        Ok::<_, StoreError>(Some(Draft {
            run_id: RunId(run_id.0),
            made_at: made_at.0,
            skill: row.read()?,
        }))
    })
}

/// Answers the draft that a run made, unless another one waits: it takes the place of what the skill says, which is kept as a version, or
/// it waits no more.
pub(crate) async fn answer_draft(
    conn: &mut Conn,
    user_id: UserId,
    id: SkillId,
    run_id: RunId,
    is_accepted: bool,
    at: Timestamp,
) -> Result<Saved, StoreError> {
    write_tx!(conn, async |conn| {
        let Some(updated_at) = skills_of::locked(conn, user_id, id).await? else {
            return Ok(Saved::Missing);
        };
        let run = Id(run_id.0);
        match waiting(conn, id).await? {
            None => return Ok(Saved::Missing),
            Some((waits, _)) if waits != run => return Ok(Saved::Stale),
            Some(_) => {}
        }
        let at = at.after(updated_at.0);
        match is_accepted {
            false => made_by::answer_drafts(conn, Id(id.0)).await?,
            true => {
                let Some(row) = made(conn, run, id).await? else {
                    return Ok(Saved::Missing);
                };
                put_in_place(conn, (user_id, id), row, At(at)).await?;
            }
        }
        Ok::<_, StoreError>(Saved::At(at))
    })
}

/// Puts what a run made in the place of what a skill says. Part of the transaction that answers it.
pub(super) async fn put_in_place(
    conn: &mut Conn,
    (user_id, id): (UserId, SkillId),
    row: ProductRow,
    at: At,
) -> Result<(), StoreError> {
    let run = row.generation_id;
    let skill = SkillRow::of(Id(id.0), Id(user_id.0), &row.read()?, at, (run, 0))?;
    skills_of::replace(conn, &skill).await?;
    // What the generation made is what the skill says again, until that is changed.
    diesel::delete(products::table.find(run))
        .execute(conn)
        .await?;
    Ok(())
}
