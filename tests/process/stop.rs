//! SIGTERM, a second server, a port in use: what an operator does on an ordinary day.

use crate::service::{Service, client, generate};
use crate::site::Site;
use std::time::{Duration, Instant};

#[tokio::test(flavor = "multi_thread")]
async fn a_stopping_server_ends_what_outlasts_the_grace_with_the_refund_and_exits_0() {
    let mut service = Service::new();
    let site = Site::start();
    let key = service.key(3);
    service.serve();
    let client = client();
    let (address, page) = (service.address().to_owned(), site.page(0));
    let order = tokio::spawn({
        let (client, key, address) = (client.clone(), key.clone(), address.clone());
        async move { generate(&client, &address, &key, page).await.unwrap() }
    });
    site.wait_for(1);
    service.ask_to_stop();
    let answer = order.await.unwrap();
    assert_eq!(answer.status(), 500);
    let error: serde_json::Value = answer.json().await.unwrap();
    assert_eq!(error["error"]["code"], "GENERATION_FAILED");
    assert_eq!(service.wait(), Some(0));
    let books = service.ok(&["ledger", "verify", "--json"]);
    let books: serde_json::Value = serde_json::from_str(&books).unwrap();
    assert_eq!(
        (&books["available"], &books["reserved"]),
        (&3.into(), &0.into()),
        "{books}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopping_server_takes_no_new_run_and_is_not_ready() {
    let mut service = Service::new();
    service.grace_s = 60;
    let site = Site::start();
    let key = service.key(3);
    service.serve();
    assert_eq!(service.admin("/readyz").await.0, 200);
    let client = client();
    let (address, page) = (service.address().to_owned(), site.page(0));
    let order = tokio::spawn({
        let (client, key, address) = (client.clone(), key.clone(), address.clone());
        async move { generate(&client, &address, &key, page).await.unwrap() }
    });
    site.wait_for(1);
    service.ask_to_stop();
    while service.admin("/readyz").await.0 == 200 {}
    assert_eq!(service.admin("/healthz").await.0, 200);
    let refused = generate(
        &client,
        &address,
        &key,
        "Fire the kiln slowly, and keep its lid closed below 200 degrees, because the glaze cracks when it is opened too early.".to_owned(),
    )
    .await
    .unwrap();
    assert!(refused.status().is_server_error(), "{}", refused.status());
    site.open();
    assert_eq!(
        order.await.unwrap().status(),
        200,
        "what was under way is finished within the grace"
    );
    assert_eq!(service.wait(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopping_node_hands_over_what_outlasts_the_grace_and_what_has_not_begun() {
    let mut first = Service::on_postgres().await;
    let site = Site::start();
    let key = first.key(4);
    let mut second = first.beside();
    first.serve_with("SKILLKILN__LIMITS__RUNNING_PER_ACCOUNT", "2");
    second.serve();
    let client = client();
    let orders: Vec<_> = (0..4)
        .map(|n| {
            let (client, key) = (client.clone(), key.clone());
            let (address, page) = (first.address().to_owned(), site.page(n));
            tokio::spawn(async move { generate(&client, &address, &key, page).await.unwrap() })
        })
        .collect();
    let all = |history: &serde_json::Value| history["total"] == 4;
    second.until(&key, "/api/v1/generations", all).await;
    site.wait_for(2);
    let told = Instant::now();
    first.ask_to_stop();
    for order in orders {
        // Those who listen are told that it goes on.
        let answer = order.await.unwrap();
        assert_eq!(answer.status(), 500);
        assert!(answer.text().await.unwrap().contains("goes on"));
    }
    assert_eq!(first.wait(), Some(0));
    site.open();
    let done = |history: &serde_json::Value| {
        let all = history["generations"].as_array().unwrap();
        all.len() == 4 && all.iter().all(|one| one["status"] == "completed")
    };
    second.until(&key, "/api/v1/generations", done).await;
    assert!(
        told.elapsed() < Duration::from_secs(20),
        "{:?}",
        told.elapsed()
    );
    let books = second.ok(&["ledger", "verify", "--json"]);
    let books: serde_json::Value = serde_json::from_str(&books).unwrap();
    assert_eq!(
        (&books["available"], &books["reserved"], &books["posted"]),
        (&0.into(), &0.into(), &4.into()),
        "{books}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopping_server_answers_for_a_moment_after_it_said_that_it_stops() {
    let mut service = Service::new();
    service.serve_with("SKILLKILN__SERVER__SHUTDOWN_PAUSE_S", "3");
    let told = Instant::now();
    service.ask_to_stop();
    while service.admin("/readyz").await.0 == 200 {}
    assert_eq!(service.admin("/healthz").await.0, 200);
    assert_eq!(service.wait(), Some(0));
    assert!(
        told.elapsed() >= Duration::from_secs(3),
        "{:?}",
        told.elapsed()
    );
}

#[test]
fn a_second_server_on_the_same_sqlite_file_is_refused() {
    let mut service = Service::new();
    service.serve();
    let second = service.run(&["serve"]);
    assert_eq!(second.status.code(), Some(1));
    let said = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(
        said.contains("another skillkiln serves from this database"),
        "{said}"
    );
}

#[test]
fn a_server_gives_freed_memory_back_soon_unless_the_operator_says_when() {
    let delays = |of: &str| -> Vec<String> {
        let set = of.split('\0');
        set.filter_map(|set| set.strip_prefix("MIMALLOC_PURGE_DELAY=").map(str::to_owned))
            .collect()
    };
    let mut service = Service::new();
    service.serve();
    assert_eq!(delays(&service.environment()), ["10"]);
    let mut service = Service::new();
    service.serve_with("MIMALLOC_PURGE_DELAY", "250");
    assert_eq!(delays(&service.environment()), ["250"]);
}
