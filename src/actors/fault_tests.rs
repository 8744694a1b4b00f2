//! Tests that an actor of each kind breaks and hangs by itself: whoever asked it is told, the watchdog names its thread, and what is ordered
//! next is made.

use crate::actors::Tree;
use crate::actors::context::{Ctx, Kind, Undelivered};
use crate::actors::extractor::Extractor;
use crate::actors::generation::{Attempt, Generation};
use crate::actors::ledger::Ledger;
use crate::actors::limiter::{Lend, Limiter};
use crate::actors::planted::Lost;
use crate::actors::pulse::{Patience, Pulse};
use crate::actors::rescuer::{Rescuer, Sweep};
use crate::actors::run_tests::{Break, House, all, house};
use crate::actors::settlement::Settlement;
use crate::actors::stage::{Line, Risen, broke};
use crate::actors::station::{Station, Work};
use crate::actors::supervisor::RESTARTS_MAX;
use crate::actors::synthesizer::Synthesizer;
use crate::actors::validator::Validator;
use crate::domain::generation::{Event, Stage};
use crate::domain::id::{KeyId, UserId};
use crate::domain::observation::ActorKind;
use crate::pipeline::product::Wish;
use crate::pipeline::turn::Turn;
use crate::providers::model::Meter;
use actix::prelude::*;
use futures_channel::mpsc::Receiver;
use futures_util::future::LocalBoxFuture;
use skillkiln_document::failure::Reason;
use std::sync::{Arc, mpsc};
use std::time::Duration;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::Instant;

/// Hangs whoever hears it, until the other end is dropped.
#[derive(Message)]
#[rtype(result = "()")]
struct Hang(mpsc::Receiver<()>);

macro_rules! breakable {
    ($($kind:ty),*) => {$(
        impl Handler<Break> for $kind {
            type Result = ();
            fn handle(&mut self, _: Break, _: &mut Ctx<Self>) {
                panic!("asked to break");
            }
        }

        impl Handler<Hang> for $kind {
            type Result = ();
            fn handle(&mut self, Hang(until): Hang, _: &mut Ctx<Self>) {
                let _ = until.recv();
            }
        }
    )*};
}

breakable!(
    Settlement,
    Ledger,
    Limiter,
    Rescuer,
    Generation,
    Station<Extractor>,
    Station<Synthesizer>,
    Station<Validator>
);

/// An actor of some kind.
struct Victim {
    name: &'static str,
    /// On threads of which kind it lives.
    thread: &'static str,
    breaks: Box<dyn Fn() -> LocalBoxFuture<'static, Result<(), Undelivered>>>,
    hangs: Box<dyn Fn(mpsc::Receiver<()>) -> Result<(), Undelivered>>,
}

macro_rules! victim {
    ($kind:ty, $thread:literal, $handle:expr) => {{
        let (one, other) = ($handle.clone(), $handle.clone());
        Victim {
            name: <$kind as Kind>::NAME,
            thread: $thread,
            breaks: Box::new(move || {
                let one = one.clone();
                Box::pin(async move { one.ask(Break).await })
            }),
            hangs: Box::new(move |until| other.tell(Hang(until))),
        }
    }};
}

/// One actor of each kind, and what hears of them.
struct Victims {
    each: Vec<Victim>,
    user: UserId,
    /// Of the run whose actor is among them, which waits.
    events: Receiver<Event>,
    _slots: OwnedSemaphorePermit,
    /// Of the stages' actors, which wait for their work.
    risen: Vec<(Stage, UnboundedReceiver<Risen>)>,
    _stop: Vec<watch::Sender<bool>>,
}

async fn victims(house: &House) -> Victims {
    let tree: &Tree = &house.tree;
    let (user, ledger) = house.user(1).await;
    let slots = ledger.shared().slots.clone();
    let slots = slots.acquire_many_owned(2).await.unwrap();
    let run = house.text_run(user);
    let run_id = run.id;
    let minute = Duration::from_secs(60);
    let events = house.launch(&ledger, run, minute).await;
    let generation = tree.runs.find(run_id).unwrap();
    let limiter = tree.limiters.of(KeyId::new());
    let (mut risen, mut stops) = (Vec::new(), Vec::new());
    let mut line = |stage| {
        let (line, of_stage, stop) = Line::new(tracing::Span::none(), tree.ledgers.flow.clone());
        risen.push((stage, of_stage));
        stops.push(stop);
        line
    };
    let [_, runs] = &tree.threads;
    let runs = runs.spread().first();
    let tools = house.tools.clone();
    let next = Attempt::new(1, generation.clone());
    let validator = Station::start(runs, line(Validator::STAGE), Validator, next);
    let deadline = Instant::now() + minute;
    let work = Synthesizer::new(tools.clone(), Wish::default(), deadline, Meter::default());
    let synthesizer = Station::start(runs, line(Synthesizer::STAGE), work, validator.clone());
    let turn = Turn::default();
    let work = Extractor { tools, turn };
    let extractor = Station::start(runs, line(Extractor::STAGE), work, synthesizer.clone());
    Victims {
        each: vec![
            victim!(Settlement, "books", tree.settlement),
            victim!(Ledger, "books", ledger),
            victim!(Limiter, "books", limiter),
            victim!(Rescuer, "runs", tree.rescuer),
            victim!(Station<Validator>, "runs", validator),
            victim!(Station<Synthesizer>, "runs", synthesizer),
            victim!(Station<Extractor>, "runs", extractor),
            victim!(Generation, "runs", generation),
        ],
        user,
        events,
        _slots: slots,
        risen,
        _stop: stops,
    }
}

impl House {
    /// What an operator sees of the actors of one kind.
    fn seen(&self, kind: &str) -> ActorKind {
        let all = self.tree.observe().actors;
        all.into_iter().find(|it| it.kind == kind).unwrap()
    }

    /// What somebody else orders is made, and everybody answers.
    async fn goes_on(&self, after: &str) {
        let (user, ledger) = self.user(1).await;
        let run = self.text_run(user);
        let minute = Duration::from_secs(60);
        let heard = all(self.launch(&ledger, run, minute).await).await;
        let is_made = matches!(heard.last(), Some(Event::Completed(_)));
        assert!(is_made, "after {after}: {heard:?}");
        assert_eq!(self.available(&ledger).await, (0, 0), "after {after}");
        let limiter = self.tree.limiters.of(KeyId::new());
        limiter.ask(Lend).await.unwrap();
        let sweep = Sweep { everything: false };
        assert_eq!(self.tree.rescuer.ask(sweep).await, Ok(Ok(0)));
    }
}

#[test]
fn an_actor_of_each_kind_breaks_by_itself() {
    System::new().block_on(async {
        let house = house().await;
        let mut victims = victims(&house).await;
        for victim in &victims.each {
            let name = victim.name;
            assert_eq!(house.seen(name).panics, 0);
            let told = (victim.breaks)().await;
            assert_eq!(told, Err(Undelivered::Gone), "whoever asked {name} is told");
            // The answer is dropped before the guardian has counted.
            while house.seen(name).panics == 0 {
                tokio::task::yield_now().await;
            }
            house.goes_on(name).await;
            let seen = house.seen(name).last_panic;
            assert_eq!(seen.as_deref(), Some("asked to break"));
        }
        // What broke with its run ended that run, with the refund, and told why in our words.
        let heard = all(victims.events).await;
        let Some(Event::Failed(failure)) = heard.last() else {
            panic!("{heard:?}")
        };
        assert_eq!(failure.reason, Reason::Internal);
        let ledger = house.tree.ledgers.of(victims.user);
        assert_eq!(house.available(&ledger).await, (1, 0));
        for (stage, risen) in &mut victims.risen {
            let Some(Risen::Failed(failure)) = risen.recv().await else {
                panic!("the run of {stage:?} is told")
            };
            assert_eq!(failure, broke(*stage));
        }
        house.is_clean().await;
    });
}

#[test]
fn an_actor_of_each_kind_that_is_given_up_has_a_successor() {
    System::new().block_on(async {
        let house = house().await;
        let victims = victims(&house).await;
        let are_many = |victim: &&Victim| {
            let name = victim.name;
            ["settlement", "ledger", "limiter", "rescuer"].contains(&name)
        };
        for victim in victims.each.iter().filter(are_many) {
            let name = victim.name;
            for _ in 0..=RESTARTS_MAX {
                assert_eq!((victim.breaks)().await, Err(Undelivered::Gone), "{name}");
            }
            while house.seen(name).given_up == 0 {
                tokio::task::yield_now().await;
            }
            assert_eq!(house.tree.lost.name(), None);
            house.goes_on(name).await;
        }
    });
}

#[test]
fn a_hang_of_each_kind_of_actor_is_seen_and_ends_nothing() {
    System::new().block_on(async {
        let house = house().await;
        let victims = victims(&house).await;
        let patience = Patience {
            look: Duration::from_millis(20),
            shown: 3,
            lost: u32::MAX,
            ended: u32::MAX,
        };
        let threads = house.tree.threads.each_ref();
        let beating = threads.map(|it| (it.name, it.spread()));
        let pulse = Pulse::start(&beating, patience, &Lost::default());
        for victim in &victims.each {
            let name = victim.name;
            let (go_on, until) = mpsc::channel();
            assert_eq!((victim.hangs)(until), Ok(()), "{name}");
            let hangs = |thread| {
                let hearts = pulse.observe();
                hearts
                    .iter()
                    .any(|it| it.arbiter.starts_with(thread) && it.silent_s > 0.0)
            };
            while !hangs(victim.thread) {
                actix_rt::time::sleep(patience.look).await;
            }
            drop(go_on);
            house.goes_on(name).await;
        }
    });
}

#[test]
fn a_tree_that_is_felled_waits_for_its_threads() {
    System::new().block_on(async {
        let house = house().await;
        let held = Arc::new(());
        for arbiter in house.tree.threads.iter().flat_map(|it| it.spread().each()) {
            let held = Arc::clone(&held);
            arbiter.spawn(async move {
                std::future::pending::<()>().await;
                drop(held);
            });
        }
        house.tree.fell().await;
        assert_eq!(Arc::strong_count(&held), 1, "what ran on them is gone");
        let sweep = Sweep { everything: false };
        assert_eq!(house.tree.rescuer.ask(sweep).await, Err(Undelivered::Gone));
    });
}
