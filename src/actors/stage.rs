//! Owns what the three stages of a run have in common: how their work is begun, watched, broken off, and what rises from it.

use crate::actors::figures::STAGES;
use crate::actors::supervisor::words_of;
use crate::domain::clock::Clock;
use crate::domain::failure::{Failure, Reason};
use crate::domain::generation::Stage;
use crate::pipeline::extract::Reader;
use crate::pipeline::pool::Pool;
use crate::pipeline::synthesize::model::Author;
use crate::store::blobs::Blobs;
use crate::store::connection::Store;
use futures_util::FutureExt;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use tokio::sync::{mpsc, watch};

/// What the stages of all runs work with.
#[derive(Debug, Clone)]
pub struct Tools {
    /// Reads sources.
    pub reader: Reader,
    /// Writes skills.
    pub author: Author,
    /// The threads for heavy work.
    pub pool: Pool,
    /// Uploaded files.
    pub blobs: Blobs,
    /// Runs and skills.
    pub store: Store,
    /// What time it is.
    pub clock: Clock,
}

/// What rises from a stage to its run.
#[derive(Debug)]
pub enum Risen {
    /// The stage has begun.
    Entered(Stage),
    /// The stage failed, and with it the run.
    Failed(Failure),
}

/// A stage's line to its run: what it has to tell goes up, the word to stop comes down.
#[derive(Debug, Clone)]
pub struct Line {
    up: mpsc::UnboundedSender<Risen>,
    halt: watch::Receiver<bool>,
}

impl Line {
    /// A line with its upper ends.
    #[must_use]
    pub fn new() -> (Self, mpsc::UnboundedReceiver<Risen>, watch::Sender<bool>) {
        let (up, risen) = mpsc::unbounded_channel();
        let (stop, halt) = watch::channel(false);
        (Self { up, halt }, risen, stop)
    }

    /// Does a stage's work: tells that it began, counts it, breaks it off when the run has ended, and turns a panic into a failure.
    /// `None` when there is no product; the run has been told why, unless it was the run that ended it.
    pub async fn work<T>(
        mut self,
        stage: Stage,
        work: impl Future<Output = Result<T, Failure>>,
    ) -> Option<T> {
        if *self.halt.borrow() {
            return None;
        }
        let _ = self.up.send(Risen::Entered(stage));
        let inside = STAGES.enter(stage);
        let outcome = tokio::select! {
            biased;
            outcome = AssertUnwindSafe(work).catch_unwind() => outcome,
            () = until_true(&mut self.halt) => return None,
        };
        let outcome = outcome.unwrap_or_else(|payload| {
            tracing::error!(stage = stage.as_str(), panic = %words_of(payload.as_ref()), "a stage panicked");
            Err(broke(stage))
        });
        match inside.leave(outcome) {
            Ok(product) => Some(product),
            Err(failure) => {
                self.fail(failure);
                None
            }
        }
    }

    /// Tells the run that it has failed.
    pub fn fail(&self, failure: Failure) {
        let _ = self.up.send(Risen::Failed(failure));
    }
}

/// The failure of a stage whose actor broke.
#[must_use]
pub fn broke(stage: Stage) -> Failure {
    let doing = match stage {
        Stage::Extracting => "reading the source",
        Stage::Synthesizing => "writing the skill",
        Stage::Validating => "checking the skill",
    };
    Failure::new(
        Reason::Internal,
        format!("something went wrong while {doing}; the fault is ours and nothing was charged"),
    )
}

async fn until_true(halt: &mut watch::Receiver<bool>) {
    // A sender that is gone means a run that is gone.
    let _ = halt.wait_for(|halted| *halted).await;
}
