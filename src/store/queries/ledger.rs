//! Settling: what a batch names is read under lock, decided in `settlement.rs` and written down, all in one transaction.

use super::super::{
    Conn, lock_accounts, requests_known, runs_ending, runs_known, under_lock, write_accounts,
    write_charged, write_endings, write_skills, write_transfers,
};
use super::{drafts, sources, watches};
use crate::domain::id::{GrantId, PaymentId, RunId, SkillId, UserId};
use crate::domain::source::SourceType;
use crate::domain::watch::WATCH_ROUTE;
use crate::store::facts::{
    Facts, KnownPayment, KnownRequest, KnownRow, KnownRun, KnownSkill, Request, Writes,
};
use crate::store::model::{Entry, Refused, Settled, StoreError, Taking};
use crate::store::rows::accounts::Account;
use crate::store::rows::payments::{EventRow, PaymentRow};
use crate::store::rows::runs::LedgerRow;
use crate::store::rows::storable;
use crate::store::schema::{
    generations, payment_events, payments, products as made, run_files, skills, transfers, users,
};
use crate::store::settlement::{decide, is_of_watch};
use crate::store::types::{At, Id};
use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use std::collections::HashMap;

/// Entries a transaction.
const BATCH_MAX: usize = 512;

type Answers = Vec<Result<Settled, Refused>>;

pub(crate) async fn standing(
    conn: &mut Conn,
    id: UserId,
) -> Result<Option<crate::domain::user::Standing>, StoreError> {
    let account = users::table
        .find(Id(id.0))
        .select(Account::as_select())
        .get_result(conn)
        .await
        .optional()?;
    account.as_ref().map(Account::read).transpose()
}

/// Settles a batch. When it cannot be written as one, its entries are settled one by one, so that one that cannot be written
/// does not fail its neighbours.
pub(crate) async fn settle_batch(conn: &mut Conn, take: Taking) -> Result<Answers, StoreError> {
    let batch = take();
    let mut answers = Vec::with_capacity(batch.len());
    for some in batch.chunks(BATCH_MAX) {
        match together(conn, some).await {
            Ok(settled) => answers.extend(settled),
            Err(error @ StoreError::Unavailable(_)) => {
                answers.extend(some.iter().map(|_| Err(Refused::Store(error.clone()))));
            }
            Err(error) if some.len() == 1 => answers.push(Err(Refused::Store(error))),
            Err(_) => {
                for entry in some.chunks(1) {
                    match together(conn, entry).await {
                        Ok(settled) => answers.extend(settled),
                        Err(error) => answers.push(Err(Refused::Store(error))),
                    }
                }
            }
        }
    }
    Ok(answers)
}

async fn together(conn: &mut Conn, batch: &[Entry]) -> Result<Answers, StoreError> {
    write_tx!(conn, async |conn| {
        let mut facts = facts(conn, batch).await?;
        let (mut answers, writes) = decide(&mut facts, batch);
        tell_duplicates(conn, batch, &mut answers).await?;
        write(conn, facts, writes).await?;
        Ok::<_, StoreError>(answers)
    })
}

/// Charges that were refused without a look whether their runs are there already: of those that are, that is the answer.
async fn tell_duplicates(
    conn: &mut Conn,
    batch: &[Entry],
    answers: &mut Answers,
) -> Result<(), StoreError> {
    let refused: Vec<_> = batch
        .iter()
        .zip(answers)
        .filter_map(|(entry, answer)| match (entry, &*answer) {
            (Entry::Charge(run), Err(_)) => Some((Id(run.id.0), answer)),
            _ => None,
        })
        .collect();
    if refused.is_empty() {
        return Ok(());
    }
    let known = runs_known(conn, refused.iter().map(|(id, _)| *id).collect()).await?;
    for (id, answer) in refused {
        if known.contains(&id) {
            *answer = Err(Refused::Duplicate);
        }
    }
    Ok(())
}

/// What the entries of a batch name.
#[derive(Default)]
struct Named {
    users: Vec<Id>,
    charged: Vec<Id>,
    ended: Vec<Id>,
    requests: Vec<Request>,
    replaced: Vec<Id>,
    watched: Vec<Id>,
    grants: Vec<Id>,
    payments: Vec<Id>,
    buyers: Vec<Id>,
    events: Vec<String>,
}

impl Named {
    fn of(batch: &[Entry]) -> Self {
        let mut named = Self::default();
        for entry in batch {
            match entry {
                Entry::Charge(run) => {
                    named.users.push(Id(run.user_id.0));
                    named.charged.push(Id(run.id.0));
                    named.replaced.extend(run.replaces.map(|id| Id(id.0)));
                    if is_of_watch(run) {
                        named.watched.extend(run.replaces.map(|id| Id(id.0)));
                    }
                    if let Some(wish) = &run.idempotency {
                        let (route, key) = (storable(&wish.route), storable(&wish.key));
                        let request = (Id(run.user_id.0), route.into_owned(), key.into_owned());
                        named.requests.push(request);
                    }
                }
                Entry::Complete(completion) => named.ended.push(Id(completion.run_id.0)),
                Entry::Fail { run_id, .. } => named.ended.push(Id(run_id.0)),
                Entry::Grant { id, user_id, .. } => {
                    named.users.push(Id(user_id.0));
                    named.grants.push(Id(id.0));
                }
                Entry::Hear {
                    user_id,
                    payment_id,
                    news,
                } => {
                    named.users.push(Id(user_id.0));
                    named.buyers.push(Id(user_id.0));
                    named.payments.push(Id(payment_id.0));
                    named.events.push(storable(&news.event).into_owned());
                }
            }
        }
        named
    }
}

fn sort(ids: &mut Vec<Id>) {
    ids.sort_unstable();
    ids.dedup();
}

/// Reads what a batch names, the accounts first and under lock: whatever else is read cannot change any more, because
/// everybody who changes it holds the same lock.
async fn facts(conn: &mut Conn, batch: &[Entry]) -> Result<Facts, StoreError> {
    let mut named = Named::of(batch);
    let mut facts = Facts::default();
    sort(&mut named.ended);
    // Whose a run is never changes, so it may be read before the lock.
    let ending = runs_ending(conn, &named.ended).await?;
    named.users.extend(ending.iter().map(|row| row.user_id));
    sort(&mut named.users);
    for account in lock_accounts(conn, named.users.clone()).await? {
        facts.accounts.insert(UserId(account.id.0), account);
    }
    // Runs that come together are taken to be new: the table's key refuses one that is not, and then each comes alone.
    if batch.len() == 1 {
        for id in runs_known(conn, std::mem::take(&mut named.charged)).await? {
            // Its charge is a duplicate, and that is all that is asked of it.
            let run = KnownRun {
                user_id: UserId(id.0),
                ended: true,
                replaces: None,
                of_watch: false,
                rows: Vec::new(),
            };
            facts.runs.insert(RunId(id.0), run);
        }
    }
    let ending = under_lock(conn, &named.ended, ending).await?;
    ended_runs(conn, &mut facts, &mut named, ending).await?;
    let requests = std::mem::take(&mut named.requests);
    for (request, row, at) in requests_known(conn, requests).await? {
        let known = KnownRequest {
            row: Some(row),
            at: at.0,
        };
        facts.requests.insert(request, known);
    }
    let replacing = std::mem::take(&mut named.replaced);
    replaced(conn, &mut facts, replacing).await?;
    let watched = std::mem::take(&mut named.watched);
    watches::known(conn, &mut facts, watched).await?;
    grants(conn, &mut facts, &named.grants).await?;
    purchases(conn, &mut facts, &named).await?;
    Ok(facts)
}

/// The purchases that are named, with what was told of them, and those that decide their buyers' plans.
async fn purchases(conn: &mut Conn, facts: &mut Facts, named: &Named) -> Result<(), StoreError> {
    if named.payments.is_empty() {
        return Ok(());
    }
    let rows = payments::table
        .filter(payments::user_id.eq_any(&named.buyers))
        .filter(
            payments::counts
                .eq(true)
                .or(payments::standing.is_not_null())
                .or(payments::id.eq_any(&named.payments)),
        )
        .select(PaymentRow::as_select())
        .load(conn)
        .await?;
    for row in rows {
        let known = KnownPayment {
            row,
            facts: Vec::new(),
        };
        facts.payments.insert(PaymentId(known.row.id.0), known);
    }
    let told = payment_events::table
        .filter(payment_events::payment_id.eq_any(named.payments.iter().map(Some)))
        .select(EventRow::as_select())
        .load(conn)
        .await?;
    for event in told {
        let payment = event.payment_id.map(|id| PaymentId(id.0));
        if let Some(known) = payment.and_then(|id| facts.payments.get_mut(&id)) {
            known.facts.push(event.fact()?);
        }
    }
    let known = payment_events::table
        .filter(payment_events::id.eq_any(&named.events))
        .select((payment_events::id, payment_events::payment_id))
        .load::<(String, Option<Id>)>(conn)
        .await?;
    for (event, payment) in known {
        facts.told.insert(event, payment.is_some());
    }
    Ok(())
}

/// Writes down what was heard of purchases, and where they stand.
async fn write_heard(
    conn: &mut Conn,
    facts: &Facts,
    heard: Vec<EventRow>,
    found: Vec<(String, Id)>,
    paid: &[PaymentId],
) -> Result<(), StoreError> {
    for event in &heard {
        diesel::insert_into(payment_events::table)
            .values(event)
            .execute(conn)
            .await?;
    }
    for (event, payment) in found {
        diesel::update(payment_events::table.find(event))
            .set(payment_events::payment_id.eq(Some(payment)))
            .execute(conn)
            .await?;
    }
    for row in paid
        .iter()
        .filter_map(|id| facts.payments.get(id))
        .map(|known| &known.row)
    {
        diesel::update(payments::table.find(row.id))
            .set((
                payments::closed_at.eq(row.closed_at),
                payments::intent.eq(&row.intent),
                payments::subscription.eq(&row.subscription),
                payments::standing.eq(&row.standing),
                payments::paid_at.eq(row.paid_at),
                payments::counts.eq(row.counts),
                payments::given.eq(row.given),
                payments::moves.eq(row.moves),
            ))
            .execute(conn)
            .await?;
    }
    Ok(())
}

async fn ended_runs(
    conn: &mut Conn,
    facts: &mut Facts,
    named: &mut Named,
    rows: Vec<LedgerRow>,
) -> Result<(), StoreError> {
    let mut runs: HashMap<RunId, KnownRun> = HashMap::new();
    let mut of_files = Vec::new();
    for row in rows {
        if row.ordinal == 0 && row.source_type == SourceType::File.as_str() {
            of_files.push(row.run_id);
        }
        let run = runs.entry(RunId(row.run_id.0)).or_insert_with(|| KnownRun {
            user_id: UserId(row.user_id.0),
            ended: row.completed_at.is_some(),
            replaces: row.replaces.map(|id| SkillId(id.0)),
            of_watch: row.route.as_deref() == Some(WATCH_ROUTE),
            rows: Vec::new(),
        });
        named.replaced.extend(row.replaces);
        if run.of_watch {
            named.watched.extend(row.replaces);
        }
        run.rows.push(KnownRow {
            id: row.id,
            skill_id: row.skill_id,
            name: row.name,
            charged: row.credits_charged,
        });
    }
    facts.runs.extend(runs);
    if of_files.is_empty() {
        return Ok(());
    }
    let read = run_files::table
        .filter(run_files::run_id.eq_any(of_files))
        .filter(run_files::source_id.is_not_null())
        .select((run_files::run_id, run_files::source_id.assume_not_null()))
        .load::<(Id, Id)>(conn)
        .await?;
    for (run_id, source_id) in read {
        facts
            .sources
            .entry(RunId(run_id.0))
            .or_default()
            .push(source_id);
    }
    Ok(())
}

/// Skills that runs replace, and which of them are being replaced now.
async fn replaced(conn: &mut Conn, facts: &mut Facts, mut ids: Vec<Id>) -> Result<(), StoreError> {
    if ids.is_empty() {
        return Ok(());
    }
    sort(&mut ids);
    let known = locking!(
        skills::table
            .filter(skills::id.eq_any(&ids))
            .order(skills::id)
            .select((skills::id, skills::user_id, skills::updated_at))
    );
    for (id, user_id, updated_at) in known.load::<(Id, Id, At)>(conn).await? {
        let known = KnownSkill {
            user_id: UserId(user_id.0),
            updated_at: updated_at.0,
            is_edited: watches::is_edited(conn, SkillId(id.0)).await?,
        };
        facts.skills.insert(SkillId(id.0), known);
    }
    let busy = generations::table
        .filter(generations::replaces.eq_any(ids.into_iter().map(Some)))
        .filter(generations::completed_at.is_null())
        .select(generations::replaces)
        .load::<Option<Id>>(conn)
        .await?;
    facts
        .regenerating
        .extend(busy.into_iter().flatten().map(|id| SkillId(id.0)));
    Ok(())
}

async fn grants(conn: &mut Conn, facts: &mut Facts, ids: &[Id]) -> Result<(), StoreError> {
    if ids.is_empty() {
        return Ok(());
    }
    let made = transfers::table
        .filter(transfers::key.eq_any(ids))
        .filter(transfers::kind.eq("grant"))
        .select((transfers::key, transfers::user_id, transfers::amount))
        .load::<(Id, Id, i64)>(conn)
        .await?;
    for (key, user_id, amount) in made {
        facts
            .grants
            .insert(GrantId(key.0), (UserId(user_id.0), amount));
    }
    Ok(())
}

async fn write(conn: &mut Conn, mut facts: Facts, writes: Writes) -> Result<(), StoreError> {
    let accounts = writes
        .touched
        .iter()
        .filter_map(|id| facts.accounts.remove(id))
        .collect();
    write_accounts(conn, accounts).await?;
    for row in &writes.freed {
        diesel::update(generations::table.find(row))
            .set((
                generations::route.eq(None::<String>),
                generations::idempotency_key.eq(None::<String>),
                generations::digest.eq(None::<String>),
            ))
            .execute(conn)
            .await?;
    }
    write_charged(conn, writes.charged).await?;
    insert_many!(conn, run_files::table, &writes.files);
    sources::show(conn, &writes.sources).await?;
    write_transfers(conn, writes.openings).await?;
    write_transfers(conn, writes.endings).await?;
    write_endings(conn, writes.ended).await?;
    write_skills(conn, writes.made).await?;
    write_heard(conn, &facts, writes.heard, writes.found, &writes.paid).await?;
    for skill in &writes.remade {
        super::skills::replace(conn, skill).await?;
    }
    insert_many!(conn, made::table, &writes.drafted);
    watches::keep_beside(conn, &writes.waiting).await?;
    drafts::keep(conn, &writes.beside).await?;
    Ok(())
}
