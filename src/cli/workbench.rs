//! Owns how the pipeline is run here, without a server: what its stages work with, and the stages one after the other.

use super::beside;
use super::output::{Stop, failed};
use super::source::SourceArgs;
use crate::config::Settings;
use crate::domain::clock::Clock;
use crate::domain::generation::Stage;
use crate::pipeline::author::Author;
use crate::pipeline::extract::{Input, Reader};
use crate::pipeline::handle::JobHandle;
use crate::pipeline::product::{Validated, Wish};
use crate::providers::model::Meter;
use crate::services;
use std::time::Duration;
use tokio::time::Instant;

/// What the stages work with.
#[derive(Debug, Clone)]
pub struct Workbench {
    /// Reads sources.
    pub reader: Reader,
    /// Writes skills.
    pub author: Author,
    bytes_max: u64,
    words_min: usize,
    deadline: Duration,
}

impl Workbench {
    /// By the settings.
    ///
    /// # Errors
    /// [`Stop::Failed`] when a client or a thread cannot be made.
    pub fn new(settings: &Settings) -> Result<Self, Stop> {
        let reader = services::reader(settings, Clock::system()).map_err(Stop::Failed)?;
        let author = services::author(settings, &reader.pool, None).map_err(Stop::Failed)?;
        Ok(Self {
            reader,
            author,
            bytes_max: settings.uploads.file_bytes_max,
            words_min: settings.engine.words_min as usize,
            deadline: settings.run_deadline(),
        })
    }

    /// What of a source lies on this machine.
    ///
    /// # Errors
    /// As [`SourceArgs::input`].
    pub fn input(&self, source: &SourceArgs) -> Result<Input, Stop> {
        source.input(self.bytes_max, self.words_min)
    }

    /// Reads a source.
    ///
    /// # Errors
    /// [`Stop::Failed`], in words for whoever named it.
    pub async fn read(&self, source: &SourceArgs, input: Input) -> Result<JobHandle, Stop> {
        beside::read(&self.reader, input, source.path(), self.bytes_max).await
    }

    /// Writes skills of what was read, and checks them.
    ///
    /// # Errors
    /// [`Stop::Failed`] in the words of the stage.
    pub async fn write(
        &self,
        handle: JobHandle,
        wish: Wish,
        entered: &(dyn Fn(Stage) + Sync),
        tell: &(dyn Fn(&str) + Sync),
    ) -> Result<Validated, Stop> {
        entered(Stage::Synthesizing);
        let until = Instant::now() + self.deadline;
        let meter = Meter::default();
        let written = self.author.write(&handle, wish, until, &meter, tell);
        written.await.map_err(failed)?;
        entered(Stage::Validating);
        handle.check().await.map_err(failed)
    }
}
