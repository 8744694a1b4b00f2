//! Charging, completing, failing, granting: one charge, one end, and books that balance.

use crate::ground::*;
use skillkiln::domain::credits::{Credits, GrantReason};
use skillkiln::domain::generation::Status;
use skillkiln::domain::id::{GrantId, RunId, SkillId, UserId};
use skillkiln::domain::user::Plan;
use skillkiln::store::model::{Completion, Entry, Refused, Settled};

on_both! {
    a_charge_reserves_the_price_and_writes_the_run_down,
    a_completed_run_spends_its_credit_and_its_skill_is_in_the_library,
    a_failed_run_gives_its_credit_back,
    a_skill_for_which_nothing_is_owed_is_in_the_library_and_its_credit_is_back,
    a_run_ends_once_whoever_tries_again,
    an_empty_account_is_refused_and_nothing_is_written,
    charging_a_run_twice_charges_once,
    a_grant_under_one_key_comes_once,
    the_unlimited_plan_pays_nothing,
    a_catalogue_is_charged_and_given_back_as_one,
    one_bad_entry_does_not_fail_its_neighbours,
    a_batch_is_decided_in_the_order_of_arrival,
}

async fn a_charge_reserves_the_price_and_writes_the_run_down(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 3).await;
    let new = run(id);
    let (run_id, order) = (new.id, new.order.clone());
    assert_eq!(
        charge(store, new).await,
        Ok(Settled::Charged {
            charged: Credits(1),
            available: Credits(2)
        })
    );
    assert_eq!(holds(store, id).await, (2, 1));
    let written = store.run(run_id).await.expect("answers").expect("a run");
    assert_eq!(
        (written.status, written.balance_after),
        (Status::Running, Credits(2))
    );
    assert_eq!(written.order, order);
    let (rows, total) = store.generations_of(id, 10, 0).await.expect("answers");
    assert_eq!((rows.len(), total), (1, 1));
    assert_eq!(rows[0].credits_charged, Credits(1));
    assert_eq!(store.unfinished_count().await, Ok(1));
    assert_eq!(store.oldest_reservation().await, Ok(Some(NOON)));
    sound(store).await;
}

async fn a_completed_run_spends_its_credit_and_its_skill_is_in_the_library(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 3).await;
    let new = run(id);
    let run_id = new.id;
    charge(store, new).await.expect("charged");
    assert_eq!(
        complete(store, run_id, &["rye"]).await,
        Ok(Settled::Completed)
    );
    assert_eq!(holds(store, id).await, (2, 0));
    let found = store
        .skill(id, SkillId(run_id.0))
        .await
        .expect("answers")
        .expect("a skill");
    assert_eq!(found.skill, skill("rye"));
    assert_eq!(
        (found.created_at, found.updated_at, found.is_public),
        (at(10), at(10), false)
    );
    let run = store.run(run_id).await.expect("answers").expect("a run");
    assert_eq!(run.status, Status::Completed);
    let made: Vec<_> = run.skills.iter().flatten().collect();
    assert_eq!((made.len(), made[0].skill_id), (1, found.id));
    assert_eq!(*made[0].skill, found.skill);
    let (rows, _) = store.generations_of(id, 10, 0).await.expect("answers");
    assert_eq!((rows[0].name.as_str(), rows[0].word_count), ("rye", 7));
    assert_eq!(
        (rows[0].filename.as_deref(), rows[0].completed_at),
        (Some("rye.md"), Some(at(10)))
    );
    let standing = store
        .standing(id)
        .await
        .expect("answers")
        .expect("an account");
    assert_eq!(standing.total_generations, 1);
    assert_eq!(store.unfinished_count().await, Ok(0));
    assert_eq!(store.oldest_reservation().await, Ok(None));
    sound(store).await;
}

async fn a_skill_for_which_nothing_is_owed_is_in_the_library_and_its_credit_is_back(
    ground: Ground,
) {
    let store = &ground.store;
    let id = user(store, 3).await;
    let new = run(id);
    let run_id = new.id;
    charge(store, new).await.expect("charged");
    let completion = Completion {
        run_id,
        skills: vec![skill("rye").into()],
        index: None,
        is_given_back: true,
        at: at(10),
    };
    let entry = Entry::Complete(Box::new(completion));
    let ended = store.settle(vec![entry.clone(), entry]).await;
    assert_eq!(ended, [Ok(Settled::Completed), Err(Refused::AlreadyEnded)]);
    assert_eq!(holds(store, id).await, (3, 0));
    let run = store.run(run_id).await.expect("answers").expect("a run");
    assert_eq!(
        (run.status, run.charged, run.refunded),
        (Status::Completed, Credits(1), Credits(1))
    );
    let (rows, _) = store.generations_of(id, 10, 0).await.expect("answers");
    assert_eq!(
        (rows[0].credits_charged, rows[0].credits_refunded),
        (Credits(1), Credits(1))
    );
    let standing = store.standing(id).await.expect("answers");
    assert_eq!(standing.expect("an account").total_generations, 1);
    sound(store).await;
}

async fn a_failed_run_gives_its_credit_back(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 1).await;
    let new = run(id);
    let run_id = new.id;
    charge(store, new).await.expect("charged");
    assert_eq!(
        fail(store, run_id).await,
        Ok(Settled::Failed {
            refunded: Credits(1),
            available: Credits(1)
        })
    );
    assert_eq!(holds(store, id).await, (1, 0));
    let run = store.run(run_id).await.expect("answers").expect("a run");
    assert_eq!(
        run.failure.expect("a reason").message,
        "the page did not answer"
    );
    let (rows, _) = store.generations_of(id, 10, 0).await.expect("answers");
    assert_eq!(
        (rows[0].status, rows[0].credits_refunded),
        (Status::Failed, Credits(1))
    );
    sound(store).await;
}

async fn a_run_ends_once_whoever_tries_again(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 2).await;
    let (first, second) = (run(id), run(id));
    let (first_id, second_id) = (first.id, second.id);
    charge(store, first).await.expect("charged");
    charge(store, second).await.expect("charged");
    complete(store, first_id, &["rye"])
        .await
        .expect("completed");
    fail(store, second_id).await.expect("failed");
    for id in [first_id, second_id] {
        assert_eq!(fail(store, id).await, Err(Refused::AlreadyEnded));
        assert_eq!(
            complete(store, id, &["rye"]).await,
            Err(Refused::AlreadyEnded)
        );
    }
    assert_eq!(holds(store, id).await, (1, 0));
    assert_eq!(fail(store, RunId::new()).await, Err(Refused::Unknown));
    sound(store).await;
}

async fn an_empty_account_is_refused_and_nothing_is_written(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 0).await;
    assert_eq!(
        charge(store, run(id)).await,
        Err(Refused::InsufficientCredits {
            available: Credits(0)
        })
    );
    assert_eq!(
        charge(store, run(UserId::new())).await,
        Err(Refused::Unknown)
    );
    assert_eq!(store.generations_of(id, 10, 0).await.expect("answers").1, 0);
    sound(store).await;
}

async fn charging_a_run_twice_charges_once(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 5).await;
    for new in [run(id), catalogue(id, 2)] {
        charge(store, new.clone()).await.expect("charged");
        assert_eq!(charge(store, new.clone()).await, Err(Refused::Duplicate));
        fail(store, new.id).await.expect("failed");
        assert_eq!(charge(store, new).await, Err(Refused::Duplicate));
    }
    assert_eq!(holds(store, id).await, (5, 0));
    sound(store).await;
}

async fn a_grant_under_one_key_comes_once(ground: Ground) {
    let store = &ground.store;
    let (ann, bob) = (user(store, 0).await, user(store, 0).await);
    let key = GrantId::new();
    let pack = |user_id| Entry::Grant {
        id: key,
        user_id,
        amount: Credits(10),
        reason: GrantReason::Pack,
        at: NOON,
    };
    let given = Ok(Settled::Granted {
        available: Credits(10),
    });
    assert_eq!(
        store.settle(vec![pack(ann), pack(ann)]).await,
        vec![given.clone(), given.clone()]
    );
    assert_eq!(one(store, pack(ann)).await, given);
    assert_eq!(one(store, pack(bob)).await, Err(Refused::Duplicate));
    assert!(matches!(
        one(store, grant(ann, 0)).await,
        Err(Refused::Store(_))
    ));
    assert!(matches!(
        one(store, grant(ann, u32::MAX)).await,
        Err(Refused::Store(_))
    ));
    let standing = store
        .standing(ann)
        .await
        .expect("answers")
        .expect("an account");
    assert_eq!(
        (standing.available, standing.packs_purchased),
        (Credits(10), 1)
    );
    sound(store).await;
}

async fn the_unlimited_plan_pays_nothing(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 1).await;
    store.set_plan(id, Plan::Unlimited).await.expect("set");
    let (made, failed) = (run(id), run(id));
    let (made_id, failed_id) = (made.id, failed.id);
    for new in [made, failed] {
        assert_eq!(
            charge(store, new).await,
            Ok(Settled::Charged {
                charged: Credits(0),
                available: Credits(1)
            })
        );
    }
    complete(store, made_id, &["rye"]).await.expect("completed");
    assert_eq!(
        fail(store, failed_id).await,
        Ok(Settled::Failed {
            refunded: Credits(0),
            available: Credits(1)
        })
    );
    assert_eq!(holds(store, id).await, (1, 0));
    sound(store).await;
}

async fn a_catalogue_is_charged_and_given_back_as_one(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 5).await;
    let (made, failed) = (catalogue(id, 3), catalogue(id, 2));
    let (made_id, failed_id) = (made.id, failed.id);
    charge(store, made).await.expect("charged");
    charge(store, failed).await.expect("charged");
    assert_eq!(holds(store, id).await, (0, 5));
    assert!(
        matches!(
            complete(store, made_id, &["rye"]).await,
            Err(Refused::Store(_))
        ),
        "one skill a row"
    );
    complete(store, made_id, &["rye", "spelt", "corn"])
        .await
        .expect("completed");
    fail(store, failed_id).await.expect("failed");
    assert_eq!(holds(store, id).await, (2, 0));
    let run = store.run(made_id).await.expect("answers").expect("a run");
    let names: Vec<_> = run
        .skills
        .iter()
        .flatten()
        .map(|found| found.skill.name.as_str())
        .collect();
    assert_eq!(names, ["rye", "spelt", "corn"]);
    let standing = store
        .standing(id)
        .await
        .expect("answers")
        .expect("an account");
    assert_eq!(standing.total_generations, 3);
    sound(store).await;
}

async fn one_bad_entry_does_not_fail_its_neighbours(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 9).await;
    let earlier = run(id);
    charge(store, earlier.clone()).await.expect("charged");
    // A row whose identity is taken: only the database notices.
    let mut bad = run(id);
    bad.generations[0].id = earlier.generations[0].id;
    let batch = [run(id), bad, run(id)].map(|new| Entry::Charge(Box::new(new)));
    let answers = store.settle(batch.into()).await;
    assert!(answers[0].is_ok() && answers[2].is_ok(), "{answers:?}");
    assert!(matches!(answers[1], Err(Refused::Store(_))), "{answers:?}");
    assert_eq!(holds(store, id).await, (6, 3));
    sound(store).await;
}

async fn a_batch_is_decided_in_the_order_of_arrival(ground: Ground) {
    let store = &ground.store;
    let (ann, bob) = (user(store, 1).await, user(store, 1).await);
    let (first, second, third) = (run(ann), run(ann), run(ann));
    let ids = (first.id, second.id, third.id);
    let charged = |new| Entry::Charge(Box::new(new));
    let answers = store
        .settle(vec![
            charged(first),
            charged(second.clone()),
            charged(run(bob)),
            failure_of(ids.0),
            charged(second),
            failure_of(ids.0),
            grant(ann, 1),
            charged(third),
        ])
        .await;
    let one = |available| {
        Ok(Settled::Charged {
            charged: Credits(1),
            available: Credits(available),
        })
    };
    assert_eq!(
        answers,
        vec![
            one(0),
            Err(Refused::InsufficientCredits {
                available: Credits(0)
            }),
            one(0),
            Ok(Settled::Failed {
                refunded: Credits(1),
                available: Credits(1)
            }),
            one(0),
            Err(Refused::AlreadyEnded),
            Ok(Settled::Granted {
                available: Credits(1)
            }),
            one(0),
        ]
    );
    assert_eq!(holds(store, ann).await, (0, 2));
    sound(store).await;
}
