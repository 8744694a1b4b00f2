//! Owns how the constant patterns of the checks are compiled: once, by an engine whose time is linear in the text.

use regex::Regex;
use std::sync::LazyLock;

/// A pattern that is compiled when it is first used.
pub(super) type Pattern = LazyLock<Regex>;

/// Compiles a constant pattern.
pub(super) fn compile(pattern: &'static str) -> Regex {
    Regex::new(pattern).expect("every pattern is a constant, and each is used by a test")
}

/// Declares patterns by name.
macro_rules! patterns {
    ($($(#[$about:meta])* $name:ident = $pattern:expr;)+) => {
        $($(#[$about])* static $name: $crate::pipeline::validate::pattern::Pattern =
            std::sync::LazyLock::new(|| $crate::pipeline::validate::pattern::compile($pattern));)+
    };
}
pub(super) use patterns;
