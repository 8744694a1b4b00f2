//! The queries, written once and compiled twice: as part of `lite.rs` for SQLite and of `pg.rs` for PostgreSQL.
//!
//! Whatever differs (the connection, how a transaction begins, how rows are locked) comes from the file that includes them.
//!
//! One row is asked for with `get_result`. `first` binds a limit, and SQLite prepares a statement with a bound limit anew at each
//! use; it stands only where an order makes the limit save more than that.

pub(crate) mod answers;
pub(crate) mod blobs;
pub(crate) mod books;
pub(crate) mod drafts;
pub(crate) mod generations;
pub(crate) mod identities;
pub(crate) mod keys;
pub(crate) mod ledger;
pub(crate) mod marks;
pub(crate) mod members;
pub(crate) mod payments;
pub(crate) mod products;
pub(crate) mod runs;
pub(crate) mod second_factors;
pub(crate) mod sessions;
pub(crate) mod skills;
pub(crate) mod sources;
pub(crate) mod tickets;
pub(crate) mod usages;
pub(crate) mod users;
pub(crate) mod versions;
pub(crate) mod watches;
pub(crate) mod webhooks;
