//! Owns how an account comes to be in a browser, and that its first credits cannot be farmed.
//!
//! A network gets a few welcomes a day; accounts beyond that are made, without credits. Where accounts are by invitation only, the
//! invitation is used up in the same transaction.

use crate::domain::credits::{Credits, GrantReason};
use crate::domain::id::UserId;
use crate::domain::user::{Email, Plan};
use crate::services::members::attempts::{neighbourhood, subscriber};
use crate::services::members::{Admission, Members, Refusal, Whence, unavailable};
use crate::store::model::{Joined, NewMember, NewUser, StoreError};
use std::time::Duration;

/// What the invitations' digests are made for.
pub(in crate::services) const INVITE: &str = "invite";
/// The span in which a network's welcomes are counted.
const WELCOMES_SPAN: Duration = Duration::from_secs(24 * 3600);

/// What somebody fills in.
#[derive(Debug, Clone)]
pub struct Wish {
    /// The address.
    pub email: String,
    /// The password.
    pub password: String,
    /// The invitation, where one is needed.
    pub invite: String,
}

/// Somebody who joined: the token of their session, and what their welcome was worth.
#[derive(Debug)]
pub struct Welcomed {
    /// For the cookie.
    pub token: String,
    /// The first credits.
    pub credits: Credits,
    /// Whether a link was sent that the first credits wait for.
    pub waits: bool,
}

impl Members {
    /// Makes an account and signs its browser in.
    ///
    /// # Errors
    /// [`Refusal`].
    pub async fn join(
        &self,
        wish: Wish,
        whence: &Whence,
        before: Option<&str>,
    ) -> Result<Welcomed, Refusal> {
        let inner = &*self.0;
        let invite = match inner.rules.admission {
            Admission::Open => None,
            Admission::Invited => Some(inner.pepper.digest(INVITE, wish.invite.trim())),
            Admission::Nobody => {
                return Err(Refusal::invalid(
                    "accounts are made by the operator here; ask them for one",
                ));
            }
        };
        let now = inner.clock.now();
        inner
            .attempts
            .joins
            .count(subscriber(whence.address), now)
            .map_err(|retry_after_s| Refusal::TooMany { retry_after_s })?;
        let email = Email::parse(&wish.email)
            .ok_or_else(|| Refusal::invalid("that is no e-mail address; check its spelling"))?;
        if wish.password.to_lowercase() == email.as_str() {
            return Err(Refusal::invalid(
                "the password is the address; choose another one",
            ));
        }
        let password_hash = inner.hash(wish.password).await?;
        let user_id = UserId::new();
        let member = NewMember {
            user: NewUser {
                id: user_id,
                email: email.clone(),
                plan: Plan::Free,
                password_hash: Some(password_hash),
                credits: Credits(inner.rules.welcome),
                reason: GrantReason::Signup,
                at: now,
            },
            network: neighbourhood(whence.address),
            welcome_waits: self.has_post(),
            welcomes_max: inner.rules.welcomes_per_network,
            welcomes_since: now.minus(WELCOMES_SPAN),
            invite,
        };
        let joined = {
            let _one_at_a_time = inner.joining.lock().await;
            inner.store.join(member).await
        };
        match joined {
            Ok(Joined::Made(credits)) => {
                let token = self.begin_session(user_id, whence, before).await?;
                // Should it fail, the account page offers to send it again.
                let waits =
                    self.has_post() && self.send_verification(user_id, &email).await.is_ok();
                Ok(Welcomed {
                    token,
                    credits,
                    waits,
                })
            }
            Ok(Joined::Taken) | Err(StoreError::Conflict(_)) => Err(Refusal::invalid(
                "this address has an account already; sign in instead",
            )),
            Ok(Joined::NotInvited) => Err(Refusal::invalid(
                "this invitation is unknown, was used, or is too old; ask for a new one",
            )),
            Err(error) => Err(unavailable(&error).into()),
        }
    }
}
