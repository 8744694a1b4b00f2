//! Several nodes on one machine, on PostgreSQL and Redis: charges by two beside one, how soon another node hears of an end, and what a
//! check of a shared window costs. None where the test script started no PostgreSQL.

use super::server::Server;
use super::{Beside, Goal, Row, Scale, in_turns, median};
use crate::http::{generate, get_credits};
use crate::load::{ask, percentile};
use crate::postgres::FreshDatabase;
use crate::redis_server::Redis;
use futures_util::future::{join, join_all};
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::thread;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

const CONNECTIONS: u64 = 64;
const TEXT_BYTES: usize = 2_048;
/// A page takes so long that both nodes follow its run by then.
const BOTH_FOLLOW: Duration = Duration::from_millis(150);

/// PostgreSQL and Redis, for nodes that start on them.
struct Ground {
    database: FreshDatabase,
    redis: Redis,
}

impl Ground {
    async fn new() -> Self {
        Self {
            database: FreshDatabase::new().await,
            redis: Redis::start(),
        }
    }

    fn settings(&self, others: &[&str]) -> Vec<String> {
        let (database, redis) = (self.database.url(), self.redis.url());
        let own = [
            format!("database.url={database}"),
            format!("cluster.url={redis}"),
            "blobs.home=database".to_owned(),
            "storage.path=.".to_owned(),
            "fetch.allow_private_addresses=true".to_owned(),
        ];
        let free = super::streams::FREE.iter().chain(others);
        own.into_iter()
            .chain(free.map(|one| (*one).to_owned()))
            .collect()
    }
}

pub(super) fn nodes(scale: &Scale) -> Vec<Row> {
    if std::env::var_os("SKILLKILN_TEST_POSTGRES").is_none() {
        return Vec::new();
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    vec![
        charges(scale, &runtime),
        other_node(scale, &runtime),
        window(scale, &runtime),
    ]
}

/// Orders that are answered as soon as they are charged: no node carries them out.
fn charges(scale: &Scale, runtime: &Runtime) -> Row {
    let ground = runtime.block_on(Ground::new());
    let settings = ground.settings(&["server.role=api", "engine.queue_max=1000000"]);
    let one = Server::start_as(&settings);
    let key = one.key();
    let other = one.beside();
    let times = scale.of(4_000, 64);
    let order = |n: u64| {
        let order = String::from_utf8(generate(&key, TEXT_BYTES, n)).expect("a text");
        let line = "HTTP/1.1\r\nPrefer: respond-async\r\n";
        order.replacen("HTTP/1.1\r\n", line, 1).into_bytes()
    };
    let rate = |nodes: &[&Server]| {
        let begun = Instant::now();
        let many = nodes.len() as u64;
        let asking = nodes
            .iter()
            .map(|node| ask(node.public, CONNECTIONS / many, times / many, order));
        let asked: usize = runtime
            .block_on(join_all(asking))
            .iter()
            .map(Vec::len)
            .sum();
        asked as f64 / begun.elapsed().as_secs_f64()
    };
    let turns = in_turns(scale.rounds(), || rate(&[&one, &other]), || rate(&[&one]));
    Row {
        what: "orders charged by two nodes together".into(),
        unit: "/s",
        figure: turns.one,
        beside: turns.beside("by one of them"),
        goal: Goal::RatioAtLeast(0.9),
    }
}

/// Of a run that waits for its page, followed at the node that carries it out and at another one: how much later that one hears of its end.
fn other_node(scale: &Scale, runtime: &Runtime) -> Row {
    let ground = runtime.block_on(Ground::new());
    let one = Server::start_as(&ground.settings(&[]));
    let key = one.key();
    let other = one.beside();
    let page = slow_page();
    let later = (0..scale.of(40, 2)).map(|number| {
        let order = |head: &str| order_once(&key, &page, number, head);
        let hears = async |node: &Server| {
            ask(node.public, 1, 1, |_| order("")).await;
            Instant::now()
        };
        runtime.block_on(async {
            ask(one.public, 1, 1, |_| order("Prefer: respond-async\r\n")).await;
            let (first, second) = join(hears(&one), hears(&other)).await;
            second.duration_since(first).as_secs_f64() * 1e3
        })
    });
    Row {
        what: "how much later another node hears of the end of a run, median".into(),
        unit: "ms",
        figure: median(later.collect()),
        beside: None,
        goal: Goal::AtMost(50.0),
    }
}

/// The address of a page of a site that takes its time, but for what it says to robots.
fn slow_page() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            thread::spawn(move || {
                let mut request = [0; 4_096];
                let read = stream.read(&mut request).unwrap_or(0);
                let is_page = request
                    .get(..read)
                    .is_some_and(|text| text.starts_with(b"GET /page"));
                let (status, body) = match is_page {
                    true => ("200 OK", crate::support::page(TEXT_BYTES, 1)),
                    false => ("404 Not Found", String::new()),
                };
                if is_page {
                    thread::sleep(BOTH_FOLLOW);
                }
                let head = format!(
                    "HTTP/1.1 {status}\r\nContent-Type: text/markdown\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
                    body.len()
                );
                let _ = stream.write_all(&[head.as_bytes(), body.as_bytes()].concat());
            });
        }
    });
    format!("http://{address}/page.md")
}

/// An order that is the same however often it comes.
fn order_once(key: &str, page: &str, number: usize, head: &str) -> Vec<u8> {
    const EDGE: &str = "edge-of-a-part";
    let body = format!(
        "--{EDGE}\r\nContent-Disposition: form-data; name=\"source\"\r\n\r\n{page}\r\n--{EDGE}--\r\n"
    );
    format!(
        "POST /api/v1/generate HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\nIdempotency-Key: bench-{number}\r\n\
         {head}Content-Type: multipart/form-data; boundary={EDGE}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// A light request of a node that shares its windows beside one of a node that is alone.
fn window(scale: &Scale, runtime: &Runtime) -> Row {
    let shared = runtime.block_on(Ground::new());
    let alone = runtime.block_on(Ground::new());
    let shared_node = Server::start_as(&shared.settings(&[]));
    let without = |one: &String| !one.starts_with("cluster.url=");
    let settings: Vec<String> = alone.settings(&[]).into_iter().filter(without).collect();
    let alone_node = Server::start_as(&settings);
    let keys = [shared_node.key(), alone_node.key()];
    let times = scale.of(2_000, 20);
    let took = |node: &Server, key: &str| {
        let asked = ask(node.public, 1, times, |_| get_credits(key));
        percentile(runtime.block_on(asked), 0.5).as_secs_f64() * 1e3
    };
    let [one, other] = &keys;
    let turns = in_turns(
        scale.rounds(),
        || took(&shared_node, one),
        || took(&alone_node, other),
    );
    Row {
        what: "a check of a shared window, beyond a light request without it, median".into(),
        unit: "ms",
        figure: turns.one - turns.other,
        beside: Some(Beside {
            what: "the light request without it",
            figure: turns.other,
            ratio: turns.ratio - 1.0,
        }),
        goal: Goal::AtMost(0.3),
    }
}
