//! Libraries: listing, reading, changing, sharing, copying and deleting skills.

use super::super::{Backend, Conn};
use super::{products, versions};
use crate::domain::clock::Timestamp;
use crate::domain::generation::Order;
use crate::domain::id::{SkillId, UserId};
use crate::domain::skill::{
    Change, Edited, Removed, SkillFilter, SkillLine, SkillOrder, StoredSkill,
};
use crate::store::model::{Origin, Saved, StoreError};
use crate::store::rows::library::{SkillLineRow, SkillRow, searchable};
use crate::store::rows::{from_json, reports, storable, to_json};
use crate::store::schema::{generations, skills};
use crate::store::types::{At, Id};
use diesel::prelude::*;
use diesel_async::RunQueryDsl;

pub(crate) async fn skills_of(
    conn: &mut Conn,
    user_id: UserId,
    filter: SkillFilter,
) -> Result<Vec<SkillLine>, StoreError> {
    let query = found(user_id, &filter)
        .limit(filter.limit.map_or(i64::MAX, i64::from))
        .offset(i64::from(filter.offset))
        .select(SkillLineRow::as_select());
    let query = match filter.order {
        SkillOrder::Changed => query.order((skills::updated_at.desc(), skills::id.desc())),
        SkillOrder::Made => query.order((skills::created_at.desc(), skills::id.desc())),
        SkillOrder::Name => query.order((skills::name, skills::id)),
        SkillOrder::Words => query.order((skills::word_count.desc(), skills::id)),
    };
    let rows: Vec<SkillLineRow> = query.load(conn).await?;
    Ok(rows.into_iter().map(SkillLineRow::read).collect())
}

/// The skills of a library that a filter lets through, in no order.
fn found(user_id: UserId, filter: &SkillFilter) -> skills::BoxedQuery<'static, Backend> {
    let mut query = skills::table
        .filter(skills::user_id.eq(Id(user_id.0)))
        .into_boxed();
    if let Some(words) = &filter.query {
        query = query.filter(skills::search.like(pattern(words)).escape('\\'));
    }
    if let Some(category) = &filter.category {
        query = query.filter(skills::category.eq(storable(category).into_owned()));
    }
    query
}

pub(crate) async fn skill_count(
    conn: &mut Conn,
    user_id: UserId,
    filter: SkillFilter,
) -> Result<u64, StoreError> {
    let count: i64 = found(user_id, &filter).count().get_result(conn).await?;
    Ok(u64::try_from(count).unwrap_or(0))
}

pub(crate) async fn categories_of(
    conn: &mut Conn,
    user_id: UserId,
) -> Result<Vec<(String, u64)>, StoreError> {
    let rows = skills::table
        .filter(skills::user_id.eq(Id(user_id.0)))
        .group_by(skills::category)
        .order(skills::category)
        .select((skills::category, diesel::dsl::count_star()))
        .load::<(String, i64)>(conn)
        .await?;
    let read = |(category, count)| (category, u64::try_from(count).unwrap_or(0));
    Ok(rows.into_iter().map(read).collect())
}

/// A pattern that finds the words themselves wherever they stand.
fn pattern(words: &str) -> String {
    let words = storable(&words.to_lowercase())
        .replace('\\', "\\\\")
        .replace('%', "\\%")
        .replace('_', "\\_");
    format!("%{words}%")
}

pub(crate) async fn skill(
    conn: &mut Conn,
    user_id: UserId,
    id: SkillId,
) -> Result<Option<StoredSkill>, StoreError> {
    let row = skills::table
        .find(Id(id.0))
        .filter(skills::user_id.eq(Id(user_id.0)))
        .select(SkillRow::as_select())
        .get_result(conn)
        .await
        .optional()?;
    row.map(SkillRow::read).transpose()
}

pub(crate) async fn public_skill(
    conn: &mut Conn,
    id: SkillId,
) -> Result<Option<StoredSkill>, StoreError> {
    let row = skills::table
        .find(Id(id.0))
        .filter(skills::is_public.eq(true))
        .select(SkillRow::as_select())
        .get_result(conn)
        .await
        .optional()?;
    row.map(SkillRow::read).transpose()
}

/// Skills that their owners show to everybody, the newest first, those after one of them.
pub(crate) async fn public_skills(
    conn: &mut Conn,
    after: Option<SkillId>,
    limit: u32,
) -> Result<Vec<SkillLine>, StoreError> {
    let mut query = skills::table
        .filter(skills::is_public.eq(true))
        .into_boxed();
    if let Some(after) = after {
        query = query.filter(skills::id.lt(Id(after.0)));
    }
    let query = query
        .order(skills::id.desc())
        .limit(i64::from(limit))
        .select(SkillLineRow::as_select());
    let rows: Vec<SkillLineRow> = query.load(conn).await?;
    Ok(rows.into_iter().map(SkillLineRow::read).collect())
}

/// When one of an account's skills was last changed; its row is locked until the transaction ends.
pub(super) async fn locked(
    conn: &mut Conn,
    user_id: UserId,
    id: SkillId,
) -> Result<Option<At>, StoreError> {
    let known = locking!(
        skills::table
            .find(Id(id.0))
            .filter(skills::user_id.eq(Id(user_id.0)))
            .select(skills::updated_at)
    );
    Ok(known.get_result::<At>(conn).await.optional()?)
}

/// Saves an edit; with `expected`, only when the skill still is what the caller read.
pub(crate) async fn edit_skill(
    conn: &mut Conn,
    user_id: UserId,
    id: SkillId,
    expected: Option<Vec<Timestamp>>,
    edited: Edited,
    at: Timestamp,
) -> Result<Saved, StoreError> {
    write_tx!(conn, async |conn| {
        let Some(known) = locked(conn, user_id, id).await? else {
            return Ok(Saved::Missing);
        };
        if expected.is_some_and(|expected| !expected.contains(&known.0)) {
            return Ok(Saved::Stale);
        }
        let at = at.after(known.0);
        let references = edited.references.as_ref();
        let references = references
            .map(|files| to_json("reference files", files))
            .transpose()?
            .map(|files| storable(&files).into_owned());
        versions::keep(conn, Id(id.0), At(at), Change::Edit).await?;
        products::keep(conn, Id(id.0)).await?;
        diesel::update(skills::table.find(Id(id.0)))
            .set((
                skills::name.eq(storable(&edited.name).into_owned()),
                skills::filename.eq(storable(&edited.filename).into_owned()),
                skills::description.eq(storable(&edited.description).into_owned()),
                skills::search.eq(searchable(&edited.name, &edited.description)),
                skills::word_count.eq(i64::from(edited.word_count)),
                skills::updated_at.eq(At(at)),
                skills::content.eq(storable(&edited.content).into_owned()),
                references.map(|files| skills::reference_files.eq(files)),
                skills::report.eq(reports::write(&edited.report)?),
            ))
            .execute(conn)
            .await?;
        Ok::<_, StoreError>(Saved::At(at))
    })
}

/// Replaces what a skill says; who may see it and when it was made stay.
pub(super) async fn replace(conn: &mut Conn, skill: &SkillRow) -> Result<(), StoreError> {
    versions::keep(conn, skill.id, skill.updated_at, Change::Regeneration).await?;
    products::keep(conn, skill.id).await?;
    products::answer_drafts(conn, skill.id).await?;
    diesel::update(skills::table.find(skill.id))
        .set((
            skills::name.eq(&skill.name),
            skills::filename.eq(&skill.filename),
            skills::description.eq(&skill.description),
            skills::category.eq(&skill.category),
            skills::search.eq(&skill.search),
            skills::word_count.eq(skill.word_count),
            skills::updated_at.eq(skill.updated_at),
            skills::content.eq(&skill.content),
            skills::reference_files.eq(&skill.reference_files),
            skills::report.eq(&skill.report),
            skills::origin_run.eq(skill.origin_run),
            skills::origin_ordinal.eq(skill.origin_ordinal),
            skills::origins.eq(&skill.origins),
        ))
        .execute(conn)
        .await?;
    Ok(())
}

/// Shows a skill to everybody, or to its owner alone; false when there is none.
pub(crate) async fn share_skill(
    conn: &mut Conn,
    user_id: UserId,
    id: SkillId,
    is_public: bool,
) -> Result<bool, StoreError> {
    let changed = diesel::update(skills::table.find(Id(id.0)))
        .filter(skills::user_id.eq(Id(user_id.0)))
        .set(skills::is_public.eq(is_public))
        .execute(conn)
        .await?;
    Ok(changed == 1)
}

/// Copies a skill into a library: one of its own with what it can be made of again, somebody else's public one without.
pub(crate) async fn duplicate_skill(
    conn: &mut Conn,
    user_id: UserId,
    id: SkillId,
    copy: SkillId,
    at: Timestamp,
) -> Result<Option<StoredSkill>, StoreError> {
    write_tx!(conn, async |conn| {
        let original = skills::table
            .find(Id(id.0))
            .filter(
                skills::user_id
                    .eq(Id(user_id.0))
                    .or(skills::is_public.eq(true)),
            )
            .select(SkillRow::as_select())
            .get_result(conn)
            .await
            .optional()?;
        let Some(original) = original else {
            return Ok(None);
        };
        let own = original.user_id == Id(user_id.0);
        let row = SkillRow {
            id: Id(copy.0),
            user_id: Id(user_id.0),
            is_public: false,
            created_at: At(at),
            updated_at: At(at),
            origin_run: original.origin_run.filter(|_| own),
            origin_ordinal: original.origin_ordinal.filter(|_| own),
            ..original
        };
        diesel::insert_into(skills::table)
            .values(&row)
            .execute(conn)
            .await?;
        row.read().map(Some)
    })
}

pub(crate) async fn origin(
    conn: &mut Conn,
    user_id: UserId,
    id: SkillId,
) -> Result<Origin, StoreError> {
    read_tx!(conn, async |conn| {
        let known = skills::table
            .find(Id(id.0))
            .filter(skills::user_id.eq(Id(user_id.0)))
            .select((skills::origin_run, skills::origin_ordinal))
            .get_result::<(Option<Id>, Option<i32>)>(conn)
            .await
            .optional()?;
        let (run, ordinal) = match known {
            None => return Ok(Origin::Missing),
            Some((Some(run), ordinal)) => (run, ordinal.unwrap_or(0)),
            Some((None, _)) => return Ok(Origin::NotOurs),
        };
        let ordered = generations::table
            .filter(generations::run_id.eq(run))
            .filter(generations::ordinal.eq(0))
            .select(generations::ordered)
            .get_result::<Option<String>>(conn)
            .await
            .optional()?;
        let Some(ordered) = ordered.flatten() else {
            return Ok(Origin::NotOurs);
        };
        let order: Order = from_json("an order", &ordered)?;
        let order = order.alone(usize::try_from(ordinal).unwrap_or(0));
        Ok::<_, StoreError>(Origin::Order(Box::new(order)))
    })
}

pub(crate) async fn delete_skill(
    conn: &mut Conn,
    user_id: UserId,
    id: SkillId,
    expected: Option<Vec<Timestamp>>,
) -> Result<Removed, StoreError> {
    write_tx!(conn, async |conn| {
        let known = locking!(
            skills::table
                .find(Id(id.0))
                .filter(skills::user_id.eq(Id(user_id.0)))
                .select(skills::updated_at)
        );
        let Some(known) = known.get_result::<At>(conn).await.optional()? else {
            return Ok(Removed::Missing);
        };
        if expected.is_some_and(|expected| !expected.contains(&known.0)) {
            return Ok(Removed::Stale);
        }
        products::let_go(conn, Id(id.0)).await?;
        diesel::delete(skills::table.find(Id(id.0)))
            .execute(conn)
            .await?;
        Ok::<_, StoreError>(Removed::Gone)
    })
}
