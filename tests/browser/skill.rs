//! A person has a skill made, reads it, changes it, shows it to everybody, and finds it in the library.

use crate::door::{TEXT, edit_new_skill, join, sign_in};
use crate::driver::Browser;
use crate::kiln::Kiln;

#[tokio::test]
async fn a_skill_is_made_read_changed_and_shown_to_everybody() {
    let kiln = Kiln::start();
    let browser = Browser::open().await;
    join(&browser, &kiln, "dee@example.org").await;
    browser.go(&format!("{}/library", kiln.address)).await;
    browser.look("library-empty").await;
    browser.go(&format!("{}/new", kiln.address)).await;
    browser.look("new").await;
    browser.type_into("#source", TEXT).await;
    browser.follow("#new button.primary").await;
    browser.wait_for("nav.tabs").await;
    assert_eq!(browser.text(".credits").await, "2 credits");
    let read = browser.text("article.prose").await;
    assert!(read.contains("Never open the kiln"), "{read}");
    browser.look("skill").await;

    let skill = browser.address().await;
    let skill = skill.split('?').next().unwrap().to_owned();
    browser.go(&format!("{skill}?view=source")).await;
    browser.look("skill-source").await;
    browser.go(&format!("{skill}?view=edit")).await;
    browser
        .type_into("#content", "\nWear goggles when you look into the kiln.\n")
        .await;
    browser.look("skill-edit").await;
    browser.follow("form.stack button.primary").await;
    browser.wait_for(".alert.ok").await;
    browser.go(&skill).await;
    assert!(browser.text("article.prose").await.contains("Wear goggles"));
    browser.go(&format!("{skill}?view=versions")).await;
    browser.wait_for("ul.list a").await;
    browser.look("skill-versions").await;
    browser.follow("ul.list a").await;
    browser.wait_for("pre.diff").await;
    browser.look("skill-version").await;
    browser.follow("form[action$='/restore'] button").await;
    browser.wait_for(".alert.ok").await;
    assert!(!browser.text("article.prose").await.contains("Wear goggles"));
    browser.go(&format!("{skill}?view=origin")).await;
    browser.wait_for("table").await;
    browser.look("skill-origin").await;

    browser.follow("form[action$='/share'] button").await;
    assert!(browser.text("#share-url").await.contains("/s/sk_"));
    let shown = skill.replace("/library/", "/s/");
    browser.go(&shown).await;
    browser.wait_for("h1").await;
    browser.look("shared").await;
    browser.go(&format!("{}/library", kiln.address)).await;
    browser.wait_for("a[href*='/library/sk_']").await;
    browser.look("library").await;
    browser.is_content().await;
}

#[tokio::test]
async fn what_was_written_in_the_editor_outlives_the_session() {
    let kiln = Kiln::start();
    let browser = Browser::open().await;
    edit_new_skill(&browser, &kiln, "eve@example.org").await;
    browser.type_into("#content", "\nWear goggles.\n").await;
    browser.sign_out().await;
    browser.follow("form.stack button.primary").await;
    browser.wait_for("form[action='/signin']").await;
    assert!(
        browser
            .text(".alert.warn")
            .await
            .contains("You were signed out")
    );
    browser.look("signed-out-meanwhile").await;
    sign_in(&browser, "eve@example.org").await;
    browser.wait_for("#content").await;
    let written = "return document.getElementById('content').value;";
    let written = browser.run(written).await;
    assert!(
        written.as_str().unwrap().contains("Wear goggles."),
        "{written}"
    );
    browser.follow("form.stack button.primary").await;
    browser.wait_for(".alert.ok").await;

    // The form on which skills are made keeps its text too.
    browser.go(&format!("{}/new", kiln.address)).await;
    browser.type_into("#source", "Notes of an evening").await;
    browser.sign_out().await;
    browser.follow("#new button.primary").await;
    browser.wait_for("form[action='/signin']").await;
    sign_in(&browser, "eve@example.org").await;
    browser.wait_for("#source").await;
    let written = browser
        .run("return document.getElementById('source').value;")
        .await;
    assert_eq!(written, "Notes of an evening");
    browser.is_content().await;
}
