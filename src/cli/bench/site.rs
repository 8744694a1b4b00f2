//! Owns what is loaded from its preparation to the proof at its end, and counts what was made of it meanwhile.

use super::driven::{Driven, Runs, Stages};
use super::figures::{Figures, Part};
use super::folder::Folder;
use super::house::{House, Open, Proof};
use super::load::{self, Load, Progress};
use super::options::{Bench, Target};
use super::over_http::{OverHttp, Standing};
use super::stock::Stock;
use crate::cli::output::Stop;
use crate::config::Settings;
use crate::domain::observation::StageFigures;
use crate::providers::service::Service;
use std::path::Path;
use std::time::Duration;

/// How long an answer over HTTP may take beyond the deadline of a run, in which it waits for its turn.
const PATIENCE: Duration = Duration::from_secs(600);

/// Something that is loaded.
#[derive(Debug)]
pub struct Site {
    driven: Driven,
    house: Option<House>,
    open: Option<Open>,
    /// How the accounts of a service elsewhere stood before, when that tells anything.
    standings_before: Option<Vec<Standing>>,
    /// Whether the work is done in another process.
    is_elsewhere: bool,
    next: u64,
    made: u64,
}

impl Site {
    /// Starts or finds what is to be loaded; what is started here has its database in `folder`.
    ///
    /// # Errors
    /// [`Stop`], with what is wrong.
    pub async fn prepare(
        bench: &Bench,
        settings: &Settings,
        stock: Stock,
        folder: &Folder,
    ) -> Result<Self, Stop> {
        let site = |driven, house, open| Self {
            driven,
            house,
            open,
            standings_before: None,
            is_elsewhere: false,
            next: 0,
            made: 0,
        };
        match (bench.target, &bench.url, &bench.key_file) {
            (Target::Pipeline, ..) => {
                let stages = Stages::new(settings, stock).map_err(Stop::Failed)?;
                Ok(site(Driven::Pipeline(stages), None, None))
            }
            (Target::Engine, ..) => {
                let house = House::build(bench, settings, folder).await?;
                let services = &house.services;
                let users = house.users.clone();
                let runs = Runs::new(services.engine.clone(), &services.library, users, stock);
                let runs = runs.await.map_err(Stop::Failed)?;
                Ok(site(Driven::Engine(runs), Some(house), None))
            }
            (Target::Http, Some(url), Some(key_file)) => {
                let service = Service::at(url, PATIENCE).map_err(Stop::Misused)?;
                let over_http = OverHttp::new(service, keys(key_file)?, &stock);
                let standings = over_http.standings().await;
                let standings = standings.map_err(|trouble| Stop::Failed(trouble.message))?;
                Ok(Self {
                    standings_before: standings,
                    is_elsewhere: true,
                    ..site(Driven::Http(over_http), None, None)
                })
            }
            (Target::Http, ..) => {
                let house = House::build(bench, settings, folder).await?;
                let (open, keys) = house.open().await?;
                let service = Service::at(&open.url, PATIENCE).map_err(Stop::Failed)?;
                let over_http = OverHttp::new(service, keys, &stock);
                Ok(site(Driven::Http(over_http), Some(house), Some(open)))
            }
        }
    }

    /// What it runs on, where that is known.
    #[must_use]
    pub fn database(&self) -> Option<String> {
        self.house.as_ref().map(|house| house.database.clone())
    }

    /// Makes some before the clock starts.
    ///
    /// # Errors
    /// [`Stop::Failed`] when none of them succeeds: nothing will.
    pub async fn warm_up(&mut self, bench: &Bench, progress: &Progress) -> Result<(), Stop> {
        if bench.warm_up == 0 {
            return Ok(());
        }
        let load = Load::Closed {
            generations: u64::from(bench.warm_up),
            concurrency: 2,
        };
        let (figures, trouble) = self.load(load, progress).await;
        match trouble {
            Some(message) if figures.generations == 0 => Err(Stop::Failed(message)),
            _ => Ok(()),
        }
    }

    /// Loads it, and answers the figures and the first thing that went wrong.
    pub async fn load(&mut self, load: Load, progress: &Progress) -> (Figures, Option<String>) {
        let (before, reserved) = (self.stages(), self.reserved());
        let (recorder, took) = load::run(&self.driven, load, self.next, progress).await;
        let mut figures = recorder.figures(took);
        self.next += figures.generations + figures.failed;
        self.made += figures.generations;
        if let (Some(earlier), Some(later)) = (reserved, self.reserved()) {
            figures.charges_per_second = Some((later - earlier) as f64 / figures.seconds);
        }
        if self.is_elsewhere {
            // The work was done elsewhere; what this process took says nothing.
            (figures.processor_s, figures.peak_memory_bytes) = (None, None);
        }
        if matches!(self.driven, Driven::Http(_)) {
            let mut parts = counted(&before, &self.stages(), figures.seconds);
            parts.append(&mut figures.stages);
            figures.stages = parts;
        }
        (figures, recorder.first_trouble().map(str::to_owned))
    }

    fn stages(&self) -> Vec<StageFigures> {
        let house = self.house.as_ref();
        house
            .map(|house| house.observe().stages)
            .unwrap_or_default()
    }

    /// Credits that were set aside since the start.
    fn reserved(&self) -> Option<u64> {
        let house = self.house.as_ref();
        house.map(|house| house.observe().credits.reserved)
    }

    /// Ends it, and proves that each skill was paid for once, as far as that can be seen.
    ///
    /// # Errors
    /// [`Stop::Failed`] when that cannot be told.
    pub async fn close(self) -> Result<Option<Proof>, Stop> {
        if let Some(open) = self.open {
            open.close().await?;
        }
        if let Some(house) = self.house {
            return house.close(self.made).await.map(Some);
        }
        let (Driven::Http(over_http), Some(before)) = (&self.driven, &self.standings_before) else {
            return Ok(None);
        };
        let after = over_http.standings().await;
        let after = after.map_err(|trouble| Stop::Failed(trouble.message))?;
        Ok(after.map(|after| Proof::of_standings(before, &after, self.made, self.next)))
    }
}

/// The keys of a file, one a line.
fn keys(path: &Path) -> Result<Vec<String>, Stop> {
    let shown = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|cause| Stop::Failed(format!("cannot read {shown}: {cause}")))?;
    let lines = text.lines().map(str::trim);
    let keys: Vec<String> = lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(str::to_owned)
        .collect();
    if keys.is_empty() {
        return Err(Stop::Failed(format!(
            "{shown} holds no key; `skillkiln key add EMAIL --name bench` prints one"
        )));
    }
    Ok(keys)
}

/// What the service counted about its stages meanwhile.
fn counted(before: &[StageFigures], after: &[StageFigures], seconds: f64) -> Vec<Part> {
    before
        .iter()
        .zip(after)
        .filter_map(|(before, after)| {
            let spread = after.duration.since(&before.duration);
            let at = |share| spread.quantile(share).map(|seconds| seconds * 1e3);
            let count = spread.count;
            Some(Part {
                stage: after.stage.to_owned(),
                count,
                per_second: count as f64 / seconds,
                mean_ms: spread.sum_s * 1e3 / count.max(1) as f64,
                p50_ms: at(0.5)?,
                p90_ms: at(0.9)?,
                p99_ms: at(0.99)?,
                p999_ms: at(0.999)?,
                max_ms: at(1.0)?,
                is_approximate: true,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::spread::Spread;

    #[test]
    fn keys_stand_one_a_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys");
        std::fs::write(&path, "# laptop\nskillkiln_sk_a\n\n  skillkiln_sk_b \n").unwrap();
        assert_eq!(keys(&path).unwrap(), ["skillkiln_sk_a", "skillkiln_sk_b"]);
        std::fs::write(&path, "\n").unwrap();
        assert!(keys(&path).is_err());
        assert!(keys(&folder.path().join("none")).is_err());
    }

    #[test]
    fn what_the_service_counted_meanwhile_is_shown_as_what_it_is() {
        let stage = |counts: [u64; 2], sum_s| StageFigures {
            stage: "extracting",
            duration: Spread {
                count: counts[1],
                sum_s,
                longest_s: None,
                buckets: vec![(0.001, counts[0]), (0.002, counts[1])],
            },
            ..StageFigures::default()
        };
        let parts = counted(&[stage([4, 5], 1.0)], &[stage([4, 15], 1.015)], 2.0);
        let [part] = parts.as_slice() else {
            panic!("{parts:?}");
        };
        assert_eq!(
            (part.count, part.per_second, part.is_approximate),
            (10, 5.0, true)
        );
        assert!(part.p50_ms > 1.0 && part.p50_ms < 2.0, "{part:?}");
        assert!((part.mean_ms - 1.5).abs() < 1e-9, "{part:?}");
        assert!(counted(&[stage([4, 5], 1.0)], &[stage([4, 5], 1.0)], 2.0).is_empty());
    }
}
