//! What the surface costs. Every core serves and every core asks, over connections kept open, so that all of them are busy and
//! what a request costs shows in how many are answered.
//!
//! An authenticated, limited `GET /api/v1/credits` with all its headers stands beside a bare actix-web handler that answers the same
//! JSON; a durable generation beside its three stages in a loop on the same cores; and the slowest hundredth of light requests
//! while the pipeline is busy beside the same while it is idle.

use crate::load::{ask, ask_from_every_core, percentile};
use crate::support::{page, reader, serve};
use criterion::{Criterion, Throughput};
use futures_util::stream::{self, StreamExt};
use skillkiln::pipeline::extract::{Input, Reader, read};
use skillkiln::pipeline::product::Wish;
use std::net::{SocketAddr, TcpListener};
use std::time::Instant;

const CONNECTIONS: u64 = 32;
const GENERATING: u64 = 64;
const TEXT_BYTES: usize = 2_048;
/// As long as a text may be that the threads of the pool read: longer ones go to a worker, and this program is none.
pub(crate) const HEAVY_BYTES: usize = 60 << 10;
/// Light requests of one sample at least, so that a percentile means something.
const LIGHT_MIN: u64 = 200;

/// A handler that answers the same JSON and does nothing else.
pub(crate) fn bare() -> SocketAddr {
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
            let server = actix_web::HttpServer::new(app).listen(listener).expect("a socket");
            server.run().await.expect("it serves");
        });
    });
    address
}

/// Asks where an account stands.
pub(crate) fn get_credits(key: &str) -> Vec<u8> {
    format!(
        "GET /api/v1/credits HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n\r\n"
    )
    .into_bytes()
}

/// Sends a text of `bytes` bytes, different for each `n`, to be made into a skill.
pub(crate) fn generate(key: &str, bytes: usize, n: u64) -> Vec<u8> {
    const EDGE: &str = "edge-of-a-part";
    let source = page(bytes, usize::try_from(n).unwrap_or(0));
    let body = format!(
        "--{EDGE}\r\nContent-Disposition: form-data; name=\"source\"\r\n\r\n{source}\r\n--{EDGE}--\r\n"
    );
    format!(
        "POST /api/v1/generate HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n\
         Content-Type: multipart/form-data; boundary={EDGE}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// Extract, synthesize and validate, and nothing else.
pub(crate) async fn stages(reader: &Reader, text: String) {
    let evidence = read(reader, Input::Text(text))
        .await
        .expect("it can be read");
    let work = evidence.handle;
    work.write(Wish::default()).await.expect("a skill");
    work.check().await.expect("a report");
}

pub(crate) fn bench(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let (address, keys) = serve(folder.path());
    let key = keys.first().cloned().expect("an account");

    let mut group = criterion.benchmark_group("GET /api/v1/credits");
    group.throughput(Throughput::Elements(1));
    let requests: Vec<Vec<u8>> = keys.iter().map(|key| get_credits(key)).collect();
    // What every request passes through, without a key and without an account: the envelope, the headers and the JSON.
    let health = vec![b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".to_vec()];
    for (name, address, requests) in [
        ("bare actix-web", bare(), &requests),
        ("whole service", address, &requests),
        ("the envelope alone, GET /healthz", address, &health),
    ] {
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|times| {
                let begun = Instant::now();
                let asked = ask_from_every_core(address, CONNECTIONS, times, requests);
                begun.elapsed().mul_f64(times as f64 / asked as f64)
            });
        });
    }
    group.finish();

    let mut group = criterion.benchmark_group("generation of a 2 KB text");
    group.throughput(Throughput::Elements(1)).sample_size(10);
    let reader = runtime.block_on(async { reader() });
    group.bench_function("the three stages in a loop", |bencher| {
        bencher.iter_custom(|times| {
            let begun = Instant::now();
            runtime.block_on(async {
                let stages = (0..times).map(|n| stages(&reader, page(TEXT_BYTES, n as usize)));
                stream::iter(stages)
                    .buffer_unordered(GENERATING as usize)
                    .collect::<Vec<()>>()
                    .await
            });
            begun.elapsed()
        });
    });
    group.bench_function("durable, over HTTP", |bencher| {
        bencher.iter_custom(|times| {
            let begun = Instant::now();
            let took = runtime.block_on(ask(address, GENERATING, times, |n| {
                generate(&key, TEXT_BYTES, n)
            }));
            begun.elapsed().mul_f64(times as f64 / took.len() as f64)
        });
    });
    group.finish();

    let mut group = criterion.benchmark_group("99th percentile of GET /api/v1/credits");
    group.sample_size(10);
    for (name, busy) in [
        ("idle pipeline", false),
        ("pipeline busy on all cores", true),
    ] {
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|times| {
                runtime.block_on(async {
                    // Generations go on until the light requests are answered; both share this thread and all cores.
                    let heavy = async {
                        if !busy {
                            std::future::pending::<()>().await;
                        }
                        loop {
                            let heavy = |n| generate(&key, HEAVY_BYTES, n);
                            ask(address, GENERATING, GENERATING, heavy).await;
                        }
                    };
                    let light = ask(address, 1, times.max(LIGHT_MIN), |_| get_credits(&key));
                    let took = tokio::select! {
                        took = light => took,
                        () = heavy => unreachable!("the load never ends by itself"),
                    };
                    percentile(took, 0.99) * u32::try_from(times).unwrap_or(u32::MAX)
                })
            });
        });
    }
    group.finish();
}
