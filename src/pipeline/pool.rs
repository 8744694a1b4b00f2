//! Owns the threads that do what is heavy for the processor, so that requests never wait behind a parser.
//!
//! One thread a core at nice 10 and a bounded queue: with both cores busy parsing, light requests still answer in
//! milliseconds. A panic inside the work fails that work alone.

use crate::domain::failure::{Failure, Reason};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::sync::{Mutex, PoisonError};
use tokio::sync::oneshot;

/// Parsers recurse over nested blocks; the default 2 MiB is too little for the depth that is allowed.
const STACK_BYTES: usize = 8 << 20;
/// How politely heavy work asks for the processor.
pub(crate) const NICENESS: i32 = 10;

/// Makes this thread ask for the processor as politely as heavy work does. Only a lower priority is asked for, which every user may do;
/// without it the work is merely less polite.
pub(crate) fn be_polite() {
    let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), NICENESS);
}

type Work = Box<dyn FnOnce() + Send>;

/// The threads for heavy work. Clones share them; they end when the last clone is dropped.
#[derive(Clone)]
pub struct Pool {
    queue: SyncSender<Work>,
    waiting: Arc<AtomicUsize>,
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pool")
            .field("waiting", &self.waiting())
            .finish_non_exhaustive()
    }
}

impl Pool {
    /// Starts `threads` threads (0: one a core) before which at most `waiting_max` pieces of work wait.
    ///
    /// # Errors
    /// When the operating system refuses a thread.
    pub fn start(threads: usize, waiting_max: usize) -> std::io::Result<Self> {
        let threads = match threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            n => n,
        };
        let (queue, receiver) = sync_channel::<Work>(waiting_max.max(1));
        let receiver = Arc::new(Mutex::new(receiver));
        for number in 0..threads {
            let receiver = Arc::clone(&receiver);
            std::thread::Builder::new()
                .name(format!("pipeline-{number}"))
                .stack_size(STACK_BYTES)
                .spawn(move || {
                    be_polite();
                    loop {
                        let next = receiver
                            .lock()
                            .unwrap_or_else(PoisonError::into_inner)
                            .recv();
                        let Ok(work) = next else { break };
                        work();
                    }
                })?;
        }
        Ok(Self {
            queue,
            waiting: Arc::new(AtomicUsize::new(0)),
        })
    }

    /// Runs `work` on one of the threads.
    ///
    /// # Errors
    /// [`Reason::Internal`] when the work panics or the queue is full; the panic's own words go to the log, never to the user.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Failure> {
        let (reply, answer) = oneshot::channel();
        // What the work logs names the run it is done for.
        let span = tracing::Span::current();
        let waiting = Arc::clone(&self.waiting);
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let job: Work = Box::new(move || {
            waiting.fetch_sub(1, Ordering::Relaxed);
            // A caller that left needs no answer, and its work need not be done.
            if !reply.is_closed() {
                let _ = reply.send(catch_unwind(AssertUnwindSafe(|| span.in_scope(work))));
            }
        });
        if let Err(refused) = self.queue.try_send(job) {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
            return Err(match refused {
                TrySendError::Full(_) => Failure::new(
                    Reason::Internal,
                    "the service is too busy to do this now; try again in a minute",
                ),
                TrySendError::Disconnected(_) => Failure::new(
                    Reason::Internal,
                    "the service is stopping; try again in a minute",
                ),
            });
        }
        match answer.await {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(_panic)) => {
                tracing::error!("work on the pipeline's threads panicked");
                Err(Failure::new(
                    Reason::Internal,
                    "something went wrong while this source was processed; the fault is ours",
                ))
            }
            Err(_) => Err(Failure::new(
                Reason::Internal,
                "the service is stopping; try again in a minute",
            )),
        }
    }

    /// How many pieces of work wait for a thread.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_that_panics_fails_alone_and_the_threads_go_on() {
        let pool = Pool::start(1, 8).unwrap();
        let failed = pool.run(|| panic!("a parser's bug")).await;
        assert_eq!(failed.map(|()| 0).unwrap_err().reason, Reason::Internal);
        assert_eq!(pool.run(|| 6 * 7).await, Ok(42));
        assert_eq!(pool.waiting(), 0);
    }

    #[tokio::test]
    async fn a_full_queue_refuses_instead_of_growing() {
        let pool = Pool::start(1, 1).unwrap();
        let (release, gate) = std::sync::mpsc::channel::<()>();
        let (started, busy) = oneshot::channel();
        let running = tokio::spawn({
            let pool = pool.clone();
            async move {
                pool.run(move || {
                    let _ = started.send(());
                    let _ = gate.recv();
                })
                .await
            }
        });
        busy.await.unwrap();
        let mut waiting = Box::pin(pool.run(|| 1));
        assert!(futures_util::poll!(waiting.as_mut()).is_pending());
        assert!(pool.run(|| 2).await.is_err());
        release.send(()).unwrap();
        assert_eq!(waiting.await, Ok(1));
        running.await.unwrap().unwrap();
    }
}
