//! Owns the rows of the ledger: which accounts each kind of transfer moves credits between.

use crate::domain::credits::{GrantReason, Transfer};
use crate::domain::id::UserId;
use crate::store::schema::transfers;
use crate::store::types::{At, Id};
use diesel::Insertable;

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
