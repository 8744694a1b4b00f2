//! Owns the place that a run has among those of its node, and that it holds none while it waits for somebody else's server.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The places of a node.
#[derive(Debug, Clone)]
pub struct Places {
    /// One permit for each run that may work at once.
    pub working: Arc<Semaphore>,
    /// One permit for each request to somebody else's server that may wait at once.
    pub fetching: Arc<Semaphore>,
    /// How many runs have begun and hold no place now: they wait for a page, or for their turn after it.
    pub away: Arc<AtomicUsize>,
}

/// A run that is away, for as long as this lives: it may be dropped while it waits.
struct Away<'p>(&'p AtomicUsize);

impl<'p> Away<'p> {
    fn of(places: &'p Places) -> Self {
        places.away.fetch_add(1, Ordering::Relaxed);
        Self(&places.away)
    }
}

impl Drop for Away<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A run's place. Clones share it; one without places never gives way, for work that is no run.
#[derive(Debug, Clone, Default)]
pub struct Turn(Option<Arc<Inner>>);

#[derive(Debug)]
struct Inner {
    places: Places,
    held: Mutex<Option<OwnedSemaphorePermit>>,
    has_fallen: AtomicBool,
}

impl Turn {
    /// The turn of a run that has this place.
    #[must_use]
    pub fn at(places: Places, held: OwnedSemaphorePermit) -> Self {
        Self(Some(Arc::new(Inner {
            places,
            held: Mutex::new(Some(held)),
            has_fallen: AtomicBool::new(false),
        })))
    }

    /// Waits for something that needs no place, and then for a place to go on with.
    pub async fn away<T>(&self, waiting: impl Future<Output = T>) -> T {
        let Some(inner) = &self.0 else {
            return waiting.await;
        };
        let _away = Away::of(&inner.places);
        inner.hold(None);
        let came = {
            let _room = inner.places.fetching.acquire().await;
            waiting.await
        };
        let place = Arc::clone(&inner.places.working).acquire_owned().await;
        inner.hold(place.ok());
        came
    }

    /// Notes that the run's worker was taken down by what it read.
    pub fn note_fall(&self) {
        if let Some(inner) = &self.0 {
            inner.has_fallen.store(true, Ordering::Relaxed);
        }
    }

    /// Whether the run's worker was taken down since this was asked last.
    #[must_use]
    pub fn has_fallen(&self) -> bool {
        let inner = self.0.as_ref();
        inner.is_some_and(|inner| inner.has_fallen.swap(false, Ordering::Relaxed))
    }
}

impl Inner {
    fn hold(&self, place: Option<OwnedSemaphorePermit>) {
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = place;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_run_that_waits_for_a_page_leaves_its_place_to_others() {
        let places = Places {
            working: Arc::new(Semaphore::new(1)),
            fetching: Arc::new(Semaphore::new(8)),
            away: Arc::default(),
        };
        let place = || Arc::clone(&places.working).try_acquire_owned();
        let turn = Turn::at(places.clone(), place().unwrap());
        assert!(place().is_err());
        let (answer, page) = tokio::sync::oneshot::channel();
        let mut away = Box::pin(turn.away(page));
        assert!(futures_util::poll!(away.as_mut()).is_pending());
        let other = place().expect("the place is free while the page does not come");
        assert_eq!(places.away.load(Ordering::Relaxed), 1);
        answer.send("a page").unwrap();
        assert!(
            futures_util::poll!(away.as_mut()).is_pending(),
            "the page is read when it is the run's turn again"
        );
        drop(other);
        assert_eq!(away.await, Ok("a page"));
        assert_eq!(places.away.load(Ordering::Relaxed), 0);
        assert!(place().is_err());
        drop(turn);
        assert!(place().is_ok());
    }
}
