//! Suggested metadata (decision 31).

use crate::generate::TEXT;
use crate::support::app::{App, Someone};
use crate::support::client::{Answer, Part};
use serde_json::{Value, json};
use std::time::Duration;

async fn uploaded(app: &App, someone: &Someone, filename: &str, bytes: &[u8]) -> String {
    let request = app.post("/api/upload").key(&someone.key);
    let answer = request.form(&[Part::File("files", filename, bytes)]).send();
    let json = answer.await.json();
    json["sources"][0]["id"].as_str().expect("an id").to_owned()
}

async fn prefill(app: &App, someone: &Someone, body: &Value) -> Answer {
    let request = app.post("/api/prefill").key(&someone.key);
    request.json(body).send().await
}

#[tokio::test]
async fn a_source_suggests_its_metadata_free_of_charge() {
    let app = App::start().await;
    let someone = app.someone(0).await;
    let id = uploaded(&app, &someone, "kiln.md", TEXT.as_bytes()).await;
    let answer = prefill(&app, &someone, &json!({ "source_ids": [id] })).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let json = answer.json();
    let members: Vec<&String> = json.as_object().expect("an object").keys().collect();
    assert_eq!(members, ["name", "description", "category"]);
    assert_eq!(json["name"], "firing-a-kiln");
    assert!(
        json["description"]
            .as_str()
            .is_some_and(|text| text.contains("Use when"))
    );
    assert!(
        json["category"]
            .as_str()
            .is_some_and(|text| !text.is_empty())
    );
}

#[tokio::test]
async fn suggestions_take_one_to_ten_ids_none_twice_all_ones_own() {
    let app = App::start().await;
    let (someone, stranger) = (app.someone(0).await, app.someone(0).await);
    let id = uploaded(&app, &someone, "kiln.md", TEXT.as_bytes()).await;
    let eleven: Vec<String> = (0..11).map(|n| format!("src_{n:026}")).collect();
    for bad in [
        json!([]),
        json!(eleven),
        json!([id, id]),
        json!("x"),
        json!([7]),
        Value::Null,
    ] {
        let answer = prefill(&app, &someone, &json!({ "source_ids": bad })).await;
        assert_eq!(answer.refusal(), (400, "VALIDATION_ERROR".into()), "{bad}");
    }
    let theirs = prefill(&app, &stranger, &json!({ "source_ids": [id] })).await;
    let unknown = json!({ "source_ids": ["src_00000000000000000000000000"] });
    let unknown = prefill(&app, &stranger, &unknown).await;
    assert_eq!(theirs.refusal(), (404, "NOT_FOUND".into()));
    assert_eq!(theirs.text(), unknown.text());
}

#[tokio::test]
async fn a_file_that_cannot_be_read_suggests_nothing_and_says_why() {
    let app = App::start().await;
    let someone = app.someone(0).await;
    let id = uploaded(&app, &someone, "a.pdf", b"%PDF-1.7\nthis is no document").await;
    let answer = prefill(&app, &someone, &json!({ "source_ids": [id] })).await;
    assert_eq!(answer.refusal(), (500, "GENERATION_FAILED".into()));
}

#[tokio::test]
async fn an_upload_at_the_time_of_a_sweep_never_loses_its_bytes() {
    let app = App::with(|settings| settings.limits.other_per_minute = 100_000).await;
    let someone = app.someone(0).await;
    for _ in 0..12 {
        uploaded(&app, &someone, "kiln.md", TEXT.as_bytes()).await;
        app.clock.advance(Duration::from_hours(25));
        let (id, ()) = tokio::join!(
            uploaded(&app, &someone, "kiln.md", TEXT.as_bytes()),
            app.sweep()
        );
        app.sweep().await;
        let answer = prefill(&app, &someone, &json!({ "source_ids": [id] })).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        app.clock.advance(Duration::from_hours(49));
        app.sweep().await;
        assert_eq!(app.blobs(), 0);
    }
}

#[tokio::test]
async fn a_source_that_no_skill_uses_expires_after_a_day_and_one_behind_a_skill_stays() {
    let app = App::start().await;
    let someone = app.someone(1).await;
    let (used, unused) = (
        uploaded(&app, &someone, "kiln.md", TEXT.as_bytes()).await,
        uploaded(
            &app,
            &someone,
            "other.md",
            b"# Other\n\nGlaze it thinly before it is fired.\n",
        )
        .await,
    );
    let made = app.post("/api/generate").key(&someone.key);
    let made = made.json(&json!({ "source_ids": [used] })).send().await;
    assert!(made.text().contains("event: complete"), "{}", made.text());
    app.clock.advance(Duration::from_hours(23));
    app.sweep().await;
    assert_eq!(
        prefill(&app, &someone, &json!({ "source_ids": [unused] }))
            .await
            .status,
        200
    );
    app.clock.advance(Duration::from_hours(26));
    app.sweep().await;
    let gone = prefill(&app, &someone, &json!({ "source_ids": [unused] })).await;
    assert_eq!(gone.refusal(), (404, "NOT_FOUND".into()));
    let kept = prefill(&app, &someone, &json!({ "source_ids": [used] })).await;
    assert_eq!(kept.status, 200, "{}", kept.text());
    assert_eq!(
        app.blobs(),
        1,
        "its bytes went with the last source that had them"
    );
}
