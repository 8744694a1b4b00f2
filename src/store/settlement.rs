//! Owns what a batch of charges, completions, failures and grants does to the accounts, decided in the order of arrival.
//!
//! Plain arithmetic over facts that were read under lock; the queries write down what it decides. One decision for both
//! databases, so that they cannot differ.

use crate::domain::clock::Timestamp;
use crate::domain::credits::{Credits, GrantReason, Transfer};
use crate::domain::generation::Status;
use crate::domain::id::{GrantId, RunId, SkillId, UserId};
use crate::domain::source::{Source, SourceStatus};
use crate::domain::user::Plan;
use crate::domain::watch::WATCH_ROUTE;
use crate::store::facts::{Facts, KnownRequest, KnownRow, KnownRun, KnownSkill, Writes};
use crate::store::hearing::{has_room, hear, repay};
use crate::store::model::{Completion, Entry, NewRun, Refused, Settled, StoreError};
use crate::store::rows::library::{DraftRow, ProductRow, RunFileRow, SkillRow};
use crate::store::rows::runs::{ChargedRow, Ending};
use crate::store::rows::transfers::TransferRow;
use crate::store::rows::{credits, storable, to_json};
use crate::store::types::{At, Id};
use skillkiln_document::failure::Failure;
use std::collections::HashMap;
use std::time::Duration;

/// How long an idempotency key is kept (decision 48).
pub(crate) const IDEMPOTENCY_KEPT: Duration = Duration::from_hours(24);

/// Decides a batch: one answer an entry, in order.
pub(crate) fn decide(
    facts: &mut Facts,
    batch: &[Entry],
) -> (Vec<Result<Settled, Refused>>, Writes) {
    let mut writes = Writes::default();
    let answers = batch
        .iter()
        .map(|entry| match entry {
            Entry::Charge(run) => charge(facts, &mut writes, run),
            Entry::Complete(completion) => complete(facts, &mut writes, completion),
            Entry::Fail {
                run_id,
                failure,
                at,
            } => fail(facts, &mut writes, *run_id, failure, *at),
            Entry::Grant {
                id,
                user_id,
                amount,
                reason,
                at,
            } => grant(facts, &mut writes, *id, *user_id, *amount, *reason, *at),
            Entry::Hear {
                user_id,
                payment_id,
                news,
            } => hear(facts, &mut writes, *user_id, *payment_id, news),
        })
        .collect();
    writes.touched.sort_unstable();
    writes.touched.dedup();
    writes.paid.sort_unstable();
    writes.paid.dedup();
    (answers, writes)
}

fn refuse(cause: &str) -> Refused {
    Refused::Store(StoreError::Conflict(cause.to_owned()))
}

/// Takes the price from what can be spent, and writes the run down.
fn charge(facts: &mut Facts, writes: &mut Writes, run: &NewRun) -> Result<Settled, Refused> {
    let account = facts
        .accounts
        .get_mut(&run.user_id)
        .ok_or(Refused::Unknown)?;
    if facts.runs.contains_key(&run.id) {
        return Err(Refused::Duplicate);
    }
    let request = run.idempotency.as_ref().map(|wish| {
        (
            Id(run.user_id.0),
            storable(&wish.route).into_owned(),
            storable(&wish.key).into_owned(),
        )
    });
    let mut outdated = None;
    if let Some(known) = request
        .as_ref()
        .and_then(|request| facts.requests.get(request))
    {
        match known.row {
            Some(row) if known.at < run.at.minus(IDEMPOTENCY_KEPT) => outdated = Some(row),
            _ => return Err(Refused::Duplicate),
        }
    }
    if let Some(skill_id) = run.replaces {
        let owned = facts
            .skills
            .get(&skill_id)
            .is_some_and(|skill| skill.user_id == run.user_id);
        // A watch that names another run by now, or none, was answered, or looks again: whatever this one makes nobody waits for.
        let unwanted = is_of_watch(run)
            && facts
                .watches
                .get(&skill_id)
                .is_none_or(|watch| watch.run_id != Some(run.id));
        if !owned || unwanted {
            return Err(Refused::Unknown);
        }
        if facts.regenerating.contains(&skill_id) {
            return Err(Refused::Busy);
        }
        if run.generations.len() != 1 {
            return Err(refuse("a regeneration makes exactly one skill"));
        }
    }
    let rows = i64::try_from(run.generations.len()).unwrap_or(i64::MAX);
    if rows == 0 {
        return Err(refuse("a run makes at least one skill"));
    }
    let free = account.plan == Plan::Unlimited.as_str();
    let price = if free { 0 } else { i64::from(run.price.0) };
    let cost = price.saturating_mul(rows);
    if account.available < cost {
        return Err(Refused::InsufficientCredits {
            available: credits(account.available),
        });
    }
    let order = to_json("an order", &run.order).map_err(Refused::Store)?;

    account.available -= cost;
    account.reserved += cost;
    let available = account.available;
    if cost > 0 {
        writes.touched.push(run.user_id);
        writes.openings.push(TransferRow::of(
            Transfer::Reserve(run.id),
            run.user_id,
            cost,
            At(run.at),
        ));
    }
    writes.freed.extend(outdated);
    if let Some(request) = request {
        facts.requests.insert(
            request,
            KnownRequest {
                row: None,
                at: run.at,
            },
        );
    }
    facts.regenerating.extend(run.replaces);
    write_down(facts, writes, run, price, order, available);
    Ok(Settled::Charged {
        charged: credits(cost),
        available: credits(available),
    })
}

/// Whether a watch orders a run.
pub(crate) fn is_of_watch(run: &NewRun) -> bool {
    let wish = run.idempotency.as_ref();
    wish.is_some_and(|wish| wish.route == WATCH_ROUTE)
}

/// One row a skill; the first carries the run.
fn write_down(
    facts: &mut Facts,
    writes: &mut Writes,
    run: &NewRun,
    price: i64,
    order: String,
    available: i64,
) {
    let uploaded = run.order.source.uploaded();
    let read = uploaded
        .iter()
        .map(|id| (Id(id.0), SourceStatus::Processing));
    writes.sources.extend(read);
    if let Source::File { files } = &run.order.source {
        let files = (0i32..).zip(files).map(|(ordinal, file)| RunFileRow {
            run_id: Id(run.id.0),
            ordinal,
            digest: storable(&file.digest).into_owned(),
            source_id: file.source_id.map(|id| Id(id.0)),
        });
        writes.files.extend(files);
    }
    let mut order = Some(order);
    let mut rows = Vec::with_capacity(run.generations.len());
    for (ordinal, generation) in (0i32..).zip(&run.generations) {
        let first = ordinal == 0;
        let wish = run.idempotency.as_ref().filter(|_| first);
        rows.push(KnownRow {
            id: Id(generation.id.0),
            skill_id: Id(generation.skill_id.0),
            name: generation.name.clone(),
            charged: price,
        });
        writes.charged.push(ChargedRow {
            id: Id(generation.id.0),
            run_id: Id(run.id.0),
            ordinal,
            user_id: Id(run.user_id.0),
            skill_id: Id(generation.skill_id.0),
            catalogue_id: run.catalogue_id.map(Id),
            status: if run.queued {
                Status::Queued
            } else {
                Status::Running
            }
            .as_str(),
            name: storable(&generation.name).into_owned(),
            source_type: generation.source_type.as_str(),
            source: storable(&generation.source).into_owned(),
            word_count: 0,
            credits_charged: price,
            credits_refunded: 0,
            created_at: At(run.at),
            ordered: order.take(),
            key_id: run.key_id.filter(|_| first).map(|id| Id(id.0)),
            node: first.then_some(Id(run.node)),
            lease_until: first.then_some(At(run.lease_until)),
            attempts: 1,
            replaces: run.replaces.filter(|_| first).map(|id| Id(id.0)),
            route: wish.map(|wish| storable(&wish.route).into_owned()),
            idempotency_key: wish.map(|wish| storable(&wish.key).into_owned()),
            digest: wish.map(|wish| storable(&wish.digest).into_owned()),
            balance_after: first.then_some(available),
        });
    }
    facts.runs.insert(
        run.id,
        KnownRun {
            user_id: run.user_id,
            ended: false,
            replaces: run.replaces,
            of_watch: is_of_watch(run),
            rows,
        },
    );
}

/// The sources that a run reads show how it ended.
fn show(
    sources: &HashMap<RunId, Vec<Id>>,
    writes: &mut Writes,
    run_id: RunId,
    status: SourceStatus,
) {
    let read = sources.get(&run_id).into_iter().flatten();
    writes.sources.extend(read.map(|id| (*id, status)));
}

/// Posts the reservation, or voids it where nothing is owed for the skills; they go into the library.
fn complete(
    facts: &mut Facts,
    writes: &mut Writes,
    completion: &Completion,
) -> Result<Settled, Refused> {
    let run = facts
        .runs
        .get_mut(&completion.run_id)
        .ok_or(Refused::Unknown)?;
    let account = facts
        .accounts
        .get_mut(&run.user_id)
        .ok_or(Refused::Unknown)?;
    if run.ended {
        return Err(Refused::AlreadyEnded);
    }
    if completion.skills.len() != run.rows.len() {
        return Err(refuse("a run completes with one skill a generation"));
    }
    let (user_id, at) = (Id(run.user_id.0), At(completion.at));
    let mut skills = Vec::with_capacity(run.rows.len());
    for (ordinal, (row, skill)) in (0i32..).zip(run.rows.iter().zip(&completion.skills)) {
        let id = run.replaces.map_or(row.skill_id, |skill_id| Id(skill_id.0));
        let origin = (Id(completion.run_id.0), ordinal);
        skills.push(SkillRow::of(id, user_id, skill, at, origin).map_err(Refused::Store)?);
    }
    let mut settled = Settled::Completed;
    if let Some(skill_id) = run.replaces {
        let watch = facts.watches.get(&skill_id);
        let may_take =
            watch.is_some_and(|watch| watch.takes && watch.run_id == Some(completion.run_id));
        // The skill may have been deleted meanwhile.
        let known = facts.skills.get_mut(&skill_id).ok_or(Refused::Unknown)?;
        facts.regenerating.remove(&skill_id);
        let waits = match run.of_watch {
            true => !may_take,
            false => known.is_edited,
        };
        if waits {
            let drafted = run.rows.iter().zip(skills);
            writes
                .drafted
                .extend(drafted.map(|(row, skill)| ProductRow::of(row.id, skill)));
            let (skill_id, run_id) = (Id(skill_id.0), Id(completion.run_id.0));
            if run.of_watch {
                writes.waiting.push((skill_id, run_id));
            } else {
                settled = Settled::Drafted;
                writes.beside.push(DraftRow {
                    run_id,
                    skill_id,
                    made_at: at,
                    waits: true,
                });
            }
        } else {
            known.updated_at = completion.at.after(known.updated_at);
            for skill in &mut skills {
                skill.updated_at = At(known.updated_at);
            }
            writes.remade.append(&mut skills);
        }
    } else {
        for skill in &skills {
            let known = KnownSkill {
                user_id: run.user_id,
                updated_at: completion.at,
                is_edited: false,
            };
            facts.skills.insert(SkillId(skill.id.0), known);
        }
        writes.made.append(&mut skills);
    }

    show(
        &facts.sources,
        writes,
        completion.run_id,
        SourceStatus::Ready,
    );
    let cost: i64 = run.rows.iter().map(|row| row.charged).sum();
    run.ended = true;
    account.reserved -= cost;
    let refunded = if completion.is_given_back { cost } else { 0 };
    account.available += refunded;
    account.total_generations += i64::try_from(run.rows.len()).unwrap_or(0);
    writes.touched.push(run.user_id);
    if cost > 0 {
        let ending = match completion.is_given_back {
            true => Transfer::Void(completion.run_id),
            false => Transfer::Post(completion.run_id),
        };
        writes
            .endings
            .push(TransferRow::of(ending, run.user_id, cost, at));
    }
    if refunded > 0 {
        repay(
            account,
            writes,
            completion.run_id.0,
            refunded,
            run.user_id,
            completion.at,
        );
    }
    for (ordinal, (row, skill)) in run.rows.iter().zip(&completion.skills).enumerate() {
        let index = completion.index.as_ref().filter(|_| ordinal == 0);
        writes.ended.push(Ending {
            id: row.id,
            status: Status::Completed.as_str(),
            name: storable(&skill.name).into_owned(),
            filename: Some(storable(&skill.filename).into_owned()),
            word_count: i64::from(skill.word_count),
            credits_refunded: if completion.is_given_back {
                row.charged
            } else {
                0
            },
            failure_reason: None,
            failure_message: None,
            completed_at: at,
            index_filename: index.map(|file| storable(&file.filename).into_owned()),
            index_content: index.map(|file| storable(&file.content).into_owned()),
        });
    }
    Ok(settled)
}

/// Voids the reservation: the credits can be spent again.
fn fail(
    facts: &mut Facts,
    writes: &mut Writes,
    run_id: RunId,
    failure: &Failure,
    at: Timestamp,
) -> Result<Settled, Refused> {
    let run = facts.runs.get_mut(&run_id).ok_or(Refused::Unknown)?;
    let account = facts
        .accounts
        .get_mut(&run.user_id)
        .ok_or(Refused::Unknown)?;
    if run.ended {
        return Err(Refused::AlreadyEnded);
    }
    show(&facts.sources, writes, run_id, SourceStatus::Failed);
    let cost: i64 = run.rows.iter().map(|row| row.charged).sum();
    run.ended = true;
    account.reserved -= cost;
    account.available += cost;
    if cost > 0 {
        writes.touched.push(run.user_id);
        writes.endings.push(TransferRow::of(
            Transfer::Void(run_id),
            run.user_id,
            cost,
            At(at),
        ));
        repay(account, writes, run_id.0, cost, run.user_id, at);
    }
    if let Some(skill_id) = run.replaces {
        facts.regenerating.remove(&skill_id);
    }
    for row in &run.rows {
        writes.ended.push(Ending {
            id: row.id,
            status: Status::Failed.as_str(),
            name: row.name.clone(),
            filename: None,
            word_count: 0,
            credits_refunded: row.charged,
            failure_reason: Some(failure.reason.as_str()),
            failure_message: Some(storable(&failure.message).into_owned()),
            completed_at: At(at),
            index_filename: None,
            index_content: None,
        });
    }
    Ok(Settled::Failed {
        refunded: credits(cost),
        available: credits(account.available),
    })
}

/// Gives credits, once a key.
fn grant(
    facts: &mut Facts,
    writes: &mut Writes,
    id: GrantId,
    user_id: UserId,
    amount: Credits,
    reason: GrantReason,
    at: Timestamp,
) -> Result<Settled, Refused> {
    let account = facts.accounts.get_mut(&user_id).ok_or(Refused::Unknown)?;
    if let Some((owner, _)) = facts.grants.get(&id) {
        return if *owner == user_id {
            Ok(Settled::Granted {
                available: credits(account.available),
            })
        } else {
            Err(Refused::Duplicate)
        };
    }
    let amount = i64::from(amount.0);
    if amount == 0 {
        return Err(refuse("a grant gives at least one credit"));
    }
    has_room(account, amount)?;
    account.available += amount;
    if reason == GrantReason::Pack {
        account.packs_purchased += 1;
    }
    writes.touched.push(user_id);
    writes.openings.push(TransferRow::of(
        Transfer::Grant(id, reason),
        user_id,
        amount,
        At(at),
    ));
    repay(account, writes, id.0, amount, user_id, at);
    facts.grants.insert(id, (user_id, amount));
    Ok(Settled::Granted {
        available: credits(account.available),
    })
}
