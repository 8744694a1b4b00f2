//! Tests of ledgers and runs against a real store: one charge, one end, nothing left running.

use crate::actors::context::{Handle, Outlet as _, Undelivered};
use crate::actors::generation::{Again, Attempt, FALLS_MAX};
use crate::actors::ledger::{Ask, Charge, Grant, Ledger, Post, Refund};
use crate::actors::planted::Lost;
use crate::actors::rescuer::{Claims, Rescuer, Sweep};
use crate::actors::runs::Runs;
use crate::actors::slots::Slots;
use crate::actors::stage::{Line, Risen, Tools};
use crate::actors::supervisor::RESTARTS_MAX;
use crate::actors::ticket::Ticket;
use crate::actors::{Bounds, Tree};
use crate::cluster::relay::Relay;
use crate::domain::clock::{Clock, Timestamp};
use crate::domain::credits::{Credits, GrantReason};
use crate::domain::generation::{Event, Hears, Order, Stage, Status};
use crate::domain::id::{GenerationId, GrantId, RunId, SkillId, UserId};
use crate::domain::lease::{Judge, Judgement, Tries};
use crate::domain::quota::Rates;
use crate::domain::source::{Source, SourceType};
use crate::domain::user::{Email, Plan};
use crate::pipeline::author::Author;
use crate::pipeline::author::terms::Terms;
use crate::pipeline::extract::Reader;
use crate::pipeline::pool::Pool;
use crate::pipeline::product::Validated;
use crate::providers::video::{Video, VideoSettings};
use crate::providers::web::{Web, WebSettings};
use crate::store::blobs::Blobs;
use crate::store::connection::Store;
use crate::store::model::{
    Claimable, Completion, NewGeneration, NewRun, NewUser, Refused, Settled, StoreError,
};
use actix::prelude::*;
use futures_channel::mpsc::Receiver;
use futures_util::future::join_all;
use futures_util::{FutureExt as _, StreamExt as _};
use skillkiln_document::failure::{Failure, Reason};
use std::sync::Arc;
use std::time::Duration;
use uuid::Uuid;

pub(super) struct House {
    pub(super) tree: Tree,
    pub(super) tools: Arc<Tools>,
    store: Store,
    pool: Pool,
    clock: Clock,
    node: Uuid,
    _folder: tempfile::TempDir,
}

const TEXT: &str = "# Kiln\n\nUse the kiln to fire pots. You must close the lid first.\n\n```sh\nkiln start --heat 900\n```\n";

/// Reads what lies on this machine; nothing is fetched in these tests.
fn reader(clock: Clock) -> Reader {
    let web = Web::new(WebSettings {
        allow_private_addresses: false,
        timeout: Duration::from_secs(1),
        body_bytes_max: 1 << 20,
        user_agent: "tests".into(),
        proxy: None,
    });
    let video = Video::new(VideoSettings {
        base_url: "http://127.0.0.1:9".into(),
        yt_dlp: None,
        timeout: Duration::from_secs(1),
        body_bytes_max: 1 << 20,
        language: None,
        proxy: None,
        clients: Vec::new(),
    });
    Reader::new(
        Pool::start(2, 16).unwrap(),
        clock,
        web.unwrap(),
        video.unwrap(),
    )
}

pub(super) async fn house() -> House {
    house_with(|_| {}).await
}

/// A house whose reader is another one.
async fn house_with(change: impl FnOnce(&mut Reader)) -> House {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&format!(
        "sqlite://{}",
        folder.path().join("test.db").display()
    ))
    .await
    .unwrap();
    let clock = Clock::system();
    let mut reader = reader(clock.clone());
    change(&mut reader);
    let pool = reader.pool.clone();
    let tools = Arc::new(Tools {
        author: Author::new(reader.pool.clone(), None, Terms::default()),
        pool: reader.pool.clone(),
        reader,
        blobs: Blobs::open(folder.path().join("blobs")).await.unwrap(),
        store: store.clone(),
        clock: clock.clone(),
        relay: Relay::default(),
    });
    let bounds = Bounds {
        fetching_per_node: 64,
        mailbox_capacity: 64,
        batch_max: 8,
        rates: Rates {
            generate_per_minute: 10,
            other_per_minute: 60,
        },
        running_per_account: 2,
        running_per_node: 4,
        lease: Duration::from_secs(30),
        deadline: Duration::from_secs(60),
        attempts_max: 3,
        claims: Claims::Shared,
    };
    let node = Uuid::new_v4();
    House {
        tree: Tree::plant(&tools, bounds, node, Slots::default()),
        tools,
        store,
        pool,
        clock,
        node,
        _folder: folder,
    }
}

impl House {
    pub(super) async fn user(&self, credits: u32) -> (UserId, Handle<Ledger>) {
        let id = UserId::new();
        let user = NewUser {
            id,
            email: Email::parse(&format!("{id}@example.org")).unwrap(),
            plan: Plan::Free,
            password_hash: None,
            credits: Credits(credits),
            reason: GrantReason::Signup,
            at: self.clock.now(),
        };
        self.store.create_user(user).await.unwrap();
        (id, self.tree.ledgers.of(id))
    }

    fn run(&self, user_id: UserId, source: Source) -> NewRun {
        let id = RunId::new();
        let now = self.clock.now();
        NewRun {
            id,
            user_id,
            key_id: None,
            price: Credits(1),
            idempotency: None,
            order: Order {
                source,
                name: None,
                description: None,
                category: None,
                kind: None,
                topics: vec![],
            },
            generations: vec![NewGeneration {
                id: GenerationId(id.0),
                skill_id: SkillId(id.0),
                name: "kiln".into(),
                source_type: SourceType::Text,
                source: "kiln".into(),
            }],
            catalogue_id: None,
            replaces: None,
            queued: false,
            node: self.node,
            lease_until: now.plus(Duration::from_secs(30)),
            at: now,
        }
    }

    pub(super) fn text_run(&self, user_id: UserId) -> NewRun {
        self.run(user_id, Source::Text { text: TEXT.into() })
    }

    /// Charges a run and carries it out, for somebody who hears each stage.
    pub(super) async fn launch(
        &self,
        ledger: &Handle<Ledger>,
        run: NewRun,
        time_left: Duration,
    ) -> Receiver<Event> {
        self.launch_for(Hears::EachStage, ledger, run, time_left)
            .await
    }

    async fn launch_for(
        &self,
        hears: Hears,
        ledger: &Handle<Ledger>,
        run: NewRun,
        time_left: Duration,
    ) -> Receiver<Event> {
        let ticket = ticket(hears, &run, time_left);
        ledger.ask(Charge(Box::new(run))).await.unwrap().unwrap();
        self.runs().launch(ticket)
    }

    fn runs(&self) -> &Runs {
        &self.tree.runs
    }

    pub(super) async fn available(&self, ledger: &Handle<Ledger>) -> (u32, u32) {
        let standing = ledger.ask(Ask).await.unwrap().unwrap().unwrap();
        (standing.available.0, standing.reserved.0)
    }

    /// The books balance and nothing is left running.
    pub(super) async fn is_clean(&self) {
        let books = self.store.books().await.unwrap();
        assert_eq!(books.faults, Vec::<String>::new());
        assert_eq!(books.reserved, 0);
        assert_eq!(self.store.unfinished_count().await.unwrap(), 0);
        while self.runs().count() > 0 {
            tokio::task::yield_now().await;
        }
    }
}

/// Who judges leases at an instant.
fn judge(now: Timestamp) -> Judge {
    Judge {
        now,
        length: Duration::from_secs(30),
        apart_max: Duration::ZERO,
        is_sound: true,
    }
}

/// A run that waits for its place.
fn ticket(hears: Hears, run: &NewRun, time_left: Duration) -> Ticket {
    Ticket {
        run_id: run.id,
        user_id: run.user_id,
        order: run.order.clone(),
        skills: run.generations.iter().map(|row| row.skill_id).collect(),
        charged: Credits(1),
        place: None,
        time_left,
        ordered_at: run.at,
        attempts: 1,
        span: tracing::Span::none(),
        hears,
    }
}

pub(super) async fn all(mut events: Receiver<Event>) -> Vec<Event> {
    let mut heard = vec![];
    while let Some(event) = events.next().await {
        heard.push(event);
    }
    heard
}

fn failure(reason: Reason) -> Failure {
    Failure::new(reason, "as the test wished")
}

#[test]
fn charges_at_once_spend_exactly_what_is_there() {
    System::new().block_on(async {
        let house = house().await;
        let (user, ledger) = house.user(5).await;
        let charges = (0..8).map(|_| ledger.ask(Charge(Box::new(house.text_run(user)))));
        let outcomes: Vec<_> = join_all(charges)
            .await
            .into_iter()
            .map(Result::unwrap)
            .collect();
        let left: Vec<u32> = outcomes
            .iter()
            .filter_map(|outcome| match outcome {
                Ok(Settled::Charged { available, .. }) => Some(available.0),
                _ => None,
            })
            .collect();
        assert_eq!(left, [4, 3, 2, 1, 0], "in the order of arrival");
        assert!(outcomes[5..].iter().all(|outcome| *outcome
            == Err(Refused::InsufficientCredits {
                available: Credits(0)
            })));
        assert_eq!(house.available(&ledger).await, (0, 5));
        assert_eq!(
            house.store.books().await.unwrap().faults,
            Vec::<String>::new()
        );
    });
}

#[test]
fn a_burst_of_charges_of_many_accounts_is_settled_however_small_their_mailboxes_are() {
    System::new().block_on(async {
        let house = house().await;
        let mut ledgers = vec![];
        for _ in 0..6 {
            ledgers.push(house.user(50).await);
        }
        let charges = (0..300).map(|n| {
            let (user, ledger) = &ledgers[n % ledgers.len()];
            ledger.ask(Charge(Box::new(house.text_run(*user))))
        });
        for outcome in join_all(charges).await {
            assert!(
                matches!(outcome, Ok(Ok(Settled::Charged { .. }))),
                "{outcome:?}"
            );
        }
        for (_, ledger) in &ledgers {
            assert_eq!(house.available(ledger).await, (0, 50));
        }
    });
}

#[test]
fn a_reservation_ends_exactly_once_whichever_end_comes_first() {
    System::new().block_on(async {
        let house = house().await;
        let (user, ledger) = house.user(2).await;
        let run = house.text_run(user);
        let (run_id, at) = (run.id, house.clock.now());
        ledger.ask(Charge(Box::new(run))).await.unwrap().unwrap();
        let refund = || {
            ledger.ask(Refund {
                run_id,
                failure: failure(Reason::Internal),
                at,
            })
        };
        let post = || {
            ledger.ask(Post(
                Box::new(Completion {
                    run_id,
                    skills: vec![],
                    is_given_back: false,
                    index: None,
                    at,
                }),
                Credits(1),
            ))
        };
        let first = refund().await.unwrap();
        assert_eq!(
            first,
            Ok(Settled::Failed {
                refunded: Credits(1),
                available: Credits(2)
            })
        );
        assert_eq!(refund().await.unwrap(), Err(Refused::AlreadyEnded));
        assert_eq!(post().await.unwrap(), Err(Refused::AlreadyEnded));
        assert_eq!(house.available(&ledger).await, (2, 0));
        house.is_clean().await;
    });
}

#[test]
fn a_balance_is_shown_as_it_is_after_every_movement() {
    System::new().block_on(async {
        let house = house().await;
        let (user, ledger) = house.user(1).await;
        assert_eq!(house.available(&ledger).await, (1, 0));
        let grant = Grant {
            id: GrantId::new(),
            amount: Credits(4),
            reason: GrantReason::Operator,
            at: house.clock.now(),
        };
        ledger.ask(grant).await.unwrap().unwrap();
        assert_eq!(house.available(&ledger).await, (5, 0));
        ledger.ask(grant).await.unwrap().unwrap();
        assert_eq!(
            house.available(&ledger).await,
            (5, 0),
            "one key grants once"
        );
        ledger
            .ask(Charge(Box::new(house.text_run(user))))
            .await
            .unwrap()
            .unwrap();
        assert_eq!(house.available(&ledger).await, (4, 1));
    });
}

#[test]
fn a_run_tells_each_stage_once_in_order_and_its_end_after_the_commit() {
    System::new().block_on(async {
        let house = house().await;
        let (user, ledger) = house.user(1).await;
        let run = house.text_run(user);
        let run_id = run.id;
        let heard = all(house.launch(&ledger, run, Duration::from_secs(60)).await).await;
        let entered: Vec<_> = Stage::ALL.into_iter().map(Event::Entered).collect();
        assert_eq!(heard[..3], entered);
        let Some(Event::Completed(made)) = heard.get(3) else {
            panic!("{heard:?}")
        };
        assert_eq!(
            made.skills
                .iter()
                .map(|made| made.skill_id.0)
                .collect::<Vec<_>>(),
            [run_id.0]
        );
        assert_eq!(heard.len(), 4);
        let stored = house.store.run(run_id).await.unwrap().unwrap();
        assert_eq!(stored.status, Status::Completed);
        assert_eq!(stored.skills.len(), 1);
        assert_eq!(house.available(&ledger).await, (0, 0));
        house.is_clean().await;
    });
}

#[test]
fn a_run_whose_source_is_gone_fails_with_the_refund() {
    System::new().block_on(async {
        let house = house().await;
        let (user, ledger) = house.user(1).await;
        let file = crate::domain::source::StoredFile {
            filename: "gone.md".into(),
            digest: "0".repeat(64),
            size_bytes: 1,
            source_id: None,
        };
        let run = house.run(user, Source::File { files: vec![file] });
        let heard = all(house.launch(&ledger, run, Duration::from_secs(60)).await).await;
        let Some(Event::Failed(failure)) = heard.last() else {
            panic!("{heard:?}")
        };
        assert_eq!(failure.reason, Reason::Internal);
        assert_eq!(house.available(&ledger).await, (1, 0));
        house.is_clean().await;
    });
}

#[test]
fn a_run_past_its_deadline_fails_with_the_refund() {
    System::new().block_on(async {
        let house = house().await;
        let (user, ledger) = house.user(1).await;
        // Both slots of the account are taken, so that the run can only wait.
        let slots = ledger.shared().slots.clone();
        let _taken = slots.acquire_many(2).await.unwrap();
        let run = house.text_run(user);
        let heard = all(house.launch(&ledger, run, Duration::ZERO).await).await;
        let Some(Event::Failed(failure)) = heard.last() else {
            panic!("{heard:?}")
        };
        assert_eq!((heard.len(), failure.reason), (1, Reason::Deadline));
        assert_eq!(house.available(&ledger).await, (1, 0));
        house.is_clean().await;
    });
}

#[test]
fn a_ledger_stays_while_a_place_of_its_account_is_taken() {
    System::new().block_on(async {
        let house = house().await;
        let (user, ledger) = house.user(1).await;
        let place = house.runs().take_place(user, RunId::new()).await;
        drop(ledger);
        let ledgers = &house.tree.ledgers;
        ledgers.retire_idle();
        assert!(place.is_some());
        assert_eq!(ledgers.observe().instances.len(), 1);
        drop(place);
        ledgers.retire_idle();
        assert_eq!(ledgers.observe().instances.len(), 0);
    });
}

#[test]
fn a_run_that_is_aborted_is_refunded_before_its_spectator_hears_of_it() {
    System::new().block_on(async {
        let house = house().await;
        let (user, ledger) = house.user(1).await;
        let _taken = ledger
            .shared()
            .slots
            .clone()
            .acquire_many_owned(2)
            .await
            .unwrap();
        let run = house.text_run(user);
        let mut events = house.launch(&ledger, run, Duration::from_secs(60)).await;
        house.runs().abort_all(&failure(Reason::Aborted));
        assert_eq!(
            events.next().await,
            Some(Event::Failed(failure(Reason::Aborted)))
        );
        assert_eq!(house.store.books().await.unwrap().reserved, 0);
        house.is_clean().await;
    });
}

#[test]
fn whoever_ends_a_run_or_begins_it_again_learns_what_became_of_that() {
    System::new().block_on(async {
        let house = house().await;
        let (user, ledger) = house.user(1).await;
        let slots = ledger.shared().slots.clone();
        let _taken = slots.acquire_many_owned(2).await.unwrap();
        let run = house.text_run(user);
        let run_id = run.id;
        let mut events = house.launch(&ledger, run, Duration::from_secs(60)).await;
        let runs = house.runs();
        assert_eq!(runs.begin_again(run_id).await, Some(Again::Waiting));
        let why = || failure(Reason::Aborted);
        let (first, second) = tokio::join!(runs.abort(run_id, why()), runs.abort(run_id, why()));
        assert_eq!(first, Some(true));
        assert_ne!(second, Some(true), "a run ends once");
        assert_eq!(events.next().await, Some(Event::Failed(why())));
        house.is_clean_after(run_id).await;
        assert_eq!(runs.begin_again(run_id).await, None);
    });
}

#[test]
fn a_run_that_was_begun_again_does_not_hear_what_its_halted_stages_made() {
    System::new().block_on(async {
        let house = house().await;
        let (user, ledger) = house.user(1).await;
        // Both threads are held up, so that the stages cannot end before they are told to.
        let (let_go, held_up) = std::sync::mpsc::channel::<()>();
        let held_up = Arc::new(std::sync::Mutex::new(held_up));
        for _ in 0..2 {
            let (pool, held_up) = (house.pool.clone(), held_up.clone());
            actix_rt::spawn(async move {
                let held_up = move || drop(held_up.lock().map(|held_up| held_up.recv()));
                pool.run(held_up).await
            });
        }
        let run = house.text_run(user);
        let run_id = run.id;
        let mut events = house.launch(&ledger, run, Duration::from_secs(60)).await;
        let entered = Some(Event::Entered(Stage::Extracting));
        assert_eq!(events.next().await, entered);
        let generation = house.runs().find(run_id).unwrap();
        assert_eq!(house.runs().begin_again(run_id).await, Some(Again::Begun));
        let halted = Validated {
            skills: vec![],
            index: None,
        };
        Attempt::new(1, generation).hand(halted).unwrap();
        assert_eq!(events.next().await, entered, "the run has begun again");
        drop(let_go);
        let Some(Event::Completed(_)) = all(events).await.pop() else {
            panic!("the product of the halted attempt ended the run")
        };
        house.is_clean_after(run_id).await;
    });
}

#[test]
fn a_run_that_has_its_place_tells_its_first_stage_as_it_is_launched_and_once() {
    System::new().block_on(async {
        let house = house().await;
        let (user, ledger) = house.user(1).await;
        let run = house.text_run(user);
        let mut ticket = ticket(Hears::EachStage, &run, Duration::from_secs(60));
        ticket.place = house.runs().take_place(user, ticket.run_id).await;
        assert!(ticket.place.is_some());
        ledger.ask(Charge(Box::new(run))).await.unwrap().unwrap();
        let mut events = house.runs().launch(ticket);
        let first = events.next().now_or_never().flatten();
        let entered = Stage::ALL.map(Event::Entered);
        assert_eq!(first.as_ref(), entered.first(), "nobody had a turn yet");
        let rest = all(events).await;
        assert_eq!(rest.get(..2), entered.get(1..));
        assert_eq!(rest.len(), 3);
        house.is_clean().await;
    });
}

#[test]
fn whoever_waits_for_the_end_alone_hears_of_nothing_else() {
    System::new().block_on(async {
        let house = house().await;
        let (user, ledger) = house.user(1).await;
        let run = house.text_run(user);
        let events = house
            .launch_for(Hears::TheEnd, &ledger, run, Duration::from_secs(60))
            .await;
        let heard = all(events).await;
        assert!(
            matches!(heard.as_slice(), [Event::Completed(_)]),
            "{heard:?}"
        );
        house.is_clean().await;
    });
}

#[test]
fn a_spectator_that_leaves_changes_nothing() {
    System::new().block_on(async {
        let house = house().await;
        let (user, ledger) = house.user(1).await;
        let run = house.text_run(user);
        let run_id = run.id;
        drop(house.launch(&ledger, run, Duration::from_secs(60)).await);
        house.is_clean_after(run_id).await;
        assert_eq!(
            house.store.run(run_id).await.unwrap().unwrap().status,
            Status::Completed
        );
    });
}

impl House {
    /// Waits until a run has ended, then checks the house.
    async fn is_clean_after(&self, run_id: RunId) {
        while self.runs().holds(run_id) {
            tokio::task::yield_now().await;
        }
        self.is_clean().await;
    }
}

#[test]
fn a_run_that_another_process_left_behind_is_carried_out_once() {
    System::new().block_on(async {
        let house = house().await;
        let (user, ledger) = house.user(1).await;
        let mut run = house.text_run(user);
        run.node = Uuid::new_v4();
        let run_id = run.id;
        ledger.ask(Charge(Box::new(run))).await.unwrap().unwrap();
        assert_eq!(
            house
                .tree
                .rescuer
                .ask(Sweep { everything: false })
                .await
                .unwrap(),
            Ok(0),
            "its lease still holds"
        );
        assert_eq!(
            house
                .tree
                .rescuer
                .ask(Sweep { everything: true })
                .await
                .unwrap(),
            Ok(1)
        );
        house.is_clean_after(run_id).await;
        assert_eq!(
            house.store.run(run_id).await.unwrap().unwrap().status,
            Status::Completed
        );
        assert_eq!(house.available(&ledger).await, (0, 0));
        assert_eq!(
            house
                .tree
                .rescuer
                .ask(Sweep { everything: true })
                .await
                .unwrap(),
            Ok(0)
        );
    });
}

#[test]
fn a_run_that_was_begun_too_often_is_refunded_instead() {
    System::new().block_on(async {
        let house = house().await;
        let (user, ledger) = house.user(1).await;
        let mut run = house.text_run(user);
        run.node = Uuid::new_v4();
        let run_id = run.id;
        ledger.ask(Charge(Box::new(run))).await.unwrap().unwrap();
        let now = house.clock.now();
        for _ in 0..3 {
            // Each claim is by a process that dies with the run in its hands.
            let claimed = house
                .store
                .claim_unfinished(Uuid::new_v4(), Claimable::Everything, judge(now), now, 10)
                .await
                .unwrap();
            assert_eq!(claimed.len(), 1);
        }
        assert_eq!(
            house
                .tree
                .rescuer
                .ask(Sweep { everything: true })
                .await
                .unwrap(),
            Ok(1)
        );
        assert_eq!(
            house.store.run(run_id).await.unwrap().unwrap().status,
            Status::Failed
        );
        assert_eq!(house.available(&ledger).await, (1, 0));
        house.is_clean().await;
    });
}

#[test]
fn as_many_are_claimed_as_have_a_place_and_what_waited_too_long_is_refunded_without_one() {
    System::new().block_on(async {
        let house = house().await;
        let (user, ledger) = house.user(2).await;
        let (another, _) = house.user(0).await;
        let mut places = Vec::new();
        for user in [user, another, user, another] {
            let place = house.tree.runs.take_place(user, RunId::new()).await;
            places.push(place.expect("there are four"));
        }
        let now = house.clock.now();
        let mut ordered = Vec::new();
        for at in [now.minus(Duration::from_secs(61)), now] {
            let mut run = house.text_run(user);
            (run.at, run.lease_until, run.queued) = (at, at, true);
            ordered.push(run.id);
            ledger.ask(Charge(Box::new(run))).await.unwrap().unwrap();
        }
        let rescuer = Rescuer {
            judgement: Judgement::new(&house.clock, Duration::from_secs(30)),
            store: house.store.clone(),
            runs: house.tree.runs.clone(),
            ledgers: house.tree.ledgers.clone(),
            clock: house.clock.clone(),
            node: house.node,
            lease: Duration::from_secs(30),
            tries: Tries {
                attempts_max: 3,
                falls_max: FALLS_MAX,
                deadline: Duration::from_secs(60),
            },
            rests: Arc::default(),
            claims: Claims::AsOrdered,
        }
        .plant(&Arbiter::current(), &Lost::default());
        let sweep = async || rescuer.ask(Sweep { everything: false }).await.unwrap();
        assert_eq!(sweep().await, Ok(1));
        let mut statuses = Vec::new();
        for run_id in &ordered {
            statuses.push(house.store.run(*run_id).await.unwrap().unwrap().status);
        }
        assert_eq!(statuses, [Status::Failed, Status::Queued]);
        places.clear();
        assert_eq!(sweep().await, Ok(1));
        assert!(house.tree.runs.holds(ordered[1]));
        loop {
            let ended = house.tree.runs.one_ends();
            if house.tree.runs.count() == 0 {
                break;
            }
            ended.await;
        }
        assert_eq!(house.available(&ledger).await, (1, 0));
        house.is_clean().await;
    });
}

#[test]
fn a_source_that_takes_its_worker_down_twice_is_refunded_and_taken_up_by_no_node() {
    System::new().block_on(async {
        let house = house_with(|reader| {
            reader.isolation.program = Some("/bin/false".into());
            reader.isolation.inside_bytes_max = 0;
        })
        .await;
        let (user, ledger) = house.user(1).await;
        let run = house.text_run(user);
        let run_id = run.id;
        let events = house.launch(&ledger, run, Duration::from_secs(60)).await;
        let heard = all(events).await;
        assert!(
            matches!(&heard[..], [Event::Entered(Stage::Extracting), Event::Failed(failure)]
                if failure.reason == Reason::Unreadable),
            "{heard:?}"
        );
        assert_eq!(house.available(&ledger).await, (1, 0));
        assert_eq!(
            house.store.note_fall(run_id).await,
            Ok(3),
            "it was begun once more, and no third time"
        );
        // Another one, whose node died after its second fall.
        let mut left = house.text_run(user);
        left.node = Uuid::new_v4();
        let left_id = left.id;
        ledger.ask(Charge(Box::new(left))).await.unwrap().unwrap();
        for falls in 1..=2 {
            assert_eq!(house.store.note_fall(left_id).await, Ok(falls));
        }
        let sweep = house.tree.rescuer.ask(Sweep { everything: true });
        assert_eq!(sweep.await.unwrap(), Ok(1));
        let left = house.store.run(left_id).await.unwrap().unwrap();
        assert_eq!(left.status, Status::Failed);
        assert_eq!(house.available(&ledger).await, (1, 0));
        house.is_clean().await;
    });
}

#[test]
fn a_run_that_was_left_behind_has_the_rest_of_its_time_and_without_a_rest_its_refund() {
    System::new().block_on(async {
        let house = house().await;
        let sweep = || house.tree.rescuer.ask(Sweep { everything: true });
        let mut ended = vec![];
        for passed in [59, 60] {
            let (user, ledger) = house.user(1).await;
            let mut run = house.text_run(user);
            run.node = Uuid::new_v4();
            run.at = house.clock.now().minus(Duration::from_secs(passed));
            let run_id = run.id;
            ledger.ask(Charge(Box::new(run))).await.unwrap().unwrap();
            assert_eq!(sweep().await.unwrap(), Ok(1));
            while house.runs().holds(run_id) {
                tokio::task::yield_now().await;
            }
            let run = house.store.run(run_id).await.unwrap().unwrap();
            ended.push((run.status, house.available(&ledger).await.0));
        }
        assert_eq!(ended, [(Status::Completed, 0), (Status::Failed, 1)]);
        house.is_clean().await;
    });
}

#[test]
fn runs_behind_one_that_cannot_be_refunded_are_rescued_all_the_same() {
    System::new().block_on(async {
        let house = house().await;
        let sweep = || house.tree.rescuer.ask(Sweep { everything: true });
        let mut left_behind = vec![];
        for _ in 0..2 {
            let (user, ledger) = house.user(1).await;
            let mut run = house.text_run(user);
            run.node = Uuid::new_v4();
            let (run_id, now) = (run.id, house.clock.now());
            ledger.ask(Charge(Box::new(run))).await.unwrap().unwrap();
            left_behind.push((user, ledger, run_id));
            for _ in 0..3 {
                let dying = Uuid::new_v4();
                let claim =
                    house
                        .store
                        .claim_unfinished(dying, Claimable::Everything, judge(now), now, 10);
                assert_eq!(claim.await.unwrap().len(), left_behind.len());
            }
        }
        let (user, ledger) = house.user(1).await;
        let mut run = house.text_run(user);
        run.node = Uuid::new_v4();
        let resumed = run.id;
        ledger.ask(Charge(Box::new(run))).await.unwrap().unwrap();
        // The first account does not hold what it reserved: giving it back would leave less than nothing.
        let (stuck, _, stuck_run) = &left_behind[0];
        let holds = |reserved| {
            format!(
                "UPDATE users SET reserved = {reserved} WHERE id = x'{}'",
                stuck.0.simple()
            )
        };
        house.store.tamper(holds(0)).await;
        assert!(matches!(
            sweep().await.unwrap(),
            Err(StoreError::Conflict(_))
        ));
        let status = async |run_id| house.store.run(run_id).await.unwrap().unwrap().status;
        assert_eq!(status(*stuck_run).await, Status::Running);
        let (_, ledger, refunded_run) = &left_behind[1];
        assert_eq!(status(*refunded_run).await, Status::Failed);
        assert_eq!(house.available(ledger).await, (1, 0));
        while house.runs().holds(resumed) {
            tokio::task::yield_now().await;
        }
        assert_eq!(status(resumed).await, Status::Completed);
        // When its lease is given up it is claimed again, and by then it can be refunded.
        house.store.tamper(holds(1)).await;
        let over = format!(
            "UPDATE generations SET lease_until = created_at WHERE run_id = x'{}'",
            stuck_run.0.simple()
        );
        house.store.tamper(over).await;
        assert_eq!(sweep().await.unwrap(), Ok(1));
        assert_eq!(status(*stuck_run).await, Status::Failed);
        house.is_clean().await;
    });
}

#[test]
fn a_stage_that_panics_fails_its_run_and_tells_nobody_why_inside() {
    System::new().block_on(async {
        for stage in Stage::ALL {
            let (line, mut risen, _stop) = Line::new(tracing::Span::none(), Arc::default());
            let outcome: Option<Validated> =
                line.work(stage, async { panic!("secret words") }).await;
            assert_eq!(outcome, None);
            let entered = risen.recv().await;
            assert!(matches!(entered, Some(Risen::Entered(entered)) if entered == stage));
            let Some(Risen::Failed(failure)) = risen.recv().await else {
                panic!("the run is told")
            };
            assert_eq!(failure.reason, Reason::Internal);
            assert!(!failure.message.contains("secret"));
        }
    });
}

#[test]
fn a_stage_is_broken_off_when_its_run_has_ended() {
    System::new().block_on(async {
        let (line, _risen, stop) = Line::new(tracing::Span::none(), Arc::default());
        let work = actix_rt::spawn(line.work(
            Stage::Extracting,
            std::future::pending::<Result<Validated, Failure>>(),
        ));
        tokio::task::yield_now().await;
        stop.send(true).unwrap();
        assert_eq!(work.await.unwrap(), None);
    });
}

/// Breaks whoever hears it.
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct Break;

#[test]
fn a_settlement_that_was_given_up_is_planted_anew_and_lost_when_that_does_not_last() {
    System::new().block_on(async {
        let house = house().await;
        let (user, ledger) = house.user(5).await;
        let (settlement, lost) = (house.tree.settlement.clone(), house.tree.lost.clone());
        let break_it = async || {
            for _ in 0..=RESTARTS_MAX {
                assert_eq!(settlement.ask(Break).await, Err(Undelivered::Gone));
            }
        };
        let restarts = || {
            settlement
                .observe()
                .instances
                .first()
                .map(|one| one.restarts)
        };
        break_it().await;
        while restarts() != Some(0) {
            tokio::task::yield_now().await;
        }
        assert_eq!(lost.name(), None);
        let minute = Duration::from_secs(60);
        let events = house.launch(&ledger, house.text_run(user), minute).await;
        let heard = all(events).await;
        assert!(
            matches!(heard.last(), Some(Event::Completed(_))),
            "{heard:?}"
        );

        break_it().await;
        tokio::time::timeout(minute, lost.wait()).await.unwrap();
        assert_eq!(lost.name(), Some("settlement"));
        let refused = ledger.ask(Charge(Box::new(house.text_run(user)))).await;
        assert!(matches!(refused, Ok(Err(Refused::Store(_)))), "{refused:?}");
        assert_eq!(house.available(&ledger).await, (4, 0));
        house.is_clean().await;
    });
}

#[test]
fn a_run_whose_ledger_was_given_up_is_settled_by_its_successor() {
    System::new().block_on(async {
        let house = house().await;
        let (user, ledger) = house.user(5).await;
        let slots = Arc::clone(&ledger.shared().slots);
        let all_slots = slots.acquire_many_owned(2).await.unwrap();
        let run = house.text_run(user);
        let run_id = run.id;
        let events = house.launch(&ledger, run, Duration::from_secs(60)).await;
        // Its actor is made, with the ledger that lives now, and waits.
        assert!(house.runs().join(run_id).await.is_some());
        for _ in 0..=RESTARTS_MAX {
            assert_eq!(ledger.ask(Break).await, Err(Undelivered::Gone));
        }
        while !ledger.is_gone() {
            tokio::task::yield_now().await;
        }
        drop(all_slots);
        let heard = all(events).await;
        assert!(
            matches!(heard.last(), Some(Event::Completed(_))),
            "{heard:?}"
        );
        assert_eq!(house.available(&house.tree.ledgers.of(user)).await, (4, 0));
        house.is_clean().await;
    });
}
