//! Owns the ways in to an account beside the password: who its owner is to those who vouch, and that one way always stays.

use crate::domain::clock::Timestamp;
use crate::domain::id::{SessionId, UserId};
use crate::domain::user::Email;
use crate::services::accounts::Unavailable;
use crate::services::members::noted::{self, Noted as _};
use crate::services::members::{Members, Refusal, unavailable};
use crate::store::model::{KeptIdentity, Unlinked};

/// A way in to an account, as its owner sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    /// The issuer.
    pub issuer: String,
    /// Their name there.
    pub subject: String,
    /// Their address there.
    pub email: String,
    /// What the provider is called here; none when it vouches here no more.
    pub label: Option<String>,
    /// Since when.
    pub since: Timestamp,
}

impl Members {
    /// Who an account is to those who vouch.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn ways(&self, user_id: UserId) -> Result<Vec<Way>, Unavailable> {
        let inner = &*self.0;
        let kept = inner.store.identities_of(user_id).await;
        let kept = kept.map_err(|error| unavailable(&error))?;
        let label_of = |issuer: &str| {
            let known = inner.vouchers.iter();
            let mut known = known.filter(|voucher| voucher.openid.issuer() == issuer);
            known.next().map(|voucher| voucher.label.clone())
        };
        let way = |kept: KeptIdentity| Way {
            label: label_of(&kept.identity.issuer),
            issuer: kept.identity.issuer,
            subject: kept.identity.subject,
            email: kept.identity.email,
            since: kept.linked_at,
        };
        Ok(kept.into_iter().map(way).collect())
    }

    /// Whether somebody who is signed in may change the ways in to their account: they know its password, where it has one. Otherwise whoever
    /// has their browser for a minute could come in for ever.
    ///
    /// # Errors
    /// [`Refusal`].
    pub async fn may_change_ways(
        &self,
        user_id: UserId,
        session: SessionId,
        password: String,
    ) -> Result<(), Refusal> {
        if self.has_password(user_id).await? {
            self.check_password(user_id, session, password).await?;
        }
        Ok(())
    }

    /// Takes an identity away from an account, unless it is the last way in; false when it has no such identity.
    ///
    /// # Errors
    /// [`Refusal`].
    pub async fn unlink(
        &self,
        user_id: UserId,
        issuer: &str,
        subject: &str,
    ) -> Result<bool, Refusal> {
        let inner = &*self.0;
        let vouching = inner.vouchers.iter();
        let vouching = vouching.map(|voucher| voucher.openid.issuer().to_owned());
        let (issuer, subject) = (issuer.to_owned(), subject.to_owned());
        let unlinked = inner
            .store
            .unlink_identity(user_id, issuer, subject, vouching.collect());
        match unlinked.await.map_err(|error| unavailable(&error))? {
            Unlinked::Done => {
                noted::done("identity unlinked", user_id, None);
                Ok(true)
            }
            Unlinked::Missing => Ok(false),
            Unlinked::LastWayIn => Err(Refusal::invalid(
                "this is the only way in to your account; set a password first",
            )),
        }
    }

    /// Whether an account has a password.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn has_password(&self, user_id: UserId) -> Result<bool, Unavailable> {
        let hash = self.0.store.password_hash(user_id).await;
        Ok(hash.map_err(|error| unavailable(&error))?.is_some())
    }

    /// Sets the password of an account that has none yet, because somebody else vouches for its owner.
    ///
    /// # Errors
    /// [`Refusal`].
    pub async fn set_first_password(
        &self,
        (user_id, email): (UserId, &Email),
        password: String,
    ) -> Result<(), Refusal> {
        let outcome: Result<(), Refusal> = async {
            let inner = &*self.0;
            let hash = inner.hash(password, email).await?;
            let set = inner.store.set_first_password(user_id, hash).await;
            if set.map_err(|error| unavailable(&error))? {
                Ok(())
            } else {
                Err(Refusal::invalid(
                    "your account has a password already; change it with the current one",
                ))
            }
        }
        .await;
        outcome.noted("password set", Some(user_id), None)
    }
}
