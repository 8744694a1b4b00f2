//! Owns our conversation with a language model: a question goes out, an answer that could be read comes back, or a failure
//! that says what to do.
//!
//! ```text
//! Question ─▶ kept? ─▶ breaker ─▶ permit ─▶ wire ─▶ server ─▶ wire ─▶ read ─▶ answer
//!                         ▲          └────── again, after a pause ◀─────┘
//!                         └─ calls that were given up
//! ```
//!
//! The server's address comes from the settings and may lie in a private network: it is the operator's word, not a user's.
//! What it sends is read with bounds like everything else from outside, and never logged: it may repeat a key or a source.

mod breaker;
mod trouble;
mod wire;

#[cfg(test)]
mod tests;

use crate::domain::observation::ModelFigures;
use crate::providers::cache::Cache;
use crate::providers::client;
use crate::providers::model::breaker::Breaker;
use crate::providers::model::trouble::Trouble;
use crate::providers::model::wire::demand::Demand;
use crate::telemetry::providers::MODEL;
use backon::{ExponentialBuilder, Retryable};
use bytes::Bytes;
use futures_util::future::BoxFuture;
use secrecy::SecretString;
use serde_json::Value;
use sha2::{Digest, Sha256};
use skillkiln_document::failure::Failure;
use std::fmt::Debug;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout_at};

/// Longest answer that is read, with everything a server wraps around it.
const ANSWER_BYTES_MAX: usize = 8 << 20;
/// The pauses between two attempts when the server names none; each is lengthened by chance up to twofold.
const PAUSE_FIRST: Duration = Duration::from_millis(400);
const PAUSE_MAX: Duration = Duration::from_secs(20);

/// The protocols that servers speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// OpenAI's chat completions, which most servers speak.
    OpenAi,
    /// The same on Azure, where the address names the model and the version.
    Azure,
    /// Anthropic's messages.
    Anthropic,
    /// Gemini's `generateContent`.
    Gemini,
    /// Ollama's own chat, whose context can be set.
    Ollama,
}

impl Protocol {
    /// Whether an answer can be held to being an object of any form.
    const fn has_object(self) -> bool {
        !matches!(self, Self::Anthropic)
    }
}

/// Whom to ask, and within which bounds.
#[derive(Debug, Clone)]
pub struct ModelSettings {
    /// What the server speaks.
    pub protocol: Protocol,
    /// Its address, with `/v1` where it has one; empty for the provider's own.
    pub base_url: String,
    /// The name of the model that writes.
    pub model: String,
    /// The name of the model that judges; empty for the same.
    pub judge: String,
    /// What proves who we are. Its `Debug` shows nothing.
    pub key: Option<SecretString>,
    /// Tokens of question and answer together.
    pub context_tokens: usize,
    /// Tokens of one answer.
    pub answer_tokens_max: usize,
    /// How freely the model chooses its words; none leaves that to the server.
    pub temperature: Option<f64>,
    /// A number that makes answers alike, for servers that know it.
    pub seed: Option<u64>,
    /// How long a model of OpenAI's protocol thinks before it answers; empty leaves that to the server.
    pub reasoning_effort: String,
    /// The version of the interface that Azure is asked for.
    pub api_version: String,
    /// What else goes with each request, for gateways: names and values.
    pub headers: Vec<(String, String)>,
    /// The time for one answer.
    pub timeout: Duration,
    /// How often a question is asked before it is given up.
    pub attempts_max: usize,
    /// Questions at once.
    pub at_once: usize,
    /// Bytes of answers that are kept in memory.
    pub cache_bytes_max: usize,
    /// Where answers are kept beyond that.
    pub shelf: Option<Arc<dyn Shelf>>,
}

impl ModelSettings {
    /// The name of the model that a question is for.
    fn name_for(&self, question: &Question) -> &str {
        match question.is_judging && !self.judge.is_empty() {
            true => &self.judge,
            false => &self.model,
        }
    }
}

/// One question. What stays the same over a run stands first, so that a server need not read it again.
#[derive(Debug, Clone)]
pub struct Question {
    /// Who the model is and what it must not do, in our words alone.
    pub system: String,
    /// What it is to work with: a stranger's words, fenced.
    pub source: String,
    /// What it is to do with it.
    pub task: String,
    /// The name of the answer's form.
    pub form: &'static str,
    /// The form itself, a JSON schema of an object; none where the answer is text.
    pub schema: Option<Value>,
    /// Whether the model that judges is asked.
    pub is_judging: bool,
    /// What makes two questions the same although their fences differ.
    pub sameness: String,
}

/// Where answers are kept that outlive the process, by the digest of all that decides about them. It fails in silence: a model can be asked.
pub trait Shelf: Debug + Send + Sync {
    /// The answer that is kept.
    fn take<'a>(&'a self, digest: &'a str) -> BoxFuture<'a, Option<String>>;
    /// Keeps an answer.
    fn put<'a>(&'a self, digest: &'a str, answer: &'a str) -> BoxFuture<'a, ()>;
}

/// What questions have used. Clones count together, and each answer counts as a whole, so that what is read never costs less than before.
#[derive(Debug, Clone, Default)]
pub struct Meter(Arc<Mutex<Tokens>>);

/// Tokens that were used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tokens {
    /// Read by the model, those it had read before included.
    pub input: u64,
    /// Of those, read before.
    pub cached: u64,
    /// Written by it.
    pub output: u64,
}

impl Tokens {
    /// All of them.
    #[must_use]
    pub const fn all(self) -> u64 {
        self.input + self.output
    }
}

impl Meter {
    /// What was used by now.
    #[must_use]
    pub fn read(&self) -> Tokens {
        *self.used()
    }

    fn add(&self, tokens: Tokens) {
        let mut used = self.used();
        used.input += tokens.input;
        used.cached += tokens.cached;
        used.output += tokens.output;
    }

    fn used(&self) -> MutexGuard<'_, Tokens> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoAnswer {
    /// In words for the user.
    pub failure: Failure,
    /// Whether a shorter question may have one.
    pub is_too_long: bool,
}

/// A language model. Clones share its connections, its permits and what it answered before.
#[derive(Debug, Clone)]
pub struct Model(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    client: reqwest::Client,
    settings: ModelSettings,
    permits: Semaphore,
    breaker: Breaker,
    kept: Cache<Arc<str>>,
    /// How many demands the server refused, and is not asked for again.
    refused: AtomicU8,
    counts: Counts,
}

#[derive(Debug, Default)]
struct Counts {
    asked: AtomicU64,
    kept: AtomicU64,
    retried: AtomicU64,
    given_up: AtomicU64,
    used: Meter,
}

impl Model {
    /// A model that was not asked yet.
    ///
    /// # Errors
    /// In words for an operator, when no client can be made.
    pub fn new(settings: ModelSettings) -> Result<Self, String> {
        let client = client::builder()
            .build()
            .map_err(|error| format!("cannot make the client of the model: {error}"))?;
        Ok(Self(Arc::new(Inner {
            client,
            permits: Semaphore::new(settings.at_once.clamp(1, Semaphore::MAX_PERMITS)),
            breaker: Breaker::default(),
            kept: Cache::new(settings.cache_bytes_max),
            refused: AtomicU8::new(0),
            counts: Counts::default(),
            settings,
        })))
    }

    /// Tokens of question and answer together.
    #[must_use]
    pub fn context_tokens(&self) -> usize {
        self.0.settings.context_tokens
    }

    /// Tokens of one answer.
    #[must_use]
    pub fn answer_tokens_max(&self) -> usize {
        self.0.settings.answer_tokens_max
    }

    /// Asks until an answer comes that `read` can read, at most so often as the settings allow and not beyond `until`. An
    /// answer that was read is kept, so that the same question costs nothing the next time.
    ///
    /// # Errors
    /// Why there is none, with what the user can do.
    pub async fn ask<T>(
        &self,
        question: &Question,
        until: Instant,
        meter: &Meter,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<T, NoAnswer> {
        let inner = &*self.0;
        let key = inner.key_of(question);
        if let Some(answer) = inner.known(&key, until, &read).await {
            inner.counts.kept.fetch_add(1, Relaxed);
            return Ok(answer);
        }
        let outcome = match inner.breaker.admit() {
            Err(wait) => Err(Trouble::Halted(wait)),
            Ok(pass) => {
                let began = Instant::now();
                let outcome = timeout_at(until, inner.insist(question, until, meter, &read)).await;
                let outcome = outcome.unwrap_or(Err(Trouble::Silent));
                match &outcome {
                    // A caller with less patience than the settings grant says nothing about the server.
                    Err(Trouble::Silent) if began.elapsed() < inner.settings.timeout => drop(pass),
                    Err(trouble) if trouble.blames_the_server() => pass.lost(),
                    _ => pass.won(),
                }
                outcome
            }
        };
        match outcome {
            Ok((text, answer)) => {
                let size = text.len();
                inner.kept.put(&key, Arc::clone(&text), size);
                if let Some(shelf) = &inner.settings.shelf {
                    shelf.put(&key, &text).await;
                }
                Ok(answer)
            }
            Err(trouble) => {
                inner.counts.given_up.fetch_add(1, Relaxed);
                tracing::error!(
                    trouble = trouble.as_str(),
                    status = trouble.status(),
                    kind = trouble.kind(),
                    "a question to the model was given up"
                );
                Err(NoAnswer {
                    is_too_long: trouble.is_too_long(),
                    failure: trouble.failure(),
                })
            }
        }
    }

    /// What an operator sees of it.
    #[must_use]
    pub fn observe(&self) -> ModelFigures {
        let counts = &self.0.counts;
        let used = counts.used.read();
        ModelFigures {
            circuit: self.0.breaker.observe(),
            asked: counts.asked.load(Relaxed),
            kept: counts.kept.load(Relaxed),
            retried: counts.retried.load(Relaxed),
            given_up: counts.given_up.load(Relaxed),
            tokens_in: used.input,
            tokens_cached: used.cached,
            tokens_out: used.output,
            ..ModelFigures::default()
        }
    }
}

impl Inner {
    /// What was answered before, in memory or on the shelf.
    async fn known<T>(
        &self,
        key: &str,
        until: Instant,
        read: &impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        if let Some(answer) = self.kept.get(key).and_then(|kept| read(&kept)) {
            return Some(answer);
        }
        let shelf = self.settings.shelf.as_ref()?;
        let text = timeout_at(until, shelf.take(key)).await.ok().flatten()?;
        let answer = read(&text)?;
        let size = text.len();
        self.kept.put(key, Arc::from(text), size);
        Some(answer)
    }

    /// Attempts with pauses: as long as the server says, else ever longer and by chance, and none that would end too late.
    async fn insist<T>(
        &self,
        question: &Question,
        until: Instant,
        meter: &Meter,
        read: &impl Fn(&str) -> Option<T>,
    ) -> Result<(Arc<str>, T), Trouble> {
        let pauses = ExponentialBuilder::default()
            .with_jitter()
            .with_min_delay(PAUSE_FIRST)
            .with_max_delay(PAUSE_MAX)
            .with_max_times(self.settings.attempts_max.saturating_sub(1));
        let attempt = || async {
            let text = self.attempt(question, meter).await?;
            let answer = read(&text).ok_or(Trouble::Garbled)?;
            Ok((text, answer))
        };
        attempt
            .retry(pauses)
            .when(Trouble::may_pass)
            .adjust(|trouble: &Trouble, pause| {
                let pause = pause?.max(trouble.wait().unwrap_or_default());
                (Instant::now() + pause < until).then_some(pause)
            })
            .notify(|trouble: &Trouble, pause| {
                self.counts.retried.fetch_add(1, Relaxed);
                MODEL.again();
                tracing::warn!(
                    trouble = trouble.as_str(),
                    status = trouble.status(),
                    pause_ms = u64::try_from(pause.as_millis()).unwrap_or(u64::MAX),
                    "the model is asked again"
                );
            })
            .await
    }

    /// Asks once. A server that does not know how to be held to a form is asked for any object, and then without a form, there and then.
    async fn attempt(&self, question: &Question, meter: &Meter) -> Result<Arc<str>, Trouble> {
        let _permit = self.permits.acquire().await;
        let mut demand = Demand::after(self.refused.load(Relaxed));
        loop {
            let answer = self.send(question, meter, demand).await;
            let is_refused = matches!(
                &answer,
                Err(trouble @ Trouble::Refused { status: 400 | 422, .. }) if !trouble.is_too_long()
            );
            let has_object = self.settings.protocol.has_object() && question.schema.is_some();
            match demand.next(has_object).filter(|_| is_refused) {
                Some(next) => demand = next,
                None => {
                    // Only an answer proves that it was the form which was refused.
                    if answer.is_ok() {
                        self.refused.fetch_max(demand as u8, Relaxed);
                    }
                    return answer;
                }
            }
        }
    }

    async fn send(
        &self,
        question: &Question,
        meter: &Meter,
        demand: Demand,
    ) -> Result<Arc<str>, Trouble> {
        self.counts.asked.fetch_add(1, Relaxed);
        let settings = &self.settings;
        let request = wire::request(&self.client, settings, question, demand);
        let call = MODEL.begin();
        let response = request.timeout(settings.timeout).send().await;
        let is_answered = response
            .as_ref()
            .is_ok_and(|answer| answer.status().is_success());
        call.ended(is_answered);
        let response = response.map_err(|error| Trouble::of(&error))?;
        let (status, headers) = (response.status(), response.headers().clone());
        let read = client::read(response, ANSWER_BYTES_MAX).await;
        let (body, is_whole): (Bytes, bool) = read.map_err(|error| Trouble::of(&error))?;
        if !status.is_success() {
            return Err(Trouble::of_status(status, &headers, &body));
        }
        let body = Some(body)
            .filter(|_| is_whole)
            .and_then(|body| serde_json::from_slice::<Value>(&body).ok())
            .ok_or(Trouble::Garbled)?;
        let tokens = wire::usage(settings.protocol, &body);
        meter.add(tokens);
        self.counts.used.add(tokens);
        wire::answer(settings.protocol, &body).map(Arc::from)
    }

    /// The digest of what decides about the answer.
    fn key_of(&self, question: &Question) -> String {
        let mut hasher = Sha256::new();
        for part in [
            self.settings.base_url.as_str(),
            self.settings.name_for(question),
            question.form,
            &question.sameness,
        ] {
            hasher.update(part.len().to_le_bytes());
            hasher.update(part);
        }
        crate::domain::key::to_hex(&hasher.finalize())
    }
}
