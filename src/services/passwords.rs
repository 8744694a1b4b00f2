//! Owns how passwords are kept: argon2id with a salt of their own, never in plain text.

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};

/// Fewest characters of a password.
pub const CHARS_MIN: usize = 8;
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
    fn passwords_out_of_bounds_are_refused() {
        assert!(hash("short").is_err());
        assert!(hash(&"x".repeat(BYTES_MAX + 1)).is_err());
    }
}
