//! Streams of events that stay open: thousands that are idle, some that nobody reads, and one that the end of the node meets.
//!
//! `SKILLKILN_TEST_STREAMS` says how many are idle; ten thousand of them take a debug build a minute.

use crate::service::{Service, client, generate, upload};
use crate::site::Site;
use futures_util::future::join_all;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinHandle;

const TEXT: &str = "# Kiln\n\nFire it slowly, and keep its lid closed below 200 degrees, because the glaze cracks when it is opened too early.";
/// Idle streams, where nothing else is said.
const IDLE: usize = 1_500;
/// Streams that are opened at a time.
const TOGETHER: usize = 100;

/// A node, and a run on it that waits for its turn, because the account's only place is taken by one that reads a page.
struct Waiting {
    service: Service,
    site: Site,
    key: String,
    /// What the run is ordered with; whoever sends it again joins the run, and is not charged.
    order: Vec<u8>,
}

impl Waiting {
    /// With the answer to the order that takes the place.
    async fn start(credits: u32) -> (Self, JoinHandle<u16>) {
        let mut service = Service::new();
        let key = service.key(credits);
        service.serve_with("SKILLKILN__LIMITS__RUNNING_PER_ACCOUNT", "1");
        let mut waiting = Self {
            service,
            site: Site::start(),
            key,
            order: Vec::new(),
        };
        let page = waiting.once_more("k").await;
        (waiting, page)
    }

    /// The same with another run on the same node.
    async fn once_more(&mut self, idempotency_key: &str) -> JoinHandle<u16> {
        self.site = Site::start();
        let (client, key) = (client(), self.key.clone());
        let address = self.service.address().to_owned();
        let uploaded = upload(&client, &address, &key, TEXT).await;
        let uploaded: Value = uploaded.json().await.unwrap();
        let body = format!(r#"{{"source_ids":[{}]}}"#, uploaded["sources"][0]["id"]);
        let order = format!(
            "POST /api/generate HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\nIdempotency-Key: {idempotency_key}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        self.order = order.into_bytes();
        let page = self.site.page(0);
        let answered = tokio::spawn(async move {
            let answer = generate(&client, &address, &key, page).await;
            answer.unwrap().status().as_u16()
        });
        self.site.wait_for(1);
        answered
    }

    /// A connection with little room for what nobody reads.
    async fn connect(&self) -> TcpStream {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(4_096).unwrap();
        let address = self.service.address().trim_start_matches("http://");
        socket.connect(address.parse().unwrap()).await.unwrap()
    }

    /// Opens a stream about the run, and reads until it is one.
    async fn stream(&self) -> TcpStream {
        let mut stream = self.connect().await;
        stream.write_all(&self.order).await.unwrap();
        let mut heard = Vec::new();
        while !String::from_utf8_lossy(&heard).contains(": ping\n\n") {
            let read = stream.read_buf(&mut heard).await.unwrap();
            assert!(read > 0, "{}", String::from_utf8_lossy(&heard));
        }
        stream
    }

    /// How many streams the node has open.
    async fn open(&self) -> usize {
        let (_, figures) = self.service.admin("/metrics").await;
        let line = |line: &str| line.strip_prefix("skillkiln_sse_streams ")?.parse().ok();
        figures.lines().find_map(line).unwrap()
    }
}

/// How many files this process and the node, which inherits it, may have open, at most `wanted`.
fn allow_files(wanted: usize) -> usize {
    let now = getrlimit(Resource::Nofile);
    let most = now.maximum.unwrap_or(u64::MAX).min(wanted as u64);
    let current = Some(now.current.unwrap_or(u64::MAX).max(most));
    let maximum = now.maximum;
    setrlimit(Resource::Nofile, Rlimit { current, maximum }).unwrap();
    usize::try_from(most).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn thousands_of_idle_streams_keep_nobody_waiting_and_leave_no_memory_behind() {
    let wanted = std::env::var("SKILLKILN_TEST_STREAMS");
    let wanted = wanted.map_or(IDLE, |wanted| wanted.parse().expect("a number"));
    let wanted = allow_files(wanted + 500) - 500;
    let (mut at, page) = Waiting::start(4).await;
    let mut page = Some(page);
    let (client, payer) = (client(), at.service.key(3));
    let paid = async |at: &Waiting| {
        let answer = generate(&client, at.service.address(), &payer, TEXT.to_owned()).await;
        answer.unwrap().status()
    };
    // What the first run costs is the node's own.
    assert_eq!(paid(&at).await, 200);
    let before = at.service.footprint();
    let mut with_them = Vec::new();
    for _ in 0..2 {
        let page = match page.take() {
            Some(page) => page,
            None => at.once_more("again").await,
        };
        let mut streams = Vec::new();
        while streams.len() < wanted {
            let some = TOGETHER.min(wanted - streams.len());
            streams.extend(join_all((0..some).map(|_| at.stream())).await);
        }
        assert_eq!(at.open().await, wanted);
        assert_eq!(at.service.admin("/healthz").await.0, 200);
        assert_eq!(paid(&at).await, 200);
        with_them.push(at.service.footprint().memory);
        // Half of them leave, and the others hear the end.
        drop(streams.split_off(wanted / 2));
        at.site.open();
        let ends = streams.into_iter().map(|mut stream| async move {
            let mut told = Vec::new();
            while !String::from_utf8_lossy(&told).contains("event: complete") {
                let read = stream.read_buf(&mut told).await.unwrap();
                assert!(read > 0, "{}", String::from_utf8_lossy(&told));
            }
        });
        join_all(ends).await;
        assert_eq!(page.await.unwrap(), 200);
        while at.open().await > 0 {}
    }
    // What the first ones took is there for the second ones, and for whoever comes when they have left.
    let most = with_them[0] + with_them[0].saturating_sub(before.memory) / 4;
    assert!(
        with_them[1] <= most,
        "{before:?}, then {with_them:?} with {wanted}"
    );
    at.service.is_back(before, "idle streams").await;
    let credits = at.service.ask(&client, &at.key, "/api/v1/credits").await;
    let numbers = (&credits["credits_remaining"], &credits["total_generations"]);
    assert_eq!(numbers, (&0.into(), &4.into()));
    at.service.ok(&["ledger", "verify"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_never_reads_holds_up_neither_the_run_nor_others_nor_memory() {
    const CONNECTIONS: usize = 20;
    let (at, page) = Waiting::start(3).await;
    let mut unread = Vec::new();
    let before = at.service.footprint();
    for _ in 0..CONNECTIONS {
        let mut stream = at.connect().await;
        stream.write_all(&at.order).await.unwrap();
        unread.push(stream);
        // Two hundred answers of 190 kB each, none of which is fetched.
        let mut pages = at.connect().await;
        let request = b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(200);
        pages.write_all(&request).await.unwrap();
        unread.push(pages);
    }
    let client = client();
    let ask = |text: &str| generate(&client, at.service.address(), &at.key, text.to_owned());
    while at.open().await < CONNECTIONS {}
    at.site.open();
    assert_eq!(page.await.unwrap(), 200);
    assert_eq!(ask(TEXT).await.unwrap().status(), 200);
    let made = |credits: &Value| credits["total_generations"] == 3;
    let credits = at.service.until(&at.key, "/api/v1/credits", made).await;
    assert_eq!(credits["credits_remaining"], 0);
    let more = at.service.footprint().memory.saturating_sub(before.memory);
    assert!(more < 64 << 20, "{more}");
    drop(unread);
    at.service.is_back(before, "what nobody read").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sigterm_ends_an_open_stream_with_its_event_and_gives_the_credits_back() {
    let (mut at, page) = Waiting::start(2).await;
    let mut streams = [at.stream().await, at.stream().await];
    at.service.ask_to_stop();
    for stream in &mut streams {
        let mut told = String::new();
        stream.read_to_string(&mut told).await.unwrap();
        assert_eq!(told.matches("event: error").count(), 1, "{told}");
        assert!(!told.contains("event: complete"), "{told}");
        assert!(told.ends_with("0\r\n\r\n"), "{told}");
    }
    assert_eq!(page.await.unwrap(), 500);
    assert_eq!(at.service.wait(), Some(0));
    let books = at.service.ok(&["ledger", "verify", "--json"]);
    let books: Value = serde_json::from_str(&books).unwrap();
    assert_eq!(
        (&books["available"], &books["reserved"], &books["posted"]),
        (&2.into(), &0.into(), &0.into()),
        "{books}"
    );
}
