//! Tools for hosts of agents over HTTP, with the official SDK's own client: the same keys, limits and credits as on the REST surface.

use crate::catalogue;
use crate::generate;
use crate::host::{Host, call, done, names, tried};
use crate::support::app::{App, Someone};
use crate::support::client::{Answer, Part};
use crate::support::site::Site;
use rmcp::ServiceExt;
use rmcp::model::{ReadResourceRequestParams, ResourceContents};
use rmcp::service::{RoleClient, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use serde_json::{Value, json};

async fn connected(app: &App, someone: &Someone, host: Host) -> RunningService<RoleClient, Host> {
    let config =
        StreamableHttpClientTransportConfig::with_uri(format!("http://{}/mcp", app.public))
            .auth_header(someone.key.clone());
    let transport = StreamableHttpClientTransport::from_config(config);
    host.serve(transport).await.expect("a greeting")
}

/// A message as any client may send it.
async fn posted(app: &App, key: &str, message: &Value) -> Answer {
    let request = app.post("/mcp").key(key);
    let request = request.header("Accept", "application/json, text/event-stream");
    request.json(message).send().await
}

fn calling(tool: &str, given: &Value) -> Value {
    let params = json!({ "name": tool, "arguments": given });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params })
}

async fn remaining(client: &RunningService<RoleClient, Host>) -> Value {
    done(client, "credits", json!({})).await["credits_remaining"].clone()
}

#[tokio::test]
async fn a_host_makes_a_skill_for_one_credit_hears_of_its_progress_and_reads_it() {
    let app = App::start().await;
    let someone = app.someone(3).await;
    let host = Host::default();
    let client = connected(&app, &someone, host.clone()).await;
    assert_eq!(
        names(&client).await,
        [
            "generate_skill",
            "detect_topics",
            "generate_catalogue",
            "validate_skill",
            "list_skills",
            "get_skill",
            "credits"
        ]
    );
    let given = json!({ "source": generate::TEXT, "name": "Kiln care" });
    let made = done(&client, "generate_skill", given).await;
    assert_eq!(
        (
            &made["name"],
            &made["credits_remaining"],
            &made["metadata"]["author"]
        ),
        (&json!("kiln-care"), &json!(2), &json!("extractive"))
    );
    assert_eq!(
        host.heard(),
        [
            "Reading the source",
            "Writing the skill",
            "Checking the skill against its source"
        ]
    );
    assert_eq!(remaining(&client).await, 2);

    let listed = done(&client, "list_skills", json!({})).await;
    assert_eq!(listed["skills"][0]["id"], made["id"]);
    for named in [&made["id"], &json!("kiln-care")] {
        let got = done(&client, "get_skill", json!({ "skill": named })).await;
        assert_eq!(got["content"], made["content"]);
    }
    let resources = client.list_all_resources().await.expect("resources");
    let uri = made["uri"].as_str().expect("an address").to_owned();
    assert_eq!(
        resources.iter().map(|one| &*one.uri).collect::<Vec<_>>(),
        [&*uri]
    );
    let found = client
        .read_resource(ReadResourceRequestParams::new(uri.clone()))
        .await;
    let found = found.expect("it is there").contents;
    let [ResourceContents::TextResourceContents { text, .. }] = &found[..] else {
        panic!("{found:?}");
    };
    assert_eq!(made["content"], text.as_str());
    let report = done(&client, "validate_skill", json!({ "content": text })).await;
    assert_eq!(report["errors"], 0, "{report}");

    // It is in the library of the other surfaces, and nobody else's.
    let id = made["id"].as_str().expect("an id");
    let skill = app
        .get(&format!("/api/skills/{id}"))
        .key(&someone.key)
        .send()
        .await;
    assert_eq!(skill.json()["content"], made["content"]);
    let other = app.someone(3).await;
    let stranger = connected(&app, &other, Host::default()).await;
    let (is_done, text) = call(&stranger, "get_skill", json!({ "skill": id })).await;
    assert!(!is_done && text.starts_with("NOT_FOUND"), "{text}");
    assert!(
        stranger
            .read_resource(ReadResourceRequestParams::new(uri))
            .await
            .is_err()
    );
    let books = app.books().await;
    assert_eq!((books.available, books.reserved, books.posted), (5, 0, 1));
}

#[tokio::test]
async fn what_fails_is_told_to_the_model_and_costs_nothing() {
    let app = App::start().await;
    let site = Site::start(&[]).await;
    let someone = app.someone(1).await;
    let client = connected(&app, &someone, Host::default()).await;
    for (tool, given, says) in [
        (
            "generate_skill",
            json!({}),
            "VALIDATION_ERROR: source is missing",
        ),
        (
            "generate_skill",
            json!({ "source": "[object Object]" }),
            "VALIDATION_ERROR",
        ),
        (
            "generate_skill",
            json!({ "source": generate::TEXT, "kind": "poem" }),
            "VALIDATION_ERROR: kind",
        ),
        (
            "generate_skill",
            json!({ "source": site.page("/"), "max_pages": 0 }),
            "VALIDATION_ERROR: max_pages",
        ),
        (
            "generate_skill",
            json!({ "source": generate::TEXT, "idempotency_key": "" }),
            "VALIDATION_ERROR: idempotency_key",
        ),
        (
            "generate_skill",
            json!({ "source": site.page("/none") }),
            "GENERATION_FAILED",
        ),
        (
            "generate_catalogue",
            json!({ "source": &*catalogue::TEXT }),
            "VALIDATION_ERROR: topics",
        ),
        (
            "generate_catalogue",
            json!({ "source": &*catalogue::TEXT, "topics": ["tea"] }),
            "VALIDATION_ERROR: the source has no topic tea",
        ),
        ("validate_skill", json!({}), "VALIDATION_ERROR: content"),
        ("get_skill", json!({ "skill": "none" }), "NOT_FOUND"),
    ] {
        let (is_done, text) = call(&client, tool, given).await;
        assert!(!is_done && text.starts_with(says), "{tool}: {text}");
    }
    assert_eq!(remaining(&client).await, 1);
    assert!(tried(&client, "paint", json!({})).await.is_err());
    done(
        &client,
        "generate_skill",
        json!({ "source": generate::TEXT }),
    )
    .await;
    let (is_done, text) = call(
        &client,
        "generate_skill",
        json!({ "source": generate::TEXT }),
    )
    .await;
    assert!(
        !is_done && text.starts_with("INSUFFICIENT_CREDITS"),
        "{text}"
    );
    let books = app.books().await;
    assert_eq!((books.available, books.reserved, books.posted), (0, 0, 1));
}

#[tokio::test]
async fn a_call_that_is_repeated_under_its_key_is_charged_once() {
    let app = App::start().await;
    let someone = app.someone(3).await;
    let client = connected(&app, &someone, Host::default()).await;
    let given = json!({ "source": generate::TEXT, "idempotency_key": "kiln-1" });
    let (first, again) = tokio::join!(
        done(&client, "generate_skill", given.clone()),
        done(&client, "generate_skill", given.clone())
    );
    let later = done(&client, "generate_skill", given).await;
    assert_eq!((&again, &later), (&first, &first));
    let given = json!({ "source": generate::TEXT, "name": "Other", "idempotency_key": "kiln-1" });
    let (is_done, text) = call(&client, "generate_skill", given).await;
    assert!(!is_done && text.contains("used before"), "{text}");
    assert_eq!(remaining(&client).await, 2);
    assert_eq!(app.books().await.posted, 1);
}

#[tokio::test]
async fn the_chosen_topics_of_a_source_cost_a_credit_each() {
    let app = App::start().await;
    let someone = app.someone(5).await;
    let client = connected(&app, &someone, Host::default()).await;
    let source = &*catalogue::TEXT;
    let found = done(&client, "detect_topics", json!({ "source": source })).await;
    let topics = found["topics"].as_array().expect("topics");
    let slugs: Vec<&Value> = topics.iter().take(2).map(|topic| &topic["slug"]).collect();
    assert_eq!(slugs.len(), 2, "{found}");
    let given = json!({ "source": source, "topics": slugs, "name": "Kilns" });
    let made = done(&client, "generate_catalogue", given).await;
    assert_eq!(made["skills"].as_array().map(Vec::len), Some(2));
    assert!(made["index"]["content"].is_string(), "{made}");
    assert_eq!(made["credits_remaining"], 3);
    assert_eq!(remaining(&client).await, 3);
    let books = app.books().await;
    assert_eq!((books.available, books.reserved, books.posted), (3, 0, 2));
}

#[tokio::test]
async fn calls_that_generate_share_the_window_of_the_rest_surface() {
    let app = App::start().await;
    let someone = app.someone(20).await;
    let empty = json!({ "source": "" });
    for _ in 0..5 {
        let answer = posted(&app, &someone.key, &calling("generate_skill", &empty)).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let refused = app.post("/api/v1/generate").key(&someone.key);
        assert_eq!(
            refused
                .form(&[Part::Text("source", "")])
                .send()
                .await
                .status,
            400
        );
    }
    let order = calling("generate_skill", &json!({ "source": generate::TEXT }));
    let answer = posted(&app, &someone.key, &order).await;
    assert_eq!(answer.refusal(), (429, "RATE_LIMITED".into()));
    assert!(answer.number("retry-after") > 0);
    // Whatever its order, a member that is there twice is read once and by both in the same way.
    let twice = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"tools/call","params":{"name":"credits","name":"generate_skill","arguments":{"source":""}}}"#;
    let request = app
        .post("/mcp")
        .key(&someone.key)
        .header("Accept", "application/json, text/event-stream");
    let answer = request.body("application/json", twice).send().await;
    assert!((400..500).contains(&answer.status), "{}", answer.text());

    let answer = posted(&app, &someone.key, &calling("credits", &json!({}))).await;
    assert_eq!(
        (answer.status, answer.number("x-ratelimit-limit")),
        (200, 60)
    );
    app.clock.advance(std::time::Duration::from_secs(60));
    let answer = posted(&app, &someone.key, &order).await;
    assert_eq!(
        (answer.status, answer.number("x-ratelimit-limit")),
        (200, 10)
    );
    assert_eq!(app.books().await.posted, 1);
}

#[tokio::test]
async fn only_a_good_key_is_answered_and_only_what_is_a_message() {
    let app = App::start().await;
    let someone = app.someone(1).await;
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    let answer = posted(&app, "skillkiln_sk_none", &ping).await;
    assert_eq!(answer.refusal(), (401, "UNAUTHORIZED".into()));
    assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
    let answer = posted(&app, &someone.key, &ping).await;
    assert_eq!(
        (answer.status, answer.json()["id"].clone()),
        (200, json!(1))
    );
    for (accept, media_type, body, status) in [
        (
            "application/json",
            "application/json",
            ping.to_string(),
            406,
        ),
        (
            "application/json, text/event-stream",
            "text/plain",
            ping.to_string(),
            415,
        ),
        (
            "application/json, text/event-stream",
            "application/json",
            "{".into(),
            415,
        ),
    ] {
        let request = app.post("/mcp").key(&someone.key).header("Accept", accept);
        let answer = request.body(media_type, body).send().await;
        assert_eq!(answer.status, status, "{}", answer.text());
    }
    let told = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let answer = posted(&app, &someone.key, &told).await;
    assert_eq!((answer.status, answer.body.len()), (202, 0));
    let answer = app.get("/mcp").key(&someone.key).send().await;
    assert_eq!(
        (answer.status, answer.header("allow")),
        (405, Some("POST, OPTIONS"))
    );
    app.admin.revoke(&someone.key_id).await.expect("revoked");
    app.clock.advance(std::time::Duration::from_secs(1));
    let answer = posted(&app, &someone.key, &ping).await;
    assert_eq!(answer.refusal(), (403, "FORBIDDEN".into()));
}
