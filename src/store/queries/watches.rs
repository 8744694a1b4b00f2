//! Watches: which skills' sources are looked at again, which are due, what was found, and what becomes of a draft.

use super::super::Conn;
use super::ledger;
use crate::domain::clock::Timestamp;
use crate::domain::id::{RunId, SkillId, UserId};
use crate::domain::watch::{Every, Found, Remedy, Watch};
use crate::store::model::{Saved, StoreError, Watched};
use crate::store::rows::library::{ProductRow, SkillRow};
use crate::store::rows::watches::WatchRow;
use crate::store::schema::{generations, products as made, skills, users, watches};
use crate::store::types::{At, Id};
use diesel::prelude::*;
use diesel_async::RunQueryDsl;

/// Begins to watch a skill, or watches it otherwise from now on; the next look is due at once.
pub(crate) async fn watch_skill(
    conn: &mut Conn,
    user_id: UserId,
    id: SkillId,
    (every, remedy): (Every, Remedy),
    at: Timestamp,
    most: u32,
) -> Result<Watched, StoreError> {
    write_tx!(conn, async |conn| {
        // The account is locked, so that two begun at once are counted one after the other.
        let holder = locking!(users::table.find(Id(user_id.0)).select(users::id));
        holder.get_result::<Id>(conn).await.optional()?;
        let own = skills::table
            .find(Id(id.0))
            .filter(skills::user_id.eq(Id(user_id.0)))
            .select(skills::id)
            .get_result::<Id>(conn)
            .await
            .optional()?;
        if own.is_none() {
            return Ok(Watched::Missing);
        }
        let changed = diesel::update(watches::table.find(Id(id.0)))
            .set((
                watches::every.eq(every.as_str()),
                watches::remedy.eq(remedy.as_str()),
                watches::due_at.eq(At(at)),
            ))
            .execute(conn)
            .await?;
        if changed == 1 {
            return Ok(Watched::Done);
        }
        let there: i64 = watches::table
            .filter(watches::user_id.eq(Id(user_id.0)))
            .count()
            .get_result(conn)
            .await?;
        if there >= i64::from(most) {
            return Ok(Watched::TooMany);
        }
        diesel::insert_into(watches::table)
            .values((
                watches::skill_id.eq(Id(id.0)),
                watches::user_id.eq(Id(user_id.0)),
                watches::every.eq(every.as_str()),
                watches::remedy.eq(remedy.as_str()),
                watches::created_at.eq(At(at)),
                watches::due_at.eq(At(at)),
            ))
            .execute(conn)
            .await?;
        Ok::<_, StoreError>(Watched::Done)
    })
}

/// Watches a skill no more; false when nobody did.
pub(crate) async fn unwatch_skill(
    conn: &mut Conn,
    user_id: UserId,
    id: SkillId,
) -> Result<bool, StoreError> {
    let removed = diesel::delete(watches::table.find(Id(id.0)))
        .filter(watches::user_id.eq(Id(user_id.0)))
        .execute(conn)
        .await?;
    Ok(removed == 1)
}

/// The watch of a skill.
pub(crate) async fn watch(
    conn: &mut Conn,
    user_id: UserId,
    id: SkillId,
) -> Result<Option<Watch>, StoreError> {
    let row = watches::table
        .inner_join(skills::table)
        .filter(watches::skill_id.eq(Id(id.0)))
        .filter(watches::user_id.eq(Id(user_id.0)))
        .select((WatchRow::as_select(), skills::origin_run))
        .get_result::<(WatchRow, Option<Id>)>(conn)
        .await
        .optional()?;
    row.map(|(row, origin_run)| row.read(origin_run))
        .transpose()
}

/// When the next look is due.
pub(crate) async fn next_look(conn: &mut Conn) -> Result<Option<Timestamp>, StoreError> {
    let next = watches::table
        .order(watches::due_at)
        .select(watches::due_at)
        .first::<At>(conn)
        .await
        .optional()?;
    Ok(next.map(|at| at.0))
}

/// Takes watches that are due; until `lease_until` nobody else takes them.
pub(crate) async fn take_watches(
    conn: &mut Conn,
    now: Timestamp,
    lease_until: Timestamp,
    most: u32,
) -> Result<Vec<Watch>, StoreError> {
    write_tx!(conn, async |conn| {
        let due = locking_free!(
            watches::table
                .filter(watches::due_at.le(At(now)))
                .order(watches::due_at)
                .limit(i64::from(most))
                .select(watches::skill_id)
        );
        let ids = due.load::<Id>(conn).await?;
        diesel::update(watches::table.filter(watches::skill_id.eq_any(&ids)))
            .set(watches::due_at.eq(At(lease_until)))
            .execute(conn)
            .await?;
        let rows = watches::table
            .inner_join(skills::table)
            .filter(watches::skill_id.eq_any(ids))
            .select((WatchRow::as_select(), skills::origin_run))
            .load::<(WatchRow, Option<Id>)>(conn)
            .await?;
        let read = |(row, origin_run): (WatchRow, Option<Id>)| row.read(origin_run);
        rows.into_iter().map(read).collect::<Result<Vec<_>, _>>()
    })
}

/// Writes down what a look found and when the next one is due, unless the watch was taken away, or looked at anew, since it was taken:
/// false then. `lease` is until when it was taken.
pub(crate) async fn note_look(
    conn: &mut Conn,
    id: SkillId,
    lease: Timestamp,
    found: Found,
    due_at: Timestamp,
) -> Result<bool, StoreError> {
    let changed = diesel::update(watches::table.find(Id(id.0)))
        .filter(watches::due_at.eq(At(lease)))
        .set((
            WatchRow::changes_of(&found)?,
            watches::due_at.eq(At(due_at)),
        ))
        .execute(conn)
        .await?;
    Ok(changed == 1)
}

/// Makes the next look due earlier; false when nobody watches it.
pub(crate) async fn hasten_look(
    conn: &mut Conn,
    user_id: UserId,
    id: SkillId,
    at: Timestamp,
) -> Result<bool, StoreError> {
    write_tx!(conn, async |conn| {
        let known = locking!(
            watches::table
                .find(Id(id.0))
                .filter(watches::user_id.eq(Id(user_id.0)))
                .select(watches::due_at)
        );
        let Some(due_at) = known.get_result::<At>(conn).await.optional()? else {
            return Ok(false);
        };
        diesel::update(watches::table.find(Id(id.0)))
            .set(watches::due_at.eq(At(due_at.0.min(at))))
            .execute(conn)
            .await?;
        Ok::<_, StoreError>(true)
    })
}

/// The change that waits is settled without a new text.
pub(crate) async fn dismiss_change(
    conn: &mut Conn,
    user_id: UserId,
    id: SkillId,
    at: Timestamp,
) -> Result<bool, StoreError> {
    write_tx!(conn, async |conn| {
        let Some(mut watch) = watch(conn, user_id, id).await? else {
            return Ok(false);
        };
        watch.found.settle(watch.origin_run);
        diesel::update(watches::table.find(Id(id.0)))
            .set((
                WatchRow::changes_of(&watch.found)?,
                watches::due_at.eq(At(watch.due_at.min(at))),
            ))
            .execute(conn)
            .await?;
        Ok::<_, StoreError>(true)
    })
}

/// Puts the draft that a run made in the place of what the skill says, which is kept as a version.
pub(crate) async fn take_draft(
    conn: &mut Conn,
    user_id: UserId,
    id: SkillId,
    run_id: RunId,
    at: Timestamp,
) -> Result<Saved, StoreError> {
    write_tx!(conn, async |conn| {
        let known = locking!(
            skills::table
                .find(Id(id.0))
                .filter(skills::user_id.eq(Id(user_id.0)))
                .select(skills::updated_at)
        );
        let Some(updated_at) = known.get_result::<At>(conn).await.optional()? else {
            return Ok(Saved::Missing);
        };
        let Some(mut watch) = watch(conn, user_id, id).await? else {
            return Ok(Saved::Missing);
        };
        // The one generation of a run that makes a skill again has the run's own identity.
        let draft = made::table
            .find(Id(run_id.0))
            .filter(made::skill_id.eq(Id(id.0)))
            .select(ProductRow::as_select())
            .get_result(conn)
            .await
            .optional()?;
        let waits = watch.found.beside && watch.found.run_id == Some(run_id);
        let Some(draft) = draft.filter(|_| waits) else {
            return Ok(Saved::Stale);
        };
        let draft = draft.read()?;
        let at = at.after(updated_at.0);
        let origin = (Id(run_id.0), 0);
        let row = SkillRow::of(Id(id.0), Id(user_id.0), &draft, At(at), origin)?;
        ledger::replace(conn, &row).await?;
        // What the generation made is what the skill says again, until that is changed.
        diesel::delete(made::table.find(Id(run_id.0)))
            .execute(conn)
            .await?;
        watch.found.settle(Some(run_id));
        diesel::update(watches::table.find(Id(id.0)))
            .set((
                WatchRow::changes_of(&watch.found)?,
                watches::due_at.eq(At(watch.due_at.min(at))),
            ))
            .execute(conn)
            .await?;
        Ok::<_, StoreError>(Saved::At(at))
    })
}

/// Whether a skill says something else than what its last generation made.
pub(crate) async fn is_edited(conn: &mut Conn, id: SkillId) -> Result<bool, StoreError> {
    let made_by = skills::table
        .inner_join(
            generations::table.on(generations::run_id
                .nullable()
                .eq(skills::origin_run)
                .and(generations::ordinal.nullable().eq(skills::origin_ordinal))),
        )
        .filter(skills::id.eq(Id(id.0)))
        .select((generations::id, generations::skill_id))
        .get_result::<(Id, Id)>(conn)
        .await
        .optional()?;
    let Some((generation, skill_id)) = made_by else {
        return Ok(true);
    };
    // A copy was made by its original's generation, and nobody keeps that for it.
    if skill_id != Id(id.0) {
        return Ok(true);
    }
    let kept = made::table
        .find(generation)
        .select(made::generation_id)
        .get_result::<Id>(conn)
        .await
        .optional()?;
    Ok(kept.is_some())
}
