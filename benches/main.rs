//! What the parts cost, measured as ratios within one run: `cargo bench --bench kiln [FILTER]`.
//!
//! `ratios` instead of a filter measures what the service must reach, and says whether it does; `evaluate FOLDER` scores what is read
//! out of the documents of a folder.
//!
//! Each group holds the thing and what it is compared with, so that a noisy machine slows both.

mod actors;
mod documents;
mod evaluate;
mod extract;
mod http;
mod ledger;
mod limiter;
mod load;
mod pipeline;
#[path = "../tests/shared/postgres.rs"]
mod postgres;
mod ratios;
#[path = "../tests/shared/redis.rs"]
#[expect(dead_code, reason = "tests kill it, too")]
mod redis_server;
mod stream;
mod support;

use skillkiln::telemetry::log::{self, Lines};
use std::process::ExitCode;

criterion::criterion_group!(
    benches,
    actors::bench,
    limiter::bench,
    ledger::bench,
    pipeline::bench,
    extract::bench,
    http::bench,
    stream::bench,
    evaluate::bench
);

fn main() -> ExitCode {
    // What goes wrong in a service under load is said, as it is in one that people use.
    log::start("warn", Lines::Fitting, None).expect("a level");
    if let Some((folder, json)) = evaluate::asked() {
        return evaluate::run(&folder, json);
    }
    if let Some((scale, names, json)) = ratios::asked() {
        return ratios::run(&scale, &names, json);
    }
    benches();
    let is_trial = !support::is_measured() && std::env::args().all(|word| word != "--list");
    if is_trial {
        ratios::trial();
    }
    criterion::Criterion::default()
        .configure_from_args()
        .final_summary();
    ExitCode::SUCCESS
}
