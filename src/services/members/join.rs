//! Owns how an account comes to be in a browser, and that its first credits cannot be farmed.
//!
//! A network gets a few welcomes a day; accounts beyond that are made, without credits. Where accounts are by invitation only, the
//! invitation is used up in the same transaction.

use crate::domain::credits::{Credits, GrantReason};
use crate::domain::id::UserId;
use crate::domain::key::Digest;
use crate::domain::user::{Email, Plan};
use crate::services::members::attempts::{neighbourhood, subscriber};
use crate::services::members::sessions::Entry;
use crate::services::members::{Admission, Inner, Members, Refusal, Whence, unavailable};
use crate::store::model::{Identity, Joined, NewMember, NewUser, StoreError};
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

/// Somebody who was found good, but for the invitation.
pub(super) struct Applicant {
    pub(super) email: Email,
    pub(super) password_hash: Option<String>,
    /// The digest of the invitation, where one is needed.
    pub(super) invite: Option<Digest>,
    /// Who vouches for them and for their address.
    pub(super) identity: Option<Identity>,
    /// What they are told when the address has an account.
    pub(super) if_taken: String,
}

/// Somebody who joined, and what their welcome was worth.
#[derive(Debug)]
pub struct Welcomed {
    /// For the cookies.
    pub entry: Entry,
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
        let invite = inner.invitation(&wish.invite)?;
        inner.count_join(whence)?;
        let email = Email::parse(&wish.email)
            .ok_or_else(|| Refusal::invalid("that is no e-mail address; check its spelling"))?;
        let applicant = Applicant {
            password_hash: Some(inner.hash(wish.password, &email).await?),
            email,
            invite,
            identity: None,
            if_taken: "this address has an account already; sign in instead".to_owned(),
        };
        self.accept(applicant, whence, before).await
    }

    /// Makes the account of somebody who was found good, and signs their browser in.
    pub(super) async fn accept(
        &self,
        applicant: Applicant,
        whence: &Whence,
        before: Option<&str>,
    ) -> Result<Welcomed, Refusal> {
        let inner = &*self.0;
        let now = inner.clock.now();
        let (user_id, email) = (UserId::new(), applicant.email);
        // Whoever is vouched for comes with an address that is known to be theirs.
        let waits = self.has_post() && applicant.identity.is_none();
        let member = NewMember {
            user: NewUser {
                id: user_id,
                email: email.clone(),
                plan: Plan::Free,
                password_hash: applicant.password_hash,
                credits: Credits(inner.rules.welcome),
                reason: GrantReason::Signup,
                at: now,
            },
            network: neighbourhood(whence.address),
            welcome_waits: waits,
            welcomes_max: match inner.rules.is_at_home && whence.address.is_loopback() {
                true => u32::MAX,
                false => inner.rules.welcomes_per_network,
            },
            welcomes_since: now.minus(WELCOMES_SPAN),
            invite: applicant.invite,
            identity: applicant.identity,
        };
        let joined = {
            let _one_at_a_time = inner.joining.lock().await;
            inner.store.join(member).await
        };
        match joined {
            Ok(Joined::Made(credits)) => {
                let entry = self.begin_session(user_id, whence, before).await?;
                // Should it fail, the account page offers to send it again.
                let waits = waits && self.send_verification(user_id, &email).await.is_ok();
                Ok(Welcomed {
                    entry,
                    credits,
                    waits,
                })
            }
            Ok(Joined::Taken) | Err(StoreError::Conflict(_)) => {
                Err(Refusal::invalid(applicant.if_taken))
            }
            Ok(Joined::NotInvited) => Err(Refusal::invalid(
                "this invitation is unknown, was used, or is too old; ask for a new one",
            )),
            Err(error) => Err(unavailable(&error).into()),
        }
    }
}

impl Inner {
    /// The digest of the invitation that a new account uses up, where it needs one.
    pub(super) fn invitation(&self, invite: &str) -> Result<Option<Digest>, Refusal> {
        match self.rules.admission {
            Admission::Open => Ok(None),
            Admission::Invited => Ok(Some(self.pepper.digest(INVITE, invite.trim()))),
            Admission::Nobody => Err(Refusal::invalid(
                "accounts are made by the operator here; ask them for one",
            )),
        }
    }

    /// Counts an account that is asked for.
    pub(super) fn count_join(&self, whence: &Whence) -> Result<(), Refusal> {
        let address = subscriber(whence.address);
        let counted = self.attempts.joins.count(address, self.clock.now());
        counted.map_err(|retry_after_s| Refusal::TooMany { retry_after_s })
    }
}
