//! Owns what a load drives: the stages alone, the engine, or the service over HTTP. Each makes a skill when it is asked and says how
//! long each part took, as far as it can be seen from where it stands.

use super::figures::{Made, Trouble};
use super::over_http::OverHttp;
use super::stock::{Stock, bytes_of};
use crate::config::Settings;
use crate::domain::clock::Clock;
use crate::domain::generation::{Event, Hears, Order, Stage};
use crate::domain::id::UserId;
use crate::domain::source::{Source, StoredFile};
use crate::pipeline::extract::{self, Input, NamedBytes, Reader};
use crate::pipeline::product::Wish;
use crate::services::engine::{Engine, Rejected, Request};
use crate::services::library::Library;
use crate::services::library::files::Upload;
use crate::services::{self};
use futures_util::StreamExt as _;
use skillkiln_document::failure::Failure;
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// What is driven.
#[derive(Debug)]
pub enum Driven {
    /// The stages alone.
    Pipeline(Stages),
    /// Everything but HTTP.
    Engine(Runs),
    /// Everything.
    Http(OverHttp),
}

impl Driven {
    /// Makes the `n`-th skill.
    ///
    /// # Errors
    /// [`Trouble`], when it is not made.
    pub async fn generate(&self, n: u64) -> Result<Made, Trouble> {
        match self {
            Self::Pipeline(stages) => stages.generate(n).await,
            Self::Engine(runs) => runs.generate(n).await,
            Self::Http(over_http) => over_http.generate(n).await,
        }
    }
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        Self::new(failure.reason.as_str(), failure.message)
    }
}

/// The three stages as plain functions.
#[derive(Debug)]
pub struct Stages {
    reader: Reader,
    inputs: Vec<Input>,
    /// As many as may wait for a thread; whoever comes beyond waits for one of these.
    slots: Semaphore,
}

impl Stages {
    /// By the settings.
    ///
    /// # Errors
    /// When a thread or a client cannot be made.
    pub fn new(settings: &Settings, stock: Stock) -> Result<Self, String> {
        Ok(Self {
            reader: Reader {
                words_min: 0,
                ..services::reader(settings, Clock::system())?
            },
            inputs: stock.inputs,
            slots: Semaphore::new(services::heavy_waiting_max(settings)),
        })
    }

    async fn generate(&self, n: u64) -> Result<Made, Trouble> {
        let input = self.inputs.get(Stock::turn(n, self.inputs.len()));
        let input = input.cloned().ok_or_else(nothing_to_do)?;
        let bytes = bytes_of(&input);
        let came = Instant::now();
        let _slot = self.slots.acquire().await;
        let began = Instant::now();
        let evidence = extract::read(&self.reader, input).await?;
        let read = Instant::now();
        evidence.handle.write(Wish::default()).await?;
        let written = Instant::now();
        let validated = evidence.handle.check().await?;
        let skills = validated.skills.iter();
        Ok(Made {
            spans: [
                None,
                Some(began - came),
                Some(read - began),
                Some(written - read),
                Some(written.elapsed()),
            ],
            words: skills.map(|made| made.skill.word_count as u64).sum(),
            bytes,
        })
    }
}

fn nothing_to_do() -> Trouble {
    Trouble::new("misused", "there is nothing to make a skill of")
}

/// Runs of the engine, each charged, made and saved.
#[derive(Debug)]
pub struct Runs {
    engine: Engine,
    users: Vec<UserId>,
    sources: Vec<(Source, u64)>,
}

impl Runs {
    /// Keeps the files among the sources as the service keeps what it is sent.
    ///
    /// # Errors
    /// When a file cannot be kept.
    pub async fn new(
        engine: Engine,
        library: &Library,
        users: Vec<UserId>,
        stock: Stock,
    ) -> Result<Self, String> {
        let mut sources = Vec::with_capacity(stock.inputs.len());
        for input in stock.inputs {
            let bytes = bytes_of(&input);
            sources.push((settled(library, input).await?, bytes));
        }
        Ok(Self {
            engine,
            users,
            sources,
        })
    }

    async fn generate(&self, n: u64) -> Result<Made, Trouble> {
        let user = self.users.get(Stock::turn(n, self.users.len()));
        let source = self.sources.get(Stock::turn(n, self.sources.len()));
        let ((source, bytes), user_id) = source.zip(user).ok_or_else(nothing_to_do)?;
        let request = Request {
            user_id: *user_id,
            key_id: None,
            order: Order {
                source: source.clone(),
                name: None,
                description: None,
                category: None,
                kind: None,
                topics: Vec::new(),
            },
            idempotency: None,
            replaces: None,
            hears: Hears::EachStage,
        };
        let ordered = Instant::now();
        let mut run = self.engine.generate(request, "bench").await?;
        let charged = Instant::now();
        let mut entered = [None; Stage::ALL.len()];
        loop {
            match run.events.next().await {
                Some(Event::Entered(stage)) => {
                    let place = Stage::ALL.iter().position(|each| *each == stage);
                    if let Some(time) = place.and_then(|place| entered.get_mut(place)) {
                        *time = Some(Instant::now());
                    }
                }
                Some(Event::Completed(finished)) => {
                    let ended = Instant::now();
                    let [reading, writing, checking] = entered;
                    let skills = finished.skills.iter();
                    return Ok(Made {
                        spans: [
                            Some(charged - ordered),
                            between(Some(charged), reading),
                            between(reading, writing),
                            between(writing, checking),
                            between(checking, Some(ended)),
                        ],
                        words: skills.map(|made| u64::from(made.skill.word_count)).sum(),
                        bytes: *bytes,
                    });
                }
                Some(Event::Failed(failure)) => return Err(failure.into()),
                None => return Err(Trouble::new("internal", "a run ended without a word")),
            }
        }
    }
}

fn between(from: Option<Instant>, to: Option<Instant>) -> Option<Duration> {
    Some(to?.saturating_duration_since(from?))
}

async fn settled(library: &Library, input: Input) -> Result<Source, String> {
    Ok(match input {
        Input::Text(text) => Source::Text { text },
        Input::Video(address) => Source::Youtube { address },
        Input::Address { address, pages } => Source::Url { address, pages },
        Input::Files(named) => {
            let mut files: Vec<StoredFile> = Vec::with_capacity(named.len());
            for NamedBytes { filename, bytes } in named {
                let shown = filename.clone();
                let kept = library.keep(Upload { filename, bytes }).await;
                files.push(kept.map_err(|_| format!("cannot keep {shown}; the log says why"))?);
            }
            Source::File { files }
        }
    })
}

impl From<Rejected> for Trouble {
    fn from(rejected: Rejected) -> Self {
        let (cause, message) = match rejected {
            Rejected::InsufficientCredits => {
                ("insufficient_credits", "the account has no credits left")
            }
            Rejected::Busy { .. } => (
                "rate_limited",
                "too many generations were waiting (setting engine.queue_max)",
            ),
            Rejected::Stopping => ("stopping", "the engine is stopping"),
            Rejected::Unavailable => (
                "unavailable",
                "the database does not answer; the log says why",
            ),
            Rejected::KeyReused
            | Rejected::Deleted
            | Rejected::AlreadyRegenerating
            | Rejected::NotFound => ("conflict", "the order was refused"),
        };
        Self::new(cause, message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::bench::options::bench;

    #[tokio::test]
    async fn the_stages_alone_say_how_long_each_of_them_took() {
        let stock = Stock::lay_in(&bench(&["--generations", "2"]), 100).unwrap();
        let stages = Stages::new(&Settings::default(), stock).unwrap();
        let made = stages.generate(5).await.unwrap();
        let seen: Vec<bool> = made.spans.iter().map(Option::is_some).collect();
        assert_eq!(seen, [false, true, true, true, true]);
        assert!(made.words > 100, "{}", made.words);
        assert!(made.bytes > 1_000, "{}", made.bytes);
    }

    #[tokio::test]
    async fn whoever_finds_no_room_before_the_threads_waits_for_it() {
        let stock = Stock::lay_in(&bench(&["--generations", "1"]), 1).unwrap();
        let stages = Stages::new(&Settings::default(), stock).unwrap();
        let all = u32::try_from(services::heavy_waiting_max(&Settings::default())).unwrap();
        let taken = stages.slots.acquire_many(all).await.unwrap();
        let mut one_more = Box::pin(stages.generate(0));
        assert!(futures_util::poll!(one_more.as_mut()).is_pending());
        assert_eq!(
            stages.reader.pool.waiting(),
            0,
            "nothing was asked of the threads"
        );
        drop(taken);
        assert!(one_more.await.is_ok());
    }

    #[tokio::test]
    async fn a_source_that_cannot_be_read_is_counted_by_its_reason() {
        let stock = Stock {
            inputs: vec![Input::Text(" \n".to_owned())],
            words: String::new(),
        };
        let stages = Stages::new(&Settings::default(), stock).unwrap();
        assert_eq!(stages.generate(0).await.unwrap_err().cause, "unreadable");
    }
}
