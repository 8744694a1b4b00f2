//! The manners of HTTP: what is asked for again, what is packed, where a list goes on, and what a client library is told of its window and
//! of trying again.

use crate::generate::TEXT;
use crate::library::made;
use crate::support::app::App;
use crate::support::client::Part;
use serde_json::json;

#[tokio::test]
async fn what_a_client_has_already_is_not_sent_again_until_it_changes() {
    let app = App::start().await;
    let someone = app.someone(2).await;
    let (_, path) = made(&app, &someone).await;
    let ask = |target: String, tag: String| {
        let request = app.get(&target).key(&someone.key);
        request.header("If-None-Match", &tag).send()
    };
    let mut tags = vec![];
    for target in [&*path, "/api/skills", "/api/credits"] {
        let first = ask(target.into(), "\"other\"".into()).await;
        assert_eq!(first.status, 200, "{target}");
        let tag = first.header("etag").expect("a tag").to_owned();
        let again = ask(target.into(), tag.clone()).await;
        assert_eq!((again.status, again.text()), (304, ""), "{target}");
        assert_eq!(again.header("etag"), Some(&*tag), "{target}");
        tags.push(tag);
    }
    // Who can read it is part of what is answered.
    let share = app.post(&format!("{path}/share")).key(&someone.key);
    assert_eq!(
        share
            .json(&json!({ "is_public": true }))
            .send()
            .await
            .status,
        200
    );
    for (target, tag) in [&*path, "/api/skills"].into_iter().zip(&tags) {
        let shared = ask(target.into(), tag.clone()).await;
        assert_eq!(shared.status, 200, "{target}");
    }
    assert_eq!(
        ask("/api/credits".into(), tags[2].clone()).await.status,
        304
    );
    let again = app.post("/api/v1/generate").key(&someone.key);
    again.form(&[Part::Text("source", TEXT)]).send().await;
    assert_eq!(
        ask("/api/credits".into(), tags[2].clone()).await.status,
        200
    );
}

#[tokio::test]
async fn a_skill_that_somebody_else_changed_is_not_deleted() {
    let app = App::start().await;
    let someone = app.someone(1).await;
    let (_, path) = made(&app, &someone).await;
    let read = || app.get(&path).key(&someone.key).send();
    let stale = read().await.header("etag").expect("a tag").to_owned();
    let content = format!(
        "{}\nOne more line.\n",
        read().await.json()["content"].as_str().expect("text")
    );
    let put = app.request("PUT", &path).key(&someone.key);
    let saved = put.json(&json!({ "content": content })).send().await;
    let tag = saved.header("etag").expect("a tag").to_owned();
    let delete = |tag: String| {
        let request = app.request("DELETE", &path).key(&someone.key);
        request.header("If-Match", &tag).send()
    };
    assert_eq!(
        delete(stale).await.refusal(),
        (412, "PRECONDITION_FAILED".into())
    );
    assert_eq!(read().await.header("etag"), Some(&*tag));
    assert_eq!(delete(tag).await.status, 204);
    assert_eq!(delete("*".into()).await.status, 404);
}

#[tokio::test]
async fn long_text_is_packed_for_who_accepts_it_and_a_stream_is_not_held_back() {
    let app = App::start().await;
    let someone = app.someone(1).await;
    let get = |path: &'static str, accepted: &'static str| {
        let request = app.get(path).key(&someone.key);
        request.header("Accept-Encoding", accepted).send()
    };
    let plain = app.get("/openapi.json").send().await;
    assert_eq!(plain.header("content-encoding"), None);
    assert_eq!(plain.header("vary"), Some("Accept-Encoding"));
    for accepted in ["gzip", "br, gzip;q=0.8", "gzip, deflate, br, zstd"] {
        let packed = get("/openapi.json", accepted).await;
        assert_eq!(
            packed.header("content-encoding"),
            Some("gzip"),
            "{accepted}"
        );
        assert!(packed.number("content-length") * 4 < plain.body.len() as i64);
        assert_eq!(packed.body, plain.body, "{accepted}");
    }
    for accepted in ["identity", "br", "gzip;q=0"] {
        let answer = get("/openapi.json", accepted).await;
        assert_eq!(answer.header("content-encoding"), None, "{accepted}");
    }
    let short = get("/api/credits", "gzip").await;
    assert_eq!(
        (short.status, short.header("content-encoding")),
        (200, None)
    );
    let file = Part::File("files", "kiln.md", TEXT.as_bytes());
    let upload = app
        .post("/api/upload")
        .key(&someone.key)
        .form(&[file])
        .send()
        .await;
    let source = &upload.json()["sources"][0]["id"];
    let request = app.post("/api/generate").key(&someone.key);
    let request = request.header("Accept-Encoding", "gzip");
    let stream = request
        .json(&json!({ "source_ids": [source] }))
        .send()
        .await;
    assert_eq!(stream.header("content-encoding"), None);
    assert_eq!(stream.events().last().expect("an end").0, "complete");
}

#[tokio::test]
async fn a_list_says_where_it_goes_on() {
    let app = App::start().await;
    let someone = app.someone(3).await;
    for _ in 0..3 {
        made(&app, &someone).await;
    }
    for (path, list) in [
        ("/api/skills", "skills"),
        ("/api/v1/generations", "generations"),
    ] {
        let mut target = format!("{path}?limit=2");
        let mut seen = 0;
        for _ in 0..2 {
            let page = app.get(&target).key(&someone.key).send().await;
            seen += page.json()[list].as_array().expect("a list").len();
            let next = page.header("link").map(|link| {
                let (address, relation) = link.split_once(">; ").expect("a link");
                assert_eq!(relation, "rel=\"next\"");
                address.trim_start_matches('<').to_owned()
            });
            assert_eq!(next.is_some(), seen < 3, "{path}");
            target = next.unwrap_or_default();
        }
        assert_eq!(seen, 3, "{path}");
    }
    let all = app.get("/api/skills").key(&someone.key).send().await;
    assert_eq!(all.header("link"), None);
}

#[tokio::test]
async fn a_client_library_is_told_of_its_window_and_not_to_try_again_in_vain() {
    let app = App::start().await;
    let someone = app.someone(1).await;
    let answer = app.get("/api/credits").key(&someone.key).send().await;
    assert_eq!(
        answer.header("ratelimit-policy"),
        Some("\"requests\";q=60;w=60")
    );
    let left = answer.header("ratelimit").expect("it is there");
    assert!(left.starts_with("\"requests\";r=59;t="), "{left}");
    let broken = Part::File("source", "a.pdf", b"%PDF-1.7\nno document");
    let request = app.post("/api/v1/generate").key(&someone.key);
    let failed = request.form(&[broken]).send().await;
    assert_eq!(failed.refusal(), (500, "GENERATION_FAILED".into()));
    assert_eq!(failed.header("x-should-retry"), Some("false"));
    let manage = app.post("/api/checkout").key(&someone.key);
    let unknown = manage.json(&json!({ "plan": "gold" })).send().await;
    assert_eq!(
        (unknown.status, unknown.header("x-should-retry")),
        (400, None)
    );
}
