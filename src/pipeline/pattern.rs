//! Owns how the constant patterns of the stages are compiled: once, when each is first used, by an engine whose time is linear in the
//! text.

use regex::Regex;
use std::ops::Deref;
use std::sync::OnceLock;

/// A pattern that is compiled when it is first used.
pub(in crate::pipeline) struct Pattern {
    source: Source,
    compiled: OnceLock<Regex>,
}

enum Source {
    One(&'static str),
    AnyOf(&'static [&'static Pattern]),
}

impl Pattern {
    /// A constant pattern, in the words of the regex crate, but for three: the border of a word is that of ASCII, since with the one
    /// of Unicode the engine leaves its fast automaton at the first letter outside ASCII, and half of all texts have one (measured: a
    /// fifth of the validate stage). Where that would find English words inside those of other languages ("me" in "système"), a
    /// pattern writes `\<` and `\>`. The letters and digits that `\w` and `\d` stand for are those of ASCII as well: all of Unicode's
    /// cost a fifth of the time that compiling takes.
    pub(in crate::pipeline) const fn new(pattern: &'static str) -> Self {
        Self {
            source: Source::One(pattern),
            compiled: OnceLock::new(),
        }
    }

    /// Finds what any of some patterns finds, in one pass; to those that speak of the ends of a text, each line is one. An automaton
    /// for all reads a byte in the time in which one for each does (measured: 1.7 ns), and no search for short words, which stand in
    /// others everywhere, holds it up. Most texts hold none of what is looked for, so the patterns themselves need not be compiled.
    /// `\W` stands for letters outside ASCII as well here, so that more may be found than by the patterns: the class of all other
    /// letters, in the six places where furniture has it, takes longer to compile than all words around it.
    pub(in crate::pipeline) const fn any_of(patterns: &'static [&'static Self]) -> Self {
        Self {
            source: Source::AnyOf(patterns),
            compiled: OnceLock::new(),
        }
    }

    fn source(&self) -> String {
        match self.source {
            Source::One(pattern) => pattern.to_owned(),
            Source::AnyOf(patterns) => {
                let each = patterns.iter().map(|one| format!("(?m:{})", one.source()));
                let all = each.collect::<Vec<_>>().join("|");
                all.replace(r"\W", "[^0-9A-Za-z_]")
            }
        }
    }
}

impl Deref for Pattern {
    type Target = Regex;

    fn deref(&self) -> &Regex {
        self.compiled.get_or_init(|| {
            let pattern = self
                .source()
                .replace(r"\b", r"(?-u:\b)")
                .replace(r"\w", "[0-9A-Za-z_]")
                .replace(r"\d", "[0-9]");
            Regex::new(&pattern).expect("every pattern is a constant, and each is used by a test")
        })
    }
}

/// Declares patterns by name.
macro_rules! patterns {
    ($($(#[$about:meta])* $vis:vis $name:ident = $pattern:expr;)+) => {
        $($(#[$about])* $vis static $name: $crate::pipeline::pattern::Pattern =
            $crate::pipeline::pattern::Pattern::new($pattern);)+
    };
}
pub(super) use patterns;
