//! Owns who is calling: turns a bearer token into an account, and says where that account stands.
//!
//! Every request asks, so the answer comes from memory. A key that was revoked, or whose account was restricted, by any process is
//! refused within a second (decisions 12 and 51): what stands here is read again after 0.4 s by one request while
//! the others go on, and never used after 0.9 s.

use crate::actors::context::Undelivered;
use crate::actors::ledger::{Ask, Ledgers};
use crate::actors::limiter::{Lend, Limiters};
use crate::domain::clock::{Clock, Timestamp};
use crate::domain::id::{KeyId, UserId};
use crate::domain::key::{ApiKey, HashedKey, Pepper};
use crate::domain::lent::Lent;
use crate::domain::quota::Cell;
use crate::domain::usage::MonthOfUse;
use crate::domain::user::Standing;
use crate::store::connection::Store;
use crate::store::model::Holder;
use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64};
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};
use std::time::Duration;

/// After this one request looks whether a key is still good.
const RECHECK_SOFT: Duration = Duration::from_millis(400);
/// After this nobody is let in on what was read before.
const RECHECK_HARD: Duration = Duration::from_millis(900);
/// After this a key that was not used is forgotten here.
const FORGET_AFTER: Duration = Duration::from_secs(180);

/// Parts of the memory of keys; a power of two, for the keys' hashes to spread over evenly.
const SHARDS: usize = 16;

/// Keys that a thread remembers, each in a place of its own that another may take.
const PLACES: usize = 1_024;
/// Most characters of what is remembered; a key has fewer.
const TOKEN_LEN_MAX: usize = 128;

/// Somebody who showed a valid key.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The account.
    pub user_id: UserId,
    /// The key.
    pub key_id: KeyId,
    /// The key's windows.
    pub cell: Lent<Cell>,
}

/// Why a token was not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Denied {
    /// Not a key of ours.
    Unknown,
    /// The key was revoked.
    Revoked,
    /// The account was restricted.
    Restricted,
    /// It cannot be told now: the database does not answer.
    Unavailable,
}

/// A question that cannot be answered now, because the database does not answer. Asking again later may succeed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unavailable;

/// Knows accounts and keys. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Accounts(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// Tells this memory from any other in the process.
    number: u64,
    store: Store,
    ledgers: Ledgers,
    limiters: Limiters,
    pepper: Pepper,
    brand: String,
    clock: Clock,
    /// In shards, so that threads that look up different keys do not wait for each other.
    known: [RwLock<HashMap<HashedKey, Arc<Known>>>; SHARDS],
    /// Held while last uses are written down: a stop waits for the round that has begun.
    noting: tokio::sync::Mutex<()>,
}

impl Inner {
    fn shard(&self, HashedKey([first, ..]): HashedKey) -> &RwLock<HashMap<HashedKey, Arc<Known>>> {
        let [zeroth, ..] = &self.known;
        self.known
            .get(usize::from(first) % SHARDS)
            .unwrap_or(zeroth)
    }
}

/// A key that was seen lately.
#[derive(Debug)]
struct Known {
    holder: Mutex<Holder>,
    cell: Lent<Cell>,
    checked: AtomicI64,
    checking: AtomicBool,
    used: AtomicI64,
    used_written: AtomicI64,
}

/// Which key a token is, by what this thread was shown before: it spares nearly every request the checksum, the HMAC and a look into the
/// memory that all threads share. No token is in it, only what a hash with secrets of the thread makes of one, in 128 bits;
/// and what is known of the key belongs to the memory of all, which may forget it.
struct Shown {
    secrets: [RandomState; 2],
    places: Vec<(Tag, Weak<Known>)>,
}

type Tag = [u64; 2];

thread_local! {
    static SHOWN: RefCell<Shown> = RefCell::new(Shown {
        secrets: Default::default(),
        places: vec![Default::default(); PLACES],
    });
}

impl Shown {
    fn tag(&self, number: u64, token: &str) -> Tag {
        let [first, second] = &self.secrets;
        [first, second].map(|secret| secret.hash_one((number, token)))
    }

    fn place(tag: Tag) -> usize {
        let [first, _] = tag;
        usize::try_from(first % PLACES as u64).unwrap_or(0)
    }

    fn find(&self, tag: Tag) -> Option<Arc<Known>> {
        let (of, known) = self.places.get(Self::place(tag))?;
        (*of == tag).then(|| known.upgrade()).flatten()
    }

    fn remember(&mut self, tag: Tag, known: &Arc<Known>) {
        if let Some(place) = self.places.get_mut(Self::place(tag)) {
            *place = (tag, Arc::downgrade(known));
        }
    }
}

impl Known {
    /// Who it is, when that was looked at a moment ago.
    fn fresh(&self, now: Timestamp) -> Option<Result<Caller, Denied>> {
        (self.age(now) < RECHECK_SOFT).then(|| {
            self.used.store(now.micros(), Relaxed);
            self.caller()
        })
    }

    fn age(&self, now: Timestamp) -> Duration {
        now.since(Timestamp::from_micros(self.checked.load(Relaxed)))
    }

    fn caller(&self) -> Result<Caller, Denied> {
        let holder = *self.holder.lock().unwrap_or_else(PoisonError::into_inner);
        match holder {
            Holder {
                restricted: true, ..
            } => Err(Denied::Restricted),
            Holder { revoked: true, .. } => Err(Denied::Revoked),
            Holder {
                key_id, user_id, ..
            } => Ok(Caller {
                user_id,
                key_id,
                cell: self.cell.clone(),
            }),
        }
    }
}

impl Accounts {
    /// Knows nobody yet.
    #[must_use]
    pub fn new(
        store: Store,
        ledgers: Ledgers,
        limiters: Limiters,
        pepper: Pepper,
        brand: String,
        clock: Clock,
    ) -> Self {
        static MEMORIES: AtomicU64 = AtomicU64::new(0);
        Self(Arc::new(Inner {
            number: MEMORIES.fetch_add(1, Relaxed),
            store,
            ledgers,
            limiters,
            pepper,
            brand,
            clock,
            known: Default::default(),
            noting: tokio::sync::Mutex::default(),
        }))
    }

    /// Whose key `token` is, when that is known without a look-up: a key seen a moment ago, or one that nobody can have. `now` is steady.
    #[must_use]
    pub fn recognise(&self, token: &str, now: Timestamp) -> Option<Result<Caller, Denied>> {
        let inner = &*self.0;
        if token.len() > TOKEN_LEN_MAX {
            return Some(Err(Denied::Unknown));
        }
        let tag = SHOWN.with_borrow(|shown| shown.tag(inner.number, token));
        let known = SHOWN.with_borrow(|shown| shown.find(tag));
        if let Some(fresh) = known.and_then(|known| known.fresh(now)) {
            return Some(fresh);
        }
        let Some(key) = ApiKey::parse(&inner.brand, token) else {
            return Some(Err(Denied::Unknown));
        };
        let hash = key.hash(&inner.pepper);
        let known = inner
            .shard(hash)
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        let known = known.get(&hash)?;
        let fresh = known.fresh(now)?;
        SHOWN.with_borrow_mut(|shown| shown.remember(tag, known));
        Some(fresh)
    }

    /// Whose key `token` is. A mistyped one is told apart without a look-up.
    ///
    /// # Errors
    /// [`Denied`], with the reason.
    pub async fn authenticate(&self, token: &str) -> Result<Caller, Denied> {
        let inner = &*self.0;
        let hash = ApiKey::parse(&inner.brand, token)
            .ok_or(Denied::Unknown)?
            .hash(&inner.pepper);
        let now = inner.clock.steady();
        let known = inner
            .shard(hash)
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&hash)
            .cloned();
        let known = match known {
            Some(known) => {
                let age = known.age(now);
                let due = age >= RECHECK_SOFT && !known.checking.swap(true, Relaxed);
                if due || age >= RECHECK_HARD {
                    let read = inner.store.holder_of(hash).await;
                    known.checking.store(false, Relaxed);
                    let holder = read
                        .map_err(|_| Denied::Unavailable)?
                        .ok_or(Denied::Unknown)?;
                    *known.holder.lock().unwrap_or_else(PoisonError::into_inner) = holder;
                    known.checked.store(now.micros(), Relaxed);
                }
                known
            }
            None => self.meet(hash, now).await?,
        };
        known.used.store(now.micros(), Relaxed);
        known.caller()
    }

    /// A key that is not known here: asks the store, and the key's limiter for its cell.
    async fn meet(&self, hash: HashedKey, now: Timestamp) -> Result<Arc<Known>, Denied> {
        let inner = &*self.0;
        let read = inner.store.holder_of(hash).await.map_err(|error| {
            tracing::error!(%error, "a key cannot be looked up");
            Denied::Unavailable
        })?;
        let holder = read.ok_or(Denied::Unknown)?;
        let cell = inner
            .limiters
            .of(holder.key_id)
            .ask(Lend)
            .await
            .map_err(|_| Denied::Unavailable)?;
        let known = Known {
            holder: Mutex::new(holder),
            cell,
            checked: AtomicI64::new(now.micros()),
            checking: AtomicBool::new(false),
            used: AtomicI64::new(now.micros()),
            used_written: AtomicI64::new(0),
        };
        let mut all = inner
            .shard(hash)
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        Ok(Arc::clone(
            all.entry(hash).or_insert_with(|| Arc::new(known)),
        ))
    }

    /// Where an account stands.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn standing(&self, user_id: UserId) -> Result<Standing, Unavailable> {
        if let Some(standing) = self.0.ledgers.fresh(user_id) {
            return Ok(standing);
        }
        match self.0.ledgers.of(user_id).ask(Ask).await {
            Ok(Ok(Some(standing))) => Ok(standing),
            Ok(Ok(None)) => Err(Unavailable),
            Ok(Err(error)) => {
                tracing::error!(%error, "a balance cannot be read");
                Err(Unavailable)
            }
            Err(Undelivered::Full | Undelivered::Gone) => Err(Unavailable),
        }
    }

    /// What a language model took for the runs of an account, month by month, the latest first.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn usage(&self, user_id: UserId) -> Result<Vec<MonthOfUse>, Unavailable> {
        let used = self.0.store.usage_by_month(user_id).await;
        used.map_err(|error| {
            tracing::error!(%error, "what a model took cannot be read");
            Unavailable
        })
    }

    /// Writes down when keys were last used, and forgets those that were not used for a while.
    pub async fn note_uses(&self) {
        let _one_at_a_time = self.0.noting.lock().await;
        let now = self.0.clock.steady();
        let mut uses = Vec::new();
        for shard in &self.0.known {
            let mut all = shard.write().unwrap_or_else(PoisonError::into_inner);
            for known in all.values() {
                let used = known.used.load(Relaxed);
                if known.used_written.swap(used, Relaxed) != used {
                    let key_id = known
                        .holder
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .key_id;
                    let used = self.0.clock.of_day(Timestamp::from_micros(used));
                    uses.push((key_id, used));
                }
            }
            all.retain(|_, known| {
                now.since(Timestamp::from_micros(known.used.load(Relaxed))) < FORGET_AFTER
            });
        }
        if !uses.is_empty()
            && let Err(error) = self.0.store.record_last_used(uses).await
        {
            tracing::warn!(%error, "the last uses of keys cannot be written down");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::lent::Lendable;
    use crate::domain::quota::Rates;

    fn known() -> Arc<Known> {
        let holder = Holder {
            key_id: KeyId::new(),
            user_id: UserId::new(),
            revoked: false,
            restricted: false,
        };
        let rates = Rates {
            generate_per_minute: 1,
            other_per_minute: 1,
        };
        Arc::new(Known {
            holder: Mutex::new(holder),
            cell: Lendable::new(Cell::new(holder.key_id, rates)).lend(),
            checked: AtomicI64::new(0),
            checking: AtomicBool::new(false),
            used: AtomicI64::new(0),
            used_written: AtomicI64::new(0),
        })
    }

    #[test]
    fn a_thread_remembers_a_key_until_all_have_forgotten_it_and_only_in_its_own_house() {
        SHOWN.with_borrow_mut(|shown| {
            let (ours, theirs) = (shown.tag(1, "a token"), shown.tag(2, "a token"));
            assert_ne!(ours, theirs);
            assert_eq!(shown.tag(1, "a token"), ours);
            let key = known();
            shown.remember(ours, &key);
            assert!(
                shown
                    .find(ours)
                    .is_some_and(|found| Arc::ptr_eq(&found, &key))
            );
            assert!(shown.find(theirs).is_none());
            assert_eq!(Arc::strong_count(&key), 1, "the memory of all decides");
            drop(key);
            assert!(shown.find(ours).is_none());
        });
    }

    #[test]
    fn a_key_whose_place_was_taken_is_not_taken_for_the_other() {
        SHOWN.with_borrow_mut(|shown| {
            let [first, second] = shown.tag(1, "a token");
            let (one, other) = ([first, second], [first, second.wrapping_add(1)]);
            let (key, another) = (known(), known());
            shown.remember(one, &key);
            shown.remember(other, &another);
            assert!(shown.find(one).is_none());
            assert!(
                shown
                    .find(other)
                    .is_some_and(|found| Arc::ptr_eq(&found, &another))
            );
        });
    }
}
