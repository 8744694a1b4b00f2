//! Owns how passwords are kept: argon2id with a salt of their own, never in plain text.

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use std::sync::LazyLock;

/// Fewest characters of a password.
pub const CHARS_MIN: usize = 10;
/// Most bytes of a password; hashing costs time by length, and no password needs more.
pub const BYTES_MAX: usize = 1024;

/// Hashes a password into PHC form (`$argon2id$...`). Takes tens of milliseconds on purpose: never on a request thread.
///
/// # Errors
/// A message for whoever chose the password.
pub fn hash(password: &str) -> Result<String, String> {
    if password.chars().count() < CHARS_MIN {
        return Err(format!("a password needs at least {CHARS_MIN} characters"));
    }
    if password.len() > BYTES_MAX {
        return Err(format!("a password has at most {BYTES_MAX} bytes"));
    }
    let hashed: PasswordHash = Argon2::default()
        .hash_password(password.as_bytes())
        .map_err(|cause| format!("cannot hash the password: {cause}"))?;
    Ok(hashed.to_string())
}

/// Whether a password is worth hashing: long enough, short enough, and not one that everybody tries first.
///
/// # Errors
/// A message for whoever chose the password.
pub fn weigh(password: &str) -> Result<(), String> {
    let chars = password.chars().count();
    if chars < CHARS_MIN {
        return Err(format!("a password needs at least {CHARS_MIN} characters"));
    }
    if password.len() > BYTES_MAX {
        return Err(format!("a password has at most {BYTES_MAX} bytes"));
    }
    if is_common(password) {
        return Err(
            "this password is among the first that are tried; take a few words that belong to you alone".into(),
        );
    }
    Ok(())
}

/// Words that the most common passwords are made of.
const COMMON_WORDS: [&str; 36] = [
    "password",
    "passwort",
    "passw0rd",
    "qwertyuiop",
    "qwerty",
    "qwertz",
    "azerty",
    "asdfghjkl",
    "asdfgh",
    "zxcvbnm",
    "iloveyou",
    "letmein",
    "welcome",
    "sunshine",
    "princess",
    "football",
    "baseball",
    "superman",
    "batman",
    "dragon",
    "monkey",
    "master",
    "shadow",
    "michael",
    "charlie",
    "jordan",
    "whatever",
    "trustno",
    "starwars",
    "computer",
    "administrator",
    "admin",
    "login",
    "changeme",
    "secret",
    "skillkiln",
];

/// Whether a password is a run of few different characters, a row of neighbours, or nothing but a common word with figures and
/// signs around it.
fn is_common(password: &str) -> bool {
    let folded = password.to_lowercase();
    let mut different: Vec<char> = folded.chars().collect();
    different.sort_unstable();
    different.dedup();
    if different.len() < 4 {
        return true;
    }
    let neighbours = folded
        .chars()
        .zip(folded.chars().skip(1))
        .filter(|(a, b)| u32::from(*a).abs_diff(u32::from(*b)) <= 1)
        .count();
    if neighbours + 3 >= folded.chars().count() {
        return true;
    }
    // Twice the same is once.
    let half = folded.len() / 2;
    let folded = match folded.split_at_checked(half) {
        Some((one, other)) if one == other => one.to_owned(),
        _ => folded,
    };
    let mut rest = folded.clone();
    for word in COMMON_WORDS {
        rest = rest.replace(word, "");
    }
    rest.len() < folded.len() && rest.chars().filter(|c| c.is_alphabetic()).count() < 3
}

/// A hash that no password fits, for those who have none: asking it takes as long as asking a real one.
#[must_use]
pub fn nobodys() -> &'static str {
    static NOBODYS: LazyLock<String> =
        LazyLock::new(|| hash("a password that nobody has").unwrap_or_default());
    &NOBODYS
}

/// Whether `password` is the one that was hashed. A hash that cannot be read fits no password.
#[must_use]
pub fn fits(password: &str, hash: &str) -> bool {
    PasswordHash::new(hash).is_ok_and(|parsed| {
        Argon2::default()
            .verify_password(password.as_bytes(), &parsed)
            .is_ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_fits_its_own_hash_and_no_other() {
        let hashed = hash("correct horse").unwrap();
        assert!(hashed.starts_with("$argon2id$"));
        assert!(fits("correct horse", &hashed));
        assert!(!fits("correct horsf", &hashed));
        assert!(!fits("correct horse", "nonsense"));
        assert_ne!(hashed, hash("correct horse").unwrap(), "the salt differs");
    }

    #[test]
    fn what_everybody_tries_first_is_refused_and_what_somebody_thought_of_is_not() {
        for common in [
            "password123",
            "Passw0rd!!",
            "1234567890",
            "0987654321",
            "qwertyuiop",
            "Qwerty12345",
            "aaaaaaaaaa",
            "abcdefghij",
            "1111122222",
            "iloveyou!!",
            "letmein2026",
            "Welcome2026!",
            "adminadmin",
            "password password",
        ] {
            assert!(weigh(common).is_err(), "{common}");
        }
        for good in [
            "correct horse battery",
            "kiln-fired teapot",
            "Zq7#mVt2!xLp",
            "my dragon eats toast",
            "Straßenbahn 17 früh",
        ] {
            assert_eq!(weigh(good), Ok(()), "{good}");
        }
    }

    #[test]
    fn passwords_out_of_bounds_are_refused() {
        assert!(hash("short").is_err());
        assert!(hash(&"x".repeat(BYTES_MAX + 1)).is_err());
    }
}
