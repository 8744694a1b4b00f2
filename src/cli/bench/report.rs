//! Owns what a benchmark says when it has ended: what was loaded and how, the figures, the proof of the books; for people, for machines
//! and for a file that later runs are compared with.

use super::figures::{Figures, Part};
use super::house::Proof;
use super::knee::Tried;
use super::machine;
use super::options::{Bench, Target};
use crate::cli::output::{self, Stop};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// What was loaded, and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Setting {
    /// This program's version.
    pub version: String,
    /// Whether it was built without optimisation, so that its figures say nothing about the service.
    pub is_debug_build: bool,
    /// The processors it may use.
    pub cores: usize,
    /// What was driven.
    pub target: Target,
    /// Where the service is, when it was not started here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// On what database, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub database: Option<String>,
    /// What the skills were made of.
    pub sources: String,
    /// How many at once, in a closed loop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub concurrency: Option<u32>,
    /// How many were begun a second, in an open loop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    /// Whether the beginnings were drawn at random.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub poisson: bool,
    /// Generations before the clock started.
    pub warm_up: u32,
}

impl Setting {
    /// As it was asked for.
    #[must_use]
    pub fn of(bench: &Bench, sources: String, database: Option<String>) -> Self {
        let is_closed = bench.rate.is_none();
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            is_debug_build: cfg!(debug_assertions),
            cores: machine::cores(),
            target: bench.target,
            url: bench.url.clone(),
            database,
            sources,
            concurrency: is_closed.then_some(bench.concurrency),
            rate: bench.rate,
            poisson: bench.poisson,
            warm_up: bench.warm_up,
        }
    }

    /// In a line.
    #[must_use]
    pub fn words(&self) -> String {
        let target = match self.target {
            Target::Engine => "the engine",
            Target::Pipeline => "the stages alone",
            Target::Http => "the service over HTTP",
        };
        let database = match (&self.database, &self.url) {
            (Some(database), _) => format!(" on {database}"),
            (None, Some(url)) => format!(" at {url}"),
            (None, None) => String::new(),
        };
        let load = match (self.concurrency, self.rate) {
            (Some(concurrency), _) => format!("{concurrency} at once"),
            (None, Some(rate)) if self.poisson => format!("{rate} a second, drawn at random"),
            (None, Some(rate)) => format!("{rate} a second"),
            (None, None) => "rising rates".to_owned(),
        };
        format!(
            "{target}{database}; {load}; {}; {} cores",
            self.sources, self.cores
        )
    }
}

/// A benchmark that has ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// What was loaded, and how.
    #[serde(flatten)]
    pub setting: Setting,
    /// The figures of the repetition in the middle, by generations a second.
    #[serde(flatten)]
    pub figures: Figures,
    /// All repetitions, where there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repetitions: Vec<Figures>,
    /// What the books say, where there are books.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub books: Option<Proof>,
}

impl Report {
    /// Of one or several repetitions.
    #[must_use]
    pub fn of(setting: Setting, mut runs: Vec<Figures>, books: Option<Proof>) -> Self {
        let mut ranked: Vec<&Figures> = runs.iter().collect();
        ranked.sort_by(|a, b| {
            a.generations_per_second
                .total_cmp(&b.generations_per_second)
        });
        let middle = ranked.get(ranked.len().saturating_sub(1) / 2);
        let figures = middle.copied().cloned().unwrap_or_default();
        if runs.len() < 2 {
            runs.clear();
        }
        Self {
            setting,
            figures,
            repetitions: runs,
            books,
        }
    }

    /// All repetitions, also when there is but one.
    #[must_use]
    pub fn runs(&self) -> &[Figures] {
        match self.repetitions.as_slice() {
            [] => std::slice::from_ref(&self.figures),
            several => several,
        }
    }

    /// Reads one that was saved.
    ///
    /// # Errors
    /// [`Stop::Failed`] when the file cannot be read, or holds something else.
    pub fn load(path: &Path) -> Result<Self, Stop> {
        let shown = path.display();
        let text = std::fs::read_to_string(path)
            .map_err(|cause| Stop::Failed(format!("cannot read {shown}: {cause}")))?;
        serde_json::from_str(&text).map_err(|cause| {
            Stop::Failed(format!(
                "{shown} does not hold the figures of a benchmark, as --save writes them: {cause}"
            ))
        })
    }

    /// Saves it.
    ///
    /// # Errors
    /// [`Stop::Failed`] when the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), Stop> {
        let text = serde_json::to_string_pretty(self).map_err(Stop::failed)?;
        std::fs::write(path, text + "\n")
            .map_err(|cause| Stop::Failed(format!("cannot write {}: {cause}", path.display())))
    }

    /// For people.
    #[must_use]
    pub fn page(&self) -> String {
        let mut lines = vec![self.setting.words()];
        if self.repetitions.len() > 1 {
            let rates: Vec<String> = self
                .repetitions
                .iter()
                .map(|run| format!("{:.1}", run.generations_per_second))
                .collect();
            lines.push(format!(
                "{} repetitions, {} generations a second; the one in the middle:",
                rates.len(),
                rates.join(", ")
            ));
        }
        lines.extend(figures_page(&self.figures));
        lines.extend(self.books.as_ref().map(Proof::words));
        lines.join("\n")
    }
}

fn figures_page(figures: &Figures) -> Vec<String> {
    let mut lines = vec![format!(
        "{} generations in {:.2} s: {:.1} a second, {} failed",
        figures.generations, figures.seconds, figures.generations_per_second, figures.failed,
    )];
    for (cause, count) in &figures.failures {
        lines.push(format!("  {count} {cause}"));
    }
    let mut rates = Vec::new();
    if let Some(charges) = figures.charges_per_second {
        rates.push(format!("{charges:.1} charges/s"));
    }
    rates.push(format!("{:.0} words/s", figures.words_per_second));
    if figures.bytes_per_second > 0.0 {
        rates.push(format!("{:.2} MB/s", figures.bytes_per_second / 1e6));
    }
    lines.push(rates.join(", "));
    let mut costs = Vec::new();
    if let Some(processor) = figures.processor_s {
        let each = processor * 1e3 / figures.generations.max(1) as f64;
        costs.push(format!("{processor:.2} s of processor ({each:.2} ms each)"));
    }
    if let Some(peak) = figures.peak_memory_bytes {
        costs.push(format!("{:.1} MB of memory at its peak", peak as f64 / 1e6));
    }
    if let Some(late) = figures.begun_late_ms_max {
        costs.push(format!("begun {late:.2} ms late at most"));
    }
    if !costs.is_empty() {
        lines.push(costs.join(", "));
    }
    lines.push(stages_table(&figures.stages));
    if figures.stages.iter().any(|part| part.is_approximate) {
        lines.push("~ from the service's own counters, whose classes are powers of two".to_owned());
    }
    lines
}

fn stages_table(stages: &[Part]) -> String {
    let rows: Vec<Vec<String>> = stages
        .iter()
        .map(|part| {
            let sign = if part.is_approximate { "~" } else { "" };
            let ms = |value: f64| format!("{sign}{value:.2}");
            vec![
                part.stage.clone(),
                format!("{:.1}", part.per_second),
                format!("{:.2}", part.mean_ms),
                ms(part.p50_ms),
                ms(part.p90_ms),
                ms(part.p99_ms),
                ms(part.p999_ms),
                ms(part.max_ms),
            ]
        })
        .collect();
    let headings = [
        "stage", "a second", "mean ms", "p50 ms", "p90 ms", "p99 ms", "p99.9 ms", "max ms",
    ];
    output::table(&headings, &rows)
}

/// What the search for the knee found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Knee {
    /// What was loaded, and how.
    #[serde(flatten)]
    pub setting: Setting,
    /// What in time means.
    pub p99_ms_max: f64,
    /// What it is without load, where that decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unloaded_p99_ms: Option<f64>,
    /// The highest rate that holds.
    pub knee_per_second: Option<f64>,
    /// Every rate that was tried, in order.
    pub tried: Vec<Tried>,
    /// What the books say, where there are books.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub books: Option<Proof>,
}

impl Knee {
    /// For people.
    #[must_use]
    pub fn page(&self) -> String {
        let rows: Vec<Vec<String>> = self
            .tried
            .iter()
            .map(|tried| {
                vec![
                    format!("{:.1}", tried.rate),
                    format!("{:.1}", tried.reached),
                    format!("{:.2}", tried.p50_ms),
                    format!("{:.2}", tried.p99_ms),
                    tried.failed.to_string(),
                    if tried.held { "holds" } else { "does not hold" }.to_owned(),
                ]
            })
            .collect();
        let table = output::table(
            &["rate", "reached", "p50 ms", "p99 ms", "failed", ""],
            &rows,
        );
        let limit = match self.unloaded_p99_ms {
            Some(unloaded) => format!(
                "{:.2} ms, five times the {unloaded:.2} ms without load",
                self.p99_ms_max
            ),
            None => format!("{:.2} ms", self.p99_ms_max),
        };
        let found = match self.knee_per_second {
            Some(rate) => format!("the knee: {rate:.1} generations a second hold"),
            None => "no rate holds".to_owned(),
        };
        let mut lines = vec![
            self.setting.words(),
            table,
            format!("{found}, with 99 of 100 within {limit}"),
        ];
        lines.extend(self.books.as_ref().map(Proof::words));
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::bench::options::bench;

    fn run(rate: f64) -> Figures {
        Figures {
            generations: 10,
            generations_per_second: rate,
            seconds: 1.0,
            ..Figures::default()
        }
    }

    fn report(rates: &[f64]) -> Report {
        let setting = Setting::of(&bench(&[]), "texts".into(), None);
        Report::of(setting, rates.iter().copied().map(run).collect(), None)
    }

    #[test]
    fn the_repetition_in_the_middle_is_shown() {
        assert_eq!(report(&[3.0, 1.0, 2.0]).figures.generations_per_second, 2.0);
        let one = report(&[4.0]);
        assert_eq!((one.runs().len(), one.repetitions.len()), (1, 0));
        assert_eq!(report(&[3.0, 1.0]).runs().len(), 2);
    }

    #[test]
    fn a_report_is_read_back_as_it_was_saved() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.json");
        let report = report(&[3.0, 1.0, 2.0]);
        report.save(&path).unwrap();
        assert_eq!(Report::load(&path), Ok(report));
        std::fs::write(&path, "{}").unwrap();
        assert!(matches!(Report::load(&path), Err(Stop::Failed(_))));
        assert!(Report::load(&folder.path().join("none")).is_err());
    }

    #[test]
    fn the_page_says_what_failed_and_why() {
        let mut report = report(&[4.0]);
        report.figures.failed = 2;
        report.figures.failures.insert("rate_limited".into(), 2);
        let page = report.page();
        assert!(
            page.contains("10 generations in 1.00 s: 4.0 a second, 2 failed\n  2 rate_limited\n")
        );
    }
}
