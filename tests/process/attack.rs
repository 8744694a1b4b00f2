//! Sources that are made to cost, from a stranger and two accounts at once: a paid order that comes meanwhile is answered, and nothing works
//! on for them once they have ended.

use crate::service::{Service, client, generate};
use serde_json::Value;
use std::io::Write as _;

/// Bounds in which a debug build comes to its end within seconds; what is tried here are the bounds, not their size.
const SETTINGS: &str = "[isolation]\nprocessor_s = 1\nworkers_max = 2\n[looks]\nprocessor_s = 1\ndeadline_s = 20\n[engine]\ndeadline_s = 20\n";
const LINES_BETWEEN_MARKS: &str = "* a\n+\n";

/// A hostile source: under which name it is sent, and its bytes.
struct Hostile {
    filename: &'static str,
    bytes: Vec<u8>,
}

fn hostile(filename: &'static str, bytes: impl Into<Vec<u8>>) -> Hostile {
    Hostile {
        filename,
        bytes: bytes.into(),
    }
}

/// Texinfo whose macros call themselves.
fn macros() -> String {
    format!(
        "\\input texinfo\n@macro a{{x}}\n\\x\\\\x\\\n@end macro\n{}",
        "@a{".repeat(1_000)
    )
}

/// A small archive of much AsciiDoc, each of whose lines goes on with the one before.
fn unfolding() -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    let text = LINES_BETWEEN_MARKS.repeat(200_000);
    packed.write_all(text.as_bytes()).unwrap();
    packed.finish().unwrap()
}

/// A PDF whose fonts map the same long range over and over.
fn ranges() -> Vec<u8> {
    let mut pdf = b"%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n".to_vec();
    pdf.extend(b"1 beginbfrange <0000> <ffff> <0000> endbfrange\n".repeat(6_000));
    pdf.extend(b"1 0 obj\n".repeat(20_000));
    pdf
}

fn sources() -> Vec<Hostile> {
    vec![
        hostile("mail.md", "a@".repeat(400_000)),
        hostile("brackets.md", format!("a: {}", "[".repeat(200_000))),
        hostile("images.md", "![[".repeat(60_000)),
        hostile("initials.txt", "Dr. A. B. C. ".repeat(20_000)),
        hostile("headings.1", ".SH a\nb\n".repeat(30_000)),
        hostile("headings.html", "<h1>a</h1>".repeat(30_000)),
        hostile("code.texi", "@code{".repeat(40_000)),
        hostile("ranges.pdf", ranges()),
        hostile("list.adoc.gz", unfolding()),
        hostile("macros.texi", macros()),
    ]
}

/// A form that holds a file, with its type.
fn form_of(source: Hostile) -> (String, Vec<u8>) {
    const EDGE: &str = "edge-of-a-part";
    let name = source.filename;
    let mut body = format!(
        "--{EDGE}\r\nContent-Disposition: form-data; name=\"source\"; filename=\"{name}\"\r\n\r\n"
    )
    .into_bytes();
    body.extend(source.bytes);
    body.extend(format!("\r\n--{EDGE}--\r\n").bytes());
    (format!("multipart/form-data; boundary={EDGE}"), body)
}

/// Sends a file to a path of the REST surface.
async fn send(
    address: &str,
    key: &str,
    path: &str,
    source: Hostile,
) -> reqwest::Result<reqwest::Response> {
    let (kind, body) = form_of(source);
    let request = client().post(format!("{address}{path}"));
    let request = request.bearer_auth(key).header("Content-Type", kind);
    request.body(body).send().await
}

/// The same, with what it answers.
async fn told(address: &str, key: &str, path: &str, source: Hostile) -> (u16, Value) {
    let answer = send(address, key, path, source).await.unwrap();
    let status = answer.status().as_u16();
    (status, answer.json().await.unwrap_or_default())
}

#[tokio::test(flavor = "multi_thread")]
async fn twelve_hostile_sources_keep_no_paid_order_waiting_and_leave_no_worker() {
    let mut service = Service::new();
    service.write("config.toml", SETTINGS);
    let keys = [service.key(20), service.key(20)];
    let payer = service.key(5);
    service.serve();
    let address = service.address().to_owned();
    let before = service.footprint();
    let mut attacks = Vec::new();
    for (number, source) in sources().into_iter().enumerate() {
        let (address, key) = (address.clone(), keys[number % 2].clone());
        attacks.push(tokio::spawn(async move {
            told(&address, &key, "/api/v1/generate", source).await
        }));
    }
    for source in [
        hostile("list.adoc.gz", unfolding()),
        hostile("macros.texi", macros()),
    ] {
        let (address, key) = (address.clone(), keys[0].clone());
        attacks.push(tokio::spawn(async move {
            told(&address, &key, "/api/v1/detect-topics", source).await
        }));
    }
    // Their workers are there when the paid orders come.
    while service.workers() == 0 && attacks.iter().any(|attack| !attack.is_finished()) {
        tokio::task::yield_now().await;
    }
    for round in 0..3 {
        let text = format!(
            "# Kiln {round}\n\n{}",
            "Fire the pots slowly, and keep the lid closed until they are cold. ".repeat(7)
        );
        let answer = generate(&client(), &address, &payer, text).await.unwrap();
        assert_eq!(answer.status(), 200);
    }
    for attack in attacks {
        let (status, answer) = attack.await.unwrap();
        // Those that are merely long are made into a skill; of the others it is said what to do.
        let message = answer["error"]["message"].as_str().unwrap_or_default();
        let ways = ["send", "one at a time", "a smaller", "fewer at once"];
        let is_told = ways.iter().any(|way| message.contains(way));
        assert!(status == 200 || is_told, "{status}: {message}");
    }
    let failed = |row: &Value| row["status"] == "failed";
    for key in &keys {
        let history = service.until(key, "/api/v1/generations", |_| true).await;
        let rows = history["generations"].as_array().unwrap();
        let refunds = rows.iter().filter(|row| row["credits_refunded"] == 1);
        assert_eq!(
            refunds.count(),
            rows.iter().filter(|row| failed(row)).count()
        );
    }
    let credits = service
        .until(&payer, "/api/v1/credits", |credits| {
            credits["credits_remaining"] == 2 && service.workers() == 0
        })
        .await;
    assert_eq!(credits["credits_remaining"], 2);
    service.is_back(before, "hostile sources").await;
    assert_eq!(service.workers(), 0, "a killed worker is gone");
    service.ok(&["ledger", "verify"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_server_leaves_no_worker_behind() {
    let mut service = Service::new();
    let key = service.key(5);
    service.serve();
    let address = service.address().to_owned();
    let order = tokio::spawn(async move {
        let source = hostile("brackets.md", format!("a: {}", "[".repeat(2_000_000)));
        send(&address, &key, "/api/v1/generate", source).await
    });
    while service.workers() == 0 && !order.is_finished() {
        tokio::task::yield_now().await;
    }
    let workers = service.worker_ids();
    service.kill();
    let _ = order.await;
    // Its input ends with the server, and so does a worker: within the time that its next look at it takes.
    let mut left = workers;
    for _ in 0..2_000_000 {
        left.retain(|id| std::fs::exists(format!("/proc/{id}/exe")).unwrap_or(false));
        if left.is_empty() {
            break;
        }
        tokio::task::yield_now().await;
    }
    assert!(left.is_empty(), "{left:?}");
}
