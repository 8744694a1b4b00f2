//! Owns the two ways to load something: a closed loop, in which so many callers wait for their answers, and an open one, in which
//! callers come when they come.

use super::driven::Driven;
use super::figures::{Made, Recorder, Trouble};
use super::schedule::Schedule;
use futures_util::stream::{self, FuturesUnordered, StreamExt};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

/// Generations of an open loop that may be under way; those that come beyond count as refused.
const UNDER_WAY_MAX: usize = 50_000;

/// What a load is.
#[derive(Debug, Clone)]
pub enum Load {
    /// So many generations, so many at once.
    Closed {
        /// How many.
        generations: u64,
        /// How many at once.
        concurrency: usize,
    },
    /// A generation at each of these times.
    Open(Schedule),
}

/// Loads `driven`, the first generation being the `first`-th, and answers what was noted and how long it took.
pub async fn run(
    driven: &Driven,
    load: Load,
    first: u64,
    progress: &Progress,
) -> (Recorder, Duration) {
    match load {
        Load::Closed {
            generations,
            concurrency,
        } => closed(driven, first, generations, concurrency, progress).await,
        Load::Open(schedule) => open(driven, first, schedule, progress).await,
    }
}

async fn closed(
    driven: &Driven,
    first: u64,
    generations: u64,
    concurrency: usize,
    progress: &Progress,
) -> (Recorder, Duration) {
    progress.begin(generations);
    let mut recorder = Recorder::start();
    let began = Instant::now();
    let mut ended = stream::iter(first..first + generations)
        .map(|n| async move {
            let began = Instant::now();
            let made = driven.generate(n).await;
            (began.elapsed(), made)
        })
        .buffer_unordered(concurrency);
    while let Some((took, made)) = ended.next().await {
        recorder.note(took, made);
        progress.advance();
    }
    (recorder, began.elapsed())
}

async fn open(
    driven: &Driven,
    first: u64,
    schedule: Schedule,
    progress: &Progress,
) -> (Recorder, Duration) {
    progress.begin(schedule.clone().count() as u64);
    let mut recorder = Recorder::start();
    let began = Instant::now();
    let mut arrivals = arrivals(schedule, began);
    let mut n = first;
    let mut under_way = FuturesUnordered::new();
    let mut more = true;
    loop {
        let ended: (Duration, Result<Made, Trouble>) = tokio::select! {
            biased;
            Some(ended) = under_way.next(), if !under_way.is_empty() => ended,
            arrival = arrivals.recv(), if more => match arrival {
                Some(at) if under_way.len() < UNDER_WAY_MAX => {
                    recorder.begun_late(at.elapsed());
                    under_way.push(async move {
                        let made = driven.generate(n).await;
                        // From when it should have begun: what waited before it began counts.
                        (at.elapsed(), made)
                    });
                    n += 1;
                    continue;
                }
                Some(at) => {
                    let words = "too many generations were under way";
                    (at.elapsed(), Err(Trouble::new("overload", words)))
                }
                None => {
                    more = false;
                    continue;
                }
            },
            else => break,
        };
        recorder.note(ended.0, ended.1);
        progress.advance();
    }
    (recorder, began.elapsed())
}

/// Tells the times of a schedule when they come. On a thread of its own, which sleeps far more exactly than a runtime's timer, and
/// which the work of the others does not delay.
fn arrivals(schedule: Schedule, began: Instant) -> mpsc::UnboundedReceiver<Instant> {
    let (tell, told) = mpsc::unbounded_channel();
    let keep_time = move || {
        for at in schedule {
            let at = began + at;
            if let Some(left) = at.checked_duration_since(Instant::now()) {
                std::thread::sleep(left);
            }
            if tell.send(at).is_err() {
                return;
            }
        }
    };
    // Without the thread nothing arrives and the load is empty, which its figures show.
    let _ = std::thread::Builder::new()
        .name("arrivals".to_owned())
        .spawn(keep_time);
    told
}

/// How far a load is, on standard error, when that is a terminal.
#[derive(Debug)]
pub struct Progress(Option<ProgressBar>);

impl Progress {
    /// Shows nothing yet.
    #[must_use]
    pub fn start() -> Self {
        Self(stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(0);
            let style = "{bar:40} {pos}/{len} {per_sec} {msg}";
            if let Ok(style) = ProgressStyle::with_template(style) {
                bar.set_style(style);
            }
            bar
        }))
    }

    /// Shows nothing, whoever watches.
    #[cfg(test)]
    pub(crate) const fn silent() -> Self {
        Self(None)
    }

    /// Says what is being done.
    pub fn say(&self, words: String) {
        if let Some(bar) = &self.0 {
            bar.set_message(words);
        }
    }

    fn begin(&self, length: u64) {
        if let Some(bar) = &self.0 {
            bar.reset();
            bar.set_length(length);
        }
    }

    fn advance(&self) {
        if let Some(bar) = &self.0 {
            bar.inc(1);
        }
    }

    /// Takes the bar away.
    pub fn end(self) {
        if let Some(bar) = self.0 {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::bench::driven::Stages;
    use crate::cli::bench::options::bench;
    use crate::cli::bench::stock::Stock;
    use crate::config::Settings;

    fn driven() -> Driven {
        let stock = Stock::lay_in(&bench(&["--generations", "4"]), 100).unwrap();
        Driven::Pipeline(Stages::new(&Settings::default(), stock).unwrap())
    }

    #[tokio::test]
    async fn a_closed_loop_makes_as_many_as_it_was_told() {
        let load = Load::Closed {
            generations: 5,
            concurrency: 3,
        };
        let (recorder, took) = run(&driven(), load, 0, &Progress::silent()).await;
        let figures = recorder.figures(took);
        assert_eq!((figures.generations, figures.failed), (5, 0));
        assert_eq!(figures.begun_late_ms_max, None);
    }

    #[tokio::test]
    async fn an_open_loop_begins_each_of_its_schedule() {
        let schedule = Schedule::even(200.0, Duration::from_millis(50));
        let (recorder, took) = run(&driven(), Load::Open(schedule), 0, &Progress::silent()).await;
        let figures = recorder.figures(took);
        assert_eq!((figures.generations, figures.failed), (10, 0));
        assert!(figures.begun_late_ms_max.is_some());
        assert!(took >= Duration::from_millis(45), "{took:?}");
    }
}
