//! The first stage of one run: fetches what was ordered and reads it into a document.

use crate::actors::stage::Tools;
use crate::actors::station::Work;
use crate::domain::generation::Stage;
use crate::domain::source::Source;
use crate::domain::topic::Topic;
use crate::pipeline::extract::{Input, NamedBytes, read};
use crate::pipeline::handle::Evidence;
use crate::pipeline::turn::Turn;
use crate::store::blobs::Blobs;
use actix::prelude::*;
use skillkiln_document::failure::{Failure, Reason};
use std::sync::Arc;

/// The reading of one run.
#[derive(Debug)]
pub struct Extractor {
    /// What it works with.
    pub tools: Arc<Tools>,
    /// Its turn among other runs.
    pub turn: Turn,
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

impl Work for Extractor {
    type In = Read;
    type Out = Evidence;
    const STAGE: Stage = Stage::Extracting;

    async fn work(self, Read { source, topics }: Read) -> Result<Evidence, Failure> {
        let mut reader = self.tools.reader.clone();
        reader.turn = self.turn;
        let evidence = read(&reader, fetch(&self.tools.blobs, source).await?).await?;
        if !topics.is_empty() {
            evidence.handle.find(topics).await?;
        }
        Ok(evidence)
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
