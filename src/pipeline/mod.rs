//! The three stages of a generation as plain async functions: no actor, no database, no HTTP.
//!
//! ```text
//! Input ──extract──▶ Evidence ──synthesize──▶ Written ──validate──▶ Validated
//!                       └──────── handle ────────┘
//!                   pool: short sources · worker: all others
//! ```
//!
//! Each stage's product is the next one's input. What a stage does is a request to the [`job`] of its source, which is done on the threads
//! of [`pool::Pool`] within a budget of steps, or in a [`worker`] process: whoever holds the [`handle`] need not know. The document itself
//! stays where it was read.

mod assembly;
pub mod author;
pub mod extract;
pub mod handle;
pub mod job;
pub mod pool;
pub mod product;
pub mod synthesize;
pub mod trial;
pub mod turn;
pub mod validate;
pub mod worker;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
