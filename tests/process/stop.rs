//! SIGTERM, a second server, a port in use: what an operator does on an ordinary day.

use crate::service::{Service, client, generate};
use crate::site::Site;

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
