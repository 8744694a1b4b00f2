//! What generations made, whatever became of their skills.

use crate::ground::*;
use skillkiln::domain::id::{GenerationId, RunId, SkillId};
use skillkiln::domain::skill::{Edited, Removed};
use skillkiln::store::connection::Store;
use skillkiln::store::model::{NewGeneration, NewRun};
use skillkiln_skills::report::Report;

on_both! {
    a_generation_gives_out_what_it_made_however_its_skill_was_changed,
    a_copy_says_nothing_of_what_its_original_was_made_as,
    a_repeated_request_finds_nothing_of_a_deleted_skill,
    what_generations_made_goes_with_its_skill,
}

/// Carries a run out that makes one skill, `rye`.
async fn made(store: &Store, new: NewRun) -> RunId {
    let run_id = new.id;
    charge(store, new).await.expect("charged");
    complete_at(store, run_id, &["rye"], at(5))
        .await
        .expect("completed");
    run_id
}

fn edited(content: &str) -> Edited {
    Edited {
        name: "mine".to_owned(),
        filename: "mine.md".to_owned(),
        description: "My own".to_owned(),
        content: content.to_owned(),
        references: None,
        word_count: 1,
        report: Report::default(),
    }
}

async fn a_generation_gives_out_what_it_made_however_its_skill_was_changed(ground: Ground) {
    let store = &ground.store;
    let (ann, bob) = (user(store, 9).await, user(store, 9).await);
    let run_id = made(store, run(ann)).await;
    let id = SkillId(run_id.0);
    let product = async |id| store.product(ann, GenerationId(id)).await.expect("answers");
    assert_eq!(product(run_id.0).await, Some(skill("rye")));
    for (seconds, content) in [(6, "# Mine"), (7, "# Mine again")] {
        let edit = store.edit_skill(ann, id, None, edited(content), at(seconds));
        edit.await.expect("saved");
        assert_eq!(product(run_id.0).await, Some(skill("rye")));
    }
    let again = NewRun {
        replaces: Some(id),
        generations: vec![NewGeneration {
            id: GenerationId::new(),
            skill_id: id,
            ..run(ann).generations[0].clone()
        }],
        ..run(ann)
    };
    let (again_id, generation) = (again.id, again.generations[0].id);
    charge(store, again).await.expect("charged");
    complete_at(store, again_id, &["spelt"], at(8))
        .await
        .expect("completed");
    let edit = store.edit_skill(ann, id, None, edited("# Mine at last"), at(9));
    edit.await.expect("saved");
    assert_eq!(product(run_id.0).await, Some(skill("rye")));
    assert_eq!(product(generation.0).await, Some(skill("spelt")));
    assert_eq!(store.product(bob, GenerationId(run_id.0)).await, Ok(None));
    sound(store).await;
}

async fn a_copy_says_nothing_of_what_its_original_was_made_as(ground: Ground) {
    let store = &ground.store;
    let ann = user(store, 9).await;
    let run_id = made(store, run(ann)).await;
    let id = SkillId(run_id.0);
    let copy = SkillId::new();
    let copied = store.duplicate_skill(ann, id, copy, at(6)).await;
    assert!(copied.expect("answers").is_some());
    for seconds in [7, 8] {
        let edit = store.edit_skill(ann, copy, None, edited("# Mine"), at(seconds));
        edit.await.expect("saved");
    }
    let product = store.product(ann, GenerationId(run_id.0)).await;
    assert_eq!(product, Ok(Some(skill("rye"))));
    assert_eq!(store.delete_skill(ann, copy, None).await, Ok(Removed::Gone));
    let product = store.product(ann, GenerationId(run_id.0)).await;
    assert_eq!(product, Ok(Some(skill("rye"))));
}

async fn a_repeated_request_finds_nothing_of_a_deleted_skill(ground: Ground) {
    let store = &ground.store;
    let ann = user(store, 9).await;
    let first = NewRun {
        idempotency: wish("again"),
        ..catalogue(ann, 2)
    };
    let (run_id, rows) = (first.id, first.generations.clone());
    let route = wish("again").expect("a wish").route;
    charge(store, first).await.expect("charged");
    complete_at(store, run_id, &["rye", "spelt"], at(5))
        .await
        .expect("completed");
    let deleted = rows[1].skill_id;
    assert_eq!(
        store.delete_skill(ann, deleted, None).await,
        Ok(Removed::Gone)
    );
    assert_eq!(store.product(ann, rows[1].id).await, Ok(None));
    let asked = async || {
        let run = store.run_by_idempotency(ann, &route, "again", NOON).await;
        let made = run.expect("answers").expect("a run").skills;
        made.into_iter()
            .map(|made| made.map(|made| made.skill.name.clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(asked().await, [Some("rye".to_owned()), None]);
    let run = store.run(run_id).await.expect("answers").expect("a run");
    assert!(
        matches!(run.skills[..], [Some(_), None]),
        "as it stands, it is gone"
    );
}

async fn what_generations_made_goes_with_its_skill(ground: Ground) {
    let store = &ground.store;
    let ann = user(store, 9).await;
    let wished = NewRun {
        idempotency: wish("again"),
        ..run(ann)
    };
    for first in [run(ann), wished] {
        let id = SkillId(made(store, first).await.0);
        let edit = store.edit_skill(ann, id, None, edited("# Mine"), at(6));
        edit.await.expect("saved");
        assert_eq!(store.delete_skill(ann, id, None).await, Ok(Removed::Gone));
        let left = ground.tamper("DELETE FROM products").await;
        assert_eq!(left, Ok(0));
    }
}
