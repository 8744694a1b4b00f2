//! What the parts cost, measured as ratios within one run: `cargo bench --bench kiln [FILTER]`.
//!
//! `evaluate FOLDER` instead of a filter scores what is read out of the documents of a folder.
//!
//! Each group holds the thing and what it is compared with, so that a noisy machine slows both.

mod actors;
mod evaluate;
mod http;
mod ledger;
mod limiter;
mod load;
mod pipeline;
#[path = "../tests/shared/postgres.rs"]
mod postgres;
mod support;

use std::process::ExitCode;

criterion::criterion_group!(
    benches,
    actors::bench,
    limiter::bench,
    ledger::bench,
    pipeline::bench,
    http::bench,
    evaluate::bench
);

fn main() -> ExitCode {
    if let Some((folder, json)) = evaluate::asked() {
        return evaluate::run(&folder, json);
    }
    benches();
    criterion::Criterion::default()
        .configure_from_args()
        .final_summary();
    ExitCode::SUCCESS
}
