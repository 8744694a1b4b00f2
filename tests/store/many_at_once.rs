//! Many callers at once, callers that leave, and servers that hang up.

use crate::ground::*;
use futures_util::FutureExt;
use futures_util::future::join_all;
use skillkiln::domain::credits::Credits;
use skillkiln::domain::id::RunId;
use skillkiln::store::connection::Store;
use skillkiln::store::model::{Claimable, Entry, Refused, StoreError};

on_both! {
    the_last_credits_are_spent_once_however_many_ask,
    a_run_that_two_nodes_end_at_once_ends_once,
    batches_of_many_accounts_from_two_nodes_all_settle,
    a_run_left_behind_goes_to_one_of_many_nodes,
    a_caller_that_leaves_does_not_undo_what_it_asked_for,
    a_store_that_ended_refuses_and_another_goes_on,
}

async fn the_last_credits_are_spent_once_however_many_ask(ground: Ground) {
    let id = user(&ground.store, 10).await;
    let other = Store::open(&ground.url).await.expect("opens");
    let tries = (0..40).map(|number| {
        let store = if number % 2 == 0 {
            &ground.store
        } else {
            &other
        };
        charge(store, run(id))
    });
    let outcomes = join_all(tries).await;
    let paid = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
    let refused = Err(Refused::InsufficientCredits {
        available: Credits(0),
    });
    assert_eq!(paid, 10, "{outcomes:?}");
    assert_eq!(
        outcomes
            .iter()
            .filter(|outcome| **outcome == refused)
            .count(),
        30
    );
    assert_eq!(holds(&ground.store, id).await, (0, 10));
    sound(&ground.store).await;
}

async fn a_store_that_ended_refuses_and_another_goes_on(ground: Ground) {
    let id = user(&ground.store, 10).await;
    charge(&ground.store, run(id)).await.expect("charged");
    let other = Store::open(&ground.url).await.expect("opens");
    let ending = ground.store.clone();
    let ended = tokio::task::spawn_blocking(move || ending.end());
    ended.await.expect("ends");
    for store in [ground.store.clone(), ground.store.clone()] {
        let asked = store.waiting_count().await;
        assert!(
            matches!(asked, Err(StoreError::Unavailable(_))),
            "{asked:?}"
        );
        let charged = charge(&store, run(id)).await;
        assert!(
            matches!(charged, Err(Refused::Store(StoreError::Unavailable(_)))),
            "{charged:?}"
        );
    }
    assert_eq!(holds(&other, id).await, (9, 1));
    sound(&other).await;
}

async fn a_run_that_two_nodes_end_at_once_ends_once(ground: Ground) {
    let id = user(&ground.store, 10).await;
    let other = Store::open(&ground.url).await.expect("opens");
    for _ in 0..10 {
        let new = run(id);
        let run_id = new.id;
        charge(&ground.store, new).await.expect("charged");
        let (first, second) = tokio::join!(
            complete(&ground.store, run_id, &["rye"]),
            fail(&other, run_id)
        );
        let ended = Err(Refused::AlreadyEnded);
        assert!(first.is_ok() != second.is_ok(), "{first:?} {second:?}");
        assert!(first == ended || second == ended, "{first:?} {second:?}");
        store_is_mended(&ground.store, id, run_id).await;
    }
    sound(&ground.store).await;
}

async fn store_is_mended(store: &Store, id: skillkiln::domain::id::UserId, run_id: RunId) {
    assert_eq!(holds(store, id).await.1, 0);
    assert_eq!(fail(store, run_id).await, Err(Refused::AlreadyEnded));
}

async fn batches_of_many_accounts_from_two_nodes_all_settle(ground: Ground) {
    let mut ids = Vec::new();
    for _ in 0..20 {
        ids.push(user(&ground.store, 20).await);
    }
    let other = Store::open(&ground.url).await.expect("opens");
    // Every batch names every account, half of them in the opposite order: without one order of locks they would wait for
    // each other for ever.
    let batches = (0..10).map(|number| {
        let mut batch: Vec<Entry> = ids
            .iter()
            .map(|id| Entry::Charge(Box::new(run(*id))))
            .collect();
        if number % 2 == 0 {
            batch.reverse();
        }
        let store = if number % 3 == 0 {
            &other
        } else {
            &ground.store
        };
        store.settle(batch)
    });
    for answers in join_all(batches).await {
        assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    }
    for id in ids {
        assert_eq!(holds(&ground.store, id).await, (10, 10));
    }
    sound(&ground.store).await;
}

async fn a_run_left_behind_goes_to_one_of_many_nodes(ground: Ground) {
    let id = user(&ground.store, 30).await;
    for _ in 0..30 {
        charge(&ground.store, run(id)).await.expect("charged");
    }
    let store = &ground.store;
    let free = || Claimable::ExceptAccounts(Vec::new());
    let claims = (10..20).map(|node| {
        store.claim_unfinished(uuid::Uuid::from_u128(node), free(), judge(60), at(120), 10)
    });
    let claimed = join_all(claims).await;
    let mut ids: Vec<_> = claimed
        .into_iter()
        .flat_map(|runs| runs.expect("answers"))
        .map(|run| run.run_id)
        .collect();
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all, "a run was claimed twice");
    // Nodes that looked while others held the rows found none; what is left is there for the next look.
    let rest = store
        .claim_unfinished(NODE, free(), judge(60), at(120), 30)
        .await
        .expect("answers");
    assert_eq!(all + rest.len(), 30);
}

async fn a_caller_that_leaves_does_not_undo_what_it_asked_for(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 1).await;
    let new = run(id);
    let run_id = new.id;
    {
        let asked = charge(store, new);
        // Asked once, and dropped before the answer.
        let _ = asked.now_or_never();
    }
    // No time is waited for: each look is a round trip, and the charge is on its way.
    let mut looks = 0;
    while holds(store, id).await != (0, 1) {
        looks += 1;
        assert!(looks < 100_000, "the charge got lost");
    }
    assert!(store.run(run_id).await.expect("answers").is_some());
    sound(store).await;
}

#[tokio::test]
async fn after_the_server_hung_up_the_next_call_finds_a_new_connection() {
    let ground = postgres().await;
    let id = user(&ground.store, 3).await;
    // Several connections in the pool, all of them cut.
    join_all((0..8).map(|_| ground.store.user(id))).await;
    let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
               WHERE datname = current_database() AND pid <> pg_backend_pid()";
    ground.tamper(cut).await.expect("cut");
    let mut unavailable = 0;
    let found = loop {
        match ground.store.user(id).await {
            Ok(found) => break found,
            Err(StoreError::Unavailable(_)) => unavailable += 1,
            Err(error) => panic!("{error}"),
        }
        assert!(unavailable <= 16, "no connection comes back");
    };
    assert_eq!(found.map(|user| user.id), Some(id));
    charge(&ground.store, run(id)).await.expect("charged");
}

#[test]
fn a_store_may_be_used_and_dropped_on_a_single_thread_that_ends() {
    for postgres_too in [false, true] {
        let single = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        let ground = single.block_on(async {
            if postgres_too {
                postgres().await
            } else {
                sqlite().await
            }
        });
        let id = single.block_on(user(&ground.store, 1));
        drop(single);
        let next = tokio::runtime::Builder::new_current_thread()
            .build()
            .expect("a runtime");
        next.block_on(async move {
            assert_eq!(holds(&ground.store, id).await, (1, 0));
            drop(ground);
        });
    }
}
