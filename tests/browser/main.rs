//! The pages as a person meets them: a real browser against the real binary, at two widths, in light and dark, by script and without.
//!
//! Pictures of every page are kept under `target/screenshots`, to be looked at.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that finds nothing or reads past the end fails, as it should"
)]

mod docs;
mod door;
mod driver;
mod editor;
#[expect(dead_code, reason = "the tests of the service ask more of it")]
#[path = "../shared/openid.rs"]
mod issuer;
mod kiln;
mod openid;
mod operators;
mod refused;
mod runs;
mod skill;
mod words;
