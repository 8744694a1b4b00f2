//! Owns how the constant patterns of the stages are compiled: once, by an engine whose time is linear in the text.

use regex::Regex;
use std::sync::LazyLock;

/// A pattern that is compiled when it is first used.
pub(in crate::pipeline) type Pattern = LazyLock<Regex>;

/// Compiles a constant pattern. The border of a word is that of ASCII: with the one of Unicode the engine leaves its fast
/// automaton at the first letter outside ASCII, and half of all texts have one (measured: a fifth of the validate stage). Where
/// that would find English words inside those of other languages ("me" in "système"), a pattern writes `\<` and `\>`.
pub(in crate::pipeline) fn compile(pattern: &str) -> Regex {
    Regex::new(&pattern.replace(r"\b", r"(?-u:\b)"))
        .expect("every pattern is a constant, and each is used by a test")
}

/// Finds what any of some patterns finds, in one pass; to those that speak of the ends of a text, each line is one. An automaton
/// for all reads a byte in the time in which one for each does (measured: 1.7 ns), and no search for short words, which stand in
/// others everywhere, holds it up.
pub(in crate::pipeline) fn any_of(patterns: &[&Pattern]) -> Regex {
    let patterns: Vec<String> = patterns
        .iter()
        .map(|one| format!("(?m:{})", one.as_str()))
        .collect();
    compile(&patterns.join("|"))
}

/// Declares patterns by name.
macro_rules! patterns {
    ($($(#[$about:meta])* $vis:vis $name:ident = $pattern:expr;)+) => {
        $($(#[$about])* $vis static $name: $crate::pipeline::pattern::Pattern =
            std::sync::LazyLock::new(|| $crate::pipeline::pattern::compile($pattern));)+
    };
}
pub(super) use patterns;
