//! Owns the database of the simulation: rows in memory, which the same decision changes as those of the real ones.

use crate::domain::clock::Timestamp;
use crate::domain::id::{GrantId, RunId, UserId};
use crate::domain::lease::{Judge, Lease};
use crate::domain::user::Plan;
use crate::store::facts::{Facts, KnownRequest, KnownRow, KnownRun, Request, Writes};
use crate::store::model::{Entry, NewRun, Refused, Settled};
use crate::store::rows::accounts::Account;
use crate::store::rows::storable;
use crate::store::settlement::decide;
use crate::store::types::Id;
use std::collections::{BTreeMap, HashMap, HashSet};
use uuid::Uuid;

/// A run that has not ended.
#[derive(Debug)]
pub(crate) struct Open {
    pub(crate) user_id: UserId,
    pub(crate) node: Option<Uuid>,
    pub(crate) lease: Lease,
    pub(crate) attempts: u32,
    is_begun: bool,
    charged: Vec<i64>,
}

/// A run that was claimed.
#[derive(Debug)]
pub(crate) struct Claimed {
    pub(crate) run_id: RunId,
    pub(crate) was: (Option<Uuid>, Lease),
    pub(crate) attempts: u32,
}

/// All rows.
#[derive(Debug, Default)]
pub(crate) struct Database {
    accounts: HashMap<UserId, Account>,
    pub(crate) open: BTreeMap<RunId, Open>,
    ended: HashMap<RunId, UserId>,
    requests: HashMap<Request, (Id, Timestamp)>,
    grants: HashMap<GrantId, (UserId, i64)>,
    /// The keys of transfers, which are unique, and what they moved in and out of each kind of account.
    transfers: HashSet<(Id, i16)>,
    moved: HashMap<&'static str, i64>,
}

impl Database {
    pub(crate) fn add_account(&mut self, id: UserId) {
        let account = Account {
            id: Id(id.0),
            plan: Plan::Free.as_str().to_owned(),
            available: 0,
            reserved: 0,
            packs_purchased: 0,
            total_generations: 0,
            owed: 0,
            plan_given: None,
        };
        self.accounts.insert(id, account);
    }

    /// What an account has and what it reserved.
    pub(crate) fn holds(&self, id: UserId) -> (i64, i64) {
        let account = self.accounts.get(&id);
        account.map_or((0, 0), |account| (account.available, account.reserved))
    }

    /// What the transfers moved into a kind of account.
    pub(crate) fn moved(&self, kind: &str) -> i64 {
        self.moved.get(kind).copied().unwrap_or(0)
    }

    /// Settles a batch in one transaction.
    pub(crate) fn settle(&mut self, batch: &[Entry]) -> Vec<Result<Settled, Refused>> {
        let mut facts = self.facts(batch);
        let (answers, writes) = decide(&mut facts, batch);
        self.write(facts, writes);
        answers
    }

    fn facts(&self, batch: &[Entry]) -> Facts {
        let mut facts = Facts::default();
        let mut users = Vec::new();
        for entry in batch {
            match entry {
                Entry::Charge(run) => {
                    users.push(run.user_id);
                    facts.runs.extend(self.known(run.id));
                    if let Some(request) = request(run)
                        && let Some((row, at)) = self.requests.get(&request)
                    {
                        let (row, at) = (Some(*row), *at);
                        facts.requests.insert(request, KnownRequest { row, at });
                    }
                }
                Entry::Complete(completion) => facts.runs.extend(self.known(completion.run_id)),
                Entry::Fail { run_id, .. } => facts.runs.extend(self.known(*run_id)),
                Entry::Grant { id, user_id, .. } => {
                    users.push(*user_id);
                    facts.grants.extend(self.grants.get_key_value(id));
                }
                Entry::Hear { user_id, .. } => users.push(*user_id),
            }
        }
        users.extend(facts.runs.values().map(|run| run.user_id));
        for id in users {
            let account = self.accounts.get(&id).cloned();
            facts.accounts.extend(account.map(|account| (id, account)));
        }
        facts
    }

    fn known(&self, id: RunId) -> Option<(RunId, KnownRun)> {
        let (user_id, charged) = match self.open.get(&id) {
            Some(open) => (open.user_id, Some(&open.charged)),
            None => (*self.ended.get(&id)?, None),
        };
        let row = |charged: &i64| KnownRow {
            id: Id(id.0),
            skill_id: Id(id.0),
            name: String::new(),
            charged: *charged,
        };
        let run = KnownRun {
            user_id,
            ended: charged.is_none(),
            replaces: None,
            of_watch: false,
            rows: charged.into_iter().flatten().map(row).collect(),
        };
        Some((id, run))
    }

    fn write(&mut self, mut facts: Facts, writes: Writes) {
        for id in &writes.touched {
            let account = facts.accounts.remove(id).expect("it was read");
            self.accounts.insert(*id, account);
        }
        for row in writes.charged {
            let run_id = RunId(row.run_id.0);
            let open = self.open.entry(run_id).or_insert_with(|| Open {
                user_id: UserId(row.user_id.0),
                node: row.node.map(|id| id.0),
                lease: Lease {
                    until: row.lease_until.expect("the first row has it").0,
                    ordered_at: row.created_at.0,
                },
                attempts: 1,
                is_begun: row.status == "running",
                charged: Vec::new(),
            });
            open.charged.push(row.credits_charged);
            if let (Some(route), Some(key)) = (row.route, row.idempotency_key) {
                let value = (row.id, row.created_at.0);
                self.requests.insert((row.user_id, route, key), value);
            }
        }
        for row in writes.ended {
            let run_id = RunId(row.id.0);
            if let Some(open) = self.open.remove(&run_id) {
                self.ended.insert(run_id, open.user_id);
            }
        }
        for transfer in writes.openings.iter().chain(&writes.endings) {
            let is_new = self.transfers.insert((transfer.key, transfer.phase));
            assert!(is_new, "a transfer was written twice");
            *self.moved.entry(transfer.debit).or_default() -= transfer.amount;
            *self.moved.entry(transfer.credit).or_default() += transfer.amount;
            if transfer.kind == "grant" {
                let grant = (UserId(transfer.user_id.0), transfer.amount);
                self.grants.insert(GrantId(transfer.key.0), grant);
            }
        }
    }

    /// How many skills a run makes.
    pub(crate) fn rows(&self, run_id: RunId) -> usize {
        let open = self.open.get(&run_id);
        open.map_or(1, |open| open.charged.len())
    }

    pub(crate) fn renew(
        &mut self,
        node: Uuid,
        held: impl Iterator<Item = RunId>,
        until: Timestamp,
    ) {
        for run_id in held {
            if let Some(open) = self.open.get_mut(&run_id)
                && open.node == Some(node)
            {
                open.lease.until = until;
            }
        }
    }

    /// Claims what nobody holds, the oldest first, when it is `there` by the database's clock; with `ordered_by` what was ordered by then.
    pub(crate) fn claim(
        &mut self,
        node: Uuid,
        judge: Judge,
        until: Timestamp,
        (most, ordered_by): (u32, Option<Timestamp>),
        there: Timestamp,
    ) -> Vec<Claimed> {
        let left = |open: &Open| {
            let is_wanted = ordered_by.is_none_or(|then| open.lease.ordered_at <= then);
            is_wanted && judge.finds_left(open.lease, there)
        };
        let found = self.open.iter_mut().filter(|(_, open)| left(open));
        let claimed = found.take(most as usize).map(|(run_id, open)| {
            let was = (open.node, open.lease);
            open.node = Some(node);
            open.lease.until = until;
            open.attempts += u32::from(open.is_begun);
            open.is_begun = true;
            Claimed {
                run_id: *run_id,
                was,
                attempts: open.attempts,
            }
        });
        claimed.collect()
    }

    /// A node lets go of a run for others to begin.
    pub(crate) fn hand_over(&mut self, node: Uuid, run_id: RunId) {
        if let Some(open) = self.open.get_mut(&run_id)
            && open.node == Some(node)
        {
            open.node = None;
            open.lease.until = open.lease.ordered_at;
            open.is_begun = false;
        }
    }
}

fn request(run: &NewRun) -> Option<Request> {
    let wish = run.idempotency.as_ref()?;
    let (route, key) = (storable(&wish.route), storable(&wish.key));
    Some((Id(run.user_id.0), route.into_owned(), key.into_owned()))
}
