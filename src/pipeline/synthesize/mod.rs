//! The second stage: writes skills from a document, selecting and reordering what the source says, never inventing.

mod clean;
mod describe;
mod hostile;
mod outline;
mod phrases;
pub mod prefill;
mod segments;
mod sentences;
#[cfg(test)]
mod testing;
pub mod topics;
mod words;
use crate::domain::failure::Failure;
use crate::pipeline::{
    pool::Pool,
    product::{Extracted, Synthesized, Wish},
};
/// Arrives in the next commits.
///
/// # Errors
/// Always.
pub async fn synthesize(_p: &Pool, _e: Extracted, _w: Wish) -> Result<Synthesized, Failure> {
    Err(Failure::new(
        crate::domain::failure::Reason::Internal,
        "not there yet",
    ))
}
