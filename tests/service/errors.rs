//! How refusals look and which comes first (interface part 7; decisions 1 to 8, 49).

use crate::generate::TEXT;
use crate::support::app::App;
use crate::support::client::{Part, Request};
use serde_json::json;

#[tokio::test]
async fn an_unknown_path_is_404_as_json_with_or_without_a_key() {
    let app = App::start().await;
    let key = app.someone(0).await.key;
    for path in [
        "/api/v1/nope",
        "/api/nope",
        "/nope",
        "/api",
        "/api/v1",
        "/api/v1/credits/x",
        "//",
        "/api//credits",
    ] {
        for request in [app.get(path), app.get(path).key(&key), app.post(path)] {
            assert_eq!(
                request.send().await.refusal(),
                (404, "NOT_FOUND".into()),
                "{path}"
            );
        }
    }
}

#[tokio::test]
async fn a_path_that_is_encoded_without_need_is_the_path_that_it_stands_for() {
    let app = App::start().await;
    let key = app.someone(0).await.key;
    let plain = app.get("/api/v1/credits").key(&key).send().await;
    assert_eq!(plain.number("x-ratelimit-remaining"), 59);
    for (remaining, path) in [(58, "/api/%76%31/credits"), (57, "/%61pi/v1/credits")] {
        let answer = app.get(path).key(&key).send().await;
        assert_eq!(answer.status, 200, "{path}");
        assert_eq!(
            answer.number("x-ratelimit-remaining"),
            remaining,
            "{path}: one window"
        );
        assert_eq!(
            answer.header("access-control-allow-origin"),
            Some("*"),
            "{path}"
        );
    }
    let refused = app.request("DELETE", "/api/%76%31/generate").send().await;
    assert_eq!(refused.refusal(), (405, "VALIDATION_ERROR".into()));
}

#[tokio::test]
async fn a_trailing_slash_is_404_and_no_redirect() {
    let app = App::start().await;
    let key = app.someone(0).await.key;
    for path in [
        "/api/v1/credits/",
        "/api/v1/generations/",
        "/api/skills/",
        "/healthz/",
    ] {
        let answer = app.get(path).key(&key).send().await;
        assert_eq!(answer.refusal(), (404, "NOT_FOUND".into()), "{path}");
    }
}

#[tokio::test]
async fn a_wrong_method_is_405_with_allow_before_the_key_is_looked_at() {
    let app = App::start().await;
    for (method, path, allow) in [
        ("GET", "/api/v1/generate", "POST, OPTIONS"),
        ("HEAD", "/api/v1/generate", "POST, OPTIONS"),
        ("POST", "/api/v1/credits", "GET, HEAD, OPTIONS"),
        ("DELETE", "/api/v1/generations", "GET, HEAD, OPTIONS"),
        ("PATCH", "/api/v1/detect-topics", "POST, OPTIONS"),
        ("BREW", "/api/v1/credits", "GET, HEAD, OPTIONS"),
    ] {
        let answer = app.request(method, path).send().await;
        assert_eq!(answer.status, 405, "{method} {path}");
        assert_eq!(answer.header("allow"), Some(allow), "{method} {path}");
        if method != "HEAD" {
            assert_eq!(answer.refusal(), (405, "VALIDATION_ERROR".into()), "{path}");
        }
    }
    let answer = app.request("DELETE", "/api/skills").send().await;
    assert_eq!(answer.refusal(), (405, "METHOD_NOT_ALLOWED".into()));
}

#[tokio::test]
async fn head_works_on_every_get_and_has_no_body() {
    let app = App::start().await;
    let key = app.someone(0).await.key;
    for path in [
        "/",
        "/healthz",
        "/openapi.json",
        "/docs",
        "/docs/api.md",
        "/llms.txt",
        "/.well-known/api-catalog",
        "/api/v1/credits",
        "/api/v1/generations",
        "/api/credits",
        "/api/usage",
        "/api/skills",
    ] {
        let get = app.get(path).key(&key).send().await;
        let head = app.request("HEAD", path).key(&key).send().await;
        assert_eq!((get.status, head.status), (200, 200), "{path}");
        assert_eq!(head.body, b"", "{path}");
        for name in ["content-type", "content-length"] {
            assert_eq!(head.header(name), get.header(name), "{name} of {path}");
        }
    }
}

#[tokio::test]
async fn options_answers_cors_without_a_key() {
    let app = App::start().await;
    for path in [
        "/api/v1/generate",
        "/api/v1/credits",
        "/api/generate",
        "/api/skills/sk_x",
    ] {
        let asked = app
            .request("OPTIONS", path)
            .header("Origin", "https://example.org")
            .header("Access-Control-Request-Method", "POST")
            .header(
                "Access-Control-Request-Headers",
                "authorization,idempotency-key",
            );
        for request in [app.request("OPTIONS", path), asked] {
            let answer = request.send().await;
            assert_eq!(answer.status, 204, "{path}");
            assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
            assert_eq!(answer.header("access-control-allow-credentials"), None);
            let allowed = answer
                .header("access-control-allow-headers")
                .expect("allowed headers")
                .to_ascii_lowercase();
            // What tracing and streaming libraries add on their own, or the browser blocks the call.
            for name in [
                "authorization",
                "idempotency-key",
                "traceparent",
                "tracestate",
                "baggage",
                "sentry-trace",
                "last-event-id",
                "cache-control",
                "x-requested-with",
            ] {
                assert!(allowed.split(", ").any(|header| header == name), "{name}");
            }
            let methods = answer
                .header("access-control-allow-methods")
                .expect("allowed methods");
            assert_eq!(Some(methods), answer.header("allow"));
        }
    }
}

#[tokio::test]
async fn every_answer_under_api_may_be_read_by_any_page_with_its_headers() {
    let app = App::start().await;
    let key = app.someone(0).await.key;
    for request in [
        app.get("/api/v1/credits"),
        app.get("/api/v1/credits").key(&key),
        app.get("/api/nope"),
    ] {
        let answer = request.header("Origin", "https://example.org").send().await;
        assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
        assert_eq!(answer.header("access-control-allow-credentials"), None);
        let exposed = answer
            .header("access-control-expose-headers")
            .expect("exposed headers");
        for name in [
            "X-RateLimit-Limit",
            "X-RateLimit-Remaining",
            "X-RateLimit-Reset",
            "Retry-After",
            "X-Request-Id",
            "Content-Disposition",
        ] {
            assert!(
                exposed.split(", ").any(|known| known == name),
                "{name} in {exposed}"
            );
        }
    }
    assert_eq!(
        app.get("/healthz")
            .send()
            .await
            .header("access-control-allow-origin"),
        None
    );
}

#[tokio::test]
async fn the_request_id_is_the_clients_when_it_is_sane_and_ours_otherwise() {
    let app = App::start().await;
    let with = |id: &str| app.get("/healthz").header("X-Request-Id", id);
    assert_eq!(
        with("req-42_a.b").send().await.header("x-request-id"),
        Some("req-42_a.b")
    );
    for bad in ["a b", "<script>", &"x".repeat(129), ""] {
        let answer = with(bad).send().await;
        assert_ne!(answer.header("x-request-id"), Some(bad));
    }
    let (one, two) = (
        app.get("/healthz").send().await,
        app.get("/healthz").send().await,
    );
    assert_ne!(one.header("x-request-id"), two.header("x-request-id"));
}

#[tokio::test]
async fn the_route_comes_before_the_key_and_the_key_before_the_request() {
    let app = App::start().await;
    let bad_body = |path: &str| app.post(path).body("text/plain", "nonsense");
    assert_eq!(bad_body("/api/v1/nope").send().await.status, 404);
    assert_eq!(bad_body("/api/v1/credits").send().await.status, 405);
    assert_eq!(bad_body("/api/v1/generate").send().await.status, 401);
    let key = app.someone(0).await.key;
    assert_eq!(
        bad_body("/api/v1/generate").key(&key).send().await.status,
        400
    );
    let malformed = app.get("/api/v1/generations?limit=x").send().await;
    assert_eq!(malformed.status, 401);
}

#[tokio::test]
async fn a_bad_request_is_told_before_missing_credits() {
    let app = App::start().await;
    let broke = app.someone(0).await.key;
    let bad = app
        .post("/api/v1/generate")
        .key(&broke)
        .form(&[Part::Text("source", " ")])
        .send()
        .await;
    assert_eq!(bad.refusal(), (400, "VALIDATION_ERROR".into()));
    let good = app
        .post("/api/v1/generate")
        .key(&broke)
        .form(&[Part::Text("source", TEXT)])
        .send()
        .await;
    assert_eq!(good.refusal(), (402, "INSUFFICIENT_CREDITS".into()));
    let unknown = json!({ "source_ids": ["src_00000000000000000000000000"] });
    let unknown = app
        .post("/api/generate")
        .key(&broke)
        .json(&unknown)
        .send()
        .await;
    assert_eq!(
        unknown.refusal(),
        (404, "NOT_FOUND".into()),
        "the object comes before the credits"
    );
    app.books().await;
}

#[tokio::test]
async fn a_malformed_id_is_404_byte_for_byte_as_an_unknown_one() {
    let app = App::start().await;
    let key = app.someone(0).await.key;
    for (unknown, malformed) in [
        (
            "/api/v1/generations/00000000-0000-4000-8000-000000000000/skill",
            [
                "x",
                "00000000-0000-4000-8000-00000000000A",
                "00000000000040008000000000000000",
                "%00",
                "..%2f..",
                "1'or'1",
                "ü",
            ]
            .map(|id| format!("/api/v1/generations/{}/skill", id.replace('ü', "%C3%BC"))),
        ),
        (
            "/api/skills/sk_00000000000000000000000000",
            [
                "x",
                "sk_",
                "sk_8zzzzzzzzzzzzzzzzzzzzzzzzz",
                "src_00000000000000000000000000",
                "SK_00000000000000000000000000",
                "%00",
                "sk_%20",
            ]
            .map(|id| format!("/api/skills/{id}")),
        ),
    ] {
        let expected = app.get(unknown).key(&key).send().await;
        assert_eq!(expected.refusal(), (404, "NOT_FOUND".into()), "{unknown}");
        for path in malformed {
            let answer = app.get(&path).key(&key).send().await;
            assert_eq!(
                (answer.status, answer.text()),
                (404, expected.text()),
                "{path}"
            );
        }
    }
}

#[tokio::test]
async fn unknown_parameters_are_ignored_and_a_known_one_sent_twice_is_400() {
    let app = App::start().await;
    let key = app.someone(0).await.key;
    let get = |target: &str| app.get(target).key(&key).send();
    assert_eq!(
        get("/api/v1/generations?limit=5&x=1&x=2&user_id=7")
            .await
            .status,
        200
    );
    assert_eq!(
        get("/api/v1/generations?limit=5&limit=5").await.refusal(),
        (400, "VALIDATION_ERROR".into())
    );
    assert_eq!(
        get("/api/skills?q=a&q=b").await.refusal(),
        (400, "VALIDATION_ERROR".into())
    );
}

#[tokio::test]
async fn the_operators_address_serves_nothing_else() {
    let app = App::start().await;
    let key = app.someone(0).await.key;
    for path in [
        "/api/v1/credits",
        "/api/credits",
        "/openapi.json",
        "/api/generate",
    ] {
        let answer = Request::new(app.operators, "GET", path)
            .key(&key)
            .send()
            .await;
        assert_eq!(answer.status, 404, "{path}");
    }
    for path in ["/metrics", "/ops/observe"] {
        assert_eq!(
            app.get(path).send().await.status,
            404,
            "{path} on the public address"
        );
    }
}

#[tokio::test]
async fn every_answer_says_that_it_is_what_its_type_says_and_who_may_keep_it() {
    let app = App::start().await;
    let key = app.someone(0).await.key;
    for (answer, kept) in [
        (
            app.get("/api/v1/credits").key(&key).send().await,
            "no-store",
        ),
        (app.get("/api/credits").send().await, "no-store"),
        (
            app.get("/api/skills").key(&key).send().await,
            "private, no-cache",
        ),
        (app.get("/nope").send().await, "no-store"),
        (app.get("/healthz").send().await, "no-store"),
        (app.get("/openapi.json").send().await, "no-cache"),
    ] {
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        let policy = answer.header("content-security-policy");
        assert!(
            policy.is_some_and(|policy| policy.contains("default-src 'none'")),
            "{policy:?}"
        );
        assert_eq!(answer.header("cache-control"), Some(kept));
    }
}
