//! Owns the rows as they lie in the tables, and how they read as the words of the domain.

use crate::domain::credits::Credits;
use crate::domain::generation::Status;
use crate::domain::user::Plan;
use crate::store::model::StoreError;
use skillkiln_document::failure::Reason;
use std::borrow::Cow;

pub(crate) mod accounts;
pub(crate) mod library;
pub(crate) mod payments;
pub(crate) mod reports;
pub(crate) mod runs;
pub(crate) mod transfers;
pub(crate) mod watches;

/// Text as both databases can keep it: PostgreSQL has no NUL in text, so it becomes the replacement character in both.
pub(crate) fn storable(text: &str) -> Cow<'_, str> {
    if text.contains('\0') {
        Cow::Owned(text.replace('\0', "\u{fffd}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// What a stored word or number should have been.
pub(crate) fn unreadable(what: &str, found: &str) -> StoreError {
    StoreError::Broken(format!("{what} reads {found:?}"))
}

/// Credits out of a column that the schema keeps within their range.
pub(crate) fn credits(amount: i64) -> Credits {
    Credits(u32::try_from(amount).unwrap_or(if amount < 0 { 0 } else { u32::MAX }))
}

/// A count out of a column that the schema keeps positive.
pub(crate) fn count(number: i64) -> u32 {
    credits(number).0
}

/// Reads JSON that we wrote.
pub(crate) fn from_json<'a, T: serde::Deserialize<'a>>(
    what: &str,
    text: &'a str,
) -> Result<T, StoreError> {
    serde_json::from_str(text)
        .map_err(|error| StoreError::Broken(format!("{what} cannot be read: {error}")))
}

/// Writes JSON.
pub(crate) fn to_json<T: serde::Serialize>(what: &str, value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value)
        .map_err(|error| StoreError::Broken(format!("{what} cannot be written: {error}")))
}

/// Reads a plan's word.
pub(crate) fn plan(word: &str) -> Result<Plan, StoreError> {
    Plan::parse(word).ok_or_else(|| unreadable("a plan", word))
}

/// Reads a status' word.
pub(crate) fn status(word: &str) -> Result<Status, StoreError> {
    Status::parse(word).ok_or_else(|| unreadable("a status", word))
}

/// Reads a reason's word.
pub(crate) fn reason(word: &str) -> Result<Reason, StoreError> {
    from_json("a reason", &format!("{word:?}"))
}
