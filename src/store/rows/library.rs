//! Owns the rows of skills, of their earlier versions, of what generations made, of uploaded sources, and of the files that runs read.

use crate::domain::id::{SkillId, SourceId, UserId};
use crate::domain::skill::{Change, FinishedSkill, SkillLine, StoredSkill, Version, VersionLine};
use crate::domain::source::{SourceStatus, StoredSource};
use crate::store::model::StoreError;
use crate::store::rows::{count, from_json, reports, storable, to_json, unreadable};
use crate::store::schema::{drafts, products, run_files, skills, sources, versions};
use crate::store::types::{At, Id};
use diesel::{Insertable, Queryable, Selectable};

/// A skill, text and all.
#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = skills, treat_none_as_default_value = false)]
pub(crate) struct SkillRow {
    pub(crate) id: Id,
    pub(crate) user_id: Id,
    pub(crate) name: String,
    pub(crate) filename: String,
    pub(crate) description: String,
    pub(crate) category: String,
    pub(crate) search: String,
    pub(crate) word_count: i64,
    pub(crate) is_public: bool,
    pub(crate) created_at: At,
    pub(crate) updated_at: At,
    pub(crate) content: String,
    pub(crate) reference_files: String,
    pub(crate) report: String,
    pub(crate) origin_run: Option<Id>,
    pub(crate) origin_ordinal: Option<i32>,
    pub(crate) origins: String,
}

impl SkillRow {
    /// A new, private skill that a run made as the `ordinal`th of its own.
    pub(crate) fn of(
        id: Id,
        user_id: Id,
        skill: &FinishedSkill,
        at: At,
        (run, ordinal): (Id, i32),
    ) -> Result<Self, StoreError> {
        Ok(Self {
            id,
            user_id,
            name: storable(&skill.name).into_owned(),
            filename: storable(&skill.filename).into_owned(),
            description: storable(&skill.description).into_owned(),
            category: storable(&skill.category).into_owned(),
            search: searchable(&skill.name, &skill.description),
            word_count: i64::from(skill.word_count),
            is_public: false,
            created_at: at,
            updated_at: at,
            content: storable(&skill.content).into_owned(),
            reference_files: to_json("reference files", &skill.references)?,
            report: reports::write(&skill.report)?,
            origin_run: Some(run),
            origin_ordinal: Some(ordinal),
            origins: to_json("origins", &skill.origins)?,
        })
    }

    pub(crate) fn read(self) -> Result<StoredSkill, StoreError> {
        Ok(StoredSkill {
            id: SkillId(self.id.0),
            user_id: UserId(self.user_id.0),
            skill: FinishedSkill {
                name: self.name,
                filename: self.filename,
                description: self.description,
                category: self.category,
                content: self.content,
                references: from_json("reference files", &self.reference_files)?,
                word_count: count(self.word_count),
                report: reports::read(&self.report)?,
                origins: from_json("origins", &self.origins)?,
            },
            is_public: self.is_public,
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
        })
    }
}

/// What a generation made.
#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = products)]
pub(crate) struct ProductRow {
    pub(crate) generation_id: Id,
    pub(crate) skill_id: Id,
    pub(crate) name: String,
    pub(crate) filename: String,
    pub(crate) description: String,
    pub(crate) category: String,
    pub(crate) word_count: i64,
    pub(crate) content: String,
    pub(crate) reference_files: String,
    pub(crate) report: String,
    pub(crate) origins: String,
}

impl ProductRow {
    /// A skill as its generation made it.
    pub(crate) fn of(generation_id: Id, skill: SkillRow) -> Self {
        Self {
            generation_id,
            skill_id: skill.id,
            name: skill.name,
            filename: skill.filename,
            description: skill.description,
            category: skill.category,
            word_count: skill.word_count,
            content: skill.content,
            reference_files: skill.reference_files,
            report: skill.report,
            origins: skill.origins,
        }
    }

    pub(crate) fn read(self) -> Result<FinishedSkill, StoreError> {
        Ok(FinishedSkill {
            name: self.name,
            filename: self.filename,
            description: self.description,
            category: self.category,
            content: self.content,
            references: from_json("reference files", &self.reference_files)?,
            word_count: count(self.word_count),
            report: reports::read(&self.report)?,
            origins: from_json("origins", &self.origins)?,
        })
    }
}

/// A text that waits beside its skill.
#[derive(Debug, Insertable)]
#[diesel(table_name = drafts)]
pub(crate) struct DraftRow {
    pub(crate) run_id: Id,
    pub(crate) skill_id: Id,
    pub(crate) made_at: At,
    pub(crate) waits: bool,
}

/// What a library is searched in: folded by us, because the two databases fold differently.
pub(crate) fn searchable(name: &str, description: &str) -> String {
    storable(&format!("{name}\n{description}").to_lowercase()).into_owned()
}

/// A skill without its text.
#[derive(Queryable, Selectable)]
#[diesel(table_name = skills)]
pub(crate) struct SkillLineRow {
    id: Id,
    name: String,
    description: String,
    category: String,
    word_count: i64,
    is_public: bool,
    created_at: At,
    updated_at: At,
}

impl SkillLineRow {
    pub(crate) fn read(self) -> SkillLine {
        SkillLine {
            id: SkillId(self.id.0),
            name: self.name,
            description: self.description,
            category: self.category,
            word_count: count(self.word_count),
            is_public: self.is_public,
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
        }
    }
}

/// What a skill said before it was changed.
#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = versions)]
pub(crate) struct VersionRow {
    pub(crate) skill_id: Id,
    pub(crate) made_at: At,
    pub(crate) replaced_at: At,
    pub(crate) replaced_by: String,
    pub(crate) word_count: i64,
    pub(crate) content: String,
    pub(crate) reference_files: String,
    pub(crate) number: i32,
}

impl VersionRow {
    pub(crate) fn read(self) -> Result<Version, StoreError> {
        Ok(Version {
            made_at: self.made_at.0,
            replaced_at: self.replaced_at.0,
            replaced_by: change(&self.replaced_by)?,
            number: self.number.unsigned_abs(),
            word_count: count(self.word_count),
            content: self.content,
            references: from_json("reference files", &self.reference_files)?,
        })
    }
}

/// A version without its text.
#[derive(Queryable, Selectable)]
#[diesel(table_name = versions)]
pub(crate) struct VersionLineRow {
    made_at: At,
    replaced_at: At,
    replaced_by: String,
    word_count: i64,
    number: i32,
}

impl VersionLineRow {
    pub(crate) fn read(self) -> Result<VersionLine, StoreError> {
        Ok(VersionLine {
            made_at: self.made_at.0,
            replaced_at: self.replaced_at.0,
            replaced_by: change(&self.replaced_by)?,
            number: self.number.unsigned_abs(),
            word_count: count(self.word_count),
        })
    }
}

fn change(word: &str) -> Result<Change, StoreError> {
    Change::parse(word).ok_or_else(|| unreadable("a change", word))
}

/// A file that a run reads.
#[derive(Debug, Insertable)]
#[diesel(table_name = run_files, treat_none_as_default_value = false)]
pub(crate) struct RunFileRow {
    pub(crate) run_id: Id,
    pub(crate) ordinal: i32,
    pub(crate) digest: String,
    pub(crate) source_id: Option<Id>,
}

/// An uploaded source.
#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = sources)]
pub(crate) struct SourceRow {
    pub(crate) id: Id,
    pub(crate) user_id: Id,
    pub(crate) filename: String,
    pub(crate) extension: String,
    pub(crate) size_bytes: i64,
    pub(crate) digest: String,
    pub(crate) status: String,
    pub(crate) created_at: At,
}

impl SourceRow {
    pub(crate) fn of(source: &StoredSource) -> Self {
        Self {
            id: Id(source.id.0),
            user_id: Id(source.user_id.0),
            filename: storable(&source.filename).into_owned(),
            extension: storable(&source.extension).into_owned(),
            size_bytes: i64::try_from(source.size_bytes).unwrap_or(i64::MAX),
            digest: storable(&source.digest).into_owned(),
            status: source.status.as_str().to_owned(),
            created_at: At(source.created_at),
        }
    }

    pub(crate) fn read(self) -> Result<StoredSource, StoreError> {
        Ok(StoredSource {
            id: SourceId(self.id.0),
            user_id: UserId(self.user_id.0),
            filename: self.filename,
            extension: self.extension,
            size_bytes: u64::try_from(self.size_bytes).unwrap_or(0),
            digest: self.digest,
            status: SourceStatus::parse(&self.status)
                .ok_or_else(|| unreadable("a source's status", &self.status))?,
            created_at: self.created_at.0,
        })
    }
}
