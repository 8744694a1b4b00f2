//! Tests of the actor kit alone, with an actor that adds numbers and breaks on request.

use crate::actors::context::{Ctx, Handle, Kind, Undelivered};
use crate::actors::supervisor::{RESTARTS_MAX, Supervisor};
use crate::actors::threads::Threads;
use actix::prelude::*;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::thread::{self, ThreadId};
use tokio::sync::oneshot;

/// Adds; what it has added survives a panic only in what it shares.
struct Adder {
    since_start: u32,
}

impl Kind for Adder {
    const NAME: &'static str = "adder";
    type Shared = Arc<AtomicU32>;
}

impl Actor for Adder {
    type Context = Ctx<Self>;
}

impl Supervised for Adder {
    fn restarting(&mut self, _: &mut Ctx<Self>) {
        self.since_start = 0;
    }
}

#[derive(Message)]
#[rtype(result = "u32")]
struct Add(u32);

impl Handler<Add> for Adder {
    type Result = u32;
    fn handle(&mut self, Add(number): Add, ctx: &mut Ctx<Self>) -> u32 {
        self.since_start += number;
        ctx.shared.fetch_add(number, SeqCst);
        self.since_start
    }
}

#[derive(Message)]
#[rtype(result = "()")]
struct Break;

impl Handler<Break> for Adder {
    type Result = ();
    fn handle(&mut self, _: Break, _: &mut Ctx<Self>) {
        panic!("asked to break");
    }
}

/// Asks on which thread the actor lives.
#[derive(Message)]
#[rtype(result = "ThreadId")]
struct Where;

impl Handler<Where> for Adder {
    type Result = MessageResult<Where>;
    fn handle(&mut self, _: Where, _: &mut Ctx<Self>) -> Self::Result {
        MessageResult(thread::current().id())
    }
}

/// Keeps the actor busy until the other end is dropped or used.
#[derive(Message)]
#[rtype(result = "()")]
struct Hold(oneshot::Receiver<()>);

impl Handler<Hold> for Adder {
    type Result = AtomicResponse<Self, ()>;
    fn handle(&mut self, Hold(until): Hold, _: &mut Ctx<Self>) -> Self::Result {
        AtomicResponse::new(Box::pin(
            async { until.await.unwrap_or(()) }.into_actor(self),
        ))
    }
}

fn adder(supervisor: &Supervisor<u32, Adder>, key: u32) -> Handle<Adder> {
    supervisor.get(key, Arc::default, |_| Adder { since_start: 0 })
}

fn in_a_system<F: Future>(work: impl FnOnce(Supervisor<u32, Adder>) -> F) -> F::Output {
    System::new().block_on(async {
        let arbiter = Arbiter::new();
        let outcome = work(Supervisor::new(&arbiter.handle().into(), 4)).await;
        arbiter.stop();
        outcome
    })
}

#[test]
fn a_panic_loses_one_message_and_keeps_what_waits_in_the_mailbox() {
    in_a_system(|supervisor| async move {
        let adder = adder(&supervisor, 1);
        let (before, broken, after, later) = futures_util::join!(
            adder.ask(Add(1)),
            adder.ask(Break),
            adder.ask(Add(10)),
            adder.ask(Add(5))
        );
        assert_eq!(before, Ok(1));
        assert_eq!(broken, Err(Undelivered::Gone), "whoever asked is told");
        assert_eq!(
            (after, later),
            (Ok(10), Ok(15)),
            "the state was rebuilt, the mailbox was kept"
        );
        assert_eq!(adder.shared().load(SeqCst), 16);
        let seen = supervisor.observe(u32::to_string);
        assert_eq!((seen.panics, seen.lost), (1, 0));
        let restarts = (seen.restarts_by.panic, seen.restarts_by.rebuild);
        assert_eq!((restarts, seen.restarts), ((1, 0), 1));
        assert_eq!(seen.last_panic.as_deref(), Some("asked to break"));
        assert_eq!(
            seen.instances
                .first()
                .map(|one| (one.restarts, one.waiting)),
            Some((1, 0))
        );
    });
}

#[test]
fn an_actor_that_keeps_breaking_is_given_up_and_its_key_gets_a_new_one() {
    in_a_system(|supervisor| async move {
        let first = adder(&supervisor, 2);
        for _ in 0..=RESTARTS_MAX {
            assert_eq!(first.ask(Break).await, Err(Undelivered::Gone));
        }
        // The last answer is dropped before the guardian has let go; the mailbox closes right after.
        while !first.is_gone() {
            tokio::task::yield_now().await;
        }
        assert_eq!(first.tell(Add(1)), Err(Undelivered::Gone));
        let seen = supervisor.observe(u32::to_string);
        assert_eq!((seen.given_up, seen.lost, seen.waiting), (1, 0, 0));
        assert_eq!(adder(&supervisor, 2).ask(Add(7)).await, Ok(7));
    });
}

#[test]
fn a_full_mailbox_refuses_every_sender_alike() {
    in_a_system(|supervisor| async move {
        let adder = adder(&supervisor, 3);
        let (release, held) = oneshot::channel();
        let busy = adder.ask(Hold(held));
        let mut busy = std::pin::pin!(busy);
        assert!(futures_util::poll!(busy.as_mut()).is_pending());
        while adder.gauge.waiting.load(SeqCst) > 0 {
            tokio::task::yield_now().await;
        }
        for _ in 0..4 {
            assert_eq!(adder.clone().tell(Add(1)), Ok(()));
        }
        assert_eq!(adder.clone().tell(Add(1)), Err(Undelivered::Full));
        assert_eq!(adder.ask(Add(1)).await, Err(Undelivered::Full));
        release.send(()).unwrap();
        busy.await.unwrap();
        // The actor is free again, but may not have taken the waiting ones out of its mailbox yet.
        while adder.gauge.waiting.load(SeqCst) > 0 {
            tokio::task::yield_now().await;
        }
        assert_eq!(
            adder.ask(Add(0)).await,
            Ok(4),
            "what was taken is handled, what was refused is not"
        );
    });
}

#[test]
fn a_message_is_handled_also_when_its_sender_stopped_waiting() {
    in_a_system(|supervisor| async move {
        let adder = adder(&supervisor, 4);
        let (release, held) = oneshot::channel();
        adder.tell(Hold(held)).unwrap();
        {
            let abandoned = std::pin::pin!(adder.ask(Add(3)));
            assert!(futures_util::poll!(abandoned).is_pending());
        }
        release.send(()).unwrap();
        assert_eq!(adder.ask(Add(1)).await, Ok(4));
    });
}

#[test]
fn an_idle_actor_is_retired_and_a_held_or_needed_one_is_not() {
    in_a_system(|supervisor| async move {
        let held = adder(&supervisor, 5);
        adder(&supervisor, 6).ask(Add(1)).await.unwrap();
        held.ask(Add(1)).await.unwrap();
        supervisor.retire(|_| false);
        assert_eq!(supervisor.count(), 2, "those that may not go stay");
        supervisor.retire(|_| true);
        assert_eq!(supervisor.keys(), [5], "somebody holds the other one");
        drop(held);
        supervisor.retire(|_| true);
        assert_eq!(supervisor.count(), 0);
    });
}

#[test]
fn one_key_has_one_actor_however_many_ask_at_once() {
    in_a_system(|supervisor| async move {
        let threads: Vec<_> = (0..4)
            .map(|_| {
                let supervisor = supervisor.clone();
                thread::spawn(move || {
                    for _ in 0..100 {
                        while adder(&supervisor, 7).tell(Add(1)) == Err(Undelivered::Full) {
                            thread::yield_now();
                        }
                    }
                })
            })
            .collect();
        for thread in threads {
            thread.join().unwrap();
        }
        let adder = adder(&supervisor, 7);
        while adder.gauge.waiting.load(SeqCst) > 0 {
            tokio::task::yield_now().await;
        }
        assert_eq!(adder.ask(Add(0)).await, Ok(400));
    });
}

#[test]
fn actors_are_spread_over_all_threads_and_a_key_keeps_its_own() {
    System::new().block_on(async {
        let threads = Threads::start("adders");
        let supervisor = Supervisor::new(threads.spread(), 4);
        let mut seen = HashMap::new();
        for key in 0..500 {
            seen.insert(key, adder(&supervisor, key).ask(Where).await.unwrap());
        }
        let each: HashSet<ThreadId> = seen.values().copied().collect();
        assert_eq!(each.len(), threads.spread().each().count());
        assert!(each.len() > 1);
        supervisor.retire(|_| true);
        assert_eq!(supervisor.count(), 0);
        for (key, thread) in seen {
            let again = adder(&supervisor, key).ask(Where).await;
            assert_eq!(again, Ok(thread), "also when it is started anew");
        }
        threads.end().await;
    });
}

#[test]
fn what_waits_for_an_actor_that_ends_is_lost_and_is_counted_in_its_own_tree() {
    System::new().block_on(async {
        let arbiter = Arbiter::new();
        let [one, other] = [(); 2].map(|()| Supervisor::new(&arbiter.handle().into(), 4));
        let (busy, _idle) = (adder(&one, 8), adder(&other, 8));
        let (_release, held) = oneshot::channel();
        busy.tell(Hold(held)).unwrap();
        while busy.gauge.handled.load(SeqCst) == 0 {
            tokio::task::yield_now().await;
        }
        for _ in 0..3 {
            busy.tell(Add(1)).unwrap();
        }
        let counted = |of: &Supervisor<u32, Adder>| {
            let seen = of.observe(u32::to_string);
            (seen.alive, seen.waiting, seen.handled, seen.lost)
        };
        assert_eq!(
            (counted(&one), counted(&other)),
            ((1, 3, 1, 0), (1, 0, 0, 0))
        );
        arbiter.stop();
        arbiter.join().unwrap();
        assert_eq!(busy.tell(Add(1)), Err(Undelivered::Gone));
        drop(busy);
        assert_eq!(
            (counted(&one), counted(&other)),
            ((0, 0, 1, 3), (0, 0, 0, 0))
        );
    });
}
