//! `skillkiln bench`: loads the engine, the stages alone or the service over HTTP, and says how much they bear and how long each part
//! of a generation takes.
//!
//! ```text
//! options ─▶ stock (texts: seeded) ─┐
//!            load (schedule) ───────┴─▶ driven (house, over_http) ─▶ figures ─▶ report ─▶ compare
//!                                                                       └─▶ knee
//! ```

pub mod claims;
pub mod compare;
pub mod driven;
pub mod figures;
pub mod folder;
pub mod house;
pub mod knee;
pub mod load;
pub mod machine;
pub mod options;
pub mod over_http;
pub mod report;
pub mod schedule;
pub mod seeded;
pub mod site;
pub mod stock;
pub mod texts;

use super::Common;
use super::operator::{keep_files_private, quiet_log};
use super::output::{self, Stop};
use super::quality;
use super::signals::Signals;
use crate::http;
use compare::{Comparison, compare};
use figures::Figures;
use folder::Folder;
use house::Proof;
use knee::{Search, Tried};
use load::{Load, Progress};
use options::Bench;
use report::{Knee, Report, Setting};
use schedule::Schedule;
use serde::Serialize;
use site::Site;
use stock::Stock;

/// How many times slower than without load is still in time, unless told otherwise.
const IN_TIME: f64 = 5.0;
/// Generations, one after the other, by which a service without load is measured: at least, and at most.
const UNLOADED: (u64, u64) = (10, 100);

/// Runs the command.
///
/// # Errors
/// [`Stop::Misused`] when it was asked wrongly, [`Stop::Failed`] when a source cannot be read, a generation failed or the books do not
/// balance.
pub fn run(command: &Bench, common: &Common) -> Result<(), Stop> {
    if let Some(dir) = &command.quality {
        let measured = quality::Measured {
            dir,
            out: command.out.as_deref(),
            questions: command.questions.as_deref(),
            json: command.json,
        };
        return quality::run(&measured, common);
    }
    if let Some(dir) = &command.author {
        return claims::run(dir, command.questions.as_deref(), command.json, common);
    }
    command.check()?;
    let before = command.compare.as_deref().map(Report::load).transpose()?;
    let settings = common.settings()?;
    quiet_log()?;
    keep_files_private();
    if cfg!(debug_assertions) {
        output::note("this is a debug build: its figures say nothing about the service");
    }
    let stock = Stock::lay_in(command, settings.uploads.file_bytes_max)?;
    // It is taken away when the system has ended in which somebody may write there.
    let folder = Folder::default();
    http::block_on(async {
        // Asked for before the folder is made, so that no end leaves it behind.
        let mut signals = Signals::listen()?;
        let measured = async {
            let sources = stock.words.clone();
            let site = Site::prepare(command, &settings, stock, &folder).await?;
            let setting = Setting::of(command, sources, site.database());
            if command.knee {
                find_knee(command, setting, site).await
            } else {
                measure(command, setting, site, before.as_ref()).await
            }
        };
        tokio::select! {
            measured = measured => measured,
            () = signals.next() => Err(Stop::Failed("interrupted; nothing was measured to its end".into())),
        }
    })
}

/// What is printed as JSON.
#[derive(Serialize)]
struct Printed<'a> {
    #[serde(flatten)]
    report: &'a Report,
    #[serde(skip_serializing_if = "Option::is_none")]
    comparison: Option<&'a Comparison>,
}

async fn measure(
    command: &Bench,
    setting: Setting,
    mut site: Site,
    before: Option<&Report>,
) -> Result<(), Stop> {
    let progress = Progress::start();
    progress.say("warming up".into());
    site.warm_up(command, &progress).await?;
    let mut runs = Vec::new();
    let mut trouble = None;
    for repetition in 1..=command.repeat {
        if command.repeat > 1 {
            progress.say(format!("{repetition} of {}", command.repeat));
        }
        let (figures, first) = site.load(the_load(command), &progress).await;
        trouble = trouble.or(first);
        runs.push(figures);
    }
    progress.end();
    let books = site.close().await?;
    let report = Report::of(setting, runs, books);
    if let Some(path) = &command.save {
        report.save(path)?;
    }
    let comparison = before.map(|before| compare(before, &report));
    if command.json {
        output::say_json(&Printed {
            report: &report,
            comparison: comparison.as_ref(),
        })?;
    } else {
        output::say(&report.page())?;
        if let Some(comparison) = &comparison {
            output::say(&format!("\n{}", comparison.page()))?;
        }
    }
    verdict(&report, trouble)
}

fn verdict(report: &Report, trouble: Option<String>) -> Result<(), Stop> {
    proved(report.books.as_ref())?;
    trouble.map_or(Ok(()), |message| Err(Stop::Failed(message)))
}

fn proved(books: Option<&Proof>) -> Result<(), Stop> {
    match books.filter(|proof| !proof.holds()) {
        Some(proof) => Err(Stop::Failed(proof.complaint().into())),
        None => Ok(()),
    }
}

/// One repetition, as it was asked for.
fn the_load(command: &Bench) -> Load {
    match command.rate {
        Some(rate) => Load::Open(schedule(command, rate)),
        None => Load::Closed {
            generations: command.generations(),
            concurrency: command.concurrency as usize,
        },
    }
}

fn schedule(command: &Bench, rate: f64) -> Schedule {
    let duration = command.duration();
    if command.poisson {
        Schedule::poisson(rate, duration, command.seed)
    } else {
        Schedule::even(rate, duration)
    }
}

async fn find_knee(command: &Bench, mut setting: Setting, mut site: Site) -> Result<(), Stop> {
    setting.concurrency = None;
    let progress = Progress::start();
    progress.say("warming up".into());
    site.warm_up(command, &progress).await?;
    progress.say("without load".into());
    let unloaded = unloaded(command, &mut site, &progress).await?;
    let whole = unloaded.whole().cloned().unwrap_or_default();
    let p99_ms_max = command.p99_ms.unwrap_or(whole.p99_ms * IN_TIME);
    let mut search = Search::from(unloaded.generations_per_second);
    let mut tried = Vec::new();
    while let Some(rate) = search.next_rate() {
        progress.say(format!("{rate:.1} a second"));
        let (figures, _) = site
            .load(Load::Open(schedule(command, rate)), &progress)
            .await;
        let begun_for_s = command.duration().as_secs_f64();
        let one = Tried::of(rate, &figures, begun_for_s, p99_ms_max);
        search.note(rate, one.held);
        tried.push(one);
    }
    progress.end();
    let knee = Knee {
        setting,
        p99_ms_max,
        unloaded_p99_ms: command.p99_ms.is_none().then_some(whole.p99_ms),
        knee_per_second: search.found(),
        tried,
        books: site.close().await?,
    };
    if command.json {
        output::say_json(&knee)?;
    } else {
        output::say(&knee.page())?;
    }
    proved(knee.books.as_ref())
}

/// One after the other, about as long as each rate is tried.
async fn unloaded(command: &Bench, site: &mut Site, progress: &Progress) -> Result<Figures, Stop> {
    let (least, most) = UNLOADED;
    let first = alone(site, least, progress).await?;
    let wanted = command.duration().as_secs_f64() * first.generations_per_second;
    let count = (wanted as u64).clamp(least, most);
    if count == least {
        return Ok(first);
    }
    alone(site, count, progress).await
}

async fn alone(site: &mut Site, generations: u64, progress: &Progress) -> Result<Figures, Stop> {
    let load = Load::Closed {
        generations,
        concurrency: 1,
    };
    let (figures, trouble) = site.load(load, progress).await;
    match trouble {
        Some(message) => Err(Stop::Failed(format!("it fails without load: {message}"))),
        None => Ok(figures),
    }
}
