//! Owns the proof that an event comes from the payment provider: an HMAC over its time and its bytes, checked in constant time.

use crate::domain::clock::Timestamp;
use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretString};
use sha2::Sha256;
use std::time::Duration;

/// How old a signature may be (decision 61), and how far ahead the other clock may run.
pub const TOLERANCE: Duration = Duration::from_secs(300);
/// While a secret is rolled an event has two signatures; a header with hundreds is no event.
const SIGNATURES_MAX: usize = 16;
const HEADER_BYTES_MAX: usize = 4_096;

/// The secret that we share with the provider. Its `Debug` shows nothing.
#[derive(Debug, Clone)]
pub struct WebhookSecret(SecretString);

/// Why an event is not believed. What was wrong is for the log, not for whoever sent it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disbelief {
    /// There is no signature, or none that can be read.
    Malformed,
    /// It was signed too long ago, or in a future too far ahead.
    Untimely,
    /// None of the signatures fits.
    Forged,
}

impl WebhookSecret {
    /// A secret as the provider shows it.
    #[must_use]
    pub fn new(secret: String) -> Self {
        Self(SecretString::from(secret))
    }

    /// The header for these bytes, as the provider would send it then.
    #[must_use]
    pub fn sign(&self, body: &[u8], at: Timestamp) -> String {
        let seconds = at.micros().div_euclid(1_000_000);
        let proof = self.mac(&seconds.to_string(), body).finalize().into_bytes();
        let hex: String = proof.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("t={seconds},v1={hex}")
    }

    /// Whether the header proves that these bytes come from the provider, lately.
    ///
    /// # Errors
    /// [`Disbelief`].
    pub fn check(&self, header: &str, body: &[u8], now: Timestamp) -> Result<(), Disbelief> {
        if header.len() > HEADER_BYTES_MAX {
            return Err(Disbelief::Malformed);
        }
        let mut time = None;
        let mut proofs = Vec::new();
        for item in header.split(',') {
            match item.trim().split_once('=') {
                Some(("t", _)) if time.is_some() => return Err(Disbelief::Malformed),
                Some(("t", seconds)) => time = Some(seconds),
                Some(("v1", proof)) => proofs.push(from_hex(proof).ok_or(Disbelief::Malformed)?),
                _ => {}
            }
        }
        let time = time.ok_or(Disbelief::Malformed)?;
        let plain = !time.is_empty() && time.bytes().all(|byte| byte.is_ascii_digit());
        let seconds: i64 = time.parse().map_err(|_| Disbelief::Malformed)?;
        if !plain || proofs.is_empty() || proofs.len() > SIGNATURES_MAX {
            return Err(Disbelief::Malformed);
        }
        let mut fits = false;
        for proof in &proofs {
            // Each comparison takes the same time whatever it finds.
            fits |= self.mac(time, body).verify_slice(proof).is_ok();
        }
        if !fits {
            return Err(Disbelief::Forged);
        }
        let now = now.micros().div_euclid(1_000_000);
        if now.abs_diff(seconds) > TOLERANCE.as_secs() {
            return Err(Disbelief::Untimely);
        }
        Ok(())
    }

    fn mac(&self, time: &str, body: &[u8]) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(self.0.expose_secret().as_bytes())
            .expect("an HMAC takes a key of any length");
        mac.update(time.as_bytes());
        mac.update(b".");
        mac.update(body);
        mac
    }
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    let digit = |byte: &u8| char::from(*byte).to_digit(16);
    text.as_bytes()
        .chunks_exact(2)
        .map(|pair| match pair {
            [high, low] => u8::try_from(digit(high)? * 16 + digit(low)?).ok(),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000)
    }

    fn secret() -> WebhookSecret {
        WebhookSecret::new("whsec_test".into())
    }

    #[test]
    fn a_signature_is_the_hmac_of_time_dot_body() {
        // printf '12345.{"a":1}' | openssl dgst -sha256 -hmac whsec_test
        let proof = "6891b7a66b05b0e53771b0ad1be66a73fc29b6b3c4b4961ddb1efa062c8c05e9";
        let signed = secret().sign(br#"{"a":1}"#, at(12_345));
        assert_eq!(signed, format!("t=12345,v1={proof}"));
        assert_eq!(secret().check(&signed, br#"{"a":1}"#, at(12_345)), Ok(()));
    }

    #[test]
    fn one_fitting_signature_among_several_is_enough_and_other_schemes_do_not_count() {
        let signed = secret().sign(b"x", at(1_000));
        let (time, proof) = signed.split_once(',').expect("two parts");
        let other = format!("v1={}", "0".repeat(64));
        let v0 = proof.replace("v1=", "v0=");
        for good in [
            format!("{time},{other},{proof}"),
            format!("{time}, {proof}, {other}, v0=zz"),
            format!("{proof},{time}"),
        ] {
            assert_eq!(secret().check(&good, b"x", at(1_000)), Ok(()), "{good}");
        }
        for (bad, why) in [
            (format!("{time},{other}"), Disbelief::Forged),
            (format!("{time},{v0}"), Disbelief::Malformed),
            (format!("{time},{v0},{other}"), Disbelief::Forged),
            (format!("t=1001,{proof}"), Disbelief::Forged),
            (format!("{time},{time},{proof}"), Disbelief::Malformed),
            (format!("t=+1000,{proof}"), Disbelief::Malformed),
            (format!("t=,{proof}"), Disbelief::Malformed),
            (proof.to_owned(), Disbelief::Malformed),
            (time.to_owned(), Disbelief::Malformed),
            (String::new(), Disbelief::Malformed),
            (format!("{time},v1=é"), Disbelief::Malformed),
            (
                format!("{time},{}", format!("{other},").repeat(17)),
                Disbelief::Malformed,
            ),
            ("x".repeat(5_000), Disbelief::Malformed),
        ] {
            assert_eq!(secret().check(&bad, b"x", at(1_000)), Err(why), "{bad}");
        }
        assert_eq!(
            WebhookSecret::new("other".into()).check(&signed, b"x", at(1_000)),
            Err(Disbelief::Forged)
        );
        assert_eq!(
            secret().check(&signed, b"y", at(1_000)),
            Err(Disbelief::Forged)
        );
    }

    #[test]
    fn a_signature_is_good_for_five_minutes() {
        let signed = secret().sign(b"x", at(1_000));
        for good in [700, 1_000, 1_300] {
            assert_eq!(secret().check(&signed, b"x", at(good)), Ok(()), "{good}");
        }
        for bad in [0, 699, 1_301, 90_000] {
            assert_eq!(
                secret().check(&signed, b"x", at(bad)),
                Err(Disbelief::Untimely),
                "{bad}"
            );
        }
    }

    #[test]
    fn the_secret_is_never_shown() {
        assert!(!format!("{:?}", secret()).contains("whsec"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        /// No header but the one that was made with the secret proves anything, however near to it one comes.
        #[test]
        fn no_header_proves_what_was_not_signed(
            text in "(t=|v1=|,|[0-9a-f]{0,64}| |é|-|\\PC){0,12}",
            body in prop::collection::vec(any::<u8>(), 0..100),
            at_byte in any::<prop::sample::Index>(),
        ) {
            let now = at(1_000);
            prop_assert!(secret().check(&text, &body, now).is_err());
            let signed = secret().sign(&body, now);
            prop_assert_eq!(secret().check(&signed, &body, now), Ok(()));
            let mut damaged = signed.clone().into_bytes();
            let place = at_byte.index(damaged.len());
            damaged[place] ^= 1;
            if let Ok(damaged) = String::from_utf8(damaged) {
                prop_assert!(secret().check(&damaged, &body, now).is_err(), "{damaged}");
            }
            let other = [&body[..], b"x"].concat();
            prop_assert_eq!(secret().check(&signed, &other, now), Err(Disbelief::Forged));
        }
    }
}
