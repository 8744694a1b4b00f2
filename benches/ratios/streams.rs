//! Streams: how soon the first event comes when many are opened at once, and what thousands of open ones cost.

use super::server::Server;
use super::surface::rounds;
use super::{Goal, Row, Scale};
use crate::load::percentile;
use futures_util::future::join_all;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;

/// So many streams are opened at once, so many times, and of their first events this percentile comes within so many milliseconds.
const WAVES: [(usize, usize, f64, f64); 2] = [(50, 20, 0.99, 18.0), (500, 3, 0.95, 200.0)];
/// Of so many open streams the memory is looked at, before there are ten thousand.
const WEIGHED: usize = 3_000;
/// Streams that are opened at a time until all are open.
const OPENED_TOGETHER: usize = 200;
/// Runs that a node carries out at once; so many that wait for a page keep all others waiting.
const BLOCKERS: usize = 64;

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime")
}

/// Sends a request and reads until the answer holds `sign`.
async fn until(address: SocketAddr, request: &[u8], sign: &str) -> (TcpStream, String) {
    let mut stream = TcpStream::connect(address).await.expect("it listens");
    stream.set_nodelay(true).expect("a socket option");
    stream.write_all(request).await.expect("it reads");
    let mut answer = Vec::with_capacity(2_048);
    loop {
        let read = stream.read_buf(&mut answer).await.expect("it answers");
        let text = String::from_utf8_lossy(&answer);
        if text.contains(sign) {
            let text = text.into_owned();
            return (stream, text);
        }
        assert!(read > 0, "no {sign} in {text}");
    }
}

fn post(path: &str, key: &str, media_type: &str, body: &str) -> Vec<u8> {
    format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\nContent-Type: {media_type}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

fn form(fields: &str) -> (String, String) {
    const EDGE: &str = "edge-of-a-part";
    let body = format!("--{EDGE}\r\nContent-Disposition: form-data; {fields}\r\n--{EDGE}--\r\n");
    (format!("multipart/form-data; boundary={EDGE}"), body)
}

/// A request that opens a stream of events about a skill made of an uploaded text.
async fn opening(address: SocketAddr, key: &str) -> Vec<u8> {
    let text = crate::support::page(2_048, 1);
    let (media_type, body) = form(&format!(
        "name=\"files\"; filename=\"kiln.md\"\r\nContent-Type: text/markdown\r\n\r\n{text}"
    ));
    let request = post("/api/upload", key, &media_type, &body);
    let (_, answer) = until(address, &request, "\"src_").await;
    let id = answer.split('"').find(|word| word.starts_with("src_"));
    let id = id.expect("the sign was there");
    let wish = format!(r#"{{"source_ids":["{id}"],"name":"","description":"","category":""}}"#);
    post("/api/generate", key, "application/json", &wish)
}

/// Bounds that no load here reaches.
pub(super) const FREE: [&str; 6] = [
    "limits.generate_per_minute=100000",
    "limits.other_per_minute=100000",
    "limits.running_per_account=1000",
    "engine.queue_max=20000",
    "engine.mailbox_capacity=1024",
    "log.level=error",
];

pub(super) fn first_event(scale: &Scale) -> Vec<Row> {
    // The first event tells that a run has begun, so all of them may run at once.
    let server = Server::start(&[&FREE[..], &["engine.running_max=1000"]].concat());
    let key = server.key();
    let runtime = runtime();
    let address = server.public;
    let request = runtime.block_on(opening(address, &key));
    let measure = |at_once: usize, waves: usize, percent: f64| {
        let mut took: Vec<Duration> = Vec::new();
        for _ in 0..waves {
            let wave = (0..at_once).map(|_| async {
                let begun = Instant::now();
                let (stream, _) = until(address, &request, "event: ").await;
                (begun.elapsed(), stream)
            });
            let opened = runtime.block_on(join_all(wave));
            took.extend(opened.iter().map(|(took, _)| *took));
            // The next wave begins when the runs of this one have ended.
            runtime.block_on(join_all(
                opened.into_iter().map(|(_, stream)| to_the_end(stream)),
            ));
        }
        percentile(took, percent).as_secs_f64() * 1e3
    };
    let row = |(at_once, waves, percent, most): (usize, usize, f64, f64)| Row {
        what: format!(
            "the first event, {at_once} streams opened at once, percentile {:.0}",
            percent * 100.0
        ),
        unit: "ms",
        figure: rounds(scale, || {
            measure(scale.of(at_once, 5), scale.of(waves, 1), percent)
        }),
        beside: None,
        goal: Goal::AtMost(most),
    };
    WAVES.map(row).into()
}

/// Reads a stream until its last piece.
async fn to_the_end(mut stream: TcpStream) {
    let mut rest = Vec::new();
    loop {
        let read = stream.read_buf(&mut rest).await.expect("it answers");
        if read == 0 || rest.ends_with(b"0\r\n\r\n") {
            return;
        }
    }
}

pub(super) fn open(scale: &Scale) -> Vec<Row> {
    let wanted = scale.of(10_000, 20);
    allow_files(wanted as u64 + 1_000);
    let server = Server::start(
        &[
            &FREE[..],
            &[
                "limits.running_per_account=10000",
                "fetch.allow_private_addresses=true",
                "fetch.timeout_s=300",
                "engine.deadline_s=600",
            ],
        ]
        .concat(),
    );
    let key = server.key();
    let address = server.public;
    runtime().block_on(async {
        let silent = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let page = format!("http://{}/page", silent.local_addr().expect("an address"));
        let (media_type, body) = form(&format!("name=\"source\"\r\n\r\n{page}"));
        let blocker = post("/api/v1/generate", &key, &media_type, &body);
        let mut blockers = Vec::new();
        let mut fetches = Vec::new();
        for _ in 0..scale.of(BLOCKERS, 4) {
            let mut stream = TcpStream::connect(address).await.expect("it listens");
            stream.write_all(&blocker).await.expect("it reads");
            blockers.push(stream);
        }
        // The site says nothing: robots.txt is asked for once, so one connection proves that they wait.
        fetches.push(silent.accept().await.expect("it fetches"));
        let request = opening(address, &key).await;
        let mut streams = Vec::with_capacity(wanted);
        // What the first ones cost is the service's own: threads, caches, the pool.
        let (mut before, mut each) = (None, None);
        while streams.len() < wanted {
            let some = OPENED_TOGETHER.min(wanted - streams.len());
            let opened = (0..some).map(|_| until(address, &request, "\r\n\r\n"));
            streams.extend(join_all(opened).await.into_iter().map(|(stream, _)| stream));
            let (open, now) = (streams.len(), server.resident_bytes());
            let (first, bytes) = *before.get_or_insert((open, now));
            if open >= WEIGHED.min(wanted) {
                let more = open.saturating_sub(first).max(1) as f64;
                each.get_or_insert(now.saturating_sub(bytes) as f64 / more / 1_024.0);
            }
        }
        let each = each.expect("streams were opened");
        let mut took = Vec::new();
        for _ in 0..scale.of(500, 5) {
            let begun = Instant::now();
            until(
                address,
                b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "ok",
            )
            .await;
            took.push(begun.elapsed());
        }
        let longest = took.iter().max().copied().unwrap_or_default();
        let (weighed, streams) = (WEIGHED.min(wanted), streams.len());
        vec![
            Row {
                what: format!("memory of each of {weighed} open streams"),
                unit: "KiB",
                figure: each,
                beside: None,
                goal: Goal::AtMost(17.5),
            },
            Row {
                what: format!("the longest GET /healthz while {streams} are open"),
                unit: "ms",
                figure: longest.as_secs_f64() * 1e3,
                beside: None,
                goal: Goal::AtMost(50.0),
            },
        ]
    })
}

/// Each stream is an open file, here and there; the service inherits what is allowed here.
fn allow_files(count: u64) {
    let now = getrlimit(Resource::Nofile);
    let most = now.maximum.unwrap_or(u64::MAX);
    let wanted = Rlimit {
        current: Some(count.max(now.current.unwrap_or(0)).min(most)),
        maximum: now.maximum,
    };
    setrlimit(Resource::Nofile, wanted).expect("the system allows so many open files");
}
