//! Making a skill again from its source (decision 41).

use crate::catalogue;
use crate::library::{made, read};
use crate::support::app::{App, Someone};
use crate::support::client::{Answer, Part};
use crate::support::site::Site;
use serde_json::{Value, json};

async fn again(app: &App, someone: &Someone, path: &str) -> Answer {
    let target = format!("{path}/regenerate");
    app.post(&target).key(&someone.key).send().await
}

/// What somebody writes in the place of what was made.
const MINE: &str = "# Mine\n\nWritten by hand.\n";

async fn draft(app: &App, someone: &Someone, path: &str) -> Answer {
    let target = format!("{path}/draft");
    app.get(&target).key(&someone.key).send().await
}

async fn answered(app: &App, someone: &Someone, path: &str, action: &str, waits: &Value) -> Answer {
    let body = json!({ "action": action, "generation_id": waits["generation_id"] });
    let request = app.post(&format!("{path}/draft")).key(&someone.key);
    request.json(&body).send().await
}

/// Accepts the text that waits.
pub(crate) async fn accepted(app: &App, someone: &Someone, path: &str) {
    let waits = draft(app, someone, path).await.json();
    let answer = answered(app, someone, path, "accept", &waits).await;
    assert_eq!(answer.status, 204, "{}", answer.text());
}

async fn edited(app: &App, someone: &Someone, path: &str) {
    let body = json!({ "content": MINE });
    let request = app.request("PUT", path).key(&someone.key).json(&body);
    assert_eq!(request.send().await.status, 200);
}

async fn roomy() -> App {
    App::with(|settings| settings.limits.other_per_minute = 1_000_000).await
}

/// Waits until the account's newest generation stands so.
async fn until(app: &App, someone: &Someone, status: &str) {
    for _ in 0..200_000 {
        let history = app.get("/api/v1/generations?limit=1").key(&someone.key);
        if history.send().await.json()["generations"][0]["status"] == status {
            return;
        }
    }
    panic!("it never stood {status}");
}

/// A skill made from a page that can be held up.
async fn from_a_page(app: &App, someone: &Someone) -> (Site, String) {
    let page = "<h1>Kiln</h1><p>Fire it slowly, so that the water can leave the clay. Keep the lid closed until it is below 200 degrees.</p>";
    let site = Site::start(&[("/slow/kiln", 200, page)]).await;
    site.let_go();
    let source = site.page("/slow/kiln");
    let request = app.post("/api/v1/generate").key(&someone.key);
    let answer = request.form(&[Part::Text("source", &source)]).send().await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let listed = app
        .get("/api/skills?limit=1")
        .key(&someone.key)
        .send()
        .await;
    let id = listed.json()["skills"][0]["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    (site, format!("/api/skills/{id}"))
}

#[tokio::test]
async fn a_regeneration_is_told_like_a_generation_and_keeps_identity_and_visibility() {
    let app = App::start().await;
    let someone = app.someone(3).await;
    let (id, path) = made(&app, &someone).await;
    let original = read(&app, &someone, &path).await;
    let share = app.post(&format!("{path}/share")).key(&someone.key);
    share.json(&json!({ "is_public": true })).send().await;
    for body in [None, Some("{}"), Some(r#"{"anything":"else"}"#)] {
        let mut request = app.post(&format!("{path}/regenerate")).key(&someone.key);
        if let Some(body) = body {
            request = request.body("application/json", body);
        }
        let answer = request.send().await;
        if body == Some(r#"{"anything":"else"}"#) {
            assert_eq!(answer.refusal(), (402, "INSUFFICIENT_CREDITS".into()));
            continue;
        }
        let events = answer.events();
        let names: Vec<&str> = events.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["progress", "progress", "progress", "complete"]);
        assert_eq!(events[3].1["skill_id"], id);
        assert_eq!(events[3].1.get("draft"), None);
    }
    let after = read(&app, &someone, &path).await;
    assert_eq!(
        (&after["content"], &after["name"]),
        (&original["content"], &original["name"])
    );
    assert_eq!(
        (&after["is_public"], &after["created_at"]),
        (&true.into(), &original["created_at"])
    );
    assert!(after["updated_at"].as_str() > original["updated_at"].as_str());
    let history = app
        .get("/api/v1/generations")
        .key(&someone.key)
        .send()
        .await
        .json();
    let rows = history["generations"].as_array().expect("rows");
    assert_eq!(rows.len(), 3);
    assert!(
        rows.iter()
            .all(|row| row["skill_id"] == rows[2]["skill_id"])
    );
    assert_eq!(
        rows[2]["id"], rows[2]["skill_id"],
        "the first has the skill's own"
    );
    assert!(rows[0]["id"] != rows[1]["id"] && rows[0]["id"] != rows[2]["id"]);
    assert_eq!(app.books().await.posted, 3);
}

#[tokio::test]
async fn a_body_that_is_no_object_is_refused() {
    let app = App::start().await;
    let someone = app.someone(2).await;
    let (_, path) = made(&app, &someone).await;
    for body in ["[]", "7", "null", "{", "x"] {
        let request = app.post(&format!("{path}/regenerate")).key(&someone.key);
        let answer = request.body("application/json", body).send().await;
        assert_eq!(answer.refusal(), (400, "VALIDATION_ERROR".into()), "{body}");
    }
    assert_eq!(app.books().await.available, 1);
}

#[tokio::test]
async fn the_old_content_stays_when_a_regeneration_fails_and_the_credit_is_back() {
    let app = App::start().await;
    let someone = app.someone(2).await;
    let (site, path) = from_a_page(&app, &someone).await;
    let before = read(&app, &someone, &path).await;
    drop(site);
    let events = again(&app, &someone, &path).await.events();
    let (name, data) = events.last().expect("an event");
    assert_eq!(
        (name.as_str(), &data["error"]["code"]),
        ("error", &"GENERATION_FAILED".into())
    );
    assert_eq!(read(&app, &someone, &path).await, before);
    let books = app.books().await;
    assert_eq!((books.available, books.reserved, books.posted), (1, 0, 1));
}

#[tokio::test]
async fn a_second_regeneration_in_flight_is_409_and_costs_nothing() {
    let app = roomy().await;
    let someone = app.someone(5).await;
    let (site, path) = from_a_page(&app, &someone).await;
    site.hold();
    let target = format!("{path}/regenerate");
    let first = tokio::spawn(app.post(&target).key(&someone.key).send());
    until(&app, &someone, "running").await;
    assert_eq!(
        again(&app, &someone, &path).await.refusal(),
        (409, "CONFLICT".into())
    );
    assert_eq!(app.books().await.available, 3);
    site.let_go();
    let events = first.await.expect("answered").events();
    assert_eq!(events.last().expect("an end").0, "complete");
    let after = again(&app, &someone, &path).await.events();
    assert_eq!(
        after.last().expect("an end").0,
        "complete",
        "and then again"
    );
}

#[tokio::test]
async fn deleting_a_skill_while_it_is_regenerated_fails_the_run_with_its_refund() {
    let app = roomy().await;
    let someone = app.someone(2).await;
    let (site, path) = from_a_page(&app, &someone).await;
    site.hold();
    let target = format!("{path}/regenerate");
    let running = tokio::spawn(app.post(&target).key(&someone.key).send());
    until(&app, &someone, "running").await;
    let delete = app.request("DELETE", &path).key(&someone.key).send().await;
    assert_eq!(delete.status, 204);
    site.let_go();
    let events = running.await.expect("answered").events();
    assert_eq!(events.last().expect("an end").0, "error");
    let listed = app.get("/api/skills").key(&someone.key).send().await;
    assert_eq!(listed.text(), r#"{"skills":[]}"#);
    let books = app.books().await;
    assert_eq!((books.available, books.reserved, books.posted), (1, 0, 1));
}

#[tokio::test]
async fn an_edit_during_a_regeneration_stays_and_the_new_text_waits_beside_it() {
    let app = roomy().await;
    let someone = app.someone(2).await;
    let (site, path) = from_a_page(&app, &someone).await;
    let original = read(&app, &someone, &path).await;
    site.hold();
    let target = format!("{path}/regenerate");
    let running = tokio::spawn(app.post(&target).key(&someone.key).send());
    until(&app, &someone, "running").await;
    edited(&app, &someone, &path).await;
    site.let_go();
    let events = running.await.expect("answered").events();
    let (name, data) = events.last().expect("an end");
    assert_eq!((name.as_str(), &data["draft"]), ("complete", &true.into()));
    assert_eq!(read(&app, &someone, &path).await["content"], MINE);
    let waits = draft(&app, &someone, &path).await.json();
    assert_eq!(waits["content"], original["content"]);
}

#[tokio::test]
async fn a_skill_that_was_edited_is_made_again_only_beside_the_edit() {
    let app = App::start().await;
    let (someone, stranger) = (app.someone(5).await, app.someone(1).await);
    let (id, path) = made(&app, &someone).await;
    let original = read(&app, &someone, &path).await;
    assert_eq!(draft(&app, &someone, &path).await.status, 404);
    edited(&app, &someone, &path).await;
    let mine = read(&app, &someone, &path).await;
    let send = || {
        let request = app.post(&format!("{path}/regenerate")).key(&someone.key);
        request.header("Idempotency-Key", "k").send()
    };
    let first = send().await;
    let events = first.events();
    let (name, data) = events.last().expect("an end");
    assert_eq!((name.as_str(), &data["skill_id"]), ("complete", &id.into()));
    assert_eq!(data["draft"], true);
    assert_eq!(read(&app, &someone, &path).await, mine, "to the letter");
    let waits = draft(&app, &someone, &path).await.json();
    // What was made, what its owner wrote, what is new: all that a merge needs.
    assert_eq!(waits["base"], original["content"]);
    assert_eq!(waits["content"], original["content"]);
    assert!(waits["validation"]["checks"].is_array());
    assert_eq!(draft(&app, &stranger, &path).await.status, 404);
    // Another one takes its place, and is answered by its own name alone.
    assert_eq!(again(&app, &someone, &path).await.status, 200);
    let stale = answered(&app, &someone, &path, "accept", &waits).await;
    assert_eq!(stale.refusal(), (409, "CONFLICT".into()));
    let waits = draft(&app, &someone, &path).await.json();
    let theirs = answered(&app, &stranger, &path, "accept", &waits).await;
    assert_eq!(theirs.refusal(), (404, "NOT_FOUND".into()));
    let unknown = answered(&app, &someone, &path, "merge", &waits).await;
    assert_eq!(unknown.refusal(), (400, "VALIDATION_ERROR".into()));
    let kept = answered(&app, &someone, &path, "dismiss", &waits).await;
    assert_eq!(kept.status, 204, "{}", kept.text());
    assert_eq!(draft(&app, &someone, &path).await.status, 404);
    assert_eq!(read(&app, &someone, &path).await, mine);
    // Accepted, it takes the place of the edit, and what is made then is made in its place again.
    again(&app, &someone, &path).await;
    accepted(&app, &someone, &path).await;
    let now = read(&app, &someone, &path).await;
    assert_eq!(now["content"], original["content"]);
    let events = again(&app, &someone, &path).await.events();
    assert_eq!(events.last().expect("an end").1.get("draft"), None);
    // A repeat gets the first answer, whatever became of the draft.
    let replayed = send().await;
    assert_eq!(replayed.header("idempotent-replayed"), Some("true"));
    assert_eq!(replayed.events(), first.events());
    let books = app.books().await;
    assert_eq!((books.reserved, books.posted), (0, 5));
}

#[tokio::test]
async fn a_copy_of_ones_own_is_regenerated_from_the_same_source_and_one_of_somebody_elses_is_400() {
    let app = App::start().await;
    let (someone, stranger) = (app.someone(2).await, app.someone(1).await);
    let (_, path) = made(&app, &someone).await;
    let original = read(&app, &someone, &path).await;
    let share = app.post(&format!("{path}/share")).key(&someone.key);
    share.json(&json!({ "is_public": true })).send().await;
    let mut copies = vec![];
    for who in [&someone, &stranger] {
        let copy = app
            .post(&format!("{path}/duplicate"))
            .key(&who.key)
            .send()
            .await;
        let id = copy.json()["id"].as_str().expect("an id").to_owned();
        copies.push(format!("/api/skills/{id}"));
    }
    let delete = app.request("DELETE", &path).key(&someone.key).send().await;
    assert_eq!(delete.status, 204, "the copies do not need it");
    edited(&app, &someone, &copies[0]).await;
    let events = again(&app, &someone, &copies[0]).await.events();
    assert_eq!(events.last().expect("an end").0, "complete", "{events:?}");
    accepted(&app, &someone, &copies[0]).await;
    assert_eq!(
        read(&app, &someone, &copies[0]).await["content"],
        original["content"]
    );
    let foreign = again(&app, &stranger, &copies[1]).await;
    assert_eq!(foreign.refusal(), (400, "VALIDATION_ERROR".into()));
    assert_eq!(app.books().await.available, 1);
}

#[tokio::test]
async fn a_regeneration_asked_for_again_under_its_key_is_charged_once() {
    let app = App::start().await;
    let someone = app.someone(3).await;
    let (_, path) = made(&app, &someone).await;
    let send = |path: &str| {
        let request = app.post(&format!("{path}/regenerate")).key(&someone.key);
        request.header("Idempotency-Key", "k").send()
    };
    let first = send(&path).await;
    let replayed = send(&path).await;
    assert_eq!(replayed.header("idempotent-replayed"), Some("true"));
    assert_eq!(replayed.events(), first.events());
    let copy = app
        .post(&format!("{path}/duplicate"))
        .key(&someone.key)
        .send()
        .await;
    let id = copy.json()["id"].as_str().expect("an id").to_owned();
    let other = send(&format!("/api/skills/{id}")).await;
    assert_eq!(
        other.refusal(),
        (400, "VALIDATION_ERROR".into()),
        "another skill is another request"
    );
    assert_eq!(app.books().await.posted, 2);
}

#[tokio::test]
async fn a_skill_of_a_catalogue_is_regenerated_from_its_own_topic_alone() {
    let app = App::start().await;
    let someone = app.someone(3).await;
    let text: &str = &catalogue::TEXT;
    let topics = catalogue::two(&app, &someone).await;
    let request = app.post("/api/v1/generate/catalogue").key(&someone.key);
    let parts = [
        Part::Text("source", text),
        Part::Text("selected_topics", &topics.to_string()),
    ];
    let answer = request.form(&parts).send().await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let listed = app.get("/api/skills").key(&someone.key).send().await.json();
    let skills = listed["skills"].as_array().expect("skills").clone();
    assert_eq!(skills.len(), 2);
    let path = format!("/api/skills/{}", skills[1]["id"].as_str().expect("an id"));
    let before = read(&app, &someone, &path).await;
    edited(&app, &someone, &path).await;
    let events = again(&app, &someone, &path).await.events();
    assert_eq!(events.last().expect("an end").0, "complete", "{events:?}");
    accepted(&app, &someone, &path).await;
    let after = read(&app, &someone, &path).await;
    assert_eq!(
        (&after["name"], &after["content"]),
        (&before["name"], &before["content"])
    );
    let history = app
        .get("/api/v1/generations?limit=1")
        .key(&someone.key)
        .send()
        .await
        .json();
    assert_eq!(history["generations"][0].get("catalogue_id"), None);
}
