//! The command line, tried as a person would: the real program, its output, its exit codes.

#![expect(
    clippy::indexing_slicing,
    reason = "a test that reads past the end fails, as it should"
)]

mod accounts;
mod bench;
mod deployment;
mod documents;
#[path = "../shared/mcp.rs"]
mod host;
mod mcp;
mod model;
mod pipeline;
mod program;
mod serve;
mod settings;
mod top;
