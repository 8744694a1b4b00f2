//! Reads words between stars as stressed, in texts that stress some so; elsewhere a star is a star.

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
    let stretches = lines.flat_map(|words| std::iter::successors(next(words), |it| next(it.2)));
    stretches.take(STRETCHES_MIN).count() >= STRETCHES_MIN
}

/// Running words, with those between stars stressed.
pub(super) fn stressed(words: &str) -> Vec<Inline> {
    let mut out = Vec::new();
    let mut rest = words;
    while let Some((before, inner, after)) = next(rest) {
        if !before.is_empty() {
            out.push(Inline::Text(before.to_owned()));
        }
        out.push(Inline::Emphasis(vec![Inline::Text(inner.to_owned())]));
        rest = after;
    }
    if !rest.is_empty() || out.is_empty() {
        out.push(Inline::Text(rest.to_owned()));
    }
    out
}

/// The first words between stars: what is before them, they, and what is behind.
fn next(words: &str) -> Option<(&str, &str, &str)> {
    let mut stars = words.match_indices('*').map(|(at, _)| at).peekable();
    while let Some(from) = stars.next() {
        let Some(to) = stars.peek() else { break };
        let (before, inner, after) = (
            words.get(..from)?,
            words.get(from + 1..*to)?,
            words.get(to + 1..)?,
        );
        let is_edge = |c: char| c.is_whitespace() || "([{\"'“‘/-–—,.;:!?)]}”’".contains(c);
        let begins = before.chars().next_back().is_none_or(is_edge);
        let ends = after.chars().next().is_none_or(is_edge);
        let is_word = inner.starts_with(char::is_alphanumeric)
            && inner.ends_with(|c: char| c.is_alphanumeric() || c == ')');
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
