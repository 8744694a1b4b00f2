//! Owns one worker process from the server's side: starts it, asks it, and kills it when nobody waits for it any more.

use super::child::Reply;
use super::wire::{HEAD_BYTES, INPUT_BYTES_MAX, head, lengths, read, written};
use super::{Isolation, Order, PURGE_DELAY, PURGE_DELAY_MS, SUBCOMMAND};
use crate::pipeline::job::{Answer, Request};
use crate::pipeline::pool::Pool;
use bytes::Bytes;
use rustix::process::Signal;
use skillkiln_document::failure::{Failure, Reason};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Once};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::JoinHandle;

/// How much address space the worker's allocator sets aside at a time, in KiB.
const ARENA_KIB: &str = "65536";
/// How long a worker that was killed is listened to.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// How much is kept of what a dying worker says.
const COMPLAINT_BYTES_MAX: u64 = 4 << 10;
/// What it says before it dies for want of memory.
const OUT_OF_MEMORY: &[u8] = b"memory allocation of";

/// A worker at work on one source. To drop it is to kill it.
#[derive(Debug)]
pub(in crate::pipeline) struct Session {
    isolation: Isolation,
    pool: Pool,
    child: Child,
    input: Option<ChildStdin>,
    output: ChildStdout,
    /// The beginning of what it says when it dies. It stays here: it may hold words of the source.
    complaint: Option<JoinHandle<Vec<u8>>>,
    place: Option<OwnedSemaphorePermit>,
}

/// Why there is no answer.
#[derive(Debug)]
pub(in crate::pipeline) struct Broken {
    /// What the user is told.
    pub(in crate::pipeline) failure: Failure,
    /// Whether the source took the worker down, and no limit of it.
    pub(in crate::pipeline) has_fallen: bool,
}

impl From<Failure> for Broken {
    fn from(failure: Failure) -> Self {
        Self {
            failure,
            has_fallen: false,
        }
    }
}

impl Session {
    /// Waits for a place and starts a worker for a source of about `bytes` bytes.
    ///
    /// # Errors
    /// [`Reason::Internal`] when none can be started.
    pub(in crate::pipeline) async fn start(
        isolation: &Isolation,
        pool: &Pool,
        bytes: usize,
    ) -> Result<Self, Failure> {
        let place = Arc::clone(&isolation.places).acquire_owned().await;
        let started = start(isolation, bytes).map_err(|error| unusable(&error))?;
        let (child, input, output, complaint) = started;
        Ok(Self {
            isolation: isolation.clone(),
            pool: pool.clone(),
            child,
            input: Some(input),
            output,
            complaint: Some(tokio::spawn(heard(complaint))),
            place: place.ok(),
        })
    }

    /// Leaves the place to others until the next request: nothing is done meanwhile.
    pub(in crate::pipeline) fn rest(&mut self) {
        self.place = None;
    }

    /// Has a request performed.
    ///
    /// # Errors
    /// What the work itself says, or that the worker did not answer; no second request can be made then.
    pub(in crate::pipeline) async fn ask(
        &mut self,
        request: &Request,
        bytes: Bytes,
    ) -> Result<Answer, Broken> {
        if bytes.len() as u64 > INPUT_BYTES_MAX {
            let message = format!(
                "this file is larger than the {} MB that are read of one; send a part of it",
                INPUT_BYTES_MAX >> 20
            );
            return Err(too_large(&message).into());
        }
        if self.place.is_none() {
            let places = Arc::clone(&self.isolation.places);
            self.place = places.acquire_owned().await.ok();
        }
        let timeout = self.isolation.timeout;
        let Ok(answer) = tokio::time::timeout(timeout, self.exchange(request, bytes)).await else {
            let _ = self.child.start_kill();
            return Err(too_slow().into());
        };
        let answer = match answer {
            Ok(Some(answer)) => answer,
            Ok(None) => return Err(self.post_mortem().await),
            Err(failure) => {
                let _ = self.child.start_kill();
                return Err(failure.into());
            }
        };
        let understand = move || read::<Reply>(&answer);
        let Some(reply) = self.pool.go_on(understand).await? else {
            return Err(self.post_mortem().await);
        };
        say_once(&reply.lacks);
        reply.outcome.map_err(Broken::from)
    }

    /// Sends a request and takes the answer; none when the worker ends before it is complete.
    async fn exchange(
        &mut self,
        request: &Request,
        bytes: Bytes,
    ) -> Result<Option<Vec<u8>>, Failure> {
        let Some(json) = written(request) else {
            return Ok(None);
        };
        let Some(input) = &mut self.input else {
            return Ok(None);
        };
        let head = head(json.len(), bytes.len());
        // A worker that has seen enough closes its end; its answer tells why.
        for part in [&head[..], &json, &bytes] {
            if input.write_all(part).await.is_err() {
                break;
            }
        }
        let _ = input.flush().await;
        drop(bytes);
        let mut head = [0; HEAD_BYTES];
        if self.output.read_exact(&mut head).await.is_err() {
            return Ok(None);
        }
        let (length, bytes) = lengths(head);
        if bytes > 0 {
            // No answer has bytes of its own: this is none.
            return Ok(None);
        }
        if length > self.isolation.answer_bytes_max {
            return Err(too_long(self.isolation.answer_bytes_max));
        }
        // What it announces is believed once it is there.
        let mut answer = Vec::new();
        let mut coming = (&mut self.output).take(length);
        let came = coming.read_to_end(&mut answer).await;
        let is_whole = came.is_ok() && answer.len() as u64 == length;
        Ok(is_whole.then_some(answer))
    }

    /// Why a worker ended before it could answer: one of its limits, or a fault in what it did.
    async fn post_mortem(&mut self) -> Broken {
        // Whatever it still does is of no use. One that has died by itself keeps its own status.
        self.input = None;
        let _ = self.child.start_kill();
        let complaint = match self.complaint.take() {
            // Somebody else may hold its end.
            Some(heard) => tokio::time::timeout(LAST_WORDS, heard).await,
            None => Ok(Ok(Vec::new())),
        };
        let complaint = complaint.ok().and_then(Result::ok).unwrap_or_default();
        match self.child.wait().await {
            Ok(status) => verdict(status, &complaint),
            Err(error) => unusable(&error).into(),
        }
    }
}

type Started = (Child, ChildStdin, ChildStdout, ChildStderr);

fn start(isolation: &Isolation, bytes: usize) -> std::io::Result<Started> {
    let program = match &isolation.program {
        Some(program) => program.clone(),
        None => running_program()?,
    };
    let order = serde_json::to_string(&Order {
        processor_s: isolation.seconds_for(bytes),
        memory_bytes: isolation.memory_bytes,
        niceness: isolation.niceness,
        uid: isolation.uid,
    })?;
    let mut child = Command::new(program)
        .arg(SUBCOMMAND)
        .arg(order)
        .current_dir("/")
        .env_clear()
        // The allocator would set more address space aside than the worker may have.
        .env("MIMALLOC_ARENA_RESERVE", ARENA_KIB)
        .env(
            PURGE_DELAY,
            std::env::var_os(PURGE_DELAY).unwrap_or(PURGE_DELAY_MS.into()),
        )
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()?;
    let ends = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    match ends {
        (Some(input), Some(output), Some(complaint)) => Ok((child, input, output, complaint)),
        _ => Err(std::io::Error::other("a worker without pipes")),
    }
}

/// The beginning of what a worker says; the rest is read and forgotten, so that it never waits for a reader.
async fn heard(mut complaint: ChildStderr) -> Vec<u8> {
    let mut beginning = Vec::new();
    let _ = (&mut complaint)
        .take(COMPLAINT_BYTES_MAX)
        .read_to_end(&mut beginning)
        .await;
    let _ = tokio::io::copy(&mut complaint, &mut tokio::io::sink()).await;
    beginning
}

/// The running program, also after its file was replaced by a newer one: the kernel's own handle on it outlives the name.
fn running_program() -> std::io::Result<PathBuf> {
    let own = PathBuf::from("/proc/self/exe");
    if own.exists() {
        Ok(own)
    } else {
        std::env::current_exe()
    }
}

/// Says in the log what of the prison this machine does not have, the first time that a worker finds it.
fn say_once(lacks: &[String]) {
    static SAID: Once = Once::new();
    if !lacks.is_empty() {
        SAID.call_once(|| {
            tracing::warn!(
                lacks = lacks.join(", "),
                "workers are less shut in than they could be on this machine"
            );
        });
    }
}

fn verdict(status: ExitStatus, complaint: &[u8]) -> Broken {
    if status.signal() == Some(Signal::XCPU.as_raw()) {
        return too_slow().into();
    }
    let says_so = |said: &[u8]| said == OUT_OF_MEMORY;
    if complaint.windows(OUT_OF_MEMORY.len()).any(says_so) {
        return too_large(
            "this file takes more memory to read than a file may have; send a part of it",
        )
        .into();
    }
    Broken {
        failure: Failure::new(
            Reason::Unreadable,
            "this file is damaged or too complicated to read; try to export it again, or send its text",
        ),
        has_fallen: true,
    }
}

fn unusable(error: &std::io::Error) -> Failure {
    tracing::error!(%error, "cannot run a worker");
    Failure::new(
        Reason::Internal,
        "this file could not be read; the fault is ours",
    )
}

fn too_long(most: u64) -> Failure {
    too_large(&format!(
        "this file holds more than the {} MB of text and structure that are read of one; send a part of it",
        most >> 20
    ))
}

fn too_slow() -> Failure {
    too_large("this file takes too long to read; send a part of it")
}

fn too_large(message: &str) -> Failure {
    Failure::new(Reason::TooLarge, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_that_used_up_its_processor_time_was_too_slow_and_one_that_crashed_was_not() {
        let ended = |signal| {
            let broken = verdict(ExitStatus::from_raw(signal), b"");
            (broken.failure.reason, broken.has_fallen)
        };
        assert_eq!(ended(Signal::XCPU.as_raw()), (Reason::TooLarge, false));
        assert_eq!(ended(Signal::SEGV.as_raw()), (Reason::Unreadable, true));
        assert_eq!(ended(Signal::ABORT.as_raw()), (Reason::Unreadable, true));
        let short = b"memory allocation of 7 bytes failed";
        let broken = verdict(ExitStatus::from_raw(Signal::ABORT.as_raw()), short);
        assert_eq!(broken.failure.reason, Reason::TooLarge);
    }
}
