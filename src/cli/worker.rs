//! `skillkiln isolated-worker ORDER`, hidden: what the worker process does in which a stranger's source is read, written and checked.

use crate::pipeline::worker;
use clap::Args;
use std::process::ExitCode;

/// Within which bounds.
#[derive(Debug, Args)]
pub struct IsolatedWorker {
    /// The order, as JSON
    pub order: String,
}

/// Takes requests on standard input, writes the answers to standard output.
#[must_use]
pub fn run(command: &IsolatedWorker) -> ExitCode {
    worker::main(&command.order)
}
