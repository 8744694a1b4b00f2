//! What operators see (decisions 62 and 63).

use crate::generate::TEXT;
use crate::support::app::App;
use crate::support::client::{Part, Request};

async fn metrics(app: &App) -> String {
    let answer = Request::new(app.operators, "GET", "/metrics").send().await;
    assert_eq!(answer.status, 200);
    answer.text().to_owned()
}

#[tokio::test]
async fn health_and_readiness_are_told_on_both_addresses() {
    let app = App::start().await;
    for address in [app.public, app.operators] {
        for path in ["/healthz", "/readyz"] {
            assert_eq!(
                Request::new(address, "GET", path).send().await.status,
                200,
                "{path}"
            );
        }
    }
}

#[tokio::test]
async fn every_promised_metric_is_there_and_names_nobody() {
    let app = App::start().await;
    let someone = app.someone(1).await;
    let made = app
        .post("/api/v1/generate")
        .key(&someone.key)
        .form(&[Part::Text("source", TEXT)])
        .send()
        .await;
    assert_eq!(made.status, 200, "{}", made.text());
    let text = metrics(&app).await;
    for name in [
        "skillkiln_http_requests_total",
        "skillkiln_http_request_duration_seconds_bucket",
        "skillkiln_actor_alive",
        "skillkiln_actor_mailbox_depth",
        "skillkiln_actor_handled_total",
        "skillkiln_actor_panics_total",
        "skillkiln_actor_restarts_total",
        "skillkiln_stage_duration_seconds_bucket",
        "skillkiln_stage_in_flight",
        "skillkiln_generations_total",
        "skillkiln_credits_total",
        "skillkiln_ledger_imbalance",
        "skillkiln_ratelimit_decisions_total",
        "skillkiln_sse_streams",
    ] {
        assert!(
            text.lines().any(|line| line.starts_with(name)),
            "{name} in\n{text}"
        );
    }
    for line in [
        r#"skillkiln_http_requests_total{route="/api/v1/generate",method="POST",status="200"} 1"#,
        "skillkiln_ledger_imbalance 0",
        "skillkiln_sse_streams 0",
    ] {
        assert!(text.lines().any(|known| known == line), "{line} in\n{text}");
    }
    // These are figures of the process, to which other tests in it contribute.
    for name in [
        r#"skillkiln_generations_total{outcome="completed"} "#,
        r#"skillkiln_credits_total{flow="posted"} "#,
    ] {
        let value = text.lines().find_map(|line| line.strip_prefix(name));
        let value: f64 = value.and_then(|value| value.parse().ok()).unwrap_or(0.0);
        assert!(value >= 1.0, "{name} in\n{text}");
    }
    let id = made.json()["skill"]["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    for secret in [&id, &someone.key, &someone.key_id, &someone.email] {
        assert!(!text.contains(secret.as_str()));
    }
}

#[tokio::test]
async fn the_actors_can_be_observed() {
    let app = App::start().await;
    let someone = app.someone(1).await;
    app.post("/api/v1/generate")
        .key(&someone.key)
        .form(&[Part::Text("source", TEXT)])
        .send()
        .await;
    let observed = Request::new(app.operators, "GET", "/ops/observe")
        .send()
        .await
        .json();
    let kinds: Vec<&str> = observed["actors"]
        .as_array()
        .expect("actors")
        .iter()
        .filter_map(|actor| actor["kind"].as_str())
        .collect();
    for kind in [
        "ledger",
        "limiter",
        "settlement",
        "generation",
        "extractor",
        "synthesizer",
        "validator",
        "rescuer",
    ] {
        assert!(kinds.contains(&kind), "{kind} in {kinds:?}");
    }
    let accepted = observed["generations"]["accepted"].as_u64();
    assert!(accepted.is_some_and(|accepted| accepted >= 1), "{observed}");
}
