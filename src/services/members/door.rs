//! Owns how a password is asked: the same answer after the same time whether or not there is such an account, and never at speed.
//!
//! Wrong passwords slow down whoever sends them and nobody else: a browser that the account knows is counted by itself.

use crate::domain::id::{SessionId, UserId};
use crate::domain::user::Email;
use crate::services::accounts::Unavailable;
use crate::services::attempts::{
    ADDRESSES, DEVICES, GUESSES, STRANGERS, STRANGERS_AT_GUESSED, subscriber,
};
use crate::services::limits::Attempt;
use crate::services::members::noted::Noted as _;
use crate::services::members::second_factor::LetIn;
use crate::services::members::{Inner, Line, Members, Refusal, Whence, unavailable};
use crate::services::passwords;

/// The same words for whatever was wrong.
const NOT_RIGHT: &str = "address and password do not go together";

impl Members {
    /// Signs a browser in, or takes it to the second step.
    ///
    /// # Errors
    /// [`Refusal`].
    pub async fn sign_in(
        &self,
        email: &str,
        password: String,
        whence: &Whence,
        before: Option<&str>,
    ) -> Result<LetIn, Refusal> {
        let mut who = None;
        let outcome: Result<LetIn, Refusal> = async {
            let inner = &*self.0;
            let login = match Email::parse(email) {
                Some(email) => {
                    let login = inner.store.login(email).await;
                    login.map_err(|error| unavailable(&error))?
                }
                None => None,
            };
            who = login.as_ref().map(|login| login.user_id);
            let device = login.as_ref().and_then(|login| {
                Some((login.user_id, inner.known_device(login.user_id, whence)?))
            });
            let tried = match device {
                Some(device) => inner.try_as_known(device).await?,
                None => inner.try_as_stranger(email, whence).await?,
            };
            let hash = login.as_ref().and_then(|login| login.password_hash.clone());
            let fits = inner.fits(tried.line(), password, hash).await?;
            let Some(login) = login.filter(|_| fits) else {
                return Err(Refusal::invalid(NOT_RIGHT));
            };
            inner.forgive(&tried).await;
            if login.restricted {
                return Err(Refusal::Restricted);
            }
            Ok(self.let_in(login.user_id, whence, before).await?)
        }
        .await;
        outcome.noted("password", who, Some(whence))
    }

    /// Whether somebody who is signed in knows the account's password; counted by their session.
    pub(super) async fn check_password(
        &self,
        user_id: UserId,
        session: SessionId,
        password: String,
    ) -> Result<(), Refusal> {
        let inner = &*self.0;
        let tried = inner.try_as_known((user_id, session.to_string())).await?;
        let hash = inner.store.password_hash(user_id).await;
        let hash = hash.map_err(|error| unavailable(&error))?;
        if !inner.fits(tried.line(), password, hash).await? {
            let refused = Err(Refusal::invalid("the current password is not right"));
            return refused.noted("current password", Some(user_id), None);
        }
        inner.forgive(&tried).await;
        Ok(())
    }

    /// Replaces the password of somebody who is signed in and knows the old one; all their other browsers are signed out.
    ///
    /// # Errors
    /// [`Refusal`].
    pub async fn change_password(
        &self,
        (user_id, email): (UserId, &Email),
        session: SessionId,
        current: String,
        new: String,
    ) -> Result<(), Refusal> {
        let outcome: Result<(), Refusal> = async {
            let inner = &*self.0;
            self.check_password(user_id, session, current).await?;
            let hash = inner.hash(new, email).await?;
            let changed = inner
                .store
                .change_password(user_id, hash, Some(session))
                .await;
            Ok(changed.map_err(|error| unavailable(&error))?)
        }
        .await;
        outcome.noted("password changed", Some(user_id), None)
    }
}

/// A try as it was counted.
pub(super) enum Tried {
    /// By an account and a browser that it knows, or a session of it.
    Known(Attempt),
    /// By the account's address and the address that the request came from.
    Stranger {
        stranger: Attempt,
        address: Attempt,
        /// None at an account that is being guessed.
        guess: Option<Attempt>,
    },
}

impl Tried {
    fn line(&self) -> Line {
        match self {
            Self::Known(_) => Line::Known,
            Self::Stranger { .. } => Line::Anybody,
        }
    }
}

impl Inner {
    /// Counts a try to be let in to an account by a browser that it knows.
    async fn try_as_known(&self, (user_id, device): (UserId, String)) -> Result<Tried, Refusal> {
        let who = format!("{user_id} {device}");
        Ok(Tried::Known(self.count(DEVICES, &who).await?))
    }

    /// Counts a try to be let in to an account by any other browser.
    async fn try_as_stranger(&self, email: &str, whence: &Whence) -> Result<Tried, Refusal> {
        let email = Email::parse(email).map_or_else(String::new, |email| email.as_str().to_owned());
        let guess = self.count(GUESSES, &email).await.ok();
        let kind = match guess {
            Some(_) => STRANGERS,
            None => STRANGERS_AT_GUESSED,
        };
        let who = format!("{email} {}", subscriber(whence.address));
        let stranger = self.count(kind, &who).await;
        let refusal = match stranger {
            Ok(stranger) => match self.count_from(ADDRESSES, whence).await {
                Ok(address) => {
                    return Ok(Tried::Stranger {
                        stranger,
                        address,
                        guess,
                    });
                }
                Err(refusal) => {
                    self.limits.withdraw(&stranger).await;
                    refusal
                }
            },
            Err(refusal) => refusal,
        };
        // What was not let through was no guess.
        if let Some(guess) = &guess {
            self.limits.withdraw(guess).await;
        }
        Err(refusal)
    }

    /// Forgets the tries of somebody who was right.
    ///
    /// What failed from the address stays counted: otherwise whoever has one account could try all others for ever.
    pub(super) async fn forgive(&self, tried: &Tried) {
        match tried {
            Tried::Known(device) => self.limits.forgive(device).await,
            Tried::Stranger {
                stranger,
                address,
                guess,
            } => {
                self.limits.forgive(stranger).await;
                self.limits.withdraw(address).await;
                if let Some(guess) = guess {
                    self.limits.withdraw(guess).await;
                }
            }
        }
    }

    /// Whether a password fits; takes as long when there is nothing to fit.
    async fn fits(
        &self,
        line: Line,
        password: String,
        hash: Option<String>,
    ) -> Result<bool, Unavailable> {
        self.hashing(line, move || match hash {
            Some(hash) => passwords::fits(&password, &hash),
            None => {
                // Asked for the time it takes; it fits nobody.
                let _ = passwords::fits(&password, passwords::nobodys());
                false
            }
        })
        .await
    }
}
