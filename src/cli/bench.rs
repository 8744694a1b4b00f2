//! `skillkiln bench`: drives the real pipeline in this process and prints its throughput and how long each stage takes.

use super::Common;
use super::operator::{block_on, quiet_log};
use super::output::{self, Stop};
use super::quality;
use super::source::SourceArgs;
use crate::domain::clock::Clock;
use crate::domain::failure::Failure;
use crate::pipeline::extract::{self, Input, Reader};
use crate::pipeline::product::Wish;
use crate::pipeline::{synthesize, validate};
use crate::services;
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Where the time of a run goes, in order; the last one is the whole run.
const PARTS: [&str; 4] = ["extracting", "synthesizing", "validating", "generation"];

/// What to drive.
#[derive(Debug, Args)]
pub struct Bench {
    /// How many generations
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub generations: u32,
    /// How many at once
    #[arg(long, value_name = "C", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=1_024))]
    pub concurrency: u32,
    /// A source to take in turn, an address or a path; may be repeated [default: texts of 2 KB that are made up]
    #[arg(long = "source", value_name = "PATH")]
    pub sources: Vec<String>,
    /// Measure the skills made of the documents of a folder instead: how much they keep, how true they are, what the checks find
    #[arg(long, value_name = "DIR", conflicts_with_all = ["generations", "concurrency", "sources"])]
    pub quality: Option<PathBuf>,
    /// Keep the skills that are measured in this folder
    #[arg(long, value_name = "DIR", requires = "quality")]
    pub out: Option<PathBuf>,
    /// Print the figures as JSON
    #[arg(long)]
    pub json: bool,
}

/// What was measured.
#[derive(Debug, Serialize)]
struct Figures {
    generations: usize,
    failed: usize,
    concurrency: u32,
    seconds: f64,
    generations_per_second: f64,
    stages: Vec<Part>,
}

/// How long one part of a run took, in milliseconds.
#[derive(Debug, Serialize)]
struct Part {
    stage: &'static str,
    p50_ms: f64,
    p90_ms: f64,
    p99_ms: f64,
}

type Timing = [Duration; PARTS.len()];

/// Runs the command.
///
/// # Errors
/// [`Stop::Failed`] when a source cannot be read, or a generation failed.
pub fn run(command: &Bench, common: &Common) -> Result<(), Stop> {
    if let Some(dir) = &command.quality {
        return quality::run(dir, command.out.as_deref(), command.json, common);
    }
    let settings = common.settings()?;
    quiet_log()?;
    let mut inputs = Vec::new();
    for source in &command.sources {
        let source = SourceArgs {
            source: source.clone(),
            source_type: None,
            max_pages: 1,
        };
        inputs.push(source.input(settings.uploads.file_bytes_max)?);
    }
    if inputs.is_empty() {
        inputs.extend((0..16).map(|seed| Input::Text(made_up(seed))));
    }
    let (results, took) = block_on(async {
        let reader = services::reader(&settings, Clock::system()).map_err(Stop::Failed)?;
        Ok(drive(reader, inputs, command.generations, command.concurrency).await)
    })?;
    let (timings, failures): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
    let timings: Vec<Timing> = timings.into_iter().flatten().collect();
    let failure = failures.iter().find_map(|result| result.as_ref().err());
    let figures = figures(&timings, failures.len(), command.concurrency, took);
    if command.json {
        output::say_json(&figures)?;
    } else {
        output::say(&page(&figures))?;
    }
    match failure {
        Some(failure) => Err(Stop::Failed(failure.message.clone())),
        None => Ok(()),
    }
}

/// Runs the generations, so many at once, the inputs in turn.
async fn drive(
    reader: Reader,
    inputs: Vec<Input>,
    generations: u32,
    concurrency: u32,
) -> (Vec<Result<Timing, Failure>>, Duration) {
    let (inputs, next) = (Arc::new(inputs), Arc::new(AtomicU32::new(0)));
    let began = Instant::now();
    let workers: Vec<_> = (0..concurrency)
        .map(|_| {
            let (reader, inputs, next) = (reader.clone(), Arc::clone(&inputs), Arc::clone(&next));
            tokio::spawn(async move {
                let mut results = Vec::new();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= generations {
                        return results;
                    }
                    if let Some(input) = inputs.get(number as usize % inputs.len().max(1)) {
                        results.push(one(&reader, input.clone()).await);
                    }
                }
            })
        })
        .collect();
    let mut results = Vec::new();
    for worker in workers {
        results.extend(worker.await.unwrap_or_default());
    }
    (results, began.elapsed())
}

/// One generation, timed.
async fn one(reader: &Reader, input: Input) -> Result<Timing, Failure> {
    let began = Instant::now();
    let extracted = extract::extract(reader, input).await?;
    let read = Instant::now();
    let synthesized = synthesize::synthesize(&reader.pool, extracted, Wish::default()).await?;
    let written = Instant::now();
    validate::validate(&reader.pool, synthesized).await?;
    let checked = Instant::now();
    Ok([
        read - began,
        written - read,
        checked - written,
        checked - began,
    ])
}

fn figures(timings: &[Timing], failed: usize, concurrency: u32, took: Duration) -> Figures {
    let stages = (0..PARTS.len())
        .zip(PARTS)
        .map(|(position, stage)| {
            let mut spans: Vec<Duration> = timings
                .iter()
                .filter_map(|timing| timing.get(position).copied())
                .collect();
            spans.sort_unstable();
            let at = |percent| percentile(&spans, percent).as_secs_f64() * 1e3;
            Part {
                stage,
                p50_ms: at(50),
                p90_ms: at(90),
                p99_ms: at(99),
            }
        })
        .collect();
    let seconds = took.as_secs_f64();
    Figures {
        generations: timings.len(),
        failed,
        concurrency,
        seconds,
        generations_per_second: timings.len() as f64 / seconds.max(f64::EPSILON),
        stages,
    }
}

/// The smallest span that at least `percent` of the sorted spans do not exceed; zero when there are none.
fn percentile(sorted: &[Duration], percent: usize) -> Duration {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied().unwrap_or_default()
}

fn page(figures: &Figures) -> String {
    let rows: Vec<Vec<String>> = figures
        .stages
        .iter()
        .map(|part| {
            let ms = |value: f64| format!("{value:.2}");
            vec![
                part.stage.to_owned(),
                ms(part.p50_ms),
                ms(part.p90_ms),
                ms(part.p99_ms),
            ]
        })
        .collect();
    format!(
        "{} generations in {:.2} s, {} at once: {:.1} a second, {} failed\n{}",
        figures.generations,
        figures.seconds,
        figures.concurrency,
        figures.generations_per_second,
        figures.failed,
        output::table(&["stage", "p50 ms", "p90 ms", "p99 ms"], &rows)
    )
}

/// A manual of about 2 KB; another seed tells of other things in another order.
fn made_up(seed: u32) -> String {
    const PARTS: [&str; 6] = ["pump", "valve", "burner", "sensor", "filter", "gauge"];
    const DEEDS: [&str; 5] = ["Install", "Check", "Clean", "Replace", "Calibrate"];
    let pick = |list: &[&'static str], number: u32| -> &'static str {
        let length = u32::try_from(list.len()).unwrap_or(1);
        list.get((number % length) as usize)
            .copied()
            .unwrap_or("part")
    };
    let mut text = format!(
        "# Kiln manual {seed}\n\nHow to keep kiln {seed} in good order, for those who fire it.\n"
    );
    for section in 0..5 {
        let (part, deed) = (
            pick(&PARTS, seed + section),
            pick(&DEEDS, seed + 2 * section),
        );
        let limit = 40 + 7 * seed + section;
        text.push_str(&format!(
            "\n## {deed} the {part}\n\n\
             The {part} of kiln {seed} must never run above {limit} degrees, because its seal softens there. \
             Read this before you touch it, and keep the door open until the lamp is green.\n\n\
             1. Turn the main switch off and wait {limit} seconds.\n\
             2. {deed} the {part} and note its number {seed}{section}.\n\
             3. Run the test and read the result.\n\n\
             ```sh\nkilnctl test --part {part} --limit {limit}\n```\n"
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_a_span_that_was_measured() {
        let spans: Vec<Duration> = (1..=100).map(Duration::from_millis).collect();
        assert_eq!(percentile(&spans, 50), Duration::from_millis(50));
        assert_eq!(percentile(&spans, 99), Duration::from_millis(99));
        assert_eq!(percentile(&spans[..1], 50), Duration::from_millis(1));
        assert_eq!(percentile(&[], 99), Duration::ZERO);
    }

    #[test]
    fn made_up_sources_differ_and_are_about_2_kb() {
        let lengths: Vec<usize> = (0..16).map(|seed| made_up(seed).len()).collect();
        assert!(
            lengths.iter().all(|length| (1_500..3_000).contains(length)),
            "{lengths:?}"
        );
        assert_ne!(made_up(1), made_up(2));
    }
}
