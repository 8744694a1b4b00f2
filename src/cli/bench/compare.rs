//! Owns the comparison of a run with a saved one: the medians of both, their ratio, and whether it is more than noise.

use super::figures::Figures;
use super::report::Report;
use crate::cli::output;
use serde::Serialize;

/// Repetitions of a side from which on noise can be told from a change.
const ENOUGH: usize = 3;

/// What a ratio means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Every repetition is better than every saved one.
    Better,
    /// Every repetition is worse than every saved one.
    Worse,
    /// The repetitions overlap.
    Noise,
    /// There are too few repetitions to tell.
    Unknown,
}

impl Verdict {
    const fn words(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "WORSE",
            Self::Noise => "within the noise",
            Self::Unknown => "",
        }
    }
}

/// One figure, before and now.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Line {
    /// What it is.
    pub figure: String,
    /// The median of the saved repetitions.
    pub before: f64,
    /// The median of these.
    pub now: f64,
    /// The second by the first.
    pub ratio: f64,
    /// What that means.
    pub verdict: Verdict,
}

/// A run beside a saved one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// What differs in how they were measured, so that the ratios may mean something else.
    pub differences: Vec<String>,
    /// Each figure.
    pub lines: Vec<Line>,
    /// Whether there were enough repetitions on both sides.
    pub can_tell_noise: bool,
}

/// Compares.
#[must_use]
pub fn compare(before: &Report, now: &Report) -> Comparison {
    let (old, new) = (before.runs(), now.runs());
    let mut lines = Vec::new();
    let mut add = |figure: &str, more_is_better: bool, read: &dyn Fn(&Figures) -> Option<f64>| {
        let values = |runs: &[Figures]| runs.iter().filter_map(read).collect::<Vec<f64>>();
        lines.extend(line(figure, more_is_better, values(old), values(new)));
    };
    add("generations/s", true, &|run| {
        Some(run.generations_per_second)
    });
    add("processor ms a generation", false, &|run| {
        let made = run.generations.max(1) as f64;
        run.processor_s.map(|seconds| seconds * 1e3 / made)
    });
    add("peak memory MB", false, &|run| {
        run.peak_memory_bytes.map(|bytes| bytes as f64 / 1e6)
    });
    for part in &now.figures.stages {
        let stage = part.stage.as_str();
        add(&format!("{stage} p50 ms"), false, &|run| {
            run.part(stage).map(|part| part.p50_ms)
        });
        add(&format!("{stage} p99 ms"), false, &|run| {
            run.part(stage).map(|part| part.p99_ms)
        });
    }
    Comparison {
        differences: differences(before, now),
        lines,
        can_tell_noise: old.len() >= ENOUGH && new.len() >= ENOUGH,
    }
}

fn line(figure: &str, more_is_better: bool, old: Vec<f64>, new: Vec<f64>) -> Option<Line> {
    let (before, now) = (median(&old)?, median(&new)?);
    let lowest = |values: &[f64]| values.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = |values: &[f64]| values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let is_above = lowest(&new) > highest(&old);
    let is_below = highest(&new) < lowest(&old);
    let verdict = if old.len() < ENOUGH || new.len() < ENOUGH {
        Verdict::Unknown
    } else if !is_above && !is_below {
        Verdict::Noise
    } else if is_above == more_is_better {
        Verdict::Better
    } else {
        Verdict::Worse
    };
    Some(Line {
        figure: figure.to_owned(),
        before,
        now,
        ratio: now / before.max(1e-12),
        verdict,
    })
}

fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let upper = sorted.get(sorted.len() / 2)?;
    if sorted.len() % 2 == 1 {
        return Some(*upper);
    }
    let lower = sorted.get(sorted.len() / 2 - 1)?;
    Some((lower + upper) / 2.0)
}

fn differences(before: &Report, now: &Report) -> Vec<String> {
    let (old, new) = (&before.setting, &now.setting);
    let mut differences = Vec::new();
    let mut differ = |what: &str, old: String, new: String| {
        if old != new {
            differences.push(format!("{what}: {old} before, {new} now"));
        }
    };
    let build = |is_debug| if is_debug { "debug" } else { "release" }.to_owned();
    let written = |value: Option<String>| value.unwrap_or_else(|| "none".to_owned());
    differ("version", old.version.clone(), new.version.clone());
    differ(
        "build",
        build(old.is_debug_build),
        build(new.is_debug_build),
    );
    differ("cores", old.cores.to_string(), new.cores.to_string());
    differ(
        "target",
        format!("{:?}", old.target).to_lowercase(),
        format!("{:?}", new.target).to_lowercase(),
    );
    differ(
        "database",
        written(old.database.clone()),
        written(new.database.clone()),
    );
    differ("sources", old.sources.clone(), new.sources.clone());
    differ(
        "concurrency",
        written(old.concurrency.map(|n| n.to_string())),
        written(new.concurrency.map(|n| n.to_string())),
    );
    differ(
        "rate",
        written(old.rate.map(|rate| rate.to_string())),
        written(new.rate.map(|rate| rate.to_string())),
    );
    differences
}

impl Comparison {
    /// For people.
    #[must_use]
    pub fn page(&self) -> String {
        let rows: Vec<Vec<String>> = self
            .lines
            .iter()
            .map(|line| {
                vec![
                    line.figure.clone(),
                    format!("{:.2}", line.before),
                    format!("{:.2}", line.now),
                    format!("{:.3}", line.ratio),
                    line.verdict.words().to_owned(),
                ]
            })
            .collect();
        let mut lines: Vec<String> = self.differences.clone();
        lines.push(output::table(
            &["figure", "before", "now", "ratio", ""],
            &rows,
        ));
        if !self.can_tell_noise {
            lines.push(format!(
                "what is noise and what is not shows with --repeat {ENOUGH} or more on both sides"
            ));
        }
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::bench::figures::Part;
    use crate::cli::bench::options::bench;
    use crate::cli::bench::report::Setting;

    fn report(rates: &[f64], p99_ms: f64) -> Report {
        let runs = rates.iter().map(|rate| Figures {
            generations: 100,
            generations_per_second: *rate,
            processor_s: Some(0.2),
            stages: vec![Part {
                stage: "generation".into(),
                p50_ms: p99_ms / 2.0,
                p99_ms,
                ..Part::default()
            }],
            ..Figures::default()
        });
        let setting = Setting::of(&bench(&[]), "texts".into(), None);
        Report::of(setting, runs.collect(), None)
    }

    fn verdict(before: &[f64], now: &[f64]) -> Verdict {
        let compared = compare(&report(before, 1.0), &report(now, 1.0));
        compared.lines[0].verdict
    }

    #[test]
    fn only_what_lies_beyond_all_repetitions_is_more_than_noise() {
        assert_eq!(
            verdict(&[100.0, 101.0, 99.0], &[110.0, 111.0, 109.0]),
            Verdict::Better
        );
        assert_eq!(
            verdict(&[100.0, 101.0, 99.0], &[90.0, 91.0, 89.0]),
            Verdict::Worse
        );
        assert_eq!(
            verdict(&[100.0, 110.0, 99.0], &[109.0, 111.0, 112.0]),
            Verdict::Noise
        );
        assert_eq!(verdict(&[100.0], &[200.0, 201.0, 202.0]), Verdict::Unknown);
    }

    #[test]
    fn more_milliseconds_are_worse_and_the_medians_are_compared() {
        let compared = compare(
            &report(&[100.0, 300.0, 101.0], 2.0),
            &report(&[100.0, 102.0, 104.0, 106.0], 3.0),
        );
        assert_eq!(
            (compared.lines[0].before, compared.lines[0].now),
            (101.0, 103.0)
        );
        let late = compared
            .lines
            .iter()
            .find(|line| line.figure == "generation p99 ms")
            .unwrap();
        assert_eq!((late.ratio, late.verdict), (1.5, Verdict::Worse));
        assert!(compared.page().contains("generation p99 ms"));
    }

    #[test]
    fn what_was_measured_in_another_way_is_said() {
        let before = report(&[1.0], 1.0);
        let mut now = before.clone();
        assert_eq!(compare(&before, &now).differences, Vec::<String>::new());
        now.setting.concurrency = Some(64);
        now.setting.is_debug_build = !now.setting.is_debug_build;
        let differences = compare(&before, &now).differences;
        assert_eq!(differences.len(), 2, "{differences:?}");
        assert_eq!(differences[1], "concurrency: 2 before, 64 now");
    }
}
