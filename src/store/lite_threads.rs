//! Owns SQLite's threads: one that writes, a few that read and one that tidies, each with a connection of its own.
//!
//! Callers run on single-threaded runtimes, where a blocking database call would stall everybody. A call is sent to a thread
//! and runs there to its end, whether or not its caller still waits. The queue has no bound of its own: each caller has at
//! most one call in it, and callers are bounded above us.
//!
//! What was committed is carried from the log into the database (a checkpoint) on the thread that tidies, while the next commits go
//! on. Once all of it is there and nobody reads from the log, it begins anew by itself. Where commits or reads never pause it
//! grows, until the writer makes a pause: it carries over the little that is left, and waits a moment for those who still read from the log.

use crate::store::lite::Conn;
use crate::store::model::StoreError;
use crate::telemetry::database::Calls;
use diesel::sql_types::{BigInt, Text};
use diesel::{QueryableByName, sql_query};
use diesel_async::{AsyncConnection, RunQueryDsl as _, SimpleAsyncConnection};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::oneshot;

const READERS: usize = 2;
/// Every so many calls that write, it is looked how long the log is.
const TIDIED_EVERY: usize = 16;
/// Pages in the log that are worth a checkpoint.
const LOG_PAGES: i64 = 2_000;
/// Pages in the log, 64 MiB, at which the writer makes a pause so that it can begin anew.
const LOG_PAGES_MAX: i64 = 16_000;
/// How long the writer waits then for those who read. It waits twice as long with each further 16 MiB: whatever is read, the log
/// ends soon after it, and those who wait to write seldom notice.
const PATIENCE: Duration = Duration::from_millis(5);
const PATIENCE_PAGES: i64 = 4_000;
const PATIENCE_MAX: Duration = Duration::from_secs(2);
/// How long a statement waits for a program beside this one, in milliseconds.
pub(crate) const BUSY_MS: u32 = 5_000;
/// In older ones a checkpoint beside a writer may lose a commit.
const VERSION_MIN: [u32; 3] = [3, 51, 3];

/// A call. It says whether the connection is still sound afterwards.
type Call = Box<dyn FnOnce(&mut Conn) -> bool + Send>;

/// What a thread is sent.
enum Message {
    Call(Call),
    /// The thread closes its connection and ends.
    End,
}

/// The way to the threads; they end when they are told to, or when the last clone is dropped and their queues are empty.
#[derive(Clone)]
pub(crate) struct Threads {
    writer: Way,
    readers: Way,
    tidier: Way,
    written: Arc<AtomicUsize>,
    is_tidying: Arc<AtomicBool>,
    figures: Arc<Calls>,
}

/// The way to the threads of one kind, which share its queue: a slow call holds up one of them only.
#[derive(Clone)]
struct Way {
    queue: mpsc::Sender<Message>,
    threads: Arc<Mutex<Vec<JoinHandle<()>>>>,
}

impl Threads {
    /// How many there are.
    pub(crate) const COUNT: usize = 2 + READERS;

    /// What is counted about their calls.
    pub(crate) fn figures(&self) -> &Calls {
        &self.figures
    }

    /// Opens the connections and starts their threads.
    pub(crate) fn start(path: &str, pragmas: &str) -> Result<Self, StoreError> {
        Ok(Self {
            writer: Way::start("sqlite-writer", 1, path, pragmas)?,
            readers: Way::start("sqlite-reader", READERS, path, pragmas)?,
            tidier: Way::start("sqlite-tidier", 1, path, pragmas)?,
            written: Arc::default(),
            is_tidying: Arc::default(),
            figures: Arc::default(),
        })
    }

    /// Ends the threads once they have done what was asked so far, and blocks until they have. The one that writes is the last: whoever
    /// closes a database last, and alone, takes its log away.
    pub(crate) fn end(&self) {
        for way in [&self.readers, &self.tidier, &self.writer] {
            way.end();
        }
    }

    /// Runs a query function on the thread that writes.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        query: impl for<'c> FnOnce(&'c mut Conn) -> BoxFuture<'c, Result<T, StoreError>>
        + Send
        + 'static,
    ) -> Result<T, StoreError> {
        let outcome = run(&self.writer, &self.figures, query).await;
        self.tidy();
        outcome
    }

    /// Sees to the log now and then; nobody waits for it.
    fn tidy(&self) {
        let is_time = self.written.fetch_add(1, Relaxed) % TIDIED_EVERY == TIDIED_EVERY - 1;
        if !is_time || self.is_tidying.swap(true, SeqCst) {
            return;
        }
        let tidying = Tidying(Arc::clone(&self.is_tidying));
        let writer = self.writer.clone();
        self.tidier.send(move |conn| {
            match carry_over(conn).now_or_never() {
                Some(Ok(log)) if log.log >= LOG_PAGES_MAX => {
                    writer.send(move |conn| {
                        report(begin_anew(conn, patience(log.log)).now_or_never());
                        drop(tidying);
                        true
                    });
                }
                carried => report(carried),
            }
            true
        });
    }

    /// Runs a query function on a thread that reads.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        query: impl for<'c> FnOnce(&'c mut Conn) -> BoxFuture<'c, Result<T, StoreError>>
        + Send
        + 'static,
    ) -> Result<T, StoreError> {
        run(&self.readers, &self.figures, query).await
    }
}

/// That the log is seen to. Over when it is dropped, whether or not the thread came to it.
struct Tidying(Arc<AtomicBool>);

impl Drop for Tidying {
    fn drop(&mut self) {
        self.0.store(false, SeqCst);
    }
}

async fn run<T: Send + 'static>(
    way: &Way,
    figures: &Arc<Calls>,
    query: impl for<'c> FnOnce(&'c mut Conn) -> BoxFuture<'c, Result<T, StoreError>> + Send + 'static,
) -> Result<T, StoreError> {
    let (answer, answered) = oneshot::channel();
    let mut counted = figures.enqueue();
    way.send(move |conn| {
        counted.begin();
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            query(conn)
                .now_or_never()
                .expect("futures of an inline connection never wait")
        }));
        let sound = outcome.is_ok();
        let outcome =
            outcome.unwrap_or_else(|_| Err(StoreError::Broken("a query panicked".to_owned())));
        drop(counted);
        // Nobody waits any more: what was written stays written.
        drop(answer.send(outcome));
        sound
    });
    answered.await.unwrap_or_else(|_| {
        Err(StoreError::Unavailable(
            "the database's thread ended".to_owned(),
        ))
    })
}

/// What SQLite says of its log: how many pages it has, and how many of them were carried over.
#[derive(Debug, QueryableByName)]
struct Log {
    #[diesel(sql_type = BigInt)]
    log: i64,
    #[diesel(sql_type = BigInt)]
    checkpointed: i64,
}

async fn checkpoint(conn: &mut Conn, how: &str) -> Result<Log, StoreError> {
    let asked = sql_query(format!("PRAGMA wal_checkpoint({how})"));
    Ok(asked.get_result(conn).await?)
}

/// Carries what was committed into the database, when there is enough of it.
async fn carry_over(conn: &mut Conn) -> Result<Log, StoreError> {
    let asked = checkpoint(conn, "NOOP").await?;
    if asked.log - asked.checkpointed < LOG_PAGES {
        return Ok(asked);
    }
    checkpoint(conn, "PASSIVE").await
}

/// Carries over what is left, and waits so long for those who read from the log: then the next commit begins it anew.
async fn begin_anew(conn: &mut Conn, patience: Duration) -> Result<Log, StoreError> {
    let wait = format!("PRAGMA busy_timeout = {}", patience.as_millis());
    conn.batch_execute(&wait).await?;
    let outcome = checkpoint(conn, "RESTART").await;
    conn.batch_execute(&format!("PRAGMA busy_timeout = {BUSY_MS}"))
        .await?;
    outcome
}

/// How long the writer may wait for those who read from a log of so many pages.
fn patience(pages: i64) -> Duration {
    let times = (pages - LOG_PAGES_MAX) / PATIENCE_PAGES;
    let times = u32::try_from(times.clamp(0, 16)).unwrap_or(0);
    (PATIENCE * 2_u32.pow(times)).min(PATIENCE_MAX)
}

fn report(seen_to: Option<Result<Log, StoreError>>) {
    if let Some(Err(error)) = seen_to {
        tracing::warn!(%error, "what was committed stays in the database's log for now");
    }
}

impl Way {
    /// Opens so many connections and starts a thread for each.
    fn start(name: &str, count: usize, path: &str, pragmas: &str) -> Result<Self, StoreError> {
        let (queue, receiver) = mpsc::channel();
        let receiver = Arc::new(Mutex::new(receiver));
        let start = |_| {
            let (path, pragmas, receiver) =
                (path.to_owned(), pragmas.to_owned(), Arc::clone(&receiver));
            let conn = open(&path, &pragmas)?;
            std::thread::Builder::new()
                .name(name.to_owned())
                .spawn(move || serve(&receiver, conn, || open(&path, &pragmas)))
                .map_err(|error| StoreError::Unavailable(format!("cannot start a thread: {error}")))
        };
        let threads = (0..count).map(start).collect::<Result<_, _>>()?;
        Ok(Self {
            queue,
            threads: Arc::new(Mutex::new(threads)),
        })
    }

    /// Sends a call; once the threads have ended it is dropped.
    fn send(&self, call: impl FnOnce(&mut Conn) -> bool + Send + 'static) {
        let _ = self.queue.send(Message::Call(Box::new(call)));
    }

    fn end(&self) {
        let threads =
            std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        for _ in &threads {
            let _ = self.queue.send(Message::End);
        }
        for thread in threads {
            let _ = thread.join();
        }
    }
}

/// Does what a thread is sent, until it is told to end or nobody can send any more.
fn serve(
    receiver: &Mutex<mpsc::Receiver<Message>>,
    first: Conn,
    again: impl Fn() -> Result<Conn, StoreError>,
) {
    let mut conn = Some(first);
    loop {
        let next = receiver
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .recv();
        let Ok(Message::Call(call)) = next else {
            return;
        };
        // After a panic the connection may hold a transaction open; closing it rolls back. When it cannot be opened again, the call is
        // dropped unanswered, which its caller reads as unavailable.
        if conn.is_none() {
            conn = again().ok();
        }
        if let Some(usable) = conn.as_mut()
            && !call(usable)
        {
            conn = None;
        }
    }
}

fn open(path: &str, pragmas: &str) -> Result<Conn, StoreError> {
    let opening = async {
        let mut conn = Conn::establish(path)
            .await
            .map_err(|error| StoreError::Unavailable(format!("cannot open {path}: {error}")))?;
        conn.batch_execute(pragmas).await?;
        let asked = sql_query("SELECT sqlite_version() AS number");
        let version: Version = asked.get_result(&mut conn).await?;
        version.suffices()?;
        Ok(conn)
    };
    opening
        .now_or_never()
        .expect("futures of an inline connection never wait")
}

#[derive(QueryableByName)]
struct Version {
    #[diesel(sql_type = Text)]
    number: String,
}

impl Version {
    fn suffices(&self) -> Result<(), StoreError> {
        let parts = self.number.split('.').map(str::parse);
        let parts: Vec<u32> = parts.collect::<Result<_, _>>().unwrap_or_default();
        if parts.as_slice() >= VERSION_MIN.as_slice() {
            return Ok(());
        }
        Err(StoreError::Broken(format!(
            "SQLite {} may lose what is written while its log is carried over; this needs 3.51.3 or newer",
            self.number
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRAGMAS: &str =
        "PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;";

    /// Writes so many pages in one transaction.
    async fn write(threads: &Threads, pages: usize) {
        let sql = format!(
            "CREATE TABLE IF NOT EXISTS t (b BLOB); INSERT INTO t VALUES (zeroblob({}))",
            pages * 4_096
        );
        let written = threads.write(move |conn| {
            Box::pin(async move { Ok::<_, StoreError>(conn.batch_execute(&sql).await?) })
        });
        written.await.unwrap();
    }

    /// The log, once those who see to it have done what they were asked so far.
    async fn log(threads: &Threads) -> Log {
        for thread in [&threads.tidier, &threads.writer] {
            let asked = run(thread, &threads.figures, |conn| {
                Box::pin(checkpoint(conn, "NOOP"))
            });
            asked.await.unwrap();
        }
        let asked = run(&threads.tidier, &threads.figures, |conn| {
            Box::pin(checkpoint(conn, "NOOP"))
        });
        asked.await.unwrap()
    }

    fn threads_in(folder: &tempfile::TempDir) -> (Threads, String) {
        let path = folder.path().join("t.db").display().to_string();
        (Threads::start(&path, PRAGMAS).unwrap(), path)
    }

    #[tokio::test]
    async fn what_was_committed_is_carried_into_the_database_beside_the_writer() {
        let folder = tempfile::tempdir().unwrap();
        let (threads, _) = threads_in(&folder);
        for _ in 1..TIDIED_EVERY {
            write(&threads, 200).await;
        }
        let before = log(&threads).await;
        assert!(before.log > LOG_PAGES && before.checkpointed == 0);
        write(&threads, 200).await;
        let after = log(&threads).await;
        assert_eq!(after.checkpointed, after.log);
        for _ in 0..TIDIED_EVERY {
            write(&threads, 1).await;
        }
        let short = log(&threads).await;
        assert!(
            short.log > 0 && short.checkpointed == 0,
            "the log began anew"
        );
    }

    /// Somebody who reads what is there now until told otherwise.
    fn reader(path: &str) -> Conn {
        let mut conn = open(path, PRAGMAS).unwrap();
        let begun = conn.batch_execute("BEGIN; SELECT count(*) FROM t");
        begun.now_or_never().unwrap().unwrap();
        conn
    }

    #[tokio::test]
    async fn the_log_begins_anew_although_readers_overlap_without_a_pause() {
        let folder = tempfile::tempdir().unwrap();
        let (threads, path) = threads_in(&folder);
        write(&threads, 1).await;
        let is_over = Arc::new(AtomicBool::new(false));
        let (first, until) = (reader(&path), Arc::clone(&is_over));
        let reading = std::thread::spawn(move || {
            let mut held = first;
            while !AtomicBool::load(&until, SeqCst) {
                let next = reader(&path);
                drop(std::mem::replace(&mut held, next));
            }
        });
        let mut longest = 0;
        for _ in 0..12 {
            for _ in 0..TIDIED_EVERY {
                write(&threads, 400).await;
            }
            longest = longest.max(log(&threads).await.log);
        }
        is_over.store(true, SeqCst);
        reading.join().unwrap();
        let written = 12 * 16 * 400;
        assert!(longest < written / 2, "{longest} of {written} pages");
    }

    #[test]
    fn the_writer_waits_the_longer_for_readers_the_longer_the_log_is() {
        let waits =
            [0, 16_000, 19_999, 20_000, 48_000, 1 << 40].map(|pages| patience(pages).as_millis());
        assert_eq!(waits, [5, 5, 5, 10, 1_280, 2_000]);
    }

    #[test]
    fn an_sqlite_that_may_lose_commits_is_refused() {
        let suffices = |number: &str| {
            let version = Version {
                number: number.to_owned(),
            };
            version.suffices().is_ok()
        };
        for number in ["3.51.3", "3.53.0", "3.60.0.1", "4.0.0"] {
            assert!(suffices(number), "{number}");
        }
        for number in ["3.51.2", "3.9.20", "3.46.1", "?", ""] {
            assert!(!suffices(number), "{number}");
        }
    }
}
