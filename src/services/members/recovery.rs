//! Owns what helps somebody who lost the password: ten codes to keep on paper, each good once.

use crate::domain::id::UserId;
use crate::domain::user::Email;
use crate::services::accounts::Unavailable;
use crate::services::members::attempts::subscriber;
use crate::services::members::sessions::Entry;
use crate::services::members::{Inner, Members, Refusal, Whence, token, unavailable};

/// What the codes' digests are made for.
const PURPOSE: &str = "recovery";
/// Codes that are made at once.
const CODES: usize = 10;
/// Characters of a code without its dashes: 80 bits.
const CODE_LEN: usize = 20;

impl Members {
    /// Makes new codes; the old ones are good no more. They exist in the answer alone.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn new_recovery_codes(&self, user_id: UserId) -> Result<Vec<String>, Unavailable> {
        let inner = &*self.0;
        let mut codes = Vec::with_capacity(CODES);
        for _ in 0..CODES {
            let mut code = token()?;
            code.truncate(CODE_LEN);
            codes.push(code);
        }
        let digests = codes
            .iter()
            .map(|code| inner.pepper.digest(PURPOSE, code))
            .collect();
        let now = inner.clock.now();
        let kept = inner
            .store
            .replace_recovery_codes(user_id, digests, now)
            .await;
        kept.map_err(|error| unavailable(&error))?;
        Ok(codes.iter().map(|code| dashed(code)).collect())
    }

    /// How many codes an account has left.
    ///
    /// # Errors
    /// [`Unavailable`].
    pub async fn recovery_codes_left(&self, user_id: UserId) -> Result<u64, Unavailable> {
        let left = self.0.store.recovery_codes_left(user_id).await;
        left.map_err(|error| unavailable(&error))
    }

    /// Sets a new password with one of the codes, signs every browser out and this one in.
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
    ) -> Result<Entry, Refusal> {
        let inner = &*self.0;
        let not_good =
            || Refusal::invalid("address and code do not go together, or the code was used before");
        inner.count_recovery(whence)?;
        let email = Email::parse(email).ok_or_else(not_good)?;
        let digest = inner.pepper.digest(PURPOSE, &plain(code));
        // Looked at first, so that only whoever has a code makes us hash.
        let login = inner.store.recoverable(email.clone(), digest).await;
        let login = login.map_err(|error| unavailable(&error))?;
        let login = login.ok_or_else(not_good)?;
        let hash = inner.hash(password, &email).await?;
        let now = inner.clock.now();
        let used = inner.store.recover(login.user_id, digest, hash, now).await;
        if !used.map_err(|error| unavailable(&error))? {
            return Err(not_good());
        }
        if login.restricted {
            return Err(Refusal::Restricted);
        }
        Ok(self.begin_session(login.user_id, whence, before).await?)
    }
}

impl Inner {
    /// Counts that somebody wants to set a new password. Wrong passwords are counted elsewhere, so that they keep nobody from it.
    pub(super) fn count_recovery(&self, whence: &Whence) -> Result<(), Refusal> {
        let address = subscriber(whence.address);
        let counted = self.attempts.recoveries.count(address, self.clock.now());
        counted.map_err(|retry_after_s| Refusal::TooMany { retry_after_s })
    }
}

/// A code as it is shown: `ab12c-d34ef-…`.
fn dashed(code: &str) -> String {
    let groups: Vec<&str> = code
        .as_bytes()
        .chunks(5)
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
        let code = "0123456789abcdef0123";
        assert_eq!(dashed(code), "01234-56789-abcde-f0123");
        assert_eq!(plain(&dashed(code)), code);
        assert_eq!(plain(" 01234 56789 ABCDE F0123\n"), code);
    }
}
