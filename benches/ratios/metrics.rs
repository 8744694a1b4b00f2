//! What metrics cost: counting, while skills are made, and telling, while somebody looks once a second.
//!
//! A second program without metrics would have to be told from the first within the noise of the machine. So each part is measured where
//! it stands out, and put together: how often a generation is counted (by what the metrics themselves say), what counting costs when as many
//! threads as there are cores do it in the same place, and the processor time of a scrape.

use super::server::Server;
use super::streams::FREE;
use super::{Goal, Row, Scale};
use crate::http::generate;
use crate::load::ask;
use skillkiln::telemetry::measure::{Histogram, Moment};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Instant;

const GENERATING: u64 = 64;
const TEXT_BYTES: usize = 2_048;

pub(super) fn cost(scale: &Scale) -> Vec<Row> {
    let server = Server::start(&FREE);
    let key = server.key();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let load = |times: u64, first: u64| {
        let asked = ask(server.public, GENERATING, times, |n| {
            generate(&key, TEXT_BYTES, first + n)
        });
        runtime.block_on(asked).len() as f64
    };
    load(GENERATING, 0);
    let before = counted(&scrape(server.admin));
    let begun = Instant::now();
    let made = load(scale.of(4_000, 64), 1_000_000);
    let made_a_second = made / begun.elapsed().as_secs_f64();
    let counts = (counted(&scrape(server.admin)) - before) / made;

    let times = scale.of(2_000_000, 1_000);
    let count_s = counting(times);

    let scrapes = scale.of(400, 4);
    let before = server.processor_s();
    for _ in 0..scrapes {
        scrape(server.admin);
    }
    let scrape_s = (server.processor_s() - before) / f64::from(scrapes);

    let cores = std::thread::available_parallelism().map_or(1, usize::from) as f64;
    let share = (counts * count_s * made_a_second + scrape_s) / cores;
    vec![Row {
        what: format!(
            "metrics: {counts:.0} counts a generation of {:.0} ns each, {made_a_second:.0} generations and a scrape of {:.2} ms a second; of all cores",
            count_s * 1e9,
            scrape_s * 1e3
        ),
        unit: "%",
        figure: share * 100.0,
        beside: None,
        goal: Goal::AtMost(2.0),
    }]
}

/// What one count of a span costs: the clock twice, and its bucket, while as many threads as there are cores do it in one place.
fn counting(times: u64) -> f64 {
    let histogram = Histogram::new();
    let begun = Instant::now();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                for _ in 0..times {
                    histogram.record(std::hint::black_box(Moment::now()), Moment::now());
                }
            });
        }
    });
    // The threads work at the same time: each count took a thread this long.
    let (counted, _) = histogram.total();
    assert_eq!(counted, times * threads as u64);
    begun.elapsed().as_secs_f64() / times as f64
}

fn scrape(admin: SocketAddr) -> String {
    let mut stream = TcpStream::connect(admin).expect("it listens");
    let request = b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    stream.write_all(request).expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    answer
}

/// How often anything was counted so far: all spans and all events. What only grows by amounts, of seconds, bytes and words, is
/// counted together with these; what goes up and down is left out, and costs no more than these do.
fn counted(metrics: &str) -> f64 {
    let lines = metrics.lines().filter(|line| !line.starts_with('#'));
    let values = lines.filter_map(|line| {
        let (series, value) = line.rsplit_once(' ')?;
        let name = series.split('{').next()?;
        let is_count = name.ends_with("_count") || name.ends_with("_total");
        let is_amount = ["_seconds_total", "_bytes_total", "_words_total"]
            .iter()
            .any(|ending| name.ends_with(ending));
        (is_count && !is_amount).then(|| value.parse::<f64>().ok())?
    });
    values.sum()
}
