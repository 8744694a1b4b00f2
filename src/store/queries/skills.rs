//! Libraries: listing, reading and deleting skills.

use super::super::Conn;
use crate::domain::generation::Status;
use crate::domain::id::{GenerationId, SkillId, UserId};
use crate::domain::skill::{SkillFilter, SkillLine, StoredSkill};
use crate::store::model::StoreError;
use crate::store::rows::library::{SkillLineRow, SkillRow};
use crate::store::rows::storable;
use crate::store::schema::{generations, skills};
use crate::store::types::Id;
use diesel::prelude::*;
use diesel_async::RunQueryDsl;

pub(crate) async fn skills_of(
    conn: &mut Conn,
    user_id: UserId,
    filter: SkillFilter,
) -> Result<Vec<SkillLine>, StoreError> {
    let mut query = skills::table
        .filter(skills::user_id.eq(Id(user_id.0)))
        .order((skills::updated_at.desc(), skills::id.desc()))
        .limit(filter.limit.map_or(i64::MAX, i64::from))
        .offset(i64::from(filter.offset))
        .select(SkillLineRow::as_select())
        .into_boxed();
    if let Some(words) = &filter.query {
        query = query.filter(skills::search.like(pattern(words)).escape('\\'));
    }
    if let Some(category) = &filter.category {
        query = query.filter(skills::category.eq(storable(category).into_owned()));
    }
    let rows = query.load(conn).await?;
    Ok(rows.into_iter().map(SkillLineRow::read).collect())
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
        .first(conn)
        .await
        .optional()?;
    row.map(SkillRow::read).transpose()
}

pub(crate) async fn skill_of_generation(
    conn: &mut Conn,
    user_id: UserId,
    id: GenerationId,
) -> Result<Option<StoredSkill>, StoreError> {
    let row = generations::table
        .inner_join(skills::table.on(skills::id.eq(generations::skill_id)))
        .filter(generations::id.eq(Id(id.0)))
        .filter(generations::user_id.eq(Id(user_id.0)))
        .filter(generations::status.eq(Status::Completed.as_str()))
        .filter(skills::user_id.eq(Id(user_id.0)))
        .select(SkillRow::as_select())
        .first(conn)
        .await
        .optional()?;
    row.map(SkillRow::read).transpose()
}

pub(crate) async fn delete_skill(
    conn: &mut Conn,
    user_id: UserId,
    id: SkillId,
) -> Result<bool, StoreError> {
    let deleted = diesel::delete(skills::table.find(Id(id.0)))
        .filter(skills::user_id.eq(Id(user_id.0)))
        .execute(conn)
        .await?;
    Ok(deleted == 1)
}
