//! Owns what an operator does to accounts: makes them, shuts them out, gives credits and keys, proves the books.
//!
//! It works on the store directly, so it can be used while the service runs: the service looks again within a second.

use crate::domain::clock::Clock;
use crate::domain::credits::{Books, Credits, GrantReason};
use crate::domain::id::{GrantId, KeyId, UserId};
use crate::domain::key::{self, ApiKey, KEY_NAME_CHARS_MAX, Key, Pepper};
use crate::domain::usage::Usage;
use crate::domain::user::{Email, Plan, User};
use crate::services::members::join::INVITE;
use crate::services::passwords;
use crate::services::pepper::{self, Place};
use crate::store::connection::Store;
use crate::store::model::{Entry, NewKey, NewUser, Refused, Settled, StoreError};
use std::collections::HashMap;
use std::fmt;
use std::time::Duration;

/// Characters of an invitation: 128 bits.
const INVITE_LEN: usize = 32;
/// How long an invitation is good.
const INVITE_FOR: Duration = Duration::from_secs(30 * 24 * 3600);

/// Why an operator's wish was not done. Nothing of it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AdminError {
    /// What was asked makes no sense: a malformed address, a short password.
    Malformed(String),
    /// There is no such account or key.
    Unknown(String),
    /// The state of things forbids it: the address has an account, the account has its 20 keys.
    Refused(String),
    /// The database does not answer, or the machine fails.
    Failed(String),
}

impl fmt::Display for AdminError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(message)
            | Self::Unknown(message)
            | Self::Refused(message)
            | Self::Failed(message) => message.fmt(f),
        }
    }
}

impl std::error::Error for AdminError {}

impl From<StoreError> for AdminError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Conflict(message) => Self::Refused(message),
            other => Self::Failed(other.to_string()),
        }
    }
}

/// An account to be made.
#[derive(Debug, Clone)]
pub struct Account {
    /// Its address.
    pub email: String,
    /// Its plan.
    pub plan: Plan,
    /// Its first credits.
    pub credits: Credits,
    /// Whether they are the welcome that everybody gets, or the operator's own wish.
    pub reason: GrantReason,
    /// Its password, for the browser pages.
    pub password: Option<String>,
}

/// The operator's hands.
#[derive(Debug, Clone)]
pub struct Admin {
    store: Store,
    pepper: Pepper,
    brand: String,
    clock: Clock,
}

impl Admin {
    /// Opens the database at `url`, bringing its schema up to date, with the pepper and brand that the service uses.
    ///
    /// # Errors
    /// [`AdminError::Failed`] when the database or the pepper cannot be used.
    pub async fn open(url: &str, pepper: &Place, brand: &str) -> Result<Self, AdminError> {
        let store = Store::open(url).await?;
        let place = pepper;
        let pepper = pepper::load(place).map_err(AdminError::Failed)?;
        pepper::fit(&store, &pepper, place)
            .await
            .map_err(AdminError::Failed)?;
        Ok(Self::new(store, pepper, brand.to_owned(), Clock::system()))
    }

    /// Works on a store, with the pepper and brand that the service uses.
    #[must_use]
    pub fn new(store: Store, pepper: Pepper, brand: String, clock: Clock) -> Self {
        Self {
            store,
            pepper,
            brand,
            clock,
        }
    }

    /// Makes an account.
    ///
    /// # Errors
    /// [`AdminError`]: a malformed address or password, or the address has an account.
    pub async fn add_user(&self, account: Account) -> Result<User, AdminError> {
        let email = parse_email(&account.email)?;
        let password_hash = match account.password {
            Some(password) => Some(hash(password, &email).await?),
            None => None,
        };
        if self.store.user_by_email(email.clone()).await?.is_some() {
            return Err(AdminError::Refused(format!(
                "{email} has an account already"
            )));
        }
        let id = UserId::new();
        self.store
            .create_user(NewUser {
                id,
                email: email.clone(),
                plan: account.plan,
                password_hash,
                credits: account.credits,
                reason: account.reason,
                at: self.clock.now(),
            })
            .await?;
        self.user(email.as_str()).await
    }

    /// All accounts.
    ///
    /// # Errors
    /// [`AdminError::Failed`].
    pub async fn users(&self) -> Result<Vec<User>, AdminError> {
        Ok(self.store.users().await?)
    }

    /// What a language model took for the runs of each account that had it asked anything.
    ///
    /// # Errors
    /// [`AdminError::Failed`].
    pub async fn usages(&self) -> Result<HashMap<UserId, Usage>, AdminError> {
        Ok(self.store.usage_by_account().await?)
    }

    /// The account of an address.
    ///
    /// # Errors
    /// [`AdminError::Unknown`] when there is none.
    pub async fn user(&self, email: &str) -> Result<User, AdminError> {
        let email = parse_email(email)?;
        let user = self.store.user_by_email(email.clone()).await?;
        user.ok_or_else(|| AdminError::Unknown(format!("there is no account of {email}")))
    }

    /// Shuts an account out, or lets it in again. Every node follows within a second; runs that began go on.
    ///
    /// # Errors
    /// [`AdminError`].
    pub async fn set_restricted(&self, email: &str, restricted: bool) -> Result<User, AdminError> {
        let user = self.user(email).await?;
        self.store.set_restricted(user.id, restricted).await?;
        self.user(email).await
    }

    /// Gives credits, and says what can be spent then.
    ///
    /// # Errors
    /// [`AdminError`].
    pub async fn grant(&self, email: &str, amount: Credits) -> Result<Credits, AdminError> {
        if amount == Credits::ZERO {
            return Err(AdminError::Malformed(
                "a grant gives at least one credit".into(),
            ));
        }
        let user = self.user(email).await?;
        let grant = Entry::Grant {
            id: GrantId::new(),
            user_id: user.id,
            amount,
            reason: GrantReason::Operator,
            at: self.clock.now(),
        };
        match self.store.settle(vec![grant]).await.into_iter().next() {
            Some(Ok(Settled::Granted { available })) => Ok(available),
            Some(Err(Refused::Store(error))) => Err(error.into()),
            other => Err(AdminError::Failed(format!(
                "the grant was answered with {other:?}"
            ))),
        }
    }

    /// Makes an invitation for one account. Its plaintext exists in the answer alone.
    ///
    /// # Errors
    /// [`AdminError`].
    pub async fn invite(&self, note: &str) -> Result<String, AdminError> {
        let mut invite = key::to_hex(&entropy()?);
        invite.truncate(INVITE_LEN);
        let digest = self.pepper.digest(INVITE, &invite);
        let now = self.clock.now();
        self.store
            .add_invite(digest, note.to_owned(), now, now.plus(INVITE_FOR))
            .await?;
        Ok(invite)
    }

    /// Replaces an account's password, and signs all its browsers out. Its second factor stays.
    ///
    /// # Errors
    /// [`AdminError`].
    pub async fn reset_password(&self, email: &str, password: String) -> Result<(), AdminError> {
        let user = self.user(email).await?;
        let hash = hash(password, &user.email).await?;
        Ok(self.store.change_password(user.id, hash, None).await?)
    }

    /// Signs all browsers of an account out; its keys go on.
    ///
    /// # Errors
    /// [`AdminError`].
    pub async fn sign_out(&self, email: &str) -> Result<User, AdminError> {
        let user = self.user(email).await?;
        self.store.end_sessions(user.id, None).await?;
        Ok(user)
    }

    /// Takes an account's second factor away, for an owner who lost it.
    ///
    /// # Errors
    /// [`AdminError`]; [`AdminError::Refused`] when it has none.
    pub async fn drop_second_factor(&self, email: &str) -> Result<(), AdminError> {
        let user = self.user(email).await?;
        if self.store.drop_second_factor(user.id).await? {
            return Ok(());
        }
        Err(AdminError::Refused(format!(
            "{} has no second factor",
            user.email
        )))
    }

    /// Makes a key. The plaintext exists in the answer alone.
    ///
    /// # Errors
    /// [`AdminError`]: a bad name, or the account has its 20 live keys.
    pub async fn add_key(&self, email: &str, name: &str) -> Result<(KeyId, ApiKey), AdminError> {
        let name = name.trim();
        let length = name.chars().count();
        if length == 0 || length > KEY_NAME_CHARS_MAX || name.chars().any(char::is_control) {
            return Err(AdminError::Malformed(format!(
                "a key's name has 1 to {KEY_NAME_CHARS_MAX} printable characters"
            )));
        }
        let user = self.user(email).await?;
        let key = ApiKey::from_entropy(&self.brand, entropy()?);
        let id = KeyId::new();
        self.store
            .add_key(NewKey {
                id,
                user_id: user.id,
                name: name.to_owned(),
                hash: key.hash(&self.pepper),
                last_four: key.last_four(),
                at: self.clock.now(),
            })
            .await?;
        Ok((id, key))
    }

    /// An account's keys, revoked ones too.
    ///
    /// # Errors
    /// [`AdminError`].
    pub async fn keys(&self, email: &str) -> Result<Vec<Key>, AdminError> {
        let user = self.user(email).await?;
        Ok(self.store.keys_of(user.id).await?)
    }

    /// Revokes a key. Every node refuses it within a second. Revoking twice is revoking once.
    ///
    /// # Errors
    /// [`AdminError::Unknown`] when there is none.
    pub async fn revoke(&self, key_id: &str) -> Result<(), AdminError> {
        let unknown = || AdminError::Unknown(format!("there is no key {key_id}"));
        let id = KeyId::parse(key_id).ok_or_else(unknown)?;
        let known = self.store.revoke_key(id, self.clock.now()).await?;
        if known { Ok(()) } else { Err(unknown()) }
    }

    /// Proves that every balance is the sum of its entries and that every charge ended once, or says what is wrong.
    ///
    /// # Errors
    /// [`AdminError::Failed`] when the books cannot be read.
    pub async fn verify_books(&self) -> Result<Books, AdminError> {
        Ok(self.store.books().await?)
    }
}

/// Brings the schema of the database at `url` up to date and does nothing else.
///
/// # Errors
/// [`AdminError::Failed`] when the database does not answer, or its schema is newer than this program.
pub async fn migrate(url: &str) -> Result<(), AdminError> {
    Ok(Store::migrate(url).await?)
}

/// Takes the pepper that is there for that of the database at `url`, brought up to date first. Keys and sessions that were made under
/// another one are good for nothing from then on.
///
/// # Errors
/// [`AdminError::Failed`] when the database or the pepper cannot be used.
pub async fn accept_pepper(url: &str, place: &Place) -> Result<(), AdminError> {
    let store = Store::open(url).await?;
    let pepper = pepper::load(place).map_err(AdminError::Failed)?;
    Ok(store.keep_pepper_mark(pepper::mark(&pepper), true).await?)
}

/// A password for somebody who needs a first one: 128 bits in 32 characters.
///
/// # Errors
/// [`AdminError::Failed`] when the operating system has no entropy to give.
pub fn fresh_password() -> Result<String, AdminError> {
    let mut password = key::to_hex(&entropy()?);
    password.truncate(32);
    Ok(password)
}

fn entropy() -> Result<[u8; 32], AdminError> {
    let mut entropy = [0; 32];
    getrandom::fill(&mut entropy)
        .map_err(|cause| AdminError::Failed(format!("the system gives no entropy: {cause}")))?;
    Ok(entropy)
}

async fn hash(password: String, owner: &Email) -> Result<String, AdminError> {
    let owner = owner.clone();
    let hash = move || {
        passwords::weigh(&password, &owner)?;
        passwords::hash(&password)
    };
    tokio::task::spawn_blocking(hash)
        .await
        .map_err(|cause| AdminError::Failed(format!("cannot hash the password: {cause}")))?
        .map_err(AdminError::Malformed)
}

fn parse_email(text: &str) -> Result<Email, AdminError> {
    Email::parse(text)
        .ok_or_else(|| AdminError::Malformed(format!("`{text}` is no e-mail address")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::clock::Timestamp;

    async fn admin(folder: &tempfile::TempDir) -> Admin {
        let url = format!("sqlite://{}/test.db", folder.path().display());
        Admin::new(
            Store::open(&url).await.unwrap(),
            Pepper::new([1; 32]),
            "skillkiln".into(),
            Clock::manual(Timestamp::from_micros(1_000_000)),
        )
    }

    fn account(email: &str, credits: u32) -> Account {
        Account {
            email: email.into(),
            plan: Plan::Free,
            credits: Credits(credits),
            reason: GrantReason::Signup,
            password: None,
        }
    }

    #[tokio::test]
    async fn an_account_is_made_once_and_found_whatever_the_case() {
        let folder = tempfile::tempdir().unwrap();
        let admin = admin(&folder).await;
        let user = admin.add_user(account("Ann@Example.org", 3)).await.unwrap();
        assert_eq!(user.available, Credits(3));
        assert_eq!(admin.user("ann@example.ORG").await.unwrap().id, user.id);
        assert!(matches!(
            admin.add_user(account("ann@example.org", 3)).await,
            Err(AdminError::Refused(_))
        ));
        assert!(matches!(
            admin.add_user(account("ann", 3)).await,
            Err(AdminError::Malformed(_))
        ));
        assert_eq!(admin.users().await.unwrap().len(), 1);
    }

    #[tokio::test]
    async fn granted_credits_can_be_spent_and_the_books_balance() {
        let folder = tempfile::tempdir().unwrap();
        let admin = admin(&folder).await;
        admin.add_user(account("ann@example.org", 3)).await.unwrap();
        assert_eq!(
            admin.grant("ann@example.org", Credits(7)).await,
            Ok(Credits(10))
        );
        assert!(admin.grant("ann@example.org", Credits(0)).await.is_err());
        assert!(matches!(
            admin.grant("bo@example.org", Credits(1)).await,
            Err(AdminError::Unknown(_))
        ));
        let books = admin.verify_books().await.unwrap();
        assert!(books.faults.is_empty(), "{:?}", books.faults);
        assert_eq!((books.granted, books.available), (10, 10));
    }

    #[tokio::test]
    async fn a_key_is_listed_by_its_end_and_revoked_by_its_id() {
        let folder = tempfile::tempdir().unwrap();
        let admin = admin(&folder).await;
        admin.add_user(account("ann@example.org", 0)).await.unwrap();
        let (id, key) = admin.add_key("ann@example.org", " laptop ").await.unwrap();
        let keys = admin.keys("ann@example.org").await.unwrap();
        assert_eq!(keys.len(), 1);
        assert_eq!((keys[0].id, keys[0].name.as_str()), (id, "laptop"));
        assert_eq!(keys[0].last_four, key.last_four());
        admin.revoke(&id.to_string()).await.unwrap();
        let keys = admin.keys("ann@example.org").await.unwrap();
        assert!(keys[0].revoked_at.is_some());
        assert!(matches!(
            admin.revoke(&KeyId::new().to_string()).await,
            Err(AdminError::Unknown(_))
        ));
        assert!(matches!(
            admin.revoke("nonsense").await,
            Err(AdminError::Unknown(_))
        ));
    }

    #[tokio::test]
    async fn the_21st_live_key_and_nameless_keys_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let admin = admin(&folder).await;
        admin.add_user(account("ann@example.org", 0)).await.unwrap();
        let (first, _) = admin.add_key("ann@example.org", "k").await.unwrap();
        for _ in 1..20 {
            admin.add_key("ann@example.org", "k").await.unwrap();
        }
        assert!(matches!(
            admin.add_key("ann@example.org", "k").await,
            Err(AdminError::Refused(_))
        ));
        admin.revoke(&first.to_string()).await.unwrap();
        assert!(admin.add_key("ann@example.org", "k").await.is_ok());
        for bad in ["", "  ", "a\nb", &"x".repeat(65)] {
            assert!(admin.add_key("ann@example.org", bad).await.is_err());
        }
    }

    #[tokio::test]
    async fn a_password_is_kept_as_a_hash_that_fits() {
        let folder = tempfile::tempdir().unwrap();
        let admin = admin(&folder).await;
        let user = admin.add_user(account("ann@example.org", 0)).await.unwrap();
        let password = fresh_password().unwrap();
        admin
            .reset_password("ann@example.org", password.clone())
            .await
            .unwrap();
        let kept = admin.store.password_hash(user.id).await.unwrap().unwrap();
        assert!(passwords::fits(&password, &kept));
        assert!(
            admin
                .reset_password("ann@example.org", "short".into())
                .await
                .is_err()
        );
    }

    #[tokio::test]
    async fn an_account_is_shut_out_and_let_in_again() {
        let folder = tempfile::tempdir().unwrap();
        let admin = admin(&folder).await;
        admin.add_user(account("ann@example.org", 0)).await.unwrap();
        assert!(
            admin
                .set_restricted("ann@example.org", true)
                .await
                .unwrap()
                .restricted
        );
        assert!(
            !admin
                .set_restricted("ann@example.org", false)
                .await
                .unwrap()
                .restricted
        );
    }
}
