//! Owns how a password is asked: the same answer after the same time whether or not there is such an account, and never at speed.

use crate::domain::clock::Timestamp;
use crate::domain::id::{SessionId, UserId};
use crate::domain::user::Email;
use crate::services::accounts::Unavailable;
use crate::services::members::attempts::subscriber;
use crate::services::members::{Inner, Members, Refusal, Whence, unavailable};
use crate::services::passwords;
use std::net::IpAddr;

/// The same words for whatever was wrong.
const NOT_RIGHT: &str = "address and password do not go together";

impl Members {
    /// Signs a browser in, and gives the token for its cookie.
    ///
    /// # Errors
    /// [`Refusal`].
    pub async fn sign_in(
        &self,
        email: &str,
        password: String,
        whence: &Whence,
        before: Option<&str>,
    ) -> Result<String, Refusal> {
        let inner = &*self.0;
        let tried = inner.try_as(email, whence)?;
        let login = match Email::parse(email) {
            Some(email) => {
                let login = inner.store.login(email).await;
                login.map_err(|error| unavailable(&error))?
            }
            None => None,
        };
        let hash = login.as_ref().and_then(|login| login.password_hash.clone());
        let fits = inner.fits(password, hash).await?;
        let Some(login) = login.filter(|_| fits) else {
            return Err(Refusal::invalid(NOT_RIGHT));
        };
        inner.forgive(&tried);
        if login.restricted {
            return Err(Refusal::Restricted);
        }
        Ok(self.begin_session(login.user_id, whence, before).await?)
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
        whence: &Whence,
    ) -> Result<(), Refusal> {
        let inner = &*self.0;
        let tried = inner.try_as(email.as_str(), whence)?;
        let login = inner.store.login(email.clone()).await;
        let login = login.map_err(|error| unavailable(&error))?;
        let hash = login.and_then(|login| login.password_hash);
        if !inner.fits(current, hash).await? {
            return Err(Refusal::invalid("the current password is not right"));
        }
        inner.forgive(&tried);
        let hash = inner.hash(new).await?;
        let changed = inner
            .store
            .change_password(user_id, hash, Some(session))
            .await;
        Ok(changed.map_err(|error| unavailable(&error))?)
    }
}

/// A try as it was counted.
pub(super) struct Tried {
    name: String,
    address: IpAddr,
    at: Timestamp,
}

impl Inner {
    /// Counts a try to be let in to an account.
    pub(super) fn try_as(&self, email: &str, whence: &Whence) -> Result<Tried, Refusal> {
        let at = self.clock.now();
        let name = Email::parse(email).map_or_else(String::new, |email| email.as_str().to_owned());
        let wait = |retry_after_s| Refusal::TooMany { retry_after_s };
        let address = subscriber(whence.address);
        self.attempts.addresses.count(address, at).map_err(wait)?;
        self.attempts
            .accounts
            .count(name.clone(), at)
            .map_err(wait)?;
        Ok(Tried { name, address, at })
    }

    /// Forgets the tries of an account whose password was known, and takes back this one of the address.
    ///
    /// What failed from the address stays counted: otherwise whoever has one account could try all others for ever.
    pub(super) fn forgive(&self, tried: &Tried) {
        self.attempts.accounts.forgive(&tried.name);
        self.attempts.addresses.take_back(&tried.address, tried.at);
    }

    /// Whether a password fits; takes as long when there is nothing to fit.
    async fn fits(&self, password: String, hash: Option<String>) -> Result<bool, Unavailable> {
        self.hashing(move || match hash {
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
