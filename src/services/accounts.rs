//! Owns who is calling: turns a bearer token into an account, and says where that account stands.

use crate::domain::credits::Standing;
use crate::domain::id::{KeyId, UserId};
use crate::domain::quota::Cell;
use std::sync::Arc;

/// Somebody who showed a valid key.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The account.
    pub user_id: UserId,
    /// The key.
    pub key_id: KeyId,
    /// The key's windows.
    pub cell: Arc<Cell>,
}

/// Why a token was not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Denied {
    /// Not a key of ours.
    Unknown,
    /// The key was revoked.
    Revoked,
    /// The account was restricted.
    Restricted,
    /// It cannot be told now: the database does not answer.
    Unavailable,
}

/// A question that cannot be answered now, because the database does not answer. Asking again later may succeed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unavailable;

/// Knows accounts and keys. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Accounts {}

impl Accounts {
    /// Whose key `token` is. Answers from memory when it was asked within the last half second.
    ///
    /// # Errors
    /// [`Denied`], with the reason.
    #[expect(clippy::unused_async, reason = "the store arrives in the next commits")]
    pub async fn authenticate(&self, _token: &str) -> Result<Caller, Denied> {
        Err(Denied::Unknown)
    }

    /// Where an account stands.
    ///
    /// # Errors
    /// [`Unavailable`].
    #[expect(clippy::unused_async, reason = "the store arrives in the next commits")]
    pub async fn standing(&self, _user_id: UserId) -> Result<Standing, Unavailable> {
        Err(Unavailable)
    }
}
