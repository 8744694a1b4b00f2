//! Owns what the end of a line breaks: a path or an address, whose lines no space belongs between, and a bracket or a formula, which
//! goes on in the next line however that begins.

use crate::words::{WordList, words};

/// Words that go on with a sentence behind a path that ends in a slash: `the kiln/ directory`.
static BEHIND_PATHS: WordList = words!(
    "und oder ist der die das et ou est le la les el y de es directory directories folder folders subdirectory file files path paths tree \
     hierarchy and or but is are was were has have will can should must may to in into of for with without which that this the a an where \
     when if as on at by from contains then"
);
/// A path and the word before it are not longer.
const PATH_BYTES: usize = 512;
/// Words before a slash that are no part of a path.
const BEFORE_SLASHES: [&str; 4] = ["and", "or", "he", "she"];
/// Words that a path of its own follows: behind others, as in `rm -rf / tmp`, a slash alone may be all of a path.
const LEADING: [&str; 16] = [
    "the", "under", "in", "into", "to", "from", "of", "and", "or", "at", "as", "below", "inside",
    "like", "on", "see",
];
/// What stands below the root of a system.
const ROOTS: [&str; 19] = [
    "bin", "boot", "dev", "etc", "home", "lib", "lib32", "lib64", "media", "mnt", "opt", "proc",
    "root", "run", "sbin", "srv", "sys", "tmp", "usr",
];

/// Whether a line's end broke a path or an address behind a slash: `before` ends with its beginning, and `after` goes on with it.
pub(crate) fn breaks_path(before: &str, after: &str) -> bool {
    // What is put together line by line may be long: its end is enough.
    let start = before.ceil_char_boundary(before.len().saturating_sub(PATH_BYTES));
    let before = before.get(start..).unwrap_or(before);
    let Some(word) = before.rsplit(char::is_whitespace).next() else {
        return false;
    };
    let word = word.trim_start_matches(['(', '[', '<', '"', '\'', '`', '“', '‘']);
    let Some(stem) = word.strip_suffix('/') else {
        return false;
    };
    let next = after.split_whitespace().next().unwrap_or("");
    let next = next.trim_end_matches(|c: char| ".,;:!?)]>\"'`”’".contains(c));
    let begins = |c: char| c.is_lowercase() || "_.$*<{".contains(c);
    let is_part = next.contains(['/', '.', '_', '*', '$']) && next.contains(char::is_alphabetic);
    if stem.is_empty() {
        let above = before.split_whitespace().rev().nth(1).unwrap_or("");
        return LEADING.contains(&above) && ROOTS.contains(&next.split('/').next().unwrap_or(""));
    }
    let ends_as_file = || {
        let end = next.rsplit_once('.').map(|(_, end)| end);
        end.is_some_and(|end| end.starts_with(|c: char| c.is_ascii_lowercase()))
    };
    match stem {
        // The scheme of an address alone.
        _ if stem.ends_with(":/") => next.contains('.') && next.starts_with(char::is_alphanumeric),
        // An address may end with a slash.
        _ if stem.contains("://") => {
            next.starts_with(begins) && (next.contains('/') || ends_as_file())
        }
        _ if stem.ends_with('/') || BEFORE_SLASHES.contains(&stem) => false,
        _ if !next.starts_with(begins) => false,
        // A path by itself.
        _ if stem.contains('/') || stem.starts_with(['.', '~']) => !BEHIND_PATHS.contains(&next),
        // A word before a slash may be one of two.
        _ => is_part,
    }
}

/// Whether a line ends within a bracket that `next` closes, or with a sign of a formula: though `next` begins as an item of a list
/// does, `(wide * high` goes on with `+ 7) / 8`, and `heat !=` with `0. It burns`. A sign that may be a key, or part menus, is none, nor
/// is the mouth of a face an open bracket.
pub(crate) fn goes_on_over(above: &str, next: &str) -> bool {
    const SIGNS: [&str; 8] = ["=", "!=", "==", "<=", ">=", "≠", "≤", "≥"];
    let above = above.trim_end();
    if above.ends_with([':', ';']) {
        return false;
    }
    let mut words = above.split_whitespace();
    let is_sign = words.next_back().is_some_and(|last| SIGNS.contains(&last));
    let is_formula = is_sign && words.nth(1).is_some() && above.contains(char::is_alphabetic);
    let is_open = || {
        let Some((before, behind)) = above.rsplit_once('(') else {
            return false;
        };
        let is_face = before.ends_with([':', ';', '-', '=']);
        !is_face && !behind.contains(')') && behind.starts_with(|c: char| !c.is_whitespace())
    };
    let closes = || next.matches(['(', ')']).next() == Some(")");
    is_formula || is_open() && closes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_line_leaves_open_goes_on_in_the_next_one_however_that_begins() {
        for (above, next) in [
            ("its length is (WIDTH * HEIGHT", "+ 7) / 8 in bytes"),
            ("as long as the heat !=", "0. It burns"),
            ("that is (of file", "2) or of none"),
        ] {
            assert!(goes_on_over(above, next), "{above} {next}");
        }
        for (above, next) in [
            ("it burns (or not:", "- oak)"),
            ("of these (see there)", "- oak)"),
            ("of these (all dry", "- oak (white)"),
            ("==", "1. Wood"),
            ("to see it larger: press +", "- smaller: press -"),
            ("the menu Edit > Doors >", "2. Open it"),
            ("doors do not open :(", "- wood burns :)"),
            ("back: (", "- on: )"),
            ("It burns wood", "- oak"),
        ] {
            assert!(!goes_on_over(above, next), "{above} {next}");
        }
    }

    #[test]
    fn a_path_or_an_address_that_a_line_broke_has_no_space_in_it() {
        for (before, after) in [
            ("(See /usr/", "share/doc/kiln/README.gz.)"),
            ("the copy of /usr/share/doc/", "kiln-policy"),
            ("at https://", "lists.kiln.example/devel.html"),
            ("see https://lists.kiln.example/", "users.html)"),
            ("is to run ./", "configure from there"),
            ("stored in kiln/", "patches/series. You"),
            ("files under /", "etc, and"),
            ("lib/", "$(HOST)/fire"),
        ] {
            assert!(breaks_path(before, after), "{before} {after}");
        }
        for (before, after) in [
            ("doors and/", "or roofs"),
            ("what is in the kiln/", "directory."),
            ("in ./", "or there"),
            ("either open /", "closed"),
            ("mistakenly runs ‘rm -rf /", "tmp/kiln’"),
            ("see https://kiln.example/", "for more"),
            ("at https://kiln.example/", "10 Homepage"),
            ("in the etc/", "It is a kiln"),
            ("Look below src/kilns/", "You find it"),
            ("at https://kiln.example/", "v2.0 was released"),
            ("Arbeit/", "und Freizeit"),
            ("les potiers/", "et les autres"),
            ("when kiln/", "rules is run"),
            ("it burns", "wood/coal"),
            ("a comment begins with //", "kiln"),
        ] {
            assert!(!breaks_path(before, after), "{before} {after}");
        }
    }
}
