//! Owns the names under which operators see actors whose own keys say who somebody is.
//!
//! An operator must be able to follow one busy account from one look to the next, and need not know whose it is. So a label is
//! the same for as long as the process lives, another one in the next, and nobody can find the id of a label by trying ids.

use std::fmt::Display;
use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

/// The secret of this process: two random numbers, under which the hash cannot be computed elsewhere.
static SECRET: LazyLock<RandomState> = LazyLock::new(RandomState::new);

/// Eight digits that stand for an id while the process lives.
pub(super) fn opaque(id: &impl Display) -> String {
    let digits = format!("{:016x}", SECRET.hash_one(id.to_string()));
    digits.chars().take(8).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::id::UserId;

    #[test]
    fn a_label_stays_the_same_and_tells_ids_apart_without_a_part_of_them() {
        let (one, other) = (UserId::new(), UserId::new());
        let label = opaque(&one);
        assert_eq!(label, opaque(&one));
        assert_ne!(label, opaque(&other));
        assert_eq!(label.len(), 8);
        assert!(label.bytes().all(|byte| byte.is_ascii_hexdigit()));
        assert!(!one.to_string().contains(&label));
    }
}
