//! Uploaded sources.

use crate::ground::*;
use skillkiln::domain::id::{SourceId, UserId};
use skillkiln::domain::source::{SourceStatus, StoredSource};

on_both! {
    sources_are_found_in_the_order_asked_for_by_their_owner_only,
    uploading_is_all_or_nothing,
    unused_sources_expire_and_used_ones_stay,
    bytes_may_go_when_no_living_source_has_them,
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

async fn unused_sources_expire_and_used_ones_stay(ground: Ground) {
    let store = &ground.store;
    let ann = user(store, 0).await;
    let statuses = [
        SourceStatus::Uploaded,
        SourceStatus::Processing,
        SourceStatus::Ready,
        SourceStatus::Failed,
    ];
    let mut ids = Vec::new();
    for status in statuses {
        let old = source(ann, status.as_str(), 0);
        ids.push(old.id);
        store.add_sources(vec![old]).await.expect("kept");
        store
            .set_source_status(ids[ids.len() - 1..].to_vec(), status)
            .await
            .expect("set");
    }
    let young = source(ann, "young", 10);
    ids.push(young.id);
    store.add_sources(vec![young]).await.expect("kept");
    let gone = store.expire_sources(at(10)).await.expect("answers");
    let mut digests: Vec<_> = gone.iter().map(|source| source.digest.as_str()).collect();
    digests.sort_unstable();
    assert_eq!(digests, ["failed", "uploaded"]);
    assert_eq!(store.expire_sources(at(10)).await, Ok(vec![]));
    store
        .set_source_status(ids.clone(), SourceStatus::Ready)
        .await
        .expect("set");
    let now = store.sources(ann, ids).await.expect("answers");
    let now: Vec<_> = now.iter().map(|source| source.status).collect();
    let (gone, ready) = (SourceStatus::Expired, SourceStatus::Ready);
    assert_eq!(
        now,
        [gone, ready, ready, gone, ready],
        "what is gone stays gone"
    );
}

async fn bytes_may_go_when_no_living_source_has_them(ground: Ground) {
    let store = &ground.store;
    let (ann, bob) = (user(store, 0).await, user(store, 0).await);
    let sources = vec![
        source(ann, "shared", 0),
        source(ann, "alone", 0),
        source(bob, "shared", 20),
    ];
    store.add_sources(sources).await.expect("kept");
    store.expire_sources(at(10)).await.expect("answers");
    let asked = vec![
        "shared".to_owned(),
        "alone".to_owned(),
        "never seen".to_owned(),
    ];
    let unused = store.unused_digests(asked).await;
    assert_eq!(
        unused,
        Ok(vec!["alone".to_owned(), "never seen".to_owned()])
    );
}
