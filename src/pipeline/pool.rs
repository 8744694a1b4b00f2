//! Owns the threads that do what is heavy for the processor, so that requests never wait behind a parser.
//!
//! One thread a core at nice 10 and a bounded queue: with both cores busy parsing, light requests still answer in
//! milliseconds. What was begun is gone on with before anything else is begun: of many runs that come together each ends as soon as it
//! can, instead of all at the end, and what one stage made is still in the processor's cache for the next. A panic inside the work
//! fails that work alone.

use skillkiln_document::failure::{Failure, Reason};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
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
pub struct Pool(Arc<Door>);

/// The way in. No more work comes once it is dropped.
struct Door(Arc<Threads>);

/// What the threads share.
struct Threads {
    queue: Mutex<Queue>,
    arrived: Condvar,
    waiting_max: usize,
}

/// What waits for a thread. Whatever begins makes work that goes on at most a few times, so neither waits for ever.
#[derive(Default)]
struct Queue {
    going_on: VecDeque<Work>,
    beginning: VecDeque<Work>,
    /// Threads that wait for work: only they need to be woken.
    resting: usize,
    is_closed: bool,
}

impl Queue {
    fn waiting(&self) -> usize {
        self.going_on.len() + self.beginning.len()
    }
}

impl Threads {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Leaves work for a thread; false when too much waits already. What goes on with something begun is never turned away: whoever
    /// was let in has paid for the end of it, and has one piece waiting at most.
    fn put(&self, goes_on: bool, work: Work) -> bool {
        let mut queue = self.lock();
        if !goes_on && queue.waiting() >= self.waiting_max {
            return false;
        }
        if goes_on {
            queue.going_on.push_back(work);
        } else {
            queue.beginning.push_back(work);
        }
        let is_awaited = queue.resting > 0;
        drop(queue);
        if is_awaited {
            self.arrived.notify_one();
        }
        true
    }

    /// The next piece of work; waits for it. None when no more comes.
    fn take(&self) -> Option<Work> {
        let mut queue = self.lock();
        loop {
            let begun = queue.going_on.pop_front();
            if let Some(work) = begun.or_else(|| queue.beginning.pop_front()) {
                return Some(work);
            }
            if queue.is_closed {
                return None;
            }
            queue.resting += 1;
            let waited = self.arrived.wait(queue);
            queue = waited.unwrap_or_else(PoisonError::into_inner);
            queue.resting -= 1;
        }
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        self.0.lock().is_closed = true;
        self.0.arrived.notify_all();
    }
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pool")
            .field("waiting", &self.waiting())
            .finish_non_exhaustive()
    }
}

impl Pool {
    /// Starts `threads` threads (0: one a core); nothing more is begun while `waiting_max` pieces of work wait before them.
    ///
    /// # Errors
    /// When the operating system refuses a thread.
    pub fn start(threads: usize, waiting_max: usize) -> std::io::Result<Self> {
        let threads = match threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            n => n,
        };
        let shared = Arc::new(Threads {
            queue: Mutex::default(),
            arrived: Condvar::new(),
            waiting_max: waiting_max.max(1),
        });
        // Made first: should a thread be refused, those that are there end with it.
        let door = Door(Arc::clone(&shared));
        for number in 0..threads {
            let shared = Arc::clone(&shared);
            std::thread::Builder::new()
                .name(format!("pipeline-{number}"))
                .stack_size(STACK_BYTES)
                .spawn(move || {
                    be_polite();
                    while let Some(work) = shared.take() {
                        work();
                    }
                })?;
        }
        Ok(Self(Arc::new(door)))
    }

    /// Runs `work` on one of the threads.
    ///
    /// # Errors
    /// [`Reason::Internal`] when the work panics or the queue is full; the panic's own words go to the log, never to the user.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Failure> {
        self.place(false, work).await
    }

    /// [`Pool::run`] of work that goes on with what was begun: it is done before anything is begun, however much waits.
    ///
    /// # Errors
    /// [`Reason::Internal`] when the work panics.
    pub async fn go_on<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Failure> {
        self.place(true, work).await
    }

    async fn place<T: Send + 'static>(
        &self,
        goes_on: bool,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Failure> {
        let Door(threads) = &*self.0;
        let (reply, answer) = oneshot::channel();
        // What the work logs names the run it is done for.
        let span = tracing::Span::current();
        let job: Work = Box::new(move || {
            // A caller that left needs no answer, and its work need not be done.
            if !reply.is_closed() {
                let _ = reply.send(catch_unwind(AssertUnwindSafe(|| span.in_scope(work))));
            }
        });
        if !threads.put(goes_on, job) {
            return Err(Failure::new(
                Reason::Internal,
                "the service is too busy to do this now; try again in a minute",
            ));
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
        let Door(threads) = &*self.0;
        threads.lock().waiting()
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
        let mut going_on = Box::pin(pool.go_on(|| 3));
        assert!(
            futures_util::poll!(going_on.as_mut()).is_pending(),
            "what was begun is not turned away"
        );
        release.send(()).unwrap();
        assert_eq!(waiting.await, Ok(1));
        assert_eq!(going_on.await, Ok(3));
        running.await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn what_was_begun_is_gone_on_with_before_anything_is_begun() {
        let pool = Pool::start(1, 8).unwrap();
        let (release, gate) = std::sync::mpsc::channel::<()>();
        let holding = pool.run(move || gate.recv().is_ok());
        let done = Arc::new(Mutex::new(Vec::new()));
        let noting = |what| {
            let done = Arc::clone(&done);
            move || done.lock().unwrap().push(what)
        };
        let begun = [pool.run(noting("first")), pool.run(noting("second"))];
        let begun = futures_util::future::join_all(begun);
        let going_on = pool.go_on(noting("gone on with"));
        let letting_go = async { release.send(()).unwrap() };
        let (held, ..) = tokio::join!(holding, begun, going_on, letting_go);
        assert_eq!(held, Ok(true));
        assert_eq!(*done.lock().unwrap(), ["gone on with", "first", "second"]);
    }
}
