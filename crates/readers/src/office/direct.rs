//! Finds the headings and the title of a text that uses no styles for them: paragraphs set in larger letters by hand.

use crate::office::assemble::{Piece, What};
use skillkiln_document::text::{Inline, plain};
use std::collections::HashMap;

/// A heading or title that is only set as one has at most so many words.
const WORDS_MAX: usize = 12;
/// So many paragraphs that are set as headings show that such are headings.
const HEADINGS_MIN: usize = 3;
/// So many headings by style show that a title may stand above them.
const STYLED_MIN: usize = 2;
/// A paragraph of so many words is running text.
const RUNNING_WORDS_MIN: usize = 8;
/// Levels that are told apart by size.
const LEVELS: usize = 3;
/// Sizes that differ by no more, in tenths of a point, are those of one level.
const LEVEL_SIZES: u16 = 10;
/// So many bold lines above running text are headings although their letters are no larger; each has no more words.
const BOLD_MIN: usize = 4;
const BOLD_WORDS_MAX: usize = 8;
/// What letters to somebody begin with.
const SALUTATIONS: &[&str] = &[
    "dear ",
    "sehr geehrte",
    "madame",
    "monsieur",
    "cher ",
    "chère ",
];

/// How a paragraph is set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Look {
    /// The size of its letters, in tenths of a point; 0 when nothing tells it.
    pub(crate) size: u16,
    /// Whether all of it is bold.
    pub(crate) bold: bool,
    /// Whether it stands in the middle of its line.
    pub(crate) centred: bool,
}

/// Makes headings of the paragraphs that are set as such, where no style makes any; else a title of the first paragraph, where it is
/// set as one, no style names another, and the document is `named` so.
pub(crate) fn promote(pieces: &mut [Piece], named: Option<&str>) {
    let has_title = pieces
        .iter()
        .any(|piece| matches!(piece.what, What::Title(_)));
    if let Some(body) = size_of_body(pieces) {
        promote_larger(pieces, named, body, has_title);
    }
    let levels: Vec<u8> = pieces.iter().filter_map(level_of).collect();
    let level = levels.first().copied();
    if levels.iter().all(|other| Some(*other) == level) {
        let level = level.unwrap_or(1 + u8::from(has_title));
        promote_bold(pieces, level, levels.len());
    }
}

/// Makes headings, or a title, of what is set in larger letters than those of the body.
fn promote_larger(pieces: &mut [Piece], named: Option<&str>, body: u16, has_title: bool) {
    let levels: Vec<u8> = pieces.iter().filter_map(level_of).collect();
    if levels.is_empty() {
        promote_by_size(pieces, body, usize::from(has_title));
    } else if levels.len() >= STYLED_MIN
        && levels.contains(&1)
        && !has_title
        && is_title(pieces, body, named)
    {
        for piece in pieces.iter_mut() {
            if let What::Heading(level, _) = &mut piece.what {
                *level = level.saturating_add(1);
            }
        }
        if let Some(first) = pieces.first_mut() {
            heading(first, 1);
        }
    }
}

/// Makes headings of the lines in larger bold letters that stand over running text, where there are several, below so many levels.
fn promote_by_size(pieces: &mut [Piece], body: u16, above: usize) {
    let stands_apart = |piece: &Piece| {
        piece.look.bold && piece.look.size > body && is_short(piece) && !is_form(piece)
    };
    let set: Vec<bool> = pieces.iter().map(stands_apart).collect();
    let heads: Vec<usize> = (0..pieces.len())
        .filter(|at| set.get(*at) == Some(&true))
        .filter(|at| {
            let below = pieces.iter().zip(&set).skip(at + 1);
            below
                .take_while(|(_, is_set)| !**is_set)
                .any(|(piece, _)| is_running(piece))
        })
        .collect();
    if heads.len() < HEADINGS_MIN {
        return;
    }
    let mut sizes: Vec<u16> = heads
        .iter()
        .filter_map(|at| pieces.get(*at))
        .map(|piece| piece.look.size)
        .collect();
    sizes.sort_unstable_by(|one, other| other.cmp(one));
    // The largest size of each level.
    sizes.dedup_by(|size, larger| larger.abs_diff(*size) <= LEVEL_SIZES);
    sizes.truncate(LEVELS);
    for at in heads {
        if let Some(piece) = pieces.get_mut(at) {
            let level = above
                + sizes
                    .iter()
                    .filter(|size| **size >= piece.look.size)
                    .count();
            heading(piece, u8::try_from(level).unwrap_or(6));
        }
    }
}

/// Makes headings of that level of the bold lines that stand right above running text, where they are many, and more than those that
/// are `styled`: a writer gave some of them a style and others none.
fn promote_bold(pieces: &mut [Piece], level: u8, styled: usize) {
    let may_head = |piece: &Piece| {
        let What::Paragraph(text) = &piece.what else {
            return false;
        };
        let words = plain(text);
        let is_name = words.trim_start().starts_with(|c: char| c.is_uppercase())
            && !words.trim_end().ends_with([':', '!', '?'])
            && words.split_whitespace().count() <= BOLD_WORDS_MAX;
        piece.look.bold && is_name && is_short(piece) && !is_form(piece)
    };
    let is_text = |piece: &Piece| !piece.look.bold && is_running(piece);
    let set: Vec<bool> = pieces.iter().map(may_head).collect();
    let heads: Vec<usize> = (0..pieces.len())
        .filter(|at| set.get(*at) == Some(&true))
        .filter(|at| pieces.iter().skip(at + 1).take(2).any(is_text))
        .collect();
    let running = pieces.iter().filter(|piece| is_text(piece)).count();
    if heads.len() < BOLD_MIN.max(styled + 1) || heads.len() > running {
        return;
    }
    for at in heads {
        if let Some(piece) = pieces.get_mut(at) {
            heading(piece, level);
        }
    }
}

/// Whether the first paragraph is set as a title, in the largest letters of all, and shares a word with what the document is `named`.
fn is_title(pieces: &[Piece], body: u16, named: Option<&str>) -> bool {
    let Some((first, rest)) = pieces.split_first() else {
        return false;
    };
    let What::Paragraph(text) = &first.what else {
        return false;
    };
    let known: Vec<String> = named.into_iter().flat_map(words_of).collect();
    is_short(first)
        && first.look.size > body
        && (first.look.bold || first.look.centred)
        && rest.iter().all(|piece| piece.look.size < first.look.size)
        && words_of(&plain(text))
            .iter()
            .any(|word| known.contains(word))
        && !pieces.iter().any(|piece| says_again(piece, first))
}

/// The words of a name that tell something: those of more than three letters, and signs that are words.
fn words_of(name: &str) -> Vec<String> {
    name.split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().count() > 3 || !word.is_ascii())
        .map(str::to_lowercase)
        .collect()
}

/// Whether a piece is what stands under headings: running text, a list, a table or code.
fn is_running(piece: &Piece) -> bool {
    match &piece.what {
        What::Paragraph(text) => {
            piece.item.is_some() || plain(text).split_whitespace().count() >= RUNNING_WORDS_MIN
        }
        What::Table { .. } | What::Code { .. } => true,
        _ => false,
    }
}

/// The size that most letters of running text have.
fn size_of_body(pieces: &[Piece]) -> Option<u16> {
    let mut letters: HashMap<u16, usize> = HashMap::new();
    for piece in pieces {
        if let What::Paragraph(text) = &piece.what
            && !piece.look.bold
            && piece.look.size > 0
        {
            *letters.entry(piece.look.size).or_default() += plain(text).len();
        }
    }
    letters
        .into_iter()
        .max_by_key(|(size, count)| (*count, *size))
        .map(|(size, _)| size)
}

/// Whether a heading has the words of a paragraph.
fn says_again(heading: &Piece, paragraph: &Piece) -> bool {
    match (&heading.what, &paragraph.what) {
        (What::Heading(_, words), What::Paragraph(text)) => {
            plain(words).trim() == plain(text).trim()
        }
        _ => false,
    }
}

fn level_of(piece: &Piece) -> Option<u8> {
    match piece.what {
        What::Heading(level, _) => Some(level),
        _ => None,
    }
}

/// Whether a paragraph is a line of a few words that does not end as a sentence does.
fn is_short(piece: &Piece) -> bool {
    let What::Paragraph(text) = &piece.what else {
        return false;
    };
    let words = plain(text);
    piece.item.is_none()
        && !text.contains(&Inline::Break)
        && !words.trim_end().ends_with(['.', ',', ';'])
        && words.contains(char::is_alphabetic)
        && words.split_whitespace().count() <= WORDS_MAX
}

/// Whether a paragraph is a line of letters and forms: an address, a greeting, what ends in a number or an amount, or a label with its value.
fn is_form(piece: &Piece) -> bool {
    let What::Paragraph(text) = &piece.what else {
        return false;
    };
    let words = plain(text);
    let line = words.trim();
    let is_address = |word: &str| {
        let inner = word.trim_matches(|c: char| !c.is_alphanumeric());
        let mut parts = inner.split('.');
        word.contains('@')
            || word.contains("://")
            || inner.contains('.')
                && parts.all(|part| part.len() > 1 && part.contains(char::is_alphabetic))
    };
    let small = line.to_lowercase();
    let ends_in_digit = |words: &str| words.ends_with(|c: char| c.is_ascii_digit());
    let is_currency = |word: &str| word.chars().count() <= 3 && !word.contains(char::is_lowercase);
    let ends_in_amount = ends_in_digit(line)
        || line
            .rsplit_once(' ')
            .is_some_and(|(before, last)| is_currency(last) && ends_in_digit(before.trim_end()));
    let has_value = line
        .split_once(':')
        .is_some_and(|(_, value)| !value.trim().is_empty());
    line.split_whitespace().any(is_address)
        || SALUTATIONS
            .iter()
            .any(|greeting| small.starts_with(greeting))
        || ends_in_amount
        || has_value
}

/// Makes a heading of a paragraph: its own format says nothing more.
fn heading(piece: &mut Piece, level: u8) {
    if let What::Paragraph(text) = &mut piece.what {
        let words = std::mem::take(text);
        let words = words.into_iter().flat_map(unstressed).collect();
        piece.what = What::Heading(level, words);
    }
}

fn unstressed(inline: Inline) -> Vec<Inline> {
    match inline {
        Inline::Strong(inner) => inner,
        other => vec![other],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(words: &str, size: u16, bold: bool) -> Piece {
        Piece {
            look: Look {
                size,
                bold,
                centred: false,
            },
            ..Piece::new(What::Paragraph(vec![Inline::Text(words.to_owned())]))
        }
    }

    fn levels(mut pieces: Vec<Piece>, named: Option<&str>) -> Vec<u8> {
        promote(&mut pieces, named);
        let level = |piece: &Piece| level_of(piece).unwrap_or(0);
        pieces.iter().map(level).collect()
    }

    const TEXT: &str = "The kiln is fired with oak, and the ash falls where it will.";

    #[test]
    fn larger_bold_lines_over_text_are_headings_where_no_style_makes_any() {
        let text = || set(TEXT, 120, false);
        let pieces = vec![
            set("The Kiln", 180, true),
            text(),
            set("Firing", 140, true),
            text(),
            set("Oak", 135, true),
            text(),
            set("Note well", 120, true),
            set("It is hot.", 140, true),
        ];
        assert_eq!(levels(pieces, None), [1, 0, 2, 0, 2, 0, 0, 0]);
        let two = vec![set("Oak", 140, true), text(), set("Ash", 140, true), text()];
        assert_eq!(levels(two, None), [0; 4]);
    }

    #[test]
    fn many_bold_lines_right_above_text_are_headings_of_the_level_that_a_style_gives() {
        let text = || set(TEXT, 120, false);
        let page = || {
            let mut pieces = Vec::new();
            for line in ["Oak", "How to fire it", "Ash", "Clay and water"] {
                pieces.extend([set(line, 120, true), text()]);
            }
            pieces
        };
        assert_eq!(levels(page(), None), [1, 0, 1, 0, 1, 0, 1, 0]);
        let mut styled = page();
        let first = What::Heading(2, vec![Inline::Text("Kilns".to_owned())]);
        styled.insert(0, Piece::new(first));
        assert_eq!(levels(styled, None), [2, 2, 0, 2, 0, 2, 0, 2, 0]);
        let mut few = page();
        few.truncate(6);
        assert_eq!(levels(few, None), [0; 6]);
        let notes = (0..5)
            .flat_map(|_| [set("Note:", 120, true), text()])
            .collect();
        assert_eq!(levels(notes, None), [0; 10]);
    }

    #[test]
    fn lines_of_letters_and_lines_without_text_below_are_no_headings() {
        let text = || set(TEXT, 120, false);
        let mut pieces = vec![set("Confidential", 180, true), set("Draft", 180, true)];
        for line in [
            "Dear Sir or Madam",
            "www.kiln.example",
            "Total: 120 EUR",
            "Sum 120 EUR",
            "Offer 17",
            "Name: Oak",
        ] {
            pieces.extend([set(line, 140, true), text()]);
        }
        let count = pieces.len();
        assert_eq!(levels(pieces, Some("Confidential")), vec![0; count]);
    }

    #[test]
    fn the_first_line_is_the_title_above_headings_by_style_when_the_document_is_named_so() {
        let title = |size: u16| Piece {
            look: Look {
                size,
                bold: false,
                centred: true,
            },
            ..set("The Kiln", size, false)
        };
        let head = || Piece::new(What::Heading(1, vec![Inline::Text("Ash".to_owned())]));
        let text = || set("It falls where it will.", 120, false);
        let pieces = |size| vec![title(size), text(), head(), text(), head(), text()];
        assert_eq!(levels(pieces(160), Some("kiln-notes")), [1, 0, 2, 0, 2, 0]);
        assert_eq!(levels(pieces(160), None), [0, 0, 1, 0, 1, 0]);
        assert_eq!(levels(pieces(160), Some("Oak")), [0, 0, 1, 0, 1, 0]);
        assert_eq!(levels(pieces(120), Some("kiln-notes")), [0, 0, 1, 0, 1, 0]);
        let again = vec![set("Ash", 160, true), head(), text(), head(), text()];
        assert_eq!(levels(again, Some("Ash")), [0, 1, 0, 1, 0]);
    }
}
