//! Owns the last hour: a ring of samples, one every five seconds, each with the rates, durations and depths of its span.
//!
//! It lives in memory and is bounded; who restarts the service begins a new one. Time is handed in, so that an hour passes in a test
//! at once.

use crate::domain::clock::Timestamp;
use crate::domain::observation::{Observation, Spread};
use serde::Serialize;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often a sample is taken, and how many are kept: an hour.
pub(super) const EVERY: Duration = Duration::from_secs(5);
/// How many are kept: an hour.
pub(super) const SAMPLES_MAX: usize = 720;
/// Spans over which the page speaks of rates and of percentiles.
const RATES_OVER: Duration = Duration::from_secs(10);
const PERCENTILES_OVER: Duration = Duration::from_secs(60);
/// States that are kept to subtract from: those of a minute, and one more.
const STATES_MAX: usize = 13;

/// What was counted at one moment, since the start of the process.
#[derive(Debug, Clone, Default)]
struct State {
    at: Option<Timestamp>,
    completed: u64,
    failed: u64,
    words: u64,
    requests: u64,
    faults: u64,
    cpu_s: f64,
    runs: Spread,
    http: Spread,
    database: Spread,
    stages: Vec<Spread>,
}

impl State {
    fn of(seen: &Observation, at: Timestamp) -> Self {
        Self {
            at: Some(at),
            completed: seen.generations.completed,
            failed: seen.generations.failed,
            words: seen.stages.first().map_or(0, |stage| stage.words),
            requests: seen.http.requests,
            faults: seen.http.faults,
            cpu_s: seen.usage.cpu_s,
            runs: seen.generations.duration.clone(),
            http: seen.http.duration.clone(),
            database: seen.database.call.clone(),
            stages: seen
                .stages
                .iter()
                .map(|stage| stage.duration.clone())
                .collect(),
        }
    }
}

/// One span: what happened a second, how long it took, and how deep the queues were at its end. Durations are none when nothing
/// ended in it.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(super) struct Sample {
    /// Its end, in seconds since 1970.
    pub(super) at_unix_s: f64,
    /// Runs that completed, a second.
    pub(super) completed_per_s: f64,
    /// Runs that failed, a second.
    pub(super) failed_per_s: f64,
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
    /// 99 of 100 answers began within so long.
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
    /// Half of the answers and 99 of 100 began within so long, over a minute.
    pub(super) request: [Option<f64>; 2],
    /// The same of calls to the database.
    pub(super) database: [Option<f64>; 2],
    /// The same of runs.
    pub(super) runs: [Option<f64>; 2],
    /// Each stage: how many leave it a second, and the same of its durations.
    pub(super) stages: Vec<(f64, [Option<f64>; 2])>,
    /// Processors kept busy.
    pub(super) cpu: f64,
}

/// The last hour.
#[derive(Debug, Default)]
pub(in crate::http) struct History(Mutex<Ring>);

#[derive(Debug, Default)]
struct Ring {
    states: VecDeque<State>,
    samples: VecDeque<Sample>,
}

impl History {
    fn ring(&self) -> MutexGuard<'_, Ring> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a sample; a moment that is not later than the last one is none.
    pub(super) fn note(&self, seen: &Observation, now: Timestamp) {
        let state = State::of(seen, now);
        let mut ring = self.ring();
        let last = ring.states.back();
        let span_s = last.and_then(|last| seconds(last, now)).unwrap_or(0.0);
        if let Some(last) = last.filter(|_| span_s > 0.0) {
            let sample = Sample {
                at_unix_s: now.unix_s(),
                completed_per_s: rate(state.completed, last.completed, span_s),
                failed_per_s: rate(state.failed, last.failed, span_s),
                run_p50_s: state.runs.since(&last.runs).quantile(0.5),
                run_p99_s: state.runs.since(&last.runs).quantile(0.99),
                words_per_s: rate(state.words, last.words, span_s),
                requests_per_s: rate(state.requests, last.requests, span_s),
                faults_per_s: rate(state.faults, last.faults, span_s),
                request_p99_s: state.http.since(&last.http).quantile(0.99),
                database_p99_s: state.database.since(&last.database).quantile(0.99),
                waiting: seen.generations.waiting,
                in_flight: seen.generations.in_flight,
                mailboxes: seen.actors.iter().map(|actor| actor.waiting).sum(),
                streams: seen.http.streams,
                memory_bytes: seen.usage.resident_bytes,
                cpu: ((state.cpu_s - last.cpu_s) / span_s).max(0.0),
            };
            ring.samples.push_back(sample);
        } else if !ring.states.is_empty() {
            return;
        }
        ring.states.push_back(state);
        while ring.states.len() > STATES_MAX {
            ring.states.pop_front();
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

    /// How things go now, measured against what was counted some seconds and a minute ago.
    pub(super) fn pace(&self, seen: &Observation, now: Timestamp) -> Pace {
        let state = State::of(seen, now);
        let ring = self.ring();
        let before = |span: Duration| {
            let old = ring
                .states
                .iter()
                .rev()
                .find(|old| seconds(old, now).is_some_and(|age| age >= span.as_secs_f64()));
            old.or_else(|| ring.states.front())
                .cloned()
                .unwrap_or_default()
        };
        let (recent, minute) = (before(RATES_OVER), before(PERCENTILES_OVER));
        drop(ring);
        let span_s = seconds(&recent, now).unwrap_or(0.0);
        let both = |later: &Spread, earlier: &Spread| {
            let within = later.since(earlier);
            [0.5, 0.99].map(|q| within.quantile(q))
        };
        let nothing = Spread::default();
        let stages = state.stages.iter().enumerate().map(|(at, stage)| {
            let old = recent.stages.get(at).unwrap_or(&nothing);
            let oldest = minute.stages.get(at).unwrap_or(&nothing);
            (rate(stage.count, old.count, span_s), both(stage, oldest))
        });
        Pace {
            completed_per_s: rate(state.completed, recent.completed, span_s),
            requests_per_s: rate(state.requests, recent.requests, span_s),
            answers: (
                state.requests.saturating_sub(minute.requests),
                state.faults.saturating_sub(minute.faults),
            ),
            request: both(&state.http, &minute.http),
            database: both(&state.database, &minute.database),
            runs: both(&state.runs, &minute.runs),
            stages: stages.collect(),
            cpu: if span_s > 0.0 {
                ((state.cpu_s - recent.cpu_s) / span_s).max(0.0)
            } else {
                0.0
            },
        }
    }
}

/// Seconds from a state to a moment.
fn seconds(state: &State, now: Timestamp) -> Option<f64> {
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
    use crate::domain::observation::StageFigures;
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
        assert_eq!(history.ring().states.len(), STATES_MAX);
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
        assert_eq!(pace.stages[0].0, 3.0);
        assert_eq!(pace.stages[0].1.map(maybe_span), ["500 ms", "990 ms"]);
    }
}
