//! Owns what an event of a purchase does to the account: the purchase's position is read from all its events, and what it has given
//! so far is brought to what it should have given.
//!
//! Invariants: a purchase has given between nothing and what it promised; an account that owes has nothing to spend, because
//! whatever comes repays first.

use crate::domain::clock::Timestamp;
use crate::domain::credits::{GrantReason, Transfer};
use crate::domain::id::{GrantId, PaymentId, UserId};
use crate::domain::payment::{Position, Standing, plan_of, position};
use crate::domain::user::Plan;
use crate::store::facts::{Facts, KnownPayment, Writes};
use crate::store::model::{News, Refused, Settled, StoreError};
use crate::store::rows::accounts::Account;
use crate::store::rows::payments::EventRow;
use crate::store::rows::transfers::TransferRow;
use crate::store::rows::{credits, plan};
use crate::store::types::{At, Id};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use uuid::Uuid;

/// Hears an event, once.
pub(crate) fn hear(
    facts: &mut Facts,
    writes: &mut Writes,
    user_id: UserId,
    payment_id: PaymentId,
    news: &News,
) -> Result<Settled, Refused> {
    let account = facts.accounts.get_mut(&user_id).ok_or(Refused::Unknown)?;
    let known = facts
        .payments
        .get_mut(&payment_id)
        .filter(|known| known.row.user_id == Id(user_id.0))
        .ok_or(Refused::Unknown)?;
    let event = EventRow::of(news, Some(payment_id)).map_err(Refused::Store)?;
    let told = facts.told.get(&event.id).copied();
    if told == Some(true) {
        return Ok(Settled::Heard {
            fresh: false,
            given: credits(0),
            taken: credits(0),
            mispaid: false,
            available: credits(account.available),
        });
    }
    let plan_given = account.plan_given.as_ref().unwrap_or(&account.plan);
    let plan_given = plan(plan_given).map_err(Refused::Store)?;
    known.facts.push((news.at, news.fact.clone()));
    let position = position(&known.row.promise(), &known.facts);
    let due = i64::from(position.credits.0);
    let (given, taken) = (
        (due - known.row.given).max(0),
        (known.row.given - due).max(0),
    );
    if let Err(refused) = has_room(account, given) {
        known.facts.pop();
        return Err(refused);
    }
    // From here on nothing is refused: an event that is noted as told has done all that it says.
    match told {
        Some(_) => writes.found.push((event.id.clone(), Id(payment_id.0))),
        None => writes.heard.push(event.clone()),
    }
    facts.told.insert(event.id, true);
    if given > 0 {
        give(account, writes, known, given, news.received_at);
    } else if taken > 0 {
        take(account, writes, known, taken, news.received_at);
    }
    account.packs_purchased += i64::from(position.counts) - i64::from(known.row.counts);
    note(known, &position, news.received_at);
    writes.paid.push(payment_id);
    writes.touched.push(user_id);
    choose_plan(account, plan_given, &facts.payments);
    Ok(Settled::Heard {
        fresh: true,
        given: credits(given),
        taken: credits(taken),
        mispaid: position.mispaid,
        available: credits(account.available),
    })
}

/// Writes down where the purchase stands.
fn note(known: &mut KnownPayment, position: &Position, at: Timestamp) {
    let row = &mut known.row;
    row.counts = position.counts;
    row.paid_at = position.paid_at.map(At);
    row.standing = position
        .standing
        .map(|standing| standing.as_str().to_owned());
    row.intent.clone_from(&position.intent);
    row.subscription.clone_from(&position.subscription);
    if position.closed && row.closed_at.is_none() {
        row.closed_at = Some(At(at));
    }
}

/// The key of a purchase's next transfer. The first is the purchase's own identity, and each is used up by the table's primary
/// key: whatever else went wrong, no movement could be written twice.
fn next_key(known: &mut KnownPayment) -> GrantId {
    let moved = known.row.moves;
    known.row.moves += 1;
    if moved == 0 {
        return GrantId(known.row.id.0);
    }
    let mut digest = Sha256::new();
    digest.update(known.row.id.0.as_bytes());
    digest.update(moved.to_be_bytes());
    let mut key = [0; 16];
    key.iter_mut()
        .zip(digest.finalize())
        .for_each(|(slot, byte)| *slot = byte);
    GrantId(Uuid::from_bytes(key))
}

fn give(
    account: &mut Account,
    writes: &mut Writes,
    known: &mut KnownPayment,
    amount: i64,
    at: Timestamp,
) {
    let reason = if known.row.moves == 0 {
        GrantReason::Pack
    } else {
        GrantReason::Restored
    };
    let key = next_key(known);
    known.row.given += amount;
    account.available += amount;
    let (user_id, payment_id) = (UserId(account.id.0), PaymentId(known.row.id.0));
    let grant = TransferRow::of(Transfer::Grant(key, reason), user_id, amount, At(at));
    writes.openings.push(grant.for_payment(payment_id));
    repay(account, writes, key.0, amount, user_id, at);
}

/// Takes what is there, and notes the rest as owed.
fn take(
    account: &mut Account,
    writes: &mut Writes,
    known: &mut KnownPayment,
    amount: i64,
    at: Timestamp,
) {
    let (user_id, payment_id) = (UserId(account.id.0), PaymentId(known.row.id.0));
    let there = account.available.min(amount);
    let missing = amount - there;
    known.row.given -= amount;
    account.available -= there;
    account.owed += missing;
    if there > 0 {
        let transfer = Transfer::Reclaim(next_key(known), payment_id);
        writes
            .openings
            .push(TransferRow::of(transfer, user_id, there, At(at)));
    }
    if missing > 0 {
        let transfer = Transfer::Owe(next_key(known), payment_id);
        writes
            .openings
            .push(TransferRow::of(transfer, user_id, missing, At(at)));
    }
}

/// Whether an account can hold so many credits more.
pub(crate) fn has_room(account: &Account, amount: i64) -> Result<(), Refused> {
    if account.available + account.reserved + amount > i64::from(u32::MAX) {
        let cause = "an account cannot hold so many credits".to_owned();
        return Err(Refused::Store(StoreError::Conflict(cause)));
    }
    Ok(())
}

/// Repays what is owed out of what the transfer with this key just brought.
pub(crate) fn repay(
    account: &mut Account,
    writes: &mut Writes,
    key: Uuid,
    brought: i64,
    user_id: UserId,
    at: Timestamp,
) {
    let amount = account.owed.min(brought);
    if amount <= 0 {
        return;
    }
    account.available -= amount;
    account.owed -= amount;
    writes.touched.push(user_id);
    writes.endings.push(TransferRow::of(
        Transfer::Repay(key),
        user_id,
        amount,
        At(at),
    ));
}

/// Puts the account on the plan that its purchases say.
fn choose_plan(
    account: &mut Account,
    plan_given: Plan,
    payments: &HashMap<PaymentId, KnownPayment>,
) {
    let of_user = || {
        let rows = payments.values().map(|known| &known.row);
        rows.filter(|row| row.user_id == account.id)
    };
    let subscribed = of_user().any(|row| row.standing() == Some(Standing::Active));
    let packs = of_user().filter(|row| row.counts).filter_map(|row| {
        let paid_at = row.paid_at?.0;
        Some((paid_at, PaymentId(row.id.0), Plan::parse(&row.plan)?))
    });
    let chosen = plan_of(plan_given, subscribed, packs);
    if chosen.as_str() != account.plan {
        account
            .plan_given
            .get_or_insert_with(|| account.plan.clone());
        account.plan = chosen.as_str().to_owned();
    }
}
