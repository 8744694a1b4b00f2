//! Owns the codes of an authenticator (RFC 6238): six figures that change every thirty seconds, from a secret that a telephone shares
//! with us.

use crate::domain::clock::Timestamp;
use ring::hmac;
use std::fmt;

/// Bytes of a secret: as many as the hash has (RFC 4226 asks for 160 bits).
pub const SECRET_LEN: usize = 20;
/// Figures of a code.
const DIGITS: usize = 6;
/// How long a code is shown.
const STEP_S: i64 = 30;
/// Steps before and after the present one whose codes are taken as well, for clocks that differ and hands that are slow.
const SLACK: i64 = 1;
/// RFC 4648.
const ALPHABET: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// What an authenticator shares with us. Never logged.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(pub [u8; SECRET_LEN]);

impl Secret {
    /// The secret as it is typed into an authenticator: base32.
    #[must_use]
    pub fn text(&self) -> String {
        // 160 bits are 32 times five.
        let (whole, _) = self.0.as_chunks::<5>();
        let five_bits = whole.iter().flat_map(|bytes| {
            let value = bytes
                .iter()
                .fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte));
            (0..8).rev().map(move |place| (value >> (5 * place)) & 31)
        });
        five_bits
            .filter_map(|value| ALPHABET.get(usize::try_from(value).ok()?))
            .map(|letter| char::from(*letter))
            .collect()
    }

    /// The code of a step.
    #[must_use]
    pub fn code(&self, step: i64) -> String {
        let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, &self.0);
        let tag = hmac::sign(&key, &step.to_be_bytes());
        let tag = tag.as_ref();
        let offset = usize::from(tag.last().copied().unwrap_or_default() & 15);
        let four = tag.get(offset..).and_then(|rest| rest.first_chunk::<4>());
        let number = u32::from_be_bytes(four.copied().unwrap_or_default()) & 0x7fff_ffff;
        format!("{:0DIGITS$}", number % 10_u32.pow(DIGITS as u32))
    }

    /// The step whose code was typed at `now`, if it is one of those that are taken and comes after the `last` that was.
    #[must_use]
    pub fn step_of(&self, typed: &str, now: Timestamp, last: i64) -> Option<i64> {
        let typed: String = typed.chars().filter(|c| !c.is_whitespace()).collect();
        let present = step_at(now);
        // All are looked at, whichever fits, so that the time says nothing.
        (present - SLACK..=present + SLACK)
            .filter(|step| is_same(&self.code(*step), &typed))
            .filter(|step| *step > last)
            .min()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// The number of the step at an instant.
#[must_use]
pub fn step_at(now: Timestamp) -> i64 {
    now.micros().div_euclid(1_000_000 * STEP_S)
}

/// Whether what was typed looks like a code of an authenticator.
#[must_use]
pub fn is_code(typed: &str) -> bool {
    let mut typed = typed.chars().filter(|c| !c.is_whitespace());
    typed
        .by_ref()
        .take(DIGITS)
        .filter(char::is_ascii_digit)
        .count()
        == DIGITS
        && typed.next().is_none()
}

fn is_same(ours: &str, theirs: &str) -> bool {
    let different = ours
        .bytes()
        .zip(theirs.bytes())
        .fold(0, |seen, (a, b)| seen | (a ^ b));
    ours.len() == theirs.len() && different == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rfc() -> Secret {
        Secret(*b"12345678901234567890")
    }

    fn at(unix_s: i64) -> Timestamp {
        Timestamp::from_micros(unix_s * 1_000_000)
    }

    #[test]
    fn the_codes_are_those_of_rfc_6238() {
        // Appendix B, SHA1; of the eight figures there the last six.
        for (unix_s, code) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ] {
            assert_eq!(rfc().code(step_at(at(unix_s))), code, "{unix_s}");
        }
        // RFC 4226, appendix D.
        for (step, code) in [(0, "755224"), (1, "287082"), (9, "520489")] {
            assert_eq!(rfc().code(step), code);
        }
    }

    #[test]
    fn a_secret_is_typed_in_base32() {
        assert_eq!(rfc().text(), "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
        assert_eq!(Secret([0xff; 20]).text(), "7".repeat(32));
        assert_eq!(format!("{:?}", rfc()), "Secret(..)");
    }

    #[test]
    fn a_code_is_taken_a_step_early_or_late_and_never_twice() {
        let now = at(59);
        let code = rfc().code(1);
        assert_eq!(rfc().step_of(&code, now, 0), Some(1));
        assert_eq!(rfc().step_of(" 287 082\n", now, 0), Some(1));
        assert_eq!(rfc().step_of(&code, at(29), 0), Some(1), "a step early");
        assert_eq!(rfc().step_of(&code, at(60), 0), Some(1), "a step late");
        assert_eq!(rfc().step_of(&code, at(90), 0), None, "two steps late");
        assert_eq!(rfc().step_of(&code, now, 1), None, "taken before");
        for wrong in ["", "28708", "2870822", "287083", "abcdef"] {
            assert_eq!(rfc().step_of(wrong, now, 0), None, "{wrong}");
        }
    }

    #[test]
    fn six_figures_are_a_code_and_nothing_else_is() {
        assert!(is_code("123456") && is_code(" 123 456 "));
        for other in ["", "12345", "1234567", "12345a", "01234-56789-abcde-f0123"] {
            assert!(!is_code(other), "{other}");
        }
    }
}
