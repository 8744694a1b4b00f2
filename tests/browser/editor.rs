//! A person writes in the editor: what the page says of the checks is true whatever happens to the service meanwhile.

use crate::door::{TEXT, join};
use crate::driver::Browser;
use crate::kiln::Kiln;

#[tokio::test]
async fn what_is_written_is_never_said_to_be_checked_when_it_is_not() {
    let kiln = Kiln::start();
    let browser = Browser::open().await;
    join(&browser, &kiln, "flo@example.org").await;
    browser.go(&format!("{}/new", kiln.address)).await;
    browser.type_into("#source", TEXT).await;
    browser.follow("#new button.primary").await;
    browser.wait_for("#verdict .badge").await;
    let skill = browser.address().await;
    let skill = skill.split('?').next().unwrap().to_owned();
    browser.go(&format!("{skill}?view=edit")).await;
    browser.wait_for("#verdict:not([hidden])").await;
    browser
        .type_into("#content", "\n[nowhere](references/none.md)\n")
        .await;
    browser.wait_for("#verdict[hidden]").await;
    browser.wait_for("#found .badge").await;
    browser.sign_out().await;
    browser.type_into("#content", "\nMore.\n").await;
    browser.wait_for("#unchecked:not([hidden])").await;
    assert!(browser.text("#unchecked").await.contains("signed out"));
    assert_eq!(browser.text("#found").await, "");
    browser.is_content().await;
}
