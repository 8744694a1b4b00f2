//! Buying in the sandbox: the whole way without an account anywhere, paid by a button, heard as real events are.

use crate::support::app::{App, Someone};
use crate::support::client::{Answer, Request};
use futures_util::future::join_all;
use serde_json::{Value, json};
use std::time::Duration;

/// Opens a page, and says its path.
async fn open(app: &App, someone: &Someone, plan: &str) -> String {
    let request = app.post("/api/checkout").key(&someone.key);
    let answer = request.json(&json!({ "plan": plan })).send().await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let url = answer.json()["checkout_url"]
        .as_str()
        .expect("an address")
        .to_owned();
    url.strip_prefix("http://127.0.0.1:8080")
        .expect("a page of ours")
        .to_owned()
}

fn button(app: &App, path: &str, deed: &str) -> Request {
    app.post(path)
        .body("application/x-www-form-urlencoded", format!("deed={deed}"))
}

async fn press(app: &App, path: &str, deed: &str) -> String {
    let answer = button(app, path, deed).send().await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    answer.header("location").expect("somewhere").to_owned()
}

async fn credits(app: &App, someone: &Someone) -> Value {
    let answer: Answer = app.get("/api/credits").key(&someone.key).send().await;
    answer.json()
}

#[tokio::test]
async fn a_pack_is_paid_by_a_button_once() {
    let app = App::start().await;
    let ann = app.someone(3).await;
    let path = open(&app, &ann, "starter").await;
    assert_eq!(open(&app, &ann, "starter").await, path);
    let page = app.get(&path).send().await;
    assert_eq!(page.status, 200);
    for words in [
        "Sandbox",
        "Starter pack",
        "10 credits",
        "2026-11-20 10:15 UTC",
        "value=\"pay\"",
        "value=\"cancel\"",
    ] {
        assert!(page.text().contains(words), "{words}: {}", page.text());
    }
    assert_eq!(credits(&app, &ann).await["credits"], 3);
    let pressed = join_all((0..20).map(|_| press(&app, &path, "pay"))).await;
    assert!(
        pressed.contains(&"/billing/success".to_owned()),
        "{pressed:?}"
    );
    let bought = json!({ "credits": 13, "plan": "starter", "is_unlimited": false });
    assert_eq!(credits(&app, &ann).await, bought);
    assert_eq!(press(&app, &path, "pay").await, format!("{path}?late"));
    assert_eq!(press(&app, &path, "cancel").await, format!("{path}?late"));
    assert!(app.get(&path).send().await.text().contains("This is paid"));
    assert_eq!(credits(&app, &ann).await, bought);
    assert_ne!(open(&app, &ann, "starter").await, path);
    app.books().await;
}

#[tokio::test]
async fn a_cancelled_page_and_one_that_ran_out_cannot_be_paid() {
    let app = App::start().await;
    let ann = app.someone(0).await;
    let path = open(&app, &ann, "pro_pack").await;
    assert_eq!(press(&app, &path, "cancel").await, "/billing/cancel");
    assert_eq!(press(&app, &path, "pay").await, format!("{path}?late"));
    let path = open(&app, &ann, "pro_pack").await;
    app.clock.advance(Duration::from_secs(3_600));
    assert_eq!(press(&app, &path, "pay").await, format!("{path}?late"));
    let shown = app.get(&format!("{path}?late")).send().await;
    assert!(shown.text().contains("too late") && shown.text().contains("nothing left to do"));
    assert_eq!(credits(&app, &ann).await["credits"], 0);
    let path = open(&app, &ann, "pro_pack").await;
    assert_eq!(press(&app, &path, "pay").await, "/billing/success");
    assert_eq!(credits(&app, &ann).await["credits"], 50);
    app.books().await;
}

#[tokio::test]
async fn a_page_is_a_secret_and_a_button_is_pressed_on_it_only() {
    let app = App::start().await;
    let ann = app.someone(0).await;
    let path = open(&app, &ann, "starter").await;
    assert!(
        path.rsplit('_')
            .next()
            .is_some_and(|secret| secret.len() == 64)
    );
    for wrong in [
        format!("{path}0"),
        "/sandbox/checkout/x".to_owned(),
        "/sandbox/checkout/%00".to_owned(),
    ] {
        assert_eq!(app.get(&wrong).send().await.status, 404, "{wrong}");
        assert_eq!(
            button(&app, &wrong, "pay").send().await.status,
            404,
            "{wrong}"
        );
    }
    for (name, value) in [
        ("Origin", "https://evil.example"),
        ("Origin", "null"),
        ("Sec-Fetch-Site", "cross-site"),
    ] {
        let answer = button(&app, &path, "pay").header(name, value).send().await;
        assert_eq!(answer.status, 403, "{name}: {value}");
    }
    for nonsense in ["steal", "", "pay&deed=pay"] {
        assert_eq!(
            button(&app, &path, nonsense).send().await.status,
            400,
            "{nonsense}"
        );
    }
    assert_eq!(credits(&app, &ann).await["credits"], 0);
    let from_here = button(&app, &path, "pay")
        .header("Origin", "http://127.0.0.1:8080")
        .header("Sec-Fetch-Site", "same-origin");
    assert_eq!(from_here.send().await.status, 303);
    assert_eq!(credits(&app, &ann).await["credits"], 10);
}

#[tokio::test]
async fn a_refund_and_the_end_of_a_subscription_can_be_rehearsed() {
    let app = App::start().await;
    let ann = app.someone(0).await;
    let pack = open(&app, &ann, "starter").await;
    press(&app, &pack, "pay").await;
    let subscription = open(&app, &ann, "unlimited").await;
    press(&app, &subscription, "pay").await;
    let told = json!({ "credits": 10, "plan": "unlimited", "is_unlimited": true });
    assert_eq!(credits(&app, &ann).await, told);
    let again = app
        .post("/api/checkout")
        .key(&ann.key)
        .json(&json!({ "plan": "unlimited" }));
    assert_eq!(again.send().await.refusal(), (409, "CONFLICT".into()));
    app.clock.advance(Duration::from_secs(5));
    assert_eq!(
        press(&app, &subscription, "end").await,
        format!("{subscription}?done")
    );
    let told = json!({ "credits": 10, "plan": "starter", "is_unlimited": false });
    assert_eq!(credits(&app, &ann).await, told);
    assert_eq!(press(&app, &pack, "refund").await, format!("{pack}?done"));
    assert_eq!(press(&app, &pack, "refund").await, format!("{pack}?late"));
    let told = json!({ "credits": 0, "plan": "free", "is_unlimited": false });
    assert_eq!(credits(&app, &ann).await, told);
    app.books().await;
}

#[tokio::test]
async fn nobody_can_sign_an_event_of_the_sandbox() {
    let app = App::start().await;
    let answer = app
        .post("/webhooks/stripe")
        .header(
            "Stripe-Signature",
            &format!("t=1795166100,v1={}", "0".repeat(64)),
        )
        .body("application/json", "{}")
        .send()
        .await;
    assert_eq!(answer.refusal(), (400, "VALIDATION_ERROR".into()));
}
