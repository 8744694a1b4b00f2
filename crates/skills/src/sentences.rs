//! Owns where sentences begin and end, and cuts running text there without losing its code, links and stress.

use skillkiln_document::text::{Inline, is_unspaced, plain};
use std::ops::Range;

/// Words that end in a full stop without ending a sentence.
const ABBREVIATIONS: &str = " a.k.a. e.g. i.e. etc. vs. cf. mr. mrs. ms. dr. prof. no. fig. figs. eq. sec. ch. pp. p. vol. approx. incl. resp. ca. st. inc. ltd. jr. sr. ed. eds. al. z.b. d.h. bzw. u.a. usw. ggf. nr. p.ej. ";

/// The sentences of a plain text, as byte ranges in order; what stands between them is white space.
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut start = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((position, character)) = characters.next() {
        let ends = match character {
            '.' | '!' | '?' | '…' => {
                // Closing marks belong to the sentence they close.
                let mut end = position + character.len_utf8();
                while let Some((at, mark)) = characters.next_if(|(_, c)| {
                    matches!(
                        c,
                        '.' | '!' | '?' | ')' | ']' | '"' | '\'' | '”' | '’' | '»'
                    )
                }) {
                    end = at + mark.len_utf8();
                }
                let rest = text.get(end..).unwrap_or("");
                let head = text.get(start..end).unwrap_or("");
                (rest.is_empty()
                    || (rest.starts_with(char::is_whitespace)
                        && begins_a_sentence(rest)
                        && !leaves_out(head, rest)
                        && !is_label(head)
                        && !ends_in_abbreviation(head)))
                .then_some(end)
            }
            '。' | '！' | '？' | '｡' | '।' | '؟' | '۔' => {
                let mut end = position + character.len_utf8();
                while let Some((at, mark)) =
                    characters.next_if(|(_, c)| matches!(c, '」' | '』' | '）' | '”' | '’'))
                {
                    end = at + mark.len_utf8();
                }
                Some(end)
            }
            _ => None,
        };
        if let Some(end) = ends {
            push(text, start..end, &mut out);
            start = end;
        }
    }
    push(text, start..text.len(), &mut out);
    out
}

fn push(text: &str, range: Range<usize>, out: &mut Vec<Range<usize>>) {
    let piece = text.get(range.clone()).unwrap_or("");
    let trimmed = piece.trim_start();
    let start = range.end - trimmed.len();
    let end = start + trimmed.trim_end().len();
    if end > start {
        out.push(start..end);
    }
}

fn begins_a_sentence(rest: &str) -> bool {
    rest.chars()
        .find(|c| !c.is_whitespace())
        .is_some_and(|c| !c.is_lowercase() && !matches!(c, ',' | ';' | ':' | ')' | '–' | '—'))
}

/// No label is longer.
const LABEL_BYTES_MAX: usize = 16;

/// Whether a sentence is only what tells how the next one is meant: "Warning!" of "Warning! The kiln is hot."
fn is_label(head: &str) -> bool {
    const LABELS: [&str; 12] = [
        "achtung",
        "attention",
        "atención",
        "attenzione",
        "caution",
        "danger",
        "hinweis",
        "important",
        "note",
        "nota",
        "remarque",
        "warning",
    ];
    // What has no end yet may be long, and is none.
    let word = head.trim().trim_end_matches(['!', '.']);
    word.len() <= LABEL_BYTES_MAX && LABELS.contains(&word.to_lowercase().as_str())
}

/// Whether dots between blanks stand for what is left out, and the sentence goes on: "between `#if` ... `#endif`".
fn leaves_out(head: &str, rest: &str) -> bool {
    let dots = head.ends_with(" ...") || head.ends_with(" …");
    dots && !rest.trim_start().starts_with(char::is_uppercase)
}

fn ends_in_abbreviation(head: &str) -> bool {
    let last = head
        .rsplit(char::is_whitespace)
        .next()
        .unwrap_or("")
        .trim_start_matches(['(', '[', '"', '“']);
    if last.chars().filter(|c| c.is_alphabetic()).count() == 1
        && last.ends_with('.')
        && last.chars().next().is_some_and(char::is_uppercase)
    {
        return true;
    }
    let lower = last.to_lowercase();
    lower.len() <= 8
        && lower.ends_with('.')
        && ABBREVIATIONS
            .match_indices(lower.as_str())
            .any(|(at, found)| {
                ABBREVIATIONS.get(..at).is_some_and(|s| s.ends_with(' '))
                    && ABBREVIATIONS
                        .get(at + found.len()..)
                        .is_some_and(|s| s.starts_with(' '))
            })
}

/// No sentence is longer; what goes on without a full stop is cut between words, and what has no spaces between its characters.
const SENTENCE_BYTES_MAX: usize = 900;
/// A word is whole up to this length, such as the sequence of a gene: half of it is another one.
const WORD_BYTES_MAX: usize = 8 * SENTENCE_BYTES_MAX;

/// Cuts ranges that are too long.
fn shortened(text: &str, ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    if ranges.iter().all(|range| range.len() <= SENTENCE_BYTES_MAX) {
        return ranges;
    }
    let mut out = Vec::with_capacity(ranges.len() * 2);
    for range in ranges {
        let mut start = range.start;
        while range.end - start > SENTENCE_BYTES_MAX {
            let mut limit = start + SENTENCE_BYTES_MAX;
            while !text.is_char_boundary(limit) {
                limit -= 1;
            }
            let piece = text.get(start..limit).unwrap_or("");
            let end = piece
                .rfind(char::is_whitespace)
                .filter(|cut| *cut > 0)
                .map_or_else(|| word_end(text, limit, range.end), |cut| start + cut);
            push(text, start..end, &mut out);
            start = end;
        }
        push(text, start..range.end, &mut out);
    }
    out
}

/// Where a word ends that reaches from before `at` over it; `at` itself where characters are parted without spaces, or none ends soon.
fn word_end(text: &str, at: usize, end: usize) -> usize {
    let is_of_word = |c: char| c.is_alphanumeric() && !is_unspaced(c);
    let before = text.get(..at).and_then(|text| text.chars().next_back());
    let rest = text.get(at..end).unwrap_or_default();
    if !before.is_some_and(is_of_word) || !rest.starts_with(is_of_word) {
        return at;
    }
    let length = rest.find(|c: char| !is_of_word(c)).unwrap_or(rest.len());
    match length <= WORD_BYTES_MAX {
        true => at + length,
        false => at,
    }
}

/// Cuts running text into its sentences. Code, formulas and links are never cut.
pub fn cut_sentences(inlines: &[Inline]) -> Vec<Vec<Inline>> {
    let text = plain(inlines);
    let mut ranges = shortened(&text, sentences(&text));
    if ranges.len() < 2 {
        return vec![inlines.to_vec()];
    }
    let mut whole = Vec::new();
    let mut at = 0;
    atoms(inlines, &mut at, &mut whole);
    // A border inside something whole is no border.
    let mut joined: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    let mut next_whole = 0;
    for range in ranges.drain(..) {
        while whole
            .get(next_whole)
            .is_some_and(|atom: &Range<usize>| atom.end <= range.start)
        {
            next_whole += 1;
        }
        let inside = whole
            .get(next_whole)
            .is_some_and(|atom| atom.start < range.start);
        match joined.last_mut() {
            Some(last) if inside => last.end = range.end,
            _ => joined.push(range),
        }
    }
    if joined.len() < 2 {
        return vec![inlines.to_vec()];
    }
    let mut pieces = split(inlines, &joined);
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// The byte ranges of pieces that must stay whole, in order.
fn atoms(inlines: &[Inline], at: &mut usize, out: &mut Vec<Range<usize>>) {
    for inline in inlines {
        let start = *at;
        match inline {
            Inline::Text(text) => *at += text.len(),
            Inline::Code(text) | Inline::Math(text) => {
                *at += text.len();
                out.push(start..*at);
            }
            Inline::Link(link) => {
                *at += plain(&link.text).len();
                out.push(start..*at);
            }
            Inline::Emphasis(inner) | Inline::Strong(inner) => atoms(inner, at, out),
            Inline::Break => *at += 1,
        }
    }
}

/// The pieces of `inlines` within each of `ranges`, which are in order and do not overlap; one piece a range, in one pass.
fn split(inlines: &[Inline], ranges: &[Range<usize>]) -> Vec<Vec<Inline>> {
    let mut pieces = vec![Vec::new(); ranges.len()];
    let mut at = 0;
    let mut current = 0;
    for inline in inlines {
        let length = match inline {
            Inline::Text(text) | Inline::Code(text) | Inline::Math(text) => text.len(),
            Inline::Emphasis(inner) | Inline::Strong(inner) => plain(inner).len(),
            Inline::Link(link) => plain(&link.text).len(),
            Inline::Break => 1,
        };
        let here = at..at + length;
        at = here.end;
        while ranges
            .get(current)
            .is_some_and(|range| range.end <= here.start)
        {
            current += 1;
        }
        let touched: Vec<Range<usize>> = ranges
            .get(current..)
            .unwrap_or_default()
            .iter()
            .take_while(|range| range.start < here.end)
            .map(|range| {
                range.start.max(here.start) - here.start
                    ..range.end.min(here.end).saturating_sub(here.start)
            })
            .collect();
        let inner_pieces = match inline {
            Inline::Emphasis(inner) | Inline::Strong(inner) => split(inner, &touched),
            _ => vec![Vec::new(); touched.len()],
        };
        for ((range, inner), piece) in touched
            .into_iter()
            .zip(inner_pieces)
            .zip(pieces.iter_mut().skip(current))
        {
            match inline {
                _ if range.is_empty() => {}
                Inline::Text(text) => {
                    piece.push(Inline::Text(text.get(range).unwrap_or(text).to_owned()));
                }
                Inline::Emphasis(_) if !inner.is_empty() => piece.push(Inline::Emphasis(inner)),
                Inline::Strong(_) if !inner.is_empty() => piece.push(Inline::Strong(inner)),
                Inline::Emphasis(_) | Inline::Strong(_) => {}
                whole => piece.push(whole.clone()),
            }
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn dots_for_what_is_left_out_end_no_sentence() {
        assert_eq!(
            cut("Put it between #if ... #endif lines. It waits ... Then it burns."),
            [
                "Put it between #if ... #endif lines.",
                "It waits ...",
                "Then it burns."
            ]
        );
    }

    #[test]
    fn what_tells_how_a_sentence_is_meant_stays_with_it() {
        assert_eq!(
            cut("Open it. Warning! The kiln is hot. Note. It stays so."),
            [
                "Open it.",
                "Warning! The kiln is hot.",
                "Note. It stays so."
            ]
        );
    }

    #[test]
    fn a_word_of_a_thousand_letters_stays_whole_where_characters_without_spaces_are_parted() {
        let gene = "gcggtgagagggtaatcagc".repeat(50);
        let text = format!("It reads {gene} there.");
        let pieces = shortened(&text, sentences(&text));
        assert!(
            pieces
                .iter()
                .any(|range| text[range.clone()].contains(&gene)),
            "{pieces:?}"
        );
        let clay = "窯の土を焼く".repeat(100);
        assert!(shortened(&clay, sentences(&clay)).len() > 1);
    }

    fn cut(text: &str) -> Vec<&str> {
        sentences(text)
            .into_iter()
            .map(|range| &text[range])
            .collect()
    }

    #[test]
    fn a_sentence_ends_where_a_reader_would_stop() {
        assert_eq!(
            cut("Use e.g. Rust 1.95. Dr. Who agrees (see below.) Done? Yes! version 2.0.1 works"),
            [
                "Use e.g. Rust 1.95.",
                "Dr. Who agrees (see below.)",
                "Done?",
                "Yes! version 2.0.1 works"
            ]
        );
        assert_eq!(
            cut("これは文です。次の文です。"),
            ["これは文です。", "次の文です。"]
        );
        assert_eq!(cut("  "), Vec::<&str>::new());
    }

    #[test]
    fn code_and_links_are_never_cut() {
        let inlines = vec![
            Inline::Text("Run ".into()),
            Inline::Code("a. Bc".into()),
            Inline::Text(". Then ".into()),
            Inline::Strong(vec![Inline::Text("stop. Rest".into())]),
            Inline::Text(" well.".into()),
        ];
        let pieces = cut_sentences(&inlines);
        assert_eq!(
            pieces.iter().map(|piece| plain(piece)).collect::<Vec<_>>(),
            ["Run a. Bc.", "Then stop.", "Rest well."]
        );
        assert_eq!(
            pieces[1][1],
            Inline::Strong(vec![Inline::Text("stop.".into())])
        );
    }

    proptest! {
        #[test]
        fn cutting_loses_nothing_but_white_space(texts in proptest::collection::vec("[a-zA-Z .!?。\u{e9}]{0,30}", 0..6)) {
            let inlines: Vec<Inline> = texts
                .iter()
                .enumerate()
                .map(|(n, text)| match n % 3 {
                    0 => Inline::Text(text.clone()),
                    1 => Inline::Strong(vec![Inline::Text(text.clone())]),
                    _ => Inline::Code(text.clone()),
                })
                .collect();
            let squeezed = |text: String| text.split_whitespace().collect::<String>();
            let whole = squeezed(plain(&inlines));
            let pieces: String = cut_sentences(&inlines).iter().map(|piece| plain(piece)).collect();
            prop_assert_eq!(whole, squeezed(pieces));
        }
    }
}
