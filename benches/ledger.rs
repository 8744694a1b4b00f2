//! What a charge costs: settled together by the actors, against one transaction each, on both databases.

use crate::support::{self, postgres, run, sqlite, users};
use actix::prelude::*;
use criterion::{Criterion, Throughput};
use futures_util::stream::{FuturesUnordered, StreamExt};
use skillkiln::actors::ledger::{Charge, Ledgers};
use skillkiln::actors::planted::Lost;
use skillkiln::actors::settlement::Settlement;
use skillkiln::actors::threads::Threads;
use skillkiln::domain::clock::Clock;
use skillkiln::domain::id::UserId;
use skillkiln::store::connection::Store;
use skillkiln::store::model::Entry;
use std::time::{Duration, Instant};

const USERS: usize = 1_000;
/// Charges that wait at a time.
pub(crate) const WAITING: usize = 256;
const MAILBOX: usize = 4_096;
/// Entries of one transaction at most.
const BATCH_MAX: usize = 512;

async fn together(ledgers: &Ledgers, who: &[UserId], clock: &Clock, times: u64) {
    let mut charged = 0;
    let mut under_way = FuturesUnordered::new();
    while charged < times || !under_way.is_empty() {
        while charged < times && under_way.len() < WAITING {
            let user_id = support::pick(who, charged);
            let ledger = ledgers.of(user_id);
            let run = Box::new(run(user_id, clock));
            under_way.push(async move { ledger.ask(Charge(run)).await });
            charged += 1;
        }
        if let Some(outcome) = under_way.next().await {
            outcome
                .expect("the ledger lives")
                .expect("the user can pay");
        }
    }
}

async fn one_by_one(store: &Store, who: &[UserId], clock: &Clock, times: u64) {
    let mut charged = 0;
    let mut under_way = FuturesUnordered::new();
    while charged < times || !under_way.is_empty() {
        while charged < times && under_way.len() < WAITING {
            let user_id = support::pick(who, charged);
            let entry = Entry::Charge(Box::new(run(user_id, clock)));
            under_way.push(store.settle(vec![entry]));
            charged += 1;
        }
        if let Some(outcomes) = under_way.next().await {
            for outcome in outcomes {
                outcome.expect("the user can pay");
            }
        }
    }
}

/// The actors that keep the books, on a store.
pub(crate) struct House {
    ledgers: Ledgers,
    store: Store,
    who: Vec<UserId>,
    clock: Clock,
    books: Threads,
}

impl House {
    /// Starts them, with users who can pay for everything.
    pub(crate) fn of(system: &SystemRunner, store: &Store) -> Self {
        let clock = Clock::system();
        let who = system.block_on(users(store, USERS, &clock));
        let books = Threads::start("books");
        let settlement = Settlement::plant(
            books.spread().first(),
            store.clone(),
            BATCH_MAX,
            &Lost::default(),
        );
        let ledgers = Ledgers::new(books.spread(), MAILBOX, store.clone(), settlement, 4);
        Self {
            ledgers,
            store: store.clone(),
            who,
            clock,
            books,
        }
    }

    /// Charges so many through the actors, and answers how many a second.
    pub(crate) fn together(&self, system: &SystemRunner, times: u64) -> f64 {
        let begun = Instant::now();
        system.block_on(together(&self.ledgers, &self.who, &self.clock, times));
        times as f64 / begun.elapsed().as_secs_f64()
    }

    /// How many batches the books settled in this process so far.
    pub(crate) fn batches(&self) -> u64 {
        let queries = self.store.observe().queries;
        let settled = queries.iter().find(|query| query.name == "settle_batch");
        settled.map_or(0, |query| query.count)
    }

    /// Charges so many, each in a transaction of its own, and answers how many a second.
    pub(crate) fn one_by_one(&self, system: &SystemRunner, times: u64) -> f64 {
        let begun = Instant::now();
        system.block_on(one_by_one(&self.store, &self.who, &self.clock, times));
        times as f64 / begun.elapsed().as_secs_f64()
    }
}

impl Drop for House {
    fn drop(&mut self) {
        drop(self.books.end());
    }
}

fn measure(criterion: &mut Criterion, system: &SystemRunner, name: &str, store: &Store) {
    let house = House::of(system, store);
    let mut group = criterion.benchmark_group(format!("charges, {WAITING} waiting, {name}"));
    group.throughput(Throughput::Elements(1)).sample_size(10);
    let took = |times: u64, rate: f64| Duration::from_secs_f64(times as f64 / rate);
    group.bench_function("settled together by the actors", |bencher| {
        bencher.iter_custom(|times| took(times, house.together(system, times)));
    });
    group.bench_function("one transaction each", |bencher| {
        bencher.iter_custom(|times| took(times, house.one_by_one(system, times)));
    });
    group.finish();
}

pub(crate) fn bench(criterion: &mut Criterion) {
    let system = System::new();
    let database = system.block_on(sqlite());
    measure(criterion, &system, "SQLite", &database.store);
    if let Some((store, _database)) = system.block_on(postgres()) {
        measure(criterion, &system, "PostgreSQL", &store);
    }
}
