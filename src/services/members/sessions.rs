//! Owns who is signed in: a session is a row in the store, known to its browser by a token and to us by the token's digest.
//!
//! Each request reads the row, so a session that was ended, or whose account was restricted, is refused at once on every node.

use crate::actors::limiter::Lend;
use crate::domain::clock::Timestamp;
use crate::domain::id::{KeyId, SessionId, UserId};
use crate::domain::key::Digest;
use crate::domain::lent::Lent;
use crate::domain::quota::Cell;
use crate::domain::user::Email;
use crate::services::accounts::Unavailable;
use crate::services::attempts::neighbourhood;
use crate::services::members::noted;
use crate::services::members::{Members, Whence, token, unavailable};
use crate::store::model::{NewSession, Session};
use std::time::Duration;

/// What the tokens' digests are made for.
const PURPOSE: &str = "session";
/// Characters of a token.
const TOKEN_LEN: usize = 64;
/// How stale the time of the last use may be.
const SEEN_EVERY: Duration = Duration::from_secs(60);
/// Characters kept of what a browser calls itself.
const AGENT_CHARS_MAX: usize = 200;

/// Somebody whose browser is signed in.
#[derive(Debug, Clone)]
pub struct SignedIn {
    /// The session.
    pub session_id: SessionId,
    /// The account.
    pub user_id: UserId,
    /// Its address.
    pub email: Email,
    /// Whether the account may do nothing (decision 13).
    pub restricted: bool,
    /// The account's windows.
    pub cell: Lent<Cell>,
}

/// A browser in the list of an account's sessions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Browser {
    /// The session.
    pub id: SessionId,
    /// What it calls itself.
    pub agent: String,
    /// From where it signed in.
    pub network: String,
    /// When it signed in.
    pub created_at: Timestamp,
    /// When it was last used.
    pub seen_at: Timestamp,
}

/// What a browser keeps of somebody's having come in by it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The token of the session.
    pub token: String,
    /// What the browser is known by from now on, for longer than the session.
    pub device: String,
}

impl Members {
    /// Begins a session; the token is in the answer alone. Whatever session the browser had before is ended, so that nobody can
    /// be given a session beforehand.
    pub(super) async fn begin_session(
        &self,
        user_id: UserId,
        whence: &Whence,
        before: Option<&str>,
    ) -> Result<Entry, Unavailable> {
        let inner = &*self.0;
        if let Some(before) = before {
            self.sign_out(before).await?;
        }
        let token = token()?;
        let now = inner.clock.now();
        let session = NewSession {
            id: SessionId::new(),
            user_id,
            digest: inner.pepper.digest(PURPOSE, &token),
            agent: whence
                .agent
                .chars()
                .filter(|c| !c.is_control())
                .take(AGENT_CHARS_MAX)
                .collect(),
            network: neighbourhood(whence.address),
            at: now,
            expires_at: self.end_of(now, now),
        };
        let begun = inner.store.begin_session(session).await;
        begun.map_err(|error| unavailable(&error))?;
        noted::done("signed in", user_id, Some(whence));
        let device = inner.device_knowing(user_id, whence)?;
        Ok(Entry { token, device })
    }

    /// When a session that began then and was used now ends.
    fn end_of(&self, began: Timestamp, now: Timestamp) -> Timestamp {
        let rules = self.rules();
        now.plus(rules.session_idle)
            .min(began.plus(rules.session_max))
    }

    fn digest_of(&self, token: &str) -> Option<Digest> {
        let sound = token.len() == TOKEN_LEN && token.bytes().all(|byte| byte.is_ascii_hexdigit());
        sound.then(|| self.0.pepper.digest(PURPOSE, token))
    }

    async fn session(&self, token: &str) -> Result<Option<Session>, Unavailable> {
        let Some(digest) = self.digest_of(token) else {
            return Ok(None);
        };
        let found = self.0.store.session(digest, self.0.clock.now()).await;
        found.map_err(|error| unavailable(&error))
    }

    /// Who is signed in with a token, if anybody.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn signed_in(&self, token: &str) -> Result<Option<SignedIn>, Unavailable> {
        let inner = &*self.0;
        let Some(session) = self.session(token).await? else {
            return Ok(None);
        };
        let now = inner.clock.now();
        if now.since(session.seen_at) >= SEEN_EVERY {
            let end = self.end_of(session.created_at, now);
            if let Err(error) = inner.store.touch_session(session.id, now, end).await {
                tracing::warn!(%error, "the use of a session cannot be written down");
            }
        }
        // An account's windows lie among those of the keys, under its own identity.
        let cell = inner
            .limiters
            .of(KeyId(session.user_id.0))
            .ask(Lend)
            .await
            .map_err(|_| Unavailable)?;
        Ok(Some(SignedIn {
            session_id: session.id,
            user_id: session.user_id,
            email: session.email,
            restricted: session.restricted,
            cell,
        }))
    }

    /// Ends the session of a token.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn sign_out(&self, token: &str) -> Result<(), Unavailable> {
        if let Some(session) = self.session(token).await? {
            self.end_session(session.user_id, session.id).await?;
        }
        Ok(())
    }

    /// Ends a session of an account; false when it has no such session.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn end_session(&self, user_id: UserId, id: SessionId) -> Result<bool, Unavailable> {
        let ended = self.0.store.end_session(user_id, id).await;
        let ended = ended.map_err(|error| unavailable(&error))?;
        if ended {
            noted::done("signed out", user_id, None);
        }
        Ok(ended)
    }

    /// Ends all sessions of an account, but the one that asks if it wants to stay.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn sign_out_everywhere(
        &self,
        user_id: UserId,
        but: Option<SessionId>,
    ) -> Result<(), Unavailable> {
        let ended = self.0.store.end_sessions(user_id, but).await;
        ended.map_err(|error| unavailable(&error))?;
        noted::done("signed out everywhere", user_id, None);
        Ok(())
    }

    /// The browsers that are signed in to an account, the last used first.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn browsers(&self, user_id: UserId) -> Result<Vec<Browser>, Unavailable> {
        let found = self.0.store.sessions_of(user_id, self.0.clock.now()).await;
        let sessions = found.map_err(|error| unavailable(&error))?;
        let browser = |session: Session| Browser {
            id: session.id,
            agent: session.agent,
            network: session.network,
            created_at: session.created_at,
            seen_at: session.seen_at,
        };
        Ok(sessions.into_iter().map(browser).collect())
    }

    /// Forgets the sessions that ended.
    pub async fn forget_ended(&self) {
        if let Err(error) = self.0.store.expire_sessions(self.0.clock.now()).await {
            tracing::warn!(%error, "ended sessions cannot be forgotten");
        }
    }
}
