//! What an owner does to a skill: writing, deleting, downloading, sharing, copying (decisions 36 to 40).

use crate::generate::TEXT;
use crate::support::app::{App, Someone};
use crate::support::client::{Answer, Part};
use serde_json::{Value, json};
use std::io::{Cursor, Read};

/// A skill in somebody's library, and its path.
pub(crate) async fn made(app: &App, someone: &Someone) -> (String, String) {
    let parts = [Part::Text("source", TEXT), Part::Text("name", "kiln")];
    let request = app.post("/api/v1/generate").key(&someone.key);
    let answer = request.form(&parts).send().await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let listed = app.get("/api/skills?limit=1").key(&someone.key);
    let id = listed.send().await.json()["skills"][0]["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    let path = format!("/api/skills/{id}");
    (id, path)
}

pub(crate) async fn read(app: &App, someone: &Someone, path: &str) -> Value {
    let answer = app.get(path).key(&someone.key).send().await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

async fn put(app: &App, someone: &Someone, path: &str, content: &str) -> Answer {
    let body = json!({ "content": content });
    let request = app.request("PUT", path).key(&someone.key).json(&body);
    request.send().await
}

fn members(value: &Value) -> Vec<&str> {
    let members = value.as_object().expect("an object").keys();
    members.map(String::as_str).collect()
}

const BETTER: &str = "---\nname: \"better-kiln\"\ndescription: \"Explains how a kiln is fired. Use when firing clay.\"\n---\n\n# Better kiln\n\nFire it slowly.\n";

#[tokio::test]
async fn an_edit_is_checked_and_counted_and_changes_later_than_what_was_there() {
    let app = App::start().await;
    let someone = app.someone(1).await;
    let (id, path) = made(&app, &someone).await;
    let before = read(&app, &someone, &path).await;
    // The clock stands still all the while.
    let first = put(&app, &someone, &path, BETTER).await;
    assert_eq!(first.status, 200, "{}", first.text());
    let first = first.json();
    assert_eq!(
        members(&first),
        ["id", "word_count", "validation", "updated_at"]
    );
    assert_eq!(
        (&first["id"], &first["word_count"]),
        (&id.into(), &5.into())
    );
    assert_eq!(
        members(&first["validation"]),
        ["errors", "warnings", "checks"]
    );
    let second = put(&app, &someone, &path, BETTER).await.json();
    let changed = |json: &Value| json["updated_at"].as_str().expect("a time").to_owned();
    assert!(changed(&before) < changed(&first) && changed(&first) < changed(&second));
    let after = read(&app, &someone, &path).await;
    assert_eq!(after["content"], BETTER);
    assert_eq!(
        (&after["name"], &after["updated_at"]),
        (&"better-kiln".into(), &second["updated_at"])
    );
    assert_eq!(
        (&after["created_at"], &after["is_public"]),
        (&before["created_at"], &false.into())
    );
    assert_eq!(after["validation"], second["validation"]);
}

#[tokio::test]
async fn an_edit_whose_front_matter_is_broken_is_saved_and_reported() {
    let app = App::start().await;
    let someone = app.someone(1).await;
    let (_, path) = made(&app, &someone).await;
    let name = read(&app, &someone, &path).await["name"].clone();
    for broken in [
        "no header at all",
        "---\nname: [\n",
        "---\nname: ../../x\n---\n# X\n",
        "---\n: : :\n---\n",
        "---\nname: \"A\"\n---\n<script>alert(1)</script>\n",
    ] {
        let answer = put(&app, &someone, &path, broken).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert!(
            answer.json()["validation"]["errors"].as_u64() >= Some(1),
            "{broken}"
        );
        let skill = read(&app, &someone, &path).await;
        assert_eq!(skill["content"], broken);
        assert_eq!(skill["name"], name, "{broken}");
    }
}

#[tokio::test]
async fn an_edit_that_is_no_text_or_too_long_is_refused() {
    let app = App::with(|settings| settings.uploads.skill_bytes_max = 1_000).await;
    let someone = app.someone(1).await;
    let (_, path) = made(&app, &someone).await;
    let before = read(&app, &someone, &path).await;
    for (body, refusal) in [
        (json!({ "content": "" }), (400, "VALIDATION_ERROR")),
        (json!({ "content": " \n" }), (400, "VALIDATION_ERROR")),
        (json!({ "content": 7 }), (400, "VALIDATION_ERROR")),
        (json!({ "content": null }), (400, "VALIDATION_ERROR")),
        (json!({}), (400, "VALIDATION_ERROR")),
        (
            json!({ "content": "x".repeat(1_001) }),
            (413, "PAYLOAD_TOO_LARGE"),
        ),
        (
            json!({ "content": "x".repeat(10_000) }),
            (413, "PAYLOAD_TOO_LARGE"),
        ),
    ] {
        let request = app.request("PUT", &path).key(&someone.key).json(&body);
        let (status, code) = refusal;
        assert_eq!(request.send().await.refusal(), (status, code.into()));
    }
    let form = app.request("PUT", &path).key(&someone.key);
    let form = form.body("text/markdown", "# X").send().await;
    assert_eq!(form.refusal(), (415, "UNSUPPORTED_MEDIA_TYPE".into()));
    assert_eq!(read(&app, &someone, &path).await, before);
}

#[tokio::test]
async fn an_edit_of_what_was_changed_meanwhile_is_412_when_the_client_says_what_it_read() {
    let app = App::start().await;
    let someone = app.someone(1).await;
    let (_, path) = made(&app, &someone).await;
    let read_at = app.get(&path).key(&someone.key).send().await;
    let tag = read_at.header("etag").expect("a tag").to_owned();
    let body = json!({ "content": BETTER });
    let put = |tag: &str| {
        let request = app.request("PUT", &path).key(&someone.key).json(&body);
        request.header("If-Match", tag).send()
    };
    for stale in ["\"1\"", "\"x\"", "W/\"1\"", "nonsense"] {
        let refused = put(stale).await;
        assert_eq!(
            refused.refusal(),
            (412, "PRECONDITION_FAILED".into()),
            "{stale}"
        );
    }
    let saved = put(&tag).await;
    assert_eq!(saved.status, 200, "{}", saved.text());
    assert_eq!(put(&tag).await.status, 412, "once");
    let next = saved.header("etag").expect("a tag").to_owned();
    assert_eq!(put(&next).await.status, 200);
    assert_eq!(put("*").await.status, 200);
}

#[tokio::test]
async fn nothing_but_the_content_is_bound_from_an_edit() {
    let app = App::start().await;
    let (someone, stranger) = (app.someone(1).await, app.someone(0).await);
    let (_, path) = made(&app, &someone).await;
    let body = json!({ "content": BETTER, "is_public": true, "user_id": stranger.email, "id": "sk_x", "created_at": "2001-01-01T00:00:00.000Z" });
    let request = app.request("PUT", &path).key(&someone.key).json(&body);
    assert_eq!(request.send().await.status, 200);
    let skill = read(&app, &someone, &path).await;
    assert_eq!(skill["is_public"], false);
    assert_ne!(skill["created_at"], "2001-01-01T00:00:00.000Z");
    let listed = app.get("/api/skills").key(&stranger.key).send().await;
    assert_eq!(listed.text(), r#"{"skills":[]}"#);
}

#[tokio::test]
async fn a_deleted_skill_is_gone_and_deleting_it_again_is_404() {
    let app = App::start().await;
    let someone = app.someone(1).await;
    let (_, path) = made(&app, &someone).await;
    let delete = || app.request("DELETE", &path).key(&someone.key).send();
    let answer = delete().await;
    assert_eq!((answer.status, answer.text()), (204, ""));
    assert_eq!(delete().await.refusal(), (404, "NOT_FOUND".into()));
    let gone = app.get(&path).key(&someone.key).send().await;
    assert_eq!(gone.status, 404);
    assert_eq!(app.books().await.posted, 1, "the ledger keeps its rows");
}

#[tokio::test]
async fn a_download_is_skill_md_or_the_zipped_folder_the_same_bytes_each_time() {
    let app = App::start().await;
    let someone = app.someone(1).await;
    let (_, path) = made(&app, &someone).await;
    let get = |query: &str| {
        let target = format!("{path}/download{query}");
        app.get(&target).key(&someone.key).send()
    };
    let content = read(&app, &someone, &path).await["content"].clone();
    for query in ["", "?format=md"] {
        let file = get(query).await;
        assert_eq!((file.status, &Value::from(file.text())), (200, &content));
        assert_eq!(
            file.header("content-type"),
            Some("text/markdown; charset=utf-8")
        );
        let named = file.header("content-disposition").expect("a name");
        assert!(
            named.starts_with("attachment; filename=\"SKILL.md\""),
            "{named}"
        );
    }
    let (zip, again) = (get("?format=zip").await, get("?format=zip").await);
    assert_eq!(zip.header("content-type"), Some("application/zip"));
    assert!(
        zip.header("content-disposition")
            .expect("a name")
            .contains("kiln.zip")
    );
    assert_eq!(zip.body, again.body);
    let mut archive = zip::ZipArchive::new(Cursor::new(&zip.body)).expect("a zip");
    let mut inside = String::new();
    let mut entry = archive.by_name("kiln/SKILL.md").expect("the skill");
    entry.read_to_string(&mut inside).expect("text");
    assert_eq!(Value::from(inside), content);
    let tried = get("?format=zip&evals=1").await;
    assert_eq!(tried.body, get("?format=zip&evals=1").await.body);
    let mut archive = zip::ZipArchive::new(Cursor::new(&tried.body)).expect("a zip");
    let mut evals = |name: &str| -> Value {
        let entry = archive.by_name(&format!("kiln/evals/{name}"));
        serde_json::from_reader(entry.expect("it is there")).expect("JSON")
    };
    assert_eq!(evals("evals.json")["skill_name"], "kiln");
    let cases = evals("trigger-eval.json");
    let should = |wanted: bool| {
        let cases = cases.as_array().expect("requests").iter();
        cases
            .filter(|case| case["should_trigger"] == wanted)
            .count()
    };
    assert!(should(true) > 0 && should(false) > 0, "{cases}");
    for query in [
        "?format=pdf",
        "?format=",
        "?format=md&format=zip",
        "?evals=1",
        "?format=zip&evals=yes",
    ] {
        assert_eq!(
            get(query).await.refusal(),
            (400, "VALIDATION_ERROR".into()),
            "{query}"
        );
    }
}

#[tokio::test]
async fn sharing_is_idempotent_and_always_says_where() {
    let app = App::start().await;
    let someone = app.someone(1).await;
    let (id, path) = made(&app, &someone).await;
    let share = |body: Value| {
        let target = format!("{path}/share");
        app.post(&target).key(&someone.key).json(&body).send()
    };
    let changed = read(&app, &someone, &path).await["updated_at"].clone();
    for is_public in [true, true, false, false] {
        let answer = share(json!({ "is_public": is_public })).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let url = format!("http://127.0.0.1:8080/s/{id}");
        assert_eq!(
            answer.json(),
            json!({ "is_public": is_public, "share_url": url })
        );
        let skill = read(&app, &someone, &path).await;
        assert_eq!(
            (&skill["is_public"], &skill["updated_at"]),
            (&is_public.into(), &changed)
        );
    }
    for body in [
        json!({}),
        json!({ "is_public": "true" }),
        json!({ "is_public": null }),
        json!([]),
    ] {
        assert_eq!(
            share(body).await.refusal(),
            (400, "VALIDATION_ERROR".into())
        );
    }
}

#[tokio::test]
async fn an_edit_is_held_against_the_source_that_the_skill_was_made_of() {
    let app = App::start().await;
    let someone = app.someone(1).await;
    let (_, path) = made(&app, &someone).await;
    let content = read(&app, &someone, &path).await["content"].clone();
    let content = content.as_str().expect("text").to_owned();
    let proofs = |answer: &Answer| -> Vec<(String, bool)> {
        let checks = answer.json()["validation"]["checks"].clone();
        let checks = checks.as_array().expect("checks").clone();
        let of = |check: &Value| {
            let id = check["id"].as_str().expect("an id").to_owned();
            (id, check["passed"] == true)
        };
        checks
            .iter()
            .map(of)
            .filter(|(id, _)| ["V090", "V091"].contains(&id.as_str()))
            .collect()
    };
    let same = put(&app, &someone, &path, &content).await;
    let held = [("V090".to_owned(), true), ("V091".to_owned(), true)];
    assert_eq!(proofs(&same), held);
    let invented = format!("{content}\nRun `kilnctl explode --now` on Mondays.\n");
    let changed = put(&app, &someone, &path, &invented).await;
    assert!(proofs(&changed).contains(&("V090".to_owned(), false)));
    let copy = duplicate(&app, &someone, &path).await.json();
    let copy = format!("/api/skills/{}", copy["id"].as_str().expect("an id"));
    let own = put(&app, &someone, &copy, &content).await;
    assert_eq!(proofs(&own), held, "a copy of one's own keeps its source");
}

async fn duplicate(app: &App, someone: &Someone, path: &str) -> Answer {
    let target = format!("{path}/duplicate");
    app.post(&target).key(&someone.key).send().await
}

#[tokio::test]
async fn a_copy_is_free_private_and_says_the_same() {
    let app = App::start().await;
    let (someone, stranger) = (app.someone(1).await, app.someone(0).await);
    let (id, path) = made(&app, &someone).await;
    let original = read(&app, &someone, &path).await;
    let share = app.post(&format!("{path}/share")).key(&someone.key);
    share.json(&json!({ "is_public": true })).send().await;
    for who in [&someone, &stranger] {
        let copy = duplicate(&app, who, &path).await;
        assert_eq!(copy.status, 200, "{}", copy.text());
        let copy = copy.json();
        assert_eq!(members(&copy), ["id", "name", "is_public"]);
        assert_ne!(copy["id"], id);
        assert_eq!(
            (&copy["name"], &copy["is_public"]),
            (&original["name"], &false.into())
        );
        let there = format!("/api/skills/{}", copy["id"].as_str().expect("an id"));
        let skill = read(&app, who, &there).await;
        assert_eq!(
            (&skill["content"], &skill["validation"]),
            (&original["content"], &original["validation"])
        );
    }
    assert_eq!(app.books().await.posted, 1);
}

#[tokio::test]
async fn every_way_to_somebody_elses_skill_is_404_byte_for_byte_as_to_an_unknown_one() {
    let app = App::start().await;
    let (someone, stranger) = (app.someone(1).await, app.someone(1).await);
    let (_, path) = made(&app, &someone).await;
    let before = read(&app, &someone, &path).await;
    let ways: [(&str, &str, Option<Value>); 8] = [
        ("GET", "", None),
        ("PUT", "", Some(json!({ "content": BETTER }))),
        ("DELETE", "", None),
        ("GET", "/download", None),
        ("GET", "/download?format=zip", None),
        ("POST", "/share", Some(json!({ "is_public": true }))),
        ("POST", "/duplicate", None),
        ("POST", "/regenerate", None),
    ];
    for (method, rest, body) in ways {
        let ask = |path: &str| {
            let request = app.request(method, &format!("{path}{rest}"));
            let request = request.key(&stranger.key);
            match &body {
                Some(body) => request.json(body),
                None => request,
            }
            .send()
        };
        let theirs = ask(&path).await;
        assert_eq!(
            theirs.refusal(),
            (404, "NOT_FOUND".into()),
            "{method} {rest}"
        );
        for other in [
            "/api/skills/sk_00000000000000000000000000",
            "/api/skills/x",
            "/api/skills/sk_0",
        ] {
            let unknown = ask(other).await;
            assert_eq!(
                (unknown.status, unknown.text()),
                (404, theirs.text()),
                "{method} {other}{rest}"
            );
        }
    }
    assert_eq!(read(&app, &someone, &path).await, before);
    assert_eq!(app.books().await.posted, 1);
}

#[tokio::test]
async fn a_text_that_no_database_can_hold_is_refused_and_never_changed() {
    let app = App::start().await;
    let someone = app.someone(1).await;
    let (_, path) = made(&app, &someone).await;
    let before = read(&app, &someone, &path).await;
    let body = json!({ "content": "# Kiln\n\nA\u{0}B\n" });
    let request = app.request("PUT", &path).key(&someone.key).json(&body);
    let answer = request.send().await;
    assert_eq!(answer.refusal(), (400, "VALIDATION_ERROR".into()));
    assert!(answer.text().contains("NUL character in line 3"));
    assert_eq!(read(&app, &someone, &path).await, before);
}
