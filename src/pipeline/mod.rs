//! The three stages of a generation as plain async functions: no actor, no database, no HTTP.
//!
//! ```text
//! Input ──extract──▶ Extracted ──synthesize──▶ Synthesized ──validate──▶ Validated
//! ```
//!
//! Each stage's product is the next one's input. What is heavy for the processor runs on [`pool::Pool`]; what a stranger's
//! bytes could crash runs in a child process ([`extract`]).

pub(crate) mod badge;
pub mod extract;
mod gap;
mod homes;
pub mod markdown;
mod orders;
pub mod origins;
mod pattern;
pub mod pool;
pub mod product;
mod quick;
pub mod scaffold;
pub(crate) mod secret;
pub mod synthesize;
mod titled;
mod unseen;
pub mod validate;

#[cfg(test)]
mod tests;
