//! The worker process: where long or treacherous sources are read, written and checked, since a thread cannot be killed and a process can.
//!
//! ```text
//! server ── session ──▶ wire: request as JSON, bytes ──▶ child: one job, in a prison
//!                  ◀── wire: answer as JSON, bounded ──┘
//! ```
//!
//! A worker serves one source and dies with it. The document that it reads stays inside: what comes back is how much there is, and in the
//! end the skills. It ends with its limits, its time, or the run that it works for: who drops the session kills it. When the server dies its
//! input ends, and so does the worker.
//!
//! There are never more workers at work than there are places for them, and they are as polite as the pool's threads.

pub(in crate::pipeline) mod child;
pub(in crate::pipeline) mod prison;
pub(in crate::pipeline) mod session;
mod wire;

use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

/// The hidden subcommand that a worker is started with; its argument is the order as JSON.
pub const SUBCOMMAND: &str = "isolated-worker";
/// Where the allocator looks for how many milliseconds freed memory stays with it.
pub const PURGE_DELAY: &str = "MIMALLOC_PURGE_DELAY";
/// So many, unless the operator says otherwise: a text of a million words then takes a quarter less to read.
pub const PURGE_DELAY_MS: &str = "10";
/// Whose a worker is when the service runs as root, unless the operator says otherwise: nobody's.
pub const NOBODY: u32 = 65_534;
/// The least processor time that a worker has, and the bytes of a source that add a second to it.
const PROCESSOR_S_MIN: u64 = 6;
const BYTES_A_SECOND: u64 = 256 << 10;

/// How workers are started and bounded.
#[derive(Debug, Clone)]
pub struct Isolation {
    /// The program that knows [`SUBCOMMAND`]; `None` is the running one.
    pub program: Option<PathBuf>,
    /// A longer source goes to a worker, a shorter one to the pool's threads, unless its format is one that only workers read.
    pub inside_bytes_max: usize,
    /// The time an answer may take by the wall clock: for a worker that waits, or that a busy machine leaves waiting.
    pub timeout: Duration,
    /// The processor time a worker may use, in seconds, however long its source: what bounds it, since workers are polite and get
    /// little of a busy machine.
    pub processor_s: u64,
    /// The memory a worker may have.
    pub memory_bytes: u64,
    /// The longest answer that is taken from a worker.
    pub answer_bytes_max: u64,
    /// Whose the workers are when the service runs as root; 0 leaves them root's.
    pub uid: u32,
    /// How politely they ask for the processor.
    pub niceness: i32,
    /// One permit for each worker that may be at work at once.
    pub places: Arc<Semaphore>,
}

impl Default for Isolation {
    fn default() -> Self {
        Self {
            program: None,
            inside_bytes_max: 64 << 10,
            timeout: Duration::from_secs(150),
            processor_s: 30,
            memory_bytes: 2 << 30,
            answer_bytes_max: 64 << 20,
            uid: NOBODY,
            niceness: crate::pipeline::pool::NICENESS,
            places: Arc::new(Semaphore::new(
                std::thread::available_parallelism().map_or(1, usize::from),
            )),
        }
    }
}

impl Isolation {
    /// The processor time for a source of `bytes` bytes, in seconds: a short one need not be suffered as long as a long one.
    fn seconds_for(&self, bytes: usize) -> u64 {
        let more = bytes as u64 / BYTES_A_SECOND;
        (PROCESSOR_S_MIN + more).min(self.processor_s)
    }
}

/// What a worker is told when it is started.
#[derive(Debug, Serialize, Deserialize)]
struct Order {
    processor_s: u64,
    memory_bytes: u64,
    niceness: i32,
    uid: u32,
}

/// What a worker does, from its start to its end.
#[must_use]
pub fn main(order: &str) -> ExitCode {
    child::main(order)
}
