//! Owns the rows as they lie in the tables, and how they read as the words of the domain.

use crate::domain::credits::{Credits, GrantReason, Standing, Transfer};
use crate::domain::failure::Reason;
use crate::domain::generation::{Generation, Status};
use crate::domain::id::{GenerationId, KeyId, SkillId, SourceId, UserId};
use crate::domain::key::Key;
use crate::domain::skill::{FinishedSkill, SkillLine, StoredSkill};
use crate::domain::source::{SourceStatus, SourceType, StoredSource};
use crate::domain::user::{Email, Plan, User};
use crate::store::model::StoreError;
use crate::store::schema::{generations, keys, skills, sources, transfers, users};
use crate::store::types::{At, Id};
use diesel::{AsChangeset, Insertable, Queryable, Selectable};
use std::borrow::Cow;

/// Text as both databases can keep it: PostgreSQL has no NUL in text, so it becomes the replacement character in both.
pub(crate) fn storable(text: &str) -> Cow<'_, str> {
    if text.contains('\0') {
        Cow::Owned(text.replace('\0', "\u{fffd}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// What a stored word or number should have been.
pub(crate) fn unreadable(what: &str, found: &str) -> StoreError {
    StoreError::Broken(format!("{what} reads {found:?}"))
}

/// Credits out of a column that the schema keeps within their range.
pub(crate) fn credits(amount: i64) -> Credits {
    Credits(u32::try_from(amount).unwrap_or(if amount < 0 { 0 } else { u32::MAX }))
}

/// A count out of a column that the schema keeps positive.
pub(crate) fn count(number: i64) -> u32 {
    credits(number).0
}

/// Reads JSON that we wrote.
pub(crate) fn from_json<T: serde::de::DeserializeOwned>(
    what: &str,
    text: &str,
) -> Result<T, StoreError> {
    serde_json::from_str(text)
        .map_err(|error| StoreError::Broken(format!("{what} cannot be read: {error}")))
}

/// Writes JSON.
pub(crate) fn to_json<T: serde::Serialize>(what: &str, value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value)
        .map_err(|error| StoreError::Broken(format!("{what} cannot be written: {error}")))
}

/// Reads a plan's word.
pub(crate) fn plan(word: &str) -> Result<Plan, StoreError> {
    Plan::parse(word).ok_or_else(|| unreadable("a plan", word))
}

/// Reads a status' word.
pub(crate) fn status(word: &str) -> Result<Status, StoreError> {
    Status::parse(word).ok_or_else(|| unreadable("a status", word))
}

/// Reads a reason's word.
pub(crate) fn reason(word: &str) -> Result<Reason, StoreError> {
    from_json("a reason", &format!("{word:?}"))
}

/// An account.
#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = users, treat_none_as_default_value = false)]
pub(crate) struct UserRow {
    pub(crate) id: Id,
    pub(crate) email: String,
    pub(crate) plan: String,
    pub(crate) restricted: bool,
    pub(crate) password_hash: Option<String>,
    pub(crate) available: i64,
    pub(crate) reserved: i64,
    pub(crate) packs_purchased: i64,
    pub(crate) total_generations: i64,
    pub(crate) created_at: At,
}

impl UserRow {
    pub(crate) fn read(self) -> Result<User, StoreError> {
        Ok(User {
            id: UserId(self.id.0),
            email: Email::parse(&self.email)
                .ok_or_else(|| unreadable("an address", &self.email))?,
            plan: plan(&self.plan)?,
            restricted: self.restricted,
            available: credits(self.available),
            reserved: credits(self.reserved),
            created_at: self.created_at.0,
        })
    }
}

/// What an account holds, locked for the length of a settlement.
#[derive(Debug, Clone, Queryable, Selectable)]
#[diesel(table_name = users)]
pub(crate) struct Account {
    pub(crate) id: Id,
    pub(crate) plan: String,
    pub(crate) available: i64,
    pub(crate) reserved: i64,
    pub(crate) packs_purchased: i64,
    pub(crate) total_generations: i64,
}

impl Account {
    pub(crate) fn read(&self) -> Result<Standing, StoreError> {
        Ok(Standing {
            available: credits(self.available),
            reserved: credits(self.reserved),
            plan: plan(&self.plan)?,
            packs_purchased: count(self.packs_purchased),
            total_generations: count(self.total_generations),
        })
    }
}

/// A key.
#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = keys, treat_none_as_default_value = false)]
pub(crate) struct KeyRow {
    pub(crate) id: Id,
    pub(crate) user_id: Id,
    pub(crate) name: String,
    pub(crate) hash: Vec<u8>,
    pub(crate) last_four: String,
    pub(crate) created_at: At,
    pub(crate) last_used_at: Option<At>,
    pub(crate) revoked_at: Option<At>,
}

impl KeyRow {
    pub(crate) fn read(self) -> Key {
        Key {
            id: KeyId(self.id.0),
            user_id: UserId(self.user_id.0),
            name: self.name,
            last_four: self.last_four,
            created_at: self.created_at.0,
            last_used_at: self.last_used_at.map(|at| at.0),
            revoked_at: self.revoked_at.map(|at| at.0),
        }
    }
}

/// A transfer of credits.
#[derive(Debug, Clone, Insertable)]
#[diesel(table_name = transfers, treat_none_as_default_value = false)]
pub(crate) struct TransferRow {
    pub(crate) key: Id,
    pub(crate) phase: i16,
    pub(crate) opening: Option<i16>,
    pub(crate) kind: &'static str,
    pub(crate) user_id: Id,
    pub(crate) debit: &'static str,
    pub(crate) credit: &'static str,
    pub(crate) amount: i64,
    pub(crate) reason: Option<&'static str>,
    pub(crate) at: At,
}

impl TransferRow {
    pub(crate) fn of(transfer: Transfer, user_id: UserId, amount: i64, at: At) -> Self {
        let (key, kind, debit, credit) = match transfer {
            Transfer::Grant(id, _) => (id.0, "grant", "issued", "available"),
            Transfer::Reserve(id) => (id.0, "reserve", "available", "reserved"),
            Transfer::Post(id) => (id.0, "post", "reserved", "earned"),
            Transfer::Void(id) => (id.0, "void", "reserved", "available"),
        };
        let ends = matches!(transfer, Transfer::Post(_) | Transfer::Void(_));
        Self {
            key: Id(key),
            phase: i16::from(ends),
            opening: ends.then_some(0),
            kind,
            user_id: Id(user_id.0),
            debit,
            credit,
            amount,
            reason: match transfer {
                Transfer::Grant(_, reason) => Some(GrantReason::as_str(reason)),
                _ => None,
            },
            at,
        }
    }
}

/// A row of the history as a charge writes it.
#[derive(Debug, Insertable)]
#[diesel(table_name = generations, treat_none_as_default_value = false)]
pub(crate) struct ChargedRow<'a> {
    pub(crate) id: Id,
    pub(crate) run_id: Id,
    pub(crate) ordinal: i32,
    pub(crate) user_id: Id,
    pub(crate) skill_id: Id,
    pub(crate) catalogue_id: Option<Id>,
    pub(crate) status: &'static str,
    pub(crate) name: Cow<'a, str>,
    pub(crate) source_type: &'static str,
    pub(crate) source: Cow<'a, str>,
    pub(crate) word_count: i64,
    pub(crate) credits_charged: i64,
    pub(crate) credits_refunded: i64,
    pub(crate) created_at: At,
    pub(crate) ordered: Option<String>,
    pub(crate) key_id: Option<Id>,
    pub(crate) node: Option<Id>,
    pub(crate) lease_until: Option<At>,
    pub(crate) attempts: i32,
    pub(crate) replaces: Option<Id>,
    pub(crate) route: Option<Cow<'a, str>>,
    pub(crate) idempotency_key: Option<Cow<'a, str>>,
    pub(crate) digest: Option<Cow<'a, str>>,
    pub(crate) balance_after: Option<i64>,
}

/// What the end of a run changes in a row of the history.
#[derive(Debug, AsChangeset)]
#[diesel(table_name = generations, treat_none_as_null = true)]
pub(crate) struct Ending<'a> {
    #[diesel(skip_update)]
    pub(crate) id: Id,
    pub(crate) status: &'static str,
    pub(crate) name: Cow<'a, str>,
    pub(crate) filename: Option<Cow<'a, str>>,
    pub(crate) word_count: i64,
    pub(crate) credits_refunded: i64,
    pub(crate) failure_reason: Option<&'static str>,
    pub(crate) failure_message: Option<Cow<'a, str>>,
    pub(crate) completed_at: At,
    pub(crate) index_filename: Option<Cow<'a, str>>,
    pub(crate) index_content: Option<Cow<'a, str>>,
}

/// A row of the history as settling needs to know it.
#[derive(Queryable, Selectable)]
#[diesel(table_name = generations)]
pub(crate) struct LedgerRow {
    pub(crate) id: Id,
    pub(crate) run_id: Id,
    pub(crate) user_id: Id,
    pub(crate) skill_id: Id,
    pub(crate) name: String,
    pub(crate) credits_charged: i64,
    pub(crate) completed_at: Option<At>,
    pub(crate) replaces: Option<Id>,
}

/// A row of the history as its owner sees it.
#[derive(Queryable, Selectable)]
#[diesel(table_name = generations)]
pub(crate) struct GenerationRow {
    id: Id,
    skill_id: Id,
    catalogue_id: Option<Id>,
    status: String,
    name: String,
    source_type: String,
    source: String,
    filename: Option<String>,
    word_count: i64,
    credits_charged: i64,
    credits_refunded: i64,
    failure_reason: Option<String>,
    created_at: At,
    completed_at: Option<At>,
}

impl GenerationRow {
    pub(crate) fn read(self) -> Result<Generation, StoreError> {
        Ok(Generation {
            id: GenerationId(self.id.0),
            skill_id: SkillId(self.skill_id.0),
            catalogue_id: self.catalogue_id.map(|id| id.0),
            status: status(&self.status)?,
            name: self.name,
            source_type: SourceType::parse(&self.source_type)
                .ok_or_else(|| unreadable("a source type", &self.source_type))?,
            source: self.source,
            filename: self.filename,
            word_count: count(self.word_count),
            credits_charged: credits(self.credits_charged),
            credits_refunded: credits(self.credits_refunded),
            failure: self.failure_reason.as_deref().map(reason).transpose()?,
            created_at: self.created_at.0,
            completed_at: self.completed_at.map(|at| at.0),
        })
    }
}

/// The run that the row with ordinal 0 carries.
#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = generations)]
pub(crate) struct RunRow {
    pub(crate) run_id: Id,
    pub(crate) user_id: Id,
    pub(crate) status: String,
    pub(crate) catalogue_id: Option<Id>,
    pub(crate) failure_reason: Option<String>,
    pub(crate) failure_message: Option<String>,
    pub(crate) created_at: At,
    pub(crate) ordered: Option<String>,
    pub(crate) attempts: i32,
    pub(crate) replaces: Option<Id>,
    pub(crate) digest: Option<String>,
    pub(crate) balance_after: Option<i64>,
    pub(crate) index_filename: Option<String>,
    pub(crate) index_content: Option<String>,
}

/// A skill, text and all.
#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = skills)]
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
}

impl SkillRow {
    /// A new, private skill.
    pub(crate) fn of(
        id: Id,
        user_id: Id,
        skill: &FinishedSkill,
        at: At,
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
            report: to_json("a report", &skill.report)?,
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
                report: from_json("a report", &self.report)?,
            },
            is_public: self.is_public,
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
        })
    }
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
