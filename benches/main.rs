//! What the parts cost, measured as ratios within one run: `cargo bench --bench kiln [FILTER]`.
//!
//! Each group holds the thing and what it is compared with, so that a noisy machine slows both.

mod actors;
mod http;
mod ledger;
mod limiter;
mod load;
mod pipeline;
#[path = "../tests/shared/postgres.rs"]
mod postgres;
mod support;

criterion::criterion_group!(
    benches,
    actors::bench,
    limiter::bench,
    ledger::bench,
    pipeline::bench,
    http::bench
);
criterion::criterion_main!(benches);
