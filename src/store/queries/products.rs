//! What generations made, to the letter, however their skills were changed since: kept when that happens, so that a generation itself
//! writes nothing twice, and gone with the skill.

use super::super::Conn;
use crate::domain::generation::{Made, Status};
use crate::domain::id::{GenerationId, RunId, SkillId, UserId};
use crate::domain::skill::FinishedSkill;
use crate::store::model::StoreError;
use crate::store::rows::library::{ProductRow, SkillRow};
use crate::store::schema::{drafts, generations, products, skills};
use crate::store::types::Id;
use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use std::collections::HashMap;
use std::sync::Arc;

/// Keeps what a skill's last generation made, unless that is kept already, just before the skill is changed. Part of the transaction
/// that does so. A copy was made by nobody's generation but its original's.
pub(crate) async fn keep(conn: &mut Conn, skill_id: Id) -> Result<(), StoreError> {
    let origin = skills::table
        .find(skill_id)
        .select((skills::origin_run, skills::origin_ordinal))
        .get_result::<(Option<Id>, Option<i32>)>(conn)
        .await
        .optional()?;
    let Some((Some(run), Some(ordinal))) = origin else {
        return Ok(());
    };
    let made_by = generations::table
        .filter(generations::run_id.eq(run))
        .filter(generations::ordinal.eq(ordinal))
        .filter(generations::skill_id.eq(skill_id))
        .select(generations::id)
        .get_result::<Id>(conn)
        .await
        .optional()?;
    let Some(generation_id) = made_by else {
        return Ok(());
    };
    let kept = products::table
        .find(generation_id)
        .select(products::generation_id)
        .get_result::<Id>(conn)
        .await
        .optional()?;
    if kept.is_none() {
        let skill = skills::table
            .find(skill_id)
            .select(SkillRow::as_select())
            .get_result(conn)
            .await?;
        diesel::insert_into(products::table)
            .values(&ProductRow::of(generation_id, skill))
            .execute(conn)
            .await?;
    }
    Ok(())
}

/// Lets go of what a skill's generations made. Part of the transaction that deletes the skill, for good: a request that is repeated
/// afterwards does not find it either.
pub(crate) async fn let_go(conn: &mut Conn, skill_id: Id) -> Result<(), StoreError> {
    diesel::delete(products::table.filter(products::skill_id.eq(skill_id)))
        .execute(conn)
        .await?;
    Ok(())
}

/// From now on none waits beside a skill. Part of the transaction that changes what waits.
pub(super) async fn answer_drafts(conn: &mut Conn, skill_id: Id) -> Result<(), StoreError> {
    diesel::update(drafts::table.filter(drafts::skill_id.eq(skill_id)))
        .filter(drafts::waits.eq(true))
        .set(drafts::waits.eq(false))
        .execute(conn)
        .await?;
    Ok(())
}

/// What one of an account's generations made; none once its skill is deleted.
pub(crate) async fn product(
    conn: &mut Conn,
    user_id: UserId,
    id: GenerationId,
) -> Result<Option<FinishedSkill>, StoreError> {
    read_tx!(conn, async |conn| {
        let skill_id = generations::table
            .find(Id(id.0))
            .filter(generations::user_id.eq(Id(user_id.0)))
            .filter(generations::status.eq(Status::Completed.as_str()))
            .select(generations::skill_id)
            .get_result::<Id>(conn)
            .await
            .optional()?;
        let Some(skill_id) = skill_id else {
            return Ok(None);
        };
        let living = skills::table
            .find(skill_id)
            .filter(skills::user_id.eq(Id(user_id.0)))
            .select(skills::id)
            .get_result::<Id>(conn)
            .await
            .optional()?;
        if living.is_none() {
            return Ok(None);
        }
        Ok::<_, StoreError>(
            made(conn, vec![(Id(id.0), skill_id)])
                .await?
                .pop()
                .flatten(),
        )
    })
}

/// What a run made, in order.
pub(crate) async fn products_of(
    conn: &mut Conn,
    run: RunId,
) -> Result<Vec<Option<Made>>, StoreError> {
    let rows = generations::table
        .filter(generations::run_id.eq(Id(run.0)))
        .order(generations::ordinal)
        .select((generations::id, generations::skill_id))
        .load::<(Id, Id)>(conn)
        .await?;
    let made = made(conn, rows.clone()).await?;
    let made = rows.into_iter().zip(made).enumerate();
    let told = made.map(|(place, ((_, skill_id), skill))| {
        Some(Made {
            skill_id: SkillId(skill_id.0),
            skill: Arc::new(skill?),
            place,
        })
    });
    Ok(told.collect())
}

/// What generations made, each with its skill: what was kept, or else what the skill says, which was not changed then.
async fn made(
    conn: &mut Conn,
    generations: Vec<(Id, Id)>,
) -> Result<Vec<Option<FinishedSkill>>, StoreError> {
    let kept = products::table
        .filter(products::generation_id.eq_any(generations.iter().map(|(id, _)| *id)))
        .select(ProductRow::as_select())
        .load(conn)
        .await?;
    let mut found: HashMap<Id, FinishedSkill> = HashMap::new();
    for row in kept {
        found.insert(row.generation_id, row.read()?);
    }
    let unchanged = generations
        .iter()
        .filter(|(id, _)| !found.contains_key(id))
        .map(|(_, skill_id)| *skill_id);
    let rows = skills::table
        .filter(skills::id.eq_any(unchanged.collect::<Vec<_>>()))
        .select(SkillRow::as_select())
        .load(conn)
        .await?;
    let mut living = HashMap::new();
    for row in rows {
        living.insert(row.id, row.read()?.skill);
    }
    let of = |(id, skill_id)| found.remove(&id).or_else(|| living.remove(&skill_id));
    Ok(generations.into_iter().map(of).collect())
}
