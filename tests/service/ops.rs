//! What operators see (decisions 62 and 63).

use crate::generate::TEXT;
use crate::support::app::{App, Someone};
use crate::support::client::{Answer, Part, Request};
use crate::support::exposition;
use crate::support::site::Site;
use serde_json::{Value, json};
use skillkiln::config::Settings;
use skillkiln::telemetry::metrics::METRICS;
use std::collections::HashSet;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

async fn metrics(app: &App) -> String {
    let answer = Request::new(app.operators, "GET", "/metrics")
        .by_number()
        .send()
        .await;
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
async fn a_full_disk_is_told_by_its_name_to_whoever_balances_the_load() {
    let app = App::with(|settings| settings.storage.free_bytes_min = u64::MAX).await;
    for address in [app.public, app.operators] {
        let answer = Request::new(address, "GET", "/readyz").send().await;
        assert_eq!(answer.status, 503);
        assert_eq!(answer.json()["status"], "the disk of the database is full");
        assert!(answer.number("retry-after") >= 1);
    }
    let alive = Request::new(app.public, "GET", "/healthz").send().await;
    assert_eq!(alive.status, 200, "the process lives");
}

/// Has a skill made of a text, and paid for; the answer.
async fn make_a_skill(app: &App, key: &str) -> Value {
    let request = app.post("/api/v1/generate").key(key);
    let made = request.form(&[Part::Text("source", TEXT)]).send().await;
    assert_eq!(made.status, 200, "{}", made.text());
    made.json()
}

#[tokio::test]
async fn every_promised_metric_is_there_and_names_nobody() {
    let app = App::start().await;
    let someone = app.someone(1).await;
    let made = make_a_skill(&app, &someone.key).await;
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
    let id = made["skill"]["id"].as_str().expect("an id").to_owned();
    for secret in [&id, &someone.key, &someone.key_id, &someone.email] {
        assert!(!text.contains(secret.as_str()));
    }
}

#[tokio::test]
async fn the_actors_can_be_observed() {
    let app = App::start().await;
    let someone = app.someone(1).await;
    make_a_skill(&app, &someone.key).await;
    let observed = Request::new(app.operators, "GET", "/ops/observe")
        .by_number()
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

#[tokio::test]
async fn a_dead_link_of_a_customer_is_counted_by_its_reason_and_is_no_fault_of_ours() {
    let app = App::start().await;
    let someone = app.someone(1).await;
    let failed = app
        .post("/api/v1/generate")
        .key(&someone.key)
        .form(&[Part::Text("source", "http://127.0.0.1:9/nowhere")])
        .send()
        .await;
    assert_eq!(failed.status, 500, "{}", failed.text());
    let text = metrics(&app).await;
    for line in [
        r#"skillkiln_http_requests_total{route="/api/v1/generate",method="POST",status="500"} 1"#,
        r#"skillkiln_http_faults_total{route="/api/v1/generate"} 0"#,
    ] {
        assert!(text.lines().any(|known| known == line), "{line} in\n{text}");
    }
    let seen = observed(&app).await;
    assert_eq!(seen["http"]["faults"], 0, "{}", seen["http"]);
    let without = json!(["/api/v1/generate", "/api/v1/generate/catalogue"]);
    assert_eq!(seen["http"]["duration_without"], without);
    // These are figures of the process, to which other tests in it contribute.
    let failures = seen["generations"]["failed_by"]
        .as_array()
        .expect("reasons");
    let dead = failures.iter().find(|by| by["reason"] == "unreachable");
    let dead = dead.expect("every reason is there");
    assert_eq!(dead["class"], "source");
    assert!(dead["count"].as_u64() >= Some(1), "{dead}");
    let last = &seen["generations"]["last_failed"][0];
    for told in ["id", "reason", "class", "at"] {
        assert!(last[told].is_string(), "{told} in {last}");
    }
    assert_eq!(
        last.as_object().map(serde_json::Map::len),
        Some(4),
        "{last}"
    );
}

#[tokio::test]
async fn the_metrics_are_what_prometheus_reads_to_the_letter() {
    let app = App::start().await;
    let someone = app.someone(3).await;
    for source in [TEXT, "http://127.0.0.1:9/nowhere"] {
        app.post("/api/v1/generate")
            .key(&someone.key)
            .form(&[Part::Text("source", source)])
            .send()
            .await;
    }
    // The books are proved once a second at most.
    while observed(&app).await["ledger"]["granted"].as_i64() < Some(3) {}
    let families = exposition::read(&metrics(&app).await);
    let names: HashSet<&str> = families.iter().map(|family| family.name.as_str()).collect();
    for metric in METRICS {
        assert!(
            names.contains(metric.name),
            "{} is not exported",
            metric.name
        );
    }
    assert_eq!(names.len(), METRICS.len(), "nothing else is exported");
    for family in &families {
        let declared = METRICS.iter().find(|metric| metric.name == family.name);
        let declared = declared.expect("declared");
        assert_eq!(declared.kind.as_str(), family.kind, "{}", family.name);
        for sample in &family.samples {
            let labels = sample.labels.iter().map(|(label, _)| label.as_str());
            let labels: Vec<&str> = labels.filter(|label| *label != "le").collect();
            assert_eq!(labels, declared.labels, "{sample:?}");
        }
    }
    let total = |name: &str, label: (&str, &str)| {
        let family = families.iter().find(|family| family.name == name);
        let samples = family.expect("there").samples.iter();
        let found = samples.filter(|sample| sample.label(label.0) == Some(label.1));
        found.map(|sample| sample.value).sum::<f64>()
    };
    // These are figures of the process, to which other tests in it contribute.
    assert!(total("skillkiln_stage_words_total", ("stage", "extracting")) >= 60.0);
    assert!(total("skillkiln_stage_bytes_total", ("stage", "validating")) >= 400.0);
    assert!(
        total(
            "skillkiln_generation_failures_total",
            ("reason", "unreachable")
        ) >= 1.0
    );
    assert!(total("skillkiln_provider_requests_total", ("provider", "web")) >= 1.0);
    assert!(
        total(
            "skillkiln_database_query_seconds",
            ("query", "settle_batch")
        ) > 0.0
    );
    assert!(total("skillkiln_ledger_credits", ("balance", "granted")) >= 3.0);
}

/// What the operators' address answers.
pub(crate) async fn observed(app: &App) -> Value {
    let answer = Request::new(app.operators, "GET", "/ops/observe")
        .by_number()
        .send()
        .await;
    answer.json()
}

/// With room for tests that look often, under the name that the client here gives the host.
async fn open() -> App {
    open_with(|_| {}).await
}

/// The same, with some settings changed.
pub(crate) async fn open_with(change: impl FnOnce(&mut Settings)) -> App {
    App::with(|settings| {
        settings.server.admin_names = vec!["test".into()];
        settings.limits.other_per_minute = 100_000;
        change(settings);
    })
    .await
}

/// An operator's form, as a browser sends it.
pub(crate) async fn press(app: &App, target: &str, origin: &str) -> Answer {
    let request = Request::new(app.operators, "POST", target).header("Origin", origin);
    request.send().await
}

/// The one run under way, once it is where it should be.
pub(crate) async fn running(app: &App, phase: &str) -> Value {
    for _ in 0..20_000 {
        let seen = observed(app).await;
        if seen["running"][0]["phase"] == phase {
            assert_eq!(seen["running"].as_array().map(Vec::len), Some(1), "{seen}");
            return seen["running"][0].clone();
        }
    }
    panic!("no run is {phase}: {}", observed(app).await)
}

pub(crate) async fn credits(app: &App, someone: &Someone) -> u64 {
    let answer = app.get("/api/v1/credits").key(&someone.key).send().await;
    answer.json()["credits_remaining"]
        .as_u64()
        .expect("a number")
}

/// Orders a skill of a page that does not answer yet; the answer comes when it does.
pub(crate) fn order(app: &App, someone: &Someone, page: &str) -> tokio::task::JoinHandle<Answer> {
    let request = app.post("/api/v1/generate").key(&someone.key);
    tokio::spawn(request.form(&[Part::Text("source", page)]).send())
}

pub(crate) const PAGE: &str = "<html><body><main><h1>Firing a kiln</h1><p>A kiln is fired slowly, so that water can leave the clay before it \
boils. Raise the temperature by 60 degrees an hour up to 200 degrees.</p><h2>Cooling</h2><p>Keep the lid closed below 200 degrees.</p></main></body></html>";

#[tokio::test]
async fn an_operator_cancels_a_run_and_its_credit_is_back() {
    let app = open().await;
    let site = Site::start(&[("/slow/page", 200, PAGE)]).await;
    let someone = app.someone(2).await;
    let answer = order(&app, &someone, &site.page("/slow/page"));
    let run = running(&app, "extracting").await;
    assert_eq!(
        (&run["source"], &run["attempts"]),
        (&json!("url"), &json!(1))
    );
    assert_eq!(credits(&app, &someone).await, 1);

    let target = format!(
        "/ops/generations/{}/cancel",
        run["id"].as_str().expect("an id")
    );
    for origin in ["http://evil.example", "null"] {
        assert_eq!(press(&app, &target, origin).await.status, 403, "{origin}");
    }
    let done = press(&app, &target, "http://test").await;
    assert_eq!(done.status, 303);
    let answer = answer.await.expect("an answer");
    assert_eq!(answer.json()["error"]["code"], "GENERATION_FAILED");
    let said = answer.json()["error"]["message"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    assert!(
        said.contains("operator") && said.contains("credit is back"),
        "{said}"
    );
    assert_eq!(credits(&app, &someone).await, 2);
    assert_eq!(
        press(&app, &target, "http://test").await.status,
        409,
        "it has ended"
    );
    let unknown = "/ops/generations/01234567-89ab-7def-8123-456789abcdef/cancel";
    assert_eq!(press(&app, unknown, "http://test").await.status, 404);
    app.books().await;
}

#[tokio::test]
async fn an_operator_begins_a_run_again_and_nothing_is_charged_twice() {
    let app = open().await;
    let site = Site::start(&[("/slow/page", 200, PAGE)]).await;
    let someone = app.someone(2).await;
    let answer = order(&app, &someone, &site.page("/slow/page"));
    let run = running(&app, "extracting").await;
    let target = format!(
        "/ops/generations/{}/retry",
        run["id"].as_str().expect("an id")
    );
    assert_eq!(press(&app, &target, "http://test").await.status, 303);
    let again = loop {
        let run = running(&app, "extracting").await;
        if run["attempts"] == 2 {
            break run;
        }
    };
    assert_eq!(again["id"], run["id"]);
    site.let_go();
    let answer = answer.await.expect("an answer");
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(credits(&app, &someone).await, 1);
    assert_eq!(
        press(&app, &target, "http://test").await.status,
        409,
        "it has ended"
    );
    app.books().await;
}

#[tokio::test]
async fn the_ledgers_line_follows_the_credits() {
    let app = open().await;
    let someone = app.someone(5).await;
    make_a_skill(&app, &someone.key).await;
    let expected = json!([5, 0, 4, 0, 1, 0, 0]);
    let line = |seen: &Value| {
        let names = [
            "granted",
            "owed",
            "available",
            "reserved",
            "posted",
            "imbalance",
            "faults",
        ];
        json!(names.map(|name| seen["ledger"][name].clone()))
    };
    // The books are proved once a second at most.
    for _ in 0..200_000 {
        if line(&observed(&app).await) == expected {
            return;
        }
    }
    panic!("{}", line(&observed(&app).await));
}

#[tokio::test]
async fn an_observation_names_this_node_and_nobody_else() {
    let app = open().await;
    let someone = app.someone(1).await;
    app.get("/api/v1/credits").key(&someone.key).send().await;
    let seen = observed(&app).await;
    assert_eq!(seen["nodes"][0]["is_this"], true);
    assert_eq!(seen["nodes"][0]["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(seen["database"]["engine"], "sqlite");
    assert!(
        seen["usage"]["resident_bytes"].as_u64() > Some(1 << 20),
        "{}",
        seen["usage"]
    );
    let routes = seen["http"]["routes"].as_array().expect("routes");
    let asked = routes
        .iter()
        .find(|route| route["route"] == "/api/v1/credits");
    assert_eq!(asked.expect("asked")["requests"], 1);
    let text = seen.to_string();
    let users = app.admin.users().await.expect("accounts");
    for user in &users {
        assert!(!text.contains(&user.id.to_string()), "{text}");
    }
    for secret in [&someone.key, &someone.email, &someone.key_id] {
        assert!(!text.contains(secret.as_str()), "{secret} in {text}");
    }
    // Who is busy can be followed all the same. Those who rest are let go now and then, so it is asked until one is seen.
    for kind in ["ledger", "limiter"] {
        let mut tries = 0;
        let label = loop {
            tries += 1;
            assert!(tries < 1_000, "no {kind} is ever seen");
            app.get("/api/v1/credits").key(&someone.key).send().await;
            let seen = observed(&app).await;
            let actors = seen["actors"].as_array().expect("actors");
            let actor = actors.iter().find(|actor| actor["kind"] == kind);
            let one = &actor.expect("the kind")["instances"][0]["key"];
            if let Some(label) = one.as_str() {
                break label.to_owned();
            }
        };
        assert_eq!(label.len(), 8, "{label}");
        app.get("/api/v1/credits").key(&someone.key).send().await;
        let again = &observed(&app).await["actors"];
        let keys = again.as_array().expect("actors").iter();
        let of_kind = keys.filter(|actor| actor["kind"] == kind);
        let mut keys = of_kind.flat_map(|actor| actor["instances"].as_array().expect("a list"));
        assert!(keys.all(|one| one["key"] == label.as_str()), "{again}");
    }
    let history = Request::new(app.operators, "GET", "/ops/history")
        .by_number()
        .send()
        .await;
    assert!(history.json().is_array());
}

#[tokio::test]
async fn the_page_shows_the_service_without_script_and_only_under_our_names() {
    let app = open().await;
    // So that there are credits to have been settled, and a call that did it.
    let someone = app.someone(1).await;
    make_a_skill(&app, &someone.key).await;
    let entrance = Request::new(app.operators, "GET", "/").send().await;
    assert_eq!(
        (entrance.status, entrance.header("location")),
        (303, Some("/ops"))
    );
    let page = Request::new(app.operators, "GET", "/ops").send().await;
    assert_eq!(page.status, 200);
    let text = page.text();
    // Whether all is well depends on the other tests of this process.
    for word in [
        "id=\"verdict\"",
        "Extract",
        "Synthesize",
        "Validate",
        "settlement",
        "granted",
        "settle_batch",
    ] {
        assert!(text.contains(word), "{word} in\n{text}");
    }
    assert!(!text.contains(" style=") && !text.contains("<style") && !text.contains(" onclick"));
    for address in text
        .split('"')
        .filter(|piece| piece.starts_with("/ops/assets/"))
    {
        let asset = Request::new(app.operators, "GET", address).send().await;
        assert_eq!(asset.status, 200, "{address}");
        // Nothing of the operators' is on the public address.
        assert_eq!(app.get(address).send().await.status, 404);
    }
    assert_eq!(app.get("/ops").send().await.status, 404);
    let strict = App::start().await;
    for path in [
        "/ops",
        "/ops/stream",
        "/ops/observe",
        "/ops/history",
        "/metrics",
    ] {
        let refused = Request::new(strict.operators, "GET", path).send().await;
        assert_eq!(refused.status, 403, "{path}");
    }
}

#[tokio::test]
async fn whoever_looks_is_shown_what_changes() {
    let app = open().await;
    let someone = app.someone(1).await;
    let mut stream = TcpStream::connect(app.operators)
        .await
        .expect("a connection");
    let request = b"GET /ops/stream HTTP/1.1\r\nHost: test\r\n\r\n";
    stream.write_all(request).await.expect("sent");
    let first = frame(&mut stream).await;
    assert!(
        first["pipeline"]
            .as_str()
            .is_some_and(|html| html.contains("Extract")),
        "{first}"
    );
    assert!(first.get("plots").is_some() && first.get("actors").is_some());
    make_a_skill(&app, &someone.key).await;
    let next = frame(&mut stream).await;
    assert!(next.get("pipeline").is_some(), "{next}");
    assert!(
        next.get("running").is_none(),
        "what did not change is not sent: {next}"
    );
}

/// The next look that a stream tells.
async fn frame(stream: &mut TcpStream) -> Value {
    let (mut text, mut piece) = (String::new(), [0; 16 * 1024]);
    loop {
        let read = stream.read(&mut piece).await.expect("more");
        assert!(read > 0, "the stream goes on");
        text.push_str(&String::from_utf8_lossy(&piece[..read]));
        // The body comes in chunks; a look is one line, and one chunk of its own.
        let found = text.split("event: look\ndata: ").nth(1);
        if let Some((json, _)) = found.and_then(|rest| rest.split_once("\n\n")) {
            return serde_json::from_str(json).expect("JSON");
        }
    }
}
