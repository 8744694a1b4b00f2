//! A person is refused: what they wrote is kept, the reason is told where they are, and nothing is sent that cannot be taken.

use crate::door::{TEXT, edit_new_skill, join};
use crate::driver::Browser;
use crate::kiln::Kiln;

const WRITTEN: &str = "return document.getElementById('content').value;";
const ASKS: &str = "return !dispatchEvent(new Event('beforeunload', { cancelable: true }));";

#[tokio::test]
async fn a_text_whose_saving_is_refused_comes_back_to_the_editor() {
    let kiln = Kiln::start();
    let browser = Browser::open().await;
    edit_new_skill(&browser, &kiln, "kim@example.org").await;
    assert_eq!(browser.run(ASKS).await, false, "nothing was written");
    browser.type_into("#content", "\nWear goggles.\n").await;
    assert_eq!(browser.run(ASKS).await, true, "it is not saved");
    kiln.let_in("kim@example.org", false);
    browser.follow("form.stack button.primary").await;
    browser.wait_for("[data-written]:not([hidden])").await;
    browser.look("refused").await;
    kiln.let_in("kim@example.org", true);
    browser.follow("[data-written]").await;
    browser
        .until("return document.getElementById('content').value.includes('Wear goggles.');")
        .await;
    assert_eq!(browser.run(ASKS).await, true, "it is still not saved");
    browser.follow("form.stack button.primary").await;
    browser.wait_for(".alert.ok").await;
    let written = browser.run(WRITTEN).await;
    assert!(written.as_str().unwrap().contains("Wear goggles."));
    assert_eq!(browser.run(ASKS).await, false, "it is saved");
    browser.is_content().await;
}

#[tokio::test]
async fn a_press_that_is_refused_says_why_where_it_was_pressed() {
    let kiln = Kiln::start();
    let browser = Browser::open().await;
    join(&browser, &kiln, "lou@example.org").await;
    browser.go(&format!("{}/new", kiln.address)).await;
    browser.type_into("#source", TEXT).await;
    kiln.let_in("lou@example.org", false);
    browser.click("#new button.primary").await;
    browser.wait_for("[data-failed]:not([hidden])").await;
    let said = browser.text("[data-failed] p").await;
    assert_eq!(
        said,
        "This account is restricted; write to the operator of the service"
    );
    browser.is_content().await;
}

#[tokio::test]
async fn a_file_that_is_too_large_is_refused_before_it_is_sent() {
    let kiln = Kiln::with(&[("SKILLKILN__UPLOADS__FILE_BYTES_MAX", "1048576")]);
    let browser = Browser::open().await;
    join(&browser, &kiln, "max@example.org").await;
    browser.go(&format!("{}/new", kiln.address)).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("large.md");
    std::fs::write(&file, vec![b'a'; (1 << 20) + 1]).unwrap();
    browser.type_into("#files", file.to_str().unwrap()).await;
    assert_eq!(
        browser.text("[data-too-much]").await,
        "large.md is larger than 1 MB."
    );
    browser.look("file-too-large").await;
    browser.click("#new button.primary").await;
    browser.wait_for("#progress[hidden]").await;
    browser.wait_for("#files:invalid").await;
    browser.click("[data-take-out]").await;
    browser.wait_for("#files:valid").await;
    assert_eq!(browser.text("[data-too-much]").await, "");
    browser.is_content().await;
}
