//! Owns the rows of the ledger: which accounts each kind of transfer moves credits between.

use crate::domain::credits::{GrantReason, Transfer};
use crate::domain::id::{PaymentId, UserId};
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
    pub(crate) payment_id: Option<Id>,
}

impl TransferRow {
    pub(crate) fn of(transfer: Transfer, user_id: UserId, amount: i64, at: At) -> Self {
        let (key, kind, debit, credit) = match transfer {
            Transfer::Grant(id, _) => (id.0, "grant", "issued", "available"),
            Transfer::Reserve(id) => (id.0, "reserve", "available", "reserved"),
            Transfer::Post(id) => (id.0, "post", "reserved", "earned"),
            Transfer::Void(id) => (id.0, "void", "reserved", "available"),
            Transfer::Reclaim(id, _) => (id.0, "reclaim", "available", "issued"),
            Transfer::Owe(id, _) => (id.0, "owe", "owed", "issued"),
            Transfer::Repay(key) => (key, "repay", "available", "owed"),
        };
        let phase = match transfer {
            Transfer::Post(_) | Transfer::Void(_) => 1,
            Transfer::Repay(_) => 2,
            _ => 0,
        };
        Self {
            key: Id(key),
            phase,
            opening: (phase > 0).then_some(0),
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
            payment_id: match transfer {
                Transfer::Reclaim(_, payment_id) | Transfer::Owe(_, payment_id) => {
                    Some(Id(payment_id.0))
                }
                _ => None,
            },
        }
    }

    /// The same transfer, made for a purchase.
    pub(crate) fn for_payment(self, payment_id: PaymentId) -> Self {
        Self {
            payment_id: Some(Id(payment_id.0)),
            ..self
        }
    }
}
