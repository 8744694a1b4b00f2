//! What comes by mail: the link by which an account is made, the one that verifies an address, and the one that sets a new password.

use crate::second_factor::turned_on;
use crate::support::app::App;
use crate::support::browser::{Browser, PASSWORD};
use crate::support::client::Answer;
use crate::support::post::PostOffice;
use skillkiln::config::outside::MailSecurity;
use skillkiln::config::{Settings, SignUp};
use skillkiln::domain::credits::{Credits, GrantReason};
use skillkiln::domain::user::Plan;
use skillkiln::services::admin::Account;
use std::time::Duration;

async fn with(office: &PostOffice) -> App {
    with_settings(office, |_| {}).await
}

async fn with_settings(office: &PostOffice, change: impl FnOnce(&mut Settings)) -> App {
    let address = office.address;
    App::with(|settings| {
        settings.mail.host = address.ip().to_string();
        settings.mail.port = address.port();
        settings.mail.security = MailSecurity::None;
        change(settings);
    })
    .await
}

fn token(link: &str) -> String {
    let token = link.split("token=").nth(1).expect("a token");
    token.split('&').next().expect("a token").to_owned()
}

/// A browser in which an account was made by the link that came.
async fn joined<'a>(app: &'a App, office: &mut PostOffice, email: &str) -> Browser<'a> {
    let mut browser = Browser::new(app);
    let asked = browser.post("/signup", &[("email", email)]).await;
    assert_eq!(asked.status, 200, "{}", asked.text());
    let token = token(&office.letter().await.link());
    let fields = [("token", token.as_str()), ("password", PASSWORD)];
    let answer = browser.post("/join", &fields).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    browser
}

#[tokio::test]
async fn an_account_is_made_by_the_link_that_came_to_its_address_and_once() {
    let mut office = PostOffice::open().await;
    let app = with(&office).await;
    let mut ann = Browser::new(&app);
    let page = ann.get("/signup").await;
    assert!(!page.text().contains("name=\"password\""));
    let fields = [("email", "Ann@example.org"), ("next", "/library?q=a")];
    let asked = ann.post("/signup", &fields).await;
    assert_eq!((asked.status, ann.cookie.clone()), (200, None));
    let letter = office.letter().await;
    assert!(letter.to.contains("<ann@example.org>"), "{}", letter.to);
    assert!(letter.subject.contains("Make your"), "{}", letter.subject);
    let link = letter.link();
    assert_eq!(Browser::new(&app).get(&link).await.status, 200);
    let accounts = async || app.admin.users().await.expect("accounts").len();
    assert_eq!(accounts().await, 0, "opening a link changes nothing");

    let token = token(&link);
    let poor = [("token", token.as_str()), ("password", "ann@example.org")];
    assert_eq!(ann.post("/join", &poor).await.status, 400);
    assert_eq!(accounts().await, 0, "and the link is still good");
    let good = [
        ("token", token.as_str()),
        ("password", PASSWORD),
        ("next", "/library?q=a"),
    ];
    let answer = ann.post("/join", &good).await;
    assert_eq!(
        answer.header("location"),
        Some("/library?q=a&said=welcome"),
        "{}",
        answer.text()
    );
    let page = ann.get("/account").await;
    assert!(page.text().contains("Welcome credits") && !page.text().contains("credits wait"));
    assert_eq!(app.books().await.granted, 3);
    let again = Browser::new(&app).post("/join", &good).await;
    assert_eq!(again.status, 400);
    assert!(again.text().contains("used before"));
    assert_eq!(accounts().await, 1);
}

#[tokio::test]
async fn a_link_to_make_an_account_is_good_for_a_day() {
    let mut office = PostOffice::open().await;
    let app = with(&office).await;
    let mut ann = Browser::new(&app);
    ann.post("/signup", &[("email", "ann@example.org")]).await;
    let token = token(&office.letter().await.link());
    app.clock.advance(Duration::from_secs(24 * 3600));
    let fields = [("token", token.as_str()), ("password", PASSWORD)];
    assert_eq!(ann.post("/join", &fields).await.status, 400);
    let made_up = [("token", "0"), ("password", PASSWORD)];
    assert_eq!(ann.post("/join", &made_up).await.status, 400);
    assert!(app.admin.users().await.expect("accounts").is_empty());
}

/// What of an answer somebody can see who does not know whether the address has an account.
fn seen(answer: &Answer, email: &str) -> (u16, String, Vec<(String, String)>) {
    let mut headers = answer.headers.clone();
    headers
        .retain(|(name, _)| !["date", "x-request-id", "content-length"].contains(&name.as_str()));
    (answer.status, answer.text().replace(email, ""), headers)
}

#[tokio::test]
async fn asking_for_an_account_does_not_tell_which_addresses_have_one() {
    let mut office = PostOffice::open().await;
    let app = with(&office).await;
    joined(&app, &mut office, "ann@example.org").await;
    app.clock.advance(Duration::from_secs(60));
    let mut mallory = Browser::new(&app);
    for nth in 0..3 {
        let taken = mallory
            .post("/signup", &[("email", "ann@example.org")])
            .await;
        let free = mallory
            .post("/signup", &[("email", "eve@example.org")])
            .await;
        assert_eq!(
            seen(&taken, "ann@example.org"),
            seen(&free, "eve@example.org")
        );
        assert_eq!(taken.status, if nth < 2 { 200 } else { 429 });
    }
    assert_eq!(mallory.cookie, None);
    // Whoever owns the addresses is told, each what is true.
    for _ in 0..4 {
        let letter = office.letter().await;
        let has_account = letter.to.contains("<ann@example.org>");
        assert_eq!(letter.subject.contains("already"), has_account);
        assert_eq!(
            letter.link(),
            if has_account {
                "/signin".to_owned()
            } else {
                letter.link()
            }
        );
        assert_eq!(letter.link().contains("token="), !has_account);
    }
    // And who asks for many keeps nobody from a link to set a new password.
    let asked = mallory
        .post("/forgot", &[("email", "ann@example.org")])
        .await;
    assert_eq!(asked.status, 200);
    assert!(office.letter().await.link().starts_with("/reset"));
    // What was asked for lets nobody in.
    let tried = mallory.sign_in("eve@example.org", PASSWORD).await;
    assert_eq!(tried.status, 400);
}

#[tokio::test]
async fn an_invitation_is_asked_for_with_the_address_and_used_up_with_the_link() {
    let mut office = PostOffice::open().await;
    let app = with_settings(&office, |settings| settings.auth.signup = SignUp::Invite).await;
    let invite = app.admin.invite("ann").await.expect("an invitation");
    let ask = async |email: &str, invite: &str| {
        let fields = [("email", email), ("invite", invite)];
        Browser::new(&app).post("/signup", &fields).await.status
    };
    assert_eq!(ask("ann@example.org", "made up").await, 400);
    assert_eq!(ask("ann@example.org", &invite).await, 200);
    assert_eq!(ask("bo@example.org", &invite).await, 200);
    let (first, second) = (office.letter().await, office.letter().await);
    let join = async |link: String| {
        let token = token(&link);
        let fields = [("token", token.as_str()), ("password", PASSWORD)];
        Browser::new(&app).post("/join", &fields).await.status
    };
    assert_eq!(join(first.link()).await, 303);
    assert_eq!(join(second.link()).await, 400, "the invitation is used up");
    assert_eq!(app.admin.users().await.expect("accounts").len(), 1);
    assert_eq!(ask("cy@example.org", &invite).await, 400);
}

/// A browser of an account that the operator made.
async fn made_by_operator<'a>(app: &'a App, email: &str) -> Browser<'a> {
    let account = Account {
        email: email.to_owned(),
        plan: Plan::Free,
        credits: Credits(0),
        reason: GrantReason::Operator,
        password: Some(PASSWORD.to_owned()),
    };
    app.admin.add_user(account).await.expect("an account");
    Browser::signed_in(app, email).await
}

#[tokio::test]
async fn a_verification_is_sent_when_asked_for_and_the_newest_link_is_the_good_one() {
    let mut office = PostOffice::open().await;
    let app = with(&office).await;
    let mut ann = made_by_operator(&app, "ann@example.org").await;
    assert_eq!(ann.post("/account/verify", &[]).await.status, 303);
    let letter = office.letter().await;
    assert!(letter.subject.contains("Confirm"), "{}", letter.subject);
    let first = token(&letter.link());
    assert_eq!(ann.post("/account/verify", &[]).await.status, 303);
    let link = office.letter().await.link();
    let second = token(&link);
    assert_eq!(
        ann.post("/account/verify", &[]).await.status,
        429,
        "nobody is buried"
    );
    assert!(office.is_empty());
    assert_eq!(ann.post("/verify", &[("token", &first)]).await.status, 400);
    assert_eq!(Browser::new(&app).get(&link).await.status, 200);
    let answer = ann.post("/verify", &[("token", &second)]).await;
    assert_eq!(answer.header("location"), Some("/account?said=confirmed"));
    assert_eq!(ann.post("/verify", &[("token", &second)]).await.status, 400);

    app.clock.advance(Duration::from_secs(60));
    ann.post("/account/verify", &[]).await;
    let late = token(&office.letter().await.link());
    app.clock.advance(Duration::from_secs(3 * 24 * 3600));
    let late = ann.post("/verify", &[("token", &late)]).await;
    assert_eq!(late.status, 400);
    assert!(late.text().contains("too old"));
    assert_eq!(app.books().await.granted, 0);
}

#[tokio::test]
async fn a_forgotten_password_is_replaced_by_a_link_that_works_once() {
    let mut office = PostOffice::open().await;
    let app = with(&office).await;
    let mut ann = joined(&app, &mut office, "ann@example.org").await;
    ann.post("/account/verify", &[]).await;
    let verify = token(&office.letter().await.link());
    app.clock.advance(Duration::from_secs(60));
    let mut home = Browser::new(&app);
    let asked = home.post("/forgot", &[("email", "Ann@example.org")]).await;
    assert_eq!(asked.status, 200);
    let letter = office.letter().await;
    let reset = token(&letter.link());
    let unknown = home.post("/forgot", &[("email", "eve@example.org")]).await;
    assert_eq!(
        asked.text().replace("Ann@example.org", ""),
        unknown.text().replace("eve@example.org", ""),
        "the answer is the same"
    );

    let with_other = [
        ("token", verify.as_str()),
        ("password", "another kiln of mine"),
    ];
    assert_eq!(
        home.post("/reset", &with_other).await.status,
        400,
        "made for another thing"
    );
    let poor = [("token", reset.as_str()), ("password", "123456789012")];
    assert_eq!(
        home.post("/reset", &poor).await.status,
        400,
        "and the link is still good"
    );
    let good = [
        ("token", reset.as_str()),
        ("password", "another kiln of mine"),
    ];
    let answer = home.post("/reset", &good).await;
    assert_eq!(answer.header("location"), Some("/account?said=recovered"));
    assert_eq!(home.get("/account").await.status, 200);
    assert_eq!(
        ann.get("/account").await.status,
        303,
        "everybody else is out"
    );
    assert_eq!(home.post("/reset", &good).await.status, 400, "once");
    assert_eq!(ann.sign_in("ann@example.org", PASSWORD).await.status, 400);
    assert!(office.is_empty());
}

#[tokio::test]
async fn what_somebody_types_adds_nothing_to_a_message() {
    let mut office = PostOffice::open().await;
    let app = with(&office).await;
    let mut mallory = Browser::new(&app);
    for email in [
        "ann@example.org\r\nBcc: all@example.org",
        "ann@example.org,bo@example.org",
        "\"x\"@example.org> RCPT TO:<bo@example.org",
    ] {
        assert_eq!(
            mallory.post("/forgot", &[("email", email)]).await.status,
            400,
            "{email}"
        );
        let fields = [("email", email), ("password", PASSWORD)];
        assert_eq!(
            mallory.post("/signup", &fields).await.status,
            400,
            "{email}"
        );
    }
    assert!(office.is_empty());
}

#[tokio::test]
async fn without_a_mail_server_the_page_says_what_helps() {
    let app = App::start().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let page = Browser::new(&app)
        .post("/forgot", &[("email", "ann@example.org")])
        .await;
    assert_eq!(page.status, 400);
    assert!(page.text().contains("recovery code"));
    assert_eq!(ann.post("/account/verify", &[]).await.status, 400);
}

#[tokio::test]
async fn a_link_to_set_a_password_does_not_stand_for_the_second_factor() {
    let mut office = PostOffice::open().await;
    let app = with(&office).await;
    let mut ann = joined(&app, &mut office, "ann@example.org").await;
    turned_on(&app, &mut ann).await;
    let mut home = Browser::new(&app);
    home.post("/forgot", &[("email", "ann@example.org")]).await;
    let reset = token(&office.letter().await.link());
    let fields = [
        ("token", reset.as_str()),
        ("password", "another kiln of mine"),
    ];
    let answer = home.post("/reset", &fields).await;
    assert_eq!(
        answer.header("location"),
        Some("/signin/code?next=%2Faccount%3Fsaid%3Drecovered")
    );
    assert_eq!(home.cookie, None);
}
