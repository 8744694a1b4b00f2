//! Owns what is free: looks into a source before anybody pays, and texts that are tried without an account. They have a thread and a worker
//! of their own, are shorter than what is paid for, and come one at a time from an account or an address, so that they keep nobody from
//! what was paid.

use crate::actors::extractor;
use crate::domain::id::UserId;
use crate::domain::source::Source;
use crate::pipeline::extract::{Reader, read};
use crate::pipeline::handle::JobHandle;
use crate::services::attempts::subscriber;
use crate::store::blobs::Blobs;
use skillkiln_document::failure::{Failure, Reason};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;

/// Looks of one account or address that may wait for its first.
const WAITING_MAX: usize = 4;
/// What a client is told to wait when there are too many.
const RETRY_S: u32 = 5;

/// Who looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Looker {
    /// An account.
    Account(UserId),
    /// Whoever is at an address.
    Address(IpAddr),
}

impl Looker {
    /// Whoever is at an address: of the newer kind, everybody of one subscriber.
    #[must_use]
    pub fn at(address: IpAddr) -> Self {
        Self::Address(subscriber(address))
    }
}

/// Why nothing was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoLook {
    /// Too many at once.
    Busy {
        /// When to try again.
        retry_after_s: u32,
    },
    /// The source cannot be read.
    Failed(Failure),
}

impl From<Failure> for NoLook {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// The bounds of looks.
#[derive(Debug, Clone, Copy)]
pub struct LookBounds {
    /// Bytes of a source.
    pub bytes_max: u64,
    /// Looks of all accounts and addresses at once; more are turned away.
    pub at_once: usize,
    /// How long one may take; one may wait as long for its turn.
    pub deadline: Duration,
}

/// The looks of a node.
#[derive(Debug)]
pub(super) struct Looks {
    reader: Reader,
    bounds: LookBounds,
    all: Semaphore,
    /// One permit each for those who look now.
    lookers: Mutex<HashMap<Looker, Arc<Semaphore>>>,
}

impl Looks {
    /// Looks with what `reader` has.
    pub(super) fn new(reader: Reader, bounds: LookBounds) -> Self {
        Self {
            reader,
            all: Semaphore::new(bounds.at_once),
            bounds,
            lookers: Mutex::default(),
        }
    }

    /// Reads a source of at least `words_min` words and does something with it.
    pub(super) async fn look<T, Looking: Future<Output = Result<T, Failure>>>(
        &self,
        looker: Looker,
        blobs: &Blobs,
        source: Source,
        words_min: usize,
        what: impl FnOnce(JobHandle) -> Looking,
    ) -> Result<T, NoLook> {
        self.weigh(&source)?;
        let busy = || NoLook::Busy {
            retry_after_s: RETRY_S,
        };
        let _room = self.all.try_acquire().map_err(|_| busy())?;
        let turns = Turns {
            looks: self,
            own: Some(self.turns_of(looker).ok_or_else(busy)?),
            looker,
        };
        // To wait for one's own other looks says nothing of the source.
        let deadline = self.bounds.deadline;
        let _turn = match turns.own.as_ref() {
            Some(own) => tokio::time::timeout(deadline, own.acquire())
                .await
                .map_err(|_| busy())?
                .ok(),
            None => None,
        };
        let look = async {
            let input = extractor::fetch(blobs, source).await?;
            let reader = Reader {
                words_min,
                ..self.reader.clone()
            };
            what(read(&reader, input).await?.handle).await
        };
        let too_long = || {
            Failure::new(
                Reason::Deadline,
                "reading the source took too long; try a smaller one",
            )
        };
        Ok(tokio::time::timeout(deadline, look)
            .await
            .map_err(|_| too_long())??)
    }

    /// Refuses what is larger than may be looked into for nothing.
    fn weigh(&self, source: &Source) -> Result<(), Failure> {
        let bytes = match source {
            Source::File { files } => files.iter().map(|file| file.size_bytes).sum(),
            Source::Text { text } => text.len() as u64,
            Source::Youtube { .. } | Source::Url { .. } => 0,
        };
        if bytes <= self.bounds.bytes_max {
            return Ok(());
        }
        Err(Failure::new(
            Reason::TooLarge,
            format!(
                "more than {} KB are not looked into for free; send a part of it, or make the skill at once",
                self.bounds.bytes_max >> 10
            ),
        ))
    }

    /// The turns of a looker; none when too many wait for theirs.
    fn turns_of(&self, looker: Looker) -> Option<Arc<Semaphore>> {
        let mut lookers = self.lock();
        let own = lookers
            .entry(looker)
            .or_insert_with(|| Arc::new(Semaphore::new(1)));
        // One is the map's own.
        (Arc::strong_count(own) <= 1 + WAITING_MAX).then(|| Arc::clone(own))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Looker, Arc<Semaphore>>> {
        self.lookers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The turns of a looker, forgotten with the last who takes one.
struct Turns<'l> {
    looks: &'l Looks,
    own: Option<Arc<Semaphore>>,
    looker: Looker,
}

impl Drop for Turns<'_> {
    fn drop(&mut self) {
        let mut lookers = self.looks.lock();
        self.own = None;
        if lookers
            .get(&self.looker)
            .is_some_and(|own| Arc::strong_count(own) == 1)
        {
            lookers.remove(&self.looker);
        }
    }
}
