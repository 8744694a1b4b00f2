//! Owns what helps somebody who lost the password: ten codes to keep on paper, each good once.

use crate::domain::id::{SessionId, UserId};
use crate::domain::key::Digest;
use crate::domain::user::Email;
use crate::services::accounts::Unavailable;
use crate::services::attempts::RECOVERIES;
use crate::services::members::noted::Noted as _;
use crate::services::members::second_factor::LetIn;
use crate::services::members::{Inner, Members, Refusal, Whence, token, unavailable};

/// What the codes' digests are made for.
const PURPOSE: &str = "recovery";
/// Codes that are made at once.
const CODES: usize = 10;
/// Characters of a code without its dashes: 128 bits, too many to be guessed from its digest, pepper or not. Shorter codes, which were made before,
/// are good as they are.
const CODE_LEN: usize = 32;
/// Characters between two dashes.
const GROUP: usize = 4;

impl Members {
    /// Makes new codes for somebody who is signed in and knows the password, where there is one: whoever has a code can set another. The
    /// old ones are good no more. They exist in the answer alone.
    ///
    /// # Errors
    /// [`Refusal`].
    pub async fn new_recovery_codes(
        &self,
        user_id: UserId,
        session: SessionId,
        password: String,
    ) -> Result<Vec<String>, Refusal> {
        let outcome: Result<Vec<String>, Refusal> = async {
            let inner = &*self.0;
            self.may_change_ways(user_id, session, password).await?;
            let codes = inner.fresh_codes()?;
            let now = inner.clock.now();
            let kept = inner
                .store
                .replace_recovery_codes(user_id, codes.digests, now)
                .await;
            kept.map_err(|error| unavailable(&error))?;
            Ok(codes.shown)
        }
        .await;
        outcome.noted("recovery codes made", Some(user_id), None)
    }

    /// How many codes an account has left.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn recovery_codes_left(&self, user_id: UserId) -> Result<u64, Unavailable> {
        let left = self.0.store.recovery_codes_left(user_id).await;
        left.map_err(|error| unavailable(&error))
    }

    /// Sets a new password with one of the codes, signs every browser out and lets this one in. It stands for the password alone: the
    /// second factor is asked for as ever.
    ///
    /// # Errors
    /// [`Refusal`]; the same words whether or not there is such an account.
    pub async fn recover(
        &self,
        email: &str,
        code: &str,
        password: String,
        whence: &Whence,
        before: Option<&str>,
    ) -> Result<LetIn, Refusal> {
        let mut who = None;
        let outcome: Result<LetIn, Refusal> = async {
            let inner = &*self.0;
            let not_good = || {
                Refusal::invalid("address and code do not go together, or the code was used before")
            };
            // Wrong passwords are counted elsewhere, so that they keep nobody from it.
            inner.count_from(RECOVERIES, whence).await?;
            let email = Email::parse(email).ok_or_else(not_good)?;
            let digest = inner.recovery_digest(code);
            // Looked at first, so that only whoever has a code makes us hash.
            let login = inner.store.recoverable(email.clone(), digest).await;
            let login = login.map_err(|error| unavailable(&error))?;
            let login = login.ok_or_else(not_good)?;
            who = Some(login.user_id);
            let hash = inner.hash(password, &email).await?;
            let now = inner.clock.now();
            let used = inner.store.recover(login.user_id, digest, hash, now).await;
            if !used.map_err(|error| unavailable(&error))? {
                return Err(not_good());
            }
            if login.restricted {
                return Err(Refusal::Restricted);
            }
            Ok(self.let_in(login.user_id, whence, before).await?)
        }
        .await;
        outcome.noted("recovery code", who, Some(whence))
    }
}

/// New codes: as they are shown, and as they are kept.
pub(super) struct Codes {
    pub(super) shown: Vec<String>,
    pub(super) digests: Vec<Digest>,
}

impl Inner {
    pub(super) fn fresh_codes(&self) -> Result<Codes, Unavailable> {
        let mut codes = Codes {
            shown: Vec::with_capacity(CODES),
            digests: Vec::with_capacity(CODES),
        };
        for _ in 0..CODES {
            let mut code = token()?;
            code.truncate(CODE_LEN);
            codes.shown.push(dashed(&code));
            codes.digests.push(self.pepper.digest(PURPOSE, &code));
        }
        Ok(codes)
    }

    /// What is kept of a code as it was typed.
    pub(super) fn recovery_digest(&self, typed: &str) -> Digest {
        self.pepper.digest(PURPOSE, &plain(typed))
    }
}

/// A code as it is shown: `ab12-c34d-…`.
fn dashed(code: &str) -> String {
    let groups: Vec<&str> = code
        .as_bytes()
        .chunks(GROUP)
        .filter_map(|group| std::str::from_utf8(group).ok())
        .collect();
    groups.join("-")
}

/// A code as it was typed, without what people put between.
fn plain(code: &str) -> String {
    code.chars()
        .filter(char::is_ascii_alphanumeric)
        .take(2 * CODE_LEN)
        .collect::<String>()
        .to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_however_it_is_typed() {
        let code = "0123456789abcdef0123456789abcdef";
        assert_eq!(dashed(code), "0123-4567-89ab-cdef-0123-4567-89ab-cdef");
        assert_eq!(plain(&dashed(code)), code);
        assert_eq!(plain(" 0123 4567 89AB CDEF 0123 4567 89AB CDEF\n"), code);
        assert_eq!(plain("01234-56789-abcde-f0123"), "0123456789abcdef0123");
    }
}
