//! The presses of buttons that spend credits: each is paid once, however often it arrives.

use crate::generate::TEXT;
use crate::ops::PAGE;
use crate::pages_skills::{followed, made, roomy, sent};
use crate::postgres::FreshDatabase;
use crate::support::app::App;
use crate::support::browser::Browser;
use crate::support::client::{Answer, Part};
use crate::support::site::Site;
use futures_util::future::join_all;
use skillkiln::config::outside::BlobHome;

/// Where a page's form is sent that orders a run.
fn button(page: &Answer, path: &str) -> String {
    let start = format!("action=\"{path}?press=");
    let rest = page.text().split(&start).nth(1);
    let rest = rest.unwrap_or_else(|| panic!("{path}: {}", page.text()));
    let press = rest.split('"').next().unwrap_or_default();
    format!("{path}?press={press}")
}

/// The run that an answer leads to.
fn run_of(answer: &Answer) -> String {
    assert_eq!(answer.status, 303, "{}", answer.text());
    let place = answer.header("location").expect("a place").to_owned();
    assert!(place.starts_with("/runs/"), "{place}");
    place
}

/// The form on `/new` as one rendering of it has it.
async fn form(browser: &mut Browser<'_>) -> String {
    button(&browser.get("/new").await, "/new")
}

#[tokio::test]
async fn a_press_that_arrives_twice_is_one_charge_and_leads_to_its_run() {
    let app = roomy().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let site = Site::start(&[("/slow/kiln", 200, PAGE)]).await;
    let source = site.page("/slow/kiln");
    let parts = [Part::Text("source", &source), Part::Text("name", "kiln")];
    let form = form(&mut ann).await;
    let first = sent(&mut ann, &form, &parts).await;
    let running = sent(&mut ann, &form, &parts).await;
    assert_eq!(run_of(&running), run_of(&first), "while it runs");
    site.let_go();
    followed(&mut ann, &first).await;
    let ended = sent(&mut ann, &form, &parts).await;
    assert_eq!(run_of(&ended), run_of(&first), "when it has ended");
    let books = app.books().await;
    assert_eq!((books.available, books.posted), (2, 1));
}

#[tokio::test]
async fn the_script_is_led_to_the_run_of_a_press_that_arrived_before() {
    let app = roomy().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let form = form(&mut ann).await;
    let ask = || {
        let request = ann
            .request("POST", &form)
            .header("Accept", "text/event-stream");
        let request = request.header("Sec-Fetch-Site", "same-origin");
        request
            .form(&[Part::File("files", "kiln.md", TEXT.as_bytes())])
            .send()
    };
    let told = ask().await;
    assert_eq!(told.events().last().expect("an end").0, "complete");
    // The same file is kept anew each time it arrives; what is ordered is the same.
    let again = ask().await;
    assert_eq!(Some(&*run_of(&again)), told.header("content-location"));
    assert_eq!(app.books().await.posted, 1);
}

#[tokio::test]
async fn presses_that_arrive_at_once_are_one_charge_and_those_of_other_pages_or_words_are_others() {
    let app = roomy().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let first = form(&mut ann).await;
    let parts = [Part::Text("source", TEXT)];
    let ask = |form: &str, parts: &[Part<'_>]| {
        let request = ann.request("POST", form);
        let request = request.header("Sec-Fetch-Site", "same-origin");
        request.form(parts).send()
    };
    let all = join_all((0..6).map(|_| ask(&first, &parts))).await;
    let run = run_of(&all[0]);
    assert!(all.iter().all(|answer| run_of(answer) == run));
    let other = [Part::Text("source", TEXT), Part::Text("name", "other")];
    assert_ne!(run_of(&ask(&first, &other).await), run, "other fields");
    let second = form(&mut ann).await;
    assert_ne!(second, first);
    let answer = sent(&mut ann, &second, &parts).await;
    assert_ne!(run_of(&answer), run, "another rendering");
    followed(&mut ann, &answer).await;
    assert_eq!(app.books().await.available, 0, "three were ordered");
    let third = form(&mut ann).await;
    let without = sent(&mut ann, &third, &parts).await;
    assert_eq!(without.status, 402);
    let repeated = sent(&mut ann, &first, &parts).await;
    assert_eq!(
        run_of(&repeated),
        run,
        "it was paid when there were credits"
    );
}

#[tokio::test]
async fn a_press_whose_run_failed_orders_anew_and_is_charged_once() {
    let app = roomy().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let form = form(&mut ann).await;
    let parts = [Part::File("files", "a.pdf", b"%PDF-1.7\nno document")];
    let mut runs = vec![];
    for _ in 0..3 {
        let answer = sent(&mut ann, &form, &parts).await;
        let end = followed(&mut ann, &answer).await;
        assert!(end.text().contains("The credit is back"), "{}", end.text());
        runs.push(run_of(&answer));
    }
    runs.dedup();
    assert_eq!(runs.len(), 3);
    let books = app.books().await;
    assert_eq!((books.available, books.posted), (3, 0));
    for bad in ["", "a-b"] {
        let refused = sent(&mut ann, &format!("/new?press={bad}"), &parts).await;
        assert_eq!(refused.status, 400);
        assert!(refused.text().contains("press once more"), "{bad:?}");
    }
}

#[tokio::test]
async fn a_skill_is_made_again_once_for_each_press() {
    let app = roomy().await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let path = made(&mut ann).await;
    let page = ann.get(&path).await;
    let form = button(&page, &format!("{path}/regenerate"));
    let first = ann.post(&form, &[]).await;
    let repeated = ann.post(&form, &[]).await;
    assert_eq!(run_of(&repeated), run_of(&first));
    followed(&mut ann, &first).await;
    let ended = ann.post(&form, &[]).await;
    assert_eq!(run_of(&ended), run_of(&first));
    assert_eq!(app.books().await.posted, 2);
    let page = ann.get(&path).await;
    let form = button(&page, &format!("{path}/regenerate"));
    let second = ann.post(&form, &[]).await;
    assert_ne!(run_of(&second), run_of(&first));
    followed(&mut ann, &second).await;
    assert_eq!(app.books().await.posted, 3);
}

// On two threads: the second node waits for the database while the first one's connection to it is being closed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_press_that_arrives_at_two_nodes_is_one_charge() {
    let database = FreshDatabase::new().await;
    let folder = tempfile::TempDir::new().expect("a folder");
    let node = || {
        App::with(|settings| {
            settings.database.url = database.url();
            settings.blobs.home = BlobHome::Database;
            settings.storage.path = folder.path().to_path_buf();
            settings.limits.other_per_minute = 1_000_000;
        })
    };
    let (one, two) = (node().await, node().await);
    let mut here = Browser::joined(&one, "ann@example.org").await;
    let mut there = Browser::signed_in(&two, "ann@example.org").await;
    let form = form(&mut here).await;
    let parts = [Part::Text("source", TEXT)];
    let ask = |browser: &Browser<'_>| {
        let request = browser.request("POST", &form);
        let request = request.header("Sec-Fetch-Site", "same-origin");
        request.form(&parts).send()
    };
    let all = join_all((0..4).flat_map(|_| [ask(&here), ask(&there)])).await;
    let run = run_of(&all[0]);
    assert!(all.iter().all(|answer| run_of(answer) == run));
    followed(&mut there, &all[0]).await;
    let later = sent(&mut there, &form, &parts).await;
    assert_eq!(run_of(&later), run);
    let books = one.books().await;
    assert_eq!((books.available, books.posted), (2, 1));
}
