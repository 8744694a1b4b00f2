//! A person has a skill made, reads it, changes it, shows it to everybody, and finds it in the library.

use crate::door::{TEXT, edit_new_skill, join, sign_in};
use crate::driver::Browser;
use crate::kiln::Kiln;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

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

/// A site of one page that says what a test has it say, and its address.
fn page(says: &Arc<Mutex<&'static str>>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/kiln", listener.local_addr().unwrap());
    let says = Arc::clone(says);
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let _ = stream.read(&mut [0; 4_096]);
            let rule = *says.lock().unwrap();
            let body = format!(
                "<html><head><title>Kiln</title></head><body><main><h1>Kiln</h1><h2>Firing</h2><p>{rule}</p>\
                 <p>Keep the lid closed until it is below 200 degrees.</p></main></body></html>"
            );
            let _ = write!(
                stream,
                "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                body.len()
            );
        }
    });
    address
}

#[tokio::test]
async fn a_source_is_watched_and_the_new_text_that_waits_is_accepted() {
    let kiln = Kiln::start();
    let browser = Browser::open().await;
    join(&browser, &kiln, "fay@example.org").await;
    let says = "Fire it slowly to cone 6, so that the water can leave the clay before it boils.";
    let says = Arc::new(Mutex::new(says));
    browser.go(&format!("{}/new", kiln.address)).await;
    browser.type_into("#source", &page(&says)).await;
    browser.follow("#new button.primary").await;
    browser.wait_for("nav.tabs").await;
    let skill = browser.address().await;
    let skill = skill.split('?').next().unwrap().to_owned();
    let view = format!("{skill}?view=watch");
    browser.go(&view).await;
    browser.look("watch-off").await;
    *says.lock().unwrap() =
        "Fire it slowly to cone 9, so that the water can leave the clay before it boils.";
    browser.type_into("#on_change", "Make a draft").await;
    browser.follow("section form.stack button").await;
    browser.wait_for(".alert.ok").await;
    // The page does not turn by itself.
    while browser
        .run("return !document.querySelector('#draft-head');")
        .await
        == true
    {
        browser.go(&view).await;
        browser.wait_for("#watch-head").await;
    }
    let changed = browser.text("[aria-labelledby=changes-head]").await;
    assert!(changed.contains("cone 6"), "{changed}");
    let differs = browser.text("pre.diff").await;
    assert!(
        differs.contains("cone 6") && differs.contains("cone 9"),
        "{differs}"
    );
    browser.look("watch-draft").await;
    // Switched off, it waits on.
    browser
        .follow("section form:last-of-type button.quiet")
        .await;
    browser.wait_for("#draft-head").await;
    let head = browser.text("#watch-head").await;
    assert_eq!(head, "Its source is watched no more");
    browser.look("watch-draft-off").await;
    browser
        .follow("[aria-labelledby=draft-head] button.primary")
        .await;
    browser.wait_for(".alert.ok").await;
    assert_eq!(browser.text("#switch-head").await, "Watch its source");
    browser.go(&skill).await;
    assert!(browser.text("article.prose").await.contains("cone 9"));
    assert_eq!(browser.text(".credits").await, "1 credit");
    browser.is_content().await;
}
