//! Owns how logs are written: lines for people in a terminal, else one JSON object a line for machines.
//!
//! What is logged of a run stands within its span, so that each line names the run and the request it was ordered with.

use crate::telemetry::traces::Tracer;
use std::io::IsTerminal as _;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::prelude::*;
use tracing_subscriber::{EnvFilter, Layer, Registry, fmt};

/// How lines are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lines {
    /// For people where standard error is a terminal, else for machines.
    Fitting,
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// Starts the log on standard error, and the traces where a tracer is given. `filter` is a level, or levels by place
/// (`info,skillkiln::store=debug`).
///
/// # Errors
/// When `filter` cannot be read.
pub fn start(filter: &str, lines: Lines, tracer: Option<Tracer>) -> Result<(), String> {
    let filter = EnvFilter::try_new(filter).map_err(|error| error.to_string())?;
    let is_terminal = std::io::stderr().is_terminal();
    let as_json = match lines {
        Lines::Fitting => !is_terminal,
        Lines::Text => false,
        Lines::Json => true,
    };
    let log = fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(is_terminal);
    let log: Box<dyn Layer<Registry> + Send + Sync> = if as_json {
        log.json().flatten_event(true).boxed()
    } else {
        log.boxed()
    };
    // A second start (in tests) finds the log running and leaves it alone.
    let _ = match tracer {
        // One filter for all is cheaper than one for each.
        None => Registry::default().with(log).with(filter).try_init(),
        Some(tracer) => {
            let traces = tracer.with_filter(filter_fn(Tracer::takes));
            let log = log.with_filter(filter);
            Registry::default().with(log).with(traces).try_init()
        }
    };
    Ok(())
}
