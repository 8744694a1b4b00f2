//! Uploaded sources.

use crate::ground::*;
use skillkiln::domain::id::{RunId, SkillId, SourceId, UserId};
use skillkiln::domain::skill::Removed;
use skillkiln::domain::source::{Source, SourceStatus, SourceType, StoredFile, StoredSource};
use skillkiln::store::connection::Store;

on_both! {
    a_source_shows_how_the_last_run_on_it_stands,
    sources_are_found_in_the_order_asked_for_by_their_owner_only,
    uploading_is_all_or_nothing,
    a_source_that_no_skill_was_made_of_expires_and_what_is_in_use_stays,
    a_source_expires_with_the_last_skill_that_was_made_of_it,
    bytes_stay_as_long_as_anybodys_living_source_has_them,
    what_is_being_removed_cannot_be_claimed_and_what_is_claimed_cannot_be_removed,
}

fn source(user_id: UserId, digest: &str, seconds: u64) -> StoredSource {
    StoredSource {
        id: SourceId::new(),
        user_id,
        filename: "notes.pdf".to_owned(),
        extension: "pdf".to_owned(),
        size_bytes: 26_214_400,
        digest: digest.to_owned(),
        status: SourceStatus::Uploaded,
        created_at: at(seconds),
    }
}

async fn sources_are_found_in_the_order_asked_for_by_their_owner_only(ground: Ground) {
    let store = &ground.store;
    let (ann, bob) = (user(store, 0).await, user(store, 0).await);
    let (first, second, theirs) = (
        source(ann, "a", 0),
        source(ann, "b", 0),
        source(bob, "c", 0),
    );
    let all = vec![first.clone(), second.clone(), theirs.clone()];
    store.add_sources(all).await.expect("kept");
    let ids = vec![second.id, theirs.id, SourceId::new(), first.id];
    assert_eq!(store.sources(ann, ids).await, Ok(vec![second, first]));
    assert_eq!(store.sources(ann, vec![]).await, Ok(vec![]));
}

async fn uploading_is_all_or_nothing(ground: Ground) {
    let store = &ground.store;
    let ann = user(store, 0).await;
    let (good, bad) = (source(ann, "a", 0), source(UserId::new(), "b", 0));
    assert!(store.add_sources(vec![good.clone(), bad]).await.is_err());
    assert_eq!(store.sources(ann, vec![good.id]).await, Ok(vec![]));
}

/// A run over an uploaded source.
async fn run_over(store: &Store, source: &StoredSource) -> RunId {
    let mut new = run(source.user_id);
    new.order.source = Source::File {
        files: vec![StoredFile {
            filename: source.filename.clone(),
            digest: source.digest.clone(),
            size_bytes: source.size_bytes,
            source_id: Some(source.id),
        }],
    };
    for row in &mut new.generations {
        row.source_type = SourceType::File;
    }
    let id = new.id;
    charge(store, new).await.expect("charged");
    id
}

async fn statuses(store: &Store, sources: &[StoredSource]) -> Vec<&'static str> {
    let ids = sources.iter().map(|source| source.id).collect();
    let found = store.sources(sources[0].user_id, ids).await;
    let found = found.expect("answers");
    found.iter().map(|source| source.status.as_str()).collect()
}

async fn a_source_that_no_skill_was_made_of_expires_and_what_is_in_use_stays(ground: Ground) {
    let store = &ground.store;
    let ann = user(store, 9).await;
    let kept: Vec<StoredSource> = ["unused", "running", "failed", "used", "deleted"]
        .map(|digest| source(ann, digest, 0))
        .into();
    let young = source(ann, "young", 10);
    store.add_sources(kept.clone()).await.expect("kept");
    store.add_sources(vec![young.clone()]).await.expect("kept");
    let all: Vec<StoredSource> = kept.iter().cloned().chain([young]).collect();
    let digests: Vec<String> = all.iter().map(|source| source.digest.clone()).collect();
    assert_eq!(store.claim_blobs(digests, at(0)).await, Ok(vec![]));
    run_over(store, &kept[1]).await;
    let failed = run_over(store, &kept[2]).await;
    fail(store, failed).await.expect("failed");
    for source in [&kept[3], &kept[4]] {
        let made = run_over(store, source).await;
        complete(store, made, &["rye"]).await.expect("completed");
        // A later run failed, which is no reason to lose it.
        let failed = run_over(store, source).await;
        fail(store, failed).await.expect("failed");
        if source.digest == "deleted" {
            assert_eq!(
                store.delete_skill(ann, SkillId(made.0), None).await,
                Ok(Removed::Gone)
            );
        }
    }
    assert_eq!(store.expire_sources(at(10)).await, Ok(3));
    assert_eq!(
        statuses(store, &all).await,
        [
            "expired",
            "processing",
            "expired",
            "ready",
            "expired",
            "uploaded"
        ]
    );
    assert_eq!(store.expire_sources(at(10)).await, Ok(0));
    let late = run_over(store, &kept[0]).await;
    fail(store, late).await.expect("failed");
    assert_eq!(
        statuses(store, &kept[..1]).await,
        ["expired"],
        "what is gone stays gone"
    );

    let (mut free, more) = store
        .begin_removal(at(10), at(0), at(20))
        .await
        .expect("answers");
    free.sort_unstable();
    assert_eq!(
        (free, more),
        (
            ["deleted", "failed", "unused"].map(str::to_owned).to_vec(),
            false
        )
    );
    let again = store.begin_removal(at(10), at(0), at(20)).await;
    assert_eq!(
        again,
        Ok((vec![], false)),
        "the others were claimed for what needs them"
    );
}

async fn a_source_shows_how_the_last_run_on_it_stands(ground: Ground) {
    let store = &ground.store;
    let ann = user(store, 9).await;
    let kept = [source(ann, "a", 0), source(ann, "b", 0)];
    store.add_sources(kept.to_vec()).await.expect("kept");
    let good = run_over(store, &kept[0]).await;
    assert_eq!(statuses(store, &kept).await, ["processing", "uploaded"]);
    complete(store, good, &["rye"]).await.expect("completed");
    assert_eq!(statuses(store, &kept).await, ["ready", "uploaded"]);
    let bad = run_over(store, &kept[0]).await;
    let waiting = run_over(store, &kept[1]).await;
    assert_eq!(statuses(store, &kept).await, ["processing", "processing"]);
    fail(store, bad).await.expect("failed");
    assert_eq!(statuses(store, &kept).await, ["failed", "processing"]);
    assert!(complete(store, bad, &["rye"]).await.is_err());
    assert_eq!(
        statuses(store, &kept).await,
        ["failed", "processing"],
        "an end that is refused shows nothing"
    );
    fail(store, waiting).await.expect("failed");
    assert_eq!(statuses(store, &kept).await, ["failed", "failed"]);
}

async fn a_source_expires_with_the_last_skill_that_was_made_of_it(ground: Ground) {
    let store = &ground.store;
    let ann = user(store, 9).await;
    let kept = [source(ann, "a", 0)];
    store.add_sources(kept.to_vec()).await.expect("kept");
    store
        .claim_blobs(vec!["a".to_owned()], at(0))
        .await
        .expect("claimed");
    let made = run_over(store, &kept[0]).await;
    complete(store, made, &["rye"]).await.expect("completed");
    let copy = SkillId::new();
    store
        .duplicate_skill(ann, SkillId(made.0), copy, at(5))
        .await
        .expect("copied");
    store
        .delete_skill(ann, SkillId(made.0), None)
        .await
        .expect("deleted");
    let sweep = async |before, now| {
        store.expire_sources(at(before)).await.expect("answers");
        store
            .begin_removal(at(before), at(0), at(now))
            .await
            .expect("answers")
            .0
    };
    assert_eq!(
        sweep(10, 20).await,
        Vec::<String>::new(),
        "the copy needs it"
    );
    assert_eq!(statuses(store, &kept).await, ["ready"]);
    store.delete_skill(ann, copy, None).await.expect("deleted");
    assert_eq!(sweep(30, 40).await, ["a"]);
    assert_eq!(statuses(store, &kept).await, ["expired"]);
}

async fn bytes_stay_as_long_as_anybodys_living_source_has_them(ground: Ground) {
    let store = &ground.store;
    let (ann, bob) = (user(store, 0).await, user(store, 0).await);
    let sources = vec![source(ann, "shared", 0), source(bob, "shared", 20)];
    store.add_sources(sources).await.expect("kept");
    store
        .claim_blobs(vec!["shared".to_owned()], at(0))
        .await
        .expect("claimed");
    assert_eq!(store.expire_sources(at(10)).await, Ok(1));
    let (free, _) = store
        .begin_removal(at(10), at(0), at(30))
        .await
        .expect("answers");
    assert_eq!(free, Vec::<String>::new());
    assert_eq!(store.expire_sources(at(40)).await, Ok(1));
    let (free, _) = store
        .begin_removal(at(40), at(0), at(50))
        .await
        .expect("answers");
    assert_eq!(free, ["shared"]);
}

async fn what_is_being_removed_cannot_be_claimed_and_what_is_claimed_cannot_be_removed(
    ground: Ground,
) {
    let store = &ground.store;
    let (a, b) = ("a".to_owned(), "b".to_owned());
    let both = vec![a.clone(), b.clone(), a.clone()];
    assert_eq!(store.claim_blobs(both, at(0)).await, Ok(vec![]));
    assert_eq!(store.claim_blobs(vec![b.clone()], at(20)).await, Ok(vec![]));
    let begin = async |before, stale, now| {
        let begun = store.begin_removal(at(before), at(stale), at(now)).await;
        begun.expect("answers").0
    };
    assert_eq!(begin(10, 0, 30).await, ["a"]);
    let claim = async |at| store.claim_blobs(vec![a.clone(), b.clone()], at).await;
    assert_eq!(
        claim(at(31)).await,
        Ok(vec![a.clone()]),
        "the other one is claimed"
    );
    assert_eq!(
        begin(10, 30, 31).await,
        Vec::<String>::new(),
        "somebody is at it"
    );
    assert_eq!(
        begin(10, 31, 32).await,
        ["a"],
        "and then was not heard of again"
    );
    store
        .end_removal(vec![a.clone(), b.clone()])
        .await
        .expect("ended");
    assert_eq!(
        claim(at(33)).await,
        Ok(vec![]),
        "from now on it can be written anew"
    );
    assert_eq!(begin(33, 0, 40).await, Vec::<String>::new());
    assert_eq!(
        begin(34, 0, 40).await.len(),
        2,
        "both rows are there, the one that was never removed too"
    );
}
