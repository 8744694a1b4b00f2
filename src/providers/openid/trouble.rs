//! Owns what may go wrong between us and a provider of identities.

/// Why nobody is vouched for; the words are for the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// The provider does not answer, or not as one: another try may help.
    Unanswered(String),
    /// It did not take what we brought: a code that was used, is too old or not ours, or our own name and secret.
    Refused(String),
    /// What it says cannot be believed.
    Untrusted(String),
}
