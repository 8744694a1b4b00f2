//! What owners do to their skills: editing, sharing, copying, and what was there before.

use crate::ground::*;
use skillkiln::domain::id::{SkillId, UserId};
use skillkiln::domain::skill::{Change, Edited, Removed, SkillFilter, SkillOrder};
use skillkiln::store::connection::Store;
use skillkiln::store::model::{NewGeneration, NewRun, Origin, Saved};
use skillkiln_skills::report::Report;
use std::time::Duration;

on_both! {
    an_edit_changes_what_is_found_and_never_goes_back_in_time,
    an_edit_of_what_changed_meanwhile_is_stale,
    the_last_ten_versions_are_kept_and_go_with_their_skill,
    a_shared_skill_is_seen_by_everybody_until_it_is_taken_back,
    a_copy_of_ones_own_can_be_made_again_and_one_of_somebody_elses_cannot,
    a_library_is_counted_and_ordered_as_asked,
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

fn edited(name: &str) -> Edited {
    Edited {
        name: name.to_owned(),
        filename: format!("{name}.md"),
        description: format!("All about {name}"),
        content: format!("# {name} \u{0}"),
        references: None,
        word_count: 3,
        report: Report::default(),
    }
}

async fn an_edit_changes_what_is_found_and_never_goes_back_in_time(ground: Ground) {
    let store = &ground.store;
    let (ann, bob) = (user(store, 9).await, user(store, 9).await);
    let id = made(store, ann, "rye", 5).await;
    let before = store
        .skill(ann, id)
        .await
        .expect("answers")
        .expect("a skill");
    assert_eq!(
        store.edit_skill(bob, id, None, edited("x"), at(9)).await,
        Ok(Saved::Missing)
    );
    let saved = store
        .edit_skill(ann, id, None, edited("Über-Spelt"), at(1))
        .await;
    assert_eq!(saved, Ok(Saved::At(at(5).plus(Duration::from_millis(1)))));
    let after = store
        .skill(ann, id)
        .await
        .expect("answers")
        .expect("a skill");
    assert_eq!(after.skill.content, "# Über-Spelt \u{fffd}");
    assert_eq!(after.skill.references, before.skill.references);
    assert_eq!(
        (after.created_at, after.is_public),
        (before.created_at, false)
    );
    let found = |query: &str| SkillFilter {
        query: Some(query.to_owned()),
        ..SkillFilter::default()
    };
    assert_eq!(store.skill_count(ann, found("über-sp")).await, Ok(1));
    assert_eq!(store.skill_count(ann, found("rye")).await, Ok(0));
}

async fn an_edit_of_what_changed_meanwhile_is_stale(ground: Ground) {
    let store = &ground.store;
    let ann = user(store, 9).await;
    let id = made(store, ann, "rye", 5).await;
    let edit = async |expected, seconds| {
        let edited = edited("spelt");
        store
            .edit_skill(ann, id, Some(expected), edited, at(seconds))
            .await
    };
    assert_eq!(edit(vec![], 6).await, Ok(Saved::Stale));
    assert_eq!(edit(vec![at(4)], 6).await, Ok(Saved::Stale));
    assert_eq!(edit(vec![at(4), at(5)], 6).await, Ok(Saved::At(at(6))));
    assert_eq!(edit(vec![at(5)], 7).await, Ok(Saved::Stale));
    assert_eq!(store.versions_of(ann, id).await.expect("answers").len(), 1);
}

async fn the_last_ten_versions_are_kept_and_go_with_their_skill(ground: Ground) {
    let store = &ground.store;
    let (ann, bob) = (user(store, 9).await, user(store, 9).await);
    let id = made(store, ann, "rye", 5).await;
    let original = store
        .skill(ann, id)
        .await
        .expect("answers")
        .expect("a skill");
    let again = NewRun {
        replaces: Some(id),
        generations: vec![NewGeneration {
            skill_id: id,
            ..run(ann).generations[0].clone()
        }],
        ..run(ann)
    };
    let run_id = again.id;
    charge(store, again).await.expect("charged");
    complete_at(store, run_id, &["spelt"], at(6))
        .await
        .expect("completed");
    let versions = store.versions_of(ann, id).await.expect("answers");
    assert_eq!(versions.len(), 1);
    assert_eq!(versions[0].replaced_by, Change::Regeneration);
    assert_eq!(
        (versions[0].made_at, versions[0].replaced_at),
        (at(5), at(6))
    );
    let version = store
        .version(ann, id, at(5))
        .await
        .expect("answers")
        .expect("a version");
    assert_eq!(version.content, original.skill.content);
    assert_eq!(version.references, original.skill.references);
    assert_eq!(store.versions_of(bob, id).await, Ok(vec![]));
    assert_eq!(store.version(bob, id, at(5)).await, Ok(None));
    for seconds in 7..19 {
        let saved = store
            .edit_skill(ann, id, None, edited("corn"), at(seconds))
            .await;
        assert_eq!(saved, Ok(Saved::At(at(seconds))));
    }
    let versions = store.versions_of(ann, id).await.expect("answers");
    assert_eq!(versions.len(), 10);
    assert_eq!((versions[0].made_at, versions[9].made_at), (at(17), at(8)));
    assert_eq!(store.version(ann, id, at(5)).await, Ok(None));
    assert_eq!(store.delete_skill(ann, id, None).await, Ok(Removed::Gone));
    assert_eq!(store.versions_of(ann, id).await, Ok(vec![]));
    assert_eq!(
        ground.tamper("DELETE FROM versions").await,
        Ok(0),
        "none is left behind"
    );
}

async fn a_shared_skill_is_seen_by_everybody_until_it_is_taken_back(ground: Ground) {
    let store = &ground.store;
    let (ann, bob) = (user(store, 9).await, user(store, 9).await);
    let id = made(store, ann, "rye", 5).await;
    assert_eq!(store.public_skill(id).await, Ok(None));
    assert_eq!(store.share_skill(bob, id, true).await, Ok(false));
    for is_public in [true, true, false, false] {
        assert_eq!(store.share_skill(ann, id, is_public).await, Ok(true));
        let seen = store.public_skill(id).await.expect("answers");
        assert_eq!(seen.is_some(), is_public);
    }
    assert_eq!(
        store
            .skill(ann, id)
            .await
            .expect("answers")
            .expect("a skill")
            .updated_at,
        at(5)
    );
    assert_eq!(
        store.share_skill(ann, SkillId::new(), true).await,
        Ok(false)
    );
}

async fn a_copy_of_ones_own_can_be_made_again_and_one_of_somebody_elses_cannot(ground: Ground) {
    let store = &ground.store;
    let (ann, bob) = (user(store, 9).await, user(store, 9).await);
    let id = made(store, ann, "rye", 5).await;
    let copy = |who, of| store.duplicate_skill(who, of, SkillId::new(), at(9));
    assert_eq!(copy(bob, id).await, Ok(None), "it is private");
    assert_eq!(copy(ann, SkillId::new()).await, Ok(None));
    store.share_skill(ann, id, true).await.expect("shared");
    let mine = copy(ann, id).await.expect("answers").expect("a copy");
    let theirs = copy(bob, id).await.expect("answers").expect("a copy");
    for (who, copy) in [(ann, &mine), (bob, &theirs)] {
        assert_eq!((copy.user_id, copy.is_public), (who, false));
        assert_eq!((copy.created_at, copy.updated_at), (at(9), at(9)));
        assert_eq!(
            store.skill(who, copy.id).await.expect("answers").as_ref(),
            Some(copy)
        );
    }
    let order = Origin::Order(Box::new(run(ann).order));
    assert_eq!(store.origin(ann, id).await, Ok(order.clone()));
    store.delete_skill(ann, id, None).await.expect("deleted");
    assert_eq!(store.origin(ann, id).await, Ok(Origin::Missing));
    assert_eq!(store.origin(ann, mine.id).await, Ok(order));
    assert_eq!(store.origin(bob, mine.id).await, Ok(Origin::Missing));
    assert_eq!(store.origin(bob, theirs.id).await, Ok(Origin::NotOurs));
    let back = copy(ann, theirs.id).await;
    assert_eq!(
        back,
        Ok(None),
        "a copy is private whatever its original was"
    );
}

async fn a_library_is_counted_and_ordered_as_asked(ground: Ground) {
    let store = &ground.store;
    let ann = user(store, 9).await;
    for (name, seconds) in [("rye", 3), ("spelt", 9), ("corn", 6)] {
        made(store, ann, name, seconds).await;
    }
    let listed = async |order| {
        let filter = SkillFilter {
            order,
            ..SkillFilter::default()
        };
        let lines = store.skills_of(ann, filter).await.expect("answers");
        lines.into_iter().map(|line| line.name).collect::<Vec<_>>()
    };
    assert_eq!(listed(SkillOrder::Name).await, ["corn", "rye", "spelt"]);
    assert_eq!(listed(SkillOrder::Changed).await, ["spelt", "corn", "rye"]);
    assert_eq!(listed(SkillOrder::Made).await, ["spelt", "corn", "rye"]);
    assert_eq!(listed(SkillOrder::Words).await.len(), 3);
    let one = SkillFilter {
        limit: Some(1),
        ..SkillFilter::default()
    };
    assert_eq!(
        store.skill_count(ann, one).await,
        Ok(3),
        "whatever the limit"
    );
    assert_eq!(
        store.categories_of(ann).await,
        Ok(vec![("baking".to_owned(), 3)])
    );
}
