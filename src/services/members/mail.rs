//! Owns what is told by mail: how to make an account, that an address is its owner's, and how to set a new password.
//!
//! A message leaves in the background, so that nobody can tell from the time of an answer whether an address has an account.
//! A link is opened by a person's own press of a button: programs that look into mail press none.

use crate::actors::ledger::Grant;
use crate::domain::clock::Timestamp;
use crate::domain::credits::{Credits, GrantReason};
use crate::domain::id::{GrantId, UserId};
use crate::domain::user::Email;
use crate::providers::mail::Mailer;
use crate::services::accounts::Unavailable;
use crate::services::attempts::{MAILS, RECOVERIES};
use crate::services::members::noted::Noted as _;
use crate::services::members::second_factor::LetIn;
use crate::services::members::{Inner, Members, Refusal, Whence, token, unavailable};
use crate::store::model::{Purpose, Settled, Welcome};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

/// How long a link to verify an address is good.
const VERIFY_FOR: Duration = Duration::from_secs(3 * 24 * 3600);
/// How long a link to set a new password is good.
const RESET_FOR: Duration = Duration::from_secs(3600);
/// Messages on their way at once; more are dropped, and told in the log.
const SENT_AT_ONCE: usize = 16;

/// The way out for mail.
#[derive(Debug)]
pub struct Post {
    /// Sends it.
    pub mailer: Mailer,
    /// The address under which people reach the service.
    pub public_url: String,
    room: Arc<Semaphore>,
}

impl Post {
    /// Nothing on its way yet.
    #[must_use]
    pub fn new(mailer: Mailer, public_url: String) -> Self {
        Self {
            mailer,
            public_url,
            room: Arc::new(Semaphore::new(SENT_AT_ONCE)),
        }
    }

    fn send(&self, to: Email, subject: &'static str, text: String) {
        let Ok(place) = Arc::clone(&self.room).try_acquire_owned() else {
            tracing::warn!("a message was dropped: too many are on their way");
            return;
        };
        let mailer = self.mailer.clone();
        tokio::spawn(async move {
            let _place = place;
            if let Err(error) = mailer.send(&to, subject, text).await {
                tracing::warn!(error, "a message was not sent");
            }
        });
    }
}

/// What somebody is told who asked for an account.
pub(super) enum Letter {
    /// The path and query by which it is made.
    Link(String),
    /// There is one already.
    HasAccount,
}

impl Post {
    /// Tells the owner of an address that an account was asked for with it.
    pub(super) fn send_about_joining(&self, to: Email, letter: &Letter) {
        let url = &self.public_url;
        let (subject, text) = match letter {
            Letter::Link(link) => (
                "Make your skillkiln account",
                format!(
                    "Hello,\n\nopen this page and choose a password to make your account:\n\n{url}{link}\n\n\
                     The link is good for a day and works once. If you did not ask for an account, ignore this message: there is none.\n"
                ),
            ),
            Letter::HasAccount => (
                "You have a skillkiln account already",
                format!(
                    "Hello,\n\nsomebody asked for an account with your address. You have one already: sign in at\n\n{url}/signin\n\n\
                     If you lost your password, set a new one at\n\n{url}/forgot\n\nIf it was not you, ignore this message: nothing has changed.\n"
                ),
            ),
        };
        self.send(to, subject, text);
    }
}

/// Whether an account's address is its owner's, as far as it matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verification {
    /// When it was found to be.
    pub verified_at: Option<Timestamp>,
    /// Credits that wait for it.
    pub waiting: Credits,
}

impl Members {
    /// Whether mail can be sent.
    #[must_use]
    pub fn has_post(&self) -> bool {
        self.0.post.is_some()
    }

    /// Whether an account's address was verified. Where no mail is sent, nothing waits for it.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn verification(&self, user_id: UserId) -> Result<Verification, Unavailable> {
        let found = self.0.store.welcome(user_id).await;
        let Welcome {
            credits,
            verified_at,
        } = found.map_err(|error| unavailable(&error))?;
        let waits = self.has_post() && verified_at.is_none();
        Ok(Verification {
            verified_at,
            waiting: if waits { credits } else { Credits::ZERO },
        })
    }

    /// Sends the link that verifies an account's address.
    ///
    /// # Errors
    /// [`Refusal`].
    pub async fn send_verification(&self, user_id: UserId, email: &Email) -> Result<(), Refusal> {
        let Some(post) = &self.0.post else {
            return Err(Refusal::invalid("this service sends no mail"));
        };
        self.0.count(MAILS, email.as_str()).await?;
        let token = self.0.ticket(user_id, Purpose::Verify, VERIFY_FOR).await?;
        post.send(
            email.clone(),
            "Confirm your address for skillkiln",
            format!(
                "Hello,\n\nopen this page and press the button to confirm that this is your address:\n\n{}/verify?token={token}\n\n\
                 The link is good for three days. If you did not make an account, ignore this message.\n",
                post.public_url
            ),
        );
        Ok(())
    }

    /// Sends the link that lets somebody set a new password. The answer is the same whether or not there is such an account.
    ///
    /// # Errors
    /// [`Refusal`].
    pub async fn send_reset(&self, email: &str, whence: &Whence) -> Result<(), Refusal> {
        let inner = &*self.0;
        let Some(post) = &inner.post else {
            return Err(Refusal::invalid(
                "this service sends no mail; use a recovery code, or ask its operator",
            ));
        };
        let email = Email::parse(email)
            .ok_or_else(|| Refusal::invalid("that is no e-mail address; check its spelling"))?;
        inner.count_from(RECOVERIES, whence).await?;
        // Nobody is buried in mail by others.
        inner.count(MAILS, email.as_str()).await?;
        let (members, url) = (self.clone(), post.public_url.clone());
        tokio::spawn(async move { members.write_reset(email, &url).await });
        Ok(())
    }

    /// In the background whoever it is about, so that the answer comes as fast.
    async fn write_reset(&self, email: Email, public_url: &str) {
        let inner = &*self.0;
        let login = match inner.store.login(email.clone()).await {
            Ok(Some(login)) => login,
            Ok(None) => return,
            Err(error) => {
                unavailable(&error);
                return;
            }
        };
        let ticket = inner.ticket(login.user_id, Purpose::Reset, RESET_FOR).await;
        if let (Ok(token), Some(post)) = (ticket, &inner.post) {
            post.send(
                email,
                "Set a new password for skillkiln",
                format!(
                    "Hello,\n\nsomebody asked for a new password for your account. Set one here:\n\n{public_url}/reset?token={token}\n\n\
                     The link is good for an hour and works once. If it was not you, ignore this message: nothing has changed.\n"
                ),
            );
        }
    }

    /// Uses up the link that verifies an address, and gives the credits that waited for it: how many.
    ///
    /// # Errors
    /// [`Refusal`].
    pub async fn verify(&self, token: &str) -> Result<Credits, Refusal> {
        let inner = &*self.0;
        let now = inner.clock.now();
        let digest = inner.pepper.digest(Purpose::Verify.as_str(), token);
        let found = inner.store.ticket(digest, Purpose::Verify, now).await;
        let Some(user_id) = found.map_err(|error| unavailable(&error))? else {
            return Err(Refusal::invalid(
                "this link was used before or is too old; ask for a new one on your account page",
            ));
        };
        let waiting = self.verification(user_id).await?.waiting;
        if waiting > Credits::ZERO {
            // Before the link is used up: under one key it is given once, however often this is repeated.
            let welcome = Grant {
                id: GrantId(user_id.0),
                amount: waiting,
                reason: GrantReason::Signup,
                at: now,
            };
            match inner.ledgers.of(user_id).ask(welcome).await {
                Ok(Ok(Settled::Granted { .. })) => {}
                other => {
                    tracing::error!(?other, "a welcome was not given");
                    return Err(Refusal::Unavailable);
                }
            }
        }
        let verified = inner.store.verify(digest, user_id, now).await;
        verified.map_err(|error| unavailable(&error))?;
        Ok(waiting)
    }

    /// Uses up the link that sets a new password, signs every browser out and this one in.
    ///
    /// # Errors
    /// [`Refusal`].
    pub async fn reset_password(
        &self,
        token: &str,
        password: String,
        whence: &Whence,
        before: Option<&str>,
    ) -> Result<LetIn, Refusal> {
        let mut who = None;
        let outcome: Result<LetIn, Refusal> = async {
            let inner = &*self.0;
            let now = inner.clock.now();
            inner.count_from(RECOVERIES, whence).await?;
            let gone =
                || Refusal::invalid("this link was used before or is too old; ask for a new one");
            let digest = inner.pepper.digest(Purpose::Reset.as_str(), token);
            // Looked at first, so that only whoever has a link makes us hash.
            let good = inner.store.ticket(digest, Purpose::Reset, now).await;
            let user_id = good
                .map_err(|error| unavailable(&error))?
                .ok_or_else(gone)?;
            who = Some(user_id);
            let user = inner.store.user(user_id).await;
            let user = user
                .map_err(|error| unavailable(&error))?
                .ok_or_else(gone)?;
            let hash = inner.hash(password, &user.email).await?;
            let reset = inner.store.reset_password(digest, hash, now).await;
            let user_id = reset
                .map_err(|error| unavailable(&error))?
                .ok_or_else(gone)?;
            Ok(self.let_in(user_id, whence, before).await?)
        }
        .await;
        outcome.noted("password by mail", who, Some(whence))
    }
}

impl Inner {
    async fn ticket(
        &self,
        user_id: UserId,
        purpose: Purpose,
        good_for: Duration,
    ) -> Result<String, Unavailable> {
        let token = token()?;
        let now = self.clock.now();
        let digest = self.pepper.digest(purpose.as_str(), &token);
        let kept = self
            .store
            .add_ticket(digest, user_id, purpose, now, now.plus(good_for))
            .await;
        kept.map_err(|error| unavailable(&error))?;
        Ok(token)
    }
}
