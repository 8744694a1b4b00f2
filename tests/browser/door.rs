//! A person comes by, tries a text, joins, makes a key, and keeps recovery codes.

use crate::driver::Browser;
use crate::kiln::Kiln;
use skillkiln::domain::clock::Clock;
use skillkiln::domain::totp::{SECRET_LEN, Secret, step_at};

const PASSWORD: &str = "a kiln of my own";
pub(crate) const TEXT: &str = "# Fire a small kiln\n\nUse this when you fire clay at home.\n\n1. Stack the pieces a finger apart.\n\
                    2. Heat the kiln by 80 degrees an hour up to 600 degrees.\n3. Hold it there for half an hour.\n\
                    4. Let it cool closed for twelve hours.\n\nNever open the kiln above 100 degrees: the pieces crack.\n";

pub(crate) async fn join(browser: &Browser, kiln: &Kiln, email: &str) {
    browser.go(&format!("{}/signup", kiln.address)).await;
    browser.type_into("#email", email).await;
    browser.type_into("#password", PASSWORD).await;
    browser.follow("form.card button").await;
    browser.wait_for(".who").await;
}

/// Joins, makes a skill of [`TEXT`] and opens its editor.
pub(crate) async fn edit_new_skill(browser: &Browser, kiln: &Kiln, email: &str) {
    join(browser, kiln, email).await;
    browser.go(&format!("{}/new", kiln.address)).await;
    browser.type_into("#source", TEXT).await;
    browser.follow("#new button.primary").await;
    browser.wait_for("nav.tabs").await;
    let skill = browser.address().await;
    let skill = skill.split('?').next().unwrap().to_owned();
    browser.go(&format!("{skill}?view=edit")).await;
}

pub(crate) async fn sign_in(browser: &Browser, email: &str) {
    browser.type_into("#email", email).await;
    browser.type_into("#password", PASSWORD).await;
    browser.follow("form.card button.primary").await;
}

#[tokio::test]
async fn a_visitor_tries_a_text_and_sees_a_skill() {
    let kiln = Kiln::start();
    let browser = Browser::open().await;
    browser.go(&kiln.address).await;
    browser.look("landing").await;
    browser.type_into("#text", TEXT).await;
    browser.click("#try button.primary").await;
    let skill = browser.text("#skill").await;
    assert!(skill.starts_with("---\nname: "), "{skill}");
    assert!(skill.contains("Never open the kiln"), "{skill}");
    browser.look("tried").await;
    // The text comes along to where skills are made.
    browser.follow("#result a[href='/signup']").await;
    browser.type_into("#email", "zoe@example.org").await;
    browser.type_into("#password", PASSWORD).await;
    browser.follow("form.card button").await;
    browser.wait_for("#source").await;
    let written = browser
        .run("return document.getElementById('source').value;")
        .await;
    assert_eq!(written, TEXT);
    browser.is_content().await;
}

#[tokio::test]
async fn somebody_joins_makes_a_key_and_the_key_works() {
    let kiln = Kiln::start();
    let browser = Browser::open().await;
    browser.go(&format!("{}/signup", kiln.address)).await;
    browser.look("signup").await;
    join(&browser, &kiln, "ann@example.org").await;
    assert!(browser.text(".alert.ok").await.contains("Welcome"));
    assert!(
        !browser.address().await.contains("said="),
        "it is said once"
    );

    browser.go(&format!("{}/account", kiln.address)).await;
    browser.type_into("#key-name", "laptop").await;
    browser.follow("#keys form button.primary").await;
    let key = browser.text("#new-key").await;
    assert!(key.starts_with("skillkiln_sk_"), "{key}");
    browser.look("key").await;
    browser.click("[data-copy='#new-key']").await;
    browser.wait_for(".toast").await;
    let answer = reqwest::Client::new()
        .get(format!("{}/api/v1/credits", kiln.address))
        .bearer_auth(&key)
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), 200);

    browser.go(&format!("{}/account", kiln.address)).await;
    browser.click("#keys .confirm summary").await;
    browser.look("revoking").await;
    browser.follow("#keys .confirm form button").await;
    assert!(browser.text(".alert.ok").await.contains("revoked"));

    browser.type_into("#codes-current", PASSWORD).await;
    browser.follow("#recovery button").await;
    assert_eq!(browser.text("#codes").await.split_whitespace().count(), 10);
    browser.look("codes").await;
    browser.follow(".who button").await;
    browser.wait_for("form[action='/signin']").await;
    browser.look("signin").await;
    browser.is_content().await;
}

/// What an authenticator reads off the page: base32.
fn secret_of(text: &str) -> Secret {
    let letters = text.chars().filter(|c| !c.is_whitespace());
    let values = letters.filter_map(|letter| "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".find(letter));
    let mut secret = [0; SECRET_LEN];
    for (place, value) in values.enumerate() {
        for bit in 0..5 {
            let at = 5 * place + bit;
            secret[at / 8] |= ((value >> (4 - bit) & 1) as u8) << (7 - at % 8);
        }
    }
    Secret(secret)
}

#[tokio::test]
async fn a_second_factor_is_set_up_with_a_telephone_and_asked_for() {
    let kiln = Kiln::start();
    let browser = Browser::open().await;
    join(&browser, &kiln, "tia@example.org").await;
    browser.go(&format!("{}/account", kiln.address)).await;
    browser.type_into("#second-current", PASSWORD).await;
    browser.follow("#second form button").await;
    let secret = secret_of(&browser.text("#second-secret").await);
    browser.wait_for("svg.qr path").await;
    browser.look("second-factor").await;
    let step = step_at(Clock::system().now());
    browser.type_into("#second-code", &secret.code(step)).await;
    browser.follow("#second form button.primary").await;
    assert_eq!(browser.text("#codes").await.split_whitespace().count(), 10);
    browser.look("second-factor-on").await;

    browser.follow(".who button").await;
    sign_in(&browser, "tia@example.org").await;
    browser.type_into("#code", "000000").await;
    browser.follow("form.card button.primary").await;
    assert!(browser.text(".alert.bad").await.contains("not good"));
    browser.look("code-wrong").await;
    // The next one: the present one may have turned it on.
    browser.type_into("#code", &secret.code(step + 1)).await;
    browser.follow("form.card button.primary").await;
    browser.wait_for(".who").await;
    browser.is_content().await;
}

#[tokio::test]
async fn a_pack_is_bought_in_the_sandbox() {
    let kiln = Kiln::start();
    let browser = Browser::open().await;
    join(&browser, &kiln, "cy@example.org").await;
    browser.go(&format!("{}/account", kiln.address)).await;
    browser.follow("button[value='starter']").await;
    browser.wait_for("form button.primary").await;
    browser.look("till").await;
    browser.follow("form button.primary").await;
    browser.go(&format!("{}/account", kiln.address)).await;
    assert_eq!(browser.text(".credits").await, "13 credits");
    browser.look("bought").await;
    browser.is_content().await;
}

#[tokio::test]
async fn the_pages_work_without_script() {
    let kiln = Kiln::start();
    let browser = Browser::without_script().await;
    join(&browser, &kiln, "bo@example.org").await;
    browser.go(&format!("{}/account", kiln.address)).await;
    browser.type_into("#key-name", "laptop").await;
    browser.follow("#keys form button.primary").await;
    assert!(browser.text("#new-key").await.starts_with("skillkiln_sk_"));
    browser.follow(".who button").await;
    browser.type_into("#email", "bo@example.org").await;
    browser.type_into("#password", "not his password").await;
    browser.follow("form.card button").await;
    assert!(
        browser
            .text(".alert.bad")
            .await
            .contains("do not go together")
    );
}

#[tokio::test]
async fn the_button_to_go_back_shows_nothing_private_to_whoever_was_signed_out() {
    let kiln = Kiln::start();
    let browser = Browser::open().await;
    join(&browser, &kiln, "pia@example.org").await;
    let account = format!("{}/account", kiln.address);
    browser.go(&account).await;
    browser.follow(".who button").await;
    browser.wait_for("form[action='/signin']").await;
    browser.back().await;
    browser.wait_for("form[action='/signin']").await;
    let shown = browser.text("body").await;
    assert!(!shown.contains("pia@example.org"), "{shown}");

    // The same when the session ended elsewhere; while it lasts, the page is there as it was.
    sign_in(&browser, "pia@example.org").await;
    browser.go(&account).await;
    browser.follow("a.brand").await;
    browser.wait_for(".hero").await;
    browser.back().await;
    // The page that is left has a lead as well, and may still be shown.
    let is_back =
        "return (document.querySelector('.lead')?.textContent ?? '').includes('pia@example.org')";
    browser.until(is_back).await;
    browser.follow("a.brand").await;
    browser.wait_for(".hero").await;
    let ended = reqwest::Client::new()
        .post(format!("{}/signout", kiln.address))
        .header("Sec-Fetch-Site", "same-origin")
        .header("Cookie", browser.cookies().await)
        .send()
        .await
        .unwrap();
    assert!(ended.status().is_success());
    browser.back().await;
    browser.wait_for("form[action='/signin']").await;
    let shown = browser.text("body").await;
    assert!(!shown.contains("pia@example.org"), "{shown}");
}

#[tokio::test]
async fn a_page_that_says_no_says_what_to_do() {
    let kiln = Kiln::start();
    let browser = Browser::open().await;
    browser.go(&format!("{}/nowhere", kiln.address)).await;
    assert_eq!(browser.text("h1").await, "There is nothing here");
    browser.look("nowhere").await;
    browser.go(&format!("{}/account", kiln.address)).await;
    browser.wait_for("form[action='/signin']").await;
    assert!(browser.address().await.ends_with("/signin?next=%2Faccount"));
}

/// What has the focus: its id, or its class, or its name.
const FOCUS: &str =
    "const on = document.activeElement; return on.id || on.className || on.localName;";

#[tokio::test]
async fn the_focus_stays_where_the_person_is() {
    let kiln = Kiln::start();
    let browser = Browser::open().await;
    join(&browser, &kiln, "hal@example.org").await;
    browser.go(&format!("{}/new", kiln.address)).await;
    browser
        .type_into("#source", "http://127.0.0.1:99999/")
        .await;
    browser.click("#new button.primary").await;
    browser.wait_for("[data-failed]:not([hidden])").await;
    assert_eq!(browser.run(FOCUS).await, "alert bad", "what went wrong");
    browser
        .wait_for("#new button.primary:not([aria-disabled])")
        .await;

    browser.go(&format!("{}/account", kiln.address)).await;
    browser.type_into("#key-name", "laptop").await;
    browser.follow("#keys form button.primary").await;
    browser.click("#keys .confirm summary").await;
    browser
        .type_into("#keys .confirm summary", "\u{e00c}")
        .await;
    browser
        .wait_for("#keys .confirm:not([open]) summary:focus")
        .await;

    browser.follow(".who button").await;
    browser.type_into("#email", "hal@example.org").await;
    browser.type_into("#password", "not his password").await;
    browser.follow("form.card button.primary").await;
    browser.wait_for("#password[aria-invalid=true]:focus").await;
    browser.look("signin-wrong").await;
    browser.is_content().await;
}
