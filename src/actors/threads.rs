//! Owns the threads of actors: some of each kind, and on which of them an actor lives, by its key.

use actix::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, available_parallelism};
use tokio::sync::oneshot;

/// Most threads of a kind: what is one after the other anyway needs no more.
const MOST: usize = 16;

/// The threads of one kind of actors.
#[derive(Debug)]
pub struct Threads {
    /// What they are for.
    pub name: &'static str,
    arbiters: Mutex<Vec<Arbiter>>,
    spread: Spread,
}

/// Where the actors of a kind live. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Spread {
    first: ArbiterHandle,
    others: Arc<[ArbiterHandle]>,
}

impl From<ArbiterHandle> for Spread {
    fn from(first: ArbiterHandle) -> Self {
        let others = Arc::default();
        Self { first, others }
    }
}

impl Spread {
    /// The thread of an actor by the hash of its key: the same for as long as the process lives.
    #[must_use]
    pub fn of(&self, hash: u64) -> &ArbiterHandle {
        let many = self.others.len() as u64 + 1;
        let at = usize::try_from(hash % many).unwrap_or(0);
        self.others.get(at).unwrap_or(&self.first)
    }

    /// The thread of those of which there is one.
    #[must_use]
    pub fn first(&self) -> &ArbiterHandle {
        &self.first
    }

    /// All of them.
    pub fn each(&self) -> impl Iterator<Item = &ArbiterHandle> {
        std::iter::once(&self.first).chain(self.others.iter())
    }
}

impl Threads {
    /// Starts one for each core, and two at least: what waits on one holds not up all.
    #[must_use]
    pub fn start(name: &'static str) -> Self {
        let cores = available_parallelism().map_or(1, usize::from);
        let first = Arbiter::new();
        let others: Vec<Arbiter> = (1..cores.clamp(2, MOST)).map(|_| Arbiter::new()).collect();
        let spread = Spread {
            first: first.handle(),
            others: others.iter().map(Arbiter::handle).collect(),
        };
        let arbiters = std::iter::once(first).chain(others).collect();
        Self {
            name,
            arbiters: Mutex::new(arbiters),
            spread,
        }
    }

    /// Where actors of this kind live.
    #[must_use]
    pub fn spread(&self) -> &Spread {
        &self.spread
    }

    /// Ends them, at once; what is answered waits until they have ended.
    pub fn end(&self) -> impl Future<Output = ()> + use<> {
        let arbiters =
            std::mem::take(&mut *self.arbiters.lock().unwrap_or_else(PoisonError::into_inner));
        arbiters.iter().for_each(|arbiter| {
            arbiter.stop();
        });
        joined(move || {
            for arbiter in arbiters {
                let _ = arbiter.join();
            }
        })
    }
}

/// Begins to wait for threads, which `join` blocks on, on a thread of its own: whoever waits for what is answered must be able to give up.
pub fn joined<J: FnOnce() + Send + 'static>(join: J) -> impl Future<Output = ()> + use<J> {
    let (done, all) = oneshot::channel();
    let joining = thread::Builder::new().spawn(move || {
        join();
        let _ = done.send(());
    });
    async move {
        if joining.is_ok() {
            let _ = all.await;
        }
    }
}

/// Runs `work` to its end in the system that actors need.
#[cfg(test)]
pub(crate) fn in_a_system<F: Future>(work: F) -> F::Output {
    System::new().block_on(work)
}
