//! Owns whose loader a skill is checked for.

/// Whose loader a skill is meant for (decision 59).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Profile {
    /// Any loader of the open specification.
    #[default]
    Open,
    /// An upload, where some warnings become errors.
    Claude,
    /// Claude Code, which knows fields of its own and runs what stands behind a `!`.
    ClaudeCode,
}
