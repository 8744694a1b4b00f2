//! The three stages of a generation as plain async functions: no actor, no database, no HTTP.
//!
//! ```text
//! Input ──extract──▶ Extracted ──synthesize──▶ Synthesized ──validate──▶ Validated
//! ```
//!
//! Each stage's product is the next one's input. What is heavy for the processor runs on [`pool::Pool`]; what a stranger's
//! bytes could crash runs in a child process ([`extract`]).

pub mod extract;
mod homes;
pub mod origins;
pub mod pool;
pub mod product;
pub mod scaffold;
pub(crate) mod secret;
pub mod synthesize;
pub mod validate;

#[cfg(test)]
mod tests;
