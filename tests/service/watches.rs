//! Living skills: a watched source is looked at again for nothing, what changed is told rule by rule, and only what its owner agreed to is
//! made and charged.

use crate::library::{made, read};
use crate::postgres::FreshDatabase;
use crate::regenerate::accepted;
use crate::support::app::{App, Someone};
use crate::support::browser::Browser;
use crate::support::client::{Answer, Part};
use serde_json::{Value, json};
use skillkiln::config::Settings;
use std::io::{Cursor, Read};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

const DAY: Duration = Duration::from_secs(24 * 3600);
const MINUTE: Duration = Duration::from_secs(60);

const SLOWLY: &str =
    "Fire it slowly to cone 6, so that the water can leave the clay before it boils.";
const HOTTER: &str =
    "Fire it slowly to cone 9, so that the water can leave the clay before it boils.";
const CLOSED: &str = "Keep the lid closed until it is below 200 degrees.";
const SIEVE: &str = "Sieve the glaze twice and stir it well before each use.";
const GLASSES: &str = "Wear dark glasses when you look through the spy hole.";

/// A site of one page, which says what a test has it say.
struct Page {
    address: SocketAddr,
    says: Arc<Mutex<(u16, String)>>,
    /// A permit for each time that it answers.
    answers: Arc<Semaphore>,
    /// How often it was asked.
    asked: Arc<AtomicUsize>,
    task: tokio::task::JoinHandle<()>,
}

impl Page {
    async fn saying(rules: &[&str]) -> Self {
        let says = Arc::new(Mutex::new((200, html(rules))));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let said = Arc::clone(&says);
        let answers = Arc::new(Semaphore::new(Semaphore::MAX_PERMITS));
        let lets = Arc::clone(&answers);
        let asked = Arc::new(AtomicUsize::new(0));
        let counts = Arc::clone(&asked);
        let task = tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut head = String::new();
                let mut piece = [0; 4_096];
                while !head.contains("\r\n\r\n") {
                    match stream.read(&mut piece).await {
                        Ok(read) if read > 0 => {
                            head.push_str(&String::from_utf8_lossy(&piece[..read]));
                        }
                        _ => break,
                    }
                }
                let (status, body) = match head.starts_with("GET /kiln") {
                    true => {
                        counts.fetch_add(1, SeqCst);
                        lets.acquire().await.expect("a permit").forget();
                        said.lock().expect("the page").clone()
                    }
                    false => (404, String::new()),
                };
                let answer = format!(
                    "HTTP/1.1 {status} Said\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                    body.len()
                );
                let _ = stream.write_all(answer.as_bytes()).await;
            }
        });
        Self {
            address,
            says,
            answers,
            asked,
            task,
        }
    }

    fn url(&self) -> String {
        format!("http://{}/kiln", self.address)
    }

    fn says(&self, rules: &[&str]) {
        *self.says.lock().expect("the page") = (200, html(rules));
    }

    /// Answers so many times more, and keeps whoever asks then waiting.
    fn answers(&self, times: usize) {
        self.answers.forget_permits(Semaphore::MAX_PERMITS);
        self.answers.add_permits(times);
    }

    /// Waits until it was asked so often.
    async fn is_asked(&self, times: usize) {
        while self.asked.load(SeqCst) < times {
            tokio::task::yield_now().await;
        }
    }

    fn is_gone(&self) {
        *self.says.lock().expect("the page") = (404, "gone".to_owned());
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn html(rules: &[&str]) -> String {
    let rules: String = rules.iter().map(|rule| format!("<p>{rule}</p>")).collect();
    // Each time it is asked for it differs in what nobody reads.
    let nonce = uuid::Uuid::new_v4();
    format!(
        "<html><head><title>Kiln</title><meta name=\"nonce\" content=\"{nonce}\"></head><body><main><h1>Kiln</h1><h2>Firing</h2>{rules}</main></body></html>"
    )
}

/// Where a test takes place.
struct Ground {
    database: Option<FreshDatabase>,
}

impl Ground {
    async fn app(&self, change: impl FnOnce(&mut Settings)) -> App {
        App::with(|settings| {
            settings.limits.other_per_minute = 1_000_000;
            if let Some(database) = &self.database {
                settings.database.url = database.url();
                settings.database.pool_size = 3;
            }
            change(settings);
        })
        .await
    }
}

macro_rules! on_both {
    ($($name:ident),* $(,)?) => {
        mod on_sqlite {
            $(#[tokio::test] async fn $name() { super::$name(super::Ground { database: None }).await; })*
        }
        mod on_postgres {
            $(#[tokio::test] async fn $name() {
                let database = Some(super::FreshDatabase::new().await);
                super::$name(super::Ground { database }).await;
            })*
        }
    };
}

on_both! {
    a_change_is_told_rule_by_rule_and_costs_nothing,
    a_draft_waits_until_it_is_accepted_and_costs_a_credit,
    a_text_is_taken_at_once_unless_it_was_changed_by_hand,
    a_source_that_is_gone_is_shown_and_looked_at_later_and_later,
    a_draft_that_is_dismissed_is_not_made_again,
    a_text_that_is_changed_by_hand_while_another_is_made_is_not_replaced,
    a_draft_outlives_the_watch_and_an_answer_is_for_the_one_that_was_shown,
}

/// A skill made of a page, and its path.
async fn of_page(app: &App, someone: &Someone, page: &Page) -> String {
    let source = page.url();
    let request = app.post("/api/v1/generate").key(&someone.key);
    let answer = request.form(&[Part::Text("source", &source)]).send().await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let listed = app.get("/api/skills?limit=1").key(&someone.key);
    let listed = listed.send().await.json();
    let id = listed["skills"][0]["id"].as_str().expect("an id");
    format!("/api/skills/{id}")
}

async fn put(app: &App, someone: &Someone, path: &str, every: &str, on_change: &str) -> Answer {
    let body = json!({ "every": every, "on_change": on_change });
    let target = format!("{path}/watch");
    let request = app.request("PUT", &target).key(&someone.key);
    request.json(&body).send().await
}

async fn act(app: &App, someone: &Someone, path: &str, action: &str) -> Answer {
    let request = app.post(&format!("{path}/watch")).key(&someone.key);
    request.json(&json!({ "action": action })).send().await
}

async fn watch(app: &App, someone: &Someone, path: &str) -> Value {
    let request = app.get(&format!("{path}/watch")).key(&someone.key);
    let answer = request.send().await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

/// The watch, once it stands so.
async fn until(app: &App, someone: &Someone, path: &str, what: impl Fn(&Value) -> bool) -> Value {
    let mut last = Value::Null;
    let looked = async {
        loop {
            last = watch(app, someone, path).await;
            if what(&last) {
                return;
            }
            tokio::task::yield_now().await;
        }
    };
    let looked = tokio::time::timeout(Duration::from_secs(60), looked).await;
    assert!(looked.is_ok(), "it never stands so: {last:#}");
    last
}

/// Looks again a while later, and waits until that was done.
async fn looked_again(app: &App, someone: &Someone, path: &str) -> Value {
    let before = watch(app, someone, path).await["looked_at"].clone();
    app.clock.advance(MINUTE);
    assert_eq!(act(app, someone, path, "look").await.status, 200);
    until(app, someone, path, |now| {
        now["looked_at"] != before && now["state"] != "making"
    })
    .await
}

fn told(watch: &Value) -> Vec<(&str, &str, &str)> {
    let changes = watch["changes"].as_array().expect("changes").iter();
    changes
        .map(|change| {
            (
                change["change"].as_str().expect("a word"),
                change["text"].as_str().expect("a text"),
                change["place"].as_str().expect("a place"),
            )
        })
        .collect()
}

async fn history(app: &App, someone: &Someone) -> usize {
    let history = app.get("/api/v1/generations").key(&someone.key);
    let history = history.send().await.json();
    history["generations"].as_array().expect("rows").len()
}

async fn a_change_is_told_rule_by_rule_and_costs_nothing(ground: Ground) {
    let app = ground.app(|_| {}).await;
    let someone = app.someone(5).await;
    let page = Page::saying(&[SLOWLY, CLOSED, SIEVE]).await;
    let path = of_page(&app, &someone, &page).await;
    let nobody = app.get(&format!("{path}/watch")).key(&someone.key);
    assert_eq!(nobody.send().await.refusal(), (404, "NOT_FOUND".into()));
    let on = put(&app, &someone, &path, "daily", "tell").await;
    assert_eq!(on.status, 200, "{}", on.text());
    let first = until(&app, &someone, &path, |now| now["looked_at"].is_string()).await;
    assert_eq!(
        (&first["state"], &first["changes_total"]),
        (&json!("watching"), &json!(0))
    );
    // A day later it is looked at again by itself; the page has another nonce each time, which is no change.
    page.says(&[SLOWLY, CLOSED, SIEVE]);
    app.clock.advance(DAY);
    let before = first["looked_at"].clone();
    let second = until(&app, &someone, &path, |now| now["looked_at"] != before).await;
    assert_eq!(second["state"], "watching");
    page.says(&[HOTTER, CLOSED, GLASSES]);
    app.clock.advance(DAY);
    let changed = until(&app, &someone, &path, |now| now["state"] == "changed").await;
    assert_eq!(
        told(&changed),
        [
            ("changed", HOTTER, "Kiln > Firing"),
            ("added", GLASSES, "Kiln > Firing"),
            ("removed", SIEVE, "Kiln > Firing"),
        ]
    );
    assert_eq!(changed["changes"][0]["was"], SLOWLY);
    assert_eq!(changed["changes"][0]["address"], page.url());
    assert_eq!(
        act(&app, &someone, &path, "accept").await.refusal(),
        (409, "CONFLICT".into())
    );
    // It is told until it is answered, and not after that.
    assert_eq!(
        looked_again(&app, &someone, &path).await["state"],
        "changed"
    );
    let answered = act(&app, &someone, &path, "dismiss").await;
    assert_eq!(answered.json()["state"], "watching");
    let after = looked_again(&app, &someone, &path).await;
    assert_eq!(
        (&after["state"], &after["changes_total"]),
        (&json!("watching"), &json!(0))
    );
    assert_eq!(history(&app, &someone).await, 1, "nothing was made of it");
    let off = app
        .request("DELETE", &format!("{path}/watch"))
        .key(&someone.key);
    assert_eq!(off.send().await.status, 204);
    let off = app
        .request("DELETE", &format!("{path}/watch"))
        .key(&someone.key);
    assert_eq!(off.send().await.status, 404);
    let books = app.books().await;
    assert_eq!((books.available, books.posted), (4, 1));
}

fn unzipped(answer: &Answer) -> Vec<(String, String)> {
    let mut archive = zip::ZipArchive::new(Cursor::new(&answer.body)).expect("a zip");
    (0..archive.len())
        .map(|at| {
            let mut entry = archive.by_index(at).expect("an entry");
            let mut text = String::new();
            entry.read_to_string(&mut text).expect("text");
            (entry.name().expect("a name").into_owned(), text)
        })
        .collect()
}

async fn zip_of(app: &App, someone: &Someone, path: &str) -> Answer {
    let zip = app.get(&format!("{path}/download?format=zip"));
    zip.key(&someone.key).send().await
}

async fn a_draft_waits_until_it_is_accepted_and_costs_a_credit(ground: Ground) {
    let app = ground.app(|_| {}).await;
    let someone = app.someone(2).await;
    let page = Page::saying(&[SLOWLY, CLOSED, SIEVE]).await;
    let path = of_page(&app, &someone, &page).await;
    let original = read(&app, &someone, &path).await;
    put(&app, &someone, &path, "weekly", "draft").await;
    until(&app, &someone, &path, |now| now["looked_at"].is_string()).await;
    assert_eq!(
        unzipped(&zip_of(&app, &someone, &path).await).len(),
        1,
        "no change yet"
    );
    page.says(&[HOTTER, CLOSED, SIEVE]);
    let waits = looked_again(&app, &someone, &path).await;
    let waits = match waits["state"] == "draft" {
        true => waits,
        false => until(&app, &someone, &path, |now| now["state"] == "draft").await,
    };
    let draft = waits["draft"]["content"].as_str().expect("a text");
    assert!(draft.contains("cone 9") && waits["draft"]["validation"]["errors"] == 0);
    assert_eq!(read(&app, &someone, &path).await, original, "it only waits");
    let books = app.books().await;
    assert_eq!((books.available, books.reserved, books.posted), (0, 0, 2));
    // While it waits, no other is made.
    page.says(&[HOTTER, CLOSED, GLASSES]);
    assert_eq!(looked_again(&app, &someone, &path).await["state"], "draft");
    let generation = waits["draft"]["generation_id"].as_str().expect("an id");
    let of_history = app.get(&format!("/api/v1/generations/{generation}/skill"));
    let of_history = of_history.key(&someone.key).send().await;
    assert!(of_history.text().contains("cone 9"));
    let accepted = act(&app, &someone, &path, "accept").await;
    assert_eq!(accepted.status, 200, "{}", accepted.text());
    let after = read(&app, &someone, &path).await;
    assert_eq!(after["content"].as_str(), Some(draft));
    assert_eq!(
        (&after["id"], &after["created_at"]),
        (&original["id"], &original["created_at"])
    );
    // What changed meanwhile is found by the next look, and there is no credit left to make anything of it.
    let poor = until(&app, &someone, &path, |now| now["trouble"].is_string()).await;
    assert!(
        poor["trouble"]
            .as_str()
            .is_some_and(|words| words.contains("no credit left"))
    );
    assert_eq!(poor["state"], "changed");
    assert_eq!(history(&app, &someone).await, 2);
    // The folder says what changed from version to version, the same each time.
    let zip = zip_of(&app, &someone, &path).await;
    let files = unzipped(&zip);
    let (_, log) = files
        .iter()
        .find(|(name, _)| name.ends_with("/CHANGELOG.md"))
        .expect("a log");
    assert!(
        log.contains("## 2 (2026-11-20): made again from its source")
            && log.contains("## 1 (2026-11-20): made from its source")
            && log.contains(&format!("{HOTTER} (it said: {SLOWLY})")),
        "{log}"
    );
    assert_eq!(zip_of(&app, &someone, &path).await.body, zip.body);
    let books = app.books().await;
    assert_eq!((books.available, books.reserved, books.posted), (0, 0, 2));
}

async fn a_text_is_taken_at_once_unless_it_was_changed_by_hand(ground: Ground) {
    let app = ground.app(|_| {}).await;
    let someone = app.someone(9).await;
    let page = Page::saying(&[SLOWLY, CLOSED, SIEVE]).await;
    let path = of_page(&app, &someone, &page).await;
    put(&app, &someone, &path, "daily", "take").await;
    until(&app, &someone, &path, |now| now["looked_at"].is_string()).await;
    page.says(&[HOTTER, CLOSED, SIEVE]);
    let taken = looked_again(&app, &someone, &path).await;
    assert_eq!(taken["state"], "watching");
    let after = read(&app, &someone, &path).await;
    assert!(
        after["content"]
            .as_str()
            .is_some_and(|text| text.contains("cone 9"))
    );
    let body =
        json!({ "content": format!("{}\nMine.\n", after["content"].as_str().expect("a text")) });
    let edited = app.request("PUT", &path).key(&someone.key).json(&body);
    assert_eq!(edited.send().await.status, 200);
    page.says(&[HOTTER, CLOSED, GLASSES]);
    looked_again(&app, &someone, &path).await;
    let waits = until(&app, &someone, &path, |now| now["state"] == "draft").await;
    assert!(
        waits["draft"]["content"]
            .as_str()
            .is_some_and(|text| text.contains(GLASSES))
    );
    let kept = read(&app, &someone, &path).await;
    assert!(
        kept["content"]
            .as_str()
            .is_some_and(|text| text.ends_with("Mine.\n"))
    );
    // Made anew by other means, the draft is of no use any more.
    let again = app.post(&format!("{path}/regenerate")).key(&someone.key);
    assert_eq!(
        again.send().await.events().last().expect("an end").0,
        "complete"
    );
    accepted(&app, &someone, &path).await;
    assert_eq!(watch(&app, &someone, &path).await["state"], "watching");
    // The text is one that was made again, so it is taken again.
    page.says(&[SLOWLY, CLOSED, GLASSES]);
    looked_again(&app, &someone, &path).await;
    let last = read(&app, &someone, &path).await;
    assert!(
        last["content"]
            .as_str()
            .is_some_and(|text| text.contains("cone 6"))
    );
    assert_eq!(app.books().await.reserved, 0);
    let gone = app.request("DELETE", &path).key(&someone.key);
    assert_eq!(gone.send().await.status, 204);
    let watched = app.get(&format!("{path}/watch")).key(&someone.key);
    assert_eq!(watched.send().await.status, 404);
}

async fn a_source_that_is_gone_is_shown_and_looked_at_later_and_later(ground: Ground) {
    let app = ground.app(|_| {}).await;
    let someone = app.someone(3).await;
    let page = Page::saying(&[SLOWLY, CLOSED, SIEVE]).await;
    let path = of_page(&app, &someone, &page).await;
    let original = read(&app, &someone, &path).await;
    put(&app, &someone, &path, "daily", "take").await;
    until(&app, &someone, &path, |now| now["looked_at"].is_string()).await;
    page.is_gone();
    let day = |watch: &Value| {
        let words = watch["next_look_at"].as_str().expect("an instant");
        words
            .get(8..10)
            .expect("a day")
            .parse::<u32>()
            .expect("a day")
    };
    let first = looked_again(&app, &someone, &path).await;
    assert!(
        first["trouble"]
            .as_str()
            .is_some_and(|words| words.contains("404"))
    );
    assert_eq!(
        (first["state"].as_str(), day(&first)),
        (Some("watching"), 21)
    );
    let second = looked_again(&app, &someone, &path).await;
    let third = looked_again(&app, &someone, &path).await;
    assert_eq!((day(&second), day(&third)), (22, 24));
    assert_eq!(read(&app, &someone, &path).await, original);
    page.says(&[SLOWLY, CLOSED, SIEVE]);
    let back = looked_again(&app, &someone, &path).await;
    assert!(back["trouble"].is_null() && day(&back) == 21);
    assert_eq!(app.books().await.posted, 1);
}

async fn a_draft_that_is_dismissed_is_not_made_again(ground: Ground) {
    let app = ground.app(|_| {}).await;
    let mut ann = Browser::joined(&app, "ann@example.org").await;
    let (key, key_id) = app.key_of("ann@example.org").await;
    let someone = Someone {
        email: "ann@example.org".into(),
        key,
        key_id,
    };
    let page = Page::saying(&[SLOWLY, CLOSED, SIEVE]).await;
    let path = of_page(&app, &someone, &page).await;
    let address = path.replace("/api/skills/", "/library/");
    let view = format!("{address}?view=watch");
    let form = ann.get(&view).await;
    assert!(form.text().contains("one credit each time") && !form.text().contains("Look now"));
    let target = format!("{address}/watch");
    let chosen = [("do", "on"), ("every", "daily"), ("on_change", "draft")];
    let on = ann.post(&target, &chosen).await;
    assert_eq!(on.status, 303, "{}", on.text());
    until(&app, &someone, &path, |now| now["looked_at"].is_string()).await;
    page.says(&[HOTTER, CLOSED, SIEVE]);
    app.clock.advance(MINUTE);
    assert_eq!(ann.post(&target, &[("do", "look")]).await.status, 303);
    until(&app, &someone, &path, |now| now["state"] == "draft").await;
    let shown = ann.get(&view).await;
    for words in ["Accept it", "Keep mine", SLOWLY, HOTTER, "class=\"diff\""] {
        assert!(shown.text().contains(words), "{words}: {}", shown.text());
    }
    assert!(
        ann.get(&address)
            .await
            .text()
            .contains("a new text waits for you")
    );
    // Changed by hand meanwhile, it is shown three-way.
    assert!(!shown.text().contains("What you changed by hand"));
    let stored = read(&app, &someone, &path).await;
    let content = stored["content"].as_str().expect("a text");
    let body = json!({ "content": format!("{content}\nMine.\n") });
    let edited = app.request("PUT", &path).key(&someone.key).json(&body);
    assert_eq!(edited.send().await.status, 200);
    let shown = ann.get(&view).await;
    for words in [
        "What you changed by hand",
        "<ins>+ Mine.</ins>",
        "<del>- Mine.</del>",
        HOTTER,
    ] {
        assert!(shown.text().contains(words), "{words}: {}", shown.text());
    }
    let mut bob = Browser::joined(&app, "bob@example.org").await;
    // The forms name the draft that they show.
    let draft = watch(&app, &someone, &path).await["draft"]["generation_id"].clone();
    let draft = draft.as_str().expect("an id");
    let named = format!("<input type=\"hidden\" name=\"draft\" value=\"{draft}\">");
    assert_eq!(shown.text().matches(&named).count(), 2, "{}", shown.text());
    let accept = [("do", "accept"), ("draft", draft)];
    let other = uuid::Uuid::new_v4().to_string();
    for (unnamed, status) in [("", 400), (other.as_str(), 409)] {
        let fields = [("do", "accept"), ("draft", unnamed)];
        let refused = ann.post(&target, &fields);
        assert_eq!(refused.await.status, status);
    }
    assert_eq!(bob.post(&target, &accept).await.status, 404);
    let dismiss = [("do", "dismiss"), ("draft", draft)];
    assert_eq!(ann.post(&target, &dismiss).await.status, 303);
    let again = ann.post(&target, &accept).await;
    assert_eq!(again.status, 409);
    assert!(
        again.text().contains("another text than you were shown"),
        "{}",
        again.text()
    );
    let after = looked_again(&app, &someone, &path).await;
    assert_eq!(after["state"], "watching");
    assert_eq!(history(&app, &someone).await, 2, "the skill and one draft");
    assert_eq!(ann.post(&target, &[("do", "off")]).await.status, 303);
    assert!(ann.get(&view).await.text().contains("Watch its source"));
    app.books().await;
}

/// A skill whose source has changed, while the new text of that is made: the page answers the look, and keeps the run waiting.
async fn being_made(app: &App, someone: &Someone, page: &Page, on_change: &str) -> String {
    let path = of_page(app, someone, page).await;
    put(app, someone, &path, "daily", on_change).await;
    until(app, someone, &path, |now| now["looked_at"].is_string()).await;
    page.says(&[HOTTER, CLOSED, SIEVE]);
    page.answers(1);
    let before = page.asked.load(SeqCst);
    app.clock.advance(MINUTE);
    assert_eq!(act(app, someone, &path, "look").await.status, 200);
    page.is_asked(before + 2).await;
    until(app, someone, &path, |now| now["state"] == "making").await;
    path
}

async fn a_text_that_is_changed_by_hand_while_another_is_made_is_not_replaced(ground: Ground) {
    let app = ground.app(|_| {}).await;
    let someone = app.someone(2).await;
    let page = Page::saying(&[SLOWLY, CLOSED, SIEVE]).await;
    let path = being_made(&app, &someone, &page, "take").await;
    let stored = read(&app, &someone, &path).await;
    let content = stored["content"].as_str().expect("a text");
    let body = json!({ "content": format!("{content}\nMine.\n") });
    let edited = app.request("PUT", &path).key(&someone.key).json(&body);
    assert_eq!(edited.send().await.status, 200);
    page.answers(9);
    let waits = until(&app, &someone, &path, |now| now["state"] == "draft").await;
    assert!(
        waits["draft"]["content"]
            .as_str()
            .is_some_and(|text| text.contains("cone 9"))
    );
    let kept = read(&app, &someone, &path).await;
    assert!(
        kept["content"]
            .as_str()
            .is_some_and(|text| text.ends_with("Mine.\n"))
    );
    assert_eq!(act(&app, &someone, &path, "accept").await.status, 200);
    let books = app.books().await;
    assert_eq!((books.available, books.reserved, books.posted), (0, 0, 2));
}

async fn a_draft_outlives_the_watch_and_an_answer_is_for_the_one_that_was_shown(ground: Ground) {
    let app = ground.app(|_| {}).await;
    let someone = app.someone(9).await;
    let page = Page::saying(&[SLOWLY, CLOSED, SIEVE]).await;
    let path = being_made(&app, &someone, &page, "take").await;
    let target = format!("{path}/watch");
    let dismissed = act(&app, &someone, &path, "dismiss").await;
    assert_eq!(dismissed.refusal(), (409, "CONFLICT".into()));
    // Switched off while it is made, what was agreed to before is not taken.
    let off = async || {
        let off = app.request("DELETE", &target).key(&someone.key);
        off.send().await.status
    };
    assert_eq!((off().await, off().await), (204, 404));
    page.answers(99);
    let waits = until(&app, &someone, &path, |now| now["state"] == "draft").await;
    assert_eq!(
        (&waits["is_on"], &waits["next_look_at"]),
        (&json!(false), &Value::Null)
    );
    assert_eq!(act(&app, &someone, &path, "look").await.status, 404);
    let answer = async |action: &str, draft: &str| {
        let body = json!({ "action": action, "generation_id": draft });
        let request = app.post(&target).key(&someone.key);
        request.json(&body).send().await.status
    };
    let other = uuid::Uuid::new_v4().to_string();
    let draft = waits["draft"]["generation_id"].as_str().expect("an id");
    for action in ["accept", "dismiss"] {
        assert_eq!(answer(action, "mine").await, 400);
        assert_eq!(answer(action, &other).await, 409);
    }
    let original = read(&app, &someone, &path).await;
    assert!(
        !original["content"]
            .as_str()
            .expect("a text")
            .contains("cone 9")
    );
    assert_eq!(answer("accept", draft).await, 204);
    let after = read(&app, &someone, &path).await;
    assert!(
        after["content"]
            .as_str()
            .expect("a text")
            .contains("cone 9")
    );
    let nobody = app.get(&target).key(&someone.key).send().await;
    assert_eq!(nobody.status, 404);
    // One that waits when the watch is switched off waits on, and is there when that is switched on again.
    put(&app, &someone, &path, "daily", "draft").await;
    until(&app, &someone, &path, |now| now["looked_at"].is_string()).await;
    page.says(&[HOTTER, CLOSED, GLASSES]);
    app.clock.advance(MINUTE);
    assert_eq!(act(&app, &someone, &path, "look").await.status, 200);
    until(&app, &someone, &path, |now| now["state"] == "draft").await;
    assert_eq!(off().await, 204);
    app.clock.advance(DAY);
    let waits = until(&app, &someone, &path, |now| now["state"] == "draft").await;
    assert_eq!(waits["is_on"], false);
    let on = put(&app, &someone, &path, "weekly", "tell").await.json();
    assert_eq!(
        (&on["is_on"], &on["state"]),
        (&json!(true), &json!("draft"))
    );
    assert_eq!(act(&app, &someone, &path, "dismiss").await.status, 200);
    let books = app.books().await;
    assert_eq!((books.available, books.reserved, books.posted), (6, 0, 3));
}

#[tokio::test]
async fn to_wait_for_another_look_of_the_account_is_no_failure_of_the_source() {
    let app = App::with(|settings| {
        settings.looks.deadline_s = 2;
        settings.limits.other_per_minute = 1_000_000;
    })
    .await;
    let someone = app.someone(2).await;
    let silent = Page::saying(&[SLOWLY, CLOSED, SIEVE]).await;
    let page = Page::saying(&[SLOWLY, CLOSED, SIEVE]).await;
    let first = of_page(&app, &someone, &silent).await;
    app.clock.advance(MINUTE);
    let second = of_page(&app, &someone, &page).await;
    silent.answers(0);
    let before = silent.asked.load(SeqCst);
    put(&app, &someone, &first, "daily", "tell").await;
    silent.is_asked(before + 1).await;
    put(&app, &someone, &second, "daily", "tell").await;
    let failed = until(&app, &someone, &first, |now| now["trouble"].is_string()).await;
    assert!(failed["looked_at"].is_string(), "{failed:#}");
    app.clock.advance(5 * MINUTE);
    let looked = |now: &Value| now["looked_at"].is_string() || now["trouble"].is_string();
    let waited = until(&app, &someone, &second, looked).await;
    assert_eq!(waited["trouble"], Value::Null);
}

#[tokio::test]
async fn only_addresses_of_ones_own_skills_are_watched_and_as_often_as_the_service_offers() {
    let app = App::with(|settings| {
        settings.watches.least_interval_h = 48;
        settings.watches.per_account = 1;
        settings.limits.other_per_minute = 1_000_000;
    })
    .await;
    let someone = app.someone(9).await;
    let (_, of_text) = made(&app, &someone).await;
    let refused = put(&app, &someone, &of_text, "weekly", "tell").await;
    assert_eq!(refused.refusal(), (400, "VALIDATION_ERROR".into()));
    assert!(
        refused.text().contains("made of a text"),
        "{}",
        refused.text()
    );
    let page = Page::saying(&[SLOWLY, CLOSED, SIEVE]).await;
    let path = of_page(&app, &someone, &page).await;
    let daily = put(&app, &someone, &path, "daily", "tell").await;
    assert!(daily.status == 400 && daily.text().contains("the most is weekly"));
    for (every, on_change) in [("hourly", "tell"), ("weekly", "delete")] {
        assert_eq!(
            put(&app, &someone, &path, every, on_change).await.status,
            400
        );
    }
    let other = app.someone(1).await;
    assert_eq!(put(&app, &other, &path, "weekly", "tell").await.status, 404);
    assert_eq!(
        put(&app, &someone, &path, "weekly", "tell").await.status,
        200
    );
    assert_eq!(act(&app, &someone, &path, "shred").await.status, 400);
    let second = of_page(&app, &someone, &page).await;
    let too_many = put(&app, &someone, &second, "weekly", "tell").await;
    assert!(too_many.status == 400 && too_many.text().contains("at most 1"));
    let share = app.post(&format!("{path}/share")).key(&someone.key);
    share.json(&json!({ "is_public": true })).send().await;
    let copy = app.post(&format!("{path}/duplicate")).key(&other.key);
    let copy = copy.send().await.json();
    let copy = format!("/api/skills/{}", copy["id"].as_str().expect("an id"));
    let not_ours = put(&app, &other, &copy, "weekly", "tell").await;
    assert!(not_ours.status == 400 && not_ours.text().contains("somebody else's"));
}

#[tokio::test]
async fn an_address_that_has_become_private_is_not_looked_at() {
    let home = TempDir::new().expect("a folder");
    std::fs::write(home.path().join("pepper"), "5e".repeat(32)).expect("written");
    let with = |allowed: bool| {
        let folder = home.path().to_owned();
        move |settings: &mut Settings| {
            settings.database.url = format!("sqlite://{}", folder.join("kept.db").display());
            settings.auth.pepper_file = folder.join("pepper");
            settings.limits.other_per_minute = 1_000_000;
            settings.fetch.allow_private_addresses = allowed;
        }
    };
    let app = App::with(with(true)).await;
    let someone = app.someone(2).await;
    let page = Page::saying(&[SLOWLY, CLOSED, SIEVE]).await;
    let path = of_page(&app, &someone, &page).await;
    put(&app, &someone, &path, "daily", "draft").await;
    until(&app, &someone, &path, |now| now["looked_at"].is_string()).await;
    drop(app);
    page.says(&[HOTTER, CLOSED, SIEVE]);
    let app = App::with(with(false)).await;
    app.clock.advance(DAY);
    let refused = until(&app, &someone, &path, |now| now["trouble"].is_string()).await;
    assert!(
        refused["trouble"]
            .as_str()
            .is_some_and(|words| words.contains("public")),
        "{refused:#}"
    );
    assert_eq!(history(&app, &someone).await, 1);
}
