//! Owns what a person sees while a command works: a spinner on a terminal, a plain line a stage elsewhere.

use super::output;
use crate::domain::generation::Stage;
use indicatif::ProgressBar;
use std::io::{IsTerminal, stderr};
use std::time::Duration;

const TICK: Duration = Duration::from_millis(120);

/// The progress of one run, on standard error.
#[derive(Debug)]
pub struct Progress {
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Shows nothing yet.
    #[must_use]
    pub fn start() -> Self {
        let bar = stderr().is_terminal().then(ProgressBar::new_spinner);
        if let Some(bar) = &bar {
            bar.enable_steady_tick(TICK);
        }
        Self { bar }
    }

    /// Says that a stage began.
    pub fn entered(&self, stage: Stage) {
        self.told(stage.message());
    }

    /// Says what is going on.
    pub fn told(&self, words: &str) {
        match &self.bar {
            Some(bar) => bar.set_message(words.to_owned()),
            None => output::note(words),
        }
    }

    /// Takes the spinner away.
    pub fn end(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}
