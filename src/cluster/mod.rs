//! What nodes share beside the database, in Redis or Valkey. Nothing here is the truth: whatever is lost is counted again or asked of
//! the database.

pub mod digests;
pub mod relay;
mod server;
pub mod windows;
