//! Owns what nodes call out to each other, on a channel of Redis: that a stage began, that a run ended, that one waits for whoever has a
//! place for it, and what an operator wants of a node. Each word is a hint: one that is lost costs time, since the store is asked again, and
//! never an event.

use crate::cluster::server;
use crate::domain::generation::Stage;
use crate::domain::id::RunId;
use crate::domain::vitals::Wish;
use futures_util::StreamExt;
use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Client, RedisError};
use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, mpsc, watch};
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

/// What the channel is called, but for the number of the server's database: channels know none.
const CHANNEL: &str = "skillkiln:runs";
/// How long a connection and each answer may take.
const ANSWERED_WITHIN: Duration = Duration::from_secs(1);
/// How often is looked whether the server still answers.
const LOOK: Duration = Duration::from_secs(1);
/// How long after a failure it is tried again.
const AGAIN: Duration = Duration::from_millis(250);
/// Words that wait to be called out; those beyond are lost.
const WAITING_MAX: usize = 4_096;
/// Wishes of operators that wait to be carried out.
const WISHES_MAX: usize = 64;
/// Words that are called out together.
const AT_ONCE: usize = 128;

/// What is called out of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum News {
    /// It waits for whoever has a place for it.
    Ordered,
    /// A stage began.
    Entered(Stage),
    /// Its end is committed.
    Ended,
}

/// The channel. Cheap to clone; by default nobody is there to hear.
#[derive(Debug, Clone, Default)]
pub struct Relay(Option<Arc<Inner>>);

struct Inner {
    client: Client,
    channel: String,
    outlet: mpsc::Sender<String>,
    outbox: tokio::sync::Mutex<mpsc::Receiver<String>>,
    followed: Mutex<HashMap<RunId, watch::Sender<Heard>>>,
    ordered: Notify,
    wished: mpsc::Sender<(String, Wish)>,
    wishes: tokio::sync::Mutex<mpsc::Receiver<(String, Wish)>>,
    is_joined: AtomicBool,
}

impl fmt::Debug for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inner").finish_non_exhaustive()
    }
}

/// What was heard of a run up to now.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Heard {
    stage: Option<Stage>,
    /// How often there was reason to ask the store.
    reasons: u32,
}

impl Relay {
    /// On the server at an address, `redis://` or `rediss://`. Nothing is heard before [`Relay::keep`].
    ///
    /// # Errors
    /// When that is no address of a server.
    pub fn new(url: &str) -> Result<Self, String> {
        let client = server::client(url)?;
        let database = client.get_connection_info().redis_settings().db();
        let (outlet, outbox) = mpsc::channel(WAITING_MAX);
        let (wished, wishes) = mpsc::channel(WISHES_MAX);
        Ok(Self(Some(Arc::new(Inner {
            channel: format!("{CHANNEL}:{database}"),
            client,
            outlet,
            outbox: outbox.into(),
            followed: Mutex::default(),
            ordered: Notify::new(),
            wished,
            wishes: wishes.into(),
            is_joined: AtomicBool::new(false),
        }))))
    }

    /// Calls out what happened to a run. It waits for nobody.
    pub fn tell(&self, run_id: RunId, news: News) {
        if let Some(inner) = &self.0 {
            let word = match news {
                News::Ordered => "ordered",
                News::Entered(stage) => stage.as_str(),
                News::Ended => "ended",
            };
            let _ = inner.outlet.try_send(format!("{run_id} {word}"));
        }
    }

    /// Calls out what an operator wants of a node, by the beginning of its identity.
    pub fn wish(&self, node: &str, wish: Wish) {
        if let Some(inner) = &self.0 {
            let _ = inner.outlet.try_send(format!("{node} {}", wish.as_str()));
        }
    }

    /// Waits for what an operator wants of some node.
    pub async fn wished(&self) -> (String, Wish) {
        let wish = match &self.0 {
            Some(inner) => inner.wishes.lock().await.recv().await,
            None => None,
        };
        match wish {
            Some(wish) => wish,
            None => std::future::pending().await,
        }
    }

    /// Listens for what happens to a run from now on.
    #[must_use]
    pub fn follow(&self, run_id: RunId) -> Followed {
        Followed(self.0.as_ref().map(|inner| {
            let mut followed = inner.followed();
            let sender = followed.entry(run_id).or_default();
            Ear {
                run_id,
                heard: sender.subscribe(),
                reasons: sender.borrow().reasons,
                inner: Arc::clone(inner),
            }
        }))
    }

    /// Waits until some run waits for whoever has a place for it.
    pub async fn ordered(&self) {
        match &self.0 {
            Some(inner) => inner.ordered.notified().await,
            None => std::future::pending().await,
        }
    }

    /// Whether what happens on other nodes is heard here.
    #[must_use]
    pub fn is_joined(&self) -> bool {
        let inner = self.0.as_ref();
        inner.is_some_and(|inner| inner.is_joined.load(Relaxed))
    }

    /// Connects, and passes words on for ever, where there is somebody to hear.
    pub async fn keep(self) {
        let Some(inner) = &self.0 else { return };
        let mut outbox = inner.outbox.lock().await;
        loop {
            // Whoever is away long enough is told elsewhere: see `windows`.
            if let Err(error) = inner.join(&mut outbox).await {
                tracing::debug!(%error, "what happens to runs on other nodes is not heard now; the store is asked");
            }
            inner.is_joined.store(false, Relaxed);
            sleep(AGAIN).await;
        }
    }
}

impl Inner {
    /// Passes words on until the connection is lost.
    async fn join(&self, outbox: &mut mpsc::Receiver<String>) -> Result<(), RedisError> {
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(ANSWERED_WITHIN))
            .set_response_timeout(Some(ANSWERED_WITHIN));
        let opening = self
            .client
            .get_multiplexed_async_connection_with_config(&config);
        let mut speaker = opening.await?;
        let listening = async {
            let (mut listener, words) = self.client.get_async_pubsub().await?.split();
            listener.subscribe(&self.channel).await?;
            Ok::<_, RedisError>((listener, words))
        };
        let (mut listener, mut words) = in_time(listening).await?;
        // What was to be told before is old by now.
        while outbox.try_recv().is_ok() {}
        self.is_joined.store(true, Relaxed);
        self.ask_of_all();
        let mut looks = interval(LOOK);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut told = Vec::new();
        loop {
            tokio::select! {
                word = words.next() => match word {
                    Some(word) => self.hear(&word.get_payload::<String>()?),
                    None => return Ok(()),
                },
                _ = outbox.recv_many(&mut told, AT_ONCE) => {
                    self.call_out(&mut speaker, &told).await?;
                    told.clear();
                }
                _ = looks.tick() => in_time(listener.ping::<()>()).await?,
            }
        }
    }

    async fn call_out(
        &self,
        speaker: &mut MultiplexedConnection,
        words: &[String],
    ) -> Result<(), RedisError> {
        let mut batch = redis::pipe();
        for word in words {
            batch.cmd("PUBLISH").arg(&self.channel).arg(word).ignore();
        }
        batch.query_async(speaker).await
    }

    fn hear(&self, text: &str) {
        let Some((who, word)) = text.split_once(' ') else {
            return;
        };
        if let Some(wish) = Wish::parse(word) {
            let _ = self.wished.try_send((who.to_owned(), wish));
            return;
        }
        if word == "ordered" {
            return self.ordered.notify_one();
        }
        let stage = Stage::ALL.into_iter().find(|stage| stage.as_str() == word);
        if let Some(run_id) = RunId::parse(who)
            && let Some(ears) = self.followed().get(&run_id)
        {
            ears.send_modify(|heard| match stage {
                Some(stage) => heard.stage = heard.stage.max(Some(stage)),
                None => heard.reasons += 1,
            });
        }
    }

    /// Of each run that somebody follows something may have been missed.
    fn ask_of_all(&self) {
        for ears in self.followed().values() {
            ears.send_modify(|heard| heard.reasons += 1);
        }
    }

    fn followed(&self) -> MutexGuard<'_, HashMap<RunId, watch::Sender<Heard>>> {
        self.followed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn in_time<T>(asking: impl Future<Output = Result<T, RedisError>>) -> Result<T, RedisError> {
    let late = |_| RedisError::from(std::io::Error::from(std::io::ErrorKind::TimedOut));
    timeout(ANSWERED_WITHIN, asking).await.map_err(late)?
}

/// A run that is followed, until this is dropped.
#[derive(Debug)]
pub struct Followed(Option<Ear>);

#[derive(Debug)]
struct Ear {
    inner: Arc<Inner>,
    run_id: RunId,
    heard: watch::Receiver<Heard>,
    reasons: u32,
}

impl Followed {
    /// Waits for a word; answers the latest stage that is known to have begun, and whether there is reason to ask the store.
    pub async fn next(&mut self) -> (Option<Stage>, bool) {
        let Some(ear) = &mut self.0 else {
            return std::future::pending().await;
        };
        if ear.heard.changed().await.is_err() {
            return std::future::pending().await;
        }
        let Heard { stage, reasons } = *ear.heard.borrow_and_update();
        let has_reason = reasons != std::mem::replace(&mut ear.reasons, reasons);
        (stage, has_reason)
    }
}

impl Drop for Ear {
    fn drop(&mut self) {
        let mut followed = self.inner.followed();
        // This one still counts.
        if let Some(ears) = followed.get(&self.run_id)
            && ears.receiver_count() <= 1
        {
            followed.remove(&self.run_id);
        }
    }
}
