//! The first stage of one run: fetches what was ordered and reads it into a document.

use crate::actors::context::{Ctx, Handle, Kind};
use crate::actors::figures::KindFigures;
use crate::actors::stage::{Line, Tools, broke};
use crate::actors::supervisor;
use crate::actors::synthesizer::Synthesizer;
use crate::domain::generation::Stage;
use crate::domain::source::Source;
use crate::domain::topic::Topic;
use crate::pipeline::extract::{Input, NamedBytes, read};
use crate::pipeline::turn::Turn;
use crate::store::blobs::Blobs;
use actix::prelude::*;
use skillkiln_document::failure::{Failure, Reason};
use std::sync::Arc;

pub(crate) static FIGURES: KindFigures = KindFigures::new("extractor");

/// The reader of one run.
#[derive(Debug)]
pub struct Extractor {
    tools: Arc<Tools>,
    line: Line,
    turn: Turn,
    next: Handle<Synthesizer>,
}

impl Kind for Extractor {
    const FIGURES: &'static KindFigures = &FIGURES;
    type Shared = ();
}

impl Actor for Extractor {
    type Context = Ctx<Self>;
}

impl Supervised for Extractor {
    fn restarting(&mut self, ctx: &mut Ctx<Self>) {
        self.line.fail(broke(Stage::Extracting));
        ctx.stop();
    }
}

/// What is to be read, and what it must have something on.
#[derive(Debug, Message)]
#[rtype(result = "()")]
pub struct Read {
    /// The source.
    pub source: Source,
    /// The topics that were selected of it.
    pub topics: Vec<Topic>,
}

impl Extractor {
    /// Starts the stage, which hands its product to `next`.
    #[must_use]
    pub fn start(
        arbiter: &ArbiterHandle,
        tools: Arc<Tools>,
        line: Line,
        turn: Turn,
        next: Handle<Synthesizer>,
    ) -> Handle<Self> {
        let make = move |_: &mut Ctx<Self>| Self {
            tools,
            line,
            turn,
            next,
        };
        supervisor::start(arbiter, 1, (), make, |_| {})
    }
}

impl Handler<Read> for Extractor {
    type Result = ();

    fn handle(&mut self, Read { source, topics }: Read, ctx: &mut Ctx<Self>) {
        let (mut reader, blobs) = (self.tools.reader.clone(), self.tools.blobs.clone());
        reader.turn = self.turn.clone();
        let work = async move {
            let evidence = read(&reader, fetch(&blobs, source).await?).await?;
            if !topics.is_empty() {
                evidence.handle.find(topics).await?;
            }
            Ok(evidence)
        };
        let work = self.line.clone().work(Stage::Extracting, work);
        ctx.spawn(work.into_actor(self).map(|evidence, extractor, ctx| {
            if let Some(evidence) = evidence
                && extractor.next.tell(evidence).is_err()
            {
                extractor.line.fail(broke(Stage::Synthesizing));
            }
            ctx.stop();
        }));
    }
}

/// Brings what was stored for the run; everything else is fetched by the stage itself.
///
/// # Errors
/// [`Reason::Missing`] when a stored file is gone, [`Reason::Internal`] when it cannot be read now.
pub async fn fetch(blobs: &Blobs, source: Source) -> Result<Input, Failure> {
    Ok(match source {
        Source::Youtube { address } => Input::Video(address),
        Source::Url { address, pages } => Input::Address { address, pages },
        Source::Text { text } => Input::Text(text),
        Source::File { files } => {
            let mut named = Vec::with_capacity(files.len());
            for file in files {
                let bytes = Box::pin(blobs.get(&file.digest))
                    .await
                    .map_err(|error| {
                        tracing::error!(%error, "a stored file cannot be read");
                        Failure::new(
                            Reason::Internal,
                            "the uploaded file cannot be read now; try again in a minute",
                        )
                    })?
                    .ok_or_else(|| {
                        tracing::error!(digest = %file.digest, "a stored file is gone");
                        Failure::new(
                            Reason::Internal,
                            format!(
                                "the uploaded file {} is no longer kept; upload it again",
                                file.filename
                            ),
                        )
                    })?;
                named.push(NamedBytes {
                    filename: file.filename,
                    bytes,
                });
            }
            Input::Files(named)
        }
    })
}
