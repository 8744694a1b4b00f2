//! How bodies are read: bounded, patient for a while, never trusting (decisions 2, 6, 19, 29, 56).

use crate::generate::TEXT;
use crate::support::app::{App, Someone};
use crate::support::client::{Answer, Part};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::timeout;

const FREE: &str = "/api/v1/detect-topics";

/// The service with small bounds, so that a test need not send megabytes.
async fn small() -> (App, Someone) {
    let app = App::with(|settings| {
        settings.uploads.file_bytes_max = 20_000;
        settings.uploads.request_bytes_max = 50_000;
        settings.uploads.text_bytes_max = 10_000;
        settings.limits.generate_per_minute = 1_000;
        settings.limits.other_per_minute = 1_000;
    })
    .await;
    let someone = app.someone(3).await;
    (app, someone)
}

async fn untouched(app: &App, someone: &Someone) {
    let answer = app.get("/api/credits").key(&someone.key).send().await;
    assert_eq!(answer.json()["credits"], 3, "nothing was charged");
    let books = app.books().await;
    assert_eq!((books.available, books.reserved, books.posted), (3, 0, 0));
}

fn validation(answer: &Answer) -> bool {
    answer.refusal() == (400, "VALIDATION_ERROR".into())
}

#[tokio::test]
async fn another_content_type_is_400_on_rest_and_415_on_the_application_surface() {
    let (app, someone) = small().await;
    for path in ["/api/v1/generate", FREE, "/api/v1/generate/catalogue"] {
        for (media_type, body) in [
            ("application/json", r#"{"source":"x"}"#),
            ("application/x-www-form-urlencoded", "source=x"),
            ("text/plain", "x"),
            ("multipart/mixed; boundary=B", "x"),
            ("nonsense", "x"),
        ] {
            let answer = app
                .post(path)
                .key(&someone.key)
                .body(media_type, body)
                .send()
                .await;
            assert!(validation(&answer), "{path} {media_type}");
        }
        assert!(
            validation(&app.post(path).key(&someone.key).send().await),
            "{path} without a body"
        );
    }
    for (path, media_type) in [
        ("/api/upload", "application/json"),
        ("/api/generate", "multipart/form-data; boundary=B"),
        ("/api/generate", "text/plain"),
    ] {
        let answer = app
            .post(path)
            .key(&someone.key)
            .body(media_type, "{}")
            .send()
            .await;
        assert_eq!(
            answer.refusal(),
            (415, "UNSUPPORTED_MEDIA_TYPE".into()),
            "{path}"
        );
    }
    untouched(&app, &someone).await;
}

#[tokio::test]
async fn a_compressed_body_is_refused_unread() {
    let (app, someone) = small().await;
    let form = |path: &str| {
        app.post(path)
            .key(&someone.key)
            .form(&[Part::Text("source", "x")])
    };
    for encoding in ["gzip", "br", "deflate", "zstd", "gzip, identity"] {
        let answer = form("/api/v1/generate")
            .header("Content-Encoding", encoding)
            .send()
            .await;
        assert!(validation(&answer), "{encoding}");
        let answer = form("/api/upload")
            .header("Content-Encoding", encoding)
            .send()
            .await;
        assert_eq!(answer.status, 415, "{encoding}");
    }
    untouched(&app, &someone).await;
}

#[tokio::test]
async fn a_truncated_or_hostile_form_is_400_and_costs_nothing() {
    let (app, someone) = small().await;
    let head = "--B\r\nContent-Disposition: form-data; name=\"source\"\r\n\r\n";
    for body in [
        String::new(),
        "nonsense".into(),
        "--B".into(),
        "--B--".into(),
        "--B\r\n".into(),
        "--B--\r\n".into(),
        head.into(),
        format!("{head}text without an end"),
        format!("{head}text\r\n--B"),
        format!("{head}text\r\n--C--\r\n"),
        "--B\r\nContent-Disposition: form-data\r\n\r\nx\r\n--B--\r\n".into(),
        "--B\r\nContent-Disposition: attachment; name=\"source\"\r\n\r\nx\r\n--B--\r\n".into(),
        "--B\r\n\r\nx\r\n--B--\r\n".into(),
        "--B\r\nContent-Disposition: form-data; name=\"source\"\r\nContent-Length: 99999\r\n\r\nx\r\n--B--\r\n".into(),
        "--B\r\nContent-Type: multipart/mixed; boundary=C\r\nContent-Disposition: form-data; name=\"source\"\r\n\r\n--C\r\n\r\nx\r\n--C--\r\n--B--\r\n".into(),
        format!("--B\r\n{}\r\n\r\nx\r\n--B--\r\n", "X: y\r\n".repeat(100)),
        format!("--B\r\nX: {}", "y".repeat(40_000)),
        "--B\r\nContent-Disposition: form-data; name=\"other\"\r\n\r\nx\r\n".repeat(600) + "--B--\r\n",
    ] {
        let answer = app.post("/api/v1/generate").key(&someone.key).body("multipart/form-data; boundary=B", body.clone()).send().await;
        assert!(validation(&answer), "{} {:?}", answer.status, body.chars().take(120).collect::<String>());
    }
    for media_type in [
        "multipart/form-data",
        "multipart/form-data; boundary=",
        "multipart/form-data; boundary=\"\"",
    ] {
        let answer = app
            .post("/api/v1/generate")
            .key(&someone.key)
            .body(media_type, format!("{head}x\r\n--B--\r\n"))
            .send()
            .await;
        assert!(validation(&answer), "{media_type}");
        assert!(answer.text().contains("boundary"), "{}", answer.text());
    }
    untouched(&app, &someone).await;
}

#[tokio::test]
async fn max_pages_is_a_small_whole_number_and_for_web_addresses_only() {
    let (app, someone) = small().await;
    for (source, pages) in [
        ("https://example.com/docs/", "0"),
        ("https://example.com/docs/", "51"),
        ("https://example.com/docs/", "-1"),
        ("https://example.com/docs/", "many"),
        ("https://example.com/docs/", "1.5"),
        (
            "Use the kiln to fire pots. Close the lid first, and keep it closed until the gauge is below 200 degrees again.",
            "2",
        ),
    ] {
        for path in ["/api/v1/generate", FREE] {
            let answer = app
                .post(path)
                .key(&someone.key)
                .form(&[Part::Text("source", source), Part::Text("max_pages", pages)])
                .send()
                .await;
            assert!(validation(&answer), "{path} {source} {pages}");
            assert!(answer.text().contains("max_pages"), "{}", answer.text());
        }
    }
    untouched(&app, &someone).await;
}

#[tokio::test]
async fn an_unknown_kind_of_source_is_400_with_the_list() {
    let (app, someone) = small().await;
    for path in ["/api/v1/generate", "/api/v1/generate/catalogue"] {
        let answer = app
            .post(path)
            .key(&someone.key)
            .form(&[
                Part::Text("source", TEXT),
                Part::Text("selected_topics", r#"[{"topicName":"Kiln","slug":"kiln"}]"#),
                Part::Text("kind", "poem"),
            ])
            .send()
            .await;
        assert!(validation(&answer), "{path}");
        let words = answer.text();
        assert!(
            words.contains("poem") && words.contains("change-log"),
            "{words}"
        );
    }
    let order = serde_json::json!({ "source_ids": ["src_x"], "kind": "poem" });
    let request = app.post("/api/generate").key(&someone.key).json(&order);
    assert!(validation(&request.send().await));
    untouched(&app, &someone).await;
}

#[tokio::test]
async fn a_field_sent_twice_is_400_and_unknown_fields_are_ignored() {
    let (app, someone) = small().await;
    let send = |parts: Vec<Part<'static>>| {
        app.post("/api/v1/generate")
            .key(&someone.key)
            .form(&parts)
            .send()
    };
    for twice in [
        vec![Part::Text("source", "a b c"), Part::Text("source", "a b c")],
        vec![
            Part::Text("source", "a b c"),
            Part::File("source", "a.md", b"# A"),
        ],
        vec![
            Part::Text("source", "a b c"),
            Part::Text("name", "x"),
            Part::Text("name", "x"),
        ],
        vec![
            Part::Text("source", "a b c"),
            Part::Text("source_type", "text"),
            Part::Text("source_type", "text"),
        ],
    ] {
        assert!(validation(&send(twice).await));
    }
    untouched(&app, &someone).await;
    let broke = app.someone(0).await;
    let known = app
        .post("/api/v1/generate")
        .key(&broke.key)
        .form(&[
            Part::Text("source", TEXT),
            Part::Text("x", "1"),
            Part::Text("x", "2"),
            Part::File("y", "y.bin", b"\0\xff"),
        ])
        .send()
        .await;
    assert_eq!(known.status, 402, "nothing wrong but the balance");
}

#[tokio::test]
async fn a_text_that_is_too_long_is_400_and_a_file_that_is_too_large_413() {
    let (app, someone) = small().await;
    let send = |part: Part<'_>| {
        app.post("/api/v1/generate")
            .key(&someone.key)
            .form(&[part])
            .send()
    };
    assert!(validation(
        &send(Part::Text("source", &"x ".repeat(5_001))).await
    ));
    let long = format!("https://example.org/{}", "x".repeat(2_048));
    assert!(
        validation(&send(Part::Text("source", &long)).await),
        "an address"
    );
    let file = send(Part::File("source", "a.md", &vec![b'x'; 20_001])).await;
    assert_eq!(file.refusal(), (413, "VALIDATION_ERROR".into()));
    let body = send(Part::File("other", "a.md", &vec![b'x'; 50_000])).await;
    assert_eq!(
        body.refusal(),
        (413, "VALIDATION_ERROR".into()),
        "the whole body"
    );
    assert!(
        validation(&send(Part::File("source", "a.md", b"")).await),
        "an empty file"
    );
    untouched(&app, &someone).await;
}

#[tokio::test]
async fn a_body_announced_as_too_large_is_refused_unread() {
    let (app, someone) = small().await;
    // Nothing of the body is ever sent: an answer at all is the proof.
    for (path, refusal) in [
        ("/api/v1/generate", (413, "VALIDATION_ERROR")),
        ("/api/upload", (413, "PAYLOAD_TOO_LARGE")),
    ] {
        let answer = app
            .post(path)
            .key(&someone.key)
            .header("Content-Type", "multipart/form-data; boundary=B")
            .without_length()
            .header("Content-Length", "50001")
            .send()
            .await;
        assert_eq!(
            answer.refusal(),
            (refusal.0, refusal.1.to_owned()),
            "{path}"
        );
    }
    untouched(&app, &someone).await;
}

#[tokio::test]
async fn a_chunked_body_is_bounded_while_it_is_read() {
    let (app, someone) = small().await;
    let request = app
        .post("/api/v1/generate")
        .key(&someone.key)
        .header("Content-Type", "multipart/form-data; boundary=B")
        .header("Transfer-Encoding", "chunked")
        .without_length();
    let mut connection = request.open().await;
    let head = "--B\r\nContent-Disposition: form-data; name=\"other\"\r\n\r\n";
    let _ = connection
        .write_all(format!("{:x}\r\n{head}\r\n", head.len()).as_bytes())
        .await;
    let chunk = format!("{:x}\r\n{}\r\n", 1_000, "x".repeat(1_000));
    let mut sent = 0;
    // An endless body: it must be cut off long before a hundred times the bound.
    while sent < 5_000_000 && connection.write_all(chunk.as_bytes()).await.is_ok() {
        sent += 1_000;
        let mut byte = [0];
        let peeked = timeout(Duration::from_millis(1), connection.peek(&mut byte)).await;
        if peeked.is_ok() {
            break;
        }
    }
    let mut answer = vec![];
    let _ = connection.read_to_end(&mut answer).await;
    assert!(
        answer.starts_with(b"HTTP/1.1 413 "),
        "{:?}",
        String::from_utf8_lossy(&answer)
    );
    untouched(&app, &someone).await;
}

#[tokio::test]
async fn a_body_that_stalls_is_given_up_with_408() {
    let app = App::with(|settings| settings.uploads.idle_s = 1).await;
    let someone = app.someone(3).await;
    let answer = app
        .post("/api/v1/generate")
        .key(&someone.key)
        .body(
            "multipart/form-data; boundary=B",
            "--B\r\nContent-Disposition",
        )
        .without_length()
        .header("Content-Length", "500")
        .send()
        .await;
    assert_eq!(answer.refusal(), (408, "VALIDATION_ERROR".into()));
    untouched(&app, &someone).await;
}

#[tokio::test]
async fn a_client_that_leaves_in_the_middle_of_a_body_costs_nothing() {
    let (app, someone) = small().await;
    let request = app
        .post("/api/v1/generate")
        .key(&someone.key)
        .body(
            "multipart/form-data; boundary=B",
            "--B\r\nContent-Disposition: form-data; name=\"source\"\r\n\r\nsome text",
        )
        .without_length()
        .header("Content-Length", "500");
    drop(request.open().await);
    untouched(&app, &someone).await;
}

#[tokio::test]
async fn text_that_is_not_utf_8_is_400() {
    let (app, someone) = small().await;
    let mut body =
        b"--B\r\nContent-Disposition: form-data; name=\"source\"\r\n\r\n\xff\xfe\xfd".to_vec();
    body.extend_from_slice(b"\r\n--B--\r\n");
    let answer = app
        .post("/api/v1/generate")
        .key(&someone.key)
        .body("multipart/form-data; boundary=B", body)
        .send()
        .await;
    assert!(validation(&answer));
    let nul = app
        .post("/api/v1/generate")
        .key(&someone.key)
        .form(&[Part::Text("source", "a\0b")])
        .send()
        .await;
    assert!(validation(&nul));
    untouched(&app, &someone).await;
}

#[tokio::test]
async fn a_malformed_json_body_is_400() {
    let (app, someone) = small().await;
    for body in [
        "",
        "{",
        "[]",
        "null",
        "7",
        "{}",
        r#"{"source_ids":null}"#,
        r#"{"source_ids":"src_x"}"#,
        r#"{"source_ids":[]}"#,
        r#"{"source_ids":[7]}"#,
        r#"{"source_ids":["a"],"source_ids":["b"]}"#,
        r#"{"source_ids":["a"],"name":7}"#,
        r#"{"source_ids":["a","a"]}"#,
        "\u{feff}{}",
        &format!("{}1", "[".repeat(10_000)),
        &format!(r#"{{"source_ids":["a"],"category":"{}"}}"#, "x".repeat(65)),
        &format!(
            r#"{{"source_ids":["a"],"description":"{}"}}"#,
            "x".repeat(1_025)
        ),
        &format!(r#"{{"source_ids":["a"],"name":"{}"}}"#, "x".repeat(201)),
        r#"{"source_ids":["1","2","3","4","5","6","7","8","9","10","11"]}"#,
    ] {
        let answer = app
            .post("/api/generate")
            .key(&someone.key)
            .body("application/json", body)
            .send()
            .await;
        assert!(
            validation(&answer),
            "{} {}",
            answer.status,
            body.chars().take(80).collect::<String>()
        );
    }
    let large = format!(r#"{{"source_ids":["a"],"x":"{}"}}"#, "x".repeat(100_000));
    let answer = app
        .post("/api/generate")
        .key(&someone.key)
        .body("application/json", large)
        .send()
        .await;
    assert_eq!(answer.refusal(), (413, "PAYLOAD_TOO_LARGE".into()));
    untouched(&app, &someone).await;
}

/// Sends a byte now and then until it is answered, and answers that.
async fn drip(mut connection: TcpStream) -> String {
    let mut answer = vec![];
    loop {
        let next = timeout(DRIP, connection.read_buf(&mut answer)).await;
        match next {
            Ok(Ok(read)) if read > 0 => {}
            Ok(_) => return String::from_utf8_lossy(&answer).into_owned(),
            Err(_) => {
                let _ = connection.write_all(b" ").await;
            }
        }
    }
}

const DRIP: Duration = Duration::from_millis(100);

/// Each byte comes soon enough, and the whole never does.
#[tokio::test]
async fn bodies_that_come_byte_by_byte_are_given_up_with_408_on_every_route_and_keep_nobody_waiting()
 {
    const EACH: usize = 20;
    let app = App::with(|settings| {
        settings.uploads.idle_s = 60;
        settings.uploads.total_s = 2;
        settings.limits.generate_per_minute = 1_000;
        settings.limits.other_per_minute = 1_000;
    })
    .await;
    let someone = app.someone(3).await;
    let (form, json) = ("multipart/form-data; boundary=B", "application/json");
    let (part, file) = (
        "--B\r\nContent-Disposition: form-data; name=\"source\"\r\n\r\n# K",
        "--B\r\nContent-Disposition: form-data; name=\"files\"; filename=\"k.md\"\r\n\r\n# K",
    );
    let mut dripping = JoinSet::new();
    for (path, media_type, begin) in [
        ("/api/v1/generate", form, part),
        ("/api/v1/detect-topics", form, part),
        ("/api/upload", form, file),
        ("/api/generate", json, "{"),
        ("/mcp", json, "{"),
        ("/webhooks/stripe", json, "{"),
    ] {
        for _ in 0..EACH {
            let request = app.post(path).key(&someone.key).body(media_type, begin);
            let request = request.without_length().header("Content-Length", "500");
            let request = request.header("Accept", "application/json, text/event-stream");
            let signed = request.header("Stripe-Signature", "t=1,v1=00");
            let connection = signed.open().await;
            dripping.spawn(async move { (path, drip(connection).await) });
        }
    }
    // The one worker serves others meanwhile.
    let credits = app.get("/api/v1/credits").key(&someone.key).send().await;
    assert_eq!(credits.status, 200);
    assert_eq!(dripping.len(), 6 * EACH);
    assert!(dripping.try_join_next().is_none(), "they are still sending");
    while let Some(answered) = dripping.join_next().await {
        let (path, answer) = answered.expect("it ends");
        assert!(answer.starts_with("HTTP/1.1 408 "), "{path}: {answer}");
    }
    untouched(&app, &someone).await;
}
