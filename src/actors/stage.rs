//! Owns what the three stages of a run have in common: how their work is begun, watched, broken off, and what rises from it.

use crate::actors::flow::Flow;
use crate::cluster::relay::Relay;
use crate::domain::clock::Clock;
use crate::domain::generation::Stage;
use crate::pipeline::author::Author;
use crate::pipeline::extract::Reader;
use crate::pipeline::handle::{Evidence, Written};
use crate::pipeline::pool::Pool;
use crate::pipeline::product::{Validated, Volume};
use crate::store::blobs::Blobs;
use crate::store::connection::Store;
use crate::telemetry::lasting::words_of;
use futures_util::FutureExt;
use skillkiln_document::failure::{Failure, Reason};
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use tokio::sync::{mpsc, watch};
use tracing::field::Empty;
use tracing::{Instrument as _, Span};

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
    /// Tells other nodes what happens to runs.
    pub relay: Relay,
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
    /// The run's part of a trace.
    span: Span,
    /// Where the stages and their actors are counted.
    pub(super) flow: Arc<Flow>,
}

impl Line {
    /// A line with its upper ends, for a run whose part of a trace is `span` and whose stages are counted in `flow`.
    #[must_use]
    pub fn new(
        span: Span,
        flow: Arc<Flow>,
    ) -> (Self, mpsc::UnboundedReceiver<Risen>, watch::Sender<bool>) {
        let (up, risen) = mpsc::unbounded_channel();
        let (stop, halt) = watch::channel(false);
        let line = Self {
            up,
            halt,
            span,
            flow,
        };
        (line, risen, stop)
    }

    /// Does a stage's work: tells that it began, counts it, breaks it off when the run has ended, and turns a panic into a failure.
    /// `None` when there is no product; the run has been told why, unless it was the run that ended it.
    pub async fn work<T: Measured>(
        mut self,
        stage: Stage,
        work: impl Future<Output = Result<T, Failure>>,
    ) -> Option<T> {
        if *self.halt.borrow() {
            return None;
        }
        let _ = self.up.send(Risen::Entered(stage));
        let span = tracing::info_span!(parent: &self.span, "stage", stage = stage.as_str(), words = Empty, outcome = Empty);
        let inside = self.flow.stages.enter(stage);
        let working = AssertUnwindSafe(work).catch_unwind();
        let outcome = tokio::select! {
            biased;
            outcome = working.instrument(span.clone()) => outcome,
            () = until_true(&mut self.halt) => {
                span.record("outcome", "halted");
                return None;
            }
        };
        let outcome = outcome.unwrap_or_else(|payload| {
            let _inside = span.enter();
            tracing::error!(stage = stage.as_str(), panic = %words_of(payload.as_ref()), "a stage panicked");
            Err(broke(stage))
        });
        match &outcome {
            Ok(product) => {
                let yielded = product.measure();
                self.flow.stages.yielded(stage, yielded);
                span.record("words", yielded.words)
                    .record("outcome", "passed");
            }
            Err(failure) => {
                span.record("outcome", failure.reason.as_str());
            }
        }
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

/// A product whose size is counted.
pub trait Measured {
    /// How much there is of it.
    fn measure(&self) -> Volume;
}

impl Measured for Evidence {
    fn measure(&self) -> Volume {
        self.volume
    }
}

impl Measured for Written {
    fn measure(&self) -> Volume {
        self.volume
    }
}

impl Measured for Validated {
    fn measure(&self) -> Volume {
        self.volume()
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
