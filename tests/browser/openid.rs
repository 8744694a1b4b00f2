//! A person comes in through somebody else who vouches for them, and manages the ways in to their account.

use crate::driver::Browser;
use crate::issuer::{CLIENT_ID, CLIENT_SECRET, Issuer};
use crate::kiln::Kiln;
use std::time::{SystemTime, UNIX_EPOCH};

const PASSWORD: &str = "a kiln of my own";

/// A service at which Acme vouches for people, and Acme.
struct Vouched {
    kiln: Kiln,
    issuer: Issuer,
    _secret: tempfile::NamedTempFile,
}

impl Vouched {
    /// On the button stands `label`.
    async fn with(label: &str) -> Self {
        let issuer = Issuer::open().await;
        let secret = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(secret.path(), CLIENT_SECRET).unwrap();
        let kiln = Kiln::with(&[
            ("SKILLKILN__OPENID__ACME__LABEL", label),
            ("SKILLKILN__OPENID__ACME__ISSUER", &issuer.url()),
            ("SKILLKILN__OPENID__ACME__CLIENT_ID", CLIENT_ID),
            (
                "SKILLKILN__OPENID__ACME__CLIENT_SECRET_FILE",
                secret.path().to_str().unwrap(),
            ),
        ]);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        issuer.serves(&kiln.address, i64::try_from(now.as_secs()).unwrap());
        Self {
            kiln,
            issuer,
            _secret: secret,
        }
    }
}

#[tokio::test]
async fn somebody_comes_in_by_a_provider_sets_a_password_and_leaves_the_provider() {
    let acme = Vouched::with("Acme").await;
    let (kiln, issuer) = (&acme.kiln, &acme.issuer);
    let browser = Browser::open().await;
    browser.go(&format!("{}/signup", kiln.address)).await;
    browser.look("signup-openid").await;
    browser
        .go(&format!("{}/signin?next=/new", kiln.address))
        .await;
    browser.look("signin-openid").await;
    browser.follow("button[formaction='/openid/acme']").await;
    browser.wait_for(".who").await;
    assert!(browser.text(".alert.ok").await.contains("Welcome"));
    browser.go(&format!("{}/account", kiln.address)).await;
    assert!(browser.text("#ways").await.contains("Your only way in"));
    browser.look("account-openid").await;

    browser.type_into("#new-password", PASSWORD).await;
    browser.follow("#password form button").await;
    browser.wait_for("#current").await;
    browser.go(&format!("{}/account", kiln.address)).await;
    browser.click("#ways .confirm summary").await;
    browser.type_into("#unlink-1-current", PASSWORD).await;
    browser.look("unlinking").await;
    browser.follow("#ways .confirm form button").await;
    browser.wait_for("form[action$='/acme/link']").await;
    browser.click("#ways .confirm summary").await;
    browser.type_into("#link-1-current", PASSWORD).await;
    browser.look("linking").await;
    browser.follow("form[action$='/acme/link'] button").await;
    browser.wait_for(".alert.ok").await;
    assert!(browser.text(".alert.ok").await.contains("Linked"));

    browser.follow(".who button").await;
    browser.wait_for("form[action='/signin']").await;
    issuer.denies();
    browser.follow("button[formaction='/openid/acme']").await;
    browser.wait_for("[role='alert']").await;
    browser.look("signin-refused").await;
    browser.is_content().await;
}

#[tokio::test]
async fn it_works_without_script_too() {
    let acme = Vouched::with("").await;
    let kiln = &acme.kiln;
    let browser = Browser::without_script().await;
    browser.go(&format!("{}/signin", kiln.address)).await;
    browser.follow("button[formaction='/openid/acme']").await;
    browser.wait_for(".who").await;
}
