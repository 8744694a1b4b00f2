//! Owns the threads that do what is heavy for the processor, so that requests never wait behind a parser.
//!
//! One thread a core at nice 10 and a bounded queue: with both cores busy parsing, light requests still answer in
//! milliseconds. What was begun is gone on with before anything else is begun: of many runs that come together each ends as soon as it
//! can, instead of all at the end, and what one stage made is still in the processor's cache for the next. A panic inside the work
//! fails that work alone.
//!
//! No work here goes on for ever, and none for nobody: each piece has a budget of steps (`Limits`), and whoever lets go of the answer
//! cancels it. The next step that it takes is its last.

use skillkiln_document::failure::{Failure, Reason};
use skillkiln_document::work::{Budget, Stopped, within};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use tokio::sync::oneshot;

/// Parsers recurse over nested blocks; the default 2 MiB is too little for the depth that is allowed.
const STACK_BYTES: usize = 8 << 20;
/// How politely heavy work asks for the processor.
pub(crate) const NICENESS: i32 = 10;
/// How politely work asks for it that nobody pays for: beside heavy work it gets an eighth of a processor.
pub(crate) const NICENESS_OF_LOOKS: i32 = 19;

/// What one piece of work may cost.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Steps, as parsers and writers count them.
    pub(crate) steps: u64,
    /// Bytes that it may make.
    bytes: u64,
}

impl Limits {
    /// Steps that any source may take, however short, and those that each of its bytes adds. Ordinary texts take a hundredth of it; what
    /// uses it up has kept a thread for about a second.
    const STEPS: u64 = 20_000_000;
    const STEPS_A_BYTE: u64 = 1_000;
    /// Bytes that may be made of any source, and of each of its bytes: a list of one letter an item takes some sixty times its size.
    const MADE: u64 = 16 << 20;
    const MADE_A_BYTE: u64 = 400;

    /// For the work of one stage on a source of `bytes` bytes.
    pub(crate) fn of_source(bytes: usize) -> Self {
        let bytes = bytes as u64;
        Self {
            steps: Self::STEPS + bytes * Self::STEPS_A_BYTE,
            bytes: Self::MADE + bytes * Self::MADE_A_BYTE,
        }
    }

    /// For work whose size somebody else bounds.
    const OF_ANYTHING: Self = Self {
        steps: Self::STEPS + (1 << 20) * Self::STEPS_A_BYTE,
        bytes: u64::MAX,
    };
}

/// Makes this thread ask for the processor as politely as is said. Only a lower priority is asked for, which every user may do; without it
/// the work is merely less polite.
fn be_polite(niceness: i32) {
    let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), niceness);
}

/// Cancels the work whose answer nobody waits for any more.
struct Wanted(Arc<AtomicBool>);

impl Drop for Wanted {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

type Work = Box<dyn FnOnce() + Send>;

/// The threads for heavy work. Clones share them; they end when they are told to, or when the last clone is dropped.
#[derive(Clone)]
pub struct Pool(Arc<Door>);

/// The way in. No more work comes once it is dropped.
struct Door {
    shared: Arc<Threads>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

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
    /// was let in has paid for the end of it, and has one piece waiting at most. Nothing is done any more once the threads are told to end.
    fn put(&self, goes_on: bool, work: Work) -> bool {
        let mut queue = self.lock();
        if queue.is_closed || !goes_on && queue.waiting() >= self.waiting_max {
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

    /// Lets the threads end once they have done what waits.
    fn close(&self) {
        self.lock().is_closed = true;
        self.arrived.notify_all();
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

impl Door {
    fn threads(&self) -> MutexGuard<'_, Vec<JoinHandle<()>>> {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        self.shared.close();
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
        Self::start_at(NICENESS, threads, waiting_max)
    }

    /// [`Pool::start`] with one thread for work that nobody pays for: it cannot keep the others from theirs.
    ///
    /// # Errors
    /// When the operating system refuses a thread.
    pub fn start_for_looks(waiting_max: usize) -> std::io::Result<Self> {
        Self::start_at(NICENESS_OF_LOOKS, 1, waiting_max)
    }

    fn start_at(niceness: i32, threads: usize, waiting_max: usize) -> std::io::Result<Self> {
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
        let door = Door {
            shared: Arc::clone(&shared),
            threads: Mutex::default(),
        };
        for number in 0..threads {
            let shared = Arc::clone(&shared);
            let thread = std::thread::Builder::new()
                .name(format!("pipeline-{number}"))
                .stack_size(STACK_BYTES)
                .spawn(move || {
                    be_polite(niceness);
                    while let Some(work) = shared.take() {
                        work();
                    }
                })?;
            door.threads().push(thread);
        }
        Ok(Self(Arc::new(door)))
    }

    /// Ends the threads once they have done what waits, which is little where nobody waits for its answer, and blocks until they have.
    pub fn end(&self) {
        self.0.shared.close();
        let threads = std::mem::take(&mut *self.0.threads());
        for thread in threads {
            let _ = thread.join();
        }
    }

    /// Runs `work` on one of the threads.
    ///
    /// # Errors
    /// [`Reason::Internal`] when the work panics or the queue is full; the panic's own words go to the log, never to the user.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Failure> {
        self.place(Limits::OF_ANYTHING, false, work).await
    }

    /// [`Pool::run`] of work that goes on with what was begun: it is done before anything is begun, however much waits.
    ///
    /// # Errors
    /// [`Reason::Internal`] when the work panics.
    pub async fn go_on<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Failure> {
        self.place(Limits::OF_ANYTHING, true, work).await
    }

    /// Runs a stage's work on a source within its limits; `goes_on` as with [`Pool::go_on`].
    ///
    /// # Errors
    /// [`Reason::TooLarge`] when the limits are reached; [`Reason::Internal`] when the work panics or the queue is full.
    pub(crate) async fn run_within<T: Send + 'static>(
        &self,
        limits: Limits,
        goes_on: bool,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Failure> {
        self.place(limits, goes_on, work).await
    }

    async fn place<T: Send + 'static>(
        &self,
        limits: Limits,
        goes_on: bool,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Failure> {
        let (reply, answer) = oneshot::channel();
        // What the work logs names the run it is done for.
        let span = tracing::Span::current();
        let wanted = Wanted(Arc::default());
        let budget = Budget {
            steps: limits.steps,
            bytes: limits.bytes,
            cancel: Arc::clone(&wanted.0),
        };
        let job: Work = Box::new(move || {
            // A caller that left needs no answer, and its work need not be done.
            if !reply.is_closed() {
                let bounded = || within(&budget, || span.in_scope(work));
                let _ = reply.send(catch_unwind(AssertUnwindSafe(bounded)));
            }
        });
        if !self.0.shared.put(goes_on, job) {
            return Err(match self.0.shared.lock().is_closed {
                true => stopping(),
                false => Failure::new(
                    Reason::Internal,
                    "the service is too busy to do this now; try again in a minute",
                ),
            });
        }
        match answer.await {
            Ok(Ok(Ok(value))) => Ok(value),
            Ok(Ok(Err(stopped))) => Err(beyond(stopped)),
            Ok(Err(_panic)) => {
                tracing::error!("work on the pipeline's threads panicked");
                Err(Failure::new(
                    Reason::Internal,
                    "something went wrong while this source was processed; the fault is ours",
                ))
            }
            Err(_) => Err(stopping()),
        }
    }

    /// How many pieces of work wait for a thread.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.0.shared.lock().waiting()
    }
}

/// What is said of work that comes too late.
fn stopping() -> Failure {
    Failure::new(
        Reason::Internal,
        "the service is stopping; try again in a minute",
    )
}

/// What is said of work that was broken off.
fn beyond(stopped: Stopped) -> Failure {
    match stopped {
        Stopped::OutOfSteps => Failure::new(
            Reason::TooLarge,
            "this source is short, but reading it takes far longer than it should; send a simpler one, or a part of it",
        ),
        Stopped::TooMuchMade => Failure::new(
            Reason::TooLarge,
            "this source grows far beyond its own size when it is read; send a part of it",
        ),
        // Nobody hears this.
        Stopped::Cancelled => Failure::new(Reason::Aborted, "the run was ended"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::work::{made, step};

    #[tokio::test]
    async fn work_that_panics_fails_alone_and_the_threads_go_on() {
        let pool = Pool::start(1, 8).unwrap();
        let failed = pool.run(|| panic!("a parser's bug")).await;
        assert_eq!(failed.map(|()| 0).unwrap_err().reason, Reason::Internal);
        assert_eq!(pool.run(|| 6 * 7).await, Ok(42));
        assert_eq!(pool.waiting(), 0);
    }

    #[tokio::test]
    async fn threads_that_are_told_to_end_do_what_waits_and_refuse_the_rest() {
        let pool = Pool::start(1, 8).unwrap();
        let (until, go) = std::sync::mpsc::channel::<()>();
        let (first, second) = (pool.run(move || go.recv()), pool.run(|| 6 * 7));
        let ending = pool.clone();
        let ended = async {
            let ended = tokio::task::spawn_blocking(move || ending.end());
            while !pool.0.shared.lock().is_closed {
                tokio::task::yield_now().await;
            }
            let refused = pool.go_on(|| 1).await.unwrap_err();
            assert_eq!(refused, stopping());
            until.send(()).unwrap();
            ended.await.unwrap();
        };
        let (first, second, ()) = tokio::join!(first, second, ended);
        assert_eq!((first, second), (Ok(Ok(())), Ok(42)));
    }

    #[tokio::test]
    async fn what_nobody_waits_for_any_more_ends_with_its_next_step() {
        let pool = Pool::start(1, 8).unwrap();
        let (started, busy) = oneshot::channel();
        let endless = pool.run(move || {
            let _ = started.send(());
            loop {
                step(1);
            }
        });
        tokio::select! {
            _ = endless => unreachable!("it never ends by itself"),
            begun = busy => begun.unwrap(),
        }
        // The only thread is free again.
        assert_eq!(pool.run(|| 6 * 7).await, Ok(42));
    }

    #[tokio::test]
    async fn work_beyond_its_limits_is_broken_off_with_a_message_and_the_thread_goes_on() {
        let pool = Pool::start(1, 8).unwrap();
        let limits = Limits::of_source(20_000);
        let stepping = pool.run_within(limits, false, || {
            loop {
                step(1_000);
            }
        });
        let making = pool.run_within(limits, false, || {
            loop {
                made(1_000);
            }
        });
        for failure in [stepping.await, making.await] {
            let failure = failure.unwrap_err();
            assert_eq!(failure.reason, Reason::TooLarge);
            assert!(
                failure.message.contains("a part of it"),
                "{}",
                failure.message
            );
        }
        assert_eq!(pool.run(|| 1).await, Ok(1));
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
