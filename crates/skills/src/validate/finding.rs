//! Owns the shape of a finding: what one check found wrong, and where.

use crate::validate::package::SKILL_FILE;

/// What one check found: nothing, when it passes; `None`, when there is nothing that it could be made on.
pub(super) type Findings = Option<Vec<Finding>>;

/// One thing that is wrong, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    /// The line of SKILL.md, counted from 1.
    pub(super) line: Option<u32>,
    /// In words.
    pub(super) message: String,
}

impl Finding {
    /// About a line of SKILL.md.
    pub(super) fn at(line: u32, message: impl Into<String>) -> Self {
        Self {
            line: Some(line),
            message: message.into(),
        }
    }

    /// About the whole.
    pub(super) fn whole(message: impl Into<String>) -> Self {
        Self {
            line: None,
            message: message.into(),
        }
    }

    /// About a line of any file of the package.
    pub(super) fn on(path: &str, line: u32, message: impl AsRef<str>) -> Self {
        let message = message.as_ref();
        if path == SKILL_FILE {
            Self::at(line, message)
        } else {
            Self::whole(format!("{path}:{line}: {message}"))
        }
    }
}
