//! Reads words between stars, or between the marks that files of info stress by, as stressed; elsewhere a star is a star.

use super::Line;
use skillkiln_document::text::Inline;
use std::ops::Range;

/// So many stretches between stars are no accident.
const STRETCHES_MIN: usize = 5;
/// Lines that are looked at.
const LINES_MAX: usize = 5_000;
/// What is stressed is not longer, in characters.
const CHARS_MAX: usize = 80;
/// Nor is what stands in quotes, in bytes.
const QUOTE_BYTES_MAX: usize = 300;

/// Whether a text stresses words so.
pub(super) fn is_used(lines: &[Line<'_>]) -> bool {
    let lines = lines.iter().take(LINES_MAX).map(|line| line.words);
    let lines = lines.filter(|words| words.contains('*'));
    let stretches = lines.flat_map(|words| {
        let first = next(words, &['*'], 0, &[]);
        std::iter::successors(first, |it| next(it.2, &['*'], 0, &[]))
    });
    stretches.take(STRETCHES_MIN).count() >= STRETCHES_MIN
}

/// Running words, with those between two of the same `marks` stressed.
pub(super) fn stressed(words: &str, marks: &[char]) -> Vec<Inline> {
    let mut out = Vec::new();
    let mut rest = words;
    let quotes = match marks.contains(&'_') && words.contains('*') {
        true => quoted(words),
        false => Vec::new(),
    };
    while let Some((before, inner, after)) = next(rest, marks, words.len() - rest.len(), &quotes) {
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

/// The first words between two of the same marks: what is before them, they, and what is behind. The words begin at `start` of those
/// that have `quotes` at these places.
fn next<'a>(
    words: &'a str,
    marks: &[char],
    start: usize,
    quotes: &[Range<usize>],
) -> Option<(&'a str, &'a str, &'a str)> {
    let is_info = marks.contains(&'_');
    // What files of info stress may be a whole sentence, or lead to one.
    let is_end = |c: char| is_info && matches!(c, ':' | '.' | '!' | '?');
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
        if is_info && mark == "*" {
            let at = start + from;
            let behind = quotes.partition_point(|quote| quote.end <= at);
            let is_in_quotes = quotes.get(behind).is_some_and(|quote| quote.contains(&at));
            if !is_in_quotes && is_strong(before, inner, after) {
                return Some((before, inner, after));
            }
            continue;
        }
        let is_edge = |c: char| c.is_whitespace() || "([{\"'“‘/-–—,.;:!?)]}”’".contains(c);
        // What is to be filled in stands in angle brackets: `<_wood_>`.
        let is_place = is_info && before.ends_with('<') && after.starts_with('>');
        let begins = is_place || before.chars().next_back().is_none_or(is_edge);
        let ends = is_place || after.chars().next().is_none_or(is_edge);
        let is_word = inner.starts_with(char::is_alphanumeric)
            && inner.ends_with(|c: char| c.is_alphanumeric() || c == ')' || is_end(c));
        if begins && ends && is_word && inner.chars().count() <= CHARS_MAX {
            return Some((before, inner, after));
        }
    }
    None
}

/// Whether a file of info has words between stars, and no pattern for names of files, and no product: they stand alone, and are words.
fn is_strong(before: &str, inner: &str, after: &str) -> bool {
    let is_dash = |c: char| c.is_whitespace() || matches!(c, '—' | '–');
    // A bracket may stand around words, but no words stand right behind one that closes.
    let begins = before.is_empty()
        || before.ends_with(is_dash)
        || before.ends_with("--")
        || before.ends_with(['(', '[']);
    let behind = after.trim_start_matches([',', '.', ';', ':', '!', '?', ')', ']']);
    let ends = behind.is_empty() || behind.starts_with(is_dash) || behind.starts_with("--");
    let is_sentence = || inner.contains(' ') && inner.ends_with(['.', '!', '?']);
    let is_said = inner.starts_with(char::is_alphabetic)
        && (inner.ends_with(|c: char| c.is_alphanumeric() || c == ':') || is_sentence());
    let is_sign = |c: char| "+*/=<>|^%&()[]{}\\~$#@;`\"\u{2018}\u{201c}".contains(c);
    begins
        && ends
        && is_said
        && !inner.contains(is_sign)
        && !inner.contains(" - ")
        && inner.chars().count() <= CHARS_MAX
}

/// Where words stand in quotes.
fn quoted(words: &str) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut over = 0;
    let mut last = ' ';
    for (at, open) in words.char_indices() {
        let above = std::mem::replace(&mut last, open);
        let close = match open {
            '"' => '"',
            '\u{2018}' => '\u{2019}',
            '\u{201c}' => '\u{201d}',
            '\'' | '`' if !above.is_alphanumeric() => '\'',
            _ => continue,
        };
        if at < over {
            continue;
        }
        let from = at + open.len_utf8();
        let behind = words.get(from..).unwrap_or_default();
        let mut ends = behind
            .char_indices()
            .take_while(|(at, _)| *at < QUOTE_BYTES_MAX)
            .filter(|(_, c)| *c == close);
        // Within a word it is an apostrophe.
        let is_end = |(at, _): &(usize, char)| {
            let behind = behind.get(at + close.len_utf8()..).unwrap_or_default();
            !behind.starts_with(char::is_alphanumeric)
        };
        if let Some((end, _)) = ends.find(is_end) {
            over = from + end + close.len_utf8();
            out.push(at..over);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use crate::text::read_plain;
    use skillkiln_document::markdown::write;

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

    #[test]
    fn a_star_of_a_pattern_or_a_product_stresses_nothing_in_a_file_of_info() {
        for (said, shown) in [
            (
                "The *Potter's note:* is said.",
                "The **Potter's note:** is said.",
            ),
            (
                "It is *highly*, but *not at all* hot.",
                "It is **highly**, but **not at all** hot.",
            ),
            ("It does not--*ever*--burn.", "It does not--**ever**--burn."),
            (
                "Say fire <_wood_> or <_coal_>.",
                "Say fire \\<*wood*> or \\<*coal*>.",
            ),
            (
                "It (*NB:* hot) is in package *kiln2* (of *oak*), as *kiln_oak*.",
                "It (**NB:** hot) is in package **kiln2** (of **oak**), as **kiln_oak**.",
            ),
            (
                "*Never open it.*  It is hot.",
                "**Never open it.** It is hot.",
            ),
            (
                "Say 'kiln -A \"*oak*\" -R' for it.",
                "Say 'kiln -A \"\\*oak*\" -R' for it.",
            ),
            (
                "Say \u{2018}kiln *oak* ash\u{2019} for it.",
                "Say \u{2018}kiln \\*oak* ash\u{2019} for it.",
            ),
            ("It's *very* hot, isn't it?", "It's **very** hot, isn't it?"),
        ] {
            let source = format!(
                "\u{1f}\nFile: kiln.info,  Node: Top,  Up: (dir)\n\nKilns\n*****\n\n{said}\n"
            );
            assert_eq!(written_info(source), format!("# Kilns\n\n{shown}\n"));
        }
        for said in [
            "The heat is (hot(x)+1)*log(x+1))/2-(log(1-x)*(1-cold(x)))/2.",
            "Files *oak*.h burn, and *elm.* too.",
            "void *oak, ash *elm, heat.",
        ] {
            let source = format!(
                "\u{1f}\nFile: kiln.info,  Node: Top,  Up: (dir)\n\nKilns\n*****\n\n{said}\n"
            );
            assert!(!written_info(source).contains("**"), "{said}");
        }
    }

    fn written_info(source: String) -> String {
        write(&crate::text::read(source).blocks)
    }
}
