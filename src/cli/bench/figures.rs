//! Owns what is measured of a load: how long each part of a generation took, how often, what failed and why.

use super::machine;
use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// Where the time of a generation goes, in order; the last one is the whole of it.
pub const PARTS: [&str; 6] = [
    "charging",
    "waiting",
    "extracting",
    "synthesizing",
    "validating",
    "generation",
];
/// Where the whole stands in [`PARTS`].
const WHOLE: usize = PARTS.len() - 1;
/// The longest span that is told from a longer one.
const LONGEST: Duration = Duration::from_secs(3_600);
/// Digits of a span that count.
const DIGITS: u8 = 3;

/// A generation that succeeded.
#[derive(Debug, Clone, Default)]
pub struct Made {
    /// How long each part took, as far as it can be seen; the whole is left to the loop.
    pub spans: [Option<Duration>; WHOLE],
    /// Words of its skill.
    pub words: u64,
    /// Bytes of its source.
    pub bytes: u64,
}

/// One that did not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    /// The kind, to be counted.
    pub cause: String,
    /// What was said.
    pub message: String,
}

impl Trouble {
    /// Of a kind.
    #[must_use]
    pub fn new(cause: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            cause: cause.into(),
            message: message.into(),
        }
    }
}

/// Notes what happens while a load runs.
#[derive(Debug)]
pub struct Recorder {
    spans: [Histogram<u64>; PARTS.len()],
    made: u64,
    words: u64,
    bytes: u64,
    failures: BTreeMap<String, u64>,
    first_trouble: Option<String>,
    latest_start: Option<Duration>,
    processor_at_start: Duration,
}

impl Recorder {
    /// Nothing noted yet; the processor's time counts from here.
    #[must_use]
    pub fn start() -> Self {
        Self {
            spans: PARTS.map(|_| histogram()),
            made: 0,
            words: 0,
            bytes: 0,
            failures: BTreeMap::new(),
            first_trouble: None,
            latest_start: None,
            processor_at_start: machine::processor_time(),
        }
    }

    /// Notes how a generation ended, and how long that took as its caller felt it.
    pub fn note(&mut self, took: Duration, ended: Result<Made, Trouble>) {
        match ended {
            Ok(made) => {
                self.made += 1;
                self.words += made.words;
                self.bytes += made.bytes;
                let whole = std::iter::once(Some(took));
                let spans = made.spans.into_iter().chain(whole);
                for (histogram, span) in self.spans.iter_mut().zip(spans) {
                    if let Some(span) = span {
                        histogram.saturating_record(nanos(span));
                    }
                }
            }
            Err(trouble) => {
                *self.failures.entry(trouble.cause).or_default() += 1;
                self.first_trouble.get_or_insert(trouble.message);
            }
        }
    }

    /// Notes how long after its time a generation of an open loop was begun.
    pub fn begun_late(&mut self, by: Duration) {
        self.latest_start = self.latest_start.max(Some(by));
    }

    /// The first thing that went wrong.
    #[must_use]
    pub fn first_trouble(&self) -> Option<&str> {
        self.first_trouble.as_deref()
    }

    /// The figures of a load that took this long.
    #[must_use]
    pub fn figures(&self, took: Duration) -> Figures {
        let seconds = took.as_secs_f64().max(1e-9);
        let per_second = |count: u64| count as f64 / seconds;
        let stages = PARTS
            .iter()
            .zip(&self.spans)
            .filter(|(_, histogram)| !histogram.is_empty())
            .map(|(stage, histogram)| Part {
                stage: (*stage).to_owned(),
                count: histogram.len(),
                per_second: per_second(histogram.len()),
                mean_ms: histogram.mean() * 1e-6,
                p50_ms: at(histogram, 0.5),
                p90_ms: at(histogram, 0.9),
                p99_ms: at(histogram, 0.99),
                p999_ms: at(histogram, 0.999),
                max_ms: millis(histogram.max()),
                is_approximate: false,
            })
            .collect();
        let processor = machine::processor_time().saturating_sub(self.processor_at_start);
        Figures {
            generations: self.made,
            failed: self.failures.values().sum(),
            failures: self.failures.clone(),
            seconds,
            generations_per_second: per_second(self.made),
            charges_per_second: None,
            words_per_second: per_second(self.words),
            bytes_per_second: per_second(self.bytes),
            begun_late_ms_max: self.latest_start.map(|late| late.as_secs_f64() * 1e3),
            processor_s: Some(processor.as_secs_f64()),
            peak_memory_bytes: machine::peak_memory_bytes(),
            stages,
        }
    }
}

fn histogram() -> Histogram<u64> {
    Histogram::new_with_bounds(1, nanos(LONGEST), DIGITS)
        .expect("the bounds are constants that fit together")
}

fn nanos(span: Duration) -> u64 {
    u64::try_from(span.as_nanos()).unwrap_or(u64::MAX)
}

fn millis(nanos: u64) -> f64 {
    nanos as f64 * 1e-6
}

fn at(histogram: &Histogram<u64>, share: f64) -> f64 {
    millis(histogram.value_at_quantile(share))
}

/// What was measured.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// Those that succeeded.
    pub generations: u64,
    /// Those that did not.
    pub failed: u64,
    /// Why, and how often.
    #[serde(default)]
    pub failures: BTreeMap<String, u64>,
    /// From the first beginning to the last end.
    pub seconds: f64,
    /// Those that succeeded.
    pub generations_per_second: f64,
    /// Credits that were set aside; none where nothing is charged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub charges_per_second: Option<f64>,
    /// Words of the skills that were made.
    pub words_per_second: f64,
    /// Bytes of the sources they were made of.
    pub bytes_per_second: f64,
    /// How long after its time an open loop began one; what it adds to the latencies is the loop's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub begun_late_ms_max: Option<f64>,
    /// Processor time of this process and its children; none when the work was done elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processor_s: Option<f64>,
    /// The most memory this process ever held; none when the work was done elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_memory_bytes: Option<u64>,
    /// How long each part took.
    pub stages: Vec<Part>,
}

impl Figures {
    /// A part by its name.
    #[must_use]
    pub fn part(&self, stage: &str) -> Option<&Part> {
        self.stages.iter().find(|part| part.stage == stage)
    }

    /// The whole generation.
    #[must_use]
    pub fn whole(&self) -> Option<&Part> {
        PARTS.last().and_then(|whole| self.part(whole))
    }
}

/// How long one part of a generation took, in milliseconds.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// Which one.
    pub stage: String,
    /// How many were measured.
    pub count: u64,
    /// How many a second.
    pub per_second: f64,
    /// On average.
    pub mean_ms: f64,
    /// Half of them took no longer.
    pub p50_ms: f64,
    /// Nine of ten.
    pub p90_ms: f64,
    /// 99 of 100.
    pub p99_ms: f64,
    /// 999 of 1,000.
    pub p999_ms: f64,
    /// The longest.
    pub max_ms: f64,
    /// Whether it is read from the service's own counters, whose classes are powers of two, and of half octaves from 134 ms on.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_approximate: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_spans_that_were_measured_and_failures_are_counted_by_cause() {
        let mut recorder = Recorder::start();
        for number in 1..=1_000 {
            let made = Made {
                spans: [None, None, Some(Duration::from_micros(number)), None, None],
                words: 3,
                bytes: 10,
            };
            recorder.note(Duration::from_millis(number), Ok(made));
        }
        for _ in 0..2 {
            recorder.note(Duration::ZERO, Err(Trouble::new("busy", "too many wait")));
        }
        recorder.note(Duration::ZERO, Err(Trouble::new("deadline", "too slow")));
        let figures = recorder.figures(Duration::from_secs(10));
        assert_eq!((figures.generations, figures.failed), (1_000, 3));
        assert_eq!(figures.failures["busy"], 2);
        assert_eq!(recorder.first_trouble(), Some("too many wait"));
        assert_eq!(figures.generations_per_second, 100.0);
        assert_eq!(
            (figures.words_per_second, figures.bytes_per_second),
            (300.0, 1_000.0)
        );
        let names: Vec<&str> = figures
            .stages
            .iter()
            .map(|part| part.stage.as_str())
            .collect();
        assert_eq!(names, ["extracting", "generation"]);
        let whole = figures.whole().unwrap();
        for (measured, exact) in [
            (whole.p50_ms, 500.0),
            (whole.p90_ms, 900.0),
            (whole.p99_ms, 990.0),
            (whole.p999_ms, 999.0),
            (whole.max_ms, 1_000.0),
        ] {
            assert!((measured / exact - 1.0).abs() < 0.002, "{measured} {exact}");
        }
    }

    #[test]
    fn a_load_without_a_success_has_figures_too() {
        let figures = Recorder::start().figures(Duration::ZERO);
        assert_eq!((figures.generations, figures.stages.len()), (0, 0));
        assert!(figures.generations_per_second.is_finite());
    }
}
