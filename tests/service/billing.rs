//! Buying with Stripe: one page an order, credits for signed events only, each event once, money back is credits back.

use crate::support::app::{App, Someone};
use crate::support::browser::{Browser, PASSWORD};
use crate::support::client::Answer;
use crate::support::stripe::{Ill, Ordered, SECRET_KEY, Stripe, WEBHOOK_SECRET, event, signature};
use futures_util::future::join_all;
use serde_json::{Value, json};
use skillkiln::config::outside::Till;
use skillkiln::domain::credits::{Credits, GrantReason};
use skillkiln::domain::user::Plan;
use skillkiln::services::admin::Account;
use std::time::Duration;

/// When the tests' clock stands still.
const NOW: i64 = 1_795_166_100;

async fn shop() -> (App, Stripe) {
    let stripe = Stripe::start().await;
    let base_url = stripe.base_url();
    let app = App::with(move |settings| {
        let secret = |name: &str, text: &str| {
            let path = settings.storage.path.join(name);
            std::fs::write(&path, format!("{text}\n")).expect("written");
            path
        };
        settings.billing.secret_key_file = secret("key", SECRET_KEY);
        settings.billing.webhook_secret_file = secret("webhook", WEBHOOK_SECRET);
        settings.billing.provider = Till::Stripe;
        settings.billing.base_url = base_url;
        settings.billing.prices.starter = "price_starter".into();
        settings.billing.prices.pro_pack = "price_pro".into();
        settings.billing.prices.unlimited = "price_unlimited".into();
        settings.server.public_url = "https://kiln.example".into();
        settings.limits.other_per_minute = 100_000;
    })
    .await;
    (app, stripe)
}

async fn order(app: &App, someone: &Someone, plan: &str) -> Answer {
    let request = app.post("/api/checkout").key(&someone.key);
    request.json(&json!({ "plan": plan })).send().await
}

/// Orders, and says what Stripe was asked.
async fn ordered(app: &App, stripe: &Stripe, someone: &Someone, plan: &str) -> Ordered {
    let answer = order(app, someone, plan).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let url = answer.json()["checkout_url"].clone();
    let orders = stripe.orders();
    let order = orders.into_iter().find(|order| order.session["url"] == url);
    order.expect("Stripe made that page")
}

/// Tells an event as Stripe does.
async fn tell(app: &App, event: &Value) -> Answer {
    let body = event.to_string();
    let signed = signature(WEBHOOK_SECRET, NOW, body.as_bytes());
    told(app, body, &signed).await
}

async fn told(app: &App, body: impl Into<Vec<u8>>, signature: &str) -> Answer {
    let request = app
        .post("/webhooks/stripe")
        .body("application/json; charset=utf-8", body);
    request.header("Stripe-Signature", signature).send().await
}

/// Tells events, each of which must be taken.
async fn tell_all(app: &App, events: &[Value]) {
    for event in events {
        let answer = tell(app, event).await;
        assert_eq!(
            (answer.status, answer.json()),
            (200, json!({ "received": true })),
            "{event}"
        );
    }
}

/// Credits, plan, whether unlimited, and packs.
async fn account(app: &App, someone: &Someone) -> (u64, String, bool, u64) {
    let credits = app
        .get("/api/credits")
        .key(&someone.key)
        .send()
        .await
        .json();
    let rest = app
        .get("/api/v1/credits")
        .key(&someone.key)
        .send()
        .await
        .json();
    assert_eq!(credits["credits"], rest["credits_remaining"]);
    assert_eq!(credits["plan"], rest["plan"]);
    (
        credits["credits"].as_u64().expect("a number"),
        credits["plan"].as_str().expect("a word").to_owned(),
        credits["is_unlimited"].as_bool().expect("told"),
        rest["credit_packs_purchased"].as_u64().expect("a number"),
    )
}

fn has(credits: u64, plan: &str, packs: u64) -> (u64, String, bool, u64) {
    (credits, plan.to_owned(), plan == "unlimited", packs)
}

fn completed(id: &str, order: &Ordered) -> Value {
    event(
        id,
        "checkout.session.completed",
        NOW,
        &order.session_as("paid"),
    )
}

/// Generates a skill from a text, for good.
async fn spend(app: &App, someone: &Someone) -> u16 {
    let text = "# Bread\n\nKnead the dough for ten minutes. Let it rest for an hour. Bake it at 230 degrees until the crust is dark.";
    let request = app.post("/api/v1/generate").key(&someone.key);
    let form = [crate::support::client::Part::Text("source", text)];
    request.form(&form).send().await.status
}

#[tokio::test]
async fn an_order_is_a_form_with_our_names_and_the_same_order_is_one_page() {
    let (app, stripe) = shop().await;
    let ann = app.someone(0).await;
    let pack = ordered(&app, &stripe, &ann, "starter").await;
    let said = |name: &str| pack.form.get(name).map(String::as_str).unwrap_or_default();
    assert_eq!(said("mode"), "payment");
    assert_eq!(said("line_items[0][price]"), "price_starter");
    assert_eq!(said("line_items[0][quantity]"), "1");
    assert_eq!(
        said("success_url"),
        "https://kiln.example/billing/success?session_id={CHECKOUT_SESSION_ID}"
    );
    assert_eq!(said("cancel_url"), "https://kiln.example/billing/cancel");
    for name in ["skillkiln_payment", "skillkiln_user", "skillkiln_plan"] {
        let carried = said(&format!("payment_intent_data[metadata][{name}]"));
        assert!(
            !carried.is_empty() && carried == said(&format!("metadata[{name}]")),
            "{name}"
        );
    }
    assert_eq!(
        said("client_reference_id"),
        said("metadata[skillkiln_user]")
    );
    assert_eq!(
        ordered(&app, &stripe, &ann, "starter").await.session,
        pack.session
    );
    assert_eq!(stripe.requests(), 1);

    let subscription = ordered(&app, &stripe, &ann, "unlimited").await;
    assert_eq!(subscription.form["mode"], "subscription");
    assert!(
        subscription
            .form
            .contains_key("subscription_data[metadata][skillkiln_payment]")
    );
    let bo = app.someone(0).await;
    assert_ne!(
        ordered(&app, &stripe, &bo, "starter").await.session["id"],
        pack.session["id"]
    );
    // After it was paid, the next order is another.
    tell_all(&app, &[completed("evt_1", &pack)]).await;
    assert_ne!(
        ordered(&app, &stripe, &ann, "starter").await.session["id"],
        pack.session["id"]
    );
    assert_eq!(account(&app, &ann).await, has(10, "starter", 1));
    app.books().await;
}

#[tokio::test]
async fn orders_at_once_are_one_page() {
    let (app, stripe) = shop().await;
    let ann = app.someone(0).await;
    let answers = join_all((0..20).map(|_| order(&app, &ann, "pro_pack"))).await;
    let first = answers[0].json();
    assert!(
        answers
            .iter()
            .all(|answer| answer.status == 200 && answer.json() == first)
    );
    assert_eq!(stripe.orders().len(), 1);
}

#[tokio::test]
async fn a_page_that_ran_out_is_replaced() {
    let (app, stripe) = shop().await;
    let ann = app.someone(0).await;
    let first = ordered(&app, &stripe, &ann, "starter").await;
    app.clock.advance(Duration::from_secs(86_400 - 60));
    let second = ordered(&app, &stripe, &ann, "starter").await;
    assert_ne!(first.session["id"], second.session["id"]);
}

#[tokio::test]
async fn an_order_of_nonsense_is_refused() {
    let (app, stripe) = shop().await;
    let ann = app.someone(0).await;
    for plan in [
        json!({ "plan": "free" }),
        json!({ "plan": "gold" }),
        json!({ "plan": "Starter" }),
        json!({}),
        json!({ "plan": 7 }),
    ] {
        let answer = app
            .post("/api/checkout")
            .key(&ann.key)
            .json(&plan)
            .send()
            .await;
        assert_eq!(answer.refusal(), (400, "VALIDATION_ERROR".into()), "{plan}");
    }
    let answer = app
        .post("/api/checkout")
        .json(&json!({ "plan": "starter" }))
        .send()
        .await;
    assert_eq!(answer.refusal(), (401, "UNAUTHORIZED".into()));
    let answer = app
        .post("/api/checkout")
        .key(&ann.key)
        .body("text/plain", "{}")
        .send()
        .await;
    assert_eq!(answer.refusal(), (415, "UNSUPPORTED_MEDIA_TYPE".into()));
    assert_eq!(
        app.get("/api/checkout").key(&ann.key).send().await.status,
        405
    );
    assert_eq!(stripe.requests(), 0);
}

#[tokio::test]
async fn what_is_not_set_up_is_not_sold() {
    let app = App::with(|settings| settings.billing.provider = Till::Stripe).await;
    let ann = app.someone(0).await;
    assert_eq!(
        order(&app, &ann, "starter").await.refusal(),
        (503, "SERVICE_UNAVAILABLE".into())
    );
    assert_eq!(
        order(&app, &ann, "gold").await.refusal(),
        (400, "VALIDATION_ERROR".into())
    );
    let answer = told(&app, "{}", &signature("", NOW, b"{}")).await;
    assert_eq!(answer.refusal(), (503, "SERVICE_UNAVAILABLE".into()));
    assert_eq!(app.get("/sandbox/checkout/x").send().await.status, 404);
}

#[tokio::test]
async fn a_stripe_that_is_ill_costs_nothing_and_makes_no_second_page() {
    let (app, stripe) = shop().await;
    let ann = app.someone(0).await;
    let failed = (502, "PAYMENT_FAILED".to_owned());
    stripe.fall_ill(&[Ill::Status(400)]);
    let answer = order(&app, &ann, "starter").await;
    assert_eq!(answer.refusal(), failed);
    assert!(!answer.text().contains(SECRET_KEY) && !answer.text().contains("api_error"));
    stripe.fall_ill(&[Ill::Garbage]);
    assert_eq!(order(&app, &ann, "pro_pack").await.refusal(), failed);
    stripe.fall_ill(&[Ill::Status(500), Ill::Status(503), Ill::Status(500)]);
    assert_eq!(order(&app, &ann, "unlimited").await.refusal(), failed);
    // What passes is tried again under the same name: the session that was made without an answer is found.
    let before = stripe.orders().len();
    stripe.fall_ill(&[Ill::Dropped, Ill::Status(429)]);
    let found = ordered(&app, &stripe, &ann, "starter").await;
    assert_eq!(stripe.orders().len(), before + 1);
    tell_all(&app, &[completed("evt_1", &found)]).await;
    assert_eq!(account(&app, &ann).await, has(10, "starter", 1));
    // An order whose answer never came is asked again under its name, by whoever asks next.
    stripe.fall_ill(&[Ill::Dropped, Ill::Dropped, Ill::Dropped]);
    assert_eq!(order(&app, &ann, "starter").await.refusal(), failed);
    ordered(&app, &stripe, &ann, "starter").await;
    assert_eq!(stripe.orders().len(), before + 2);
    app.books().await;
}

#[tokio::test]
async fn an_event_that_is_not_proved_is_refused_and_gives_nothing() {
    let (app, stripe) = shop().await;
    let ann = app.someone(0).await;
    let order = ordered(&app, &stripe, &ann, "starter").await;
    let body = completed("evt_1", &order).to_string();
    let bytes = body.as_bytes();
    let good = signature(WEBHOOK_SECRET, NOW, bytes);
    let invalid = (400, "VALIDATION_ERROR".to_owned());
    for bad in [
        signature("whsec_other", NOW, bytes),
        signature(SECRET_KEY, NOW, bytes),
        signature("", NOW, bytes),
        signature(WEBHOOK_SECRET, NOW - 301, bytes),
        signature(WEBHOOK_SECRET, NOW + 301, bytes),
        signature(WEBHOOK_SECRET, NOW, &bytes[1..]),
        signature(WEBHOOK_SECRET, NOW - 301, bytes)
            .replace(&(NOW - 301).to_string(), &NOW.to_string()),
        good.replace("v1=", "v0="),
        good.replace("t=", "x="),
        good.chars().take(40).collect(),
        "t=,v1=".to_owned(),
        "x".repeat(5_000),
    ] {
        assert_eq!(
            told(&app, body.clone(), &bad).await.refusal(),
            invalid,
            "{bad}"
        );
    }
    let request = || {
        app.post("/webhooks/stripe")
            .body("application/json", body.clone())
    };
    assert_eq!(request().send().await.refusal(), invalid);
    let twice = request()
        .header("Stripe-Signature", &good)
        .header("Stripe-Signature", &good);
    assert_eq!(twice.send().await.refusal(), invalid);
    let changed = body.replace("\"amount_total\":900", "\"amount_total\":901");
    assert_eq!(told(&app, changed, &good).await.refusal(), invalid);
    for nonsense in ["", "null", "[]", "{}", "not json"] {
        let signed = signature(WEBHOOK_SECRET, NOW, nonsense.as_bytes());
        assert_eq!(
            told(&app, nonsense, &signed).await.refusal(),
            invalid,
            "{nonsense}"
        );
    }
    let long = "x".repeat(600 << 10);
    let signed = signature(WEBHOOK_SECRET, NOW, long.as_bytes());
    assert_eq!(told(&app, long, &signed).await.status, 413);
    assert_eq!(app.get("/webhooks/stripe").send().await.status, 405);
    assert_eq!(account(&app, &ann).await, has(0, "free", 0));
    // At the edge of the five minutes, and signed with an older secret beside ours, it is good.
    let edge = signature(WEBHOOK_SECRET, NOW - 300, bytes);
    let (time, proof) = edge.split_once(',').expect("two parts");
    let rolled = format!("{time},v1={},{proof}", "0".repeat(64));
    assert_eq!(told(&app, body, &rolled).await.status, 200);
    assert_eq!(account(&app, &ann).await, has(10, "starter", 1));
    app.books().await;
}

#[tokio::test]
async fn the_same_event_fifty_times_at_once_grants_once() {
    let (app, stripe) = shop().await;
    let ann = app.someone(1).await;
    let order = ordered(&app, &stripe, &ann, "pro_pack").await;
    let paid = completed("evt_1", &order);
    let answers = join_all((0..50).map(|_| tell(&app, &paid))).await;
    assert!(answers.iter().all(|answer| answer.status == 200));
    let later = event(
        "evt_2",
        "checkout.session.async_payment_succeeded",
        NOW,
        &order.session_as("paid"),
    );
    tell_all(
        &app,
        &[paid.clone(), later, completed("evt_3", &order), paid],
    )
    .await;
    assert_eq!(account(&app, &ann).await, has(51, "pro_pack", 1));
    assert_eq!(app.books().await.granted, 51);
}

#[tokio::test]
async fn nothing_is_given_for_visiting_a_page() {
    let (app, stripe) = shop().await;
    let ann = app.someone(0).await;
    let order = ordered(&app, &stripe, &ann, "starter").await;
    let session = order.session["id"].as_str().expect("an id").to_owned();
    for path in [
        format!("/billing/success?session_id={session}"),
        "/billing/cancel".to_owned(),
    ] {
        assert_eq!(app.get(&path).send().await.status, 200, "{path}");
    }
    // The sandbox's button does not work beside real money.
    let pressed = app
        .post(&format!("/sandbox/checkout/{session}"))
        .body("application/x-www-form-urlencoded", "deed=pay");
    assert_eq!(pressed.send().await.status, 404);
    assert_eq!(account(&app, &ann).await, has(0, "free", 0));
}

#[tokio::test]
async fn a_payment_that_takes_days_is_given_when_the_money_comes() {
    let (app, stripe) = shop().await;
    let (ann, bo) = (app.someone(0).await, app.someone(0).await);
    let came = ordered(&app, &stripe, &ann, "starter").await;
    let failed = ordered(&app, &stripe, &bo, "starter").await;
    for (id, order) in [("evt_1", &came), ("evt_2", &failed)] {
        let pending = event(
            id,
            "checkout.session.completed",
            NOW,
            &order.session_as("unpaid"),
        );
        tell_all(&app, &[pending]).await;
    }
    assert_eq!(account(&app, &ann).await, has(0, "free", 0));
    tell_all(
        &app,
        &[
            event(
                "evt_3",
                "checkout.session.async_payment_succeeded",
                NOW + 9,
                &came.session_as("paid"),
            ),
            event(
                "evt_4",
                "checkout.session.async_payment_failed",
                NOW + 9,
                &failed.session_as("unpaid"),
            ),
        ],
    )
    .await;
    assert_eq!(account(&app, &ann).await, has(10, "starter", 1));
    assert_eq!(account(&app, &bo).await, has(0, "free", 0));
    app.books().await;
}

#[tokio::test]
async fn what_is_not_ours_is_ignored() {
    let (app, stripe) = shop().await;
    let (ann, bo) = (app.someone(0).await, app.someone(0).await);
    let of_ann = ordered(&app, &stripe, &ann, "starter").await;
    let of_bo = ordered(&app, &stripe, &bo, "starter").await;
    let foreign = |change: &dyn Fn(&mut Value)| {
        let mut session = of_ann.session_as("paid");
        change(&mut session);
        session
    };
    let bo_id = &of_bo.session["client_reference_id"];
    let sessions = [
        foreign(&|session| session["client_reference_id"] = bo_id.clone()),
        foreign(&|session| session["metadata"]["skillkiln_user"] = bo_id.clone()),
        foreign(&|session| {
            session["metadata"]["skillkiln_payment"] =
                of_bo.session["metadata"]["skillkiln_payment"].clone()
        }),
        foreign(&|session| session["id"] = json!("cs_test_of_a_shop_beside_us")),
        foreign(&|session| {
            session["id"] = json!("cs_test_of_a_shop_beside_us");
            session["metadata"] = json!({});
        }),
        foreign(&|session| {
            session["metadata"]["skillkiln_payment"] = json!("019f0000-0000-7000-8000-000000000000")
        }),
        foreign(&|session| session["amount_total"] = json!(1)),
        foreign(&|session| session["currency"] = json!("vnd")),
    ];
    for (number, session) in sessions.iter().enumerate() {
        let id = format!("evt_foreign_{number}");
        tell_all(
            &app,
            &[event(&id, "checkout.session.completed", NOW, session)],
        )
        .await;
    }
    let mut real = completed("evt_real", &of_ann);
    real["livemode"] = json!(true);
    let other = event(
        "evt_other",
        "product.updated",
        NOW,
        &json!({ "id": "prod_1" }),
    );
    let mut lost = of_ann.dispute("lost");
    lost["payment_intent"] = json!("pi_of_a_shop_beside_us");
    tell_all(
        &app,
        &[
            real,
            other,
            event("evt_lost", "charge.dispute.closed", NOW, &lost),
        ],
    )
    .await;
    assert_eq!(account(&app, &ann).await, has(0, "free", 0));
    assert_eq!(account(&app, &bo).await, has(0, "free", 0));
    tell_all(&app, &[completed("evt_1", &of_ann)]).await;
    assert_eq!(account(&app, &ann).await, has(10, "starter", 1));
    app.books().await;
}

#[tokio::test]
async fn a_session_is_known_by_its_own_name_when_nothing_else_is_told() {
    let (app, stripe) = shop().await;
    let ann = app.someone(0).await;
    let order = ordered(&app, &stripe, &ann, "starter").await;
    let bare = json!({ "id": order.session["id"], "payment_status": "paid" });
    tell_all(
        &app,
        &[event("evt_1", "checkout.session.completed", NOW, &bare)],
    )
    .await;
    assert_eq!(account(&app, &ann).await, has(10, "starter", 1));
}

#[tokio::test]
async fn money_back_is_credits_back_and_what_was_spent_is_owed() {
    let (app, stripe) = shop().await;
    let ann = app.someone(0).await;
    let order = ordered(&app, &stripe, &ann, "starter").await;
    let back =
        |id: &str, at: i64, sum: i64| event(id, "charge.refunded", NOW + at, &order.charge(sum));
    tell_all(&app, &[completed("evt_1", &order)]).await;
    for _ in 0..3 {
        assert_eq!(spend(&app, &ann).await, 200);
    }
    tell_all(
        &app,
        &[
            back("evt_3", 20, 450),
            back("evt_2", 10, 90),
            back("evt_3", 20, 450),
        ],
    )
    .await;
    assert_eq!(account(&app, &ann).await, has(2, "starter", 1));
    tell_all(&app, &[back("evt_4", 30, 900)]).await;
    assert_eq!(account(&app, &ann).await, has(0, "free", 0));
    assert_eq!(spend(&app, &ann).await, 402);
    assert_eq!(app.books().await.owed, 3);
    // Whatever comes repays first.
    let next = ordered(&app, &stripe, &ann, "starter").await;
    tell_all(&app, &[completed("evt_5", &next)]).await;
    assert_eq!(account(&app, &ann).await, has(7, "starter", 1));
    assert_eq!(app.books().await.owed, 0);
}

#[tokio::test]
async fn a_dispute_takes_the_credits_until_it_is_won() {
    let (app, stripe) = shop().await;
    let ann = app.someone(0).await;
    let order = ordered(&app, &stripe, &ann, "starter").await;
    let dispute = |id: &str, kind: &str, at: i64, status: &str| {
        event(
            id,
            &format!("charge.dispute.{kind}"),
            NOW + at,
            &order.dispute(status),
        )
    };
    // It is heard before anybody said that the pack was paid.
    tell_all(&app, &[dispute("evt_2", "created", 10, "needs_response")]).await;
    tell_all(&app, &[completed("evt_1", &order)]).await;
    assert_eq!(account(&app, &ann).await, has(0, "free", 0));
    tell_all(
        &app,
        &[
            dispute("evt_4", "closed", 30, "won"),
            dispute("evt_3", "updated", 20, "under_review"),
            dispute("evt_2", "created", 10, "needs_response"),
        ],
    )
    .await;
    assert_eq!(account(&app, &ann).await, has(10, "starter", 1));
    app.books().await;
}

#[tokio::test]
async fn a_subscription_is_unlimited_while_it_is_paid() {
    let (app, stripe) = shop().await;
    let ann = app.someone(0).await;
    let pack = ordered(&app, &stripe, &ann, "starter").await;
    tell_all(&app, &[completed("evt_0", &pack)]).await;
    let order_of = ordered(&app, &stripe, &ann, "unlimited").await;
    let told = |id: &str, kind: &str, at: i64, status: &str| {
        event(
            id,
            &format!("customer.subscription.{kind}"),
            NOW + at,
            &order_of.subscription(status),
        )
    };
    // The subscription's own events come before the page's.
    tell_all(
        &app,
        &[
            told("evt_2", "updated", 1, "active"),
            told("evt_1", "created", 0, "incomplete"),
        ],
    )
    .await;
    assert_eq!(account(&app, &ann).await, has(10, "unlimited", 1));
    tell_all(&app, &[completed("evt_3", &order_of)]).await;
    assert_eq!(spend(&app, &ann).await, 200);
    assert_eq!(account(&app, &ann).await, has(10, "unlimited", 1));
    assert_eq!(
        order(&app, &ann, "unlimited").await.refusal(),
        (409, "CONFLICT".into())
    );
    assert_eq!(order(&app, &ann, "pro_pack").await.status, 200);

    tell_all(&app, &[told("evt_4", "updated", 100, "past_due")]).await;
    assert_eq!(account(&app, &ann).await, has(10, "starter", 1));
    assert_eq!(
        order(&app, &ann, "unlimited").await.refusal(),
        (409, "CONFLICT".into())
    );
    let invoice = json!({
        "id": "in_1", "object": "invoice", "billing_reason": "subscription_cycle",
        "parent": { "subscription_details": { "subscription": order_of.subscription("active")["id"], "metadata": {} } },
    });
    tell_all(&app, &[event("evt_5", "invoice.paid", NOW + 200, &invoice)]).await;
    assert_eq!(account(&app, &ann).await, has(10, "unlimited", 1));
    tell_all(
        &app,
        &[
            told("evt_7", "deleted", 400, "canceled"),
            told("evt_6", "updated", 300, "active"),
        ],
    )
    .await;
    assert_eq!(account(&app, &ann).await, has(10, "starter", 1));
    assert_eq!(spend(&app, &ann).await, 200);
    assert_eq!(account(&app, &ann).await, has(9, "starter", 1));
    assert_eq!(order(&app, &ann, "unlimited").await.status, 200);
    app.books().await;
}

#[tokio::test]
async fn an_end_that_is_heard_first_stays_the_end() {
    let (app, stripe) = shop().await;
    let ann = app.someone(2).await;
    let order = ordered(&app, &stripe, &ann, "unlimited").await;
    let mut ended = order.subscription("canceled");
    // Without our words in it, it waits for the page that names it.
    ended["metadata"] = json!({});
    tell_all(
        &app,
        &[event(
            "evt_2",
            "customer.subscription.deleted",
            NOW + 50,
            &ended,
        )],
    )
    .await;
    tell_all(&app, &[completed("evt_1", &order)]).await;
    assert_eq!(account(&app, &ann).await, has(2, "free", 0));
    app.books().await;
}

#[tokio::test]
async fn a_subscription_is_managed_on_the_providers_page_by_its_owner_only() {
    let (app, stripe) = shop().await;
    let account = Account {
        email: "ann@example.org".into(),
        plan: Plan::Free,
        credits: Credits(0),
        reason: GrantReason::Operator,
        password: Some(PASSWORD.to_owned()),
    };
    app.admin.add_user(account).await.expect("an account");
    let (key, key_id) = app.key_of("ann@example.org").await;
    let ann = Someone {
        email: "ann@example.org".into(),
        key,
        key_id,
    };
    let mut browser = Browser::new(&app);
    let signed_in = browser.sign_in("ann@example.org", PASSWORD).await;
    assert_eq!(signed_in.status, 303);
    let nothing = browser.post("/account/subscription", &[]).await;
    assert_eq!(nothing.status, 409);
    assert!(
        !browser
            .get("/account")
            .await
            .text()
            .contains("Manage the subscription")
    );

    let order = ordered(&app, &stripe, &ann, "unlimited").await;
    tell_all(&app, &[completed("evt_1", &order)]).await;
    let active = order.subscription("active");
    tell_all(
        &app,
        &[event(
            "evt_2",
            "customer.subscription.created",
            NOW,
            &active,
        )],
    )
    .await;
    assert!(
        browser
            .get("/account")
            .await
            .text()
            .contains("Manage the subscription")
    );
    let page = browser.post("/account/subscription", &[]).await;
    let name = active["id"].as_str().expect("a name");
    let to = format!("https://billing.stripe.com/p/session/cus_of_{name}");
    assert_eq!(page.header("location"), Some(to.as_str()));

    stripe.fall_ill(&[Ill::Status(500)]);
    assert_eq!(browser.post("/account/subscription", &[]).await.status, 502);
    stripe.fall_ill(&[Ill::Garbage]);
    assert_eq!(browser.post("/account/subscription", &[]).await.status, 502);
    let ended = order.subscription("canceled");
    tell_all(
        &app,
        &[event(
            "evt_3",
            "customer.subscription.deleted",
            NOW + 9,
            &ended,
        )],
    )
    .await;
    assert_eq!(browser.post("/account/subscription", &[]).await.status, 409);
}

#[tokio::test]
async fn a_clock_that_was_set_forward_by_an_hour_fails_no_event_until_the_next_start() {
    let (app, stripe) = shop().await;
    let ann = app.someone(0).await;
    let order = ordered(&app, &stripe, &ann, "starter").await;
    let before = app.get("/api/credits").key(&ann.key).send().await;
    // The machine slept, or its clock was wrong: the provider's was not.
    app.clock.set_by(3_600);
    let body = completed("evt_after", &order).to_string();
    let signed = signature(WEBHOOK_SECRET, NOW + 3_600, body.as_bytes());
    let answer = told(&app, body, &signed).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let after = app.get("/api/credits").key(&ann.key).send().await;
    assert_eq!(after.json()["credits"], 10);
    // No window was opened by it, and its reset is told by the clock as it is now.
    let remaining = |answer: &Answer| answer.number("x-ratelimit-remaining");
    assert_eq!(remaining(&after), remaining(&before) - 1);
    assert_eq!(
        after.number("x-ratelimit-reset"),
        before.number("x-ratelimit-reset") + 3_600
    );
}

#[tokio::test]
async fn an_event_with_a_thin_payload_is_told_from_one_that_is_not_believed() {
    let (app, _stripe) = shop().await;
    let thin = r#"{"id":"evt_test_1","object":"v2.core.event","type":"v1.checkout.session.completed","livemode":false,"created":"2026-11-27T22:00:00.000Z","related_object":{"id":"cs_test_1","type":"checkout.session","url":"/v1/checkout/sessions/cs_test_1"}}"#;
    let signed = signature(WEBHOOK_SECRET, NOW, thin.as_bytes());
    let answer = told(&app, thin, &signed).await;
    assert_eq!(answer.refusal(), (400, "VALIDATION_ERROR".into()));
    assert!(answer.text().contains("choose snapshot payloads"));
}
