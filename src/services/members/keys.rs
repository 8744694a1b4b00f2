//! Owns an account's API keys as their owner handles them: made and shown once, named, revoked.

use crate::domain::id::{KeyId, UserId};
use crate::domain::key::{ApiKey, KEY_NAME_CHARS_MAX, Key};
use crate::services::accounts::Unavailable;
use crate::services::members::noted;
use crate::services::members::{Inner, Members, Refusal, unavailable};
use crate::store::model::{NewKey, StoreError};
use uuid::Builder;

/// What the identities of keys that forms make are drawn for.
const FORM: &str = "key-form";

impl Members {
    /// Makes a key. The plaintext exists in the answer alone. A form that was sent before, known by its token, makes no other key: there is
    /// none in the answer then.
    ///
    /// # Errors
    /// [`Refusal::Invalid`] when the name is none, or the account has its 20 live keys.
    pub async fn add_key(
        &self,
        user_id: UserId,
        name: &str,
        form: &str,
    ) -> Result<Option<ApiKey>, Refusal> {
        let inner = &*self.0;
        let id = match form {
            "" => KeyId::new(),
            form => inner.key_id_of(user_id, form),
        };
        let name = name.trim();
        let length = name.chars().count();
        if length == 0 || length > KEY_NAME_CHARS_MAX || name.chars().any(char::is_control) {
            return Err(Refusal::Invalid(format!(
                "a key's name has 1 to {KEY_NAME_CHARS_MAX} printable characters"
            )));
        }
        let mut entropy = [0; 32];
        getrandom::fill(&mut entropy).map_err(|_| Refusal::Unavailable)?;
        let key = ApiKey::from_entropy(&inner.rules.brand, entropy);
        let added = inner
            .store
            .add_key(NewKey {
                id,
                user_id,
                name: name.to_owned(),
                hash: key.hash(&inner.pepper),
                last_four: key.last_four(),
                at: inner.clock.now(),
            })
            .await;
        match added {
            Ok(()) => {
                noted::done("key made", user_id, None);
                Ok(Some(key))
            }
            Err(StoreError::Conflict(_)) => {
                if self.keys(user_id).await?.iter().any(|key| key.id == id) {
                    return Ok(None);
                }
                Err(Refusal::invalid(
                    "an account has at most 20 live keys; revoke one that is not used any more",
                ))
            }
            Err(error) => Err(unavailable(&error).into()),
        }
    }

    /// The keys of an account, the newest first, revoked ones last.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn keys(&self, user_id: UserId) -> Result<Vec<Key>, Unavailable> {
        let found = self.0.store.keys_of(user_id).await;
        let mut keys = found.map_err(|error| unavailable(&error))?;
        keys.reverse();
        keys.sort_by_key(|key| key.revoked_at.is_some());
        Ok(keys)
    }

    /// Revokes a key of an account; false when it has no such key.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn revoke_key(&self, user_id: UserId, id: KeyId) -> Result<bool, Unavailable> {
        // Whose a key is never changes.
        let is_theirs = self.keys(user_id).await?.iter().any(|key| key.id == id);
        if !is_theirs {
            return Ok(false);
        }
        let revoked = self.0.store.revoke_key(id, self.0.clock.now()).await;
        let revoked = revoked.map_err(|error| unavailable(&error))?;
        if revoked {
            noted::done("key revoked", user_id, None);
        }
        Ok(revoked)
    }
}

impl Inner {
    /// The identity of the key that a form makes: the same one however often it is sent, and none that anybody can choose.
    fn key_id_of(&self, user_id: UserId, form: &str) -> KeyId {
        let digest = self.pepper.digest(FORM, &format!("{user_id} {form}"));
        let bytes = digest.0.first_chunk().copied().unwrap_or_default();
        KeyId(Builder::from_custom_bytes(bytes).into_uuid())
    }
}
