//! Owns SQLite's threads: one that writes, a few that read and one that tidies, each with a connection of its own.
//!
//! Callers run on single-threaded runtimes, where a blocking database call would stall everybody. A call is sent to a thread
//! and runs there to its end, whether or not its caller still waits. The queue has no bound of its own: each caller has at
//! most one call in it, and callers are bounded above us.
//!
//! What was committed is carried from the log into the database (a checkpoint) on the thread that tidies, while the next commits go
//! on. Only where they never pause does the log grow to the bound at which the writer carries over the little that is left.

use crate::store::lite::Conn;
use crate::store::model::StoreError;
use crate::telemetry::database::Calls;
use diesel::sql_types::BigInt;
use diesel::{QueryableByName, sql_query};
use diesel_async::{AsyncConnection, RunQueryDsl as _, SimpleAsyncConnection};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use tokio::sync::oneshot;

const READERS: usize = 2;
/// Every so many calls that write, it is looked how long the log is.
const TIDIED_EVERY: usize = 16;
/// Pages in the log that are worth a checkpoint.
const LOG_PAGES: i64 = 2_000;

/// A call. It says whether the connection is still sound afterwards.
type Call = Box<dyn FnOnce(&mut Conn) -> bool + Send>;

/// The way to the threads; they end when the last clone is dropped and their queues are empty.
#[derive(Clone)]
pub(crate) struct Threads {
    writer: mpsc::Sender<Call>,
    readers: mpsc::Sender<Call>,
    tidier: mpsc::Sender<Call>,
    written: Arc<AtomicUsize>,
    is_tidying: Arc<AtomicBool>,
    figures: Arc<Calls>,
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
            writer: threads("sqlite-writer", 1, path, pragmas)?,
            readers: threads("sqlite-reader", READERS, path, pragmas)?,
            tidier: threads("sqlite-tidier", 1, path, pragmas)?,
            written: Arc::default(),
            is_tidying: Arc::default(),
            figures: Arc::default(),
        })
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
        let _ = self.tidier.send(Box::new(move |conn| {
            if let Some(Err(error)) = carry_over(conn).now_or_never() {
                tracing::warn!(%error, "what was committed stays in the database's log for now");
            }
            drop(tidying);
            true
        }));
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
    thread: &mpsc::Sender<Call>,
    figures: &Arc<Calls>,
    query: impl for<'c> FnOnce(&'c mut Conn) -> BoxFuture<'c, Result<T, StoreError>> + Send + 'static,
) -> Result<T, StoreError> {
    let (answer, answered) = oneshot::channel();
    let mut counted = figures.enqueue();
    let call: Call = Box::new(move |conn| {
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
    thread
        .send(call)
        .map_err(|_| StoreError::Unavailable("the database's thread ended".to_owned()))?;
    answered.await.unwrap_or_else(|_| {
        Err(StoreError::Unavailable(
            "the database's thread ended".to_owned(),
        ))
    })
}

/// What SQLite says of its log: how many pages it has, and how many of them were carried over.
#[derive(QueryableByName)]
struct Log {
    #[diesel(sql_type = BigInt)]
    log: i64,
    #[diesel(sql_type = BigInt)]
    checkpointed: i64,
}

async fn look(conn: &mut Conn) -> Result<Log, StoreError> {
    let asked = sql_query("PRAGMA wal_checkpoint(NOOP)");
    Ok(asked.get_result(conn).await?)
}

/// Carries what was committed into the database, when there is enough of it.
async fn carry_over(conn: &mut Conn) -> Result<(), StoreError> {
    let asked = look(conn).await?;
    if asked.log - asked.checkpointed >= LOG_PAGES {
        conn.batch_execute("PRAGMA wal_checkpoint(PASSIVE)").await?;
    }
    Ok(())
}

/// Threads that share one queue: a slow call holds up one of them only.
fn threads(
    name: &str,
    count: usize,
    path: &str,
    pragmas: &str,
) -> Result<mpsc::Sender<Call>, StoreError> {
    let (sender, receiver) = mpsc::channel::<Call>();
    let receiver = Arc::new(Mutex::new(receiver));
    for _ in 0..count {
        let (path, pragmas, receiver) =
            (path.to_owned(), pragmas.to_owned(), Arc::clone(&receiver));
        let first = open(&path, &pragmas)?;
        std::thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || {
                let mut conn = Some(first);
                loop {
                    let next = receiver
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .recv();
                    let Ok(call) = next else { return };
                    // After a panic the connection may hold a transaction open; closing it rolls back. When it cannot be
                    // opened again, the call is dropped unanswered, which its caller reads as unavailable.
                    if conn.is_none() {
                        conn = open(&path, &pragmas).ok();
                    }
                    if let Some(usable) = conn.as_mut()
                        && !call(usable)
                    {
                        conn = None;
                    }
                }
            })
            .map_err(|error| StoreError::Unavailable(format!("cannot start a thread: {error}")))?;
    }
    Ok(sender)
}

fn open(path: &str, pragmas: &str) -> Result<Conn, StoreError> {
    let opening = async {
        let mut conn = Conn::establish(path)
            .await
            .map_err(|error| StoreError::Unavailable(format!("cannot open {path}: {error}")))?;
        conn.batch_execute(pragmas).await?;
        Ok(conn)
    };
    opening
        .now_or_never()
        .expect("futures of an inline connection never wait")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRAGMAS: &str = "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 16000;";

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

    /// The log, once the thread that tidies has done what it was asked so far.
    async fn log(threads: &Threads) -> Log {
        let asked = run(&threads.tidier, &threads.figures, |conn| {
            Box::pin(look(conn))
        });
        asked.await.unwrap()
    }

    #[tokio::test]
    async fn what_was_committed_is_carried_into_the_database_beside_the_writer() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.db").display().to_string();
        let threads = Threads::start(&path, PRAGMAS).unwrap();
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
}
