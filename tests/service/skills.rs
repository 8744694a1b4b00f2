//! The library (decisions 5, 15, 34, 35).

use crate::generate::TEXT;
use crate::support::app::{App, Someone};
use crate::support::client::{Answer, Part};
use serde_json::Value;
use std::time::Duration;

async fn made(app: &App, someone: &Someone, name: &str) {
    let parts = [Part::Text("source", TEXT), Part::Text("name", name)];
    let answer = app
        .post("/api/v1/generate")
        .key(&someone.key)
        .form(&parts)
        .send()
        .await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    app.clock.advance(Duration::from_secs(1));
}

#[tokio::test]
async fn a_skill_is_found_by_the_id_that_the_rest_surface_gives_it() {
    let app = App::start().await;
    let someone = app.someone(1).await;
    let request = app.post("/api/v1/generate").key(&someone.key);
    let made = request.form(&[Part::Text("source", TEXT)]).send().await;
    let made = made.json();
    let id = made["skill"]["id"].as_str().expect("an id");
    let found = async |id: &str| {
        let request = app.get(&format!("/api/skills/{id}"));
        request.key(&someone.key).send().await
    };
    let skill = found(id).await;
    assert_eq!(skill.status, 200, "{}", skill.text());
    let own = skill.json()["id"].as_str().expect("an id").to_owned();
    assert!(own.starts_with("sk_"), "{own}");
    assert_eq!(found(&own).await.text(), skill.text());
    for other in [id.to_uppercase(), id.replace('-', "")] {
        assert_eq!(found(&other).await.status, 404, "{other}");
    }
}

async fn listed(app: &App, someone: &Someone, query: &str) -> Answer {
    app.get(&format!("/api/skills{query}"))
        .key(&someone.key)
        .send()
        .await
}

fn names(answer: &Answer) -> Vec<String> {
    let json = answer.json();
    let skills = json["skills"].as_array().expect("skills");
    skills
        .iter()
        .map(|skill| skill["name"].as_str().expect("a name").to_owned())
        .collect()
}

fn members(value: &Value) -> Vec<&str> {
    value
        .as_object()
        .expect("an object")
        .keys()
        .map(String::as_str)
        .collect()
}

#[tokio::test]
async fn skills_made_over_rest_are_in_the_library_newest_first() {
    let app = App::start().await;
    let someone = app.someone(3).await;
    assert_eq!(listed(&app, &someone, "").await.text(), r#"{"skills":[]}"#);
    for name in ["alpha", "beta", "gamma"] {
        made(&app, &someone, name).await;
    }
    let all = listed(&app, &someone, "").await;
    assert_eq!(names(&all), ["gamma", "beta", "alpha"]);
    assert_eq!(
        members(&all.json()["skills"][0]),
        [
            "id",
            "name",
            "description",
            "category",
            "word_count",
            "is_public",
            "created_at",
            "updated_at"
        ]
    );
    assert_eq!(all.json()["skills"][0]["is_public"], false);
    for (query, expected) in [
        ("?limit=1", vec!["gamma"]),
        ("?limit=1&offset=1", vec!["beta"]),
        ("?q=BET", vec!["beta"]),
        ("?q=%25", vec![]),
        ("?category=none-such", vec![]),
        ("?offset=9", vec![]),
    ] {
        assert_eq!(
            names(&listed(&app, &someone, query).await),
            expected,
            "{query}"
        );
    }
    for query in [
        "?limit=0",
        "?limit=-1",
        "?limit=x",
        "?offset=-1",
        "?limit=1&limit=1",
    ] {
        assert_eq!(
            listed(&app, &someone, query).await.refusal(),
            (400, "VALIDATION_ERROR".into()),
            "{query}"
        );
    }
}

#[tokio::test]
async fn one_skill_has_its_content_and_its_checks() {
    let app = App::start().await;
    let someone = app.someone(1).await;
    made(&app, &someone, "alpha").await;
    let id = listed(&app, &someone, "").await.json()["skills"][0]["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    assert!(id.starts_with("sk_") && id.len() == 29);
    let skill = app
        .get(&format!("/api/skills/{id}"))
        .key(&someone.key)
        .send()
        .await
        .json();
    assert_eq!(
        members(&skill),
        [
            "id",
            "name",
            "description",
            "category",
            "content",
            "word_count",
            "is_public",
            "validation",
            "metadata",
            "created_at",
            "updated_at"
        ]
    );
    assert!(
        skill["content"]
            .as_str()
            .is_some_and(|content| content.starts_with("---\n"))
    );
    let validation = &skill["validation"];
    assert_eq!(members(validation), ["errors", "warnings", "checks"]);
    let checks = validation["checks"].as_array().expect("checks");
    assert!(!checks.is_empty());
    let failed = |severity: &str| {
        checks
            .iter()
            .filter(|check| check["passed"] == false && check["severity"] == severity)
            .count()
    };
    assert_eq!(validation["errors"], failed("error"));
    assert_eq!(validation["warnings"], failed("warning"));
}

#[tokio::test]
async fn somebody_elses_skill_is_404_byte_for_byte_as_an_unknown_one() {
    let app = App::start().await;
    let (someone, stranger) = (app.someone(1).await, app.someone(0).await);
    made(&app, &someone, "alpha").await;
    let id = listed(&app, &someone, "").await.json()["skills"][0]["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    let theirs = app
        .get(&format!("/api/skills/{id}"))
        .key(&stranger.key)
        .send()
        .await;
    let unknown = app
        .get("/api/skills/sk_00000000000000000000000000")
        .key(&stranger.key)
        .send()
        .await;
    assert_eq!((theirs.status, theirs.text()), (404, unknown.text()));
    assert_eq!(listed(&app, &stranger, "").await.text(), r#"{"skills":[]}"#);
}
