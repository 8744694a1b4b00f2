//! `skillkiln extract SOURCE`: shows what the extract stage reads, as Markdown or as the document with its spans.

use super::Common;
use super::beside;
use super::operator::{block_on, quiet_log};
use super::output::{self, Stop, failed};
use super::source::SourceArgs;
use crate::domain::clock::Clock;
use crate::pipeline::extract::Reader;
use crate::services;
use clap::Args;
use skillkiln_document::markdown;

/// What to read, and how to show it.
#[derive(Debug, Args)]
pub struct Extract {
    /// The source.
    #[command(flatten)]
    pub source: SourceArgs,
    /// Print Markdown (the default)
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,
    /// Print the document with its blocks and spans as JSON
    #[arg(long)]
    pub json: bool,
}

/// Runs the command.
///
/// # Errors
/// [`Stop::Failed`] when the source cannot be read.
pub fn run(command: &Extract, common: &Common) -> Result<(), Stop> {
    let settings = common.settings()?;
    quiet_log()?;
    // What is only shown may be as short as it is.
    let input = command.source.input(settings.uploads.file_bytes_max, 0)?;
    let extracted = block_on(async {
        let reader = services::reader(&settings, Clock::system()).map_err(Stop::Failed)?;
        let reader = Reader {
            words_min: 0,
            ..reader
        };
        let bytes_max = settings.uploads.file_bytes_max;
        let handle = beside::read(&reader, input, command.source.path(), bytes_max).await?;
        handle.take_document().await.map_err(failed)
    })?;
    if command.json {
        return output::say_json(&extracted.document);
    }
    output::write_all(markdown::write(&extracted.document.blocks).as_bytes())
}
