//! Whatever happens in whatever order, the store says what a ledger on the back of an envelope says.

use crate::ground::*;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use skillkiln::domain::credits::Credits;
use skillkiln::domain::id::{RunId, UserId};
use skillkiln::store::connection::Store;
use skillkiln::store::model::{Completion, Entry, NewRun, Refused, Settled};

const USERS: usize = 3;

/// What somebody does. Runs and users are named by number; a number that names nothing names something unknown.
#[derive(Debug, Clone)]
enum Deed {
    Charge { user: usize, skills: usize },
    ChargeAgain { run: usize },
    Complete { run: usize },
    Fail { run: usize },
    Grant { user: usize, amount: u32 },
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        4 => (0..=USERS, 1..4usize).prop_map(|(user, skills)| Deed::Charge { user, skills }),
        1 => (0..12usize).prop_map(|run| Deed::ChargeAgain { run }),
        3 => (0..12usize).prop_map(|run| Deed::Complete { run }),
        3 => (0..12usize).prop_map(|run| Deed::Fail { run }),
        1 => (0..=USERS, 0..5u32).prop_map(|(user, amount)| Deed::Grant { user, amount }),
    ]
}

/// The ledger on the back of an envelope.
struct Envelope {
    users: Vec<(UserId, u32, u32)>,
    runs: Vec<(NewRun, Option<bool>)>,
}

impl Envelope {
    fn balance(&mut self, id: UserId) -> Option<&mut (UserId, u32, u32)> {
        self.users.iter_mut().find(|(user, ..)| *user == id)
    }

    /// The entry for a deed, and the answer that is due.
    fn expect(&mut self, deed: &Deed) -> (Entry, Result<Settled, Refused>) {
        match *deed {
            Deed::Charge { user, skills } => {
                let id = self
                    .users
                    .get(user)
                    .map_or_else(UserId::new, |(id, ..)| *id);
                let new = if skills == 1 {
                    run(id)
                } else {
                    catalogue(id, skills)
                };
                (Entry::Charge(Box::new(new.clone())), self.charge(new))
            }
            Deed::ChargeAgain { run: number } => {
                let Some((new, _)) = self.runs.get(number) else {
                    return (failure_of(RunId::new()), Err(Refused::Unknown));
                };
                (
                    Entry::Charge(Box::new(new.clone())),
                    Err(Refused::Duplicate),
                )
            }
            Deed::Complete { run: number } => {
                let known = self
                    .runs
                    .get(number)
                    .map(|(new, _)| (new.id, new.generations.len()));
                let (run_id, skills) = known.unwrap_or((RunId::new(), 1));
                let skills = vec![skill("rye"); skills];
                let entry = Entry::Complete(Box::new(Completion {
                    run_id,
                    skills: skills.into_iter().map(Into::into).collect(),
                    is_given_back: false,
                    index: None,
                    at: at(9),
                }));
                (entry, self.end(number, true))
            }
            Deed::Fail { run: number } => {
                let run_id = self
                    .runs
                    .get(number)
                    .map_or_else(RunId::new, |(new, _)| new.id);
                (failure_of(run_id), self.end(number, false))
            }
            Deed::Grant { user, amount } => {
                let id = self
                    .users
                    .get(user)
                    .map_or_else(UserId::new, |(id, ..)| *id);
                let due = match self.balance(id) {
                    None => Err(Refused::Unknown),
                    Some(_) if amount == 0 => Err(Refused::Store(zero_grant())),
                    Some((_, available, _)) => {
                        *available += amount;
                        Ok(Settled::Granted {
                            available: Credits(*available),
                        })
                    }
                };
                (grant(id, amount), due)
            }
        }
    }

    fn charge(&mut self, new: NewRun) -> Result<Settled, Refused> {
        let cost = u32::try_from(new.generations.len()).expect("few");
        let (_, available, reserved) = self.balance(new.user_id).ok_or(Refused::Unknown)?;
        if *available < cost {
            return Err(Refused::InsufficientCredits {
                available: Credits(*available),
            });
        }
        *available -= cost;
        *reserved += cost;
        let available = Credits(*available);
        self.runs.push((new, None));
        Ok(Settled::Charged {
            charged: Credits(cost),
            available,
        })
    }

    fn end(&mut self, number: usize, well: bool) -> Result<Settled, Refused> {
        let (new, end) = self.runs.get_mut(number).ok_or(Refused::Unknown)?;
        if end.is_some() {
            return Err(Refused::AlreadyEnded);
        }
        *end = Some(well);
        let cost = u32::try_from(new.generations.len()).expect("few");
        let id = new.user_id;
        let (_, available, reserved) = self.balance(id).expect("it paid");
        *reserved -= cost;
        if well {
            return Ok(Settled::Completed);
        }
        *available += cost;
        Ok(Settled::Failed {
            refunded: Credits(cost),
            available: Credits(*available),
        })
    }
}

fn zero_grant() -> skillkiln::store::model::StoreError {
    skillkiln::store::model::StoreError::Conflict("a grant gives at least one credit".to_owned())
}

/// Does the deeds in batches, and compares.
async fn compare(store: &Store, batches: &[Vec<Deed>]) -> Result<(), TestCaseError> {
    let mut envelope = Envelope {
        users: Vec::new(),
        runs: Vec::new(),
    };
    for credits in [0, 4, 9] {
        envelope
            .users
            .push((user(store, credits).await, credits, 0));
    }
    for batch in batches {
        let (entries, due): (Vec<_>, Vec<_>) =
            batch.iter().map(|deed| envelope.expect(deed)).unzip();
        prop_assert_eq!(store.settle(entries).await, due);
    }
    for (id, available, reserved) in &envelope.users {
        prop_assert_eq!(holds(store, *id).await, (*available, *reserved));
        let standing = store
            .standing(*id)
            .await
            .expect("answers")
            .expect("an account");
        let made = |(new, end): &&(NewRun, Option<bool>)| new.user_id == *id && *end == Some(true);
        let made: usize = envelope
            .runs
            .iter()
            .filter(made)
            .map(|(new, _)| new.generations.len())
            .sum();
        prop_assert_eq!(standing.total_generations as usize, made);
    }
    let books = store.books().await.expect("answers");
    prop_assert_eq!(books.faults, Vec::<String>::new());
    Ok(())
}

fn whatever_happens(ground: impl Future<Output = Ground>, cases: u32) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let ground = runtime.block_on(ground);
    let batches = proptest::collection::vec(proptest::collection::vec(deed(), 1..12), 1..8);
    // The regressions file would name cases by seed; a failing case is written as a test instead.
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    TestRunner::new(config)
        .run(&batches, |batches| {
            runtime.block_on(compare(&ground.store, &batches))
        })
        .expect("the store agrees with the envelope");
}

#[test]
fn whatever_happens_sqlite_agrees_with_the_envelope() {
    whatever_happens(sqlite(), 64);
}

#[test]
fn whatever_happens_postgres_agrees_with_the_envelope() {
    whatever_happens(postgres(), 64);
}
