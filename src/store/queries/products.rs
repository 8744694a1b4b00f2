//! What generations made, to the letter, however their skills were changed or deleted since: kept when that happens, so that a
//! generation itself writes nothing twice.

use super::super::Conn;
use crate::domain::clock::Timestamp;
use crate::domain::generation::{Made, Status};
use crate::domain::id::{GenerationId, RunId, SkillId, UserId};
use crate::domain::skill::FinishedSkill;
use crate::store::model::StoreError;
use crate::store::rows::library::{ProductRow, SkillRow};
use crate::store::schema::{generations, products, skills};
use crate::store::settlement::IDEMPOTENCY_KEPT;
use crate::store::types::{At, Id};
use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use std::collections::HashMap;
use std::sync::Arc;

/// So many are forgotten in one transaction.
const FORGOTTEN_AT_ONCE: i64 = 1_000;

/// Keeps what a skill's last generation made, unless that is kept already, just before the skill is changed or deleted. Part of the
/// transaction that does so. A copy was made by nobody's generation but its original's.
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

/// Lets go of what a skill's generations made, but for what a request may still be repeated for. Part of the transaction that deletes
/// the skill.
pub(crate) async fn let_go(conn: &mut Conn, skill_id: Id, at: Timestamp) -> Result<(), StoreError> {
    keep(conn, skill_id).await?;
    let kept = products::table
        .inner_join(generations::table.on(generations::id.eq(products::generation_id)))
        .filter(products::skill_id.eq(skill_id))
        .select((products::generation_id, generations::run_id))
        .load::<(Id, Id)>(conn)
        .await?;
    let requests = generations::table
        .filter(generations::run_id.eq_any(kept.iter().map(|(_, run)| *run)))
        .filter(generations::ordinal.eq(0))
        .filter(generations::idempotency_key.is_not_null())
        .filter(generations::created_at.ge(At(at.minus(IDEMPOTENCY_KEPT))))
        .select((generations::run_id, generations::created_at))
        .load::<(Id, At)>(conn)
        .await?;
    let requests: HashMap<Id, At> = requests.into_iter().collect();
    for (generation_id, run) in kept {
        let product = products::table.find(generation_id);
        match requests.get(&run) {
            Some(At(ordered_at)) => {
                let until = ordered_at.plus(IDEMPOTENCY_KEPT);
                diesel::update(product)
                    .set(products::keep_until.eq(Some(At(until))))
                    .execute(conn)
                    .await?
            }
            None => diesel::delete(product).execute(conn).await?,
        };
    }
    Ok(())
}

/// Forgets what no request can be repeated for any more, and says how many those are.
pub(crate) async fn forget_products(conn: &mut Conn, now: Timestamp) -> Result<u64, StoreError> {
    write_tx!(conn, async |conn| {
        let passed = locking_free!(
            products::table
                .filter(products::keep_until.lt(Some(At(now))))
                .order(products::keep_until)
                .limit(FORGOTTEN_AT_ONCE)
                .select(products::generation_id)
        );
        let passed = passed.load::<Id>(conn).await?;
        let forgotten =
            diesel::delete(products::table.filter(products::generation_id.eq_any(passed)))
                .execute(conn)
                .await?;
        Ok::<_, StoreError>(u64::try_from(forgotten).unwrap_or(u64::MAX))
    })
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
    let told = rows.into_iter().zip(made).map(|((_, skill_id), skill)| {
        Some(Made {
            skill_id: SkillId(skill_id.0),
            skill: Arc::new(skill?),
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
