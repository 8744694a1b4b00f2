//! Owns why a run can fail, in words that tell its owner what to do. The credit is always given back.

use serde::{Deserialize, Serialize};

/// The reason a run failed. The message is shown to the user: no addresses of ours, no bytes of the source, no causes inside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// Which kind of reason.
    pub reason: Reason,
    /// What happened and what the user can do.
    pub message: String,
}

impl Failure {
    /// A failure with its message.
    #[must_use]
    pub fn new(reason: Reason, message: impl Into<String>) -> Self {
        Self {
            reason,
            message: message.into(),
        }
    }
}

/// Kinds of reason, for metrics and for deciding whether trying again makes sense.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The source could not be fetched.
    Unreachable,
    /// The source was fetched, but there is nothing in it that we can read.
    Unreadable,
    /// The source is larger, deeper or slower to read than we allow.
    TooLarge,
    /// A part of the source is missing, such as captions or a deleted file.
    Missing,
    /// The source has nothing on a topic that was selected.
    NotCovered,
    /// The model gave no usable answer.
    Model,
    /// The run took longer than its deadline.
    Deadline,
    /// The run was ended: its skill was deleted, or the service stopped.
    Aborted,
    /// A fault of ours.
    Internal,
}

impl Reason {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Unreachable,
        Self::Unreadable,
        Self::TooLarge,
        Self::Missing,
        Self::NotCovered,
        Self::Model,
        Self::Deadline,
        Self::Aborted,
        Self::Internal,
    ];

    /// The word for logs and metrics.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unreachable => "unreachable",
            Self::Unreadable => "unreadable",
            Self::TooLarge => "too_large",
            Self::Missing => "missing",
            Self::NotCovered => "not_covered",
            Self::Model => "model",
            Self::Deadline => "deadline",
            Self::Aborted => "aborted",
            Self::Internal => "internal",
        }
    }

    /// Whose it is to mend.
    #[must_use]
    pub const fn class(self) -> Class {
        match self {
            Self::Unreachable
            | Self::Unreadable
            | Self::TooLarge
            | Self::Missing
            | Self::NotCovered => Class::Source,
            Self::Model | Self::Deadline | Self::Internal => Class::Ours,
            Self::Aborted => Class::Ended,
        }
    }
}

/// Whose a failure is to mend. What alarms an operator is the second alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// The source's, or of whoever named it: a dead link, a file that nobody can read.
    Source,
    /// Ours, and of those whom we call to do our work.
    Ours,
    /// Nobody's: somebody ended the run before its time.
    Ended,
}

impl Class {
    /// The word for metrics.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Ours => "ours",
            Self::Ended => "ended",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dead_link_is_the_sources_and_a_run_that_took_too_long_is_ours() {
        let of = |class: Class| {
            Reason::ALL
                .into_iter()
                .filter(move |it| it.class() == class)
        };
        let words = |class| of(class).map(Reason::as_str).collect::<Vec<_>>();
        assert_eq!(
            words(Class::Source),
            [
                "unreachable",
                "unreadable",
                "too_large",
                "missing",
                "not_covered"
            ]
        );
        assert_eq!(words(Class::Ours), ["model", "deadline", "internal"]);
        assert_eq!(words(Class::Ended), ["aborted"]);
    }
}
