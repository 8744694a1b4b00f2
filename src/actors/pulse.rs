//! Owns that a hang is seen as a panic is: each thread of actors and each worker of HTTP beats, and a watchdog on a thread of its own sees
//! one that does not, shows it, and after a while takes the node for lost ([`Lost`]). What blocks is done on other threads, so none of them
//! may be silent for longer.
//!
//! Silence is counted in looks of the watchdog, not in time: a machine that slept, or a process that was stopped and goes on, has missed
//! no beat.
//!
//! The watchdog says what it sees through a thread of its own: whoever reads the log may hang too, and then so does each thread that logs.

use crate::actors::planted::{self, Lost};
use crate::actors::threads::Spread;
use crate::domain::observation::Heart;
use actix::prelude::*;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How long a thread may be silent.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// How often is looked.
    pub look: Duration,
    /// Silent for so many looks, it is shown.
    pub shown: u32,
    /// Silent for so many, the node is lost.
    pub lost: u32,
    /// Silent for so many, the process is ended here, since whoever should have ended it hangs too.
    pub ended: u32,
}

/// How long the log may take to be told why the process ends.
const LAST_WORD: Duration = Duration::from_secs(1);

impl Default for Patience {
    /// Shown after 2 s, lost after 10 s, ended after 25 s.
    fn default() -> Self {
        Self {
            look: Duration::from_millis(250),
            shown: 8,
            lost: 40,
            ended: 100,
        }
    }
}

/// One thread, as the watchdog sees it.
#[derive(Debug)]
struct Watched {
    /// What its kind is called.
    kind: &'static str,
    name: String,
    beats: AtomicU64,
    /// Beats that the last look saw.
    seen: AtomicU64,
    /// Looks since the last beat.
    silent: AtomicU32,
}

impl Watched {
    fn new(kind: &'static str, name: String) -> Arc<Self> {
        Arc::new(Self {
            kind,
            name,
            beats: AtomicU64::new(0),
            seen: AtomicU64::new(0),
            silent: AtomicU32::new(0),
        })
    }

    /// Beats for as long as it is watched.
    fn beat(self: &Arc<Self>, every: Duration) -> impl Future<Output = ()> + Send + use<> {
        let beating = Arc::downgrade(self);
        async move {
            while let Some(watched) = beating.upgrade() {
                watched.beats.fetch_add(1, Relaxed);
                drop(watched);
                actix_rt::time::sleep(every).await;
            }
        }
    }
}

/// The threads that beat.
#[derive(Debug, Clone, Default)]
struct Beating(Arc<Mutex<Vec<Arc<Watched>>>>);

impl Beating {
    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Watched>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A thread that beats until this is dropped; then it is forgotten.
#[derive(Debug)]
pub struct Beat {
    watched: Arc<Watched>,
    beating: Beating,
}

impl Drop for Beat {
    fn drop(&mut self) {
        let is_other = |other: &Arc<Watched>| !Arc::ptr_eq(other, &self.watched);
        self.beating.lock().retain(is_other);
    }
}

/// The watch over a node's threads, until it is dropped.
#[derive(Debug)]
pub struct Pulse {
    beating: Beating,
    patience: Patience,
    /// The watchdog, which ends when the sender is dropped.
    watchdog: Mutex<Option<(Sender<()>, JoinHandle<()>)>>,
}

impl Pulse {
    /// Lets each of the threads beat, and watches them. A process that can start no thread more watches nothing.
    #[must_use]
    pub fn start(kinds: &[(&'static str, &Spread)], patience: Patience, lost: &Lost) -> Self {
        let watch = |kind, name, arbiter: &ArbiterHandle| {
            let watched = Watched::new(kind, name);
            arbiter.spawn(watched.beat(patience.look / 2));
            watched
        };
        let beating = Beating::default();
        let mut threads = beating.lock();
        for (kind, spread) in kinds {
            let is_one = spread.each().count() == 1;
            threads.extend(spread.each().zip(1..).map(|(arbiter, number)| {
                let name = match is_one {
                    true => (*kind).to_owned(),
                    false => format!("{kind}-{number}"),
                };
                watch(*kind, name, arbiter)
            }));
        }
        drop(threads);
        let (until, ended) = channel();
        let (watched, lost) = (beating.clone(), lost.clone());
        let watchdog = thread::Builder::new().name("watchdog".to_owned());
        let watchdog = watchdog.spawn(move || keep_watch(&watched, patience, &lost, &ended));
        if let Err(error) = &watchdog {
            tracing::error!(%error, "no thread watches the others: a hang will not be seen");
        }
        Self {
            beating,
            patience,
            watchdog: Mutex::new(watchdog.ok().map(|thread| (until, thread))),
        }
    }

    /// Lets the thread beat too on which this is called, one of those of its kind, until what is answered is dropped. It must run what
    /// is spawned locally, as an arbiter does.
    #[must_use]
    pub fn join(&self, kind: &'static str) -> Beat {
        let mut threads = self.beating.lock();
        let name = (1_usize..)
            .map(|number| format!("{kind}-{number}"))
            .find(|name| threads.iter().all(|other| other.name != *name))
            .unwrap_or_default();
        let watched = Watched::new(kind, name);
        threads.push(Arc::clone(&watched));
        drop(threads);
        actix_rt::spawn(watched.beat(self.patience.look / 2));
        Beat {
            watched,
            beating: self.beating.clone(),
        }
    }

    /// Ends the watch: whoever is silent from now on has ended.
    pub fn end(&self) {
        let mut watchdog = self.watchdog.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((until, thread)) = watchdog.take() {
            drop(until);
            let _ = thread.join();
        }
    }

    /// What an operator sees of them.
    #[must_use]
    pub fn observe(&self) -> Vec<Heart> {
        let of_one = |watched: &Arc<Watched>| {
            let looks = watched.silent.load(Relaxed);
            Heart {
                arbiter: watched.name.clone(),
                silent_s: match looks >= self.patience.shown {
                    true => (self.patience.look * looks).as_secs_f64(),
                    false => 0.0,
                },
            }
        };
        self.beating.lock().iter().map(of_one).collect()
    }
}

/// What the watchdog sees of a thread of this name.
enum Seen {
    Hangs(String),
    BeatsAgain(String),
    /// One of this kind, so that the node is lost.
    Loses(&'static str),
    /// So long that the process ends as soon as this has been said, or a moment later.
    EndsAll(String, Sender<()>),
}

impl Seen {
    fn log(self) {
        match self {
            Self::Hangs(thread) => {
                tracing::error!(thread, "a thread does not beat: something on it hangs");
            }
            Self::BeatsAgain(thread) => tracing::warn!(thread, "a thread beats again"),
            Self::Loses(kind) => planted::log(kind),
            Self::EndsAll(thread, said) => {
                tracing::error!(
                    thread,
                    "the process is ended by its watchdog; the next start takes up what was left behind"
                );
                let _ = said.send(());
            }
        }
    }
}

/// Says what is sent, on a thread of its own; where no thread can be started, nothing is said.
fn speaker() -> Sender<Seen> {
    let (say, words) = channel::<Seen>();
    let thread = thread::Builder::new().name("watchdog-log".to_owned());
    let _ = thread.spawn(move || words.into_iter().for_each(Seen::log));
    say
}

fn keep_watch(beating: &Beating, patience: Patience, lost: &Lost, ended: &Receiver<()>) {
    let speaker = speaker();
    let say = |seen| {
        let _ = speaker.send(seen);
    };
    while ended.recv_timeout(patience.look) == Err(RecvTimeoutError::Timeout) {
        // What is done about one that is silent waits for nobody who beats.
        let threads = beating.lock().clone();
        for watched in threads {
            let beats = watched.beats.load(Relaxed);
            if beats != watched.seen.swap(beats, Relaxed) {
                if watched.silent.swap(0, Relaxed) >= patience.shown {
                    say(Seen::BeatsAgain(watched.name.clone()));
                }
                continue;
            }
            let silent = watched.silent.fetch_add(1, Relaxed) + 1;
            if silent == patience.shown {
                say(Seen::Hangs(watched.name.clone()));
            }
            if silent == patience.lost {
                lost.note(watched.kind);
                say(Seen::Loses(watched.kind));
            }
            if silent == patience.ended {
                let (told, said) = channel();
                say(Seen::EndsAll(watched.name.clone(), told));
                let _ = said.recv_timeout(LAST_WORD);
                std::process::exit(1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASTY: Patience = Patience {
        look: Duration::from_millis(20),
        shown: 3,
        lost: 25,
        ended: u32::MAX,
    };

    /// Hangs a thread until the sender is dropped.
    fn hang(arbiter: &Arbiter) -> Sender<()> {
        let (until, ended) = channel::<()>();
        arbiter.spawn(async move {
            let _ = ended.recv();
        });
        until
    }

    #[test]
    fn a_thread_is_shown_after_2_s_the_node_lost_after_10_and_the_process_ended_after_25() {
        let patience = Patience::default();
        let after = |looks| (patience.look * looks).as_secs_f64();
        let bounds = [patience.shown, patience.lost, patience.ended].map(after);
        assert_eq!(bounds, [2.0, 10.0, 25.0]);
    }

    #[test]
    fn threads_that_join_are_seen_by_number_and_forgotten_when_they_leave() {
        System::new().block_on(async {
            let pulse = Pulse::start(&[], HASTY, &Lost::default());
            let names = || -> Vec<String> {
                let hearts = pulse.observe().into_iter();
                hearts.map(|heart| heart.arbiter).collect()
            };
            let (first, _second) = (pulse.join("http"), pulse.join("http"));
            assert_eq!(names(), ["http-1", "http-2"]);
            drop(first);
            assert_eq!(names(), ["http-2"]);
            let _again = pulse.join("http");
            assert_eq!(names(), ["http-2", "http-1"]);
        });
    }

    async fn until_silent(pulse: &Pulse, is_silent: bool) -> Heart {
        loop {
            let heart = pulse.observe().remove(0);
            if (heart.silent_s > 0.0) == is_silent {
                return heart;
            }
            actix_rt::time::sleep(HASTY.look).await;
        }
    }

    #[test]
    fn a_thread_that_hangs_is_shown_and_forgotten_when_it_goes_on() {
        System::new().block_on(async {
            let (books, lost) = (Arbiter::new(), Lost::default());
            let pulse = Pulse::start(&[("books", &books.handle().into())], HASTY, &lost);
            until_silent(&pulse, false).await;
            let hanging = hang(&books);
            let heart = until_silent(&pulse, true).await;
            assert_eq!(heart.arbiter, "books");
            assert!(heart.silent_s >= 0.06, "{heart:?}");
            drop(hanging);
            until_silent(&pulse, false).await;
            assert_eq!(lost.name(), None);
            books.stop();
        });
    }

    #[test]
    fn one_that_hangs_on_loses_the_node_and_the_other_does_not() {
        System::new().block_on(async {
            let (books, runs) = (Arbiter::new(), Arbiter::new());
            let lost = Lost::default();
            let (of_books, of_runs) = (books.handle().into(), runs.handle().into());
            let threads = [("books", &of_books), ("runs", &of_runs)];
            let pulse = Pulse::start(&threads, HASTY, &lost);
            let _hanging = hang(&runs);
            lost.wait().await;
            assert_eq!(lost.name(), Some("runs"));
            let [books_now, runs_now] = &*pulse.observe() else {
                panic!("two threads");
            };
            assert!(books_now.silent_s == 0.0 && runs_now.silent_s > 0.0);
            books.stop();
        });
    }
}
