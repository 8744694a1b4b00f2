//! What an operator may do to runs that this node does not carry out: those of another node, and those that were left behind
//! (decision 62).

use crate::ops::{PAGE, credits, observed, open_with, order, press, running};
use crate::support::app::{App, Someone};
use crate::support::site::Site;
use skillkiln::domain::credits::Credits;
use skillkiln::domain::generation::Order;
use skillkiln::domain::id::{GenerationId, RunId, SkillId};
use skillkiln::domain::source::{Source, SourceType};
use skillkiln::store::model::{Entry, NewGeneration, NewRun};
use std::time::Duration;
use uuid::Uuid;

/// How long another node holds its runs; so long that nobody but the operator takes up what it left behind.
const LEASE: Duration = Duration::from_secs(3_600);

/// A service with a patient rescuer, whose runs have longer than a lease.
async fn patient() -> App {
    open_with(|settings| {
        settings.engine.lease_s = 3_600;
        settings.engine.deadline_s = 7_200;
    })
    .await
}

/// A run that another node has charged to somebody and works on.
async fn elsewhere(app: &App, someone: &Someone) -> RunId {
    let users = app.admin.users().await.expect("accounts");
    let user = users
        .iter()
        .find(|user| user.email.as_str() == someone.email);
    let (id, now) = (RunId::new(), app.clock.now());
    let text =
        "# Kiln\n\nFire it slowly, for a whole night. Keep the lid closed below 200 degrees.\n";
    let run = NewRun {
        id,
        user_id: user.expect("an account").id,
        key_id: None,
        price: Credits(1),
        idempotency: None,
        order: Order {
            source: Source::Text { text: text.into() },
            name: None,
            description: None,
            category: None,
            kind: None,
            topics: vec![],
        },
        generations: vec![NewGeneration {
            id: GenerationId(id.0),
            skill_id: SkillId(id.0),
            name: "kiln".into(),
            source_type: SourceType::Text,
            source: text.into(),
        }],
        catalogue_id: None,
        replaces: None,
        queued: false,
        node: Uuid::new_v4(),
        lease_until: now.plus(LEASE),
        at: now,
    };
    let store = app.store().await;
    let charged = store.settle(vec![Entry::Charge(Box::new(run))]).await;
    charged
        .into_iter()
        .next()
        .expect("an answer")
        .expect("charged");
    id
}

/// Waits until somebody has so many credits: those of other nodes are seen a moment later.
async fn comes_to(app: &App, someone: &Someone, expected: u64) {
    for _ in 0..20_000 {
        if credits(app, someone).await == expected {
            return;
        }
    }
    panic!("{} credits", credits(app, someone).await);
}

fn deed(run_id: RunId, what: &str) -> String {
    format!("/ops/generations/{run_id}/{what}")
}

#[tokio::test]
async fn a_run_of_another_node_is_not_begun_again_while_that_node_holds_it() {
    let app = patient().await;
    let someone = app.someone(2).await;
    let run_id = elsewhere(&app, &someone).await;
    let seen = running(&app, "elsewhere").await;
    assert_eq!(seen["id"], run_id.to_string());
    let refused = press(&app, &deed(run_id, "retry"), "http://test").await;
    assert_eq!(refused.status, 409);
    let said = refused.text();
    assert!(said.contains("Another node works on this run"), "{said}");
    running(&app, "elsewhere").await;
    comes_to(&app, &someone, 1).await;
    app.books().await;
}

#[tokio::test]
async fn a_run_of_another_node_is_cancelled_once_and_its_credit_is_back() {
    let app = patient().await;
    let someone = app.someone(2).await;
    let run_id = elsewhere(&app, &someone).await;
    comes_to(&app, &someone, 1).await;
    let done = press(&app, &deed(run_id, "cancel"), "http://test").await;
    assert_eq!(done.status, 303);
    comes_to(&app, &someone, 2).await;
    for what in ["cancel", "retry"] {
        let refused = press(&app, &deed(run_id, what), "http://test").await;
        assert_eq!(refused.status, 409, "{what}");
        assert!(refused.text().contains("This run has ended"), "{what}");
    }
    assert_eq!(credits(&app, &someone).await, 2);
    app.books().await;
}

#[tokio::test]
async fn a_run_that_was_left_behind_is_begun_again_here_and_nothing_is_charged_twice() {
    let app = patient().await;
    let someone = app.someone(2).await;
    let run_id = elsewhere(&app, &someone).await;
    app.clock.advance(LEASE + Duration::from_secs(1));
    let seen = running(&app, "left_behind").await;
    assert_eq!(seen["id"], run_id.to_string());
    let done = press(&app, &deed(run_id, "retry"), "http://test").await;
    assert_eq!(done.status, 303, "{}", done.text());
    while observed(&app).await["running"][0].is_object() {}
    let refused = press(&app, &deed(run_id, "retry"), "http://test").await;
    assert_eq!(refused.status, 409, "it has ended");
    assert_eq!(credits(&app, &someone).await, 1);
    assert_eq!(app.books().await.posted, 1);
}

#[tokio::test]
async fn a_run_that_was_left_behind_is_cancelled_and_its_credit_is_back() {
    let app = patient().await;
    let someone = app.someone(2).await;
    let run_id = elsewhere(&app, &someone).await;
    app.clock.advance(LEASE + Duration::from_secs(1));
    running(&app, "left_behind").await;
    let done = press(&app, &deed(run_id, "cancel"), "http://test").await;
    assert_eq!(done.status, 303);
    comes_to(&app, &someone, 2).await;
    assert_eq!(app.books().await.reserved, 0);
}

#[tokio::test]
async fn a_run_that_waits_for_its_turn_is_not_begun_again() {
    let app = open_with(|settings| settings.limits.running_per_account = 1).await;
    let site = Site::start(&[("/slow/page", 200, PAGE)]).await;
    let someone = app.someone(2).await;
    let first = order(&app, &someone, &site.page("/slow/page"));
    running(&app, "extracting").await;
    let second = order(&app, &someone, &site.page("/slow/page"));
    let waiting = loop {
        let seen = observed(&app).await;
        let runs = seen["running"].as_array().cloned().unwrap_or_default();
        if let Some(run) = runs.into_iter().find(|run| run["phase"] == "waiting") {
            break run["id"].as_str().expect("an id").to_owned();
        }
    };
    let target = format!("/ops/generations/{waiting}/retry");
    let refused = press(&app, &target, "http://test").await;
    assert_eq!(refused.status, 409);
    let said = refused.text();
    assert!(said.contains("This run waits for its turn"), "{said}");
    site.let_go();
    for answer in [first, second] {
        assert_eq!(answer.await.expect("an answer").status, 200);
    }
    app.books().await;
}
