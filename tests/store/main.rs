//! The store's conformance suite: written once, run on both databases.

mod ground;
mod ledger;
