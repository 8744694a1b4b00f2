//! Owns what a person does with their account in a browser: joining, signing in and out, passwords, recovery, keys, the history.
//!
//! ```text
//! join ─▶ sessions ─▶ a token in a cookie ─▶ who is signed in
//! door: the password, slowed down when guessed        recovery: codes for a lost password
//! devices: browsers that an account knows
//! mail: links that verify an address or set a password    openid: those for whom another vouches
//! second_factor: a code of an authenticator, asked for after any of these
//! ways: who they are to whom, and one way in that stays    noted: what the log says of all this
//! keys: made, named, revoked                          history: what moved the credits
//! ```
//!
//! Secrets leave this room once, in the answer to the request that made them. The store knows digests only.

mod devices;
pub mod door;
pub mod history;
pub mod join;
pub mod keys;
pub mod mail;
pub mod noted;
pub mod openid;
pub mod recovery;
pub mod second_factor;
pub mod sessions;
pub mod ways;

use crate::actors::ledger::Ledgers;
use crate::actors::limiter::Limiters;
use crate::domain::attempts::Kind;
use crate::domain::clock::Clock;
use crate::domain::key::{Pepper, to_hex};
use crate::domain::user::Email;
use crate::services::accounts::Unavailable;
use crate::services::attempts::{SAMPLES, subscriber};
use crate::services::limits::{Attempt, Limits};
use crate::services::passwords;
use crate::store::connection::Store;
use crate::store::model::StoreError;
use mail::Post;
use openid::Voucher;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Mutex, Semaphore};

/// Passwords hashed at once: each takes a core for tens of milliseconds and 19 MiB.
const HASHED_AT_ONCE: usize = 2;
/// The same for browsers that an account knows: they do not stand in line with strangers.
const HASHED_AT_ONCE_KNOWN: usize = 1;
/// How long a sign-in waits for its turn to be hashed.
const HASH_WAIT: Duration = Duration::from_secs(5);

/// How accounts are handled. Plain values: settings stop at the door.
#[derive(Debug, Clone)]
pub struct Rules {
    /// What keys begin with, before `_sk_`.
    pub brand: String,
    /// Who may make an account.
    pub admission: Admission,
    /// The first credits.
    pub welcome: u32,
    /// Accounts from one network that get them, a day.
    pub welcomes_per_network: u32,
    /// Whether the service is known by an address of this machine alone. Whoever comes from the machine itself is then its owner, and
    /// no stranger behind a proxy that nobody told of; they are welcomed every time.
    pub is_at_home: bool,
    /// After this without a request a session ends.
    pub session_idle: Duration,
    /// After this a session ends in any case.
    pub session_max: Duration,
}

/// Who may make an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// Anybody.
    Open,
    /// Whoever has an invitation.
    Invited,
    /// Nobody.
    Nobody,
}

/// Where a request comes from, as far as it can be told.
#[derive(Debug, Clone)]
pub struct Whence {
    /// The address.
    pub address: IpAddr,
    /// What the browser calls itself.
    pub agent: String,
    /// What it keeps of the accounts that know it, whatever that is worth.
    pub device: Option<String>,
}

/// Why something was not done. The words say what would help.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// What was sent must be corrected.
    Invalid(String),
    /// The address has an account: said only where nobody learns by it what is not theirs to know, or seldom.
    Taken(String),
    /// Too many tries; again after so many seconds.
    TooMany {
        /// When.
        retry_after_s: u32,
    },
    /// The account is restricted.
    Restricted,
    /// There is no such thing.
    Missing,
    /// Somebody whom the service needs for this does not answer now.
    Elsewhere(String),
    /// The service cannot answer now.
    Unavailable,
}

impl Refusal {
    fn invalid(words: impl Into<String>) -> Self {
        Self::Invalid(words.into())
    }
}

impl From<Unavailable> for Refusal {
    fn from(_: Unavailable) -> Self {
        Self::Unavailable
    }
}

/// Knows people by their browsers. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Members(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    store: Store,
    ledgers: Ledgers,
    limiters: Limiters,
    pepper: Pepper,
    clock: Clock,
    rules: Rules,
    post: Option<Post>,
    vouchers: Vec<Voucher>,
    limits: Limits,
    hashing: Semaphore,
    hashing_known: Semaphore,
    /// Accounts are made one after the other, so that the welcomes of a network are counted exactly.
    joining: Mutex<()>,
}

impl Members {
    /// Nobody is signed in yet that the store does not know of.
    #[must_use]
    pub fn new(
        store: Store,
        (ledgers, limiters): (Ledgers, Limiters),
        pepper: Pepper,
        clock: Clock,
        limits: Limits,
        rules: Rules,
        (post, vouchers): (Option<Post>, Vec<Voucher>),
    ) -> Self {
        Self(Arc::new(Inner {
            store,
            ledgers,
            limiters,
            pepper,
            clock,
            rules,
            post,
            vouchers,
            limits,
            hashing: Semaphore::new(HASHED_AT_ONCE),
            hashing_known: Semaphore::new(HASHED_AT_ONCE_KNOWN),
            joining: Mutex::new(()),
        }))
    }

    /// Counts a text that somebody tries without an account.
    ///
    /// # Errors
    /// [`Refusal::TooMany`].
    pub async fn may_try(&self, whence: &Whence) -> Result<(), Refusal> {
        self.0.count_from(SAMPLES, whence).await.map(|_| ())
    }

    /// How accounts are handled.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.0.rules
    }
}

/// Where somebody stands in line whose password is hashed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    /// Among those whose browsers their accounts know.
    Known,
    /// Among all others.
    Anybody,
}

impl Inner {
    /// Counts a try. What tells one from another stays here: nobody learns from what is kept of it who it was.
    async fn count(&self, kind: Kind, who: &str) -> Result<Attempt, Refusal> {
        const LEN: usize = 32;
        let digest = self
            .pepper
            .digest("attempt", &format!("{}:{who}", kind.name));
        let mut name = to_hex(&digest.0);
        name.truncate(LEN);
        let counted = self.limits.attempt(kind, name).await;
        counted.map_err(|retry_after_s| Refusal::TooMany { retry_after_s })
    }

    /// Counts a try by the address that it comes from.
    async fn count_from(&self, kind: Kind, whence: &Whence) -> Result<Attempt, Refusal> {
        let address = subscriber(whence.address).to_string();
        self.count(kind, &address).await
    }

    /// Runs what hashes a password away from the requests, few at a time.
    async fn hashing<T: Send + 'static>(
        &self,
        line: Line,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Unavailable> {
        let line = match line {
            Line::Known => &self.hashing_known,
            Line::Anybody => &self.hashing,
        };
        let turn = tokio::time::timeout(HASH_WAIT, line.acquire()).await;
        let _turn = turn.map_err(|_| Unavailable)?.map_err(|_| Unavailable)?;
        tokio::task::spawn_blocking(work)
            .await
            .map_err(|_| Unavailable)
    }

    /// Hashes a password that the owner of an address chose.
    async fn hash(&self, password: String, owner: &Email) -> Result<String, Refusal> {
        let owner = owner.clone();
        let hash = move || {
            passwords::weigh(&password, &owner)?;
            passwords::hash(&password)
        };
        self.hashing(Line::Anybody, hash)
            .await?
            .map_err(Refusal::Invalid)
    }
}

/// Says in the log why the store did not answer, and to the caller that it did not.
fn unavailable(error: &StoreError) -> Unavailable {
    tracing::error!(%error, "an account cannot be read or changed");
    Unavailable
}

/// 256 bits of the operating system's generator in 64 characters.
fn token() -> Result<String, Unavailable> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|_| Unavailable)?;
    Ok(to_hex(&bytes))
}

/// Whether two digests are the same, found out in the same time whatever they are.
fn is_same(ours: &str, theirs: &str) -> bool {
    let different = ours
        .bytes()
        .zip(theirs.bytes())
        .fold(0, |seen, (a, b)| seen | (a ^ b));
    ours.len() == theirs.len() && different == 0
}
