//! What the worker process does: locks itself in, then performs one request after the other until its input ends.

use super::{Order, prison, wire};
use crate::pipeline::job::{Answer, Job, Request};
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use skillkiln_document::failure::{Failure, Reason};
use skillkiln_document::work::{Budget, within};
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::{Arc, mpsc};

/// Readers recurse; a deep source should reach their own limits before the end of the stack.
const STACK_BYTES: usize = 64 << 20;

/// What goes back for a request.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Reply {
    /// What came of it.
    pub(super) outcome: Result<Answer, Failure>,
    /// What of the prison this machine does not have, in words for the log.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) lacks: Vec<String>,
}

/// Runs until its input ends.
pub(super) fn main(order: &str) -> ExitCode {
    let Ok(order) = serde_json::from_str::<Order>(order) else {
        return ExitCode::FAILURE;
    };
    let Ok(mut lacks) = prison::enter(&order) else {
        return ExitCode::FAILURE;
    };
    let (give, requests) = mpsc::sync_channel::<(Request, Vec<u8>)>(1);
    let (begin, told) = mpsc::sync_channel::<Vec<String>>(1);
    let bytes_max = order.memory_bytes / 2;
    let work = std::thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(move || {
            let Ok(lacks) = told.recv() else { return };
            let worked = catch_unwind(AssertUnwindSafe(|| work(&requests, lacks, bytes_max)));
            // The other thread waits for requests that nobody would perform.
            std::process::exit(i32::from(worked.is_err()));
        });
    if work.is_err() {
        return ExitCode::FAILURE;
    }
    // Both threads are there; from here on not even those that wait may do more than they need.
    lacks.extend(prison::seal());
    if begin.send(lacks).is_err() {
        return ExitCode::FAILURE;
    }
    let mut input = std::io::stdin().lock();
    while let Some(request) = wire::next(&mut input) {
        if give.send(request).is_err() {
            // The work has broken.
            return ExitCode::FAILURE;
        }
    }
    // Nobody listens any more, whatever is still being done.
    ExitCode::SUCCESS
}

/// Performs the requests.
fn work(requests: &mpsc::Receiver<(Request, Vec<u8>)>, mut lacks: Vec<String>, bytes_max: u64) {
    let mut job = Job::default();
    let budget = Budget {
        steps: u64::MAX,
        bytes: bytes_max,
        cancel: Arc::default(),
    };
    let done = within(&budget, || {
        while let Ok((request, bytes)) = requests.recv() {
            let outcome = job.perform(request, Bytes::from(bytes));
            let reply = Reply {
                outcome,
                lacks: std::mem::take(&mut lacks),
            };
            if !tell(&reply) {
                break;
            }
        }
    });
    if done.is_err() {
        let outcome = Err(Failure::new(
            Reason::TooLarge,
            "this file takes more memory to read than a file may have; send a part of it",
        ));
        tell(&Reply { outcome, lacks });
    }
    // Taking apart what is left would be work for nothing.
    std::mem::forget(job);
}

/// Writes a reply; false when nobody takes it.
fn tell(reply: &Reply) -> bool {
    let Some(json) = wire::written(reply) else {
        return false;
    };
    let mut out = std::io::stdout().lock();
    let written = out
        .write_all(&wire::head(json.len(), 0))
        .and_then(|()| out.write_all(&json))
        .and_then(|()| out.flush());
    written.is_ok()
}
