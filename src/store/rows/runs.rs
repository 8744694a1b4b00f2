//! Owns the rows of the generation history: as a charge writes them, as an end changes them, as they are read.

use crate::domain::generation::Generation;
use crate::domain::id::{GenerationId, SkillId};
use crate::domain::source::SourceType;
use crate::store::model::StoreError;
use crate::store::rows::{count, credits, reason, status, unreadable};
use crate::store::schema::generations;
use crate::store::types::{At, Id};
use diesel::{Queryable, Selectable};

/// A row of the history as a charge writes it.
#[derive(Debug)]
pub(crate) struct ChargedRow {
    pub(crate) id: Id,
    pub(crate) run_id: Id,
    pub(crate) ordinal: i32,
    pub(crate) user_id: Id,
    pub(crate) skill_id: Id,
    pub(crate) catalogue_id: Option<Id>,
    pub(crate) status: &'static str,
    pub(crate) name: String,
    pub(crate) source_type: &'static str,
    pub(crate) source: String,
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
    pub(crate) route: Option<String>,
    pub(crate) idempotency_key: Option<String>,
    pub(crate) digest: Option<String>,
    pub(crate) balance_after: Option<i64>,
}

/// What the end of a run changes in a row of the history.
#[derive(Debug)]
pub(crate) struct Ending {
    pub(crate) id: Id,
    pub(crate) status: &'static str,
    pub(crate) name: String,
    pub(crate) filename: Option<String>,
    pub(crate) word_count: i64,
    pub(crate) credits_refunded: i64,
    pub(crate) failure_reason: Option<&'static str>,
    pub(crate) failure_message: Option<String>,
    pub(crate) completed_at: At,
    pub(crate) index_filename: Option<String>,
    pub(crate) index_content: Option<String>,
}

/// A row of the history as settling needs to know it. Only of runs of files is it looked up which.
#[derive(Queryable, Selectable)]
#[diesel(table_name = generations)]
pub(crate) struct LedgerRow {
    pub(crate) id: Id,
    pub(crate) run_id: Id,
    pub(crate) ordinal: i32,
    pub(crate) user_id: Id,
    pub(crate) skill_id: Id,
    pub(crate) name: String,
    pub(crate) source_type: String,
    pub(crate) credits_charged: i64,
    pub(crate) completed_at: Option<At>,
    pub(crate) replaces: Option<Id>,
    pub(crate) route: Option<String>,
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
    pub(crate) completed_at: Option<At>,
    pub(crate) ordered: Option<String>,
    pub(crate) attempts: i32,
    pub(crate) replaces: Option<Id>,
    pub(crate) digest: Option<String>,
    pub(crate) balance_after: Option<i64>,
    pub(crate) index_filename: Option<String>,
    pub(crate) index_content: Option<String>,
    pub(crate) worker_falls: i32,
}
