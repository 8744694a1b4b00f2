//! Who is let in (interface part 5; decisions 9 to 13).

use crate::support::app::App;
use crate::support::client::Request;
use std::time::Duration;

/// Every path that needs a key, with a method it takes.
const KEYED: [(&str, &str); 12] = [
    ("POST", "/api/v1/generate"),
    ("POST", "/api/v1/detect-topics"),
    ("POST", "/api/v1/generate/catalogue"),
    ("GET", "/api/v1/credits"),
    ("GET", "/api/v1/generations"),
    (
        "GET",
        "/api/v1/generations/00000000-0000-0000-0000-000000000000/skill",
    ),
    ("POST", "/api/upload"),
    ("POST", "/api/generate"),
    ("GET", "/api/skills"),
    ("GET", "/api/skills/sk_00000000000000000000000000"),
    ("GET", "/api/credits"),
    ("GET", "/api/usage"),
];

#[tokio::test]
async fn everything_under_api_needs_a_key() {
    let app = App::start().await;
    for (method, path) in KEYED {
        let answer = app.request(method, path).send().await;
        assert_eq!(answer.refusal(), (401, "UNAUTHORIZED".into()), "{path}");
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"), "{path}");
    }
}

#[tokio::test]
async fn a_good_key_is_let_in_on_both_surfaces() {
    let app = App::start().await;
    let someone = app.someone(3).await;
    for path in ["/api/v1/credits", "/api/credits"] {
        assert_eq!(
            app.get(path).key(&someone.key).send().await.status,
            200,
            "{path}"
        );
    }
}

#[tokio::test]
async fn the_scheme_is_read_whatever_its_case() {
    let app = App::start().await;
    let key = app.someone(0).await.key;
    for scheme in ["bearer", "BEARER", "BeArEr"] {
        let value = format!("{scheme} {key}");
        let answer = app
            .get("/api/v1/credits")
            .header("Authorization", &value)
            .send()
            .await;
        assert_eq!(answer.status, 200, "{scheme}");
    }
}

#[tokio::test]
async fn anything_but_one_good_bearer_token_is_401() {
    let app = App::start().await;
    let key = app.someone(0).await.key;
    let mut mistyped = key.clone();
    let last = if mistyped.pop() == Some('0') {
        '1'
    } else {
        '0'
    };
    mistyped.push(last);
    let other_brand = key.replacen("skillkiln", "other", 1);
    for value in [
        String::new(),
        "Bearer".into(),
        "Bearer ".into(),
        "Bearer nonsense".into(),
        format!("Basic {key}"),
        format!("Token {key}"),
        key.clone(),
        format!("Bearer {mistyped}"),
        format!("Bearer {other_brand}"),
        format!("Bearer {key}x"),
        format!("Bearer {key} {key}"),
        format!("Bearer {key}, Bearer {key}"),
    ] {
        let answer = app
            .get("/api/v1/credits")
            .header("Authorization", &value)
            .send()
            .await;
        assert_eq!(answer.refusal(), (401, "UNAUTHORIZED".into()), "{value}");
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"), "{value}");
    }
    let twice = app.get("/api/v1/credits").key(&key).key(&key).send().await;
    assert_eq!(twice.status, 401, "two headers");
}

#[tokio::test]
async fn a_well_formed_key_of_nobody_is_401() {
    let app = App::start().await;
    let stranger = skillkiln::domain::key::ApiKey::from_entropy("skillkiln", [7; 32]);
    let answer = app
        .get("/api/v1/credits")
        .key(stranger.reveal())
        .send()
        .await;
    assert_eq!(answer.refusal(), (401, "UNAUTHORIZED".into()));
}

#[tokio::test]
async fn a_key_in_the_query_is_never_read() {
    let app = App::start().await;
    let key = app.someone(0).await.key;
    for name in ["key", "api_key", "access_token", "token"] {
        let answer = app
            .get(&format!("/api/v1/credits?{name}={key}"))
            .send()
            .await;
        assert_eq!(answer.status, 401, "{name}");
    }
}

#[tokio::test]
async fn a_revoked_key_is_403_within_a_second_and_the_others_go_on() {
    let app = App::start().await;
    let someone = app.someone(0).await;
    let (other, _) = app.key_of(&someone.email).await;
    assert_eq!(
        app.get("/api/v1/credits")
            .key(&someone.key)
            .send()
            .await
            .status,
        200
    );
    app.admin.revoke(&someone.key_id).await.expect("revoked");
    app.clock.advance(Duration::from_secs(1));
    for path in ["/api/v1/credits", "/api/skills"] {
        let answer = app.get(path).key(&someone.key).send().await;
        assert_eq!(answer.refusal(), (403, "FORBIDDEN".into()), "{path}");
        assert_eq!(app.get(path).key(&other).send().await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn a_restricted_account_is_403_everywhere_until_it_is_let_in_again() {
    let app = App::start().await;
    let someone = app.someone(0).await;
    assert_eq!(
        app.get("/api/v1/credits")
            .key(&someone.key)
            .send()
            .await
            .status,
        200
    );
    app.admin
        .set_restricted(&someone.email, true)
        .await
        .expect("restricted");
    app.clock.advance(Duration::from_secs(1));
    for (method, path) in KEYED {
        let answer = app.request(method, path).key(&someone.key).send().await;
        assert_eq!(answer.refusal(), (403, "FORBIDDEN".into()), "{path}");
    }
    app.admin
        .set_restricted(&someone.email, false)
        .await
        .expect("let in");
    app.clock.advance(Duration::from_secs(1));
    assert_eq!(
        app.get("/api/v1/credits")
            .key(&someone.key)
            .send()
            .await
            .status,
        200
    );
}

#[tokio::test]
async fn health_and_the_description_need_no_key() {
    let app = App::start().await;
    for path in ["/", "/healthz", "/readyz", "/openapi.json"] {
        assert_eq!(app.get(path).send().await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn no_endpoint_makes_lists_or_revokes_keys() {
    let app = App::start().await;
    let key = app.someone(0).await.key;
    for path in [
        "/api/keys",
        "/api/v1/keys",
        "/api/v1/api-keys",
        "/api/account/keys",
    ] {
        for method in ["GET", "POST", "DELETE"] {
            let answer = Request::new(app.public, method, path)
                .key(&key)
                .send()
                .await;
            assert_eq!(answer.status, 404, "{method} {path}");
        }
    }
}

#[tokio::test]
async fn the_last_use_of_a_key_is_written_down_within_thirty_seconds() {
    let app = App::start().await;
    let someone = app.someone(0).await;
    assert_eq!(
        app.get("/api/v1/credits")
            .key(&someone.key)
            .send()
            .await
            .status,
        200
    );
    let used_at = app.clock.now();
    let mut app = app;
    app.stop();
    assert!(app.ended(), "a stop writes it down too");
    let keys = app.admin.keys(&someone.email).await.expect("keys");
    assert_eq!(keys[0].last_used_at, Some(used_at));
}
