//! HTTP: a light request beside a bare handler, a durable generation beside its stages in a loop, generations with few and with many waiting, and
//! light requests while the pipeline is busy.

use super::{Beside, Goal, Row, Scale, in_turns, median, processor_s};
use crate::http::{HEAVY_BYTES, bare, generate, get_credits, stages};
use crate::load::{ask, ask_from_every_core, percentile};
use crate::support::{page, reader, serve};
use futures_util::stream::{self, StreamExt};
use std::net::SocketAddr;
use std::time::Instant;
use tokio::runtime::Runtime;

const CONNECTIONS: u64 = 32;
const GENERATING: u64 = 64;
const TEXT_BYTES: usize = 2_048;

/// The whole service, and what asks it.
struct Served {
    address: SocketAddr,
    keys: Vec<String>,
    runtime: Runtime,
    _folder: tempfile::TempDir,
}

impl Served {
    fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let (address, keys) = serve(folder.path());
        Self {
            address,
            keys,
            runtime: one_thread(),
            _folder: folder,
        }
    }

    fn key(&self, n: u64) -> &str {
        let at = usize::try_from(n).unwrap_or(0) % self.keys.len();
        self.keys.get(at).expect("there are keys")
    }

    /// Durable generations a second over so many connections.
    fn durable(&self, connections: u64, times: u64) -> f64 {
        let begun = Instant::now();
        let asked = ask(self.address, connections, times, |n| {
            generate(self.key(n), TEXT_BYTES, n)
        });
        let asked = self.runtime.block_on(asked).len();
        asked as f64 / begun.elapsed().as_secs_f64()
    }
}

fn one_thread() -> Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime")
}

pub(super) fn credits(scale: &Scale) -> Vec<Row> {
    let served = Served::start();
    let requests: Vec<Vec<u8>> = served.keys.iter().map(|key| get_credits(key)).collect();
    let times = scale.of(40_000, 200);
    let rate = |address: SocketAddr| {
        let begun = Instant::now();
        let asked = ask_from_every_core(address, CONNECTIONS, times, &requests);
        asked as f64 / begun.elapsed().as_secs_f64()
    };
    let bare = bare();
    let turns = in_turns(scale.of(25, 1), || rate(served.address), || rate(bare));
    vec![Row {
        what: "GET /api/v1/credits".into(),
        unit: "/s",
        figure: turns.one,
        beside: turns.beside("a bare actix-web handler"),
        goal: Goal::RatioAtLeast(0.9),
    }]
}

pub(super) fn durable(scale: &Scale) -> Vec<Row> {
    let served = Served::start();
    let looping = one_thread();
    let reader = looping.block_on(async { reader() });
    let times = scale.of(2_000, 64);
    let each_ms = |begun: f64| (processor_s() - begun) * 1e3 / times as f64;
    let over_http = || {
        let begun = processor_s();
        served.durable(GENERATING, times);
        each_ms(begun)
    };
    let in_a_loop = || {
        let begun = processor_s();
        looping.block_on(async {
            let all = (0..times).map(|n| stages(&reader, page(TEXT_BYTES, n as usize)));
            stream::iter(all)
                .buffer_unordered(GENERATING as usize)
                .collect::<Vec<()>>()
                .await
        });
        each_ms(begun)
    };
    let turns = in_turns(scale.of(11, 1), over_http, in_a_loop);
    vec![Row {
        what: "processor time of a durable generation of a 2 KB text over HTTP, client and all, beyond its stages".into(),
        unit: "ms",
        figure: turns.one - turns.other,
        beside: Some(Beside {
            what: "its stages in a loop",
            figure: turns.other,
            ratio: turns.ratio - 1.0,
        }),
        goal: Goal::AtMost(0.33),
    }]
}

pub(super) fn waiting(scale: &Scale) -> Vec<Row> {
    let served = Served::start();
    let times = scale.of(4_000, 40);
    let many = scale.of(1_000, 20);
    let turns = in_turns(
        scale.rounds(),
        || served.durable(many, times),
        || served.durable(10, times),
    );
    vec![Row {
        what: "generations with 1,000 waiting".into(),
        unit: "/s",
        figure: turns.one,
        beside: turns.beside("with 10 waiting"),
        goal: Goal::RatioAtLeast(1.3),
    }]
}

pub(super) fn light(scale: &Scale) -> Vec<Row> {
    let served = Served::start();
    let runtime = &served.runtime;
    let times = scale.of(2_000, 20);
    let measure = |is_busy: bool| {
        let heavy = async {
            if !is_busy {
                std::future::pending::<()>().await;
            }
            loop {
                let heavy = |n| generate(served.key(n), HEAVY_BYTES, n);
                ask(served.address, GENERATING, GENERATING, heavy).await;
            }
        };
        let light = ask(served.address, 1, times, |_| get_credits(served.key(0)));
        let took = runtime.block_on(async {
            tokio::select! {
                took = light => took,
                () = heavy => unreachable!("the load never ends by itself"),
            }
        });
        percentile(took, 0.99).as_secs_f64() * 1e3
    };
    let turns = in_turns(scale.rounds(), || measure(true), || measure(false));
    vec![Row {
        what: "the slowest hundredth of light requests while all cores parse".into(),
        unit: "ms",
        figure: turns.one,
        beside: turns.beside("while they are idle"),
        goal: Goal::AtMost(1.0),
    }]
}

/// The median over rounds of something that is compared with nothing.
pub(super) fn rounds(scale: &Scale, mut measure: impl FnMut() -> f64) -> f64 {
    median((0..scale.rounds()).map(|_| measure()).collect())
}
