//! A person reads about the API and tries it on its page, with a key that was pasted.

use crate::door::TEXT;
use crate::driver::Browser;
use crate::kiln::Kiln;

#[tokio::test]
async fn the_api_is_tried_on_its_page_with_a_pasted_key() {
    let kiln = Kiln::start();
    let key = kiln.key("ann@example.org", 3);
    let browser = Browser::open().await;
    browser.go(&format!("{}/docs", kiln.address)).await;
    browser.look("docs").await;

    // Without a key it is refused, as anybody is.
    browser
        .go(&format!("{}/docs#restCredits", kiln.address))
        .await;
    let out = "#restCredits output [data-status]";
    browser.click("#restCredits form button").await;
    browser
        .until(&format!(
            "return document.querySelector('{out}').textContent.startsWith('401');"
        ))
        .await;
    browser.type_into("#key", &key).await;
    browser.click("#restCredits form button").await;
    browser
        .until(&format!(
            "return document.querySelector('{out}').textContent.startsWith('200');"
        ))
        .await;
    let told = browser.text("#restCredits output code").await;
    assert!(told.contains("\"credits_remaining\": 3"), "{told}");

    browser.run("location.hash = 'restGenerate';").await;
    browser.wait_for("#restGenerate[open]").await;
    browser.type_into("#restGenerate-source", TEXT).await;
    browser.click("#restGenerate form button").await;
    browser.until("return document.querySelector('#restGenerate output code').textContent.includes('word_count');").await;
    browser.look("docs-tried").await;
    browser.is_content().await;
}
