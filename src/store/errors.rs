//! Owns what the database's errors mean to a caller.

use crate::store::model::StoreError;
use diesel::result::{DatabaseErrorKind, Error};

/// Words in messages that carry no kind, by which a database says that trying again later may help.
const PASSING: [&str; 16] = [
    "database is locked",
    "database table is locked",
    "disk I/O error",
    "database or disk is full",
    // PostgreSQL of its own disk (53100) and memory (53200), with the system's reason behind it.
    "could not extend file",
    "could not write",
    "No space left on device",
    "out of memory",
    "unable to open database file",
    "readonly database",
    "deadlock detected",
    "terminating connection",
    "shutting down",
    "starting up",
    "too many clients",
    "connection",
];

impl From<Error> for StoreError {
    fn from(error: Error) -> Self {
        let text = error.to_string();
        match error {
            Error::DatabaseError(
                DatabaseErrorKind::UniqueViolation
                | DatabaseErrorKind::ForeignKeyViolation
                | DatabaseErrorKind::NotNullViolation
                | DatabaseErrorKind::CheckViolation
                | DatabaseErrorKind::RestrictViolation
                | DatabaseErrorKind::ExclusionViolation,
                _,
            ) => Self::Conflict(text),
            Error::DatabaseError(
                DatabaseErrorKind::ClosedConnection
                | DatabaseErrorKind::UnableToSendCommand
                | DatabaseErrorKind::SerializationFailure
                | DatabaseErrorKind::ReadOnlyTransaction,
                _,
            )
            | Error::BrokenTransactionManager => Self::Unavailable(text),
            _ if PASSING.iter().any(|words| text.contains(words)) => Self::Unavailable(text),
            _ => Self::Broken(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(kind: DatabaseErrorKind, message: &str) -> StoreError {
        Error::DatabaseError(kind, Box::new(message.to_owned())).into()
    }

    #[test]
    fn what_may_pass_is_told_from_what_will_not() {
        use DatabaseErrorKind::{CheckViolation, ClosedConnection, UniqueViolation, Unknown};
        assert!(matches!(
            of(UniqueViolation, "users_email_key"),
            StoreError::Conflict(_)
        ));
        assert!(matches!(
            of(CheckViolation, "available"),
            StoreError::Conflict(_)
        ));
        assert!(matches!(
            of(ClosedConnection, "closed"),
            StoreError::Unavailable(_)
        ));
        for passing in [
            "database is locked",
            "deadlock detected",
            "terminating connection due to administrator command",
            "the database system is shutting down",
            "sorry, too many clients already",
            "could not extend file \"base/5/16401\": No space left on device",
            "could not write to file \"pg_wal/xlogtemp.1\": Disk quota exceeded",
            "out of memory",
        ] {
            assert!(
                matches!(of(Unknown, passing), StoreError::Unavailable(_)),
                "{passing}"
            );
        }
        assert!(matches!(
            of(Unknown, "no such column: x"),
            StoreError::Broken(_)
        ));
        assert!(matches!(
            StoreError::from(Error::NotFound),
            StoreError::Broken(_)
        ));
    }
}
