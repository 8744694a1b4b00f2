//! What comes by mail: the link that verifies an address and brings the first credits, and the one that sets a new password.

use crate::support::app::App;
use crate::support::browser::{Browser, PASSWORD};
use crate::support::post::PostOffice;
use skillkiln::config::outside::MailSecurity;
use std::time::Duration;

async fn with(office: &PostOffice) -> App {
    let address = office.address;
    App::with(|settings| {
        settings.mail.host = address.ip().to_string();
        settings.mail.port = address.port();
        settings.mail.security = MailSecurity::None;
    })
    .await
}

fn token(link: &str) -> String {
    link.split("token=").nth(1).expect("a token").to_owned()
}

#[tokio::test]
async fn the_first_credits_come_with_the_verified_address_and_once() {
    let mut office = PostOffice::open().await;
    let app = with(&office).await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let letter = office.letter().await;
    assert!(letter.to.contains("<ann@example.org>"), "{}", letter.to);
    assert!(letter.subject.contains("Confirm"), "{}", letter.subject);
    let page = ann.get("/account").await;
    assert!(
        page.text().contains("3 first credits wait"),
        "{}",
        page.text()
    );
    assert_eq!(app.books().await.granted, 0);

    let link = letter.link();
    let mut scanner = Browser::new(&app);
    assert_eq!(scanner.get(&link).await.status, 200);
    assert_eq!(
        app.books().await.granted,
        0,
        "opening a link changes nothing"
    );
    let token = token(&link);
    let answer = ann.post("/verify", &[("token", &token)]).await;
    assert_eq!(answer.header("location"), Some("/account?said=confirmed"));
    let page = ann.get("/account?said=confirmed").await;
    assert!(page.text().contains("Welcome credits") && !page.text().contains("credits wait"));
    let again = ann.post("/verify", &[("token", &token)]).await;
    assert_eq!(again.status, 400);
    assert_eq!(app.books().await.granted, 3);
}

#[tokio::test]
async fn a_verification_is_sent_again_and_the_newest_link_is_the_good_one() {
    let mut office = PostOffice::open().await;
    let app = with(&office).await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let first = token(&office.letter().await.link());
    assert_eq!(ann.post("/account/verify", &[]).await.status, 303);
    let second = token(&office.letter().await.link());
    assert_eq!(
        ann.post("/account/verify", &[]).await.status,
        429,
        "nobody is buried"
    );
    assert!(office.is_empty());
    assert_eq!(ann.post("/verify", &[("token", &first)]).await.status, 400);
    app.clock.advance(Duration::from_secs(3 * 24 * 3600));
    let late = ann.post("/verify", &[("token", &second)]).await;
    assert_eq!(late.status, 400);
    assert!(late.text().contains("too old"));
    assert_eq!(app.books().await.granted, 0);
}

#[tokio::test]
async fn a_forgotten_password_is_replaced_by_a_link_that_works_once() {
    let mut office = PostOffice::open().await;
    let app = with(&office).await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let verify = token(&office.letter().await.link());
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

    let with_other = [("token", verify.as_str()), ("password", "another kiln")];
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
    let good = [("token", reset.as_str()), ("password", "another kiln")];
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
