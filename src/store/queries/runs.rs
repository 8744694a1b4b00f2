//! Runs: who works on them, which were left behind, and how one stands.

use super::super::{CLOCK, Conn};
use super::{drafts, products};
use crate::domain::clock::Timestamp;
use crate::domain::credits::Credits;
use crate::domain::generation::{Made, Status};
use crate::domain::id::{RunId, SkillId, UserId};
use crate::domain::lease::{Judge, Lease};
use crate::domain::source::SourceType;
use crate::store::model::{Claimable, Leased, Run, StoreError, Unfinished};
use crate::store::rows::runs::RunRow;
use crate::store::rows::{credits, from_json, reason, status, storable};
use crate::store::schema::{generations, skills};
use crate::store::types::{At, Id, SqlId, SqlTime};
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Integer, Nullable, Text};
use diesel_async::RunQueryDsl;
use skillkiln_document::failure::Failure;
use skillkiln_skills::skill::Reference;
use std::collections::HashMap;
use uuid::Uuid;

pub(crate) async fn claim_unfinished(
    conn: &mut Conn,
    node: Uuid,
    wanted: Claimable,
    judge: Judge,
    lease_until: Timestamp,
    limit: u32,
) -> Result<Vec<Unfinished>, StoreError> {
    let take_all = wanted == Claimable::Everything;
    let (but_of, ordered_by) = match wanted {
        Claimable::Everything => (Vec::new(), None),
        Claimable::ExceptAccounts(accounts) => (accounts, None),
        Claimable::OrderedBefore(then) => (Vec::new(), Some(then)),
    };
    let but_of: Vec<Id> = but_of.into_iter().map(|id| Id(id.0)).collect();
    write_tx!(conn, async |conn| {
        let until = generations::lease_until.assume_not_null();
        let is_given_up = until.eq(generations::created_at);
        let is_over = until
            .le(At(judge.now))
            .or(until.ge(At(judge.beyond(judge.now))));
        let is_over = judge.is_sound.into_sql::<Bool>().and(is_over);
        let of_another = generations::node.ne(Id(node)).assume_not_null();
        let of_another = take_all.into_sql::<Bool>().and(of_another);
        let in_time = generations::created_at.le(At(ordered_by.unwrap_or(judge.now)));
        let in_time = ordered_by.is_none().into_sql::<Bool>().or(in_time);
        let free = locking_free!(
            generations::table
                .filter(generations::ordinal.eq(0))
                .filter(generations::completed_at.is_null())
                .filter(is_given_up.or(is_over).or(of_another))
                .filter(generations::user_id.ne_all(&but_of))
                .filter(in_time)
                .order((generations::created_at, generations::id))
                .limit(i64::from(limit))
                .select((
                    generations::id,
                    generations::created_at,
                    generations::node,
                    until,
                    sql::<Nullable<SqlTime>>(CLOCK),
                ))
        );
        let found = free
            .load::<(Id, At, Option<Id>, At, Option<At>)>(conn)
            .await?;
        let is_left =
            |(id, ordered_at, holder, until, clock): (_, At, Option<Id>, At, Option<At>)| {
                let lease = Lease {
                    until: until.0,
                    ordered_at: ordered_at.0,
                };
                let there = clock.map_or(judge.now, |at| at.0);
                let is_taken = take_all && holder.is_some_and(|holder| holder != Id(node));
                (is_taken || judge.finds_left(lease, there)).then_some(id)
            };
        let ids: Vec<Id> = found.into_iter().filter_map(is_left).collect();
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        diesel::update(generations::table.filter(generations::id.eq_any(&ids)))
            .set((
                generations::node.eq(Some(Id(node))),
                generations::lease_until.eq(Some(At(lease_until))),
            ))
            .execute(conn)
            .await?;
        // What only waited for its turn was not begun yet.
        diesel::update(generations::table.filter(generations::id.eq_any(&ids)))
            .filter(generations::status.eq(Status::Running.as_str()))
            .set(generations::attempts.eq(generations::attempts + 1))
            .execute(conn)
            .await?;
        let rows = generations::table
            .filter(generations::id.eq_any(&ids))
            .order((generations::created_at, generations::id))
            .select(RunRow::as_select())
            .load(conn)
            .await?;
        let mut plans = plans(conn, rows.iter().map(|row| row.run_id).collect()).await?;
        rows.into_iter()
            .map(|row| {
                let plan = plans.remove(&row.run_id).unwrap_or_default();
                Ok(Unfinished {
                    run_id: RunId(row.run_id.0),
                    user_id: UserId(row.user_id.0),
                    order: from_json("an order", row.ordered.as_deref().unwrap_or_default())?,
                    replaces: row.replaces.map(|id| SkillId(id.0)),
                    attempts: u32::try_from(row.attempts).unwrap_or(u32::MAX),
                    falls: u32::try_from(row.worker_falls).unwrap_or(u32::MAX),
                    created_at: row.created_at.0,
                    charged: plan.charged,
                    skills: plan.skills,
                })
            })
            .collect::<Result<Vec<_>, StoreError>>()
    })
}

/// What a run makes or made, in order, what was charged for it and what was given back.
#[derive(Default)]
struct Plan {
    skills: Vec<SkillId>,
    charged: Credits,
    refunded: Credits,
}

async fn plans(conn: &mut Conn, runs: Vec<Id>) -> Result<HashMap<Id, Plan>, StoreError> {
    let rows = generations::table
        .filter(generations::run_id.eq_any(runs))
        .order((generations::run_id, generations::ordinal))
        .select((
            generations::run_id,
            generations::skill_id,
            generations::credits_charged,
            generations::credits_refunded,
        ))
        .load::<(Id, Id, i64, i64)>(conn)
        .await?;
    let mut plans: HashMap<Id, Plan> = HashMap::new();
    for (run, skill, charged, refunded) in rows {
        let plan = plans.entry(run).or_default();
        plan.skills.push(SkillId(skill.0));
        plan.charged.0 += u32::try_from(charged).unwrap_or(0);
        plan.refunded.0 += u32::try_from(refunded).unwrap_or(0);
    }
    Ok(plans)
}

pub(crate) async fn note_fall(conn: &mut Conn, id: RunId) -> Result<u32, StoreError> {
    write_tx!(conn, async |conn| {
        let own = generations::run_id.eq(Id(id.0));
        diesel::update(generations::table.filter(own))
            .set(generations::worker_falls.eq(generations::worker_falls + 1))
            .execute(conn)
            .await?;
        let falls = generations::table
            .filter(own)
            .select(generations::worker_falls)
            .first::<i32>(conn)
            .await
            .optional()?;
        Ok(falls.map_or(0, |falls| u32::try_from(falls).unwrap_or(u32::MAX)))
    })
}

pub(crate) async fn mark_running(conn: &mut Conn, id: RunId) -> Result<(), StoreError> {
    write_tx!(conn, async |conn| {
        // In the order in which settling locks them, so that the two never wait for each other.
        let queued = locking!(
            generations::table
                .filter(generations::run_id.eq(Id(id.0)))
                .filter(generations::status.eq(Status::Queued.as_str()))
                .order(generations::ordinal)
                .select(generations::id)
        );
        let ids = queued.load::<Id>(conn).await?;
        diesel::update(generations::table.filter(generations::id.eq_any(ids)))
            .set(generations::status.eq(Status::Running.as_str()))
            .execute(conn)
            .await?;
        Ok::<_, StoreError>(())
    })
}

pub(crate) async fn renew_leases(
    conn: &mut Conn,
    node: Uuid,
    held: Vec<RunId>,
    until: Timestamp,
) -> Result<u64, StoreError> {
    write_tx!(conn, async |conn| {
        let mut renewed = 0;
        for some in held.chunks(1_000) {
            // A row that is locked is being ended or claimed: it needs no renewal, and waiting for it could deadlock.
            let held = locking_free!(
                generations::table
                    .filter(generations::run_id.eq_any(some.iter().map(|id| Id(id.0))))
                    .filter(generations::ordinal.eq(0))
                    .filter(generations::completed_at.is_null())
                    .filter(generations::node.eq(Id(node)))
                    .select(generations::id)
            );
            let ids = held.load::<Id>(conn).await?;
            renewed += diesel::update(generations::table.filter(generations::id.eq_any(ids)))
                .set(generations::lease_until.eq(Some(At(until))))
                .execute(conn)
                .await?;
        }
        Ok::<_, StoreError>(u64::try_from(renewed).unwrap_or(u64::MAX))
    })
}

#[derive(QueryableByName)]
struct LeasedRow {
    #[diesel(sql_type = SqlId)]
    run_id: Id,
    #[diesel(sql_type = Text)]
    source_type: String,
    #[diesel(sql_type = SqlTime)]
    created_at: At,
    #[diesel(sql_type = Nullable<SqlId>)]
    node: Option<Id>,
    #[diesel(sql_type = Nullable<SqlTime>)]
    lease_until: Option<At>,
    #[diesel(sql_type = Integer)]
    attempts: i32,
    #[diesel(sql_type = BigInt)]
    credits_charged: i64,
}

/// Written out, so that SQLite sees that the index of those which have not ended holds all that is asked for.
const UNFINISHED: &str = "
SELECT run_id, source_type, created_at, node, lease_until, attempts, credits_charged FROM generations
WHERE ordinal = 0 AND completed_at IS NULL ORDER BY created_at, id LIMIT ";

pub(crate) async fn unfinished(conn: &mut Conn, limit: u32) -> Result<Vec<Leased>, StoreError> {
    let rows: Vec<LeasedRow> = diesel::sql_query(format!("{UNFINISHED}{limit}"))
        .load(conn)
        .await?;
    let leased = rows.into_iter().map(|row| Leased {
        run_id: RunId(row.run_id.0),
        source: SourceType::parse(&row.source_type).unwrap_or(SourceType::Text),
        ordered_at: row.created_at.0,
        node: row.node.map(|id| id.0),
        lease_until: row.lease_until.map(|at| at.0),
        attempts: u32::try_from(row.attempts).unwrap_or(0),
        charged: credits(row.credits_charged),
    });
    Ok(leased.collect())
}

pub(crate) async fn release_lease(conn: &mut Conn, id: RunId) -> Result<(), StoreError> {
    // A lease that ran out when the run was ordered has run out for everybody.
    diesel::update(generations::table.filter(generations::run_id.eq(Id(id.0))))
        .filter(generations::ordinal.eq(0))
        .filter(generations::completed_at.is_null())
        .set(generations::lease_until.eq(generations::created_at.nullable()))
        .execute(conn)
        .await?;
    Ok(())
}

pub(crate) async fn hand_over(conn: &mut Conn, node: Uuid, id: RunId) -> Result<bool, StoreError> {
    write_tx!(conn, async |conn| {
        // In the order in which settling locks them, so that the two never wait for each other.
        let open = locking!(
            generations::table
                .filter(generations::run_id.eq(Id(id.0)))
                .filter(generations::completed_at.is_null())
                .order(generations::ordinal)
                .select((generations::id, generations::ordinal, generations::node))
        );
        let rows = open.load::<(Id, i32, Option<Id>)>(conn).await?;
        let [(first, 0, Some(Id(holder))), ..] = rows.as_slice() else {
            return Ok(false);
        };
        if *holder != node {
            return Ok(false);
        }
        let ids = rows.iter().map(|(id, ..)| *id);
        diesel::update(generations::table.filter(generations::id.eq_any(ids)))
            .set(generations::status.eq(Status::Queued.as_str()))
            .execute(conn)
            .await?;
        diesel::update(generations::table.filter(generations::id.eq(*first)))
            .set((
                // Whoever renews its node's leases at the same time renews none of this.
                generations::node.eq(None::<Id>),
                generations::lease_until.eq(generations::created_at.nullable()),
            ))
            .execute(conn)
            .await?;
        Ok::<_, StoreError>(true)
    })
}

pub(crate) async fn run(conn: &mut Conn, id: RunId) -> Result<Option<Run>, StoreError> {
    read_tx!(conn, async |conn| {
        let row = generations::table
            .filter(generations::run_id.eq(Id(id.0)))
            .filter(generations::ordinal.eq(0))
            .select(RunRow::as_select())
            .get_result(conn)
            .await
            .optional()?;
        let Some(mut run) = whole(conn, row).await? else {
            return Ok(None);
        };
        let made = run.skills.iter().flatten().map(|made| Id(made.skill_id.0));
        let living = skills::table
            .filter(skills::id.eq_any(made.collect::<Vec<_>>()))
            .select(skills::id)
            .load::<Id>(conn)
            .await?;
        let lives = |made: &Made| living.contains(&Id(made.skill_id.0));
        run.skills = run
            .skills
            .into_iter()
            .map(|made| made.filter(lives))
            .collect();
        Ok::<_, StoreError>(Some(run))
    })
}

/// The run that one of an account's generations belongs to; a run, and so a catalogue, is found by its own id too.
pub(crate) async fn run_of(
    conn: &mut Conn,
    user_id: UserId,
    id: Uuid,
) -> Result<Option<RunId>, StoreError> {
    let run = generations::table
        .filter(generations::user_id.eq(Id(user_id.0)))
        .filter(
            generations::id
                .eq(Id(id))
                .or(generations::run_id.eq(Id(id))),
        )
        .select(generations::run_id)
        .first::<Id>(conn)
        .await
        .optional()?;
    Ok(run.map(|id| RunId(id.0)))
}

pub(crate) async fn requested_run(
    conn: &mut Conn,
    user_id: UserId,
    route: String,
    key: String,
    not_before: Timestamp,
) -> Result<Option<Run>, StoreError> {
    read_tx!(conn, async |conn| {
        let row = generations::table
            .filter(generations::user_id.eq(Id(user_id.0)))
            .filter(generations::route.eq(storable(&route).into_owned()))
            .filter(generations::idempotency_key.eq(storable(&key).into_owned()))
            .filter(generations::created_at.ge(At(not_before)))
            .select(RunRow::as_select())
            .get_result(conn)
            .await
            .optional()?;
        whole(conn, row).await
    })
}

async fn whole(conn: &mut Conn, row: Option<RunRow>) -> Result<Option<Run>, StoreError> {
    let Some(row) = row else { return Ok(None) };
    let status = status(&row.status)?;
    let failure = match &row.failure_reason {
        Some(word) => Some(Failure {
            reason: reason(word)?,
            message: row.failure_message.unwrap_or_default(),
        }),
        None => None,
    };
    let index = row
        .index_filename
        .zip(row.index_content)
        .map(|(filename, content)| Reference { filename, content });
    let plan = plans(conn, vec![row.run_id]).await?.remove(&row.run_id);
    let plan = plan.unwrap_or_default();
    Ok(Some(Run {
        id: RunId(row.run_id.0),
        user_id: UserId(row.user_id.0),
        status,
        digest: row.digest,
        charged: plan.charged,
        refunded: plan.refunded,
        balance_after: credits(row.balance_after.unwrap_or(0)),
        catalogue_id: row.catalogue_id.map(|id| id.0),
        order: from_json("an order", row.ordered.as_deref().unwrap_or_default())?,
        index,
        failure,
        ordered_at: row.created_at.0,
        ended_at: row.completed_at.map(|at| at.0),
        skills: match status {
            Status::Completed => products::products_of(conn, RunId(row.run_id.0)).await?,
            _ => Vec::new(),
        },
        is_draft: drafts::is_of(conn, row.run_id).await?,
    }))
}

pub(crate) async fn unfinished_count(conn: &mut Conn) -> Result<u64, StoreError> {
    let count: i64 = generations::table
        .filter(generations::ordinal.eq(0))
        .filter(generations::completed_at.is_null())
        .count()
        .get_result(conn)
        .await?;
    Ok(u64::try_from(count).unwrap_or(0))
}

pub(crate) async fn waiting_count(conn: &mut Conn) -> Result<u64, StoreError> {
    let count: i64 = generations::table
        .filter(generations::ordinal.eq(0))
        .filter(generations::completed_at.is_null())
        .filter(generations::status.eq(Status::Queued.as_str()))
        .count()
        .get_result(conn)
        .await?;
    Ok(u64::try_from(count).unwrap_or(0))
}

pub(crate) async fn oldest_reservation(conn: &mut Conn) -> Result<Option<Timestamp>, StoreError> {
    let oldest = generations::table
        .filter(generations::ordinal.eq(0))
        .filter(generations::completed_at.is_null())
        .filter(generations::credits_charged.gt(0))
        .order(generations::created_at)
        .select(generations::created_at)
        .first::<At>(conn)
        .await
        .optional()?;
    Ok(oldest.map(|at| at.0))
}
