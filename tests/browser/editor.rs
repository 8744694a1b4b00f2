//! A person writes in the editor: what the page says of the checks is true whatever happens to the service meanwhile.

use crate::door::{TEXT, edit_new_skill, join};
use crate::driver::Browser;
use crate::kiln::Kiln;

#[tokio::test]
async fn what_is_written_is_never_said_to_be_checked_when_it_is_not() {
    let kiln = Kiln::start();
    let browser = Browser::open().await;
    edit_new_skill(&browser, &kiln, "flo@example.org").await;
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

#[tokio::test]
async fn the_page_fits_a_phone_and_shows_the_tab_that_is_open() {
    let kiln = Kiln::start();
    let browser = Browser::open().await;
    join(&browser, &kiln, "gus@example.org").await;
    browser.go(&format!("{}/new", kiln.address)).await;
    browser.type_into("#source", TEXT).await;
    browser.click("#new details summary").await;
    browser
        .type_into(
            "#category",
            "Kilnsandfurnaceswithoutasingleblankfromtheirbegintotheirveryend",
        )
        .await;
    browser.follow("#new button.primary").await;
    browser.wait_for("nav.tabs").await;
    let skill = browser.address().await;
    let skill = skill.split('?').next().unwrap().to_owned();
    browser.look("skill-of-a-long-category").await;
    browser.go(&format!("{}/library", kiln.address)).await;
    browser.wait_for(".skill-card").await;
    browser.look("library-of-a-long-category").await;
    browser.resize(390, 800).await;
    browser.go(&format!("{skill}?view=versions")).await;
    browser.wait_for(".tabs [aria-current]").await;
    let seen = "const tab = document.querySelector('.tabs [aria-current]').getBoundingClientRect(); return [tab.left, tab.right];";
    let seen = browser.run(seen).await;
    assert!(seen[0].as_f64().unwrap() >= 0.0, "{seen}");
    assert!(seen[1].as_f64().unwrap() <= 390.0, "{seen}");
}
