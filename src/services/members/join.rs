//! Owns how an account comes to be in a browser, and that its first credits cannot be farmed.
//!
//! Where mail is sent, whoever asks for an account gets the same answer at the same time whatever the address: all else is in the
//! message, a link by which the account is made, or word that there is one already. So nobody learns who has an account, and nobody
//! has one with an address that is not theirs. Without mail an account is made at once, and an address that has one has to be told;
//! that is told to one network a few times an hour.
//!
//! A network gets a few welcomes a day; accounts beyond that are made, without credits. Where accounts are by invitation only, the
//! invitation is used up in the same transaction.

use crate::domain::credits::{Credits, GrantReason};
use crate::domain::id::UserId;
use crate::domain::key::Digest;
use crate::domain::user::{Email, Plan};
use crate::services::accounts::Unavailable;
use crate::services::attempts::{APPLICATIONS, JOINS, RECOVERIES, TAKEN, neighbourhood};
use crate::services::members::mail::Letter;
use crate::services::members::noted;
use crate::services::members::sessions::Entry;
use crate::services::members::{Admission, Inner, Members, Refusal, Whence, token, unavailable};
use crate::store::model::{Application, Identity, Joined, NewMember, NewUser, StoreError};
use std::time::Duration;
use url::form_urlencoded;

/// What the invitations' digests are made for.
pub(in crate::services) const INVITE: &str = "invite";
/// The span in which a network's welcomes are counted.
const WELCOMES_SPAN: Duration = Duration::from_secs(24 * 3600);

/// How long a link to make an account is good.
const APPLICATION_FOR: Duration = Duration::from_secs(24 * 3600);
/// What the links' digests are made for.
const APPLICATION: &str = "join";

/// What somebody fills in where no mail is sent.
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
    /// Whether the address is known to be theirs.
    pub(super) is_verified: bool,
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
}

impl Members {
    /// Makes an account and signs its browser in. Only where no mail is sent: there nothing else tells whose an address is.
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
        if self.has_post() {
            return Err(Refusal::Missing);
        }
        let invite = inner.invitation(&wish.invite)?;
        inner.count_from(JOINS, whence).await?;
        let email = email_of(&wish.email)?;
        // Counted before it is known, so that many at once learn no more.
        let tried = inner.count_from(TAKEN, whence).await?;
        let applicant = match inner.hash(wish.password, &email).await {
            Ok(hash) => Applicant {
                email,
                password_hash: Some(hash),
                invite,
                identity: None,
                is_verified: false,
                if_taken: HAS_ACCOUNT.to_owned(),
            },
            Err(refusal) => {
                inner.limits.withdraw(&tried).await;
                return Err(refusal);
            }
        };
        let joined = self.accept(applicant, whence, before).await;
        if !matches!(joined, Err(Refusal::Taken(_))) {
            inner.limits.withdraw(&tried).await;
        }
        joined
    }

    /// Sends the link by which an account is made to its address, or word that it has one: the answer is the same.
    ///
    /// # Errors
    /// [`Refusal`].
    pub async fn apply(
        &self,
        email: &str,
        invite: &str,
        next: &str,
        whence: &Whence,
    ) -> Result<(), Refusal> {
        let inner = &*self.0;
        let now = inner.clock.now();
        let invite = inner.invitation(invite)?;
        inner.count_from(JOINS, whence).await?;
        let email = email_of(email)?;
        inner.count(APPLICATIONS, email.as_str()).await?;
        if let Some(invite) = invite {
            let good = inner.store.invite_is_good(invite, now).await;
            if !good.map_err(|error| unavailable(&error))? {
                return Err(Refusal::invalid(NOT_INVITED));
            }
        }
        let (members, next) = (self.clone(), next.to_owned());
        let application = Application { email, invite };
        tokio::spawn(async move { members.write_application(application, &next).await });
        Ok(())
    }

    /// In the background whoever it is about, so that the answer comes as fast.
    async fn write_application(&self, application: Application, next: &str) {
        let inner = &*self.0;
        let email = application.email.clone();
        let letter = match inner.store.login(email.clone()).await {
            Ok(Some(_)) => Ok(Letter::HasAccount),
            Ok(None) => inner.link_to_join(application, next).await,
            Err(error) => Err(unavailable(&error)),
        };
        if let (Ok(letter), Some(post)) = (letter, &inner.post) {
            post.send_about_joining(email, &letter);
        }
    }

    /// Makes the account that a link is for, and signs its browser in.
    ///
    /// # Errors
    /// [`Refusal`].
    pub async fn join_by_link(
        &self,
        token: &str,
        password: String,
        whence: &Whence,
        before: Option<&str>,
    ) -> Result<Welcomed, Refusal> {
        let inner = &*self.0;
        inner.count_from(RECOVERIES, whence).await?;
        let digest = inner.pepper.digest(APPLICATION, token);
        // Looked at first, so that only whoever has a link makes us hash.
        let application = inner.store.application(digest, inner.clock.now()).await;
        let application = application.map_err(|error| unavailable(&error))?;
        let application = application.ok_or_else(|| {
            Refusal::invalid("this link was used before or is too old; ask for a new one")
        })?;
        match (inner.rules.admission, &application.invite) {
            (Admission::Open, _) | (Admission::Invited, Some(_)) => {}
            (Admission::Invited, None) => return Err(Refusal::invalid(NOT_INVITED)),
            (Admission::Nobody, _) => return Err(Refusal::invalid(CLOSED)),
        }
        let applicant = Applicant {
            password_hash: Some(inner.hash(password, &application.email).await?),
            email: application.email,
            invite: application.invite,
            identity: None,
            is_verified: true,
            if_taken: HAS_ACCOUNT.to_owned(),
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
            is_verified: applicant.is_verified,
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
                noted::done("account made", user_id, Some(whence));
                let entry = self.begin_session(user_id, whence, before).await?;
                Ok(Welcomed { entry, credits })
            }
            Ok(Joined::Taken) | Err(StoreError::Conflict(_)) => {
                Err(Refusal::Taken(applicant.if_taken))
            }
            Ok(Joined::NotInvited) => Err(Refusal::invalid(NOT_INVITED)),
            Err(error) => Err(unavailable(&error).into()),
        }
    }
}

/// What is said of an address that has an account, to whoever may know.
const HAS_ACCOUNT: &str = "this address has an account already; sign in instead";
/// What is said where invitations are needed and there is no good one.
const NOT_INVITED: &str = "this invitation is unknown, was used, or is too old; ask for a new one";
/// What is said where nobody can make an account.
const CLOSED: &str = "accounts are made by the operator here; ask them for one";

/// Reads an address.
fn email_of(text: &str) -> Result<Email, Refusal> {
    Email::parse(text)
        .ok_or_else(|| Refusal::invalid("that is no e-mail address; check its spelling"))
}

impl Inner {
    /// The digest of the invitation that a new account uses up, where it needs one.
    pub(super) fn invitation(&self, invite: &str) -> Result<Option<Digest>, Refusal> {
        match self.rules.admission {
            Admission::Open => Ok(None),
            Admission::Invited => Ok(Some(self.pepper.digest(INVITE, invite.trim()))),
            Admission::Nobody => Err(Refusal::invalid(CLOSED)),
        }
    }

    /// Keeps what an account is asked for, and writes the link by which it is made.
    async fn link_to_join(&self, new: Application, next: &str) -> Result<Letter, Unavailable> {
        let token = token()?;
        let now = self.clock.now();
        let digest = self.pepper.digest(APPLICATION, &token);
        let until = now.plus(APPLICATION_FOR);
        let kept = self.store.add_application(digest, new, now, until).await;
        kept.map_err(|error| unavailable(&error))?;
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair("token", &token);
        if !next.is_empty() {
            query.append_pair("next", next);
        }
        Ok(Letter::Link(format!("/join?{}", query.finish())))
    }
}
