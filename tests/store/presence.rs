//! Who is at work on a database: a node that is alone knows it, and others wait until it has looked around.

use crate::ground::{postgres, sqlite};
use skillkiln::domain::clock::{Clock, Timestamp};
use skillkiln::domain::vitals::Standing;
use skillkiln::store::connection::Store;
use skillkiln::store::presence::Name;
use std::time::Duration;

fn name(id: &str) -> Name {
    Name {
        id: id.to_owned(),
        version: "1.2.3".to_owned(),
        role: "worker".to_owned(),
        started_at: Timestamp::from_micros(1_795_166_100_000_000),
        standing: Standing::Working,
        centicores: 0,
        held: 0,
    }
}

#[tokio::test]
async fn a_node_is_alone_until_another_one_lives_and_again_when_that_has_gone() {
    let ground = postgres().await;
    let second_store = Store::open(&ground.url).await.expect("opens");
    let mut first = ground
        .store
        .attend(&Clock::system(), name("a"))
        .await
        .expect("attends");
    assert!(first.is_alone());
    first.let_others_in();
    let second = second_store
        .attend(&Clock::system(), name("a"))
        .await
        .expect("attends");
    assert!(!second.is_alone());
    drop(first);
    // The first one's place is empty, but the second lives.
    let third = ground
        .store
        .attend(&Clock::system(), name("a"))
        .await
        .expect("attends");
    assert!(!third.is_alone());
    drop((second, third));
    assert!(
        ground
            .store
            .attend(&Clock::system(), name("a"))
            .await
            .expect("attends")
            .is_alone()
    );
}

#[tokio::test]
async fn who_comes_waits_for_a_node_that_is_alone_to_take_up_what_was_left_behind() {
    let ground = postgres().await;
    let mut first = ground
        .store
        .attend(&Clock::system(), name("a"))
        .await
        .expect("attends");
    let store = Store::open(&ground.url).await.expect("opens");
    let second = tokio::spawn(async move { store.attend(&Clock::system(), name("a")).await });
    while waiting(&ground).await == 0 {
        tokio::task::yield_now().await;
    }
    assert!(!second.is_finished());
    first.let_others_in();
    let second = second.await.expect("ends").expect("attends");
    assert!(!second.is_alone());
}

#[tokio::test]
async fn a_node_that_fails_as_it_starts_lets_others_in() {
    let ground = postgres().await;
    drop(
        ground
            .store
            .attend(&Clock::system(), name("a"))
            .await
            .expect("attends"),
    );
    let next = tokio::time::timeout(
        Duration::from_secs(60),
        ground.store.attend(&Clock::system(), name("a")),
    )
    .await;
    assert!(next.expect("is let in").expect("attends").is_alone());
}

#[tokio::test]
async fn each_node_counts_those_at_work() {
    let ground = postgres().await;
    let mut first = ground
        .store
        .attend(&Clock::system(), name("a"))
        .await
        .expect("attends");
    assert_eq!(first.nodes().count(), 1);
    first.let_others_in();
    let store = Store::open(&ground.url).await.expect("opens");
    let mut second = store
        .attend(&Clock::system(), name("a"))
        .await
        .expect("attends");
    second.let_others_in();
    for nodes in [first.nodes(), second.nodes()] {
        until(|| nodes.count() == 2).await;
    }
    drop(second);
    let nodes = first.nodes();
    until(|| nodes.count() == 1).await;
}

/// Looks again and again, and at last fails.
async fn until(is_so: impl Fn() -> bool) {
    let looked = async {
        while !is_so() {
            tokio::task::yield_now().await;
        }
    };
    let looked = tokio::time::timeout(Duration::from_secs(60), looked).await;
    looked.expect("it becomes so");
}

#[tokio::test]
async fn whoever_opened_a_sqlite_file_is_alone() {
    let ground = sqlite().await;
    assert!(
        ground
            .store
            .attend(&Clock::system(), name("a"))
            .await
            .expect("attends")
            .is_alone()
    );
}

/// How many wait for a lock.
async fn waiting(ground: &crate::ground::Ground) -> usize {
    let sql = "CREATE TABLE IF NOT EXISTS waiting (n int); \
               DELETE FROM waiting; \
               INSERT INTO waiting SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted \
               AND database = (SELECT oid FROM pg_database WHERE datname = current_database());";
    ground.tamper_many(sql).await.expect("looked");
    ground.tamper("DELETE FROM waiting").await.expect("counted")
}

#[tokio::test]
async fn every_node_sees_the_names_of_all_that_live() {
    let ground = postgres().await;
    let other = Store::open(&ground.url).await.expect("opens");
    let clock = Clock::system();
    let mut first = ground
        .store
        .attend(&clock, name("a"))
        .await
        .expect("attends");
    first.let_others_in();
    let mut second = other.attend(&clock, name("b")).await.expect("attends");
    second.let_others_in();
    let seen_by = |presence: &skillkiln::store::presence::Presence| {
        let mut names = presence.nodes().names();
        names.sort_by(|one, other| one.id.cmp(&other.id));
        names
    };
    for presence in [&first, &second] {
        while seen_by(presence) != [name("a"), name("b")] {
            tokio::task::yield_now().await;
        }
    }
    let cordoned = Name {
        standing: Standing::Cordoned,
        centicores: 150,
        held: 7,
        ..name("b")
    };
    second.says().doing(1.5, 7);
    second.says().stand(Standing::Cordoned);
    while seen_by(&first) != [name("a"), cordoned.clone()] {
        tokio::task::yield_now().await;
    }
    drop(second);
    while seen_by(&first) != [name("a")] {
        tokio::task::yield_now().await;
    }
}
