//! `skillkiln read-isolated KIND`, hidden: what the child process does in which a stranger's file is parsed.

use crate::pipeline::extract::isolation;
use clap::Args;
use std::process::ExitCode;

/// Which reader.
#[derive(Debug, Args)]
pub struct ReadIsolated {
    /// The kind of reader
    pub kind: String,
    /// The address that a web page's links are relative to
    pub address: Option<String>,
}

/// Reads standard input, writes the answer to standard output.
#[must_use]
pub fn run(command: &ReadIsolated) -> ExitCode {
    isolation::child_main(&command.kind, command.address.as_deref())
}
