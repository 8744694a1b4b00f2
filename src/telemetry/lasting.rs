//! Owns that what a node does beside its actors for as long as it lives goes on: rounds, watches, relays. One that panics is begun again,
//! each time a little later, and is counted as actors are: as one of the kind `task`.

use crate::domain::observation::{ActorInstance, ActorKind, Restarts};
use futures_util::FutureExt as _;
use std::any::Any;
use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// How long one rests that panicked, at first and at most.
const RESTS: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(60));
/// One that went on for so long rests as at first.
const CALM: Duration = Duration::from_secs(120);

static TASKS: Mutex<Tasks> = Mutex::new(Tasks {
    by_name: BTreeMap::new(),
    last_panic: None,
});

struct Tasks {
    by_name: BTreeMap<&'static str, Task>,
    last_panic: Option<String>,
}

/// What is counted about those of one name.
#[derive(Default)]
struct Task {
    alive: u64,
    resting: u64,
    panics: u64,
}

/// Goes on until what was begun ends by itself; what panics is begun again.
pub async fn lasting<F: Future<Output = ()>>(name: &'static str, mut begin: impl FnMut() -> F) {
    let _alive = Alive::count(name);
    let (mut rest, longest) = RESTS;
    loop {
        let begun = Instant::now();
        let going_on = AssertUnwindSafe(async { begin().await });
        let Err(payload) = going_on.catch_unwind().await else {
            return;
        };
        let words = words_of(payload.as_ref());
        tracing::error!(task = name, panic = %words, "a task panicked and is begun again");
        if begun.elapsed() >= CALM {
            rest = RESTS.0;
        }
        panicked(name, words);
        sleep(rest).await;
        tasks().by_name.entry(name).or_default().resting -= 1;
        rest = (rest * 2).min(longest);
    }
}

/// What a panic said.
#[must_use]
pub fn words_of(payload: &(dyn Any + Send)) -> String {
    payload
        .downcast_ref::<&str>()
        .map(|words| (*words).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without words".to_owned())
}

/// What an operator sees of them.
#[must_use]
pub fn observe() -> ActorKind {
    let tasks = tasks();
    let sum = |of: fn(&Task) -> u64| tasks.by_name.values().map(of).sum();
    let panics = sum(|task| task.panics);
    let restarts = panics - sum(|task| task.resting);
    ActorKind {
        kind: "task",
        alive: sum(|task| task.alive),
        panics,
        restarts,
        restarts_by: Restarts {
            panic: restarts,
            rebuild: 0,
        },
        last_panic: tasks.last_panic.clone(),
        instances: tasks.by_name.iter().map(instance).collect(),
        ..ActorKind::default()
    }
}

fn instance((name, task): (&&'static str, &Task)) -> ActorInstance {
    ActorInstance {
        key: (*name).to_owned(),
        state: match (task.alive, task.resting) {
            (0, _) => "stopped",
            (_, 0) => "running",
            _ => "restarting",
        },
        restarts: task.panics - task.resting,
        ..ActorInstance::default()
    }
}

fn tasks() -> MutexGuard<'static, Tasks> {
    TASKS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn panicked(name: &'static str, words: String) {
    let mut tasks = tasks();
    let task = tasks.by_name.entry(name).or_default();
    task.panics += 1;
    task.resting += 1;
    tasks.last_panic = Some(format!("{name}: {words}"));
}

/// Counts one among the living until it is dropped.
struct Alive(&'static str);

impl Alive {
    fn count(name: &'static str) -> Self {
        tasks().by_name.entry(name).or_default().alive += 1;
        Self(name)
    }
}

impl Drop for Alive {
    fn drop(&mut self) {
        tasks().by_name.entry(self.0).or_default().alive -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;
    use std::sync::atomic::Ordering::Relaxed;

    fn seen(name: &str) -> (&'static str, u64) {
        let all = observe().instances;
        let one = all.into_iter().find(|one| one.key == name);
        one.map_or(("unknown", 0), |one| (one.state, one.restarts))
    }

    #[tokio::test(start_paused = true)]
    async fn what_panics_is_begun_again_ever_later_and_is_seen() {
        static BEGUN: AtomicU32 = AtomicU32::new(0);
        let task = tokio::spawn(lasting("test of panics", || async {
            assert!(BEGUN.fetch_add(1, Relaxed) >= 3, "not yet");
            sleep(Duration::from_secs(1)).await;
        }));
        tokio::task::yield_now().await;
        assert_eq!(BEGUN.load(Relaxed), 1);
        assert_eq!(seen("test of panics"), ("restarting", 0));
        sleep(Duration::from_millis(350)).await;
        assert_eq!(BEGUN.load(Relaxed), 3, "after 100 and 300 ms");
        sleep(Duration::from_millis(400)).await;
        assert_eq!(seen("test of panics"), ("running", 3));
        let last = observe().last_panic.expect("it was said");
        assert!(last.contains("test of panics: not yet"), "{last}");
        task.await.expect("it ends by itself");
        assert_eq!(seen("test of panics"), ("stopped", 3));
    }
}
