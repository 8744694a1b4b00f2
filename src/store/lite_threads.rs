//! Owns SQLite's threads: one that writes and a few that read, each with a connection of its own.
//!
//! Callers run on single-threaded runtimes, where a blocking database call would stall everybody. A call is sent to a thread
//! and runs there to its end, whether or not its caller still waits. The queue has no bound of its own: each caller has at
//! most one call in it, and callers are bounded above us.

use crate::store::lite::Conn;
use crate::store::model::StoreError;
use crate::telemetry::database::Calls;
use diesel_async::{AsyncConnection, SimpleAsyncConnection};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use tokio::sync::oneshot;

const READERS: usize = 2;

/// A call. It says whether the connection is still sound afterwards.
type Call = Box<dyn FnOnce(&mut Conn) -> bool + Send>;

/// The way to the threads; they end when the last clone is dropped and their queues are empty.
#[derive(Clone)]
pub(crate) struct Threads {
    writer: mpsc::Sender<Call>,
    readers: mpsc::Sender<Call>,
    figures: Arc<Calls>,
}

impl Threads {
    /// How many there are.
    pub(crate) const COUNT: usize = 1 + READERS;

    /// What is counted about their calls.
    pub(crate) fn figures(&self) -> &Calls {
        &self.figures
    }

    /// Opens the connections and starts their threads.
    pub(crate) fn start(path: &str, pragmas: &str) -> Result<Self, StoreError> {
        Ok(Self {
            writer: threads("sqlite-writer", 1, path, pragmas)?,
            readers: threads("sqlite-reader", READERS, path, pragmas)?,
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
        run(&self.writer, &self.figures, query).await
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
