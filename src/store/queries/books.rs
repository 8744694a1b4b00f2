//! The books: proof that every balance is the sum of its transfers and that every charge ends exactly once.
//!
//! Plain SQL that both databases read alike. Each statement finds what is wrong, so that sound books cost no memory.

use super::super::Conn;
use crate::domain::credits::Books;
use crate::store::model::StoreError;
use crate::store::types::{Id, SqlId};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use diesel_async::RunQueryDsl;

/// Faults that are spelt out for each rule; what there is beyond is counted, not listed.
const FAULTS_MAX: usize = 100;

#[derive(QueryableByName)]
struct Totals {
    #[diesel(sql_type = BigInt)]
    users: i64,
    #[diesel(sql_type = BigInt)]
    held_available: i64,
    #[diesel(sql_type = BigInt)]
    held_reserved: i64,
    #[diesel(sql_type = BigInt)]
    held_owed: i64,
    #[diesel(sql_type = BigInt)]
    transfers: i64,
    #[diesel(sql_type = BigInt)]
    issued: i64,
    #[diesel(sql_type = BigInt)]
    available: i64,
    #[diesel(sql_type = BigInt)]
    reserved: i64,
    #[diesel(sql_type = BigInt)]
    earned: i64,
    #[diesel(sql_type = BigInt)]
    owed: i64,
}

#[derive(QueryableByName)]
struct Fault {
    #[diesel(sql_type = SqlId)]
    id: Id,
    #[diesel(sql_type = Text)]
    fault: String,
}

const TOTALS: &str = "
SELECT u.users, u.held_available, u.held_reserved, u.held_owed, t.transfers, t.issued, t.available, t.reserved, t.earned, t.owed
FROM (SELECT CAST(COUNT(*) AS bigint) AS users,
        CAST(COALESCE(SUM(available), 0) AS bigint) AS held_available,
        CAST(COALESCE(SUM(reserved), 0) AS bigint) AS held_reserved,
        CAST(COALESCE(SUM(owed), 0) AS bigint) AS held_owed
      FROM users) AS u,
     (SELECT CAST(COUNT(*) AS bigint) AS transfers,
        CAST(COALESCE(SUM(CASE WHEN debit = 'issued' THEN amount WHEN credit = 'issued' THEN -amount ELSE 0 END), 0)
          AS bigint) AS issued,
        CAST(COALESCE(SUM(CASE WHEN credit = 'available' THEN amount WHEN debit = 'available' THEN -amount ELSE 0 END), 0)
          AS bigint) AS available,
        CAST(COALESCE(SUM(CASE WHEN credit = 'reserved' THEN amount WHEN debit = 'reserved' THEN -amount ELSE 0 END), 0)
          AS bigint) AS reserved,
        CAST(COALESCE(SUM(CASE WHEN credit = 'earned' THEN amount ELSE 0 END), 0) AS bigint) AS earned,
        CAST(COALESCE(SUM(CASE WHEN debit = 'owed' THEN amount WHEN credit = 'owed' THEN -amount ELSE 0 END), 0)
          AS bigint) AS owed
      FROM transfers) AS t";

/// Accounts whose numbers are not the sum of what moved.
const ACCOUNTS: &str = "
SELECT id, fault FROM (
  SELECT u.id AS id, CASE
      WHEN u.available <> COALESCE(t.available, 0) THEN 'account: available is not the sum of its transfers'
      WHEN u.reserved <> COALESCE(t.reserved, 0) THEN 'account: reserved is not the sum of its transfers'
      WHEN u.owed <> COALESCE(t.owed, 0) THEN 'account: what it owes is not the sum of its transfers'
      WHEN u.packs_purchased <> COALESCE(t.packs, 0) + COALESCE(p.packs, 0) THEN 'account: packs are not the packs that were granted'
      WHEN u.total_generations <> COALESCE(g.completed, 0) THEN 'account: generations made are not those completed'
    END AS fault
  FROM users AS u
  LEFT JOIN (SELECT user_id,
      SUM(CASE WHEN credit = 'available' THEN amount WHEN debit = 'available' THEN -amount ELSE 0 END) AS available,
      SUM(CASE WHEN credit = 'reserved' THEN amount WHEN debit = 'reserved' THEN -amount ELSE 0 END) AS reserved,
      SUM(CASE WHEN debit = 'owed' THEN amount WHEN credit = 'owed' THEN -amount ELSE 0 END) AS owed,
      SUM(CASE WHEN kind = 'grant' AND reason = 'pack' AND payment_id IS NULL THEN 1 ELSE 0 END) AS packs
    FROM transfers GROUP BY user_id) AS t ON t.user_id = u.id
  LEFT JOIN (SELECT user_id, SUM(CASE WHEN counts THEN 1 ELSE 0 END) AS packs FROM payments GROUP BY user_id) AS p
    ON p.user_id = u.id
  LEFT JOIN (SELECT user_id, COUNT(*) AS completed FROM generations WHERE status = 'completed' GROUP BY user_id) AS g
    ON g.user_id = u.id) AS checked
WHERE fault IS NOT NULL ORDER BY id";

/// Runs whose rows and transfers do not tell the same story.
const RUNS: &str = "
SELECT id, fault FROM (
  SELECT r.run_id AS id, CASE
      WHEN r.firsts <> 1 THEN 'run: it has not exactly one first row'
      WHEN r.users <> 1 THEN 'run: its rows belong to several accounts'
      WHEN r.lowest <> r.highest THEN 'run: its rows stand differently'
      WHEN r.charged > 0 AND o.key IS NULL THEN 'run: it was charged without a reservation'
      WHEN r.charged = 0 AND o.key IS NOT NULL THEN 'run: it was not charged, but has a reservation'
      WHEN o.key IS NOT NULL AND (o.kind <> 'reserve' OR o.amount <> r.charged OR o.user_id <> f.user_id)
        THEN 'run: its reservation is not its charge'
      WHEN r.highest IN ('queued', 'running') AND e.key IS NOT NULL THEN 'run: it goes on, but its reservation ended'
      WHEN r.highest IN ('completed', 'failed') AND r.charged > 0 AND e.key IS NULL
        THEN 'run: it ended, but its reservation is open'
      WHEN r.highest = 'completed' AND e.kind NOT IN ('post', 'void') THEN 'run: it completed, but its reservation did not end'
      WHEN r.highest = 'failed' AND e.kind <> 'void' THEN 'run: it failed, but its reservation was not voided'
      WHEN r.refunded <> (CASE WHEN e.kind = 'void' THEN r.charged ELSE 0 END)
        THEN 'run: what was refunded is not what was voided'
    END AS fault
  FROM (SELECT run_id, MIN(status) AS lowest, MAX(status) AS highest, SUM(credits_charged) AS charged,
      SUM(credits_refunded) AS refunded, SUM(CASE WHEN ordinal = 0 THEN 1 ELSE 0 END) AS firsts,
      COUNT(DISTINCT user_id) AS users
    FROM generations GROUP BY run_id) AS r
  LEFT JOIN generations AS f ON f.run_id = r.run_id AND f.ordinal = 0
  LEFT JOIN transfers AS o ON o.key = r.run_id AND o.phase = 0
  LEFT JOIN transfers AS e ON e.key = r.run_id AND e.phase = 1) AS checked
WHERE fault IS NOT NULL ORDER BY id";

/// Transfers that nothing explains.
const TRANSFERS: &str = "
SELECT id, fault FROM (
  SELECT t.key AS id, CASE
      WHEN t.phase = 0 AND t.kind = 'reserve' AND g.run_id IS NULL THEN 'transfer: credits are reserved for no run'
      WHEN t.phase = 2 AND (o.key IS NULL OR o.kind NOT IN ('grant', 'reserve') OR o.amount < t.amount OR o.user_id <> t.user_id)
        THEN 'transfer: it repays out of what never came'
      WHEN t.payment_id IS NOT NULL AND (p.id IS NULL OR p.user_id <> t.user_id)
        THEN 'transfer: it is made for the purchase of somebody else'
      WHEN t.phase = 1 AND o.key IS NULL THEN 'transfer: it ends what was never opened'
      WHEN t.phase = 1 AND (o.kind <> 'reserve' OR o.amount <> t.amount OR o.user_id <> t.user_id)
        THEN 'transfer: it ends something else than what was reserved'
      WHEN u.id IS NULL THEN 'transfer: it belongs to no account'
    END AS fault
  FROM transfers AS t
  LEFT JOIN transfers AS o ON t.phase > 0 AND o.key = t.key AND o.phase = 0
  LEFT JOIN generations AS g ON t.kind = 'reserve' AND g.run_id = t.key AND g.ordinal = 0
  LEFT JOIN payments AS p ON p.id = t.payment_id
  LEFT JOIN users AS u ON u.id = t.user_id) AS checked
WHERE fault IS NOT NULL ORDER BY id";

/// Purchases that gave something else than what was moved for them, or that nobody told of.
const PAYMENTS: &str = "
SELECT id, fault FROM (
  SELECT p.id AS id, CASE
      WHEN p.given <> COALESCE(t.given, 0) THEN 'purchase: what it gave is not the sum of its transfers'
      WHEN (p.given > 0 OR p.counts OR p.standing IS NOT NULL) AND e.payment_id IS NULL
        THEN 'purchase: it gave something, but nobody told that it was paid'
      WHEN p.given > 0 AND p.paid_at IS NULL THEN 'purchase: it gave credits without being paid'
    END AS fault
  FROM payments AS p
  LEFT JOIN (SELECT payment_id, SUM(CASE WHEN debit = 'issued' THEN amount WHEN credit = 'issued' THEN -amount ELSE 0 END) AS given
    FROM transfers WHERE payment_id IS NOT NULL GROUP BY payment_id) AS t ON t.payment_id = p.id
  LEFT JOIN (SELECT DISTINCT payment_id FROM payment_events) AS e ON e.payment_id = p.id) AS checked
WHERE fault IS NOT NULL ORDER BY id";

pub(crate) async fn books(conn: &mut Conn) -> Result<Books, StoreError> {
    read_tx!(conn, async |conn| {
        let totals: Totals = diesel::sql_query(TOTALS).get_result(conn).await?;
        let mut faults = Vec::new();
        if totals.issued + totals.owed != totals.available + totals.reserved + totals.earned {
            faults.push("the ledger: the sum over all accounts is not zero".to_owned());
        }
        let held = (
            totals.held_available,
            totals.held_reserved,
            totals.held_owed,
        );
        if held != (totals.available, totals.reserved, totals.owed) {
            faults.push(
                "the ledger: what the accounts hold is not what was moved to them".to_owned(),
            );
        }
        for rule in [ACCOUNTS, RUNS, TRANSFERS, PAYMENTS] {
            let found: Vec<Fault> = diesel::sql_query(rule).load(conn).await?;
            let beyond = found.len().saturating_sub(FAULTS_MAX);
            for fault in found.into_iter().take(FAULTS_MAX) {
                faults.push(match fault.fault.split_once(": ") {
                    Some((noun, words)) => format!("{noun} {}: {words}", fault.id.0),
                    None => format!("{}: {}", fault.id.0, fault.fault),
                });
            }
            if beyond > 0 {
                faults.push(format!("and {beyond} more of the same kind"));
            }
        }
        let count = |number: i64| u64::try_from(number).unwrap_or(0);
        Ok::<_, StoreError>(Books {
            users: count(totals.users),
            transfers: count(totals.transfers),
            granted: totals.issued,
            available: totals.available,
            reserved: totals.reserved,
            posted: totals.earned,
            owed: totals.owed,
            faults,
        })
    })
}
