//! Purchases: each event once, whatever order they come in; credits that went back are taken or owed; the books always balance.

use crate::ground::*;
use futures_util::future::join_all;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use skillkiln::domain::clock::Timestamp;
use skillkiln::domain::credits::Credits;
use skillkiln::domain::id::{PaymentId, UserId};
use skillkiln::domain::payment::{
    Fact, HostedPage, Money, Outcome, Payment, Provider, Stage, Standing,
};
use skillkiln::domain::user::{Plan, Standing as Holding};
use skillkiln::store::connection::Store;
use skillkiln::store::model::{Entry, NewPayment, News, Opened, Refused, Settled, StoreError};

on_both! {
    a_paid_pack_gives_its_credits_and_its_plan,
    the_same_event_grants_once_alone_together_and_at_once,
    two_events_that_say_paid_grant_once,
    a_refund_takes_credits_and_what_was_spent_is_owed,
    what_is_owed_is_repaid_by_whatever_comes,
    a_refund_heard_before_the_payment_leaves_nothing,
    a_part_that_went_back_takes_a_part_and_the_sum_counts,
    a_dispute_takes_and_one_that_is_won_gives_again,
    a_refund_that_failed_gives_again,
    another_price_gives_nothing,
    an_event_that_an_account_has_no_room_for_is_heard_when_it_comes_again,
    a_subscription_makes_unlimited_and_its_end_gives_the_packs_back,
    the_plan_is_the_last_pack_bought_not_the_last_heard,
    an_event_of_another_account_is_unknown,
    whoever_asks_again_gets_the_same_purchase,
    a_second_subscription_is_refused,
    an_event_waits_for_its_purchase,
    the_ledger_of_an_older_program_is_kept,
}

fn money(amount: i64) -> Money {
    Money {
        amount,
        currency: "eur".to_owned(),
    }
}

fn wish(user_id: UserId, plan: Plan) -> NewPayment {
    NewPayment {
        id: PaymentId::new(),
        user_id,
        plan,
        provider: Provider::Stripe,
        credits: Credits(if plan == Plan::Unlimited { 0 } else { 10 }),
        at: NOON,
        payable_until: at(60),
        unanswered_after: Timestamp::from_micros(0),
    }
}

/// A purchase whose page names a price of 1000.
async fn purchase(store: &Store, user_id: UserId, plan: Plan) -> Payment {
    let Opened::Open(payment) = store
        .open_payment(wish(user_id, plan))
        .await
        .expect("opens")
    else {
        panic!("not opened");
    };
    let page = HostedPage {
        session: format!("cs_{}", payment.id),
        url: "https://pay.example.org/1".to_owned(),
        expires_at: at(3600),
        money: Some(money(1000)),
        livemode: false,
    };
    store.note_page(payment.id, page).await.expect("noted");
    *payment
}

fn news(event: &str, seconds: u64, fact: Fact) -> News {
    News {
        event: event.to_owned(),
        reference: None,
        livemode: false,
        at: at(seconds),
        fact,
        received_at: at(seconds + 5),
    }
}

fn page(outcome: Outcome) -> Fact {
    Fact::Page {
        outcome,
        money: Some(money(1000)),
        intent: Some("pi_1".to_owned()),
        subscription: None,
    }
}

fn back(back: i64) -> Fact {
    Fact::Refunded {
        paid: 1000,
        back,
        intent: Some("pi_1".to_owned()),
    }
}

fn dispute(stage: Stage) -> Fact {
    Fact::Disputed {
        dispute: "dp_1".to_owned(),
        money: money(1000),
        stage,
    }
}

fn subscription(standing: Standing) -> Fact {
    Fact::Subscription {
        subscription: "sub_1".to_owned(),
        standing,
    }
}

fn entry(payment: &Payment, news: News) -> Entry {
    Entry::Hear {
        user_id: payment.user_id,
        payment_id: payment.id,
        news: Box::new(news),
    }
}

/// Hears an event: what it gave, and what it took.
async fn hear(store: &Store, payment: &Payment, news: News) -> (u32, u32) {
    match one(store, entry(payment, news)).await {
        Ok(Settled::Heard { given, taken, .. }) => (given.0, taken.0),
        other => panic!("{other:?}"),
    }
}

async fn standing(store: &Store, user_id: UserId) -> Holding {
    let read = store.standing(user_id).await.expect("answers");
    read.expect("an account")
}

/// What can be spent, what is owed, packs and plan; the books balance.
async fn account(store: &Store, user_id: UserId) -> (u32, u32, u32, Plan) {
    sound(store).await;
    let standing = standing(store, user_id).await;
    (
        standing.available.0,
        standing.owed.0,
        standing.packs_purchased,
        standing.plan,
    )
}

/// Spends so many credits for good.
async fn spend(store: &Store, user_id: UserId, credits: u32) {
    for _ in 0..credits {
        let run = run(user_id);
        let id = run.id;
        charge(store, run).await.expect("charged");
        complete(store, id, &["rye"]).await.expect("completed");
    }
}

async fn a_paid_pack_gives_its_credits_and_its_plan(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 3).await;
    let bought = purchase(store, id, Plan::Starter).await;
    assert_eq!(account(store, id).await, (3, 0, 0, Plan::Free));
    assert_eq!(
        hear(store, &bought, news("e0", 1, page(Outcome::Pending))).await,
        (0, 0)
    );
    assert_eq!(account(store, id).await, (3, 0, 0, Plan::Free));
    assert_eq!(
        hear(store, &bought, news("e1", 2, page(Outcome::Paid))).await,
        (10, 0)
    );
    assert_eq!(account(store, id).await, (13, 0, 1, Plan::Starter));
    let known = store
        .payment(bought.id)
        .await
        .expect("answers")
        .expect("there");
    assert_eq!(
        (known.given, known.counts, known.paid_at),
        (Credits(10), true, Some(at(2)))
    );
    assert!(known.closed_at.is_some());
}

async fn the_same_event_grants_once_alone_together_and_at_once(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 0).await;
    let bought = purchase(store, id, Plan::Starter).await;
    let paid = || entry(&bought, news("e1", 1, page(Outcome::Paid)));
    let at_once = join_all((0..50).map(|_| one(store, paid()))).await;
    let fresh = at_once.iter().filter(|answer| {
        matches!(answer, Ok(Settled::Heard { fresh: true, given, .. }) if *given == Credits(10))
    });
    assert_eq!(fresh.count(), 1);
    assert!(at_once.iter().all(Result::is_ok));
    let together = store.settle((0..20).map(|_| paid()).collect()).await;
    assert!(
        together
            .iter()
            .all(|answer| matches!(answer, Ok(Settled::Heard { fresh: false, .. })))
    );
    assert_eq!(account(store, id).await, (10, 0, 1, Plan::Starter));
}

async fn two_events_that_say_paid_grant_once(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 0).await;
    let bought = purchase(store, id, Plan::Starter).await;
    let batch =
        ["e1", "e2", "e1", "e3"].map(|event| entry(&bought, news(event, 1, page(Outcome::Paid))));
    let answers = store.settle(batch.to_vec()).await;
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    assert_eq!(account(store, id).await, (10, 0, 1, Plan::Starter));
}

async fn an_event_that_an_account_has_no_room_for_is_heard_when_it_comes_again(ground: Ground) {
    let store = &ground.store;
    let (id, other) = (user(store, u32::MAX - 5).await, user(store, 0).await);
    let bought = purchase(store, id, Plan::Starter).await;
    let others = purchase(store, other, Plan::Starter).await;
    let paid = |event| entry(&bought, news(event, 1, page(Outcome::Paid)));
    let neighbour = entry(&others, news("e9", 1, page(Outcome::Paid)));
    let answers = store.settle(vec![paid("e1"), neighbour, paid("e2")]).await;
    for refused in [&answers[0], &answers[2]] {
        assert!(
            matches!(refused, Err(Refused::Store(StoreError::Conflict(_)))),
            "{answers:?}"
        );
    }
    assert_eq!(account(store, id).await, (u32::MAX - 5, 0, 0, Plan::Free));
    assert_eq!(account(store, other).await, (10, 0, 1, Plan::Starter));
    let closed_at = store
        .payment(bought.id)
        .await
        .expect("answers")
        .expect("there")
        .closed_at;
    assert_eq!(closed_at, None, "nothing of it was noted");
    // There is room again after something was spent: the provider tells the event once more, and it gives.
    spend(store, id, 5).await;
    for (given, event) in [(10, "e1"), (0, "e1"), (0, "e2")] {
        let told = news(event, 1, page(Outcome::Paid));
        assert_eq!(hear(store, &bought, told).await, (given, 0));
    }
    assert_eq!(account(store, id).await, (u32::MAX, 0, 1, Plan::Starter));
}

async fn a_refund_takes_credits_and_what_was_spent_is_owed(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 0).await;
    let bought = purchase(store, id, Plan::Starter).await;
    hear(store, &bought, news("e1", 1, page(Outcome::Paid))).await;
    spend(store, id, 7).await;
    assert_eq!(
        hear(store, &bought, news("e2", 2, back(1000))).await,
        (0, 10)
    );
    assert_eq!(account(store, id).await, (0, 7, 0, Plan::Free));
    assert_eq!(
        charge(store, run(id)).await,
        Err(Refused::InsufficientCredits {
            available: Credits(0)
        })
    );
    assert_eq!(
        hear(store, &bought, news("e2", 2, back(1000))).await,
        (0, 0)
    );
    assert_eq!(account(store, id).await, (0, 7, 0, Plan::Free));
}

async fn what_is_owed_is_repaid_by_whatever_comes(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 0).await;
    let bought = purchase(store, id, Plan::Starter).await;
    hear(store, &bought, news("e1", 1, page(Outcome::Paid))).await;
    spend(store, id, 6).await;
    let failing = run(id);
    let failing_id = failing.id;
    charge(store, failing).await.expect("charged");
    hear(store, &bought, news("e2", 2, back(1000))).await;
    assert_eq!(account(store, id).await, (0, 7, 0, Plan::Free));
    // What a failed run gives back repays first.
    assert_eq!(
        fail(store, failing_id).await,
        Ok(Settled::Failed {
            refunded: Credits(1),
            available: Credits(0)
        })
    );
    assert_eq!(account(store, id).await, (0, 6, 0, Plan::Free));
    one(store, grant(id, 4)).await.expect("granted");
    assert_eq!(account(store, id).await, (0, 2, 0, Plan::Free));
    let next = purchase(store, id, Plan::Starter).await;
    assert_eq!(
        hear(store, &next, news("e3", 3, page(Outcome::Paid))).await,
        (10, 0)
    );
    assert_eq!(account(store, id).await, (8, 0, 1, Plan::Starter));
}

async fn a_refund_heard_before_the_payment_leaves_nothing(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 2).await;
    let bought = purchase(store, id, Plan::Starter).await;
    assert_eq!(
        hear(store, &bought, news("e2", 2, back(1000))).await,
        (0, 0)
    );
    assert_eq!(
        hear(store, &bought, news("e1", 1, page(Outcome::Paid))).await,
        (0, 0)
    );
    assert_eq!(account(store, id).await, (2, 0, 0, Plan::Free));
}

async fn a_part_that_went_back_takes_a_part_and_the_sum_counts(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 0).await;
    let bought = purchase(store, id, Plan::Starter).await;
    hear(store, &bought, news("e1", 1, page(Outcome::Paid))).await;
    assert_eq!(hear(store, &bought, news("e3", 3, back(550))).await, (0, 5));
    assert_eq!(hear(store, &bought, news("e2", 2, back(300))).await, (0, 0));
    assert_eq!(account(store, id).await, (5, 0, 1, Plan::Starter));
    assert_eq!(
        hear(store, &bought, news("e4", 4, back(1000))).await,
        (0, 5)
    );
    assert_eq!(
        hear(store, &bought, news("e5", 5, back(9000))).await,
        (0, 0)
    );
    assert_eq!(account(store, id).await, (0, 0, 0, Plan::Free));
}

async fn a_dispute_takes_and_one_that_is_won_gives_again(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 0).await;
    let bought = purchase(store, id, Plan::Starter).await;
    hear(store, &bought, news("e1", 1, page(Outcome::Paid))).await;
    assert_eq!(
        hear(store, &bought, news("e2", 2, dispute(Stage::Inquiry))).await,
        (0, 0)
    );
    assert_eq!(
        hear(store, &bought, news("e3", 3, dispute(Stage::Open))).await,
        (0, 10)
    );
    assert_eq!(account(store, id).await, (0, 0, 0, Plan::Free));
    assert_eq!(
        hear(store, &bought, news("e5", 5, dispute(Stage::Won))).await,
        (10, 0)
    );
    assert_eq!(
        hear(store, &bought, news("e4", 4, dispute(Stage::Open))).await,
        (0, 0)
    );
    assert_eq!(account(store, id).await, (10, 0, 1, Plan::Starter));
    // Money that went back twice was given once.
    hear(store, &bought, news("e6", 6, back(1000))).await;
    hear(
        store,
        &bought,
        news(
            "e7",
            7,
            Fact::Disputed {
                dispute: "dp_2".to_owned(),
                money: money(1000),
                stage: Stage::Lost,
            },
        ),
    )
    .await;
    assert_eq!(account(store, id).await, (0, 0, 0, Plan::Free));
}

async fn a_refund_that_failed_gives_again(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 0).await;
    let bought = purchase(store, id, Plan::Starter).await;
    let failed = Fact::RefundFailed {
        refund: "re_1".to_owned(),
        amount: 1000,
    };
    hear(store, &bought, news("e1", 1, page(Outcome::Paid))).await;
    hear(store, &bought, news("e2", 2, back(1000))).await;
    assert_eq!(
        hear(store, &bought, news("e3", 9, failed.clone())).await,
        (10, 0)
    );
    assert_eq!(hear(store, &bought, news("e4", 9, failed)).await, (0, 0));
    // A second try is a new sum, which is without the first.
    assert_eq!(
        hear(store, &bought, news("e5", 12, back(1000))).await,
        (0, 10)
    );
    assert_eq!(account(store, id).await, (0, 0, 0, Plan::Free));
}

async fn another_price_gives_nothing(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 0).await;
    let bought = purchase(store, id, Plan::Starter).await;
    for (event, price) in [
        ("e1", Some(money(1))),
        (
            "e3",
            Some(Money {
                amount: 1000,
                currency: "vnd".to_owned(),
            }),
        ),
    ] {
        let fact = Fact::Page {
            outcome: Outcome::Paid,
            money: price,
            intent: None,
            subscription: None,
        };
        let heard = one(store, entry(&bought, news(event, 1, fact))).await;
        assert!(
            matches!(heard, Ok(Settled::Heard { mispaid: true, given, .. }) if given == Credits(0)),
            "{heard:?}"
        );
    }
    assert_eq!(account(store, id).await, (0, 0, 0, Plan::Free));
}

async fn a_subscription_makes_unlimited_and_its_end_gives_the_packs_back(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 0).await;
    let pack = purchase(store, id, Plan::ProPack).await;
    hear(store, &pack, news("e1", 1, page(Outcome::Paid))).await;
    let bought = purchase(store, id, Plan::Unlimited).await;
    hear(
        store,
        &bought,
        news("s1", 2, subscription(Standing::Incomplete)),
    )
    .await;
    assert_eq!(account(store, id).await, (10, 0, 1, Plan::ProPack));
    hear(
        store,
        &bought,
        news("s2", 2, subscription(Standing::Active)),
    )
    .await;
    assert_eq!(account(store, id).await, (10, 0, 1, Plan::Unlimited));
    let free = run(id);
    let free_id = free.id;
    assert_eq!(
        charge(store, free).await,
        Ok(Settled::Charged {
            charged: Credits(0),
            available: Credits(10)
        })
    );
    for (event, seconds, standing, plan) in [
        ("s3", 10, Standing::PastDue, Plan::ProPack),
        ("s5", 30, Standing::Active, Plan::Unlimited),
        ("s4", 20, Standing::Unpaid, Plan::Unlimited),
        ("s6", 40, Standing::Ended, Plan::ProPack),
        ("s7", 50, Standing::Active, Plan::ProPack),
    ] {
        hear(store, &bought, news(event, seconds, subscription(standing))).await;
        assert_eq!(account(store, id).await, (10, 0, 1, plan), "{event}");
    }
    // What began on the subscription costs nothing; what begins after it costs a credit.
    complete(store, free_id, &["rye"]).await.expect("completed");
    charge(store, run(id)).await.expect("charged");
    assert_eq!(holds(store, id).await, (9, 1));
    sound(store).await;
}

async fn the_plan_is_the_last_pack_bought_not_the_last_heard(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 0).await;
    let first = purchase(store, id, Plan::Starter).await;
    let second = purchase(store, id, Plan::ProPack).await;
    hear(store, &second, news("e2", 20, page(Outcome::Paid))).await;
    hear(store, &first, news("e1", 10, page(Outcome::Paid))).await;
    assert_eq!(account(store, id).await, (20, 0, 2, Plan::ProPack));
    hear(store, &second, news("e3", 30, back(1000))).await;
    assert_eq!(account(store, id).await, (10, 0, 1, Plan::Starter));
    // What an operator gave is there again when nothing bought is left.
    store.set_plan(id, Plan::ProPack).await.expect("set");
    hear(store, &first, news("e4", 40, back(1000))).await;
    assert_eq!(account(store, id).await, (0, 0, 0, Plan::ProPack));
}

async fn an_event_of_another_account_is_unknown(ground: Ground) {
    let store = &ground.store;
    let (ann, bo) = (user(store, 0).await, user(store, 0).await);
    let bought = purchase(store, ann, Plan::Starter).await;
    let foreign = Entry::Hear {
        user_id: bo,
        payment_id: bought.id,
        news: Box::new(news("e1", 1, page(Outcome::Paid))),
    };
    assert_eq!(one(store, foreign).await, Err(Refused::Unknown));
    let nothing = Entry::Hear {
        user_id: ann,
        payment_id: PaymentId::new(),
        news: Box::new(news("e1", 1, page(Outcome::Paid))),
    };
    assert_eq!(one(store, nothing).await, Err(Refused::Unknown));
    assert_eq!(account(store, ann).await, (0, 0, 0, Plan::Free));
    // Nothing was written down of it: told to the right one, it is new.
    assert_eq!(
        hear(store, &bought, news("e1", 1, page(Outcome::Paid))).await,
        (10, 0)
    );
}

async fn whoever_asks_again_gets_the_same_purchase(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 0).await;
    let ask = |now: u64, plan: Plan| NewPayment {
        at: at(now),
        payable_until: at(now + 60),
        ..wish(id, plan)
    };
    let open = async |new: NewPayment| match store.open_payment(new).await.expect("answers") {
        Opened::Open(payment) => payment.id,
        other => panic!("{other:?}"),
    };
    let at_once = join_all((0..10).map(|_| open(ask(0, Plan::Starter)))).await;
    assert!(at_once.iter().all(|id| *id == at_once[0]));
    assert_ne!(open(ask(0, Plan::ProPack)).await, at_once[0]);
    let first = purchase(store, id, Plan::Starter).await;
    assert_eq!(first.id, at_once[0]);
    assert_eq!(open(ask(3000, Plan::Starter)).await, first.id);
    // Its page can be paid for less than a minute more.
    let second = open(ask(3550, Plan::Starter)).await;
    assert_ne!(second, first.id);
    // The first was paid all the same.
    assert_eq!(
        hear(store, &first, news("e1", 3590, page(Outcome::Paid))).await,
        (10, 0)
    );
    assert_eq!(open(ask(3600, Plan::Starter)).await, second);
    store.close_payment(second, at(3601)).await.expect("closed");
    assert_ne!(open(ask(3602, Plan::Starter)).await, second);
    assert_eq!(
        store.open_payment(wish(UserId::new(), Plan::Starter)).await,
        Ok(Opened::Unknown)
    );
}

async fn a_second_subscription_is_refused(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 0).await;
    let bought = purchase(store, id, Plan::Unlimited).await;
    let asked = async || {
        store
            .open_payment(wish(id, Plan::Unlimited))
            .await
            .expect("answers")
    };
    assert!(matches!(asked().await, Opened::Open(_)));
    for (event, seconds, standing) in [("s1", 1, Standing::Active), ("s2", 2, Standing::PastDue)] {
        hear(store, &bought, news(event, seconds, subscription(standing))).await;
        assert_eq!(asked().await, Opened::Subscribed);
    }
    hear(store, &bought, news("s3", 3, subscription(Standing::Ended))).await;
    assert!(matches!(asked().await, Opened::Open(_)));
    store.set_plan(id, Plan::Unlimited).await.expect("set");
    assert_eq!(asked().await, Opened::Subscribed);
}

async fn an_event_waits_for_its_purchase(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 0).await;
    let bought = purchase(store, id, Plan::Starter).await;
    let mut early = news("e2", 2, dispute(Stage::Lost));
    early.reference = Some("pi_1".to_owned());
    for _ in 0..2 {
        store.park_event(early.clone()).await.expect("kept");
    }
    let mut foreign = news("e9", 2, dispute(Stage::Lost));
    foreign.reference = Some("pi_of_somebody_else".to_owned());
    store.park_event(foreign).await.expect("kept");
    assert!(store.strays().await.expect("answers").is_empty());
    assert_eq!(
        hear(store, &bought, news("e1", 1, page(Outcome::Paid))).await,
        (10, 0)
    );
    let strays = store.strays().await.expect("answers");
    assert_eq!(strays.len(), 1);
    assert_eq!((&strays[0].news, strays[0].payment.id), (&early, bought.id));
    assert_eq!(hear(store, &bought, early.clone()).await, (0, 10));
    assert_eq!(hear(store, &bought, early).await, (0, 0));
    assert!(store.strays().await.expect("answers").is_empty());
    assert_eq!(account(store, id).await, (0, 0, 0, Plan::Free));
    assert_eq!(store.forget_strays(at(7)).await, Ok(0));
    assert_eq!(store.forget_strays(at(8)).await, Ok(1));
    assert_eq!(
        store
            .payment_by_reference("pi_1".to_owned())
            .await
            .expect("answers")
            .map(|found| found.id),
        Some(bought.id)
    );
}

/// What a database of the first schema holds is there after the upgrade, and can still not be changed.
async fn the_ledger_of_an_older_program_is_kept(ground: Ground) {
    let id = user(&ground.store, 5).await;
    spend(&ground.store, id, 2).await;
    let failing = run(id);
    let failing_id = failing.id;
    charge(&ground.store, failing).await.expect("charged");
    fail(&ground.store, failing_id).await.expect("failed");
    // Back to the first schema, and up again.
    let down = if ground.url.starts_with("sqlite") {
        include_str!("../../migrations/sqlite/00000000000030_payments/down.sql")
    } else {
        include_str!("../../migrations/postgres/00000000000030_payments/down.sql")
    };
    ground.tamper_many(down).await.expect("undone");
    ground
        .tamper("DELETE FROM __diesel_schema_migrations WHERE version = '00000000000030'")
        .await
        .expect("undone");
    let store = Store::open(&ground.url).await.expect("opens");
    assert_eq!(holds(&store, id).await, (3, 0));
    let books = store.books().await.expect("answers");
    assert_eq!(books.faults, Vec::<String>::new());
    assert_eq!((books.transfers, books.granted, books.posted), (7, 5, 2));
    for change in ["UPDATE transfers SET amount = 9", "DELETE FROM transfers"] {
        let refused = ground.tamper(change).await.expect_err("refused");
        assert!(refused.contains("immutable"), "{refused}");
    }
    let bought = purchase(&store, id, Plan::Starter).await;
    assert_eq!(
        hear(&store, &bought, news("e1", 1, page(Outcome::Paid))).await,
        (10, 0)
    );
    sound(&store).await;
}

/// Events of a pack and of a subscription as a provider tells them, and a few that contradict each other.
fn story() -> Vec<(bool, News)> {
    let failed = Fact::RefundFailed {
        refund: "re_1".to_owned(),
        amount: 200,
    };
    let pack = [
        news("p1", 1, page(Outcome::Pending)),
        news("p2", 5, page(Outcome::Paid)),
        news("p3", 5, page(Outcome::Paid)),
        news("p4", 7, back(200)),
        news("p5", 7, back(500)),
        news("p6", 9, failed),
        news("p7", 10, dispute(Stage::Open)),
        news("p8", 11, dispute(Stage::Won)),
        news("p9", 12, back(300)),
    ];
    let subscribed = [
        news("s1", 2, subscription(Standing::Incomplete)),
        news("s2", 2, subscription(Standing::Active)),
        news("s3", 6, subscription(Standing::PastDue)),
        news("s4", 6, subscription(Standing::Unpaid)),
        news("s5", 8, subscription(Standing::Active)),
    ];
    let of = |is_pack: bool| move |news: News| (is_pack, news);
    pack.into_iter()
        .map(of(true))
        .chain(subscribed.into_iter().map(of(false)))
        .collect()
}

/// Any order and repetition, in batches or alone, with credits spent and given between: the same end, and balanced books throughout.
fn any_order_gives_the_same(ground: impl Future<Output = Ground>, cases: u32) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let ground = runtime.block_on(ground);
    let count = story().len();
    let orders = (
        Just((0..count).collect::<Vec<_>>()).prop_shuffle(),
        proptest::collection::vec(0..count, 0..20),
        proptest::collection::vec(1..5usize, 40),
        proptest::collection::vec((0..34usize, 1..6u32), 0..3),
    );
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    TestRunner::new(config)
        .run(&orders, |(order, again, sizes, spending)| {
            runtime.block_on(tell(&ground.store, &order, &again, &sizes, &spending))
        })
        .expect("the end does not depend on the order");
}

async fn tell(
    store: &Store,
    order: &[usize],
    again: &[usize],
    sizes: &[usize],
    spending: &[(usize, u32)],
) -> Result<(), TestCaseError> {
    let id = user(store, 5).await;
    let pack = purchase(store, id, Plan::Starter).await;
    let subscribed = purchase(store, id, Plan::Unlimited).await;
    let story = story();
    // Repetitions come somewhere: between, and after the end.
    let mut told: Vec<usize> = Vec::new();
    for (position, event) in order.iter().enumerate() {
        told.push(*event);
        told.extend(again.get(position).filter(|again| told.contains(again)));
    }
    told.extend(again);
    let mut spent = 0u32;
    let mut rest: &[usize] = &told;
    let mut sizes = sizes.iter().cycle();
    let mut position = 0;
    while !rest.is_empty() {
        let (now, later) = rest.split_at((*sizes.next().expect("cyclic")).min(rest.len()));
        rest = later;
        let batch = now.iter().map(|event| {
            let (is_pack, news) = &story[*event];
            let mut news = news.clone();
            news.event = format!("{}-{}", news.event, id.0);
            entry(if *is_pack { &pack } else { &subscribed }, news)
        });
        for answer in store.settle(batch.collect()).await {
            prop_assert!(answer.is_ok(), "{answer:?}");
        }
        for (_, credits) in spending.iter().filter(|(when, _)| *when == position) {
            for _ in 0..*credits {
                let run = run(id);
                let run_id = run.id;
                if let Ok(Settled::Charged { charged, .. }) = charge(store, run).await {
                    spent += charged.0;
                    complete(store, run_id, &["rye"]).await.expect("completed");
                }
            }
        }
        position += 1;
        let now = standing(store, id).await;
        prop_assert!(now.owed == Credits(0) || now.available == Credits(0));
    }
    // Paid 1000, of which 300 went back at last; the dispute was won; the subscription runs.
    let end = standing(store, id).await;
    let net = i64::from(end.available.0) - i64::from(end.owed.0);
    prop_assert_eq!(net, 5 + 7 - i64::from(spent));
    prop_assert_eq!((end.plan, end.packs_purchased), (Plan::Unlimited, 1));
    let books = store.books().await.expect("answers");
    prop_assert_eq!(books.faults, Vec::<String>::new());
    Ok(())
}

#[test]
fn any_order_of_events_gives_the_same_end_on_sqlite() {
    any_order_gives_the_same(sqlite(), 96);
}

#[test]
fn any_order_of_events_gives_the_same_end_on_postgres() {
    any_order_gives_the_same(postgres(), 48);
}
