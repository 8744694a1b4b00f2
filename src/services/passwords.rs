//! Owns which passwords are taken and how they are kept: long enough, not among those that are guessed first, and argon2id with a salt
//! of their own, never in plain text.
//!
//! What is guessed first is known without asking anybody: the `zxcvbn` package (MIT) brings the 30,000 commonest passwords of breaches,
//! the commonest words and names, and the patterns by which people stretch them: rows of the keyboard, repetitions, dates, figures for
//! letters. Guessers go through the same in the same order, so what counts is how many guesses a password takes.

use crate::domain::user::Email;
use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use std::sync::LazyLock;
use zxcvbn::zxcvbn;

/// Fewest characters of a password.
pub const CHARS_MIN: usize = 12;
/// Most bytes of a password; hashing costs time by length, and no password needs more.
pub const BYTES_MAX: usize = 1024;
/// Guesses that a password must take at least, as a power of ten: what `zxcvbn` scores as 3 of 4.
const GUESSES_MIN_LOG10: f64 = 8.0;

/// Hashes a password into PHC form (`$argon2id$...`). Takes tens of milliseconds on purpose: never on a request thread.
///
/// # Errors
/// A message for whoever chose the password.
pub fn hash(password: &str) -> Result<String, String> {
    measure(password)?;
    let hashed: PasswordHash = Argon2::default()
        .hash_password(password.as_bytes())
        .map_err(|cause| format!("cannot hash the password: {cause}"))?;
    Ok(hashed.to_string())
}

/// Whether a password that its owner chose is worth hashing: long enough, short enough, not their address, and not among those that
/// are guessed first. Takes some milliseconds: never on a request thread.
///
/// # Errors
/// A message for whoever chose the password.
pub fn weigh(password: &str, owner: &Email) -> Result<(), String> {
    measure(password)?;
    if Email::parse(password).as_ref() == Some(owner) {
        return Err("the password is the address; choose another one".into());
    }
    // What everybody knows of the owner and of us is guessed first as well.
    let name = owner.as_str().split('@').next().unwrap_or_default();
    let name: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
    let known = owner.as_str().split(['@', '.', '+', '-', '_']);
    let known: Vec<&str> = known
        .chain([owner.as_str(), name.as_str(), "skillkiln", "kiln"])
        .filter(|word| word.chars().count() >= 3)
        .collect();
    // The same word again and again is that word, however far apart.
    let words: Vec<&str> = password.split_whitespace().collect();
    let is_one = words.windows(2).all(|pair| pair.first() == pair.last());
    let text = if is_one {
        words.concat()
    } else {
        password.to_owned()
    };
    if zxcvbn(&text, &known).guesses_log10() < GUESSES_MIN_LOG10 {
        return Err(
            "this password is among those that are guessed first: it was in a breach, or is made of what many take; take a few words that belong to you alone".into(),
        );
    }
    Ok(())
}

fn measure(password: &str) -> Result<(), String> {
    if password.chars().count() < CHARS_MIN {
        return Err(format!("a password needs at least {CHARS_MIN} characters"));
    }
    if password.len() > BYTES_MAX {
        return Err(format!("a password has at most {BYTES_MAX} bytes"));
    }
    Ok(())
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
    fn what_was_in_breaches_or_everybody_takes_is_refused_and_what_somebody_thought_of_is_not() {
        let ann = Email::parse("ann.miller@example.org").unwrap();
        for common in [
            // Of the breached list, as they are.
            "1qaz2wsx3edc",
            "finalfantasy",
            "leavemealone",
            "123456qwerty",
            // The same, as people stretch them.
            "password1234",
            "Passw0rd!!!!",
            "P4ssw0rd2026",
            "letmein20262026",
            "Welcome2026!",
            "iloveyou1234",
            "password password",
            "adminadminadmin",
            "qwertyuiop[]",
            "123456789012",
            "aaaaaaaaaaaa",
            "abcdefghijkl",
            "111122223333",
            // What is known of the owner, and of us.
            "ann.miller@example.org",
            "annmiller2026",
            "example.org1",
            "skillkiln2026",
        ] {
            assert!(weigh(common, &ann).is_err(), "{common}");
        }
        for good in [
            "correct horse battery",
            "kiln-fired teapot",
            "a kiln of my own",
            "Zq7#mVt2!xLp",
            "my dragon eats toast",
            "Straßenbahn 17 früh",
            "3f9d0c1b7a6e5d4c",
        ] {
            assert_eq!(weigh(good, &ann), Ok(()), "{good}");
        }
    }

    #[test]
    fn the_longest_password_is_weighed_in_no_time_to_speak_of() {
        let ann = Email::parse("ann@example.org").unwrap();
        for unit in ["a", "aB", "password", "1q2w3e", "\u{1f3fa}", "a1!Zq7#m"] {
            let long: String = unit.chars().cycle().take(BYTES_MAX / 4).collect();
            let begun = std::time::Instant::now();
            let _ = weigh(&long, &ann);
            assert!(begun.elapsed().as_secs() < 5, "{unit}");
        }
    }

    #[test]
    fn passwords_out_of_bounds_are_refused() {
        assert!(hash("short").is_err());
        assert!(hash(&"x".repeat(BYTES_MAX + 1)).is_err());
    }
}
