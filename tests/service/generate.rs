//! One skill from one source (interface parts 2 and 4; decisions 14 to 21, 48).

use crate::support::app::{App, Someone};
use crate::support::client::{Answer, Part, Request};
use crate::support::site::Site;
use serde_json::{Value, json};
use skillkiln::config::Settings;
use skillkiln::domain::id::SkillId;

/// A text that is worth a skill.
pub(crate) const TEXT: &str = "# Firing a kiln\n\nA kiln is fired slowly, so that water can leave the clay before it boils.\n\n\
## Loading\n\nPlace the shelves on three posts. Leave two centimetres between pieces that carry glaze.\n\n\
## Heating\n\nRaise the temperature by 60 degrees an hour up to 200 degrees, then by 100 degrees an hour. Hold the peak for ten minutes.\n\n\
```sh\nkilnctl start --program bisque\n```\n\n## Cooling\n\nKeep the lid closed below 200 degrees. Opening it early cracks the glaze.\n";
const PAGE: &str = "<html><head><title>Firing a kiln</title></head><body><main><h1>Firing a kiln</h1><p>A kiln is fired slowly, so that \
water can leave the clay before it boils. Raise the temperature by 60 degrees an hour up to 200 degrees, then by 100 degrees an hour.</p>\
<h2>Cooling</h2><p>Keep the lid closed below 200 degrees. Opening it early cracks the glaze, and the shelves too.</p></main></body></html>";

/// The service with room for tests that look often.
async fn roomy() -> App {
    App::with(|settings| {
        settings.limits.other_per_minute = 100_000;
        settings.limits.generate_per_minute = 1_000;
    })
    .await
}

fn generate(app: &App, someone: &Someone, parts: &[Part<'_>]) -> Request {
    app.post("/api/v1/generate").key(&someone.key).form(parts)
}

async fn remaining(app: &App, someone: &Someone) -> u64 {
    let answer = app.get("/api/v1/credits").key(&someone.key).send().await;
    answer.json()["credits_remaining"]
        .as_u64()
        .expect("a number")
}

fn members(value: &Value) -> Vec<&str> {
    value
        .as_object()
        .expect("an object")
        .keys()
        .map(String::as_str)
        .collect()
}

async fn history(app: &App, someone: &Someone) -> Value {
    app.get("/api/v1/generations")
        .key(&someone.key)
        .send()
        .await
        .json()
}

/// Looks at the newest run until it stands there, without a clock.
async fn until(app: &App, someone: &Someone, status: &str) -> Value {
    for _ in 0..20_000 {
        let history = history(app, someone).await;
        if history["generations"][0]["status"] == status {
            return history["generations"][0].clone();
        }
    }
    panic!("never {status}: {}", history(app, someone).await);
}

fn made(answer: &Answer) -> Value {
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

#[tokio::test]
async fn a_text_becomes_a_skill_for_one_credit() {
    let app = roomy().await;
    let someone = app.someone(3).await;
    let answer = generate(&app, &someone, &[Part::Text("source", TEXT)])
        .send()
        .await;
    let json = made(&answer);
    assert_eq!(members(&json), ["skill", "metadata"]);
    let skill = &json["skill"];
    assert_eq!(
        members(skill),
        ["id", "filename", "content", "reference_files", "word_count"]
    );
    assert_eq!(
        json["metadata"],
        serde_json::json!({ "source_type": "text", "credits_remaining": 2, "author": "extractive" })
    );
    assert_eq!(skill["id"].as_str().map(str::len), Some(36));
    assert!(
        skill["filename"]
            .as_str()
            .is_some_and(|name| name.ends_with(".md"))
    );
    let content = skill["content"].as_str().expect("text");
    assert!(
        content.starts_with("---\n") && content.contains("60 degrees an hour"),
        "{content}"
    );
    assert!(skill["word_count"].as_u64().is_some_and(|words| words > 10));
    for file in skill["reference_files"].as_array().expect("an array") {
        assert_eq!(members(file), ["filename", "content"]);
    }
    assert_eq!(remaining(&app, &someone).await, 2);
    let books = app.books().await;
    assert_eq!((books.available, books.reserved, books.posted), (2, 0, 1));
}

#[tokio::test]
async fn the_type_in_the_answer_is_the_resolved_one() {
    let app = roomy().await;
    let site = Site::start(&[("/kiln", 200, PAGE)]).await;
    let someone = app.someone(5).await;
    let page = site.page("/kiln");
    for (part, explicit, resolved) in [
        (Part::Text("source", TEXT), None, "text"),
        (
            Part::File("source", "kiln.md", TEXT.as_bytes()),
            None,
            "file",
        ),
        (
            Part::File("source", "kiln.txt", TEXT.as_bytes()),
            Some("file"),
            "file",
        ),
        (Part::Text("source", &page), None, "url"),
        (Part::Text("source", &page), Some("url"), "url"),
    ] {
        let mut parts = vec![part];
        parts.extend(explicit.map(|word| Part::Text("source_type", word)));
        let json = made(&generate(&app, &someone, &parts).send().await);
        assert_eq!(json["metadata"]["source_type"], resolved);
    }
    assert_eq!(remaining(&app, &someone).await, 0);
}

#[tokio::test]
async fn a_source_that_cannot_be_is_400_and_costs_nothing() {
    let app = roomy().await;
    let someone = app.someone(1).await;
    let text = |value| Part::Text("source", value);
    let kind = |value| Part::Text("source_type", value);
    for parts in [
        vec![],
        vec![text("")],
        vec![text(" \n\t ")],
        vec![text("ftp://example.org/a")],
        vec![text("file:///etc/passwd")],
        vec![text("javascript://example.org/x")],
        vec![text("words"), kind("pdf")],
        vec![text("words"), kind("")],
        vec![text("words"), kind("TEXT")],
        vec![text("words"), kind("url")],
        vec![text("words"), kind("youtube")],
        vec![text("words"), kind("file")],
        vec![text("https://example.org/"), kind("youtube")],
        vec![Part::File("source", "a.md", b"# A"), kind("text")],
        vec![Part::File("source", "a.md", b"# A"), kind("url")],
        vec![Part::File("source", "a.md", b"")],
        vec![Part::File("source", "", b"")],
        vec![text("words"), Part::File("name", "n", b"x")],
    ] {
        let answer = generate(&app, &someone, &parts).send().await;
        assert_eq!(
            answer.refusal(),
            (400, "VALIDATION_ERROR".into()),
            "{}",
            answer.text()
        );
    }
    assert_eq!(remaining(&app, &someone).await, 1);
    assert_eq!(history(&app, &someone).await["total"], 0);
}

#[tokio::test]
async fn a_blocked_literal_address_is_400_and_costs_nothing() {
    let app = App::with(|settings| {
        settings.fetch.allow_private_addresses = false;
        settings.limits.generate_per_minute = 1_000;
    })
    .await;
    let someone = app.someone(1).await;
    for address in [
        "http://127.0.0.1/",
        "http://localhost/",
        "http://[::1]/",
        "http://10.0.0.1/",
        "http://192.168.1.1/",
        "http://172.16.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://100.64.0.1/",
        "http://198.18.0.1/",
        "http://0.0.0.0/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://0177.0.0.1/",
        "http://[::ffff:127.0.0.1]/",
        "http://[fd00::1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://[2002:7f00:1::]/",
        "http://224.0.0.1/",
        "http://192.0.2.1/",
    ] {
        let answer = generate(&app, &someone, &[Part::Text("source", address)])
            .send()
            .await;
        assert_eq!(
            answer.refusal(),
            (400, "VALIDATION_ERROR".into()),
            "{address}"
        );
    }
    assert_eq!(remaining(&app, &someone).await, 1);
}

#[tokio::test]
async fn a_source_that_fails_when_fetched_is_500_and_its_credit_comes_back() {
    let app = roomy().await;
    let site = Site::start(&[("/broken", 500, "broken")]).await;
    let someone = app.someone(1).await;
    for path in ["/missing", "/broken"] {
        let answer = generate(&app, &someone, &[Part::Text("source", &site.page(path))])
            .send()
            .await;
        assert_eq!(
            answer.refusal(),
            (500, "GENERATION_FAILED".into()),
            "{path}"
        );
        assert_eq!(remaining(&app, &someone).await, 1);
    }
    let row = history(&app, &someone).await["generations"][0].clone();
    assert_eq!(
        members(&row),
        [
            "id",
            "status",
            "name",
            "source_type",
            "source",
            "word_count",
            "credits_charged",
            "credits_refunded",
            "error_code",
            "created_at",
            "completed_at"
        ]
    );
    assert_eq!(
        (&row["status"], &row["error_code"]),
        (&"failed".into(), &"GENERATION_FAILED".into())
    );
    assert_eq!(
        (
            &row["credits_charged"],
            &row["credits_refunded"],
            &row["word_count"]
        ),
        (&1.into(), &1.into(), &0.into())
    );
    let total = app
        .get("/api/v1/credits")
        .key(&someone.key)
        .send()
        .await
        .json();
    assert_eq!(total["total_generations"], 0, "only successes count");
    app.books().await;
}

#[tokio::test]
async fn the_name_becomes_a_slug_and_is_derived_when_blank() {
    let app = roomy().await;
    let someone = app.someone(3).await;
    let named = |name| [Part::Text("source", TEXT), Part::Text("name", name)];
    let json = made(
        &generate(&app, &someone, &named("My Kiln: Über Guide!"))
            .send()
            .await,
    );
    let content = json["skill"]["content"].as_str().expect("text");
    let name = content.lines().find(|line| line.starts_with("name: "));
    let name = name.map(|line| line.trim_start_matches("name: ").trim_matches('"'));
    assert_eq!(name, Some("my-kiln-uber-guide"), "{content}");
    assert_eq!(json["skill"]["filename"], "my-kiln-uber-guide.md");
    let derived = made(&generate(&app, &someone, &named("  ")).send().await);
    assert!(
        derived["skill"]["filename"]
            .as_str()
            .is_some_and(|name| name.contains("kiln"))
    );
    let longest = "n".repeat(200);
    assert_eq!(
        generate(&app, &someone, &named(&longest))
            .send()
            .await
            .status,
        200
    );
    let long = "n".repeat(201);
    let refused = generate(&app, &someone, &named(&long)).send().await;
    assert_eq!(refused.refusal(), (400, "VALIDATION_ERROR".into()));
}

#[tokio::test]
async fn a_request_sent_again_under_its_idempotency_key_is_answered_again_and_charged_once() {
    let app = roomy().await;
    let someone = app.someone(3).await;
    let send = |text: &'static str| {
        generate(&app, &someone, &[Part::Text("source", text)])
            .header("Idempotency-Key", "order-1")
            .send()
    };
    let first = send(TEXT).await;
    assert_eq!(first.header("idempotent-replayed"), None);
    let again = send(TEXT).await;
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(made(&again), made(&first));
    let other = send("Another text, about glazes: weigh silica and feldspar on a balance, stir them with water, and strain the slurry twice before you brush it on.").await;
    assert_eq!(other.refusal(), (400, "VALIDATION_ERROR".into()));
    assert_eq!(remaining(&app, &someone).await, 2);
    let stranger = app.someone(1).await;
    let theirs = generate(&app, &stranger, &[Part::Text("source", TEXT)])
        .header("Idempotency-Key", "order-1")
        .send()
        .await;
    assert_ne!(
        made(&theirs)["skill"]["id"],
        made(&first)["skill"]["id"],
        "keys belong to accounts"
    );
    for bad in ["", "a b", "ü", &"x".repeat(256)] {
        let answer = generate(&app, &someone, &[Part::Text("source", TEXT)])
            .header("Idempotency-Key", bad)
            .send()
            .await;
        assert_eq!(answer.refusal(), (400, "VALIDATION_ERROR".into()), "{bad}");
    }
}

#[tokio::test]
async fn a_repeat_says_what_was_said_at_first_although_the_skill_was_changed_and_nothing_of_a_deleted_one()
 {
    let app = roomy().await;
    let someone = app.someone(3).await;
    let send = || {
        generate(&app, &someone, &[Part::Text("source", TEXT)])
            .header("Idempotency-Key", "order-1")
            .send()
    };
    let first = send().await;
    let id = SkillId::parse(made(&first)["skill"]["id"].as_str().expect("an id")).expect("an id");
    let path = format!("/api/skills/{}", id.public());
    let body = json!({ "content": "# Mine\n" });
    let edit = app.request("PUT", &path).key(&someone.key).json(&body);
    assert_eq!(edit.send().await.status, 200);
    assert_eq!(made(&send().await), made(&first));
    let deletion = app.request("DELETE", &path).key(&someone.key);
    assert_eq!(deletion.send().await.status, 204);
    let again = send().await;
    assert_eq!(again.refusal(), (404, "NOT_FOUND".into()));
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(remaining(&app, &someone).await, 2);
}

#[tokio::test]
async fn a_failed_request_sent_again_fails_again_without_another_run() {
    let app = roomy().await;
    let site = Site::start(&[]).await;
    let someone = app.someone(1).await;
    let page = site.page("/missing");
    let send = || {
        generate(&app, &someone, &[Part::Text("source", &page)])
            .header("Idempotency-Key", "k")
            .send()
    };
    let (first, again) = (send().await, send().await);
    assert_eq!((first.status, first.text()), (again.status, again.text()));
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(history(&app, &someone).await["total"], 1);
}

#[tokio::test]
async fn a_repeat_while_the_first_is_running_waits_for_the_same_end() {
    let app = roomy().await;
    let site = Site::start(&[("/slow/kiln", 200, PAGE)]).await;
    let someone = app.someone(2).await;
    let request = generate(
        &app,
        &someone,
        &[Part::Text("source", &site.page("/slow/kiln"))],
    )
    .header("Idempotency-Key", "k");
    let first = tokio::spawn(request.clone().send());
    until(&app, &someone, "running").await;
    let second = tokio::spawn(request.clone().send());
    let other = generate(&app, &someone, &[Part::Text("source", TEXT)]);
    let other = other.header("Idempotency-Key", "k").send().await;
    assert_eq!(other.refusal(), (400, "VALIDATION_ERROR".into()));
    site.let_go();
    let (first, second) = (
        first.await.expect("answered"),
        second.await.expect("answered"),
    );
    assert_eq!(first.header("idempotent-replayed"), None);
    assert_eq!(second.header("idempotent-replayed"), Some("true"));
    assert_eq!(made(&second), made(&first));
    assert_eq!(app.books().await.posted, 1);
}

#[tokio::test]
async fn whoever_prefers_not_to_wait_is_told_where_the_run_stands_and_what_came_of_it() {
    let app = roomy().await;
    let site = Site::start(&[("/slow/kiln", 200, PAGE)]).await;
    let someone = app.someone(2).await;
    let page = site.page("/slow/kiln");
    let request = generate(&app, &someone, &[Part::Text("source", &page)])
        .header("Prefer", "respond-async")
        .header("Idempotency-Key", "k");
    let accepted = request.clone().send().await;
    assert_eq!(accepted.status, 202);
    assert_eq!(accepted.header("preference-applied"), Some("respond-async"));
    let place = accepted.header("location").expect("a place").to_owned();
    assert_eq!(accepted.json()["credits_charged"], 1);
    let look = || app.get(&place).key(&someone.key).send();
    until(&app, &someone, "running").await;
    let running = look().await;
    assert_eq!(running.header("retry-after"), Some("2"));
    let running = running.json();
    assert_eq!(
        (&running["status"], &running["stage"], &running["source"]),
        (&json!("running"), &json!("extracting"), &json!(page))
    );
    assert!(running["result"].is_null() && running["error"].is_null());
    let again = request.clone().send().await;
    assert_eq!(
        (again.status, again.header("location")),
        (202, Some(place.as_str()))
    );
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    site.let_go();
    until(&app, &someone, "completed").await;
    let ended = look().await.json();
    assert_eq!(
        (&ended["status"], &ended["author"], &ended["cost"]),
        (&json!("completed"), &json!("extractive"), &json!(1))
    );
    assert!(ended["stage"].is_null() && ended["completed_at"].is_string());
    let file = app.get(ended["result"].as_str().expect("an address"));
    let file = file.key(&someone.key).send().await;
    assert_eq!(file.status, 200);
    assert!(file.text().starts_with("---\nname:"));
    let stranger = app.someone(0).await;
    let theirs = app.get(&place).key(&stranger.key).send().await;
    assert_eq!(theirs.refusal(), (404, "NOT_FOUND".into()));
    assert_eq!(app.books().await.posted, 1);
}

#[tokio::test]
async fn a_run_that_failed_says_why_where_it_stands_and_that_the_credit_is_back() {
    let app = roomy().await;
    let site = Site::start(&[]).await;
    let someone = app.someone(1).await;
    let request = generate(
        &app,
        &someone,
        &[Part::Text("source", &site.page("/missing"))],
    );
    let accepted = request.header("Prefer", "respond-async").send().await;
    assert_eq!(accepted.status, 202);
    let place = accepted.header("location").expect("a place").to_owned();
    until(&app, &someone, "failed").await;
    let ended = app.get(&place).key(&someone.key).send().await.json();
    assert_eq!(
        (&ended["status"], &ended["cost"], &ended["credits_refunded"]),
        (&json!("failed"), &json!(0), &json!(1))
    );
    assert_eq!(ended["error"]["code"], "GENERATION_FAILED");
    assert!(
        ended["error"]["message"]
            .as_str()
            .is_some_and(|words| words.contains("404"))
    );
    assert_eq!(ended["skills"], json!([]));
}

#[tokio::test]
async fn of_different_requests_sent_together_under_one_idempotency_key_all_but_one_are_400() {
    let app = roomy().await;
    let someone = app.someone(9).await;
    let texts = ["clay", "glaze", "cones", "shelves", "kilns", "ash"];
    let sent: Vec<_> = texts
        .iter()
        .map(|thing| {
            let text = format!("{TEXT} Mind the {thing}.");
            let request = generate(&app, &someone, &[Part::Text("source", &text)]);
            tokio::spawn(request.header("Idempotency-Key", "one").send())
        })
        .collect();
    let mut statuses = vec![];
    for answer in sent {
        statuses.push(answer.await.expect("answered").status);
    }
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 400, 400, 400, 400, 400]);
    assert_eq!(app.books().await.posted, 1);
}

#[tokio::test]
async fn a_client_that_leaves_still_finds_its_skill_in_the_history() {
    let app = roomy().await;
    let site = Site::start(&[("/slow/kiln", 200, PAGE)]).await;
    let someone = app.someone(1).await;
    let left = generate(
        &app,
        &someone,
        &[Part::Text("source", &site.page("/slow/kiln"))],
    )
    .open()
    .await;
    let row = until(&app, &someone, "running").await;
    assert_eq!(
        (
            &row["filename"],
            &row["word_count"],
            &row["credits_charged"]
        ),
        (&"".into(), &0.into(), &1.into())
    );
    drop(left);
    site.let_go();
    let row = until(&app, &someone, "completed").await;
    assert_eq!(
        row["id"], row["skill_id"],
        "the first generation has the skill's own id"
    );
    let path = format!(
        "/api/v1/generations/{}/skill",
        row["id"].as_str().expect("an id")
    );
    assert_eq!(app.get(&path).key(&someone.key).send().await.status, 200);
    assert_eq!(app.books().await.posted, 1);
}

/// An application in which an account runs one generation at once, and a page that holds it up.
async fn one_at_once(change: impl FnOnce(&mut Settings)) -> (App, Site) {
    let app = App::with(|settings| {
        settings.limits.running_per_account = 1;
        settings.limits.other_per_minute = 100_000;
        change(settings);
    })
    .await;
    (app, Site::start(&[("/slow/kiln", 200, PAGE)]).await)
}

fn slow(app: &App, someone: &Someone, site: &Site) -> Request {
    let page = site.page("/slow/kiln");
    generate(app, someone, &[Part::Text("source", &page)])
}

#[tokio::test]
async fn an_account_runs_only_so_many_at_once_and_the_others_queue() {
    let (app, site) = one_at_once(|_| {}).await;
    let someone = app.someone(2).await;
    let first = tokio::spawn(slow(&app, &someone, &site).send());
    until(&app, &someone, "running").await;
    let second = tokio::spawn(slow(&app, &someone, &site).send());
    until(&app, &someone, "queued").await;
    site.let_go();
    made(&first.await.expect("answered"));
    made(&second.await.expect("answered"));
}

#[tokio::test]
async fn of_orders_that_come_together_no_more_are_shown_as_running_than_run() {
    let app = roomy().await;
    let site = Site::start(&[("/slow/kiln", 200, PAGE)]).await;
    let someone = app.someone(9).await;
    let orders: Vec<_> = (0..9)
        .map(|_| tokio::spawn(slow(&app, &someone, &site).send()))
        .collect();
    let mut rows = history(&app, &someone).await;
    while rows["total"] != 9 {
        rows = history(&app, &someone).await;
    }
    let are = |status: &str| {
        let rows = rows["generations"].as_array().expect("rows");
        rows.iter().filter(|row| row["status"] == status).count()
    };
    assert_eq!((are("running"), are("queued")), (4, 5));
    site.let_go();
    for order in orders {
        made(&order.await.expect("answered"));
    }
    assert_eq!(app.books().await.posted, 9);
}

#[tokio::test]
async fn a_full_queue_is_429_with_a_time_to_come_back_and_costs_nothing() {
    let (app, site) = one_at_once(|settings| settings.engine.queue_max = 1).await;
    let someone = app.someone(3).await;
    let first = tokio::spawn(slow(&app, &someone, &site).send());
    until(&app, &someone, "running").await;
    let second = tokio::spawn(slow(&app, &someone, &site).send());
    until(&app, &someone, "queued").await;
    let third = slow(&app, &someone, &site).send().await;
    assert_eq!(third.refusal(), (429, "RATE_LIMITED".into()));
    let wait = third.header("retry-after").expect("a time to come back");
    assert!(
        wait.parse::<u32>().is_ok_and(|seconds| seconds >= 1),
        "{wait}"
    );
    let (limit, left) = (
        third.number("x-ratelimit-limit"),
        third.number("x-ratelimit-remaining"),
    );
    assert_eq!(left, limit - 2, "a 429 does not count");
    site.let_go();
    made(&first.await.expect("answered"));
    made(&second.await.expect("answered"));
    assert_eq!(
        remaining(&app, &someone).await,
        1,
        "the refusal cost nothing"
    );
    assert_eq!(app.books().await.posted, 2);
}

#[tokio::test]
async fn a_service_that_stops_ends_a_running_request_with_its_refund() {
    let mut app = roomy().await;
    let site = Site::start(&[("/slow/kiln", 200, PAGE)]).await;
    let someone = app.someone(1).await;
    let waiting = tokio::spawn(
        generate(
            &app,
            &someone,
            &[Part::Text("source", &site.page("/slow/kiln"))],
        )
        .send(),
    );
    until(&app, &someone, "running").await;
    app.stop();
    let answer = waiting.await.expect("answered");
    assert_eq!(answer.refusal(), (500, "GENERATION_FAILED".into()));
    assert!(app.ended());
    let books = app.books().await;
    assert_eq!((books.available, books.reserved, books.posted), (1, 0, 0));
}
