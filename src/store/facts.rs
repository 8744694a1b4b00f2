//! Owns what a settlement knows before it decides, and what it leaves to be written.

use crate::domain::clock::Timestamp;
use crate::domain::id::{GrantId, PaymentId, RunId, SkillId, UserId};
use crate::domain::payment::Fact;
use crate::domain::source::SourceStatus;
use crate::store::rows::accounts::Account;
use crate::store::rows::library::{DraftRow, ProductRow, RunFileRow, SkillRow};
use crate::store::rows::payments::{EventRow, PaymentRow};
use crate::store::rows::runs::{ChargedRow, Ending};
use crate::store::rows::transfers::TransferRow;
use crate::store::types::Id;
use std::collections::{BTreeMap, HashMap, HashSet};

/// What a client's idempotency key stands for: whose it is, for which route, and the key itself.
pub(crate) type Request = (Id, String, String);

/// A run that a batch names.
#[derive(Debug)]
pub(crate) struct KnownRun {
    pub(crate) user_id: UserId,
    pub(crate) ended: bool,
    pub(crate) replaces: Option<SkillId>,
    /// Whether a watch ordered it: what it makes waits beside the skill, unless the watch may take it.
    pub(crate) of_watch: bool,
    pub(crate) rows: Vec<KnownRow>,
}

/// A row of such a run, in order.
#[derive(Debug)]
pub(crate) struct KnownRow {
    pub(crate) id: Id,
    pub(crate) skill_id: Id,
    pub(crate) name: String,
    pub(crate) charged: i64,
}

/// A skill that a run replaces.
#[derive(Debug)]
pub(crate) struct KnownSkill {
    pub(crate) user_id: UserId,
    pub(crate) updated_at: Timestamp,
    /// Whether its owner changed what was made.
    pub(crate) is_edited: bool,
}

/// What a watch that is on says of the run that it ordered.
#[derive(Debug)]
pub(crate) struct KnownWatch {
    pub(crate) run_id: Option<RunId>,
    /// Whether what that makes takes the place of the skill: its owner chose so, and changed nothing by hand.
    pub(crate) takes: bool,
}

/// A request with an idempotency key that was answered before.
#[derive(Debug)]
pub(crate) struct KnownRequest {
    /// The row that holds the key; `None` when it is of this batch.
    pub(crate) row: Option<Id>,
    pub(crate) at: Timestamp,
}

/// A purchase of an account, with what was told of it; the latter only when the batch names it.
#[derive(Debug)]
pub(crate) struct KnownPayment {
    pub(crate) row: PaymentRow,
    pub(crate) facts: Vec<(Timestamp, Fact)>,
}

/// What was read before deciding.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    pub(crate) accounts: HashMap<UserId, Account>,
    pub(crate) runs: HashMap<RunId, KnownRun>,
    pub(crate) requests: HashMap<Request, KnownRequest>,
    pub(crate) skills: HashMap<SkillId, KnownSkill>,
    pub(crate) regenerating: HashSet<SkillId>,
    /// The watches that are on of skills which runs of watches replace.
    pub(crate) watches: HashMap<SkillId, KnownWatch>,
    /// The uploaded sources that runs read which the batch ends.
    pub(crate) sources: HashMap<RunId, Vec<Id>>,
    pub(crate) grants: HashMap<GrantId, (UserId, i64)>,
    pub(crate) payments: HashMap<PaymentId, KnownPayment>,
    /// Events that were told before, and whether they found their purchase.
    pub(crate) told: HashMap<String, bool>,
}

/// What is to be written, all in one transaction.
#[derive(Debug, Default)]
pub(crate) struct Writes {
    pub(crate) touched: Vec<UserId>,
    pub(crate) freed: Vec<Id>,
    pub(crate) charged: Vec<ChargedRow>,
    pub(crate) files: Vec<RunFileRow>,
    /// Where uploaded sources stand now; the last entry that names one decides.
    pub(crate) sources: BTreeMap<Id, SourceStatus>,
    pub(crate) openings: Vec<TransferRow>,
    pub(crate) endings: Vec<TransferRow>,
    pub(crate) ended: Vec<Ending>,
    pub(crate) made: Vec<SkillRow>,
    pub(crate) remade: Vec<SkillRow>,
    /// What waits beside the skill that it was made for.
    pub(crate) drafted: Vec<ProductRow>,
    /// The skills and runs of which what was made waits, although it was ordered to take the place.
    pub(crate) waiting: Vec<(Id, Id)>,
    /// Of what was made, that which waits because its owner had changed the skill by hand.
    pub(crate) beside: Vec<DraftRow>,
    pub(crate) heard: Vec<EventRow>,
    /// Events that waited for their purchase.
    pub(crate) found: Vec<(String, Id)>,
    pub(crate) paid: Vec<PaymentId>,
}
