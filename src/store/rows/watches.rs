//! Owns the rows of watches.

use crate::domain::id::{RunId, SkillId, UserId};
use crate::domain::watch::{Every, Found, Remedy, Watch};
use crate::store::model::StoreError;
use crate::store::rows::{from_json, storable, to_json, unreadable};
use crate::store::schema::watches;
use crate::store::types::{At, Id};
use diesel::{AsChangeset, Queryable, Selectable};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A watch.
#[derive(Queryable, Selectable)]
#[diesel(table_name = watches)]
pub(crate) struct WatchRow {
    skill_id: Id,
    user_id: Id,
    every: String,
    remedy: String,
    due_at: At,
    looked_at: Option<At>,
    failures: i32,
    trouble: Option<String>,
    made_by: Option<Id>,
    seen: Option<String>,
    pending: Option<String>,
    changes: Option<String>,
    run_id: Option<Id>,
    beside: bool,
    is_on: bool,
}

/// What a look leaves behind.
#[derive(AsChangeset)]
#[diesel(table_name = watches, treat_none_as_null = true)]
pub(crate) struct FoundRow {
    looked_at: Option<At>,
    failures: i32,
    trouble: Option<String>,
    made_by: Option<Id>,
    seen: Option<String>,
    pending: Option<String>,
    changes: Option<String>,
    run_id: Option<Id>,
    beside: bool,
}

fn written<T: Serialize>(value: Option<&T>) -> Result<Option<String>, StoreError> {
    let text = value.map(|value| to_json("what a look found", value));
    Ok(text.transpose()?.map(|text| storable(&text).into_owned()))
}

fn read<T: DeserializeOwned>(text: Option<String>) -> Result<Option<T>, StoreError> {
    let text = text.as_deref();
    text.map(|text| from_json("what a look found", text))
        .transpose()
}

impl WatchRow {
    pub(crate) const fn skill(&self) -> SkillId {
        SkillId(self.skill_id.0)
    }

    pub(crate) fn read(self, origin_run: Option<Id>) -> Result<Watch, StoreError> {
        let run = |id: Option<Id>| id.map(|id| RunId(id.0));
        Ok(Watch {
            skill_id: SkillId(self.skill_id.0),
            user_id: UserId(self.user_id.0),
            every: Every::parse(&self.every)
                .ok_or_else(|| unreadable("how often is looked", &self.every))?,
            remedy: Remedy::parse(&self.remedy)
                .ok_or_else(|| unreadable("what is done about a change", &self.remedy))?,
            due_at: self.due_at.0,
            is_on: self.is_on,
            found: Found {
                looked_at: self.looked_at.map(|at| at.0),
                failures: self.failures.unsigned_abs(),
                trouble: self.trouble,
                made_by: run(self.made_by),
                seen: read(self.seen)?,
                pending: read(self.pending)?,
                changes: read(self.changes)?,
                run_id: run(self.run_id),
                beside: self.beside,
            },
            origin_run: run(origin_run),
        })
    }

    /// What a look leaves behind, as it is written.
    pub(crate) fn changes_of(found: &Found) -> Result<FoundRow, StoreError> {
        let trouble = found.trouble.as_deref();
        Ok(FoundRow {
            looked_at: found.looked_at.map(At),
            failures: i32::try_from(found.failures).unwrap_or(i32::MAX),
            trouble: trouble.map(|words| storable(words).into_owned()),
            made_by: found.made_by.map(|id| Id(id.0)),
            seen: written(found.seen.as_ref())?,
            pending: written(found.pending.as_ref())?,
            changes: written(found.changes.as_ref())?,
            run_id: found.run_id.map(|id| Id(id.0)),
            beside: found.beside,
        })
    }
}
