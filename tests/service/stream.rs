//! Uploads, and a generation told as events (interface part 6; decisions 29 to 33).

use crate::generate::TEXT;
use crate::ops::PAGE;
use crate::postgres::FreshDatabase;
use crate::redis_server::Redis;
use crate::support::app::{App, Someone};
use crate::support::client::{Answer, Part, Request};
use crate::support::site::Site;
use serde_json::{Value, json};
use skillkiln::config::Role;
use skillkiln::config::outside::{BlobHome, Writer};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

async fn upload(app: &App, someone: &Someone, parts: &[Part<'_>]) -> Answer {
    app.post("/api/upload")
        .key(&someone.key)
        .form(parts)
        .send()
        .await
}

async fn uploaded(app: &App, someone: &Someone) -> String {
    let answer = upload(
        app,
        someone,
        &[Part::File("files", "kiln.md", TEXT.as_bytes())],
    )
    .await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["sources"][0]["id"]
        .as_str()
        .expect("an id")
        .to_owned()
}

fn generate(app: &App, someone: &Someone, body: &Value) -> Request {
    app.post("/api/generate").key(&someone.key).json(body)
}

fn names(events: &[(String, Value)]) -> Vec<&str> {
    events.iter().map(|(name, _)| name.as_str()).collect()
}

#[tokio::test]
async fn uploaded_files_become_sources_with_exactly_their_fields() {
    let app = App::start().await;
    let someone = app.someone(0).await;
    let parts = [
        Part::File("files", "../My Kiln.MD", TEXT.as_bytes()),
        Part::File("files", "notes.txt", b"plain notes"),
        Part::Text("other", "x"),
    ];
    let answer = upload(&app, &someone, &parts).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let json = answer.json();
    let sources = json["sources"].as_array().expect("sources");
    let members: Vec<&String> = sources[0].as_object().expect("an object").keys().collect();
    assert_eq!(members, ["id", "filename", "type", "size", "status"]);
    assert!(
        sources[0]["id"]
            .as_str()
            .is_some_and(|id| id.starts_with("src_") && id.len() == 30)
    );
    assert_eq!(
        (
            &sources[0]["filename"],
            &sources[0]["type"],
            &sources[0]["status"]
        ),
        (&"My Kiln.MD".into(), &"md".into(), &"uploaded".into())
    );
    assert_eq!(
        (&sources[1]["type"], &sources[1]["size"]),
        (&"txt".into(), &11.into())
    );
}

#[tokio::test]
async fn an_upload_that_cannot_be_is_refused_whole() {
    let app = App::with(|settings| settings.uploads.file_bytes_max = 1_000).await;
    let someone = app.someone(0).await;
    let file = || Part::File("files", "a.md", b"# A");
    let eleven: Vec<Part<'_>> = (0..11).map(|_| file()).collect();
    for parts in [
        vec![],
        vec![Part::Text("other", "x")],
        vec![Part::Text("files", "x")],
        vec![file(), Part::File("files", "b.md", b"")],
        eleven,
    ] {
        let answer = upload(&app, &someone, &parts).await;
        assert_eq!(answer.refusal(), (400, "VALIDATION_ERROR".into()));
    }
    let large = upload(
        &app,
        &someone,
        &[file(), Part::File("files", "b.md", &[b'x'; 1_001])],
    )
    .await;
    assert_eq!(large.refusal(), (413, "PAYLOAD_TOO_LARGE".into()));
}

#[tokio::test]
async fn a_generation_is_told_stage_by_stage_and_ends_in_the_library() {
    let app = App::start().await;
    let someone = app.someone(2).await;
    let id = uploaded(&app, &someone).await;
    let answer = generate(
        &app,
        &someone,
        &json!({ "source_ids": [id], "name": "", "description": " ", "category": "" }),
    )
    .send()
    .await;
    assert_eq!(
        (answer.status, answer.header("content-type")),
        (200, Some("text/event-stream")),
        "{}",
        answer.text()
    );
    assert_eq!(answer.number("x-ratelimit-limit"), 10);
    let events = answer.events();
    assert_eq!(
        names(&events),
        ["progress", "progress", "progress", "complete"],
        "{events:?}"
    );
    let stages: Vec<&Value> = events[..3].iter().map(|(_, data)| &data["stage"]).collect();
    assert_eq!(stages, ["extracting", "synthesizing", "validating"]);
    assert!(events[..3].iter().all(|(_, data)| {
        data["message"]
            .as_str()
            .is_some_and(|message| !message.is_empty())
    }));
    let complete = &events[3].1;
    let members: Vec<&String> = complete.as_object().expect("an object").keys().collect();
    assert_eq!(members, ["skill_id", "validation"]);
    let members: Vec<&String> = complete["validation"]
        .as_object()
        .expect("an object")
        .keys()
        .collect();
    assert_eq!(members, ["errors", "warnings"]);
    let path = format!(
        "/api/skills/{}",
        complete["skill_id"].as_str().expect("an id")
    );
    let skill = app.get(&path).key(&someone.key).send().await;
    assert_eq!(skill.status, 200);
    assert_eq!(
        skill.json()["validation"]["errors"],
        complete["validation"]["errors"]
    );
    assert_eq!(app.books().await.posted, 1);
}

#[tokio::test]
async fn what_fails_before_the_stream_is_an_ordinary_answer() {
    let app = App::start().await;
    let (someone, stranger) = (app.someone(0).await, app.someone(1).await);
    let id = uploaded(&app, &someone).await;
    let broke = generate(&app, &someone, &json!({ "source_ids": [id] }))
        .send()
        .await;
    assert_eq!(broke.refusal(), (402, "INSUFFICIENT_CREDITS".into()));
    let theirs = generate(&app, &stranger, &json!({ "source_ids": [id] }))
        .send()
        .await;
    let unknown = generate(
        &app,
        &stranger,
        &json!({ "source_ids": ["src_00000000000000000000000000"] }),
    )
    .send()
    .await;
    let malformed = generate(&app, &stranger, &json!({ "source_ids": ["nonsense"] }))
        .send()
        .await;
    assert_eq!(theirs.refusal(), (404, "NOT_FOUND".into()));
    assert_eq!(
        (theirs.text(), theirs.text()),
        (unknown.text(), malformed.text()),
        "byte for byte"
    );
}

#[tokio::test]
async fn a_failure_is_the_last_event_after_the_refund() {
    let app = App::start().await;
    let someone = app.someone(1).await;
    let answer = upload(
        &app,
        &someone,
        &[Part::File(
            "files",
            "broken.pdf",
            b"%PDF-1.7\nthis is no document",
        )],
    )
    .await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let id = answer.json()["sources"][0]["id"].clone();
    let events = generate(&app, &someone, &json!({ "source_ids": [id] }))
        .send()
        .await
        .events();
    let (name, data) = events.last().expect("an event");
    assert_eq!(name, "error", "{events:?}");
    assert_eq!(data["error"]["code"], "GENERATION_FAILED");
    assert!(
        data["error"]["message"]
            .as_str()
            .is_some_and(|message| !message.is_empty())
    );
    assert_eq!(
        names(&events)
            .iter()
            .filter(|name| **name != "progress")
            .count(),
        1,
        "one end"
    );
    let books = app.books().await;
    assert_eq!((books.available, books.reserved), (1, 0));
}

#[tokio::test]
async fn a_stream_asked_for_again_under_its_key_tells_the_same_and_is_charged_once() {
    let app = App::start().await;
    let someone = app.someone(2).await;
    let id = uploaded(&app, &someone).await;
    let send = |body: Value| {
        generate(&app, &someone, &body)
            .header("Idempotency-Key", "k")
            .send()
    };
    let first = send(json!({ "source_ids": [id] })).await;
    let again = send(json!({ "source_ids": [id] })).await;
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(again.events(), first.events());
    let other = send(json!({ "source_ids": [id], "name": "Other" })).await;
    assert_eq!(other.refusal(), (400, "VALIDATION_ERROR".into()));
    assert_eq!(app.books().await.posted, 1);
}

/// A generation of the account that waits for its turn, because another one is held up; and what holds that up.
async fn queued(app: &App, someone: &Someone) -> (Site, TcpStream, TcpStream, String) {
    let site = Site::start(&[("/slow/kiln", 200, PAGE)]).await;
    let id = uploaded(app, someone).await;
    let page = site.page("/slow/kiln");
    let first = app
        .post("/api/v1/generate")
        .key(&someone.key)
        .form(&[Part::Text("source", &page)])
        .open()
        .await;
    for _ in 0..20_000 {
        let history = app.get("/api/v1/generations").key(&someone.key);
        if history.send().await.json()["generations"][0]["status"] == "running" {
            break;
        }
    }
    let (stream, heard) = waiting(app, someone, &id).await;
    assert!(
        heard.starts_with("HTTP/1.1 200") && !heard.contains("event:"),
        "{heard}"
    );
    (site, first, stream, id)
}

/// A stream about a run that waits for its turn, ordered under the key `k`, and what it said until its first ping.
async fn waiting(app: &App, someone: &Someone, id: &str) -> (TcpStream, String) {
    let order = generate(app, someone, &json!({ "source_ids": [id] }));
    let mut stream = order.header("Idempotency-Key", "k").open().await;
    let mut heard = vec![];
    while !String::from_utf8_lossy(&heard).contains(": ping\n\n") {
        let read = stream.read_buf(&mut heard).await.expect("a first byte");
        assert!(read > 0, "{}", String::from_utf8_lossy(&heard));
    }
    (stream, String::from_utf8_lossy(&heard).into_owned())
}

async fn narrow() -> App {
    App::with(|settings| {
        settings.limits.running_per_account = 1;
        settings.limits.other_per_minute = 100_000;
    })
    .await
}

async fn rest_of(mut stream: TcpStream) -> String {
    let mut rest = vec![];
    let _ = stream.read_to_end(&mut rest).await;
    String::from_utf8_lossy(&rest).into_owned()
}

#[tokio::test]
async fn a_stream_that_waits_for_its_turn_begins_at_once_and_then_tells_everything() {
    let app = narrow().await;
    let someone = app.someone(2).await;
    let (site, _first, stream, _) = queued(&app, &someone).await;
    site.let_go();
    let rest = rest_of(stream).await;
    assert_eq!(rest.matches("event: progress").count(), 3, "{rest}");
    assert_eq!(rest.matches("event: complete").count(), 1, "{rest}");
}

#[tokio::test]
async fn a_stream_asked_for_again_while_the_run_goes_on_is_joined_and_nothing_is_charged_again() {
    let app = narrow().await;
    let someone = app.someone(3).await;
    let (site, _first, stream, id) = queued(&app, &someone).await;
    let (joined, heard) = waiting(&app, &someone, &id).await;
    assert!(
        heard.to_lowercase().contains("idempotent-replayed: true"),
        "{heard}"
    );
    site.let_go();
    let (all, again) = (rest_of(stream).await, rest_of(joined).await);
    let events = |text: &str| -> Vec<String> {
        let told = text
            .lines()
            .filter(|line| line.starts_with("event:") || line.starts_with("data:"));
        told.map(str::to_owned).collect()
    };
    assert_eq!(events(&again), events(&all));
    assert_eq!(events(&all).len(), 8, "{all}");
    let books = app.books().await;
    assert_eq!((books.available, books.reserved, books.posted), (1, 0, 2));
}

#[tokio::test]
async fn a_service_that_stops_ends_an_open_stream_with_an_error_event_after_the_refund() {
    let mut app = narrow().await;
    let someone = app.someone(2).await;
    let (_site, first, stream, _) = queued(&app, &someone).await;
    app.stop();
    let rest = rest_of(stream).await;
    assert_eq!(rest.matches("event: error").count(), 1, "{rest}");
    assert!(!rest.contains("event: complete"), "{rest}");
    drop(first);
    assert!(app.ended());
    let books = app.books().await;
    assert_eq!((books.available, books.reserved, books.posted), (2, 0, 0));
}

#[tokio::test]
async fn a_client_of_http_1_0_reads_the_events_and_nothing_between_them() {
    let app = App::start().await;
    let someone = app.someone(2).await;
    let id = uploaded(&app, &someone).await;
    let body = json!({ "source_ids": [id] }).to_string();
    let mut connection = TcpStream::connect(app.public).await.expect("a connection");
    let head = format!(
        "POST /api/generate HTTP/1.0\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\nConnection: keep-alive\r\nContent-Length: {}\r\n\r\n",
        someone.key,
        body.len()
    );
    let sent = connection.write_all((head + &body).as_bytes()).await;
    sent.expect("it is sent");
    let mut answer = String::new();
    let read = connection.read_to_string(&mut answer).await;
    read.expect("the connection ends with the stream");
    let (head, stream) = answer.split_once("\r\n\r\n").expect("a head");
    let head = head.to_ascii_lowercase();
    assert!(head.starts_with("http/1.0 200"), "{head}");
    assert!(
        !head.contains("chunked") && !head.contains("keep-alive"),
        "{head}"
    );
    assert!(stream.starts_with("event: progress\ndata: {"), "{stream}");
    let last = stream.trim_end().lines().nth_back(1);
    assert_eq!(last, Some("event: complete"), "{stream}");
}

#[tokio::test]
async fn five_hundred_streams_opened_at_once_all_get_their_first_byte() {
    const STREAMS: u32 = 500;
    let app = App::with(|settings| settings.limits.generate_per_minute = 1_000_000).await;
    let someone = app.someone(STREAMS).await;
    let source = uploaded(&app, &someone).await;
    let body = json!({ "source_ids": [source] });
    let opened = (0..STREAMS).map(|_| async {
        let mut stream = generate(&app, &someone, &body).open().await;
        let mut head = Vec::new();
        let mut piece = [0; 1_024];
        while !head.windows(6).any(|bytes| bytes == b"event:") {
            let read = stream.read(&mut piece).await.expect("bytes");
            assert!(read > 0, "{}", String::from_utf8_lossy(&head));
            head.extend_from_slice(&piece[..read]);
        }
        assert!(head.starts_with(b"HTTP/1.1 200 "));
        stream
    });
    // Nobody leaves before everybody has heard something.
    let streams = futures_util::future::join_all(opened).await;
    assert_eq!(streams.len(), STREAMS as usize);
}

/// The run gets no further than its worker's model before Redis dies, so that what follows is called out to nobody. That it has begun the
/// store knows as well: nodes that have just joined may have missed more.
#[tokio::test]
async fn redis_killed_between_two_events_takes_no_end_from_who_follows_on_another_node() {
    let (database, mut redis) = (FreshDatabase::new().await, Redis::start());
    let secrets = TempDir::new().expect("a folder");
    let pepper = secrets.path().join("pepper");
    std::fs::write(&pepper, "5e".repeat(32)).expect("written");
    let site = Site::start(&[("/slow", 200, PAGE)]).await;
    let node = async |role| {
        App::with(|settings| {
            settings.database.url = database.url();
            settings.database.pool_size = 3;
            settings.cluster.url = redis.url();
            settings.blobs.home = BlobHome::Database;
            settings.auth.pepper_file = pepper.clone();
            settings.server.role = role;
            settings.model.provider = Writer::OpenAi;
            settings.model.base_url = site.page("/slow");
            settings.model.attempts_max = 1;
        })
        .await
    };
    let (api, _worker) = (node(Role::Api).await, node(Role::Worker).await);
    let someone = api.someone(2).await;
    for comes_back in [false, true] {
        site.hold();
        let id = uploaded(&api, &someone).await;
        let order = generate(&api, &someone, &json!({ "source_ids": [id] }));
        let mut stream = order.open().await;
        let mut heard = vec![];
        while !String::from_utf8_lossy(&heard).contains("extracting") {
            let read = stream.read_buf(&mut heard).await.expect("it is told");
            assert!(read > 0, "{}", String::from_utf8_lossy(&heard));
        }
        redis.kill();
        if comes_back {
            redis.start_again();
        }
        site.let_go();
        stream.read_to_end(&mut heard).await.expect("it ends");
        let heard = String::from_utf8_lossy(&heard);
        let frames = heard.split("event: ").skip(1);
        let told: Vec<&str> = frames
            .map(|frame| match frame.split_once("\"stage\":\"") {
                Some((_, stage)) => stage.split('"').next().expect("a stage"),
                None => frame.lines().next().expect("a name"),
            })
            .collect();
        // What was called out to nobody may be missing; nothing comes twice or too late.
        let all = ["extracting", "synthesizing", "validating", "complete"];
        let in_order: Vec<&str> = all.into_iter().filter(|it| told.contains(it)).collect();
        assert_eq!(told, in_order, "{heard}");
        assert_eq!(told.last(), Some(&"complete"), "{heard}");
        if !comes_back {
            redis.start_again();
        }
    }
    // Without an answer of the model it is the draft that is delivered, and the credit comes back.
    let books = api.books().await;
    assert_eq!((books.available, books.reserved, books.posted), (2, 0, 0));
}
