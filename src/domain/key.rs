//! Owns what an API key is: how one is made, how a mistyped one is told apart without a look-up, and the only form we keep.
//!
//! A key is `<brand>_sk_`, 43 base62 characters (256 bits) and 6 base62 characters of CRC32 over all that precedes them
//! (decisions 12 and 51). The plaintext lives in [`ApiKey`] while it is shown once; the store only ever sees [`HashedKey`].

use crate::domain::clock::Timestamp;
use crate::domain::id::{KeyId, UserId};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::fmt;

/// What stands between the brand and the characters that are drawn.
const MARK: &str = "_sk_";
const BODY_LEN: usize = 43;
const CHECKSUM_LEN: usize = 6;
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Most live keys an account may hold.
pub const LIVE_KEYS_MAX: usize = 20;
/// Most characters of a key's name.
pub const KEY_NAME_CHARS_MAX: usize = 64;

/// A key in plain text: well formed, not yet known to be anyone's. Never stored, never logged.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// Makes a key from 256 bits of the operating system's generator.
    #[must_use]
    pub fn from_entropy(brand: &str, entropy: [u8; 32]) -> Self {
        let mut key = format!("{brand}{MARK}{}", base62(&entropy));
        key.extend(checksum(&key).map(char::from));
        Self(key)
    }

    /// Accepts a key of this brand whose length, alphabet and checksum are right; costs no look-up.
    #[must_use]
    pub fn parse(brand: &str, text: &str) -> Option<Self> {
        let rest = text.strip_prefix(brand)?.strip_prefix(MARK)?;
        if rest.len() != BODY_LEN + CHECKSUM_LEN
            || !rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
        {
            return None;
        }
        let (unchecked, given) = text.split_at_checked(text.len() - CHECKSUM_LEN)?;
        (checksum(unchecked) == given.as_bytes()).then(|| Self(text.to_owned()))
    }

    /// The whole key, to be shown to its owner once.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The last four characters, which help an owner tell keys apart.
    #[must_use]
    pub fn last_four(&self) -> String {
        self.0
            .chars()
            .skip(self.0.len().saturating_sub(4))
            .collect()
    }

    /// The form that is stored: HMAC-SHA256 under the service's pepper.
    #[must_use]
    pub fn hash(&self, pepper: &Pepper) -> HashedKey {
        let mut mac = pepper.0.clone();
        mac.update(self.0.as_bytes());
        HashedKey(mac.finalize().into_bytes().into())
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(..)")
    }
}

/// What the store knows of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct HashedKey(pub [u8; 32]);

/// What the store knows of a secret that is no key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest(pub [u8; 32]);

/// The service's secret under which keys are hashed: 32 bytes, 64 hexadecimal characters in its file.
#[derive(Clone)]
pub struct Pepper(Hmac<Sha256>);

impl Pepper {
    /// From its 32 bytes.
    #[must_use]
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(
            <Hmac<Sha256> as KeyInit>::new_from_slice(&bytes)
                .expect("HMAC takes keys of any length"),
        )
    }

    /// The only form that is kept of a secret that is no key: a session's token, a recovery code, a link in a mail. The purpose
    /// keeps what was made for one thing from being good for another.
    #[must_use]
    pub fn digest(&self, purpose: &str, secret: &str) -> Digest {
        let mut mac = self.0.clone();
        mac.update(purpose.as_bytes());
        mac.update(b"\0");
        mac.update(secret.as_bytes());
        Digest(mac.finalize().into_bytes().into())
    }

    /// From the 64 hexadecimal characters of its file; surrounding white space is ignored.
    #[must_use]
    pub fn from_hex(text: &str) -> Option<Self> {
        from_hex(text.trim()).map(Self::new)
    }
}

impl fmt::Debug for Pepper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pepper(..)")
    }
}

/// Bytes as lower-case hexadecimal characters.
#[must_use]
pub fn to_hex(bytes: &[u8]) -> String {
    let digit = |value: u8| {
        let value = u32::from(value);
        char::from_digit(value, 16).unwrap_or('0')
    };
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        text.push(digit(byte >> 4));
        text.push(digit(byte & 15));
    }
    text
}

/// Reads exactly 32 bytes from 64 hexadecimal characters.
#[must_use]
pub fn from_hex(text: &str) -> Option<[u8; 32]> {
    if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let mut bytes = [0; 32];
    for (slot, pair) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
        *slot = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(bytes)
}

fn checksum(text: &str) -> [u8; CHECKSUM_LEN] {
    let mut rest = crc32fast::hash(text.as_bytes());
    let mut digits = [b'0'; CHECKSUM_LEN];
    for digit in digits.iter_mut().rev() {
        *digit = base62_digit(rest % 62);
        rest /= 62;
    }
    digits
}

/// 256 bits in 43 base62 characters, most significant first (62^43 > 2^256).
fn base62(bytes: &[u8; 32]) -> String {
    let mut number = *bytes;
    let mut digits = [b'0'; BODY_LEN];
    for digit in digits.iter_mut().rev() {
        let mut remainder = 0u32;
        for byte in &mut number {
            let value = remainder << 8 | u32::from(*byte);
            *byte = (value / 62) as u8;
            remainder = value % 62;
        }
        *digit = base62_digit(remainder);
    }
    digits.iter().map(|digit| char::from(*digit)).collect()
}

fn base62_digit(value: u32) -> u8 {
    BASE62.get(value as usize).copied().unwrap_or(b'0')
}

/// A key, as its owner sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// Its identity.
    pub id: KeyId,
    /// Whose it is.
    pub user_id: UserId,
    /// Its name.
    pub name: String,
    /// The last four characters.
    pub last_four: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last used, at most 30 s stale.
    pub last_used_at: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_prefix_43_characters_and_6_of_checksum() {
        let key = ApiKey::from_entropy("skillkiln", [7; 32]);
        assert!(key.reveal().starts_with("skillkiln_sk_"));
        assert_eq!(key.reveal().len(), "skillkiln_sk_".len() + 49);
        assert_eq!(ApiKey::parse("skillkiln", key.reveal()), Some(key.clone()));
        assert_eq!(key.last_four().len(), 4);
        assert!(key.reveal().ends_with(&key.last_four()));
    }

    #[test]
    fn every_single_changed_character_is_noticed() {
        let key = ApiKey::from_entropy("skillkiln", [0xa5; 32]);
        for position in 0..key.reveal().len() {
            let mut bytes = key.reveal().as_bytes().to_vec();
            bytes[position] = if bytes[position] == b'x' { b'y' } else { b'x' };
            assert_eq!(
                ApiKey::parse("skillkiln", &String::from_utf8(bytes).expect("ASCII")),
                None
            );
        }
        assert_eq!(ApiKey::parse("other", key.reveal()), None);
    }

    #[test]
    fn the_same_entropy_gives_different_hashes_under_different_peppers() {
        let key = ApiKey::from_entropy("skillkiln", [1; 32]);
        assert_ne!(
            key.hash(&Pepper::new([0; 32])),
            key.hash(&Pepper::new([1; 32]))
        );
        assert_eq!(
            key.hash(&Pepper::new([1; 32])),
            key.hash(&Pepper::from_hex(&to_hex(&[1; 32])).expect("64 characters"))
        );
    }

    #[test]
    fn extremes_of_entropy_stay_43_characters() {
        assert_eq!(base62(&[0; 32]), "0".repeat(43));
        assert_eq!(base62(&[255; 32]).len(), 43);
    }

    #[test]
    fn bytes_are_two_lower_case_hexadecimal_characters_each() {
        assert_eq!(to_hex(&[0x00, 0x0f, 0xa5, 0xff]), "000fa5ff");
        assert_eq!(from_hex(&to_hex(&[0xc3; 32])), Some([0xc3; 32]));
        assert_eq!(to_hex(&[]), "");
    }

    #[test]
    fn a_secret_made_for_one_thing_is_not_good_for_another() {
        let pepper = Pepper::new([3; 32]);
        let session = pepper.digest("session", "secret");
        assert_eq!(session, pepper.digest("session", "secret"));
        assert_ne!(session, pepper.digest("reset", "secret"));
        assert_ne!(pepper.digest("a", "bc"), pepper.digest("ab", "c"));
        assert_ne!(session, Pepper::new([4; 32]).digest("session", "secret"));
    }

    #[test]
    fn a_key_never_shows_itself_in_debug_output() {
        assert_eq!(
            format!("{:?}", ApiKey::from_entropy("skillkiln", [9; 32])),
            "ApiKey(..)"
        );
    }
}
