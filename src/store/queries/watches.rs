//! Watches: which skills' sources are looked at again, which are due, what was found, and what becomes of a draft.

use super::super::Conn;
use super::{drafts, skills as skills_of};
use crate::domain::clock::Timestamp;
use crate::domain::id::{RunId, SkillId, UserId};
use crate::domain::watch::{Every, Found, Hold, Remedy, Watch};
use crate::store::facts::{Facts, KnownWatch};
use crate::store::model::{Saved, StoreError, Watched};
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
        let others: i64 = watches::table
            .filter(watches::user_id.eq(Id(user_id.0)))
            .filter(watches::is_on.eq(true))
            .filter(watches::skill_id.ne(Id(id.0)))
            .count()
            .get_result(conn)
            .await?;
        let on = diesel::select(diesel::dsl::exists(
            watches::table
                .find(Id(id.0))
                .filter(watches::is_on.eq(true)),
        ));
        if others >= i64::from(most) && !on.get_result::<bool>(conn).await? {
            return Ok(Watched::TooMany);
        }
        let changed = diesel::update(watches::table.find(Id(id.0)))
            .set((
                watches::every.eq(every.as_str()),
                watches::remedy.eq(remedy.as_str()),
                watches::due_at.eq(At(at)),
                watches::is_on.eq(true),
            ))
            .execute(conn)
            .await?;
        if changed == 1 {
            return Ok(Watched::Done);
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

/// Looks at a skill's source no more; false when nobody did. A watch that names a run stays: what that made may wait for its owner.
pub(crate) async fn unwatch_skill(
    conn: &mut Conn,
    user_id: UserId,
    id: SkillId,
    at: Timestamp,
) -> Result<bool, StoreError> {
    write_tx!(conn, async |conn| {
        let removed = diesel::delete(watches::table.find(Id(id.0)))
            .filter(watches::user_id.eq(Id(user_id.0)))
            .filter(watches::is_on.eq(true))
            .filter(watches::run_id.is_null())
            .execute(conn)
            .await?;
        let kept = diesel::update(watches::table.find(Id(id.0)))
            .filter(watches::user_id.eq(Id(user_id.0)))
            .filter(watches::is_on.eq(true))
            .set((watches::is_on.eq(false), watches::due_at.eq(At(at))))
            .execute(conn)
            .await?;
        Ok::<_, StoreError>(removed + kept == 1)
    })
}

/// Forgets a watch that was switched off, and of which nothing waits any more.
pub(crate) async fn forget_watch(
    conn: &mut Conn,
    id: SkillId,
    hold: Hold,
) -> Result<bool, StoreError> {
    write_tx!(conn, async |conn| {
        if !is_held(conn, id, hold).await? {
            return Ok(false);
        }
        let gone = diesel::delete(watches::table.find(Id(id.0)))
            .filter(watches::is_on.eq(false))
            .execute(conn)
            .await?;
        Ok::<_, StoreError>(gone == 1)
    })
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
        // One that cannot be read keeps nobody from the others; it is tried again when its lease is over.
        let read = |(row, origin_run): (WatchRow, Option<Id>)| {
            let skill = row.skill();
            let unread = |error| tracing::error!(%skill, %error, "a watch cannot be read");
            row.read(origin_run).map_err(unread).ok()
        };
        Ok::<_, StoreError>(rows.into_iter().filter_map(read).collect())
    })
}

/// Whether a watch is as it was found; nobody changes it then before the transaction ends.
async fn is_held(conn: &mut Conn, id: SkillId, hold: Hold) -> Result<bool, StoreError> {
    let now = locking!(watches::table.find(Id(id.0)).select((
        watches::due_at,
        watches::run_id,
        watches::beside
    )));
    let now = now.get_result::<(At, Option<Id>, bool)>(conn).await;
    let expected = (
        At(hold.lease),
        hold.run_id.map(|run| Id(run.0)),
        hold.beside,
    );
    Ok(now.optional()? == Some(expected))
}

/// Writes down what a look found and when the next one is due, unless the watch was taken away, looked at anew or answered since it
/// was taken: false then.
pub(crate) async fn note_look(
    conn: &mut Conn,
    id: SkillId,
    hold: Hold,
    found: Found,
    due_at: Timestamp,
) -> Result<bool, StoreError> {
    write_tx!(conn, async |conn| {
        if !is_held(conn, id, hold).await? {
            return Ok(false);
        }
        diesel::update(watches::table.find(Id(id.0)))
            .set((
                WatchRow::changes_of(&found)?,
                watches::due_at.eq(At(due_at)),
            ))
            .execute(conn)
            .await?;
        Ok::<_, StoreError>(true)
    })
}

/// Gives up the run that a watch names, unless it was charged. A charge holds the same lock: it comes before, and is found, or is refused.
pub(crate) async fn give_up_run(
    conn: &mut Conn,
    id: SkillId,
    hold: Hold,
) -> Result<bool, StoreError> {
    write_tx!(conn, async |conn| {
        if !is_held(conn, id, hold).await? {
            return Ok(false);
        }
        let charged = generations::table
            .filter(generations::run_id.eq_any(hold.run_id.map(|run| Id(run.0))))
            .select(generations::id)
            .first::<Id>(conn)
            .await
            .optional()?;
        if charged.is_some() {
            return Ok(false);
        }
        diesel::update(watches::table.find(Id(id.0)))
            .set((watches::run_id.eq(None::<Id>), watches::beside.eq(false)))
            .execute(conn)
            .await?;
        Ok::<_, StoreError>(true)
    })
}

/// What the watches of skills say of their runs, under lock; part of a settlement, which has locked the skills.
pub(super) async fn known(
    conn: &mut Conn,
    facts: &mut Facts,
    mut ids: Vec<Id>,
) -> Result<(), StoreError> {
    if ids.is_empty() {
        return Ok(());
    }
    ids.sort_unstable();
    ids.dedup();
    let rows = locking!(
        watches::table
            .filter(watches::skill_id.eq_any(ids))
            .filter(watches::is_on.eq(true))
            .order(watches::skill_id)
            .select((
                watches::skill_id,
                watches::run_id,
                watches::remedy,
                watches::beside,
            ))
    );
    let rows = rows.load::<(Id, Option<Id>, String, bool)>(conn).await?;
    for (id, run_id, remedy, beside) in rows {
        let id = SkillId(id.0);
        let wants = !beside && remedy == Remedy::Take.as_str();
        let known = KnownWatch {
            run_id: run_id.map(|run| RunId(run.0)),
            takes: wants && !is_edited(conn, id).await?,
        };
        facts.watches.insert(id, known);
    }
    Ok(())
}

/// What runs made waits for the owner, whatever they were ordered for. Part of their settlement.
pub(super) async fn keep_beside(conn: &mut Conn, waiting: &[(Id, Id)]) -> Result<(), StoreError> {
    for (skill, run) in waiting {
        diesel::update(watches::table.find(skill))
            .filter(watches::run_id.eq(run))
            .set(watches::beside.eq(true))
            .execute(conn)
            .await?;
    }
    Ok(())
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
                .filter(watches::is_on.eq(true))
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

/// The change that waits is settled without a new text, unless another run was ordered for it meanwhile.
pub(crate) async fn dismiss_change(
    conn: &mut Conn,
    user_id: UserId,
    id: SkillId,
    named: Option<RunId>,
    at: Timestamp,
) -> Result<Saved, StoreError> {
    write_tx!(conn, async |conn| {
        lock(conn, id).await?;
        let Some(mut watch) = watch(conn, user_id, id).await? else {
            return Ok(Saved::Missing);
        };
        if watch.found.run_id != named {
            return Ok(Saved::Stale);
        }
        watch.found.settle(watch.origin_run);
        answer(conn, watch, at).await?;
        Ok::<_, StoreError>(Saved::At(at))
    })
}

/// Locks a watch, so that whoever looks or charges comes before or after.
async fn lock(conn: &mut Conn, id: SkillId) -> Result<(), StoreError> {
    let row = locking!(watches::table.find(Id(id.0)).select(watches::skill_id));
    row.get_result::<Id>(conn).await.optional()?;
    Ok(())
}

/// Writes down that what waited is answered: of a watch that was switched off nothing is left then.
async fn answer(conn: &mut Conn, watch: Watch, at: Timestamp) -> Result<(), StoreError> {
    let row = watches::table.find(Id(watch.skill_id.0));
    if !watch.is_on {
        diesel::delete(row).execute(conn).await?;
        return Ok(());
    }
    diesel::update(row)
        .set((
            WatchRow::changes_of(&watch.found)?,
            watches::due_at.eq(At(watch.due_at.min(at))),
        ))
        .execute(conn)
        .await?;
    Ok(())
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
        let Some(updated_at) = skills_of::locked(conn, user_id, id).await? else {
            return Ok(Saved::Missing);
        };
        lock(conn, id).await?;
        let Some(mut watch) = watch(conn, user_id, id).await? else {
            return Ok(Saved::Missing);
        };
        let draft = drafts::made(conn, Id(run_id.0), id).await?;
        let waits = watch.found.beside && watch.found.run_id == Some(run_id);
        let Some(draft) = draft.filter(|_| waits) else {
            return Ok(Saved::Stale);
        };
        let at = at.after(updated_at.0);
        drafts::put_in_place(conn, (user_id, id), draft, At(at)).await?;
        watch.found.settle(Some(run_id));
        answer(conn, watch, at).await?;
        Ok::<_, StoreError>(Saved::At(at))
    })
}

/// Whether a skill says something else than what its last generation made; a copy was made by its original's.
pub(crate) async fn is_edited(conn: &mut Conn, id: SkillId) -> Result<bool, StoreError> {
    type Text = (String, String);
    let said = async |conn: &mut Conn, id: Id| {
        let said = skills::table.find(id);
        let said = said.select((skills::content, skills::reference_files));
        said.get_result::<Text>(conn).await.optional()
    };
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
    let Some((generation, of_skill)) = made_by else {
        return Ok(true);
    };
    let kept = made::table
        .find(generation)
        .select((made::content, made::reference_files))
        .get_result::<Text>(conn)
        .await
        .optional()?;
    // What is not kept is what the skill says that it was made for.
    let made = match kept {
        None if of_skill == Id(id.0) => return Ok(false),
        None => said(conn, of_skill).await?,
        kept => kept,
    };
    Ok(made.is_none() || made != said(conn, Id(id.0)).await?)
}
