//! Coming in through somebody else who vouches (OpenID Connect): the way there and back, what is linked to which account, and what
//! liars, thieves and broken providers try.

use crate::second_factor::turned_on;
use crate::support::app::App;
use crate::support::browser::{Browser, PASSWORD};
use crate::support::client::Answer;
use crate::support::openid::{CLIENT_ID, CLIENT_SECRET, Issuer, Signing};
use serde_json::{Value, json};
use skillkiln::config::openid::OpenIdProvider;
use skillkiln::config::{Settings, SignUp};
use std::time::Duration;

/// The service's clock in tests stands at 2026-11-20T09:15:00Z.
const NOW_S: i64 = 1_795_166_100;

/// What a provider changes of a token's header and claims.
type Lie = fn(&mut Value, &mut Value);

/// A service at which one provider vouches, and the provider.
async fn kiln(change: impl FnOnce(&mut Settings)) -> (App, Issuer) {
    let issuer = Issuer::open().await;
    issuer.serves("http://127.0.0.1:8080", NOW_S);
    let url = issuer.url();
    let app = App::with(|settings| {
        let secret = settings.storage.path.join("openid-secret");
        std::fs::write(&secret, CLIENT_SECRET).expect("written");
        let provider = OpenIdProvider {
            label: "Acme <i>".into(),
            issuer: url,
            client_id: CLIENT_ID.into(),
            client_secret_file: secret,
            ..OpenIdProvider::default()
        };
        settings.openid.insert("acme".into(), provider);
        change(settings);
    })
    .await;
    (app, issuer)
}

/// Where a page that leads on leads to.
fn leads_to(page: &Answer) -> String {
    assert_eq!(page.status, 200, "{}", page.text());
    let text = page.text().replace("&#38;", "&").replace("&amp;", "&");
    let address = text
        .split("http-equiv=\"refresh\" content=\"0;url=")
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    address.expect("a page that leads on").to_owned()
}

/// Presses the button, and lets the provider send the browser back: where it comes back.
async fn there(browser: &mut Browser<'_>, issuer: &Issuer, fields: &[(&str, &str)]) -> String {
    let page = browser.post("/openid/acme", fields).await;
    issuer.visit(&leads_to(&page)).await
}

/// The whole way there and back.
async fn enters(browser: &mut Browser<'_>, issuer: &Issuer) -> Answer {
    let back = there(browser, issuer, &[("next", ""), ("invite", "")]).await;
    browser.get(&back).await
}

async fn links(browser: &mut Browser<'_>, issuer: &Issuer) -> Answer {
    let known = [("current", PASSWORD)];
    let page = browser.post("/account/identities/acme/link", &known).await;
    let back = issuer.visit(&leads_to(&page)).await;
    browser.get(&back).await
}

fn is_in(answer: &Answer) -> bool {
    answer.status == 303
        && answer
            .headers
            .iter()
            .any(|(_, value)| value.starts_with("skillkiln="))
}

#[track_caller]
fn is_refused(answer: &Answer, says: &str) {
    assert!(!is_in(answer));
    assert_eq!(answer.status, 400, "{}", answer.text());
    assert!(answer.text().contains(says), "{says}: {}", answer.text());
}

#[tokio::test]
async fn whoever_is_vouched_for_joins_with_a_verified_address_and_comes_back_to_the_same_account() {
    let (app, issuer) = kiln(|_| {}).await;
    let mut ann = Browser::new(&app);
    for page in ["/signin", "/signup"] {
        let page = ann.get(page).await;
        assert!(page.text().contains("Continue with Acme &#60;i&#62;"));
    }
    let joined = enters(&mut ann, &issuer).await;
    assert_eq!(joined.header("location"), Some("/new?said=welcome"));
    let page = ann.get("/account").await;
    assert!(page.text().contains("ann@example.org") && page.text().contains("+3"));
    assert!(page.text().contains("Your only way in"));
    assert_eq!(ann.journey, None, "the keepsake is gone");

    ann.post("/signout", &[]).await;
    // Their address may change there; who they are does not.
    issuer.knows("ann-1", "ann.new@example.org", true);
    issuer.signs(Signing::Rsa);
    let back = enters(&mut ann, &issuer).await;
    assert_eq!(back.header("location"), Some("/library"));
    assert!(ann.get("/account").await.text().contains("ann@example.org"));
    assert_eq!(app.admin.users().await.expect("accounts").len(), 1);
    assert_eq!(app.books().await.granted, 3);
}

#[tokio::test]
async fn one_is_led_back_to_a_page_of_ours_and_nowhere_else() {
    let (app, issuer) = kiln(|_| {}).await;
    let mut ann = Browser::new(&app);
    enters(&mut ann, &issuer).await;
    for (next, to) in [
        ("/library?q=a", "/library?q=a"),
        ("https://evil.example", "/library"),
        ("//evil.example", "/library"),
        ("/\\evil.example", "/library"),
    ] {
        let back = there(&mut ann, &issuer, &[("next", next)]).await;
        let answer = ann.get(&back).await;
        assert_eq!(answer.header("location"), Some(to), "{next}");
    }
}

#[tokio::test]
async fn an_answer_belongs_to_the_browser_that_was_sent_for_it() {
    let (app, issuer) = kiln(|_| {}).await;
    let begun_here = "not begun in this browser";
    // Mallory's own answer, put into the browser of somebody else: they would work in Mallory's account.
    issuer.knows("mallory-1", "mallory@example.org", true);
    let mut mallory = Browser::new(&app);
    let back = there(&mut mallory, &issuer, &[]).await;
    let mut ann = Browser::new(&app);
    is_refused(&ann.get(&back).await, begun_here);
    // The same, with a journey of their own under way.
    issuer.knows("ann-1", "ann@example.org", true);
    let own = there(&mut ann, &issuer, &[]).await;
    is_refused(&ann.get(&back).await, begun_here);
    is_refused(&ann.get(&own).await, begun_here);
    // Without a state, with another one, with a keepsake that was changed or made up.
    let own = there(&mut ann, &issuer, &[]).await;
    let kept = ann.journey.clone().expect("a keepsake");
    let without = own.replace("state=", "x=");
    let other = own.replace("state=", "state=0");
    for (target, keepsake) in [
        (&without, kept.clone()),
        (&other, kept.clone()),
        (&own, format!("{kept}x")),
        (
            &own,
            kept.replacen("skillkiln-openid=", "skillkiln-openid=0", 1),
        ),
        (&own, "skillkiln-openid=".to_owned()),
        (&own, format!("{kept}; {kept}")),
        (&own, format!("skillkiln-openid={}", "a".repeat(4_000))),
    ] {
        ann.journey = Some(keepsake);
        is_refused(&ann.get(target).await, begun_here);
    }
    // From another provider, or from one that does not say who it is although it always does (RFC 9207).
    for mixed_up in [
        own.replace("iss=http", "iss=https"),
        own.replace("iss=", "x="),
    ] {
        assert_ne!(mixed_up, own);
        ann.journey = Some(kept.clone());
        is_refused(&ann.get(&mixed_up).await, "cannot be believed");
    }
    // Nothing of all this used the answer up.
    ann.journey = Some(kept.clone());
    assert!(is_in(&ann.get(&own).await));
    // It is good once, whoever kept it: the provider does not take the code again.
    ann.journey = Some(kept.clone());
    is_refused(&ann.get(&own).await, "it was used before");
    // And for ten minutes.
    let late = there(&mut ann, &issuer, &[]).await;
    app.clock.advance(Duration::from_secs(600));
    is_refused(&ann.get(&late).await, begun_here);
    assert_eq!(app.admin.users().await.expect("accounts").len(), 1);
}

#[tokio::test]
async fn a_session_that_was_planted_is_not_the_one_that_is_entered() {
    let (app, issuer) = kiln(|_| {}).await;
    let mallory = Browser::joined(&app, "mallory@example.org").await;
    let mut ann = Browser::new(&app);
    ann.cookie.clone_from(&mallory.cookie);
    assert!(is_in(&enters(&mut ann, &issuer).await));
    assert_ne!(ann.cookie, mallory.cookie);
    let mut thief = Browser::new(&app);
    thief.cookie = mallory.cookie;
    assert_eq!(
        thief.get("/account").await.status,
        303,
        "the planted one is good no more"
    );
}

#[tokio::test]
async fn a_token_that_lies_lets_nobody_in() {
    let (app, issuer) = kiln(|_| {}).await;
    let mut ann = Browser::new(&app);
    let lies: [(&str, Lie); 8] = [
        ("nonce", |_, claims| claims["nonce"] = json!("0".repeat(64))),
        ("expired", |_, claims| claims["exp"] = json!(1_795_166_000)),
        ("audience", |_, claims| {
            claims["aud"] = json!("another client")
        }),
        ("party", |_, claims| claims["azp"] = json!("another client")),
        ("issuer", |_, claims| {
            claims["iss"] = json!("https://evil.example")
        }),
        ("access token", |_, claims| {
            claims["at_hash"] = json!("AAAAAAAAAAAAAAAAAAAAAA")
        }),
        ("algorithm", |head, _| head["alg"] = json!("HS256")),
        ("nobody", |_, claims| claims["sub"] = json!("")),
    ];
    for (what, lie) in lies {
        issuer.lies(lie);
        let answer = enters(&mut ann, &issuer).await;
        assert!(!is_in(&answer), "{what}");
        is_refused(&answer, "cannot be believed");
        app.clock.advance(Duration::from_secs(10));
    }
    for signing in [Signing::None, Signing::Forged] {
        issuer.signs(signing);
        is_refused(&enters(&mut ann, &issuer).await, "cannot be believed");
    }
    assert!(app.admin.users().await.expect("accounts").is_empty());
}

#[tokio::test]
async fn a_provider_may_change_its_keys_and_is_asked_for_them_once() {
    let (app, issuer) = kiln(|_| {}).await;
    let mut ann = Browser::new(&app);
    assert!(is_in(&enters(&mut ann, &issuer).await));
    assert!(is_in(&enters(&mut ann, &issuer).await));
    assert_eq!(issuer.asked("/jwks"), 1);
    assert_eq!(issuer.asked("/.well-known/openid-configuration"), 1);
    issuer.rotates();
    assert!(is_in(&enters(&mut ann, &issuer).await));
    assert_eq!(issuer.asked("/jwks"), 2);
    issuer.lies(|head, _| head["kid"] = json!("nobody's"));
    is_refused(&enters(&mut ann, &issuer).await, "cannot be believed");
    assert_eq!(issuer.asked("/jwks"), 3);
}

#[tokio::test]
async fn tokens_that_name_no_key_are_checked_with_the_known_ones_which_are_read_once_a_minute() {
    let (app, issuer) = kiln(|_| {}).await;
    let mut ann = Browser::new(&app);
    let nameless =
        || issuer.lies(|head, _| drop(head.as_object_mut().map(|head| head.remove("kid"))));
    for _ in 0..2 {
        nameless();
        assert!(is_in(&enters(&mut ann, &issuer).await));
        assert_eq!(issuer.asked("/jwks"), 1);
    }
    issuer.signs(Signing::Forged);
    for asked in [1, 2] {
        for _ in 0..2 {
            nameless();
            is_refused(&enters(&mut ann, &issuer).await, "cannot be believed");
            assert_eq!(issuer.asked("/jwks"), asked);
        }
        app.clock.advance(Duration::from_secs(60));
    }
    issuer.signs(Signing::Curve);
    issuer.rotates();
    nameless();
    assert!(
        is_in(&enters(&mut ann, &issuer).await),
        "a new key is found"
    );
    assert_eq!(issuer.asked("/jwks"), 3);
}

#[tokio::test]
async fn an_address_that_the_provider_did_not_verify_neither_joins_nor_links() {
    let (app, issuer) = kiln(|_| {}).await;
    issuer.knows("ann-1", "ann@example.org", false);
    let mut ann = Browser::new(&app);
    let says = "does not say that your e-mail address is yours";
    is_refused(&enters(&mut ann, &issuer).await, says);
    let mut bo = Browser::joined(&app, "bo@example.org").await;
    is_refused(&links(&mut bo, &issuer).await, says);
    issuer.tells_apart(json!({"sub": "ann-1", "email": "ann@example.org"}));
    is_refused(&enters(&mut ann, &issuer).await, says);
}

#[tokio::test]
async fn a_person_is_asked_about_when_the_token_says_little() {
    let (app, issuer) = kiln(|_| {}).await;
    let mut ann = Browser::new(&app);
    issuer.tells_apart(json!({"sub": "eve-1", "email": "ann@example.org", "email_verified": true}));
    is_refused(&enters(&mut ann, &issuer).await, "cannot be believed");
    issuer.tells_apart(json!({"sub": "ann-1", "email": "ann@example.org", "email_verified": true}));
    assert!(is_in(&enters(&mut ann, &issuer).await));
    assert!(ann.get("/account").await.text().contains("ann@example.org"));
}

#[tokio::test]
async fn a_provider_that_is_down_and_one_that_was_left_are_told_with_the_other_ways_in() {
    let (app, issuer) = kiln(|_| {}).await;
    let mut ann = Browser::new(&app);
    issuer.is_ill(true);
    let page = ann.post("/openid/acme", &[("next", "/new")]).await;
    assert_eq!(page.status, 503);
    assert!(page.text().contains("does not answer as it should"));
    assert!(page.text().contains("name=\"password\"") && page.text().contains("value=\"/new\""));
    issuer.is_ill(false);
    let back = there(&mut ann, &issuer, &[]).await;
    issuer.is_ill(true);
    let page = ann.get(&back).await;
    assert_eq!(page.status, 503);
    assert!(page.text().contains("does not answer as it should"));
    issuer.is_ill(false);
    issuer.denies();
    let page = enters(&mut ann, &issuer).await;
    is_refused(&page, "You did not finish at Acme");
    assert!(!page.text().contains("<b>no") && page.text().contains("Continue with Acme"));
}

#[tokio::test]
async fn an_account_that_is_there_is_linked_by_its_owner_only() {
    let (app, issuer) = kiln(|_| {}).await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    // The provider knows the same address: that alone opens nothing.
    let mut somebody = Browser::new(&app);
    is_refused(
        &enters(&mut somebody, &issuer).await,
        "has an account here already",
    );

    let linked = links(&mut ann, &issuer).await;
    assert_eq!(linked.header("location"), Some("/account?said=linked#ways"));
    let page = ann.get("/account").await;
    assert!(page.text().contains("Unlink Acme") && !page.text().contains("Link Acme"));
    assert!(is_in(&enters(&mut somebody, &issuer).await));
    assert_eq!(app.admin.users().await.expect("accounts").len(), 1);

    // One identity is one account's, and one account has one at a provider.
    let mut bo = Browser::joined(&app, "bo@example.org").await;
    is_refused(&links(&mut bo, &issuer).await, "belongs to another account");
    issuer.knows("ann-2", "ann.two@example.org", true);
    is_refused(&links(&mut ann, &issuer).await, "has another identity");
    issuer.knows("ann-1", "ann@example.org", true);

    let (issuer_url, fields) = (issuer.url(), |subject: &'static str| ("subject", subject));
    let unlink = |subject| {
        [
            ("issuer", issuer_url.as_str()),
            fields(subject),
            ("current", PASSWORD),
        ]
    };
    // Whoever has her browser for a minute makes no way in of his own, and takes none of hers.
    let guessed = [("current", "not her password")];
    let page = ann.post("/account/identities/acme/link", &guessed).await;
    is_refused(&page, "current password is not right");
    let taken = [
        ("issuer", issuer_url.as_str()),
        fields("ann-1"),
        ("current", ""),
    ];
    let page = ann.post("/account/identities/unlink", &taken).await;
    is_refused(&page, "current password is not right");
    let nothing = bo
        .post("/account/identities/unlink", &unlink("ann-1"))
        .await;
    assert_eq!(nothing.status, 404, "somebody else's");
    let gone = ann
        .post("/account/identities/unlink", &unlink("ann-1"))
        .await;
    assert_eq!(gone.header("location"), Some("/account?said=unlinked#ways"));
    is_refused(
        &enters(&mut somebody, &issuer).await,
        "has an account here already",
    );
}

#[tokio::test]
async fn the_last_way_in_stays_until_there_is_a_password() {
    let (app, issuer) = kiln(|_| {}).await;
    let mut ann = Browser::new(&app);
    enters(&mut ann, &issuer).await;
    let url = issuer.url();
    let unlink = [("issuer", url.as_str()), ("subject", "ann-1")];
    let page = ann.post("/account/identities/unlink", &unlink).await;
    is_refused(&page, "only way in");
    // There is no password that could be changed, or be guessed.
    let change = [("current", ""), ("password", PASSWORD)];
    assert_eq!(ann.post("/account/password", &change).await.status, 400);
    let mut guess = Browser::new(&app);
    assert_eq!(guess.sign_in("ann@example.org", "").await.status, 400);

    let page = ann
        .post("/account/password/first", &[("password", "short")])
        .await;
    is_refused(&page, "at least 12");
    let first = [("password", PASSWORD)];
    let set = ann.post("/account/password/first", &first).await;
    assert_eq!(
        set.header("location"),
        Some("/account?said=password-set#password")
    );
    let again = ann
        .post(
            "/account/password/first",
            &[("password", "another of mine")],
        )
        .await;
    is_refused(&again, "has a password already");
    let unlink = [unlink[0], unlink[1], ("current", PASSWORD)];
    assert_eq!(
        ann.post("/account/identities/unlink", &unlink).await.status,
        303
    );
    assert!(is_in(&guess.sign_in("ann@example.org", PASSWORD).await));
}

#[tokio::test]
async fn a_provider_that_vouches_does_not_stand_for_the_second_factor() {
    let (app, issuer) = kiln(|_| {}).await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    links(&mut ann, &issuer).await;
    turned_on(&app, &mut ann).await;
    let mut elsewhere = Browser::new(&app);
    let back = there(&mut elsewhere, &issuer, &[("next", "/library?q=a")]).await;
    let answer = elsewhere.get(&back).await;
    assert!(!is_in(&answer));
    assert_eq!(
        answer.header("location"),
        Some("/signin/code?next=%2Flibrary%3Fq%3Da")
    );
}

#[tokio::test]
async fn nobody_links_an_identity_to_the_account_of_somebody_else() {
    let (app, issuer) = kiln(|_| {}).await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    // Another site sends the form.
    let forged = ann.request("POST", "/account/identities/acme/link");
    let forged = forged.header("Sec-Fetch-Site", "cross-site").send().await;
    assert_eq!(forged.status, 403);
    // Begun in one account, ended in another.
    let known = [("current", PASSWORD)];
    let page = ann.post("/account/identities/acme/link", &known).await;
    let back = issuer.visit(&leads_to(&page)).await;
    let bo = Browser::joined(&app, "bo@example.org").await;
    ann.cookie = bo.cookie;
    is_refused(&ann.get(&back).await, "Another account was signed in");
    // Begun to come in, ended as a link, and the other way round: the errand is in the keepsake.
    let mut cy = Browser::new(&app);
    let page = cy.post("/account/identities/acme/link", &[]).await;
    let door = "/signin?next=%2Faccount&said=signed-out-meanwhile";
    assert_eq!(page.header("location"), Some(door));
}

#[tokio::test]
async fn the_rules_for_new_accounts_hold_for_the_vouched_for_too() {
    let (app, issuer) = kiln(|settings| settings.auth.signup = SignUp::Closed).await;
    let mut ann = Browser::new(&app);
    is_refused(&enters(&mut ann, &issuer).await, "made by the operator");
    drop(app);

    let (app, issuer) = kiln(|settings| settings.auth.signup = SignUp::Invite).await;
    let mut ann = Browser::new(&app);
    is_refused(&enters(&mut ann, &issuer).await, "invitation is unknown");
    let invite = app.admin.invite("for ann").await.expect("an invitation");
    let back = there(&mut ann, &issuer, &[("invite", &invite)]).await;
    assert!(is_in(&ann.get(&back).await));
    issuer.knows("bo-1", "bo@example.org", true);
    let mut bo = Browser::new(&app);
    let back = there(&mut bo, &issuer, &[("invite", &invite)]).await;
    is_refused(&bo.get(&back).await, "invitation is unknown, was used");
    drop(app);

    let (app, issuer) = kiln(|settings| {
        settings.auth.welcomes_per_network = 1;
        settings.server.trusted_proxies = vec!["127.0.0.0/8".parse().expect("a network")];
    })
    .await;
    for name in ["ann", "bo"] {
        issuer.knows(name, &format!("{name}@example.org"), true);
        let mut browser = Browser::elsewhere(&app, "198.51.100.7");
        assert!(is_in(&enters(&mut browser, &issuer).await));
    }
    assert_eq!(app.books().await.granted, 3);
}

#[tokio::test]
async fn a_restricted_account_stays_outside() {
    let (app, issuer) = kiln(|_| {}).await;
    let mut ann = Browser::new(&app);
    enters(&mut ann, &issuer).await;
    let restricted = app.admin.set_restricted("ann@example.org", true);
    restricted.await.expect("restricted");
    let page = enters(&mut ann, &issuer).await;
    assert_eq!(page.status, 403);
    assert!(!is_in(&page) && page.text().contains("restricted"));
}

#[tokio::test]
async fn nobody_is_asked_at_speed_and_unknown_providers_are_not_there() {
    let (app, issuer) = kiln(|_| {}).await;
    let mut ann = Browser::new(&app);
    assert_eq!(ann.post("/openid/other", &[]).await.status, 404);
    assert_eq!(
        ann.get("/openid/other/callback?code=x&state=y")
            .await
            .status,
        404
    );
    for _ in 0..20 {
        assert_eq!(ann.post("/openid/acme", &[]).await.status, 200);
    }
    let page = ann.post("/openid/acme", &[]).await;
    assert_eq!(page.status, 429);
    assert!(page.number("retry-after") >= 1);
    assert_eq!(issuer.asked("/.well-known/openid-configuration"), 1);
}

#[tokio::test]
async fn without_a_provider_there_is_no_button() {
    let app = App::start().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    for page in ["/signin", "/signup", "/account"] {
        let page = ann.get(page).await;
        assert!(!page.text().contains("openid") && !page.text().contains("Ways in"));
    }
}
