//! Owns the plots of the last hour: lines drawn by the server, with what they say in words beside them.

use crate::http::ops::history::{SAMPLES_MAX, Sample};
use crate::http::ops::wording::{bytes, clock, rate, span};
use std::fmt::Write as _;

/// The ground that lines are drawn on.
const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 120.0;
/// Points of a line at most; samples between two of them are shown by the highest.
const POINTS_MAX: usize = 240;
/// What the ground's width stands for: an hour, and less while less is known.
const SPANS_S: [f64; 4] = [300.0, 900.0, 1_800.0, 3_600.0];
/// A gap between samples that a line does not cross.
const GAP_S: f64 = 40.0;

/// One plot.
#[derive(Debug)]
pub(super) struct Plot {
    /// Its name in the page.
    pub(super) id: &'static str,
    /// What it shows.
    pub(super) title: &'static str,
    /// Its lines, the most important first.
    pub(super) lines: Vec<Line>,
    /// What the upper edge stands for.
    pub(super) top: String,
    /// What the left edge stands for.
    pub(super) left: &'static str,
    /// Seconds from the left edge to the right one.
    pub(super) span_s: f64,
    /// The same for who cannot see it.
    pub(super) spoken: String,
}

/// One line.
#[derive(Debug)]
pub(super) struct Line {
    /// What it is called where there are several.
    pub(super) name: &'static str,
    /// What its colour says: `good`, `warn`, `bad`, or nothing but which one it is, `one` and `two`.
    pub(super) tone: &'static str,
    /// Its last value.
    pub(super) now: String,
    /// The path that is drawn.
    pub(super) path: String,
    /// The values at its points for the script, with the seconds since 1970 they belong to.
    pub(super) values: String,
}

type Read = fn(&Sample) -> Option<f64>;
/// A line to draw: its name, its tone and its values.
type Wanted = (&'static str, &'static str, Read);

/// What plots are drawn of: samples, and the time from the left edge to the right one.
#[derive(Clone, Copy)]
struct Ground<'a> {
    samples: &'a [Sample],
    span_s: f64,
    now_unix_s: f64,
}

/// What the plots are of: an hour, or since when.
pub(super) fn heading(samples: &[Sample]) -> String {
    let ends = samples.first().zip(samples.last());
    let known_s = ends.map_or(0.0, |(first, last)| last.at_unix_s - first.at_unix_s);
    match samples.first() {
        Some(first) if samples.len() < SAMPLES_MAX && known_s < 3_590.0 => {
            format!("Since {} UTC", clock(first.at_unix_s))
        }
        Some(_) => "The last hour".to_owned(),
        None => "Since now".to_owned(),
    }
}

/// All plots of these samples, which end now.
pub(super) fn of(samples: &[Sample], now_unix_s: f64) -> Vec<Plot> {
    let known_s = samples
        .first()
        .map_or(0.0, |first| now_unix_s - first.at_unix_s);
    let fits = SPANS_S.into_iter().find(|span_s| *span_s >= known_s);
    let ground = Ground {
        samples,
        span_s: fits.unwrap_or(3_600.0),
        now_unix_s,
    };
    let draw =
        |id, title, say: fn(f64) -> String, lines: &[Wanted]| plot(ground, id, title, say, lines);
    let a_second: fn(f64) -> String = |value| format!("{} /s", rate(value));
    let whole: fn(f64) -> String = |value| rate(value.round());
    vec![
        draw(
            "runs",
            "Generations",
            a_second,
            &[
                ("completed", "good", |one| Some(one.completed_per_s)),
                ("failed", "warn", |one| Some(one.failed_per_s)),
                ("by us", "bad", |one| Some(one.failed_ours_per_s)),
            ],
        ),
        draw(
            "run-time",
            "Time of a generation",
            span,
            &[
                ("p50", "one", |one| one.run_p50_s),
                ("p99", "two", |one| one.run_p99_s),
            ],
        ),
        draw(
            "queues",
            "In the queue",
            whole,
            &[
                ("waiting runs", "one", |one| Some(one.waiting as f64)),
                ("messages", "two", |one| Some(one.mailboxes as f64)),
            ],
        ),
        draw(
            "requests",
            "HTTP requests",
            a_second,
            &[
                ("answered", "one", |one| Some(one.requests_per_s)),
                ("faults of ours", "bad", |one| Some(one.faults_per_s)),
            ],
        ),
        draw(
            "answer-time",
            "Answers (without generations) and database, p99",
            span,
            &[
                ("answers", "one", |one| one.request_p99_s),
                ("database", "two", |one| one.database_p99_s),
            ],
        ),
        draw(
            "memory",
            "Memory",
            |value| bytes(value as u64),
            &[("resident", "one", |one| Some(one.memory_bytes as f64))],
        ),
    ]
}

fn plot(
    ground: Ground<'_>,
    id: &'static str,
    title: &'static str,
    say: fn(f64) -> String,
    lines: &[Wanted],
) -> Plot {
    let samples = ground.samples;
    let read = |read: &Read| samples.iter().filter_map(read).fold(0.0, f64::max);
    let highest = lines
        .iter()
        .map(|(_, _, line)| read(line))
        .fold(0.0, f64::max);
    // Bytes are said in powers of 1,024, so they are round in those.
    let unit = if id == "memory" { 1_048_576.0 } else { 1.0 };
    let top = nice(highest / unit) * unit;
    let left = match ground.span_s {
        s if s < 301.0 => "5 min ago",
        s if s < 901.0 => "15 min ago",
        s if s < 1_801.0 => "30 min ago",
        _ => "1 h ago",
    };
    let drawn: Vec<Line> = lines
        .iter()
        .map(|wanted| line(ground, *wanted, top, say))
        .collect();
    let mut spoken = format!("{title}, from {left} until now:");
    for (line, (_, _, read)) in drawn.iter().zip(lines) {
        let most = samples.iter().filter_map(read).fold(0.0, f64::max);
        let _ = write!(
            spoken,
            " {} now {}, at most {};",
            line.name,
            line.now,
            say(most)
        );
    }
    Plot {
        id,
        title,
        lines: drawn,
        top: say(top),
        left,
        span_s: ground.span_s,
        spoken: spoken.trim_end_matches(';').to_owned(),
    }
}

fn line(ground: Ground<'_>, (name, tone, read): Wanted, top: f64, say: fn(f64) -> String) -> Line {
    let Ground {
        samples,
        span_s,
        now_unix_s,
    } = ground;
    let (mut path, mut values) = (String::new(), String::new());
    let mut last_at = f64::NEG_INFINITY;
    for some in samples.chunks(samples.len().div_ceil(POINTS_MAX).max(1)) {
        let Some(at) = some.last().map(|sample| sample.at_unix_s) else {
            continue;
        };
        let Some(value) = some.iter().filter_map(read).reduce(f64::max) else {
            continue;
        };
        let x = WIDTH * (1.0 - (now_unix_s - at) / span_s);
        let y = HEIGHT * (1.0 - (value / top).clamp(0.0, 1.0));
        let step = if at - last_at > GAP_S { 'M' } else { 'L' };
        // A point alone is a dot: a line that ends where it begins, with round ends.
        let dot = if step == 'M' { "h0" } else { "" };
        let _ = write!(path, "{step}{x:.1} {y:.1}{dot}");
        let _ = write!(values, "{at:.0}:{};", say(value));
        last_at = at;
    }
    let now = samples.last().and_then(read);
    Line {
        name,
        tone,
        now: now.map_or_else(|| super::wording::NOTHING.to_owned(), say),
        path,
        values,
    }
}

/// A round number that is not below `highest`: 1, 2 or 5 and noughts.
fn nice(highest: f64) -> f64 {
    if highest <= 0.0 || !highest.is_finite() {
        return 1.0;
    }
    let power = 10f64.powf(highest.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0];
    let fits = steps
        .into_iter()
        .map(|step| step * power)
        .find(|step| *step >= highest);
    fits.unwrap_or(highest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(at_unix_s: f64, completed_per_s: f64) -> Sample {
        Sample {
            at_unix_s,
            completed_per_s,
            ..Sample::default()
        }
    }

    #[test]
    fn a_line_ends_at_the_right_edge_and_breaks_where_nothing_is_known() {
        let samples = [
            sample(3_000.0, 1.0),
            sample(3_595.0, 2.0),
            sample(3_600.0, 4.0),
        ];
        let plots = of(&samples, 3_600.0);
        let plot = &plots[0];
        assert_eq!(plot.top, "5.0 /s");
        assert_eq!(plot.lines[0].path, "M200.0 96.0h0M596.7 72.0h0L600.0 24.0");
        assert_eq!(plot.lines[0].now, "4.0 /s");
        assert!(
            plot.spoken.contains("completed now 4.0 /s, at most 4.0 /s"),
            "{}",
            plot.spoken
        );
        assert_eq!(
            plots[1].lines[0].now, "–",
            "nothing ended, so nothing took any time"
        );
    }

    #[test]
    fn many_samples_are_few_points_and_no_peak_is_lost() {
        let mut samples: Vec<Sample> = (0..720)
            .map(|at| sample(f64::from(at) * 5.0, 1.0))
            .collect();
        samples[301].completed_per_s = 90.0;
        let plots = of(&samples, 3_600.0);
        let values = &plots[0].lines[0].values;
        assert_eq!(values.matches(';').count(), POINTS_MAX);
        assert!(values.contains(":90 /s;"));
        assert_eq!(plots[0].top, "100 /s");
    }

    #[test]
    fn a_young_history_says_since_when_it_is_known() {
        let hour: Vec<Sample> = (0..720)
            .map(|at| sample(f64::from(at) * 5.0, 1.0))
            .collect();
        assert_eq!(heading(&hour), "The last hour");
        assert_eq!(heading(&hour[600..]), "Since 00:50 UTC");
        assert_eq!(heading(&[]), "Since now");
    }

    #[test]
    fn without_a_sample_there_is_an_empty_ground() {
        for plot in of(&[], 0.0) {
            assert!(plot.lines.iter().all(|line| line.path.is_empty()));
        }
        assert_eq!([0.0, 0.3, 7.0, 10.0].map(nice), [1.0, 0.5, 10.0, 10.0]);
    }
}
