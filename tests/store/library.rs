//! Libraries: listing, reading, regenerating and deleting skills.

use crate::ground::*;
use skillkiln::domain::id::{GenerationId, SkillId, UserId};
use skillkiln::domain::skill::{FinishedSkill, Removed, SkillFilter};
use skillkiln::store::connection::Store;
use skillkiln::store::model::{Completion, Entry, NewGeneration, NewRun, Refused, Settled};
use std::time::Duration;

on_both! {
    a_library_lists_its_own_skills_newest_change_first,
    a_library_is_searched_whatever_the_case_and_to_the_letter,
    a_deleted_skill_is_gone_and_its_generation_stays,
    a_regeneration_replaces_what_the_skill_says,
    a_skill_is_regenerated_by_one_run_at_a_time,
    a_regeneration_whose_skill_was_deleted_must_fail,
    a_catalogue_keeps_its_index,
}

async fn made(store: &Store, user_id: UserId, name: &str, seconds: u64) -> SkillId {
    let new = run(user_id);
    let run_id = new.id;
    charge(store, new).await.expect("charged");
    complete_at(store, run_id, &[name], at(seconds))
        .await
        .expect("completed");
    SkillId(run_id.0)
}

fn regeneration(user_id: UserId, skill_id: SkillId) -> NewRun {
    let new = run(user_id);
    let generations = vec![NewGeneration {
        skill_id,
        ..new.generations[0].clone()
    }];
    NewRun {
        replaces: Some(skill_id),
        generations,
        ..new
    }
}

async fn names(store: &Store, id: UserId, filter: SkillFilter) -> Vec<String> {
    let lines = store.skills_of(id, filter).await.expect("answers");
    lines.into_iter().map(|line| line.name).collect()
}

async fn a_library_lists_its_own_skills_newest_change_first(ground: Ground) {
    let store = &ground.store;
    let (ann, bob) = (user(store, 9).await, user(store, 9).await);
    for (name, seconds) in [("rye", 3), ("spelt", 9), ("corn", 6)] {
        made(store, ann, name, seconds).await;
    }
    let theirs = made(store, bob, "oats", 1).await;
    assert_eq!(
        names(store, ann, SkillFilter::default()).await,
        ["spelt", "corn", "rye"]
    );
    let page = SkillFilter {
        limit: Some(1),
        offset: 1,
        ..SkillFilter::default()
    };
    assert_eq!(names(store, ann, page).await, ["corn"]);
    let rest = SkillFilter {
        offset: 2,
        ..SkillFilter::default()
    };
    assert_eq!(names(store, ann, rest).await, ["rye"]);
    assert_eq!(store.skill(ann, theirs).await, Ok(None));
    assert_eq!(store.product(ann, GenerationId(theirs.0)).await, Ok(None));
    assert_eq!(
        store.delete_skill(ann, theirs, None).await,
        Ok(Removed::Missing)
    );
}

async fn a_library_is_searched_whatever_the_case_and_to_the_letter(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 9).await;
    for (name, seconds) in [("Über-Brot", 3), ("50%-rye", 2), ("a_b", 1)] {
        made(store, id, name, seconds).await;
    }
    for (words, found) in [
        ("über", &["Über-Brot"][..]),
        ("ÜBER-BR", &["Über-Brot"]),
        ("0%-", &["50%-rye"]),
        ("a_b", &["a_b"]),
        ("make a_B", &["a_b"]),
        ("%", &["50%-rye"]),
        ("_", &["a_b"]),
        ("\\", &[]),
        ("'; DROP TABLE skills; --", &[]),
        ("how to", &["Über-Brot", "50%-rye", "a_b"]),
    ] {
        let filter = SkillFilter {
            query: Some(words.to_owned()),
            ..SkillFilter::default()
        };
        assert_eq!(names(store, id, filter).await, found, "{words}");
    }
    let baking = SkillFilter {
        category: Some("baking".to_owned()),
        ..SkillFilter::default()
    };
    assert_eq!(names(store, id, baking).await.len(), 3);
    let other = SkillFilter {
        category: Some("Baking".to_owned()),
        ..SkillFilter::default()
    };
    assert_eq!(names(store, id, other).await.len(), 0);
}

async fn a_deleted_skill_is_gone_and_its_generation_stays(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 9).await;
    let skill_id = made(store, id, "rye", 1).await;
    let row = GenerationId(skill_id.0);
    assert!(store.product(id, row).await.expect("answers").is_some());
    assert_eq!(
        store.delete_skill(id, skill_id, None).await,
        Ok(Removed::Gone)
    );
    assert_eq!(
        store.delete_skill(id, skill_id, None).await,
        Ok(Removed::Missing)
    );
    assert_eq!(store.skill(id, skill_id).await, Ok(None));
    assert_eq!(store.product(id, row).await, Ok(None));
    assert!(store.generation(id, row).await.expect("answers").is_some());
    let run = store
        .run(skillkiln::domain::id::RunId(skill_id.0))
        .await
        .expect("answers")
        .expect("a run");
    assert!(matches!(run.skills[..], [None]));
    sound(store).await;
}

async fn a_regeneration_replaces_what_the_skill_says(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 9).await;
    let skill_id = made(store, id, "rye", 20).await;
    let again = regeneration(id, skill_id);
    let run_id = again.id;
    charge(store, again).await.expect("charged");
    let before = store
        .skill(id, skill_id)
        .await
        .expect("answers")
        .expect("a skill");
    assert_eq!(
        before.skill.name, "rye",
        "the old text stays until the new one is there"
    );
    // The clock stands still, and yet the skill changed later than before.
    complete_at(store, run_id, &["spelt"], at(20))
        .await
        .expect("completed");
    let after = store
        .skill(id, skill_id)
        .await
        .expect("answers")
        .expect("a skill");
    assert_eq!(after.skill, skill("spelt"));
    assert_eq!(
        (after.created_at, after.updated_at),
        (at(20), at(20).plus(Duration::from_millis(1)))
    );
    let found = store.product(id, GenerationId(run_id.0)).await;
    assert_eq!(found, Ok(Some(after.skill)));
    assert_eq!(names(store, id, SkillFilter::default()).await, ["spelt"]);
    let searched = SkillFilter {
        query: Some("rye".to_owned()),
        ..SkillFilter::default()
    };
    assert_eq!(names(store, id, searched).await.len(), 0);
    sound(store).await;
}

async fn a_skill_is_regenerated_by_one_run_at_a_time(ground: Ground) {
    let store = &ground.store;
    let (ann, bob) = (user(store, 9).await, user(store, 9).await);
    let skill_id = made(store, ann, "rye", 1).await;
    let first = regeneration(ann, skill_id);
    let first_id = first.id;
    charge(store, first).await.expect("charged");
    assert_eq!(
        charge(store, regeneration(ann, skill_id)).await,
        Err(Refused::Busy)
    );
    for gone in [
        regeneration(bob, skill_id),
        regeneration(ann, SkillId::new()),
    ] {
        assert_eq!(charge(store, gone).await, Err(Refused::Unknown));
    }
    fail(store, first_id).await.expect("failed");
    let text = store
        .skill(ann, skill_id)
        .await
        .expect("answers")
        .expect("a skill")
        .skill;
    assert_eq!(text, skill("rye"), "the old text outlives a failure");
    // Two in one batch: the first wins.
    let pair = [regeneration(ann, skill_id), regeneration(ann, skill_id)];
    let answers = store
        .settle(pair.map(|new| Entry::Charge(Box::new(new))).into())
        .await;
    assert!(answers[0].is_ok());
    assert_eq!(answers[1], Err(Refused::Busy));
    sound(store).await;
}

async fn a_regeneration_whose_skill_was_deleted_must_fail(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 2).await;
    let skill_id = made(store, id, "rye", 1).await;
    let again = regeneration(id, skill_id);
    let run_id = again.id;
    charge(store, again).await.expect("charged");
    assert_eq!(
        store.delete_skill(id, skill_id, None).await,
        Ok(Removed::Gone)
    );
    assert_eq!(
        complete(store, run_id, &["spelt"]).await,
        Err(Refused::Unknown)
    );
    assert!(matches!(
        fail(store, run_id).await,
        Ok(Settled::Failed { .. })
    ));
    assert_eq!(store.skill(id, skill_id).await, Ok(None));
    assert_eq!(holds(store, id).await, (1, 0));
    sound(store).await;
}

async fn a_catalogue_keeps_its_index(ground: Ground) {
    let store = &ground.store;
    let id = user(store, 2).await;
    let new = catalogue(id, 2);
    let (run_id, catalogue_id) = (new.id, new.catalogue_id);
    charge(store, new).await.expect("charged");
    let skills: Vec<FinishedSkill> = [skill("rye"), skill("corn")].into();
    let index = skills[0].references[0].clone();
    let completion = Completion {
        run_id,
        skills: skills.into_iter().map(Into::into).collect(),
        is_given_back: false,
        index: Some(index),
        at: at(5),
    };
    one(store, Entry::Complete(Box::new(completion)))
        .await
        .expect("completed");
    let run = store.run(run_id).await.expect("answers").expect("a run");
    let index = run.index.expect("an index");
    assert_eq!(index.filename, "references/a.md");
    assert_eq!(
        index.content, "a \u{fffd} in JSON is kept",
        "but not as plain text"
    );
    assert_eq!(run.catalogue_id, catalogue_id);
}
