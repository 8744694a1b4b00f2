//! Runs: who works on them, and how a repeated request finds the first.

use crate::ground::*;
use skillkiln::domain::clock::{Clock, Timestamp};
use skillkiln::domain::credits::Credits;
use skillkiln::domain::generation::Status;
use skillkiln::domain::id::RunId;
use skillkiln::domain::lease::Judge;
use skillkiln::domain::usage::{MonthOfUse, RunUsage, Usage};
use skillkiln::store::model::{Claimable, NewRun, Refused, Settled, Unfinished};
use std::time::Duration;

on_both! {
    a_run_whose_lease_ran_out_is_claimed_once,
    all_runs_of_other_nodes_can_be_taken_over_at_once,
    a_lease_from_before_the_clock_was_set_back_is_over,
    who_cannot_judge_claims_what_is_nobodys_alone,
    a_renewed_lease_keeps_a_run_and_a_released_one_frees_it,
    a_run_that_its_node_does_not_hold_is_claimed_again_when_its_lease_is_over,
    ended_runs_are_nobodys_to_claim,
    who_works_on_what_has_not_ended_is_told_the_oldest_first,
    what_was_left_behind_longest_is_claimed_first_and_no_more_than_asked_for,
    a_run_that_only_waited_for_its_turn_was_not_begun,
    a_run_that_is_handed_over_can_be_begun_by_anybody_at_once_as_the_first_time,
    how_often_a_run_took_its_worker_down_is_known_to_whoever_claims_it,
    a_queued_run_becomes_running_with_all_its_rows,
    a_repeated_request_finds_the_first_for_a_day,
    the_same_key_for_another_route_or_account_is_another_request,
    the_history_is_newest_first_and_in_pages,
    the_ends_of_time_can_be_written,
    what_a_model_took_counts_once_a_beginning_and_is_added_up_by_month,
}

/// Whatever nobody holds.
fn free() -> Claimable {
    Claimable::ExceptAccounts(Vec::new())
}

async fn claim(ground: &Ground, node: uuid::Uuid, all: bool, now: u64) -> Vec<Unfinished> {
    let store = &ground.store;
    let wanted = match all {
        true => Claimable::Everything,
        false => free(),
    };
    store
        .claim_unfinished(node, wanted, judge(now), at(now + 60), 10)
        .await
        .expect("answers")
}

fn ids(runs: &[Unfinished]) -> Vec<RunId> {
    runs.iter().map(|run| run.run_id).collect()
}

async fn charged(ground: &Ground, new: NewRun) -> RunId {
    let id = new.id;
    charge(&ground.store, new).await.expect("charged");
    id
}

async fn a_run_whose_lease_ran_out_is_claimed_once(ground: Ground) {
    let id = user(&ground.store, 9).await;
    let new = catalogue(id, 3);
    let run_id = charged(&ground, new.clone()).await;
    assert_eq!(ids(&claim(&ground, OTHER_NODE, false, 59).await), []);
    let claimed = claim(&ground, OTHER_NODE, false, 60).await;
    assert_eq!(ids(&claimed), [run_id]);
    assert_eq!(
        (
            claimed[0].attempts,
            claimed[0].user_id,
            claimed[0].created_at
        ),
        (2, id, NOON)
    );
    assert_eq!(claimed[0].order, new.order);
    let planned: Vec<_> = new.generations.iter().map(|row| row.skill_id).collect();
    assert_eq!(claimed[0].skills, planned);
    assert_eq!(ids(&claim(&ground, NODE, false, 61).await), []);
    let again = claim(&ground, NODE, false, 120).await;
    assert_eq!(again[0].attempts, 3);
}

async fn all_runs_of_other_nodes_can_be_taken_over_at_once(ground: Ground) {
    let id = user(&ground.store, 9).await;
    let theirs = charged(&ground, run(id)).await;
    charged(
        &ground,
        NewRun {
            node: OTHER_NODE,
            ..run(id)
        },
    )
    .await;
    assert_eq!(ids(&claim(&ground, OTHER_NODE, true, 0).await), [theirs]);
    assert_eq!(ids(&claim(&ground, OTHER_NODE, true, 0).await), []);
}

async fn a_lease_from_before_the_clock_was_set_back_is_over(ground: Ground) {
    let id = user(&ground.store, 9).await;
    let left = charged(&ground, run(id)).await;
    let hour = vec![left];
    let renewed = ground.store.renew_leases(NODE, hour, at(3_600)).await;
    assert_eq!(renewed, Ok(1));
    assert_eq!(ids(&claim(&ground, OTHER_NODE, false, 0).await), [left]);
}

async fn who_cannot_judge_claims_what_is_nobodys_alone(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 9).await;
    charged(&ground, run(id)).await;
    // As a node writes it down that carries out nothing itself; the clock is set back afterwards.
    let ordered = NewRun {
        at: at(3_600),
        lease_until: at(3_600),
        ..run(id)
    };
    let ordered = charged(&ground, ordered).await;
    let blind = Judge {
        is_sound: false,
        ..judge(61)
    };
    let claimed = store
        .claim_unfinished(OTHER_NODE, free(), blind, at(120), 10)
        .await;
    assert_eq!(ids(&claimed.expect("answers")), [ordered]);
}

async fn a_renewed_lease_keeps_a_run_and_a_released_one_frees_it(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 9).await;
    let (kept, freed) = (
        charged(&ground, run(id)).await,
        charged(&ground, run(id)).await,
    );
    let held = vec![kept, freed];
    let theirs = store.renew_leases(OTHER_NODE, held.clone(), at(800)).await;
    assert_eq!(theirs, Ok(0));
    assert_eq!(store.renew_leases(NODE, held, at(800)).await, Ok(2));
    assert_eq!(ids(&claim(&ground, OTHER_NODE, false, 100).await), []);
    store.release_lease(freed).await.expect("released");
    assert_eq!(ids(&claim(&ground, OTHER_NODE, false, 100).await), [freed]);
    assert_eq!(
        ids(&claim(&ground, OTHER_NODE, false, 901).await),
        [kept, freed]
    );
}

async fn a_run_that_its_node_does_not_hold_is_claimed_again_when_its_lease_is_over(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 9).await;
    let (held, lost) = (
        charged(&ground, run(id)).await,
        charged(&ground, run(id)).await,
    );
    assert_eq!(store.renew_leases(NODE, vec![held], at(800)).await, Ok(1));
    assert_eq!(store.renew_leases(NODE, vec![], at(800)).await, Ok(0));
    assert_eq!(ids(&claim(&ground, NODE, false, 100).await), [lost]);
}

async fn a_run_that_is_handed_over_can_be_begun_by_anybody_at_once_as_the_first_time(
    ground: Ground,
) {
    let store = &ground.store;
    let id = user(store, 9).await;
    let run_id = charged(&ground, catalogue(id, 3)).await;
    assert_eq!(
        store.hand_over(OTHER_NODE, run_id).await,
        Ok(false),
        "not theirs"
    );
    assert_eq!(ids(&claim(&ground, OTHER_NODE, false, 1).await), []);
    assert_eq!(store.hand_over(NODE, run_id).await, Ok(true));
    let waiting = store.run(run_id).await.expect("answers").expect("a run");
    assert_eq!(waiting.status, Status::Queued);
    assert_eq!(store.renew_leases(NODE, vec![run_id], at(800)).await, Ok(0));
    let claimed = claim(&ground, OTHER_NODE, false, 1).await;
    assert_eq!((ids(&claimed), claimed[0].attempts), (vec![run_id], 1));
    assert_eq!(store.hand_over(NODE, run_id).await, Ok(false), "claimed");
    let made = complete(store, run_id, &["rye", "oats", "spelt"]).await;
    made.expect("completed");
    assert_eq!(
        store.hand_over(OTHER_NODE, run_id).await,
        Ok(false),
        "ended"
    );
}

async fn who_works_on_what_has_not_ended_is_told_the_oldest_first(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 9).await;
    let late = NewRun {
        at: at(5),
        node: OTHER_NODE,
        ..run(id)
    };
    let late = charged(&ground, late).await;
    let early = charged(&ground, catalogue(id, 3)).await;
    let ended = charged(&ground, run(id)).await;
    fail(store, ended).await.expect("failed");
    let leased = store.unfinished(10).await.expect("answers");
    let told: Vec<_> = leased
        .iter()
        .map(|run| (run.run_id, run.node, run.ordered_at, run.attempts))
        .collect();
    assert_eq!(
        told,
        [
            (early, Some(NODE), NOON, 1),
            (late, Some(OTHER_NODE), at(5), 1)
        ]
    );
    assert!(leased[0].charged > Credits(0) && leased[0].lease_until == Some(at(60)));
    assert_eq!(store.unfinished(1).await.expect("answers").len(), 1);
}

async fn ended_runs_are_nobodys_to_claim(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 9).await;
    let (made, failed) = (
        charged(&ground, run(id)).await,
        charged(&ground, run(id)).await,
    );
    complete(store, made, &["rye"]).await.expect("completed");
    fail(store, failed).await.expect("failed");
    store.release_lease(made).await.expect("nothing to release");
    assert_eq!(ids(&claim(&ground, OTHER_NODE, true, 9_999).await), []);
    let held = vec![made, failed];
    assert_eq!(store.renew_leases(NODE, held, at(800)).await, Ok(0));
    store.mark_running(failed).await.expect("nothing to mark");
    let run = store.run(failed).await.expect("answers").expect("a run");
    assert_eq!(run.status, Status::Failed);
}

async fn what_was_left_behind_longest_is_claimed_first_and_no_more_than_asked_for(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 9).await;
    let late = charged(
        &ground,
        NewRun {
            at: at(5),
            ..run(id)
        },
    )
    .await;
    let early = charged(
        &ground,
        NewRun {
            at: at(1),
            ..run(id)
        },
    )
    .await;
    let first = store
        .claim_unfinished(OTHER_NODE, free(), judge(60), at(120), 1)
        .await
        .expect("answers");
    assert_eq!(ids(&first), [early]);
    let claim_of = async |wanted| {
        let claiming = store.claim_unfinished(NODE, wanted, judge(60), at(120), 10);
        ids(&claiming.await.expect("answers"))
    };
    assert_eq!(claim_of(Claimable::ExceptAccounts(vec![id])).await, []);
    assert_eq!(claim_of(Claimable::OrderedBefore(at(4))).await, []);
    assert_eq!(ids(&claim(&ground, OTHER_NODE, false, 60).await), [late]);
}

async fn a_run_that_only_waited_for_its_turn_was_not_begun(ground: Ground) {
    let id = user(&ground.store, 9).await;
    let waits = NewRun {
        queued: true,
        ..run(id)
    };
    let (waits, runs) = (
        charged(&ground, waits).await,
        charged(&ground, run(id)).await,
    );
    for begun in 2..4 {
        let mut told: Vec<_> = claim(&ground, uuid::Uuid::new_v4(), true, 100)
            .await
            .iter()
            .map(|run| (run.run_id, run.attempts))
            .collect();
        told.sort_by_key(|(_, attempts)| *attempts);
        assert_eq!(told, [(waits, 1), (runs, begun)]);
    }
}

async fn how_often_a_run_took_its_worker_down_is_known_to_whoever_claims_it(ground: Ground) {
    let id = user(&ground.store, 9).await;
    let fallen = charged(&ground, catalogue(id, 3)).await;
    charged(&ground, run(id)).await;
    for falls in 1..=2 {
        assert_eq!(ground.store.note_fall(fallen).await, Ok(falls));
    }
    let claimed = claim(&ground, OTHER_NODE, true, 100).await;
    let falls = |run: &Unfinished| (run.run_id == fallen, run.falls);
    let mut told: Vec<_> = claimed.iter().map(falls).collect();
    told.sort_unstable();
    assert_eq!(told, [(false, 0), (true, 2)]);
}

async fn a_queued_run_becomes_running_with_all_its_rows(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 9).await;
    let run_id = charged(
        &ground,
        NewRun {
            queued: true,
            ..catalogue(id, 2)
        },
    )
    .await;
    let statuses = async || {
        let (rows, _) = store.generations_of(id, 10, 0).await.expect("answers");
        rows.iter().map(|row| row.status).collect::<Vec<_>>()
    };
    assert_eq!(statuses().await, [Status::Queued, Status::Queued]);
    store.mark_running(run_id).await.expect("marked");
    assert_eq!(statuses().await, [Status::Running, Status::Running]);
    sound(store).await;
}

async fn a_repeated_request_finds_the_first_for_a_day(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 9).await;
    let day = Duration::from_hours(24);
    let asked = |at| NewRun {
        idempotency: wish("k"),
        at,
        ..run(id)
    };
    let find = async |not_before| {
        let found = store
            .run_by_idempotency(id, "POST /api/v1/generate", "k", not_before)
            .await;
        found.expect("answers").map(|run| (run.id, run.digest))
    };
    let first = charged(&ground, asked(NOON)).await;
    assert_eq!(
        charge(store, asked(NOON.plus(day))).await,
        Err(Refused::Duplicate)
    );
    assert_eq!(find(NOON).await, Some((first, Some("d1".to_owned()))));
    let later = NOON.plus(day).plus(Duration::from_micros(1));
    assert_eq!(find(later.minus(day)).await, None);
    let second = charged(&ground, asked(later)).await;
    assert_eq!(find(NOON).await.map(|(id, _)| id), Some(second));
    // Twice in one batch is twice.
    let pair = [asked(later.plus(day * 2)), asked(later.plus(day * 2))];
    let pair = pair.map(|new| skillkiln::store::model::Entry::Charge(Box::new(new)));
    let answers = store.settle(pair.into()).await;
    assert_eq!(
        answers[0],
        Ok(Settled::Charged {
            charged: Credits(1),
            available: Credits(6)
        })
    );
    assert_eq!(answers[1], Err(Refused::Duplicate));
    sound(store).await;
}

async fn the_same_key_for_another_route_or_account_is_another_request(ground: Ground) {
    let store = &ground.store;
    let (ann, bob) = (user(store, 9).await, user(store, 9).await);
    charged(
        &ground,
        NewRun {
            idempotency: wish("k"),
            ..run(ann)
        },
    )
    .await;
    charged(
        &ground,
        NewRun {
            idempotency: wish("k"),
            ..run(bob)
        },
    )
    .await;
    let mut elsewhere = wish("k").expect("a wish");
    elsewhere.route = "POST /api/generate".to_owned();
    charged(
        &ground,
        NewRun {
            idempotency: Some(elsewhere),
            ..run(ann)
        },
    )
    .await;
    let none = store
        .run_by_idempotency(ann, "POST /api/v1/generate", "other", NOON)
        .await;
    assert!(none.expect("answers").is_none());
}

async fn the_history_is_newest_first_and_in_pages(ground: Ground) {
    let store = &ground.store;
    let (ann, bob) = (user(store, 9).await, user(store, 9).await);
    let old = catalogue(ann, 2);
    charged(&ground, old.clone()).await;
    let new = charged(
        &ground,
        NewRun {
            at: at(1),
            ..run(ann)
        },
    )
    .await;
    charged(&ground, run(bob)).await;
    let page = async |limit, offset| {
        let (rows, total) = store
            .generations_of(ann, limit, offset)
            .await
            .expect("answers");
        assert_eq!(total, 3);
        rows.iter().map(|row| row.id.0).collect::<Vec<_>>()
    };
    let all = [new.0, old.generations[0].id.0, old.generations[1].id.0];
    assert_eq!(page(10, 0).await, all);
    assert_eq!(page(2, 1).await, all[1..]);
    assert!(page(10, 3).await.is_empty());
    assert!(page(10, u64::MAX).await.is_empty());
    let row = store
        .generation(ann, old.generations[1].id)
        .await
        .expect("answers")
        .expect("a row");
    assert_eq!(
        (row.catalogue_id, row.skill_id),
        (old.catalogue_id, old.generations[1].skill_id)
    );
    assert_eq!(store.generation(bob, old.generations[1].id).await, Ok(None));
}

async fn the_ends_of_time_can_be_written(ground: Ground) {
    let (store, id) = (&ground.store, user(&ground.store, 9).await);
    let (first, last) = (
        Timestamp::from_micros(i64::MIN),
        Timestamp::from_micros(i64::MAX),
    );
    let kept = charged(&ground, run(id)).await;
    for until in [last, first] {
        assert_eq!(store.renew_leases(NODE, vec![kept], until).await, Ok(1));
        for now in [first, last, at(0)] {
            let judge = Judge { now, ..judge(0) };
            let claimed = store.claim_unfinished(NODE, free(), judge, until, 10).await;
            assert_eq!(ids(&claimed.expect("answers")), [kept]);
        }
    }
}

#[tokio::test]
async fn a_judge_whose_reading_is_an_hour_off_takes_nothing_that_lives_by_the_clock_of_postgresql()
{
    let ground = postgres().await;
    let id = user(&ground.store, 9).await;
    let now = Clock::system().now();
    let minute = Duration::from_secs(60);
    let lives = NewRun {
        at: now,
        lease_until: now.plus(minute),
        ..run(id)
    };
    let dead = NewRun {
        at: now.minus(2 * minute),
        lease_until: now.minus(minute),
        ..run(id)
    };
    charged(&ground, lives).await;
    let dead = charged(&ground, dead).await;
    let hour = Duration::from_secs(3_600);
    for now in [now.minus(hour), now.plus(hour)] {
        // By the first reading both end too far ahead, by the second both ran out.
        let judge = Judge { now, ..judge(0) };
        let asleep_since = Judge {
            apart_max: minute,
            ..judge
        };
        for (judge, due) in [(asleep_since, vec![]), (judge, vec![dead])] {
            let claimed = ground
                .store
                .claim_unfinished(OTHER_NODE, free(), judge, now.plus(minute), 10)
                .await;
            assert_eq!(ids(&claimed.expect("answers")), due);
        }
    }
}

async fn what_a_model_took_counts_once_a_beginning_and_is_added_up_by_month(ground: Ground) {
    let store = &ground.store;
    let (ann, bob) = (user(store, 0).await, user(store, 0).await);
    let took = |runs, times: u64| Usage {
        runs,
        input: 100 * times,
        cached: 10 * times,
        output: 7 * times,
        cost_millionths: 3 * times,
    };
    let first = RunUsage {
        run_id: RunId::new(),
        attempt: 1,
        user_id: ann,
        at: Timestamp::from_micros(1_793_491_199_999_999),
        usage: took(1, 1),
    };
    // Told twice, begun twice, in the next month, and of somebody else.
    let again = RunUsage {
        attempt: 2,
        ..first
    };
    let later = RunUsage {
        run_id: RunId::new(),
        at: Timestamp::from_micros(1_793_491_200_000_000),
        ..first
    };
    let other = RunUsage {
        run_id: RunId::new(),
        user_id: bob,
        ..first
    };
    for run in [first, first, again, later, other] {
        assert_eq!(store.note_usage(run).await, Ok(()));
    }
    let months = [("2026-11", took(1, 1)), ("2026-10", took(1, 2))];
    let months = months.map(|(month, usage)| MonthOfUse {
        month: month.to_owned(),
        usage,
    });
    assert_eq!(store.usage_by_month(ann).await, Ok(months.to_vec()));
    let all = store.usage_by_account().await.expect("answers");
    assert_eq!((all[&ann], all[&bob]), (took(2, 3), took(1, 1)));
    let nobody = user(store, 0).await;
    assert_eq!(store.usage_by_month(nobody).await, Ok(vec![]));
}
