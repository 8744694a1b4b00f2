//! What accounts are told outside of their requests: endpoints, what is noted for them, and how events are taken and settled.

use crate::ground::*;
use skillkiln::domain::clock::Timestamp;
use skillkiln::domain::id::{DeliveryId, EndpointId, RunId, UserId};
use skillkiln::domain::webhook::{Attempt, ENDPOINTS_MAX, Endpoint, NewDelivery};
use skillkiln::store::connection::Store;

on_both! {
    an_account_has_a_few_endpoints_and_they_are_its_own,
    a_run_is_noted_once_whoever_notes_it,
    an_event_is_taken_once_and_again_when_its_taker_is_lost,
    what_is_given_up_is_due_no_more_until_its_owner_says_so,
    runs_are_told_as_they_ended,
}

fn endpoint(user_id: UserId, n: u64) -> Endpoint {
    Endpoint {
        id: EndpointId::new(),
        user_id,
        url: format!("https://example.org/{n}"),
        created_at: at(n),
        noted_until: at(n),
    }
}

fn event(run_id: RunId) -> NewDelivery {
    NewDelivery {
        id: DeliveryId::new(),
        run_id,
        event: "generation.completed".into(),
        body: "{}".into(),
    }
}

async fn told(store: &Store) -> (UserId, Endpoint) {
    let ann = user(store, 3).await;
    let added = endpoint(ann, 0);
    assert_eq!(store.add_endpoint(added.clone()).await, Ok(true));
    (ann, added)
}

fn broke(now: Timestamp, again_at: Option<Timestamp>) -> Attempt {
    Attempt {
        status: Some(500),
        trouble: Some("the server answered 500".into()),
        at: now,
        again_at,
    }
}

async fn an_account_has_a_few_endpoints_and_they_are_its_own(ground: Ground) {
    let store = &ground.store;
    let (ann, bob) = (user(store, 0).await, user(store, 0).await);
    let own: Vec<Endpoint> = (0..ENDPOINTS_MAX as u64)
        .map(|n| endpoint(ann, n))
        .collect();
    for one in &own {
        assert_eq!(store.add_endpoint(one.clone()).await, Ok(true));
    }
    assert_eq!(store.add_endpoint(endpoint(ann, 9)).await, Ok(false));
    assert_eq!(store.endpoints(Some(ann)).await, Ok(own.clone()));
    assert_eq!(store.endpoints(Some(bob)).await, Ok(vec![]));
    assert_eq!(store.add_endpoint(endpoint(bob, 8)).await, Ok(true));
    assert_eq!(
        store.endpoints(None).await.map(|all| all.len()),
        Ok(ENDPOINTS_MAX + 1)
    );
    assert_eq!(store.remove_endpoint(bob, own[0].id).await, Ok(false));
    assert_eq!(store.remove_endpoint(ann, own[0].id).await, Ok(true));
    assert_eq!(store.remove_endpoint(ann, own[0].id).await, Ok(false));
    assert_eq!(store.endpoints(Some(ann)).await, Ok(own[1..].to_vec()));
}

async fn a_run_is_noted_once_whoever_notes_it(ground: Ground) {
    let store = &ground.store;
    let (ann, endpoint) = told(store).await;
    let run = RunId::new();
    for n in 1..4 {
        let noted = store.note_deliveries(endpoint.id, vec![event(run)], at(n));
        assert_eq!(noted.await, Ok(()));
    }
    let log = store.deliveries_of(ann, 10).await.expect("a log");
    assert_eq!(log.len(), 1);
    assert_eq!(
        (log[0].created_at, log[0].attempts, &log[0].last),
        (at(1), 0, &None)
    );
    let known = store.endpoints(Some(ann)).await.expect("endpoints");
    assert_eq!(known[0].noted_until, at(3));
    // One that was taken away in the meantime is told nothing.
    let gone = store.note_deliveries(EndpointId::new(), vec![event(RunId::new())], at(4));
    assert_eq!(gone.await, Ok(()));
    assert_eq!(store.remove_endpoint(ann, endpoint.id).await, Ok(true));
    assert_eq!(store.take_due(at(99), at(100), 9).await, Ok(vec![]));
}

async fn an_event_is_taken_once_and_again_when_its_taker_is_lost(ground: Ground) {
    let store = &ground.store;
    let (_, endpoint) = told(store).await;
    let both = vec![event(RunId::new()), event(RunId::new())];
    store
        .note_deliveries(endpoint.id, both, at(5))
        .await
        .expect("noted");
    assert_eq!(
        store.take_due(at(4), at(60), 9).await,
        Ok(vec![]),
        "not yet"
    );
    let one = store.take_due(at(5), at(65), 1).await.expect("taken");
    let other = store.take_due(at(5), at(65), 9).await.expect("taken");
    assert_eq!((one.len(), other.len()), (1, 1));
    assert_ne!(one[0].id, other[0].id);
    assert_eq!(
        (one[0].url.as_str(), one[0].attempts),
        ("https://example.org/0", 0)
    );
    assert_eq!(store.take_due(at(64), at(99), 9).await, Ok(vec![]));
    assert_eq!(
        store.take_due(at(65), at(99), 9).await.map(|due| due.len()),
        Ok(2)
    );
}

async fn what_is_given_up_is_due_no_more_until_its_owner_says_so(ground: Ground) {
    let store = &ground.store;
    let (ann, endpoint) = told(store).await;
    let noted = store.note_deliveries(endpoint.id, vec![event(RunId::new())], at(1));
    noted.await.expect("noted");
    let take = |now: u64| store.take_due(at(now), at(now + 60), 9);
    let id = take(1).await.expect("taken")[0].id;
    let settled = store.settle_delivery(id, broke(at(2), Some(at(7))));
    assert_eq!(settled.await, Ok(()));
    assert_eq!(take(6).await, Ok(vec![]));
    assert_eq!(take(7).await.expect("taken")[0].attempts, 1);
    let settled = store.settle_delivery(id, broke(at(8), None));
    assert_eq!(settled.await, Ok(()));
    assert_eq!(take(999).await, Ok(vec![]));
    let log = store.deliveries_of(ann, 10).await.expect("a log");
    assert_eq!((log[0].attempts, log[0].due_at), (2, None));
    assert_eq!(log[0].last, Some(broke(at(8), None)));
    let stranger = user(store, 0).await;
    assert_eq!(store.send_again(stranger, id, at(1_000)).await, Ok(false));
    assert_eq!(store.send_again(ann, id, at(1_000)).await, Ok(true));
    store.forget_deliveries(at(2_000)).await.expect("it is due");
    assert_eq!(take(1_000).await.expect("taken")[0].attempts, 0);
    let arrived = Attempt {
        status: Some(204),
        trouble: None,
        at: at(1_001),
        again_at: None,
    };
    store.settle_delivery(id, arrived).await.expect("settled");
    store.forget_deliveries(at(1)).await.expect("it is young");
    assert_eq!(
        store.deliveries_of(ann, 10).await.map(|log| log.len()),
        Ok(1)
    );
    store.forget_deliveries(at(2_000)).await.expect("forgotten");
    assert_eq!(store.deliveries_of(ann, 10).await, Ok(vec![]));
}

async fn runs_are_told_as_they_ended(ground: Ground) {
    let store = &ground.store;
    let (ann, endpoint) = told(store).await;
    one(store, grant(ann, 9)).await.expect("given");
    let ended_since = |since| store.ended_since(ann, endpoint.id, since);
    let (made, several, failed, open) = (run(ann), catalogue(ann, 2), run(ann), run(ann));
    let ids = [made.id, several.id, failed.id, open.id];
    for run in [made, several, failed, open] {
        charge(store, run).await.expect("charged");
    }
    assert_eq!(ended_since(NOON).await, Ok(vec![]));
    complete_at(store, ids[0], &["bread"], at(10))
        .await
        .expect("made");
    complete_at(store, ids[1], &["rye", "oats"], at(20))
        .await
        .expect("made");
    fail(store, ids[2]).await.expect("failed");
    let mut ended = ended_since(NOON).await.expect("read");
    ended.sort_by_key(|run| ids.iter().position(|id| *id == run.id));
    let told: Vec<_> = ended
        .iter()
        .map(|run| (run.id, run.event(), run.skills.len(), run.at))
        .collect();
    assert_eq!(
        told,
        [
            (ids[0], "generation.completed", 1, at(10)),
            (ids[1], "catalogue.completed", 2, at(20)),
            (ids[2], "generation.failed", 0, at(10)),
        ]
    );
    assert_eq!(ended[2].failure.as_deref(), Some("the page did not answer"));
    let later = ended_since(at(20)).await.expect("read");
    assert_eq!(later.len(), 1, "the instant itself counts");
    let other = user(store, 0).await;
    assert_eq!(
        store.ended_since(other, endpoint.id, NOON).await,
        Ok(vec![])
    );
    let noted = store.note_deliveries(endpoint.id, vec![event(ids[0]), event(ids[1])], at(30));
    noted.await.expect("noted");
    let left = ended_since(NOON).await.expect("read");
    assert_eq!(left.iter().map(|run| run.id).collect::<Vec<_>>(), [ids[2]]);
}
