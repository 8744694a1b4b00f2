//! Owns the last hour: a ring of samples, one every five seconds, each with the rates, durations and depths of its span.
//!
//! It lives in memory and is bounded; who restarts the service begins a new one. Time is handed in, so that an hour passes in a test
//! at once.

use crate::domain::clock::Timestamp;
use crate::domain::observation::Observation;
use crate::domain::spread::Spread;
use serde::Serialize;
use skillkiln_document::failure::Class;
use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often a sample is taken, and how many are kept: an hour.
pub(super) const EVERY: Duration = Duration::from_secs(5);
/// How many are kept: an hour.
pub(super) const SAMPLES_MAX: usize = 720;
/// Spans over which the page speaks of rates, of percentiles and answers, and of how runs end.
const RATES_OVER: Duration = Duration::from_secs(10);
const PERCENTILES_OVER: Duration = Duration::from_secs(60);
const ENDS_OVER: Duration = Duration::from_secs(300);
/// States that are kept to subtract from: those of the span, and one more.
const COUNTS_MAX: usize = 61;
const SPREADS_MAX: usize = 13;

/// What a percentile is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Timed {
    /// A run, from the order to the last event.
    Run,
    /// An answer over HTTP that waits for no run.
    Answer,
    /// A call to the database.
    Database,
    /// A stage of the pipeline.
    Stage(&'static str),
    /// A route.
    Route(&'static str),
    /// A message in the mailboxes of a kind of actor.
    Wait(&'static str),
    /// A message in its hands.
    Handling(&'static str),
    /// A request to somebody outside.
    Provider(&'static str),
}

/// What half and what 99 of 100 did not exceed; none when nothing was measured.
pub(super) type Percentiles = [Option<f64>; 2];

/// What was counted at one moment, since the start of the process.
#[derive(Debug, Clone, Default)]
struct Counts {
    at: Option<Timestamp>,
    completed: u64,
    failed: u64,
    failed_ours: u64,
    failed_source: u64,
    words: u64,
    requests: u64,
    faults: u64,
    cpu_s: f64,
    stages: Vec<u64>,
}

impl Counts {
    fn of(seen: &Observation, at: Timestamp) -> Self {
        Self {
            at: Some(at),
            completed: seen.generations.completed,
            failed: seen.generations.failed,
            failed_ours: seen.generations.failed_of(Class::Ours),
            failed_source: seen.generations.failed_of(Class::Source),
            words: seen.stages.first().map_or(0, |stage| stage.words),
            requests: seen.http.requests,
            faults: seen.http.faults,
            cpu_s: seen.usage.cpu_s,
            stages: seen
                .stages
                .iter()
                .map(|stage| stage.duration.count)
                .collect(),
        }
    }
}

/// Every duration there is at one moment, since the start of the process.
fn spreads(seen: &Observation) -> HashMap<Timed, Spread> {
    let whole = [
        (Timed::Run, &seen.generations.duration),
        (Timed::Answer, &seen.http.duration),
        (Timed::Database, &seen.database.call),
    ];
    let stages = seen.stages.iter();
    let routes = seen.http.routes.iter();
    let providers = seen.providers.iter();
    let actors = seen.actors.iter().flat_map(|actor| {
        [
            (Timed::Wait(actor.kind), &actor.wait),
            (Timed::Handling(actor.kind), &actor.handling),
        ]
    });
    whole
        .into_iter()
        .chain(stages.map(|stage| (Timed::Stage(stage.stage), &stage.duration)))
        .chain(routes.map(|route| (Timed::Route(route.route), &route.duration)))
        .chain(providers.map(|one| (Timed::Provider(one.provider), &one.duration)))
        .chain(actors)
        .map(|(timed, spread)| (timed, spread.clone()))
        .collect()
}

/// One span: what happened a second, and how deep the queues were at its end. Durations are those of the minute that ends with it,
/// and none when nothing ended in that.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(super) struct Sample {
    /// Its end, in seconds since 1970.
    pub(super) at_unix_s: f64,
    /// Runs that completed, a second.
    pub(super) completed_per_s: f64,
    /// Runs that failed, a second.
    pub(super) failed_per_s: f64,
    /// Of these for a reason of ours.
    pub(super) failed_ours_per_s: f64,
    /// Half of the runs took at most so long.
    pub(super) run_p50_s: Option<f64>,
    /// 99 of 100 took at most so long.
    pub(super) run_p99_s: Option<f64>,
    /// Words that were read, a second.
    pub(super) words_per_s: f64,
    /// Requests answered, a second.
    pub(super) requests_per_s: f64,
    /// Of these with a fault of ours.
    pub(super) faults_per_s: f64,
    /// 99 of 100 answers began within so long, those left out that wait for a run to end.
    pub(super) request_p99_s: Option<f64>,
    /// 99 of 100 calls to the database took at most so long.
    pub(super) database_p99_s: Option<f64>,
    /// Runs that waited for their turn.
    pub(super) waiting: u64,
    /// Runs that had not ended.
    pub(super) in_flight: u64,
    /// Messages in all mailboxes.
    pub(super) mailboxes: u64,
    /// Streams that were open.
    pub(super) streams: u64,
    /// Memory occupied.
    pub(super) memory_bytes: u64,
    /// Processors kept busy.
    pub(super) cpu: f64,
}

/// How things go now.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Pace {
    /// Runs that completed, a second.
    pub(super) completed_per_s: f64,
    /// Requests answered, a second.
    pub(super) requests_per_s: f64,
    /// Requests answered within the last minute, and those with a fault of ours.
    pub(super) answers: (u64, u64),
    /// How runs ended within the last five minutes.
    pub(super) ends: Ends,
    /// How many leave each stage a second.
    pub(super) stages: Vec<f64>,
    /// Processors kept busy.
    pub(super) cpu: f64,
    /// Over the minute before the last sample, so that whatever shows the same shows the same figure.
    pub(super) percentiles: HashMap<Timed, Percentiles>,
}

impl Pace {
    /// How long something takes.
    pub(super) fn percentiles_of(&self, timed: Timed) -> Percentiles {
        self.percentiles.get(&timed).copied().unwrap_or_default()
    }
}

/// How runs ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Ends {
    /// All that ended.
    pub(super) all: u64,
    /// Those that failed for a reason of ours.
    pub(super) ours: u64,
    /// Those whose source failed.
    pub(super) source: u64,
}

/// The last hour.
#[derive(Debug, Default)]
pub(in crate::http) struct History(Mutex<Ring>);

#[derive(Debug, Default)]
struct Ring {
    counts: VecDeque<Counts>,
    spreads: VecDeque<(Timestamp, HashMap<Timed, Spread>)>,
    percentiles: HashMap<Timed, Percentiles>,
    samples: VecDeque<Sample>,
}

impl Ring {
    /// What was counted so long ago, or at first.
    fn counts_before(&self, span: Duration, now: Timestamp) -> Counts {
        let is_old = |old: &&Counts| seconds(old, now).is_some_and(|age| age >= span.as_secs_f64());
        let old = self.counts.iter().rev().find(is_old);
        old.or_else(|| self.counts.front())
            .cloned()
            .unwrap_or_default()
    }

    /// Takes the percentiles of the minute that ends now.
    fn measure(&mut self, spreads: HashMap<Timed, Spread>, now: Timestamp) {
        let is_old = |(at, _): &&(Timestamp, _)| now.since(*at) >= PERCENTILES_OVER;
        let old = self.spreads.iter().rev().find(is_old);
        let nothing = HashMap::new();
        let old = old.or_else(|| self.spreads.front());
        let old = old.map_or(&nothing, |(_, spreads)| spreads);
        let within = |(timed, spread): (&Timed, &Spread)| {
            let before = old.get(timed).cloned().unwrap_or_default();
            let within = spread.since(&before);
            (*timed, [0.5, 0.99].map(|q| within.quantile(q)))
        };
        self.percentiles = spreads.iter().map(within).collect();
        self.spreads.push_back((now, spreads));
        while self.spreads.len() > SPREADS_MAX {
            self.spreads.pop_front();
        }
    }

    fn percentile(&self, timed: Timed, which: usize) -> Option<f64> {
        let both = self.percentiles.get(&timed)?;
        both.get(which).copied().flatten()
    }
}

impl History {
    fn ring(&self) -> MutexGuard<'_, Ring> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a sample; a moment that is not later than the last one is none.
    pub(super) fn note(&self, seen: &Observation, now: Timestamp) {
        let counts = Counts::of(seen, now);
        let mut ring = self.ring();
        let last = ring.counts.back().cloned();
        let span_s = last.as_ref().and_then(|last| seconds(last, now));
        if span_s.is_some_and(|span_s| span_s <= 0.0) {
            return;
        }
        ring.measure(spreads(seen), now);
        if let Some((last, span_s)) = last.zip(span_s) {
            let sample = Sample {
                at_unix_s: now.unix_s(),
                completed_per_s: rate(counts.completed, last.completed, span_s),
                failed_per_s: rate(counts.failed, last.failed, span_s),
                failed_ours_per_s: rate(counts.failed_ours, last.failed_ours, span_s),
                run_p50_s: ring.percentile(Timed::Run, 0),
                run_p99_s: ring.percentile(Timed::Run, 1),
                words_per_s: rate(counts.words, last.words, span_s),
                requests_per_s: rate(counts.requests, last.requests, span_s),
                faults_per_s: rate(counts.faults, last.faults, span_s),
                request_p99_s: ring.percentile(Timed::Answer, 1),
                database_p99_s: ring.percentile(Timed::Database, 1),
                waiting: seen.generations.waiting,
                in_flight: seen.generations.in_flight,
                mailboxes: seen.actors.iter().map(|actor| actor.waiting).sum(),
                streams: seen.http.streams,
                memory_bytes: seen.usage.resident_bytes,
                cpu: ((counts.cpu_s - last.cpu_s) / span_s).max(0.0),
            };
            ring.samples.push_back(sample);
        }
        ring.counts.push_back(counts);
        while ring.counts.len() > COUNTS_MAX {
            ring.counts.pop_front();
        }
        while ring.samples.len() > SAMPLES_MAX {
            ring.samples.pop_front();
        }
    }

    /// The samples there are, the oldest first.
    pub(super) fn samples(&self) -> Vec<Sample> {
        self.ring().samples.iter().cloned().collect()
    }

    /// How many were taken, by the time of the last one: whether there is anything new to draw.
    pub(super) fn last_at(&self) -> f64 {
        self.ring()
            .samples
            .back()
            .map_or(0.0, |last| last.at_unix_s)
    }

    /// How things go now, measured against what was counted some seconds and some minutes ago.
    pub(super) fn pace(&self, seen: &Observation, now: Timestamp) -> Pace {
        let counts = Counts::of(seen, now);
        let ring = self.ring();
        let before = |span| ring.counts_before(span, now);
        let [recent, minute, minutes] = [RATES_OVER, PERCENTILES_OVER, ENDS_OVER].map(before);
        let percentiles = ring.percentiles.clone();
        drop(ring);
        let span_s = seconds(&recent, now).unwrap_or(0.0);
        let stages = counts.stages.iter().enumerate().map(|(at, stage)| {
            let old = recent.stages.get(at).copied().unwrap_or_default();
            rate(*stage, old, span_s)
        });
        let since = |later: u64, earlier: u64| later.saturating_sub(earlier);
        Pace {
            completed_per_s: rate(counts.completed, recent.completed, span_s),
            requests_per_s: rate(counts.requests, recent.requests, span_s),
            answers: (
                since(counts.requests, minute.requests),
                since(counts.faults, minute.faults),
            ),
            ends: Ends {
                all: since(counts.completed, minutes.completed)
                    + since(counts.failed, minutes.failed),
                ours: since(counts.failed_ours, minutes.failed_ours),
                source: since(counts.failed_source, minutes.failed_source),
            },
            stages: stages.collect(),
            cpu: if span_s > 0.0 {
                ((counts.cpu_s - recent.cpu_s) / span_s).max(0.0)
            } else {
                0.0
            },
            percentiles,
        }
    }
}

/// Seconds from a state to a moment.
fn seconds(state: &Counts, now: Timestamp) -> Option<f64> {
    state.at.map(|at| now.since(at).as_secs_f64())
}

fn rate(later: u64, earlier: u64, span_s: f64) -> f64 {
    if span_s > 0.0 {
        later.saturating_sub(earlier) as f64 / span_s
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::observation::{FailedBy, StageFigures};
    use crate::http::ops::wording::maybe_span;

    fn at(seconds: u64) -> Timestamp {
        Timestamp::from_micros(0).plus(Duration::from_secs(seconds))
    }

    /// So many runs of a second each have completed.
    fn seen(completed: u64) -> Observation {
        let duration = Spread {
            count: completed,
            sum_s: completed as f64,
            longest_s: None,
            buckets: vec![(1.0, completed)],
        };
        let mut seen = Observation::default();
        seen.generations.completed = completed;
        seen.generations.duration = duration.clone();
        seen.stages = vec![StageFigures {
            stage: "extracting",
            duration,
            ..StageFigures::default()
        }];
        seen
    }

    #[test]
    fn a_sample_says_what_happened_since_the_one_before() {
        let history = History::default();
        history.note(&seen(10), at(0));
        history.note(&seen(10), at(5));
        history.note(&seen(30), at(10));
        let samples = history.samples();
        assert_eq!(samples.len(), 2);
        assert_eq!(
            (samples[0].completed_per_s, samples[0].run_p99_s),
            (0.0, None)
        );
        assert_eq!(samples[1].completed_per_s, 4.0);
        assert_eq!(samples[1].run_p50_s, Some(0.5));
        assert_eq!(history.last_at(), 10.0);
    }

    #[test]
    fn an_hour_is_kept_and_no_more() {
        let history = History::default();
        for round in 0..1_000 {
            history.note(&seen(round), at(5 * round));
        }
        let samples = history.samples();
        assert_eq!(samples.len(), SAMPLES_MAX);
        assert_eq!(
            samples[0].at_unix_s,
            5.0 * (1_000 - SAMPLES_MAX as u64) as f64
        );
        assert_eq!(history.ring().counts.len(), COUNTS_MAX);
        assert_eq!(history.ring().spreads.len(), SPREADS_MAX);
    }

    #[test]
    fn a_clock_that_stands_still_gives_no_sample_and_no_rate() {
        let history = History::default();
        history.note(&seen(1), at(7));
        history.note(&seen(9), at(7));
        assert!(history.samples().is_empty());
        assert_eq!(history.pace(&seen(9), at(7)).completed_per_s, 0.0);
    }

    #[test]
    fn the_pace_is_that_of_the_last_seconds() {
        let history = History::default();
        for round in 0..20 {
            history.note(&seen(10 * round), at(5 * round));
        }
        // Ten seconds before 100 s there were 180; a second after the last sample.
        let pace = history.pace(&seen(210), at(100));
        assert_eq!(pace.completed_per_s, 3.0);
        assert_eq!(pace.stages[0], 3.0);
        let extracting = pace.percentiles_of(Timed::Stage("extracting"));
        assert_eq!(extracting.map(maybe_span), ["500 ms", "990 ms"]);
    }

    #[test]
    fn a_percentile_is_the_same_wherever_it_stands_and_forgets_after_a_minute() {
        let history = History::default();
        history.note(&seen(0), at(0));
        history.note(&seen(10), at(5));
        for round in 2..=12 {
            history.note(&seen(10), at(5 * round));
            let last = history.samples().last().cloned().unwrap();
            let shown = history.pace(&seen(10), at(5 * round + 1));
            let [p50, p99] = shown.percentiles_of(Timed::Run);
            assert_eq!((last.run_p50_s, last.run_p99_s), (p50, p99));
            assert_eq!(p50, Some(0.5), "{round}");
        }
        history.note(&seen(10), at(65));
        let shown = history.pace(&seen(10), at(65));
        assert_eq!(shown.percentiles_of(Timed::Run), [None, None]);
    }

    #[test]
    fn how_runs_end_is_known_for_five_minutes() {
        let failed = |ours: u64, source: u64| {
            let by = |class: Class, count| FailedBy {
                reason: "",
                class: class.as_str(),
                count,
            };
            let mut seen = seen(10);
            seen.generations.failed = ours + source;
            seen.generations.failed_by = vec![by(Class::Ours, ours), by(Class::Source, source)];
            seen
        };
        let history = History::default();
        history.note(&Observation::default(), at(0));
        for round in 1..=60 {
            history.note(&failed(1, 2), at(5 * round));
        }
        let ends = history.pace(&failed(1, 2), at(300)).ends;
        let expected = Ends {
            all: 13,
            ours: 1,
            source: 2,
        };
        assert_eq!(ends, expected);
        assert_eq!(history.pace(&failed(1, 2), at(306)).ends, Ends::default());
    }
}
