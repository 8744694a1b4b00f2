//! Owns that a restart grants nobody a second window: what counts is written behind into a file of the data folder, and taken up by the
//! next start, by the time of day. No request writes or waits; a process that is killed forgets the last seconds.
//!
//! Where nodes share their windows, these live on the server that they share.

use crate::domain::attempts::Counted;
use crate::domain::clock::{Clock, Timestamp};
use crate::services::limits::Limits;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use std::{fs, io};
use tokio::sync::Mutex;
use tokio::task::spawn_blocking;

/// How often what counts is written down.
const EVERY: Duration = Duration::from_secs(5);
/// The file, in the data folder.
const FILE: &str = "windows.json";

/// What is written down of one window: its name, and the instants of the day that count, in microseconds since 1970.
type Line = (String, Vec<i64>);

/// Keeps what counts over a restart. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Memory(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    file: PathBuf,
    limits: Limits,
    clock: Clock,
    /// What was written last; none yet.
    written: Mutex<Option<Vec<Counted>>>,
}

impl Memory {
    /// In a data folder; what an earlier process left there counts from now on.
    pub(super) fn take_up(folder: &Path, limits: Limits, clock: Clock) -> Self {
        let memory = Self(Arc::new(Inner {
            file: folder.join(FILE),
            limits,
            clock,
            written: Mutex::default(),
        }));
        if !memory.0.limits.are_shared() {
            memory.0.take_up();
        }
        memory
    }

    /// Writes down what counts, unless it is what was written last.
    pub(super) async fn write(&self) {
        let inner = &*self.0;
        if inner.limits.are_shared() {
            return;
        }
        let mut written = inner.written.lock().await;
        let counted = inner.limits.counted();
        if written.as_ref() == Some(&counted) {
            return;
        }
        let day = |at: &Timestamp| inner.clock.of_day(*at).micros();
        let line = |one: &Counted| (one.name.clone(), one.at.iter().map(day).collect());
        let lines: Vec<Line> = counted.iter().map(line).collect();
        let file = inner.file.clone();
        match spawn_blocking(move || replace(&file, &lines)).await {
            Ok(Ok(())) => *written = Some(counted),
            Ok(Err(error)) => {
                tracing::warn!(%error, "what the limits count cannot be written down; a restart would begin anew");
            }
            Err(error) => tracing::error!(%error, "what the limits count was not written down"),
        }
    }

    /// Writes it down again and again, for ever.
    pub(super) async fn keep(self) {
        if self.0.limits.are_shared() {
            return;
        }
        loop {
            tokio::time::sleep(EVERY).await;
            self.write().await;
        }
    }
}

impl Inner {
    fn take_up(&self) {
        let lines: Vec<Line> = match fs::read(&self.file) {
            Ok(bytes) => match serde_json::from_slice(&bytes) {
                Ok(lines) => lines,
                Err(error) => {
                    tracing::warn!(file = %self.file.display(), %error, "what the limits counted cannot be read; they begin anew");
                    return;
                }
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => return,
            Err(error) => {
                tracing::warn!(file = %self.file.display(), %error, "what the limits counted cannot be read; they begin anew");
                return;
            }
        };
        let (day, steady) = (self.clock.now(), self.clock.steady());
        // What lies ahead was written before the clock was set back: it counts as one of now.
        let at = |micros: &i64| steady.minus(day.since(Timestamp::from_micros(*micros)));
        for (name, instants) in &lines {
            let instants: Vec<Timestamp> = instants.iter().map(at).collect();
            self.limits.restore(name, &instants);
        }
    }
}

/// Puts the lines in the place of those before, as a whole.
fn replace(file: &Path, lines: &[Line]) -> io::Result<()> {
    let draft = file.with_extension("draft");
    fs::write(&draft, serde_json::to_vec(lines)?)?;
    fs::rename(draft, file)
}
