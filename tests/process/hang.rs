//! Threads that hang for good: the node ends itself, and the next start takes up what was left behind.

use crate::service::{Service, client, generate};
use crate::site::Site;
use serde_json::Value;
use std::time::{Duration, Instant};
use tokio::time::timeout;

/// More than what is logged before a pipe that nobody reads is full.
const ASKED_MOST: usize = 20_000;
/// Until the watchdog ends the process ([`Patience`](skillkiln::actors::pulse::Patience)), which takes 25 s, on a busy machine.
const ENDED_WITHIN: Duration = Duration::from_secs(90);

/// Whoever reads the log has stopped, so that each thread that logs hangs, the one that is to end the process among them. The watchdog
/// did wait for the log as well once, and the node hung for ever.
#[tokio::test(flavor = "multi_thread")]
async fn a_node_whose_log_nobody_reads_any_more_is_ended_by_its_watchdog_and_starts_again_with_its_books_in_order()
 {
    let mut service = Service::new();
    let site = Site::start();
    let key = service.key(2);
    service.serve_unread("SKILLKILN__LOG__LEVEL", "trace");
    let order = tokio::spawn({
        let (address, key, page) = (service.address().to_owned(), key.clone(), site.page(0));
        async move { generate(&client(), &address, &key, page).await }
    });
    site.wait_for(1);
    let client = client();
    let ask = || {
        let address = format!("{}/api/v1/credits", service.address());
        client.get(address).bearer_auth(&key).send()
    };
    let mut asked = 0;
    while timeout(Duration::from_secs(2), ask()).await.is_ok() {
        asked += 1;
        assert!(asked < ASKED_MOST, "nothing hangs");
    }
    let until = Instant::now() + ENDED_WITHIN;
    while service.ended().is_none() {
        assert!(Instant::now() < until, "the process hangs for ever");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(service.wait(), Some(1));
    assert!(order.await.unwrap().is_err(), "the connection broke");

    let books = service.ok(&["ledger", "verify"]);
    assert!(books.contains("balance"), "{books}");
    site.open();
    service.serve();
    // It is made now, or was given back by the last deed of whatever did not hang.
    let ended = |history: &Value| {
        let run = &history["generations"][0];
        run["status"] == "completed" || run["credits_refunded"] == 1
    };
    service.until(&key, "/api/v1/generations", ended).await;
    let credits = service.until(&key, "/api/v1/credits", |_| true).await;
    let number = |name: &str| credits[name].as_u64().unwrap();
    assert_eq!(
        number("credits_remaining") + number("total_generations"),
        2,
        "{credits}"
    );
    service.ok(&["ledger", "verify"]);
}
