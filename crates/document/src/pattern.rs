//! Owns how the constant patterns of the stages are compiled: once, when each is first used, by an engine whose time is linear in the
//! text.

use crate::work::{BYTES_A_STEP, step};
use regex::{Captures, Match, Regex};
use regex_automata::Input;
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson::{self, WhichCaptures};
use regex_automata::util::pool::Pool;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// A pattern that is compiled when it is first used: at first only so far that it tells whether a text holds what is looked for, which
/// most texts do not; and when one does, so that it tells where, which takes two to four times as long to compile.
pub struct Pattern {
    source: &'static str,
    whether: OnceLock<Automaton>,
    place: OnceLock<Regex>,
}

impl Pattern {
    /// A constant pattern, in the words of the regex crate, but for three: the border of a word is that of ASCII, since with the one
    /// of Unicode the engine leaves its fast automaton at the first letter outside ASCII, and half of all texts have one (measured: a
    /// fifth of the validate stage). Where that would find English words inside those of other languages ("me" in "système"), a
    /// pattern writes `\<` and `\>`. The letters and digits that `\w` and `\d` stand for are those of ASCII as well: all of Unicode's
    /// cost a fifth of the time that compiling takes.
    pub const fn new(pattern: &'static str) -> Self {
        Self {
            source: pattern,
            whether: OnceLock::new(),
            place: OnceLock::new(),
        }
    }

    /// Whether a text holds what is looked for.
    pub fn is_match(&self, text: &str) -> bool {
        read(text);
        let told = self.automaton().tells(text);
        told.unwrap_or_else(|| self.regex().is_match(text))
    }

    /// Where a text first holds it.
    pub fn find<'t>(&self, text: &'t str) -> Option<Match<'t>> {
        read(text);
        self.when_met(text)?.find(text)
    }

    /// Where a text holds it.
    pub fn find_iter<'t>(&self, text: &'t str) -> impl Iterator<Item = Match<'t>> {
        read(text);
        let regex = self.when_met(text).into_iter();
        regex.flat_map(move |regex| regex.find_iter(text))
    }

    /// Where a text holds it, with its parts.
    pub fn captures_iter<'t>(&self, text: &'t str) -> impl Iterator<Item = Captures<'t>> {
        read(text);
        let regex = self.when_met(text).into_iter();
        regex.flat_map(move |regex| regex.captures_iter(text))
    }

    /// The pattern itself, for those who know that what they look at mostly holds it.
    pub fn regex(&self) -> &Regex {
        self.place.get_or_init(|| {
            Regex::new(&in_ascii(self.source))
                .expect("every pattern is a constant, and each is used by a test")
        })
    }

    /// The pattern itself, unless the text has nothing of it.
    fn when_met(&self, text: &str) -> Option<&Regex> {
        let is_denied = self.automaton().tells(text) == Some(false);
        (!is_denied).then(|| self.regex())
    }

    fn automaton(&self) -> &Automaton {
        self.whether
            .get_or_init(|| Automaton::of(&in_ascii(self.source)))
    }
}

impl Deref for Pattern {
    type Target = Regex;

    fn deref(&self) -> &Regex {
        self.regex()
    }
}

/// Counts the steps of one look at a text.
fn read(text: &str) {
    step(1 + text.len() / BYTES_A_STEP);
}

/// A pattern in the words of the regex crate.
fn in_ascii(pattern: &str) -> String {
    pattern
        .replace(r"\b", r"(?-u:\b)")
        .replace(r"\w", "[0-9A-Za-z_]")
        .replace(r"\d", "[0-9]")
}

/// Tells whether a text holds what any of some patterns finds, in one pass; to those that speak of the ends of a text, each line is
/// one. An automaton for all reads a byte in the time in which one for each does (measured: 1.4 ns). Most texts hold none of what is
/// looked for, so the patterns themselves need not be compiled.
pub struct AnyOf {
    patterns: &'static [&'static Pattern],
    whether: OnceLock<Automaton>,
}

impl AnyOf {
    /// Of constant patterns. `\W` stands for letters outside ASCII as well here, so that more may be found than by the patterns: the
    /// class of all other letters, in the six places where furniture has it, takes longer to compile than all words around it.
    pub const fn new(patterns: &'static [&'static Pattern]) -> Self {
        Self {
            patterns,
            whether: OnceLock::new(),
        }
    }

    /// Whether a text may hold what one of the patterns finds; one that holds it is never denied.
    pub fn is_match(&self, text: &str) -> bool {
        read(text);
        let automaton = self.whether.get_or_init(|| {
            let each = self.patterns.iter();
            let each = each.map(|pattern| format!("(?m:{})", pattern.source));
            let all = each.collect::<Vec<_>>().join("|");
            Automaton::of(&in_ascii(&all.replace(r"\W", "[^0-9A-Za-z_]")))
        });
        automaton.tells(text) != Some(false)
    }
}

/// Reads a text once and forwards, as far as it has to. No search for literals goes before it: to find out which to look for is three
/// tenths of what a pattern takes to compile, and short words that stand in others everywhere would hold it up.
struct Automaton {
    states: Arc<DFA>,
    /// What was found out of the states, for each thread that asks at once.
    known: Pool<Cache, Box<dyn Fn() -> Cache + Send + Sync>>,
}

impl Automaton {
    fn of(pattern: &str) -> Self {
        let bare = thompson::Config::new().which_captures(WhichCaptures::None);
        let kind = DFA::config()
            .skip_cache_capacity_check(true)
            .unicode_word_boundary(true);
        let states = DFA::builder()
            .configure(kind)
            .thompson(bare)
            .build(pattern)
            .expect("every pattern is a constant, and each is used by a test");
        let states = Arc::new(states);
        let anew = {
            let states = Arc::clone(&states);
            move || states.create_cache()
        };
        Self {
            states,
            known: Pool::new(Box::new(anew)),
        }
    }

    /// Whether a text holds what is looked for; `None` where that is asked of a border of words beside letters outside ASCII.
    fn tells(&self, text: &str) -> Option<bool> {
        let input = Input::new(text).earliest(true);
        let found = self.states.try_search_fwd(&mut self.known.get(), &input);
        found.ok().map(|found| found.is_some())
    }
}

/// Declares patterns by name.
#[macro_export]
macro_rules! patterns {
    ($($(#[$about:meta])* $vis:vis $name:ident = $pattern:expr;)+) => {
        $($(#[$about])* $vis static $name: $crate::pattern::Pattern =
            $crate::pattern::Pattern::new($pattern);)+
    };
}

#[cfg(test)]
mod tests {
    patterns! {
        KILN = r"(?i)\<kilns?\>|\bfires? (\d+)";
    }

    #[test]
    fn what_tells_whether_agrees_with_what_tells_where() {
        for text in [
            "",
            "a kiln",
            "akiln",
            "the KILNS burn; fire 12 and fires 7",
            "ökiln",
            "ö kiln",
            "fire ½, fire one",
            "größer als fire 3",
        ] {
            let places: Vec<_> = KILN.regex().find_iter(text).map(|m| m.range()).collect();
            let found: Vec<_> = KILN.find_iter(text).map(|m| m.range()).collect();
            assert_eq!(found, places, "{text}");
            let parts = KILN.captures_iter(text).map(|c| c.get(0).unwrap().range());
            let parts: Vec<_> = parts.collect();
            assert_eq!(parts, places, "{text}");
            assert_eq!(KILN.is_match(text), !places.is_empty(), "{text}");
            let first = KILN.find(text).map(|found| found.range());
            assert_eq!(first.as_ref(), places.first(), "{text}");
        }
    }
}
