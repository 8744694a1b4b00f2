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
