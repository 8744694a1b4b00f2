//! Owns the second factor: codes of an authenticator (RFC 6238), asked for after whatever else let somebody in.
//!
//! ```text
//! password, link, code or provider ─▶ Halfway ─▶ a token for some minutes ─▶ code ─▶ sessions
//! ```
//!
//! A recovery code is as good as a code of the authenticator, once. The secret lies sealed in the store: who reads the database alone
//! learns no code. What is between the two steps lies in the browser, under the pepper, and nobody can make one; it is bound to the
//! password as it was, so that a new password makes it worth nothing.

use crate::domain::clock::Timestamp;
use crate::domain::id::{SessionId, UserId};
use crate::domain::key::{Digest, to_hex};
use crate::domain::totp::{self, SECRET_LEN, Secret};
use crate::domain::user::Email;
use crate::services::accounts::Unavailable;
use crate::services::attempts::CODES;
use crate::services::limits::Attempt;
use crate::services::members::noted::Noted as _;
use crate::services::members::sessions::Entry;
use crate::services::members::{Inner, Members, Refusal, Whence, is_same, token, unavailable};
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use std::time::Duration;
use url::form_urlencoded;

/// How long somebody has for the second step.
pub const HALFWAY_MAX: Duration = Duration::from_secs(600);
/// What the tokens between the steps, and the key under which secrets are sealed, are made for.
const HALFWAY: &str = "halfway";
const SEAL: &str = "second-factor";
/// What is said of a code that is not taken.
const NOT_GOOD: &str = "this code is not good, or was used before; wait for the next one, and see that the telephone's clock is right";

/// How far somebody came whom the first step let in.
#[derive(Debug)]
pub enum LetIn {
    /// All the way.
    Whole(Entry),
    /// To the second step: the token for its cookie.
    Halfway(String),
}

/// What an owner's authenticator is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enrolment {
    /// The secret, for whoever types it.
    pub secret: String,
    /// The address that says it all, for whoever scans or follows it.
    pub address: String,
}

impl Enrolment {
    fn of(secret: &Secret, email: &Email) -> Self {
        let account: String = form_urlencoded::byte_serialize(email.as_str().as_bytes()).collect();
        let secret = secret.text();
        Self {
            address: format!("otpauth://totp/skillkiln:{account}?secret={secret}&issuer=skillkiln"),
            secret,
        }
    }
}

impl Members {
    /// Lets somebody in whom the first step let in: all the way, unless the account has a second factor.
    pub(super) async fn let_in(
        &self,
        user_id: UserId,
        whence: &Whence,
        before: Option<&str>,
    ) -> Result<LetIn, Unavailable> {
        if self.second_factor_since(user_id).await?.is_some() {
            return Ok(LetIn::Halfway(self.0.halfway(user_id).await?));
        }
        Ok(LetIn::Whole(
            self.begin_session(user_id, whence, before).await?,
        ))
    }

    /// Since when an account has a second factor.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn second_factor_since(
        &self,
        user_id: UserId,
    ) -> Result<Option<Timestamp>, Unavailable> {
        let found = self.0.store.second_factor(user_id).await;
        let found = found.map_err(|error| unavailable(&error))?;
        Ok(found.and_then(|factor| factor.confirmed_at))
    }

    /// Whether a token is one of somebody who may take the second step now.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn is_halfway(&self, token: &str) -> Result<bool, Unavailable> {
        Ok(self.0.read_halfway(token).await?.is_some())
    }

    /// Takes the second step, with a code of the authenticator or a recovery code.
    ///
    /// # Errors
    /// [`Refusal`]; [`Refusal::Missing`] when the first step is to be taken again.
    pub async fn second_step(
        &self,
        token: &str,
        typed: &str,
        whence: &Whence,
        before: Option<&str>,
    ) -> Result<Entry, Refusal> {
        let mut who = None;
        let outcome: Result<Entry, Refusal> = async {
            let inner = &*self.0;
            let user_id = inner.read_halfway(token).await?.ok_or(Refusal::Missing)?;
            who = Some(user_id);
            // Those who know the password share one count, but for browsers that the account knows.
            let device = inner.known_device(user_id, whence).unwrap_or_default();
            let tried = inner.try_code(user_id, &device).await?;
            if !inner.takes(user_id, typed).await? {
                return Err(Refusal::invalid(NOT_GOOD));
            }
            inner.limits.forgive(&tried).await;
            let user = inner.store.user(user_id).await;
            let user = user.map_err(|error| unavailable(&error))?;
            if user.is_none_or(|user| user.restricted) {
                return Err(Refusal::Restricted);
            }
            Ok(self.begin_session(user_id, whence, before).await?)
        }
        .await;
        outcome.noted("second factor", who, Some(whence))
    }

    /// Offers a second factor to somebody who is signed in and knows the password; nothing is asked for until it is confirmed.
    ///
    /// # Errors
    /// [`Refusal`].
    pub async fn offer_second_factor(
        &self,
        (user_id, email): (UserId, &Email),
        session: SessionId,
        password: String,
    ) -> Result<Enrolment, Refusal> {
        let inner = &*self.0;
        self.check_password(user_id, session, password).await?;
        let mut bytes = [0; SECRET_LEN];
        getrandom::fill(&mut bytes).map_err(|_| Refusal::Unavailable)?;
        let secret = Secret(bytes);
        let sealed = inner.seal(user_id, &secret)?;
        let now = inner.clock.now();
        let offered = inner.store.offer_second_factor(user_id, sealed, now).await;
        if !offered.map_err(|error| unavailable(&error))? {
            return Err(Refusal::invalid(
                "your account has a second factor already; turn it off first",
            ));
        }
        Ok(Enrolment::of(&secret, email))
    }

    /// What is offered to an account and not confirmed, if anything.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn offered_second_factor(
        &self,
        (user_id, email): (UserId, &Email),
    ) -> Result<Option<Enrolment>, Unavailable> {
        let found = self.0.store.second_factor(user_id).await;
        let found = found.map_err(|error| unavailable(&error))?;
        let waiting = found.filter(|factor| factor.confirmed_at.is_none());
        let secret = waiting.and_then(|factor| self.0.unseal(user_id, &factor.sealed));
        Ok(secret.map(|secret| Enrolment::of(&secret, email)))
    }

    /// Turns on what was offered, once its owner shows that the authenticator has it. The recovery codes are new, and exist in the
    /// answer alone.
    ///
    /// # Errors
    /// [`Refusal`].
    pub async fn confirm_second_factor(
        &self,
        user_id: UserId,
        session: SessionId,
        typed: &str,
    ) -> Result<Vec<String>, Refusal> {
        let outcome: Result<Vec<String>, Refusal> = async {
            let inner = &*self.0;
            let tried = inner.try_code(user_id, &session.to_string()).await?;
            let found = inner.store.second_factor(user_id).await;
            let found = found.map_err(|error| unavailable(&error))?;
            let waiting = found.filter(|factor| factor.confirmed_at.is_none());
            let secret = waiting.and_then(|factor| inner.unseal(user_id, &factor.sealed));
            let secret = secret.ok_or_else(|| {
                Refusal::invalid("there is nothing to confirm; begin again with your password")
            })?;
            let now = inner.clock.now();
            let step = secret.step_of(typed, now, 0);
            let step = step.ok_or_else(|| Refusal::invalid(NOT_GOOD))?;
            let codes = inner.fresh_codes()?;
            let confirmed = inner
                .store
                .confirm_second_factor(user_id, step, codes.digests, now)
                .await;
            if !confirmed.map_err(|error| unavailable(&error))? {
                return Err(Refusal::invalid("your account has a second factor already"));
            }
            inner.limits.forgive(&tried).await;
            Ok(codes.shown)
        }
        .await;
        outcome.noted("second factor on", Some(user_id), None)
    }

    /// Turns the second factor of somebody off who is signed in and knows the password.
    ///
    /// # Errors
    /// [`Refusal`].
    pub async fn drop_second_factor(
        &self,
        user_id: UserId,
        session: SessionId,
        password: String,
    ) -> Result<(), Refusal> {
        let outcome: Result<(), Refusal> = async {
            self.check_password(user_id, session, password).await?;
            let dropped = self.0.store.drop_second_factor(user_id).await;
            dropped.map_err(|error| unavailable(&error))?;
            Ok(())
        }
        .await;
        outcome.noted("second factor off", Some(user_id), None)
    }
}

impl Inner {
    /// Counts a try to be let in by a code, from a browser that the account knows, or from all others together: a code has six figures, and
    /// who is asked for one knows the password.
    async fn try_code(&self, user_id: UserId, by: &str) -> Result<Attempt, Refusal> {
        self.count(CODES, &format!("{user_id} {by}")).await
    }

    /// Uses a code up, if it is good.
    async fn takes(&self, user_id: UserId, typed: &str) -> Result<bool, Unavailable> {
        let now = self.clock.now();
        if !totp::is_code(typed) {
            let code = self.recovery_digest(typed);
            let used = self.store.use_recovery_code(user_id, code, now).await;
            return used.map_err(|error| unavailable(&error));
        }
        let found = self.store.second_factor(user_id).await;
        let found = found.map_err(|error| unavailable(&error))?;
        let Some(factor) = found.filter(|factor| factor.confirmed_at.is_some()) else {
            return Ok(false);
        };
        let Some(secret) = self.unseal(user_id, &factor.sealed) else {
            return Ok(false);
        };
        match secret.step_of(typed, now, factor.last_step) {
            Some(step) => {
                let used = self.store.use_step(user_id, step).await;
                used.map_err(|error| unavailable(&error))
            }
            None => Ok(false),
        }
    }

    /// What somebody's browser keeps between the two steps.
    async fn halfway(&self, user_id: UserId) -> Result<String, Unavailable> {
        let ends = self.clock.now().plus(HALFWAY_MAX).micros();
        let body = format!("{user_id}.{ends}.{}", token()?);
        let mark = self.mark_halfway(user_id, &body).await?;
        Ok(format!("{body}.{}", to_hex(&mark.0)))
    }

    async fn read_halfway(&self, token: &str) -> Result<Option<UserId>, Unavailable> {
        let read = || {
            let (body, mark) = token.rsplit_once('.')?;
            let (user_id, rest) = body.split_once('.')?;
            let (ends, _) = rest.split_once('.')?;
            let ends = Timestamp::from_micros(ends.parse().ok()?);
            Some((UserId::parse(user_id)?, ends, body, mark))
        };
        let Some((user_id, ends, body, mark)) = read() else {
            return Ok(None);
        };
        let ours = self.mark_halfway(user_id, body).await?;
        let is_good = is_same(&to_hex(&ours.0), mark) && self.clock.now() < ends;
        Ok(is_good.then_some(user_id))
    }

    async fn mark_halfway(&self, user_id: UserId, body: &str) -> Result<Digest, Unavailable> {
        let hash = self.store.password_hash(user_id).await;
        let hash = hash.map_err(|error| unavailable(&error))?;
        let bound = format!("{body} {}", hash.unwrap_or_default());
        Ok(self.pepper.digest(HALFWAY, &bound))
    }

    fn sealing(&self) -> Result<LessSafeKey, Unavailable> {
        let key = self.pepper.digest(SEAL, "");
        let key = UnboundKey::new(&CHACHA20_POLY1305, &key.0).map_err(|_| Unavailable)?;
        Ok(LessSafeKey::new(key))
    }

    /// Seals a secret for one account.
    fn seal(&self, user_id: UserId, secret: &Secret) -> Result<Vec<u8>, Unavailable> {
        let mut nonce = [0; NONCE_LEN];
        getrandom::fill(&mut nonce).map_err(|_| Unavailable)?;
        let mut sealed = secret.0.to_vec();
        self.sealing()?
            .seal_in_place_append_tag(
                Nonce::assume_unique_for_key(nonce),
                Aad::from(user_id.0.as_bytes()),
                &mut sealed,
            )
            .map_err(|_| Unavailable)?;
        Ok([&nonce[..], &sealed].concat())
    }

    /// Opens what was sealed; none, with word in the log, when it was sealed under another pepper or for another account.
    fn unseal(&self, user_id: UserId, sealed: &[u8]) -> Option<Secret> {
        let open = || {
            let (nonce, sealed) = sealed.split_first_chunk::<NONCE_LEN>()?;
            let mut bytes = sealed.to_vec();
            let key = self.sealing().ok()?;
            let nonce = Nonce::assume_unique_for_key(*nonce);
            let aad = Aad::from(user_id.0.as_bytes());
            let opened = key.open_in_place(nonce, aad, &mut bytes).ok()?;
            Some(Secret(<[u8; SECRET_LEN]>::try_from(&*opened).ok()?))
        };
        let secret = open();
        if secret.is_none() {
            tracing::error!(
                "a second factor cannot be opened: it was sealed under another pepper; `user drop-second-factor` takes it away"
            );
        }
        secret
    }
}
