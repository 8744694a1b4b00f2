//! What a message to an actor costs, on its own thread and on another, and what its supervisor does: a start, an end, a restart.

use actix::prelude::*;
use criterion::Criterion;
use futures_util::stream::{FuturesUnordered, StreamExt};
use skillkiln::actors::context::{Ctx, Handle, Kind};
use skillkiln::actors::supervisor::Supervisor;
use std::time::Instant;

struct Counter(u64);

impl Kind for Counter {
    const NAME: &'static str = "counter";
    type Shared = ();
}

impl Actor for Counter {
    type Context = Ctx<Self>;
}

impl Supervised for Counter {}

#[derive(Message)]
#[rtype(result = "u64")]
struct Add(u64);

impl Handler<Add> for Counter {
    type Result = u64;
    fn handle(&mut self, Add(number): Add, _: &mut Ctx<Self>) -> u64 {
        self.0 += number;
        self.0
    }
}

#[derive(Message)]
#[rtype(result = "()")]
struct Break;

impl Handler<Break> for Counter {
    type Result = ();
    fn handle(&mut self, Break: Break, _: &mut Ctx<Self>) {
        panic!("broken on purpose");
    }
}

async fn one_after_the_other(counter: &Handle<Counter>, times: u64) {
    for _ in 0..times {
        counter.ask(Add(1)).await.expect("the counter lives");
    }
}

async fn many_at_once(counter: &Handle<Counter>, times: u64) {
    let mut asked = 0;
    let mut answers = FuturesUnordered::new();
    while asked < times || !answers.is_empty() {
        while asked < times && answers.len() < 64 {
            answers.push(counter.ask(Add(1)));
            asked += 1;
        }
        if let Some(answer) = answers.next().await {
            answer.expect("the counter lives");
        }
    }
}

pub(crate) fn bench(criterion: &mut Criterion) {
    let system = System::new();
    let other = Arbiter::with_tokio_rt(|| {
        tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime")
    });
    let mut group = criterion.benchmark_group("actor");
    let near = Supervisor::<u32, Counter>::new(
        &system.block_on(async { Arbiter::current() }).into(),
        1_000,
    );
    let far = Supervisor::<u32, Counter>::new(&other.handle().into(), 1_000);
    for (name, supervisor) in [("same thread", &near), ("another thread", &far)] {
        let counter = supervisor.get(1, || (), |_| Counter(0));
        group.bench_function(format!("message and reply, {name}"), |bencher| {
            bencher.iter_custom(|times| {
                let begun = Instant::now();
                system.block_on(one_after_the_other(&counter, times));
                begun.elapsed()
            });
        });
        group.bench_function(
            format!("message and reply, {name}, 64 under way"),
            |bencher| {
                bencher.iter_custom(|times| {
                    let begun = Instant::now();
                    system.block_on(many_at_once(&counter, times));
                    begun.elapsed()
                });
            },
        );
    }
    group.bench_function("start, ask, retire", |bencher| {
        bencher.iter_custom(|times| {
            let begun = Instant::now();
            system.block_on(async {
                for key in 0..times {
                    let key = 2 + (key % 1_000_000) as u32;
                    let counter = near.get(key, || (), |_| Counter(0));
                    counter.ask(Add(1)).await.expect("the counter lives");
                    drop(counter);
                    near.retire(|()| true);
                }
            });
            begun.elapsed()
        });
    });
    // A new actor each time, so that none breaks too often; the hook would print each of the panics.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    group.sample_size(10);
    let mut key = 10_000_000;
    group.bench_function("panic, rest of 5 ms, restart, ask", |bencher| {
        bencher.iter_custom(|times| {
            let begun = Instant::now();
            system.block_on(async {
                for _ in 0..times {
                    key += 1;
                    let counter = near.get(key, || (), |_| Counter(0));
                    let broken = counter.ask(Break).await;
                    assert!(broken.is_err(), "it broke");
                    counter.ask(Add(1)).await.expect("it lives again");
                    drop(counter);
                    near.retire(|()| true);
                }
            });
            begun.elapsed()
        });
    });
    std::panic::set_hook(hook);
    group.finish();
    other.stop();
}
