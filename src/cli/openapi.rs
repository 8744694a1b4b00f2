//! `skillkiln openapi`: prints the description of the API for machines, as `GET /openapi.json` answers it.

use super::output::{self, Stop};
use crate::http::openapi;

/// Runs the command.
///
/// # Errors
/// [`Stop`] when the result cannot be written.
pub fn run() -> Result<(), Stop> {
    output::say(openapi::document().trim_end())
}
