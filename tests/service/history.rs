//! What was made: the history, the download, the balance (decisions 26 to 28, 55).

use crate::generate::TEXT;
use crate::support::app::{App, Someone};
use crate::support::client::Part;
use serde_json::{Value, json};
use skillkiln::domain::credits::Credits;
use std::time::Duration;

async fn made(app: &App, someone: &Someone, name: &str) -> Value {
    let parts = [Part::Text("source", TEXT), Part::Text("name", name)];
    let answer = app
        .post("/api/v1/generate")
        .key(&someone.key)
        .form(&parts)
        .send()
        .await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

async fn page(app: &App, someone: &Someone, query: &str) -> Value {
    let answer = app
        .get(&format!("/api/v1/generations{query}"))
        .key(&someone.key)
        .send()
        .await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

#[tokio::test]
async fn an_empty_history_is_an_empty_page() {
    let app = App::start().await;
    let someone = app.someone(0).await;
    assert_eq!(
        page(&app, &someone, "").await,
        json!({ "generations": [], "total": 0, "limit": 20, "offset": 0, "has_more": false })
    );
}

#[tokio::test]
async fn the_history_is_paged_newest_first_and_the_callers_own() {
    let app = App::start().await;
    let (someone, stranger) = (app.someone(3).await, app.someone(0).await);
    for name in ["one", "two", "three"] {
        made(&app, &someone, name).await;
        app.clock.advance(Duration::from_secs(1));
    }
    let names = |page: &Value| -> Vec<String> {
        page["generations"]
            .as_array()
            .expect("rows")
            .iter()
            .map(|row| row["name"].as_str().expect("a name").to_owned())
            .collect()
    };
    let first = page(&app, &someone, "?limit=2").await;
    assert_eq!(names(&first), ["three", "two"]);
    assert_eq!(
        (
            &first["total"],
            &first["limit"],
            &first["offset"],
            &first["has_more"]
        ),
        (&3.into(), &2.into(), &0.into(), &true.into())
    );
    let rest = page(&app, &someone, "?limit=2&offset=2").await;
    assert_eq!(
        (names(&rest), &rest["has_more"]),
        (vec!["one".to_owned()], &false.into())
    );
    let past = page(&app, &someone, "?offset=99").await;
    assert_eq!(
        (names(&past), &past["total"], &past["has_more"]),
        (vec![], &3.into(), &false.into())
    );
    assert_eq!(page(&app, &stranger, "").await["total"], 0);
}

#[tokio::test]
async fn a_completed_row_has_every_field() {
    let app = App::start().await;
    let someone = app.someone(1).await;
    let generated = made(&app, &someone, "Kiln").await;
    let row = page(&app, &someone, "").await["generations"][0].clone();
    let members: Vec<&String> = row.as_object().expect("an object").keys().collect();
    assert_eq!(
        members,
        [
            "id",
            "skill_id",
            "status",
            "name",
            "source_type",
            "source",
            "filename",
            "word_count",
            "credits_charged",
            "credits_refunded",
            "created_at",
            "completed_at"
        ]
    );
    assert_eq!(row["id"], generated["skill"]["id"]);
    assert_eq!(row["skill_id"], generated["skill"]["id"]);
    assert_eq!(row["filename"], generated["skill"]["filename"]);
    assert_eq!(row["word_count"], generated["skill"]["word_count"]);
    assert_eq!(
        (&row["status"], &row["source_type"]),
        (&"completed".into(), &"text".into())
    );
    assert_eq!(
        (&row["credits_charged"], &row["credits_refunded"]),
        (&1.into(), &0.into())
    );
    assert_eq!(row["created_at"], "2026-11-20T09:15:00.000Z");
}

#[tokio::test]
async fn a_page_that_cannot_be_is_400() {
    let app = App::start().await;
    let someone = app.someone(0).await;
    for query in [
        "limit=0",
        "limit=101",
        "limit=-1",
        "limit=x",
        "limit=1.5",
        "limit=",
        "limit=1e1",
        "offset=-1",
        "offset=x",
        "offset=",
    ] {
        let answer = app
            .get(&format!("/api/v1/generations?{query}"))
            .key(&someone.key)
            .send()
            .await;
        assert_eq!(
            answer.refusal(),
            (400, "VALIDATION_ERROR".into()),
            "{query}"
        );
    }
    for query in [
        "limit=1",
        "limit=100",
        "offset=0",
        "offset=9223372036854775807",
        "offset=99999999999999999999",
    ] {
        page(&app, &someone, &format!("?{query}")).await;
    }
}

#[tokio::test]
async fn the_download_is_the_skill_as_an_attachment_for_its_owner_alone() {
    let app = App::start().await;
    let (someone, stranger) = (app.someone(1).await, app.someone(0).await);
    let generated = made(&app, &someone, "Kiln").await;
    let path = format!(
        "/api/v1/generations/{}/skill",
        generated["skill"]["id"].as_str().expect("an id")
    );
    let file = app.get(&path).key(&someone.key).send().await;
    assert_eq!(file.status, 200);
    assert_eq!(file.text(), generated["skill"]["content"]);
    assert_eq!(
        file.header("content-type"),
        Some("text/markdown; charset=utf-8")
    );
    assert_eq!(
        file.header("content-disposition"),
        Some("attachment; filename=\"kiln.md\"; filename*=UTF-8''kiln.md")
    );
    let tag = file.header("etag").expect("a tag");
    let again = app
        .get(&path)
        .key(&someone.key)
        .header("If-None-Match", tag)
        .send()
        .await;
    assert_eq!(
        (again.status, again.body.len(), again.header("etag")),
        (304, 0, Some(tag))
    );
    let theirs = app.get(&path).key(&stranger.key).send().await;
    let unknown = app
        .get("/api/v1/generations/00000000-0000-4000-8000-000000000000/skill")
        .key(&stranger.key)
        .send()
        .await;
    assert_eq!(
        (theirs.status, theirs.text()),
        (404, unknown.text()),
        "byte for byte"
    );
}

#[tokio::test]
async fn credits_that_another_process_grants_are_shown() {
    let app = App::with(|settings| settings.limits.other_per_minute = 1_000_000).await;
    let someone = app.someone(3).await;
    let remaining = async || {
        let credits = app.get("/api/v1/credits").key(&someone.key).send().await;
        credits.json()["credits_remaining"].as_u64()
    };
    // Asked often enough for the service to show what it knows instead of reading it again.
    for _ in 0..50 {
        assert_eq!(remaining().await, Some(3));
    }
    app.admin
        .grant(&someone.email, Credits(5))
        .await
        .expect("granted");
    for _ in 0..100_000 {
        if remaining().await == Some(8) {
            return;
        }
    }
    panic!("the grant was never shown");
}

#[tokio::test]
async fn the_balance_of_both_surfaces_follows_what_is_made() {
    let app = App::start().await;
    let someone = app.someone(2).await;
    let rest = || async {
        app.get("/api/v1/credits")
            .key(&someone.key)
            .send()
            .await
            .text()
            .to_owned()
    };
    let before =
        r#"{"credits_remaining":2,"plan":"free","credit_packs_purchased":0,"total_generations":0}"#;
    assert_eq!(rest().await, before);
    made(&app, &someone, "Kiln").await;
    assert_eq!(
        rest().await,
        before
            .replace("remaining\":2", "remaining\":1")
            .replace("generations\":0", "generations\":1")
    );
    let application = app.get("/api/credits").key(&someone.key).send().await;
    assert_eq!(
        application.text(),
        r#"{"credits":1,"plan":"free","is_unlimited":false}"#
    );
}
