//! Several addresses in the form of the web application: one skill of each, for what the button says, once.

use crate::support::app::App;
use crate::support::browser::Browser;
use crate::support::client::{Answer, Part};
use crate::support::site::Site;

const PAGE: &str = "<h1>Kiln</h1><p>Fire it slowly, so that the water can leave the clay. Keep the lid closed until it is below 200 degrees.</p>";
const OTHER: &str = "<h1>Glaze</h1><p>Sieve the glaze twice before each use, and stir it well. Keep it away from food and from children.</p>";

async fn sent(browser: &Browser<'_>, press: &str, parts: &[Part<'_>], accept: &str) -> Answer {
    let target = format!("/new?press={press}");
    let request = browser.request("POST", &target);
    let request = request.header("Sec-Fetch-Site", "same-origin");
    request.header("Accept", accept).form(parts).send().await
}

/// How many skills are in the library, once so many are.
async fn library(browser: &mut Browser<'_>, count: usize) {
    let words = format!("{count} skills");
    let looked = async {
        while !browser.get("/library").await.text().contains(&words) {
            tokio::task::yield_now().await;
        }
    };
    let looked = tokio::time::timeout(std::time::Duration::from_secs(60), looked).await;
    assert!(looked.is_ok(), "there are never {words}");
}

#[tokio::test]
async fn several_addresses_become_a_skill_each_for_what_the_button_says() {
    let app = App::with(|settings| settings.limits.other_per_minute = 1_000_000).await;
    let site = Site::start(&[("/kiln", 200, PAGE), ("/glaze", 200, OTHER)]).await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let both = format!("{}\n{}", site.page("/kiln"), site.page("/glaze"));
    let before = app.books().await;
    // Without a word that each is meant nothing is made; the page says what each would cost.
    let asked = sent(&ann, "a", &[Part::Text("source", &both)], "text/html").await;
    assert_eq!(asked.status, 400);
    assert!(
        asked.text().contains("These are 2 addresses"),
        "{}",
        asked.text()
    );
    assert!(asked.text().contains("Make 2 skills · 2 credits"));
    // The script is led to the same offer.
    let led = sent(
        &ann,
        "a",
        &[Part::Text("source", &both)],
        "text/event-stream",
    )
    .await;
    let place = led.header("location").expect("a place").to_owned();
    let offer = ann.get(&place).await;
    assert!(led.status == 303 && offer.text().contains("Make 2 skills · 2 credits"));
    assert_eq!(app.books().await, before);
    // One more address than the button spoke of is asked for again.
    let three = format!("{both}\n{}", site.page("/gone"));
    let parts = [Part::Text("source", &three), Part::Text("each", "2")];
    let other = sent(&ann, "a", &parts, "text/html").await;
    assert!(other.status == 400 && other.text().contains("These are 3 addresses"));
    let named = [
        Part::Text("source", &both),
        Part::Text("each", "2"),
        Part::Text("name", "Kiln"),
    ];
    let named = sent(&ann, "a", &named, "text/html").await;
    assert!(named.status == 400 && named.text().contains("share one name"));
    assert_eq!(app.books().await, before);
    let parts = [Part::Text("source", &both), Part::Text("each", "2")];
    for _ in 0..2 {
        let made = sent(&ann, "a", &parts, "text/html").await;
        assert_eq!(
            (made.status, made.header("location")),
            (303, Some("/library?said=ordered"))
        );
    }
    library(&mut ann, 2).await;
    let books = app.books().await;
    assert_eq!(books.posted, before.posted + 2, "a press is paid once");
    // No more is begun than can be paid.
    let left = books.available;
    let many: Vec<String> = (0..=left)
        .map(|n| site.page(&format!("/kiln?{n}")))
        .collect();
    let (text, count) = (many.join("\n"), many.len().to_string());
    let parts = [Part::Text("source", &text), Part::Text("each", &count)];
    let refused = sent(&ann, "b", &parts, "text/html").await;
    assert_eq!(refused.status, 402, "{}", refused.text());
    assert!(
        refused
            .text()
            .contains(&format!("{count} skills cost {count} credits"))
    );
    assert_eq!(app.books().await, books);
}
