//! Owns how somebody comes in for whom another vouches (OpenID Connect): sent there with a keepsake in their browser, recognised
//! when they come back, and led to their account, or to a new one.
//!
//! An identity is linked to an account that exists only by whoever is signed in to that account. That an issuer knows the same address
//! is no proof: the account may have been made with it by somebody else, and not every issuer is careful with addresses.

use crate::domain::id::UserId;
use crate::domain::key::to_hex;
use crate::domain::user::Email;
use crate::providers::openid::trouble::Trouble;
use crate::providers::openid::{OpenId, Person, Secrets};
use crate::services::accounts::Unavailable;
use crate::services::attempts::{JOINS, JOURNEYS};
use crate::services::members::join::{Applicant, Welcomed};
use crate::services::members::noted::Noted as _;
use crate::services::members::second_factor::LetIn;
use crate::services::members::{Inner, Members, Refusal, Whence, is_same, token, unavailable};
use crate::store::model::{Identity, Linked};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How long a journey to somebody who vouches may take.
pub const JOURNEY_MAX: Duration = Duration::from_secs(600);
/// Longest keepsake; a browser keeps 4 kB.
const KEEPSAKE_LEN_MAX: usize = 3_072;

/// Somebody who vouches for people.
#[derive(Debug, Clone)]
pub struct Voucher {
    /// Its name in addresses.
    pub name: String,
    /// What stands on the button.
    pub label: String,
    /// How it is asked.
    pub openid: OpenId,
}

/// What somebody wants of the journey.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Errand {
    /// To come in, to an account that is there or a new one.
    Enter {
        /// Where to go then; a path of ours, or nothing.
        next: String,
        /// The invitation, where one is needed.
        invite: String,
    },
    /// To link an identity to the account that is signed in.
    Link(UserId),
}

/// A journey as the browser keeps it. Its digests under the pepper are what binds the provider's answer to this very browser, so
/// nobody can write one, or use another's.
#[derive(Serialize, Deserialize)]
struct Keepsake {
    voucher: String,
    errand: Errand,
    ends: i64,
}

/// Where a browser is sent, and what it keeps meanwhile.
#[derive(Debug, Clone)]
pub struct Departure {
    /// The address at the provider.
    pub address: String,
    /// For the cookie.
    pub keepsake: String,
    /// What stands on the provider's button.
    pub label: String,
}

/// A journey whose browser came back to us.
#[derive(Debug)]
pub struct Journey {
    /// What it was for.
    pub errand: Errand,
    voucher: Voucher,
    secrets: Secrets,
}

/// What the provider sent along with the browser.
#[derive(Debug, Clone, Default)]
pub struct Answer {
    /// What the person can be asked for with.
    pub code: String,
    /// Which journey it answers.
    pub state: String,
    /// Who says so, when it says.
    pub iss: Option<String>,
    /// Why there is no code.
    pub error: String,
}

/// How somebody came in.
#[derive(Debug)]
pub enum Entered {
    /// To their account.
    Back(LetIn),
    /// To a new one.
    Joined(Welcomed),
}

impl Members {
    /// Who vouches for people here, by their names in addresses.
    #[must_use]
    pub fn vouchers(&self) -> &[Voucher] {
        &self.0.vouchers
    }

    /// Sends a browser to somebody who vouches.
    ///
    /// # Errors
    /// [`Refusal`]; [`Refusal::Missing`] when nobody has this name.
    pub async fn depart(
        &self,
        voucher: &str,
        errand: Errand,
        whence: &Whence,
    ) -> Result<Departure, Refusal> {
        let inner = &*self.0;
        let voucher = inner.voucher(voucher).ok_or(Refusal::Missing)?;
        inner.count_from(JOURNEYS, whence).await?;
        let now = inner.clock.now();
        let keepsake = Keepsake {
            voucher: voucher.name.clone(),
            errand,
            ends: now.plus(JOURNEY_MAX).micros(),
        };
        let written = serde_json::to_vec(&keepsake).map_err(|_| Unavailable)?;
        let keepsake = format!("{}.{}", token()?, URL_SAFE_NO_PAD.encode(written));
        if keepsake.len() > KEEPSAKE_LEN_MAX {
            return Err(Refusal::invalid("the invitation is too long to be one"));
        }
        let secrets = inner.secrets(&keepsake);
        let address = voucher.openid.way_in(&secrets, now).await;
        let address = address.map_err(|trouble| refusal(&voucher, &trouble))?;
        Ok(Departure {
            address: address.into(),
            label: voucher.label,
            keepsake,
        })
    }

    /// Recognises a browser that came back, by what it kept.
    ///
    /// # Errors
    /// [`Refusal`]: it never left for there, or too long ago, or the answer belongs to another browser.
    pub fn arrive(
        &self,
        voucher: &str,
        keepsake: Option<&str>,
        answer: &Answer,
    ) -> Result<Journey, Refusal> {
        let inner = &*self.0;
        let voucher = inner.voucher(voucher).ok_or(Refusal::Missing)?;
        let unknown = || {
            Refusal::invalid(
                "this sign-in was not begun in this browser, or too long ago; begin it again here",
            )
        };
        let keepsake = keepsake
            .filter(|keepsake| keepsake.len() <= KEEPSAKE_LEN_MAX)
            .ok_or_else(unknown)?;
        let secrets = inner.secrets(keepsake);
        if !is_same(&secrets.state, &answer.state) {
            return Err(unknown());
        }
        let (_, written) = keepsake.split_once('.').ok_or_else(unknown)?;
        let written = URL_SAFE_NO_PAD.decode(written).map_err(|_| unknown())?;
        let kept: Keepsake = serde_json::from_slice(&written).map_err(|_| unknown())?;
        if kept.voucher != voucher.name || kept.ends <= inner.clock.now().micros() {
            return Err(unknown());
        }
        Ok(Journey {
            errand: kept.errand,
            voucher,
            secrets,
        })
    }

    /// Lets somebody in who came back: to the account of their identity, or to a new one, by the rules for new accounts.
    ///
    /// # Errors
    /// [`Refusal`].
    pub async fn enter(
        &self,
        journey: &Journey,
        invite: &str,
        answer: &Answer,
        whence: &Whence,
        before: Option<&str>,
    ) -> Result<Entered, Refusal> {
        let mut who = None;
        let outcome: Result<Entered, Refusal> = async {
            let inner = &*self.0;
            let person = inner.person(journey, answer, whence).await?;
            let identity = journey.identity_of(&person);
            let known = inner
                .store
                .login_of_identity(identity.issuer.clone(), identity.subject.clone());
            if let Some(login) = known.await.map_err(|error| unavailable(&error))? {
                who = Some(login.user_id);
                if login.restricted {
                    return Err(Refusal::Restricted);
                }
                let let_in = self.let_in(login.user_id, whence, before).await?;
                return Ok(Entered::Back(let_in));
            }
            let label = &journey.voucher.label;
            let email = journey.own_address(person)?;
            let invite = inner.invitation(invite)?;
            inner.count_from(JOINS, whence).await?;
            let applicant = Applicant {
                email,
                password_hash: None,
                invite,
                identity: Some(identity),
                is_verified: true,
                if_taken: format!(
                    "your address has an account here already: sign in as you did before, then link {label} on your account page"
                ),
            };
            Ok(Entered::Joined(
                self.accept(applicant, whence, before).await?,
            ))
        }
        .await;
        outcome.noted("identity", who, Some(whence))
    }

    /// Links the identity of somebody who came back to the account that is signed in.
    ///
    /// # Errors
    /// [`Refusal`].
    pub async fn link(
        &self,
        journey: &Journey,
        user_id: UserId,
        answer: &Answer,
        whence: &Whence,
    ) -> Result<(), Refusal> {
        let outcome: Result<(), Refusal> = async {
            let inner = &*self.0;
            if journey.errand != Errand::Link(user_id) {
                return Err(Refusal::invalid(
                    "another account was signed in when this was begun; begin it again here",
                ));
            }
            let person = inner.person(journey, answer, whence).await?;
            let identity = journey.identity_of(&person);
            journey.own_address(person)?;
            let now = inner.clock.now();
            let linked = inner.store.link_identity(user_id, identity, now).await;
            let label = &journey.voucher.label;
            match linked.map_err(|error| unavailable(&error))? {
                Linked::Done => Ok(()),
                Linked::SomebodyElses => Err(Refusal::invalid(format!(
                    "this identity at {label} belongs to another account here; unlink it there first"
                ))),
                Linked::AnotherBefore => Err(Refusal::invalid(format!(
                    "your account has another identity at {label}; unlink that first"
                ))),
            }
        }
        .await;
        outcome.noted("identity linked", Some(user_id), Some(whence))
    }
}

impl Inner {
    fn voucher(&self, name: &str) -> Option<Voucher> {
        let mut known = self.vouchers.iter();
        known.find(|voucher| voucher.name == name).cloned()
    }

    /// What binds an answer to a keepsake: nobody without the pepper can tell one from the other.
    fn secrets(&self, keepsake: &str) -> Secrets {
        let digest = |purpose| to_hex(&self.pepper.digest(purpose, keepsake).0);
        Secrets {
            state: digest("openid-state"),
            nonce: digest("openid-nonce"),
            verifier: digest("openid-verifier"),
        }
    }

    /// Who came back, as the provider says.
    async fn person(
        &self,
        journey: &Journey,
        answer: &Answer,
        whence: &Whence,
    ) -> Result<Person, Refusal> {
        let label = &journey.voucher.label;
        if answer.error == "access_denied" {
            return Err(Refusal::invalid(format!(
                "you did not finish at {label}, so nothing has changed; try again, or come in another way"
            )));
        }
        if !answer.error.is_empty() || answer.code.is_empty() || answer.code.len() > 4_096 {
            tracing::warn!(
                openid.provider = journey.voucher.name,
                "a provider sent somebody back without a code"
            );
            return Err(Refusal::invalid(format!(
                "{label} could not say who you are; try again, or come in another way"
            )));
        }
        self.count_from(JOURNEYS, whence).await?;
        let openid = &journey.voucher.openid;
        let (iss, now) = (answer.iss.as_deref(), self.clock.now());
        let person = openid.exchange(&answer.code, iss, &journey.secrets, now);
        let person = person.await;
        person.map_err(|trouble| refusal(&journey.voucher, &trouble))
    }
}

impl Journey {
    fn identity_of(&self, person: &Person) -> Identity {
        let email = person.email.as_ref().map(ToString::to_string);
        Identity {
            issuer: self.voucher.openid.issuer().to_owned(),
            subject: person.subject.clone(),
            email: email.unwrap_or_default(),
        }
    }

    /// The person's address: only one that the provider found to be theirs may join or be linked.
    fn own_address(&self, person: Person) -> Result<Email, Refusal> {
        let label = &self.voucher.label;
        person.email.ok_or_else(|| {
            Refusal::invalid(format!(
                "{label} does not say that your e-mail address is yours: confirm it there and try again, or come in another way"
            ))
        })
    }
}

/// What a person is told of a provider's trouble; the operator finds the rest in the log.
fn refusal(voucher: &Voucher, trouble: &Trouble) -> Refusal {
    let label = &voucher.label;
    tracing::warn!(
        openid.provider = voucher.name,
        ?trouble,
        "nobody is vouched for"
    );
    match trouble {
        Trouble::Unanswered(_) => Refusal::Elsewhere(format!(
            "{label} does not answer as it should and nothing has changed; try again in a moment, or come in another way"
        )),
        Trouble::Refused(_) => Refusal::invalid(format!(
            "{label} did not confirm this sign-in: it was used before or took too long; begin it again"
        )),
        Trouble::Untrusted(_) => Refusal::invalid(format!(
            "what {label} says of you cannot be believed, so nobody was signed in; try again, and tell the operator if it stays so"
        )),
    }
}
