//! The queries, written once and compiled twice: as part of `lite.rs` for SQLite and of `pg.rs` for PostgreSQL.
//!
//! Whatever differs (the connection, how a transaction begins, how rows are locked) comes from the file that includes them.

pub(crate) mod blobs;
pub(crate) mod books;
pub(crate) mod generations;
pub(crate) mod identities;
pub(crate) mod keys;
pub(crate) mod ledger;
pub(crate) mod members;
pub(crate) mod payments;
pub(crate) mod runs;
pub(crate) mod sessions;
pub(crate) mod skills;
pub(crate) mod sources;
pub(crate) mod tickets;
pub(crate) mod users;
pub(crate) mod versions;
