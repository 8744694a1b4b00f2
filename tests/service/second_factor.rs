//! The second factor: turned on and off on the account page, asked for whichever way somebody comes in, and taken once.

use crate::support::app::App;
use crate::support::browser::{Browser, PASSWORD};
use skillkiln::domain::totp::{SECRET_LEN, Secret, step_at};
use std::time::Duration;

const ANN: &str = "ann@example.org";

/// What an authenticator reads: base32.
fn typed_in(text: &str) -> Secret {
    let mut bits = String::new();
    for letter in text.chars().filter(|c| !c.is_whitespace()) {
        let value = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".find(letter);
        bits += &format!("{:05b}", value.expect("base32"));
    }
    let bytes = bits.as_bytes().chunks(8).map(|eight| {
        let eight = std::str::from_utf8(eight).expect("ASCII");
        u8::from_str_radix(eight, 2).expect("bits")
    });
    let bytes: Vec<u8> = bytes.collect();
    Secret(<[u8; SECRET_LEN]>::try_from(bytes).expect("160 bits"))
}

/// What stands in an element.
fn inside<'a>(page: &'a str, id: &str) -> &'a str {
    let rest = page.split(&format!("id=\"{id}\"")).nth(1);
    let rest = rest.and_then(|rest| rest.split_once('>'));
    let (_, rest) = rest.unwrap_or_else(|| panic!("{id} in {page}"));
    rest.split('<').next().unwrap_or_default()
}

/// An authenticator, and the recovery codes that came with it.
pub(crate) struct Phone {
    secret: Secret,
    codes: Vec<String>,
}

impl Phone {
    fn shows(&self, app: &App) -> String {
        self.secret.code(step_at(app.clock.now()))
    }
}

/// Turns the second factor of somebody on.
pub(crate) async fn turned_on(app: &App, owner: &mut Browser<'_>) -> Phone {
    let page = owner
        .shown("/account/second-factor", &[("current", PASSWORD)])
        .await;
    let secret = typed_in(inside(page.text(), "second-secret"));
    let code = secret.code(step_at(app.clock.now()));
    let page = owner
        .shown("/account/second-factor/confirm", &[("code", &code)])
        .await;
    let codes = inside(page.text(), "codes").split_whitespace();
    let codes = codes.map(str::to_owned).collect();
    app.clock.advance(Duration::from_secs(30));
    Phone { secret, codes }
}

/// Takes the first step, and shows that nobody is in by it.
async fn halfway<'a>(app: &'a App) -> Browser<'a> {
    let mut browser = Browser::new(app);
    let answer = browser.sign_in(ANN, PASSWORD).await;
    let to = answer.header("location").expect("a second step");
    assert_eq!(to, "/signin/code?next=%2Flibrary");
    assert_eq!(browser.cookie, None);
    assert_eq!(browser.get(to).await.status, 200);
    assert_eq!(browser.get("/account").await.status, 303, "nobody is in");
    browser
}

async fn steps(browser: &mut Browser<'_>, code: &str) -> u16 {
    let answer = browser.post("/signin/code", &[("code", code)]).await;
    answer.status
}

#[tokio::test]
async fn it_is_turned_on_with_the_password_and_a_code_and_then_asked_for() {
    let app = App::start().await;
    let mut ann = Browser::joined(&app, ANN).await;
    let wrong = [("current", "not her password")];
    let page = ann.post("/account/second-factor", &wrong).await;
    assert_eq!(page.status, 400);
    assert!(!page.text().contains("otpauth"));

    let page = ann
        .shown("/account/second-factor", &[("current", PASSWORD)])
        .await;
    assert_eq!(page.header("set-cookie"), None);
    let text = page.text();
    let shown = inside(text, "second-secret").to_owned();
    let secret = typed_in(&shown);
    let address = format!(
        "otpauth://totp/skillkiln:ann%40example.org?secret={}&#38;issuer=skillkiln",
        secret.text()
    );
    assert!(text.contains(&address), "{text}");
    assert!(text.contains("<svg class=\"qr\"") && text.contains("h7v1h-7z"));
    // Until it is confirmed nothing is asked for.
    Browser::signed_in(&app, ANN).await;
    let confirm = "/account/second-factor/confirm";
    let page = ann.post(confirm, &[("code", "000000")]).await;
    assert_eq!(page.status, 400);
    assert_eq!(inside(page.text(), "second-secret"), shown, "the same one");
    let code = secret.code(step_at(app.clock.now()));
    let page = ann.shown(confirm, &[("code", &code)]).await;
    assert_eq!(inside(page.text(), "codes").split_whitespace().count(), 10);
    let page = ann.get("/account").await;
    assert!(page.text().contains("On since") && !page.text().contains(&shown));
    assert_eq!(ann.post(confirm, &[("code", &code)]).await.status, 400);
    let again = ann
        .post("/account/second-factor", &[("current", PASSWORD)])
        .await;
    assert_eq!(again.status, 400);

    // The code that turned it on lets nobody in.
    let mut browser = halfway(&app).await;
    assert_eq!(steps(&mut browser, &code).await, 400);
    assert_eq!(browser.cookie, None);
    app.clock.advance(Duration::from_secs(30));
    let code = secret.code(step_at(app.clock.now()));
    let fields = [("code", code.as_str()), ("next", "/account")];
    let answer = browser.post("/signin/code", &fields).await;
    assert_eq!(answer.header("location"), Some("/account"));
    assert_eq!(browser.get("/account").await.status, 200);
}

#[tokio::test]
async fn a_code_that_was_seen_over_a_shoulder_is_good_for_nobody_else() {
    let app = App::start().await;
    let mut ann = Browser::joined(&app, ANN).await;
    let phone = turned_on(&app, &mut ann).await;
    let (mut home, mut mallory) = (halfway(&app).await, halfway(&app).await);
    let code = phone.shows(&app);
    assert_eq!(steps(&mut home, &code).await, 303);
    assert_eq!(steps(&mut mallory, &code).await, 400);
    let page = mallory.post("/signin/code", &[("code", &code)]).await;
    assert!(page.text().contains("used before"), "{}", page.text());
    app.clock.advance(Duration::from_secs(30));
    assert_eq!(steps(&mut mallory, &code).await, 400);
    assert_eq!(steps(&mut mallory, &phone.shows(&app)).await, 303);
}

#[tokio::test]
async fn a_recovery_code_stands_for_the_telephone_or_for_the_password_and_once() {
    let app = App::start().await;
    let mut ann = Browser::joined(&app, ANN).await;
    let phone = turned_on(&app, &mut ann).await;
    let mut home = halfway(&app).await;
    assert_eq!(steps(&mut home, &phone.codes[0].to_uppercase()).await, 303);
    let mut other = halfway(&app).await;
    assert_eq!(steps(&mut other, &phone.codes[0]).await, 400);

    let fields = [
        ("email", ANN),
        ("code", phone.codes[1].as_str()),
        ("password", "another kiln of mine"),
    ];
    let mut lost = Browser::new(&app);
    let answer = lost.post("/recover", &fields).await;
    let to = answer.header("location").expect("a second step");
    assert_eq!(to, "/signin/code?next=%2Faccount%3Fsaid%3Drecovered");
    assert_eq!(lost.get("/account").await.status, 303, "nobody is in");
    assert_eq!(steps(&mut lost, &phone.codes[1]).await, 400);
    assert_eq!(steps(&mut lost, &phone.codes[2]).await, 303);
    assert!(lost.get("/account").await.text().contains("7 of 10 left"));
}

#[tokio::test]
async fn codes_are_guessed_slowly_and_the_owners_own_browser_is_counted_apart() {
    let app = App::start().await;
    let mut ann = Browser::joined(&app, ANN).await;
    let phone = turned_on(&app, &mut ann).await;
    let mut waits = Vec::new();
    while waits.len() < 13 {
        // A new first step, in a new browser, does not help.
        let mut mallory = halfway(&app).await;
        let page = mallory.post("/signin/code", &[("code", "000000")]).await;
        if page.status == 429 {
            let wait = page.number("retry-after");
            waits.push(wait);
            app.clock.advance(Duration::from_secs(wait.unsigned_abs()));
        }
    }
    assert_eq!(waits[..4], [1, 2, 4, 8]);
    assert_eq!(waits[12], 900);
    let mut mallory = halfway(&app).await;
    assert_eq!(steps(&mut mallory, "000000").await, 400);
    assert_eq!(steps(&mut mallory, "000000").await, 429);
    ann.post("/signout", &[]).await;
    let answer = ann.sign_in(ANN, PASSWORD).await;
    assert_eq!(answer.status, 303);
    assert_eq!(steps(&mut ann, &phone.shows(&app)).await, 303);
}

#[tokio::test]
async fn what_is_between_the_steps_cannot_be_made_up_and_ends() {
    let app = App::start().await;
    let mut ann = Browser::joined(&app, ANN).await;
    let phone = turned_on(&app, &mut ann).await;
    let bo = Browser::joined(&app, "bo@example.org").await;
    let ends = |answer: Option<&str>| assert_eq!(answer, Some("/signin?said=too-slow"));
    let mut browser = halfway(&app).await;
    let kept = browser.halfway.clone().expect("a cookie");
    let own = kept
        .split('=')
        .nth(1)
        .and_then(|token| token.split('.').next());
    for made_up in [
        "skillkiln-halfway=".to_owned(),
        "skillkiln-halfway=....".to_owned(),
        format!("{kept}0"),
        kept.replacen('.', ".9", 1),
        format!(
            "skillkiln-halfway={}.9999999999999999.x.{}",
            own.expect("an account"),
            "0".repeat(64)
        ),
        format!(
            "skillkiln-halfway={}",
            bo.cookie.clone().unwrap_or_default()
        ),
    ] {
        browser.halfway = Some(made_up);
        let code = [("code", phone.shows(&app))];
        let code: Vec<(&str, &str)> = code.iter().map(|(k, v)| (*k, v.as_str())).collect();
        ends(browser.post("/signin/code", &code).await.header("location"));
        let page = browser.get("/signin/code").await;
        assert_eq!(page.header("location"), Some("/signin"));
    }
    // It is worth nothing once the password is another.
    let mut thief = halfway(&app).await;
    let change = [("current", PASSWORD), ("password", "another kiln of mine")];
    assert_eq!(ann.post("/account/password", &change).await.status, 303);
    let code = phone.shows(&app);
    let answer = thief.post("/signin/code", &[("code", &code)]).await;
    ends(answer.header("location"));
    // Nor after ten minutes.
    let mut late = Browser::new(&app);
    late.sign_in(ANN, "another kiln of mine").await;
    app.clock.advance(Duration::from_secs(600));
    let code = phone.shows(&app);
    let answer = late.post("/signin/code", &[("code", &code)]).await;
    ends(answer.header("location"));
    // And an account that is restricted meanwhile lets nobody in.
    late.sign_in(ANN, "another kiln of mine").await;
    app.admin
        .set_restricted(ANN, true)
        .await
        .expect("restricted");
    assert_eq!(steps(&mut late, &code).await, 403);
    assert_eq!(late.cookie, None);
}

#[tokio::test]
async fn it_is_turned_off_with_the_password_or_by_the_operator() {
    let app = App::start().await;
    let mut ann = Browser::joined(&app, ANN).await;
    let off = "/account/second-factor/off";
    turned_on(&app, &mut ann).await;
    let wrong = ann.post(off, &[("current", "not her password")]).await;
    assert_eq!(wrong.status, 400);
    halfway(&app).await;
    let answer = ann.post(off, &[("current", PASSWORD)]).await;
    assert_eq!(
        answer.header("location"),
        Some("/account?said=second-off#second")
    );
    Browser::signed_in(&app, ANN).await;
    assert!(app.admin.drop_second_factor(ANN).await.is_err());

    turned_on(&app, &mut ann).await;
    halfway(&app).await;
    app.admin.drop_second_factor(ANN).await.expect("dropped");
    Browser::signed_in(&app, ANN).await;
}

#[tokio::test]
async fn the_database_alone_does_not_tell_the_secret() {
    let app = App::start().await;
    let mut ann = Browser::joined(&app, ANN).await;
    let phone = turned_on(&app, &mut ann).await;
    let id = app.admin.user(ANN).await.expect("an account").id;
    let store = app.store().await;
    let kept = store.second_factor(id).await.expect("answers");
    let sealed = kept.expect("a second factor").sealed;
    assert_eq!(sealed.len(), 12 + SECRET_LEN + 16);
    let secret = phone.secret.0;
    assert!(
        !sealed
            .windows(8)
            .any(|part| secret.windows(8).any(|own| own == part))
    );
    // Nor does it serve another account.
    Browser::joined(&app, "bo@example.org").await;
    let bo = app
        .admin
        .user("bo@example.org")
        .await
        .expect("an account")
        .id;
    let now = app.clock.now();
    assert_eq!(store.offer_second_factor(bo, sealed, now).await, Ok(true));
    let confirmed = store.confirm_second_factor(bo, 1, vec![], now).await;
    assert_eq!(confirmed, Ok(true));
    let mut browser = Browser::new(&app);
    browser.sign_in("bo@example.org", PASSWORD).await;
    assert_eq!(steps(&mut browser, &phone.shows(&app)).await, 400);
}

#[tokio::test]
async fn whoever_took_a_session_makes_no_recovery_codes_without_the_password() {
    let app = App::start().await;
    let mut ann = Browser::joined(&app, ANN).await;
    for fields in [&[][..], &[("current", "not her password")]] {
        let page = ann.post("/account/recovery-codes", fields).await;
        assert_eq!(page.status, 400);
        assert!(!page.text().contains("id=\"codes\""));
    }
    assert!(ann.get("/account").await.text().contains("You have none"));
}
