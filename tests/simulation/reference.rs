//! Owns what has to be true: a ledger so small that it can be read at a glance.

use crate::domain::credits::Credits;
use crate::domain::id::{GrantId, RunId, UserId};
use crate::store::model::{Entry, Refused, Settled};
use std::collections::{HashMap, HashSet};

/// Accounts with what they can spend and what is reserved, and runs with what each reserved until it ends.
#[derive(Debug, Default)]
pub(crate) struct Reference {
    pub(crate) accounts: HashMap<UserId, (u32, u32)>,
    runs: HashMap<RunId, (UserId, u32, bool)>,
    keys: HashSet<(UserId, String)>,
    grants: HashSet<GrantId>,
    pub(crate) granted: u64,
    pub(crate) earned: u64,
}

impl Reference {
    /// Does an entry and says what it has to answer.
    pub(crate) fn settle(&mut self, entry: &Entry) -> Result<Settled, Refused> {
        match entry {
            Entry::Charge(run) => {
                let account = self.accounts.get_mut(&run.user_id);
                let (available, reserved) = account.ok_or(Refused::Unknown)?;
                let key = run.idempotency.as_ref();
                let key = key.map(|wish| (run.user_id, wish.key.clone()));
                let is_known = key.as_ref().is_some_and(|key| self.keys.contains(key));
                if is_known || self.runs.contains_key(&run.id) {
                    return Err(Refused::Duplicate);
                }
                let cost = run.price.0 * u32::try_from(run.generations.len()).unwrap_or(0);
                if *available < cost {
                    let available = Credits(*available);
                    return Err(Refused::InsufficientCredits { available });
                }
                *available -= cost;
                *reserved += cost;
                self.keys.extend(key);
                self.runs.insert(run.id, (run.user_id, cost, false));
                Ok(Settled::Charged {
                    charged: Credits(cost),
                    available: Credits(*available),
                })
            }
            Entry::Complete(completion) => {
                let (user_id, cost) = self.end(completion.run_id)?;
                let (available, reserved) = self.accounts.get_mut(&user_id).expect("it paid");
                *reserved -= cost;
                match completion.is_given_back {
                    true => *available += cost,
                    false => self.earned += u64::from(cost),
                }
                Ok(Settled::Completed)
            }
            Entry::Fail { run_id, .. } => {
                let (user_id, cost) = self.end(*run_id)?;
                let (available, reserved) = self.accounts.get_mut(&user_id).expect("it paid");
                *reserved -= cost;
                *available += cost;
                Ok(Settled::Failed {
                    refunded: Credits(cost),
                    available: Credits(*available),
                })
            }
            Entry::Grant {
                id,
                user_id,
                amount,
                ..
            } => {
                let (available, _) = self.accounts.get_mut(user_id).ok_or(Refused::Unknown)?;
                if self.grants.insert(*id) {
                    *available += amount.0;
                    self.granted += u64::from(amount.0);
                }
                Ok(Settled::Granted {
                    available: Credits(*available),
                })
            }
            Entry::Hear { .. } => Err(Refused::Unknown),
        }
    }

    /// Each run ends once.
    fn end(&mut self, run_id: RunId) -> Result<(UserId, u32), Refused> {
        let (user_id, cost, ended) = self.runs.get_mut(&run_id).ok_or(Refused::Unknown)?;
        match std::mem::replace(ended, true) {
            true => Err(Refused::AlreadyEnded),
            false => Ok((*user_id, *cost)),
        }
    }

    /// How many have not ended.
    pub(crate) fn open(&self) -> usize {
        self.runs.values().filter(|(.., ended)| !ended).count()
    }
}
