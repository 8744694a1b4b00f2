//! Owns how a handler gets a run and listens to it. Who stops listening changes nothing: the run goes on.

use crate::domain::credits::Credits;
use crate::domain::generation::{Event, Finished};
use crate::domain::id::RunId;
use crate::http::context::{Context, Notes};
use crate::http::error::Problem;
use crate::services::engine::Request;
use futures_channel::mpsc;
use futures_util::StreamExt as _;
use skillkiln_document::failure::{Failure, Reason};
use tokio::sync::watch;
use uuid::Uuid;

/// A run, as one listener hears it.
#[derive(Debug)]
pub(super) struct Listener {
    /// Its identity.
    pub(super) run_id: RunId,
    /// Shared by the skills of a catalogue.
    pub(super) catalogue_id: Option<Uuid>,
    /// What can be spent after the charge.
    pub(super) available: Credits,
    /// Whether this answers an earlier request again.
    pub(super) repeated: bool,
    events: mpsc::Receiver<Event>,
    closing: watch::Receiver<bool>,
}

impl Listener {
    /// Orders a run; nothing is charged when it is refused.
    pub(super) async fn order(context: &Context, request: Request) -> Result<Self, Problem> {
        Self::of(context, request, &Notes::current_id()).await
    }

    /// Orders a run for a request that is answered elsewhere than where it came in.
    pub(super) async fn of(
        context: &Context,
        request: Request,
        request_id: &str,
    ) -> Result<Self, Problem> {
        if context.exit.is_draining() {
            return Err(Problem::stopping());
        }
        let closing = context.exit.closing();
        let engine = &context.services.engine;
        let run = engine.generate(request, request_id).await?;
        Ok(Self {
            run_id: run.id,
            catalogue_id: run.catalogue_id,
            available: run.available,
            repeated: run.repeated,
            events: run.events,
            closing,
        })
    }

    /// The next event. Once the service closes, or the run falls silent without an end, that is a failure: a listener is always told.
    pub(super) async fn next(&mut self) -> Event {
        tokio::select! {
            biased;
            event = self.events.next() => event.unwrap_or_else(|| Event::Failed(Failure::new(
                Reason::Internal,
                "the generation ended unexpectedly; look into the generation history for its outcome",
            ))),
            _ = self.closing.wait_for(|closing| *closing) => Event::Failed(Failure::new(
                Reason::Aborted,
                "the service is restarting; the generation goes on afterwards, or its credit is given back",
            )),
        }
    }

    /// Waits for the end.
    pub(super) async fn end(&mut self) -> Result<Finished, Failure> {
        loop {
            match self.next().await {
                Event::Entered(_) => {}
                Event::Completed(finished) => return Ok(finished),
                Event::Failed(failure) => return Err(failure),
            }
        }
    }
}
