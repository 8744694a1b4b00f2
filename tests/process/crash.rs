//! `kill -9` at any moment: a restart carries on or gives back, and no credit is lost or doubled.

use crate::service::{Service, client, generate};
use crate::site::Site;
use serde_json::Value;

fn statuses(history: &Value) -> Vec<&str> {
    let rows = history["generations"].as_array().unwrap();
    rows.iter()
        .map(|row| row["status"].as_str().unwrap())
        .collect()
}

/// Orders `count` pages that the site holds back, and kills the server once all are being read.
async fn kill_while_reading(service: &mut Service, site: &Site, key: &str, count: usize) {
    service.serve();
    let client = client();
    let orders: Vec<_> = (0..count)
        .map(|n| {
            let (client, key) = (client.clone(), key.to_owned());
            let (address, page) = (service.address().to_owned(), site.page(n));
            tokio::spawn(async move { generate(&client, &address, &key, page).await })
        })
        .collect();
    site.wait_for(count);
    service.kill();
    for order in orders {
        assert!(
            order.await.unwrap().is_err(),
            "the connection broke with the server"
        );
    }
}

async fn runs_that_were_under_way_are_finished_after_a_restart(mut service: Service) {
    let site = Site::start();
    let key = service.key(10);
    kill_while_reading(&mut service, &site, &key, 4).await;
    let books = service.ok(&["ledger", "verify"]);
    assert!(books.contains("balance"), "{books}");

    site.open();
    service.serve();
    let done = |history: &Value| {
        statuses(history)
            .iter()
            .all(|status| *status == "completed")
    };
    let history = service.until(&key, "/api/v1/generations", done).await;
    assert_eq!(statuses(&history).len(), 4);
    let credits = service.until(&key, "/api/v1/credits", |_| true).await;
    assert_eq!(credits["credits_remaining"], 6);
    assert_eq!(credits["total_generations"], 4);
    service.ok(&["ledger", "verify"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_server_finishes_its_runs_after_a_restart_on_sqlite() {
    runs_that_were_under_way_are_finished_after_a_restart(Service::new()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_server_finishes_its_runs_after_a_restart_on_postgresql() {
    runs_that_were_under_way_are_finished_after_a_restart(Service::on_postgres().await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_kills_the_server_every_time_is_given_back_in_the_end() {
    let mut service = Service::new();
    let site = Site::start();
    let key = service.key(1);
    kill_while_reading(&mut service, &site, &key, 1).await;
    // Each restart takes the run up again, and each time the server is killed while it reads.
    for _ in 0..2 {
        service.serve();
        site.wait_for(1);
        service.kill();
    }
    service.serve();
    let ended = |history: &Value| !matches!(statuses(history)[0], "queued" | "running");
    let history = service.until(&key, "/api/v1/generations", ended).await;
    assert_eq!(statuses(&history), ["failed"]);
    assert_eq!(history["generations"][0]["credits_refunded"], 1);
    let credits = service.until(&key, "/api/v1/credits", |_| true).await;
    assert_eq!(credits["credits_remaining"], 1);
    service.ok(&["ledger", "verify"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_credit_is_lost_or_doubled_by_kills_at_random_moments() {
    let mut service = Service::new();
    let key = service.key(60);
    // Seeded, so that a failure can be repeated: how many answers are awaited before each kill.
    for (round, answers) in [1, 0, 3, 2, 5].into_iter().enumerate() {
        service.serve();
        let client = client();
        let mut orders: Vec<_> = (0..8)
            .map(|n| {
                let (client, key) = (client.clone(), key.clone());
                let address = service.address().to_owned();
                let text = format!("# Kiln {round}.{n}\n\nFire the pots at nine hundred degrees. You must close the lid first, and keep it closed until the gauge is below two hundred.\n");
                Box::pin(async move { generate(&client, &address, &key, text).await })
            })
            .collect();
        for _ in 0..answers {
            let (_, _, rest) = futures_util::future::select_all(orders).await;
            orders = rest;
        }
        let rest = tokio::spawn(futures_util::future::join_all(orders));
        service.kill();
        rest.await.unwrap();
        service.ok(&["ledger", "verify"]);
    }
    service.serve();
    let ended = |history: &Value| {
        statuses(history)
            .iter()
            .all(|status| matches!(*status, "completed" | "failed"))
    };
    let history = service
        .until(&key, "/api/v1/generations?limit=100", ended)
        .await;
    let completed = statuses(&history)
        .iter()
        .filter(|status| **status == "completed")
        .count();
    let credits = service.until(&key, "/api/v1/credits", |_| true).await;
    assert_eq!(credits["credits_remaining"], 60 - completed);
    assert_eq!(credits["total_generations"], completed);
    service.ok(&["ledger", "verify"]);
}

/// Credits stay right either way; but who waits at the first node would be told that the run had ended without it.
#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_starts_leaves_the_runs_of_a_living_one_alone() {
    let mut first = Service::on_postgres().await;
    let site = Site::start();
    let key = first.key(1);
    first.serve();
    let order = {
        let (client, key) = (client(), key.clone());
        let (address, page) = (first.address().to_owned(), site.page(0));
        tokio::spawn(async move { generate(&client, &address, &key, page).await })
    };
    site.wait_for(1);
    let mut second = first.beside();
    second.serve();
    let books = second.ok(&["ledger", "verify"]);
    assert!(books.contains("balance"), "{books}");
    site.open();
    assert_eq!(order.await.unwrap().unwrap().status(), 200);
    // Nobody else has read the page.
    assert!(!site.was_asked_again());
    let history = second.until(&key, "/api/v1/generations", |_| true).await;
    assert_eq!(statuses(&history), ["completed"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_node_held_is_finished_by_another() {
    let mut first = Service::on_postgres().await;
    let site = Site::start();
    let key = first.key(4);
    let mut second = first.beside();
    second.serve();
    let before = second.footprint();
    kill_while_reading(&mut first, &site, &key, 4).await;
    site.open();
    let done = |history: &Value| statuses(history) == ["completed"; 4];
    second.until(&key, "/api/v1/generations", done).await;
    second.is_back(before, "it took over").await;
    let books = second.ok(&["ledger", "verify"]);
    assert!(books.contains("balance"), "{books}");
}
