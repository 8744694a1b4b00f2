//! The real binary, as an operator meets it: killed, stopped, started twice. Whatever happens, the books balance.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that finds nothing fails, as it should"
)]

mod again;
mod attack;
mod backup;
mod crash;
mod disk;
mod hang;
mod installer;
mod kills;
mod line;
mod nodes;
mod outage;
mod payment;
#[path = "../shared/postgres.rs"]
mod postgres;
#[path = "../shared/redis.rs"]
mod redis_server;
mod server;
mod service;
mod site;
mod stop;
mod streams;
mod tls;
mod traces;
