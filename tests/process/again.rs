//! What goes wrong again and again: once a node has been through it, it costs neither memory nor connections.

use crate::line::Line;
use crate::postgres::FreshDatabase;
use crate::service::{Footprint, Service, client, generate};
use futures_util::future::join_all;
use serde_json::Value;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

const TEXT: &str = "# Kiln\n\nFire it slowly, and keep its lid closed below 200 degrees, because the glaze cracks when it is opened too early.";
/// Rounds, of which the first are the node's to grow into.
const ROUNDS: usize = 4;
const FIRST: usize = 2;
/// What comes in a round of each kind.
const FLOOD: usize = 200;
/// What a node may have more of its own in a later round than in the first ones: some 4 kB for each request of two rounds, a
/// tenth of what one takes that is under way. Windows remember who was admitted for a minute.
const NOISE: u64 = 4 << 20;

/// What a node had after each round.
#[derive(Default)]
struct Rounds(Vec<Footprint>);

impl Rounds {
    fn note(&mut self, service: &Service) {
        self.0.push(service.footprint());
    }

    /// The rounds after the first ones have cost nothing.
    fn have_cost_nothing(&self) {
        let (first, later) = self.0.split_at(FIRST);
        let most = first.iter().map(|round| round.memory).max().unwrap();
        let least = later.iter().map(|round| round.memory).min().unwrap();
        assert!(least <= most + NOISE, "{:?}", self.0);
    }
}

/// Begins a request with a body that never comes whole, and leaves.
async fn leave_in_the_middle(address: &str, path: &str, key: &str) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\nContent-Type: multipart/form-data; boundary=e\r\nContent-Length: 90000\r\n\r\n--e\r\nContent-Disposition: form-data; name=\"source\"\r\n\r\n# K"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(&[b'a'; 40_000]).await.unwrap();
}

/// Orders, and leaves before it is answered.
async fn leave_at_once(address: &str, key: &str) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let body = format!(
        "--e\r\nContent-Disposition: form-data; name=\"source\"\r\n\r\n{TEXT}\r\n--e--\r\n"
    );
    let order = format!(
        "POST /api/v1/generate HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\nContent-Type: multipart/form-data; boundary=e\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(order.as_bytes()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn strangers_beggars_and_those_who_leave_cost_a_node_nothing_from_the_second_time_on() {
    const LEAVING: u32 = 10;
    // The caches of SQLite grow with its file, which is not to be told from a leak.
    let mut service = Service::on_postgres().await;
    let payer = service.key(LEAVING * 5);
    let beggar = service.key(0);
    service.serve();
    let address = service.address().to_owned();
    let socket = address.trim_start_matches("http://").to_owned();
    let mut rounds = Rounds::default();
    for round in 1..=ROUNDS {
        let client = client();
        let order = async |key: String, expected: &[u16]| {
            let answer = generate(&client, &address, &key, TEXT.to_owned()).await;
            let status = answer.unwrap().status().as_u16();
            assert!(expected.contains(&status), "{status}");
        };
        let strangers = (0..FLOOD).map(|number| order(format!("sk_{number:064}"), &[401, 429]));
        join_all(strangers).await;
        join_all((0..FLOOD).map(|_| order(beggar.clone(), &[402]))).await;
        for path in ["/api/v1/generate", "/api/upload"] {
            join_all((0..FLOOD / 2).map(|_| leave_in_the_middle(&socket, path, &payer))).await;
        }
        join_all((0..LEAVING).map(|_| leave_at_once(&socket, &payer))).await;
        let made = |credits: &Value| {
            let number = |name: &str| credits[name].as_u64().unwrap_or_default();
            number("total_generations") == u64::from(LEAVING) * round as u64
        };
        service.until(&payer, "/api/v1/credits", made).await;
        rounds.note(&service);
    }
    rounds.have_cost_nothing();
    service.ok(&["ledger", "verify"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_goes_away_again_and_again_in_a_flood_costs_a_node_nothing_from_the_second_time_on()
 {
    let database = FreshDatabase::new().await;
    let line = Line::to(&database.url());
    let mut service = Service::with_database(line.url().to_owned());
    let key = service.key(20);
    service.serve();
    let address = service.address().to_owned();
    let mut rounds = Rounds::default();
    let mut made = 0;
    for _ in 0..ROUNDS {
        let client = client();
        line.cut();
        let flood = (0..FLOOD).map(|_| generate(&client, &address, &key, TEXT.to_owned()));
        for answer in join_all(flood).await {
            let status = answer.unwrap().status().as_u16();
            assert!([429, 500, 503].contains(&status), "{status}");
        }
        line.mend();
        // Of those that come as it is back, one after the other is made again.
        while generate(&client, &address, &key, TEXT.to_owned())
            .await
            .unwrap()
            .status()
            != 200
        {}
        made += 1;
        rounds.note(&service);
    }
    rounds.have_cost_nothing();
    let account = service.until(&key, "/api/v1/credits", |_| true).await;
    let numbers = (&account["credits_remaining"], &account["total_generations"]);
    assert_eq!(numbers, (&(20 - made).into(), &made.into()));
    service.ok(&["ledger", "verify"]);
}
