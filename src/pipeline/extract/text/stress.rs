//! Reads words between stars, or between the marks that files of info stress by, as stressed; elsewhere a star is a star.

use super::Line;
use crate::domain::text::Inline;

/// So many stretches between stars are no accident.
const STRETCHES_MIN: usize = 5;
/// Lines that are looked at.
const LINES_MAX: usize = 5_000;
/// What is stressed is not longer, in characters.
const CHARS_MAX: usize = 80;

/// Whether a text stresses words so.
pub(super) fn is_used(lines: &[Line<'_>]) -> bool {
    let lines = lines.iter().take(LINES_MAX).map(|line| line.words);
    let lines = lines.filter(|words| words.contains('*'));
    let stretches = lines.flat_map(|words| {
        let first = next(words, &['*']);
        std::iter::successors(first, |it| next(it.2, &['*']))
    });
    stretches.take(STRETCHES_MIN).count() >= STRETCHES_MIN
}

/// Running words, with those between two of the same `marks` stressed.
pub(super) fn stressed(words: &str, marks: &[char]) -> Vec<Inline> {
    let mut out = Vec::new();
    let mut rest = words;
    while let Some((before, inner, after)) = next(rest, marks) {
        if !before.is_empty() {
            out.push(Inline::Text(before.to_owned()));
        }
        let mark = rest.get(before.len()..).unwrap_or_default();
        let inner = vec![Inline::Text(inner.to_owned())];
        // Files of info have two marks, of which the star is the stronger one.
        out.push(match marks.contains(&'_') && mark.starts_with('*') {
            true => Inline::Strong(inner),
            false => Inline::Emphasis(inner),
        });
        rest = after;
    }
    if !rest.is_empty() || out.is_empty() {
        out.push(Inline::Text(rest.to_owned()));
    }
    out
}

/// The first words between two of the same marks: what is before them, they, and what is behind.
fn next<'a>(words: &'a str, marks: &[char]) -> Option<(&'a str, &'a str, &'a str)> {
    // What files of info stress may be a whole sentence, or lead to one.
    let is_end = |c: char| marks.contains(&'_') && matches!(c, ':' | '.' | '!' | '?');
    for (from, mark) in words.match_indices(marks) {
        let behind = words.get(from + 1..)?;
        let Some(length) = behind.find(mark) else {
            continue;
        };
        let (before, inner, after) = (
            words.get(..from)?,
            behind.get(..length)?,
            behind.get(length + 1..)?,
        );
        let is_edge = |c: char| c.is_whitespace() || "([{\"'“‘/-–—,.;:!?)]}”’".contains(c);
        let begins = before.chars().next_back().is_none_or(is_edge);
        let ends = after.chars().next().is_none_or(is_edge);
        let is_word = inner.starts_with(char::is_alphanumeric)
            && inner.ends_with(|c: char| c.is_alphanumeric() || c == ')' || is_end(c));
        if begins && ends && is_word && inner.chars().count() <= CHARS_MAX {
            return Some((before, inner, after));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::pipeline::extract::text::read_plain;
    use crate::pipeline::markdown::write;

    #[test]
    fn words_between_stars_are_stressed_where_a_text_does_so_often() {
        let written = |source: &str| write(&read_plain(source.to_owned()).blocks);
        let source = "A *kiln* is known to be *very\nhot*, and *wood* (*oak*) is dry.\n\nIt *may* be 2 * 3 or a*b*c or *p, *q; *so it* is.\n";
        assert_eq!(
            written(source),
            "A *kiln* is known to be *very hot*, and *wood* (*oak*) is dry.\n\nIt *may* be 2 * 3 or a\\*b\\*c or \\*p, \\*q; *so it* is.\n"
        );
        assert_eq!(written("A *kiln* is hot.\n"), "A \\*kiln* is hot.\n");
    }
}
