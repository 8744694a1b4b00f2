//! The house rules, held by tests: who may import whom, what must not appear where, which licences come in, what documents claim of tests.

#![expect(
    clippy::indexing_slicing,
    reason = "a test that reads past the end fails, as it should"
)]

mod absence;
mod circles;
mod dependencies;
mod evidence;
mod floors;
mod image;
mod migrations;
mod source;
