//! The second stage of one run: writes skills from the document.

use crate::actors::stage::Tools;
use crate::actors::station::Work;
use crate::domain::generation::Stage;
use crate::pipeline::handle::{Evidence, Written};
use crate::pipeline::product::Wish;
use crate::providers::model::Meter;
use actix::prelude::*;
use skillkiln_document::failure::Failure;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// What a run needs of its time for what comes after the model's last answer, at most.
const LEFT_FOR_THE_REST: Duration = Duration::from_secs(5);

/// The writing of one run.
#[derive(Debug)]
pub struct Synthesizer {
    /// What it works with.
    pub tools: Arc<Tools>,
    /// What is wanted.
    pub wish: Wish,
    until: Instant,
    /// Counts what a model takes.
    meter: Meter,
}

impl Message for Evidence {
    type Result = ();
}

impl Synthesizer {
    /// Of a run that has to end at `deadline`.
    #[must_use]
    pub fn new(tools: Arc<Tools>, wish: Wish, deadline: Instant, meter: Meter) -> Self {
        let left = deadline.saturating_duration_since(Instant::now());
        Self {
            tools,
            wish,
            until: deadline - LEFT_FOR_THE_REST.min(left / 10),
            meter,
        }
    }
}

impl Work for Synthesizer {
    type In = Evidence;
    type Out = Written;
    const STAGE: Stage = Stage::Synthesizing;

    async fn work(self, Evidence { handle, .. }: Evidence) -> Result<Written, Failure> {
        let told = |words: &str| tracing::debug!("{words}");
        let author = &self.tools.author;
        let written = author.write(&handle, self.wish, self.until, &self.meter, &told);
        let volume = written.await?;
        Ok(Written { handle, volume })
    }
}
