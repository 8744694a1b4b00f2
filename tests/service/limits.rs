//! How often anybody may ask (interface part 8; decisions 44 to 47, 52).

use crate::support::app::{App, Someone};
use crate::support::browser::Browser;
use crate::support::client::{Answer, Part, Request};
use std::time::Duration;
use tempfile::TempDir;

async fn credits(app: &App, someone: &Someone) -> Answer {
    app.get("/api/v1/credits").key(&someone.key).send().await
}

/// A request of the generate class that costs nothing, for it is refused.
fn generate(app: &App, path: &str, key: &str) -> Request {
    app.post(path).key(key).form(&[])
}

#[tokio::test]
async fn sixty_requests_a_minute_are_admitted_and_the_next_is_told_when_to_come_back() {
    let app = App::start().await;
    let someone = app.someone(0).await;
    let start = app.clock.now().micros() / 1_000_000;
    for n in 0..60 {
        let answer = credits(&app, &someone).await;
        assert_eq!(answer.status, 200, "request {n}");
        assert_eq!(answer.number("x-ratelimit-limit"), 60);
        assert_eq!(answer.number("x-ratelimit-remaining"), 59 - n);
        assert_eq!(answer.number("x-ratelimit-reset"), start + 60);
    }
    app.clock.advance(Duration::from_millis(20_500));
    let refused = credits(&app, &someone).await;
    assert_eq!(refused.refusal(), (429, "RATE_LIMITED".into()));
    assert_eq!(refused.number("retry-after"), 40);
    assert_eq!(refused.number("x-ratelimit-remaining"), 0);
    assert_eq!(refused.number("x-ratelimit-reset"), start + 60);
    app.clock.advance(Duration::from_secs(40));
    assert_eq!(
        credits(&app, &someone).await.status,
        200,
        "a retry then succeeds"
    );
}

#[tokio::test]
async fn what_is_not_there_shows_the_window_of_the_key_however_long_it_was_idle() {
    let app = App::start().await;
    let someone = app.someone(0).await;
    credits(&app, &someone).await;
    for idle in [0, 5] {
        app.clock.advance(Duration::from_secs(idle));
        for request in [
            app.get("/api/v1/nope"),
            app.request("PUT", "/api/v1/credits"),
            app.request("OPTIONS", "/api/v1/credits"),
        ] {
            let answer = request.key(&someone.key).send().await;
            assert_eq!(answer.number("x-ratelimit-remaining"), 59, "{idle} s");
        }
    }
}

#[tokio::test]
async fn a_refusal_by_the_limit_does_not_count() {
    let app = App::start().await;
    let someone = app.someone(0).await;
    for _ in 0..60 {
        credits(&app, &someone).await;
    }
    app.clock.advance(Duration::from_secs(59));
    for _ in 0..30 {
        assert_eq!(credits(&app, &someone).await.status, 429);
    }
    app.clock.advance(Duration::from_secs(1));
    assert_eq!(
        credits(&app, &someone)
            .await
            .number("x-ratelimit-remaining"),
        59
    );
}

#[tokio::test]
async fn ten_generations_a_minute_are_admitted_whatever_became_of_them() {
    let app = App::start().await;
    let someone = app.someone(0).await;
    for n in 0..10 {
        let path = if n % 2 == 0 {
            "/api/v1/generate"
        } else {
            "/api/v1/generate/catalogue"
        };
        let answer = generate(&app, path, &someone.key).send().await;
        assert_eq!(answer.status, 400, "an invalid request counts");
        assert_eq!(answer.number("x-ratelimit-limit"), 10);
        assert_eq!(answer.number("x-ratelimit-remaining"), 9 - n);
    }
    for path in ["/api/v1/generate", "/api/v1/generate/catalogue"] {
        let refused = generate(&app, path, &someone.key).send().await;
        assert_eq!(refused.refusal(), (429, "RATE_LIMITED".into()), "{path}");
    }
}

#[tokio::test]
async fn the_classes_and_the_surfaces_have_separate_windows() {
    let app = App::start().await;
    let someone = app.someone(0).await;
    for _ in 0..10 {
        generate(&app, "/api/v1/generate", &someone.key)
            .send()
            .await;
    }
    assert_eq!(
        generate(&app, "/api/v1/generate", &someone.key)
            .send()
            .await
            .status,
        429
    );
    let topics = generate(&app, "/api/v1/detect-topics", &someone.key)
        .send()
        .await;
    assert_eq!(
        (topics.status, topics.number("x-ratelimit-remaining")),
        (400, 59),
        "topics are of the other class"
    );
    let other = generate(&app, "/api/generate", &someone.key).send().await;
    assert_eq!(
        (other.status, other.number("x-ratelimit-remaining")),
        (415, 9),
        "the application's own window"
    );
    let other = app.get("/api/credits").key(&someone.key).send().await;
    assert_eq!(
        other.number("x-ratelimit-remaining"),
        59,
        "the application's own window"
    );
}

#[tokio::test]
async fn every_key_has_its_own_window() {
    let app = App::start().await;
    let someone = app.someone(0).await;
    let (other, _) = app.key_of(&someone.email).await;
    for _ in 0..60 {
        credits(&app, &someone).await;
    }
    assert_eq!(credits(&app, &someone).await.status, 429);
    assert_eq!(
        app.get("/api/v1/credits").key(&other).send().await.status,
        200
    );
}

#[tokio::test]
async fn no_more_than_the_limit_are_admitted_however_many_ask_at_once() {
    let app = App::with(|settings| settings.server.workers = 2).await;
    let someone = app.someone(0).await;
    let asked = (0..100).map(|_| tokio::spawn(app.get("/api/v1/credits").key(&someone.key).send()));
    let mut admitted = 0;
    for answer in asked.collect::<Vec<_>>() {
        admitted += u32::from(answer.await.expect("answered").status == 200);
    }
    assert_eq!(admitted, 60);
}

#[tokio::test]
async fn what_is_not_routed_does_not_count() {
    let app = App::start().await;
    let someone = app.someone(0).await;
    app.get("/api/v1/nope").key(&someone.key).send().await;
    app.post("/api/v1/credits").key(&someone.key).send().await;
    app.request("OPTIONS", "/api/v1/credits")
        .key(&someone.key)
        .send()
        .await;
    assert_eq!(
        credits(&app, &someone)
            .await
            .number("x-ratelimit-remaining"),
        59
    );
}

#[tokio::test]
async fn with_a_good_key_the_headers_describe_its_window_also_where_nothing_is() {
    let app = App::start().await;
    let someone = app.someone(0).await;
    credits(&app, &someone).await;
    for request in [
        app.get("/api/v1/nope"),
        app.post("/api/v1/credits"),
        app.request("OPTIONS", "/api/v1/credits"),
    ] {
        let answer = request.key(&someone.key).send().await;
        assert_eq!(answer.number("x-ratelimit-remaining"), 59);
    }
    let stranger = app.get("/api/v1/nope").key("sk_unknown").send().await;
    assert_eq!(stranger.number("x-ratelimit-remaining"), 60);
}

#[tokio::test]
async fn the_limits_are_settings() {
    let app = App::with(|settings| settings.limits.other_per_minute = 2).await;
    let someone = app.someone(0).await;
    assert_eq!(credits(&app, &someone).await.number("x-ratelimit-limit"), 2);
    assert_eq!(credits(&app, &someone).await.status, 200);
    assert_eq!(credits(&app, &someone).await.status, 429);
}

#[tokio::test]
async fn the_sixty_first_failed_key_of_an_address_is_429_and_a_good_key_is_unaffected() {
    let app = App::start().await;
    let someone = app.someone(0).await;
    let guess = || {
        app.get("/api/v1/credits")
            .header("Authorization", "Bearer guess")
            .send()
    };
    for n in 0..60 {
        let answer = guess().await;
        assert_eq!(answer.status, 401, "guess {n}");
        assert_eq!(answer.number("x-ratelimit-remaining"), 59 - n);
    }
    let refused = guess().await;
    assert_eq!(refused.refusal(), (429, "RATE_LIMITED".into()));
    assert_eq!(refused.number("retry-after"), 60);
    let good = credits(&app, &someone).await;
    assert_eq!(
        (good.status, good.number("x-ratelimit-remaining")),
        (200, 59)
    );
    assert_eq!(
        app.get("/healthz").send().await.status,
        200,
        "what needs no key goes on"
    );
    app.clock.advance(Duration::from_secs(60));
    assert_eq!(guess().await.status, 401);
}

#[tokio::test]
async fn without_a_good_key_the_headers_describe_the_address() {
    let app = App::start().await;
    app.get("/api/v1/credits").send().await;
    for request in [
        app.get("/healthz"),
        app.get("/nope"),
        app.post("/api/v1/credits"),
        app.request("OPTIONS", "/api/credits"),
    ] {
        let answer = request.send().await;
        assert_eq!(answer.number("x-ratelimit-limit"), 60);
        assert_eq!(
            answer.number("x-ratelimit-remaining"),
            59,
            "looking counts nothing"
        );
    }
}

#[tokio::test]
async fn a_forwarded_address_counts_only_from_a_trusted_proxy() {
    let guess = |app: &App, from: &str| {
        app.get("/api/v1/credits")
            .header("X-Forwarded-For", from)
            .send()
    };
    let open = App::start().await;
    guess(&open, "198.51.100.1").await;
    assert_eq!(
        guess(&open, "198.51.100.2")
            .await
            .number("x-ratelimit-remaining"),
        58,
        "one address: the peer"
    );

    let behind = App::with(|settings| {
        settings.server.trusted_proxies = vec!["127.0.0.0/8".parse().expect("a network")];
    })
    .await;
    guess(&behind, "198.51.100.1").await;
    assert_eq!(
        guess(&behind, "198.51.100.2")
            .await
            .number("x-ratelimit-remaining"),
        59
    );
    assert_eq!(
        guess(&behind, "203.0.113.9, 198.51.100.2")
            .await
            .number("x-ratelimit-remaining"),
        58,
        "what the client claims is not believed"
    );
}

#[tokio::test]
async fn the_unlimited_plan_is_limited_as_all_plans_are() {
    let app = App::start().await;
    let account = skillkiln::services::admin::Account {
        email: "rich@example.org".into(),
        plan: skillkiln::domain::user::Plan::Unlimited,
        credits: skillkiln::domain::credits::Credits(0),
        reason: skillkiln::domain::credits::GrantReason::Operator,
        password: None,
    };
    app.admin.add_user(account).await.expect("an account");
    let (key, _) = app.key_of("rich@example.org").await;
    for _ in 0..10 {
        let answer = app
            .post("/api/v1/generate")
            .key(&key)
            .form(&[Part::Text("name", "x")])
            .send()
            .await;
        assert_eq!(answer.status, 400);
    }
    assert_eq!(
        generate(&app, "/api/v1/generate", &key).send().await.status,
        429
    );
}

/// The service in a data folder that outlives it.
async fn in_folder(folder: &TempDir) -> App {
    App::with(|settings| {
        settings.database.url = format!("sqlite://{}", folder.path().join("kept.db").display());
        settings.storage.path = folder.path().to_path_buf();
    })
    .await
}

/// Seconds that whoever guesses a password is told to wait; 0 when the guess was let through.
async fn guess(app: &App, email: &str) -> i64 {
    let answer = Browser::new(app)
        .sign_in(email, "a wrong one, surely")
        .await;
    match answer.status {
        429 => answer.number("retry-after"),
        status => {
            assert_eq!(status, 400, "{}", answer.text());
            0
        }
    }
}

#[tokio::test]
async fn a_restart_grants_nobody_a_second_window() {
    let folder = TempDir::new().expect("a folder");
    let app = in_folder(&folder).await;
    let someone = app.someone(0).await;
    for _ in 0..60 {
        assert_eq!(credits(&app, &someone).await.status, 200);
        let unknown = app.get("/api/v1/credits").key("nonsense").send().await;
        assert_eq!(unknown.status, 401);
    }
    let elsewhere = app.get("/api/credits").key(&someone.key).send().await;
    assert_eq!(elsewhere.number("x-ratelimit-remaining"), 59);
    while guess(&app, &someone.email).await == 0 {}
    drop(app);

    let app = in_folder(&folder).await;
    app.clock.advance(Duration::from_secs(20));
    let refused = credits(&app, &someone).await;
    assert_eq!(refused.refusal(), (429, "RATE_LIMITED".into()));
    assert_eq!(refused.number("retry-after"), 40);
    let elsewhere = app.get("/api/credits").key(&someone.key).send().await;
    assert_eq!(elsewhere.number("x-ratelimit-remaining"), 58);
    let unknown = app.get("/api/v1/credits").key("nonsense").send().await;
    assert_eq!(unknown.status, 429);
    assert_eq!(guess(&app, &someone.email).await, 0, "its wait is over");
    assert_eq!(guess(&app, &someone.email).await, 2, "the next is longer");

    app.clock.advance(Duration::from_secs(40));
    assert_eq!(credits(&app, &someone).await.status, 200);
    let unknown = app.get("/api/v1/credits").key("nonsense").send().await;
    assert_eq!(unknown.status, 401);
}

#[tokio::test]
async fn a_clock_that_was_set_between_two_starts_keeps_no_window_shut() {
    let folder = TempDir::new().expect("a folder");
    let app = in_folder(&folder).await;
    let someone = app.someone(0).await;
    // What this start writes down lies an hour ahead of what the next one takes for now.
    app.clock.set_by(3_600);
    for _ in 0..60 {
        assert_eq!(credits(&app, &someone).await.status, 200);
    }
    drop(app);
    let app = in_folder(&folder).await;
    assert_eq!(credits(&app, &someone).await.number("retry-after"), 60);
    app.clock.advance(Duration::from_secs(60));
    assert_eq!(credits(&app, &someone).await.status, 200);
}

#[tokio::test]
async fn what_was_written_down_and_cannot_be_read_stops_no_start() {
    let folder = TempDir::new().expect("a folder");
    std::fs::write(folder.path().join("windows.json"), b"[[\"half").expect("written");
    let app = in_folder(&folder).await;
    let someone = app.someone(0).await;
    assert_eq!(credits(&app, &someone).await.status, 200);
}
