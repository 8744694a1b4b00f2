//! Keeps readers of hostile formats in a child process: bytes in, a document as JSON out. A reader that panics, runs away
//! or eats memory takes only its child with it.
//!
//! A thread cannot be killed, a child can: it ends with its limits, its time, or the run that waits for it. There are never more
//! children than cores, and they are as polite as the pool's threads.

use crate::domain::document::Document;
use crate::domain::failure::{Failure, Reason};
use crate::pipeline::extract::readers::{self, Task};
use crate::pipeline::pool::NICENESS;
use rustix::process::{Resource, Rlimit, setrlimit};
use serde::{Deserialize, Serialize};
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{ExitCode, Stdio};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::Command;
use tokio::sync::Semaphore;

/// The hidden subcommand that the child is started with; its argument is the order as JSON.
pub const SUBCOMMAND: &str = "read-isolated";
/// How much address space the child's allocator sets aside at a time, in KiB.
const ARENA_KIB: &str = "65536";
/// The longest answer that is believed.
const ANSWER_BYTES_MAX: u64 = 128 << 20;
/// The most bytes that a child reads.
const INPUT_BYTES_MAX: u64 = 128 << 20;

/// How children are started and bounded.
#[derive(Debug, Clone)]
pub struct Isolation {
    /// The program that knows [`SUBCOMMAND`]; `None` is the running one.
    pub program: Option<PathBuf>,
    /// The time a child may take by the wall clock.
    pub timeout: Duration,
    /// The processor time a child may use, in seconds.
    pub processor_s: u64,
    /// The memory a child may have.
    pub memory_bytes: u64,
    /// One permit for each child that may run at once.
    pub places: Arc<Semaphore>,
}

impl Default for Isolation {
    fn default() -> Self {
        Self {
            program: None,
            timeout: Duration::from_secs(60),
            processor_s: 30,
            memory_bytes: 2 << 30,
            places: Arc::new(Semaphore::new(
                std::thread::available_parallelism().map_or(1, usize::from),
            )),
        }
    }
}

/// What a child is told.
#[derive(Debug, Serialize, Deserialize)]
struct Order {
    task: Task,
    processor_s: u64,
    memory_bytes: u64,
}

#[derive(Debug, Serialize, Deserialize)]
enum Answer {
    Read(Box<Document>),
    Failed(Failure),
}

/// Has `bytes` read in a child.
///
/// # Errors
/// What the reader itself says, or that it did not come back.
pub(crate) async fn read(
    isolation: &Isolation,
    task: &Task,
    bytes: bytes::Bytes,
) -> Result<Document, Failure> {
    let _place = isolation.places.acquire().await;
    let answer = tokio::time::timeout(isolation.timeout, ask(isolation, task, bytes));
    match answer.await {
        Ok(Ok(answer)) => match serde_json::from_slice(&answer) {
            Ok(Answer::Read(document)) => Ok(*document),
            Ok(Answer::Failed(failure)) => Err(failure),
            // The child died before it could answer: its limits or a fault in its reader.
            Err(_) => Err(Failure::new(
                Reason::Unreadable,
                "this file is damaged or too complicated to read; try to export it again, or send its text",
            )),
        },
        Ok(Err(error)) => {
            tracing::error!(%error, file_type = ?task.file_type, "cannot run an isolated reader");
            Err(Failure::new(
                Reason::Internal,
                "this file could not be read; the fault is ours",
            ))
        }
        Err(_) => Err(Failure::new(
            Reason::TooLarge,
            "this file takes too long to read; send a part of it",
        )),
    }
}

async fn ask(isolation: &Isolation, task: &Task, bytes: bytes::Bytes) -> std::io::Result<Vec<u8>> {
    let program = match &isolation.program {
        Some(program) => program.clone(),
        None => std::env::current_exe()?,
    };
    let order = serde_json::to_string(&Order {
        task: task.clone(),
        processor_s: isolation.processor_s,
        memory_bytes: isolation.memory_bytes,
    })?;
    let mut child = Command::new(program)
        .arg(SUBCOMMAND)
        .arg(order)
        .env_clear()
        // The allocator would set more address space aside than the child may have.
        .env("MIMALLOC_ARENA_RESERVE", ARENA_KIB)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()?;
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    let send = async move {
        if let Some(mut stdin) = stdin {
            // A child that has seen enough closes its end; its answer tells why.
            let _ = stdin.write_all(&bytes).await;
            let _ = stdin.shutdown().await;
        }
    };
    let receive = async move {
        let mut answer = Vec::new();
        if let Some(stdout) = stdout {
            stdout
                .take(ANSWER_BYTES_MAX)
                .read_to_end(&mut answer)
                .await?;
        }
        std::io::Result::Ok(answer)
    };
    let ((), answer) = tokio::join!(send, receive);
    let answer = answer?;
    // Whatever it still does after its answer is of no use.
    let _ = child.start_kill();
    let _ = child.wait().await;
    Ok(answer)
}

/// What the child does: bounds itself, reads standard input as `order` says (JSON), writes the answer to standard output.
#[must_use]
pub fn child_main(order: &str) -> ExitCode {
    let Ok(order) = serde_json::from_str::<Order>(order) else {
        return ExitCode::FAILURE;
    };
    let bound = |limit| Rlimit {
        current: Some(limit),
        maximum: Some(limit),
    };
    let bounded = setrlimit(Resource::As, bound(order.memory_bytes)).is_ok()
        && setrlimit(Resource::Cpu, bound(order.processor_s)).is_ok()
        && setrlimit(Resource::Core, bound(0)).is_ok();
    if !bounded {
        return ExitCode::FAILURE;
    }
    let _ = rustix::process::setpriority_process(None, NICENESS);
    let mut bytes = Vec::new();
    let input = std::io::stdin().lock();
    if input.take(INPUT_BYTES_MAX).read_to_end(&mut bytes).is_err() {
        return ExitCode::FAILURE;
    }
    // Readers recurse; a deep file should reach their own limits before the end of the stack.
    let work = std::thread::Builder::new()
        .stack_size(64 << 20)
        .spawn(move || readers::read(&order.task, &bytes));
    let Some(result) = work.ok().and_then(|thread| thread.join().ok()) else {
        return ExitCode::FAILURE;
    };
    let answer = match result {
        Ok(document) => Answer::Read(Box::new(document)),
        Err(failure) => Answer::Failed(failure),
    };
    let written = serde_json::to_vec(&answer)
        .map_err(std::io::Error::from)
        .and_then(|json| std::io::stdout().lock().write_all(&json));
    if written.is_ok() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
