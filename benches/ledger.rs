//! What a charge costs: settled together by the actors, against one transaction each, on both databases.

use crate::support::{self, postgres, run, sqlite, users};
use actix::prelude::*;
use criterion::{Criterion, Throughput};
use futures_util::stream::{FuturesUnordered, StreamExt};
use skillkiln::actors::ledger::{Charge, Ledgers};
use skillkiln::actors::settlement::Settlement;
use skillkiln::domain::clock::Clock;
use skillkiln::domain::id::UserId;
use skillkiln::store::connection::Store;
use skillkiln::store::model::Entry;
use std::time::Instant;

const USERS: usize = 1_000;
const WAITING: usize = 256;
const MAILBOX: usize = 4_096;

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

fn measure(criterion: &mut Criterion, system: &SystemRunner, name: &str, store: &Store) {
    let clock = Clock::system();
    let who = system.block_on(users(store, USERS, &clock));
    let books = Arbiter::with_tokio_rt(|| {
        tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime")
    });
    let settlement = Settlement::start(&books.handle(), MAILBOX, store.clone(), 512);
    let ledgers = Ledgers::new(&books.handle(), MAILBOX, store.clone(), settlement, 4);
    let mut group = criterion.benchmark_group(format!("charges, {WAITING} waiting, {name}"));
    group.throughput(Throughput::Elements(1)).sample_size(10);
    group.bench_function("settled together by the actors", |bencher| {
        bencher.iter_custom(|times| {
            let begun = Instant::now();
            system.block_on(together(&ledgers, &who, &clock, times));
            begun.elapsed()
        });
    });
    group.bench_function("one transaction each", |bencher| {
        bencher.iter_custom(|times| {
            let begun = Instant::now();
            system.block_on(one_by_one(store, &who, &clock, times));
            begun.elapsed()
        });
    });
    group.finish();
    books.stop();
}

pub(crate) fn bench(criterion: &mut Criterion) {
    let system = System::new();
    let database = system.block_on(sqlite());
    measure(criterion, &system, "SQLite", &database.store);
    if let Some((store, _database)) = system.block_on(postgres()) {
        measure(criterion, &system, "PostgreSQL", &store);
    }
}
