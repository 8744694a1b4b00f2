//! Owns a node's presence on its database: whether others are at work there, and that others can tell that it is.
//!
//! On PostgreSQL each node holds one advisory lock together with the others, on a connection of its own. Who gets that lock for itself
//! is alone, and so is whoever opened a SQLite file, of which a service has the lock.
//!
//! That connection bears the node's name and how it is doing, so that operators of any node see all that are at work.
//!
//! Leases and deadlines are written and compared by nodes whose clocks may differ, so all of them go by the database's.

use crate::domain::clock::{Clock, Timestamp};
use crate::domain::vitals::Standing;
use crate::store::connection::{Database, Store};
use crate::store::model::StoreError;
use crate::store::pg::Conn;
use crate::store::pg_pool::Postgres;
use crate::telemetry::lasting::lasting;
use diesel::sql_types::{BigInt, Bool, Text};
use diesel::{QueryableByName, sql_query};
use diesel_async::RunQueryDsl;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicI64, AtomicU32};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, oneshot};

/// The advisory lock of all nodes on a database: the bytes of "skilkiln".
const LOCK: i64 = i64::from_be_bytes(*b"skilkiln");
/// How often a node looks whether its lock still stands, and how many hold it; a server that was restarted has forgotten it.
const LOOK: Duration = Duration::from_secs(1);
/// How often the lock is asked for, a little apart, before another node counts as alive: a process that was killed holds it for some
/// milliseconds more.
const ASKED: u32 = 5;
/// See [`ASKED`].
const APART: Duration = Duration::from_millis(200);

/// Lets go of the lock that this node has for itself; the one that it holds with others stays.
const UNLOCK: &str = "SELECT pg_advisory_unlock($1) AS got";
/// Whether somebody may be at work on a run.
const IS_AT_WORK: &str = "SELECT EXISTS (SELECT FROM generations WHERE ordinal = 0 AND completed_at IS NULL AND $1 = $1) AS got";

/// How old a server is before a lock that nobody holds says that nobody lives: those who live have found it again by then, and have
/// renewed their leases.
const SETTLED: Duration = Duration::from_secs(8);
/// By how much the database's time is off, however long its answer took, before ours follows.
const FOLLOWED: Duration = Duration::from_millis(250);

/// How many hold the lock with others, the nodes at work; what time it is there, and for how long the server has been up.
const LOOK_AT: &str = "SELECT set_config('application_name', $2, false) IS NOT NULL AS named, count(*) AS count, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS now, \
    (extract(epoch FROM clock_timestamp() - pg_postmaster_start_time()) * 1000000)::bigint AS up FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock' AND granted \
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) \
    AND (classid::bigint << 32) + objid::bigint = $1";
/// The names of those that hold the lock with others, as they gave them.
const NAMES: &str = "SELECT coalesce(string_agg(DISTINCT application_name, chr(10)), '') AS names FROM pg_locks JOIN pg_stat_activity USING (pid) \
    WHERE locktype = 'advisory' AND mode = 'ShareLock' AND granted AND (classid::bigint << 32) + objid::bigint = $1 AND datname = current_database()";

/// The nodes at work on a database, as they were seen last. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Nodes(Arc<Seen>);

#[derive(Debug, Default)]
struct Seen {
    count: AtomicU32,
    names: Mutex<Vec<Name>>,
}

impl Nodes {
    /// At least one: this node.
    #[must_use]
    pub fn count(&self) -> u32 {
        AtomicU32::load(&self.0.count, Relaxed).max(1)
    }

    /// Those on the database, this one among them; none where a node is always alone.
    #[must_use]
    pub fn names(&self) -> Vec<Name> {
        let names = self.0.names.lock();
        names.unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The nodes beside this one, as they were seen last. Cheap to clone; by default there are none.
#[derive(Debug, Clone, Default)]
pub struct Others {
    nodes: Nodes,
    own: String,
    /// The role of those that carry out no runs.
    idle: &'static str,
}

impl Others {
    /// Whether any of them carries out runs and takes new ones.
    #[must_use]
    pub fn are_at_work(&self) -> bool {
        let names = self.nodes.0.names.lock();
        let names = names.unwrap_or_else(PoisonError::into_inner);
        names.iter().any(|name| {
            name.id != self.own && name.role != self.idle && name.standing == Standing::Working
        })
    }
}

/// What this node says of itself, until it says something else. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Says(Arc<Saying>);

#[derive(Debug)]
struct Saying {
    name: Mutex<Name>,
    changed: Notify,
}

impl Says {
    fn new(name: Name) -> Self {
        Self(Arc::new(Saying {
            name: Mutex::new(name),
            changed: Notify::new(),
        }))
    }

    /// What it says now.
    #[must_use]
    pub fn name(&self) -> Name {
        let name = self.0.name.lock();
        name.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Says how it is doing, with the next look of the others.
    pub fn doing(&self, cores: f64, held: u64) {
        let name = self.0.name.lock();
        let mut name = name.unwrap_or_else(PoisonError::into_inner);
        (name.centicores, name.held) = ((cores * 100.0) as u32, held);
    }

    /// Says at once whether it takes new work. A node that leaves leaves.
    pub fn stand(&self, standing: Standing) {
        let name = self.0.name.lock();
        let mut name = name.unwrap_or_else(PoisonError::into_inner);
        if name.standing != Standing::Leaving {
            name.standing = standing;
        }
        drop(name);
        self.0.changed.notify_one();
    }
}

/// What a node says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The beginning of its identity.
    pub id: String,
    /// Of the program.
    pub version: String,
    /// What it does of the work.
    pub role: String,
    /// When it started.
    pub started_at: Timestamp,
    /// Whether it takes new work.
    pub standing: Standing,
    /// Hundredths of cores that it kept busy lately.
    pub centicores: u32,
    /// Runs that are held there.
    pub held: u64,
}

impl Name {
    /// As a connection bears it; PostgreSQL takes 63 bytes.
    fn written(&self) -> String {
        let started_s = self.started_at.micros() / MICROS_PER_S;
        let Self {
            id, version, role, ..
        } = self;
        let (standing, centicores, held) = (self.standing as u8, self.centicores, self.held);
        format!("skillkiln {version} {role} {id} {started_s} {standing} {centicores} {held}")
    }

    /// Reads what [`Name::written`] wrote.
    fn read(text: &str) -> Option<Self> {
        let mut words = text
            .strip_prefix("skillkiln ")?
            .split(' ')
            .map(str::to_owned);
        let (version, role, id) = (words.next()?, words.next()?, words.next()?);
        let mut number = || words.next()?.parse::<i64>().ok();
        let started_s = number()?;
        let standing = number().and_then(|at| Standing::ALL.get(usize::try_from(at).ok()?));
        Some(Self {
            id,
            version,
            role,
            started_at: Timestamp::from_micros(started_s.saturating_mul(MICROS_PER_S)),
            standing: standing.copied().unwrap_or_default(),
            centicores: number().and_then(|it| it.try_into().ok()).unwrap_or(0),
            held: number().and_then(|it| it.try_into().ok()).unwrap_or(0),
        })
    }
}

const MICROS_PER_S: i64 = 1_000_000;

/// A node at work on a database, until it is dropped.
#[derive(Debug)]
pub struct Presence {
    is_alone: bool,
    nodes: Nodes,
    says: Says,
    /// By how much the database's clock is ahead of our steady one; none where there is no other than ours.
    ahead: Option<Arc<AtomicI64>>,
    /// Tells the keeper of the lock that others may come.
    others: Option<oneshot::Sender<()>>,
    /// Ends the keeper when it is dropped.
    _until: Option<oneshot::Sender<()>>,
}

#[derive(QueryableByName)]
struct Got {
    #[diesel(sql_type = Bool)]
    got: bool,
}

#[derive(QueryableByName)]
struct Named {
    #[diesel(sql_type = Text)]
    names: String,
}

#[derive(QueryableByName)]
struct Look {
    #[diesel(sql_type = BigInt)]
    count: i64,
    #[diesel(sql_type = BigInt)]
    now: i64,
    #[diesel(sql_type = BigInt)]
    up: i64,
}

impl Store {
    /// Announces this node to the others on its database. While the answer says that it is alone, whoever comes waits until
    /// [`Presence::let_others_in`].
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the database does not answer.
    pub async fn attend(&self, clock: &Clock, name: Name) -> Result<Presence, StoreError> {
        match &self.0 {
            Database::Sqlite(_) => Ok(Presence {
                is_alone: true,
                nodes: Nodes::default(),
                says: Says::new(name),
                ahead: None,
                others: None,
                _until: None,
            }),
            Database::Postgres(postgres) => attend(postgres.clone(), clock.clone(), name).await,
        }
    }
}

impl Presence {
    /// Whether no other node was at work when this one came.
    #[must_use]
    pub fn is_alone(&self) -> bool {
        self.is_alone
    }

    /// How many nodes are at work.
    #[must_use]
    pub fn nodes(&self) -> Nodes {
        self.nodes.clone()
    }

    /// Those beside this one, of which those of one role carry out no runs.
    #[must_use]
    pub fn others(&self, idle: &'static str) -> Others {
        Others {
            nodes: self.nodes.clone(),
            own: self.says.name().id,
            idle,
        }
    }

    /// What this node says of itself.
    #[must_use]
    pub fn says(&self) -> Says {
        self.says.clone()
    }

    /// The clock that all nodes on the database go by.
    #[must_use]
    pub fn clock(&self, own: &Clock) -> Clock {
        match &self.ahead {
            Some(ahead) => own.following(Arc::clone(ahead)),
            None => own.clone(),
        }
    }

    /// Others that start may go on now.
    pub fn let_others_in(&mut self) {
        drop(self.others.take());
    }
}

async fn attend(postgres: Postgres, clock: Clock, name: Name) -> Result<Presence, StoreError> {
    let (told, answer) = oneshot::channel();
    let (others, may_come) = oneshot::channel();
    let (until, ended) = oneshot::channel();
    let keeper = postgres.clone();
    let watch = Watch {
        nodes: Nodes::default(),
        says: Says::new(name),
        ahead: Arc::default(),
        clock,
    };
    let (nodes, says) = (watch.nodes.clone(), watch.says.clone());
    let ahead = Some(Arc::clone(&watch.ahead));
    postgres.begin(async move {
        let (mut conn, is_alone) = match enter(&keeper, &watch).await {
            Ok(entered) => entered,
            Err(error) => {
                let _ = told.send(Err(error));
                return;
            }
        };
        if told.send(Ok(is_alone)).is_err() {
            return;
        }
        // Whoever drops the other end lets them in as well.
        let _ = may_come.await;
        let is_free = !is_alone || statement(&mut conn, UNLOCK).await.is_ok();
        // A connection that breaks has let go of the lock.
        let mut conn = is_free.then_some(conn);
        tokio::select! {
            _ = ended => {}
            () = lasting("presence", || keep(&keeper, conn.take(), &watch)) => {}
        }
    });
    let gone = |_| StoreError::Unavailable("the database's runtime ended".to_owned());
    Ok(Presence {
        is_alone: answer.await.map_err(gone)??,
        nodes,
        says,
        ahead,
        others: Some(others),
        _until: Some(until),
    })
}

/// What is seen of the database with each look.
struct Watch {
    nodes: Nodes,
    says: Says,
    ahead: Arc<AtomicI64>,
    clock: Clock,
}

impl Watch {
    /// Looks, and answers for how long the server has been up.
    async fn look(&self, conn: &mut Conn) -> Result<Duration, StoreError> {
        let asked = self.clock.steady();
        let seen: Look = sql_query(LOOK_AT)
            .bind::<BigInt, _>(LOCK)
            .bind::<Text, _>(self.says.name().written())
            .get_result(conn)
            .await?;
        let answered = self.clock.steady();
        let known = AtomicI64::load(&self.ahead, Relaxed);
        if let Some(ahead) = followed(known, seen.now, (asked, answered)) {
            AtomicI64::store(&self.ahead, ahead, Relaxed);
        }
        let named: Named = sql_query(NAMES)
            .bind::<BigInt, _>(LOCK)
            .get_result(conn)
            .await?;
        let Seen { count, names } = &*self.nodes.0;
        AtomicU32::store(count, u32::try_from(seen.count).unwrap_or(1), Relaxed);
        *names.lock().unwrap_or_else(PoisonError::into_inner) =
            named.names.lines().filter_map(Name::read).collect();
        Ok(Duration::from_micros(u64::try_from(seen.up).unwrap_or(0)))
    }
}

/// By how much the database's clock is ahead, where that is not what was `known`: it said `there` at some moment between a question and its
/// answer. An answer that took long says little and changes nothing; taken for a clock that was set, it would keep a busy node from taking up
/// what a dead one held.
fn followed(known: i64, there: i64, (asked, answered): (Timestamp, Timestamp)) -> Option<i64> {
    let least = there.saturating_sub(answered.micros());
    let most = there.saturating_sub(asked.micros()).max(least);
    let nearest = known.clamp(least, most);
    let off = Duration::from_micros(known.abs_diff(nearest));
    (off >= FOLLOWED).then_some(nearest)
}

/// A connection that holds the lock with others, and for itself as well where nobody else holds it.
async fn enter(postgres: &Postgres, watch: &Watch) -> Result<(Conn, bool), StoreError> {
    let mut conn = postgres.own_connection().await?;
    let young = SETTLED.saturating_sub(watch.look(&mut conn).await?);
    if !young.is_zero() && statement(&mut conn, IS_AT_WORK).await? {
        tracing::info!(
            "the database was started just now; other nodes get a moment to find it again"
        );
        tokio::time::sleep(young).await;
    }
    let mut is_alone = false;
    for asked in 0..ASKED {
        if asked > 0 {
            tokio::time::sleep(APART).await;
        }
        is_alone = statement(&mut conn, "SELECT pg_try_advisory_lock($1) AS got").await?;
        if is_alone {
            break;
        }
    }
    share(&mut conn).await?;
    Ok((conn, is_alone))
}

/// Waits for a node that is alone and not done with it.
async fn share(conn: &mut Conn) -> Result<(), StoreError> {
    let shared = "SELECT pg_advisory_lock_shared($1) IS NOT NULL AS got";
    statement(conn, shared).await.map(|_| ())
}

/// Looks after the lock for ever.
async fn keep(postgres: &Postgres, mut conn: Option<Conn>, watch: &Watch) {
    loop {
        let stands = match &mut conn {
            Some(conn) => watch.look(conn).await.is_ok(),
            None => false,
        };
        if !stands {
            conn = again(postgres).await;
        }
        tokio::select! {
            () = tokio::time::sleep(LOOK) => {}
            () = watch.says.0.changed.notified() => {}
        }
    }
}

async fn again(postgres: &Postgres) -> Option<Conn> {
    let mut conn = postgres.own_connection().await.ok()?;
    share(&mut conn).await.ok()?;
    Some(conn)
}

async fn statement(conn: &mut Conn, text: &str) -> Result<bool, StoreError> {
    let got: Got = sql_query(text)
        .bind::<BigInt, _>(LOCK)
        .get_result(conn)
        .await?;
    Ok(got.got)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_took_long_is_no_clock_that_was_set() {
        const S: i64 = 1_000_000;
        let asked = |at: i64, took: i64| {
            let at = Timestamp::from_micros(at * S);
            (at, at.plus(Duration::from_secs(took.unsigned_abs())))
        };
        // Ours says 100 when theirs says 150.
        let known = 50 * S;
        for took in [0, 1, 30] {
            assert_eq!(followed(known, 150 * S, asked(100, took)), None);
            let there = (150 + took) * S;
            assert_eq!(followed(known, there, asked(100, took)), None);
        }
        assert_eq!(followed(known, 150 * S + S / 5, asked(100, 0)), None);
        // Set, by more than an answer explains.
        for by in [-3_600, -2, 2, 3_600] {
            let there = (150 + by) * S;
            assert_eq!(followed(known, there, asked(100, 0)), Some((50 + by) * S));
        }
        assert_eq!(followed(known, 155 * S, asked(100, 1)), Some(54 * S));
    }
}
