//! The second stage of one run: writes skills from the document.

use crate::actors::context::{Ctx, Handle, Kind};
use crate::actors::figures::KindFigures;
use crate::actors::stage::{Line, Tools, broke};
use crate::actors::supervisor;
use crate::actors::validator::Validator;
use crate::domain::generation::Stage;
use crate::pipeline::handle::{Evidence, Written};
use crate::pipeline::product::Wish;
use actix::prelude::*;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// What a run needs of its time for what comes after the model's last answer, at most.
const LEFT_FOR_THE_REST: Duration = Duration::from_secs(5);

pub(crate) static FIGURES: KindFigures = KindFigures::new("synthesizer");

/// The writer of one run.
#[derive(Debug)]
pub struct Synthesizer {
    tools: Arc<Tools>,
    line: Line,
    wish: Wish,
    until: Instant,
    next: Handle<Validator>,
}

impl Kind for Synthesizer {
    const FIGURES: &'static KindFigures = &FIGURES;
    type Shared = ();
}

impl Actor for Synthesizer {
    type Context = Ctx<Self>;
}

impl Supervised for Synthesizer {
    fn restarting(&mut self, ctx: &mut Ctx<Self>) {
        self.line.fail(broke(Stage::Synthesizing));
        ctx.stop();
    }
}

impl Message for Evidence {
    type Result = ();
}

impl Synthesizer {
    /// Starts the stage of a run that has to end at `deadline`; it hands its product to `next`.
    #[must_use]
    pub fn start(
        arbiter: &ArbiterHandle,
        tools: Arc<Tools>,
        line: Line,
        wish: Wish,
        deadline: Instant,
        next: Handle<Validator>,
    ) -> Handle<Self> {
        let left = deadline.saturating_duration_since(Instant::now());
        let until = deadline - LEFT_FOR_THE_REST.min(left / 10);
        supervisor::start(
            arbiter,
            1,
            (),
            move |_| Self {
                tools,
                line,
                wish,
                until,
                next,
            },
            |_| {},
        )
    }
}

impl Handler<Evidence> for Synthesizer {
    type Result = ();

    fn handle(&mut self, Evidence { handle, .. }: Evidence, ctx: &mut Ctx<Self>) {
        let (author, wish) = (self.tools.author.clone(), std::mem::take(&mut self.wish));
        let until = self.until;
        let work = async move {
            let volume = author
                .write(&handle, wish, until, &|words| tracing::debug!("{words}"))
                .await?;
            Ok(Written { handle, volume })
        };
        let work = self.line.clone().work(Stage::Synthesizing, work);
        ctx.spawn(work.into_actor(self).map(|written, synthesizer, ctx| {
            if let Some(written) = written
                && synthesizer.next.tell(written).is_err()
            {
                synthesizer.line.fail(broke(Stage::Validating));
            }
            ctx.stop();
        }));
    }
}
