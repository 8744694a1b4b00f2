//! What the surface costs: an authenticated, limited `GET /api/v1/credits` with all its headers against a bare actix-web handler
//! that answers the same JSON; one thread serves, another asks over 32 connections kept open.

use criterion::{Criterion, Throughput};
use skillkiln::config::Settings;
use skillkiln::domain::clock::Clock;
use skillkiln::domain::credits::{Credits, GrantReason};
use skillkiln::domain::user::Plan;
use skillkiln::http::{Bound, HttpSettings};
use skillkiln::services;
use skillkiln::services::admin::{Account, Admin};
use skillkiln::services::pepper::Place;
use std::net::{SocketAddr, TcpListener};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const CONNECTIONS: usize = 32;

/// Sends at least `times` requests over all connections, reads every answer to its end, and says how many they were.
async fn ask(address: SocketAddr, head: &str, times: u64) -> u64 {
    let share = times.div_ceil(CONNECTIONS as u64);
    let connections = (0..CONNECTIONS).map(|_| async move {
        let mut stream = TcpStream::connect(address)
            .await
            .expect("the server listens");
        stream.set_nodelay(true).expect("a socket option");
        let mut buffer = vec![0; 4_096];
        for _ in 0..share {
            stream
                .write_all(head.as_bytes())
                .await
                .expect("the server reads");
            let mut filled = 0;
            loop {
                let free = buffer.get_mut(filled..).expect("an answer is short");
                let read = stream.read(free).await.expect("the server answers");
                assert!(read > 0, "the server closed the connection");
                filled += read;
                let answer = buffer.get(..filled).unwrap_or_default();
                assert!(
                    answer.starts_with(b"HTTP/1.1 200") || filled < 12,
                    "{}",
                    String::from_utf8_lossy(answer)
                );
                if answer.ends_with(b"}") {
                    break;
                }
            }
        }
    });
    futures_util::future::join_all(connections).await;
    share * CONNECTIONS as u64
}

fn bare() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        actix_web::rt::System::new().block_on(async move {
            let answer = || async {
                actix_web::web::Json(serde_json::json!({
                    "credits_remaining": 3, "plan": "free", "credit_packs_purchased": 0, "total_generations": 0
                }))
            };
            let app = move || actix_web::App::new().route("/api/v1/credits", actix_web::web::get().to(answer));
            let server = actix_web::HttpServer::new(app).workers(1).listen(listener).expect("a socket");
            server.run().await.expect("it serves");
        });
    });
    address
}

/// Starts the whole service and answers its address and a key.
fn whole(folder: &std::path::Path) -> (SocketAddr, String) {
    let mut settings = Settings::default();
    settings.database.url = format!("sqlite://{}", folder.join("bench.db").display());
    settings.storage.path = folder.to_owned();
    settings.limits.other_per_minute = 10_000_000;
    let (told, tell) = mpsc::channel();
    std::thread::spawn(move || {
        actix_web::rt::System::new().block_on(async move {
            let clock = Clock::system();
            let services = services::start(&settings, clock.clone())
                .await
                .expect("the service starts");
            let url = &settings.database.url;
            let place = Place::of(&settings.auth.pepper_file, url, &settings.storage.path);
            let admin = Admin::open(url, &place, &settings.auth.key_brand)
                .await
                .expect("the database opens");
            let account = Account {
                email: "bench@example.org".to_owned(),
                plan: Plan::Free,
                credits: Credits(3),
                reason: GrantReason::Operator,
                password: None,
            };
            admin.add_user(account).await.expect("a user");
            let (_, key) = admin
                .add_key("bench@example.org", "bench")
                .await
                .expect("a key");
            settings.server.bind = SocketAddr::from(([127, 0, 0, 1], 0));
            settings.server.admin_bind = settings.server.bind;
            settings.server.workers = 1;
            let http = HttpSettings::from(&settings);
            let bound = Bound::bind(http, services, clock).expect("a port");
            told.send((
                bound.public_address().expect("an address"),
                key.reveal().to_owned(),
            ))
            .expect("somebody listens");
            bound
                .serve(std::future::pending())
                .await
                .expect("it serves");
        });
    });
    tell.recv().expect("the service starts")
}

pub(crate) fn bench(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let (address, key) = whole(folder.path());
    let mut group = criterion.benchmark_group("GET /api/v1/credits");
    group
        .throughput(Throughput::Elements(1))
        .measurement_time(Duration::from_secs(8));
    let targets = [
        ("bare actix-web", bare(), String::new()),
        (
            "whole service",
            address,
            format!("Authorization: Bearer {key}\r\n"),
        ),
    ];
    for (name, address, header) in targets {
        let head = format!("GET /api/v1/credits HTTP/1.1\r\nHost: localhost\r\n{header}\r\n");
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|times| {
                let begun = Instant::now();
                let asked = runtime.block_on(ask(address, &head, times));
                begun.elapsed().mul_f64(times as f64 / asked as f64)
            });
        });
    }
    group.finish();
}
