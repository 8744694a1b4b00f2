//! `skillkiln read-isolated ORDER`, hidden: what the child process does in which a stranger's file is parsed.

use crate::pipeline::extract::isolation;
use clap::Args;
use std::process::ExitCode;

/// What to read and within which bounds.
#[derive(Debug, Args)]
pub struct ReadIsolated {
    /// The order, as JSON
    pub order: String,
}

/// Reads standard input, writes the answer to standard output.
#[must_use]
pub fn run(command: &ReadIsolated) -> ExitCode {
    isolation::child_main(&command.order)
}
