//! Words of every script and of every length: each begins at its side, and none makes a page wider than a phone.

use crate::door::{TEXT, join};
use crate::driver::Browser;
use crate::kiln::Kiln;

#[tokio::test]
async fn a_skill_that_is_written_from_right_to_left_begins_at_the_right() {
    let kiln = Kiln::start();
    let browser = Browser::open().await;
    join(&browser, &kiln, "noa@example.org").await;
    browser.go(&format!("{}/new", kiln.address)).await;
    browser
        .type_into("#source", "# \u{5ea}\u{5e0}\u{5d5}\u{5e8}\n\n\u{5d4}\u{5d3}\u{5dc}\u{5e7} \u{5d0}\u{5ea} \u{5d4}\u{5ea}\u{5e0}\u{5d5}\u{5e8} \u{5dc}\u{5d0}\u{5d8} \u{5d5}\u{5d1}\u{5d6}\u{5d4}\u{5d9}\u{5e8}\u{5d5}\u{5ea}.\n\n- \u{5e6}\u{5e2}\u{5d3} \u{5e8}\u{5d0}\u{5e9}\u{5d5}\u{5df}\n- \u{5e6}\u{5e2}\u{5d3} \u{5e9}\u{5e0}\u{5d9}\n- \u{5e6}\u{5e2}\u{5d3} \u{5e8}\u{5d0}\u{5e9}\u{5d5}\u{5df} \u{5e6}\u{5e2}\u{5d3} \u{5e9}\u{5e0}\u{5d9} \u{5e6}\u{5e2}\u{5d3} \u{5e8}\u{5d0}\u{5e9}\u{5d5}\u{5df} \u{5e6}\u{5e2}\u{5d3} \u{5e9}\u{5e0}\u{5d9}\n\n`kiln --slow`\n")
        .await;
    browser.follow("#new button.primary").await;
    browser.wait_for("nav.tabs").await;
    let side =
        |css: &str| format!("return getComputedStyle(document.querySelector('{css}')).direction;");
    assert_eq!(browser.run(&side("article.prose")).await, "rtl");
    assert_eq!(browser.run(&side("html")).await, "ltr", "the page is ours");
    browser.look("skill-from-the-right").await;
}

#[tokio::test]
async fn names_without_a_blank_fit_the_account_on_a_phone() {
    let kiln = Kiln::start();
    let browser = Browser::open().await;
    join(&browser, &kiln, "oda@example.org").await;
    browser.go(&format!("{}/new", kiln.address)).await;
    browser.type_into("#source", TEXT).await;
    browser.click("#new details summary").await;
    browser.type_into("#name", &"kiln".repeat(40)).await;
    browser.follow("#new button.primary").await;
    browser.wait_for("nav.tabs").await;
    browser.look("skill-of-a-long-name").await;
    browser.go(&format!("{}/account", kiln.address)).await;
    browser.type_into("#key-name", &"k".repeat(64)).await;
    browser.follow("#keys form button.primary").await;
    browser.wait_for("#new-key").await;
    browser.look("account-of-long-names").await;
    browser.resize(390, 800).await;
    let wide = "const box = document.querySelector('#credits .scroll'); return box.scrollWidth - box.clientWidth;";
    assert_eq!(browser.run(wide).await, 0, "the amounts are in sight");
}
