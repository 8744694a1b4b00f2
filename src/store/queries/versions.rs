//! What skills said before they were changed: the last few of each, gone with the skill itself.

use super::super::Conn;
use crate::domain::clock::Timestamp;
use crate::domain::id::{SkillId, UserId};
use crate::domain::skill::{Change, Version, VersionLine};
use crate::store::model::StoreError;
use crate::store::rows::library::{VersionLineRow, VersionRow};
use crate::store::schema::{skills, versions};
use crate::store::types::{At, Id};
use diesel::prelude::*;
use diesel_async::RunQueryDsl;

/// Versions of a skill that are kept. Each may have some megabytes.
const VERSIONS_MAX: i64 = 10;

/// Keeps what a skill says now, just before it is changed; lets the oldest version go when there are too many. Part of the
/// transaction that changes it.
pub(crate) async fn keep(
    conn: &mut Conn,
    skill_id: Id,
    at: At,
    change: Change,
) -> Result<(), StoreError> {
    let now = skills::table
        .find(skill_id)
        .select((
            skills::updated_at,
            skills::word_count,
            skills::content,
            skills::reference_files,
            skills::version,
        ))
        .get_result::<(At, i64, String, String, i32)>(conn)
        .await
        .optional()?;
    let Some((made_at, word_count, content, reference_files, number)) = now else {
        return Ok(());
    };
    let row = VersionRow {
        skill_id,
        made_at,
        replaced_at: at,
        replaced_by: change.as_str().to_owned(),
        word_count,
        content,
        reference_files,
        number,
    };
    diesel::insert_into(versions::table)
        .values(&row)
        .execute(conn)
        .await?;
    diesel::update(skills::table.find(skill_id))
        .set(skills::version.eq(number.saturating_add(1)))
        .execute(conn)
        .await?;
    let too_old = versions::table
        .filter(versions::skill_id.eq(skill_id))
        .order(versions::made_at.desc())
        .offset(VERSIONS_MAX)
        .select(versions::made_at)
        .limit(1)
        .first::<At>(conn)
        .await
        .optional()?;
    if let Some(too_old) = too_old {
        diesel::delete(versions::table.filter(versions::skill_id.eq(skill_id)))
            .filter(versions::made_at.le(too_old))
            .execute(conn)
            .await?;
    }
    Ok(())
}

pub(crate) async fn versions_of(
    conn: &mut Conn,
    user_id: UserId,
    id: SkillId,
) -> Result<Vec<VersionLine>, StoreError> {
    let rows = versions::table
        .inner_join(skills::table.on(skills::id.eq(versions::skill_id)))
        .filter(versions::skill_id.eq(Id(id.0)))
        .filter(skills::user_id.eq(Id(user_id.0)))
        .order(versions::made_at.desc())
        .select(VersionLineRow::as_select())
        .load(conn)
        .await?;
    rows.into_iter().map(VersionLineRow::read).collect()
}

pub(crate) async fn version(
    conn: &mut Conn,
    user_id: UserId,
    id: SkillId,
    made_at: Timestamp,
) -> Result<Option<Version>, StoreError> {
    let row = versions::table
        .inner_join(skills::table.on(skills::id.eq(versions::skill_id)))
        .filter(versions::skill_id.eq(Id(id.0)))
        .filter(versions::made_at.eq(At(made_at)))
        .filter(skills::user_id.eq(Id(user_id.0)))
        .select(VersionRow::as_select())
        .get_result(conn)
        .await
        .optional()?;
    row.map(VersionRow::read).transpose()
}

/// Which of its texts a skill has now, and those that it had before with what they said, newest first.
pub(crate) async fn texts_of(
    conn: &mut Conn,
    user_id: UserId,
    id: SkillId,
) -> Result<(u32, Vec<Version>), StoreError> {
    read_tx!(conn, async |conn| {
        let number = skills::table
            .find(Id(id.0))
            .filter(skills::user_id.eq(Id(user_id.0)))
            .select(skills::version)
            .get_result::<i32>(conn)
            .await
            .optional()?;
        let Some(number) = number else {
            return Ok((0, Vec::new()));
        };
        let rows = versions::table
            .filter(versions::skill_id.eq(Id(id.0)))
            .order(versions::made_at.desc())
            .select(VersionRow::as_select())
            .load(conn)
            .await?;
        let texts: Result<Vec<_>, StoreError> = rows.into_iter().map(VersionRow::read).collect();
        Ok::<_, StoreError>((number.unsigned_abs(), texts?))
    })
}
