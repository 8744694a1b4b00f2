//! The store's conformance suite: written once, run on both databases.
//!
//! The PostgreSQL half needs a server: `export SKILLKILN_TEST_POSTGRES=$(scripts/postgres.sh)`.

#![expect(
    clippy::indexing_slicing,
    reason = "a test that reads past the end fails, as it should"
)]

mod accounts;
mod answers;
mod bank;
mod books;
mod changes;
mod ground;
mod ledger;
mod library;
mod many_at_once;
mod payments;
#[path = "../shared/postgres.rs"]
mod postgres;
mod presence;
mod products;
mod properties;
mod runs;
mod schema;
mod sources;
mod watches;
mod webhooks;
