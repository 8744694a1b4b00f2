//! Owns what can be asked of `skillkiln bench`, and what makes no sense together.

use crate::cli::output::Stop;
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// Generations of a closed loop unless told otherwise.
const GENERATIONS: u32 = 200;
/// Seconds of an open loop unless told otherwise.
const DURATION_S: f64 = 10.0;
/// Seconds for each rate, while the highest one is looked for.
const KNEE_DURATION_S: f64 = 5.0;

/// What is driven.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Target {
    /// Everything but HTTP: charges, actors, stages, the database
    Engine,
    /// The three stages as plain functions in a loop, which is what the others are measured against
    Pipeline,
    /// The whole service, over HTTP
    Http,
}

/// What to drive, how hard, and what to do with the figures.
#[derive(Debug, Args)]
pub struct Bench {
    /// What to drive
    #[arg(long, value_enum, default_value_t = Target::Engine)]
    pub target: Target,
    /// How many generations [default: 200]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub generations: Option<u32>,
    /// How many at once: each begins when another has ended (a closed loop)
    #[arg(long, value_name = "C", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub concurrency: u32,
    /// Begin R a second whether earlier ones have ended or not (an open loop); latency counts from when each should have begun
    #[arg(long, value_name = "R", value_parser = positive, conflicts_with_all = ["generations", "concurrency"])]
    pub rate: Option<f64>,
    /// For how many seconds, with --rate [default: 10], or for each rate that --knee tries [default: 5]
    #[arg(long, value_name = "S", value_parser = positive)]
    pub duration: Option<f64>,
    /// Draw the beginnings at random by the seed, each independent of the others, instead of at even distances
    #[arg(long)]
    pub poisson: bool,
    /// A source to take in turn, an address or a path; may be repeated [default: texts that are made up]
    #[arg(long = "source", value_name = "PATH")]
    pub sources: Vec<String>,
    /// The seed of the texts that are made up
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        conflicts_with = "sources"
    )]
    pub seed: u64,
    /// How long they are
    #[arg(long, value_name = "N", default_value_t = 2_048, value_parser = clap::value_parser!(u32).range(200..=16_777_216), conflicts_with = "sources")]
    pub size_bytes: u32,
    /// Run on this database, such as postgres://user@host/bench, which must be the benchmark's own [default: a SQLite file that goes
    /// at the end]
    #[arg(long, value_name = "URL")]
    pub database: Option<String>,
    /// Where the temporary database and files lie; a disk, for commits to cost what they cost [default: the system's place for
    /// temporary files]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Drive the service that runs at this address, with the keys of --key-file, instead of one started here
    #[arg(long, value_name = "URL", requires = "key_file")]
    pub url: Option<String>,
    /// A file with the keys, one a line, to be used in turn
    #[arg(long, value_name = "FILE", requires = "url")]
    pub key_file: Option<PathBuf>,
    /// Generations before the clock starts
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    pub warm_up: u32,
    /// Measure N times and show the one in the middle
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub repeat: u32,
    /// Keep the figures in this file
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Compare with figures that were kept
    #[arg(long, value_name = "FILE")]
    pub compare: Option<PathBuf>,
    /// Find the highest rate at which 99 of 100 generations end in time
    #[arg(long, conflicts_with_all = ["generations", "concurrency", "rate", "repeat", "save", "compare"])]
    pub knee: bool,
    /// What in time means [default: five times what it is without load]
    #[arg(long, value_name = "MS", value_parser = positive, requires = "knee")]
    pub p99_ms: Option<f64>,
    /// Measure the skills made of the documents of a folder instead: how much they keep, how true they are, what the checks find
    #[arg(long, value_name = "DIR", group = "measured", conflicts_with_all = ["target", "generations", "concurrency", "sources", "rate", "knee", "save", "compare"])]
    pub quality: Option<PathBuf>,
    /// Measure a model instead: its checks on the claims in the JSON files of a folder (true ones refused, false ones accepted), and its
    /// cards of the other files there beside those of the source alone (facts kept, tasks, tokens, cost)
    #[arg(long, value_name = "DIR", group = "measured", conflicts_with_all = ["quality", "target", "generations", "concurrency", "sources", "rate", "knee", "save", "compare"])]
    pub author: Option<PathBuf>,
    /// Keep the skills that are measured in this folder
    #[arg(long, value_name = "DIR", requires = "quality")]
    pub out: Option<PathBuf>,
    /// Ask these of the documents: a line of JSON each, with `doc` (a path in the folder), `question` and `answer_quote` [default:
    /// questions.jsonl in the folder or beside it]
    #[arg(long, value_name = "FILE", requires = "measured")]
    pub questions: Option<PathBuf>,
    /// Print the figures as JSON
    #[arg(long)]
    pub json: bool,
}

/// A number that counts something that happens.
fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number > 0.0 && number <= 1e6 => Ok(number),
        _ => Err("this is a number above 0 and at most 1000000".to_owned()),
    }
}

impl Bench {
    /// Refuses what makes no sense together and that the parser of the command line does not know.
    ///
    /// # Errors
    /// [`Stop::Misused`], with what to do instead.
    pub fn check(&self) -> Result<(), Stop> {
        let misused = |words: &str| Err(Stop::Misused(words.to_owned()));
        match self.target {
            Target::Pipeline if self.database.is_some() || self.dir.is_some() => {
                misused("the pipeline alone has no database; take --target engine")
            }
            Target::Engine | Target::Pipeline if self.url.is_some() => {
                misused("a service at an address is driven with --target http")
            }
            Target::Http
                if self.url.is_some() && (self.database.is_some() || self.dir.is_some()) =>
            {
                misused(
                    "the service at --url has a database already; leave out --database and --dir",
                )
            }
            _ if self.duration.is_some() && self.rate.is_none() && !self.knee => {
                misused("--duration goes with --rate or --knee; a closed loop has --generations")
            }
            _ if self.poisson && self.rate.is_none() && !self.knee => {
                misused("--poisson goes with --rate or --knee")
            }
            _ => Ok(()),
        }
    }

    /// Generations of a closed loop.
    #[must_use]
    pub fn generations(&self) -> u64 {
        u64::from(self.generations.unwrap_or(GENERATIONS))
    }

    /// How long an open loop begins new generations.
    #[must_use]
    pub fn duration(&self) -> Duration {
        let otherwise = if self.knee {
            KNEE_DURATION_S
        } else {
            DURATION_S
        };
        Duration::from_secs_f64(self.duration.unwrap_or(otherwise))
    }
}

/// The options that a command line makes.
#[cfg(test)]
pub(crate) fn bench(arguments: &[&str]) -> Bench {
    use crate::cli::{Cli, Command};
    use clap::Parser;
    let line = ["skillkiln", "bench"].iter().chain(arguments);
    match Cli::try_parse_from(line).expect("well formed").command {
        Command::Bench(bench) => *bench,
        other => panic!("{other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use clap::Parser;

    fn is_refused(line: &str) -> bool {
        let words = ["skillkiln", "bench"].into_iter().chain(line.split(' '));
        match Cli::try_parse_from(words) {
            Err(_) => true,
            Ok(cli) => match cli.command {
                crate::cli::Command::Bench(bench) => bench.check().is_err(),
                _ => false,
            },
        }
    }

    #[test]
    fn what_makes_no_sense_together_is_refused() {
        for line in [
            "--rate 5 --concurrency 2",
            "--rate 5 --generations 10",
            "--rate 0",
            "--rate many",
            "--rate inf",
            "--duration 5",
            "--poisson",
            "--p99-ms 10",
            "--knee --rate 5",
            "--knee --repeat 3",
            "--url http://127.0.0.1:8080",
            "--url http://127.0.0.1:8080 --key-file keys",
            "--target http --url http://127.0.0.1:8080 --key-file keys --database sqlite://x",
            "--target pipeline --database sqlite://x",
            "--target rocket",
            "--source a.md --seed 3",
            "--size-bytes 3",
            "--out made",
            "--quality docs --rate 3",
        ] {
            assert!(is_refused(line), "{line}");
        }
    }

    #[test]
    fn what_makes_sense_is_taken() {
        for line in [
            "--generations 6 --concurrency 2 --source a.md --source b.md",
            "--rate 5 --duration 2 --poisson --seed 9",
            "--knee --p99-ms 50 --duration 1",
            "--target http --url http://127.0.0.1:8080 --key-file keys",
            "--target http --database postgres://h/bench",
            "--target pipeline --repeat 3 --save run.json --compare before.json",
        ] {
            assert!(!is_refused(line), "{line}");
        }
    }

    #[test]
    fn each_rate_is_tried_for_a_while_unless_told_otherwise() {
        assert_eq!(bench(&[]).generations(), 200);
        assert_eq!(bench(&["--rate", "2"]).duration(), Duration::from_secs(10));
        assert_eq!(bench(&["--knee"]).duration(), Duration::from_secs(5));
    }
}
