//! Watches: how many there may be, who looks, what a look leaves behind, and what becomes of a draft.

use crate::ground::*;
use skillkiln::domain::id::{RunId, SkillId, UserId};
use skillkiln::domain::skill::{Change, Edited};
use skillkiln::domain::watch::{Every, Found, Hold, Remedy, Seen, WATCH_ROUTE};
use skillkiln::store::connection::Store;
use skillkiln::store::model::{Idempotency, NewRun, Refused, Saved, Settled, Watched};
use skillkiln_skills::report::Report;

on_both! {
    an_account_watches_its_own_skills_and_so_many_at_most,
    a_watch_that_is_due_is_taken_by_one_and_again_when_that_one_is_lost,
    what_a_look_found_is_kept_unless_the_watch_was_changed_meanwhile,
    a_draft_waits_beside_its_skill_until_it_is_taken,
    a_run_is_charged_only_while_its_watch_names_it,
    a_run_that_was_charged_is_neither_given_up_nor_dismissed,
    a_charge_and_whoever_gives_it_up_at_once_come_one_after_the_other,
    a_text_takes_the_place_of_one_that_is_as_it_was_made_and_waits_beside_any_other,
    what_waits_outlives_the_watch,
    a_watch_that_cannot_be_read_keeps_nobody_from_the_others,
}

const HOW: (Every, Remedy) = (Every::Daily, Remedy::Draft);

async fn made(store: &Store, user_id: UserId, name: &str) -> SkillId {
    let new = run(user_id);
    let run_id = new.id;
    charge(store, new).await.expect("charged");
    complete_at(store, run_id, &[name], at(5))
        .await
        .expect("completed");
    SkillId(run_id.0)
}

async fn watched(store: &Store) -> (UserId, SkillId) {
    let ann = user(store, 9).await;
    let id = made(store, ann, "rye").await;
    let begun = store.watch_skill(ann, id, HOW, at(10), 1).await;
    assert_eq!(begun, Ok(Watched::Done));
    (ann, id)
}

async fn an_account_watches_its_own_skills_and_so_many_at_most(ground: Ground) {
    let store = &ground.store;
    let (ann, id) = watched(store).await;
    let bob = user(store, 0).await;
    let theirs = store.watch_skill(bob, id, HOW, at(10), 1).await;
    assert_eq!(theirs, Ok(Watched::Missing));
    let second = made(store, ann, "spelt").await;
    let more = store.watch_skill(ann, second, HOW, at(10), 1).await;
    assert_eq!(more, Ok(Watched::TooMany));
    let otherwise = (Every::Weekly, Remedy::Take);
    let again = store.watch_skill(ann, id, otherwise, at(11), 1).await;
    assert_eq!(again, Ok(Watched::Done));
    let now = store.watch(ann, id).await.expect("answers").expect("it");
    assert_eq!(
        (now.every, now.remedy, now.due_at),
        (otherwise.0, otherwise.1, at(11))
    );
    assert_eq!(store.watch(bob, id).await, Ok(None));
    assert_eq!(store.unwatch_skill(bob, id, at(12)).await, Ok(false));
    assert_eq!(store.unwatch_skill(ann, id, at(12)).await, Ok(true));
    assert_eq!(store.next_look().await, Ok(None));
    store
        .watch_skill(ann, id, HOW, at(10), 1)
        .await
        .expect("on");
    store.delete_skill(ann, id, None).await.expect("deleted");
    assert_eq!(store.watch(ann, id).await, Ok(None), "gone with its skill");
}

async fn a_watch_that_is_due_is_taken_by_one_and_again_when_that_one_is_lost(ground: Ground) {
    let store = &ground.store;
    let (ann, id) = watched(store).await;
    let taken = async |now, until| {
        let taken = store.take_watches(now, until, 9).await.expect("answers");
        taken
            .into_iter()
            .map(|watch| watch.skill_id)
            .collect::<Vec<_>>()
    };
    assert_eq!(store.next_look().await, Ok(Some(at(10))));
    assert_eq!(taken(at(9), at(50)).await, []);
    let (one, other) = tokio::join!(taken(at(10), at(50)), taken(at(10), at(50)));
    assert_eq!([one, other].concat(), [id]);
    assert_eq!(taken(at(49), at(60)).await, []);
    assert_eq!(taken(at(50), at(60)).await, [id]);
    assert_eq!(store.hasten_look(ann, id, at(55)).await, Ok(true));
    assert_eq!(store.hasten_look(ann, id, at(70)).await, Ok(true));
    assert_eq!(store.next_look().await, Ok(Some(at(55))), "never later");
}

async fn what_a_look_found_is_kept_unless_the_watch_was_changed_meanwhile(ground: Ground) {
    let store = &ground.store;
    let (ann, id) = watched(store).await;
    store.take_watches(at(10), at(50), 9).await.expect("taken");
    let found = Found {
        looked_at: Some(at(12)),
        failures: 2,
        trouble: Some("gone\0".into()),
        seen: Some(Seen {
            digest: "d".into(),
            reader: "1".into(),
            rules: vec![],
        }),
        ..Found::default()
    };
    let noted = store.note_look(id, free(50), found.clone(), at(90)).await;
    assert_eq!(noted, Ok(true));
    let kept = store.watch(ann, id).await.expect("answers").expect("it");
    let expected = Found {
        trouble: Some("gone\u{fffd}".into()),
        ..found.clone()
    };
    assert_eq!((kept.found, kept.due_at), (expected, at(90)));
    store.take_watches(at(90), at(99), 9).await.expect("taken");
    store
        .watch_skill(ann, id, HOW, at(91), 1)
        .await
        .expect("on");
    let late = store
        .note_look(id, free(99), Found::default(), at(200))
        .await;
    assert_eq!(late, Ok(false));
    assert_eq!(store.next_look().await, Ok(Some(at(91))));
}

/// A watch that names no run, taken for so many seconds.
fn free(lease: u64) -> Hold {
    Hold {
        lease: at(lease),
        run_id: None,
        beside: false,
    }
}

/// A run that makes a skill again for its watch, which names it.
async fn ordered(store: &Store, user_id: UserId, id: SkillId, beside: bool) -> NewRun {
    let mut new = run(user_id);
    new.replaces = Some(id);
    for row in &mut new.generations {
        row.skill_id = id;
    }
    new.idempotency = Some(Idempotency {
        route: WATCH_ROUTE.to_owned(),
        key: new.id.to_string(),
        digest: String::new(),
    });
    let watch = store
        .watch(user_id, id)
        .await
        .expect("answers")
        .expect("it");
    let mut found = watch.found.clone();
    (found.run_id, found.beside) = (Some(new.id), beside);
    let noted = store.note_look(id, watch.hold(), found, watch.due_at).await;
    assert_eq!(noted, Ok(true));
    new
}

/// Such a run, completed.
async fn drafted(store: &Store, user_id: UserId, id: SkillId, name: &str) -> RunId {
    let new = ordered(store, user_id, id, true).await;
    let run_id = new.id;
    charge(store, new).await.expect("charged");
    complete_at(store, run_id, &[name], at(20))
        .await
        .expect("completed");
    run_id
}

fn mine() -> Edited {
    Edited {
        name: "mine".into(),
        filename: "mine.md".into(),
        description: String::new(),
        content: "# Mine".into(),
        references: None,
        word_count: 1,
        report: Report::default(),
    }
}

/// What a watch is found to be.
async fn hold(store: &Store, user_id: UserId, id: SkillId) -> Hold {
    let watch = store.watch(user_id, id).await.expect("answers");
    watch.expect("it").hold()
}

async fn a_draft_waits_beside_its_skill_until_it_is_taken(ground: Ground) {
    let store = &ground.store;
    let (ann, id) = watched(store).await;
    let before = store.skill(ann, id).await.expect("answers");
    let run_id = drafted(store, ann, id, "spelt").await;
    assert_eq!(store.skill(ann, id).await.expect("answers"), before);
    assert_eq!(store.is_edited(id).await, Ok(false));
    let other = store.take_draft(ann, id, RunId::new(), at(30)).await;
    assert_eq!(other, Ok(Saved::Stale));
    let taken = store.take_draft(ann, id, run_id, at(30)).await;
    assert_eq!(taken, Ok(Saved::At(at(30))));
    assert_eq!(
        store.take_draft(ann, id, run_id, at(31)).await,
        Ok(Saved::Stale)
    );
    let after = store.skill(ann, id).await.expect("answers").expect("it");
    assert_eq!(after.skill.name, "spelt");
    assert_eq!(store.is_edited(id).await, Ok(false), "it is what was made");
    let (number, texts) = store.texts_of(ann, id).await.expect("answers");
    let kept: Vec<(u32, Change)> = texts
        .iter()
        .map(|text| (text.number, text.replaced_by))
        .collect();
    assert_eq!((number, kept), (2, vec![(1, Change::Regeneration)]));
    let saved = store.edit_skill(ann, id, None, mine(), at(40)).await;
    assert_eq!(saved, Ok(Saved::At(at(40))));
    assert_eq!(store.is_edited(id).await, Ok(true));
    let run_id = drafted(store, ann, id, "rye").await;
    let other = store.dismiss_change(ann, id, None, at(41)).await;
    assert_eq!(other, Ok(Saved::Stale));
    let dismissed = store.dismiss_change(ann, id, Some(run_id), at(41)).await;
    assert_eq!(dismissed, Ok(Saved::At(at(41))));
    assert_eq!(
        store.take_draft(ann, id, run_id, at(42)).await,
        Ok(Saved::Stale)
    );
    let kept = store.skill(ann, id).await.expect("answers").expect("it");
    assert_eq!(kept.skill.content, "# Mine");
    assert_eq!(kept.updated_at, at(40));
    sound(store).await;
}

async fn a_run_is_charged_only_while_its_watch_names_it(ground: Ground) {
    let store = &ground.store;
    let (ann, id) = watched(store).await;
    let given_up = ordered(store, ann, id, true).await;
    let named = hold(store, ann, id).await;
    assert_eq!(store.give_up_run(id, named).await, Ok(true));
    let late = store.note_look(id, named, Found::default(), at(90)).await;
    assert_eq!(late, Ok(false), "who ordered it has it no more");
    let dismissed = ordered(store, ann, id, false).await;
    let answer = store.dismiss_change(ann, id, Some(dismissed.id), at(20));
    assert_eq!(answer.await, Ok(Saved::At(at(20))));
    let switched_off = ordered(store, ann, id, true).await;
    assert_eq!(store.unwatch_skill(ann, id, at(21)).await, Ok(true));
    for unwanted in [given_up, dismissed, switched_off] {
        assert_eq!(charge(store, unwanted).await, Err(Refused::Unknown));
    }
    assert_eq!(store.unwatch_skill(ann, id, at(22)).await, Ok(false));
    assert_eq!(holds(store, ann).await, (8, 0), "the skill alone was paid");
    sound(store).await;
}

async fn a_run_that_was_charged_is_neither_given_up_nor_dismissed(ground: Ground) {
    let store = &ground.store;
    let (ann, id) = watched(store).await;
    let before = hold(store, ann, id).await;
    let new = ordered(store, ann, id, true).await;
    let run_id = new.id;
    charge(store, new).await.expect("charged");
    let named = hold(store, ann, id).await;
    assert_eq!(store.give_up_run(id, named).await, Ok(false));
    // Somebody who read the watch before the run was ordered.
    let late = store.note_look(id, before, Found::default(), at(90)).await;
    assert_eq!(late, Ok(false));
    let late = store.dismiss_change(ann, id, None, at(20)).await;
    assert_eq!(late, Ok(Saved::Stale));
    complete_at(store, run_id, &["spelt"], at(30))
        .await
        .expect("completed");
    let taken = store.take_draft(ann, id, run_id, at(40)).await;
    assert_eq!(taken, Ok(Saved::At(at(40))));
    assert_eq!(holds(store, ann).await, (7, 0));
    sound(store).await;
}

async fn a_charge_and_whoever_gives_it_up_at_once_come_one_after_the_other(ground: Ground) {
    let store = &ground.store;
    let (ann, id) = watched(store).await;
    let mut paid = 0;
    for _ in 0..8 {
        let new = ordered(store, ann, id, true).await;
        let (run_id, named) = (new.id, hold(store, ann, id).await);
        let (charged, given_up) = tokio::join!(charge(store, new), store.give_up_run(id, named));
        match given_up.expect("answers") {
            true => assert_eq!(charged, Err(Refused::Unknown)),
            false => {
                assert!(
                    matches!(charged, Ok(Settled::Charged { .. })),
                    "{charged:?}"
                );
                complete_at(store, run_id, &["spelt"], at(30))
                    .await
                    .expect("completed");
                let taken = store.take_draft(ann, id, run_id, at(40)).await;
                assert!(matches!(taken, Ok(Saved::At(_))), "{taken:?}");
                paid += 1;
            }
        }
    }
    assert_eq!(holds(store, ann).await, (8 - paid, 0));
    sound(store).await;
}

async fn a_text_takes_the_place_of_one_that_is_as_it_was_made_and_waits_beside_any_other(
    ground: Ground,
) {
    let store = &ground.store;
    let (ann, id) = watched(store).await;
    let says = async || {
        let stored = store.skill(ann, id).await.expect("answers").expect("it");
        stored.skill.name
    };
    let takes = (Every::Daily, Remedy::Take);
    let chosen = store.watch_skill(ann, id, takes, at(11), 1).await;
    assert_eq!(chosen, Ok(Watched::Done));
    let made = async |name: &str, meanwhile: &str| {
        let new = ordered(store, ann, id, false).await;
        let run_id = new.id;
        charge(store, new).await.expect("charged");
        match meanwhile {
            "edited" => {
                let saved = store.edit_skill(ann, id, None, mine(), at(25)).await;
                assert!(matches!(saved, Ok(Saved::At(_))), "{saved:?}");
            }
            "chosen otherwise" => {
                let chosen = store.watch_skill(ann, id, HOW, at(25), 1).await;
                assert_eq!(chosen, Ok(Watched::Done));
            }
            _ => {}
        }
        complete_at(store, run_id, &[name], at(30))
            .await
            .expect("completed");
        run_id
    };
    made("spelt", "nothing").await;
    assert_eq!(says().await, "spelt");
    assert!(!hold(store, ann, id).await.beside);
    for (name, meanwhile, keeps) in [
        ("oats", "edited", "mine"),
        ("rice", "chosen otherwise", "oats"),
    ] {
        let run_id = made(name, meanwhile).await;
        assert_eq!(says().await, keeps, "{meanwhile}");
        assert!(hold(store, ann, id).await.beside, "{meanwhile}");
        let taken = store.take_draft(ann, id, run_id, at(40)).await;
        assert!(matches!(taken, Ok(Saved::At(_))), "{taken:?}");
        assert_eq!(says().await, name);
    }
    assert_eq!(holds(store, ann).await, (5, 0));
    sound(store).await;
}

async fn what_waits_outlives_the_watch(ground: Ground) {
    let store = &ground.store;
    let (ann, id) = watched(store).await;
    let takes = (Every::Daily, Remedy::Take);
    store
        .watch_skill(ann, id, takes, at(11), 1)
        .await
        .expect("on");
    let new = ordered(store, ann, id, false).await;
    let run_id = new.id;
    charge(store, new).await.expect("charged");
    assert_eq!(store.unwatch_skill(ann, id, at(20)).await, Ok(true));
    complete_at(store, run_id, &["spelt"], at(30))
        .await
        .expect("completed");
    let waits = store.watch(ann, id).await.expect("answers").expect("it");
    assert!(!waits.is_on && waits.found.beside);
    assert_eq!(store.hasten_look(ann, id, at(31)).await, Ok(false));
    // It does not count, until it is switched on again.
    let second = made(store, ann, "rye").await;
    let other = store.watch_skill(ann, second, HOW, at(32), 1).await;
    assert_eq!(other, Ok(Watched::Done));
    let again = store.watch_skill(ann, id, HOW, at(32), 1).await;
    assert_eq!(again, Ok(Watched::TooMany));
    assert_eq!(store.forget_watch(id, free(20)).await, Ok(false));
    let taken = store.take_draft(ann, id, run_id, at(40)).await;
    assert_eq!(taken, Ok(Saved::At(at(40))));
    assert_eq!(store.watch(ann, id).await, Ok(None), "nothing is left");
    // Of one that failed nothing waits.
    let new = ordered(store, ann, second, true).await;
    let run_id = new.id;
    charge(store, new).await.expect("charged");
    let named = hold(store, ann, second).await;
    assert_eq!(
        store.forget_watch(second, named).await,
        Ok(false),
        "it is on"
    );
    assert_eq!(store.unwatch_skill(ann, second, at(41)).await, Ok(true));
    fail(store, run_id).await.expect("failed");
    let named = hold(store, ann, second).await;
    assert_eq!(store.forget_watch(second, named).await, Ok(true));
    sound(store).await;
}

async fn a_watch_that_cannot_be_read_keeps_nobody_from_the_others(ground: Ground) {
    let store = &ground.store;
    let (ann, broken) = watched(store).await;
    let second = made(store, ann, "spelt").await;
    store
        .watch_skill(ann, second, HOW, at(10), 9)
        .await
        .expect("on");
    let literal = ground.literal(broken.0);
    ground
        .tamper(&format!(
            "UPDATE watches SET seen = '{{' WHERE skill_id = {literal}"
        ))
        .await
        .expect("tampered");
    let taken = store.take_watches(at(10), at(50), 9).await.expect("taken");
    let taken: Vec<SkillId> = taken.into_iter().map(|watch| watch.skill_id).collect();
    assert_eq!(taken, [second]);
    let next = store.next_look().await;
    assert_eq!(next, Ok(Some(at(50))), "nobody spins on it meanwhile");
}
