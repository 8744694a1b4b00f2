//! Owns that a hang is seen as a panic is: each thread of actors beats, and a watchdog on a thread of its own sees one that does not, shows
//! it, and after a while takes the node for lost ([`Lost`]).
//!
//! Silence is counted in looks of the watchdog, not in time: a machine that slept, or a process that was stopped and goes on, has missed
//! no beat.

use crate::actors::planted::Lost;
use crate::actors::threads::Spread;
use crate::domain::observation::Heart;
use actix::prelude::*;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
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
    /// Looks since the last beat.
    silent: AtomicU32,
}

/// The watch over a node's threads of actors, until it is dropped.
#[derive(Debug)]
pub struct Pulse {
    threads: Arc<[Arc<Watched>]>,
    patience: Patience,
    /// The watchdog, which ends when the sender is dropped.
    watchdog: Mutex<Option<(Sender<()>, JoinHandle<()>)>>,
}

impl Pulse {
    /// Lets each of the threads beat, and watches them. A process that can start no thread more watches nothing.
    #[must_use]
    pub fn start(kinds: &[(&'static str, &Spread)], patience: Patience, lost: &Lost) -> Self {
        let watch = |kind, name, arbiter: &ArbiterHandle| {
            let watched = Arc::new(Watched {
                kind,
                name,
                beats: AtomicU64::new(0),
                silent: AtomicU32::new(0),
            });
            let beating = Arc::downgrade(&watched);
            arbiter.spawn(async move {
                while let Some(watched) = beating.upgrade() {
                    watched.beats.fetch_add(1, Relaxed);
                    drop(watched);
                    actix_rt::time::sleep(patience.look / 2).await;
                }
            });
            watched
        };
        let mut threads = Vec::new();
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
        let threads: Arc<[Arc<Watched>]> = threads.into();
        let (until, ended) = channel();
        let (watched, lost) = (Arc::clone(&threads), lost.clone());
        let watchdog = thread::Builder::new().name("watchdog".to_owned());
        let watchdog = watchdog.spawn(move || keep_watch(&watched, patience, &lost, &ended));
        if let Err(error) = &watchdog {
            tracing::error!(%error, "no thread watches the others: a hang will not be seen");
        }
        Self {
            threads,
            patience,
            watchdog: Mutex::new(watchdog.ok().map(|thread| (until, thread))),
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
        self.threads.iter().map(of_one).collect()
    }
}

fn keep_watch(threads: &[Arc<Watched>], patience: Patience, lost: &Lost, ended: &Receiver<()>) {
    let mut seen = vec![0; threads.len()];
    while ended.recv_timeout(patience.look) == Err(RecvTimeoutError::Timeout) {
        for (watched, seen) in threads.iter().zip(&mut seen) {
            let beats = watched.beats.load(Relaxed);
            if beats != *seen {
                *seen = beats;
                if watched.silent.swap(0, Relaxed) >= patience.shown {
                    tracing::warn!(thread = %watched.name, "a thread of actors beats again");
                }
                continue;
            }
            let silent = watched.silent.fetch_add(1, Relaxed) + 1;
            if silent == patience.shown {
                tracing::error!(
                    thread = %watched.name,
                    "a thread of actors does not beat: something on it hangs"
                );
            }
            if silent == patience.lost {
                lost.tell(watched.kind);
            }
            if silent == patience.ended {
                tracing::error!(
                    thread = %watched.name,
                    "the process is ended by its watchdog; the next start takes up what was left behind"
                );
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
