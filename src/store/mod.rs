//! SQLite and PostgreSQL from one set of queries: accounts, keys, credits, runs, skills, sources, purchases.
//!
//! ```text
//!                      ┌─ lite_threads ─ lite ─┐
//! calls ── connection ─┤                       ├─ queries/*  (written once, compiled twice)
//!                      └─ pg_pool ────── pg ───┘
//! ```
//!
//! The floor above sees [`connection::Store`], whose methods stand in `calls.rs`, the words of [`model`], and the bytes in
//! [`blobs`]. What a batch does to the accounts is decided in `settlement.rs`, for both databases alike; what an event of a purchase
//! does, in `hearing.rs`. Whether a node is alone on its database, [`presence`] knows. On SQLite `lite_threads` owns the connections, and `lite_statements` what is
//! written of a batch. `pg_connect` makes connections to PostgreSQL; `dump` writes a whole database down.

pub mod blobs;
mod calls;
pub mod connection;
pub mod dump;
mod errors;
mod facts;
mod hearing;
mod lite;
mod lite_statements;
mod lite_threads;
mod migrate;
pub mod model;
mod pg;
mod pg_connect;
mod pg_pool;
pub mod presence;
mod rows;
mod schema;
mod settlement;
#[cfg(test)]
#[path = "../../tests/simulation/database.rs"]
pub(crate) mod simulated;
mod types;
