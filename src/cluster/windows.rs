//! Owns the windows and tries that nodes share: one log of instants each, on a Redis or Valkey server, decided on by one script a request.
//!
//! The server runs scripts one after another and by its own clock, so no half-open minute holds more than the limit, whoever asks and
//! whatever the nodes' clocks say. While it does not answer, nobody waits for it: a node is told so at once and decides by itself,
//! until the keeper has brought back what was admitted meanwhile.

use crate::cluster::server;
use crate::domain::attempts::{Counted, Rule};
use crate::domain::clock::{Clock, Timestamp};
use crate::domain::observation::SharedWindows;
use crate::domain::quota::{Verdict, WINDOW};
use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Client, FromRedisValue, RedisError, Script, ScriptInvocation};
use std::fmt;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicI64, AtomicU64};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

/// What every name of ours begins with.
const PREFIX: &str = "skillkiln:window:";
/// How long a request waits for a decision.
const DECIDED_WITHIN: Duration = Duration::from_millis(100);
/// How long a connection may take, and the answers by which it is looked after.
const ANSWERED_WITHIN: Duration = Duration::from_secs(1);
/// How often is looked whether the server answers while nobody asks it.
const LOOK: Duration = Duration::from_secs(1);
/// How long after a failure it is tried again.
const AGAIN: Duration = Duration::from_millis(250);
/// How long after one node came back all have: until then none asks for what another may not have brought back.
const ALL_BACK: Duration = Duration::from_millis(750);
/// By how much the server's clock may drift from ours between two answers.
const DRIFT: Duration = Duration::from_secs(5);
/// Windows brought back at once.
const RESTORED_AT_ONCE: usize = 256;

/// The windows that nodes share. Cheap to clone.
#[derive(Clone)]
pub struct Windows(Arc<Inner>);

struct Inner {
    client: Client,
    clock: Clock,
    decide: Script,
    attempt: Script,
    hold: Script,
    restore: Script,
    /// None while the server is away.
    joined: RwLock<Option<Joined>>,
    lost: Notify,
    /// Microseconds by which the server's clock is ahead of our steady one.
    ahead: AtomicI64,
    connections: AtomicU64,
    decided: AtomicU64,
    undecided: AtomicU64,
}

/// A connection, with a number that tells it from those before.
type Joined = (u64, MultiplexedConnection);

impl fmt::Debug for Windows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Windows").finish_non_exhaustive()
    }
}

impl Windows {
    /// On the server at an address, `redis://` or `rediss://`. Whether it answers is seen by [`Windows::keep`].
    ///
    /// # Errors
    /// When that is no address of a server.
    pub fn new(url: &str, clock: Clock) -> Result<Self, String> {
        let client = server::client(url)?;
        Ok(Self(Arc::new(Inner {
            client,
            clock,
            decide: Script::new(concat!(include_str!("log.lua"), include_str!("decide.lua"))),
            attempt: Script::new(concat!(
                include_str!("log.lua"),
                include_str!("attempt.lua")
            )),
            hold: Script::new(include_str!("hold.lua")),
            restore: Script::new(include_str!("restore.lua")),
            joined: RwLock::default(),
            lost: Notify::new(),
            ahead: AtomicI64::new(0),
            connections: AtomicU64::new(0),
            decided: AtomicU64::new(0),
            undecided: AtomicU64::new(0),
        })))
    }

    /// Admits and counts a request, or refuses it, and when; `None` when the node has to decide by itself.
    pub async fn admit(&self, name: &str, limit: u32) -> Option<(Verdict, Timestamp)> {
        let decision = self.decide(name, limit, "admit").await;
        self.tally(decision.is_some());
        decision
    }

    /// Counts a try under a name, or says how long it has to wait, and when; `None` when the node has to decide by itself.
    pub async fn attempt(&self, name: &str, rule: Rule) -> Option<(Duration, Timestamp)> {
        let bounds = rule.bounds();
        let most = bounds.iter().map(|bound| bound.count).max();
        let mut call = self.0.attempt.key(key_of(name));
        call.arg(micros(rule.kept())).arg(most);
        for bound in bounds {
            call.arg(bound.count)
                .arg(bound.newest)
                .arg(micros(bound.age));
        }
        let decision = self.ask::<(i64, u64)>(&call).await;
        self.tally(decision.is_some());
        let (number, (now, wait)) = decision?;
        let now = Timestamp::from_micros(now);
        self.heard(number, now);
        Some((Duration::from_micros(wait), now))
    }

    /// Holds one of so many places under a name for a while, anew where it is held; false when all are held, `None` when nobody knows.
    pub async fn hold(&self, name: &str, who: &str, most: u32, kept: Duration) -> Option<bool> {
        let mut call = self.0.hold.key(key_of(name));
        call.arg(micros(kept)).arg(most).arg(who);
        let (_, is_held) = self.ask::<bool>(&call).await?;
        Some(is_held)
    }

    /// Lets go of a place.
    pub async fn let_go(&self, name: &str, who: &str) {
        let Some((number, mut connection)) = self.read().clone() else {
            return;
        };
        let mut call = redis::cmd("ZREM");
        let asking = call.arg(key_of(name)).arg(who).query_async(&mut connection);
        self.answered::<i64>(number, asking).await;
    }

    /// Forgets everything that counts under a name.
    pub async fn forget(&self, name: &str) {
        let Some((number, mut connection)) = self.read().clone() else {
            return;
        };
        let mut call = redis::cmd("DEL");
        let asking = call.arg(key_of(name)).query_async(&mut connection);
        self.answered::<i64>(number, asking).await;
    }

    /// What a window says now without counting anything; `None` when nobody knows.
    pub async fn look(&self, name: &str, limit: u32) -> Option<Verdict> {
        let decision = self.decide(name, limit, "look").await;
        decision.map(|(verdict, _)| verdict)
    }

    /// Takes back what was admitted at an instant: it turned out not to count.
    pub async fn take_back(&self, name: &str, at: Timestamp) {
        let Some((number, mut connection)) = self.read().clone() else {
            return;
        };
        let mut call = redis::cmd("LREM");
        call.arg(key_of(name)).arg(-1).arg(at.micros());
        let asking = call.query_async(&mut connection);
        self.answered::<i64>(number, asking).await;
    }

    /// The time by the server's clock, as far as is known.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        let ahead = self.0.ahead.load(Relaxed);
        Timestamp::from_micros(self.0.clock.steady().micros().saturating_add(ahead))
    }

    /// Whether the server decides, and how often it did.
    #[must_use]
    pub fn observe(&self) -> SharedWindows {
        SharedWindows {
            answers: self.number().is_some(),
            decided: self.0.decided.load(Relaxed),
            undecided: self.0.undecided.load(Relaxed),
        }
    }

    /// Connects, and looks after the connection for ever. Before the server decides, it is brought what the node admitted without it:
    /// `counted` says that, by a clock that was set by so many microseconds. `tried` hears when a try is over.
    pub async fn keep(self, counted: impl Fn(i64) -> Vec<Counted>, tried: Arc<Notify>) {
        let mut is_told = false;
        loop {
            let joined = self.join(&counted).await;
            tried.notify_one();
            match joined {
                Ok((number, connection)) => {
                    is_told = false;
                    tracing::info!("the limits hold over all nodes together");
                    self.look_after(number, connection).await;
                }
                Err(error) if !is_told => {
                    is_told = true;
                    tracing::warn!(%error, "the server of the shared windows (cluster.url) cannot be reached; this node admits its share of each limit");
                }
                Err(_) => {}
            }
            sleep(AGAIN).await;
        }
    }

    /// Lets the server decide, once it knows what this node admitted.
    async fn join(
        &self,
        counted: &impl Fn(i64) -> Vec<Counted>,
    ) -> Result<(u64, MultiplexedConnection), RedisError> {
        let inner = &*self.0;
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(ANSWERED_WITHIN))
            .set_response_timeout(Some(ANSWERED_WITHIN));
        let opening = inner
            .client
            .get_multiplexed_async_connection_with_config(&config);
        let mut connection = opening.await?;
        let ahead = self.ahead_by(time(&mut connection).await?);
        let set_by = ahead.saturating_sub(inner.ahead.swap(ahead, Relaxed));
        let left = counted(if is_set(set_by) { set_by } else { 0 });
        inner.restore.load_async(&mut connection).await?;
        let number = inner.connections.fetch_add(1, Relaxed);
        if number > 0 || !left.is_empty() {
            self.bring_back(&mut connection, left).await?;
            sleep(ALL_BACK).await;
            // What was admitted while the others came back.
            self.bring_back(&mut connection, counted(0)).await?;
        }
        *self.write() = Some((number, connection.clone()));
        Ok((number, connection))
    }

    async fn bring_back(
        &self,
        connection: &mut MultiplexedConnection,
        counted: Vec<Counted>,
    ) -> Result<(), RedisError> {
        for some in counted.chunks(RESTORED_AT_ONCE) {
            let mut batch = redis::pipe();
            for Counted { name, kept, at } in some {
                batch.cmd("EVALSHA").arg(self.0.restore.get_hash()).arg(1);
                batch.arg(key_of(name)).arg(micros(*kept));
                batch.arg(at.iter().map(|at| at.micros()).collect::<Vec<_>>());
                batch.ignore();
            }
            batch.query_async::<()>(connection).await?;
        }
        Ok(())
    }

    /// Returns when the connection is lost.
    async fn look_after(&self, number: u64, mut connection: MultiplexedConnection) {
        loop {
            tokio::select! {
                () = self.0.lost.notified() => {}
                () = sleep(LOOK) => match time(&mut connection).await {
                    Ok(now) => self.heard(number, now),
                    Err(error) => self.lose(number, &error),
                },
            }
            if self.number() != Some(number) {
                return;
            }
        }
    }

    async fn decide(&self, name: &str, limit: u32, what: &str) -> Option<(Verdict, Timestamp)> {
        let mut call = self.0.decide.key(key_of(name));
        call.arg(micros(WINDOW)).arg(limit).arg(what);
        let (number, (now, admitted, inside, oldest)) =
            self.ask::<(i64, bool, u32, i64)>(&call).await?;
        let (now, oldest) = (Timestamp::from_micros(now), Timestamp::from_micros(oldest));
        self.heard(number, now);
        let verdict = Verdict::of(limit, inside, Some(oldest), now);
        Some((
            Verdict {
                admitted,
                ..verdict
            },
            now,
        ))
    }

    /// What a script answers, and on which connection; `None` while there is none.
    async fn ask<T: FromRedisValue>(&self, call: &ScriptInvocation<'_>) -> Option<(u64, T)> {
        let (number, mut connection) = self.read().clone()?;
        let asking = call.invoke_async::<T>(&mut connection);
        let answer = self.answered(number, asking).await?;
        Some((number, answer))
    }

    /// What was answered in time; else the connection is lost.
    async fn answered<T>(
        &self,
        number: u64,
        asking: impl Future<Output = Result<T, RedisError>>,
    ) -> Option<T> {
        match timeout(DECIDED_WITHIN, asking).await {
            Ok(Ok(answer)) => Some(answer),
            Ok(Err(error)) => {
                self.lose(number, &error);
                None
            }
            Err(late) => {
                self.lose(number, &late);
                None
            }
        }
    }

    fn tally(&self, is_decided: bool) {
        let count = match is_decided {
            true => &self.0.decided,
            false => &self.0.undecided,
        };
        count.fetch_add(1, Relaxed);
    }

    /// Notes what time it is by the server's clock. One that was set is met as a new server is: what is counted here moves with it.
    fn heard(&self, number: u64, now: Timestamp) {
        let ahead = self.ahead_by(now);
        if is_set(ahead.saturating_sub(self.0.ahead.load(Relaxed))) {
            self.lose(number, &"its clock was set");
        } else {
            self.0.ahead.store(ahead, Relaxed);
        }
    }

    fn ahead_by(&self, now: Timestamp) -> i64 {
        let steady = self.0.clock.steady();
        now.micros().saturating_sub(steady.micros())
    }

    /// From now on nobody asks the server, until it is joined again.
    fn lose(&self, number: u64, why: &dyn fmt::Display) {
        let mut place = self.write();
        if place.as_ref().is_some_and(|(held, _)| *held == number) {
            *place = None;
            tracing::warn!(error = %why, "the server of the shared windows (cluster.url) is lost; this node admits its share of each limit");
            self.0.lost.notify_one();
        }
    }

    fn number(&self) -> Option<u64> {
        self.read().as_ref().map(|(number, _)| *number)
    }

    fn read(&self) -> RwLockReadGuard<'_, Option<Joined>> {
        let joined = &self.0.joined;
        joined.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Option<Joined>> {
        let joined = &self.0.joined;
        joined.write().unwrap_or_else(PoisonError::into_inner)
    }
}

fn key_of(name: &str) -> String {
    format!("{PREFIX}{name}")
}

fn micros(span: Duration) -> u64 {
    u64::try_from(span.as_micros()).unwrap_or(u64::MAX)
}

/// Whether a clock was set by so many microseconds, and did not only drift.
fn is_set(micros: i64) -> bool {
    Duration::from_micros(micros.unsigned_abs()) > DRIFT
}

async fn time(connection: &mut MultiplexedConnection) -> Result<Timestamp, RedisError> {
    let (seconds, micros): (i64, i64) = redis::cmd("TIME").query_async(connection).await?;
    let whole = seconds.saturating_mul(1_000_000);
    Ok(Timestamp::from_micros(whole.saturating_add(micros)))
}
