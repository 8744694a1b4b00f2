//! Watches: how many there may be, who looks, what a look leaves behind, and what becomes of a draft.

use crate::ground::*;
use skillkiln::domain::id::{RunId, SkillId, UserId};
use skillkiln::domain::skill::{Change, Edited};
use skillkiln::domain::watch::{DRAFT_ROUTE, Every, Found, Remedy, Seen};
use skillkiln::store::connection::Store;
use skillkiln::store::model::{Idempotency, Saved, Watched};
use skillkiln_skills::report::Report;

on_both! {
    an_account_watches_its_own_skills_and_so_many_at_most,
    a_watch_that_is_due_is_taken_by_one_and_again_when_that_one_is_lost,
    what_a_look_found_is_kept_unless_the_watch_was_changed_meanwhile,
    a_draft_waits_beside_its_skill_until_it_is_taken,
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
    assert_eq!(store.unwatch_skill(bob, id).await, Ok(false));
    assert_eq!(store.unwatch_skill(ann, id).await, Ok(true));
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
    let noted = store.note_look(id, at(50), found.clone(), at(90)).await;
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
    let late = store.note_look(id, at(99), Found::default(), at(200)).await;
    assert_eq!(late, Ok(false));
    assert_eq!(store.next_look().await, Ok(Some(at(91))));
}

/// A run that makes a skill again for its watch, completed.
async fn drafted(store: &Store, user_id: UserId, id: SkillId, name: &str) -> RunId {
    let mut new = run(user_id);
    new.replaces = Some(id);
    for row in &mut new.generations {
        row.skill_id = id;
    }
    new.idempotency = Some(Idempotency {
        route: DRAFT_ROUTE.to_owned(),
        key: new.id.to_string(),
        digest: String::new(),
    });
    let run_id = new.id;
    let watch = store
        .watch(user_id, id)
        .await
        .expect("answers")
        .expect("it");
    let mut found = watch.found;
    (found.run_id, found.beside) = (Some(run_id), true);
    let noted = store.note_look(id, watch.due_at, found, watch.due_at).await;
    assert_eq!(noted, Ok(true));
    charge(store, new).await.expect("charged");
    complete_at(store, run_id, &[name], at(20))
        .await
        .expect("completed");
    run_id
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
    let edited = Edited {
        name: "mine".into(),
        filename: "mine.md".into(),
        description: String::new(),
        content: "# Mine".into(),
        references: None,
        word_count: 1,
        report: Report::default(),
    };
    let saved = store.edit_skill(ann, id, None, edited, at(40)).await;
    assert_eq!(saved, Ok(Saved::At(at(40))));
    assert_eq!(store.is_edited(id).await, Ok(true));
    let run_id = drafted(store, ann, id, "rye").await;
    assert_eq!(store.dismiss_change(ann, id, at(41)).await, Ok(true));
    assert_eq!(
        store.take_draft(ann, id, run_id, at(42)).await,
        Ok(Saved::Stale)
    );
    let kept = store.skill(ann, id).await.expect("answers").expect("it");
    assert_eq!(kept.skill.content, "# Mine");
    assert_eq!(kept.updated_at, at(40));
    sound(store).await;
}
