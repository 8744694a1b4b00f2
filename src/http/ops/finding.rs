//! Owns what the verdict is made of: something that is not as it should be, and where on the page it can be seen.

/// From which part of its bound on something is taken for full.
pub(super) const FULL: f64 = 0.8;

/// Something that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    /// `bad` when users or credits suffer, `warn` when they soon may.
    pub(super) tone: &'static str,
    /// What is wrong.
    pub(super) what: String,
    /// What to do.
    pub(super) advice: &'static str,
    /// Where on the page it can be seen.
    pub(super) place: Place,
}

/// A place on the page: its id, and what it is called.
pub(super) type Place = (&'static str, &'static str);

pub(super) const NODES: Place = ("nodes", "Nodes");
pub(super) const RUNNING: Place = ("running", "Generations in flight");
pub(super) const FAILURES: Place = ("failures", "Failed generations");
pub(super) const PIPELINE: Place = ("pipeline", "Pipeline");
pub(super) const ACTORS: Place = ("actors", "Actors");
pub(super) const BY_NODE: Place = ("by-node", "Actors by node");
pub(super) const LEDGER: Place = ("ledger", "Ledger");
pub(super) const DATABASE: Place = ("database", "Database");
pub(super) const HTTP: Place = ("http", "HTTP");
pub(super) const OUTSIDE: Place = ("outside", "Called outside");
