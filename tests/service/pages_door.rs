//! The way in and out in a browser: joining, signing in and out, guessing, recovering, and what another site tries.

use crate::support::app::App;
use crate::support::browser::{Browser, PASSWORD, form};
use skillkiln::config::SignUp;
use std::time::Duration;

#[tokio::test]
async fn whoever_joins_is_signed_in_with_the_welcome_credits() {
    let app = App::start().await;
    let mut ann = Browser::joined(&app, "Ann@Example.org").await;
    let page = ann.get("/account").await;
    assert_eq!(page.status, 200);
    assert!(page.text().contains("ann@example.org"));
    assert!(page.text().contains("Welcome credits") && page.text().contains("+3"));
    assert_eq!(app.books().await.granted, 3);
}

#[tokio::test]
async fn an_address_has_one_account_and_a_poor_password_none() {
    let app = App::start().await;
    Browser::joined(&app, "ann@example.org").await;
    let mut other = Browser::new(&app);
    for (email, password, says) in [
        ("ANN@example.org", PASSWORD, "has an account already"),
        ("bo@example.org", "short", "at least 12"),
        ("bo@example.org", "elevenchars", "at least 12"),
        ("bo@example.org", "password1234", "guessed first"),
        ("bo@example.org", "1qaz2wsx3edc", "was in a breach"),
        ("bo@example.org", "bo@example.org", "is the address"),
        ("bo", PASSWORD, "no e-mail address"),
        (
            "\"><script>alert(1)</script>@x.y",
            PASSWORD,
            "no e-mail address",
        ),
    ] {
        let page = other
            .post("/signup", &[("email", email), ("password", password)])
            .await;
        assert_eq!(page.status, 400, "{email}");
        assert!(page.text().contains(says), "{says}: {}", page.text());
        assert!(
            !page.text().contains(password) || password == email,
            "never shown again"
        );
        assert!(!page.text().contains("<script>alert"));
        assert!(other.cookie.is_none());
    }
    assert_eq!(app.admin.users().await.expect("accounts").len(), 1);
}

#[tokio::test]
async fn without_mail_an_address_that_has_an_account_is_told_a_few_times_an_hour() {
    let app = App::start().await;
    Browser::joined(&app, "ann@example.org").await;
    let mut mallory = Browser::new(&app);
    let ask = |email: &'static str| [("email", email), ("password", PASSWORD)];
    for _ in 0..3 {
        let page = mallory.post("/signup", &ask("ann@example.org")).await;
        assert_eq!(page.status, 400);
    }
    // From then on the answer is the same whatever the address.
    let taken = mallory.post("/signup", &ask("ann@example.org")).await;
    let free = mallory.post("/signup", &ask("eve@example.org")).await;
    assert_eq!((taken.status, free.status), (429, 429));
    assert_eq!(
        taken.text().replace("ann@example.org", ""),
        free.text().replace("eve@example.org", "")
    );
    app.clock.advance(Duration::from_secs(60));
    for email in [
        "bo@example.org",
        "cy@example.org",
        "di@example.org",
        "ed@example.org",
    ] {
        Browser::new(&app).join(email).await;
    }
}

#[tokio::test]
async fn signing_out_ends_the_session_for_whoever_kept_its_cookie() {
    let app = App::start().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let kept = ann.cookie.clone();
    let answer = ann.post("/signout", &[]).await;
    assert_eq!(answer.header("location"), Some("/signin?said=signed-out"));
    assert!(ann.cookie.is_none());
    assert_eq!(
        answer.header("clear-site-data"),
        Some("\"cache\", \"storage\"")
    );
    let mut thief = Browser::new(&app);
    thief.cookie = kept;
    let answer = thief.get("/account").await;
    assert_eq!(answer.header("location"), Some("/signin?next=%2Faccount"));
}

#[tokio::test]
async fn a_session_that_was_planted_is_not_the_one_that_is_signed_in() {
    let app = App::start().await;
    let mallory = Browser::joined(&app, "mallory@example.org").await;
    let planted = mallory.cookie.clone();
    Browser::joined(&app, "ann@example.org").await;
    let mut ann = Browser::new(&app);
    ann.cookie.clone_from(&planted);
    assert_eq!(ann.sign_in("ann@example.org", PASSWORD).await.status, 303);
    assert_ne!(ann.cookie, planted, "the token is another one");
    let mut thief = Browser::new(&app);
    thief.cookie = planted;
    assert_eq!(
        thief.get("/account").await.status,
        303,
        "and the planted one is good no more"
    );
    for made_up in [
        "skillkiln=",
        "skillkiln=0000",
        &format!("skillkiln={}", "0".repeat(64)),
    ] {
        thief.cookie = Some(made_up.to_owned());
        assert_eq!(thief.get("/account").await.status, 303, "{made_up}");
    }
}

#[tokio::test]
async fn a_session_ends_when_it_is_not_used_and_in_any_case_at_last() {
    let app = App::with(|settings| {
        settings.auth.session_idle_h = 2;
        settings.auth.session_h = 5;
    })
    .await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let mut idle = Browser::signed_in(&app, "ann@example.org").await;
    for _ in 0..4 {
        app.clock.advance(Duration::from_secs(3600));
        assert_eq!(ann.get("/account").await.status, 200, "it is used");
    }
    assert_eq!(idle.get("/account").await.status, 303, "it was not used");
    app.clock.advance(Duration::from_secs(3600));
    assert_eq!(ann.get("/account").await.status, 303, "its time is over");
}

#[tokio::test]
async fn a_browser_that_was_not_used_for_a_day_is_signed_out() {
    let app = App::start().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    app.clock.advance(Duration::from_secs(24 * 3600 - 1));
    assert_eq!(ann.get("/account").await.status, 200);
    app.clock.advance(Duration::from_secs(24 * 3600));
    assert_eq!(ann.get("/account").await.status, 303);
}

#[tokio::test]
async fn the_answer_is_the_same_whether_or_not_there_is_such_an_account() {
    let app = App::start().await;
    Browser::joined(&app, "ann@example.org").await;
    let mut known = Browser::new(&app);
    let known = known.sign_in("ann@example.org", "not her password").await;
    let mut unknown = Browser::new(&app);
    let unknown = unknown.sign_in("eve@example.org", "not her password").await;
    assert_eq!((known.status, unknown.status), (400, 400));
    let plain = |page: &str, email: &str| page.replace(email, "");
    assert_eq!(
        plain(known.text(), "ann@example.org"),
        plain(unknown.text(), "eve@example.org")
    );
}

#[tokio::test]
async fn guessing_is_slowed_down_by_account_and_the_right_password_waits_too() {
    let app = App::start().await;
    Browser::joined(&app, "ann@example.org").await;
    let mut mallory = Browser::new(&app);
    for _ in 0..10 {
        assert_eq!(
            mallory
                .sign_in("ann@example.org", "guess of mine")
                .await
                .status,
            400
        );
    }
    let page = mallory.sign_in("ann@example.org", PASSWORD).await;
    assert_eq!(page.status, 429);
    let wait = page.number("retry-after");
    assert!((1..=60).contains(&wait), "{wait}");
    assert!(page.text().contains("Too many tries"));
    app.clock.advance(Duration::from_secs(wait.unsigned_abs()));
    assert_eq!(
        mallory.sign_in("ann@example.org", PASSWORD).await.status,
        303
    );
}

/// A service that believes a proxy in front of it, so that browsers come from different addresses.
async fn behind_a_proxy() -> App {
    App::with(|settings| {
        settings.server.trusted_proxies = vec!["127.0.0.0/8".parse().expect("a network")];
    })
    .await
}

/// Sends wrong passwords for as long as they are let through, and says for how many seconds the next would wait.
async fn guesses(browser: &mut Browser<'_>, email: &str) -> i64 {
    loop {
        let page = browser.sign_in(email, "guess of mine").await;
        if page.status == 429 {
            return page.number("retry-after");
        }
        assert_eq!(page.status, 400);
    }
}

#[tokio::test]
async fn a_strangers_wrong_passwords_do_not_lock_the_owner_out() {
    let app = behind_a_proxy().await;
    let mut ann = Browser::elsewhere(&app, "198.51.100.7");
    ann.join("ann@example.org").await;
    ann.post("/signout", &[]).await;
    // Forty of them shut her out for an hour before; now they do not stop.
    let mut mallory = Browser::elsewhere(&app, "203.0.113.9");
    for _ in 0..12 {
        let wait = guesses(&mut mallory, "ann@example.org").await;
        app.clock.advance(Duration::from_secs(wait.unsigned_abs()));
    }
    guesses(&mut mallory, "ann@example.org").await;
    assert_eq!(
        ann.sign_in("ann@example.org", PASSWORD).await.status,
        303,
        "by the browser that she came in by before"
    );
    let mut phone = Browser::elsewhere(&app, "198.51.100.7");
    assert_eq!(
        phone.sign_in("ann@example.org", PASSWORD).await.status,
        303,
        "by a new one at an address of her own"
    );
    let mut laptop = Browser::elsewhere(&app, "203.0.113.9");
    laptop.device.clone_from(&ann.device);
    assert_eq!(
        laptop.sign_in("ann@example.org", PASSWORD).await.status,
        303,
        "by one that is known, even at the stranger's own address"
    );
    guesses(&mut mallory, "ann@example.org").await;
    // The known browser has a brake of its own.
    assert!((1..=300).contains(&guesses(&mut laptop, "ann@example.org").await));
}

#[tokio::test]
async fn who_guesses_waits_ever_longer_and_never_longer_than_five_minutes() {
    let app = App::start().await;
    Browser::joined(&app, "ann@example.org").await;
    let mut mallory = Browser::new(&app);
    let mut waits = Vec::new();
    for _ in 0..14 {
        let wait = guesses(&mut mallory, "ann@example.org").await;
        waits.push(wait);
        app.clock.advance(Duration::from_secs(wait.unsigned_abs()));
    }
    assert_eq!(
        waits,
        [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300, 300, 300]
    );
    assert_eq!(
        mallory.sign_in("ann@example.org", PASSWORD).await.status,
        303
    );
    // Whoever was right begins anew.
    assert_eq!(guesses(&mut mallory, "ann@example.org").await, 1);
}

#[tokio::test]
async fn an_account_that_is_guessed_from_everywhere_is_patient_with_its_own_browsers_alone() {
    let app = behind_a_proxy().await;
    let mut ann = Browser::elsewhere(&app, "198.51.100.7");
    ann.join("ann@example.org").await;
    for n in 0..10 {
        let mut bot = Browser::elsewhere(&app, format!("203.0.113.{n}"));
        // The last one makes it a hundred: from then on the account has less patience with it too.
        let wait = if n < 9 { 1 } else { 128 };
        assert_eq!(guesses(&mut bot, "ann@example.org").await, wait);
    }
    let mut bot = Browser::elsewhere(&app, "203.0.113.77");
    for _ in 0..3 {
        assert_eq!(
            bot.sign_in("ann@example.org", "guess of mine").await.status,
            400
        );
    }
    assert_eq!(
        bot.sign_in("ann@example.org", "guess of mine").await.status,
        429,
        "after three"
    );
    let mut phone = Browser::elsewhere(&app, "198.51.100.8");
    assert_eq!(phone.sign_in("ann@example.org", PASSWORD).await.status, 303);
    for _ in 0..10 {
        assert_eq!(
            ann.sign_in("ann@example.org", "guess of mine").await.status,
            400
        );
    }
}

#[tokio::test]
async fn what_a_browser_is_known_by_is_good_for_its_account_alone_and_cannot_be_made_up() {
    let app = App::start().await;
    Browser::joined(&app, "ann@example.org").await;
    let bo = Browser::joined(&app, "bo@example.org").await;
    let mut mallory = Browser::new(&app);
    guesses(&mut mallory, "ann@example.org").await;
    let made_up = "0123456789abcdef".repeat(2);
    for device in [
        bo.device.clone().expect("a cookie"),
        format!("skillkiln-device={made_up}.{made_up}"),
        format!("skillkiln-device={made_up}"),
        "skillkiln-device=".to_owned(),
    ] {
        mallory.device = Some(device.clone());
        assert_eq!(
            mallory.sign_in("ann@example.org", PASSWORD).await.status,
            429,
            "{device}"
        );
    }
    // One browser may be known to several accounts.
    let mut shared = Browser::new(&app);
    for email in ["ann@example.org", "bo@example.org", "ann@example.org"] {
        app.clock.advance(Duration::from_secs(1));
        assert_eq!(shared.sign_in(email, PASSWORD).await.status, 303);
        shared.post("/signout", &[]).await;
    }
    let device = shared.device.clone().expect("a cookie");
    assert_eq!(device.split('.').count(), 3, "{device}");
    guesses(&mut mallory, "ann@example.org").await;
    guesses(&mut mallory, "bo@example.org").await;
    for email in ["ann@example.org", "bo@example.org"] {
        assert_eq!(shared.sign_in(email, PASSWORD).await.status, 303);
    }
}

#[tokio::test]
async fn wrong_passwords_keep_nobody_from_a_recovery_code() {
    let app = App::start().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let page = ann
        .shown("/account/recovery-codes", &[("current", PASSWORD)])
        .await;
    let codes = codes_on(page.text());
    let mut home = Browser::new(&app);
    guesses(&mut home, "ann@example.org").await;
    let fields = [
        ("email", "ann@example.org"),
        ("code", codes[0].as_str()),
        ("password", "another kiln of mine"),
    ];
    assert_eq!(home.post("/recover", &fields).await.status, 303);
}

#[tokio::test]
async fn guessing_is_slowed_down_by_address_whatever_the_account() {
    let app = App::start().await;
    let mut mallory = Browser::new(&app);
    for n in 0..20 {
        let email = format!("user{n}@example.org");
        assert_eq!(mallory.sign_in(&email, "guess of mine").await.status, 400);
    }
    assert_eq!(
        mallory.sign_in("other@example.org", "guess").await.status,
        429
    );
}

#[tokio::test]
async fn only_what_fails_counts_towards_the_limit_of_an_address() {
    let app = App::start().await;
    Browser::joined(&app, "ann@example.org").await;
    let mut ann = Browser::new(&app);
    for n in 0..19 {
        let email = format!("eve{n}@example.org");
        assert_eq!(ann.sign_in(&email, "guess of mine").await.status, 400);
        app.clock.advance(Duration::from_secs(1));
    }
    for _ in 0..30 {
        Browser::signed_in(&app, "ann@example.org").await;
    }
    // What failed is not forgotten for it.
    assert_eq!(
        ann.sign_in("bo@example.org", "guess of mine").await.status,
        400
    );
    let mut fresh = Browser::new(&app);
    assert_eq!(fresh.sign_in("ann@example.org", PASSWORD).await.status, 429);
}

#[tokio::test]
async fn welcomes_cannot_be_farmed_from_one_network() {
    let app = App::with(|settings| {
        settings.auth.welcomes_per_network = 2;
        settings.server.trusted_proxies = vec!["127.0.0.0/8".parse().expect("a network")];
    })
    .await;
    for n in 0..3 {
        let mut browser = Browser::elsewhere(&app, "198.51.100.7");
        browser.join(&format!("user{n}@example.org")).await;
    }
    assert_eq!(app.books().await.granted, 6);
    app.clock.advance(Duration::from_secs(24 * 3600));
    let mut browser = Browser::elsewhere(&app, "198.51.100.7");
    browser.join("late@example.org").await;
    assert_eq!(app.books().await.granted, 9);
}

#[tokio::test]
async fn whoever_sits_at_the_machine_itself_is_welcomed_every_time() {
    let app = App::with(|settings| settings.auth.welcomes_per_network = 2).await;
    for n in 0..4 {
        Browser::joined(&app, &format!("user{n}@example.org")).await;
    }
    assert_eq!(app.books().await.granted, 12);
}

#[tokio::test]
async fn behind_a_proxy_that_nobody_told_of_everybody_is_one_network() {
    let app = App::with(|settings| {
        settings.auth.welcomes_per_network = 2;
        settings.server.public_url = "https://kiln.example.org".into();
    })
    .await;
    for n in 0..4 {
        let fields = [
            ("email", format!("user{n}@example.org")),
            ("password", PASSWORD.into()),
        ];
        let fields: Vec<(&str, &str)> = fields.iter().map(|(k, v)| (*k, v.as_str())).collect();
        let request = app.request("POST", "/signup");
        let request = request.header("Sec-Fetch-Site", "same-origin");
        assert_eq!(form(request, &fields).send().await.status, 303);
    }
    assert_eq!(app.books().await.granted, 6);
}

#[tokio::test]
async fn where_accounts_are_closed_or_by_invitation_nobody_else_joins() {
    for (signup, says) in [
        (SignUp::Closed, "made by the operator"),
        (SignUp::Invite, "invitation is unknown"),
    ] {
        let app = App::with(|settings| settings.auth.signup = signup).await;
        let mut ann = Browser::new(&app);
        let fields = [
            ("email", "ann@example.org"),
            ("password", PASSWORD),
            ("invite", "x"),
        ];
        let page = ann.post("/signup", &fields).await;
        assert_eq!(page.status, 400);
        assert!(
            page.text().contains(says) || page.text().contains("Ask them"),
            "{}",
            page.text()
        );
        assert!(app.admin.users().await.expect("accounts").is_empty());
    }
}

/// The recovery codes on a page that shows new ones.
fn codes_on(page: &str) -> Vec<String> {
    let shown = page.split("id=\"codes\"").nth(1);
    let shown = shown.and_then(|rest| rest.split('>').nth(1));
    let shown = shown.and_then(|codes| codes.split('<').next());
    let codes = shown.expect("codes").split_whitespace();
    codes.map(str::to_owned).collect()
}

#[tokio::test]
async fn a_lost_password_is_replaced_with_a_code_that_works_once() {
    let app = App::start().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let page = ann
        .shown("/account/recovery-codes", &[("current", PASSWORD)])
        .await;
    let codes = codes_on(page.text());
    assert_eq!(codes.len(), 10);

    let mut home = Browser::new(&app);
    let code = codes[3].to_uppercase();
    let fields = [
        ("email", "ann@example.org"),
        ("code", &code),
        ("password", "another kiln of mine"),
    ];
    let answer = home.post("/recover", &fields).await;
    assert_eq!(answer.header("location"), Some("/account?said=recovered"));
    assert!(
        home.get("/account")
            .await
            .text()
            .contains("You have 9 of 10 left")
    );
    assert_eq!(
        ann.get("/account").await.status,
        303,
        "everybody else is out"
    );

    let again = Browser::new(&app).post("/recover", &fields).await;
    assert_eq!(again.status, 400);
    assert!(again.text().contains("was used before"));
    let others = [
        ("email", "bo@example.org"),
        ("code", codes[4].as_str()),
        ("password", "another kiln of mine"),
    ];
    assert_eq!(
        Browser::new(&app).post("/recover", &others).await.status,
        400
    );
    let mut other = Browser::new(&app);
    assert_eq!(other.sign_in("ann@example.org", PASSWORD).await.status, 400);
    assert_eq!(
        other
            .sign_in("ann@example.org", "another kiln of mine")
            .await
            .status,
        303
    );
}

#[tokio::test]
async fn nobody_is_led_to_another_site_after_signing_in() {
    let app = App::start().await;
    Browser::joined(&app, "ann@example.org").await;
    for (next, to) in [
        ("/account", "/account"),
        ("//evil.example", "/library"),
        ("https://evil.example", "/library"),
        ("/x\r\nSet-Cookie: a=b", "/library"),
    ] {
        let mut ann = Browser::new(&app);
        let fields = [
            ("email", "ann@example.org"),
            ("password", PASSWORD),
            ("next", next),
        ];
        let answer = ann.post("/signin", &fields).await;
        assert_eq!(answer.header("location"), Some(to), "{next}");
    }
}

#[tokio::test]
async fn another_site_can_make_a_browser_do_nothing() {
    let app = App::start().await;
    let ann = Browser::joined(&app, "ann@example.org").await;
    for target in [
        "/account/keys",
        "/account/sessions/end",
        "/signout",
        "/signin",
        "/signup",
        "/library/sk_01jzz1r6vyfgx9tn8f5dn8rkgg/watch",
    ] {
        for says in [
            ("Sec-Fetch-Site", "cross-site"),
            ("Sec-Fetch-Site", "same-site"),
            ("Origin", "https://evil.example"),
            ("Origin", "null"),
            ("X-Nothing", "said"),
        ] {
            let request = ann.request("POST", target).header(says.0, says.1);
            let page = form(request, &[("name", "evil")]).send().await;
            assert_eq!(page.status, 403, "{target} {says:?}");
            assert!(page.text().contains("not sent by a page of this service"));
            assert!(page.header("set-cookie").is_none());
        }
    }
    let request = ann
        .request("POST", "/api/upload")
        .header("Origin", "https://evil.example");
    assert_eq!(request.send().await.refusal(), (403, "FORBIDDEN".into()));
    let keys = app.admin.keys("ann@example.org").await.expect("keys");
    assert!(keys.is_empty());
}

#[tokio::test]
async fn the_pages_may_call_the_application_surface_and_nothing_else_may_with_a_cookie() {
    let app = App::start().await;
    let ann = Browser::joined(&app, "ann@example.org").await;
    let site = |request: crate::support::client::Request, site: &str| {
        request.header("Sec-Fetch-Site", site)
    };
    let credits = site(ann.request("GET", "/api/credits"), "same-origin")
        .send()
        .await;
    assert_eq!(credits.json()["credits"], 3);
    assert_eq!(credits.number("x-ratelimit-limit"), 60);
    let elsewhere = site(ann.request("GET", "/api/credits"), "cross-site")
        .send()
        .await;
    assert_eq!(elsewhere.status, 401);
    let bad = ann
        .request("GET", "/api/credits")
        .key("skillkiln_sk_bad")
        .send()
        .await;
    assert_eq!(bad.status, 401, "a bad key never falls back to the cookie");
    let basic = ann
        .request("GET", "/api/credits")
        .header("Authorization", "");
    assert_eq!(basic.send().await.status, 401);
    let rest = ann.request("GET", "/api/v1/credits").send().await;
    assert_eq!(rest.status, 401, "the REST surface takes keys only");
    let two = ann
        .request("GET", "/api/credits")
        .header("Cookie", "skillkiln=x");
    assert_eq!(two.send().await.status, 401);
}

#[tokio::test]
async fn a_browser_is_limited_by_its_account_and_not_by_its_session() {
    let app = App::with(|settings| settings.limits.other_per_minute = 4).await;
    let ann = Browser::joined(&app, "ann@example.org").await;
    let other = Browser::signed_in(&app, "ann@example.org").await;
    for browser in [&ann, &other, &ann, &other] {
        let answer = browser.request("GET", "/api/credits").send().await;
        assert_eq!(answer.status, 200);
    }
    let refused = other.request("GET", "/api/credits").send().await;
    assert_eq!(refused.refusal(), (429, "RATE_LIMITED".into()));
    assert!(refused.number("retry-after") >= 1);
    let page = ann.request("GET", "/account").send().await;
    assert_eq!(page.status, 429);
}

#[tokio::test]
async fn a_restricted_account_is_refused_everywhere_at_once() {
    let app = App::start().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    app.admin
        .set_restricted("ann@example.org", true)
        .await
        .expect("restricted");
    let page = ann.get("/account").await;
    assert_eq!(page.status, 403);
    assert!(page.text().contains("restricted"));
    assert_eq!(
        ann.get("/api/credits").await.refusal(),
        (403, "FORBIDDEN".into())
    );
    assert_eq!(
        ann.post("/account/keys", &[("name", "x")]).await.status,
        403
    );
    let mut again = Browser::new(&app);
    assert_eq!(again.sign_in("ann@example.org", PASSWORD).await.status, 403);
    assert!(again.cookie.is_none());
    assert_eq!(
        again
            .sign_in("ann@example.org", "not her password")
            .await
            .status,
        400
    );
}

#[tokio::test]
async fn a_form_that_is_none_is_refused_as_a_page() {
    let app = App::start().await;
    let send = |media_type: &str, body: &str| {
        let request = app.post("/signin").header("Sec-Fetch-Site", "same-origin");
        request.body(media_type, body.to_owned()).send()
    };
    let form = "application/x-www-form-urlencoded";
    assert_eq!(send("application/json", "{}").await.status, 415);
    assert_eq!(send(form, "email=a&email=b").await.status, 400);
    assert_eq!(send(form, &"x".repeat(70_000)).await.status, 413);
    assert_eq!(send(form, "%ff%fe=%00&&&=").await.status, 400);
}

#[tokio::test]
async fn an_invitation_is_good_for_one_account_and_thirty_days() {
    let app = App::with(|settings| settings.auth.signup = SignUp::Invite).await;
    let invite = app.admin.invite("ann").await.expect("an invitation");
    let fields = |email| {
        [
            ("email", email),
            ("password", PASSWORD),
            ("invite", invite.as_str()),
        ]
    };
    let page = Browser::new(&app)
        .get(&format!("/signup?invite={invite}"))
        .await;
    assert!(page.text().contains(&format!("value=\"{invite}\"")));
    let joined = Browser::new(&app)
        .post("/signup", &fields("ann@example.org"))
        .await;
    assert_eq!(joined.status, 303, "{}", joined.text());
    let again = Browser::new(&app)
        .post("/signup", &fields("bo@example.org"))
        .await;
    assert_eq!(again.status, 400);
    assert_eq!(app.admin.users().await.expect("accounts").len(), 1);
    assert_eq!(
        app.books().await.granted,
        3,
        "nothing is left of the second"
    );
}

#[tokio::test]
async fn an_operator_signs_every_browser_of_one_account_out_and_its_key_goes_on() {
    let app = App::start().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let mut phone = Browser::signed_in(&app, "ann@example.org").await;
    let mut bo = Browser::joined(&app, "bo@example.org").await;
    let (key, _) = app.key_of("ann@example.org").await;
    app.admin
        .sign_out("Ann@example.org")
        .await
        .expect("signed out");
    assert_eq!(ann.get("/account").await.status, 303);
    assert_eq!(phone.get("/account").await.status, 303);
    assert_eq!(bo.get("/account").await.status, 200);
    let credits = app.get("/api/credits").key(&key).send().await;
    assert_eq!(credits.status, 200);
    let back = ann.sign_in("ann@example.org", PASSWORD).await;
    assert_eq!(back.status, 303, "the password is as it was");
    assert!(app.admin.sign_out("eve@example.org").await.is_err());
}

#[tokio::test]
async fn a_password_that_the_operator_resets_signs_every_browser_out() {
    let app = App::start().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let reset = app
        .admin
        .reset_password("ann@example.org", "another kiln of mine".into());
    reset.await.expect("reset");
    assert_eq!(ann.get("/account").await.status, 303);
    assert_eq!(
        ann.sign_in("ann@example.org", "another kiln of mine")
            .await
            .status,
        303
    );
}

#[tokio::test]
async fn whoever_was_signed_out_while_they_wrote_comes_back_to_the_form_they_sent() {
    let app = App::start().await;
    let mut gone = Browser::new(&app);
    let id = "sk_00000000000000000000000001";
    for (sent, next) in [
        ("/new".to_owned(), "/new".to_owned()),
        ("/new/look".to_owned(), "/new".to_owned()),
        (format!("/library/{id}"), format!("/library/{id}?view=edit")),
        (format!("/library/{id}/share"), format!("/library/{id}")),
        ("/account/keys".to_owned(), "/account".to_owned()),
    ] {
        let answer = gone.post(&sent, &[("content", "x")]).await;
        let door = answer.header("location").expect("a door").to_owned();
        let query = door.strip_prefix("/signin?").expect("the door");
        let query: std::collections::HashMap<_, _> =
            url::form_urlencoded::parse(query.as_bytes()).collect();
        assert_eq!(query["next"], next, "{sent}");
        let page = gone.get(&door).await;
        assert!(
            page.text().contains("You were signed out meanwhile"),
            "{sent}"
        );
    }
}

#[tokio::test]
async fn the_door_leads_on_to_what_one_came_for_and_shows_no_form_to_who_is_in() {
    let app = App::start().await;
    let mut ann = Browser::new(&app);
    let page = ann.get("/signin?next=/library%3Fq%3Dkiln").await;
    let to_sign_up = "href=\"/signup?next=%2Flibrary%3Fq%3Dkiln\"";
    assert!(page.text().contains(to_sign_up), "{}", page.text());
    let page = ann.get("/signup?next=/library%3Fq%3Dkiln").await;
    assert!(
        page.text()
            .contains("name=\"next\" value=\"/library?q=kiln\"")
    );
    for (email, next, to) in [
        (
            "ann@example.org",
            "/library?q=kiln",
            "/library?q=kiln&said=welcome",
        ),
        (
            "al@example.org",
            "/account#keys",
            "/account?said=welcome#keys",
        ),
        ("bo@example.org", "", "/new?said=welcome"),
        (
            "cy@example.org",
            "https://evil.example",
            "/new?said=welcome",
        ),
    ] {
        let mut browser = Browser::new(&app);
        let fields = [("email", email), ("password", PASSWORD), ("next", next)];
        let answer = browser.post("/signup", &fields).await;
        assert_eq!(answer.header("location"), Some(to), "{next}");
        for (door, to) in [
            ("/signin", "/library"),
            ("/signup?next=/new", "/new"),
            ("/signin?next=//evil.example", "/library"),
        ] {
            let answer = browser.get(door).await;
            assert_eq!((answer.status, answer.header("location")), (303, Some(to)));
        }
    }
}
